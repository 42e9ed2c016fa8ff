/* build_pose.c - one body by one joint: where it stands if the joint's frames coincide but for
 * what is known of its coordinates, theory (5.7). What the file gives of a body (an angle, a
 * position) is not touched. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/build_walk.h"

#include <float.h>
#include <math.h>
#include <string.h>

crank_pose crank_pose_of(const crank_body_state *state)
{
    crank_pose p = {.angle = state->angle};
    memcpy(p.x, state->x, sizeof p.x);
    memcpy(p.R, state->R, sizeof p.R);
    return p;
}

crank_pose crank_walk_pose(const crank_walk *w, int body)
{
    return body >= 0 ? w->at[body] : crank_pose_of(crank_build_body(w->b, -1));
}

void crank_walk_about_z(double R[9], double angle)
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

/* The rotation of the other side of the joint against the known one, in their triads. */
static void turns_of(const crank_joint_place *p, int other, double turned[9])
{
    const double c1 = cos(p->turn[0]), s1 = sin(p->turn[0]);
    const double c2 = cos(p->turn[1]), s2 = sin(p->turn[1]);
    const double about_a[9] = {1.0, 0.0, 0.0, 0.0, c1, -s1, 0.0, s1, c1};
    const double about_u[9] = {c2, 0.0, s2, 0.0, 1.0, 0.0, -s2, 0.0, c2};
    double forth[9];
    crank_mat3_multiply(forth, about_a, about_u);
    if (other == 1) {
        memcpy(turned, forth, sizeof forth);
    } else {
        transpose(turned, forth);
    }
}

static void orient_planar(const crank_walk *w, const crank_joint_place *p, int other,
                          crank_pose *next)
{
    const int known = p->at[1 - other].body, body = p->at[other].body;
    double turn = crank_build_body(w->b, body)->angle - crank_build_body(w->b, known)->angle;
    if (p->aligned) {
        const double *a = p->a[1 - other].u, *c = p->a[other].u;
        turn = atan2(a[1] * c[0] - a[0] * c[1], a[0] * c[0] + a[1] * c[1]) +
               (other == 1 ? p->turn[0] : -p->turn[0]);
    }
    next->angle = crank_walk_pose(w, known).angle + turn;
    crank_walk_about_z(next->R, next->angle);
}

static void orient_spatial(const crank_walk *w, const crank_joint_place *p, int other,
                           crank_pose *next)
{
    const int known = p->at[1 - other].body, body = p->at[other].body;
    const crank_pose from = crank_walk_pose(w, known);
    double T[9], B[9], F[9], turned[9];
    if (!p->aligned) { /* as the file places the two */
        transpose(T, crank_build_body(w->b, known)->R);
        crank_mat3_multiply(F, from.R, T);
        crank_mat3_multiply(next->R, F, crank_build_body(w->b, body)->R);
        return;
    }
    turns_of(p, other, turned);
    triad(T, &p->a[1 - other], &p->u[1 - other]);
    crank_mat3_multiply(B, from.R, T);
    crank_mat3_multiply(F, B, turned);
    triad(B, &p->a[other], &p->u[other]);
    transpose(T, B);
    crank_mat3_multiply(next->R, F, T);
}

/* P of the other side is that of the known one, moved along the axes of the first body's triad,
 * whose orientation is known: that of next if it is the other one. */
static void move(const crank_walk *w, const crank_joint_place *p, int other, crank_pose *next)
{
    const crank_marker *at = &p->at[1 - other];
    const crank_pose from = crank_walk_pose(w, at->body);
    double P[3], arm[3];
    crank_mat3_times(P, from.R, at->u);
    crank_add3(P, 1.0, from.x);
    if (p->aligned && crank_norm3(p->length) > 0.0) {
        double T[9], way[3], turned[3];
        triad(T, &p->a[0], &p->u[0]);
        crank_mat3_times(way, T, p->length);
        crank_mat3_times(turned, other == 1 ? from.R : next->R, way);
        crank_add3(P, other == 1 ? 1.0 : -1.0, turned);
    }
    crank_mat3_times(arm, next->R, p->at[other].u);
    const int axes = crank_body_translations(w->b->kind[p->at[other].body]);
    for (int i = 0; i < axes; i++) {
        next->x[i] = P[i] - arm[i];
    }
}

/* What is there already stays bit for bit. */
static bool differs(const crank_pose *a, const crank_pose *c, const double arm[3])
{
    static const double rounding = 64.0 * DBL_EPSILON;
    const double size = crank_norm3(a->x) + crank_norm3(c->x) + crank_norm3(arm);
    bool other = fabs(a->angle - c->angle) > rounding;
    for (int i = 0; i < 9; i++) {
        other = other || fabs(a->R[i] - c->R[i]) > rounding;
    }
    for (int i = 0; i < 3; i++) {
        other = other || fabs(a->x[i] - c->x[i]) > rounding * size;
    }
    return other;
}

void crank_walk_put(crank_walk *w, int body, const crank_pose *next, const double arm[3])
{
    if (differs(next, &w->at[body], arm)) {
        w->at[body] = *next;
    }
}

/* the orientation by which the joint's frames coincide, unless the file gives one, were it a
 * guess */
static void orient(const crank_walk *w, const crank_joint_place *p, int other, crank_pose *next)
{
    const int body = p->at[other].body;
    const crank_body_record *r = &w->b->mechanism->body[body];
    const bool open =
        r->orientation_fixing == CRANK_FREE && !r->orientation_said && !w->oriented[body];
    if (open && w->b->kind[body] == CRANK_BODY_PLANAR) {
        orient_planar(w, p, other, next);
    } else if (open && w->b->kind[body] == CRANK_BODY_SPATIAL) {
        orient_spatial(w, p, other, next);
    }
}

void crank_walk_orient(crank_walk *w, int joint, int other)
{
    const crank_joint_place *p = &w->b->place[joint];
    orient(w, p, other, &w->at[p->at[other].body]);
    w->oriented[p->at[other].body] = true;
}

void crank_walk_place(crank_walk *w, int joint, int other)
{
    const crank_joint_place *p = &w->b->place[joint];
    const int body = p->at[other].body;
    crank_pose next = w->at[body];
    orient(w, p, other, &next);
    if (w->b->mechanism->body[body].position_fixing == CRANK_FREE && p->meets) {
        move(w, p, other, &next);
    }
    crank_walk_put(w, body, &next, p->at[other].u);
}

/* ---- bodies that are held at a point ---- */

void crank_walk_point(const crank_walk *w, const crank_marker *marker, double out[3])
{
    const crank_pose p = crank_walk_pose(w, marker->body);
    crank_mat3_times(out, p.R, marker->u);
    crank_add3(out, 1.0, p.x);
}

void crank_walk_direction(const crank_walk *w, const crank_marker *marker, double out[3])
{
    const crank_pose p = crank_walk_pose(w, marker->body);
    crank_mat3_times(out, p.R, marker->u);
}

/* back to where the body's own joint holds it */
static void hold(const crank_walk *w, int body, crank_pose *next)
{
    const crank_joint_place *p = &w->b->place[w->by[body]];
    move(w, p, p->at[0].body == body ? 0 : 1, next);
}

void crank_walk_turn(crank_walk *w, int body, const double R[9], double angle)
{
    crank_pose next = w->at[body];
    crank_mat3_multiply(next.R, R, w->at[body].R);
    if (w->b->kind[body] == CRANK_BODY_PLANAR) {
        next.angle += angle;
        crank_walk_about_z(next.R, next.angle);
    }
    hold(w, body, &next);
    w->at[body] = next;
}

void crank_walk_align(crank_walk *w, int joint, int other)
{
    const crank_joint_place *p = &w->b->place[joint];
    const int body = p->at[other].body;
    crank_pose next = w->at[body];
    orient(w, p, other, &next);
    hold(w, body, &next);
    crank_walk_put(w, body, &next, p->at[other].u);
}
