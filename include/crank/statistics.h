/* statistics.h - counters of a run; always on. Names as in the command's --stats. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_STATISTICS_H
#define CRANK_STATISTICS_H

#include <crank/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crank_statistics {
    int64_t steps;                /* accepted [NACCPT] */
    int64_t attempts;             /* [NSTEP] */
    int64_t rejected_error;       /* [NERJCT] */
    int64_t rejected_convergence; /* [NCRJCT] */
    int64_t evaluations; /* of the right-hand side, per point, without differences [NEOM] */
    int64_t constraint_evaluations; /* of the algebraic rows alone, for corrections */
    int64_t mass_evaluations;       /* [NMAS] */
    int64_t jacobians;              /* [NJAC] */
    int64_t predecompositions;      /* [NPDEC] */
    int64_t factorizations;         /* pairs [NEDEC] */
    int64_t solves;                 /* pairs [NBSUB] */
    int64_t newton_iterations;
    int64_t selector_updates;   /* [NSEL] */
    int64_t analyses;           /* symbolic analyses of the sparse solver */
    int64_t pivot_searches;     /* its factorisations with new pivots; the others keep theirs */
    int64_t invariants_dropped; /* steps in which an invariant row could not be enforced */
    int64_t singular_passages;
    int64_t events;         /* zeros of event functions */
    int64_t event_steps;    /* steps that were made again to end at one */
    int64_t method_changes; /* auto: how often another of its methods took over */
    double seconds;
    double max_residual_position, max_residual_velocity,
        max_residual_acceleration; /* over rows written */
    /* the corrector of ggl-bdf */
    int64_t difference_evaluations; /* of the right-hand side, for Jacobians by differences */
    int64_t jacobian_updates;       /* cheap ones, of the step size, of M, of drives */
    int64_t pattern_updates;        /* estimated patterns that grew */
    int64_t matrix_entries;         /* of the corrector's Newton matrix, at most */
    int64_t matrix_groups;          /* of columns that are differenced together, at most */
    double max_eta;                 /* ggl: largest extra multiplier at the end of a step */
    double max_push; /* ggl: how far these have moved a position in a step, at most */
} crank_statistics;

/* Adds the counters and seconds of more; residuals become the larger ones. */
CRANK_API void crank_statistics_add(crank_statistics *sum, const crank_statistics *more);
/* The i-th entry: its name and value as text. false past the end. */
CRANK_API bool crank_statistics_entry(const crank_statistics *statistics, int i,
                                      const char **name, char *value, size_t size);

#ifdef __cplusplus
}
#endif

#endif
