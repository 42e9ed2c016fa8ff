/* equations_jacobian.c - derivatives of all rows by all unknowns, on the pattern of those that
 * are not identically zero, and by t.
 *
 * The dynamic rows are differentiated as f~ - M v', with symbols for v' that become inputs of
 * the evaluation, wherever M is not constant. Each row is differentiated only by the unknowns
 * it depends on, so the cost follows the number of non-zeros. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "base/then.h"
#include "model/equations/equations.h"

#include <stdlib.h>

/* entries in the order of their rows, growing */
typedef struct triples {
    int count, capacity;
    crank_entry *entry;
} triples;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "Jacobian of the equations");
}

static bool append(triples *t, crank_entry entry)
{
    crank_entry *grown = crank_grow(t->entry, t->count, &t->capacity, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    t->entry = grown;
    t->entry[t->count++] = entry;
    return true;
}

/* entries sorted by row become compressed columns with rising rows */
static crank_status compress(crank_store *store, int rows, int columns,
                             const crank_entry *entry, int count, crank_pattern *pattern,
                             crank_ex **ex, crank_error *err)
{
    int *start = crank_store_take(store, (size_t)columns + 2, sizeof *start);
    int *row = crank_store_take(store, (size_t)count, sizeof *row);
    *ex = crank_store_take(store, (size_t)count, sizeof **ex);
    if (start == NULL || row == NULL || *ex == NULL) {
        return no_memory(err);
    }
    for (int k = 0; k < count; k++) {
        start[entry[k].column + 2]++;
    }
    for (int j = 0; j < columns; j++) {
        start[j + 2] += start[j + 1];
    }
    for (int k = 0; k < count; k++) { /* start[j + 1] is the cursor of column j */
        const int at = start[entry[k].column + 1]++;
        row[at] = entry[k].row;
        (*ex)[at] = entry[k].ex;
    }
    *pattern = (crank_pattern){rows, columns, start, row};
    return CRANK_OK;
}

/* ---- mass ---- */

static void classify_mass(crank_equations *e, const crank_rows *rows, crank_derivatives *out)
{
    const int nv = rows->eom->sizes.v;
    bool diagonal = true, constant = true, identity = rows->mass.count == nv;
    for (int k = 0; k < rows->mass.count; k++) {
        const crank_entry *m = &rows->mass.entry[k];
        double value = 0.0;
        const bool number = crank_ex_is_number(e->pool, m->ex, &value);
        diagonal = diagonal && m->row == m->column;
        constant = constant && crank_ex_symbols(e->pool, m->ex, NULL, 0) == 0;
        identity = identity && m->row == m->column && number && value == 1.0;
    }
    out->mass_is_identity = identity;
    if (diagonal) {
        out->mass_kind = constant ? CRANK_MASS_DIAGONAL_CONSTANT : CRANK_MASS_DIAGONAL;
    } else {
        out->mass_kind = constant ? CRANK_MASS_FULL_CONSTANT : CRANK_MASS_FULL;
    }
}

/* f~ - M v' in place of the dynamic rows; entries of M that are constant do not matter */
static void subtract_inertia(crank_equations *e, const crank_rows *rows, crank_ex *dynamic)
{
    for (int k = 0; k < rows->mass.count; k++) {
        const crank_entry *m = &rows->mass.entry[k];
        if (crank_ex_symbols(e->pool, m->ex, NULL, 0) > 0) {
            const crank_ex term = crank_ex_mul(e->pool, m->ex, rows->vdot[m->column]);
            dynamic[m->row] = crank_ex_sub(e->pool, dynamic[m->row], term);
        }
    }
}

/* ---- rows ---- */

typedef struct work {
    int *column_of;    /* by symbol: column, or -1 */
    crank_ex *symbols; /* room for all names and v' */
    int capacity;
    triples list;
} work;

static bool differentiate_row(crank_equations *e, work *w, int row, crank_ex ex,
                              bool *autonomous)
{
    const int found = crank_ex_symbols(e->pool, ex, w->symbols, w->capacity);
    for (int k = 0; k < found; k++) {
        const crank_ex symbol = w->symbols[k];
        double value = 1.0;
        if (symbol == e->t) {
            *autonomous = false;
        }
        if (symbol >= e->name_count || w->column_of[symbol] < 0) {
            continue;
        }
        const crank_ex part = crank_ex_derivative(e->pool, ex, symbol);
        if (crank_ex_is_number(e->pool, part, &value) && value == 0.0) {
            continue;
        }
        if (!append(&w->list, (crank_entry){row, w->column_of[symbol], part})) {
            return false;
        }
    }
    return true;
}

static bool prepare(const crank_equations *e, const crank_rows *rows, work *w)
{
    const size_t names = (size_t)e->name_count;
    w->capacity = e->name_count + rows->eom->sizes.v;
    w->column_of = crank_store_take(e->store, names, sizeof *w->column_of);
    w->symbols = crank_store_take(e->store, (size_t)w->capacity, sizeof *w->symbols);
    if (w->column_of == NULL || w->symbols == NULL) {
        return false;
    }
    for (size_t i = 0; i < names; i++) {
        w->column_of[i] = -1;
    }
    for (int j = 0; j < rows->eom->n; j++) {
        w->column_of[rows->column[j]] = j;
    }
    return true;
}

/* dk/dt of all rows, where any depends on t */
static crank_status differentiate_by_time(crank_equations *e, const crank_rows *rows,
                                          crank_derivatives *out, crank_error *err)
{
    const int m = rows->eom->m;
    if (out->autonomous) {
        return CRANK_OK;
    }
    out->time_ex = crank_store_take(e->store, (size_t)m, sizeof *out->time_ex);
    if (out->time_ex == NULL) {
        return no_memory(err);
    }
    out->time_count = m;
    for (int i = 0; i < m; i++) {
        out->time_ex[i] = crank_ex_derivative(e->pool, rows->row[i], e->t);
    }
    return CRANK_OK;
}

crank_status crank_equations_differentiate(crank_equations *e, const crank_rows *rows,
                                           crank_derivatives *out, crank_error *err)
{
    const crank_eom *eom = rows->eom;
    const int nv = eom->sizes.v, first = eom->row[CRANK_ROW_DYN];
    work w = {0};
    crank_ex *dynamic = crank_store_take(e->store, (size_t)nv, sizeof *dynamic);
    *out = (crank_derivatives){.autonomous = true};
    if (dynamic == NULL || !prepare(e, rows, &w)) {
        return no_memory(err);
    }
    for (int i = 0; i < nv; i++) {
        dynamic[i] = rows->row[first + i];
    }
    classify_mass(e, rows, out);
    subtract_inertia(e, rows, dynamic);
    bool complete = true;
    for (int i = 0; i < eom->m && complete; i++) {
        const bool is_dynamic = i >= first && i < first + nv;
        const crank_ex ex = is_dynamic ? dynamic[i - first] : rows->row[i];
        complete = differentiate_row(e, &w, i, ex, &out->autonomous);
    }
    crank_status status = complete ? CRANK_OK : no_memory(err);
    CRANK_THEN(status, compress(e->store, eom->m, eom->n, w.list.entry, w.list.count,
                                &out->jacobian, &out->jacobian_ex, err));
    CRANK_THEN(status, differentiate_by_time(e, rows, out, err));
    CRANK_THEN(status, compress(e->store, nv, nv, rows->mass.entry, rows->mass.count,
                                &out->mass, &out->mass_ex, err));
    free(w.list.entry);
    return status;
}
