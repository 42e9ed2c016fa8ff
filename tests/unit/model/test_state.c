/* test_state.c - states of one model: they do not disturb each other, and what is set by name
 * is what the file would have said. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/run.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char oscillator[] = "crank: equations\n"
                                 "parameters: {k: 4, m: 1, x0: 0.5, half: k/2}\n"
                                 "positions: {x: {start: x0}}\n"
                                 "velocities: {v: {of: x, start: 0}}\n"
                                 "mass: [[m]]\n"
                                 "forces: [-2*half*x]\n"
                                 "outputs: {energy: m*v^2/2 + k*x^2/2}\n"
                                 "simulate: {t_end: 1, rtol: 1e-9, atol: 1e-9}\n";
static const char slider[] =
    "crank: mechanism\n"
    "dimension: 2\n"
    "parameters: {k: 4, m: 1, x0: 0.5}\n"
    "bodies: {b: {mass: m, inertia: 1, position: [x0, 0]}}\n"
    "joints: {guide: {type: prismatic, between: [ground, b], at: [0, 0], axis: [1, 0]}}\n"
    "forces: {f: {type: force, body: b, force: [-k*body.b.x, 0]}}\n"
    "simulate: {t_end: 1, rtol: 1e-9, atol: 1e-9}\n";
static const char general[] = "crank: dae\n"
                              "parameters: {k: 4, x0: 0.5}\n"
                              "variables: {x: {start: x0}, v: {start: 0}}\n"
                              "equations: [x' = v, v' = -k*x]\n"
                              "simulate: {t_end: 1, rtol: 1e-9, atol: 1e-9}\n";

static crank_model *read_model(const char *text, const char *vary)
{
    crank_model_options options = crank_model_options_default();
    crank_model *model = NULL;
    crank_error err = {0};
    options.vary = &vary;
    options.vary_count = vary != NULL;
    CHECK_OK(crank_model_read_text("m", text, strlen(text), &options, &model, &err), err);
    return model;
}

/* x(1) with some values set one after the other */
static double end_of(const crank_model *model, const char *column, int count,
                     const char *const *name, const double *value)
{
    crank_run *run = NULL;
    crank_error err = {0};
    CHECK_OK(crank_run_open_model(model, NULL, &run, &err), err);
    for (int i = 0; i < count; i++) {
        CHECK_OK(crank_run_set(run, name[i], value[i], &err), err);
    }
    CHECK_OK(crank_run_advance(run, 1.0, &err), err);
    const double x = crank_run_value(run, column);
    crank_run_close(run);
    return x;
}

static const struct {
    const char *text, *column, *start;
} kinds[] = {{oscillator, "x", "x"}, {slider, "body.b.x", "body.b.x"}, {general, "x", "x"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* x'' = -k/m x: x(1) = x0 cos(sqrt(k)), for parameters that vary, that have become numbers, and
 * start values */
static void what_is_set_is_what_the_file_would_have_said(void **state)
{
    static const char *const varied[] = {NULL, "k", "x0"};
    for (int kind = 0; kind < KINDS; kind++) {
        for (int v = 0; v < 3; v++) {
            crank_model *model = read_model(kinds[kind].text, varied[v]);
            const char *const names[] = {"k", "x0", kinds[kind].start};
            const double values[] = {9.0, 0.25, 2.0};
            for (int count = 0; count <= 3; count++) {
                const double k = count > 0 ? 9.0 : 4.0;
                const double x0 = count > 2 ? 2.0 : count > 1 ? 0.25 : 0.5;
                CHECK_NEAR(end_of(model, kinds[kind].column, count, names, values),
                           x0 * cos(sqrt(k)), 1e-7);
            }
            crank_model_destroy(model);
        }
    }
}

static const crank_parameter *find(const crank_model *model, const char *name)
{
    for (int i = 0; crank_model_parameter(model, i) != NULL; i++) {
        if (strcmp(crank_model_parameter(model, i)->name, name) == 0) {
            return crank_model_parameter(model, i);
        }
    }
    return NULL;
}

/* numbers are made of a mass and of start values; a parameter of which another one is made may
 * vary */
static void the_model_tells_what_can_be_changed_in_place(void **state)
{
    static const struct {
        const char *text, *name;
        bool in_place;
    } list[] = {{oscillator, "k", true}, {oscillator, "m", false}, {oscillator, "x0", false},
                {slider, "k", true},     {slider, "m", false},     {slider, "x0", false},
                {general, "k", false}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        crank_model *plain = read_model(list[i].text, NULL),
                    *model = read_model(list[i].text, list[i].name);
        crank_state *one = NULL;
        crank_error err = {0};
        bool remade = false;
        assert_false(find(plain, list[i].name)->in_place);
        assert_int_equal(find(model, list[i].name)->in_place, list[i].in_place);
        assert_true(find(model, list[i].name)->value == find(plain, list[i].name)->value);
        CHECK_OK(crank_state_create(model, &one, &err), err);
        CHECK_OK(crank_state_set(one, list[i].name, 3.0, &remade, &err), err);
        assert_int_equal(remade, !list[i].in_place);
        assert_int_equal(crank_state_model(one) == model, list[i].in_place);
        crank_state_destroy(one);
        crank_model_destroy(plain);
        crank_model_destroy(model);
    }
}

static void a_value_that_is_refused_leaves_the_state_as_it_was(void **state)
{
    crank_model *model = read_model(slider, NULL);
    crank_state *one = NULL;
    crank_error err = {0};
    CHECK_OK(crank_state_create(model, &one, &err), err);
    CHECK_STATUS(crank_state_set(one, "kk", 1.0, NULL, &err), CRANK_EMODEL);
    CHECK_CONTAINS(err.text, "kk");
    CHECK_STATUS(crank_state_set(one, "m", -1.0, NULL, &err), CRANK_EMODEL);
    CHECK_STATUS(crank_state_set(one, "k", (double)NAN, NULL, &err), CRANK_EARG);
    assert_ptr_equal(crank_state_model(one), model);
    crank_state_destroy(one);
    crank_model_destroy(model);
    crank_model_options options = crank_model_options_default();
    const char *const vary = "kk";
    options.vary = &vary;
    options.vary_count = 1;
    CHECK_STATUS(crank_model_read_text("m", slider, strlen(slider), &options, &model, &err),
                 CRANK_EMODEL);
    CHECK_CONTAINS(err.text, "vary \"kk\"");
}

/* x'' = -k x with k and the start of the one run set between steps of the other; the model
 * stays as it was read */
static void what_is_set_on_one_state_is_not_seen_by_another(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int varies = 0; varies < 2; varies++) {
            crank_model *model = read_model(kinds[kind].text, varies == 1 ? "k" : NULL);
            const size_t n = (size_t)crank_eom_unknowns(crank_model_eom(model));
            double start[16];
            crank_run *one = NULL, *other = NULL;
            crank_error err = {0};
            assert_true(n <= 16);
            memcpy(start, crank_model_start(model), n * sizeof *start);
            CHECK_OK(crank_run_open_model(model, NULL, &one, &err), err);
            CHECK_OK(crank_run_open_model(model, NULL, &other, &err), err);
            CHECK_OK(crank_run_advance(one, 0.25, &err), err);
            CHECK_OK(crank_run_set(other, "k", 9.0, &err), err);
            CHECK_OK(crank_run_set(other, kinds[kind].start, 2.0, &err), err);
            CHECK_OK(crank_run_advance(other, 0.5, &err), err);
            CHECK_OK(crank_run_advance(one, 1.0, &err), err);
            CHECK_OK(crank_run_advance(other, 1.0, &err), err);
            CHECK_NEAR(crank_run_value(one, kinds[kind].column), 0.5 * cos(2.0), 1e-7);
            CHECK_NEAR(crank_run_value(other, kinds[kind].column), 2.0 * cos(3.0), 1e-7);
            CHECK_NEAR(find(model, "k")->value, 4.0, 0.0);
            assert_memory_equal(crank_model_start(model), start, n * sizeof *start);
            crank_run_close(one);
            crank_run_close(other);
            crank_model_destroy(model);
        }
    }
}

/* steps of one between steps of the other: both get the bits of a run alone */
static void states_do_not_disturb_each_other(void **state)
{
    static const char *const models[] = {"models/slider-crank/slider-crank.yaml",
                                         "models/door-three-hinges/door-three-hinges.yaml",
                                         "models/bouncing-ball/bouncing-ball.yaml",
                                         "models/gears-and-cam/gears-and-cam.yaml",
                                         "models/pendulum-dae/pendulum-dae.yaml"};
    static const char *const methods[] = {"psf-radau", "ode-dopri8"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        crank_model *model = NULL;
        crank_error err = {0};
        CHECK_OK(crank_model_read(models[m], NULL, &model, &err), err);
        const double t_end = crank_model_simulate(model)->t_end;
        double *alone[2];
        crank_run *run[2];
        const size_t size = (size_t)crank_model_column_count(model) * sizeof **alone;
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < 2; i++) {
                crank_run_options options = crank_run_options_default();
                options.method = methods[i];
                CHECK_OK(crank_run_open_model(model, &options, &run[i], &err), err);
                assert_ptr_equal(crank_run_model(run[i]), model);
            }
            for (int step = 1; step <= 8; step++) {
                for (int i = 0; i < 2; i++) {
                    /* alone: one after the other */
                    const int which = pass == 0 ? (step - 1) / 4 : i;
                    const int at = pass == 0 ? (step - 1) % 4 * 2 + i + 1 : step;
                    CHECK_OK(crank_run_advance(run[which], 0.01 * t_end * at, &err), err);
                }
            }
            for (int i = 0; i < 2; i++) {
                const double *values = crank_run_values(run[i], &err);
                assert_non_null(values);
                if (pass == 0) {
                    alone[i] = malloc(size);
                    assert_non_null(alone[i]);
                    memcpy(alone[i], values, size);
                } else {
                    assert_memory_equal(values, alone[i], size);
                    free(alone[i]);
                }
                crank_run_close(run[i]);
            }
        }
        crank_model_destroy(model);
    }
}

/* the file and the table that it names are gone when the model is made again */
static void nothing_is_read_again(void **state)
{
    char folder[] = "/tmp/crank-state-XXXXXX", path[64], table[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/m.yaml", folder);
    (void)snprintf(table, sizeof table, "%s/more.yaml", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs("include: more.yaml\n", file);
    (void)fputs(slider, file);
    assert_int_equal(fclose(file), 0);
    file = fopen(table, "w");
    assert_non_null(file);
    (void)fputs("crank: mechanism\nparameters: {unit: 2}\noutputs: {twice: unit*body.b.x}\n",
                file);
    assert_int_equal(fclose(file), 0);
    crank_model *model = NULL;
    crank_error err = {0};
    CHECK_OK(crank_model_read(path, NULL, &model, &err), err);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(table), 0);
    assert_int_equal(rmdir(folder), 0);
    const char *const names[] = {"m", "k", "unit"};
    const double values[] = {2.0, 18.0, 3.0};
    CHECK_NEAR(end_of(model, "twice", 3, names, values), 1.5 * cos(3.0), 1e-7);
    crank_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_set_is_what_the_file_would_have_said),
        cmocka_unit_test(the_model_tells_what_can_be_changed_in_place),
        cmocka_unit_test(a_value_that_is_refused_leaves_the_state_as_it_was),
        cmocka_unit_test(what_is_set_on_one_state_is_not_seen_by_another),
        cmocka_unit_test(states_do_not_disturb_each_other),
        cmocka_unit_test(nothing_is_read_again),
    };
    return CHECK_RUN(argc, argv, tests);
}
