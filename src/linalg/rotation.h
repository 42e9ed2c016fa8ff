/* rotation.h - vectors of three numbers, 3x3 matrices (row-major here: world = R body reads as
 * written) and quaternions q = (w, x, y, z) with the product q o r.
 *
 * R(q) u = q o u o q* = (w^2 - e.e) u + 2 (e.u) e + 2 w e x u with e = (x, y, z) is homogeneous
 * of degree two; it is a rotation for |q| = 1. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ROTATION_H
#define CRANK_SRC_ROTATION_H

#include <math.h>
#include <string.h>

static inline double crank_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* c = a x b; c must be another array than a and b. */
static inline void crank_cross3(double c[3], const double a[3], const double b[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double crank_norm3(const double a[3])
{
    return hypot(hypot(a[0], a[1]), a[2]);
}

/* y += f x */
static inline void crank_add3(double y[3], double f, const double x[3])
{
    y[0] += f * x[0];
    y[1] += f * x[1];
    y[2] += f * x[2];
}

/* y = R x; y must be another array than x. */
static inline void crank_mat3_times(double y[3], const double R[9], const double x[3])
{
    y[0] = crank_dot3(R, x);
    y[1] = crank_dot3(R + 3, x);
    y[2] = crank_dot3(R + 6, x);
}

/* y = R^T x; y must be another array than x. */
static inline void crank_mat3_transposed_times(double y[3], const double R[9],
                                               const double x[3])
{
    y[0] = R[0] * x[0] + R[3] * x[1] + R[6] * x[2];
    y[1] = R[1] * x[0] + R[4] * x[1] + R[7] * x[2];
    y[2] = R[2] * x[0] + R[5] * x[1] + R[8] * x[2];
}

/* C = A B; C must be another array. */
static inline void crank_mat3_multiply(double C[9], const double A[9], const double B[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
        }
    }
}

/* R(q) */
static inline void crank_quaternion_matrix(double R[9], const double q[4])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    R[0] = w * w + x * x - y * y - z * z;
    R[1] = 2.0 * (x * y - w * z);
    R[2] = 2.0 * (x * z + w * y);
    R[3] = 2.0 * (x * y + w * z);
    R[4] = w * w - x * x + y * y - z * z;
    R[5] = 2.0 * (y * z - w * x);
    R[6] = 2.0 * (x * z - w * y);
    R[7] = 2.0 * (y * z + w * x);
    R[8] = w * w - x * x - y * y + z * z;
}

/* c = a o b; c must be another array. */
static inline void crank_quaternion_multiply(double c[4], const double a[4], const double b[4])
{
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* The rotation about a unit axis. */
static inline void crank_quaternion_of_axis(double q[4], const double axis[3], double angle)
{
    double s = sin(0.5 * angle);
    q[0] = cos(0.5 * angle);
    q[1] = s * axis[0];
    q[2] = s * axis[1];
    q[3] = s * axis[2];
}

/* Of a rotation about z its angle, of up to two half turns both ways. */
static inline double crank_quaternion_angle(const double q[4])
{
    return 2.0 * atan2(q[3], q[0]);
}

/* The unit quaternion of a rotation matrix, by its largest component. */
static inline void crank_quaternion_of_matrix(double q[4], const double R[9])
{
    const double four[4] = {1.0 + R[0] + R[4] + R[8], 1.0 + R[0] - R[4] - R[8],
                            1.0 - R[0] + R[4] - R[8], 1.0 - R[0] - R[4] + R[8]};
    const double s[4] = {0.0, R[7] - R[5], R[2] - R[6], R[3] - R[1]};
    int k = 0;
    for (int i = 1; i < 4; i++) {
        k = four[i] > four[k] ? i : k;
    }
    q[k] = 0.5 * sqrt(four[k]);
    const double f = 0.25 / q[k];
    for (int i = 0; i < 4; i++) {
        if (i == 0 || k == 0) {
            q[i] = i == k ? q[k] : f * s[i + k];
        } else if (i != k) {
            q[i] = f * (R[3 * (i - 1) + k - 1] + R[3 * (k - 1) + i - 1]);
        }
    }
}

/* D[4 i + j] = d (R(q) u)_i / dq_j: linear in q. */
static inline void crank_quaternion_derivative(double D[12], const double q[4],
                                               const double u[3])
{
    const double *e = q + 1;
    double eu = crank_dot3(e, u), t[3];
    crank_cross3(t, e, u);
    for (int i = 0; i < 3; i++) {
        D[4 * i] = 2.0 * (q[0] * u[i] + t[i]);
        for (int j = 0; j < 3; j++) {
            D[4 * i + 1 + j] = 2.0 * (e[i] * u[j] - u[i] * e[j]);
        }
        D[4 * i + 1 + i] += 2.0 * eu;
    }
    /* 2 w d(e x u)/de = -2 w [u]x */
    double f = 2.0 * q[0];
    D[2] += f * u[2];
    D[3] -= f * u[1];
    D[5] -= f * u[2];
    D[7] += f * u[0];
    D[9] += f * u[1];
    D[10] -= f * u[0];
}

/* g = d (w . R(q) u) / dq: one row combination of the above. */
static inline void crank_quaternion_gradient(double g[4], const double q[4], const double w[3],
                                             const double u[3])
{
    const double *e = q + 1;
    double t[3], wu = crank_dot3(w, u), ew = crank_dot3(e, w), eu = crank_dot3(e, u);
    crank_cross3(t, u, w);
    g[0] = 2.0 * (q[0] * wu + crank_dot3(e, t));
    for (int j = 0; j < 3; j++) {
        g[1 + j] = 2.0 * (q[0] * t[j] + ew * u[j] + eu * w[j] - wu * e[j]);
    }
}

/* q o (0, omega) = (-e.omega, w omega + e x omega) is by_q q and by_omega omega. */
static inline void crank_quaternion_product_matrices(const double q[4], const double omega[3],
                                                     double by_q[4][4], double by_omega[4][3])
{
    const double a = omega[0], b = omega[1], c = omega[2];
    const double of_omega[4][4] = {
        {0.0, -a, -b, -c}, {a, 0.0, c, -b}, {b, -c, 0.0, a}, {c, b, -a, 0.0}};
    const double of_q[4][3] = {
        {-q[1], -q[2], -q[3]}, {q[0], -q[3], q[2]}, {q[3], q[0], -q[1]}, {-q[2], q[1], q[0]}};
    memcpy(by_q, of_omega, sizeof of_omega);
    memcpy(by_omega, of_q, sizeof of_q);
}

#endif
