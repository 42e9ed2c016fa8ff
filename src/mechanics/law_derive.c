/* law_derive.c - from the rows that an element states to all that the equations of motion ask
 * for.
 *
 * Time derivatives follow from the symbols: y -> y', y' -> y'', t -> 1, s -> s', r -> its rate.
 * With n contact variables of an owner
 *     s' = -c_s^-1 (c_y y' + c_t)     by Cramer's rule, n is small                theory (7.16)
 *     gI = g', gII = gI', hI = h',   G_i = dgI/dy'_i,  H_i = dh/dy'_i             theory (7.17)
 * and the effort along primitive i is the sum of those stated less lambda G_i and mu H_i,
 * theory (7.18). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/law_inside.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CONTACTS = 4 }; /* variables of one owner */
static const char pace_name[] = "#pace";

static crank_status fail(const crank_builder *b, crank_owner owner, crank_error *err,
                         const char *text)
{
    const crank_build_label label = crank_build_owner_label(b, owner);
    return crank_fail_node(err, CRANK_EMODEL, label.place, "%s: %s", label.text, text);
}

/* ---- time derivatives ---- */

/* d/dt of a symbol; -1: it stays. pace: of t; frozen: contact variables stay */
static crank_status rate_of(crank_builder *b, crank_owner owner, crank_ex symbol, crank_ex pace,
                            bool frozen, crank_ex *rate, crank_error *err)
{
    const crank_symbol s = crank_build_symbol(b, symbol);
    *rate = -1;
    switch ((int)s.kind) {
    case CRANK_SYMBOL_TIME:
        *rate = pace;
        return CRANK_OK;
    case CRANK_SYMBOL_VALUE:
        *rate = crank_build_rate(b, s.index);
        return CRANK_OK;
    case CRANK_SYMBOL_RATE:
        *rate = crank_build_acceleration(b, s.index);
        return CRANK_OK;
    case CRANK_SYMBOL_S:
        return frozen ? CRANK_OK : crank_build_contact_rate(b, s.index, rate, err);
    case CRANK_SYMBOL_R:
        *rate = b->dynamic.item[s.index].equation;
        return *rate >= 0
                   ? CRANK_OK
                   : fail(b, owner, err, "the rate of a variable is needed before it is known");
    case CRANK_SYMBOL_MEMORY:
        return CRANK_OK;
    default:
        return fail(b, owner, err,
                    "an expression must be differentiated by time that contains an "
                    "acceleration, an auxiliary variable or a constraint force");
    }
}

static crank_status differentiate(crank_builder *b, crank_owner owner, crank_ex e,
                                  crank_ex pace, bool frozen, crank_ex *out, crank_error *err)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, e, &count);
    crank_ex *rate = malloc(((size_t)count + 1) * sizeof *rate);
    if (symbol == NULL || rate == NULL) {
        free(symbol);
        free(rate);
        b->failed = true;
        return crank_build_memory(b, err);
    }
    crank_status status = crank_build_memory(b, err);
    int moving = 0;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        crank_ex direction = -1;
        status = rate_of(b, owner, symbol[i], pace, frozen, &direction, err);
        if (direction >= 0) {
            symbol[moving] = symbol[i];
            rate[moving++] = direction;
        }
    }
    if (status == CRANK_OK) {
        *out = crank_ex_directional(b->pool, e, moving, symbol, rate);
        status = crank_build_memory(b, err);
    }
    free(symbol);
    free(rate);
    return status;
}

crank_status crank_build_differentiate(crank_builder *b, crank_owner owner, crank_ex e,
                                       crank_ex *out, crank_error *err)
{
    return differentiate(b, owner, e, crank_ex_number(b->pool, 1.0), false, out, err);
}

/* pace: the rate of t */
static crank_ex derive(crank_builder *b, crank_ex e, crank_ex pace)
{
    crank_build_inside *inside = b->inside;
    crank_error err = {0};
    crank_ex rate = crank_ex_number(b->pool, 0.0);
    const crank_owner nobody = {CRANK_OWNER_EQUATION, b->equation_count};
    const crank_status status = differentiate(b, inside->depth > 0 ? inside->current : nobody,
                                              e, pace, false, &rate, &err);
    if (status != CRANK_OK && inside->status == CRANK_OK) {
        inside->status = status;
        inside->error = err;
    }
    return rate;
}

crank_ex crank_build_time_derivative(crank_builder *b, crank_ex e)
{
    return derive(b, e, crank_ex_number(b->pool, 1.0));
}

crank_ex crank_build_standing_derivative(crank_builder *b, crank_ex e)
{
    if (!crank_ex_depends(b->pool, e, b->mechanism->t)) {
        return crank_build_time_derivative(b, e);
    }
    if (b->pace < 0) {
        b->pace = b->memory.count;
        (void)CRANK_BUILD_PUSH(b, b->memory, 1.0);
        crank_build_set_symbol(b, crank_ex_symbol(b->pool, pace_name), CRANK_SYMBOL_MEMORY,
                               b->pace);
    }
    return derive(b, e, crank_ex_symbol(b->pool, pace_name));
}

/* ---- contact variables ---- */

/* determinant by expansion along the first row; used: columns that are struck out */
static crank_ex determinant(crank_pool *pool, int n, crank_ex a[][MOST_CONTACTS], int row,
                            unsigned used)
{
    if (row == n) {
        return crank_ex_number(pool, 1.0);
    }
    crank_ex sum = crank_ex_number(pool, 0.0);
    bool minus = false;
    for (int j = 0; j < n; j++) {
        if ((used & (1u << j)) != 0) {
            continue;
        }
        const crank_ex minor = determinant(pool, n, a, row + 1, used | 1u << j);
        const crank_ex term = crank_ex_mul(pool, a[row][j], minor);
        sum = minus ? crank_ex_sub(pool, sum, term) : crank_ex_add(pool, sum, term);
        minus = !minus;
    }
    return sum;
}

/* s' of all variables of one owner */
static crank_status solve_contacts(crank_builder *b, crank_owner owner, int n, const int *item,
                                   crank_error *err)
{
    crank_ex c_s[MOST_CONTACTS][MOST_CONTACTS];
    crank_ex rest[MOST_CONTACTS];
    crank_status status = CRANK_OK;
    for (int i = 0; i < n && status == CRANK_OK; i++) {
        const crank_ex c = b->contact.item[item[i]].equation;
        if (c < 0) {
            return fail(b, owner, err, "fewer contact equations than contact variables");
        }
        for (int j = 0; j < n; j++) {
            c_s[i][j] = crank_ex_derivative(b->pool, c, b->contact.item[item[j]].symbol);
        }
        status = differentiate(b, owner, c, crank_ex_number(b->pool, 1.0), true, &rest[i], err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const crank_ex whole = determinant(b->pool, n, c_s, 0, 0);
    if (crank_ex_is_value(b->pool, whole, 0.0)) {
        return fail(b, owner, err, "the contact equations do not determine the contact point");
    }
    for (int j = 0; j < n; j++) {
        crank_ex replaced[MOST_CONTACTS][MOST_CONTACTS];
        memcpy(replaced, c_s, sizeof replaced);
        for (int i = 0; i < n; i++) {
            replaced[i][j] = rest[i];
        }
        const crank_ex part = determinant(b->pool, n, replaced, 0, 0);
        b->inside->contact_rate.item[item[j]] =
            crank_ex_neg(b->pool, crank_ex_div(b->pool, part, whole));
    }
    return crank_build_memory(b, err);
}

crank_status crank_build_contact_rate(crank_builder *b, int contact, crank_ex *out,
                                      crank_error *err)
{
    *out = b->inside->contact_rate.item[contact];
    if (*out >= 0) {
        return CRANK_OK;
    }
    const crank_owner owner = b->contact.item[contact].owner;
    int item[MOST_CONTACTS];
    int n = 0;
    int first = contact; /* variables of an owner are neighbours */
    while (first > 0 && crank_owner_same(b->contact.item[first - 1].owner, owner)) {
        first--;
    }
    for (int i = first;
         i < b->contact.count && crank_owner_same(b->contact.item[i].owner, owner); i++) {
        if (n == MOST_CONTACTS) {
            return fail(b, owner, err, "more than four contact variables");
        }
        item[n++] = i;
    }
    const crank_status status = solve_contacts(b, owner, n, item, err);
    *out = b->inside->contact_rate.item[contact];
    return status;
}

/* ---- the rows of an owner ---- */

typedef struct derivation {
    crank_builder *b;
    crank_owner owner;
    crank_law_rows *rows;
    CRANK_LIST(crank_law_output) effort; /* not merged yet */
} derivation;

static void add_row(derivation *d, crank_row_group group, int index, crank_ex ex)
{
    (void)CRANK_BUILD_PUSH(d->b, d->rows->output,
                           (crank_law_output){.group = group, .index = index, .ex = ex});
}

/* efforts -multiplier dh/dy'_i, for h = gI or h; also kept apart as reactions */
static crank_status add_multiplier(derivation *d, crank_ex h, crank_ex multiplier,
                                   crank_error *err)
{
    crank_builder *b = d->b;
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, h, &count);
    for (int i = 0; i < count; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        if (s.kind != CRANK_SYMBOL_RATE) {
            continue;
        }
        const crank_ex part = crank_ex_derivative(b->pool, h, symbol[i]);
        const crank_law_output effort = {
            .group = CRANK_ROW_GROUPS,
            .index = s.index,
            .ex = crank_ex_neg(b->pool, crank_ex_mul(b->pool, multiplier, part))};
        (void)CRANK_BUILD_PUSH(b, d->effort, effort);
        (void)CRANK_BUILD_PUSH(b, d->rows->reaction, effort);
    }
    free(symbol);
    return crank_build_memory(b, err);
}

static crank_status derive_constraints(derivation *d, crank_error *err)
{
    crank_builder *b = d->b;
    int count = 0;
    crank_status status = CRANK_OK;
    const int *item = crank_build_owned(b, CRANK_OWNED_HOLONOMIC, d->owner, &count);
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const crank_constraint *g = &b->holonomic.item[item[i]];
        const crank_ex multiplier = g->multiplier;
        crank_ex first = -1;
        crank_ex second = -1;
        add_row(d, CRANK_ROW_G, item[i], g->ex);
        status = crank_build_differentiate(b, d->owner, g->ex, &first, err);
        CRANK_THEN(status, crank_build_differentiate(b, d->owner, first, &second, err));
        if (status == CRANK_OK) {
            add_row(d, CRANK_ROW_GI, item[i], first);
            add_row(d, CRANK_ROW_GII, item[i], second);
            status = add_multiplier(d, first, multiplier, err);
        }
    }
    item = crank_build_owned(b, CRANK_OWNED_NONHOLONOMIC, d->owner, &count);
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const crank_constraint *h = &b->nonholonomic.item[item[i]];
        const crank_ex ex = h->ex;
        const crank_ex multiplier = h->multiplier;
        crank_ex rate = -1;
        add_row(d, CRANK_ROW_H, item[i], ex);
        status = crank_build_differentiate(b, d->owner, ex, &rate, err);
        if (status == CRANK_OK) {
            add_row(d, CRANK_ROW_HI, item[i], rate);
            status = add_multiplier(d, ex, multiplier, err);
        }
    }
    return status;
}

static crank_status state_variables(derivation *d, crank_error *err)
{
    crank_builder *b = d->b;
    static const struct {
        int list;
        crank_row_group group;
    } kind[3] = {{CRANK_OWNED_DYNAMIC, CRANK_ROW_B},
                 {CRANK_OWNED_AUXILIARY, CRANK_ROW_D},
                 {CRANK_OWNED_CONTACT, CRANK_ROW_C}};
    for (int k = 0; k < 3; k++) {
        int count = 0;
        const int *item = crank_build_owned(b, kind[k].list, d->owner, &count);
        for (int i = 0; i < count; i++) {
            const crank_unknown *unknown = k == 0   ? &b->dynamic.item[item[i]]
                                           : k == 1 ? &b->auxiliary.item[item[i]]
                                                    : &b->contact.item[item[i]];
            if (unknown->equation < 0) {
                return fail(b, d->owner, err, "a variable has no equation");
            }
            add_row(d, kind[k].group, item[i], unknown->equation);
        }
    }
    return crank_build_memory(b, err);
}

static int compare_index(const void *a, const void *b)
{
    const crank_law_output *x = a;
    const crank_law_output *y = b;
    return x->index != y->index ? (x->index > y->index) - (x->index < y->index)
                                : (x->ex > y->ex) - (x->ex < y->ex);
}

/* one entry for each primitive; returns their number */
static int merge(crank_builder *b, crank_law_output *item, int count)
{
    int merged = 0;
    if (count > 0) {
        qsort(item, (size_t)count, sizeof *item, compare_index);
    }
    for (int i = 0; i < count; i++) {
        if (merged > 0 && item[merged - 1].index == item[i].index) {
            item[merged - 1].ex = crank_ex_add(b->pool, item[merged - 1].ex, item[i].ex);
        } else {
            item[merged++] = item[i];
        }
    }
    return merged;
}

/* efforts behind the rows; those along the same primitive become one */
static void join_efforts(derivation *d)
{
    crank_law_rows *rows = d->rows;
    rows->efforts = rows->output.count;
    d->effort.count = merge(d->b, d->effort.item, d->effort.count);
    rows->reaction.count = merge(d->b, rows->reaction.item, rows->reaction.count);
    for (int i = 0; i < d->effort.count && d->effort.item != NULL; i++) {
        (void)CRANK_BUILD_PUSH(d->b, rows->output, d->effort.item[i]);
    }
}

crank_status crank_law_derive(crank_builder *b, crank_owner owner, crank_law_rows *rows,
                              crank_error *err)
{
    *rows = (crank_law_rows){0};
    derivation d = {.b = b, .owner = owner, .rows = rows};
    if (!crank_build_own(b)) {
        return crank_build_memory(b, err);
    }
    int count = 0;
    const int *item = crank_build_owned(b, CRANK_OWNED_EFFORT, owner, &count);
    for (int i = 0; i < count; i++) {
        (void)CRANK_BUILD_PUSH(b, d.effort,
                               (crank_law_output){.group = CRANK_ROW_GROUPS,
                                                  .index = b->effort.item[item[i]].primitive,
                                                  .ex = b->effort.item[item[i]].ex});
    }
    crank_status status = derive_constraints(&d, err);
    CRANK_THEN(status, state_variables(&d, err));
    if (status == CRANK_OK) {
        join_efforts(&d);
        status = crank_build_memory(b, err);
    }
    free(d.effort.item);
    if (status != CRANK_OK) {
        crank_law_rows_free(rows);
    }
    return status;
}

void crank_law_rows_free(crank_law_rows *rows)
{
    free(rows->output.item);
    free(rows->reaction.item);
    *rows = (crank_law_rows){0};
}
