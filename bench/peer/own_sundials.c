/* own_sundials.c - CVODE (BDF) and ARKODE (its implicit methods of orders 4 and 5) of SUNDIALS
 * on the underlying ode (own_ode.h). Newton's matrices are factored in their sparse form by
 * KLU, by functions for the linear system and a linear solver of our own, with derivatives kept
 * as these codes ask for it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "own_ode.h"
#include "processor.h"

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <string.h>
#include <sunmatrix/sunmatrix_dense.h>

static int right_side(realtype t, N_Vector y, N_Vector ydot, void *user)
{
    return own_ode_rates(user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot));
}

/* I - gamma J, whose place (one number) stands for the sparse matrix */
static int linear_system(realtype t, N_Vector y, SUNMatrix matrix, booleantype kept,
                         booleantype *made, realtype gamma, own_ode *s)
{
    (void)matrix;
    *made = !kept;
    const int status = kept ? 0 : own_ode_prepare(s, t, N_VGetArrayPointer(y));
    return status != 0 ? status : own_ode_factor(s, gamma);
}

static int cvode_system(realtype t, N_Vector y, N_Vector ydot, SUNMatrix matrix,
                        booleantype kept, booleantype *made, realtype gamma, void *user,
                        N_Vector w1, N_Vector w2, N_Vector w3)
{
    (void)ydot, (void)w1, (void)w2, (void)w3;
    return linear_system(t, y, matrix, kept, made, gamma, user);
}

static int arkode_system(realtype t, N_Vector y, N_Vector ydot, SUNMatrix matrix,
                         SUNMatrix mass, booleantype kept, booleantype *made, realtype gamma,
                         void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
    (void)ydot, (void)mass, (void)w1, (void)w2, (void)w3;
    return linear_system(t, y, matrix, kept, made, gamma, user);
}

static SUNLinearSolver_Type type(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                 realtype tolerance)
{
    own_ode *s = solver->content;
    (void)matrix, (void)tolerance;
    memcpy(N_VGetArrayPointer(x), N_VGetArrayPointer(b), (size_t)s->count * sizeof(double));
    return own_ode_solve(s, N_VGetArrayPointer(x));
}

static int set_up(SUNLinearSolver solver, SUNMatrix matrix)
{
    (void)solver, (void)matrix;
    return 0; /* linear_system has factored */
}

typedef struct solver {
    SUNContext context;
    N_Vector y;
    SUNMatrix matrix;
    SUNLinearSolver linear;
} solver;

static void open_solver(solver *v, own_ode *s)
{
    SUNContext_Create(NULL, &v->context);
    v->y = N_VNew_Serial(s->count, v->context);
    memcpy(N_VGetArrayPointer(v->y), s->y, (size_t)s->count * sizeof(double));
    v->matrix = SUNDenseMatrix(1, 1, v->context);
    v->linear = SUNLinSolNewEmpty(v->context);
    v->linear->content = s;
    v->linear->ops->gettype = type;
    v->linear->ops->setup = set_up;
    v->linear->ops->solve = solve;
}

static void close_solver(solver *v)
{
    SUNLinSolFreeEmpty(v->linear);
    SUNMatDestroy(v->matrix);
    N_VDestroy(v->y);
    SUNContext_Free(&v->context);
}

/* Keeps a row; what the code says of it below zero ends the run. */
static bool keep(const own_task *task, own_ode *s, const solver *v, int flag, double t,
                 const char *code, own_run *out)
{
    double *row = task->rows + out->reached * crank_eom_unknowns(crank_run_eom(task->run));
    if (flag < 0)
        snprintf(out->text, sizeof out->text, "%s stopped at t = %g with flag %d", code, t,
                 flag);
    else if (own_ode_complete(s, t, N_VGetArrayPointer(v->y), row) != 0)
        snprintf(out->text, sizeof out->text, "no multipliers at t = %g", t);
    else
        out->reached++;
    return out->text[0] == 0;
}

void own_cvode(const own_task *task, own_run *out)
{
    own_ode s;
    solver v;
    own_ode_open(&s, task->run, task->rtol);
    open_solver(&v, &s);
    void *cvode = CVodeCreate(CV_BDF, v.context);
    CVodeInit(cvode, right_side, s.rows.t, v.y);
    CVodeSStolerances(cvode, task->rtol, task->rtol);
    CVodeSetUserData(cvode, &s);
    CVodeSetMaxNumSteps(cvode, -1);
    CVodeSetErrFile(cvode, NULL);
    CVodeSetMaxStep(cvode, s.rows.h_max); /* 0: none */
    CVodeSetLinearSolver(cvode, v.linear, v.matrix);
    CVodeSetLinSysFn(cvode, cvode_system);
    const double before = processor_seconds();
    bool going = true;
    while (going && out->reached < task->count) {
        double t;
        const int flag = CVode(cvode, task->times[out->reached], v.y, &t, CV_NORMAL);
        going = keep(task, &s, &v, flag, t, "CVODE", out);
    }
    out->seconds = processor_seconds() - before;
    CVodeGetNumSteps(cvode, &out->steps);
    out->evaluations = s.evaluations;
    out->jacobians = s.jacobians;
    CVodeFree(&cvode);
    close_solver(&v);
    own_ode_close(&s);
}

static void arkode(const own_task *task, int order, own_run *out)
{
    own_ode s;
    solver v;
    own_ode_open(&s, task->run, task->rtol);
    open_solver(&v, &s);
    void *memory = ARKStepCreate(NULL, right_side, s.rows.t, v.y, v.context);
    ARKStepSStolerances(memory, task->rtol, task->rtol);
    ARKStepSetUserData(memory, &s);
    ARKStepSetMaxNumSteps(memory, -1);
    ARKStepSetErrFile(memory, NULL);
    ARKStepSetOrder(memory, order);
    ARKStepSetMaxStep(memory, s.rows.h_max); /* 0: none */
    ARKStepSetLinearSolver(memory, v.linear, v.matrix);
    ARKStepSetLinSysFn(memory, arkode_system);
    const double before = processor_seconds();
    bool going = true;
    while (going && out->reached < task->count) {
        double t;
        const int flag = ARKStepEvolve(memory, task->times[out->reached], v.y, &t, ARK_NORMAL);
        going = keep(task, &s, &v, flag, t, "ARKODE", out);
    }
    out->seconds = processor_seconds() - before;
    ARKStepGetNumSteps(memory, &out->steps);
    out->evaluations = s.evaluations;
    out->jacobians = s.jacobians;
    ARKStepFree(&memory);
    close_solver(&v);
    own_ode_close(&s);
}

void own_arkode4(const own_task *task, own_run *out)
{
    arkode(task, 4, out);
}

void own_arkode5(const own_task *task, own_run *out)
{
    arkode(task, 5, out);
}
