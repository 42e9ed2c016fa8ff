/* test_definition.c - an eom made of callbacks: validation, statuses, differences. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"

#include "check.h"
#include "eoms.h"

#include <stdio.h>

/* largest |a - b| / (1 + |b|) */
static double deviation(int n, const double *a, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]) / (1.0 + fabs(b[i])));
    }
    return worst;
}

static crank_status nothing(double t, const double *x, double *k, void *user)
{
    k[0] = x[0];
    return t > 0.0 ? CRANK_OK : CRANK_RETRY;
}

static void incomplete_definitions_are_refused(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    const crank_log log = {0};
    crank_eom *eom;
    crank_error err;
    d.sizes.r = 1;
    CHECK_STATUS(crank_eom_create(&d, log, &eom, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "evaluate is missing");
    assert_null(eom);
    d.evaluate = nothing;
    d.sizes.initial = 1;
    CHECK_STATUS(crank_eom_create(&d, log, &eom, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "initial is missing");
    d.sizes.initial = 0;
    d.sizes.p = -1;
    CHECK_STATUS(crank_eom_create(&d, log, &eom, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "negative");
    d.sizes.p = 0;
    d.size = 8;
    CHECK_STATUS(crank_eom_create(&d, log, &eom, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "crank_eom_definition_default");
    d.size = sizeof d;
    d.sizes.r = 0;
    CHECK_STATUS(crank_eom_create(&d, log, &eom, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "no unknowns");
}

static void statuses_of_callbacks_become_sentences(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5], k[7];
    crank_error err;
    test_pendulum_start(&data, 0.1, 0.0, x);
    data.supply.fail = CRANK_RETRY;
    CHECK_STATUS(crank_eom_evaluate(eom, 0.0, x, k, &err), CRANK_RETRY);
    data.supply.fail = CRANK_EMODEL;
    CHECK_STATUS(crank_eom_evaluate(eom, 0.5, x, k, &err), CRANK_ESTOP_EQUATIONS);
    CHECK_CONTAINS(err.text, "stopped by the equations at t = 0.5");
    data.supply.fail = CRANK_OK;
    x[3] = (double)NAN;
    CHECK_STATUS(crank_eom_evaluate(eom, 0.5, x, k, &err), CRANK_RETRY);
    CHECK_CONTAINS(err.text, "is not finite");
    crank_eom_destroy(eom);
}

/* Jacobians (with M' vdot on the dynamic rows) of two eoms on the same dense pattern. */
static void compare_jacobians(crank_eom *exact, crank_eom *other, const double *x,
                              double tolerance)
{
    double a[30 * TEST_WIDTH], b[30 * TEST_WIDTH];
    const double vdot[] = {0.7, -1.3, 0.4};
    const int entries = exact->n * exact->m;
    crank_error err;
    CHECK_OK(crank_eom_evaluate_jacobian(exact, 0.3, x, vdot, a, &err), err);
    CHECK_OK(crank_eom_evaluate_jacobian(other, 0.3, x, vdot, b, &err), err);
    CHECK_NEAR(deviation(entries, b, a), 0.0, tolerance);
}

/* central differences: eps^(2/3) = 4e-11 times third derivatives and sizes of a few tens */
static const double difference_tolerance = 1e-8;

static void difference_jacobians_agree_with_analytic_ones(void **state)
{
    test_slider_crank crank = test_slider_crank_default(), plain = crank;
    plain.supply.no_jacobian = true;
    crank_eom *a = test_slider_crank_create(&crank), *b = test_slider_crank_create(&plain);
    const double x[5] = {-3.0, 1.1, -0.6, 0.4, 0.9};
    compare_jacobians(a, b, x, difference_tolerance);
    crank_eom_destroy(a);
    crank_eom_destroy(b);
    test_academic academic = test_academic_default(), bare = academic;
    bare.supply.no_jacobian = true;
    double y[13];
    test_academic_exact(0.3, y);
    y[3] += 0.2;
    a = test_academic_create(&academic);
    b = test_academic_create(&bare);
    compare_jacobians(a, b, y, difference_tolerance);
    crank_eom_destroy(a);
    crank_eom_destroy(b);
}

static void count_warning(crank_level level, const char *text, void *user)
{
    int *count = user;
    assert_int_equal(level, CRANK_WARNING);
    CHECK_CONTAINS(text, "differences");
    (*count)++;
}

/* Rows and Jacobian of exact against those of other, whose hidden levels are made by
 * differences. */
static void compare_levels(crank_eom *exact, crank_eom *other, double t, const double *x)
{
    double a[30], b[30];
    crank_error err;
    CHECK_OK(crank_eom_evaluate(exact, t, x, a, &err), err);
    CHECK_OK(crank_eom_evaluate(other, t, x, b, &err), err);
    CHECK_NEAR(deviation(exact->m, b, a), 0.0,
               1e-10);                        /* see flow.c: 1e-11 of the terms' size */
    compare_jacobians(exact, other, x, 1e-4); /* rows of differences, differenced again */
}

static void hidden_levels_by_differences_agree_with_analytic_ones(void **state)
{
    int warnings = 0;
    for (int levels = CRANK_LEVELS_VELOCITY; levels <= CRANK_LEVELS_POSITION; levels++) {
        test_pendulum pendulum = test_pendulum_default(), p = pendulum;
        p.supply.levels = (crank_eom_levels)levels;
        p.supply.log = (crank_log){count_warning, &warnings};
        crank_eom *a = test_pendulum_create(&pendulum), *b = test_pendulum_create(&p);
        const double x[5] = {4.0, 1.5, 2.5, 0.6, -0.9};
        compare_levels(a, b, 0.0, x);
        crank_eom_destroy(a);
        crank_eom_destroy(b);
        test_slider_crank crank = test_slider_crank_default(), c = crank;
        c.supply.levels = (crank_eom_levels)levels;
        c.supply.no_jacobian = true;
        a = test_slider_crank_create(&crank);
        b = test_slider_crank_create(&c);
        const double y[5] = {-3.0, 1.1, -0.6, 0.4, 0.9};
        compare_levels(a, b, 0.0, y);
        crank_eom_destroy(a);
        crank_eom_destroy(b);
    }
    assert_int_equal(warnings, 2);
}

static void hidden_nonholonomic_level_by_differences_is_right(void **state)
{
    test_skate skate = test_skate_default(), s = skate;
    s.supply.levels = CRANK_LEVELS_POSITION;
    crank_eom *a = test_skate_create(&skate), *b = test_skate_create(&s);
    const double x[7] = {-2.0, 0.8, 0.5, 1.5, 0.1, 0.2, 0.4};
    compare_levels(a, b, 0.0, x);
    crank_eom_destroy(a);
    crank_eom_destroy(b);
}

static void hidden_levels_follow_contact_points_and_time(void **state)
{
    test_academic academic = test_academic_default(), c = academic;
    c.supply.levels = CRANK_LEVELS_POSITION;
    crank_eom *a = test_academic_create(&academic), *b = test_academic_create(&c);
    double x[13];
    test_academic_exact(0.3, x);
    compare_levels(a, b, 0.3, x);
    crank_eom_destroy(a);
    crank_eom_destroy(b);
}

/* The blocks that decide ranks are exact products, not differences of differences. */
static void redundant_rows_stay_redundant_on_made_levels(void **state)
{
    test_slider_crank c = test_slider_crank_default();
    c.rows = 2;
    c.factor[1] = 2.0;
    c.supply.levels = CRANK_LEVELS_POSITION;
    c.supply.no_jacobian = true;
    crank_eom *eom = test_slider_crank_create(&c);
    const double x[6] = {-3.0, 0.5, 1.1, -0.6, 0.4, 0.9};
    double J[10 * 6];
    crank_error err;
    CHECK_OK(crank_eom_evaluate_jacobian(eom, 0.0, x, NULL, J, &err), err);
    const double det = J[0] * J[1 + 10] - J[1] * J[10]; /* of gII by lambda */
    CHECK_NEAR(det, 0.0, 1e-9 * fabs(J[0] * J[1 + 10]));
    crank_eom_destroy(eom);
}

static void a_diagonal_mass_with_a_full_pattern_is_refused(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    const int start[] = {0, 2, 3}, row[] = {0, 1, 1};
    crank_eom *eom;
    crank_error err;
    const crank_log log = {0};
    d.sizes.v = 2;
    d.evaluate = nothing;
    d.mass = (crank_eom_mass_fn *)nothing;
    d.mass_kind = CRANK_MASS_DIAGONAL;
    d.mass_pattern = (crank_pattern){.rows = 2, .columns = 2, .start = start, .row = row};
    CHECK_STATUS(crank_eom_create(&d, log, &eom, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "diagonal");
}

/* x = [lambda | v | p], mass of zero, defined for p >= 0. */
static crank_status bounded(double t, const double *x, double *k, void *user)
{
    k[0] = k[1] = 0.0;
    k[2] = x[2] * x[2];
    k[3] = x[0];
    k[4] = x[1];
    return x[2] >= 0.0 ? CRANK_OK : CRANK_RETRY;
}

static crank_status no_mass(double t, const double *x, double *values, void *user)
{
    values[0] = 0.0;
    return t < 1.0 ? CRANK_OK : CRANK_EMODEL;
}

static crank_status no_condition(double t, const double *x, double *conditions, void *user)
{
    conditions[0] = 1.0 / (x[2] - 1.0);
    return t < 1.0 ? CRANK_OK : CRANK_EMODEL;
}

static void differences_are_one_sided_at_the_border_of_the_domain(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 1, .v = 1, .lambda = 1};
    d.evaluate = bounded;
    crank_eom *eom;
    crank_error err;
    const crank_log log = {0};
    const double x[3] = {0.0, 1.0, 0.0}, outside[3] = {0.0, 0.0, -1.0};
    double J[15];
    CHECK_OK(crank_eom_create(&d, log, &eom, &err), err);
    CHECK_OK(crank_eom_evaluate_jacobian(eom, 0.0, x, NULL, J, &err), err);
    CHECK_NEAR(J[2 + 2 * 5], 0.0, 1e-5); /* 2 p at p = 0, step 6e-6 */
    CHECK_NEAR(J[4 + 1 * 5], 1.0, 1e-9);
    CHECK_STATUS(crank_eom_evaluate_jacobian(eom, 0.0, outside, NULL, J, &err), CRANK_RETRY);
    crank_eom_destroy(eom);
}

static void hidden_levels_of_a_massless_model_are_refused(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 1, .v = 1, .lambda = 1, .initial = 1};
    d.evaluate = bounded;
    d.mass = no_mass;
    d.initial = no_condition;
    d.levels = CRANK_LEVELS_POSITION;
    crank_eom *eom;
    crank_error err;
    const crank_log log = {0};
    const double x[3] = {0.0, 1.0, 1.0};
    double k[5];
    for (int kind = CRANK_MASS_FULL; kind <= CRANK_MASS_DIAGONAL; kind++) {
        d.mass_kind = (crank_mass_kind)kind;
        CHECK_OK(crank_eom_create(&d, log, &eom, &err), err);
        CHECK_STATUS(crank_eom_evaluate(eom, 0.0, x, k, &err), CRANK_EREFUSED);
        CHECK_CONTAINS(err.text, "supply gII");
        CHECK_STATUS(crank_eom_evaluate(eom, 2.0, x, k, &err), CRANK_ESTOP_MASS);
        CHECK_STATUS(eom->supplier.initial(eom->self, 0.0, x, k, &err), CRANK_RETRY);
        CHECK_STATUS(eom->supplier.initial(eom->self, 2.0, x, k, &err), CRANK_ESTOP_INITIAL);
        crank_eom_destroy(eom);
    }
    d.levels = (crank_eom_levels)7;
    CHECK_STATUS(crank_eom_create(&d, log, &eom, &err), CRANK_EARG);
    d.levels = CRANK_LEVELS_ALL;
    d.mass_kind = (crank_mass_kind)9;
    CHECK_STATUS(crank_eom_create(&d, log, &eom, &err), CRANK_EARG);
}

static void idle_acceleration_levels_cost_nothing(void **state)
{
    test_pendulum data = test_pendulum_default();
    data.supply.levels = CRANK_LEVELS_VELOCITY;
    crank_eom *eom = test_pendulum_create(&data);
    double x[5], k[7];
    crank_error err;
    test_pendulum_start(&data, 0.3, 1.0, x);
    x[0] += 1.0;
    CHECK_OK(crank_eom_evaluate(eom, 0.0, x, k, &err), err);
    assert_true(fabs(k[0]) > 1.0);
    eom->acceleration_idle = true;
    CHECK_OK(crank_eom_evaluate(eom, 0.0, x, k, &err), err);
    assert_true(k[0] == 0.0);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incomplete_definitions_are_refused),
        cmocka_unit_test(statuses_of_callbacks_become_sentences),
        cmocka_unit_test(difference_jacobians_agree_with_analytic_ones),
        cmocka_unit_test(hidden_levels_by_differences_agree_with_analytic_ones),
        cmocka_unit_test(hidden_nonholonomic_level_by_differences_is_right),
        cmocka_unit_test(hidden_levels_follow_contact_points_and_time),
        cmocka_unit_test(redundant_rows_stay_redundant_on_made_levels),
        cmocka_unit_test(differences_are_one_sided_at_the_border_of_the_domain),
        cmocka_unit_test(hidden_levels_of_a_massless_model_are_refused),
        cmocka_unit_test(idle_acceleration_levels_cost_nothing),
        cmocka_unit_test(a_diagonal_mass_with_a_full_pattern_is_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
