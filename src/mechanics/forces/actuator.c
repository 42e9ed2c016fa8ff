/* actuator.c - a force along the coordinate of a joint, or between two points (positive: it
 * pushes them apart).
 *
 *     u = command + kp e + ki integral + kd e',      e = reference - of,   integral' = e
 *     e' exact, or with `filter` (e - z)/filter, z' = (e - z)/filter
 *     u limited: min(max(u, -limit), limit), or smoothly limit tanh(u/limit)
 *     lag:     F' = (u - F)/lag     force.NAME.state
 *     no lag:  0 = u - F      an auxiliary variable: u may depend on anything, also on F */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/forces/force.h"

#include <string.h>

static const crank_key_spec keys[] = {
    {"joint", CRANK_SHAPE_JOINT, false, NULL, "the joint on which it acts, or `between`"},
    {"coordinate", CRANK_SHAPE_WORD, false, "angle|length|angle1|angle2|length1|length2",
     "which coordinate of a joint that has several"},
    {"between", CRANK_SHAPE_BODIES, false, NULL, "the first and the second body"},
    {"at", CRANK_SHAPE_ENDS, false, NULL, "with `between`: the end on each body"},
    {"command", CRANK_SHAPE_EXPRESSION, false, NULL,
     "force or torque that is wanted, besides the controller's"},
    {"reference", CRANK_SHAPE_EXPRESSION, false, NULL,
     "of the controller: value that is wanted"},
    {"of", CRANK_SHAPE_EXPRESSION, false, NULL,
     "of the controller: quantity that shall follow; the coordinate if not given"},
    {"kp", CRANK_SHAPE_NUMBER, false, NULL, "gain of the difference; 0 if not given"},
    {"ki", CRANK_SHAPE_NUMBER, false, NULL, "gain of its integral; 0 if not given"},
    {"kd", CRANK_SHAPE_NUMBER, false, NULL, "gain of its rate; 0 if not given"},
    {"filter", CRANK_SHAPE_NUMBER, false, NULL,
     "time constant of the rate; the exact rate if not given"},
    {"limit", CRANK_SHAPE_NUMBER, false, NULL, "bound of force or torque u; none if not given"},
    {"saturation", CRANK_SHAPE_WORD, false, "sharp|smooth",
     "with `limit`: u as it is up to the bound, or limit tanh(u/limit); sharp if not given"},
    {"rotor", CRANK_SHAPE_ROTOR, false, NULL,
     "inertia J of its moving part, n times as fast as the coordinate: J n^2 along it; mass "
     "between two points; none if not given"},
    {"lag", CRANK_SHAPE_NUMBER, false, NULL,
     "time constant with which the force follows; none if not given"},
    {"start", CRANK_SHAPE_NUMBER, false, NULL,
     "with `lag`: force at the start; else where the search for it begins; 0 if not given"},
    CRANK_KEY_DERIVATIVES,
    CRANK_KEYS_END};

static crank_status check_keys(const crank_record *record, crank_error *err)
{
    static const char *const place[] = {"joint", "between", NULL};
    static const char *const positive[] = {"filter", "limit", "lag", NULL};
    static const char *const control[] = {"of", "kp", "ki", "kd", "filter", NULL};
    static const char *const gain[] = {"kp", "ki", "kd", NULL};
    const bool reference = crank_record_find(record, "reference") != NULL;
    const bool joint = crank_record_find(record, "joint") != NULL;
    bool any = false;
    crank_status status = crank_force_one_of(record, place, err);
    CRANK_THEN(status, crank_force_only(record, "coordinate", joint, "\"joint\"", err));
    CRANK_THEN(status, crank_force_only(record, "at", !joint, "\"between\"", err));
    CRANK_THEN(status,
               crank_force_only(record, "saturation",
                                crank_record_find(record, "limit") != NULL, "\"limit\"", err));
    CRANK_THEN(status,
               crank_force_only(record, "filter", crank_record_find(record, "kd") != NULL,
                                "\"kd\"", err));
    for (int i = 0; positive[i] != NULL && status == CRANK_OK; i++) {
        status = crank_force_check(record, positive[i], false, err);
    }
    for (int i = 0; control[i] != NULL && status == CRANK_OK && !reference; i++) {
        if (crank_record_find(record, control[i]) != NULL) {
            status = crank_build_fail(record, control[i], err,
                                      "\"%s\" belongs to a controller, which needs "
                                      "\"reference\"",
                                      control[i]);
        }
    }
    for (int i = 0; gain[i] != NULL; i++) {
        any = any || crank_record_find(record, gain[i]) != NULL;
    }
    if (status == CRANK_OK && reference && !any) {
        status = crank_build_fail(record, "reference", err,
                                  "a controller needs \"kp\", \"ki\" or \"kd\"");
    }
    if (status == CRANK_OK && !reference && crank_record_find(record, "command") == NULL) {
        status = crank_build_fail(record, NULL, err, "\"command\" or \"reference\" is missing");
    }
    return status;
}

/* (x - z)/T */
static crank_ex follow(crank_builder *b, crank_ex x, crank_ex z, double time)
{
    return crank_force_scale(b, 1.0 / time, crank_force_sub(b, x, z));
}

/* u before lag: as it is wanted, and limited */
typedef struct servo_command {
    crank_ex integral; /* -1: it has none */
    crank_ex sum, command;
} servo_command;

/* kp e + ki integral + kd e', with the states that it needs */
static crank_status control(crank_builder *b, const crank_record *record, crank_owner owner,
                            crank_ex coordinate, servo_command *own, crank_ex *out,
                            crank_error *err)
{
    const double ki = crank_force_number(record, "ki", 0.0);
    const double kd = crank_force_number(record, "kd", 0.0);
    const double filter = crank_force_number(record, "filter", 0.0);
    crank_ex wanted = -1;
    crank_ex found = coordinate;
    crank_status status =
        crank_force_expression(b, record, "reference", 0, NULL, NULL, NULL, &wanted, err);
    if (status == CRANK_OK && crank_record_find(record, "of") != NULL) {
        status = crank_force_expression(b, record, "of", 0, NULL, NULL, NULL, &found, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const crank_ex e = crank_force_sub(b, wanted, found);
    crank_ex sum = crank_force_scale(b, crank_force_number(record, "kp", 0.0), e);
    crank_force_name(b, record, "error", e);
    if (ki != 0.0) {
        const crank_ex integral = crank_build_dynamic(b, owner, "integral", 0.0, CRANK_FREE);
        own->integral = integral;
        sum = crank_force_add(b, sum, crank_force_scale(b, ki, integral));
        status = crank_build_dynamic_rate(b, owner, integral, e, err);
    }
    if (kd != 0.0 && filter == 0.0) {
        sum = crank_force_add(b, sum,
                              crank_force_scale(b, kd, crank_build_standing_derivative(b, e)));
    } else if (kd != 0.0 && status == CRANK_OK) {
        const double start = crank_build_start(b, e);
        const crank_ex z = crank_build_dynamic(b, owner, "filter", start == start ? start : 0.0,
                                               CRANK_PREFERRED);
        const crank_ex rate =
            crank_force_mul(b, crank_build_filter(b, z, e), follow(b, e, z, filter));
        sum = crank_force_add(b, sum, crank_force_scale(b, kd, rate));
        status = crank_build_dynamic_rate(b, owner, z, rate, err);
    }
    *out = sum;
    return status;
}

/* u within its limit */
static crank_ex saturate(crank_builder *b, const crank_record *record, double limit, crank_ex u)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_field *saturation = crank_record_find(record, "saturation");
    if (saturation != NULL && strcmp(saturation->word, "smooth") == 0) {
        const crank_ex ratio = crank_force_scale(b, 1.0 / limit, u);
        return crank_force_scale(b, limit, crank_ex_call(pool, CRANK_EX_TANH, ratio, 0, 0));
    }
    const crank_ex below =
        crank_ex_call(pool, CRANK_EX_MIN, u, crank_force_constant(b, limit), 0);
    return crank_ex_call(pool, CRANK_EX_MAX, below, crank_force_constant(b, -limit), 0);
}

static crank_status find_command(crank_builder *b, const crank_record *record,
                                 crank_owner owner, crank_ex coordinate, servo_command *out,
                                 crank_error *err)
{
    crank_ex part = -1;
    crank_status status = CRANK_OK;
    *out = (servo_command){.integral = -1, .sum = crank_force_constant(b, 0.0)};
    if (crank_record_find(record, "command") != NULL) {
        status =
            crank_force_expression(b, record, "command", 0, NULL, NULL, NULL, &out->sum, err);
    }
    if (status == CRANK_OK && crank_record_find(record, "reference") != NULL) {
        status = control(b, record, owner, coordinate, out, &part, err);
        out->sum = status == CRANK_OK ? crank_force_add(b, out->sum, part) : out->sum;
    }
    const double limit = crank_force_number(record, "limit", 0.0);
    out->command =
        status == CRANK_OK && limit > 0.0 ? saturate(b, record, limit, out->sum) : out->sum;
    return status;
}

/* The integral at which u = F, so that a force that the start finds stays:
 * integral + (s - sum)/ki, where saturate(s) = F, as near as the limit lets it. */
static void balance(crank_builder *b, const crank_record *record, servo_command u,
                    crank_ex force)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_field *saturation = crank_record_find(record, "saturation");
    const double limit = crank_force_number(record, "limit", 0.0);
    crank_ex sum = force;
    if (limit > 0.0 && saturation != NULL && strcmp(saturation->word, "smooth") == 0) {
        const crank_ex ratio = crank_force_scale(b, 1.0 / limit, force);
        sum = crank_force_scale(b, limit, crank_ex_call(pool, CRANK_EX_ATANH, ratio, 0, 0));
    } else if (limit > 0.0) {
        sum = saturate(b, record, limit, force);
    }
    const crank_ex rest = crank_force_scale(b, 1.0 / crank_force_number(record, "ki", 0.0),
                                            crank_force_sub(b, sum, u.sum));
    crank_build_balance(b, u.integral, crank_force_add(b, u.integral, rest), force);
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const double lag = crank_force_number(record, "lag", 0.0);
    const double start = crank_force_number(record, "start", 0.0);
    const crank_fixing fixing =
        crank_record_find(record, "start") != NULL ? CRANK_PREFERRED : CRANK_FREE;
    crank_force_way way = {0};
    servo_command u = {.integral = -1};
    int square = -1;
    crank_status status = check_keys(record, err);
    CRANK_THEN(status, crank_record_find(record, "joint") != NULL
                           ? crank_force_joint(b, record, &way, err)
                           : crank_force_distance(b, record, &way, &square, err));
    if (status != CRANK_OK) {
        return status;
    }
    if (square >= 0) {
        crank_force_length_pole(b, record, square);
        crank_force_name(b, record, "length", way.y);
        crank_force_name(b, record, "length_rate", way.rate);
    }
    const crank_ex force = lag > 0.0
                               ? crank_build_dynamic(b, owner, "state", start, fixing)
                               : crank_build_auxiliary(b, owner, "value", start, CRANK_FREE);
    crank_build_variable_kind(b, force, way.angle ? 'm' : 'f');
    crank_force_name(b, record, way.angle ? "torque" : "force", force);
    status = find_command(b, record, owner, way.y, &u, err);
    const crank_ex command = u.command;
    if (status == CRANK_OK && u.integral >= 0 && lag > 0.0) {
        balance(b, record, u, force);
    }
    const double limit = crank_force_number(record, "limit", 0.0);
    if (status == CRANK_OK && limit > 0.0 && lag > 0.0) {
        crank_build_bound(b, record->name, force, limit, lag);
    }
    if (status == CRANK_OK) {
        crank_force_name(b, record, "command", command);
        crank_build_unit(b, way.angle ? "N m" : "N");
        status = lag > 0.0 ? crank_build_dynamic_rate(b, owner, force,
                                                      follow(b, command, force, lag), err)
                           : crank_build_auxiliary_row(b, owner, force,
                                                       crank_force_sub(b, command, force), err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_supplied(b, owner, crank_force_mul(b, force, way.rate));
    status = crank_build_rotor(b, record, owner, "rotor", way.angle, way.rate, err);
    CRANK_THEN(status, crank_build_effort_along(b, owner, way.y, force, err));
    return status;
}

const crank_force_type crank_force_type_actuator = {
    {"actuator", "force by command or controller, with lag and limit", keys, 5},
    build,
    "actuator",
    0};
