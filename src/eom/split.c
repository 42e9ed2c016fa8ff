/* split.c - constraints split into independent and dependent ones, see split.h. Patterns are
 * analysed anew only where pivots change. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/split.h"

#include "base/tolerance.h"
#include "eom/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double keep_pivot = 0.1; /* earlier pivots stay while they are this good */

typedef struct crank_split split;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "split of the constraints");
}

/* ---- W by rows from the Jacobian by columns ---- */

static int row_of(const crank_eom *eom, int row)
{
    const int gI = eom->row[CRANK_ROW_GI], end = eom->row[CRANK_ROW_E];
    return row >= gI && row < end ? row - gI : -1;
}

/* L^power, by velocities over T as in unit */
static void know_natural(split *w, const crank_eom *eom)
{
    const crank_eom_parts *parts = eom->parts;
    if (parts == NULL || !parts->constraints_vanish) {
        return;
    }
    const double rate = parts->time > 0.0 ? 1.0 / parts->time : 1.0;
    for (int i = 0; i < w->rows; i++) {
        const int power = parts->constraint_power[i];
        w->natural[i] = power >= 0 ? rate * pow(parts->length, power) : 0.0;
    }
}

static crank_status take_rows(split *w, const crank_eom *eom, crank_error *err)
{
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const int v = eom->column[CRANK_V];
    w->rows = eom->sizes.lambda + eom->sizes.mu;
    w->columns = eom->sizes.v;
    w->unknowns = eom->n;
    const int begin = pattern->start[v], end = pattern->start[v + w->columns];
    const size_t entries = (size_t)(end - begin);
    w->start = crank_store_take(&w->store, (size_t)w->rows + 2, sizeof *w->start);
    w->scale = crank_store_take(&w->store, (size_t)w->rows, sizeof *w->scale);
    w->column = crank_store_take(&w->store, entries, sizeof *w->column);
    w->source = crank_store_take(&w->store, entries, sizeof *w->source);
    w->values = crank_store_take(&w->store, entries, sizeof *w->values);
    w->unit = crank_store_take(&w->store, (size_t)w->columns, sizeof *w->unit);
    w->natural = crank_store_take(&w->store, (size_t)w->rows, sizeof *w->natural);
    if (w->store.failed) {
        return no_memory(err);
    }
    for (int q = begin; q < end; q++) {
        const int i = row_of(eom, pattern->row[q]);
        if (i >= 0) {
            w->start[i + 2]++;
        }
    }
    for (int i = 0; i < w->rows; i++) {
        w->start[i + 2] += w->start[i + 1];
    }
    for (int j = 0; j < w->columns; j++) {
        bool known;
        w->unit[j] = crank_scale_unit(eom, v + j, &known);
        for (int q = pattern->start[v + j]; q < pattern->start[v + j + 1]; q++) {
            const int i = row_of(eom, pattern->row[q]);
            if (i >= 0) {
                w->column[w->start[i + 1]] = j;
                w->source[w->start[i + 1]++] = q;
            }
        }
    }
    know_natural(w, eom);
    return crank_rowspace_create(w->rows, w->columns, w->start, w->column, 0, 0, false,
                                 &w->space, err);
}

static crank_status eliminate(split *w, bool first, crank_error *err)
{
    for (int i = 0; i < w->rows; i++) {
        double largest = 0.0;
        for (int q = w->start[i]; q < w->start[i + 1]; q++) {
            w->values[q] = w->jacobian[w->source[q]] * w->unit[w->column[q]];
            largest = fmax(largest, fabs(w->values[q]));
        }
        largest = largest > 0.0 ? largest : w->natural[i];
        w->scale[i] = largest > 0.0 ? largest : 1.0;
    }
    w->rank = crank_rowspace_eliminate(w->space, w->values, w->scale, NULL,
                                       CRANK_RANK_TOLERANCE, first ? 1.0 : keep_pivot);
    w->pivot = crank_rowspace_pivot(w->space);
    return w->rank < 0 ? no_memory(err) : CRANK_OK;
}

/* ---- null vectors ---- */

/* W_IP transposed, by columns: column i is the i-th independent row on the
 * pivots' positions */
static crank_status analyse_square(split *w, crank_error *err)
{
    int count = 0;
    for (int k = 0; k < w->square_rank; k++) {
        for (int q = w->start[w->independent[k]]; q < w->start[w->independent[k] + 1]; q++) {
            if (w->place[w->column[q]] >= 0) {
                w->square_row[count] = w->place[w->column[q]];
                w->square_source[count++] = q;
            }
        }
        w->square_start[k + 1] = count;
    }
    crank_solver_destroy(w->square);
    w->square = NULL;
    const crank_solver_setup setup = {.wish = CRANK_LINALG_KLU,
                                      .n = w->square_rank,
                                      .start = w->square_start,
                                      .row = w->square_row,
                                      .shifts = 1,
                                      .real = true};
    return w->square_rank == 0 ? CRANK_OK : crank_solver_create(&setup, &w->square, err);
}

static crank_status build_square(split *w, crank_error *err)
{
    for (int j = 0; j < w->columns; j++) {
        w->place[j] = -1;
    }
    for (int i = 0, k = 0; i < w->rows; i++) {
        if (w->pivot[i] >= 0) {
            w->independent[k] = i;
            w->place[w->pivot[i]] = k++;
        }
    }
    w->square_rank = w->rank;
    return analyse_square(w, err);
}

static crank_status factor(split *w, crank_error *err)
{
    if (w->square == NULL || crank_rowspace_changed(w->space)) {
        const crank_status status = build_square(w, err);
        if (status != CRANK_OK || w->rank == 0) {
            return status;
        }
    }
    double *values = crank_solver_values(w->square, 0, false);
    for (int q = 0; q < w->square_start[w->rank]; q++) {
        values[q] = w->values[w->square_source[q]];
    }
    return crank_solver_factor(w->square, 0, err);
}

void crank_split_complete(crank_split *w, double *nu)
{
    memset(w->side, 0, (size_t)w->rank * sizeof *w->side);
    for (int i = 0; i < w->rows; i++) {
        for (int q = w->start[i]; w->pivot[i] < 0 && q < w->start[i + 1]; q++) {
            const int k = w->place[w->column[q]];
            if (k >= 0) {
                w->side[k] -= w->values[q] * nu[i];
            }
        }
    }
    if (w->rank > 0) {
        crank_solver_solve(w->square, 0, w->side, NULL, w->side, NULL);
    }
    for (int k = 0; k < w->rank; k++) {
        nu[w->independent[k]] = w->side[k];
    }
}

crank_status crank_split_find(crank_split *w, crank_eom *eom, double t, const double *x,
                              crank_error *err)
{
    const bool first = w->pivot == NULL;
    w->redundant = false;
    if (w->rows == 0) {
        return CRANK_OK;
    }
    crank_status status = crank_eom_evaluate_jacobian(eom, t, x, NULL, w->jacobian, err);
    if (status == CRANK_OK) {
        status = eliminate(w, first, err);
        w->redundant = status == CRANK_OK && w->rank < w->rows;
    }
    return status == CRANK_OK && w->redundant ? factor(w, err) : status;
}

/* ---- creation ---- */

void crank_split_destroy(crank_split *w)
{
    if (w != NULL) {
        crank_solver_destroy(w->square);
        crank_rowspace_destroy(w->space);
        crank_store_free(&w->store);
        free(w);
    }
}

crank_status crank_split_create(const crank_eom *eom, const int *group, crank_split **out,
                                crank_error *err)
{
    *out = NULL;
    split *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return no_memory(err);
    }
    crank_status status = take_rows(w, eom, err);
    if (status == CRANK_OK) {
        const size_t rows = (size_t)w->rows, entries = (size_t)w->start[w->rows];
        w->jacobian = crank_store_take(&w->store, (size_t)eom->jacobian_pattern.start[eom->n],
                                       sizeof(double));
        w->place = crank_store_take(&w->store, (size_t)w->columns, sizeof(int));
        w->independent = crank_store_take(&w->store, rows, sizeof(int));
        w->square_start = crank_store_take(&w->store, rows + 1, sizeof(int));
        w->square_row = crank_store_take(&w->store, entries, sizeof(int));
        w->square_source = crank_store_take(&w->store, entries, sizeof(int));
        w->side = crank_store_take(&w->store, rows, sizeof(double));
        w->group = group;
        crank_share_layout(w);
        status = w->store.failed ? no_memory(err) : CRANK_OK;
    }
    if (status != CRANK_OK) {
        crank_split_destroy(w);
        return status;
    }
    *out = w;
    return CRANK_OK;
}

/* ---- checkpoints ---- */

/* Loading: do places and rows make a square? Rows rise and every place is taken once. */
static bool is_square(split *w)
{
    bool fine = true;
    memset(w->side, 0, (size_t)w->rows * sizeof *w->side);
    for (int k = 1; k < w->square_rank; k++) {
        fine = fine && w->independent[k] > w->independent[k - 1];
    }
    for (int j = 0; j < w->columns; j++) {
        if (w->place[j] >= 0) {
            fine = fine && w->place[j] < w->square_rank && w->side[w->place[j]] == 0.0;
            w->side[w->place[j]] = 1.0;
        }
    }
    return fine;
}

static void rebuild_square(split *w, crank_archive *a)
{
    crank_error err = {0};
    const crank_status status = is_square(w) ? analyse_square(w, &err) : CRANK_EFILE;
    if (status == CRANK_EMEM) {
        crank_archive_fail(a, CRANK_EMEM, "%s", err.text);
    } else if (status != CRANK_OK) {
        crank_archive_fail(a, CRANK_EFILE, "the checkpoint is damaged: reactions");
    }
}

void crank_split_archive(crank_split *w, crank_archive *a)
{
    const int most = w->rows < w->columns ? w->rows : w->columns;
    bool asked = w->pivot != NULL, built = w->square != NULL;
    crank_rowspace_archive(w->space, a);
    crank_archive_flag(a, &asked);
    crank_archive_int(a, &w->rank, 0, most);
    crank_archive_int(a, &w->square_rank, 0, most);
    crank_archive_ints(a, w->place, (size_t)w->columns, -1, most - 1);
    crank_archive_ints(a, w->independent, (size_t)w->rows, 0, w->rows - 1);
    crank_archive_flag(a, &built);
    if (a->loading && crank_archive_fine(a)) {
        w->pivot = asked ? crank_rowspace_pivot(w->space) : NULL;
        crank_solver_destroy(w->square);
        w->square = NULL;
        if (built) {
            rebuild_square(w, a);
        }
    }
    if (w->square != NULL && crank_archive_fine(a)) {
        crank_solver_archive(w->square, a);
    }
}
