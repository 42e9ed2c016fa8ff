/* init.c - "crank init": consistent initial values from rough ones, as a table of what moved.
 * */
// SPDX-License-Identifier: BSD-3-Clause
#include "session.h"

#include <math.h>
#include <stdio.h>

typedef struct init_arguments {
    model_arguments model;
    bool all;
} init_arguments;

// clang-format off
static const argument arguments[] = {
    MODEL_ARGUMENTS,
    {"--all", NULL, ARGUMENT_FLAG, offsetof(init_arguments, all), "list also what did not move"},
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

static void print_table(const session *s, bool all)
{
    int rows = 0;

    for (int j = 0; j < s->n; j++) {
        if (!all && s->x[j] == s->given[j]) {
            continue;
        }
        if (rows++ == 0) {
            (void)printf("%-20s %-10s %24s %24s %12s\n", "name", "start is", "given",
                         "consistent", "change");
        }
        (void)printf("%-20s %-10s %24.17g %24.17g %+12.4g\n", crank_eom_column_name(s->eom, j),
                     fixing_word(s, j), s->given[j], s->x[j], s->x[j] - s->given[j]);
    }
    if (rows == 0) {
        (void)printf("nothing moved\n");
    }
}

static int initialize(session *s, bool all)
{
    crank_error err = {0};

    s->options.check_initial = true;
    const crank_status status = session_initialize(s, &err);
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    print_table(s, all);
    tell_note(&s->messages,
              "%s: the given values are %s; residuals %.2g, %.2g, %.2g (position, velocity, "
              "acceleration), after %d iterations %.2g, %.2g, %.2g",
              s->path, session_was_consistent(s) ? "consistent" : "not consistent",
              s->initial.residual[0], s->initial.residual[1], s->initial.residual[2],
              s->initial.iterations, s->initial.corrected[0], s->initial.corrected[1],
              s->initial.corrected[2]);
    return CODE_DONE;
}

int init_main(int argc, char **argv)
{
    init_arguments a = {0};
    session s = {0};
    int code = arguments_parse(&init_usage, argc, argv, &a);

    if (code < 0) {
        code = session_open(&s, &a.model);
        code = code < 0 ? initialize(&s, a.all) : code;
        session_close(&s);
    }
    arguments_free(&init_usage, &a);
    return code;
}
