/* build_slide.c - joints that slide in loops: cylinders begin the right way round.
 *
 * Where a loop is open the side on which it closes is decided by where the search begins, and a
 * cylinder of length zero has no side: rounding would choose, or how the whole machine is
 * turned. So joints that slide along an axis which the file gives in both bodies, and whose
 * length it does not give, begin long:
 *   - what the walk goes along, at the gap of the loop that it leaves open at length zero, and
 *     the last link of such a loop points at what it is to meet;
 *   - a strut, whose two bodies hang at pivots P_0, P_1 of others: both are turned about them
 *     so that R_0 a_0 = R_1 a_1 = s (P_1 - P_0)/|P_1 - P_0|, s = 1 or -1, by which the length
 *     s |P_1 - P_0| + c_1 - c_0, c_k: from pivot to sliding point along the axis, is positive.
 * theory (5.9). What another body stands on, or what begins a walk, holds the others and does
 * not hang, nor does what several slide in: a piston in the block of an engine is no strut,
 * wherever the block comes to be. Rods between ball joints point at what they are to meet, too.
 * Loops that are closed stay as they are. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_walk.h"

#include <float.h>
#include <math.h>

static const double rounding = 64.0 * DBL_EPSILON;

static bool is_free(const crank_walk *w, int body)
{
    const crank_body_record *r = body >= 0 ? &w->b->mechanism->body[body] : NULL;
    return r != NULL && r->position_fixing == CRANK_FREE && r->orientation_fixing == CRANK_FREE;
}

void crank_walk_find_slides(crank_walk *w)
{
    for (int j = 0; j < w->b->mechanism->joint_count; j++) {
        const crank_joint_place *p = &w->b->place[j];
        w->slides[j] = p->given && p->slides && !p->told;
        w->strut[j] = w->slides[j] && is_free(w, p->at[0].body) && is_free(w, p->at[1].body);
    }
}

/* ---- loops ---- */

bool crank_walk_closes(const crank_walk *w, int joint)
{
    const crank_joint_place *p = &w->b->place[joint];
    bool known = p->given && p->meets;
    for (int k = 0; known && k < 2; k++) {
        const int body = p->at[k].body;
        known = body < 0 || (w->depth[body] >= 0 && w->by[body] != joint);
    }
    return known;
}

/* Is a joint that slides closed, its axes parallel and its points on their line? */
static bool is_closed(const crank_walk *w, const crank_joint_place *p)
{
    double P[3], Q[3], a[3], c[3], across[3], turn[3];
    crank_walk_point(w, &p->at[0], P);
    crank_walk_point(w, &p->at[1], Q);
    crank_walk_direction(w, &p->a[0], a);
    crank_walk_direction(w, &p->a[1], c);
    const double size = crank_norm3(P) + crank_norm3(Q);
    crank_add3(Q, -1.0, P);
    crank_cross3(across, a, Q);
    crank_cross3(turn, a, c);
    return crank_norm3(across) <= rounding * size && crank_norm3(turn) <= rounding &&
           crank_dot3(a, c) > 0.0;
}

/* the distance between the joint's points; what is rounding is none */
static double gap_of(const crank_walk *w, int joint)
{
    const crank_joint_place *p = &w->b->place[joint];
    double P[3], Q[3];
    crank_walk_point(w, &p->at[0], P);
    crank_walk_point(w, &p->at[1], Q);
    const double size = crank_norm3(P) + crank_norm3(Q);
    crank_add3(Q, -1.0, P);
    const bool closed = w->slides[joint] && is_closed(w, p);
    return crank_norm3(Q) > rounding * size && !closed ? crank_norm3(Q) : 0.0;
}

bool crank_walk_is_open(const crank_walk *w, int joint)
{
    return crank_walk_closes(w, joint) && gap_of(w, joint) > 0.0;
}

int crank_walk_before(const crank_walk *w, int body)
{
    const crank_joint_place *p = &w->b->place[w->by[body]];
    return p->at[p->at[0].body == body ? 1 : 0].body;
}

/* Lengthens what slides between the body, or another one, and the first body that both ways
 * back to where the walk began have in common. */
static bool lengthen_loop(crank_walk *w, int a, int c, double gap)
{
    bool any = false;
    while (a != c) { /* the deeper one goes back */
        const bool first = c < 0 || (a >= 0 && w->depth[a] >= w->depth[c]);
        int *body = first ? &a : &c;
        const int joint = w->by[*body];
        if (joint < 0) { /* it began there, the other one somewhere else */
            *body = -1;
            continue;
        }
        if (w->slides[joint]) {
            double *length = w->b->place[joint].length;
            length[0] = fmax(length[0], gap);
            any = true;
        }
        *body = crank_walk_before(w, *body);
    }
    return any;
}

bool crank_walk_lengthen(crank_walk *w)
{
    bool any = false;
    for (int j = 0; j < w->b->mechanism->joint_count; j++) {
        const crank_joint_place *p = &w->b->place[j];
        const double gap = crank_walk_closes(w, j) ? gap_of(w, j) : 0.0;
        if (gap > 0.0) {
            w->lengthened[j] = lengthen_loop(w, p->at[0].body, p->at[1].body, gap);
            any = any || w->lengthened[j];
        }
    }
    return any;
}

/* ---- struts ---- */

/* Nothing else stands on it. */
static bool is_last(const crank_walk *w, int body)
{
    for (int i = 0; i < w->b->mechanism->body_count; i++) {
        if (w->by[i] >= 0 && crank_walk_before(w, i) == body) {
            return false;
        }
    }
    return true;
}

/* The marker of the joint that placed a body, in it. */
static const crank_marker *pivot_of(const crank_walk *w, int body)
{
    const crank_joint_place *p = &w->b->place[w->by[body]];
    return &p->at[p->at[0].body == body ? 0 : 1];
}

void crank_walk_hang(const crank_walk *w, crank_joint_place *strut)
{
    for (int k = 0; k < 2; k++) {
        const int body = strut->at[k].body, by = w->by[body];
        const crank_joint_place *p = &w->b->place[by];
        strut->pivot[k] = *pivot_of(w, body);
        strut->hinged[k] = w->rows[by] == 5 && p->aligned;
        strut->hinge[k] = p->a[p->at[0].body == body ? 0 : 1];
    }
}

/* From pivot to sliding point along the axis. */
static double reach(const crank_walk *w, const crank_joint_place *p, int side)
{
    double way[3] = {p->at[side].u[0], p->at[side].u[1], p->at[side].u[2]};
    crank_add3(way, -1.0, pivot_of(w, p->at[side].body)->u);
    return crank_dot3(way, p->a[side].u);
}

static void make_unit(double v[3])
{
    const double norm = crank_norm3(v);
    for (int i = 0; i < 3 && norm > 0.0; i++) {
        v[i] /= norm;
    }
}

/* The rotation about a unit axis that leads the part of one vector across it to that of
 * another. */
static double rotation_about(const double axis[3], const double from[3], const double to[3],
                             double R[9])
{
    double a[3] = {from[0], from[1], from[2]}, c[3] = {to[0], to[1], to[2]}, n[3], q[4];
    crank_add3(a, -crank_dot3(axis, from), axis);
    crank_add3(c, -crank_dot3(axis, to), axis);
    crank_cross3(n, a, c);
    const double angle = atan2(crank_dot3(n, axis), crank_dot3(a, c));
    crank_quaternion_of_axis(q, axis, angle);
    crank_quaternion_matrix(R, q);
    return angle;
}

/* Turns a body so that a unit vector in it, now `from`, points along another, as far as the
 * body's own joint lets it turn: about any axis, or about one. */
static void point(crank_walk *w, int body, const double from[3], const double to[3])
{
    const int joint = w->by[body];
    const bool planar = w->b->kind[body] == CRANK_BODY_PLANAR;
    double axis[3] = {0.0, 0.0, 1.0}, other[3], R[9];
    if (!planar && w->rows[joint] == 5 && w->b->place[joint].aligned) {
        crank_walk_direction(w, &w->b->place[joint].a[0], axis);
    } else if (!planar) {
        crank_cross3(axis, from, to);
        if (crank_norm3(axis) <= rounding) { /* along it, or against it: about any */
            crank_build_perpendicular(from, axis, other);
        }
        make_unit(axis);
    }
    const double angle = rotation_about(axis, from, to, R);
    crank_walk_turn(w, body, R, angle);
}

static bool can_turn(const crank_walk *w, int body)
{
    const int joint = w->by[body], all = w->b->kind[body] == CRANK_BODY_PLANAR ? 3 : 6;
    return joint >= 0 && joint < w->b->mechanism->joint_count && w->b->place[joint].meets &&
           w->rows[joint] < all && is_last(w, body);
}

/* Does another body slide in it, too, in another loop? */
static bool is_shared(const crank_walk *w, int joint, int body)
{
    for (int j = 0; j < w->b->mechanism->joint_count; j++) {
        const crank_joint_place *p = &w->b->place[j];
        if (j != joint && w->strut[j] && crank_walk_closes(w, j) &&
            (p->at[0].body == body || p->at[1].body == body)) {
            return true;
        }
    }
    return false;
}

static bool hangs(const crank_walk *w, int joint, int body)
{
    return can_turn(w, body) && !is_shared(w, joint, body);
}

bool crank_walk_drop_struts(crank_walk *w)
{
    int dropped = 0;
    bool *drop = w->lengthened; /* nothing is yet */
    for (int j = 0; j < w->b->mechanism->joint_count; j++) {
        const crank_joint_place *p = &w->b->place[j];
        drop[j] = w->strut[j] && crank_walk_closes(w, j) &&
                  !(hangs(w, j, p->at[0].body) && hangs(w, j, p->at[1].body));
        dropped += drop[j] ? 1 : 0;
    }
    for (int j = 0; j < w->b->mechanism->joint_count; j++) {
        w->strut[j] = w->strut[j] && !drop[j];
        drop[j] = false;
    }
    return dropped > 0;
}

static void aim_strut(crank_walk *w, int joint)
{
    const crank_joint_place *p = &w->b->place[joint];
    const int first = p->at[0].body, second = p->at[1].body;
    double P[3], d[3], a[2][3];
    if (!can_turn(w, first) || !can_turn(w, second) || is_closed(w, p)) {
        return;
    }
    crank_walk_point(w, pivot_of(w, first), P);
    crank_walk_point(w, pivot_of(w, second), d);
    const double size = crank_norm3(P) + crank_norm3(d);
    crank_add3(d, -1.0, P);
    const double n = crank_norm3(d), more = reach(w, p, 1) - reach(w, p, 0);
    if (n <= rounding * size) {
        return;
    }
    const double s = n + more < 0.0 && more - n > 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        d[i] *= s / n;
    }
    crank_walk_direction(w, &p->a[0], a[0]);
    crank_walk_direction(w, &p->a[1], a[1]);
    point(w, first, a[0], d);
    point(w, second, a[1], d);
    if (w->b->kind[second] == CRANK_BODY_SPATIAL && w->rows[w->by[second]] < 5) {
        crank_walk_align(w, joint, 1); /* and no turn about it */
    }
}

/* A link that hangs at one joint and is to meet another body at the next: from there to where
 * it is to come. */
static void aim_link(crank_walk *w, int joint, int side)
{
    const crank_joint_place *p = &w->b->place[joint];
    const int body = p->at[side].body;
    double P[3], from[3], to[3];
    crank_walk_point(w, pivot_of(w, body), P);
    crank_walk_point(w, &p->at[side], from);
    crank_walk_point(w, &p->at[1 - side], to);
    const double size = crank_norm3(P) + crank_norm3(from) + crank_norm3(to);
    crank_add3(from, -1.0, P);
    crank_add3(to, -1.0, P);
    if (fmin(crank_norm3(from), crank_norm3(to)) > rounding * size) {
        make_unit(from);
        make_unit(to);
        point(w, body, from, to);
    }
}

/* Is the body a rod between joints about which it may turn any way, at one end and the
 * other? */
static bool is_rod(const crank_walk *w, int joint, int body)
{
    return is_free(w, body) && can_turn(w, body) && w->b->kind[body] == CRANK_BODY_SPATIAL &&
           w->rows[joint] < 5 && w->rows[w->by[body]] < 5;
}

/* The end of a joint that leaves a loop open at which a link may be turned to meet the other;
 * -1: none. */
static int turning_end(const crank_walk *w, int joint)
{
    const crank_joint_place *p = &w->b->place[joint];
    for (int k = 0; k < 2; k++) {
        const int body = p->at[k].body;
        if (body >= 0 && crank_walk_closes(w, joint) &&
            (is_rod(w, joint, body) ||
             (w->lengthened[joint] && is_free(w, body) && can_turn(w, body)))) {
            return k;
        }
    }
    return -1;
}

void crank_walk_aim(crank_walk *w)
{
    for (int j = 0; j < w->b->mechanism->joint_count; j++) {
        const int side = w->strut[j] ? -1 : turning_end(w, j);
        if (w->strut[j] && crank_walk_closes(w, j)) {
            aim_strut(w, j);
        } else if (side >= 0 && gap_of(w, j) > 0.0) {
            aim_link(w, j, side);
        }
    }
}
