/* check.c - "crank check": what the model is made of and whether its motion is determined, in
 * words, at consistent initial values, or where the search for them has come to. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check_dae.h"
#include "check_verdict.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double derivatives_agree = 1e-4; /* differences are good to about 1e-6 */

typedef struct check_arguments {
    model_arguments model;
    bool formulas;
} check_arguments;

// clang-format off
static const argument arguments[] = {
    MODEL_ARGUMENTS,
    {"--formulas", NULL, ARGUMENT_FLAG, offsetof(check_arguments, formulas),
     "of a dae file: ranks of all levels, selected equations, underlying ODE"},
};
// clang-format on

static const usage check_usage = {
    .synopsis = "crank check MODEL [options]",
    .summary =
        "Tells degrees of freedom, redundant constraints by name, index and hidden "
        "constraints,\n"
        "whether the initial values are consistent and the motion is determined, and what is\n"
        "defined but not used. Exit status 3 if the constraints contradict each other or do "
        "not\n"
        "determine the motion.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(model_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

void check_print_item(const char *label)
{
    (void)printf("%-17s", label);
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

/* ---- the parts of the report ---- */

/* Accelerations that are carried as auxiliary unknowns. */
static int carried_count(const session *s)
{
    static const char prefix[] = "acceleration.";
    const int first = crank_eom_column(s->eom, CRANK_W);
    int count = 0;

    for (int j = first; j < crank_eom_column(s->eom, CRANK_LAMBDA); j++) {
        const char *name = crank_eom_column_name(s->eom, j);
        count += strncmp(name, prefix, strlen(prefix)) == 0 ? 1 : 0;
    }
    return count;
}

/* Dynamic variables that integrate work, for the balance of energy. */
static int work_count(const session *s)
{
    const int first = crank_eom_column(s->eom, CRANK_R);
    int count = 0;

    for (int j = first; j < first + crank_eom_get_sizes(s->eom).r; j++) {
        const char *name = crank_eom_column_name(s->eom, j), *last = strrchr(name, '.');
        const bool element = strncmp(name, "force.", 6) == 0 ||
                             strncmp(name, "joint.", 6) == 0 ||
                             strncmp(name, "equation", 8) == 0;
        count += element && last != NULL &&
                         (strcmp(last, ".dissipated") == 0 || strcmp(last, ".supplied") == 0)
                     ? 1
                     : 0;
    }
    return count;
}

static void print_sizes(const session *s)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const int bodies = crank_eom_bodies(s->eom);
    const int work = bodies > 0 ? work_count(s) : 0;
    const struct {
        int count;
        const char *name, *names;
    } groups[] = {
        {bodies, "body", "bodies"},
        {sizes.p, "position", NULL},
        {sizes.v, "velocity", "velocities"},
        {sizes.r - work, "dynamic variable", NULL},
        {work, "integral of work", "integrals of work"},
        {bodies > 0 ? sizes.w - carried_count(s) : sizes.w, "auxiliary variable", NULL},
        {sizes.s, "contact variable", NULL},
        {sizes.lambda, "holonomic constraint", NULL},
        {sizes.mu, "nonholonomic constraint", NULL},
        {sizes.e + sizes.n, "invariant", NULL},
        {sizes.initial, "extra initial condition", NULL},
    };
    const char *separator = "";

    check_print_item("size");
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        const bool many = groups[i].count != 1;
        const bool irregular = many && groups[i].names != NULL;
        if (groups[i].count > 0) {
            (void)printf("%s%d %s%s", separator, groups[i].count,
                         irregular ? groups[i].names : groups[i].name,
                         many && !irregular ? "s" : "");
            separator = ", ";
        }
    }
    (void)printf("\n");
}

static void print_freedom(const session *s, const crank_structure_report *report)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);

    check_print_item("freedom");
    (void)printf("%d degree%s of freedom in position, %d in velocity\n",
                 report->freedom_position, plural(report->freedom_position),
                 report->freedom_velocity);
    if (report->loops >= 0) {
        check_print_item("loops");
        (void)printf("%d independent loop%s\n", report->loops, plural(report->loops));
    }
    if (sizes.lambda + sizes.mu > 0) {
        check_print_item("rank");
        (void)printf(
            "%d of %d holonomic, %d of %d nonholonomic; smallest singular value %.2g of "
            "the largest\n",
            report->rank_g, sizes.lambda, report->rank_h, sizes.mu, report->smallest_ratio);
    }
}

/* theory 1.6: constraints on positions make the strangeness index 2, on velocities alone 1; the
 * differentiation index is one more, where every unknown is determined. */
static void print_index(const session *s, const crank_structure_report *report)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const int strangeness = report->rank_g > 0 ? 2 : report->rank_h > 0 ? 1 : 0;
    const bool algebraic = sizes.w + sizes.s > carried_count(s);
    const char *open = !report->bordered_regular ? "the motion is not determined"
                       : !report->auxiliary_regular || !report->contact_regular
                           ? "auxiliary or contact variables are not determined"
                       : report->redundant_count > 0
                           ? "redundant constraints leave multipliers undetermined"
                           : NULL;

    check_print_item("index");
    if (open != NULL) {
        (void)printf("no differentiation index: %s\n", open);
    } else {
        (void)printf("differentiation index %d\n", strangeness > 0 ? strangeness + 1
                                                   : algebraic     ? 1
                                                                   : 0);
    }
    check_print_item("");
    (void)printf("strangeness index %d", strangeness);
    if (sizes.lambda > 0) {
        (void)printf(
            "; hidden constraints: %d on velocity level (g' = 0), %d on acceleration level "
            "(g'' = 0)",
            sizes.lambda, sizes.lambda);
    }
    if (sizes.mu > 0) {
        (void)printf("%s %d derivative%s of nonholonomic ones (h' = 0)",
                     sizes.lambda > 0 ? "," : "; hidden constraints:", sizes.mu,
                     plural(sizes.mu));
    }
    (void)printf("\n");
}

static void print_assumption(const char *label, const char *what, bool holds)
{
    check_print_item(label);
    (void)printf("%s: %s\n", what, holds ? "yes" : "NO");
}

static void print_assumptions(const session *s, const crank_structure_report *report)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);

    print_assumption("assumptions", "mass matrix regular", report->mass_regular);
    if (sizes.w > 0 && (crank_eom_bodies(s->eom) == 0 || sizes.w > carried_count(s))) {
        print_assumption("", "auxiliary equations determine w", report->auxiliary_regular);
    }
    if (sizes.s > 0) {
        print_assumption("", "contact equations determine s", report->contact_regular);
    }
    print_assumption("", "mass and constraints together determine the motion",
                     report->bordered_regular);
    check_print_list("without mass", report->massless_count, report->massless_text);
    if (report->massless_count > 0 && report->bordered_regular) {
        check_print_item("");
        (void)printf("the joints determine how they move\n");
    }
    check_print_list("not determined", report->open_count, report->open_text);
}

static void print_invariants(const session *s)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const bool norms = crank_eom_bodies(s->eom) > 0; /* n: the quaternions' */
    char text[160];

    if (norms && sizes.n > 0) {
        check_print_item("invariants");
        (void)printf("norms of %d quaternion%s\n", sizes.n, plural(sizes.n));
    }
    for (int i = 0; i < sizes.e + (norms ? 0 : sizes.n); i++) {
        const int row = i < sizes.e ? crank_eom_row(s->eom, CRANK_ROW_E) + i
                                    : crank_eom_row(s->eom, CRANK_ROW_N) + i - sizes.e;
        check_print_item(i == 0 ? "invariants" : "");
        (void)printf("%s\n", crank_eom_row_name(s->eom, row, text, sizeof text));
    }
}

void check_print_events(session *s)
{
    static const char *const direction[] = {"falling", "both", "rising"};
    const crank_events events = crank_state_events(s->state);
    double *values = calloc((size_t)events.count + 1, sizeof *values);
    crank_error err = {0};

    if (events.count == 0 || values == NULL) {
        free(values);
        return;
    }
    const crank_status status = events.evaluate(events.user, s->t_start, s->x, values, &err);
    for (int i = 0; i < events.count && i < CHECK_LINES; i++) {
        check_print_item(i == 0 ? "events" : "");
        (void)printf("%s (%s): ", events.name[i], direction[events.direction[i] + 1]);
        if (status == CRANK_OK) {
            (void)printf("%.6g at the start\n", values[i]);
        } else {
            (void)printf("not known at the start: %s\n", failure_text(status, &err));
        }
    }
    if (events.count > CHECK_LINES) {
        check_print_item("");
        (void)printf("and %d more\n", events.count - CHECK_LINES);
    }
    free(values);
}

void check_print_unused(const session *s)
{
    const char *name;

    for (int i = 0; (name = crank_model_unused(s->model, i)) != NULL; i++) {
        check_print_item(i == 0 ? "unused" : "");
        (void)printf("%s\n", name);
    }
}

/* The body that was moved or turned most, of those that are placed or of the guesses; -1: none,
 * or not a mechanism. */
static int most_moved_body(const session *s, bool guess, double *distance, double *angle)
{
    double most = 0.0;
    int body = -1;

    for (int i = 0; i < crank_eom_bodies(s->eom); i++) {
        double d, a;
        crank_eom_body_move(s->start.eom, i, s->start.given, s->start.found, &d, &a);
        if (d + a > most && session_is_guess(s, i) == guess) {
            most = d + a;
            body = i;
            *distance = d;
            *angle = a;
        }
    }
    return body;
}

static void print_initial(const session *s)
{
    const int moved = session_most_moved(s);
    double distance, angle;
    char text[MOVE_TEXT];
    const int guess = most_moved_body(s, true, &distance, &angle);

    check_print_item("initial values");
    if (session_was_consistent(s)) {
        (void)printf("consistent%s\n",
                     s->initial->consistent ? "" : "; those that are free have been computed");
        if (guess >= 0) {
            check_print_item("");
            (void)printf("of guesses most: %s %s; see crank init\n",
                         crank_eom_body_text(s->eom, guess), move_text(distance, angle, text));
        }
        return;
    }
    (void)printf("not consistent: residuals %.2g, %.2g on position and velocity level\n",
                 s->initial->residual[0], s->initial->residual[1]);
    check_print_item("");
    if (moved < 0) {
        (void)printf("corrected; only free values moved; see crank init\n");
        return;
    }
    const int body = most_moved_body(s, false, &distance, &angle);
    if (body >= 0) {
        (void)printf("corrected; %s %s; see crank init\n", crank_eom_body_text(s->eom, body),
                     move_text(distance, angle, text));
        return;
    }
    if (crank_eom_bodies(s->eom) > 0 && moved < crank_eom_column(s->eom, CRANK_P)) {
        (void)printf("corrected; no %sbody moved, velocities changed; see crank init\n",
                     guess >= 0 ? "placed " : "");
        return;
    }
    (void)printf("corrected; %s moved most, by %.3g; see crank init\n",
                 crank_eom_column_name(s->start.eom, moved),
                 s->start.found[moved] - s->start.given[moved]);
}

bool check_print_derivatives(session *s)
{
    char text[240] = "";
    double deviation = 0.0;
    crank_error err = {0};
    const crank_status status = crank_eom_check_derivatives(
        s->eom, s->t_start, s->x, &deviation, text, sizeof text, &err);

    check_print_item("derivatives");
    if (status != CRANK_OK) {
        (void)printf("not checked: %s\n", failure_text(status, &err));
    } else if (deviation == 0.0) {
        (void)printf("agree with differences to rounding\n");
    } else if (deviation <= derivatives_agree) {
        (void)printf("agree with differences to %.1g\n", deviation);
    } else {
        (void)printf("DIFFER from differences by %.2g: %s\n", deviation, text);
    }
    return status != CRANK_OK || deviation <= derivatives_agree;
}

/* ---- the whole ---- */

static int report_structure(session *s, bool consistent)
{
    crank_structure_report report = {0};
    crank_error err = {0};
    crank_status status = crank_eom_structure(s->eom, s->t_start, s->x,
                                              s->options->rank_tolerance, &report, &err);

    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    print_freedom(s, &report);
    check_findings found = {.report = &report, .consistent = consistent, .derivatives = true};
    status = check_print_redundancy(s, &found, &err);
    if (status != CRANK_OK) {
        crank_structure_report_free(&report);
        return session_fail(s, status, &err);
    }
    print_index(s, &report);
    print_assumptions(s, &report);
    print_invariants(s);
    check_print_events(s);
    check_print_unused(s);
    if (consistent) {
        found.derivatives = check_print_derivatives(s);
    }
    const int code = check_print_verdict(s, &found);
    crank_structure_report_free(&report);
    return code;
}

static int check(session *s)
{
    crank_error err = {0};

    s->options->check_initial = true;
    check_print_item("model");
    (void)printf("%s (%s)\n", s->path, crank_model_kind(s->model));
    print_sizes(s);
    crank_status status = crank_run_initialize(s->run, &err);
    THEN(status, crank_state_begin(s->state, s->t_start, s->x, &err));
    if (status == CRANK_OK) {
        print_initial(s);
        return report_structure(s, true);
    }
    (void)fflush(stdout);
    const int failed = session_fail(s, status, &err);
    crank_run_begin_where_search_ended(s->run);
    const int code = report_structure(s, false);
    return code == CODE_DONE ? failed : code;
}

static int refuse_formulas(session *s)
{
    tell_error(&s->messages, "--formulas is for `crank: dae` files; this one is of kind %s",
               crank_model_kind(s->model));
    return CODE_USAGE;
}

int check_main(int argc, char **argv)
{
    check_arguments a = {0};
    session s = {0};
    int code = arguments_parse(&check_usage, argc, argv, &a);

    if (code < 0) {
        code = check_dae(&a.model, a.formulas);
    }
    if (code < 0) {
        const crank_run_options options = session_begin(&s, &a.model);
        crank_error err = {0};
        code = session_opened(&s, crank_run_open(s.path, &options, &s.run, &err), &err);
        code = code < 0 && a.formulas ? refuse_formulas(&s) : code;
        NEXT(code, check(&s));
        session_close(&s);
    }
    arguments_free(&check_usage, &a);
    return code;
}
