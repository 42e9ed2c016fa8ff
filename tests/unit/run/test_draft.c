/* test_draft.c - models built in C are those that the same file would have given, and what is
 * wrong is told by name. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/draft.h>
#include <crank/run.h>

#include <stdlib.h>

static const char file[] =
    "crank: mechanism\n"
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {k: 20}\n"
    "bodies:\n"
    "  arm: {mass: 2, inertia: [0.1, 0.2, 0.3], center: [0, 0, 0.1], position: [0, 0, 1],\n"
    "        orientation: [0.6, 0.8, 0, 0], angular_velocity: [1, 0, 0]}\n"
    "  bob: {type: point, mass: 0.5, position: [0.25, 0.5, 1], velocity: [0, 0.125, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, arm], at: [0, 0, 1], axis: [1, 0, 0]}\n"
    "forces:\n"
    "  s: {type: spring, between: [arm, bob], at: {first: [0, 0, 0.5], second: [0, 0, 0]}, "
    "stiffness: k, length: 0.5}\n"
    "outputs: {pull: force.s.length*k}\n"
    "simulate: {t_end: 0.5}\n";

static crank_draft *draw(void)
{
    crank_draft *d = crank_draft_create("mechanism");
    assert_non_null(d);
    crank_draft_set(d, "dimension", "3");
    crank_draft_set(d, "gravity", "[0, 0, -9.81]");
    crank_draft_set(d, "parameters.k", "20");
    crank_add_body(d, &(crank_body_def){.name = "arm",
                                        .mass = 2,
                                        .inertia = {0.1, 0.2, 0.3},
                                        .center = {0, 0, 0.1},
                                        .position = {0, 0, 1},
                                        .orientation = {0.6, 0.8, 0, 0},
                                        .angular_velocity = {1, 0, 0}});
    crank_add_body(d, &(crank_body_def){.name = "bob",
                                        .mass = 0.5,
                                        .position = {0.25, 0.5, 1},
                                        .velocity = {0, 0.125, 0},
                                        .keys = {{"type", "point"}}});
    crank_add_joint(d, &(crank_joint_def){.name = "pin",
                                          .type = "revolute",
                                          .between = {"ground", "arm"},
                                          .at = {0, 0, 1},
                                          .axis = {1, 0, 0}});
    crank_add_force(
        d, &(crank_force_def){.name = "s",
                              .type = "spring",
                              .between = {"arm", "bob"},
                              .keys = {{"at", "{first: [0, 0, 0.5], second: [0, 0, 0]}"},
                                       {"stiffness", "k"},
                                       {"length", "0.5"}}});
    crank_draft_set(d, "outputs.pull", "force.s.length*k");
    crank_draft_set(d, "simulate.t_end", "7");
    crank_draft_set(d, "simulate.t_end", "0.5"); /* the last one counts */
    return d;
}

static void expect_same(const crank_model *a, const crank_model *b)
{
    crank_table *table[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        crank_run *run = NULL;
        crank_error err = {0};
        CHECK_OK(crank_run_open_model(i == 0 ? a : b, NULL, &run, &err), err);
        CHECK_OK(crank_run_table(run, 10, &table[i], &err), err);
        crank_run_close(run);
    }
    assert_int_equal(table[0]->rows, table[1]->rows);
    assert_int_equal(table[0]->columns, table[1]->columns);
    for (int j = 0; j < table[0]->columns; j++) {
        assert_string_equal(table[0]->names[j], table[1]->names[j]);
    }
    assert_memory_equal(table[0]->values, table[1]->values,
                        (size_t)table[0]->rows * (size_t)table[0]->columns *
                            sizeof *table[0]->values);
    crank_table_destroy(table[0]);
    crank_table_destroy(table[1]);
}

static void a_draft_runs_as_the_file_that_says_the_same(void **state)
{
    crank_draft *d = draw();
    crank_model *drawn = NULL, *read = NULL;
    crank_error err = {0};
    CHECK_OK(crank_draft_model(d, NULL, &drawn, &err), err);
    CHECK_OK(crank_model_read_text("m", file, sizeof file - 1, NULL, &read, &err), err);
    expect_same(drawn, read);
    crank_model_destroy(read);
    /* changed further: the first model stays as it is */
    crank_draft_set(d, "parameters.k", "30");
    crank_draft_destroy(d);
    CHECK_OK(crank_model_read_text("m", file, sizeof file - 1, NULL, &read, &err), err);
    expect_same(drawn, read);
    crank_model_destroy(read);
    crank_model_destroy(drawn);
}

static void expect_failure(crank_draft *d, crank_status wanted, const char *text)
{
    crank_model *model = NULL;
    crank_error err = {0};
    CHECK_STATUS(crank_draft_model(d, NULL, &model, &err), wanted);
    assert_null(model);
    CHECK_CONTAINS(err.text, text);
    assert_int_equal(err.line, 0);
    crank_draft_destroy(d);
}

static void what_is_wrong_is_told_by_name_and_without_lines(void **state)
{
    crank_draft *d = draw();
    crank_add_body(d, &(crank_body_def){.name = "bob", .mass = 1});
    expect_failure(d, CRANK_EARG, "\"bob\": this name is there already");
    d = draw();
    crank_draft_set(d, "joints.pin.axs", "[1, 0, 0]");
    expect_failure(d, CRANK_EMODEL, "joint \"pin\": unknown key \"axs\"");
    d = draw();
    crank_draft_set(d, "outputs.wrong", "2*bodi.x +");
    expect_failure(d, CRANK_EMODEL, "output \"wrong\"");
    d = draw();
    crank_draft_set(d, "parameters.k.a", "1");
    expect_failure(d, CRANK_EARG, "below a value");
    d = draw();
    crank_draft_set(d, "parameters.j", "[1, ");
    expect_failure(d, CRANK_ESYNTAX, "\"j\"");
    expect_failure(crank_draft_create("mechanic"), CRANK_EMODEL,
                   "\"mechanic\" is not a known kind of model");
    d = draw();
    crank_add_joint(d, &(crank_joint_def){.type = "revolute"});
    expect_failure(d, CRANK_EARG, "without a name");
}

/* x' = -x from x = 1 */
static void other_kinds_are_drawn_by_their_keys(void **state)
{
    crank_draft *d = crank_draft_create("dae");
    crank_model *model = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    assert_non_null(d);
    crank_draft_set(d, "variables.x", "{start: 1}");
    crank_draft_set(d, "equations", "[x' = -x]");
    crank_draft_set(d, "simulate.rtol", "1e-8");
    CHECK_OK(crank_draft_model(d, NULL, &model, &err), err);
    crank_draft_destroy(d);
    CHECK_OK(crank_run_open_model(model, NULL, &run, &err), err);
    CHECK_OK(crank_run_advance(run, 1.0, &err), err);
    CHECK_NEAR(crank_run_value(run, "x"), exp(-1.0), 1e-6);
    crank_run_close(run);
    crank_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draft_runs_as_the_file_that_says_the_same),
        cmocka_unit_test(what_is_wrong_is_told_by_name_and_without_lines),
        cmocka_unit_test(other_kinds_are_drawn_by_their_keys),
    };
    return CHECK_RUN(argc, argv, tests);
}
