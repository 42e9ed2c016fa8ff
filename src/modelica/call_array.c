/* call_array.c - functions of arrays (Modelica 3.6, 10.3). */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include <string.h>

typedef struct call {
    crank_mo_flattener *f;
    const char *name;
    int count;
    const crank_mo_value *argument;
    crank_mo_place place;
} call;

static crank_mo_value fail(const call *c)
{
    char text[80];
    (void)crank_mo_fail_at(
        c->f, c->place, "%s: wrong arguments (%d of them, the first %s)", c->name, c->count,
        c->count > 0 ? crank_mo_describe(&c->argument[0], text, sizeof text) : "missing");
    return (crank_mo_value){0};
}

static bool is_numbers(const crank_mo_value *v)
{
    return v->type <= CRANK_MO_IS_INTEGER;
}

/* size(A, i), size(A), ndims(A) */
static crank_mo_value size(const call *c)
{
    crank_mo_flattener *f = c->f;
    int d = 0;
    if (c->count < 1 || c->count > 2) {
        return fail(c);
    }
    const crank_mo_value *a = &c->argument[0];
    if (strcmp(c->name, "ndims") == 0) {
        return crank_mo_number_value(f, CRANK_MO_IS_INTEGER, a->rank);
    }
    if (c->count == 2) {
        if (!crank_mo_whole(f, &c->argument[1], &d, c->place, "size") || d < 1 || d > a->rank) {
            return fail(c);
        }
        return crank_mo_number_value(f, CRANK_MO_IS_INTEGER, a->size[d - 1]);
    }
    crank_mo_value v = {.type = CRANK_MO_IS_INTEGER, .rank = 1, .size = {a->rank}};
    if (crank_mo_value_take(f, &v, c->place)) {
        for (int i = 0; i < v.count; i++) {
            v.ex[i] = crank_ex_number(f->pool, a->size[i]);
        }
    }
    return v;
}

/* zeros(n, m), ones(n), fill(v, n, m), identity(n) */
static crank_mo_value filled(const call *c)
{
    crank_mo_flattener *f = c->f;
    const bool fill = strcmp(c->name, "fill") == 0, unit = strcmp(c->name, "identity") == 0;
    const int first = fill ? 1 : 0;
    crank_mo_value v = {.type = CRANK_MO_IS_INTEGER};
    if (c->count < 1 || c->count - first > CRANK_MO_RANK || (unit && c->count != 1) ||
        (fill && (c->argument[0].rank > 0 || c->argument[0].ex == NULL))) {
        return fail(c);
    }
    for (int i = first; i < c->count && crank_mo_ok(f); i++) {
        int n = 0;
        if (crank_mo_whole(f, &c->argument[i], &n, c->place, c->name) && n < 0) {
            return fail(c);
        }
        v.size[v.rank++] = n;
    }
    if (unit) {
        v.size[v.rank++] = v.size[0];
    }
    if (fill) {
        v.type = c->argument[0].type;
        v.of = c->argument[0].of;
    }
    const crank_ex zero = crank_ex_number(f->pool, 0.0), one = crank_ex_number(f->pool, 1.0);
    if (crank_mo_ok(f) && crank_mo_value_take(f, &v, c->place)) {
        for (int k = 0; k < v.count; k++) {
            v.ex[k] = fill                           ? c->argument[0].ex[0]
                      : unit                         ? (k % (v.size[0] + 1) == 0 ? one : zero)
                      : strcmp(c->name, "ones") == 0 ? one
                                                     : zero;
        }
    }
    return v;
}

/* sum, product, min, max of all entries; min and max of two */
static crank_mo_value reduced(const call *c)
{
    crank_mo_flattener *f = c->f;
    crank_pool *p = f->pool;
    const char kind = c->name[0] == 'm' ? c->name[1] : c->name[0]; /* s, p, i, a */
    if (c->count < 1 || c->count > (c->name[0] == 'm' ? 2 : 1) ||
        !is_numbers(&c->argument[0]) ||
        (c->count == 2 && (c->argument[0].rank > 0 || c->argument[1].rank > 0 ||
                           !is_numbers(&c->argument[1])))) {
        return fail(c);
    }
    crank_ex ex = crank_ex_number(p, kind == 'p' ? 1.0 : 0.0);
    int seen = 0;
    crank_mo_type type = CRANK_MO_IS_INTEGER;
    for (int i = 0; i < c->count; i++) {
        const crank_mo_value *a = &c->argument[i];
        type = a->type < type ? a->type : type;
        for (int k = 0; k < a->count; k++, seen++) {
            const crank_ex item = a->ex[k];
            ex = kind == 's'   ? crank_ex_add(p, ex, item)
                 : kind == 'p' ? crank_ex_mul(p, ex, item)
                 : seen == 0
                     ? item
                     : crank_ex_call(p, kind == 'i' ? CRANK_EX_MIN : CRANK_EX_MAX, ex, item, 0);
        }
    }
    return seen == 0 && (kind == 'i' || kind == 'a') ? fail(c) : crank_mo_scalar(f, type, ex);
}

crank_mo_value crank_mo_reduce(crank_mo_flattener *f, const char *name, crank_mo_value v,
                               int iterators, crank_mo_place place)
{
    crank_mo_value out = v;
    int along = 1;
    if (v.rank <= iterators || v.ex == NULL || !is_numbers(&v)) {
        const call c = {f, name, 1, &v, place};
        return reduced(&c);
    }
    if (strcmp(name, "sum") != 0) {
        (void)crank_mo_fail_at(f, place, "%s(... for ...) of arrays", name);
        return v;
    }
    out.rank = v.rank - iterators;
    for (int d = 0; d < v.rank; d++) {
        along *= d < iterators ? v.size[d] : 1;
        out.size[d] = d < out.rank ? v.size[iterators + d] : 0;
    }
    if (crank_mo_value_take(f, &out, place)) {
        for (int k = 0; k < out.count; k++) {
            out.ex[k] = crank_ex_number(f->pool, 0.0);
            for (int i = 0; i < along; i++) {
                out.ex[k] = crank_ex_add(f->pool, out.ex[k], v.ex[i * out.count + k]);
            }
        }
    }
    return out;
}

/* transpose(A); symmetric(A): what is below the diagonal is what is above it */
static crank_mo_value transposed(const call *c)
{
    crank_mo_flattener *f = c->f;
    const bool mirror = c->name[0] == 's';
    if (c->count != 1 || c->argument[0].rank != 2 || c->argument[0].ex == NULL ||
        (mirror && c->argument[0].size[0] != c->argument[0].size[1])) {
        return fail(c);
    }
    const crank_mo_value *a = &c->argument[0];
    crank_mo_value v = *a;
    const int rows = a->size[0], columns = a->size[1];
    v.size[0] = columns;
    v.size[1] = rows;
    if (crank_mo_value_take(f, &v, c->place)) {
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                v.ex[j * rows + i] = a->ex[mirror && i > j ? j * columns + i : i * columns + j];
            }
        }
    }
    return v;
}

/* cross(a, b), skew(a) */
static crank_mo_value crossed(const call *c)
{
    crank_mo_flattener *f = c->f;
    crank_pool *p = f->pool;
    const bool skew = c->name[0] == 's';
    for (int i = 0; i < c->count; i++) {
        if (c->argument[i].rank != 1 || c->argument[i].size[0] != 3 ||
            !is_numbers(&c->argument[i])) {
            return fail(c);
        }
    }
    if (c->count != (skew ? 1 : 2)) {
        return fail(c);
    }
    const crank_ex *a = c->argument[0].ex;
    crank_mo_value v = {.type = CRANK_MO_IS_REAL, .rank = skew ? 2 : 1, .size = {3, 3}};
    if (!crank_mo_value_take(f, &v, c->place)) {
        return v;
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (skew) { /* row i: -a_k at column j, a_j at column k */
            v.ex[i * 3 + i] = crank_ex_number(p, 0.0);
            v.ex[i * 3 + j] = crank_ex_neg(p, a[k]);
            v.ex[i * 3 + k] = a[j];
        } else {
            const crank_ex *b = c->argument[1].ex;
            v.ex[i] = crank_ex_sub(p, crank_ex_mul(p, a[j], b[k]), crank_ex_mul(p, a[k], b[j]));
        }
    }
    return v;
}

/* diagonal(v), outerProduct(a, b) */
static crank_mo_value outer(const call *c)
{
    crank_mo_flattener *f = c->f;
    const bool diagonal = c->name[0] == 'd';
    if (c->count != (diagonal ? 1 : 2) || c->argument[0].rank != 1 ||
        !is_numbers(&c->argument[0]) ||
        (!diagonal && (c->argument[1].rank != 1 || !is_numbers(&c->argument[1])))) {
        return fail(c);
    }
    const crank_mo_value *a = &c->argument[0], *b = &c->argument[c->count - 1];
    crank_mo_value v = {
        .type = a->type < b->type ? a->type : b->type, .rank = 2, .size = {a->count, b->count}};
    const crank_ex zero = crank_ex_number(f->pool, 0.0);
    if (crank_mo_value_take(f, &v, c->place)) {
        for (int i = 0; i < a->count; i++) {
            for (int j = 0; j < b->count; j++) {
                v.ex[i * b->count + j] = !diagonal ? crank_ex_mul(f->pool, a->ex[i], b->ex[j])
                                         : i == j  ? a->ex[i]
                                                   : zero;
            }
        }
    }
    return v;
}

static crank_mo_value linspace(const call *c)
{
    crank_mo_flattener *f = c->f;
    crank_pool *p = f->pool;
    int n = 0;
    crank_mo_value v = {.type = CRANK_MO_IS_REAL, .rank = 1};
    if (c->count != 3 || c->argument[0].rank > 0 || c->argument[1].rank > 0 ||
        !is_numbers(&c->argument[0]) || !is_numbers(&c->argument[1]) ||
        !crank_mo_whole(f, &c->argument[2], &n, c->place, "linspace") || n < 2) {
        return fail(c);
    }
    v.size[0] = n;
    if (crank_mo_value_take(f, &v, c->place)) {
        const crank_ex from = c->argument[0].ex[0];
        const crank_ex span = crank_ex_sub(p, c->argument[1].ex[0], from);
        for (int k = 0; k < n; k++) {
            v.ex[k] = crank_ex_add(
                p, from, crank_ex_mul(p, crank_ex_number(p, (double)k / (n - 1)), span));
        }
    }
    return v;
}

/* scalar(A), vector(A), matrix(A): the same entries in another shape */
static crank_mo_value reshaped(const call *c)
{
    crank_mo_flattener *f = c->f;
    if (c->count != 1 || c->argument[0].ex == NULL) {
        return fail(c);
    }
    crank_mo_value v = c->argument[0];
    const char kind = c->name[0]; /* s, v, m */
    int longer = 0, number = 0;
    for (int d = 0; d < v.rank; d++) {
        longer += v.size[d] > 1 ? 1 : 0;
    }
    if ((kind == 's' && v.count != 1) || (kind == 'v' && longer > 1) ||
        (kind == 'm' && v.rank > 2)) {
        return fail(c);
    }
    number = v.count;
    if (kind == 's') {
        v.rank = 0;
    } else if (kind == 'v') {
        v.rank = 1;
        v.size[0] = number;
    } else {
        for (; v.rank < 2; v.rank++) {
            v.size[v.rank] = 1;
        }
    }
    return crank_mo_copy(f, &v);
}

static crank_mo_value concatenated(const call *c)
{
    int along = 0;
    if (c->count < 2 || !crank_mo_whole(c->f, &c->argument[0], &along, c->place, "cat") ||
        along < 1 || along > c->argument[1].rank) {
        return fail(c);
    }
    return crank_mo_concatenate(c->f, along - 1, c->count - 1, c->argument + 1, c->place);
}

bool crank_mo_call_array(crank_mo_flattener *f, const char *name, int count,
                         const crank_mo_value *argument, crank_mo_place place,
                         crank_mo_value *out)
{
    static const struct {
        const char *name;
        crank_mo_value (*call)(const call *c);
    } list[] = {{"size", size},          {"ndims", size},           {"zeros", filled},
                {"ones", filled},        {"fill", filled},          {"identity", filled},
                {"sum", reduced},        {"product", reduced},      {"min", reduced},
                {"max", reduced},        {"transpose", transposed}, {"symmetric", transposed},
                {"cross", crossed},      {"skew", crossed},         {"diagonal", outer},
                {"outerProduct", outer}, {"linspace", linspace},    {"scalar", reshaped},
                {"vector", reshaped},    {"matrix", reshaped},      {"cat", concatenated}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (strcmp(list[i].name, name) == 0) {
            const call c = {f, name, count, argument, place};
            *out = list[i].call(&c);
            return true;
        }
    }
    return false;
}
