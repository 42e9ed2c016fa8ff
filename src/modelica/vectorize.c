/* vectorize.c - calls of functions of scalars with arrays (Modelica 3.6, 12.4.6): where arguments
 * have more dimensions than the inputs that they are for, the function is called for each entry
 * of those, the same for all such arguments, and the results are an array. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

typedef struct work {
    crank_mo_flattener *f;
    const crank_mo_expression *e;
    crank_mo_value *argument; /* by argument */
    int *more;                /* dimensions in front that the input does not have */
    int rank, size[CRANK_MO_RANK];
} work;

/* Arguments as they are, and which of them have more dimensions; false: none, or an error. */
static bool look(work *w, const crank_mo_scope *scope, const int *ranks)
{
    const crank_mo_expression *e = w->e;
    for (int i = 0; i < e->count && crank_mo_ok(w->f); i++) {
        if (ranks[i] < 0) {
            continue; /* no input: told elsewhere */
        }
        w->argument[i] = crank_mo_translate(w->f, scope, e->item[i]);
        w->more[i] = w->argument[i].rank - ranks[i];
        if (w->more[i] <= 0 || !crank_mo_ok(w->f)) {
            continue;
        }
        const bool first = w->rank == 0;
        if (first) {
            w->rank = w->more[i];
            memcpy(w->size, w->argument[i].size, sizeof w->size);
        }
        if (w->rank != w->more[i] ||
            memcmp(w->size, w->argument[i].size, (size_t)w->rank * sizeof *w->size) != 0) {
            (void)crank_mo_fail_at(w->f, e->item[i]->place,
                                   "%.60s is called for each entry of arrays of different "
                                   "sizes",
                                   e->reference->name[e->reference->count - 1]);
        }
    }
    return w->rank > 0 && crank_mo_ok(w->f);
}

/* The call with entry `index` of the arrays: its arguments are locals whose names no model
 * has. */
static crank_mo_value call_one(const work *w, const crank_mo_scope *scope,
                               const crank_mo_class *c, const int *index)
{
    crank_mo_flattener *f = w->f;
    crank_mo_expression call = *w->e;
    crank_mo_scope inside = *scope;
    crank_mo_subscript s[CRANK_MO_RANK];
    crank_mo_value none = {0};
    call.item = crank_mo_new(f, (size_t)call.count, sizeof(crank_mo_expression *));
    for (int d = 0; d < w->rank; d++) {
        s[d] = (crank_mo_subscript){.count = 1, .index = index + d};
    }
    for (int i = 0; i < call.count && crank_mo_ok(f); i++) {
        call.item[i] = w->e->item[i];
        if (w->more[i] <= 0) {
            continue;
        }
        crank_mo_local *l = crank_mo_new(f, 1, sizeof *l);
        crank_mo_expression *name = crank_mo_new(f, 1, sizeof *name);
        crank_mo_reference *r = crank_mo_new(f, 1, sizeof *r);
        const char **word = crank_mo_new(f, 1, sizeof *word);
        int *count = crank_mo_new(f, 1, sizeof *count);
        if (!crank_mo_ok(f)) {
            return none;
        }
        *word = crank_store_print(f->store, "(entry %d)", i);
        *l = (crank_mo_local){.name = *word,
                              .value =
                                  crank_mo_take(f, &w->argument[i], w->rank, s, w->e->place),
                              .set = true,
                              .iterator = true,
                              .next = inside.local};
        inside.local = l;
        *r = (crank_mo_reference){
            .place = w->e->place, .count = 1, .name = word, .subscript_count = count};
        *name = (crank_mo_expression){
            .kind = CRANK_MO_NAME, .place = w->e->item[i]->place, .reference = r};
        call.item[i] = name;
    }
    int results = 0;
    const crank_mo_value *list =
        crank_mo_ok(f) ? crank_mo_call_function(f, &inside, &call, c, &results) : NULL;
    if (crank_mo_ok(f) && results == 0) {
        (void)crank_mo_fail_at(f, w->e->place, "%.80s has no result", c->name);
    }
    return crank_mo_ok(f) ? list[0] : none;
}

crank_mo_value crank_mo_call_each(crank_mo_flattener *f, const crank_mo_scope *scope,
                                  const crank_mo_expression *e, const crank_mo_class *c)
{
    crank_mo_value none = {0};
    work w = {.f = f, .e = e};
    const int *ranks = crank_mo_input_ranks(f, e, c);
    w.argument = crank_mo_new(f, (size_t)e->count, sizeof *w.argument);
    w.more = crank_mo_new(f, (size_t)e->count, sizeof *w.more);
    if (!crank_mo_ok(f) || ranks == NULL || !look(&w, scope, ranks)) {
        return none;
    }
    crank_mo_value shape = {.type = CRANK_MO_IS_INTEGER, .rank = w.rank};
    memcpy(shape.size, w.size, sizeof shape.size);
    crank_mo_value *list = crank_mo_value_take(f, &shape, e->place)
                               ? crank_mo_new(f, (size_t)shape.count, sizeof *list)
                               : NULL;
    for (int k = 0; k < shape.count && list != NULL && crank_mo_ok(f); k++) {
        int index[CRANK_MO_RANK], rest = k;
        for (int d = w.rank - 1; d >= 0; d--) {
            index[d] = rest % w.size[d] + 1;
            rest /= w.size[d];
        }
        list[k] = call_one(&w, scope, c, index);
    }
    return crank_mo_ok(f) ? crank_mo_stack(f, w.rank, w.size, list, e->place) : none;
}
