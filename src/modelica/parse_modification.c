/* parse_modification.c - modifications, comments and annotations (Modelica 3.6, A.2.5,
 * A.2.7). */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/parse_class.h"

#include <string.h>

static crank_mo_modification *make(crank_mo_parser *p)
{
    crank_mo_modification *m = crank_mo_make(p, sizeof *m);
    if (m != NULL) {
        m->place = crank_mo_peek(p, 0)->place;
    }
    return m;
}

/* redeclare [each] [final] a class or a component, or replaceable in the same places */
static void redeclaration(crank_mo_parser *p, crank_mo_argument *a)
{
    crank_mo_element *e = crank_mo_make(p, sizeof *e);
    if (e == NULL) {
        return;
    }
    e->place = crank_mo_peek(p, 0)->place;
    e->redeclare = crank_mo_accept(p, "redeclare");
    a->each = crank_mo_accept(p, "each");
    a->final = crank_mo_accept(p, "final");
    e->replaceable = crank_mo_accept(p, "replaceable");
    if (!e->redeclare) {
        crank_mo_refuse(p, e->place, "replaceable in a modification without redeclare");
    }
    if (crank_mo_begins_class(p)) {
        crank_mo_nested_class(p, e, NULL);
    } else {
        crank_mo_components(p, e, NULL);
    }
    if (crank_mo_accept(p, "constrainedby")) {
        (void)crank_mo_type_name(p);
        if (crank_mo_is(p, "(")) {
            (void)crank_mo_class_modification(p);
        }
    }
    (void)crank_mo_comment(p, NULL);
    a->redeclared = e;
    a->name = e->name;
}

/* a.b.c(...) = v as a(b(c(...) = v)) */
static void named(crank_mo_parser *p, crank_mo_argument *a)
{
    a->name = crank_mo_expect_name(p, "the name of what is modified");
    if (crank_mo_is(p, ".") && crank_mo_enter(p)) {
        crank_mo_argument *inner = crank_mo_make(p, sizeof *inner);
        a->modification = make(p);
        p->at++;
        if (inner != NULL && a->modification != NULL) {
            inner->place = crank_mo_peek(p, 0)->place;
            inner->each = a->each;
            named(p, inner);
            (void)crank_mo_append(p, &a->modification->argument, &a->modification->count,
                                  &a->modification->capacity, inner);
        }
        crank_mo_leave(p);
        return;
    }
    a->modification = crank_mo_modification_of(p);
    if (a->modification == NULL) {
        a->modification = make(p);
    }
}

static void argument(crank_mo_parser *p, crank_mo_modification *m)
{
    crank_mo_argument *a = crank_mo_make(p, sizeof *a);
    if (a == NULL) {
        return;
    }
    a->place = crank_mo_peek(p, 0)->place;
    if (crank_mo_is(p, "redeclare") || crank_mo_is(p, "replaceable")) {
        redeclaration(p, a);
    } else {
        a->each = crank_mo_accept(p, "each");
        a->final = crank_mo_accept(p, "final");
        named(p, a);
        (void)crank_mo_comment(p, NULL);
    }
    for (int i = 0; i < m->count && p->status == CRANK_OK; i++) {
        const crank_mo_argument *other = m->argument[i];
        if (strcmp(other->name, a->name) == 0 && a->modification != NULL &&
            other->modification != NULL && a->modification->value != NULL &&
            other->modification->value != NULL) {
            p->status = crank_fail_at(p->err, CRANK_EMODEL, a->place.line, a->place.column,
                                      "\"%.80s\" is modified twice", a->name);
        }
    }
    (void)crank_mo_append(p, &m->argument, &m->count, &m->capacity, a);
}

crank_mo_modification *crank_mo_class_modification(crank_mo_parser *p)
{
    crank_mo_modification *m = make(p);
    if (m == NULL || !crank_mo_enter(p)) {
        return NULL;
    }
    (void)crank_mo_expect(p, "(", "");
    while (p->status == CRANK_OK && !crank_mo_is(p, ")")) {
        argument(p, m);
        if (!crank_mo_accept(p, ",")) {
            break;
        }
    }
    (void)crank_mo_expect(p, ")", "behind a modification");
    crank_mo_leave(p);
    return p->status == CRANK_OK ? m : NULL;
}

crank_mo_modification *crank_mo_modification_of(crank_mo_parser *p)
{
    crank_mo_modification *m = NULL;
    if (crank_mo_is(p, "(")) {
        m = crank_mo_class_modification(p);
        if (m == NULL) {
            return NULL;
        }
    }
    if (crank_mo_is(p, "=") || crank_mo_is(p, ":=")) {
        m = m != NULL ? m : make(p);
        p->at++;
        if (m != NULL) {
            m->value = crank_mo_expression_of(p);
        }
    }
    return p->status == CRANK_OK ? m : NULL;
}

const char *crank_mo_text_comment(crank_mo_parser *p)
{
    const char *text = NULL;
    while (crank_mo_peek(p, 0)->kind == CRANK_MO_TEXT) {
        text = text == NULL ? crank_mo_peek(p, 0)->text : text;
        p->at++;
        if (!crank_mo_accept(p, "+")) {
            break;
        }
    }
    return text;
}

/* An annotation has no meaning for the motion, but for `experiment` and `__crank`; names of
 * other programs may hold anything. */
const char *crank_mo_comment(crank_mo_parser *p, crank_mo_modification **annotation)
{
    const char *text = crank_mo_text_comment(p);
    if (crank_mo_accept(p, "annotation")) {
        crank_mo_modification *m = crank_mo_class_modification(p);
        if (annotation != NULL) {
            *annotation = m;
        }
    }
    return text;
}
