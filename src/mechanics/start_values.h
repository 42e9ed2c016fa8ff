/* start_values.h - values that a file leaves to the start: the rest length of a spring, the rest
 * angle of a torsion spring, the length of a rod. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_START_VALUES_H
#define CRANK_SRC_START_VALUES_H

#include "mechanics/system.h"

/* Positions at which the machine is assembled before its rods without a length are constraints:
 * they are as long as they are there, so that it stays there. */
typedef struct crank_first_start {
    double t;
    int count;             /* unknowns of positions, the last ones */
    double *given, *found; /* count */
    int messages;
    crank_level *level;
    const char **text;
    crank_initial_report report;
} crank_first_start;

/* Of the machine that the file describes, before its system is made. */
typedef struct crank_start_values {
    double *value; /* joints, then forces; NULL: as the file places the bodies */
    int *loose; /* joints: a body of which nothing says where it stands, -1: none; NULL: none */
    crank_first_start first; /* count 0: no rod asks */
} crank_start_values;

/* Is anything left to the start? Then the mechanism is assembled without it, by a builder of its
 * own that tells nobody anything, and all is kept in the mechanism's store. What a start cannot
 * be found for is told by the builder that comes after it. */
crank_status crank_start_values_find(crank_mechanism *m, crank_start_values *out,
                                     crank_error *err);

/* A copy for a system in absolute coordinates. */
crank_status crank_system_take_first(crank_system *s, const crank_builder *b, crank_error *err);
/* Positions x of a system become those, with what was told on the way; NULL: x is another. */
const crank_first_start *crank_system_begin_first(crank_system *s, double t, double *x,
                                                  crank_log log);

#endif
