/* emit.c - from the ground outwards: frames of all bodies, and motions in them, about the
 * point P of the joint that a body hangs by, theory (7.80),
 *
 *     r = r_0 + sum n s,    Omega = [alpha x] + [omega x]^2
 *     a_2 = a_1 + Omega_1 r + sum (n s'' + 2 omega_1 x n s'),   v_2 likewise
 *     omega_2 = omega_1 + n q',   alpha_2 = alpha_1 + n q'' + omega_1 x n q'
 * each then seen in the frame of body 2. a starts as -g at the ground. A ball has omega and
 * alpha of its body as they are. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/emit.h"

#include "linalg/rotation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

const char *const emit_names[EMIT_SECTIONS] = {"states", "links", "rows", "factor", "solve"};

/* rounding of constants that products of rotations have left where there is nothing */
static const double nothing = 8.0 * DBL_EPSILON;

static void clear_rounding(int n, double size, double *value)
{
    for (int i = 0; i < n; i++) {
        const double whole = size * nearbyint(value[i] / (size > 0.0 ? size : 1.0));
        const bool near = fabs(value[i] - whole) <= nothing * size;
        value[i] = near && fabs(whole) <= size ? whole : value[i];
    }
}

/* ---- constants ---- */

static void set_unit(double M[9])
{
    memset(M, 0, 9 * sizeof *M);
    M[0] = M[4] = M[8] = 1.0;
}

/* axes of the body behind all links, seen in what K maps from */
static void turn_outer(const emitter *e, int i, double R[9])
{
    const crank_tree_body *body = &e->tree->shape->body[i];
    set_unit(R);
    if (e->tree->s->body[i].kind == CRANK_BODY_SPATIAL) {
        crank_quaternion_matrix(R, body->outer_q);
    } else {
        R[0] = R[4] = cos(body->outer_angle);
        R[3] = sin(body->outer_angle);
        R[1] = -R[3];
    }
}

/* mass, first moments and inertia about P in the frame */
static void set_inertia(const crank_body *from, emit_body *b)
{
    const double c[3] = {-b->outer[0], -b->outer[1], -b->outer[2]};
    double inertia[9] = {0.0}, left[9];
    b->m = from->mass;
    if (from->kind == CRANK_BODY_PLANAR) {
        inertia[8] = from->inertia[8];
    } else if (from->kind == CRANK_BODY_SPATIAL) {
        memcpy(inertia, from->inertia, sizeof inertia);
    }
    crank_mat3_multiply(left, b->B, inertia);
    for (int i = 0; i < 3; i++) {
        b->h[i] = b->m * c[i];
        for (int j = 0; j < 3; j++) {
            b->J[3 * i + j] = crank_dot3(left + 3 * i, b->B + 3 * j) - b->m * c[i] * c[j] +
                              (i == j ? b->m * crank_dot3(c, c) : 0.0);
        }
    }
    clear_rounding(9, b->J[0] + b->J[4] + b->J[8], b->J);
}

/* a turn about n, seen in the frame before: K goes on to the frame behind */
static void align(T *t, emit_step *s, const double n[3], double K[9])
{
    for (int k = 0; k < 3; k++) {
        if (fabs(n[k]) == 1.0) {
            s->k = k;
            s->sign = n[k];
            s->aligned = true;
            return;
        }
    }
    int least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    least = fabs(n[2]) < fabs(n[least]) ? 2 : least;
    double e[3] = {0.0}, u[3], w[3], turned[9];
    e[least] = 1.0;
    crank_cross3(u, e, n);
    const double length = crank_norm3(u);
    for (int i = 0; i < 3; i++) {
        u[i] /= length;
    }
    crank_cross3(w, n, u);
    double C[9];
    for (int i = 0; i < 3; i++) { /* columns u, w, n */
        C[3 * i] = u[i];
        C[3 * i + 1] = w[i];
        C[3 * i + 2] = n[i];
    }
    s->k = 2;
    s->sign = 1.0;
    for (int i = 0; i < 3; i++) { /* C^T K */
        const double row[3] = {C[i], C[3 + i], C[6 + i]};
        for (int j = 0; j < 3; j++) {
            turned[3 * i + j] = row[0] * K[j] + row[1] * K[3 + j] + row[2] * K[6 + j];
        }
    }
    memcpy(K, turned, sizeof turned);
    clear_rounding(9, 1.0, K);
    emit_known(t, 9, C, s->frame);
}

/* the steps of a body; K: axes of the body before to the frame that has been reached */
static void set_steps(emitter *e, int i)
{
    const crank_tree_shape *shape = e->tree->shape;
    const crank_tree_body *body = &shape->body[i];
    emit_body *b = &e->body[i];
    const emit_body *on = emit_before(e, b);
    double K[9], R[9];
    memcpy(K, on->B, sizeof K);
    b->steps = body->count;
    for (int l = 0; l < body->count; l++) {
        emit_step *s = &b->step[l];
        s->link = &shape->link[body->first + l];
        if (s->link->kind == CRANK_LINK_BALL) {
            set_unit(K); /* the frame of the body itself */
            continue;
        }
        crank_mat3_times(s->axis, K, s->link->axis);
        clear_rounding(3, 1.0, s->axis);
        if (s->link->kind == CRANK_LINK_TURN) {
            align(e->t, s, s->axis, K);
            const N q = crank_trace_unknown(e->t, e->tree->column_p + s->link->p);
            s->cos = crank_trace_cos(e->t, q);
            s->sin = crank_trace_mul(e->t, crank_trace_number(e->t, s->sign),
                                     crank_trace_sin(e->t, q));
        }
    }
    turn_outer(e, i, R);
    crank_mat3_multiply(b->B, K, R);
    clear_rounding(9, 1.0, b->B);
    crank_mat3_times(b->outer, b->B, body->outer);
    clear_rounding(3, crank_norm3(body->outer), b->outer);
    set_inertia(&e->tree->s->body[i], b);
}

/* ---- frames ---- */

static void set_arm(emitter *e, int i)
{
    const crank_tree_body *body = &e->tree->shape->body[i];
    emit_body *b = &e->body[i];
    const emit_body *on = emit_before(e, b);
    double r[3];
    crank_mat3_times(r, on->B, body->inner);
    clear_rounding(3, crank_norm3(body->inner), r);
    crank_add3(r, -1.0, on->outer);
    clear_rounding(3, crank_norm3(body->inner) + crank_norm3(on->outer), r);
    emit_known(e->t, 3, r, b->r);
    for (int l = 0; l < b->steps; l++) {
        const emit_step *s = &b->step[l];
        const double f = s->link->kind == CRANK_LINK_SLIDE ? 1.0 : s->link->lead;
        if (s->link->kind != CRANK_LINK_BALL && f != 0.0) {
            N n[3];
            emit_known(e->t, 3, s->axis, n);
            const N p = crank_trace_unknown(e->t, e->tree->column_p + s->link->p);
            emit_add_scaled(e->t, b->r, crank_trace_mul(e->t, crank_trace_number(e->t, f), p),
                            n);
        }
    }
}

/* R(q) of a quaternion of any length */
static void matrix_of(T *t, int column, N R[9])
{
    N q[4], two = crank_trace_number(t, 2.0);
    for (int i = 0; i < 4; i++) {
        q[i] = crank_trace_unknown(t, column + i);
    }
    N square = emit_plus(t, crank_trace_mul(t, q[0], q[0]), q[1], q[1]);
    square = emit_plus(t, emit_plus(t, square, q[2], q[2]), q[3], q[3]);
    const N f = crank_trace_div(t, two, square);
    N g[4]; /* 2 q / q.q */
    for (int i = 0; i < 4; i++) {
        g[i] = crank_trace_mul(t, f, q[i]);
    }
    const N one = crank_trace_number(t, 1.0);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const N both = crank_trace_mul(t, g[1 + i], q[1 + j]),
                turn = crank_trace_mul(t, g[0], q[1 + k]);
        R[4 * i] = emit_minus(t, emit_minus(t, one, g[1 + j], q[1 + j]), g[1 + k], q[1 + k]);
        R[3 * i + j] = crank_trace_sub(t, both, turn);
        R[3 * j + i] = crank_trace_add(t, both, turn);
    }
}

/* columns of W turn with the frame */
static void turn_world(T *t, const emit_step *s, N W[9])
{
    for (int i = 0; i < 3; i++) {
        emit_to_behind(t, s, W + 3 * i); /* a row of W: components along the frame's axes */
    }
}

static void set_frame(emitter *e, emit_body *b)
{
    T *t = e->t;
    const emit_body *on = emit_before(e, b);
    memcpy(b->W, on->W, sizeof b->W);
    b->angle = on->angle;
    emit_times(t, b->P, on->W, b->r);
    emit_add(t, b->P, on->P);
    for (int l = 0; l < b->steps; l++) {
        emit_step *s = &b->step[l];
        if (s->link->kind == CRANK_LINK_BALL) {
            N R[9], transposed[9];
            matrix_of(t, e->tree->column_p + s->link->p, R);
            for (int i = 0; i < 9; i++) {
                transposed[i] = R[3 * (i % 3) + i / 3];
            }
            emit_multiply(t, s->E, transposed, b->W);
            memcpy(b->W, R, sizeof R);
        } else if (s->link->kind == CRANK_LINK_TURN) {
            turn_world(t, s, b->W);
            const N q = crank_trace_unknown(t, e->tree->column_p + s->link->p);
            b->angle = crank_trace_add(t, b->angle, q);
        }
    }
}

/* ---- motions ---- */

/* (omega, alpha) as a matrix: accelerations of points r away are Omega r more */
static void set_Omega(T *t, emit_body *b)
{
    const N *o = b->omega;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const N both = crank_trace_mul(t, o[i], o[j]);
        b->Omega[3 * i + j] = crank_trace_sub(t, both, b->alpha[k]);
        b->Omega[3 * j + i] = crank_trace_add(t, both, b->alpha[k]);
        b->Omega[4 * i] =
            crank_trace_neg(t, emit_plus(t, crank_trace_mul(t, o[j], o[j]), o[k], o[k]));
    }
}

/* P of a body on links that slide, in the frame before */
static void move_point(emitter *e, emit_body *b)
{
    T *t = e->t;
    const crank_tree *tree = e->tree;
    const emit_body *on = emit_before(e, b);
    N part[3];
    memcpy(b->v, on->v, sizeof b->v);
    memcpy(b->a, on->a, sizeof b->a);
    emit_cross(t, part, on->omega, b->r);
    emit_add(t, b->v, part);
    emit_times(t, part, on->Omega, b->r);
    emit_add(t, b->a, part);
    for (int l = 0; l < b->steps; l++) {
        const emit_step *s = &b->step[l];
        const double f = s->link->kind == CRANK_LINK_SLIDE ? 1.0 : s->link->lead;
        if (s->link->kind == CRANK_LINK_BALL || f == 0.0) {
            continue;
        }
        N n[3];
        const N factor = crank_trace_number(t, f);
        const N rate =
            crank_trace_mul(t, factor, crank_trace_unknown(t, tree->column_v + s->link->v));
        const N more =
            crank_trace_mul(t, factor, crank_trace_unknown(t, tree->column_a + s->link->v));
        emit_known(t, 3, s->axis, n);
        emit_add_scaled(t, b->v, rate, n);
        emit_add_scaled(t, b->a, more, n);
        emit_cross(t, part, on->omega, n);
        emit_add_scaled(t, b->a, crank_trace_mul(t, crank_trace_number(t, 2.0), rate), part);
    }
}

static void turn_body(emitter *e, emit_body *b, const emit_step *s)
{
    T *t = e->t;
    const crank_link *link = s->link;
    const int v = e->tree->column_v + link->v, a = e->tree->column_a + link->v;
    emit_to_behind(t, s, b->v);
    emit_to_behind(t, s, b->a);
    if (link->kind == CRANK_LINK_BALL) {
        for (int k = 0; k < 3; k++) {
            b->omega[k] = crank_trace_unknown(t, v + k);
            b->alpha[k] = crank_trace_unknown(t, a + k);
        }
        return;
    }
    const int k = s->k, i = (k + 1) % 3, j = (k + 2) % 3;
    const N sign = crank_trace_number(t, s->sign);
    const N rate = crank_trace_mul(t, sign, crank_trace_unknown(t, v));
    emit_to_behind(t, s, b->omega);
    emit_to_behind(t, s, b->alpha);
    b->alpha[i] = emit_plus(t, b->alpha[i], rate, b->omega[j]);
    b->alpha[j] = emit_minus(t, b->alpha[j], rate, b->omega[i]);
    b->alpha[k] = emit_plus(t, b->alpha[k], sign, crank_trace_unknown(t, a));
    b->omega[k] = crank_trace_add(t, b->omega[k], rate);
}

static void move_body(emitter *e, emit_body *b)
{
    const emit_body *on = emit_before(e, b);
    memcpy(b->omega, on->omega, sizeof b->omega);
    memcpy(b->alpha, on->alpha, sizeof b->alpha);
    move_point(e, b);
    for (int l = 0; l < b->steps; l++) {
        if (b->step[l].link->kind != CRANK_LINK_SLIDE) {
            turn_body(e, b, &b->step[l]);
        }
    }
    set_Omega(e->t, b);
}

/* ---- led bodies: as they are given in time (led.c) ---- */

static void lead(emitter *e, int i)
{
    T *t = e->t;
    const crank_tree_body *body = &e->tree->shape->body[i];
    const double height = e->tree->led_height[body->led];
    emit_body *b = &e->body[i];
    N value[CRANK_LED_NUMBERS];
    for (int k = 0; k < CRANK_LED_NUMBERS; k++) {
        value[k] = crank_trace_given(t, e->slot.led + CRANK_LED_NUMBERS * body->led + k);
    }
    const N c = crank_trace_cos(t, value[2]), s = crank_trace_sin(t, value[2]);
    const N zero = crank_trace_number(t, 0.0);
    const N W[9] = {c,    crank_trace_neg(t, s),     zero, s, c, zero, zero,
                    zero, crank_trace_number(t, 1.0)};
    memcpy(b->W, W, sizeof W);
    b->P[0] = value[0];
    b->P[1] = value[1];
    b->P[2] = crank_trace_number(t, height);
    b->angle = b->r[0] = b->r[1] = b->r[2] = zero;
    N v[3] = {value[3], value[4], zero}, a[3] = {value[6], value[7], zero}, g[3];
    emit_known(t, 3, e->tree->s->gravity, g);
    for (int k = 0; k < 3; k++) {
        a[k] = crank_trace_sub(t, a[k], g[k]);
        b->omega[k] = k == 2 ? value[5] : zero;
        b->alpha[k] = k == 2 ? value[8] : zero;
    }
    emit_transposed_times(t, b->v, W, v);
    emit_transposed_times(t, b->a, W, a);
    set_Omega(t, b);
}

/* ---- all bodies ---- */

static void set_ground(emitter *e)
{
    emit_body *g = &e->ground;
    const N zero = crank_trace_number(e->t, 0.0);
    double unit[9];
    set_unit(unit);
    memcpy(g->B, unit, sizeof unit);
    emit_known(e->t, 9, unit, g->W);
    for (int k = 0; k < 3; k++) {
        g->P[k] = g->omega[k] = g->alpha[k] = g->v[k] = zero;
        g->a[k] = crank_trace_number(e->t, -e->tree->s->gravity[k]);
    }
    for (int k = 0; k < 9; k++) {
        g->Omega[k] = zero;
    }
    g->angle = zero;
}

void emit_outward(emitter *e)
{
    const crank_tree_shape *shape = e->tree->shape;
    set_ground(e);
    for (int k = 0; k < shape->body_count; k++) {
        const int i = shape->order[k];
        emit_body *b = &e->body[i];
        b->parent = shape->body[i].parent;
        set_steps(e, i);
        if (shape->body[i].led >= 0) {
            lead(e, i);
            continue;
        }
        set_arm(e, i);
        set_frame(e, b);
        b->angle = crank_trace_add(e->t, b->angle,
                                   crank_trace_number(e->t, shape->body[i].outer_angle));
        move_body(e, b);
    }
}

/* ---- the whole ---- */

static emit_slots place(const crank_tree *tree, int seen)
{
    const int nv = tree->shape->nv;
    emit_slots s = {.led = 0, .load = CRANK_LED_NUMBERS * tree->led_count};
    s.state = s.load + EMIT_LOAD * seen;
    s.center = s.state + EMIT_STATE * seen;
    s.link = s.center + 3 * seen;
    s.r = s.link + (seen > 0 ? EMIT_LINK * tree->shape->link_count : 0);
    s.d = s.r + nv;
    s.y = s.d + nv;
    s.fine = s.y + nv;
    s.first = s.fine + 1;
    return s;
}

int emit_tree(const crank_tree *tree, int *seen, int seen_count, emit_slots *slot,
              crank_text *text, int *operations)
{
    const size_t bodies = (size_t)tree->shape->body_count;
    emitter e = {.t = crank_trace_create(),
                 .tree = tree,
                 .seen = seen,
                 .slot = place(tree, seen_count),
                 .body = calloc(bodies + 1, sizeof *e.body)};
    int size = 0;
    if (e.t != NULL && e.body != NULL) {
        emit_outward(&e);
        for (int i = 0; i < tree->shape->np; i++) { /* factors have no x */
            crank_trace_set(e.t, EMIT_ROWS, -1, crank_trace_unknown(e.t, tree->column_p + i));
        }
        emit_states(&e);
        if (seen_count > 0) {
            emit_links(&e);
        }
        emit_rows(&e);
        emit_articulated(&e);
        size = crank_trace_write(e.t, EMIT_SECTIONS, EMIT_LINKS, emit_names, e.slot.first, text,
                                 operations);
    }
    *slot = e.slot;
    free(e.body);
    crank_trace_destroy(e.t);
    return size;
}
