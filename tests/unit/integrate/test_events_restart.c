/* test_events_restart.c - runs that go on from another state behind an event: bodies that
 * bounce, rest, go on through, or bounce without end. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eoms.h"
#include "meeting.h"

static const char *const methods[] = {"psf-radau", "psf-bdf", "ode-dopri8", "ode-dopri5",
                                      "ode-adams", "auto",    "psf-sdirk2"};
enum { METHODS = sizeof methods / sizeof *methods };

/* from rest at the height 1 to the floor */
static const double dropped[2] = {0.0, 1.0};
static const meeting falls_on_floor = {.count = 1,
                                       .function = {meeting_height},
                                       .name = {"floor"},
                                       .direction = {-1},
                                       .barrier = {true}};

static double high_floor(double t, const double *x)
{
    (void)t;
    return x[1] - 1000.0;
}

/* of the pendulum [lambda | vx vy | x y] */
static double wall(double t, const double *x)
{
    (void)t;
    return 0.3 - x[3];
}

static void bounce(meeting *m, double restitution)
{
    const double *x = crank_integrator_state(m->it);
    const double after[2] = {-restitution * x[0], x[1]};
    CHECK_OK(crank_integrator_restart(m->it, after, &m->err), m->err);
    assert_null(crank_integrator_events(m->it));
    CHECK_NEAR(crank_integrator_last_step(m->it), 0.0, 0.0);
}

/* Bounces until the run fails; how often. */
static int bounce_to_the_end(meeting *m, double restitution, crank_status *status)
{
    int count = 0;
    do {
        *status = crank_integrator_solve_to(m->it, (double)INFINITY, &m->err);
        if (*status == CRANK_OK && crank_integrator_events(m->it) != NULL) {
            bounce(m, restitution);
            count++;
        }
    } while (*status == CRANK_OK && !crank_integrator_finished(m->it));
    return count;
}

/* A fall is exact but for round-off, 10 eps a bounce in speed and height: the speed is wrong by
 * a walk of 10000 of them, at most 1e4 * 10 eps = 2e-11, and the times by the sum of these
 * errors, at most 1e4 periods * 2e-11 = 2e-7. With tolerances alone they would be 1e-6 and
 * 1e-2. */
static void elastic_bounces_keep_period_and_energy(void **state)
{
    const double first = meeting_fall_time(0.0, 1.0, 0.0), period = 2.0 * first;
    for (int k = 0; k < METHODS; k++) {
        const int bounces = k == 0 || k == 2 ? 10000 : 300;
        meeting m = falls_on_floor;
        meeting_begin(&m, methods[k], meeting_fall(), 1e-10, dropped, 1e5);
        for (int i = 0; i < bounces; i++) {
            const signed char *happened = meeting_next(&m);
            assert_non_null(happened);
            assert_int_equal(happened[0], -1);
            const double *x = crank_integrator_state(m.it);
            CHECK_NEAR(crank_integrator_time(m.it), first + i * period, 2e-7);
            CHECK_NEAR(x[1], 0.0, 1e-10); /* 10 eps t v at the end, t = 9000 s */
            CHECK_NEAR(x[0] * x[0] / (2.0 * meeting_gravity), 1.0, 4e-11);
            bounce(&m, 1.0);
        }
        const crank_statistics s = crank_integrator_statistics(m.it);
        assert_int_equal(s.events, bounces);
        assert_int_equal(s.attempts,
                         s.steps + s.rejected_error + s.rejected_convergence + s.event_steps);
        meeting_end(&m);
    }
}

/* A pendulum between a wall and its turning point: each interval is that of the first, to the
 * error of 50 swings. */
static void pendulum_bounces_off_a_wall(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        test_pendulum data = test_pendulum_default();
        double x0[5], last = 0.0, interval = 0.0;
        test_pendulum_start(&data, -1.5, 0.0, x0);
        meeting m = falls_on_floor;
        m.function[0] = wall;
        meeting_begin(&m, methods[k], test_pendulum_create(&data), 1e-9, x0, 1e3);
        for (int i = 0; i < 50; i++) {
            assert_non_null(meeting_next(&m));
            const double *x = crank_integrator_state(m.it), t = crank_integrator_time(m.it);
            interval = i == 1 ? t - last : interval;
            if (i > 1) {
                CHECK_NEAR(t - last, interval, 1e-6);
            }
            last = t;
            CHECK_NEAR(x[3], 0.3, 1e-11);
            const double after[5] = {x[0], -x[1], -x[2], x[3], x[4]};
            CHECK_OK(crank_integrator_restart(m.it, after, &m.err), m.err);
        }
        meeting_end(&m);
    }
}

/* Intervals of half the length each: sum t1 (1 + 2 e/(1 - e)) = 3 t1. */
static void bounces_without_end_end_the_run_with_their_limit(void **state)
{
    const double first = meeting_fall_time(0.0, 1.0, 0.0);
    for (int k = 0; k < METHODS; k++) {
        meeting m = falls_on_floor;
        crank_status status;
        char limit[40];
        meeting_begin(&m, methods[k], meeting_fall(), 1e-10, dropped, 10.0);
        const int bounces = bounce_to_the_end(&m, 0.5, &status);
        CHECK_STATUS(status, CRANK_EEVENTS);
        CHECK_NEAR(crank_integrator_time(m.it), 3.0 * first, 1e-9);
        (void)snprintf(limit, sizeof limit, "accumulates at t = %.8g", 3.0 * first);
        CHECK_CONTAINS(m.err.text, "event \"floor\"");
        CHECK_CONTAINS(m.err.text, limit);
        /* as long as an interval is above 1e4 eps: 2^-39 of the first */
        assert_in_range(bounces, 30, 42);
        meeting_end(&m);
    }
}

/* At y = 1000 round-off hides bounces of less than 1e-12: the limit is told once they are
 * lost. */
static void bounces_that_round_off_hides_are_not_passed_over(void **state)
{
    const double first = meeting_fall_time(0.0, 1.0, 0.0), x0[2] = {0.0, 1001.0};
    for (int k = 0; k < METHODS; k++) {
        meeting m = falls_on_floor;
        crank_status status;
        m.function[0] = high_floor;
        meeting_begin(&m, methods[k], meeting_fall(), 1e-10, x0, 10.0);
        const int bounces = bounce_to_the_end(&m, 0.5, &status);
        CHECK_STATUS(status, CRANK_EEVENTS);
        CHECK_NEAR(crank_integrator_time(m.it), 3.0 * first, 1e-5);
        CHECK_CONTAINS(m.err.text, "accumulates at t = 1.3545");
        assert_in_range(bounces, 12, 30);
        meeting_end(&m);
    }
}

/* the first bounce is 1e-7 of the step before */
static void a_weak_bounce_is_seen(void **state)
{
    const double first = meeting_fall_time(0.0, 1.0, 0.0);
    for (int k = 0; k < METHODS; k++) {
        meeting m = falls_on_floor;
        meeting_begin(&m, methods[k], meeting_fall(), 1e-10, dropped, 10.0);
        assert_non_null(meeting_next(&m));
        bounce(&m, 1e-7);
        assert_non_null(meeting_next(&m));
        /* the flight of 2e-7 t1 = 9.03e-8 s, to the 1e-14 by which the body may be off the
         * floor over its speed */
        CHECK_NEAR(crank_integrator_time(m.it) - first, 2e-7 * first, 2e-8);
        meeting_end(&m);
    }
}

/* At the floor to rounding of the height 1: above it by 10 eps at most, and the fall from
 * there, sqrt(20 eps/g) = 2e-8 s, may be one more event; which of them, rounding decides. */
static void a_body_that_rests_on_a_barrier_ends_the_run(void **state)
{
    const double first = meeting_fall_time(0.0, 1.0, 0.0);
    for (int k = 0; k < METHODS; k++) {
        meeting m = falls_on_floor;
        crank_status status;
        meeting_begin(&m, methods[k], meeting_fall(), 1e-10, dropped, 10.0);
        assert_in_range(bounce_to_the_end(&m, 0.0, &status), 1, 2);
        CHECK_NEAR(crank_integrator_time(m.it), first, 2e-8);
        CHECK_STATUS(status, CRANK_EEVENTS);
        CHECK_CONTAINS(m.err.text, "event \"floor\"");
        CHECK_CONTAINS(m.err.text, "does not leave the obstacle of t = 0.4515236");
        CHECK_NEAR(crank_integrator_state(m.it)[1], 0.0, 1e-8);
        meeting_end(&m);
    }
}

/* The new state is off zero by what a projection moves: on either side that is still the zero
 * of the event, which is not met again, and no way through the barrier. */
static void a_restart_may_move_the_body_a_little(void **state)
{
    static const double shift[] = {1e-9, -1e-9};
    for (int k = 0; k < METHODS; k++) {
        for (int i = 0; i < 4; i++) {
            meeting m = falls_on_floor;
            m.direction[0] = 0;
            meeting_begin(&m, methods[k], meeting_fall(), 1e-10, dropped, 2.0);
            assert_non_null(meeting_next(&m));
            const double *x = crank_integrator_state(m.it), t = crank_integrator_time(m.it);
            const double v = i < 2 ? -x[0] : 0.0, after[2] = {v, shift[i % 2]};
            CHECK_OK(crank_integrator_restart(m.it, after, &m.err), m.err);
            if (i < 2) {
                assert_non_null(meeting_next(&m));
                CHECK_NEAR(crank_integrator_time(m.it), t + 2.0 * v / meeting_gravity, 1e-8);
            } else {
                CHECK_STATUS(crank_integrator_solve_to(m.it, 2.0, &m.err), CRANK_EEVENTS);
                /* at the latest when it has fallen by three times the shift */
                CHECK_NEAR(crank_integrator_time(m.it), t, sqrt(6e-9 / meeting_gravity));
            }
            meeting_end(&m);
        }
    }
}

/* Without a barrier an event may change the motion and let it go on: the same zero is not met
 * again. */
static void without_a_barrier_the_motion_goes_on_through_zero(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        meeting m = falls_on_floor;
        crank_status status;
        m.barrier[0] = false;
        meeting_begin(&m, methods[k], meeting_fall(), 1e-10, dropped, 2.0);
        assert_int_equal(bounce_to_the_end(&m, -0.5, &status), 1);
        CHECK_OK(status, m.err);
        const double t = meeting_fall_time(0.0, 1.0, 0.0), rest = 2.0 - t;
        CHECK_NEAR(crank_integrator_state(m.it)[1], -0.5 * meeting_gravity * rest * (t + rest),
                   1e-8);
        meeting_end(&m);
    }
}

/* A run that starts on the floor: upwards it comes back, downwards it would go through. */
static void a_start_at_zero_is_no_event(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        const double up[2] = {2.0, 0.0}, down[2] = {-2.0, 0.0};
        meeting m = falls_on_floor;
        meeting_begin(&m, methods[k], meeting_fall(), 1e-10, up, 1.0);
        assert_non_null(meeting_next(&m));
        CHECK_NEAR(crank_integrator_time(m.it), 4.0 / meeting_gravity, 1e-12);
        meeting_end(&m);
        meeting n = falls_on_floor;
        meeting_begin(&n, methods[k], meeting_fall(), 1e-10, down, 1.0);
        assert_int_equal(crank_integrator_solve_to(n.it, (double)INFINITY, &n.err),
                         CRANK_EEVENTS);
        meeting_end(&n);
    }
}

/* from another state without events: the counters go on */
static void a_restart_needs_no_event(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        meeting m = {0};
        meeting_begin(&m, methods[k], meeting_fall(), 1e-10, dropped, 2.0);
        CHECK_OK(crank_integrator_solve_to(m.it, 1.0, &m.err), m.err);
        const double t = crank_integrator_time(m.it), thrown[2] = {3.0, 5.0}, rest = 2.0 - t;
        const int64_t steps = crank_integrator_statistics(m.it).steps;
        CHECK_OK(crank_integrator_restart(m.it, thrown, &m.err), m.err);
        CHECK_OK(crank_integrator_solve_to(m.it, 2.0, &m.err), m.err);
        CHECK_NEAR(crank_integrator_state(m.it)[1],
                   5.0 + 3.0 * rest - 0.5 * meeting_gravity * rest * rest, 1e-8);
        assert_true(rest == 0.0 || crank_integrator_statistics(m.it).steps > steps);
        meeting_end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_bounces_keep_period_and_energy),
        cmocka_unit_test(pendulum_bounces_off_a_wall),
        cmocka_unit_test(bounces_without_end_end_the_run_with_their_limit),
        cmocka_unit_test(bounces_that_round_off_hides_are_not_passed_over),
        cmocka_unit_test(a_weak_bounce_is_seen),
        cmocka_unit_test(a_body_that_rests_on_a_barrier_ends_the_run),
        cmocka_unit_test(a_restart_may_move_the_body_a_little),
        cmocka_unit_test(without_a_barrier_the_motion_goes_on_through_zero),
        cmocka_unit_test(a_start_at_zero_is_no_event),
        cmocka_unit_test(a_restart_needs_no_event),
    };
    return CHECK_RUN(argc, argv, tests);
}
