/* inlined_ida.c - IDA of SUNDIALS on the flattened equations of a model that translates (index
 * reduced, compiled, with derivatives as formulas, KLU), for bench/inline:
 *
 *     peers_inlined MODEL.mo MODEL RTOL T_END [NAME=VALUE]...
 *
 * A run of inline-bdf goes ahead and finds the events. From one to the next IDA makes its own
 * steps from the consistent state behind the event, which it is given as it is given the time of
 * the next one: what is counted (callgrind, --toggle-collect=solve_segment) are its steps alone,
 * without looking for events, iterating at them or starting anew consistently. Algebraic unknowns
 * are left out of the error test. Prints the steps, evaluations, Jacobians, and the largest
 * difference of states at ends of segments from the run's, over 1 + their size. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/inlined.h"
#include "integrate/integrator.h"

#include <crank/run.h>
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

enum { SETTINGS = 64 };

typedef struct flattened {
    crank_inlined_rows *rows;
    double *full, *slopes; /* all unknowns, those given behind those of the rows */
    int entries;
} flattened;

static _Noreturn void stop(const char *text)
{
    (void)fprintf(stderr, "%s\n", text);
    exit(1);
}

static void *take(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (p == NULL) {
        stop("out of memory");
    }
    return p;
}

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector out, void *user)
{
    flattened *s = user;
    const crank_inlined_rows *r = s->rows;
    double *f = NV_DATA_S(out);
    memcpy(s->full, NV_DATA_S(y), (size_t)r->unknowns * sizeof *f);
    for (int j = 0; j < r->kept; j++) {
        f[j] = NV_DATA_S(yp)[r->column[j]] - s->full[r->rate[j]];
    }
    r->evaluate(r, t, s->full, f + r->kept);
    return 0;
}

static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector out,
                    SUNMatrix matrix, void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
    flattened *s = user;
    const crank_inlined_rows *r = s->rows;
    double *a = SUNSparseMatrix_Data(matrix);
    sunindextype *start = SUNSparseMatrix_IndexPointers(matrix),
                 *row = SUNSparseMatrix_IndexValues(matrix);
    int count = 0;
    (void)yp, (void)out, (void)w1, (void)w2, (void)w3;
    memcpy(s->full, NV_DATA_S(y), (size_t)r->unknowns * sizeof *a);
    r->slopes(r, t, s->full, s->slopes);
    for (int u = 0; u < r->unknowns; u++) {
        start[u] = count;
        for (int j = 0; j < r->kept; j++) {
            if (r->column[j] == u || r->rate[j] == u) {
                row[count] = j;
                a[count++] = r->column[j] == u ? cj : -1.0;
            }
        }
        for (int q = r->start[u]; q < r->start[u + 1]; q++) {
            row[count] = r->kept + r->row[q];
            a[count++] = s->slopes[q];
        }
    }
    start[r->unknowns] = count;
    return 0;
}

typedef struct solver {
    SUNContext context;
    N_Vector y, yp, kind;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    void *ida;
    long steps, evaluations, jacobians;
} solver;

static void open_solver(solver *v, flattened *s, double rtol)
{
    const int n = s->rows->unknowns;
    SUNContext_Create(NULL, &v->context);
    v->y = N_VNew_Serial(n, v->context);
    v->yp = N_VNew_Serial(n, v->context);
    v->kind = N_VNew_Serial(n, v->context);
    N_VConst(0, v->y);
    N_VConst(0, v->yp);
    N_VConst(0, v->kind);
    for (int j = 0; j < s->rows->kept; j++) {
        NV_DATA_S(v->kind)[s->rows->column[j]] = 1;
    }
    v->ida = IDACreate(v->context);
    IDAInit(v->ida, residual, 0, v->y, v->yp);
    IDASStolerances(v->ida, rtol, rtol);
    IDASetUserData(v->ida, s);
    IDASetId(v->ida, v->kind);
    IDASetSuppressAlg(v->ida, 1);
    IDASetMaxNumSteps(v->ida, -1);
    v->matrix = SUNSparseMatrix(n, n, s->entries + 2 * s->rows->kept, CSC_MAT, v->context);
    v->linear = SUNLinSol_KLU(v->y, v->matrix, v->context);
    IDASetLinearSolver(v->ida, v->linear, v->matrix);
    IDASetJacFn(v->ida, jacobian);
}

/* What is counted. A function of its own also where everything is inlined. */
int solve_segment(void *ida, double begin, double end, N_Vector y, N_Vector yp);
int solve_segment(void *ida, double begin, double end, N_Vector y, N_Vector yp)
{
    double t;
    IDAReInit(ida, begin, y, yp);
    IDASetStopTime(ida, end);
    return IDASolve(ida, end, &t, y, yp, IDA_NORMAL);
}

/* from `from` at begin to end; what states are off there from `to` */
static double follow(solver *v, flattened *s, double begin, double end, const double *from,
                     const double *to)
{
    const crank_inlined_rows *r = s->rows;
    double off = 0.0;
    long count;
    memcpy(NV_DATA_S(v->y), from, (size_t)r->unknowns * sizeof *from);
    N_VConst(0, v->yp);
    for (int j = 0; j < r->kept; j++) {
        NV_DATA_S(v->yp)[r->column[j]] = from[r->rate[j]];
    }
    const int flag = solve_segment(v->ida, begin, end, v->y, v->yp);
    if (flag < 0) {
        (void)fprintf(stderr, "IDA stopped between %g and %g with flag %d\n", begin, end, flag);
        exit(1);
    }
    IDAGetNumSteps(v->ida, &count);
    v->steps += count;
    IDAGetNumResEvals(v->ida, &count);
    v->evaluations += count;
    IDAGetNumJacEvals(v->ida, &count);
    v->jacobians += count;
    for (int j = 0; j < r->kept; j++) {
        const double x = to[r->column[j]];
        off = fmax(off, fabs(NV_DATA_S(v->y)[r->column[j]] - x) / (1.0 + fabs(x)));
    }
    return off;
}

static crank_run *open_run(int argc, char **argv)
{
    crank_run_options o = crank_run_options_default();
    crank_setting setting[SETTINGS], option[2] = {{"rtol", argv[3]}, {"atol", argv[3]}};
    crank_run *run = NULL;
    crank_error err = {0};
    int settings = 0;
    for (int i = 5; i < argc && settings < SETTINGS; i++) {
        char *equals = strchr(argv[i], '=');
        if (equals == NULL) {
            stop("NAME=VALUE is needed");
        }
        *equals = '\0';
        setting[settings++] = (crank_setting){argv[i], equals + 1};
    }
    o.method = "inline-bdf";
    o.model = argv[2];
    o.settings = setting;
    o.setting_count = settings;
    o.options = option;
    o.option_count = 2;
    o.t_end = strtod(argv[4], NULL);
    if (crank_run_open(argv[1], &o, &run, &err) != CRANK_OK ||
        crank_run_start(run, &err) != CRANK_OK) {
        stop(err.text);
    }
    return run;
}

static void get_all(crank_run *run, double *full)
{
    crank_integrator *it = crank_run_integrator(run);
    crank_error err = {0};
    if (it->problem->unknowns->expand(it->problem, it->t, it->x, full, &err) != CRANK_OK) {
        stop(err.text);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        stop("peers_inlined MODEL.mo MODEL RTOL T_END [NAME=VALUE]...");
    }
    crank_run *run = open_run(argc, argv);
    crank_integrator *it = crank_run_integrator(run);
    crank_eom *eom = it->problem->eom;
    const size_t n = (size_t)crank_eom_unknowns(eom);
    double *from = take(n, sizeof *from), *to = take(n, sizeof *to), begin = it->t, off = 0.0;
    const double end = strtod(argv[4], NULL);
    flattened s = {.full = take(n, sizeof *s.full)};
    crank_error err = {0};
    crank_event_outcome outcome;
    solver v = {0};
    if (eom->inlined->open_rows(eom->inlined, eom, (crank_log){0}, &s.rows, &err) != CRANK_OK) {
        stop(err.text);
    }
    s.entries = s.rows->start[s.rows->unknowns];
    s.slopes = take((size_t)s.entries, sizeof *s.slopes);
    open_solver(&v, &s, strtod(argv[3], NULL));
    get_all(run, from);
    for (int segments = 0; it->t < end; segments++) {
        do {
            if (crank_run_step(run, &err) != CRANK_OK) {
                stop(err.text);
            }
        } while (it->t < end && !crank_run_happened(run));
        get_all(run, to);
        memcpy(s.full, from, n * sizeof *from);
        off = fmax(off, follow(&v, &s, begin, it->t, from, to));
        begin = it->t;
        if (crank_run_happened(run) && crank_run_happen(run, &outcome, &err) != CRANK_OK) {
            stop(err.text);
        }
        get_all(run, from);
    }
    printf("%ld %ld %ld %g\n", v.steps, v.evaluations, v.jacobians, off);
    return 0;
}
