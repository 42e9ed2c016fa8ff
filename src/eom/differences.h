/* differences.h - Jacobian values by coloured differences. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_DIFFERENCES_H
#define CRANK_SRC_EOM_DIFFERENCES_H

#include "eom/flow.h"

typedef struct crank_differences {
    /* set by the owner */
    const crank_eom *eom;
    crank_flow_evaluate_fn *evaluate; /* all rows */
    crank_flow_mass_fn *mass;         /* on eom->mass_pattern; called only if M varies */
    void *self;
    const bool *wanted; /* m: rows to fill, NULL: all */
    const double *unit; /* n: of the unknowns, least sizes for steps; NULL: 1 */
    /* set by crank_differences_colour */
    int colours;
    int *colour_start; /* colours + 1, into order */
    int *order;        /* columns by colour */
    /* workspace */
    double *x, *step;
    double *k[2], *base; /* rows on either side; at the point itself */
    double *mass_values;
} crank_differences;

/* The step of an unknown: cbrt(eps) * max(|x|, unit), rounded so that x + step is exact. */
double crank_difference_step(double x, double unit);
void crank_differences_layout(crank_differences *differences, crank_arena *arena);
/* Groups the columns of the Jacobian's pattern; after layout. */
crank_status crank_differences_colour(crank_differences *differences, crank_error *err);
/* The same, each column a group of its own. */
void crank_differences_by_columns(crank_differences *differences);
/* values of dk/dx on the eom's pattern; dynamic rows are d(f_dyn - M vdot)/dx. */
crank_status crank_differences_jacobian(crank_differences *differences, double t,
                                        const double *x, const double *vdot, double *values,
                                        crank_error *err);

#endif
