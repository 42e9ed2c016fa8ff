/* test_auto.c - method auto: which of its two methods works, that the motion does not show it,
 * what it says. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eom/eom.h"
#include "order/run.h"
#include "subject.h"

#include <float.h>

/* the run with the file's own tolerances; what it said last is in r->log */
static crank_statistics integrate(subject *s, const char *method, run *r)
{
    const crank_simulate *simulate = crank_model_simulate(crank_state_model(s->model));
    crank_options options = crank_options_default();
    crank_error err = {0};
    for (int i = 0; i < simulate->option_count; i++) {
        CHECK_OK(crank_options_set(&options, simulate->options[i].name,
                                   simulate->options[i].value, &err),
                 err);
    }
    run_begin(r, method, s->eom, &options, s->t0, s->x0, s->t_end);
    CHECK_OK(run_to_end(r), r->err);
    memcpy(s->x, crank_integrator_state(r->it), (size_t)s->n * sizeof *s->x);
    const crank_statistics statistics = crank_integrator_statistics(r->it);
    run_end(r);
    return statistics;
}

/* by auto and by another method: the same bits? */
static void check_same(const char *path, const char *method, const char *said)
{
    subject s = open_subject(path, CRANK_ACCELERATIONS_AUTO);
    run r;
    double *kept = calloc((size_t)s.n, sizeof *kept);
    assert_non_null(kept);
    const crank_statistics other = integrate(&s, method, &r);
    memcpy(kept, s.x, (size_t)s.n * sizeof *kept);
    const crank_statistics automatic = integrate(&s, "auto-auto", &r);
    assert_memory_equal(kept, s.x, (size_t)s.n * sizeof *kept);
    assert_int_equal(automatic.steps, other.steps);
    /* a probe at most, of one attempt */
    assert_true(automatic.newton_iterations - other.newton_iterations <=
                crank_options_default().newton_max);
    assert_non_null(strstr(r.log, said));
    free(kept);
    close_subject(&s);
}

static void it_is_explicit_where_nothing_is_stiff(void **state)
{
    check_same(MODEL("andrews", "andrews"), "ode-dopri8", "");
    check_same(MODEL("bricard", "bricard"), "ode-dopri8", "");
}

static void it_is_implicit_where_the_explicit_method_refuses(void **state)
{
    check_same(MODEL("four-bar", "four-bar"), "psf-radau", "");
    check_same(MODEL("four-joint", "four-joint"), "psf-radau",
               "because constraints are redundant");
}

/* Stiff dampers: explicit steps are bounded by stability, hundreds of times shorter than
 * Radau's. */
static void it_changes_where_stiffness_is_seen(void **state)
{
    subject s =
        open_subject(MODEL("double-pendulum", "double-pendulum"), CRANK_ACCELERATIONS_AUTO);
    run r;
    double *kept = calloc((size_t)s.n, sizeof *kept);
    assert_non_null(kept);
    const crank_statistics radau = integrate(&s, "psf-radau", &r);
    memcpy(kept, s.x, (size_t)s.n * sizeof *kept);
    const crank_statistics automatic = integrate(&s, "auto-auto", &r);
    assert_non_null(strstr(r.log, "auto: index2-radau, projected, from t = "));
    assert_true(automatic.steps < radau.steps + 100); /* some before the change, and a trial */
    assert_true(automatic.newton_iterations > 0);
    const double rtol = 1e-8; /* the file's; both runs are worse by a small factor at most */
    assert_true(distance(&s, s.x, kept) < 100.0 * rtol);
    free(kept);
    close_subject(&s);
}

/* What is fast does not move: the first step, whose length is a guess, and two more show it. */
static void two_steps_show_stiffness_where_the_motion_is_slow(void **state)
{
    subject s =
        open_subject(MODEL("double-pendulum", "double-pendulum"), CRANK_ACCELERATIONS_AUTO);
    const crank_options options = run_tolerance(1e-6);
    run r;
    run_begin(&r, "auto-auto", s.eom, &options, s.t0, s.x0, s.t_end);
    int before = -1;
    do {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        before++;
    } while (r.problem->alternatives->now == CRANK_PART_CALM);
    assert_true(before <= 3);
    CHECK_OK(run_to_end(&r), r.err);
    assert_int_equal(r.problem->alternatives->now, CRANK_PART_STIFF);
    run_end(&r);
    close_subject(&s);
}

/* theory (9.15): positions and velocities are moved onto their levels and multipliers found
 * from the acceleration level at every step end, by either part; rounding of rows about 1. The
 * first residual has the norms of quaternions, too. */
static void check_step_ends(const char *path, double t_end)
{
    subject s = open_subject(path, CRANK_ACCELERATIONS_AUTO);
    crank_options options = run_tolerance(1e-4);
    run r;
    int implicit = 0;
    run_begin(&r, "auto-auto", s.eom, &options, s.t0, s.x0, fmin(s.t_end, t_end));
    while (!crank_integrator_finished(r.it)) {
        double residual[3] = {0};
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        CHECK_OK(crank_eom_residuals(s.eom, crank_integrator_time(r.it),
                                     crank_integrator_state(r.it), residual, &r.err),
                 r.err);
        for (int level = 0; level < 3; level++) {
            assert_true(residual[level] < 1e-12);
        }
        implicit += r.problem->alternatives->now == CRANK_PART_STIFF;
    }
    assert_true(implicit > 20);
    run_end(&r);
    close_subject(&s);
}

static void every_step_ends_on_all_levels(void **state)
{
    check_step_ends(MODEL("double-pendulum", "double-pendulum"), HUGE_VAL);
    check_step_ends(MODEL("flyball-governor", "flyball-governor"), 1.0); /* quaternions */
}

/* of all rows, what their terms add up to: 1 + sum |dk/dx| |x| */
static double largest_terms(crank_eom *eom, double t, const double *x)
{
    const crank_pattern *pattern = &eom->jacobian_pattern;
    double *J = calloc((size_t)pattern->start[eom->n] + 1, sizeof *J),
           *size = calloc((size_t)eom->m, sizeof *size), largest = 0.0;
    crank_error err = {0};
    assert_true(J != NULL && size != NULL);
    CHECK_OK(crank_eom_evaluate_jacobian(eom, t, x, NULL, J, &err), err);
    for (int j = 0; j < eom->n; j++) {
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            size[pattern->row[e]] += fabs(J[e] * x[j]);
        }
    }
    for (int i = 0; i < eom->m; i++) {
        largest = fmax(largest, 1.0 + size[i]);
    }
    free(J);
    free(size);
    return largest;
}

/* Right-hand sides at the end of a step are what its completion left of them: nothing is
 * evaluated for them, and they are those of the next number behind t, up to rounding of what
 * the rows are the sum of. */
static void check_rows_of_ends(const char *path, double tolerance, double t_end)
{
    subject s = open_subject(path, CRANK_ACCELERATIONS_AUTO);
    const crank_options options = run_tolerance(tolerance);
    double *kept = calloc((size_t)s.n, sizeof *kept),
           *fresh = calloc((size_t)s.n, sizeof *fresh);
    assert_true(kept != NULL && fresh != NULL);
    int implicit = 0, spared = 0;
    run r;
    run_begin(&r, "auto-auto", s.eom, &options, s.t0, s.x0, fmin(s.t_end, t_end));
    while (!crank_integrator_finished(r.it)) {
        CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
        if (r.problem->alternatives->now != CRANK_PART_STIFF) {
            continue;
        }
        crank_problem *p = r.problem->alternatives->part[CRANK_PART_STIFF];
        const double *x = crank_integrator_state(r.it), t = crank_integrator_time(r.it),
                     behind = nextafter(t, HUGE_VAL);
        const int64_t before = p->statistics->evaluations;
        CHECK_OK(p->evaluate(p, 1, &t, x, kept, &r.err), r.err);
        spared += p->statistics->evaluations == before;
        CHECK_OK(p->evaluate(p, 1, &behind, x, fresh, &r.err), r.err);
        const double size = largest_terms(s.eom, t, x);
        for (int i = 0; i < s.n; i++) {
            CHECK_NEAR(kept[i], fresh[i], 10.0 * DBL_EPSILON * size);
        }
        implicit++;
    }
    assert_true(implicit > 20);
    assert_int_equal(spared, implicit);
    free(kept);
    free(fresh);
    run_end(&r);
    close_subject(&s);
}

static void right_sides_at_step_ends_are_left_by_the_completion(void **state)
{
    check_rows_of_ends(MODEL("double-pendulum", "double-pendulum"), 1e-4, HUGE_VAL);
    check_rows_of_ends(MODEL("flyball-governor", "flyball-governor"), 1e-4, 1.0);
}

/* There a stage has v' where rows have M v'. */
static void right_sides_at_step_ends_are_forces_where_stages_have_accelerations(void **state)
{
    check_rows_of_ends(MODEL("truck", "equations"), 1e-7, HUGE_VAL);
    check_rows_of_ends(MODEL("flyball-governor", "equations"), 1e-4, 2.0);
}

/* Positions and velocities alone would lead across locks of friction and corners of roads. */
static void implicit_steps_test_multipliers(void **state)
{
    subject s = open_subject(MODEL("truck", "equations"), CRANK_ACCELERATIONS_AUTO);
    const crank_options options = run_tolerance(1e-4);
    run r;
    run_begin(&r, "auto-auto", s.eom, &options, s.t0, s.x0, s.t_end);
    const crank_problem *stiff = r.problem->alternatives->part[CRANK_PART_STIFF];
    for (int j = s.eom->column[CRANK_LAMBDA]; j < s.eom->column[CRANK_LAMBDA + 1]; j++) {
        assert_true(stiff->tested[j]);
    }
    run_end(&r);
    close_subject(&s);
}

/* The largest error of positions and velocities of a stiff mechanism in quaternions, whose
 * norms no row of the stages keeps, is that of psf-radau, which keeps them. */
static void norms_left_to_the_projection_cost_no_accuracy(void **state)
{
    subject s =
        open_subject(MODEL("flyball-governor", "flyball-governor"), CRANK_ACCELERATIONS_AUTO);
    const char *const methods[] = {"psf-radau", "psf-radau", "auto-auto"};
    const double tolerances[] = {1e-10, 1e-6, 1e-6};
    double *x[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        const crank_options options = run_tolerance(tolerances[i]);
        run r;
        run_begin(&r, methods[i], s.eom, &options, s.t0, s.x0, 0.2);
        CHECK_OK(run_to_end(&r), r.err);
        x[i] = calloc((size_t)s.n, sizeof **x);
        assert_non_null(x[i]);
        memcpy(x[i], crank_integrator_state(r.it), (size_t)s.n * sizeof **x);
        run_end(&r);
    }
    assert_true(distance(&s, x[2], x[0]) < 3.0 * distance(&s, x[1], x[0]) + 1e-6);
    for (int i = 0; i < 3; i++) {
        free(x[i]);
    }
    close_subject(&s);
}

/* Probes of Radau that promise nothing (steps of the top are above `suspicious`): the explicit
 * method goes on from the same points as if nothing had been. */
static void a_probe_that_promises_nothing_leaves_no_trace(void **state)
{
    subject s = open_subject(MODEL("spinning-top", "spinning-top"), CRANK_ACCELERATIONS_AUTO);
    run r;
    double *kept = calloc((size_t)s.n, sizeof *kept);
    assert_non_null(kept);
    const crank_statistics explicit_only = integrate(&s, "ode-dopri8", &r);
    memcpy(kept, s.x, (size_t)s.n * sizeof *kept);
    const crank_statistics automatic = integrate(&s, "auto-auto", &r);
    assert_true(automatic.newton_iterations > 0); /* there were some */
    assert_int_equal(automatic.steps, explicit_only.steps);
    assert_memory_equal(kept, s.x, (size_t)s.n * sizeof *kept);
    free(kept);
    close_subject(&s);
}

static void it_goes_with_its_own_formulation_only(void **state)
{
    subject s = open_subject(MODEL("pendulum", "pendulum"), CRANK_ACCELERATIONS_AUTO);
    const crank_options options = crank_options_default();
    run r;
    CHECK_STATUS(run_try(&r, "psf-auto", s.eom, &options, s.t0, s.x0, s.t_end), CRANK_EREFUSED);
    run_end(&r);
    CHECK_STATUS(run_try(&r, "auto-radau", s.eom, &options, s.t0, s.x0, s.t_end),
                 CRANK_EREFUSED);
    assert_non_null(strstr(r.err.text, "go together"));
    run_end(&r);
    close_subject(&s);
}

static void options_that_neither_method_has_are_refused(void **state)
{
    subject s = open_subject(MODEL("pendulum", "pendulum"), CRANK_ACCELERATIONS_AUTO);
    crank_options options = crank_options_default();
    run r;
    options.max_order = 3;
    CHECK_STATUS(run_try(&r, "auto-auto", s.eom, &options, s.t0, s.x0, s.t_end),
                 CRANK_EREFUSED);
    run_end(&r);
    options = crank_options_default();
    options.baumgarte_alpha = 3.0;
    CHECK_STATUS(run_try(&r, "auto-auto", s.eom, &options, s.t0, s.x0, s.t_end),
                 CRANK_EREFUSED);
    run_end(&r);
    options = crank_options_default();
    options.newton_max = 7; /* Radau has it */
    CHECK_STATUS(run_try(&r, "auto-auto", s.eom, &options, s.t0, s.x0, s.t_end), CRANK_OK);
    run_end(&r);
    close_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_explicit_where_nothing_is_stiff),
        cmocka_unit_test(it_is_implicit_where_the_explicit_method_refuses),
        cmocka_unit_test(it_changes_where_stiffness_is_seen),
        cmocka_unit_test(two_steps_show_stiffness_where_the_motion_is_slow),
        cmocka_unit_test(every_step_ends_on_all_levels),
        cmocka_unit_test(right_sides_at_step_ends_are_left_by_the_completion),
        cmocka_unit_test(right_sides_at_step_ends_are_forces_where_stages_have_accelerations),
        cmocka_unit_test(implicit_steps_test_multipliers),
        cmocka_unit_test(norms_left_to_the_projection_cost_no_accuracy),
        cmocka_unit_test(a_probe_that_promises_nothing_leaves_no_trace),
        cmocka_unit_test(it_goes_with_its_own_formulation_only),
        cmocka_unit_test(options_that_neither_method_has_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
