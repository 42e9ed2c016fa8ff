/* test_definitions.c - names for expressions in all kinds of files: `let`, outputs that use
 * outputs, units of outputs; names that were reserved. */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"

#include <stdio.h>

enum { COLUMNS = 40 };

static int column_of(const crank_state *model, const char *name)
{
    const crank_model *m = crank_state_model(model);
    for (int i = 0; i < crank_model_column_count(m); i++) {
        if (strcmp(crank_model_column_name(m, i), name) == 0) {
            return i;
        }
    }
    fail_msg("no column %s", name);
    return -1;
}

/* a column at a point in which all unknowns are 0.3, 0.6, ... */
static double value_of(crank_state *model, const char *name, double *x)
{
    double values[COLUMNS];
    crank_error err = {0};
    const int n = crank_eom_unknowns(crank_state_eom(model));
    assert_true(n <= COLUMNS && crank_model_column_count(crank_state_model(model)) <= COLUMNS);
    for (int i = 0; i < n; i++) {
        x[i] = 0.3 * (i + 1);
    }
    CHECK_OK(crank_state_columns(model, 0.5, x, values, &err), err);
    return values[column_of(model, name)];
}

/* ---- let ---- */

/* Both texts are the same equations: all rows and derivatives must be the same numbers. */
static void compare(const char *with, const char *without)
{
    crank_state *a = read_model(with), *b = read_model(without);
    crank_eom *const eom[2] = {crank_state_eom(a), crank_state_eom(b)};
    const int n = crank_eom_unknowns(eom[0]), m = crank_eom_rows(eom[0]);
    const int entries = eom[0]->jacobian_pattern.start[n];
    double x[COLUMNS], k[2][COLUMNS], jacobian[2][200];
    crank_error err = {0};
    assert_int_equal(crank_eom_unknowns(eom[1]), n);
    assert_int_equal(crank_eom_rows(eom[1]), m);
    assert_int_equal(eom[1]->jacobian_pattern.start[n], entries);
    assert_true(n <= COLUMNS && m <= COLUMNS && entries <= 200);
    for (int i = 0; i < n; i++) {
        x[i] = 0.3 * (i + 1);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_OK(crank_eom_evaluate(eom[i], 0.5, x, k[i], &err), err);
        CHECK_OK(crank_eom_evaluate_jacobian(eom[i], 0.5, x, NULL, jacobian[i], &err), err);
    }
    for (int i = 0; i < m; i++) {
        CHECK_NEAR(k[0][i], k[1][i], 1e-13 * (1.0 + fabs(k[1][i])));
    }
    for (int i = 0; i < entries; i++) {
        CHECK_NEAR(jacobian[0][i], jacobian[1][i], 1e-13 * (1.0 + fabs(jacobian[1][i])));
    }
    one_state_close(a);
    one_state_close(b);
}

static void intermediates_of_equations_stand_for_their_expressions(void **state)
{
    (void)state;
    compare("crank: equations\n"
            "parameters: {m: 2, k: 3, both: twice}\n"
            "let: {drag: k*speed2*u, speed2: vx^2 + vy^2, r2: x^2 + y^2, twice: 2*m}\n"
            "inputs: {u: sin(t)}\n"
            "positions: {x: {start: twice}, y: 1}\n"
            "velocities: {vx: {of: x}, vy: {of: y}}\n"
            "mass: [[both + r2, 0], [0, twice]]\n"
            "forces: [-drag*vx, -drag*vy]\n"
            "holonomic: {length: r2 - 1}\n"
            "invariants: {energy: m/2*speed2}\n",
            "crank: equations\n"
            "parameters: {m: 2, k: 3}\n"
            "positions: {x: {start: 4}, y: 1}\n"
            "velocities: {vx: {of: x}, vy: {of: y}}\n"
            "mass: [[4 + x^2 + y^2, 0], [0, 4]]\n"
            "forces: [-k*(vx^2 + vy^2)*sin(t)*vx, -k*(vx^2 + vy^2)*sin(t)*vy]\n"
            "holonomic: {length: x^2 + y^2 - 1}\n"
            "invariants: {energy: m/2*(vx^2 + vy^2)}\n");
}

static void intermediates_of_dae_files_stand_for_their_expressions(void **state)
{
    (void)state;
    compare("crank: dae\n"
            "let: {r2: x^2 + y^2, push: der(x) + p2, p2: 2*t}\n"
            "variables: {x: 1, y: 0, z: 0}\n"
            "equations: [\"push = y\", \"y' = -x\", \"z = r2\"]\n",
            "crank: dae\n"
            "variables: {x: 1, y: 0, z: 0}\n"
            "equations: [\"x' + 2*t = y\", \"y' = -x\", \"z = x^2 + y^2\"]\n");
}

static void intermediates_of_mechanisms_stand_for_their_expressions(void **state)
{
    (void)state;
    compare("crank: mechanism\ndimension: 2\n"
            "parameters: {L: 2}\n"
            "let: {heavy: 3*L, pull: stiff*tip, stiff: 4 + w^2, tip: body.a.x + "
            "L*cos(body.a.angle)}\n"
            "bodies: {a: {mass: heavy, inertia: 1}}\n"
            "forces: {f: {type: force, body: a, force: [-pull, tip]}}\n"
            "dynamic: {w: {rate: -w + tip}}\n"
            "holonomic: {h: tip^2 - 4}\n",
            "crank: mechanism\ndimension: 2\n"
            "bodies: {a: {mass: 6, inertia: 1}}\n"
            "forces: {f: {type: force, body: a, force: [-(4 + w^2)*(body.a.x + "
            "2*cos(body.a.angle)), body.a.x + 2*cos(body.a.angle)]}}\n"
            "dynamic: {w: {rate: -w + body.a.x + 2*cos(body.a.angle)}}\n"
            "holonomic: {h: (body.a.x + 2*cos(body.a.angle))^2 - 4}\n");
}

static void intermediates_are_repeated_and_follow_events(void **state)
{
    crank_state *model =
        read_model("crank: mechanism\n"
                   "parameters: {k: 2, n: 2}\n"
                   "let: {scaled: 3*k}\n"
                   "repeat:\n"
                   "  count: n\n"
                   "  bodies: {\"b{i}\": {type: point, mass: 1, position: [i, 0, 0]}}\n"
                   "  let: {\"place{i}\": \"scaled*body.b{i}.x\"}\n"
                   "outputs: {last: \"place{n} + place1\"}\n"
                   "events: {on: {when: last - 1e9, actions: {set: {k: 5}}}}\n");
    double values[COLUMNS];
    crank_error err = {0};
    CHECK_OK(crank_state_columns(model, 0.0, crank_state_start(model), values, &err), err);
    CHECK_NEAR(values[column_of(model, "last")], 6.0 * 3.0, 1e-14);
    one_state_close(model);
}

static void unused_intermediates_are_told(void **state)
{
    static const char *const files[] = {
        "crank: equations\nlet: {idle: 2*x}\ndynamic: {x: {rate: 1}}\noutputs: {o: x}\n",
        "crank: mechanism\nlet: {idle: 2*x}\ndynamic: {x: {rate: 1}}\noutputs: {o: x}\n"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        crank_state *model = read_model(files[i]);
        assert_string_equal(crank_model_unused(crank_state_model(model), 0), "let \"idle\"");
        assert_null(crank_model_unused(crank_state_model(model), 1));
        one_state_close(model);
    }
}

#define POINT                                                                                  \
    "crank: equations\n"                                                                       \
    "positions: {x: 1}\n"                                                                      \
    "velocities: {v: {of: x}}\n"                                                               \
    "mass: [[1]]\n"
#define BODY                                                                                   \
    "crank: mechanism\n"                                                                       \
    "bodies: {a: {type: point, mass: 1}}\n"

static void intermediates_are_refused_where_their_contents_are(void **state)
{
    (void)state;
    refuse(POINT "let: {fast: w, w: 2*v}\nholonomic: {h: x - fast}\n", CRANK_EMODEL, 6, 20,
           "holonomic \"h\": \"fast\" contains \"v\", a velocity, and cannot be used here");
    refuse(POINT "let: {f: 2*x}\nparameters: {k: f}\n", CRANK_EMODEL, 6, 17,
           "parameter \"k\": \"f\" contains \"x\", a position, and cannot be used here");
    refuse(POINT "let: {f: o}\noutputs: {o: x}\n", CRANK_EMODEL, 5, 10,
           "let \"f\": \"o\" is an output and cannot be used here");
    refuse(BODY "let: {f: body.a.x}\nparameters: {k: f}\n", CRANK_EMODEL, 4, 17,
           "parameter \"k\": \"f\" changes with time and cannot be used here");
    refuse("crank: dae\nlet: {f: \"x'\"}\nvariables: {x: 0, u: 0}\nequations: [\"x' = u\"]\n"
           "prescribe: {u: f}\n",
           CRANK_EMODEL, 5, 16,
           "prescribe, \"u\": \"f\" contains \"x'\", a derivative, and cannot be used here");
}

static void names_are_given_once(void **state)
{
    (void)state;
    refuse(POINT "let: {x: 1}\n", CRANK_EMODEL, 2, 13,
           "the name \"x\" is already that of an intermediate");
    refuse(POINT "let: {f: 1}\noutputs: {f: x}\n", CRANK_EMODEL, 6, 11,
           "the name \"f\" is already that of an intermediate");
    refuse(BODY "let: {f: 1}\noutputs: {f: 2}\n", CRANK_EMODEL, 4, 11,
           "output \"f\": the name is given twice, first in line 3");
    refuse(BODY "let: {k: 1}\nparameters: {k: 2}\n", CRANK_EMODEL, 3, 7,
           "let \"k\": the name is given twice, first in line 4");
}

/* ---- outputs ---- */

static void outputs_use_outputs_in_any_order(void **state)
{
    static const char *const files[] = {
        "crank: equations\ndynamic: {x: {rate: 1}}\noutputs: {a: b + c, b: 2*c, c: x^2}\n"
        "events: {e: {when: a - 100}}\n",
        "crank: dae\nvariables: {x: 0}\nequations: [\"x' = 1\"]\n"
        "outputs: {a: b + c, b: 2*c, c: x^2}\nevents: {e: {when: a - 100}}\n",
        "crank: mechanism\ndynamic: {x: {rate: 1}}\noutputs: {a: b + c, b: 2*c, c: x^2}\n"
        "events: {e: {when: a - 100}}\n"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        crank_state *model = read_model(files[i]);
        double x[COLUMNS];
        const double a = value_of(model, "a", x);
        CHECK_NEAR(a, 3.0 * x[unknown(model, "x")] * x[unknown(model, "x")], 1e-14);
        one_state_close(model);
    }
}

static void cycles_are_named_with_their_members(void **state)
{
    (void)state;
    refuse(POINT "outputs: {a: b, b: 1 + c, c: a}\n", CRANK_EMODEL, 5, 11,
           "output \"a\": cyclic definition: a -> b -> c -> a");
    refuse(POINT "let: {a: b, b: a}\nforces: [a]\n", CRANK_EMODEL, 5, 7,
           "let \"a\": cyclic definition: a -> b -> a");
    refuse(POINT "let: {a: k}\nparameters: {k: a}\n", CRANK_EMODEL, 6, 14,
           "parameter \"k\": cyclic definition: k -> a -> k");
    refuse(BODY "outputs: {a: b, b: 1 + c, c: a}\n", CRANK_EMODEL, 3, 11,
           "output \"a\": cyclic definition: a -> b -> c -> a");
    refuse(BODY "let: {a: \"body.b{c}.x\", c: a}\n", CRANK_EMODEL, 3, 7,
           "let \"a\": cyclic definition: a -> c -> a");
    refuse("crank: dae\nvariables: {x: 0}\nequations: [\"x' = 1\"]\noutputs: {a: b, b: a}\n",
           CRANK_EMODEL, 4, 11, "output \"a\": cyclic definition: a -> b -> a");
}

static void outputs_have_units(void **state)
{
    static const char *const files[] = {
        "crank: equations\ndynamic: {x: {rate: 1, unit: m}}\n"
        "outputs: {a: {value: 2*b, unit: W}, b: x}\n",
        "crank: dae\nvariables: {x: {unit: m}}\nequations: [\"x' = 1\"]\n"
        "outputs: {a: {value: 2*b, unit: W}, b: x}\n",
        "crank: mechanism\ndynamic: {x: {rate: 1, unit: m}}\n"
        "outputs: {a: {value: 2*b, unit: W}, b: x}\n"};
    static const char *const descriptions[] = {"2*b", "x"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        crank_state *model = read_model(files[i]);
        const crank_model *m = crank_state_model(model);
        const int a = column_of(model, "a"), b = column_of(model, "b");
        assert_string_equal(crank_model_column_unit(m, column_of(model, "x")), "m");
        assert_string_equal(crank_model_column_unit(m, a), "W");
        assert_string_equal(crank_model_column_unit(m, b), "");
        assert_string_equal(crank_model_column_description(m, a), descriptions[0]);
        assert_string_equal(crank_model_column_description(m, b), descriptions[1]);
        one_state_close(model);
    }
    refuse(POINT "outputs: {a: {unit: W}}\n", CRANK_EMODEL, 5, 11,
           "output \"a\": \"value\" is missing");
    refuse(POINT "outputs: {a: {value: x, unit: [W]}}\n", CRANK_EMODEL, 5, 31,
           "output \"a\": unit: a text such as \"m/s\", not a list");
    refuse(POINT "outputs: {a: {valu: x}}\n", CRANK_EMODEL, 5, 15,
           "output \"a\": unknown key \"valu\"; did you mean \"value\"?");
    refuse(BODY "outputs: {a: {unit: W}}\n", CRANK_EMODEL, 3, 11,
           "output \"a\": \"value\" is missing");
    refuse(BODY "outputs: {a: {value: 1, unit: [W]}}\n", CRANK_EMODEL, 3, 31,
           "output \"a\": unit: a text such as \"m/s\", not a list");
    refuse(BODY "outputs: {a: {valu: 1}}\n", CRANK_EMODEL, 3, 15,
           "output \"a\": unknown key \"valu\"; did you mean \"value\"?");
}

/* ---- names and numbers ---- */

static void mu_and_lambda_are_names(void **state)
{
    crank_state *model = read_model("crank: equations\n"
                                    "parameters: {mu: 0.3, lambda: 2}\n"
                                    "positions: {x: 1}\n"
                                    "velocities: {v: {of: x}}\n"
                                    "mass: [[1]]\n"
                                    "forces: [-mu*lambda.wall*v]\n"
                                    "holonomic: {wall: x - lambda}\n"
                                    "outputs: {o: mu + lambda + 0*lambda.wall}\n");
    double x[COLUMNS];
    (void)state;
    CHECK_NEAR(value_of(model, "o", x), 2.3, 1e-15);
    one_state_close(model);
    model = read_model("crank: mechanism\n"
                       "parameters: {mu: 0.3, lambda: 2}\n"
                       "bodies: {a: {type: point, mass: 1, position: [lambda, 0, 0]}}\n"
                       "holonomic: {wall: body.a.x - lambda}\n"
                       "nonholonomic: {blade: body.a.vy - mu*body.a.vz}\n"
                       "outputs: {o: mu + lambda, l: lambda.wall + mu.blade}\n");
    CHECK_NEAR(value_of(model, "o", x), 2.3, 1e-15);
    CHECK_NEAR(value_of(model, "l", x),
               x[unknown(model, "lambda.wall")] + x[unknown(model, "mu.blade")], 1e-15);
    one_state_close(model);
}

/* [[1, 1/2], [0, 1]] a = (1, 1) */
static void an_explicit_zero_in_the_mass_matrix_counts(void **state)
{
    static const char *const entries[] = {
        "parameters: {z: 0}\nmass: {entries: [[a,a,1],[b,b,1],[a,b,0.5],[b,a,0]]}\n",
        "parameters: {z: 0}\nmass: {entries: [[a,a,1],[b,b,1],[b,a,z],[a,b,0.5]]}\n",
        "parameters: {z: 0}\nlet: {none: z*x}\n"
        "mass: {entries: [[a,a,1],[b,b,1],[b,a,none],[a,b,0.5]]}\n"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[400];
        double x[COLUMNS];
        (void)snprintf(text, sizeof text,
                       "crank: equations\npositions: {x: 0, y: 0}\n"
                       "velocities: {a: {of: x}, b: {of: y}}\n%sforces: [1, 1]\n"
                       "outputs: {aa: acceleration.a, ab: acceleration.b}\n",
                       entries[i]);
        crank_state *model = read_model(text);
        CHECK_NEAR(value_of(model, "aa", x), 0.5, 1e-15);
        CHECK_NEAR(value_of(model, "ab", x), 1.0, 1e-15);
        one_state_close(model);
    }
    refuse("crank: equations\npositions: {x: 0, y: 0}\nvelocities: {a: {of: x}, b: {of: y}}\n"
           "mass: {entries: [[a,a,1],[b,b,1],[a,b,0],[a,b,0]]}\n",
           CRANK_EMODEL, 4, 17, "mass: the entry (a, b) is given twice");
}

static void values_that_are_not_finite_are_told_with_their_place(void **state)
{
    (void)state;
    refuse(POINT "forces: [1/0]\n", CRANK_EMODEL, 5, 10,
           "forces \"v\": the value is not finite");
    refuse(POINT "forces: [2*(1/(x - x))]\n", CRANK_EMODEL, 5, 10,
           "forces \"v\": the value is not finite");
    refuse(POINT "let: {f: 1/0}\n", CRANK_EMODEL, 5, 10, "let \"f\": the value is not finite");
    refuse(BODY "forces: {f: {type: force, body: a, force: [1/0, 0, 0]}}\n", CRANK_EMODEL, 3,
           44, "force \"f\", force: the value is not finite");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intermediates_of_equations_stand_for_their_expressions),
        cmocka_unit_test(intermediates_of_dae_files_stand_for_their_expressions),
        cmocka_unit_test(intermediates_of_mechanisms_stand_for_their_expressions),
        cmocka_unit_test(intermediates_are_repeated_and_follow_events),
        cmocka_unit_test(unused_intermediates_are_told),
        cmocka_unit_test(intermediates_are_refused_where_their_contents_are),
        cmocka_unit_test(names_are_given_once),
        cmocka_unit_test(outputs_use_outputs_in_any_order),
        cmocka_unit_test(cycles_are_named_with_their_members),
        cmocka_unit_test(outputs_have_units),
        cmocka_unit_test(mu_and_lambda_are_names),
        cmocka_unit_test(an_explicit_zero_in_the_mass_matrix_counts),
        cmocka_unit_test(values_that_are_not_finite_are_told_with_their_place),
    };
    CHECK_RUN(argc, argv, tests);
}
