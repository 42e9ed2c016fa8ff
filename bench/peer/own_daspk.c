/* own_daspk.c - DASPK on crank's own rows (own_rows.h): with its dense factors; or by its GMRES
 * with KLU's factors of the Jacobian as preconditioner, which DASPK's manual has for sparse
 * matrices. Algebraic unknowns are outside its error test (INFO(16)). */
// SPDX-License-Identifier: BSD-3-Clause
#include "memory.h"
#include "own_desolve.h"
#include "own_rows.h"
#include "processor.h"

#include <klu.h>
#include <stdio.h>
#include <string.h>

typedef struct equations {
    own_rows rows;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *value;
    long jacobians;
} equations;

static equations *now; /* the library has no pointer of ours for all of its functions */

static void residual(const double *t, const double *y, const double *yp, const double *cj,
                     double *delta, int *ires, double *rpar, int *ipar)
{
    (void)cj, (void)rpar, (void)ipar;
    const int status = own_rows_residual(&now->rows, *t, y, yp, delta);
    *ires = status == 0 ? 0 : status > 0 ? -1 : -2;
}

static void dense(const double *t, const double *y, const double *yp, double *pd,
                  const double *cj, double *rpar, int *ipar)
{
    const crank_direct *form = now->rows.form;
    const int n = now->rows.n;
    (void)rpar, (void)ipar;
    now->jacobians++;
    (void)own_rows_prepare(&now->rows, *t, y, yp);
    for (int j = 0; j < n; j++)
        for (int e = form->start[j]; e < form->start[j + 1]; e++)
            pd[j * n + form->row[e]] = *cj * form->lead[e] + form->rest[e];
}

typedef void residual_fn(const double *, const double *, const double *, const double *,
                         double *, int *, double *, int *);

static void sparse(residual_fn *res, int *ires, int *n, const double *t, const double *y,
                   const double *yp, double *weight, double *saved, double *work, double *h,
                   const double *cj, double *wp, int *iwp, int *ier, double *rpar, int *ipar)
{
    crank_direct *form = now->rows.form;
    (void)res, (void)ires, (void)weight, (void)saved, (void)work, (void)h;
    (void)wp, (void)iwp, (void)rpar, (void)ipar;
    now->jacobians++;
    *ier = own_rows_prepare(&now->rows, *t, y, yp);
    for (int e = 0; e < form->start[*n]; e++)
        now->value[e] = *cj * form->lead[e] + form->rest[e];
    if (*ier != 0 ||
        (now->numeric != NULL &&
         klu_refactor(form->start, form->row, now->value, now->symbolic, now->numeric,
                      &now->common) &&
         klu_rcond(now->symbolic, now->numeric, &now->common) && now->common.rcond > 1e-16))
        return;
    klu_free_numeric(&now->numeric, &now->common);
    now->numeric = klu_factor(form->start, form->row, now->value, now->symbolic, &now->common);
    *ier = now->numeric == NULL;
}

static void precondition(int *n, const double *t, const double *y, const double *yp,
                         double *saved, double *work, const double *cj, double *weight,
                         double *wp, int *iwp, double *b, double *bound, int *ier, double *rpar,
                         int *ipar)
{
    (void)t, (void)y, (void)yp, (void)saved, (void)work, (void)cj, (void)weight, (void)wp;
    (void)iwp, (void)bound, (void)rpar, (void)ipar;
    *ier = !klu_solve(now->symbolic, now->numeric, *n, 1, b, &now->common);
}

typedef void ddaspk_fn(residual_fn *res, int *n, double *t, double *y, double *yp,
                       double *t_out, int *info, double *rtol, double *atol, int *idid,
                       double *rwork, int *lrw, int *iwork, int *liw, double *rpar, int *ipar,
                       void (*jac)(void), void (*psol)(void));

typedef struct work {
    int info[25], real, whole, *iwork;
    double *rwork, *rtol, *x, *xdot;
} work;

static work open_work(const own_rows *s, double rtol, bool klu)
{
    const int n = s->n;
    work w = {.info = {0}};
    w.info[1] = 1;            /* tolerances are lists */
    w.info[4] = 1;            /* the Jacobian is given */
    w.info[6] = s->h_max > 0; /* the longest step is */
    w.info[11] = w.info[14] = klu;
    w.info[15] = 1; /* algebraic unknowns do not count */
    w.info[20] = n; /* weights are not scaled by indices */
    w.real = klu ? 91 + 19 * n : 50 + 10 * n + n * n;
    w.whole = 40 + 2 * n;
    w.rwork = numbers(w.real);
    w.iwork = take(w.whole, sizeof *w.iwork);
    w.rwork[1] = s->h_max;
    w.rtol = numbers(n);
    w.x = numbers(n);
    w.xdot = numbers(n);
    for (int j = 0; j < n; j++) {
        w.rtol[j] = rtol;
        w.iwork[40 + j] = s->kind[j] ? 1 : -1;
    }
    memcpy(w.x, s->x, (size_t)n * sizeof *w.x);
    memcpy(w.xdot, s->xdot, (size_t)n * sizeof *w.xdot);
    return w;
}

static void close_work(work *w)
{
    free(w->rwork);
    free(w->iwork);
    free(w->rtol);
    free(w->x);
    free(w->xdot);
}

static void advance(const own_task *task, equations *s, work *w, bool klu, own_run *out)
{
    ddaspk_fn *ddaspk = (ddaspk_fn *)own_desolve("ddaspk_");
    const int size = crank_eom_unknowns(crank_run_eom(task->run));
    double t = s->rows.t;
    const double before = processor_seconds();
    while (out->reached < task->count) {
        double t_out = task->times[out->reached];
        int idid = 0;
        ddaspk(residual, &s->rows.n, &t, w->x, w->xdot, &t_out, w->info, w->rtol, s->rows.atol,
               &idid, w->rwork, &w->real, w->iwork, &w->whole, NULL, NULL,
               klu ? (void (*)(void))sparse : (void (*)(void))dense,
               (void (*)(void))precondition);
        w->info[0] = 1;
        if (idid == -1) /* 500 steps are over */
            continue;
        if (idid < 0) {
            snprintf(out->text, sizeof out->text, "DASPK stopped at t = %g with %d", t, idid);
            break;
        }
        memcpy(task->rows + out->reached++ * size, w->x, (size_t)size * sizeof *w->x);
    }
    out->seconds = processor_seconds() - before;
    out->steps = w->iwork[10];
    out->evaluations = w->iwork[11];
    out->jacobians = s->jacobians;
}

static void run(const own_task *task, bool klu, own_run *out)
{
    equations s = {.numeric = NULL};
    own_rows_open(&s.rows, task->run, task->rtol);
    const crank_direct *form = s.rows.form;
    klu_defaults(&s.common);
    s.symbolic = klu_analyze(s.rows.n, form->start, form->row, &s.common);
    s.value = numbers(form->start[s.rows.n]);
    work w = open_work(&s.rows, task->rtol, klu);
    now = &s;
    advance(task, &s, &w, klu, out);
    close_work(&w);
    free(s.value);
    klu_free_numeric(&s.numeric, &s.common);
    klu_free_symbolic(&s.symbolic, &s.common);
    own_rows_close(&s.rows);
}

void own_daspk(const own_task *task, own_run *out)
{
    run(task, false, out);
}

void own_daspk_klu(const own_task *task, own_run *out)
{
    run(task, true, out);
}
