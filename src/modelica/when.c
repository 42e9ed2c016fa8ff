/* when.c - when-equations (Modelica 3.6, 8.3.5) as events of the flat record: a condition that
 * becomes true, and variables that get new values then.
 *
 * Values of actions are computed from the state before the event. Equations of one branch see
 * each other's new values: where a variable that the branch sets is used without pre() its new
 * value is put in its place. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "modelica/flatten.h"

#include <string.h>

static const char reinit_mark[] = "reinit";

/* ---- in the body ---- */

crank_mo_value crank_mo_before_event(crank_mo_flattener *f, const crank_mo_value *v,
                                     crank_mo_place place)
{
    crank_mo_value out = crank_mo_copy(f, v);
    if (!f->in_when) {
        (void)crank_mo_fail_at(f, place, "pre() outside of a when-equation: not supported");
        return out;
    }
    for (int k = 0; k < out.count && out.ex != NULL && crank_mo_ok(f); k++) {
        const char *name = crank_ex_symbol_name(f->pool, out.ex[k]);
        crank_ex(*more)[2] = crank_store_grow(f->store, f->before, f->before_count,
                                              &f->before_capacity, sizeof *f->before);
        if (name == NULL || crank_mo_variable_of(f, out.ex[k]) < 0) {
            (void)crank_mo_fail_at(f, place, "pre() of something that is no variable");
            return out;
        }
        const char *text = crank_store_print(f->store, "pre(%s)", name);
        if (more == NULL || text == NULL) {
            crank_mo_fail_memory(f);
            return out;
        }
        f->before = more;
        f->before[f->before_count][1] = out.ex[k];
        out.ex[k] = crank_ex_symbol(f->pool, text);
        f->before[f->before_count++][0] = out.ex[k];
    }
    return out;
}

bool crank_mo_when_call(crank_mo_flattener *f, const crank_mo_scope *scope,
                        const crank_mo_expression *call)
{
    const char *name = call->reference->name[0];
    const bool reinit = strcmp(name, "reinit") == 0;
    if (call->reference->count != 1 || (!reinit && strcmp(name, "terminate") != 0)) {
        return false;
    }
    if (f->in_branch) {
        (void)crank_mo_fail_at(f, call->place,
                               "%s() under a condition that is not known before the run: not "
                               "supported; give it an if-expression for value",
                               name);
        return true;
    }
    if (call->count != (reinit ? 2 : 1)) {
        (void)crank_mo_fail_at(f, call->place, "%s: %d argument%s expected", name,
                               reinit ? 2 : 1, reinit ? "s are" : " is");
        return true;
    }
    const crank_mo_value x = crank_mo_translate(f, scope, call->item[0]);
    if (!crank_mo_ok(f)) {
        return true;
    }
    const char *origin = f->origin;
    if (reinit) {
        const crank_mo_value v = crank_mo_translate(f, scope, call->item[1]);
        f->origin = reinit_mark;
        crank_mo_equate(f, &x, &v, call->place, false);
    } else if (x.type == CRANK_MO_IS_STRING) { /* an equation without sides: the run ends */
        crank_flat_equation *q = crank_flat_add_equation(f->flat, false);
        if (q == NULL) {
            crank_mo_fail_memory(f);
            return true;
        }
        q->left = q->right = -1;
        q->origin = x.text;
    } else {
        (void)crank_mo_fail_at(f, call->place, "terminate: a text is expected");
    }
    f->origin = origin;
    return true;
}

/* ---- actions ---- */

/* left = right of the body: which variable gets what; -1: an error */
static int target(crank_mo_flattener *f, crank_flat_equation *q)
{
    int variable = q->left >= 0 ? crank_mo_variable_of(f, q->left) : -1;
    if (variable < 0 && q->right >= 0 && crank_mo_variable_of(f, q->right) >= 0) {
        variable = crank_mo_variable_of(f, q->right);
        q->right = q->left;
    }
    if (variable < 0) {
        (void)crank_mo_fail_at(f, (crank_mo_place){q->place.line, q->place.column},
                               "an equation in `when` gives a variable a value, x = ...");
    }
    return variable;
}

/* new values in place of variables that the branch sets, then x in place of pre(x) */
static void settle(crank_mo_flattener *f, int count, crank_flat_equation *q,
                   const int *variable, crank_mo_place place)
{
    crank_ex *symbols =
        crank_mo_new(f, (size_t)count + (size_t)f->before_count, sizeof *symbols);
    crank_ex *values = crank_mo_new(f, (size_t)count + (size_t)f->before_count, sizeof *values);
    int set = 0;
    for (int i = 0; i < count && crank_mo_ok(f); i++) {
        if (variable[i] >= 0 && q[i].origin != reinit_mark) {
            symbols[set] = f->flat->variable[variable[i]].symbol;
            values[set++] = q[i].right;
        }
    }
    bool again = set > 0;
    for (int pass = 0; again && crank_mo_ok(f); pass++) {
        if (pass > count) {
            (void)crank_mo_fail_at(f, place,
                                   "equations of `when` that depend on each other: not "
                                   "supported; use pre() for the values before");
            return;
        }
        again = false;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < set && variable[i] >= 0; k++) {
                again = again || crank_ex_depends(f->pool, q[i].right, symbols[k]);
            }
            if (variable[i] >= 0) {
                q[i].right = crank_ex_substitute(f->pool, q[i].right, set, symbols, values);
            }
        }
    }
    for (int k = 0; k < f->before_count && crank_mo_ok(f); k++) {
        symbols[k] = f->before[k][0];
        values[k] = f->before[k][1];
    }
    for (int i = 0; i < count && crank_mo_ok(f) && f->before_count > 0; i++) {
        if (variable[i] >= 0) {
            q[i].right =
                crank_ex_substitute(f->pool, q[i].right, f->before_count, symbols, values);
        }
    }
}

/* the equations of a branch, taken off the record, as actions */
static void read_body(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_branch *b, int *count, crank_flat_equation **list,
                      int **variable, crank_mo_place place)
{
    const int from = f->flat->equation_count;
    const bool in_equations = f->in_equations;
    f->in_when = true;
    f->in_equations = false;
    f->before_count = 0;
    crank_mo_equation_list(f, scope, &b->body, false);
    f->in_when = false;
    f->in_equations = in_equations;
    *count = f->flat->equation_count - from;
    f->flat->equation_count = from;
    *list = crank_mo_new(f, (size_t)*count, sizeof **list);
    *variable = crank_mo_new(f, (size_t)*count, sizeof **variable);
    if (!crank_mo_ok(f)) {
        return;
    }
    for (int i = 0; i < *count && crank_mo_ok(f); i++) {
        (*list)[i] = f->flat->equation[from + i];
        (*variable)[i] = (*list)[i].left < 0 ? -1 : target(f, &(*list)[i]);
        if (crank_mo_ok(f) && (*variable)[i] >= 0 && (*list)[i].origin != reinit_mark) {
            f->flat->variable[(*variable)[i]].role = CRANK_FLAT_DISCRETE;
        }
    }
    if (crank_mo_ok(f)) {
        settle(f, *count, *list, *variable, place);
    }
}

static void add_actions(crank_mo_flattener *f, crank_flat_event *event, int count,
                        const crank_flat_equation *list, const int *variable)
{
    for (int i = 0; i < count && crank_mo_ok(f); i++) {
        crank_flat_action *a = crank_flat_add_action(f->flat, event);
        if (a == NULL) {
            crank_mo_fail_memory(f);
            return;
        }
        a->variable = variable[i];
        a->value = variable[i] >= 0 ? list[i].right : -1;
        a->message = variable[i] >= 0 ? NULL : list[i].origin;
    }
}

/* ---- conditions ---- */

/* sample(start, interval): a variable that is the next time, moved on by the event itself */
static void sample(crank_mo_flattener *f, const crank_mo_scope *scope,
                   const crank_mo_expression *e, crank_flat_event *event)
{
    crank_pool *p = f->pool;
    crank_ex number[2];
    double start = 0.0, interval = 0.0;
    if (e->count != 2) {
        (void)crank_mo_fail_at(f, e->place, "sample(start, interval) is expected");
        return;
    }
    for (int k = 0; k < 2; k++) {
        const crank_mo_value v = crank_mo_translate(f, scope, e->item[k]);
        if (crank_mo_ok(f) && (v.rank > 0 || v.type > CRANK_MO_IS_INTEGER ||
                               !crank_mo_is_parametric(f, v.ex[0]) ||
                               !crank_mo_number_of(f, v.ex[0], k == 0 ? &start : &interval))) {
            (void)crank_mo_fail_at(f, e->place,
                                   "sample: two parameter expressions are expected");
        }
        if (!crank_mo_ok(f)) {
            return;
        }
        number[k] = v.ex[0];
    }
    const double begin = f->flat->t_start == f->flat->t_start ? f->flat->t_start : 0.0;
    if (!(interval > 0.0) || !(start > begin)) {
        (void)crank_mo_fail_at(f, e->place,
                               "sample(%g, %g): it must begin after the run (%g), with a "
                               "positive interval",
                               start, interval, begin);
        return;
    }
    const char *name =
        crank_store_print(f->store, "sample.line%d.%d", e->place.line, f->flat->variable_count);
    const int next = name != NULL ? crank_flat_add_variable(f->flat, name) : -1;
    if (next < 0) {
        crank_mo_fail_memory(f);
        return;
    }
    crank_flat_variable *x = &f->flat->variable[next];
    x->role = CRANK_FLAT_DISCRETE;
    x->start = number[0];
    x->text = "next time of sample()";
    event->when = crank_ex_sub(p, f->flat->t, x->symbol);
    crank_flat_action *a = crank_flat_add_action(f->flat, event);
    if (a == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    a->variable = next;
    a->value = crank_ex_add(p, x->symbol, number[1]);
}

static bool is_call(const crank_mo_expression *e, const char *name)
{
    return e->kind == CRANK_MO_CALL && e->reference->count == 1 &&
           strcmp(e->reference->name[0], name) == 0;
}

static void add_event(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_expression *e, int count, const crank_flat_equation *list,
                      const int *variable)
{
    crank_flat_event event = {
        .condition = -1, .when = -1, .direction = 1, .place = {e->place.line, e->place.column}};
    event.name =
        crank_store_print(f->store, "when.line%d.%d", e->place.line, f->flat->event_count + 1);
    if (event.name == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    if (is_call(e, "sample")) {
        sample(f, scope, e, &event);
    } else {
        const bool both = is_call(e, "change");
        const crank_mo_expression *c =
            (both || is_call(e, "edge")) && e->count == 1 ? e->item[0] : e;
        const crank_mo_value v = crank_mo_translate(f, scope, c);
        if (crank_mo_ok(f) && (v.type != CRANK_MO_IS_BOOLEAN || v.rank > 0)) {
            (void)crank_mo_fail_at(f, e->place, "the condition of `when` is no Boolean");
        }
        if (!crank_mo_ok(f)) {
            return;
        }
        event.condition = v.ex[0];
        event.direction = both ? 0 : 1;
    }
    add_actions(f, &event, count, list, variable);
    crank_flat_event *kept = crank_mo_ok(f) ? crank_flat_add_event(f->flat) : NULL;
    if (kept != NULL) {
        *kept = event;
    } else if (crank_mo_ok(f)) {
        crank_mo_fail_memory(f);
    }
}

void crank_mo_when(crank_mo_flattener *f, const crank_mo_scope *scope,
                   const crank_mo_equation *q)
{
    const bool in_equations = f->in_equations;
    for (int b = 0; b < q->branch_count && crank_mo_ok(f); b++) {
        const crank_mo_expression *c = q->branch[b].condition;
        int count = 0, *variable = NULL;
        crank_flat_equation *list = NULL;
        read_body(f, scope, &q->branch[b], &count, &list, &variable, q->place);
        f->in_equations = false; /* the event itself is found where the condition changes */
        const bool several = c->kind == CRANK_MO_ARRAY;
        for (int k = 0; k < (several ? c->count : 1) && crank_mo_ok(f); k++) {
            add_event(f, scope, several ? c->item[k] : c, count, list, variable);
        }
        f->in_equations = in_equations;
    }
}
