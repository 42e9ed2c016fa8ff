/* test_equations_read.c - what is read from an equations file: values, forms, settings,
 * simulate. */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"

#include "model/keys.h"

#include <stdio.h>

static const char pendulum[] =
    "crank: equations\n"
    "parameters: {m: 1, L: 1, grav: 13.75, unneeded: L}\n"
    "inputs: {push: sin(t), idle: 2*t}\n"
    "positions:  {x: {start: 0, fixed: true}, y: -L}\n"
    "velocities: {vx: {of: x, start: 5.244}, vy: {of: y, free: true}}\n"
    "mass: [[m, 0], [0, m]]\n"
    "forces: [push, -m*grav]\n"
    "holonomic: {length: x^2 + y^2 - L^2}\n"
    "invariants: {energy: m/2*(vx^2 + vy^2) + m*grav*y}\n"
    "outputs: {angle: 'atan2(x, -y)', tension: 2*L*lambda.length, ax: acceleration.vx}\n"
    "initial: {down: x}\n"
    "simulate: {t_start: -1, t_end: 10*L, rtol: 1e-7, atol: {p: 1e-6/L, lambda: 1e-3},\n"
    "           method: psf-radau, every: 0.5, singular: pass, final_correction: off}\n";

static void start_values_and_how_they_are_meant_are_read(void **state)
{
    crank_state *model = read_model(pendulum);
    const double *x = crank_state_start(model);
    const crank_fixing *fixing = crank_model_fixing(crank_state_model(model));
    assert_true(x[unknown(model, "y")] == -1.0);
    assert_true(x[unknown(model, "vx")] == 5.244);
    assert_int_equal(fixing[unknown(model, "x")], CRANK_FIXED);
    assert_int_equal(fixing[unknown(model, "y")], CRANK_PREFERRED);
    assert_int_equal(fixing[unknown(model, "vx")], CRANK_PREFERRED);
    assert_int_equal(fixing[unknown(model, "vy")], CRANK_FREE);
    assert_int_equal(fixing[unknown(model, "lambda.length")], CRANK_FREE);
    assert_string_equal(crank_model_kind(crank_state_model(model)), "equations");
    one_state_close(model);
}

static void columns_are_variables_multipliers_and_outputs(void **state)
{
    static const char *const names[] = {"x",     "y",       "vx", "vy", "lambda.length",
                                        "angle", "tension", "ax"};
    crank_state *model = read_model(pendulum);
    crank_error err = {0};
    double x[5] = {0}, values[8];
    assert_int_equal(crank_model_column_count(crank_state_model(model)), 8);
    for (int i = 0; i < 8; i++) {
        assert_string_equal(crank_model_column_name(crank_state_model(model), i), names[i]);
    }
    assert_null(crank_model_column_name(crank_state_model(model), 8));
    x[unknown(model, "x")] = 0.6;
    x[unknown(model, "y")] = -0.8;
    x[unknown(model, "vx")] = 3.0;
    x[unknown(model, "lambda.length")] = 7.0;
    CHECK_OK(crank_state_columns(model, 0.5, x, values, &err), err);
    CHECK_NEAR(values[0], 0.6, 0.0);
    CHECK_NEAR(values[2], 3.0, 0.0);
    CHECK_NEAR(values[4], 7.0, 0.0);
    CHECK_NEAR(values[5], atan2(0.6, 0.8), 1e-15);
    CHECK_NEAR(values[6], 14.0, 1e-14);
    CHECK_NEAR(values[7], sin(0.5) - 2 * 0.6 * 7.0, 1e-14); /* (f - G^T lambda)/m */
    one_state_close(model);
}

static void simulate_is_passed_on(void **state)
{
    static const char *const expected[][2] = {{"rtol", "1e-7"},
                                              {"atol_p", NULL},
                                              {"atol_lambda", "1e-3"},
                                              {"singular", "pass"},
                                              {"final_correction", "off"}};
    crank_state *model = read_model(pendulum);
    const crank_simulate *s = crank_model_simulate(crank_state_model(model));
    crank_options options = crank_options_default();
    crank_error err = {0};
    assert_true(s->t_start == -1.0 && s->t_end == 10.0 && s->has_t_end);
    assert_true(s->every == 0.5 && s->points == 0);
    assert_string_equal(s->method, "psf-radau");
    assert_int_equal(s->option_count, 5);
    for (int i = 0; i < s->option_count; i++) {
        assert_string_equal(s->options[i].name, expected[i][0]);
        if (expected[i][1] != NULL) {
            assert_string_equal(s->options[i].value, expected[i][1]);
        }
        CHECK_OK(crank_options_set(&options, s->options[i].name, s->options[i].value, &err),
                 err);
    }
    assert_int_equal(s->option_line[0], 12);
    assert_int_equal(s->option_line[3], 13);
    assert_true(options.atol_p == 1e-6);
    one_state_close(model);
    model = read_model("crank: equations\ndynamic: {r: {rate: 1}}\n");
    s = crank_model_simulate(crank_state_model(model));
    assert_true(s->t_start == 0.0 && s->t_end == 1.0 && !s->has_t_end && s->method == NULL);
    one_state_close(model);
}

static void unused_definitions_are_listed(void **state)
{
    crank_state *model = read_model(pendulum);
    assert_string_equal(crank_model_unused(crank_state_model(model), 0),
                        "parameter \"unneeded\"");
    assert_string_equal(crank_model_unused(crank_state_model(model), 1), "input \"idle\"");
    assert_null(crank_model_unused(crank_state_model(model), 2));
    one_state_close(model);
}

static void parameters_may_depend_on_each_other_in_any_order(void **state)
{
    crank_state *model = read_model("crank: equations\n"
                                    "parameters: {c: a*b, a: 2, b: sqrt(d) + 1, d: a^3 + 1}\n"
                                    "positions: {x: c}\nvelocities: {v: {of: x, start: pi*d}}\n"
                                    "mass: [[a]]\n");
    CHECK_NEAR(crank_state_start(model)[unknown(model, "x")], 8.0, 1e-15 * 8);
    CHECK_NEAR(crank_state_start(model)[unknown(model, "v")], acos(-1.0) * 9, 1e-14 * 9);
    one_state_close(model);
}

static void a_long_chain_of_parameters_is_resolved(void **state)
{
    enum { COUNT = 20000 };
    char *text = malloc((size_t)COUNT * 40 + 200);
    assert_non_null(text);
    size_t used =
        (size_t)sprintf(text, "crank: equations\npositions: {x: a0}\nvelocities: {v: {of: "
                              "x}}\nmass: [[1]]\nparameters:\n");
    for (int i = 0; i < COUNT; i++) {
        used += (size_t)sprintf(text + used, "  a%d: a%d + 1\n", i, i + 1);
    }
    sprintf(text + used, "  a%d: 0\n", COUNT);
    crank_state *model = read_model(text);
    assert_true(crank_state_start(model)[unknown(model, "x")] == COUNT);
    one_state_close(model);
    free(text);
}

static crank_status read_set(const char *name, const char *value, crank_state **model,
                             crank_error *err)
{
    const crank_setting settings[] = {{name, value}};
    crank_model_options options = crank_model_options_default();
    options.settings = settings;
    options.setting_count = 1;
    return one_state_read_text("test", pendulum, strlen(pendulum), &options, model, err);
}

static void settings_replace_parameters_and_start_values(void **state)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(read_set("L", "2*m", &model, &err), err);
    assert_true(crank_state_start(model)[unknown(model, "y")] == -2.0);
    assert_true(crank_model_simulate(crank_state_model(model))->t_end == 20.0);
    one_state_close(model);
    CHECK_OK(read_set("vx", "2.8", &model, &err), err);
    assert_true(crank_state_start(model)[unknown(model, "vx")] == 2.8);
    one_state_close(model);
    CHECK_OK(read_set("vx.start", "L/4", &model, &err), err);
    assert_true(crank_state_start(model)[unknown(model, "vx")] == 0.25);
    one_state_close(model);
}

static void bad_settings_are_refused(void **state)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_STATUS(read_set("gravv", "1", &model, &err), CRANK_EMODEL);
    assert_string_equal(err.text,
                        "setting \"gravv\": no parameter or variable has this name; did "
                        "you mean \"grav\"?");
    CHECK_STATUS(read_set("L", "mm", &model, &err), CRANK_EMODEL);
    assert_string_equal(err.text, "setting \"L\": \"mm\" is not defined; did you mean \"m\"?");
    assert_int_equal(err.line, 0);
    CHECK_STATUS(read_set("x", "nan", &model, &err), CRANK_EMODEL);
    assert_string_equal(err.text, "setting \"x\": the value is not finite");
    CHECK_STATUS(read_set("angle", "1", &model, &err), CRANK_EMODEL);
    CHECK_CONTAINS(err.text, "no parameter or variable has this name");
    assert_null(model);
}

/* the mass matrix as full columns */
static void full_mass(crank_state *model, double *full)
{
    crank_eom *eom = crank_state_eom(model);
    const int nv = eom->sizes.v;
    double values[16] = {0};
    crank_error err = {0};
    CHECK_OK(eom->supplier.mass(eom->self, 0.0, crank_state_start(model), values, &err), err);
    memset(full, 0, (size_t)(nv * nv) * sizeof *full);
    for (int j = 0; j < nv; j++) {
        for (int k = eom->mass_pattern.start[j]; k < eom->mass_pattern.start[j + 1]; k++) {
            full[eom->mass_pattern.row[k] + j * nv] = values[k];
        }
    }
}

#define TWO                                                                                    \
    "crank: equations\npositions: {x: 3, y: 0}\nvelocities: {vx: {of: x}, vy: {of: y}}\n"

static void the_forms_of_a_mass_matrix_agree(void **state)
{
    static const char *const forms[] = {
        TWO "mass: [[2*x, 1], [1, 5]]\n",
        TWO "mass: {entries: [[vy, vx, 1], [vx, vx, 2*x], [vy, vy, 5]]}\n",
        TWO "mass: {entries: [[vy, vx, 1], [vx, vy, 1], [vx, vx, 2*x], [vy, vy, 5]]}\n"};
    static const double expected[] = {6, 1, 1, 5};
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        crank_state *model = read_model(forms[f]);
        double full[4];
        full_mass(model, full);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(full[i], expected[i], 0.0);
        }
        assert_int_equal(crank_state_eom(model)->mass_kind, CRANK_MASS_FULL);
        one_state_close(model);
    }
}

static crank_mass_kind kind_of(const char *text, bool *identity)
{
    crank_state *model = read_model(text);
    const crank_mass_kind kind = crank_state_eom(model)->mass_kind;
    *identity = crank_state_eom(model)->mass_is_identity;
    one_state_close(model);
    return kind;
}

static void the_structure_of_the_mass_matrix_is_found(void **state)
{
    bool identity = true;
    assert_int_equal(kind_of(TWO "mass: {diagonal: [2*x, 1]}\n", &identity),
                     CRANK_MASS_DIAGONAL);
    assert_false(identity);
    assert_int_equal(kind_of(TWO "mass: {diagonal: [2, 1]}\n", &identity),
                     CRANK_MASS_DIAGONAL_CONSTANT);
    assert_false(identity);
    assert_int_equal(kind_of(TWO "mass: [[2, 1], [1, 2]]\n", &identity),
                     CRANK_MASS_FULL_CONSTANT);
    assert_int_equal(kind_of(TWO "mass: [[1, 0], [0, 1]]\n", &identity),
                     CRANK_MASS_DIAGONAL_CONSTANT);
    assert_true(identity);
}

static void forces_may_be_given_by_name(void **state)
{
    crank_state *model = read_model(TWO "mass: {diagonal: [1, 1]}\nforces: {vy: 4*x}\n");
    crank_eom *eom = crank_state_eom(model);
    crank_error err = {0};
    double k[4];
    CHECK_OK(crank_eom_evaluate(eom, 0.0, crank_state_start(model), k, &err), err);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN]], 0.0, 0.0);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN] + 1], 12.0, 0.0);
    assert_true(eom->autonomous);
    one_state_close(model);
}

static void dependence_on_time_is_found(void **state)
{
    crank_state *model = read_model(pendulum);
    assert_false(crank_state_eom(model)->autonomous);
    one_state_close(model);
    model = read_model(TWO "mass: {diagonal: [1 + t, 1]}\n");
    assert_false(crank_state_eom(model)->autonomous);
    one_state_close(model);
}

static void json_models_are_read(void **state)
{
    crank_state *model =
        read_model("{\"crank\": \"equations\",\n"
                   " \"positions\": {\"x\": {\"start\": 1.5, \"fixed\": true}},\n"
                   " \"velocities\": {\"v\": {\"of\": \"x\"}},\n"
                   " \"mass\": [[2]], \"forces\": [\"-x\"]}\n");
    assert_true(crank_state_start(model)[unknown(model, "x")] == 1.5);
    one_state_close(model);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    (void)fread(text, 1, (1 << 20) - 1, file);
    (void)fclose(file);
    return text;
}

static void every_key_is_documented(void **state)
{
    char *text = read_file("docs/formats.md");
    for (int i = 0; crank_key_get(i) != NULL; i++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "`%s", crank_key_get(i)->name);
        CHECK_CONTAINS(text, quoted);
    }
    free(text);
}

static void columns_have_units_and_descriptions(void **state)
{
    static const struct {
        const char *name, *unit, *text;
    } expected[] = {
        {"x", "m", "position"},
        {"y", "", "position"},
        {"vx", "m/s", "velocity"},
        {"vy", "", "velocity"},
        {"p", "Pa", "dynamic variable"},
        {"drag", "N", "auxiliary variable"},
        {"lambda.length", "", "multiplier of constraint length"},
        {"angle", "", "atan2(x, -y)"},
    };
    crank_state *model = read_model("crank: equations\n"
                                    "positions:  {x: {start: 0, unit: m}, y: -1}\n"
                                    "velocities: {vx: {of: x, unit: m/s}, vy: {of: y}}\n"
                                    "dynamic: {p: {rate: -p, unit: Pa}}\n"
                                    "auxiliary: {drag: {equation: drag - vx, unit: N}}\n"
                                    "mass: [[1, 0], [0, 1]]\n"
                                    "forces: [-drag, -1]\n"
                                    "holonomic: {length: x^2 + y^2 - 1}\n"
                                    "outputs: {angle: 'atan2(x, -y)'}\n");
    for (int i = 0; i < 8; i++) {
        assert_string_equal(crank_model_column_name(crank_state_model(model), i),
                            expected[i].name);
        assert_string_equal(crank_model_column_unit(crank_state_model(model), i),
                            expected[i].unit);
        assert_string_equal(crank_model_column_description(crank_state_model(model), i),
                            expected[i].text);
    }
    assert_null(crank_model_column_unit(crank_state_model(model), 8));
    assert_null(crank_model_column_description(crank_state_model(model), -1));
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_values_and_how_they_are_meant_are_read),
        cmocka_unit_test(columns_are_variables_multipliers_and_outputs),
        cmocka_unit_test(columns_have_units_and_descriptions),
        cmocka_unit_test(simulate_is_passed_on),
        cmocka_unit_test(unused_definitions_are_listed),
        cmocka_unit_test(parameters_may_depend_on_each_other_in_any_order),
        cmocka_unit_test(a_long_chain_of_parameters_is_resolved),
        cmocka_unit_test(settings_replace_parameters_and_start_values),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(the_forms_of_a_mass_matrix_agree),
        cmocka_unit_test(the_structure_of_the_mass_matrix_is_found),
        cmocka_unit_test(forces_may_be_given_by_name),
        cmocka_unit_test(dependence_on_time_is_found),
        cmocka_unit_test(json_models_are_read),
        cmocka_unit_test(every_key_is_documented),
    };
    return CHECK_RUN(argc, argv, tests);
}
