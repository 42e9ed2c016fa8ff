/* mesh.c - teeth of two spur gears with involute flanks, in the plane. Their line of action is
 * the crossed tangent of the base circles b_k = r_k cos(pressure angle), on which the teeth
 * press:
 * as if a thread unwound from one and wound onto the other. With the distance d and the
 * direction psi of the second centre from the first, B = b_1 + b_2, angles theta_k of the
 * bodies,
 *     l = sqrt(d^2 - B^2),   a = atan2(l, B),
 *     g = s (l - B a) + B psi - b_1 theta_1 - b_2 theta_2 - constant = 0          theory (7.34)
 * whose gradient by the second centre is n = t cos(a) + s e sin(a), e along the line of
 * centres and t across it. s is 1 for the flanks that carry while the first gear drives
 * counterclockwise, -1 for the others; the other way round for an internal gear, r_2 < 0.
 * Centres may move: floating suns, and axles on springs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/joints/joint.h"

#include <math.h>
#include <string.h>

static const double usual_angle = 0.34906585039886592; /* 20 degrees */
/* of the sum of the radii: gears of ten teeth, shifted by a module, are as far apart */
static const double most_apart = 0.1;

static const crank_key_spec keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the first and the second gear"},
    {"at", CRANK_SHAPE_ENDS, false, NULL,
     "the centres of the gears; default: the origins of the bodies"},
    {"radii", CRANK_SHAPE_NUMBERS, true, NULL,
     "of the pitch circles, [r1, r2], m; r2 < 0: the second is an internal gear around the "
     "first"},
    {"pressure_angle", CRANK_SHAPE_NUMBER, false, NULL,
     "between the line of action and the pitch circles' tangent; default: 20 deg"},
    {"flank", CRANK_SHAPE_WORD, false, "ccw|cw",
     "which flanks carry: those by which the first gear drives counterclockwise (default) or "
     "clockwise"},
    CRANK_KEYS_END,
};

typedef struct teeth {
    const int *between;
    crank_marker centre[2];
    double base[2], sum; /* b_1, b_2, B */
    double s;            /* which tangent */
    double drives;       /* 1: the first gear counterclockwise */
} teeth;

static crank_status read_teeth(const crank_builder *b, const crank_record *record, teeth *m,
                               crank_error *err)
{
    const crank_field *at = crank_record_find(record, "at");
    const crank_field *radii = crank_record_find(record, "radii");
    const crank_field *pressure = crank_record_find(record, "pressure_angle");
    const crank_field *flank = crank_record_find(record, "flank");
    const double angle = pressure != NULL ? pressure->number[0] : usual_angle;
    const double origin[3] = {0.0, 0.0, 0.0};
    m->between = crank_record_find(record, "between")->index;
    if (radii->count != 2 || !(radii->number[0] > 0.0) ||
        !(radii->number[0] + radii->number[1] < 0.0 || radii->number[1] > 0.0)) {
        return crank_build_fail(record, "radii", err,
                                "two radii are needed, [r1, r2]: r1 > 0, and r2 > 0 or, of an "
                                "internal gear, r2 < -r1");
    }
    if (!(angle > 0.0 && angle < 1.0)) {
        return crank_build_fail(record, "pressure_angle", err,
                                "the pressure angle is %g rad, it must be above 0 and below 1",
                                angle);
    }
    if (at != NULL) {
        crank_build_ends(b, &at->ends, m->between, true, m->centre);
    }
    for (int k = 0; k < 2; k++) {
        m->base[k] = radii->number[k] * cos(angle);
        m->centre[k] =
            at != NULL ? m->centre[k] : crank_build_local_point(b, m->between[k], origin);
    }
    m->sum = m->base[0] + m->base[1];
    m->drives = flank != NULL && strcmp(flank->word, "cw") == 0 ? -1.0 : 1.0;
    m->s = m->sum > 0.0 ? m->drives : -m->drives;
    return CRANK_OK;
}

/* s (l - B a) of l */
static crank_ex along(crank_pool *pool, const teeth *m, crank_ex l)
{
    const crank_ex B = crank_ex_number(pool, m->sum);
    const crank_ex a = crank_ex_call(pool, CRANK_EX_ATAN2, l, B, 0);
    return crank_ex_mul(pool, crank_ex_number(pool, m->s),
                        crank_ex_sub(pool, l, crank_ex_mul(pool, B, a)));
}

static const char *name_of(const crank_builder *b, int body)
{
    return body >= 0 ? crank_build_mechanism(b)->body[body].name : "ground";
}

/* Pitch circles that do not touch: teeth may not reach each other, which nothing here knows. */
static void warn_apart(const crank_builder *b, const crank_record *record, const teeth *m,
                       double apart)
{
    const double *radii = crank_record_find(record, "radii")->number;
    const double sum = fabs(radii[0] + radii[1]);
    if (fabs(apart - sum) > most_apart * sum) {
        crank_log_write(
            &crank_build_mechanism(b)->options->log, CRANK_WARNING,
            "joint \"%.80s\": the centres of its gears are %.4g apart at the start, "
            "where the pitch circles touch at %.4g: teeth would press at %.3g deg, if "
            "they reach each other; check radii and positions",
            record->name, apart, sum, 57.29577951308232 * acos(fabs(m->sum) / apart));
    }
}

/* g, zero at the start; *radial: sin(a), the part of the force along the line of centres */
static crank_status constraint(crank_builder *b, const crank_record *record, const teeth *m,
                               crank_ex *g, crank_ex *radial, crank_error *err)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_vector d = crank_vector_between(m->centre[0], m->centre[1]);
    const int square = crank_build_product(b, d, d);
    const double apart = sqrt(crank_build_placed_value(b, record, square)), B = m->sum;
    crank_ex part[2];
    double start[2];
    if (!(apart > fabs(B) * (1.0 + 1e-9))) {
        return crank_build_fail(record, NULL, err,
                                "the centres of \"%.80s\" and \"%.80s\" are %g apart at the "
                                "start, the base circles need more than %g; give the bodies a "
                                "position, or joints that place them%s",
                                name_of(b, m->between[0]), name_of(b, m->between[1]), apart,
                                fabs(B),
                                B > 0.0 && apart > fabs(m->base[0] - m->base[1])
                                    ? "; an internal gear has a negative radius"
                                    : "");
    }
    warn_apart(b, record, m, apart);
    for (int k = 0; k < 2; k++) {
        double e[3] = {0.0, 0.0, 0.0};
        e[k] = 1.0;
        const int y =
            crank_build_product(b, crank_vector_of(crank_build_direction(b, -1, e)), d);
        part[k] = crank_build_value(b, y);
        start[k] = crank_build_placed_value(b, record, y);
    }
    const crank_ex l = crank_ex_call(
        pool, CRANK_EX_SQRT,
        crank_ex_sub(pool, crank_build_value(b, square), crank_ex_number(pool, B * B)), 0, 0);
    const double l0 = sqrt((apart - B) * (apart + B));
    double constant = m->s * (l0 - B * atan2(l0, B)) + B * atan2(start[1], start[0]);
    crank_ex rest = along(pool, m, l); /* g - B psi */
    for (int k = 0; k < 2; k++) {
        if (m->between[k] >= 0) {
            const int y = crank_build_angle(b, -1, m->between[k]);
            constant -= m->base[k] * crank_build_placed_value(b, record, y);
            rest = crank_ex_sub(
                pool, rest,
                crank_ex_mul(pool, crank_ex_number(pool, m->base[k]), crank_build_value(b, y)));
        }
    }
    rest = crank_ex_sub(pool, rest, crank_ex_number(pool, constant));
    const crank_ex psi = crank_build_turning_angle(b, part[1], part[0]);
    const crank_ex sum = crank_ex_number(pool, B);
    crank_build_tell_angle(b, psi, crank_ex_neg(pool, crank_ex_div(pool, rest, sum)));
    *g = crank_ex_add(pool, rest, crank_ex_mul(pool, sum, psi));
    *radial = crank_ex_div(
        pool, l, crank_ex_call(pool, CRANK_EX_SQRT, crank_build_value(b, square), 0, 0));
    return CRANK_OK;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    teeth m;
    crank_ex g = -1, radial = -1, lambda = -1;
    const int *between = crank_record_find(record, "between")->index;
    crank_status status =
        crank_joint_needs_rotation(b, record, between, "give it an inertia", err);
    CRANK_THEN(status, read_teeth(b, record, &m, err));
    CRANK_THEN(status, constraint(b, record, &m, &g, &radial, err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_build_reaction_point(b, owner, between[0], between[1], m.centre[1],
                               (crank_marker){.body = -1});
    const double z[3] = {0.0, 0.0, 1.0};
    const crank_marker axis[2] = {crank_build_direction(b, between[0], z),
                                  crank_build_direction(b, between[1], z)};
    crank_build_draw(b, owner, m.centre, axis, 0.0);
    crank_build_draw_pitch(b, owner, crank_record_find(record, "radii")->number);
    status = crank_build_holonomic(b, owner, g, "contact of teeth", &lambda, err);
    if (status == CRANK_OK) {
        crank_pool *pool = crank_build_pool(b);
        const crank_ex effort = crank_ex_neg(pool, lambda);
        crank_build_name(b, "joint", record->name, "effort", effort, true);
        crank_build_unit(b, "N");
        crank_build_name(b, "joint", record->name, "separation",
                         crank_ex_mul(pool, crank_ex_number(pool, m.drives),
                                      crank_ex_mul(pool, effort, radial)),
                         true);
    }
    return status;
}

const crank_joint_type crank_joint_mesh = {
    {"mesh",
     "teeth of two spur gears: they press along their line of action, also on the bearings",
     keys, 2},
    build,
    "gear",
    0};
