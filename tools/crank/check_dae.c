/* check_dae.c - "crank check" of a `crank: dae` file: the library's analysis in words, also
 * where no motion follows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check_dae.h"

#include "check_verdict.h"
#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* How far start values were moved, one by one. */
static void print_moved(const session *s)
{
    bool first = true;

    for (int j = 0; j < s->n; j++) {
        const double change = fabs(s->x[j] - s->given[j]);
        if (!(change <= 1e-9 * (1.0 + fabs(s->given[j])))) {
            check_print_item(first ? "start values" : "");
            first = false;
            (void)printf("%s moved from %.9g to %.9g%s\n", crank_eom_column_name(s->eom, j),
                         s->given[j], s->x[j], session_moved(s, j) ? "" : " (it was a guess)");
        }
    }
}

static int print_model(session *s)
{
    crank_error err = {0};

    s->options->check_initial = true;
    const crank_status status = crank_run_initialize(s->run, &err);
    if (status != CRANK_OK) {
        (void)fflush(stdout);
        return session_fail(s, status, &err);
    }
    print_moved(s);
    check_print_unused(s);
    check_print_events(s);
    (void)check_print_derivatives(s);
    return CODE_DONE;
}

static bool is_modelica(const char *path)
{
    return has_ending(path, ".mo") || has_ending(path, ".bmo");
}

int check_dae(const model_arguments *a, bool formulas)
{
    session s;
    const crank_run_options options = session_begin(&s, a);
    crank_model_options of_model = crank_model_options_default();
    crank_error err = {0};
    char *text = NULL;
    bool fine = false;

    of_model.model = options.model;
    of_model.library = options.library;
    of_model.settings = options.settings;
    of_model.setting_count = options.setting_count;
    (void)crank_model_analyse(s.path, &of_model, formulas, &text, &fine, NULL);
    if (text == NULL) { /* of another kind; or it cannot be read, which check tells */
        return -1;
    }
    check_print_item("model");
    (void)printf("%s (%s)\n%s", s.path, is_modelica(s.path) ? "modelica" : "dae", text);
    free(text);
    (void)fflush(stdout);
    /* says why if no motion follows */
    int code = session_opened(&s, crank_run_open(s.path, &options, &s.run, &err), &err);
    NEXT(code, print_model(&s));
    session_close(&s);
    check_print_item("verdict");
    (void)printf("%s\n", code == CODE_DONE ? "fine" : "no motion follows from this");
    return code;
}
