/* substitute.c - simultaneous replacement of symbols: one sweep that rebuilds what changes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"

#include <assert.h>

static crank_ex rebuild(crank_pool *pool, crank_ex e)
{
    const ex_node n = pool->node[e];
    crank_ex operand[3] = {-1, -1, -1};
    bool changed = false;
    for (int i = 0; i < 3 && n.operand[i] >= 0; i++) {
        operand[i] = pool->memo[n.operand[i]];
        changed = changed || operand[i] != n.operand[i];
    }
    return changed ? crank_ex_call(pool, n.op, operand[0], operand[1], operand[2]) : e;
}

crank_ex crank_ex_substitute(crank_pool *pool, crank_ex e, int count, const crank_ex *symbols,
                             const crank_ex *replacements)
{
    crank_pool_begin_visit(pool);
    for (int i = 0; i < count; i++) {
        assert(ex_op(pool, symbols[i]) == CRANK_EX_SYMBOL);
        pool->stamp[symbols[i]] = pool->visit;
        pool->memo[symbols[i]] = replacements[i];
    }
    pool->order_count = 0;
    crank_pool_visit(pool, e);
    for (int k = 0; k < pool->order_count; k++) {
        const crank_ex node = pool->order[k];
        const crank_ex result = ex_is_leaf(pool, node) ? node : rebuild(pool, node);
        pool->memo[node] = result;
    }
    return pool->memo[e];
}
