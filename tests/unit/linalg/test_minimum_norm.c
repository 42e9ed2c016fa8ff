/* test_minimum_norm.c - damped steps of smallest norm: against closed forms, and the sparse
 * solver of a large block-diagonal matrix against the dense one of its blocks. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/minimum_norm.h"
#include "unit/linalg/random.h"

#include <float.h>

enum { BLOCK_ROWS = 3, BLOCK_COLUMNS = 5, BLOCKS = 90, DEPENDENT_ROWS = BLOCK_ROWS + 1 };

static const double tolerance = 1e-10;

/* blocks of rows x columns (column-major, one after the other) along the diagonal */
static crank_min_matrix block_diagonal(int blocks, int rows, int columns, const double *values)
{
    crank_min_matrix A;
    const int entries = blocks * rows * columns;
    assert_true(crank_min_allocate(&A, blocks * rows, blocks * columns, (size_t)entries));
    for (int j = 0; j < blocks * columns; j++) {
        for (int i = 0; i < rows; i++) {
            A.row[j * rows + i] = j / columns * rows + i;
            A.values[j * rows + i] = values[j * rows + i];
        }
        A.start[j + 1] = (j + 1) * rows;
    }
    return A;
}

static void underdetermined_rows_are_met_by_the_shortest_vector(void **state)
{
    const double values[] = {3.0, 4.0}, r[] = {-50.0};
    double y[2];
    crank_error err = {0};
    crank_min_matrix A = block_diagonal(1, 1, 2, values);
    CHECK_OK(crank_minimum_norm(&A, r, tolerance, 0.0, y, &err), err);
    CHECK_NEAR(y[0], 6.0, 100 * DBL_EPSILON);
    CHECK_NEAR(y[1], 8.0, 100 * DBL_EPSILON);
    crank_min_free(&A);
}

static void rows_that_contradict_each_other_are_met_in_the_mean(void **state)
{
    const double values[] = {1.0, 1.0}, r[] = {-1.0, -3.0};
    double y[1];
    crank_error err = {0};
    crank_min_matrix A = block_diagonal(1, 2, 1, values);
    CHECK_OK(crank_minimum_norm(&A, r, tolerance, 0.0, y, &err), err);
    CHECK_NEAR(y[0], 2.0, 100 * DBL_EPSILON);
    crank_min_free(&A);
}

/* min (2 y + r)^2 + mu^2 y^2:  y = -2 r / (4 + mu^2) */
static void one_decomposition_serves_all_dampings(void **state)
{
    const double values[] = {2.0}, r[] = {-10.0}, dampings[] = {0.0, 1.0, 4.0};
    crank_error err = {0};
    crank_min_solver solver;
    crank_min_matrix A = block_diagonal(1, 1, 1, values);
    CHECK_OK(crank_min_solver_create(&A, tolerance, &solver, &err), err);
    for (int i = 0; i < 3; i++) {
        double y, mu = dampings[i];
        CHECK_OK(crank_min_solver_step(&solver, r, mu, &y, &err), err);
        CHECK_NEAR(y, 20.0 / (4.0 + mu * mu), 100 * DBL_EPSILON);
    }
    crank_min_solver_destroy(&solver);
    crank_min_free(&A);
}

static void directions_below_the_tolerance_do_not_move(void **state)
{
    const double values[] = {1.0, 0.0, 0.0, 1e-12}, r[] = {-1.0, -1.0};
    double y[2];
    crank_error err = {0};
    crank_min_matrix A = block_diagonal(1, 2, 2, values);
    CHECK_OK(crank_minimum_norm(&A, r, tolerance, 0.0, y, &err), err);
    CHECK_NEAR(y[0], 1.0, 100 * DBL_EPSILON);
    CHECK_NEAR(y[1], 0.0, 100 * DBL_EPSILON);
    crank_min_free(&A);
}

static void no_rows_move_nothing(void **state)
{
    double y[2] = {7.0, 7.0};
    int rank;
    double null[2], ratio;
    crank_error err = {0};
    crank_min_matrix A;
    assert_true(crank_min_allocate(&A, 0, 2, 0));
    CHECK_OK(crank_minimum_norm(&A, y, tolerance, 0.0, y, &err), err);
    assert_true(y[0] == 0.0 && y[1] == 0.0);
    CHECK_OK(crank_dense_null(&A, tolerance, &rank, null, &ratio, &err), err);
    assert_int_equal(rank, 0);
    assert_true(null[0] == 1.0 && null[1] == 1.0 && ratio == 1.0);
    crank_min_free(&A);
}

/* H diag(1, 1, 1, small) H, H = I - 2 u u^T, u = (1, 1, 1, 1)/2: its smallest singular value is
 * small, its null vector H e_4 = (-1, -1, -1, 1)/2. Asked without the ratio, a square matrix is
 * tried by its inverse first: near the tolerance, on either side, both give the same. */
static void a_square_matrix_has_the_rank_of_its_singular_values(void **state)
{
    for (double small = 1.0; small > 1e-3 * tolerance; small *= 0.45) {
        double values[16], null[4], other[4], ratio;
        int rank, rank_of_all;
        crank_error err = {0};
        for (int k = 0; k < 16; k++) {
            const int i = k % 4, j = k / 4;
            const double sign = (i == 3) != (j == 3) ? -1.0 : 1.0;
            values[k] = (i == j ? 1.0 : 0.0) + (small - 1.0) * 0.25 * sign;
        }
        crank_min_matrix A = block_diagonal(1, 4, 4, values);
        CHECK_OK(crank_dense_null(&A, tolerance, &rank, null, NULL, &err), err);
        CHECK_OK(crank_dense_null(&A, tolerance, &rank_of_all, other, &ratio, &err), err);
        CHECK_NEAR(ratio, rank_of_all == 4 ? small : 1.0, 100 * DBL_EPSILON);
        assert_int_equal(rank_of_all, small > tolerance ? 4 : 3);
        assert_int_equal(rank, rank_of_all);
        for (int j = 0; j < 4; j++) {
            assert_true(null[j] == other[j]);
            CHECK_NEAR(null[j], rank == 4 ? 0.0 : 0.25, 100 * DBL_EPSILON);
        }
        crank_min_free(&A);
    }
}

/* The whole, which is too large for singular values, against its blocks, one by one. Both have
 * condition c, so that they agree to about c^2 eps; alpha = 1e-5 of the augmented matrix costs
 * as much again: 1e-8 leaves c = 1e3. The random blocks, rows of norm one, stay below. */
static void compare_with_blocks(int rows, int columns, const double *values, const double *r,
                                double damping)
{
    static double whole[BLOCKS * (BLOCK_COLUMNS + 1)];
    double y[BLOCK_COLUMNS + 1];
    crank_error err = {0};
    crank_min_matrix A = block_diagonal(BLOCKS, rows, columns, values);
    assert_false(crank_min_is_dense(&A));
    CHECK_OK(crank_minimum_norm(&A, r, tolerance, damping, whole, &err), err);
    crank_min_free(&A);
    for (int b = 0; b < BLOCKS; b++) {
        crank_min_matrix B =
            block_diagonal(1, rows, columns, values + (size_t)b * (size_t)(rows * columns));
        assert_true(crank_min_is_dense(&B));
        CHECK_OK(
            crank_minimum_norm(&B, r + (size_t)b * (size_t)rows, tolerance, damping, y, &err),
            err);
        for (int j = 0; j < columns; j++) {
            CHECK_NEAR(whole[b * columns + j], y[j], 1e-8);
        }
        crank_min_free(&B);
    }
}

/* rows of norm one */
static void random_rows(random_source *random, int count, int rows, int columns, double *values)
{
    random_fill(random, count * rows * columns, values);
    for (int b = 0; b < count; b++) {
        double *block = values + (size_t)b * (size_t)(rows * columns);
        for (int i = 0; i < rows; i++) {
            double norm = 0.0;
            for (int j = 0; j < columns; j++) {
                norm = hypot(norm, block[i + j * rows]);
            }
            for (int j = 0; j < columns; j++) {
                block[i + j * rows] /= norm;
            }
        }
    }
}

static void sparse_steps_are_those_of_singular_values(void **state)
{
    static double values[BLOCKS * BLOCK_ROWS * BLOCK_COLUMNS], r[BLOCKS * BLOCK_ROWS];
    static const double dampings[] = {0.0, 1e-3, 0.1, 1.0, 100.0};
    random_source random = {.state = 11};
    random_rows(&random, BLOCKS, BLOCK_ROWS, BLOCK_COLUMNS, values);
    random_fill(&random, BLOCKS * BLOCK_ROWS, r);
    for (size_t i = 0; i < sizeof dampings / sizeof *dampings; i++) {
        compare_with_blocks(BLOCK_ROWS, BLOCK_COLUMNS, values, r, dampings[i]);
    }
}

/* as many rows as columns, regular: A itself is factored */
static void sparse_square_systems_are_solved(void **state)
{
    static double values[BLOCKS * BLOCK_COLUMNS * BLOCK_COLUMNS], r[BLOCKS * BLOCK_COLUMNS];
    random_source random = {.state = 5};
    random_rows(&random, BLOCKS, BLOCK_COLUMNS, BLOCK_COLUMNS, values);
    for (int k = 0; k < BLOCKS * BLOCK_COLUMNS; k++) { /* strong diagonals */
        values[k * BLOCK_COLUMNS + k % BLOCK_COLUMNS] += 3.0;
    }
    random_fill(&random, BLOCKS * BLOCK_COLUMNS, r);
    compare_with_blocks(BLOCK_COLUMNS, BLOCK_COLUMNS, values, r, 0.0);
}

/* the last row of every block is the sum of the first two, and so is its right-hand side */
static void sparse_steps_leave_out_rows_that_follow_from_others(void **state)
{
    static double some[BLOCKS * BLOCK_ROWS * BLOCK_COLUMNS];
    static double values[BLOCKS * DEPENDENT_ROWS * BLOCK_COLUMNS], r[BLOCKS * DEPENDENT_ROWS];
    random_source random = {.state = 3};
    random_rows(&random, BLOCKS, BLOCK_ROWS, BLOCK_COLUMNS, some);
    random_fill(&random, BLOCKS * DEPENDENT_ROWS, r);
    for (int k = 0; k < BLOCKS * BLOCK_COLUMNS; k++) {
        double *to = values + (size_t)k * DEPENDENT_ROWS;
        memcpy(to, some + (size_t)k * BLOCK_ROWS, BLOCK_ROWS * sizeof *to);
        to[BLOCK_ROWS] = to[0] + to[1];
    }
    for (int b = 0; b < BLOCKS; b++) {
        double *to = r + (size_t)b * DEPENDENT_ROWS;
        to[BLOCK_ROWS] = to[0] + to[1];
    }
    compare_with_blocks(DEPENDENT_ROWS, BLOCK_COLUMNS, values, r, 0.0);
}

/* Rows of which one part is 1e-7 of the other, a third of all entries zero: r is A x. */
static void nearly_dependent_rows(uint64_t seed, int n, double *values, double *r)
{
    random_source random = {.state = seed};
    for (int i = 0; i < n; i++) {
        const double large = random_int(&random, 3) > 0 ? random_real(&random) : 0.0;
        const double small = random_int(&random, 3) > 0 ? 1e-7 * random_real(&random) : 0.0;
        random_source columns = {.state = 1000 + seed};
        double norm = 0.0;
        for (int j = 0; j < n; j++) {
            const double a = random_int(&columns, 3) > 0 ? random_real(&columns) : 0.0;
            const double b = random_int(&columns, 3) > 0 ? random_real(&columns) : 0.0;
            values[i + j * n] = large * a + small * b;
            norm = hypot(norm, values[i + j * n]);
        }
        r[i] = 0.0;
        for (int j = 0; j < n; j++) {
            values[i + j * n] /= norm > 0.0 ? norm : 1.0;
            r[i] -= values[i + j * n] * (1.0 - 0.3 * j);
        }
    }
}

/* Behind the small pivot of such rows rounding can pass for independence, so that what is left
 * has no factors. */
static void sparse_steps_are_found_where_rounding_passes_for_independence(void **state)
{
    enum { NEAR = 6 };
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        double values[NEAR * NEAR], r[NEAR], y[NEAR];
        crank_min_solver solver;
        crank_error err = {0};
        nearly_dependent_rows(seed, NEAR, values, r);
        crank_min_matrix A = block_diagonal(1, NEAR, NEAR, values);
        crank_min_solver_create_sparse(&A, tolerance, &solver);
        CHECK_OK(crank_min_solver_step(&solver, r, 0.0, y, &err), err);
        for (int i = 0; i < NEAR; i++) {
            double left = r[i];
            for (int j = 0; j < NEAR; j++) {
                left += values[i + j * NEAR] * y[j];
            }
            CHECK_NEAR(left, 0.0, 1e-5); /* of 1; rounding, times 1e7 for the small part */
        }
        crank_min_solver_destroy(&solver);
        crank_min_free(&A);
    }
}

static void numbers_that_are_not_finite_are_a_failed_decomposition(void **state)
{
    const double values[] = {(double)INFINITY}, r[] = {1.0};
    double y;
    crank_error err = {0};
    crank_min_matrix A = block_diagonal(1, 1, 1, values);
    CHECK_STATUS(crank_minimum_norm(&A, r, tolerance, 0.0, &y, &err), CRANK_EDECOMPOSITION);
    CHECK_CONTAINS(err.text, "1 x 1");
    crank_min_free(&A);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(underdetermined_rows_are_met_by_the_shortest_vector),
        cmocka_unit_test(rows_that_contradict_each_other_are_met_in_the_mean),
        cmocka_unit_test(one_decomposition_serves_all_dampings),
        cmocka_unit_test(directions_below_the_tolerance_do_not_move),
        cmocka_unit_test(no_rows_move_nothing),
        cmocka_unit_test(a_square_matrix_has_the_rank_of_its_singular_values),
        cmocka_unit_test(sparse_steps_are_those_of_singular_values),
        cmocka_unit_test(sparse_square_systems_are_solved),
        cmocka_unit_test(sparse_steps_leave_out_rows_that_follow_from_others),
        cmocka_unit_test(sparse_steps_are_found_where_rounding_passes_for_independence),
        cmocka_unit_test(numbers_that_are_not_finite_are_a_failed_decomposition),
    };
    return CHECK_RUN(argc, argv, tests);
}
