/* memory.c - what a model remembers between events (Modelica 3.6, 8.3.5, 8.5): relations, which
 * keep their value until an event, pre(x), initial(), sample(). Each becomes a discrete variable
 * of the flat record, theory (11.8), whose symbol stands in the equations. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include "base/grow.h"
#include "base/hash.h"

#include <float.h>
#include <math.h>
#include <string.h>

int crank_mo_make_memory(crank_mo_flattener *f, const char *name, crank_flat_type type,
                         crank_mo_place place, const char *text)
{
    const int made = name != NULL ? crank_flat_add_variable(f->flat, name) : -1;
    if (made < 0) {
        crank_mo_fail_memory(f);
        return -1;
    }
    crank_flat_variable *x = &f->flat->variable[made];
    x->type = type;
    x->role = CRANK_FLAT_DISCRETE;
    x->made = true;
    x->place = (crank_flat_place){place.line, place.column};
    x->text = text;
    crank_mo_keep_memory(f, made);
    return made;
}

/* ---- relations ---- */

/* a new one at the end; NULL: out of memory */
static crank_mo_relation *add_relation(crank_mo_flattener *f, crank_ex function,
                                       crank_mo_place place)
{
    crank_mo_relation *more = crank_store_grow(f->store, f->relation, f->relation_count,
                                               &f->relation_capacity, sizeof *f->relation);
    if (more == NULL) {
        crank_mo_fail_memory(f);
        return NULL;
    }
    f->relation = more;
    f->relation[f->relation_count] =
        (crank_mo_relation){.function = function, .place = place, .variable = -1};
    return &f->relation[f->relation_count++];
}

/* function, > or >= */
static uint64_t hash_relation(const crank_mo_relation *r)
{
    return crank_hash_spread(2 * (uint64_t)r->function + (uint64_t)r->or_equal);
}

static bool is_relation(const void *wanted, const void *user, int number)
{
    const crank_mo_relation *a = wanted,
                            *b = &((const crank_mo_flattener *)user)->relation[number];
    return a->function == b->function && a->or_equal == b->or_equal;
}

static const crank_mo_relation *find_relation(const crank_mo_flattener *f,
                                              const crank_mo_relation *wanted)
{
    const int i =
        crank_index_find_by(&f->relations, hash_relation(wanted), is_relation, wanted, f);
    return i >= 0 ? &f->relation[i] : NULL;
}

/* the newest one can be found from now on */
static bool keep_relation(crank_mo_flattener *f, const crank_mo_relation *r)
{
    if (r == NULL ||
        !crank_index_add_by(&f->relations, f->store, hash_relation(r), f->relation_count - 1)) {
        crank_mo_fail_memory(f);
        return false;
    }
    return true;
}

bool crank_mo_makes_events(crank_mo_flattener *f, crank_ex function)
{
    return f->in_equations && !f->no_event && crank_mo_ok(f) &&
           !crank_mo_is_parametric(f, function);
}

crank_ex crank_mo_freeze(crank_mo_flattener *f, crank_ex function, bool or_equal,
                         crank_mo_place place)
{
    if (!crank_mo_makes_events(f, function)) {
        return -1;
    }
    const crank_mo_relation wanted = {.function = function, .or_equal = or_equal};
    const crank_mo_relation *known = find_relation(f, &wanted);
    if (known != NULL) {
        return f->flat->variable[known->variable].symbol;
    }
    const char *name = crank_store_print(
        f->store, "relation.line%d.%d", place.line % CRANK_FLAT_LINES, f->flat->variable_count);
    const int made = crank_mo_make_memory(f, name, CRANK_FLAT_BOOLEAN, place, "");
    crank_mo_relation *r = made >= 0 ? add_relation(f, function, place) : NULL;
    if (r == NULL) {
        return -1;
    }
    r->variable = made;
    r->or_equal = or_equal;
    return keep_relation(f, r) ? f->flat->variable[made].symbol : -1;
}

/* ---- pre, initial, sample ---- */

crank_ex crank_mo_before(crank_mo_flattener *f, int variable)
{
    const int made = crank_flat_before(f->flat, variable);
    if (made < 0) {
        crank_mo_fail_memory(f);
        return -1;
    }
    crank_mo_keep_memory(f, made);
    return f->flat->variable[made].symbol;
}

/* pre() of a Real outside of `when`: whether it is discrete is known at the end */
static void look_later(crank_mo_flattener *f, int variable, crank_mo_place place)
{
    crank_mo_pending *more = crank_store_grow(f->store, f->pending, f->pending_count,
                                              &f->pending_capacity, sizeof *f->pending);
    if (more == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    f->pending = more;
    f->pending[f->pending_count++] = (crank_mo_pending){variable, place};
}

static void check_pending(crank_mo_flattener *f)
{
    for (int i = 0; i < f->pending_count && crank_mo_ok(f); i++) {
        const crank_flat_variable *x = &f->flat->variable[f->pending[i].variable];
        if (x->role != CRANK_FLAT_DISCRETE) {
            (void)crank_mo_fail_at(f, f->pending[i].place,
                                   "pre(%.80s) outside of a when-equation: the variable is not "
                                   "discrete",
                                   x->name);
        }
    }
}

crank_mo_value crank_mo_before_event(crank_mo_flattener *f, const crank_mo_value *v,
                                     crank_mo_place place)
{
    crank_mo_value out = crank_mo_copy(f, v);
    for (int k = 0; k < out.count && out.ex != NULL && crank_mo_ok(f); k++) {
        const int variable = crank_ex_symbol_name(f->pool, out.ex[k]) != NULL
                                 ? crank_mo_variable_of(f, out.ex[k])
                                 : -1;
        if (variable < 0 || f->flat->variable[variable].made) {
            (void)crank_mo_fail_at(f, place, "pre() of something that is no variable");
            return out;
        }
        out.ex[k] = crank_mo_before(f, variable);
        if (!f->in_when && f->flat->variable[variable].type == CRANK_FLAT_REAL) {
            look_later(f, variable, place);
        }
    }
    return out;
}

crank_ex crank_mo_at_start(crank_mo_flattener *f, crank_mo_place place)
{
    if (f->flat->at_start < 0) {
        const int made = crank_mo_make_memory(f, "initial()", CRANK_FLAT_BOOLEAN, place, "");
        if (made < 0) {
            return -1;
        }
        f->flat->at_start = made;
    }
    return f->flat->variable[f->flat->at_start].symbol;
}

crank_ex crank_mo_at_end(crank_mo_flattener *f, crank_mo_place place)
{
    const double never = 1e300; /* the run says when, at_end of dae_discrete.h */
    if (f->at_end >= 0) {
        return f->at_end;
    }
    const int made = crank_mo_make_memory(f, "terminal()", CRANK_FLAT_BOOLEAN, place, "");
    crank_mo_relation *r =
        made >= 0
            ? add_relation(
                  f, crank_ex_sub(f->pool, f->flat->t, crank_ex_number(f->pool, never)), place)
            : NULL;
    if (r == NULL) {
        crank_mo_fail_memory(f);
        return -1;
    }
    r->variable = made;
    r->or_equal = r->clock = r->at_end = true;
    f->at_end = f->flat->variable[made].symbol;
    return f->at_end;
}

/* a parameter expression */
static bool parameter(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_expression *e, crank_ex *ex, double *number)
{
    const crank_mo_value v = crank_mo_translate(f, scope, e);
    if (crank_mo_ok(f) &&
        (v.rank > 0 || v.type > CRANK_MO_IS_INTEGER || !crank_mo_is_parametric(f, v.ex[0]) ||
         !crank_mo_number_of(f, v.ex[0], number))) {
        (void)crank_mo_fail_at(f, e->place, "sample: two parameter expressions are expected");
    }
    *ex = crank_mo_ok(f) ? v.ex[0] : -1;
    return crank_mo_ok(f);
}

/* sample(start, interval): true at the event where time reaches start + pre(count) interval; the
 * event counts on. */
crank_ex crank_mo_sample(crank_mo_flattener *f, const crank_mo_scope *scope,
                         const crank_mo_expression *e)
{
    crank_pool *p = f->pool;
    crank_ex first, step;
    double start = 0.0, interval = 0.0;
    if (e->count != 2) {
        (void)crank_mo_fail_at(f, e->place, "sample(start, interval) is expected");
        return -1;
    }
    if (!parameter(f, scope, e->item[0], &first, &start) ||
        !parameter(f, scope, e->item[1], &step, &interval)) {
        return -1;
    }
    if (!(interval > 0.0)) {
        (void)crank_mo_fail_at(f, e->place, "sample(%g, %g): the interval must be positive",
                               start, interval);
        return -1;
    }
    const double begin = isnan(f->flat->t_start) ? 0.0 : f->flat->t_start;
    if (start < begin) { /* the first one in the run */
        const double ratio = (begin - start) / interval, whole = round(ratio);
        const bool now = fabs(ratio - whole) <= 8.0 * DBL_EPSILON * fmax(1.0, whole);
        first = crank_ex_number(p, start + interval * (now ? whole : ceil(ratio)));
    }
    const int line = e->place.line % CRANK_FLAT_LINES, number = f->flat->variable_count;
    const int ticks = crank_mo_make_memory(
        f, crank_store_print(f->store, "sample.line%d.%d.count", line, number),
        CRANK_FLAT_INTEGER, e->place, "how often sample() was true");
    const int flag =
        crank_mo_make_memory(f, crank_store_print(f->store, "sample.line%d.%d", line, number),
                             CRANK_FLAT_BOOLEAN, e->place, "");
    if (ticks < 0 || flag < 0) {
        return -1;
    }
    f->flat->variable[ticks].start = crank_ex_number(p, 0.0);
    const crank_ex before = crank_mo_before(f, ticks);
    const crank_ex next = crank_ex_add(p, first, crank_ex_mul(p, before, step));
    const crank_ex now = f->flat->variable[flag].symbol;
    const crank_ex edge = crank_mo_edge(f, flag);
    crank_mo_relation *r = add_relation(f, crank_ex_sub(p, f->flat->t, next), e->place);
    crank_flat_update *u = crank_flat_add_update(f->flat);
    if (r == NULL || u == NULL) {
        crank_mo_fail_memory(f);
        return -1;
    }
    r->variable = flag;
    r->or_equal = r->clock = true;
    u->variable = ticks;
    u->value = crank_ex_call(p, CRANK_EX_IF, edge,
                             crank_ex_add(p, before, crank_ex_number(p, 1.0)), before);
    u->place = (crank_flat_place){e->place.line, e->place.column};
    return now;
}

crank_ex crank_mo_edge(crank_mo_flattener *f, int variable)
{
    const crank_ex before = crank_mo_before(f, variable);
    return crank_ex_call(f->pool, CRANK_EX_AND, f->flat->variable[variable].symbol,
                         crank_ex_call(f->pool, CRANK_EX_NOT, before, 0, 0), 0);
}

/* ---- the end ---- */

/* Do all symbols change at events alone? */
static bool is_discrete(crank_mo_flattener *f, const int *map, int size, crank_ex ex)
{
    const int count = crank_ex_symbols(f->pool, ex, NULL, 0);
    crank_ex *symbols = crank_mo_new(f, (size_t)count, sizeof *symbols);
    bool all = symbols != NULL;
    (void)(all && crank_ex_symbols(f->pool, ex, symbols, count));
    for (int k = 0; k < count && all; k++) {
        const int place = symbols[k] < size ? map[symbols[k]] : -1;
        int entry;
        if (place < 0) { /* a parameter, or the time */
            all = crank_mo_owner_of(f, symbols[k], &entry) != NULL;
            continue;
        }
        const crank_flat_variable *x = &f->flat->variable[place / 2];
        all = place % 2 == 0 && (x->role == CRANK_FLAT_DISCRETE || x->type != CRANK_FLAT_REAL);
    }
    return all;
}

/* An event for each; those of discrete variables alone need none, and stand for themselves. */
void crank_mo_write_relations(crank_mo_flattener *f)
{
    check_pending(f);
    const int *map = crank_mo_ok(f) ? crank_flat_map(f->flat) : NULL;
    const int size = crank_pool_size(f->pool);
    crank_ex *by = crank_mo_new(f, (size_t)size, sizeof *by);
    if (map == NULL || by == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    memset(by, -1, (size_t)size * sizeof *by);
    const crank_ex zero = crank_ex_number(f->pool, 0.0);
    for (int i = 0; i < f->relation_count && crank_mo_ok(f); i++) {
        const crank_mo_relation *r = &f->relation[i];
        if (!r->clock && is_discrete(f, map, size, r->function)) {
            crank_flat_variable *x = &f->flat->variable[r->variable];
            x->role = CRANK_FLAT_ELIMINATED;
            x->value = crank_ex_call(f->pool, r->or_equal ? CRANK_EX_LE : CRANK_EX_LT, zero,
                                     r->function, 0);
            by[x->symbol] = x->value;
            continue;
        }
        crank_flat_event *e = crank_flat_add_event(f->flat);
        if (e == NULL) {
            crank_mo_fail_memory(f);
            return;
        }
        e->name = crank_store_print(f->store, "%s.line%d.%d", r->clock ? "sample" : "relation",
                                    r->place.line % CRANK_FLAT_LINES, f->flat->event_count);
        e->when = r->function;
        e->relation = r->variable;
        e->or_equal = r->or_equal;
        e->clock = r->clock;
        e->at_end = r->at_end;
        e->place = (crank_flat_place){r->place.line, r->place.column};
    }
    crank_flat_substitute(f->flat, size, by);
}
