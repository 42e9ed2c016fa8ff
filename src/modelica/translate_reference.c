/* translate_reference.c - names in expressions: variables of functions and loops, components,
 * constants of packages, literals of enumerations; with subscripts (Modelica 3.6, 5.3, 10.5).
 * A name without subscripts in an array of components, as r.i of r[3], is an array. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "base/suggest.h"
#include "modelica/flatten.h"

#include <string.h>

bool crank_mo_subscript_of(crank_mo_flattener *f, const crank_mo_scope *scope,
                           const crank_mo_expression *e, int size, crank_mo_subscript *out)
{
    *out = (crank_mo_subscript){.all = e->kind == CRANK_MO_ALL};
    if (out->all) {
        return true;
    }
    const int last = f->last;
    f->last = size;
    crank_mo_value v = crank_mo_translate(f, scope, e);
    f->last = last;
    if (!crank_mo_ok(f)) {
        return false;
    }
    if (v.rank > 1 || v.ex == NULL) {
        (void)crank_mo_fail_at(f, e->place, "a subscript is an Integer, a range or \":\"");
        return false;
    }
    out->list = v.rank == 1;
    out->count = v.count;
    if (v.rank == 0 && v.type >= CRANK_MO_IS_INTEGER && v.type <= CRANK_MO_IS_ENUMERATION &&
        v.type != CRANK_MO_IS_BOOLEAN && !crank_mo_is_parametric(f, v.ex[0])) {
        out->unknown = v.ex[0];
        return crank_mo_ok(f);
    }
    int *index = crank_mo_new(f, (size_t)v.count, sizeof *index);
    for (int k = 0; k < v.count && index != NULL; k++) {
        crank_mo_value one = v;
        one.rank = 0;
        one.ex = v.ex + k;
        if (one.type == CRANK_MO_IS_ENUMERATION) {
            one.type = CRANK_MO_IS_INTEGER;
        }
        if (!crank_mo_whole(f, &one, &index[k], e->place, "a subscript")) {
            return false;
        }
    }
    out->index = index;
    return crank_mo_ok(f);
}

bool crank_mo_is_known(crank_mo_flattener *f, const crank_mo_subscript *s, crank_mo_place place)
{
    if (!s->all && s->index == NULL) {
        (void)crank_mo_fail_at(f, place,
                               "a subscript: here it must be known before the run: an "
                               "expression of constants and parameters");
    }
    return crank_mo_ok(f);
}

/* v[subscripts], of which some may be unknown: if i == 1 then v[1] else if i == 2 ... If there
 * is no such entry the value is no number, and the run says so. */
static crank_mo_value take_any(crank_mo_flattener *f, const crank_mo_value *v, int count,
                               crank_mo_subscript *s, crank_mo_place place)
{
    crank_pool *p = f->pool;
    int d = 0;
    while (d < count && (s[d].all || s[d].index != NULL)) {
        d++;
    }
    if (d == count) {
        return crank_mo_take(f, v, count, s, place);
    }
    const crank_mo_subscript own = s[d];
    crank_mo_value out = {0};
    for (int k = v->size[d]; k >= 1 && crank_mo_ok(f); k--) {
        s[d] = (crank_mo_subscript){.count = 1, .index = &k};
        const crank_mo_value one = take_any(f, v, count, s, place);
        if (k == v->size[d] && crank_mo_ok(f)) { /* sqrt(-1 - i^2) */
            const crank_ex none =
                crank_ex_call(p, CRANK_EX_SQRT,
                              crank_ex_sub(p, crank_ex_number(p, -1.0),
                                           crank_ex_mul(p, own.unknown, own.unknown)),
                              0, 0);
            out = crank_mo_fill(f, &one, none);
        }
        const crank_ex is =
            crank_ex_call(p, CRANK_EX_EQ, own.unknown, crank_ex_number(p, k), 0);
        out = crank_mo_ok(f) ? crank_mo_choose(f, is, &one, &out, place) : out;
        f->work++;
    }
    s[d] = own;
    if (v->size[d] == 0 && crank_mo_ok(f)) {
        (void)crank_mo_fail_at(f, place, "a subscript of an array without entries");
    }
    return out;
}

/* subscripts of part i for an array of this shape */
static int subscripts(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_reference *r, int i, int rank, const int *size,
                      crank_mo_subscript *out)
{
    const int count = r->subscript_count[i];
    if (count > rank) {
        (void)crank_mo_fail_at(f, r->place, "\"%.80s\" has %d dimensions and %d subscripts",
                               r->name[i], rank, count);
        return 0;
    }
    for (int d = 0; d < count; d++) {
        if (!crank_mo_subscript_of(f, scope, r->subscript[i][d], size[d], &out[d])) {
            return 0;
        }
    }
    return count;
}

/* the rest of a reference, in a value */
static crank_mo_value in_value(crank_mo_flattener *f, const crank_mo_scope *scope,
                               const crank_mo_reference *r, int i, crank_mo_value v)
{
    crank_mo_subscript s[CRANK_MO_RANK];
    for (; crank_mo_ok(f); i++) {
        const int count = subscripts(f, scope, r, i, v.rank, v.size, s);
        if (count > 0) {
            v = take_any(f, &v, count, s, r->place);
        }
        if (i + 1 == r->count || !crank_mo_ok(f)) {
            break;
        }
        const crank_mo_value *field = crank_mo_field(&v, r->name[i + 1]);
        if (field == NULL) {
            (void)crank_mo_fail_at(f, r->place, "\"%.60s\" has no component \"%.60s\"",
                                   r->name[i], r->name[i + 1]);
            break;
        }
        v = *field;
    }
    return v;
}

static crank_mo_value in_instance(crank_mo_flattener *f, const crank_mo_scope *scope,
                                  const crank_mo_reference *r, int i, crank_mo_instance *at);

/* part i is an array of components */
static crank_mo_value in_items(crank_mo_flattener *f, const crank_mo_scope *scope,
                               const crank_mo_reference *r, int i, crank_mo_instance *at)
{
    crank_mo_subscript s[CRANK_MO_RANK];
    crank_mo_value numbers = {.type = CRANK_MO_IS_INTEGER, .rank = at->rank}, none = {0};
    memcpy(numbers.size, at->size, sizeof numbers.size);
    const int count = subscripts(f, scope, r, i, at->rank, at->size, s);
    if (!crank_mo_ok(f) || !crank_mo_value_take(f, &numbers, r->place)) {
        return none;
    }
    for (int k = 0; k < numbers.count; k++) {
        numbers.ex[k] = k; /* not expressions here: which items are meant */
    }
    bool known = true;
    for (int d = 0; d < count; d++) {
        known = known && (s[d].all || s[d].index != NULL);
    }
    numbers = known ? crank_mo_take(f, &numbers, count, s, r->place) : numbers;
    crank_mo_value *list = crank_mo_new(f, (size_t)numbers.count, sizeof *list);
    for (int k = 0; k < numbers.count && crank_mo_ok(f); k++) {
        list[k] = in_instance(f, scope, r, i, at->item[numbers.ex[k]]);
    }
    if (!crank_mo_ok(f)) {
        return none;
    }
    if (numbers.rank == 0) {
        return list[0];
    }
    const crank_mo_value all = crank_mo_stack(f, numbers.rank, numbers.size, list, r->place);
    return known || !crank_mo_ok(f) ? all : take_any(f, &all, count, s, r->place);
}

static void fail_component(crank_mo_flattener *f, const crank_mo_reference *r, int i,
                           const crank_mo_instance *at)
{
    const char **names = crank_mo_new(f, (size_t)at->child_count, sizeof *names);
    for (int k = 0; k < at->child_count && names != NULL; k++) {
        names[k] = at->child[k]->label;
    }
    const char *near = names != NULL ? crank_suggest(r->name[i], names, at->child_count) : NULL;
    (void)crank_mo_fail_at(f, r->place, "\"%.60s\" has no component \"%.60s\"%s%s%s", at->name,
                           r->name[i], near != NULL ? "; did you mean \"" : "",
                           near != NULL ? near : "", near != NULL ? "\"?" : "");
}

static void fail_protected(crank_mo_flattener *f, const crank_mo_reference *r, int i)
{
    (void)crank_mo_fail_at(f, r->place, "\"%.60s\" of \"%.60s\" is protected", r->name[i],
                           r->name[i - 1]);
}

/* part i of the reference is this instance, or an item of it whose subscripts are done */
static crank_mo_value in_instance(crank_mo_flattener *f, const crank_mo_scope *scope,
                                  const crank_mo_reference *r, int i, crank_mo_instance *at)
{
    crank_mo_value none = {0};
    if (!crank_mo_elaborate(f, at)) {
        return none;
    }
    if (at->absent) {
        (void)crank_mo_fail_at(f, r->place, "\"%.80s\" is not there: its condition is false",
                               at->name);
        return none;
    }
    if (at->class == NULL) {
        return in_value(f, scope, r, i, crank_mo_leaf_value(f, at));
    }
    if (at->rank > 0) {
        return in_items(f, scope, r, i, at);
    }
    if (i + 1 == r->count) {
        return crank_mo_instance_value(f, at, r->place);
    }
    crank_mo_instance *child = crank_mo_child(f, at, r->name[i + 1]);
    if (child == NULL) {
        if (crank_mo_ok(f)) {
            fail_component(f, r, i + 1, at);
        }
        return none;
    }
    if (child->protected_) {
        fail_protected(f, r, i + 1);
        return none;
    }
    return in_instance(f, scope, r, i + 1, child);
}

/* a constant of the package c, or a literal, from part i of the reference on */
static bool in_class(crank_mo_flattener *f, const crank_mo_scope *scope,
                     const crank_mo_reference *r, int i, const crank_mo_class *c,
                     crank_mo_value *out)
{
    for (; i < r->count && crank_mo_ok(f); i++) {
        for (int k = 0; c->is_enumeration && k < c->literal_count; k++) {
            if (strcmp(c->literal[k], r->name[i]) == 0 && i + 1 == r->count) {
                *out = crank_mo_number_value(f, CRANK_MO_IS_ENUMERATION, k + 1.0);
                out->of = c;
                return true;
            }
        }
        if (crank_mo_has_component(f, c, r->name[i])) {
            crank_mo_instance *package = crank_mo_package(f, c);
            crank_mo_instance *at =
                package != NULL ? crank_mo_child(f, package, r->name[i]) : NULL;
            if (at != NULL && at->variability != CRANK_MO_CONSTANT) {
                (void)crank_mo_fail_at(f, r->place,
                                       "\"%.60s\" of class %.60s is no constant; only a "
                                       "component of it can be used",
                                       r->name[i], c->name);
            }
            *out = at != NULL && crank_mo_ok(f) ? in_instance(f, scope, r, i, at) : *out;
            return crank_mo_ok(f);
        }
        const crank_mo_class *next = crank_mo_class_in(f, c, r->name[i]);
        if (next == NULL) {
            return false;
        }
        c = next;
    }
    return false;
}

static void fail_name(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_reference *r)
{
    const crank_mo_instance *at = scope->instance;
    const int count = at != NULL ? at->child_count : 0;
    const char **names = crank_mo_new(f, (size_t)count, sizeof *names);
    for (int k = 0; k < count && names != NULL; k++) {
        names[k] = at->child[k]->label;
    }
    const char *near = names != NULL ? crank_suggest(r->name[0], names, count) : NULL;
    const bool standard = strcmp(r->name[0], "Modelica") == 0;
    (void)crank_mo_fail_at(f, r->place, "\"%.80s%s%.80s\" is not declared%s%s%s", r->name[0],
                           r->count > 1 ? "." : "", r->count > 1 ? r->name[1] : "",
                           standard       ? CRANK_MO_STANDARD_LIBRARY
                           : near != NULL ? "; did you mean \""
                                          : "",
                           near != NULL && !standard ? near : "",
                           near != NULL && !standard ? "\"?" : "");
}

/* a constant that an import names */
static crank_mo_value imported(crank_mo_flattener *f, const crank_mo_scope *scope,
                               const crank_mo_reference *r, const crank_mo_class *package,
                               const char *constant)
{
    crank_mo_value v = {0};
    crank_mo_reference own = *r;
    own.name = crank_mo_new(f, (size_t)r->count, sizeof *own.name);
    if (own.name == NULL) {
        return v;
    }
    memcpy(own.name, r->name, (size_t)r->count * sizeof *own.name);
    own.name[0] = constant;
    (void)in_class(f, scope, &own, 0, package, &v);
    return v;
}

/* constants of the classes around, and of packages */
static crank_mo_value around(crank_mo_flattener *f, const crank_mo_scope *scope,
                             const crank_mo_reference *r)
{
    crank_mo_value v = {0};
    crank_mo_found found;
    for (const crank_mo_class *c = r->global ? NULL : scope->lexical;
         c != NULL && crank_mo_ok(f); c = c->parent) {
        if (crank_mo_has_component(f, c, r->name[0]) && in_class(f, scope, r, 0, c, &v)) {
            return v;
        }
        const char *constant = NULL;
        const crank_mo_class *package = crank_mo_find_imported(f, c, r->name[0], &constant);
        if (package != NULL) {
            return imported(f, scope, r, package, constant);
        }
        if (r->count == 1 && crank_mo_find_import(f, c, r->name[0], &found)) {
            break;
        }
    }
    crank_mo_reference first = *r;
    first.count = 1;
    if (crank_mo_ok(f) && crank_mo_find_class(f, scope, &first, &found, false) &&
        found.class != NULL && r->count > 1 && in_class(f, scope, r, 1, found.class, &v)) {
        return v;
    }
    if (crank_mo_ok(f)) {
        fail_name(f, scope, r);
    }
    return v;
}

crank_mo_value crank_mo_reference_value(crank_mo_flattener *f, const crank_mo_scope *scope,
                                        const crank_mo_reference *r)
{
    crank_mo_value v = {0};
    for (crank_mo_local *l = scope->local; l != NULL && !r->global; l = l->next) {
        if (strcmp(l->name, r->name[0]) == 0) {
            if (!l->set) {
                (void)crank_mo_fail_at(f, r->place, "\"%.80s\" has no value yet", l->name);
                return v;
            }
            return in_value(f, scope, r, 0, l->value);
        }
    }
    if (scope->instance != NULL && !r->global) {
        crank_mo_instance *at = crank_mo_child(f, scope->instance, r->name[0]);
        if (at != NULL) {
            return in_instance(f, scope, r, 0, at);
        }
    }
    if (scope->around != NULL && !r->global && crank_mo_ok(f)) { /* of a function: constants */
        crank_mo_instance *at = crank_mo_child(f, scope->around, r->name[0]);
        if (at != NULL && (at->variability == CRANK_MO_CONSTANT || at->constant)) {
            return in_instance(f, scope, r, 0, at);
        }
    }
    if (crank_mo_ok(f) && r->count == 1 && !r->global && strcmp(r->name[0], "time") == 0 &&
        r->subscript_count[0] == 0) {
        if (crank_mo_in_function(scope)) {
            (void)crank_mo_fail_at(f, r->place, "time in a function: hand it in as an input");
        }
        return crank_mo_scalar(f, CRANK_MO_IS_REAL, f->flat->t);
    }
    return crank_mo_ok(f) ? around(f, scope, r) : v;
}

/* ---- what connect joins ---- */

static void select_in(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_reference *r, int i, crank_mo_instance *at,
                      crank_mo_selection *out);

static void select_one(crank_mo_flattener *f, crank_mo_instance *at, int entry,
                       crank_mo_selection *out)
{
    crank_mo_selected *more =
        crank_store_grow(f->store, out->item, out->count, &out->capacity, sizeof *out->item);
    if (more == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    out->item = more;
    out->item[out->count++] = (crank_mo_selected){at, entry};
}

/* part i + 1 of the reference, a component of at; or at itself */
static void select_next(crank_mo_flattener *f, const crank_mo_scope *scope,
                        const crank_mo_reference *r, int i, crank_mo_instance *at,
                        crank_mo_selection *out)
{
    if (i + 1 == r->count) {
        select_one(f, at, -1, out);
        return;
    }
    crank_mo_instance *child = crank_mo_child(f, at, r->name[i + 1]);
    if (child != NULL && child->protected_) {
        fail_protected(f, r, i + 1);
    } else if (child != NULL) {
        select_in(f, scope, r, i + 1, child, out);
    } else if (crank_mo_ok(f)) {
        fail_component(f, r, i + 1, at);
    }
}

static void select_in(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_reference *r, int i, crank_mo_instance *at,
                      crank_mo_selection *out)
{
    crank_mo_subscript s[CRANK_MO_RANK];
    crank_mo_value numbers = {.type = CRANK_MO_IS_INTEGER};
    if (!crank_mo_elaborate(f, at) || at->absent) {
        out->absent = out->absent || at->absent;
        return;
    }
    numbers.rank = at->rank;
    memcpy(numbers.size, at->size, sizeof numbers.size);
    const int count = subscripts(f, scope, r, i, at->rank, at->size, s);
    for (int d = 0; d < count && crank_mo_ok(f); d++) {
        (void)crank_mo_is_known(f, &s[d], r->place);
    }
    if (!crank_mo_ok(f) || !crank_mo_value_take(f, &numbers, r->place)) {
        return;
    }
    for (int k = 0; k < numbers.count; k++) {
        numbers.ex[k] = k; /* which items are meant */
    }
    numbers = crank_mo_take(f, &numbers, count, s, r->place);
    for (int d = 0; d < numbers.rank && out->count == 0 && crank_mo_ok(f); d++) {
        if (out->rank == CRANK_MO_RANK) {
            (void)crank_mo_fail_at(f, r->place, "an array of more than %d dimensions",
                                   CRANK_MO_RANK);
            return;
        }
        out->size[out->rank++] = numbers.size[d];
    }
    if (at->class == NULL && i + 1 < r->count && crank_mo_ok(f)) {
        (void)crank_mo_fail_at(f, r->place, "\"%.80s\" has no components", at->name);
    }
    for (int k = 0; k < numbers.count && crank_mo_ok(f); k++) {
        if (at->class == NULL) {
            select_one(f, at, numbers.ex[k], out);
        } else {
            select_next(f, scope, r, i, at->rank > 0 ? at->item[numbers.ex[k]] : at, out);
        }
    }
}

bool crank_mo_select(crank_mo_flattener *f, const crank_mo_scope *scope,
                     const crank_mo_reference *r, crank_mo_selection *out)
{
    *out = (crank_mo_selection){0};
    crank_mo_instance *at = crank_mo_child(f, scope->instance, r->name[0]);
    if (at != NULL) {
        select_in(f, scope, r, 0, at, out);
    } else if (crank_mo_ok(f)) {
        fail_component(f, r, 0, scope->instance);
    }
    return crank_mo_ok(f);
}
