/* test_dae_memory.c - the analysis of a DAE when memory runs out: a status, no crash, nothing
 * kept. */
// SPDX-License-Identifier: BSD-3-Clause
#include "fault/allocation_counter.h"
#include "unit/dae/dae_case.h"

static void begin(dae_case *c)
{
    dae_begin(c, 3, "1|0|0; 0|1|0; 0|0|0; 0|0|0",
              "x2; x3 + abs(x2); x1 - sin(t); 2*x1 - 2*sin(t)", (const double[]){0, 1, 0.1});
}

static void every_allocation_may_fail(void **state)
{
    int64_t n = 0;
    int refused = 0;
    for (bool reached = true; reached; n += 1 + n / 16) {
        dae_case c;
        begin(&c);
        allocation_counter_fail(n);
        dae_run(&c);
        reached = allocation_counter_failed();
        CHECK_STATUS(c.status, reached ? CRANK_EMEM : CRANK_OK);
        assert_int_equal(c.report == NULL, reached);
        assert_true(!reached || strlen(c.err.text) > 0);
        refused += reached ? 1 : 0;
        dae_end(&c);
    }
    assert_true(refused > 50);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return CHECK_RUN(argc, argv, tests);
}
