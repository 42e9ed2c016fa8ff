/* emit_articulated.c - y = M^-1 r by articulated bodies, theory (7.74), (7.75), as in
 * articulated.c, in frames of the bodies: a turn about the k-th axis of its frame takes row
 * and column k of A and row k of B out of what goes on to the body before,
 *
 *     D = A_kk,   alpha_k = D^-1 (u - rest of U^T (alpha, a)),   y = alpha_k - that before */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/emit.h"

#include <stdlib.h>

/* as in articulated.c */
static const double vanishing = 1e-10;

/* of a link: U (moment, force), D^-1; of a ball M and A^-1; then u */
typedef struct given_way {
    N U[6], inverse, M[9], ball[6], u[3];
} given_way;

typedef struct articulation {
    emitter *e;
    given_way *link;
    N (*f)[6]; /* bodies: moment, force; then alpha, a */
    N fine;
} articulation;

static void keep(emitter *e, int n, const N *value)
{
    for (int i = 0; i < n; i++) {
        crank_trace_set(e->t, EMIT_FACTOR, -1, value[i]);
    }
}

static void begin_body(T *t, emit_body *b)
{
    const double *h = b->h, *J = b->J;
    const double A[6] = {J[0], J[1], J[2], J[4], J[5], J[8]};
    const double M[9] = {0.0, -h[2], h[1], h[2], 0.0, -h[0], -h[1], h[0], 0.0};
    const double C[6] = {b->m, 0.0, 0.0, b->m, 0.0, b->m};
    emit_known(t, 6, A, b->A);
    emit_known(t, 9, M, b->M);
    emit_known(t, 6, C, b->C);
}

/* S -= f u u^T */
static void reduce(T *t, N S[6], N f, const N u[3])
{
    for (int i = 0; i < 3; i++) {
        const N fu = crank_trace_mul(t, f, u[i]);
        for (int j = i; j < 3; j++) {
            S[emit_place[i][j]] = emit_minus(t, S[emit_place[i][j]], fu, u[j]);
        }
    }
}

/* nothing is left along an axis of the frame: it moves along one, and no rotor resists */
static bool gives_all(const crank_link *link)
{
    return (link->kind != CRANK_LINK_TURN || link->lead == 0.0) && link->rotor == 0.0;
}

/* one direction s = (turn n, slide m n): U = I s, D = s.U + rotor */
static void give_way(articulation *a, const emit_step *step, emit_body *b, given_way *g)
{
    T *t = a->e->t;
    const bool turn = step->link->kind == CRANK_LINK_TURN;
    const N zero = crank_trace_number(t, 0.0);
    const double lead = turn ? step->link->lead : 1.0;
    double axis[3];
    memcpy(axis, step->axis, sizeof axis);
    if (turn) { /* in the frame behind */
        memset(axis, 0, sizeof axis);
        axis[step->k] = step->sign;
    }
    N n[3], A[9], C[9], part[3], terms = zero;
    N *moment = g->U, *force = g->U + 3;
    const N f = crank_trace_number(t, lead), ff = crank_trace_number(t, lead * lead);
    emit_known(t, 3, axis, n);
    emit_widen(b->A, A);
    emit_widen(b->C, C);
    emit_times(t, part, b->M, n);
    for (int k = 0; k < 3; k++) {
        moment[k] = crank_trace_mul(t, f, part[k]);
    }
    emit_times(t, part, C, n);
    for (int k = 0; k < 3; k++) {
        force[k] = crank_trace_mul(t, f, part[k]);
    }
    if (turn) {
        emit_times(t, part, A, n);
        emit_add(t, moment, part);
        emit_transposed_times(t, part, b->M, n);
        emit_add(t, force, part);
    }
    N D = crank_trace_mul(t, f, emit_dot(t, n, force));
    D = turn ? crank_trace_add(t, emit_dot(t, n, moment), D) : D;
    for (int k = 0; k < 3; k++) {
        const N own = turn ? emit_plus(t, A[4 * k], ff, C[4 * k]) : C[4 * k];
        terms = emit_plus(t, terms, crank_trace_mul(t, n[k], n[k]), own);
    }
    const N rotor = crank_trace_number(t, step->link->rotor);
    D = crank_trace_add(t, D, rotor);
    terms = crank_trace_add(t, terms, rotor);
    const N least = crank_trace_mul(t, crank_trace_number(t, vanishing), terms);
    a->fine = crank_trace_mul(t, a->fine, crank_trace_greater(t, D, least));
    g->inverse = crank_trace_div(t, crank_trace_number(t, 1.0), D);
    reduce(t, b->A, g->inverse, moment);
    reduce(t, b->C, g->inverse, force);
    for (int i = 0; i < 3; i++) {
        const N fm = crank_trace_mul(t, g->inverse, moment[i]);
        for (int j = 0; j < 3; j++) {
            b->M[3 * i + j] = emit_minus(t, b->M[3 * i + j], fm, force[j]);
        }
    }
    for (int i = 0; i < 3; i++) { /* where it moves along an axis of the frame, exactly zero */
        if (axis[i] * axis[i] != 1.0 || !gives_all(step->link)) {
            continue;
        }
        for (int j = 0; j < 3; j++) {
            b->M[turn ? 3 * i + j : 3 * j + i] = zero;
            (turn ? b->A : b->C)[emit_place[i][j]] = zero;
        }
    }
    keep(a->e, 6, g->U);
    keep(a->e, 1, &g->inverse);
}

/* cofactors over the determinant */
static void invert(articulation *a, const N S[6], N out[6])
{
    T *t = a->e->t;
    N M[9], cofactor[9];
    emit_widen(S, M);
    for (int i = 0; i < 3; i++) {
        emit_cross(t, cofactor + 3 * i, M + 3 * ((i + 1) % 3), M + 3 * ((i + 2) % 3));
    }
    const N det = emit_dot(t, M, cofactor);
    const N size = crank_trace_mul(t, crank_trace_mul(t, M[0], M[4]), M[8]);
    const N least = crank_trace_mul(t, crank_trace_number(t, vanishing), size);
    a->fine = crank_trace_mul(t, a->fine, crank_trace_greater(t, det, least));
    a->fine =
        crank_trace_mul(t, a->fine, crank_trace_greater(t, size, crank_trace_number(t, 0.0)));
    const N f = crank_trace_div(t, crank_trace_number(t, 1.0), det);
    for (int i = 0; i < 9; i++) {
        cofactor[i] = crank_trace_mul(t, f, cofactor[i]);
    }
    emit_narrow(cofactor, out);
}

/* C - M^T A^-1 M is left, at P */
static void give_way_ball(articulation *a, emit_body *b, given_way *g)
{
    T *t = a->e->t;
    N inverse[9], W[9];
    const N zero = crank_trace_number(t, 0.0);
    invert(a, b->A, g->ball);
    memcpy(g->M, b->M, sizeof g->M);
    emit_widen(g->ball, inverse);
    emit_multiply(t, W, inverse, b->M);
    for (int i = 0; i < 3; i++) {
        const N column[3] = {b->M[i], b->M[3 + i], b->M[6 + i]};
        for (int j = i; j < 3; j++) {
            const N other[3] = {W[j], W[3 + j], W[6 + j]};
            N *C = &b->C[emit_place[i][j]];
            *C = crank_trace_sub(t, *C, emit_dot(t, column, other));
        }
    }
    for (int i = 0; i < 9; i++) {
        b->M[i] = zero;
        b->A[i % 6] = zero;
    }
    keep(a->e, 9, g->M);
    keep(a->e, 6, g->ball);
}

/* theory (7.75): the body before gets what is left */
static void hand_on(T *t, const emit_body *b, emit_body *on)
{
    const N *r = b->r;
    N C[9], M[9], column[3], part[3], G[9], H[9];
    emit_widen(b->C, C);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            column[i] = C[3 * i + j];
        }
        emit_cross(t, part, r, column);
        for (int i = 0; i < 3; i++) {
            M[3 * i + j] = crank_trace_add(t, b->M[3 * i + j], part[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        emit_cross(t, G + 3 * i, r, b->M + 3 * i);
        emit_cross(t, H + 3 * i, r, M + 3 * i);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            const int k = emit_place[i][j];
            on->A[k] = crank_trace_add(t, on->A[k], b->A[k]);
            on->A[k] = crank_trace_add(t, on->A[k], G[3 * i + j]);
            on->A[k] = crank_trace_add(t, on->A[k], H[3 * j + i]);
        }
    }
    for (int i = 0; i < 9; i++) {
        on->M[i] = crank_trace_add(t, on->M[i], M[i]);
    }
    for (int i = 0; i < 6; i++) {
        on->C[i] = crank_trace_add(t, on->C[i], b->C[i]);
    }
}

static void factor(articulation *a)
{
    emitter *e = a->e;
    const crank_tree_shape *shape = e->tree->shape;
    for (int i = 0; i < shape->body_count; i++) {
        begin_body(e->t, &e->body[i]);
    }
    for (int k = shape->body_count - 1; k >= 0; k--) {
        const int i = shape->order[k];
        emit_body *b = &e->body[i];
        for (int l = b->steps - 1; l >= 0; l--) {
            const emit_step *s = &b->step[l];
            given_way *g = &a->link[shape->body[i].first + l];
            if (s->link->kind == CRANK_LINK_BALL) {
                give_way_ball(a, b, g);
            } else {
                give_way(a, s, b, g);
            }
            emit_symmetric_to_before(e->t, s, b->A);
            emit_symmetric_to_before(e->t, s, b->C);
            emit_matrix_to_before(e->t, s, b->M);
        }
        if (b->parent >= 0) {
            hand_on(e->t, b, &e->body[b->parent]);
        }
    }
    crank_trace_set(e->t, EMIT_FACTOR, e->slot.fine, a->fine);
}

/* ---- right-hand sides ---- */

static N given_r(const articulation *a, int v)
{
    return crank_trace_given(a->e->t, a->e->slot.r + v);
}

/* u = r - s.f;  f -> f + U D^-1 u */
static void push(articulation *a, const emit_step *s, given_way *g, N f[6])
{
    T *t = a->e->t;
    if (s->link->kind == CRANK_LINK_BALL) {
        N ball[9], w[3], part[3];
        for (int k = 0; k < 3; k++) {
            g->u[k] = crank_trace_sub(t, given_r(a, s->link->v + k), f[k]);
            f[k] = crank_trace_number(t, 0.0);
        }
        emit_widen(g->ball, ball);
        emit_times(t, w, ball, g->u);
        emit_transposed_times(t, part, g->M, w);
        emit_add(t, f + 3, part);
    } else {
        const bool turn = s->link->kind == CRANK_LINK_TURN;
        const N sign = crank_trace_number(t, s->sign);
        const N lead = crank_trace_number(t, s->link->lead);
        N n[3], along;
        if (turn) {
            along = crank_trace_mul(t, sign, emit_plus(t, f[s->k], lead, f[3 + s->k]));
        } else {
            emit_known(t, 3, s->axis, n);
            along = emit_dot(t, n, f + 3);
        }
        g->u[0] = crank_trace_sub(t, given_r(a, s->link->v), along);
        const N w = crank_trace_mul(t, g->inverse, g->u[0]);
        for (int k = 0; k < 6; k++) {
            f[k] = emit_plus(t, f[k], w, g->U[k]);
        }
        if (turn && gives_all(s->link)) { /* s.f = r now */
            f[s->k] = crank_trace_mul(t, sign, given_r(a, s->link->v));
        }
    }
    emit_to_before(t, s, f);
    emit_to_before(t, s, f + 3);
}

/* y = D^-1 (u - U.(alpha, a));  (alpha, a) is in the frame behind */
static void move(articulation *a, const emit_step *s, const given_way *g, N acc[6])
{
    emitter *e = a->e;
    T *t = e->t;
    const int v = s->link->v;
    emit_to_behind(t, s, acc);
    emit_to_behind(t, s, acc + 3);
    if (s->link->kind == CRANK_LINK_BALL) {
        N ball[9], left[3], part[3];
        emit_times(t, part, g->M, acc + 3);
        for (int k = 0; k < 3; k++) {
            left[k] = crank_trace_sub(t, g->u[k], part[k]);
        }
        emit_widen(g->ball, ball);
        emit_times(t, acc, ball, left);
        for (int k = 0; k < 3; k++) {
            crank_trace_set(t, EMIT_SOLVE, e->slot.y + v + k, acc[k]);
        }
        return;
    }
    const bool turn = s->link->kind == CRANK_LINK_TURN;
    N left = g->u[0];
    if (turn && gives_all(s->link)) { /* U_k = D: what turns anyway is left out */
        const N sign = crank_trace_number(t, s->sign), before = acc[s->k];
        for (int k = 0; k < 6; k++) {
            left = k == s->k ? left : emit_minus(t, left, g->U[k], acc[k]);
        }
        acc[s->k] = crank_trace_mul(t, sign, crank_trace_mul(t, g->inverse, left));
        const N y = crank_trace_mul(t, sign, crank_trace_sub(t, acc[s->k], before));
        crank_trace_set(t, EMIT_SOLVE, e->slot.y + v, y);
        return;
    }
    for (int k = 0; k < 6; k++) {
        left = emit_minus(t, left, g->U[k], acc[k]);
    }
    const N y = crank_trace_mul(t, g->inverse, left);
    crank_trace_set(t, EMIT_SOLVE, e->slot.y + v, y);
    if (turn) {
        const N along = crank_trace_mul(t, crank_trace_number(t, s->sign), y);
        acc[s->k] = crank_trace_add(t, acc[s->k], along);
        acc[3 + s->k] =
            emit_plus(t, acc[3 + s->k], crank_trace_number(t, s->link->lead), along);
    } else {
        N n[3];
        emit_known(t, 3, s->axis, n);
        emit_add_scaled(t, acc + 3, y, n);
    }
}

static void solve(articulation *a)
{
    emitter *e = a->e;
    T *t = e->t;
    const crank_tree_shape *shape = e->tree->shape;
    const N zero = crank_trace_number(t, 0.0);
    for (int i = 0; i < 6 * shape->body_count; i++) {
        a->f[i / 6][i % 6] = zero;
    }
    for (int k = shape->body_count - 1; k >= 0; k--) {
        const int i = shape->order[k];
        const emit_body *b = &e->body[i];
        N *f = a->f[i], part[3];
        for (int l = b->steps - 1; l >= 0; l--) {
            push(a, &b->step[l], &a->link[shape->body[i].first + l], f);
        }
        if (b->parent >= 0) {
            N *on = a->f[b->parent];
            emit_add(t, on, f);
            emit_add(t, on + 3, f + 3);
            emit_cross(t, part, b->r, f + 3);
            emit_add(t, on, part);
        }
    }
    for (int k = 0; k < shape->body_count; k++) {
        const int i = shape->order[k];
        const emit_body *b = &e->body[i];
        N *acc = a->f[i], part[3];
        for (int j = 0; j < 6; j++) {
            acc[j] = b->parent >= 0 ? a->f[b->parent][j] : zero;
        }
        emit_cross(t, part, acc, b->r);
        emit_add(t, acc + 3, part);
        for (int l = 0; l < b->steps; l++) {
            move(a, &b->step[l], &a->link[shape->body[i].first + l], acc);
        }
    }
}

void emit_articulated(emitter *e)
{
    const crank_tree_shape *shape = e->tree->shape;
    articulation a = {.e = e,
                      .link = calloc((size_t)shape->link_count + 1, sizeof *a.link),
                      .f = calloc((size_t)shape->body_count + 1, sizeof *a.f),
                      .fine = crank_trace_number(e->t, 1.0)};
    if (a.link != NULL && a.f != NULL) {
        factor(&a);
        solve(&a);
    } else {
        crank_trace_fail(e->t);
    }
    free(a.link);
    free(a.f);
}
