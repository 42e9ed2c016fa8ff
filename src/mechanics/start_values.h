/* start_values.h - values that a file leaves to the start: the rest length of a spring, the rest
 * angle of a torsion spring, the length of a rod. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_START_VALUES_H
#define CRANK_SRC_START_VALUES_H

#include "mechanics/system.h"

/* Of the machine that the file describes, before its system is made. */
typedef struct crank_start_values {
    double *value; /* joints, then forces; NULL: as the file places the bodies */
    int *loose; /* joints: a body of which nothing says where it stands, -1: none; NULL: none */
    /* bodies, where they stand: a rod is as long as it is there; NULL: no rod asks */
    const crank_body_state *body;
} crank_start_values;

/* Is anything left to the start? Then the mechanism is assembled without it, by a builder of its
 * own that tells nobody anything, and all is kept in the mechanism's store. What a start cannot
 * be found for is told by the builder that comes after it. */
crank_status crank_start_values_find(crank_mechanism *m, crank_start_values *out,
                                     crank_error *err);

/* Bodies that the file does not place begin where they were found. */
void crank_build_place_as_found(crank_builder *b);

#endif
