/* test_radau_reach.c - steps that Newton's iteration bounds: how long they could be is
 * predicted from increments that converge, theory (4.17), and remembered from those that do
 * not. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "integrate/create.h"
#include "integrate/radau.h"
#include "order/run.h"

/* r' = cos t; the calls in [fail, fail + failures) ask for a shorter step */
typedef struct hiccups {
    int64_t calls, fail, failures;
} hiccups;

static crank_status rows(double t, const double *x, double *k, void *user)
{
    hiccups *c = user;
    (void)x;
    k[0] = cos(t);
    c->calls++;
    return c->calls >= c->fail && c->calls < c->fail + c->failures ? CRANK_RETRY : CRANK_OK;
}

static crank_eom *create(hiccups *data)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.r = 1};
    d.evaluate = rows;
    d.user = data;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

/* ---- scripted increments ---- */

static const double *script;
static int solved;

/* all three parts alike: the norm is the increment */
static crank_status scripted_solve(crank_problem *p, int i, const double *r_real,
                                   const double *r_imag, double *re, double *im,
                                   crank_error *err)
{
    (void)p;
    (void)r_real;
    (void)r_imag;
    (void)err;
    re[0] = script[solved];
    if (im != NULL) {
        im[0] = script[solved];
    }
    solved += i;
    return CRANK_OK;
}

/* q after an iteration with these increments and kappa = 1e-3 */
static double reach_after(const double *increments, int iterations)
{
    hiccups data = {0};
    crank_eom *eom = create(&data);
    crank_options options = run_fixed_step(0.125); /* tolerances 1: sizes are sizes */
    const double x0 = 0.0;
    run r;
    options.newton_max = 10;
    options.newton_tolerance = 1e-3;
    run_begin(&r, "psf", eom, &options, 0.0, &x0, 1.0);
    crank_radau *s = r.it->state;
    CHECK_OK(crank_implicit_prepare(r.it, &s->common, &r.err), r.err);
    crank_radau_predict(r.it, s);
    CHECK_OK(crank_radau_factor(r.it, &r.err), r.err);
    r.problem->solve = scripted_solve;
    script = increments;
    solved = 0;
    s->common.eta = 1.0;
    CHECK_OK(crank_newton(r.it, &s->common, &r.err), r.err);
    assert_int_equal(s->common.iterations, iterations);
    const double reach = s->common.reach;
    run_end(&r);
    crank_eom_destroy(eom);
    return reach;
}

/* The first ratio, 1.2, is that of a start whose multipliers lag behind: it does not count.
 * theta is the mean of the others, whichever way they are distributed. */
static void reach_follows_from_the_increments_after_the_first(void **state)
{
    static const double even[] = {1.0, 1.2, 0.12, 0.012, 0.0012},
                        pairs[] = {1.0, 1.2, 0.06, 0.024, 0.0012};
    const double theta = 0.1, last = theta / (1.0 - theta) * 1.2 * pow(theta, 8.0);
    const double expected = pow(last / 1e-3, -1.0 / 22.0);
    CHECK_NEAR(reach_after(even, 5), expected, 1e-12);
    CHECK_NEAR(reach_after(pairs, 5), expected, 1e-12);
}

static void two_increments_say_nothing_about_longer_steps(void **state)
{
    static const double quick[] = {1.0, 1e-8}, at_once[] = {1e-5};
    assert_true(isinf(reach_after(quick, 2)));
    assert_true(isinf(reach_after(at_once, 1)));
}

/* ---- what is done with it ---- */

/* The error estimate is the last increment and would let the step grow eightfold; a slow
 * iteration does not let it grow, a fast one says nothing against it. */
static void steps_grow_up_to_seven_tenths_of_their_reach(void **state)
{
    static const double increments[][6] = {{1.0, 1.2, 0.12, 0.012, 0.0012, 1e-12},
                                           {1.0, 0.5, 0.2, 0.08, 0.032, 1e-12},
                                           {1.0, 1e-8, 1e-12, 1e-12, 1e-12, 1e-12}};
    const double tenth = 0.1 / 0.9 * 1.2 * pow(0.1, 8.0) / 1e-3;
    const double expected[] = {0.7 * pow(tenth, -1.0 / 22.0), 1.0, 8.0};
    for (int i = 0; i < 3; i++) {
        hiccups data = {0};
        crank_eom *eom = create(&data);
        crank_options options = run_fixed_step(0.125);
        const double x0 = 0.0;
        run r;
        options.h_max = 0.0;
        options.newton_max = 10;
        options.newton_tolerance = i == 1 ? 0.05 : 1e-3;
        run_begin(&r, "psf", eom, &options, 0.0, &x0, 100.0);
        r.problem->solve = scripted_solve;
        script = increments[i];
        solved = 0;
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        CHECK_NEAR(crank_integrator_last_step(r.it), 0.125, 0.0);
        CHECK_NEAR(r.it->h / 0.125, expected[i], 1e-12);
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

/* Steps of 1e-6, growing eightfold; the fourth fails `failures` times, which halves it each
 * time. The one after it does not grow, then steps stay below 0.7 of the first that failed, 5 %
 * more with each step. */
static void limit_is_set_by_the_first_of_several_failures(void **state)
{
    for (int failures = 1; failures <= 3; failures++) {
        hiccups data = {0};
        crank_eom *eom = create(&data);
        crank_options options = run_tolerance(1e-4);
        const double x0 = 0.0;
        run r;
        options.h_start = 1e-6;
        options.jacobian_reuse = -1.0; /* failures are not those of an old Jacobian */
        run_begin(&r, "psf", eom, &options, 0.0, &x0, 10.0);
        for (int i = 0; i < 3; i++) {
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        }
        const double failing = 512e-6;
        data.fail = data.calls + 1;
        data.failures = failures;
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        assert_int_equal(crank_integrator_statistics(r.it).rejected_convergence, failures);
        double h = ldexp(failing, -failures);
        CHECK_NEAR(crank_integrator_last_step(r.it), h, 1e-12 * h);
        double limit = 0.7 * failing;
        h = fmin(h, limit); /* after a rejection it does not grow */
        for (int i = 0; i < 3; i++) {
            CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
            CHECK_NEAR(crank_integrator_last_step(r.it), h, 1e-12 * h);
            limit *= 1.05;
            h = fmin(8.0 * h, limit);
        }
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reach_follows_from_the_increments_after_the_first),
        cmocka_unit_test(two_increments_say_nothing_about_longer_steps),
        cmocka_unit_test(steps_grow_up_to_seven_tenths_of_their_reach),
        cmocka_unit_test(limit_is_set_by_the_first_of_several_failures),
    };
    return CHECK_RUN(argc, argv, tests);
}
