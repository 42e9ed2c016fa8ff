/* test_block_solve.c - symbolic elimination against the residual of its solution. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "model/dae/block_solve.h"

enum { N = 7 };

typedef struct problem {
    crank_store store;
    crank_pool *pool;
    crank_ex x;
    crank_entry entry[N * N];
    crank_entries a;
    double *value[CRANK_BLOCK_POINTS];
    crank_ex b[N], solution[N];
} problem;

static void begin(problem *p)
{
    *p = (problem){0};
    p->pool = crank_pool_create();
    assert_non_null(p->pool);
    p->a.entry = p->entry;
    for (int q = 0; q < CRANK_BLOCK_POINTS; q++) {
        p->value[q] = crank_store_take(&p->store, N * N, sizeof(double));
    }
    p->x = crank_ex_symbol(p->pool, "x");
    for (int i = 0; i < N; i++) {
        p->b[i] = crank_ex_number(p->pool, 1.0 + i);
    }
}

static void finish(problem *p)
{
    crank_pool_destroy(p->pool);
    crank_store_free(&p->store);
}

/* constant + slope x, at the points x = 0 and x = 1; entries come by rows */
static void put(problem *p, int row, int column, double constant, double slope)
{
    const int k = p->a.count++;
    const crank_ex term = crank_ex_mul(p->pool, crank_ex_number(p->pool, slope), p->x);
    const crank_ex ex = crank_ex_add(p->pool, crank_ex_number(p->pool, constant), term);
    p->a.entry[k] = (crank_entry){row, column, ex};
    p->value[0][k] = constant;
    p->value[1][k] = constant + slope;
}

static double at(problem *p, crank_ex ex, double x)
{
    const crank_ex number = crank_ex_number(p->pool, x);
    double value = 0.0;
    assert_true(crank_ex_is_number(p->pool, crank_ex_substitute(p->pool, ex, 1, &p->x, &number),
                                   &value));
    return value;
}

static void check_solution(problem *p, int n, double x)
{
    double residual[N] = {0};
    for (int k = 0; k < p->a.count; k++) {
        const crank_entry *e = &p->a.entry[k];
        residual[e->row] += at(p, e->ex, x) * at(p, p->solution[e->column], x);
    }
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(residual[i], 1.0 + i, 1e-12);
    }
}

static int solve(problem *p, int n, int points, crank_blocks *blocks)
{
    crank_error err = {0};
    CHECK_OK(crank_blocks_find(&p->store, n, &p->a, blocks, &err), err);
    CHECK_OK(
        crank_blocks_solve(p->pool, blocks, &p->a, p->value, points, p->b, p->solution, &err),
        err);
    return blocks->singular;
}

static void blocks_are_found_and_solved_apart(void **state)
{
    problem p;
    crank_blocks blocks;
    begin(&p);
    put(&p, 0, 0, 4, 1); /* rows 0, 3, 5 with columns 0, 3, 5 */
    put(&p, 0, 3, 1, 0);
    put(&p, 1, 2, 2, 1); /* row 1 with column 2 and row 2 with column 1 */
    put(&p, 2, 1, 3, 0);
    put(&p, 3, 0, 1, 0);
    put(&p, 3, 3, 5, 2);
    put(&p, 3, 5, 1, 1);
    put(&p, 4, 4, 7, 0);
    put(&p, 5, 3, 1, 1);
    put(&p, 5, 5, 6, 0);
    put(&p, 6, 6, 1, 1);
    assert_int_equal(solve(&p, N, 1, &blocks), -1);
    assert_int_equal(blocks.count, 5);
    assert_int_equal(blocks.largest, 3);
    check_solution(&p, N, 0.3);
    check_solution(&p, N, -0.1);
    finish(&p);
}

static void zero_pivots_are_avoided(void **state)
{
    problem p;
    crank_blocks blocks;
    begin(&p);
    put(&p, 0, 0, 0, 1); /* zero at the first point */
    put(&p, 0, 1, 1, 0);
    put(&p, 1, 0, 1, 0);
    put(&p, 1, 1, 2, 0);
    assert_int_equal(solve(&p, 2, 1, &blocks), -1);
    check_solution(&p, 2, 0.0);
    finish(&p);
}

static void the_second_point_is_asked_if_allowed(void **state)
{
    problem p;
    crank_blocks blocks;
    begin(&p);
    put(&p, 0, 0, 0, 1);
    assert_int_equal(solve(&p, 1, 1, &blocks), 0);
    assert_int_equal(solve(&p, 1, CRANK_BLOCK_POINTS, &blocks), -1);
    check_solution(&p, 1, 0.5);
    finish(&p);
}

static void singular_blocks_are_reported(void **state)
{
    problem p;
    crank_blocks blocks;
    begin(&p);
    put(&p, 0, 0, 1, 0);
    put(&p, 1, 1, 1, 1);
    put(&p, 1, 2, 2, 2);
    put(&p, 2, 1, 2, 2);
    put(&p, 2, 2, 4, 4);
    assert_in_range(solve(&p, 3, CRANK_BLOCK_POINTS, &blocks), 1, 2);
    finish(&p);
    begin(&p);
    put(&p, 0, 0, 1, 0);
    put(&p, 1, 0, 1, 0); /* two rows, one column; column 1 is empty */
    assert_in_range(solve(&p, 2, CRANK_BLOCK_POINTS, &blocks), 0, 1);
    assert_false(blocks.square);
    finish(&p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_found_and_solved_apart),
        cmocka_unit_test(zero_pivots_are_avoided),
        cmocka_unit_test(the_second_point_is_asked_if_allowed),
        cmocka_unit_test(singular_blocks_are_reported),
    };
    return CHECK_RUN(argc, argv, tests);
}
