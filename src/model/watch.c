/* watch.c - tables that are looked at while a model moves, see watch.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* over the length of the table: what is called its end when no step succeeds. Steps end at the
 * last digits of the time before it, however fast the motion is in terms of the table. */
static const double near = 1e-3;

bool crank_watch_wants(const crank_table_data *table)
{
    const crank_outside outside = table->way.outside;
    return outside == CRANK_NOT_OUTSIDE || (!table->outside_given && outside != CRANK_REPEAT);
}

/* ---- looking ---- */

static void tell(const crank_watch *w, double value, double t, const crank_log *log)
{
    crank_log_write(log, CRANK_WARNING,
                    "%s: at t = %.6g its table is asked for %.6g and goes from %.6g to %.6g "
                    "only; beyond its ends %s, unless \"outside\" says otherwise",
                    w->label, t, value, w->first, w->last,
                    w->outside == CRANK_HOLD ? "the last value holds" : "it goes on straight");
}

/* A table that several expressions call is told once. */
static void mark_told(int count, const crank_watch *watch, const char *label, bool *told)
{
    for (int i = 0; i < count; i++) {
        told[i] = told[i] || strcmp(watch[i].label, label) == 0;
    }
}

void crank_watch_tell(int count, const crank_watch *watch, const double *value, double t,
                      bool *told, const crank_log *log)
{
    for (int i = 0; i < count; i++) {
        const crank_watch *w = &watch[i];
        /* ends are met to rounding */
        const double rounding = 1e-12 * fmax(fabs(w->first), fabs(w->last));
        if (!told[i] && w->outside != CRANK_NOT_OUTSIDE &&
            (value[i] < w->first - rounding || value[i] > w->last + rounding)) {
            tell(w, value[i], t, log);
            mark_told(count, watch, w->label, told);
        }
    }
}

crank_status crank_watch_find_end(int count, const crank_watch *watch, const double *value,
                                  double t, crank_error *err)
{
    for (int i = 0; i < count; i++) {
        const crank_watch *w = &watch[i];
        const double inside = fmin(value[i] - w->first, w->last - value[i]);
        if (w->outside == CRANK_NOT_OUTSIDE && inside < near * (w->last - w->first)) {
            return crank_fail_place(err, CRANK_ESTOP_EQUATIONS, w->place,
                                    "%s: no step succeeds at t = %.10g, where its table ends: "
                                    "it is asked for %.6g, goes from %.6g to %.6g, and says "
                                    "\"outside: error\"",
                                    w->label, t, value[i], w->first, w->last);
        }
    }
    return CRANK_OK;
}

/* ---- collecting ---- */

static int compare(const void *a, const void *b)
{
    const crank_ex x = *(const crank_ex *)a, y = *(const crank_ex *)b;
    return (x > y) - (x < y);
}

/* All symbols of the argument are among the inputs, which rise; room: for as many. */
static bool is_known(crank_pool *pool, crank_ex argument, int inputs, const crank_ex *input,
                     crank_ex *room)
{
    const int count = crank_ex_symbols(pool, argument, room, inputs);
    bool known = count <= inputs;
    for (int i = 0; i < count && known; i++) {
        known = bsearch(&room[i], input, (size_t)inputs, sizeof *input, compare) != NULL;
    }
    return known;
}

static bool add(crank_watches *out, const crank_table_data *table, crank_ex argument, int count)
{
    const char *label = crank_store_print(&out->store, "table \"%.80s\"", table->name);
    out->argument[count] = argument;
    out->item[count] = (crank_watch){.label = label,
                                     .argument = argument,
                                     .first = table->x[0],
                                     .last = table->x[table->rows - 1],
                                     .outside = table->way.outside};
    return label != NULL;
}

crank_status crank_watches_collect(crank_pool *pool, int inputs, const crank_ex *input,
                                   crank_watches *out, crank_error *err)
{
    const int nodes = crank_pool_size(pool);
    const size_t size = (size_t)inputs * sizeof(crank_ex);
    *out = (crank_watches){0};
    int most = 0;
    for (crank_ex e = 0; e < nodes; e++) {
        const crank_table_data *table = NULL;
        most += crank_ex_named_table(pool, e, &table) >= 0 && crank_watch_wants(table);
    }
    if (most == 0) {
        return CRANK_OK;
    }
    crank_ex *sorted = crank_store_take(&out->store, (size_t)inputs, sizeof *sorted);
    crank_ex *room = crank_store_take(&out->store, (size_t)inputs, sizeof *room);
    out->argument = crank_store_take(&out->store, (size_t)most, sizeof *out->argument);
    out->item = crank_store_take(&out->store, (size_t)most, sizeof *out->item);
    bool fine = !out->store.failed;
    if (fine) {
        memcpy(sorted, input, size);
        qsort(sorted, (size_t)inputs, sizeof *sorted, compare);
    }
    for (crank_ex e = 0; e < nodes && fine; e++) {
        const crank_table_data *table = NULL;
        const crank_ex argument = crank_ex_named_table(pool, e, &table);
        if (argument >= 0 && crank_watch_wants(table) &&
            is_known(pool, argument, inputs, sorted, room)) {
            fine = add(out, table, argument, out->count++);
        }
    }
    return fine && crank_pool_status(pool) == CRANK_OK
               ? CRANK_OK
               : crank_fail(err, CRANK_EMEM, "tables of the model");
}
