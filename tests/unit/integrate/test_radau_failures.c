/* test_radau_failures.c - equations that fail, leave their domain or are not finite: which
 * status comes back, and that what was computed before stands. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "order/run.h"

#include <stdlib.h>
#include <string.h>

/* A pendulum of length one (g = 10) whose callbacks misbehave on request. x = [lambda | v v
 * | p p]. */
typedef struct trouble {
    crank_status equations, mass, jacobian; /* returned after `after` */
    double after;                           /* s */
    bool not_finite_equations, not_finite_jacobian, not_finite_mass;
    int64_t calls, fail_call; /* call of the equations that asks for a retry, 0: none */
    bool fail_on;             /* and all that follow */
} trouble;

static crank_status equations(double t, const double *x, double *k, void *user)
{
    trouble *c = user;
    const double *v = x + 1, *p = x + 3;
    k[0] = 2.0 * (v[0] * v[0] + v[1] * v[1] - 10.0 * p[1]) -
           4.0 * (p[0] * p[0] + p[1] * p[1]) * x[0];
    k[1] = 2.0 * (p[0] * v[0] + p[1] * v[1]);
    k[2] = p[0] * p[0] + p[1] * p[1] - 1.0;
    k[3] = -2.0 * p[0] * x[0];
    k[4] = -2.0 * p[1] * x[0] - 10.0;
    k[5] = v[0];
    k[6] = v[1];
    if (c->not_finite_equations && t > c->after) {
        k[3] = (double)NAN;
    }
    c->calls++;
    if (c->calls == c->fail_call || (c->fail_on && c->calls > c->fail_call)) {
        return CRANK_RETRY;
    }
    return t > c->after ? c->equations : CRANK_OK;
}

static crank_status jacobian(double t, const double *x, const double *vdot, double *values,
                             void *user)
{
    const trouble *c = user;
    const double *v = x + 1, *p = x + 3;
    double J[5][7] = {
        {-4.0 * (p[0] * p[0] + p[1] * p[1]), 0.0, 0.0, -2.0 * p[0], -2.0 * p[1], 0.0, 0.0},
        {4.0 * v[0], 2.0 * p[0], 0.0, 0.0, 0.0, 1.0, 0.0},
        {4.0 * v[1], 2.0 * p[1], 0.0, 0.0, 0.0, 0.0, 1.0},
        {-8.0 * p[0] * x[0], 2.0 * v[0], 2.0 * p[0], -2.0 * x[0], 0.0, 0.0, 0.0},
        {-20.0 - 8.0 * p[1] * x[0], 2.0 * v[1], 2.0 * p[1], 0.0, -2.0 * x[0], 0.0, 0.0}};
    (void)vdot;
    if (c->not_finite_jacobian && t > c->after) {
        J[3][2] = (double)NAN;
        J[4][2] = (double)NAN;
    }
    memcpy(values, J, sizeof J);
    return t > c->after ? c->jacobian : CRANK_OK;
}

static crank_status mass(double t, const double *x, double *values, void *user)
{
    const trouble *c = user;
    (void)x;
    values[0] = values[1] = c->not_finite_mass && t > c->after ? (double)NAN : 1.0;
    return t > c->after ? c->mass : CRANK_OK;
}

static crank_eom *make(trouble *c)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 1};
    d.evaluate = equations;
    d.jacobian = jacobian;
    d.mass = mass;
    d.mass_kind = CRANK_MASS_DIAGONAL;
    d.user = c;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

static const double start[5] = {5.5, 1.0, 0.0, 0.0, -1.0};

/* one run over [0, 1]; checks that a failure leaves the last accepted point */
static run try_run(trouble *c, const crank_options *options, double *time)
{
    crank_eom *eom = make(c);
    run r;
    run_begin(&r, "psf", eom, options, 0.0, start, 1.0);
    (void)run_to_end(&r);
    const double *x = crank_integrator_state(r.it);
    *time = crank_integrator_time(r.it);
    CHECK_NEAR(x[3] * x[3] + x[4] * x[4], 1.0, 1e-9);
    CHECK_NEAR(0.5 * (x[1] * x[1] + x[2] * x[2]) + 10.0 * x[4], -9.5,
               1e-4); /* energy: not disturbed */
    run_end(&r);
    crank_eom_destroy(eom);
    return r;
}

static void stops_of_callbacks_have_their_own_status(void **state)
{
    const crank_options options = run_tolerance(1e-6);
    const struct {
        trouble trouble;
        crank_status status;
    } cases[] = {
        {{.after = 0.5, .equations = CRANK_EINTERRUPTED}, CRANK_ESTOP_EQUATIONS},
        {{.after = 0.5, .mass = CRANK_EMODEL}, CRANK_ESTOP_MASS},
        {{.after = 0.5, .jacobian = CRANK_EMODEL}, CRANK_ESTOP_JACOBIAN},
    };
    for (size_t i = 0; i < 3; i++) {
        trouble c = cases[i].trouble;
        double t;
        const run r = try_run(&c, &options, &t);
        CHECK_STATUS(r.status, cases[i].status);
        assert_true(t > 0.3 && t < 0.7);
    }
}

/* outside the domain: steps get shorter towards the border, then the run ends with a
 * negative status */
static void a_border_that_cannot_be_passed_ends_the_run(void **state)
{
    for (int kind = 0; kind < 5; kind++) {
        crank_options options = run_tolerance(1e-6);
        trouble c = {.after = 0.5};
        double t;
        c.equations = kind == 0 ? CRANK_RETRY : CRANK_OK;
        c.not_finite_equations = kind == 1;
        c.mass = kind == 2 ? CRANK_RETRY : CRANK_OK;
        c.not_finite_mass = kind == 3;
        c.not_finite_jacobian = kind == 4;
        run r = try_run(&c, &options, &t);
        if (r.status == CRANK_ESINGULAR) {
            fail_msg("kind %d is called a singular position: %s", kind, r.err.text);
        }
        if (kind == 4 && r.status == CRANK_OK) { /* the old Jacobian was good enough */
            CHECK_NEAR(t, 1.0, 0.0);
            continue;
        }
        assert_true(r.status < CRANK_OK);
        assert_true(t > 0.3 && t < 0.6);
        if (kind < 4) { /* without a limit on failures it creeps up to the border */
            options.failures_max = 0;
            c.calls = 0;
            r = try_run(&c, &options, &t);
            assert_true(r.status < CRANK_OK);
            CHECK_NEAR(t, 0.5, 1e-6);
        }
    }
}

static int failures_told(const run *r)
{
    const char *at = strstr(r->err.text, "failed ");
    return at != NULL ? atoi(at + strlen("failed ")) : -1;
}

static void repeated_failures_are_counted_and_named(void **state)
{
    crank_options options = run_tolerance(1e-6);
    trouble c = {.after = 100.0, .fail_call = 24, .fail_on = true};
    options.failures_max = 5;
    double t;
    run r;
    do { /* until the failures begin inside of a step */
        c.calls = 0;
        c.fail_call++;
        assert_true(c.fail_call < 40);
        r = try_run(&c, &options, &t);
    } while (r.status != CRANK_ENEWTON);
    CHECK_CONTAINS(r.err.text, "times in a row at t =");
    const int all = failures_told(&r); /* those of a step longer than the last are free */
    assert_true(all >= 5);
    options.failures_max = 2;
    c.calls = 0;
    r = try_run(&c, &options, &t);
    CHECK_STATUS(r.status, CRANK_ENEWTON);
    assert_int_equal(failures_told(&r), all - 3);
}

static void failure_at_the_start_is_reported_at_once(void **state)
{
    for (int kind = 0; kind < 2; kind++) {
        trouble c = {.after = -1.0};
        c.equations = kind == 0 ? CRANK_RETRY : CRANK_OK;
        c.not_finite_equations = kind == 1;
        crank_eom *eom = make(&c);
        const crank_options options = run_tolerance(1e-6);
        run r;
        CHECK_STATUS(run_try(&r, "psf", eom, &options, 0.0, start, 1.0), CRANK_ESTOP_EQUATIONS);
        run_end(&r);
        crank_eom_destroy(eom);
    }
}

/* any single call may ask for a retry: the run goes on, or ends with a final status; never
 * with "retry" */
static void single_retries_are_survived_wherever_they_come(void **state)
{
    const crank_options options = run_tolerance(1e-4);
    double t;
    trouble quiet = {.after = 100.0};
    CHECK_STATUS(try_run(&quiet, &options, &t).status, CRANK_OK);
    int survived = 0;
    /* call 1: forces for the units of multipliers, which do without; call 2: the start, see
     * above */
    for (int64_t call = 3; call <= quiet.calls; call++) {
        trouble c = {.after = 100.0, .fail_call = call};
        const run r = try_run(&c, &options, &t);
        if (r.status > CRANK_OK) {
            fail_msg("a retry in call %d of %d is handed to the caller at t = %g", (int)call,
                     (int)quiet.calls, t);
        }
        survived += r.status == CRANK_OK;
    }
    assert_true(survived >= (int)quiet.calls - 3); /* nothing is wrong with the model */
}

/* ---- a domain with a wall: r' = r, not to be evaluated above 10 ---- */

static crank_status walled(double t, const double *x, double *k, void *user)
{
    (void)t;
    (void)user;
    k[0] = x[0];
    return x[0] > 10.0 ? CRANK_RETRY : CRANK_OK;
}

static void a_retry_leads_to_a_shorter_step(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.r = 1};
    d.evaluate = walled;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    crank_options options = run_tolerance(1e-8);
    double x[1] = {1.0};
    options.h_start = 2.29;
    options.rtol = options.atol = 1e-2; /* so loose that only the wall stops the long step */
    const crank_statistics s = run_whole("psf", eom, &options, 2.29, x);
    CHECK_NEAR(x[0], exp(2.29), 0.2);
    assert_true(s.rejected_convergence + s.rejected_error >= 1);
    assert_true(s.steps >= 2);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_of_callbacks_have_their_own_status),
        cmocka_unit_test(a_border_that_cannot_be_passed_ends_the_run),
        cmocka_unit_test(repeated_failures_are_counted_and_named),
        cmocka_unit_test(failure_at_the_start_is_reported_at_once),
        cmocka_unit_test(single_retries_are_survived_wherever_they_come),
        cmocka_unit_test(a_retry_leads_to_a_shorter_step),
    };
    return CHECK_RUN(argc, argv, tests);
}
