/* driver.c - a quantity prescribed in time: of - is(t) = 0. Its effort -lambda and its power
 * -lambda is'(t), which is supplied (energy.c), are results. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

#include <string.h>

static const crank_key_spec keys[] = {
    {"of", CRANK_SHAPE_EXPRESSION, true, NULL,
     "what is driven: joint.j.angle, body.a.x or an expression of such positions"},
    {"is", CRANK_SHAPE_EXPRESSION, false, NULL,
     "its value, an expression of t with a continuous rate"},
    {"table", CRANK_SHAPE_TABLE, false, "spline|extrapolate", "its value, from (t, value)"},
    CRANK_KEYS_END,
};

/* Of the effort along a quantity that stands alone; NULL: it is an expression. */
static const char *unit_along(crank_builder *b, crank_ex of)
{
    static const char *const angles[] = {"angle", "angle1", "angle2", "roll", "pitch", "yaw"};
    static const char *const lengths[] = {"length", "length1", "length2", "x",
                                          "y",      "z",       "height"};
    const char *name = crank_ex_symbol_name(crank_build_pool(b), of);
    const char *dot = name != NULL ? strrchr(name, '.') : NULL;
    for (size_t i = 0; dot != NULL && i < sizeof angles / sizeof *angles; i++) {
        if (strcmp(dot + 1, angles[i]) == 0) {
            return "N m";
        }
    }
    for (size_t i = 0; dot != NULL && i < sizeof lengths / sizeof *lengths; i++) {
        if (strcmp(dot + 1, lengths[i]) == 0) {
            return "N";
        }
    }
    return NULL;
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const crank_field *of = crank_record_find(record, "of");
    crank_ex quantity, value, lambda;
    crank_status status =
        crank_build_resolve(b, record, of, of->ex[0], 0, NULL, NULL, &quantity, err);
    if (status == CRANK_OK) {
        status = crank_joint_prescribed(b, record, &value, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    status = crank_build_holonomic(b, owner, crank_ex_sub(crank_build_pool(b), quantity, value),
                                   "drive", &lambda, err);
    if (status == CRANK_OK) {
        crank_joint_drive_results(b, record, "", unit_along(b, of->ex[0]), lambda, value);
    }
    return status;
}

const crank_joint_type crank_joint_driver = {
    {"driver", "prescribes a coordinate or a position as a function of time", keys, 5},
    build,
    "none",
    CRANK_RELATES};
