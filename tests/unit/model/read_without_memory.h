/* read_without_memory.h - model files read while one allocation after the other fails. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_READ_WITHOUT_MEMORY_H
#define CRANK_TESTS_READ_WITHOUT_MEMORY_H

#include "check.h"
#include "fault/allocation_counter.h"
#include "one_state.h"

#include <crank/model.h>

#include <string.h>

/* Each ends with EMEM until there is no allocation left to fail. */
static inline void check_reading_without_memory(const char *const *samples, int count)
{
    for (int s = 0; s < count; s++) {
        for (int64_t n = 0;; n++) {
            crank_state *model = NULL;
            crank_error err = {0};
            allocation_counter_fail(n);
            const crank_status status =
                one_state_read_text("test", samples[s], strlen(samples[s]), NULL, &model, &err);
            const bool failed = allocation_counter_failed();
            one_state_close(model);
            if (!failed) {
                CHECK_OK(status, err);
                break;
            }
            CHECK_STATUS(status, CRANK_EMEM);
        }
    }
}

#endif
