/* switches.c - parts of expressions that jump with time alone: comparisons, sign, floor, ceil
 * of t and of parameters, and second derivatives of tables, which accelerations of drives
 * contain. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"
#include "symbolic/symbolic.h"

static bool jumps(crank_ex_op op)
{
    return op == CRANK_EX_LT || op == CRANK_EX_LE || op == CRANK_EX_SIGN ||
           op == CRANK_EX_FLOOR || op == CRANK_EX_CEIL;
}

static bool is_linear_operator(crank_ex_op op)
{
    return op == CRANK_EX_NUMBER || op == CRANK_EX_SYMBOL || op == CRANK_EX_ADD ||
           op == CRANK_EX_MUL || op == CRANK_EX_DIV || op == CRANK_EX_NEG;
}

/* t is among the symbols of e, and nothing else but parameters is */
static bool is_of_time(crank_pool *pool, crank_ex e, crank_ex t, int count,
                       const crank_ex *parameters)
{
    bool time = false, others = false;
    crank_pool_begin_visit(pool);
    crank_pool_visit(pool, e);
    for (int i = 0; i < pool->order_count; i++) {
        const crank_ex part = pool->order[i];
        bool known = part == t;
        if (crank_ex_get_op(pool, part) != CRANK_EX_SYMBOL) {
            continue;
        }
        time = time || known;
        for (int k = 0; k < count && !known; k++) {
            known = parameters[k] == part;
        }
        others = others || !known;
    }
    return time && !others;
}

/* e = a t + b */
static bool is_linear(crank_pool *pool, crank_ex e, crank_ex t)
{
    bool linear = true;
    crank_pool_begin_visit(pool);
    crank_pool_visit(pool, e);
    for (int i = 0; i < pool->order_count; i++) {
        linear = linear && is_linear_operator(crank_ex_get_op(pool, pool->order[i]));
    }
    return linear && !crank_ex_depends(pool, crank_ex_derivative(pool, e, t), t);
}

/* Second derivatives of tables of t, among the first nodes; writes at most capacity. */
static int find_bends(crank_pool *pool, int nodes, crank_ex t, int count,
                      const crank_ex *parameters, crank_ex *bends, crank_ex *derivatives,
                      int capacity)
{
    int found = 0;
    for (crank_ex e = 0; e < nodes; e++) {
        if (crank_ex_get_op(pool, e) != CRANK_EX_TABLE ||
            !is_of_time(pool, e, t, count, parameters)) {
            continue;
        }
        const crank_ex bend = crank_ex_table_bends(pool, e);
        if (bend >= 0 && found < capacity) {
            bends[found] = bend;
            derivatives[found] = e;
        }
        found += bend >= 0 ? 1 : 0;
    }
    return found;
}

int crank_ex_switches(crank_pool *pool, crank_ex t, int count, const crank_ex *parameters,
                      crank_ex *switches, int capacity, int *bends, bool *once)
{
    const int nodes = crank_pool_size(pool); /* derivatives add to them */
    int found = 0;
    *once = true;
    for (crank_ex e = 0; e < nodes; e++) {
        const crank_ex_op op = crank_ex_get_op(pool, e);
        if (!jumps(op) || !is_of_time(pool, e, t, count, parameters)) {
            continue;
        }
        const crank_ex a = crank_ex_get_operand(pool, e, 0);
        const bool compares = op == CRANK_EX_LT || op == CRANK_EX_LE;
        const crank_ex g =
            compares ? crank_ex_sub(pool, a, crank_ex_get_operand(pool, e, 1)) : a;
        *once = *once && is_linear(pool, g, t);
        if (found < capacity) {
            switches[found] = e;
        }
        found++;
    }
    const int left = capacity > found ? capacity - found : 0;
    *bends = find_bends(pool, nodes, t, count, parameters, switches + (left > 0 ? found : 0),
                        switches + (left > 0 ? capacity : 0), left);
    *once = *once && *bends == 0;
    return found + *bends;
}
