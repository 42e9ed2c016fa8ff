/* start_discrete.c - initial equations of discrete variables (Modelica 3.6, 8.6). Those are no unknowns
 * of the equations that find the start: their value there is an update,
 *
 *     x = e:        x := if initial() then e else what it was
 *     pre(x) = e:   the start value of x is e
 *
 * so that e may use whatever is found at the start; it must not for pre(x). */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

static crank_flat_update *update_of(crank_mo_flattener *f, int variable)
{
    for (int i = 0; i < f->flat->update_count; i++) {
        if (f->flat->update[i].variable == variable && f->flat->update[i].condition < 0) {
            return &f->flat->update[i];
        }
    }
    const crank_ex before = crank_mo_before(f, variable);
    crank_flat_update *made = crank_mo_ok(f) ? crank_flat_add_update(f->flat) : NULL;
    if (made == NULL) {
        crank_mo_fail_memory(f);
        return NULL;
    }
    made->variable = variable;
    made->value = before;
    f->flat->variable[variable].updated = true;
    return made;
}

static void set(crank_mo_flattener *f, int variable, crank_ex value, crank_mo_place place)
{
    const crank_ex start = crank_mo_at_start(f, place);
    crank_flat_update *u = crank_mo_ok(f) ? update_of(f, variable) : NULL;
    if (u != NULL) {
        u->place = (crank_flat_place){place.line, place.column};
        u->value = crank_ex_call(f->pool, CRANK_EX_IF, start, value, u->value);
    }
}

static void set_before(crank_mo_flattener *f, int variable, crank_ex value,
                       crank_mo_place place)
{
    crank_flat_variable *x = &f->flat->variable[variable];
    if (!crank_mo_is_parametric(f, value)) {
        (void)crank_mo_fail_at(f, place,
                               "initial equation pre(%.60s) = ...: of other things than "
                               "constants and parameters: not supported",
                               x->name);
    } else if (x->fixed) {
        (void)crank_mo_fail_at(f, place, "pre(%.60s): its start value is fixed already",
                               x->name);
    } else {
        x->start = f->flat->variable[x->before].start = value;
    }
}

/* The discrete variable that a side is, *before: its pre(); -1: none. */
static int discrete_of(const crank_mo_flattener *f, crank_ex side, bool *before)
{
    const int own = crank_mo_variable_of(f, side), made = crank_mo_memory_of(f, side);
    *before = false;
    if (own >= 0) {
        return f->flat->variable[own].role == CRANK_FLAT_DISCRETE ? own : -1;
    }
    for (int i = 0; i < f->flat->variable_count && made >= 0; i++) {
        if (f->flat->variable[i].before == made) {
            *before = true;
            return i;
        }
    }
    return -1;
}

void crank_mo_start_discrete(crank_mo_flattener *f)
{
    int kept = 0;
    for (int i = 0; i < f->flat->initial_count && crank_mo_ok(f); i++) {
        const crank_flat_equation q = f->flat->initial[i];
        const crank_mo_place place = {q.place.line, q.place.column};
        bool before = false;
        crank_ex value = q.right;
        int variable = discrete_of(f, q.left, &before);
        if (variable < 0) {
            variable = discrete_of(f, q.right, &before);
            value = q.left;
        }
        if (variable < 0) {
            f->flat->initial[kept++] = q;
        } else if (before) {
            set_before(f, variable, value, place);
        } else if (f->flat->variable[variable].fixed) {
            (void)crank_mo_fail_at(f, place, "\"%.80s\": its start value is fixed already",
                                   f->flat->variable[variable].name);
        } else {
            set(f, variable, value, place);
        }
    }
    f->flat->initial_count = crank_mo_ok(f) ? kept : f->flat->initial_count;
}
