/* call.c - calls in expressions: functions of the model, records, and the operators and
 * functions of the language (Modelica 3.6, 3.7). Those that are not supported are refused by
 * their name. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

/* functions of one number */
static const struct {
    const char *name;
    crank_ex_op op;
} functions[] = {
    {"sin", CRANK_EX_SIN},     {"cos", CRANK_EX_COS},   {"tan", CRANK_EX_TAN},
    {"asin", CRANK_EX_ASIN},   {"acos", CRANK_EX_ACOS}, {"atan", CRANK_EX_ATAN},
    {"sinh", CRANK_EX_SINH},   {"cosh", CRANK_EX_COSH}, {"tanh", CRANK_EX_TANH},
    {"exp", CRANK_EX_EXP},     {"log", CRANK_EX_LOG},   {"log10", CRANK_EX_LOG10},
    {"sqrt", CRANK_EX_SQRT},   {"abs", CRANK_EX_ABS},   {"sign", CRANK_EX_SIGN},
    {"floor", CRANK_EX_FLOOR}, {"ceil", CRANK_EX_CEIL}, {"integer", CRANK_EX_FLOOR}};

static const char *const refused[] = {"delay",       "spatialDistribution",
                                      "inStream",    "actualStream",
                                      "cardinality", "Clock",
                                      "previous",    "hold",
                                      "subSample",   "superSample",
                                      "shiftSample", "backSample",
                                      "noClock",     "interval",
                                      "firstTick",   "getInstanceName",
                                      "rooted",      "promote",
                                      "terminate",   "reinit",
                                      "assert"};

static void fail_arguments(crank_mo_flattener *f, const char *name, int expected,
                           crank_mo_place place)
{
    (void)crank_mo_fail_at(f, place, "%s: %d argument%s expected", name, expected,
                           expected == 1 ? " is" : "s are");
}

/* ---- derivatives ---- */

crank_ex crank_mo_derivative(crank_mo_flattener *f, crank_ex ex, crank_mo_place place)
{
    const int found = crank_ex_symbols(f->pool, ex, NULL, 0);
    crank_ex *symbols = crank_mo_new(f, 2 * (size_t)found, sizeof *symbols);
    int count = 0;
    if (symbols == NULL) {
        return ex;
    }
    crank_ex *directions = symbols + found;
    (void)crank_ex_symbols(f->pool, ex, symbols, found);
    for (int k = 0; k < found; k++) {
        const crank_ex symbol = symbols[k];
        int entry;
        const crank_mo_instance *owner = crank_mo_owner_of(f, symbol, &entry);
        const int variable = crank_mo_variable_of(f, symbol);
        if (symbol == f->flat->t) {
            symbols[count] = symbol;
            directions[count++] = crank_ex_number(f->pool, 1.0);
        } else if (variable >= 0 && f->flat->variable[variable].type == CRANK_FLAT_REAL) {
            symbols[count] = symbol;
            directions[count++] = crank_flat_rate(f->flat, variable);
        } else if (owner == NULL && crank_mo_memory_of(f, symbol) < 0) {
            (void)crank_mo_fail_at(f, place, "der(%.80s): not a variable of type Real",
                                   crank_ex_symbol_name(f->pool, symbol));
            return ex;
        } /* else: constant between events */
    }
    return crank_ex_directional(f->pool, ex, count, symbols, directions);
}

static crank_mo_value derivatives(crank_mo_flattener *f, crank_mo_value v, crank_mo_place place)
{
    if (v.type > CRANK_MO_IS_INTEGER) {
        (void)crank_mo_fail_at(f, place, "der() of something that is not Real");
        return v;
    }
    crank_mo_value out = v;
    out.type = CRANK_MO_IS_REAL;
    if (crank_mo_value_take(f, &out, place)) {
        for (int k = 0; k < v.count && crank_mo_ok(f); k++) {
            out.ex[k] = crank_mo_derivative(f, v.ex[k], place);
        }
    }
    return out;
}

/* ---- functions of numbers ---- */

static bool call_number(crank_mo_flattener *f, const char *name, int count,
                        const crank_mo_value *argument, crank_mo_place place,
                        crank_mo_value *out)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) != 0) {
            continue;
        }
        const crank_ex_op op = functions[i].op;
        if (count != 1 || argument[0].type > CRANK_MO_IS_INTEGER) {
            (void)crank_mo_fail_at(f, place, "%s: one number is expected", name);
            return true;
        }
        *out = argument[0];
        if (strcmp(name, "integer") == 0) {
            out->type = CRANK_MO_IS_INTEGER;
        } else if (op != CRANK_EX_ABS && op != CRANK_EX_SIGN) {
            out->type = CRANK_MO_IS_REAL;
        }
        if (crank_mo_value_take(f, out, place)) {
            for (int k = 0; k < out->count; k++) {
                const crank_ex u = argument[0].ex[k];
                out->ex[k] = op == CRANK_EX_FLOOR  ? crank_mo_floor(f, u, place)
                             : op == CRANK_EX_CEIL ? crank_mo_ceil(f, u, place)
                                                   : crank_ex_call(f->pool, op, u, 0, 0);
            }
        }
        return true;
    }
    return false;
}

/* atan2, div, mod, rem: of two scalars */
static bool call_two(crank_mo_flattener *f, const char *name, int count,
                     const crank_mo_value *argument, crank_mo_place place, crank_mo_value *out)
{
    static const char *const names[] = {"atan2", "div", "mod", "rem"};
    int which = -1;
    for (int i = 0; i < 4; i++) {
        which = strcmp(names[i], name) == 0 ? i : which;
    }
    if (which < 0) {
        return false;
    }
    if (count != 2 || argument[0].rank > 0 || argument[1].rank > 0 ||
        argument[0].type > CRANK_MO_IS_INTEGER || argument[1].type > CRANK_MO_IS_INTEGER) {
        (void)crank_mo_fail_at(f, place, "%s: two numbers are expected", name);
        return true;
    }
    crank_pool *p = f->pool;
    const crank_ex x = argument[0].ex[0], y = argument[1].ex[0];
    const crank_ex ratio = crank_ex_div(p, x, y);
    crank_ex result = 0;
    if (which == 0) {
        result = crank_ex_call(p, CRANK_EX_ATAN2, x, y, 0);
    } else {
        crank_ex whole = crank_mo_floor(f, ratio, place);
        if (which != 2) { /* towards zero */
            const crank_ex negative =
                crank_ex_call(p, CRANK_EX_LT, ratio, crank_ex_number(p, 0.0), 0);
            whole =
                crank_ex_call(p, CRANK_EX_IF, negative, crank_mo_ceil(f, ratio, place), whole);
        }
        result = which == 1 ? whole : crank_ex_sub(p, x, crank_ex_mul(p, whole, y));
    }
    *out = crank_mo_scalar(f,
                           which > 0 && argument[0].type == CRANK_MO_IS_INTEGER &&
                                   argument[1].type == CRANK_MO_IS_INTEGER
                               ? CRANK_MO_IS_INTEGER
                               : CRANK_MO_IS_REAL,
                           result);
    return true;
}

/* semiLinear(x, k, n): k x where x >= 0, else n x; where x = 0 all are zero, so that it has a
 * kink and no jump. */
static bool semi_linear(crank_mo_flattener *f, const char *name, int count,
                        const crank_mo_value *a, crank_mo_place place, crank_mo_value *out)
{
    if (strcmp(name, "semiLinear") != 0) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        count = a[i].rank > 0 || a[i].type > CRANK_MO_IS_INTEGER ? 0 : count;
    }
    if (count != 3) {
        (void)crank_mo_fail_at(f, place, "semiLinear: three numbers are expected");
        return true;
    }
    const crank_mo_value zero = crank_mo_number_value(f, CRANK_MO_IS_REAL, 0.0);
    const crank_mo_value c = crank_mo_operate(f, ">=", a[0], zero, place),
                         up = crank_mo_operate(f, "*", a[0], a[1], place),
                         down = crank_mo_operate(f, "*", a[0], a[2], place);
    *out = crank_mo_ok(f) ? crank_mo_choose(f, c.ex[0], &up, &down, place) : zero;
    return true;
}

/* ---- operators that look like functions ---- */

/* smooth(p, e), noEvent(e): relations in e make no events */
static crank_mo_value without_events(crank_mo_flattener *f, const crank_mo_scope *scope,
                                     const crank_mo_expression *e)
{
    const bool before = f->no_event;
    f->no_event = true;
    const crank_mo_value v = crank_mo_translate(f, scope, e);
    f->no_event = before;
    return v;
}

static const crank_mo_expression *argument_named(const crank_mo_expression *e, int position,
                                                 const char *name)
{
    for (int i = 0; i < e->count; i++) {
        if (e->name[i] != NULL ? strcmp(e->name[i], name) == 0 : i == position) {
            return e->item[i];
        }
    }
    return NULL;
}

/* pre(x) of the variable, also where an algorithm has given it another value by now */
static crank_mo_value before(crank_mo_flattener *f, const crank_mo_scope *scope,
                             const crank_mo_expression *e)
{
    crank_mo_scope outside = {scope->instance, scope->lexical, NULL, scope->around};
    crank_mo_local **end = &outside.local;
    for (const crank_mo_local *l = scope->local; l != NULL && crank_mo_ok(f); l = l->next) {
        crank_mo_local *copy = l->variable ? NULL : crank_mo_new(f, 1, sizeof *copy);
        if (copy != NULL) {
            *copy = *l;
            copy->next = NULL;
            *end = copy;
            end = &copy->next;
        }
    }
    const crank_mo_value v = crank_mo_translate(f, &outside, e->item[0]);
    return crank_mo_ok(f) ? crank_mo_before_event(f, &v, e->place) : v;
}

/* edge(b): b and not pre(b); change(x): x <> pre(x) */
static crank_mo_value changed(crank_mo_flattener *f, const crank_mo_scope *scope,
                              const char *name, const crank_mo_expression *e)
{
    const crank_mo_value v = crank_mo_translate(f, scope, e->item[0]);
    const bool edge = name[0] == 'e';
    if (crank_mo_ok(f) &&
        (v.rank > 0 || v.ex == NULL || (edge && v.type != CRANK_MO_IS_BOOLEAN))) {
        (void)crank_mo_fail_at(f, e->place, "%s: a %s is expected", name,
                               edge ? "Boolean variable" : "variable");
    }
    if (!crank_mo_ok(f)) {
        return v;
    }
    const crank_mo_value old = before(f, scope, e);
    if (!crank_mo_ok(f)) {
        return v;
    }
    crank_mo_value out = crank_mo_operate(f, "<>", v, old, e->place);
    if (edge) {
        out.ex[0] = crank_ex_call(f->pool, CRANK_EX_AND, v.ex[0],
                                  crank_ex_call(f->pool, CRANK_EX_NOT, old.ex[0], 0, 0), 0);
    }
    return out;
}

static bool call_operator(crank_mo_flattener *f, const crank_mo_scope *scope, const char *name,
                          const crank_mo_expression *e, crank_mo_value *out)
{
    const bool one = strcmp(name, "der") == 0 || strcmp(name, "noEvent") == 0 ||
                     strcmp(name, "pre") == 0 || strcmp(name, "edge") == 0 ||
                     strcmp(name, "change") == 0;
    if (one && e->count != 1) {
        fail_arguments(f, name, 1, e->place);
        return true;
    }
    static const char *const no_function[] = {"der",     "pre",      "edge",  "change",
                                              "initial", "terminal", "sample"};
    for (size_t i = 0; i < sizeof no_function / sizeof *no_function; i++) {
        if (strcmp(no_function[i], name) == 0 && crank_mo_in_function(scope)) {
            (void)crank_mo_fail_at(f, e->place, "%s() in a function", name);
            return true;
        }
    }
    if (strcmp(name, "der") == 0) {
        *out = derivatives(f, crank_mo_translate(f, scope, e->item[0]), e->place);
    } else if (strcmp(name, "noEvent") == 0) {
        *out = without_events(f, scope, e->item[0]);
    } else if (strcmp(name, "pre") == 0) {
        *out = before(f, scope, e);
    } else if (strcmp(name, "edge") == 0 || strcmp(name, "change") == 0) {
        *out = changed(f, scope, name, e);
    } else if (strcmp(name, "initial") == 0 || strcmp(name, "terminal") == 0) {
        if (e->count != 0) {
            fail_arguments(f, name, 0, e->place);
            return true;
        }
        *out = crank_mo_scalar(f, CRANK_MO_IS_BOOLEAN,
                               name[0] == 'i' ? crank_mo_at_start(f, e->place)
                                              : crank_mo_at_end(f, e->place));
    } else if (strcmp(name, "sample") == 0) {
        *out = crank_mo_scalar(f, CRANK_MO_IS_BOOLEAN, crank_mo_sample(f, scope, e));
    } else if (strcmp(name, "smooth") == 0) {
        if (e->count != 2) {
            fail_arguments(f, name, 2, e->place);
            return true;
        }
        *out = without_events(f, scope, e->item[1]);
    } else if (strcmp(name, "homotopy") == 0) {
        const crank_mo_expression *actual = argument_named(e, 0, "actual");
        if (e->count != 2 || actual == NULL) {
            fail_arguments(f, name, 2, e->place);
            return true;
        }
        *out = crank_mo_translate(f, scope, actual);
    } else {
        return false;
    }
    return true;
}

/* ---- calls ---- */

/* sum(e for i in ...): is it one? */
static bool is_reduction(const crank_mo_expression *e)
{
    static const char *const names[] = {"sum", "product", "min", "max"};
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        is = is || strcmp(names[i], e->reference->name[0]) == 0;
    }
    return is && e->count == 1 && e->item[0]->kind == CRANK_MO_EACH && e->item[0]->text != NULL;
}

static crank_mo_value call_builtin(crank_mo_flattener *f, const crank_mo_scope *scope,
                                   const crank_mo_expression *e)
{
    const char *name = e->reference->name[0];
    crank_mo_value v = {0};
    if (is_reduction(e)) {
        v = crank_mo_translate(f, scope, e->item[0]);
        return crank_mo_ok(f) ? crank_mo_reduce(f, name, v, e->item[0]->count - 1, e->place)
                              : v;
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (strcmp(refused[i], name) == 0) {
            (void)crank_mo_fail_at(f, e->place, "%s() in an expression: not supported", name);
            return v;
        }
    }
    if (call_operator(f, scope, name, e, &v) || crank_mo_tear(f, scope, name, e, &v)) {
        return v;
    }
    crank_mo_value *argument = crank_mo_new(f, (size_t)e->count, sizeof *argument);
    for (int i = 0; i < e->count && crank_mo_ok(f); i++) {
        if (e->name[i] != NULL) {
            (void)crank_mo_fail_at(f, e->item[i]->place, "%.60s: a named argument, \"%.60s\"",
                                   name, e->name[i]);
        }
        argument[i] = crank_mo_translate(f, scope, e->item[i]);
    }
    if (!crank_mo_ok(f) || call_number(f, name, e->count, argument, e->place, &v) ||
        call_two(f, name, e->count, argument, e->place, &v) ||
        semi_linear(f, name, e->count, argument, e->place, &v) ||
        crank_mo_call_array(f, name, e->count, argument, e->place, &v)) {
        return v;
    }
    if (crank_mo_ok(f)) {
        (void)crank_mo_fail_at(f, e->place, "there is no function \"%.80s\"", name);
    }
    return v;
}

crank_mo_value crank_mo_call(crank_mo_flattener *f, const crank_mo_scope *scope,
                             const crank_mo_expression *e)
{
    crank_mo_found found;
    crank_mo_value none = {0};
    const bool single = e->reference->count == 1 && !e->reference->global;
    if (crank_mo_find_function(f, scope, e->reference, &found, !single) &&
        found.class != NULL) {
        int count = 0;
        f->each = CRANK_MO_EACH_MAY_BE;
        const crank_mo_value *list = crank_mo_call_function(f, scope, e, found.class, &count);
        const bool each = f->each == CRANK_MO_EACH_IS;
        f->each = CRANK_MO_EACH_NOT;
        if (each && crank_mo_ok(f)) {
            return crank_mo_call_each(f, scope, e, found.class);
        }
        if (crank_mo_ok(f) && count == 0) {
            (void)crank_mo_fail_at(f, e->place, "%.80s has no result", found.class->name);
        }
        return crank_mo_ok(f) ? list[0] : none;
    }
    if (crank_mo_ok(f) && strcmp(e->reference->name[0], "String") == 0) {
        return crank_mo_string(f, scope, e);
    }
    if (crank_mo_ok(f) && strcmp(e->reference->name[0], "Integer") == 0 && e->count == 1) {
        crank_mo_value v = crank_mo_translate(f, scope, e->item[0]);
        v.type = v.type == CRANK_MO_IS_ENUMERATION ? CRANK_MO_IS_INTEGER : v.type;
        v.of = NULL;
        (void)crank_mo_convert(f, &v, CRANK_MO_IS_INTEGER, NULL, e->place, "Integer()");
        return v;
    }
    return crank_mo_ok(f) ? call_builtin(f, scope, e) : none;
}
