/* test_rotation.c - quaternions against matrices, derivatives against differences (R is
 * quadratic in q: central differences of any step are exact to rounding). */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/rotation.h"
#include "unit/linalg/random.h"

enum { STATES = 100 };
static const double rounding = 1e-13; /* some ten operations with numbers of size 1 to 4 */

static void product_of_quaternions_is_product_of_matrices(void **state)
{
    random_source r = {UINT64_C(1)};
    for (int n = 0; n < STATES; n++) {
        double q[4], p[4], qp[4], Q[9], P[9], QP[9], direct[9];
        random_fill(&r, 4, q);
        random_fill(&r, 4, p);
        crank_quaternion_multiply(qp, q, p);
        crank_quaternion_matrix(Q, q);
        crank_quaternion_matrix(P, p);
        crank_quaternion_matrix(QP, qp);
        crank_mat3_multiply(direct, Q, P);
        for (int i = 0; i < 9; i++) {
            CHECK_NEAR(QP[i], direct[i], rounding);
        }
    }
}

static void unit_quaternion_gives_a_rotation_by_the_angle_about_the_axis(void **state)
{
    const double axis[3] = {0.6, 0.0, 0.8}, across[3] = {0.0, 1.0, 0.0};
    double q[4], R[9], u[3], back[3], third[3];
    crank_quaternion_of_axis(q, axis, 0.3);
    crank_quaternion_matrix(R, q);
    crank_mat3_times(u, R, axis);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(u[i], axis[i], rounding);
    }
    crank_mat3_times(u, R, across);
    crank_cross3(third, axis, across);
    CHECK_NEAR(crank_dot3(u, across), cos(0.3), rounding);
    CHECK_NEAR(crank_dot3(u, third), sin(0.3), rounding);
    CHECK_NEAR(crank_norm3(u), 1.0, rounding);
    crank_mat3_transposed_times(back, R, u);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(back[i], across[i], rounding);
    }
}

static void derivatives_by_the_quaternion_agree_with_differences(void **state)
{
    random_source r = {UINT64_C(2)};
    for (int n = 0; n < STATES; n++) {
        double q[4], u[3], w[3], D[12], g[4], R[9], low[3], high[3];
        random_fill(&r, 4, q);
        random_fill(&r, 3, u);
        random_fill(&r, 3, w);
        crank_quaternion_derivative(D, q, u);
        crank_quaternion_gradient(g, q, w, u);
        for (int j = 0; j < 4; j++) {
            double middle = q[j], sum = 0.0;
            q[j] = middle - 0.5;
            crank_quaternion_matrix(R, q);
            crank_mat3_times(low, R, u);
            q[j] = middle + 0.5;
            crank_quaternion_matrix(R, q);
            crank_mat3_times(high, R, u);
            q[j] = middle;
            for (int i = 0; i < 3; i++) {
                CHECK_NEAR(D[4 * i + j], high[i] - low[i], rounding);
                sum += w[i] * D[4 * i + j];
            }
            CHECK_NEAR(g[j], sum, rounding);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_of_quaternions_is_product_of_matrices),
        cmocka_unit_test(unit_quaternion_gives_a_rotation_by_the_angle_about_the_axis),
        cmocka_unit_test(derivatives_by_the_quaternion_agree_with_differences),
    };
    return CHECK_RUN(argc, argv, tests);
}
