/* system_readers.c - forces and variables whose equations contain multipliers (friction under
 * the load of a joint), and which: the eom warns where these are not unique (eom/loads.c).
 * Integrals of powers do not count: no motion depends on them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include <stdlib.h>

typedef struct reading {
    crank_owner owner;
    int multiplier; /* lambda, then mu */
} reading;

typedef struct readings {
    crank_builder *b;
    bool *on_multiplier; /* by node of the pool */
    CRANK_LIST(reading) list;
} readings;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "what depends on reactions");
}

/* Operands come before what is made of them. */
static bool mark_nodes(readings *w)
{
    const crank_builder *b = w->b;
    const int count = crank_pool_size(b->pool);
    w->on_multiplier = calloc((size_t)count + 1, sizeof *w->on_multiplier);
    for (crank_ex e = 0; e < count && w->on_multiplier != NULL; e++) {
        const crank_ex_op op = crank_ex_get_op(b->pool, e);
        const crank_symbol_kind kind = crank_build_symbol(b, e).kind;
        bool on = kind == CRANK_SYMBOL_LAMBDA || kind == CRANK_SYMBOL_MU;
        for (int i = 0; op != CRANK_EX_NUMBER && op != CRANK_EX_SYMBOL && i < 3; i++) {
            const crank_ex operand = crank_ex_get_operand(b->pool, e, i);
            on = on || (operand >= 0 && w->on_multiplier[operand]);
        }
        w->on_multiplier[e] = on;
    }
    return w->on_multiplier != NULL;
}

static void read_one(readings *w, crank_owner owner, crank_ex e)
{
    crank_builder *b = w->b;
    int count = 0;
    if (e < 0 || !w->on_multiplier[e]) {
        return;
    }
    crank_ex *symbol = crank_build_symbols(b, e, &count);
    for (int i = 0; i < count && symbol != NULL; i++) {
        const crank_symbol s = crank_build_symbol(b, symbol[i]);
        const bool mu = s.kind == CRANK_SYMBOL_MU;
        if (mu || s.kind == CRANK_SYMBOL_LAMBDA) {
            const int multiplier = s.index + (mu ? b->holonomic.count : 0);
            (void)CRANK_BUILD_PUSH(b, w->list, (reading){owner, multiplier});
        }
    }
    free(symbol);
}

static void read_all(readings *w)
{
    const crank_builder *b = w->b;
    for (int i = 0; i < b->effort.count; i++) {
        read_one(w, b->effort.item[i].owner, b->effort.item[i].ex);
    }
    for (int i = 0; i < b->first_work; i++) {
        read_one(w, b->dynamic.item[i].owner, b->dynamic.item[i].equation);
    }
    for (int i = 0; i < b->auxiliary.count; i++) {
        read_one(w, b->auxiliary.item[i].owner, b->auxiliary.item[i].equation);
    }
}

static int compare(const void *a, const void *b)
{
    const reading *x = a, *y = b;
    const int first[3] = {(int)x->owner.kind, x->owner.index, x->multiplier};
    const int second[3] = {(int)y->owner.kind, y->owner.index, y->multiplier};
    int i = 0;
    while (i < 2 && first[i] == second[i]) {
        i++;
    }
    return first[i] < second[i] ? -1 : first[i] > second[i];
}

static bool keep(crank_system *s, readings *w, crank_eom_parts *parts)
{
    const size_t count = (size_t)w->list.count;
    const char **text = crank_store_take(&s->store, count, sizeof *text);
    int *start = crank_store_take(&s->store, count + 1, sizeof *start);
    int *multiplier = crank_store_take(&s->store, count, sizeof *multiplier);
    int readers = 0;
    if (count > 0) {
        qsort(w->list.item, count, sizeof *w->list.item, compare);
    }
    for (int i = 0; i < w->list.count && !s->store.failed; i++) {
        const reading *r = &w->list.item[i];
        if (i == 0 || !crank_owner_same(r->owner, r[-1].owner)) {
            text[readers] = crank_store_print(&s->store, "%s",
                                              crank_build_owner_label(w->b, r->owner).text);
            start[readers++] = i;
        }
        start[readers] = i + 1;
        multiplier[i] = r->multiplier;
    }
    parts->reader_count = readers;
    parts->reader_text = text;
    parts->reader_start = start;
    parts->reader_multiplier = multiplier;
    return !s->store.failed;
}

crank_status crank_system_readers(crank_system *s, crank_builder *b, crank_eom_parts *parts,
                                  crank_error *err)
{
    readings w = {.b = b};
    bool made = mark_nodes(&w);
    if (made) {
        read_all(&w);
        made = !b->failed && keep(s, &w, parts);
    }
    free(w.on_multiplier);
    free(w.list.item);
    return made ? CRANK_OK : no_memory(err);
}
