/* statement.c - statements of algorithms, run with expressions for values (Modelica 3.6,
 * 11.2). Where a condition is not known both branches run, and what they leave differently is
 * chosen by an if-expression. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <stdlib.h>
#include <string.h>

static crank_mo_local *find(crank_mo_scope *scope, const char *name)
{
    for (crank_mo_local *l = scope->local; l != NULL; l = l->next) {
        if (strcmp(l->name, name) == 0) {
            return l;
        }
    }
    return NULL;
}

/* v.a[i].b := part, from part number k of the reference on */
static void put(crank_mo_flattener *f, crank_mo_scope *scope, const crank_mo_reference *r,
                int k, crank_mo_value *v, crank_mo_value *part)
{
    crank_mo_subscript s[CRANK_MO_RANK];
    const int count = r->subscript_count[k];
    if (count > v->rank) {
        (void)crank_mo_fail_at(f, r->place, "\"%.60s\" has %d dimensions and %d subscripts",
                               r->name[k], v->rank, count);
        return;
    }
    for (int d = 0; d < count; d++) {
        if (!crank_mo_subscript_of(f, scope, r->subscript[k][d], v->size[d], &s[d]) ||
            !crank_mo_is_known(f, &s[d], r->subscript[k][d]->place)) {
            return;
        }
    }
    if (k + 1 < r->count) {
        crank_mo_value *field = crank_mo_field(v, r->name[k + 1]);
        if (field == NULL || count > 0) {
            (void)crank_mo_fail_at(f, r->place,
                                   count > 0 ? "\"%.60s[...].%.60s :=\": not supported"
                                             : "\"%.60s\" has no component \"%.60s\"",
                                   r->name[k], r->name[k + 1]);
            return;
        }
        put(f, scope, r, k + 1, field, part);
        return;
    }
    if (v->type == CRANK_MO_IS_STRING) {
        *v = *part;
        return;
    }
    if (crank_mo_convert(f, part, v->type, v->of, r->place, r->name[k])) {
        crank_mo_put(f, v, count, s, part, r->place);
    }
}

static void assign(crank_mo_flattener *f, crank_mo_scope *scope, const crank_mo_expression *to,
                   crank_mo_value value)
{
    if (!crank_mo_ok(f)) {
        return;
    }
    if (to->kind != CRANK_MO_NAME || to->reference->global) {
        (void)crank_mo_fail_at(f, to->place, "left of := stands no variable");
        return;
    }
    crank_mo_local *l = find(scope, to->reference->name[0]);
    if (l == NULL || l->iterator) {
        (void)crank_mo_fail_at(f, to->place, "\"%.80s\" cannot be assigned here",
                               to->reference->name[0]);
        return;
    }
    l->value = crank_mo_copy(f, &l->value); /* the old one may be remembered for a branch */
    if (crank_mo_ok(f)) {
        put(f, scope, to->reference, 0, &l->value, &value);
        l->set = true;
    }
}

/* (a, , b) := f(x) */
static void assign_all(crank_mo_flattener *f, crank_mo_scope *scope, const crank_mo_equation *q)
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
            assign(f, scope, q->left->item[i], list[i]);
        }
    }
}

/* ---- branches ---- */

static int count_locals(const crank_mo_scope *scope)
{
    int count = 0;
    for (const crank_mo_local *l = scope->local; l != NULL; l = l->next) {
        count++;
    }
    return count;
}

static crank_mo_value *remember(crank_mo_flattener *f, const crank_mo_scope *scope)
{
    crank_mo_value *list = crank_mo_new(f, (size_t)count_locals(scope), sizeof *list);
    int i = 0;
    for (const crank_mo_local *l = scope->local; l != NULL && list != NULL; l = l->next) {
        list[i++] = l->value;
    }
    return list;
}

static void restore(const crank_mo_scope *scope, const crank_mo_value *list)
{
    int i = 0;
    for (crank_mo_local *l = scope->local; l != NULL; l = l->next) {
        l->value = list[i++];
    }
}

/* if c what one branch has left, else what is there now */
static void merge(crank_mo_flattener *f, const crank_mo_scope *scope, crank_ex c,
                  const crank_mo_value *then, crank_mo_place place)
{
    int i = 0;
    for (crank_mo_local *l = scope->local; l != NULL && crank_mo_ok(f); l = l->next, i++) {
        if (l->value.ex != then[i].ex || l->value.field != then[i].field) {
            l->value = crank_mo_choose(f, c, &then[i], &l->value, place);
        }
    }
}

/* branches from number k on; what a branch leaves differently becomes an if-expression */
static crank_mo_flow branches(crank_mo_flattener *f, crank_mo_scope *scope,
                              const crank_mo_equation *q, int k)
{
    for (; k < q->branch_count && crank_mo_ok(f); k++) {
        const crank_mo_branch *b = &q->branch[k];
        bool known = true, value = true;
        const crank_ex c = b->condition != NULL
                               ? crank_mo_condition(f, scope, b->condition, &known, &value)
                               : 0;
        if (known && value) {
            return crank_mo_run(f, scope, &b->body);
        }
        if (known || !crank_mo_ok(f)) {
            continue;
        }
        const crank_mo_value *before = remember(f, scope);
        const crank_ex guard = f->guard;
        f->guard = guard < 0 ? c : crank_ex_call(f->pool, CRANK_EX_AND, guard, c, 0);
        const crank_mo_flow one = crank_mo_run(f, scope, &b->body);
        const crank_ex not_c = crank_ex_call(f->pool, CRANK_EX_NOT, c, 0, 0);
        f->guard = guard < 0 ? not_c : crank_ex_call(f->pool, CRANK_EX_AND, guard, not_c, 0);
        const crank_mo_value *then = crank_mo_ok(f) ? remember(f, scope) : NULL;
        if (then == NULL || before == NULL ||
            !crank_mo_go_down(f, q->place, "branches of an if-statement")) {
            return CRANK_MO_GOES_ON;
        }
        restore(scope, before);
        const crank_mo_flow other = branches(f, scope, q, k + 1);
        f->guard = guard;
        f->depth--;
        if (crank_mo_ok(f) && (one != CRANK_MO_GOES_ON || other != CRANK_MO_GOES_ON)) {
            (void)crank_mo_fail_at(f, q->place,
                                   "return or break under a condition that is not known before "
                                   "the run: not supported");
        }
        merge(f, scope, c, then, q->place);
        return CRANK_MO_GOES_ON;
    }
    return CRANK_MO_GOES_ON;
}

/* ---- when ---- */

/* Branches from number k on: where one begins, none before it having begun, it runs; else all
 * stays as it was. */
static void whens(crank_mo_flattener *f, crank_mo_scope *scope, const crank_mo_equation *q,
                  int k)
{
    if (k == q->branch_count || !crank_mo_ok(f)) {
        return;
    }
    const crank_ex c = crank_mo_begins(f, scope, q->branch[k].condition);
    const crank_mo_value *before = remember(f, scope);
    if (before == NULL || !crank_mo_ok(f)) {
        return;
    }
    const bool in_equations = f->in_equations;
    const crank_ex guard = f->guard, not_c = crank_ex_call(f->pool, CRANK_EX_NOT, c, 0, 0);
    const crank_ex own = guard < 0 ? c : crank_ex_call(f->pool, CRANK_EX_AND, guard, c, 0);
    f->in_when = true;
    f->in_equations = false; /* what is computed at events makes none */
    f->guard = own;
    const crank_mo_flow flow = crank_mo_run(f, scope, &q->branch[k].body);
    if (crank_mo_ok(f) && flow != CRANK_MO_GOES_ON) {
        (void)crank_mo_fail_at(f, q->place, "return or break in when: not supported");
    }
    f->in_when = false;
    f->in_equations = in_equations;
    const crank_mo_value *then = crank_mo_ok(f) ? remember(f, scope) : NULL;
    if (then == NULL || !crank_mo_go_down(f, q->place, "branches of when")) {
        return;
    }
    f->guard = guard < 0 ? not_c : crank_ex_call(f->pool, CRANK_EX_AND, guard, not_c, 0);
    restore(scope, before);
    whens(f, scope, q, k + 1);
    f->guard = guard;
    f->depth--;
    merge(f, scope, c, then, q->place);
}

static void when(crank_mo_flattener *f, crank_mo_scope *scope, const crank_mo_equation *q)
{
    const char *reason = !f->in_equations && !f->in_when
                             ? "in a function or an initial algorithm"
                         : f->in_when    ? "in when"
                         : f->guard >= 0 ? "under a condition that is not known before the run"
                                         : NULL;
    if (reason != NULL) {
        (void)crank_mo_fail_at(f, q->place, "when %s: not supported", reason);
        return;
    }
    whens(f, scope, q, 0);
}

/* ---- loops ---- */

static crank_mo_flow loop_for(crank_mo_flattener *f, crank_mo_scope *scope,
                              const crank_mo_equation *q, int k)
{
    if (k == q->iterator_count) {
        return crank_mo_run(f, scope, &q->branch[0].body);
    }
    if (q->in[k] == NULL) {
        (void)crank_mo_fail_at(
            f, q->place, "an iterator whose range follows from subscripts: not supported");
        return CRANK_MO_GOES_ON;
    }
    const crank_mo_value values = crank_mo_iterated(f, scope, q->in[k]);
    crank_mo_flow flow = CRANK_MO_GOES_ON;
    for (int i = 0; crank_mo_ok(f) && i < values.count && flow == CRANK_MO_GOES_ON; i++) {
        crank_mo_local local = {.name = q->iterator[k],
                                .value = crank_mo_scalar(f, values.type, values.ex[i]),
                                .set = true,
                                .iterator = true,
                                .next = scope->local};
        local.value.of = values.of;
        crank_mo_scope inner = {scope->instance, scope->lexical, &local};
        flow = loop_for(f, &inner, q, k + 1);
        f->work++;
    }
    return flow == CRANK_MO_RETURNS ? flow : CRANK_MO_GOES_ON;
}

static crank_mo_flow loop_while(crank_mo_flattener *f, crank_mo_scope *scope,
                                const crank_mo_equation *q)
{
    for (;;) {
        bool known = false, value = false;
        (void)crank_mo_condition(f, scope, q->branch[0].condition, &known, &value);
        if (crank_mo_ok(f) && !known) {
            (void)crank_mo_fail_at(f, q->place,
                                   "while with a condition that is not known before the run: "
                                   "not supported");
        }
        if (!crank_mo_ok(f) || !value) {
            return CRANK_MO_GOES_ON;
        }
        const crank_mo_flow flow = crank_mo_run(f, scope, &q->branch[0].body);
        if (flow != CRANK_MO_GOES_ON) {
            return flow == CRANK_MO_RETURNS ? flow : CRANK_MO_GOES_ON;
        }
    }
}

/* assert(c, "..."), reinit and terminate, and calls for their asserts */
static void run_call(crank_mo_flattener *f, crank_mo_scope *scope, const crank_mo_equation *q)
{
    const crank_mo_reference *r = q->left->reference;
    crank_mo_found found;
    if (r->count == 1 && strcmp(r->name[0], "assert") == 0) {
        crank_mo_assert(f, scope, q->left);
    } else if (crank_mo_when_statement(f, scope, q->left)) {
        return;
    } else if (r->count == 1 &&
               (strcmp(r->name[0], "reinit") == 0 || strcmp(r->name[0], "terminate") == 0)) {
        (void)crank_mo_fail_at(f, q->place, "%s() outside of when", r->name[0]);
    } else if (crank_mo_find_function(f, scope, r, &found, true) && found.class != NULL) {
        int count = 0;
        (void)crank_mo_call_function(f, scope, q->left, found.class, &count);
    } else if (crank_mo_ok(f)) {
        (void)crank_mo_fail_at(
            f, q->place, "%.60s() as an equation or statement: it has no effect", r->name[0]);
    }
}

crank_mo_flow crank_mo_run(crank_mo_flattener *f, crank_mo_scope *scope,
                           const crank_mo_list *list)
{
    crank_mo_flow flow = CRANK_MO_GOES_ON;
    for (int i = 0; i < list->count && crank_mo_ok(f) && flow == CRANK_MO_GOES_ON; i++) {
        const crank_mo_equation *q = list->item[i];
        switch (q->kind) {
        case CRANK_MO_EQUAL:
            if (q->left->kind == CRANK_MO_TUPLE) {
                assign_all(f, scope, q);
            } else {
                assign(f, scope, q->left, crank_mo_translate(f, scope, q->right));
            }
            break;
        case CRANK_MO_IFS:
            flow = branches(f, scope, q, 0);
            break;
        case CRANK_MO_FOR:
            flow = loop_for(f, scope, q, 0);
            break;
        case CRANK_MO_WHILE:
            flow = loop_while(f, scope, q);
            break;
        case CRANK_MO_BREAK:
            return CRANK_MO_BREAKS;
        case CRANK_MO_RETURN:
            return CRANK_MO_RETURNS;
        case CRANK_MO_DO:
            run_call(f, scope, q);
            break;
        case CRANK_MO_WHEN:
            when(f, scope, q);
            break;
        case CRANK_MO_CONNECT:
            break;
        }
    }
    return flow;
}
