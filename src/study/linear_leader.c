/* linear_leader.c - which unknown a mode is mostly in: the body, or joint, with the largest part in
 * its kinetic energy, and of it the velocity with the largest.
 *
 *     T_b = sum over velocities i of b of |Re conj(u_i) (M u)_i|
 *
 * for the velocities u of the mode, dependent ones too, so that the choice of states has no part
 * in it. Modes without velocities (places that nothing resists, controllers) have the state that is
 * largest in natural units.
 *
 * What rounding eps makes of its eigenvalue is the power of what it makes of forces along it, over
 * its kinetic energy,
 *     eps sum_i |u_i| sum_j |dk_i/dx_j| |dx_j| / |u^H M u|
 * for the changes dx of all unknowns in the mode: the lighter what moves, and the larger the forces
 * that cancel there, the more. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/linear.h"

#include "base/then.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double slow = 1e-6; /* velocities of a mode beside its states, in natural units */

typedef struct leader_work {
    const crank_linear_work *w;
    double *zeta;        /* states */
    double *dx[2];       /* n: real and imaginary part */
    double *momentum[2]; /* v: M u */
    double *energy;      /* v */
    double *sum;         /* bodies, or v where they have none */
    double *terms;       /* v: what balances are sums of */
} leader_work;

/* M u: of mechanisms that carry accelerations M stands in the rows d, else it is the mass matrix */
static void find_momentum(leader_work *l, const double *mass, int part)
{
    const crank_eom *eom = l->w->eom;
    const int v = eom->column[CRANK_V], nv = eom->sizes.v;
    const int a = eom->column[CRANK_W + 1] - nv;
    const bool carried = eom->sizes.w >= nv && nv > 0 && eom->carried[a];
    const crank_pattern *P = carried ? &eom->jacobian_pattern : &eom->mass_pattern;
    const int shift = carried ? eom->row[CRANK_ROW_D] + a - eom->column[CRANK_W] : 0;
    memset(l->momentum[part], 0, (size_t)nv * sizeof **l->momentum);
    for (int j = 0; j < nv; j++) {
        const int column = carried ? a + j : j;
        for (int e = P->start[column]; e < P->start[column + 1]; e++) {
            const int i = P->row[e] - shift;
            if (i >= 0 && i < nv) {
                l->momentum[part][i] +=
                    (carried ? l->w->values[e] : mass[e]) * l->dx[part][v + j];
            }
        }
    }
}

/* The velocity of the largest part in the energy; -1: none moves. */
static int find_mover(leader_work *l, double states)
{
    const crank_eom *eom = l->w->eom;
    const int v = eom->column[CRANK_V], nv = eom->sizes.v;
    const int bodies = eom->parts != NULL ? eom->parts->body_count : 0;
    double fastest = 0.0;
    int group = -1, most = -1;
    memset(l->sum, 0, (size_t)(bodies + nv) * sizeof *l->sum);
    for (int i = 0; i < nv; i++) {
        const int body = eom->parts != NULL ? eom->parts->velocity_body[i] : -1;
        const int own = body >= 0 ? body : bodies + i;
        l->energy[i] =
            fabs(l->dx[0][v + i] * l->momentum[0][i] + l->dx[1][v + i] * l->momentum[1][i]);
        l->sum[own] += l->energy[i];
        group = group < 0 || l->sum[own] > l->sum[group] * (1.0 + 1e-9) ? own : group;
        fastest =
            fmax(fastest, hypot(l->dx[0][v + i], l->dx[1][v + i]) / crank_eom_unit(eom, v + i));
    }
    for (int i = 0; i < nv && fastest > slow * states; i++) {
        const int body = eom->parts != NULL ? eom->parts->velocity_body[i] : -1;
        if ((body >= 0 ? body : bodies + i) == group &&
            (most < 0 || l->energy[i] > l->energy[most] * (1.0 + 1e-9))) {
            most = i;
        }
    }
    return most >= 0 && l->energy[most] > 0.0 ? v + most : -1;
}

/* Rounding of the forces beside the kinetic energy of the mode, per eps; 0: nothing moves. */
static double find_rounding(leader_work *l)
{
    const crank_eom *eom = l->w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int v = eom->column[CRANK_V], nv = eom->sizes.v;
    const int a = eom->column[CRANK_W + 1] - nv;
    const bool carried = eom->sizes.w >= nv && nv > 0 && eom->carried[a];
    const int first =
        carried ? eom->row[CRANK_ROW_D] + a - eom->column[CRANK_W] : eom->row[CRANK_ROW_DYN];
    double power = 0.0, re = 0.0, im = 0.0;
    memset(l->terms, 0, (size_t)nv * sizeof *l->terms);
    for (int j = 0; j < eom->n; j++) {
        const double size = hypot(l->dx[0][j], l->dx[1][j]);
        for (int e = J->start[j]; e < J->start[j + 1] && size > 0.0; e++) {
            const int i = J->row[e] - first;
            if (i >= 0 && i < nv) {
                l->terms[i] += fabs(l->w->values[e]) * size;
            }
        }
    }
    for (int i = 0; i < nv; i++) {
        const double *u[2] = {l->dx[0] + v, l->dx[1] + v},
                     *p[2] = {l->momentum[0], l->momentum[1]};
        power += hypot(u[0][i], u[1][i]) * l->terms[i];
        re += u[0][i] * p[0][i] + u[1][i] * p[1][i];
        im += u[0][i] * p[1][i] - u[1][i] * p[0][i];
    }
    const double energy = hypot(re, im);
    return power > 0.0 && energy > 0.0 ? power / energy : 0.0;
}

static crank_status find_one(crank_linear_work *w, leader_work *l, const double *mass,
                             const double *u, int *column, double *rounding, crank_error *err)
{
    crank_status status = CRANK_OK;
    double size = 0.0;
    *column = -1;
    for (int i = 0; i < w->states; i++) {
        const int j = crank_linear_column(w, w->state[i]);
        const double own = hypot(u[2L * i], u[2L * i + 1]) / crank_eom_unit(w->eom, j);
        if (own > size * (1.0 + 1e-9)) {
            size = own;
            *column = j;
        }
    }
    for (int part = 0; part < 2 && status == CRANK_OK; part++) {
        for (int i = 0; i < w->states; i++) {
            l->zeta[i] = u[2L * i + part];
        }
        status = crank_linear_follow(w, l->zeta, NULL, l->dx[part], NULL, err);
        find_momentum(l, mass, part);
    }
    const int mover = status == CRANK_OK ? find_mover(l, size) : -1;
    *column = mover >= 0 ? mover : *column;
    *rounding = status == CRANK_OK ? fmax(DBL_EPSILON, w->eom->noise) * find_rounding(l) : 0.0;
    return status;
}

crank_status crank_linear_find_leaders(crank_linear_work *w, const crank_linear *linear,
                                       int *columns, double *rounding, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n, v = (size_t)eom->sizes.v, z = (size_t)w->states;
    const size_t bodies = eom->parts != NULL ? (size_t)eom->parts->body_count : 0;
    const size_t masses = (size_t)eom->mass_pattern.start[v];
    double *room = calloc(z + 2 * n + 5 * v + bodies + masses + 1, sizeof *room);
    if (room == NULL) {
        return crank_fail(err, CRANK_EMEM, "the modes");
    }
    leader_work l = {.w = w, .zeta = room, .dx = {room + z, room + z + n}};
    l.momentum[0] = l.dx[1] + n;
    l.momentum[1] = l.momentum[0] + v;
    l.energy = l.momentum[1] + v;
    l.sum = l.energy + v;
    l.terms = l.sum + bodies + v;
    double *mass = l.terms + v;
    crank_status status = crank_eom_evaluate_mass(w->eom, w->t, w->x, mass, err);
    for (int k = 0; k < w->states && status == CRANK_OK; k++) {
        if (k > 0 && linear->imag[k] < 0.0) {
            columns[k] = columns[k - 1]; /* its conjugate */
            rounding[k] = rounding[k - 1];
            continue;
        }
        status = find_one(w, &l, mass, linear->modes + 2 * z * (size_t)k, &columns[k],
                          &rounding[k], err);
    }
    free(room);
    return status;
}
