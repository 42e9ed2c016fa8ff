/* reactions_unique.c - which components of reactions redundant constraints leave undetermined.
 *
 * With W = [gI_v; h_v], multipliers are determined up to the null space of W^T. A component c^T
 * lambda is unique iff c is orthogonal to it, theory (7.25), which is the case (with
 * probability one) iff c^T nu = 0 for a random null vector nu. With independent rows I, their
 * pivot columns P and dependent rows D, which sparse elimination finds,
 *     nu_D random,   W_IP^T nu_I = -W_DP^T nu_D                                   theory (7.26)
 * is one sparse solve, whatever the number of dependent rows; c^T nu is the reaction of the
 * multipliers nu, of an effort the component of nu itself. Asked for at every row of a result;
 * patterns are analysed anew only where pivots change. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/reactions_split.h"

#include "base/disjoint.h"
#include "base/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 2 };

static const double vanishing = 1e-7; /* relative: reactions below are rounding */
static const double rounding =
    1e-12; /* forces of multipliers beside the largest: what elimination leaves of zero */
static const double keep_pivot = 0.1; /* earlier pivots stay while they are this good */

typedef struct crank_uniqueness split;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "uniqueness of reactions");
}

/* ---- trees ---- */

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
        const int first = r->first >= 0 ? r->first : m->body_count;
        const int second = r->second >= 0 ? r->second : m->body_count;
        if (r->given && !crank_disjoint_join(parent, first, second)) {
            return true;
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
        for (int q = pattern->start[v + j]; q < pattern->start[v + j + 1]; q++) {
            const int i = row_of(eom, pattern->row[q]);
            if (i >= 0) {
                w->column[w->start[i + 1]] = j;
                w->source[w->start[i + 1]++] = q;
            }
        }
    }
    return crank_rowspace_create(w->rows, w->columns, w->start, w->column, 0, 0, false,
                                 &w->space, err);
}

static crank_status eliminate(split *w, bool first, crank_error *err)
{
    for (int i = 0; i < w->rows; i++) {
        double largest = 0.0;
        for (int q = w->start[i]; q < w->start[i + 1]; q++) {
            w->values[q] = w->jacobian[w->source[q]];
            largest = fmax(largest, fabs(w->values[q]));
        }
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

/* Only what is exactly zero tells that redundant drives leave all reactions unique: there is no
 * other to compare with. */
static void clean(const split *w, double *nu)
{
    double largest = 0.0;
    for (int i = 0; i < w->rows; i++) {
        largest = fmax(largest, fabs(nu[i]) * w->scale[i]);
    }
    for (int i = 0; i < w->rows; i++) {
        nu[i] = fabs(nu[i]) * w->scale[i] > rounding * largest ? nu[i] : 0.0;
    }
}

void crank_split_complete(crank_uniqueness *w, double *nu)
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

static void null_vector(split *w, uint64_t *seed, double *nu)
{
    for (int i = 0; i < w->rows; i++) {
        if (w->pivot[i] < 0) {
            nu[i] = crank_random(seed);
        }
    }
    crank_split_complete(w, nu);
    clean(w, nu);
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

/* Efforts are multipliers: forces by the sizes of their rows. */
static void mark_efforts(const split *w, const crank_reactions *r, const double *nu,
                         double *unique)
{
    double largest = 0.0;
    for (int i = 0; i < w->rows; i++) {
        largest = fmax(largest, fabs(nu[i]) * w->scale[i]);
    }
    for (int i = 0; i < r->effort_count; i++) {
        const int k = r->effort[i];
        if (fabs(nu[k]) * w->scale[k] > vanishing * largest) {
            unique[i] = 0.0;
        }
    }
}

static crank_status try_null_vectors(split *w, const crank_reactions *r, crank_system *s,
                                     double t, const double *x, double *unique,
                                     crank_error *err)
{
    const crank_eom *eom = s->eom;
    uint64_t seed = CRANK_RANDOM_SEED;
    memcpy(w->point, x, (size_t)eom->n * sizeof *w->point);
    crank_system_point(s, t, x);
    for (int trial = 0; trial < TRIALS; trial++) {
        double *nu = w->point + eom->column[CRANK_LAMBDA];
        null_vector(w, &seed, nu);
        const crank_status status =
            crank_reactions_evaluate(r, s, t, w->point, true, w->reaction, err);
        if (status != CRANK_OK) {
            return status;
        }
        mark(w->reaction, r->count * r->components, unique);
        mark_efforts(w, r, nu, unique + r->count * r->components);
    }
    return CRANK_OK;
}

void crank_uniqueness_samples(crank_uniqueness *w, double *null, double *other)
{
    uint64_t seed = CRANK_RANDOM_SEED;
    double largest = 0.0;
    null_vector(w, &seed, null);
    for (int i = 0; i < w->rows; i++) {
        largest = fmax(largest, fabs(null[i]) * w->scale[i]);
    }
    for (int i = 0; i < w->rows; i++) {
        other[i] = crank_random(&seed) * largest / w->scale[i];
    }
}

int crank_reactions_marks(const crank_reactions *r)
{
    return r->count * r->components + r->effort_count;
}

crank_status crank_reactions_unique(crank_uniqueness *w, const crank_reactions *r,
                                    crank_system *s, double t, const double *x, double *unique,
                                    bool *redundant, crank_error *err)
{
    const bool first = w->pivot == NULL;
    w->redundant = false;
    for (int i = 0; i < crank_reactions_marks(r); i++) {
        unique[i] = 1.0;
    }
    *redundant = false;
    if (w->rows == 0) {
        return CRANK_OK;
    }
    crank_status status = crank_eom_evaluate_jacobian(s->eom, t, x, NULL, w->jacobian, err);
    if (status == CRANK_OK) {
        status = eliminate(w, first, err);
        *redundant = w->redundant = status == CRANK_OK && w->rank < w->rows;
    }
    if (status == CRANK_OK && *redundant) {
        status = factor(w, err);
    }
    if (status == CRANK_OK && *redundant) {
        status = try_null_vectors(w, r, s, t, x, unique, err);
    }
    return status;
}

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

void crank_uniqueness_archive(crank_uniqueness *w, crank_archive *a)
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

void crank_uniqueness_destroy(crank_uniqueness *w)
{
    if (w != NULL) {
        crank_solver_destroy(w->square);
        crank_rowspace_destroy(w->space);
        crank_store_free(&w->store);
        free(w);
    }
}

crank_status crank_uniqueness_create(const crank_reactions *r, const crank_system *s,
                                     crank_uniqueness **out, crank_error *err)
{
    const crank_eom *eom = s->eom;
    *out = NULL;
    split *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return no_memory(err);
    }
    crank_status status = take_rows(w, eom, err);
    if (status == CRANK_OK) {
        const size_t rows = (size_t)w->rows, entries = (size_t)w->start[w->rows];
        const size_t count = (size_t)r->count * (size_t)r->components;
        w->jacobian = crank_store_take(&w->store, (size_t)eom->jacobian_pattern.start[eom->n],
                                       sizeof(double));
        w->place = crank_store_take(&w->store, (size_t)w->columns, sizeof(int));
        w->independent = crank_store_take(&w->store, rows, sizeof(int));
        w->square_start = crank_store_take(&w->store, rows + 1, sizeof(int));
        w->square_row = crank_store_take(&w->store, entries, sizeof(int));
        w->square_source = crank_store_take(&w->store, entries, sizeof(int));
        w->point = crank_store_take(&w->store, (size_t)w->unknowns, sizeof(double));
        w->side = crank_store_take(&w->store, rows, sizeof(double));
        w->reaction = crank_store_take(&w->store, count, sizeof(double));
        w->group = r->group;
        crank_share_layout(w);
        status = w->store.failed ? no_memory(err) : CRANK_OK;
    }
    if (status != CRANK_OK) {
        crank_uniqueness_destroy(w);
        return status;
    }
    *out = w;
    return CRANK_OK;
}
