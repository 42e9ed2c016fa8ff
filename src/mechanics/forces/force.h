/* force.h - what forces share: numbers of keys, expressions with local names, and the
 * coordinate along which a force acts. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_FORCE_H
#define CRANK_SRC_FORCE_H

#include "mechanics/build.h"

/* the key that all forces have */
#define CRANK_KEY_DERIVATIVES                                                                  \
    {                                                                                          \
        "derivatives", CRANK_SHAPE_WORD, false, "analytic|differences|neglected",              \
            "what Newton's iteration knows of it: formulas, differences, or nothing of how "   \
            "it changes "                                                                      \
            "with the motion; `analytic` if not given"                                         \
    }

static inline bool crank_force_in_plane(const crank_builder *b)
{
    return crank_build_mechanism(b)->dimension == 2;
}

/* Number of a key, or what it is if the key is not given. */
double crank_force_number(const crank_record *record, const char *key, double otherwise);
/* EMODEL unless the number of a key is positive (zero: or zero) or not given. */
crank_status crank_force_check(const crank_record *record, const char *key, bool zero,
                               crank_error *err);
/* Exactly one of the keys (a list ending with NULL) must be given. */
crank_status crank_force_one_of(const crank_record *record, const char *const *keys,
                                crank_error *err);
/* EMODEL if a key is given that means nothing here: "axis" is only for "between". */
crank_status crank_force_only(const crank_record *record, const char *key, bool meaningful,
                              const char *with, crank_error *err);
/* EMODEL if the body is a point mass. */
crank_status crank_force_needs_rotation(const crank_builder *b, const crank_record *record,
                                        const char *key, int body, crank_error *err);

/* expressions: number, product with a number, sum, difference, product */
crank_ex crank_force_constant(crank_builder *b, double value);
crank_ex crank_force_scale(crank_builder *b, double factor, crank_ex ex);
crank_ex crank_force_add(crank_builder *b, crank_ex x, crank_ex y);
crank_ex crank_force_sub(crank_builder *b, crank_ex x, crank_ex y);
crank_ex crank_force_mul(crank_builder *b, crank_ex x, crank_ex y);
/* max(x, 0) with a corner rounded over about eps > 0: (x + sqrt(x^2 + eps^2))/2, without
 * cancellation. */
crank_ex crank_force_positive(crank_builder *b, crank_ex x, crank_ex eps);

/* Component i of an expression key, named quantities resolved; local names first|second stand
 * for value[2]. */
crank_status crank_force_expression(crank_builder *b, const crank_record *record,
                                    const char *key, int i, const char *first,
                                    const char *second, const crank_ex value[2], crank_ex *out,
                                    crank_error *err);

/* A point of one body from the keys `at` (world at the start) or `local` (body axes, from the
 * origin); its origin if there is neither. */
crank_status crank_force_point(crank_builder *b, const crank_record *record, int body,
                               crank_marker *out, crank_error *err);

/* A length or an angle with its rate. */
typedef struct crank_force_way {
    crank_ex y, rate;
    bool angle;
} crank_force_way;

/* Does the force act between two ends, `between` and `at`, as springs do? */
bool crank_force_has_length(const crank_record *record);
/* The distance of the points of `between` and `at`. */
crank_status crank_force_distance(crank_builder *b, const crank_record *record,
                                  crank_force_way *way, int *square, crank_error *err);
/* It has no direction where that distance is zero. */
void crank_force_length_pole(crank_builder *b, const crank_record *record, int square);
/* The coordinate of `joint` (and `coordinate`, if it has several). */
crank_status crank_force_joint(crank_builder *b, const crank_record *record,
                               crank_force_way *way, crank_error *err);
/* The angle of the second body of `between` about `axis`, zero at the start. */
crank_status crank_force_angle(crank_builder *b, const crank_record *record,
                               crank_force_way *way, crank_error *err);
/* The resistance (tension, torque against a growing coordinate) of `stiffness`, `preload` and
 * `damping`, `law` or `table` with the energies; rest: key of the rest value. The force along
 * the coordinate is minus that. */
crank_status crank_force_spring(crank_builder *b, const crank_record *record, crank_owner owner,
                                const crank_force_way *way, const char *rest,
                                crank_ex *resistance, crank_error *err);
/* force.NAME.quantity, a column of results. */
void crank_force_name(crank_builder *b, const crank_record *record, const char *quantity,
                      crank_ex ex);

#endif
