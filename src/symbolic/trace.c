/* trace.c - see trace.h: operations, folding, equal ones found by a hash table. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/trace_inside.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

crank_trace *crank_trace_create(void)
{
    return calloc(1, sizeof(crank_trace));
}

void crank_trace_destroy(crank_trace *t)
{
    if (t != NULL) {
        free(t->node);
        free(t->bucket);
        free(t->result);
        free(t);
    }
}

void crank_trace_fail(crank_trace *t)
{
    t->failed = true;
}

/* ---- nodes ---- */

static uint64_t hash_node(const crank_trace_node *n)
{
    uint64_t bits, h = UINT64_C(1469598103934665603);
    memcpy(&bits, &n->value, sizeof bits);
    const uint64_t part[4] = {(uint64_t)n->op, (uint64_t)n->a, (uint64_t)n->b, bits};
    for (int i = 0; i < 4; i++) {
        h = (h ^ part[i]) * UINT64_C(1099511628211);
        h ^= h >> 29;
    }
    return h;
}

static bool same(const crank_trace_node *a, const crank_trace_node *b)
{
    return a->op == b->op && a->a == b->a && a->b == b->b &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

/* the bucket in which the node is, or could be */
static int find(const crank_trace *t, const crank_trace_node *n)
{
    const uint64_t mask = (uint64_t)t->buckets - 1;
    uint64_t at = hash_node(n) & mask;
    while (t->bucket[at] >= 0 && !same(&t->node[t->bucket[at]], n)) {
        at = (at + 1) & mask;
    }
    return (int)at;
}

static bool grow_table(crank_trace *t)
{
    if (2 * (t->count + 1) <= t->buckets) {
        return true;
    }
    const int wanted = t->buckets > 0 ? 2 * t->buckets : 1024;
    int *bucket = realloc(t->bucket, (size_t)wanted * sizeof *bucket);
    if (bucket == NULL) {
        return false;
    }
    t->bucket = bucket;
    t->buckets = wanted;
    memset(bucket, -1, (size_t)wanted * sizeof *bucket);
    for (int i = 0; i < t->count; i++) {
        bucket[find(t, &t->node[i])] = i;
    }
    return true;
}

/* out of memory: the first node, which is a number */
static crank_traced add_node(crank_trace *t, crank_trace_node n)
{
    crank_trace_node *node = crank_grow(t->node, t->count, &t->capacity, sizeof *node);
    t->node = node != NULL ? node : t->node;
    if (node == NULL || !grow_table(t)) {
        t->failed = true;
        return 0;
    }
    const int at = find(t, &n);
    if (t->bucket[at] < 0) {
        t->bucket[at] = t->count;
        t->node[t->count++] = n;
    }
    return t->bucket[at];
}

static crank_traced operation(crank_trace *t, crank_trace_op op, crank_traced a, crank_traced b)
{
    return add_node(t, (crank_trace_node){.op = op, .a = a, .b = b});
}

/* ---- leaves ---- */

crank_traced crank_trace_number(crank_trace *t, double value)
{
    /* no minus zero: sums and products with zero are folded */
    return add_node(t, (crank_trace_node){.op = CRANK_TRACE_NUMBER, .value = value + 0.0});
}

crank_traced crank_trace_unknown(crank_trace *t, int i)
{
    return operation(t, CRANK_TRACE_UNKNOWN, i, 0);
}

crank_traced crank_trace_given(crank_trace *t, int i)
{
    return operation(t, CRANK_TRACE_GIVEN, i, 0);
}

bool crank_trace_is_known(const crank_trace *t, crank_traced a, double *value)
{
    if (t->failed || t->node[a].op != CRANK_TRACE_NUMBER) {
        return false;
    }
    *value = t->node[a].value;
    return true;
}

static bool is(const crank_trace *t, crank_traced a, double value)
{
    double known;
    return crank_trace_is_known(t, a, &known) && known == value;
}

/* -b, of which b is asked */
static bool is_negative(const crank_trace *t, crank_traced a, crank_traced *b)
{
    if (t->failed || t->node[a].op != CRANK_TRACE_NEG) {
        return false;
    }
    *b = t->node[a].a;
    return true;
}

/* ---- operations ---- */

crank_traced crank_trace_neg(crank_trace *t, crank_traced a)
{
    crank_traced b;
    double known;
    if (crank_trace_is_known(t, a, &known)) {
        return crank_trace_number(t, -known);
    }
    return is_negative(t, a, &b) ? b : operation(t, CRANK_TRACE_NEG, a, 0);
}

crank_traced crank_trace_add(crank_trace *t, crank_traced a, crank_traced b)
{
    double x, y;
    crank_traced c;
    if (crank_trace_is_known(t, a, &x) && crank_trace_is_known(t, b, &y)) {
        return crank_trace_number(t, x + y);
    }
    if (is(t, a, 0.0) || is(t, b, 0.0)) {
        return is(t, a, 0.0) ? b : a;
    }
    if (is_negative(t, b, &c)) {
        return crank_trace_sub(t, a, c);
    }
    if (is_negative(t, a, &c)) {
        return crank_trace_sub(t, b, c);
    }
    return a < b ? operation(t, CRANK_TRACE_ADD, a, b) : operation(t, CRANK_TRACE_ADD, b, a);
}

crank_traced crank_trace_sub(crank_trace *t, crank_traced a, crank_traced b)
{
    double x, y;
    crank_traced c;
    if (crank_trace_is_known(t, a, &x) && crank_trace_is_known(t, b, &y)) {
        return crank_trace_number(t, x - y);
    }
    if (is(t, b, 0.0)) {
        return a;
    }
    if (is(t, a, 0.0)) {
        return crank_trace_neg(t, b);
    }
    if (is_negative(t, b, &c)) {
        return crank_trace_add(t, a, c);
    }
    if (is_negative(t, a, &c)) {
        return crank_trace_neg(t, crank_trace_add(t, c, b));
    }
    return a == b ? crank_trace_number(t, 0.0) : operation(t, CRANK_TRACE_SUB, a, b);
}

crank_traced crank_trace_mul(crank_trace *t, crank_traced a, crank_traced b)
{
    double x, y;
    crank_traced c;
    if (crank_trace_is_known(t, a, &x) && crank_trace_is_known(t, b, &y)) {
        return crank_trace_number(t, x * y);
    }
    if (is(t, a, 0.0) || is(t, b, 0.0)) {
        return crank_trace_number(t, 0.0);
    }
    if (is(t, a, 1.0) || is(t, b, 1.0)) {
        return is(t, a, 1.0) ? b : a;
    }
    if (is(t, a, -1.0) || is(t, b, -1.0)) {
        return crank_trace_neg(t, is(t, a, -1.0) ? b : a);
    }
    if (is_negative(t, a, &c)) {
        return crank_trace_neg(t, crank_trace_mul(t, c, b));
    }
    if (is_negative(t, b, &c)) {
        return crank_trace_neg(t, crank_trace_mul(t, a, c));
    }
    return a < b ? operation(t, CRANK_TRACE_MUL, a, b) : operation(t, CRANK_TRACE_MUL, b, a);
}

crank_traced crank_trace_div(crank_trace *t, crank_traced a, crank_traced b)
{
    double x, y;
    if (crank_trace_is_known(t, a, &x) && crank_trace_is_known(t, b, &y) && y != 0.0) {
        return crank_trace_number(t, x / y);
    }
    return is(t, a, 0.0) ? a : operation(t, CRANK_TRACE_DIV, a, b);
}

crank_traced crank_trace_sqrt(crank_trace *t, crank_traced a)
{
    double known;
    return crank_trace_is_known(t, a, &known) ? crank_trace_number(t, sqrt(known))
                                              : operation(t, CRANK_TRACE_SQRT, a, 0);
}

crank_traced crank_trace_sin(crank_trace *t, crank_traced a)
{
    return operation(t, CRANK_TRACE_SIN, a, 0);
}

crank_traced crank_trace_cos(crank_trace *t, crank_traced a)
{
    return operation(t, CRANK_TRACE_COS, a, 0);
}

crank_traced crank_trace_greater(crank_trace *t, crank_traced a, crank_traced b)
{
    double x, y;
    return crank_trace_is_known(t, a, &x) && crank_trace_is_known(t, b, &y)
               ? crank_trace_number(t, x > y ? 1.0 : 0.0)
               : operation(t, CRANK_TRACE_GREATER, a, b);
}

/* ---- results ---- */

void crank_trace_set(crank_trace *t, int section, int slot, crank_traced a)
{
    crank_trace_result *result =
        crank_grow(t->result, t->results, &t->result_capacity, sizeof *result);
    if (result == NULL) {
        t->failed = true;
        return;
    }
    t->result = result;
    result[t->results++] = (crank_trace_result){section, slot, a};
}
