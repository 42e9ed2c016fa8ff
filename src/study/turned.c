/* turned.c - bodies that turned far on the way to a rest: what hangs upside down rests, too.
 *
 * Bodies whose inertia is symmetric about an axis n, and that nothing holds against a spin
 * about it, may turn as they like (a wheel that rolls): of them the axis counts, and of balls
 * nothing. Joints that hold points together, and rods (gears do not), state G_v v + G_w w = 0
 * of a body's twist at its centre of mass. The rows' parts G_v L are made orthonormal, b_k v =
 * -c_k w; those that vanish then leave conditions on w alone. A wheel's n satisfies these, and
 * its centre of mass goes by e = |sum b_k (c_k n)| L with it: it lies beside the pivots. A
 * rocker is no wheel, however symmetric, for the rod at its arm; nor is a pendulum, for its e.
 * Both ends of the way count: rods that hang are at their dead centres. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "linalg/rotation.h"
#include "run/run.h"
#include "study/linear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double far = 1.5707963267948966; /* a quarter of a turn */
static const double degrees = 57.295779513082323;
static const double vanishes = 1e-6;  /* of a row of length 1; loops are closed to 1e-10 */
static const double unbalance = 0.01; /* m e^2 of the inertia about n: more is a pendulum */

typedef struct look {
    const crank_eom *eom;
    double *row;       /* lambda x 6: G_v L, G_w of the body at hand */
    double *values[2]; /* where the way begins, and ends */
} look;

/* What joints leave of a body's spins. */
typedef struct spins {
    int moves, holds; /* of b, of h */
    double b[3][6];   /* orthonormal by the first three; then c */
    double h[3][3];   /* orthonormal: h w = 0 */
} spins;

static double clamp(double x)
{
    return fmax(-1.0, fmin(1.0, x));
}

static void read_rows(const look *l, int body, int end)
{
    const crank_eom *eom = l->eom;
    const crank_eom_parts *parts = eom->parts;
    const crank_pattern *J = &eom->jacobian_pattern;
    int axis[2] = {0, 0};
    memset(l->row, 0, (size_t)eom->sizes.lambda * 6 * sizeof *l->row);
    for (int i = 0; i < eom->sizes.v; i++) {
        const int j = eom->column[CRANK_V] + i;
        const bool turns = parts->velocity_kind[i] == 'r';
        const int k = parts->velocity_body[i] == body ? axis[turns]++ : 3;
        for (int q = J->start[j]; q < J->start[j + 1] && k < 3; q++) {
            const int row = J->row[q] - eom->row[CRANK_ROW_GI];
            const int joint =
                row >= 0 && row < eom->sizes.lambda ? parts->constraint_joint[row] : -1;
            if (joint >= 0 && (parts->joint_holds[joint] || parts->joint_is_rod[joint])) {
                l->row[6 * row + (turns ? 3 + k : k)] =
                    l->values[end][q] * (turns ? 1.0 : parts->length);
            }
        }
    }
}

/* Divides by a length, unless that vanishes. */
static bool normalize(double *x, int count, double length)
{
    for (int k = 0; k < count && length > vanishes; k++) {
        x[k] /= length;
    }
    return length > vanishes;
}

static spins find_spins(const look *l, int body, int end)
{
    spins s = {0};
    read_rows(l, body, end);
    for (int i = 0; i < l->eom->sizes.lambda; i++) {
        double *g = l->row + 6L * i, *w = g + 3;
        const double size = hypot(crank_norm3(g), crank_norm3(w));
        for (int k = 0; k < 6 && size > 0.0; k++) {
            g[k] /= size;
        }
        for (int n = 0; n < s.moves; n++) {
            const double part = crank_dot3(g, s.b[n]);
            crank_add3(g, -part, s.b[n]);
            crank_add3(w, -part, s.b[n] + 3);
        }
        if (s.moves < 3 && normalize(g, 6, crank_norm3(g))) {
            memcpy(s.b[s.moves++], g, sizeof s.b[0]);
            continue;
        }
        for (int n = 0; n < s.holds; n++) {
            crank_add3(w, -crank_dot3(w, s.h[n]), s.h[n]);
        }
        if (s.holds < 3 && normalize(w, 3, crank_norm3(w))) {
            memcpy(s.h[s.holds++], w, sizeof s.h[0]);
        }
    }
    return s;
}

/* May the body spin about n, its centre of mass beside its pivots? */
static bool is_wheel(const crank_eom_parts *parts, int body, const spins *s, const double n[3])
{
    const double *J = parts->body_inertia + 9L * body;
    double Jn[3], e[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < s->moves; i++) {
        crank_add3(e, crank_dot3(s->b[i] + 3, n) * parts->length, s->b[i]);
    }
    for (int i = 0; i < s->holds; i++) {
        if (fabs(crank_dot3(s->h[i], n)) > vanishes) {
            return false;
        }
    }
    for (int i = 0; i < 3; i++) {
        Jn[i] = crank_dot3(J + 3L * i, n);
    }
    return parts->body_mass[body] * crank_dot3(e, e) <= unbalance * crank_dot3(n, Jn);
}

static bool is_ball(const crank_eom_parts *parts, int body, const spins *s)
{
    bool ball = s->holds == 0;
    for (int i = 0; i < 3; i++) {
        const double n[3] = {i == 0, i == 1, i == 2};
        ball = ball && is_wheel(parts, body, s, n);
    }
    return ball;
}

/* The axis of symmetry; 0: none, 1: it is n, 3: each is one. */
static int find_axis(const double inertia[9], double n[3])
{
    double P[9], spread = 0.0;
    crank_across_symmetry(inertia, P);
    memset(n, 0, 3 * sizeof *n);
    for (int i = 0; i < 3; i++) { /* 1 - P = n n^T: its largest column */
        const double square = 1.0 - P[4 * i];
        spread += square;
        if (square > crank_dot3(n, n)) {
            for (int k = 0; k < 3; k++) {
                n[k] = (k == i ? 1.0 - P[4 * k] : -P[3 * k + i]) / sqrt(square);
            }
        }
    }
    return spread < 0.5 ? 0 : spread > 2.0 ? 3 : 1;
}

/* How a body that was turned from R0 to R, by so much, counts. */
static double counted(const look *l, int body, const double R0[9], const double R[9],
                      double turn)
{
    const crank_eom_parts *parts = l->eom->parts;
    double n[3], a[3], b[3];
    const int axes = find_axis(parts->body_inertia + 9L * body, n);
    if (axes == 0) {
        return turn;
    }
    const spins s[2] = {find_spins(l, body, 0), find_spins(l, body, 1)};
    if (axes == 3 && is_ball(parts, body, &s[0]) && is_ball(parts, body, &s[1])) {
        return 0.0;
    }
    if (axes == 3) { /* one on an axle */
        crank_cross3(n, s[1].h[0], s[1].h[1]);
    }
    if ((axes == 3 && s[1].holds != 2) || !is_wheel(parts, body, &s[0], n) ||
        !is_wheel(parts, body, &s[1], n)) {
        return turn;
    }
    for (int i = 0; i < 3; i++) {
        a[i] = crank_dot3(R0 + 3L * i, n);
        b[i] = crank_dot3(R + 3L * i, n);
    }
    return acos(clamp(crank_dot3(a, b)));
}

/* in space, by the quaternions */
static double angle_of(const look *l, int body, const double *from, const double *to)
{
    double R0[9], R[9], trace = 0.0;
    crank_quaternion_matrix(R0, from);
    crank_quaternion_matrix(R, to);
    for (int i = 0; i < 9; i++) {
        trace += R0[i] * R[i];
    }
    const double turn = acos(clamp((trace - 1.0) / 2.0));
    return turn > far && l->eom->parts->body_inertia != NULL ? counted(l, body, R0, R, turn)
                                                             : turn;
}

static void find(const look *l, const double *from, const double *to, crank_equilibrium *out)
{
    const crank_eom *eom = l->eom;
    const crank_eom_parts *parts = eom->parts;
    for (int i = 0; i < eom->sizes.p; i++) {
        const int j = eom->column[CRANK_P] + i, body = parts->position_body[i];
        const char kind = parts->position_kind[i];
        double angle = 0.0;
        if (body < 0 || (kind != 'q' && kind != 'a')) {
            continue;
        }
        if (kind == 'a') {
            angle = fabs(to[j] - from[j]);
        } else {
            angle = angle_of(l, body, from + j, to + j);
            i += 3;
        }
        if (angle > far && out->turned_count++ < CRANK_FREE_DIRECTIONS) {
            (void)snprintf(out->turned_text[out->turned_count - 1], CRANK_DIRECTION_TEXT,
                           "%.120s by %.4g deg", parts->body_text[body], angle * degrees);
        }
    }
}

crank_status crank_turned_find(crank_eom *eom, double t, const double *from, const double *to,
                               crank_equilibrium *out, crank_error *err)
{
    const size_t rows = 6 * (size_t)eom->sizes.lambda;
    const size_t entries = (size_t)eom->jacobian_pattern.start[eom->n];
    out->turned_count = 0;
    if (eom->parts == NULL) {
        return CRANK_OK;
    }
    double *work = calloc(rows + 2 * entries + 1, sizeof *work);
    if (work == NULL) {
        return crank_fail(err, CRANK_EMEM, "constraints of %d bodies", eom->parts->body_count);
    }
    const look l = {eom, work, {work + rows, work + rows + entries}};
    crank_status status = crank_eom_evaluate_jacobian(eom, t, from, NULL, l.values[0], err);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, t, to, NULL, l.values[1], err));
    if (status == CRANK_OK) {
        find(&l, from, to, out);
    }
    free(work);
    return status;
}
