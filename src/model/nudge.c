/* nudge.c - an input that is moved from what its file says, see model.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/model.h"

#include <math.h>
#include <string.h>

crank_ex crank_model_nudge(const crank_model_options *options, crank_pool *pool, crank_ex t,
                           const char *name, crank_ex value)
{
    const crank_nudge *n = options->nudge;
    if (n == NULL || strcmp(n->name, name) != 0) {
        return value;
    }
    *n->found = true;
    if (!crank_ex_is_number(pool, value, n->value)) {
        *n->value = (double)NAN;
    }
    const crank_ex time = crank_ex_sub(pool, t, crank_ex_number(pool, n->t));
    crank_ex sum = crank_ex_number(pool, n->by);
    for (int i = 1; i <= n->order; i++) { /* by (t - t0)^order/order! */
        sum = crank_ex_mul(pool, sum, crank_ex_div(pool, time, crank_ex_number(pool, i)));
    }
    return crank_ex_add(pool, value, sum);
}
