/* whole.c - floor(u), and what is made of it (ceil, integer, div, mod, rem; Modelica 3.6, 3.7.1):
 * constant between events, which happen where u passes a whole number. k, a discrete variable,
 * is the floor of u; with relations that are frozen as others are,
 *
 *     up:   u >= pre(k) + 1,      down:   u < pre(k)
 *     k := if initial() then floor(u) else if up then max(pre(k) + 1, floor(u))
 *          else if down then min(pre(k) - 1, floor(u)) else pre(k)                theory (11.13) */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"
#include "base/hash.h"
#include "modelica/flatten.h"

static bool is_whole_of(const void *wanted, const void *user, int number)
{
    const crank_mo_flattener *f = user;
    return f->whole[number].of == *(const crank_ex *)wanted;
}

/* the variable that holds floor(u), with its update; -1: an error, or nothing to hold */
static crank_ex make(crank_mo_flattener *f, crank_ex u, crank_ex now, crank_mo_place place)
{
    crank_pool *p = f->pool;
    const crank_ex one = crank_ex_number(p, 1.0), start = crank_mo_at_start(f, place);
    const int k = crank_mo_make_memory(f,
                                       crank_store_print(f->store, "whole.line%d.%d",
                                                         place.line % CRANK_FLAT_LINES,
                                                         f->flat->variable_count),
                                       CRANK_FLAT_INTEGER, place, "");
    const crank_ex before = k >= 0 ? crank_mo_before(f, k) : -1;
    if (before < 0 || start < 0) {
        return -1;
    }
    const crank_ex above = crank_ex_add(p, before, one), below = crank_ex_sub(p, before, one);
    const crank_ex up = crank_mo_freeze(f, crank_ex_sub(p, u, above), true, place),
                   down = crank_mo_freeze(f, crank_ex_sub(p, before, u), false, place);
    crank_flat_update *update =
        up >= 0 && down >= 0 && crank_mo_ok(f) ? crank_flat_add_update(f->flat) : NULL;
    if (update == NULL) {
        crank_mo_fail_memory(f);
        return -1;
    }
    crank_ex value = crank_ex_call(p, CRANK_EX_IF, down,
                                   crank_ex_call(p, CRANK_EX_MIN, below, now, 0), before);
    value =
        crank_ex_call(p, CRANK_EX_IF, up, crank_ex_call(p, CRANK_EX_MAX, above, now, 0), value);
    update->variable = k;
    update->value = crank_ex_call(p, CRANK_EX_IF, start, now, value);
    update->place = (crank_flat_place){place.line, place.column};
    return f->flat->variable[k].symbol;
}

crank_ex crank_mo_floor(crank_mo_flattener *f, crank_ex u, crank_mo_place place)
{
    const crank_ex now = crank_ex_call(f->pool, CRANK_EX_FLOOR, u, 0, 0);
    if (!crank_mo_ok(f) || !crank_mo_makes_events(f, u)) {
        return now;
    }
    const uint64_t hash = crank_hash_spread((uint64_t)u + 1);
    const int known = crank_index_find_by(&f->wholes, hash, is_whole_of, &u, f);
    if (known >= 0) {
        return f->whole[known].symbol;
    }
    const crank_ex held = make(f, u, now, place);
    struct crank_mo_whole *more = crank_store_grow(f->store, f->whole, f->whole_count,
                                                   &f->whole_capacity, sizeof *f->whole);
    if (held < 0 || more == NULL ||
        !crank_index_add_by(&f->wholes, f->store, hash, f->whole_count)) {
        crank_mo_fail_memory(f);
        return now;
    }
    f->whole = more;
    f->whole[f->whole_count++] = (struct crank_mo_whole){u, held};
    return held;
}

crank_ex crank_mo_ceil(crank_mo_flattener *f, crank_ex u, crank_mo_place place)
{
    return crank_ex_neg(f->pool, crank_mo_floor(f, crank_ex_neg(f->pool, u), place));
}
