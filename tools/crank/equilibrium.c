/* equilibrium.c - "crank equilibrium": where a model rests, whether that is stable, and a start
 * file for runs from there. */
// SPDX-License-Identifier: BSD-3-Clause
#include "files.h"
#include "from.h"
#include "init.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct equilibrium_arguments {
    model_arguments model;
    bool all;
    const char *from, *out;
} equilibrium_arguments;

#define AT(member) offsetof(equilibrium_arguments, member)
// clang-format off
static const argument arguments[] = {
    MODEL_ARGUMENTS,
    {"--from", "RESULT[@T]", ARGUMENT_TEXT, AT(from),
     "begin the search at a row of a result instead of the file's start"},
    {"-o", "START", ARGUMENT_TEXT, AT(out),
     "a start file for run --from: a result (.csv, .h5, .mat, .nc) of one row"},
    {"--out", "START", ARGUMENT_TEXT, AT(out), "the same"},
    {"--all", NULL, ARGUMENT_FLAG, AT(all), "list also what did not move"},
};
// clang-format on

static const usage equilibrium_usage = {
    .synopsis = "crank equilibrium MODEL [options]",
    .summary = "Finds where the model rests, from a rough start: velocities are zero, drives "
               "stand as\n"
               "they are at the start time. Says whether that is stable, or what moves freely.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(model_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

/* ---- the start file ---- */

static crank_status write_columns(session *s, crank_recorder *recorder, double *values,
                                  crank_error *err)
{
    values[0] = s->t_start;
    crank_status status = crank_state_columns(s->state, s->t_start, s->x, values + 1, err);
    THEN(status, crank_recorder_write(recorder, values, err));
    return status;
}

static crank_status write_start(session *s, const char *path, crank_error *err)
{
    const int count = crank_model_column_count(s->model);
    crank_column *columns = calloc((size_t)count + 1, sizeof *columns);
    double *values = calloc((size_t)count + 1, sizeof *values);
    crank_recorder *recorder = NULL;
    crank_result_info info = crank_result_info_default();
    crank_status status = CRANK_EMEM;

    if (columns != NULL && values != NULL) {
        columns[0] = (crank_column){"time", "s", "time"};
        for (int i = 0; i < count; i++) {
            columns[i + 1] = (crank_column){crank_model_column_name(s->model, i),
                                            crank_model_column_unit(s->model, i),
                                            crank_model_column_description(s->model, i)};
        }
        info.title = crank_model_title(s->model);
        info.model = s->path;
        info.method = "equilibrium";
        status = crank_recorder_create(path, count + 1, columns, &info, &recorder, err);
    }
    if (status == CRANK_OK) {
        crank_error closing = {0};
        status = write_columns(s, recorder, values, err);
        const crank_status closed = crank_recorder_close(recorder, &closing);
        if (status == CRANK_OK && closed != CRANK_OK) {
            *err = closing;
            status = closed;
        }
    }
    free(columns);
    free(values);
    return status;
}

/* ---- what was found ---- */

static void tell_list(session *s, const char *what, const char *more, int count,
                      const char text[CRANK_FREE_DIRECTIONS][CRANK_DIRECTION_TEXT])
{
    for (int i = 0; i < count && i < CRANK_FREE_DIRECTIONS; i++) {
        tell_note(&s->messages, "%s%s", what, text[i]);
    }
    if (count > CRANK_FREE_DIRECTIONS) {
        tell_note(&s->messages, "and %d more %s", count - CRANK_FREE_DIRECTIONS, more);
    }
}

static void tell(session *s, const crank_equilibrium *e)
{
    static const double turn = 6.283185307179586;

    tell_note(&s->messages, "%s: %s%s equilibrium, residual %.2g%s, %d step%s%s", s->path,
              e->stability == CRANK_STABILITY_UNKNOWN ? "" : crank_stability_word(e->stability),
              e->stability == CRANK_STABILITY_UNKNOWN ? "an" : "", e->residual,
              e->given ? ", as it starts" : "", e->iterations, e->iterations == 1 ? "" : "s",
              e->relaxed ? " (relaxed)" : "");
    if (e->stability == CRANK_STABILITY_UNKNOWN) {
        tell_note(&s->messages, "whether it is stable was not looked at: the model is too "
                                "large (more than 600 degrees of freedom)");
    } else if (e->stability == CRANK_UNSTABLE) {
        tell_note(&s->messages, "it falls along %s", e->direction);
    } else if (e->smallest > 0.0) {
        tell_entry(&s->messages, "softest",
                   "%.6g Hz without dampers, of %d degree%s of freedom",
                   sqrt(e->smallest) / turn, e->freedom, e->freedom == 1 ? "" : "s");
    }
    if (e->stability != CRANK_STABILITY_UNKNOWN && !e->damped) {
        tell_note(&s->messages,
                  "stability is that of stiffness alone, without dampers and "
                  "controllers: %s",
                  e->undamped);
    }
    tell_list(s, "free: nothing resists ", "free directions", e->free_count, e->free_text);
    tell_list(s, "held: ", "that hold", e->held_count, e->held_text);
    tell_list(s, "", "that slide", e->slide_count, e->slide_text);
    tell_list(s, "turned far from where it began: ", "that did", e->turned_count,
              e->turned_text);
}

static int check_output(messages *m, const char *path)
{
    crank_error err = {0};

    if (path != NULL && crank_recorder_check(path, &err) != CRANK_OK) {
        tell_error(m, "-o %s", err.text);
        return CODE_USAGE;
    }
    return -1;
}

static int find(session *s, const equilibrium_arguments *a)
{
    crank_equilibrium e;
    crank_error err = {0};
    const bool to_file = a->out != NULL;
    const bool data = to_file && is_standard_output(a->out);

    int code = session_begin_from(s, a->from);
    NEXT(code, to_file ? session_check_output(s, "-o", a->out) : -1);
    if (code >= 0) {
        return code;
    }
    crank_status status = crank_run_find_equilibrium(s->run, NULL, &e, &err);
    if (status == CRANK_EINIT_CONVERGENCE) {
        tell_file_error(&s->messages, s->path, &err);
        return CODE_FAILED;
    }
    THEN(status, data ? CRANK_OK : print_start(s, "equilibrium", a->all, &err));
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    tell(s, &e);
    status = to_file ? write_start(s, a->out, &err) : CRANK_OK;
    if (status != CRANK_OK) {
        tell_error(&s->messages, "%s", failure_text(status, &err));
        return CODE_FAILED;
    }
    return CODE_DONE;
}

int equilibrium_main(int argc, char **argv)
{
    equilibrium_arguments a = {0};
    session s = {0};
    int code = arguments_parse(&equilibrium_usage, argc, argv, &a);

    if (code < 0) {
        crank_run_options options = session_begin(&s, &a.model);
        crank_error err = {0};
        code = check_output(&s.messages, a.out);
        crank_setting *all = code < 0 ? in_absolute_coordinates(&options) : NULL;
        if (code < 0) {
            const crank_status status =
                all != NULL ? crank_run_open(s.path, &options, &s.run, &err) : CRANK_EMEM;
            code = session_opened(&s, status, &err);
        }
        NEXT(code, find(&s, &a));
        session_close(&s);
        free(all);
    }
    arguments_free(&equilibrium_usage, &a);
    return code;
}
