/* build_place.c - where bodies stand that the file does not place: along their joints.
 *
 * Joints are walked from the ground and from placed bodies on, those with the most constraints
 * first. The next body is put so that the joint's frames coincide but for what the file says of
 * its coordinates: with triads T = (a, u, a x u) and points P of the joint,
 *     R_2 T_2 = R_1 T_1 rotation(angle about a),   P_2 = P_1 + length R_1 a_1     theory (5.6)
 * where the joint leaves the orientation open the body keeps the one that it has relative to
 * the first in the file. What the file gives of a body (an angle, a position) is not touched.
 * Markers are fixed in the bodies before, where the file places them; only start values
 * change. Loops are closed by the search for initial values (eom/initial.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "linalg/rotation.h"
#include "mechanics/build_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

void crank_build_frames(crank_builder *b, crank_owner owner, const crank_marker at[2],
                        const crank_marker *a, const crank_marker *u)
{
    crank_joint_place *place = &b->place[owner.index];
    if (owner.kind != CRANK_OWNER_JOINT) {
        return;
    }
    *place = (crank_joint_place){.given = true, .meets = at != NULL, .aligned = a != NULL};
    for (int k = 0; k < 2; k++) {
        place->at[k] = at != NULL ? at[k] : (crank_marker){.body = a[k].body};
        place->a[k] = a != NULL ? a[k] : (crank_marker){0};
        place->u[k] = a != NULL ? u[k] : (crank_marker){0};
    }
}

/* ---- poses ---- */

typedef struct pose {
    double x[3], R[9], angle; /* of the centre of mass; angle: of planar bodies */
} pose;

typedef struct walk {
    const crank_builder *b;
    pose *at;   /* body_count */
    int *depth; /* joints from where the walk began; -1: not reached */
    int *rows;  /* joint_count */
} walk;

static pose pose_of(const crank_body_state *state)
{
    pose p = {.angle = state->angle};
    memcpy(p.x, state->x, sizeof p.x);
    memcpy(p.R, state->R, sizeof p.R);
    return p;
}

static pose present(const walk *w, int body)
{
    return body >= 0 ? w->at[body] : pose_of(crank_build_body(w->b, -1));
}

static void turn_about_z(double R[9], double angle)
{
    const double c = cos(angle), s = sin(angle);
    const double turned[9] = {c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0};
    memcpy(R, turned, sizeof turned);
}

/* columns a, u, a x u */
static void triad(double T[9], const crank_marker *a, const crank_marker *u)
{
    double w[3];
    crank_cross3(w, a->u, u->u);
    for (int i = 0; i < 3; i++) {
        T[3 * i] = a->u[i];
        T[3 * i + 1] = u->u[i];
        T[3 * i + 2] = w[i];
    }
}

static void transpose(double B[9], const double A[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            B[3 * i + j] = A[3 * j + i];
        }
    }
}

/* ---- one body by one joint ---- */

/* The angle by which the other side of the joint is turned against the known one. */
static double turn_of(const crank_joint_place *p, int other)
{
    return other == 1 ? p->angle : -p->angle;
}

static void orient_planar(const walk *w, const crank_joint_place *p, int other, pose *next)
{
    const int known = p->at[1 - other].body, body = p->at[other].body;
    double turn = crank_build_body(w->b, body)->angle - crank_build_body(w->b, known)->angle;
    if (p->aligned) {
        const double *a = p->a[1 - other].u, *c = p->a[other].u;
        turn = atan2(a[1] * c[0] - a[0] * c[1], a[0] * c[0] + a[1] * c[1]) + turn_of(p, other);
    }
    next->angle = present(w, known).angle + turn;
    turn_about_z(next->R, next->angle);
}

static void orient_spatial(const walk *w, const crank_joint_place *p, int other, pose *next)
{
    const int known = p->at[1 - other].body, body = p->at[other].body;
    const pose from = present(w, known);
    double T[9], B[9], F[9];
    if (!p->aligned) { /* as the file places the two */
        transpose(T, crank_build_body(w->b, known)->R);
        crank_mat3_multiply(F, from.R, T);
        crank_mat3_multiply(next->R, F, crank_build_body(w->b, body)->R);
        return;
    }
    const double c = cos(turn_of(p, other)), s = sin(turn_of(p, other));
    const double about_a[9] = {1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c};
    triad(T, &p->a[1 - other], &p->u[1 - other]);
    crank_mat3_multiply(B, from.R, T);
    crank_mat3_multiply(F, B, about_a);
    triad(B, &p->a[other], &p->u[other]);
    transpose(T, B);
    crank_mat3_multiply(next->R, F, T);
}

/* P of the other side is that of the known one, moved along the first body's axis. */
static void move(const walk *w, const crank_joint_place *p, int other, pose *next)
{
    const crank_marker *at = &p->at[1 - other];
    const pose from = present(w, at->body);
    double P[3], arm[3], a[3];
    crank_mat3_times(P, from.R, at->u);
    crank_add3(P, 1.0, from.x);
    if (p->aligned && p->length != 0.0) {
        crank_mat3_times(a, present(w, p->a[0].body).R, p->a[0].u);
        if (other == 0) { /* axes are parallel: the known one will do */
            crank_mat3_times(a, from.R, p->a[1].u);
        }
        crank_add3(P, other == 1 ? p->length : -p->length, a);
    }
    crank_mat3_times(arm, next->R, p->at[other].u);
    const int axes = crank_body_translations(w->b->kind[p->at[other].body]);
    for (int i = 0; i < axes; i++) {
        next->x[i] = P[i] - arm[i];
    }
}

/* What is there already stays bit for bit. */
static bool differs(const pose *a, const pose *c, const crank_marker *at)
{
    static const double rounding = 64.0 * DBL_EPSILON;
    const double size = crank_norm3(a->x) + crank_norm3(c->x) + crank_norm3(at->u);
    bool other = fabs(a->angle - c->angle) > rounding;
    for (int i = 0; i < 9; i++) {
        other = other || fabs(a->R[i] - c->R[i]) > rounding;
    }
    for (int i = 0; i < 3; i++) {
        other = other || fabs(a->x[i] - c->x[i]) > rounding * size;
    }
    return other;
}

static void place_by(walk *w, const crank_joint_place *p, int other)
{
    const int body = p->at[other].body;
    const crank_body_record *record = &w->b->mechanism->body[body];
    pose next = w->at[body];
    if (record->orientation_fixing == CRANK_FREE && w->b->kind[body] == CRANK_BODY_PLANAR) {
        orient_planar(w, p, other, &next);
    } else if (record->orientation_fixing == CRANK_FREE &&
               w->b->kind[body] == CRANK_BODY_SPATIAL) {
        orient_spatial(w, p, other, &next);
    }
    if (record->position_fixing == CRANK_FREE && p->meets) {
        move(w, p, other, &next);
    }
    if (differs(&next, &w->at[body], &p->at[other])) {
        w->at[body] = next;
    }
}

/* ---- the walk ---- */

static int depth_of(const walk *w, int body)
{
    return body < 0 ? 0 : w->depth[body];
}

/* The joint to go by: the most rows, then the shortest way; -1: none leads on. */
static int next_joint(const walk *w)
{
    int best = -1, least = 0;
    for (int j = 0; j < w->b->mechanism->joint_count; j++) {
        const crank_joint_place *p = &w->b->place[j];
        const int from[2] = {p->given ? depth_of(w, p->at[0].body) : -1,
                             p->given ? depth_of(w, p->at[1].body) : -1};
        if ((from[0] < 0) == (from[1] < 0)) {
            continue;
        }
        const int depth = from[0] > from[1] ? from[0] : from[1];
        if (best < 0 || w->rows[j] > w->rows[best] ||
            (w->rows[j] == w->rows[best] && depth < least)) {
            best = j;
            least = depth;
        }
    }
    return best;
}

static bool is_placed(const crank_body_record *r)
{
    return r->position_fixing != CRANK_FREE &&
           (r->point || r->orientation_fixing != CRANK_FREE);
}

/* Of the bodies that were not reached. */
static int heaviest(const walk *w)
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

static void go(walk *w)
{
    const crank_mechanism *m = w->b->mechanism;
    int left = 0;
    for (int i = 0; i < m->body_count; i++) {
        w->depth[i] = is_placed(&m->body[i]) ? 0 : -1;
        left += w->depth[i] < 0 ? 1 : 0;
    }
    for (; left > 0; left--) {
        const int joint = next_joint(w);
        if (joint >= 0) {
            const crank_joint_place *p = &w->b->place[joint];
            const int other = depth_of(w, p->at[0].body) < 0 ? 0 : 1;
            place_by(w, p, other);
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
            } else if (crank_disjoint_root(work, end[0]) == crank_disjoint_root(work, end[1])) {
                b->place[j].angle = turn * round(b->place[j].angle / turn);
            }
        }
    }
}

/* ---- start values ---- */

static void write_back(const walk *w, int body, crank_body_record *record)
{
    const crank_body_state *before = &w->b->start[body];
    const pose *p = &w->at[body];
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

bool crank_build_place(crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    const size_t bodies = (size_t)m->body_count;
    walk w = {.b = b,
              .at = crank_store_take(b->store, bodies, sizeof *w.at),
              .depth = crank_store_take(b->store, bodies, sizeof *w.depth),
              .rows = crank_store_take(b->store, (size_t)m->joint_count, sizeof *w.rows)};
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
    for (int i = 0; i < m->body_count; i++) {
        w.at[i] = pose_of(&b->start[i]);
    }
    leave_loops(b, work);
    go(&w);
    for (int i = 0; i < m->body_count; i++) {
        crank_body_record record = m->body[i];
        write_back(&w, i, &record);
        crank_build_start_body(&b->placed[i], b->kind[i], &record);
    }
    return true;
}
