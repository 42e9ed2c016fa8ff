/* study.c - what is asked about a model besides its motion: its structure, where it rests, how
 * it vibrates. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

crank_status command_check(call *c, crank_error *err)
{
    crank_structure_report report;
    crank_status status = open_run(c, err);
    if (status == CRANK_OK) {
        crank_run_settled(c->run)->check_initial = true;
        status = crank_run_initialize(c->run, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const crank_run_beginning begun = crank_run_get_beginning(c->run);
    status = crank_eom_structure(crank_run_eom(c->run), begun.t, begun.x,
                                 crank_run_settled(c->run)->rank_tolerance, &report, err);
    if (status != CRANK_OK) {
        return status;
    }
    answer_number(c, "unknowns", crank_eom_unknowns(crank_run_eom(c->run)));
    answer_number(c, "freedom_position", report.freedom_position);
    answer_number(c, "freedom_velocity", report.freedom_velocity);
    answer_set(c, "redundant",
               texts_of(report.redundant_count, (const char *const *)report.redundant_text));
    answer_set(c, "massless",
               texts_of(report.massless_count, (const char *const *)report.massless_text));
    answer_set(c, "open", texts_of(report.open_count, (const char *const *)report.open_text));
    answer_set(c, "determined", mxCreateLogicalScalar(report.bordered_regular));
    answer_set(c, "contradictory", mxCreateLogicalScalar(report.contradictory));
    answer_set(c, "singular", mxCreateLogicalScalar(report.degenerate));
    answer_number(c, "loops", report.loops);
    if (begun.report != NULL) {
        answer_set(c, "consistent", mxCreateLogicalScalar(begun.report->consistent));
    }
    crank_structure_report_free(&report);
    return CRANK_OK;
}

/* The columns at the beginning of the run, as a result of one row. */
static crank_status tell_beginning(call *c, crank_error *err)
{
    const double *values = crank_run_values(c->run, err);
    const int columns = crank_run_column_count(c->run);
    if (values == NULL) {
        return err->status;
    }
    mxArray *names = mxCreateCellMatrix(1, (mwSize)columns);
    for (int i = 0; i < columns; i++) {
        mxSetCell(names, (mwIndex)i, mxCreateString(crank_run_column_name(c->run, i)));
    }
    answer_set(c, "names", names);
    answer_set(c, "values", matrix_of(1, columns, values));
    return CRANK_OK;
}

crank_status command_equilibrium(call *c, crank_error *err)
{
    crank_equilibrium rest;
    const char *free_text[CRANK_FREE_DIRECTIONS];
    crank_status status = open_run(c, err);
    if (status == CRANK_OK) {
        status = crank_run_find_equilibrium(c->run, NULL, &rest, err);
    }
    if (status == CRANK_OK) {
        status = tell_beginning(c, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const int free_count =
        rest.free_count < CRANK_FREE_DIRECTIONS ? rest.free_count : CRANK_FREE_DIRECTIONS;
    for (int i = 0; i < free_count; i++) {
        free_text[i] = rest.free_text[i];
    }
    answer_text(c, "stability", crank_stability_word(rest.stability));
    answer_text(c, "direction", rest.direction);
    answer_set(c, "free", texts_of(free_count, free_text));
    answer_number(c, "smallest", rest.smallest);
    answer_number(c, "freedom", rest.freedom);
    answer_number(c, "residual", rest.residual);
    answer_number(c, "iterations", rest.iterations);
    return CRANK_OK;
}

crank_status command_linearize(call *c, crank_error *err)
{
    crank_linear_options options = crank_linear_options_default();
    crank_equilibrium rest;
    crank_linear l;
    options.input_count = texts_field(c->request, "inputs", &options.inputs);
    options.output_count = texts_field(c->request, "outputs", &options.outputs);
    crank_status status = open_run(c, err);
    if (status == CRANK_OK && flag_field(c->request, "equilibrium")) {
        status = crank_run_find_equilibrium(c->run, NULL, &rest, err);
    }
    if (status == CRANK_OK) {
        status = crank_run_linearize(c->run, &options, &l, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    answer_set(c, "A", matrix_of(l.states, l.states, l.A));
    answer_set(c, "B", matrix_of(l.states, l.inputs, l.B));
    answer_set(c, "C", matrix_of(l.outputs, l.states, l.C));
    answer_set(c, "D", matrix_of(l.outputs, l.inputs, l.D));
    answer_set(c, "states", texts_of(l.states, l.state_name));
    answer_set(c, "inputs", texts_of(l.inputs, l.input_name));
    answer_set(c, "outputs", texts_of(l.outputs, l.output_name));
    answer_set(c, "real", matrix_of(l.states, 1, l.real));
    answer_set(c, "imag", matrix_of(l.states, 1, l.imag));
    answer_set(c, "frequency", matrix_of(l.states, 1, l.frequency));
    answer_set(c, "damping", matrix_of(l.states, 1, l.damping));
    answer_set(c, "modes", matrix_of(2 * l.states, l.states, l.modes)); /* re, im, re, im */
    answer_set(c, "steady", mxCreateLogicalScalar(l.steady));
    crank_linear_free(&l);
    return CRANK_OK;
}
