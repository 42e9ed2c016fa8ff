/* modify.c - what modifies a component (Modelica 3.6, chapter 7): lists of modifications, the
 * outermost first, which are the stronger ones. Where a modification is made for an array of
 * components each of them takes its own element of the value, unless `each` stands before it,
 * or the value is a scalar. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

static crank_mo_environment *make(crank_mo_flattener *f, const crank_mo_environment *like)
{
    crank_mo_environment *e = crank_mo_new(f, 1, sizeof *e);
    if (e != NULL) {
        *e = *like;
        e->next = NULL;
    }
    return e;
}

static const crank_mo_environment *add(crank_mo_flattener *f,
                                       const crank_mo_environment *stronger,
                                       const crank_mo_modification *m,
                                       const crank_mo_scope *scope, bool inherited)
{
    if (m == NULL) {
        return stronger;
    }
    const crank_mo_environment last = {
        .modification = m, .scope = *scope, .inherited = inherited};
    crank_mo_environment *first = NULL, **end = &first;
    for (const crank_mo_environment *e = stronger; e != NULL && crank_mo_ok(f); e = e->next) {
        *end = make(f, e);
        end = *end != NULL ? &(*end)->next : end;
    }
    *end = make(f, &last);
    return first;
}

const crank_mo_environment *crank_mo_environment_add(crank_mo_flattener *f,
                                                     const crank_mo_environment *stronger,
                                                     const crank_mo_modification *m,
                                                     const crank_mo_scope *scope)
{
    return add(f, stronger, m, scope, false);
}

const crank_mo_environment *crank_mo_environment_inherit(crank_mo_flattener *f,
                                                         const crank_mo_environment *stronger,
                                                         const crank_mo_modification *m,
                                                         const crank_mo_scope *scope)
{
    return add(f, stronger, m, scope, true);
}

void crank_mo_fail_final(crank_mo_flattener *f, crank_mo_place place, const char *name)
{
    (void)crank_mo_fail_at(f, place, "\"%.80s\" is final and cannot be modified", name);
}

void crank_mo_fail_replaceable(crank_mo_flattener *f, crank_mo_place place, const char *name)
{
    (void)crank_mo_fail_at(f, place, "\"%.80s\" is not replaceable and cannot be redeclared",
                           name);
}

const crank_mo_environment *
crank_mo_environment_of(crank_mo_flattener *f, const crank_mo_environment *e, const char *name)
{
    crank_mo_environment *first = NULL, **end = &first;
    for (; e != NULL; e = e->next) {
        for (int i = 0; i < e->modification->count; i++) {
            const crank_mo_argument *a = e->modification->argument[i];
            if (strcmp(a->name, name) != 0) {
                continue;
            }
            if (a->final && first != NULL && first->modification != a->modification) {
                crank_mo_fail_final(f, first->modification->place, name);
                return first;
            }
            crank_mo_environment item = *e;
            item.modification =
                a->redeclared != NULL ? a->redeclared->modification : a->modification;
            item.count = a->each ? 0 : e->count;
            item.inherited = false; /* a.b of a class is as far from outside */
            if (item.modification == NULL) {
                continue;
            }
            *end = make(f, &item);
            if (*end == NULL) {
                return first;
            }
            end = &(*end)->next;
        }
    }
    return first;
}

const crank_mo_environment *crank_mo_environment_at(crank_mo_flattener *f,
                                                    const crank_mo_environment *e, int rank,
                                                    const int *size, const int *index)
{
    crank_mo_environment *first = NULL, **end = &first;
    for (; e != NULL; e = e->next) {
        *end = make(f, e);
        if (*end == NULL) {
            return first;
        }
        for (int d = 0; d < rank && (*end)->count < CRANK_MO_RANK; d++) {
            (*end)->size[(*end)->count] = size[d];
            (*end)->index[(*end)->count++] = index[d];
        }
        end = &(*end)->next;
    }
    return first;
}

const crank_mo_argument *crank_mo_redeclaration(const crank_mo_environment *e, const char *name,
                                                const crank_mo_environment **where)
{
    for (; e != NULL; e = e->next) {
        for (int i = 0; i < e->modification->count; i++) {
            const crank_mo_argument *a = e->modification->argument[i];
            if (a->redeclared != NULL && strcmp(a->name, name) == 0) {
                *where = e;
                return a;
            }
        }
    }
    return NULL;
}

const crank_mo_environment *crank_mo_given(const crank_mo_environment *e)
{
    while (e != NULL && e->modification->value == NULL) {
        e = e->next;
    }
    return e;
}

crank_mo_value crank_mo_given_value(crank_mo_flattener *f, const crank_mo_environment *given)
{
    const crank_mo_place place = given->modification->value->place;
    crank_mo_value v = crank_mo_translate(f, &given->scope, given->modification->value);
    if (given->count == 0 || v.rank == 0 || !crank_mo_ok(f)) {
        return v;
    }
    crank_mo_subscript s[CRANK_MO_RANK];
    for (int d = 0; d < given->count && d < v.rank; d++) {
        if (v.size[d] != given->size[d]) {
            (void)crank_mo_fail_at(f, place,
                                   "a value of %d entries for an array of %d components; "
                                   "`each` before the name gives all of it to each",
                                   v.size[d], given->size[d]);
            return v;
        }
    }
    for (int d = 0; d < given->count; d++) {
        s[d] = (crank_mo_subscript){.count = 1, .index = &given->index[d]};
    }
    return crank_mo_take(f, &v, given->count, s, place);
}

void crank_mo_check_modified(crank_mo_flattener *f, const crank_mo_instance *i)
{
    for (const crank_mo_environment *e = i->environment; e != NULL && crank_mo_ok(f);
         e = e->next) {
        for (int k = 0; k < e->modification->count && crank_mo_ok(f); k++) {
            const crank_mo_argument *a = e->modification->argument[k];
            const int child = crank_index_find(&i->by_name, a->name);
            bool found = child >= 0;
            if (found && !e->inherited && i->child[child]->protected_) {
                (void)crank_mo_fail_at(f, a->place,
                                       "\"%.60s\" of %.60s is protected and cannot be "
                                       "modified from outside",
                                       a->name, i->class != NULL ? i->class->name : i->name);
            }
            for (int p = 0; p < i->part_count && !found; p++) {
                found = crank_mo_class_in(f, i->part[p].class, a->name) != NULL;
            }
            if (!found) {
                (void)crank_mo_fail_at(f, a->place, "%.60s has no component \"%.60s\"",
                                       i->class != NULL ? i->class->name : i->name, a->name);
            }
        }
    }
}
