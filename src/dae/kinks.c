/* kinks.c - where a constraint cannot be differentiated: zeros of the arguments of abs, sign,
 * comparisons and the like. Tables have kinks at their points where they are differentiated
 * more often than they are smooth: splines twice, monotone ones once, linear ones never. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "dae/procedure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_condition(crank_ex_op op)
{
    return op >= CRANK_EX_LT && op <= CRANK_EX_NOT;
}

/* The function whose zeros are the kinks of node e, and its name; -1: e is smooth. */
static crank_ex kink_of(crank_pool *pool, crank_ex e, const char **name)
{
    const crank_ex a = crank_ex_get_operand(pool, e, 0), b = crank_ex_get_operand(pool, e, 1);
    switch ((int)crank_ex_get_op(pool, e)) {
    case CRANK_EX_ABS:
        *name = "abs";
        return a;
    case CRANK_EX_SIGN:
        *name = "sign";
        return a;
    case CRANK_EX_FLOOR:
    case CRANK_EX_CEIL:
        *name = crank_ex_get_op(pool, e) == CRANK_EX_FLOOR ? "floor" : "ceil";
        return crank_ex_call(pool, CRANK_EX_SIN,
                             crank_ex_mul(pool, crank_ex_number(pool, acos(-1.0)), a), 0, 0);
    case CRANK_EX_MIN:
    case CRANK_EX_MAX:
        *name = crank_ex_get_op(pool, e) == CRANK_EX_MIN ? "min" : "max";
        return crank_ex_sub(pool, a, b);
    case CRANK_EX_LT:
    case CRANK_EX_LE:
    case CRANK_EX_EQ:
    case CRANK_EX_NE:
        *name = "if";
        return crank_ex_sub(pool, a, b);
    case CRANK_EX_IF:
        *name = "if";
        return is_condition(crank_ex_get_op(pool, a)) ? -1 : a;
    case CRANK_EX_TABLE:
        *name = "table";
        return crank_ex_table_is_smooth(pool, e) ? -1 : crank_ex_number(pool, 1.0);
    default:
        return -1;
    }
}

static bool add_kink(crank_dae_procedure *p, const crank_dae_kink *kink)
{
    for (int i = 0; i < p->kink_count; i++) {
        if (p->kink[i].function == kink->function && p->kink[i].level == kink->level &&
            p->kink[i].equation == kink->equation) {
            p->kink[i].met = p->kink[i].met || kink->met;
            p->kink[i].distance = fmin(p->kink[i].distance, kink->distance);
            return true;
        }
    }
    crank_dae_kink *more =
        crank_store_grow(p->store, p->kink, p->kink_count, &p->kink_capacity, sizeof *more);
    if (more == NULL) {
        return false;
    }
    p->kink = more;
    p->kink[p->kink_count++] = *kink;
    return true;
}

/* The sign of g at the point; neighbours where it differs are left out. */
static crank_status look(crank_dae_procedure *p, crank_ex g, crank_dae_kink *kink,
                         crank_error *err)
{
    crank_dae_functions function;
    crank_status status = crank_dae_functions_create(p->input->pool, p->n, p->input->variable,
                                                     p->input->t, 1, &g, &function, err);
    double value[CRANK_DAE_POINTS] = {0}, largest = 1.0;
    for (int q = 0; q < CRANK_DAE_POINTS && status == CRANK_OK; q++) {
        (void)crank_dae_functions_evaluate(&function, crank_dae_point(&p->points, q),
                                           p->points.t[q]);
        value[q] = function.out[0];
        largest = isfinite(value[q]) ? fmax(largest, fabs(value[q])) : largest;
    }
    kink->distance = fabs(value[0]);
    kink->met = !(fabs(value[0]) > CRANK_DAE_ZERO_TOLERANCE * largest);
    int kept = 0;
    for (int q = 1; q < CRANK_DAE_POINTS && !kink->met; q++) {
        const bool same = (value[q] > 0.0) == (value[0] > 0.0);
        p->points.used[q] = p->points.used[q] && same;
        kept += p->points.used[q] ? 1 : 0;
    }
    kink->met = kink->met || kept == 0;
    crank_dae_functions_destroy(&function);
    return status;
}

crank_status crank_dae_find_kinks(crank_dae_procedure *p, crank_ex e, int level, int equation,
                                  bool *met, crank_error *err)
{
    crank_pool *pool = p->input->pool;
    crank_status status = CRANK_OK;
    bool *reached = calloc((size_t)e + 1, sizeof *reached);
    bool made = reached != NULL;
    if (made) {
        reached[e] = true;
    }
    *met = false;
    for (crank_ex i = e; i >= 0 && made && status == CRANK_OK; i--) {
        crank_dae_kink kink = {.level = level, .equation = equation};
        if (!reached[i]) {
            continue;
        }
        for (int o = 0; o < 3; o++) {
            const crank_ex operand = crank_ex_get_operand(pool, i, o);
            if (operand >= 0) {
                reached[operand] = true;
            }
        }
        const crank_ex g = kink_of(pool, i, &kink.function);
        if (g >= 0) {
            status = look(p, g, &kink, err);
            made = add_kink(p, &kink);
            *met = *met || kink.met;
        }
    }
    free(reached);
    return made ? status : crank_fail(err, CRANK_EMEM, "a look for kinks");
}
