/* test_joint_memory.c - building any joint survives lack of memory and says so. */
// SPDX-License-Identifier: BSD-3-Clause
#include "fault/allocation_counter.h"
#include "joint_examples.h"
#include "mechanism.h"

static void joints_report_lack_of_memory(void **state)
{
    for (int i = 0; i < EXAMPLES; i++) {
        char text[4000];
        (void)snprintf(text, sizeof text, "%s%s", examples[i].head, examples[i].joints);
        for (int64_t n = 0;; n++) {
            mechanism m;
            allocation_counter_fail(n);
            crank_status status = mechanism_try(&m, text);
            bool failed = allocation_counter_failed();
            mechanism_end(&m);
            if (!failed) {
                CHECK_OK(status, m.err);
                break;
            }
            /* a search for better messages may give up without harm */
            if (status != CRANK_EMEM && status != CRANK_OK) {
                fail_msg("%s, allocation %d: %s: %s", examples[i].name, (int)n,
                         crank_status_name(status), m.err.text);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_report_lack_of_memory),
    };
    return CHECK_RUN(argc, argv, tests);
}
