/* system_rows.c - the rows k(t, x) of a mechanism.
 *
 *     d     m (x'' - g),  J omega' + omega x J omega    plus what joints and forces exert
 *           theory (7.5)
 * The rows dyn, kin and n are the coordinates' (coordinates.h). */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "mechanics/law.h"

#include <string.h>

void crank_system_point(crank_system *s, double t, const double *x)
{
    s->coordinates.kind->states(s, t, x);
    for (int i = 0; i < s->primitive_count; i++) {
        crank_primitive_values(&s->primitive[i], s->state, &s->local[i]);
    }
    crank_system_lead_angles(s, t, x);
}

static void set_needed(crank_system *s, double t, const double *x)
{
    for (int i = 0; i < s->needed_count; i++) {
        const int j = s->needed[i];
        crank_primitive_values(&s->primitive[j], s->state, &s->local[j]);
    }
    crank_system_lead_angles(s, t, x);
}

void crank_system_rows_point(crank_system *s, double t, const double *x)
{
    s->coordinates.kind->states(s, t, x);
    set_needed(s, t, x);
}

bool crank_system_values_point(crank_system *s, double t, const double *x)
{
    bool balanced = false;
    if (s->coordinates.kind->row_states != NULL) {
        balanced = s->coordinates.kind->row_states(s, t, x);
    } else {
        s->coordinates.kind->states(s, t, x);
    }
    set_needed(s, t, x);
    return balanced;
}

static void body_balance(const crank_body *b, const double gravity[3],
                         const crank_body_state *q, double *d)
{
    const int directions = crank_body_translations(b->kind);
    for (int i = 0; i < directions; i++) {
        d[i] = b->mass * (q->a[i] - gravity[i]);
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

void crank_system_balances(const crank_system *s, double *k)
{
    for (int i = 0; i < s->body_count; i++) {
        double force[CRANK_BODY_MAX_V];
        body_balance(&s->body[i], s->gravity, &s->state[i], force);
        if (k != NULL) {
            crank_coordinates_force(&s->coordinates, i, 1.0, force, k);
        } else {
            crank_coordinates_load(&s->coordinates, i, 1.0, force);
        }
    }
}

/* the law whose value is not finite, or NULL */
static const crank_law *evaluate_point(crank_system *s, double t, const double *x, int rows,
                                       double *k)
{
    const crank_coordinates_kind *coordinates = s->coordinates.kind;
    if (rows == CRANK_DIFFERENTIAL && s->eom->sizes.r == 0) {
        coordinates->differential(s, t, x, k);
        return NULL;
    }
    memset(k, 0, (size_t)s->eom->m * sizeof *k);
    const bool balanced = crank_system_values_point(s, t, x);
    coordinates->rows(s, x, k);
    if (!balanced) {
        crank_system_balances(s, k);
    }
    crank_system_constraints(s, &(crank_wanted){.x = x, .k = k});
    for (int i = 0; i < s->law_count; i++) {
        if (!crank_law_evaluate(s->law[i], s, t, x, k)) {
            return s->law[i];
        }
    }
    if (coordinates->end_rows != NULL) {
        coordinates->end_rows(s, k);
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
