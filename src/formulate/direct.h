/* direct.h - formulations that take rows of the eom as they are, as many as there are unknowns:
 * index3, index2, index1, baumgarte, ggl, ude. theory 2.6. direct.c (the problem),
 * direct_matrix.c (sigma E - J), direct_create.c (forms, rows, patterns), direct_rows.c
 * (algebraic unknowns at rows), direct_noise.c (rounding), direct_project.c (step ends
 * projected onto all levels, of auto alone).
 *
 * Each row of the problem is a weighted sum of rows of the eom. Extra unknowns theta stabilise:
 * p' = Z v - B^T theta with the gradients B of constraints that are kept on position level
 * although their derivatives are enforced, too. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DIRECT_H
#define CRANK_SRC_DIRECT_H

#include "base/arena.h"
#include "eom/scale.h"
#include "formulate/algebraic.h"
#include "formulate/direct_watch.h"
#include "formulate/formulate.h"
#include "formulate/mass.h"
#include "formulate/ode.h"
#include "linalg/solver.h"

typedef struct crank_direct_form {
    const char *name;
    crank_row_group holonomic,
        nonholonomic;   /* rows of the constraints: g, gI or gII; h or hI */
    bool stabilised;    /* g is kept besides, with theta */
    bool baumgarte;     /* lower levels are added */
    bool accelerations; /* needs gII, hI */
    bool underlying;    /* algebraic rows are differentiated: dk/dx x' = -dk/dt */
    bool projected;     /* norms are left to the projection of step ends: no rows, no theta */
    unsigned char scale_v,
        scale_multiplier; /* powers of h in norms, with holonomic constraints */
} crank_direct_form;

/* Gradients of the constraints behind theta, compressed by theta. */
typedef struct crank_gradient {
    int *start, *column; /* extra + 1; p of each entry */
    int *entry;          /* of the Jacobian; -1: contact variables are eliminated, see fill */
    int *slot;           /* of sigma E - J */
    double *value;
    double *contact, *work; /* ns x ns, ns: c_s^T and a right-hand side */
    int *pivot;
    bool measured; /* the largest sum of sizes of a position's values is known: */
    double reach;
} crank_gradient;

/* Rows of the eom that are rows of the problem, side by side. */
typedef struct crank_direct_run {
    int from, to, count;
} crank_direct_run;

/* Rounding of unknowns. */
typedef struct crank_direct_noise {
    bool due;             /* it has not been found with the present Jacobian */
    bool wanted;          /* Newton's iteration has failed */
    double *of;           /* n */
    double *rounding;     /* n: of the problem's algebraic rows */
    double *size;         /* m of the eom: of the terms of its rows */
    double *rows, *delta; /* n: work */
} crank_direct_noise;

struct crank_direct {
    crank_problem base;
    crank_arena arena, matrix_arena;
    crank_eom *eom;
    const crank_direct_form *form;
    crank_options options;
    crank_log log;
    crank_statistics statistics;
    crank_mass mass;
    bool *differential, *tested;
    unsigned char *group, *scaling;
    int extra;                       /* unknowns theta, behind those of the eom */
    char **name;                     /* extra: of theta */
    int *column;                     /* n: of the eom, -1: theta */
    crank_problem_unknowns unknowns; /* if there are theta */
    int *target;    /* m of the eom: row of the problem that takes in this row, -1: none */
    double *weight; /* by this factor */
    bool weighted;  /* some rows are sums; else all are in these runs */
    int run_count;
    crank_direct_run run[CRANK_ROW_GROUPS];
    int kinematic, dynamic, force; /* first rows of p', v', r' */
    double time;                   /* of the motion, at the start */
    double *jacobian;              /* of the eom */
    double *moved;                 /* of the eom, elsewhere: ude */
    double *points, *rows;         /* CHUNK points and right-hand sides of the eom */
    crank_gradient gradient;
    /* sigma E - J = sigma lead + rest, compressed columns */
    int *start, *row;
    double *rest, *lead;
    int *jacobian_slot;  /* of each entry of the Jacobian, -1: left out */
    int *jacobian_entry; /* the entries that are not, taken_entries of them */
    int taken_entries;
    int *lead_slot; /* of E: r, then v (or the entries of M), then p */
    int *mark;      /* n: work of the pattern */
    crank_solver *solver;
    /* the tree of the eom at the Jacobian's point, where the solver takes it; else NULL */
    crank_recursion_values *recursion;
    crank_direct_noise noise;
    /* what the rows above do not tell */
    double prepared_t; /* of the Jacobian */
    crank_direct_levels levels;
    crank_direct_jumps jumps;
    crank_direct_ranks ranks;
    /* NULL: nothing is projected and the watch above is kept; else this projects and watches */
    crank_ode *keeper;
    /* the end of the step that was completed last, by the keeper; t = NAN: none */
    double end_t, *end, *end_rows; /* n, m: of the problem */
    /* rows; without an acceleration level there are none */
    crank_algebraic algebraic;
    crank_scale scale;
};

/* points evaluated at once; length of a name */
enum { CRANK_DIRECT_CHUNK = 3, CRANK_DIRECT_NAME = 80 };

/* direct_matrix.c */
/* Counts the entries of sigma E - J, or fills in start, row and slots. mark: n. */
int crank_direct_pattern(crank_direct *s, bool fill, int *mark);
/* B at the point of the Jacobian. CRANK_RETRY: c_s is singular. */
crank_status crank_direct_fill_gradient(crank_direct *s, crank_error *err);
/* rest and lead from Jacobian, mass and gradient. */
void crank_direct_assemble(crank_direct *s);
crank_status crank_direct_factor(crank_problem *base, int count, const double *sigma_real,
                                 const double *sigma_imag, crank_error *err);
crank_status crank_direct_solve(crank_problem *base, int i, const double *r_real,
                                const double *r_imag, double *delta_real, double *delta_imag,
                                crank_error *err);
void crank_direct_archive_matrix(crank_direct *s, crank_archive *archive);

/* direct.c */
/* Right-hand sides k of the problem at x, of rows of the eom. */
void crank_direct_combine(const crank_direct *s, const double *x, const double *rows,
                          double *k);
extern const crank_problem crank_direct_problem; /* the functions */

/* direct_create.c. index2 whose steps end on all levels, by the projection of an ode on the
 * same eom, which must outlive it. */
crank_status crank_direct_create_projected(crank_ode *keeper, const crank_options *options,
                                           double t0, const double *x0, crank_problem **out,
                                           crank_error *err);
/* direct_project.c. Does that apply to these equations? */
bool crank_direct_is_projectable(const crank_ode *keeper);
void crank_direct_project(crank_direct *s); /* once s is filled */

/* direct_noise.c. Of the rows at x, where the Jacobian is; then of the unknowns, once the first
 * shift, which is real, has been factored. */
bool crank_direct_has_noise(const crank_direct *s);
void crank_direct_noise_layout(crank_direct *s, crank_arena *arena);
void crank_direct_noise_measure(crank_direct *s, const double *x);
void crank_direct_noise_update(crank_direct *s);
void crank_direct_noise_forget(crank_direct *s);
void crank_direct_noise_want(crank_problem *base);
void crank_direct_noise_archive(crank_direct *s, crank_archive *archive);

/* direct_rows.c. After the first prepare, at the start. */
crank_status crank_direct_rows_create(crank_direct *s, double t0, const double *x0,
                                      crank_error *err);
void crank_direct_rows_archive(crank_direct *s, crank_archive *archive);

#endif
