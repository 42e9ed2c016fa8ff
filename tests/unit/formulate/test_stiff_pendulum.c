/* test_stiff_pendulum.c - L-stability on Negrut's stiff pendulum, not on a test equation: its
 * second hinge turns at a rate that dies in 10 microseconds, and steps are two hundred times as
 * long. Formulas with R(-inf) = 0 leave the rate of the slow motion after one step, the
 * trapezoidal rule turns what is above it round, R(-inf) = -1, step by step. theory 4.12 to
 * 4.15. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eom/eom.h"
#include "partition_runs.h"

/* models/negrut-pendulum with a start off the slow motion */
static const char pendulum[] =
    "crank: equations\n"
    "parameters: {m2: 0.3, k2: 3.0e5, c2: 5.0e4, grav: 9.81}\n"
    "positions:\n"
    "  x1: {start: 1}\n"
    "  y1: {start: 0}\n"
    "  th1: {start: 2*pi, fixed: true}\n"
    "  x2: {start: 2 + 1.5*cos(23*pi/12)}\n"
    "  y2: {start: 1.5*sin(23*pi/12)}\n"
    "  th2: {start: 23*pi/12, fixed: true}\n"
    "velocities: {x1d: {of: x1}, y1d: {of: y1}, th1d: {of: th1, start: 0, fixed: true}, "
    "x2d: {of: x2}, y2d: {of: y2}, th2d: {of: th2, start: 3, fixed: true}}\n"
    "mass: {diagonal: [3, 3, 1, m2, m2, m2*1.5^2/3]}\n"
    "forces:\n"
    "  - 0\n"
    "  - -3*grav\n"
    "  - -400*(th1 - 3*pi/2) - 15*th1d + k2*(th2 - th1) + c2*(th2d - th1d)\n"
    "  - 0\n"
    "  - -m2*grav\n"
    "  - -k2*(th2 - th1) - c2*(th2d - th1d)\n"
    "holonomic:\n"
    "  hinge1_x: x1 - cos(th1)\n"
    "  hinge1_y: y1 - sin(th1)\n"
    "  hinge2_x: x2 - x1 - cos(th1) - 1.5*cos(th2)\n"
    "  hinge2_y: y2 - y1 - sin(th1) - 1.5*sin(th2)\n";

static const double h = 0.002, /* 200 time constants */
    beginning = 3.0;           /* rate of the second hinge; that of the slow motion is pi/2 */

/* rate of the second hinge after so many steps, or from a run as accurate as that */
static double rate_after(const char *method, int steps, double tolerance)
{
    crank_state *model = open_model(pendulum, false, CRANK_ACCELERATIONS_CARRY);
    const crank_eom *eom = crank_state_eom(model);
    const int v = eom->column[CRANK_V];
    crank_options options = tolerance > 0.0 ? run_tolerance(tolerance) : run_fixed_step(h);
    if (strstr(method, "rosenbrock") != NULL) { /* has no Newton */
        options.newton_tolerance = crank_options_default().newton_tolerance;
        options.newton_max = crank_options_default().newton_max;
        options.jacobian_reuse = crank_options_default().jacobian_reuse;
    }
    double x[RUN_MAX];
    start(model, x);
    CHECK_NEAR(x[v + 5] - x[v + 2], beginning, 1e-12);
    const crank_statistics s =
        run_whole(method, crank_state_eom(model), &options, steps * h, x);
    assert_true(tolerance > 0.0 || s.steps == steps);
    one_state_close(model);
    return x[v + 5] - x[v + 2];
}

/* what is left of the fast turn; exp(-200) of it truly */
static double left_after(const char *method, int steps)
{
    return (rate_after(method, steps, 0.0) - rate_after("psf-radau", steps, 1e-9)) /
           (beginning - acos(0.0));
}

/* R(-200) is of the size of 1/200 times a constant of the formula, at most 10 of these */
static void fast_turns_die_in_a_step_or_two_of_formulas_that_are_l_stable(void **state)
{
    static const char *const methods[] = {"partition-sdirk415",      "partition-sdirk416",
                                          "partition-rosenbrock",    "partition-radau",
                                          "descriptor-sdirk416",     "tangent-plane-sdirk415",
                                          "tangent-plane-rosenbrock"};
    const double most = 10.0 / 200.0;
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        assert_true(fabs(left_after(methods[i], 1)) <= most);
        assert_true(fabs(left_after(methods[i], 2)) <= most * most);
    }
}

/* R(-200) = (1 - 100)/(1 + 100) */
static void the_trapezoidal_rule_turns_them_round_step_by_step(void **state)
{
    static const char *const methods[] = {"partition-trapezoidal", "descriptor-trapezoidal",
                                          "tangent-plane-trapezoidal"};
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        for (int steps = 1; steps <= 3; steps++) {
            CHECK_NEAR(left_after(methods[i], steps), pow(-99.0 / 101.0, steps), 0.02);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_turns_die_in_a_step_or_two_of_formulas_that_are_l_stable),
        cmocka_unit_test(the_trapezoidal_rule_turns_them_round_step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
