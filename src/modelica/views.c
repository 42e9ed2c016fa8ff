/* views.c - classes as they are in a package that extends the one in which they are written
 * (Modelica 3.6, 5.3.1, 7.1, 7.3): a function of a base finds the constants, and the classes, of
 * the package through which it is called, redeclared ones included.
 *
 * A view is a copy of a class with another class around it. Of a class N in B, seen in a package
 * C that extends B: N around which is B, whose names are those of C and which stands where B
 * does. Views are made once, so that the same one is the same class. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include "base/grow.h"
#include "base/hash.h"

#include <string.h>

static const crank_mo_class *as_written(const crank_mo_class *c)
{
    return c->origin != NULL ? c->origin : c;
}

typedef struct wanted_view {
    const crank_mo_class *origin, *parent, *names;
} wanted_view;

static bool is_view(const void *wanted, const void *user, int number)
{
    const crank_mo_flattener *f = user;
    const wanted_view *w = wanted;
    const crank_mo_class *c = f->view[number];
    return c->origin == w->origin && c->parent == w->parent && c->names == w->names;
}

/* NULL: out of memory */
static crank_mo_class *make_view(crank_mo_flattener *f, const crank_mo_class *c,
                                 const crank_mo_class *parent, const crank_mo_class *names)
{
    const wanted_view w = {as_written(c), parent, names};
    uint64_t hash = crank_hash_spread((uint64_t)(uintptr_t)w.origin);
    hash = crank_hash_word(hash, (uint64_t)(uintptr_t)w.parent);
    hash = crank_hash_word(hash, (uint64_t)(uintptr_t)w.names);
    const int known = crank_index_find_by(&f->views, hash, is_view, &w, f);
    if (known >= 0) {
        return f->view[known];
    }
    crank_mo_class *view = crank_mo_new(f, 1, sizeof *view);
    crank_mo_class **more =
        crank_store_grow(f->store, f->view, f->view_count, &f->view_capacity, sizeof *f->view);
    if (view == NULL || more == NULL) {
        crank_mo_fail_memory(f);
        return NULL;
    }
    *view = *w.origin;
    view->origin = w.origin;
    view->parent = parent;
    view->names = names;
    f->view = more;
    f->view[f->view_count] = view;
    if (!crank_index_add_by(&f->views, f->store, hash, f->view_count++)) {
        crank_mo_fail_memory(f);
    }
    return view;
}

const crank_mo_class *crank_mo_seen_in(crank_mo_flattener *f, const crank_mo_class *c,
                                       const crank_mo_class *around)
{
    const crank_mo_class *view =
        around->origin != NULL && !c->is_enumeration ? make_view(f, c, around, NULL) : NULL;
    return view != NULL ? view : c;
}

const crank_mo_class *crank_mo_base_seen_from(crank_mo_flattener *f, const crank_mo_class *base,
                                              const crank_mo_class *package)
{
    const crank_mo_class *view = base->names != package && !base->is_enumeration
                                     ? make_view(f, base, base->parent, package)
                                     : NULL;
    return view != NULL ? view : base;
}

const crank_mo_class *crank_mo_seen_from(crank_mo_flattener *f, const crank_mo_class *c,
                                         const crank_mo_class *package)
{
    const crank_mo_class *owner = c->parent;
    if (c->is_enumeration || owner == NULL || owner == package || owner->names == package) {
        return c;
    }
    const crank_mo_class *view =
        make_view(f, c, crank_mo_base_seen_from(f, owner, package), NULL);
    return view != NULL ? view : c;
}

const crank_mo_class *crank_mo_wrap(crank_mo_flattener *f, const crank_mo_class *like,
                                    const crank_mo_class *base, crank_mo_modification *m,
                                    const crank_mo_class *around)
{
    crank_mo_class *c = crank_mo_new(f, 1, sizeof *c);
    crank_mo_element *e = crank_mo_new(f, 1, sizeof *e);
    crank_mo_element **list = crank_mo_new(f, 1, sizeof(crank_mo_element *));
    if (c == NULL || e == NULL || list == NULL) {
        return base;
    }
    *e = (crank_mo_element){.kind = CRANK_MO_EXTENDS, .place = like->place, .modification = m};
    list[0] = e;
    *c = (crank_mo_class){.name = like->name,
                          .place = like->place,
                          .restriction = base->restriction,
                          .partial = base->partial,
                          .external = base->external,
                          .parent = around,
                          .base = base,
                          .is_short = true,
                          .element_count = 1,
                          .element_capacity = 1,
                          .element = list,
                          .link_count = 1,
                          .link_capacity = 1,
                          .link = list};
    return c;
}

const crank_mo_argument *crank_mo_redeclared_by(const crank_mo_modification *m,
                                                const char *name)
{
    for (int i = 0; m != NULL && i < m->count; i++) {
        if (m->argument[i]->redeclared != NULL && strcmp(m->argument[i]->name, name) == 0) {
            return m->argument[i];
        }
    }
    return NULL;
}

const crank_mo_class *crank_mo_replaced_in(crank_mo_flattener *f, const crank_mo_class *c,
                                           const crank_mo_element *extends, const char *name)
{
    const crank_mo_argument *a = crank_mo_redeclared_by(extends->modification, name);
    const crank_mo_class *by = a != NULL ? a->redeclared->nested : NULL;
    crank_mo_found found;
    if (by == NULL || !by->is_short || by->is_enumeration ||
        !crank_mo_find_base(f, c, by->element[0]->type, &found) || found.class == NULL) {
        return NULL;
    }
    crank_mo_modification *m = by->element[0]->modification;
    if (m == NULL && by->dimension_count == 0) {
        return found.class;
    }
    crank_mo_class *view = make_view(f, by, c->is_short ? c->parent : c, NULL);
    if (view != NULL) {
        view->base = found.class;
    }
    return view;
}
