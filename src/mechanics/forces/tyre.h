/* tyre.h - what the files of the tyre share: tyre.c its vertical force, tyre_slip.c those along
 * the road. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TYRE_H
#define CRANK_SRC_TYRE_H

#include "mechanics/forces/force.h"

/* lines of the key table */
#define CRANK_TYRE_SLIP_KEYS                                                                   \
    {"axis", CRANK_SHAPE_DIRECTION, false, NULL,                                               \
     "axle of the wheel to its left, in world axes at the start: with it forces along the "    \
     "road act, by slip (spatial models)"},                                                    \
        {"friction", CRANK_SHAPE_NUMBER, false, NULL,                                          \
         "with `axis`: largest force along the road over the vertical one"},                   \
        {"cornering", CRANK_SHAPE_NUMBER, false, NULL,                                         \
         "with `axis`: lateral force per lateral slip (sine of the slip angle) and vertical "  \
         "force, while slip is small"},                                                        \
        {"traction", CRANK_SHAPE_NUMBER, false, NULL,                                          \
         "with `axis`: the same along; none if not given, for a body that does not turn with " \
         "the wheel"},                                                                         \
        {"relaxation", CRANK_SHAPE_NUMBER, false, NULL,                                        \
         "with `axis`: way in which the lateral force follows slip"},                          \
        {"traction_relaxation", CRANK_SHAPE_NUMBER, false, NULL,                               \
         "with `traction`: the same along; `relaxation` if not given"},                        \
        {"shape", CRANK_SHAPE_NUMBER, false, NULL,                                             \
         "with `axis`: C of friction sin(C atan(slip/C)), from 1 (it does not fall) to 2; "    \
         "1.3 "                                                                                \
         "if not given"},                                                                      \
    {                                                                                          \
        "slow", CRANK_SHAPE_NUMBER, false, NULL,                                               \
            "with `axis`: speed of travel below which a standing wheel creeps; if not given "  \
            "a "                                                                               \
            "hundredth of sqrt(gravity radius)"                                                \
    }

/* The keys above: EMODEL if one of them makes no sense. lift: the road does not pull. */
crank_status crank_tyre_check_slip(const crank_builder *b, const crank_record *record,
                                   bool lift, crank_error *err);
/* Forces along the road on a wheel with the centre `at`, if the record has an axis. above: its
 * height over the road; force: the vertical one. */
crank_status crank_tyre_slip(crank_builder *b, const crank_record *record, crank_owner owner,
                             crank_marker at, crank_ex above, crank_ex force, crank_error *err);

#endif
