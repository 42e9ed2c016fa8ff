/* motion.c - models, their starts and runs to the end. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <math.h>

static void take_message(crank_level level, const char *text, void *user)
{
    call *c = user;
    if (level == CRANK_WARNING) {
        cell_append(&c->warnings, text);
    }
}

crank_log call_log(call *c)
{
    return (crank_log){take_message, c};
}

/* At a row of a result. */
static crank_status begin_from(call *c, const char *path, crank_error *err)
{
    crank_table *table = NULL;
    double found;
    crank_status status = crank_table_read(path, &table, err);
    if (status == CRANK_OK) {
        const int row = crank_table_row_at(table, number_field(c->request, "at", NAN), &found);
        status = row >= 0 ? crank_run_begin_from(c->run, table, row, err)
                          : crank_fail(err, CRANK_EFILE, "%s: no rows with a time", path);
    }
    crank_table_destroy(table);
    return status;
}

crank_status open_run(call *c, crank_error *err)
{
    crank_run_options options = crank_run_options_default();
    const char *path = text_field(c->request, "file");
    const char *from = text_field(c->request, "from");
    if (path == NULL) {
        return crank_fail(err, CRANK_EARG, "no model given: the name of its file");
    }
    options.method = text_field(c->request, "method");
    options.model = text_field(c->request, "model");
    options.library = text_field(c->request, "library");
    options.t_end = number_field(c->request, "t_end", NAN);
    options.compile = flag_field(c->request, "compile");
    options.setting_count = settings_field(c->request, "set", &options.settings);
    options.option_count = settings_field(c->request, "options", &options.options);
    options.log = call_log(c);
    options.stop = interruption_stop;
    options.events = c->events;
    options.happen = c->happen;
    const crank_status status = crank_run_open(path, &options, &c->run, err);
    return status == CRANK_OK && from != NULL ? begin_from(c, from, err) : status;
}

/* ---- a model ---- */

crank_status command_model(call *c, crank_error *err)
{
    const crank_status status = open_run(c, err);
    const crank_model *model = status == CRANK_OK ? crank_run_model(c->run) : NULL;
    if (model == NULL) {
        return status;
    }
    int count = 0;
    while (crank_model_parameter(model, count) != NULL) {
        count++;
    }
    mxArray *names = mxCreateCellMatrix(1, (mwSize)count);
    mxArray *values = mxCreateDoubleMatrix(1, (mwSize)count, mxREAL);
    for (int i = 0; i < count; i++) {
        const crank_parameter *p = crank_model_parameter(model, i);
        mxSetCell(names, (mwIndex)i, mxCreateString(p->name));
        mxGetPr(values)[i] = p->value;
    }
    const int columns = crank_model_column_count(model);
    mxArray *column = mxCreateCellMatrix(1, (mwSize)columns);
    mxArray *unit = mxCreateCellMatrix(1, (mwSize)columns);
    for (int i = 0; i < columns; i++) {
        const char *text = crank_model_column_unit(model, i);
        mxSetCell(column, (mwIndex)i, mxCreateString(crank_model_column_name(model, i)));
        mxSetCell(unit, (mwIndex)i, mxCreateString(text != NULL ? text : ""));
    }
    answer_text(c, "title", crank_model_title(model));
    answer_text(c, "kind", crank_model_kind(model));
    answer_text(c, "method", crank_run_get_method(c->run).name);
    answer_number(c, "t_start", crank_model_simulate(model)->t_start);
    answer_number(c, "t_end", crank_run_end(c->run));
    answer_set(c, "parameter_names", names);
    answer_set(c, "parameter_values", values);
    answer_set(c, "columns", column);
    answer_set(c, "units", unit);
    return status;
}

/* ---- a start ---- */

crank_status command_init(call *c, crank_error *err)
{
    crank_status status = open_run(c, err);
    if (status == CRANK_OK) {
        crank_run_settled(c->run)->check_initial = true;
        status = crank_run_initialize(c->run, err);
    }
    const double *values = status == CRANK_OK ? crank_run_values(c->run, err) : NULL;
    if (values == NULL) {
        return status == CRANK_OK ? err->status : status;
    }
    const crank_run_beginning begun = crank_run_get_beginning(c->run);
    const int columns = crank_run_column_count(c->run),
              n = crank_eom_unknowns(crank_run_eom(c->run));
    mxArray *names = mxCreateCellMatrix(1, (mwSize)columns);
    for (int i = 0; i < columns; i++) {
        mxSetCell(names, (mwIndex)i, mxCreateString(crank_run_column_name(c->run, i)));
    }
    answer_set(c, "names", names);
    answer_set(c, "values", matrix_of(1, columns, values));
    answer_set(c, "state", matrix_of(1, n, begun.x));
    answer_number(c, "t", begun.t);
    if (begun.report != NULL) {
        answer_set(c, "consistent", mxCreateLogicalScalar(begun.report->consistent));
        answer_set(c, "residual", matrix_of(1, 3, begun.report->residual));
        answer_set(c, "corrected", matrix_of(1, 3, begun.report->corrected));
    }
    return CRANK_OK;
}

/* ---- to the end ---- */

static void tell_statistics(call *c)
{
    const crank_integrator *integrator = crank_run_integrator(c->run);
    const char *name;
    char text[64];
    if (integrator == NULL) {
        return;
    }
    const crank_statistics counters = crank_integrator_statistics(integrator);
    mxArray *record = mxCreateStructMatrix(1, 1, 0, NULL);
    for (int i = 0; crank_statistics_entry(&counters, i, &name, text, sizeof text); i++) {
        (void)mxAddField(record, name);
        mxArray *word = mxCreateString(text), *value = NULL;
        (void)mexCallMATLAB(1, &value, 1, &word, "str2double");
        mxSetField(record, 0, name, value);
    }
    answer_set(c, "statistics", record);
}

crank_status command_run(call *c, crank_error *err)
{
    crank_run_rows rows = {0};
    crank_table *table = NULL;
    const mxArray *times = field(c->request, "times");
    crank_status status = open_run(c, err);
    if (status == CRANK_OK && times != NULL) {
        rows.times = mxGetPr(times);
        rows.count = (int64_t)mxGetNumberOfElements(times);
    } else if (status == CRANK_OK) {
        status = crank_run_divide(c->run, number_field(c->request, "every", 0.0),
                                  (int64_t)number_field(c->request, "points", 0.0), &rows, err);
    }
    rows.steps = flag_field(c->request, "steps");
    rows.events = times == NULL;
    if (status == CRANK_OK) {
        status = crank_run_record_rows(c->run, &rows, &table, err);
    }
    if (table != NULL) {
        const char *out = text_field(c->request, "out");
        answer_table(c, table);
        answer_text(c, "method", crank_run_get_method(c->run).name);
        answer_set(c, "stopped", mxCreateLogicalScalar(crank_run_stopped(c->run)));
        tell_statistics(c);
        if (out != NULL) { /* of a run that failed the rows until then */
            crank_error second = {0};
            const bool good = status == CRANK_OK;
            const crank_status written = crank_table_write(table, out, good ? err : &second);
            status = good ? written : status;
        }
    }
    crank_table_destroy(table);
    return status;
}
