/* operator.c - operators of scalars, vectors and matrices (Modelica 3.6, 10.6). */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

static void fail_types(crank_mo_flattener *f, const char *op, const crank_mo_value *a,
                       const crank_mo_value *b, crank_mo_place place)
{
    char one[80], other[80];
    (void)crank_mo_fail_at(f, place, "%s %s %s", crank_mo_describe(a, one, sizeof one), op,
                           crank_mo_describe(b, other, sizeof other));
}

crank_mo_value crank_mo_negate(crank_mo_flattener *f, crank_mo_value a, crank_mo_place place)
{
    crank_mo_value v = a;
    if (a.type == CRANK_MO_IS_RECORD || a.ex == NULL) {
        fail_types(f, "-", &a, &a, place);
        return v;
    }
    if (crank_mo_value_take(f, &v, place)) {
        for (int k = 0; k < v.count; k++) {
            v.ex[k] = crank_ex_neg(f->pool, a.ex[k]);
        }
    }
    return v;
}

static bool is_number(const crank_mo_value *v)
{
    return v->type <= CRANK_MO_IS_INTEGER;
}

static crank_ex of_two(crank_mo_flattener *f, char op, crank_ex a, crank_ex b)
{
    return op == '+'   ? crank_ex_add(f->pool, a, b)
           : op == '-' ? crank_ex_sub(f->pool, a, b)
           : op == '*' ? crank_ex_mul(f->pool, a, b)
           : op == '/' ? crank_ex_div(f->pool, a, b)
                       : crank_ex_pow(f->pool, a, b);
}

/* entry by entry; a scalar goes with every entry */
static crank_mo_value entries(crank_mo_flattener *f, char op, const crank_mo_value *a,
                              const crank_mo_value *b, crank_mo_place place)
{
    crank_mo_value v = a->rank > 0 ? *a : *b;
    v.type =
        op == '/' || op == '^' || a->type == CRANK_MO_IS_REAL || b->type == CRANK_MO_IS_REAL
            ? CRANK_MO_IS_REAL
            : CRANK_MO_IS_INTEGER;
    if (crank_mo_value_take(f, &v, place)) {
        for (int k = 0; k < v.count; k++) {
            v.ex[k] = of_two(f, op, a->ex[a->rank > 0 ? k : 0], b->ex[b->rank > 0 ? k : 0]);
        }
    }
    return v;
}

/* rows x middle times middle x columns; vectors have a dimension less on their side */
static crank_mo_value product(crank_mo_flattener *f, const crank_mo_value *a,
                              const crank_mo_value *b, crank_mo_place place)
{
    crank_mo_value v = {.type = a->type == CRANK_MO_IS_REAL || b->type == CRANK_MO_IS_REAL
                                    ? CRANK_MO_IS_REAL
                                    : CRANK_MO_IS_INTEGER};
    const int middle = a->size[a->rank - 1];
    if (a->rank > 2 || b->rank > 2 || middle != b->size[0]) {
        fail_types(f, "*", a, b, place);
        return v;
    }
    const int rows = a->rank == 2 ? a->size[0] : 1, columns = b->rank == 2 ? b->size[1] : 1;
    if (a->rank == 2) {
        v.size[v.rank++] = rows;
    }
    if (b->rank == 2) {
        v.size[v.rank++] = columns;
    }
    if (!crank_mo_value_take(f, &v, place)) {
        return v;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            crank_ex sum = crank_ex_number(f->pool, 0.0);
            for (int k = 0; k < middle; k++) {
                sum = crank_ex_add(
                    f->pool, sum,
                    crank_ex_mul(f->pool, a->ex[i * middle + k], b->ex[k * columns + j]));
            }
            v.ex[i * columns + j] = sum;
        }
    }
    f->work += (long)rows * columns * middle;
    return v;
}

/* A^n of a square matrix, n a whole number that is known: by squares */
static crank_mo_value power(crank_mo_flattener *f, const crank_mo_value *a,
                            const crank_mo_value *b, crank_mo_place place)
{
    crank_mo_value square = *a, out = *a;
    int n = 0;
    if (!crank_mo_whole(f, b, &n, place, "the exponent of a matrix") || n < 0 ||
        !crank_mo_value_take(f, &out, place)) {
        if (crank_mo_ok(f)) {
            fail_types(f, "^", a, b, place);
        }
        return out;
    }
    for (int k = 0; k < out.count; k++) {
        out.ex[k] = crank_ex_number(f->pool, k % (a->size[0] + 1) == 0 ? 1.0 : 0.0);
    }
    for (; n > 0 && crank_mo_ok(f); n /= 2) {
        out = n % 2 == 1 ? product(f, &out, &square, place) : out;
        square = n > 1 && crank_mo_ok(f) ? product(f, &square, &square, place) : square;
    }
    return out;
}

static crank_mo_value arithmetic(crank_mo_flattener *f, const char *op, const crank_mo_value *a,
                                 const crank_mo_value *b, crank_mo_place place)
{
    const bool each = op[0] == '.';
    const char sign = each ? op[1] : op[0];
    crank_mo_value v = {0};
    if (!is_number(a) || !is_number(b)) {
        fail_types(f, op, a, b, place);
        return v;
    }
    const bool same = crank_mo_same_shape(a, b);
    const bool scalar = a->rank == 0 || b->rank == 0;
    if (sign == '*' && !each && a->rank > 0 && b->rank > 0) {
        return product(f, a, b, place);
    }
    if (sign == '^' && !each && a->rank == 2 && a->size[0] == a->size[1] && b->rank == 0) {
        return power(f, a, b, place);
    }
    const bool allowed = each          ? same || scalar
                         : sign == '*' ? scalar
                         : sign == '/' ? b->rank == 0
                         : sign == '^' ? a->rank == 0 && b->rank == 0
                                       : same;
    if (!allowed) {
        fail_types(f, op, a, b, place);
        return v;
    }
    return entries(f, sign, a, b, place);
}

/* texts are known now */
static crank_mo_value texts(crank_mo_flattener *f, const char *op, const crank_mo_value *a,
                            const crank_mo_value *b, crank_mo_place place)
{
    const int order = strcmp(a->text, b->text);
    if (strcmp(op, "+") == 0) {
        crank_mo_value v = *a;
        v.text = crank_store_print(f->store, "%s%s", a->text, b->text);
        if (v.text == NULL) {
            crank_mo_fail_memory(f);
        }
        return v;
    }
    if (strcmp(op, "==") == 0 || strcmp(op, "<>") == 0) {
        return crank_mo_number_value(f, CRANK_MO_IS_BOOLEAN,
                                     (order == 0) == (op[0] == '=') ? 1.0 : 0.0);
    }
    fail_types(f, op, a, b, place);
    return *a;
}

/* a == b; whole numbers are equal if they differ by less than a half, so that values around
 * them, as an analysis takes, mean the same */
static crank_ex equality(crank_mo_flattener *f, bool equal, const crank_mo_value *a,
                         const crank_mo_value *b)
{
    crank_pool *p = f->pool;
    const crank_ex x = a->ex[0], y = b->ex[0];
    if (a->type == CRANK_MO_IS_REAL || b->type == CRANK_MO_IS_REAL) {
        return crank_ex_call(p, equal ? CRANK_EX_EQ : CRANK_EX_NE, x, y, 0);
    }
    const crank_ex half = crank_ex_number(p, 0.5), distance = crank_ex_sub(p, x, y);
    const crank_ex below = crank_ex_call(p, CRANK_EX_LT, distance, half, 0),
                   above = crank_ex_call(p, CRANK_EX_LT, crank_ex_neg(p, half), distance, 0);
    const crank_ex same = crank_ex_call(p, CRANK_EX_AND, above, below, 0);
    return equal ? same : crank_ex_call(p, CRANK_EX_NOT, same, 0, 0);
}

static crank_mo_value relation(crank_mo_flattener *f, const char *op, const crank_mo_value *a,
                               const crank_mo_value *b, crank_mo_place place)
{
    const bool fits = is_number(a) ? is_number(b) : a->type == b->type;
    if (a->rank > 0 || b->rank > 0 || !fits || a->ex == NULL || b->ex == NULL) {
        fail_types(f, op, a, b, place);
        return *a;
    }
    const crank_ex x = a->ex[0], y = b->ex[0];
    if (op[0] == '=' || strcmp(op, "<>") == 0) {
        return crank_mo_scalar(f, CRANK_MO_IS_BOOLEAN, equality(f, op[0] == '=', a, b));
    }
    const bool less = op[0] == '<', or_equal = op[1] == '=';
    const crank_ex low = less ? x : y, high = less ? y : x;
    const crank_ex frozen =
        crank_mo_freeze(f, crank_ex_sub(f->pool, high, low), or_equal, place);
    return crank_mo_scalar(
        f, CRANK_MO_IS_BOOLEAN,
        frozen >= 0
            ? frozen
            : crank_ex_call(f->pool, or_equal ? CRANK_EX_LE : CRANK_EX_LT, low, high, 0));
}

static crank_mo_value logical(crank_mo_flattener *f, const char *op, const crank_mo_value *a,
                              const crank_mo_value *b, crank_mo_place place)
{
    crank_mo_value v = *a;
    if (a->type != CRANK_MO_IS_BOOLEAN || b->type != CRANK_MO_IS_BOOLEAN ||
        !crank_mo_same_shape(a, b)) {
        fail_types(f, op, a, b, place);
        return v;
    }
    if (crank_mo_value_take(f, &v, place)) {
        for (int k = 0; k < v.count; k++) {
            v.ex[k] = crank_ex_call(f->pool, op[0] == 'a' ? CRANK_EX_AND : CRANK_EX_OR,
                                    a->ex[k], b->ex[k], 0);
        }
    }
    return v;
}

crank_mo_value crank_mo_operate(crank_mo_flattener *f, const char *op, crank_mo_value a,
                                crank_mo_value b, crank_mo_place place)
{
    if (!crank_mo_ok(f)) {
        return a;
    }
    if (a.type == CRANK_MO_IS_RECORD || b.type == CRANK_MO_IS_RECORD) {
        fail_types(f, op, &a, &b, place);
        return a;
    }
    if (a.type == CRANK_MO_IS_STRING && b.type == CRANK_MO_IS_STRING) {
        return texts(f, op, &a, &b, place);
    }
    if (a.type == CRANK_MO_IS_STRING || b.type == CRANK_MO_IS_STRING) {
        fail_types(f, op, &a, &b, place);
        return a;
    }
    if (strchr("<>=", op[0]) != NULL) {
        return relation(f, op, &a, &b, place);
    }
    return op[0] == 'a' || op[0] == 'o' ? logical(f, op, &a, &b, place)
                                        : arithmetic(f, op, &a, &b, place);
}

crank_mo_value crank_mo_choose(crank_mo_flattener *f, crank_ex c, const crank_mo_value *a,
                               const crank_mo_value *b, crank_mo_place place)
{
    crank_mo_value v = *a;
    const bool fits = is_number(a) ? is_number(b) : a->type == b->type;
    if (!crank_mo_ok(f)) {
        return v;
    }
    if (!crank_mo_same_shape(a, b) || !fits || a->field_count != b->field_count ||
        a->type == CRANK_MO_IS_STRING) {
        char one[80], other[80];
        (void)crank_mo_fail_at(f, place, "branches of an if-expression are %s and %s",
                               crank_mo_describe(a, one, sizeof one),
                               crank_mo_describe(b, other, sizeof other));
        return v;
    }
    if (v.type == CRANK_MO_IS_RECORD) {
        v.field = crank_mo_new(f, (size_t)v.field_count, sizeof *v.field);
        for (int k = 0; k < v.field_count && crank_mo_ok(f); k++) {
            const crank_mo_value *other = crank_mo_field(b, v.field_name[k]);
            v.field[k] = crank_mo_choose(f, c, &a->field[k],
                                         other != NULL ? other : &a->field[k], place);
        }
        return v;
    }
    v.type = a->type < b->type ? a->type : b->type;
    if (crank_mo_value_take(f, &v, place)) {
        for (int k = 0; k < v.count; k++) {
            v.ex[k] = a->ex[k] == b->ex[k]
                          ? a->ex[k]
                          : crank_ex_call(f->pool, CRANK_EX_IF, c, a->ex[k], b->ex[k]);
        }
    }
    return v;
}
