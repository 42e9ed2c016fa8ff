/* primitive.c - values of the primitives: y, J, J v and J' v.
 *
 * With b = x + R u, b' = x' + R (omega x u) and a . R (omega x u) = omega . (u x R^T a):
 *     slide    J = a on x', u x R^T a on omega;   bias = a' . b' + a . b''_0
 *     product  slide(a, b) + slide(b, a); of a vector with itself twice slide(a, a)
 *     turn     J = +-R^T a on omega;              bias = a' . (R_2 omega_2 - R_1 omega_1)
 * where b''_0 = R (omega x (omega x u)) is the acceleration of the marker at v' = 0. All hold
 * for every q. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/primitive.h"

#include <assert.h>
#include <string.h>

static void add_body(crank_primitive *primitive, int body)
{
    if (body < 0) {
        return;
    }
    for (int i = 0; i < primitive->bodies; i++) {
        if (primitive->body[i] == body) {
            return;
        }
    }
    assert(primitive->bodies < CRANK_PRIMITIVE_BODIES);
    primitive->body[primitive->bodies++] = body;
}

static void add_vector(crank_primitive *primitive, const crank_vector *vector)
{
    for (int i = 0; i < vector->count; i++) {
        add_body(primitive, vector->marker[i].body);
    }
}

static bool is_same(const crank_vector *a, const crank_vector *b)
{
    bool same = a->count == b->count;
    for (int i = 0; i < a->count && same; i++) {
        const crank_marker *m = &a->marker[i], *n = &b->marker[i];
        same = m->body == n->body && m->point == n->point && m->u[0] == n->u[0] &&
               m->u[1] == n->u[1] && m->u[2] == n->u[2];
    }
    return same;
}

void crank_primitive_complete(crank_primitive *primitive, const crank_body_kind *kind)
{
    primitive->square =
        primitive->kind == CRANK_PRODUCT && is_same(&primitive->a, &primitive->b);
    primitive->bodies = 0;
    if (primitive->kind == CRANK_PRODUCT || primitive->kind == CRANK_SLIDE) {
        add_vector(primitive, &primitive->a);
        add_vector(primitive, &primitive->b);
    } else {
        if (primitive->kind == CRANK_TURN) {
            add_vector(primitive, &primitive->a);
        }
        add_body(primitive, primitive->first);
        add_body(primitive, primitive->second);
    }
    primitive->np = primitive->nv = 0;
    for (int i = 0; i < primitive->bodies; i++) {
        primitive->p0[i] = primitive->np;
        primitive->v0[i] = primitive->nv;
        primitive->np += crank_body_positions(kind[primitive->body[i]]);
        primitive->nv += crank_body_velocities(kind[primitive->body[i]]);
    }
}

/* J += a^T db'/dv */
static void add_slide(const crank_primitive *primitive, const crank_body_state *state,
                      const double a[3], const crank_vector *b, double *J)
{
    for (int i = 0; i < b->count; i++) {
        const crank_marker *m = &b->marker[i];
        if (m->body < 0) {
            continue;
        }
        const crank_body_state *s = &state[m->body];
        double sign = i == 0 ? 1.0 : -1.0;
        double *Jb = J + primitive->v0[crank_primitive_slot(primitive, m->body)];
        if (m->point) {
            for (int k = 0; k < crank_body_translations(s->kind); k++) {
                Jb[k] += sign * a[k];
            }
        }
        if (s->kind == CRANK_BODY_SPATIAL) {
            double local[3], moment[3];
            crank_mat3_transposed_times(local, s->R, a);
            crank_cross3(moment, m->u, local);
            crank_add3(Jb + 3, sign, moment);
        } else if (s->kind == CRANK_BODY_PLANAR) {
            double x = s->R[0] * m->u[0] + s->R[1] * m->u[1];
            double y = s->R[3] * m->u[0] + s->R[4] * m->u[1];
            Jb[2] += sign * (x * a[1] - y * a[0]);
        }
    }
}

/* J += sign R^T a on the angular velocity of a body */
static void add_turn(const crank_primitive *primitive, const crank_body_state *state, int body,
                     double sign, const double a[3], double *J)
{
    if (body < 0) {
        return;
    }
    double *Jb = J + primitive->v0[crank_primitive_slot(primitive, body)];
    if (state[body].kind == CRANK_BODY_SPATIAL) {
        double local[3];
        crank_mat3_transposed_times(local, state[body].R, a);
        crank_add3(Jb + 3, sign, local);
    } else if (state[body].kind == CRANK_BODY_PLANAR) {
        Jb[2] += sign * a[2];
    }
}

static void square(const crank_primitive *primitive, const crank_body_state *state,
                   crank_local *out)
{
    const crank_jet a = crank_vector_jet(&primitive->a, state);
    const double twice[3] = {2.0 * a.value[0], 2.0 * a.value[1], 2.0 * a.value[2]};
    add_slide(primitive, state, twice, &primitive->a, out->J);
    out->y = crank_dot3(a.value, a.value);
    out->rate = 2.0 * crank_dot3(a.value, a.rate);
    out->bias = 2.0 * (crank_dot3(a.rate, a.rate) + crank_dot3(a.value, a.bias));
}

static void product(const crank_primitive *primitive, const crank_body_state *state,
                    crank_local *out)
{
    crank_jet a = crank_vector_jet(&primitive->a, state);
    crank_jet b = crank_vector_jet(&primitive->b, state);
    add_slide(primitive, state, a.value, &primitive->b, out->J);
    out->rate = crank_dot3(a.value, b.rate);
    out->bias = crank_dot3(a.rate, b.rate) + crank_dot3(a.value, b.bias);
    if (primitive->kind == CRANK_PRODUCT) {
        add_slide(primitive, state, b.value, &primitive->a, out->J);
        out->y = crank_dot3(a.value, b.value);
        out->rate += crank_dot3(a.rate, b.value);
        out->bias += crank_dot3(a.rate, b.rate) + crank_dot3(a.bias, b.value);
    }
}

static void turn(const crank_primitive *primitive, const crank_body_state *state,
                 crank_local *out)
{
    crank_jet a = crank_vector_jet(&primitive->a, state);
    double w[3], w1[3];
    add_turn(primitive, state, primitive->second, 1.0, a.value, out->J);
    add_turn(primitive, state, primitive->first, -1.0, a.value, out->J);
    crank_body_spin(w, state, primitive->second);
    crank_body_spin(w1, state, primitive->first);
    crank_add3(w, -1.0, w1);
    out->rate = crank_dot3(a.value, w);
    out->bias = crank_dot3(a.rate, w);
}

static void angle(const crank_primitive *primitive, const crank_body_state *state,
                  crank_local *out)
{
    const int body[2] = {primitive->first, primitive->second};
    for (int i = 0; i < 2; i++) {
        double sign = i == 0 ? -1.0 : 1.0;
        if (body[i] >= 0) {
            assert(state[body[i]].kind == CRANK_BODY_PLANAR);
            out->J[primitive->v0[crank_primitive_slot(primitive, body[i])] + 2] += sign;
            out->y += sign * state[body[i]].angle;
            out->rate += sign * state[body[i]].omega[2];
        }
    }
}

void crank_primitive_values(const crank_primitive *primitive, const crank_body_state *state,
                            crank_local *out)
{
    memset(out->J, 0, (size_t)primitive->nv * sizeof *out->J);
    out->y = out->rate = out->bias = 0.0;
    switch (primitive->kind) {
    case CRANK_PRODUCT:
    case CRANK_SLIDE:
        if (primitive->square) {
            square(primitive, state, out);
        } else {
            product(primitive, state, out);
        }
        break;
    case CRANK_TURN:
        turn(primitive, state, out);
        break;
    case CRANK_ANGLE:
        angle(primitive, state, out);
        break;
    }
    out->acceleration = out->bias;
    for (int i = 0; i < primitive->bodies; i++) {
        const crank_body_state *s = &state[primitive->body[i]];
        const double *J = out->J + primitive->v0[i];
        int translations = crank_body_translations(s->kind);
        for (int k = 0; k < translations; k++) {
            out->acceleration += J[k] * s->a[k];
        }
        if (s->kind == CRANK_BODY_SPATIAL) {
            out->acceleration += crank_dot3(J + 3, s->alpha);
        } else if (s->kind == CRANK_BODY_PLANAR) {
            out->acceleration += J[2] * s->alpha[2];
        }
    }
}
