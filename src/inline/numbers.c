/* numbers.c - parameters become numbers. What is made of the equations afterwards holds for
 * these numbers alone; passes that keep parameters as symbols come before this one. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <string.h>

crank_status crank_flat_put_numbers(crank_flat *flat, crank_error *err)
{
    const int size = crank_pool_size(flat->pool);
    crank_ex *by = crank_store_take(&flat->store, (size_t)size, sizeof *by);
    if (by == NULL) {
        return crank_flat_status(flat, err);
    }
    memset(by, -1, (size_t)size * sizeof *by);
    for (int i = 0; i < flat->parameter_count; i++) {
        by[flat->parameter[i].symbol] = crank_ex_number(flat->pool, flat->parameter[i].number);
    }
    const crank_status status = crank_flat_check_divisors(flat, size, by, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_flat_substitute(flat, size, by);
    for (int i = 0; i < flat->variable_count; i++) {
        crank_flat_variable *x = &flat->variable[i];
        crank_ex *list[] = {&x->start, &x->nominal, &x->min, &x->max};
        for (int k = 0; k < 4; k++) {
            if (*list[k] >= 0) {
                *list[k] = crank_flat_replace(flat, *list[k], size, by);
            }
        }
    }
    return crank_flat_status(flat, err);
}
