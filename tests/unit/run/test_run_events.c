/* test_run_events.c - what events of a model cost a run: those that only set a parameter a
 * restart. Counts, no times. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/run.h>

#include <stdlib.h>

/* a door with redundant hinges whose closer is switched on and off by its speed */
static const char closer[] = "tests/cross/cases/closer.yaml";

static crank_run *open_run(const char *method)
{
    static const crank_setting tolerances[] = {{"rtol", "1e-7"}, {"atol", "1e-7"}};
    crank_run_options options = crank_run_options_default();
    crank_run *run = NULL;
    crank_error err = {0};
    options.method = method;
    options.t_end = 4.0;
    options.options = tolerances;
    options.option_count = 2;
    CHECK_OK(crank_run_open(closer, &options, &run, &err), err);
    return run;
}

static crank_statistics so_far(crank_run *run)
{
    return crank_integrator_statistics(crank_run_integrator(run));
}

/* At most what three accepted steps take; positions and velocities stay to the bit, and the
 * multipliers after it belong to them. */
static void setting_a_parameter_costs_a_restart(void **state)
{
    static const char *const methods[] = {"ode-dopri8", "psf-radau", "psf-bdf", "auto"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        crank_run *run = open_run(methods[i]);
        crank_error err = {0};
        crank_event_outcome outcome;
        int events = 0;
        crank_statistics before = {0}, after = {0};
        while (!crank_run_finished(run)) {
            CHECK_OK(crank_run_step(run, &err), err);
            if (!crank_run_happened(run)) {
                continue;
            }
            const crank_eom *eom = crank_run_eom(run);
            const size_t n = (size_t)crank_eom_unknowns(eom);
            double *x = malloc(n * sizeof *x), residual[3];
            assert_non_null(x);
            memcpy(x, crank_integrator_state(crank_run_integrator(run)), n * sizeof *x);
            before = so_far(run);
            CHECK_OK(crank_run_happen(run, &outcome, &err), err);
            after = so_far(run);
            const double *now = crank_run_state(run);
            const int first = crank_eom_column(eom, CRANK_V);
            const int last = crank_eom_column(eom, CRANK_S);
            assert_true(outcome.changed && !outcome.stop);
            assert_memory_equal(now + first, x + first, (size_t)(last - first) * sizeof *x);
            CHECK_OK(crank_eom_residuals(crank_run_eom(run), crank_run_time(run), now, residual,
                                         &err),
                     err);
            assert_true(residual[2] < 1e-12);
            /* the mean of the steps so far, their parts that were made again among them */
            const double steps = (double)(before.steps + before.event_steps);
            assert_true((double)(after.evaluations - before.evaluations) <=
                        3.0 * (double)before.evaluations / steps + 1.0);
            assert_true(after.jacobians - before.jacobians <= 3);
            assert_true(after.predecompositions - before.predecompositions <= 3);
            free(x);
            events++;
        }
        assert_true(events >= 4);
        crank_run_close(run);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_a_parameter_costs_a_restart),
    };
    return CHECK_RUN(argc, argv, tests);
}
