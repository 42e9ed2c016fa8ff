/* test_least_squares.c - least squares by pivoted QR, small and large; orientation. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "linalg/dense.h"

#include <stdlib.h>

enum { MOST = 60 };

typedef struct problem {
    int m, n, work_size;
    double A[MOST * MOST], kept[MOST * MOST], tau[MOST], *work;
    int order[MOST];
} problem;

static double shake(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1u << 24) - 0.5;
}

static problem *make(int m, int n, unsigned seed)
{
    problem *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->m = m;
    p->n = n;
    p->work_size = crank_least_squares_work_size(m, n, n);
    p->work = calloc((size_t)p->work_size, sizeof *p->work);
    assert_non_null(p->work);
    for (int i = 0; i < m * n; i++) {
        p->A[i] = shake(&seed);
    }
    memcpy(p->kept, p->A, sizeof p->kept);
    return p;
}

static void end(problem *p)
{
    free(p->work);
    free(p);
}

static const int sizes[][2] = {{1, 1}, {5, 5}, {7, 4}, {24, 20}, {25, 20}, {40, 40}, {60, 31}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void consistent_systems_are_solved(void **state)
{
    for (int s = 0; s < SIZES; s++) {
        problem *p = make(sizes[s][0], sizes[s][1], 7u + (unsigned)s);
        double B[2 * MOST] = {0};
        for (int c = 0; c < 2; c++) {
            for (int j = 0; j < p->n; j++) {
                for (int i = 0; i < p->m; i++) {
                    B[i + c * p->m] += p->kept[i + j * p->m] * (j + 1 - 3 * c);
                }
            }
        }
        assert_true(crank_least_squares_factor(p->m, p->n, p->A, p->order, p->tau, p->work,
                                               p->work_size));
        const double margin = crank_least_squares_margin(p->m, p->n, p->A);
        assert_true(margin > 1e-4 && margin <= 1.0);
        crank_least_squares_solve(p->m, p->n, p->A, p->order, p->tau, 2, B, p->work,
                                  p->work_size);
        for (int c = 0; c < 2; c++) {
            for (int j = 0; j < p->n; j++) {
                CHECK_NEAR(B[j + c * p->m], j + 1 - 3 * c, 1e-10);
            }
        }
        end(p);
    }
}

/* the residual is orthogonal to the columns */
static void inconsistent_systems_are_solved_in_the_sense_of_least_squares(void **state)
{
    for (int s = 0; s < SIZES; s++) {
        problem *p = make(sizes[s][0], sizes[s][1], 70u + (unsigned)s);
        double B[MOST], rest[MOST];
        unsigned seed = 3;
        for (int i = 0; i < p->m; i++) {
            rest[i] = B[i] = shake(&seed);
        }
        assert_true(crank_least_squares_factor(p->m, p->n, p->A, p->order, p->tau, p->work,
                                               p->work_size));
        crank_least_squares_solve(p->m, p->n, p->A, p->order, p->tau, 1, B, p->work,
                                  p->work_size);
        for (int j = 0; j < p->n; j++) {
            for (int i = 0; i < p->m; i++) {
                rest[i] -= p->kept[i + j * p->m] * B[j];
            }
        }
        for (int j = 0; j < p->n; j++) {
            double sum = 0.0;
            for (int i = 0; i < p->m; i++) {
                sum += p->kept[i + j * p->m] * rest[i];
            }
            CHECK_NEAR(sum, 0.0, 1e-11);
        }
        end(p);
    }
}

static void the_margin_tells_a_lost_rank_and_the_order_a_column(void **state)
{
    for (int s = 2; s < SIZES; s++) {
        problem *p = make(sizes[s][0], sizes[s][1], 11u);
        for (int i = 0; i < p->m; i++) { /* column 2 is a tenth of column 0 */
            p->A[i + 2 * p->m] = 0.1 * p->A[i];
        }
        assert_true(crank_least_squares_factor(p->m, p->n, p->A, p->order, p->tau, p->work,
                                               p->work_size));
        assert_true(crank_least_squares_margin(p->m, p->n, p->A) < 1e-14);
        assert_int_equal(p->order[p->n - 1], 2);
        end(p);
    }
    problem *p = make(4, 3, 1u);
    p->A[5] = (double)NAN;
    assert_false(
        crank_least_squares_factor(p->m, p->n, p->A, p->order, p->tau, p->work, p->work_size));
    end(p);
}

/* along A(s) = A0 + s u v^T, singular at one s: the sign changes there and nowhere else */
static void the_orientation_changes_where_rank_is_lost_on_the_way(void **state)
{
    for (int s = 1; s < SIZES; s++) {
        problem *p = make(sizes[s][0], sizes[s][1], 23u);
        int pivot[MOST];
        double B[MOST * MOST];
        const size_t size = (size_t)(p->m * p->n) * sizeof *B;
        for (int i = 0; i < p->m; i++) { /* the first column becomes (1 - 2 s) times itself */
            p->A[i] = p->kept[i];
        }
        assert_true(crank_least_squares_factor(p->m, p->n, p->A, p->order, p->tau, p->work,
                                               p->work_size));
        memcpy(B, p->kept, size);
        const int at_start = crank_least_squares_orientation(p->m, p->n, p->A, p->tau, B, pivot,
                                                             p->work, p->work_size);
        assert_true(at_start == 1 || at_start == -1);
        for (int step = 1; step <= 8; step++) {
            const double factor = 1.0 - 2.0 * step / 8.0 + 1e-3;
            memcpy(B, p->kept, size);
            for (int i = 0; i < p->m; i++) {
                B[i] *= factor;
            }
            const int side = crank_least_squares_orientation(p->m, p->n, p->A, p->tau, B, pivot,
                                                             p->work, p->work_size);
            assert_int_equal(side, factor > 0.0 ? at_start : -at_start);
        }
        end(p);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consistent_systems_are_solved),
        cmocka_unit_test(inconsistent_systems_are_solved_in_the_sense_of_least_squares),
        cmocka_unit_test(the_margin_tells_a_lost_rank_and_the_order_a_column),
        cmocka_unit_test(the_orientation_changes_where_rank_is_lost_on_the_way),
    };
    return CHECK_RUN(argc, argv, tests);
}
