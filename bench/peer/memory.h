/* memory.h - memory for benchmarks; calls end the program when it is short. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

void *take(int count, unsigned long size); /* zeroed; the caller's to free() */
double *numbers(int count);

#endif
