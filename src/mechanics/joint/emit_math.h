/* emit_math.h - vectors and 3x3 matrices (row-major) of traced numbers. Results are other
 * arrays than operands. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_EMIT_MATH_H
#define CRANK_SRC_EMIT_MATH_H

#include "symbolic/trace.h"

#include <string.h>

typedef crank_trace T;
typedef crank_traced N;

static inline void emit_known(T *t, int n, const double *value, N *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = crank_trace_number(t, value[i]);
    }
}

/* y + a b */
static inline N emit_plus(T *t, N y, N a, N b)
{
    return crank_trace_add(t, y, crank_trace_mul(t, a, b));
}

static inline N emit_minus(T *t, N y, N a, N b)
{
    return crank_trace_sub(t, y, crank_trace_mul(t, a, b));
}

static inline N emit_dot(T *t, const N *a, const N *b)
{
    return emit_plus(t, emit_plus(t, crank_trace_mul(t, a[0], b[0]), a[1], b[1]), a[2], b[2]);
}

static inline void emit_add(T *t, N y[3], const N a[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = crank_trace_add(t, y[i], a[i]);
    }
}

/* y += f a */
static inline void emit_add_scaled(T *t, N y[3], N f, const N a[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = emit_plus(t, y[i], f, a[i]);
    }
}

static inline void emit_cross(T *t, N c[3], const N a[3], const N b[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = emit_minus(t, crank_trace_mul(t, a[j], b[k]), a[k], b[j]);
    }
}

static inline void emit_times(T *t, N y[3], const N M[9], const N x[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = emit_dot(t, M + 3 * i, x);
    }
}

static inline void emit_transposed_times(T *t, N y[3], const N M[9], const N x[3])
{
    for (int i = 0; i < 3; i++) {
        const N column[3] = {M[i], M[3 + i], M[6 + i]};
        y[i] = emit_dot(t, column, x);
    }
}

static inline void emit_multiply(T *t, N C[9], const N A[9], const N B[9])
{
    for (int j = 0; j < 3; j++) {
        const N column[3] = {B[j], B[3 + j], B[6 + j]};
        for (int i = 0; i < 3; i++) {
            C[3 * i + j] = emit_dot(t, A + 3 * i, column);
        }
    }
}

/* symmetric matrices are xx, xy, xz, yy, yz, zz */
static const int emit_place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

static inline void emit_widen(const N S[6], N M[9])
{
    for (int i = 0; i < 9; i++) {
        M[i] = S[emit_place[i / 3][i % 3]];
    }
}

static inline void emit_narrow(const N M[9], N S[6])
{
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            S[emit_place[i][j]] = M[3 * i + j];
        }
    }
}

#endif
