/* primitive.h - what values and derivatives of primitives share: motion of a marker and of a
 * vector. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_PRIMITIVE_H
#define CRANK_SRC_PRIMITIVE_H

#include "linalg/rotation.h"
#include "mechanics/kinematics.h"

/* a vector, its velocity and its acceleration without the carried accelerations */
typedef struct crank_jet {
    double value[3], rate[3], bias[3];
} crank_jet;

static inline crank_jet crank_marker_jet(const crank_marker *m, const crank_body_state *state)
{
    crank_jet jet = {{m->u[0], m->u[1], m->u[2]}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (m->body < 0) {
        return jet;
    }
    const crank_body_state *s = &state[m->body];
    if (s->kind == CRANK_BODY_SPATIAL) {
        double c[3], cc[3];
        crank_cross3(c, s->omega, m->u);
        crank_cross3(cc, s->omega, c);
        crank_mat3_times(jet.value, s->R, m->u);
        crank_mat3_times(jet.rate, s->R, c);
        crank_mat3_times(jet.bias, s->R, cc);
    } else if (s->kind == CRANK_BODY_PLANAR) {
        double w = s->omega[2];
        double r[2] = {s->R[0] * m->u[0] + s->R[1] * m->u[1],
                       s->R[3] * m->u[0] + s->R[4] * m->u[1]};
        jet = (crank_jet){{r[0], r[1], m->u[2]},
                          {-w * r[1], w * r[0], 0.0},
                          {-w * w * r[0], -w * w * r[1], 0.0}};
    }
    if (m->point) {
        crank_add3(jet.value, 1.0, s->x);
        crank_add3(jet.rate, 1.0, s->v);
    }
    return jet;
}

static inline crank_jet crank_vector_jet(const crank_vector *a, const crank_body_state *state)
{
    crank_jet jet = crank_marker_jet(&a->marker[0], state);
    if (a->count == 2) {
        crank_jet other = crank_marker_jet(&a->marker[1], state);
        crank_add3(jet.value, -1.0, other.value);
        crank_add3(jet.rate, -1.0, other.rate);
        crank_add3(jet.bias, -1.0, other.bias);
    }
    return jet;
}

/* World components of a body's angular velocity, R omega; ground: zero. */
static inline void crank_body_spin(double w[3], const crank_body_state *state, int body)
{
    w[0] = w[1] = w[2] = 0.0;
    if (body >= 0 && state[body].kind == CRANK_BODY_SPATIAL) {
        crank_mat3_times(w, state[body].R, state[body].omega);
    } else if (body >= 0) {
        w[2] = state[body].omega[2];
    }
}

/* Place of a body among those of the primitive. */
static inline int crank_primitive_slot(const crank_primitive *primitive, int body)
{
    int slot = 0;
    while (primitive->body[slot] != body) {
        slot++;
    }
    return slot;
}

#endif
