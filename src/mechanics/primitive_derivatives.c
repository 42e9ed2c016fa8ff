/* primitive_derivatives.c - derivatives of the primitives by the positions: Y, K = dJ/dp and
 * dbias/dp.
 *
 * With B_a = da/dp (a marker: identity on x, dR(q)u/dq on q) and A_b = db'/dv:
 *     slide   K = A_b^T B_a + d(A_b^T a)/dp at fixed a,
 *             dbias/dp = b'^T da'/dp + a'^T db'/dp + b''_0^T B_a + a^T db''_0/dp
 *     turn    the same with the columns R e_i of the angular velocities in place of A_b.
 * dR(q)c/dq is linear in q (rotation.h); of planar bodies dRc/dtheta = e_z x R c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/primitive.h"

#include <string.h>

/* Row g += sign d(w . R c)/d(rotation coordinates of the body); g: of the body. */
static void add_rotation(double *g, const crank_body_state *s, double sign, const double w[3],
                         const double c[3])
{
    if (s->kind == CRANK_BODY_SPATIAL) {
        double d[4];
        crank_quaternion_gradient(d, s->q, w, c);
        for (int j = 0; j < 4; j++) {
            g[3 + j] += sign * d[j];
        }
    } else if (s->kind == CRANK_BODY_PLANAR) {
        double x = s->R[0] * c[0] + s->R[1] * c[1], y = s->R[3] * c[0] + s->R[4] * c[1];
        g[2] += sign * (x * w[1] - y * w[0]);
    }
}

/* Row g += w^T B_a; g: of the primitive. */
static void add_position(const crank_primitive *primitive, const crank_body_state *state,
                         const crank_vector *a, const double w[3], double *g)
{
    for (int i = 0; i < a->count; i++) {
        const crank_marker *m = &a->marker[i];
        if (m->body < 0) {
            continue;
        }
        const crank_body_state *s = &state[m->body];
        double sign = i == 0 ? 1.0 : -1.0;
        double *gb = g + primitive->p0[crank_primitive_slot(primitive, m->body)];
        if (m->point) {
            for (int k = 0; k < crank_body_translations(s->kind); k++) {
                gb[k] += sign * w[k];
            }
        }
        add_rotation(gb, s, sign, w, m->u);
    }
}

/* Row g += w1^T da'/dp + w2^T da''_0/dp. w2 may be NULL. */
static void add_velocity(const crank_primitive *primitive, const crank_body_state *state,
                         const crank_vector *a, const double w1[3], const double *w2, double *g)
{
    for (int i = 0; i < a->count; i++) {
        const crank_marker *m = &a->marker[i];
        if (m->body < 0) {
            continue;
        }
        const crank_body_state *s = &state[m->body];
        double sign = i == 0 ? 1.0 : -1.0, c[3], cc[3];
        double *gb = g + primitive->p0[crank_primitive_slot(primitive, m->body)];
        crank_cross3(c, s->omega, m->u);
        add_rotation(gb, s, sign, w1, c);
        if (w2 != NULL) {
            crank_cross3(cc, s->omega, c);
            add_rotation(gb, s, sign, w2, cc);
        }
    }
}

/* B of a vector's markers, ready for many rows w^T B */
typedef struct position_matrix {
    int count;
    int column[2], translations[2], rotations[2]; /* translations: 0 of directions */
    int offset[2];                                /* of the rotations, from column */
    double sign[2], D[2][12];                     /* 3 x rotations */
} position_matrix;

static position_matrix make_position_matrix(const crank_primitive *primitive,
                                            const crank_body_state *state,
                                            const crank_vector *a)
{
    position_matrix B;
    B.count = 0;
    for (int i = 0; i < a->count; i++) {
        const crank_marker *m = &a->marker[i];
        if (m->body < 0) {
            continue;
        }
        const crank_body_state *s = &state[m->body];
        int n = B.count++;
        B.sign[n] = i == 0 ? 1.0 : -1.0;
        B.column[n] = primitive->p0[crank_primitive_slot(primitive, m->body)];
        B.offset[n] = crank_body_translations(s->kind);
        B.translations[n] = m->point ? B.offset[n] : 0;
        B.rotations[n] = 0;
        if (s->kind == CRANK_BODY_SPATIAL) {
            B.rotations[n] = 4;
            crank_quaternion_derivative(B.D[n], s->q, m->u);
        } else if (s->kind == CRANK_BODY_PLANAR) {
            B.rotations[n] = 1;
            B.D[n][0] = -(s->R[3] * m->u[0] + s->R[4] * m->u[1]);
            B.D[n][1] = s->R[0] * m->u[0] + s->R[1] * m->u[1];
            B.D[n][2] = 0.0;
        }
    }
    return B;
}

/* g += w^T B */
static void add_row(const position_matrix *B, const double w[3], double *g)
{
    for (int i = 0; i < B->count; i++) {
        double *gb = g + B->column[i],
               f[3] = {B->sign[i] * w[0], B->sign[i] * w[1], B->sign[i] * w[2]};
        for (int k = 0; k < 3 && k < B->translations[i]; k++) {
            gb[k] += f[k];
        }
        gb += B->offset[i];
        int n = B->rotations[i];
        for (int j = 0; j < n; j++) {
            gb[j] += f[0] * B->D[i][j] + f[1] * B->D[i][n + j] + f[2] * B->D[i][2 * n + j];
        }
    }
}

/* K += derivative of a^T A_b; a: value of the vector with B_a = B */
static void add_slide(const crank_primitive *primitive, const crank_body_state *state,
                      const double a[3], const position_matrix *B, const crank_vector *b,
                      double *K)
{
    int np = primitive->np;
    for (int i = 0; i < b->count; i++) {
        const crank_marker *m = &b->marker[i];
        if (m->body < 0) {
            continue;
        }
        const crank_body_state *s = &state[m->body];
        int slot = crank_primitive_slot(primitive, m->body);
        int translations = crank_body_translations(s->kind);
        double sign = i == 0 ? 1.0 : -1.0;
        double *Kb = K + primitive->v0[slot] * np;
        if (m->point) {
            for (int k = 0; k < translations; k++) {
                double w[3] = {0.0, 0.0, 0.0};
                w[k] = sign;
                add_row(B, w, Kb + k * np);
            }
        }
        Kb += translations * np;
        int first = s->kind == CRANK_BODY_SPATIAL ? 0 : s->kind == CRANK_BODY_PLANAR ? 2 : 3;
        for (int k = first; k < 3; k++, Kb += np) {
            double e[3] = {0.0, 0.0, 0.0}, c[3], w[3];
            e[k] = sign;
            crank_cross3(c, e, m->u);
            crank_mat3_times(w, s->R, c);
            add_row(B, w, Kb);
            add_rotation(Kb + primitive->p0[slot], s, 1.0, a, c);
        }
    }
}

static void slide(const crank_primitive *primitive, const crank_body_state *state,
                  const crank_vector *a, const crank_vector *b, crank_local *out)
{
    crank_jet ja = crank_vector_jet(a, state), jb = crank_vector_jet(b, state);
    position_matrix B = make_position_matrix(primitive, state, a);
    add_slide(primitive, state, ja.value, &B, b, out->K);
    add_velocity(primitive, state, a, jb.rate, NULL, out->bias_p);
    add_velocity(primitive, state, b, ja.rate, ja.value, out->bias_p);
    add_row(&B, jb.bias, out->bias_p);
    if (primitive->kind == CRANK_PRODUCT) {
        add_row(&B, jb.value, out->Y);
    }
}

static void turn(const crank_primitive *primitive, const crank_body_state *state,
                 crank_local *out)
{
    const crank_vector *a = &primitive->a;
    crank_jet ja = crank_vector_jet(a, state);
    double w[2][3], relative[3];
    const int body[2] = {primitive->first, primitive->second};
    for (int i = 0; i < 2; i++) {
        crank_body_spin(w[i], state, body[i]);
        if (body[i] < 0) {
            continue;
        }
        const crank_body_state *s = &state[body[i]];
        double sign = i == 0 ? -1.0 : 1.0;
        int slot = crank_primitive_slot(primitive, body[i]);
        int first = s->kind == CRANK_BODY_SPATIAL ? 0 : s->kind == CRANK_BODY_PLANAR ? 2 : 3;
        double *K =
            out->K + (primitive->v0[slot] + crank_body_translations(s->kind)) * primitive->np;
        for (int k = first; k < 3; k++, K += primitive->np) {
            double e[3] = {0.0, 0.0, 0.0}, column[3];
            e[k] = sign;
            crank_mat3_times(column, s->R, e);
            add_position(primitive, state, a, column, K);
            add_rotation(K + primitive->p0[slot], s, 1.0, ja.value, e);
        }
        add_rotation(out->bias_p + primitive->p0[slot], s, sign, ja.rate, s->omega);
    }
    for (int k = 0; k < 3; k++) {
        relative[k] = w[1][k] - w[0][k];
    }
    add_velocity(primitive, state, a, relative, NULL, out->bias_p);
}

/* the product of a vector with itself is two equal slides */
static void double_all(const crank_primitive *primitive, crank_local *out)
{
    const int np = primitive->np, entries = primitive->nv * np;
    for (int j = 0; j < np; j++) {
        out->Y[j] *= 2.0;
        out->bias_p[j] *= 2.0;
    }
    for (int i = 0; i < entries; i++) {
        out->K[i] *= 2.0;
    }
}

void crank_primitive_derivatives(const crank_primitive *primitive,
                                 const crank_body_state *state, crank_local *out)
{
    size_t np = (size_t)primitive->np, nv = (size_t)primitive->nv;
    memset(out->Y, 0, np * sizeof *out->Y);
    memset(out->K, 0, nv * np * sizeof *out->K);
    memset(out->bias_p, 0, np * sizeof *out->bias_p);
    switch (primitive->kind) {
    case CRANK_PRODUCT:
        slide(primitive, state, &primitive->b, &primitive->a, out);
        if (primitive->square) {
            double_all(primitive, out);
        } else {
            slide(primitive, state, &primitive->a, &primitive->b, out);
        }
        break;
    case CRANK_SLIDE:
        slide(primitive, state, &primitive->a, &primitive->b, out);
        break;
    case CRANK_TURN:
        turn(primitive, state, out);
        break;
    case CRANK_ANGLE:
        for (int i = 0; i < primitive->bodies; i++) {
            if (primitive->first != primitive->second) {
                out->Y[primitive->p0[i] + 2] =
                    primitive->body[i] == primitive->second ? 1.0 : -1.0;
            }
        }
        break;
    }
}

void crank_primitive_motion(const crank_primitive *primitive, const crank_body_state *state,
                            const crank_local *local, double *rate_p, double *acceleration_p,
                            double *acceleration_v)
{
    double v[CRANK_PRIMITIVE_BODIES * CRANK_BODY_MAX_V] = {0.0};
    double a[CRANK_PRIMITIVE_BODIES * CRANK_BODY_MAX_V] = {0.0};
    double pdot[CRANK_PRIMITIVE_BODIES * CRANK_BODY_MAX_P] = {0.0};
    int np = primitive->np, nv = primitive->nv;
    for (int i = 0; i < primitive->bodies; i++) {
        const crank_body_state *s = &state[primitive->body[i]];
        int translations = crank_body_translations(s->kind);
        double *vb = v + primitive->v0[i], *ab = a + primitive->v0[i];
        memcpy(vb, s->v, (size_t)translations * sizeof *vb);
        memcpy(ab, s->a, (size_t)translations * sizeof *ab);
        if (s->kind == CRANK_BODY_SPATIAL) {
            memcpy(vb + 3, s->omega, sizeof s->omega);
            memcpy(ab + 3, s->alpha, sizeof s->alpha);
        } else if (s->kind == CRANK_BODY_PLANAR) {
            vb[2] = s->omega[2];
            ab[2] = s->alpha[2];
        }
        crank_body_kinematics(s, pdot + primitive->p0[i]);
    }
    memset(rate_p, 0, (size_t)np * sizeof *rate_p);
    memcpy(acceleration_p, local->bias_p, (size_t)np * sizeof *acceleration_p);
    for (int i = 0; i < nv; i++) {
        const double *K = local->K + i * np;
        double sum = 0.0;
        for (int j = 0; j < np; j++) {
            rate_p[j] += K[j] * v[i];
            acceleration_p[j] += K[j] * a[i];
            sum += K[j] * pdot[j];
        }
        acceleration_v[i] = sum;
    }
    /* + Z^T rate_p: on omega 1/2 (q o .)^T */
    for (int i = 0; i < primitive->bodies; i++) {
        const crank_body_state *s = &state[primitive->body[i]];
        const double *rp = rate_p + primitive->p0[i];
        double *av = acceleration_v + primitive->v0[i];
        int plain = s->kind == CRANK_BODY_SPATIAL ? 3 : crank_body_velocities(s->kind);
        for (int k = 0; k < plain; k++) {
            av[k] += rp[k];
        }
        if (s->kind == CRANK_BODY_SPATIAL) {
            const double *q = s->q, *r = rp + 3;
            av[3] += 0.5 * (-q[1] * r[0] + q[0] * r[1] + q[3] * r[2] - q[2] * r[3]);
            av[4] += 0.5 * (-q[2] * r[0] - q[3] * r[1] + q[0] * r[2] + q[1] * r[3]);
            av[5] += 0.5 * (-q[3] * r[0] + q[2] * r[1] - q[1] * r[2] + q[0] * r[3]);
        }
    }
}
