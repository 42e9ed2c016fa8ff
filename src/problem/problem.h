/* problem.h - the second waist: what an integrator sees of a formulation.
 *
 * A quasi-linear DAE  E(x,t) x' = k(x,t)  with m >= n rows, and its own way to solve
 *
 *     (sigma E - J) delta = r,   J = dk/dx,  sigma real or complex,                theory (3.1)
 *
 * at the point last given to prepare(). Rows with E = 0 (algebraic) hold exactly; which
 * differential rows are used when there are more rows than unknowns is the problem's
 * business. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_PROBLEM_H
#define CRANK_SRC_PROBLEM_H

#include <crank/base.h>
#include <crank/eom.h>
#include <crank/options.h>
#include <crank/statistics.h>

typedef struct crank_problem crank_problem;
typedef struct crank_archive crank_archive; /* base/archive.h */

/* Formulations of the same unknowns between which an integrator (auto) changes on the way: for
 * an explicit integrator; for an implicit one, at little cost; for an implicit one, any
 * model. */
enum { CRANK_PART_CALM, CRANK_PART_STIFF, CRANK_PART_SAFE, CRANK_PARTS };

typedef struct crank_alternatives {
    crank_problem *part[CRANK_PARTS]; /* NULL: not possible; the safe one is */
    const char *integrator[CRANK_PARTS];
    int now;   /* the one in use; set by the integrator */
    int probe; /* explicit steps that the first attempt of an implicit part costs, about */
    char reason[240]; /* why there is none for an explicit integrator, and what is used */
    /* The one in use goes on where `before` stopped: as its restart, but what both know of
     * singular positions stays. */
    void (*take_over)(crank_problem *self, int before);
} crank_alternatives;

/* ---- what a problem may offer besides, each table whole or not at all (NULL) ---- */

/* Unknowns that are not those of the eom: fewer (independent or joint coordinates), or more
 * (ggl's theta). The problem and its integrator work with the former; starts, restarts, events,
 * rows and results are of the latter. NULL: they are the same. */
typedef struct crank_problem_unknowns {
    int count; /* of the eom */
    /* n: the unknown of the eom whose tolerances it has; -1: no accuracy is asked for */
    const int *column;
    bool costly; /* expand iterates from where the last step ended: few points are asked for */
    /* At the end of a step expand solves for what steps do without, and finds the same whatever
     * was asked for since: it is called when somebody asks. Else the state is made where a step
     * ends, which costs a copy, or ends the run. */
    bool later;
    /* The eom's unknowns (count) of x (n) at time t. CRANK_RETRY: there are none. */
    crank_status (*expand)(crank_problem *self, double t, const double *x, double *out,
                           crank_error *err);
    /* The same of those that out gives by t and x alone; the others, with what does not move
     * between events, are as they were at the last end of a step. NULL: there is no such. */
    crank_status (*expand_states)(crank_problem *self, double t, const double *x, double *out,
                                  crank_error *err);
    /* The other way round, of unknowns that hold at time t. */
    crank_status (*reduce)(crank_problem *self, double t, const double *x, double *out,
                           crank_error *err);
} crank_problem_unknowns;

/* What is learnt along a motion. */
typedef struct crank_problem_course {
    /* Integration starts (again): what was learnt along an earlier motion is forgotten. */
    void (*restart)(crank_problem *self);
    /* An accepted step ended at (t, x) (or a run starts there). The problem tells the supplier
     * of its equations and may refresh frozen parts (gmkssol's selectors); *changed tells that
     * the matrix must be prepared anew. changed NULL: no step follows. */
    crank_status (*accepted)(crank_problem *self, double t, const double *x, bool *changed,
                             crank_error *err);
} crank_problem_course;

/* Constraints that points are kept on. */
typedef struct crank_problem_constraints {
    /* Pulls x back onto all constraint levels with the prepared decomposition; cheap.
     * CRANK_RETRY (x unchanged): the decomposition is too old for this point. */
    crank_status (*correct)(crank_problem *self, double t, double *x, crank_error *err);
    /* Shortens a proposed step *h from time t so that it ends before a singular position that
     * the decompositions so far let expect. CRANK_RETRY: prepare at t first, then ask again.
     * ESINGULAR with the names of the dependent rows once it is reached. *h = 0 asks: no step
     * from t succeeds, is a singular position nearby to blame (ESINGULAR)? */
    crank_status (*step_limit)(crank_problem *self, double t, double *h, crank_error *err);
} crank_problem_constraints;

/* singular: pass; with constraints, rates and complete. */
typedef struct crank_problem_passage {
    /* Is a singular position foreseen shortly after the prepared point at time t, and when
     * (*zero)? The integrator then looks for a smooth motion across it. */
    bool (*ahead)(crank_problem *self, double t, double *zero);
    /* Prepares at a point (t, x) on its far side (xdot: estimate of x'), checks that the
     * constraints are regular there and corrects x onto them (CRANK_RETRY: not here). */
    crank_status (*land)(crank_problem *self, double t, double *x, const double *xdot,
                         crank_error *err);
    /* Ends the attempt, passed or not, with the position at time zero. */
    void (*landed)(crank_problem *self, bool passed, double zero);
    /* The smallest pivot or singular value at the prepared point. */
    double (*regularity)(const crank_problem *self);
} crank_problem_passage;

/* The point to which a stage at time t leads: x_ahead = from + share x'. */
typedef struct crank_reach {
    double t, t_ahead;
    double share;       /* not zero */
    const double *from; /* n; its algebraic unknowns do not matter */
} crank_reach;

/* What is said where no step succeeds. */
typedef struct crank_problem_report {
    const char *(*unknown_name)(const crank_problem *self, int j);
    /* Residuals of position, velocity, acceleration level as crank_eom_residuals. */
    crank_status (*residuals)(crank_problem *self, double t, const double *x,
                              double residual[3], crank_error *err);
    /* Without `constraints`: no step from (t, x) succeeds, is a singular position to blame
     * (ESINGULAR)? May be NULL. */
    crank_status (*singular)(crank_problem *self, double t, const double *x, crank_error *err);
} crank_problem_report;

/* Stages t_i, i < count, of a method whose rule is x_i = sum_j h_ij x'_j + old_i. */
typedef struct crank_stages {
    int count;
    const double *t, *h, *old; /* count; count x count by rows; count x n */
    double *x, *xdot;          /* count x n: guesses, then the solution */
    const double *scale;       /* n: what counts as one */
    double absolute, relative; /* tolerances of what no integrator knows */
    double tolerance; /* of iterations, over these and scale: that of the integrator's own */
    bool precise;     /* a step made again towards a zero of an event, which noise would move */
} crank_stages;

struct crank_problem {
    const char *name;           /* of the formulation: "psf" */
    crank_eom *eom;             /* behind it, which integrators do not ask; may be NULL */
    int n, m;                   /* unknowns, rows */
    const bool *differential;   /* m: row has E != 0 */
    const bool *tested;         /* n: column counts in norms */
    const unsigned char *group; /* n: crank_group, for tolerances */
    /* n: absolute tolerances by kinds, where positive; NULL: all by group; of
     * crank_formulate */
    double *atol;
    const unsigned char
        *scaling; /* n: enters norms multiplied by (h/time)^scaling (higher-index parts) */
    /* n: size of round-off in each unknown at the prepared point; may be NULL */
    const double *noise;
    /* n: not extrapolated from step to step, because some part of them is in no equation
     * (multipliers of redundant constraints); may be NULL */
    const bool *held;
    /* Unknowns path_column + i obey x' = k[path_row + i], i < path_count, also where
     * constraints determine them: an integrator can tell by them that a constraint jumps.
     * path_count 0: not known. */
    int path_column, path_row, path_count;
    /* E is constant, and corrections onto the constraints leave the unknowns that these do not
     * determine as they are: k is a function of the latter, which linearly implicit methods
     * integrate. */
    bool explicit_in_free;
    /* E of `lead` is that of the prepared point: it is asked for estimates alone, by methods that
     * take residuals */
    bool holds_lead;
    /* what makes dk/dx inexact, 'derivatives of force "s"'; NULL: it is exact */
    const char *inexact;
    crank_statistics *statistics; /* counters that the problem raises; owned by the problem */
    /* NULL: none; else calls go to the one in use, and both count */
    crank_alternatives *alternatives;
    const crank_log *log; /* for what an integrator tells on the way; may be NULL */

    /* k (m x count) at count points x (n x count). */
    crank_status (*evaluate)(crank_problem *self, int count, const double *t, const double *x,
                             double *k, crank_error *err);
    /* out (m) = E(x,t) y. Algebraic rows are set to zero. */
    crank_status (*lead)(crank_problem *self, double t, const double *x, const double *y,
                         double *out, crank_error *err);
    /* Jacobian and everything else that does not depend on sigma, at (t, x). xdot (n) is an
     * estimate of x' there, for the derivative of E(x) x', or NULL. */
    crank_status (*prepare)(crank_problem *self, double t, const double *x, const double *xdot,
                            crank_error *err);
    /* Factors for count shifts at once (they share selectors). CRANK_RETRY: singular. */
    crank_status (*factor)(crank_problem *self, int count, const double *sigma_real,
                           const double *sigma_imag, crank_error *err);
    /* One right-hand side (m) for shift i; imaginary parts NULL if that shift is real. */
    crank_status (*solve)(crank_problem *self, int i, const double *r_real,
                          const double *r_imag, double *delta_real, double *delta_imag,
                          crank_error *err);
    void (*destroy)(crank_problem *self);

    /* All that follows may be NULL. */
    const crank_problem_unknowns *unknowns;
    const crank_problem_course *course;
    const crank_problem_constraints *constraints;
    const crank_problem_passage *passage;
    const crank_problem_report *report;
    /* Explicit use: completes the algebraic unknowns of x (their values on entry are a guess)
     * for the differential ones given, and gives x' of the latter (xdot: n, zero elsewhere).
     * CRANK_RETRY: not possible here. With it the problem is for explicit integrators only,
     * and lead, factor and solve may be NULL. */
    crank_status (*derivative)(crank_problem *self, double t, double *x, double *xdot,
                               crank_error *err);
    /* The problem solves for stages itself, by an iteration of its own, so that no integrator
     * iterates; lead, factor and solve serve estimates of errors. CRANK_RETRY: it did not
     * converge. */
    crank_status (*advance)(crank_problem *self, const crank_stages *stages, crank_error *err);
    /* With `advance`: what is solved for from begin on is a row's or an estimate's, which later
     * steps do not see; until the end of it. */
    void (*aside)(crank_problem *self, bool begin);
    /* Half-explicit use, with `derivative`: as that, but the algebraic unknowns from the
     * constraints' velocity level where the step goes on to, theory (9.11). NULL: there is no
     * such. */
    crank_status (*reach)(crank_problem *self, const crank_reach *ask, double *x, double *xdot,
                          crank_error *err);
    /* out (m) = k(x,t) - E(x,t) xdot in one pass, which costs less than evaluate and lead; NULL:
     * these. */
    crank_status (*residual)(crank_problem *self, double t, const double *x, const double *xdot,
                             double *out, crank_error *err);
    /* Between prepare and factor: E at (t, x) in place of that of the prepared point; the rest,
     * which costs more, stays [AFF06, (25)], or follows what is known of drives [AFF06, (26)].
     * NULL: E is constant, or not apart from the rest. */
    crank_status (*refresh)(crank_problem *self, double t, const double *x, crank_error *err);
    /* kt (m) = dk/dt at (t, x), x held: for methods that are linearly implicit. */
    crank_status (*time_derivative)(crank_problem *self, double t, const double *x, double *kt,
                                    crank_error *err);
    /* xdot (n) of the differential unknowns from k at (t, x): E x' = k; others are left as they
     * are. */
    crank_status (*rates)(crank_problem *self, double t, const double *x, const double *k,
                          double *xdot, crank_error *err);
    /* Finds the algebraic unknowns of x from the others, by the acceleration level: for rows of
     * formulations without `constraints`, and next to singular positions that are passed, there
     * at the prepared point. CRANK_RETRY: not determined, x is unchanged. */
    crank_status (*complete)(crank_problem *self, double t, double *x, crank_error *err);
    /* Implicit use, where the matrix says nothing of some constraint levels: a step would end
     * at (t, x), with x' about xdot; end (n) := x on all levels, with algebraic unknowns, and a
     * look for singular positions. CRANK_RETRY: a shorter step. With `constraints`. */
    crank_status (*arrive)(crank_problem *self, double t, const double *x, const double *xdot,
                           double *end, crank_error *err);
    /* Newton failed to converge with this matrix: selectors are due, or a look at rounding. */
    void (*newton_failed)(crank_problem *self);
    /* Newton failed to converge with a matrix of this point: would another one, made now, be
     * another (of an estimated pattern)? */
    bool (*doubts)(crank_problem *self);
    /* What crank_integrator_pattern tells. */
    void (*pattern)(const crank_problem *self, crank_newton_pattern *out);
    /* Checkpoints, one function for saving and loading: all that later calls depend on,
     * statistics included. Loading goes into a problem of the same formulation, eom, options
     * and initial values. NULL: a run with this problem cannot be saved. */
    void (*archive)(crank_problem *self, crank_archive *archive);
};

/* Unknowns of the eom: what callers of an integrator give and get. */
static inline int crank_problem_given(const crank_problem *problem)
{
    return problem->unknowns != NULL ? problem->unknowns->count : problem->n;
}

/* The one whose tolerances unknown j has; -1: no accuracy is asked for. */
static inline int crank_problem_column(const crank_problem *problem, int j)
{
    return problem->unknowns != NULL ? problem->unknowns->column[j] : j;
}

/* Makes the problem of a formulation ("psf", "ggl", "index1", ...: the first parts of the names
 * of methods) on an eom, which must outlive it.
 * x0 at t0 must be consistent: ranks and patterns are found there. options are copied. */
crank_status crank_formulate(const char *formulation, crank_eom *eom,
                             const crank_options *options, double t0, const double *x0,
                             crank_log log, crank_problem **out, crank_error *err);
void crank_problem_destroy(crank_problem *problem);

#endif
