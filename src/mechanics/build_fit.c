/* build_fit.c - how bodies are turned of which the file says where they are, be it a guess, but not
 * how they stand.
 *
 * Such a body is turned about its place so that its joints come as near to closed as they can: the
 * arms r_k from its origin to the points of its joints point at where their other ends are, d_k from
 * there, and the axes e_k of its hinges are those of the other bodies, c_k,
 *     R = arg max tr(R^T B),     B = sum_k d_k r_k^T + L^2 sum_k c_k e_k^T + e R_0     theory (5.8)
 * L: its longest arm; R_0: how the first of these joints would have it, which decides what they leave
 * open (e: next to nothing). With B = U S V^T, R = U diag(1, 1, det U V^T) V^T [Kab76]. Bodies whose
 * neighbours stand come first; of one that is not turned yet the origin stands for its points. Then
 * all are turned again by what the others have become. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense.h"
#include "linalg/rotation.h"
#include "mechanics/build_walk.h"

#include <math.h>
#include <string.h>

static const double decides = 1e-6; /* of B: less than the digits of a sketch */
static const double settled = 1e-6; /* of an orientation: far below what a sketch tells */
enum { SWEEPS = 50 };               /* about one for each body of a chain */
enum { WORK = 64 };                 /* for singular values of 3 x 3 */
static const double whole_turn = 6.283185307179586;

typedef struct fit {
    crank_walk *w;
    double B[9], longest;
    int count; /* vectors in B */
} fit;

static const crank_body_record *record_of(const crank_walk *w, int body)
{
    return &w->b->mechanism->body[body];
}

static bool is_open(const crank_walk *w, int body)
{
    const crank_body_record *r = record_of(w, body);
    return !r->point && r->position_said && r->orientation_fixing == CRANK_FREE &&
           !r->orientation_said && (r->position_fixing != CRANK_FREE || w->b->stands[body]);
}

/* ---- what is known of the others ---- */

/* Does it stand where the walk begins? */
static bool has_place(const crank_walk *w, int body)
{
    return body < 0 || w->depth[body] == 0 || is_open(w, body);
}

/* Is it turned as the file says, as rigid joints say, or already as its joints do? */
static bool is_turned(const crank_walk *w, int body)
{
    const crank_body_record *r = body >= 0 ? record_of(w, body) : NULL;
    return r == NULL || r->point || w->oriented[body] || r->orientation_said ||
           r->orientation_fixing != CRANK_FREE;
}

/* from the origin of a body, in its axes */
static void arm_of(const crank_walk *w, const crank_marker *at, double arm[3])
{
    memcpy(arm, at->u, sizeof at->u);
    if (at->body >= 0) {
        crank_add3(arm, 1.0, record_of(w, at->body)->center);
    }
}

/* ---- B ---- */

static void add_pair(fit *f, double weight, const double to[3], const double from[3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            f->B[3 * i + j] += weight * to[i] * from[j];
        }
    }
    f->count++;
}

static void add_point(fit *f, const crank_joint_place *p, int side)
{
    const crank_marker *other = &p->at[1 - side];
    const int body = p->at[side].body;
    double arm[3], to[3];
    if (!p->pinned || !has_place(f->w, other->body)) {
        return;
    }
    arm_of(f->w, &p->at[side], arm);
    if (is_turned(f->w, other->body)) {
        crank_walk_point(f->w, other, to);
        f->count++; /* before one that is not */
    } else {
        memcpy(to, record_of(f->w, other->body)->position, sizeof to);
    }
    crank_add3(to, -1.0, record_of(f->w, body)->position);
    if (crank_norm3(arm) > 0.0 && crank_norm3(to) > 0.0) {
        add_pair(f, 1.0, to, arm);
        f->longest = fmax(f->longest, crank_norm3(arm));
    }
}

/* As the joint would have it by its frames and coordinates alone. */
static void orientation_by(const fit *f, int joint, int side, double R[9], double *angle)
{
    crank_walk *w = f->w;
    const int body = w->b->place[joint].at[side].body;
    const crank_pose pose = w->at[body];
    const bool turned = w->oriented[body];
    w->oriented[body] = false;
    crank_walk_orient(w, joint, side);
    memcpy(R, w->at[body].R, sizeof pose.R);
    *angle = w->at[body].angle;
    w->at[body] = pose;
    w->oriented[body] = turned;
}

/* The axis of a hinge; all directions where its coordinate is given, or nothing turns. */
static void add_axes(fit *f, int joint, int side)
{
    const crank_joint_place *p = &f->w->b->place[joint];
    const crank_record *r = &f->w->b->mechanism->joint[joint];
    const double weight = f->longest > 0.0 ? f->longest * f->longest : 1.0;
    const bool turns = crank_record_has(r, CRANK_TURNS);
    double to[3], R[9], angle;
    if (!p->aligned || !is_turned(f->w, p->at[1 - side].body) ||
        !(crank_record_has(r, CRANK_ALIGNS) || crank_record_has(r, CRANK_WELDS))) {
        return;
    }
    if (!turns || p->told) {
        orientation_by(f, joint, side, R, &angle);
        for (int i = 0; i < 3; i++) {
            const double e[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
            crank_mat3_times(to, R, e);
            add_pair(f, weight, to, e);
        }
    } else if (f->w->b->kind[p->at[side].body] == CRANK_BODY_SPATIAL) {
        crank_walk_direction(f->w, &p->a[1 - side], to);
        add_pair(f, weight, to, p->a[side].u);
    }
}

/* B of a body, without what decides ties. */
static void sum_pairs(fit *f, int body)
{
    const crank_walk *w = f->w;
    *f = (fit){.w = f->w};
    for (int pass = 0; pass < 2; pass++) { /* points say how much axes count */
        for (int j = 0; j < w->b->mechanism->joint_count; j++) {
            const crank_joint_place *p = &w->b->place[j];
            const int side = p->at[0].body == body ? 0 : 1;
            if (!p->given || p->at[side].body != body) {
                continue;
            }
            if (pass == 0) {
                add_point(f, p, side);
            } else {
                add_axes(f, j, side);
            }
        }
    }
}

/* ---- bodies ---- */

/* What the first joint that knows it says; as it is, if none does, or if it is turned already. */
static void find_first(const fit *f, int body, bool turned, double R[9], double *angle)
{
    const crank_walk *w = f->w;
    memcpy(R, w->at[body].R, 9 * sizeof *R);
    *angle = w->at[body].angle;
    for (int j = 0; j < w->b->mechanism->joint_count && !turned; j++) {
        const crank_joint_place *p = &w->b->place[j];
        const int side = p->at[0].body == body ? 0 : 1;
        if (p->given && p->aligned && p->at[side].body == body &&
            is_turned(w, p->at[1 - side].body)) {
            orientation_by(f, j, side, R, angle);
            return;
        }
    }
}

static bool decompose(const double B[9], double R[9])
{
    double A[9], sigma[3], U[9], VT[9], work[WORK], W[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[i + 3 * j] = B[3 * i + j];
        }
    }
    if (!crank_svd(3, 3, A, 3, sigma, U, VT, work, WORK)) {
        return false;
    }
    for (int way = 0; way < 2; way++) { /* the least of them the other way round, if need be */
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                W[3 * i + j] = 0.0;
                for (int k = 0; k < 3; k++) {
                    const double sign = way == 1 && k == 2 ? -1.0 : 1.0;
                    W[3 * i + j] += sign * U[i + 3 * k] * VT[k + 3 * j];
                }
            }
        }
        double across[3];
        crank_cross3(across, W, W + 3);
        if (crank_dot3(across, W + 6) > 0.0) {
            memcpy(R, W, sizeof W);
            return true;
        }
    }
    return false;
}

/* How far two orientations are apart, about the angle. */
static double apart(const double A[9], const double C[9])
{
    double sum = 0.0;
    for (int i = 0; i < 9; i++) {
        sum += (A[i] - C[i]) * (A[i] - C[i]);
    }
    return sqrt(0.5 * sum);
}

/* about its origin, which stays where the file has it */
static void put(crank_walk *w, int body, crank_pose *next)
{
    const crank_body_record *r = record_of(w, body);
    double arm[3];
    crank_mat3_times(arm, next->R, r->center);
    for (int i = 0; i < crank_body_translations(w->b->kind[body]); i++) {
        next->x[i] = r->position[i] + arm[i];
    }
    crank_walk_put(w, body, next, r->center);
}

/* Turns a body; returns by how much. */
static double turn(fit *f, int body)
{
    crank_walk *w = f->w;
    double first[9], R[9], angle, size = 0.0;
    sum_pairs(f, body);
    for (int i = 0; i < 9; i++) {
        size = fmax(size, fabs(f->B[i]));
    }
    find_first(f, body, w->oriented[body] && size > 0.0, first, &angle);
    for (int i = 0; i < 9; i++) {
        f->B[i] += decides * size * first[i];
    }
    if (w->b->kind[body] == CRANK_BODY_PLANAR && size > 0.0) {
        const double to = atan2(f->B[3] - f->B[1], f->B[0] + f->B[4]);
        angle += remainder(to - angle, whole_turn);
        crank_walk_about_z(R, angle);
    } else if (!(size > 0.0) || !decompose(f->B, R)) {
        memcpy(R, first, sizeof R);
    }
    crank_pose next = w->at[body];
    const double by = apart(R, next.R);
    next.angle = angle;
    memcpy(next.R, R, sizeof R);
    put(w, body, &next);
    w->oriented[body] = true;
    return by;
}

/* The body to be turned next: of which most is known; -1: none is left. */
static int next_body(fit *f)
{
    int best = -1, most = -1;
    for (int i = 0; i < f->w->b->mechanism->body_count; i++) {
        if (is_open(f->w, i) && !f->w->oriented[i]) {
            sum_pairs(f, i);
            best = f->count > most ? i : best;
            most = f->count > most ? f->count : most;
        }
    }
    return best;
}

void crank_walk_fit(crank_walk *w)
{
    const int bodies = w->b->mechanism->body_count;
    fit f = {.w = w};
    bool *own = w->fitted;
    for (int i = 0; i < bodies; i++) {
        own[i] = false;
        if (w->oriented[i] && is_open(w, i)) { /* by rigid joints */
            crank_pose next = w->at[i];
            put(w, i, &next);
        }
    }
    for (int body = next_body(&f); body >= 0; body = next_body(&f)) {
        (void)turn(&f, body);
        own[body] = true;
    }
    double moved = 1.0;
    for (int sweep = 0; sweep < SWEEPS && moved > settled; sweep++) {
        moved = 0.0;
        for (int i = 0; i < bodies; i++) {
            moved = own[i] ? fmax(moved, turn(&f, i)) : moved;
        }
    }
}
