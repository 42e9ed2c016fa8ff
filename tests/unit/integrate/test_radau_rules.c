/* test_radau_rules.c - what the integrator hands to the problem, and the rules of [HW96, IV.8]
 * for convergence and step size, seen by spies put between the two. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/create.h"
#include "integrate/radau.h"
#include "integrate/tableau_radau.h"
#include "order/run.h"

/* ---- spies: the last calls of a problem's functions ---- */

static struct {
    crank_problem original;
    double prepare_t, prepare_x, prepare_xdot;
    bool prepare_has_xdot;
    int prepares;
    double times[64]; /* of the first prepares */
    double h[2000];   /* of every factorisation */
    int factors;
    double rhs[64];              /* of the last real solve */
    const double *increments;    /* script: what solves return, NULL: the truth */
    int increment_count, solved; /* pairs */
} spy;

static crank_status spy_prepare(crank_problem *p, double t, const double *x, const double *xdot,
                                crank_error *err)
{
    if (spy.prepares < 64) {
        spy.times[spy.prepares] = t;
    }
    spy.prepares++;
    spy.prepare_t = t;
    spy.prepare_x = x[0];
    spy.prepare_has_xdot = xdot != NULL;
    spy.prepare_xdot = xdot != NULL ? xdot[0] : (double)NAN;
    return spy.original.prepare(p, t, x, xdot, err);
}

static crank_status spy_factor(crank_problem *p, int count, const double *re, const double *im,
                               crank_error *err)
{
    if (count == 2 && spy.factors < 2000) {
        spy.h[spy.factors++] = crank_radau_gamma / re[0];
        CHECK_NEAR(re[1] / re[0], crank_radau_alpha / crank_radau_gamma, 1e-14);
        CHECK_NEAR(im[1] / re[0], crank_radau_beta / crank_radau_gamma, 1e-14);
        CHECK_NEAR(im[0], 0.0, 0.0);
    }
    return spy.original.factor(p, count, re, im, err);
}

static crank_status spy_solve(crank_problem *p, int i, const double *r_re, const double *r_im,
                              double *re, double *im, crank_error *err)
{
    if (i == 0) {
        memcpy(spy.rhs, r_re, (size_t)p->m * sizeof *r_re);
    }
    if (spy.increments == NULL) {
        return spy.original.solve(p, i, r_re, r_im, re, im, err);
    }
    for (int j = 0; j < p->n; j++) { /* all three parts alike: the norm is the increment */
        const int at = spy.solved < spy.increment_count ? spy.solved : spy.increment_count - 1;
        re[j] = spy.increments[at];
        if (im != NULL) {
            im[j] = spy.increments[at];
        }
    }
    spy.solved += i;
    return CRANK_OK;
}

static void watch(crank_problem *problem)
{
    memset(&spy, 0, sizeof spy);
    spy.original = *problem;
    problem->prepare = spy_prepare;
    problem->factor = spy_factor;
    problem->solve = spy_solve;
}

/* ---- a cubic in time: the collocation polynomial is exact ---- */

static double cubic(double t)
{
    return 1.0 + t - 2.0 * t * t + 3.0 * t * t * t;
}

static double cubic_rate(double t)
{
    return 1.0 - 4.0 * t + 9.0 * t * t;
}

static crank_status cubic_rows(double t, const double *x, double *k, void *user)
{
    (void)x;
    (void)user;
    k[0] = cubic_rate(t);
    return CRANK_OK;
}

static crank_eom *cubic_create(void)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.r = 1};
    d.evaluate = cubic_rows;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

static void matrix_is_prepared_at_the_stage_that_was_asked_for(void **state)
{
    crank_eom *eom = cubic_create();
    for (int stage = 0; stage <= 3; stage++) {
        crank_options options = run_fixed_step(0.125);
        const double c = stage == 0 ? 0.0 : crank_radau_c[stage - 1], x0 = cubic(0.0);
        run r;
        options.newton_matrix = stage;
        run_begin(&r, "psf", eom, &options, 0.0, &x0, 1.0);
        watch(r.problem);
        for (int step = 0; step < 4; step++) {
            const double t = crank_integrator_time(r.it);
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            if (stage > 0 && step > 0) { /* stage 0 is prepared when the step before ends */
                CHECK_NEAR(spy.prepare_t, t + c * 0.125, 1e-14);
                CHECK_NEAR(spy.prepare_x, cubic(t + c * 0.125), 1e-12);
                CHECK_NEAR(spy.prepare_xdot, cubic_rate(t), 1e-11);
            } else if (stage == 0) {
                CHECK_NEAR(spy.prepare_t, t + 0.125, 1e-14);
                CHECK_NEAR(spy.prepare_x, cubic(t + 0.125), 1e-12);
                CHECK_NEAR(spy.prepare_xdot, cubic_rate(t + 0.125), 1e-11);
            }
            assert_int_equal(spy.prepares, stage == 0 ? step + 2 : step + 1);
        }
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

/* an update takes the matrix at the end of the step, with the iterate there */
static void updated_matrix_is_that_of_the_last_stage(void **state)
{
    /* contraction 0.98: too slow; the first ratio alone is not judged */
    static const double slow[] = {0.5, 0.49, 0.48, 1e-30};
    crank_eom *eom = cubic_create();
    crank_options options = run_fixed_step(0.125);
    const double x0 = cubic(0.0);
    run r;
    options.newton_updates = 1;
    options.newton_tolerance = 1e-3;
    options.newton_max = 10;
    run_begin(&r, "psf", eom, &options, 0.0, &x0, 1.0);
    watch(r.problem);
    spy.increments = slow;
    spy.increment_count = 4;
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    assert_int_equal(spy.prepares, 3); /* at the start, the update, and at the new point */
    CHECK_NEAR(spy.times[0], 0.0, 0.0);
    CHECK_NEAR(spy.times[1], 0.125, 0.0);
    CHECK_NEAR(spy.times[2], 0.125, 0.0);
    assert_int_equal(crank_integrator_statistics(r.it).rejected_convergence, 0);
    assert_int_equal(crank_integrator_statistics(r.it).jacobians, 3);
    run_end(&r);
    crank_eom_destroy(eom);
}

/* ---- convergence: scripted increments, tolerances one, so that sizes are sizes ---- */

typedef struct script {
    double increments[12];
    int count;
    int iterations; /* until converged or given up */
    double ratio;   /* of the step after to the step before; 1: converged */
} script;

static void check_script(const script *c, int limit, double tolerance)
{
    crank_eom *eom = cubic_create();
    crank_options options = run_fixed_step(0.125);
    const double x0 = 0.0;
    crank_error err = {0};
    run r;
    options.newton_max = limit;
    options.newton_tolerance = tolerance;
    options.control_rules = CRANK_RULES_PUBLISHED; /* no second thoughts about round-off */
    run_begin(&r, "psf", eom, &options, 0.0, &x0, 1.0);
    crank_radau *s = r.it->state;
    CHECK_OK(crank_implicit_prepare(r.it, &s->common, &err), err);
    crank_radau_predict(r.it, s);
    CHECK_OK(crank_radau_factor(r.it, &err), err);
    watch(r.problem);
    spy.increments = c->increments;
    spy.increment_count = c->count;
    s->common.eta = 1.0;
    const crank_status status = crank_newton(r.it, &s->common, &err);
    CHECK_STATUS(status, c->ratio == 1.0 ? CRANK_OK : CRANK_RETRY);
    assert_int_equal(s->common.iterations, c->iterations);
    CHECK_NEAR(status == CRANK_OK ? 1.0 : s->common.shorter, c->ratio, 1e-12);
    run_end(&r);
    crank_eom_destroy(eom);
}

static void iteration_ends_when_the_predicted_error_is_small(void **state)
{
    /* contraction 0.1: eta = 1/9; 0.01/9 > 1e-3, 0.001/9 < 1e-3 */
    const script linear = {{0.1, 0.01, 0.001, 1e-4}, 4, 3, 1.0};
    check_script(&linear, 10, 1e-3);
    /* the first increment alone, eta = 1 */
    const script at_once = {{1e-4}, 1, 1, 1.0};
    check_script(&at_once, 10, 1e-3);
    /* ratios 0.02 and 0.1: mean 0.045, 0.1 * 0.047 < 8e-3, but 0.1 / 9 is not */
    const script mean = {{50.0, 1.0, 0.1, 0.01}, 4, 3, 1.0};
    check_script(&mean, 10, 8e-3);
}

/* a first ratio below 2 gives no reason to stop, a second one does */
static void first_ratio_is_not_judged(void **state)
{
    static const double lagging[] = {1.0, 1.2, 1e-3, 1e-30},
                        diverging[] = {1.0, 2.5, 1e-3, 1e-30};
    for (int k = 0; k < 4; k++) {
        const int i = k % 2;
        crank_eom *eom = cubic_create();
        crank_options options = run_fixed_step(0.125);
        const double x0 = cubic(0.0);
        run r;
        options.control_rules = k < 2 ? CRANK_RULES_RADAU5 : CRANK_RULES_PUBLISHED;
        options.newton_tolerance = 1e-3;
        run_begin(&r, "psf", eom, &options, 0.0, &x0, 1.0);
        watch(r.problem);
        spy.increments = i == 0 ? lagging : diverging;
        spy.increment_count = 4;
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        assert_int_equal(crank_integrator_statistics(r.it).rejected_convergence, i);
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

static void iteration_is_given_up_when_it_would_take_too_long(void **state)
{
    /* contraction 0.9: predicted = 9 * 0.81 * 0.9^(10 - 1 - 3) / 1e-3, cut at 20; exponent
     * 1/(4 + 6) */
    const script slow = {{1.0, 0.9, 0.81}, 3, 3, 0.8 * pow(20.0, -1.0 / 10.0)};
    check_script(&slow, 10, 1e-3);
    /* just too slow: theta = 0.5, eta = 1, 0.25 * 0.5 / 0.1 = 1.25, limit 5: exponent 1/(4
     * + 1) */
    const script nearly = {{1.0, 0.5, 0.25}, 3, 3, 0.8 * pow(1.25, -1.0 / 5.0)};
    check_script(&nearly, 5, 0.1);
    /* divergence halves: at once from twice the size on, else after another increment */
    const script divergent = {{0.5, 0.6, 0.72}, 3, 3, 0.5};
    check_script(&divergent, 10, 1e-3);
    const script bursting = {{0.5, 1.0}, 2, 2, 0.5};
    check_script(&bursting, 10, 1e-3);
    const script not_finite = {{0.5, (double)NAN}, 2, 2, 0.5};
    check_script(&not_finite, 10, 1e-3);
    /* the limit is reached: in the last iteration nothing is predicted any more */
    const script limit = {{1.0, 0.9}, 2, 2, 0.5};
    check_script(&limit, 2, 0.05);
}

/* eta of the step before is remembered (to the power 0.8): linear equations need one
 * iteration */
static crank_status decay(double t, const double *x, double *k, void *user)
{
    (void)t;
    (void)user;
    k[0] = -x[0];
    return CRANK_OK;
}

static void linear_equations_soon_need_one_iteration_a_step(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.r = 1};
    d.evaluate = decay;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    const crank_options options = run_tolerance(1e-8);
    double x[1] = {1.0};
    const crank_statistics s = run_whole("psf", eom, &options, 3.0, x);
    CHECK_NEAR(x[0], exp(-3.0), 1e-7);
    assert_true((double)s.newton_iterations < 1.5 * (double)s.attempts);
    crank_eom_destroy(eom);
}

/* ---- step sizes ---- */

/* r' = pulse at t = 5: long steps are rejected by the error test alone */
static crank_status pulse(double t, const double *x, double *k, void *user)
{
    const double z = (t - 5.0) / 0.05;
    (void)x;
    (void)user;
    k[0] = exp(-z * z);
    return CRANK_OK;
}

static crank_eom *pulse_create(void)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.r = 1};
    d.evaluate = pulse;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

static void first_step_that_fails_is_shortened_by_ten(void **state)
{
    crank_eom *eom = pulse_create();
    crank_options options = run_tolerance(1e-6);
    const double x0 = 0.0;
    run r;
    options.h_start = 0.1;
    run_begin(&r, "psf", eom, &options, 4.92, &x0, 6.0);
    watch(r.problem);
    CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
    assert_true(crank_integrator_statistics(r.it).rejected_error >= 1);
    CHECK_NEAR(spy.h[0], 0.1, 1e-15);
    CHECK_NEAR(spy.h[1], 0.01, 1e-15);
    run_end(&r);
    crank_eom_destroy(eom);
}

/* r' = cos t, one call of which asks for a retry */
typedef struct hiccup {
    int64_t calls, fail;
} hiccup;

static crank_status hiccup_rows(double t, const double *x, double *k, void *user)
{
    hiccup *c = user;
    (void)x;
    k[0] = cos(t);
    return ++c->calls == c->fail ? CRANK_RETRY : CRANK_OK;
}

/* After a rejected attempt the step would like to grow eightfold: radau5 holds it for one
 * step. */
static void step_after_a_rejection_does_not_grow(void **state)
{
    for (int rules = 0; rules < 2; rules++) {
        hiccup data = {0};
        crank_eom_definition d = crank_eom_definition_default();
        crank_eom *eom = NULL;
        crank_options options = run_tolerance(1e-4);
        const double x0 = 0.0;
        run r;
        d.sizes = (crank_eom_sizes){.r = 1};
        d.evaluate = hiccup_rows;
        d.user = &data;
        CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &r.err), r.err);
        options.h_start = 1e-6;
        options.control_rules = rules == 0 ? CRANK_RULES_RADAU5 : CRANK_RULES_PUBLISHED;
        run_begin(&r, "psf", eom, &options, 0.0, &x0, 10.0);
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        data.fail = data.calls + 1;
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err); /* 8e-6 halved */
        assert_int_equal(crank_integrator_statistics(r.it).rejected_convergence, 1);
        CHECK_NEAR(crank_integrator_last_step(r.it), 4e-6, 1e-12);
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        CHECK_NEAR(crank_integrator_last_step(r.it), rules == 0 ? 4e-6 : 32e-6, 1e-12);
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

/* the formulas themselves, specification 1.18 */
static void step_sizes_follow_the_formulas(void **state)
{
    crank_eom *eom = cubic_create();
    const double x0 = 0.0, error = 0.3, before = 0.2, h = 0.01, h_before = 0.008;
    for (int v = 0; v < 4; v++) {
        crank_options options = run_tolerance(1e-6);
        run r;
        options.controller = v % 2 == 0 ? CRANK_CONTROL_CLASSICAL : CRANK_CONTROL_PREDICTIVE;
        options.control_rules = v < 2 ? CRANK_RULES_RADAU5 : CRANK_RULES_PUBLISHED;
        run_begin(&r, "psf", eom, &options, 0.0, &x0, 1.0);
        crank_radau *s = r.it->state;
        s->common.iterations = 4;
        s->common.error_accepted = before;
        s->common.h_accepted = h_before;
        r.it->h = h;
        const double damping = v < 2 ? 21.0 / 24.0 : 1.0; /* (2 NIT + 1)/(2 NIT + NEWT) */
        const double classical = 0.9 * damping * h * pow(error, -0.25);
        const double predictive =
            0.9 * h * pow(error, -0.25) * (h / h_before) * pow(before / error, 0.25);
        const double expected = v % 2 == 0 ? classical
                                : v < 2    ? fmin(classical, predictive)
                                           : predictive;
        CHECK_NEAR(crank_implicit_new_step(r.it, &s->common, error, true), expected, 1e-15);
        /* a rejected step uses the classical formula, and so does the first */
        CHECK_NEAR(crank_implicit_new_step(r.it, &s->common, error, false), classical, 1e-15);
        s->common.error_accepted = 0.0; /* no step yet */
        CHECK_NEAR(crank_implicit_new_step(r.it, &s->common, error, true), classical, 1e-15);
        CHECK_NEAR(crank_implicit_new_step(r.it, &s->common, 1e-10, true), 8.0 * h, 1e-15);
        CHECK_NEAR(crank_implicit_new_step(r.it, &s->common, 1e10, false), 0.2 * h, 1e-15);
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

/* carried accelerations do not count, parts of higher index are multiplied by h */
static void norm_leaves_out_what_is_not_tested(void **state)
{
    static const bool tested[5] = {true, false, true, true, false};
    static const unsigned char scaling[5] = {1, 0, 0, 2, 0};
    double x[5];
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = run_tolerance(1e-3);
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    crank_error err = {0};
    options.tolerance_transform = false;
    test_pendulum_start(&data, 0.4, 2.0, x);
    CHECK_OK(crank_formulate("psf", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
             err);
    problem->tested = tested;
    problem->scaling = scaling;
    problem->noise = NULL;
    CHECK_OK(crank_integrator_create("radau", problem, &options, &it, &err), err);
    CHECK_OK(crank_integrator_start(it, 0.0, x, 0.0, &err), err);
    const double z[10] = {1.0, 1e9, 2.0, 3.0, 1e9, -4.0, 1e9, 5.0, 6.0, 1e9}, h = 0.1;
    const double s[5] = {1e-3 * (1.0 + fabs(x[0])), 0.0, 1e-3 * (1.0 + fabs(x[2])),
                         1e-3 * (1.0 + fabs(x[3])), 0.0};
    const double a[6] = {1.0 * h / s[0], 2.0 / s[2], 3.0 * h * h / s[3],
                         4.0 * h / s[0], 5.0 / s[2], 6.0 * h * h / s[3]};
    double sum = 0.0;
    for (int i = 0; i < 6; i++) {
        sum += a[i] * a[i];
    }
    CHECK_NEAR(crank_integrator_norm(it, 2, z, h), sqrt(sum / 6.0), 1e-9);
    it->options.error_norm = CRANK_NORM_MAX;
    CHECK_NEAR(crank_integrator_norm(it, 2, z, h), 5.0 / s[2], 1e-9);
    const double broken[5] = {1.0, 0.0, (double)NAN, 2.0, 0.0};
    assert_true(isnan(crank_integrator_norm(it, 1, broken, h)));
    crank_integrator_destroy(it);
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
}

/* fmax and comparisons forget NaN easily */
static void an_estimate_that_is_not_finite_is_no_success(void **state)
{
    static const double increments[] = {1e-30, (double)NAN};
    crank_eom *eom = cubic_create();
    const crank_options options = run_fixed_step(0.125);
    const double x0 = 0.0;
    run r;
    run_begin(&r, "psf", eom, &options, 0.0, &x0, 1.0);
    watch(r.problem);
    spy.increments = increments; /* Newton converges at once, the estimate is not a number */
    spy.increment_count = 2;
    assert_true(crank_integrator_step(r.it, &r.err) < CRANK_OK);
    assert_int_equal(crank_integrator_statistics(r.it).steps, 0);
    run_end(&r);
    crank_eom_destroy(eom);
}

/* the constraints' share of the error estimate is zero, whatever their residuals are */
static void estimate_has_no_algebraic_part(void **state)
{
    double x[5];
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = run_tolerance(1e-4);
    run r;
    options.final_correction = false; /* residuals are not zero */
    test_pendulum_start(&data, 0.4, 2.0, x);
    run_begin(&r, "psf", eom, &options, 0.0, x, 1.0);
    watch(r.problem);
    for (int step = 0; step < 5; step++) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        for (int i = 0; i < 3; i++) { /* the last real solve is that of the estimate */
            CHECK_NEAR(spy.rhs[i], 0.0, 0.0);
        }
        assert_true(spy.rhs[3] != 0.0);
    }
    run_end(&r);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_is_prepared_at_the_stage_that_was_asked_for),
        cmocka_unit_test(updated_matrix_is_that_of_the_last_stage),
        cmocka_unit_test(iteration_ends_when_the_predicted_error_is_small),
        cmocka_unit_test(first_ratio_is_not_judged),
        cmocka_unit_test(iteration_is_given_up_when_it_would_take_too_long),
        cmocka_unit_test(linear_equations_soon_need_one_iteration_a_step),
        cmocka_unit_test(first_step_that_fails_is_shortened_by_ten),
        cmocka_unit_test(step_after_a_rejection_does_not_grow),
        cmocka_unit_test(step_sizes_follow_the_formulas),
        cmocka_unit_test(norm_leaves_out_what_is_not_tested),
        cmocka_unit_test(an_estimate_that_is_not_finite_is_no_success),
        cmocka_unit_test(estimate_has_no_algebraic_part),
    };
    return CHECK_RUN(argc, argv, tests);
}
