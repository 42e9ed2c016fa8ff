/* study.h - what is asked about a model besides its motion: where it rests, how it vibrates,
 * how it does with other parameters.
 *
 *     crank_equilibrium rest;
 *     crank_run_open("crane.yaml", NULL, &run, &err);
 *     crank_run_find_equilibrium(run, NULL, &rest, &err);
 *     if (rest.stability == CRANK_UNSTABLE) puts(rest.direction);
 *     crank_run_advance(run, 1.0, &err);              // from there on
 *
 * Functions of the front door (crank/run.h): the command only calls them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_STUDY_H
#define CRANK_STUDY_H

#include <crank/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- equilibrium ---- */

/* By the stiffness over the motions that constraints leave, theory (12.6). */
typedef enum crank_stability {
    CRANK_STABILITY_UNKNOWN, /* not looked at: no bodies move, or too many (more than 600) */
    CRANK_STABLE,
    CRANK_INDIFFERENT, /* something moves freely, to first order */
    CRANK_UNSTABLE
} crank_stability;

enum { CRANK_FREE_DIRECTIONS = 6, CRANK_DIRECTION_TEXT = 200 };

typedef struct crank_equilibrium_options {
    size_t size;
    double tolerance;   /* accepted residual of a balance, relative to its terms; 1e-11 */
    int max_iterations; /* of each of Newton's method and relaxation; 4000 */
} crank_equilibrium_options;

typedef struct crank_equilibrium {
    double residual; /* largest of the balances, relative to its terms */
    int iterations;
    bool given;   /* the start was one already */
    bool relaxed; /* Newton's method was not enough */
    crank_stability stability;
    int freedom; /* degrees of freedom */
    /* smallest stiffness over inertia of the motions that are free to it, 1/s^2: squared
     * angular frequency, or how fast it falls; NaN: not known */
    double smallest;
    /* unstable: along which motion, 'body "rod": rotation'; else "" */
    char direction[CRANK_DIRECTION_TEXT];
    int free_count; /* motions that nothing resists: the first of them */
    char free_text[CRANK_FREE_DIRECTIONS][CRANK_DIRECTION_TEXT];
} crank_equilibrium;

CRANK_API crank_equilibrium_options crank_equilibrium_options_default(void);
/* From the run's start (its file's, or crank_run_begin_from), at its time: drives stand still
 * as they are then, velocities are zero. Loops, redundant constraints (reactions of least norm,
 * marked in the results), nonholonomic constraints on the way, dynamic variables. What it finds
 * becomes the beginning of the run. EINIT_CONVERGENCE: none was found, and why. The run must
 * not be formulated yet. */
CRANK_API crank_status crank_run_find_equilibrium(crank_run *run,
                                                  const crank_equilibrium_options *options,
                                                  crank_equilibrium *out, crank_error *err);
/* "stable", "unstable", "indifferent", "not known" */
CRANK_API const char *crank_stability_word(crank_stability stability);

#ifdef __cplusplus
}
#endif

#endif
