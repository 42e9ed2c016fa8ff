/* test_eigen.c - eigenvalues and eigenvectors of general matrices: residuals, known values,
 * scales. Backward stable: |A u - lambda u| is a small multiple of n eps |A|. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/eigen.h"
#include "unit/linalg/random.h"

#include <complex.h>
#include <float.h>
#include <stdlib.h>

enum { MOST = 60 };

static void check_residuals(int n, const double *A, double limit)
{
    double kept[MOST * MOST], real[MOST], imag[MOST];
    double *vectors = calloc(2 * MOST * MOST, sizeof *vectors);
    crank_error err = {0};
    double norm = 0.0;
    assert_non_null(vectors);
    for (int i = 0; i < n * n; i++) {
        kept[i] = A[i];
        norm = hypot(norm, A[i]);
    }
    CHECK_OK(crank_eigen(n, kept, real, imag, vectors, &err), err);
    for (int k = 0; k < n; k++) {
        const double *u = vectors + 2L * n * k;
        const double complex lambda = real[k] + (double complex)I * imag[k];
        for (int i = 0; i < n; i++) {
            double complex sum = -lambda * (u[2 * i] + (double complex)I * u[2 * i + 1]);
            for (int j = 0; j < n; j++) {
                sum += A[i + j * n] * (u[2 * j] + (double complex)I * u[2 * j + 1]);
            }
            CHECK_NEAR(cabs(sum), 0.0, limit * n * DBL_EPSILON * norm);
        }
        if (imag[k] > 0.0) {
            CHECK_NEAR(imag[k + 1], -imag[k], 0.0);
            CHECK_NEAR(real[k + 1], real[k], 0.0);
        }
    }
    free(vectors);
}

static void test_random_matrices_leave_residuals_of_rounding(void **state)
{
    (void)state;
    double A[MOST * MOST];
    random_source r = {7};
    for (int n = 1; n <= MOST; n += n < 8 ? 1 : 13) {
        random_fill(&r, n * n, A);
        check_residuals(n, A, 20.0);
    }
}

static void test_companion_matrix_has_the_roots_of_its_polynomial(void **state)
{
    (void)state;
    /* (z - 1)(z - 2)(z + 3)(z^2 + 4) = z^5 - 3 z^3 + 6 z^2 - 28 z + 24 */
    const double c[5] = {24, -28, 6, -3, 0};
    const double expected[5][2] = {{1, 0}, {2, 0}, {-3, 0}, {0, 2}, {0, -2}};
    double A[25] = {0}, real[5], imag[5];
    crank_error err = {0};
    for (int i = 0; i < 5; i++) {
        A[i + 20] = -c[i];
        if (i > 0) {
            A[i + 5 * (i - 1)] = 1.0;
        }
    }
    CHECK_OK(crank_eigen(5, A, real, imag, NULL, &err), err);
    for (int k = 0; k < 5; k++) {
        double least = 1.0;
        for (int i = 0; i < 5; i++) {
            least = fmin(least, hypot(real[i] - expected[k][0], imag[i] - expected[k][1]));
        }
        CHECK_NEAR(least, 0.0, 1e-13);
    }
}

static void test_rows_of_very_different_units_keep_their_digits(void **state)
{
    (void)state;
    /* x' = v, v' = -k x in units that make k large: +-i sqrt(k) to rounding */
    double A[4] = {0.0, -1e14, 1.0, 0.0}, real[2], imag[2];
    crank_error err = {0};
    CHECK_OK(crank_eigen(2, A, real, imag, NULL, &err), err);
    CHECK_NEAR(real[0], 0.0, 1e-8);
    CHECK_NEAR(imag[0], 1e7, 1e-8);
}

static void test_defective_and_empty_matrices_are_answered(void **state)
{
    (void)state;
    double A[9] = {2, 0, 0, 1, 2, 0, 0, 1, 2}, real[3], imag[3], vectors[18];
    crank_error err = {0};
    CHECK_OK(crank_eigen(3, A, real, imag, vectors, &err), err);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(real[i], 2.0, 1e-5); /* cube root of rounding */
    }
    CHECK_OK(crank_eigen(0, A, real, imag, NULL, &err), err);
    A[0] = (double)NAN;
    CHECK_STATUS(crank_eigen(1, A, real, imag, NULL, &err), CRANK_EDECOMPOSITION);
}

/* A B = B (B^T A B), B orthonormal, and not cut within moduli that are one. */
static void test_leading_subspace_is_invariant_orthonormal_and_cut_at_a_gap(void **state)
{
    (void)state;
    enum { N = 24 };
    double A[N * N], kept[N * N], size[N], basis[N * N];
    crank_error err = {0};
    random_source r = {11};
    for (int copies = 0; copies < 2; copies++) {
        int count;
        random_fill(&r, N * N, A);
        for (int j = 0; copies == 1 && j < N; j++) { /* two copies of one matrix */
            for (int i = 0; i < N; i++) {
                A[i + j * N] =
                    (i < N / 2) == (j < N / 2) ? A[i % (N / 2) + j % (N / 2) * N] : 0.0;
            }
        }
        for (int i = 0; i < N * N; i++) {
            kept[i] = A[i];
        }
        CHECK_OK(crank_eigen_leading(N, kept, 5, size, basis, &count, &err), err);
        assert_true(count >= 5 && count < N);
        assert_true(size[count] < size[count - 1] * (1.0 - 1e-6));
        for (int b = 0; b < count; b++) {
            double image[N] = {0};
            for (int j = 0; j < N; j++) {
                for (int i = 0; i < N; i++) {
                    image[i] += A[i + j * N] * basis[j + b * N];
                }
            }
            for (int a = 0; a < count; a++) {
                double dot = 0.0, part = 0.0;
                for (int i = 0; i < N; i++) {
                    dot += basis[i + a * N] * basis[i + b * N];
                    part += basis[i + a * N] * image[i];
                }
                CHECK_NEAR(dot, a == b ? 1.0 : 0.0, 1e-13);
                for (int i = 0; i < N; i++) {
                    image[i] -= part * basis[i + a * N];
                }
            }
            for (int i = 0; i < N; i++) {
                CHECK_NEAR(image[i], 0.0, 1e-11);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_matrices_leave_residuals_of_rounding),
        cmocka_unit_test(test_companion_matrix_has_the_roots_of_its_polynomial),
        cmocka_unit_test(test_rows_of_very_different_units_keep_their_digits),
        cmocka_unit_test(test_defective_and_empty_matrices_are_answered),
        cmocka_unit_test(test_leading_subspace_is_invariant_orthonormal_and_cut_at_a_gap),
    };
    return CHECK_RUN(argc, argv, tests);
}
