/* formulate.h - what the formulations share inside this directory. A new formulation is one
 * file, one create function here and one line in formulate.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_FORMULATE_H
#define CRANK_SRC_FORMULATE_H

#include "formulate/mass.h"
#include "problem/problem.h"

#include "eom/eom.h"
#include "formulate/reduction.h"

/* name: which one, of those that a function makes */
typedef crank_status crank_formulation_create_fn(const char *name, crank_eom *eom,
                                                 const crank_options *options, double t0,
                                                 const double *x0, crank_log log,
                                                 crank_problem **out, crank_error *err);

crank_formulation_create_fn crank_psf_create;       /* peom1, overdetermined */
crank_formulation_create_fn crank_direct_create;    /* those of its table */
crank_formulation_create_fn crank_partition_create; /* descriptor, tangent-plane */
crank_formulation_create_fn crank_inlined_dae_create;
crank_formulation_create_fn crank_inlined_create; /* inline, inline-stages, -ode */
crank_formulation_create_fn crank_gmkssol_create, crank_ode_create, crank_auto_create;

/* tolerances.c: problem->atol where the options have tolerances by kinds. */
crank_status crank_formulate_tolerances(crank_problem *problem, crank_eom *eom,
                                        const crank_options *options, double t0,
                                        const double *x0, crank_error *err);

/* Names and residuals of problems whose first unknowns are those of their eom, or all of
 * them. */
extern const crank_problem_report crank_formulate_report;
crank_status crank_formulate_residuals(crank_problem *problem, double t, const double *x,
                                       double residual[3], crank_error *err);

/* More shifts at once than solvers hold are refused. */
crank_status crank_formulate_check_shifts(int count, crank_error *err);
/* -E xdot, added to rows of r', v', p'; work: as many as velocities. M is that of the point. */
void crank_formulate_subtract_rates(const crank_mass *mass, const double *xdot, double *work,
                                    double *r, double *v, double *p);
/* 1: sparse linear algebra, 0: dense, negative: the wish cannot be met. */
int crank_formulate_wants_sparse(const crank_reduction_setup *setup, crank_error *err);

#endif
