/* product.c - products of dense matrices: columns of A four at a time, or rows of its
 * transpose. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense.h"
#include "linalg/kernels.h"

#include <string.h>

/* c += A b, A: m x k */
static void add_columns(int m, int k, const double *A, int lda, const double *b, double *c)
{
    int l = 0;
    for (; l + 3 < k; l += 4) {
        const double minus[4] = {-b[l], -b[l + 1], -b[l + 2], -b[l + 3]};
        crank_subtract_four(0, m, A + (long)l * lda, lda, minus, c);
    }
    for (; l < k; l++) {
        crank_subtract(0, m, A + (long)l * lda, -b[l], c);
    }
}

void crank_gemm(bool transpose_a, int m, int n, int k, const double *A, int lda,
                const double *B, int ldb, double *C, int ldc)
{
    for (int j = 0; j < n; j++) {
        const double *b = B + (long)j * ldb;
        double *c = C + (long)j * ldc;
        if (transpose_a) {
            for (int i = 0; i < m; i++) {
                c[i] = crank_dot(k, A + (long)i * lda, b);
            }
        } else {
            memset(c, 0, (size_t)m * sizeof *c);
            add_columns(m, k, A, lda, b, c);
        }
    }
}
