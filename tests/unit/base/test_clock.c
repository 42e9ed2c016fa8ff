/* test_clock.c - the clock runs forward, in seconds. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/clock.h"
#include "check.h"

#include <time.h>

static void clock_never_goes_back(void **state)
{
    double before = crank_clock_seconds();
    for (int i = 0; i < 1000; i++) {
        const double now = crank_clock_seconds();
        assert_true(now >= before);
        before = now;
    }
}

static void clock_counts_seconds(void **state)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    const double before = crank_clock_seconds();
    assert_int_equal(nanosleep(&pause, NULL), 0);
    const double passed = crank_clock_seconds() - before;
    assert_true(passed >= 0.0199); /* the pause, up to the clock's resolution */
    assert_true(passed < 60.0);    /* a loaded machine, but not another unit */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clock_never_goes_back),
        cmocka_unit_test(clock_counts_seconds),
    };
    return CHECK_RUN(argc, argv, tests);
}
