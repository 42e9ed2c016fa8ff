/* test_jump.c - the coefficients of the step across a singular position are Gauss's: the
 * quadrature is exact up to degree 15, the nodes are symmetric and leave the middle free. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "integrate/jump.h"

#include <float.h>

enum { STAGES = CRANK_JUMP_STAGES };

static void quadrature_has_order_sixteen(void **state)
{
    for (int q = 1; q <= 2 * STAGES + 1; q++) {
        double sum = 0.0;
        for (int i = 0; i < STAGES; i++) {
            sum += crank_jump_b[i] * pow(crank_jump_c[i], q - 1);
        }
        if (q <= 2 * STAGES) {
            CHECK_NEAR(sum, 1.0 / q, 4.0 * DBL_EPSILON);
        } else { /* (8!)^4 / (17 (16!)^2): the error of the next power */
            CHECK_NEAR(1.0 / q - sum, 3.5514e-10, 1e-13);
        }
    }
}

static void nodes_are_symmetric_and_avoid_the_middle(void **state)
{
    for (int i = 0; i < STAGES; i++) {
        CHECK_NEAR(crank_jump_c[i] + crank_jump_c[STAGES - 1 - i], 1.0, 2.0 * DBL_EPSILON);
        CHECK_NEAR(crank_jump_b[i], crank_jump_b[STAGES - 1 - i], 0.0);
        assert_true(fabs(crank_jump_c[i] - 0.5) > 0.09);
        assert_true(i == 0 || crank_jump_c[i] > crank_jump_c[i - 1]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadrature_has_order_sixteen),
        cmocka_unit_test(nodes_are_symmetric_and_avoid_the_middle),
    };
    return CHECK_RUN(argc, argv, tests);
}
