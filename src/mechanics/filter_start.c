/* filter_start.c - filters begin at rest: z' = (y - z)/T starts with z = y, be it that y is an
 * error which only the search for the start tells.
 *
 * While that is looked for what a filter passes on counts times a number in memory that is 0,
 * so that the rest is the one of the machine whose filters have settled, wherever conditions
 * move it; then z is put to y there, and the number is 1. A filter that a condition of the file
 * reads begins where that says.
 *
 * The integral of a controller behind a lag, F' = (u(integral) - F)/lag, is in no equation of the
 * start, either: what conditions find for F would fade at once. So it begins where u = F if they
 * have moved F, and where the file says if they have not. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "mechanics/build_inside.h"
#include "mechanics/known_start.h"
#include "mechanics/law.h"

#include <math.h>
#include <stdlib.h>

crank_ex crank_build_filter(crank_builder *b, crank_ex z, crank_ex y)
{
    const char *name = crank_store_print(b->store, "#filter %d", b->memory.count);
    const crank_filter filter = {.z = z, .y = y, .moved = -1, .memory = b->memory.count};
    if (name == NULL) {
        b->failed = true;
        return crank_ex_number(b->pool, 1.0);
    }
    const crank_ex symbol = crank_ex_symbol(b->pool, name); /* no user's name has a # */
    crank_build_set_symbol(b, symbol, CRANK_SYMBOL_MEMORY, b->memory.count);
    (void)CRANK_BUILD_PUSH(b, b->memory, 1.0);
    (void)CRANK_BUILD_PUSH(b, b->filter, filter);
    return symbol;
}

void crank_build_balance(crank_builder *b, crank_ex z, crank_ex y, crank_ex moved)
{
    (void)CRANK_BUILD_PUSH(b, b->filter,
                           (crank_filter){.z = z, .y = y, .moved = moved, .memory = -1});
}

static bool is_given(const crank_builder *b, crank_ex z)
{
    bool given = false;
    for (int i = 0; i < b->condition.count && !given; i++) {
        given = crank_ex_depends(b->pool, b->condition.item[i].ex, z);
    }
    return given;
}

/* Is it in equations that have held since the start was found? */
static bool is_read(const crank_eom *eom, int column)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    bool read = false;
    for (int q = J->start[column]; q < J->start[column + 1]; q++) {
        read = read || J->row[q] < eom->row[CRANK_ROW_B];
    }
    return read;
}

crank_status crank_system_take_filters(crank_system *s, crank_builder *b, crank_error *err)
{
    const size_t count = (size_t)b->filter.count;
    const int first = s->eom->column[CRANK_R];
    crank_ex *ex = crank_store_take(b->store, count, sizeof *ex);
    s->filter_memory = crank_store_take(&s->store, count, sizeof *s->filter_memory);
    s->filter_column = crank_store_take(&s->store, count, sizeof *s->filter_column);
    s->filter_moved = crank_store_take(&s->store, count, sizeof *s->filter_moved);
    s->filter_value = crank_store_take(&s->store, 2 * count, sizeof *s->filter_value);
    if (b->store->failed || s->store.failed) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    for (size_t i = 0; i < count && !b->coordinates->assembled; i++) {
        const crank_filter *f = &b->filter.item[i];
        if (!is_given(b, f->z)) {
            s->filter_memory[s->filter_count] = f->memory;
            s->filter_column[s->filter_count] = first + crank_build_symbol(b, f->z).index;
            s->filter_moved[s->filter_count] =
                f->moved >= 0 ? first + crank_build_symbol(b, f->moved).index : -1;
            ex[s->filter_count++] = f->y;
        }
    }
    return s->filter_count > 0
               ? crank_expressions_create(b, s->filter_count, ex, &s->filtered, err)
               : CRANK_OK;
}

static void set_factors(crank_system *s, double factor)
{
    for (int i = 0; i < s->filter_count; i++) {
        if (s->filter_memory[i] >= 0) {
            s->memory[s->filter_memory[i]] = factor;
        }
    }
}

void crank_system_hold_filters(crank_system *s, const double *x)
{
    set_factors(s, 0.0);
    for (int i = 0; i < s->filter_count; i++) {
        const int moved = s->filter_moved[i];
        s->filter_value[s->filter_count + i] = moved >= 0 ? x[moved] : 0.0;
    }
}

void crank_system_release_filters(crank_system *s)
{
    set_factors(s, 1.0);
}

/* Those that always do (balance: where something has moved) begin at what they follow at x. */
static void begin(crank_system *s, double t, double *x, bool balance)
{
    crank_expressions_evaluate(s->filtered, s, t, x, s->filter_value);
    for (int i = 0; i < s->filter_count; i++) {
        const int moved = s->filter_moved[i], column = s->filter_column[i];
        const bool its = moved < 0
                             ? !balance
                             : balance && x[moved] != s->filter_value[s->filter_count + i] &&
                                   !is_read(s->eom, column);
        if (its && isfinite(s->filter_value[i])) {
            x[column] = s->filter_value[i];
        }
    }
}

void crank_system_begin_filters(crank_system *s, double t, double *x)
{
    if (s->filter_count == 0) {
        return;
    }
    crank_system_point(s, t, x);
    begin(s, t, x, false);
    for (int i = 0; i < s->filter_count; i++) { /* commands may read those of others */
        begin(s, t, x, true);
    }
}
