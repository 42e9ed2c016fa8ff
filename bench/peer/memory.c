/* memory.c - memory for benchmarks, see memory.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

void *take(int count, unsigned long size)
{
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

double *numbers(int count)
{
    return take(count, sizeof(double));
}
