/* exits.c - return and break under conditions that are not known before the run (Modelica 3.6,
 * 11.2.6, 12.1.2), in algorithms that run with expressions for values (statement.c).
 *
 * Where a branch leaves and the other goes on, what it leaves behind is kept with its condition,
 * and the statements go on with the other one, under the opposite condition. Where the loop or
 * the function ends all are put together,
 *
 *     v := if c_1 then v_1 else if c_2 then v_2 ... else v
 *
 * in the order in which they come: c_2 is looked at where c_1 does not hold. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include "base/grow.h"

int crank_mo_count_locals(const crank_mo_scope *scope)
{
    int count = 0;
    for (const crank_mo_local *l = scope->local; l != NULL; l = l->next) {
        count++;
    }
    return count;
}

crank_mo_value *crank_mo_remember(crank_mo_flattener *f, const crank_mo_scope *scope)
{
    crank_mo_value *list = crank_mo_new(f, (size_t)crank_mo_count_locals(scope), sizeof *list);
    int i = 0;
    for (const crank_mo_local *l = scope->local; l != NULL && list != NULL; l = l->next) {
        list[i++] = l->value;
    }
    return list;
}

void crank_mo_restore(const crank_mo_scope *scope, const crank_mo_value *list)
{
    int i = 0;
    for (crank_mo_local *l = scope->local; l != NULL; l = l->next) {
        l->value = list[i++];
    }
}

void crank_mo_merge(crank_mo_flattener *f, const crank_mo_scope *scope, crank_ex c,
                    const crank_mo_value *then, crank_mo_place place)
{
    int i = 0;
    for (crank_mo_local *l = scope->local; l != NULL && crank_mo_ok(f); l = l->next, i++) {
        if (l->value.ex != then[i].ex || l->value.field != then[i].field) {
            l->value = crank_mo_choose(f, c, &then[i], &l->value, place);
        }
    }
}

static crank_ex both(const crank_mo_flattener *f, crank_ex a, crank_ex b)
{
    return a < 0 ? b : crank_ex_call(f->pool, CRANK_EX_AND, a, b, 0);
}

void crank_mo_add_exit(crank_mo_flattener *f, const crank_mo_scope *scope, crank_mo_flow flow,
                       crank_ex c, const crank_mo_value *values, crank_mo_place place)
{
    crank_mo_exit *more =
        crank_store_grow(f->store, f->exit, f->exit_count, &f->exit_capacity, sizeof *f->exit);
    if (more == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    f->exit = more;
    f->exit[f->exit_count++] = (crank_mo_exit){.flow = flow,
                                               .condition = c,
                                               .count = crank_mo_count_locals(scope),
                                               .value = values,
                                               .place = place};
}

void crank_mo_exits_under(crank_mo_flattener *f, int from, crank_ex c)
{
    for (int i = from; i < f->exit_count; i++) {
        f->exit[i].condition = both(f, c, f->exit[i].condition);
    }
}

crank_ex crank_mo_guard_behind(const crank_mo_flattener *f, int from, crank_ex guard)
{
    for (int i = from; i < f->exit_count; i++) {
        guard =
            both(f, guard, crank_ex_call(f->pool, CRANK_EX_NOT, f->exit[i].condition, 0, 0));
    }
    return guard;
}

bool crank_mo_has_exit(const crank_mo_flattener *f, int from, crank_mo_flow flow)
{
    bool any = false;
    for (int i = from; i < f->exit_count; i++) {
        any = any || f->exit[i].flow == flow;
    }
    return any;
}

/* exits of other kinds happen where none of this kind has happened before */
static int exclude(crank_mo_flattener *f, int from, crank_mo_flow flow)
{
    crank_ex none = -1;
    int kept = from;
    for (int i = from; i < f->exit_count; i++) {
        crank_mo_exit e = f->exit[i];
        if (e.flow == flow) {
            none = both(f, none, crank_ex_call(f->pool, CRANK_EX_NOT, e.condition, 0, 0));
        } else {
            e.condition = both(f, none, e.condition);
            f->exit[kept++] = e;
        }
    }
    return kept;
}

void crank_mo_arrive(crank_mo_flattener *f, const crank_mo_scope *scope, int from,
                     crank_mo_flow flow)
{
    const int here = crank_mo_count_locals(scope);
    for (int i = f->exit_count - 1; i >= from && crank_mo_ok(f); i--) { /* earlier ones win */
        const crank_mo_exit e = f->exit[i];
        if (e.flow == flow) { /* iterators of loops that it has left are the first locals */
            crank_mo_merge(f, scope, e.condition, e.value + (e.count - here), e.place);
        }
    }
    f->exit_count = crank_mo_ok(f) ? exclude(f, from, flow) : from;
}
