/* turns.c - turns of angles at points of a search, turns.h. They are part of what checkpoints
 * keep. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/turns.h"

#include "model/model.h"

#include <stdlib.h>

void crank_turns_remember(crank_eom *eom, crank_archive *memory)
{
    crank_archive_free(memory);
    *memory = crank_archive_saving();
    crank_eom_archive(eom, memory);
}

void crank_turns_recall(crank_eom *eom, const crank_archive *memory)
{
    crank_archive from = crank_archive_loading(memory->made, memory->used);
    crank_eom_archive(eom, &from);
}

/* As a run that begins at a row of a result: angles are told by its columns. */
crank_status crank_turns_begin(crank_run *run, double t, const double *x, crank_error *err)
{
    if (run->model == NULL || run->model->functions->place == NULL) {
        return CRANK_OK;
    }
    double *values = calloc((size_t)run->columns + (size_t)run->n + 1, sizeof *values);
    if (values == NULL) {
        return crank_fail(err, CRANK_EMEM, "a row of %d columns", run->columns);
    }
    crank_status status = crank_state_columns(run->model_state, t, x, values, err);
    if (status == CRANK_OK) {
        status =
            run->model->functions->place(run->eom->self, t, values, values + run->columns, err);
    }
    free(values);
    return status;
}
