/* dae_flat_unknowns.c - unknowns of translated equations (inline/inline.h): variables and their
 * derivatives of all orders that occur, in the order of the generated code, then discrete
 * variables in the order of its given values. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_fill.h"

#include "base/then.h"

#include <string.h>

/* a derivative; start values are of variables */
static void fill_derivative(crank_dae_fill *w, int u)
{
    crank_dae_file *file = w->file;
    const crank_inline_unknown *x = &w->in->unknown[u];
    const crank_flat_variable *of = &w->flat->variable[x->variable];
    const char *name = crank_ex_symbol_name(w->flat->pool, x->symbol);
    file->e.variable[CRANK_P][u] =
        (crank_variable){.name = name,
                         .label = name,
                         .key = crank_dae_fill_node(w, of->place, name),
                         .symbol = x->symbol,
                         .hidden = true,
                         .fixing = CRANK_FREE};
    file->variable[u] = x->symbol;
    file->nominal[u] = 1.0;
    crank_dae_fill_declare(w, x->symbol, CRANK_P, u, name);
}

/* symbols for rates, which only slopes of relations have */
static crank_status make_rates(crank_dae_fill *w, int count, crank_ex **out)
{
    crank_ex *rate = crank_store_take(w->store, (size_t)count, sizeof *rate);
    for (int j = 0; j < count && rate != NULL; j++) {
        const char *name = crank_store_print(w->store, "rate#%d", j);
        rate[j] = name != NULL ? crank_ex_symbol(w->flat->pool, name) : -1;
    }
    *out = rate;
    return w->store->failed ? crank_dae_fill_no_memory(w) : CRANK_OK;
}

crank_status crank_dae_fill_unknowns(crank_dae_fill *w)
{
    const crank_inline *in = w->in;
    const crank_flat *flat = w->flat;
    int count = in->unknown_count;
    crank_ex *rate = NULL;
    w->number = crank_store_take(w->store, (size_t)flat->variable_count, sizeof *w->number);
    if (w->number == NULL) {
        return crank_dae_fill_no_memory(w);
    }
    for (int i = 0; i < flat->variable_count; i++) {
        w->number[i] = flat->variable[i].role == CRANK_FLAT_DISCRETE ? count++ : -1;
    }
    for (int u = 0; u < in->unknown_count; u++) {
        if (in->unknown[u].order == 0) {
            w->number[in->unknown[u].variable] = u;
        }
    }
    crank_status status = make_rates(w, count, &rate);
    CRANK_THEN(status, crank_dae_fill_room(w, count));
    for (int j = 0; j < count && status == CRANK_OK; j++) {
        w->file->e.acceleration[j] = rate[j];
        crank_dae_fill_declare(w, rate[j], CRANK_NAME_ACCELERATION, j, "");
    }
    for (int u = 0; u < in->unknown_count && status == CRANK_OK; u++) {
        if (in->unknown[u].order > 0) {
            fill_derivative(w, u);
        }
    }
    for (int i = 0; i < flat->variable_count && status == CRANK_OK; i++) {
        if (w->number[i] >= 0) {
            status = crank_dae_fill_variable(w, i, w->number[i]);
        }
    }
    return status == CRANK_OK && w->store->failed ? crank_dae_fill_no_memory(w) : status;
}
