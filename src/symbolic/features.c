/* features.c - see features.h.
 *
 * A bump takes two corners or conditions (x > a, x < b), a table of three points, or a function
 * that is flat far away (exp, tanh): one corner, or one such function of a linear argument,
 * rises or falls only. Each node of the pool gets
 *
 *     leaf      the one symbol that it depends on, none, or several
 *     affine    linear in all symbols
 *     bent      affine but for corners of affine arguments
 *     turns     how often it may turn round: 1 for a corner, condition or flat function of a
 *               linear argument, 2 for a table and for other arguments, and the sum over
 *               what it is made of
 *
 * Parts are the largest expressions of one symbol with two turns or more, whatever they are
 * made of, and of several symbols the conditions, corners, tables and flat functions
 * themselves, and products of these, the outermost ones. Sums of several symbols are none: what
 * cancels in them leaves rounding. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/features.h"

#include "symbolic/pool.h"

#include <stdlib.h>

enum { NONE = -1, SEVERAL = -2, UNKNOWN = -3, MANY_TURNS = 1000 };

typedef struct trait {
    crank_ex leaf; /* or NONE, SEVERAL, UNKNOWN */
    int turns;
    bool affine, bent, polynomial;
    bool inner;   /* part of a larger expression of the same symbol */
    bool covered; /* of several symbols, and in a part */
    bool chosen;  /* one of the parts */
} trait;

typedef struct search {
    crank_pool *pool;
    crank_ex_role_fn *role;
    const void *user;
    trait *trait; /* by node */
    int *order;   /* nodes reached, operands first */
    int count;
} search;

/* ---- nodes ---- */

static bool is_corner(crank_ex_op op)
{
    return op == CRANK_EX_LT || op == CRANK_EX_LE || op == CRANK_EX_EQ || op == CRANK_EX_NE ||
           op == CRANK_EX_MIN || op == CRANK_EX_MAX || op == CRANK_EX_ABS ||
           op == CRANK_EX_SIGN;
}

/* ends steps by itself if it depends on t alone */
static bool is_switch(crank_ex_op op)
{
    return op == CRANK_EX_LT || op == CRANK_EX_LE || op == CRANK_EX_SIGN ||
           op == CRANK_EX_FLOOR || op == CRANK_EX_CEIL;
}

/* flat on one side or on both */
static bool is_flat(crank_ex_op op)
{
    return op == CRANK_EX_EXP || op == CRANK_EX_TANH || op == CRANK_EX_ERF ||
           op == CRANK_EX_ATAN || op == CRANK_EX_COSH;
}

/* chooses between or joins others */
static bool is_choice(crank_ex_op op)
{
    return op == CRANK_EX_IF || op == CRANK_EX_AND || op == CRANK_EX_OR;
}

static int operand_count(const search *s, crank_ex e)
{
    const crank_ex_op op = ex_op(s->pool, e);
    if (ex_is_leaf(s->pool, e)) {
        return 0;
    }
    int count = 0;
    while (count < 3 && ex_operand(s->pool, e, count) >= 0) {
        count++;
    }
    return op == CRANK_EX_TABLE ? 1 : count;
}

/* the argument of a corner or condition is affine in all symbols */
static bool is_plain(const search *s, crank_ex e)
{
    bool plain = true;
    for (int i = 0; i < operand_count(s, e); i++) {
        plain = plain && s->trait[ex_operand(s->pool, e, i)].affine;
    }
    return plain;
}

/* 1/(1 + u^2): a denominator that is a polynomial of one symbol and not affine, or a power of
 * it */
static bool is_resonance(const search *s, crank_ex e)
{
    const crank_ex_op op = ex_op(s->pool, e);
    double power = 0.0;
    crank_ex below = -1;
    if (op == CRANK_EX_DIV) {
        below = ex_operand(s->pool, e, 1);
    } else if (op == CRANK_EX_POW &&
               crank_ex_is_number(s->pool, ex_operand(s->pool, e, 1), &power) && power < 0.0) {
        below = ex_operand(s->pool, e, 0);
    }
    if (below >= 0 && ex_op(s->pool, below) == CRANK_EX_POW) {
        below = ex_operand(s->pool, below, 0);
    }
    return below >= 0 && ex_op(s->pool, below) == CRANK_EX_ADD && !s->trait[below].affine &&
           s->trait[below].polynomial && s->trait[below].leaf >= 0;
}

static bool is_time(const search *s, crank_ex leaf)
{
    return leaf >= 0 && s->role(leaf, s->user) == CRANK_ROLE_TIME;
}

/* of the node itself */
static int own_turns(const search *s, crank_ex e, crank_ex leaf)
{
    const crank_ex_op op = ex_op(s->pool, e);
    if (leaf == NONE || (is_switch(op) && is_time(s, leaf))) {
        return 0;
    }
    if (op == CRANK_EX_TABLE) {
        int order;
        const int table = crank_ex_table_of(s->pool, e, &order);
        return s->pool->tables[table].rows > 2 || !is_plain(s, e) ? 2 : 1;
    }
    if (op == CRANK_EX_FLOOR || op == CRANK_EX_CEIL) {
        return 2;
    }
    if (is_resonance(s, e)) {
        return 2;
    }
    return is_corner(op) || is_flat(op) ? (is_plain(s, e) ? 1 : 2) : 0;
}

static bool is_affine(const search *s, crank_ex e, crank_ex leaf)
{
    const crank_ex_op op = ex_op(s->pool, e);
    if (leaf == NONE || op == CRANK_EX_SYMBOL) {
        return true;
    }
    const trait *a = &s->trait[ex_operand(s->pool, e, 0)];
    if (op == CRANK_EX_ADD || op == CRANK_EX_NEG) {
        return is_plain(s, e);
    }
    if (op == CRANK_EX_MUL || op == CRANK_EX_DIV) {
        const trait *b = &s->trait[ex_operand(s->pool, e, 1)];
        return a->affine && b->affine &&
               (b->leaf == NONE || (op == CRANK_EX_MUL && a->leaf == NONE));
    }
    return false;
}

/* sums of such, and products with constants */
static bool is_bent(const search *s, crank_ex e, bool affine)
{
    const crank_ex_op op = ex_op(s->pool, e);
    bool bent = op == CRANK_EX_ADD || op == CRANK_EX_NEG || op == CRANK_EX_MUL;
    int varying = 0;
    if (op == CRANK_EX_MIN || op == CRANK_EX_MAX || op == CRANK_EX_ABS) {
        return is_plain(s, e);
    }
    for (int i = 0; i < operand_count(s, e); i++) {
        const trait *t = &s->trait[ex_operand(s->pool, e, i)];
        bent = bent && t->bent;
        varying += t->leaf != NONE ? 1 : 0;
    }
    return affine || (bent && (op != CRANK_EX_MUL || varying <= 1));
}

static bool is_polynomial(const search *s, crank_ex e, bool affine)
{
    const crank_ex_op op = ex_op(s->pool, e);
    bool polynomial = op == CRANK_EX_ADD || op == CRANK_EX_MUL || op == CRANK_EX_NEG ||
                      op == CRANK_EX_POW || op == CRANK_EX_DIV;
    for (int i = 0; i < operand_count(s, e); i++) {
        const trait *t = &s->trait[ex_operand(s->pool, e, i)];
        const bool constant = i > 0 && (op == CRANK_EX_POW || op == CRANK_EX_DIV);
        polynomial = polynomial && t->polynomial && (!constant || t->leaf == NONE);
    }
    return affine || polynomial;
}

static crank_ex join(crank_ex a, crank_ex b)
{
    if (a == UNKNOWN || b == UNKNOWN) {
        return UNKNOWN;
    }
    return a == NONE || a == b ? b : b == NONE ? a : SEVERAL;
}

static trait trait_of(const search *s, crank_ex e)
{
    trait t = {.leaf = NONE};
    if (ex_op(s->pool, e) == CRANK_EX_SYMBOL) {
        const crank_ex_role role = s->role(e, s->user);
        t.leaf = role == CRANK_ROLE_CONSTANT ? NONE : role == CRANK_ROLE_UNKNOWN ? UNKNOWN : e;
    }
    for (int i = 0; i < operand_count(s, e); i++) {
        const trait *operand = &s->trait[ex_operand(s->pool, e, i)];
        t.leaf = join(t.leaf, operand->leaf);
        t.turns += operand->turns;
    }
    t.affine = is_affine(s, e, t.leaf);
    t.bent = is_bent(s, e, t.affine);
    t.polynomial = is_polynomial(s, e, t.affine);
    t.turns += own_turns(s, e, t.leaf);
    t.turns = t.turns < MANY_TURNS ? t.turns : MANY_TURNS;
    return t;
}

/* ---- parts ---- */

/* copies what the pool's traversal has reached: the next one starts anew */
static bool keep_order(search *s)
{
    s->count = s->pool->order_count;
    free(s->order);
    s->order = malloc(((size_t)s->count + 1) * sizeof *s->order);
    for (int i = 0; i < s->count && s->order != NULL; i++) {
        s->order[i] = s->pool->order[i];
    }
    return s->order != NULL;
}

static void describe(search *s)
{
    for (int i = 0; i < s->count; i++) {
        const crank_ex e = s->order[i];
        s->trait[e] = trait_of(s, e);
        for (int k = 0; k < operand_count(s, e) && s->trait[e].leaf >= 0; k++) {
            s->trait[ex_operand(s->pool, e, k)].inner = true;
        }
    }
}

static bool is_part(const search *s, crank_ex e)
{
    const trait *t = &s->trait[e];
    if (t->turns < 2 || t->leaf == NONE || t->leaf == UNKNOWN) {
        return false;
    }
    const crank_ex_op op = ex_op(s->pool, e);
    if (t->leaf != SEVERAL) {
        return !t->inner;
    }
    if (op == CRANK_EX_MUL) { /* (x > a)*(y < b) */
        return s->trait[ex_operand(s->pool, e, 0)].turns > 0 &&
               s->trait[ex_operand(s->pool, e, 1)].turns > 0;
    }
    return is_choice(op) || is_corner(op) || is_flat(op) || op == CRANK_EX_TABLE ||
           op == CRANK_EX_FLOOR || op == CRANK_EX_CEIL || is_resonance(s, e);
}

/* The parts, marked from the outside in: one of several symbols shows what it contains. */
static void mark_parts(search *s)
{
    for (int i = s->count - 1; i >= 0; i--) {
        const crank_ex e = s->order[i];
        trait *t = &s->trait[e];
        t->chosen = !t->covered && is_part(s, e);
        for (int k = 0; k < operand_count(s, e) && (t->chosen || t->covered); k++) {
            trait *operand = &s->trait[ex_operand(s->pool, e, k)];
            operand->covered = operand->covered || operand->leaf == SEVERAL;
        }
    }
}

static crank_ex edge_of(search *s, crank_ex e)
{
    const crank_ex_op op = ex_op(s->pool, e);
    const crank_ex a = ex_operand(s->pool, e, 0);
    return op == CRANK_EX_ABS || op == CRANK_EX_SIGN
               ? a
               : crank_ex_sub(s->pool, a, ex_operand(s->pool, e, 1));
}

static bool is_condition(crank_ex_op op)
{
    return op != CRANK_EX_MIN && op != CRANK_EX_MAX && op != CRANK_EX_ABS;
}

/* edges, those of corners or those of conditions, of the nodes in order */
static void collect_edges(const search *s, bool conditions, crank_ex_features *out)
{
    for (int i = 0; i < s->count; i++) {
        const crank_ex e = s->order[i];
        const crank_ex_op op = ex_op(s->pool, e);
        if (is_corner(op) && is_condition(op) == conditions && is_plain(s, e) &&
            own_turns(s, e, s->trait[e].leaf) > 0) {
            out->edge[out->edge_count++] = e;
        }
    }
}

/* edges, tables and arguments of flat functions of the nodes in order */
static void collect(const search *s, crank_ex_features *out)
{
    collect_edges(s, false, out);
    out->corner_count = out->edge_count;
    collect_edges(s, true, out);
    for (int i = 0; i < s->count; i++) {
        const crank_ex e = s->order[i];
        const crank_ex_op op = ex_op(s->pool, e);
        if (own_turns(s, e, s->trait[e].leaf) == 0) {
            continue;
        }
        const bool single = s->trait[e].leaf >= 0; /* of several, forces vary along any step */
        if (single && is_flat(op) && s->trait[ex_operand(s->pool, e, 0)].bent) {
            out->flat[out->flat_count++] = ex_operand(s->pool, e, 0);
        } else {
            out->sampled = out->sampled || is_resonance(s, e) ||
                           (single && (!is_plain(s, e) || is_flat(op) || op == CRANK_EX_FLOOR ||
                                       op == CRANK_EX_CEIL));
        }
        if (op == CRANK_EX_TABLE) {
            out->table[out->table_count++] = e;
        }
    }
}

static bool choose(search *s, crank_ex_features *out)
{
    const size_t most = (size_t)s->count + 1;
    out->value = calloc(most, sizeof *out->value);
    out->single = calloc(most, sizeof *out->single);
    out->edge = calloc(most, sizeof *out->edge);
    out->table = calloc(most, sizeof *out->table);
    out->flat = calloc(most, sizeof *out->flat);
    if (out->value == NULL || out->single == NULL || out->edge == NULL || out->table == NULL ||
        out->flat == NULL) {
        return false;
    }
    mark_parts(s);
    for (int i = 0; i < s->count; i++) {
        if (s->trait[s->order[i]].chosen) {
            out->single[out->value_count] = s->trait[s->order[i]].leaf >= 0;
            out->value[out->value_count++] = s->order[i];
        }
    }
    crank_pool_begin_visit(s->pool);
    for (int i = 0; i < out->value_count; i++) {
        crank_pool_visit(s->pool, out->value[i]);
    }
    if (!keep_order(s)) {
        return false;
    }
    collect(s, out);
    for (int i = 0; i < out->edge_count; i++) {
        out->edge[i] = edge_of(s, out->edge[i]);
    }
    return true;
}

crank_status crank_ex_find_features(crank_pool *pool, int root_count, const crank_ex *roots,
                                    crank_ex_role_fn *role, const void *user,
                                    crank_ex_features *out, crank_error *err)
{
    *out = (crank_ex_features){0};
    search s = {.pool = pool, .role = role, .user = user};
    s.trait = calloc((size_t)crank_pool_size(pool) + 1, sizeof *s.trait);
    crank_pool_begin_visit(pool);
    for (int i = 0; i < root_count; i++) {
        if (roots[i] >= 0) {
            crank_pool_visit(pool, roots[i]);
        }
    }
    bool done = s.trait != NULL && keep_order(&s);
    if (done) {
        describe(&s);
        done = choose(&s, out);
    }
    free(s.trait);
    free(s.order);
    return done && crank_pool_status(pool) == CRANK_OK
               ? CRANK_OK
               : crank_fail(err, CRANK_EMEM, "narrow parts of the equations");
}

void crank_ex_features_free(crank_ex_features *features)
{
    free(features->value);
    free(features->single);
    free(features->edge);
    free(features->table);
    free(features->flat);
    *features = (crank_ex_features){0};
}

const double *crank_ex_table_knots(const crank_pool *pool, crank_ex table, int *rows,
                                   int *order, double *period)
{
    const ex_table *t = &pool->tables[crank_ex_table_of(pool, table, order)];
    *rows = t->rows;
    *period = t->data[crank_tabulated_size(t->rows) - 1];
    return t->data;
}
