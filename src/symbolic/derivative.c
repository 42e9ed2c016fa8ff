/* derivative.c - derivatives by the chain rule, one sweep over the nodes below an
 * expression.
 *
 * Forward: d(node) = sum over operands of (d node / d operand) d(operand), from the seeds at
 * the symbols. Backward (gradient): the adjoint of an operand gathers (adjoint of node) (d
 * node / d operand), for all symbols at once. Local derivatives are quotients top / bottom
 * of expressions that share as much as possible with the node itself.
 *
 * At kinks and jumps: sign, floor, ceil, comparisons and logic have derivative 0 everywhere,
 * |x|' = sign(x) (0 at 0), min, max and if() take the derivative of the branch in force. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"

#include <assert.h>
#include <math.h>

/* d node / d operand = top / bottom; bottom -1: 1. top -1: zero. */
typedef struct ex_partial {
    crank_ex top, bottom;
} ex_partial;

static crank_ex number(crank_pool *pool, double value)
{
    return crank_ex_number(pool, value);
}

static crank_ex square(crank_pool *pool, crank_ex e)
{
    return crank_ex_pow(pool, e, number(pool, 2.0));
}

static crank_ex call(crank_pool *pool, crank_ex_op op, crank_ex a)
{
    return crank_ex_call(pool, op, a, 0, 0);
}

/* sqrt(a + b) */
static crank_ex root_of_sum(crank_pool *pool, crank_ex a, crank_ex b)
{
    return call(pool, CRANK_EX_SQRT, crank_ex_add(pool, a, b));
}

/* f(a) = e; functions of one argument */
static ex_partial function_partial(crank_pool *pool, crank_ex_op op, crank_ex e, crank_ex a)
{
    const crank_ex one = number(pool, 1.0);
    const crank_ex minus = number(pool, -1.0);
    switch ((int)op) {
    case CRANK_EX_SIN:
        return (ex_partial){call(pool, CRANK_EX_COS, a), -1};
    case CRANK_EX_COS:
        return (ex_partial){crank_ex_neg(pool, call(pool, CRANK_EX_SIN, a)), -1};
    case CRANK_EX_TAN:
        return (ex_partial){crank_ex_add(pool, one, square(pool, e)), -1};
    case CRANK_EX_ASIN:
        return (ex_partial){one, root_of_sum(pool, one, crank_ex_neg(pool, square(pool, a)))};
    case CRANK_EX_ACOS:
        return (ex_partial){minus, root_of_sum(pool, one, crank_ex_neg(pool, square(pool, a)))};
    case CRANK_EX_ATAN:
        return (ex_partial){one, crank_ex_add(pool, one, square(pool, a))};
    case CRANK_EX_SINH:
        return (ex_partial){call(pool, CRANK_EX_COSH, a), -1};
    case CRANK_EX_COSH:
        return (ex_partial){call(pool, CRANK_EX_SINH, a), -1};
    case CRANK_EX_TANH:
        return (ex_partial){crank_ex_sub(pool, one, square(pool, e)), -1};
    case CRANK_EX_ASINH:
        return (ex_partial){one, root_of_sum(pool, one, square(pool, a))};
    case CRANK_EX_ACOSH:
        return (ex_partial){one, root_of_sum(pool, minus, square(pool, a))};
    case CRANK_EX_ATANH:
        return (ex_partial){one, crank_ex_sub(pool, one, square(pool, a))};
    case CRANK_EX_EXP:
        return (ex_partial){e, -1};
    case CRANK_EX_LOG:
        return (ex_partial){one, a};
    case CRANK_EX_LOG10:
        return (ex_partial){number(pool, 1.0 / log(10.0)), a};
    case CRANK_EX_SQRT:
        return (ex_partial){number(pool, 0.5), e};
    case CRANK_EX_CBRT:
        return (ex_partial){one, crank_ex_mul(pool, number(pool, 3.0), square(pool, e))};
    case CRANK_EX_ABS:
        return (ex_partial){call(pool, CRANK_EX_SIGN, a), -1};
    case CRANK_EX_ERF: /* 2/sqrt(pi) exp(-a^2) */
        return (ex_partial){
            crank_ex_mul(pool, number(pool, 2.0 / sqrt(acos(-1.0))),
                         call(pool, CRANK_EX_EXP, crank_ex_neg(pool, square(pool, a)))),
            -1};
    case CRANK_EX_LOG1P:
        return (ex_partial){one, crank_ex_add(pool, one, a)};
    case CRANK_EX_EXPM1:
        return (ex_partial){crank_ex_add(pool, one, e), -1};
    default: /* sign, floor, ceil */
        return (ex_partial){-1, -1};
    }
}

/* e = a^b */
static ex_partial power_partial(crank_pool *pool, crank_ex e, crank_ex a, crank_ex b, int which)
{
    if (which == 1) { /* a^b log(a) */
        return (ex_partial){crank_ex_mul(pool, e, call(pool, CRANK_EX_LOG, a)), -1};
    }
    const crank_ex less = crank_ex_pow(pool, a, crank_ex_sub(pool, b, number(pool, 1.0)));
    return (ex_partial){crank_ex_mul(pool, b, less), -1};
}

/* if(condition, 1, 0), or its opposite */
static ex_partial branch(crank_pool *pool, crank_ex condition, bool when_true)
{
    const crank_ex one = number(pool, 1.0);
    const crank_ex zero = number(pool, 0.0);
    return (ex_partial){crank_ex_call(pool, CRANK_EX_IF, condition, when_true ? one : zero,
                                      when_true ? zero : one),
                        -1};
}

/* The condition under which min(a, b) or max(a, b) takes a. */
static crank_ex takes_first(crank_pool *pool, crank_ex_op op, crank_ex a, crank_ex b)
{
    return op == CRANK_EX_MIN ? crank_ex_call(pool, CRANK_EX_LT, a, b, 0)
                              : crank_ex_call(pool, CRANK_EX_LT, b, a, 0);
}

/* d e / d operand `which` of e */
static ex_partial partial(crank_pool *pool, crank_ex e, int which)
{
    const ex_node n = pool->node[e];
    const crank_ex a = n.operand[0];
    const crank_ex b = n.operand[1];
    const crank_ex other = which == 0 ? b : a;
    switch ((int)n.op) {
    case CRANK_EX_ADD:
        return (ex_partial){number(pool, 1.0), -1};
    case CRANK_EX_NEG:
        return (ex_partial){number(pool, -1.0), -1};
    case CRANK_EX_MUL:
        return (ex_partial){other, -1};
    case CRANK_EX_DIV:
        return (ex_partial){which == 0 ? number(pool, 1.0) : crank_ex_neg(pool, e), b};
    case CRANK_EX_POW:
        return power_partial(pool, e, a, b, which);
    case CRANK_EX_ATAN2: {
        const crank_ex norm = crank_ex_add(pool, square(pool, a), square(pool, b));
        return (ex_partial){which == 0 ? b : crank_ex_neg(pool, a), norm};
    }
    case CRANK_EX_HYPOT:
        return (ex_partial){which == 0 ? a : b, e};
    case CRANK_EX_MIN:
    case CRANK_EX_MAX:
        return branch(pool, takes_first(pool, n.op, a, b), which == 0);
    case CRANK_EX_IF:
        return which == 0 ? (ex_partial){-1, -1} : branch(pool, a, which == 1);
    case CRANK_EX_TABLE:
        return (ex_partial){which == 0 ? crank_ex_table_derivative(pool, e) : -1, -1};
    case CRANK_EX_LT:
    case CRANK_EX_LE:
    case CRANK_EX_EQ:
    case CRANK_EX_NE:
    case CRANK_EX_AND:
    case CRANK_EX_OR:
    case CRANK_EX_NOT:
        return (ex_partial){-1, -1};
    default:
        return function_partial(pool, n.op, e, a);
    }
}

/* factor * top / bottom */
static crank_ex scale(crank_pool *pool, crank_ex factor, ex_partial p)
{
    const crank_ex product = crank_ex_mul(pool, factor, p.top);
    return p.bottom < 0 ? product : crank_ex_div(pool, product, p.bottom);
}

/* ---- forward ---- */

/* Derivative of e from those of its operands (-1: zero). */
static crank_ex chain_rule(crank_pool *pool, crank_ex e, const crank_ex d[3])
{
    const ex_node n = pool->node[e];
    const crank_ex zero = number(pool, 0.0);
    if (n.op == CRANK_EX_IF || n.op == CRANK_EX_MIN || n.op == CRANK_EX_MAX) {
        const bool is_if = n.op == CRANK_EX_IF;
        const crank_ex condition =
            is_if ? n.operand[0] : takes_first(pool, n.op, n.operand[0], n.operand[1]);
        const crank_ex first = is_if ? d[1] : d[0];
        const crank_ex second = is_if ? d[2] : d[1];
        return first < 0 && second < 0
                   ? -1
                   : crank_ex_call(pool, CRANK_EX_IF, condition, first < 0 ? zero : first,
                                   second < 0 ? zero : second);
    }
    if (n.op == CRANK_EX_DIV && d[1] >= 0) { /* (da - e db) / b */
        const crank_ex top =
            crank_ex_sub(pool, d[0] < 0 ? zero : d[0], crank_ex_mul(pool, e, d[1]));
        return crank_ex_div(pool, top, n.operand[1]);
    }
    crank_ex sum = -1;
    for (int i = 0; i < 3 && n.operand[i] >= 0; i++) {
        if (d[i] < 0) {
            continue;
        }
        const ex_partial p = partial(pool, e, i);
        if (p.top >= 0) {
            const crank_ex term = scale(pool, d[i], p);
            sum = sum < 0 ? term : crank_ex_add(pool, sum, term);
        }
    }
    return sum;
}

/* Sets memo (-1: zero) for all nodes reached from e; those reached before keep theirs. */
static void sweep_forward(crank_pool *pool, crank_ex e)
{
    pool->order_count = 0;
    crank_pool_visit(pool, e);
    for (int k = 0; k < pool->order_count; k++) {
        const crank_ex node = pool->order[k];
        crank_ex result = -1;
        if (!ex_is_leaf(pool, node)) {
            crank_ex d[3] = {-1, -1, -1};
            bool any = false;
            for (int i = 0; i < 3 && ex_operand(pool, node, i) >= 0; i++) {
                d[i] = pool->memo[ex_operand(pool, node, i)];
                any = any || d[i] >= 0;
            }
            if (any) {
                result = chain_rule(pool, node, d);
                if (result >= 0 && crank_ex_is_value(pool, result, 0.0)) {
                    result = -1;
                }
            }
        }
        pool->memo[node] = result;
    }
}

void crank_ex_directional_all(crank_pool *pool, int e_count, const crank_ex *e, int count,
                              const crank_ex *symbols, const crank_ex *directions,
                              crank_ex *derivatives)
{
    const crank_ex zero = number(pool, 0.0);
    crank_pool_begin_visit(pool);
    for (int i = 0; i < count; i++) {
        assert(ex_op(pool, symbols[i]) == CRANK_EX_SYMBOL);
        pool->stamp[symbols[i]] = pool->visit;
        pool->memo[symbols[i]] =
            crank_ex_is_value(pool, directions[i], 0.0) ? -1 : directions[i];
    }
    for (int i = 0; i < e_count; i++) {
        sweep_forward(pool, e[i]);
        const crank_ex d = pool->memo[e[i]];
        derivatives[i] = d < 0 ? zero : d;
    }
}

crank_ex crank_ex_directional(crank_pool *pool, crank_ex e, int count, const crank_ex *symbols,
                              const crank_ex *directions)
{
    crank_ex derivative;
    crank_ex_directional_all(pool, 1, &e, count, symbols, directions, &derivative);
    return derivative;
}

crank_ex crank_ex_derivative(crank_pool *pool, crank_ex e, crank_ex symbol)
{
    const crank_ex one = number(pool, 1.0);
    return crank_ex_directional(pool, e, 1, &symbol, &one);
}

/* ---- backward ---- */

void crank_ex_gradient(crank_pool *pool, crank_ex e, int count, const crank_ex *symbols,
                       crank_ex *gradient)
{
    const crank_ex zero = number(pool, 0.0);
    crank_pool_begin_visit(pool);
    crank_pool_visit(pool, e);
    for (int k = 0; k < pool->order_count; k++) {
        pool->memo[pool->order[k]] = -1;
    }
    pool->memo[e] = number(pool, 1.0);
    for (int k = pool->order_count - 1; k >= 0; k--) {
        const crank_ex node = pool->order[k];
        const crank_ex adjoint = pool->memo[node];
        for (int i = 0; adjoint >= 0 && !ex_is_leaf(pool, node) && i < 3; i++) {
            const crank_ex operand = ex_operand(pool, node, i);
            if (operand < 0 || ex_is_number(pool, operand)) {
                continue;
            }
            const ex_partial p = partial(pool, node, i);
            if (p.top >= 0) {
                const crank_ex term = scale(pool, adjoint, p);
                const crank_ex sum = pool->memo[operand];
                pool->memo[operand] = sum < 0 ? term : crank_ex_add(pool, sum, term);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        const crank_ex d = ex_visited(pool, symbols[i]) ? pool->memo[symbols[i]] : -1;
        gradient[i] = d < 0 ? zero : d;
    }
}
