/* test_band_order.c - the order of rows and columns behind banded LU: permutations, bands of
 * scrambled banded matrices, of chains with multipliers, of matrices that fall apart; the width
 * that (3.24) says. What is done with it: test_solver.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/band_order.h"
#include "unit/linalg/random.h"

enum { MOST = 400, ENTRIES = 12 * MOST };

typedef struct matrix {
    int n, count, row_of[ENTRIES], column_of[ENTRIES]; /* as entered */
    int start[MOST + 1], row[ENTRIES];                 /* scrambled, compressed */
    int row_place[MOST], column_place[MOST];
    crank_band band;
} matrix;

static void enter(matrix *m, int i, int j)
{
    if (i >= 0 && j >= 0 && i < m->n && j < m->n) {
        m->row_of[m->count] = i;
        m->column_of[m->count++] = j;
    }
}

static void shuffle(random_source *r, int n, int *order)
{
    for (int k = 0; k < n; k++) {
        order[k] = k;
    }
    for (int k = n - 1; k > 0; k--) {
        const int other = random_int(r, k + 1), keep = order[k];
        order[k] = order[other];
        order[other] = keep;
    }
}

/* rows and columns each in an order of their own */
static void scramble(matrix *m, uint64_t seed)
{
    static int rows[MOST], columns[MOST];
    random_source r = {seed};
    int at = 0;
    shuffle(&r, m->n, rows);
    shuffle(&r, m->n, columns);
    for (int j = 0; j < m->n; j++) {
        m->start[j] = at;
        for (int e = 0; e < m->count; e++) {
            if (columns[m->column_of[e]] == j) {
                m->row[at++] = rows[m->row_of[e]];
            }
        }
    }
    m->start[m->n] = at;
}

static void check_order(matrix *m)
{
    static bool row_taken[MOST], column_taken[MOST];
    int lower = 0, upper = 0;
    memset(row_taken, 0, sizeof row_taken);
    memset(column_taken, 0, sizeof column_taken);
    m->band = (crank_band){.row_place = m->row_place, .column_place = m->column_place};
    assert_true(crank_band_order(m->n, m->start, m->row, &m->band));
    for (int j = 0; j < m->n; j++) {
        assert_in_range(m->row_place[j], 0, m->n - 1);
        assert_in_range(m->column_place[j], 0, m->n - 1);
        assert_false(row_taken[m->row_place[j]] || column_taken[m->column_place[j]]);
        row_taken[m->row_place[j]] = column_taken[m->column_place[j]] = true;
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            const int below = m->row_place[m->row[e]] - m->column_place[j];
            lower = below > lower ? below : lower;
            upper = -below > upper ? -below : upper;
        }
    }
    assert_int_equal(m->band.lower, lower);
    assert_int_equal(m->band.upper, upper);
    assert_true(lower <= upper);
}

/* Levels of a band of b diagonals have at most b + 1 rows and as many columns, entries join
 * levels side by side: l, u <= 2 (b + 1). Whatever the number of rows. */
static void scrambled_bands_are_found_again(void **state)
{
    static matrix m;
    const int sizes[] = {5, 50, MOST};
    for (int b = 1; b <= 4; b++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            m = (matrix){.n = sizes[k]};
            for (int j = 0; j < m.n; j++) {
                for (int i = j - b; i <= j + b; i++) {
                    enter(&m, i, j);
                }
            }
            scramble(&m, 7 + (uint64_t)b);
            check_order(&m);
            assert_true(m.band.lower <= 2 * (b + 1) && m.band.upper <= 2 * (b + 1));
            assert_true(m.band.lower + m.band.upper >= 2 * b || m.n <= 2 * b);
        }
    }
}

/* [M J^T; J 0] of a chain: each link has three accelerations, each of its joints two
 * multipliers; zeros on the diagonal. Five unknowns a link, a level has those of two links at
 * most. */
static void chains_with_multipliers_have_a_narrow_band(void **state)
{
    static matrix m;
    for (int links = 2; links <= 64; links *= 2) {
        m = (matrix){.n = 5 * links};
        for (int k = 0; k < links; k++) {
            for (int i = 0; i < 3; i++) {
                enter(&m, 5 * k + i, 5 * k + i);
                for (int c = 0; c < 2; c++) {
                    enter(&m, 5 * k + i, 5 * k + 3 + c);
                    enter(&m, 5 * k + 3 + c, 5 * k + i);
                    if (k > 0) {
                        enter(&m, 5 * (k - 1) + i, 5 * k + 3 + c);
                        enter(&m, 5 * k + 3 + c, 5 * (k - 1) + i);
                    }
                }
            }
        }
        scramble(&m, 11 + (uint64_t)links);
        check_order(&m);
        assert_true(m.band.lower <= 10 && m.band.upper <= 10);
    }
}

static void parts_that_do_not_touch_stay_apart(void **state)
{
    static matrix m;
    m = (matrix){.n = 300};
    for (int k = 0; k < 100; k++) { /* blocks of three, full */
        for (int e = 0; e < 9; e++) {
            enter(&m, 3 * k + e % 3, 3 * k + e / 3);
        }
    }
    scramble(&m, 3);
    check_order(&m);
    assert_true(m.band.lower <= 2 && m.band.upper <= 2);
    m = (matrix){.n = 60};
    for (int k = 0; k < 60; k++) { /* a permutation is diagonal */
        enter(&m, (7 * k + 3) % 60, k);
    }
    scramble(&m, 4);
    check_order(&m);
    assert_int_equal(m.band.lower + m.band.upper, 0);
}

static void matrices_of_any_structure_are_ordered(void **state)
{
    static matrix m;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        random_source r = {seed};
        m = (matrix){.n = 1 + random_int(&r, 60)};
        static bool used[MOST][MOST];
        memset(used, 0, sizeof used);
        for (int k = 0; k < 3 * m.n; k++) { /* some rows and columns stay empty */
            const int i = random_int(&r, m.n), j = random_int(&r, m.n);
            if (!used[i][j]) {
                enter(&m, i, j);
            }
            used[i][j] = true;
        }
        scramble(&m, seed);
        check_order(&m);
    }
    m = (matrix){.n = 0};
    scramble(&m, 1);
    check_order(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scrambled_bands_are_found_again),
        cmocka_unit_test(chains_with_multipliers_have_a_narrow_band),
        cmocka_unit_test(parts_that_do_not_touch_stay_apart),
        cmocka_unit_test(matrices_of_any_structure_are_ordered),
    };
    return CHECK_RUN(argc, argv, tests);
}
