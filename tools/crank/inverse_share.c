/* inverse_share.c - efforts of motors from those of drives: tau = Q z with T = Q R (Gram and
 * Schmidt, twice, for orthogonality to rounding) and R^T z = lambda. */
// SPDX-License-Identifier: BSD-3-Clause
#include "inverse.h"

#include <math.h>
#include <stdlib.h>

static const double dependent = 1e-10; /* of a column of T: what rounding leaves of it */

/* column j of Q and of R; false: it depends on those before */
static bool orthogonalise(int rows, int j, double *Q, double *R, int columns)
{
    double *q = Q + (size_t)j * (size_t)rows, before = 0.0, after = 0.0;
    for (int i = 0; i < rows; i++) {
        before += q[i] * q[i];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < j; k++) {
            const double *other = Q + (size_t)k * (size_t)rows;
            double sum = 0.0;
            for (int i = 0; i < rows; i++) {
                sum += other[i] * q[i];
            }
            for (int i = 0; i < rows; i++) {
                q[i] -= sum * other[i];
            }
            R[k * columns + j] += sum;
        }
    }
    for (int i = 0; i < rows; i++) {
        after += q[i] * q[i];
    }
    const double length = sqrt(after);
    if (!(length > dependent * sqrt(before))) {
        return false;
    }
    for (int i = 0; i < rows; i++) {
        q[i] /= length;
    }
    R[j * columns + j] = length;
    return true;
}

double inverse_least_norm(int motors, int drives, const double *T, const double *lambda,
                          double *tau, size_t stride)
{
    const size_t K = (size_t)motors, D = (size_t)drives;
    double *Q = calloc(K * D + D * D + D + 1, sizeof *Q);
    double left = 0.0, size = 0.0;
    if (Q == NULL) {
        return (double)NAN;
    }
    double *R = Q + K * D, *z = R + D * D;
    for (size_t k = 0; k < K; k++) {
        for (size_t j = 0; j < D; j++) {
            Q[j * K + k] = T[(k * D + j) * stride];
        }
    }
    bool whole = motors >= drives;
    for (int j = 0; j < drives && whole; j++) {
        whole = orthogonalise(motors, j, Q, R, drives);
    }
    for (size_t j = 0; j < D && whole; j++) {
        double sum = lambda[j * stride];
        for (size_t i = 0; i < j; i++) {
            sum -= R[i * D + j] * z[i];
        }
        z[j] = sum / R[j * D + j];
    }
    for (size_t k = 0; k < K && whole; k++) {
        double sum = 0.0;
        for (size_t j = 0; j < D; j++) {
            sum += Q[j * K + k] * z[j];
        }
        tau[k * stride] = sum;
    }
    for (size_t j = 0; j < D && whole; j++) {
        double sum = -lambda[j * stride];
        for (size_t k = 0; k < K; k++) {
            sum += T[(k * D + j) * stride] * tau[k * stride];
        }
        left = fmax(left, fabs(sum));
        size = fmax(size, fabs(lambda[j * stride]));
    }
    free(Q);
    return !whole ? HUGE_VAL : size > 0.0 ? left / size : 0.0;
}

int inverse_find_freedom(messages *m, crank_run *run)
{
    const crank_run_beginning start = crank_run_get_beginning(run);
    int freedom = 0;
    crank_error err = {0};
    if (crank_eom_freedom(crank_run_eom(run), start.t, start.x, 1e-8, &freedom, &err) ==
            CRANK_OK &&
        freedom > 0) {
        tell_note(
            m,
            "degrees of freedom that are not driven: %d; there the mechanism moves by its "
            "forces",
            freedom);
    }
    return freedom;
}
