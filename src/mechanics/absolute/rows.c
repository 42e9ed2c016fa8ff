/* rows.c - absolute coordinates: states of the bodies, the rows that bodies have by themselves,
 * and their derivatives.
 *
 *     n     (q.q - 1)/2      q                              theory (7.3)
 *     dyn   v' = w           I by w
 *     kin   p' = Z v         (Z v)_p, Z                     theory (7.2)
 * and the inertia in d: M by w, (omega x J omega)_omega, theory (7.5). */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/absolute/absolute.h"

#include <string.h>

/* ---- states ---- */

/* what changes of a planar body once its state was set */
static void move_planar(crank_body_state *q, const double *p, const double *v, const double *a)
{
    q->x[0] = p[0];
    q->x[1] = p[1];
    q->angle = p[2];
    q->v[0] = v[0];
    q->v[1] = v[1];
    q->omega[2] = v[2];
    q->a[0] = a[0];
    q->a[1] = a[1];
    q->alpha[2] = a[2];
    q->R[0] = q->R[4] = cos(p[2]);
    q->R[3] = sin(p[2]);
    q->R[1] = -q->R[3];
}

void crank_absolute_states(crank_system *s, double t, const double *x)
{
    (void)t;
    for (int i = 0; i < s->body_count; i++) {
        const crank_absolute_body *b = crank_absolute_of(s, i);
        if (s->state[i].kind == CRANK_BODY_PLANAR && s->state[i].R[8] == 1.0) {
            move_planar(&s->state[i], x + b->p, x + b->v, x + b->a);
            continue;
        }
        crank_body_state_set(&s->state[i], s->body[i].kind, x + b->p, x + b->v, x + b->a);
    }
}

void crank_absolute_state(const crank_system *s, int body, double t, const double *x,
                          crank_body_state *out)
{
    const crank_absolute_body *b = crank_absolute_of(s, body);
    (void)t;
    crank_body_state_set(out, s->body[body].kind, x + b->p, x + b->v, NULL);
}

/* ---- rows ---- */

void crank_absolute_rows(const crank_system *s, const double *x, double *k)
{
    for (int i = 0; i < s->body_count; i++) {
        const crank_absolute_body *b = crank_absolute_of(s, i);
        const crank_body_state *q = &s->state[i];
        crank_body_kinematics(q, k + b->kin);
        memcpy(k + b->dyn, x + b->a, (size_t)b->nv * sizeof *k);
        if (b->n >= 0) {
            const double *e = q->q;
            k[b->n] = 0.5 * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0);
        }
    }
}

void crank_absolute_differential(crank_system *s, double t, const double *x, double *k)
{
    (void)t;
    for (int i = 0; i < s->body_count; i++) {
        const crank_absolute_body *b = crank_absolute_of(s, i);
        crank_body_state_set(&s->state[i], s->body[i].kind, x + b->p, x + b->v, x + b->a);
        crank_body_kinematics(&s->state[i], k + b->kin);
        memcpy(k + b->dyn, x + b->a, (size_t)b->nv * sizeof *k);
    }
}

/* ---- derivatives ---- */

/* J alpha + omega x J omega: by alpha and by omega; c = J omega */
static void fill_rotation(const crank_absolute_body *b, const double *J, const double *o,
                          crank_fill *fill)
{
    double c[3], turn[9];
    crank_mat3_times(c, J, o);
    for (int j = 0; j < 3; j++) { /* omega x (J e_j) */
        turn[j] = o[1] * J[6 + j] - o[2] * J[3 + j];
        turn[3 + j] = o[2] * J[j] - o[0] * J[6 + j];
        turn[6 + j] = o[0] * J[3 + j] - o[1] * J[j];
    }
    /* e_j x c */
    turn[1] += c[2];
    turn[2] -= c[1];
    turn[3] -= c[2];
    turn[5] += c[0];
    turn[6] += c[1];
    turn[7] -= c[0];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            crank_fill_add(fill, b->d + 3 + i, b->a + 3 + j, J[3 * i + j]);
            crank_fill_add(fill, b->d + 3 + i, b->v + 3 + j, turn[3 * i + j]);
        }
    }
}

static void fill_kinematics(const crank_absolute_body *b, const crank_body_state *q,
                            crank_fill *fill)
{
    double by_p[CRANK_BODY_MAX_P * CRANK_BODY_MAX_P], by_v[CRANK_BODY_MAX_P * CRANK_BODY_MAX_V];
    if (q->kind != CRANK_BODY_SPATIAL) {
        for (int i = 0; i < b->np; i++) {
            crank_fill_add(fill, b->kin + i, b->v + i, 1.0);
        }
        return;
    }
    crank_body_kinematics_jacobian(q, by_p, by_v);
    for (int i = 0; i < b->np; i++) {
        crank_fill_row(fill, b->kin + i, b->p, b->np, 1.0, by_p + i * b->np);
        crank_fill_row(fill, b->kin + i, b->v, b->nv, 1.0, by_v + i * b->nv);
    }
}

static void fill_body(const crank_body *body, const crank_absolute_body *b,
                      const crank_body_state *q, crank_fill *fill)
{
    const int directions = crank_body_translations(body->kind);
    for (int i = 0; i < directions; i++) {
        crank_fill_add(fill, b->d + i, b->a + i, body->mass);
    }
    if (body->kind == CRANK_BODY_PLANAR) {
        crank_fill_add(fill, b->d + 2, b->a + 2, body->inertia[8]);
    } else if (body->kind == CRANK_BODY_SPATIAL) {
        fill_rotation(b, body->inertia, q->omega, fill);
    }
    for (int i = 0; i < b->nv; i++) {
        crank_fill_add(fill, b->dyn + i, b->a + i, 1.0);
    }
    fill_kinematics(b, q, fill);
    if (b->n >= 0) {
        crank_fill_row(fill, b->n, b->p + 3, 4, 1.0, q->q);
    }
}

void crank_absolute_fill(const crank_system *s, crank_fill *fill)
{
    for (int i = 0; i < s->body_count; i++) {
        fill_body(&s->body[i], crank_absolute_of(s, i), &s->state[i], fill);
    }
}
