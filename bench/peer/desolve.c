/* desolve.c - the problems as compiled models for R's package deSolve (RADAU5 and DASPK); see
 * desolve.R. One problem at a time, chosen by peers_select: deSolve's functions carry no
 * pointer for the user. */
// SPDX-License-Identifier: BSD-3-Clause
#include "form.h"
#include "reduced.h"

#include <stdlib.h>
#include <string.h>

#define SEEN_BY_R __attribute__((visibility("default")))

void peers_select(char **name, int *size, int *sizes);
void peers_start(double *y, double *yp, double *mass);
void peers_multipliers(double *t, double *y, double *lambda);
void ode_rates(int *n, double *t, double *y, double *ydot, double *out, int *ip);
void ode_jacobian(int *n, double *t, double *y, int *ml, int *mu, double *pd, int *rows,
                  double *out, int *ip);
void ggl_rates(int *n, double *t, double *y, double *ydot, double *out, int *ip);
void ggl_jacobian(int *n, double *t, double *y, int *ml, int *mu, double *pd, int *rows,
                  double *out, int *ip);
void ggl_residual(double *t, double *y, double *yp, double *cj, double *delta, int *ires,
                  double *out, int *ip);
void ggl_iteration(double *t, double *y, double *yp, double *pd, double *cj, double *out,
                   int *ip);

static struct {
    mechanics *problem;
    reduced *equations;
    dae_form form;
    double *zero;
} chosen;

/* sizes: nq, nl, is M diagonal and constant; nq = 0: no such problem */
SEEN_BY_R void peers_select(char **name, int *size, int *sizes)
{
    mechanics *problem = mechanics_create(*name, *size);
    sizes[0] = problem ? problem->nq : 0;
    if (!problem)
        return;
    chosen.problem = problem;
    chosen.equations = reduced_create(problem);
    form_create(&chosen.form, problem, true, false);
    chosen.zero = numbers(chosen.form.n);
    sizes[1] = problem->nl;
    sizes[2] = problem->diagonal && !problem->varying;
}

/* start values of [q v lambda mu], their rates, and the diagonal of the mass matrix */
SEEN_BY_R void peers_start(double *y, double *yp, double *mass)
{
    mechanics *problem = chosen.problem;
    const int nq = problem->nq;
    const size_t size = (size_t)nq * sizeof *y;
    memset(y, 0, (size_t)chosen.form.n * sizeof *y);
    memset(yp, 0, (size_t)chosen.form.n * sizeof *y);
    memset(mass, 0, (size_t)chosen.form.n * sizeof *y);
    memcpy(y, problem->q0, size);
    memcpy(y + nq, problem->v0, size);
    memcpy(yp, problem->v0, size);
    reduced_accelerations(chosen.equations, 0, problem->q0, problem->v0, yp + nq, y + 2 * nq);
    for (int i = 0; i < nq; i++)
        mass[i] = 1;
    if (problem->diagonal)
        problem->mass_values(problem, mass + nq);
}

SEEN_BY_R void peers_multipliers(double *t, double *y, double *lambda)
{
    reduced_accelerations(chosen.equations, *t, y, y + chosen.problem->nq, chosen.equations->a,
                          lambda);
}

SEEN_BY_R void ode_rates(int *n, double *t, double *y, double *ydot, double *out, int *ip)
{
    const int nq = chosen.problem->nq;
    (void)n, (void)out, (void)ip;
    memcpy(ydot, y + nq, (size_t)nq * sizeof *y);
    reduced_accelerations(chosen.equations, *t, y, y + nq, ydot + nq, chosen.equations->lambda);
}

SEEN_BY_R void ode_jacobian(int *n, double *t, double *y, int *ml, int *mu, double *pd,
                            int *rows, double *out, int *ip)
{
    const int nq = chosen.problem->nq;
    (void)n, (void)ml, (void)mu, (void)out, (void)ip;
    double *da_dq = numbers(nq * nq), *da_dv = numbers(nq * nq);
    reduced_jacobian(chosen.equations, *t, y, y + nq, da_dq, da_dv);
    memset(pd, 0, (size_t)(2 * nq * *rows) * sizeof *pd);
    for (int j = 0; j < nq; j++) {
        pd[(nq + j) * *rows + j] = 1;
        memcpy(pd + j * *rows + nq, da_dq + j * nq, (size_t)nq * sizeof *pd);
        memcpy(pd + (nq + j) * *rows + nq, da_dv + j * nq, (size_t)nq * sizeof *pd);
    }
    free(da_dq);
    free(da_dv);
}

/* mass y' = -F(t, y, 0): F is mass y' - ..., and the sign of the other rows is free */
SEEN_BY_R void ggl_rates(int *n, double *t, double *y, double *ydot, double *out, int *ip)
{
    (void)out, (void)ip;
    form_residual(&chosen.form, *t, y, chosen.zero, ydot);
    for (int i = 0; i < *n; i++)
        ydot[i] = -ydot[i];
}

SEEN_BY_R void ggl_jacobian(int *n, double *t, double *y, int *ml, int *mu, double *pd,
                            int *rows, double *out, int *ip)
{
    (void)ml, (void)mu, (void)rows, (void)out, (void)ip;
    form_jacobian(&chosen.form, *t, 0, y, chosen.zero, pd);
    for (int i = 0; i < *n * *n; i++)
        pd[i] = -pd[i];
}

SEEN_BY_R void ggl_residual(double *t, double *y, double *yp, double *cj, double *delta,
                            int *ires, double *out, int *ip)
{
    (void)cj, (void)ires, (void)out, (void)ip;
    form_residual(&chosen.form, *t, y, yp, delta);
}

SEEN_BY_R void ggl_iteration(double *t, double *y, double *yp, double *pd, double *cj,
                             double *out, int *ip)
{
    (void)out, (void)ip;
    form_jacobian(&chosen.form, *t, *cj, y, yp, pd);
}
