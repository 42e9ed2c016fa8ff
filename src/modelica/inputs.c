/* inputs.c - inputs of the model itself that nothing inside gives, `input Real u(start = 2)`: they
 * keep the value of start, or of --set, as nobody outside gives another one.
 *
 * Inputs with a value of their own or with a connection are given. Of the others it is not seen
 * which an equation means to give; all of them are open if that makes as many equations as
 * unknowns, and none is otherwise: then the message of missing equations names them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

typedef void input_fn(crank_mo_flattener *f, const crank_mo_instance *leaf, int *count);

static void each_input(crank_mo_flattener *f, crank_mo_instance *i, bool inside, input_fn *call,
                       int *count)
{
    if (i->absent || i->inner != NULL || !crank_mo_ok(f)) {
        return;
    }
    inside = inside || i->causality == CRANK_MO_INPUT;
    if (i->class == NULL && inside && i->variability > CRANK_MO_PARAMETER && i->first >= 0 &&
        !crank_mo_is_bound(i) && !crank_mo_is_connected(f, i)) {
        call(f, i, count);
    }
    const bool record = inside && i->class != NULL;
    for (int k = 0; k < i->count && i->rank > 0 && record; k++) {
        each_input(f, i->item[k], inside, call, count);
    }
    for (int k = 0; k < i->child_count && (record || i == f->root); k++) {
        each_input(f, i->child[k], inside, call, count);
    }
}

static void add_up(crank_mo_flattener *f, const crank_mo_instance *leaf, int *count)
{
    (void)f;
    *count += leaf->count;
}

static void hold(crank_mo_flattener *f, const crank_mo_instance *leaf, int *count)
{
    (void)count;
    for (int k = 0; k < leaf->count && crank_mo_ok(f); k++) {
        const crank_flat_variable *x = &f->flat->variable[leaf->first + k];
        crank_flat_equation *q = crank_flat_add_equation(f->flat, false);
        if (q == NULL) {
            crank_mo_fail_memory(f);
        } else if (x->start < 0) {
            (void)crank_mo_fail_at(f, leaf->place,
                                   "the input \"%.60s\" of the model has no value: give it one "
                                   "by start, in an equation, or --set %.60s=VALUE",
                                   x->name, x->name);
        } else {
            *q = (crank_flat_equation){
                .left = x->symbol, .right = x->start, .place = x->place, .origin = "input"};
        }
    }
}

void crank_mo_hold_inputs(crank_mo_flattener *f)
{
    int inputs = 0, missing = -f->flat->equation_count;
    for (int i = 0; i < f->flat->variable_count; i++) {
        missing += f->flat->variable[i].role == CRANK_FLAT_UNKNOWN ? 1 : 0;
    }
    each_input(f, f->root, false, add_up, &inputs);
    if (inputs > 0 && inputs == missing) {
        each_input(f, f->root, false, hold, &inputs);
    }
}
