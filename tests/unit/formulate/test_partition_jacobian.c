/* test_partition_jacobian.c - where the Newton matrix of independent coordinates comes from:
 * formulas, differences of all rows, of single forces, or none of them; columns in threads.
 * theory (2.32)-(2.34). */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/partition.h"
#include "partition_runs.h"

static const char gyroscope_file[] = "models/gyroscope-loop/gyroscope-loop.yaml",
                  pendulum_file[] = "models/negrut-pendulum/negrut-pendulum.yaml",
                  car_file[] = "models/quarter-car/quarter-car.yaml";

/* a rod on a hinge, a spring with a law of its own, a damper, wind; %s: where derivatives of
 * the spring come from */
static const char swing[] =
    "crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies: {rod: {mass: 1, shape: {rod: 1}, position: [0.4, -0.3], angle: 143 deg}}\n"
    "joints: {O: {type: revolute, between: [ground, rod], at: [0, 0]}}\n"
    "forces:\n"
    "  s: {type: spring, between: [ground, rod], at: [[1, 1], [0.8, -0.6]], law: \"200*(length "
    "- 1) + 50*(length - 1)^3 + 4*rate^3 + 3*rate\", derivatives: %s}\n"
    "  d: {type: torsion, joint: O, damping: 0.3, stiffness: 0, derivatives: %s}\n";

static void write_swing(char *text, size_t size, const char *how)
{
    (void)snprintf(text, size, swing, how, how);
}

/* values of the Jacobian, and of the mass matrix' place in it, after a step of a run */
static int jacobian_at(const char *text, const crank_options *options, double *values, int most)
{
    crank_state *model = open_model(text, is_path(text), CRANK_ACCELERATIONS_CARRY);
    crank_eom *eom = crank_state_eom(model);
    double x[RUN_MAX], y[RUN_MAX];
    run r;
    start(model, x);
    run_begin(&r, "partition-sdirk415", eom, options, 0.0, x, 1.0);
    const crank_partition *s = (const crank_partition *)r.problem;
    const int count = eom->jacobian_pattern.start[eom->n];
    assert_true(count <= most);
    memcpy(y, crank_integrator_state(r.it) + s->column, (size_t)r.problem->n * sizeof *y);
    CHECK_OK(r.problem->prepare(r.problem, 0.0, y, NULL, &r.err), r.err);
    memcpy(values, s->psf->jacobian, (size_t)count * sizeof *values);
    run_end(&r);
    one_state_close(model);
    return count;
}

enum { MOST = 20000 };

/* central differences of steps cbrt(eps) are off by eps^(2/3) of the sizes: 4e-11 */
static void check_values(const double *a, const double *b, int count)
{
    double size = 0.0;
    for (int i = 0; i < count; i++) {
        size = fmax(size, fabs(a[i]));
    }
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(a[i], b[i], 1e-9 * (1.0 + size));
    }
}

static void differences_agree_with_formulas(void **state)
{
    static const char *const files[] = {gyroscope_file, pendulum_file, car_file};
    static const crank_jacobian_source by[] = {CRANK_DERIVATIVES_DENSE,
                                               CRANK_DERIVATIVES_GROUPED};
    static double exact[MOST], values[MOST];
    for (int f = 0; f < 3; f++) {
        for (int i = 0; i < 2; i++) {
            crank_options options = run_tolerance(1e-4);
            const int count = jacobian_at(files[f], &options, exact, MOST);
            options.derivatives = by[i];
            assert_int_equal(jacobian_at(files[f], &options, values, MOST), count);
            check_values(exact, values, count);
        }
    }
}

static void differences_count_and_lead_to_the_same_motion(void **state)
{
    double x[3][RUN_MAX];
    crank_statistics s[3];
    crank_state *model = open_model(gyroscope_file, true, CRANK_ACCELERATIONS_CARRY);
    for (int i = 0; i < 3; i++) {
        crank_options options = run_fixed_step(1.0 / 2000);
        options.derivatives = i == 0   ? CRANK_DERIVATIVES_ANALYTIC
                              : i == 1 ? CRANK_DERIVATIVES_DENSE
                                       : CRANK_DERIVATIVES_GROUPED;
        s[i] = run_model(gyroscope_file, "partition-sdirk415", &options, 0.02, x[i]);
        /* iterations end at rounding, whatever the matrix */
        assert_true(distance(crank_state_eom(model), x[i], x[0]) < 1e-9);
    }
    one_state_close(model);
    assert_true(s[0].difference_evaluations == 0);
    assert_true(s[2].difference_evaluations > 0);
    assert_true(s[1].difference_evaluations > 2 * s[2].difference_evaluations);
}

static void forces_by_differences_agree_with_formulas(void **state)
{
    static double exact[MOST], values[MOST], none[MOST];
    const crank_options options = run_tolerance(1e-4);
    char text[1000];
    write_swing(text, sizeof text, "analytic");
    const int count = jacobian_at(text, &options, exact, MOST);
    write_swing(text, sizeof text, "differences");
    assert_int_equal(jacobian_at(text, &options, values, MOST), count);
    check_values(exact, values, count);
    write_swing(text, sizeof text, "neglected");
    assert_int_equal(jacobian_at(text, &options, none, MOST), count);
    double change = 0.0;
    for (int i = 0; i < count; i++) {
        change = fmax(change, fabs(none[i] - exact[i]));
    }
    assert_true(change > 10.0); /* a stiffness of 200 N/m along an arm of 1 m */
}

/* [Neg98, 3.1]: the iteration is slower and ends at the same point */
static void neglected_derivatives_cost_iterations_and_no_accuracy(void **state)
{
    static const char *const words[] = {"analytic", "differences", "neglected"};
    double x[3][RUN_MAX];
    int64_t iterations[3];
    char text[1000];
    write_swing(text, sizeof text, words[0]);
    crank_state *model = open_model(text, false, CRANK_ACCELERATIONS_CARRY);
    for (int i = 0; i < 3; i++) {
        const crank_options options = run_tolerance(1e-7);
        write_swing(text, sizeof text, words[i]);
        iterations[i] =
            run_model(text, "partition-sdirk415", &options, 0.5, x[i]).newton_iterations;
        assert_true(distance(crank_state_eom(model), x[i], x[0]) < 1e-4);
    }
    one_state_close(model);
    assert_true(iterations[1] <= iterations[0] + iterations[0] / 50);
    assert_true(iterations[2] > iterations[0] + iterations[0] / 10);
}

static void columns_in_threads_have_the_same_bits_for_any_number(void **state)
{
    static const char *const files[] = {gyroscope_file, pendulum_file,
                                        "models/slider-crank/redundant.yaml",
                                        "models/chaplygin-sleigh/chaplygin-sleigh.yaml"};
    static const char *const methods[] = {"partition-sdirk415", "partition-radau"};
    for (int f = 0; f < 4; f++) {
        crank_state *model = open_model(files[f], true, CRANK_ACCELERATIONS_CARRY);
        const crank_eom *eom = crank_state_eom(model);
        for (int m = 0; m < 2; m++) {
            double x[4][RUN_MAX];
            for (int i = 0; i < 4; i++) {
                crank_options options = run_fixed_step(1.0 / 2000);
                options.jacobian_threads = i;
                (void)run_model(files[f], methods[m], &options, 0.02, x[i]);
                if (i > 1) {
                    assert_memory_equal(x[i], x[1], (size_t)eom->n * sizeof(double));
                }
            }
            assert_true(distance(eom, x[0], x[1]) < 1e-9);
        }
        one_state_close(model);
    }
}

static void check_refused(const char *text, const char *method, const crank_options *options,
                          const char *reason)
{
    crank_state *model = open_model(text, is_path(text), CRANK_ACCELERATIONS_CARRY);
    double x[RUN_MAX];
    run r;
    start(model, x);
    CHECK_STATUS(run_try(&r, method, crank_state_eom(model), options, 0.0, x, 1.0),
                 CRANK_EREFUSED);
    assert_non_null(strstr(r.err.text, reason));
    run_end(&r);
    one_state_close(model);
}

static void what_does_not_apply_is_refused(void **state)
{
    crank_options options = run_tolerance(1e-4);
    char text[1000];
    write_swing(text, sizeof text, "neglected");
    check_refused(text, "partition-rosenbrock", &options, "force \"d\"");
    options.derivatives = CRANK_DERIVATIVES_GROUPED;
    check_refused(pendulum_file, "partition-rosenbrock", &options, "differences");
    check_refused(pendulum_file, "ggl-radau", &options, "bdf");
    check_refused(pendulum_file, "psf-radau", &options, "derivatives");
    options.derivatives = CRANK_DERIVATIVES_ESTIMATED;
    check_refused(pendulum_file, "partition-radau", &options, "estimated");
    options = run_tolerance(1e-4);
    options.jacobian_threads = 2;
    check_refused("models/lolly/lolly-energy.yaml", "partition-radau", &options, "invariants");
    check_refused(pendulum_file, "descriptor-sdirk416", &options, "jacobian_threads");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_agree_with_formulas),
        cmocka_unit_test(differences_count_and_lead_to_the_same_motion),
        cmocka_unit_test(forces_by_differences_agree_with_formulas),
        cmocka_unit_test(neglected_derivatives_cost_iterations_and_no_accuracy),
        cmocka_unit_test(columns_in_threads_have_the_same_bits_for_any_number),
        cmocka_unit_test(what_does_not_apply_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
