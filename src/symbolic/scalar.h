/* scalar.h - the operations that math.h lacks, on numbers; one definition for folding and
 * the tape. crank_emit_c_prelude writes the same as C source. NaN goes through all of them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SYMBOLIC_SCALAR_H
#define CRANK_SRC_SYMBOLIC_SCALAR_H

#include <math.h>

/* Largest integer exponent that is multiplied out; pow() beyond. */
enum { SCALAR_MAX_POWER = 64 };

static inline double scalar_sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}

static inline double scalar_min(double a, double b)
{
    return a < b || a != a ? a : b;
}

static inline double scalar_max(double a, double b)
{
    return a > b || a != a ? a : b;
}

/* x^n, n >= 1, by repeated squaring from the lowest bit. */
static inline double scalar_power(double x, int n)
{
    double result = 1.0;
    for (;;) {
        if (n % 2 == 1) {
            result *= x;
        }
        n /= 2;
        if (n == 0) {
            return result;
        }
        x *= x;
    }
}

#endif
