/* procedure.h - the analysis procedure at work: the current DAE, what was found, points on
 * it. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_PROCEDURE_H
#define CRANK_SRC_DAE_PROCEDURE_H

#include "dae/analysis.h"
#include "dae/system.h"

typedef struct crank_dae_procedure {
    const crank_dae_input *input;
    const double *unit;  /* n */
    int m, n;            /* rows taken part, variables */
    const int *equation; /* m: which equations of the input */
    crank_store *store;  /* of all below */

    /* the current E^i x' = k^i, by rows */
    crank_ex *E, *k;
    bool *frozen;                /* m: 0 = 0, a constraint that follows from others */
    bool *derived;               /* m: derivative of a constraint */
    double *row_scale;           /* m: typical norm of the rows of E^i */
    crank_dae_functions leading; /* E^i */
    crank_dae_functions right;   /* k^i, and the sizes of its terms */
    crank_dae_functions first;   /* E^0 */
    double *first_scale;         /* m */

    crank_dae_points points; /* on all constraints found */

    int constraint_count, constraint_capacity; /* that are not trivial */
    crank_ex *constraint;
    int *constraint_level, *constraint_equation;
    crank_dae_system set; /* of constraint */

    crank_dae_outcome outcome;
    char *reason; /* 480 */
    int level_limit, level_count;
    crank_dae_level *level; /* level_limit + 1 */
    int kink_count, kink_capacity;
    crank_dae_kink *kink;
    double rank_gap;
} crank_dae_procedure;

/* Runs the procedure on equations (m numbers) of the input; results in p. Destroy also on
 * failure; store stays. */
crank_status crank_dae_procedure_run(crank_dae_procedure *p, const crank_dae_input *input,
                                     const double *unit, int m, const int *equation,
                                     crank_store *store, crank_error *err);
void crank_dae_procedure_destroy(crank_dae_procedure *p);

/* eliminate.c: the rows without pivot, theory (10.2). */
typedef struct crank_dae_split {
    crank_ex *k2;  /* m */
    bool *pivot;   /* m */
    double *terms; /* m: largest size of the terms that k2 was summed from, 0: not known */
} crank_dae_split;
/* `rank` pivots, chosen at point reference. *done false: it broke down. */
crank_status crank_dae_eliminate(crank_dae_procedure *p, int rank, int reference,
                                 const crank_dae_split *split, bool *done, crank_error *err);

/* ranks.c: of E^i at all points, with its row scales; reference: a point with the largest. */
crank_status crank_dae_leading_rank(crank_dae_procedure *p, crank_dae_rank *rank,
                                    int *reference, crank_error *err);
/* r and a, theory (10.6), at all points. */
crank_status crank_dae_level_ranks(crank_dae_procedure *p, crank_dae_level *level,
                                   crank_error *err);
/* [E; k_C,x] at point 0 with scaled rows and columns in units, (m + constraints) x n; only the
 * constraints: rows from m on. stack is filled. */
void crank_dae_stack(crank_dae_procedure *p, int q, double *stack);

/* kinks.c: adds the kinks of e (constraint of an equation) to the list and leaves neighbours
 * out that are on the other side. *met: one is at the point. */
crank_status crank_dae_find_kinks(crank_dae_procedure *p, crank_ex e, int level, int equation,
                                  bool *met, crank_error *err);

#endif
