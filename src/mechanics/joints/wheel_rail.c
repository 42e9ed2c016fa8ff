/* wheel_rail.c - a wheel of a wheelset on its rail: one constraint for the contact, creep
 * forces by slip. theory (7.38)-(7.40)
 *
 * In the axes of the track's frame, x ahead, y to the left, z up, with the wheel's centre W (on
 * the axle, fixed in the wheelset) and the rail's point Q (fixed in the frame):
 *     eta = +-(W - Q).y    how far the wheel is outwards (+ of the left rail)
 *     r  = radius + conicity eta + flange ([eta - clearance] - [-clearance])  its radius there
 *           [x] = eps log(1 + exp(x/eps)), eps = smoothing/4: x beyond 0, nothing before
 *     0   = (W - Q).z - r                                           it touches the rail
 * so that two wheels on an axle give it height and roll, and lateral forces by the slope of the
 * profile. N = -lambda is the vertical force on the wheel; a negative one means that the wheel
 * would lift. The point of the wheel on the rail moves by
 *     v_x = W'.x - r omega.y,   v_y = W'.y + r omega.x
 * relative to the rail, which rests in the world, and with xi = (c_x v_x, c_y v_y)/(mu v),
 *     F = -mu N xi/sqrt(1 + xi.xi),   v^2 = (W'.x)^2 + slow^2
 * c are Kalker's coefficients per load, about 150. Spin creep and the tilt of the contact plane
 * are left out. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "linalg/rotation.h"
#include "mechanics/forces/force.h"
#include "mechanics/joints/joint.h"

#include <math.h>

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL,
     "the track's frame (x ahead, y to the left, z up) and the wheelset"},
    {"at", CRANK_SHAPE_ENDS, true, NULL,
     "top of the rail, and the centre of the wheel on its axle"},
    {"radius", CRANK_SHAPE_NUMBER, true, NULL, "of the wheel where eta is zero"},
    {"conicity", CRANK_SHAPE_NUMBER, true, NULL, "growth of the radius outwards"},
    {"clearance", CRANK_SHAPE_NUMBER, true, NULL, "way outwards up to the flange"},
    {"flange", CRANK_SHAPE_NUMBER, false, NULL,
     "growth of the radius there, besides; 2.5 if not given"},
    {"smoothing", CRANK_SHAPE_NUMBER, false, NULL,
     "way over which the flange begins; a fifth of the clearance if not given"},
    {"friction", CRANK_SHAPE_NUMBER, true, NULL, "largest creep force over the load"},
    {"creep", CRANK_SHAPE_NUMBERS, true, NULL,
     "[along, across]: force per creep and load while it is small"},
    {"slow", CRANK_SHAPE_NUMBER, false, NULL,
     "speed below which creep is not told from rest; if not given a hundredth of sqrt(gravity "
     "radius)"},
    CRANK_KEYS_END,
};

typedef struct contact {
    crank_ex radius, load;
    crank_ex ahead;   /* W'.x */
    crank_ex slip[2]; /* v_x, v_y */
} contact;

static crank_status check_keys(const crank_builder *b, const crank_record *record,
                               crank_error *err)
{
    static const char *const positive[] = {"radius",   "clearance", "flange", "smoothing",
                                           "friction", "slow",      NULL};
    const crank_field *creep = crank_record_find(record, "creep");
    const double gravity = crank_norm3(crank_build_mechanism(b)->gravity);
    crank_status status = crank_joint_needs_rotation(
        b, record, crank_record_find(record, "between")->index, "it cannot roll", err);
    for (int i = 0; positive[i] != NULL && status == CRANK_OK; i++) {
        status = crank_force_check(record, positive[i], false, err);
    }
    CRANK_THEN(status, crank_force_check(record, "conicity", true, err));
    if (status == CRANK_OK &&
        (creep->count != 2 || !(creep->number[0] > 0.0 && creep->number[1] > 0.0))) {
        status = crank_build_fail(record, "creep", err,
                                  "two numbers are needed, more than zero: along, across");
    }
    if (status == CRANK_OK && gravity == 0.0 && crank_record_find(record, "slow") == NULL) {
        status = crank_build_fail(record, NULL, err,
                                  "\"slow\" is missing: without gravity nothing tells which "
                                  "speed is slow");
    }
    return status;
}

/* eta of the header, by the side on which the rail is in the frame */
static crank_ex find_displacement(crank_builder *b, const crank_marker at[2], crank_marker left)
{
    const crank_ex y = crank_build_value(
        b, crank_build_product(b, crank_vector_of(left), crank_vector_between(at[0], at[1])));
    return crank_force_scale(b, at[0].u[1] < 0.0 ? -1.0 : 1.0, y);
}

/* [x] of the header; exponents are never positive, on the side that is not used, too */
static crank_ex beyond(crank_builder *b, crank_ex x, double eps)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_ex zero = crank_force_constant(b, 0.0);
    crank_ex side[2];
    for (int i = 0; i < 2; i++) {
        const crank_ex away = i == 0 ? crank_ex_call(pool, CRANK_EX_MIN, x, zero, 0)
                                     : crank_ex_call(pool, CRANK_EX_MAX, x, zero, 0);
        const crank_ex fall = crank_ex_call(
            pool, CRANK_EX_EXP, crank_force_scale(b, (i == 0 ? 1.0 : -1.0) / eps, away), 0, 0);
        side[i] = crank_force_scale(b, eps, crank_ex_call(pool, CRANK_EX_LOG1P, fall, 0, 0));
    }
    return crank_ex_call(pool, CRANK_EX_IF, crank_ex_call(pool, CRANK_EX_LT, x, zero, 0),
                         side[0], crank_force_add(b, x, side[1]));
}

static crank_ex find_radius(crank_builder *b, const crank_record *record, crank_ex eta)
{
    const double clearance = crank_force_number(record, "clearance", 0.0);
    const double smoothing = crank_force_number(record, "smoothing", 0.2 * clearance);
    const double eps = 0.25 * smoothing, before = eps * log1p(exp(-clearance / eps));
    const crank_ex cone =
        crank_force_scale(b, crank_force_number(record, "conicity", 0.0), eta);
    const crank_ex flange = crank_force_scale(
        b, crank_force_number(record, "flange", 2.5),
        beyond(b, crank_force_sub(b, eta, crank_force_constant(b, clearance)), eps));
    const crank_ex radius =
        crank_force_constant(b, crank_force_number(record, "radius", 0.0) -
                                    crank_force_number(record, "flange", 2.5) * before);
    return crank_force_add(b, radius, crank_force_add(b, cone, flange));
}

static void find_slip(crank_builder *b, const crank_marker axis[3], crank_marker wheel,
                      contact *c)
{
    crank_ex move[2], turn[2];
    for (int i = 0; i < 2; i++) {
        const crank_vector e = crank_vector_of(axis[i]);
        move[i] = crank_build_rate(b, crank_build_slide(b, e, crank_vector_of(wheel)));
        turn[i] = crank_build_rate(b, crank_build_turn(b, e, -1, wheel.body));
    }
    c->ahead = move[0];
    c->slip[0] = crank_force_sub(b, move[0], crank_force_mul(b, c->radius, turn[1]));
    c->slip[1] = crank_force_add(b, move[1], crank_force_mul(b, c->radius, turn[0]));
}

/* creep forces */
static crank_status push(crank_builder *b, const crank_record *record, crank_owner owner,
                         const contact *c, crank_error *err)
{
    static const char *const name[2] = {"longitudinal", "lateral"};
    crank_pool *pool = crank_build_pool(b);
    const double gravity = crank_norm3(crank_build_mechanism(b)->gravity);
    const double slow = crank_force_number(
        record, "slow", 1e-2 * sqrt(gravity * crank_force_number(record, "radius", 0.0)));
    const double mu = crank_force_number(record, "friction", 1.0);
    const double *creep = crank_record_find(record, "creep")->number;
    const crank_ex speed =
        crank_ex_call(pool, CRANK_EX_SQRT,
                      crank_force_add(b, crank_force_mul(b, c->ahead, c->ahead),
                                      crank_force_constant(b, slow * slow)),
                      0, 0);
    crank_ex xi[2], square = crank_force_constant(b, 1.0);
    for (int i = 0; i < 2; i++) {
        xi[i] = crank_ex_div(pool, crank_force_scale(b, creep[i] / mu, c->slip[i]), speed);
        square = crank_force_add(b, square, crank_force_mul(b, xi[i], xi[i]));
    }
    const crank_ex most = crank_ex_div(pool, crank_force_scale(b, -mu, c->load),
                                       crank_ex_call(pool, CRANK_EX_SQRT, square, 0, 0));
    crank_status status = CRANK_OK;
    for (int i = 0; i < 2 && status == CRANK_OK; i++) {
        const crank_ex force = crank_force_mul(b, most, xi[i]);
        crank_build_name(b, "joint", record->name, name[i], force, true);
        crank_build_unit(b, "N");
        crank_build_dissipated(
            b, owner, crank_force_scale(b, -1.0, crank_force_mul(b, force, c->slip[i])));
        status = crank_build_effort_along_rate(b, owner, c->slip[i], force, err);
    }
    return status;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    static const double e[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const int *between = crank_record_find(record, "between")->index;
    crank_marker at[2], axis[3];
    crank_ex lambda;
    crank_status status = check_keys(b, record, err);
    if (status == CRANK_OK && between[1] < 0) {
        status = crank_build_fail(record, "between", err, "the ground cannot roll");
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_ends(b, &crank_record_find(record, "at")->ends, between, true, at);
    for (int i = 0; i < 3; i++) {
        axis[i] = crank_build_own_direction(b, record, between[0], e[i]);
    }
    const crank_ex eta = find_displacement(b, at, axis[1]);
    const crank_ex height =
        crank_build_value(b, crank_build_product(b, crank_vector_of(axis[2]),
                                                 crank_vector_between(at[0], at[1])));
    contact c = {.radius = find_radius(b, record, eta)};
    status = crank_build_holonomic(b, owner, crank_force_sub(b, height, c.radius), "contact",
                                   &lambda, err);
    if (status != CRANK_OK) {
        return status;
    }
    c.load = crank_force_scale(b, -1.0, lambda);
    crank_build_name(b, "joint", record->name, "displacement", eta, true);
    crank_build_unit(b, "m");
    crank_build_name(b, "joint", record->name, "load", c.load, true);
    crank_build_unit(b, "N");
    crank_build_reaction_point(b, owner, between[0], between[1], at[1], axis[1]);
    crank_build_draw(b, owner, at, NULL, 0.0);
    find_slip(b, axis, at[1], &c);
    crank_build_wheel_of_set(b, at[1], c.slip[0]);
    return push(b, record, owner, &c, err);
}

const crank_joint_type crank_joint_wheel_rail = {
    {"wheel_rail", "a wheel of a wheelset touches its rail and creeps on it", keys, 3},
    build,
    "none",
    0};
