/* dae_programs.c - the expressions that the eom of a `crank: dae` file is made of, theory
 * (10.10)-(10.12):
 *
 *     A = [E_D; k_C,x],   r = [k_D; -k_C,t],   and   d(r - A b)/dx   with b = x' held */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae.h"

#include <string.h>

/* non-zeros of a matrix while they are collected */
typedef struct entries {
    int count, capacity;
    int *row, *column;
    crank_ex *ex;
} entries;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "derivatives of the equations");
}

static bool grow(crank_store *store, entries *list)
{
    const size_t old = (size_t)list->count, capacity = 2 * (size_t)list->capacity + 64;
    int *row = crank_store_take(store, capacity, sizeof *row);
    int *column = crank_store_take(store, capacity, sizeof *column);
    crank_ex *ex = crank_store_take(store, capacity, sizeof *ex);
    if (row == NULL || column == NULL || ex == NULL) {
        return false;
    }
    if (old > 0) {
        memcpy(row, list->row, old * sizeof *row);
        memcpy(column, list->column, old * sizeof *column);
        memcpy(ex, list->ex, old * sizeof *ex);
    }
    *list = (entries){list->count, (int)capacity, row, column, ex};
    return true;
}

static bool add(crank_dae_file *file, entries *list, int row, int column, crank_ex ex)
{
    if (crank_ex_is_value(file->e.pool, ex, 0.0)) {
        return true;
    }
    if (list->count == list->capacity && !grow(file->e.store, list)) {
        return false;
    }
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->ex[list->count++] = ex;
    return true;
}

/* the derivatives of ex by the variables; symbols: room for all of the pool's first names */
static bool add_gradient(crank_dae_file *file, entries *list, int row, crank_ex ex,
                         crank_ex *symbols)
{
    crank_equations *e = &file->e;
    const int count = crank_ex_symbols(e->pool, ex, symbols, e->name_count);
    for (int s = 0; s < count; s++) {
        const crank_name *name = &e->name[symbols[s]];
        if (name->kind == CRANK_P &&
            !add(file, list, row, name->index, crank_ex_derivative(e->pool, ex, symbols[s]))) {
            return false;
        }
    }
    return true;
}

/* A and r */
static bool write_matrix(crank_dae_file *file, const crank_dae_reduced *reduced,
                         crank_dae_programs *out, entries *list, crank_ex *symbols)
{
    crank_equations *e = &file->e;
    const int n = e->count[CRANK_P];
    for (int i = 0; i < out->differential; i++) {
        const int equation = reduced->differential[i];
        for (int j = 0; j < n; j++) {
            if (!add(file, list, i, j, file->E[(size_t)equation * (size_t)n + (size_t)j])) {
                return false;
            }
        }
        out->right[i] = file->k[equation];
    }
    for (int c = 0; c < out->constraints; c++) {
        const int row = out->differential + c;
        out->constraint[c] = reduced->constraint[c];
        out->right[row] =
            crank_ex_neg(e->pool, crank_ex_derivative(e->pool, out->constraint[c], e->t));
        if (!add_gradient(file, list, row, out->constraint[c], symbols)) {
            return false;
        }
    }
    return true;
}

/* r - A b, a row at a time, and its derivatives */
static bool write_change(crank_dae_file *file, const entries *A, crank_dae_programs *out,
                         entries *list, crank_ex *symbols)
{
    crank_equations *e = &file->e;
    for (int i = 0, q = 0; i < out->rows; i++) {
        crank_ex rest = out->right[i];
        for (; q < A->count && A->row[q] == i; q++) {
            rest = crank_ex_sub(e->pool, rest,
                                crank_ex_mul(e->pool, A->ex[q], e->acceleration[A->column[q]]));
        }
        if (!add_gradient(file, list, i, rest, symbols)) {
            return false;
        }
    }
    return true;
}

static void note_dependence(crank_dae_file *file, const entries *A, crank_dae_programs *out)
{
    crank_equations *e = &file->e;
    out->autonomous = out->constant = true;
    for (int i = 0; i < out->rows; i++) {
        out->autonomous = out->autonomous && !crank_ex_depends(e->pool, out->right[i], e->t);
    }
    for (int q = 0; q < A->count; q++) {
        out->autonomous = out->autonomous && !crank_ex_depends(e->pool, A->ex[q], e->t);
        out->constant = out->constant && crank_ex_is_number(e->pool, A->ex[q], NULL);
    }
    for (int c = 0; c < out->constraints; c++) {
        out->autonomous =
            out->autonomous && !crank_ex_depends(e->pool, out->constraint[c], e->t);
    }
    for (int i = 0; i < e->output_count; i++) {
        for (int j = 0; j < e->count[CRANK_P] && !out->outputs_with_rates; j++) {
            out->outputs_with_rates =
                crank_ex_depends(e->pool, e->output[i].ex, e->acceleration[j]);
        }
    }
}

crank_status crank_dae_write_programs(crank_dae_file *file, const crank_dae_report *report,
                                      crank_dae_programs *out, crank_error *err)
{
    const crank_dae_reduced *reduced = &report->reduced;
    crank_equations *e = &file->e;
    entries A = {0}, change = {0};
    *out = (crank_dae_programs){.differential = reduced->differential_count,
                                .constraints = reduced->constraint_count};
    out->rows = out->differential + out->constraints;
    out->right = crank_store_take(e->store, (size_t)out->rows, sizeof *out->right);
    out->constraint =
        crank_store_take(e->store, (size_t)out->constraints, sizeof *out->constraint);
    crank_ex *symbols = crank_store_take(e->store, (size_t)e->name_count, sizeof *symbols);
    if (e->store->failed || !write_matrix(file, reduced, out, &A, symbols) ||
        !write_change(file, &A, out, &change, symbols) ||
        crank_pool_status(e->pool) != CRANK_OK) {
        return no_memory(err);
    }
    note_dependence(file, &A, out);
    out->entries = A.count;
    out->row = A.row;
    out->column = A.column;
    out->entry = A.ex;
    out->change_entries = change.count;
    out->change_row = change.row;
    out->change_column = change.column;
    out->change = change.ex;
    return CRANK_OK;
}
