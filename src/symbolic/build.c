/* build.c - the arithmetic constructors + - * / ^, simplifying as they build.
 *
 * Every rule rewrites towards a normal form and ends in these constructors again; a node is
 * interned only when no rule applies to its operands, so that building a node from its own
 * operands gives the same node back. All rules look at a bounded neighbourhood: building
 * costs O(1), whatever the size of the operands, and recursion is bounded.
 *
 * Normal form: numbers stand first in sums and products and are collected into one; other
 * operands of commutative operators rise by index; signs move out of products and quotients;
 * a - b is a + (-b); x^-n is 1/x^n. Constants are folded only to finite values: 1/0 or
 * sqrt(-1) stay as they are, so that the mistake shows where it was made. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"

#include <math.h>

/* Nodes looked at when a like term or factor is searched in a sum or product. */
enum { SEARCH_LIMIT = 16 };

/* factor * base in a sum; base ^ factor in a product. */
typedef struct ex_part {
    double factor;
    crank_ex base;
} ex_part;

static bool is_op(const crank_pool *pool, crank_ex e, crank_ex_op op)
{
    return ex_op(pool, e) == op;
}

static double number_of(const crank_pool *pool, crank_ex e)
{
    return pool->node[e].value;
}

/* e = c * x with a number c, which stands first. */
static bool has_factor(const crank_pool *pool, crank_ex e)
{
    return is_op(pool, e, CRANK_EX_MUL) && ex_is_number(pool, ex_operand(pool, e, 0));
}

static double factor_of(const crank_pool *pool, crank_ex e)
{
    return number_of(pool, ex_operand(pool, e, 0));
}

/* e = c + x with a number c, which stands first. */
static bool has_constant(const crank_pool *pool, crank_ex e)
{
    return is_op(pool, e, CRANK_EX_ADD) && ex_is_number(pool, ex_operand(pool, e, 0));
}

static void sort_operands(const crank_pool *pool, crank_ex *a, crank_ex *b)
{
    const bool a_number = ex_is_number(pool, *a);
    const bool b_number = ex_is_number(pool, *b);
    if (a_number != b_number ? b_number : *b < *a) {
        const crank_ex swap = *a;
        *a = *b;
        *b = swap;
    }
}

/* ---- like terms and like factors ---- */

static ex_part split_term(const crank_pool *pool, crank_ex e)
{
    if (is_op(pool, e, CRANK_EX_NEG)) {
        return (ex_part){-1.0, ex_operand(pool, e, 0)};
    }
    if (has_factor(pool, e)) {
        return (ex_part){factor_of(pool, e), ex_operand(pool, e, 1)};
    }
    return (ex_part){1.0, e};
}

static ex_part split_factor(const crank_pool *pool, crank_ex e)
{
    int n;
    if (is_op(pool, e, CRANK_EX_POW) && crank_ex_is_integer(pool, ex_operand(pool, e, 1), &n)) {
        return (ex_part){n, ex_operand(pool, e, 0)};
    }
    return (ex_part){1.0, e};
}

/* The chain (a sum or product, by op) with part put together with its like; -1: no like
 * found. */
static crank_ex merge(crank_pool *pool, crank_ex_op op, crank_ex chain, ex_part part,
                      int *budget)
{
    if (--*budget < 0) {
        return -1;
    }
    if (!is_op(pool, chain, op)) {
        const ex_part like =
            op == CRANK_EX_ADD ? split_term(pool, chain) : split_factor(pool, chain);
        const double factor = like.factor + part.factor;
        if (like.base != part.base || !isfinite(factor) || ex_is_number(pool, like.base)) {
            return -1;
        }
        const crank_ex number = crank_ex_number(pool, factor);
        return op == CRANK_EX_ADD ? crank_ex_mul(pool, number, part.base)
                                  : crank_ex_pow(pool, part.base, number);
    }
    for (int i = 0; i < 2; i++) {
        const crank_ex merged = merge(pool, op, ex_operand(pool, chain, i), part, budget);
        if (merged >= 0) {
            return crank_ex_call(pool, op, merged, ex_operand(pool, chain, 1 - i), 0);
        }
    }
    return -1;
}

static crank_ex merge_one(crank_pool *pool, crank_ex_op op, crank_ex chain, crank_ex e)
{
    int budget = SEARCH_LIMIT;
    const ex_part part = op == CRANK_EX_ADD ? split_term(pool, e) : split_factor(pool, e);
    return merge(pool, op, chain, part, &budget);
}

/* a - (p + q) where a has a term like p or q; -1: it has not. */
static crank_ex merge_difference(crank_pool *pool, crank_ex a, crank_ex minus_sum)
{
    const crank_ex sum = ex_operand(pool, minus_sum, 0);
    for (int i = 0; i < 2 && is_op(pool, sum, CRANK_EX_ADD); i++) {
        int budget = SEARCH_LIMIT;
        ex_part part = split_term(pool, ex_operand(pool, sum, i));
        part.factor = -part.factor;
        const crank_ex merged = merge(pool, CRANK_EX_ADD, a, part, &budget);
        if (merged >= 0) {
            return crank_ex_sub(pool, merged, ex_operand(pool, sum, 1 - i));
        }
    }
    return -1;
}

/* a op b with like parts put together; -1: none found near the top of a and b. */
static crank_ex merge_pair(crank_pool *pool, crank_ex_op op, crank_ex a, crank_ex b)
{
    crank_ex merged = merge_one(pool, op, a, b);
    if (merged < 0) {
        merged = merge_one(pool, op, b, a);
    }
    for (int i = 0; i < 2 && merged < 0 && is_op(pool, b, op); i++) {
        merged = merge_one(pool, op, a, ex_operand(pool, b, i));
        if (merged >= 0) {
            return crank_ex_call(pool, op, merged, ex_operand(pool, b, 1 - i), 0);
        }
    }
    for (int i = 0; i < 2 && merged < 0 && is_op(pool, a, op); i++) {
        merged = merge_one(pool, op, b, ex_operand(pool, a, i));
        if (merged >= 0) {
            return crank_ex_call(pool, op, merged, ex_operand(pool, a, 1 - i), 0);
        }
    }
    return merged;
}

/* ---- sums ---- */

static crank_ex add_number(crank_pool *pool, crank_ex number, crank_ex e)
{
    const double c = number_of(pool, number);
    if (c == 0.0) {
        return e;
    }
    if (ex_is_number(pool, e) && isfinite(c + number_of(pool, e))) {
        return crank_ex_number(pool, c + number_of(pool, e));
    }
    if (has_constant(pool, e)) {
        const double sum = c + number_of(pool, ex_operand(pool, e, 0));
        if (isfinite(sum)) {
            return crank_ex_add(pool, crank_ex_number(pool, sum), ex_operand(pool, e, 1));
        }
    }
    return crank_pool_intern(pool, CRANK_EX_ADD, number, e, -1);
}

crank_ex crank_ex_add(crank_pool *pool, crank_ex a, crank_ex b)
{
    sort_operands(pool, &a, &b);
    if (ex_is_number(pool, a)) {
        return add_number(pool, a, b);
    }
    if (has_constant(pool, b)) {
        const crank_ex swap = a;
        a = b;
        b = swap;
    }
    if (has_constant(pool, a)) { /* (c + x) + b = c + (x + b) */
        const crank_ex constant = ex_operand(pool, a, 0);
        return crank_ex_add(pool, constant, crank_ex_add(pool, ex_operand(pool, a, 1), b));
    }
    if (is_op(pool, a, CRANK_EX_NEG) && is_op(pool, b, CRANK_EX_NEG)) {
        const crank_ex x = ex_operand(pool, a, 0);
        return crank_ex_neg(pool, crank_ex_add(pool, x, ex_operand(pool, b, 0)));
    }
    crank_ex merged = merge_pair(pool, CRANK_EX_ADD, a, b);
    if (merged < 0 && is_op(pool, b, CRANK_EX_NEG)) {
        merged = merge_difference(pool, a, b);
    } else if (merged < 0 && is_op(pool, a, CRANK_EX_NEG)) {
        merged = merge_difference(pool, b, a);
    }
    return merged >= 0 ? merged : crank_pool_intern(pool, CRANK_EX_ADD, a, b, -1);
}

crank_ex crank_ex_sub(crank_pool *pool, crank_ex a, crank_ex b)
{
    return crank_ex_add(pool, a, crank_ex_neg(pool, b));
}

bool crank_ex_is_negative(const crank_pool *pool, crank_ex e)
{
    return is_op(pool, e, CRANK_EX_NEG) ||
           (ex_is_number(pool, e) && number_of(pool, e) < 0.0) ||
           (has_factor(pool, e) && factor_of(pool, e) < 0.0);
}

crank_ex crank_ex_neg(crank_pool *pool, crank_ex a)
{
    if (ex_is_number(pool, a)) {
        return crank_ex_number(pool, -number_of(pool, a));
    }
    if (is_op(pool, a, CRANK_EX_NEG)) {
        return ex_operand(pool, a, 0);
    }
    if (has_factor(pool, a)) {
        const crank_ex factor = crank_ex_number(pool, -factor_of(pool, a));
        return crank_ex_mul(pool, factor, ex_operand(pool, a, 1));
    }
    if (is_op(pool, a, CRANK_EX_ADD)) { /* -(p - q) = q - p */
        const crank_ex p = ex_operand(pool, a, 0);
        const crank_ex q = ex_operand(pool, a, 1);
        if (crank_ex_is_negative(pool, p) != crank_ex_is_negative(pool, q) &&
            !is_op(pool, p, CRANK_EX_ADD) && !is_op(pool, q, CRANK_EX_ADD)) {
            const crank_ex minus_p = crank_ex_neg(pool, p);
            return crank_ex_add(pool, minus_p, crank_ex_neg(pool, q));
        }
    }
    return crank_pool_intern(pool, CRANK_EX_NEG, a, -1, -1);
}

/* ---- products ---- */

/* A product of two numbers that is not finite: sign outside, as everywhere. */
static crank_ex mul_overflow(crank_pool *pool, double a, double b)
{
    const crank_ex p = crank_ex_number(pool, fabs(a));
    const crank_ex q = crank_ex_number(pool, fabs(b));
    const crank_ex product =
        crank_pool_intern(pool, CRANK_EX_MUL, p < q ? p : q, p < q ? q : p, -1);
    return (a < 0.0) != (b < 0.0) ? crank_pool_intern(pool, CRANK_EX_NEG, product, -1, -1)
                                  : product;
}

static crank_ex mul_number(crank_pool *pool, crank_ex number, crank_ex e)
{
    const double c = number_of(pool, number);
    if (c == 0.0) {
        return number;
    }
    if (c == 1.0) {
        return e;
    }
    if (ex_is_number(pool, e)) {
        const double product = c * number_of(pool, e);
        return isfinite(product) ? crank_ex_number(pool, product)
                                 : mul_overflow(pool, c, number_of(pool, e));
    }
    if (c == -1.0) {
        return crank_ex_neg(pool, e);
    }
    if (is_op(pool, e, CRANK_EX_NEG)) {
        return crank_ex_mul(pool, crank_ex_number(pool, -c), ex_operand(pool, e, 0));
    }
    if (has_factor(pool, e) && isfinite(c * factor_of(pool, e))) {
        const crank_ex factor = crank_ex_number(pool, c * factor_of(pool, e));
        return crank_ex_mul(pool, factor, ex_operand(pool, e, 1));
    }
    return crank_pool_intern(pool, CRANK_EX_MUL, number, e, -1);
}

crank_ex crank_ex_mul(crank_pool *pool, crank_ex a, crank_ex b)
{
    sort_operands(pool, &a, &b);
    if (ex_is_number(pool, a)) {
        return mul_number(pool, a, b);
    }
    if (is_op(pool, a, CRANK_EX_NEG)) {
        return crank_ex_neg(pool, crank_ex_mul(pool, ex_operand(pool, a, 0), b));
    }
    if (is_op(pool, b, CRANK_EX_NEG)) {
        return crank_ex_neg(pool, crank_ex_mul(pool, a, ex_operand(pool, b, 0)));
    }
    if (has_factor(pool, b)) {
        const crank_ex swap = a;
        a = b;
        b = swap;
    }
    if (has_factor(pool, a)) { /* (c x) b = c (x b) */
        const crank_ex factor = ex_operand(pool, a, 0);
        return crank_ex_mul(pool, factor, crank_ex_mul(pool, ex_operand(pool, a, 1), b));
    }
    if (is_op(pool, a, CRANK_EX_DIV) && ex_operand(pool, a, 1) == b) {
        return ex_operand(pool, a, 0);
    }
    if (is_op(pool, b, CRANK_EX_DIV) && ex_operand(pool, b, 1) == a) {
        return ex_operand(pool, b, 0);
    }
    const crank_ex merged = merge_pair(pool, CRANK_EX_MUL, a, b);
    return merged >= 0 ? merged : crank_pool_intern(pool, CRANK_EX_MUL, a, b, -1);
}

/* ---- quotients ---- */

/* -a if a is written with a minus sign, else -1 */
static crank_ex without_sign(crank_pool *pool, crank_ex a)
{
    return crank_ex_is_negative(pool, a) ? crank_ex_neg(pool, a) : -1;
}

/* a / c for a positive number c, or 0 */
static crank_ex div_number(crank_pool *pool, crank_ex a, crank_ex number)
{
    const double c = number_of(pool, number);
    int exponent;
    if (c == 0.0) {
        return crank_pool_intern(pool, CRANK_EX_DIV, a, number, -1);
    }
    if (ex_is_number(pool, a) && isfinite(number_of(pool, a) / c)) {
        return crank_ex_number(pool, number_of(pool, a) / c);
    }
    if (fabs(frexp(c, &exponent)) == 0.5 && isnormal(1.0 / c)) { /* 1/c is exact */
        return crank_ex_mul(pool, crank_ex_number(pool, 1.0 / c), a);
    }
    if (has_factor(pool, a) && isnormal(factor_of(pool, a) / c)) {
        const crank_ex factor = crank_ex_number(pool, factor_of(pool, a) / c);
        return crank_ex_mul(pool, factor, ex_operand(pool, a, 1));
    }
    if (is_op(pool, a, CRANK_EX_DIV) && ex_is_number(pool, ex_operand(pool, a, 1))) {
        const double product = c * number_of(pool, ex_operand(pool, a, 1));
        if (isnormal(product)) {
            return crank_ex_div(pool, ex_operand(pool, a, 0), crank_ex_number(pool, product));
        }
    }
    return crank_pool_intern(pool, CRANK_EX_DIV, a, number, -1);
}

/* Common factors of numerator and denominator, one level deep; -1: none. */
static crank_ex cancel(crank_pool *pool, crank_ex a, crank_ex b)
{
    const crank_ex one = crank_ex_number(pool, 1.0);
    const ex_part top = split_factor(pool, a);
    const ex_part bottom = split_factor(pool, b);
    if (top.base == bottom.base && top.factor > 0.0 && bottom.factor > 0.0) {
        const double power = top.factor - bottom.factor;
        return crank_ex_pow(pool, top.base, crank_ex_number(pool, power));
    }
    for (int i = 0; i < 2; i++) {
        if (is_op(pool, a, CRANK_EX_MUL) && ex_operand(pool, a, i) == b) {
            return ex_operand(pool, a, 1 - i);
        }
        if (is_op(pool, b, CRANK_EX_MUL) && ex_operand(pool, b, i) == a) {
            return crank_ex_div(pool, one, ex_operand(pool, b, 1 - i));
        }
    }
    return -1;
}

crank_ex crank_ex_div(crank_pool *pool, crank_ex a, crank_ex b)
{
    const crank_ex plus_b = without_sign(pool, b);
    if (plus_b >= 0) {
        return crank_ex_neg(pool, crank_ex_div(pool, a, plus_b));
    }
    const crank_ex plus_a = without_sign(pool, a);
    if (plus_a >= 0) {
        return crank_ex_neg(pool, crank_ex_div(pool, plus_a, b));
    }
    if (ex_is_number(pool, b)) {
        return div_number(pool, a, b);
    }
    if (crank_ex_is_value(pool, a, 0.0)) {
        return a;
    }
    if (has_factor(pool, a)) {
        const crank_ex factor = ex_operand(pool, a, 0);
        return crank_ex_mul(pool, factor, crank_ex_div(pool, ex_operand(pool, a, 1), b));
    }
    if (ex_is_number(pool, a) && has_factor(pool, b)) { /* a / (c x) = (a/c) / x */
        const double quotient = number_of(pool, a) / factor_of(pool, b);
        if (isnormal(quotient)) {
            return crank_ex_div(pool, crank_ex_number(pool, quotient), ex_operand(pool, b, 1));
        }
    }
    if (is_op(pool, b, CRANK_EX_DIV) && !is_op(pool, ex_operand(pool, b, 0), CRANK_EX_DIV)) {
        const crank_ex top = crank_ex_mul(pool, a, ex_operand(pool, b, 1));
        return crank_ex_div(pool, top, ex_operand(pool, b, 0));
    }
    const crank_ex cancelled = cancel(pool, a, b);
    return cancelled >= 0 ? cancelled : crank_pool_intern(pool, CRANK_EX_DIV, a, b, -1);
}

/* ---- powers ---- */

/* a^n for n >= 2. */
static crank_ex pow_integer(crank_pool *pool, crank_ex a, int n)
{
    const crank_ex exponent = crank_ex_number(pool, n);
    const bool even = n % 2 == 0;
    int inner;
    if (is_op(pool, a, CRANK_EX_NEG)) {
        const crank_ex power = crank_ex_pow(pool, ex_operand(pool, a, 0), exponent);
        return even ? power : crank_ex_neg(pool, power);
    }
    if (has_factor(pool, a) && isnormal(pow(factor_of(pool, a), n))) {
        const crank_ex factor = crank_ex_number(pool, pow(factor_of(pool, a), n));
        const crank_ex power = crank_ex_pow(pool, ex_operand(pool, a, 1), exponent);
        return crank_ex_mul(pool, factor, power);
    }
    if (is_op(pool, a, CRANK_EX_POW) &&
        crank_ex_is_integer(pool, ex_operand(pool, a, 1), &inner)) {
        const crank_ex product = crank_ex_number(pool, (double)inner * n);
        return crank_ex_pow(pool, ex_operand(pool, a, 0), product);
    }
    if (even && is_op(pool, a, CRANK_EX_ABS)) {
        return crank_ex_pow(pool, ex_operand(pool, a, 0), exponent);
    }
    if (even && is_op(pool, a, CRANK_EX_SQRT) &&
        crank_ex_nonnegative(pool, ex_operand(pool, a, 0))) {
        return crank_ex_pow(pool, ex_operand(pool, a, 0), crank_ex_number(pool, 0.5 * n));
    }
    return crank_pool_intern(pool, CRANK_EX_POW, a, exponent, -1);
}

crank_ex crank_ex_pow(crank_pool *pool, crank_ex a, crank_ex b)
{
    int n;
    if (!ex_is_number(pool, b)) {
        return crank_ex_is_value(pool, a, 1.0)
                   ? a
                   : crank_pool_intern(pool, CRANK_EX_POW, a, b, -1);
    }
    const double exponent = number_of(pool, b);
    if (exponent == 0.0) {
        return crank_ex_number(pool, 1.0);
    }
    if (exponent == 1.0) {
        return a;
    }
    if (ex_is_number(pool, a)) {
        const double value = crank_ex_apply(CRANK_EX_POW, number_of(pool, a), exponent, 0.0);
        return isfinite(value) ? crank_ex_number(pool, value)
                               : crank_pool_intern(pool, CRANK_EX_POW, a, b, -1);
    }
    if (exponent == 0.5) {
        return crank_ex_call(pool, CRANK_EX_SQRT, a, 0, 0);
    }
    if (exponent < 0.0 && (crank_ex_is_integer(pool, b, &n) || exponent == -0.5)) {
        const crank_ex power = crank_ex_pow(pool, a, crank_ex_number(pool, -exponent));
        return crank_ex_div(pool, crank_ex_number(pool, 1.0), power);
    }
    if (crank_ex_is_integer(pool, b, &n)) {
        return pow_integer(pool, a, n);
    }
    return crank_pool_intern(pool, CRANK_EX_POW, a, b, -1);
}
