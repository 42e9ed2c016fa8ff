/* build_primitives.c - primitives made once, found by their content, and their symbols, made
 * when asked for. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- equal primitives ---- */

static uint64_t hash_vector(uint64_t hash, const crank_vector *vector)
{
    hash = crank_hash(hash, &vector->count, sizeof vector->count);
    for (int i = 0; i < vector->count; i++) {
        const crank_marker *m = &vector->marker[i];
        const int head[2] = {m->body, m->point ? 1 : 0};
        hash = crank_hash(hash, head, sizeof head);
        hash = crank_hash(hash, m->u, sizeof m->u);
    }
    return hash;
}

static uint64_t hash_primitive(const crank_primitive *p)
{
    const int head[3] = {(int)p->kind, p->first, p->second};
    const uint64_t hash = crank_hash(crank_hash_text("primitive"), head, sizeof head);
    return hash_vector(hash_vector(hash, &p->a), &p->b);
}

static bool same_vector(const crank_vector *x, const crank_vector *y)
{
    bool same = x->count == y->count;
    for (int i = 0; i < x->count && same; i++) {
        const double *u = x->marker[i].u, *w = y->marker[i].u;
        same = x->marker[i].body == y->marker[i].body &&
               x->marker[i].point == y->marker[i].point && u[0] == w[0] && u[1] == w[1] &&
               u[2] == w[2];
    }
    return same;
}

static bool same_primitive(const void *wanted, const void *user, int item)
{
    const crank_primitive *x = wanted;
    const crank_primitive *y = &((const crank_primitive *)user)[item];
    return x->kind == y->kind && x->first == y->first && x->second == y->second &&
           same_vector(&x->a, &y->a) && same_vector(&x->b, &y->b);
}

/* no negative zeros: they would give equal markers different hashes */
static void clean(crank_vector *vector)
{
    for (int i = 0; i < vector->count; i++) {
        for (int j = 0; j < 3; j++) {
            vector->marker[i].u[j] += 0.0;
        }
    }
}

static int make(crank_builder *b, crank_primitive wanted)
{
    crank_build_inside *inside = b->inside;
    clean(&wanted.a);
    clean(&wanted.b);
    const uint64_t hash = hash_primitive(&wanted);
    const int found = crank_index_find_by(&inside->primitive, hash, same_primitive, &wanted,
                                          b->primitive.item);
    if (found >= 0) {
        return found;
    }
    crank_primitive_complete(&wanted, b->kind);
    const int index = b->primitive.count;
    if (!CRANK_BUILD_PUSH(b, inside->symbols, (crank_primitive_symbols){{-1, -1, -1}}) ||
        !CRANK_BUILD_PUSH(b, b->primitive, wanted)) {
        return -1;
    }
    if (!crank_index_add_by(&inside->primitive, NULL, hash, index)) {
        b->failed = true;
        return -1;
    }
    return index;
}

int crank_build_product(crank_builder *b, crank_vector a, crank_vector c)
{
    return make(
        b, (crank_primitive){.kind = CRANK_PRODUCT, .a = a, .b = c, .first = -1, .second = -1});
}

int crank_build_slide(crank_builder *b, crank_vector a, crank_vector c)
{
    return make(
        b, (crank_primitive){.kind = CRANK_SLIDE, .a = a, .b = c, .first = -1, .second = -1});
}

int crank_build_turn(crank_builder *b, crank_vector axis, int first, int second)
{
    return make(
        b, (crank_primitive){.kind = CRANK_TURN, .a = axis, .first = first, .second = second});
}

int crank_build_angle(crank_builder *b, int first, int second)
{
    return make(b, (crank_primitive){.kind = CRANK_ANGLE, .first = first, .second = second});
}

/* ---- symbols ---- */

static crank_ex symbol_of(crank_builder *b, int primitive, int which)
{
    static const crank_symbol_kind kind[3] = {CRANK_SYMBOL_VALUE, CRANK_SYMBOL_RATE,
                                              CRANK_SYMBOL_ACCELERATION};
    if (primitive < 0) {
        return crank_ex_number(b->pool, (double)NAN);
    }
    crank_ex *ex = &b->inside->symbols.item[primitive].ex[which];
    if (*ex < 0) {
        char name[32]; /* no user's name has a # */
        (void)snprintf(name, sizeof name, "#%c%d", "yva"[which], primitive);
        *ex = crank_ex_symbol(b->pool, name);
        crank_build_set_symbol(b, *ex, kind[which], primitive);
    }
    return *ex;
}

crank_ex crank_build_value(crank_builder *b, int primitive)
{
    assert(primitive < 0 || b->primitive.item[primitive].kind == CRANK_PRODUCT ||
           b->primitive.item[primitive].kind == CRANK_ANGLE);
    return symbol_of(b, primitive, 0);
}

crank_ex crank_build_rate(crank_builder *b, int primitive)
{
    return symbol_of(b, primitive, 1);
}

crank_ex crank_build_acceleration(crank_builder *b, int primitive)
{
    return symbol_of(b, primitive, 2);
}

/* value and rate of a primitive at the start; J is not kept */
static crank_local start_of(crank_builder *b, int primitive)
{
    double J[CRANK_PRIMITIVE_BODIES * CRANK_BODY_MAX_V];
    crank_local local = {.J = J};
    crank_primitive_values(&b->primitive.item[primitive], b->start, &local);
    local.J = NULL;
    return local;
}

/* NaN: what it is at the start is not known yet */
static double start_of_symbol(crank_builder *b, crank_symbol s)
{
    switch ((int)s.kind) {
    case CRANK_SYMBOL_TIME:
        return b->mechanism->simulate.t_start;
    case CRANK_SYMBOL_VALUE:
        return start_of(b, s.index).y;
    case CRANK_SYMBOL_RATE:
        return start_of(b, s.index).rate;
    case CRANK_SYMBOL_R:
        return b->dynamic.item[s.index].start;
    case CRANK_SYMBOL_W:
        return b->auxiliary.item[s.index].start;
    case CRANK_SYMBOL_S:
        return b->contact.item[s.index].start;
    case CRANK_SYMBOL_MEMORY:
        return b->memory.item[s.index];
    default:
        return (double)NAN;
    }
}

/* a body whose place the file does not say */
static bool is_open(const crank_builder *b, int body)
{
    const crank_body_record *r = body >= 0 ? &b->mechanism->body[body] : NULL;
    return r != NULL && (r->position_fixing == CRANK_FREE || r->position_assumed ||
                         (!r->point && r->orientation_fixing == CRANK_FREE));
}

static bool reads_open(const crank_builder *b, const crank_primitive *p)
{
    bool open = is_open(b, p->first) || is_open(b, p->second);
    for (int k = 0; k < 2; k++) {
        const crank_vector *v = k == 0 ? &p->a : &p->b;
        for (int i = 0; i < v->count; i++) {
            open = open || is_open(b, v->marker[i].body);
        }
    }
    return open;
}

double crank_build_placed_value(crank_builder *b, const crank_record *record, int primitive)
{
    crank_build_inside *inside = b->inside;
    if (primitive < 0 || !reads_open(b, &b->primitive.item[primitive])) {
        return crank_build_start_value(b, primitive);
    }
    for (int j = 0; j < b->mechanism->joint_count && inside->status == CRANK_OK; j++) {
        if (b->mechanism->joint[j].type != record->type &&
            inside->joint_stage[j] == CRANK_BUILD_NOT) {
            inside->status = crank_build_joint(b, j, &inside->error);
        }
    }
    if (inside->status != CRANK_OK || b->failed || !crank_build_place(b)) {
        return (double)NAN; /* told when this joint ends */
    }
    double J[CRANK_PRIMITIVE_BODIES * CRANK_BODY_MAX_V];
    crank_local local = {.J = J};
    crank_primitive_values(&b->primitive.item[primitive], b->placed, &local);
    return local.y;
}

double crank_build_start(crank_builder *b, crank_ex ex)
{
    int count = 0;
    crank_ex *symbol = crank_build_symbols(b, ex, &count);
    crank_ex *number = malloc(((size_t)count + 1) * sizeof *number);
    double value = (double)NAN;
    if (symbol == NULL || number == NULL) {
        b->failed = true;
    }
    for (int i = 0; i < count && symbol != NULL && number != NULL; i++) {
        number[i] =
            crank_ex_number(b->pool, start_of_symbol(b, crank_build_symbol(b, symbol[i])));
    }
    if (!b->failed) {
        (void)crank_ex_is_number(
            b->pool, crank_ex_substitute(b->pool, ex, count, symbol, number), &value);
    }
    free(symbol);
    free(number);
    return value;
}

double crank_build_start_value(crank_builder *b, int primitive)
{
    return primitive < 0 ? (double)NAN : start_of(b, primitive).y;
}
