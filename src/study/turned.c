/* turned.c - bodies that turned far on the way to a rest: what hangs upside down rests, too.
 *
 * Bodies whose inertia is symmetric about an axis may turn about it as they like (a wheel that
 * rolls): of them the axis counts, and of balls nothing. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/rotation.h"
#include "run/run.h"
#include "study/linear.h"

#include <math.h>
#include <stdio.h>

static const double far = 1.5707963267948966; /* a quarter of a turn */
static const double degrees = 57.295779513082323;

static double clamp(double x)
{
    return fmax(-1.0, fmin(1.0, x));
}

/* in space, by the quaternions */
static double angle_of(const crank_eom *eom, int body, const double *from, const double *to)
{
    double P[9], R0[9], R[9], n[3] = {0.0, 0.0, 0.0}, a[3], b[3], trace = 0.0, spread = 0.0;
    crank_quaternion_matrix(R0, from);
    crank_quaternion_matrix(R, to);
    for (int i = 0; i < 9; i++) {
        trace += R0[i] * R[i];
    }
    if (eom->parts->body_inertia == NULL) {
        return acos(clamp((trace - 1.0) / 2.0));
    }
    crank_across_symmetry(eom->parts->body_inertia + 9L * body, P);
    for (int i = 0; i < 3; i++) { /* 1 - P = n n^T: its largest column */
        const double square = 1.0 - P[4 * i];
        spread += square;
        if (square > crank_dot3(n, n)) {
            for (int k = 0; k < 3; k++) {
                n[k] = (k == i ? 1.0 - P[4 * k] : -P[3 * k + i]) / sqrt(square);
            }
        }
    }
    if (spread < 0.5) { /* no axis of symmetry */
        return acos(clamp((trace - 1.0) / 2.0));
    }
    if (spread > 2.0) { /* all */
        return 0.0;
    }
    for (int i = 0; i < 3; i++) {
        a[i] = crank_dot3(R0 + 3L * i, n);
        b[i] = crank_dot3(R + 3L * i, n);
    }
    return acos(clamp(crank_dot3(a, b)));
}

void crank_turned_find(const crank_eom *eom, const double *from, const double *to,
                       crank_equilibrium *out)
{
    const crank_eom_parts *parts = eom->parts;
    out->turned_count = 0;
    for (int i = 0; parts != NULL && i < eom->sizes.p; i++) {
        const int j = eom->column[CRANK_P] + i, body = parts->position_body[i];
        const char kind = parts->position_kind[i];
        double angle = 0.0;
        if (body < 0 || (kind != 'q' && kind != 'a')) {
            continue;
        }
        if (kind == 'a') {
            angle = fabs(to[j] - from[j]);
        } else {
            angle = angle_of(eom, body, from + j, to + j);
            i += 3;
        }
        if (angle > far && out->turned_count++ < CRANK_FREE_DIRECTIONS) {
            (void)snprintf(out->turned_text[out->turned_count - 1], CRANK_DIRECTION_TEXT,
                           "%.120s by %.4g deg", parts->body_text[body], angle * degrees);
        }
    }
}
