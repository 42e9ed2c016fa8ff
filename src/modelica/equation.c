/* equation.c - equations of a model and its components (Modelica 3.6, chapter 8), scalar by
 * scalar: those of declarations (Real x = 3), those of the class and its bases, loops written
 * out, branches chosen, or, where their condition is not known, put into if-expressions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

void crank_mo_equate(crank_mo_flattener *f, const crank_mo_value *left,
                     const crank_mo_value *right, crank_mo_place place, bool initial)
{
    char one[80], other[80];
    if (!crank_mo_ok(f)) {
        return;
    }
    const bool numbers =
        left->type <= CRANK_MO_IS_INTEGER && right->type <= CRANK_MO_IS_INTEGER;
    const bool rounds = f->in_when && left->type == CRANK_MO_IS_INTEGER &&
                        right->type == CRANK_MO_IS_REAL; /* what is set there is the left */
    if ((left->type != right->type && !numbers) || !crank_mo_same_shape(left, right) ||
        left->type == CRANK_MO_IS_STRING || rounds) {
        (void)crank_mo_fail_at(f, place, "%s = %s", crank_mo_describe(left, one, sizeof one),
                               crank_mo_describe(right, other, sizeof other));
        return;
    }
    if (left->type == CRANK_MO_IS_RECORD) {
        for (int k = 0; k < left->field_count && crank_mo_ok(f); k++) {
            const crank_mo_value *field = crank_mo_field(right, left->field_name[k]);
            if (field == NULL || left->field_count != right->field_count) {
                (void)crank_mo_fail_at(f, place, "records of different components");
                return;
            }
            crank_mo_equate(f, &left->field[k], field, place, initial);
        }
        return;
    }
    for (int k = 0; k < left->count && crank_mo_ok(f); k++) {
        crank_flat_equation *q = crank_flat_add_equation(f->flat, initial);
        if (q == NULL) {
            crank_mo_fail_memory(f);
            return;
        }
        q->left = left->ex[k];
        q->right = right->ex[k];
        q->place = (crank_flat_place){place.line, place.column};
        q->origin = f->origin;
        q->tear = f->tear;
    }
}

/* (a, b) = f(x) */
static void equate_all(crank_mo_flattener *f, const crank_mo_scope *scope,
                       const crank_mo_equation *q, bool initial)
{
    crank_mo_found found;
    int count = 0;
    if (q->right->kind != CRANK_MO_CALL ||
        !crank_mo_find_function(f, scope, q->right->reference, &found, true) ||
        found.class == NULL) {
        (void)crank_mo_fail_at(f, q->place,
                               "right of a list (a, b) stands a call of a function");
        return;
    }
    const crank_mo_value *list =
        crank_mo_call_function(f, scope, q->right, found.class, &count);
    if (crank_mo_ok(f) && q->left->count > count) {
        (void)crank_mo_fail_at(f, q->place, "%d results, and %d are asked for", count,
                               q->left->count);
    }
    for (int i = 0; i < q->left->count && crank_mo_ok(f); i++) {
        if (q->left->item[i] != NULL) {
            const crank_mo_value left = crank_mo_translate(f, scope, q->left->item[i]);
            crank_mo_equate(f, &left, &list[i], q->place, initial);
        }
    }
}

static void loop(crank_mo_flattener *f, const crank_mo_scope *scope, const crank_mo_equation *q,
                 int k, bool initial)
{
    if (k == q->iterator_count) {
        crank_mo_equation_list(f, scope, &q->branch[0].body, initial);
        return;
    }
    if (q->in[k] == NULL) {
        (void)crank_mo_fail_at(
            f, q->place, "an iterator whose range follows from subscripts: not supported");
        return;
    }
    const crank_mo_value values = crank_mo_iterated(f, scope, q->in[k]);
    for (int i = 0; crank_mo_ok(f) && i < values.count; i++) {
        crank_mo_local local = {.name = q->iterator[k],
                                .value = crank_mo_scalar(f, values.type, values.ex[i]),
                                .set = true,
                                .iterator = true,
                                .next = scope->local};
        local.value.of = values.of;
        const crank_mo_scope inner = {scope->instance, scope->lexical, &local, scope->around};
        loop(f, &inner, q, k + 1, initial);
    }
}

/* ---- branches ---- */

static int written(const crank_mo_flattener *f, bool initial)
{
    return initial ? f->flat->initial_count : f->flat->equation_count;
}

/* the newest equations, taken off the record again */
static crank_flat_equation *take_off(crank_mo_flattener *f, bool initial, int from, int *count)
{
    crank_flat_equation *list = initial ? f->flat->initial : f->flat->equation;
    *count = written(f, initial) - from;
    crank_flat_equation *copy = crank_mo_new(f, (size_t)*count, sizeof *copy);
    if (copy != NULL && *count > 0) {
        memcpy(copy, list + from, (size_t)*count * sizeof *copy);
    }
    if (initial) {
        f->flat->initial_count = from;
    } else {
        f->flat->equation_count = from;
    }
    return copy;
}

static void merge(crank_mo_flattener *f, crank_ex c, const crank_flat_equation *a,
                  crank_flat_equation *b)
{
    crank_pool *p = f->pool;
    if (a->left == b->left) {
        b->right = crank_ex_call(p, CRANK_EX_IF, c, a->right, b->right);
        return;
    }
    b->left = crank_ex_call(p, CRANK_EX_IF, c, crank_ex_sub(p, a->left, a->right),
                            crank_ex_sub(p, b->left, b->right));
    b->right = crank_ex_number(p, 0.0);
}

/* branches from number k on: equations of the then-branch and those of the rest, pair by
 * pair */
static void branches(crank_mo_flattener *f, const crank_mo_scope *scope,
                     const crank_mo_equation *q, int k, bool initial)
{
    for (; k < q->branch_count && crank_mo_ok(f); k++) {
        const crank_mo_branch *b = &q->branch[k];
        bool known = true, value = true;
        const crank_ex c = b->condition != NULL
                               ? crank_mo_condition(f, scope, b->condition, &known, &value)
                               : 0;
        if (known && value) {
            crank_mo_equation_list(f, scope, &b->body, initial);
            return;
        }
        if (known || !crank_mo_ok(f)) {
            continue;
        }
        const bool inside = f->in_branch;
        const crank_ex guard = f->guard, not_c = crank_ex_call(f->pool, CRANK_EX_NOT, c, 0, 0);
        const int from = written(f, initial);
        int one = 0;
        f->in_branch = true;
        f->guard = guard < 0 ? c : crank_ex_call(f->pool, CRANK_EX_AND, guard, c, 0);
        crank_mo_equation_list(f, scope, &b->body, initial);
        const crank_flat_equation *then = take_off(f, initial, from, &one);
        f->guard = guard < 0 ? not_c : crank_ex_call(f->pool, CRANK_EX_AND, guard, not_c, 0);
        if (crank_mo_go_down(f, q->place, "branches of an if-equation")) {
            branches(f, scope, q, k + 1, initial);
            f->depth--;
        }
        f->in_branch = inside;
        f->guard = guard;
        const int other = written(f, initial) - from;
        if (crank_mo_ok(f) && one != other) {
            (void)crank_mo_fail_at(f, q->place,
                                   "branches of %d and %d equations; their condition is not "
                                   "known before the run, so that they must have equally many",
                                   one, other);
        }
        crank_flat_equation *list = initial ? f->flat->initial : f->flat->equation;
        for (int i = 0; i < one && crank_mo_ok(f); i++) {
            merge(f, c, &then[i], &list[from + i]);
        }
        return;
    }
}

/* ---- calls ---- */

void crank_mo_assert(crank_mo_flattener *f, const crank_mo_scope *scope,
                     const crank_mo_expression *call)
{
    bool known = false, value = false;
    if (call->count < 2) {
        (void)crank_mo_fail_at(f, call->place, "assert(condition, message) is expected");
        return;
    }
    const bool in_equations = f->in_equations;
    f->in_equations = f->in_model && !f->in_when; /* in functions, too: it is watched */
    crank_ex c = crank_mo_condition(f, scope, call->item[0], &known, &value);
    f->in_message = true;
    const crank_mo_value text = crank_mo_translate(f, scope, call->item[1]);
    f->in_message = false;
    bool warning = false;
    f->in_equations = in_equations;
    if (crank_mo_ok(f) && text.type != CRANK_MO_IS_STRING) {
        (void)crank_mo_fail_at(f, call->item[1]->place, "assert: the message is no text");
    }
    if (call->count > 2 && crank_mo_ok(f)) {
        const crank_mo_value level = crank_mo_translate(f, scope, call->item[2]);
        double number = 0.0;
        warning = crank_mo_ok(f) && level.ex != NULL &&
                  crank_ex_is_number(f->pool, level.ex[0], &number) && number == 1.0;
    }
    if (!crank_mo_ok(f) || (known && value)) {
        return;
    }
    if (known && f->guard < 0 && !warning) {
        (void)crank_mo_fail_at(f, call->place, "assert: %.200s", text.text);
        return;
    }
    if (f->guard >= 0) {
        c = crank_ex_call(f->pool, CRANK_EX_OR, c,
                          crank_ex_call(f->pool, CRANK_EX_NOT, f->guard, 0, 0), 0);
    }
    crank_flat_assertion *a = crank_flat_add_assertion(f->flat);
    if (a == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    *a = (crank_flat_assertion){.condition = c,
                                .message = text.text,
                                .place = {call->place.line, call->place.column},
                                .warning = warning,
                                .at_events = f->in_when};
}

static void call(crank_mo_flattener *f, const crank_mo_scope *scope, const crank_mo_equation *q)
{
    const crank_mo_reference *r = q->left->reference;
    crank_mo_found found;
    if (r->count == 1 && strcmp(r->name[0], "assert") == 0) {
        crank_mo_assert(f, scope, q->left);
    } else if (f->in_when && crank_mo_when_call(f, scope, q->left)) {
        return;
    } else if (r->count == 1 &&
               (strcmp(r->name[0], "reinit") == 0 || strcmp(r->name[0], "terminate") == 0)) {
        (void)crank_mo_fail_at(f, q->place, "%s() outside of a when-equation", r->name[0]);
    } else if (crank_mo_find_function(f, scope, r, &found, true) && found.class != NULL) {
        int count = 0; /* for its asserts */
        (void)crank_mo_call_function(f, scope, q->left, found.class, &count);
    } else if (crank_mo_ok(f)) {
        (void)crank_mo_fail_at(
            f, q->place, "%.60s() as an equation or statement: it has no effect", r->name[0]);
    }
}

void crank_mo_equation_list(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_list *list, bool initial)
{
    for (int i = 0; i < list->count && crank_mo_ok(f); i++) {
        const crank_mo_equation *q = list->item[i];
        crank_mo_value left, right;
        switch (q->kind) {
        case CRANK_MO_EQUAL:
            if (q->left->kind == CRANK_MO_TUPLE) {
                equate_all(f, scope, q, initial);
                break;
            }
            f->in_tearable = !initial;
            left = crank_mo_translate(f, scope, q->left);
            right = crank_mo_translate(f, scope, q->right);
            f->in_tearable = false;
            if (f->tear != 0 && crank_mo_ok(f) && (left.rank > 0 || left.field_count > 0)) {
                (void)crank_mo_fail_at(f, q->place, "residue() in an equation of several");
            }
            crank_mo_equate(f, &left, &right, q->place, initial);
            f->tear = 0;
            break;
        case CRANK_MO_FOR:
            loop(f, scope, q, 0, initial);
            break;
        case CRANK_MO_IFS:
            branches(f, scope, q, 0, initial);
            break;
        case CRANK_MO_DO:
            call(f, scope, q);
            break;
        case CRANK_MO_CONNECT:
        case CRANK_MO_WHEN:
            if (initial || f->in_branch || f->in_when) {
                (void)crank_mo_fail_at(f, q->place, "%s %s: not supported",
                                       q->kind == CRANK_MO_WHEN ? "when" : "connect",
                                       initial ? "among initial equations"
                                       : f->in_when
                                           ? "in a when-equation"
                                           : "under a condition that is not known before "
                                             "the run");
            } else if (q->kind == CRANK_MO_WHEN) {
                crank_mo_when(f, scope, q);
            } else {
                crank_mo_connect(f, scope, q);
            }
            break;
        case CRANK_MO_WHILE:
        case CRANK_MO_BREAK:
        case CRANK_MO_RETURN:
            break; /* statements */
        }
    }
}

/* parameter Real p(fixed = false): der(p) = 0 */
static void keep_constant(crank_mo_flattener *f, const crank_mo_instance *leaf)
{
    if (crank_mo_is_bound(leaf)) {
        (void)crank_mo_fail_at(f, leaf->place,
                               "\"%.80s\": a parameter with fixed = false has no value; start "
                               "is its guess",
                               leaf->name);
    }
    for (int k = 0; k < leaf->count && crank_mo_ok(f); k++) {
        const crank_mo_value rate = crank_mo_scalar(
                                 f, CRANK_MO_IS_REAL,
                                 crank_mo_derivative(f, leaf->symbol[k], leaf->place)),
                             zero = crank_mo_number_value(f, CRANK_MO_IS_REAL, 0.0);
        crank_mo_equate(f, &rate, &zero, leaf->place, false);
    }
}

/* Real x = 3: the declaration is an equation */
static void declared(crank_mo_flattener *f, crank_mo_instance *leaf)
{
    crank_mo_value v;
    if (leaf->free) {
        keep_constant(f, leaf);
        return;
    }
    if (leaf->variability <= CRANK_MO_PARAMETER || !crank_mo_is_bound(leaf)) {
        return;
    }
    const crank_mo_value left = crank_mo_leaf_value(f, leaf);
    if (crank_mo_declared_value(f, leaf, &v)) {
        crank_mo_equate(f, &left, &v, leaf->place, false);
    }
}

void crank_mo_write_equations(crank_mo_flattener *f, crank_mo_instance *i)
{
    if (!crank_mo_ok(f) || i->absent || i->inner != NULL) {
        return;
    }
    if (i->class == NULL) {
        declared(f, i);
        return;
    }
    for (int k = 0; k < i->count && i->rank > 0 && crank_mo_ok(f); k++) {
        crank_mo_write_equations(f, i->item[k]);
    }
    for (int k = 0; k < i->child_count && crank_mo_ok(f); k++) {
        f->origin = i->parent != NULL ? i->name : "";
        crank_mo_write_equations(f, i->child[k]);
    }
    f->origin = i->parent != NULL ? i->name : "";
    for (int k = 0; k < i->part_count && crank_mo_ok(f); k++) {
        const crank_mo_class *c = i->part[k].class;
        const crank_mo_scope scope = {.instance = i, .lexical = c};
        crank_mo_equation_list(f, &scope, &c->equation, false);
        const bool in_equations = f->in_equations;
        f->in_equations = false;
        crank_mo_equation_list(f, &scope, &c->initial, true);
        f->in_equations = in_equations;
        for (int s = 0; s < c->section_count && crank_mo_ok(f); s++) {
            crank_mo_algorithm(f, &scope, &c->section[s]);
        }
    }
}
