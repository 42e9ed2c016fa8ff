/* discrete.c - unknowns that are no Reals, and functions for conditions.
 *
 * A Boolean, Integer or enumeration that an equation gives by itself, b = e, is put in the
 * place of its name. A condition becomes a function that is positive where it holds, theory
 * (11.3):
 *
 *     a < b:   b - a    c and d:   min(c, d)    c or d:   max(c, d)    not c:   -c */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <stdio.h>
#include <string.h>

/* b = e, or e = b, of a variable that is no Real */
static int defines(const crank_flat *flat, const int *map, const crank_flat_equation *q,
                   crank_ex *value)
{
    const crank_ex side[2] = {q->left, q->right};
    for (int k = 0; k < 2; k++) {
        const int place = crank_ex_symbol_name(flat->pool, side[k]) != NULL ? map[side[k]] : -1;
        if (place >= 0 && place % 2 == 0 && flat->variable[place / 2].type != CRANK_FLAT_REAL &&
            flat->variable[place / 2].role == CRANK_FLAT_UNKNOWN) {
            *value = side[1 - k];
            return place / 2;
        }
    }
    return -1;
}

static crank_status put_into_equations(crank_flat *flat, crank_error *err)
{
    const int *map = crank_flat_map(flat);
    int kept = 0, circle = -1;
    if (map == NULL) {
        return crank_flat_status(flat, err);
    }
    for (int i = 0; i < flat->equation_count; i++) {
        crank_ex value = -1;
        const int j = defines(flat, map, &flat->equation[i], &value);
        if (j >= 0) {
            flat->variable[j].role = CRANK_FLAT_ELIMINATED;
            flat->variable[j].value = value;
        } else {
            flat->equation[kept++] = flat->equation[i];
        }
    }
    flat->equation_count = kept;
    for (int j = 0; j < flat->variable_count; j++) {
        const crank_flat_variable *x = &flat->variable[j];
        if (x->role == CRANK_FLAT_UNKNOWN && x->type != CRANK_FLAT_REAL) {
            return crank_fail_at(err, CRANK_EMODEL, x->place.line, x->place.column,
                                 "\"%.80s\" is no Real, and no equation %.40s = ... gives it",
                                 x->name, x->name);
        }
    }
    const crank_status status = crank_flat_eliminate(flat, &circle, err);
    if (circle >= 0) {
        const crank_flat_variable *x = &flat->variable[circle];
        return crank_fail_at(
            err, CRANK_EMODEL, x->place.line, x->place.column,
            "\"%.80s\" depends on itself: unknowns that are no Reals cannot be "
            "solved for (a mixed system)",
            x->name);
    }
    return status;
}

/* ---- functions of conditions ---- */

/* The function of a condition; -1: it has none, and *why says so. Conditions are trees of a few
 * operators; what is deeper is refused. */
static crank_ex function_of(crank_pool *p, crank_ex c, int depth, const char **why)
{
    const crank_ex_op op = crank_ex_get_op(p, c);
    const crank_ex a = crank_ex_get_operand(p, c, 0), b = crank_ex_get_operand(p, c, 1);
    if (depth > 100) {
        *why = "it is nested too deep";
        return -1;
    }
    if (op == CRANK_EX_LT || op == CRANK_EX_LE) {
        return crank_ex_sub(p, b, a);
    }
    if (op == CRANK_EX_NOT) {
        const crank_ex f = function_of(p, a, depth + 1, why);
        return f >= 0 ? crank_ex_neg(p, f) : -1;
    }
    if (op == CRANK_EX_AND || op == CRANK_EX_OR) {
        const crank_ex f = function_of(p, a, depth + 1, why);
        const crank_ex g = f >= 0 ? function_of(p, b, depth + 1, why) : -1;
        return g >= 0
                   ? crank_ex_call(p, op == CRANK_EX_AND ? CRANK_EX_MIN : CRANK_EX_MAX, f, g, 0)
                   : -1;
    }
    double number = 0.0;
    *why = crank_ex_is_number(p, c, &number)        ? "it is constant"
           : crank_ex_symbol_name(p, c) != NULL     ? "it is a discrete Boolean"
           : op == CRANK_EX_EQ || op == CRANK_EX_NE ? "it compares by == or <>"
                                                    : "it is no relation";
    return -1;
}

static crank_status make_functions(crank_flat *flat, crank_error *err)
{
    for (int i = 0; i < flat->event_count; i++) {
        crank_flat_event *e = &flat->event[i];
        const char *why = "";
        if (e->condition < 0) {
            continue;
        }
        e->when = function_of(flat->pool, e->condition, 0, &why);
        if (e->when < 0) {
            return crank_fail_at(err, CRANK_EMODEL, e->place.line, e->place.column,
                                 "when: the condition passes zero nowhere, since %s: not "
                                 "supported",
                                 why);
        }
    }
    return CRANK_OK;
}

/* ---- assertions ---- */

/* Where a condition ceases to hold the run ends, or a warning is told. One that compares by ==
 * or the like cannot be watched. */
static crank_status watch_assertions(crank_flat *flat, crank_error *err)
{
    for (int i = 0; i < flat->assertion_count; i++) {
        const crank_flat_assertion *a = &flat->assertion[i];
        double number = 0.0;
        const char *why = "";
        if (crank_ex_is_number(flat->pool, a->condition, &number)) {
            if (number == 0.0 && !a->warning) {
                return crank_fail_at(err, CRANK_EMODEL, a->place.line, a->place.column,
                                     "assert: %.200s", a->message);
            }
            continue;
        }
        const crank_ex f = function_of(flat->pool, a->condition, 0, &why);
        if (f < 0) {
            return crank_fail_at(err, CRANK_EMODEL, a->place.line, a->place.column,
                                 "assert: the condition cannot be watched, since %s: not "
                                 "supported",
                                 why);
        }
        crank_flat_event *e = crank_flat_add_event(flat);
        crank_flat_action *action = e != NULL ? crank_flat_add_action(flat, e) : NULL;
        if (action == NULL) {
            return crank_flat_status(flat, err);
        }
        e->name = crank_store_print(&flat->store, "assert.line%d.%d", a->place.line,
                                    flat->event_count);
        e->when = f;
        e->direction = -1;
        e->place = a->place;
        action->message = a->message;
        action->failure = !a->warning;
        action->goes_on = a->warning;
    }
    return crank_flat_status(flat, err);
}

crank_status crank_flat_resolve_discrete(crank_flat *flat, crank_error *err)
{
    crank_status status = put_into_equations(flat, err);
    if (status == CRANK_OK) {
        status = make_functions(flat, err);
    }
    return status == CRANK_OK ? watch_assertions(flat, err) : status;
}
