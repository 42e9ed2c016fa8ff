/* features.h - parts of a model's equations that may rise and fall within a short stretch of
 * their arguments (a bump of a road), between the model and the integrator: theory 8.8. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_FEATURES_H
#define CRANK_SRC_FEATURES_H

/* The straight line between the arguments at both ends of a step. */
typedef struct crank_chord {
    const double *begin, *end; /* arguments */
    const double *before;      /* where the step before began; NULL: not known, */
    double since;              /* and how long ago, over this step */
    const double *nodes;       /* two places, from 0 to 1, at which the method has evaluated;
                                * NULL: at its ends only */
    double part;               /* of the run that the step is */
    double tolerance;          /* relative */
    const double *error;       /* of each argument, the most that tests let pass; NULL: 0 */
    double *size;              /* of each part, the largest value met so far: kept up */
} crank_chord;

typedef struct crank_features {
    int count;  /* of such parts; 0: there are none */
    int inputs; /* number of arguments */
    /* The arguments at (t, x), x of the eom. */
    void (*fetch)(void *user, double t, const double *x, double *inputs);
    /* 1: the step has seen what lies between its ends; else where it has to end, over its
     * length. Asked without errors first, and with them if the answer is less than 1. */
    double (*look)(void *user, const crank_chord *chord);
    /* Where, over the way from `begin` to `end` (arguments), a table's argument first comes to
     * a knot, the beginning apart; 1: nowhere before the end. NULL: there are no tables. */
    double (*knot)(void *user, const double *begin, const double *end);
    void *user;
} crank_features;

#endif
