/* statics.h - the equations of rest of an eom, linearised: what is to be zero, over the ways in
 * which it can move. theory (12.1)-(12.3).
 *
 *     balance of forces   0 = f - (G Z)^T lambda - (H Z)^T mu    at v = 0, v' = 0
 *     the others          0 = b,  0 = d,  0 = c,  0 = g
 *     over                delta (p moves by Z delta),  r, s, w, lambda, mu
 *     on a path on which  G Z delta = -g,  H Z delta = 0
 *
 * Displacements delta obey nonholonomic constraints, too: a wheel is rolled to its place. A
 * dynamic variable whose rate is of velocities alone (the deflection of a tread) is moved with
 * the displacement, delta r = b_v delta: it holds. Equations without velocities (general DAEs)
 * are p' = f(p), 0 = n(p): all of p is free to move. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_STATICS_H
#define CRANK_SRC_STUDY_STATICS_H

#include "base/store.h"
#include "eom/eom.h"
#include "linalg/minimum_norm.h"

/* Rates D v that are held besides, by forces Q that are unknowns: D delta = 0, theory
 * (12.4). */
typedef struct crank_statics_holds {
    int count;
    const double *unit; /* count: sizes of Q */
    void *user;
    /* D (count rows of v, and room for count numbers behind them) at (t, x) */
    crank_status (*gradients)(void *user, double t, const double *x, double *D,
                              crank_error *err);
    const bool *follows; /* sizes.r: dynamic variables that move with the displacement, whatever
                            their rates are at rest; NULL: none */
} crank_statics_holds;

typedef struct crank_statics {
    crank_eom *eom;
    crank_statics_holds holds; /* the last rows and columns */
    double *D;                 /* of them */
    double t, time;            /* natural time of the mechanism, 1 where nothing tells */
    crank_store store;
    int rows, columns;
    int balances; /* the first rows: of forces; as many columns are displacements, or none */
    int plain;    /* rows behind them that are plain equations; then holonomic, nonholonomic */
    int n;        /* unknowns of the eom, and Q */
    double *x;    /* n: the point */
    double *k, *values, *size; /* m, entries, m: rows, Jacobian and row scales there */
    double *mass;              /* values of M where accelerations are not carried */
    double *F, *scale;         /* rows: residuals and their scales */
    double *unit;              /* columns */
    double *y;                 /* columns: the last step, in units of 1 */
    double *rest, *against;    /* rows: what it leaves, A y + F; along which: A^T against = 0 */
    int *row, *gradient;       /* rows: of the eom; of it over v, or -1 */
    int *place;                /* m: row of this system whose gradient it is, or -1 */
    int *column;               /* columns: of the eom; velocities stand for displacements */
    bool *held;                /* sizes.r */
    double sign;               /* of the balances in the eom */
    double least;              /* inertia that relaxation gives at least, in natural units */
    crank_min_matrix A;        /* rows x columns, in units of the eom */
    double *work, *column_work; /* rows; columns */
} crank_statics;

/* At (t, x): v and v' of the point become zero. holds: NULL: none. Destroy also on failure. */
crank_status crank_statics_create(crank_eom *eom, double t, const double *x,
                                  const crank_statics_holds *holds, crank_statics *s,
                                  crank_error *err);
void crank_statics_destroy(crank_statics *s);
/* Residuals and scales at s->x; largest |F|/scale. CRANK_RETRY: outside the domain. */
crank_status crank_statics_evaluate(crank_statics *s, double *worst, crank_error *err);
/* A at s->x, evaluated before. pace: 1/tau of a pseudo time step, by which inertia M/tau^2
 * and rates 1/tau resist; 0: none. stiff: false: inertia and constraints alone. */
crank_status crank_statics_linearise(crank_statics *s, double pace, bool stiff,
                                     crank_error *err);
/* s->y of smallest norm for which A y + F is smallest; *left: what is left of it (s->rest),
 * relative to scale: forces along motions that nothing resists, s->against. */
crank_status crank_statics_solve(crank_statics *s, double *left, crank_error *err);
/* Largest displacement of the step in natural units (lengths, radians). */
double crank_statics_length(const crank_statics *s);
/* to (n) = from moved by factor times the step; n: of s. */
crank_status crank_statics_move(crank_statics *s, const double *from, double factor, double *to,
                                crank_error *err);
/* Work that forces do along displacements y, - sum F_i y_i of the balances. */
double crank_statics_work(const crank_statics *s, const double *y);

#endif
