/* test_solver.c - every solver behind solver.h against products: factor, again with other
 * values, transposed and complex solves; several shifts in any order; singular matrices; pivots
 * that grow bad; checkpoints. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/dense.h"
#include "linalg/solver.h"
#include "unit/linalg/random.h"

#include <float.h>

enum { N = 30, ENTRIES = N * N };

/* The diagonal is preferred down to a tenth of the largest entry (solver_klu.c), so that an
 * elimination may multiply entries by 11, and in these sparse matrices three of them meet in an
 * entry: 11^3. Measured: 200; 1e5 with KLU's own limit, a thousandth. */
static const double growth = 1331.0;

/* the solver that is tested */
static crank_linear_algebra wish;
static const crank_linear_algebra wishes[] = {CRANK_LINALG_DENSE, CRANK_LINALG_RECORDED,
                                              CRANK_LINALG_KLU, CRANK_LINALG_BANDED};
enum { WISHES = sizeof wishes / sizeof *wishes };

/* does it keep pivots? */
static bool keeps(void)
{
    return wish == CRANK_LINALG_RECORDED || wish == CRANK_LINALG_KLU;
}

static crank_status create(int n, const int *start, const int *row, crank_solver **out,
                           crank_error *err)
{
    return crank_solver_create(&(crank_solver_setup){.wish = wish,
                                                     .n = n,
                                                     .start = start,
                                                     .row = row,
                                                     .shifts = CRANK_MAX_SHIFTS,
                                                     .reserve = n % 2 == 0},
                               out, err);
}

static crank_status factor(crank_solver *s, int i, bool complex_values, const double *values,
                           crank_error *err)
{
    const size_t count = (complex_values ? 2 : 1) * (size_t)crank_solver_entries(s);
    memcpy(crank_solver_values(s, i, complex_values), values, count * sizeof *values);
    return crank_solver_factor(s, i, err);
}

static void solve(crank_solver *s, int i, double *x)
{
    crank_solver_solve(s, i, x, NULL, x, NULL);
}

/* pairs */
static void solve_complex(crank_solver *s, int i, int n, double *x)
{
    double re[N] = {0}, im[N] = {0};
    for (int k = 0; k < n; k++) {
        re[k] = x[2 * k];
        im[k] = x[2 * k + 1];
    }
    crank_solver_solve(s, i, re, im, re, im);
    for (int k = 0; k < n; k++) {
        x[2 * k] = re[k];
        x[2 * k + 1] = im[k];
    }
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

static void real_transposed_and_complex_solves_agree_with_products(void **state)
{
    static double values[2 * ENTRIES];
    pattern p;
    double b[2 * N], x[2 * N];
    random_source r = {21};
    for (int repeat = 0; repeat < 40; repeat++) {
        int n = 1 + random_int(&r, N - 1);
        n += n % 3 == 0;
        crank_solver *matrix = NULL;
        crank_error err = {0};
        make_pattern(&r, &p, n, random_int(&r, 4));
        CHECK_OK(create(n, p.start, p.row, &matrix, &err), err);
        for (int again = 0; again < 3; again++) { /* other values twice */
            make_values(100 + (uint64_t)repeat, 0.1 * again, &p, 1, values);
            CHECK_OK(factor(matrix, 0, false, values, &err), err);
            random_fill(&r, n, b);
            crank_solver_solve(matrix, 0, b, NULL, x, NULL);
            check_solution(&p, 1, false, values, x, b);
            double y[N];
            memcpy(y, b, sizeof y);
            solve(matrix, 0, y); /* in place: the same bits */
            assert_memory_equal(x, y, (size_t)n * sizeof *y);
            memcpy(x, b, sizeof x);
            crank_solver_solve_transposed(matrix, 0, x);
            check_solution(&p, 1, true, values, x, b);
            make_values(200 + (uint64_t)repeat, 0.1 * again, &p, 2, values);
            CHECK_OK(factor(matrix, 1, true, values, &err), err);
            random_fill(&r, 2 * n, b);
            memcpy(x, b, sizeof x);
            solve_complex(matrix, 1, n, x);
            check_solution(&p, 2, false, values, x, b);
        }
        crank_solver_destroy(matrix);
    }
}

/* two real and two complex shifts, factored in one order and solved in all others; then some of
 * them anew */
static void shifts_do_not_disturb_each_other(void **state)
{
    static double values[CRANK_MAX_SHIFTS][2 * ENTRIES];
    static const int orders[][CRANK_MAX_SHIFTS] = {
        {0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 3, 2}, {2, 0, 3, 1}};
    pattern p;
    random_source r = {22};
    crank_solver *matrix = NULL;
    crank_error err = {0};
    make_pattern(&r, &p, 20, 3);
    CHECK_OK(create(20, p.start, p.row, &matrix, &err), err);
    for (int round = 0; round < 6; round++) {
        const int *order = orders[round % 4];
        /* which are complex changes, and in rounds 1, 3, 5 only the first two of the order are
         * factored */
        for (int k = 0; k < (round % 2 == 0 ? CRANK_MAX_SHIFTS : 2); k++) {
            const int i = order[k];
            const bool complex_values = (i + round / 2) % 2 == 1;
            make_values(30 + (uint64_t)(10 * round + i), 0.0, &p, 1 + complex_values,
                        values[i]);
            CHECK_OK(factor(matrix, i, complex_values, values[i], &err), err);
        }
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            for (int k = 0; k < CRANK_MAX_SHIFTS; k++) {
                const int i = orders[o][k];
                const bool complex_values = (i + round / 2) % 2 == 1;
                double b[2 * N], x[2 * N];
                random_fill(&r, 2 * 20, b);
                memcpy(x, b, sizeof x);
                if (complex_values) {
                    solve_complex(matrix, i, 20, x);
                } else {
                    solve(matrix, i, x);
                }
                check_solution(&p, 1 + complex_values, false, values[i], x, b);
            }
        }
    }
    crank_solver_destroy(matrix);
}

static void bad_pivots_are_chosen_anew(void **state)
{
    const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    const pattern p = {.n = 2, .start = {0, 2, 4}, .row = {0, 1, 0, 1}};
    const double first[] = {1.0, 1e-9, 1e-9, 1.0}, second[] = {1e-14, 1.0, 1.0, 1e-14};
    const double b[] = {1.0, 2.0};
    double x[2] = {1.0, 2.0};
    crank_solver *matrix = NULL;
    crank_error err = {0};
    CHECK_OK(create(2, start, row, &matrix, &err), err);
    CHECK_OK(factor(matrix, 0, false, first, &err), err);
    CHECK_OK(factor(matrix, 0, false, second, &err), err);
    solve(matrix, 0, x);
    check_solution(&p, 1, false, second, x, b);
    CHECK_NEAR(x[0], 2.0, 1e-12);
    CHECK_NEAR(x[1], 1.0, 1e-12);
    assert_true(crank_solver_pivot_searches(matrix) == (keeps() ? 2 : 0));
    crank_solver_destroy(matrix);
}

/* Rows of constraints and rows with the step size in them differ by many powers of ten:
 * solutions do not lose by it. */
static void rows_of_all_sizes_are_equal(void **state)
{
    static double values[2 * ENTRIES], scaled[2 * ENTRIES];
    pattern p;
    random_source r = {24};
    for (int complex_values = 0; complex_values < 2; complex_values++) {
        const int n = 20, stride = 1 + complex_values;
        crank_solver *matrix = NULL;
        crank_error err = {0};
        double b[2 * N], x[2 * N];
        make_pattern(&r, &p, n, 3);
        make_values(7, 0.0, &p, stride, values);
        for (int e = 0; e < stride * p.start[n]; e++) {
            scaled[e] = values[e] * pow(10.0, 12.0 * sin(7.0 * p.row[e / stride]));
        }
        random_fill(&r, stride * n, b);
        for (int k = 0; k < stride * n; k++) {
            x[k] = b[k] * pow(10.0, 12.0 * sin(7.0 * (k / stride)));
        }
        CHECK_OK(create(n, p.start, p.row, &matrix, &err), err);
        CHECK_OK(factor(matrix, 2, complex_values == 1, scaled, &err), err);
        if (complex_values == 1) {
            solve_complex(matrix, 2, n, x);
        } else {
            solve(matrix, 2, x);
        }
        check_solution(&p, stride, false, values, x, b);
        crank_solver_destroy(matrix);
    }
}

static void singular_values_ask_for_a_retry_and_recovery_is_possible(void **state)
{
    const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    const double good[] = {2.0, 0.0, 0.0, 4.0}, bad[] = {1.0, 1.0, 2.0, 2.0};
    const double not_finite[] = {(double)NAN, 1.0, 1.0, 2.0};
    const double bad_pairs[] = {1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0};
    double x[2];
    crank_solver *matrix = NULL;
    crank_error err = {0};
    CHECK_OK(create(2, start, row, &matrix, &err), err);
    for (int repeat = 0; repeat < 2; repeat++) {
        CHECK_STATUS(factor(matrix, 0, false, bad, &err), CRANK_RETRY);
        CHECK_STATUS(factor(matrix, 0, false, not_finite, &err), CRANK_RETRY);
        CHECK_STATUS(factor(matrix, 1, true, bad_pairs, &err), CRANK_RETRY);
        CHECK_OK(factor(matrix, 0, false, good, &err), err);
        x[0] = x[1] = 8.0;
        solve(matrix, 0, x);
        CHECK_NEAR(x[0], 4.0, 0.0);
        CHECK_NEAR(x[1], 2.0, 0.0);
    }
    crank_solver_destroy(matrix);
}

static void structurally_singular_matrix_is_reported(void **state)
{
    const int start[] = {0, 1, 2}, row[] = {0, 0}; /* row 1 is empty */
    const double values[] = {1.0, 2.0};
    crank_solver *matrix = NULL;
    crank_error err = {0};
    crank_status status = create(2, start, row, &matrix, &err);
    if (status == CRANK_OK) {
        status = factor(matrix, 0, false, values, &err);
    }
    CHECK_STATUS(status, CRANK_RETRY);
    crank_solver_destroy(matrix);
    crank_solver_destroy(NULL);
}

/* factors made anew from a checkpoint are the same bits, whatever was factored in between, and
 * so are those that follow; shift 0 is real, 1 complex, 2 real, 3 not there */
static void check_restored(const pattern *p, crank_solver *matrix)
{
    double x[2][2 * N], again[3][2 * ENTRIES];
    crank_solver *other = NULL;
    crank_error err = {0};
    crank_archive a = crank_archive_saving();
    crank_solver_archive(matrix, &a);
    crank_archive b = crank_archive_loading(a.made, a.used);
    CHECK_OK(create(p->n, p->start, p->row, &other, &err), err);
    crank_solver_archive(other, &b);
    CHECK_OK(b.error.status, b.error);
    crank_archive_free(&a);
    for (int later = 0; later < 2; later++) {
        random_source r = {5};
        for (int i = 0; i < 3; i++) {
            random_fill(&r, 2 * p->n, x[0]);
            memcpy(x[1], x[0], sizeof x[0]);
            for (int side = 0; side < 2; side++) {
                crank_solver *one = side == 0 ? matrix : other;
                if (i == 1) {
                    solve_complex(one, i, p->n, x[side]);
                } else {
                    solve(one, i, x[side]);
                }
            }
            assert_memory_equal(x[0], x[1], (i == 1 ? 2 : 1) * (size_t)p->n * sizeof(double));
            make_values(9 + (uint64_t)i, 0.3, p, 1 + (i == 1),
                        again[i]); /* both keep the pivots they have */
            CHECK_OK(factor(matrix, i, i == 1, again[i], &err), err);
            CHECK_OK(factor(other, i, i == 1, again[i], &err), err);
        }
        assert_true(crank_solver_pivot_searches(matrix) == crank_solver_pivot_searches(other));
    }
    crank_solver_destroy(other);
}

static void factors_are_restored_bit_for_bit(void **state)
{
    static double values[2 * ENTRIES];
    pattern p;
    random_source r = {23};
    for (int repeat = 0; repeat < 30; repeat++) {
        const int n = 4 + 3 * random_int(&r, 8);
        crank_solver *matrix = NULL;
        crank_error err = {0};
        make_pattern(&r, &p, n, 1 + random_int(&r, 4));
        CHECK_OK(create(n, p.start, p.row, &matrix, &err), err);
        for (int k = 0; k <= repeat % 3; k++) {
            for (int i = 0; i < 3; i++) {
                make_values(300 + (uint64_t)(100 * i + repeat), 0.2 * k, &p, 1 + (i == 1),
                            values);
                CHECK_OK(factor(matrix, i, i == 1, values, &err), err);
            }
        }
        check_restored(&p, matrix);
        crank_solver_destroy(matrix);
    }
}

/* Fill is avoided whatever the numbering is: an arrow [d a^T; a D] whose tip is numbered first
 * needs no product but those of its tip. Sizes within and beyond the rows for which memory is
 * reserved, and beyond those that are recorded. */
static void arrows_are_solved_at_every_size(void **state)
{
    enum { MOST = 500 };
    static int start[MOST + 1], row[3 * MOST];
    static double values[3 * MOST], b[MOST];
    const int sizes[] = {1, 2, 31, 32, 33, 127, 128, 129, MOST};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k];
        int at = 0;
        crank_solver *matrix = NULL;
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
            CHECK_OK(factor(matrix, 0, false, values, &err), err);
            crank_solver_solve(matrix, 0, b, NULL, x, NULL);
            for (int i = 0; i < n; i++) {
                CHECK_NEAR(x[i], 1.0, 4.0 * n * DBL_EPSILON);
            }
        }
        assert_true(crank_solver_pivot_searches(matrix) == (keeps() ? 1 : 0));
        crank_solver_destroy(matrix);
    }
}

static void pivots_are_kept_while_they_are_good(void **state)
{
    static double values[ENTRIES];
    pattern p;
    random_source r = {24};
    crank_solver *matrix = NULL;
    crank_error err = {0};
    make_pattern(&r, &p, 20, 3);
    CHECK_OK(create(20, p.start, p.row, &matrix, &err), err);
    for (int again = 0; again < 10; again++) {
        make_values(7, 0.05 * again, &p, 1, values);
        CHECK_OK(factor(matrix, 0, false, values, &err), err);
    }
    assert_true(crank_solver_pivot_searches(matrix) == (keeps() ? 1 : 0));
    crank_solver_destroy(matrix);
}

/* A full matrix is dense LU's, and its rows may become fewer and more again. */
static void full_matrices_change_their_size(void **state)
{
    crank_solver *matrix = NULL;
    crank_error err = {0};
    random_source r = {25};
    pattern p;
    CHECK_OK(crank_solver_create(
                 &(crank_solver_setup){.wish = CRANK_LINALG_AUTO, .n = N, .shifts = 2}, &matrix,
                 &err),
             err);
    assert_string_equal(crank_solver_name(matrix), "dense");
    for (int n = N; n > 0; n -= 7) {
        p.n = n;
        for (int e = 0; e <= n * n; e++) {
            p.start[e / n] = e / n * n;
            p.row[e < ENTRIES ? e : 0] = e % n;
        }
        crank_solver_set_rows(matrix, n);
        for (int i = 0; i < 2; i++) {
            double *values = crank_solver_values(matrix, i, i == 1), b[2 * N], x[2 * N];
            random_fill(&r, (i + 1) * n * n, values);
            for (int k = 0; k < n; k++) { /* dominant */
                values[(i + 1) * (k + k * n)] += n;
            }
            CHECK_OK(crank_solver_factor(matrix, i, &err), err);
            random_fill(&r, 2 * n, b);
            memcpy(x, b, sizeof x);
            if (i == 1) {
                solve_complex(matrix, i, n, x);
            } else {
                solve(matrix, i, x);
            }
            check_solution(&p, i + 1, false, values, x, b);
        }
    }
    crank_solver_destroy(matrix);
}

/* auto: by the number of unknowns and by how long patterns live */
static void solvers_are_chosen_by_size_or_by_name(void **state)
{
    enum { MOST = 500 };
    static int start[MOST + 1], row[MOST];
    static const struct {
        crank_linear_algebra wish;
        int n;
        bool short_lived;
        const char *name;
    } cases[] = {
        {CRANK_LINALG_AUTO, CRANK_SPARSE_FROM - 1, false, "dense"},
        {CRANK_LINALG_AUTO, CRANK_SPARSE_FROM, false, "recorded"},
        {CRANK_LINALG_AUTO, MOST, false, "klu"},
        {CRANK_LINALG_AUTO, 60, true, "klu"},
        {CRANK_LINALG_AUTO, 300, false, "recorded"},
        {CRANK_LINALG_SPARSE, 2, false, "recorded"},
        {CRANK_LINALG_DENSE, MOST, false, "dense"},
        {CRANK_LINALG_KLU, 2, false, "klu"},
        {CRANK_LINALG_BANDED, 2, false, "banded"},
        {CRANK_LINALG_BANDED, MOST, false, "banded"},
        {CRANK_LINALG_RECORDED, MOST, false, "recorded"},
    };
    for (int j = 0; j < MOST; j++) {
        start[j + 1] = j + 1;
        row[j] = j;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        crank_solver *matrix = NULL;
        crank_error err = {0};
        CHECK_OK(crank_solver_create(&(crank_solver_setup){.wish = cases[i].wish,
                                                           .n = cases[i].n,
                                                           .start = start,
                                                           .row = row,
                                                           .shifts = 1,
                                                           .short_lived = cases[i].short_lived},
                                     &matrix, &err),
                 err);
        assert_string_equal(crank_solver_name(matrix), cases[i].name);
        crank_solver_destroy(matrix);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_transposed_and_complex_solves_agree_with_products),
        cmocka_unit_test(shifts_do_not_disturb_each_other),
        cmocka_unit_test(bad_pivots_are_chosen_anew),
        cmocka_unit_test(rows_of_all_sizes_are_equal),
        cmocka_unit_test(singular_values_ask_for_a_retry_and_recovery_is_possible),
        cmocka_unit_test(structurally_singular_matrix_is_reported),
        cmocka_unit_test(factors_are_restored_bit_for_bit),
        cmocka_unit_test(arrows_are_solved_at_every_size),
        cmocka_unit_test(pivots_are_kept_while_they_are_good),
        cmocka_unit_test(full_matrices_change_their_size),
        cmocka_unit_test(solvers_are_chosen_by_size_or_by_name),
    };
    int failed = 0;
    for (int i = 0; i < WISHES; i++) {
        wish = wishes[i];
        failed += CHECK_RUN(argc, argv, tests);
    }
    return failed;
}
