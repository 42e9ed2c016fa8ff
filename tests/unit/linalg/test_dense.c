/* test_dense.c - LU real and complex, products, QR. Residuals of a stable LU are a small
 * multiple of n u |A| |x|. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/dense.h"
#include "unit/linalg/random.h"

#include <float.h>
#include <stdlib.h>

enum { LARGEST = 60, LDA = LARGEST + 3, LONGEST = 200 };

/* largest of |A x - b|; complex if pairs is 2 */
static double residual(int n, int pairs, const double *A, const double *x, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double re = pairs == 2 ? -b[2 * i] : -b[i], im = pairs == 2 ? -b[2 * i + 1] : 0.0;
        for (int j = 0; j < n; j++) {
            const double *a = A + (long)pairs * (i + (long)j * LDA), *z = x + (long)pairs * j;
            re += pairs == 2 ? a[0] * z[0] - a[1] * z[1] : a[0] * z[0];
            im += pairs == 2 ? a[0] * z[1] + a[1] * z[0] : 0.0;
        }
        worst = fmax(worst, hypot(re, im));
    }
    return worst;
}

static double largest(int n, const double *x)
{
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(x[i]));
    }
    return size;
}

static void check_system(random_source *r, int n, int pairs, double spread)
{
    static double A[2 * LDA * LARGEST], F[2 * LDA * LARGEST];
    double b[2 * LARGEST], x[2 * LARGEST];
    int pivot[LARGEST];
    random_fill(r, pairs * LDA * n, A);
    for (int i = 0; i < pairs * LDA * n; i++) {
        A[i] *= pow(10.0, spread * random_real(r)); /* entries of very different sizes */
    }
    random_fill(r, pairs * n, b);
    memcpy(F, A, sizeof F);
    memcpy(x, b, sizeof x);
    if (pairs == 2) {
        assert_true(crank_zlu_factor(n, F, LDA, pivot));
        crank_zlu_solve(n, F, LDA, pivot, x);
    } else {
        assert_true(crank_lu_factor(n, F, LDA, pivot));
        crank_lu_solve(n, F, LDA, pivot, x);
    }
    /* growth of partial pivoting on random matrices stays below n */
    const double bound =
        10.0 * n * n * DBL_EPSILON * largest(pairs * LDA * n, A) * largest(pairs * n, x);
    CHECK_NEAR(residual(n, pairs, A, x, b), 0.0, bound);
}

static void lu_solves_random_systems_of_every_size(void **state)
{
    random_source r = {1};
    for (int n = 1; n <= LARGEST; n++) {
        for (int repeat = 0; repeat < 3; repeat++) {
            check_system(&r, n, 1, repeat);
        }
    }
}

static void complex_lu_solves_random_systems_of_every_size(void **state)
{
    random_source r = {2};
    for (int n = 1; n <= LARGEST; n++) {
        for (int repeat = 0; repeat < 3; repeat++) {
            check_system(&r, n, 2, repeat);
        }
    }
}

static void lu_pivots_where_the_diagonal_is_zero(void **state)
{
    const int sizes[] = {5, 24, 25, 40};
    static double A[LARGEST * LARGEST], Z[2 * LARGEST * LARGEST];
    for (size_t s = 0; s < 4; s++) {
        const int n = sizes[s];
        double b[LARGEST], z[2 * LARGEST];
        int pivot[LARGEST];
        memset(A, 0, sizeof A);
        memset(Z, 0, sizeof Z);
        for (int j = 0; j < n; j++) { /* a cyclic shift: row j+1 of column j */
            A[(j + 1) % n + j * n] = 2.0;
            Z[2 * ((j + 1) % n + j * n) + 1] = 2.0;
            b[j] = j;
            z[2 * j] = j;
            z[2 * j + 1] = 0.0;
        }
        assert_true(crank_lu_factor(n, A, n, pivot));
        crank_lu_solve(n, A, n, pivot, b);
        assert_true(crank_zlu_factor(n, Z, n, pivot));
        crank_zlu_solve(n, Z, n, pivot, z);
        for (int j = 0; j < n; j++) {
            CHECK_NEAR(b[j], 0.5 * ((j + 1) % n), DBL_EPSILON * n);
            CHECK_NEAR(z[2 * j], 0.0, DBL_EPSILON * n);
            CHECK_NEAR(z[2 * j + 1], -0.5 * ((j + 1) % n), DBL_EPSILON * n);
        }
    }
}

static void empty_systems_are_fine(void **state)
{
    double nothing[1] = {3.0};
    int pivot[1];
    assert_true(crank_lu_factor(0, nothing, 1, pivot));
    crank_lu_solve(0, nothing, 1, pivot, nothing);
    assert_true(crank_zlu_factor(0, nothing, 1, pivot));
    crank_zlu_solve(0, nothing, 1, pivot, nothing);
    crank_gemm(false, 0, 0, 0, nothing, 0, nothing, 0, nothing, 1);
    assert_true(nothing[0] == 3.0);
    assert_true(crank_qr(0, 0, nothing, 1, pivot, nothing, nothing, nothing, 1));
    assert_true(nothing[0] == 3.0);
}

/* a zero row, a zero column, two equal rows of small integers: exact zeros appear */
static void singular_matrices_are_detected(void **state)
{
    const int sizes[] = {1, 2, 5, 24, 25, 40, 60};
    static double A[LARGEST * LARGEST], Z[2 * LARGEST * LARGEST];
    random_source r = {3};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int kind = 0; kind < 2; kind++) {
            const int n = sizes[s], which = random_int(&r, n);
            int pivot[LARGEST];
            random_fill(&r, n * n, A);
            random_fill(&r, 2 * n * n, Z);
            for (int k = 0; k < n; k++) {
                const int at = kind == 0 ? which + k * n : k + which * n;
                A[at] = Z[2 * at] = Z[2 * at + 1] = 0.0;
            }
            assert_false(crank_lu_factor(n, A, n, pivot));
            assert_false(crank_zlu_factor(n, Z, n, pivot));
        }
    }
    double twins[4] = {1.0, 1.0, 2.0, 2.0};
    int pivot[2];
    assert_false(crank_lu_factor(2, twins, 2, pivot));
}

static void values_that_are_not_finite_are_refused(void **state)
{
    const int sizes[] = {1, 3, 24, 25, 40};
    const double bad[] = {(double)NAN, (double)INFINITY};
    static double A[LARGEST * LARGEST], Z[2 * LARGEST * LARGEST];
    random_source r = {4};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int k = 0; k < 2; k++) {
            const int n = sizes[s], at = random_int(&r, n * n);
            int pivot[LARGEST];
            random_fill(&r, n * n, A);
            random_fill(&r, 2 * n * n, Z);
            A[at] = bad[k];
            Z[2 * at + 1] = bad[k];
            if (crank_lu_factor(n, A, n, pivot) || crank_zlu_factor(n, Z, n, pivot)) {
                fail_msg("%g among %d rows goes unnoticed", bad[k], n);
            }
        }
    }
}

static void complex_lu_handles_tiny_and_huge_pivots(void **state)
{
    const double sizes[] = {1e-150, 1e-100, 1e100, 1e150};
    for (size_t s = 0; s < 4; s++) {
        double A[8] = {3.0, 4.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0}, b[4] = {1.0, 2.0, 3.0, 4.0},
               x[4];
        double plain[8];
        int pivot[2];
        memcpy(plain, A, sizeof A);
        for (int i = 0; i < 8; i++) {
            A[i] *= sizes[s];
        }
        memcpy(x, b, sizeof x);
        assert_true(crank_zlu_factor(2, plain, 2, pivot));
        crank_zlu_solve(2, plain, 2, pivot, x);
        assert_true(crank_zlu_factor(2, A, 2, pivot));
        crank_zlu_solve(2, A, 2, pivot, b);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(b[i] * sizes[s], x[i], 1e-14);
        }
    }
}

static void product_uses_leading_dimensions_and_transposition(void **state)
{
    random_source r = {5};
    for (int repeat = 0; repeat < 20; repeat++) {
        const int m = 1 + random_int(&r, 6), n = 1 + random_int(&r, 6), k = random_int(&r, 7);
        double A[100], B[100], C[100];
        random_fill(&r, 100, A);
        random_fill(&r, 100, B);
        random_fill(&r, 100, C);
        for (int transpose = 0; transpose < 2; transpose++) {
            crank_gemm(transpose == 1, m, n, k, A, 8, B, 7, C, 9);
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    double sum = 0.0;
                    for (int l = 0; l < k; l++) {
                        sum += (transpose == 1 ? A[l + 8 * i] : A[i + 8 * l]) * B[l + 7 * j];
                    }
                    CHECK_NEAR(C[i + 9 * j], sum, 10.0 * DBL_EPSILON);
                }
            }
        }
    }
}

/* columns of Q (m x m) are orthonormal */
static void check_orthonormal(int m, const double *Q)
{
    for (int a = 0; a < m; a++) {
        for (int b = 0; b < m; b++) {
            double sum = a == b ? -1.0 : 0.0;
            for (int i = 0; i < m; i++) {
                sum += Q[i + a * m] * Q[i + b * m];
            }
            CHECK_NEAR(sum, 0.0, 20.0 * m * DBL_EPSILON);
        }
    }
}

static void qr_reproduces_the_matrix_with_and_without_pivoting(void **state)
{
    const int shapes[][2] = {{1, 1}, {4, 9}, {9, 4}, {6, 6}, {1, 5}, {5, 1}};
    double A[100], keep[100], Q[100], tau[10];
    static double work[3000];
    int order[10];
    random_source r = {7};
    for (size_t s = 0; s < 2 * sizeof shapes / sizeof *shapes; s++) {
        const int m = shapes[s / 2][0], n = shapes[s / 2][1], lda = m + 1;
        const bool pivoting = s % 2 == 0;
        random_fill(&r, 100, A);
        memcpy(keep, A, sizeof keep);
        assert_true(crank_qr(m, n, A, lda, pivoting ? order : NULL, Q, tau, work,
                             crank_qr_work_size(m, n)));
        check_orthonormal(m, Q);
        for (int j = 0; j < n; j++) {
            const int from = pivoting ? order[j] : j;
            assert_true(from >= 0 && from < n);
            assert_true(!pivoting || j == 0 || j >= m ||
                        fabs(A[j + j * lda]) <= fabs(A[j - 1 + (j - 1) * lda]) * (1.0 + 1e-14));
            for (int i = 0; i < m; i++) {
                double sum = 0.0;
                for (int k = 0; k <= j && k < m; k++) {
                    sum += Q[i + k * m] * A[k + j * lda];
                }
                CHECK_NEAR(sum, keep[i + from * lda], 50.0 * DBL_EPSILON);
            }
        }
    }
}

/* Gaussian elimination as the book has it, one column at a time */
static void eliminate_plainly(int n, double *A, int *pivot)
{
    for (int k = 0; k < n; k++) {
        pivot[k] = k;
        for (int i = k + 1; i < n; i++) {
            pivot[k] = fabs(A[i + k * n]) > fabs(A[pivot[k] + k * n]) ? i : pivot[k];
        }
        for (int j = 0; j < n; j++) {
            const double keep = A[k + j * n];
            A[k + j * n] = A[pivot[k] + j * n];
            A[pivot[k] + j * n] = keep;
        }
        const double inverse = 1.0 / A[k + k * n];
        for (int i = k + 1; i < n; i++) {
            A[i + k * n] *= inverse;
            for (int j = k + 1; j < n; j++) {
                A[i + j * n] -= A[i + k * n] * A[k + j * n];
            }
        }
    }
}

/* four columns at a time change no bit, and no pivot, which are counted from zero at all
 * sizes */
static void lu_gives_the_bits_of_one_column_at_a_time(void **state)
{
    static double A[LARGEST * LARGEST], B[LARGEST * LARGEST];
    random_source r = {20};
    for (int n = 0; n <= LARGEST; n++) {
        int pivot[LARGEST], plain[LARGEST];
        random_fill(&r, n * n, A);
        memcpy(B, A, sizeof B);
        assert_true(crank_lu_factor(n, A, n, pivot));
        eliminate_plainly(n, B, plain);
        assert_memory_equal(A, B, (size_t)(n * n) * sizeof *A);
        assert_memory_equal(pivot, plain, (size_t)n * sizeof *pivot);
    }
}

static void systems_of_200_rows_have_residuals_of_rounding(void **state)
{
    enum { N = 200 };
    static double A[2 * N * N], F[2 * N * N], x[2 * N];
    random_source r = {21};
    for (int pairs = 1; pairs <= 2; pairs++) {
        int pivot[N];
        random_fill(&r, 2 * N * N, A);
        memcpy(F, A, sizeof F);
        random_fill(&r, pairs * N, x);
        double b[2 * N];
        memcpy(b, x, sizeof b);
        assert_true(pairs == 2 ? crank_zlu_factor(N, F, N, pivot)
                               : crank_lu_factor(N, F, N, pivot));
        if (pairs == 2) {
            crank_zlu_solve(N, F, N, pivot, x);
        } else {
            crank_lu_solve(N, F, N, pivot, x);
        }
        for (int i = 0; i < N; i++) {
            double re = -b[pairs * i], im = pairs == 2 ? -b[2 * i + 1] : 0.0;
            for (int j = 0; j < N; j++) {
                const double *a = A + (long)pairs * (i + (long)j * N), *z = x + (long)pairs * j;
                re += pairs == 2 ? a[0] * z[0] - a[1] * z[1] : a[0] * z[0];
                im += pairs == 2 ? a[0] * z[1] + a[1] * z[0] : 0.0;
            }
            CHECK_NEAR(hypot(re, im), 0.0, 10.0 * N * N * DBL_EPSILON * largest(pairs * N, x));
        }
    }
}

/* pivots below the smallest normal number have no reciprocal; those near the largest no
 * square */
static void lu_divides_by_what_has_no_reciprocal_or_square(void **state)
{
    int pivot[2];
    double A[4] = {2e-310, 1e-310, 0.0, 1.0}, b[2] = {2e-310, 1.0 + 1e-310};
    assert_true(crank_lu_factor(2, A, 2, pivot));
    crank_lu_solve(2, A, 2, pivot, b);
    CHECK_NEAR(b[0], 1.0, 4.0 * DBL_EPSILON);
    CHECK_NEAR(b[1], 1.0, 4.0 * DBL_EPSILON);
    const double sizes[] = {1e-300, 1e300};
    for (int s = 0; s < 2; s++) {
        double Z[2] = {3.0 * sizes[s], -4.0 * sizes[s]}, z[2] = {25.0 * sizes[s], 0.0};
        assert_true(crank_zlu_factor(1, Z, 1, pivot));
        crank_zlu_solve(1, Z, 1, pivot, z);
        CHECK_NEAR(z[0], 3.0, 10.0 * DBL_EPSILON);
        CHECK_NEAR(z[1], 4.0, 10.0 * DBL_EPSILON);
    }
    /* (2 + i) 1e-310 above (1 - i) 1e-310, and a right-hand side of ones; subnormal numbers
     * have 14 digits here */
    double Z[8] = {2e-310, 1e-310, 1e-310, -1e-310, 0.0, 0.0, 1.0, 0.0};
    double z[4] = {2e-310, 1e-310, 1.0, 0.0};
    assert_true(crank_zlu_factor(2, Z, 2, pivot));
    crank_zlu_solve(2, Z, 2, pivot, z);
    CHECK_NEAR(z[0], 1.0, 1e-13);
    CHECK_NEAR(z[1], 0.0, 1e-13);
    CHECK_NEAR(z[2], 1.0, 1e-13);
    CHECK_NEAR(z[3], 0.0, 1e-13);
}

static void powers_of_two_change_exponents_of_factors_alone(void **state)
{
    enum { N = 23 };
    static double A[2 * N * N], B[2 * N * N];
    random_source r = {22};
    const double scales[] = {0x1p-500, 0x1p-100, 0x1p1, 0x1p500};
    for (int s = 0; s < 8; s++) {
        const int pairs = 1 + s % 2;
        const double scale = scales[s / 2];
        int first[N], second[N];
        random_fill(&r, pairs * N * N, A);
        for (int i = 0; i < pairs * N * N; i++) {
            B[i] = A[i] * scale;
        }
        assert_true(pairs == 2
                        ? crank_zlu_factor(N, A, N, first) && crank_zlu_factor(N, B, N, second)
                        : crank_lu_factor(N, A, N, first) && crank_lu_factor(N, B, N, second));
        assert_memory_equal(first, second, sizeof first);
        for (int i = 0; i < pairs * N * N; i++) {
            const int row = i / pairs % N, column = i / pairs / N;
            assert_true(B[i] == A[i] * (row > column ? 1.0 : scale));
        }
    }
}

/* A P = Q R to n u |A|, Q orthogonal, R's diagonal falling; m x n at A with leading dimension
 * m */
static void check_qr(random_source *r, int m, int n, bool pivoting, double size)
{
    double *A = calloc((size_t)(4 * m * n + 2 * m * m + 4 * (m + n) + 4), sizeof *A);
    double *keep = A + m * n, *Q = keep + m * n, *tau = Q + m * m, *work = tau + m + n;
    int order[LONGEST];
    assert_non_null(A);
    random_fill(r, m * n, keep);
    for (int i = 0; i < m * n; i++) {
        A[i] = keep[i] = keep[i] * size;
    }
    assert_true(
        crank_qr(m, n, A, m, pivoting ? order : NULL, Q, tau, work, crank_qr_work_size(m, n)));
    check_orthonormal(m, Q);
    for (int j = 0; j < n; j++) {
        const int from = pivoting ? order[j] : j;
        assert_true(!pivoting || j == 0 || j >= m ||
                    fabs(A[j + j * m]) <= fabs(A[j - 1 + (j - 1) * m]) * (1.0 + 1e-12));
        for (int i = 0; i < m; i++) {
            double sum = 0.0;
            for (int k = 0; k <= j && k < m; k++) {
                sum += Q[i + k * m] * (A[k + j * m] / size);
            }
            CHECK_NEAR(sum, keep[i + from * m] / size, 10.0 * (m + n) * DBL_EPSILON);
        }
    }
    free(A);
}

static void qr_reproduces_matrices_of_every_shape_and_size(void **state)
{
    const double sizes[] = {1.0, 1e300, 1e-300};
    random_source r = {23};
    for (int m = 1; m <= 60; m += m < 6 ? 1 : 18) {
        for (int n = 1; n <= 60; n += n < 6 ? 1 : 18) {
            check_qr(&r, m, n, m % 2 == n % 2, sizes[(m + n) % 3]);
        }
    }
    check_qr(&r, 200, 150, true, 1.0);
    check_qr(&r, 150, 200, false, 1.0);
}

static void qr_refuses_what_is_not_finite(void **state)
{
    double A[6] = {1.0, 2.0, 3.0, 4.0, (double)NAN, 6.0}, Q[9], tau[2], work[20];
    int order[2];
    assert_false(crank_qr(3, 2, A, 3, order, Q, tau, work, 20));
    A[4] = -(double)INFINITY;
    assert_false(crank_qr(3, 2, A, 3, NULL, Q, tau, work, 20));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu_solves_random_systems_of_every_size),
        cmocka_unit_test(complex_lu_solves_random_systems_of_every_size),
        cmocka_unit_test(lu_pivots_where_the_diagonal_is_zero),
        cmocka_unit_test(empty_systems_are_fine),
        cmocka_unit_test(singular_matrices_are_detected),
        cmocka_unit_test(values_that_are_not_finite_are_refused),
        cmocka_unit_test(complex_lu_handles_tiny_and_huge_pivots),
        cmocka_unit_test(product_uses_leading_dimensions_and_transposition),
        cmocka_unit_test(qr_reproduces_the_matrix_with_and_without_pivoting),
        cmocka_unit_test(lu_gives_the_bits_of_one_column_at_a_time),
        cmocka_unit_test(systems_of_200_rows_have_residuals_of_rounding),
        cmocka_unit_test(lu_divides_by_what_has_no_reciprocal_or_square),
        cmocka_unit_test(powers_of_two_change_exponents_of_factors_alone),
        cmocka_unit_test(qr_reproduces_matrices_of_every_shape_and_size),
        cmocka_unit_test(qr_refuses_what_is_not_finite),
    };
    return CHECK_RUN(argc, argv, tests);
}
