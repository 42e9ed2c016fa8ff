/* test_psf.c - psf and peom1 as problems: leading matrix, corrections onto the constraints,
 * redundancy, refusals. Corrections are judged by crank_eom_residuals: relative to what each
 * row adds up. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eom/eom.h"
#include "eoms.h"
#include "integrate/create.h"
#include "order/run.h"
#include "unit/linalg/random.h"

#include <float.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double round_off = 20.0 * DBL_EPSILON;

static crank_problem *formulate(const char *name, crank_eom *eom, const crank_options *options,
                                double t, const double *x)
{
    crank_problem *problem = NULL;
    crank_error err = {0};
    CHECK_OK(crank_formulate(name, eom, options, t, x, (crank_log){0}, &problem, &err), err);
    CHECK_OK(problem->prepare(problem, t, x, NULL, &err), err);
    return problem;
}

/* ---- consistent points of every model ---- */

typedef struct place {
    crank_eom *eom;
    double t, x[TEST_WIDTH];
} place;

static test_pendulum pendulum;
static test_slider_crank crank;
static test_skate skate;
static test_academic academic;

static place at_pendulum(double angle, double speed)
{
    place p = {0};
    pendulum = test_pendulum_default();
    p.eom = test_pendulum_create(&pendulum);
    test_pendulum_start(&pendulum, angle, speed, p.x);
    return p;
}

/* a point on the way, reached at a tight tolerance */
static place at_crank(double t)
{
    place p = {0};
    crank = test_slider_crank_default();
    p.eom = test_slider_crank_create(&crank);
    test_slider_crank_start(&crank, p.x);
    const crank_options options = run_tolerance(1e-10);
    (void)run_whole("psf", p.eom, &options, t, p.x);
    return p;
}

static place at_skate(double t)
{
    place p = {.t = t};
    skate = test_skate_default();
    p.eom = test_skate_create(&skate);
    test_skate_exact(&skate, t, p.x);
    return p;
}

static place at_academic(double t)
{
    place p = {.t = t};
    academic = test_academic_default();
    p.eom = test_academic_create(&academic);
    test_academic_exact(t, p.x);
    return p;
}

static place somewhere(int i)
{
    switch (i % 4) {
    case 0:
        return at_pendulum(0.3 + i, 2.0);
    case 1:
        return at_crank(0.5 + 0.1 * i);
    case 2:
        return at_skate(0.4 + 0.1 * i);
    default:
        return at_academic(0.1 * i);
    }
}
enum { PLACES = 12 };

/* the levels of its own constraints: peom1 has no acceleration level */
static void check_consistent(crank_problem *problem, const place *p, const double *x,
                             double tolerance)
{
    double residual[3];
    crank_error err = {0};
    const bool peom1 = strcmp(problem->name, "peom1") == 0;
    CHECK_OK(problem->report->residuals(problem, p->t, x, residual, &err), err);
    for (int level = 0; level < (peom1 ? 2 : 3); level++) {
        CHECK_NEAR(residual[level], 0.0, tolerance);
    }
}

static const crank_options *variant_options(int v)
{
    static crank_options options;
    options = crank_options_default();
    options.algebraic = (crank_algebraic_decomposition)(v % 4);
    options.linear_algebra = CRANK_LINALG_AUTO;
    return &options;
}

static void correction_ends_at_round_off_on_all_levels(void **state)
{
    random_source r = {61};
    for (int i = 0; i < PLACES; i++) {
        const place p = somewhere(i);
        for (int v = 0; v < 8; v++) {
            crank_problem *problem =
                formulate(v < 4 ? "psf" : "peom1", p.eom, variant_options(v), p.t, p.x);
            double x[TEST_WIDTH];
            crank_error err = {0};
            for (int j = 0; j < problem->n; j++) {
                x[j] = p.x[j] + 1e-6 * random_real(&r);
            }
            CHECK_OK(problem->constraints->correct(problem, p.t, x, &err), err);
            check_consistent(problem, &p, x, round_off);
            for (int j = 0; j < problem->n; j++) { /* by a step of the size of the error */
                CHECK_NEAR(x[j], p.x[j], 1e-3);
            }
            crank_problem_destroy(problem);
        }
        crank_eom_destroy(p.eom);
    }
}

/* what is consistent stays: within 2 ulp of the largest unknown of the same kind;
 * multipliers and w carry the round-off of forces that add up to them */
static void correction_leaves_consistent_points_alone(void **state)
{
    for (int i = 0; i < PLACES; i++) {
        place p = somewhere(i);
        for (int v = 0; v < 4; v++) {
            crank_problem *problem = formulate("psf", p.eom, variant_options(v), p.t, p.x);
            double x[TEST_WIDTH], again[TEST_WIDTH];
            crank_error err = {0};
            memcpy(x, p.x, sizeof x);
            CHECK_OK(problem->constraints->correct(problem, p.t, x, &err), err);
            CHECK_OK(problem->constraints->correct(problem, p.t, x, &err), err);
            memcpy(again, x, sizeof again);
            CHECK_OK(problem->constraints->correct(problem, p.t, again, &err), err);
            for (int j = 0; j < problem->n; j++) {
                double size = 0.0;
                for (int k = 0; k < problem->n; k++) {
                    size =
                        problem->group[k] == problem->group[j] ? fmax(size, fabs(x[k])) : size;
                }
                const double ulps = problem->group[j] < CRANK_R ? 10.0 : 2.0;
                CHECK_NEAR(again[j], x[j], ulps * DBL_EPSILON * size);
            }
            crank_problem_destroy(problem);
        }
        crank_eom_destroy(p.eom);
    }
}

/* an old decomposition still corrects nearby points, and says so if it cannot */
static void correction_with_an_old_decomposition_converges_or_changes_nothing(void **state)
{
    const place p = at_pendulum(0.3, 2.0);
    crank_problem *problem = formulate("psf", p.eom, variant_options(0), 0.0, p.x);
    double x[TEST_WIDTH], before[TEST_WIDTH];
    crank_error err = {0};
    test_pendulum_start(&pendulum, 0.35, 1.9, x);
    x[3] += 1e-5;
    const place there = {.eom = p.eom, .t = 0.1};
    CHECK_OK(problem->constraints->correct(problem, 0.1, x, &err), err);
    check_consistent(problem, &there, x, 1e3 * DBL_EPSILON);
    test_pendulum_start(&pendulum, 0.3 + 0.5 * pi, 2.0, x); /* the pivot of old vanishes here */
    x[3] += 1e-2;
    x[4] += 1e-2;
    memcpy(before, x, sizeof x);
    CHECK_STATUS(problem->constraints->correct(problem, 0.1, x, &err), CRANK_RETRY);
    assert_memory_equal(x, before, sizeof x);
    crank_problem_destroy(problem);
    crank_eom_destroy(p.eom);
}

/* lambda changes its sign where v^2 = g y: forces of size ten cancel, their round-off is
 * large beside lambda */
static void correction_works_where_a_multiplier_passes_zero(void **state)
{
    for (int i = 0; i < 20; i++) {
        const double angle = 0.75 * pi + 0.001 * i;
        place p = at_pendulum(angle, sqrt(-13.75 * cos(angle)) + 1e-9 * i);
        crank_problem *problem = formulate("psf", p.eom, variant_options(0), 0.0, p.x);
        double x[TEST_WIDTH];
        crank_error err = {0};
        memcpy(x, p.x, sizeof x);
        x[3] += 1e-8;
        x[1] -= 1e-8;
        CHECK_OK(problem->constraints->correct(problem, 0.0, x, &err), err);
        check_consistent(problem, &p, x, round_off);
        crank_problem_destroy(problem);
        crank_eom_destroy(p.eom);
    }
}

/* ---- a driven mass: g = x - (sin t - t/2), the velocity passes zero at t = pi/3 ---- */

static crank_status driven_rows(double t, const double *x, double *k, void *user)
{
    (void)user;
    k[0] = -x[0] + sin(t);            /* gII: v' = -lambda, wanted -sin t */
    k[1] = x[1] - cos(t) + 0.5;       /* gI */
    k[2] = x[2] - (sin(t) - 0.5 * t); /* g */
    k[3] = -x[0];                     /* dyn */
    k[4] = x[1];                      /* kin */
    return CRANK_OK;
}

static void correction_works_where_a_driven_velocity_passes_zero(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.p = 1, .v = 1, .lambda = 1};
    d.evaluate = driven_rows;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    for (int i = 0; i < 50; i++) {
        const double t = pi / 3.0 + 1e-9 * (i - 25);
        double x[3] = {sin(t), cos(t) - 0.5, sin(t) - 0.5 * t};
        crank_problem *problem = formulate("psf", eom, variant_options(0), t, x);
        const place p = {.eom = eom, .t = t};
        x[1] += 1e-7;
        CHECK_OK(problem->constraints->correct(problem, t, x, &err), err);
        check_consistent(problem, &p, x, round_off);
        crank_problem_destroy(problem);
    }
    crank_eom_destroy(eom);
}

/* ---- the leading matrix and the rows ---- */

static void lead_multiplies_by_the_mass_matrix_at_its_own_point(void **state)
{
    const place p = at_crank(0.7);
    crank_problem *problem = formulate("psf", p.eom, variant_options(0), 0.0, p.x);
    const double y[5] = {7.0, 2.0, -3.0, 0.5, 0.25};
    double out[7], x[5];
    crank_error err = {0};
    memcpy(x, p.x, sizeof x);
    x[3] += 0.4; /* not where the problem was prepared */
    CHECK_OK(problem->lead(problem, 0.0, x, y, out, &err), err);
    const double off = -1.8 * 3.0 * cos(x[3] + x[4]);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(out[i], 0.0, 0.0);
        assert_false(problem->differential[i]);
    }
    CHECK_NEAR(out[3], 2.8 * y[1] + off * y[2], round_off * 10.0);
    CHECK_NEAR(out[4], off * y[1] + 1.8 * 9.0 * y[2], round_off * 100.0);
    CHECK_NEAR(out[5], y[3], 0.0);
    CHECK_NEAR(out[6], y[4], 0.0);
    assert_true(problem->differential[3] && problem->differential[6]);
    crank_problem_destroy(problem);
    crank_eom_destroy(p.eom);
}

static void evaluation_takes_several_points_and_counts_them(void **state)
{
    const place p = at_academic(0.2);
    crank_problem *problem = formulate("psf", p.eom, variant_options(0), p.t, p.x);
    double x[3][13], k[3][17], one[17];
    const double t[3] = {0.1, 0.2, 0.3};
    crank_error err = {0};
    for (int i = 0; i < 3; i++) {
        test_academic_exact(t[i], x[i]);
        x[i][4] += 0.01 * i;
    }
    const int64_t before = problem->statistics->evaluations;
    CHECK_OK(problem->evaluate(problem, 3, t, x[0], k[0], &err), err);
    assert_int_equal(problem->statistics->evaluations, before + 3);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(crank_eom_evaluate(p.eom, t[i], x[i], one, &err), err);
        for (int j = 0; j < 17; j++) {
            CHECK_NEAR(k[i][j], one[j], 0.0);
        }
    }
    crank_problem_destroy(problem);
    crank_eom_destroy(p.eom);
}

/* constant masses are asked for once; those that depend on the state at every point */
static void mass_matrix_is_evaluated_as_often_as_its_kind_demands(void **state)
{
    const double y[5] = {0.0};
    double out[7];
    crank_error err = {0};
    place p = at_pendulum(0.3, 1.0);
    crank_problem *problem = formulate("psf", p.eom, variant_options(0), 0.0, p.x);
    CHECK_OK(problem->lead(problem, 0.0, p.x, y, out, &err), err);
    assert_int_equal(problem->statistics->mass_evaluations, 1);
    crank_problem_destroy(problem);
    crank_eom_destroy(p.eom);
    p = at_crank(0.3);
    problem = formulate("psf", p.eom, variant_options(0), 0.0, p.x);
    const int64_t before = problem->statistics->mass_evaluations;
    CHECK_OK(problem->lead(problem, 0.0, p.x, y, out, &err), err);
    CHECK_OK(problem->lead(problem, 0.0, p.x, y, out, &err), err);
    assert_int_equal(problem->statistics->mass_evaluations, before + 2);
    crank_problem_destroy(problem);
    crank_eom_destroy(p.eom);
}

/* ---- refusals ---- */

static void refused(const char *formulation, crank_eom *eom, const crank_options *options,
                    const double *x, crank_status status, const char *text)
{
    crank_problem *problem = NULL;
    crank_error err = {0};
    CHECK_STATUS(
        crank_formulate(formulation, eom, options, 0.0, x, (crank_log){0}, &problem, &err),
        status);
    assert_null(problem);
    CHECK_CONTAINS(err.text, text);
}

static void unsuitable_requests_are_refused_with_the_reason(void **state)
{
    crank_options sparse = crank_options_default();
    sparse.linear_algebra = CRANK_LINALG_SPARSE;
    place p = at_crank(0.1);
    refused("psf", p.eom, &sparse, p.x, CRANK_EREFUSED, "accelerations=carry");
    crank_options bad = crank_options_default();
    bad.rtol = -1.0;
    refused("psf", p.eom, &bad, p.x, CRANK_EARG, "rtol");
    bad = crank_options_default();
    refused("pfs", p.eom, &bad, p.x, CRANK_EARG, "did you mean psf");
    crank_eom_destroy(p.eom);
    p = at_academic(0.0); /* identity mass: sparse would be possible */
    refused("peom1", p.eom, &sparse, p.x, CRANK_EREFUSED, "peom1 is dense only");
    sparse.algebraic = CRANK_ALGEBRAIC_QR;
    refused("psf", p.eom, &sparse, p.x, CRANK_EREFUSED, "algebraic");
    sparse.algebraic = CRANK_ALGEBRAIC_AUTO;
    sparse.selector_source = CRANK_SELECTOR_NEWTON_MATRIX;
    refused("psf", p.eom, &sparse, p.x, CRANK_EREFUSED, "selector_source");
    crank_eom_destroy(p.eom);
}

static crank_eom *redundant_crank(test_slider_crank *data, double *x)
{
    *data = test_slider_crank_default();
    data->rows = 2;
    data->factor[1] = 2.0;
    test_slider_crank_start(data, x);
    return test_slider_crank_create(data);
}

static void redundant_constraints_switch_to_svd_and_say_so(void **state)
{
    test_slider_crank data;
    double x[TEST_WIDTH];
    crank_eom *eom = redundant_crank(&data, x);
    crank_options options = crank_options_default();
    run r;
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    assert_int_equal(r.messages, 1);
    CHECK_CONTAINS(r.log, "redundant");
    CHECK_CONTAINS(r.log, "singular value decomposition");
    CHECK_CONTAINS(r.log, "loop");
    run_end(&r);
    options.algebraic = CRANK_ALGEBRAIC_LU;
    refused("psf", eom, &options, x, CRANK_EREDUNDANT_ACCELERATION, "algebraic=svd");
    options.algebraic = CRANK_ALGEBRAIC_QR;
    refused("psf", eom, &options, x, CRANK_EREDUNDANT_ACCELERATION, "algebraic=svd");
    options = crank_options_default();
    options.newton_matrix = 2;
    refused("psf", eom, &options, x, CRANK_EREFUSED, "newton_matrix=0");
    options = crank_options_default();
    refused("peom1", eom, &options, x, CRANK_EREFUSED, "peom1");
    crank_eom_destroy(eom);
}

/* sparse if there are many unknowns and the mass matrix allows it; either can be forced */
static void linear_algebra_is_chosen_by_size_or_by_request(void **state)
{
    static const crank_linear_algebra wishes[] = {CRANK_LINALG_AUTO, CRANK_LINALG_DENSE,
                                                  CRANK_LINALG_SPARSE};
    for (int large = 0; large < 2; large++) {
        test_chain data = {.count = large == 1 ? 60 : 1, .m = 1.0, .L = 0.5, .g = 9.81};
        crank_eom *eom = test_chain_create(&data);
        double x[300];
        test_chain_start(&data, x);
        for (int wish = 0; wish < 3; wish++) {
            crank_options options = crank_options_default();
            crank_error err = {0};
            options.linear_algebra = wishes[wish];
            crank_problem *problem = formulate("psf", eom, &options, 0.0, x);
            problem->newton_failed(problem); /* selectors are due: sparse analyses again */
            CHECK_OK(problem->prepare(problem, 0.0, x, NULL, &err), err);
            const bool sparse = wish == 2 || (wish == 0 && large == 1);
            assert_true((problem->statistics->analyses > 0) == sparse);
            crank_problem_destroy(problem);
        }
        crank_eom_destroy(eom);
        test_chain_free(&data);
    }
}

static void missing_acceleration_level_is_refused_by_psf_only(void **state)
{
    const place p = at_pendulum(0.3, 1.0);
    const crank_options options = crank_options_default();
    p.eom->has_acceleration_level = false;
    refused("psf", p.eom, &options, p.x, CRANK_EREFUSED, "peom1");
    crank_problem_destroy(formulate("peom1", p.eom, &options, 0.0, p.x));
    crank_eom_destroy(p.eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correction_ends_at_round_off_on_all_levels),
        cmocka_unit_test(correction_leaves_consistent_points_alone),
        cmocka_unit_test(correction_with_an_old_decomposition_converges_or_changes_nothing),
        cmocka_unit_test(correction_works_where_a_multiplier_passes_zero),
        cmocka_unit_test(correction_works_where_a_driven_velocity_passes_zero),
        cmocka_unit_test(lead_multiplies_by_the_mass_matrix_at_its_own_point),
        cmocka_unit_test(evaluation_takes_several_points_and_counts_them),
        cmocka_unit_test(mass_matrix_is_evaluated_as_often_as_its_kind_demands),
        cmocka_unit_test(unsuitable_requests_are_refused_with_the_reason),
        cmocka_unit_test(redundant_constraints_switch_to_svd_and_say_so),
        cmocka_unit_test(linear_algebra_is_chosen_by_size_or_by_request),
        cmocka_unit_test(missing_acceleration_level_is_refused_by_psf_only),
    };
    return CHECK_RUN(argc, argv, tests);
}
