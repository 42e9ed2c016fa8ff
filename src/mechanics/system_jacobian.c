/* system_jacobian.c - derivatives of the rows of a mechanism, theory (7.11)-(7.13).
 *
 *     d:  M by w;  (omega x J omega)_omega      n:  q      dyn: I by w      kin:  (Z v)_p, Z
 *
 * Entries are added in a fixed order; crank_fill maps the order to places
 * (system_pattern.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/law.h"

#include <string.h>

/* J alpha + omega x J omega: by alpha and by omega; c = J omega */
static void fill_rotation(const crank_body *b, const crank_body_state *q, crank_fill *fill)
{
    const double *J = b->inertia, *o = q->omega;
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

static void fill_kinematics(const crank_body *b, const crank_body_state *q, crank_fill *fill)
{
    double by_p[CRANK_BODY_MAX_P * CRANK_BODY_MAX_P], by_v[CRANK_BODY_MAX_P * CRANK_BODY_MAX_V];
    if (b->kind != CRANK_BODY_SPATIAL) {
        for (int i = 0; i < b->np; i++) {
            crank_fill_add(fill, b->kin + i, b->v + i, 1.0);
        }
        return;
    }
    crank_body_kinematics_jacobian(q, by_p, by_v);
    for (int i = 0; i < b->np; i++) {
        for (int j = 0; j < b->np; j++) {
            crank_fill_add(fill, b->kin + i, b->p + j, by_p[i * b->np + j]);
        }
        for (int j = 0; j < b->nv; j++) {
            crank_fill_add(fill, b->kin + i, b->v + j, by_v[i * b->nv + j]);
        }
    }
}

static void fill_body(const crank_body *b, const crank_body_state *q, crank_fill *fill)
{
    const int directions = crank_body_translations(b->kind);
    for (int i = 0; i < directions; i++) {
        crank_fill_add(fill, b->d + i, b->a + i, b->mass);
    }
    if (b->kind == CRANK_BODY_PLANAR) {
        crank_fill_add(fill, b->d + 2, b->a + 2, b->inertia[8]);
    } else if (b->kind == CRANK_BODY_SPATIAL) {
        fill_rotation(b, q, fill);
    }
    for (int i = 0; i < b->nv; i++) {
        crank_fill_add(fill, b->dyn + i, b->a + i, 1.0);
    }
    fill_kinematics(b, q, fill);
    for (int i = 0; b->n >= 0 && i < 4; i++) {
        crank_fill_add(fill, b->n, b->p + 3 + i, q->q[i]);
    }
}

void crank_system_fill(crank_system *s, double t, const double *x, crank_fill *fill)
{
    for (int i = 0; i < s->body_count; i++) {
        fill_body(&s->body[i], &s->state[i], fill);
    }
    crank_system_constraints(s, &(crank_wanted){.x = x, .fill = fill});
    for (int i = 0; i < s->law_count; i++) {
        crank_law_jacobian(s->law[i], s, t, x, fill);
    }
}

crank_status crank_system_jacobian(void *self, double t, const double *x, const double *vdot,
                                   double *values, crank_error *err)
{
    crank_system *s = self;
    const size_t count = (size_t)s->eom->jacobian_pattern.start[s->eom->n];
    crank_fill fill = {.map = s->map, .values = s->values};
    (void)vdot; /* M = I */
    (void)err;
    memset(s->values, 0, (count + 1) * sizeof *s->values);
    crank_system_rows_point(s, x);
    crank_system_fill(s, t, x, &fill);
    memcpy(values, s->values, count * sizeof *values);
    return CRANK_OK;
}
