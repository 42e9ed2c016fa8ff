/* test_rowspace.c - the sparse elimination against dense singular values: rank, which rows
 * depend, that the pivots are usable, that earlier pivots are kept, and what is reported. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/dense.h"
#include "linalg/rowspace.h"
#include "unit/linalg/random.h"

#include <float.h>

enum { ROWS = 24, COLUMNS = 40, ENTRIES = ROWS * COLUMNS };

typedef struct matrix {
    int rows, columns;
    double a[ROWS][COLUMNS];
    bool used[ROWS][COLUMNS]; /* pattern; may hold zeros */
    int start[ROWS + 1], column[ENTRIES];
    double values[ENTRIES], scale[ROWS];
} matrix;

/* compressed rows and scales from a and used */
static void compress(matrix *A)
{
    int at = 0;
    for (int i = 0; i < A->rows; i++) {
        A->start[i] = at;
        A->scale[i] = 0.0;
        for (int j = 0; j < A->columns; j++) {
            if (A->used[i][j]) {
                A->column[at] = j;
                A->values[at++] = A->a[i][j];
                A->scale[i] = fmax(A->scale[i], fabs(A->a[i][j]));
            }
        }
    }
    A->start[A->rows] = at;
}

/* a few entries a row, at least one in the first own columns for own rows */
static void sparse_random(random_source *r, matrix *A, int rows, int columns, int per_row)
{
    memset(A, 0, sizeof *A);
    A->rows = rows;
    A->columns = columns;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < per_row; k++) {
            const int j = random_int(r, columns);
            A->used[i][j] = true;
            A->a[i][j] = random_real(r) * pow(10.0, random_int(r, 3));
        }
    }
}

/* row becomes a combination of two others */
static void plant(random_source *r, matrix *A, int row, int one, int other)
{
    const double a = 1.0 + random_int(r, 3), b = random_real(r);
    for (int j = 0; j < A->columns; j++) {
        A->a[row][j] = a * A->a[one][j] + b * A->a[other][j];
        A->used[row][j] = A->used[one][j] || A->used[other][j];
    }
}

/* rank of the scaled rows (those with a pivot, if pivot is given) */
static int dense_rank(const matrix *A, const int *pivot)
{
    static double B[ROWS * COLUMNS], U[ROWS * ROWS], VT[COLUMNS * COLUMNS], work[10000];
    double sigma[ROWS];
    int rows = 0, rank = 0;
    for (int i = 0; i < A->rows; i++) {
        rows += pivot == NULL || pivot[i] >= 0;
    }
    int row = 0;
    for (int i = 0; i < A->rows; i++) {
        if (pivot == NULL || pivot[i] >= 0) {
            for (int j = 0; j < A->columns; j++) {
                B[row + j * rows] = A->scale[i] > 0.0 ? A->a[i][j] / A->scale[i] : 0.0;
            }
            row++;
        }
    }
    if (rows == 0) {
        return 0;
    }
    assert_true(crank_svd(rows, A->columns, B, rows, sigma, U, VT, work, 10000));
    for (int k = 0; k < rows && k < A->columns; k++) {
        rank += sigma[k] > 1e-10;
    }
    return rank;
}

/* Solves the independent rows for their pivot columns, B x_pivot + R x_rest = 0. Entries of
 * B^-1 R tell how far a dependent unknown moves when a free one moves by one. Returns the
 * largest of the rows from first_row on. */
static double amplification(const matrix *A, const int *pivot, int rank, int first_row)
{
    static double B[ROWS * ROWS];
    int columns[ROWS], rows[ROWS], exchange[ROWS], count = 0;
    bool dependent[COLUMNS] = {false};
    double largest = 0.0;
    for (int i = 0; i < A->rows; i++) {
        if (pivot[i] >= 0) {
            assert_false(dependent[pivot[i]]);
            dependent[pivot[i]] = true;
            rows[count] = i;
            columns[count++] = pivot[i];
        }
    }
    assert_int_equal(count, rank);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            B[i + j * count] = A->a[rows[i]][columns[j]] / A->scale[rows[i]];
        }
    }
    assert_true(crank_lu_factor(count, B, count, exchange));
    for (int j = 0; j < A->columns; j++) {
        double x[ROWS];
        for (int i = 0; i < count; i++) {
            x[i] = A->a[rows[i]][j] / A->scale[rows[i]];
        }
        crank_lu_solve(count, B, count, exchange, x);
        for (int i = 0; i < count && !dependent[j]; i++) {
            largest = rows[i] >= first_row ? fmax(largest, fabs(x[i])) : largest;
        }
    }
    return largest;
}

static crank_rowspace *make(const matrix *A, int own_rows, int own_columns, bool natural)
{
    crank_rowspace *space = NULL;
    crank_error err = {0};
    CHECK_OK(crank_rowspace_create(A->rows, A->columns, A->start, A->column, own_rows,
                                   own_columns, natural, &space, &err),
             err);
    return space;
}

/* Entries beside a pivot are at most 1/0.3 times as large (acceptable in rowspace.c), so those
 * of B^-1 R are at most (1 + 1/0.3)^rank, which random matrices are far from: measured 8, and
 * 130 if pivots of a tenth were acceptable. */
static void rank_and_pivots_agree_with_singular_values(void **state)
{
    static matrix A;
    random_source r = {11};
    for (int repeat = 0; repeat < 200; repeat++) {
        const int rows = 3 + random_int(&r, ROWS - 2),
                  columns = rows + random_int(&r, COLUMNS - rows + 1);
        sparse_random(&r, &A, rows, columns, 1 + random_int(&r, 5));
        for (int k = random_int(&r, 4); k > 0; k--) {
            const int row = random_int(&r, rows);
            plant(&r, &A, row, (row + 1) % rows, (row + 2) % rows);
        }
        compress(&A);
        crank_rowspace *space = make(&A, 0, 0, repeat % 2 == 0);
        const int rank = crank_rowspace_eliminate(space, A.values, A.scale, NULL, 1e-8, 1.0);
        const int *pivot = crank_rowspace_pivot(space);
        assert_int_equal(rank, dense_rank(&A, NULL));
        assert_int_equal(rank, dense_rank(&A, pivot)); /* the chosen rows span the row space */
        assert_true(amplification(&A, pivot, rank, 0) <= 30.0);
        crank_rowspace_destroy(space);
    }
}

static void earlier_pivots_are_kept_while_they_are_good_enough(void **state)
{
    static matrix A;
    random_source r = {12};
    for (int repeat = 0; repeat < 50; repeat++) {
        bool chosen[COLUMNS] = {false};
        sparse_random(&r, &A, 12, 30, 4);
        compress(&A);
        crank_rowspace *space = make(&A, 0, 0, false);
        const int rank = crank_rowspace_eliminate(space, A.values, A.scale, NULL, 1e-8, 1.0);
        assert_true(crank_rowspace_changed(space)); /* there was none before */
        for (int i = 0; i < A.rows; i++) {
            const int pivot = crank_rowspace_pivot(space)[i];
            if (pivot >= 0) {
                chosen[pivot] = true;
            }
        }
        for (int e = 0; e < A.start[A.rows]; e++) {
            A.values[e] *= 1.0 + 1e-3 * random_real(&r);
        }
        assert_int_equal(crank_rowspace_eliminate(space, A.values, A.scale, NULL, 1e-8, 0.05),
                         rank);
        assert_false(crank_rowspace_changed(space));
        for (int i = 0; i < A.rows; i++) {
            const int pivot = crank_rowspace_pivot(space)[i];
            assert_true(pivot < 0 || chosen[pivot]);
        }
        crank_rowspace_destroy(space);
    }
}

/* one row, two columns: what the preference decides */
static void preference_gives_way_to_a_much_larger_entry(void **state)
{
    const int start[] = {0, 2}, column[] = {0, 1};
    const double scale[] = {1.0};
    crank_rowspace *space = NULL;
    crank_error err = {0};
    CHECK_OK(crank_rowspace_create(1, 2, start, column, 0, 0, true, &space, &err), err);
    const struct {
        double values[2], preference;
        int pivot;
        bool changed;
    } steps[] = {
        {{1.0, 0.9}, 0.05, 0, true},  /* the largest */
        {{0.1, 1.0}, 0.05, 0, false}, /* kept: 0.1 >= 0.05 */
        {{0.04, 1.0}, 0.05, 1, true}, /* too small: given up */
        {{1.0, 0.5}, 0.05, 1, false}, /* and now the other one is kept */
        {{1.0, 0.5}, 1.0, 0, true},   /* preference 1: the largest again */
        {{1.0, 1.0}, 1.0, 0, false},  {{0.0, 0.0}, 1.0, -1, true}, /* dependent */
        {{0.0, 0.0}, 1.0, -1, false}, {{-2.0, 0.0}, 1.0, 0, true},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const int rank = crank_rowspace_eliminate(space, steps[i].values, scale, NULL, 1e-8,
                                                  steps[i].preference);
        assert_int_equal(rank, steps[i].pivot >= 0);
        assert_int_equal(crank_rowspace_pivot(space)[0], steps[i].pivot);
        assert_true(crank_rowspace_changed(space) == steps[i].changed);
    }
    crank_rowspace_destroy(space);
}

/* With own block D and the rest of the own rows E, |E| <= 100: the three other rows are
 * eliminated freely, with entries u <= 1/0.3 beside their pivots, and back substitution gives
 * at most u (1 + u)^2 for them. The choice of the own rows is not free: they get D^-1 (E - E
 * times that of the others), where D is diagonally dominant, 0.9 against three times 0.1. */
static void own_rows_find_their_pivots_in_own_columns(void **state)
{
    static matrix A;
    const double u = 1.0 / 0.3, other_bound = u * (1.0 + u) * (1.0 + u),
                 own_bound = 1.0 / (0.9 - 0.3) * 100.0 * (1.0 + 3.0 * other_bound);
    random_source r = {13};
    for (int repeat = 0; repeat < 100; repeat++) {
        const int own = 1 + random_int(&r, 4), rows = own + 3, columns = own + 10;
        sparse_random(&r, &A, rows, columns, 6);
        for (int i = 0; i < own; i++) {
            for (int j = 0; j < own;
                 j++) { /* a regular block, smaller than what stands beside it */
                A.used[i][j] = true;
                A.a[i][j] = (i == j ? 1.0 : 0.0) + 0.1 * random_real(&r);
            }
        }
        compress(&A);
        crank_rowspace *space = make(&A, own, own, repeat % 2 == 0);
        const int rank = crank_rowspace_eliminate(space, A.values, A.scale, NULL, 1e-8, 1.0);
        const int *pivot = crank_rowspace_pivot(space);
        assert_int_equal(rank, rows);
        for (int i = 0; i < own; i++) {
            assert_true(pivot[i] >= 0 && pivot[i] < own);
        }
        assert_true(amplification(&A, pivot, rank, own) <= other_bound);
        assert_true(amplification(&A, pivot, rank, 0) <= own_bound);
        crank_rowspace_destroy(space);
    }
}

/* column 0 is in row 1 too: column 1 is the pivot of row 0 if it is not below 0.3 of the
 * largest entry */
static void sparsity_decides_among_pivots_of_acceptable_size(void **state)
{
    const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 2};
    const double scale[] = {1.0, 1.0}, weight[] = {1.0, 0.5, 1.0};
    crank_rowspace *space = NULL;
    crank_error err = {0};
    CHECK_OK(crank_rowspace_create(2, 3, start, column, 0, 0, true, &space, &err), err);
    const struct {
        double entry;
        const double *weight;
        int pivot;
    } cases[] = {{0.31, NULL, 1}, {0.29, NULL, 0}, {0.31, weight, 0}, {0.61, weight, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double values[] = {1.0, -cases[i].entry, 1.0, 1.0};
        assert_int_equal(
            crank_rowspace_eliminate(space, values, scale, cases[i].weight, 1e-8, 1.0), 2);
        assert_int_equal(crank_rowspace_pivot(space)[0], cases[i].pivot);
    }
    crank_rowspace_destroy(space);
}

/* 0.1 + 0.2 and 0.3: a model in other units must not get other pivots */
static void rounding_does_not_choose_among_equal_sizes(void **state)
{
    const double equal[2] = {0.3, 0.1 + 0.2};
    const int start[2] = {0, 2}, column[2] = {0, 1};
    assert_true(equal[0] != equal[1]);
    for (int larger = 0; larger < 2; larger++) {
        const double values[2] = {equal[1 - larger], equal[larger]}, scale[1] = {equal[1]};
        crank_rowspace *space = NULL;
        crank_error err = {0};
        CHECK_OK(crank_rowspace_create(1, 2, start, column, 0, 0, false, &space, &err), err);
        assert_int_equal(crank_rowspace_eliminate(space, values, scale, NULL, 1e-10, 1.0), 1);
        assert_int_equal(crank_rowspace_pivot(space)[0], 0);
        crank_rowspace_destroy(space);
    }
}

static void own_row_without_own_pivot_is_dependent(void **state)
{
    const int start[] = {0, 2, 3}, column[] = {0, 1, 2};
    const double values[] = {0.0, 5.0, 1.0}, scale[] = {5.0, 1.0};
    crank_rowspace *space = NULL;
    crank_error err = {0};
    CHECK_OK(crank_rowspace_create(2, 3, start, column, 1, 1, true, &space, &err), err);
    assert_int_equal(crank_rowspace_eliminate(space, values, scale, NULL, 1e-8, 1.0), 1);
    assert_int_equal(crank_rowspace_pivot(space)[0], -1);
    assert_int_equal(crank_rowspace_pivot(space)[1], 2);
    crank_rowspace_destroy(space);
}

static void dependent_row_names_the_row_behind_it(void **state)
{
    /* row 2 is three times row 0 plus a little of row 1, row 3 is empty */
    const int start[] = {0, 2, 4, 7, 7}, column[] = {0, 1, 1, 2, 0, 1, 2};
    const double values[] = {2.0, 1.0, 1.0, 4.0, 6.0, 3.1, 0.4}, scale[] = {2.0, 4.0, 6.0, 0.0};
    crank_rowspace *space = NULL;
    crank_error err = {0};
    CHECK_OK(crank_rowspace_create(4, 3, start, column, 0, 0, true, &space, &err), err);
    assert_int_equal(crank_rowspace_eliminate(space, values, scale, NULL, 1e-8, 1.0), 2);
    const int *pivot = crank_rowspace_pivot(space), *reason = crank_rowspace_reason(space);
    assert_int_equal(pivot[2], -1);
    assert_int_equal(pivot[3], -1);
    assert_int_equal(reason[0], -1);
    assert_int_equal(reason[1], -1);
    assert_int_equal(reason[2], 0);
    assert_int_equal(reason[3], -1);
    crank_rowspace_destroy(space);
}

/* the smallest pivot is measured after scaling and elimination: det / first pivot here */
static void smallest_pivot_is_scaled_and_names_its_row(void **state)
{
    const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    const double values[] = {10.0, 5.0, 1.0, 0.501}, scale[] = {10.0, 1.0};
    crank_rowspace *space = NULL;
    crank_error err = {0};
    int row = -1;
    CHECK_OK(crank_rowspace_create(2, 2, start, column, 0, 0, true, &space, &err), err);
    assert_int_equal(crank_rowspace_eliminate(space, values, scale, NULL, 1e-8, 1.0), 2);
    CHECK_NEAR(crank_rowspace_smallest(space, &row), 0.001, 4.0 * DBL_EPSILON);
    assert_int_equal(row, 1);
    /* below the tolerance it counts as dependent */
    assert_int_equal(crank_rowspace_eliminate(space, values, scale, NULL, 2e-3, 1.0), 1);
    CHECK_NEAR(crank_rowspace_smallest(space, &row), 1.0, 0.0);
    assert_int_equal(row, 0);
    crank_rowspace_destroy(space);
    CHECK_OK(crank_rowspace_create(0, 2, start, column, 0, 0, false, &space, &err), err);
    assert_int_equal(crank_rowspace_eliminate(space, values, scale, NULL, 1e-8, 1.0), 0);
    assert_true(isinf(crank_rowspace_smallest(space, &row)));
    assert_int_equal(row, -1);
    crank_rowspace_destroy(space);
}

/* rows that share one column fill the remainder: more memory than first taken is needed */
static void fill_beyond_the_first_guess_is_survived(void **state)
{
    static matrix A;
    random_source r = {14};
    memset(&A, 0, sizeof A);
    A.rows = ROWS;
    A.columns = COLUMNS;
    for (int j = 0; j < COLUMNS; j++) {
        A.used[0][j] = true;
        A.a[0][j] = random_real(&r) + (j == 0 ? 100.0 : 0.0);
    }
    for (int i = 1; i < ROWS; i++) {
        A.used[i][0] = A.used[i][i] = true;
        A.a[i][0] = 1.0;
        A.a[i][i] = 1e-3;
    }
    compress(&A);
    crank_rowspace *space = make(&A, 0, 0, true);
    for (int repeat = 0; repeat < 3; repeat++) {
        assert_int_equal(crank_rowspace_eliminate(space, A.values, A.scale, NULL, 1e-8, 1.0),
                         dense_rank(&A, NULL));
        assert_int_equal(dense_rank(&A, crank_rowspace_pivot(space)), ROWS);
    }
    crank_rowspace_destroy(space);
}

/* the set of dependent rows changes although the pivot columns stay: rows 0 and 1 swap their
 * roles */
static void change_of_dependent_rows_is_a_change(void **state)
{
    const int start[] = {0, 1, 2}, column[] = {0, 0};
    const double first[] = {1.0, 1.0}, second[] = {0.0, 1.0}, scale[] = {1.0, 1.0};
    crank_rowspace *space = NULL;
    crank_error err = {0};
    CHECK_OK(crank_rowspace_create(2, 1, start, column, 0, 0, true, &space, &err), err);
    assert_int_equal(crank_rowspace_eliminate(space, first, scale, NULL, 1e-8, 1.0), 1);
    assert_int_equal(crank_rowspace_pivot(space)[0], 0);
    assert_int_equal(crank_rowspace_eliminate(space, second, scale, NULL, 1e-8, 1.0), 1);
    assert_int_equal(crank_rowspace_pivot(space)[0], -1);
    assert_int_equal(crank_rowspace_pivot(space)[1], 0);
    assert_true(crank_rowspace_changed(space));
    crank_rowspace_destroy(space);
}

/* Three rows of rank two, (1, 0), (cos a, sin a), (0, 1). The last is found dependent and stays
 * so, although the second turns towards the first, until that is nearly dependent itself; then
 * it stays in its place. In natural order the last one is left out always. */
static void dependent_rows_are_exchanged_before_the_others_degenerate(void **state)
{
    const int start[] = {0, 1, 3, 4}, column[] = {0, 0, 1, 1};
    const double scale[] = {1.0, 1.0, 1.0}, angle[] = {1.0, 0.5, 0.1, 0.5, 1.5};
    const int left_out[] = {2, 2, 1, 1, 1};
    for (int natural = 0; natural < 2; natural++) {
        crank_rowspace *space = NULL;
        crank_error err = {0};
        CHECK_OK(crank_rowspace_create(3, 2, start, column, 0, 0, natural == 1, &space, &err),
                 err);
        for (int i = 0; i < 5; i++) {
            const double values[] = {1.0, cos(angle[i]), sin(angle[i]), 1.0};
            int row = -1;
            assert_int_equal(crank_rowspace_eliminate(space, values, scale, NULL, 1e-3, 0.05),
                             2);
            if (natural == 1 || i > 0) { /* the first time the order is free */
                const int *pivot = crank_rowspace_pivot(space);
                for (int j = 0; j < 3; j++) {
                    assert_true((pivot[j] < 0) == (j == (natural == 1 ? 2 : left_out[i])));
                }
            }
            assert_true(natural == 1 || crank_rowspace_smallest(space, &row) > 0.3);
        }
        crank_rowspace_destroy(space);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_and_pivots_agree_with_singular_values),
        cmocka_unit_test(earlier_pivots_are_kept_while_they_are_good_enough),
        cmocka_unit_test(preference_gives_way_to_a_much_larger_entry),
        cmocka_unit_test(own_rows_find_their_pivots_in_own_columns),
        cmocka_unit_test(sparsity_decides_among_pivots_of_acceptable_size),
        cmocka_unit_test(rounding_does_not_choose_among_equal_sizes),
        cmocka_unit_test(own_row_without_own_pivot_is_dependent),
        cmocka_unit_test(dependent_row_names_the_row_behind_it),
        cmocka_unit_test(smallest_pivot_is_scaled_and_names_its_row),
        cmocka_unit_test(fill_beyond_the_first_guess_is_survived),
        cmocka_unit_test(change_of_dependent_rows_is_a_change),
        cmocka_unit_test(dependent_rows_are_exchanged_before_the_others_degenerate),
    };
    return CHECK_RUN(argc, argv, tests);
}
