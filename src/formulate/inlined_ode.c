/* inlined_ode.c - the states of translated equations as an ordinary differential equation, for
 * integrators that iterate on all of them (the standard interface of [EOC95]): what inline
 * methods are compared with.
 *
 *     x' = f(t, x)        the code with h = 0 and old(x) = x
 *     J = df/dx           by differences, column by column: f is solved for and has no formula
 *     (sigma 1 - J) d = r  dense LU */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/inlined.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* increments: the root of rounding, of the unknown or of what its tolerance is of */
static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    crank_inlined_problem *s = (crank_inlined_problem *)base;
    const int n = base->n;
    const double part = sqrt(DBL_EPSILON), floor = s->absolute / fmax(s->relative, DBL_EPSILON);
    (void)xdot;
    s->statistics.jacobians++;
    crank_status status = base->evaluate(base, 1, &t, x, s->slope, err);
    memcpy(s->point, x, (size_t)n * sizeof *x);
    for (int j = 0; j < n && status == CRANK_OK; j++) {
        double *column = s->jacobian + (long)j * n;
        s->point[j] = x[j] + part * fmax(fabs(x[j]), floor);
        const double step = s->point[j] - x[j];
        status = base->evaluate(base, 1, &t, s->point, column, err);
        for (int i = 0; i < n; i++) {
            column[i] = (column[i] - s->slope[i]) / step;
        }
        s->point[j] = x[j];
    }
    return status;
}

static crank_status factor(crank_problem *base, int shifts, const double *real,
                           const double *imag, crank_error *err)
{
    crank_inlined_problem *s = (crank_inlined_problem *)base;
    const int n = base->n;
    crank_status status = CRANK_OK;
    for (int i = 0; i < shifts && status == CRANK_OK; i++) {
        const bool pairs = imag[i] != 0.0;
        const int step = pairs ? 2 : 1;
        double *a = crank_solver_values(s->solver, i, pairs);
        for (long k = 0; k < (long)n * n; k++) {
            const bool diagonal = k % (n + 1) == 0;
            a[k * step] = (diagonal ? real[i] : 0.0) - s->jacobian[k];
            if (pairs) {
                a[k * step + 1] = diagonal ? imag[i] : 0.0;
            }
        }
        s->statistics.factorizations++;
        status = crank_solver_factor(s->solver, i, err);
    }
    return status;
}

static crank_status solve(crank_problem *base, int i, const double *r, const double *r_imag,
                          double *delta, double *delta_imag, crank_error *err)
{
    crank_inlined_problem *s = (crank_inlined_problem *)base;
    (void)err;
    crank_solver_solve(s->solver, i, r, r_imag, delta, delta_imag);
    return CRANK_OK;
}

crank_status crank_inlined_use_standard(crank_inlined_problem *s, crank_error *err)
{
    const crank_solver_setup setup = {
        .wish = CRANK_LINALG_DENSE, .n = s->base.n, .shifts = CRANK_MAX_SHIFTS};
    s->base.prepare = prepare;
    s->base.factor = factor;
    s->base.solve = solve;
    s->base.advance = NULL;
    s->base.aside = NULL;
    return crank_solver_create(&setup, &s->solver, err);
}
