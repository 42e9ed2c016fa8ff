/* flow.h - hidden constraints gI, gII, hI by differences along the motion, for those who
 * supply none and for the derivative checker. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_FLOW_H
#define CRANK_SRC_EOM_FLOW_H

#include "eom/eom.h"

typedef crank_status crank_flow_evaluate_fn(void *self, double t, const double *x, double *k,
                                            crank_error *err);
typedef crank_status crank_flow_mass_fn(void *self, double t, const double *x, double *values,
                                        crank_error *err);

typedef struct crank_flow {
    /* set by the owner */
    const crank_eom *eom; /* sizes, offsets, mass pattern */
    /* all rows but gII and hI (and gI if not from_velocity) */
    crank_flow_evaluate_fn *evaluate;
    crank_flow_mass_fn *mass; /* on eom->mass_pattern; not called if M = I */
    void *self;
    bool from_velocity; /* gII is the derivative of the rows gI, not of g */
    /* workspace */
    double *x, *k;                   /* a neighbouring point and its rows */
    double *vdot, *pdot, *pddot;     /* derivatives along the motion */
    double *mass_values, *mass_full; /* full: factors, nv x nv, only if M is not diagonal */
    int *mass_pivot;
    double *cs, *cs_step; /* c_s, factored, ns x ns; a Newton step for s */
    int *cs_pivot;
    double *gI, *gII, *hI; /* results */
    double *low;           /* 2 nl + nm: the same results of lower order, to judge the step */
    /* rounding of the last results per size of the rows they are made of (crank_hidden_rounding) */
    double rounding[CRANK_HIDDEN_ROUNDINGS];
} crank_flow;

void crank_flow_layout(crank_flow *flow, crank_arena *arena);

/* vdot, and the factors of M and c_s, at (t, x), where the rows are k. */
crank_status crank_flow_prepare(crank_flow *flow, double t, const double *x, const double *k,
                                crank_error *err);
/* After prepare: fills gI, gII and hI. */
crank_status crank_flow_levels(crank_flow *flow, double t, const double *x, const double *k,
                               crank_error *err);
/* y := M^-1 y with the prepared factors. */
void crank_flow_mass_solve(const crank_flow *flow, double *y);

#endif
