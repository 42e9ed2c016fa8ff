/* lookup.c - names of classes (Modelica 3.6, chapter 5): among the elements of the class that
 * the text stands in and its bases, its imports, then the classes around, then the types of the
 * language. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include "base/grow.h"
#include "base/hash.h"
#include "base/suggest.h"

#include <string.h>

/* ---- types of the language ---- */

static const char *const select_literals[] = {"never", "avoid", "default", "prefer", "always"};
static const char *const level_literals[] = {"warning", "error"};

static const crank_mo_class state_select = {.name = "StateSelect",
                                            .restriction = CRANK_MO_TYPE,
                                            .is_short = true,
                                            .is_enumeration = true,
                                            .literal_count = 5,
                                            .literal = select_literals};
static const crank_mo_class assertion_level = {.name = "AssertionLevel",
                                               .restriction = CRANK_MO_TYPE,
                                               .is_short = true,
                                               .is_enumeration = true,
                                               .literal_count = 2,
                                               .literal = level_literals};

bool crank_mo_find_builtin(const char *name, crank_mo_found *out)
{
    static const struct {
        const char *name;
        crank_mo_type type;
        const crank_mo_class *class;
    } types[] = {{"Real", CRANK_MO_IS_REAL, NULL},
                 {"Integer", CRANK_MO_IS_INTEGER, NULL},
                 {"Boolean", CRANK_MO_IS_BOOLEAN, NULL},
                 {"String", CRANK_MO_IS_STRING, NULL},
                 {"StateSelect", CRANK_MO_IS_ENUMERATION, &state_select},
                 {"AssertionLevel", CRANK_MO_IS_ENUMERATION, &assertion_level}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, name) == 0) {
            *out = (crank_mo_found){.class = types[i].class, .builtin = types[i].type};
            return true;
        }
    }
    return false;
}

/* ---- in a class ---- */

static const crank_mo_class *own_class(const crank_mo_class *c, const char *name)
{
    const int i = crank_index_find(&c->by_name, name);
    return i >= 0 && c->element[i]->kind == CRANK_MO_NESTED ? c->element[i]->nested : NULL;
}

const crank_mo_class *crank_mo_class_in(crank_mo_flattener *f, const crank_mo_class *c,
                                        const char *name)
{
    const crank_mo_class *found = c->names == NULL ? own_class(c, name) : NULL;
    const bool package = c->restriction == CRANK_MO_PACKAGE;
    if (c->names != NULL) {
        return crank_mo_class_in(f, c->names, name);
    }
    if (found != NULL) {
        return crank_mo_seen_in(f, found, c);
    }
    for (int i = 0; found == NULL && i < c->link_count && crank_mo_ok(f); i++) {
        crank_mo_found base;
        if (c->link[i]->kind == CRANK_MO_EXTENDS &&
            crank_mo_go_down(f, c->place, "bases of classes")) {
            found = package ? crank_mo_replaced_in(f, c, c->link[i], name) : NULL;
            if (found == NULL && crank_mo_base(f, c, c->link[i], &base) && base.class != NULL) {
                found = crank_mo_class_in(f, base.class, name);
                found = found != NULL && package ? crank_mo_seen_from(f, found, c) : found;
            }
            f->depth--;
        }
    }
    return found;
}

bool crank_mo_has_component(crank_mo_flattener *f, const crank_mo_class *c, const char *name)
{
    c = c->names != NULL ? c->names : c;
    const int own = crank_index_find(&c->by_name, name);
    bool found = own >= 0 && c->element[own]->kind == CRANK_MO_COMPONENT;
    for (int i = 0; !found && i < c->link_count && crank_mo_ok(f); i++) {
        crank_mo_found base;
        if (c->link[i]->kind == CRANK_MO_EXTENDS &&
            crank_mo_go_down(f, c->place, "bases of classes")) {
            if (crank_mo_base(f, c, c->link[i], &base) && base.class != NULL) {
                found = crank_mo_has_component(f, base.class, name);
            }
            f->depth--;
        }
    }
    return found;
}

/* the rest of a.b.c, from part `from` on, inside c */
static const crank_mo_class *inside(crank_mo_flattener *f, const crank_mo_class *c,
                                    const crank_mo_reference *name, int from)
{
    for (int i = from; i < name->count && c != NULL; i++) {
        c = crank_mo_class_in(f, c, name->name[i]);
    }
    return c;
}

/* The package of a constant that is imported by its name; NULL: it is none. */
static const crank_mo_class *package_of_import(crank_mo_flattener *f, const crank_mo_element *e)
{
    crank_mo_reference package = *e->type;
    package.count--;
    const crank_mo_class *c =
        e->name != NULL && package.count > 0 ? inside(f, f->file->root, &package, 0) : NULL;
    return c != NULL && crank_mo_has_component(f, c, e->type->name[package.count]) ? c : NULL;
}

const crank_mo_class *crank_mo_find_imported(crank_mo_flattener *f, const crank_mo_class *c,
                                             const char *name, const char **constant)
{
    for (int i = 0; i < c->link_count && crank_mo_ok(f); i++) {
        const crank_mo_element *e = c->link[i];
        if (e->kind != CRANK_MO_IMPORT || (e->name != NULL && strcmp(e->name, name) != 0)) {
            continue;
        }
        const crank_mo_class *package =
            e->name != NULL ? package_of_import(f, e) : inside(f, f->file->root, e->type, 0);
        *constant = e->name != NULL ? e->type->name[e->type->count - 1] : name;
        if (package != NULL && crank_mo_has_component(f, package, *constant)) {
            return package;
        }
    }
    return NULL;
}

/* "A.B.C" as written, from the end if it is long; and what to do if it is of the Modelica Standard
 * Library */
static void fail_missing(crank_mo_flattener *f, crank_mo_place place, const char *what,
                         const crank_mo_reference *name)
{
    char text[120];
    size_t at = sizeof text - 1;
    text[at] = '\0';
    for (int i = name->count - 1; i >= 0; i--) {
        const size_t whole = strlen(name->name[i]), length = whole < 80 ? whole : 80;
        if (at <= length) {
            break;
        }
        at -= length;
        memcpy(text + at, name->name[i], length);
        if (i > 0) {
            text[--at] = '.';
        }
    }
    (void)crank_mo_fail_at(f, place, "%s \"%s%s\"%s", what, text[at] == '.' ? "..." : "",
                           text + at + (text[at] == '.' ? 1 : 0),
                           strcmp(name->name[0], "Modelica") == 0 ? CRANK_MO_STANDARD_LIBRARY
                                                                  : "");
}

bool crank_mo_find_import(crank_mo_flattener *f, const crank_mo_class *c, const char *name,
                          crank_mo_found *out)
{
    for (int i = 0; i < c->link_count && crank_mo_ok(f); i++) {
        const crank_mo_element *e = c->link[i];
        if (e->kind != CRANK_MO_IMPORT || (e->name != NULL && strcmp(e->name, name) != 0)) {
            continue;
        }
        const crank_mo_class *found = inside(f, f->file->root, e->type, 0);
        if (found == NULL && package_of_import(f, e) != NULL) {
            continue; /* a constant: crank_mo_find_imported */
        }
        if (found == NULL && crank_mo_ok(f)) {
            fail_missing(f, e->place, "import: there is no", e->type);
            return false;
        }
        if (e->name == NULL && found != NULL) {
            found = crank_mo_class_in(f, found, name);
        }
        if (found != NULL) {
            *out = (crank_mo_found){.class = found};
            return true;
        }
    }
    return false;
}

/* the first name, from a class outwards; own: bases of the first class do not count (it is they
 * that are looked for) */
static bool find_first(crank_mo_flattener *f, const crank_mo_class *from, const char *name,
                       bool own, crank_mo_found *out)
{
    for (const crank_mo_class *c = from; c != NULL && crank_mo_ok(f); c = c->parent) {
        const crank_mo_class *found =
            own && c == from ? own_class(c, name) : crank_mo_class_in(f, c, name);
        if (found != NULL) {
            *out = (crank_mo_found){.class = found};
            return true;
        }
        if (crank_mo_find_import(f, c, name, out)) {
            return true;
        }
        if (c->encapsulated) {
            break;
        }
    }
    return crank_mo_ok(f) && crank_mo_find_builtin(name, out);
}

static void fail_unknown(crank_mo_flattener *f, const crank_mo_reference *name)
{
    fail_missing(f, name->place, "there is no class", name);
}

/* redeclare model extends M: the M of the bases of the class around */
static bool find_inherited(crank_mo_flattener *f, const crank_mo_class *c,
                           const crank_mo_element *extends, crank_mo_found *out)
{
    const crank_mo_class *around = c->parent;
    *out = (crank_mo_found){0};
    for (int i = 0; i < around->link_count && out->class == NULL && crank_mo_ok(f); i++) {
        crank_mo_found base;
        if (around->link[i]->kind == CRANK_MO_EXTENDS &&
            crank_mo_base(f, around, around->link[i], &base) && base.class != NULL) {
            out->class = crank_mo_class_in(f, base.class, c->name);
        }
    }
    if (out->class == NULL && crank_mo_ok(f)) {
        (void)crank_mo_fail_at(f, extends->place, "no base has a class \"%.60s\"", c->name);
    }
    const crank_mo_class *package = around->names != NULL ? around->names : around;
    if (out->class != NULL && package->restriction == CRANK_MO_PACKAGE) {
        out->class = crank_mo_seen_from(f, out->class, package);
    }
    return crank_mo_ok(f);
}

bool crank_mo_base(crank_mo_flattener *f, const crank_mo_class *c,
                   const crank_mo_element *extends, crank_mo_found *out)
{
    if (c->base != NULL) {
        *out = (crank_mo_found){.class = c->base};
        return true;
    }
    return extends->inherited ? find_inherited(f, c, extends, out)
                              : crank_mo_find_base(f, c, extends->type, out);
}

bool crank_mo_find_base(crank_mo_flattener *f, const crank_mo_class *c,
                        const crank_mo_reference *name, crank_mo_found *out)
{
    /* a short class A = B is no place for B's name */
    const crank_mo_class *from = c->is_short || name->global ? c->parent : c;
    bool found = name->global ? find_first(f, f->file->root, name->name[0], true, out)
                              : find_first(f, from, name->name[0], !c->is_short, out);
    if (found && name->count > 1) {
        out->class = out->class != NULL ? inside(f, out->class, name, 1) : NULL;
        found = out->class != NULL;
    }
    if (!found && crank_mo_ok(f)) {
        fail_unknown(f, name);
    }
    return found && crank_mo_ok(f);
}

/* a class that a modification has put in place of one of the instance */
static bool find_override(const crank_mo_instance *i, const char *name,
                          const crank_mo_override **out)
{
    for (; i != NULL; i = NULL) {
        for (const crank_mo_override *o = i->override; o != NULL; o = o->next) {
            if (strcmp(o->name, name) == 0) {
                *out = o;
                return true;
            }
        }
    }
    return false;
}

bool crank_mo_find_class(crank_mo_flattener *f, const crank_mo_scope *scope,
                         const crank_mo_reference *name, crank_mo_found *out, bool must)
{
    const crank_mo_override *override = NULL;
    *out = (crank_mo_found){0};
    bool found = false;
    if (!crank_mo_go_down(f, name->place, "names of classes")) {
        return false;
    }
    if (!name->global && (find_override(scope->instance, name->name[0], &override) ||
                          find_override(scope->around, name->name[0], &override))) {
        *out = override->found;
        found = true;
    } else {
        found = find_first(f, name->global ? f->file->root : scope->lexical, name->name[0],
                           false, out);
    }
    if (found && name->count > 1) {
        out->class = out->class != NULL ? inside(f, out->class, name, 1) : NULL;
        out->environment = NULL; /* it is that of the package */
        found = out->class != NULL;
    }
    f->depth--;
    if (!found && must && crank_mo_ok(f)) {
        fail_unknown(f, name);
    }
    return found && crank_mo_ok(f);
}

/* world.gravity(r): a function of the class that a component is of */
static bool find_in_component(crank_mo_flattener *f, const crank_mo_scope *scope,
                              const crank_mo_reference *name, crank_mo_found *out)
{
    crank_mo_instance *at = scope->instance;
    const crank_mo_override *override = NULL;
    const char *last = name->name[name->count - 1];
    for (int i = 0; i + 1 < name->count && at != NULL; i++) {
        at = name->subscript_count[i] == 0 ? crank_mo_child(f, at, name->name[i]) : NULL;
        at = at != NULL && at->class != NULL && at->rank == 0 ? at : NULL;
    }
    if (at == NULL || !crank_mo_ok(f)) {
        return false;
    }
    if (find_override(at, last, &override)) {
        *out = override->found;
        return true;
    }
    *out = (crank_mo_found){.class = crank_mo_class_in(f, at->class, last)};
    return out->class != NULL;
}

bool crank_mo_find_function(crank_mo_flattener *f, const crank_mo_scope *scope,
                            const crank_mo_reference *name, crank_mo_found *out, bool must)
{
    const bool component = name->count > 1 && !name->global && scope->instance != NULL &&
                           crank_index_find(&scope->instance->by_name, name->name[0]) >= 0;
    return (component && find_in_component(f, scope, name, out)) ||
           (crank_mo_ok(f) && crank_mo_find_class(f, scope, name, out, must));
}

/* ---- packages ---- */

const char *crank_mo_class_name(crank_mo_flattener *f, const crank_mo_class *c)
{
    const char *name = c->name;
    for (const crank_mo_class *p = c->parent; p != NULL && p->name[0] != '\0'; p = p->parent) {
        name = crank_store_print(f->store, "%s.%s", p->name, name);
        if (name == NULL) {
            crank_mo_fail_memory(f);
            return "";
        }
    }
    return name;
}

static bool is_package(const void *wanted, const void *user, int number)
{
    const crank_mo_flattener *f = user;
    return f->package[number]->class == (const crank_mo_class *)wanted;
}

crank_mo_instance *crank_mo_package(crank_mo_flattener *f, const crank_mo_class *c)
{
    c = c->names != NULL ? c->names : c;
    const uint64_t hash = crank_hash_spread((uint64_t)(uintptr_t)c);
    const int known = crank_index_find_by(&f->packages, hash, is_package, c, f);
    if (known >= 0) {
        return f->package[known];
    }
    crank_mo_instance *i = crank_mo_instance_make(f, NULL, c, NULL, crank_mo_class_name(f, c));
    crank_mo_instance **more = crank_store_grow(f->store, f->package, f->package_count,
                                                &f->package_capacity, sizeof *f->package);
    if (i == NULL || more == NULL) {
        crank_mo_fail_memory(f);
        return NULL;
    }
    i->package = true;
    f->package = more;
    f->package[f->package_count] = i;
    if (!crank_index_add_by(&f->packages, f->store, hash, f->package_count++)) {
        crank_mo_fail_memory(f);
    }
    return crank_mo_elaborate(f, i) ? i : NULL;
}
