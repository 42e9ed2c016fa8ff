/* direct_rows.c - rows of the direct formulations: w, lambda, mu, s from p, v, r.
 *
 * Multipliers and accelerations of forms of index 2 and 3 follow a step at lower order and are
 * not in the error test (their errors are counted h or h^2 times): at rows they may be far less
 * accurate than the motion. They are not needed from step to step, so rows have those that
 * belong to the motion, 0 = (d, gII, hI, c), theory (9.1). Where these do not determine them,
 * or the eom has no acceleration level, rows have what was discretised. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include <string.h>

static crank_status solve(crank_direct *s, double t, double *x, crank_error *err)
{
    crank_eom *eom = s->eom;
    const bool idle = eom->acceleration_idle;
    eom->acceleration_idle = false;
    const crank_status status = crank_algebraic_solve(&s->algebraic, t, x, err);
    eom->acceleration_idle = idle;
    return status == CRANK_OK && crank_first_not_finite(eom->n, x) >= 0 ? CRANK_RETRY : status;
}

static crank_status complete(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const size_t bytes = (size_t)s->eom->n * sizeof *x;
    double *row = s->points; /* free between evaluations */
    memcpy(row, x, bytes);
    const crank_status status = solve(s, t, row, err);
    if (status == CRANK_OK) {
        memcpy(x, row, bytes);
        crank_scale_see(&s->scale, row);
    }
    return status;
}

/* The first solution, at the start, is made here, where memory may be taken. */
/* of a singular M in no other structure */
static crank_status complete_mass_form(crank_problem *base, double t, double *x,
                                       crank_error *err)
{
    const crank_eom_mass_form *form = ((crank_direct *)base)->eom->mass_form;
    return form->complete(form->self, t, x, err);
}

crank_status crank_direct_rows_create(crank_direct *s, double t0, const double *x0,
                                      crank_error *err)
{
    crank_eom *eom = s->eom;
    if (eom->mass_form != NULL) {
        s->base.complete = eom->mass_form->complete != NULL ? complete_mass_form : NULL;
    }
    if (!eom->has_acceleration_level || eom->mass_form != NULL) {
        return CRANK_OK;
    }
    const bool known = eom->supplier.evaluate(eom->self, 1, &t0, x0, CRANK_DIFFERENTIAL,
                                              s->rows, NULL) == CRANK_OK;
    crank_scale_measure(&s->scale, s->jacobian, x0, known ? s->rows : NULL);
    s->algebraic =
        (crank_algebraic){.eom = eom, .scale = &s->scale, .statistics = &s->statistics};
    crank_status status =
        crank_algebraic_create(&s->algebraic, s->options.linear_algebra, t0, NULL, err);
    if (status == CRANK_OK && s->algebraic.entries.unknowns > 0) {
        memcpy(s->points, x0, (size_t)eom->n * sizeof *x0);
        status = solve(s, t0, s->points, err);
        s->base.complete = status >= CRANK_OK ? complete : NULL;
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

void crank_direct_rows_archive(crank_direct *s, crank_archive *archive)
{
    if (s->base.complete != NULL && s->eom->mass_form == NULL) {
        crank_scale_archive(&s->scale, archive);
        crank_algebraic_archive(&s->algebraic, archive);
    }
}
