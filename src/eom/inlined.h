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
    bool precise;              /* as accurate as points */
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
    /* So does full (n) at t, where a step has ended: later steps and points begin at values that
     * follow from those of the last ones. A step's end that was taken back is forgotten once an
     * earlier one is kept. */
    void (*keep)(crank_inlined *self, double t, const double *full);
    /* CRANK_RETRY: did not converge. */
    crank_status (*solve)(crank_inlined *self, const crank_inlined_step *step,
                          crank_error *err);
    /* States, at what was solved or placed last; *changed: they are others now. */
    crank_status (*choose)(crank_inlined *self, bool *changed, crank_error *err);
    crank_inlined_counts (*counts)(const crank_inlined *self);
    void (*archive)(crank_inlined *self, crank_archive *archive);
    void (*close)(crank_inlined *self);
};

/* The same equations without a rule, index reduced: rows 0 = F(u, t) in the eom's first unknowns
 * u, the others being given, and x' = u of those kept. */
typedef struct crank_inlined_rows crank_inlined_rows;
struct crank_inlined_rows {
    int unknowns, rows;       /* u; F */
    int kept;                 /* unknowns = rows + kept */
    const int *column, *rate; /* kept: x, x' */
    const int *start, *row;   /* of dF/du: by columns */
    void (*evaluate)(const crank_inlined_rows *self, double t, const double *x, double *f);
    void (*slopes)(const crank_inlined_rows *self, double t, const double *x, double *entries);
    void (*close)(crank_inlined_rows *self);
};

/* eom->inlined */
typedef struct crank_inlined_source {
    /* copies: stages at once. CRANK_EREFUSED with the reason: not these equations. */
    crank_status (*open)(const struct crank_inlined_source *self, crank_eom *eom, int copies,
                         crank_log log, crank_inlined **out, crank_error *err);
    /* CRANK_EREFUSED: states are chosen in the run. */
    crank_status (*open_rows)(const struct crank_inlined_source *self, crank_eom *eom,
                              crank_log log, crank_inlined_rows **out, crank_error *err);
    bool alone; /* the eom is of use to nobody else; false: other formulations can take over */
} crank_inlined_source;

#endif
