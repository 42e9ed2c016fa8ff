/* analysis.h - what a quasi-linear DAE hides: levels of constraints, indices, what is
 * determined.
 *
 *     E(x,t) x' = k(x,t),     E: m x n, theory (10.1)
 *
 * m and n are independent; equations may be redundant, E may depend on x and change its rank.
 * The procedure [Ste06, 3.5.11] differentiates constraints only, theory (10.2)-(10.4):
 * expressions of all constraints come out, which together with the differential equations are
 * the regularised form that an integrator can use, theory (10.9). The strangeness index comes
 * from the derivative array, (10.7).
 *
 * All statements are local: they hold near the start values, moved onto the constraints. Ranks
 * are those at the point and at a few consistent neighbours; where they are smaller at the
 * point the report says so.
 *
 *     crank_dae_input input = {.pool = pool, .equations = m, ...};
 *     crank_dae_report *report;
 *     status = crank_dae_analyse(&input, &report, &err);
 *     ...
 *     crank_dae_report_destroy(report); */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_ANALYSIS_H
#define CRANK_SRC_DAE_ANALYSIS_H

#include "symbolic/symbolic.h"

/* All expressions are of one pool and depend on the variables and t only (parameters are
 * numbers by then). The arrays are read during the call and not kept. */
typedef struct crank_dae_input {
    crank_pool *pool;         /* grows; must outlive the report, whose expressions are in it */
    int equations, variables; /* m >= 1, n >= 1 */
    const crank_ex *variable; /* n symbols, all different; their names are used in messages */
    crank_ex t;               /* a symbol */
    const crank_ex *E;        /* m x n by rows: E[i * n + j] */
    const crank_ex *k;        /* m */
    const char *const *equation_names; /* m, or NULL: "equation 1", ... */
    const double *start;               /* n: where to look */
    double t_start;
    const double *nominal; /* n sizes that count as one, > 0; NULL: 1 + |start| */
    /* levels looked for at most; 0: n + 1, which always suffices for manifolds */
    int level_limit;
    bool skip_hypothesis; /* no derivative array: strangeness.found stays false */
    bool skip_redundant;  /* redundant equations are counted, not named */
} crank_dae_input;

typedef enum crank_dae_outcome {
    CRANK_DAE_COMPLETE,       /* all constraints found */
    CRANK_DAE_CONTRADICTORY,  /* the constraints found so far have no common solution */
    CRANK_DAE_NOT_CONSISTENT, /* no point on the constraints was found from the start values */
    /* a constraint has a kink or jump at the point or close to it */
    CRANK_DAE_NOT_DIFFERENTIABLE,
    CRANK_DAE_NOT_ELIMINATED, /* elimination with pivots chosen at the point broke down */
    CRANK_DAE_LEVEL_LIMIT     /* the limit of levels was reached */
} crank_dae_outcome;

/* A rank at the point and the largest at it and its consistent neighbours: the first is smaller
 * at singular points. */
typedef struct crank_dae_rank {
    int point, most;
    bool constant; /* the same at the point and all neighbours */
} crank_dae_rank;

/* 0 = ex */
typedef struct crank_dae_constraint {
    crank_ex ex;
    /* the row it took the place of; other rows take part in it if E couples them */
    int equation;
    bool trivial; /* follows from the levels before (or is 0 = 0): not differentiated again */
    double residual; /* of the given start values; NaN: not defined there */
    double scale;    /* residuals below about 1e-9 scale are rounding */
} crank_dae_constraint;

/* Level i: E^i x' = k^i was split into m1 rows with a leading matrix and m2 constraints. The
 * last level (number nu) has trivial constraints only, or none. */
typedef struct crank_dae_level {
    int m1, m2;
    crank_dae_constraint *constraint; /* m2 */
    crank_dae_rank leading;           /* rank E^i on the constraints up to this level */
    /* rank [E; k2^0_x; ..; k2^i_x], rank [k2^0_x; ..; k2^i_x], and their difference (of the
     * point and of the neighbours); on the constraints up to this level. */
    crank_dae_rank r, a;
    int d;       /* r.most - a.most */
    int d_point; /* r.point - a.point */
    /* largest |residual| / scale of the given start values; NaN: not defined */
    double residual;
} crank_dae_level;

/* The strangeness index by the derivative array, theory (10.7). */
typedef struct crank_dae_strangeness {
    bool found;
    int index;              /* nu_s */
    int a, d, v;            /* algebraic, differential, vanishing (redundant) equations */
    int u;                  /* undetermined variables, n - a - d */
    int array_rank;         /* r: rank of the derivative array's Jacobian */
    int array_rank_leading; /* by x', x'', ... only: r - a */
    char reason[240];       /* why it was not found */
} crank_dae_strangeness;

/* The regularised form (minimal reduced derivative array), theory (10.9):
 *     E_D x' = k_D     rows of the input that contain derivatives
 *     0 = k_C          constraints of all levels but the trivial ones
 * and rows that are enough at the point: [S_D E_D; k_C,x] has rank a + d, S_C k_C,x has rank
 * a. */
typedef struct crank_dae_reduced {
    int differential_count;
    int *differential; /* equations of the input: E_D, k_D are rows of its E, k */
    int constraint_count;
    crank_ex *constraint; /* k_C, by rising level */
    int *constraint_level;
    int *constraint_equation;        /* see crank_dae_constraint */
    int selected_differential_count; /* d */
    int *selected_differential;      /* S_D: positions in differential, rising */
    int selected_constraint_count;   /* a */
    int *selected_constraint;        /* S_C: positions in constraint, rising */
} crank_dae_reduced;

/* A function that is not smooth, in a constraint that was (or had to be) differentiated. */
typedef struct crank_dae_kink {
    const char *function; /* "abs" */
    int level, equation;
    double distance; /* of its argument from the kink, at the point */
    bool met;        /* the kink is at the point, or between it and its neighbours */
} crank_dae_kink;

typedef struct crank_dae_report {
    crank_dae_outcome outcome;
    char reason[480]; /* in words, if not complete */
    int equations, variables;

    int level_count;          /* nu + 1 if complete */
    crank_dae_level *level;   /* valid up to what was found, whatever the outcome */
    int nu, constraint_level; /* nu and nu_c = nu - 1 (-1: no constraints); only if complete */

    double *point;   /* n: start values moved onto all constraints found */
    double distance; /* largest move of a variable, in its nominal size */
    bool consistent; /* start values satisfy all constraints found as they are */
    /* the constraints are a manifold of dimension n - a at the point (no multiple roots) */
    bool regular;
    bool singular; /* ranks of the result are smaller at the point than at its neighbours */
    /* some rank on the way differs among them, or is smaller at a neighbour: harmless here */
    bool rank_varies;
    char remark[240]; /* what is singular or not regular, in words */
    /* smallest singular value that counted / largest that did not, of the last ranks; large is
     * good */
    double rank_gap;

    int differential, algebraic; /* d and a */
    int vanishing;               /* m - a - d: equations that follow from others */
    int redundant_count;
    /* equations that may be left out, all of these together: as many as vanish, or fewer if it
     * takes a combination of equations (with derivatives) to see it; above 40 equations those
     * of the last level, unchecked */
    int *redundant;
    int undetermined_count; /* n - a - d */
    int *undetermined;      /* variables that, if prescribed, determine the others */
    /* n: share (0 to 1) of each variable in what is undetermined; 0: it is determined */
    double *freedom;

    bool has_differentiation_index;
    int differentiation_index;
    char differentiation_reason[160]; /* why there is none */

    crank_dae_strangeness strangeness;
    crank_dae_reduced reduced; /* only if complete */

    int kink_count;
    crank_dae_kink *kink;
    struct crank_dae_memory *memory; /* of all above */
} crank_dae_report;

/* CRANK_OK with an outcome; CRANK_EARG, CRANK_EMODEL or CRANK_ENOTFINITE for input that is none
 * (an unknown symbol, values that are not finite), CRANK_EMEM. *out is NULL then. */
crank_status crank_dae_analyse(const crank_dae_input *input, crank_dae_report **out,
                               crank_error *err);
void crank_dae_report_destroy(crank_dae_report *report);

/* The report in words, a finding a line; input gives the names. */
void crank_dae_describe(const crank_dae_input *input, const crank_dae_report *report,
                        crank_text *text);
/* Ranks of all levels, the selected equations and the underlying ODE, theory (10.13), as
 * formulas. */
crank_status crank_dae_formulas(const crank_dae_input *input, const crank_dae_report *report,
                                crank_text *text, crank_error *err);
/* "equation 3" or its name, as a message writes it. */
const char *crank_dae_equation_text(const crank_dae_input *input, int equation, char *text,
                                    size_t size);

#endif
