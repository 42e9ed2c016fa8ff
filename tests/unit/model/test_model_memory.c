/* test_model_memory.c - reading survives lack of memory, evaluating needs none. */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"
#include "read_without_memory.h"
#include "sample_models.h"

#include "base/then.h"
#include "fault/allocation_counter.h"

static const char *const dae_models[] = {
    "crank: dae\ntitle: all\nparameters: {a: 2, b: a^2}\ninputs: {w: sin(t)}\n"
    "let: {r2: x^2 + y^2, push: f + 0*r2}\n"
    "variables: {x: 0.6, y: {start: -0.8, unit: m}, u: 0.8, v: 0.6, l: 1, f: 3, extra: 1}\n"
    "equations:\n  - x' = u\n  - y' = v\n  - u' = -2*x*l + push\n  - v' = -b - 2*y*l\n"
    "  - length: x^2 + y^2 = 1\n  - extra' = -extra\n  - x*extra' = -x*extra\n"
    "prescribe: {f: w}\noutputs: {energy: {value: u^2 + speed^2, unit: J}, speed: "
    "v}\nsimulate: {t_end: 2}\n",
    "crank: dae\nvariables: [x]\nequations: {a: der(x) = 1}\n",
};
enum { DAE_MODELS = sizeof dae_models / sizeof *dae_models };

static void reading_survives_the_failure_of_every_allocation(void **state)
{
    check_reading_without_memory(sample_models, SAMPLE_MODELS);
    check_reading_without_memory(dae_models, DAE_MODELS);
}

static void evaluating_does_not_allocate(void **state)
{
    for (int s = 0; s < SAMPLE_MODELS + DAE_MODELS; s++) {
        crank_state *model =
            read_model(s < SAMPLE_MODELS ? sample_models[s] : dae_models[s - SAMPLE_MODELS]);
        crank_eom *eom = crank_state_eom(model);
        const double *x = crank_state_start(model);
        double k[64], values[1024];
        const crank_events events = crank_state_events(model);
        crank_error err = {0};
        allocation_counter_arm();
        crank_status status = crank_eom_evaluate(eom, 0.1, x, k, &err);
        CRANK_THEN(status, eom->supplier.jacobian(eom->self, 0.1, x, NULL, values, &err));
        CRANK_THEN(status, eom->supplier.mass(eom->self, 0.1, x, values, &err));
        if (status == CRANK_OK && eom->supplier.stage != NULL) {
            status = eom->supplier.stage(eom->self, 0.1, x, k, values, &err);
        }
        if (eom->supplier.accepted != NULL) {
            (void)eom->supplier.accepted(eom->self, 0.1, x, NULL);
        }
        CRANK_THEN(status, crank_eom_evaluate(eom, 0.1, x, k, &err));
        CRANK_THEN(status, crank_state_columns(model, 0.1, x, values, &err));
        CRANK_THEN(status, crank_state_begin(model, 0.1, x, &err));
        if (status == CRANK_OK && events.count > 0) {
            status = events.evaluate(events.user, 0.1, x, values, &err);
        }
        const int64_t count = allocation_counter_disarm();
        CHECK_OK(status, err);
        assert_int_equal(count, 0);
        one_state_close(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_survives_the_failure_of_every_allocation),
        cmocka_unit_test(evaluating_does_not_allocate),
    };
    return CHECK_RUN(argc, argv, tests);
}
