/* corrector.h - ggl as the corrector of a BDF method wants it [AFF06]: positions, velocities
 * and multipliers alone are unknowns, y = (p, v, lambda, eta) and what forces have besides, and
 *
 *     0 = F(y, y', u(t)),   J = alpha F_y' + F_y                                  theory (2.22)
 *
 * is evaluated in one pass, by the residual formalism (M v' - f) or the explicit one (v' - M^-1
 * f). Accelerations that the eom carries are v'; coordinates that drives prescribe are inputs
 * u(t) (eom/channels.h). corrector.c (the problem), corrector_create.c (unknowns, rows),
 * corrector_pattern.c (patterns, groups), corrector_differences.c and corrector_analytic.c
 * (F_y), corrector_mass.c (M), corrector_update.c (alpha, M, u). What the rows do not tell is
 * watched by the direct formulation ggl on the same eom. theory 2.9 */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_CORRECTOR_H
#define CRANK_SRC_CORRECTOR_H

#include "eom/channels.h"
#include "formulate/direct.h"

/* An entry of F_y': plus or minus one of the eom's Jacobian (of M where that is the eom's), or
 * one. */
typedef struct crank_corrector_lead {
    int row, column;
    int entry; /* of the Jacobian or of M; -1: one */
    double sign;
    int slot; /* of the matrix */
} crank_corrector_lead;

/* M over the velocities that are free, and its factors. */
typedef struct crank_corrector_mass {
    int n;
    bool carried;     /* it stands in the rows d of carried accelerations */
    int *free;        /* sizes.v: number among the free ones, -1: prescribed */
    bool *held;       /* sizes.v: prescribed */
    int *column;      /* sizes.v: of the carried acceleration */
    int *balance;     /* sizes.v: row of the eom */
    int *start, *row; /* compressed columns */
    int *entry;       /* of the Jacobian, or of M */
    int *component;   /* n: blocks of M */
    double *values;   /* work: of the Jacobian */
    double *a;        /* n: a right-hand side */
    crank_solver *solver;
} crank_corrector_mass;

/* What eta moves positions along: B = G^T in natural units. */
typedef struct crank_corrector_push {
    int row;    /* of the problem: p' */
    int eta;    /* column */
    int source; /* slot of dg/dp, -1: zero */
    int slot;   /* of the matrix */
    double unit, value;
} crank_corrector_push;

/* The matrix alpha F_y' + F_y, compressed columns, all that depends on its pattern. */
typedef struct crank_corrector_matrix {
    crank_arena arena;
    int *start, *row;
    /* the pattern of F_y in the columns that are differenced, and their slots above */
    int *own_start, *own_row, *own_slot;
    double *rest, *lead; /* F_y, F_y' */
    double *at_jacobian; /* F_y where it was made; extended */
    double *second;      /* inputs x entries: d F_y/du; extended */
    int push_count;
    crank_corrector_push *push;
    /* slots of c_s (ns x ns), g_s (eta x ns), c_p (pushes x ns), -1: zero; with contact
     * variables */
    int *contact_slot, *gradient_slot, *position_slot;
    int group_count, *group_start, *group_column; /* of differenced columns */
    crank_solver *solver;
} crank_corrector_matrix;

typedef struct crank_corrector {
    crank_problem base;
    crank_problem_unknowns unknowns;
    crank_direct *direct; /* of all unknowns of the eom */
    crank_eom *eom;
    crank_options options;
    crank_statistics statistics;
    crank_arena arena;
    bool explicit, extended;
    crank_jacobian_source derivatives;
    crank_channels channels;
    /* unknowns and rows */
    int extra;        /* eta, the last columns */
    int *column;      /* n: of the eom, -1: eta */
    int *eta;         /* extra: of the direct formulation's */
    int *eta_row;     /* extra: row of the eom, g or n */
    int *velocity_of; /* rows d of the eom: velocity whose balance it is, -1 */
    int *place;       /* n of the eom: column here, -1 */
    int *target;      /* m of the eom: row here, -1 */
    double *sign;     /* m of the eom */
    bool *differential, *tested;
    unsigned char *group, *scaling;
    int *row_p, *row_v, *row_r; /* sizes.p, v, r: row of p', v', r' here, -1 */
    int lead_count, lead_room;
    crank_corrector_lead *lead;
    bool *reads; /* m of the eom: a row other than a balance, with accelerations */
    bool reads_any;
    crank_corrector_mass mass;
    /* points */
    double *full, *rows;     /* n, m of the eom */
    double *vdot;            /* sizes.v */
    double *rate;            /* n: y' of the last residual */
    double rate_t;           /* its time */
    double *shown_x, *shown; /* n, n of the eom: the last completed point */
    double shown_t;
    /* end of the last step: y' there, and whether it is that of a residual */
    double accepted_t, *accepted_rate;
    bool accepted_told;
    double *direct_x; /* a point of the direct formulation */
    /* differences */
    double *y, *step, *f0, *f1, *noise; /* n */
    double *contact, *multiplier;       /* ns x ns, ns: c_s^T and c_s^-T g_s^T */
    int *pivot;
    double *line;        /* points of a line x n; estimated patterns */
    double *change;      /* n x n: of F by single columns; estimated patterns */
    unsigned char *seen; /* n x n: entries that were not noise; estimated patterns, formulas */
    bool scan_due, scanned;
    /* formulas: the pattern is that of `seen`; entries beside it are more than rounding, are
     * felt; the whole one is due; n: sizes of rows and parts of columns in them at that point */
    bool narrow, left_out, outgrown, widen;
    double *row_size, *column_part;
    crank_corrector_matrix matrix;
    double *u_jacobian, *u_now; /* inputs, where F_y was made; where it is updated to */
    bool second_due;
} crank_corrector;

/* corrector_create.c */
crank_status crank_corrector_create(crank_problem *direct, const crank_options *options,
                                    double t0, const double *x0, crank_problem **out,
                                    crank_error *err);
/* Do the options ask for it? */
bool crank_corrector_is_wanted(const crank_options *options);

/* corrector.c */
extern const crank_problem crank_corrector_problem; /* the functions */
extern const crank_problem_unknowns crank_corrector_unknowns;
/* k - E y' = -F at (t, x). */
crank_status crank_corrector_residual(crank_problem *base, double t, const double *x,
                                      const double *xdot, double *out, crank_error *err);
/* The eom's unknowns of (t, x, xdot) into s->full. */
crank_status crank_corrector_place(crank_corrector *s, double t, const double *x,
                                   const double *xdot, crank_error *err);

/* corrector_pattern.c: s->matrix for the present pattern; values are zero. */
crank_status crank_corrector_make_matrix(crank_corrector *s, crank_error *err);
void crank_corrector_free_matrix(crank_corrector_matrix *matrix);
/* slot of an entry, -1: it is not there */
int crank_corrector_slot(const crank_corrector_matrix *matrix, int row, int column);

/* corrector_differences.c: points of the line along which rounding is measured */
enum { CRANK_CORRECTOR_LINE = 16 };
/* matrix.rest at (t, x, s->rate). */
crank_status crank_corrector_difference(crank_corrector *s, double t, const double *x,
                                        crank_error *err);
/* All columns one by one: the pattern grows by what is not noise. *grown: by something. */
crank_status crank_corrector_scan(crank_corrector *s, double t, const double *x, bool *grown,
                                  crank_error *err);

/* corrector_analytic.c: the same by the eom's formulas. */
crank_status crank_corrector_analytic(crank_corrector *s, double t, const double *x,
                                      crank_error *err);

/* corrector_mass.c */
crank_status crank_corrector_mass_create(crank_corrector *s, crank_error *err);
void crank_corrector_mass_destroy(crank_corrector *s);
/* Values of the Jacobian by accelerations (or of M) at s->full, into mass.values. */
crank_status crank_corrector_mass_evaluate(crank_corrector *s, double t, crank_error *err);
/* Factors of M from these; then mass.a := M^-1 mass.a. */
crank_status crank_corrector_mass_factor(crank_corrector *s, crank_error *err);
void crank_corrector_mass_solve(crank_corrector *s);
/* Accelerations that balance s->rows, which belong to s->full with free ones zero, into
 * s->full (carried) or mass.a. */
crank_status crank_corrector_accelerate(crank_corrector *s, double t, crank_error *err);
/* Refuses the explicit formalism where M of s->full, the start, is singular. */
crank_status crank_corrector_mass_check(crank_corrector *s, double t, crank_error *err);

/* corrector_update.c */
/* F_y' from mass.values. */
void crank_corrector_set_lead(crank_corrector *s);
/* B from the gradients in matrix.rest. CRANK_RETRY: c_s is singular. */
crank_status crank_corrector_set_push(crank_corrector *s, crank_error *err);
/* Inputs of F at t: u, u', u'' of each channel. */
void crank_corrector_take_inputs(crank_corrector *s, double *u);
/* d F_y/du at (t, x), where matrix.rest is F_y; once. */
crank_status crank_corrector_second(crank_corrector *s, double t, const double *x,
                                    crank_error *err);
crank_status crank_corrector_refresh(crank_problem *base, double t, const double *x,
                                     crank_error *err);

#endif
