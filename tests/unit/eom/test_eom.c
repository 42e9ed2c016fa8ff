/* test_eom.c - names, offsets, patterns and residuals of an eom. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"

#include "check.h"
#include "eoms.h"

static void names_speak_of_what_the_user_wrote(void **state)
{
    test_pendulum data = test_pendulum_default();
    data.invariant = true;
    crank_eom *eom = test_pendulum_create(&data);
    char text[100];
    assert_string_equal(crank_eom_column_name(eom, 0), "lambda.length");
    assert_string_equal(crank_eom_column_name(eom, 2), "vy");
    assert_string_equal(crank_eom_column_name(eom, 3), "x");
    static const char *const expected[] = {
        "holonomic \"length\", acceleration level",
        "holonomic \"length\", velocity level",
        "invariant \"energy\"",
        "holonomic \"length\", position level",
        "dynamic equation of vx",
        "dynamic equation of vy",
        "kinematic equation of x",
        "kinematic equation of y",
    };
    assert_int_equal(crank_eom_rows(eom), 8);
    for (int i = 0; i < 8; i++) {
        assert_string_equal(crank_eom_row_name(eom, i, text, sizeof text), expected[i]);
    }
    crank_eom_destroy(eom);
}

static void default_names_count_from_one(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    char text[100];
    assert_string_equal(crank_eom_column_name(eom, 0), "w1");
    assert_string_equal(crank_eom_column_name(eom, 2), "lambda.g2");
    assert_string_equal(crank_eom_column_name(eom, 12), "p3");
    assert_string_equal(crank_eom_row_name(eom, 0, text, sizeof text), "auxiliary \"w1\"");
    assert_string_equal(crank_eom_row_name(eom, 6, text, sizeof text), "contact \"s2\"");
    assert_string_equal(crank_eom_row_name(eom, 9, text, sizeof text), "force element \"r1\"");
    crank_eom_destroy(eom);
    test_skate skate = test_skate_default();
    eom = test_skate_create(&skate);
    assert_string_equal(crank_eom_column_name(eom, 0), "mu.blade");
    assert_string_equal(crank_eom_row_name(eom, 0, text, sizeof text),
                        "nonholonomic \"blade\", acceleration level");
    crank_eom_destroy(eom);
}

static void a_carried_accelerations_row_is_the_dynamic_equation(void **state)
{
    static const char *const w[] = {"acceleration.vx", "u"};
    const char *const *names[CRANK_GROUPS] = {[CRANK_W] = w};
    const crank_eom_sizes sizes = {.p = 1, .v = 1, .w = 2, .n = 1};
    static const char *const invariant[] = {"norm"};
    crank_eom *eom;
    crank_error err;
    char text[100];
    CHECK_OK(crank_eom_allocate(&sizes, names, invariant, NULL, &eom, &err), err);
    eom->carried[0] = true;
    assert_string_equal(crank_eom_row_name(eom, 0, text, sizeof text),
                        "dynamic equation of vx");
    assert_string_equal(crank_eom_row_name(eom, 1, text, sizeof text), "auxiliary \"u\"");
    assert_string_equal(crank_eom_row_name(eom, 2, text, sizeof text),
                        "position invariant \"norm\"");
    crank_eom_destroy(eom);
}

static void groups_lie_in_the_documented_order(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    const int column[] = {0, 1, 3, 3, 5, 8, 10};
    const int row[] = {0, 1, 3, 3, 5, 5, 5, 7, 9, 9, 11, 14};
    for (int g = 0; g < CRANK_GROUPS; g++) {
        assert_int_equal(crank_eom_column(eom, (crank_group)g), column[g]);
    }
    for (int g = 0; g < CRANK_ROW_GROUPS; g++) {
        assert_int_equal(crank_eom_row(eom, (crank_row_group)g), row[g]);
    }
    assert_int_equal(crank_eom_unknowns(eom), 13);
    assert_int_equal(crank_eom_get_sizes(eom).s, 2);
    crank_eom_destroy(eom);
}

static void wrong_patterns_are_refused(void **state)
{
    const crank_eom_sizes sizes = {.p = 1, .v = 1};
    const int start[] = {0, 1, 2}, row[] = {0, 1}, far_row[] = {0, 5}, falling[] = {0, 2, 3};
    const int falling_row[] = {1, 0, 1}, one[] = {0, 1};
    crank_pattern good = {.rows = 2, .columns = 2, .start = start, .row = row};
    crank_pattern mass = {.rows = 1, .columns = 1, .start = one, .row = row};
    crank_eom *eom;
    crank_error err;
    CHECK_OK(crank_eom_allocate(&sizes, NULL, NULL, NULL, &eom, &err), err);
    CHECK_OK(crank_eom_set_patterns(eom, &good, &mass, &err), err);
    crank_pattern bad = good;
    bad.row = far_row;
    CHECK_STATUS(crank_eom_set_patterns(eom, &bad, &mass, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "row 5 of column 1");
    bad.start = falling;
    bad.row = falling_row;
    CHECK_STATUS(crank_eom_set_patterns(eom, &bad, &mass, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "must rise");
    bad = good;
    bad.rows = 3;
    CHECK_STATUS(crank_eom_set_patterns(eom, &bad, &mass, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "must be 2 x 2");
    crank_eom_destroy(eom);
    crank_eom_destroy(NULL);
}

static void residuals_are_told_apart_by_level(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5], residual[3];
    crank_error err;
    test_pendulum_start(&data, 0.7, 2.0, x);
    CHECK_OK(crank_eom_residuals(eom, 0.0, x, residual, &err), err);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(residual[i], 0.0, 1e-15);
    }
    x[0] += 0.5; /* lambda: acceleration level only; row gII changes by 4 L^2 / m * 0.5 = 2 */
    CHECK_OK(crank_eom_residuals(eom, 0.0, x, residual, &err), err);
    CHECK_NEAR(residual[0], 0.0, 1e-15);
    CHECK_NEAR(residual[1], 0.0, 1e-15);
    assert_true(residual[2] > 1e-3 && residual[2] < 2.0);
    x[3] += 0.1;
    CHECK_OK(crank_eom_residuals(eom, 0.0, x, residual, &err), err);
    assert_true(residual[0] > 1e-3 && residual[1] > 1e-3);
    crank_eom_destroy(eom);
}

static crank_status (*supplied)(void *, double, const double *, const double *, double *,
                                crank_error *);
static int jacobians;

static crank_status count_jacobian(void *self, double t, const double *x, const double *vdot,
                                   double *values, crank_error *err)
{
    jacobians++;
    return supplied(self, t, x, vdot, values, err);
}

/* Rows of a result need sizes of equations, not these of each point. */
static void sizes_of_rows_serve_some_steps(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5], exact[3], near[3];
    crank_error err;
    supplied = eom->supplier.jacobian;
    eom->supplier.jacobian = count_jacobian;
    jacobians = 0;
    for (int step = 0; step < 16; step++) {
        test_pendulum_start(&data, 0.7 + 0.01 * step, 2.0, x);
        x[0] += 0.5;
        x[3] += 0.1;
        for (int row = 0; row < 3; row++) {
            CHECK_OK(crank_eom_residuals_near(eom, 0.0, x, near, &err), err);
        }
        const int so_far = jacobians;
        CHECK_OK(crank_eom_residuals(eom, 0.0, x, exact, &err), err);
        jacobians = so_far;
        for (int i = 0; i < 3; i++) { /* angles differ by less than a tenth */
            CHECK_NEAR(near[i], exact[i], 0.1 * exact[i]);
        }
        CHECK_OK(crank_eom_accepted(eom, 0.0, x, &err), err);
    }
    assert_int_equal(jacobians, 2);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_speak_of_what_the_user_wrote),
        cmocka_unit_test(default_names_count_from_one),
        cmocka_unit_test(a_carried_accelerations_row_is_the_dynamic_equation),
        cmocka_unit_test(groups_lie_in_the_documented_order),
        cmocka_unit_test(wrong_patterns_are_refused),
        cmocka_unit_test(residuals_are_told_apart_by_level),
        cmocka_unit_test(sizes_of_rows_serve_some_steps),
    };
    return CHECK_RUN(argc, argv, tests);
}
