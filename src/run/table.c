/* table.c - a run to its end, as a table. See crank/run.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_INTERVALS = 200 };

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

/* the present state as row `row` of `rows` */
static crank_status take_row(crank_run *run, crank_table *table, int row, int rows,
                             crank_error *err)
{
    const double *values = crank_run_values(run, err);
    if (values == NULL) {
        return err != NULL && err->status != CRANK_OK ? err->status : CRANK_ESTOP_EQUATIONS;
    }
    table->values[row] = run->t;
    for (int j = 0; j < run->columns; j++) {
        table->values[(size_t)(j + 1) * (size_t)rows + (size_t)row] = values[j];
    }
    table->rows = row + 1;
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
    const int points =
        run->model != NULL && intervals <= 0 ? crank_model_simulate(run->model)->points : 0;
    const int count = intervals > 0 ? intervals : points > 0 ? points : DEFAULT_INTERVALS;
    const double t = run->t, span = run->t_end - run->t;
    crank_status status = make_table(run, count + 1, out, err);
    for (int i = 0; i <= count && status == CRANK_OK && !run->stopped; i++) {
        status = crank_run_advance(run, i < count ? t + span * i / count : run->t_end, err);
        status = status == CRANK_OK ? take_row(run, *out, i, count + 1, err) : status;
    }
    if (*out != NULL) {
        close_gaps(*out, count + 1);
    }
    return status;
}
