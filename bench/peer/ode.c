/* ode.c - CVODE and ARKODE of SUNDIALS on the index-1 reduced equations, y = [q v]; projection
 * onto positions and velocities by CVodeSetProjFn (CVODE allows it with BDF only) and
 * ARKStepSetPostprocessStepFn. */
// SPDX-License-Identifier: BSD-3-Clause
#include "peer.h"
#include "processor.h"

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static int right_side(realtype t, N_Vector state, N_Vector rates, void *user)
{
    reduced *equations = user;
    const int nq = equations->problem->nq;
    const double *y = NV_DATA_S(state);
    double *yp = NV_DATA_S(rates);
    memcpy(yp, y + nq, (size_t)nq * sizeof *y);
    return reduced_accelerations(equations, t, y, y + nq, yp + nq, equations->lambda) ? 0 : 1;
}

static int jacobian(realtype t, N_Vector state, N_Vector rates, SUNMatrix matrix, void *user,
                    N_Vector w1, N_Vector w2, N_Vector w3)
{
    reduced *equations = user;
    const int nq = equations->problem->nq;
    const double *y = NV_DATA_S(state);
    double *out = SUNDenseMatrix_Data(matrix);
    (void)rates, (void)w1, (void)w2, (void)w3;
    double *da_dq = numbers(nq * nq), *da_dv = numbers(nq * nq);
    const bool fine = reduced_jacobian(equations, t, y, y + nq, da_dq, da_dv);
    memset(out, 0, (size_t)(4 * nq * nq) * sizeof *out);
    for (int j = 0; j < nq; j++) {
        out[(nq + j) * 2 * nq + j] = 1;
        memcpy(out + j * 2 * nq + nq, da_dq + j * nq, (size_t)nq * sizeof *out);
        memcpy(out + (nq + j) * 2 * nq + nq, da_dv + j * nq, (size_t)nq * sizeof *out);
    }
    free(da_dq);
    free(da_dv);
    return fine ? 0 : 1;
}

static int project_cvode(realtype t, N_Vector state, N_Vector correction, realtype eps,
                         N_Vector error, void *user)
{
    reduced *equations = user;
    const int nq = equations->problem->nq;
    const size_t size = (size_t)(2 * nq) * sizeof(double);
    double *moved = NV_DATA_S(correction);
    (void)eps;
    memcpy(moved, NV_DATA_S(state), size);
    if (!reduced_project(equations, t, moved, moved + nq))
        return 1;
    for (int i = 0; i < 2 * nq; i++)
        moved[i] -= NV_DATA_S(state)[i];
    if (error)
        reduced_tangent(equations, NV_DATA_S(error), NV_DATA_S(error) + nq);
    return 0;
}

static int project_arkode(realtype t, N_Vector state, void *user)
{
    reduced *equations = user;
    double *y = NV_DATA_S(state);
    return reduced_project(equations, t, y, y + equations->problem->nq) ? 0 : 1;
}

static N_Vector start(const mechanics *problem, SUNContext context)
{
    const size_t size = (size_t)problem->nq * sizeof(double);
    N_Vector y = N_VNew_Serial(2 * problem->nq, context);
    memcpy(NV_DATA_S(y), problem->q0, size);
    memcpy(NV_DATA_S(y) + problem->nq, problem->v0, size);
    return y;
}

void peer_cvode(peer_run *run, bool adams, bool project)
{
    mechanics *problem = run->problem;
    const int nq = problem->nq;
    reduced *equations = reduced_create(problem);
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = start(problem, context);
    void *cvode = CVodeCreate(adams ? CV_ADAMS : CV_BDF, context);
    CVodeInit(cvode, right_side, 0, y);
    CVodeSStolerances(cvode, run->rtol, run->rtol);
    CVodeSetUserData(cvode, equations);
    CVodeSetMaxNumSteps(cvode, -1);
    CVodeSetErrFile(cvode, NULL);
    SUNMatrix matrix = NULL;
    SUNLinearSolver solver = NULL;
    SUNNonlinearSolver iteration = NULL;
    if (adams) {
        iteration = SUNNonlinSol_FixedPoint(y, 0, context);
        CVodeSetNonlinearSolver(cvode, iteration);
    } else {
        matrix = SUNDenseMatrix(2 * nq, 2 * nq, context);
        solver = SUNLinSol_Dense(y, matrix, context);
        CVodeSetLinearSolver(cvode, solver, matrix);
        CVodeSetJacFn(cvode, jacobian);
    }
    if (project)
        CVodeSetProjFn(cvode, project_cvode);
    const double begin = processor_seconds();
    for (int i = 0; i < run->count; i++) {
        double t;
        const int flag = CVode(cvode, run->times[i], y, &t, CV_NORMAL);
        if (flag < 0) {
            snprintf(run->text, sizeof run->text, "CVODE stopped at t = %g with flag %d", t,
                     flag);
            break;
        }
        peer_keep(run, equations, i, NV_DATA_S(y), NV_DATA_S(y) + nq, NULL);
    }
    run->seconds = processor_seconds() - begin;
    CVodeGetNumSteps(cvode, &run->steps);
    CVodeGetNumRhsEvals(cvode, &run->evaluations);
    CVodeFree(&cvode);
    if (solver)
        SUNLinSolFree(solver);
    if (matrix)
        SUNMatDestroy(matrix);
    if (iteration)
        SUNNonlinSolFree(iteration);
    N_VDestroy(y);
    SUNContext_Free(&context);
    reduced_destroy(equations);
}

void peer_arkode(peer_run *run, int order, bool project)
{
    mechanics *problem = run->problem;
    const int nq = problem->nq;
    reduced *equations = reduced_create(problem);
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = start(problem, context);
    void *arkode = ARKStepCreate(right_side, NULL, 0, y, context);
    ARKStepSStolerances(arkode, run->rtol, run->rtol);
    ARKStepSetUserData(arkode, equations);
    ARKStepSetMaxNumSteps(arkode, -1);
    ARKStepSetErrFile(arkode, NULL);
    ARKStepSetTableNum(arkode, ARKODE_DIRK_NONE,
                       order == 8 ? ARKODE_FEHLBERG_13_7_8 : ARKODE_DORMAND_PRINCE_7_4_5);
    if (project)
        ARKStepSetPostprocessStepFn(arkode, project_arkode);
    const double begin = processor_seconds();
    for (int i = 0; i < run->count; i++) {
        double t;
        ARKStepSetStopTime(arkode, run->times[i]); /* its interpolation is of order 5 at most */
        const int flag = ARKStepEvolve(arkode, run->times[i], y, &t, ARK_NORMAL);
        if (flag < 0) {
            snprintf(run->text, sizeof run->text, "ARKODE stopped at t = %g with flag %d", t,
                     flag);
            break;
        }
        peer_keep(run, equations, i, NV_DATA_S(y), NV_DATA_S(y) + nq, NULL);
    }
    run->seconds = processor_seconds() - begin;
    long implicit;
    ARKStepGetNumSteps(arkode, &run->steps);
    ARKStepGetNumRhsEvals(arkode, &run->evaluations, &implicit);
    ARKStepFree(&arkode);
    N_VDestroy(y);
    SUNContext_Free(&context);
    reduced_destroy(equations);
}
