/* structure_drives.c - do constraints that depend on each other at the start stay dependent
 * where drives lead?
 *
 * The wheels of a car whose steering is parallel roll straight on, and a robot whose wrist is
 * stretched stands where its drives want it: what is redundant there contradicts as soon as
 * drives move. Derivatives at the start need not show it (drives begin smoothly, ranks change
 * with the square of the way), so positions are led there: over a time in which residuals of
 * standing positions become noticeable, in a few stages, at each of which (s, p) follow by
 * Gauss-Newton steps of least norm, P u = -(c, g, n). At a singular start the first of these
 * have no direction: then positions are disturbed once. Where they cannot follow the drives
 * are stuck, else the rank of V = [gI_v; h_v] there is that of the start, or larger. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/structure.h"

#include <math.h>
#include <string.h>

static const double noticed = 1e-9; /* residuals over their scale: not rounding */
static const double far = 0.1;      /* the same: a way that shows in ranks, to its square */
static const double closed = 1e-10; /* the same: positions have followed */
static const double disturbed = 0.02;
static const double dependent = 1e-6; /* of rows, as in structure_degenerate.c */

enum { STAGES = 4, ITERATIONS = 30 };

typedef struct work {
    crank_eom *eom;
    double *values, *k, *x, *norm, *scale, *r, *y;
    int *place, *list, *reason;
    bool *kept;
    crank_arena arena;
} work;

static void layout(work *w, crank_arena *arena)
{
    const size_t n = (size_t)w->eom->n, m = (size_t)w->eom->m;
    const size_t entries = (size_t)w->eom->jacobian_pattern.start[n];
    w->values = crank_arena_take(arena, entries, sizeof(double));
    w->k = crank_arena_take(arena, m, sizeof(double));
    w->x = crank_arena_take(arena, n, sizeof(double));
    w->norm = crank_arena_take(arena, m, sizeof(double));
    w->scale = crank_arena_take(arena, n, sizeof(double));
    w->r = crank_arena_take(arena, m, sizeof(double));
    w->y = crank_arena_take(arena, n, sizeof(double));
    w->place = crank_arena_take(arena, m, sizeof(int));
    w->list = crank_arena_take(arena, n, sizeof(int));
    w->reason = crank_arena_take(arena, m, sizeof(int));
    w->kept = crank_arena_take(arena, m, sizeof(bool));
}

/* of positions, over their scale; infinite where they cannot be told */
static double residual_at(work *w, double t, const double *x)
{
    double residual[3];
    return crank_eom_residuals(w->eom, t, x, residual, NULL) == CRANK_OK ? residual[0]
                                                                         : (double)INFINITY;
}

/* A time until which drives move by `far` or less, but noticeably; t: they stand still. */
static double find_time(work *w, double t, double t_end, const double *x)
{
    static const double part[] = {0.1, 0.37, 0.61, 1.0};
    const double first = residual_at(w, t, x);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        double ahead = part[i] * (t_end - t);
        double residual = residual_at(w, t + ahead, x);
        while (residual > far && t + ahead > t) {
            ahead *= 0.5;
            residual = residual_at(w, t + ahead, x);
        }
        if (residual > first + noticed) {
            return t + ahead;
        }
    }
    return t;
}

/* One step of Gauss-Newton. */
static crank_status step(work *w, double t, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_range position = {eom->row[CRANK_ROW_C], eom->row[CRANK_ROW_B],
                                  eom->column[CRANK_S], eom->n};
    crank_min_matrix P = {0};
    crank_status status = crank_eom_evaluate(w->eom, t, w->x, w->k, err);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(w->eom, t, w->x, NULL, w->values, err));
    CRANK_THEN(status, crank_structure_range(eom, w->values, position, w->place, w->list,
                                             w->norm, w->scale, &P, err));
    for (int i = 0; status == CRANK_OK && i < P.rows; i++) {
        w->r[i] = w->norm[i] > 0.0 ? w->k[position.first + i] / w->norm[i] : 0.0;
    }
    CRANK_THEN(status, crank_minimum_norm(&P, w->r, dependent, 0.0, w->y, err));
    for (int j = 0; status == CRANK_OK && j < P.columns; j++) {
        w->x[position.begin + j] += w->scale[j] * w->y[j];
    }
    crank_min_free(&P);
    return status;
}

/* Do positions come to where constraints hold at t? */
static bool close_at(work *w, double t)
{
    for (int i = 0; i < ITERATIONS; i++) {
        const double residual = residual_at(w, t, w->x);
        if (residual <= closed || !isfinite(residual) || step(w, t, NULL) != CRANK_OK) {
            return residual <= closed;
        }
    }
    return false;
}

static void disturb(work *w)
{
    unsigned seed = 2006;
    for (int j = w->eom->column[CRANK_S]; j < w->eom->n; j++) {
        seed = seed * 1664525u + 1013904223u;
        w->x[j] += disturbed * w->scale[j - w->eom->column[CRANK_S]] *
                   ((double)(seed >> 8) / (1 << 23) - 1.0);
    }
}

static bool follow(work *w, double t, double until)
{
    bool first = true;
    for (int stage = 1; stage <= STAGES; stage++) {
        const double now = t + stage * (until - t) / STAGES;
        if (!close_at(w, now)) {
            if (!first) {
                return false;
            }
            first = false;
            disturb(w);
            if (!close_at(w, now)) {
                return false;
            }
        }
    }
    return true;
}

static crank_status count_rank(work *w, double t, const double *x, int *rank, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_range velocity = {eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_E],
                                  eom->column[CRANK_V], eom->column[CRANK_S]};
    crank_min_matrix V = {0};
    crank_status status = crank_eom_evaluate_jacobian(w->eom, t, x, NULL, w->values, err);
    CRANK_THEN(status, crank_structure_range(eom, w->values, velocity, w->place, w->list,
                                             w->norm, w->y, &V, err));
    if (status == CRANK_OK) {
        status =
            eom->n <= CRANK_STRUCTURE_DENSE
                ? crank_independent_rows_dense(&V, dependent, w->kept, w->reason, rank, err)
                : crank_independent_rows_sparse(&V, dependent, 0, w->kept, w->reason, rank,
                                                NULL, err);
    }
    crank_min_free(&V);
    return status;
}

static crank_status look(work *w, double t, double t_end, const double *x, crank_drives *drives,
                         double *when, crank_error *err)
{
    const double until = find_time(w, t, t_end, x);
    int before = 0, behind = 0;
    if (!(until > t)) {
        return CRANK_OK;
    }
    *when = until;
    memcpy(w->x, x, (size_t)w->eom->n * sizeof *x);
    if (!follow(w, t, until)) {
        *drives = CRANK_DRIVES_STUCK;
        return CRANK_OK;
    }
    crank_status status = count_rank(w, t, x, &before, err);
    CRANK_THEN(status, count_rank(w, until, w->x, &behind, err));
    *drives = behind > before ? CRANK_DRIVES_PART : CRANK_DRIVES_KEEP;
    return status > 0 ? CRANK_OK : status;
}

crank_status crank_eom_follow_drives(crank_eom *eom, double t, double t_end, const double *x,
                                     crank_drives *drives, double *when, crank_error *err)
{
    work w = {.eom = eom};
    *drives = CRANK_DRIVES_STILL;
    *when = t;
    layout(&w, &w.arena);
    if (!crank_arena_allocate(&w.arena)) {
        return crank_fail(err, CRANK_EMEM, "rank of %d unknowns", eom->n);
    }
    layout(&w, &w.arena);
    const crank_status status = look(&w, t, t_end, x, drives, when, err);
    crank_arena_free(&w.arena);
    return status;
}
