/* magnitude.c - how large the terms of an expression are: what its rounding error is measured
 * by.
 *
 *     |a + b| -> |a| + |b|,   |a b| -> |a| |b|,   |a / b| -> |a| |b| / b^2,
 *         |e^a| -> e^a (1 + |a|),
 *     |f(a)| -> |f(a)| + |a|
 *
 * A sum that is identically zero but was not simplified to 0 evaluates to rounding errors;
 * beside this it is seen to be small. Operands have lower indices than the nodes that use them,
 * so that one pass down marks what is reached and one pass up builds. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/system.h"

#include <stdlib.h>

static crank_ex absolute(crank_pool *pool, crank_ex e)
{
    return crank_ex_call(pool, CRANK_EX_ABS, e, 0, 0);
}

/* m: magnitudes of the nodes below e */
static crank_ex build(crank_pool *pool, crank_ex e, const crank_ex *m)
{
    const crank_ex a = crank_ex_get_operand(pool, e, 0), b = crank_ex_get_operand(pool, e, 1);
    const crank_ex c = crank_ex_get_operand(pool, e, 2);
    double power;
    switch ((int)crank_ex_get_op(pool, e)) {
    case CRANK_EX_NUMBER:
    case CRANK_EX_SYMBOL:
        return absolute(pool, e);
    case CRANK_EX_ADD:
        return crank_ex_add(pool, m[a], m[b]);
    case CRANK_EX_MUL:
        return crank_ex_mul(pool, m[a], m[b]);
    case CRANK_EX_NEG:
        return m[a];
    case CRANK_EX_DIV: {
        const crank_ex square = crank_ex_pow(pool, b, crank_ex_number(pool, 2.0));
        return crank_ex_div(pool, crank_ex_mul(pool, m[a], m[b]), square);
    }
    case CRANK_EX_POW:
        if (crank_ex_is_number(pool, b, &power) && power > 0.0) {
            return crank_ex_pow(pool, m[a], b);
        }
        return absolute(pool, e);
    case CRANK_EX_EXP:
        return crank_ex_mul(pool, e, crank_ex_add(pool, crank_ex_number(pool, 1.0), m[a]));
    case CRANK_EX_IF:
        return crank_ex_call(pool, CRANK_EX_IF, a, m[b], m[c]);
    case CRANK_EX_TABLE:
        return crank_ex_add(pool, absolute(pool, e), m[a]);
    default:
        break;
    }
    crank_ex sum = absolute(pool, e);
    sum = a >= 0 ? crank_ex_add(pool, sum, m[a]) : sum;
    return b >= 0 ? crank_ex_add(pool, sum, m[b]) : sum;
}

crank_status crank_dae_magnitude(crank_pool *pool, int count, const crank_ex *e,
                                 crank_ex *magnitude, crank_error *err)
{
    const int nodes = crank_pool_size(pool);
    crank_ex *m = calloc((size_t)nodes + 1, sizeof *m);
    bool *reached = calloc((size_t)nodes + 1, sizeof *reached);
    if (m == NULL || reached == NULL) {
        free(m);
        free(reached);
        return crank_fail(err, CRANK_EMEM, "sizes of %d expressions", count);
    }
    for (int i = 0; i < count; i++) {
        reached[e[i]] = true;
    }
    for (int i = nodes - 1; i >= 0; i--) {
        for (int o = 0; o < 3 && reached[i]; o++) {
            const crank_ex operand = crank_ex_get_operand(pool, i, o);
            if (operand >= 0) {
                reached[operand] = true;
            }
        }
    }
    for (int i = 0; i < nodes; i++) {
        if (reached[i]) {
            m[i] = build(pool, i, m);
        }
    }
    for (int i = 0; i < count; i++) {
        magnitude[i] = m[e[i]];
    }
    free(m);
    free(reached);
    return CRANK_OK;
}
