/* mounts.c - bushings that start far from where their ends meet, since the file does not place
 * the body that they mount: the walk along joints (build_place.c) has come to it by another way,
 * an engine by its drive shaft from the test bench, and how bodies stand then is by chance. Such
 * a start is consistent, and the machine is thrown about. What bushings give way under their
 * loads is much less. Those that are released at the start (`scale` is zero) expect nothing. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"
#include "mechanics/known_start.h"

#include <stdio.h>
#include <string.h>

/* of the mechanism's length: as far as the search disturbs what is placed, so that loops stay on
 * their side (eom/initial_search.c) */
static const double near = 0.05;

static bool is_unplaced(const crank_builder *b, int body)
{
    const crank_body_record *r = body >= 0 ? &b->mechanism->body[body] : NULL;
    return r != NULL && r->position_fixing == CRANK_FREE && r->position[0] == 0.0 &&
           r->position[1] == 0.0 && r->position[2] == 0.0;
}

static bool is_joined(const crank_builder *b, int body)
{
    const crank_mechanism *m = b->mechanism;
    bool joined = false;
    for (int j = 0; j < m->joint_count && !joined; j++) {
        const crank_field *between = crank_record_find(&m->joint[j], "between");
        joined = between != NULL && (between->index[0] == body || between->index[1] == body);
    }
    return joined;
}

static bool is_released(crank_builder *b, const crank_record *force)
{
    const crank_field *scale = crank_record_find(force, "scale");
    crank_ex ex;
    return scale != NULL &&
           crank_build_resolve(b, force, scale, scale->ex[0], 0, NULL, NULL, &ex, NULL) ==
               CRANK_OK &&
           crank_build_start(b, ex) == 0.0;
}

bool crank_system_take_mounts(crank_system *s, crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    s->mount = crank_store_take(&s->store, (size_t)m->force_count, sizeof *s->mount);
    s->mount_length = crank_build_natural_length(b);
    for (int i = 0; i < m->force_count && s->mount != NULL; i++) {
        const crank_joint_place *p = &b->place[m->joint_count + i];
        const bool second = p->given && is_unplaced(b, p->at[1].body);
        if (!p->given || (!second && !is_unplaced(b, p->at[0].body)) ||
            is_released(b, &m->force[i])) {
            continue;
        }
        const int body = p->at[second ? 1 : 0].body;
        s->mount[s->mount_count++] =
            (crank_mount){crank_store_print(&s->store, "%s", m->force[i].name),
                          crank_store_print(&s->store, "%s", m->body[body].name),
                          {p->at[0], p->at[1]},
                          is_joined(b, body)};
    }
    return !s->store.failed;
}

void crank_system_warn_mounts(const crank_system *s, double t, const double *x, crank_log log)
{
    const crank_mount *widest = NULL;
    double most = near * s->mount_length;
    int count = 0;
    char more[40] = "";
    for (int i = 0; i < s->mount_count; i++) {
        double P[3], Q[3];
        crank_system_start_point(s, t, x, &s->mount[i].at[0], false, P);
        crank_system_start_point(s, t, x, &s->mount[i].at[1], false, Q);
        crank_add3(Q, -1.0, P);
        const double gap = crank_norm3(Q);
        count += gap > near * s->mount_length ? 1 : 0;
        if (gap > most) {
            most = gap;
            widest = &s->mount[i];
        }
    }
    if (widest == NULL) {
        return;
    }
    if (count > 1) {
        (void)snprintf(more, sizeof more, " (and %d more)", count - 1);
    }
    crank_log_write(&log, CRANK_WARNING,
                    "the ends of force \"%.80s\"%s start %.3g apart: body \"%.80s\" has no "
                    "position in the file, and %s; give a position, or a guess of one "
                    "(`free: true`)",
                    widest->name, more, most, widest->body,
                    widest->joined ? "joints put it elsewhere"
                                   : "is placed where another bushing has its ends together");
}
