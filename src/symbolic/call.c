/* call.c - the other constructors: functions, comparisons, logic and if(), simplifying where
 * a rule holds for every value of the operands. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/pool.h"
#include "symbolic/scalar.h"

#include <assert.h>
#include <math.h>

const char *crank_ex_function_name(crank_ex_op op)
{
#define FUNCTION_NAME(name, text) [CRANK_EX_##name] = (text),
    static const char *const names[CRANK_EX_OPS] = {CRANK_FUNCTION_LIST(FUNCTION_NAME)};
#undef FUNCTION_NAME
    return names[op];
}

static double apply_function(crank_ex_op op, double a)
{
    // clang-format off
    switch ((int)op) {
    case CRANK_EX_SIN: return sin(a);
    case CRANK_EX_COS: return cos(a);
    case CRANK_EX_TAN: return tan(a);
    case CRANK_EX_ASIN: return asin(a);
    case CRANK_EX_ACOS: return acos(a);
    case CRANK_EX_ATAN: return atan(a);
    case CRANK_EX_SINH: return sinh(a);
    case CRANK_EX_COSH: return cosh(a);
    case CRANK_EX_TANH: return tanh(a);
    case CRANK_EX_ASINH: return asinh(a);
    case CRANK_EX_ACOSH: return acosh(a);
    case CRANK_EX_ATANH: return atanh(a);
    case CRANK_EX_EXP: return exp(a);
    case CRANK_EX_LOG: return log(a);
    case CRANK_EX_LOG10: return log10(a);
    case CRANK_EX_SQRT: return sqrt(a);
    case CRANK_EX_CBRT: return cbrt(a);
    case CRANK_EX_ABS: return fabs(a);
    case CRANK_EX_SIGN: return scalar_sign(a);
    case CRANK_EX_FLOOR: return floor(a);
    case CRANK_EX_CEIL: return ceil(a);
    case CRANK_EX_ERF: return erf(a);
    case CRANK_EX_LOG1P: return log1p(a);
    case CRANK_EX_EXPM1: return expm1(a);
    default: assert(false); return (double)NAN;
    }
    // clang-format on
}

static double power(double a, double b)
{
    if (b == floor(b) && b >= 1.0 && b <= SCALAR_MAX_POWER) {
        return scalar_power(a, (int)b);
    }
    return pow(a, b);
}

double crank_ex_apply(crank_ex_op op, double a, double b, double c)
{
    // clang-format off
    switch ((int)op) {
    case CRANK_EX_ADD: return a + b;
    case CRANK_EX_MUL: return a * b;
    case CRANK_EX_DIV: return a / b;
    case CRANK_EX_POW: return power(a, b);
    case CRANK_EX_NEG: return -a;
    case CRANK_EX_ATAN2: return atan2(a, b);
    case CRANK_EX_MIN: return scalar_min(a, b);
    case CRANK_EX_MAX: return scalar_max(a, b);
    case CRANK_EX_HYPOT: return hypot(a, b);
    case CRANK_EX_LT: return a < b ? 1.0 : 0.0;
    case CRANK_EX_LE: return a <= b ? 1.0 : 0.0;
    case CRANK_EX_EQ: return a == b ? 1.0 : 0.0;
    case CRANK_EX_NE: return a != b ? 1.0 : 0.0;
    case CRANK_EX_AND: return a != 0.0 && b != 0.0 ? 1.0 : 0.0;
    case CRANK_EX_OR: return a != 0.0 || b != 0.0 ? 1.0 : 0.0;
    case CRANK_EX_NOT: return a == 0.0 ? 1.0 : 0.0;
    case CRANK_EX_IF: return a != 0.0 ? b : c;
    default: return apply_function(op, a);
    }
    // clang-format on
}

static bool is_boolean(const crank_pool *pool, crank_ex e)
{
    const crank_ex_op op = ex_op(pool, e);
    return op >= CRANK_EX_LT && op <= CRANK_EX_NOT;
}

static bool nonnegative(const crank_pool *pool, crank_ex e, int depth)
{
    const ex_node *n = &pool->node[e];
    int exponent;
    switch ((int)n->op) {
    case CRANK_EX_NUMBER:
        return n->value >= 0.0;
    case CRANK_EX_ABS:
    case CRANK_EX_SQRT:
    case CRANK_EX_EXP:
    case CRANK_EX_COSH:
    case CRANK_EX_HYPOT:
        return true;
    case CRANK_EX_POW:
        return crank_ex_is_integer(pool, n->operand[1], &exponent) && exponent % 2 == 0;
    case CRANK_EX_ADD:
    case CRANK_EX_MUL:
    case CRANK_EX_DIV:
        return depth > 0 && nonnegative(pool, n->operand[0], depth - 1) &&
               nonnegative(pool, n->operand[1], depth - 1);
    default:
        return is_boolean(pool, e);
    }
}

bool crank_ex_nonnegative(const crank_pool *pool, crank_ex e)
{
    return nonnegative(pool, e, 6);
}

/* ---- functions of one argument ---- */

typedef enum ex_parity { NEITHER, EVEN, ODD } ex_parity;

static ex_parity parity_of(crank_ex_op op)
{
    switch ((int)op) {
    case CRANK_EX_COS:
    case CRANK_EX_COSH:
    case CRANK_EX_ABS:
        return EVEN;
    case CRANK_EX_SIN:
    case CRANK_EX_TAN:
    case CRANK_EX_ASIN:
    case CRANK_EX_ATAN:
    case CRANK_EX_SINH:
    case CRANK_EX_TANH:
    case CRANK_EX_ASINH:
    case CRANK_EX_ATANH:
    case CRANK_EX_CBRT:
    case CRANK_EX_SIGN:
    case CRANK_EX_ERF:
        return ODD;
    default:
        return NEITHER;
    }
}

/* sqrt(x^2n) = |x^n| */
static crank_ex square_root(crank_pool *pool, crank_ex a)
{
    int n;
    if (ex_op(pool, a) == CRANK_EX_POW &&
        crank_ex_is_integer(pool, ex_operand(pool, a, 1), &n) && n % 2 == 0) {
        const crank_ex half = crank_ex_number(pool, 0.5 * n);
        const crank_ex root = crank_ex_pow(pool, ex_operand(pool, a, 0), half);
        return crank_ex_call(pool, CRANK_EX_ABS, root, 0, 0);
    }
    return crank_pool_intern(pool, CRANK_EX_SQRT, a, -1, -1);
}

static crank_ex absolute(crank_pool *pool, crank_ex a)
{
    if (crank_ex_nonnegative(pool, a)) {
        return a;
    }
    if (ex_op(pool, a) == CRANK_EX_MUL && ex_is_number(pool, ex_operand(pool, a, 0))) {
        const double factor = fabs(pool->node[ex_operand(pool, a, 0)].value);
        const crank_ex rest = crank_ex_call(pool, CRANK_EX_ABS, ex_operand(pool, a, 1), 0, 0);
        return crank_ex_mul(pool, crank_ex_number(pool, factor), rest);
    }
    return crank_pool_intern(pool, CRANK_EX_ABS, a, -1, -1);
}

static crank_ex function(crank_pool *pool, crank_ex_op op, crank_ex a)
{
    const ex_parity parity = parity_of(op);
    if (parity != NEITHER && crank_ex_is_negative(pool, a)) {
        const crank_ex positive = crank_ex_call(pool, op, crank_ex_neg(pool, a), 0, 0);
        return parity == EVEN ? positive : crank_ex_neg(pool, positive);
    }
    if (op == CRANK_EX_SQRT) {
        return square_root(pool, a);
    }
    if (op == CRANK_EX_ABS) {
        return absolute(pool, a);
    }
    if (op == CRANK_EX_LOG && ex_op(pool, a) == CRANK_EX_EXP) {
        return ex_operand(pool, a, 0);
    }
    return crank_pool_intern(pool, op, a, -1, -1);
}

/* ---- comparison and logic ---- */

static crank_ex compare(crank_pool *pool, crank_ex_op op, crank_ex a, crank_ex b)
{
    if (a == b && a != EX_NAN) {
        return crank_ex_number(pool, op == CRANK_EX_LE || op == CRANK_EX_EQ ? 1.0 : 0.0);
    }
    const bool commutes = op == CRANK_EX_EQ || op == CRANK_EX_NE;
    return commutes && b < a ? crank_pool_intern(pool, op, b, a, -1)
                             : crank_pool_intern(pool, op, a, b, -1);
}

/* e != 0 as 0 or 1 */
static crank_ex truth(crank_pool *pool, crank_ex e)
{
    const crank_ex zero = crank_ex_number(pool, 0.0);
    return is_boolean(pool, e) ? e : crank_ex_call(pool, CRANK_EX_NE, e, zero, 0);
}

static crank_ex logic(crank_pool *pool, crank_ex_op op, crank_ex a, crank_ex b)
{
    for (int i = 0; i < 2; i++) {
        const crank_ex one_side = i == 0 ? a : b;
        const crank_ex other = i == 0 ? b : a;
        if (ex_is_number(pool, one_side) && one_side != EX_NAN) {
            const bool true_side = pool->node[one_side].value != 0.0;
            if (true_side == (op == CRANK_EX_AND)) { /* neutral */
                return truth(pool, other);
            }
            return crank_ex_number(pool, op == CRANK_EX_OR ? 1.0 : 0.0);
        }
    }
    if (a == b) {
        return truth(pool, a);
    }
    return a < b ? crank_pool_intern(pool, op, a, b, -1)
                 : crank_pool_intern(pool, op, b, a, -1);
}

static crank_ex negation(crank_pool *pool, crank_ex a)
{
    const ex_node n = pool->node[a];
    if (n.op == CRANK_EX_NOT) {
        return truth(pool, n.operand[0]);
    }
    if (n.op == CRANK_EX_EQ || n.op == CRANK_EX_NE) {
        const crank_ex_op opposite = n.op == CRANK_EX_EQ ? CRANK_EX_NE : CRANK_EX_EQ;
        return crank_ex_call(pool, opposite, n.operand[0], n.operand[1], 0);
    }
    return crank_pool_intern(pool, CRANK_EX_NOT, a, -1, -1);
}

static crank_ex choice(crank_pool *pool, crank_ex c, crank_ex a, crank_ex b)
{
    if (a == b) {
        return a;
    }
    if (ex_is_number(pool, c) && c != EX_NAN) {
        return pool->node[c].value != 0.0 ? a : b;
    }
    if (ex_op(pool, c) == CRANK_EX_NOT) {
        return crank_ex_call(pool, CRANK_EX_IF, ex_operand(pool, c, 0), b, a);
    }
    return crank_pool_intern(pool, CRANK_EX_IF, c, a, b);
}

/* ---- any operator ---- */

static bool folds(const crank_pool *pool, crank_ex_op op, crank_ex a, crank_ex b, double *value)
{
    const bool unary = op >= CRANK_EX_SIN || op == CRANK_EX_NOT;
    if (op == CRANK_EX_IF || !ex_is_number(pool, a) || a == EX_NAN ||
        (!unary && (!ex_is_number(pool, b) || b == EX_NAN))) {
        return false;
    }
    *value = crank_ex_apply(op, pool->node[a].value, unary ? 0.0 : pool->node[b].value, 0.0);
    return isfinite(*value);
}

crank_ex crank_ex_call(crank_pool *pool, crank_ex_op op, crank_ex a, crank_ex b, crank_ex c)
{
    double value;
    switch ((int)op) {
    case CRANK_EX_ADD:
        return crank_ex_add(pool, a, b);
    case CRANK_EX_MUL:
        return crank_ex_mul(pool, a, b);
    case CRANK_EX_DIV:
        return crank_ex_div(pool, a, b);
    case CRANK_EX_POW:
        return crank_ex_pow(pool, a, b);
    case CRANK_EX_NEG:
        return crank_ex_neg(pool, a);
    case CRANK_EX_IF:
        return choice(pool, a, b, c);
    case CRANK_EX_TABLE:
        return crank_ex_table_node(pool, a, b, c);
    default:
        break;
    }
    assert(op > CRANK_EX_SYMBOL && op < CRANK_EX_OPS);
    if (folds(pool, op, a, b, &value)) {
        return crank_ex_number(pool, value);
    }
    switch ((int)op) {
    case CRANK_EX_MIN:
    case CRANK_EX_MAX:
        if (a == b) {
            return a;
        }
        return crank_pool_intern(pool, op, a < b ? a : b, a < b ? b : a, -1);
    case CRANK_EX_HYPOT:
        return crank_pool_intern(pool, op, a < b ? a : b, a < b ? b : a, -1);
    case CRANK_EX_ATAN2:
        return crank_pool_intern(pool, op, a, b, -1);
    case CRANK_EX_LT:
    case CRANK_EX_LE:
    case CRANK_EX_EQ:
    case CRANK_EX_NE:
        return compare(pool, op, a, b);
    case CRANK_EX_AND:
    case CRANK_EX_OR:
        return logic(pool, op, a, b);
    case CRANK_EX_NOT:
        return negation(pool, a);
    default:
        return function(pool, op, a);
    }
}
