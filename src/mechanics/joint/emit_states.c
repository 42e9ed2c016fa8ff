/* emit_states.c - what forces and constraints look at: states of bodies as recursion.c has
 * them, and for derivatives by accelerations and multipliers directions of links about O. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/emit.h"

static void set_vector(emitter *e, int slot, const N u[3])
{
    for (int k = 0; k < 3; k++) {
        crank_trace_set(e->t, EMIT_STATES, slot + k, u[k]);
    }
}

/* the centre of mass in the world */
void emit_center(emitter *e, const emit_body *b, N x[3])
{
    const double minus[3] = {-b->outer[0], -b->outer[1], -b->outer[2]};
    N c[3];
    emit_known(e->t, 3, minus, c);
    emit_times(e->t, x, b->W, c);
    emit_add(e->t, x, b->P);
}

/* x, R, v, omega, a, alpha, angle (kinematics.h); c: the centre of mass from P */
static void emit_state(emitter *e, int i, int slot)
{
    T *t = e->t;
    const emit_body *b = &e->body[i];
    N B[9], c[3], g[3], u[3], world[3], R[9];
    const double minus[3] = {-b->outer[0], -b->outer[1], -b->outer[2]};
    emit_known(t, 9, b->B, B);
    emit_known(t, 3, minus, c);
    emit_known(t, 3, e->tree->s->gravity, g);
    emit_center(e, b, world);
    set_vector(e, slot, world);
    emit_multiply(t, R, b->W, B);
    for (int k = 0; k < 3; k++) {
        set_vector(e, slot + 3 + 3 * k, R + 3 * k);
    }
    emit_cross(t, u, b->omega, c);
    emit_add(t, u, b->v);
    emit_times(t, world, b->W, u);
    set_vector(e, slot + 12, world);
    emit_transposed_times(t, u, B, b->omega);
    set_vector(e, slot + 15, u);
    emit_times(t, u, b->Omega, c);
    emit_add(t, u, b->a);
    emit_times(t, world, b->W, u);
    emit_add(t, world, g);
    set_vector(e, slot + 18, world);
    emit_transposed_times(t, u, B, b->alpha);
    set_vector(e, slot + 21, u);
    crank_trace_set(t, EMIT_STATES, slot + 24, b->angle);
}

void emit_states(emitter *e)
{
    for (int i = 0; i < e->tree->shape->body_count; i++) {
        if (e->seen[i] >= 0) {
            emit_state(e, i, e->slot.state + EMIT_STATE * e->seen[i]);
        }
    }
}

/* directions of a link about O, in the world */
static void set_direction(emitter *e, int slot, const N turn[3], const N slide[3])
{
    for (int k = 0; k < 3; k++) {
        crank_trace_set(e->t, EMIT_LINKS, slot + k, turn[k]);
        crank_trace_set(e->t, EMIT_LINKS, slot + 3 + k, slide[k]);
    }
}

/* W: frame before the link, then behind it; P from O */
static void emit_link(emitter *e, const emit_step *s, int slot, N W[9], const N P[3])
{
    T *t = e->t;
    N n[3], axis[3], across[3], zero[3];
    const double none[3] = {0.0};
    emit_known(t, 3, none, zero);
    for (int k = 0; k < 3; k++) {
        crank_trace_set(t, EMIT_LINKS, slot + k, P[k]);
    }
    if (s->link->kind == CRANK_LINK_BALL) {
        for (int k = 0; k < 3; k++) { /* W is behind it already */
            const N column[3] = {W[k], W[3 + k], W[6 + k]};
            emit_cross(t, across, P, column);
            set_direction(e, slot + 3 + 6 * k, column, across);
        }
        return;
    }
    emit_known(t, 3, s->axis, axis);
    emit_times(t, n, W, axis);
    if (s->link->kind == CRANK_LINK_SLIDE) {
        set_direction(e, slot + 3, zero, n);
        return;
    }
    emit_cross(t, across, P, n);
    emit_add_scaled(t, across, crank_trace_number(t, s->link->lead), n);
    set_direction(e, slot + 3, n, across);
    for (int i = 0; i < 3; i++) {
        emit_to_behind(t, s, W + 3 * i);
    }
}

/* O is at the centre of mass of the first body of a tree (recursion.c) */
void emit_links(emitter *e)
{
    const crank_tree_shape *shape = e->tree->shape;
    T *t = e->t;
    for (int i = 0; i < shape->body_count; i++) {
        const crank_tree_body *body = &shape->body[i];
        const emit_body *b = &e->body[i];
        int root = i;
        N O[3], P[3], W[9], x[3];
        while (shape->body[root].parent >= 0) {
            root = shape->body[root].parent;
        }
        emit_center(e, &e->body[root], O);
        emit_center(e, b, x);
        for (int k = 0; k < 3; k++) {
            P[k] = crank_trace_sub(t, b->P[k], O[k]);
            if (e->seen[i] >= 0) {
                crank_trace_set(t, EMIT_LINKS, e->slot.center + 3 * e->seen[i] + k,
                                crank_trace_sub(t, x[k], O[k]));
            }
        }
        const bool ball =
            body->count > 0 && b->step[body->count - 1].link->kind == CRANK_LINK_BALL;
        memcpy(W, ball ? b->W : emit_before(e, b)->W, sizeof W);
        for (int l = 0; l < body->count; l++) {
            if (ball && l + 1 < body->count) { /* slides before it */
                N before[9];
                memcpy(before, emit_before(e, b)->W, sizeof before);
                emit_link(e, &b->step[l], e->slot.link + EMIT_LINK * (body->first + l), before,
                          P);
                continue;
            }
            emit_link(e, &b->step[l], e->slot.link + EMIT_LINK * (body->first + l), W, P);
        }
    }
}
