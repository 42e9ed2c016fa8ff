/* test_mechanics.c - mechanisms as plain DAEs [Ste06, 4.1.1, 4.1.13, 4.1.15, 4.1.16]: three
 * levels, redundant constraints, singular positions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae_case.h"

/* x1 x2: position, x3 x4: velocity, x5: multiplier; m = 1, L = 1, g = 9.81 */
static const char pendulum_E[] = "1|0|0|0|0; 0|1|0|0|0; 0|0|1|0|0; 0|0|0|1|0; 0|0|0|0|0";
static const char pendulum_k[] = "x3; x4; -2*x1*x5; -9.81 - 2*x2*x5; x1^2 + x2^2 - 1";

static void the_pendulum_has_three_levels(void **state)
{
    dae_case c;
    dae_expect(&c, 5, pendulum_E, pendulum_k, START(1, 0, 0, 0, 0),
               EXPECT(.nu = 3, .m1 = {4, 4, 4, 5}, .a = 3, .d = 2, .d_index = 3, .s_index = 2));
    assert_true(c.report->consistent);
    assert_true(c.report->regular);
    dae_check_constraint(&c, 0, 0, "x1^2 + x2^2 - 1");
    dae_check_constraint(&c, 1, 0, "2*x1*x3 + 2*x2*x4");
    assert_int_equal(c.report->level[0].a.point, 1);
    assert_int_equal(c.report->level[1].a.point, 2);
    assert_int_equal(c.report->level[2].a.point, 3);
    assert_int_equal(c.report->level[0].r.point, 4);
    assert_int_equal(c.report->level[1].r.point, 4);
    assert_int_equal(c.report->level[2].r.point, 5);
    const crank_dae_reduced *reduced = &c.report->reduced;
    assert_int_equal(reduced->differential_count, 4);
    assert_int_equal(reduced->constraint_count, 3);
    assert_int_equal(reduced->selected_constraint_count, 3);
    assert_int_equal(reduced->selected_differential_count, 2);
    /* at the horizontal position p2 moves: rows x2' and x4' */
    assert_int_equal(reduced->differential[reduced->selected_differential[0]], 1);
    assert_int_equal(reduced->differential[reduced->selected_differential[1]], 3);
    dae_end(&c);
}

static void the_pendulums_start_values_are_moved_onto_all_levels(void **state)
{
    dae_case c;
    dae_complete(&c, 5, pendulum_E, pendulum_k, START(0.9, -0.5, 1, 0, 0));
    const double *p = c.report->point;
    assert_false(c.report->consistent);
    CHECK_NEAR(c.report->level[0].constraint[0].residual, 0.81 + 0.25 - 1, 1e-15);
    CHECK_NEAR(c.report->level[1].constraint[0].residual / 1.8, 1.0, 1e-14);
    CHECK_NEAR(p[0] * p[0] + p[1] * p[1], 1.0, 1e-14);
    CHECK_NEAR(p[0] * p[2] + p[1] * p[3], 0.0, 1e-14);
    CHECK_NEAR(2 * (p[2] * p[2] + p[3] * p[3]) - 2 * 9.81 * p[1] - 4 * p[4], 0.0, 1e-12);
    assert_true(c.report->distance > 0.01);
    dae_end(&c);
}

/* at p = 0 the gradient of the constraint vanishes, but no solution passes there: the start is
 * moved away */
static void the_pendulum_starts_from_its_pivot_too(void **state)
{
    dae_case c;
    dae_complete(&c, 5, pendulum_E, pendulum_k, START(0, 0, 0, 0, 0));
    CHECK_NEAR(hypot(c.report->point[0], c.report->point[1]), 1.0, 1e-14);
    assert_int_equal(c.report->differentiation_index, 3);
    dae_end(&c);
}

/* 4.1.15, set 1 (m1 = 1, m2 = 1.8, l1 = 1, l2 = 3): x1 x2: angles, x3 x4: velocities, from x5
 * on: multipliers */
#define CRANK_M12 "-5.4*cos(x1 + x2)"
#define CRANK_F1  "-27.468*cos(x1) - 5.4*x4^2*sin(x1 + x2) - x5*cos(x1)"
#define CRANK_F2  "52.974*cos(x2) - 5.4*x3^2*sin(x1 + x2) + 3*x5*cos(x2)"

static void the_slider_crank_has_three_levels(void **state)
{
    dae_case c;
    dae_expect(
        &c, 5,
        "1|0|0|0|0; 0|1|0|0|0; 0|0|2.8|" CRANK_M12 "|0; 0|0|" CRANK_M12 "|16.2|0; 0|0|0|0|0",
        "x3; x4; " CRANK_F1 "; " CRANK_F2 "; sin(x1) - 3*sin(x2)", START(0, 0, 0, 0, -17.658),
        EXPECT(.nu = 3, .m1 = {4, 4, 4, 5}, .a = 3, .d = 2, .d_index = 3, .s_index = 2));
    assert_true(c.report->consistent); /* the published multiplier */
    dae_end(&c);
}

/* two more constraints that are identically zero, written so that they do not simplify */
static void redundant_constraints_leave_their_multipliers_open(void **state)
{
    static const char *const names[] = {"kin1", "kin2",  "dyn1", "dyn2",
                                        "loop", "zero1", "zero2"};
    dae_case c;
    dae_begin(&c, 7,
              "1|0|0|0|0|0|0; 0|1|0|0|0|0|0; 0|0|2.8|" CRANK_M12 "|0|0|0; 0|0|" CRANK_M12
              "|16.2|0|0|0; 0|0|0|0|0|0|0; 0|0|0|0|0|0|0; 0|0|0|0|0|0|0",
              "x3; x4; " CRANK_F1 "; " CRANK_F2 "; sin(x1) - 3*sin(x2); "
              "cos(x1)^2 + sin(x1)^2 - 1; (x1 + x2)^2 - x1^2 - 2*x1*x2 - x2^2",
              START(0.1, 0.2, 0, 0, -17, 1, 2));
    c.input.equation_names = names;
    dae_run(&c);
    dae_check(&c,
              EXPECT(.nu = 3, .m1 = {4, 4, 4, 5}, .a = 3, .d = 2, .d_index = -1, .s_index = 2));
    assert_int_equal(c.report->undetermined[0], 5);
    assert_int_equal(c.report->undetermined[1], 6);
    assert_int_equal(c.report->redundant[0], 5);
    assert_int_equal(c.report->redundant[1], 6);
    assert_int_equal(c.report->reduced.constraint_count, 3);
    crank_text text = {0};
    crank_dae_describe(&c.input, c.report, &text);
    CHECK_CONTAINS(text.data, "equation \"zero1\" follows from the others");
    CHECK_CONTAINS(text.data, "\"x6\" is left open by the equations and must be prescribed");
    CHECK_CONTAINS(text.data, "strangeness index 2");
    crank_text_free(&text);
    dae_end(&c);
}

/* 4.1.15, set 2 (l1 = l2 = 1): rank G falls where both rods point down */
static void the_singular_position_of_a_slider_crank_is_reported(void **state)
{
    const double half = acos(0.0);
    dae_case c;
    dae_begin(&c, 5,
              "1|0|0|0|0; 0|1|0|0|0; 0|0|2.8|-1.8*cos(x1 + x2)|0; 0|0|-1.8*cos(x1 + x2)|1.8|0; "
              "0|0|0|0|0",
              "x3; x4; -27.468*cos(x1) - 1.8*x4^2*sin(x1 + x2) - x5*cos(x1); "
              "17.658*cos(x2) - 1.8*x3^2*sin(x1 + x2) + x5*cos(x2); sin(x1) - sin(x2)",
              START(-half, -half, 1, 1, 0));
    dae_run(&c);
    CHECK_OK(c.status, c.err);
    assert_int_equal(c.report->outcome, CRANK_DAE_COMPLETE);
    assert_true(c.report->rank_varies);
    assert_int_equal(c.report->level[0].a.point, 0);
    assert_int_equal(c.report->level[0].a.most, 1);
    assert_true(c.report->singular);
    assert_false(c.report->has_differentiation_index);
    dae_end(&c);
}

/* 4.1.13, beta = 1: x1 x2 x3: position, x4 x5 x6: velocity, x7 x8: multipliers; on the
 * published solution */
static void the_lolly_has_three_levels_of_two(void **state)
{
    dae_case c;
    dae_expect(&c, 8,
               "1|0|0|0|0|0|0|0; 0|1|0|0|0|0|0|0; 0|0|1|0|0|0|0|0; 0|0|0|1|0|0|0|0; "
               "0|0|0|0|1|0|0|0; 0|0|0|0|0|1|0|0; 0|0|0|0|0|0|0|0; 0|0|0|0|0|0|0|0",
               "x4; x5; x6; "
               "-2*x1*x7 + 4*(x1^2 + x2^2 - 1)*exp(-(x1^2 + x2^2 - 1)^2)*x1*x8; "
               "-2*x2*x7 + 4*(x1^2 + x2^2 - 1)*exp(-(x1^2 + x2^2 - 1)^2)*x2*x8; "
               "-9.81 + x8; x1^2 + x2^2 - 1; exp(-(x1^2 + x2^2 - 1)^2) - 1 - x3",
               START(1, 0, 0, 0, 2, 0, 2, 9.81),
               EXPECT(.nu = 3, .m1 = {6, 6, 6, 8}, .a = 6, .d = 2, .d_index = 3, .s_index = 2));
    assert_true(c.report->consistent);
    dae_end(&c);
}

/* knife edge: x1 x2: point, x3: heading, x4 x5 x6: velocities, x7: side force */
static void a_nonholonomic_constraint_hides_one_level(void **state)
{
    dae_case c;
    dae_expect(&c, 7,
               "1|0|0|0|0|0|0; 0|1|0|0|0|0|0; 0|0|1|0|0|0|0; 0|0|0|1|0|0|0; 0|0|0|0|1|0|0; "
               "0|0|0|0|0|1|0; 0|0|0|0|0|0|0",
               "x4; x5; x6; sin(x3)*x7; -cos(x3)*x7; 0; cos(x3)*x5 - sin(x3)*x4",
               START(0, 0, 0.3, cos(0.3), sin(0.3), 0.5, 0.5),
               EXPECT(.nu = 2, .m1 = {6, 6, 7}, .a = 2, .d = 5, .d_index = 2,
                      .s_index = 1)); /* force: speed times turn */
    CHECK_NEAR(c.report->level[0].residual, 0.0, 1e-15);
    dae_end(&c);
}

/* 4.1.16, L = 1, L4 = 2, m = (1, 2, 3, 4): x1..x4: angles, x5..x8: velocities, x9..x12:
 * multipliers. The rank of the four constraints is three on the set that they define, four off
 * it. */
static void constraints_may_be_redundant_on_their_set_only(void **state)
{
    char E[1600] = "";
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) {
            static const char *const mass[] = {"5", "2", "3", "4"};
            const bool coupled = (i == 4 && j == 7) || (i == 7 && j == 4);
            const char *entry = i == j && i < 4   ? "1"
                                : i == j && i < 8 ? mass[i - 4]
                                : coupled         ? "4*cos(x1 - x4)"
                                                  : "0";
            (void)snprintf(E + strlen(E), sizeof E - strlen(E), "%s%s", entry,
                           j < 11   ? "|"
                           : i < 11 ? ";"
                                    : "");
        }
    }
    dae_case c;
    dae_begin(
        &c, 12, E,
        "x5; x6; x7; x8; "
        "-49.05*cos(x1) - 4*sin(x1 - x4)*x8^2 + sin(x1)*(x9 + x11) - cos(x1)*(x10 + x12); "
        "-19.62*cos(x2) - sin(x2)*x9 + cos(x2)*x10; "
        "-29.43*cos(x3) - sin(x3)*x11 + cos(x3)*x12; "
        "-39.24*cos(x4) + 4*sin(x1 - x4)*x5^2 + sin(x4)*(x9 + 2*x11) - cos(x4)*(x10 + 2*x12); "
        "cos(x1) + cos(x4) - cos(x2) - 1; sin(x1) + sin(x4) - sin(x2); "
        "cos(x1) + 2*cos(x4) - cos(x3) - 2; sin(x1) + 2*sin(x4) - sin(x3)",
        START(-1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    dae_run(&c);
    dae_check(
        &c, EXPECT(.nu = 3, .m1 = {8, 8, 8, 11}, .a = 9, .d = 2, .d_index = -1, .s_index = 2));
    /* left kernel of G: (-2 cot f, -2, cot f, 1), all multipliers take part */
    for (int j = 0; j < 12; j++) {
        assert_int_equal(c.report->freedom[j] > 0.0, j >= 8);
    }
    assert_true(c.report->redundant[0] >= 8);
    dae_end(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pendulum_has_three_levels),
        cmocka_unit_test(the_pendulums_start_values_are_moved_onto_all_levels),
        cmocka_unit_test(the_pendulum_starts_from_its_pivot_too),
        cmocka_unit_test(the_slider_crank_has_three_levels),
        cmocka_unit_test(redundant_constraints_leave_their_multipliers_open),
        cmocka_unit_test(the_singular_position_of_a_slider_crank_is_reported),
        cmocka_unit_test(the_lolly_has_three_levels_of_two),
        cmocka_unit_test(a_nonholonomic_constraint_hides_one_level),
        cmocka_unit_test(constraints_may_be_redundant_on_their_set_only),
    };
    return CHECK_RUN(argc, argv, tests);
}
