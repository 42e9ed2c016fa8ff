/* own_ida.c - IDA of SUNDIALS on the equations that crank's direct forms integrate,
 *
 *     0 = F(t, x, x') = E(x, t) x' - k(x, t),    dF/dx + c dF/dx' = c E + d(E x')/dx - dk/dx
 *
 * ggl (the stabilised index-2 form of Gear, Gupta and Leimkuhler), index2 or index1: the same
 * k, E, analytic Jacobian and pattern as crank's own integrators have of any model, compiled or
 * not. Factors by KLU. crank's looks at steps (levels, ranks, jumps) are left out.
 *
 * Algebraic unknowns are left out of the error test, as IDA's manual advises for index 2, and
 * weigh little in Newton's test, by an absolute tolerance of one (as in ida.c: without any IDA
 * takes up to a fifth more or fewer steps). */
// SPDX-License-Identifier: BSD-3-Clause
#include "own_ida.h"

#include "formulate/direct.h"
#include "integrate/events.h"
#include "integrate/integrator.h"
#include "memory.h"
#include "processor.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

static const double ALGEBRAIC = 1; /* absolute tolerance */

typedef struct equations {
    crank_direct *form;
    double *led; /* m */
} equations;

/* 1: IDA tries a shorter step */
static int answer(crank_status status)
{
    return status == CRANK_OK ? 0 : status > CRANK_OK ? 1 : -1;
}

static int residual(realtype t, N_Vector x, N_Vector xdot, N_Vector out, void *user)
{
    equations *s = user;
    crank_problem *problem = &s->form->base;
    const double *at = N_VGetArrayPointer(x);
    double *f = N_VGetArrayPointer(out);
    crank_error err = {0};
    crank_status status = problem->evaluate(problem, 1, &t, at, f, &err);
    if (status == CRANK_OK)
        status = problem->lead(problem, t, at, N_VGetArrayPointer(xdot), s->led, &err);
    for (int i = 0; i < problem->m; i++)
        f[i] = s->led[i] - f[i];
    return answer(status);
}

static int jacobian(realtype t, realtype c, N_Vector x, N_Vector xdot, N_Vector r,
                    SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
    const equations *s = user;
    crank_direct *form = s->form;
    sunindextype *start = SUNSparseMatrix_IndexPointers(matrix),
                 *row = SUNSparseMatrix_IndexValues(matrix);
    double *value = SUNSparseMatrix_Data(matrix);
    crank_error err = {0};
    (void)r, (void)w1, (void)w2, (void)w3;
    const crank_status status = form->base.prepare(&form->base, t, N_VGetArrayPointer(x),
                                                   N_VGetArrayPointer(xdot), &err);
    for (int j = 0; j <= form->base.n; j++)
        start[j] = form->start[j];
    for (int e = 0; e < form->start[form->base.n]; e++) {
        row[e] = form->row[e];
        value[e] = c * form->lead[e] + form->rest[e];
    }
    return answer(status);
}

/* x, x' at the start, which unknowns are differential, and tolerances */
static void begin(const equations *s, const crank_integrator *it, double rtol, double *x,
                  double *xdot, double *kind, double *atol)
{
    crank_problem *problem = &s->form->base;
    crank_error err = {0};
    memcpy(x, it->x, (size_t)problem->n * sizeof *x);
    if (problem->evaluate(problem, 1, &it->t, x, s->led, &err) != CRANK_OK ||
        problem->rates(problem, it->t, x, s->led, xdot, &err) != CRANK_OK) {
        fprintf(stderr, "no rates at the start: %s\n", err.text);
        exit(1);
    }
    for (int j = 0; j < problem->n; j++) {
        const int column = problem->unknowns ? problem->unknowns->column[j] : j,
                  group = problem->group[j];
        kind[j] = column >= 0 && (group == CRANK_P || group == CRANK_V || group == CRANK_R);
        atol[j] = kind[j] > 0 ? rtol : ALGEBRAIC;
    }
}

/* What IDA would be given otherwise is not what crank integrates. */
static void refuse(const crank_integrator *it)
{
    const char *why = it->problem->evaluate != crank_direct_problem.evaluate
                          ? "its equations are not those of ggl, index2 or index1"
                      : it->events != NULL && it->events->events.count > 0 ? "it has events"
                                                                           : NULL;
    if (why) {
        fprintf(stderr, "no run by IDA: %s\n", why);
        exit(1);
    }
}

typedef struct solver {
    SUNContext context;
    N_Vector x, xdot, kind, atol;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    void *ida;
} solver;

static void open_solver(solver *v, equations *s, const crank_integrator *it, double rtol)
{
    const int n = it->problem->n;
    SUNContext_Create(NULL, &v->context);
    N_Vector *all[] = {&v->x, &v->xdot, &v->kind, &v->atol};
    for (int i = 0; i < 4; i++) {
        *all[i] = N_VNew_Serial(n, v->context);
        N_VConst(0, *all[i]);
    }
    begin(s, it, rtol, N_VGetArrayPointer(v->x), N_VGetArrayPointer(v->xdot),
          N_VGetArrayPointer(v->kind), N_VGetArrayPointer(v->atol));
    v->ida = IDACreate(v->context);
    IDAInit(v->ida, residual, it->t, v->x, v->xdot);
    IDASVtolerances(v->ida, rtol, v->atol);
    IDASetUserData(v->ida, s);
    IDASetId(v->ida, v->kind);
    IDASetSuppressAlg(v->ida, 1);
    IDASetMaxNumSteps(v->ida, -1);
    IDASetErrFile(v->ida, NULL);
    IDASetMaxStep(v->ida, it->options.h_max); /* 0: none */
    v->matrix = SUNSparseMatrix(n, n, s->form->start[n], CSC_MAT, v->context);
    v->linear = SUNLinSol_KLU(v->x, v->matrix, v->context);
    IDASetLinearSolver(v->ida, v->linear, v->matrix);
    IDASetJacFn(v->ida, jacobian);
}

static void close_solver(solver *v)
{
    IDAFree(&v->ida);
    SUNLinSolFree(v->linear);
    SUNMatDestroy(v->matrix);
    N_VDestroy(v->x);
    N_VDestroy(v->xdot);
    N_VDestroy(v->kind);
    N_VDestroy(v->atol);
    SUNContext_Free(&v->context);
}

void own_ida(crank_run *run, double rtol, int count, const double *times, double *rows,
             own_ida_run *out)
{
    const crank_integrator *it = crank_run_integrator(run);
    const int n = crank_eom_unknowns(crank_run_eom(run));
    refuse(it);
    equations s = {(crank_direct *)it->problem, numbers(it->problem->m)};
    solver v = {0};
    *out = (own_ida_run){0};
    open_solver(&v, &s, it, rtol);
    const double before = processor_seconds();
    for (; out->reached < count; out->reached++) {
        double t;
        const int flag = IDASolve(v.ida, times[out->reached], &t, v.x, v.xdot, IDA_NORMAL);
        if (flag < 0) {
            snprintf(out->text, sizeof out->text, "IDA stopped at t = %g with flag %d", t,
                     flag);
            break;
        }
        memcpy(rows + out->reached * n, N_VGetArrayPointer(v.x), (size_t)n * sizeof *rows);
    }
    out->seconds = processor_seconds() - before;
    IDAGetNumSteps(v.ida, &out->steps);
    IDAGetNumResEvals(v.ida, &out->evaluations);
    IDAGetNumJacEvals(v.ida, &out->jacobians);
    close_solver(&v);
    free(s.led);
}
