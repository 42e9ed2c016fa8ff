/* test_initial_conditions.c - consistent initial values with extra conditions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "initial_check.h"

static void at_45_degrees(const void *data, double t, const double *x, double *conditions)
{
    conditions[0] = x[3] + x[4]; /* x + y = 0 */
    conditions[1] = sqrt(x[1] * x[1] + x[2] * x[2]) - 2.0;
}

static void conditions_dominate_a_consistent_guess(void **state)
{
    test_pendulum data = test_pendulum_default();
    data.supply.initial = 2;
    data.supply.conditions = at_45_degrees;
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    crank_initial_report report;
    crank_error err;
    test_pendulum_start(&data, 0.2, 1.0, x);
    CHECK_OK(initialize(eom, 0.0, x, NULL, &report, &err), err);
    assert_false(report.consistent);
    CHECK_NEAR(x[3], sqrt(0.5), 1e-14);
    CHECK_NEAR(x[4], -sqrt(0.5), 1e-14);
    CHECK_NEAR(x[1], sqrt(2.0), 1e-14);
    CHECK_NEAR(x[2], sqrt(2.0), 1e-14);
    check_all_levels(eom, 0.0, x, 1e-14);
    crank_eom_destroy(eom);
}

static void at_a_given_tension(const void *data, double t, const double *x, double *conditions)
{
    conditions[0] = x[0] - 6.0; /* lambda, which level 2 alone fixes by p and v */
}

static void a_condition_on_a_multiplier_moves_all_levels(void **state)
{
    test_pendulum data = test_pendulum_default();
    data.supply.initial = 1;
    data.supply.conditions = at_a_given_tension;
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    crank_error err;
    test_pendulum_start(&data, 0.2, 1.0, x);
    CHECK_OK(initialize(eom, 0.0, x, NULL, NULL, &err), err);
    CHECK_NEAR(x[0], 6.0, 1e-12);
    check_all_levels(eom, 0.0, x, 1e-13);
    crank_eom_destroy(eom);
}

static void too_far_right(const void *data, double t, const double *x, double *conditions)
{
    conditions[0] = x[3] - 1.5; /* outside the circle */
}

static void a_condition_that_contradicts_is_named(void **state)
{
    test_pendulum data = test_pendulum_default();
    data.supply.initial = 1;
    data.supply.conditions = too_far_right;
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    crank_error err;
    test_pendulum_start(&data, 0.2, 1.0, x);
    CHECK_STATUS(initialize(eom, 0.0, x, NULL, NULL, &err), CRANK_EINIT_CONTRADICTION);
    CHECK_CONTAINS(err.text, "initial condition \"condition1\"");
    CHECK_CONTAINS(err.text, "holonomic \"length\"");
    crank_eom_destroy(eom);
}

static void in_balance(const void *data, double t, const double *x, double *conditions)
{
    conditions[0] = x[3] + 2.0; /* r1 */
}

static void a_condition_on_a_force_element_moves_it(void **state)
{
    test_academic data = test_academic_default();
    data.supply.initial = 1;
    data.supply.conditions = in_balance;
    crank_eom *eom = test_academic_create(&data);
    double x[13];
    crank_error err;
    test_academic_exact(0.3, x);
    CHECK_OK(initialize(eom, 0.3, x, NULL, NULL, &err), err);
    CHECK_NEAR(x[3], -2.0, 1e-14);
    check_all_levels(eom, 0.3, x, 1e-13);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_dominate_a_consistent_guess),
        cmocka_unit_test(a_condition_on_a_multiplier_moves_all_levels),
        cmocka_unit_test(a_condition_that_contradicts_is_named),
        cmocka_unit_test(a_condition_on_a_force_element_moves_it),
    };
    return CHECK_RUN(argc, argv, tests);
}
