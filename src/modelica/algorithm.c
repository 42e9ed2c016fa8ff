/* algorithm.c - algorithm sections of models (Modelica 3.6, 11.1): run once with expressions
 * for values, they leave an equation for every variable that they assign, and an update at
 * events for those that are assigned in `when`, which begin with pre(x). */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

/* entries of a value without a value */
static void clear(crank_mo_flattener *f, crank_mo_value *v)
{
    for (int k = 0; k < v->field_count; k++) {
        clear(f, &v->field[k]);
    }
    for (int k = 0; k < v->count && v->ex != NULL; k++) {
        v->ex[k] = crank_mo_unset(f);
    }
}

static crank_mo_local *find(crank_mo_local *list, const char *name)
{
    for (; list != NULL; list = list->next) {
        if (strcmp(list->name, name) == 0) {
            return list;
        }
    }
    return NULL;
}

static void add_target(crank_mo_flattener *f, crank_mo_scope *inside,
                       const crank_mo_expression *e, bool at_events)
{
    crank_mo_local *known = e != NULL && e->kind == CRANK_MO_NAME
                                ? find(inside->local, e->reference->name[0])
                                : NULL;
    if (known != NULL) {
        known->at_events = known->at_events || at_events;
        known->otherwise = known->otherwise || !at_events;
    }
    if (e == NULL || e->kind != CRANK_MO_NAME || known != NULL) {
        return;
    }
    const char *name = e->reference->name[0];
    crank_mo_instance *i = crank_mo_child(f, inside->instance, name);
    crank_mo_local *l = crank_mo_new(f, 1, sizeof *l);
    if (i == NULL || l == NULL) {
        return; /* told when it is assigned */
    }
    if (i->variability <= CRANK_MO_PARAMETER) {
        (void)crank_mo_fail_at(f, e->place,
                               "\"%.80s\" is a parameter or constant and cannot be "
                               "assigned",
                               name);
        return;
    }
    const crank_mo_value all = crank_mo_instance_value(f, i, e->place);
    *l = (crank_mo_local){.name = name,
                          .set = true,
                          .variable = true,
                          .at_events = at_events,
                          .otherwise = !at_events,
                          .next = inside->local};
    l->value = all;
    inside->local = l;
}

/* what is assigned anywhere in the statements */
static void find_targets(crank_mo_flattener *f, crank_mo_scope *inside,
                         const crank_mo_list *list, bool when)
{
    for (int i = 0; i < list->count && crank_mo_ok(f); i++) {
        const crank_mo_equation *q = list->item[i];
        if (q->kind == CRANK_MO_EQUAL && q->left->kind == CRANK_MO_TUPLE) {
            for (int k = 0; k < q->left->count; k++) {
                add_target(f, inside, q->left->item[k], when);
            }
        } else if (q->kind == CRANK_MO_EQUAL) {
            add_target(f, inside, q->left, when);
        }
        for (int b = 0; b < q->branch_count; b++) {
            find_targets(f, inside, &q->branch[b].body, when || q->kind == CRANK_MO_WHEN);
        }
    }
}

/* values that targets begin with: pre(x), or none */
static void begin(crank_mo_flattener *f, crank_mo_local *l, crank_mo_place place)
{
    if (l->at_events && l->otherwise && l->value.type == CRANK_MO_IS_REAL) {
        (void)crank_mo_fail_at(f, place,
                               "\"%.80s\", a Real, is assigned inside and outside of when: not "
                               "supported",
                               l->name);
    }
    if (l->at_events && l->value.field_count > 0) {
        (void)crank_mo_fail_at(
            f, place, "\"%.80s\", a record, is assigned in when: not supported", l->name);
    }
    if (!l->at_events) {
        l->value = crank_mo_copy(f, &l->value);
        clear(f, &l->value);
    } else if (crank_mo_ok(f)) {
        f->in_when = true;
        l->value = crank_mo_before_event(f, &l->value, place);
        f->in_when = false;
    }
}

/* what was assigned in when; entries that were not stay what others say */
static void update(crank_mo_flattener *f, const crank_mo_value *variable,
                   const crank_mo_value *value, crank_mo_place place)
{
    for (int k = 0; k < variable->count && crank_mo_ok(f); k++) {
        const int x = crank_mo_variable_of(f, variable->ex[k]);
        if (x >= 0 && value->ex[k] != crank_mo_before(f, x)) {
            crank_mo_set_at_events(f, x, value->ex[k], place);
        }
    }
}

static void write(crank_mo_flattener *f, const crank_mo_value *variable,
                  const crank_mo_value *value, const char *name, crank_mo_place place,
                  bool initial)
{
    const crank_ex unset = crank_mo_unset(f);
    for (int k = 0; k < variable->field_count && crank_mo_ok(f); k++) {
        write(f, &variable->field[k], &value->field[k], name, place, initial);
    }
    for (int k = 0; k < variable->count && variable->ex != NULL && crank_mo_ok(f); k++) {
        if (value->ex[k] == unset) {
            continue;
        }
        if (crank_ex_depends(f->pool, value->ex[k], unset)) {
            (void)crank_mo_fail_at(
                f, place,
                "\"%.80s\" is used in the algorithm before it is assigned, or "
                "not assigned in every branch: not supported",
                name);
            return;
        }
        const crank_mo_value left = crank_mo_scalar(f, variable->type, variable->ex[k]),
                             right = crank_mo_scalar(f, value->type, value->ex[k]);
        crank_mo_equate(f, &left, &right, place, initial);
    }
}

void crank_mo_algorithm(crank_mo_flattener *f, const crank_mo_scope *scope,
                        const crank_mo_section *section)
{
    crank_mo_scope inside = *scope;
    const bool equations = f->in_equations;
    find_targets(f, &inside, &section->body, false);
    for (crank_mo_local *l = inside.local; l != scope->local && crank_mo_ok(f); l = l->next) {
        begin(f, l, section->place);
    }
    f->in_equations = f->in_equations && !section->initial;
    const int exits = f->exit_count;
    if (crank_mo_run(f, &inside, &section->body) != CRANK_MO_GOES_ON || f->exit_count > exits) {
        (void)crank_mo_fail_at(f, section->place,
                               "return or break that ends an algorithm of a "
                               "model: they belong to functions and loops");
    }
    f->in_equations = equations;
    for (const crank_mo_local *l = inside.local; l != scope->local && crank_mo_ok(f);
         l = l->next) {
        crank_mo_instance *i = crank_mo_child(f, scope->instance, l->name);
        if (i != NULL) {
            const crank_mo_value all = crank_mo_instance_value(f, i, section->place);
            if (l->at_events) {
                update(f, &all, &l->value, section->place);
            } else {
                write(f, &all, &l->value, l->name, section->place, section->initial);
            }
        }
    }
}
