/* test_events_limits.c - events in checkpoints, functions that cannot be evaluated, and what is
 * refused. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eoms.h"
#include "integrate/create.h"
#include "meeting.h"
#include "relay.h"

static const char *const methods[] = {"psf-radau", "psf-bdf",   "ode-dopri8", "ode-dopri5",
                                      "ode-adams", "ode-herk5", "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

static const double dropped[2] = {0.0, 1.0};

/* ---- checkpoints ---- */

/* of the pendulum [lambda | vx vy | x y] */
static double wall(double t, const double *x)
{
    (void)t;
    return 0.3 - x[3];
}

static double half_way(double t, const double *x)
{
    (void)t;
    return x[3] + 0.2;
}

static crank_status open_pendulum(const relay *r, relay_equations *e, crank_error *err)
{
    test_pendulum *data = *(test_pendulum *const *)r->data;
    (void)err;
    e->eom = test_pendulum_create(data);
    e->x0 = calloc(5, sizeof *e->x0);
    assert_non_null(e->x0);
    test_pendulum_start(data, -1.5, 0.0, e->x0);
    return CRANK_OK;
}

static void close_pendulum(const relay *r, relay_equations *e)
{
    (void)r;
    crank_eom_destroy(e->eom);
    free(e->x0);
}

/* off the wall; through half the way without a restart */
static void bounce_off_the_wall(struct relay_runner *runner, int i)
{
    const double *x = crank_integrator_state(runner->it);
    const double after[5] = {x[0], -x[1], -x[2], x[3], x[4]};
    crank_error err = {0};
    (void)i;
    if (crank_integrator_events(runner->it)[0] != 0) {
        CHECK_OK(crank_integrator_restart(runner->it, after, &err), err);
    }
}

static void runs_with_events_continue_bit_for_bit(void **state)
{
    static const char *const names[] = {"wall", "half way"};
    static const signed char direction[] = {-1, 0};
    meeting functions = {.count = 2, .function = {wall, half_way}};
    const crank_events events = {.count = 2,
                                 .evaluate = meeting_evaluate,
                                 .name = names,
                                 .direction = direction,
                                 .user = &functions};
    for (int k = 0; k < METHODS; k++) {
        test_pendulum pendulum = test_pendulum_default(), *const data = &pendulum;
        crank_error err = {0};
        relay r = {.open = open_pendulum,
                   .close = close_pendulum,
                   .data = &data,
                   .events = &events,
                   .met = bounce_off_the_wall,
                   .steps = 400,
                   .t_end = 3.0,
                   .options = crank_options_default()};
        CHECK_OK(
            crank_method_resolve(methods[k], &r.formulation, &r.integrator, &r.options, &err),
            err);
        assert_true(relay_check(&r, "pendulum at a wall") > 20);
        r.options.max_steps =
            1; /* handed over at every attempt, within the approach of zeros, too */
        assert_true(relay_check(&r, "pendulum at a wall") > 40);
    }
}

static void a_checkpoint_with_other_events_is_refused(void **state)
{
    meeting m = {.count = 1, .function = {meeting_height}, .name = {"floor"}},
            other = {.count = 1, .function = {meeting_height}, .name = {"roof"}}, none = {0};
    void *data = NULL;
    size_t size = 0;
    meeting_begin(&m, "psf-radau", meeting_fall(), 1e-8, dropped, 1.0);
    CHECK_OK(crank_integrator_save(m.it, &data, &size, &m.err), m.err);
    meeting_begin(&other, "psf-radau", meeting_fall(), 1e-8, dropped, 1.0);
    CHECK_STATUS(crank_integrator_load(other.it, data, size, &other.err), CRANK_EFILE);
    CHECK_CONTAINS(other.err.text, "event");
    meeting_begin(&none, "psf-radau", meeting_fall(), 1e-8, dropped, 1.0);
    CHECK_STATUS(crank_integrator_load(none.it, data, size, &none.err), CRANK_EFILE);
    CHECK_CONTAINS(none.err.text, "events");
    free(data);
    meeting_end(&m);
    meeting_end(&other);
    meeting_end(&none);
}

/* ---- functions without values ---- */

/* not defined 1e-9 below the floor, 2e-10 s behind the zero, where steps that overshoot it
 * end */
static double height_above(double t, const double *x)
{
    (void)t;
    return x[1] < -1e-9 ? (double)NAN : x[1];
}

static double not_a_number(double t, const double *x)
{
    (void)x;
    return t > 0.3 ? (double)NAN : 1.0;
}

static void a_zero_is_found_although_behind_it_there_are_no_values(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        meeting m = {.count = 1, .function = {height_above}, .name = {"floor"}};
        meeting_begin(&m, methods[k], meeting_fall(), 1e-8, dropped, 0.46);
        assert_non_null(meeting_next(&m));
        CHECK_NEAR(crank_integrator_time(m.it), meeting_fall_time(0.0, 1.0, 0.0), 1e-13);
        meeting_end(&m);
    }
}

static void functions_without_values_end_the_run_where_they_begin(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        for (int refused = 0; refused < 2; refused++) {
            meeting m = {.count = 1,
                         .function = {refused ? meeting_height : not_a_number},
                         .name = {"nowhere"},
                         .refuse = refused ? CRANK_RETRY : CRANK_OK,
                         .refuse_t = 0.3};
            meeting_begin(&m, methods[k], meeting_fall(), 1e-8, dropped, 0.4);
            CHECK_STATUS(crank_integrator_solve_to(m.it, 1.0, &m.err), CRANK_ESTOP_EQUATIONS);
            CHECK_CONTAINS(m.err.text, "events cannot be evaluated from t = 0.3");
            CHECK_CONTAINS(m.err.text,
                           refused ? "refused behind" : "\"nowhere\" is not finite");
            CHECK_NEAR(crank_integrator_time(m.it), 0.3, 1e-12);
            meeting_end(&m);
        }
    }
}

static void a_function_that_fails_ends_the_run(void **state)
{
    meeting m = {.count = 1,
                 .function = {meeting_height},
                 .name = {"floor"},
                 .refuse = CRANK_EMODEL,
                 .refuse_t = 0.1};
    meeting_begin(&m, "psf-radau", meeting_fall(), 1e-8, dropped, 1.0);
    CHECK_STATUS(crank_integrator_solve_to(m.it, 1.0, &m.err), CRANK_EMODEL);
    CHECK_CONTAINS(m.err.text, "refused behind t = 0.1");
    meeting_end(&m);
}

static void a_start_without_values_is_refused(void **state)
{
    meeting m = {.count = 1,
                 .function = {meeting_height},
                 .name = {"floor"},
                 .refuse = CRANK_RETRY,
                 .refuse_t = -1.0};
    CHECK_STATUS(meeting_try(&m, "psf-radau", meeting_fall(), 1e-8, dropped, 1.0),
                 CRANK_ESTOP_EQUATIONS);
    CHECK_CONTAINS(m.err.text, "events cannot be evaluated from t = 0 on: refused behind");
    meeting_end(&m);
}

/* ---- refusals ---- */

static void events_are_set_before_the_start_and_complete(void **state)
{
    meeting m = {0};
    const char *const names[] = {"floor"}, *const unnamed[] = {NULL};
    const signed char wrong[] = {2};
    crank_events events = {.count = 1, .evaluate = meeting_evaluate, .name = names, .user = &m};
    meeting_begin(&m, "psf-radau", meeting_fall(), 1e-8, dropped, 1.0);
    CHECK_STATUS(crank_integrator_set_events(m.it, &events, &m.err), CRANK_EARG);
    CHECK_CONTAINS(m.err.text, "before crank_integrator_start");
    crank_integrator_destroy(m.it);
    const crank_options options = crank_options_default();
    CHECK_OK(crank_integrator_create("radau", m.problem, &options, &m.it, &m.err), m.err);
    events.direction = wrong;
    CHECK_STATUS(crank_integrator_set_events(m.it, &events, &m.err), CRANK_EARG);
    CHECK_CONTAINS(m.err.text, "direction 2");
    events.direction = NULL;
    events.name = unnamed;
    CHECK_STATUS(crank_integrator_set_events(m.it, &events, &m.err), CRANK_EARG);
    events.name = names;
    events.evaluate = NULL;
    CHECK_STATUS(crank_integrator_set_events(m.it, &events, &m.err), CRANK_EARG);
    events.evaluate = meeting_evaluate;
    CHECK_OK(crank_integrator_set_events(m.it, &events, &m.err), m.err);
    events.count = 0;
    CHECK_OK(crank_integrator_set_events(m.it, &events, &m.err), m.err);
    CHECK_STATUS(crank_integrator_restart(m.it, dropped, &m.err), CRANK_EARG);
    CHECK_OK(crank_integrator_start(m.it, 0.0, dropped, 1.0, &m.err), m.err);
    CHECK_OK(crank_integrator_solve_to(m.it, 1.0, &m.err), m.err);
    assert_null(crank_integrator_events(m.it));
    meeting_end(&m);
}

static void a_restart_with_a_value_that_is_not_finite_is_refused(void **state)
{
    const double bad[2] = {0.0, (double)NAN};
    meeting m = {.count = 1, .function = {meeting_height}, .name = {"floor"}};
    meeting_begin(&m, "psf-radau", meeting_fall(), 1e-8, dropped, 1.0);
    assert_non_null(meeting_next(&m));
    CHECK_STATUS(crank_integrator_restart(m.it, bad, &m.err), CRANK_ENOTFINITE);
    CHECK_CONTAINS(m.err.text, "unknown 2");
    assert_null(meeting_next(&m)); /* the run goes on from where it was */
    meeting_end(&m);
}

/* A run that is stopped by the limit on steps within the approach of a zero goes on as if it
 * were not. */
static void the_limit_on_steps_may_fall_into_the_approach(void **state)
{
    const double exact = meeting_fall_time(0.0, 1.0, 0.0);
    for (int k = 0; k < METHODS; k++) {
        meeting m = {.count = 1, .function = {meeting_height}, .name = {"floor"}};
        int stops = 0;
        m.max_steps = 1;
        meeting_begin(&m, methods[k], meeting_fall(), 1e-8, dropped, 0.5);
        crank_status status = CRANK_OK;
        while (crank_integrator_events(m.it) == NULL && stops < 10000) {
            status = crank_integrator_step(m.it, &m.err);
            stops += status == CRANK_EMAX_STEPS;
            assert_true(status == CRANK_OK || status == CRANK_EMAX_STEPS);
        }
        assert_true(stops > 0);
        CHECK_NEAR(crank_integrator_time(m.it), exact, 1e-10);
        meeting_end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_with_events_continue_bit_for_bit),
        cmocka_unit_test(a_checkpoint_with_other_events_is_refused),
        cmocka_unit_test(a_zero_is_found_although_behind_it_there_are_no_values),
        cmocka_unit_test(functions_without_values_end_the_run_where_they_begin),
        cmocka_unit_test(a_function_that_fails_ends_the_run),
        cmocka_unit_test(a_start_without_values_is_refused),
        cmocka_unit_test(events_are_set_before_the_start_and_complete),
        cmocka_unit_test(a_restart_with_a_value_that_is_not_finite_is_refused),
        cmocka_unit_test(the_limit_on_steps_may_fall_into_the_approach),
    };
    return CHECK_RUN(argc, argv, tests);
}
