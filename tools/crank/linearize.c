/* linearize.c - "crank linearize": the linearised motion at the start, a rest or a row of a
 * result: matrices, eigenvalues, modes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linearize.h"
#include "files.h"
#include "from.h"
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct linearize_arguments {
    model_arguments model;
    const char *from, *out, *motion, *html;
    bool rest;
    int modes;
    text_list inputs, outputs;
} linearize_arguments;

#define AT(member) offsetof(linearize_arguments, member)
// clang-format off
static const argument arguments[] = {
    {"--from", "RESULT[@T]", ARGUMENT_TEXT, AT(from), "at a row of a result"},
    {"--equilibrium", NULL, ARGUMENT_FLAG, AT(rest), "at the rest that the start leads to"},
    {"--input", "NAME", ARGUMENT_LIST, AT(inputs),
     "a parameter or input, a column of B and D; may be repeated"},
    {"--output", "COLUMN", ARGUMENT_LIST, AT(outputs), "a row of C and D; may be repeated"},
    {"--modes", "N", ARGUMENT_COUNT, AT(modes),
     "only the N slowest eigenvalues, by sparse factors: for large models"},
    {"-o", "FILE", ARGUMENT_TEXT, AT(out),
     "matrices and modes as .json or .mat, eigenvalues as .csv"},
    {"--out", "FILE", ARGUMENT_TEXT, AT(out), "the same"},
    {"--motion", "RESULT", ARGUMENT_TEXT, AT(motion),
     "modes as a motion, one after the other, for crank view"},
    {"--html", "FILE.html", ARGUMENT_TEXT, AT(html), "a page that shows the modes move"},
    MODEL_ARGUMENTS,
};
// clang-format on

static const usage linearize_usage = {
    .synopsis = "crank linearize MODEL [options]",
    .summary =
        "Linearises the motion in independent coordinates at the start, at a rest or at a row\n"
        "of a result, and prints eigenvalues, frequencies and damping.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(model_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

static void print_head(void)
{
    (void)printf("%24s %24s %12s %10s  %s\n", "real", "imag", "Hz", "damping", "mostly");
}

static void print_mode(double real, double imag, double frequency, double damping,
                       const char *leader)
{
    (void)printf("%24.16g %24.16g %12.6g %10.4g  %s\n", real, imag, frequency, damping, leader);
}

static void print(const crank_linear *l)
{
    print_head();
    for (int k = 0; k < l->states; k++) {
        print_mode(l->real[k], l->imag[k], l->frequency[k], l->damping[k], l->leader[k]);
    }
}

static void print_modes(const crank_mode *modes, int count)
{
    print_head();
    for (int k = 0; k < count; k++) {
        print_mode(modes[k].real, modes[k].imag, modes[k].frequency, modes[k].damping,
                   modes[k].leader);
    }
}

static bool write_eigenvalues(const crank_mode *modes, int count, const char *path)
{
    const bool standard = is_standard_output(path);
    FILE *file = standard ? stdout : fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    (void)fprintf(file, "real,imag,frequency,damping\n");
    for (int i = 0; i < count; i++) {
        (void)fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", modes[i].real, modes[i].imag,
                      modes[i].frequency, modes[i].damping);
    }
    return standard || fclose(file) == 0;
}

static int find_point(session *s, const linearize_arguments *a)
{
    crank_equilibrium e;
    crank_error err = {0};
    int code = session_begin_from(s, a->from);

    if (code < 0 && a->rest) {
        const crank_status status = crank_run_find_equilibrium(s->run, NULL, &e, &err);
        if (status == CRANK_EINIT_CONVERGENCE) {
            tell_file_error(&s->messages, s->path, &err);
            return CODE_FAILED;
        }
        code = status == CRANK_OK ? -1 : session_fail(s, status, &err);
    }
    return code;
}

/* Linearises once more with all columns as outputs, and writes how they move in each mode. */
static crank_status show_modes(session *s, const char *path, crank_error *err)
{
    const int count = crank_model_column_count(s->model);
    crank_linear_options o = crank_linear_options_default();
    crank_linear l = {0};
    const char **names = calloc((size_t)count + 1, sizeof *names);
    crank_status status = names != NULL ? CRANK_OK : CRANK_EMEM;

    for (int i = 0; i < count && names != NULL; i++) {
        names[i] = crank_model_column_name(s->model, i);
    }
    o.outputs = names;
    o.output_count = count;
    THEN(status, crank_run_linearize(s->run, &o, &l, err));
    THEN(status, write_modes(s, &l, path, err));
    crank_linear_free(&l);
    free(names);
    return status;
}

/* Modes as a motion (--motion), as a page (--html), or both. -1, or the exit code. */
static int show(session *s, const linearize_arguments *a)
{
    temporary_result temporary = {0};
    const char *motion = a->motion;
    crank_error err = {0};
    crank_status status = CRANK_OK;
    int code = -1;

    if (motion == NULL) {
        status = temporary_result_make(&temporary, &err);
        motion = temporary.path;
    }
    THEN(status, show_modes(s, motion, &err));
    if (status != CRANK_OK) {
        tell_error(&s->messages, "%s", failure_text(status, &err));
        code = CODE_FAILED;
    } else if (a->html != NULL) {
        const page_request request = {.path = a->html,
                                      .model = s->model,
                                      .model_path = s->path,
                                      .method = "modes",
                                      .note = true};
        code = page_write_result(&s->messages, motion, &request);
    }
    temporary_result_remove(&temporary);
    return code;
}

static int linearize(session *s, const linearize_arguments *a)
{
    crank_linear_options o = crank_linear_options_default();
    crank_linear l;
    crank_error err = {0};

    o.inputs = a->inputs.item;
    o.input_count = a->inputs.count;
    o.outputs = a->outputs.item;
    o.output_count = a->outputs.count;
    crank_status status = crank_run_linearize(s->run, &o, &l, &err);
    if (status != CRANK_OK && err.given) {
        tell_error(&s->messages, "%s", err.text);
        return CODE_USAGE;
    }
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    if (!is_standard_output(a->out) || a->out == NULL) {
        print(&l);
    }
    tell_note(&s->messages, "%s: %d states, %d inputs, %d outputs at t = %.10g", s->path,
              l.states, l.inputs, l.outputs, s->t_start);
    if (!l.steady) {
        tell_note(
            &s->messages,
            "the motion is not steady here: %s; matrices are those of the moment (--from "
            "RESULT@T of a run that has settled or initial: {steady: ...} lead to a steady "
            "motion, --equilibrium to a rest)",
            l.unsteady);
    }
    if (l.corner[0] != '\0') {
        tell_error(&s->messages,
                   "warning: no derivative there, and A, with its eigenvalues, is that of one "
                   "side: %s",
                   l.corner);
    }
    if (l.rough[0] != '\0') {
        tell_error(&s->messages,
                   "warning: "
                   "no derivative, and means of those to both sides in B, C or D: %s",
                   l.rough);
    }
    status = a->out != NULL ? crank_linear_write(&l, a->out, &err) : CRANK_OK;
    if (status != CRANK_OK) {
        tell_error(&s->messages, "%s", failure_text(status, &err));
    }
    crank_linear_free(&l);
    int code = status == CRANK_OK ? -1 : CODE_FAILED;
    NEXT(code, a->motion != NULL || a->html != NULL ? show(s, a) : -1);
    return code < 0 ? CODE_DONE : code;
}

/* The slowest ones alone, as a table and as CSV. */
static int find_modes(session *s, const linearize_arguments *a)
{
    crank_mode *modes = calloc((size_t)a->modes, sizeof *modes);
    crank_error err = {0};
    int found = 0;
    const crank_status status =
        modes != NULL ? crank_run_find_modes(s->run, a->modes, modes, &found, &err)
                      : CRANK_EMEM;
    bool written = true;

    if (status == CRANK_OK) {
        if (a->out == NULL || !is_standard_output(a->out)) {
            print_modes(modes, found);
        }
        written = a->out == NULL || write_eigenvalues(modes, found, a->out);
    }
    free(modes);
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    if (!written) {
        tell_error(&s->messages, "%s cannot be written", a->out);
        return CODE_FAILED;
    }
    tell_note(&s->messages, "%s: %d modes at t = %.10g", s->path, found, s->t_start);
    return CODE_DONE;
}

static int check_output(messages *m, const char *path)
{
    if (path != NULL && !has_ending(path, ".json") && !has_ending(path, ".mat") &&
        !has_ending(path, ".csv")) {
        tell_error(m, "-o %s: the formats are .json, .mat and .csv", path);
        return CODE_USAGE;
    }
    return -1;
}

int linearize_main(int argc, char **argv)
{
    linearize_arguments a = {0};
    session s = {0};
    int code = arguments_parse(&linearize_usage, argc, argv, &a);

    if (code < 0) {
        crank_run_options options = session_begin(&s, &a.model);
        crank_error err = {0};
        code = check_output(&s.messages, a.out);
        if (code < 0 && a.motion != NULL && crank_recorder_check(a.motion, &err) != CRANK_OK) {
            tell_error(&s.messages, "--motion %s", err.text);
            code = CODE_USAGE;
        }
        NEXT(code, a.html != NULL ? page_check(&s.messages, "--html", a.html) : -1);
        if (code < 0 && a.modes > 0 &&
            (a.inputs.count + a.outputs.count > 0 || a.motion != NULL || a.html != NULL ||
             (a.out != NULL && !has_ending(a.out, ".csv")))) {
            tell_error(
                &s.messages,
                "--modes has no matrices: neither --input, --output, --motion nor --html, "
                "and -o FILE.csv");
            code = CODE_USAGE;
        }
        if (code < 0) {
            code = session_opened(&s, crank_run_open(s.path, &options, &s.run, &err), &err);
        }
        NEXT(code, find_point(&s, &a));
        NEXT(code, a.out != NULL ? session_check_output(&s, "-o", a.out) : -1);
        NEXT(code, a.html != NULL ? session_check_output(&s, "--html", a.html) : -1);
        NEXT(code, a.modes > 0 ? find_modes(&s, &a) : linearize(&s, &a));
        session_close(&s);
    }
    arguments_free(&linearize_usage, &a);
    return code;
}
