/* test_dae_runs.c - `crank: dae` files integrated: orders and convergence on exact solutions,
 * hidden constraints at round-off, singular points, methods without a meaning. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "one_state.h"
#include "order/run.h"

#include <crank/model.h>

enum { WIDTH = 5 };

typedef struct problem_case {
    const char *text;
    double t_end;
    void (*exact)(double t, double *x);
    int steps; /* of the coarser fixed step */
    /* of Radau: 5; 6 where constraints take the error of the amplitude away and that of the
     * phase is left, (z^6 of the error of exp(z) is real for imaginary z) */
    double order;
} problem_case;

/* x' = -y, y' = x on the unit circle, z decays; six equations, some redundant, E of varying
 * rank */
static void circle(double t, double *x)
{
    x[0] = cos(t);
    x[1] = sin(t);
    x[2] = exp(-t);
}

/* index 3 in first order form: a point that turns with speed 2 on the unit circle */
static void turning(double t, double *x)
{
    x[0] = cos(2.0 * t);
    x[1] = sin(2.0 * t);
    x[2] = -2.0 * sin(2.0 * t);
    x[3] = 2.0 * cos(2.0 * t);
    x[4] = 2.0;
}

/* index 2: a loop of a source and a capacitor, R = L = C = 1, source sin(t) */
static void loop(double t, double *x)
{
    const double i = 0.5 * (sin(t) - cos(t) + exp(-t));
    x[0] = sin(t);
    x[1] = sin(t) - i;
    x[2] = -cos(t) - i;
    x[3] = i;
}

/* index 1 with a nonlinear algebraic equation: z^3 + z = x, x' = -(z^3 + z), z from x by
 * Newton */
static void nonlinear(double t, double *x)
{
    double z = 1.0;
    x[0] = 2.0 * exp(-t);
    for (int i = 0; i < 60; i++) {
        z -= (z * z * z + z - x[0]) / (3.0 * z * z + 1.0);
    }
    x[1] = z;
}

/* linear, coefficients depend on time; the pencil is singular at any fixed time */
static void varying(double t, double *x)
{
    x[1] = exp(-t) - cos(t);
    x[0] = t * x[1] + sin(t);
    x[2] = -exp(-t) - sin(t);
}

static const problem_case cases[] = {
    {"crank: dae\nvariables: {x: 1, y: 0, z: 1}\n"
     "equations: [\"y*x' - x*y' = -1\", \"x^2 + y^2 = 1\", \"x*x' + y*y' = 0\", \"z' = -z\", "
     "\"x*z' = -x*z\", \"z*(x^2 + y^2) = exp(-t)\"]\n",
     4.0, circle, 16, 6.0},
    {"crank: dae\nvariables: {x: 1, y: 0, u: 0, v: 2, l: 0}\n"
     "equations: [\"x' = u\", \"y' = v\", \"u' = -2*x*l\", \"v' = -2*y*l\", \"x^2 + y^2 = "
     "1\"]\n",
     4.0, turning, 30, 5.0},
    {"crank: dae\nvariables: {e1: 0, e2: 0, iV: 0, iL: 0}\n"
     "equations: [\"e1' + e1 - e2 + iV = 0\", \"e2 - e1 + iL = 0\", \"iL' = e2\", "
     "\"e1 = sin(t)\"]\n",
     4.0, loop, 10, 5.0},
    {"crank: dae\nvariables: {x: 2, z: 1}\n"
     "equations: [\"x' = -(z^3 + z)\", \"z^3 + z = x\"]\n",
     2.0, nonlinear, 5, 5.0},
    {"crank: dae\nvariables: {x: 0, y: 0, z: -1}\n"
     "equations: [\"0 = -x + t*y + sin(t)\", \"x' - t*y' = exp(-t)\", \"z' = y\"]\n",
     4.0, varying, 5, 5.0},
};
enum { CASES = sizeof cases / sizeof *cases };

static crank_state *open_case(const char *text, double *x)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("test", text, strlen(text), NULL, &model, &err), err);
    crank_initial_options options = crank_initial_options_default();
    options.fixing = crank_model_fixing(crank_state_model(model));
    memcpy(x, crank_state_start(model),
           (size_t)crank_eom_unknowns(crank_state_eom(model)) * sizeof *x);
    CHECK_OK(crank_eom_initialize(crank_state_eom(model), 0.0, x, &options, NULL,
                                  (crank_log){0}, &err),
             err);
    return model;
}

/* the largest error at the end; residual: of all constraints there */
static double error_of(const problem_case *c, const char *method, const crank_options *options,
                       double *residual)
{
    double x[WIDTH], exact[WIDTH], levels[3], error = 0.0;
    crank_error err = {0};
    crank_state *model = open_case(c->text, x);
    crank_eom *eom = crank_state_eom(model);
    c->exact(0.0, exact);
    for (int j = 0; j < crank_eom_unknowns(eom); j++) {
        CHECK_NEAR(x[j], exact[j], 1e-12);
    }
    (void)run_whole(method, eom, options, c->t_end, x);
    c->exact(c->t_end, exact);
    for (int j = 0; j < crank_eom_unknowns(eom); j++) {
        error = fmax(error, fabs(x[j] - exact[j]));
    }
    CHECK_OK(crank_eom_residuals(eom, c->t_end, x, levels, &err), err);
    *residual = fmax(levels[0], fmax(levels[1], levels[2]));
    one_state_close(model);
    return error;
}

static void radau_has_order_five_on_every_index(void **state)
{
    for (int i = 0; i < CASES; i++) {
        const problem_case *c = &cases[i];
        double residual;
        const double h = c->t_end / c->steps;
        const crank_options a = run_fixed_step(h), b = run_fixed_step(0.5 * h);
        const double coarse = error_of(c, "psf-radau", &a, &residual);
        assert_true(residual < 1e-13);
        const double fine = error_of(c, "psf-radau", &b, &residual);
        assert_true(residual < 1e-13);
        if (!(fabs(log2(coarse / fine) - c->order) < 0.6)) {
            fail_msg("case %d: errors %g, %g: order %.2f", i, coarse, fine,
                     log2(coarse / fine));
        }
    }
}

/* tolerances 10^4 times smaller must give at least 50 times smaller errors, and small ones; all
 * constraints hold to round-off at every tolerance */
static void errors_fall_with_the_tolerance(void **state)
{
    static const char *const methods[] = {"psf-radau",  "psf-bdf",    "overdetermined-radau",
                                          "ode-dopri8", "ode-dopri5", "overdetermined-bdf"};
    for (int i = 0; i < CASES; i++) {
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            double residual[2];
            const crank_options a = run_tolerance(1e-5), b = run_tolerance(1e-9);
            const double coarse = error_of(&cases[i], methods[m], &a, &residual[0]);
            const double fine = error_of(&cases[i], methods[m], &b, &residual[1]);
            if (!(coarse < 1e-2 && fine < 1e-6 && fine < coarse / 50.0)) {
                fail_msg("case %d, %s: errors %g, %g", i, methods[m], coarse, fine);
            }
            if (!(fmax(residual[0], residual[1]) < 1e-13)) {
                fail_msg("case %d, %s: residuals %g, %g", i, methods[m], residual[0],
                         residual[1]);
            }
        }
    }
}

/* without constraints in the method the solution drifts, by more than round-off and by less
 * than the error */
static void the_underlying_differential_equation_drifts(void **state)
{
    static const char *const methods[] = {"ude-radau", "ude-bdf"};
    for (size_t m = 0; m < 2; m++) {
        double residual;
        const crank_options options = run_tolerance(1e-6);
        const double error = error_of(&cases[1], methods[m], &options, &residual);
        assert_true(error < 1e-3);
        assert_true(residual > 1e-9 && residual < 1e-3);
    }
}

static void dense_and_sparse_decompositions_agree(void **state)
{
    for (int i = 0; i < CASES; i++) {
        double residual;
        crank_options dense = run_tolerance(1e-8), sparse = dense;
        dense.linear_algebra = CRANK_LINALG_DENSE;
        sparse.linear_algebra = CRANK_LINALG_SPARSE;
        assert_true(error_of(&cases[i], "psf-radau", &dense, &residual) < 1e-5);
        assert_true(error_of(&cases[i], "psf-radau", &sparse, &residual) < 1e-5);
        assert_true(residual < 1e-13);
    }
}

/* (x - 1) x' = (x - 1) x from 0.5: x = e^t / 2 reaches the singular point at ln 2 */
static void runs_end_at_a_singular_point_and_say_so(void **state)
{
    static const char *const methods[] = {"psf-radau", "psf-bdf", "ode-dopri8", "ude-radau"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        double x[WIDTH];
        run r;
        const crank_options options = run_tolerance(1e-6);
        crank_state *model = open_case("crank: dae\nvariables: {x: 0.5}\n"
                                       "equations: [\"(x - 1)*x' = (x - 1)*x\"]\n",
                                       x);
        run_begin(&r, methods[m], crank_state_eom(model), &options, 0.0, x, 2.0);
        assert_true(run_to_end(&r) < 0);
        CHECK_CONTAINS(r.err.text, "a singular point at or before t = 0.693");
        CHECK_CONTAINS(r.err.text, "derivative of \"x\"");
        CHECK_NEAR(crank_integrator_time(r.it), log(2.0), 1e-4);
        run_end(&r);
        one_state_close(model);
    }
}

static void formulations_of_mechanics_are_refused(void **state)
{
    static const char *const methods[] = {"peom1-radau",  "gmkssol-radau", "index1-radau",
                                          "index2-radau", "index3-bdf",    "ggl-bdf",
                                          "baumgarte-bdf"};
    double x[WIDTH];
    crank_state *model = open_case(cases[1].text, x);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        run r;
        crank_options options = crank_options_default();
        CHECK_STATUS(run_try(&r, methods[m], crank_state_eom(model), &options, 0.0, x, 1.0),
                     CRANK_EREFUSED);
        CHECK_CONTAINS(r.err.text, "general DAE");
        run_end(&r);
    }
    run r;
    crank_options options = crank_options_default();
    options.singular = CRANK_SINGULAR_PASS;
    CHECK_STATUS(run_try(&r, "psf-radau", crank_state_eom(model), &options, 0.0, x, 1.0),
                 CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, "singular=pass");
    run_end(&r);
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radau_has_order_five_on_every_index),
        cmocka_unit_test(errors_fall_with_the_tolerance),
        cmocka_unit_test(the_underlying_differential_equation_drifts),
        cmocka_unit_test(dense_and_sparse_decompositions_agree),
        cmocka_unit_test(runs_end_at_a_singular_point_and_say_so),
        cmocka_unit_test(formulations_of_mechanics_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
