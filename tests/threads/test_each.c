/* test_each.c - crank_run_each: many runs of one model, in one thread or several. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/run.h>

enum { RUNS = 40 };

/* x'' = -k x: x(1) = cos(sqrt(k)) */
static const char oscillator[] = "crank: equations\n"
                                 "parameters: {k: 4}\n"
                                 "positions: {x: {start: 1}}\n"
                                 "velocities: {v: {of: x}}\n"
                                 "mass: {diagonal: [1]}\n"
                                 "forces: [-k*x]\n"
                                 "simulate: {t_end: 1, rtol: 1e-9, atol: 1e-9}\n";

static crank_model *read_model(void)
{
    crank_model_options options = crank_model_options_default();
    const char *const vary = "k";
    crank_model *model = NULL;
    crank_error err = {0};
    options.vary = &vary;
    options.vary_count = 1;
    CHECK_OK(crank_model_read_text("m", oscillator, strlen(oscillator), &options, &model, &err),
             err);
    return model;
}

typedef struct sweep {
    int fails; /* every so many runs; 0: none */
    int visits[RUNS];
    double x[RUNS];
} sweep;

static crank_status swing(crank_run *run, int i, void *user, crank_error *err)
{
    sweep *s = user;
    s->visits[i]++;
    if (s->fails > 0 && (i + 1) % s->fails == 0) {
        return crank_fail(err, CRANK_ESTOP_OUTPUT, "run %d", i);
    }
    crank_status status = crank_run_set(run, "k", 1.0 + i, err);
    status = status == CRANK_OK ? crank_run_advance(run, 1.0, err) : status;
    s->x[i] = crank_run_value(run, "x");
    return status;
}

static void every_run_has_its_own_value_whatever_the_threads(void **state)
{
    static const int threads[] = {1, 2, 3, RUNS + 5};
    crank_model *model = read_model();
    sweep first = {0};
    for (int k = 0; k < 4; k++) {
        sweep s = {0};
        crank_error err = {0};
        CHECK_OK(crank_run_each(model, NULL, RUNS, threads[k], swing, &s, &err), err);
        for (int i = 0; i < RUNS; i++) {
            assert_int_equal(s.visits[i], 1);
            CHECK_NEAR(s.x[i], cos(sqrt(1.0 + i)), 1e-6); /* 1e3 tolerances: 40 are added up */
        }
        first = k == 0 ? s : first;
        assert_memory_equal(s.x, first.x, sizeof s.x);
    }
    crank_model_destroy(model);
}

static void the_failure_of_the_lowest_number_is_told_and_all_runs_are_done(void **state)
{
    crank_model *model = read_model();
    for (int threads = 1; threads <= 4; threads++) {
        sweep s = {.fails = 7};
        crank_error err = {0};
        CHECK_STATUS(crank_run_each(model, NULL, RUNS, threads, swing, &s, &err),
                     CRANK_ESTOP_OUTPUT);
        assert_string_equal(err.text, "run 6");
        for (int i = 0; i < RUNS; i++) {
            assert_int_equal(s.visits[i], 1);
        }
        CHECK_STATUS(crank_run_each(model, NULL, RUNS, threads, swing, &s, NULL),
                     CRANK_ESTOP_OUTPUT);
    }
    crank_model_destroy(model);
}

static void a_method_that_is_not_there_is_told_before_any_run(void **state)
{
    crank_model *model = read_model();
    crank_run_options options = crank_run_options_default();
    sweep s = {0};
    crank_error err = {0};
    options.method = "none";
    CHECK_STATUS(crank_run_each(model, &options, RUNS, 2, swing, &s, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "none");
    assert_int_equal(s.visits[0], 0);
    crank_model_destroy(model);
}

static void no_runs_are_fine_and_no_threads_are_refused(void **state)
{
    crank_model *model = read_model();
    sweep s = {0};
    crank_error err = {0};
    CHECK_OK(crank_run_each(model, NULL, 0, 2, swing, &s, &err), err);
    assert_int_equal(s.visits[0], 0);
    CHECK_STATUS(crank_run_each(model, NULL, RUNS, 0, swing, &s, &err), CRANK_EARG);
    CHECK_STATUS(crank_run_each(model, NULL, -1, 2, swing, &s, &err), CRANK_EARG);
    crank_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_has_its_own_value_whatever_the_threads),
        cmocka_unit_test(the_failure_of_the_lowest_number_is_told_and_all_runs_are_done),
        cmocka_unit_test(a_method_that_is_not_there_is_told_before_any_run),
        cmocka_unit_test(no_runs_are_fine_and_no_threads_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
