/* connect.c - connections (Modelica 3.6, 9.2): sets of connected variables, theory (11.2).
 * Those with `flow` sum to zero, the others are equal; flows that nothing is connected to are
 * zero.
 *
 * A connector of the class that the connect stands in is seen from inside it ("outside
 * connector"): its flow counts with the other sign, and belongs to another set than where the
 * component that it is on is connected. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/disjoint.h"
#include "base/grow.h"
#include "base/hash.h"
#include "modelica/flatten.h"

#include <string.h>

/* a variable in a set */
struct crank_mo_node {
    crank_ex symbol;
    bool outside, flow;
    crank_mo_place place;
};

typedef struct side {
    crank_mo_instance *instance;
    int entry; /* of a leaf; -1: all */
    bool outside;
} side;

static bool is_node(const void *wanted, const void *user, int number)
{
    const crank_mo_flattener *f = user;
    const struct crank_mo_node *w = wanted;
    return f->node[number].symbol == w->symbol && f->node[number].outside == w->outside;
}

static uint64_t hash_of(const struct crank_mo_node *n)
{
    return crank_hash_spread(2 * (uint64_t)n->symbol + (n->outside ? 1 : 0) + 1);
}

/* the number of a node, made if it is new; -1: out of memory */
static int node_of(crank_mo_flattener *f, const struct crank_mo_node *wanted)
{
    const int known = crank_index_find_by(&f->nodes, hash_of(wanted), is_node, wanted, f);
    if (known >= 0) {
        return known;
    }
    struct crank_mo_node *more =
        crank_store_grow(f->store, f->node, f->node_count, &f->node_capacity, sizeof *f->node);
    if (more == NULL ||
        !crank_index_add_by(&f->nodes, f->store, hash_of(wanted), f->node_count)) {
        crank_mo_fail_memory(f);
        return -1;
    }
    f->node = more;
    f->node[f->node_count] = *wanted;
    return f->node_count++;
}

/* pairs of nodes that are connected: kept as nodes 2 i and 2 i + 1 of a list */
static void join(crank_mo_flattener *f, const struct crank_mo_node *a,
                 const struct crank_mo_node *b)
{
    const int i = node_of(f, a), j = node_of(f, b);
    int *more =
        crank_store_grow(f->store, f->pair, f->pair_count, &f->pair_capacity, sizeof *f->pair);
    if (more == NULL || i < 0 || j < 0) {
        crank_mo_fail_memory(f);
        return;
    }
    f->pair = more;
    f->pair[f->pair_count++] = i;
    more =
        crank_store_grow(f->store, f->pair, f->pair_count, &f->pair_capacity, sizeof *f->pair);
    if (more == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    f->pair = more;
    f->pair[f->pair_count++] = j;
}

static void fail_match(crank_mo_flattener *f, const side *a, const side *b,
                       crank_mo_place place)
{
    (void)crank_mo_fail_at(f, place, "connect: \"%.60s\" and \"%.60s\" do not match",
                           a->instance->name, b->instance->name);
}

/* Parameters in connectors make no equations: they are equal. */
static void check_equal(crank_mo_flattener *f, const side *a, const side *b,
                        crank_mo_place place)
{
    const crank_mo_value one = crank_mo_leaf_value(f, a->instance),
                         other = crank_mo_leaf_value(f, b->instance);
    if (!crank_mo_ok(f)) {
        return;
    }
    bool fits = a->instance->variability <= CRANK_MO_PARAMETER &&
                b->instance->variability <= CRANK_MO_PARAMETER && one.type == other.type &&
                crank_mo_same_shape(&one, &other);
    if (fits && one.type == CRANK_MO_IS_STRING) {
        fits = strcmp(one.text, other.text) == 0;
    }
    for (int k = 0; k < one.count && fits && one.ex != NULL; k++) {
        double left = 0.0, right = 0.0;
        fits = crank_mo_number_of(f, one.ex[k], &left) &&
               crank_mo_number_of(f, other.ex[k], &right) && left == right;
    }
    if (!fits && crank_mo_ok(f)) {
        (void)crank_mo_fail_at(f, place,
                               "connect: the parameters \"%.60s\" and \"%.60s\" of the "
                               "connectors are not equal",
                               a->instance->name, b->instance->name);
    }
}

static void join_leaves(crank_mo_flattener *f, const side *a, const side *b,
                        crank_mo_place place)
{
    const crank_mo_instance *i = a->instance, *j = b->instance;
    const int number = a->entry >= 0 ? 1 : i->count, other = b->entry >= 0 ? 1 : j->count;
    if (i->variability <= CRANK_MO_PARAMETER || j->variability <= CRANK_MO_PARAMETER) {
        check_equal(f, a, b, place);
        return;
    }
    if (i->type != j->type || i->flow != j->flow || number != other) {
        fail_match(f, a, b, place);
        return;
    }
    for (int k = 0; k < number && crank_mo_ok(f); k++) {
        const struct crank_mo_node one = {i->symbol[a->entry >= 0 ? a->entry : k], a->outside,
                                          i->flow, place};
        const struct crank_mo_node two = {j->symbol[b->entry >= 0 ? b->entry : k], b->outside,
                                          j->flow, place};
        join(f, &one, &two);
    }
}

static void join_sides(crank_mo_flattener *f, side a, side b, crank_mo_place place)
{
    if (!crank_mo_elaborate(f, a.instance) || !crank_mo_elaborate(f, b.instance) ||
        a.instance->absent || b.instance->absent) {
        return;
    }
    a.instance = a.instance->inner != NULL ? a.instance->inner : a.instance;
    b.instance = b.instance->inner != NULL ? b.instance->inner : b.instance;
    const crank_mo_instance *i = a.instance, *j = b.instance;
    if (i->class == NULL && j->class == NULL) {
        join_leaves(f, &a, &b, place);
        return;
    }
    if (i->class == NULL || j->class == NULL || i->rank != j->rank ||
        (i->rank > 0 && i->count != j->count) || i->child_count != j->child_count) {
        fail_match(f, &a, &b, place);
        return;
    }
    for (int k = 0; k < i->count && i->rank > 0 && crank_mo_ok(f); k++) {
        join_sides(f, (side){i->item[k], -1, a.outside}, (side){j->item[k], -1, b.outside},
                   place);
    }
    for (int k = 0; k < i->child_count && crank_mo_ok(f); k++) {
        const int other = crank_index_find(&j->by_name, i->child[k]->label);
        if (other < 0) {
            fail_match(f, &a, &b, place);
            return;
        }
        if (i->child[k]->element->variability > CRANK_MO_CONSTANT) {
            join_sides(f, (side){i->child[k], -1, a.outside},
                       (side){j->child[other], -1, b.outside}, place);
        }
    }
}

static bool is_connector(const crank_mo_instance *i)
{
    return i->connector || (i->class != NULL ? i->class->restriction == CRANK_MO_CONNECTOR
                                             : i->causality != CRANK_MO_LOCAL);
}

/* *outside: they are seen from inside their component */
static bool find_side(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_reference *r, crank_mo_selection *out, bool *outside)
{
    if (!crank_mo_select(f, scope, r, out)) {
        return false;
    }
    const crank_mo_instance *first = crank_mo_child(f, scope->instance, r->name[0]);
    *outside = first != NULL && is_connector(first);
    if (!out->absent && out->count > 0 && !is_connector(out->item[0].instance)) {
        (void)crank_mo_fail_at(f, r->place, "connect: \"%.80s\" is no connector",
                               out->item[0].instance->name);
    }
    return crank_mo_ok(f);
}

void crank_mo_connect(crank_mo_flattener *f, const crank_mo_scope *scope,
                      const crank_mo_equation *q)
{
    crank_mo_selection a, b;
    bool a_outside, b_outside;
    if (!find_side(f, scope, q->left->reference, &a, &a_outside) ||
        !find_side(f, scope, q->right->reference, &b, &b_outside) || a.absent || b.absent) {
        return;
    }
    bool fits = a.rank == b.rank && a.count == b.count;
    for (int d = 0; d < a.rank && fits; d++) {
        fits = a.size[d] == b.size[d];
    }
    if (!fits) {
        (void)crank_mo_fail_at(f, q->place, "connect: %d connectors and %d, or in other rows",
                               a.count, b.count);
    }
    for (int k = 0; k < a.count && crank_mo_ok(f); k++) {
        join_sides(f, (side){a.item[k].instance, a.item[k].entry, a_outside},
                   (side){b.item[k].instance, b.item[k].entry, b_outside}, q->place);
    }
}

/* ---- equations ---- */

static void write(crank_mo_flattener *f, crank_ex left, crank_ex right, crank_mo_place place)
{
    crank_flat_equation *q = crank_flat_add_equation(f->flat, false);
    if (q == NULL) {
        crank_mo_fail_memory(f);
        return;
    }
    *q = (crank_flat_equation){
        .left = left, .right = right, .place = {place.line, place.column}, .origin = "connect"};
}

bool crank_mo_is_connected(const crank_mo_flattener *f, const crank_mo_instance *leaf)
{
    for (int k = 0; k < 2 * leaf->count; k++) {
        const struct crank_mo_node node = {.symbol = leaf->symbol[k / 2], .outside = k % 2 > 0};
        if (crank_index_find_by(&f->nodes, hash_of(&node), is_node, &node, f) >= 0) {
            return true;
        }
    }
    return false;
}

/* flows of connectors that are in no set as seen from around their component */
static void close_flows(crank_mo_flattener *f, crank_mo_instance *i)
{
    if (i->absent || i->inner != NULL || !crank_mo_ok(f)) {
        return;
    }
    for (int k = 0; k < i->count && i->class == NULL && i->flow && i->symbol != NULL; k++) {
        const struct crank_mo_node inside = {.symbol = i->symbol[k]};
        if (i->variability > CRANK_MO_PARAMETER &&
            crank_index_find_by(&f->nodes, hash_of(&inside), is_node, &inside, f) < 0) {
            write(f, i->symbol[k], crank_ex_number(f->pool, 0.0), i->place);
        }
    }
    for (int k = 0; k < i->count && i->class != NULL && i->rank > 0; k++) {
        close_flows(f, i->item[k]);
    }
    for (int k = 0; k < i->child_count; k++) {
        close_flows(f, i->child[k]);
    }
}

void crank_mo_write_connections(crank_mo_flattener *f)
{
    const int count = f->node_count;
    int *parent = crank_mo_new(f, (size_t)count, sizeof *parent);
    int *first = crank_mo_new(f, (size_t)count, sizeof *first);
    crank_ex *sum = crank_mo_new(f, (size_t)count, sizeof *sum);
    if (!crank_mo_ok(f)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        parent[i] = i;
        first[i] = -1;
        sum[i] = crank_ex_number(f->pool, 0.0);
    }
    for (int i = 0; i + 1 < f->pair_count; i += 2) {
        (void)crank_disjoint_join(parent, f->pair[i], f->pair[i + 1]);
    }
    for (int i = 0; i < count && crank_mo_ok(f); i++) {
        const struct crank_mo_node *n = &f->node[i];
        const int root = crank_disjoint_root(parent, i);
        if (n->flow) {
            sum[root] = n->outside ? crank_ex_sub(f->pool, sum[root], n->symbol)
                                   : crank_ex_add(f->pool, sum[root], n->symbol);
        } else if (first[root] >= 0 && f->node[first[root]].symbol != n->symbol) {
            write(f, n->symbol, f->node[first[root]].symbol, n->place);
        }
        first[root] = first[root] < 0 ? i : first[root];
    }
    for (int i = 0; i < count && crank_mo_ok(f); i++) {
        if (parent[i] == i && f->node[i].flow) {
            write(f, sum[i], crank_ex_number(f->pool, 0.0), f->node[i].place);
        }
    }
    close_flows(f, f->root);
}
