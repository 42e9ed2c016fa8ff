/* structure_nearby.c - positions beside a given one at which all constraints hold, or those that
 * are independent there; the rank of velocity constraints, and what is left of the others.
 *
 * (s, p) follow by Gauss-Newton steps of least norm, P u = -(c, g, n), rows and columns in
 * natural sizes; the rank is that of V = [gI_v; h_v]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/scale.h"
#include "eom/structure.h"

#include <math.h>

static const double closed = 1e-10;   /* residuals over their scale: positions have followed */
static const double dependent = 1e-6; /* of rows, as in structure_degenerate.c */
static const double last_step = 1e-6; /* in natural units: what is left is its square */

enum { ITERATIONS = 30 };

static void layout(crank_nearby *w, crank_arena *arena)
{
    const size_t n = (size_t)w->eom->n, m = (size_t)w->eom->m;
    const size_t entries = (size_t)w->eom->jacobian_pattern.start[n];
    const size_t joints = w->eom->parts != NULL ? (size_t)w->eom->parts->joint_count : 0;
    w->values = crank_arena_take(arena, entries, sizeof(double));
    w->k = crank_arena_take(arena, m, sizeof(double));
    w->x = crank_arena_take(arena, n, sizeof(double));
    w->norm = crank_arena_take(arena, m > joints ? m : joints, sizeof(double)); /* of both */
    w->scale = crank_arena_take(arena, n, sizeof(double));
    w->r = crank_arena_take(arena, m, sizeof(double));
    w->y = crank_arena_take(arena, n, sizeof(double));
    w->place = crank_arena_take(arena, m, sizeof(int));
    w->list = crank_arena_take(arena, n, sizeof(int));
    w->reason = crank_arena_take(arena, m, sizeof(int));
    w->kept = crank_arena_take(arena, m, sizeof(bool));
}

crank_status crank_nearby_create(crank_nearby *w, crank_eom *eom, crank_error *err)
{
    *w = (crank_nearby){.eom = eom};
    layout(w, &w->arena);
    if (!crank_arena_allocate(&w->arena)) {
        return crank_fail(err, CRANK_EMEM, "rank of %d unknowns", eom->n);
    }
    layout(w, &w->arena);
    return CRANK_OK;
}

void crank_nearby_free(crank_nearby *w)
{
    crank_arena_free(&w->arena);
}

double crank_nearby_residual(crank_nearby *w, double t, const double *x)
{
    double residual[3];
    const crank_status status = crank_eom_residuals(w->eom, t, x, residual, NULL);
    w->no_memory = w->no_memory || status == CRANK_EMEM;
    return status == CRANK_OK ? residual[0] : (double)INFINITY;
}

/* The rows c, g, n over (s, p); kept (of gI, may be NULL): without the rows of g that are not. */
static crank_status position_rows(crank_nearby *w, const bool *kept, crank_min_matrix *P,
                                  crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int g = eom->row[CRANK_ROW_G], s = eom->column[CRANK_S];
    int rows = 0;
    for (int i = 0; i < eom->m; i++) {
        const bool position = i >= eom->row[CRANK_ROW_C] && i < eom->row[CRANK_ROW_B];
        const bool holonomic = i >= g && i < eom->row[CRANK_ROW_G + 1];
        w->place[i] = position && (kept == NULL || !holonomic || kept[i - g]) ? rows++ : -1;
    }
    for (int j = s; j < eom->n; j++) {
        w->list[j - s] = j;
    }
    return crank_structure_block(eom, w->values, w->place, rows, w->list, eom->n - s, P,
                                 w->norm, w->scale)
               ? CRANK_OK
               : crank_fail(err, CRANK_EMEM, "block of %d rows", rows);
}

/* One step of Gauss-Newton; its size, in natural units. */
static crank_status step(crank_nearby *w, double t, const bool *kept, double *size)
{
    const int s = w->eom->column[CRANK_S];
    crank_min_matrix P = {0};
    crank_status status = crank_eom_evaluate(w->eom, t, w->x, w->k, NULL);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(w->eom, t, w->x, NULL, w->values, NULL));
    CRANK_THEN(status, position_rows(w, kept, &P, NULL));
    for (int i = 0; status == CRANK_OK && i < w->eom->m; i++) {
        const int l = w->place[i];
        if (l >= 0) {
            w->r[l] = w->norm[l] > 0.0 ? w->k[i] / w->norm[l] : 0.0;
        }
    }
    CRANK_THEN(status, crank_minimum_norm(&P, w->r, dependent, 0.0, w->y, NULL));
    *size = 0.0;
    for (int j = 0; status == CRANK_OK && j < P.columns; j++) {
        w->x[s + j] += w->scale[j] * w->y[j];
        *size = fmax(*size, fabs(w->y[j]));
    }
    w->no_memory = w->no_memory || status == CRANK_EMEM;
    crank_min_free(&P);
    return status;
}

bool crank_nearby_close(crank_nearby *w, double t)
{
    double size;
    for (int i = 0; i < ITERATIONS; i++) {
        const double residual = crank_nearby_residual(w, t, w->x);
        if (residual <= closed || !isfinite(residual) || step(w, t, NULL, &size) != CRANK_OK) {
            return residual <= closed;
        }
    }
    return false;
}

bool crank_nearby_close_part(crank_nearby *w, double t, const bool *kept)
{
    double size = INFINITY;
    for (int i = 0; i < ITERATIONS && size > last_step; i++) {
        if (step(w, t, kept, &size) != CRANK_OK || !isfinite(size)) {
            return false;
        }
    }
    return size <= last_step;
}

double crank_nearby_open(crank_nearby *w, double t, const bool *kept, double noticed,
                         bool *open)
{
    const crank_eom *eom = w->eom;
    const int g = eom->row[CRANK_ROW_G], count = eom->row[CRANK_ROW_G + 1] - g;
    double largest = 0.0;
    crank_status status = crank_eom_evaluate(w->eom, t, w->x, w->k, NULL);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(w->eom, t, w->x, NULL, w->values, NULL));
    if (status == CRANK_OK) {
        crank_eom_row_scale(eom, w->values, w->x, w->r);
    }
    for (int i = 0; i < count; i++) {
        const double r = kept[i] || status != CRANK_OK ? 0.0 : fabs(w->k[g + i]) / w->r[g + i];
        if (open != NULL) {
            open[i] = r > noticed;
        }
        largest = fmax(largest, r);
    }
    return largest;
}

crank_status crank_nearby_velocity_rows(crank_nearby *w, crank_min_matrix *V, int *rank,
                                        crank_error *err)
{
    const crank_eom *eom = w->eom;
    const crank_range velocity = {eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_E],
                                  eom->column[CRANK_V], eom->column[CRANK_S]};
    crank_status status = crank_structure_range(eom, w->values, velocity, w->place, w->list,
                                                w->norm, w->y, V, err);
    if (status == CRANK_OK) {
        status = eom->n <= CRANK_STRUCTURE_DENSE
                     ? crank_independent_rows_dense(V, dependent, w->kept, w->reason, rank, err)
                     : crank_independent_rows_sparse(V, dependent, 0, w->kept, w->reason, rank,
                                                     NULL, err);
    }
    w->no_memory = w->no_memory || status == CRANK_EMEM;
    return status;
}

crank_status crank_nearby_rank(crank_nearby *w, double t, const double *x, int *rank,
                               crank_error *err)
{
    crank_min_matrix V = {0};
    crank_status status = crank_eom_evaluate_jacobian(w->eom, t, x, NULL, w->values, err);
    CRANK_THEN(status, crank_nearby_velocity_rows(w, &V, rank, err));
    w->no_memory = w->no_memory || status == CRANK_EMEM;
    crank_min_free(&V);
    return status;
}
