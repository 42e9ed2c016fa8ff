/* choose.c - the spanning tree: which joints carry coordinates and which stay constraints.
 *
 * From the ground on the next body is always hung by a joint with the most rows among those
 * that lead on, the earliest found first: a tree of the largest sum of rows (Prim), so that the
 * fewest loop equations are left, and shallow. Joints that the file wants to keep come before
 * all others, those that it cuts stay constraints. A body that no joint leads to is free.
 * Joints whose constraint forces are read (friction under load, reactions in expressions) stay
 * constraints:
 * their multipliers are unknowns there. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/joint/tree.h"
#include "model/events.h"
#include "model/view/view.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 6, KEPT = MOST_ROWS + 1, WEIGHTS };

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "the tree of the mechanism");
}

/* ---- constraint forces that are read ---- */

typedef struct reading {
    crank_builder *b;
    bool *read; /* holonomic: its multiplier is */
} reading;

static void read_expression(reading *r, crank_ex ex)
{
    int count = 0;
    if (ex < 0) {
        return;
    }
    crank_ex *symbol = crank_build_symbols(r->b, ex, &count);
    for (int i = 0; i < count; i++) {
        const crank_symbol s = crank_build_symbol(r->b, symbol[i]);
        if (s.kind == CRANK_SYMBOL_LAMBDA) {
            r->read[s.index] = true;
        }
    }
    free(symbol);
}

static void read_results(reading *r)
{
    const crank_builder *b = r->b;
    const crank_mechanism *m = b->mechanism;
    for (int i = 0; i < b->name.count; i++) {
        if (b->name.item[i].in_results) {
            read_expression(r, b->name.item[i].ex);
        }
    }
    for (int i = 0; i < m->output_count; i++) {
        read_expression(r, m->output[i].ex);
    }
    for (int i = 0; m->view != NULL && i < m->view->column_count; i++) {
        read_expression(r, m->view->column[i].ex);
    }
    for (int i = 0; i < m->event_count; i++) {
        const crank_event_record *e = &m->event[i];
        read_expression(r, e->when);
        for (int k = 0; k < e->action_count; k++) {
            read_expression(r, e->action[k].target);
            read_expression(r, e->action[k].value);
        }
    }
}

static void read_all(reading *r)
{
    const crank_builder *b = r->b;
    for (int i = 0; i < b->effort.count; i++) {
        read_expression(r, b->effort.item[i].ex);
    }
    for (int i = 0; i < b->dynamic.count; i++) {
        read_expression(r, b->dynamic.item[i].equation);
    }
    for (int i = 0; i < b->auxiliary.count; i++) {
        read_expression(r, b->auxiliary.item[i].equation);
    }
    for (int i = 0; i < b->work.count; i++) {
        read_expression(r, b->work.item[i].ex);
    }
    for (int i = 0; i < b->watch.count; i++) {
        read_expression(r, b->watch.item[i].argument);
    }
    read_results(r);
}

static bool is_marked(const crank_builder *b, int joint, const char *word)
{
    const crank_field *field = crank_tree_knows(b, joint)
                                   ? crank_record_find(&b->mechanism->joint[joint], "tree")
                                   : NULL;
    return field != NULL && strcmp(field->word, word) == 0;
}

/* rows of each joint that can be part of the tree, -1: it cannot; KEPT: it is to be */
static bool weigh(crank_builder *b, int *rows)
{
    reading r = {.b = b,
                 .read = crank_store_take(b->store, (size_t)b->holonomic.count, sizeof(bool))};
    if (r.read == NULL) {
        return false;
    }
    read_all(&r);
    for (int j = 0; j < b->mechanism->joint_count; j++) {
        rows[j] = is_marked(b, j, "cut") ? -1 : crank_tree_rows(b, j);
        for (int i = b->inside->last_row[j]; i >= 0; i = b->inside->row_before.item[i]) {
            const bool own = crank_tree_replaces(b, &b->holonomic.item[i]);
            rows[j] = own && r.read[i] ? -1 : rows[j];
        }
        rows[j] = rows[j] >= 0 && is_marked(b, j, "keep") ? KEPT : rows[j];
    }
    return !b->failed;
}

/* ---- the walk ---- */

typedef struct walk {
    crank_builder *b;
    crank_tree_shape *shape;
    const int *rows;
    int *first, *next; /* joints of each body, the ground last: 2 joint + side, -1: none */
    int *queue, begin[WEIGHTS], end[WEIGHTS]; /* by rows: joints */
    bool *hung;
    int order;
} walk;

static int side_body(const walk *w, int joint, int side)
{
    const int body = w->b->place[joint].at[side].body;
    return body >= 0 ? body : w->shape->body_count;
}

static void list_joints(walk *w)
{
    const int joints = w->b->mechanism->joint_count;
    for (int i = 0; i <= w->shape->body_count; i++) {
        w->first[i] = -1;
    }
    for (int j = joints - 1; j >= 0; j--) {
        const int sides = w->rows[j] < 0 ? 0 : crank_tree_one_way(w->b, j) ? 1 : 2;
        for (int side = 0; side < sides; side++) {
            int *first = &w->first[side_body(w, j, side)];
            w->next[2 * j + side] = *first;
            *first = 2 * j + side;
        }
    }
}

/* joints of a body that is in the tree now */
static void reach(walk *w, int body)
{
    const size_t joints = (size_t)w->b->mechanism->joint_count;
    for (int at = w->first[body]; at >= 0; at = w->next[at]) {
        const int rows = w->rows[at / 2];
        w->queue[2 * joints * (size_t)rows + (size_t)w->end[rows]++] = at;
    }
}

/* 2 joint + side of the body that is known, -1: none leads on */
static int next_joint(walk *w)
{
    const size_t joints = (size_t)w->b->mechanism->joint_count;
    for (int rows = KEPT; rows >= 0; rows--) {
        while (w->begin[rows] < w->end[rows]) {
            const int at = w->queue[2 * joints * (size_t)rows + (size_t)w->begin[rows]++];
            if (!w->hung[side_body(w, at / 2, 1 - at % 2)]) {
                return at;
            }
        }
    }
    return -1;
}

static void hang(walk *w, int i, int at)
{
    crank_tree_shape *shape = w->shape;
    crank_tree_body *body = &shape->body[i];
    crank_link link[CRANK_LINK_MAX];
    *body = (crank_tree_body){
        .outer_q = {1.0}, .first = shape->link_count, .parent = -1, .led = -1};
    if (at >= 0) {
        body->parent = w->b->place[at / 2].at[at % 2].body;
        shape->hung[at / 2] = i;
        crank_tree_hang(w->b, at / 2, body, link);
    } else {
        crank_tree_free_body(w->b, i, body, link);
    }
    int before = body->parent >= 0 ? shape->body[body->parent].last : -1;
    for (int k = 0; k < body->count; k++) {
        crank_link *added = &shape->link[shape->link_count];
        *added = link[k];
        added->body = i;
        added->before = before;
        added->p = shape->np;
        added->v = shape->nv;
        added->apart = link[k].kind == CRANK_LINK_BALL && body->parent >= 0;
        added->n = link[k].kind == CRANK_LINK_BALL ? shape->nn++ : -1;
        shape->np += added->np;
        shape->nv += added->nv;
        before = shape->link_count++;
    }
    body->last = before;
    shape->order[w->order++] = i;
    w->hung[i] = true;
    if (w->b->kind[i] == CRANK_BODY_SPATIAL || w->b->kind[i] == CRANK_BODY_PLANAR) {
        reach(w, i); /* points carry nothing */
    }
}

static void go(walk *w)
{
    const int bodies = w->shape->body_count;
    w->hung[bodies] = true;
    list_joints(w);
    reach(w, bodies);
    for (int first = 0; w->order < bodies;) {
        const int at = next_joint(w);
        if (at >= 0) {
            hang(w, side_body(w, at / 2, 1 - at % 2), at);
            continue;
        }
        while (w->hung[first]) {
            first++;
        }
        hang(w, first, -1);
    }
}

static crank_status refuse(const crank_builder *b, int joint, bool loop, crank_error *err)
{
    return crank_fail_place(
        err, CRANK_EREFUSED, crank_system_place_of(b->mechanism->joint[joint].key),
        "joint \"%.80s\", tree: keep: %s", b->mechanism->joint[joint].name,
        loop ? "joints to be kept close a loop with it; cut one of them"
             : "it cannot be part of a tree, or its constraint forces are read");
}

crank_status crank_tree_choose(crank_builder *b, crank_error *err)
{
    const size_t bodies = (size_t)b->mechanism->body_count,
                 joints = (size_t)b->mechanism->joint_count, rows = (size_t)b->holonomic.count;
    crank_store *store = b->store;
    crank_tree_shape *shape = crank_store_take(store, 1, sizeof *shape);
    int *weight = crank_store_take(store, joints, sizeof *weight);
    walk w = {.b = b,
              .shape = shape,
              .rows = weight,
              .first = crank_store_take(store, bodies + 1, sizeof *w.first),
              .next = crank_store_take(store, 2 * joints, sizeof *w.next),
              .queue = crank_store_take(store, 2 * joints * WEIGHTS, sizeof *w.queue),
              .hung = crank_store_take(store, bodies + 1, sizeof *w.hung)};
    if (store->failed) {
        return no_memory(err);
    }
    shape->body_count = (int)bodies;
    shape->body = crank_store_take(store, bodies, sizeof *shape->body);
    shape->link = crank_store_take(store, bodies * CRANK_LINK_MAX, sizeof *shape->link);
    shape->order = crank_store_take(store, bodies, sizeof *shape->order);
    shape->hung = crank_store_take(store, joints, sizeof *shape->hung);
    shape->lambda = crank_store_take(store, rows, sizeof *shape->lambda);
    if (store->failed || !weigh(b, weight)) {
        return no_memory(err);
    }
    for (size_t j = 0; j < joints; j++) {
        shape->hung[j] = -1;
    }
    go(&w);
    for (int j = 0; j < b->mechanism->joint_count; j++) {
        if (is_marked(b, j, "keep") && shape->hung[j] < 0) {
            return refuse(b, j, weight[j] > 0, err);
        }
    }
    crank_tree_match_signs(shape, b->placed);
    b->tree = shape;
    return CRANK_OK;
}

/* ---- the constraints that are left ---- */

void crank_tree_drop(crank_builder *b)
{
    crank_tree_shape *shape = b->tree;
    int kept = 0;
    shape->lambda_count = b->holonomic.count;
    for (int i = 0; i < b->holonomic.count; i++) {
        const crank_constraint *row = &b->holonomic.item[i];
        const bool gone = crank_tree_replaces(b, row) && shape->hung[row->owner.index] >= 0;
        shape->lambda[i] = gone ? -1 : kept;
        if (!gone) {
            crank_build_set_symbol(b, row->multiplier, CRANK_SYMBOL_LAMBDA, kept);
            b->holonomic.item[kept++] = *row;
        }
    }
    b->holonomic.count = kept;
    crank_tree_take_rotors(b);
}
