/* rates.c - methods take equations that are linear in derivatives, and events of variables. A
 * derivative that occurs otherwise becomes a variable of its own, theory (11.7):
 *
 *     f(x', ...) = 0     ->     z = x',  f(z, ...) = 0
 *
 * So does one whose factor is chosen by a condition: where it is zero the equation is a constraint,
 * and what is found out about levels at the start must hold behind events, too. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <string.h>

enum { MOST = 1000 }; /* nodes of a factor */

/* does a condition stand among the first `nodes` of ex? */
static bool has_choice(const crank_pool *p, crank_ex ex, int *nodes)
{
    if (crank_ex_get_op(p, ex) == CRANK_EX_IF) {
        return true;
    }
    for (int i = 0; i < 3 && crank_ex_get_operand(p, ex, i) >= 0 && --*nodes > 0; i++) {
        if (has_choice(p, crank_ex_get_operand(p, ex, i), nodes)) {
            return true;
        }
    }
    return false;
}

/* marks derivatives in ex; linear: only those that the others' factors depend on */
static void mark(crank_flat *flat, const int *map, int size, crank_ex ex, bool linear,
                 bool *carried)
{
    crank_pool *p = flat->pool;
    const int count = crank_ex_symbols(p, ex, NULL, 0);
    crank_ex *symbols = crank_store_take(&flat->store, 2 * (size_t)count, sizeof *symbols);
    if (symbols == NULL) {
        return;
    }
    (void)crank_ex_symbols(p, ex, symbols, count);
    for (int k = 0; k < count; k++) {
        const int place = symbols[k] < size ? map[symbols[k]] : -1;
        if (place < 0 || place % 2 == 0) {
            continue;
        }
        const crank_ex factor = crank_ex_derivative(p, ex, symbols[k]);
        int nodes = MOST;
        bool other =
            !linear || crank_ex_is_value(p, factor, 0.0) || has_choice(p, factor, &nodes);
        for (int j = 0; j < count && !other; j++) {
            const int there = symbols[j] < size ? map[symbols[j]] : -1;
            other = there >= 0 && there % 2 == 1 && crank_ex_depends(p, factor, symbols[j]);
        }
        carried[place / 2] = carried[place / 2] || other;
    }
}

/* A variable that has left as x' or -x', as by der(x) = y, is what x' is called in the model: its
 * start value counts. */
static void take_start(crank_flat *flat, crank_ex rate, int made)
{
    for (int j = 0; j < flat->variable_count; j++) {
        const crank_flat_variable *y = &flat->variable[j];
        const bool negative = y->value >= 0 &&
                              crank_ex_get_op(flat->pool, y->value) == CRANK_EX_NEG &&
                              crank_ex_get_operand(flat->pool, y->value, 0) == rate;
        if (y->role == CRANK_FLAT_ELIMINATED && (y->value == rate || negative) &&
            y->start >= 0) {
            flat->variable[made].start =
                negative ? crank_ex_neg(flat->pool, y->start) : y->start;
            flat->variable[made].nominal = y->nominal;
            return;
        }
    }
}

static crank_status carry(crank_flat *flat, const bool *carried, crank_error *err)
{
    const int size = crank_pool_size(flat->pool), count = flat->variable_count;
    crank_ex *by = crank_store_take(&flat->store, (size_t)size, sizeof *by);
    if (by == NULL) {
        return crank_flat_status(flat, err);
    }
    memset(by, -1, (size_t)size * sizeof *by);
    int *made = crank_store_take(&flat->store, (size_t)count, sizeof *made);
    for (int i = 0; i < count && made != NULL; i++) {
        made[i] = -1;
        if (carried[i]) {
            const char *name =
                crank_store_print(&flat->store, "derivative(%s)", flat->variable[i].name);
            made[i] = name != NULL ? crank_flat_add_variable(flat, name) : -1;
            if (made[i] >= 0) {
                take_start(flat, flat->variable[i].rate, made[i]);
                by[flat->variable[i].rate] = flat->variable[made[i]].symbol;
                flat->variable[made[i]].place = flat->variable[i].place;
                flat->variable[made[i]].text = "derivative of a variable, as one of its own";
            }
        }
    }
    crank_flat_substitute(flat, size, by);
    for (int i = 0; i < count && made != NULL; i++) {
        crank_flat_equation *q = made[i] >= 0 ? crank_flat_add_equation(flat, false) : NULL;
        if (q != NULL) {
            q->left = flat->variable[made[i]].symbol;
            q->right = flat->variable[i].rate;
            q->place = flat->variable[i].place;
            q->origin = "derivative";
        }
    }
    return crank_flat_status(flat, err);
}

crank_status crank_flat_carry_rates(crank_flat *flat, crank_error *err)
{
    const int *map = crank_flat_map(flat);
    const int size = crank_pool_size(flat->pool);
    bool *carried =
        crank_store_take(&flat->store, (size_t)flat->variable_count, sizeof *carried);
    bool any = false;
    if (map == NULL || carried == NULL) {
        return crank_flat_status(flat, err);
    }
    for (int i = 0; i < flat->equation_count; i++) {
        const crank_flat_equation *q = &flat->equation[i];
        mark(flat, map, size, crank_ex_sub(flat->pool, q->left, q->right), true, carried);
    }
    for (int i = 0; i < flat->event_count; i++) {
        const crank_flat_event *e = &flat->event[i];
        if (e->when >= 0) {
            mark(flat, map, size, e->when, false, carried);
        }
        if (e->condition >= 0) {
            mark(flat, map, size, e->condition, false, carried);
        }
    }
    for (int i = 0; i < flat->update_count; i++) {
        const crank_flat_update *u = &flat->update[i];
        mark(flat, map, size, u->value, false, carried);
        if (u->condition >= 0) {
            mark(flat, map, size, u->condition, false, carried);
        }
    }
    for (int i = 0; i < flat->variable_count; i++) {
        any = any || carried[i];
    }
    return any ? carry(flat, carried, err) : crank_flat_status(flat, err);
}
