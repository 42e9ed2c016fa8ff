/* singular_values.c - LAPACK's dgesdd, several times faster than dgesvd from some dozens of rows on. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/singular_values.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

crank_status crank_singular_values(int m, int n, double *A, double *sigma, double *U,
                                   double *VT, crank_error *err)
{
    const size_t small = (size_t)(m < n ? m : n), large = (size_t)(m < n ? n : m);
    const size_t size = U != NULL ? 4 * small * small + 7 * small + large + 64 * (small + large)
                                  : 3 * small + 7 * small + large + 64 * (small + large);
    for (size_t i = 0; i < (size_t)m * (size_t)n; i++) {
        if (!isfinite(A[i])) {
            return crank_fail(err, CRANK_EDECOMPOSITION,
                              "singular values of a %d x %d matrix that is not finite", m, n);
        }
    }
    if (size > INT32_MAX) {
        return crank_fail(err, CRANK_EMEM, "singular values of a %d x %d matrix", m, n);
    }
    double *work = malloc(size * sizeof *work);
    lapack_int *integers = malloc(8 * small * sizeof *integers);
    crank_status status = CRANK_OK;
    if (work == NULL || integers == NULL) {
        status = crank_fail(err, CRANK_EMEM, "singular values of a %d x %d matrix", m, n);
    } else if (LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, U != NULL ? 'A' : 'N', m, n, A, m, sigma,
                                   U, m, VT, n, work, (lapack_int)size, integers) != 0) {
        status = crank_fail(err, CRANK_EDECOMPOSITION,
                            "singular values of a %d x %d matrix were not found", m, n);
    }
    free(work);
    free(integers);
    return status;
}
