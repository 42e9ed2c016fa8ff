/* explicit_sums.c - sums of stages, theory (9.6), of four or eight unknowns at a time:
 *
 *     out = x + sum_j f_j K_j
 *
 * where most of the work of a step with few unknowns is that is not the equations'. A file of
 * its own: put into the loop over the unknowns, as a compiler would, it takes half as many
 * instructions again. The sums stay in registers; terms are added in fours, so that fewer
 * additions wait for each other. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/explicit.h"

void crank_explicit_add_eight(int count, const double *factor, const long *offset,
                              const double *K, const double *x, double *out)
{
    const double *end = factor + count;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0, s6 = 0.0, s7 = 0.0;
    if (x != NULL) {
        s0 = x[0], s1 = x[1], s2 = x[2], s3 = x[3];
        s4 = x[4], s5 = x[5], s6 = x[6], s7 = x[7];
    }
    for (; factor + 4 <= end; factor += 4, offset += 4) {
        const double f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
        const double *k0 = K + offset[0], *k1 = K + offset[1], *k2 = K + offset[2],
                     *k3 = K + offset[3];
        s0 += (f0 * k0[0] + f1 * k1[0]) + (f2 * k2[0] + f3 * k3[0]);
        s1 += (f0 * k0[1] + f1 * k1[1]) + (f2 * k2[1] + f3 * k3[1]);
        s2 += (f0 * k0[2] + f1 * k1[2]) + (f2 * k2[2] + f3 * k3[2]);
        s3 += (f0 * k0[3] + f1 * k1[3]) + (f2 * k2[3] + f3 * k3[3]);
        s4 += (f0 * k0[4] + f1 * k1[4]) + (f2 * k2[4] + f3 * k3[4]);
        s5 += (f0 * k0[5] + f1 * k1[5]) + (f2 * k2[5] + f3 * k3[5]);
        s6 += (f0 * k0[6] + f1 * k1[6]) + (f2 * k2[6] + f3 * k3[6]);
        s7 += (f0 * k0[7] + f1 * k1[7]) + (f2 * k2[7] + f3 * k3[7]);
    }
    for (; factor < end; factor++, offset++) {
        const double f = *factor, *k = K + *offset;
        s0 += f * k[0];
        s1 += f * k[1];
        s2 += f * k[2];
        s3 += f * k[3];
        s4 += f * k[4];
        s5 += f * k[5];
        s6 += f * k[6];
        s7 += f * k[7];
    }
    out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3;
    out[4] = s4, out[5] = s5, out[6] = s6, out[7] = s7;
}

void crank_explicit_add_four(int count, const double *factor, const long *offset,
                             const double *K, const double *x, double *out)
{
    const double *end = factor + count;
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    if (x != NULL) {
        s0 = x[0], s1 = x[1], s2 = x[2], s3 = x[3];
    }
    for (; factor + 4 <= end; factor += 4, offset += 4) {
        const double f0 = factor[0], f1 = factor[1], f2 = factor[2], f3 = factor[3];
        const double *k0 = K + offset[0], *k1 = K + offset[1], *k2 = K + offset[2],
                     *k3 = K + offset[3];
        s0 += (f0 * k0[0] + f1 * k1[0]) + (f2 * k2[0] + f3 * k3[0]);
        s1 += (f0 * k0[1] + f1 * k1[1]) + (f2 * k2[1] + f3 * k3[1]);
        s2 += (f0 * k0[2] + f1 * k1[2]) + (f2 * k2[2] + f3 * k3[2]);
        s3 += (f0 * k0[3] + f1 * k1[3]) + (f2 * k2[3] + f3 * k3[3]);
    }
    for (; factor < end; factor++, offset++) {
        const double f = *factor, *k = K + *offset;
        s0 += f * k[0];
        s1 += f * k[1];
        s2 += f * k[2];
        s3 += f * k[3];
    }
    out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3;
}
