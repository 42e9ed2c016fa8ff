/* partition_columns.c - the Newton matrix of independent coordinates column by column, in
 * threads [Neg98, app. A], theory (2.33): with the same factors of the constraints, of all
 * levels, as a projection has, in the axes of the chart,
 *
 *     [C; unit rows of I] X = [0; I],     J_I = (dk/dx)_I X,     (sigma E_I - J_I) z = r_I
 *
 * one solution a column: how all unknowns follow one that is independent. Columns do not depend
 * on each other; every thread has factors of its own, made of the same values, and every
 * threads-th column, so that the bits are the same for any number of threads. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/partition_columns.h"

#include "base/then.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct worker {
    crank_columns *of;
    int number;
    pthread_t thread;
    bool started;
    crank_solver *solver; /* the projection's matrix */
    crank_status status;
    crank_error err;
} worker;

struct crank_columns {
    const crank_sparse_reduction *reduction;
    crank_arena arena;
    int threads, count; /* count: independent coordinates */
    int *column;        /* count: in axes */
    int *place;         /* m: number of the column whose differential row it is, -1 */
    int *start, *row;   /* the pattern that threads have matrices of */
    double *X;          /* n x count */
    double *J;          /* count x count */
    double *x[2], *z[2];
    double sigma[CRANK_MAX_SHIFTS];
    crank_solver *solver; /* of count rows */
    worker *worker;
    /* one round of work after the other */
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    bool ready; /* lock and conditions are there */
    int round, busy;
    bool over;
};

/* ---- one thread's share ---- */

static crank_status renew_factors(crank_columns *c, worker *w)
{
    const crank_square *square = &c->reduction->projection;
    const size_t entries = (size_t)crank_solver_entries(w->solver);
    memcpy(crank_solver_values(w->solver, 0, false),
           crank_solver_values(square->matrix, 0, false), entries * sizeof(double));
    return crank_solver_factor(w->solver, 0, &w->err);
}

static void make_column(crank_columns *c, worker *w, int l)
{
    const crank_sparse_reduction *s = c->reduction;
    const crank_pattern *pattern = s->pattern;
    double *X = c->X + (long)l * s->n;
    memset(X, 0, (size_t)s->n * sizeof *X);
    X[s->projection.unit[c->column[l]]] = 1.0;
    crank_solver_solve(w->solver, 0, X, NULL, X, NULL);
    double *J = c->J + (long)l * c->count;
    memset(J, 0, (size_t)c->count * sizeof *J);
    for (int j = 0; j < s->n; j++) {
        for (int e = pattern->start[j]; e < pattern->start[j + 1] && X[j] != 0.0; e++) {
            const int k = c->place[pattern->row[e]];
            if (k >= 0) {
                J[k] += s->jacobian[e] * X[j];
            }
        }
    }
}

static void make_share(worker *w)
{
    crank_columns *c = w->of;
    w->status = renew_factors(c, w);
    for (int l = w->number; l < c->count && w->status == CRANK_OK; l += c->threads) {
        make_column(c, w, l);
    }
}

static void *work(void *argument)
{
    worker *w = argument;
    crank_columns *c = w->of;
    int seen = 0;
    (void)pthread_mutex_lock(&c->lock);
    while (true) {
        while (c->round == seen && !c->over) {
            (void)pthread_cond_wait(&c->begin, &c->lock);
        }
        if (c->over) {
            break;
        }
        seen = c->round;
        (void)pthread_mutex_unlock(&c->lock);
        make_share(w);
        (void)pthread_mutex_lock(&c->lock);
        if (--c->busy == 0) {
            (void)pthread_cond_signal(&c->end);
        }
    }
    (void)pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- all of them ---- */

/* Which columns are independent; matrices of threads are of this pattern. */
static crank_status describe(crank_columns *c, crank_error *err)
{
    const crank_sparse_reduction *s = c->reduction;
    const crank_eom *eom = s->base.setup.eom;
    const crank_linear_algebra wish = s->base.setup.options.linear_algebra;
    const int first[] = {eom->column[CRANK_R], eom->column[CRANK_V], eom->column[CRANK_P]},
              end[] = {eom->column[CRANK_V], eom->column[CRANK_S], eom->n},
              row[] = {eom->row[CRANK_ROW_B], eom->row[CRANK_ROW_DYN], eom->row[CRANK_ROW_KIN]};
    int count = 0;
    for (int i = 0; i < eom->m; i++) {
        c->place[i] = -1;
    }
    for (int g = 0; g < 3; g++) {
        for (int j = first[g]; j < end[g]; j++) {
            if (!s->dependent[j] && count < c->count) {
                c->place[row[g] + j - first[g]] = count;
                c->column[count++] = j;
            }
        }
    }
    memcpy(c->start, s->projection.start, ((size_t)s->n + 1) * sizeof *c->start);
    memcpy(c->row, s->projection.row, (size_t)c->start[s->n] * sizeof *c->row);
    crank_status status =
        count == c->count ? CRANK_OK
                          : crank_fail(err, CRANK_RETRY, "%d independent coordinates, not %d",
                                       count, c->count);
    for (int i = 0; i < c->threads && status == CRANK_OK; i++) {
        crank_solver_destroy(c->worker[i].solver);
        c->worker[i].solver = NULL;
        s->base.setup.statistics->analyses++;
        status = crank_solver_create(&(crank_solver_setup){.wish = wish == CRANK_LINALG_AUTO
                                                                       ? CRANK_LINALG_SPARSE
                                                                       : wish,
                                                           .n = s->n,
                                                           .start = s->projection.start,
                                                           .row = s->projection.row,
                                                           .shifts = 1,
                                                           .real = true,
                                                           .short_lived = true},
                                     &c->worker[i].solver, err);
    }
    return status;
}

static bool is_described(const crank_columns *c)
{
    const crank_sparse_reduction *s = c->reduction;
    for (int l = 0; l < c->count; l++) {
        if (s->dependent[c->column[l]]) {
            return false;
        }
    }
    return c->worker[0].solver != NULL &&
           memcmp(c->start, s->projection.start, ((size_t)s->n + 1) * sizeof *c->start) == 0 &&
           memcmp(c->row, s->projection.row, (size_t)c->start[s->n] * sizeof *c->row) == 0;
}

crank_status crank_columns_make(crank_columns *c, crank_error *err)
{
    crank_status status = is_described(c) ? CRANK_OK : describe(c, err);
    if (status != CRANK_OK) {
        return status;
    }
    (void)pthread_mutex_lock(&c->lock);
    c->busy = c->threads - 1;
    c->round++;
    (void)pthread_cond_broadcast(&c->begin);
    (void)pthread_mutex_unlock(&c->lock);
    make_share(&c->worker[0]);
    (void)pthread_mutex_lock(&c->lock);
    while (c->busy > 0) {
        (void)pthread_cond_wait(&c->end, &c->lock);
    }
    (void)pthread_mutex_unlock(&c->lock);
    for (int i = 0; i < c->threads && status == CRANK_OK; i++) {
        status = c->worker[i].status;
        if (status != CRANK_OK && err != NULL) {
            *err = c->worker[i].err;
        }
    }
    return status;
}

crank_status crank_columns_factor(crank_columns *c, int count, const double *sigma_real,
                                  const double *sigma_imag, crank_error *err)
{
    const crank_sparse_reduction *s = c->reduction;
    const int n = c->count;
    crank_status status = CRANK_OK;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const bool complex_shift = sigma_imag[i] != 0.0;
        double *values = crank_solver_values(c->solver, i, complex_shift);
        const int stride = complex_shift ? 2 : 1;
        memset(values, 0, (size_t)stride * (size_t)n * (size_t)n * sizeof *values);
        for (long e = 0; e < (long)n * n; e++) {
            values[stride * e] = -c->J[e];
        }
        for (int j = s->mC; j < s->base.setup.eom->m; j++) {
            const long k = c->place[j];
            if (k >= 0) {
                double *diagonal = values + stride * (k + k * n);
                diagonal[0] += sigma_real[i] * s->lead[j - s->mC];
                diagonal[stride - 1] +=
                    complex_shift ? sigma_imag[i] * s->lead[j - s->mC] : 0.0;
            }
        }
        status = crank_solver_factor(c->solver, i, err);
    }
    return status;
}

/* x := the solution of the algebraic rows that leaves independent ones, z := what it leaves of
 * their rows */
static void prepare_rows(crank_columns *c, const double *r, double *x, double *z)
{
    const crank_sparse_reduction *s = c->reduction;
    const int *place = s->projection.place;
    memset(x, 0, (size_t)s->n * sizeof *x);
    memset(z, 0, (size_t)c->count * sizeof *z);
    for (int i = 0; i < s->base.setup.eom->m; i++) {
        if (i < s->mC && place[i] >= 0) {
            x[place[i]] = r[i];
        }
        if (c->place[i] >= 0) {
            z[c->place[i]] = r[i];
        }
    }
    if (s->chart != NULL) {
        crank_chart_place(s->chart, r, c->place, z);
    }
    crank_solver_solve(c->worker[0].solver, 0, x, NULL, x, NULL);
    for (int j = 0; j < s->n; j++) {
        for (int e = s->pattern->start[j]; e < s->pattern->start[j + 1] && x[j] != 0.0; e++) {
            if (c->place[s->pattern->row[e]] >= 0) {
                z[c->place[s->pattern->row[e]]] += s->jacobian[e] * x[j];
            }
        }
    }
}

/* delta := x + X z, in coordinates of the eom */
static void finish(crank_columns *c, const double *x, const double *z, double *delta)
{
    const crank_sparse_reduction *s = c->reduction;
    memcpy(delta, x, (size_t)s->n * sizeof *x);
    for (int l = 0; l < c->count; l++) {
        const double *X = c->X + (long)l * s->n;
        for (int j = 0; j < s->n; j++) {
            delta[j] += X[j] * z[l];
        }
    }
    if (s->chart != NULL) {
        crank_chart_columns(s->chart, delta);
    }
}

void crank_columns_solve(crank_columns *c, int i, const double *r_real, const double *r_imag,
                         double *delta_real, double *delta_imag)
{
    const bool complex_values = r_imag != NULL;
    prepare_rows(c, r_real, c->x[0], c->z[0]);
    if (complex_values) {
        prepare_rows(c, r_imag, c->x[1], c->z[1]);
    }
    crank_solver_solve(c->solver, i, c->z[0], complex_values ? c->z[1] : NULL, c->z[0],
                       complex_values ? c->z[1] : NULL);
    finish(c, c->x[0], c->z[0], delta_real);
    if (complex_values) {
        finish(c, c->x[1], c->z[1], delta_imag);
    }
}

/* ---- create ---- */

static void layout(crank_columns *c, crank_arena *arena)
{
    const size_t n = (size_t)c->reduction->n, m = (size_t)c->reduction->base.setup.eom->m,
                 count = (size_t)c->count;
    c->column = crank_arena_take(arena, count, sizeof(int));
    c->place = crank_arena_take(arena, m, sizeof(int));
    c->start = crank_arena_take(arena, n + 1, sizeof(int));
    c->row = crank_arena_take(arena, (size_t)c->reduction->entries, sizeof(int));
    c->X = crank_arena_take(arena, n * count, sizeof(double));
    c->J = crank_arena_take(arena, count * count, sizeof(double));
    for (int i = 0; i < 2; i++) {
        c->x[i] = crank_arena_take(arena, n, sizeof(double));
        c->z[i] = crank_arena_take(arena, count, sizeof(double));
    }
    c->worker = crank_arena_take(arena, (size_t)c->threads, sizeof(worker));
}

void crank_columns_destroy(crank_columns *c)
{
    if (c == NULL) {
        return;
    }
    if (c->ready) {
        (void)pthread_mutex_lock(&c->lock);
        c->over = true;
        (void)pthread_cond_broadcast(&c->begin);
        (void)pthread_mutex_unlock(&c->lock);
    }
    for (int i = 0; i < c->threads && c->worker != NULL; i++) {
        if (c->worker[i].started) {
            (void)pthread_join(c->worker[i].thread, NULL);
        }
        crank_solver_destroy(c->worker[i].solver);
    }
    if (c->ready) {
        (void)pthread_cond_destroy(&c->end);
        (void)pthread_cond_destroy(&c->begin);
        (void)pthread_mutex_destroy(&c->lock);
    }
    crank_solver_destroy(c->solver);
    crank_arena_free(&c->arena);
    free(c);
}

static crank_status start_threads(crank_columns *c, crank_error *err)
{
    if (pthread_mutex_init(&c->lock, NULL) != 0 || pthread_cond_init(&c->begin, NULL) != 0 ||
        pthread_cond_init(&c->end, NULL) != 0) {
        return crank_fail(err, CRANK_EMEM, "%d threads", c->threads);
    }
    c->ready = true;
    for (int i = 0; i < c->threads; i++) {
        worker *w = &c->worker[i];
        w->of = c;
        w->number = i;
        w->started = i > 0 && pthread_create(&w->thread, NULL, work, w) == 0;
        if (i > 0 && !w->started) {
            return crank_fail(err, CRANK_EMEM,
                              "jacobian_threads = %d: the system has %d, no more", c->threads,
                              i);
        }
    }
    return CRANK_OK;
}

crank_status crank_columns_create(const crank_reduction *reduction, int threads,
                                  crank_columns **out, crank_error *err)
{
    const crank_eom_sizes *sizes = &reduction->setup.eom->sizes;
    const int *rank = reduction->state.rank;
    *out = NULL;
    crank_columns *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return crank_fail(err, CRANK_EMEM, "columns of the Newton matrix");
    }
    c->reduction = (const crank_sparse_reduction *)reduction;
    c->threads = threads;
    c->count = sizes->r + sizes->v - rank[CRANK_WINDOW_VELOCITY] + sizes->s + sizes->p -
               rank[CRANK_WINDOW_POSITION];
    layout(c, &c->arena);
    crank_status status = CRANK_OK;
    if (!crank_arena_allocate(&c->arena)) {
        status = crank_fail(err, CRANK_EMEM, "%d columns of the Newton matrix", c->count);
    } else {
        layout(c, &c->arena);
    }
    CRANK_THEN(status, crank_solver_create(&(crank_solver_setup){.wish = CRANK_LINALG_DENSE,
                                                                 .n = c->count,
                                                                 .shifts = CRANK_MAX_SHIFTS},
                                           &c->solver, err));
    CRANK_THEN(status, start_threads(c, err));
    if (status != CRANK_OK) {
        crank_columns_destroy(c);
        return status;
    }
    *out = c;
    return CRANK_OK;
}
