/* test_events_models.c - events in runs of model files: within passages of singular positions,
 * where steps cannot simply be made shorter. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/create.h"
#include "meeting.h"
#include "one_state.h"

#include <crank/model.h>

#include <stdlib.h>

/* f = t - *user */
static crank_status clock_strikes(void *user, double t, const double *x, double *values,
                                  crank_error *err)
{
    (void)x;
    (void)err;
    values[0] = t - *(const double *)user;
    return CRANK_OK;
}

typedef struct passage {
    double begin, end; /* of the first one */
    double met;        /* time of the event, NAN: none */
    double *x;         /* at the end of the run */
    int n;
    crank_statistics statistics;
} passage;

/* The four-bar linkage through its singular positions, with an event at time `strike`, at which
 * the run may start again. */
static passage pass(double strike, bool restarts)
{
    static const char *const names[] = {"strike"};
    const crank_model_options model_options = crank_model_options_default();
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    crank_options options = crank_options_default();
    crank_state *model = NULL;
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    crank_error err = {0};
    passage p = {.begin = (double)NAN, .met = (double)NAN};
    CHECK_OK(one_state_read("models/four-bar/four-bar.yaml", &model_options, &model, &err),
             err);
    crank_eom *eom = crank_state_eom(model);
    p.n = crank_eom_unknowns(eom);
    p.x = calloc((size_t)p.n, sizeof *p.x);
    assert_non_null(p.x);
    memcpy(p.x, crank_state_start(model), (size_t)p.n * sizeof *p.x);
    initial.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(eom, 0.0, p.x, &initial, &report, (crank_log){0}, &err), err);
    CHECK_OK(crank_state_begin(model, 0.0, p.x, &err), err);
    options.rtol = options.atol = 1e-8;
    options.singular = CRANK_SINGULAR_PASS;
    CHECK_OK(crank_formulate("psf", eom, &options, 0.0, p.x, (crank_log){0}, &problem, &err),
             err);
    CHECK_OK(crank_integrator_create("radau", problem, &options, &it, &err), err);
    const crank_events events = {
        .count = 1, .evaluate = clock_strikes, .name = names, .user = &strike};
    CHECK_OK(crank_integrator_set_events(it, &events, &err), err);
    CHECK_OK(crank_integrator_start(it, 0.0, p.x, 2.0, &err), err);
    while (!crank_integrator_finished(it)) {
        CHECK_OK(crank_integrator_step(it, &err), err);
        const double t = crank_integrator_time(it);
        if (isnan(crank_integrator_last_error(it)) && isnan(p.begin)) {
            p.begin = t - crank_integrator_last_step(it);
            p.end = t;
        }
        memcpy(p.x, crank_integrator_state(it), (size_t)p.n * sizeof *p.x);
        if (crank_integrator_events(it) != NULL) {
            assert_true(isnan(p.met));
            p.met = t;
            if (restarts) {
                CHECK_OK(crank_integrator_restart(it, p.x, &err), err);
            }
        }
    }
    p.statistics = crank_integrator_statistics(it);
    crank_integrator_destroy(it);
    crank_problem_destroy(problem);
    one_state_close(model);
    return p;
}

/* Positions end where they end without an event; a start near the singular position amplifies
 * 1e-8 a little. */
static void events_within_a_passage_are_met_and_the_run_goes_on(void **state)
{
    passage plain = pass(1e9, false);
    assert_true(plain.end > plain.begin);
    assert_true(isnan(plain.met));
    for (int i = 1; i < 8; i++) {
        const double strike = plain.begin + 0.125 * i * (plain.end - plain.begin);
        passage p = pass(strike, i % 2 == 1);
        CHECK_NEAR(p.met, strike, 1e-14);
        assert_int_equal(p.statistics.events, 1);
        assert_true(p.statistics.event_steps > 0);
        assert_int_equal(p.statistics.singular_passages, plain.statistics.singular_passages);
        double largest = 0.0;
        for (int j = p.n / 2; j < p.n; j++) {
            largest = fmax(largest, fabs(p.x[j] - plain.x[j]));
        }
        CHECK_NEAR(largest, 0.0, 1e-6);
        free(p.x);
    }
    free(plain.x);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_within_a_passage_are_met_and_the_run_goes_on),
    };
    return CHECK_RUN(argc, argv, tests);
}
