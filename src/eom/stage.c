/* stage.c - the stage entries of a Jacobian, and their values for suppliers without a hook of
 * their own. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/stage.h"

#include <stdlib.h>
#include <string.h>

bool crank_stage_has_row(const crank_eom *eom, int row)
{
    return crank_stage_equation(eom, row) >= 0 ||
           (row >= eom->row[CRANK_ROW_B] && row < eom->row[CRANK_ROW_KIN]);
}

int crank_stage_column(const crank_eom *eom, int i)
{
    return i < eom->column[CRANK_R] ? i : eom->column[CRANK_S] + i - eom->column[CRANK_R];
}

int crank_stage_unknown(const crank_eom *eom, int column)
{
    if (column < eom->column[CRANK_R]) {
        return column;
    }
    return column >= eom->column[CRANK_S] && column < eom->column[CRANK_P]
               ? column - eom->column[CRANK_S] + eom->column[CRANK_R]
               : -1;
}

int crank_stage_equation(const crank_eom *eom, int row)
{
    if (row < eom->row[CRANK_ROW_GI]) {
        return row;
    }
    return row >= eom->row[CRANK_ROW_C] && row < eom->row[CRANK_ROW_G]
               ? row - eom->row[CRANK_ROW_C] + eom->row[CRANK_ROW_GI]
               : -1;
}

static crank_status allocate(crank_stage_entries *out, crank_error *err)
{
    out->start = calloc((size_t)out->unknowns + 1, sizeof *out->start);
    out->row = calloc((size_t)out->count + 1, sizeof *out->row);
    out->entry = calloc((size_t)out->count + 1, sizeof *out->entry);
    if (out->start == NULL || out->row == NULL || out->entry == NULL) {
        const int unknowns = out->unknowns;
        crank_stage_entries_destroy(out);
        return crank_fail(err, CRANK_EMEM, "pattern of %d algebraic unknowns", unknowns);
    }
    return CRANK_OK;
}

/* the supplier's own list */
static crank_status copy(const crank_stage_entries *from, crank_stage_entries *out,
                         crank_error *err)
{
    *out = (crank_stage_entries){.unknowns = from->unknowns, .count = from->count};
    const crank_status status = allocate(out, err);
    if (status == CRANK_OK) {
        memcpy(out->start, from->start, ((size_t)out->unknowns + 1) * sizeof *out->start);
        memcpy(out->row, from->row, (size_t)out->count * sizeof *out->row);
    }
    return status;
}

static int list(const crank_eom *eom, const crank_pattern *J, crank_stage_entries *out)
{
    int count = 0;
    for (int i = 0; i < out->unknowns; i++) {
        const int j = crank_stage_column(eom, i);
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            if (!crank_stage_has_row(eom, J->row[e])) {
                continue;
            }
            if (out->row != NULL) {
                out->row[count] = J->row[e];
                out->entry[count] = e;
            }
            count++;
        }
        if (out->row != NULL) {
            out->start[i + 1] = count;
        }
    }
    return count;
}

int crank_stage_entry_at(const crank_eom *eom, const crank_stage_entries *entries, int row,
                         int column)
{
    const int unknown = crank_stage_unknown(eom, column);
    int low = entries->start[unknown], high = entries->start[unknown + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (entries->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < entries->start[unknown + 1] && entries->row[low] == row;
    return found ? low : entries->count;
}

crank_status crank_stage_entries_create(const crank_eom *eom, const crank_pattern *jacobian,
                                        crank_stage_entries *out, crank_error *err)
{
    if (eom->stage_entries != NULL) {
        return copy(eom->stage_entries, out, err);
    }
    *out = (crank_stage_entries){.unknowns = eom->column[CRANK_R] + eom->sizes.s};
    out->count = list(eom, jacobian, out);
    const crank_status status = allocate(out, err);
    if (status == CRANK_OK) {
        (void)list(eom, jacobian, out);
    }
    return status;
}

void crank_stage_entries_destroy(crank_stage_entries *entries)
{
    free(entries->start);
    free(entries->row);
    free(entries->entry);
    *entries = (crank_stage_entries){0};
}

crank_status crank_stage_from_jacobian(crank_eom *eom, const crank_stage_entries *entries,
                                       double t, const double *x, double *k, double *values,
                                       double *work, crank_error *err)
{
    crank_status status = eom->supplier.evaluate(eom->self, 1, &t, x, CRANK_ALL_ROWS, k, err);
    if (status == CRANK_OK && entries->count > 0) {
        status = crank_eom_evaluate_jacobian(eom, t, x, NULL, work, err);
    }
    for (int e = 0; e < entries->count && status == CRANK_OK; e++) {
        values[e] = work[entries->entry[e]];
    }
    return status;
}
