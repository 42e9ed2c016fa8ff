/* traverse.c - the nodes below an expression, operands first, by depth-first search with an
 * explicit stack; and the questions that need nothing else. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void crank_pool_begin_visit(crank_pool *pool)
{
    if (pool->visit == INT_MAX) {
        memset(pool->stamp, 0, (size_t)pool->capacity * sizeof *pool->stamp);
        pool->visit = 0;
    }
    pool->visit++;
    pool->order_count = 0;
}

static void push(crank_pool *pool, int *depth, crank_ex e)
{
    pool->stamp[e] = pool->visit;
    pool->stack[*depth] = e;
    pool->cursor[*depth] = 0;
    (*depth)++;
}

void crank_pool_visit(crank_pool *pool, crank_ex e)
{
    if (ex_visited(pool, e)) {
        return;
    }
    int depth = 0;
    push(pool, &depth, e);
    while (depth > 0) {
        const int top = depth - 1;
        const ex_node *n = &pool->node[pool->stack[top]];
        const int i = pool->cursor[top];
        const crank_ex child =
            ex_is_leaf(pool, pool->stack[top]) || i == 3 ? -1 : n->operand[i];
        if (child < 0) {
            pool->order[pool->order_count++] = pool->stack[top];
            depth--;
            continue;
        }
        pool->cursor[top] = (unsigned char)(i + 1);
        if (!ex_visited(pool, child)) {
            push(pool, &depth, child);
        }
    }
}

bool crank_ex_depends(crank_pool *pool, crank_ex e, crank_ex symbol)
{
    if (e < symbol) {
        return false;
    }
    crank_pool_begin_visit(pool);
    crank_pool_visit(pool, e);
    return ex_visited(pool, symbol);
}

bool crank_ex_is_undefined(crank_pool *pool, crank_ex e)
{
    double value = 0.0;
    return crank_ex_is_number(pool, e, &value) ? !isfinite(value)
                                               : crank_ex_symbols(pool, e, NULL, 0) == 0;
}

static int compare_ex(const void *a, const void *b)
{
    const crank_ex x = *(const crank_ex *)a;
    const crank_ex y = *(const crank_ex *)b;
    return (x > y) - (x < y);
}

int crank_ex_symbols(crank_pool *pool, crank_ex e, crank_ex *symbols, int capacity)
{
    crank_pool_begin_visit(pool);
    crank_pool_visit(pool, e);
    int count = 0;
    for (int k = 0; k < pool->order_count; k++) {
        if (ex_op(pool, pool->order[k]) == CRANK_EX_SYMBOL) {
            pool->order[count++] = pool->order[k];
        }
    }
    qsort(pool->order, (size_t)count, sizeof *pool->order, compare_ex);
    const int written = count < capacity ? count : capacity;
    if (written > 0) {
        memcpy(symbols, pool->order, (size_t)written * sizeof *symbols);
    }
    return count;
}
