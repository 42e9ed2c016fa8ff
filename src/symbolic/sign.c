/* sign.c - expressions that have one sign whatever their symbols are: squares, their sums, sums
 * of what has the same sign, products and quotients. A square alone vanishes where its base does;
 * a sum of two vanishes where both do, which no motion meets but by accident, unless they have a
 * base in common: the former is told as if it never vanished. Symbols that are no less than zero
 * may be zero at any time (h at rest) and add nothing to that. Nothing is expanded, so not all
 * that have a sign are found. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"

#include <stdlib.h>

/* sign times one of these, in pool->memo. RESTS: zero where a positive symbol is; TOUCHES: zero
 * where one base is */
enum { UNKNOWN, RESTS, TOUCHES, NEVER_ZERO };
enum { FACTORS = 16 };

static int times(int a, int b)
{
    const int least = abs(a) < abs(b) ? abs(a) : abs(b);
    return (a < 0) == (b < 0) ? least : -least;
}

/* ---- sums ---- */

typedef struct bases {
    int count;
    crank_ex base[FACTORS];
} bases;

/* Where one of these is zero, e may be. false: too many */
static bool find_bases(const crank_pool *pool, crank_ex e, int depth, bases *b)
{
    if (abs(pool->memo[e]) == NEVER_ZERO) {
        return true;
    }
    int first = 0, last = -1; /* operands */
    switch ((int)ex_op(pool, e)) {
    case CRANK_EX_MUL:
    case CRANK_EX_DIV:
        last = 1;
        break;
    case CRANK_EX_ADD: /* of squares: with a base in common */
    case CRANK_EX_HYPOT:
        last = pool->memo[e] != UNKNOWN ? 1 : -1;
        break;
    case CRANK_EX_IF:
        first = 1;
        last = 2;
        break;
    case CRANK_EX_NEG:
    case CRANK_EX_POW:
    case CRANK_EX_SQRT:
    case CRANK_EX_ABS:
        last = 0;
        break;
    default:
        break;
    }
    if (last >= first && depth == FACTORS) {
        return false;
    }
    for (int i = first; i <= last; i++) {
        if (!find_bases(pool, ex_operand(pool, e, i), depth + 1, b)) {
            return false;
        }
    }
    if (last >= first) {
        return true;
    }
    if (b->count == FACTORS) {
        return false;
    }
    b->base[b->count++] = e;
    return true;
}

/* May one thing that vanishes make both vanish? */
static bool vanish_together(const crank_pool *pool, crank_ex one, crank_ex other)
{
    bases a = {0}, b = {0};
    if (!find_bases(pool, one, 0, &a) || !find_bases(pool, other, 0, &b)) {
        return true;
    }
    for (int i = 0; i < a.count; i++) {
        for (int k = 0; k < b.count; k++) {
            if (a.base[i] == b.base[k]) {
                return true;
            }
        }
    }
    return false;
}

/* one + other, or the root of squares of theirs, of signs a and b */
static int plus(const crank_pool *pool, crank_ex one, int a, crank_ex other, int b)
{
    if (a == UNKNOWN || b == UNKNOWN || (a < 0) != (b < 0)) {
        return UNKNOWN;
    }
    int most = abs(a) > abs(b) ? abs(a) : abs(b);
    if (abs(a) == TOUCHES && abs(b) == TOUCHES && !vanish_together(pool, one, other)) {
        most = NEVER_ZERO;
    }
    return a < 0 ? -most : most;
}

/* ---- products ---- */

/* factors of e without a sign of their own, and the sign of the others; false: too many */
typedef struct factors {
    int count, sign;
    crank_ex factor[FACTORS];
} factors;

static bool collect(const crank_pool *pool, crank_ex e, int depth, factors *f)
{
    const int own = pool->memo[e];
    const crank_ex_op op = ex_op(pool, e);
    if (own != UNKNOWN) {
        f->sign = times(f->sign, own);
        return true;
    }
    if (depth < FACTORS && (op == CRANK_EX_MUL || op == CRANK_EX_DIV)) {
        return collect(pool, ex_operand(pool, e, 0), depth + 1, f) &&
               collect(pool, ex_operand(pool, e, 1), depth + 1, f);
    }
    if (depth < FACTORS && op == CRANK_EX_NEG) {
        f->sign = -f->sign;
        return collect(pool, ex_operand(pool, e, 0), depth + 1, f);
    }
    for (int i = 0; i < f->count; i++) { /* a pair is a square */
        if (f->factor[i] == e) {
            f->factor[i] = f->factor[--f->count];
            f->sign = times(f->sign, TOUCHES);
            return true;
        }
    }
    if (f->count == FACTORS) {
        return false;
    }
    f->factor[f->count++] = e;
    return true;
}

static int sign_of_product(const crank_pool *pool, crank_ex e)
{
    factors f = {.sign = NEVER_ZERO};
    const bool good = collect(pool, ex_operand(pool, e, 0), 0, &f) &&
                      collect(pool, ex_operand(pool, e, 1), 0, &f);
    return good && f.count == 0 ? f.sign : UNKNOWN;
}

static int sign_of_power(const crank_pool *pool, crank_ex e)
{
    const int base = pool->memo[ex_operand(pool, e, 0)];
    int power = 0;
    if (!crank_ex_is_integer(pool, ex_operand(pool, e, 1), &power)) {
        return base > 0 ? base : UNKNOWN;
    }
    if (power % 2 == 0) {
        return base != UNKNOWN ? abs(base) : TOUCHES;
    }
    return base;
}

static int sign_of(const crank_pool *pool, crank_ex e)
{
    const ex_node *n = &pool->node[e];
    const int a = n->operand[0] >= 0 ? pool->memo[n->operand[0]] : UNKNOWN;
    switch ((int)n->op) {
    case CRANK_EX_ADD:
        return plus(pool, n->operand[0], a, n->operand[1], pool->memo[n->operand[1]]);
    case CRANK_EX_NEG:
        return -a;
    case CRANK_EX_MUL:
    case CRANK_EX_DIV:
        return sign_of_product(pool, e);
    case CRANK_EX_POW:
        return sign_of_power(pool, e);
    case CRANK_EX_IF: {
        const int b = pool->memo[n->operand[1]], c = pool->memo[n->operand[2]];
        return (b < 0) == (c < 0) && b != UNKNOWN && c != UNKNOWN ? (abs(b) < abs(c) ? b : c)
                                                                  : UNKNOWN;
    }
    case CRANK_EX_HYPOT: {
        const int b = pool->memo[n->operand[1]];
        return plus(pool, n->operand[0], a != UNKNOWN ? abs(a) : TOUCHES, n->operand[1],
                    b != UNKNOWN ? abs(b) : TOUCHES);
    }
    case CRANK_EX_EXP:
    case CRANK_EX_COSH:
        return NEVER_ZERO;
    case CRANK_EX_SQRT:
        return a > 0 ? a : TOUCHES;
    case CRANK_EX_ABS:
        return a != UNKNOWN ? abs(a) : TOUCHES;
    default:
        return UNKNOWN;
    }
}

int crank_ex_sign(crank_pool *pool, crank_ex e, int count, const crank_ex *positive)
{
    crank_pool_begin_visit(pool);
    crank_pool_visit(pool, e);
    for (int k = 0; k < pool->order_count; k++) {
        const crank_ex node = pool->order[k];
        if (ex_is_number(pool, node)) {
            const double value = pool->node[node].value;
            pool->memo[node] = value > 0.0 ? NEVER_ZERO : value < 0.0 ? -NEVER_ZERO : UNKNOWN;
        } else if (ex_is_leaf(pool, node)) {
            pool->memo[node] = UNKNOWN;
        }
    }
    for (int i = 0; i < count; i++) {
        if (ex_visited(pool, positive[i])) {
            pool->memo[positive[i]] = RESTS;
        }
    }
    for (int k = 0; k < pool->order_count; k++) {
        const crank_ex node = pool->order[k];
        if (!ex_is_leaf(pool, node)) {
            pool->memo[node] = sign_of(pool, node);
        }
    }
    const int found = pool->memo[e];
    return found == NEVER_ZERO ? 1 : found == -NEVER_ZERO ? -1 : 0;
}
