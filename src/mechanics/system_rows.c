/* system_rows.c - the rows k(t, x) of a mechanism.
 *
 *     d     m (x'' - g),  J omega' + omega x J omega    plus what joints and forces exert      theory (7.5)
 *     n     (q.q - 1)/2                                                                        theory (7.3)
 *     dyn   v' = w,   kin   p' = Z v                                                           theory (7.2) */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/law.h"

#include <string.h>

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

static void set_states(crank_system *s, const double *x)
{
    for (int i = 0; i < s->body_count; i++) {
        const crank_body *b = &s->body[i];
        if (s->state[i].kind == CRANK_BODY_PLANAR && s->state[i].R[8] == 1.0) {
            move_planar(&s->state[i], x + b->p, x + b->v, x + b->a);
            continue;
        }
        crank_body_state_set(&s->state[i], b->kind, x + b->p, x + b->v, x + b->a);
    }
}

void crank_system_point(crank_system *s, const double *x)
{
    set_states(s, x);
    for (int i = 0; i < s->primitive_count; i++) {
        crank_primitive_values(&s->primitive[i], s->state, &s->local[i]);
    }
}

void crank_system_rows_point(crank_system *s, const double *x)
{
    set_states(s, x);
    for (int i = 0; i < s->needed_count; i++) {
        const int j = s->needed[i];
        crank_primitive_values(&s->primitive[j], s->state, &s->local[j]);
    }
}

static void body_balance(const crank_system *s, const crank_body *b, const crank_body_state *q,
                         double *d)
{
    const int directions = crank_body_translations(b->kind);
    for (int i = 0; i < directions; i++) {
        d[i] = b->mass * (q->a[i] - s->gravity[i]);
    }
    if (b->kind == CRANK_BODY_PLANAR) {
        d[2] = b->inertia[8] * q->alpha[2];
    } else if (b->kind == CRANK_BODY_SPATIAL) {
        double h[3], turn[3]; /* angular momentum, omega x h */
        crank_mat3_times(h, b->inertia, q->omega);
        crank_mat3_times(d + 3, b->inertia, q->alpha);
        crank_cross3(turn, q->omega, h);
        crank_add3(d + 3, 1.0, turn);
    }
}

void crank_system_body_rows(const crank_system *s, const double *x, double *k)
{
    for (int i = 0; i < s->body_count; i++) {
        const crank_body *b = &s->body[i];
        const crank_body_state *q = &s->state[i];
        crank_body_kinematics(q, k + b->kin);
        memcpy(k + b->dyn, x + b->a, (size_t)b->nv * sizeof *k);
        body_balance(s, b, q, k + b->d);
        if (b->n >= 0) {
            const double *e = q->q;
            k[b->n] = 0.5 * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0);
        }
    }
}

/* rows that need positions, velocities and accelerations of bodies only */
static void differential_rows(crank_system *s, const double *x, double *k)
{
    for (int i = 0; i < s->body_count; i++) {
        const crank_body *b = &s->body[i];
        crank_body_state_set(&s->state[i], b->kind, x + b->p, x + b->v, x + b->a);
        crank_body_kinematics(&s->state[i], k + b->kin);
        memcpy(k + b->dyn, x + b->a, (size_t)b->nv * sizeof *k);
    }
}

/* the law whose value is not finite, or NULL */
static const crank_law *evaluate_point(crank_system *s, double t, const double *x, int rows,
                                       double *k)
{
    if (rows == CRANK_DIFFERENTIAL && s->eom->sizes.r == 0) {
        differential_rows(s, x, k);
        return NULL;
    }
    memset(k, 0, (size_t)s->eom->m * sizeof *k);
    crank_system_rows_point(s, x);
    crank_system_body_rows(s, x, k);
    crank_system_constraints(s, &(crank_wanted){.x = x, .k = k});
    for (int i = 0; i < s->law_count; i++) {
        if (!crank_law_evaluate(s->law[i], s, t, x, k)) {
            return s->law[i];
        }
    }
    return NULL;
}

crank_status crank_system_evaluate(void *self, int count, const double *t, const double *x,
                                   int rows, double *k, crank_error *err)
{
    crank_system *s = self;
    const size_t n = (size_t)s->eom->n, m = (size_t)s->eom->m;
    for (size_t i = 0; i < (size_t)count; i++) {
        const crank_law *law = evaluate_point(s, t[i], x + i * n, rows, k + i * m);
        if (law != NULL) {
            return crank_fail_place(err, CRANK_RETRY, crank_law_origin(law),
                                    "%s: a value is not finite at t = %g", crank_law_label(law),
                                    t[i]);
        }
    }
    return CRANK_OK;
}
