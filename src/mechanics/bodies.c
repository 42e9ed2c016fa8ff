/* bodies.c - one body at one point: its rotation matrix, q' = 1/2 q o omega and its
 * derivatives. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/kinematics.h"

#include <string.h>

int crank_body_positions(crank_body_kind kind)
{
    return kind == CRANK_BODY_SPATIAL ? 7 : kind == CRANK_BODY_PLANAR_POINT ? 2 : 3;
}

int crank_body_velocities(crank_body_kind kind)
{
    return kind == CRANK_BODY_SPATIAL ? 6 : kind == CRANK_BODY_PLANAR_POINT ? 2 : 3;
}

static void copy(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++) {
        to[i] = from[i];
    }
}

void crank_body_state_set(crank_body_state *state, crank_body_kind kind, const double *p,
                          const double *v, const double *a)
{
    memset(state, 0, sizeof *state);
    state->kind = kind;
    int translations = crank_body_translations(kind);
    copy(state->x, p, translations);
    copy(state->v, v, translations);
    if (a != NULL) {
        copy(state->a, a, translations);
    }
    state->R[0] = state->R[4] = state->R[8] = 1.0;
    if (kind == CRANK_BODY_SPATIAL) {
        copy(state->q, p + 3, 4);
        copy(state->omega, v + 3, 3);
        if (a != NULL) {
            copy(state->alpha, a + 3, 3);
        }
        crank_quaternion_matrix(state->R, state->q);
    } else if (kind == CRANK_BODY_PLANAR) {
        state->angle = p[2];
        state->omega[2] = v[2];
        state->alpha[2] = a != NULL ? a[2] : 0.0;
        state->R[0] = state->R[4] = cos(p[2]);
        state->R[3] = sin(p[2]);
        state->R[1] = -state->R[3];
    }
}

void crank_body_kinematics(const crank_body_state *state, double *pdot)
{
    const double *q = state->q, *w = state->omega;
    switch (state->kind) {
    case CRANK_BODY_SPATIAL:
        copy(pdot, state->v, 3);
        pdot[3] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
        pdot[4] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
        pdot[5] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
        pdot[6] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
        break;
    case CRANK_BODY_PLANAR:
        copy(pdot, state->v, 2);
        pdot[2] = w[2];
        break;
    case CRANK_BODY_POINT:
        copy(pdot, state->v, 3);
        break;
    case CRANK_BODY_PLANAR_POINT:
        copy(pdot, state->v, 2);
        break;
    }
}

void crank_body_kinematics_jacobian(const crank_body_state *state, double *by_p, double *by_v)
{
    int np = crank_body_positions(state->kind), nv = crank_body_velocities(state->kind);
    memset(by_p, 0, (size_t)(np * np) * sizeof *by_p);
    memset(by_v, 0, (size_t)(np * nv) * sizeof *by_v);
    if (state->kind != CRANK_BODY_SPATIAL) {
        for (int i = 0; i < np; i++) {
            by_v[i * nv + i] = 1.0;
        }
        return;
    }
    double by_q[4][4], by_omega[4][3];
    crank_quaternion_product_matrices(state->q, state->omega, by_q, by_omega);
    for (int i = 0; i < 3; i++) {
        by_v[i * nv + i] = 1.0;
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            by_p[(3 + i) * np + 3 + j] = 0.5 * by_q[i][j];
        }
        for (int j = 0; j < 3; j++) {
            by_v[(3 + i) * nv + 3 + j] = 0.5 * by_omega[i][j];
        }
    }
}
