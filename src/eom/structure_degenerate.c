/* structure_degenerate.c - redundant constraints, or a degenerate position?
 *
 * Redundant constraints have the same rank at all consistent points, a singular position (a
 * slider crank at its dead centre) has a lower one than its neighbours. (s, p) is moved by
 * about eps along directions that the linearised constraints admit; that leaves them by
 * O(eps^2) only, so singular values that were zero grow to O(eps) at a singular position,
 * and to O(eps^2) for constraints that are redundant on the manifold alone. With eps = 1e-4
 * a tolerance of 1e-6 lies between the two. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/structure.h"

#include "base/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double eps = 1e-4;
static const double between = 1e-6;

enum { DIRECTIONS = 3 };

typedef struct work {
    crank_eom *eom;
    double *values, *x, *norm, *r, *y, *direction, *scale, *move;
    int *place, *list, *reason;
    bool *kept, *moved_kept;
    crank_arena arena;
} work;

static void layout(work *w, crank_arena *arena)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m;
    w->values = crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[n], sizeof(double));
    w->x = crank_arena_take(arena, n, sizeof(double));
    w->norm = crank_arena_take(arena, m, sizeof(double));
    w->r = crank_arena_take(arena, m, sizeof(double));
    w->y = crank_arena_take(arena, n, sizeof(double));
    w->direction = crank_arena_take(arena, n, sizeof(double));
    w->scale = crank_arena_take(arena, n, sizeof(double));
    w->move = crank_arena_take(arena, n, sizeof(double));
    w->place = crank_arena_take(arena, m, sizeof(int));
    w->list = crank_arena_take(arena, n, sizeof(int));
    w->reason = crank_arena_take(arena, m, sizeof(int));
    w->kept = crank_arena_take(arena, m, sizeof(bool));
    w->moved_kept = crank_arena_take(arena, m, sizeof(bool));
}

static crank_status block(work *w, int first, int last, int begin, int end, crank_min_matrix *A,
                          crank_error *err)
{
    return crank_structure_range(w->eom, w->values, (crank_range){first, last, begin, end},
                                 w->place, w->list, w->norm, w->scale, A, err);
}

/* Independent rows of V = [gI_v; h_v] at x. */
static crank_status rank_at(work *w, double t, const double *x, bool *kept, int *rank,
                            crank_error *err)
{
    const crank_eom *eom = w->eom;
    crank_min_matrix V;
    crank_status status = crank_eom_evaluate_jacobian(w->eom, t, x, NULL, w->values, err);
    if (status == CRANK_OK) {
        status = block(w, eom->row[CRANK_ROW_GI], eom->row[CRANK_ROW_E], eom->column[CRANK_V],
                       eom->column[CRANK_S], &V, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    status =
        eom->n <= CRANK_STRUCTURE_DENSE
            ? crank_independent_rows_dense(&V, between, kept, w->reason, rank, err)
            : crank_independent_rows_sparse(&V, between, 0, kept, w->reason, rank, NULL, err);
    crank_min_free(&V);
    return status;
}

/* An arbitrary direction without its part that the position rows see (Jacobian at the point
 * itself). */
static crank_status admissible(work *w, const crank_min_matrix *P, unsigned *seed,
                               crank_error *err)
{
    memset(w->r, 0, (size_t)P->rows * sizeof *w->r);
    for (int j = 0; j < P->columns; j++) {
        *seed = *seed * 1664525u + 1013904223u;
        w->direction[j] = (double)(*seed >> 8) / (1 << 23) - 1.0;
        for (int q = P->start[j]; q < P->start[j + 1]; q++) {
            w->r[P->row[q]] += P->values[q] * w->direction[j];
        }
    }
    const crank_status status =
        crank_minimum_norm(P, w->r, CRANK_STEP_TOLERANCE, 0.0, w->y, err);
    double size = 0.0;
    for (int j = 0; j < P->columns && status == CRANK_OK; j++) {
        w->direction[j] += w->y[j];
        size = fmax(size, fabs(w->direction[j]));
    }
    for (int j = 0; j < P->columns && size > 0.0; j++) {
        w->direction[j] /= size;
    }
    return status;
}

static void name_rows(const work *w, char *text, size_t size)
{
    const crank_eom *eom = w->eom;
    const int first = eom->row[CRANK_ROW_GI], last = eom->row[CRANK_ROW_E];
    char name[160];
    for (int i = 0; i < last - first; i++) {
        const size_t used = strlen(text);
        if (w->moved_kept[i] && !w->kept[i]) {
            (void)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                           crank_eom_constraint_text(eom, i, name, sizeof name));
        }
    }
}

/* Moves of unknowns are measured relative to their size where the block does not know better. */
static void scale_moves(work *w, const double *x, crank_min_matrix *P)
{
    for (int j = 0; j < P->columns && w->eom->parts == NULL; j++) {
        w->scale[j] = 1.0 + fabs(x[w->eom->column[CRANK_S] + j]);
        for (int q = P->start[j]; q < P->start[j + 1]; q++) {
            P->values[q] *= w->scale[j];
        }
    }
}

static crank_status search(work *w, double t, const double *x, bool *degenerate, char *text,
                           size_t size, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int s = eom->column[CRANK_S], n = eom->n;
    int rank, moved_rank;
    unsigned seed = 2006;
    crank_min_matrix P;
    crank_status status = rank_at(w, t, x, w->kept, &rank, err);
    if (status != CRANK_OK || rank == eom->sizes.lambda + eom->sizes.mu) {
        return status;
    }
    status = block(w, eom->row[CRANK_ROW_C], eom->row[CRANK_ROW_B], s, n, &P, err);
    if (status != CRANK_OK) {
        return status;
    }
    scale_moves(w, x, &P);
    memcpy(w->move, w->scale, (size_t)P.columns * sizeof *w->move);
    for (int l = 0; l < DIRECTIONS && status == CRANK_OK && !*degenerate; l++) {
        status = admissible(w, &P, &seed, err);
        memcpy(w->x, x, (size_t)n * sizeof *x);
        for (int j = s; j < n && status == CRANK_OK; j++) {
            w->x[j] += eps * w->move[j - s] * w->direction[j - s];
        }
        if (status == CRANK_OK) {
            status = rank_at(w, t, w->x, w->moved_kept, &moved_rank, err);
        }
        *degenerate = status == CRANK_OK && moved_rank > rank;
    }
    if (*degenerate && text != NULL) {
        name_rows(w, text, size);
    }
    crank_min_free(&P);
    return status;
}

/* crank_eom_degenerate; *first: the first row of gI and h that degenerates, -1: none */
static crank_status examine(crank_eom *eom, double t, const double *x, bool *degenerate,
                            char *text, size_t size, int *first, crank_error *err)
{
    work w = {.eom = eom};
    *degenerate = false;
    *first = -1;
    if (text != NULL && size > 0) {
        text[0] = '\0';
    }
    layout(&w, &w.arena);
    if (!crank_arena_allocate(&w.arena)) {
        return crank_fail(err, CRANK_EMEM, "rank of %d unknowns", eom->n);
    }
    layout(&w, &w.arena);
    const crank_status status = search(&w, t, x, degenerate, text, size, err);
    for (int i = eom->sizes.lambda + eom->sizes.mu - 1; i >= 0 && *degenerate; i--) {
        *first = w.moved_kept[i] && !w.kept[i] ? i : *first;
    }
    crank_arena_free(&w.arena);
    return status;
}

crank_status crank_eom_degenerate(crank_eom *eom, double t, const double *x, bool *degenerate,
                                  char *text, size_t size, crank_error *err)
{
    int first;
    return examine(eom, t, x, degenerate, text, size, &first, err);
}

crank_status crank_eom_refuse_degenerate(crank_eom *eom, double t, const double *x,
                                         crank_error *err)
{
    bool degenerate = false;
    char rows[200];
    int first;
    const crank_status status = examine(eom, t, x, &degenerate, rows, sizeof rows, &first, err);
    if (status != CRANK_OK || !degenerate) {
        return status;
    }
    const crank_place place = first >= 0
                                  ? crank_eom_row_place(eom, eom->row[CRANK_ROW_GI] + first)
                                  : (crank_place){0};
    return crank_fail_place(err, CRANK_ESINGULAR, place,
                            "the start is a singular %s: the constraints are dependent there "
                            "but not nearby (%s); start elsewhere",
                            eom->dae != NULL ? "point" : "position", rows);
}
