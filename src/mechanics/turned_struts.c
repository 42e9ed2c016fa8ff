/* turned_struts.c - cylinders that a search for the start has closed inside out.
 *
 * A barrel and a rod that hang at pivots P_0, P_1 and slide in each other close at a negative
 * length as well as at a positive one. They begin long (build_slide.c), but a search that
 * follows a loop from one position to another may lead the pivots past each other, where the
 * length goes through zero. Then both are turned by half a turn about their pivots,
 *     R_k' = T R_k,   x_k' = P_k + T (x_k - P_k),   T = 2 h h^T - I,
 * h: the hinge's axis, or any across the cylinder, by which the length changes its sign and the
 * axes stay on their line if that goes through both pivots; else it is searched again from
 * there. theory (5.9).
 *
 * Where the joint's point in the barrel is c_0 > 0 beyond its pivot along the axis (its mouth),
 * and that in the rod c_1 > 0 before the other pivot (the piston's end), the length is how far
 * the rod is drawn out beyond c_0 + c_1, negative while one is in the other: inside out is
 * length < -min(c_0, c_1), where the piston is behind the barrel's pivot or the rod's pivot
 * within the barrel. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/turned_struts.h"

#include "linalg/rotation.h"
#include "mechanics/build.h"
#include "mechanics/known_start.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-9; /* of the places of its points: a length that is zero */
static const double half_a_turn = 3.14159265358979323846;

bool crank_system_take_struts(crank_system *s, const crank_builder *b)
{
    s->strut = crank_store_take(&s->store, (size_t)b->mechanism->joint_count, sizeof *s->strut);
    for (int j = 0; j < b->mechanism->joint_count && s->strut != NULL; j++) {
        const crank_joint_place *p = &b->place[j];
        if (p->strut) {
            s->strut[s->strut_count++] = (crank_strut){
                .name = crank_store_print(&s->store, "%s", b->mechanism->joint[j].name),
                .at = {p->at[0], p->at[1]},
                .axis = p->a[0],
                .pivot = {p->pivot[0], p->pivot[1]},
                .hinge = {p->hinge[0], p->hinge[1]},
                .hinged = {p->hinged[0], p->hinged[1]}};
        }
    }
    return !s->store.failed;
}

/* min(c_0, c_1), 0 where that is negative. a, P, Q: of is_inside_out */
static double overlap(const crank_system *s, const crank_strut *strut, double t,
                      const double *x, const double a[3], const double P[3], const double Q[3])
{
    double own[3], other[3];
    crank_system_start_point(s, t, x, &strut->pivot[0], false, own);
    crank_system_start_point(s, t, x, &strut->pivot[1], false, other);
    const double before = crank_dot3(a, P) - crank_dot3(a, own);
    return fmax(0.0, fmin(before, crank_dot3(a, other) - crank_dot3(a, Q)));
}

static bool is_inside_out(const crank_system *s, const crank_strut *strut, double t,
                          const double *x, double *length)
{
    double P[3], Q[3], a[3], way[3];
    crank_system_start_point(s, t, x, &strut->at[0], false, P);
    crank_system_start_point(s, t, x, &strut->at[1], false, Q);
    crank_system_start_point(s, t, x, &strut->axis, true, a);
    const double size = crank_norm3(P) + crank_norm3(Q); /* of what rounds */
    memcpy(way, Q, sizeof way);
    crank_add3(way, -1.0, P);
    *length = crank_dot3(a, way);
    return *length < -overlap(s, strut, t, x, a, P, Q) - rounding * size;
}

int crank_system_inside_out(const crank_system *s, double t, const double *x)
{
    double length;
    int count = 0;
    for (int i = 0; i < s->strut_count; i++) {
        count += is_inside_out(s, &s->strut[i], t, x, &length) ? 1 : 0;
    }
    return count;
}

void crank_system_warn_inside_out(const crank_system *s, double t, const double *x,
                                  crank_log log)
{
    double length;
    for (int i = 0; i < s->strut_count; i++) {
        if (is_inside_out(s, &s->strut[i], t, x, &length)) {
            crank_log_write(
                &log, CRANK_WARNING,
                "joint \"%.80s\" starts inside out, its length is %.4g: give a guess "
                "(`free: true`) of how the bodies stand that it holds, or turn its "
                "axis round",
                s->strut[i].name, length);
        }
    }
}

/* ---- turning ---- */

static bool may_turn(const crank_system *s, int body, const crank_fixing *fixing)
{
    const int column = s->coordinates.kind->column(s, body, CRANK_PART_POSITION);
    return column >= 0 && fixing[column] == CRANK_FREE;
}

/* The axis h, unit, world. */
static void axis_of(const crank_system *s, const crank_strut *strut, double t, const double *x,
                    double h[3])
{
    double a[3], other[3];
    const int side = strut->hinged[0] ? 0 : 1;
    if (s->body[strut->at[0].body].kind == CRANK_BODY_PLANAR) {
        memcpy(h, (const double[3]){0.0, 0.0, 1.0}, 3 * sizeof *h);
    } else if (strut->hinged[side]) {
        crank_system_start_point(s, t, x, &strut->hinge[side], true, h);
    } else {
        crank_system_start_point(s, t, x, &strut->axis, true, a);
        crank_build_perpendicular(a, h, other);
    }
}

/* v := T v */
static void half_turn(const double h[3], double v[3])
{
    const double along = crank_dot3(h, v);
    for (int i = 0; i < 3; i++) {
        v[i] = 2.0 * along * h[i] - v[i];
    }
}

static void turn_body(const crank_system *s, double t, const double *given, int body,
                      const crank_marker *pivot, const double h[3], double *x)
{
    const int column = s->coordinates.kind->column(s, body, CRANK_PART_POSITION);
    const bool planar = s->body[body].kind == CRANK_BODY_PLANAR;
    crank_body_state state;
    double P[3], way[3];
    s->coordinates.kind->state(s, body, t, x, &state);
    crank_system_start_point(s, t, x, pivot, false, P);
    memcpy(way, state.x, sizeof way);
    crank_add3(way, -1.0, P);
    half_turn(h, way);
    crank_add3(way, 1.0, P);
    memcpy(x + column, way, (planar ? 2 : 3) * sizeof *x);
    if (planar) {
        x[column + 2] += x[column + 2] < given[column + 2] ? half_a_turn : -half_a_turn;
    } else {
        const double turn[4] = {0.0, h[0], h[1], h[2]};
        double q[4];
        crank_quaternion_multiply(q, turn, state.q);
        memcpy(x + column + 3, q, sizeof q);
    }
}

bool crank_system_turn_out(const crank_system *s, int i, double t, const double *given,
                           const crank_fixing *fixing, double *x)
{
    const crank_strut *strut = &s->strut[i];
    double h[3], length;
    if (!is_inside_out(s, strut, t, x, &length) || !may_turn(s, strut->at[0].body, fixing) ||
        !may_turn(s, strut->at[1].body, fixing)) {
        return false;
    }
    axis_of(s, strut, t, x, h);
    for (int k = 0; k < 2; k++) {
        turn_body(s, t, given, strut->at[k].body, &strut->pivot[k], h, x);
    }
    return true;
}
