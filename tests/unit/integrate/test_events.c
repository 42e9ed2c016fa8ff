/* test_events.c - zeros of event functions: exact times for every method, directions, several
 * at once, several in one step, runs that go on. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eoms.h"
#include "meeting.h"

/* tolerance: that of a run whose times are right to 1e-10; errors of BDF add up to more than
 * its tolerance */
typedef struct method {
    const char *name;
    double tolerance;
} method;

static const method methods[] = {
    {"psf-radau", 1e-10}, {"psf-bdf", 1e-11},     {"ode-dopri8", 1e-10},
    {"ode-herk5", 1e-10}, {"ode-dopri5", 1e-10},  {"ode-adams", 1e-10},
    {"auto", 1e-10},      {"peom1-radau", 1e-10}, {"gmkssol-radau", 1e-10},
    {"ggl-bdf", 1e-11},
};
enum { METHODS = sizeof methods / sizeof *methods };

/* of the pendulum [lambda | vx vy | x y] */
static double sideways(double t, const double *x)
{
    (void)t;
    return x[3];
}

static double speed(double t, const double *x)
{
    (void)t;
    return x[0];
}

static double twice_height(double t, const double *x)
{
    (void)t;
    return 2.0 * x[1];
}

static double depth(double t, const double *x)
{
    (void)t;
    return -x[1];
}

static double never(double t, const double *x)
{
    (void)t;
    return 2.0 + sin(40.0 * t) + 1e-3 * x[0];
}

static double waves(double t, const double *x)
{
    (void)x;
    return cos(3.14159265358979323846 * 100.0 * t);
}

/* zeros at 0.5 and from 0.6 to 0.7, a hundred times as dense */
static double burst(double t, const double *x)
{
    const double place = t < 0.6 || t > 0.7 ? t : 0.6 + 100.0 * (t - 0.6);
    (void)x;
    return t > 0.7 ? 1.0 : cos(3.14159265358979323846 * place);
}

/* half a jump: from above it comes to zero, from below it does not */
static double steps_down(double t, const double *x)
{
    (void)t;
    return x[1] > 10.2 ? x[1] - 10.2 : x[1] - 10.3;
}

static double constant_zero(double t, const double *x)
{
    (void)x;
    return t < 0.2 ? 0.2 - t : 0.0;
}

/* The apex of the throw below: v = 3 from y = 10. */
static double throw_apex(void)
{
    return 10.0 + 9.0 / (2.0 * meeting_gravity);
}

static double just_below_the_apex(double t, const double *x)
{
    (void)t;
    return x[1] - (throw_apex() - 1e-9);
}

static double just_above_the_apex(double t, const double *x)
{
    (void)t;
    return x[1] - (throw_apex() + 1e-9);
}

static const double thrown[2] = {3.0, 10.0};

/* A quadratic motion has no error of discretisation: the zero is as exact as time itself. */
static void free_fall_meets_the_floor_on_time(void **state)
{
    const double exact = meeting_fall_time(3.0, 10.0, 0.0);
    for (int k = 0; k < METHODS; k++) {
        meeting m = {.count = 1, .function = {meeting_height}, .name = {"floor"}};
        meeting_begin(&m, methods[k].name, meeting_fall(), 1e-10, thrown, 5.0);
        assert_non_null(meeting_next(&m));
        CHECK_NEAR(crank_integrator_time(m.it), exact, 1e-13);
        CHECK_NEAR(crank_integrator_state(m.it)[1], 0.0, 1e-12);
        assert_null(meeting_next(&m));
        assert_true(crank_integrator_finished(m.it));
        meeting_end(&m);
    }
}

/* A swing of 2 rad is at its lowest point at odd multiples of K(sin 1) / omega. The constraint
 * is kept there, too. */
static void pendulum_is_at_its_lowest_point_on_time(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        test_pendulum data = test_pendulum_default();
        double x0[5];
        test_pendulum_start(&data, 2.0, 0.0, x0);
        const double quarter = meeting_elliptic(sin(1.0)) / sqrt(data.g / data.L);
        meeting m = {.count = 1, .function = {sideways}, .name = {"lowest"}};
        meeting_begin(&m, methods[k].name, test_pendulum_create(&data), methods[k].tolerance,
                      x0, 2.0 * quarter);
        const signed char *happened = meeting_next(&m);
        assert_non_null(happened);
        assert_int_equal(happened[0], -1);
        CHECK_NEAR(crank_integrator_time(m.it), quarter, 1e-10);
        const double *x = crank_integrator_state(m.it);
        CHECK_NEAR(x[3], 0.0, 1e-12);
        CHECK_NEAR(x[4], -1.0, 1e-9);
        meeting_end(&m);
    }
}

/* 20 periods: 40 zeros, alternately falling and rising, none left out and none found twice.
 * Errors of the phase grow with the square of time for methods that lose energy: 1e-6 is
 * plenty. */
static void a_run_that_goes_on_meets_every_zero_once(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        test_pendulum data = test_pendulum_default();
        double x0[5];
        int i = 0;
        test_pendulum_start(&data, 2.0, 0.0, x0);
        const double quarter = meeting_elliptic(sin(1.0)) / sqrt(data.g / data.L);
        meeting m = {.count = 1, .function = {sideways}, .name = {"lowest"}};
        meeting_begin(&m, methods[k].name, test_pendulum_create(&data), 1e-9, x0,
                      80.0 * quarter);
        for (const signed char *h = meeting_next(&m); h != NULL; h = meeting_next(&m), i++) {
            assert_int_equal(h[0], i % 2 == 0 ? -1 : 1);
            CHECK_NEAR(crank_integrator_time(m.it), (2 * i + 1) * quarter, 3e-5);
        }
        assert_int_equal(i, 40);
        const crank_statistics s = crank_integrator_statistics(m.it);
        assert_int_equal(s.events, 40);
        assert_true(s.event_steps >= 40 && s.event_steps <= 4 * 40);
        assert_int_equal(s.attempts,
                         s.steps + s.rejected_error + s.rejected_convergence + s.event_steps);
        meeting_end(&m);
    }
}

static void only_the_wanted_direction_counts(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        meeting m = {.count = 3,
                     .function = {meeting_height, meeting_height, speed},
                     .name = {"up", "down", "apex"},
                     .direction = {1, -1, 0}};
        meeting_begin(&m, methods[k].name, meeting_fall(), 1e-10, thrown, 5.0);
        const signed char *happened = meeting_next(&m);
        assert_non_null(happened);
        assert_int_equal(happened[0], 0);
        assert_int_equal(happened[1], 0);
        assert_int_equal(happened[2], -1);
        CHECK_NEAR(crank_integrator_time(m.it), 3.0 / meeting_gravity, 1e-12);
        happened = meeting_next(&m);
        assert_non_null(happened);
        assert_int_equal(happened[0], 0);
        assert_int_equal(happened[1], -1);
        assert_int_equal(happened[2], 0);
        assert_null(meeting_next(&m));
        meeting_end(&m);
    }
}

static void functions_that_are_zero_together_are_reported_together(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        meeting m = {.count = 4,
                     .function = {depth, speed, twice_height, meeting_height},
                     .name = {"depth", "apex", "twice", "rising"},
                     .direction = {0, 0, 0, 1}};
        const double x0[2] = {-1.0, 10.0}; /* the speed has no zero */
        meeting_begin(&m, methods[k].name, meeting_fall(), 1e-10, x0, 5.0);
        const signed char *happened = meeting_next(&m);
        assert_non_null(happened);
        assert_int_equal(happened[0], 1);
        assert_int_equal(happened[1], 0);
        assert_int_equal(happened[2], -1);
        assert_int_equal(happened[3], 0);
        assert_int_equal(crank_integrator_statistics(m.it).events, 2);
        assert_null(meeting_next(&m));
        meeting_end(&m);
    }
}

/* 1e-9 below the apex the body is for 2 sqrt(2e-9/g) = 2.9e-5 s. Neither end of a step nor an
 * equal part of it is likely to be there. */
static void two_zeros_in_one_step_are_both_found(void **state)
{
    const double half = sqrt(2e-9 / meeting_gravity), apex = 3.0 / meeting_gravity;
    for (int k = 0; k < METHODS; k++) {
        meeting m = {.count = 2,
                     .function = {just_below_the_apex, just_above_the_apex},
                     .name = {"below", "above"}};
        meeting_begin(&m, methods[k].name, meeting_fall(), 1e-10, thrown, 1.0);
        for (int i = 0; i < 2; i++) {
            const signed char *happened = meeting_next(&m);
            assert_non_null(happened);
            assert_int_equal(happened[0], i == 0 ? 1 : -1);
            assert_int_equal(happened[1], 0);
            /* the speed there is 1.4e-4: round-off of y = 10 makes 1e-11 */
            CHECK_NEAR(crank_integrator_time(m.it), apex + (i == 0 ? -half : half), 1e-9);
        }
        assert_null(meeting_next(&m));
        meeting_end(&m);
    }
}

/* rows of the step that ends at the event: on the parabola, and the last one is the state */
static void rows_before_an_event_belong_to_the_motion_that_ends_there(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        meeting m = {.count = 1, .function = {meeting_height}, .name = {"floor"}};
        meeting_begin(&m, methods[k].name, meeting_fall(), 1e-10, thrown, 5.0);
        assert_non_null(meeting_next(&m));
        const double end = crank_integrator_time(m.it), h = crank_integrator_last_step(m.it);
        for (int i = 0; i <= 4; i++) {
            const double t = i == 4 ? end : end - h + 0.25 * i * h;
            double x[2];
            CHECK_OK(crank_integrator_interpolate(m.it, t, x, &m.err), m.err);
            CHECK_NEAR(x[1], 10.0 + 3.0 * t - 0.5 * meeting_gravity * t * t, 1e-8);
            CHECK_NEAR(x[0], 3.0 - meeting_gravity * t, 1e-8);
        }
        meeting_end(&m);
    }
}

static void a_function_that_stays_zero_is_no_event(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        meeting m = {.count = 1, .function = {constant_zero}, .name = {"zero"}};
        meeting_begin(&m, methods[k].name, meeting_fall(), 1e-6, thrown, 1.0);
        assert_null(meeting_next(&m));
        meeting_end(&m);
    }
}

static void events_that_never_happen_change_no_bit(void **state)
{
    for (int k = 0; k < METHODS; k++) {
        test_pendulum data = test_pendulum_default();
        double x0[5];
        test_pendulum_start(&data, 2.0, 0.0, x0);
        meeting with = {.count = 1, .function = {never}, .name = {"never"}}, without = {0};
        meeting_begin(&with, methods[k].name, test_pendulum_create(&data), 1e-7, x0, 3.0);
        meeting_begin(&without, methods[k].name, test_pendulum_create(&data), 1e-7, x0, 3.0);
        while (!crank_integrator_finished(without.it)) {
            CHECK_OK(crank_integrator_step(with.it, &with.err), with.err);
            CHECK_OK(crank_integrator_step(without.it, &without.err), without.err);
            CHECK_NEAR(crank_integrator_time(with.it), crank_integrator_time(without.it), 0.0);
            assert_memory_equal(crank_integrator_state(with.it),
                                crank_integrator_state(without.it), sizeof x0);
        }
        assert_int_equal(crank_integrator_statistics(with.it).events, 0);
        meeting_end(&with);
        meeting_end(&without);
    }
}

/* equal intervals, however many, and a burst that ends are no accumulation */
static void ten_thousand_equal_intervals_do_not_end_the_run(void **state)
{
    meeting m = {.count = 1, .function = {waves}, .name = {"wave"}, .h_max = 0.02};
    int count = 0;
    meeting_begin(&m, "ode-dopri8", meeting_fall(), 1e-6, thrown, 100.0);
    for (; meeting_next(&m) != NULL; count++) {
        CHECK_NEAR(crank_integrator_time(m.it), 0.01 * count + 0.005, 1e-13);
    }
    assert_int_equal(count, 10000);
    meeting_end(&m);
}

static void a_burst_of_events_does_not_end_the_run(void **state)
{
    meeting m = {.count = 1, .function = {burst}, .name = {"burst"}, .h_max = 0.01};
    int count = 0;
    double last = 0.0;
    meeting_begin(&m, "psf-radau", meeting_fall(), 1e-6, thrown, 1.0);
    while (meeting_next(&m) != NULL) {
        count++;
        last = crank_integrator_time(m.it);
    }
    CHECK_NEAR(last, 0.7, 1e-15);
    assert_true(crank_integrator_finished(m.it));
    assert_int_equal(count, 12); /* 0.5, then at 0.609, 0.619, ... 0.699, then the jump to 1 */
    meeting_end(&m);
}

/* y = 10 + 3 t - g t^2/2 passes 10.2 twice; the methods follow a parabola to much less than
 * their tolerance */
static void a_function_that_jumps_over_zero_is_met_where_it_does(void **state)
{
    static const char *const tried[] = {"psf-radau", "psf-bdf", "ode-dopri8", "ode-adams"};
    const double root = sqrt(9.0 - 0.4 * meeting_gravity);
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        meeting m = {.count = 1, .function = {steps_down}, .name = {"stairs"}};
        meeting_begin(&m, tried[i], meeting_fall(), 1e-8, thrown, 1.0);
        assert_non_null(meeting_next(&m));
        CHECK_NEAR(crank_integrator_time(m.it), (3.0 - root) / meeting_gravity, 1e-11);
        assert_non_null(meeting_next(&m));
        CHECK_NEAR(crank_integrator_time(m.it), (3.0 + root) / meeting_gravity, 1e-11);
        assert_null(meeting_next(&m));
        meeting_end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_meets_the_floor_on_time),
        cmocka_unit_test(pendulum_is_at_its_lowest_point_on_time),
        cmocka_unit_test(a_run_that_goes_on_meets_every_zero_once),
        cmocka_unit_test(only_the_wanted_direction_counts),
        cmocka_unit_test(functions_that_are_zero_together_are_reported_together),
        cmocka_unit_test(two_zeros_in_one_step_are_both_found),
        cmocka_unit_test(rows_before_an_event_belong_to_the_motion_that_ends_there),
        cmocka_unit_test(a_function_that_stays_zero_is_no_event),
        cmocka_unit_test(events_that_never_happen_change_no_bit),
        cmocka_unit_test(ten_thousand_equal_intervals_do_not_end_the_run),
        cmocka_unit_test(a_burst_of_events_does_not_end_the_run),
        cmocka_unit_test(a_function_that_jumps_over_zero_is_met_where_it_does),
    };
    return CHECK_RUN(argc, argv, tests);
}
