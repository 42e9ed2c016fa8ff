/* tyre_slip.c - forces of a tyre along the road: by slip, which follows the motion over a way
 * of relaxation. theory (7.47)-(7.50), the single contact point of [Pac12, 7.2] with one law
 * for both directions [Pac12, 4.3.2].
 *
 * With the wheel's centre c, at the height h over the road, its axle a to the left, its angular
 * velocity omega (of the body), and directions along the road: t_y the horizontal part of a,
 * t_x ahead. The point of the wheel on the road, below c, moves by
 *     v_s = c' + omega x (-h z),   v_x = c'.t_x,   v_r = v_x - v_s.t_x
 * The tread's deflections u, one along and one across, are states, with way sigma each:
 *     u' = -(v_s + v u/sigma),   v^2 = (v_x^2 + v_r^2)/2 + (v_s.t_y)^2 + slow^2
 *     s = c u/(mu sigma),   F = mu N s sin(C atan(r/C))/r,   r^2 = s.s
 * with c of `traction` and `cornering`. Rolling freely at a slip angle alpha in steady state
 * u/sigma = -sin(alpha). v is the speed at which new tread comes into contact: the larger one
 * of travelling and rolling, about, so that locked, spinning and standing wheels have slips of
 * the size of one, and a wheel that stands still is held as by a spring (and creeps at `slow`).
 * What F takes from the motion counts as dissipated, also what the tread stores. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/forces/tyre.h"

#include "base/then.h"
#include "linalg/rotation.h"

#include <math.h>

/* r is never less: sin(C atan(r/C))/r is 1 there to rounding, and its derivatives have
 * digits */
static const double least_slip = 1e-5;

crank_status crank_tyre_check_slip(const crank_builder *b, const crank_record *record,
                                   bool lift, crank_error *err)
{
    static const char *const keys[] = {
        "friction", "cornering", "traction", "relaxation", "traction_relaxation",
        "shape",    "slow",      NULL};
    static const char *const needed[] = {"friction", "cornering", "relaxation", NULL};
    const bool axis = crank_record_find(record, "axis") != NULL;
    const bool traction = crank_record_find(record, "traction") != NULL;
    crank_status status = CRANK_OK;
    for (int i = 0; keys[i] != NULL && status == CRANK_OK; i++) {
        status = crank_force_only(record, keys[i], axis, "\"axis\"", err);
        CRANK_THEN(status, crank_force_check(record, keys[i], false, err));
    }
    if (status != CRANK_OK || !axis) {
        return status;
    }
    for (int i = 0; needed[i] != NULL && status == CRANK_OK; i++) {
        if (crank_record_find(record, needed[i]) == NULL) {
            status = crank_build_fail(record, NULL, err,
                                      "\"%s\" is missing: slip forces need it", needed[i]);
        }
    }
    CRANK_THEN(status,
               crank_force_only(record, "traction_relaxation", traction, "\"traction\"", err));
    CRANK_THEN(status, crank_force_only(record, "axis", lift, "\"lift: true\"", err));
    CRANK_THEN(status, crank_force_only(record, "axis", !crank_force_in_plane(b),
                                        "spatial models", err));
    CRANK_THEN(status,
               crank_force_needs_rotation(b, record, "body",
                                          crank_record_find(record, "body")->index[0], err));
    const double shape = crank_force_number(record, "shape", 1.0);
    if (status == CRANK_OK && (shape < 1.0 || shape > 2.0)) {
        status =
            crank_build_fail(record, "shape", err, "shape is %g, must be from 1 to 2", shape);
    }
    return status;
}

typedef struct wheel {
    crank_ex heading[2];           /* of t_x, horizontal; t_y = (-heading[1], heading[0]) */
    crank_ex along, across, ahead; /* v_s.t_x, v_s.t_y, v_x */
} wheel;

static crank_ex square_root(crank_builder *b, crank_ex x)
{
    return crank_ex_call(crank_build_pool(b), CRANK_EX_SQRT, x, 0, 0);
}

static crank_ex square(crank_builder *b, crank_ex x)
{
    return crank_force_mul(b, x, x);
}

static crank_vector world_axis(const crank_builder *b, int i)
{
    double e[3] = {0.0, 0.0, 0.0};
    e[i] = 1.0;
    return crank_vector_of(crank_build_local_direction(b, -1, e));
}

/* x cos + y sin of a horizontal vector along t_x, and along t_y */
static crank_ex component(crank_builder *b, const wheel *w, const crank_ex vector[2],
                          bool across)
{
    const crank_ex x = crank_force_mul(b, vector[0], w->heading[across ? 1 : 0]);
    const crank_ex y = crank_force_mul(b, vector[1], w->heading[across ? 0 : 1]);
    return across ? crank_force_sub(b, y, x) : crank_force_add(b, x, y);
}

static void find_velocities(crank_builder *b, crank_owner owner, crank_marker at,
                            const double axis[3], crank_ex above, wheel *w)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_vector axle = crank_vector_of(crank_build_direction(b, at.body, axis));
    crank_ex a[2], turn[2], centre[2], point[2];
    for (int i = 0; i < 2; i++) {
        const crank_vector e = world_axis(b, i);
        a[i] = crank_build_value(b, crank_build_product(b, e, axle));
        turn[i] = crank_build_rate(b, crank_build_turn(b, e, -1, at.body));
        centre[i] = crank_build_rate(b, crank_build_slide(b, e, crank_vector_of(at)));
    }
    const crank_ex level = square_root(b, crank_force_add(b, square(b, a[0]), square(b, a[1])));
    w->heading[0] = crank_ex_div(pool, a[1], level);
    w->heading[1] = crank_force_scale(b, -1.0, crank_ex_div(pool, a[0], level));
    point[0] = crank_force_sub(b, centre[0], crank_force_mul(b, above, turn[1]));
    point[1] = crank_force_add(b, centre[1], crank_force_mul(b, above, turn[0]));
    w->along = component(b, w, point, false);
    w->across = component(b, w, point, true);
    w->ahead = component(b, w, centre, false);
    crank_build_cosine_pole(b, owner, crank_build_product(b, world_axis(b, 2), axle),
                            "where its wheel lies flat and has no direction");
}

/* v of the header */
static crank_ex transport(crank_builder *b, const wheel *w, bool traction, double slow)
{
    const crank_ex ahead = square(b, w->ahead);
    const crank_ex rolled =
        traction ? square(b, crank_force_sub(b, w->ahead, w->along)) : ahead;
    const crank_ex mean = crank_force_scale(b, 0.5, crank_force_add(b, ahead, rolled));
    const crank_ex sum = crank_force_add(b, mean, square(b, w->across));
    return square_root(b, crank_force_add(b, sum, crank_force_constant(b, slow * slow)));
}

static crank_status find_slow(const crank_builder *b, const crank_record *record, double *slow,
                              crank_error *err)
{
    const double gravity = crank_norm3(crank_build_mechanism(b)->gravity);
    const double radius = crank_force_number(record, "radius", 0.0);
    *slow = crank_force_number(record, "slow", 1e-2 * sqrt(gravity * fmax(radius, 0.0)));
    return *slow > 0.0 ? CRANK_OK
                       : crank_build_fail(record, NULL, err,
                                          "\"slow\" is missing: without gravity and radius "
                                          "nothing tells which speed of travel is slow");
}

/* one direction: u with its equation; *slip: u/sigma */
static crank_status relax(crank_builder *b, const crank_record *record, crank_owner owner,
                          const char *const names[2], crank_ex rate, crank_ex speed, double way,
                          crank_ex *slip, crank_error *err)
{
    const crank_ex u = crank_build_dynamic(b, owner, names[0], 0.0, CRANK_PREFERRED);
    crank_build_variable_kind(b, u, 't');
    *slip = crank_force_scale(b, 1.0 / way, u);
    crank_force_name(b, record, names[1], *slip);
    const crank_ex sum = crank_force_add(b, rate, crank_force_mul(b, speed, *slip));
    return crank_build_dynamic_rate(b, owner, u, crank_force_scale(b, -1.0, sum), err);
}

/* mu N sin(C atan(r/C))/r of r^2 */
static crank_ex factor_of(crank_builder *b, const crank_record *record, crank_ex slip_square,
                          crank_ex force)
{
    crank_pool *pool = crank_build_pool(b);
    const double C = crank_force_number(record, "shape", 1.3);
    const crank_ex r = square_root(
        b, crank_force_add(b, slip_square, crank_force_constant(b, least_slip * least_slip)));
    const crank_ex angle = crank_force_scale(
        b, C, crank_ex_call(pool, CRANK_EX_ATAN, crank_force_scale(b, 1.0 / C, r), 0, 0));
    const crank_ex rise = crank_ex_div(pool, crank_ex_call(pool, CRANK_EX_SIN, angle, 0, 0), r);
    return crank_force_scale(b, crank_force_number(record, "friction", 0.0),
                             crank_force_mul(b, force, rise));
}

crank_status crank_tyre_slip(crank_builder *b, const crank_record *record, crank_owner owner,
                             crank_marker at, crank_ex above, crank_ex force, crank_error *err)
{
    static const char *const names[2][2] = {{"longitudinal_deflection", "longitudinal_slip"},
                                            {"lateral_deflection", "lateral_slip"}};
    static const char *const results[2] = {"longitudinal", "lateral"};
    const crank_field *axis = crank_record_find(record, "axis");
    const bool traction = crank_record_find(record, "traction") != NULL;
    const double way = crank_force_number(record, "relaxation", 0.0);
    const double ways[2] = {crank_force_number(record, "traction_relaxation", way), way};
    const double mu = crank_force_number(record, "friction", 1.0);
    const double stiff[2] = {crank_force_number(record, "traction", 0.0) / mu,
                             crank_force_number(record, "cornering", 0.0) / mu};
    double slow = 0.0;
    crank_status status = axis != NULL ? find_slow(b, record, &slow, err) : CRANK_OK;
    if (status != CRANK_OK || axis == NULL) {
        return status;
    }
    wheel w;
    find_velocities(b, owner, at, axis->number, above, &w);
    const crank_ex rate[2] = {w.along, w.across};
    const crank_ex speed = transport(b, &w, traction, slow);
    crank_ex slip[2], sum = crank_force_constant(b, 0.0);
    for (int i = traction ? 0 : 1; i < 2 && status == CRANK_OK; i++) {
        status = relax(b, record, owner, names[i], rate[i], speed, ways[i], &slip[i], err);
        slip[i] = crank_force_scale(b, stiff[i], slip[i]);
        sum = crank_force_add(b, sum, square(b, slip[i]));
    }
    if (status != CRANK_OK) {
        return status;
    }
    const crank_ex factor = factor_of(b, record, sum, force);
    for (int i = traction ? 0 : 1; i < 2 && status == CRANK_OK; i++) {
        const crank_ex push = crank_force_mul(b, factor, slip[i]);
        crank_force_name(b, record, results[i], push);
        crank_build_unit(b, "N");
        crank_build_dissipated(b, owner,
                               crank_force_scale(b, -1.0, crank_force_mul(b, push, rate[i])));
        status = crank_build_effort_along_rate(b, owner, rate[i], push, err);
    }
    return status;
}
