/* bindings.h - what the files of the MEX function share.
 *
 *     answer = crank_mex(command, request)
 *
 * request is a struct, its fields are optional; answer too. Nothing is thrown from C: what went
 * wrong is in answer.error, what was warned of in answer.warnings, and the functions around it
 * (crank_call.m) raise it. So the library's memory is freed whatever happens. Memory of mx
 * functions is the interpreter's, which frees it when the MEX function returns. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_OCTAVE_BINDINGS_H
#define CRANK_OCTAVE_BINDINGS_H

#include <crank/crank.h>
#include <mex.h>

/* a call of the library */
typedef struct call {
    const mxArray *request;
    mxArray *answer;
    mxArray *warnings; /* cell of texts */
    mxArray *thrown;   /* what a function of the caller threw first; NULL: nothing */
    crank_run *run;
    const crank_events *events; /* for the run's options; NULL: none */
    crank_run_happen_fn *happen;
} call;

/* ---- values.c: between mxArray and C ---- */

const mxArray *field(const mxArray *record, const char *name);   /* NULL: not there, or [] */
const char *text_field(const mxArray *record, const char *name); /* NULL: not there */
double number_field(const mxArray *record, const char *name, double otherwise);
bool flag_field(const mxArray *record, const char *name);
/* Names and values of a cell with two columns of texts. */
int settings_field(const mxArray *record, const char *name, const crank_setting **out);
/* Texts of a cell. */
int texts_field(const mxArray *record, const char *name, const char *const **out);

void answer_set(call *c, const char *name, mxArray *value);
void answer_text(call *c, const char *name, const char *text);
void answer_number(call *c, const char *name, double value);
mxArray *matrix_of(int rows, int columns, const double *values);
mxArray *texts_of(int count, const char *const *texts);
/* The rows of a table, its names and units. */
void answer_table(call *c, const crank_table *table);
/* Appends a text to a cell. */
void cell_append(mxArray **cell, const char *text);

/* ---- interruption.c ---- */

/* Ctrl-C ends the library's work at the next step, and reaches the interpreter after it. */
void interruption_begin(void);
void interruption_end(void);
crank_status interruption_stop(void *user, crank_error *err);

/* ---- the commands, each fills the answer ---- */

/* Messages of the library become warnings of the answer. */
crank_log call_log(call *c); /* motion.c */
/* Opens c->run as the request says, also at a row of a result. */
crank_status open_run(call *c, crank_error *err);

crank_status command_model(call *c, crank_error *err);       /* motion.c */
crank_status command_run(call *c, crank_error *err);         /* motion.c */
crank_status command_init(call *c, crank_error *err);        /* motion.c */
crank_status command_solve(call *c, crank_error *err);       /* solve.c */
crank_status command_between(call *c, crank_error *err);     /* solve.c */
crank_status command_check(call *c, crank_error *err);       /* study.c */
crank_status command_equilibrium(call *c, crank_error *err); /* study.c */
crank_status command_linearize(call *c, crank_error *err);   /* study.c */

#endif
