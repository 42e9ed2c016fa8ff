/* test_composite.c - the vehicle of [Neg98] in joint coordinates: its counts, and solutions as
 * by dense LU. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "composite.h"
#include "linalg/dense.h"

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
    assert_int_equal(counts.dense, 680);
}

/* condition numbers of some thousands */
static void solutions_are_those_of_dense_lu(void **state)
{
    static composite c;
    static double full[N * N], b[N], x[N];
    int pivot[N];
    composite_vehicle(&c);
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

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_the_published_ones),
        cmocka_unit_test(solutions_are_those_of_dense_lu),
    };
    return CHECK_RUN(argc, argv, tests);
}
