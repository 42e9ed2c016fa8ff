/* linearise.c - the derivatives of the balances d as a recursion along the tree
 * (linalg/recursion.h): blocks of forces by motions as they were collected, before they are
 * summed into composites (derivatives.c), so that a linear solver can eliminate links from the
 * tips to the root. theory (3.28), (7.70)
 *
 * Bodies without links of their own are part of the body that they are fixed to. Forces between
 * neighbours are part of the recursion, others (loops have them: multipliers times second
 * derivatives) are its pairs. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/spatial.h"
#include "mechanics/joint/tree.h"

#include <string.h>

typedef enum pair_part {
    PART_NONE,
    PART_OWN,
    PART_BY_BEFORE,
    PART_ON_BEFORE,
    PART_PAIR
} pair_part;

typedef struct pair_place {
    pair_part part;
    int value; /* of the recursion: link, or that of the pair */
} pair_place;

struct crank_tree_recursion {
    crank_recursion shape;
    int *number;      /* by link of the tree: that of the recursion */
    int *order;       /* the other way round */
    pair_place *pair; /* by pair */
    crank_recursion_values *values;
};

/* ---- values ---- */

static void add_block(double to[6][18], const crank_tree_block from)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < CRANK_GRADIENT; j++) {
            to[i][j] += from[i][j];
        }
    }
}

/* gradients by a motion behind a ball as those by one before it */
static void keep_ball(const crank_tree *tree, int l, crank_recursion_values *v)
{
    memcpy(v->P, tree->link[l].P, sizeof v->P);
    memcpy(v->load, tree->body[tree->shape->link[l].body].F + 3, sizeof v->load);
    for (int j = 0; j < 9; j++) {
        double G[3][6] = {{0.0}};
        G[j / 3][3 + j % 3] = 1.0;
        crank_tree_pass_gradient(tree, l, G);
        memcpy(v->pass[j], G, sizeof G);
    }
}

static void keep_link(const crank_tree *tree, int l, crank_recursion_values *v)
{
    const crank_link *link = &tree->shape->link[l];
    const crank_link_value *at = &tree->link[l];
    memcpy(v->S, at->S, sizeof v->S);
    memcpy(v->D, at->D, sizeof v->D);
    memcpy(v->E, at->E, sizeof v->E);
    memcpy(v->G, at->G, sizeof v->G);
    memset(v->turned, 0, sizeof v->turned);
    for (int k = 0; k < link->nv; k++) {
        double unit[3] = {0.0, 0.0, 0.0}, by[4];
        crank_add_cross_force(v->turned[k], at->S[k], tree->body[link->body].F);
        unit[k] = 1.0;
        if (link->kind == CRANK_LINK_BALL) {
            crank_tree_by_quaternion(at->q, unit, by);
            for (int c = 0; c < 4; c++) {
                v->turn[c][k] = by[c];
            }
        }
    }
    if (link->apart) {
        keep_ball(tree, l, v);
    }
    memset(v->K, 0, sizeof v->K);
    memset(v->B, 0, sizeof v->B);
    memset(v->C, 0, sizeof v->C);
}

void crank_tree_keep_blocks(const crank_tree *tree)
{
    const struct crank_tree_recursion *r = tree->recursion;
    for (int i = 0; i < r->shape.count; i++) {
        keep_link(tree, r->order[i], &r->values[i]);
    }
    for (int i = 0; i < r->shape.pair_count; i++) {
        memset(r->values[r->shape.count + i].K, 0, sizeof r->values->K);
    }
    for (int i = 0; i < tree->shape->body_count; i++) {
        const int last = tree->shape->body[i].last;
        if (last >= 0) {
            add_block(r->values[r->number[last]].K, (const double(*)[18])tree->own[i]);
        }
    }
}

void crank_tree_keep_pair(const crank_tree *tree, int pair, const crank_tree_block block)
{
    const struct crank_tree_recursion *r = tree->recursion;
    const pair_place *at = &r->pair[pair];
    crank_recursion_values *v = &r->values[at->value];
    if (at->part != PART_NONE) {
        add_block(at->part == PART_BY_BEFORE   ? v->B
                  : at->part == PART_ON_BEFORE ? v->C
                                               : v->K,
                  block);
    }
}

const crank_recursion_values *crank_tree_recursion_values(void *self)
{
    const crank_system *s = self;
    return crank_tree_of(&s->coordinates)->recursion->values;
}

/* ---- creation ---- */

/* the last link of the body before that of a link; -1: none */
static int link_before_body(const crank_tree_shape *shape, int l)
{
    return shape->link[shape->body[shape->link[l].body].first].before;
}

/* item: the pairs of bodies that are no neighbours, with room for one more */
static void place_pair(const crank_tree *tree, const crank_tree_pair *pair,
                       crank_recursion_pair *item, pair_place *out)
{
    crank_recursion *to = &tree->recursion->shape;
    const crank_tree_shape *shape = tree->shape;
    const int on = shape->body[pair->body].last, by = shape->body[pair->by].last;
    const int *number = tree->recursion->number;
    *out = (pair_place){PART_NONE, 0};
    if (on < 0 || by < 0) { /* nothing moves there */
        return;
    }
    if (on == by) {
        *out = (pair_place){PART_OWN, number[on]};
    } else if (link_before_body(shape, on) == by) {
        *out = (pair_place){PART_BY_BEFORE, number[on]};
    } else if (link_before_body(shape, by) == on) {
        *out = (pair_place){PART_ON_BEFORE, number[by]};
    } else {
        *out = (pair_place){PART_PAIR, to->count + to->pair_count};
        item[to->pair_count++] = (crank_recursion_pair){.on = number[on], .by = number[by]};
    }
}

static void place_links(const crank_tree *tree, crank_recursion_link *out)
{
    const crank_tree_shape *shape = tree->shape;
    struct crank_tree_recursion *r = tree->recursion;
    int next = 0;
    for (int k = 0; k < shape->body_count; k++) {
        const crank_tree_body *body = &shape->body[shape->order[k]];
        for (int l = body->first; l < body->first + body->count; l++, next++) {
            const crank_link *link = &shape->link[l];
            const int parent = link_before_body(shape, l);
            r->number[l] = next;
            r->order[next] = l;
            out[next] = (crank_recursion_link){
                .before = link->before >= 0 ? r->number[link->before] : -1,
                .parent = parent >= 0 ? r->number[parent] : -1,
                .nv = link->nv,
                .np = link->np,
                .first = l == body->first,
                .apart = link->apart,
                .row = tree->row_d + link->v,
                .p = tree->column_p + link->p,
                .v = tree->column_v + link->v,
                .a = tree->column_a + link->v,
                .rotor = link->rotor};
        }
    }
    r->shape.count = next;
}

/* all links of a body that is pushed */
static void mark_pushed(const crank_tree *tree, crank_recursion_link *link)
{
    const crank_tree_shape *shape = tree->shape;
    const struct crank_tree_recursion *r = tree->recursion;
    for (int i = 0; i < tree->pairs->count; i++) {
        const pair_place *at = &r->pair[i];
        if (at->part == PART_BY_BEFORE || at->part == PART_ON_BEFORE) {
            const crank_tree_body *body = &shape->body[shape->link[r->order[at->value]].body];
            for (int l = body->first; l < body->first + body->count; l++) {
                link[r->number[l]].pushed = true;
            }
        }
    }
}

static bool is_planar(const crank_system *s)
{
    for (int i = 0; i < s->body_count; i++) {
        if (s->body[i].kind != CRANK_BODY_PLANAR &&
            s->body[i].kind != CRANK_BODY_PLANAR_POINT) {
            return false;
        }
    }
    return true;
}

crank_status crank_tree_recursion_create(crank_tree *tree, crank_error *err)
{
    crank_store *store = &tree->s->store;
    const size_t links = (size_t)tree->shape->link_count;
    const size_t pairs = (size_t)tree->pairs->count;
    struct crank_tree_recursion *r = crank_store_take(store, 1, sizeof *r);
    crank_recursion_link *link = crank_store_take(store, links, sizeof *link);
    crank_recursion_pair *pair = crank_store_take(store, pairs, sizeof *pair);
    tree->recursion = r;
    if (r != NULL && link != NULL) {
        r->number = crank_store_take(store, links, sizeof *r->number);
        r->order = crank_store_take(store, links, sizeof *r->order);
        r->pair = crank_store_take(store, pairs, sizeof *r->pair);
    }
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "recursions of the mechanism");
    }
    place_links(tree, link);
    for (int i = 0; i < tree->pairs->count; i++) {
        place_pair(tree, &tree->pairs->item[i], pair, &r->pair[i]);
    }
    mark_pushed(tree, link);
    r->values = crank_store_take(store, crank_recursion_size(&r->shape), sizeof *r->values);
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "recursions of the mechanism");
    }
    r->shape.link = link;
    r->shape.pair = pair;
    r->shape.motion = is_planar(tree->s) ? 3 : 6;
    tree->s->eom->recursion = links > 0 ? &r->shape : NULL;
    return CRANK_OK;
}

bool crank_tree_recursion_share(crank_tree *tree)
{
    struct crank_tree_recursion *r = crank_store_take(&tree->s->store, 1, sizeof *r);
    if (r == NULL) {
        return false;
    }
    *r = *tree->recursion;
    r->values =
        crank_store_take(&tree->s->store, crank_recursion_size(&r->shape), sizeof *r->values);
    tree->recursion = r;
    return r->values != NULL;
}
