/* test_dae_read.c - `crank: dae` files: ways to write equations, variables, prescriptions;
 * columns, names, start values. */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"

#include <stdio.h>

/* f_kin at the start values: the rates of the variables */
static void rates_at_start(crank_state *model, double t, double *rates)
{
    crank_eom *eom = crank_state_eom(model);
    double k[32];
    crank_error err = {0};
    assert_true(crank_eom_rows(eom) <= 32);
    CHECK_OK(crank_eom_evaluate(eom, t, crank_state_start(model), k, &err), err);
    memcpy(rates, k + crank_eom_row(eom, CRANK_ROW_KIN),
           (size_t)crank_eom_unknowns(eom) * sizeof *rates);
}

/* x' + 2 y' = 5, x' - y' = -1 have the solution (1, 2), however they are written */
static void derivatives_may_stand_anywhere(void **state)
{
    static const char *const texts[] = {
        "equations: [\"x' + 2*y' = 5\", \"x' - y' = -1\"]",
        "equations: [\"5 = x' + 2*y'\", \"x' = y' - 1\"]",
        "equations: [\"der(x) + 2*der(y) = 5\", \"der( x )-der (y) = -1\"]",
        "equations: {a: \"(x' + 2*y')/exp(x) = 5/exp(x)\", b: \"2*(x' - y' + 1) = x'*(x - "
        "x)\"}",
        "equations:\n  - a: x' + 2*y' = 5\n  - x' + 1 = y'",
        "equations:\n  - |\n    x' + 2*y'\n    = 5\n  - x' + 1 = y'",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[400];
        double rates[2];
        (void)snprintf(text, sizeof text, "crank: dae\nvariables: {x: 3, y: 4}\n%s\n",
                       texts[i]);
        crank_state *model = read_model(text);
        rates_at_start(model, 0.0, rates);
        CHECK_NEAR(rates[0], 1.0, 1e-13);
        CHECK_NEAR(rates[1], 2.0, 1e-13);
        one_state_close(model);
    }
}

static void parameters_inputs_and_names_of_mechanics_are_allowed(void **state)
{
    crank_state *model = read_model("crank: dae\n"
                                    "parameters: {a: 2, b: a + 1, unused: 1}\n"
                                    "inputs: {u: b*t}\n"
                                    "variables: {lambda: a, mu: 1, acceleration: 0}\n"
                                    "equations: [\"lambda' = u*mu\", \"mu' = lambda\", "
                                    "\"acceleration' = b\"]\n");
    double rates[3];
    rates_at_start(model, 2.0, rates);
    CHECK_NEAR(rates[0], 6.0, 1e-13);
    CHECK_NEAR(rates[1], 2.0, 1e-13);
    CHECK_NEAR(rates[2], 3.0, 1e-13);
    assert_string_equal(crank_model_unused(crank_state_model(model), 0),
                        "parameter \"unused\"");
    assert_null(crank_model_unused(crank_state_model(model), 1));
    assert_string_equal(crank_model_kind(crank_state_model(model)), "dae");
    one_state_close(model);
}

static void variables_may_be_a_list_of_names(void **state)
{
    crank_state *model = read_model("crank: dae\nvariables: [x, y]\n"
                                    "equations: [\"x' = 1 + x\", \"y' = 2 + y\"]\n");
    double rates[2];
    rates_at_start(model, 0.0, rates);
    CHECK_NEAR(rates[0], 1.0, 1e-15);
    CHECK_NEAR(rates[1], 2.0, 1e-15);
    one_state_close(model);
}

static void settings_change_parameters_and_start_values(void **state)
{
    const crank_setting settings[] = {{"a", "7"}, {"x", "2*a"}, {"y.start", "1"}};
    crank_model_options options = crank_model_options_default();
    options.settings = settings;
    options.setting_count = 3;
    crank_state *model = read_with("crank: dae\nparameters: {a: 1}\nvariables: {x: 0, y: 0}\n"
                                   "equations: [\"x' = a\", \"y' = x + y\"]\n",
                                   &options);
    double rates[2];
    rates_at_start(model, 0.0, rates);
    CHECK_NEAR(crank_state_start(model)[0], 14.0, 0.0);
    CHECK_NEAR(rates[0], 7.0, 1e-14);
    CHECK_NEAR(rates[1], 15.0, 1e-14);
    one_state_close(model);
}

static void columns_are_variables_and_outputs_with_derivatives(void **state)
{
    crank_state *model = read_model("crank: dae\nvariables: {x: {start: 2, unit: m}, y: 3}\n"
                                    "equations: [\"x' = y\", \"y' = -x\"]\n"
                                    "outputs: {energy: x^2 + y^2, speed: x', bad: log(-x)}\n");
    crank_error err = {0};
    double values[5];
    assert_int_equal(crank_model_column_count(crank_state_model(model)), 5);
    assert_string_equal(crank_model_column_name(crank_state_model(model), 0), "x");
    assert_string_equal(crank_model_column_unit(crank_state_model(model), 0), "m");
    assert_string_equal(crank_model_column_description(crank_state_model(model), 1),
                        "variable");
    assert_string_equal(crank_model_column_name(crank_state_model(model), 3), "speed");
    CHECK_OK(crank_state_columns(model, 0.0, crank_state_start(model), values, &err), err);
    CHECK_NEAR(values[0], 2.0, 0.0);
    CHECK_NEAR(values[2], 13.0, 1e-14);
    CHECK_NEAR(values[3], 3.0, 1e-14);
    assert_true(isnan(values[4]));
    one_state_close(model);
}

static void prescriptions_close_an_under_determined_system(void **state)
{
    crank_state *model = read_model("crank: dae\nvariables: {x: 1, u: 0}\n"
                                    "equations: [\"x' = u\"]\n"
                                    "prescribe: {u: 2 + 3*t - x}\n");
    crank_eom *eom = crank_state_eom(model);
    char name[160];
    double rates[2];
    assert_int_equal(crank_eom_get_sizes(eom).n, 1);
    assert_string_equal(
        crank_eom_row_name(eom, crank_eom_row(eom, CRANK_ROW_N), name, sizeof name),
        "prescribe, \"u\"");
    crank_initial_options options = crank_initial_options_default();
    double x[2] = {1.0, 0.0};
    crank_error err = {0};
    options.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(eom, 0.0, x, &options, NULL, (crank_log){0}, &err), err);
    CHECK_NEAR(x[0], 1.0, 0.0);
    CHECK_NEAR(x[1], 1.0, 1e-14);
    rates_at_start(model, 0.0,
                   rates); /* u' = 3 - x', x' = u = 0 at the start values as given */
    CHECK_NEAR(rates[0], 0.0, 1e-13);
    CHECK_NEAR(rates[1], 3.0, 1e-13);
    one_state_close(model);
}

static void hidden_constraints_are_named_by_equation_and_level(void **state)
{
    crank_state *model =
        read_model("crank: dae\nvariables: {x: 0, y: 1, z: 0}\n"
                   "equations: {a: \"x' = y\", b: \"y' = z\", c: \"x = sin(t)\"}\n");
    const crank_eom *eom = crank_state_eom(model);
    const int first = crank_eom_row(eom, CRANK_ROW_N);
    char name[160];
    assert_int_equal(crank_eom_get_sizes(eom).n, 3);
    assert_string_equal(crank_eom_row_name(eom, first, name, sizeof name), "equation \"c\"");
    CHECK_CONTAINS(crank_eom_row_name(eom, first + 1, name, sizeof name),
                   "hidden constraint (level 1)");
    CHECK_CONTAINS(crank_eom_row_name(eom, first + 2, name, sizeof name),
                   "hidden constraint (level 2)");
    CHECK_CONTAINS(
        crank_eom_row_name(eom, crank_eom_row(eom, CRANK_ROW_KIN) + 1, name, sizeof name),
        "derivative of y");
    one_state_close(model);
}

/* x has a derivative in the equations, lambda has none: what must move is lambda */
static void start_values_of_algebraic_variables_are_guesses(void **state)
{
    crank_state *model = read_model(
        "crank: dae\n"
        "variables: {x: 1, lambda: 5, y: {start: 2, fixed: true}, "
        "z: {start: 0, preferred: true}}\n"
        "equations: [\"x' = -lambda\", \"lambda = x + y\", \"y' = 0*x\", \"z = x\"]\n");
    const crank_fixing *fixing = crank_model_fixing(crank_state_model(model));
    assert_int_equal(fixing[0], CRANK_PREFERRED);
    assert_int_equal(fixing[1], CRANK_FREE);
    assert_int_equal(fixing[2], CRANK_FIXED);
    assert_int_equal(fixing[3], CRANK_PREFERRED);
    one_state_close(model);
}

/* e1' = cos(0) needs j = 1 - e2: e2 could move as well, but has a derivative */
static void variables_without_derivatives_move_first(void **state)
{
    crank_state *model = read_model(
        "crank: dae\nvariables: {e1: 0, e2: 3, j: 0}\n"
        "equations: [\"e1' = e2 - 2*e1 + j\", \"e2' = e1 - e2\", \"e1 = sin(t)\"]\n");
    double x[3];
    crank_initial_options options = crank_initial_options_default();
    crank_error err = {0};
    memcpy(x, crank_state_start(model), sizeof x);
    options.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(crank_state_eom(model), 0.0, x, &options, NULL,
                                  (crank_log){0}, &err),
             err);
    CHECK_NEAR(x[0], 0.0, 0.0);
    CHECK_NEAR(x[1], 3.0, 0.0);
    CHECK_NEAR(x[2], -2.0, 1e-12);
    one_state_close(model);
}

/* fixed values stay, whatever else has to move, however far */
static void fixed_start_values_stay(void **state)
{
    crank_state *model = read_model(
        "crank: dae\n"
        "variables: {x: {start: 0.6, fixed: true}, y: -1, u: {start: 4, fixed: true}, "
        "v: 0, l: 0}\n"
        "equations: [\"x' = u\", \"y' = v\", \"u' = -2*x*l\", "
        "\"v' = -2*y*l\", \"x^2 + y^2 = 1\"]\n");
    double x[5];
    crank_initial_options options = crank_initial_options_default();
    crank_error err = {0};
    memcpy(x, crank_state_start(model), sizeof x);
    options.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(crank_state_eom(model), 0.0, x, &options, NULL,
                                  (crank_log){0}, &err),
             err);
    const double expected[] = {0.6, -0.8, 4.0, 3.0, 12.5};
    for (int j = 0; j < 5; j++) {
        CHECK_NEAR(x[j], expected[j], 1e-11);
    }
    one_state_close(model);
}

/* a circle and its tangent: positions move first, then velocities, then the multiplier */
static void inconsistent_start_values_are_corrected_level_by_level(void **state)
{
    crank_state *model = read_model("crank: dae\n"
                                    "variables: {x: 2, y: 0, u: 3, v: 4, lambda: 0}\n"
                                    "equations: [\"x' = u\", \"y' = v\", \"u' = -2*x*lambda\", "
                                    "\"v' = -2*y*lambda\", \"x^2 + y^2 = 1\"]\n");
    double x[5];
    crank_initial_options options = crank_initial_options_default();
    crank_initial_report report;
    crank_error err = {0};
    memcpy(x, crank_state_start(model), sizeof x);
    options.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(crank_state_eom(model), 0.0, x, &options, &report,
                                  (crank_log){0}, &err),
             err);
    assert_false(report.consistent);
    const double expected[] = {1.0, 0.0, 0.0, 4.0, 8.0};
    for (int j = 0; j < 5; j++) {
        CHECK_NEAR(x[j], expected[j], 1e-12);
    }
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_may_stand_anywhere),
        cmocka_unit_test(parameters_inputs_and_names_of_mechanics_are_allowed),
        cmocka_unit_test(variables_may_be_a_list_of_names),
        cmocka_unit_test(settings_change_parameters_and_start_values),
        cmocka_unit_test(columns_are_variables_and_outputs_with_derivatives),
        cmocka_unit_test(prescriptions_close_an_under_determined_system),
        cmocka_unit_test(hidden_constraints_are_named_by_equation_and_level),
        cmocka_unit_test(start_values_of_algebraic_variables_are_guesses),
        cmocka_unit_test(variables_without_derivatives_move_first),
        cmocka_unit_test(fixed_start_values_stay),
        cmocka_unit_test(inconsistent_start_values_are_corrected_level_by_level),
    };
    return CHECK_RUN(argc, argv, tests);
}
