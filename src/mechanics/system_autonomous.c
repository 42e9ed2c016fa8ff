/* system_autonomous.c - does any equation of the mechanism depend on t? */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/law.h"

#include <stdlib.h>

static bool depends(const bool *on_t, crank_ex e)
{
    return e >= 0 && on_t[e];
}

static bool any_depends(const crank_builder *b, const bool *on_t)
{
    bool any = false;
    for (int i = 0; i < b->holonomic.count; i++) {
        any = any ||
              (b->holonomic.item[i].primitive < 0 && depends(on_t, b->holonomic.item[i].ex));
    }
    for (int i = 0; i < b->nonholonomic.count; i++) {
        any = any || depends(on_t, b->nonholonomic.item[i].ex);
    }
    for (int i = 0; i < b->dynamic.count; i++) {
        any = any || depends(on_t, b->dynamic.item[i].equation);
    }
    for (int i = 0; i < b->auxiliary.count; i++) {
        any = any || depends(on_t, b->auxiliary.item[i].equation);
    }
    for (int i = 0; i < b->contact.count; i++) {
        any = any || depends(on_t, b->contact.item[i].equation);
    }
    for (int i = 0; i < b->effort.count; i++) {
        any = any || depends(on_t, b->effort.item[i].ex);
    }
    for (int i = 0; i < CRANK_LED_NUMBERS * b->led.count; i++) {
        any =
            any || depends(on_t, b->led.item[i / CRANK_LED_NUMBERS].ex[i % CRANK_LED_NUMBERS]);
    }
    return any;
}

/* Operands come before what is made of them, so that one pass over the pool
 * answers for all expressions. */
crank_status crank_system_find_autonomous(crank_system *s, const crank_builder *b,
                                          crank_error *err)
{
    const int count = crank_pool_size(b->pool);
    bool *on_t = calloc((size_t)count + 1, sizeof *on_t);
    if (on_t == NULL) {
        return crank_fail(err, CRANK_EMEM, "equations of motion of the mechanism");
    }
    for (crank_ex e = 0; e < count; e++) {
        const crank_ex_op op = crank_ex_get_op(b->pool, e);
        on_t[e] = e == b->mechanism->t;
        for (int i = 0; op != CRANK_EX_NUMBER && op != CRANK_EX_SYMBOL && i < 3; i++) {
            const crank_ex operand = crank_ex_get_operand(b->pool, e, i);
            on_t[e] = on_t[e] || (operand >= 0 && on_t[operand]);
        }
    }
    s->eom->autonomous = !any_depends(b, on_t);
    free(on_t);
    return CRANK_OK;
}
