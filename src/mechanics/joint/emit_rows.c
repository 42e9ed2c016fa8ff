/* emit_rows.c - inwards: the balance of forces d in joint coordinates, theory (7.80). With
 * mass m, first moments h and the pseudo-inertia Sigma = tr(J)/2 - J about P,
 *
 *     force = m a + Omega h,   moment = h x a + vee(Omega Sigma - Sigma Omega^T)
 * and loads from outside: a force in the world and a moment in axes of the body at its centre
 * of mass. Each link takes its part, the rest goes on to the body before; moments do not pass
 * balls. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/emit.h"

#include "linalg/rotation.h"

static void set_inertia(T *t, emit_body *b)
{
    N h[3], Sigma[9], product[9], part[3];
    const N m = crank_trace_number(t, b->m);
    const double half = 0.5 * (b->J[0] + b->J[4] + b->J[8]);
    emit_known(t, 3, b->h, h);
    for (int i = 0; i < 9; i++) {
        Sigma[i] = crank_trace_number(t, (i % 4 == 0 ? half : 0.0) - b->J[i]);
    }
    emit_times(t, b->force, b->Omega, h);
    emit_add_scaled(t, b->force, m, b->a);
    emit_cross(t, b->moment, h, b->a);
    emit_multiply(t, product, b->Omega, Sigma);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        part[i] = crank_trace_sub(t, product[3 * k + j], product[3 * j + k]);
    }
    emit_add(t, b->moment, part);
}

/* what forces and constraints exert */
static void add_load(emitter *e, int i, emit_body *b)
{
    T *t = e->t;
    const int slot = e->slot.load + EMIT_LOAD * e->seen[i];
    const double minus[3] = {-b->outer[0], -b->outer[1], -b->outer[2]};
    N world[3], moment[3], force[3], c[3], part[3], B[9];
    const crank_body_kind kind = e->tree->s->body[i].kind;
    const int translations = crank_body_translations(kind);
    for (int k = 0; k < 3; k++) {
        const bool turns = kind == CRANK_BODY_SPATIAL || (kind == CRANK_BODY_PLANAR && k == 2);
        const int at = kind == CRANK_BODY_PLANAR ? slot + 2 : slot + 3 + k;
        world[k] = k < translations ? crank_trace_given(t, slot + k) : crank_trace_number(t, 0);
        moment[k] = turns ? crank_trace_given(t, at) : crank_trace_number(t, 0.0);
    }
    emit_known(t, 9, b->B, B);
    emit_known(t, 3, minus, c);
    emit_transposed_times(t, force, b->W, world);
    emit_add(t, b->force, force);
    emit_cross(t, part, c, force);
    emit_add(t, b->moment, part);
    emit_times(t, part, B, moment);
    emit_add(t, b->moment, part);
}

/* a row d */
static void set_row(emitter *e, int v, N value)
{
    crank_trace_set(e->t, EMIT_ROWS, e->slot.d + v, value);
}

/* of a link with one coordinate, with its rotor, theory (7.76) */
static void set_single(emitter *e, const crank_link *link, N value)
{
    const N a = crank_trace_unknown(e->t, e->tree->column_a + link->v);
    const N rotor = crank_trace_number(e->t, link->rotor);
    set_row(e, link->v, link->rotor > 0.0 ? emit_plus(e->t, value, rotor, a) : value);
}

/* the part of a link; then force and moment are in the frame before it */
static void take(emitter *e, const emit_step *s, N force[3], N moment[3])
{
    T *t = e->t;
    N n[3];
    if (s->link->kind == CRANK_LINK_BALL) {
        for (int k = 0; k < 3; k++) {
            set_row(e, s->link->v + k, moment[k]);
            moment[k] = crank_trace_number(t, 0.0);
        }
        emit_to_before(t, s, force);
        return;
    }
    if (s->link->kind == CRANK_LINK_SLIDE) {
        emit_known(t, 3, s->axis, n);
        set_single(e, s->link, emit_dot(t, n, force));
        return;
    }
    const N sign = crank_trace_number(t, s->sign);
    const N along = crank_trace_mul(t, crank_trace_number(t, s->link->lead), force[s->k]);
    set_single(e, s->link, crank_trace_mul(t, sign, crank_trace_add(t, moment[s->k], along)));
    emit_to_before(t, s, force);
    emit_to_before(t, s, moment);
}

void emit_rows(emitter *e)
{
    const crank_tree_shape *shape = e->tree->shape;
    for (int i = 0; i < shape->body_count; i++) {
        set_inertia(e->t, &e->body[i]);
        if (e->seen[i] >= 0) {
            add_load(e, i, &e->body[i]);
        }
    }
    for (int k = shape->body_count - 1; k >= 0; k--) {
        emit_body *b = &e->body[shape->order[k]];
        for (int l = b->steps - 1; l >= 0; l--) {
            take(e, &b->step[l], b->force, b->moment);
        }
        if (b->parent >= 0) {
            emit_body *on = &e->body[b->parent];
            N part[3];
            emit_add(e->t, on->force, b->force);
            emit_add(e->t, on->moment, b->moment);
            emit_cross(e->t, part, b->r, b->force);
            emit_add(e->t, on->moment, part);
        }
    }
}
