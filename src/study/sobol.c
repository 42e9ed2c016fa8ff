/* sobol.c - Sobol's sequence with the direction numbers of Joe and Kuo [JK08], in the order of
 * Gray's code [AS79].
 *
 * x_i = xor of v_k over the bits k of i ^ (i >> 1), v_k = m_k 2^-k; with the primitive
 * polynomial z^s + a_1 z^(s-1) + ... + 1,
 *     m_k = 2 a_1 m_{k-1} ^ 4 a_2 m_{k-2} ^ ... ^ 2^s m_{k-s} ^ m_{k-s}        theory (12.10)
 * */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/design.h"

enum { BITS = 52, MOST = 7 };

/* degree, inner coefficients of the polynomial, first m: dimensions 2 to 21 */
typedef struct direction {
    int degree, inner;
    int m[MOST];
} direction;

// clang-format off
static const direction directions[CRANK_SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},                     {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},               {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},            {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},        {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},       {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},       {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},     {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},  {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},  {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}}, {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};
// clang-format on

/* m_1 .. m_BITS of a dimension */
static void numbers(int dimension, uint64_t m[BITS])
{
    for (int k = 0; k < BITS; k++) {
        if (dimension == 0) {
            m[k] = 1;
            continue;
        }
        const direction *d = &directions[dimension - 1];
        if (k < d->degree) {
            m[k] = (uint64_t)d->m[k];
            continue;
        }
        m[k] = m[k - d->degree] ^ (m[k - d->degree] << d->degree);
        for (int j = 1; j < d->degree; j++) {
            if ((d->inner >> (d->degree - 1 - j)) & 1) {
                m[k] ^= m[k - j] << j;
            }
        }
    }
}

double crank_sobol(int dimension, int64_t index, uint64_t shift)
{
    const uint64_t gray = (uint64_t)index ^ ((uint64_t)index >> 1);
    uint64_t m[BITS], bits = shift >> (64 - BITS);
    numbers(dimension, m);
    for (int k = 0; k < BITS; k++) {
        if ((gray >> k) & 1) {
            bits ^= m[k] << (BITS - 1 - k);
        }
    }
    return (double)bits / (double)((uint64_t)1 << BITS);
}
