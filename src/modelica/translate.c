/* translate.c - Modelica's expressions as expressions of the pool, array by array (Modelica
 * 3.6, chapters 3 and 10). What is known from constants and parameters decides at once: sizes,
 * ranges, which branch of an `if` counts. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

crank_ex crank_mo_condition(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_expression *e, bool *known, bool *value)
{
    const crank_mo_value v = crank_mo_translate(f, scope, e);
    char text[80];
    double number = 0.0;
    *known = *value = false;
    if (!crank_mo_ok(f)) {
        return crank_ex_number(f->pool, 0.0);
    }
    if (v.type != CRANK_MO_IS_BOOLEAN || v.rank > 0) {
        (void)crank_mo_fail_at(f, e->place, "%s where a condition (Boolean) is expected",
                               crank_mo_describe(&v, text, sizeof text));
        return crank_ex_number(f->pool, 0.0);
    }
    if (crank_mo_is_parametric(f, v.ex[0])) {
        *known = crank_mo_number_of(f, v.ex[0], &number);
        *value = number != 0.0;
    }
    return v.ex[0];
}

static crank_mo_value choice(crank_mo_flattener *f, const crank_mo_scope *scope,
                             const crank_mo_expression *e, int from)
{
    bool known = false, value = false;
    crank_mo_value none = {0};
    while (crank_mo_ok(f) && from + 1 < e->count) {
        const crank_ex c = crank_mo_condition(f, scope, e->item[from], &known, &value);
        if (!known && crank_mo_ok(f)) {
            const crank_mo_value a = crank_mo_translate(f, scope, e->item[from + 1]);
            if (!crank_mo_go_down(f, e->place, "branches of an if-expression")) {
                return none;
            }
            const crank_mo_value b = choice(f, scope, e, from + 2);
            f->depth--;
            return crank_mo_choose(f, c, &a, &b, e->place);
        }
        if (value) {
            return crank_mo_translate(f, scope, e->item[from + 1]);
        }
        from += 2;
    }
    return crank_mo_ok(f) ? crank_mo_translate(f, scope, e->item[from]) : none;
}

/* Two Reals that vary are equal for no time: an event of it would never be found. */
static void check_equality(crank_mo_flattener *f, const crank_mo_scope *scope,
                           const crank_mo_expression *e, const crank_mo_value *a,
                           const crank_mo_value *b)
{
    if ((strcmp(e->text, "==") != 0 && strcmp(e->text, "<>") != 0) || !crank_mo_ok(f) ||
        (a->type != CRANK_MO_IS_REAL && b->type != CRANK_MO_IS_REAL) || a->count != 1 ||
        b->count != 1 || a->ex == NULL || b->ex == NULL || crank_mo_in_function(scope)) {
        return;
    }
    if (!crank_mo_is_parametric(f, a->ex[0]) || !crank_mo_is_parametric(f, b->ex[0])) {
        (void)crank_mo_fail_at(f, e->place,
                               "%s of Reals outside of functions: write a relation with a "
                               "tolerance, abs(a - b) < d",
                               e->text);
    }
}

/* a + b + c + ...: operands may be thousands, so the left ones are gone through in a loop */
static crank_mo_value chain(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_expression *e)
{
    int count = 0;
    const crank_mo_expression *first = e;
    while (first->kind == CRANK_MO_BINARY) {
        first = first->item[0];
        count++;
    }
    const crank_mo_expression **list =
        crank_mo_new(f, (size_t)count, sizeof(crank_mo_expression *));
    if (list == NULL) {
        return (crank_mo_value){0};
    }
    for (int k = count - 1; k >= 0; k--, e = e->item[0]) {
        list[k] = e;
    }
    crank_mo_value v = crank_mo_translate(f, scope, first);
    for (int k = 0; k < count && crank_mo_ok(f); k++) {
        const crank_mo_value right = crank_mo_translate(f, scope, list[k]->item[1]);
        check_equality(f, scope, list[k], &v, &right);
        v = crank_mo_operate(f, list[k]->text, v, right, list[k]->place);
    }
    return v;
}

static crank_mo_value unary(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_expression *e)
{
    crank_mo_value v = crank_mo_translate(f, scope, e->item[0]);
    char text[80];
    if (!crank_mo_ok(f)) {
        return v;
    }
    const bool logical = strcmp(e->text, "not") == 0;
    if (logical != (v.type == CRANK_MO_IS_BOOLEAN) || v.ex == NULL ||
        v.type == CRANK_MO_IS_ENUMERATION) {
        (void)crank_mo_fail_at(f, e->place, "%s %s", e->text,
                               crank_mo_describe(&v, text, sizeof text));
        return v;
    }
    if (logical) {
        v = crank_mo_copy(f, &v);
        for (int k = 0; k < v.count && crank_mo_ok(f); k++) {
            v.ex[k] = crank_ex_call(f->pool, CRANK_EX_NOT, v.ex[k], 0, 0);
        }
        return v;
    }
    return strchr(e->text, '-') != NULL ? crank_mo_negate(f, v, e->place) : v;
}

static crank_mo_value last(crank_mo_flattener *f, const crank_mo_expression *e)
{
    if (f->last <= 0) {
        (void)crank_mo_fail_at(f, e->place, "\"end\" outside of a subscript");
    }
    return crank_mo_number_value(f, CRANK_MO_IS_INTEGER, f->last);
}

crank_mo_value crank_mo_translate(crank_mo_flattener *f, const crank_mo_scope *scope,
                                  const crank_mo_expression *e)
{
    crank_mo_value v = {0};
    if (!crank_mo_ok(f)) {
        return v;
    }
    if (++f->work > f->work_most) {
        (void)crank_mo_fail_at(
            f, e->place,
            "the model is too large, or a loop does not end: %ld expressions "
            "have been read",
            f->work_most);
        return v;
    }
    switch (e->kind) {
    case CRANK_MO_NUMBER:
        return crank_mo_number_value(f, e->whole ? CRANK_MO_IS_INTEGER : CRANK_MO_IS_REAL,
                                     e->number);
    case CRANK_MO_STRING:
        return (crank_mo_value){.type = CRANK_MO_IS_STRING, .text = e->text, .count = 1};
    case CRANK_MO_BOOLEAN:
        return crank_mo_number_value(f, CRANK_MO_IS_BOOLEAN, e->number);
    case CRANK_MO_LAST:
        return last(f, e);
    case CRANK_MO_ALL:
        (void)crank_mo_fail_at(f, e->place, "\":\" outside of a subscript");
        return v;
    case CRANK_MO_NAME:
        return crank_mo_reference_value(f, scope, e->reference);
    case CRANK_MO_CALL:
        return crank_mo_call(f, scope, e);
    case CRANK_MO_UNARY:
        return unary(f, scope, e);
    case CRANK_MO_BINARY:
        return chain(f, scope, e);
    case CRANK_MO_IF:
        return choice(f, scope, e, 0);
    case CRANK_MO_RANGE:
    case CRANK_MO_ARRAY:
    case CRANK_MO_MATRIX:
    case CRANK_MO_EACH:
        return crank_mo_translate_array(f, scope, e);
    case CRANK_MO_TUPLE:
        (void)crank_mo_fail_at(f, e->place,
                               "a list (a, b) stands left of a call with several results only");
        return v;
    }
    return v;
}
