/* sample_ex.h - random expressions, and a slow evaluator to compare everything fast with. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_SAMPLE_EX_H
#define CRANK_TESTS_SAMPLE_EX_H

#include <math.h>
#include <stdlib.h>

#include "symbolic/symbolic.h"

enum { SAMPLE_SYMBOLS = 5, SAMPLE_NODES = 40 };

/* A linear congruential generator: the same numbers everywhere. */
static inline double sample_uniform(uint64_t *state, double low, double high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}

static inline int sample_below(uint64_t *state, int n)
{
    return (int)sample_uniform(state, 0.0, (double)n);
}

static inline void sample_symbols(crank_pool *pool, crank_ex symbols[SAMPLE_SYMBOLS])
{
    static const char *const names[SAMPLE_SYMBOLS] = {"x", "y", "z", "lambda.length", "t"};
    for (int i = 0; i < SAMPLE_SYMBOLS; i++) {
        symbols[i] = crank_ex_symbol(pool, names[i]);
    }
}

/* One operation on expressions picked from list. smooth: no jumps, kinks or comparisons;
 * arguments are kept inside the domains of the functions, so that values are finite. */
static inline crank_ex sample_operation(crank_pool *pool, uint64_t *state, const crank_ex *list,
                                        int count, bool smooth)
{
    const crank_ex a = list[sample_below(state, count)];
    const crank_ex b = list[sample_below(state, count)];
    const crank_ex c = list[sample_below(state, count)];
    const crank_ex one = crank_ex_number(pool, 1.0);
    const crank_ex bounded = crank_ex_call(pool, CRANK_EX_TANH, a, 0, 0);
    const crank_ex positive =
        crank_ex_add(pool, one, crank_ex_pow(pool, bounded, crank_ex_number(pool, 2.0)));
    switch (sample_below(state, smooth ? 19 : 30)) {
    case 0:
    case 1:
    case 2:
        return crank_ex_add(pool, a, b);
    case 3:
    case 4:
        return crank_ex_sub(pool, a, b);
    case 5:
    case 6:
    case 7:
        return crank_ex_mul(pool, crank_ex_call(pool, CRANK_EX_SIN, a, 0, 0), b);
    case 8:
        return crank_ex_mul(pool, bounded, crank_ex_call(pool, CRANK_EX_COS, b, 0, 0));
    case 9:
        return crank_ex_div(pool, b, positive);
    case 10:
        return crank_ex_pow(pool, bounded, crank_ex_number(pool, 2 + sample_below(state, 5)));
    case 11:
        return crank_ex_neg(pool, a);
    case 12:
        return crank_ex_mul(pool, crank_ex_number(pool, sample_uniform(state, -2.0, 2.0)), a);
    case 13:
        return crank_ex_add(pool, crank_ex_number(pool, sample_below(state, 7) - 3), a);
    case 14:
        return crank_ex_call(pool, CRANK_EX_SQRT, positive, 0, 0);
    case 15:
        return crank_ex_call(pool, CRANK_EX_LOG, positive, 0, 0);
    case 16:
        return crank_ex_pow(pool, positive, bounded);
    case 17:
        return crank_ex_call(pool, CRANK_EX_ATAN2, positive, b, 0);
    case 18:
        return crank_ex_call(pool, CRANK_EX_HYPOT, positive, b, 0);
    case 19:
        return crank_ex_call(pool, CRANK_EX_MIN, a, b, 0);
    case 20:
        return crank_ex_call(pool, CRANK_EX_MAX, a, b, 0);
    case 21:
        return crank_ex_call(pool, CRANK_EX_IF, crank_ex_call(pool, CRANK_EX_LT, a, b, 0), b,
                             c);
    case 22:
        return crank_ex_call(pool, CRANK_EX_LE, a, b, 0);
    case 23:
        return crank_ex_call(pool, CRANK_EX_AND, a, b, 0);
    case 24:
        return crank_ex_call(pool, CRANK_EX_OR, a, crank_ex_call(pool, CRANK_EX_NOT, b, 0, 0),
                             0);
    case 25:
        return crank_ex_call(pool, CRANK_EX_SIGN, a, 0, 0);
    case 26:
        return crank_ex_call(pool, CRANK_EX_ABS, a, 0, 0);
    case 27:
        return crank_ex_call(pool, CRANK_EX_FLOOR, a, 0, 0);
    case 28:
        return crank_ex_call(pool, CRANK_EX_IF, a, b, c);
    default:
        return crank_ex_call(pool, CRANK_EX_NE, a, b, 0);
    }
}

/* Fills list with symbols and random expressions of those before. */
static inline void sample_list(crank_pool *pool, uint64_t *state, bool smooth,
                               crank_ex list[SAMPLE_NODES])
{
    sample_symbols(pool, list);
    for (int i = SAMPLE_SYMBOLS; i < SAMPLE_NODES; i++) {
        list[i] = sample_operation(pool, state, list, i, smooth);
    }
}

static inline double sample_function(crank_ex_op op, double a)
{
    switch ((int)op) {
    case CRANK_EX_SIN:
        return sin(a);
    case CRANK_EX_COS:
        return cos(a);
    case CRANK_EX_TAN:
        return tan(a);
    case CRANK_EX_ASIN:
        return asin(a);
    case CRANK_EX_ACOS:
        return acos(a);
    case CRANK_EX_ATAN:
        return atan(a);
    case CRANK_EX_SINH:
        return sinh(a);
    case CRANK_EX_COSH:
        return cosh(a);
    case CRANK_EX_TANH:
        return tanh(a);
    case CRANK_EX_ASINH:
        return asinh(a);
    case CRANK_EX_ACOSH:
        return acosh(a);
    case CRANK_EX_ATANH:
        return atanh(a);
    case CRANK_EX_EXP:
        return exp(a);
    case CRANK_EX_LOG:
        return log(a);
    case CRANK_EX_LOG10:
        return log10(a);
    case CRANK_EX_SQRT:
        return sqrt(a);
    case CRANK_EX_CBRT:
        return cbrt(a);
    case CRANK_EX_ABS:
        return fabs(a);
    case CRANK_EX_SIGN:
        return a > 0 ? 1 : a < 0 ? -1 : 0;
    case CRANK_EX_FLOOR:
        return floor(a);
    case CRANK_EX_CEIL:
        return ceil(a);
    case CRANK_EX_ERF:
        return erf(a);
    case CRANK_EX_LOG1P:
        return log1p(a);
    case CRANK_EX_EXPM1:
        return expm1(a);
    default:
        return (double)NAN;
    }
}

/* The slow twin: recursive, value by value. values belong to symbols. */
static inline double sample_evaluate(const crank_pool *pool, crank_ex e, int count,
                                     const crank_ex *symbols, const double *values)
{
    double value;
    if (crank_ex_is_number(pool, e, &value)) {
        return value;
    }
    for (int i = 0; i < count; i++) {
        if (symbols[i] == e) {
            return values[i];
        }
    }
    double v[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const crank_ex operand = crank_ex_get_operand(pool, e, i);
        if (operand >= 0) {
            v[i] = sample_evaluate(pool, operand, count, symbols, values);
        }
    }
    switch ((int)crank_ex_get_op(pool, e)) {
    case CRANK_EX_ADD:
        return v[0] + v[1];
    case CRANK_EX_MUL:
        return v[0] * v[1];
    case CRANK_EX_DIV:
        return v[0] / v[1];
    case CRANK_EX_POW:
        return pow(v[0], v[1]);
    case CRANK_EX_NEG:
        return -v[0];
    case CRANK_EX_ATAN2:
        return atan2(v[0], v[1]);
    case CRANK_EX_MIN:
        return fmin(v[0], v[1]);
    case CRANK_EX_MAX:
        return fmax(v[0], v[1]);
    case CRANK_EX_HYPOT:
        return hypot(v[0], v[1]);
    case CRANK_EX_LT:
        return v[0] < v[1];
    case CRANK_EX_LE:
        return v[0] <= v[1];
    case CRANK_EX_EQ:
        return v[0] == v[1];
    case CRANK_EX_NE:
        return v[0] != v[1];
    case CRANK_EX_AND:
        return v[0] != 0 && v[1] != 0;
    case CRANK_EX_OR:
        return v[0] != 0 || v[1] != 0;
    case CRANK_EX_NOT:
        return v[0] == 0;
    case CRANK_EX_IF:
        return v[0] != 0 ? v[1] : v[2];
    default:
        return sample_function(crank_ex_get_op(pool, e), v[0]);
    }
}

#endif
