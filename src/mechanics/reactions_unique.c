/* reactions_unique.c - which components of reactions redundant constraints leave undetermined.
 *
 * With W = [gI_v; h_v], multipliers are determined up to the null space of W^T. A component c^T lambda is unique iff c
 * is orthogonal to it, theory (7.25), which is the case (with probability one) iff c^T nu = 0 for a random null
 * vector nu. With independent rows I, their pivot columns P and dependent rows D, which sparse elimination finds,
 *     nu_D random,   W_IP^T nu_I = -W_DP^T nu_D
 * is one sparse solve, whatever the number of dependent rows; c^T nu is the reaction of the multipliers nu. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/output.h"

#include "linalg/rowspace.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { TRIALS = 2 };

static const double rank_tolerance = 1e-8; /* as the option's default */
static const double vanishing = 1e-7;      /* relative: reactions below are rounding */

/* W by rows and its split */
typedef struct split {
    crank_store store;
    int rows, columns;
    int *start, *column;
    double *values, *scale;
    const int *pivot; /* rows: -1 dependent */
    int rank;
    int *place;       /* columns: position among the pivots, -1: none */
    int *independent; /* rank: rows, in the order of their pivots' positions */
    crank_rowspace *space;
    crank_sparse *square; /* W_IP, columns as rows: its transpose is stored */
} split;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "uniqueness of reactions");
}

/* ---- trees ---- */

static int root_of(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

bool crank_reactions_may_repeat(const crank_builder *b)
{
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i < b->holonomic.count; i++) {
        const crank_owner owner = b->holonomic.item[i].owner;
        if (owner.kind != CRANK_OWNER_JOINT || !b->reaction[owner.index].given) {
            return true;
        }
    }
    int *parent = b->nonholonomic.count > 0
                      ? NULL
                      : crank_store_take(b->store, (size_t)m->body_count + 1, sizeof *parent);
    if (parent == NULL) {
        return true;
    }
    for (int i = 0; i <= m->body_count; i++) {
        parent[i] = i; /* the last one is ground */
    }
    for (int i = 0; i < m->joint_count; i++) {
        const crank_reaction *r = &b->reaction[i];
        const int first = root_of(parent, r->first >= 0 ? r->first : m->body_count);
        const int second = root_of(parent, r->second >= 0 ? r->second : m->body_count);
        if (r->given && first == second) {
            return true;
        }
        if (r->given) {
            parent[first] = second;
        }
    }
    return false;
}

/* ---- W by rows from the Jacobian by columns ---- */

static int row_of(const crank_eom *eom, int row)
{
    const int gI = eom->row[CRANK_ROW_GI], end = eom->row[CRANK_ROW_E];
    return row >= gI && row < end ? row - gI : -1;
}

static crank_status take_rows(split *w, const crank_eom *eom, const double *values,
                              crank_error *err)
{
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const int v = eom->column[CRANK_V];
    w->rows = eom->sizes.lambda + eom->sizes.mu;
    w->columns = eom->sizes.v;
    w->start = crank_store_take(&w->store, (size_t)w->rows + 2, sizeof *w->start);
    w->scale = crank_store_take(&w->store, (size_t)w->rows, sizeof *w->scale);
    const int begin = pattern->start[v], end = pattern->start[v + w->columns];
    w->column = crank_store_take(&w->store, (size_t)(end - begin), sizeof *w->column);
    w->values = crank_store_take(&w->store, (size_t)(end - begin), sizeof *w->values);
    if (w->store.failed) {
        return no_memory(err);
    }
    for (int q = begin; q < end; q++) {
        const int i = row_of(eom, pattern->row[q]);
        if (i >= 0) {
            w->start[i + 2]++;
            w->scale[i] = fmax(w->scale[i], fabs(values[q]));
        }
    }
    for (int i = 0; i < w->rows; i++) {
        w->start[i + 2] += w->start[i + 1];
        w->scale[i] = w->scale[i] > 0.0 ? w->scale[i] : 1.0;
    }
    for (int j = 0; j < w->columns; j++) {
        for (int q = pattern->start[v + j]; q < pattern->start[v + j + 1]; q++) {
            const int i = row_of(eom, pattern->row[q]);
            if (i >= 0) {
                w->column[w->start[i + 1]] = j;
                w->values[w->start[i + 1]++] = values[q];
            }
        }
    }
    return CRANK_OK;
}

static crank_status eliminate(split *w, crank_error *err)
{
    const crank_status status = crank_rowspace_create(w->rows, w->columns, w->start, w->column,
                                                      0, 0, false, &w->space, err);
    if (status != CRANK_OK) {
        return status;
    }
    w->rank =
        crank_rowspace_eliminate(w->space, w->values, w->scale, NULL, rank_tolerance, 1.0);
    w->pivot = crank_rowspace_pivot(w->space);
    return w->rank < 0 ? no_memory(err) : CRANK_OK;
}

/* ---- null vectors ---- */

/* W_IP transposed, by columns: column i is the i-th independent row on the
 * pivots' positions */
static crank_status factor(split *w, crank_error *err)
{
    const size_t entries = (size_t)w->start[w->rows];
    w->place = crank_store_take(&w->store, (size_t)w->columns, sizeof *w->place);
    w->independent = crank_store_take(&w->store, (size_t)w->rank, sizeof *w->independent);
    int *start = crank_store_take(&w->store, (size_t)w->rank + 1, sizeof *start);
    int *row = crank_store_take(&w->store, entries, sizeof *row);
    double *values = crank_store_take(&w->store, entries, sizeof *values);
    if (w->store.failed) {
        return no_memory(err);
    }
    for (int j = 0; j < w->columns; j++) {
        w->place[j] = -1;
    }
    for (int i = 0, k = 0; i < w->rows; i++) {
        if (w->pivot[i] >= 0) {
            w->independent[k] = i;
            w->place[w->pivot[i]] = k++;
        }
    }
    int count = 0;
    for (int k = 0; k < w->rank; k++) {
        for (int q = w->start[w->independent[k]]; q < w->start[w->independent[k] + 1]; q++) {
            if (w->place[w->column[q]] >= 0) {
                row[count] = w->place[w->column[q]];
                values[count++] = w->values[q];
            }
        }
        start[k + 1] = count;
    }
    if (w->rank == 0) {
        return CRANK_OK;
    }
    const crank_status status = crank_sparse_create(w->rank, start, row, &w->square, err);
    return status == CRANK_OK ? crank_sparse_factor(w->square, values, err) : status;
}

static double next_random(uint64_t *seed)
{
    *seed ^= *seed << 13; /* xorshift64, Marsaglia */
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2.0 - 1.0;
}

static void null_vector(split *w, uint64_t *seed, double *side, double *nu)
{
    memset(side, 0, (size_t)w->rank * sizeof *side);
    for (int i = 0; i < w->rows; i++) {
        if (w->pivot[i] >= 0) {
            continue;
        }
        nu[i] = next_random(seed);
        for (int q = w->start[i]; q < w->start[i + 1]; q++) {
            const int k = w->place[w->column[q]];
            if (k >= 0) {
                side[k] -= w->values[q] * nu[i];
            }
        }
    }
    if (w->rank > 0) {
        crank_sparse_solve(w->square, side);
    }
    for (int k = 0; k < w->rank; k++) {
        nu[w->independent[k]] = side[k];
    }
}

/* ---- components ---- */

static void mark(const double *reaction, int count, double *unique)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(reaction[i]));
    }
    for (int i = 0; i < count; i++) {
        if (fabs(reaction[i]) > vanishing * largest) {
            unique[i] = 0.0;
        }
    }
}

static crank_status try_null_vectors(split *w, const crank_reactions *r, crank_system *s,
                                     double t, const double *x, double *unique,
                                     crank_error *err)
{
    const crank_eom *eom = s->eom;
    const int count = r->count * r->components;
    uint64_t seed = 88172645463325252U;
    double *point = crank_store_take(&w->store, (size_t)eom->n, sizeof *point);
    double *side = crank_store_take(&w->store, (size_t)w->rank, sizeof *side);
    double *reaction = crank_store_take(&w->store, (size_t)count, sizeof *reaction);
    if (w->store.failed) {
        return no_memory(err);
    }
    if (eom->n > 0) {
        memcpy(point, x, (size_t)eom->n * sizeof *point);
    }
    for (int trial = 0; trial < TRIALS; trial++) {
        null_vector(w, &seed, side, point + eom->column[CRANK_LAMBDA]);
        crank_reactions_evaluate(r, s, t, point, reaction);
        mark(reaction, count, unique);
    }
    return CRANK_OK;
}

crank_status crank_reactions_unique(const crank_reactions *r, crank_system *s, double t,
                                    const double *x, double *unique, bool *redundant,
                                    crank_error *err)
{
    split w = {0};
    const size_t entries = (size_t)s->eom->jacobian_pattern.start[s->eom->n];
    double *values = crank_store_take(&w.store, entries, sizeof *values);
    for (int i = 0; i < r->count * r->components; i++) {
        unique[i] = 1.0;
    }
    *redundant = false;
    crank_status status = values == NULL
                              ? no_memory(err)
                              : crank_eom_evaluate_jacobian(s->eom, t, x, NULL, values, err);
    if (status == CRANK_OK) {
        status = take_rows(&w, s->eom, values, err);
    }
    if (status == CRANK_OK && w.rows > 0) {
        status = eliminate(&w, err);
        *redundant = status == CRANK_OK && w.rank < w.rows;
    }
    if (status == CRANK_OK && *redundant) {
        status = factor(&w, err);
    }
    if (status == CRANK_OK && *redundant) {
        status = try_null_vectors(&w, r, s, t, x, unique, err);
    }
    crank_sparse_destroy(w.square);
    crank_rowspace_destroy(w.space);
    crank_store_free(&w.store);
    return status;
}
