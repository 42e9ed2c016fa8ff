/* test_run_watch.c - events of the caller's: of a model beside its own, and of equations in C. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/run.h>

#include <math.h>

enum { ROOM = 16 };

typedef struct watcher {
    int column;       /* the unknown whose zeros are looked for */
    int calls, count; /* of evaluate; of zeros */
    int stop_at;      /* 0: never */
    double t[ROOM], x[ROOM];
    int sense[ROOM];
} watcher;

static crank_status value_of(void *user, double t, const double *x, double *values,
                             crank_error *err)
{
    watcher *w = user;
    (void)t;
    (void)err;
    w->calls++;
    values[0] = x[w->column];
    return CRANK_OK;
}

static crank_status happen(void *user, const signed char *happened, double t, const double *x,
                           bool *stop, crank_error *err)
{
    watcher *w = user;
    (void)err;
    assert_true(w->count < ROOM && happened[0] != 0);
    w->t[w->count] = t;
    w->x[w->count] = x[w->column];
    w->sense[w->count] = happened[0];
    w->count++;
    *stop = w->count == w->stop_at;
    return CRANK_OK;
}

static crank_run_options watching(const crank_events *events)
{
    static const crank_setting tolerances[] = {{"rtol", "1e-9"}, {"atol", "1e-9"}};
    crank_run_options options = crank_run_options_default();
    options.options = tolerances;
    options.option_count = 2;
    options.events = events;
    options.happen = happen;
    return options;
}

static const char *const names[] = {"mine"};

/* A ball that falls 1.25 m with 10 m/s2 and keeps 0.8 of its speed: floor at 0.5, 1.3, 1.94 s; it
 * is highest at 0.9, 1.62, 2.196 s. Its velocity jumps through zero at the floor, upwards. */
static void of_a_model_are_found_beside_its_own(void **state)
{
    static const double highest[] = {0.9, 1.62, 2.196};
    static const signed char falling[] = {-1};
    for (int stop_at = 0; stop_at <= 2; stop_at += 2) {
        watcher w = {.stop_at = stop_at};
        const crank_events events = {
            .count = 1, .evaluate = value_of, .name = names, .direction = falling, .user = &w};
        crank_run_options options = watching(&events);
        crank_run *run = NULL;
        crank_error err = {0};
        options.t_end = 2.3;
        CHECK_OK(
            crank_run_open("models/bouncing-ball/bouncing-ball.yaml", &options, &run, &err),
            err);
        w.column = crank_eom_column(crank_run_eom(run), CRANK_V);
        CHECK_OK(crank_run_advance(run, 2.3, &err), err);
        assert_int_equal(w.count, stop_at > 0 ? stop_at : 3);
        for (int i = 0; i < w.count; i++) {
            CHECK_NEAR(w.t[i], highest[i], 1e-8);
            CHECK_NEAR(w.x[i], 0.0, 1e-7);
            assert_int_equal(w.sense[i], -1);
        }
        assert_true(crank_run_stopped(run) == (stop_at > 0));
        CHECK_NEAR(crank_run_time(run), stop_at > 0 ? highest[1] : 2.3, 1e-8);
        /* of its own events the floor's were three, or two before the stop: 0.8^(2k) of 6.25 J */
        CHECK_NEAR(crank_run_value(run, "energy"), 6.25 * pow(0.64, stop_at > 0 ? 2 : 3), 1e-6);
        crank_run_close(run);
    }
}

static crank_status oscillator(double t, const double *x, double *k, void *user)
{
    const crank_eom *eom = *(crank_eom *const *)user;
    (void)t;
    k[crank_eom_row(eom, CRANK_ROW_DYN)] = -x[crank_eom_column(eom, CRANK_P)];
    k[crank_eom_row(eom, CRANK_ROW_KIN)] = x[crank_eom_column(eom, CRANK_V)];
    return CRANK_OK;
}

static void of_equations_in_c_are_found_in_both_senses(void **state)
{
    const double half = 2.0 * atan(1.0);
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    watcher w = {0};
    const crank_events events = {.count = 1, .evaluate = value_of, .name = names, .user = &w};
    crank_run_options options = watching(&events);
    d.sizes = (crank_eom_sizes){.p = 1, .v = 1};
    d.evaluate = oscillator;
    d.user = &eom;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    w.column = crank_eom_column(eom, CRANK_P);
    const double start[] = {0.0, 1.0}; /* v, p */
    options.method = "auto";
    options.t_end = 10.0;
    CHECK_OK(crank_run_open_eom(eom, 0.0, start, &options, &run, &err), err);
    CHECK_OK(crank_run_advance(run, 10.0, &err), err);
    assert_int_equal(w.count, 3);
    for (int i = 0; i < w.count; i++) {
        CHECK_NEAR(w.t[i], (2 * i + 1) * half, 1e-7);
        assert_int_equal(w.sense[i], i % 2 == 0 ? -1 : 1);
    }
    assert_false(crank_run_stopped(run));
    crank_run_close(run);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_model_are_found_beside_its_own),
        cmocka_unit_test(of_equations_in_c_are_found_in_both_senses),
    };
    return CHECK_RUN(argc, argv, tests);
}
