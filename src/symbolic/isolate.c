/* isolate.c - equations e = 0 that are affine in a symbol, or in several at once: by the degree
 * of each node in them, 0 (free of them), 1 or more. Derivatives would not tell: that of
 * x - floor(x) is one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"

enum { FREE, AFFINE, OTHER };

/* from the degrees of the operands, in pool->memo */
static int degree_of(const crank_pool *pool, crank_ex e)
{
    const ex_node *n = &pool->node[e];
    int degree[3] = {FREE, FREE, FREE}, most = FREE;
    for (int i = 0; i < 3 && n->operand[i] >= 0; i++) {
        degree[i] = n->op == CRANK_EX_TABLE && i > 0 ? FREE : pool->memo[n->operand[i]];
        most = degree[i] > most ? degree[i] : most;
    }
    switch ((int)n->op) {
    case CRANK_EX_ADD:
    case CRANK_EX_NEG:
        return most;
    case CRANK_EX_MUL:
        return degree[0] + degree[1] < OTHER ? degree[0] + degree[1] : OTHER;
    case CRANK_EX_DIV:
        return degree[1] == FREE ? degree[0] : OTHER;
    case CRANK_EX_IF:
        return degree[0] == FREE ? most : OTHER;
    default:
        return most == FREE ? FREE : OTHER;
    }
}

static int find_degree(crank_pool *pool, crank_ex e, int count, const crank_ex *symbols)
{
    crank_pool_begin_visit(pool);
    crank_pool_visit(pool, e);
    for (int k = 0; k < pool->order_count; k++) {
        const crank_ex node = pool->order[k];
        if (ex_is_leaf(pool, node)) {
            pool->memo[node] = FREE;
        }
    }
    for (int i = 0; i < count; i++) {
        if (ex_visited(pool, symbols[i])) {
            pool->memo[symbols[i]] = AFFINE;
        }
    }
    for (int k = 0; k < pool->order_count; k++) {
        const crank_ex node = pool->order[k];
        if (!ex_is_leaf(pool, node)) {
            pool->memo[node] = degree_of(pool, node);
        }
    }
    return pool->memo[e];
}

bool crank_ex_is_affine(crank_pool *pool, crank_ex e, int count, const crank_ex *symbols)
{
    return find_degree(pool, e, count, symbols) < OTHER;
}

crank_ex crank_ex_isolate(crank_pool *pool, crank_ex e, crank_ex symbol, crank_ex *slope)
{
    const crank_ex zero = crank_ex_number(pool, 0.0);
    if (find_degree(pool, e, 1, &symbol) != AFFINE) {
        return -1;
    }
    *slope = crank_ex_derivative(pool, e, symbol);
    if (crank_ex_is_value(pool, *slope, 0.0)) {
        return -1;
    }
    const crank_ex rest = crank_ex_substitute(pool, e, 1, &symbol, &zero);
    return crank_ex_neg(pool, crank_ex_div(pool, rest, *slope));
}
