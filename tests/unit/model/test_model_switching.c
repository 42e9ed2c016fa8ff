/* test_model_switching.c - events of an equations file that reset velocities and set
 * parameters, at a state; without an integrator. */
// SPDX-License-Identifier: BSD-3-Clause
#include "apply_events.h"
#include "one_state.h"

/* Velocities are found by orthogonal transformations of matrices of small condition: some units
 * of the last place. */
static const double round_off = 1e-13;

static void test_values_are_found_before_any_of_them_is_given(void **state)
{
    (void)state;
    crank_state *model = read_model(
        "crank: equations\n"
        "parameters: {k: 5}\n"
        "positions: {x: 0, y: 0}\n"
        "velocities: {vx: {of: x, start: 1}, vy: {of: y, start: 2}}\n"
        "mass: {diagonal: [1, 1]}\n"
        "forces: [k, 0]\n"
        "dynamic: {r: {start: 7, rate: k}}\n"
        "outputs: {seen: k}\n"
        "events: {swap: {when: t - 1, actions: [reset: {vx: vy, vy: vx, r: k}, set: {k: r}, "
        "message: done, stop]}}\n");
    const signed char happened[] = {1};
    double *x = start_of(model), values[8];
    crank_error err = {0};
    const crank_event_outcome outcome = apply(model, happened, 1.0, x);
    CHECK_NEAR(x[unknown(model, "vx")], 2.0, round_off);
    CHECK_NEAR(x[unknown(model, "vy")], 1.0, round_off);
    CHECK_NEAR(x[unknown(model, "r")], 5.0, 0.0);
    CHECK_OK(crank_state_columns(model, 1.0, x, values, &err), err);
    CHECK_NEAR(values[crank_model_column_count(crank_state_model(model)) - 1], 7.0, 0.0);
    assert_true(outcome.stop);
    assert_string_equal(outcome.text,
                        "event \"swap\": vx = 2, vy = 1, r = 5, k = 7, done, stop");
    free(x);
    one_state_close(model);
}

/* What is reset may be any expression that is linear in the velocities: here two masses get the
 * same velocity, and their momentum stays. */
static void test_a_difference_of_velocities_can_be_reset(void **state)
{
    (void)state;
    crank_state *model =
        read_model("crank: equations\n"
                   "positions: {x: 0, y: 1}\n"
                   "velocities: {vx: {of: x, start: 6}, vy: {of: y, start: 0}}\n"
                   "mass: {diagonal: [1, 2]}\n"
                   "events: {couple: {when: y - x, actions: {reset: {vx - vy: 0}}}}\n");
    const signed char happened[] = {-1};
    double *x = start_of(model);
    (void)apply(model, happened, 0.0, x);
    CHECK_NEAR(x[unknown(model, "vx")], 2.0, round_off);
    CHECK_NEAR(x[unknown(model, "vy")], 2.0, round_off);
    free(x);
    one_state_close(model);
}

static double force_at(crank_state *model, const double *x)
{
    double k[16];
    crank_error err = {0};
    CHECK_OK(crank_eom_evaluate(crank_state_eom(model), 0.0, x, k, &err), err);
    return k[crank_eom_row(crank_state_eom(model), CRANK_ROW_DYN)];
}

static void
test_parameters_follow_those_that_are_set_unless_they_are_set_themselves(void **state)
{
    (void)state;
    crank_state *model = read_model("crank: equations\n"
                                    "parameters: {a: 2, b: 3*a, c: 5*a}\n"
                                    "positions: {x: a}\n"
                                    "velocities: {v: {of: x}}\n"
                                    "mass: [[1]]\n"
                                    "forces: [a + 10*b + 100*c]\n"
                                    "events:\n"
                                    "  one: {when: t - 1, actions: {set: {a: 3}}}\n"
                                    "  two: {when: t - 2, actions: {set: {c: 1}}}\n");
    const signed char one[] = {1, 0}, two[] = {0, 1};
    double *x = start_of(model);
    crank_error err = {0};
    CHECK_NEAR(x[unknown(model, "x")], 2.0, 0.0);
    CHECK_NEAR(force_at(model, x), 2.0 + 60.0 + 1000.0, 0.0);
    (void)apply(model, one, 0.0, x);
    CHECK_NEAR(force_at(model, x), 3.0 + 90.0 + 1000.0, 0.0);
    (void)apply(model, two, 0.0, x);
    CHECK_NEAR(force_at(model, x), 3.0 + 90.0 + 100.0, 0.0);
    CHECK_OK(crank_state_begin(model, 0.0, x, &err), err); /* a run begins anew */
    CHECK_NEAR(force_at(model, x), 2.0 + 60.0 + 1000.0, 0.0);
    free(x);
    one_state_close(model);
}

static void test_settings_give_the_start_of_a_parameter_that_is_set(void **state)
{
    (void)state;
    const crank_setting setting = {"a", "4"};
    crank_model_options options = crank_model_options_default();
    options.settings = &setting;
    options.setting_count = 1;
    crank_state *model = read_with("crank: equations\n"
                                   "parameters: {a: 2}\n"
                                   "positions: {x: 0}\n"
                                   "velocities: {v: {of: x}}\n"
                                   "mass: [[1]]\n"
                                   "forces: [a]\n"
                                   "events: {one: {when: t, actions: {set: {a: a + 1}}}}\n",
                                   &options);
    const signed char happened[] = {1};
    double *x = start_of(model);
    CHECK_NEAR(force_at(model, x), 4.0, 0.0);
    (void)apply(model, happened, 0.0, x);
    CHECK_NEAR(force_at(model, x), 5.0, 0.0);
    free(x);
    one_state_close(model);
}

/* A mass that jumps: momentum is not touched by crank, velocity stays; the mass is not taken
 * for constant. */
static void test_a_mass_may_be_set_in_equations(void **state)
{
    (void)state;
    crank_state *model = read_model("crank: equations\n"
                                    "parameters: {m: 2}\n"
                                    "positions: {x: 0}\n"
                                    "velocities: {v: {of: x, start: 1}}\n"
                                    "mass: [[m]]\n"
                                    "forces: [1]\n"
                                    "events: {load: {when: x - 1, actions: {set: {m: 8}}}}\n");
    const signed char happened[] = {1};
    crank_eom *eom = crank_state_eom(model);
    double *x = start_of(model), mass = 0.0;
    crank_error err = {0};
    assert_false(crank_eom_mass_constant(eom));
    (void)apply(model, happened, 0.0, x);
    CHECK_NEAR(x[unknown(model, "v")], 1.0, 0.0);
    CHECK_OK(crank_eom_evaluate_mass(eom, 0.0, x, &mass, &err), err);
    CHECK_NEAR(mass, 8.0, 0.0);
    free(x);
    one_state_close(model);
}

static void test_a_parameter_that_breaks_a_constraint_is_refused(void **state)
{
    (void)state;
    crank_state *model =
        read_model("crank: equations\n"
                   "parameters: {l: 1}\n"
                   "positions: {x: 1, y: 0}\n"
                   "velocities: {vx: {of: x}, vy: {of: y, start: 1}}\n"
                   "mass: {diagonal: [1, 1]}\n"
                   "holonomic: {rod: x^2 + y^2 - l^2}\n"
                   "events:\n"
                   "  same: {when: t - 1, actions: {set: {l: sqrt(x^2 + y^2)}}}\n"
                   "  longer: {when: t - 2, actions: {set: {l: 1.1}}}\n");
    const signed char same[] = {1, 0}, longer[] = {0, 1};
    double *x = start_of(model);
    (void)apply(model, same, 0.0, x);
    fail_to_apply(model, longer, x, CRANK_EMODEL,
                  "event \"longer\": l = 1.1: holonomic \"rod\", position level does not hold");
    free(x);
    one_state_close(model);
}

/* h = v - c: a new c is met by an impulse on both masses, which move as one. */
static void test_velocities_follow_a_constraint_whose_parameter_is_set(void **state)
{
    (void)state;
    crank_state *model =
        read_model("crank: equations\n"
                   "parameters: {c: 1}\n"
                   "positions: {x: 0, y: 0}\n"
                   "velocities: {vx: {of: x, start: 1}, vy: {of: y, start: 1}}\n"
                   "mass: {diagonal: [1, 3]}\n"
                   "holonomic: {rod: y - x}\n"
                   "nonholonomic: {drive: vx - c}\n"
                   "events: {faster: {when: t - 1, actions: {set: {c: 4}}}}\n");
    const signed char happened[] = {1};
    double *x = start_of(model);
    (void)apply(model, happened, 1.0, x);
    CHECK_NEAR(x[unknown(model, "vx")], 4.0, round_off);
    CHECK_NEAR(x[unknown(model, "vy")], 4.0, round_off);
    check_residuals(model, 1.0, x);
    free(x);
    one_state_close(model);
}

static void test_an_invariant_is_kept_at_its_value_after_the_event(void **state)
{
    (void)state;
    crank_state *model = read_model("crank: equations\n"
                                    "parameters: {k: 2}\n"
                                    "positions: {x: 1}\n"
                                    "velocities: {v: {of: x, start: 3}}\n"
                                    "mass: [[1]]\n"
                                    "forces: [-k*x]\n"
                                    "invariants: {energy: v^2/2 + k*x^2/2}\n"
                                    "events:\n"
                                    "  wall: {when: x - 1, actions: {impact: 0.5}}\n"
                                    "  stiff: {when: t - 1, actions: {set: {k: 10}}}\n"
                                    "  mirror: {when: x - 2, actions: {impact: 1}}\n");
    const signed char wall[] = {1, 0, 0}, stiff[] = {0, 1, 0}, mirror[] = {0, 0, 1};
    double *x = start_of(model), k[8];
    crank_error err = {0};
    crank_eom *eom = crank_state_eom(model);
    CHECK_OK(crank_state_begin(model, 0.0, x, &err), err);
    const signed char *const all[] = {wall, stiff};
    for (int i = 0; i < 2; i++) {
        (void)apply(model, all[i], 0.0, x);
        CHECK_OK(crank_eom_evaluate(eom, 0.0, x, k, &err), err);
        CHECK_NEAR(k[crank_eom_row(eom, CRANK_ROW_E)], 0.0, 0.0);
    }
    /* what an elastic impact changes is rounding: the value that is held stays */
    x[unknown(model, "v")] += 1e-7;
    (void)apply(model, mirror, 0.0, x);
    CHECK_OK(crank_eom_evaluate(eom, 0.0, x, k, &err), err);
    CHECK_NEAR(k[crank_eom_row(eom, CRANK_ROW_E)], -1.5 * 1e-7, 1e-13);
    free(x);
    one_state_close(model);
}

static void test_two_events_that_set_a_parameter_differently_contradict(void **state)
{
    (void)state;
    crank_state *model = read_model("crank: equations\n"
                                    "parameters: {k: 2}\n"
                                    "positions: {x: 1}\n"
                                    "velocities: {v: {of: x, start: 3}}\n"
                                    "mass: [[k]]\n"
                                    "events:\n"
                                    "  a: {when: t - 1, actions: {set: {k: 1}}}\n"
                                    "  b: {when: 2*t - 2, actions: {set: {k: 3}}}\n");
    const signed char both[] = {1, 1};
    double *x = start_of(model);
    fail_to_apply(model, both, x, CRANK_EMODEL, "event \"b\": \"k\" gets two values at t = 0");
    free(x);
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_found_before_any_of_them_is_given),
        cmocka_unit_test(test_a_difference_of_velocities_can_be_reset),
        cmocka_unit_test(
            test_parameters_follow_those_that_are_set_unless_they_are_set_themselves),
        cmocka_unit_test(test_settings_give_the_start_of_a_parameter_that_is_set),
        cmocka_unit_test(test_a_mass_may_be_set_in_equations),
        cmocka_unit_test(test_a_parameter_that_breaks_a_constraint_is_refused),
        cmocka_unit_test(test_velocities_follow_a_constraint_whose_parameter_is_set),
        cmocka_unit_test(test_an_invariant_is_kept_at_its_value_after_the_event),
        cmocka_unit_test(test_two_events_that_set_a_parameter_differently_contradict),
    };
    return CHECK_RUN(argc, argv, tests);
}
