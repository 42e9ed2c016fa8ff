// SPDX-License-Identifier: BSD-3-Clause
#include "own_rows.h"

#include "integrate/events.h"
#include "integrate/integrator.h"
#include "memory.h"

#include <stdio.h>
#include <string.h>

static const double ALGEBRAIC = 1; /* absolute tolerance */

int own_answer(crank_status status)
{
    return status == CRANK_OK ? 0 : status > CRANK_OK ? 1 : -1;
}

/* What peers would be given otherwise is not what crank integrates. */
static void refuse(const crank_integrator *it)
{
    const char *why = it->problem->evaluate != crank_direct_problem.evaluate
                          ? "its equations are not those of ggl, index2 or index1"
                      : it->events != NULL && it->events->events.count > 0 ? "it has events"
                                                                           : NULL;
    if (why) {
        fprintf(stderr, "no run by a peer: %s\n", why);
        exit(1);
    }
}

/* x, x' at the start, which unknowns are differential, and tolerances */
static void begin(own_rows *s, const crank_integrator *it, double rtol)
{
    crank_problem *problem = &s->form->base;
    crank_error err = {0};
    memcpy(s->x, it->x, (size_t)s->n * sizeof *s->x);
    if (problem->evaluate(problem, 1, &it->t, s->x, s->led, &err) != CRANK_OK ||
        problem->rates(problem, it->t, s->x, s->led, s->xdot, &err) != CRANK_OK) {
        fprintf(stderr, "no rates at the start: %s\n", err.text);
        exit(1);
    }
    for (int j = 0; j < s->n; j++) {
        const int column = problem->unknowns ? problem->unknowns->column[j] : j,
                  group = problem->group[j];
        s->kind[j] = column >= 0 && (group == CRANK_P || group == CRANK_V || group == CRANK_R);
        s->atol[j] = s->kind[j] ? rtol : ALGEBRAIC;
    }
}

void own_rows_open(own_rows *s, crank_run *run, double rtol)
{
    const crank_integrator *it = crank_run_integrator(run);
    refuse(it);
    const int n = it->problem->n;
    *s = (own_rows){.form = (crank_direct *)it->problem,
                    .n = n,
                    .led = numbers(it->problem->m),
                    .kind = take(n, sizeof *s->kind),
                    .atol = numbers(n),
                    .x = numbers(n),
                    .xdot = numbers(n),
                    .t = it->t,
                    .h_max = it->options.h_max};
    begin(s, it, rtol);
}

void own_rows_close(own_rows *s)
{
    free(s->led);
    free(s->kind);
    free(s->atol);
    free(s->x);
    free(s->xdot);
}

int own_rows_residual(own_rows *s, double t, const double *x, const double *xdot, double *out)
{
    crank_problem *problem = &s->form->base;
    crank_error err = {0};
    crank_status status = problem->evaluate(problem, 1, &t, x, out, &err);
    if (status == CRANK_OK)
        status = problem->lead(problem, t, x, xdot, s->led, &err);
    for (int i = 0; i < problem->m; i++)
        out[i] = s->led[i] - out[i];
    return own_answer(status);
}

int own_rows_prepare(own_rows *s, double t, const double *x, const double *xdot)
{
    crank_error err = {0};
    return own_answer(s->form->base.prepare(&s->form->base, t, x, xdot, &err));
}
