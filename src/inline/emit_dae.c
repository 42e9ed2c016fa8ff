/* emit_dae.c - the flattened equations, index reduced, as C without any rule of a method: what a
 * solver of differential-algebraic equations sees, with derivatives, theory (13.10):
 *
 *     NAME_rows(v, f)       f = F(u, t), u all unknowns with derivatives (v as in emit.c)
 *     NAME_slopes(v, g)     g = dF/du, entries by columns: NAME_start, NAME_row */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/emit.h"

#include <string.h>

/* entries of dF/du, by rows */
typedef struct entries {
    int count, capacity;
    int *row, *column, *line;
    crank_ex *ex;
} entries;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "writing C");
}

static crank_status name_symbols(crank_emit *w)
{
    const crank_inline *in = w->in;
    const crank_flat *flat = in->flat;
    const int size = crank_pool_size(flat->pool), labels = w->layout.width;
    w->number = crank_store_take(w->store, (size_t)size, sizeof *w->number);
    w->label = crank_store_take(w->store, (size_t)labels, sizeof *w->label);
    if (w->store->failed) {
        return no_memory(w->err);
    }
    memset(w->number, -1, (size_t)size * sizeof *w->number);
    for (int i = 0; i < labels; i++) {
        w->label[i] = crank_store_print(w->store, "v[%d]", i);
    }
    w->number[flat->t] = CRANK_INLINE_TIME;
    for (int u = 0; u < in->unknown_count; u++) {
        w->number[in->unknown[u].symbol] = CRANK_INLINE_FIRST + u;
    }
    for (int i = 0; i < w->layout.given_count; i++) {
        w->number[flat->variable[w->layout.given_variable[i]].symbol] = w->layout.given + i;
    }
    w->symbols = (crank_emit_symbols){.size = size, .number = w->number, .text = w->label};
    return w->store->failed ? no_memory(w->err) : CRANK_OK;
}

/* ---- derivatives ---- */

/* the places of all that occurs, counted before */
static crank_status take_entries(const crank_emit *w, entries *e)
{
    crank_pool *p = w->in->flat->pool;
    size_t count = 1;
    for (int i = 0; i < w->in->model_equations; i++) {
        count += (size_t)crank_ex_symbols(p, w->in->equation[i].ex, NULL, 0);
    }
    e->row = crank_store_take(w->store, count, sizeof *e->row);
    e->column = crank_store_take(w->store, count, sizeof *e->column);
    e->line = crank_store_take(w->store, count, sizeof *e->line);
    e->ex = crank_store_take(w->store, count, sizeof *e->ex);
    return w->store->failed ? no_memory(w->err) : CRANK_OK;
}

static crank_status differentiate(const crank_emit *w, int row, entries *e)
{
    const crank_inline *in = w->in;
    crank_pool *p = in->flat->pool;
    const crank_inline_equation *q = &in->equation[row];
    const int count = crank_ex_symbols(p, q->ex, NULL, 0);
    crank_ex *symbols = crank_store_take(w->store, 2 * (size_t)count, sizeof *symbols);
    if (symbols == NULL) {
        return no_memory(w->err);
    }
    crank_ex *slope = symbols + count;
    (void)crank_ex_symbols(p, q->ex, symbols, count);
    crank_ex_gradient(p, q->ex, count, symbols, slope);
    for (int k = 0; k < count; k++) {
        const int u = crank_inline_unknown_of(in, symbols[k]);
        if (u >= 0 && !crank_ex_is_value(p, slope[k], 0.0)) {
            e->row[e->count] = row;
            e->column[e->count] = u;
            e->line[e->count] = q->place;
            e->ex[e->count++] = slope[k];
        }
    }
    return CRANK_OK;
}

/* ---- text ---- */

/* functions of bounded length, and one that calls them */
static void write_functions(const crank_emit *w, const char *name, const char *kind, int count,
                            const crank_emit_statement *list)
{
    crank_text *t = w->text;
    int functions = 0;
    for (int i = 0; i < count; i += CRANK_EMIT_STATEMENTS) {
        const int here = count - i < CRANK_EMIT_STATEMENTS ? count - i : CRANK_EMIT_STATEMENTS;
        crank_text_append(
            t, "\nstatic void %s_%d(const double *v, double *out)\n{\n    (void)v;\n", kind,
            functions++);
        crank_emit_c_statements(t, w->in->flat->pool, &w->symbols, here, list + i);
        crank_text_append(t, "}\n");
    }
    crank_text_append(t, "\nvoid %s_%s(const double *v, double *out)\n{\n", name, kind);
    for (int i = 0; i < functions; i++) {
        crank_text_append(t, "    %s_%d(v, out);\n", kind, i);
    }
    crank_text_append(t, "}\n");
}

static void write_ints(crank_text *t, const char *name, const char *what, int count,
                       const int *list)
{
    crank_text_append(t, "\nconst int %s_%s[] = {", name, what);
    for (int i = 0; i < count; i++) {
        crank_text_append(t, i % 16 == 0 ? "\n    %d," : " %d,", list[i]);
    }
    crank_text_append(t, count == 0 ? "0};\n" : "\n};\n");
}

static crank_status write_rows(const crank_emit *w, const char *name)
{
    const crank_inline *in = w->in;
    const int rows = in->model_equations;
    crank_emit_statement *list = crank_store_take(w->store, (size_t)rows + 1, sizeof *list);
    for (int i = 0; i < rows && list != NULL; i++) {
        const int line = in->equation[i].place;
        list[i] = (crank_emit_statement){
            crank_store_print(w->store, "out[%d]", i), in->equation[i].ex,
            line % CRANK_FLAT_LINES,
            crank_flat_file_of(in->flat, (crank_flat_place){.line = line})};
    }
    if (w->store->failed) {
        return no_memory(w->err);
    }
    write_functions(w, name, "rows", rows, list);
    return CRANK_OK;
}

/* entries by columns */
static crank_status write_slopes(const crank_emit *w, const char *name, const entries *e)
{
    const int n = w->in->unknown_count;
    const size_t count = (size_t)e->count + 1;
    crank_emit_statement *list = crank_store_take(w->store, count, sizeof *list);
    int *start = crank_store_take(w->store, (size_t)n + 2, sizeof *start);
    int *row = crank_store_take(w->store, count, sizeof *row);
    if (w->store->failed) {
        return no_memory(w->err);
    }
    for (int q = 0; q < e->count; q++) {
        start[e->column[q] + 2]++;
    }
    for (int u = 2; u < n + 2; u++) {
        start[u] += start[u - 1];
    }
    for (int q = 0; q < e->count; q++) { /* start[u + 1]: the next place of column u */
        const int place = start[e->column[q] + 1]++;
        row[place] = e->row[q];
    }
    /* by rows, where entries share expressions, each to its place */
    int *next = crank_store_take(w->store, (size_t)n + 1, sizeof *next);
    if (next == NULL) {
        return no_memory(w->err);
    }
    memcpy(next, start, (size_t)n * sizeof *next);
    for (int q = 0; q < e->count; q++) {
        const char *target = crank_store_print(w->store, "out[%d]", next[e->column[q]]++);
        list[q] = (crank_emit_statement){
            target, e->ex[q], e->line[q] % CRANK_FLAT_LINES,
            crank_flat_file_of(w->in->flat, (crank_flat_place){.line = e->line[q]})};
    }
    if (w->store->failed) {
        return no_memory(w->err);
    }
    write_functions(w, name, "slopes", e->count, list);
    write_ints(w->text, name, "start", n + 1, start);
    write_ints(w->text, name, "row", e->count, row);
    return CRANK_OK;
}

crank_status crank_inline_emit_dae(const crank_inline *in, const char *name, crank_text *text,
                                   crank_error *err)
{
    crank_emit w = {.in = in, .store = &in->flat->store, .text = text, .copies = 1, .err = err};
    entries e = {0};
    crank_status status = crank_inline_place(in, &w.layout, err);
    status = status == CRANK_OK ? take_entries(&w, &e) : status;
    for (int i = 0; i < in->model_equations && status == CRANK_OK; i++) {
        status = differentiate(&w, i, &e);
    }
    status = status == CRANK_OK ? name_symbols(&w) : status; /* no expression comes after it */
    if (status != CRANK_OK) {
        return status;
    }
    crank_emit_c_prelude(text);
    crank_text_append(text, "\nvoid %s_rows(const double *v, double *out);\n", name);
    crank_text_append(text, "void %s_slopes(const double *v, double *out);\n", name);
    status = write_rows(&w, name);
    status = status == CRANK_OK ? write_slopes(&w, name, &e) : status;
    return status == CRANK_OK && text->failed ? no_memory(err) : status;
}
