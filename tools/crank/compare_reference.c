/* compare_reference.c - what errors are measured against: rows of a given result, or a run with
 * tighter tolerances, which a second method checks.
 *
 * The check is by another integrator if there is one that takes the model, else by another
 * formulation, else by the same method with ten times the tolerance. Methods are tried until
 * one agrees to a hundredth of the tightest tolerance; of a few that do not, the best
 * counts. One that ends elsewhere contradicts, by more than the tightest tolerance, and not just
 * since it is less accurate: with a hundredth of the accuracy it is hardly farther away. Then all of
 * the few are asked, and the reference is not confirmed, whoever agrees. */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char preferred[] = "psf-radau";
static const double least_tolerance = 1e-12; /* below, round-off decides */
enum { VALUES = 100000000 };                 /* at most, columns at points */
enum { ATTEMPTS = 3 };                       /* with tolerances that become looser */

static int no_memory(messages *m)
{
    tell_error(m, "out of memory");
    return CODE_FAILED;
}

/* ---- from a file ---- */

static int refuse_times(messages *m, const compare_reference *r, const run_plan *plan,
                        const crank_table *table)
{
    if (table->rows == 0) {
        tell_error(m, "--reference %s: has no rows", r->path);
    } else if (isnan(plan->arguments->t_end)) {
        tell_error(m, "--reference %s: has no row after the start time %g", r->path,
                   plan->t_start);
    } else {
        tell_error(m, "--reference %s: has no row at --t-end %g; its last one is at %g",
                   r->path, plan->t_end, table->values[table->rows - 1]);
    }
    return CODE_USAGE;
}

/* Rows first .. last lie after the start, the last of them at the end time. */
static int find_rows(messages *m, const compare_reference *r, run_plan *plan,
                     const crank_table *table, int *first, int *last)
{
    const double *time = table->values;

    *first = 0;
    *last = table->rows - 1;
    for (int i = 0; i < table->rows; i++) {
        if (!isfinite(time[i]) || (i > 0 && time[i] < time[i - 1])) {
            tell_error(m, "--reference %s: row %d: time %s", r->path, i + 1,
                       isfinite(time[i]) ? "does not rise" : "is not finite");
            return CODE_FAILED;
        }
        *first += plan->at_steps ? time[i] < plan->t_start : time[i] <= plan->t_start;
    }
    if (isnan(plan->arguments->t_end)) {
        plan->t_end = table->rows > 0 ? time[*last] : plan->t_start;
    } else {
        const double near = 1e-12 * fmax(fabs(plan->t_end), fabs(plan->t_start));
        while (*last >= *first && time[*last] > plan->t_end + near) {
            *last -= 1;
        }
        if (*last >= *first && !(fabs(time[*last] - plan->t_end) <= near)) {
            *last = *first - 1;
        }
    }
    return *last < *first ? refuse_times(m, r, plan, table) : -1;
}

static int *match_columns(compare_reference *r, const run_plan *plan, const crank_table *table)
{
    const compared_columns *c = plan->columns;
    int *source = calloc((size_t)c->count + 1, sizeof *source);

    for (int i = 0; source != NULL && i < c->count; i++) {
        source[i] = crank_table_find(table, c->item[i].name);
        if (source[i] < 0 && r->missing++ == 0) {
            (void)snprintf(r->first_missing, sizeof r->first_missing, "%s", c->item[i].name);
        }
    }
    return source;
}

/* The chosen rows become points and values: equally many rows lie between them. */
static int take_rows(messages *m, compare_reference *r, run_plan *plan,
                     const crank_table *table, const int range[2])
{
    const compared_columns *c = plan->columns;
    const int rows = range[1] - range[0] + 1;
    const int asked = plan->arguments->points > 0 ? plan->arguments->points : 1;
    const int count = asked < rows && !plan->at_steps ? asked : rows;
    int *source = match_columns(r, plan, table);

    plan->points = calloc((size_t)count, sizeof *plan->points);
    r->values = calloc((size_t)count * (size_t)c->count, sizeof *r->values);
    if (source == NULL || plan->points == NULL || r->values == NULL) {
        free(source);
        return no_memory(m);
    }
    for (int k = 0; k < count; k++) {
        const int row = range[0] + (int)((int64_t)rows * (k + 1) / count) - 1;
        const double time = table->values[row];
        if (k > 0 && !(time > plan->points[plan->point_count - 1])) {
            plan->point_count--; /* of rows at one time the last */
        }
        double *values = r->values + (size_t)plan->point_count * (size_t)c->count;
        plan->points[plan->point_count++] = k == count - 1 ? plan->t_end : time;
        for (int i = 0; i < c->count; i++) {
            const double value =
                source[i] < 0
                    ? (double)NAN
                    : table->values[(size_t)source[i] * (size_t)table->rows + (size_t)row];
            values[i] = isfinite(value) ? value : (double)NAN;
        }
    }
    free(source);
    return -1;
}

/* Is there anything to compare with? */
static int check_values(messages *m, const compare_reference *r, const run_plan *plan)
{
    const size_t count = (size_t)plan->point_count * (size_t)plan->columns->count;

    if (r->missing == plan->columns->count) {
        tell_error(m, "--reference %s: has none of the columns that are compared, such as %s",
                   r->path, r->first_missing);
        return CODE_USAGE;
    }
    for (size_t i = 0; i < count; i++) {
        if (!isnan(r->values[i])) {
            return -1;
        }
    }
    tell_error(m, "--reference %s: no value that is compared is finite at the times asked for",
               r->path);
    return CODE_FAILED;
}

static int read_file(compare_reference *r, run_plan *plan)
{
    messages *m = plan->messages;
    crank_table *table = NULL;
    crank_error err = {0};
    int range[2];

    if (crank_table_read(r->path, &table, &err) != CRANK_OK) {
        tell_file_error(m, r->path, &err);
        return CODE_FAILED;
    }
    int code = find_rows(m, r, plan, table, &range[0], &range[1]);
    if (code < 0) {
        code = take_rows(m, r, plan, table, range);
    }
    NEXT(code, check_values(m, r, plan));
    if (code < 0 && plan->at_steps && plan->point_count < 4) {
        tell_error(m,
                   "--reference %s: --at-steps interpolates it, for which it must have four "
                   "rows at least",
                   r->path);
        code = CODE_USAGE;
    }
    if (code < 0 && table->incomplete) {
        tell_note(m, "--reference %s: its run did not end, or its last row is cut off",
                  r->path);
    }
    crank_table_destroy(table);
    return code;
}

/* ---- points ---- */

static int divide_time(run_plan *plan)
{
    const int count = plan->arguments->points > 0 ? plan->arguments->points : 1;

    if ((double)count * plan->columns->count > VALUES) {
        tell_error(plan->messages,
                   "--points %d: with %d columns more than %d values; take fewer", count,
                   plan->columns->count, (int)VALUES);
        return CODE_USAGE;
    }
    plan->points = calloc((size_t)count, sizeof *plan->points);
    if (plan->points == NULL) {
        return no_memory(plan->messages);
    }
    plan->point_count = count;
    for (int k = 0; k < count; k++) {
        plan->points[k] =
            plan->t_start + (plan->t_end - plan->t_start) * (double)(k + 1) / (double)count;
    }
    plan->points[count - 1] = plan->t_end;
    return -1;
}

int compare_reference_open(compare_reference *r, run_plan *plan, session *s)
{
    const compare_arguments *a = plan->arguments;
    const bool made = a->reference == NULL || strcmp(a->reference, "made") == 0;
    const bool given = !isnan(a->t_end);

    r->path = made ? NULL : a->reference;
    plan->t_start = s->t_start;
    plan->t_end = crank_run_end(s->run);
    if (given || made) {
        if (!(plan->t_end > plan->t_start)) {
            tell_error(plan->messages, "%s%s %g: must lie after the start time %g",
                       given ? "" : s->path, given ? "--t-end" : ": t_end", plan->t_end,
                       plan->t_start);
            return given ? CODE_USAGE : CODE_MODEL;
        }
    }
    return made ? divide_time(plan) : read_file(r, plan);
}

/* ---- made ---- */

typedef struct making {
    compare_reference *reference;
    run_plan *plan;
    compared_run *run;
    double tightest;
    double *values;                       /* of a check */
    int64_t steps;                        /* of the reference */
    int finished;                         /* checks, */
    const char *by[CHECKS][2];            /* and by which formulations and integrators */
    const char *formulation, *integrator; /* of the reference */
} making;

static void describe(run_plan *plan, const char *what, const char *method, double tolerance)
{
    (void)snprintf(plan->label, sizeof plan->label, "%s: %s, %.0e", what, method, tolerance);
}

/* The reference by this method, with a looser tolerance if it fails with the tightest. */
static bool make_by(making *k, const char *method)
{
    compare_reference *r = k->reference;
    double tolerance = fmin(fmax(k->tightest / 1e4, least_tolerance), k->tightest);

    for (int i = 0; i < ATTEMPTS && tolerance <= k->tightest && !interrupted(); i++) {
        describe(k->plan, "reference", method, tolerance);
        if (k->plan->steps != NULL) {
            k->plan->steps->count = 0;
        }
        compared_run_do(k->run, k->plan, method, tolerance, 0, r->values);
        if (k->run->outcome == RUN_DONE) {
            r->method = method;
            r->tolerance = tolerance;
            k->steps = k->run->statistics.steps;
            return true;
        }
        if (k->run->outcome == RUN_REFUSED) {
            return false;
        }
        tolerance *= 10.0;
    }
    if (!interrupted()) {
        tell_note(k->plan->messages, "no reference by %s: stopped at t = %.6g: %s", method,
                  k->run->t_reached, k->run->text);
    }
    return false;
}

/* How far two references differ in the group where they differ most. */
static double worst(const double agreement[COMPARED_GROUPS])
{
    double largest = 0.0;

    for (int group = 0; group < COMPARED_GROUPS; group++) {
        largest = agreement[group] > largest ? agreement[group] : largest;
    }
    return largest;
}

/* Has the method, perhaps by another name, checked it already? */
static bool has_checked(const making *k, const char *formulation, const char *integrator)
{
    bool found = false;

    for (int i = 0; i < k->finished && !found; i++) {
        found = strcmp(k->by[i][0], formulation) == 0 && strcmp(k->by[i][1], integrator) == 0;
    }
    return found;
}

/* How far the method ends from the reference, group by group; false: it does not get there. */
static bool measure(making *k, const char *method, double tolerance,
                    double agreement[COMPARED_GROUPS])
{
    compared_error errors[COMPARED_GROUPS];

    describe(k->plan, "check of the reference", method, tolerance);
    compared_run_do(k->run, k->plan, method, tolerance, 50 * k->steps + 10000, k->values);
    if (k->run->outcome != RUN_DONE) {
        return false;
    }
    compared_errors(k->plan, k->values, k->reference->values, errors);
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        agreement[group] = errors[group].scaled;
    }
    return true;
}

/* Does it come nearer to the reference, by a root of what its tolerance falls by at least? */
static bool approaches(making *k, const char *method, double tolerance, double off)
{
    static const double looser = 100.0;
    double agreement[COMPARED_GROUPS];

    return measure(k, method, looser * tolerance, agreement) &&
           worst(agreement) >= sqrt(looser) * off;
}

/* Runs a check; true: no further one is needed. */
static bool check_by(making *k, const char *method, double tolerance)
{
    compare_reference *r = k->reference;
    const char *formulation, *integrator;
    double agreement[COMPARED_GROUPS];
    crank_options options = crank_options_default();

    if (crank_method_resolve(method, &formulation, &integrator, &options, NULL) != CRANK_OK ||
        has_checked(k, formulation, integrator)) {
        return false;
    }

    if (!measure(k, method, tolerance, agreement)) {
        return interrupted();
    }
    k->by[k->finished][0] = formulation;
    k->by[k->finished++][1] = integrator;
    if (!(worst(agreement) <= k->tightest) &&
        !approaches(k, method, tolerance, worst(agreement))) {
        r->contradiction[r->contradiction_count] = method;
        r->contradicted_by[r->contradiction_count++] = worst(agreement);
    }
    if (!r->checked || worst(agreement) < worst(r->agreement)) {
        r->checked = true;
        r->check = method;
        r->check_tolerance = tolerance;
        memcpy(r->agreement, agreement, sizeof agreement);
    }
    return k->finished == CHECKS ||
           (r->contradiction_count == 0 && worst(r->agreement) < k->tightest / 100.0);
}

/* Checks by methods with another integrator (or, if not, with another formulation only). */
static bool check_by_others(making *k, bool other_integrator, const char *wanted)
{
    const char *name, *help, *formulation, *integrator;
    bool enough = false;

    for (int i = 0; !enough && crank_method_describe(i, &name, &help); i++) {
        crank_options options = crank_options_default();
        if (crank_method_resolve(name, &formulation, &integrator, &options, NULL) != CRANK_OK) {
            continue;
        }
        const bool other = strcmp(integrator, k->integrator) != 0;
        const bool fits = other_integrator ? other && (strcmp(integrator, wanted) == 0)
                                           : !other && strcmp(formulation, k->formulation) != 0;
        if (fits) {
            enough = check_by(k, name, k->reference->tolerance);
        }
    }
    return enough;
}

static void check(making *k)
{
    /* the accurate first; what is new is not asked */
    static const char *const integrators[] = {"dopri8", "bdf", "adams", "radau"};
    compare_reference *r = k->reference;
    crank_options options = crank_options_default();
    bool enough = false;

    if (crank_method_resolve(r->method, &k->formulation, &k->integrator, &options, NULL) !=
        CRANK_OK) {
        return;
    }
    for (int i = 0; i < 4 && !enough; i++) {
        enough = check_by_others(k, true, integrators[i]);
    }
    if (!enough) {
        enough = check_by_others(k, false, "");
    }
    if (!r->checked && !enough && !interrupted()) {
        (void)check_by(k, r->method, 10.0 * r->tolerance);
    }
}

/* The reference again, at points that its own steps tell. */
static int make_again(making *k, const step_list *steps)
{
    run_plan *plan = k->plan;
    compare_reference *r = k->reference;
    const double columns = plan->columns->count;

    plan->steps = NULL;
    if (!compare_reference_refine(plan, steps)) {
        return no_memory(plan->messages);
    }
    if (columns * plan->point_count > VALUES) {
        tell_error(plan->messages,
                   "--at-steps: a reference of %d points with %d columns has more than %d "
                   "values; name fewer columns by --only",
                   plan->point_count, plan->columns->count, (int)VALUES);
        return CODE_USAGE;
    }
    const size_t count = (size_t)plan->point_count * (size_t)plan->columns->count;
    free(r->values);
    free(k->values);
    r->values = calloc(count + 1, sizeof *r->values);
    k->values = calloc(count + 1, sizeof *k->values);
    if (r->values == NULL || k->values == NULL) {
        return no_memory(plan->messages);
    }
    describe(plan, "reference", r->method, r->tolerance);
    compared_run_do(k->run, plan, r->method, r->tolerance, 0, r->values);
    return k->run->outcome == RUN_DONE || interrupted() ? -1 : CODE_FAILED;
}

static int make(making *k)
{
    const char *name = preferred, *help;
    bool made = make_by(k, preferred);

    for (int i = 0; !made && !interrupted() && crank_method_describe(i, &name, &help); i++) {
        made = strcmp(name, preferred) != 0 && make_by(k, name);
    }
    if (interrupted()) {
        tell_error(k->plan->messages, "interrupted before the first run");
        return CODE_FAILED;
    }
    if (!made) {
        tell_error(k->plan->messages,
                   "no method makes a reference, the last one says: %s; give one with "
                   "--reference FILE, or looser --tols",
                   k->run->text);
        return CODE_FAILED;
    }
    const int code = k->plan->at_steps ? make_again(k, k->plan->steps) : -1;
    if (code < 0) {
        check(k);
        compare_reference_estimate(k->reference, k->plan);
    }
    return code;
}

int compare_reference_make(compare_reference *r, run_plan *plan, double tightest)
{
    const size_t count = (size_t)plan->point_count * (size_t)plan->columns->count;
    making k = {.reference = r, .plan = plan, .tightest = tightest};
    step_list steps = {0};
    int code = CODE_FAILED;

    for (int group = 0; group < COMPARED_GROUPS; group++) {
        r->agreement[group] = (double)NAN;
    }
    if (r->path != NULL) {
        compare_reference_estimate(r, plan);
        return -1;
    }
    plan->steps = plan->at_steps ? &steps : NULL;
    k.run = calloc(1, sizeof *k.run);
    k.values = calloc(count + 1, sizeof *k.values);
    r->values = calloc(count + 1, sizeof *r->values);
    if (k.run == NULL || k.values == NULL || r->values == NULL) {
        (void)no_memory(plan->messages);
    } else {
        code = make(&k);
    }
    plan->steps = NULL;
    free(steps.t);
    free(k.run);
    free(k.values);
    return code;
}

void compare_reference_free(compare_reference *r)
{
    free(r->values);
    *r = (compare_reference){0};
}
