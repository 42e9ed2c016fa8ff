/* check.c - "crank check": what the model is made of and whether its motion is determined, in
 * words.
 *
 * The index is that of the equations as written: holonomic constraints make it 3, nonholonomic
 * ones without them 2, auxiliary or contact equations alone 1. */
// SPDX-License-Identifier: BSD-3-Clause
#include "session.h"

#include <stdio.h>
#include <string.h>

static const double derivatives_agree = 1e-4; /* differences are good to about 1e-6 */

// clang-format off
static const argument arguments[] = {
    MODEL_ARGUMENTS,
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

static void print_item(const char *label)
{
    (void)printf("%-17s", label);
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

/* ---- the parts of the report ---- */

static void print_sizes(const session *s)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const struct {
        int count;
        const char *name;
    } groups[] = {
        {sizes.p, "position"},
        {sizes.v, "velocity"},
        {sizes.r, "dynamic variable"},
        {sizes.w, "auxiliary variable"},
        {sizes.s, "contact variable"},
        {sizes.lambda, "holonomic constraint"},
        {sizes.mu, "nonholonomic constraint"},
        {sizes.e + sizes.n, "invariant"},
        {sizes.initial, "extra initial condition"},
    };
    const char *separator = "";

    print_item("size");
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        const bool velocities = groups[i].count != 1 && groups[i].name == groups[1].name;
        if (groups[i].count > 0) {
            (void)printf("%s%d %s%s", separator, groups[i].count,
                         velocities ? "velocities" : groups[i].name,
                         velocities ? "" : plural(groups[i].count));
            separator = ", ";
        }
    }
    (void)printf("\n");
}

/* "holonomic "length"" from the name of the multiplier, lambda.length. */
static void print_constraint(const session *s, int i)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const bool holonomic = i < sizes.lambda;
    const int column = holonomic ? crank_eom_column(s->eom, CRANK_LAMBDA) + i
                                 : crank_eom_column(s->eom, CRANK_MU) + i - sizes.lambda;
    const char *name = crank_eom_column_name(s->eom, column);
    const char *prefix = holonomic ? "lambda." : "mu.";
    const size_t length = strlen(prefix);

    (void)printf("%s \"%s\"", holonomic ? "holonomic" : "nonholonomic",
                 strncmp(name, prefix, length) == 0 ? name + length : name);
}

static void print_freedom(const session *s, const crank_structure_report *report)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);

    print_item("freedom");
    (void)printf("%d degree%s of freedom in position, %d in velocity\n",
                 report->freedom_position, plural(report->freedom_position),
                 report->freedom_velocity);
    if (sizes.lambda + sizes.mu > 0) {
        print_item("rank");
        (void)printf(
            "%d of %d holonomic, %d of %d nonholonomic; smallest singular value %.2g of "
            "the largest\n",
            report->rank_g, sizes.lambda, report->rank_h, sizes.mu, report->smallest_ratio);
    }
}

static void print_redundancy(const session *s, const crank_structure_report *report)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const int constraints = sizes.lambda + sizes.mu;
    int not_unique = 0;

    if (constraints == 0) {
        return;
    }
    if (report->redundant_count == 0) {
        print_item("redundant");
        (void)printf("none\n");
    }
    for (int i = 0; i < report->redundant_count; i++) {
        print_item(i == 0 ? "redundant" : "");
        print_constraint(s, report->redundant[i]);
        if (report->depends_on[i] >= 0) {
            (void)printf(report->contradictory
                             ? ", depends on other constraints or contradicts them, above all "
                             : ", follows from other constraints, above all from ");
            print_constraint(s, report->depends_on[i]);
            (void)printf("\n");
        } else {
            (void)printf(", restricts nothing: its gradient is zero\n");
        }
    }
    print_item("multipliers");
    for (int i = 0; i < constraints; i++) {
        if (!report->multiplier_unique[i]) {
            const int column = crank_eom_column(s->eom, CRANK_LAMBDA) + i;
            (void)printf("%s%s", not_unique++ == 0 ? "not unique: " : ", ",
                         crank_eom_column_name(s->eom, column));
        }
    }
    (void)printf(not_unique == 0 ? "unique\n" : "\n");
}

static void print_index(const session *s)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    const int index = sizes.lambda > 0 ? 3 : sizes.mu > 0 ? 2 : sizes.w + sizes.s > 0 ? 1 : 0;

    print_item("index");
    (void)printf("differentiation index %d", index);
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
    print_item(label);
    (void)printf("%s: %s\n", what, holds ? "yes" : "NO");
}

static void print_assumptions(const session *s, const crank_structure_report *report)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);

    print_assumption("assumptions", "mass matrix regular", report->mass_regular);
    if (sizes.w > 0) {
        print_assumption("", "auxiliary equations determine w", report->auxiliary_regular);
    }
    if (sizes.s > 0) {
        print_assumption("", "contact equations determine s", report->contact_regular);
    }
    print_assumption("", "mass and constraints together determine the motion",
                     report->bordered_regular);
}

static void print_invariants(const session *s)
{
    const crank_eom_sizes sizes = crank_eom_get_sizes(s->eom);
    char text[160];

    for (int i = 0; i < sizes.e + sizes.n; i++) {
        const int row = i < sizes.e ? crank_eom_row(s->eom, CRANK_ROW_E) + i
                                    : crank_eom_row(s->eom, CRANK_ROW_N) + i - sizes.e;
        print_item(i == 0 ? "invariants" : "");
        (void)printf("%s\n", crank_eom_row_name(s->eom, row, text, sizeof text));
    }
}

static void print_unused(const session *s)
{
    const char *name;

    for (int i = 0; (name = crank_model_unused(s->model, i)) != NULL; i++) {
        print_item(i == 0 ? "unused" : "");
        (void)printf("%s\n", name);
    }
}

static void print_initial(const session *s)
{
    const int moved = session_most_moved(s);

    print_item("initial values");
    if (session_was_consistent(s)) {
        (void)printf("consistent%s\n",
                     s->initial.consistent ? "" : "; those that are free have been computed");
        return;
    }
    (void)printf("not consistent: residuals %.2g, %.2g on position and velocity level\n",
                 s->initial.residual[0], s->initial.residual[1]);
    print_item("");
    if (moved < 0) {
        (void)printf("corrected; only free values moved; see crank init\n");
        return;
    }
    (void)printf("corrected; %s moved most, by %.3g; see crank init\n",
                 crank_eom_column_name(s->eom, moved), s->x[moved] - s->given[moved]);
}

static void print_derivatives(session *s)
{
    char text[240] = "";
    double deviation = 0.0;
    crank_error err = {0};
    const crank_status status = crank_eom_check_derivatives(
        s->eom, s->t_start, s->x, &deviation, text, sizeof text, &err);

    print_item("derivatives");
    if (status != CRANK_OK) {
        (void)printf("not checked: %s\n", failure_text(status, &err));
    } else if (deviation == 0.0) {
        (void)printf("agree with differences to rounding\n");
    } else if (deviation <= derivatives_agree) {
        (void)printf("agree with differences to %.1g\n", deviation);
    } else {
        (void)printf("DIFFER from differences by %.2g: %s\n", deviation, text);
    }
}

/* ---- verdict ---- */

static int report_structure(session *s, bool consistent)
{
    crank_structure_report report = {0};
    crank_error err = {0};
    const crank_status status =
        crank_eom_structure(s->eom, s->t_start, s->x, s->options.rank_tolerance, &report, &err);

    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    print_freedom(s, &report);
    print_redundancy(s, &report);
    print_index(s);
    print_assumptions(s, &report);
    print_invariants(s);
    print_unused(s);
    if (consistent) {
        print_derivatives(s);
    }
    print_item("verdict");
    const bool determined =
        report.bordered_regular && report.auxiliary_regular && report.contact_regular;
    const char *verdict = report.contradictory ? "the constraints contradict each other"
                          : !determined        ? "the motion is not determined"
                          : !consistent        ? "no consistent initial values were found"
                                               : "fine";
    (void)printf("%s\n", verdict);
    crank_structure_report_free(&report);
    return strcmp(verdict, "fine") == 0 ? CODE_DONE : CODE_MODEL;
}

static int check(session *s)
{
    crank_error err = {0};

    s->options.check_initial = true;
    print_item("model");
    (void)printf("%s (%s)\n", s->path, crank_model_kind(s->model));
    print_sizes(s);
    crank_status status = session_initialize(s, &err);
    if (status == CRANK_OK) {
        status = crank_model_set_invariants(s->model, s->t_start, s->x, &err);
    }
    if (status == CRANK_OK) {
        print_initial(s);
        return report_structure(s, true);
    }
    (void)fflush(stdout);
    const int failed = session_fail(s, status, &err);
    memcpy(s->x, s->given, (size_t)s->n * sizeof *s->x);
    const int code = report_structure(s, false);
    return code == CODE_DONE ? failed : code;
}

int check_main(int argc, char **argv)
{
    model_arguments a = {0};
    session s = {0};
    int code = arguments_parse(&check_usage, argc, argv, &a);

    if (code < 0) {
        code = session_open(&s, &a);
        code = code < 0 ? check(&s) : code;
        session_close(&s);
    }
    arguments_free(&check_usage, &a);
    return code;
}
