/* test_svd.c - singular values and vectors: products, orthogonality, known values, graded and
 * deficient matrices, scales.
 *
 * Householder's and Jacobi's transformations leave errors of a small multiple of n u |A|; a
 * graded A = B D, D diagonal and B's columns far from parallel, has singular values to a small
 * multiple of n u cond(B), each relative to itself. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/dense.h"
#include "unit/linalg/random.h"

#include <float.h>
#include <stdlib.h>

enum { MOST = 200 };

/* A (m x n), what it was, and its decomposition */
typedef struct decomposition {
    int m, n, small, work_size;
    double A[MOST * MOST], kept[MOST * MOST], U[MOST * MOST], VT[MOST * MOST], sigma[MOST];
    double *work;
} decomposition;

static decomposition *make(int m, int n)
{
    decomposition *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->m = m;
    d->n = n;
    d->small = m < n ? m : n;
    d->work_size = crank_svd_work_size(m, n);
    d->work = calloc((size_t)d->work_size, sizeof *d->work);
    assert_non_null(d->work);
    return d;
}

static void end(decomposition *d)
{
    free(d->work);
    free(d);
}

static void decompose(decomposition *d)
{
    memcpy(d->A, d->kept, sizeof d->A);
    for (int i = 0; i < d->work_size; i++) {
        d->work[i] = (double)NAN; /* what is in it must not matter */
    }
    assert_true(
        crank_svd(d->m, d->n, d->A, d->m, d->sigma, d->U, d->VT, d->work, d->work_size));
}

/* columns of Q (n x n) are orthonormal */
static void check_orthonormal(int n, const double *Q)
{
    double worst = 0.0;
    for (int a = 0; a < n; a++) {
        for (int b = a; b < n; b++) {
            double sum = a == b ? -1.0 : 0.0;
            for (int i = 0; i < n; i++) {
                sum += Q[i + a * n] * Q[i + b * n];
            }
            worst = fmax(worst, fabs(sum));
        }
    }
    CHECK_NEAR(worst, 0.0, 20.0 * n * DBL_EPSILON);
}

/* A = U diag(sigma) VT, sigma falling and not negative */
static void check_decomposition(const decomposition *d)
{
    const int m = d->m, n = d->n;
    double worst = 0.0;
    check_orthonormal(m, d->U);
    check_orthonormal(n, d->VT);
    for (int k = 0; k < d->small; k++) {
        assert_true(d->sigma[k] >= 0.0 && (k == 0 || d->sigma[k] <= d->sigma[k - 1]));
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = -d->kept[i + j * m];
            for (int k = 0; k < d->small; k++) {
                sum += d->U[i + k * m] * d->sigma[k] * d->VT[k + j * n];
            }
            worst = fmax(worst, fabs(sum));
        }
    }
    if (d->small > 0) {
        CHECK_NEAR(worst, 0.0, 10.0 * (m + n) * DBL_EPSILON * d->sigma[0]);
    }
}

/* m x n with rank at most rank */
static void fill_with_rank(random_source *r, decomposition *d, int rank)
{
    static double left[MOST * MOST], right[MOST * MOST];
    random_fill(r, d->m * rank, left);
    random_fill(r, rank * d->n, right);
    crank_gemm(false, d->m, d->n, rank, left, d->m, right, rank, d->kept, d->m);
}

static void matrices_of_every_shape_are_reproduced(void **state)
{
    random_source r = {6};
    for (int m = 0; m <= 60; m += m < 6 ? 1 : 9) {
        for (int n = 0; n <= 60; n += n < 6 ? 1 : 9) {
            decomposition *d = make(m, n);
            random_fill(&r, m * n, d->kept);
            decompose(d);
            check_decomposition(d);
            end(d);
        }
    }
}

static void matrices_of_200_rows_are_reproduced(void **state)
{
    const int shapes[][2] = {{200, 200}, {200, 30}, {30, 200}};
    random_source r = {7};
    for (int s = 0; s < 3; s++) {
        decomposition *d = make(shapes[s][0], shapes[s][1]);
        random_fill(&r, d->m * d->n, d->kept);
        decompose(d);
        check_decomposition(d);
        end(d);
    }
}

static void what_the_rank_lacks_are_singular_values_of_the_size_of_rounding(void **state)
{
    const int shapes[][3] = {{6, 9, 2},    {9, 6, 4},    {5, 5, 1},    {12, 20, 11},
                             {60, 40, 25}, {40, 60, 25}, {90, 90, 60}, {7, 7, 0}};
    random_source r = {8};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const int rank = shapes[s][2];
        decomposition *d = make(shapes[s][0], shapes[s][1]);
        fill_with_rank(&r, d, rank);
        decompose(d);
        check_decomposition(d);
        for (int k = 0; k < d->small; k++) {
            const double rounding = 10.0 * (d->m + d->n) * DBL_EPSILON * d->sigma[0];
            assert_true((d->sigma[k] > rounding) == (k < rank));
        }
        end(d);
    }
}

/* equal columns, zero rows and columns: the zeros are exact, and the vectors there are still
 * orthonormal */
static void exact_zeros_have_orthonormal_vectors(void **state)
{
    for (int kind = 0; kind < 4; kind++) {
        decomposition *d = make(12, 9);
        for (int j = 0; j < 9; j++) {
            for (int i = 0; i < 12; i++) {
                const bool in = kind == 1   ? i == 3 && j == 7
                                : kind == 2 ? i < 4 && j > 5
                                            : true;
                d->kept[i + j * 12] = kind == 0 || !in ? 0.0
                                      : kind == 3      ? 1.0
                                                       : 1.0 + i + j * j;
            }
        }
        decompose(d);
        check_decomposition(d);
        const int ranks[] = {0, 1, 2, 1};
        for (int k = 0; k < 9; k++) {
            assert_true((d->sigma[k] > 1e-13 * d->sigma[0]) == (k < ranks[kind]));
        }
        end(d);
    }
}

/* sigma of [[1, 1], [0, d]] and of n equal columns with d on the diagonal below [Laeuchli] */
static void known_singular_values_are_found(void **state)
{
    decomposition *d = make(2, 2);
    d->kept[0] = d->kept[2] = 1.0;
    d->kept[3] = 1e-12;
    decompose(d);
    CHECK_NEAR(d->sigma[0], sqrt(2.0), 10.0 * DBL_EPSILON);
    CHECK_NEAR(d->sigma[1], 1e-12 / sqrt(2.0), 1e-12 * 10.0 * DBL_EPSILON);
    end(d);
    const double small = 1e-5;
    d = make(7, 6);
    for (int j = 0; j < 6; j++) {
        d->kept[j * 7] = 1.0;
        d->kept[j + 1 + j * 7] = small;
    }
    decompose(d);
    check_decomposition(d);
    CHECK_NEAR(d->sigma[0], sqrt(6.0 + small * small), 60.0 * DBL_EPSILON);
    for (int k = 1; k < 6; k++) {
        CHECK_NEAR(d->sigma[k], small, 60.0 * DBL_EPSILON);
    }
    end(d);
}

/* Hilbert's matrix of 10 rows: eigenvalues computed with 60 digits; the smallest stands 1e13
 * below the largest */
static void hilberts_matrix_has_its_singular_values(void **state)
{
    static const double exact[10] = {1.7519196702651775,     0.3429295484835091,
                                     0.035741816271639236,   0.0025308907686700381,
                                     0.00012874961427637708, 4.7296892931823475e-6,
                                     1.228967738751175e-7,   2.1474388173504786e-9,
                                     2.2667467477629255e-11, 1.0931538193796658e-13};
    decomposition *d = make(10, 10);
    for (int k = 0; k < 100; k++) {
        d->kept[k] = 1.0 / (1.0 + k / 10 + k % 10);
    }
    decompose(d);
    check_decomposition(d);
    for (int k = 0; k < 10; k++) {
        CHECK_NEAR(d->sigma[k], exact[k], 10.0 * DBL_EPSILON * exact[0]);
    }
    end(d);
}

/* A = H D, H Hadamard's matrix of 16 rows over 4, which is orthogonal without rounding: sigma
 * is D */
static void graded_matrices_have_each_singular_value_to_its_own_digits(void **state)
{
    decomposition *d = make(16, 16);
    for (int j = 0; j < 16; j++) {
        for (int i = 0; i < 16; i++) {
            int bits = 0;
            for (int both = i & j; both != 0; both >>= 1) {
                bits += both & 1;
            }
            d->kept[i + j * 16] =
                (bits % 2 == 0 ? 0.25 : -0.25) * pow(10.0, -5.0 * (j * 7 % 16));
        }
    }
    decompose(d);
    for (int k = 0; k < 16; k++) {
        const double exact = pow(10.0, -5.0 * k);
        CHECK_NEAR(d->sigma[k] / exact, 1.0, 10.0 * 16.0 * DBL_EPSILON);
    }
    end(d);
}

/* the product of all is the determinant, which LU gives to the same relative accuracy */
static void products_of_graded_singular_values_are_determinants(void **state)
{
    random_source r = {9};
    for (int repeat = 0; repeat < 20; repeat++) {
        const int n = 2 + repeat;
        decomposition *d = make(n, n);
        int pivot[MOST];
        random_fill(&r, n * n, d->kept);
        for (int j = 0; j < n; j++) {
            const double size = pow(10.0, 30.0 * random_real(&r));
            for (int i = 0; i < n; i++) {
                d->kept[i + j * n] *= size;
            }
        }
        decompose(d);
        check_orthonormal(n, d->U);
        check_orthonormal(n, d->VT);
        memcpy(d->A, d->kept, sizeof d->A);
        assert_true(crank_lu_factor(n, d->A, n, pivot));
        double ratio = 1.0; /* of both products, with exponents apart */
        int powers = 0, exponent;
        for (int k = 0; k < n; k++) {
            ratio = frexp(ratio * d->sigma[k], &exponent);
            powers += exponent;
            ratio = frexp(ratio / fabs(d->A[k + k * n]), &exponent);
            powers += exponent;
        }
        /* cond(B) of random matrices of 20 rows is some hundreds */
        CHECK_NEAR(ldexp(ratio, powers), 1.0, 1000.0 * n * DBL_EPSILON);
        end(d);
    }
}

static void powers_of_two_change_exponents_alone(void **state)
{
    const int powers[] = {1, -7, 90, 250, 700, 1000, -90, -250, -700, -900};
    random_source r = {10};
    for (size_t s = 0; s < sizeof powers / sizeof *powers; s++) {
        decomposition *d = make(14, 11), *e = make(14, 11);
        random_fill(&r, 14 * 11, d->kept);
        for (int i = 0; i < 14 * 11; i++) {
            e->kept[i] = ldexp(d->kept[i], powers[s]);
        }
        decompose(d);
        decompose(e);
        assert_memory_equal(d->U, e->U, 14 * 14 * sizeof *d->U);
        assert_memory_equal(d->VT, e->VT, 11 * 11 * sizeof *d->VT);
        for (int k = 0; k < 11; k++) {
            assert_true(e->sigma[k] == ldexp(d->sigma[k], powers[s]));
        }
        end(d);
        end(e);
    }
}

/* the largest doubles, and those below the smallest normal one */
static void entries_at_both_ends_of_the_range_are_fine(void **state)
{
    const double sizes[] = {1e300, 1e-300, 1.7e308, 1e-310};
    random_source r = {11};
    for (int s = 0; s < 4; s++) {
        decomposition *d = make(9, 12);
        random_fill(&r, 108, d->kept);
        for (int i = 0; i < 108; i++) {
            d->kept[i] *= sizes[s] / 12.0; /* sigma of 1.7e308 itself would be out of range */
        }
        decompose(d);
        check_orthonormal(9, d->U);
        check_orthonormal(12, d->VT);
        assert_true(isfinite(d->sigma[0]) && d->sigma[0] > sizes[s] / 12.0);
        end(d);
    }
}

/* clusters and what converges slowly: orthogonal, diagonal, one large block beside a small one,
 * Kahan's triangle */
static void equal_and_nearly_equal_singular_values_end_too(void **state)
{
    enum { N = 60 };
    random_source r = {12};
    for (int kind = 0; kind < 5; kind++) {
        decomposition *d = make(N, N);
        const double c = cos(1.2), s = sin(1.2);
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                const double noise = random_real(&r);
                d->kept[i + j * N] = kind == 0   ? (i == (j * 7 + 3) % N)
                                     : kind == 1 ? (i == j) + 1e-9 * noise
                                     : kind == 2 ? (i < N / 2 ? 1.0 : 1e-14) * noise
                                     : kind == 3 ? pow(s, i) * (i == j  ? 1.0
                                                                : i < j ? -c
                                                                        : 0.0)
                                                 : 1.0 + 1e-15 * noise;
            }
        }
        decompose(d);
        check_decomposition(d);
        end(d);
    }
}

static void singular_values_are_the_same_without_vectors(void **state)
{
    const int shapes[][2] = {{1, 1}, {5, 5}, {7, 4}, {24, 30}, {60, 31}};
    random_source r = {13};
    for (int s = 0; s < 5; s++) {
        decomposition *d = make(shapes[s][0], shapes[s][1]);
        double alone[MOST];
        random_fill(&r, d->m * d->n, d->kept);
        decompose(d);
        memcpy(d->A, d->kept, sizeof d->A);
        assert_true(
            crank_svd(d->m, d->n, d->A, d->m, alone, NULL, NULL, d->work, d->work_size));
        assert_memory_equal(alone, d->sigma, (size_t)d->small * sizeof *alone);
        end(d);
    }
}

static void a_leading_dimension_is_minded(void **state)
{
    enum { M = 8, N = 5, LEAD = 11 };
    random_source r = {14};
    decomposition *d = make(M, N);
    double sigma[N], U[M * M], VT[N * N];
    random_fill(&r, M * N, d->kept);
    decompose(d);
    for (int j = 0; j < N; j++) {
        memcpy(d->A + j * LEAD, d->kept + j * M, M * sizeof *d->A);
        d->A[M + j * LEAD] = (double)NAN;
    }
    assert_true(crank_svd(M, N, d->A, LEAD, sigma, U, VT, d->work, d->work_size));
    assert_memory_equal(sigma, d->sigma, sizeof sigma);
    assert_memory_equal(U, d->U, sizeof U);
    assert_memory_equal(VT, d->VT, sizeof VT);
    end(d);
}

static void what_is_not_finite_and_work_that_is_short_are_refused(void **state)
{
    static const double bad[] = {(double)INFINITY, -(double)INFINITY, (double)NAN};
    double A[12], U[9], VT[16], sigma[3], work[1000];
    for (int i = 0; i < 36; i++) {
        for (int k = 0; k < 12; k++) {
            A[k] = sin(1.7 * k + 1.0);
        }
        A[i % 12] = bad[i / 12];
        assert_false(crank_svd(3, 4, A, 3, sigma, U, VT, work, 1000));
    }
    memset(A, 0, sizeof A);
    assert_false(crank_svd(3, 4, A, 3, sigma, U, VT, work, crank_svd_work_size(3, 4) - 1));
    assert_true(crank_svd(3, 4, A, 3, sigma, U, VT, work, crank_svd_work_size(3, 4)));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_of_every_shape_are_reproduced),
        cmocka_unit_test(matrices_of_200_rows_are_reproduced),
        cmocka_unit_test(what_the_rank_lacks_are_singular_values_of_the_size_of_rounding),
        cmocka_unit_test(exact_zeros_have_orthonormal_vectors),
        cmocka_unit_test(known_singular_values_are_found),
        cmocka_unit_test(hilberts_matrix_has_its_singular_values),
        cmocka_unit_test(graded_matrices_have_each_singular_value_to_its_own_digits),
        cmocka_unit_test(products_of_graded_singular_values_are_determinants),
        cmocka_unit_test(powers_of_two_change_exponents_alone),
        cmocka_unit_test(entries_at_both_ends_of_the_range_are_fine),
        cmocka_unit_test(equal_and_nearly_equal_singular_values_end_too),
        cmocka_unit_test(singular_values_are_the_same_without_vectors),
        cmocka_unit_test(a_leading_dimension_is_minded),
        cmocka_unit_test(what_is_not_finite_and_work_that_is_short_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
