/* test_stage.c - what model files hand to explicit methods at a stage (eom/stage.h) determines
 * the same accelerations, multipliers and rates as their rows and their Jacobian, and where
 * they say that it is linear in the algebraic unknowns it is. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eom/stage.h"
#include "one_state.h"

#include "problem/problem.h"
#include <crank/model.h>

#include <stdio.h>
#include <stdlib.h>

enum { PATH = 200 };
/* a tolerance of which a thousandth is rounding */
static const double exact = 1e-13;

static bool next_path(const char **list, char *path)
{
    int length = 0;
    return sscanf(*list, "%199s%n", path, &length) == 1 && (*list += length) != NULL;
}

typedef struct point {
    double *x, *k, *values, *work;
} point;

static point make_point(const crank_eom *eom, const crank_stage_entries *entries)
{
    const size_t n = (size_t)eom->n, m = (size_t)eom->m, count = (size_t)entries->count;
    const size_t jacobian = (size_t)eom->jacobian_pattern.start[n];
    point p = {.x = calloc(n + m + count + 1 + jacobian + 1, sizeof *p.x)};
    assert_non_null(p.x);
    p.k = p.x + n;
    p.values = p.k + m;
    p.work = p.values + count + 1;
    return p;
}

static crank_status evaluate(crank_eom *eom, const crank_stage_entries *entries, double t,
                             point *p)
{
    crank_error err = {0};
    assert_non_null(eom->supplier.stage);
    return crank_eom_evaluate_stage(eom, entries, t, p->x, p->k, p->values, p->work, &err);
}

/* x' and the algebraic unknowns near the start, by the formulation that explicit methods use,
 * for runs with this rtol; false: it refuses */
static bool find_rates(crank_state *model, double rtol, const double *start, double *x,
                       double *xdot, int64_t *evaluations)
{
    crank_options options = crank_options_default();
    options.rtol = rtol;
    crank_eom *eom = crank_state_eom(model);
    crank_problem *problem = NULL;
    crank_error err = {0};
    const double t = 0.0;
    if (crank_formulate("ode", eom, &options, t, start, (crank_log){0}, &problem, &err) !=
        CRANK_OK) {
        return false;
    }
    for (int j = 0; j < eom->n; j++) { /* algebraic ones are guesses */
        x[j] = start[j] + 1e-3 * sin(3.0 * j + 1.0);
    }
    *evaluations = problem->statistics->evaluations;
    const bool fine = problem->derivative(problem, t, x, xdot, &err) == CRANK_OK;
    *evaluations = problem->statistics->evaluations - *evaluations;
    crank_problem_destroy(problem);
    return fine;
}

/* consistent values: formulations want them */
static bool find_start(crank_state *model, double *start)
{
    crank_eom *eom = crank_state_eom(model);
    crank_initial_options options = crank_initial_options_default();
    crank_initial_report report;
    crank_error err = {0};
    memcpy(start, crank_state_start(model), (size_t)eom->n * sizeof *start);
    options.fixing = crank_model_fixing(crank_state_model(model));
    options.multipliers = true;
    return crank_eom_initialize(eom, 0.0, start, &options, &report, (crank_log){0}, &err) ==
               CRANK_OK &&
           crank_state_begin(model, 0.0, start, &err) == CRANK_OK;
}

/* the same without the hook, by Newton's iteration with the whole Jacobian, up to its last
 * increment and rounding */
static bool rates_are_those_of_the_whole(crank_state *model, const char *path)
{
    crank_eom *eom = crank_state_eom(model);
    const size_t n = (size_t)eom->n;
    double *memory = calloc(5 * n + 1, sizeof *memory);
    assert_non_null(memory);
    double *start = memory, *x = memory + n, *xdot = x + n, *y = xdot + n, *ydot = y + n;
    int64_t count = 0;
    bool compared =
        find_start(model, start) && find_rates(model, exact, start, x, xdot, &count);
    if (compared) {
        const crank_eom kept = *eom;
        eom->supplier.stage = NULL;
        eom->stage_entries = NULL;
        eom->stage_constant = NULL;
        eom->stage_accelerations = eom->stage_linear = false;
        assert_true(find_rates(model, exact, start, y, ydot, &count));
        *eom = kept;
    }
    double largest = 0.0;
    for (size_t j = 0; j < n; j++) {
        largest = fmax(largest, fmax(fabs(y[j]), fabs(ydot[j])));
    }
    for (size_t j = 0; j < n && compared; j++) {
        if (!(fabs(x[j] - y[j]) <= 1e-8 * (1.0 + largest)) ||
            !(fabs(xdot[j] - ydot[j]) <= 1e-8 * (1.0 + largest))) {
            print_error("%s: %s is %.15g, not %.15g, its rate %.15g, not %.15g\n", path,
                        crank_eom_column_name(eom, (int)j), x[j], y[j], xdot[j], ydot[j]);
            fail();
        }
    }
    free(memory);
    return compared;
}

/* k at a point moved in the algebraic unknowns follows from the derivatives at the first one */
static bool is_linear(crank_eom *eom, const crank_stage_entries *entries, double t,
                      const point *from, point *to)
{
    double largest = 0.0;
    memcpy(to->x, from->x, (size_t)eom->n * sizeof *to->x);
    for (int i = 0; i < entries->unknowns; i++) {
        const int j = crank_stage_column(eom, i);
        to->x[j] += 0.3 * (1.0 + fabs(to->x[j])) * (i % 3 == 0 ? -1.0 : 1.0);
    }
    if (evaluate(eom, entries, t, to) != CRANK_OK) {
        return false;
    }
    for (int i = 0; i < entries->unknowns; i++) {
        const int j = crank_stage_column(eom, i);
        for (int e = entries->start[i]; e < entries->start[i + 1]; e++) {
            to->k[entries->row[e]] -= from->values[e] * (to->x[j] - from->x[j]);
        }
    }
    for (int i = 0; i < eom->m; i++) {
        if (crank_stage_has_row(eom, i)) {
            largest = fmax(largest, fabs(to->k[i] - from->k[i]) / (1.0 + fabs(from->k[i])));
        }
    }
    return largest < 1e-7;
}

static void stages_say_what_the_whole_says(void **state)
{
    const char *list = MODEL_FILES;
    char path[PATH];
    int compared = 0, linear = 0;
    while (next_path(&list, path)) {
        crank_model_options options = crank_model_options_default();
        crank_state *model = NULL;
        crank_error err = {0};
        CHECK_OK(one_state_read(path, &options, &model, &err), err);
        crank_eom *eom = crank_state_eom(model);
        crank_stage_entries entries;
        CHECK_OK(crank_stage_entries_create(eom, &eom->jacobian_pattern, &entries, &err), err);
        point at = make_point(eom, &entries), moved = make_point(eom, &entries);
        const double t = 0.3;
        for (int j = 0; j < eom->n; j++) { /* near the start, where everything is defined */
            at.x[j] = crank_state_start(model)[j] + 0.01 * sin(3.0 * j + 1.0);
        }
        if (eom->stage_linear && evaluate(eom, &entries, t, &at) == CRANK_OK) {
            assert_true(is_linear(eom, &entries, t, &at, &moved));
            linear++;
        }
        compared += rates_are_those_of_the_whole(model, path);
        free(at.x);
        free(moved.x);
        crank_stage_entries_destroy(&entries);
        one_state_close(model);
    }
    print_message("%d models compared, %d linear\n", compared, linear);
    assert_true(compared > 35 && linear > 25);
}

/* theory (9.2): the follower of a cam, whose place on the curve the iteration looks for */
static void what_is_left_of_an_iteration_is_a_thousandth_of_the_tolerance(void **state)
{
    crank_model_options options = crank_model_options_default();
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read("models/gears-and-cam/gears-and-cam.yaml", &options, &model, &err),
             err);
    const crank_eom *eom = crank_state_eom(model);
    const size_t n = (size_t)eom->n;
    double *memory = calloc(5 * n, sizeof *memory);
    assert_non_null(memory);
    double *start = memory, *x = memory + n, *xdot = x + n, *y = xdot + n, *ydot = y + n;
    assert_true(find_start(model, start));
    int64_t whole = 0, before = INT64_MAX;
    assert_true(find_rates(model, exact, start, y, ydot, &whole));
    for (double rtol = 1e-8; rtol <= 1e-2; rtol *= 100.0) {
        int64_t count = 0;
        assert_true(find_rates(model, rtol, start, x, xdot, &count));
        assert_true(count <= whole && count <= before);
        before = count;
        for (int g = 0; g < CRANK_GROUPS; g++) {
            double size = 0.0, off = 0.0;
            for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
                size = fmax(size, fmax(fabs(y[j]), fabs(ydot[j])));
                off = fmax(off, fmax(fabs(x[j] - y[j]), fabs(xdot[j] - ydot[j])));
            }
            assert_true(off <= 1e-3 * rtol * size + 1e-12 * size);
        }
    }
    assert_true(before < whole);
    free(memory);
    one_state_close(model);
}

/* X and n as in the truck: n X is not linear in them, but they are what they are */
static void explicit_auxiliary_unknowns_are_put_into_the_others(void **state)
{
    static const char text[] = "crank: equations\n"
                               "positions: {x: 1, y: 0}\n"
                               "velocities: {vx: {of: x, start: 0}, vy: {of: y, start: 1}}\n"
                               "mass: [[2, 0.1*cos(x)], [0.1*cos(x), 1]]\n"
                               "forces: {vx: -n*X, vy: -n}\n"
                               "auxiliary:\n"
                               "  n: {equation: 0.5*n - 0.5 - X^2}\n"
                               "  X: {equation: X - x - 0.1*lambda.rod}\n"
                               "  a: {equation: a - b}\n"
                               "  b: {equation: b - 0.5*a - 1}\n"
                               "holonomic: {rod: x^2 + y^2 - 1}\n"
                               "simulate: {t_end: 1}\n";
    crank_model_options options = crank_model_options_default();
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("explicit", text, sizeof text - 1, &options, &model, &err),
             err);
    assert_true(rates_are_those_of_the_whole(model, "explicit"));
    one_state_close(model);
}

static void friction_of_normal_forces_is_not_linear(void **state)
{
    static const char text[] = "crank: equations\n"
                               "positions: {x: 1, y: 0}\n"
                               "velocities: {vx: {of: x, start: 0}, vy: {of: y, start: 1}}\n"
                               "mass: {diagonal: [1, 1]}\n"
                               "forces: {vx: 0, vy: -0.1*sqrt(1 + lambda.rod^2)}\n"
                               "holonomic: {rod: x^2 + y^2 - 1}\n"
                               "simulate: {t_end: 1}\n";
    crank_model_options options = crank_model_options_default();
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("friction", text, sizeof text - 1, &options, &model, &err),
             err);
    assert_false(crank_state_eom(model)->stage_linear);
    one_state_close(model);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_say_what_the_whole_says),
        cmocka_unit_test(what_is_left_of_an_iteration_is_a_thousandth_of_the_tolerance),
        cmocka_unit_test(explicit_auxiliary_unknowns_are_put_into_the_others),
        cmocka_unit_test(friction_of_normal_forces_is_not_linear),
    };
    return CHECK_RUN(argc, argv, tests);
}
