/* branches_complex.c - branches_kernel.h for complex matrices: pairs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/branches.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

typedef struct pair {
    double re, im;
} pair;

static const pair zero = {0.0, 0.0};

static inline pair of(double x)
{
    return (pair){x, 0.0};
}

static inline pair add(pair a, pair b)
{
    return (pair){a.re + b.re, a.im + b.im};
}

static inline pair sub(pair a, pair b)
{
    return (pair){a.re - b.re, a.im - b.im};
}

static inline pair mul(pair a, pair b)
{
    return (pair){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline pair scale(double f, pair a)
{
    return (pair){f * a.re, f * a.im};
}

/* without squares that leave the range: by the larger part */
static inline pair inverse_of(pair a)
{
    if (fabs(a.re) >= fabs(a.im)) {
        const double f = a.im / a.re, d = a.re + a.im * f;
        return (pair){1.0 / d, -f / d};
    }
    const double f = a.re / a.im, d = a.re * f + a.im;
    return (pair){f / d, -1.0 / d};
}

static inline bool is_bad(pair a)
{
    return !isfinite(a.re) || !isfinite(a.im);
}

#define NUMBER                 pair
#define ZERO                   zero
#define NUMBER_OF(x)           of(x)
#define ADD(a, b)              add(a, b)
#define SUB(a, b)              sub(a, b)
#define MUL(a, b)              mul(a, b)
#define SCALE(f, a)            scale(f, a)
#define SIZE(a)                (fabs((a).re) + fabs((a).im))
#define INVERT(a)              inverse_of(a)
#define IS_BAD(a)              is_bad(a)
#define LU_FACTOR(n, A, pivot) crank_zlu_factor(n, (double *)(A), n, pivot)
#define LU_SOLVE(n, A, pivot, b)                                                               \
    crank_zlu_solve(n, (const double *)(A), n, pivot, (double *)(b))
#define FACTOR crank_branches_factor_complex
#define SOLVE  crank_branches_solve_complex

#include "linalg/branches_kernel.h"
