/* friction.c - smooth friction in a joint, along its coordinate with rate v:
 *
 *     F = (F_c + (F_s - F_c) exp(-(v/v_s)^2)) tanh(v/slip) + viscous v
 *
 * F_c is a given level, or under load coefficient * radius * N with N = sqrt(sum lambda^2 +
 * least^2) over the multipliers of the joint's rows "translation along ...", the force that the
 * joint transmits (its moments are left out); for sliding joints radius is 1. F_s (static) is
 * given in the same way. least rounds the corner at N = 0. With `scale` all of F is multiplied by
 * that expression: a brake that is applied. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/forces/force.h"

#include <float.h>
#include <math.h>

static const crank_key_spec keys[] = {
    {"joint", CRANK_SHAPE_JOINT, true, NULL, "the joint in which it acts"},
    {"coordinate", CRANK_SHAPE_WORD, false, "angle|length|angle1|angle2|length1|length2",
     "which coordinate of a joint that has several"},
    {"level", CRANK_SHAPE_NUMBER, false, NULL, "force or torque of dry friction"},
    {"coefficient", CRANK_SHAPE_NUMBER, false, NULL,
     "instead of `level`: friction under load, per force that the joint transmits"},
    {"radius", CRANK_SHAPE_NUMBER, false, NULL,
     "with `coefficient`: radius of the bearing; needed for angles"},
    {"static", CRANK_SHAPE_NUMBER, false, NULL,
     "level or coefficient at rest; the same as in motion if not given"},
    {"stribeck", CRANK_SHAPE_NUMBER, false, NULL,
     "with `static`: rate over which it falls to that in motion; 10 times `slip` if not given"},
    {"viscous", CRANK_SHAPE_NUMBER, false, NULL, "force or torque per rate; 0 if not given"},
    {"slip", CRANK_SHAPE_NUMBER, true, NULL,
     "rate over which dry friction changes its sign, small"},
    {"scale", CRANK_SHAPE_EXPRESSION, false, NULL,
     "factor of all of it, an expression: how much a brake is applied; 1 if not given"},
    CRANK_KEY_DERIVATIVES,
    CRANK_KEYS_END};

enum { MOST_ROWS = 3 };
/* load, as a part of the natural force, below which its root is rounded off */
static const double tiny = 1e-8;

static crank_status check_keys(const crank_record *record, crank_error *err)
{
    static const char *const level[] = {"level", "coefficient", NULL};
    static const char *const positive[] = {"radius", "stribeck", "slip", NULL};
    static const char *const sizes[] = {"level", "coefficient", "static", "viscous", NULL};
    crank_status status = crank_force_one_of(record, level, err);
    for (int i = 0; positive[i] != NULL && status == CRANK_OK; i++) {
        status = crank_force_check(record, positive[i], false, err);
    }
    for (int i = 0; sizes[i] != NULL && status == CRANK_OK; i++) {
        status = crank_force_check(record, sizes[i], true, err);
    }
    if (status == CRANK_OK && crank_record_find(record, "stribeck") != NULL &&
        crank_record_find(record, "static") == NULL) {
        status = crank_build_fail(record, "stribeck", err, "\"stribeck\" needs \"static\"");
    }
    return status;
}

/* radius * N, or 1 for a given level */
static crank_status find_load(crank_builder *b, const crank_record *record, bool angle,
                              crank_ex *out, crank_error *err)
{
    const int joint = crank_record_find(record, "joint")->index[0];
    const char *name = crank_build_mechanism(b)->joint[joint].name;
    const bool has_radius = crank_record_find(record, "radius") != NULL;
    const bool loaded = crank_record_find(record, "coefficient") != NULL;
    *out = crank_force_constant(b, 1.0);
    if (has_radius != (loaded && angle)) {
        return crank_build_fail(record, has_radius ? "radius" : NULL, err,
                                has_radius ? "\"radius\" is for angles under load only"
                                           : "\"radius\" is missing: friction under load of an "
                                             "angle needs the radius of the bearing");
    }
    if (!loaded) {
        return CRANK_OK;
    }
    crank_ex lambda[MOST_ROWS];
    const int rows =
        crank_build_find_multipliers(b, joint, "translation along", lambda, MOST_ROWS);
    if (rows == 0 || rows > MOST_ROWS) {
        return crank_build_fail(record, "joint", err,
                                "joint \"%.80s\" holds no point in place, so that there is no "
                                "load; \"level\" gives a constant friction",
                                name);
    }
    /* where nothing tells how large forces are no more than 0/0 in the slope is kept away: the
     * smallest square */
    const double least = tiny * crank_build_natural_force(b);
    crank_ex sum = crank_force_constant(b, fmax(least * least, DBL_MIN));
    for (int i = 0; i < rows; i++) {
        sum = crank_force_add(b, sum, crank_force_mul(b, lambda[i], lambda[i]));
    }
    const crank_ex load = crank_ex_call(crank_build_pool(b), CRANK_EX_SQRT, sum, 0, 0);
    crank_force_name(b, record, "load", load);
    *out = crank_force_scale(b, crank_force_number(record, "radius", 1.0), load);
    return CRANK_OK;
}

/* the factor of tanh: level, or coefficient, falling from its static value */
static crank_ex find_level(crank_builder *b, const crank_record *record, crank_ex rate)
{
    crank_pool *pool = crank_build_pool(b);
    const double slip = crank_force_number(record, "slip", 1.0);
    const double moving =
        crank_force_number(record, "level", crank_force_number(record, "coefficient", 0.0));
    const double rest = crank_force_number(record, "static", moving);
    const double stribeck = crank_force_number(record, "stribeck", 10.0 * slip);
    const crank_ex ratio = crank_force_scale(b, 1.0 / stribeck, rate);
    const crank_ex bell = crank_ex_call(
        pool, CRANK_EX_EXP, crank_force_scale(b, -1.0, crank_force_mul(b, ratio, ratio)), 0, 0);
    return crank_force_add(b, crank_force_constant(b, moving),
                           crank_force_scale(b, rest - moving, bell));
}

/* for studies, which let it hold what rests */
static void tell(crank_builder *b, const crank_record *record, bool angle)
{
    const crank_field *which = crank_record_find(record, "coordinate");
    const bool loaded = crank_record_find(record, "coefficient") != NULL;
    const double radius = crank_force_number(record, "radius", 1.0);
    const double slip = crank_force_number(record, "slip", 1.0);
    const double moving = crank_force_number(record, loaded ? "coefficient" : "level", 0.0);
    const crank_eom_friction friction = {
        .turns = angle,
        .moving = radius * moving,
        .still = radius * crank_force_number(record, "static", moving),
        .stribeck = crank_force_number(record, "stribeck", 10.0 * slip),
        .slip = slip,
        .viscous = crank_force_number(record, "viscous", 0.0)};
    crank_build_friction(b, record,
                         which != NULL ? which->word
                         : angle       ? "angle"
                                       : "length",
                         loaded, crank_record_find(record, "scale") != NULL, &friction);
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_force_way way = {0};
    crank_ex load = -1, scale = -1;
    const bool scaled = crank_record_find(record, "scale") != NULL;
    crank_status status = check_keys(record, err);
    CRANK_THEN(status, crank_force_joint(b, record, &way, err));
    CRANK_THEN(status, find_load(b, record, way.angle, &load, err));
    if (status == CRANK_OK && scaled) {
        status = crank_force_expression(b, record, "scale", 0, NULL, NULL, NULL, &scale, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const double slip = crank_force_number(record, "slip", 1.0);
    const crank_ex step = crank_ex_call(crank_build_pool(b), CRANK_EX_TANH,
                                        crank_force_scale(b, 1.0 / slip, way.rate), 0, 0);
    const crank_ex dry =
        crank_force_mul(b, crank_force_mul(b, find_level(b, record, way.rate), load), step);
    crank_ex force = crank_force_add(
        b, dry, crank_force_scale(b, crank_force_number(record, "viscous", 0.0), way.rate));
    if (scaled) {
        force = crank_force_mul(b, scale, force);
        crank_force_name(b, record, "scale", scale);
    }
    crank_build_dissipated(b, owner, crank_force_mul(b, force, way.rate));
    crank_force_name(b, record, way.angle ? "torque" : "force", force);
    tell(b, record, way.angle);
    return crank_build_effort_along(b, owner, way.y, crank_force_scale(b, -1.0, force), err);
}

const crank_force_type crank_force_type_friction = {
    {"friction", "smooth dry and viscous friction in a joint", keys, 5}, build, "none", 0};
