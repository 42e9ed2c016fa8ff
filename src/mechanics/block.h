/* block.h - a mechanism in joint coordinates as the text of a Modelica model: its recursion as
 * equations, efforts in and coordinates out. joint/block.c */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MECHANICS_BLOCK_H
#define CRANK_SRC_MECHANICS_BLOCK_H

#include "eom/eom.h"
#include "symbolic/symbolic.h"

/* Of a mechanism in joint coordinates. CRANK_EREFUSED, by name, with what a block cannot have:
 * loops, balls, screws, bodies that are led, forces, equations of the file's own. */
crank_status crank_mechanism_check_block(const crank_eom *eom, crank_error *err);

/* By p: what a joint calls its coordinate is sign p + offset. */
typedef struct crank_block_coordinate {
    double sign, offset;
} crank_block_coordinate;
/* Of one that was checked. x: where it starts. */
crank_status crank_mechanism_write_block(const crank_eom *eom, const double *x,
                                         const crank_block_coordinate *coordinate,
                                         const char *name, crank_text *text, crank_error *err);

#endif
