/* random.h - reproducible random numbers for the tests: xorshift64*, the same on every
 * machine. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_RANDOM_H
#define CRANK_TESTS_RANDOM_H

#include <stdint.h>

typedef struct random_source {
    uint64_t state; /* not zero */
} random_source;

static inline uint64_t random_bits(random_source *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * UINT64_C(2685821657736338717);
}

/* uniform in [-1, 1) */
static inline double random_real(random_source *r)
{
    return (double)(random_bits(r) >> 11) / 4503599627370496.0 - 1.0;
}

/* 0 .. count - 1 */
static inline int random_int(random_source *r, int count)
{
    return (int)((random_bits(r) >> 33) % (uint64_t)count);
}

static inline void random_fill(random_source *r, int count, double *values)
{
    for (int i = 0; i < count; i++) {
        values[i] = random_real(r);
    }
}

#endif
