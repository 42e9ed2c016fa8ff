/* test_equations_academic.c - the example with all groups: contact, auxiliary, dynamic, time.
 *
 * Generated gI and gII against the formulas written by hand, and every row against the exact
 * solution
 *     p = ((1+t) cos t, sin t, cos t), s = (1+t, t cos t), w = -2 cos t,
 *     r = (-2 cos t, -4t - t^2),
 *     lambda = (cos t, -t). */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"
#include "sample_models.h"

#include <float.h>

static void set(crank_state *model, double *x, const char *name, double value)
{
    x[unknown(model, name)] = value;
}

static void hidden_constraints_agree_with_the_formulas(void **state)
{
    crank_state *model = read_model(academic_model);
    crank_eom *eom = crank_state_eom(model);
    crank_error err = {0};
    double x[13], k[26];
    const double t = 0.4, p1 = 1.3, p2 = 0.2, p3 = 0.7, v1 = -0.5, v2 = 0.9, v3 = 0.3;
    const double s1 = 1.1, s2 = 0.6, w = -1.2, r1 = 0.8, r2 = -0.3, l1 = 0.5, l2 = -0.7;
    assert_int_equal(eom->n, 13);
    set(model, x, "p1", p1);
    set(model, x, "p2", p2);
    set(model, x, "p3", p3);
    set(model, x, "v1", v1);
    set(model, x, "v2", v2);
    set(model, x, "v3", v3);
    set(model, x, "s1", s1);
    set(model, x, "s2", s2);
    set(model, x, "w", w);
    set(model, x, "r1", r1);
    set(model, x, "r2", r2);
    set(model, x, "lambda.g1", l1);
    set(model, x, "lambda.g2", l2);
    CHECK_OK(crank_eom_evaluate(eom, t, x, k, &err), err);

    const double a1 = -2 * p2 - (-t + s2 / p3 + s1) * l1;
    const double a2 = 2 * v1 + p2 + w - 2 * p2 * l2;
    const double a3 = r1 + r2 * p3 + (s1 * s2 / p3 + s1) * l1 - 2 * p3 * l2;
    const double s1d = (v1 - s1 * v3) / p3, s2d = v1 - v3;
    const double s1dd = (a1 - s1 * a3 - 2 * s1d * v3) / p3, s2dd = a1 - a3;
    const double tolerance = 100 * DBL_EPSILON; /* rows are of size 1 to 10 */
    CHECK_NEAR(k[eom->row[CRANK_ROW_GI]], s1d * s2 + s1 * s2d - p1 - t * v1, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_GI] + 1], 2 * (p2 * v2 + p3 * v3), tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_GII]],
               s1dd * s2 + 2 * s1d * s2d + s1 * s2dd - 2 * v1 - t * a1, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_GII] + 1], 2 * (v2 * v2 + v3 * v3 + p2 * a2 + p3 * a3),
               tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN]], a1, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN] + 1], a2, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN] + 2], a3, tolerance);
    assert_false(eom->autonomous);
    one_state_close(model);
}

static void the_exact_solution_satisfies_every_row(void **state)
{
    crank_state *model = read_model(academic_model);
    crank_eom *eom = crank_state_eom(model);
    crank_error err = {0};
    double x[13], k[26];
    for (double t = 0.0; t < 1.5; t += 0.1) {
        const double c = cos(t), s = sin(t);
        const double rates[] = {
            2 * s, -4 - 2 * t, -2 * s - (1 + t) * c, -s, -c, c - (1 + t) * s, c, -s};
        set(model, x, "p1", (1 + t) * c);
        set(model, x, "p2", s);
        set(model, x, "p3", c);
        set(model, x, "v1", c - (1 + t) * s);
        set(model, x, "v2", c);
        set(model, x, "v3", -s);
        set(model, x, "s1", 1 + t);
        set(model, x, "s2", t * c);
        set(model, x, "w", -2 * c);
        set(model, x, "r1", -2 * c);
        set(model, x, "r2", -4 * t - t * t);
        set(model, x, "lambda.g1", c);
        set(model, x, "lambda.g2", -t);
        CHECK_OK(crank_eom_evaluate(eom, t, x, k, &err), err);
        const double tolerance = 1e-14 / (c * c); /* terms grow like 1/p3^2 */
        for (int i = 0; i < eom->row[CRANK_ROW_B]; i++) {
            CHECK_NEAR(k[i], 0.0, tolerance);
        }
        for (int i = 0; i < 8; i++) {
            CHECK_NEAR(k[eom->row[CRANK_ROW_B] + i], rates[i], tolerance);
        }
    }
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_constraints_agree_with_the_formulas),
        cmocka_unit_test(the_exact_solution_satisfies_every_row),
    };
    return CHECK_RUN(argc, argv, tests);
}
