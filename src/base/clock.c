/* clock.c - the monotonic clock of POSIX. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/clock.h"

#include <time.h>

double crank_clock_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0.0;
    }
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
