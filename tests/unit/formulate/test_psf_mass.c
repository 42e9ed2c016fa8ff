/* test_psf_mass.c - the derivative of M(x) v' belongs to the Newton matrix: accelerations reach
 * the supplier's Jacobian if, and only if, the mass matrix depends on the state. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "problem/problem.h"

typedef struct recorded {
    bool given;
    double vdot[2];
} recorded;

static crank_status two_rows(double t, const double *x, double *k, void *user)
{
    (void)t;
    (void)user;
    k[0] = k[1] = -1.0;
    memcpy(k + 2, x, 2 * sizeof *x);
    return CRANK_OK;
}

static crank_status two_jacobian(double t, const double *x, const double *vdot, double *values,
                                 void *user)
{
    recorded *c = user;
    (void)t;
    (void)x;
    memset(values, 0, 16 * sizeof *values);
    values[2] = values[4 + 3] = 1.0;
    c->given = vdot != NULL;
    if (vdot != NULL) {
        memcpy(c->vdot, vdot, sizeof c->vdot);
    }
    return CRANK_OK;
}

static crank_status two_mass(double t, const double *x, double *values, void *user)
{
    (void)t;
    (void)user;
    values[0] = 1.0 + x[2] * x[2];
    values[1] = 2.0;
    return CRANK_OK;
}

static void accelerations_reach_the_jacobian_if_the_mass_depends_on_the_state(void **state)
{
    const double x[4] = {1.0, 2.0, 3.0, 4.0}, xdot[4] = {5.0, 6.0, 7.0, 8.0};
    for (int constant = 0; constant < 2; constant++) {
        recorded c = {0};
        crank_eom_definition d = crank_eom_definition_default();
        crank_eom *eom = NULL;
        crank_error err = {0};
        d.sizes = (crank_eom_sizes){.p = 2, .v = 2};
        d.evaluate = two_rows;
        d.jacobian = two_jacobian;
        d.mass = two_mass;
        d.mass_kind = constant == 1 ? CRANK_MASS_DIAGONAL_CONSTANT : CRANK_MASS_DIAGONAL;
        d.user = &c;
        CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
        const crank_options options = crank_options_default();
        crank_problem *problem = NULL;
        CHECK_OK(crank_formulate("psf", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
                 err);
        CHECK_OK(problem->prepare(problem, 0.0, x, NULL, &err), err);
        assert_false(c.given); /* no estimate of x' yet */
        CHECK_OK(problem->prepare(problem, 0.0, x, xdot, &err), err);
        assert_true(c.given == (constant == 0));
        if (c.given) {
            CHECK_NEAR(c.vdot[0], 5.0, 0.0);
            CHECK_NEAR(c.vdot[1], 6.0, 0.0);
        }
        crank_problem_destroy(problem);
        crank_eom_destroy(eom);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_reach_the_jacobian_if_the_mass_depends_on_the_state),
    };
    return CHECK_RUN(argc, argv, tests);
}
