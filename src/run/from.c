/* from.c - a run that begins at a row of a result, instead of the start that its file gives.
 *
 * Columns become unknowns (crank_model_functions.place); what a row does not hold (multipliers,
 * accelerations) follows from it, and positions and velocities are moved onto the constraints
 * where the row is rounded. A vehicle that begins to move where it stood has the velocities of
 * the file's own start, moved onto the constraints at the row's positions, where its wheels roll
 * that roll at its own start. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/blame.h"
#include "base/then.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *result_name(const crank_table *table)
{
    return table->title != NULL ? table->title : table->model != NULL ? table->model : "";
}

static const char *or_none(const char *name)
{
    return name != NULL ? name : "?";
}

/* values of all columns of the model in that row; NaN: the result has no such column */
static void read_columns(const crank_run *run, const crank_table *table, int row,
                         double *values)
{
    for (int i = 0; i < run->columns; i++) {
        const int j = crank_table_find(table, crank_model_column_name(run->model, i));
        values[i] =
            j >= 0 ? table->values[(size_t)j * (size_t)table->rows + (size_t)row] : (double)NAN;
    }
}

/* the column of the model that the result lacks, by which its message calls it */
static const char *missing_column(const crank_run *run, const double *values)
{
    for (int i = 0; i < run->columns; i++) {
        if (isnan(values[i])) {
            return crank_model_column_name(run->model, i);
        }
    }
    return NULL;
}

static crank_status place(crank_run *run, double t, const double *values, double *x,
                          crank_error *err)
{
    const crank_model *model = run->model;
    if (model->functions->place != NULL) {
        return model->functions->place(run->eom->self, t, values, x, err);
    }
    for (int i = 0; i < model->variable_columns; i++) {
        x[model->source[i]] = values[i];
    }
    return CRANK_OK;
}

/* what a motion is made of must be there; guesses of the rest stay as they were */
static crank_status check(const crank_run *run, const crank_table *table, const double *values,
                          double *x, crank_error *err)
{
    const crank_eom *eom = run->eom;
    for (int j = 0; j < eom->n; j++) {
        const bool needed = j >= eom->column[CRANK_R];
        if (isnan(x[j]) && !needed) {
            x[j] = run->given[j];
        } else if (isnan(x[j])) {
            const char *name = result_name(table);
            return crank_fail(
                err, CRANK_EARG,
                "it is no result of model \"%.80s\"%s%.80s%s: it has no column %s",
                crank_model_title(run->model), name[0] != '\0' ? ", but of \"" : "", name,
                name[0] != '\0' ? "\"" : "", or_none(missing_column(run, values)));
        }
    }
    return CRANK_OK;
}

/* NAME or NAME.start of a column, and no parameter */
static bool is_start_value(const crank_model *model, const char *name)
{
    const size_t length = strlen(name);
    const bool suffix = length > 6 && strcmp(name + length - 6, ".start") == 0;
    for (int i = 0; i < model->parameter_count; i++) {
        if (strcmp(model->parameter[i].name, name) == 0) {
            return false;
        }
    }
    for (int i = 0; i < model->column_count; i++) {
        const char *column = model->column_name[i];
        if (strcmp(column, name) == 0 || (suffix && strlen(column) == length - 6 &&
                                          strncmp(column, name, length - 6) == 0)) {
            return true;
        }
    }
    return false;
}

/* by the names of columns: "vx", "angle_rate"; or a velocity of an equations file */
static bool is_velocity(const crank_run *run, const char *name)
{
    static const char *const rates[] = {"vx", "vy", "vz", "wx", "wy", "wz", "rate"};
    const crank_eom *eom = run->eom;
    const char *dot = strrchr(name, '.');
    size_t length = strlen(name);
    if (dot != NULL && strcmp(dot, ".start") == 0) {
        length -= 6;
    }
    for (int j = eom->column[CRANK_V]; j < eom->column[CRANK_V] + eom->sizes.v; j++) {
        const char *own = crank_eom_column_name(eom, j);
        if (strlen(own) == length && strncmp(own, name, length) == 0) {
            return true;
        }
    }
    size_t first = length;
    while (first > 0 && name[first - 1] != '.') {
        first--;
    }
    const char *last = name + first;
    const size_t size = length - first;
    bool found = size > 5 && strncmp(last + size - 5, "_rate", 5) == 0;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        found = found || (strlen(rates[i]) == size && strncmp(last, rates[i], size) == 0);
    }
    return found;
}

/* A start value of the caller's has no meaning where a row gives it. */
static crank_status refuse_start_values(const crank_run *run, bool placed, crank_error *err)
{
    const crank_model_options *made = &run->model->options;
    const crank_state *state = run->model_state;
    for (int i = 0; i < made->setting_count + state->setting_count; i++) {
        const crank_setting *s = i < made->setting_count
                                     ? &made->settings[i]
                                     : &state->setting[i - made->setting_count];
        if (is_start_value(run->model, s->name) && !(placed && is_velocity(run, s->name))) {
            return crank_fail(err, CRANK_EARG,
                              "start value \"%.80s\" is set to %.40s, but %s start values are "
                              "those of the row; parameters%s can be set, or the row edited",
                              s->name, s->value, placed ? "all other" : "all",
                              placed ? " and velocities" : "");
        }
    }
    return CRANK_OK;
}

static crank_status settle(crank_run *run, double t, crank_error *err)
{
    crank_initial_options options = crank_initial_options_default();
    options.under_way = true;
    run->initial = (crank_initial_report){.consistent = true, .largest_column = -1};
    return crank_eom_initialize(run->eom, t, run->x, &options, &run->initial, run->asked.log,
                                err);
}

/* own: the file's own start. Once more onto the constraints: what was said of them before holds. */
static crank_status roll(crank_run *run, double t, const double *own, crank_error *err)
{
    const crank_model *model = run->model;
    crank_initial_options options = crank_initial_options_default();
    options.under_way = true;
    if (model->functions->roll == NULL || !run->options.check_initial) {
        return CRANK_OK;
    }
    const crank_status status =
        model->functions->roll(run->eom->self, t, own, run->x, crank_model_fixing(model), err);
    return status == CRANK_OK
               ? crank_eom_initialize(run->eom, t, run->x, &options, NULL, (crank_log){0}, err)
               : status;
}

/* velocities: of the file's own start, NULL: of the row */
static crank_status begin(crank_run *run, const crank_table *table, int row,
                          const double *velocities, crank_error *err)
{
    const crank_eom *eom = run->eom;
    const int time = crank_table_find(table, "time");
    const size_t bytes = (size_t)run->n * sizeof *run->x;
    double *values = calloc((size_t)run->columns + (size_t)run->n + 1, sizeof *values);
    if (values == NULL) {
        return crank_fail(err, CRANK_EMEM, "a row of %d columns", run->columns);
    }
    const double t = velocities != NULL
                         ? run->t_start
                         : table->values[(size_t)time * (size_t)table->rows + (size_t)row];
    double *before = values + run->columns;
    read_columns(run, table, row, values);
    memcpy(before, run->x, bytes);
    memcpy(run->x, run->given, bytes);
    crank_status status = place(run, t, values, run->x, err);
    CRANK_THEN(status, check(run, table, values, run->x, err));
    status = crank_blame_caller(err, status);
    if (velocities != NULL) {
        memcpy(run->x + eom->column[CRANK_V], velocities,
               (size_t)eom->sizes.v * sizeof *velocities);
    }
    CRANK_THEN(status, settle(run, t, err));
    if (velocities != NULL) {
        CRANK_THEN(status, roll(run, t, before, err));
    }
    if (status == CRANK_OK) {
        run->t_start = run->t = t;
        crank_run_set_beginning(run, run->x);
    } else {
        memcpy(run->x, before, bytes); /* begins where it did */
    }
    free(values);
    return status;
}

static crank_status check_row(const crank_run *run, const crank_table *table, int row,
                              bool placed, crank_error *err)
{
    const int time = crank_table_find(table, "time");
    if (run->model == NULL || run->integrator != NULL) {
        return crank_fail(err, CRANK_EARG,
                          "a run begins at a row of a result before it is formulated, and has "
                          "a model");
    }
    if (time < 0 || row < 0 || row >= table->rows) {
        return crank_blame_caller(
            err, crank_fail(err, CRANK_EARG,
                            time < 0 ? "it has no column time" : "it has no such row"));
    }
    return crank_blame_caller(err, refuse_start_values(run, placed, err));
}

crank_status crank_run_begin_from(crank_run *run, const crank_table *table, int row,
                                  crank_error *err)
{
    const crank_status status = check_row(run, table, row, false, err);
    return status == CRANK_OK ? begin(run, table, row, NULL, err) : status;
}

crank_status crank_run_begin_placed(crank_run *run, const crank_table *table, int row,
                                    crank_error *err)
{
    crank_status status = check_row(run, table, row, true, err);
    CRANK_THEN(status, crank_run_initialize(run, err)); /* the file's own start */
    if (status != CRANK_OK) {
        return status;
    }
    const size_t count = (size_t)run->eom->sizes.v;
    double *velocities = malloc((count + 1) * sizeof *velocities);
    if (velocities == NULL) {
        return crank_fail(err, CRANK_EMEM, "%d velocities", run->eom->sizes.v);
    }
    memcpy(velocities, run->x + run->eom->column[CRANK_V], count * sizeof *velocities);
    status = begin(run, table, row, velocities, err);
    free(velocities);
    return status;
}
