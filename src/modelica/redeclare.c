/* redeclare.c - classes that are replaced in a component (Modelica 3.6, 7.3): by a modification,
 * `redeclare model M = N(...)`, or by an element of a class that extends the one with M.
 *
 * Modifications of the declaration that is replaced hold for what replaces it, unless it says
 * `constrainedby`: then those that stand there do (7.3.2). */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

/* modifications of what is declared that its replacement keeps */
static crank_mo_modification *kept(const crank_mo_element *e)
{
    return e->constrained ? e->constraint
           : e->nested->is_short && !e->nested->is_enumeration
               ? e->nested->element[0]->modification
               : NULL;
}

/* a package or function has no place in a component: modifications are those of a class */
static const crank_mo_class *modified_class(crank_mo_flattener *f, const crank_mo_class *like,
                                            const crank_mo_class *c, crank_mo_modification *m,
                                            const crank_mo_class *around)
{
    return m != NULL && m->count > 0 ? crank_mo_wrap(f, like, c, m, around) : c;
}

static void join(crank_mo_flattener *f, crank_mo_override *o, const crank_mo_environment *more)
{
    for (; more != NULL; more = more->next) {
        o->found.environment =
            crank_mo_environment_add(f, o->found.environment, more->modification, &more->scope);
    }
}

/* redeclare model M = N(...): names of M mean N from now on */
static void replace(crank_mo_flattener *f, crank_mo_instance *i, const crank_mo_class *in,
                    const crank_mo_element *e, const crank_mo_argument *a,
                    const crank_mo_environment *where)
{
    crank_mo_override *o = crank_mo_new(f, 1, sizeof *o);
    const crank_mo_class *c = a->redeclared->nested;
    const crank_mo_scope own = {.instance = i, .lexical = in};
    if (o == NULL) {
        return;
    }
    if (c == NULL ||
        (c->parent == NULL && (!c->is_short || c->is_enumeration || c->dimension_count > 0))) {
        (void)crank_mo_fail_at(f, a->place,
                               "redeclare of class \"%.60s\" by something else than another "
                               "class, redeclare model M = N: not supported",
                               e->name);
        return;
    }
    *o = (crank_mo_override){.name = e->name, .next = i->override};
    if (c->parent != NULL) { /* an element of a class */
        o->found.class = c;
    } else if (!crank_mo_find_class(f, &where->scope, c->element[0]->type, &o->found, true)) {
        return;
    }
    crank_mo_modification *m = c->parent == NULL ? c->element[0]->modification : NULL;
    const bool of_class =
        o->found.class != NULL && (o->found.class->restriction == CRANK_MO_PACKAGE ||
                                   o->found.class->restriction == CRANK_MO_FUNCTION);
    if (of_class) {
        o->found.class = modified_class(f, c, o->found.class, kept(e), in);
        o->found.class = modified_class(f, c, o->found.class, m, where->scope.lexical);
    } else {
        const crank_mo_environment *found = o->found.environment;
        o->found.environment = crank_mo_environment_inherit(f, NULL, m, &where->scope);
        join(f, o, found);
        o->found.environment =
            crank_mo_environment_inherit(f, o->found.environment, kept(e), &own);
    }
    i->override = o;
}

void crank_mo_replace_classes(crank_mo_flattener *f, crank_mo_instance *i,
                              const crank_mo_class *c, const crank_mo_environment *environment)
{
    for (int k = 0; k < c->element_count && crank_mo_ok(f); k++) {
        const crank_mo_element *e = c->element[k];
        const crank_mo_environment *where = NULL;
        const crank_mo_argument *a = e->kind == CRANK_MO_NESTED
                                         ? crank_mo_redeclaration(environment, e->name, &where)
                                         : NULL;
        if (a != NULL && !e->replaceable) {
            crank_mo_fail_replaceable(f, a->place, e->name);
        } else if (a != NULL) {
            replace(f, i, c, e, a, where);
            continue;
        }
        const crank_mo_environment *of = e->kind == CRANK_MO_NESTED
                                             ? crank_mo_environment_of(f, environment, e->name)
                                             : NULL;
        if (of != NULL) {
            (void)crank_mo_fail_at(f, of->modification->place,
                                   "a modification of the class \"%.60s\" of %.60s: not "
                                   "supported, modify its components",
                                   e->name, c->name);
        }
    }
}

const crank_mo_environment *crank_mo_redeclare_in_bases(crank_mo_flattener *f,
                                                        crank_mo_instance *i,
                                                        const crank_mo_class *c,
                                                        const crank_mo_environment *environment)
{
    int count = 0;
    for (int k = 0; k < c->element_count; k++) {
        const crank_mo_element *e = c->element[k];
        count += e->redeclare && (e->kind == CRANK_MO_COMPONENT || !i->package) ? 1 : 0;
    }
    crank_mo_modification *m = count > 0 ? crank_mo_new(f, 1, sizeof *m) : NULL;
    crank_mo_argument *list = m != NULL ? crank_mo_new(f, (size_t)count, sizeof *list) : NULL;
    if (list == NULL) {
        return environment;
    }
    *m = (crank_mo_modification){.place = c->place, .capacity = count};
    m->argument = crank_mo_new(f, (size_t)count, sizeof(crank_mo_argument *));
    for (int k = 0; k < c->element_count && m->argument != NULL; k++) {
        crank_mo_element *e = c->element[k];
        if (e->redeclare && (e->kind == CRANK_MO_COMPONENT || !i->package)) {
            list[m->count] =
                (crank_mo_argument){.place = e->place, .name = e->name, .redeclared = e};
            m->argument[m->count] = &list[m->count];
            m->count++;
        }
    }
    const crank_mo_scope scope = {.instance = i, .lexical = c};
    return crank_mo_environment_add(f, environment, m, &scope);
}
