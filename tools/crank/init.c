/* init.c - "crank init": consistent initial values from rough ones, as a table of what moved.
 * */
// SPDX-License-Identifier: BSD-3-Clause
#include "init.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct init_arguments {
    model_arguments model;
    bool all;
} init_arguments;

// clang-format off
static const argument arguments[] = {
    MODEL_ARGUMENTS,
    {"--all", NULL, ARGUMENT_FLAG, offsetof(init_arguments, all),
     "list also what did not move"},
};
// clang-format on

static const usage init_usage = {
    .synopsis = "crank init MODEL [options]",
    .summary =
        "Finds initial values that satisfy all constraints, also the hidden ones, by the\n"
        "smallest change of the given ones, and prints what moved.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(model_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

static const char *fixing_word(const session *s, int column)
{
    static const char *const words[] = {"preferred", "fixed", "free"};
    const crank_fixing *fixing = crank_model_fixing(s->model);

    return fixing != NULL ? words[fixing[column]] : words[CRANK_PREFERRED];
}

static void print_table(const session *s, const char *word, bool all)
{
    int rows = 0;

    for (int j = 0; j < s->n; j++) {
        if (!all && s->x[j] == s->given[j]) {
            continue;
        }
        if (rows++ == 0) {
            (void)printf("%-20s %-10s %24s %24s %12s\n", "name", "start is", "given", word,
                         "change");
        }
        (void)printf("%-20s %-10s %24.17g %24.17g %+12.4g\n", crank_eom_column_name(s->eom, j),
                     fixing_word(s, j), s->given[j], s->x[j], s->x[j] - s->given[j]);
    }
    if (rows == 0) {
        (void)printf("nothing moved\n");
    }
}

/* ---- mechanisms: bodies in the user's terms ---- */

static const double degrees = 57.295779513082323; /* of a radian */

static void print_bodies(const session *s, bool all)
{
    int rows = 0;

    for (int i = 0; i < crank_eom_bodies(s->eom); i++) {
        double distance, angle;
        crank_eom_body_move(s->eom, i, s->given, s->x, &distance, &angle);
        if (!all && !(distance > 0.0 || angle > 0.0)) {
            continue;
        }
        if (rows++ == 0) {
            (void)printf("%-24s %12s %12s %8s\n", "body", "moved by", "turned by", "deg");
        }
        (void)printf("%-24s %12.4g %12.4g %8.3g\n", crank_eom_body_text(s->eom, i), distance,
                     angle, angle * degrees);
    }
    (void)printf(rows == 0 ? "no body moved\n\n" : "\n");
}

/* Is it what a file states: a body's place or motion, or a variable? All other results follow
 * from these. */
static bool is_stated(const session *s, const char *name)
{
    static const char body[] = "body.";
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const int first[] = {crank_eom_column(s->eom, CRANK_W), crank_eom_column(s->eom, CRANK_R),
                         crank_eom_column(s->eom, CRANK_S)};
    const int count[] = {sizes.w, sizes.r, sizes.s};

    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        for (int j = first[i]; j < first[i] + count[i]; j++) {
            if (strcmp(name, crank_eom_column_name(s->eom, j)) == 0) {
                return true;
            }
        }
    }
    return strncmp(name, body, strlen(body)) == 0;
}

static void print_columns(const session *s, const double *given, const double *found,
                          const char *word, bool all)
{
    int rows = 0;

    for (int i = 0; i < crank_model_column_count(s->model); i++) {
        const char *name = crank_model_column_name(s->model, i);
        const double change = found[i] - given[i];
        const bool moved = !(fabs(change) <= 1e-12 * (1.0 + fabs(given[i])));
        if (!all && !(moved && is_stated(s, name))) {
            continue;
        }
        if (rows++ == 0) {
            (void)printf("%-24s %24s %24s %12s\n", "name", "given", word, "change");
        }
        (void)printf("%-24s %24.17g %24.17g %+12.4g\n", name, given[i], found[i], change);
    }
    if (rows == 0) {
        (void)printf("nothing moved\n");
    }
}

static crank_status print_mechanism(session *s, const char *word, bool all, crank_error *err)
{
    const size_t count = (size_t)crank_model_column_count(s->model);
    double *given = calloc(2 * count + 1, sizeof *given);
    crank_status status = CRANK_EMEM;

    if (given != NULL) {
        status = crank_state_columns(s->state, s->t_start, s->given, given, err);
    }
    THEN(status, crank_state_columns(s->state, s->t_start, s->x, given + count, err));
    if (status == CRANK_OK) {
        print_bodies(s, all);
        print_columns(s, given, given + count, word, all);
    }
    free(given);
    return status;
}

crank_status print_start(session *s, const char *word, bool all, crank_error *err)
{
    if (crank_eom_bodies(s->eom) > 0) {
        return print_mechanism(s, word, all, err);
    }
    print_table(s, word, all);
    return CRANK_OK;
}

static int initialize(session *s, bool all)
{
    crank_error err = {0};

    s->options->check_initial = true;
    crank_status status = crank_run_initialize(s->run, &err);
    THEN(status, print_start(s, "consistent", all, &err));
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    if (session_is_dae(s)) {
        tell_note(&s->messages,
                  "%s: the given values are %s; residual of the constraints %.2g, now %.2g",
                  s->path, session_was_consistent(s) ? "consistent" : "not consistent",
                  s->initial->residual[0], s->initial->corrected[0]);
        return CODE_DONE;
    }
    const char *const now =
        session_was_consistent(s) && session_has_held(s) ? "the given values are consistent"
        : session_was_consistent(s)
            ? "the given values are consistent, guesses were changed to fit them"
            : "the given values are not consistent";
    tell_note(&s->messages,
              "%s: %s; residuals %.2g, %.2g, %.2g (position, velocity, acceleration), now "
              "%.2g, %.2g, %.2g",
              s->path, now, s->initial->residual[0], s->initial->residual[1],
              s->initial->residual[2], s->initial->corrected[0], s->initial->corrected[1],
              s->initial->corrected[2]);
    return CODE_DONE;
}

crank_setting *in_absolute_coordinates(crank_run_options *options)
{
    const size_t count = (size_t)options->option_count;
    crank_setting *all = calloc(count + 1, sizeof *all);

    if (all != NULL) {
        for (size_t i = 0; i < count; i++) {
            all[i] = options->options[i];
        }
        all[count] = (crank_setting){"coordinates", "absolute"};
        options->options = all;
        options->option_count++;
    }
    return all;
}

int init_main(int argc, char **argv)
{
    init_arguments a = {0};
    session s = {0};
    int code = arguments_parse(&init_usage, argc, argv, &a);

    if (code < 0) {
        crank_run_options options = session_begin(&s, &a.model);
        crank_error err = {0};
        crank_setting *all = in_absolute_coordinates(&options);
        const crank_status status =
            all != NULL ? crank_run_open(s.path, &options, &s.run, &err) : CRANK_EMEM;
        code = session_opened(&s, status, &err);
        NEXT(code, initialize(&s, a.all));
        session_close(&s);
        free(all);
    }
    arguments_free(&init_usage, &a);
    return code;
}
