/* equations_stage.c - what a stage of an explicit method needs of an equations file, theory (9.1)-(9.3): the rows
 * d, gII, hI, then c, then b, f_dyn, f_kin, and behind them the stage entries of the Jacobian (eom/stage.h). */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/stage.h"
#include "model/equations.h"

#include <stdlib.h>
#include <string.h>

/* no derivative contains an algebraic unknown; symbols: room for all, algebraic: by symbol */
static bool is_linear(crank_equations *e, const crank_rows *rows, const crank_ex *derivative,
                      int count, crank_ex *symbols, bool *algebraic)
{
    const crank_eom *eom = rows->eom;
    const int capacity = e->name_count + eom->sizes.v;
    for (int j = 0; j < eom->column[CRANK_R]; j++) {
        algebraic[rows->column[j]] = true;
    }
    bool linear = eom->sizes.s == 0;
    for (int i = 0; i < count && linear; i++) {
        const int found = crank_ex_symbols(e->pool, derivative[i], symbols, capacity);
        for (int k = 0; k < found; k++) { /* names come first: others stand for v' */
            linear = linear && (symbols[k] >= e->name_count || !algebraic[symbols[k]]);
        }
    }
    return linear;
}

crank_status crank_equations_stage(crank_equations *e, const crank_rows *rows,
                                   crank_derivatives *out, crank_error *err)
{
    const crank_eom *eom = rows->eom;
    const int first = eom->row[CRANK_ROW_GI], contact = eom->sizes.s;
    const int rates = eom->m - eom->row[CRANK_ROW_B], capacity = e->name_count + eom->sizes.v;
    crank_stage_entries entries;
    const crank_status status = crank_stage_entries_create(eom, &out->jacobian, &entries, err);
    if (status != CRANK_OK) {
        return status;
    }
    const int row_count = first + contact + rates;
    crank_ex *ex =
        crank_store_take(e->store, (size_t)row_count + (size_t)entries.count, sizeof *ex);
    crank_ex *symbols = crank_store_take(e->store, (size_t)capacity, sizeof *symbols);
    bool *algebraic = crank_store_take(e->store, (size_t)e->name_count, sizeof *algebraic);
    if (ex == NULL || symbols == NULL || algebraic == NULL) {
        crank_stage_entries_destroy(&entries);
        return crank_fail(err, CRANK_EMEM, "derivatives of the equations");
    }
    memcpy(ex, rows->row, (size_t)first * sizeof *ex);
    memcpy(ex + first, rows->row + eom->row[CRANK_ROW_C], (size_t)contact * sizeof *ex);
    memcpy(ex + first + contact, rows->row + eom->row[CRANK_ROW_B], (size_t)rates * sizeof *ex);
    for (int i = 0; i < entries.count; i++) {
        ex[row_count + i] = out->jacobian_ex[entries.entry[i]];
    }
    out->stage_ex = ex;
    out->stage_count = row_count + entries.count;
    out->stage_linear = is_linear(e, rows, ex + row_count, entries.count, symbols, algebraic);
    crank_stage_entries_destroy(&entries);
    return CRANK_OK;
}
