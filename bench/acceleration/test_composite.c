/* test_composite.c - the vehicle of [Neg98] in joint coordinates: its counts, and solutions as
 * by dense LU. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "composite.h"
#include "linalg/dense.h"

#include <string.h>

enum { N = COMPOSITE_MOST + COMPOSITE_LOOPS };

static void counts_are_the_published_ones(void **state)
{
    static composite c;
    composite_vehicle(&c);
    const composite_counts counts = composite_count(&c);
    assert_int_equal(c.n, 27);
    assert_int_equal(c.m, 16);
    assert_int_equal(counts.L, 165);
    assert_int_equal(counts.T, 174);
    assert_int_equal(counts.factor, 660);
    assert_int_equal(counts.forward, 165);
    assert_int_equal(counts.loops, 804);
    /* published with the blocks of four spherical joints in full: 3 of 11 products more each */
    assert_int_equal(counts.products, 1135 - 4 * 3 * 11);
    assert_int_equal(counts.dense, 680);
}

/* condition numbers of some thousands */
static void check_solution(const composite *made)
{
    static composite c;
    static double full[N * N], b[N], x[N];
    int pivot[N];
    c = *made;
    memset(full, 0, sizeof full);
    const int n = c.n + c.m;
    for (int i = 0; i < c.n; i++) {
        for (int j = 0; j < c.n; j++) {
            full[i + j * n] = c.M[i][j];
        }
        for (int l = 0; l < c.m; l++) {
            full[c.n + l + i * n] = full[i + (c.n + l) * n] = c.P[l][i];
        }
    }
    for (int i = 0; i < n; i++) {
        b[i] = x[i] = cos(i);
    }
    assert_true(composite_solve(&c, x));
    assert_true(crank_lu_factor(n, full, n, pivot));
    crank_lu_solve(n, full, n, pivot, b);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(x[i], b[i], 1e-10 * (1.0 + fabs(b[i])));
    }
}

static void solutions_are_those_of_dense_lu(void **state)
{
    static composite c;
    composite_vehicle(&c);
    check_solution(&c);
    composite_densify(&c);
    check_solution(&c);
}

/* [Neg98, table 8]: 3276, 351, 5616, 3672; its 2280 of step 3.4 is no Cholesky of 16 rows */
static void without_zeros_counts_are_the_published_ones_too(void **state)
{
    static composite c;
    composite_vehicle(&c);
    composite_densify(&c);
    const composite_counts counts = composite_count(&c);
    assert_int_equal(counts.factor, 3276);
    assert_int_equal(counts.forward, 351);
    assert_int_equal(counts.loops, 5616);
    assert_int_equal(counts.products, 3672);
    assert_int_equal(counts.dense, 680);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_the_published_ones),
        cmocka_unit_test(solutions_are_those_of_dense_lu),
        cmocka_unit_test(without_zeros_counts_are_the_published_ones_too),
    };
    return CHECK_RUN(argc, argv, tests);
}
