/* psf_jacobian.c - J = dk/dx at a point: by the formulas of the eom's supplier, or by central
 * differences of its rows, column by column or by groups of columns that share no row
 * (option derivatives, theory (2.32)), with the tree of joint coordinates beside formulas. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/psf.h"

#include <string.h>

static bool by_differences(const crank_psf *s)
{
    return s->setup.options.derivatives > CRANK_DERIVATIVES_ANALYTIC;
}

static crank_status rows(void *self, double t, const double *x, double *k, crank_error *err)
{
    crank_psf *s = self;
    crank_eom *eom = s->setup.eom;
    s->statistics.difference_evaluations++;
    return eom->supplier.evaluate(eom->self, 1, &t, x, CRANK_ALL_ROWS, k, err);
}

static crank_status mass(void *self, double t, const double *x, double *values,
                         crank_error *err)
{
    crank_eom *eom = ((crank_psf *)self)->setup.eom;
    return eom->supplier.mass(eom->self, t, x, values, err);
}

void crank_psf_jacobian_layout(crank_psf *s, crank_arena *arena)
{
    const crank_eom *eom = s->setup.eom;
    s->jacobian =
        crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[eom->n], sizeof(double));
    if (by_differences(s)) {
        s->differences.eom = eom;
        s->difference_unit = crank_arena_take(arena, (size_t)eom->n, sizeof(double));
        crank_differences_layout(&s->differences, arena);
    } else if (eom->recursion_wanted) {
        s->setup.recursion = crank_arena_take(arena, crank_recursion_size(eom->recursion),
                                              sizeof *s->setup.recursion);
    }
}

crank_status crank_psf_jacobian_create(crank_psf *s, crank_error *err)
{
    crank_differences *d = &s->differences;
    if (!by_differences(s)) {
        return CRANK_OK;
    }
    d->evaluate = rows;
    d->mass = mass;
    d->self = s;
    d->unit = s->difference_unit;
    for (int j = 0; j < s->setup.eom->n; j++) {
        bool known;
        s->difference_unit[j] = crank_scale_unit(s->setup.eom, j, &known);
    }
    if (s->setup.options.derivatives == CRANK_DERIVATIVES_DENSE) {
        crank_differences_by_columns(d);
        return CRANK_OK;
    }
    return crank_differences_colour(d, err);
}

crank_status crank_psf_jacobian(crank_psf *s, double t, const double *x, const double *vdot,
                                crank_error *err)
{
    crank_eom *eom = s->setup.eom;
    if (by_differences(s)) {
        return crank_differences_jacobian(&s->differences, t, x, vdot, s->jacobian, err);
    }
    const crank_status status = eom->supplier.jacobian(eom->self, t, x, vdot, s->jacobian, err);
    if (status == CRANK_OK && s->setup.recursion != NULL) {
        crank_recursion_copy(eom->recursion, eom->supplier.recursion(eom->self),
                             s->setup.recursion);
    }
    return status;
}
