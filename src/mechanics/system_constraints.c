/* system_constraints.c - rows "primitive = constant": one pass gives what is wanted of them.
 *
 *     rows        g = y - c,   gI = J v,   gII = J v' + bias,   d += J^T lambda                  theory (7.10), (7.11)
 *     stage       J in gII by accelerations, J^T in d by multipliers
 *     Jacobian    g: Y by p      gI: K^T v by p, J by v      gII: K^T v' + bias_p by p, bias_v by v, J by w
 *                 d: J^T by lambda, lambda K by p                                                theory (7.12), (7.13)
 * Primitives are evaluated here, once, while they are in the cache. */
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
    for (int j = 0; j < primitive->bodies; j++) {
        const crank_body *b = &s->body[primitive->body[j]];
        const double *J = local->J + primitive->v0[j];
        for (int c = 0; c < b->nv; c++) {
            k[b->d + c] += lambda * J[c];
        }
    }
}

static void add_entries(const crank_primitive *primitive, const crank_local *local,
                        const int *place, double *entries)
{
    for (int j = 0; j < primitive->nv; j++, place += 2) {
        entries[place[0]] += local->J[j];
        entries[place[1]] += local->J[j];
    }
}

static void add_derivatives(const crank_system *s, int row, const crank_wanted *wanted,
                            const crank_primitive *primitive, crank_local *local)
{
    const crank_eom *eom = s->eom;
    crank_fill *fill = wanted->fill;
    const int l = s->row_lambda[row], np = primitive->np;
    const int g = eom->row[CRANK_ROW_G] + l, gI = eom->row[CRANK_ROW_GI] + l,
              gII = eom->row[CRANK_ROW_GII] + l, column = eom->column[CRANK_LAMBDA] + l;
    double rate_p[LOCAL_P], acceleration_p[LOCAL_P], acceleration_v[LOCAL_V];
    crank_primitive_derivatives(primitive, s->state, local);
    crank_primitive_motion(primitive, s->state, local, rate_p, acceleration_p, acceleration_v);
    for (int i = 0; i < primitive->bodies; i++) {
        const crank_body *b = &s->body[primitive->body[i]];
        const int p0 = primitive->p0[i], v0 = primitive->v0[i];
        for (int j = 0; j < b->np; j++) {
            crank_fill_add(fill, g, b->p + j, local->Y[p0 + j]);
            crank_fill_add(fill, gI, b->p + j, rate_p[p0 + j]);
            crank_fill_add(fill, gII, b->p + j, acceleration_p[p0 + j]);
        }
        for (int j = 0; j < b->nv; j++) {
            crank_fill_add(fill, gI, b->v + j, local->J[v0 + j]);
            crank_fill_add(fill, gII, b->v + j, acceleration_v[v0 + j]);
            crank_fill_add(fill, gII, b->a + j, local->J[v0 + j]);
            crank_fill_add(fill, b->d + j, column, local->J[v0 + j]);
            const double *K = local->K + (size_t)(v0 + j) * (size_t)np;
            for (int h = 0; h < primitive->bodies; h++) {
                const crank_body *other = &s->body[primitive->body[h]];
                for (int c = 0; c < other->np; c++) {
                    crank_fill_add(fill, b->d + j, other->p + c,
                                   wanted->x[column] * K[primitive->p0[h] + c]);
                }
            }
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
        if (wanted->entries != NULL) {
            add_entries(primitive, &local, wanted->place + wanted->row_start[i],
                        wanted->entries);
        }
        if (wanted->fill != NULL) {
            add_derivatives(s, i, wanted, primitive, &local);
        }
    }
}
