/* index.c - the structural index is reduced [Pan88], theory (13.1): equations that cannot be
 * matched with highest derivatives are differentiated, together with all that alternating paths
 * reach from them, until each equation has a highest derivative of its own. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/inline.h"

#include "base/grow.h"
#include "base/then.h"

#include <string.h>

enum { MOST_ORDER = 20 }; /* differentiations of one equation */

static crank_status no_memory(const crank_inline *in, crank_error *err)
{
    (void)in;
    return crank_fail(err, CRANK_EMEM, "translating equations");
}

/* ---- unknowns ---- */

int crank_inline_unknown_of(const crank_inline *in, crank_ex symbol)
{
    return symbol < in->of_symbol_size ? in->of_symbol[symbol] : -1;
}

static bool note_symbol(crank_inline *in, crank_ex symbol, int unknown)
{
    if (symbol >= in->of_symbol_size) {
        const int size = 2 * crank_pool_size(in->flat->pool) + 64;
        int *more = crank_store_take(&in->flat->store, (size_t)size, sizeof *more);
        if (more == NULL) {
            return false;
        }
        memset(more, -1, (size_t)size * sizeof *more);
        if (in->of_symbol_size > 0) {
            memcpy(more, in->of_symbol, (size_t)in->of_symbol_size * sizeof *more);
        }
        in->of_symbol = more;
        in->of_symbol_size = size;
    }
    in->of_symbol[symbol] = unknown;
    return true;
}

/* -1: out of memory */
static int add_unknown(crank_inline *in, int variable, int previous, crank_ex symbol)
{
    crank_inline_unknown *more =
        crank_store_grow(&in->flat->store, in->unknown, in->unknown_count,
                         &in->unknown_capacity, sizeof *in->unknown);
    const int u = in->unknown_count;
    if (more == NULL || !note_symbol(in, symbol, u)) {
        return -1;
    }
    in->unknown = more;
    in->unknown[u] = (crank_inline_unknown){
        .variable = variable, .symbol = symbol, .previous = previous, .next = -1, .old = -1};
    if (previous >= 0) {
        in->unknown[u].order = in->unknown[previous].order + 1;
        in->unknown[previous].next = u;
    }
    in->unknown_count++;
    return u;
}

/* the derivative of unknown u, made if there is none; -1: out of memory */
static int differentiate_unknown(crank_inline *in, int u)
{
    crank_inline_unknown *x = &in->unknown[u];
    if (x->next >= 0) {
        return x->next;
    }
    crank_flat *flat = in->flat;
    crank_ex symbol = -1;
    if (x->order == 0) {
        symbol = crank_flat_rate(flat, x->variable);
    } else {
        const char *name = crank_store_print(&flat->store, "der%d(%s)", x->order + 1,
                                             flat->variable[x->variable].name);
        symbol = name != NULL ? crank_ex_symbol(flat->pool, name) : -1;
    }
    return symbol >= 0 ? add_unknown(in, x->variable, u, symbol) : -1;
}

/* ---- equations ---- */

crank_inline_equation *crank_inline_add_equation(crank_inline *in, crank_inline_kind kind,
                                                 crank_ex ex)
{
    crank_store *store = &in->flat->store;
    crank_inline_equation *more = crank_store_grow(
        store, in->equation, in->equation_count, &in->equation_capacity, sizeof *in->equation);
    if (more == NULL) {
        return NULL;
    }
    in->equation = more;
    crank_inline_equation *q = &more[in->equation_count];
    *q = (crank_inline_equation){
        .kind = kind, .ex = ex, .next = -1, .previous = -1, .unknown = -1};
    if (ex >= 0) {
        const int count = crank_ex_symbols(in->flat->pool, ex, NULL, 0);
        int *symbols = crank_store_take(store, (size_t)count, sizeof *symbols);
        if (symbols == NULL) {
            return NULL;
        }
        (void)crank_ex_symbols(in->flat->pool, ex, symbols, count);
        q->column = symbols;
        for (int k = 0; k < count; k++) {
            const int u = crank_inline_unknown_of(in, symbols[k]);
            if (u >= 0) {
                q->column[q->column_count++] = u;
            }
        }
    }
    in->equation_count++;
    return q;
}

/* The derivative of equation e by time; -1: out of memory. */
static int differentiate_equation(crank_inline *in, int e)
{
    crank_flat *flat = in->flat;
    const crank_inline_equation q = in->equation[e];
    const size_t count = (size_t)q.column_count + 1;
    crank_ex *symbols = crank_store_take(&flat->store, 2 * count, sizeof *symbols);
    if (symbols == NULL) {
        return -1;
    }
    crank_ex *directions = symbols + count;
    for (int k = 0; k < q.column_count; k++) {
        const int next = differentiate_unknown(in, q.column[k]);
        if (next < 0) {
            return -1;
        }
        symbols[k] = in->unknown[q.column[k]].symbol;
        directions[k] = in->unknown[next].symbol;
    }
    symbols[q.column_count] = flat->t;
    directions[q.column_count] = crank_ex_number(flat->pool, 1.0);
    const crank_ex ex = crank_ex_directional(flat->pool, q.ex, (int)count, symbols, directions);
    crank_inline_equation *derived = crank_inline_add_equation(in, CRANK_INLINE_MODEL, ex);
    if (derived == NULL) {
        return -1;
    }
    derived->order = q.order + 1;
    derived->previous = e;
    derived->place = q.place;
    in->equation[e].next = in->equation_count - 1;
    return in->equation_count - 1;
}

/* ---- matching ---- */

typedef struct matching {
    crank_inline *in;
    int *assign, *seen_unknown, *seen_equation; /* unknowns, unknowns, equations */
    int unknowns, equations;                    /* sizes of these */
    int *stack, *cursor, *by; /* equations: path, next column, unknown taken */
    int stamp;
} matching;

static bool grow_ints(crank_store *store, int **list, int from, int to, int fill)
{
    int *more = crank_store_take(store, (size_t)to, sizeof *more);
    if (more == NULL) {
        return false;
    }
    if (from > 0) {
        memcpy(more, *list, (size_t)from * sizeof *more);
    }
    for (int i = from; i < to; i++) {
        more[i] = fill;
    }
    *list = more;
    return true;
}

/* room for all unknowns and equations there are */
static bool make_room(matching *w)
{
    crank_store *store = &w->in->flat->store;
    bool good = true;
    if (w->in->unknown_count > w->unknowns) {
        const int to = 2 * w->in->unknown_count;
        good = grow_ints(store, &w->assign, w->unknowns, to, -1) &&
               grow_ints(store, &w->seen_unknown, w->unknowns, to, 0);
        w->unknowns = to;
    }
    if (good && w->in->equation_count > w->equations) {
        const int to = 2 * w->in->equation_count;
        good = grow_ints(store, &w->seen_equation, w->equations, to, 0) &&
               grow_ints(store, &w->stack, w->equations, to, 0) &&
               grow_ints(store, &w->cursor, w->equations, to, 0) &&
               grow_ints(store, &w->by, w->equations, to, 0);
        w->equations = to;
    }
    return good;
}

/* a highest derivative in e that nobody has; -1: none */
static int find_free(const matching *w, int e)
{
    const crank_inline_equation *q = &w->in->equation[e];
    for (int k = 0; k < q->column_count; k++) {
        const int u = q->column[k];
        if (w->in->unknown[u].next < 0 && w->assign[u] < 0) {
            return u;
        }
    }
    return -1;
}

static void give_along_path(matching *w, int depth, int u)
{
    for (int i = depth - 1; i >= 0; i--) {
        w->assign[u] = w->stack[i];
        u = w->by[i];
    }
}

/* An alternating path from equation e to a highest derivative that is free. */
static bool augment(matching *w, int e)
{
    int depth = 0;
    w->stamp++;
    w->stack[depth] = e;
    w->cursor[depth] = 0;
    w->by[depth++] = -1;
    w->seen_equation[e] = w->stamp;
    int u = find_free(w, e);
    while (depth > 0 && u < 0) {
        const crank_inline_equation *q = &w->in->equation[w->stack[depth - 1]];
        int *k = &w->cursor[depth - 1];
        int next = -1;
        for (; *k < q->column_count && next < 0; (*k)++) {
            const int j = q->column[*k];
            if (w->in->unknown[j].next < 0 && w->seen_unknown[j] != w->stamp) {
                w->seen_unknown[j] = w->stamp;
                next = j;
            }
        }
        if (next < 0) {
            depth--;
            continue;
        }
        const int other = w->assign[next];
        w->stack[depth] = other;
        w->cursor[depth] = 0;
        w->by[depth++] = next;
        w->seen_equation[other] = w->stamp;
        u = find_free(w, other);
    }
    if (u >= 0) {
        give_along_path(w, depth, u);
    }
    return u >= 0;
}

/* What the search has reached is differentiated. */
static crank_status differentiate_seen(matching *w, crank_error *err)
{
    crank_inline *in = w->in;
    const int unknowns = in->unknown_count, equations = in->equation_count;
    for (int e = 0; e < equations; e++) {
        if (w->seen_equation[e] != w->stamp) {
            continue;
        }
        if (in->equation[e].order >= MOST_ORDER) {
            char place[CRANK_FLAT_PLACE_TEXT];
            return crank_fail(err, CRANK_EREFUSED,
                              "the index is too high: the equation of %s was "
                              "differentiated %d times",
                              crank_inline_print_place(in, e, place), MOST_ORDER);
        }
        if (differentiate_equation(in, e) < 0) {
            return no_memory(in, err);
        }
    }
    if (!make_room(w)) {
        return no_memory(in, err);
    }
    for (int u = 0; u < unknowns; u++) {
        if (w->seen_unknown[u] == w->stamp && in->unknown[u].next >= 0) {
            w->assign[in->unknown[u].next] = in->equation[w->assign[u]].next;
        }
    }
    return CRANK_OK;
}

static crank_status match_equation(matching *w, int e, crank_error *err)
{
    crank_status status = CRANK_OK;
    while (status == CRANK_OK && !augment(w, e)) {
        bool any = false;
        const crank_inline_equation *q = &w->in->equation[e];
        for (int k = 0; k < q->column_count; k++) {
            any = any || w->in->unknown[q->column[k]].next < 0;
        }
        if (!any && q->column_count == 0) {
            char place[CRANK_FLAT_PLACE_TEXT];
            return crank_fail(err, CRANK_EREFUSED, "the equation of %s has no unknown left",
                              crank_inline_print_place(w->in, e, place));
        }
        status = differentiate_seen(w, err);
        e = w->in->equation[e].next;
    }
    return status;
}

static void note_occurring(crank_flat *flat, crank_ex ex, crank_ex *symbols, bool *occurs)
{
    const int room = 2 * flat->variable_count + 1;
    const int count = ex >= 0 ? crank_ex_symbols(flat->pool, ex, symbols, room) : 0;
    for (int k = 0; k < count && k < room; k++) {
        occurs[symbols[k]] = true;
    }
}

/* symbols: which occur in equations, and in what is computed from their solution; NULL: out of
 * memory */
static bool *find_occurring(crank_flat *flat, crank_ex *residual)
{
    for (int i = 0; i < flat->equation_count; i++) {
        residual[i] = crank_ex_sub(flat->pool, flat->equation[i].left, flat->equation[i].right);
    }
    const size_t size = (size_t)crank_pool_size(flat->pool);
    bool *occurs = crank_store_take(&flat->store, size, sizeof *occurs);
    crank_ex *symbols =
        crank_store_take(&flat->store, 2 * (size_t)flat->variable_count + 1, sizeof *symbols);
    if (flat->store.failed) {
        return NULL;
    }
    for (int i = 0; i < flat->equation_count; i++) {
        note_occurring(flat, residual[i], symbols, occurs);
    }
    for (int i = 0; i < flat->variable_count; i++) {
        note_occurring(flat, flat->variable[i].value, symbols, occurs);
    }
    for (int i = 0; i < flat->initial_count; i++) {
        note_occurring(flat, flat->initial[i].left, symbols, occurs);
        note_occurring(flat, flat->initial[i].right, symbols, occurs);
    }
    for (int i = 0; i < flat->event_count; i++) {
        note_occurring(flat, flat->event[i].when, symbols, occurs);
        note_occurring(flat, flat->event[i].condition, symbols, occurs);
    }
    for (int i = 0; i < flat->update_count; i++) {
        note_occurring(flat, flat->update[i].value, symbols, occurs);
        note_occurring(flat, flat->update[i].condition, symbols, occurs);
    }
    return occurs;
}

static crank_status take_unknowns(crank_inline *in, const bool *occurs, crank_error *err)
{
    const crank_flat *flat = in->flat;
    for (int i = 0; i < flat->variable_count; i++) {
        const crank_flat_variable *x = &flat->variable[i];
        if (x->role != CRANK_FLAT_UNKNOWN) {
            continue;
        }
        const bool rate = x->rate >= 0 && occurs[x->rate];
        const int u = add_unknown(in, i, -1, x->symbol);
        if (u < 0 || (rate && add_unknown(in, i, u, x->rate) < 0)) {
            return no_memory(in, err);
        }
        in->unknown[u].kept = rate;
    }
    return CRANK_OK;
}

crank_status crank_inline_reduce_index(crank_inline *in, crank_error *err)
{
    crank_flat *flat = in->flat;
    crank_ex *residual =
        crank_store_take(&flat->store, (size_t)flat->equation_count, sizeof *residual);
    const bool *occurs = residual != NULL ? find_occurring(flat, residual) : NULL;
    crank_status status = occurs != NULL ? take_unknowns(in, occurs, err) : no_memory(in, err);
    if (status != CRANK_OK) {
        return status;
    }
    for (int i = 0; i < flat->equation_count; i++) {
        crank_inline_equation *made =
            crank_inline_add_equation(in, CRANK_INLINE_MODEL, residual[i]);
        if (made == NULL) {
            return no_memory(in, err);
        }
        made->place = flat->equation[i].place.line;
        made->tear = flat->equation[i].tear;
    }
    matching w = {.in = in};
    status = make_room(&w) ? CRANK_OK : no_memory(in, err);
    for (int i = 0; i < flat->equation_count && status == CRANK_OK; i++) {
        status = match_equation(&w, i, err);
    }
    in->model_equations = in->equation_count;
    for (int i = 0; i < in->equation_count; i++) {
        const int index = in->equation[i].order + 1;
        in->index = index > in->index ? index : in->index;
    }
    return status == CRANK_OK ? crank_flat_status(flat, err) : status;
}
