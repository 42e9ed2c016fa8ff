/* stop.c - elastic ends of the range of a joint's coordinate y with rate v: beyond them the
 * depth d = y - upper, or lower - y, is pushed back with
 *
 *     F = stiffness d max(1 + damping d', 0)                                  [HC75]
 *
 * which begins at zero and never pulls. Effort -F, or F, along y. Stored is stiffness d^2/2, and
 * what F does besides is lost. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/forces/force.h"

static const crank_key_spec keys[] = {
    {"joint", CRANK_SHAPE_JOINT, true, NULL, "the joint whose coordinate has ends"},
    {"coordinate", CRANK_SHAPE_WORD, false, "angle|length|angle1|angle2|length1|length2",
     "which coordinate of a joint that has several"},
    {"lower", CRANK_SHAPE_NUMBER, false, NULL, "value below which it is pushed back"},
    {"upper", CRANK_SHAPE_NUMBER, false, NULL, "value above which it is pushed back"},
    {"stiffness", CRANK_SHAPE_NUMBER, true, NULL, "force or torque per depth"},
    {"damping", CRANK_SHAPE_NUMBER, false, NULL,
     "part by which that grows per rate of the depth; 0 if not given"},
    CRANK_KEYS_END};

/* one end; all but the depth are zero if that is below zero */
typedef struct end {
    crank_ex push;   /* d max(1 + c d', 0) */
    crank_ex stored; /* d^2/2 */
    crank_ex lost;   /* d d' (max(1 + c d', 0) - 1) */
} end;

static end reach(crank_builder *b, crank_ex depth, crank_ex rate, double damping)
{
    crank_pool *pool = crank_build_pool(b);
    const crank_ex zero = crank_force_constant(b, 0.0), one = crank_force_constant(b, 1.0);
    const crank_ex in = crank_ex_call(pool, CRANK_EX_LT, zero, depth, 0);
    const crank_ex d = crank_ex_call(pool, CRANK_EX_IF, in, depth, zero);
    const crank_ex factor = crank_force_add(b, one, crank_force_scale(b, damping, rate));
    const crank_ex part = crank_ex_call(pool, CRANK_EX_MAX, factor, zero, 0);
    const crank_ex more = crank_force_mul(b, rate, crank_force_sub(b, part, one));
    return (end){
        .push = crank_ex_call(pool, CRANK_EX_IF, in, crank_force_mul(b, depth, part), zero),
        .stored = crank_force_scale(b, 0.5, crank_force_mul(b, d, d)),
        .lost = crank_force_mul(b, d, more)};
}

static crank_status check(const crank_record *record, crank_error *err)
{
    const crank_field *lower = crank_record_find(record, "lower");
    const crank_field *upper = crank_record_find(record, "upper");
    if (lower == NULL && upper == NULL) {
        return crank_build_fail(record, NULL, err, "one of \"lower\", \"upper\" is missing");
    }
    if (lower != NULL && upper != NULL && !(lower->number[0] <= upper->number[0])) {
        return crank_build_fail(record, "lower", err, "lower is %g, above upper, %g",
                                lower->number[0], upper->number[0]);
    }
    crank_status status = crank_force_check(record, "stiffness", false, err);
    CRANK_THEN(status, crank_force_check(record, "damping", true, err));
    return status;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    crank_force_way way = {0};
    crank_status status = check(record, err);
    CRANK_THEN(status, crank_force_joint(b, record, &way, err));
    if (status != CRANK_OK) {
        return status;
    }
    const double stiffness = crank_force_number(record, "stiffness", 0.0);
    const double damping = crank_force_number(record, "damping", 0.0);
    const crank_field *lower = crank_record_find(record, "lower");
    const crank_field *upper = crank_record_find(record, "upper");
    crank_ex force = crank_force_constant(b, 0.0);
    for (int k = 0; k < 2; k++) {
        const crank_field *own = k == 0 ? upper : lower;
        const double out = k == 0 ? 1.0 : -1.0;
        if (own == NULL) {
            continue;
        }
        const crank_ex beyond =
            crank_force_sub(b, way.y, crank_force_constant(b, own->number[0]));
        const end e = reach(b, crank_force_scale(b, out, beyond),
                            crank_force_scale(b, out, way.rate), damping);
        force = crank_force_sub(b, force, crank_force_scale(b, out, e.push));
        crank_build_potential(b, owner, crank_force_scale(b, stiffness, e.stored));
        if (damping > 0.0) {
            crank_build_dissipated(b, owner, crank_force_scale(b, stiffness, e.lost));
        }
    }
    force = crank_force_scale(b, stiffness, force);
    crank_force_name(b, record, way.angle ? "torque" : "force", force);
    return crank_build_effort_along_rate(b, owner, way.rate, force, err);
}

const crank_force_type crank_force_type_stop = {
    {"stop", "elastic ends of the range of a joint", keys, 5}, build, "none", 0};
