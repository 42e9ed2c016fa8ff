/* divisors.c - division by zero, told by name before anything is solved: a divisor that is zero
 * by parameters, or by fixed start values, wherever no condition stands before it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

enum { MOST = 10000 }; /* nodes of an equation that are looked at */

typedef struct work {
    crank_flat *flat;
    int size;
    const crank_ex *by;
    int nodes;
} work;

/* the first divisor of ex that is zero; -1: none */
static crank_ex find(work *w, crank_ex ex)
{
    crank_pool *p = w->flat->pool;
    const crank_ex_op op = crank_ex_get_op(p, ex);
    const crank_ex divisor = op == CRANK_EX_DIV ? crank_ex_get_operand(p, ex, 1) : -1;
    if (divisor >= 0 &&
        crank_ex_is_value(p, crank_flat_replace(w->flat, divisor, w->size, w->by), 0.0)) {
        return divisor;
    }
    for (int i = 0; i < (op == CRANK_EX_IF ? 1 : 3) && --w->nodes > 0; i++) {
        const crank_ex operand = crank_ex_get_operand(p, ex, i);
        const crank_ex found = operand >= 0 ? find(w, operand) : -1;
        if (found >= 0) {
            return found;
        }
    }
    return -1;
}

crank_status crank_flat_check_divisors(crank_flat *flat, int size, const crank_ex *by,
                                       crank_error *err)
{
    work w = {.flat = flat, .size = size, .by = by};
    for (int i = 0; i < flat->equation_count; i++) {
        const crank_flat_equation *q = &flat->equation[i];
        w.nodes = MOST;
        crank_ex zero = find(&w, q->left);
        zero = zero >= 0 ? zero : find(&w, q->right);
        if (zero >= 0) {
            crank_text text = {0};
            crank_flat_print_expression(flat, zero, &text);
            const crank_status status =
                crank_fail_at(err, CRANK_ENOTFINITE, q->place.line, q->place.column,
                              "division by zero: \"%.120s\" is zero at the start",
                              text.data != NULL ? text.data : "");
            crank_text_free(&text);
            return status;
        }
    }
    return crank_flat_status(flat, err);
}
