/* test_stepper.c - the loop of attempts, with a method whose attempts are written down: what is
 * accepted, what is tried next, what is counted, where it ends. Step sizes of controller.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "integrate/controller.h"
#include "integrate/stepper.h"

/* ---- a method whose attempts are written down ---- */

typedef struct outcome {
    crank_status status;
    crank_attempt attempt;
} outcome;

typedef struct toy {
    const outcome *script;
    int attempts, undone, accepted, settled, failed_newton, looks, limits;
    double tried[8], asked[8]; /* lengths of attempts, and those the forecast was asked for */
    double singular;           /* steps end before this time; 0: nowhere */
    bool look_due, jumps;
} toy;

typedef struct subject {
    crank_integrator it;
    crank_problem problem;
    crank_method method;
    toy toy;
    double x, scale, atol, rtol;
} subject;

static toy *toy_of(const crank_integrator *it)
{
    return it->state;
}

static crank_status attempt(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    toy *s = toy_of(it);
    const outcome *now = &s->script[s->attempts];
    s->tried[s->attempts++] = it->h;
    *a = now->attempt;
    return now->status == CRANK_OK ? CRANK_OK
                                   : crank_fail(err, now->status, "so it is written");
}

static void undo(crank_integrator *it)
{
    toy_of(it)->undone++;
}

static double shorter(crank_integrator *it, const crank_attempt *a)
{
    return it->h / (1.0 + a->size);
}

static void accept(crank_integrator *it, const crank_attempt *a)
{
    (void)a;
    toy_of(it)->accepted++;
    it->x[0] += it->h;
    it->h *= 2.0;
}

static crank_status settle(crank_integrator *it, const crank_attempt *a, bool last,
                           crank_error *err)
{
    (void)a;
    (void)err;
    toy_of(it)->settled += last ? 100 : 1;
    return CRANK_OK;
}

static crank_status look(crank_integrator *it, crank_error *err)
{
    (void)err;
    toy_of(it)->looks++;
    it->t_looked = it->t;
    return CRANK_OK;
}

static crank_status ready(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    (void)err;
    a->done = toy_of(it)->jumps;
    if (a->done) {
        crank_stepper_advance(it, it->t + 0.5, (double)NAN);
    }
    return CRANK_OK;
}

/* the problem finds its method's script through the subject that it is part of */
static subject *owner;

static void newton_failed(crank_problem *problem)
{
    (void)problem;
    owner->toy.failed_newton++;
}

static crank_status step_limit(crank_problem *problem, double t, double *h, crank_error *err)
{
    toy *s = &owner->toy;
    (void)problem;
    (void)err;
    s->asked[s->limits++] = *h;
    if (s->look_due) {
        s->look_due = false;
        return CRANK_RETRY;
    }
    if (s->singular > 0.0 && t + *h > s->singular) {
        *h = 0.5 * (s->singular - t);
    }
    return CRANK_OK;
}

static const crank_problem_constraints watching = {.step_limit = step_limit};

static void begin(subject *s, const outcome *script)
{
    *s = (subject){.method = {.name = "toy",
                              .attempt = attempt,
                              .undo = undo,
                              .shorter = shorter,
                              .accept = accept,
                              .settle = settle,
                              .look = look}};
    owner = s;
    s->problem.newton_failed = newton_failed;
    s->toy.script = script;
    s->it = (crank_integrator){.method = &s->method,
                               .problem = &s->problem,
                               .options = crank_options_default(),
                               .n = 1,
                               .m = 1,
                               .state = &s->toy,
                               .x = &s->x,
                               .scale = &s->scale,
                               .atol_used = &s->atol,
                               .rtol_used = &s->rtol,
                               .jumping = -1,
                               .t_end = 10.0,
                               .t_stop = 10.0,
                               .h = 1.0,
                               .h_first = 1.0};
}

static const crank_attempt fine = {.size = 0.5, .jumping = -1};

/* ---- accepted, rejected, not possible ---- */

static void an_error_up_to_the_tolerance_is_accepted(void **state)
{
    const outcome script[] = {{.attempt = {.size = 1.0, .jumping = -1}}};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    CHECK_OK(crank_stepper_step(&s.it, &err), err);
    CHECK_NEAR(s.it.t, 1.0, 0.0);
    CHECK_NEAR(s.it.t_old, 0.0, 0.0);
    CHECK_NEAR(s.it.h, 2.0, 0.0);
    CHECK_NEAR(s.it.last_error, 1.0, 0.0);
    assert_int_equal(s.it.statistics.steps, 1);
    assert_int_equal(s.it.statistics.attempts, 1);
    assert_int_equal(s.toy.accepted, 1);
    assert_int_equal(s.toy.settled, 1);
    assert_int_equal(s.toy.undone, 0);
}

/* by the method's formula, or a tenth where the error says nothing */
static void a_larger_error_makes_the_step_shorter(void **state)
{
    const outcome script[] = {{.attempt = {.size = 3.0, .jumping = -1}},
                              {.attempt = {.size = 3.0, .jumping = 4, .blunt = true}},
                              {.attempt = {.size = (double)NAN, .jumping = -1, .blunt = true}},
                              {.attempt = fine}};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    CHECK_OK(crank_stepper_step(&s.it, &err), err);
    CHECK_NEAR(s.toy.tried[1], 0.25, 0.0);
    CHECK_NEAR(s.toy.tried[2], 0.025, 1e-17);
    CHECK_NEAR(s.toy.tried[3], 0.0025, 1e-18);
    CHECK_NEAR(s.it.t, 0.0025, 1e-18);
    assert_int_equal(s.it.statistics.rejected_error, 3);
    assert_int_equal(s.it.statistics.rejected_convergence, 0);
    assert_int_equal(s.toy.undone, 3);
    assert_int_equal(s.it.jumping, -1); /* that was another step */
    assert_false(s.it.rejected);
}

static void a_step_that_is_not_possible_is_shortened_as_the_method_says(void **state)
{
    const outcome script[] = {{CRANK_RETRY, {.shorter = 0.25, .jumping = -1}},
                              {CRANK_RETRY, {.shorter = 0.8, .jumping = -1}},
                              {.attempt = fine}};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    CHECK_OK(crank_stepper_step(&s.it, &err), err);
    CHECK_NEAR(s.toy.tried[1], 0.25, 0.0);
    CHECK_NEAR(s.toy.tried[2], 0.2, 1e-16);
    assert_int_equal(s.it.statistics.rejected_convergence, 2);
    assert_int_equal(s.toy.failed_newton, 2);
    assert_int_equal(s.it.failures, 0);
    assert_string_equal(s.it.outside.text, "");
}

static void failures_in_a_row_are_limited_and_say_why(void **state)
{
    const outcome no = {CRANK_RETRY, {.shorter = 0.5, .jumping = -1}},
                  large = {.attempt = {.size = 3.0, .jumping = -1}};
    const outcome script[] = {no, no, large, no, no, no};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    s.it.options.failures_max = 3;
    CHECK_STATUS(crank_stepper_step(&s.it, &err), CRANK_ENEWTON);
    assert_int_equal(s.toy.attempts, 6); /* an error that is too large begins a new row */
    CHECK_CONTAINS(err.text, "failed 3 times in a row");
    CHECK_CONTAINS(err.text, "so it is written");
    begin(&s, script);
    s.method.is_explicit = true; /* they have no such limit */
    s.it.options.failures_max = 1;
    s.it.options.max_steps = 2;
    CHECK_STATUS(crank_stepper_step(&s.it, &err), CRANK_EMAX_STEPS);
    assert_int_equal(s.toy.failed_newton, 0);
}

/* Behind a start the method's own choice, h_first, stands for the last step, theory 8.3. */
static void failures_count_from_the_first_step_on_that_the_method_chooses(void **state)
{
    const outcome no = {CRANK_RETRY, {.shorter = 0.5, .jumping = -1}};
    const outcome script[] = {no, no, no, no, no};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    s.it.h_first = 0.25 * s.it.h; /* two attempts are longer */
    s.it.options.failures_max = 3;
    CHECK_STATUS(crank_stepper_step(&s.it, &err), CRANK_ENEWTON);
    assert_int_equal(s.toy.attempts, 5);
    CHECK_CONTAINS(err.text, "failed 5 times in a row");
}

static void a_final_failure_ends_the_step_with_its_message(void **state)
{
    const outcome script[] = {{CRANK_ENOTFINITE, {.jumping = -1}}};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    CHECK_STATUS(crank_stepper_step(&s.it, &err), CRANK_ENOTFINITE);
    CHECK_CONTAINS(err.text, "so it is written");
    CHECK_NEAR(s.it.t, 0.0, 0.0);
}

/* the limit counts anew, and the attempt is made as it would have been */
static void a_step_goes_on_behind_the_limit_on_attempts(void **state)
{
    const outcome script[] = {{.attempt = {.size = 3.0, .jumping = -1}}, {.attempt = fine}};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    s.it.options.max_steps = 1;
    CHECK_STATUS(crank_stepper_step(&s.it, &err), CRANK_EMAX_STEPS);
    assert_true(s.it.rejected);
    CHECK_OK(crank_stepper_step(&s.it, &err), err);
    CHECK_NEAR(s.it.t, 0.25, 0.0);
    assert_int_equal(s.it.statistics.attempts, 2);
}

/* ---- lengths ---- */

static void the_last_step_ends_at_the_end(void **state)
{
    const outcome script[] = {{.attempt = fine}, {.attempt = fine}};
    subject s;
    crank_error err = {0};
    for (int spread = 0; spread < 2; spread++) {
        begin(&s, script);
        s.method.spreads_end = spread == 1;
        s.it.t_end = s.it.t_stop = 1.2;
        CHECK_OK(crank_stepper_step(&s.it, &err), err);
        CHECK_NEAR(s.it.t, spread == 1 ? 0.6 : 1.0, 0.0);
        CHECK_OK(crank_stepper_step(&s.it, &err), err);
        CHECK_NEAR(s.it.t, 1.2, 0.0);
        assert_int_equal(s.toy.settled, 101); /* told that no step follows */
    }
}

static void steps_end_before_singular_positions(void **state)
{
    const outcome script[] = {{.attempt = fine}};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    s.problem.constraints = &watching;
    s.toy.singular = 0.8;
    s.toy.look_due = true;
    CHECK_OK(crank_stepper_step(&s.it, &err), err);
    assert_int_equal(s.toy.looks, 1);
    CHECK_NEAR(s.it.t, 0.4, 1e-16);
}

/* a quarter of the way from the last look to the position */
static void methods_that_look_rarely_ask_for_longer_steps_first(void **state)
{
    const outcome script[] = {{.attempt = fine}};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    s.problem.constraints = &watching;
    s.method.looks_rarely = true;
    s.it.t = 2.0;
    s.it.t_looked = 1.5;
    CHECK_OK(crank_stepper_step(&s.it, &err), err);
    assert_int_equal(s.toy.limits, 2);
    CHECK_NEAR(s.toy.asked[0], 1.5 / 0.25 - 0.5, 1e-15);
    CHECK_NEAR(s.toy.asked[1], 1.0, 0.0);
    CHECK_NEAR(s.it.t, 3.0, 0.0);
}

static void a_step_may_be_made_before_the_attempt(void **state)
{
    const outcome script[] = {{.attempt = fine}};
    subject s;
    crank_error err = {0};
    begin(&s, script);
    s.method.ready = ready;
    s.toy.jumps = true;
    CHECK_OK(crank_stepper_step(&s.it, &err), err);
    CHECK_NEAR(s.it.t, 0.5, 0.0);
    assert_int_equal(s.toy.attempts, 0);
    assert_int_equal(s.it.statistics.steps, 1);
}

/* ---- controller.c ---- */

static void step_sizes_of_explicit_methods_follow_the_formula(void **state)
{
    crank_options o = crank_options_default();
    const double err = 0.3, before = 0.2, q = 5.0, beta = 0.2 / q;
    const double pi = 0.9 * pow(err, -1.0 / q + 0.75 * beta) * pow(before, beta);
    CHECK_NEAR(crank_control_explicit(&o, q, err, before, false), pi, 1e-15);
    CHECK_NEAR(crank_control_explicit(&o, q, err, before, true), fmin(1.0, pi), 1e-15);
    CHECK_NEAR(crank_control_explicit(&o, q, 3.0, 0.0, false), 0.9 * pow(3.0, -0.2), 1e-15);
    CHECK_NEAR(crank_control_explicit(&o, q, 1e-10, before, false), o.growth_max, 0.0);
    CHECK_NEAR(crank_control_explicit(&o, q, 1e10, 0.0, false), o.growth_min, 0.0);
}

static void step_sizes_of_variable_order_double_stay_or_shrink(void **state)
{
    const crank_options o = crank_options_default();
    CHECK_NEAR(crank_control_ratio(&o, 2, 0.5, 0.0), 1.0, 1e-15);
    CHECK_NEAR(crank_control_ratio(&o, 2, 1.0 / 16.0, 0.0), 2.0, 1e-15);
    CHECK_NEAR(crank_control_steady(2.0), 2.0, 0.0);
    CHECK_NEAR(crank_control_steady(1.9), 1.0, 0.0);
    CHECK_NEAR(crank_control_steady(0.95), 0.9, 0.0);
    CHECK_NEAR(crank_control_steady(0.7), 0.7, 0.0);
    CHECK_NEAR(crank_control_steady(0.1), 0.5, 0.0);
    CHECK_NEAR(crank_control_rejected(0.7, 1), 0.7, 0.0);
    CHECK_NEAR(crank_control_rejected(2.0, 1), 0.9, 0.0);
    CHECK_NEAR(crank_control_rejected(0.1, 1), 0.25, 0.0);
    CHECK_NEAR(crank_control_rejected(0.7, 2), 0.25, 0.0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_up_to_the_tolerance_is_accepted),
        cmocka_unit_test(a_larger_error_makes_the_step_shorter),
        cmocka_unit_test(a_step_that_is_not_possible_is_shortened_as_the_method_says),
        cmocka_unit_test(failures_in_a_row_are_limited_and_say_why),
        cmocka_unit_test(failures_count_from_the_first_step_on_that_the_method_chooses),
        cmocka_unit_test(a_final_failure_ends_the_step_with_its_message),
        cmocka_unit_test(a_step_goes_on_behind_the_limit_on_attempts),
        cmocka_unit_test(the_last_step_ends_at_the_end),
        cmocka_unit_test(steps_end_before_singular_positions),
        cmocka_unit_test(methods_that_look_rarely_ask_for_longer_steps_first),
        cmocka_unit_test(a_step_may_be_made_before_the_attempt),
        cmocka_unit_test(step_sizes_of_explicit_methods_follow_the_formula),
        cmocka_unit_test(step_sizes_of_variable_order_double_stay_or_shrink),
    };
    return CHECK_RUN(argc, argv, tests);
}
