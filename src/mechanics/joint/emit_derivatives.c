/* emit_derivatives.c - derivatives of the balance of forces of a tree, written out up to the
 * sums I E, B D, ..., which no known number makes shorter, and the products of pairs of links:
 * these are loops (products.c). About O, in world axes, with A less
 * gravity, and of all that hangs behind a link I, F, momentum p, and B m = sum of V x* I m +
 * m x* I V - I (V x m), which is zero for motions m without rotation, theory (7.82),
 *
 *     D = V_1 x S,   G = (V_1 + V_2) x S,   E = V_1 x D + A_1 x S
 *     j behind i   d_i by q_j  S_i.(S_j x* F_j + I_j E_j + B_j D_j)
 *                      by v_j  S_i.(I_j G_j + B_j S_j)
 *     else         d_i by q_j  S_i.(I_i E_j + B_i D_j),   by v_j  S_i.(I_i G_j + B_i S_j)
 *     by v'_j  S_i.I S_j with I of the outer one of both */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/emit.h"

#include <stdlib.h>

typedef struct direction {
    N S[6], D[6], G[6], E[6];
} direction;

/* of a body and all behind it, about O */
typedef struct composite {
    N m, h[3], J[9], p[3], U[9], F[6]; /* U: moments of B by rotations; forces are 2 e x p */
} composite;

typedef struct differ {
    emitter *e;
    direction *direction; /* by velocity */
    composite *body;
    N (*V)[6], (*A)[6]; /* by body */
} differ;

static void add6(T *t, N y[6], N f, const N x[6])
{
    emit_add_scaled(t, y, f, x);
    emit_add_scaled(t, y + 3, f, x + 3);
}

static void cross_motion(T *t, N out[6], const N V[6], const N m[6])
{
    N part[3];
    emit_cross(t, out, V, m);
    emit_cross(t, out + 3, V, m + 3);
    emit_cross(t, part, V + 3, m);
    emit_add(t, out + 3, part);
}

static void add_cross_force(T *t, N out[6], const N V[6], const N f[6])
{
    N part[3];
    emit_cross(t, part, V, f);
    emit_add(t, out, part);
    emit_cross(t, part, V + 3, f + 3);
    emit_add(t, out, part);
    emit_cross(t, part, V, f + 3);
    emit_add(t, out + 3, part);
}

/* I m: (J w + h x v, m v + w x h) */
static void momentum(T *t, const composite *I, const N m[6], N out[6])
{
    N part[3];
    emit_times(t, out, I->J, m);
    emit_cross(t, part, I->h, m + 3);
    emit_add(t, out, part);
    emit_cross(t, out + 3, m, I->h);
    emit_add_scaled(t, out + 3, I->m, m + 3);
}

/* ---- outwards ---- */

static void zero6(T *t, N out[6])
{
    for (int i = 0; i < 6; i++) {
        out[i] = crank_trace_number(t, 0.0);
    }
}

static void move_direction(differ *d, int v, int k, const N S[6], N V[6], N A[6],
                           N relative[12])
{
    T *t = d->e->t;
    direction *at = &d->direction[v + k];
    const N rate = crank_trace_unknown(t, d->e->tree->column_v + v + k);
    const N more = crank_trace_unknown(t, d->e->tree->column_a + v + k);
    N part[6];
    memcpy(at->S, S, sizeof at->S);
    cross_motion(t, at->D, V, S);
    cross_motion(t, at->E, V, at->D);
    cross_motion(t, part, A, S);
    add6(t, at->E, crank_trace_number(t, 1.0), part);
    add6(t, relative, rate, S);
    add6(t, relative + 6, more, S);
    add6(t, relative + 6, rate, at->D);
}

/* V and A behind a link, and G of its directions */
static void end_link(differ *d, int v, int nv, N V[6], N A[6], const N relative[12])
{
    T *t = d->e->t;
    const N one = crank_trace_number(t, 1.0), two = crank_trace_number(t, 2.0);
    N both[6];
    for (int i = 0; i < 6; i++) {
        both[i] = emit_plus(t, relative[i], two, V[i]);
    }
    for (int k = 0; k < nv; k++) {
        direction *at = &d->direction[v + k];
        if (nv > 1) {
            cross_motion(t, at->G, both, at->S);
        } else { /* S x S = 0 */
            for (int i = 0; i < 6; i++) {
                at->G[i] = crank_trace_mul(t, two, at->D[i]);
            }
        }
    }
    add6(t, V, one, relative);
    add6(t, A, one, relative + 6);
}

static void move_body(differ *d, int i, const N O[3])
{
    emitter *e = d->e;
    T *t = e->t;
    const emit_body *b = &e->body[i];
    N W[9], P[3], V[6], A[6];
    memcpy(W, emit_before(e, b)->W, sizeof W);
    for (int k = 0; k < 3; k++) {
        P[k] = crank_trace_sub(t, b->P[k], O[k]);
    }
    if (b->parent >= 0) {
        memcpy(V, d->V[b->parent], sizeof V);
        memcpy(A, d->A[b->parent], sizeof A);
    } else {
        zero6(t, V);
        zero6(t, A);
        memcpy(A + 3, e->ground.a, 3 * sizeof *A);
    }
    for (int l = 0; l < b->steps; l++) {
        const emit_step *s = &b->step[l];
        const crank_link *link = s->link;
        const bool ball = link->kind == CRANK_LINK_BALL;
        N relative[12], n[3], axis[3], S[6];
        zero6(t, relative);
        zero6(t, relative + 6);
        for (int k = 0; k < link->nv; k++) {
            emit_known(t, 3, s->axis, axis);
            emit_times(t, n, W, axis);
            for (int c = 0; c < 3; c++) {
                n[c] = ball ? b->W[3 * c + k] : n[c];
            }
            zero6(t, S);
            if (link->kind == CRANK_LINK_SLIDE) {
                memcpy(S + 3, n, sizeof n);
            } else {
                memcpy(S, n, sizeof n);
                emit_cross(t, S + 3, P, n);
                emit_add_scaled(t, S + 3, crank_trace_number(t, link->lead), n);
            }
            move_direction(d, link->v, k, S, V, A, relative);
        }
        end_link(d, link->v, link->nv, V, A, relative);
        if (link->kind == CRANK_LINK_TURN) {
            for (int r = 0; r < 3; r++) {
                emit_to_behind(t, s, W + 3 * r);
            }
        }
    }
    memcpy(d->V[i], V, sizeof V);
    memcpy(d->A[i], A, sizeof A);
}

/* ---- bodies ---- */

/* mass, h and J about O */
static void set_inertia(T *t, const emit_body *b, const N P[3], composite *c)
{
    N local[3], h[3], J[9], left[9];
    emit_known(t, 3, b->h, local);
    emit_known(t, 9, b->J, J);
    c->m = crank_trace_number(t, b->m);
    emit_multiply(t, left, b->W, J);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c->J[3 * i + j] = j < i ? c->J[3 * j + i] : emit_dot(t, left + 3 * i, b->W + 3 * j);
        }
    }
    emit_times(t, h, b->W, local);
    N mP[3], sum[3]; /* h + m P, and h + m P/2 twice: J + 2 P.s - P s^T - s P^T */
    for (int i = 0; i < 3; i++) {
        mP[i] = crank_trace_mul(t, c->m, P[i]);
        c->h[i] = crank_trace_add(t, h[i], mP[i]);
        sum[i] = emit_plus(t, h[i], crank_trace_number(t, 0.5), mP[i]);
    }
    const N twice = crank_trace_mul(t, crank_trace_number(t, 2.0), emit_dot(t, P, sum));
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            N *at = &c->J[3 * i + j];
            *at = emit_minus(t, emit_minus(t, *at, P[i], sum[j]), sum[i], P[j]);
            *at = i == j ? crank_trace_add(t, *at, twice) : *at;
            c->J[3 * j + i] = *at;
        }
    }
}

/* F, p, and U e = w x J e + v x (e x h) + e x L - J (w x e) - h x (v x e), of which is left
 *     U = w x (2 J - tr J) + 2 h.v - 2 v h^T
 * since J (a x b) = tr J (a x b) - (J a) x b - a x (J b) for a symmetric J */
static void set_motion(T *t, const N V[6], const N A[6], composite *c)
{
    const N two = crank_trace_number(t, 2.0), *w = V, *v = V + 3;
    const N trace = crank_trace_add(t, crank_trace_add(t, c->J[0], c->J[4]), c->J[8]);
    const N twice_hv = crank_trace_mul(t, two, emit_dot(t, c->h, v));
    N Q[6], v2[3];
    momentum(t, c, V, Q);
    memcpy(c->p, Q + 3, sizeof c->p);
    momentum(t, c, A, c->F);
    add_cross_force(t, c->F, V, Q);
    for (int i = 0; i < 3; i++) {
        v2[i] = crank_trace_mul(t, two, v[i]);
    }
    for (int k = 0; k < 3; k++) {
        N column[3], turned[3];
        for (int i = 0; i < 3; i++) {
            column[i] = crank_trace_mul(t, two, c->J[3 * i + k]);
        }
        column[k] = crank_trace_sub(t, column[k], trace);
        emit_cross(t, turned, w, column);
        turned[k] = crank_trace_add(t, turned[k], twice_hv);
        for (int i = 0; i < 3; i++) {
            c->U[3 * i + k] = emit_minus(t, turned[i], v2[i], c->h[k]);
        }
    }
}

static void hand_on(T *t, const composite *from, composite *to)
{
    const N one = crank_trace_number(t, 1.0);
    to->m = crank_trace_add(t, to->m, from->m);
    emit_add(t, to->h, from->h);
    emit_add(t, to->p, from->p);
    for (int i = 0; i < 9; i++) {
        to->J[i] = crank_trace_add(t, to->J[i], from->J[i]);
        to->U[i] = crank_trace_add(t, to->U[i], from->U[i]);
    }
    add6(t, to->F, one, from->F);
}

/* ---- results ---- */

/* n numbers from a slot on */
static void set(T *t, int slot, int n, const N *value, int stride)
{
    for (int i = 0; i < n; i++) {
        crank_trace_set(t, 0, slot + stride * i, value[i]);
    }
}

static void set_results(differ *d, const crank_link *link)
{
    T *t = d->e->t;
    for (int k = 0; k < link->nv; k++) {
        const direction *at = &d->direction[link->v + k];
        const int slot = EMIT_DERIVATIVE * (link->p + k);
        set(t, slot, 6, at->E, 2);
        set(t, slot + 1, 6, at->G, 2);
        set(t, slot + 12, 3, at->D, 2);
        set(t, slot + 13, 3, at->S, 2);
        set(t, slot + EMIT_DIRECTION, 6, at->S, 1);
    }
}

static void set_composite(T *t, int slot, const composite *c)
{
    N J[6];
    emit_narrow(c->J, J);
    set(t, slot, 1, &c->m, 1);
    set(t, slot + EMIT_H, 3, c->h, 1);
    set(t, slot + EMIT_J, 6, J, 1);
    set(t, slot + EMIT_P, 3, c->p, 1);
    set(t, slot + EMIT_U, 9, c->U, 1);
    set(t, slot + EMIT_F, 6, c->F, 1);
}

static void emit_all(differ *d)
{
    emitter *e = d->e;
    T *t = e->t;
    const crank_tree_shape *shape = e->tree->shape;
    for (int k = 0; k < shape->body_count; k++) {
        const int i = shape->order[k];
        const emit_body *b = &e->body[i];
        int root = i;
        N O[3], P[3];
        while (shape->body[root].parent >= 0) {
            root = shape->body[root].parent;
        }
        emit_center(e, &e->body[root], O);
        for (int c = 0; c < 3; c++) {
            P[c] = crank_trace_sub(t, b->P[c], O[c]);
        }
        move_body(d, i, O);
        set_inertia(t, b, P, &d->body[i]);
        set_motion(t, d->V[i], d->A[i], &d->body[i]);
    }
    for (int k = shape->body_count - 1; k >= 0; k--) {
        const int i = shape->order[k];
        if (shape->body[i].parent >= 0) {
            hand_on(t, &d->body[i], &d->body[shape->body[i].parent]);
        }
    }
    for (int l = 0; l < shape->link_count; l++) {
        set_results(d, &shape->link[l]);
    }
    for (int i = 0; i < shape->body_count; i++) {
        set_composite(t, EMIT_DERIVATIVE * shape->np + EMIT_COMPOSITE * i, &d->body[i]);
    }
}

int emit_derivatives(const crank_tree *tree, crank_text *text)
{
    static const char *const name[] = {"derivatives"};
    const size_t bodies = (size_t)tree->shape->body_count + 1, nv = (size_t)tree->shape->nv + 1;
    emitter e = {
        .t = crank_trace_create(), .tree = tree, .body = calloc(bodies, sizeof *e.body)};
    differ d = {.e = &e,
                .direction = calloc(nv, sizeof *d.direction),
                .body = calloc(bodies, sizeof *d.body),
                .V = calloc(bodies, sizeof *d.V),
                .A = calloc(bodies, sizeof *d.A)};
    int size = 0;
    if (e.t != NULL && e.body != NULL && d.direction != NULL && d.body != NULL && d.V != NULL &&
        d.A != NULL) {
        emit_outward(&e);
        emit_all(&d);
        const int first =
            EMIT_DERIVATIVE * tree->shape->np + EMIT_COMPOSITE * tree->shape->body_count;
        size = crank_trace_write(e.t, 1, -1, name, first, text, NULL);
    }
    free(e.body);
    free(d.direction);
    free(d.body);
    free(d.V);
    free(d.A);
    crank_trace_destroy(e.t);
    return size;
}
