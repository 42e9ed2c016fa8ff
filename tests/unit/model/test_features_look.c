/* test_features_look.c - which steps have passed a narrow part unseen, theory (8.12)-(8.14):
 * chords by hand over models of one position x. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/integrator.h"
#include "model/features_inside.h"
#include "read_model.h"

#include <math.h>
#include <stdio.h>

static const double tolerance = 1e-6;

static crank_state *read_force(const char *tables, const char *force)
{
    static const char text[] = "crank: equations\n"
                               "parameters: {c: 1}\n"
                               "%s"
                               "positions: {x: {start: 0}}\n"
                               "velocities: {v: {of: x, start: 1}}\n"
                               "mass: [[1]]\n"
                               "forces: ['%s']\n"
                               "simulate: {t_end: 1}\n";
    char all[2000];
    (void)snprintf(all, sizeof all, text, tables, force);
    return read_model(all);
}

/* The look along x from begin to end, a whole run long. */
static double look(crank_state *state, const double *nodes, double begin, double end)
{
    const crank_features features = crank_state_features(state);
    double size[4] = {0.0};
    const double error = tolerance * fmax(fabs(begin), fabs(end));
    const crank_chord chord = {.begin = &begin,
                               .end = &end,
                               .nodes = nodes,
                               .part = 1.0,
                               .tolerance = tolerance,
                               .error = &error,
                               .size = size};
    assert_true(features.count >= 1 && features.count <= 4);
    assert_int_equal(features.inputs, 1);
    return features.look(features.user, &chord);
}

static const crank_method *const methods[] = {&crank_method_radau,  &crank_method_sdirk2,
                                              &crank_method_dopri5, &crank_method_dopri8,
                                              &crank_method_bdf,    &crank_method_adams};
enum { METHODS = sizeof methods / sizeof *methods };

/* floor(x) jumps once; looked at in 1024 parts it is off by as much as it can be */
static void one_jump_is_seen_by_every_method_wherever_it_is(void **state)
{
    crank_state *model = read_force("", "floor(x)");
    for (int m = 0; m < METHODS; m++) {
        for (int i = 1; i < 1000; i++) {
            const double jump = (double)i / 1000.0 + 1e-5; /* beside nodes and places */
            if (look(model, methods[m]->nodes, 1.0 - jump, 2.0 - jump) != 1.0) {
                fail_msg("%s: a jump at %g of the step", methods[m]->name, jump);
            }
        }
    }
    one_state_close(model);
}

/* Off by 1 at 0.45 and by q where the method evaluates. */
static double look_at_hat(const crank_method *method, double q)
{
    char tables[400];
    if (method->nodes != NULL) {
        (void)snprintf(tables, sizeof tables,
                       "tables: {hat: {points: [[0, 0], [%.17g, %.17g], [0.45, 1], [%.17g, "
                       "%.17g], [1, 0]], interpolation: linear}}\n",
                       method->nodes[0], q, method->nodes[1], q);
    } else {
        (void)snprintf(
            tables, sizeof tables,
            "tables: {hat: {points: [[0, 0], [%.17g, %.17g], [0.4, %.17g], [0.45, 1], "
            "[0.49, %.17g], [%.17g, %.17g], [1, 0]], interpolation: linear}}\n",
            1.0 / 6.0, q, q, q, 5.0 / 6.0, q);
    }
    crank_state *model = read_force(tables, "hat(x)");
    const double end = look(model, method->nodes, 0.0, 1.0);
    one_state_close(model);
    return end;
}

/* theory (8.14): 2.38 for Radau's nodes, 2.67 and 2.06 for Dormand's and Prince's, 5 without */
static void what_is_larger_than_a_jump_would_be_is_unseen(void **state)
{
    static const struct {
        const crank_method *method;
        double trust;
    } known[] = {{&crank_method_radau, 2.3797958971132712},
                 {&crank_method_dopri5, 8.0 / 3.0},
                 {&crank_method_dopri8, 2.0599752451751376},
                 {&crank_method_bdf, 5.0},
                 {&crank_method_adams, 5.0}};
    for (int i = 0; i < 5; i++) {
        const double q = 1.0 / known[i].trust;
        assert_true(look_at_hat(known[i].method, 1.001 * q) == 1.0);
        CHECK_NEAR(look_at_hat(known[i].method, 0.999 * q), 0.45, 1e-12);
    }
}

/* Slopes of this monotone table are zero at its points, and 0.15 between; without multipliers
 * their squares are in the equations. */
static void derivatives_of_tables_are_looked_at_between_points(void **state)
{
    crank_state *model =
        read_model("crank: equations\n"
                   "tables: {hill: {points: [[-1, 0], [0, 0], [1, 0.1], [2, 0], [3, 0]], "
                   "interpolation: monotone, outside: hold}}\n"
                   "positions: {x: {start: 0}, y: {start: 0}}\n"
                   "velocities: {u: {of: x, start: 1}, v: {of: y, start: 0}}\n"
                   "mass: [[1, 0], [0, 1]]\n"
                   "forces: [0, 0]\n"
                   "holonomic: {track: y - hill(x)}\n"
                   "simulate: {t_end: 1}\n");
    (void)look(model, crank_method_radau.nodes, -10.0, 10.0);
    bool found = false;
    for (int v = 0; v < model->model->features->value_count; v++) {
        found = found || fabs(model->features->course[v].off - 0.15 * 0.15) < 1e-12;
    }
    assert_true(found);
    one_state_close(model);
}

/* Rising, falling, beside and beyond the table; a knot at the beginning is left behind. */
static void the_first_knot_of_a_way_is_found(void **state)
{
    static const struct {
        const char *outside;
        double begin, end, at; /* at: the argument there; NAN: there is none */
    } ways[] = {{"hold", -3, 3, -1},       {"hold", -1, 3, 0},       {"hold", 0.25, 0.75, 0.5},
                {"hold", 0.75, 0.25, 0.5}, {"hold", 0.5, -3, 0},     {"hold", 0.6, 0.9, NAN},
                {"hold", 2, 9, NAN},       {"hold", 9, -9, 2},       {"repeat", 5.1, 9, 6},
                {"repeat", 8, 5.1, 6.5},   {"repeat", -4.25, 0, -4}, {"repeat", 2.1, 2.9, NAN}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char tables[300];
        (void)snprintf(tables, sizeof tables,
                       "tables: {hat: {points: [[-1, 0], [0, 1], [0.5, 2], [2, 0]], "
                       "interpolation: linear, outside: %s}}\n",
                       ways[i].outside);
        crank_state *model = read_force(tables, "hat(x)");
        const crank_features features = crank_state_features(model);
        const double a = ways[i].begin, b = ways[i].end,
                     part = features.knot(features.user, &a, &b),
                     expected = isnan(ways[i].at) ? 1.0 : (ways[i].at - a) / (b - a);
        CHECK_NEAR(part, expected, 1e-15);
        one_state_close(model);
    }
    crank_state *none = read_force("", "floor(x)");
    assert_null(crank_state_features(none).knot);
    one_state_close(none);
}

/* Two places a unit, if these are fewer than 1024 in the run. */
static void flat_functions_are_looked_at_by_their_arguments(void **state)
{
    crank_state *model = read_force("", "tanh(3*x + 1) - tanh(3*x - 1)");
    const double *nodes = crank_method_radau.nodes;
    const struct crank_feature_work *work = model->features;
    assert_true(look(model, nodes, -1.0 / 3.0, 1.0 / 3.0) == 1.0);
    assert_int_equal(work->parts, 1);
    (void)look(model, nodes, -10.0, 20.0);
    assert_int_equal(work->parts, 180);
    (void)look(model, nodes, -1000.0, 1000.0);
    assert_int_equal(work->parts, 1024);
    one_state_close(model);
    model = read_force("", "exp(-max(x, 0))*max(x, 0)^6"); /* bent at 0 */
    (void)look(model, nodes, 1.0, 4.0);
    assert_int_equal(model->features->parts, 6);
    (void)look(model, nodes, -1.0, 1.0);
    assert_int_equal(model->features->parts, 1024);
    one_state_close(model);
}

/* No bump of a flat function is missed within two units, where it is not looked for: at half
 * its height it is 1.67 units wide, so that ends or nodes see a third of it. */
static void bumps_of_flat_functions_show_within_two_units(void **state)
{
    static const char *const bumps[] = {"(tanh(x + 0.001) - tanh(x - 0.001))*500",
                                        "(erf(x + 0.001) - erf(x - 0.001))*443.1134627",
                                        "(atan(x + 0.001) - atan(x - 0.001))*500"};
    for (int i = 0; i < 3; i++) {
        crank_state *model = read_force("", bumps[i]);
        const crank_features features = crank_state_features(model);
        for (int k = -50; k <= 50; k++) {
            double size[1] = {0.0}, begin = 0.03 * k - 1.0, end = begin + 2.0;
            const crank_chord chord = {
                .begin = &begin, .end = &end, .part = 1.0, .tolerance = 1.0, .size = size};
            model->model->features->sampled = true; /* to have the ends evaluated */
            (void)features.look(features.user, &chord);
            const double seen =
                fmax(model->features->course[0].first, model->features->course[0].last);
            assert_true(fabs(0.03 * k) > 1.0 || seen > 1.0 / 3.0);
        }
        one_state_close(model);
    }
}

/* a wave that errors of x of this size could be */
static void errors_of_arguments_are_no_feature(void **state)
{
    crank_state *model = read_force("", "exp(-(1e3*(x - 1))^2)");
    const crank_features features = crank_state_features(model);
    double begin, end, error = tolerance, size[1] = {0.0};
    crank_chord chord = {.begin = &begin,
                         .end = &end,
                         .nodes = crank_method_sdirk2.nodes,
                         .part = 1.0,
                         .tolerance = tolerance,
                         .size = size};
    begin = 0.988;
    end = 1.012; /* the node, at 1.002, sees little, 1 lies between */
    assert_true(features.look(features.user, &chord) < 1.0);
    chord.error = &error;
    assert_true(features.look(features.user, &chord) < 1.0);
    error = 1.2e-2;
    assert_true(features.look(features.user, &chord) == 1.0);
    assert_true(model->features->course[0].open > 0.5);
    /* and are not asked for where nothing seems unseen */
    begin = 0.9999;
    end = 1.0001;
    assert_true(features.look(features.user, &chord) == 1.0);
    assert_true(model->features->parts == 1024 && model->features->course[0].open == 0.0);
    one_state_close(model);
}

/* A bump as wide as the step is met at all five places. New is it only after a flat stretch,
 * off the line by no more than the tolerance. */
static void after_a_flat_stretch_everything_is_new(void **state)
{
    for (int i = 0; i < 2; i++) {
        crank_state *model =
            read_force("", i == 0 ? "if(x < -2, 0.99e-6, if(x > 0 and x < 1, sin(pi*x), 0))"
                                  : "if(x < -2, 1.01e-6, if(x > 0 and x < 1, sin(pi*x), 0))");
        const crank_features features = crank_state_features(model);
        double before = -3.0, begin = -1e-3, end = 1.001, error = tolerance, size[1] = {0.0};
        const crank_chord chord = {.begin = &begin,
                                   .end = &end,
                                   .before = &before,
                                   .since = 1.0,
                                   .part = 1.0,
                                   .tolerance = tolerance,
                                   .error = &error,
                                   .size = size};
        assert_int_equal(features.look(features.user, &chord) < 1.0, i == 0);
        one_state_close(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_jump_is_seen_by_every_method_wherever_it_is),
        cmocka_unit_test(what_is_larger_than_a_jump_would_be_is_unseen),
        cmocka_unit_test(derivatives_of_tables_are_looked_at_between_points),
        cmocka_unit_test(the_first_knot_of_a_way_is_found),
        cmocka_unit_test(flat_functions_are_looked_at_by_their_arguments),
        cmocka_unit_test(bumps_of_flat_functions_show_within_two_units),
        cmocka_unit_test(errors_of_arguments_are_no_feature),
        cmocka_unit_test(after_a_flat_stretch_everything_is_new),
    };
    return CHECK_RUN(argc, argv, tests);
}
