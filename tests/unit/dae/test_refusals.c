/* test_refusals.c - what has no result, and why: contradictions, kinks, start values, bad
 * input. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae_case.h"

static void outcome(int n, const char *E, const char *k, const double *start,
                    crank_dae_outcome expected, const char *reason)
{
    dae_case c;
    dae_begin(&c, n, E, k, start);
    dae_run(&c);
    CHECK_OK(c.status, c.err);
    if (c.report->outcome != expected) {
        print_error("outcome %d: %s\n", c.report->outcome, c.report->reason);
    }
    assert_int_equal(c.report->outcome, expected);
    CHECK_CONTAINS(c.report->reason, reason);
    crank_text text = {0};
    crank_dae_describe(&c.input, c.report, &text);
    CHECK_CONTAINS(text.data, c.report->reason);
    crank_text_free(&text);
    dae_end(&c);
}

static void contradictions_name_the_equations(void **state)
{
    outcome(1, "1; 0", "x1; 1", START(0), CRANK_DAE_CONTRADICTORY, "equation 2 demands 0 = 1");
    outcome(2, "0|0; 0|0", "x1 + x2 - 1; x1 + x2 - 2", START(0, 0), CRANK_DAE_CONTRADICTORY,
            "equation 1 and equation 2");
    outcome(1, "0", "x1^2 + 1", START(0.4), CRANK_DAE_CONTRADICTORY, "equation 1");
    /* x' = 1 and x = 0: found on level 1 */
    outcome(1, "1; 0", "1; x1", START(0), CRANK_DAE_CONTRADICTORY, "level 1");
    /* a circle of negative radius, two levels down */
    outcome(3, "1|0|0; 0|1|0; 0|0|0", "x2; -1 - x2^2; x1", START(0, 0, 0),
            CRANK_DAE_CONTRADICTORY, "level 2");
}

/* consistent at the start time only */
static void conditions_on_time_alone_are_contradictory(void **state)
{
    outcome(2, "1|0; 0|0; 0|0", "x2; x1 - sin(t); x1 - t", START(0, 1), CRANK_DAE_CONTRADICTORY,
            "contradict");
    outcome(1, "1; 0", "x1; t", START(1), CRANK_DAE_CONTRADICTORY,
            "cannot be satisfied near the start values and time");
}

static void a_kink_at_the_point_stops_the_differentiation(void **state)
{
    outcome(2, "1|0; 0|0", "x2; abs(x1)", START(0, 0), CRANK_DAE_NOT_DIFFERENTIABLE, "\"abs\"");
    outcome(2, "1|0; 0|0", "x2; x1 - max(t, 2*t)", START(0, 0), CRANK_DAE_NOT_DIFFERENTIABLE,
            "\"max\"");
    outcome(2, "1|0; 0|0", "x2; x1 - if(t < 0, 0, t)", START(0, 0),
            CRANK_DAE_NOT_DIFFERENTIABLE, "\"if\"");
}

static void a_kink_elsewhere_is_told_and_passed(void **state)
{
    dae_case c;
    dae_expect(&c, 2, "1|0; 0|0", "x2; abs(x1) - exp(t)", START(-1, -1),
               EXPECT(.nu = 2, .m1 = {1, 1, 2}, .a = 2, .d = 0, .d_index = 2, .s_index = 1));
    assert_true(c.report->consistent);
    assert_true(c.report->kink_count >= 1);
    assert_string_equal(c.report->kink[0].function, "abs");
    assert_int_equal(c.report->kink[0].equation, 1);
    assert_false(c.report->kink[0].met);
    CHECK_NEAR(c.report->kink[0].distance, 1.0, 1e-12);
    dae_end(&c);
    /* a kink in what is never differentiated does not matter */
    dae_complete(&c, 1, "1", "abs(x1)", START(0));
    assert_int_equal(c.report->kink_count, 0);
    dae_end(&c);
}

/* the first level whose constraint has a kink: an equation on a table of x'' */
static void check_first_kink(crank_interpolation interpolation, int level)
{
    double x[] = {-2, -1, 0, 1, 2}, y[] = {4, 1, 0, 1, 4.5};
    const crank_table_data table = {{interpolation, CRANK_EXTRAPOLATE}, 5, x, y, true, NULL};
    dae_case c;
    dae_begin(&c, 3, NULL, NULL, START(0.5, 0.5, 0.1));
    const char *E[] = {"1", "0", "0", "0", "1", "0", "0", "0", "0"}, *k[] = {"x2", "x3"};
    for (int i = 0; i < 9; i++) {
        c.E[i] = dae_parse(c.pool, E[i], 1);
    }
    for (int i = 0; i < 2; i++) {
        c.k[i] = dae_parse(c.pool, k[i], 2);
    }
    c.k[2] = crank_ex_sub(c.pool, crank_ex_table(c.pool, &table, c.variable[0]),
                          dae_parse(c.pool, "0.3 + t/10", 10));
    c.input.equations = 3;
    dae_run(&c);
    CHECK_OK(c.status, c.err);
    assert_int_equal(c.report->outcome, CRANK_DAE_COMPLETE);
    assert_int_equal(c.report->constraint_level, 2);
    assert_true(c.report->kink_count > 0);
    int first = 9;
    for (int i = 0; i < c.report->kink_count; i++) {
        assert_string_equal(c.report->kink[i].function, "table");
        first = c.report->kink[i].level < first ? c.report->kink[i].level : first;
    }
    assert_int_equal(first, level);
    dae_end(&c);
}

static void tables_may_be_differentiated_as_often_as_they_are_smooth(void **state)
{
    /* level 2 contains the second derivative, and finding level 3 empty differentiates it once
     * more */
    check_first_kink(CRANK_SPLINE, 2);
    check_first_kink(CRANK_MONOTONE, 1);
    check_first_kink(CRANK_LINEAR, 0);
}

static void the_level_limit_ends_the_search(void **state)
{
    dae_case c;
    dae_begin(&c, 4, "0|1|0|0; 0|0|1|0; 0|0|0|1; 0|0|0|0", "x1; x2; x3; x4", START(0, 0, 0, 0));
    c.input.level_limit = 2;
    dae_run(&c);
    CHECK_OK(c.status, c.err);
    assert_int_equal(c.report->outcome, CRANK_DAE_LEVEL_LIMIT);
    assert_int_equal(c.report->level_count, 3);
    CHECK_CONTAINS(c.report->reason, "beyond level");
    dae_end(&c);
}

/* exp has no zero: its residual falls for ever */
static void start_values_far_from_any_solution_are_told(void **state)
{
    dae_case c;
    dae_begin(&c, 1, "0", "exp(x1)", START(0));
    dae_run(&c);
    CHECK_OK(c.status, c.err);
    assert_true(c.report->outcome == CRANK_DAE_NOT_CONSISTENT ||
                c.report->outcome == CRANK_DAE_CONTRADICTORY);
    CHECK_CONTAINS(c.report->reason, "equation 1");
    dae_end(&c);
}

static void wrong(dae_case *c, crank_status status, const char *text)
{
    dae_run(c);
    CHECK_STATUS(c->status, status);
    assert_null(c->report);
    CHECK_CONTAINS(c->err.text, text);
    dae_end(c);
}

static void bad_input_is_refused_with_the_place(void **state)
{
    static const char *const names[] = {"mass balance"};
    dae_case c;
    dae_begin(&c, 1, "1", "x1*y", START(1));
    c.input.equation_names = names;
    wrong(&c, CRANK_EMODEL, "equation \"mass balance\" depends on \"y\"");
    dae_begin(&c, 1, "q + 1", "x1", START(1));
    wrong(&c, CRANK_EMODEL, "equation 1 depends on \"q\"");
    dae_begin(&c, 1, "1", "log(x1)", START(-1));
    wrong(&c, CRANK_ENOTFINITE, "equation 1 is not finite at the start values");
    dae_begin(&c, 1, "1/x1", "1", START(0));
    wrong(&c, CRANK_ENOTFINITE, "equation 1 is not finite");
    dae_begin(&c, 1, "1", "x1", START((double)NAN));
    wrong(&c, CRANK_ENOTFINITE, "start value of \"x1\"");
    dae_begin(&c, 1, "1", "x1", START(1));
    c.input.t_start = (double)INFINITY;
    wrong(&c, CRANK_ENOTFINITE, "start time");
    dae_begin(&c, 1, "1", "x1", START(1));
    c.input.nominal = START(0);
    wrong(&c, CRANK_EARG, "nominal size of \"x1\"");
    dae_begin(&c, 2, "1|1", "x1", START(1, 1));
    c.variable[1] = c.variable[0];
    wrong(&c, CRANK_EMODEL, "listed twice");
    dae_begin(&c, 1, "1", "x1", START(1));
    c.input.t = c.variable[0];
    wrong(&c, CRANK_EARG, "not a symbol of its own");
    dae_begin(&c, 1, "1", "x1", START(1));
    c.input.t = c.E[0];
    wrong(&c, CRANK_EARG, "time is not a symbol");
    dae_begin(&c, 1, "1", "x1", START(1));
    c.input.equations = 0;
    wrong(&c, CRANK_EARG, "0 equations of 1 variables");
    crank_dae_report_destroy(NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contradictions_name_the_equations),
        cmocka_unit_test(conditions_on_time_alone_are_contradictory),
        cmocka_unit_test(a_kink_at_the_point_stops_the_differentiation),
        cmocka_unit_test(a_kink_elsewhere_is_told_and_passed),
        cmocka_unit_test(tables_may_be_differentiated_as_often_as_they_are_smooth),
        cmocka_unit_test(the_level_limit_ends_the_search),
        cmocka_unit_test(start_values_far_from_any_solution_are_told),
        cmocka_unit_test(bad_input_is_refused_with_the_place),
    };
    return CHECK_RUN(argc, argv, tests);
}
