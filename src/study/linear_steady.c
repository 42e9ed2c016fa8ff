/* linear_steady.c - along a steady motion, in axes that move with it: theory (12.14).
 *
 * A motion is steady if it only turns about a fixed axis of the world with the rate Omega,
 * while bodies spin with sigma_b about axes of their own, and the equations do not see either:
 * a vehicle in a straight line or a circle, its wheels. Its states then move by
 *     X:  x' = Omega x (x - x_0) + x_0',  v' = Omega x v,
 *         q' = (Omega o q + q o sigma)/2,  omega' = -sigma x omega
 * with sigma = omega - R^T Omega, and small disturbances in axes that are led along by A - DX,
 * which is constant. Bodies can spin about axes of symmetry of their inertia alone: with P_b
 * across these, Omega is that of least norm for which accelerations are Omega x v and
 * P_b sigma_b = 0 (in joint coordinates, where inertias are not known, accelerations alone); zero
 * where velocities are nothing, or where no turn explains accelerations. A motion that is not quite
 * steady is led along, too: sigma is then the part of the spin about the axis of symmetry, so that
 * what is slightly unsteady has nearly the eigenvalues of what is steady.
 *
 * Accelerations of the moment do not tell all: two rotors that turn apart wind the shaft between
 * them. Along a steady motion X itself, with the rates of time k_t, stays as it is,
 *     (A - DX) X + B_t = 0,
 * compared with accelerations times the fastest eigenvalue of A. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/linear.h"

#include "eom/scale.h"
#include "linalg/dense.h"
#include "linalg/rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double still = 1e-6;     /* of the natural acceleration: not steady */
static const double explained = 0.1;  /* of accelerations: what a turn leaves of them at most */
static const double symmetric = 1e-6; /* of an inertia */

/* what the unknowns say of one body: first columns, -1: nothing; directions of its
 * translation */
typedef struct body_columns {
    int x, v, a, q, omega, alpha, directions;
} body_columns;

static bool is_kind(const char *kind, const int *of, int body, int i, int count, char letter,
                    int length)
{
    bool all = i + length <= count;
    for (int k = 0; k < length && all; k++) {
        all = kind[i + k] == letter && of[i + k] == body;
    }
    return all;
}

static body_columns find(const crank_eom *eom, int body)
{
    const crank_eom_parts *p = eom->parts;
    const int a = eom->column[CRANK_W + 1] - eom->sizes.v;
    body_columns c = {-1, -1, -1, -1, -1, -1, 0};
    for (int i = 0; i < eom->sizes.p && c.x < 0; i++) {
        for (int n = 3; n >= 2 && c.x < 0; n--) {
            if (is_kind(p->position_kind, p->position_body, body, i, eom->sizes.p, 't', n)) {
                c.x = eom->column[CRANK_P] + i;
                c.directions = n;
            }
        }
    }
    for (int i = 0; i < eom->sizes.p && c.q < 0; i++) {
        if (is_kind(p->position_kind, p->position_body, body, i, eom->sizes.p, 'q', 4)) {
            c.q = eom->column[CRANK_P] + i;
        }
    }
    for (int i = 0; i < eom->sizes.v; i++) {
        if (c.v < 0 && c.directions > 0 &&
            is_kind(p->velocity_kind, p->velocity_body, body, i, eom->sizes.v, 't',
                    c.directions)) {
            c.v = eom->column[CRANK_V] + i;
            c.a = a + i;
        }
        if (c.omega < 0 && c.q >= 0 &&
            is_kind(p->velocity_kind, p->velocity_body, body, i, eom->sizes.v, 'r', 3)) {
            c.omega = eom->column[CRANK_V] + i;
            c.alpha = a + i;
        }
    }
    return c;
}

static void take(const double *x, int first, int count, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < count && first >= 0; i++) {
        out[i] = x[first + i];
    }
}

/* P (3 x 3): across the axis about which an inertia J = a + d n n^T is symmetric, P = 1 - n n^T; 0
 * if it is a ball's, 1 if it has no such axis. Of the deviator D = d (n n^T - 1/3), d^2 is
 * 3/2 |D|^2, and det D has its sign. */
static void across_symmetry(const double J[9], double P[9])
{
    double D[9], square = 0.0, size = 0.0, off = 0.0;
    const double mean = (J[0] + J[4] + J[8]) / 3.0;
    for (int i = 0; i < 9; i++) {
        D[i] = J[i] - (i % 4 == 0 ? mean : 0.0);
        square += D[i] * D[i];
        size += J[i] * J[i];
    }
    const double determinant = D[0] * (D[4] * D[8] - D[5] * D[7]) -
                               D[1] * (D[3] * D[8] - D[5] * D[6]) +
                               D[2] * (D[3] * D[7] - D[4] * D[6]);
    const double d = copysign(sqrt(1.5 * square), determinant);
    const bool ball = square <= symmetric * symmetric * size;
    for (int i = 0; i < 9; i++) {
        P[i] = ball ? 0.0 : (i % 4 == 0 ? 2.0 / 3.0 : 0.0) - D[i] / d;
    }
    for (int i = 0; i < 3; i++) { /* is it a projection? */
        for (int j = 0; j < 3; j++) {
            const double twice =
                P[3 * i] * P[j] + P[3 * i + 1] * P[3 + j] + P[3 * i + 2] * P[6 + j];
            off = fmax(off, fabs(twice - P[3 * i + j]));
        }
    }
    for (int i = 0; i < 9 && off > symmetric; i++) {
        P[i] = i % 4 == 0 ? 1.0 : 0.0;
    }
}

/* to = P x */
static void apply(const double P[9], const double x[3], double to[3])
{
    for (int i = 0; i < 3; i++) {
        to[i] = P[3 * i] * x[0] + P[3 * i + 1] * x[1] + P[3 * i + 2] * x[2];
    }
}

/* what one body asks of Omega, in normal equations with the natural units */
static void ask(const crank_linear_work *w, int body, double A[9], double side[3])
{
    const crank_eom *eom = w->eom;
    const body_columns c = find(eom, body);
    double v[3], a[3], turn[3];
    take(w->x, c.v, c.directions, v);
    take(w->x, c.a, c.directions, a);
    crank_cross3(turn, v, a);
    const double unit = c.a >= 0 ? crank_eom_unit(eom, c.a) : 1.0;
    for (int i = 0; i < 3; i++) {
        side[i] -= turn[i] / (unit * unit);
        for (int j = 0; j < 3; j++) {
            A[i + 3 * j] += ((i == j ? crank_dot3(v, v) : 0.0) - v[i] * v[j]) / (unit * unit);
        }
    }
    if (c.omega < 0 || eom->parts->body_inertia == NULL) {
        return;
    }
    double P[9], R[9], own[3];
    const double rate = crank_eom_unit(eom, c.omega);
    across_symmetry(eom->parts->body_inertia + 9L * body, P);
    crank_quaternion_matrix(R, w->x + c.q);
    apply(P, w->x + c.omega, own);
    for (int i = 0; i < 3; i++) {
        side[i] -= crank_dot3(R + 3L * i, own) / (rate * rate);
        for (int j = 0; j < 3; j++) {
            double column[3];
            apply(P, R + 3L * j, column); /* P R^T e_j */
            A[i + 3 * j] += crank_dot3(R + 3L * i, column) / (rate * rate);
        }
    }
}

static double time_of(const crank_eom *eom)
{
    return eom->parts->time > 0.0 ? eom->parts->time : 1.0;
}

/* Squares, summed in natural units, of what Omega leaves of accelerations and of spins that are
 * not about axes of symmetry. */
static double left_by(const crank_linear_work *w, const double Omega[3])
{
    const crank_eom *eom = w->eom;
    double sum = 0.0;
    for (int b = 0; b < eom->parts->body_count; b++) {
        const body_columns c = find(eom, b);
        double v[3], a[3], turn[3], P[9], R[9], spin[3];
        take(w->x, c.v, c.directions, v);
        take(w->x, c.a, c.directions, a);
        crank_cross3(turn, Omega, v);
        const double unit = c.a >= 0 ? crank_eom_unit(eom, c.a) : 1.0;
        for (int i = 0; i < c.directions; i++) {
            const double off = (a[i] - turn[i]) / unit;
            sum += off * off;
        }
        if (c.omega < 0 || eom->parts->body_inertia == NULL) {
            continue;
        }
        const double rate = crank_eom_unit(eom, c.omega);
        across_symmetry(eom->parts->body_inertia + 9L * b, P);
        crank_quaternion_matrix(R, w->x + c.q);
        for (int i = 0; i < 3; i++) {
            spin[i] =
                w->x[c.omega + i] - R[i] * Omega[0] - R[3 + i] * Omega[1] - R[6 + i] * Omega[2];
        }
        apply(P, spin, turn);
        sum += crank_dot3(turn, turn) / (rate * rate);
    }
    return sum;
}

/* Omega of least norm for which accelerations are Omega x v and spins those of symmetry; none by
 * velocities that are nothing beside the natural ones */
static crank_status find_turn(crank_linear_work *w, double Omega[3], crank_error *err)
{
    crank_singular s = {0};
    double side[3] = {0.0, 0.0, 0.0};
    crank_status status = crank_singular_create(3, 3, true, &s, err);
    memset(Omega, 0, 3 * sizeof *Omega);
    if (status != CRANK_OK) {
        crank_singular_destroy(&s);
        return status;
    }
    for (int b = 0; b < w->eom->parts->body_count; b++) {
        ask(w, b, s.A, side);
    }
    status = crank_singular_decompose(&s, err);
    const double least = still * time_of(w->eom);
    if (status == CRANK_OK && s.sigma[0] > least * least) {
        const double none[3] = {0.0, 0.0, 0.0};
        crank_singular_count(&s, fmax(1e-9 * s.sigma[0], least * least));
        crank_singular_step(&s, side, 0.0, Omega);
        if (left_by(w, Omega) > explained * explained * left_by(w, none)) {
            memset(Omega, 0, 3 * sizeof *Omega);
        }
    }
    crank_singular_destroy(&s);
    return status;
}

/* sigma of a body, its part across axes of symmetry (none where inertias are not known), and
 * Omega in its axes */
static void spin_of(const crank_linear_work *w, int body, const body_columns *c,
                    double sigma[3], double across[3], double own[3])
{
    double R[9], P[9] = {0.0};
    crank_quaternion_matrix(R, w->x + c->q);
    if (w->eom->parts->body_inertia != NULL) {
        across_symmetry(w->eom->parts->body_inertia + 9L * body, P);
    }
    for (int i = 0; i < 3; i++) {
        own[i] = R[i] * w->Omega[0] + R[3 + i] * w->Omega[1] + R[6 + i] * w->Omega[2];
        sigma[i] = w->x[c->omega + i] - own[i];
    }
    apply(P, sigma, across);
    for (int i = 0; i < 3; i++) {
        sigma[i] -= across[i];
    }
}

/* A number that is zero on a steady motion, beside what it may be; the worst is named. */
static void judge(crank_linear_work *w, double value, double most, const char *what,
                  const char *name)
{
    const double by = most > 0.0 ? fabs(value) / most : value != 0.0 ? (double)INFINITY : 0.0;
    if (by > w->unsteady_by) {
        w->unsteady_by = by;
        (void)snprintf(w->unsteady, sizeof w->unsteady,
                       "%s%.100s changes by %.3g per second, %.2g of its natural size", what,
                       name, value, by);
    }
}

/* an acceleration by the name of its velocity */
static void judge_column(crank_linear_work *w, int column, double value, double most)
{
    const crank_eom *eom = w->eom;
    const int v = column - (eom->column[CRANK_W + 1] - eom->sizes.v);
    const bool rate = eom->carried[column] && v >= 0 && v < eom->sizes.v;
    judge(w, value, most, "",
          crank_eom_column_name(eom, rate ? eom->column[CRANK_V] + v : column));
}

static void judge_rates(crank_linear_work *w, crank_row_group rows, crank_group columns,
                        int count)
{
    const int row = w->eom->row[rows];
    for (int i = 0; i < count; i++) {
        judge_column(w, w->eom->column[columns] + i, w->k[row + i],
                     w->eom->work_scale[row + i]);
    }
}

/* Forces M v' of the differential rows, beside their terms. */
static void judge_forces(crank_linear_work *w)
{
    const crank_eom *eom = w->eom;
    const int row = eom->row[CRANK_ROW_DYN];
    for (int i = 0; i < eom->sizes.v; i++) {
        const double size = eom->work_scale[row + i], force = w->k[row + i];
        const double by = size > 0.0 ? fabs(force) / size : 0.0;
        if (by > w->unsteady_by) {
            w->unsteady_by = by;
            (void)snprintf(w->unsteady, sizeof w->unsteady,
                           "%.100s changes, by forces of %.3g, %.2g of their natural size",
                           crank_eom_column_name(eom, eom->column[CRANK_V] + i), force, by);
        }
    }
}

/* Does its velocity change as the turn says? led: its accelerations are looked at. */
static void judge_body(crank_linear_work *w, int body, bool *led)
{
    const crank_eom *eom = w->eom;
    const int first = eom->column[CRANK_W + 1] - eom->sizes.v;
    const body_columns c = find(eom, body);
    double v[3], turn[3], sigma[3], spin[3], own[3];
    take(w->x, c.v, c.directions, v);
    crank_cross3(turn, w->Omega, v);
    for (int i = 0; i < c.directions && c.v >= 0; i++) {
        const double unit = crank_eom_unit(eom, c.a + i);
        judge_column(w, c.a + i, w->x[c.a + i] - turn[i], unit + crank_norm3(turn));
        led[c.a + i - first] = true;
    }
    if (c.omega < 0) {
        return;
    }
    spin_of(w, body, &c, sigma, spin, own);
    crank_cross3(turn, own, w->x + c.omega);
    for (int i = 0; i < 3; i++) {
        const double unit = crank_eom_unit(eom, c.alpha + i);
        const double rate = crank_eom_unit(eom, c.omega + i);
        judge_column(w, c.omega + i, spin[i], rate + crank_norm3(w->x + c.omega));
        judge_column(w, c.alpha + i, w->x[c.alpha + i] - turn[i], unit + crank_norm3(turn));
        led[c.alpha + i - first] = true;
    }
}

/* Dynamic variables on which something depends stand still, too. */
static void judge_dynamic(crank_linear_work *w)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int b = eom->row[CRANK_ROW_B], work = b + eom->parts->first_work;
    for (int r = 0; r < eom->parts->first_work; r++) {
        const int column = eom->column[CRANK_R] + r;
        bool counts = false;
        for (int e = J->start[column]; e < J->start[column + 1]; e++) {
            const bool energy = J->row[e] >= work && J->row[e] < b + eom->sizes.r;
            counts = counts || (w->values[e] != 0.0 && !energy);
        }
        if (counts) {
            judge_column(w, column, w->k[b + r], eom->work_scale[b + r]);
        }
    }
}

static crank_status judge_all(crank_linear_work *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const int first = eom->column[CRANK_W + 1] - eom->sizes.v;
    bool *led = crank_store_take(&w->store, (size_t)eom->sizes.v, sizeof *led);
    if (led == NULL) {
        return crank_fail(err, CRANK_EMEM, "a steady motion");
    }
    const crank_status status = find_turn(w, w->Omega, err);
    for (int b = 0; b < eom->parts->body_count && status == CRANK_OK; b++) {
        judge_body(w, b, led);
    }
    for (int i = 0; i < eom->sizes.v && status == CRANK_OK; i++) {
        if (!led[i]) {
            judge_column(w, first + i, w->x[first + i], crank_eom_unit(eom, first + i));
        }
    }
    if (status == CRANK_OK) {
        judge_dynamic(w);
    }
    return status;
}

crank_status crank_linear_find_steady(crank_linear_work *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const bool carried =
        eom->sizes.w > 0 && eom->sizes.v > 0 && eom->carried[eom->column[CRANK_W + 1] - 1];
    const bool turns = eom->parts != NULL && carried;
    crank_status status = CRANK_OK;
    w->unsteady_by = 0.0;
    crank_eom_row_scale(eom, w->values, w->x, eom->work_scale);
    if (turns) {
        status = judge_all(w, err);
    }
    if (!turns) { /* at rest, or not */
        judge_rates(w, CRANK_ROW_B, CRANK_R, eom->sizes.r);
        judge_forces(w);
        judge_rates(w, CRANK_ROW_KIN, CRANK_P, eom->sizes.p);
    }
    w->steady = status == CRANK_OK && w->unsteady_by <= still;
    w->leads = turns && (w->steady || eom->parts->body_inertia != NULL);
    return status;
}

/* zeta (states): the rates of the states along the motion */
static void find_tangent(const crank_linear_work *w, double *vdot, double *zeta)
{
    const crank_eom *eom = w->eom;
    const double *kin = w->k + eom->row[CRANK_ROW_KIN], *r = w->k + eom->row[CRANK_ROW_B];
    memcpy(vdot, w->k + eom->row[CRANK_ROW_DYN], (size_t)w->nv * sizeof *vdot);
    crank_lu_solve(w->nv, w->mass, w->nv, w->mass_pivot, vdot);
    for (int i = 0; i < w->states; i++) {
        const int q = w->state[i];
        zeta[i] = q < w->np           ? kin[q]
                  : q < w->np + w->nv ? vdot[q - w->np]
                                      : r[q - w->np - w->nv];
    }
}

crank_status crank_linear_judge_course(crank_linear_work *w, double fastest, crank_error *err)
{
    crank_eom *eom = w->eom;
    if (eom->parts == NULL || !w->steady) {
        return CRANK_OK;
    }
    const double time = time_of(eom);
    const size_t n = (size_t)eom->n, m = (size_t)eom->m, z = (size_t)w->states;
    double *kt = calloc(m + n + 2 * z + (size_t)w->nv + 1, sizeof *kt);
    if (kt == NULL) {
        return crank_fail(err, CRANK_EMEM, "a steady motion");
    }
    double *dx = kt + m, *zeta = dx + n, *rates = zeta + z;
    crank_status status = crank_eom_evaluate_time_derivative(eom, w->t, w->x, time, kt, err);
    if (status == CRANK_OK) {
        find_tangent(w, rates + z, zeta);
        status = crank_linear_follow(w, zeta, kt, dx, rates, err);
    }
    for (int i = 0; i < w->states && status == CRANK_OK; i++) {
        const int q = w->state[i], column = crank_linear_column(w, q);
        if (q >= w->np && q < w->np + w->nv) {
            const double unit = crank_eom_unit(eom, column) / time * fmax(fastest, 1.0 / time);
            judge(w, rates[i], unit, "the rate of ", crank_eom_column_name(eom, column));
        }
    }
    w->steady = status == CRANK_OK && w->unsteady_by <= still;
    free(kt);
    return status;
}

void crank_linear_lead(const crank_linear_work *w, const double *dx, double *rates_p,
                       double *rates_v)
{
    const crank_eom *eom = w->eom;
    for (int b = 0; w->leads && b < eom->parts->body_count; b++) {
        const body_columns c = find(eom, b);
        double d[3], turn[3];
        take(dx, c.x, c.directions, d);
        crank_cross3(turn, w->Omega, d);
        for (int i = 0; i < c.directions; i++) {
            rates_p[c.x - eom->column[CRANK_P] + i] -= turn[i];
        }
        take(dx, c.v, c.directions, d);
        crank_cross3(turn, w->Omega, d);
        for (int i = 0; i < c.directions && c.v >= 0; i++) {
            rates_v[c.v - eom->column[CRANK_V] + i] -= turn[i];
        }
        if (c.omega >= 0) {
            double sigma[3], across[3], own[3], left[4], right[4];
            spin_of(w, b, &c, sigma, across, own);
            const double Omega[4] = {0.0, w->Omega[0], w->Omega[1], w->Omega[2]};
            const double s[4] = {0.0, sigma[0], sigma[1], sigma[2]};
            crank_quaternion_multiply(left, Omega, dx + c.q);
            crank_quaternion_multiply(right, dx + c.q, s);
            for (int i = 0; i < 4; i++) {
                rates_p[c.q - eom->column[CRANK_P] + i] -= (left[i] + right[i]) / 2.0;
            }
            crank_cross3(turn, sigma, dx + c.omega);
            for (int i = 0; i < 3; i++) {
                rates_v[c.omega - eom->column[CRANK_V] + i] += turn[i];
            }
        }
    }
}
