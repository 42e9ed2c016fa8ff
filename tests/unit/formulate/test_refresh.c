/* test_refresh.c - E of another point in a prepared matrix: the slider crank, whose mass
 * depends on its positions, in the direct formulations. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"

#include "problem/problem.h"

enum { LARGEST = 16 };

/* start and a point elsewhere on x (n), as the problem has them */
static crank_problem *open_problem(const char *form, crank_eom *eom,
                                   const test_slider_crank *data, double *x, double *y)
{
    const crank_options options = crank_options_default();
    double start[LARGEST];
    crank_problem *p = NULL;
    crank_error err = {0};
    test_slider_crank_start(data, start);
    CHECK_OK(crank_formulate(form, eom, &options, 0.0, start, (crank_log){0}, &p, &err), err);
    memset(x, 0, (size_t)p->n * sizeof *x);
    memcpy(x, start, (size_t)crank_problem_given(p) * sizeof *x);
    for (int j = 0; j < p->n; j++) {
        y[j] = x[j] + 0.3 * sin(1.0 + j);
    }
    return p;
}

static void factor(crank_problem *p, double sigma)
{
    const double none = 0.0;
    crank_error err = {0};
    CHECK_OK(p->factor(p, 1, &sigma, &none, &err), err);
}

/* (sigma E(y) - J(x)) d = r  <=>  (sigma E(x) - J(x)) d = r - sigma (E(y) - E(x)) d */
static void e_is_that_of_the_new_point_and_the_jacobian_that_of_the_prepared_one(void **state)
{
    static const char *const forms[] = {"index3", "index2", "index1", "baumgarte", "ggl"};
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    const double sigma = 7.0;
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        double x[LARGEST], y[LARGEST], r[LARGEST], d[LARGEST], at_x[LARGEST], at_y[LARGEST],
            again[LARGEST];
        crank_error err = {0};
        crank_problem *p = open_problem(forms[i], eom, &data, x, y);
        assert_true(p->m <= LARGEST && p->refresh != NULL);
        for (int row = 0; row < p->m; row++) {
            r[row] = cos(2.0 + row);
        }
        CHECK_OK(p->prepare(p, 0.0, x, NULL, &err), err);
        CHECK_OK(p->refresh(p, 0.0, y, &err), err);
        factor(p, sigma);
        CHECK_OK(p->solve(p, 0, r, NULL, d, NULL, &err), err);
        CHECK_OK(p->lead(p, 0.0, x, d, at_x, &err), err);
        CHECK_OK(p->lead(p, 0.0, y, d, at_y, &err), err);
        double change = 0.0;
        for (int row = 0; row < p->m; row++) {
            r[row] -= sigma * (at_y[row] - at_x[row]);
            change = fmax(change, fabs(at_y[row] - at_x[row]));
        }
        assert_true(change > 1e-3); /* M is another one there */
        CHECK_OK(p->prepare(p, 0.0, x, NULL, &err), err);
        factor(p, sigma);
        CHECK_OK(p->solve(p, 0, r, NULL, again, NULL, &err), err);
        for (int j = 0; j < p->n; j++) {
            CHECK_NEAR(again[j], d[j], 1e-11 * (1.0 + fabs(d[j]))); /* condition 1e4 */
        }
        crank_problem_destroy(p);
    }
    crank_eom_destroy(eom);
}

static void where_e_is_constant_there_is_nothing_to_refresh(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = crank_options_default();
    crank_problem *p = NULL;
    crank_error err = {0};
    double x[5];
    (void)state;
    test_pendulum_start(&data, 0.5, 1.0, x);
    CHECK_OK(crank_formulate("ggl", eom, &options, 0.0, x, (crank_log){0}, &p, &err), err);
    assert_null(p->refresh);
    crank_problem_destroy(p);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(e_is_that_of_the_new_point_and_the_jacobian_that_of_the_prepared_one),
        cmocka_unit_test(where_e_is_constant_there_is_nothing_to_refresh),
    };
    return CHECK_RUN(argc, argv, tests);
}
