/* own_ida.c - IDA of SUNDIALS on crank's own rows (own_rows.h), with factors by KLU. */
// SPDX-License-Identifier: BSD-3-Clause
#include "own_rows.h"
#include "processor.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

static int residual(realtype t, N_Vector x, N_Vector xdot, N_Vector out, void *user)
{
    return own_rows_residual(user, t, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot),
                             N_VGetArrayPointer(out));
}

static int jacobian(realtype t, realtype c, N_Vector x, N_Vector xdot, N_Vector r,
                    SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
    own_rows *s = user;
    const crank_direct *form = s->form;
    sunindextype *start = SUNSparseMatrix_IndexPointers(matrix),
                 *row = SUNSparseMatrix_IndexValues(matrix);
    double *value = SUNSparseMatrix_Data(matrix);
    (void)r, (void)w1, (void)w2, (void)w3;
    const int status = own_rows_prepare(s, t, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot));
    for (int j = 0; j <= s->n; j++)
        start[j] = form->start[j];
    for (int e = 0; e < form->start[s->n]; e++) {
        row[e] = form->row[e];
        value[e] = c * form->lead[e] + form->rest[e];
    }
    return status;
}

typedef struct solver {
    SUNContext context;
    N_Vector x, xdot, kind, atol;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    void *ida;
} solver;

static void open_solver(solver *v, own_rows *s, double rtol)
{
    const int n = s->n;
    const size_t size = (size_t)n * sizeof(double);
    SUNContext_Create(NULL, &v->context);
    N_Vector *all[] = {&v->x, &v->xdot, &v->kind, &v->atol};
    for (int i = 0; i < 4; i++)
        *all[i] = N_VNew_Serial(n, v->context);
    memcpy(N_VGetArrayPointer(v->x), s->x, size);
    memcpy(N_VGetArrayPointer(v->xdot), s->xdot, size);
    memcpy(N_VGetArrayPointer(v->atol), s->atol, size);
    for (int j = 0; j < n; j++)
        N_VGetArrayPointer(v->kind)[j] = s->kind[j];
    v->ida = IDACreate(v->context);
    IDAInit(v->ida, residual, s->t, v->x, v->xdot);
    IDASVtolerances(v->ida, rtol, v->atol);
    IDASetUserData(v->ida, s);
    IDASetId(v->ida, v->kind);
    IDASetSuppressAlg(v->ida, 1);
    IDASetMaxNumSteps(v->ida, -1);
    IDASetErrFile(v->ida, NULL);
    IDASetMaxStep(v->ida, s->h_max); /* 0: none */
    v->matrix = SUNSparseMatrix(n, n, s->form->start[n], CSC_MAT, v->context);
    v->linear = SUNLinSol_KLU(v->x, v->matrix, v->context);
    SUNLinSol_KLUSetOrdering(v->linear, 0); /* AMD: less fill than its default, COLAMD */
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

void own_ida(const own_task *task, own_run *out)
{
    const int n = crank_eom_unknowns(crank_run_eom(task->run));
    own_rows s;
    solver v = {0};
    own_rows_open(&s, task->run, task->rtol);
    open_solver(&v, &s, task->rtol);
    const double before = processor_seconds();
    for (; out->reached < task->count; out->reached++) {
        double t;
        const int flag =
            IDASolve(v.ida, task->times[out->reached], &t, v.x, v.xdot, IDA_NORMAL);
        if (flag < 0) {
            snprintf(out->text, sizeof out->text, "IDA stopped at t = %g with flag %d", t,
                     flag);
            break;
        }
        memcpy(task->rows + out->reached * n, N_VGetArrayPointer(v.x),
               (size_t)n * sizeof(double));
    }
    out->seconds = processor_seconds() - before;
    IDAGetNumSteps(v.ida, &out->steps);
    IDAGetNumResEvals(v.ida, &out->evaluations);
    IDAGetNumJacEvals(v.ida, &out->jacobians);
    close_solver(&v);
    own_rows_close(&s);
}
