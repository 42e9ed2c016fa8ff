/* radau.c - Radau IIA with three stages, order 5, for E(x,t) x' = k(x,t) with m >= n rows.
 *
 * Stages X_i = x + Y_i, transformed Z = (T^-1 x I) Y, simplified Newton [HW96, IV.8],
 * [Ste06, 5.1]
 *     F_i = E(X_i) sum_j (A^-1)_ij Y_j / h - k(X_i)                       theory (4.2)
 *     (gamma/h E - J) dZ_1 = -(T^-1 F)_1                                  theory (4.3)
 *     ((alpha + i beta)/h E - J) (dZ_2 + i dZ_3) = -(T^-1 F)_2 - i (T^-1 F)_3
 * x_new = x + Y_3. Estimate: (gamma/h E - J) err = k(x) + E(x) sum_i e_i Y_i / h on
 * differential rows, zero on algebraic ones, which all stages satisfy theory (4.6) Stages:
 * radau_stages.c, Newton's iteration and step control: implicit.h, error: radau_error.c,
 * rows: radau_rows.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include <math.h>
#include <string.h>

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    crank_radau *s = state;
    const int n = it->n, m = it->m;
    crank_implicit_layout(&s->common, arena, it);
    s->common.kind = &crank_radau_kind;
    s->Y = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->Z = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->dZ = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->common.increment = s->dZ;
    s->X = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->K = crank_arena_take(arena, 3 * (size_t)m, sizeof(double));
    s->F = crank_arena_take(arena, 3 * (size_t)m, sizeof(double));
    s->lead = crank_arena_take(arena, (size_t)m, sizeof(double));
    s->error = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->xdot = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->polynomial = crank_arena_take(arena, 3 * (size_t)n, sizeof(double));
    s->begin = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->before = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->earlier = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->estimate = crank_arena_take(arena, (size_t)n, sizeof(double));
    s->residual = crank_arena_take(arena, (size_t)m, sizeof(double));
    if (it->options.singular == CRANK_SINGULAR_PASS) {
        s->node_slope = crank_arena_take(arena, CRANK_RADAU_NODES * (size_t)n, sizeof(double));
        crank_jump_layout(&s->jump, arena, n, m);
    }
}

/* ---- a step ---- */

static crank_status begin(crank_integrator *it, crank_error *err)
{
    crank_radau *s = it->state;
    if (it->options.newton_matrix != 0) { /* it is made at an extrapolated stage */
        crank_radau_predict(it, s);
    }
    return crank_implicit_begin(it, err);
}

static crank_status ready(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_radau *s = it->state;
    crank_radau_predict(it, s);
    const crank_status status = crank_radau_jump(it, s, &a->done, err);
    return status == CRANK_OK && !a->done ? crank_implicit_ready(it, a, err) : status;
}

static crank_status attempt(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_radau *s = it->state;
    crank_status status = crank_implicit_solve(it, &s->common, a, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = crank_radau_find_defect(it, s, &a->jumping, err);
    if (status == CRANK_OK) {
        status = crank_radau_estimate_error(it, s, &a->size, err);
    }
    a->blunt = status > CRANK_OK || a->jumping >= 0;
    a->size = a->blunt ? (double)INFINITY : a->size;
    return status > CRANK_OK ? CRANK_OK : status;
}

static void accept(crank_integrator *it, const crank_attempt *a)
{
    crank_radau *s = it->state;
    crank_radau_keep_begin(it, s);
    memcpy(s->estimate, s->error, (size_t)it->n * sizeof *s->estimate);
    for (int j = 0; j < it->n; j++) {
        it->x[j] += s->Y[2 * it->n + j];
    }
    crank_radau_store_polynomial(it, s);
    crank_implicit_lengthen(it, &s->common, a->size);
}

crank_status crank_radau_conclude(crank_integrator *it, crank_radau *s, bool last,
                                  crank_error *err)
{
    const bool nodes =
        it->options.singular == CRANK_SINGULAR_PASS && it->problem->rates != NULL;
    const crank_status status = crank_implicit_conclude(it, &s->common, last, nodes, err);
    if (status == CRANK_OK && nodes) {
        crank_radau_store_node(it, s);
    } else {
        s->nodes = 0;
    }
    return status < CRANK_OK ? status : CRANK_OK;
}

static crank_status settle(crank_integrator *it, const crank_attempt *a, bool last,
                           crank_error *err)
{
    crank_radau *s = it->state;
    (void)a;
    const crank_status status = crank_implicit_correct(it, &s->common, last, err);
    return status == CRANK_OK ? crank_radau_conclude(it, s, last, err) : status;
}

/* ---- start ---- */

static void reset(crank_integrator *it)
{
    crank_radau *s = it->state;
    crank_implicit_reset(it, &s->common);
    s->nodes = 0;
    s->jump.failed_t = (double)NAN;
    s->jump.longest = (double)INFINITY;
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_radau *s = it->state;
    return crank_implicit_start(it, &s->common, s->error, err);
}

/* ---- checkpoints ---- */

/* What one step leaves to the next and to rows between steps: stages, increments and residuals
 * (Y, Z, dZ, X, K, F, lead, error, xdot) are filled anew before they are read. */
static void archive(crank_integrator *it, crank_archive *a)
{
    crank_radau *s = it->state;
    const size_t n = (size_t)it->n;
    crank_archive_check(a, "step ends", CRANK_RADAU_NODES);
    crank_archive_doubles(a, s->polynomial, 3 * n);
    crank_archive_doubles(a, s->begin, n);
    crank_archive_doubles(a, s->before, n);
    crank_archive_doubles(a, s->earlier, n);
    crank_archive_doubles(a, s->estimate, n);
    crank_archive_double(a, &s->h_before);
    crank_archive_double(a, &s->h_earlier);
    crank_archive_int(a, &s->nodes, 0, CRANK_RADAU_NODES);
    crank_implicit_archive(it, &s->common, a);
    if (it->options.singular == CRANK_SINGULAR_PASS) {
        crank_archive_doubles(a, s->node_slope, CRANK_RADAU_NODES * n);
        crank_jump_archive(&s->jump, it->n, a);
    }
}

const crank_method crank_method_radau = {
    .name = "radau",
    .transforms_tolerances = true,
    .passes_singular = true,
    .one_step = true,
    .state_size = sizeof(crank_radau),
    .layout = layout,
    .reset = reset,
    .start = start,
    .begin = begin,
    .look = crank_implicit_look,
    .ready = ready,
    .attempt = attempt,
    .undo = crank_implicit_undo,
    .shorter = crank_implicit_shorter,
    .accept = accept,
    .settle = settle,
    .interpolate = crank_radau_interpolate,
    .row_error = crank_radau_row_error,
    .refine_row = crank_radau_refine_row,
    .invalidate = crank_implicit_invalidate,
    .archive = archive,
};
