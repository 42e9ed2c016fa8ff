/* ida.c - IDA of SUNDIALS on the forms of form.h. Multipliers are left out of the error test,
 * as IDA's manual advises for index 2, and weigh little in Newton's test (atol 1), without
 * which it does not get away from the start. */
// SPDX-License-Identifier: BSD-3-Clause
#include "form.h"
#include "peer.h"
#include "processor.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector out, void *user)
{
    form_residual(user, t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(out));
    return 0;
}

static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r,
                    SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
    dae_form *form = user;
    double *out = form->start ? SUNSparseMatrix_Data(matrix) : SUNDenseMatrix_Data(matrix);
    (void)r, (void)w1, (void)w2, (void)w3;
    if (form->start) {
        sunindextype *start = SUNSparseMatrix_IndexPointers(matrix),
                     *row = SUNSparseMatrix_IndexValues(matrix);
        for (int j = 0; j <= form->n; j++)
            start[j] = form->start[j];
        for (int k = 0; k < form->nonzeros; k++)
            row[k] = form->row[k];
    }
    form_jacobian(form, t, cj, NV_DATA_S(y), NV_DATA_S(yp), out);
    return 0;
}

static void start_values(const dae_form *form, reduced *equations, N_Vector state,
                         N_Vector rates, N_Vector kind)
{
    const mechanics *problem = form->problem;
    const int nq = problem->nq;
    const size_t size = (size_t)nq * sizeof(double);
    double *y = NV_DATA_S(state), *yp = NV_DATA_S(rates);
    N_VConst(0, state);
    N_VConst(0, rates);
    memcpy(y, problem->q0, size);
    memcpy(y + nq, problem->v0, size);
    memcpy(yp, problem->v0, size);
    reduced_accelerations(equations, 0, problem->q0, problem->v0, yp + nq, y + 2 * nq);
    for (int i = 0; i < form->n; i++)
        NV_DATA_S(kind)[i] = i < 2 * nq ? 1 : 0;
}

void peer_ida(peer_run *run, bool ggl, bool sparse)
{
    mechanics *problem = run->problem;
    const int nq = problem->nq;
    dae_form form;
    form_create(&form, problem, ggl, sparse);
    reduced *equations = reduced_create(problem);
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VNew_Serial(form.n, context), yp = N_VNew_Serial(form.n, context),
             kind = N_VNew_Serial(form.n, context);
    start_values(&form, equations, y, yp, kind);
    void *ida = IDACreate(context);
    IDAInit(ida, residual, 0, y, yp);
    N_Vector atol = N_VNew_Serial(form.n, context);
    for (int i = 0; i < form.n; i++)
        NV_DATA_S(atol)[i] = i < 2 * nq || !ggl ? run->rtol : 1;
    IDASVtolerances(ida, run->rtol, atol);
    IDASetUserData(ida, &form);
    IDASetId(ida, kind);
    IDASetSuppressAlg(ida, 1);
    IDASetMaxNumSteps(ida, -1);
    IDASetErrFile(ida, NULL);
    SUNMatrix matrix = sparse ? SUNSparseMatrix(form.n, form.n, form.nonzeros, CSC_MAT, context)
                              : SUNDenseMatrix(form.n, form.n, context);
    SUNLinearSolver solver =
        sparse ? SUNLinSol_KLU(y, matrix, context) : SUNLinSol_Dense(y, matrix, context);
    IDASetLinearSolver(ida, solver, matrix);
    IDASetJacFn(ida, jacobian);
    const double begin = processor_seconds();
    for (int i = 0; i < run->count; i++) {
        double t;
        const int flag = IDASolve(ida, run->times[i], &t, y, yp, IDA_NORMAL);
        if (flag < 0) {
            snprintf(run->text, sizeof run->text, "IDA stopped at t = %g with flag %d", t,
                     flag);
            break;
        }
        const double *state = NV_DATA_S(y);
        peer_keep(run, equations, i, state, state + nq, state + 2 * nq);
    }
    run->seconds = processor_seconds() - begin;
    IDAGetNumSteps(ida, &run->steps);
    IDAGetNumResEvals(ida, &run->evaluations);
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y);
    N_VDestroy(yp);
    N_VDestroy(kind);
    N_VDestroy(atol);
    SUNContext_Free(&context);
    reduced_destroy(equations);
    form_destroy(&form);
}
