/* processor.h - the clock of benchmarks. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_PROCESSOR_H
#define BENCH_PROCESSOR_H

#include <time.h>

/* Seconds that this process has had of a processor. */
static inline double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
