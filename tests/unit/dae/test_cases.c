/* test_cases.c - shapes that the worked examples do not have: coupled derivatives, ranks that
 * fall on the set itself, badly scaled circuits and reactions, more or fewer equations than
 * variables. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae_case.h"

static void coupled_derivatives_hide_constraints(void **state)
{
    dae_case c;
    dae_expect(&c, 2, "1|1; 1|1", "x1; -x2", START(0.3, 0.1),
               EXPECT(.nu = 2, .m1 = {1, 1, 2}, .a = 2, .d = 0, .d_index = 2, .s_index = 1));
    dae_check_constraint(&c, 0, 0, "x1 + x2");
    dae_check_constraint(&c, 1, 0, "x1");
    assert_int_equal(c.report->reduced.differential_count, 2);
    assert_int_equal(c.report->reduced.selected_differential_count, 0);
    CHECK_NEAR(c.report->point[0], 0.0, 1e-15);
    CHECK_NEAR(c.report->point[1], 0.0, 1e-15);
    dae_end(&c);
}

/* E = x1 has rank one in the plane and zero where 0 = x1: then 0 = x2, on the same level */
static void a_rank_that_falls_on_the_new_set_gives_more_constraints(void **state)
{
    dae_case c;
    dae_expect(&c, 2, "x1|0; 0|0", "x2; x1", START(0.3, 0.1),
               EXPECT(.nu = 1, .m1 = {0, 2}, .a = 2, .d = 0, .d_index = 1, .s_index = 0));
    dae_end(&c);
    dae_expect(&c, 3, "x3|0|0; 0|1|0; 0|0|0", "x2; x1; x3", START(0.3, 0.1, 0),
               EXPECT(.nu = 2, .m1 = {1, 2, 3}, .a = 3, .d = 0, .d_index = 2, .s_index = 1));
    dae_check_constraint(&c, 1, 0, "x1");
    dae_end(&c);
}

/* Robertson's reaction: rates from 0.04 to 3e7 */
static void a_stiff_reaction_has_index_one(void **state)
{
    dae_case c;
    dae_expect(&c, 3, "1|0|0; 0|1|0; 0|0|0",
               "-0.04*x1 + 1e4*x2*x3; 0.04*x1 - 1e4*x2*x3 - 3e7*x2^2; x1 + x2 + x3 - 1",
               START(1, 0, 0),
               EXPECT(.nu = 1, .m1 = {2, 3}, .a = 1, .d = 2, .d_index = 1, .s_index = 0));
    assert_true(c.report->consistent);
    dae_end(&c);
}

/* the transistor amplifier of [HW96, VII.1]: capacitances of 1e-6 couple the derivatives */
static void the_transistor_amplifier_has_index_one(void **state)
{
    dae_case c;
    dae_begin(&c, 8,
              "-1e-6|1e-6|0|0|0|0|0|0; 1e-6|-1e-6|0|0|0|0|0|0; 0|0|-2e-6|0|0|0|0|0; "
              "0|0|0|-3e-6|3e-6|0|0|0; 0|0|0|3e-6|-3e-6|0|0|0; 0|0|0|0|0|-4e-6|0|0; "
              "0|0|0|0|0|0|-5e-6|5e-6; 0|0|0|0|0|0|5e-6|-5e-6",
              "-0.1*sin(200*pi*t)/1000 + x1/1000; "
              "x2*2/9000 - 6/9000 + 0.01e-6*(exp((x2 - x3)/0.026) - 1); "
              "x3/9000 - 1e-6*(exp((x2 - x3)/0.026) - 1); "
              "x4/9000 - 6/9000 + 0.99e-6*(exp((x2 - x3)/0.026) - 1); "
              "x5*2/9000 - 6/9000 + 0.01e-6*(exp((x5 - x6)/0.026) - 1); "
              "x6/9000 - 1e-6*(exp((x5 - x6)/0.026) - 1); "
              "x7/9000 - 6/9000 + 0.99e-6*(exp((x5 - x6)/0.026) - 1); x8/9000",
              START(0, 3, 3, 6, 3, 3, 6, 0));
    dae_run(&c);
    dae_check(&c, EXPECT(.nu = 1, .m1 = {5, 8}, .a = 3, .d = 5, .d_index = 1, .s_index = 0));
    assert_true(c.report->consistent);
    dae_end(&c);
}

/* The Akzo Nobel reaction of the test set for IVP solvers: sqrt(x2) at x2 = 0.00123, where x2
 * has the size one. Steps along the manifold must not end outside the domain. */
static void a_small_concentration_under_a_root_is_no_singular_point(void **state)
{
    dae_case c;
    dae_begin(&c, 6,
              "1|0|0|0|0|0; 0|1|0|0|0|0; 0|0|1|0|0|0; 0|0|0|1|0|0; 0|0|0|0|1|0; 0|0|0|0|0|0",
              "-37.4*x1^4*sqrt(x2) + 0.58*x3*x4 - 0.58/34.4*x1*x5 - 0.09*x1*x4^2; "
              "-9.35*x1^4*sqrt(x2) - 0.09*x1*x4^2 - 0.21*x6^2*sqrt(x2) + 3.3*(0.9/737 - x2); "
              "18.7*x1^4*sqrt(x2) - 0.58*x3*x4 + 0.58/34.4*x1*x5; "
              "-0.58*x3*x4 + 0.58/34.4*x1*x5 - 0.18*x1*x4^2; "
              "0.58*x3*x4 - 0.58/34.4*x1*x5 + 0.42*x6^2*sqrt(x2); 115.83*x1*x4 - x6",
              START(0.444, 0.00123, 0, 0.007, 0, 0.36));
    dae_run(&c);
    dae_check(&c, EXPECT(.nu = 1, .m1 = {5, 6}, .a = 1, .d = 5, .d_index = 1, .s_index = 0));
    dae_end(&c);
}

static void repeated_equations_are_named(void **state)
{
    dae_case c;
    dae_expect(&c, 1, "1; 1; 1", "-x1; -x1; -2*x1 + x1", START(0.3),
               EXPECT(.nu = 0, .m1 = {1}, .a = 0, .d = 1, .d_index = -1, .s_index = 0));
    assert_int_equal(c.report->redundant[0], 1);
    assert_int_equal(c.report->redundant[1], 2);
    dae_end(&c);
}

/* x1' + x2' = x3: of x1 and x2 one is free, x3 and x4 are */
static void open_variables_are_named(void **state)
{
    dae_case c;
    dae_expect(&c, 4, "1|1|0|0", "x3", START(0.3, 0.3, 2, 3),
               EXPECT(.nu = 0, .m1 = {1}, .a = 0, .d = 1, .d_index = -1, .s_index = 0));
    CHECK_NEAR(c.report->freedom[0], 0.5, 1e-14);
    CHECK_NEAR(c.report->freedom[1], 0.5, 1e-14);
    CHECK_NEAR(c.report->freedom[2], 1.0, 1e-14);
    CHECK_NEAR(c.report->freedom[3], 1.0, 1e-14);
    assert_true(c.report->undetermined[0] < 2);
    assert_int_equal(c.report->undetermined[1], 2);
    assert_int_equal(c.report->undetermined[2], 3);
    CHECK_CONTAINS(c.report->differentiation_reason, "equations and variables differ");
    dae_end(&c);
}

/* sqrt(x1 - 1) is defined for x1 >= 1 only: most neighbours of a start at 1.0001 are not */
static void the_edge_of_a_domain_is_no_obstacle(void **state)
{
    dae_case c;
    dae_expect(&c, 2, "1|0; 0|0", "x2; sqrt(x1 - 1) - 0.01", START(1.0001, 0),
               EXPECT(.nu = 2, .m1 = {1, 1, 2}, .a = 2, .d = 0, .d_index = 2, .s_index = 1));
    assert_true(c.report->consistent);
    dae_end(&c);
}

/* the same twice: nothing depends on addresses or on what was analysed before */
static void the_analysis_can_be_repeated(void **state)
{
    dae_case c;
    dae_begin(&c, 2, "1|0; 0|0", "x2; x1^2 - 1 - t", START(1, 0.2));
    dae_run(&c);
    CHECK_OK(c.status, c.err);
    const crank_ex hidden = c.report->level[1].constraint[0].ex;
    const double value = c.report->point[1];
    crank_dae_report_destroy(c.report);
    dae_run(&c);
    CHECK_OK(c.status, c.err);
    assert_int_equal(c.report->level[1].constraint[0].ex, hidden);
    assert_true(c.report->point[1] == value);
    CHECK_NEAR(value, 0.5, 1e-14);
    dae_end(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coupled_derivatives_hide_constraints),
        cmocka_unit_test(a_rank_that_falls_on_the_new_set_gives_more_constraints),
        cmocka_unit_test(a_stiff_reaction_has_index_one),
        cmocka_unit_test(the_transistor_amplifier_has_index_one),
        cmocka_unit_test(a_small_concentration_under_a_root_is_no_singular_point),
        cmocka_unit_test(repeated_equations_are_named),
        cmocka_unit_test(open_variables_are_named),
        cmocka_unit_test(the_edge_of_a_domain_is_no_obstacle),
        cmocka_unit_test(the_analysis_can_be_repeated),
    };
    return CHECK_RUN(argc, argv, tests);
}
