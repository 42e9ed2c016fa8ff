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
    if (l == NULL || l->iterator || l->input) {
        (void)crank_mo_fail_at(f, to->place, "\"%.80s\" cannot be assigned here%s",
                               to->reference->name[0],
                               l != NULL && l->input ? ": it is an input" : "");
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

static crank_mo_flow branches(crank_mo_flattener *f, crank_mo_scope *scope,
                              const crank_mo_equation *q, int k);

/* branch k, whose condition is not known, and those behind it */
static crank_mo_flow unknown_branch(crank_mo_flattener *f, crank_mo_scope *scope,
                                    const crank_mo_equation *q, int k, crank_ex c)
{
    const int first = f->exit_count;
    const crank_mo_value *before = crank_mo_remember(f, scope);
    const crank_ex guard = f->guard, not_c = crank_ex_call(f->pool, CRANK_EX_NOT, c, 0, 0);
    f->guard = guard < 0 ? c : crank_ex_call(f->pool, CRANK_EX_AND, guard, c, 0);
    const crank_mo_flow one = crank_mo_run(f, scope, &q->branch[k].body);
    crank_mo_exits_under(f, first, c);
    const int second = f->exit_count;
    const crank_mo_value *then = crank_mo_ok(f) ? crank_mo_remember(f, scope) : NULL;
    if (then == NULL || before == NULL ||
        !crank_mo_go_down(f, q->place, "branches of an if-statement")) {
        return CRANK_MO_GOES_ON;
    }
    f->guard = guard < 0 ? not_c : crank_ex_call(f->pool, CRANK_EX_AND, guard, not_c, 0);
    crank_mo_restore(scope, before);
    const crank_mo_flow other = branches(f, scope, q, k + 1);
    crank_mo_exits_under(f, second, not_c);
    f->depth--;
    if (one == other) {
        crank_mo_merge(f, scope, c, then, q->place);
    } else if (one != CRANK_MO_GOES_ON) {
        crank_mo_add_exit(f, scope, one, c, then, q->place);
    } else {
        crank_mo_add_exit(f, scope, other, not_c, crank_mo_remember(f, scope), q->place);
        crank_mo_restore(scope, then);
    }
    f->guard = crank_mo_guard_behind(f, first, guard);
    return one != CRANK_MO_GOES_ON && other != CRANK_MO_GOES_ON ? other
           : one == other                                       ? one
                                                                : CRANK_MO_GOES_ON;
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
        return unknown_branch(f, scope, q, k, c);
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
    const crank_mo_value *before = crank_mo_remember(f, scope);
    if (before == NULL || !crank_mo_ok(f)) {
        return;
    }
    const bool in_equations = f->in_equations;
    const crank_ex guard = f->guard, not_c = crank_ex_call(f->pool, CRANK_EX_NOT, c, 0, 0);
    const crank_ex own = guard < 0 ? c : crank_ex_call(f->pool, CRANK_EX_AND, guard, c, 0);
    f->in_when = true;
    f->in_equations = false; /* what is computed at events makes none */
    f->guard = own;
    const int exits = f->exit_count;
    const crank_mo_flow flow = crank_mo_run(f, scope, &q->branch[k].body);
    if (crank_mo_ok(f) && (flow != CRANK_MO_GOES_ON || f->exit_count > exits)) {
        (void)crank_mo_fail_at(f, q->place, "return or break in when: not supported");
    }
    f->in_when = false;
    f->in_equations = in_equations;
    const crank_mo_value *then = crank_mo_ok(f) ? crank_mo_remember(f, scope) : NULL;
    if (then == NULL || !crank_mo_go_down(f, q->place, "branches of when")) {
        return;
    }
    f->guard = guard < 0 ? not_c : crank_ex_call(f->pool, CRANK_EX_AND, guard, not_c, 0);
    crank_mo_restore(scope, before);
    whens(f, scope, q, k + 1);
    f->guard = guard;
    f->depth--;
    crank_mo_merge(f, scope, c, then, q->place);
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
        crank_mo_scope inner = {scope->instance, scope->lexical, &local, scope->around};
        flow = loop_for(f, &inner, q, k + 1);
        f->work++;
    }
    return flow;
}

/* A condition that is not known leaves the loop where it does not hold; sooner or later it must
 * be known not to. */
static crank_mo_flow loop_while(crank_mo_flattener *f, crank_mo_scope *scope,
                                const crank_mo_equation *q)
{
    crank_mo_flow flow = CRANK_MO_GOES_ON;
    for (int unknown = 0; flow == CRANK_MO_GOES_ON;) {
        bool known = false, value = false;
        const crank_ex c = crank_mo_condition(f, scope, q->branch[0].condition, &known, &value);
        if (crank_mo_ok(f) && !known && ++unknown > CRANK_MO_TURNS) {
            (void)crank_mo_fail_at(
                f, q->place,
                "while with a condition that is not known before the run: it "
                "must be known to end after at most %d turns, by a counter",
                CRANK_MO_TURNS);
        }
        if (!crank_mo_ok(f) || (known && !value)) {
            return CRANK_MO_GOES_ON;
        }
        if (!known) {
            const crank_ex not_c = crank_ex_call(f->pool, CRANK_EX_NOT, c, 0, 0);
            crank_mo_add_exit(f, scope, CRANK_MO_BREAKS, not_c, crank_mo_remember(f, scope),
                              q->place);
            f->guard = f->guard < 0 ? c : crank_ex_call(f->pool, CRANK_EX_AND, f->guard, c, 0);
        }
        flow = crank_mo_run(f, scope, &q->branch[0].body);
    }
    return flow;
}

/* break leaves all iterators of the loop */
static crank_mo_flow loop(crank_mo_flattener *f, crank_mo_scope *scope,
                          const crank_mo_equation *q)
{
    const int exits = f->exit_count;
    const crank_ex guard = f->guard;
    const crank_mo_flow flow =
        q->kind == CRANK_MO_FOR ? loop_for(f, scope, q, 0) : loop_while(f, scope, q);
    const bool breaks = crank_mo_has_exit(f, exits, CRANK_MO_BREAKS);
    if (flow == CRANK_MO_RETURNS && breaks) { /* unless it has broken off before */
        crank_mo_add_exit(f, scope, flow, crank_ex_number(f->pool, 1.0),
                          crank_mo_remember(f, scope), q->place);
    }
    crank_mo_arrive(f, scope, exits, CRANK_MO_BREAKS);
    f->guard = crank_mo_guard_behind(f, exits, guard);
    return flow == CRANK_MO_RETURNS && !breaks ? flow : CRANK_MO_GOES_ON;
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
        case CRANK_MO_WHILE:
            flow = loop(f, scope, q);
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
