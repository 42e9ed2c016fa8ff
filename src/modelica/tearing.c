/* tearing.c - what a model says of tearing [EOC95], terms of an equation that are zero:
 *
 *     residue(x)       x is iterated on, and this equation is its residual
 *     linresidue(x)    the same in a linear system: no iteration
 *     donottear(x)     x is not iterated on, wherever it says so
 *
 * x: a variable or the derivative of one. src/inline/told.c heeds them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

static bool is_variable(const crank_mo_flattener *f, const crank_mo_value *v)
{
    const crank_ex symbol = v->rank == 0 && v->ex != NULL ? v->ex[0] : -1;
    for (int i = 0; i < f->flat->variable_count && symbol >= 0; i++) {
        const crank_flat_variable *x = &f->flat->variable[i];
        if (x->type == CRANK_FLAT_REAL && (x->symbol == symbol || x->rate == symbol)) {
            return true;
        }
    }
    return false;
}

bool crank_mo_tear(crank_mo_flattener *f, const crank_mo_scope *scope, const char *name,
                   const crank_mo_expression *e, crank_mo_value *out)
{
    static const char *const names[] = {[CRANK_FLAT_RESIDUE] = "residue",
                                        [CRANK_FLAT_LINRESIDUE] = "linresidue",
                                        [CRANK_FLAT_NOT_TORN] = "donottear"};
    int kind = 0;
    while (kind < 3 && strcmp(names[kind], name) != 0) {
        kind++;
    }
    if (kind == 3) {
        return false;
    }
    *out = crank_mo_number_value(f, CRANK_MO_IS_REAL, 0.0);
    const crank_mo_value v =
        e->count == 1 ? crank_mo_translate(f, scope, e->item[0]) : (crank_mo_value){0};
    if (!crank_mo_ok(f)) {
        return true;
    }
    const bool twice = f->tear != 0 && kind != CRANK_FLAT_NOT_TORN;
    if (!f->in_tearable || f->in_when || f->in_branch || twice) {
        (void)crank_mo_fail_at(
            f, e->place,
            twice ? "%s(): an equation has one residual"
                  : "%s() stands in an equation of a model, under no condition",
            name);
    } else if (e->count != 1 || !is_variable(f, &v)) {
        (void)crank_mo_fail_at(f, e->place,
                               "%s(): a Real variable, or der() of one, is expected", name);
    }
    crank_flat_tear *t = crank_mo_ok(f) ? crank_flat_add_tear(f->flat) : NULL;
    if (t == NULL) {
        crank_mo_fail_memory(f);
        return true;
    }
    *t = (crank_flat_tear){
        (crank_flat_tear_kind)kind, v.ex[0], {e->place.line, e->place.column}};
    f->tear = kind == CRANK_FLAT_NOT_TORN ? f->tear : f->flat->tear_count;
    return true;
}
