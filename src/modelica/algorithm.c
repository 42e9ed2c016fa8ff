/* algorithm.c - algorithm sections of models (Modelica 3.6, 11.1): run once with expressions
 * for values, they leave an equation for every variable that they assign. */
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

static bool is_local(const crank_mo_local *list, const char *name)
{
    for (; list != NULL; list = list->next) {
        if (strcmp(list->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_target(crank_mo_flattener *f, crank_mo_scope *inside,
                       const crank_mo_expression *e)
{
    if (e == NULL || e->kind != CRANK_MO_NAME ||
        is_local(inside->local, e->reference->name[0])) {
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
    *l = (crank_mo_local){.name = name, .set = true, .next = inside->local};
    l->value = crank_mo_copy(f, &all);
    clear(f, &l->value);
    inside->local = l;
}

/* what is assigned anywhere in the statements */
static void find_targets(crank_mo_flattener *f, crank_mo_scope *inside,
                         const crank_mo_list *list)
{
    for (int i = 0; i < list->count && crank_mo_ok(f); i++) {
        const crank_mo_equation *q = list->item[i];
        if (q->kind == CRANK_MO_EQUAL && q->left->kind == CRANK_MO_TUPLE) {
            for (int k = 0; k < q->left->count; k++) {
                add_target(f, inside, q->left->item[k]);
            }
        } else if (q->kind == CRANK_MO_EQUAL) {
            add_target(f, inside, q->left);
        }
        for (int b = 0; b < q->branch_count; b++) {
            find_targets(f, inside, &q->branch[b].body);
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
    find_targets(f, &inside, &section->body);
    f->in_equations = f->in_equations && !section->initial;
    (void)crank_mo_run(f, &inside, &section->body);
    f->in_equations = equations;
    for (const crank_mo_local *l = inside.local; l != scope->local && crank_mo_ok(f);
         l = l->next) {
        crank_mo_instance *i = crank_mo_child(f, scope->instance, l->name);
        if (i != NULL) {
            const crank_mo_value all = crank_mo_instance_value(f, i, section->place);
            write(f, &all, &l->value, l->name, section->place, section->initial);
        }
    }
}
