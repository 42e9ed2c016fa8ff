/* watch.c - the tables of a mechanism, whose ends are watched (model/watch.h). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/output.h"

#include <stdlib.h>
#include <string.h>

static void add_watch(crank_builder *b, const crank_build_label *label,
                      const crank_table_data *table, crank_ex argument)
{
    if (crank_watch_wants(table)) {
        const crank_node *place = label->place;
        (void)CRANK_BUILD_PUSH(
            b, b->watch,
            (crank_watch){.label = crank_store_copy(b->store, label->text, strlen(label->text)),
                          .place = {place != NULL ? place->line : 0,
                                    place != NULL ? place->column : 0,
                                    place != NULL ? place->file : NULL},
                          .argument = argument,
                          .first = table->x[0],
                          .last = table->x[table->rows - 1],
                          .outside = table->way.outside});
    }
}

crank_ex crank_build_table(crank_builder *b, const crank_table_data *table, crank_ex argument)
{
    const crank_build_label label = crank_build_owner_label(b, b->inside->current);
    add_watch(b, &label, table, argument);
    return crank_ex_table(b->pool, table, argument);
}

/* all its symbols mean something once the system runs */
static bool is_resolved(crank_builder *b, crank_ex ex)
{
    int count;
    bool resolved = true;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    for (int i = 0; i < count; i++) {
        const crank_symbol_kind kind = crank_build_symbol(b, symbol[i]).kind;
        resolved = resolved && kind != CRANK_SYMBOL_OTHER && kind != CRANK_SYMBOL_NAMED;
    }
    free(symbol);
    return resolved;
}

/* tables that expressions call by their names */
static void add_named(crank_builder *b)
{
    for (crank_ex e = 0; e < crank_pool_size(b->pool); e++) {
        const crank_table_data *table = NULL;
        const crank_ex argument = crank_ex_named_table(b->pool, e, &table);
        if (argument >= 0 && is_resolved(b, argument)) {
            const crank_build_label label = crank_build_label_of("table", table->name, NULL);
            add_watch(b, &label, table, argument);
        }
    }
}

crank_status crank_system_take_watches(crank_system *s, crank_builder *b, crank_error *err)
{
    add_named(b);
    const size_t count = (size_t)b->watch.count;
    crank_ex *ex = crank_store_take(b->store, count, sizeof *ex);
    s->watch = crank_store_take(&s->store, count, sizeof *s->watch);
    s->watch_value = crank_store_take(&s->store, count, sizeof *s->watch_value);
    s->watch_told = crank_store_take(&s->store, count, sizeof *s->watch_told);
    if (s->store.failed || ex == NULL || b->failed) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    for (size_t i = 0; i < count; i++) {
        crank_watch *w = &s->watch[i];
        *w = b->watch.item[i];
        w->label = crank_store_copy(&s->store, w->label, strlen(w->label));
        w->place.file = w->place.file != NULL
                            ? crank_store_copy(&s->store, w->place.file, strlen(w->place.file))
                            : NULL;
        ex[i] = w->argument;
        s->looks = s->looks || w->outside != CRANK_NOT_OUTSIDE;
    }
    s->watch_count = b->watch.count;
    if (s->store.failed) {
        return crank_fail(err, CRANK_EMEM, "building the mechanism");
    }
    return count == 0 ? CRANK_OK
                      : crank_expressions_create(b, b->watch.count, ex, &s->watched, err);
}

crank_status crank_system_find_table_end(crank_system *s, double t, const double *x,
                                         crank_error *err)
{
    if (s->watch_count == 0) {
        return CRANK_OK;
    }
    crank_expressions_evaluate(s->watched, s, t, x, s->watch_value);
    return crank_watch_find_end(s->watch_count, s->watch, s->watch_value, t, err);
}

bool crank_system_looks_at_state(const void *self)
{
    return ((const crank_system *)self)->looks;
}

crank_status crank_system_look(void *self, double t, const double *x, const crank_log *log,
                               crank_error *err)
{
    crank_system *s = self;
    if (s->output != NULL) {
        crank_flanks_tell(s->output, log);
        crank_sunk_tell(s->output, log);
    }
    if (!s->looks) {
        return CRANK_OK;
    }
    crank_system_point(s, t, x);
    if (s->watch_count > 0) {
        crank_expressions_evaluate(s->watched, s, t, x, s->watch_value);
    }
    crank_watch_tell(s->watch_count, s->watch, s->watch_value, t, s->watch_told, log);
    return crank_system_pass_poles(s, t, x, err);
}
