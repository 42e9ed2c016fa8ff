/* test_unknowns.c - problems whose unknowns are not those of their eom: the pendulum in one
 * angle (angle.h) with every integrator, its rows, events, restarts and checkpoints; and ggl,
 * which has more. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "angle.h"
#include "order/run.h"

#include <stdlib.h>

static const struct {
    const char *name;
    bool is_explicit;
    double tolerance;
} methods[] = {{"radau", false, 1e-8},      {"bdf", false, 1e-8},   {"sdirk2", false, 1e-6},
               {"dopri8", true, 1e-8},      {"dopri5", true, 1e-8}, {"adams", true, 1e-8},
               {"trapezoidal", false, 1e-5}};
enum { METHODS = sizeof methods / sizeof *methods, ROWS = 17, N = 5 };

static const double first_angle = 1.1, first_speed = 2.0, t_end = 3.0;

typedef struct motion {
    double x[ROWS][N];
} motion;

/* rows at equal distances, between steps and at the end */
static void take_rows(crank_integrator *it, motion *m)
{
    crank_error err = {0};
    for (int i = 0; i < ROWS; i++) {
        const double t = t_end * (i + 1) / ROWS;
        while (crank_integrator_time(it) < t) {
            CHECK_OK(crank_integrator_step(it, &err), err);
        }
        CHECK_OK(crank_integrator_interpolate(it, t, m->x[i], &err), err);
    }
}

static motion motion_of_psf(void)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-11);
    motion m;
    double start[N];
    run r;
    test_pendulum_start(&data, first_angle, first_speed, start);
    run_begin(&r, "psf-radau", eom, &options, 0.0, start, t_end);
    take_rows(r.it, &m);
    run_end(&r);
    crank_eom_destroy(eom);
    return m;
}

/* an integrator on the pendulum in one angle, started */
typedef struct swing {
    test_pendulum data;
    angle problem;
    crank_options options;
    crank_integrator *it;
    crank_error err;
} swing;

static void create(swing *s, int method)
{
    *s = (swing){.data = test_pendulum_default()};
    s->options = run_tolerance(methods[method].tolerance);
    angle_create(&s->problem, &s->data, methods[method].is_explicit);
    CHECK_OK(crank_integrator_create(methods[method].name, &s->problem.base, &s->options,
                                     &s->it, &s->err),
             s->err);
}

static void start(swing *s)
{
    double x[N];
    test_pendulum_start(&s->data, first_angle, first_speed, x);
    CHECK_OK(crank_integrator_start(s->it, 0.0, x, t_end, &s->err), s->err);
}

/* Each step adds an error up to the tolerance, and of the position one that grows with the
 * time since: up to twice as much in all. */
static double limit(const swing *s)
{
    return 2.0 * (double)crank_integrator_statistics(s->it).steps * s->options.rtol;
}

/* ---- rows ---- */

static void a_pendulum_in_one_angle_moves_as_psf_radau_says(void **state)
{
    const motion reference = motion_of_psf();
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        swing s;
        motion m;
        create(&s, i);
        start(&s);
        take_rows(s.it, &m);
        for (int row = 0; row < ROWS; row++) {
            for (int j = 0; j < N; j++) {
                const double size = 1.0 + fabs(reference.x[row][j]);
                CHECK_NEAR(m.x[row][j], reference.x[row][j], limit(&s) * size);
            }
            const double *x = m.x[row];
            CHECK_NEAR(hypot(x[3], x[4]), s.data.L, 4e-16);
            CHECK_NEAR(x[3] * x[1] + x[4] * x[2], 0.0, 4e-15);
        }
        crank_integrator_destroy(s.it);
    }
}

static void the_state_is_that_of_the_eom_and_the_row_at_the_end_of_a_step(void **state)
{
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        double x[N];
        swing s;
        create(&s, i);
        start(&s);
        for (int step = 0; step < 5; step++) {
            CHECK_OK(crank_integrator_interpolate(s.it, crank_integrator_time(s.it), x, &s.err),
                     s.err);
            assert_memory_equal(x, crank_integrator_state(s.it), sizeof x);
            CHECK_OK(crank_integrator_step(s.it, &s.err), s.err);
        }
        crank_integrator_destroy(s.it);
    }
}

static void tolerances_are_those_of_the_unknowns_of_the_eom(void **state)
{
    const double loose[N] = {1e-3, 1e-3, 1e-9, 1e-3, 1e-9},
                 tight[N] = {1e-3, 1e-9, 1e-3, 1e-9, 1e-3};
    int64_t steps[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        swing s;
        create(&s, 0);
        const double *tolerance = i == 0 ? loose : tight;
        CHECK_OK(crank_integrator_set_tolerances(s.it, tolerance, tolerance, &s.err), s.err);
        start(&s);
        CHECK_OK(crank_integrator_solve_to(s.it, t_end, &s.err), s.err);
        steps[i] = crank_integrator_statistics(s.it).steps;
        crank_integrator_destroy(s.it);
    }
    assert_true(steps[1] > 3 * steps[0]); /* those of vx and x count, others do not */
}

/* ---- failures ---- */

static void a_start_that_does_not_hold_is_refused_by_the_formulation_s_name(void **state)
{
    const double off[N] = {0.0, 0.0, 0.0, 0.5, -0.5};
    const double nowhere[N] = {0.0, 0.0, 0.0, (double)NAN, -0.5};
    swing s;
    (void)state;
    create(&s, 0);
    CHECK_STATUS(crank_integrator_start(s.it, 0.0, off, t_end, &s.err), CRANK_EINCONSISTENT);
    CHECK_CONTAINS(s.err.text, "angle cannot start at t = 0: the point is not on the circle");
    CHECK_STATUS(crank_integrator_start(s.it, 0.0, nowhere, t_end, &s.err), CRANK_ENOTFINITE);
    CHECK_CONTAINS(s.err.text, "unknown 4");
    start(&s);
    CHECK_STATUS(crank_integrator_restart(s.it, off, &s.err), CRANK_EINCONSISTENT);
    crank_integrator_destroy(s.it);
}

static void a_motion_that_is_lost_ends_the_run_and_says_so(void **state)
{
    double x[N];
    swing s;
    (void)state;
    create(&s, 0);
    start(&s);
    CHECK_OK(crank_integrator_step(s.it, &s.err), s.err);
    s.problem.lost = true;
    CHECK_STATUS(
        crank_integrator_interpolate(s.it, 0.5 * crank_integrator_time(s.it), x, &s.err),
        CRANK_EINCONSISTENT);
    CHECK_CONTAINS(s.err.text, "angle does not know the motion");
    CHECK_OK(crank_integrator_step(s.it, &s.err), s.err); /* the next call tells */
    CHECK_STATUS(crank_integrator_step(s.it, &s.err), CRANK_EINCONSISTENT);
    CHECK_CONTAINS(s.err.text, "the angle is lost");
    crank_integrator_destroy(s.it);
}

/* ---- events ---- */

/* the pendulum reaches the wall at x = 0.3, from the left */
static crank_status reach_wall(void *user, double t, const double *x, double *values,
                               crank_error *err)
{
    (void)user;
    (void)t;
    (void)err;
    values[0] = 0.3 - x[3];
    return CRANK_OK;
}

enum { BOUNCES = 3 };

/* times and speeds of elastic bounces off the wall */
static void bounce(crank_integrator *it, double (*found)[2])
{
    crank_error err = {0};
    for (int i = 0; i < BOUNCES; i++) {
        double x[N];
        CHECK_OK(crank_integrator_solve_to(it, 10.0, &err), err);
        assert_non_null(crank_integrator_events(it));
        memcpy(x, crank_integrator_state(it), sizeof x);
        CHECK_NEAR(x[3], 0.3, 1e-14);
        found[i][0] = crank_integrator_time(it);
        found[i][1] = x[1];
        x[1] = -x[1];
        x[2] = -x[2];
        CHECK_OK(crank_integrator_restart(it, x, &err), err);
    }
}

static void events_and_impulses_speak_of_the_unknowns_of_the_eom(void **state)
{
    static const char *const name[] = {"wall"};
    static const signed char falls[] = {-1};
    const crank_events events = {
        .count = 1, .evaluate = reach_wall, .name = name, .direction = falls};
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-11);
    double reference[BOUNCES][2], x[N];
    run r = {0};
    (void)state;
    test_pendulum_start(&data, -1.1, 0.0, x);
    CHECK_OK(crank_formulate("psf", eom, &options, 0.0, x, (crank_log){0}, &r.problem, &r.err),
             r.err);
    CHECK_OK(crank_integrator_create("radau", r.problem, &options, &r.it, &r.err), r.err);
    CHECK_OK(crank_integrator_set_events(r.it, &events, &r.err), r.err);
    CHECK_OK(crank_integrator_start(r.it, 0.0, x, 10.0, &r.err), r.err);
    bounce(r.it, reference);
    run_end(&r);
    for (int i = 0; i < METHODS; i++) {
        double found[BOUNCES][2];
        swing s;
        create(&s, i);
        CHECK_OK(crank_integrator_set_events(s.it, &events, &s.err), s.err);
        CHECK_OK(crank_integrator_start(s.it, 0.0, x, 10.0, &s.err), s.err);
        bounce(s.it, found);
        for (int j = 0; j < BOUNCES; j++) {
            CHECK_NEAR(found[j][0], reference[j][0], limit(&s));
            CHECK_NEAR(found[j][1], reference[j][1], limit(&s) * (1.0 + fabs(reference[j][1])));
        }
        crank_integrator_destroy(s.it);
    }
    crank_eom_destroy(eom);
}

/* ---- checkpoints ---- */

static void a_run_that_is_saved_and_loaded_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        swing s, again;
        void *data = NULL;
        size_t size = 0;
        double x[N], y[N];
        create(&s, i);
        start(&s);
        for (int step = 0; step < 7; step++) {
            CHECK_OK(crank_integrator_step(s.it, &s.err), s.err);
        }
        CHECK_OK(crank_integrator_save(s.it, &data, &size, &s.err), s.err);
        create(&again, i);
        start(&again);
        CHECK_OK(crank_integrator_load(again.it, data, size, &again.err), again.err);
        free(data);
        do {
            const double middle =
                crank_integrator_time(s.it) - 0.5 * crank_integrator_last_step(s.it);
            assert_memory_equal(crank_integrator_state(s.it), crank_integrator_state(again.it),
                                sizeof x);
            CHECK_OK(crank_integrator_interpolate(s.it, middle, x, &s.err), s.err);
            CHECK_OK(crank_integrator_interpolate(again.it, middle, y, &again.err), again.err);
            assert_memory_equal(x, y, sizeof x);
            CHECK_OK(crank_integrator_step(s.it, &s.err), s.err);
            CHECK_OK(crank_integrator_step(again.it, &again.err), again.err);
        } while (!crank_integrator_finished(s.it));
        assert_memory_equal(crank_integrator_state(s.it), crank_integrator_state(again.it),
                            sizeof x);
        crank_integrator_destroy(s.it);
        crank_integrator_destroy(again.it);
    }
}

/* ---- more unknowns than the eom has ---- */

static void unknowns_of_a_formulation_s_own_are_neither_given_nor_shown(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-8);
    double x[N], given[N + 1] = {0}, inside[N + 1] = {0}, guard = 42.0;
    run r;
    (void)state;
    test_pendulum_start(&data, first_angle, first_speed, x);
    run_begin(&r, "ggl-radau", eom, &options, 0.0, x, t_end);
    crank_problem *p = r.problem;
    assert_int_equal(p->n, N + 1);
    assert_int_equal(crank_problem_given(p), N);
    assert_int_equal(p->unknowns->column[N], -1);
    inside[N] = 1.0;
    CHECK_OK(p->unknowns->reduce(p, 0.0, x, inside, &r.err), r.err);
    CHECK_NEAR(inside[N], 0.0, 0.0);
    given[N] = guard;
    CHECK_OK(run_to_end(&r), r.err);
    CHECK_OK(crank_integrator_interpolate(r.it, t_end, given, &r.err), r.err);
    CHECK_NEAR(given[N], guard, 0.0);
    run_end(&r);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_in_one_angle_moves_as_psf_radau_says),
        cmocka_unit_test(the_state_is_that_of_the_eom_and_the_row_at_the_end_of_a_step),
        cmocka_unit_test(tolerances_are_those_of_the_unknowns_of_the_eom),
        cmocka_unit_test(a_start_that_does_not_hold_is_refused_by_the_formulation_s_name),
        cmocka_unit_test(a_motion_that_is_lost_ends_the_run_and_says_so),
        cmocka_unit_test(events_and_impulses_speak_of_the_unknowns_of_the_eom),
        cmocka_unit_test(a_run_that_is_saved_and_loaded_goes_on_with_the_same_bits),
        cmocka_unit_test(unknowns_of_a_formulation_s_own_are_neither_given_nor_shown),
    };
    return CHECK_RUN(argc, argv, tests);
}
