/* system_constraints.c - rows "primitive = constant": one pass gives what is wanted of them.
 *
 *     rows        g = y - c,   gI = J v,   gII = J v' + bias,
 *                 d += J^T lambda                                         theory (7.10), (7.11)
 *     stage       J in gII by accelerations, J^T in d by multipliers
 *     Jacobian    g: Y by p      gI: K^T v by p, J by v      gII: K^T v' + bias_p by p,
 *                 bias_v by v, J by w
 *                 d: J^T by lambda, lambda K by p                         theory (7.12), (7.13)
 * p, v and w are those of the bodies: coordinates.h. Primitives are evaluated here, once, while
 * they are in the cache. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/system.h"

enum {
    LOCAL_P = CRANK_PRIMITIVE_BODIES * CRANK_BODY_MAX_P,
    LOCAL_V = CRANK_PRIMITIVE_BODIES * CRANK_BODY_MAX_V
};

static void add_rows(const crank_system *s, int row, const crank_wanted *wanted,
                     const crank_primitive *primitive, const crank_local *local)
{
    const crank_eom *eom = s->eom;
    const int l = s->row_lambda[row];
    const double lambda = wanted->x[eom->column[CRANK_LAMBDA] + l];
    double *k = wanted->k;
    k[eom->row[CRANK_ROW_G] + l] = local->y - s->row_constant[row];
    k[eom->row[CRANK_ROW_GI] + l] = local->rate;
    k[eom->row[CRANK_ROW_GII] + l] = local->acceleration;
    for (int i = 0; i < primitive->bodies; i++) {
        crank_coordinates_force(&s->coordinates, primitive->body[i], lambda,
                                local->J + primitive->v0[i], k);
    }
}

static void add_stage(const crank_system *s, int row, crank_fill *fill,
                      const crank_primitive *primitive, const crank_local *local)
{
    const crank_eom *eom = s->eom;
    const int l = s->row_lambda[row];
    for (int i = 0; i < primitive->bodies; i++) {
        const int body = primitive->body[i];
        const double *J = local->J + primitive->v0[i];
        crank_coordinates_fill_row(&s->coordinates, eom->row[CRANK_ROW_GII] + l, 1.0,
                                   &(crank_by_body){.body = body, .a = J}, fill);
        crank_coordinates_fill_force(&s->coordinates, body, 1.0, J,
                                     eom->column[CRANK_LAMBDA] + l, fill);
    }
}

static void add_derivatives(const crank_system *s, int row, const crank_wanted *wanted,
                            const crank_primitive *primitive, crank_local *local)
{
    const crank_eom *eom = s->eom;
    const crank_coordinates *c = &s->coordinates;
    crank_fill *fill = wanted->fill;
    const int l = s->row_lambda[row], column = eom->column[CRANK_LAMBDA] + l;
    const double lambda = wanted->x[column];
    double rate_p[LOCAL_P], acceleration_p[LOCAL_P], acceleration_v[LOCAL_V];
    crank_primitive_derivatives(primitive, s->state, local);
    crank_primitive_motion(primitive, s->state, local, rate_p, acceleration_p, acceleration_v);
    for (int i = 0; i < primitive->bodies; i++) {
        const int body = primitive->body[i], p0 = primitive->p0[i], v0 = primitive->v0[i];
        const double *J = local->J + v0;
        const crank_by_body g = {.body = body, .p = local->Y + p0},
                            gI = {.body = body, .p = rate_p + p0, .v = J},
                            gII = {.body = body,
                                   .p = acceleration_p + p0,
                                   .v = acceleration_v + v0,
                                   .a = J};
        crank_coordinates_fill_row(c, eom->row[CRANK_ROW_G] + l, 1.0, &g, fill);
        crank_coordinates_fill_row(c, eom->row[CRANK_ROW_GI] + l, 1.0, &gI, fill);
        crank_coordinates_fill_row(c, eom->row[CRANK_ROW_GII] + l, 1.0, &gII, fill);
        crank_coordinates_load(c, body, lambda, J);
        crank_coordinates_fill_force(c, body, 1.0, J, column, fill);
        for (int j = 0; j < primitive->bodies; j++) {
            const crank_force_change change = {
                .K = local->K + (size_t)v0 * (size_t)primitive->np + primitive->p0[j],
                .stride = primitive->np,
                .effort = lambda};
            crank_coordinates_fill_force_by(c, body, &change,
                                            &(crank_by_body){.body = primitive->body[j]}, fill);
        }
    }
}

void crank_system_constraints(const crank_system *s, const crank_wanted *wanted)
{
    for (int i = 0; i < s->row_count; i++) {
        if (wanted->taken != NULL && wanted->taken[i]) {
            continue;
        }
        const crank_primitive *primitive = &s->primitive[s->row_primitive[i]];
        double J[LOCAL_V];
        crank_local local = s->local[s->row_primitive[i]];
        local.J = J;
        crank_primitive_values(primitive, s->state, &local);
        if (wanted->k != NULL) {
            add_rows(s, i, wanted, primitive, &local);
        }
        if (wanted->stage != NULL) {
            add_stage(s, i, wanted->stage, primitive, &local);
        }
        if (wanted->fill != NULL) {
            add_derivatives(s, i, wanted, primitive, &local);
        }
    }
}
