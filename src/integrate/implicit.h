/* implicit.h - what implicit one-step methods share (radau, dirk): newton.c (an attempt of a
 * step: its stages by the simplified Newton iteration on systems with the matrix sigma E - J),
 * implicit.c (when that matrix is made anew, step sizes, starts and ends of steps,
 * checkpoints). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_IMPLICIT_H
#define CRANK_SRC_IMPLICIT_H

#include "integrate/integrator.h"

/* What a method says of its systems; it->state is its state. */
typedef struct crank_implicit_kind {
    int systems;  /* of a step, one after the other */
    int together; /* stages, n unknowns each, that are iterated at once; at most 3 */
    int power;    /* of the step size, that the error estimate falls with */
    /* Starting values of system i; NULL: they are there, since the step was ready. */
    void (*predict)(crank_integrator *it, int i);
    /* Stages as they are iterated into crank_implicit.stage, and their times. */
    void (*place_stages)(crank_integrator *it, double *t);
    /* For problems that iterate themselves: the rule of the stages, h (together^2) and old
     * (together x n), with x in crank_implicit.stage and x' as they are predicted; and the
     * other way round, once they are found. NULL: such problems are refused. */
    void (*rule)(crank_integrator *it, double *h, double *old, double *xdot);
    void (*take)(crank_integrator *it, const double *xdot);
    /* With k there: increments into crank_implicit.increment; they are then added. */
    crank_status (*increment)(crank_integrator *it, const double *t, crank_error *err);
    void (*add)(crank_integrator *it);
    /* With all stages: a->size, the error over the tolerance; a->jumping, an unknown that a
     * constraint moves by a jump. Positive: there is no error of this step. */
    crank_status (*estimate)(crank_integrator *it, crank_attempt *a, crank_error *err);
    /* Factors for it->h. */
    crank_status (*factor)(crank_integrator *it, crank_error *err);
    /* Where the matrix of a step is made, *t and the result; NULL: where it begins. */
    const double *(*place)(crank_integrator *it, double *t);
    /* x' at the end of the last step; NULL: there was none. */
    const double *(*slope)(crank_integrator *it);
} crank_implicit_kind;

typedef struct crank_implicit {
    const crank_implicit_kind *kind;
    double *stage, *k;  /* together x n, together x m: stages and k there; of the method */
    double *increment;  /* together x n; of the method */
    double *step;       /* n: from beginning to end of the step that is tried; of the method */
    double *k0;         /* m: k at the last accepted point */
    double *rows;       /* m: right-hand side of crank_implicit_filter */
    double *old, *rate; /* together x n: of problems that iterate themselves */
    double *end;        /* n: of the step that is tried, where the problem wants it (arrive) */
    bool need_k0;       /* it could not be evaluated at once */
    bool first;         /* no step yet */
    /* Newton */
    double newton_tolerance, eta, theta;
    bool judged_fresh;  /* eta is of a step with the matrix of its own point */
    double known;       /* the largest first increment of the step that eta is of */
    double learnt;      /* the first increment, if the last iteration found a rate; else 0 */
    double reach;       /* how much longer the step could have been, INFINITY: not known */
    double shorter;     /* after a failure: factor of the step that may converge */
    double failed_size; /* increment at which the last iteration was given up */
    int iterations, updates;
    /* its matrix */
    bool need_jacobian, need_factor, jacobian_fresh;
    bool reselected;   /* it has other selectors than the last step was made with */
    int reused;        /* accepted steps on this Jacobian, */
    double reuse;      /* which is kept up to this contraction */
    double h_factored; /* that the factors are for */
    /* step size */
    double h_old, h_accepted;
    double h_tried;        /* by the last Newton iteration */
    double h_failed;       /* by the first one that failed on a fresh Jacobian */
    double h_limit;        /* up to which it is expected to converge */
    double error_accepted; /* 0: no step yet */
} crank_implicit;

/* Newton iterations for a row that is the end of a step (rows.c), with a matrix made where that
 * begins: no shorter step can take its place, so it goes on as long as it contracts. */
enum { CRANK_ROW_ITERATIONS = 100 };

/* newton.c. CRANK_RETRY: not converged, c->shorter. */
crank_status crank_newton(crank_integrator *it, crank_implicit *c, crank_error *err);
/* All systems of a step from it->x; a->shorter. */
crank_status crank_implicit_solve(crank_integrator *it, crank_attempt *a, crank_error *err);
/* The hook of stepper.h, for methods whose state begins with a crank_implicit. */
crank_status crank_implicit_attempt(crank_integrator *it, crank_attempt *a, crank_error *err);

/* implicit.c. Hooks of stepper.h, for methods whose state begins with a crank_implicit. */
/* The right-hand side and the Jacobian if they are due. */
crank_status crank_implicit_begin(crank_integrator *it, crank_error *err);
crank_status crank_implicit_look(crank_integrator *it, crank_error *err);
/* The Jacobian and factors if they are due. */
crank_status crank_implicit_ready(crank_integrator *it, crank_attempt *a, crank_error *err);
void crank_implicit_undo(crank_integrator *it);
double crank_implicit_shorter(crank_integrator *it, const crank_attempt *a);
void crank_implicit_invalidate(crank_integrator *it);

/* Parts of the others. k0 and rows are of the arena, increment is the method's. */
void crank_implicit_layout(crank_implicit *c, crank_arena *arena, const crank_integrator *it);
void crank_implicit_reset(const crank_integrator *it, crank_implicit *c);
/* k0, and the first step from the time in which the state would change by its own size.
 * rate: n, work. */
crank_status crank_implicit_start(crank_integrator *it, crank_implicit *c, double *rate,
                                  crank_error *err);
/* The Jacobian, due or not. */
crank_status crank_implicit_prepare(crank_integrator *it, crank_implicit *c, crank_error *err);
/* out (n) = (sigma E - J)^-1 (r + s) on differential rows, zero on the others; r, s: m, s
 * may be NULL. sigma: the first shift. */
crank_status crank_implicit_filter(crank_integrator *it, crank_implicit *c, const double *r,
                                   const double *s, double *out, crank_error *err);
/* The step after an error of that size; accepted steps may use the predictive formula. */
double crank_implicit_new_step(const crank_integrator *it, const crank_implicit *c, double size,
                               bool accepted);
/* After an accepted step: it->h of the next one, and whether its matrix is kept. */
void crank_implicit_lengthen(crank_integrator *it, crank_implicit *c, double size);
/* The new point onto all constraint levels, with a new Jacobian if one is due. */
crank_status crank_implicit_correct(crank_integrator *it, crank_implicit *c, bool last,
                                    crank_error *err);
/* The problem is told; k0, if a step follows or it is wanted in any case. */
crank_status crank_implicit_conclude(crank_integrator *it, crank_implicit *c, bool last,
                                     bool wanted, crank_error *err);
void crank_implicit_archive(const crank_integrator *it, crank_implicit *c, crank_archive *a);

#endif
