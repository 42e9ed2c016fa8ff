/* states.c - which of the variables with derivatives are states, theory (13.2), (13.3)
 * [MS93]: constraints of each level are solved for as many of the derivatives in them (dummy
 * derivatives), and the others are those of states, x = h x' + old(x). Where the derivatives of
 * the constraints are numbers the choice is made here: first those that no integrator knows are
 * solved for, then those of which nothing is said about the start. Else it is made in the run,
 * and made anew where it becomes singular: the discretisation of a group of candidates has as
 * many equations as it has states, and which they are is an array.
 *
 * Levels are looked at from the highest derivatives down. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/inline.h"

#include "base/grow.h"

#include <math.h>
#include <string.h>

typedef struct level {
    int row_count, column_count;
    int *row;    /* equations */
    int *column; /* unknowns x', of which the equations have derivatives */
} level;

typedef struct work {
    crank_inline *in;
    bool *dummy;    /* unknowns: x' is no derivative of a state */
    bool *grouped;  /* unknowns: x' of a candidate */
    int *number;    /* unknowns: number among the columns of the level, -1 */
    int *component; /* columns of the level, then rows: representative of their component */
    crank_error *err;
} work;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "choosing states");
}

/* ---- components of constraints and derivatives ---- */

static int root_of(const work *w, int i)
{
    while (w->component[i] != i) {
        i = w->component[i];
    }
    return i;
}

static void join_components(work *w, const level *l)
{
    for (int i = 0; i < l->column_count + l->row_count; i++) {
        w->component[i] = i;
    }
    for (int r = 0; r < l->row_count; r++) {
        const crank_inline_equation *q = &w->in->equation[l->row[r]];
        for (int k = 0; k < q->column_count; k++) {
            const int c = w->number[q->column[k]];
            if (c >= 0) {
                w->component[root_of(w, c)] = root_of(w, l->column_count + r);
            }
        }
    }
}

/* ---- one component ---- */

static crank_ex entry_of(const work *w, int equation, int unknown)
{
    return crank_ex_derivative(w->in->flat->pool, w->in->equation[equation].ex,
                               w->in->unknown[unknown].symbol);
}

/* how much speaks for x as a state, x' being u */
static int preference(const work *w, int u)
{
    const crank_inline_unknown *x = &w->in->unknown[w->in->unknown[u].previous];
    const crank_flat_variable *v = &w->in->flat->variable[x->variable];
    return (x->kept ? 4 : 0) + (v->fixed ? 2 : 0) + (v->start >= 0 ? 1 : 0);
}

static void sort_columns(const work *w, int count, int *column)
{
    for (int i = 1; i < count; i++) {
        const int u = column[i];
        int k = i;
        for (; k > 0 && preference(w, column[k - 1]) > preference(w, u); k--) {
            column[k] = column[k - 1];
        }
        column[k] = u;
    }
}

/* Columns in the order of preference, each that is independent of those before it is solved
 * for; false: there are not enough. */
static bool choose_now(work *w, const crank_inline_group *g, double *a)
{
    int rank = 0;
    const int n = g->columns;
    for (int c = 0; c < n && rank < g->rows; c++) {
        int best = rank;
        for (int i = rank; i < g->rows; i++) {
            best = fabs(a[i * n + c]) > fabs(a[best * n + c]) ? i : best;
        }
        double largest = 0.0;
        for (int i = 0; i < g->rows; i++) {
            largest = fmax(largest, fabs(a[i * n + c]));
        }
        if (!(fabs(a[best * n + c]) > 1e-12 * largest) || !(largest > 0.0)) {
            continue;
        }
        for (int j = 0; j < n; j++) {
            const double swap = a[best * n + j];
            a[best * n + j] = a[rank * n + j];
            a[rank * n + j] = swap;
        }
        for (int i = rank + 1; i < g->rows; i++) {
            const double factor = a[i * n + c] / a[rank * n + c];
            for (int j = c; j < n; j++) {
                a[i * n + j] -= factor * a[rank * n + j];
            }
            a[i * n + c] = 0.0;
        }
        w->dummy[w->in->unknown[g->unknown[c]].next] = true;
        rank++;
    }
    return rank == g->rows;
}

static crank_status keep_group(work *w, const crank_inline_group *g)
{
    crank_inline *in = w->in;
    crank_inline_group *more = crank_store_grow(&in->flat->store, in->group, in->group_count,
                                                &in->group_capacity, sizeof *in->group);
    if (more == NULL) {
        return no_memory(w->err);
    }
    in->group = more;
    in->group[in->group_count] = *g;
    for (int c = 0; c < g->columns; c++) {
        const crank_inline_unknown *x = &in->unknown[g->unknown[c]];
        w->grouped[x->next] = true;
        in->group[in->group_count].forced += !x->kept;
    }
    const int forced = in->group[in->group_count].forced;
    for (int c = 0; c < forced && forced == g->rows; c++) { /* there is no choice */
        w->dummy[in->unknown[g->unknown[c]].next] = true;
    }
    if (forced == g->rows) {
        for (int c = 0; c < g->columns; c++) {
            w->grouped[in->unknown[g->unknown[c]].next] = false;
        }
        return CRANK_OK;
    }
    if (forced > g->rows) {
        return crank_fail(w->err, CRANK_EREFUSED,
                          "a state would be the derivative of \"%.80s\", which no variable "
                          "stands for",
                          in->flat->variable[in->unknown[g->unknown[0]].variable].name);
    }
    in->group_count++;
    return CRANK_OK;
}

static crank_status treat_component(work *w, const level *l, int root)
{
    crank_inline *in = w->in;
    crank_store *store = &in->flat->store;
    crank_inline_group g = {0};
    for (int r = 0; r < l->row_count; r++) {
        g.rows += root_of(w, l->column_count + r) == root;
    }
    for (int c = 0; c < l->column_count; c++) {
        g.columns += root_of(w, c) == root;
    }
    if (g.rows == 0) {
        return CRANK_OK; /* no constraint: the derivative of a state */
    }
    if (g.columns < g.rows) {
        char place[CRANK_FLAT_PLACE_TEXT];
        return crank_fail(w->err, CRANK_EREFUSED,
                          "constraints of %s and others have too few derivatives",
                          crank_inline_print_place(in, l->row[root - l->column_count], place));
    }
    const size_t rows = (size_t)g.rows, columns = (size_t)g.columns;
    g.equation = crank_store_take(store, rows, sizeof *g.equation);
    g.unknown = crank_store_take(store, columns, sizeof *g.unknown);
    g.entry = crank_store_take(store, rows * columns, sizeof *g.entry);
    double *a = crank_store_take(store, rows * columns, sizeof *a);
    if (store->failed) {
        return no_memory(w->err);
    }
    int count = 0;
    for (int r = 0; r < l->row_count; r++) {
        if (root_of(w, l->column_count + r) == root) {
            g.equation[count++] = l->row[r];
        }
    }
    count = 0;
    for (int c = 0; c < l->column_count; c++) {
        if (root_of(w, c) == root) {
            g.unknown[count++] = l->column[c];
        }
    }
    sort_columns(w, g.columns, g.unknown);
    bool numbers = true;
    for (int r = 0; r < g.rows; r++) {
        for (int c = 0; c < g.columns; c++) {
            const int q = r * g.columns + c;
            g.entry[q] = entry_of(w, g.equation[r], g.unknown[c]);
            numbers = numbers && crank_ex_is_number(in->flat->pool, g.entry[q], &a[q]);
        }
    }
    for (int c = 0; c < g.columns; c++) { /* candidates are x, not x' */
        g.unknown[c] = in->unknown[g.unknown[c]].previous;
    }
    if (g.columns == g.rows) {
        for (int c = 0; c < g.columns; c++) {
            w->dummy[in->unknown[g.unknown[c]].next] = true;
        }
        return CRANK_OK;
    }
    if (numbers) {
        char place[CRANK_FLAT_PLACE_TEXT];
        return choose_now(w, &g, a)
                   ? CRANK_OK
                   : crank_fail(w->err, CRANK_EREFUSED,
                                "constraints of %s and others depend on each other",
                                crank_inline_print_place(in, g.equation[0], place));
    }
    return keep_group(w, &g);
}

/* ---- levels ---- */

static crank_status treat_level(work *w, const level *l)
{
    crank_status status = CRANK_OK;
    memset(w->number, -1, (size_t)w->in->unknown_count * sizeof *w->number);
    for (int c = 0; c < l->column_count; c++) {
        w->number[l->column[c]] = c;
    }
    join_components(w, l);
    for (int i = 0; i < l->column_count + l->row_count && status == CRANK_OK; i++) {
        if (root_of(w, i) == i) {
            status = treat_component(w, l, i);
        }
    }
    return status;
}

/* The level below: constraints that were differentiated once more, and derivatives of what was
 * solved for or may be. */
static void go_down(const work *w, level *l)
{
    const crank_inline *in = w->in;
    int count = 0;
    for (int r = 0; r < l->row_count; r++) {
        const int e = in->equation[l->row[r]].previous;
        if (in->equation[e].previous >= 0) {
            l->row[count++] = e;
        }
    }
    l->row_count = count;
    count = 0;
    for (int c = 0; c < l->column_count; c++) {
        const int u = l->column[c], x = in->unknown[u].previous;
        if ((w->dummy[u] || w->grouped[u]) && in->unknown[x].previous >= 0) {
            l->column[count++] = x;
        }
    }
    l->column_count = count;
}

/* ---- the discretisation ---- */

static crank_status discretise(work *w)
{
    crank_inline *in = w->in;
    crank_pool *p = in->flat->pool;
    for (int u = 0; u < in->unknown_count; u++) {
        crank_inline_unknown *x = &in->unknown[u];
        if (x->next < 0 || w->dummy[x->next]) {
            continue;
        }
        const char *name =
            crank_store_print(&in->flat->store, "old(%s)", crank_ex_symbol_name(p, x->symbol));
        if (name == NULL) {
            return no_memory(w->err);
        }
        x->old = crank_ex_symbol(p, name);
        if (w->grouped[x->next]) {
            continue;
        }
        if (!x->kept) {
            return crank_fail(w->err, CRANK_EREFUSED,
                              "a state would be the derivative of \"%.80s\", which no "
                              "variable stands for",
                              in->flat->variable[x->variable].name);
        }
        const crank_ex rate = in->unknown[x->next].symbol;
        crank_inline_equation *q = crank_inline_add_equation(
            in, CRANK_INLINE_STATE,
            crank_ex_sub(p, x->symbol, crank_ex_add(p, crank_ex_mul(p, in->h, rate), x->old)));
        if (q == NULL) {
            return no_memory(w->err);
        }
        q->unknown = u;
        q->place = in->flat->variable[x->variable].place.line;
        in->state_count++;
    }
    for (int g = 0; g < in->group_count; g++) {
        const crank_inline_group *group = &in->group[g];
        int *column =
            crank_store_take(&in->flat->store, 2 * (size_t)group->columns, sizeof *column);
        for (int c = 0; c < group->columns && column != NULL; c++) {
            column[2 * c] = group->unknown[c];
            column[2 * c + 1] = in->unknown[group->unknown[c]].next;
        }
        for (int i = 0; i < group->columns - group->rows; i++) {
            crank_inline_equation *q = crank_inline_add_equation(in, CRANK_INLINE_CHOICE, -1);
            if (q == NULL || column == NULL) {
                return no_memory(w->err);
            }
            q->unknown = g;
            q->column = column;
            q->column_count = 2 * group->columns;
            in->state_count++;
        }
    }
    return CRANK_OK;
}

crank_status crank_inline_choose_states(crank_inline *in, crank_error *err)
{
    crank_store *store = &in->flat->store;
    const size_t unknowns = (size_t)in->unknown_count, equations = (size_t)in->equation_count;
    work w = {.in = in, .err = err};
    level l = {0};
    w.dummy = crank_store_take(store, unknowns, sizeof *w.dummy);
    w.grouped = crank_store_take(store, unknowns, sizeof *w.grouped);
    w.number = crank_store_take(store, unknowns, sizeof *w.number);
    w.component = crank_store_take(store, unknowns + equations, sizeof *w.component);
    l.row = crank_store_take(store, equations, sizeof *l.row);
    l.column = crank_store_take(store, unknowns, sizeof *l.column);
    if (store->failed) {
        return no_memory(err);
    }
    for (int e = 0; e < in->equation_count; e++) {
        if (in->equation[e].next < 0 && in->equation[e].previous >= 0) {
            l.row[l.row_count++] = e;
        }
    }
    for (int u = 0; u < in->unknown_count; u++) {
        if (in->unknown[u].next < 0 && in->unknown[u].previous >= 0) {
            l.column[l.column_count++] = u;
        }
    }
    crank_status status = CRANK_OK;
    while (l.row_count > 0 && status == CRANK_OK) {
        status = treat_level(&w, &l);
        go_down(&w, &l);
    }
    return status == CRANK_OK ? discretise(&w) : status;
}
