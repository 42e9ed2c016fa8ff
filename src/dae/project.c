/* project.c - the nearest zero of f(z, t): Gauss-Newton steps of smallest norm, damped where
 * they do not help.
 *
 *     z := z - W (R J W)^+ R f,    W: units, R: one over the scales of rows, theory (10.5)
 *
 * with small singular values left out, so that dependent rows do no harm. At a multiple root
 * the steps halve the distance until the gradient is rounding. Where the full step does not
 * lower |R f| the damped one does, W V (sigma / (sigma^2 + mu^2)) U^T R f [Lev44], unless |R f|
 * has a minimum. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/rank.h"
#include "dae/system.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 120, DAMPINGS = 12, HALVINGS = 10 };

static const double step_tolerance = 1e-11; /* singular values that give steps */
static const double tangent_step = 1e-2;    /* along a manifold, to see whether it is one */
static const double tangent_residual = 1e-11;

typedef struct work {
    crank_dae_system *s;
    double t;
    int free, rank_limit;
    int *column;          /* free: the columns that move */
    double *A;            /* rows x free, scaled */
    double *residual;     /* rows, scaled */
    double *step, *trial; /* free; columns */
    crank_arena arena;
} work;

static double norm(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static double scaled_residual(const work *w)
{
    for (int i = 0; i < w->s->rows; i++) {
        w->residual[i] = w->s->f[i] / w->s->scale[i];
    }
    return norm(w->s->rows, w->residual);
}

static void scaled_jacobian(const work *w)
{
    const size_t rows = (size_t)w->s->rows;
    for (int j = 0; j < w->free; j++) {
        const size_t column = (size_t)w->column[j];
        for (size_t i = 0; i < rows; i++) {
            w->A[i + (size_t)j * rows] =
                w->s->J[i + column * rows] * w->s->unit[column] / w->s->scale[i];
        }
    }
}

/* Largest slope of |R f|^2 / 2, beside |R f|. */
static double slope(const work *w, double length)
{
    double largest = 0.0;
    for (int j = 0; j < w->free; j++) {
        double sum = 0.0;
        for (int i = 0; i < w->s->rows; i++) {
            sum += w->A[(size_t)i + (size_t)j * (size_t)w->s->rows] * w->residual[i];
        }
        largest = fmax(largest, fabs(sum));
    }
    return length > 0.0 ? largest / length : 0.0;
}

/* The damped step from z into trial; returns the residual there, INFINITY outside the
 * domain. */
static double try_step(const work *w, const crank_singular *svd, double damping,
                       const double *z)
{
    crank_singular_step(svd, w->residual, damping, w->step);
    memcpy(w->trial, z, (size_t)w->s->columns * sizeof *z);
    for (int j = 0; j < w->free; j++) {
        w->trial[w->column[j]] += w->step[j] * w->s->unit[w->column[j]];
    }
    const bool finite = crank_dae_system_evaluate(w->s, w->trial, w->t);
    const double length = finite ? scaled_residual(w) : (double)INFINITY;
    (void)crank_dae_system_evaluate(w->s, z, w->t);
    (void)scaled_residual(w);
    return length;
}

/* The best step: the full one if it halves the residual, else the damped one that lowers it
 * most. *moved: there was one. */
static crank_status iterate(const work *w, double *z, double length, bool *moved,
                            crank_error *err)
{
    crank_singular svd;
    double damping = 0.0, best = 0.0, least = (1.0 - 1e-6) * length;
    *moved = false;
    scaled_jacobian(w);
    const crank_status status = crank_dae_singular(w->s->rows, w->free, w->A, &svd, err);
    if (status == CRANK_OK) {
        crank_singular_count(&svd, step_tolerance);
        svd.rank = w->rank_limit >= 0 && svd.rank > w->rank_limit ? w->rank_limit : svd.rank;
    }
    for (int attempt = 0; attempt < DAMPINGS && status == CRANK_OK; attempt++) {
        const double reached = try_step(w, &svd, damping, z);
        if (reached < least) {
            least = reached;
            best = damping;
            *moved = true;
        }
        if (least < 0.5 * length || (*moved && reached > least)) {
            break;
        }
        damping = damping > 0.0 ? 4.0 * damping : 1e-3;
    }
    if (*moved) {
        (void)try_step(w, &svd, best, z);
        memcpy(z, w->trial, (size_t)w->s->columns * sizeof *z);
        (void)crank_dae_system_evaluate(w->s, z, w->t);
    }
    crank_singular_destroy(&svd);
    return status;
}

/* Small beside its terms or its gradient; and not small only because the gradient is, as e^x
 * far to the left is. */
static bool is_zero(const crank_dae_system *s)
{
    for (int i = 0; i < s->rows; i++) {
        const double whole = crank_dae_system_size(s, i), f = fabs(s->f[i]);
        const double gradient = whole - s->magnitude[i];
        if (!(f <= 0.1 * CRANK_DAE_ZERO_TOLERANCE * fmax(whole, s->scale[i])) ||
            !(f <= 1e-13 * s->magnitude[i] || f <= 1e-3 * gradient)) {
            return false;
        }
    }
    return true;
}

static void layout(work *w, crank_arena *arena)
{
    const size_t rows = (size_t)w->s->rows, columns = (size_t)w->s->columns;
    w->column = crank_arena_take(arena, columns, sizeof *w->column);
    w->A = crank_arena_take(arena, rows * columns, sizeof *w->A);
    w->residual = crank_arena_take(arena, rows, sizeof *w->residual);
    w->step = crank_arena_take(arena, columns, sizeof *w->step);
    w->trial = crank_arena_take(arena, columns, sizeof *w->trial);
}

/* Room for all columns, and the list of those that move. */
static bool prepare(work *w, const bool *fixed)
{
    layout(w, &w->arena);
    if (!crank_arena_allocate(&w->arena)) {
        return false;
    }
    layout(w, &w->arena);
    for (int j = 0; j < w->s->columns; j++) {
        if (fixed == NULL || !fixed[j]) {
            w->column[w->free++] = j;
        }
    }
    return true;
}

crank_status crank_dae_project(crank_dae_system *system, double *z, double t, const bool *fixed,
                               int rank_limit, crank_dae_projection *outcome, crank_error *err)
{
    crank_status status = CRANK_OK;
    bool moved = true;
    work w = {.s = system, .t = t, .rank_limit = rank_limit};
    if (!prepare(&w, fixed)) {
        return crank_fail(err, CRANK_EMEM, "projection onto %d constraints", system->rows);
    }
    *outcome = CRANK_DAE_LOST;
    if (crank_dae_system_evaluate(system, z, t)) {
        for (int k = 0; k < ITERATIONS && moved && status == CRANK_OK; k++) {
            const double length = scaled_residual(&w);
            moved = false;
            if (length > 0.0) {
                status = iterate(&w, z, length, &moved, err);
            }
        }
        const double length = scaled_residual(&w);
        scaled_jacobian(&w);
        *outcome = is_zero(system)            ? CRANK_DAE_SOLVED
                   : slope(&w, length) < 1e-2 ? CRANK_DAE_STATIONARY
                                              : CRANK_DAE_LOST;
    }
    crank_arena_free(&w.arena);
    return status;
}

/* z moved by a random vector of the kernel of the scaled Jacobian (VT from row rank on) into
 * trial; by less where that leads out of the domain, as next to the root of sqrt */
static void move_along(const work *w, const crank_singular *svd, const double *z)
{
    crank_dae_system *s = w->s;
    double length = tangent_step;
    bool inside = false;
    for (int k = 0; k <= HALVINGS && !inside; k++) {
        unsigned state = 7;
        memcpy(w->trial, z, (size_t)s->columns * sizeof *z);
        for (int q = svd->rank; q < s->columns; q++) {
            const double part = length * crank_dae_shake(&state);
            for (int j = 0; j < s->columns; j++) {
                w->trial[j] +=
                    part * svd->VT[(size_t)q + (size_t)j * (size_t)s->columns] * s->unit[j];
            }
        }
        inside = crank_dae_system_evaluate(s, w->trial, w->t);
        length *= 0.5;
    }
}

crank_status crank_dae_is_manifold(crank_dae_system *system, const double *z, double t,
                                   bool *manifold, crank_error *err)
{
    crank_dae_projection outcome;
    crank_singular svd = {0};
    work w = {.s = system, .t = t};
    if (!prepare(&w, NULL)) {
        return crank_fail(err, CRANK_EMEM, "a look at %d constraints", system->rows);
    }
    *manifold = crank_dae_system_evaluate(system, z, t);
    scaled_jacobian(&w);
    crank_status status =
        *manifold ? crank_dae_singular(system->rows, system->columns, w.A, &svd, err)
                  : CRANK_OK;
    if (*manifold && status == CRANK_OK) {
        const double before = scaled_residual(&w);
        move_along(&w, &svd, z);
        status = crank_dae_project(system, w.trial, t, NULL, svd.rank, &outcome, err);
        *manifold = scaled_residual(&w) <= tangent_residual + 10.0 * before;
    }
    crank_singular_destroy(&svd);
    crank_arena_free(&w.arena);
    return status;
}
