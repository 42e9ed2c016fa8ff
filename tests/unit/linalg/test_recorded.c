/* test_recorded.c - elimination with pivots chosen once, on the diagonal (linalg/recorded.h)
 * against dense LU: systems of accelerations and multipliers, explicit unknowns, constant
 * entries; what it refuses, and when it says that a pivot is lost. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/dense.h"
#include "linalg/recorded.h"
#include "unit/linalg/random.h"

#include <float.h>

enum { A = 18, L = 12, W = 4, N = A + L + W, MOST = N * N };

typedef struct matrix {
    int n, count, row[MOST], column[MOST];
    double values[MOST];
    bool constant[MOST];
} matrix;

static void put(matrix *m, int i, int j, double value, bool constant)
{
    m->row[m->count] = i;
    m->column[m->count] = j;
    m->values[m->count] = value;
    m->constant[m->count++] = constant;
}

/* [M J^T; J 0]: row l of J on three accelerations of its own kind and one more; every third
 * acceleration has constant entries alone. coupled: two accelerations also depend on
 * multipliers that do not push them. */
static void make_balance(random_source *r, matrix *m, bool coupled)
{
    *m = (matrix){.n = A + L};
    for (int a = 0; a < A; a++) {
        put(m, a, a, 1.0 + a % 4, true);
    }
    for (int l = 0; l < L; l++) {
        for (int k = 0; k < 4; k++) {
            const int a = (l + 5 * k) % A;
            const bool constant = a % 3 == 0;
            const double value = constant ? 1.0 - 0.1 * k : 0.5 + random_real(r);
            put(m, A + l, a, value, constant);
            put(m, a, A + l, value, constant);
        }
    }
    if (coupled) {
        put(m, 1, A + 7, 0.3, false);
        put(m, 8, A, -0.2, true);
    }
}

/* new values of what is not constant, symmetric as before */
static void change_values(random_source *r, matrix *m)
{
    for (int e = 0; e < m->count; e++) {
        if (m->constant[e]) {
            continue;
        }
        const double value = 0.7 + random_real(r);
        for (int o = 0; o < m->count; o++) {
            const bool same = (m->row[o] == m->row[e] && m->column[o] == m->column[e]) ||
                              (m->row[o] == m->column[e] && m->column[o] == m->row[e]);
            m->values[o] = same ? value : m->values[o];
        }
    }
}

/* both solve the same; entries of both are of size 1 and pivots above 0.1, so that 1e-10 is far
 * above rounding */
static void check_against_lu(const matrix *m, crank_recorded *f)
{
    static double dense[MOST];
    int pivot[N];
    double b[N], x[N];
    memset(dense, 0, sizeof dense);
    for (int e = 0; e < m->count; e++) {
        if (m->row[e] >= 0) {
            dense[m->row[e] + m->column[e] * m->n] = m->values[e];
        }
    }
    for (int i = 0; i < m->n; i++) {
        b[i] = x[i] = cos(2.0 * i);
    }
    assert_true(crank_lu_factor(m->n, dense, m->n, pivot));
    crank_lu_solve(m->n, dense, m->n, pivot, b);
    assert_true(crank_recorded_factor(f, m->values));
    crank_recorded_solve(f, x);
    for (int i = 0; i < m->n; i++) {
        CHECK_NEAR(x[i], b[i], 1e-10 * (1.0 + fabs(b[i])));
    }
}

static crank_status create(const matrix *m, bool symmetric, crank_recorded **f)
{
    crank_error err = {0};
    return crank_recorded_create(m->n, m->count, m->row, m->column, m->values, m->constant,
                                 symmetric ? CRANK_RECORDED_SYMMETRIC : CRANK_RECORDED_ANY, f,
                                 &err);
}

static void balances_are_solved_in_both_forms(void **state)
{
    random_source source = {7}, *r = &source;
    static matrix m;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        crank_recorded *f = NULL;
        make_balance(r, &m, false);
        assert_int_equal(create(&m, symmetric == 1, &f), CRANK_OK);
        for (int i = 0; i < 20; i++) {
            check_against_lu(&m, f);
            change_values(r, &m);
        }
        crank_recorded_destroy(f);
    }
}

static void unsymmetric_matrices_need_the_general_form(void **state)
{
    random_source source = {3}, *r = &source;
    static matrix m;
    crank_recorded *f = NULL;
    make_balance(r, &m, true);
    assert_int_equal(create(&m, true, &f), CRANK_RETRY);
    assert_null(f);
    assert_int_equal(create(&m, false, &f), CRANK_OK);
    check_against_lu(&m, f);
    crank_recorded_destroy(f);
}

static void a_matrix_that_loses_its_symmetry_is_told(void **state)
{
    random_source source = {5}, *r = &source;
    static matrix m;
    crank_recorded *f = NULL;
    make_balance(r, &m, false);
    assert_int_equal(create(&m, true, &f), CRANK_OK);
    int e = 0;
    while (m.constant[e]) {
        e++;
    }
    m.values[e] *= 1.0 + DBL_EPSILON;
    assert_false(crank_recorded_factor(f, m.values));
    crank_recorded_destroy(f);
}

/* 0 = w_i - ... in front of a balance, and entries that are none of the matrix */
static void explicit_unknowns_are_substituted(void **state)
{
    random_source source = {11}, *r = &source;
    static matrix m;
    crank_recorded *f = NULL;
    make_balance(r, &m, false);
    const int first = m.n;
    m.n += W;
    for (int i = 0; i < W; i++) {
        put(&m, first + i, first + i, 1.0, true);
        put(&m, first + i, A + i, 0.2, false);
        put(&m, 2 * i, first + i, -1.0 - i, false);
        put(&m, -1, first + i, 1e3, false);
    }
    assert_int_equal(create(&m, false, &f), CRANK_OK);
    check_against_lu(&m, f);
    crank_recorded_destroy(f);
}

static void pivots_off_the_diagonal_are_refused(void **state)
{
    static matrix m;
    crank_recorded *f = NULL;
    m = (matrix){.n = 2};
    put(&m, 0, 1, 1.0, false);
    put(&m, 1, 0, 1.0, false);
    assert_int_equal(create(&m, false, &f), CRANK_RETRY);
    assert_int_equal(create(&m, true, &f), CRANK_RETRY);
}

/* the last row of J becomes the one before it */
static void dependent_rows_lose_a_pivot(void **state)
{
    random_source source = {13}, *r = &source;
    static matrix m;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        crank_recorded *f = NULL;
        m = (matrix){.n = 5};
        for (int a = 0; a < 3; a++) {
            put(&m, a, a, 2.0 + a, true);
            for (int l = 0; l < 2; l++) {
                const double value = random_real(r);
                put(&m, a, 3 + l, value, false);
                put(&m, 3 + l, a, value, false);
            }
        }
        assert_int_equal(create(&m, symmetric == 1, &f), CRANK_OK);
        check_against_lu(&m, f);
        for (int e = 0; e < m.count; e++) {
            for (int o = 0; o < m.count; o++) {
                const bool row = m.row[e] == 4 && m.row[o] == 3 && m.column[e] == m.column[o];
                const bool column =
                    m.column[e] == 4 && m.column[o] == 3 && m.row[e] == m.row[o];
                m.values[e] = row || column ? m.values[o] : m.values[e];
            }
        }
        assert_false(crank_recorded_factor(f, m.values));
        crank_recorded_destroy(f);
    }
}

/* [M J^T; J 0] with M = diag(first, second) and rows (1, 1), (1, 1 + e) of J */
static void make_small_balance(matrix *m, double first, double second, double e)
{
    *m = (matrix){.n = 4};
    put(m, 0, 0, first, true);
    put(m, 1, 1, second, true);
    for (int l = 0; l < 2; l++) {
        for (int a = 0; a < 2; a++) {
            const double value = 1.0 + (l == 1 && a == 1 ? e : 0.0);
            put(m, 2 + l, a, value, false);
            put(m, a, 2 + l, value, false);
        }
    }
}

static crank_status try_form(const matrix *m, crank_recorded_form form, crank_recorded **out)
{
    crank_error err = {0};
    return crank_recorded_create(m->n, m->count, m->row, m->column, m->values, m->constant,
                                 form, out, &err);
}

/* The last pivot is e^2/2 of the 2 + 2 e that it is the rest of: stable as long as pivots have
 * the signs of M and -J M^-1 J^T, and not known to be where M is not definite. */
static void small_pivots_of_definite_balances_are_stable(void **state)
{
    const double e = 1e-3, exact[4] = {1.0, -2.0, 3.0, -0.5};
    double b[4] = {0};
    matrix m;
    crank_recorded *f = NULL;
    make_small_balance(&m, 1.0, 1.0, e);
    assert_int_equal(try_form(&m, CRANK_RECORDED_ANY, &f), CRANK_RETRY);
    assert_int_equal(try_form(&m, CRANK_RECORDED_SYMMETRIC, &f), CRANK_OK);
    for (int k = 0; k < m.count; k++) {
        b[m.row[k]] += m.values[k] * exact[m.column[k]];
    }
    assert_true(crank_recorded_factor(f, m.values));
    crank_recorded_solve(f, b);
    for (int i = 0; i < 4; i++) { /* the condition of S is 8/e^2 */
        CHECK_NEAR(b[i], exact[i], 8.0 / (e * e) * 4.0 * DBL_EPSILON);
    }
    crank_recorded_destroy(f);
    f = NULL;
    make_small_balance(&m, 1.0, -1.0, e); /* the first row's pivot: -1 + 1 */
    assert_int_equal(try_form(&m, CRANK_RECORDED_SYMMETRIC, &f), CRANK_RETRY);
    make_small_balance(&m, 1.0, -1.0 / (1.0 - e / 2.0), e); /* -e/2, with its sign */
    assert_int_equal(try_form(&m, CRANK_RECORDED_SYMMETRIC, &f), CRANK_RETRY);
}

/* Levers that are rounding: a multiplier holds a slide alone, and two hinges by 1e-17. Each of
 * these may be eliminated first, then the multiplier's pivot is -1e-34, of which nothing
 * cancels. */
static void pivots_that_are_squares_of_rounding_wait(void **state)
{
    matrix m = {.n = 6};
    double x[6] = {0.3, -0.2, 0.7, 0.1, 0.0, 0.5}, b[6] = {0};
    crank_error err = {0};
    (void)state;
    for (int i = 0; i < 4; i++) {
        put(&m, i, i, 1.0 + i, false);
    }
    for (int l = 4; l < 6; l++) { /* 3 and 2 slide, what turns is 0 and 1 */
        for (int a = 0; a < 4; a++) {
            const double value = a == 7 - l ? 1.0 : a < 2 ? 1e-17 : 0.0;
            if (value != 0.0) {
                put(&m, l, a, value, false);
                put(&m, a, l, value, false);
            }
        }
    }
    put(&m, 2, 3, 0.5, false); /* slides that many others hang on come late */
    put(&m, 3, 2, 0.5, false);
    for (int e = 0; e < m.count; e++) {
        b[m.row[e]] += m.values[e] * x[m.column[e]];
    }
    for (int form = 0; form < 2; form++) {
        crank_recorded *f = NULL;
        double y[6];
        memcpy(y, b, sizeof y);
        CHECK_OK(crank_recorded_create(
                     m.n, m.count, m.row, m.column, m.values, NULL,
                     form == 0 ? CRANK_RECORDED_ANY : CRANK_RECORDED_SYMMETRIC, &f, &err),
                 err);
        assert_true(crank_recorded_factor(f, m.values));
        crank_recorded_solve(f, y);
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(y[i], x[i], 100 * DBL_EPSILON);
        }
        crank_recorded_destroy(f);
    }
}

static void pivots_are_known(void **state)
{
    static matrix m;
    crank_recorded *f = NULL;
    m = (matrix){.n = 2};
    put(&m, 0, 0, 4.0, false);
    put(&m, 0, 1, 2.0, false);
    put(&m, 1, 0, 2.0, false);
    assert_int_equal(create(&m, true, &f), CRANK_OK);
    CHECK_NEAR(crank_recorded_inverse_pivots(f)[0], 0.25, 0.0);
    CHECK_NEAR(crank_recorded_inverse_pivots(f)[1], -1.0, 0.0);
    m.values[0] = (double)NAN;
    assert_false(crank_recorded_factor(f, m.values));
    crank_recorded_destroy(f);
}

/* A chain of n links of mass one: its pivots multiply to 1, and what is eliminated last is one
 * nth of its terms, which is no reason to refuse a definite matrix however long it is. */
static void long_chains_are_definite(void **state)
{
    enum { LINKS = 5000 };
    static int row[3 * LINKS], column[3 * LINKS];
    static double values[3 * LINKS];
    int count = 0;
    for (int i = 0; i < LINKS; i++) {
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < LINKS; j++) {
            row[count] = i;
            column[count] = j;
            values[count++] = i != j ? -1.0 : i == 0 ? 1.0 : 2.0;
        }
    }
    crank_recorded *f = NULL;
    crank_error err = {0};
    assert_int_equal(crank_recorded_create(LINKS, count, row, column, values, NULL,
                                           CRANK_RECORDED_ANY, &f, &err),
                     CRANK_RETRY);
    CHECK_OK(crank_recorded_create(LINKS, count, row, column, values, NULL,
                                   CRANK_RECORDED_DEFINITE, &f, &err),
             err);
    double logarithm = 0.0;
    for (int i = 0; i < LINKS; i++) {
        const double inverse = crank_recorded_inverse_pivots(f)[i];
        assert_true(inverse > 0.0);
        logarithm += log(inverse);
    }
    /* of the condition number, 4 n^2 */
    CHECK_NEAR(logarithm, 0.0, 4.0 * LINKS * (double)LINKS * DBL_EPSILON);
    crank_recorded_destroy(f);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(balances_are_solved_in_both_forms),
        cmocka_unit_test(unsymmetric_matrices_need_the_general_form),
        cmocka_unit_test(a_matrix_that_loses_its_symmetry_is_told),
        cmocka_unit_test(explicit_unknowns_are_substituted),
        cmocka_unit_test(pivots_off_the_diagonal_are_refused),
        cmocka_unit_test(dependent_rows_lose_a_pivot),
        cmocka_unit_test(small_pivots_of_definite_balances_are_stable),
        cmocka_unit_test(pivots_that_are_squares_of_rounding_wait),
        cmocka_unit_test(pivots_are_known),
        cmocka_unit_test(long_chains_are_definite),
    };
    return CHECK_RUN(argc, argv, tests);
}
