/* alias.c - equations a = b, a = -b and a = number (theory (11.4)) leave the flat DAE, and the
 * variables that they give with them. Connections make most equations of a model of this kind.
 *
 * Variables that are equal up to the sign are sets with one that stays; an equation is looked
 * at with those that stay in place of the others, again and again until none is an alias any
 * more. Of two variables the one stays whose derivative occurs, whose start is fixed, or which
 * has a start value, or the first one. Start values go over to the one that stays; two that are
 * both fixed stay both. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inline/passes.h"

#include <math.h>
#include <string.h>

enum { PASSES = 100 };

typedef struct work {
    crank_flat *flat;
    int *map;     /* crank_flat_map */
    int size;     /* of map */
    int *parent;  /* variables */
    double *sign; /* x = sign * parent */
    bool *known;  /* of a root: it is a number */
    double *number;
    bool *gone; /* equations */
} work;

/* the variable that x is, up to the sign */
static int root_of(const work *w, int i, double *sign)
{
    *sign = 1.0;
    while (w->parent[i] != i) {
        *sign *= w->sign[i];
        i = w->parent[i];
    }
    return i;
}

static crank_ex in_place_of(const work *w, crank_ex symbol)
{
    crank_pool *p = w->flat->pool;
    const int place = symbol < w->size ? w->map[symbol] : -1;
    double sign;
    if (place < 0) {
        return symbol;
    }
    const int root = root_of(w, place / 2, &sign);
    if (w->known[root]) {
        return crank_ex_number(p, place % 2 == 0 ? sign * w->number[root] : 0.0);
    }
    if (root == place / 2) {
        return symbol;
    }
    const crank_ex other =
        place % 2 == 0 ? w->flat->variable[root].symbol : crank_flat_rate(w->flat, root);
    return sign > 0.0 ? other : crank_ex_neg(p, other);
}

/* left - right with those that stay; *count: its symbols, at most 3 of them in list */
static crank_ex residual(work *w, const crank_flat_equation *q, crank_ex list[3], int *count)
{
    crank_pool *p = w->flat->pool;
    crank_ex symbols[8], values[8];
    crank_ex ex = crank_ex_sub(p, q->left, q->right);
    const int found = crank_ex_symbols(p, ex, symbols, 8);
    *count = found;
    if (found > 8) {
        return ex; /* no alias */
    }
    for (int k = 0; k < found; k++) {
        values[k] = in_place_of(w, symbols[k]);
    }
    ex = crank_ex_substitute(p, ex, found, symbols, values);
    *count = crank_ex_symbols(p, ex, list, 3);
    return ex;
}

/* which of two should stay? */
static int rank_of(const crank_flat_variable *x)
{
    return (x->rate >= 0 ? 8 : 0) + (x->fixed ? 4 : 0) + (x->start >= 0 ? 2 : 0);
}

static void move_start(crank_flat *flat, crank_flat_variable *to, crank_flat_variable *from,
                       double sign)
{
    const bool goes = from->fixed ? !to->fixed : !to->fixed && to->start < 0;
    if (goes && from->start >= 0) {
        to->start = sign > 0.0 ? from->start : crank_ex_neg(flat->pool, from->start);
    } else if (goes && from->fixed) { /* without `start` it is zero */
        to->start = -1;
    }
    to->nominal = to->nominal < 0 ? from->nominal : to->nominal;
    to->fixed = to->fixed || from->fixed;
}

/* a variable of role unknown, not the derivative of one; -1: another symbol */
static int unknown(const work *w, crank_ex symbol)
{
    const int place = symbol < w->size ? w->map[symbol] : -1;
    return place >= 0 && place % 2 == 0 &&
                   w->flat->variable[place / 2].role == CRANK_FLAT_UNKNOWN
               ? place / 2
               : -1;
}

/* f a + g b = 0 with numbers f = +-g */
static bool join(work *w, crank_ex ex, const crank_ex list[3])
{
    crank_flat *flat = w->flat;
    crank_pool *p = flat->pool;
    const int a = unknown(w, list[0]), b = unknown(w, list[1]);
    double f = 0.0, g = 0.0;
    if (a < 0 || b < 0 || !crank_ex_is_number(p, crank_ex_derivative(p, ex, list[0]), &f) ||
        !crank_ex_is_number(p, crank_ex_derivative(p, ex, list[1]), &g) || !(fabs(f) > 0.0) ||
        fabs(f) != fabs(g)) {
        return false;
    }
    const crank_ex sum = crank_ex_add(p, crank_ex_mul(p, crank_ex_number(p, f), list[0]),
                                      crank_ex_mul(p, crank_ex_number(p, g), list[1]));
    if (!crank_ex_is_value(p, crank_ex_sub(p, ex, sum), 0.0) ||
        (flat->variable[a].fixed && flat->variable[b].fixed)) {
        return false;
    }
    const int ra = rank_of(&flat->variable[a]), rb = rank_of(&flat->variable[b]);
    const int stay = ra > rb || (ra == rb && a < b) ? a : b, go = stay == a ? b : a;
    const double sign = f * g < 0.0 ? 1.0 : -1.0;
    w->parent[go] = stay;
    w->sign[go] = sign;
    if (flat->variable[go].rate >= 0) { /* its derivative is that of the other one */
        (void)crank_flat_rate(flat, stay);
    }
    move_start(flat, &flat->variable[stay], &flat->variable[go], sign);
    return true;
}

/* may the start be this number? */
static bool starts_at(const work *w, const crank_flat_variable *x, double number)
{
    double start = 0.0;
    return !x->fixed ||
           ((x->start < 0 || crank_ex_is_number(w->flat->pool, x->start, &start)) &&
            start == number);
}

/* f a + c = 0 with numbers */
static bool solve(work *w, crank_ex ex, crank_ex symbol)
{
    crank_pool *p = w->flat->pool;
    const int a = unknown(w, symbol);
    double f = 0.0, c = 0.0;
    const crank_ex zero = crank_ex_number(p, 0.0);
    if (a < 0 || w->flat->variable[a].rate >= 0 ||
        !crank_ex_is_number(p, crank_ex_derivative(p, ex, symbol), &f) || !(fabs(f) > 0.0) ||
        !crank_ex_is_number(p, crank_ex_substitute(p, ex, 1, &symbol, &zero), &c) ||
        !crank_ex_is_value(
            p,
            crank_ex_sub(p, ex,
                         crank_ex_add(p, crank_ex_mul(p, crank_ex_number(p, f), symbol),
                                      crank_ex_number(p, c))),
            0.0)) {
        return false;
    }
    const double number = c == 0.0 ? 0.0 : -c / f;
    if (!starts_at(w, &w->flat->variable[a], number)) {
        return false; /* a contradiction, which is for others to tell */
    }
    w->known[a] = true;
    w->number[a] = number;
    return true;
}

static int look_through(work *w)
{
    int found = 0;
    for (int i = 0; i < w->flat->equation_count; i++) {
        crank_ex list[3];
        int count = 0;
        if (w->gone[i]) {
            continue;
        }
        const crank_ex ex = residual(w, &w->flat->equation[i], list, &count);
        if ((count == 2 && join(w, ex, list)) || (count == 1 && solve(w, ex, list[0]))) {
            w->gone[i] = true;
            found++;
        }
    }
    return found;
}

static void take_out(work *w)
{
    crank_flat *flat = w->flat;
    int kept = 0;
    for (int i = 0; i < flat->equation_count; i++) {
        if (!w->gone[i]) {
            flat->equation[kept++] = flat->equation[i];
        }
    }
    flat->equation_count = kept;
    for (int i = 0; i < flat->variable_count; i++) {
        crank_flat_variable *x = &flat->variable[i];
        double sign;
        const int root = root_of(w, i, &sign);
        if (x->role != CRANK_FLAT_UNKNOWN || (root == i && !w->known[i])) {
            continue;
        }
        x->role = CRANK_FLAT_ELIMINATED;
        x->value = in_place_of(w, x->symbol);
    }
}

crank_status crank_flat_remove_aliases(crank_flat *flat, crank_error *err)
{
    const size_t n = (size_t)flat->variable_count;
    work w = {.flat = flat, .size = crank_pool_size(flat->pool)};
    int circle;
    w.map = crank_flat_map(flat);
    w.parent = crank_store_take(&flat->store, n, sizeof *w.parent);
    w.sign = crank_store_take(&flat->store, n, sizeof *w.sign);
    w.known = crank_store_take(&flat->store, n, sizeof *w.known);
    w.number = crank_store_take(&flat->store, n, sizeof *w.number);
    w.gone = crank_store_take(&flat->store, (size_t)flat->equation_count, sizeof *w.gone);
    if (flat->store.failed) {
        return crank_flat_status(flat, err);
    }
    for (size_t i = 0; i < n; i++) {
        w.parent[i] = (int)i;
        w.sign[i] = 1.0;
    }
    for (int pass = 0; pass < PASSES && look_through(&w) > 0; pass++) {
    }
    take_out(&w);
    return crank_flat_eliminate(flat, &circle, err);
}
