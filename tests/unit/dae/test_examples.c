/* test_examples.c - the worked examples of [Ste06, ch. 3], with the published levels, ranks,
 * dimensions and indices. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae_case.h"

/* 3.2.4: a multiple root */
static void powers_of_x_are_flagged_as_multiple_roots(void **state)
{
    static const char *const power[] = {"x1^2", "x1^3", "x1^4"};
    for (size_t i = 0; i < 3; i++) {
        dae_case c;
        dae_complete(&c, 1, "0", power[i], START(0.5));
        CHECK_NEAR(c.report->point[0], 0.0, 1e-3); /* as near as x^4 < rounding tells */
        assert_false(c.report->regular);
        assert_false(c.report->consistent);
        assert_false(c.report->has_differentiation_index);
        assert_false(c.report->strangeness.found);
        CHECK_CONTAINS(c.report->remark, "multiple root");
        dae_end(&c);
    }
}

/* 3.2.5, 3.2.12, 3.5.41: rank E is 2 or 1 */
static void the_varying_rank_example_has_levels_x3_and_x2(void **state)
{
    static const double first[] = {2.0, 0.0, -1.5};
    const dae_expected x = {
        .nu = 2, .m1 = {2, 2, 3}, .a = 2, .d = 1, .d_index = 2, .s_index = 1};
    for (size_t i = 0; i < 3; i++) {
        dae_case c;
        dae_expect(&c, 3, "1|0|0; 0|0|x1; 0|0|0", "x1*x2; x2-1; x3-1", START(first[i], 1, 1),
                   &x);
        dae_check_constraint(&c, 0, 0, "x3 - 1");
        dae_check_constraint(&c, 1, 0, "x2 - 1");
        assert_int_equal(c.report->strangeness.array_rank, 6);
        assert_int_equal(c.report->strangeness.array_rank_leading, 4);
        assert_true(c.report->consistent);
        assert_true(c.report->regular);
        assert_false(c.report->singular);
        assert_int_equal(c.report->rank_varies, first[i] == 0.0);
        assert_int_equal(c.report->level[0].leading.point, first[i] == 0.0 ? 1 : 2);
        const crank_dae_reduced *reduced = &c.report->reduced;
        assert_int_equal(reduced->differential_count, 2);
        assert_int_equal(reduced->constraint_count, 2);
        assert_int_equal(reduced->selected_constraint_count, 2);
        assert_int_equal(reduced->selected_differential_count, 1);
        assert_int_equal(reduced->differential[reduced->selected_differential[0]], 0);
        dae_end(&c);
    }
}

/* 3.3.4 */
static void its_linearisation_along_zero_has_index_one(void **state)
{
    dae_case c;
    dae_expect(&c, 3, "1|0|0; 0|0|0; 0|0|0", "x1; x2; x3", START(0, 0, 0),
               EXPECT(.nu = 1, .m1 = {1, 3}, .a = 2, .d = 1, .d_index = 1, .s_index = 0));
    dae_end(&c);
}

/* 3.2.14 */
static void semi_explicit_index_one_is_strangeness_free(void **state)
{
    dae_case c;
    dae_begin(&c, 2, "1|0; 0|0", "-x1 + sin(x2); x1 - x2^3 - x2", START(1, 0.5));
    dae_run(&c);
    dae_check(&c, EXPECT(.nu = 1, .m1 = {1, 2}, .a = 1, .d = 1, .d_index = 1, .s_index = 0));
    assert_false(c.report->consistent);
    CHECK_NEAR(c.report->level[0].constraint[0].residual, 1 - 0.125 - 0.5, 1e-15);
    const double *p = c.report->point;
    CHECK_NEAR(p[0] - p[1] * p[1] * p[1] - p[1], 0.0, 1e-14);
    dae_end(&c);
}

/* 3.2.16: the pencil is singular for every t, the solution unique */
static void a_singular_pencil_may_have_a_unique_solution(void **state)
{
    dae_case c;
    dae_begin(&c, 2, "0|0; 1|-t", "-x1 + t*x2; 0", START(0, 0));
    c.input.t_start = 0.7;
    dae_run(&c);
    dae_check(&c, EXPECT(.nu = 2, .m1 = {1, 1, 2}, .a = 2, .d = 0, .d_index = 2, .s_index = 1));
    dae_check_constraint(&c, 1, 0, "x2");
    dae_end(&c);
}

/* 3.5.6 */
static void rotation_on_the_circle_is_strangeness_free(void **state)
{
    dae_case c;
    dae_expect(&c, 2, "x2|-x1; 0|0", "1 + x1*x2; x1^2 + x2^2 - 1", START(0.6, 0.8),
               EXPECT(.nu = 1, .m1 = {1, 2}, .a = 1, .d = 1, .d_index = 1, .s_index = 0));
    assert_true(c.report->consistent);
    dae_end(&c);
}

/* 3.5.7, 3.5.15, 3.5.28, 3.5.42, 3.5.57 */
static void hessenberg_two_hides_one_level(void **state)
{
    const dae_expected scalar = {
        .nu = 2, .m1 = {1, 1, 2}, .a = 2, .d = 0, .d_index = 2, .s_index = 1};
    const dae_expected plane = {
        .nu = 2, .m1 = {2, 2, 3}, .a = 2, .d = 1, .d_index = 2, .s_index = 1};
    dae_case c;
    dae_expect(&c, 2, "1|0; 0|0", "x2; x1 - sin(t)", START(0, 1), &scalar);
    dae_check_constraint(&c, 0, 0, "x1 - sin(t)");
    dae_check_constraint(&c, 1, 0, "x2 - cos(t)");
    assert_true(c.report->consistent);
    assert_int_equal(c.report->reduced.selected_constraint_count, 2);
    assert_int_equal(c.report->reduced.selected_differential_count, 0);
    dae_end(&c);
    /* two differential equations, 0 = k2: k2_x1 k1_x2 = 2 x1 + sin x1 */
    dae_expect(&c, 3, "1|0|0; 0|1|0; 0|0|0",
               "x2 + x3; sin(x1)*x3 - x2; x1^2 + x2 - 1 - exp(-t)/2", START(0.5, 1.25, -0.3),
               &plane);
    assert_int_equal(c.report->reduced.selected_differential_count, 1);
    dae_end(&c);
}

/* 3.5.17 */
static void a_rank_that_vanishes_at_one_point_is_reported_there(void **state)
{
    dae_case c;
    dae_expect(&c, 1, "x1 - 1", "(x1 - 1)*x1", START(2),
               EXPECT(.nu = 0, .m1 = {1}, .a = 0, .d = 1, .d_index = 0, .s_index = 0));
    assert_false(c.report->singular);
    dae_end(&c);
    dae_complete(&c, 1, "x1 - 1", "(x1 - 1)*x1", START(1));
    assert_int_equal(c.report->nu, 0);
    assert_int_equal(c.report->constraint_level, -1);
    assert_int_equal(c.report->level[0].m1, 1);
    assert_int_equal(c.report->level[0].leading.point, 0);
    assert_true(c.report->singular);
    assert_false(c.report->has_differentiation_index);
    assert_false(c.report->strangeness.found);
    CHECK_CONTAINS(c.report->remark, "rank of the leading matrix is 0 there and 1 nearby");
    dae_end(&c);
}

/* 3.5.34, and after one step of the procedure */
static void an_overdetermined_equation_needs_one_derivative_more(void **state)
{
    dae_case c;
    dae_expect(&c, 1, "1; 0", "0; x1", START(0),
               EXPECT(.nu = 1, .m1 = {1, 1}, .a = 1, .d = 0, .d_index = -1, .s_index = 1));
    assert_int_equal(c.report->redundant[0], 0);
    dae_end(&c);
    dae_expect(&c, 1, "1; 1", "0; 0", START(0),
               EXPECT(.nu = 0, .m1 = {1}, .a = 0, .d = 1, .d_index = -1, .s_index = 0));
    assert_int_equal(c.report->redundant[0], 1);
    dae_end(&c);
}

/* 3.5.35, and after one and two steps */
static void a_square_system_may_leave_a_variable_open(void **state)
{
    dae_case c;
    dae_expect(&c, 3, "1|0|0; 0|1|0; 0|0|0", "x2; x1; x1", START(0, 0, 0),
               EXPECT(.nu = 2, .m1 = {2, 2, 2}, .a = 2, .d = 0, .d_index = -1, .s_index = 2));
    dae_check_constraint(&c, 0, 0, "x1");
    dae_check_constraint(&c, 1, 0, "x2");
    assert_int_equal(c.report->undetermined[0], 2);
    CHECK_NEAR(c.report->freedom[0], 0.0, 0.0);
    CHECK_NEAR(c.report->freedom[1], 0.0, 0.0);
    CHECK_NEAR(c.report->freedom[2], 1.0, 1e-14);
    assert_int_equal(c.report->redundant[0], 1); /* x2' = x1 */
    dae_end(&c);
    /* E^1 = [1 0 0; 0 1 0; 1 0 0], k^1 = (x2, x1, 0): 0 = x2 is explicit, x1 = 0 hidden */
    dae_begin(&c, 3, "1|0|0; 0|1|0; 1|0|0", "x2; x1; 0", START(0, 0, 0));
    dae_run(&c);
    CHECK_OK(c.status, c.err);
    assert_int_equal(c.report->strangeness.index, 1 + 1);
    dae_end(&c);
    dae_begin(&c, 3, "1|0|0; 0|1|0; 0|-1|0", "x2; x1; 0", START(0, 0, 0));
    dae_run(&c);
    CHECK_OK(c.status, c.err);
    assert_int_equal(c.report->strangeness.index, 2);
    dae_end(&c);
}

/* 3.5.56 */
static void hessenberg_three_hides_two_levels(void **state)
{
    dae_case c;
    dae_expect(&c, 3, "1|0|0; 0|1|0; 0|0|0", "x2; x3; x1 - sin(t)", START(0, 1, 0),
               EXPECT(.nu = 3, .m1 = {2, 2, 2, 3}, .a = 3, .d = 0, .d_index = 3, .s_index = 2));
    dae_check_constraint(&c, 0, 0, "x1 - sin(t)");
    dae_check_constraint(&c, 1, 0, "x2 - cos(t)");
    dae_check_constraint(&c, 2, 0, "x3 + sin(t)");
    assert_int_equal(c.report->level[0].r.point, 2); /* r^0 = n1 + n2, a^0 = n3 */
    assert_int_equal(c.report->level[0].a.point, 1);
    assert_int_equal(c.report->reduced.selected_constraint_count, 3);
    dae_end(&c);
}

/* 3.5.58: level 0 is a pair of lines that cross at the origin */
static void crossing_constraints_are_singular_at_the_crossing_only(void **state)
{
    static const double second[] = {0.0, 0.1};
    for (int i = 0; i < 2; i++) {
        dae_case c;
        dae_begin(&c, 2, "2*x1 + x2|x1; 0|0", "x1; x1^2 + x1*x2", START(0, second[i]));
        dae_run(&c);
        CHECK_OK(c.status, c.err);
        const crank_dae_report *r = c.report;
        assert_int_equal(r->outcome, CRANK_DAE_COMPLETE);
        assert_int_equal(r->nu, 2);
        assert_int_equal(r->constraint_level, 1);
        dae_check_constraint(&c, 0, 0, "x1^2 + x1*x2");
        dae_check_constraint(&c, 1, 0, "x1");
        assert_int_equal(r->level[0].r.point, i);
        assert_int_equal(r->level[0].a.point, i);
        assert_int_equal(r->level[0].d_point, 0);
        assert_int_equal(r->level[0].r.most, 1);
        assert_int_equal(r->level[0].a.most, 1);
        assert_int_equal(r->level[1].r.point, 1);
        assert_int_equal(r->level[1].a.point, 1);
        assert_int_equal(r->level[1].d_point, 0);
        assert_true(i == 1 || r->rank_varies);
        assert_false(r->singular); /* the constraints of both levels together are regular */
        assert_int_equal(r->undetermined[0], 1);
        assert_int_equal(r->redundant_count,
                         0); /* each equation is needed where the lines cross */
        assert_int_equal(r->strangeness.found,
                         i == 1); /* not at the origin, hence not on all of the set */
        if (i == 0) {
            CHECK_CONTAINS(r->strangeness.reason, "not constant");
        }
        dae_end(&c);
    }
    /* far from the crossing only the line x1 = 0 is seen: nothing is hidden there */
    dae_case c;
    dae_expect(&c, 2, "2*x1 + x2|x1; 0|0", "x1; x1^2 + x1*x2", START(0, 1),
               EXPECT(.nu = 1, .m1 = {1, 1}, .a = 1, .d = 0, .d_index = -1, .s_index = 1));
    dae_end(&c);
}

/* 3.5.60: u1 u2 u3 p m */
static void the_stirred_tank_has_index_two(void **state)
{
    dae_case c;
    dae_expect(&c, 5, "1|0|0|0|0; 0|1|0|0|0; 0|0|1|0|0; 0|0|0|0|0; 0|0|0|0|0",
               "t*x2 + x3 + x4; x1 + 2*x4; 2*x2; (2 + t^2)*x5 + 1; x1 + x2 + x3 - t",
               START(0, 0, 0, 0, 0),
               EXPECT(.nu = 2, .m1 = {3, 4, 5}, .a = 3, .d = 2, .d_index = 2, .s_index = 1));
    dae_check_constraint(&c, 1, 0, "t*x2 + x3 + x4 + x1 + 2*x4 + 2*x2 - 1");
    assert_int_equal(c.report->reduced.constraint_count, 3);
    assert_int_equal(c.report->reduced.selected_differential_count, 2);
    dae_end(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_x_are_flagged_as_multiple_roots),
        cmocka_unit_test(the_varying_rank_example_has_levels_x3_and_x2),
        cmocka_unit_test(its_linearisation_along_zero_has_index_one),
        cmocka_unit_test(semi_explicit_index_one_is_strangeness_free),
        cmocka_unit_test(a_singular_pencil_may_have_a_unique_solution),
        cmocka_unit_test(rotation_on_the_circle_is_strangeness_free),
        cmocka_unit_test(hessenberg_two_hides_one_level),
        cmocka_unit_test(a_rank_that_vanishes_at_one_point_is_reported_there),
        cmocka_unit_test(an_overdetermined_equation_needs_one_derivative_more),
        cmocka_unit_test(a_square_system_may_leave_a_variable_open),
        cmocka_unit_test(hessenberg_three_hides_two_levels),
        cmocka_unit_test(crossing_constraints_are_singular_at_the_crossing_only),
        cmocka_unit_test(the_stirred_tank_has_index_two),
    };
    return CHECK_RUN(argc, argv, tests);
}
