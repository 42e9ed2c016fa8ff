/* explicit_border.c - how long steps may be beside a fast oscillation: an explicit method makes
 * it grow where |R(h lambda)| > 1, and the error estimate may not see that, theory 9.3.
 *
 *     e_0 = x_1 - X_s-1,  e_i = h J e_i-1;    e_1 = h (K_s - K_s-1)
 *     e_4 = a e_3 + b e_2  (least squares):   z^2 = a z + b,   z = h lambda         theory 9.3
 *     next step h_1:  |R(u z)| <= 1 for all u <= h_1/h                              theory 9.3
 *
 * e_1 is known from the step, as in (9.14); the others cost an evaluation each, which are made in
 * some steps, and only where (9.14) is not far from the border, or was. e_1 has motions that no
 * force resists among its positions, e_2 has not. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/explicit.h"

#include <math.h>
#include <string.h>

/* part of e_4 that the two others leave where they are one oscillation and little else */
static const double one_mode = 0.1;
/* sine of the angle between e_2 and e_3 below which they are one direction: lambda is real */
static const double one_direction = 0.1;
/* steps along the ray to z by which the border is looked for; |R| - 1 that is rounding */
static const double stride = 1.0 / 64, rounding = 1e-12;
/* part of the border from which (9.14), a quotient of norms, is a reason to look; part that
 * steps keep to, since eigenvalues change on the way to the next look */
static const double near = 0.5, margin = 0.9;
/* steps between looks that find nothing double up to that */
enum { WAIT_MOST = 1000000 };
/* places along the ray that are looked at together */
enum { FOUR = 4 };

/* ---- the oscillation ---- */

/* Sums of products of the e_i and e_j, over tolerances, of positions (1) and of the others (0):
 * a triangle. */
static void multiply(const crank_integrator *it, double *const e[3], double product[2][3][3])
{
    memset(product, 0, 18 * sizeof(double));
    for (int k = 0; k < it->n; k++) {
        const int which = it->problem->group[k] == CRANK_P;
        if (!it->problem->tested[k] || !crank_integrator_is_differential(it, k)) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j <= i; j++) {
                product[which][i][j] += e[i][k] / it->scale[k] * (e[j][k] / it->scale[k]);
            }
        }
    }
}

/* With positions times the rate |e_i of velocities|/|e_i of positions|, the mean of two, all
 * phases of an oscillation are alike: without, velocities would say it all, along which
 * all e_i are one direction. */
static void balance(double product[2][3][3])
{
    const double rate =
        sqrt(product[0][1][1] * product[0][2][2] / (product[1][1][1] * product[1][2][2]));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            product[0][i][j] += rate * product[1][i][j];
        }
    }
}

bool crank_explicit_find_oscillation(double product[2][3][3], double z[2])
{
    balance(product);
    const double d00 = product[0][0][0], d10 = product[0][1][0], d11 = product[0][1][1],
                 d20 = product[0][2][0], d21 = product[0][2][1], d22 = product[0][2][2];
    const double det = d00 * d11 - d10 * d10;
    if (!(det > one_direction * one_direction * d00 * d11) || !(d22 > 0.0)) {
        return false;
    }
    const double a = (d21 * d00 - d20 * d10) / det, b = (d20 * d11 - d21 * d10) / det;
    const double left = d22 - a * d21 - b * d20, real = a / 2.0, square = -b - real * real;
    if (!(left <= one_mode * one_mode * d22) || !(square > 0.0)) {
        return false;
    }
    z[0] = fmin(real, 0.0); /* what grows by itself is no error */
    z[1] = sqrt(square);
    return true;
}

/* ---- the border ---- */

/* c[k]: real and imaginary part of what belongs to u^k in R(u z/|z|). R is a polynomial, by X_i = 1
 * + z sum_j a_ij X_j, whose coefficients are found power by power: X holds those of the last one. */
static void find_amplification(const crank_tableau *b, const double z[2], double c[][2])
{
    const double size = hypot(z[0], z[1]), turn[2] = {z[0] / size, z[1] / size};
    double X[CRANK_MOST_TERMS], power[2] = {1.0, 0.0};
    for (int i = 0; i <= b->stages; i++) {
        X[i] = 1.0;
    }
    for (int k = 0; k <= b->stages; k++) {
        for (int i = b->stages; i >= k && k > 0; i--) { /* X_j = 0 for j < k - 1 */
            double sum = 0.0;
            for (int j = k - 1; j < i; j++) {
                sum += b->A[(long)i * b->width + j] * X[j];
            }
            X[i] = sum;
        }
        c[k][0] = X[b->stages] * power[0];
        c[k][1] = X[b->stages] * power[1];
        const double real = power[0] * turn[0] - power[1] * turn[1];
        power[1] = power[0] * turn[1] + power[1] * turn[0];
        power[0] = real;
    }
}

/* |R|^2 at FOUR places u along the ray, which the processor does two at a time */
static void amplify(int degree, double c[][2], const double u[FOUR], double square[FOUR])
{
    double real[FOUR] = {0.0}, imaginary[FOUR] = {0.0};
    for (int k = degree; k >= 0; k--) {
        for (int l = 0; l < FOUR; l++) {
            real[l] = c[k][0] + u[l] * real[l];
            imaginary[l] = c[k][1] + u[l] * imaginary[l];
        }
    }
    for (int l = 0; l < FOUR; l++) {
        square[l] = real[l] * real[l] + imaginary[l] * imaginary[l];
    }
}

double crank_explicit_border(const crank_tableau *b, const double z[2])
{
    const double most = (1.0 + rounding) * (1.0 + rounding), longest = 2.0 * b->stages;
    double c[CRANK_MOST_TERMS][2], u[FOUR], square[FOUR];
    find_amplification(b, z, c);
    for (double size = stride; size < longest; size += FOUR * stride) {
        for (int l = 0; l < FOUR; l++) {
            u[l] = size + l * stride;
        }
        amplify(b->stages, c, u, square);
        for (int l = 0; l < FOUR; l++) {
            if (!(square[l] <= most)) {
                return u[l] - stride;
            }
        }
    }
    return longest - stride;
}

/* ---- looks ---- */

/* next = h J e at (it->t, it->x), by a difference as large as `size` */
static bool apply(crank_integrator *it, crank_explicit *s, double h, double size,
                  const double *e, double *next)
{
    crank_error reason;
    const double factor = size / crank_integrator_norm(it, 1, e, 1.0);
    memcpy(s->X, it->x, (size_t)it->n * sizeof *s->X);
    for (int r = 0; r < s->run_count; r++) {
        for (int k = s->first[r]; k < s->last[r]; k++) {
            s->X[k] += factor * e[k];
        }
    }
    if (!isfinite(factor) ||
        it->problem->derivative(it->problem, it->t, s->X, next, &reason) != CRANK_OK) {
        return false;
    }
    it->statistics.solves++;
    for (int k = 0; k < it->n; k++) {
        next[k] = h / factor * (next[k] - s->rate[k]);
    }
    return true;
}

/* z of the step of length h that was accepted last */
static bool look(crank_integrator *it, crank_explicit *s, double h, double z[2])
{
    double product[2][3][3], size;
    const double *last = s->K_accepted + (long)(s->tableau->stages - 1) * it->n;
    double *e[3] = {s->K, s->K + it->n, s->K + 2 * (long)it->n}; /* the next step fills it */
    for (int k = 0; k < it->n; k++) {
        s->work[k] = it->x[k] - s->X[k];
        e[2][k] = h * (s->rate[k] - last[k]);
    }
    size = crank_integrator_norm(it, 1, s->work, 1.0);
    for (int i = 0; i < 3; i++) {
        if (!apply(it, s, h, size, e[(i + 2) % 3], e[i])) {
            return false;
        }
    }
    multiply(it, e, product);
    return crank_explicit_find_oscillation(product, z);
}

bool crank_explicit_stay_stable(crank_integrator *it, crank_explicit *s)
{
    const double h = it->t - it->t_old, swing = s->tableau->swing;
    double z[2];
    s->looked = s->looked < s->wait ? s->looked + 1 : s->wait;
    if (swing > 0.0 && s->looked == s->wait && (s->rate_seen > 0.0 || s->size > near * swing)) {
        const bool found = look(it, s, h, z);
        s->rate_seen = found ? hypot(z[0], z[1]) / h : s->rate_seen;
        s->border_seen = found ? crank_explicit_border(s->tableau, z) : s->border_seen;
        const bool beside = found && h * s->rate_seen > near * s->border_seen;
        s->wait = beside ? CRANK_EXPLICIT_WAIT : s->wait < WAIT_MOST ? 2 * s->wait : s->wait;
        s->rate_seen = found || s->wait <= 2 * CRANK_EXPLICIT_WAIT ? s->rate_seen : 0.0;
        s->looked = 0;
    }
    if (!(s->rate_seen > 0.0)) {
        return false;
    }
    const double longest = margin * s->border_seen / s->rate_seen;
    const bool bounded = it->h >= longest;
    s->size = bounded ? fmax(s->size, h * s->rate_seen) : s->size;
    it->h = bounded ? longest : it->h;
    return bounded;
}
