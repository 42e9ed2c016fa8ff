/* instance.c - the tree of components of a model (Modelica 3.6, chapters 4 and 7).
 *
 * A component begins as a name with its declaration and what modifies it; its type, size and
 * components are found when it is asked for. What it depends on is then found the same way, so
 * that declarations may come in any order; a circle is an error. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include "base/grow.h"

#include <string.h>

static const long component_work = 20; /* a component costs as much as these expressions */

crank_mo_instance *crank_mo_instance_make(crank_mo_flattener *f, crank_mo_instance *parent,
                                          const crank_mo_class *c,
                                          const crank_mo_environment *environment,
                                          const char *name)
{
    f->work += component_work;
    if (f->work > f->work_most) {
        (void)crank_mo_fail_at(f, c != NULL ? c->place : (crank_mo_place){0},
                               "the model is too large: its components are too many");
        return NULL;
    }
    crank_mo_instance *i = crank_mo_new(f, 1, sizeof *i);
    if (i != NULL) {
        *i = (crank_mo_instance){.name = name,
                                 .label = name,
                                 .parent = parent,
                                 .class = c,
                                 .environment = environment,
                                 .variability = CRANK_MO_CONTINUOUS,
                                 .count = 1,
                                 .first = -1};
        if (c != NULL) {
            i->place = c->place;
        }
    }
    return i;
}

/* ---- components of a class ---- */

static void add_child(crank_mo_flattener *f, crank_mo_instance *i, const crank_mo_class *c,
                      const crank_mo_element *e, const crank_mo_environment *environment,
                      bool hidden)
{
    const crank_mo_scope scope = {.instance = i, .lexical = c};
    const int known = crank_index_find(&i->by_name, e->name);
    if (known >= 0 && i->child[known]->element == e) {
        return; /* inherited twice */
    }
    if (known >= 0) {
        (void)crank_mo_fail_at(f, e->place,
                               "\"%.80s\" is declared in %.60s and in a base of it", e->name,
                               i->class->name);
        return;
    }
    const char *name = i->parent == NULL && !i->package
                           ? e->name
                           : crank_store_print(f->store, "%s.%s", i->name, e->name);
    crank_mo_instance *child = crank_mo_instance_make(f, i, NULL, NULL, name);
    crank_mo_instance **more = crank_store_grow(f->store, i->child, i->child_count,
                                                &i->child_capacity, sizeof *i->child);
    if (child == NULL || more == NULL || name == NULL ||
        !crank_index_add(&i->by_name, f->store, e->name, i->child_count)) {
        crank_mo_fail_memory(f);
        return;
    }
    i->child = more;
    i->child[i->child_count++] = child;
    child->label = e->name;
    child->place = e->place;
    child->element = e;
    child->lexical = c;
    child->protected_ = hidden || e->hidden;
    const crank_mo_environment *where = NULL;
    const bool replaced = crank_mo_redeclaration(environment, e->name, &where) != NULL;
    const crank_mo_environment *own = crank_mo_environment_of(f, environment, e->name);
    if (e->final && own != NULL) {
        crank_mo_fail_final(f, own->modification->place, e->name);
    }
    if (e->outer && !e->inner && (own != NULL || e->modification != NULL)) {
        (void)crank_mo_fail_at(
            f, own != NULL ? own->modification->place : e->modification->place,
            "\"%.60s\" is outer: modify the inner component that it is", e->name);
    }
    if (!replaced || !e->constrained) { /* else only those of constrainedby stay */
        own = crank_mo_environment_add(f, own, e->modification, &scope);
    }
    child->environment = crank_mo_environment_add(f, own, e->constraint, &scope);
}

/* hidden: all of it is protected */
static void add_parts(crank_mo_flattener *f, crank_mo_instance *i, const crank_mo_class *c,
                      const crank_mo_environment *environment, bool hidden);

static void add_base(crank_mo_flattener *f, crank_mo_instance *i, const crank_mo_class *c,
                     const crank_mo_element *e, const crank_mo_environment *environment,
                     bool hidden)
{
    const crank_mo_scope scope = {.instance = c->is_short && i->package ? NULL : i,
                                  .lexical = c->is_short ? c->parent : c};
    crank_mo_found base;
    if (!crank_mo_base(f, c, e, &base)) {
        return;
    }
    if (base.class == NULL || base.class->is_enumeration) {
        (void)crank_mo_fail_at(f, e->place,
                               "a class that extends a type of the language; write type %.40s "
                               "= ...",
                               c->name);
        return;
    }
    if (i->package) {
        base.class = crank_mo_base_seen_from(f, base.class, i->class);
    }
    add_parts(f, i, base.class,
              crank_mo_environment_add(f, environment, e->modification, &scope),
              hidden || e->hidden);
}

static void add_parts(crank_mo_flattener *f, crank_mo_instance *i, const crank_mo_class *c,
                      const crank_mo_environment *environment, bool hidden)
{
    if (!crank_mo_go_down(f, c->place, "bases of classes")) {
        return;
    }
    crank_mo_replace_classes(f, i, c, environment);
    const crank_mo_environment *of_bases = crank_mo_redeclare_in_bases(f, i, c, environment);
    for (int k = 0; k < c->element_count && crank_mo_ok(f); k++) {
        const crank_mo_element *e = c->element[k];
        if (e->kind == CRANK_MO_EXTENDS) {
            add_base(f, i, c, e, of_bases, hidden);
        } else if (e->kind == CRANK_MO_COMPONENT && !e->redeclare) {
            add_child(f, i, c, e, environment, hidden);
        }
    }
    for (int k = 0; k < c->element_count && crank_mo_ok(f); k++) {
        const crank_mo_element *e = c->element[k];
        if (e->redeclare && e->kind == CRANK_MO_COMPONENT &&
            crank_index_find(&i->by_name, e->name) < 0) {
            (void)crank_mo_fail_at(
                f, e->place, "redeclare of \"%.60s\": no base has such a component", e->name);
        }
    }
    crank_mo_part *more =
        crank_store_grow(f->store, i->part, i->part_count, &i->part_capacity, sizeof *i->part);
    if (more == NULL) {
        crank_mo_fail_memory(f);
    } else {
        i->part = more;
        i->part[i->part_count++] = (crank_mo_part){c, environment};
    }
    f->depth--;
}

/* ---- the type of a component ---- */

typedef struct typed {
    crank_mo_found found;
    const crank_mo_environment *environment;
    int rank;
    int size[CRANK_MO_RANK];    /* -1: from the value */
    int same_as[CRANK_MO_RANK]; /* the dimension that it is equal to; -1: none */
} typed;

/* size(A, 1) in the declaration of A itself: A[:, size(A, 1)] is as many columns as rows. The
 * dimension that is meant, from 0; -1: it is something else. */
static int own_size(const crank_mo_expression *e, const char *own)
{
    const bool call = e->kind == CRANK_MO_CALL && own != NULL && e->count == 2 &&
                      e->reference->count == 1 && strcmp(e->reference->name[0], "size") == 0;
    const crank_mo_expression *what = call ? e->item[0] : NULL;
    return what != NULL && what->kind == CRANK_MO_NAME && what->reference->count == 1 &&
                   strcmp(what->reference->name[0], own) == 0 &&
                   what->reference->subscript_count[0] == 0 &&
                   e->item[1]->kind == CRANK_MO_NUMBER && e->item[1]->number >= 1.0 &&
                   e->item[1]->number <= CRANK_MO_RANK
               ? (int)e->item[1]->number - 1
               : -1;
}

/* own: the name of what is declared; NULL: a class */
static void add_dimensions(crank_mo_flattener *f, const crank_mo_scope *scope, const char *own,
                           int count, crank_mo_expression *const *dimension, typed *t)
{
    for (int d = 0; d < count && crank_mo_ok(f); d++) {
        const crank_mo_expression *e = dimension[d];
        int size = -1;
        if (t->rank == CRANK_MO_RANK) {
            (void)crank_mo_fail_at(f, e->place, "an array of more than %d dimensions",
                                   CRANK_MO_RANK);
            return;
        }
        crank_mo_value literals;
        t->same_as[t->rank] = own_size(e, own);
        if (t->same_as[t->rank] >= 0) {
            t->size[t->rank++] = -1;
            continue;
        }
        if (e->kind != CRANK_MO_ALL && crank_mo_literals(f, scope, e, &literals) &&
            literals.type == CRANK_MO_IS_ENUMERATION) {
            size = literals.count;
        } else if (e->kind != CRANK_MO_ALL) {
            const crank_mo_value v = crank_mo_translate(f, scope, e);
            if (crank_mo_whole(f, &v, &size, e->place, "size of an array") && size < 0) {
                (void)crank_mo_fail_at(f, e->place, "size of an array: %d", size);
            }
        }
        t->size[t->rank++] = size;
    }
}

bool crank_mo_has_part(const crank_mo_instance *i, const crank_mo_class *c)
{
    for (int k = 0; k < i->part_count; k++) {
        if (i->part[k].class == c) {
            return true;
        }
    }
    return false;
}

/* class A = B[n](...), as long as it is one */
static void follow_short(crank_mo_flattener *f, crank_mo_instance *i, typed *t)
{
    for (int k = 0; crank_mo_ok(f) && t->found.class != NULL && t->found.class->is_short &&
                    !t->found.class->is_enumeration;
         k++) {
        const crank_mo_class *c = t->found.class;
        const crank_mo_element *e = c->element[0];
        const crank_mo_scope scope = {
            .instance =
                i->parent != NULL && crank_mo_has_part(i->parent, c->parent) ? i->parent : NULL,
            .lexical = c->parent};
        if (k > CRANK_MO_NESTING) {
            (void)crank_mo_fail_at(f, c->place, "class \"%.60s\" is defined by itself",
                                   c->name);
            return;
        }
        i->connector = i->connector || c->restriction == CRANK_MO_CONNECTOR;
        if (c->restriction == CRANK_MO_CONNECTOR && i->causality == CRANK_MO_LOCAL) {
            i->causality = c->base_input    ? CRANK_MO_INPUT
                           : c->base_output ? CRANK_MO_OUTPUT
                                            : CRANK_MO_LOCAL;
        }
        t->environment =
            crank_mo_environment_inherit(f, t->environment, e->modification, &scope);
        add_dimensions(f, &scope, NULL, c->dimension_count, c->dimension, t);
        if (!crank_mo_base(f, c, e, &t->found)) {
            return;
        }
    }
}

static bool find_type(crank_mo_flattener *f, crank_mo_instance *i, typed *t)
{
    const crank_mo_element *e = i->element;
    crank_mo_scope scope = {.instance = i->parent, .lexical = i->lexical};
    const crank_mo_environment *outer = NULL, *where = NULL;
    for (int k = 0; k < i->parent->part_count; k++) {
        if (i->parent->part[k].class == i->lexical) {
            outer = i->parent->part[k].environment;
        }
    }
    const crank_mo_argument *a = crank_mo_redeclaration(outer, i->label, &where);
    *t = (typed){.environment = i->environment};
    add_dimensions(f, &scope, i->label, e->dimension_count, e->dimension, t);
    if (a != NULL) {
        if (!e->replaceable) {
            crank_mo_fail_replaceable(f, a->place, i->label);
            return false;
        }
        if (a->redeclared->kind != CRANK_MO_COMPONENT) {
            (void)crank_mo_fail_at(f, a->place, "redeclare of component \"%.60s\" by a class",
                                   i->label);
            return false;
        }
        if (a->redeclared->dimension_count > 0) {
            (void)crank_mo_fail_at(f, a->place,
                                   "redeclare of a component with other sizes: "
                                   "not supported");
            return false;
        }
        e = a->redeclared;
        scope = where->scope;
    }
    if (!crank_mo_find_class(f, &scope, e->type, &t->found, true)) {
        return false;
    }
    for (const crank_mo_environment *more = t->found.environment; more != NULL;
         more = more->next) {
        t->environment =
            crank_mo_environment_add(f, t->environment, more->modification, &more->scope);
    }
    follow_short(f, i, t);
    return crank_mo_ok(f);
}

/* ---- leaves ---- */

static const char *entry_name(crank_mo_flattener *f, const crank_mo_instance *i, int entry)
{
    int index[CRANK_MO_RANK];
    for (int d = i->rank - 1; d >= 0; d--) {
        index[d] = entry % i->size[d] + 1;
        entry /= i->size[d];
    }
    crank_text list = {0};
    for (int d = 0; d < i->rank; d++) {
        crank_text_append(&list, "%s%d", d > 0 ? "," : "", index[d]);
    }
    const char *name = i->rank == 0 ? i->name
                                    : crank_store_print(f->store, "%s[%s]", i->name,
                                                        list.data != NULL ? list.data : "");
    const bool failed = list.failed;
    crank_text_free(&list);
    if (name == NULL || failed) {
        crank_mo_fail_memory(f);
    }
    return name;
}

/* A parameter with fixed = false is a variable that does not change: der(p) = 0. */
static bool is_free(crank_mo_flattener *f, const crank_mo_instance *i)
{
    const crank_mo_environment *given =
        i->variability == CRANK_MO_PARAMETER && i->type == CRANK_MO_IS_REAL
            ? crank_mo_given(crank_mo_environment_of(f, i->environment, "fixed"))
            : NULL;
    const crank_mo_value v =
        given != NULL ? crank_mo_given_value(f, given) : (crank_mo_value){0};
    double number = 1.0;
    return given != NULL && crank_mo_ok(f) && v.type == CRANK_MO_IS_BOOLEAN && v.rank == 0 &&
           crank_mo_is_parametric(f, v.ex[0]) && crank_mo_number_of(f, v.ex[0], &number) &&
           number == 0.0;
}

/* A constant with a unit, of a model, is a parameter that cannot be set, so that its unit is seen
 * in equations: `unitVoltage` = 1 V. */
static void keep_unit(crank_mo_flattener *f, crank_mo_instance *i)
{
    const crank_mo_class *around = i->parent->class;
    if (i->variability == CRANK_MO_CONSTANT && i->type == CRANK_MO_IS_REAL &&
        !i->parent->package && around != NULL && around->restriction <= CRANK_MO_BLOCK &&
        crank_mo_given(crank_mo_environment_of(f, i->environment, "unit")) != NULL) {
        i->variability = CRANK_MO_PARAMETER;
        i->constant = true;
    }
}

static void make_leaf(crank_mo_flattener *f, crank_mo_instance *i, const typed *t)
{
    const bool text = t->found.class == NULL && t->found.builtin == CRANK_MO_IS_STRING;
    i->type = t->found.class != NULL ? CRANK_MO_IS_ENUMERATION : t->found.builtin;
    i->enumeration = t->found.class;
    keep_unit(f, i);
    i->free = !i->constant && is_free(f, i);
    i->variability = i->free ? CRANK_MO_CONTINUOUS : i->variability;
    for (int d = 0; d < i->rank; d++) {
        if (i->size[d] < 0) { /* Real x[:] = ... */
            crank_mo_value v;
            i->rank = -1; /* nothing to compare with yet */
            if (!crank_mo_declared_value(f, i, &v) || v.rank != t->rank) {
                (void)crank_mo_fail_at(f, i->place, "\"%.80s\": its size follows from no value",
                                       i->name);
                i->rank = 0;
                return;
            }
            i->rank = v.rank;
            memcpy(i->size, v.size, sizeof i->size);
        }
    }
    for (int d = 0; d < i->rank && crank_mo_ok(f); d++) {
        const int other = t->same_as[d];
        if (other >= 0 && (other >= i->rank || i->size[d] != i->size[other])) {
            (void)crank_mo_fail_at(f, i->place,
                                   "\"%.80s\": dimension %d is declared as long as %d", i->name,
                                   d + 1, other + 1);
        }
    }
    crank_mo_value shape = {.rank = i->rank};
    memcpy(shape.size, i->size, sizeof shape.size);
    if (!crank_mo_ok(f) || !crank_mo_value_take(f, &shape, i->place)) {
        return;
    }
    i->count = shape.count;
    f->scalars += i->count;
    if (f->scalars > CRANK_MO_SCALARS) {
        (void)crank_mo_fail_at(f, i->place, "more than %d variables and parameters",
                               CRANK_MO_SCALARS);
        return;
    }
    if (text || i->variability == CRANK_MO_CONSTANT) {
        if (text && (i->rank > 0 || i->variability > CRANK_MO_PARAMETER)) {
            (void)crank_mo_fail_at(f, i->place,
                                   "\"%.80s\": a String that is no scalar parameter or "
                                   "constant: not supported",
                                   i->name);
        }
        return;
    }
    i->symbol = shape.ex;
    for (int k = 0; k < i->count && crank_mo_ok(f); k++) {
        const char *name = entry_name(f, i, k);
        if (name != NULL) {
            i->symbol[k] = crank_ex_symbol(f->pool, name);
            (void)crank_mo_own(f, i->symbol[k], i, k);
        }
    }
}

/* ---- components that are instances of classes ---- */

static void make_items(crank_mo_flattener *f, crank_mo_instance *i)
{
    crank_mo_value shape = {.rank = i->rank};
    memcpy(shape.size, i->size, sizeof shape.size);
    for (int d = 0; d < i->rank; d++) {
        if (i->size[d] < 0) {
            (void)crank_mo_fail_at(f, i->place, "\"%.80s\": an array of components needs sizes",
                                   i->name);
            return;
        }
    }
    if (!crank_mo_value_take(f, &shape, i->place)) {
        return;
    }
    i->count = shape.count;
    i->item = crank_mo_new(f, (size_t)i->count, sizeof(crank_mo_instance *));
    for (int k = 0; k < i->count && crank_mo_ok(f); k++) {
        int index[CRANK_MO_RANK], rest = k;
        for (int d = i->rank - 1; d >= 0; d--) {
            index[d] = rest % i->size[d] + 1;
            rest /= i->size[d];
        }
        crank_mo_instance *item = crank_mo_instance_make(
            f, i->parent, i->class,
            crank_mo_environment_at(f, i->environment, i->rank, i->size, index),
            entry_name(f, i, k));
        if (item == NULL) {
            return;
        }
        item->label = i->label;
        item->place = i->place;
        item->element = i->element;
        item->lexical = i->lexical;
        item->variability = i->variability;
        item->causality = i->causality;
        item->flow = i->flow;
        i->item[k] = item;
        (void)crank_mo_elaborate(f, item);
    }
}

static void make_class(crank_mo_flattener *f, crank_mo_instance *i)
{
    const crank_mo_restriction kind = i->class->restriction;
    if (!i->package && i->class->partial) {
        (void)crank_mo_fail_at(f, i->place, "\"%.60s\" is of %.60s, which is partial", i->name,
                               i->class->name);
    } else if (!i->package && (kind == CRANK_MO_FUNCTION || kind == CRANK_MO_PACKAGE)) {
        (void)crank_mo_fail_at(f, i->place, "\"%.60s\" is of %.60s, which is a %s", i->name,
                               i->class->name,
                               kind == CRANK_MO_FUNCTION ? "function" : "package");
    } else if (i->class->external != NULL && !i->package) {
        (void)crank_mo_fail_at(f, i->place, "external: not supported");
    } else {
        add_parts(f, i, i->class, i->environment, false);
        if (crank_mo_ok(f)) {
            crank_mo_check_modified(f, i);
        }
    }
}

static void make_component(crank_mo_flattener *f, crank_mo_instance *i)
{
    const crank_mo_element *e = i->element;
    const crank_mo_scope scope = {.instance = i->parent, .lexical = i->lexical};
    typed t;
    if (e->condition != NULL) {
        bool known = false, value = false;
        (void)crank_mo_condition(f, &scope, e->condition, &known, &value);
        if (crank_mo_ok(f) && !known) {
            (void)crank_mo_fail_at(f, e->condition->place,
                                   "the condition of \"%.80s\" must be known before the run",
                                   i->name);
        }
        if (!crank_mo_ok(f) || !value) {
            i->absent = true;
            return;
        }
    }
    i->variability = e->variability < i->parent->variability || i->parent->package
                         ? e->variability
                         : i->parent->variability;
    i->causality = e->causality;
    i->flow = e->flow || i->parent->flow;
    if (!find_type(f, i, &t)) {
        return;
    }
    i->environment = t.environment;
    i->rank = t.rank;
    memcpy(i->size, t.size, sizeof i->size);
    if (t.found.class == NULL || t.found.class->is_enumeration) {
        make_leaf(f, i, &t);
        return;
    }
    i->class = t.found.class;
    if (i->rank > 0) {
        make_items(f, i);
    } else {
        make_class(f, i);
    }
}

/* outer T x: the nearest inner x around */
static void find_inner(crank_mo_flattener *f, crank_mo_instance *i)
{
    for (crank_mo_instance *p = i->parent->parent; p != NULL; p = p->parent) {
        const int k = crank_index_find(&p->by_name, i->label);
        if (k >= 0 && p->child[k]->element->inner) {
            i->inner = p->child[k];
            (void)crank_mo_elaborate(f, i->inner);
            return;
        }
    }
    (void)crank_mo_fail_at(f, i->place,
                           "outer \"%.80s\": there is no inner of this name around", i->label);
}

bool crank_mo_elaborate(crank_mo_flattener *f, crank_mo_instance *i)
{
    if (i->state == CRANK_MO_DONE || !crank_mo_ok(f)) {
        return crank_mo_ok(f);
    }
    if (i->state == CRANK_MO_OPEN) {
        (void)crank_mo_fail_at(f, i->place, "the declaration of \"%.80s\" depends on itself",
                               i->name);
        return false;
    }
    if (!crank_mo_go_down(f, i->place, "components in components")) {
        return false;
    }
    i->state = CRANK_MO_OPEN;
    if (i->class != NULL) { /* the model, a package, an element of an array */
        make_class(f, i);
    } else if (i->element->outer) {
        find_inner(f, i);
    } else {
        make_component(f, i);
    }
    i->state = CRANK_MO_DONE;
    f->depth--;
    return crank_mo_ok(f);
}

crank_mo_instance *crank_mo_child(crank_mo_flattener *f, crank_mo_instance *i, const char *name)
{
    const int k = crank_index_find(&i->by_name, name);
    if (k < 0 || !crank_mo_elaborate(f, i->child[k])) {
        return NULL;
    }
    return i->child[k]->inner != NULL ? i->child[k]->inner : i->child[k];
}
