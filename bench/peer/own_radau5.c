/* own_radau5.c - RADAU5 on crank's own equations, M y' = f(t, y) with constant M.
 *
 * ode: the underlying one (own_ode.h), with RADAU5's cheaper factors for p' = v where that
 * holds. ggl, index2, index1: rows (own_rows.h) as they are where E is constant; else rates a
 * of the velocities are unknowns of index 2 besides,
 *
 *     v' = a,   0 = E_v(x) a - k_v,
 *
 * which its authors give for M(y) y' = f [HW96, VII.1]. Unknowns stand in the order of their
 * indices, and M is diagonal where E is. Factors are dense: RADAU5 has no others. */
// SPDX-License-Identifier: BSD-3-Clause
#include "memory.h"
#include "own_desolve.h"
#include "own_ode.h"
#include "processor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void contr5_fn(int *n, double *t, double *polynomial, int *count, double *out);

typedef struct equations {
    own_ode *ode;   /* or */
    own_rows *rows; /* x behind which are rates of velocities, if these are unknowns */
    int size, n;    /* of x, of y */
    bool rates;
    int *place;              /* n: of an unknown in y */
    int *slot;               /* n: the row of f that a row of ours is */
    int v, nv, dynamic;      /* first velocity, their number, first of their rows */
    double *x, *a, *f, *led; /* x; x' with a in it; rows */
    const own_task *task;
    own_run *out;
    contr5_fn *contr5;
    long jacobians;
} equations;

static equations *now; /* callbacks have no pointer of ours */

/* ---- rows ---- */

static void spread(const equations *s, const double *y)
{
    for (int j = 0; j < s->size; j++)
        s->x[j] = y[s->place[j]];
    for (int j = 0; s->rates && j < s->nv; j++)
        s->a[s->v + j] = y[s->place[s->size + j]];
}

static int rows_rates(const equations *s, double t, const double *y, double *f)
{
    crank_problem *problem = &s->rows->form->base;
    crank_error err = {0};
    spread(s, y);
    crank_status status = problem->evaluate(problem, 1, &t, s->x, s->f, &err);
    if (status == CRANK_OK && s->rates)
        status = problem->lead(problem, t, s->x, s->a, s->led, &err);
    for (int i = 0; s->rates && i < s->nv; i++) {
        s->f[s->dynamic + i] -= s->led[s->dynamic + i];
        f[s->slot[s->size + i]] = s->a[s->v + i];
    }
    for (int i = 0; i < s->size; i++)
        f[s->slot[i]] = s->f[i];
    return own_answer(status);
}

static int rows_jacobian(const equations *s, double t, const double *y, double *out)
{
    const crank_direct *form = s->rows->form;
    spread(s, y);
    if (own_rows_prepare(s->rows, t, s->x, s->a) != 0)
        return 1;
    memset(out, 0, (size_t)s->n * (size_t)s->n * sizeof *out);
    for (int j = 0; j < s->size; j++)
        for (int e = form->start[j]; e < form->start[j + 1]; e++) {
            const int i = s->slot[form->row[e]], k = j - s->v;
            out[s->place[j] * s->n + i] -= form->rest[e];
            if (s->rates && k >= 0 && k < s->nv)
                out[s->place[s->size + k] * s->n + i] -= form->lead[e];
        }
    for (int i = 0; s->rates && i < s->nv; i++)
        out[s->place[s->size + i] * s->n + s->slot[s->size + i]] = 1;
    return 0;
}

/* ---- what RADAU5 calls ---- */

static void rates(int *n, double *t, double *y, double *f, double *rpar, int *ipar)
{
    (void)rpar, (void)ipar;
    const int status = now->ode ? own_ode_rates(now->ode, *t, y, f) : rows_rates(now, *t, y, f);
    for (int i = 0; status != 0 && i < *n; i++)
        f[i] = NAN; /* no convergence, and a shorter step */
}

static void jacobian(int *n, double *t, double *y, int *below, int *above, double *out,
                     int *apart, double *rpar, int *ipar)
{
    (void)n, (void)below, (void)above, (void)rpar, (void)ipar;
    now->jacobians++;
    if (now->ode) {
        (void)own_ode_prepare(now->ode, *t, y);
        (void)own_ode_dense(now->ode, now->n - *apart, out, *apart);
    } else {
        (void)rows_jacobian(now, *t, y, out);
    }
}

/* E at the last point prepared: full, or its diagonal */
static void mass(int *n, double *out, int *apart, double *rpar, int *ipar)
{
    const crank_direct *form = now->rows->form;
    (void)rpar, (void)ipar;
    memset(out, 0, (size_t)(*n * *apart) * sizeof *out);
    for (int j = 0; j < now->size; j++)
        for (int e = form->start[j]; e < form->start[j + 1]; e++) {
            const int i = now->slot[form->row[e]], k = now->place[j];
            const bool velocity = j >= now->v && j < now->v + now->nv;
            if (form->lead[e] != 0 && !(now->rates && velocity))
                out[k * *apart + (*apart == 1 ? 0 : i)] = form->lead[e];
        }
    for (int j = 0; now->rates && j < now->nv; j++) {
        const int k = now->place[now->v + j];
        out[k * *apart + (*apart == 1 ? 0 : k)] = 1;
    }
}

static void see(int *step, double *t_old, double *t, double *y, double *polynomial, int *count,
                int *n, double *rpar, int *ipar, int *stop)
{
    const own_task *task = now->task;
    own_run *out = now->out;
    const int size = crank_eom_unknowns(crank_run_eom(task->run));
    double *at = now->led; /* as long as y at least */
    (void)y, (void)t_old, (void)rpar, (void)ipar;
    *stop = 0;
    while (*step > 1 && out->reached < task->count && task->times[out->reached] <= *t) {
        double when = task->times[out->reached], *row = task->rows + out->reached * size;
        now->contr5(n, &when, polynomial, count, at);
        if (now->ode) {
            (void)own_ode_complete(now->ode, when, at, row);
        } else {
            spread(now, at);
            memcpy(row, now->x, (size_t)size * sizeof *row);
        }
        out->reached++;
    }
}

typedef void radau5_fn(
    int *n, void (*f)(int *, double *, double *, double *, double *, int *), double *t,
    double *y, double *t_end, double *h, double *rtol, double *atol, int *lists,
    void (*jac)(int *, double *, double *, int *, int *, double *, int *, double *, int *),
    int *given, int *below, int *above, void (*mas)(int *, double *, int *, double *, int *),
    int *massive, int *mass_below, int *mass_above,
    void (*see)(int *, double *, double *, double *, double *, int *, int *, double *, int *,
                int *),
    int *seen, double *work, int *real, int *iwork, int *whole, double *rpar, int *ipar,
    int *idid);

static void integrate(equations *s, double *y, double *atol, int first, bool diagonal, double t,
                      double h_max)
{
    radau5_fn *radau5 = (radau5_fn *)own_desolve("radau5_");
    int n = s->n, one = 1, idid = 0, whole = 3 * n + 20, massive = s->ode == NULL,
        real = 20 + n * (12 + 5 * n);
    int fast = s->ode && s->ode->second_order ? s->ode->half : 0, below = n - fast,
        above = below, mass_below = diagonal ? 0 : n, mass_above = mass_below;
    int *iwork = take(whole, sizeof *iwork);
    double *work = numbers(real), *rtol = numbers(n), h = 0,
           t_end = s->task->times[s->task->count - 1];
    for (int j = 0; j < n; j++)
        rtol[j] = s->task->rtol;
    iwork[1] = 1000000000;
    iwork[4] = first;
    iwork[5] = n - first;
    iwork[8] = iwork[9] = fast;
    work[2] = s->ode ? 0.1 : 0; /* Jacobians of the ode are costly: so its manual */
    work[6] = h_max;            /* 0: none */
    now = s;
    s->contr5 = (contr5_fn *)own_desolve("contr5_");
    const double before = processor_seconds();
    radau5(&n, rates, &t, y, &t_end, &h, rtol, atol, &one, jacobian, &one, &below, &above, mass,
           &massive, &mass_below, &mass_above, see, &one, work, &real, iwork, &whole, NULL,
           NULL, &idid);
    s->out->seconds = processor_seconds() - before;
    s->out->steps = iwork[15];
    s->out->evaluations = iwork[13];
    s->out->jacobians = s->jacobians;
    if (idid < 0)
        snprintf(s->out->text, sizeof s->out->text, "RADAU5 stopped at t = %g with %d", t,
                 idid);
    free(iwork);
    free(work);
    free(rtol);
}

static void run_ode(const own_task *task, own_run *out)
{
    own_ode ode;
    own_ode_open(&ode, task->run, task->rtol);
    equations s = {.ode = &ode, .n = ode.count, .task = task, .out = out};
    double *atol = numbers(s.n);
    for (int j = 0; j < s.n; j++)
        atol[j] = task->rtol;
    s.led = numbers(s.n);
    integrate(&s, ode.y, atol, s.n, true, ode.rows.t, ode.rows.h_max);
    free(atol);
    free(s.led);
    own_ode_close(&ode);
}

/* Is an unknown of index 1? Multipliers of index2 and ggl, and what stabilises, are of 2. */
static bool of_index_1(const equations *s, int j)
{
    const crank_problem *problem = &s->rows->form->base;
    const int column = problem->unknowns ? problem->unknowns->column[j] : j,
              group = problem->group[j];
    return column >= 0 && (strcmp(s->task->form, "index1") == 0 ||
                           (group != CRANK_LAMBDA && group != CRANK_MU));
}

/* The order of y, index 1 first; returns how many are. Is M diagonal? */
static int order(equations *s, bool *diagonal)
{
    const crank_direct *form = s->rows->form;
    int first = 0, next;
    for (int j = 0; j < s->size; j++)
        if (of_index_1(s, j))
            s->place[j] = first++;
    next = first;
    for (int j = 0; j < s->size; j++)
        if (!of_index_1(s, j))
            s->place[j] = next++;
    for (int j = s->size; j < s->n; j++)
        s->place[j] = next++;
    bool *used = take(s->n, sizeof *used);
    for (int i = 0; i < s->n; i++)
        s->slot[i] = -1;
    *diagonal = true;
    for (int j = 0; j < s->size; j++) {
        const bool rate = s->rates && j >= s->v && j < s->v + s->nv;
        int row = rate ? s->size + j - s->v : -1, count = rate;
        for (int e = form->start[j]; !rate && e < form->start[j + 1]; e++)
            if (form->lead[e] != 0 && count++ == 0)
                row = form->row[e];
        if (count > 1 || (row >= 0 && s->slot[row] >= 0))
            *diagonal = false;
        if (row < 0 || s->slot[row] >= 0)
            continue;
        s->slot[row] = s->place[j];
        used[s->place[j]] = true;
    }
    for (int i = 0, free_slot = 0; i < s->n; i++) {
        if (s->slot[i] >= 0)
            continue;
        while (used[free_slot])
            free_slot++;
        s->slot[i] = free_slot;
        used[free_slot] = true;
    }
    free(used);
    return first;
}

static void run_rows(const own_task *task, own_run *out)
{
    own_rows rows;
    own_rows_open(&rows, task->run, task->rtol);
    const crank_eom *eom = rows.form->eom;
    const int nv = eom->sizes.v, n = rows.n;
    equations s = {.rows = &rows, .size = n, .task = task, .out = out, .nv = nv};
    s.rates = !crank_eom_mass_constant(eom) && !eom->mass_is_identity;
    s.n = n + (s.rates ? nv : 0);
    s.v = eom->column[CRANK_V];
    s.dynamic = rows.form->dynamic;
    s.place = take(s.n, sizeof *s.place);
    s.slot = take(s.n, sizeof *s.slot);
    s.x = numbers(n);
    s.a = numbers(n);
    s.f = numbers(n);
    s.led = numbers(s.n);
    memcpy(s.a, rows.xdot, (size_t)n * sizeof *s.a);
    (void)own_rows_prepare(&rows, rows.t, rows.x, rows.xdot);
    bool diagonal;
    const int first = order(&s, &diagonal);
    double *y = numbers(s.n), *atol = numbers(s.n);
    for (int j = 0; j < s.n; j++) {
        y[s.place[j]] = j < n ? rows.x[j] : rows.xdot[s.v + j - n];
        atol[s.place[j]] = j < n ? rows.atol[j] : 1;
    }
    integrate(&s, y, atol, first, diagonal, rows.t, rows.h_max);
    void *all[] = {s.place, s.slot, s.x, s.a, s.f, s.led, y, atol};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    own_rows_close(&rows);
}

void own_radau5(const own_task *task, own_run *out)
{
    if (strcmp(task->form, "ode") == 0)
        run_ode(task, out);
    else
        run_rows(task, out);
}
