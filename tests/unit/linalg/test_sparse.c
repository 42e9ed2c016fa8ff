/* test_sparse.c - KLU and the recorded elimination behind sparse.h against dense LU: factor, refactor with other values,
 * transposed and complex solves; singular matrices; pivots that grow bad; checkpoints. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/dense.h"
#include "linalg/sparse.h"
#include "unit/linalg/random.h"

#include <float.h>

enum { N = 30, ENTRIES = N * N };

/* The diagonal is preferred down to a tenth of the largest entry (sparse.c), so that an elimination may
 * multiply entries by 11, and in these sparse matrices three of them meet in an entry: 11^3. Measured: 200;
 * 1e5 with KLU's own limit, a thousandth. */
static const double growth = 1331.0;

/* which of the two is tested */
static crank_status (*create)(int n, const int *start, const int *row, crank_sparse **out,
                              crank_error *err) = crank_sparse_create;

static crank_status create_often(int n, const int *start, const int *row, crank_sparse **out,
                                 crank_error *err)
{
    return crank_sparse_create_often(n, start, row, n % 2 == 0, out, err);
}

typedef struct pattern {
    int n, start[N + 1], row[ENTRIES];
} pattern;

/* random entries and one in each row and column of a permutation, so that the structure is
 * regular */
static void make_pattern(random_source *r, pattern *p, int n, int extra)
{
    static bool used[N][N];
    int at = 0;
    memset(used, 0, sizeof used);
    for (int j = 0; j < n; j++) {
        used[(3 * j + 1) % n][j] = true; /* n is not a multiple of 3 */
        for (int k = 0; k < extra; k++) {
            used[random_int(r, n)][j] = true;
        }
    }
    p->n = n;
    for (int j = 0; j < n; j++) {
        p->start[j] = at;
        for (int i = 0; i < n; i++) {
            if (used[i][j]) {
                p->row[at++] = i;
            }
        }
    }
    p->start[n] = at;
}

/* values with a dominant permutation: well conditioned; the same seed and another drift:
 * similar values */
static void make_values(uint64_t seed, double drift, const pattern *p, int pairs,
                        double *values)
{
    random_source source = {seed}, *r = &source;
    for (int j = 0; j < p->n; j++) {
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            const bool main_entry = p->row[e] == (3 * j + 1) % p->n;
            for (int c = 0; c < pairs; c++) {
                const double value = random_real(r) + (main_entry && c == 0 ? 4.0 : 0.0);
                values[pairs * e + c] = value * (1.0 + drift * sin(e + c));
            }
        }
    }
}

static void check_solution(const pattern *p, int pairs, bool transposed, const double *values,
                           const double *x, const double *b)
{
    double re[N], im[N], size = 0.0;
    for (int i = 0; i < p->n; i++) {
        re[i] = -b[pairs * i];
        im[i] = pairs == 2 ? -b[2 * i + 1] : 0.0;
    }
    for (int j = 0; j < p->n; j++) {
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            const int to = transposed ? j : p->row[e], from = transposed ? p->row[e] : j;
            const double a = values[pairs * e], ai = pairs == 2 ? values[2 * e + 1] : 0.0;
            const double z = x[pairs * from], zi = pairs == 2 ? x[2 * from + 1] : 0.0;
            re[to] += a * z - ai * zi;
            im[to] += a * zi + ai * z;
            size = fmax(size, hypot(a, ai) * hypot(z, zi));
        }
    }
    for (int i = 0; i < p->n; i++) {
        CHECK_NEAR(re[i], 0.0, growth * DBL_EPSILON * size);
        CHECK_NEAR(im[i], 0.0, growth * DBL_EPSILON * size);
    }
}

/* b and x with real and imaginary parts apart: the same bits */
static void check_parts(crank_sparse *matrix, int n, const double *b, const double *x)
{
    double b_re[N], b_im[N], x_re[N], x_im[N], whole[N];
    for (int i = 0; i < n; i++) {
        b_re[i] = b[2 * i];
        b_im[i] = b[2 * i + 1];
    }
    crank_sparse_solve_parts(matrix, b_re, b_im, x_re, x_im);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(x_re[i], x[2 * i], 0.0);
        CHECK_NEAR(x_im[i], x[2 * i + 1], 0.0);
    }
    memcpy(whole, b_re, sizeof whole);
    crank_sparse_solve(matrix, whole);
    crank_sparse_solve_from(matrix, b_re, x_re);
    assert_memory_equal(x_re, whole, (size_t)n * sizeof *whole);
}

static void real_transposed_and_complex_solves_agree_with_products(void **state)
{
    static double values[2 * ENTRIES];
    pattern p;
    double b[2 * N], x[2 * N];
    random_source r = {21};
    for (int repeat = 0; repeat < 40; repeat++) {
        int n = 1 + random_int(&r, N - 1);
        n += n % 3 == 0;
        crank_sparse *matrix = NULL;
        crank_error err = {0};
        make_pattern(&r, &p, n, random_int(&r, 4));
        CHECK_OK(create(n, p.start, p.row, &matrix, &err), err);
        for (int again = 0; again < 3;
             again++) { /* factor, then refactor twice with new values */
            make_values(100 + (uint64_t)repeat, 0.1 * again, &p, 1, values);
            CHECK_OK(crank_sparse_factor(matrix, values, &err), err);
            random_fill(&r, n, b);
            memcpy(x, b, sizeof x);
            crank_sparse_solve(matrix, x);
            check_solution(&p, 1, false, values, x, b);
            memcpy(x, b, sizeof x);
            crank_sparse_solve_transposed(matrix, x);
            check_solution(&p, 1, true, values, x, b);
            make_values(200 + (uint64_t)repeat, 0.1 * again, &p, 2, values);
            CHECK_OK(crank_sparse_factor_complex(matrix, values, &err), err);
            random_fill(&r, 2 * n, b);
            memcpy(x, b, sizeof x);
            crank_sparse_solve_complex(matrix, x);
            check_solution(&p, 2, false, values, x, b);
            check_parts(matrix, n, b, x);
        }
        crank_sparse_destroy(matrix);
    }
}

/* the complex factors do not disturb the real ones */
static void real_and_complex_factors_live_side_by_side(void **state)
{
    static double values[ENTRIES], pairs[2 * ENTRIES];
    pattern p;
    double b[N], x[N];
    random_source r = {22};
    crank_sparse *matrix = NULL;
    crank_error err = {0};
    make_pattern(&r, &p, 10, 3);
    make_values(3, 0.0, &p, 1, values);
    make_values(4, 0.0, &p, 2, pairs);
    CHECK_OK(create(10, p.start, p.row, &matrix, &err), err);
    CHECK_OK(crank_sparse_factor(matrix, values, &err), err);
    CHECK_OK(crank_sparse_factor_complex(matrix, pairs, &err), err);
    random_fill(&r, 10, b);
    memcpy(x, b, sizeof x);
    crank_sparse_solve(matrix, x);
    check_solution(&p, 1, false, values, x, b);
    crank_sparse_destroy(matrix);
}

static void bad_pivots_are_chosen_anew(void **state)
{
    const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    const pattern p = {.n = 2, .start = {0, 2, 4}, .row = {0, 1, 0, 1}};
    const double first[] = {1.0, 1e-9, 1e-9, 1.0}, second[] = {1e-14, 1.0, 1.0, 1e-14};
    const double b[] = {1.0, 2.0};
    double x[2] = {1.0, 2.0};
    crank_sparse *matrix = NULL;
    crank_error err = {0};
    CHECK_OK(create(2, start, row, &matrix, &err), err);
    CHECK_OK(crank_sparse_factor(matrix, first, &err), err);
    CHECK_OK(crank_sparse_factor(matrix, second, &err), err);
    crank_sparse_solve(matrix, x);
    check_solution(&p, 1, false, second, x, b);
    CHECK_NEAR(x[0], 2.0, 1e-12);
    CHECK_NEAR(x[1], 1.0, 1e-12);
    crank_sparse_destroy(matrix);
}

static void singular_values_ask_for_a_retry_and_recovery_is_possible(void **state)
{
    const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    const double good[] = {2.0, 0.0, 0.0, 4.0}, bad[] = {1.0, 1.0, 2.0, 2.0};
    const double not_finite[] = {(double)NAN, 1.0, 1.0, 2.0};
    const double bad_pairs[] = {1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0};
    double x[2];
    crank_sparse *matrix = NULL;
    crank_error err = {0};
    CHECK_OK(create(2, start, row, &matrix, &err), err);
    for (int repeat = 0; repeat < 2; repeat++) {
        CHECK_STATUS(crank_sparse_factor(matrix, bad, &err), CRANK_RETRY);
        CHECK_STATUS(crank_sparse_factor(matrix, not_finite, &err), CRANK_RETRY);
        CHECK_STATUS(crank_sparse_factor_complex(matrix, bad_pairs, &err), CRANK_RETRY);
        CHECK_OK(crank_sparse_factor(matrix, good, &err), err);
        x[0] = x[1] = 8.0;
        crank_sparse_solve(matrix, x);
        CHECK_NEAR(x[0], 4.0, 0.0);
        CHECK_NEAR(x[1], 2.0, 0.0);
    }
    crank_sparse_destroy(matrix);
}

static void structurally_singular_matrix_is_reported(void **state)
{
    const int start[] = {0, 1, 2}, row[] = {0, 0}; /* row 1 is empty */
    const double values[] = {1.0, 2.0};
    crank_sparse *matrix = NULL;
    crank_error err = {0};
    crank_status status = create(2, start, row, &matrix, &err);
    if (status == CRANK_OK) {
        status = crank_sparse_factor(matrix, values, &err);
    }
    CHECK_STATUS(status, CRANK_RETRY);
    crank_sparse_destroy(matrix);
    crank_sparse_destroy(NULL);
}

/* factors made anew from a checkpoint are the same bits, whatever was factored in between, and so are those that
 * follow; values: those factored last */
static void check_restored(const pattern *p, crank_sparse *matrix, double *values,
                           double *pairs)
{
    double x[2][2 * N], again[ENTRIES], again_pairs[2 * ENTRIES];
    crank_sparse *other = NULL;
    crank_error err = {0};
    crank_archive a = crank_archive_saving();
    crank_sparse_archive(matrix, &a, values, pairs);
    crank_archive b = crank_archive_loading(a.made, a.used);
    CHECK_OK(create(p->n, p->start, p->row, &other, &err), err);
    crank_sparse_archive(other, &b, values, pairs);
    CHECK_OK(b.error.status, b.error);
    crank_archive_free(&a);
    for (int later = 0; later < 2; later++) {
        random_source r = {5};
        for (int i = 0; i < 2; i++) {
            random_fill(&r, 2 * p->n, x[0]);
            memcpy(x[1], x[0], sizeof x[0]);
            for (int side = 0; side < 2; side++) {
                crank_sparse *one = side == 0 ? matrix : other;
                if (i == 0) {
                    crank_sparse_solve(one, x[side]);
                } else {
                    crank_sparse_solve_complex(one, x[side]);
                }
            }
            assert_memory_equal(x[0], x[1], (size_t)(i + 1) * (size_t)p->n * sizeof(double));
        }
        make_values(9, 0.3, p, 1, again); /* both keep the pivots they have */
        make_values(10, 0.3, p, 2, again_pairs);
        CHECK_OK(crank_sparse_factor(matrix, again, &err), err);
        CHECK_OK(crank_sparse_factor(other, again, &err), err);
        CHECK_OK(crank_sparse_factor_complex(matrix, again_pairs, &err), err);
        CHECK_OK(crank_sparse_factor_complex(other, again_pairs, &err), err);
        assert_true(crank_sparse_pivot_searches(matrix) == crank_sparse_pivot_searches(other));
    }
    crank_sparse_destroy(other);
}

static void factors_are_restored_bit_for_bit(void **state)
{
    static double values[ENTRIES], pairs[2 * ENTRIES];
    pattern p;
    random_source r = {23};
    for (int repeat = 0; repeat < 30; repeat++) {
        const int n = 4 + 3 * random_int(&r, 8);
        crank_sparse *matrix = NULL;
        crank_error err = {0};
        make_pattern(&r, &p, n, 1 + random_int(&r, 4));
        CHECK_OK(create(n, p.start, p.row, &matrix, &err), err);
        for (int k = 0; k <= repeat % 3; k++) {
            make_values(300 + (uint64_t)repeat, 0.2 * k, &p, 1, values);
            make_values(400 + (uint64_t)repeat, 0.2 * k, &p, 2, pairs);
            CHECK_OK(crank_sparse_factor(matrix, values, &err), err);
            CHECK_OK(crank_sparse_factor_complex(matrix, pairs, &err), err);
        }
        check_restored(&p, matrix, values, pairs);
        crank_sparse_destroy(matrix);
    }
}

/* Fill is avoided whatever the numbering is: an arrow [d a^T; a D] whose tip is numbered first needs no product but those
 * of its tip. Sizes within and beyond the rows for which memory is reserved, and beyond those that are recorded. */
static void arrows_are_solved_at_every_size(void **state)
{
    enum { MOST = 200 };
    static int start[MOST + 1], row[3 * MOST];
    static double values[3 * MOST], b[MOST];
    const int sizes[] = {1, 2, 31, 32, 33, 127, 128, 129, MOST};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k];
        int at = 0;
        crank_sparse *matrix = NULL;
        crank_error err = {0};
        for (int j = 0; j < n; j++) { /* solution: all ones */
            start[j] = at;
            for (int i = 0; i < n; i++) {
                if (i == 0 || j == 0 || i == j) {
                    row[at] = i;
                    values[at++] = i == j ? 2.0 + (i == 0 ? n : 0) : 1.0;
                }
            }
            b[j] = j == 0 ? 2.0 * n + 1.0 : 3.0;
        }
        start[n] = at;
        CHECK_OK(create(n, start, row, &matrix, &err), err);
        for (int again = 0; again < 2; again++) {
            double x[MOST];
            CHECK_OK(crank_sparse_factor(matrix, values, &err), err);
            crank_sparse_solve_from(matrix, b, x);
            for (int i = 0; i < n; i++) {
                CHECK_NEAR(x[i], 1.0, 4.0 * n * DBL_EPSILON);
            }
        }
        assert_true(crank_sparse_pivot_searches(matrix) == 1);
        crank_sparse_destroy(matrix);
    }
}

static void pivots_are_kept_while_they_are_good(void **state)
{
    static double values[ENTRIES];
    pattern p;
    random_source r = {24};
    crank_sparse *matrix = NULL;
    crank_error err = {0};
    make_pattern(&r, &p, 20, 3);
    CHECK_OK(create(20, p.start, p.row, &matrix, &err), err);
    for (int again = 0; again < 10; again++) {
        make_values(7, 0.05 * again, &p, 1, values);
        CHECK_OK(crank_sparse_factor(matrix, values, &err), err);
    }
    assert_true(crank_sparse_pivot_searches(matrix) == 1);
    crank_sparse_destroy(matrix);
}

static int by_elimination(void **state)
{
    (void)state;
    create = create_often;
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_transposed_and_complex_solves_agree_with_products),
        cmocka_unit_test(real_and_complex_factors_live_side_by_side),
        cmocka_unit_test(bad_pivots_are_chosen_anew),
        cmocka_unit_test(singular_values_ask_for_a_retry_and_recovery_is_possible),
        cmocka_unit_test(structurally_singular_matrix_is_reported),
        cmocka_unit_test(factors_are_restored_bit_for_bit),
        cmocka_unit_test(arrows_are_solved_at_every_size),
        cmocka_unit_test(pivots_are_kept_while_they_are_good),
    };
    const int failed = CHECK_RUN(argc, argv, tests);
    return failed + cmocka_run_group_tests_name("by elimination", tests, by_elimination, NULL);
}
