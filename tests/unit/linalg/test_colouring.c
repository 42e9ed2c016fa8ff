/* test_colouring.c - groups of columns without a common row. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/colouring.h"

#include "check.h"

enum { MAX_COLUMNS = 64 };

/* Fails the test if two columns of one colour share a row. */
static void check_valid(const crank_pattern *p, const int *colour, int count)
{
    for (int j = 0; j < p->columns; j++) {
        assert_in_range(colour[j], 0, count - 1);
        for (int l = 0; l < j; l++) {
            for (int a = p->start[j]; colour[j] == colour[l] && a < p->start[j + 1]; a++) {
                for (int b = p->start[l]; b < p->start[l + 1]; b++) {
                    assert_int_not_equal(p->row[a], p->row[b]);
                }
            }
        }
    }
}

static void a_diagonal_needs_one_colour(void **state)
{
    const int start[] = {0, 1, 2, 3, 4}, row[] = {0, 1, 2, 3};
    const crank_pattern p = {.rows = 4, .columns = 4, .start = start, .row = row};
    int colour[4], count;
    crank_error err;
    CHECK_OK(crank_colouring(&p, colour, &count, &err), err);
    assert_int_equal(count, 1);
    check_valid(&p, colour, count);
}

static void a_tridiagonal_matrix_needs_three_colours(void **state)
{
    int start[MAX_COLUMNS + 1], row[3 * MAX_COLUMNS], entries = 0;
    for (int j = 0; j < MAX_COLUMNS; j++) {
        start[j] = entries;
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < MAX_COLUMNS; i++) {
            row[entries++] = i;
        }
    }
    start[MAX_COLUMNS] = entries;
    const crank_pattern p = {
        .rows = MAX_COLUMNS, .columns = MAX_COLUMNS, .start = start, .row = row};
    int colour[MAX_COLUMNS], count;
    crank_error err;
    CHECK_OK(crank_colouring(&p, colour, &count, &err), err);
    assert_int_equal(count, 3);
    check_valid(&p, colour, count);
}

static void a_full_row_needs_a_colour_per_column(void **state)
{
    const int start[] = {0, 1, 3, 4}, row[] = {0, 0, 1, 0};
    const crank_pattern p = {.rows = 2, .columns = 3, .start = start, .row = row};
    int colour[3], count;
    crank_error err;
    CHECK_OK(crank_colouring(&p, colour, &count, &err), err);
    assert_int_equal(count, 3);
    check_valid(&p, colour, count);
}

static void random_patterns_are_coloured_validly(void **state)
{
    unsigned seed = 12345;
    for (int trial = 0; trial < 50; trial++) {
        int start[MAX_COLUMNS + 1] = {0}, row[MAX_COLUMNS * 20], entries = 0;
        const int columns = 1 + trial, rows = 20;
        for (int j = 0; j < columns; j++) {
            for (int i = 0; i < rows; i++) {
                seed = seed * 1664525u + 1013904223u;
                if (seed >> 29 == 0) {
                    row[entries++] = i;
                }
            }
            start[j + 1] = entries;
        }
        const crank_pattern p = {.rows = rows, .columns = columns, .start = start, .row = row};
        int colour[MAX_COLUMNS], count;
        crank_error err;
        CHECK_OK(crank_colouring(&p, colour, &count, &err), err);
        assert_true(count <= columns);
        check_valid(&p, colour, count);
    }
}

static void an_empty_matrix_is_no_trouble(void **state)
{
    const int start[] = {0};
    const crank_pattern p = {.rows = 3, .columns = 0, .start = start};
    int count = -1, colour[1];
    crank_error err;
    CHECK_OK(crank_colouring(&p, colour, &count, &err), err);
    assert_int_equal(count, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diagonal_needs_one_colour),
        cmocka_unit_test(a_tridiagonal_matrix_needs_three_colours),
        cmocka_unit_test(a_full_row_needs_a_colour_per_column),
        cmocka_unit_test(random_patterns_are_coloured_validly),
        cmocka_unit_test(an_empty_matrix_is_no_trouble),
    };
    return CHECK_RUN(argc, argv, tests);
}
