/* derived_starts.c - start values of variables that nobody gives one, from those that are given,
 * theory (11.15).
 *
 * An equation without derivatives in which one variable has no value yet gives it, by Newton's
 * iteration in this one, if its slope there is no matter of other variables; then it is known to
 * other equations. Initial equations count, too. Relations and discrete variables that
 * are set at the start get their values once what these depend on is known. What
 * nothing gives begins at zero, as the language has it: derivatives of such variables occur, and
 * with them known other variables are found. These values are guesses: they are not `start`, and
 * are left out where min or max say that they cannot be meant. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITERATIONS = 30, MOST = 64 }; /* symbols of an equation that is looked at */

typedef struct work {
    crank_flat *flat;
    int *map;  /* crank_flat_map */
    int size;  /* of map */
    int count; /* rules: equations, initial ones, events, updates */
    bool *known;
    bool *set;     /* variables: by a relation or an update */
    double *value; /* variables */
    int *open;     /* rules: variables without a value; -1: none is to be had from it */
    int *start;    /* variables: into `in` */
    int *in;       /* rules that they are in */
    int *ready, ready_count;
} work;

/* 0 = ex, or a discrete variable that is ex, or whether ex > 0 */
typedef struct rule {
    crank_ex ex;
    int sets; /* the discrete variable; -1: none */
    bool relation, or_equal;
} rule;

static rule rule_of(const work *w, int i)
{
    const crank_flat *flat = w->flat;
    const int equations = flat->equation_count + flat->initial_count;
    if (i < equations) {
        const crank_flat_equation *q = i < flat->equation_count
                                           ? &flat->equation[i]
                                           : &flat->initial[i - flat->equation_count];
        return (rule){.ex = crank_ex_sub(flat->pool, q->left, q->right), .sets = -1};
    }
    if (i < equations + flat->event_count) {
        const crank_flat_event *e = &flat->event[i - equations];
        return (rule){e->relation >= 0 && !e->clock && !e->at_end ? e->when : -1, e->relation,
                      true, e->or_equal};
    }
    const crank_flat_update *u = &flat->update[i - equations - flat->event_count];
    return (rule){.ex = u->condition < 0 ? u->value : -1, .sets = u->variable};
}

static int place_of(const work *w, crank_ex symbol)
{
    return symbol < w->size ? w->map[symbol] : -1;
}

static bool number_of(const work *w, crank_ex ex, double *out)
{
    return ex >= 0 && crank_ex_is_number(w->flat->pool, ex, out) && isfinite(*out);
}

/* symbols of a rule without derivatives; -1: it has some, or is too long */
static int symbols_of(const work *w, const rule *r, crank_ex *list)
{
    const crank_ex own = r->sets >= 0 ? w->flat->variable[r->sets].symbol : -1;
    const int count = r->ex >= 0 ? crank_ex_symbols(w->flat->pool, r->ex, list, MOST) : MOST;
    for (int k = 0; k < count && count < MOST; k++) {
        const int place = place_of(w, list[k]);
        if ((place < 0 && list[k] != w->flat->t) || (place >= 0 && place % 2 == 1) ||
            list[k] == own) {
            return -1;
        }
    }
    if (count < MOST && own >= 0) {
        list[count] = own;
        return count + 1;
    }
    return count < MOST ? count : -1;
}

/* ---- one rule ---- */

static bool evaluate(work *w, crank_ex ex, crank_ex symbol, double x, double *out)
{
    crank_pool *pool = w->flat->pool;
    const crank_ex number = crank_ex_number(pool, x);
    return number_of(w, crank_ex_substitute(pool, ex, 1, &symbol, &number), out);
}

/* f(x) = 0 from *x on */
static bool iterate(work *w, crank_ex f, crank_ex slope, crank_ex symbol, double *x)
{
    double value = 0.0, rate = 0.0;
    for (int k = 0; k < ITERATIONS; k++) {
        if (!evaluate(w, f, symbol, *x, &value)) {
            return false;
        }
        if (value == 0.0) {
            return true;
        }
        if (!evaluate(w, slope, symbol, *x, &rate) || !isfinite(value / rate)) {
            return false;
        }
        *x -= value / rate;
        if (fabs(value / rate) <= 16.0 * DBL_EPSILON * fabs(*x)) {
            return true;
        }
    }
    return false;
}

/* where an iteration may begin, if not at zero */
static double usual_size(const work *w, const crank_flat_variable *x)
{
    double size = 1.0;
    return number_of(w, x->nominal, &size) && size != 0.0 ? size : 1.0;
}

static bool may_be(const work *w, const crank_flat_variable *x, double value)
{
    double min = -INFINITY, max = INFINITY;
    (void)number_of(w, x->min, &min);
    (void)number_of(w, x->max, &max);
    return value >= min && value <= max;
}

/* no other symbols: a slope that other values decide may be zero but for rounding */
static bool depends_alone(const work *w, crank_ex ex, crank_ex symbol)
{
    crank_ex list[2];
    const int count = crank_ex_symbols(w->flat->pool, ex, list, 2);
    return count == 0 || (count == 1 && list[0] == symbol);
}

/* the variable that rule i gives; -1: none */
static int solve(work *w, int i, double *out)
{
    crank_pool *pool = w->flat->pool;
    crank_ex list[MOST], number[MOST];
    const rule r = rule_of(w, i);
    const int count = symbols_of(w, &r, list);
    int given = 0, variable = -1;
    for (int k = 0; k < count; k++) {
        const int place = place_of(w, list[k]);
        if (place >= 0 && !w->known[place / 2]) {
            variable = place / 2;
            continue;
        }
        const double start = isnan(w->flat->t_start) ? 0.0 : w->flat->t_start;
        number[given] = crank_ex_number(pool, place >= 0 ? w->value[place / 2] : start);
        list[given++] = list[k];
    }
    if (variable < 0 || (r.sets >= 0 && r.sets != variable)) {
        return -1;
    }
    const crank_flat_variable *x = &w->flat->variable[variable];
    const crank_ex f = crank_ex_substitute(pool, r.ex, given, list, number);
    if (r.sets >= 0) {
        if (!number_of(w, f, out)) {
            return -1;
        }
        *out = !r.relation ? *out : *out > 0.0 || (r.or_equal && *out == 0.0) ? 1.0 : 0.0;
        return variable;
    }
    const crank_ex slope = crank_ex_derivative(pool, r.ex, x->symbol);
    if (!depends_alone(w, slope, x->symbol)) {
        return -1;
    }
    const double size = usual_size(w, x), from[3] = {0.0, size, -size};
    for (int k = 0; k < 3; k++) {
        *out = from[k];
        if (iterate(w, f, slope, x->symbol, out) && may_be(w, x, *out)) {
            return variable;
        }
    }
    return -1;
}

/* ---- all ---- */

static void mark(work *w, int j)
{
    w->known[j] = true;
    for (int q = w->start[j]; q < w->start[j + 1]; q++) {
        const int i = w->in[q];
        if (w->open[i] > 0 && --w->open[i] == 1) {
            w->ready[w->ready_count++] = i;
        }
    }
}

/* Rules that are ready, and those that they make ready. */
static void follow(work *w)
{
    for (int k = 0; k < w->ready_count; k++) {
        const int i = w->ready[k];
        double value = 0.0;
        const int j = w->open[i] == 1 ? solve(w, i, &value) : -1;
        w->open[i] = -1;
        if (j >= 0) {
            w->value[j] = value;
            if (w->flat->variable[j].role == CRANK_FLAT_UNKNOWN) {
                w->flat->variable[j].derived = crank_ex_number(w->flat->pool, value);
            }
            mark(w, j);
        }
    }
    w->ready_count = 0;
}

/* which rules the variables are in; counts first, then lists */
static void list_rules(work *w, bool count_only)
{
    for (int i = 0; i < w->count; i++) {
        crank_ex list[MOST];
        const rule r = rule_of(w, i);
        const int count = symbols_of(w, &r, list);
        w->open[i] = count < 0 ? -1 : 0;
        for (int k = 0; k < count; k++) {
            const int place = place_of(w, list[k]);
            if (place >= 0) {
                w->open[i]++;
                if (count_only) {
                    w->start[place / 2 + 1]++;
                } else {
                    w->in[w->start[place / 2]++] = i;
                }
            }
        }
        if (!count_only && w->open[i] == 1) {
            w->ready[w->ready_count++] = i;
        }
    }
}

static bool find_lists(work *w)
{
    const int n = w->flat->variable_count;
    list_rules(w, true);
    for (int j = 0; j < n; j++) {
        w->start[j + 1] += w->start[j];
    }
    w->in = crank_store_take(&w->flat->store, (size_t)w->start[n] + 1, sizeof *w->in);
    if (w->in == NULL) {
        return false;
    }
    list_rules(w, false);
    for (int j = n; j > 0; j--) {
        w->start[j] = w->start[j - 1];
    }
    w->start[0] = 0;
    return true;
}

/* does somebody say where it begins? */
static bool is_given(const crank_flat_variable *x)
{
    return x->role == CRANK_FLAT_UNKNOWN
               ? x->type == CRANK_FLAT_REAL && (x->fixed || x->start >= 0)
               : true;
}

/* what begins as it is declared: not what relations and updates set */
static void mark_given(work *w)
{
    crank_flat *flat = w->flat;
    for (int i = 0; i < w->count; i++) {
        const rule r = rule_of(w, i);
        if (r.sets >= 0 && r.ex >= 0) {
            w->set[r.sets] = true;
        }
    }
    for (int j = 0; j < flat->variable_count; j++) {
        const crank_flat_variable *x = &flat->variable[j];
        if (is_given(x) && !w->set[j]) {
            (void)number_of(w, x->start, &w->value[j]);
            w->value[j] = j == flat->at_start ? 1.0 : w->value[j];
            mark(w, j);
        }
    }
}

/* division by what is fixed at zero */
static crank_status check_divisors(const work *w, crank_error *err)
{
    crank_flat *flat = w->flat;
    const int size = crank_pool_size(flat->pool);
    crank_ex *by = crank_store_take(&flat->store, (size_t)size, sizeof *by);
    if (by == NULL) {
        return crank_flat_status(flat, err);
    }
    memset(by, -1, (size_t)size * sizeof *by);
    for (int j = 0; j < flat->variable_count; j++) {
        const crank_flat_variable *x = &flat->variable[j];
        if (x->fixed && x->role == CRANK_FLAT_UNKNOWN) {
            by[x->symbol] = crank_ex_number(flat->pool, w->value[j]);
        }
    }
    return crank_flat_check_divisors(flat, size, by, err);
}

crank_status crank_flat_derive_starts(crank_flat *flat, crank_error *err)
{
    const size_t n = (size_t)flat->variable_count;
    work w = {.flat = flat,
              .size = crank_pool_size(flat->pool),
              .count = flat->equation_count + flat->initial_count + flat->event_count +
                       flat->update_count};
    w.map = crank_flat_map(flat);
    w.known = crank_store_take(&flat->store, n, sizeof *w.known);
    w.set = crank_store_take(&flat->store, n, sizeof *w.set);
    w.value = crank_store_take(&flat->store, n, sizeof *w.value);
    w.start = crank_store_take(&flat->store, n + 2, sizeof *w.start);
    w.open = crank_store_take(&flat->store, (size_t)w.count, sizeof *w.open);
    w.ready = crank_store_take(&flat->store, (size_t)w.count, sizeof *w.ready);
    if (flat->store.failed || !find_lists(&w)) {
        return crank_flat_status(flat, err);
    }
    mark_given(&w);
    follow(&w);
    for (size_t j = 0; j < n; j++) {
        if (!w.known[j] && flat->variable[j].rate >= 0) {
            mark(&w, (int)j);
        }
    }
    follow(&w);
    return check_divisors(&w, err);
}
