/* table.c - a run to its end, as a table. See crank/run.h. How many rows events add is known at
 * the end, so rows are kept one after the other and become columns then. A run that fails ends
 * with a row where it stopped. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/grow.h"
#include "base/then.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool copy_text(char **to, const char *from)
{
    *to = strdup(from != NULL ? from : "");
    return *to != NULL;
}

/* Rows one after the other, while their number is not known. */
typedef struct filling {
    double *values;
    size_t columns;
    int rows, room;
} filling;

static crank_status take_row(crank_run *run, void *user, crank_error *err)
{
    filling *f = user;
    crank_error own = {0};
    err = err != NULL ? err : &own;
    const double *values = crank_run_values(run, err);
    if (values == NULL) {
        return err->status;
    }
    double *more = crank_grow(f->values, f->rows, &f->room, f->columns * sizeof *more);
    if (more == NULL) {
        return crank_fail(err, CRANK_EMEM, "a table of %d rows", f->rows + 1);
    }
    f->values = more;
    double *to = f->values + (size_t)f->rows++ * f->columns;
    to[0] = run->t;
    memcpy(to + 1, values, (f->columns - 1) * sizeof *to);
    return CRANK_OK;
}

static bool name_columns(const crank_run *run, crank_table *table, size_t columns)
{
    bool good = true;
    for (size_t j = 0; j < columns && good; j++) {
        const int i = (int)j - 1;
        const crank_model *model = i >= 0 ? run->model : NULL;
        table->columns++;
        good = copy_text(&table->names[j], j == 0 ? "time" : crank_run_column_name(run, i)) &&
               copy_text(&table->units[j], model != NULL ? crank_model_column_unit(model, i)
                                           : j == 0      ? "s"
                                                         : "") &&
               copy_text(&table->descriptions[j],
                         model != NULL ? crank_model_column_description(model, i) : "");
    }
    return good;
}

/* What the result says of itself. */
static crank_status describe(const crank_run *run, crank_table *table, crank_error *err)
{
    const crank_model *model = run->model;
    if (!copy_text(&table->method, run->method) ||
        (model != NULL && !copy_text(&table->title, crank_model_title(model)))) {
        return crank_fail(err, CRANK_EMEM, "a table");
    }
    return model != NULL ? crank_model_scene(model, &table->scene, err) : CRANK_OK;
}

static crank_status make_table(const crank_run *run, const filling *f, crank_table **out,
                               crank_error *err)
{
    const size_t columns = f->columns, rows = (size_t)f->rows;
    crank_table *table = calloc(1, sizeof *table);
    *out = table;
    if (table == NULL) {
        return crank_fail(err, CRANK_EMEM, "a table");
    }
    table->names = calloc(columns, sizeof *table->names);
    table->units = calloc(columns, sizeof *table->units);
    table->descriptions = calloc(columns, sizeof *table->descriptions);
    table->values = calloc(columns * (rows + 1), sizeof *table->values);
    if (table->names == NULL || table->units == NULL || table->descriptions == NULL ||
        table->values == NULL || !name_columns(run, table, columns)) {
        return crank_fail(err, CRANK_EMEM, "a table of %zu columns", columns);
    }
    table->rows = f->rows;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            table->values[j * rows + i] = f->values[i * columns + j];
        }
    }
    return describe(run, table, err);
}

crank_status crank_run_record_rows(crank_run *run, crank_run_rows *rows, crank_table **out,
                                   crank_error *err)
{
    filling f = {.columns = (size_t)run->columns + 1};
    const crank_run_visitor visitor = {.row = take_row, .user = &f};
    crank_error second = {0};
    *out = NULL;
    const crank_status status = crank_run_visit(run, rows, &visitor, err);
    bool unbounded;
    if (crank_run_look_where_stopped(run, status, &unbounded) && f.rows > 0 &&
        run->t > f.values[(size_t)(f.rows - 1) * f.columns]) {
        (void)take_row(run, &f, &second);
    }
    const crank_status made = make_table(run, &f, out, status == CRANK_OK ? err : &second);
    free(f.values);
    return status == CRANK_OK ? made : status;
}

crank_status crank_run_table(crank_run *run, int intervals, crank_table **out, crank_error *err)
{
    crank_run_rows rows;
    *out = NULL;
    const crank_status status = crank_run_divide(run, 0.0, intervals, &rows, err);
    if (status == CRANK_OK && rows.count >= INT_MAX) {
        return crank_fail(err, CRANK_ETIME, "a table of %g rows", (double)rows.count);
    }
    return status == CRANK_OK ? crank_run_record_rows(run, &rows, out, err) : status;
}
