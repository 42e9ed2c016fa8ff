/* turned_axes.c - hinges and sliders that a search for the start has closed the wrong way round.
 *
 * "Two axes are parallel" holds as well where they are antiparallel, and a search that closes
 * loops may turn a body without a place there: a cylinder's rod that points backwards, a hinge
 * whose angle counts the other way. Bodies that are held by none of these joints, and those
 * whose orientation the file gives, stand right; where a joint has neither among its two bodies,
 * its first is taken to stand right. From them the others are put back, joint by
 * joint, where the walk along joints had them (build_place.c):
 *     R_2 = R_1 R_1g^T R_2g,   P_2 = P_1 + R_1 R_1g^T (P_2g - P_1g)
 * with R_ig, P_ig orientations and points of the joint before the search; then it is searched
 * again. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/turned_axes.h"

#include "linalg/rotation.h"

#include <string.h>

bool crank_system_take_axes(crank_system *s, const crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    s->axis = crank_store_take(&s->store, (size_t)m->joint_count, sizeof *s->axis);
    for (int j = 0; j < m->joint_count && s->axis != NULL && m->dimension == 3; j++) {
        const crank_joint_place *p = &b->place[j];
        if (p->given && p->aligned && crank_record_has(&m->joint[j], CRANK_ALIGNS)) {
            s->axis[s->axis_count++] =
                (crank_aligned){crank_store_print(&s->store, "%s", m->joint[j].name),
                                {p->at[0], p->at[1]},
                                {p->a[0], p->a[1]}};
        }
    }
    return !s->store.failed;
}

/* of the ground: as it is */
static void state_of(const crank_system *s, double t, const double *x, int body,
                     crank_body_state *out)
{
    *out = (crank_body_state){.q = {1.0}, .R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    if (body >= 0) {
        s->coordinates.kind->state(s, body, t, x, out);
    }
}

static bool is_turned(const crank_system *s, double t, const double *x, const crank_aligned *j)
{
    double a[2][3];
    for (int k = 0; k < 2; k++) {
        crank_body_state state;
        state_of(s, t, x, j->a[k].body, &state);
        crank_mat3_times(a[k], state.R, j->a[k].u);
    }
    return crank_dot3(a[0], a[1]) < 0.0;
}

const char *crank_system_turned_axes(const crank_system *s, double t, const double *x)
{
    for (int i = 0; i < s->axis_count; i++) {
        if (is_turned(s, t, x, &s->axis[i])) {
            return s->axis[i].name;
        }
    }
    return NULL;
}

/* ---- putting back ---- */

static int orientation_of(const crank_system *s, int body)
{
    const int column = s->coordinates.kind->column(s, body, CRANK_PART_POSITION);
    return s->body[body].kind == CRANK_BODY_SPATIAL && column >= 0 ? column + 3 : -1;
}

static void find_good(const crank_system *s, double t, const double *x,
                      const crank_fixing *fixing, bool *good)
{
    for (int i = 0; i < s->body_count; i++) {
        good[i] = true;
    }
    for (int i = 0; i < s->axis_count; i++) {
        const crank_aligned *j = &s->axis[i];
        for (int k = 0; k < 2 && is_turned(s, t, x, j); k++) {
            const int q = j->a[k].body >= 0 ? orientation_of(s, j->a[k].body) : -1;
            if (q >= 0 && fixing[q] == CRANK_FREE) {
                good[j->a[k].body] = false;
            }
        }
    }
}

static void put(const crank_system *s, double t, const double *given, const crank_aligned *j,
                int held, double *x)
{
    const int body[2] = {j->a[1 - held].body, j->a[held].body};
    const crank_marker at[2] = {j->at[1 - held], j->at[held]};
    crank_body_state now, before[2];
    double turn[4], q[4], way[3], point[3];
    state_of(s, t, x, body[0], &now);
    for (int k = 0; k < 2; k++) {
        state_of(s, t, given, body[k], &before[k]);
    }
    const double back[4] = {before[0].q[0], -before[0].q[1], -before[0].q[2], -before[0].q[3]};
    crank_quaternion_multiply(turn, now.q, back);
    crank_quaternion_multiply(q, turn, before[1].q);
    double R[9], T[9];
    crank_quaternion_matrix(R, q);
    crank_quaternion_matrix(T, turn);
    crank_mat3_times(way, before[1].R, at[1].u); /* from point to point, before */
    crank_add3(way, 1.0, before[1].x);
    crank_mat3_times(point, before[0].R, at[0].u);
    crank_add3(point, 1.0, before[0].x);
    crank_add3(way, -1.0, point);
    double *place = x + s->coordinates.kind->column(s, body[1], CRANK_PART_POSITION);
    crank_mat3_times(place, T, way);
    crank_mat3_times(point, now.R, at[0].u);
    crank_add3(place, 1.0, point);
    crank_add3(place, 1.0, now.x);
    crank_mat3_times(point, R, at[1].u);
    crank_add3(place, -1.0, point);
    memcpy(place + 3, q, sizeof q);
}

bool crank_system_turn_back(const crank_system *s, double t, const double *given,
                            const crank_fixing *fixing, double *x, bool *good)
{
    bool any = false, more = true;
    find_good(s, t, x, fixing, good);
    while (more) {
        more = false;
        for (int i = 0; i < s->axis_count; i++) {
            const crank_aligned *j = &s->axis[i];
            const int first = j->a[0].body, second = j->a[1].body;
            const bool right[2] = {first < 0 || good[first], second < 0 || good[second]};
            const int held = right[0] ? 1 : 0;
            if (right[0] != right[1]) {
                put(s, t, given, j, held, x);
                good[j->a[held].body] = more = any = true;
            }
        }
        for (int i = 0; i < s->axis_count && !more; i++) { /* held by none: the first stays */
            const int first = s->axis[i].a[0].body, second = s->axis[i].a[1].body;
            if (first >= 0 && second >= 0 && !good[first] && !good[second]) {
                good[first] = more = true;
            }
        }
    }
    return any;
}
