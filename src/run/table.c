/* table.c - a run to its end, as a table. See crank/run.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/then.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool copy_text(char **to, const char *from)
{
    *to = strdup(from != NULL ? from : "");
    return *to != NULL;
}

static crank_status make_table(const crank_run *run, int rows, crank_table **out,
                               crank_error *err)
{
    const size_t columns = (size_t)run->columns + 1;
    crank_table *table = calloc(1, sizeof *table);
    *out = table;
    if (table == NULL) {
        return crank_fail(err, CRANK_EMEM, "a table");
    }
    table->names = calloc(columns, sizeof *table->names);
    table->units = calloc(columns, sizeof *table->units);
    table->descriptions = calloc(columns, sizeof *table->descriptions);
    table->values = calloc(columns * (size_t)rows, sizeof *table->values);
    bool good = table->names != NULL && table->units != NULL && table->descriptions != NULL &&
                table->values != NULL;
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
    return good ? CRANK_OK : crank_fail(err, CRANK_EMEM, "a table of %d columns", run->columns);
}

typedef struct filling {
    crank_table *table;
    size_t rows; /* that there is room for */
} filling;

static crank_status take_row(crank_run *run, void *user, crank_error *err)
{
    const filling *f = user;
    crank_error own = {0};
    err = err != NULL ? err : &own;
    const double *values = crank_run_values(run, err);
    if (values == NULL) {
        return err->status;
    }
    double *to = f->table->values + f->table->rows++;
    to[0] = run->t;
    for (int j = 0; j < run->columns; j++) {
        to[(size_t)(j + 1) * f->rows] = values[j];
    }
    return CRANK_OK;
}

/* columns side by side, where there are fewer rows than there was room for */
static void close_gaps(crank_table *table, int rows)
{
    for (int j = 1; j < table->columns && table->rows < rows; j++) {
        memmove(table->values + (size_t)j * (size_t)table->rows,
                table->values + (size_t)j * (size_t)rows,
                (size_t)table->rows * sizeof *table->values);
    }
}

crank_status crank_run_table(crank_run *run, int intervals, crank_table **out, crank_error *err)
{
    crank_run_rows rows;
    filling f = {0};
    const crank_run_visitor visitor = {.row = take_row, .user = &f};
    *out = NULL;
    crank_status status = crank_run_divide(run, 0.0, intervals, &rows, err);
    if (status == CRANK_OK && rows.count >= INT_MAX) {
        status = crank_fail(err, CRANK_ETIME, "a table of %g rows", (double)rows.count);
    }
    CRANK_THEN(status, make_table(run, (int)rows.count + 1, out, err));
    f = (filling){.table = *out, .rows = (size_t)rows.count + 1};
    CRANK_THEN(status, crank_run_visit(run, &rows, &visitor, err));
    if (*out != NULL) {
        close_gaps(*out, (int)rows.count + 1);
    }
    return status;
}
