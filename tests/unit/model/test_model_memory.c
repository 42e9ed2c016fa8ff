/* test_model_memory.c - reading survives lack of memory, evaluating needs none. */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"
#include "read_without_memory.h"
#include "sample_models.h"

#include "fault/allocation_counter.h"

static void reading_survives_the_failure_of_every_allocation(void **state)
{
    check_reading_without_memory(sample_models, SAMPLE_MODELS);
}

static void evaluating_does_not_allocate(void **state)
{
    for (int s = 0; s < SAMPLE_MODELS; s++) {
        crank_state *model = read_model(sample_models[s]);
        crank_eom *eom = crank_state_eom(model);
        const double *x = crank_state_start(model);
        double k[64], values[1024];
        const crank_events events = crank_state_events(model);
        crank_error err = {0};
        allocation_counter_arm();
        crank_status status = crank_eom_evaluate(eom, 0.1, x, k, &err);
        if (status == CRANK_OK) {
            status = eom->supplier.jacobian(eom->self, 0.1, x, NULL, values, &err);
        }
        if (status == CRANK_OK) {
            status = eom->supplier.mass(eom->self, 0.1, x, values, &err);
        }
        if (status == CRANK_OK) {
            status = crank_state_columns(model, 0.1, x, values, &err);
        }
        if (status == CRANK_OK) {
            status = crank_state_begin(model, 0.1, x, &err);
        }
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
