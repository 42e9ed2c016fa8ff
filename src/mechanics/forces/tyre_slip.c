/* tyre_slip.c - forces of a tyre along the road: by slip, which the tread follows over a way of
 * relaxation. theory (7.47)-(7.50): the single contact point of [Pac12, 7.2] with one law for
 * both directions [Pac12, 4.3.2] and a tread that slides where it cannot hold.
 *
 * With the wheel's centre c, at the height h over the road, its axle a to the left, its angular
 * velocity omega (of the body), and directions along the road: t_y the horizontal part of a,
 * t_x ahead. The point of the wheel on the road, below c, moves by
 *     v_s = c' + omega x (-h z),   v_x = c'.t_x,   v_r = v_x - v_s.t_x
 * New tread comes into contact at the speed v, which is that of travelling for wheels that roll
 * or are locked and that of rolling for those that spin in place:
 *     v^2 = (v_x^2 + v_r^2 + (v_s.t_x)^2)/2 + (v_s.t_y)^2 + slow^2
 *     s = -c v_s/(mu v),   r^2 = s.s,   phi = sin(C atan(r/C))/r
 * with c of `traction` and `cornering`. The tread's deflections u, one along and one across, are
 * states, with way sigma each:
 *     u' = -(v_s + v u/(sigma phi)),   F = c N u/sigma
 * In steady state F = mu N phi s. A tread that slides is deflected by mu sigma/c at most,
 * whatever the slip, and a wheel that comes to a stop springs back by no more than that; then it
 * is held as by a spring (and creeps at `slow`). What F takes from the motion counts as
 * dissipated, also what the tread stores. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/forces/tyre.h"

#include "base/then.h"
#include "linalg/rotation.h"

#include <math.h>
#include <string.h>

/* r is never less: phi is 1 there to rounding, and its derivatives have digits */
static const double least_slip = 1e-5;
static const double usual_shape = 1.3; /* C, if it is not given */

/* cosine of the angle between a wheel's axle and its hinge, which are meant to be one: 5
 * degrees */
static const double aligned = 0.9962;

crank_status crank_tyre_check_slip(const crank_builder *b, const crank_record *record,
                                   bool lift, crank_error *err)
{
    static const char *const keys[] = {
        "friction", "cornering", "traction", "relaxation", "traction_relaxation",
        "shape",    "slow",      NULL};
    static const char *const needed[] = {"radius", "friction", "cornering", "relaxation", NULL};
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

/* Whether a hinge lets the body turn as wheels do, or nothing ties it at all. */
static bool can_turn(const crank_mechanism *m, int body)
{
    bool tied = false, hinged = false;
    for (int j = 0; j < m->joint_count; j++) {
        const crank_field *between = crank_record_find(&m->joint[j], "between");
        if (between != NULL && (between->index[0] == body || between->index[1] == body)) {
            tied = true;
            hinged = hinged || crank_record_has(&m->joint[j], CRANK_TURNS);
        }
    }
    return hinged || !tied;
}

/* joints of a body, without the welded ones */
static int count_joints(const crank_mechanism *m, int body)
{
    int count = 0;
    for (int j = 0; j < m->joint_count; j++) {
        const crank_field *between = crank_record_find(&m->joint[j], "between");
        count += between != NULL && !crank_record_has(&m->joint[j], CRANK_WELDS) &&
                         (between->index[0] == body || between->index[1] == body)
                     ? 1
                     : 0;
    }
    return count;
}

/* The wheel on a body that is none itself: other joints hold the body, and its hinges carry
 * bodies that nothing else holds; -1: none. */
static int carried_wheel(const crank_mechanism *m, int body)
{
    int wheel = -1, hinges = 0;
    for (int j = 0; j < m->joint_count; j++) {
        const crank_field *between = crank_record_find(&m->joint[j], "between");
        if (!crank_record_has(&m->joint[j], CRANK_TURNS) || between == NULL ||
            (between->index[0] != body && between->index[1] != body)) {
            continue;
        }
        hinges++;
        wheel = between->index[between->index[0] == body ? 1 : 0];
        if (wheel < 0 || count_joints(m, wheel) > 1) {
            return -1;
        }
    }
    return hinges > 0 && count_joints(m, body) > hinges ? wheel : -1;
}

static void warn_locked(const crank_mechanism *m, const crank_record *record)
{
    const int body = crank_record_find(record, "body")->index[0];
    const bool traction = crank_record_find(record, "traction") != NULL;
    const int wheel = carried_wheel(m, body);
    if (traction && wheel >= 0) {
        crank_log_write(&m->options->log, CRANK_WARNING,
                        "force \"%.80s\": body \"%.80s\" is held by other joints and does not "
                        "turn as a wheel, which is locked then; \"body: %.80s\", which its "
                        "hinge carries, does",
                        record->name, m->body[body].name, m->body[wheel].name);
    } else if (traction && !can_turn(m, body)) {
        crank_log_write(
            &m->options->log, CRANK_WARNING,
            "force \"%.80s\": body \"%.80s\" has no hinge to turn as a wheel, which "
            "is locked then; leave out \"traction\", or name the body that turns",
            record->name, m->body[body].name);
    }
}

/* A wheel whose hinge has another axis than its tyre. */
static void warn_across(crank_builder *b, const crank_record *record, const double axis[3])
{
    const crank_mechanism *m = crank_build_mechanism(b);
    const int body = crank_record_find(record, "body")->index[0];
    const crank_marker axle = crank_build_direction(b, body, axis);
    const char *name = NULL;
    double best = 0.0;
    for (int j = 0; j < m->joint_count; j++) {
        const crank_record *joint = &m->joint[j];
        const bool turns = crank_record_has(joint, CRANK_TURNS);
        const crank_field *between = turns ? crank_record_find(joint, "between") : NULL;
        const crank_field *hinge = turns ? crank_record_find(joint, "axis") : NULL;
        const int side = between != NULL && between->index[1] == body ? 1 : 0;
        if (between == NULL || hinge == NULL || between->index[side] != body) {
            continue;
        }
        crank_marker ends[2];
        crank_build_ends(b, &hinge->ends, between->index, false, ends);
        best = fmax(best, fabs(crank_dot3(ends[side].u, axle.u)) /
                              (crank_norm3(ends[side].u) * crank_norm3(axle.u)));
        name = joint->name;
    }
    if (name != NULL && best < aligned) {
        crank_log_write(&m->options->log, CRANK_WARNING,
                        "force \"%.80s\": its axis is %.3g degrees off that of joint "
                        "\"%.80s\", about which body \"%.80s\" turns",
                        record->name, acos(best) * 180.0 / acos(-1.0), name,
                        m->body[body].name);
    }
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
                            const double axis[3], crank_ex above, bool traction, wheel *w)
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
    if (traction) {
        crank_build_wheel(b, at.body, axle.marker[0], w->along);
    }
    crank_build_cosine_pole(b, owner, crank_build_product(b, world_axis(b, 2), axle),
                            "where its wheel lies flat and has no direction");
}

/* v of the header */
static crank_ex transport(crank_builder *b, const wheel *w, bool traction, double slow)
{
    const crank_ex ahead = square(b, w->ahead);
    const crank_ex rolled =
        traction ? square(b, crank_force_sub(b, w->ahead, w->along)) : ahead;
    const crank_ex both = crank_force_add(b, ahead, rolled);
    const crank_ex mean = crank_force_scale(
        b, 0.5, traction ? crank_force_add(b, both, square(b, w->along)) : both);
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
                                          "\"slow\" is missing: without gravity nothing "
                                          "tells which speed of travel is slow");
}

/* 1/phi of s.s */
static crank_ex sliding(crank_builder *b, const crank_record *record, crank_ex slip_square)
{
    crank_pool *pool = crank_build_pool(b);
    const double C = crank_force_number(record, "shape", usual_shape);
    const crank_ex r = square_root(
        b, crank_force_add(b, slip_square, crank_force_constant(b, least_slip * least_slip)));
    const crank_ex angle = crank_force_scale(
        b, C, crank_ex_call(pool, CRANK_EX_ATAN, crank_force_scale(b, 1.0 / C, r), 0, 0));
    return crank_ex_div(pool, r, crank_ex_call(pool, CRANK_EX_SIN, angle, 0, 0));
}

/* one direction: u with its equation, and its force. stiffness: c N/sigma; carried: v/(sigma
 * phi) */
static crank_status push(crank_builder *b, const crank_record *record, crank_owner owner,
                         const char *const names[2], crank_ex rate, crank_ex carried,
                         crank_ex stiffness, crank_error *err)
{
    const crank_ex u = crank_build_dynamic(b, owner, names[0], 0.0, CRANK_PREFERRED);
    crank_build_variable_kind(b, u, 't');
    const crank_ex sum = crank_force_add(b, rate, crank_force_mul(b, carried, u));
    const crank_ex force = crank_force_mul(b, stiffness, u);
    crank_status status =
        crank_build_dynamic_rate(b, owner, u, crank_force_scale(b, -1.0, sum), err);
    crank_force_name(b, record, names[1], force);
    crank_build_unit(b, "N");
    crank_build_dissipated(b, owner,
                           crank_force_scale(b, -1.0, crank_force_mul(b, force, rate)));
    CRANK_THEN(status, crank_build_effort_along_rate(b, owner, rate, force, err));
    return status;
}

crank_status crank_tyre_slip(crank_builder *b, const crank_record *record, crank_owner owner,
                             crank_marker at, crank_ex above, crank_ex force, crank_error *err)
{
    static const char *const slips[2] = {"longitudinal_slip", "lateral_slip"};
    static const char *const names[2][2] = {{"longitudinal_deflection", "longitudinal"},
                                            {"lateral_deflection", "lateral"}};
    const crank_field *axis = crank_record_find(record, "axis");
    const int first = crank_record_find(record, "traction") != NULL ? 0 : 1;
    const double way = crank_force_number(record, "relaxation", 0.0);
    const double ways[2] = {crank_force_number(record, "traction_relaxation", way), way};
    const double stiff[2] = {crank_force_number(record, "traction", 0.0),
                             crank_force_number(record, "cornering", 0.0)};
    const double mu = crank_force_number(record, "friction", 1.0);
    double slow = 0.0;
    crank_status status = axis != NULL ? find_slow(b, record, &slow, err) : CRANK_OK;
    if (status != CRANK_OK || axis == NULL) {
        return status;
    }
    warn_locked(crank_build_mechanism(b), record);
    if (first == 0) {
        warn_across(b, record, axis->number);
    }
    wheel w;
    find_velocities(b, owner, at, axis->number, above, first == 0, &w);
    const crank_ex rate[2] = {w.along, w.across};
    const crank_ex speed = transport(b, &w, first == 0, slow);
    crank_ex sum = crank_force_constant(b, 0.0);
    for (int i = first; i < 2; i++) {
        const crank_ex slip =
            crank_force_scale(b, -1.0, crank_ex_div(crank_build_pool(b), rate[i], speed));
        crank_force_name(b, record, slips[i], slip);
        sum = crank_force_add(b, sum, square(b, crank_force_scale(b, stiff[i] / mu, slip)));
    }
    const crank_ex carried = crank_force_mul(b, speed, sliding(b, record, sum));
    const crank_eom_tread tread = {.stiff = {stiff[0], stiff[1]},
                                   .friction = mu,
                                   .shape = crank_force_number(record, "shape", usual_shape),
                                   .slow = slow};
    crank_build_tread(b, record, first == 0, &tread);
    for (int i = first; i < 2 && status == CRANK_OK; i++) {
        status = push(b, record, owner, names[i], rate[i],
                      crank_force_scale(b, 1.0 / ways[i], carried),
                      crank_force_scale(b, stiff[i] / ways[i], force), err);
    }
    return status;
}
