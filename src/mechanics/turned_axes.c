/* turned_axes.c - hinges, sliders and welds that a search for the start has closed the wrong way
 * round.
 *
 * "Two axes are parallel" holds as well where they are antiparallel, and a search that closes
 * loops may turn a body without a place there: a cylinder's rod that points backwards, a hinge
 * whose angle counts the other way. The rows of joints that let nothing turn, u_1 a_2 = w_1 a_2 =
 * u_1 w_2 = 0, hold after half a turn about any of their axes. Bodies that are held by none of
 * these joints, and those
 * whose orientation the file gives, stand right; where a joint has neither among its two bodies,
 * its first is taken to stand right. From them the others are put back, joint by
 * joint, where the walk along joints had them (build_place.c):
 *     R_2 = R_1 R_1g^T R_2g,   P_2 = P_1 + R_1 R_1g^T (P_2g - P_1g)
 * with R_ig, P_ig orientations and points of the joint before the search; then it is searched
 * again. If that leads nowhere, all that such joints which stand right hold together with one
 * of the two bodies is turned as one about the joint's point, so that the axes agree. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/turned_axes.h"

#include "base/disjoint.h"
#include "linalg/rotation.h"

#include <math.h>
#include <string.h>

bool crank_system_take_axes(crank_system *s, const crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    s->axis = crank_store_take(&s->store, (size_t)m->joint_count, sizeof *s->axis);
    for (int j = 0; j < m->joint_count && s->axis != NULL && m->dimension == 3; j++) {
        const crank_joint_place *p = &b->place[j];
        const crank_record *r = &m->joint[j];
        const bool welds = crank_record_has(r, CRANK_WELDS);
        if (p->given && p->aligned && (welds || crank_record_has(r, CRANK_ALIGNS))) {
            s->axis[s->axis_count++] =
                (crank_aligned){crank_store_print(&s->store, "%s", r->name),
                                {p->at[0], p->at[1]},
                                {p->a[0], p->a[1]},
                                {p->u[0], p->u[1]},
                                welds || !crank_record_has(r, CRANK_TURNS)};
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
    double a[2][3], u[2][3];
    for (int k = 0; k < 2; k++) {
        crank_body_state state;
        state_of(s, t, x, j->a[k].body, &state);
        crank_mat3_times(a[k], state.R, j->a[k].u);
        crank_mat3_times(u[k], state.R, j->u[k].u);
    }
    return crank_dot3(a[0], a[1]) < 0.0 || (j->rigid && crank_dot3(u[0], u[1]) < 0.0);
}

int crank_system_turned_axes(const crank_system *s, double t, const double *x,
                             const char **name)
{
    int count = 0;
    for (int i = s->axis_count - 1; i >= 0; i--) {
        if (is_turned(s, t, x, &s->axis[i])) {
            count++;
            *name = s->axis[i].name;
        }
    }
    return count;
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

/* ---- turning all that hangs together ---- */

/* What joints that stand right hold together; held: what the file says something of. Bodies, then
 * the ground. */
static void find_groups(const crank_system *s, double t, const double *x,
                        const crank_fixing *fixing, int *group, bool *held)
{
    const int ground = s->body_count;
    for (int i = 0; i <= ground; i++) {
        group[i] = i;
        held[i] = true;
    }
    for (int i = 0; i < s->axis_count; i++) {
        const crank_aligned *j = &s->axis[i];
        if (!is_turned(s, t, x, j)) {
            (void)crank_disjoint_join(group, j->a[0].body < 0 ? ground : j->a[0].body,
                                      j->a[1].body < 0 ? ground : j->a[1].body);
        }
    }
    for (int i = 0; i < ground; i++) {
        const int q = orientation_of(s, i);
        held[i] = q < 0 || fixing[q] != CRANK_FREE || fixing[q - 3] != CRANK_FREE;
    }
    for (int i = 0; i <= ground; i++) {
        const int root = crank_disjoint_root(group, i);
        held[root] = held[root] || held[i];
    }
}

/* The turn of one body of a joint by which its axes agree with those of the other: half a turn
 * about an axis across, where the joint lets them turn about a. */
static void agree(const crank_system *s, double t, const double *x, const crank_aligned *j,
                  int side, bool second, double turn[4])
{
    double R[2][9], a[3], u[3], w[3];
    crank_body_state state;
    for (int k = 0; k < 2; k++) {
        state_of(s, t, x, j->a[k].body, &state);
        crank_mat3_times(a, state.R, j->a[k].u);
        crank_mat3_times(u, state.R, j->u[k].u);
        crank_cross3(w, a, u);
        for (int i = 0; i < 3; i++) { /* columns a, u, w */
            R[k][3 * i] = a[i];
            R[k][3 * i + 1] = u[i];
            R[k][3 * i + 2] = w[i];
        }
    }
    if (j->rigid) { /* R_other R_side^T */
        double T[9];
        for (int i = 0; i < 9; i++) {
            const double *one = &R[1 - side][3 * (i / 3)], *other = &R[side][3 * (i % 3)];
            T[i] = crank_dot3(one, other);
        }
        crank_quaternion_of_matrix(turn, T);
    } else {
        crank_quaternion_of_axis(turn, second ? w : u, acos(-1.0));
    }
}

static void turn_group(const crank_system *s, double t, double *x, const double point[3],
                       const double turn[4], int *group, int root)
{
    double T[9];
    crank_quaternion_matrix(T, turn);
    for (int i = 0; i < s->body_count; i++) {
        if (crank_disjoint_root(group, i) != root) {
            continue;
        }
        double *place = x + s->coordinates.kind->column(s, i, CRANK_PART_POSITION), arm[3];
        crank_body_state state;
        s->coordinates.kind->state(s, i, t, x, &state);
        crank_add3(state.x, -1.0, point);
        crank_mat3_times(arm, T, state.x);
        for (int k = 0; k < 3; k++) {
            place[k] = point[k] + arm[k];
        }
        crank_quaternion_multiply(place + 3, turn, state.q);
    }
}

bool crank_system_turn_groups(const crank_system *s, double t, const crank_fixing *fixing,
                              bool second, double *x, int *group, bool *held)
{
    bool any = false;
    for (int i = 0; i < s->axis_count; i++) {
        const crank_aligned *j = &s->axis[i];
        if (!is_turned(s, t, x, j)) {
            continue;
        }
        int root[2], count[2] = {0, 0};
        find_groups(s, t, x, fixing, group, held);
        for (int k = 0; k < 2; k++) {
            const int body = j->a[k].body < 0 ? s->body_count : j->a[k].body;
            root[k] = crank_disjoint_root(group, body);
            for (int l = 0; l < s->body_count; l++) {
                count[k] += crank_disjoint_root(group, l) == root[k] ? 1 : 0;
            }
        }
        const int side = held[root[0]] || (!held[root[1]] && count[1] <= count[0]) ? 1 : 0;
        if (held[root[side]] || root[0] == root[1]) {
            continue;
        }
        double turn[4], point[3];
        crank_body_state state;
        agree(s, t, x, j, side, second, turn);
        state_of(s, t, x, j->at[side].body, &state);
        crank_mat3_times(point, state.R, j->at[side].u);
        crank_add3(point, 1.0, state.x);
        turn_group(s, t, x, point, turn, group, root[side]);
        any = true;
    }
    return any;
}
