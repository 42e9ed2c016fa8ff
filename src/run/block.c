/* block.c - see block.h: the file is read in joint coordinates, its start is found, and
 * mechanics/block.h writes its recursion. What a joint calls its angle or length differs from
 * the coordinate of the tree by a sign and an offset, which are read from its columns. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/block.h"

#include "base/then.h"
#include "mechanics/block.h"
#include "model/model.h"
#include "run/translate.h"

#include <crank/run.h>

#include <math.h>
#include <string.h>

/* joint.NAME.angle, angle2, length, ...: of this joint, no rate, force or moment */
static bool is_coordinate(const char *column, const char *joint, size_t length)
{
    static const char *const kinds[] = {"angle", "length"};
    if (strncmp(column, joint, length) != 0) {
        return false;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const size_t word = strlen(kinds[k]);
        if (strncmp(column + length, kinds[k], word) == 0 &&
            strspn(column + length + word, "123456789") == strlen(column + length + word)) {
            return true;
        }
    }
    return false;
}

/* Columns are linear in the coordinates of trees: one that changes as coordinate j does. */
static crank_status find_coordinate(crank_state *state, int j, double t, double *x,
                                    const double *before, double *after,
                                    crank_block_coordinate *out, crank_error *err)
{
    const crank_model *model = crank_state_model(state);
    const crank_eom *eom = crank_state_eom(state);
    const double change = 1.0 / 1024.0, close = 1e-6;
    double *p = &x[eom->column[CRANK_P] + j];
    const double kept = *p;
    const char *name = crank_eom_column_name(eom, eom->column[CRANK_P] + j);
    const char *dot = strrchr(name, '.');
    *out = (crank_block_coordinate){.sign = 1.0};
    if (strncmp(name, "joint.", 6) != 0 || dot == NULL) {
        return CRANK_OK; /* of a free body: no joint speaks of it */
    }
    *p = kept + change;
    const crank_status status = crank_state_columns(state, t, x, after, err);
    *p = kept;
    if (status != CRANK_OK) {
        return status;
    }
    for (int c = 0; c < crank_model_column_count(model); c++) {
        const double slope = (after[c] - before[c]) / change;
        if (is_coordinate(crank_model_column_name(model, c), name, (size_t)(dot - name) + 1) &&
            fabs(fabs(slope) - 1.0) <= close) {
            out->sign = slope > 0.0 ? 1.0 : -1.0;
            out->offset = before[c] - out->sign * kept;
            return CRANK_OK;
        }
    }
    return crank_fail(err, CRANK_EREFUSED,
                      "%.*s has no quantity for one of its coordinates: in a mechanism block "
                      "not supported",
                      (int)(dot - name), name);
}

static crank_status write_at(crank_state *state, double t, const double *start,
                             const char *name, crank_text *text, crank_error *err)
{
    const crank_eom *eom = crank_state_eom(state);
    const size_t columns = (size_t)crank_model_column_count(crank_state_model(state));
    const size_t n = (size_t)eom->n, coordinates = (size_t)eom->sizes.p;
    crank_store store = {0};
    double *x = crank_store_take(&store, n + 2 * columns, sizeof *x);
    crank_block_coordinate *list = crank_store_take(&store, coordinates, sizeof *list);
    crank_status status =
        store.failed ? crank_fail(err, CRANK_EMEM, "a mechanism block") : CRANK_OK;
    if (status == CRANK_OK) {
        memcpy(x, start, n * sizeof *x);
        status = crank_state_columns(state, t, x, x + n, err);
    }
    for (int j = 0; j < eom->sizes.p && status == CRANK_OK; j++) {
        status = find_coordinate(state, j, t, x, x + n, x + n + columns, &list[j], err);
    }
    CRANK_THEN(status, crank_mechanism_write_block(eom, x, list, name, text, err));
    crank_store_free(&store);
    return status;
}

static crank_status write(const crank_model *model, const char *name, crank_text *text,
                          crank_error *err)
{
    crank_run_options options = crank_run_options_default();
    const crank_setting joint = {"coordinates", "joint"};
    crank_run *run = NULL;
    if (model->events != NULL || model->switches != NULL) {
        return crank_fail(err, CRANK_EREFUSED,
                          "events and switches in a mechanism block: not supported");
    }
    options.options = &joint;
    options.option_count = 1;
    crank_status status = crank_run_open_model(model, &options, &run, err);
    CRANK_THEN(status, crank_mechanism_check_block(crank_run_eom(run), err));
    CRANK_THEN(status, crank_run_initialize(run, err));
    if (status == CRANK_OK) {
        const crank_run_beginning at = crank_run_get_beginning(run);
        status = write_at(crank_run_model_state(run), at.t, at.x, name, text, err);
    }
    crank_run_close(run);
    return status;
}

crank_status crank_block_write(const char *path, const char *name, crank_text *text,
                               crank_error *err)
{
    crank_model_options options = crank_model_options_default();
    crank_model *model = NULL;
    if (crank_modelica_is_named(path)) {
        return crank_fail(err, CRANK_EREFUSED, "it is no mechanism");
    }
    crank_status status = crank_model_read(path, &options, &model, err);
    if (status == CRANK_OK && strcmp(crank_model_kind(model), "mechanism") != 0) {
        status = crank_fail(err, CRANK_EREFUSED, "it is no mechanism");
    }
    CRANK_THEN(status, write(model, name, text, err));
    crank_model_destroy(model);
    return status;
}
