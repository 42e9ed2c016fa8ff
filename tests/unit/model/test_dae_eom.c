/* test_dae_eom.c - the eom of a `crank: dae` file: rates by least squares, their derivatives,
 * constraints of all levels, singular points, contradictions on the way. */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"

static const char *const samples[] = {
    /* index 3, state-dependent mass */
    "crank: dae\nvariables: {x: 0.6, y: -0.8, u: 0.8, v: 0.6, l: 1}\n"
    "equations: [\"x' = u\", \"y' = v\", \"(2 + x^2)*u' + x*v' = -2*x*l\", "
    "\"x*u' + (1 + y^2)*v' = -9.81 - 2*y*l\", \"x^2 + y^2 = 1\"]\n",
    /* over-determined and redundant, rank of E varies, explicit time */
    "crank: dae\nvariables: {x: 1, y: 0, z: 1}\n"
    "equations: [\"y*x' - x*y' = -1\", \"x^2 + y^2 = 1\", \"x*x' + y*y' = 0\", \"z' = -z\", "
    "\"x*z' = -x*z\", \"z*(x^2 + y^2) = exp(-t)\"]\n",
    /* index 2, time-varying */
    "crank: dae\nvariables: {x: 0, y: 0, z: -1}\n"
    "equations: [\"0 = -x + t*y + sin(t)\", \"x' - t*y' = exp(-t)\", \"z' = y*z\"]\n",
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static crank_state *consistent(const char *text, double *x)
{
    crank_state *model = read_model(text);
    crank_initial_options options = crank_initial_options_default();
    crank_error err = {0};
    memcpy(x, crank_state_start(model),
           (size_t)crank_eom_unknowns(crank_state_eom(model)) * sizeof *x);
    options.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(crank_state_eom(model), 0.0, x, &options, NULL,
                                  (crank_log){0}, &err),
             err);
    return model;
}

/* differences of order 6 are good to 1e-9 here */
static void derivatives_agree_with_differences(void **state)
{
    for (int s = 0; s < SAMPLES; s++) {
        double x[8], deviation = 1.0;
        char text[240];
        crank_error err = {0};
        crank_state *model = consistent(samples[s], x);
        CHECK_OK(crank_eom_check_derivatives(crank_state_eom(model), 0.0, x, &deviation, text,
                                             sizeof text, &err),
                 err);
        if (!(deviation < 1e-6)) {
            fail_msg("sample %d: %g %s", s, deviation, text);
        }
        one_state_close(model);
    }
}

/* along x + s b, t + s the constraints stay zero to second order: the rates are tangent to
 * them */
static void rates_are_tangent_to_all_constraints(void **state)
{
    for (int s = 0; s < SAMPLES; s++) {
        double x[8], k[32], moved[2];
        crank_error err = {0};
        crank_state *model = consistent(samples[s], x);
        crank_eom *eom = crank_state_eom(model);
        const int n = eom->n, kin = eom->row[CRANK_ROW_KIN];
        CHECK_OK(crank_eom_evaluate(eom, 0.0, x, k, &err), err);
        for (int i = 0; i < eom->sizes.n; i++) {
            CHECK_NEAR(k[eom->row[CRANK_ROW_N] + i], 0.0, 1e-12);
        }
        for (int round = 0; round < 2; round++) {
            const double step = round == 0 ? 1e-3 : 5e-4;
            double trial[8], there[32];
            for (int j = 0; j < n; j++) {
                trial[j] = x[j] + step * k[kin + j];
            }
            CHECK_OK(crank_eom_evaluate(eom, step, trial, there, &err), err);
            moved[round] = 0.0;
            for (int i = 0; i < eom->sizes.n; i++) {
                moved[round] = fmax(moved[round], fabs(there[eom->row[CRANK_ROW_N] + i]));
            }
        }
        assert_true(moved[0] > 1e-8);
        CHECK_NEAR(moved[0] / moved[1], 4.0, 0.1);
        one_state_close(model);
    }
}

/* d(x')/dx is zero where each of these starts, whatever x and y are near it */
static void derivatives_that_set_in_later_are_in_the_jacobian(void **state)
{
    static const char *const late[] = {
        "crank: dae\nvariables: {x: 1, y: 0}\nequations: [\"x' = -t*x*y\", \"y' = 0\"]\n",
        "crank: dae\nvariables: {x: 1, y: 0}\nequations: [\"x' = -max(x - 2, 0)*y\", \"y' = "
        "0\"]\n",
        "crank: dae\nvariables: {x: 1, y: 0}\nequations: [\"x' + t*y' = y\", \"y' = -x*y\"]\n",
    };
    for (int s = 0; s < (int)(sizeof late / sizeof *late); s++) {
        const double x[] = {3.0, 2.0};
        double deviation = 1.0;
        char text[240];
        crank_error err = {0};
        crank_state *model = read_model(late[s]);
        CHECK_OK(crank_eom_check_derivatives(crank_state_eom(model), 2.0, x, &deviation, text,
                                             sizeof text, &err),
                 err);
        if (!(deviation < 1e-6)) {
            fail_msg("sample %d: %g %s", s, deviation, text);
        }
        one_state_close(model);
    }
}

/* Exponentials of diodes: rates are solved for from conductances of 1e-9/0.025 beside 1, so that
 * rounding is 1e8 times that of their rows; corners at the point itself and beside it. */
static void steep_functions_corners_and_rounding_are_no_wrong_derivatives(void **state)
{
    static const char *const texts[] = {
        "crank: dae\nparameters: {Is: 1e-9, Vt: 0.025}\n"
        "variables: {vc: 0, va: 0, vb: 0}\n"
        "let: {a: 'Is*(exp((va - vc)/Vt) - 1)', b: 'Is*(exp((vb - vc)/Vt) - 1)',\n"
        "  c: 'Is*(exp(-va/Vt) - 1)', d: 'Is*(exp(-vb/Vt) - 1)'}\n"
        "equations: [\"1e-3*vc' = a + b - vc/100\",\n"
        "  '0 = 10*sin(314*t) - va + vb - a + c', '0 = 10*sin(314*t) - va + vb - d + b']\n",
        "crank: dae\nvariables: {x: 0, y: 0}\n"
        "equations: [\"x' = max(x, 0) + 2*y\", \"y' = max(-1e-6 - y, 0) - x\"]\n",
        "crank: dae\nvariables: {x: 0.3, y: 0}\n"
        "equations: [\"x' = tanh(1e7*(x - 0.3)) + y\", \"y' = exp(1e6*y)\"]\n",
    };
    for (int s = 0; s < (int)(sizeof texts / sizeof *texts); s++) {
        double x[8], deviation = 1.0;
        char text[240];
        crank_error err = {0};
        crank_state *model = consistent(texts[s], x);
        CHECK_OK(crank_eom_check_derivatives(crank_state_eom(model), 0.0, x, &deviation, text,
                                             sizeof text, &err),
                 err);
        if (!(deviation < 1e-4)) {
            fail_msg("sample %d: %g %s", s, deviation, text);
        }
        one_state_close(model);
    }
}

/* x*z' = -x*z says nothing at x = 0; the other rows do */
static void a_row_that_vanishes_at_a_point_does_no_harm(void **state)
{
    crank_state *model = read_model(samples[1]);
    crank_eom *eom = crank_state_eom(model);
    const double t = 2.0 * atan(1.0), x[] = {0.0, 1.0, exp(-t)};
    double k[16];
    crank_error err = {0};
    CHECK_OK(crank_eom_evaluate(eom, t, x, k, &err), err);
    const double *rate = k + eom->row[CRANK_ROW_KIN];
    CHECK_NEAR(rate[0], -1.0, 1e-14);
    CHECK_NEAR(rate[1], 0.0, 1e-14);
    CHECK_NEAR(rate[2], -exp(-t), 1e-14);
    one_state_close(model);
}

static void lost_rank_names_the_variable_and_the_time(void **state)
{
    crank_state *model = read_model("crank: dae\nvariables: {x: 0.5, y: 1}\n"
                                    "equations: [\"(x - 1)*x' = (x - 1)*x\", \"y' = 1\"]\n");
    crank_eom *eom = crank_state_eom(model);
    double k[4];
    crank_error err = {0};
    CHECK_STATUS(crank_eom_evaluate(eom, 0.25, (double[]){1.0, 1.0}, k, &err), CRANK_RETRY);
    CHECK_CONTAINS(err.text, "a singular point at or before t = 0.25");
    CHECK_CONTAINS(err.text, "derivative of \"x\"");
    assert_int_equal(err.line, 2);
    one_state_close(model);
}

/* behind a singular point nothing is defined by what was before it; ahead of it all is well */
static void a_singular_point_between_steps_is_seen(void **state)
{
    crank_state *model = read_model("crank: dae\nvariables: {x: 0.5, y: 1}\n"
                                    "equations: [\"(x - 1)*x' = (x - 1)*x\", \"y' = 1\"]\n");
    crank_eom *eom = crank_state_eom(model);
    const double before[] = {0.9, 1.0}, behind[] = {1.1, 1.0};
    double k[4];
    crank_error err = {0};
    CHECK_OK(crank_eom_evaluate(eom, 0.0, behind, k, &err), err); /* no step yet */
    (void)eom->supplier.accepted(eom->self, 0.0, before, NULL);
    CHECK_OK(crank_eom_evaluate(eom, 0.0, before, k, &err), err);
    CHECK_STATUS(crank_eom_evaluate(eom, 0.0, behind, k, &err), CRANK_RETRY);
    CHECK_CONTAINS(err.text, "singular point");
    (void)eom->supplier.accepted(eom->self, 0.0, behind, NULL);
    CHECK_OK(crank_eom_evaluate(eom, 0.0, behind, k, &err), err);
    one_state_close(model);
}

/* consistent near the start, contradictory where max() sets in */
static void contradictions_on_the_way_are_told(void **state)
{
    crank_state *model =
        read_model("crank: dae\nvariables: {x: 0, y: 0}\n"
                   "equations: [\"x' = 1 + 1e-5*max(t - 1, 0)\", \"y' = 1\", \"x = y\"]\n");
    crank_eom *eom = crank_state_eom(model);
    double values[16];
    crank_error err = {0};
    CHECK_OK(crank_eom_evaluate_jacobian(eom, 0.5, (double[]){0.5, 0.5}, NULL, values, &err),
             err);
    CHECK_STATUS(
        crank_eom_evaluate_jacobian(eom, 2.0, (double[]){2.0, 2.0}, NULL, values, &err),
        CRANK_RETRY);
    CHECK_CONTAINS(err.text, "contradicts the other equations at t = 2");
    one_state_close(model);
}

static void expressions_that_are_not_finite_are_named(void **state)
{
    crank_state *model = read_model("crank: dae\nvariables: {x: 1, y: 0}\n"
                                    "equations: {a: \"x' = -1\", b: \"y = sqrt(x)\"}\n");
    double k[8];
    crank_error err = {0};
    CHECK_STATUS(
        crank_eom_evaluate(crank_state_eom(model), 0.5, (double[]){-1.0, 0.0}, k, &err),
        CRANK_RETRY);
    CHECK_CONTAINS(err.text, "equation \"b\": not finite at t = 0.5");
    assert_int_equal(err.line, 3);
    one_state_close(model);
}

static void residuals_are_told_by_level(void **state)
{
    crank_state *model = read_model("crank: dae\nvariables: {x: 0, y: 1, z: 0}\n"
                                    "equations: [\"x' = y\", \"y' = z\", \"x = sin(t)\"]\n");
    double residual[3];
    crank_error err = {0};
    const double x[] = {0.1, 1.0, 0.2};
    CHECK_OK(crank_eom_residuals(crank_state_eom(model), 0.0, x, residual, &err), err);
    CHECK_NEAR(residual[0], 0.1 / 1.1, 1e-12);
    CHECK_NEAR(residual[1], 0.0, 1e-12);
    CHECK_NEAR(residual[2], 0.2 / 1.2, 1e-12);
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(derivatives_that_set_in_later_are_in_the_jacobian),
        cmocka_unit_test(steep_functions_corners_and_rounding_are_no_wrong_derivatives),
        cmocka_unit_test(rates_are_tangent_to_all_constraints),
        cmocka_unit_test(a_row_that_vanishes_at_a_point_does_no_harm),
        cmocka_unit_test(lost_rank_names_the_variable_and_the_time),
        cmocka_unit_test(a_singular_point_between_steps_is_seen),
        cmocka_unit_test(contradictions_on_the_way_are_told),
        cmocka_unit_test(expressions_that_are_not_finite_are_named),
        cmocka_unit_test(residuals_are_told_by_level),
    };
    return CHECK_RUN(argc, argv, tests);
}
