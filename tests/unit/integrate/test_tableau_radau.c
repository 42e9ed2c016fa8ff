/* test_tableau_radau.c - the coefficients satisfy what defines them [HW96, IV.5, IV.8]:
 * B(5), C(3), D(2), stiff accuracy, the transformation, and the error estimate's order
 * conditions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "integrate/tableau_radau.h"

#include <float.h>

static const double u = 8.0 * DBL_EPSILON; /* sums of a few rounded numbers of size one */

static const double *const weights =
    crank_radau_A[2]; /* stiffly accurate: b is the last row of A */

static void nodes_have_their_closed_form(void **state)
{
    const double r = sqrt(6.0);
    CHECK_NEAR(crank_radau_c[0], (4.0 - r) / 10.0, DBL_EPSILON);
    CHECK_NEAR(crank_radau_c[1], (4.0 + r) / 10.0, DBL_EPSILON);
    CHECK_NEAR(crank_radau_c[2], 1.0, 0.0);
}

/* B(5): sum b_i c_i^(q-1) = 1/q, and not for q = 6 */
static void quadrature_has_order_five(void **state)
{
    for (int q = 1; q <= 6; q++) {
        double sum = 0.0;
        for (int i = 0; i < 3; i++) {
            sum += weights[i] * pow(crank_radau_c[i], q - 1);
        }
        if (q <= 5) {
            CHECK_NEAR(sum, 1.0 / q, u);
        } else {
            assert_true(fabs(sum - 1.0 / q) > 1e-4);
        }
    }
}

/* C(3): sum_j a_ij c_j^(q-1) = c_i^q / q */
static void stages_have_order_three(void **state)
{
    for (int q = 1; q <= 3; q++) {
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int j = 0; j < 3; j++) {
                sum += crank_radau_A[i][j] * pow(crank_radau_c[j], q - 1);
            }
            CHECK_NEAR(sum, pow(crank_radau_c[i], q) / q, u);
        }
    }
}

/* D(2): sum_i b_i c_i^(q-1) a_ij = b_j (1 - c_j^q) / q */
static void adjoint_conditions_hold(void **state)
{
    for (int q = 1; q <= 2; q++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int i = 0; i < 3; i++) {
                sum += weights[i] * pow(crank_radau_c[i], q - 1) * crank_radau_A[i][j];
            }
            CHECK_NEAR(sum, weights[j] * (1.0 - pow(crank_radau_c[j], q)) / q, u);
        }
    }
}

static void multiply(const double (*a)[3], const double (*b)[3], double (*c)[3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
}

static void inverses_are_inverse(void **state)
{
    double one[3][3];
    multiply(crank_radau_A, crank_radau_inverse, one);
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(one[i / 3][i % 3], i % 4 == 0 ? 1.0 : 0.0, u);
    }
    multiply(crank_radau_T, crank_radau_TI, one);
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(one[i / 3][i % 3], i % 4 == 0 ? 1.0 : 0.0, u);
    }
}

/* T^-1 A^-1 T = [gamma 0 0; 0 alpha -beta; 0 beta alpha] */
static void transformation_splits_the_inverse(void **state)
{
    const double wanted[3][3] = {{crank_radau_gamma, 0.0, 0.0},
                                 {0.0, crank_radau_alpha, -crank_radau_beta},
                                 {0.0, crank_radau_beta, crank_radau_alpha}};
    double left[3][3], split[3][3];
    multiply(crank_radau_TI, crank_radau_inverse, left);
    multiply((const double(*)[3])left, crank_radau_T, split);
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(split[i / 3][i % 3], wanted[i / 3][i % 3], 10.0 * u); /* entries up to 30 */
    }
    const double a = cbrt(81.0), b = cbrt(9.0);
    CHECK_NEAR(1.0 / crank_radau_gamma, (6.0 + a - b) / 30.0, u);
    const double x = (12.0 - a + b) / 60.0, y = (a + b) * sqrt(3.0) / 60.0;
    CHECK_NEAR(crank_radau_alpha, x / (x * x + y * y), u);
    CHECK_NEAR(crank_radau_beta, y / (x * x + y * y), u);
}

/* The estimate compares with an embedded formula of order three: x^ = x + h (gamma0 k(x) +
 * sum b^_i k_i) with gamma0 = 1/gamma. With e = estimate/gamma: e^T A^-1... of stages Y_i =
 * c_i^q h^q / q!, the combination k(x) + sum e_i Y_i / h vanishes for q = 1, 2, 3 and not
 * for q = 4. */
static void estimate_vanishes_up_to_third_order(void **state)
{
    const double r = sqrt(6.0),
                 closed[3] = {(-13.0 - 7.0 * r) / 3.0, (-13.0 + 7.0 * r) / 3.0, -1.0 / 3.0};
    for (int q = 1; q <= 4; q++) {
        double sum = q == 1 ? 1.0 : 0.0; /* k(x) h = h for x' = 1 */
        for (int i = 0; i < 3; i++) {
            sum += crank_radau_estimate[i] * pow(crank_radau_c[i], q);
            CHECK_NEAR(crank_radau_estimate[i], closed[i], 10.0 * u);
        }
        if (q <= 3) {
            CHECK_NEAR(sum, 0.0, 10.0 * u);
        } else {
            assert_true(fabs(sum) > 1e-3);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_have_their_closed_form),
        cmocka_unit_test(quadrature_has_order_five),
        cmocka_unit_test(stages_have_order_three),
        cmocka_unit_test(adjoint_conditions_hold),
        cmocka_unit_test(inverses_are_inverse),
        cmocka_unit_test(transformation_splits_the_inverse),
        cmocka_unit_test(estimate_vanishes_up_to_third_order),
    };
    return CHECK_RUN(argc, argv, tests);
}
