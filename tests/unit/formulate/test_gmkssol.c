/* test_gmkssol.c - the formulation gmkssol by itself: its rows, its linear algebra, what it
 * refuses. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "gmkssol_models.h"

#include "formulate/gmkssol.h"

#include <float.h>
#include <stdlib.h>

enum { MAX = 16 }; /* unknowns of the models, at most */

static crank_problem *problem_create(crank_eom *eom, const crank_options *options,
                                     const double *x)
{
    crank_problem *problem = NULL;
    crank_error err = {0};
    CHECK_OK(
        crank_gmkssol_create("gmkssol", eom, options, 0.0, x, (crank_log){0}, &problem, &err),
        err);
    return problem;
}

/* slider crank with dependent rows away from its start: p2 from g = 0, v2 from gI = 0, lambda
 * by correct */
static crank_eom *moved_slider_crank(test_slider_crank *data, int rows, double *x)
{
    crank_error err = {0};
    *data = test_slider_crank_default();
    data->rows = rows;
    data->factor[1] = 2.0;
    data->factor[2] = -0.5;
    crank_eom *eom = test_slider_crank_create(data);
    const crank_options options = crank_options_default();
    test_slider_crank_start(data, x);
    crank_problem *problem = problem_create(eom, &options, x);
    x[rows] = 0.7;
    x[rows + 2] = -0.4;
    x[rows + 3] = asin(data->l1 * sin(x[rows + 2]) / data->l2);
    x[rows + 1] = data->l1 * cos(x[rows + 2]) * x[rows] / (data->l2 * cos(x[rows + 3]));
    CHECK_OK(problem->constraints->correct(problem, 0.0, x, &err), err);
    crank_problem_destroy(problem);
    return eom;
}

static void check_jacobian(crank_problem *problem, double t, const double *x)
{
    const crank_gmkssol *s = (const crank_gmkssol *)problem;
    const int n = problem->n;
    double up[MAX], down[MAX], y[MAX];
    crank_error err = {0};
    CHECK_OK(problem->prepare(problem, t, x, NULL, &err), err);
    for (int j = 0; j < n; j++) {
        const double h = 1e-5 * fmax(1.0, fabs(x[j]));
        memcpy(y, x, (size_t)n * sizeof *y);
        y[j] = x[j] + h;
        CHECK_OK(problem->evaluate(problem, 1, &t, y, up, &err), err);
        y[j] = x[j] - h;
        CHECK_OK(problem->evaluate(problem, 1, &t, y, down, &err), err);
        for (int i = 0; i < n; i++) {
            /* central differences: h^2 times third derivatives, up to about 100 here */
            const double difference = (up[i] - down[i]) / (2.0 * h);
            CHECK_NEAR(s->J[i + j * n], difference, 1e-7 * fmax(1.0, fabs(difference)));
        }
    }
}

static void jacobian_agrees_with_differences(void **state)
{
    double x[MAX];
    test_slider_crank data;
    const crank_options options = crank_options_default();
    for (int rows = 1; rows <= 3; rows += 2) {
        crank_eom *eom = moved_slider_crank(&data, rows, x);
        crank_problem *problem = problem_create(eom, &options, x);
        check_jacobian(problem, 0.0, x);
        crank_problem_destroy(problem);
        crank_eom_destroy(eom);
    }
    crank_eom *eom = gmkssol_led_create();
    gmkssol_led_exact(0.0, x);
    crank_problem *problem = problem_create(eom, &options, x);
    check_jacobian(problem, 0.0, x);
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

/* ((re + i im) E - J) delta against r; round-off is measured by the largest sum of absolute
 * terms, entries of E at most 1 */
static void check_back(crank_problem *problem, double re, double im, const double *delta_re,
                       const double *delta_im, const double *r_re, const double *r_im)
{
    const crank_gmkssol *s = (const crank_gmkssol *)problem;
    const int n = problem->n;
    double lead_re[MAX], lead_im[MAX], real[MAX], imaginary[MAX], largest = 0.0;
    crank_error err = {0};
    CHECK_OK(problem->lead(problem, 0.0, NULL, delta_re, lead_re, &err), err);
    CHECK_OK(problem->lead(problem, 0.0, NULL, delta_im, lead_im, &err), err);
    for (int i = 0; i < n; i++) {
        double size = 0.0;
        real[i] = re * lead_re[i] - im * lead_im[i];
        imaginary[i] = re * lead_im[i] + im * lead_re[i];
        for (int j = 0; j < n; j++) {
            real[i] -= s->J[i + j * n] * delta_re[j];
            imaginary[i] -= s->J[i + j * n] * delta_im[j];
            size += (fabs(s->J[i + j * n]) + fabs(re) + fabs(im)) *
                    (fabs(delta_re[j]) + fabs(delta_im[j]));
        }
        largest = fmax(largest, size);
    }
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(real[i], r_re[i], 10.0 * DBL_EPSILON * largest);
        CHECK_NEAR(imaginary[i], r_im[i], 10.0 * DBL_EPSILON * largest);
    }
}

static void solve_inverts_shifted_matrix(void **state)
{
    const double re[] = {3.6, 2.7e4}, im[] = {0.0, 3.1e4};
    double x[MAX], r_re[MAX], r_im[MAX], delta_re[MAX], delta_im[MAX] = {0.0},
                                                        none[MAX] = {0.0};
    crank_error err = {0};
    test_slider_crank data;
    const crank_options options = crank_options_default();
    for (int rows = 1; rows <= 3; rows++) {
        crank_eom *eom = moved_slider_crank(&data, rows, x);
        crank_problem *problem = problem_create(eom, &options, x);
        for (int i = 0; i < problem->n; i++) {
            r_re[i] = cos(3.0 * i);
            r_im[i] = sin(5.0 * i);
        }
        CHECK_OK(problem->prepare(problem, 0.0, x, NULL, &err), err);
        CHECK_OK(problem->factor(problem, 2, re, im, &err), err);
        CHECK_OK(problem->solve(problem, 0, r_re, NULL, delta_re, NULL, &err), err);
        check_back(problem, re[0], 0.0, delta_re, delta_im, r_re, none);
        CHECK_OK(problem->solve(problem, 1, r_re, r_im, delta_re, delta_im, &err), err);
        check_back(problem, re[1], im[1], delta_re, delta_im, r_re, r_im);
        memset(delta_im, 0, sizeof delta_im);
        crank_problem_destroy(problem);
        crank_eom_destroy(eom);
    }
}

static void selectors_are_orthonormal_and_complete_the_constraints(void **state)
{
    double x[MAX];
    test_slider_crank data;
    const crank_options options = crank_options_default();
    crank_eom *eom = moved_slider_crank(&data, 3, x);
    crank_problem *problem = problem_create(eom, &options, x);
    const crank_gmkssol *s = (const crank_gmkssol *)problem;
    const double G[] = {data.l1 * cos(x[5]), -data.l2 * cos(x[6])};
    assert_int_equal(s->rank, 1);
    assert_int_equal(s->freedom, 1);
    CHECK_NEAR(hypot(s->S_p[0], s->S_p[1]), 1.0, 10.0 * DBL_EPSILON);
    CHECK_NEAR(G[0] * s->S_p[0] + G[1] * s->S_p[1], 0.0,
               10.0 * DBL_EPSILON * hypot(G[0], G[1]));
    /* rows U2^T D^-1 vanish on D U1, the direction of lambda that matters */
    for (int i = 0; i < 2; i++) {
        double product = 0.0;
        for (int j = 0; j < 3; j++) {
            product += s->S_fix[i + 2 * j] * s->S_l[j] * s->row_scale[j] * s->row_scale[j];
        }
        CHECK_NEAR(product, 0.0, 100.0 * DBL_EPSILON);
    }
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

static void rows_come_in_batches_of_any_size(void **state)
{
    enum { POINTS = 7 };
    double x[MAX], points[POINTS * MAX], t[POINTS] = {0.0}, k[POINTS * MAX], one[MAX];
    crank_error err = {0};
    test_slider_crank data;
    const crank_options options = crank_options_default();
    crank_eom *eom = moved_slider_crank(&data, 1, x);
    crank_problem *problem = problem_create(eom, &options, x);
    const int n = problem->n;
    for (int i = 0; i < POINTS; i++) {
        for (int j = 0; j < n; j++) {
            points[i * n + j] = x[j] + 0.01 * i * (j + 1);
        }
    }
    CHECK_OK(problem->evaluate(problem, POINTS, t, points, k, &err), err);
    for (int i = 0; i < POINTS; i++) {
        CHECK_OK(problem->evaluate(problem, 1, t, points + i * n, one, &err), err);
        assert_memory_equal(one, k + i * n, (size_t)n * sizeof *one);
    }
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

static void correction_reaches_all_levels_from_afar(void **state)
{
    double x[MAX], residual[3];
    crank_error err = {0};
    test_slider_crank data;
    const crank_options options = crank_options_default();
    crank_eom *eom = moved_slider_crank(&data, 3, x);
    crank_problem *problem = problem_create(eom, &options, x);
    CHECK_OK(problem->prepare(problem, 0.0, x, NULL, &err), err);
    x[3] += 0.05;
    x[5] += 0.1;
    x[6] -= 0.03;
    CHECK_OK(problem->constraints->correct(problem, 0.0, x, &err), err);
    CHECK_OK(problem->report->residuals(problem, 0.0, x, residual, &err), err);
    for (int level = 0; level < 3; level++) {
        CHECK_NEAR(residual[level], 0.0, 10.0 * DBL_EPSILON);
    }
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

/* ---- refusals ---- */

static void refused(crank_eom *eom, const crank_options *options, const double *x,
                    crank_status status, const char *text)
{
    crank_problem *problem = NULL;
    crank_error err = {0};
    CHECK_STATUS(
        crank_gmkssol_create("gmkssol", eom, options, 0.0, x, (crank_log){0}, &problem, &err),
        status);
    assert_null(problem);
    CHECK_CONTAINS(err.text, text);
    crank_eom_destroy(eom);
}

static void refuses_what_it_was_not_made_for(void **state)
{
    double x[MAX] = {0.0}, two = 2.0;
    crank_options options = crank_options_default();
    test_academic academic = test_academic_default();
    test_academic_exact(0.0, x);
    refused(test_academic_create(&academic), &options, x, CRANK_EREFUSED,
            "1 auxiliary and 2 contact");
    test_skate skate = test_skate_default();
    test_skate_exact(&skate, 0.0, x);
    refused(test_skate_create(&skate), &options, x, CRANK_EREFUSED, "nonholonomic");
    test_pendulum pendulum = test_pendulum_default();
    pendulum.invariant = true;
    test_pendulum_start(&pendulum, 0.3, 0.0, x);
    refused(test_pendulum_create(&pendulum), &options, x, CRANK_EREFUSED, "invariants=off");
    refused(gmkssol_plain_create(gmkssol_scaled_rows, 1, &two), &options, x, CRANK_EREFUSED,
            "2 times v1");
    options.final_correction = false;
    gmkssol_led_exact(0.0, x);
    refused(gmkssol_led_create(), &options, x, CRANK_EREFUSED, "final_correction");
}

static crank_status no_mass(double t, const double *x, double *values, void *user)
{
    (void)t;
    (void)x;
    (void)user;
    values[0] = 0.0;
    return CRANK_OK;
}

static void singular_mass_is_refused(void **state)
{
    double x[MAX] = {0.0}, one = 1.0;
    crank_eom *eom = NULL;
    crank_error err = {0};
    const crank_options options = crank_options_default();
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 1, .v = 1};
    d.evaluate = gmkssol_scaled_rows;
    d.mass = no_mass;
    d.user = &one;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    refused(eom, &options, x, CRANK_EREFUSED, "regular mass matrix");
}

static void singular_start_is_told_from_redundancy(void **state)
{
    const double right_angle = acos(0.0);
    double x[MAX] = {0.0, 0.0, 0.0, -right_angle, -right_angle};
    const crank_options options = crank_options_default();
    test_slider_crank data = test_slider_crank_default();
    data.l2 = 1.0;
    refused(test_slider_crank_create(&data), &options, x, CRANK_ESINGULAR, "singular position");
}

static void rows_of_round_off_count_as_redundant(void **state)
{
    double x[MAX] = {0.0};
    const crank_options options = crank_options_default();
    for (int i = GMKSSOL_ZERO; i <= GMKSSOL_ROUND_OFF; i++) {
        gmkssol_fading kind = i == GMKSSOL_ZERO ? GMKSSOL_ZERO : GMKSSOL_ROUND_OFF;
        crank_eom *eom = gmkssol_fading_create(&kind);
        crank_problem *problem = problem_create(eom, &options, x);
        assert_int_equal(((const crank_gmkssol *)problem)->rank, 1);
        crank_problem_destroy(problem);
        crank_eom_destroy(eom);
    }
}

static void carried_accelerations_are_refused_with_the_remedy(void **state)
{
    double x[MAX] = {0.0};
    const crank_options options = crank_options_default();
    test_academic academic = test_academic_default();
    crank_eom *eom = test_academic_create(&academic);
    test_academic_exact(0.0, x);
    bool *carried = calloc((size_t)eom->n, sizeof *carried), *before = eom->carried;
    carried[0] = true;
    eom->carried = carried;
    crank_problem *problem = NULL;
    crank_error err = {0};
    CHECK_STATUS(
        crank_gmkssol_create("gmkssol", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
        CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "accelerations=eliminate");
    eom->carried = before;
    free(carried);
    crank_eom_destroy(eom);
}

static void invariants_that_are_only_reported_are_no_obstacle(void **state)
{
    double x[MAX];
    crank_options options = crank_options_default();
    options.invariants = false;
    test_pendulum pendulum = test_pendulum_default();
    pendulum.invariant = true;
    test_pendulum_start(&pendulum, 0.3, 1.0, x);
    crank_eom *eom = test_pendulum_create(&pendulum);
    crank_problem *problem = problem_create(eom, &options, x);
    check_jacobian(problem, 0.0, x);
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

static void inconsistent_start_names_the_worst_row(void **state)
{
    double x[MAX];
    crank_options options = crank_options_default();
    test_pendulum pendulum = test_pendulum_default();
    test_pendulum_start(&pendulum, 0.3, 1.0, x);
    x[1] += 1e-3;
    refused(test_pendulum_create(&pendulum), &options, x, CRANK_EINCONSISTENT, "velocity");
    test_pendulum_start(&pendulum, 0.3, 1.0, x);
    x[3] += 1e-6;
    refused(test_pendulum_create(&pendulum), &options, x, CRANK_EINCONSISTENT, "length");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_agrees_with_differences),
        cmocka_unit_test(solve_inverts_shifted_matrix),
        cmocka_unit_test(selectors_are_orthonormal_and_complete_the_constraints),
        cmocka_unit_test(rows_come_in_batches_of_any_size),
        cmocka_unit_test(correction_reaches_all_levels_from_afar),
        cmocka_unit_test(refuses_what_it_was_not_made_for),
        cmocka_unit_test(carried_accelerations_are_refused_with_the_remedy),
        cmocka_unit_test(singular_mass_is_refused),
        cmocka_unit_test(singular_start_is_told_from_redundancy),
        cmocka_unit_test(rows_of_round_off_count_as_redundant),
        cmocka_unit_test(invariants_that_are_only_reported_are_no_obstacle),
        cmocka_unit_test(inconsistent_start_names_the_worst_row),
    };
    return CHECK_RUN(argc, argv, tests);
}
