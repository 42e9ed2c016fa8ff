/* dae_yield.c - which unknowns follow where reinit has set some, theory (11.14).
 *
 * The rows of the constraints, linearised, are reduced by Gauss's elimination. Algebraic unknowns,
 * which follow anyway, are eliminated first; what is left are constraints on what is held, and
 * each determines one of that, but not what reinit has set: the dependent coordinates of the
 * states that it sets. Rows that hold come first, and others take unknowns that are in none of
 * them if there are any, so that of a pendulum whose velocity is set the velocities follow, and
 * its place stays. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_yield.h"

#include "base/store.h"
#include "base/then.h"

#include <math.h>
#include <string.h>

/* what is left of terms that cancel */
static const double rounding = 1e-9;
/* rows hold whose residual is so much smaller than the largest one */
static const double small_residual = 1e-3;

/* a row that has been reduced; column n is its residual */
typedef struct reduced {
    int pivot; /* it is divided by that; -1: it has none yet */
    int count, *column;
    double *value, residual; /* beside its largest term */
} reduced;

typedef struct elimination {
    int n, rows, done; /* the first ones have pivots */
    const double *x;
    const crank_fixing *fixing;
    const bool *held;  /* may not follow */
    int *first, *next; /* entries of the Jacobian by rows */
    const int *column_of;
    const double *entry, *k;
    double *work, *terms; /* n + 1: the row at hand, and the largest terms in it */
    reduced *row;
    bool *settled; /* n: in a row that holds */
    crank_store store;
} elimination;

static void load(elimination *w, int i)
{
    memset(w->work, 0, (size_t)(w->n + 1) * sizeof *w->work);
    memset(w->terms, 0, (size_t)(w->n + 1) * sizeof *w->terms);
    for (int k = w->first[i]; k >= 0; k = w->next[k]) {
        w->work[w->column_of[k]] = w->entry[k];
        w->terms[w->column_of[k]] = fabs(w->entry[k]);
    }
    w->work[w->n] = w->k[i];
    w->terms[w->n] = fabs(w->k[i]);
}

static void load_again(elimination *w, const reduced *r)
{
    memset(w->work, 0, (size_t)(w->n + 1) * sizeof *w->work);
    memset(w->terms, 0, (size_t)(w->n + 1) * sizeof *w->terms);
    for (int k = 0; k < r->count; k++) {
        w->work[r->column[k]] = r->value[k];
        w->terms[r->column[k]] = fabs(r->value[k]);
    }
}

/* the row at hand less those that have pivots, from number `from` on */
static void reduce(elimination *w, int from)
{
    for (int p = from; p < w->done; p++) { /* in the order in which they were found */
        const reduced *r = &w->row[p];
        const double factor = w->work[r->pivot];
        for (int k = 0; k < r->count && factor != 0.0; k++) {
            const int j = r->column[k];
            w->work[j] -= factor * r->value[k];
            w->terms[j] = fmax(w->terms[j], fabs(factor * r->value[k]));
            w->work[j] = fabs(w->work[j]) > rounding * w->terms[j] ? w->work[j] : 0.0;
        }
    }
}

/* The unknown that the row at hand determines, an algebraic one or one that is held; -1: none. */
static int choose(const elimination *w, bool algebraic)
{
    int best = -1;
    for (int j = 0; j < w->n; j++) {
        if (w->work[j] == 0.0 || w->held[j] || (w->fixing[j] == CRANK_FREE) != algebraic) {
            continue;
        }
        const bool first = best < 0 || (w->settled[best] && !w->settled[j]);
        best = first || (w->settled[best] == w->settled[j] &&
                         fabs(w->work[j]) > fabs(w->work[best]))
                   ? j
                   : best;
    }
    return best;
}

static void keep(elimination *w, reduced *r, int pivot)
{
    int count = 0;
    double size = 0.0;
    for (int j = 0; j <= w->n; j++) {
        count += w->work[j] != 0.0;
        size = j < w->n ? fmax(size, fabs(w->work[j] * w->x[j])) : size;
    }
    *r = (reduced){.pivot = pivot,
                   .column = crank_store_take(&w->store, (size_t)count, sizeof *r->column),
                   .value = crank_store_take(&w->store, (size_t)count, sizeof *r->value),
                   .residual = fabs(w->work[w->n]) / (size > 0.0 ? size : 1.0)};
    for (int j = 0; j <= w->n && !w->store.failed; j++) {
        if (w->work[j] != 0.0) {
            r->column[r->count] = j;
            r->value[r->count++] = w->work[j] / (pivot >= 0 ? w->work[pivot] : 1.0);
        }
    }
}

static bool open_rows(elimination *w, const crank_eom *eom)
{
    const crank_pattern *p = &eom->jacobian_pattern;
    const size_t entries = (size_t)p->start[p->columns], n = (size_t)w->n + 1;
    int *column = crank_store_take(&w->store, entries, sizeof *column);
    w->first = crank_store_take(&w->store, (size_t)p->rows, sizeof *w->first);
    w->next = crank_store_take(&w->store, entries, sizeof *w->next);
    w->work = crank_store_take(&w->store, n, sizeof *w->work);
    w->terms = crank_store_take(&w->store, n, sizeof *w->terms);
    w->settled = crank_store_take(&w->store, n, sizeof *w->settled);
    w->row = crank_store_take(&w->store, 2 * (size_t)w->rows, sizeof *w->row);
    if (w->store.failed) {
        return false;
    }
    for (int i = 0; i < p->rows; i++) {
        w->first[i] = -1;
    }
    for (int j = p->columns - 1; j >= 0; j--) {
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            column[k] = j;
            w->next[k] = w->first[p->row[k]];
            w->first[p->row[k]] = k;
        }
    }
    w->column_of = column;
    return true;
}

/* rows that leave constraints on what is held are kept behind the others: *left of them */
static void eliminate_algebraic(elimination *w, int *left)
{
    *left = 0;
    for (int i = 0; i < w->rows && !w->store.failed; i++) {
        load(w, i);
        reduce(w, 0);
        const int pivot = choose(w, true);
        keep(w, pivot >= 0 ? &w->row[w->done] : &w->row[w->rows + *left], pivot);
        w->done += pivot >= 0;
        *left += pivot < 0;
    }
}

/* of the constraints that are left: which of them hold */
static double find_settled(elimination *w, int left)
{
    double largest = 0.0;
    for (int i = 0; i < left; i++) {
        largest = fmax(largest, w->row[w->rows + i].residual);
    }
    for (int i = 0; i < left; i++) {
        const reduced *r = &w->row[w->rows + i];
        for (int k = 0; k < r->count && r->residual <= small_residual * largest; k++) {
            w->settled[r->column[k]] = true;
        }
    }
    return small_residual * largest;
}

crank_status crank_dae_find_yielding(crank_eom *eom, double t, const double *x,
                                     const crank_fixing *fixing, const bool *held,
                                     crank_fixing *yielding, crank_error *err)
{
    const crank_pattern *p = &eom->jacobian_pattern;
    elimination w = {
        .n = eom->n, .rows = eom->row[CRANK_ROW_B], .x = x, .fixing = fixing, .held = held};
    double *value = crank_store_take(&w.store, (size_t)p->start[p->columns], sizeof *value);
    double *k = crank_store_take(&w.store, (size_t)eom->m, sizeof *k);
    crank_status status =
        open_rows(&w, eom) ? CRANK_OK : crank_fail(err, CRANK_EMEM, "states of reinit");
    CRANK_THEN(status, crank_eom_evaluate_rows(eom, 1, &t, x, CRANK_ALGEBRAIC, k, err));
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, t, x, NULL, value, err));
    w.entry = value;
    w.k = k;
    memcpy(yielding, fixing, (size_t)w.n * sizeof *fixing);
    int left = 0;
    if (status == CRANK_OK) {
        eliminate_algebraic(&w, &left);
    }
    const double least = status == CRANK_OK ? find_settled(&w, left) : 0.0;
    const int from = w.done;
    for (int pass = 0; pass < 2; pass++) { /* rows that hold, then the others */
        for (int i = 0; i < left && status == CRANK_OK && !w.store.failed; i++) {
            const reduced *r = &w.row[w.rows + i];
            if ((r->residual > least) != (pass == 1)) {
                continue;
            }
            load_again(&w, r);
            reduce(&w, from);
            const int pivot = choose(&w, false);
            if (pivot >= 0) {
                keep(&w, &w.row[w.done++], pivot);
                yielding[pivot] = CRANK_FREE;
            }
        }
    }
    status = status == CRANK_OK && w.store.failed
                 ? crank_fail(err, CRANK_EMEM, "states of reinit")
                 : status;
    crank_store_free(&w.store);
    return status;
}
