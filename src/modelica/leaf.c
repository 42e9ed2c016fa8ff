/* leaf.c - values of components: declared ones (x = 3 in the declaration, a modification, a
 * record around, or --set), and what a component stands for in an expression. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/blame.h"
#include "modelica/flatten.h"

#include <stdio.h>
#include <string.h>

/* ---- settings ---- */

/* an expression that the caller gave, read as if it stood in the model */
static bool setting_value(crank_mo_flattener *f, int k, crank_mo_value *out)
{
    crank_mo_expression *e = NULL;
    const crank_mo_setting *s = &f->options->setting[k];
    const crank_mo_scope scope = {.instance = f->root, .lexical = f->root->class};
    crank_error err = {0};
    f->setting_used[k] = true;
    crank_status status = crank_mo_parse_expression(s->value, f->store, &e, &err);
    if (status == CRANK_OK) {
        crank_error *whole = f->err;
        f->err = &err;
        *out = crank_mo_translate(f, &scope, e);
        f->err = whole;
        status = f->status;
    }
    if (status != CRANK_OK) {
        f->status = crank_blame_caller(
            f->err,
            crank_fail(f->err, CRANK_EMODEL, "setting \"%.80s\": %.200s", s->name, err.text));
        return false;
    }
    return true;
}

/* entries of a parameter that the caller has set; start: the start values of a variable */
static bool apply_settings(crank_mo_flattener *f, const crank_mo_instance *i, crank_mo_value *v)
{
    bool any = false;
    const size_t length = strlen(i->name);
    for (int k = 0; k < f->options->setting_count && crank_mo_ok(f); k++) {
        const char *name = f->options->setting[k].name;
        if (strncmp(name, i->name, length) != 0) {
            continue;
        }
        crank_mo_value given;
        if (name[length] == '\0' && setting_value(f, k, &given)) {
            *v = given;
            any = true;
        }
        for (int entry = 0; name[length] == '[' && i->symbol != NULL && entry < i->count;
             entry++) {
            if (strcmp(name, crank_ex_symbol_name(f->pool, i->symbol[entry])) == 0 &&
                v->ex != NULL && setting_value(f, k, &given) && given.ex != NULL) {
                *v = any ? *v : crank_mo_copy(f, v);
                v->ex[entry] = given.ex[0];
                any = true;
            }
        }
    }
    return any;
}

/* ---- declared values ---- */

/* the value of a record that the instance is in; false: none is given */
static bool value_of_parent(crank_mo_flattener *f, const crank_mo_instance *i,
                            crank_mo_value *out)
{
    const crank_mo_instance *p = i->parent;
    if (p == NULL || p->element == NULL) {
        return false;
    }
    const crank_mo_environment *given = crank_mo_given(p->environment);
    if (given != NULL) {
        *out = crank_mo_given_value(f, given);
    } else if (!value_of_parent(f, p, out)) {
        return false;
    }
    const crank_mo_value *field =
        out->type == CRANK_MO_IS_RECORD ? crank_mo_field(out, i->label) : NULL;
    if (field == NULL && crank_mo_ok(f)) {
        (void)crank_mo_fail_at(f, p->place, "the value of \"%.60s\" has no component \"%.60s\"",
                               p->name, i->label);
        return false;
    }
    if (field != NULL) {
        *out = *field;
    }
    return crank_mo_ok(f);
}

bool crank_mo_is_bound(const crank_mo_instance *i)
{
    for (; i != NULL && i->element != NULL; i = i->parent) {
        if (crank_mo_given(i->environment) != NULL) {
            return true;
        }
    }
    return false;
}

static bool check_shape(crank_mo_flattener *f, const crank_mo_instance *i, crank_mo_value *v)
{
    crank_mo_value want = {.type = i->type, .of = i->enumeration, .rank = i->rank};
    char have[80], wanted[80], what[120];
    if (i->rank < 0) {
        return true;
    }
    memcpy(want.size, i->size, sizeof want.size);
    (void)snprintf(what, sizeof what, "\"%.80s\"", i->name);
    if (!crank_mo_convert(f, v, i->type, i->enumeration, i->place, what)) {
        return false;
    }
    if (!crank_mo_same_shape(v, &want)) {
        (void)crank_mo_fail_at(f, i->place, "\"%.80s\": the value is %s, declared is %s",
                               i->name, crank_mo_describe(v, have, sizeof have),
                               crank_mo_describe(&want, wanted, sizeof wanted));
        return false;
    }
    return true;
}

/* The number of a constant stands in expressions, where its unit is not seen. */
static void note_unit(crank_mo_flattener *f, const crank_mo_instance *leaf,
                      const crank_mo_value *v)
{
    const crank_mo_environment *unit =
        leaf->variability == CRANK_MO_CONSTANT && v->ex != NULL
            ? crank_mo_given(crank_mo_environment_of(f, leaf->environment, "unit"))
            : NULL;
    for (int k = 0; k < v->count && unit != NULL; k++) {
        double number = 0.0;
        const int kind = crank_ex_is_number(f->pool, v->ex[k], &number)
                             ? crank_flat_factor_kind(number)
                             : -1;
        if (kind >= 0) {
            f->flat->has_unit[kind] = true;
        }
    }
}

bool crank_mo_declared_value(crank_mo_flattener *f, crank_mo_instance *leaf,
                             crank_mo_value *out)
{
    const crank_mo_environment *given = crank_mo_given(leaf->environment);
    const bool equations = f->in_equations, no_event = f->no_event;
    bool found = true;
    if (leaf->value_state == CRANK_MO_DONE) {
        *out = leaf->value;
        return true;
    }
    if (leaf->value_state == CRANK_MO_OPEN) {
        (void)crank_mo_fail_at(f, leaf->place, "the value of \"%.80s\" depends on itself",
                               leaf->name);
        return false;
    }
    leaf->value_state = CRANK_MO_OPEN;
    f->in_equations = f->in_equations && leaf->variability >= CRANK_MO_DISCRETE;
    *out = (crank_mo_value){.type = leaf->type, .of = leaf->enumeration};
    if (!crank_mo_go_down(f, leaf->place, "values")) {
        return false;
    }
    /* the value of a record goes before what its class declares for its components */
    if (given != NULL && (given->modification != leaf->element->modification ||
                          !crank_mo_is_bound(leaf->parent))) {
        *out = crank_mo_given_value(f, given);
    } else if (!value_of_parent(f, leaf, out)) {
        /* a parameter without a value has that of `start` */
        given = crank_mo_given(crank_mo_environment_of(f, leaf->environment, "start"));
        found = given != NULL && leaf->variability == CRANK_MO_PARAMETER && leaf->rank == 0;
        if (found) {
            *out = crank_mo_given_value(f, given);
        }
    }
    if (leaf->variability == CRANK_MO_PARAMETER && !leaf->constant) {
        found = apply_settings(f, leaf, out) || found;
    }
    f->depth--;
    f->in_equations = equations;
    f->no_event = no_event;
    leaf->value_state = CRANK_MO_NEW;
    if (!crank_mo_ok(f) || !found || !check_shape(f, leaf, out)) {
        return false;
    }
    note_unit(f, leaf, out);
    leaf->value = *out;
    leaf->value_state = leaf->rank >= 0 ? CRANK_MO_DONE : CRANK_MO_NEW;
    return true;
}

/* ---- in expressions ---- */

crank_mo_value crank_mo_leaf_value(crank_mo_flattener *f, crank_mo_instance *leaf)
{
    crank_mo_value v = {.type = leaf->type,
                        .of = leaf->enumeration,
                        .rank = leaf->rank,
                        .count = leaf->count,
                        .ex = leaf->symbol};
    memcpy(v.size, leaf->size, sizeof v.size);
    if (leaf->symbol == NULL && !crank_mo_declared_value(f, leaf, &v) && crank_mo_ok(f)) {
        (void)crank_mo_fail_at(f, leaf->place, "constant \"%.80s\" has no value", leaf->name);
    }
    return v;
}

crank_mo_value crank_mo_instance_value(crank_mo_flattener *f, crank_mo_instance *i,
                                       crank_mo_place place)
{
    crank_mo_value v = {.type = CRANK_MO_IS_RECORD, .of = i->class, .count = 1};
    if (!crank_mo_elaborate(f, i) || i->absent) {
        if (crank_mo_ok(f)) {
            (void)crank_mo_fail_at(f, place, "\"%.80s\" is not there: its condition is false",
                                   i->name);
        }
        return v;
    }
    if (i->class == NULL) {
        return crank_mo_leaf_value(f, i);
    }
    if (!crank_mo_go_down(f, place, "components in components")) {
        return v;
    }
    if (i->rank > 0) {
        crank_mo_value *list = crank_mo_new(f, (size_t)i->count, sizeof *list);
        for (int k = 0; k < i->count && crank_mo_ok(f); k++) {
            list[k] = crank_mo_instance_value(f, i->item[k], place);
        }
        f->depth--;
        return crank_mo_ok(f) ? crank_mo_stack(f, i->rank, i->size, list, place) : v;
    }
    v.field_name = crank_mo_new(f, (size_t)i->child_count, sizeof *v.field_name);
    v.field = crank_mo_new(f, (size_t)i->child_count, sizeof *v.field);
    for (int k = 0; k < i->child_count && crank_mo_ok(f); k++) {
        crank_mo_instance *child = i->child[k];
        if (crank_mo_elaborate(f, child) && !child->absent && child->inner == NULL &&
            child->element->variability != CRANK_MO_CONSTANT) {
            v.field_name[v.field_count] = child->label;
            v.field[v.field_count++] = crank_mo_instance_value(f, child, place);
        }
    }
    f->depth--;
    return v;
}
