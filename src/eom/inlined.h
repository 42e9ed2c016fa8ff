/* inlined.h - equations that were translated together with the rule x = h x' + old(x) of a
 * method (inline/inline.h): a step of a method is one call, which does the iteration itself.
 * Offered by suppliers whose equations are expressions; used by the formulation inline. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EOM_INLINED_H
#define CRANK_SRC_EOM_INLINED_H

#include "eom/eom.h"

/* Stages t_i, i < count, with  x_i = sum_j h_ij x'_j + old_i,  all vectors of the unknowns that
 * an integrator keeps (crank_inlined.kept). x, xdot: guesses, then the solution. */
typedef struct crank_inlined_step {
    int count;
    const double *t;           /* count */
    const double *h;           /* count x count, by rows */
    const double *old;         /* count x kept */
    double *x, *xdot;          /* count x kept */
    const double *scale;       /* kept: what counts as one in the error of iterations, */
    double absolute, relative; /* and the tolerances of other unknowns */
    double tolerance;          /* of iterations */
    bool careful;              /* full Newton steps, as many as it takes */
    bool passing;              /* leaves no trace: the next step has its guesses and factors */
    double *full;              /* n: the eom's unknowns of the last stage; NULL: not wanted */
} crank_inlined_step;

typedef struct crank_inlined_counts {
    int64_t evaluations, iterations, jacobians;
    int64_t fallbacks; /* blocks that were solved whole, since a pivot of theirs vanished */
    int64_t choices;   /* of other states */
} crank_inlined_counts;

typedef struct crank_inlined crank_inlined;
struct crank_inlined {
    int n;             /* unknowns of the eom */
    int kept;          /* those that are states, or can be */
    const int *column; /* kept: which they are */
    const int *rate;   /* kept: their derivatives among the unknowns */
    /* x (n) holds at t: guesses of all unknowns, discrete variables until the next call. */
    void (*place)(crank_inlined *self, double t, const double *x);
    /* CRANK_RETRY: did not converge. */
    crank_status (*solve)(crank_inlined *self, const crank_inlined_step *step,
                          crank_error *err);
    /* States, at what was solved or placed last; *changed: they are others now. */
    crank_status (*choose)(crank_inlined *self, bool *changed, crank_error *err);
    crank_inlined_counts (*counts)(const crank_inlined *self);
    void (*archive)(crank_inlined *self, crank_archive *archive);
    void (*close)(crank_inlined *self);
};

/* eom->inlined */
typedef struct crank_inlined_source {
    /* copies: stages at once. CRANK_EREFUSED with the reason: not these equations. */
    crank_status (*open)(const struct crank_inlined_source *self, crank_eom *eom, int copies,
                         crank_log log, crank_inlined **out, crank_error *err);
    bool alone; /* the eom is of use to nobody else; false: other formulations can take over */
} crank_inlined_source;

#endif
