/* emit_frame.c - from the frame before a link to that behind it and back. With c = cos q, s =
 * sin q about the axis k, i and j the next ones,
 *
 *     u_i = c u'_i - s u'_j,   u_j = s u'_i + c u'_j
 *     w = s (M'_ii - M'_jj) + c (M'_ij + M'_ji)                              theory (7.81)
 *     M_ii = M'_ii - s w,   M_jj = M'_jj + s w,   M_ij = c w - M'_ji,   M_ji = c w - M'_ij */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/emit.h"

void emit_to_behind(T *t, const emit_step *s, N u[3])
{
    N v[3];
    if (s->link->kind == CRANK_LINK_BALL) {
        emit_times(t, v, s->E, u);
        memcpy(u, v, sizeof v);
        return;
    }
    if (s->link->kind != CRANK_LINK_TURN) {
        return;
    }
    if (!s->aligned) {
        emit_transposed_times(t, v, s->frame, u);
        memcpy(u, v, sizeof v);
    }
    const int i = (s->k + 1) % 3, j = (s->k + 2) % 3;
    const N a = u[i], b = u[j];
    u[i] = emit_plus(t, crank_trace_mul(t, s->cos, a), s->sin, b);
    u[j] = emit_minus(t, crank_trace_mul(t, s->cos, b), s->sin, a);
}

void emit_to_before(T *t, const emit_step *s, N u[3])
{
    N v[3];
    if (s->link->kind == CRANK_LINK_BALL) {
        emit_transposed_times(t, v, s->E, u);
        memcpy(u, v, sizeof v);
        return;
    }
    if (s->link->kind != CRANK_LINK_TURN) {
        return;
    }
    const int i = (s->k + 1) % 3, j = (s->k + 2) % 3;
    const N a = u[i], b = u[j];
    u[i] = emit_minus(t, crank_trace_mul(t, s->cos, a), s->sin, b);
    u[j] = emit_plus(t, crank_trace_mul(t, s->cos, b), s->sin, a);
    if (!s->aligned) {
        emit_times(t, v, s->frame, u);
        memcpy(u, v, sizeof v);
    }
}

/* M -> R M R^T, R as it stands */
static void congruence(T *t, const N R[9], N M[9])
{
    N left[9], out[9];
    emit_multiply(t, left, R, M);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = emit_dot(t, left + 3 * i, R + 3 * j);
        }
    }
    memcpy(M, out, sizeof out);
}

static void turn_matrix(T *t, const emit_step *s, N M[9])
{
    const int k = s->k, i = (k + 1) % 3, j = (k + 2) % 3;
    N *ii = &M[4 * i], *jj = &M[4 * j], *ij = &M[3 * i + j], *ji = &M[3 * j + i];
    const N before_ij = *ij;
    const N w = emit_plus(t, crank_trace_mul(t, s->sin, crank_trace_sub(t, *ii, *jj)), s->cos,
                          crank_trace_add(t, *ij, *ji));
    const N sw = crank_trace_mul(t, s->sin, w), cw = crank_trace_mul(t, s->cos, w);
    *ii = crank_trace_sub(t, *ii, sw);
    *jj = crank_trace_add(t, *jj, sw);
    *ij = crank_trace_sub(t, cw, *ji);
    *ji = crank_trace_sub(t, cw, before_ij);
    const int pair[2][2] = {{3 * i + k, 3 * j + k}, {3 * k + i, 3 * k + j}};
    for (int p = 0; p < 2; p++) {
        const N a = M[pair[p][0]], b = M[pair[p][1]];
        M[pair[p][0]] = emit_minus(t, crank_trace_mul(t, s->cos, a), s->sin, b);
        M[pair[p][1]] = emit_plus(t, crank_trace_mul(t, s->cos, b), s->sin, a);
    }
}

void emit_matrix_to_before(T *t, const emit_step *s, N M[9])
{
    if (s->link->kind == CRANK_LINK_BALL) {
        N R[9];
        for (int i = 0; i < 9; i++) {
            R[i] = s->E[3 * (i % 3) + i / 3];
        }
        congruence(t, R, M);
    } else if (s->link->kind == CRANK_LINK_TURN) {
        turn_matrix(t, s, M);
        if (!s->aligned) {
            congruence(t, s->frame, M);
        }
    }
}

void emit_symmetric_to_before(T *t, const emit_step *s, N S[6])
{
    N M[9];
    emit_widen(S, M);
    emit_matrix_to_before(t, s, M);
    emit_narrow(M, S);
}
