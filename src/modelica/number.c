/* number.c - numbers that are needed while a model is flattened: sizes, ranges, conditions of
 * equations. They come from constants and parameters, which are looked up and evaluated when
 * they are asked for; such parameters are structural. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include "base/grow.h"

#include <math.h>
#include <stdio.h>

/* room for the owner of a symbol */
static bool reach(crank_mo_flattener *f, crank_ex symbol)
{
    while (f->owner_count <= symbol) {
        struct crank_mo_owner *more = crank_store_grow(f->store, f->owner, f->owner_count,
                                                       &f->owner_capacity, sizeof *f->owner);
        if (more == NULL) {
            crank_mo_fail_memory(f);
            return false;
        }
        f->owner = more;
        f->owner[f->owner_count++] = (struct crank_mo_owner){0};
    }
    return true;
}

bool crank_mo_own(crank_mo_flattener *f, crank_ex symbol, crank_mo_instance *i, int entry)
{
    if (!reach(f, symbol)) {
        return false;
    }
    if (f->owner[symbol].instance != NULL && f->owner[symbol].instance != i) {
        (void)crank_mo_fail_at(f, i->place, "the name \"%.80s\" is declared twice", i->name);
        return false;
    }
    f->owner[symbol] = (struct crank_mo_owner){i, entry, false};
    return true;
}

void crank_mo_keep_memory(crank_mo_flattener *f, int variable)
{
    const crank_ex symbol = f->flat->variable[variable].symbol;
    if (reach(f, symbol)) {
        f->owner[symbol] = (struct crank_mo_owner){NULL, variable, true};
    }
}

int crank_mo_memory_of(const crank_mo_flattener *f, crank_ex symbol)
{
    return symbol >= 0 && symbol < f->owner_count && f->owner[symbol].memory
               ? f->owner[symbol].entry
               : -1;
}

crank_mo_instance *crank_mo_owner_of(const crank_mo_flattener *f, crank_ex symbol, int *entry)
{
    const bool known = symbol >= 0 && symbol < f->owner_count;
    *entry = known ? f->owner[symbol].entry : 0;
    return known ? f->owner[symbol].instance : NULL;
}

int crank_mo_variable_of(const crank_mo_flattener *f, crank_ex symbol)
{
    int entry;
    const crank_mo_instance *i = crank_mo_owner_of(f, symbol, &entry);
    return i != NULL && i->first >= 0 && i->variability >= CRANK_MO_DISCRETE ? i->first + entry
                                                                             : -1;
}

/* A parameter whose value depends on one that initial equations find is given by an equation. */
bool crank_mo_follows(crank_mo_flattener *f, crank_mo_instance *i)
{
    crank_mo_value v;
    bool any = false;
    if (i->variability != CRANK_MO_PARAMETER || i->type != CRANK_MO_IS_REAL ||
        i->follow_state != CRANK_MO_NEW || i->symbol == NULL) {
        return i->free || i->follows;
    }
    if (!crank_mo_go_down(f, i->place, "parameters")) {
        return false;
    }
    i->follow_state = CRANK_MO_OPEN;
    const bool given = crank_mo_declared_value(f, i, &v);
    for (int k = 0; given && v.ex != NULL && k < v.count && crank_mo_ok(f); k++) {
        const int count = crank_ex_symbols(f->pool, v.ex[k], NULL, 0);
        crank_ex *symbols = crank_mo_new(f, (size_t)count, sizeof *symbols);
        (void)(symbols != NULL && crank_ex_symbols(f->pool, v.ex[k], symbols, count));
        for (int j = 0; j < count && symbols != NULL && !any; j++) {
            int entry;
            crank_mo_instance *other = crank_mo_owner_of(f, symbols[j], &entry);
            any = other != NULL && crank_mo_follows(f, other);
        }
    }
    f->depth--;
    i->follow_state = CRANK_MO_DONE;
    if (any) {
        i->follows = true;
        i->variability = CRANK_MO_CONTINUOUS;
    }
    return any;
}

bool crank_mo_is_parametric(crank_mo_flattener *f, crank_ex ex)
{
    const int count = crank_ex_symbols(f->pool, ex, NULL, 0);
    crank_ex *symbols = crank_mo_new(f, (size_t)count, sizeof *symbols);
    int entry;
    if (symbols == NULL) {
        return false;
    }
    (void)crank_ex_symbols(f->pool, ex, symbols, count);
    for (int k = 0; k < count; k++) {
        crank_mo_instance *i = crank_mo_owner_of(f, symbols[k], &entry);
        if (i == NULL || i->variability > CRANK_MO_PARAMETER || crank_mo_follows(f, i)) {
            return false;
        }
    }
    return true;
}

/* numbers of all entries of a parameter */
static bool numbers(crank_mo_flattener *f, crank_mo_instance *i)
{
    crank_mo_value v;
    if (i->number_state == CRANK_MO_DONE) {
        return true;
    }
    if (i->number_state == CRANK_MO_OPEN) {
        (void)crank_mo_fail_at(f, i->place, "parameter \"%.80s\" depends on itself", i->name);
        return false;
    }
    i->number_state = CRANK_MO_OPEN;
    i->number = crank_mo_new(f, (size_t)i->count, sizeof *i->number);
    bool fine = i->number != NULL && crank_mo_go_down(f, i->place, "parameters") &&
                crank_mo_declared_value(f, i, &v);
    for (int k = 0; k < i->count && fine; k++) {
        fine = crank_mo_number_of(f, v.ex[k], &i->number[k]);
    }
    f->depth--;
    if (!fine && crank_mo_ok(f)) {
        (void)crank_mo_fail_at(f, i->place, "parameter \"%.80s\" has no value", i->name);
    }
    i->number_state = fine ? CRANK_MO_DONE : CRANK_MO_NEW;
    return fine;
}

bool crank_mo_number_of(crank_mo_flattener *f, crank_ex ex, double *out)
{
    if (!crank_mo_ok(f)) {
        return false;
    }
    if (crank_ex_is_number(f->pool, ex, out)) {
        return true;
    }
    const int count = crank_ex_symbols(f->pool, ex, NULL, 0);
    crank_ex *symbols = crank_mo_new(f, 2 * (size_t)count, sizeof *symbols);
    if (symbols == NULL) {
        return false;
    }
    crank_ex *values = symbols + count;
    (void)crank_ex_symbols(f->pool, ex, symbols, count);
    for (int k = 0; k < count; k++) {
        int entry;
        crank_mo_instance *i = crank_mo_owner_of(f, symbols[k], &entry);
        if (i == NULL || i->variability > CRANK_MO_PARAMETER || !numbers(f, i)) {
            return false;
        }
        i->structural = true;
        values[k] = crank_ex_number(f->pool, i->number[entry]);
    }
    return crank_ex_is_number(f->pool, crank_ex_substitute(f->pool, ex, count, symbols, values),
                              out);
}

bool crank_mo_whole(crank_mo_flattener *f, const crank_mo_value *v, int *out,
                    crank_mo_place place, const char *what)
{
    double number = 0.0;
    char text[80];
    *out = 0;
    if (!crank_mo_ok(f)) {
        return false;
    }
    if (v->rank > 0 || v->ex == NULL || v->type == CRANK_MO_IS_REAL) {
        (void)crank_mo_fail_at(f, place, "%s: %s where an Integer is expected", what,
                               crank_mo_describe(v, text, sizeof text));
        return false;
    }
    if (!crank_mo_number_of(f, v->ex[0], &number)) {
        if (crank_mo_ok(f)) {
            (void)crank_mo_fail_at(f, place,
                                   "%s: it must be known before the run: an expression of "
                                   "constants and parameters",
                                   what);
        }
        return false;
    }
    if (!(fabs(number) < 2e9) || number != floor(number)) {
        (void)crank_mo_fail_at(f, place, "%s: %g is not a whole number", what, number);
        return false;
    }
    *out = (int)number;
    return true;
}

bool crank_mo_convert(crank_mo_flattener *f, crank_mo_value *v, crank_mo_type type,
                      const crank_mo_class *of, crank_mo_place place, const char *what)
{
    char have[80], want[80];
    if (!crank_mo_ok(f)) {
        return false;
    }
    const crank_mo_value wanted = {.type = type, .of = of};
    if (v->type == CRANK_MO_IS_INTEGER && type == CRANK_MO_IS_REAL) {
        v->type = type;
    } else if (v->type != type ||
               (of != NULL && v->of != NULL && v->of != of && type != CRANK_MO_IS_RECORD)) {
        if (v->rank > 0 && v->count == 0) { /* an empty array is of any type */
            v->type = type;
            return true;
        }
        (void)crank_mo_fail_at(f, place, "%s: %s where %s is expected", what,
                               crank_mo_describe(v, have, sizeof have),
                               crank_mo_describe(&wanted, want, sizeof want));
        return false;
    }
    return true;
}
