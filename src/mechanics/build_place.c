/* build_place.c - where bodies stand that the file does not place: along their joints.
 *
 * Joints are walked from the ground and from placed bodies on, those with the most constraints
 * first. The next body is put so that the joint's frames coincide but for what the file says of
 * its coordinates: with triads T = (a, u, a x u) and points P of the joint,
 *     R_2 T_2 = R_1 T_1 rotation(angle about a) rotation(angle2 about u)
 *     P_2 = P_1 + R_1 T_1 lengths                                                 theory (5.7)
 * where the joint leaves the orientation open the body keeps the one that it has relative to
 * the first in the file. Bodies that no joint ties to what is placed are put so that the ends
 * of a bushing coincide. What the file gives of a body (an angle, a position) is not touched;
 * the walk begins also at bodies whose position it gives as a guess.
 * Markers are fixed in the bodies before, where the file places them; only start values
 * change. Loops are closed by the search for initial values (eom/initial.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "linalg/rotation.h"
#include "mechanics/build_walk.h"

#include <math.h>
#include <string.h>

void crank_build_frames(crank_builder *b, crank_owner owner, const crank_marker at[2],
                        const crank_marker *a, const crank_marker *u)
{
    const bool force = owner.kind == CRANK_OWNER_FORCE;
    if (owner.kind != CRANK_OWNER_JOINT && !force) {
        return;
    }
    crank_joint_place *place = &b->place[owner.index + (force ? b->mechanism->joint_count : 0)];
    *place = (crank_joint_place){.given = true, .meets = at != NULL, .aligned = a != NULL};
    for (int k = 0; k < 2; k++) {
        place->at[k] = at != NULL ? at[k] : (crank_marker){.body = a[k].body};
        place->a[k] = a != NULL ? a[k] : (crank_marker){0};
        place->u[k] = a != NULL ? u[k] : (crank_marker){0};
    }
}

void crank_build_slides(crank_builder *b, crank_owner owner)
{
    crank_joint_place *place = &b->place[owner.index];
    place->slides = owner.kind == CRANK_OWNER_JOINT && place->meets && place->aligned;
}

void crank_build_pins(crank_builder *b, crank_owner owner)
{
    if (owner.kind == CRANK_OWNER_JOINT) {
        b->place[owner.index].pinned = b->place[owner.index].meets;
    }
}

/* ---- the walk ---- */

static int depth_of(const crank_walk *w, int body)
{
    return body < 0 ? 0 : w->depth[body];
}

/* The joint to go by: the most rows, then what slides (a piston stands in its bore as its pin
 * on the rod does not tell), then the shortest way; -1: none leads on. Struts come last, so that both their ends are reached from where they are held. Bushings, which stand
 * behind the joints and have no rows, come where no joint leads on. */
static int next_joint(const crank_walk *w, bool struts)
{
    const int count = w->b->mechanism->joint_count + w->b->mechanism->force_count;
    int best = -1, least = 0;
    for (int j = 0; j < count; j++) {
        const crank_joint_place *p = &w->b->place[j];
        const int from[2] = {p->given ? depth_of(w, p->at[0].body) : -1,
                             p->given ? depth_of(w, p->at[1].body) : -1};
        if ((from[0] < 0) == (from[1] < 0) || w->strut[j] != struts) {
            continue;
        }
        const int depth = from[0] > from[1] ? from[0] : from[1];
        const int more = best < 0 ? 1 : w->rows[j] - w->rows[best];
        const int slides = best < 0 ? 0 : (int)w->slides[j] - (int)w->slides[best];
        if (more > 0 || (more == 0 && (slides > 0 || (slides == 0 && depth < least)))) {
            best = j;
            least = depth;
        }
    }
    return best;
}

static bool is_guessed(const crank_body_record *r)
{
    return r->position_said && r->position_fixing == CRANK_FREE;
}

static bool is_placed(const crank_body_record *r)
{
    return r->position_fixing != CRANK_FREE &&
           (r->point || r->orientation_fixing != CRANK_FREE);
}

/* Of the bodies that were not reached. */
static int heaviest(const crank_walk *w)
{
    const crank_mechanism *m = w->b->mechanism;
    int most = -1;
    for (int i = 0; i < m->body_count; i++) {
        if (w->depth[i] < 0 && (most < 0 || m->body[i].mass > m->body[most].mass)) {
            most = i;
        }
    }
    return most;
}

/* Does the file say how it is turned, not as a guess? */
static bool is_oriented(const crank_walk *w, int body)
{
    return body < 0 || w->oriented[body] ||
           w->b->mechanism->body[body].orientation_fixing != CRANK_FREE;
}

/* Sliders and welds let nothing turn: they say how bodies are turned whose neighbours the file
 * says it of, wherever these are. */
static void orient_rigidly(crank_walk *w)
{
    const crank_mechanism *m = w->b->mechanism;
    memset(w->oriented, 0, (size_t)m->body_count * sizeof *w->oriented);
    for (bool more = true; more;) {
        more = false;
        for (int j = 0; j < m->joint_count; j++) {
            const crank_joint_place *p = &w->b->place[j];
            const bool rigid = crank_record_has(&m->joint[j], CRANK_WELDS) ||
                               (crank_record_has(&m->joint[j], CRANK_ALIGNS) &&
                                !crank_record_has(&m->joint[j], CRANK_TURNS));
            const bool first = rigid && is_oriented(w, p->at[0].body);
            if (p->given && p->aligned && rigid && first != is_oriented(w, p->at[1].body)) {
                crank_walk_orient(w, j, first ? 1 : 0);
                more = true;
            }
        }
    }
}

static void go(crank_walk *w)
{
    const crank_mechanism *m = w->b->mechanism;
    int left = 0;
    for (int i = 0; i < m->body_count; i++) {
        w->at[i] = crank_pose_of(&w->b->start[i]);
        w->by[i] = -1;
        const bool guess = is_guessed(&m->body[i]) && w->b->stands[i];
        w->depth[i] = is_placed(&m->body[i]) || guess ? 0 : -1;
        left += w->depth[i] < 0 ? 1 : 0;
    }
    orient_rigidly(w);
    crank_walk_fit(w);
    for (; left > 0; left--) {
        int joint = next_joint(w, false);
        joint = joint < 0 ? next_joint(w, true) : joint;
        if (joint >= 0) {
            const crank_joint_place *p = &w->b->place[joint];
            const int other = depth_of(w, p->at[0].body) < 0 ? 0 : 1;
            crank_walk_place(w, joint, other);
            w->by[p->at[other].body] = joint;
            w->depth[p->at[other].body] = 1 + depth_of(w, p->at[1 - other].body);
            continue;
        }
        w->depth[heaviest(w)] = 0; /* held by nothing that is known: it stays */
    }
}

/* ---- loops ---- */

/* A crank's angle, the only coordinate that is given in a loop, would turn all that hangs on it
 * and so choose on which side the loop closes: bodies are put as if it were whole turns, and
 * the search leads the angle to its value on the side on which the loop closes from there,
 * theory (5.5). Loops have another way from the joint's first body to its second, by joints of
 * which nothing is given; work: body_count + 1. */
static void leave_loops(crank_builder *b, int *work)
{
    const crank_mechanism *m = b->mechanism;
    static const double turn = 6.2831853071795865;
    const int ground = m->body_count;
    for (int i = 0; i <= ground; i++) {
        work[i] = i;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < m->joint_count; j++) {
            const crank_field *between = crank_record_find(&m->joint[j], "between");
            if (between == NULL || b->place[j].told != (pass == 1)) {
                continue;
            }
            const int end[2] = {between->index[0] >= 0 ? between->index[0] : ground,
                                between->index[1] >= 0 ? between->index[1] : ground};
            if (pass == 0) {
                (void)crank_disjoint_join(work, end[0], end[1]);
            } else if (!b->place[j].guessed &&
                       crank_disjoint_root(work, end[0]) == crank_disjoint_root(work, end[1])) {
                for (int k = 0; k < 2; k++) {
                    b->place[j].turn[k] = turn * round(b->place[j].turn[k] / turn);
                }
            }
        }
    }
}

/* ---- guesses ---- */

/* Is a body held at its centre of mass (for all that pictures show)? However it turns there. */
static bool is_centred(const crank_walk *w, int joint, int body)
{
    static const double seen = 1e-3;
    const crank_joint_place *p = &w->b->place[joint];
    const int k = p->at[0].body == body ? 0 : 1;
    return p->meets && !w->slides[joint] &&
           crank_norm3(p->at[k].u) <= seen * crank_norm3(p->at[1 - k].u);
}

/* Do coordinates that the file gives say where the body is? All joints that lead to it have one
 * (or hold it without any, or, the last, at its centre): behind one that is free the guess is
 * all that is known. */
static bool is_led(const crank_walk *w, int body)
{
    const int last = body;
    bool told = false, open = false;
    for (; body >= 0 && w->by[body] >= 0; body = crank_walk_before(w, body)) {
        const int joint = w->by[body];
        const bool rigid = joint < w->b->mechanism->joint_count &&
                           crank_record_has(&w->b->mechanism->joint[joint], CRANK_WELDS);
        const bool given = w->b->place[joint].told && !w->b->place[joint].guessed;
        told = told || given;
        open = open || !(rigid || given || (body == last && is_centred(w, joint, body)));
    }
    return told && !open;
}

/* Are all joints between bodies that hang together with this one closed? group: body_count */
static bool is_closed_around(const crank_walk *w, int body, int *group)
{
    bool open = false;
    for (int j = 0; j < w->b->mechanism->joint_count; j++) {
        const crank_joint_place *p = &w->b->place[j];
        const int other = p->at[0].body >= 0 ? p->at[0].body : p->at[1].body;
        open = open || (p->given && other >= 0 &&
                        crank_disjoint_root(group, other) == crank_disjoint_root(group, body) &&
                        crank_walk_is_open(w, j));
    }
    return !open;
}

/* Positions that are guesses count, unless coordinates of joints that the file gives say where
 * the body is, and all that hangs together with it is closed there. group: work, body_count */
static void weigh_guesses(crank_walk *w, int *group)
{
    const crank_mechanism *m = w->b->mechanism;
    bool any = false;
    for (int i = 0; i < m->body_count; i++) {
        any = any || is_guessed(&m->body[i]);
        w->b->stands[i] = m->body[i].position_said && !is_guessed(&m->body[i]);
        group[i] = i;
    }
    if (!any) {
        return;
    }
    for (int j = 0; j < m->joint_count; j++) {
        const crank_joint_place *p = &w->b->place[j];
        if (p->given && p->at[0].body >= 0 && p->at[1].body >= 0) {
            (void)crank_disjoint_join(group, p->at[0].body, p->at[1].body);
        }
    }
    go(w);
    for (int i = 0; i < m->body_count; i++) {
        w->b->stands[i] =
            m->body[i].position_said && !(is_led(w, i) && is_closed_around(w, i, group));
    }
}

/* ---- start values ---- */

static void write_back(const crank_walk *w, int body, crank_body_record *record)
{
    const crank_body_state *before = &w->b->start[body];
    const crank_pose *p = &w->at[body];
    double arm[3];
    crank_mat3_times(arm, p->R, record->center);
    if (memcmp(p->x, before->x, sizeof p->x) != 0 ||
        memcmp(p->R, before->R, sizeof p->R) != 0) {
        for (int i = 0; i < crank_body_translations(w->b->kind[body]); i++) {
            record->position[i] = p->x[i] - arm[i];
        }
    }
    record->angle = w->b->kind[body] == CRANK_BODY_PLANAR ? p->angle : record->angle;
    if (w->b->kind[body] == CRANK_BODY_SPATIAL && memcmp(p->R, before->R, sizeof p->R) != 0) {
        crank_quaternion_of_matrix(record->orientation, p->R);
    }
}

/* The whole walk, from bodies that stand. */
static void walk(crank_walk *w)
{
    do {
        go(w);
    } while (crank_walk_drop_struts(w));
    crank_walk_aim(w);
    if (crank_walk_lengthen(w)) {
        go(w);
        crank_walk_aim(w);
    }
}

static void take(const crank_walk *w, crank_body_state *placed)
{
    for (int i = 0; i < w->b->mechanism->body_count; i++) {
        crank_body_record record = w->b->mechanism->body[i];
        write_back(w, i, &record);
        crank_build_start_body(&placed[i], w->b->kind[i], &record);
    }
}

/* Where the walk would put all bodies if the file had no guesses of where they are: the search
 * begins there if it finds nothing from the guesses (known_start.c). NULL: there are none. */
static void walk_unguided(crank_walk *w, crank_builder *b)
{
    const int bodies = b->mechanism->body_count;
    crank_body_record *said = crank_store_take(b->store, (size_t)bodies, sizeof *said);
    crank_body_state *start = crank_store_take(b->store, (size_t)bodies, sizeof *start);
    bool any = false;
    for (int i = 0; i < bodies; i++) {
        any = any || is_guessed(&b->mechanism->body[i]);
    }
    b->unguided = any ? crank_store_take(b->store, (size_t)bodies, sizeof *start) : NULL;
    if (b->store->failed || !any) {
        return;
    }
    memcpy(said, b->mechanism->body, (size_t)bodies * sizeof *said);
    memcpy(start, b->start, (size_t)bodies * sizeof *start);
    for (int i = 0; i < bodies; i++) {
        crank_body_record *r = &b->mechanism->body[i];
        if (is_guessed(r)) {
            r->position_said = false;
            memset(r->position, 0, sizeof r->position);
            if (r->orientation_fixing == CRANK_FREE) {
                r->orientation_said = false;
                r->angle = 0.0;
                memcpy(r->orientation, (const double[4]){1.0}, sizeof r->orientation);
            }
            crank_build_start_body(&b->start[i], b->kind[i], r);
        }
        b->stands[i] = r->position_said;
    }
    crank_walk_find_slides(w);
    walk(w);
    take(w, b->unguided);
    memset(w->lengthened, 0,
           (size_t)(b->mechanism->joint_count + b->mechanism->force_count) * sizeof(bool));
    memcpy(b->mechanism->body, said, (size_t)bodies * sizeof *said);
    memcpy(b->start, start, (size_t)bodies * sizeof *start);
}

bool crank_build_place(crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    const size_t bodies = (size_t)m->body_count,
                 links = (size_t)m->joint_count + (size_t)m->force_count;
    crank_walk w = {.b = b,
                    .at = crank_store_take(b->store, bodies, sizeof *w.at),
                    .depth = crank_store_take(b->store, bodies, sizeof *w.depth),
                    .by = crank_store_take(b->store, bodies, sizeof *w.by),
                    .rows = crank_store_take(b->store, links, sizeof *w.rows),
                    .slides = crank_store_take(b->store, links, sizeof *w.slides),
                    .strut = crank_store_take(b->store, links, sizeof *w.strut),
                    .lengthened = crank_store_take(b->store, links, sizeof *w.lengthened),
                    .oriented = crank_store_take(b->store, bodies + 1, sizeof *w.oriented),
                    .fitted = crank_store_take(b->store, bodies + 1, sizeof *w.fitted)};
    int *work = crank_store_take(b->store, bodies + 1, sizeof *work);
    if (b->store->failed) {
        b->failed = true;
        return false;
    }
    for (int i = 0; i < b->holonomic.count; i++) {
        const crank_owner owner = b->holonomic.item[i].owner;
        w.rows[owner.kind == CRANK_OWNER_JOINT ? owner.index : 0] +=
            owner.kind == CRANK_OWNER_JOINT ? 1 : 0;
    }
    leave_loops(b, work);
    crank_build_relate(b);
    walk_unguided(&w, b);
    crank_walk_find_slides(&w);
    weigh_guesses(&w, work);
    walk(&w);
    for (int j = 0; j < m->joint_count; j++) {
        b->place[j].strut = w.strut[j] && crank_walk_closes(&w, j);
        if (b->place[j].strut) {
            crank_walk_hang(&w, &b->place[j]);
        }
    }
    take(&w, b->placed);
    b->failed = b->failed || b->store->failed;
    return !b->failed;
}
