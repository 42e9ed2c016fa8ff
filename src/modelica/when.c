/* when.c - when-equations and -statements (Modelica 3.6, 8.3.5, 11.2.7) as updates of the flat record: what is set where
 * a condition becomes true.
 *
 *     when c1 then x = a; elsewhen c2 then x = b; end when;
 *     x := if edge(c1) then a else if edge(c2) then b else pre(x)          theory (11.9)
 *
 * Of branches that begin at the same event the first one counts. initial() as a condition holds
 * while the start is looked for. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

static const char reinit_mark[] = "reinit";

typedef struct branch {
    crank_ex active;           /* it begins at this event, and none before it does */
    int count;                 /* equations of its body */
    crank_flat_equation *list; /* left < 0: the run ends, origin is the message */
    int *variable;             /* that each sets; -1: none */
} branch;

/* ---- in the body ---- */

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
    f->in_message = !reinit;
    const crank_mo_value x = crank_mo_translate(f, scope, call->item[0]);
    f->in_message = false;
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
        q->place = (crank_flat_place){call->place.line, call->place.column};
    } else {
        (void)crank_mo_fail_at(f, call->place, "terminate: a text is expected");
    }
    f->origin = origin;
    return true;
}

static crank_mo_place place_of(const crank_flat_equation *q)
{
    return (crank_mo_place){q->place.line, q->place.column};
}

/* left = right of the body: which variable gets what; -1: an error */
static int target(crank_mo_flattener *f, crank_flat_equation *q)
{
    int variable = q->left >= 0 ? crank_mo_variable_of(f, q->left) : -1;
    if (variable < 0 && q->right >= 0 && crank_mo_variable_of(f, q->right) >= 0) {
        variable = crank_mo_variable_of(f, q->right);
        q->right = q->left;
    }
    if (variable < 0) {
        (void)crank_mo_fail_at(f, place_of(q),
                               "an equation in `when` gives a variable a value, x = ...");
    }
    return variable;
}

/* the equations of a branch, taken off the record */
static void read_body(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_branch *from, branch *b)
{
    const int first = f->flat->equation_count;
    const bool in_equations = f->in_equations;
    const crank_ex guard = f->guard;
    f->in_when = true;
    f->in_equations = false; /* what is computed at events makes none */
    f->guard = b->active;
    crank_mo_equation_list(f, scope, &from->body, false);
    f->in_when = false;
    f->in_equations = in_equations;
    f->guard = guard;
    b->count = f->flat->equation_count - first;
    f->flat->equation_count = first;
    b->list = crank_mo_new(f, (size_t)b->count, sizeof *b->list);
    b->variable = crank_mo_new(f, (size_t)b->count, sizeof *b->variable);
    for (int i = 0; i < b->count && crank_mo_ok(f); i++) {
        b->list[i] = f->flat->equation[first + i];
        b->variable[i] = b->list[i].left < 0 ? -1 : target(f, &b->list[i]);
    }
}

/* ---- conditions ---- */

/* Does the condition begin to hold? It is remembered, but for relations, which are already. */
static crank_ex begins(crank_mo_flattener *f, crank_ex condition, crank_mo_place place)
{
    const int known = crank_mo_memory_of(f, condition);
    if (known >= 0) {
        return known == f->flat->at_start ? condition : crank_mo_edge(f, known);
    }
    const char *name = crank_store_print(
        f->store, "when.line%d.%d", place.line % CRANK_FLAT_LINES, f->flat->variable_count);
    const int made = crank_mo_make_memory(f, name, CRANK_FLAT_BOOLEAN, place, "");
    crank_flat_update *u = made >= 0 ? crank_flat_add_update(f->flat) : NULL;
    if (u == NULL) {
        crank_mo_fail_memory(f);
        return -1;
    }
    u->variable = made;
    u->value = condition;
    u->place = (crank_flat_place){place.line, place.column};
    return crank_mo_edge(f, made);
}

crank_ex crank_mo_begins(crank_mo_flattener *f, const crank_mo_scope *scope,
                         const crank_mo_expression *c)
{
    const crank_mo_value v = crank_mo_translate(f, scope, c);
    crank_ex any = -1;
    if (crank_mo_ok(f) && (v.type != CRANK_MO_IS_BOOLEAN || v.rank > 1 || v.count == 0)) {
        (void)crank_mo_fail_at(f, c->place, "the condition of `when` is no Boolean");
    }
    for (int k = 0; crank_mo_ok(f) && k < v.count; k++) {
        const crank_ex one = begins(f, v.ex[k], c->place);
        any =
            any < 0 || !crank_mo_ok(f) ? one : crank_ex_call(f->pool, CRANK_EX_OR, any, one, 0);
    }
    return any;
}

/* ---- updates ---- */

/* what branch b gives the variable; NULL: nothing */
static const crank_flat_equation *given(crank_mo_flattener *f, const branch *b, int variable,
                                        bool reinit)
{
    const crank_flat_equation *found = NULL;
    for (int i = 0; i < b->count && crank_mo_ok(f); i++) {
        if (b->variable[i] != variable || (b->list[i].origin == reinit_mark) != reinit) {
            continue;
        }
        if (found != NULL) {
            (void)crank_mo_fail_at(f, place_of(&b->list[i]),
                                   "`when` gives \"%.80s\" two values",
                                   f->flat->variable[variable].name);
        }
        found = &b->list[i];
    }
    return found;
}

static crank_flat_update *add_update(crank_mo_flattener *f, int variable,
                                     const crank_flat_equation *q)
{
    crank_flat_update *u = crank_mo_ok(f) ? crank_flat_add_update(f->flat) : NULL;
    if (u == NULL) {
        crank_mo_fail_memory(f);
        return NULL;
    }
    u->variable = variable;
    u->place = q->place;
    return u;
}

void crank_mo_set_at_events(crank_mo_flattener *f, int variable, crank_ex value,
                            crank_mo_place place)
{
    crank_flat_variable *x = &f->flat->variable[variable];
    if (x->updated) {
        (void)crank_mo_fail_at(
            f, place, "\"%.80s\" gets values in two when-equations or algorithms", x->name);
        return;
    }
    x->role = CRANK_FLAT_DISCRETE;
    x->updated = true;
    const crank_flat_equation q = {.place = {place.line, place.column}};
    crank_flat_update *u = add_update(f, variable, &q);
    if (u != NULL) {
        u->value = value;
    }
}

/* x := if active then new, branch by branch, else pre(x) */
static void set_variable(crank_mo_flattener *f, int count, const branch *b, int variable,
                         const crank_flat_equation *q)
{
    crank_ex value = crank_mo_before(f, variable);
    for (int k = count - 1; k >= 0 && crank_mo_ok(f); k--) {
        const crank_flat_equation *own = given(f, &b[k], variable, false);
        if (own != NULL) {
            value = crank_ex_call(f->pool, CRANK_EX_IF, b[k].active, own->right, value);
        }
    }
    crank_mo_set_at_events(f, variable, value, place_of(q));
}

/* the run ends where the branch is active */
static void end_run(crank_mo_flattener *f, crank_ex active, const crank_flat_equation *q)
{
    crank_flat_event *e = crank_flat_add_event(f->flat);
    crank_flat_action *a = e != NULL ? crank_flat_add_action(f->flat, e) : NULL;
    const char *name =
        crank_store_print(f->store, "terminate.line%d.%d", q->place.line % CRANK_FLAT_LINES,
                          f->flat->event_count);
    if (a == NULL || name == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    e->name = name;
    e->condition = active;
    e->place = q->place;
    a->message = q->origin;
}

/* reinit */
static void reset_state(crank_mo_flattener *f, crank_ex active, int variable,
                        const crank_flat_equation *q)
{
    crank_flat_update *u = add_update(f, variable, q);
    if (u != NULL) {
        u->condition = active;
        u->value = q->right;
    }
}

bool crank_mo_when_statement(crank_mo_flattener *f, const crank_mo_scope *scope,
                             const crank_mo_expression *call)
{
    const int first = f->flat->equation_count;
    if (!f->in_when || !crank_mo_when_call(f, scope, call)) {
        return false;
    }
    for (int i = first; i < f->flat->equation_count && crank_mo_ok(f); i++) {
        crank_flat_equation q = f->flat->equation[i];
        const int variable = q.left >= 0 ? target(f, &q) : -1;
        if (q.left < 0) {
            end_run(f, f->guard, &q);
        } else if (crank_mo_ok(f)) {
            reset_state(f, f->guard, variable, &q);
        }
    }
    f->flat->equation_count = first;
    return true;
}

static void write_updates(crank_mo_flattener *f, int count, const branch *b)
{
    for (int k = 0; k < count && crank_mo_ok(f); k++) {
        for (int i = 0; i < b[k].count && crank_mo_ok(f); i++) {
            const crank_flat_equation *q = &b[k].list[i];
            const int variable = b[k].variable[i];
            const bool reinit = q->origin == reinit_mark;
            bool first = true;
            for (int j = 0; j < k && variable >= 0; j++) {
                first = first && given(f, &b[j], variable, reinit) == NULL;
            }
            if (variable < 0) {
                end_run(f, b[k].active, q);
            } else if (reinit) {
                (void)given(f, &b[k], variable, true);
                reset_state(f, b[k].active, variable, q);
            } else if (first) {
                set_variable(f, count, b, variable, q);
            }
        }
    }
}

void crank_mo_when(crank_mo_flattener *f, const crank_mo_scope *scope,
                   const crank_mo_equation *q)
{
    branch *b = crank_mo_new(f, (size_t)q->branch_count, sizeof *b);
    crank_ex earlier = -1; /* a branch before begins */
    for (int k = 0; k < q->branch_count && crank_mo_ok(f); k++) {
        const crank_ex own = crank_mo_begins(f, scope, q->branch[k].condition);
        if (!crank_mo_ok(f)) {
            return;
        }
        b[k].active =
            earlier < 0 ? own
                        : crank_ex_call(f->pool, CRANK_EX_AND, own,
                                        crank_ex_call(f->pool, CRANK_EX_NOT, earlier, 0, 0), 0);
        earlier = earlier < 0 ? own : crank_ex_call(f->pool, CRANK_EX_OR, earlier, own, 0);
        read_body(f, scope, &q->branch[k], &b[k]);
    }
    if (crank_mo_ok(f)) {
        write_updates(f, q->branch_count, b);
    }
}
