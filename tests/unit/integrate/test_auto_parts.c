/* test_auto_parts.c - method auto where one of its parts fails: another one goes on. Failures
 * are put in between the integrator and its problems: from a time on, what a part asks of the
 * equations is refused. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "integrate/create.h"
#include "order/run.h"
#include "subject.h"

static const double tolerance = 1e-8;

/* the functions that are stood in for, and the times from which they refuse */
static crank_status (*derivative)(crank_problem *, double, double *, double *, crank_error *);
static crank_status (*evaluate[CRANK_PARTS])(crank_problem *, int, const double *,
                                             const double *, double *, crank_error *);
static double calm_until, implicit_until[CRANK_PARTS];

static crank_status refusing_derivative(crank_problem *p, double t, double *x, double *xdot,
                                        crank_error *err)
{
    return t > calm_until ? crank_fail(err, CRANK_ESTOP_EQUATIONS, "refused by the test")
                          : derivative(p, t, x, xdot, err);
}

static crank_status refuse(int part, crank_problem *p, int count, const double *t,
                           const double *x, double *k, crank_error *err)
{
    return t[count - 1] > implicit_until[part]
               ? crank_fail(err, CRANK_ESTOP_EQUATIONS, "refused by the test")
               : evaluate[part](p, count, t, x, k, err);
}

static crank_status refusing_stiff(crank_problem *p, int count, const double *t,
                                   const double *x, double *k, crank_error *err)
{
    return refuse(CRANK_PART_STIFF, p, count, t, x, k, err);
}

static crank_status refusing_safe(crank_problem *p, int count, const double *t, const double *x,
                                  double *k, crank_error *err)
{
    return refuse(CRANK_PART_SAFE, p, count, t, x, k, err);
}

/* Starts auto with parts that refuse from these times on. */
static void begin(run *r, subject *s, double calm, double stiff, double safe)
{
    const crank_options options = run_tolerance(tolerance);
    *r = (run){0};
    const crank_log log = {.write = run_message, .user = r};
    calm_until = calm;
    implicit_until[CRANK_PART_STIFF] = stiff;
    implicit_until[CRANK_PART_SAFE] = safe;
    CHECK_OK(crank_formulate("auto", s->eom, &options, s->t0, s->x0, log, &r->problem, &r->err),
             r->err);
    crank_problem *const *part = r->problem->alternatives->part;
    for (int i = 0; i < CRANK_PARTS; i++) {
        assert_non_null(part[i]);
        evaluate[i] = part[i]->evaluate;
    }
    derivative = part[CRANK_PART_CALM]->derivative;
    part[CRANK_PART_CALM]->derivative = refusing_derivative;
    part[CRANK_PART_STIFF]->evaluate = refusing_stiff;
    part[CRANK_PART_SAFE]->evaluate = refusing_safe;
    CHECK_OK(crank_integrator_create("auto", r->problem, &options, &r->it, &r->err), r->err);
    r->status = crank_integrator_start(r->it, s->t0, s->x0, s->t_end, &r->err);
}

/* The end of a run by another method alone, in s->x. */
static void run_alone(const char *method, subject *s, double tolerance_alone)
{
    const crank_options options = run_tolerance(tolerance_alone);
    memcpy(s->x, s->x0, (size_t)s->n * sizeof *s->x);
    (void)run_whole(method, s->eom, &options, s->t_end, s->x);
}

/* Errors of a run in two parts add up: they are at most those of both methods over the whole
 * time, twice as large for what the first part's grow to; and explicit steps that stability
 * bounds leave errors of the size of the tolerance in what is fast, which dampers may or may
 * not have taken away at the end. */
static void check_error(subject *s, const run *r)
{
    double *exact = calloc((size_t)s->n, sizeof *exact);
    assert_non_null(exact);
    run_alone("psf-radau", s, 1e-3 * tolerance);
    memcpy(exact, s->x, (size_t)s->n * sizeof *exact);
    const double error = distance(s, crank_integrator_state(r->it), exact);
    run_alone("psf-radau", s, tolerance);
    const double implicit = distance(s, s->x, exact);
    run_alone("ode-dopri8", s, tolerance);
    assert_true(error <= 2.0 * (implicit + distance(s, s->x, exact) + tolerance));
    free(exact);
}

static void where_the_explicit_part_cannot_start_the_implicit_one_runs_alone(void **state)
{
    subject s = open_subject(MODEL("pendulum", "pendulum"), CRANK_ACCELERATIONS_AUTO);
    run r;
    begin(&r, &s, -1.0, (double)INFINITY, (double)INFINITY);
    CHECK_OK(r.status, r.err);
    CHECK_OK(run_to_end(&r), r.err);
    assert_non_null(strstr(r.log, "psf-radau from t = 0 on, because ode-dopri8 cannot go on"));
    run_alone("psf-radau", &s, tolerance);
    assert_true(distance(&s, crank_integrator_state(r.it), s.x) == 0.0);
    run_end(&r);
    close_subject(&s);
}

static void where_the_explicit_part_fails_on_the_way_the_implicit_one_goes_on(void **state)
{
    subject s = open_subject(MODEL("pendulum", "pendulum"), CRANK_ACCELERATIONS_AUTO);
    const double until = 0.4 * s.t_end;
    run r;
    double from = 0.0;
    begin(&r, &s, until, (double)INFINITY, (double)INFINITY);
    CHECK_OK(r.status, r.err);
    CHECK_OK(run_to_end(&r), r.err);
    /* its steps up to there count: the change is behind the last one that it could make */
    const char *said = strstr(r.log, "psf-radau from t = ");
    assert_non_null(said);
    assert_int_equal(sscanf(said, "psf-radau from t = %lf", &from), 1);
    assert_true(from > 0.5 * until && from <= until);
    assert_non_null(strstr(r.log, "refused by the test"));
    check_error(&s, &r);
    run_end(&r);
    close_subject(&s);
}

/* Stiff dampers: index2-radau has taken over long before it fails. */
static void where_the_cheap_implicit_part_fails_on_the_way_the_safe_one_goes_on(void **state)
{
    subject s =
        open_subject(MODEL("double-pendulum", "double-pendulum"), CRANK_ACCELERATIONS_AUTO);
    run r;
    s.t_end = 0.5;
    begin(&r, &s, (double)INFINITY, 0.4, (double)INFINITY);
    CHECK_OK(r.status, r.err);
    CHECK_OK(run_to_end(&r), r.err);
    assert_non_null(strstr(r.log, "psf-radau from t = "));
    assert_non_null(strstr(r.log, "because index2-radau cannot go on"));
    check_error(&s, &r);
    run_end(&r);
    close_subject(&s);
}

/* the same, where the safe one fails, too */
static void where_the_implicit_parts_fail_on_the_way_the_explicit_one_goes_on(void **state)
{
    subject s =
        open_subject(MODEL("double-pendulum", "double-pendulum"), CRANK_ACCELERATIONS_AUTO);
    run r;
    s.t_end = 0.5;
    begin(&r, &s, (double)INFINITY, 0.4, 0.4);
    CHECK_OK(r.status, r.err);
    CHECK_OK(run_to_end(&r), r.err);
    assert_non_null(strstr(r.log, "ode-dopri8 from t = "));
    assert_non_null(strstr(r.log, "because psf-radau cannot go on"));
    assert_true(crank_integrator_statistics(r.it).newton_iterations > 0);
    check_error(&s, &r);
    run_end(&r);
    close_subject(&s);
}

static void where_all_parts_fail_the_run_ends_there_with_the_reason(void **state)
{
    subject s = open_subject(MODEL("pendulum", "pendulum"), CRANK_ACCELERATIONS_AUTO);
    const double until = 0.4 * s.t_end;
    run r;
    begin(&r, &s, until, until, until);
    CHECK_OK(r.status, r.err);
    assert_true(run_to_end(&r) < 0);
    assert_non_null(strstr(r.err.text, "refused by the test"));
    const double t = crank_integrator_time(r.it);
    assert_true(t <= until && t > 0.5 * until);
    run_end(&r);
    close_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_the_explicit_part_cannot_start_the_implicit_one_runs_alone),
        cmocka_unit_test(where_the_explicit_part_fails_on_the_way_the_implicit_one_goes_on),
        cmocka_unit_test(where_the_cheap_implicit_part_fails_on_the_way_the_safe_one_goes_on),
        cmocka_unit_test(where_the_implicit_parts_fail_on_the_way_the_explicit_one_goes_on),
        cmocka_unit_test(where_all_parts_fail_the_run_ends_there_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
