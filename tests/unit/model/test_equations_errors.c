/* test_equations_errors.c - what is refused in an equations file, with place and message. */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"

/* one degree of freedom, complete up to here; tests append what is wrong, from line 5 on */
#define POINT                                                                                  \
    "crank: equations\n"                                                                       \
    "parameters: {Length: 2, m: 1}\n"                                                          \
    "positions: {x: 1, y: {start: 2}}\n"                                                       \
    "velocities: {vx: {of: x}, vy: {of: y}}\n"
#define MASS "mass: [[m, 0], [0, m]]\n"

static void misspelt_keys_get_a_suggestion(void **state)
{
    refuse(POINT MASS "forcs: [0, 0]\n", CRANK_EMODEL, 6, 1,
           "unknown key \"forcs\"; did you mean \"forces\"?");
    refuse(POINT MASS "contact: {s: {strt: 1, equation: s}}\n", CRANK_EMODEL, 6, 15,
           "contact \"s\": unknown key \"strt\"; did you mean \"start\"?");
    refuse(POINT "mass: {diagnal: [1, 1]}\n", CRANK_EMODEL, 5, 8,
           "mass: unknown key \"diagnal\"; did you mean \"diagonal\"?");
    refuse(POINT MASS "simulate: {rtoll: 1e-3}\n", CRANK_EMODEL, 6, 12,
           "simulate: unknown key \"rtoll\"; did you mean \"rtol\"?");
    refuse(POINT MASS "simulate: {atol: {lamda: 1e-3}}\n", CRANK_EMODEL, 6, 19,
           "simulate, atol: unknown key \"lamda\"; did you mean \"lambda\"?");
    refuse(POINT MASS "simulate: {atol: {q: 1}}\n", CRANK_EMODEL, 6, 19,
           "simulate, atol: unknown key \"q\"; known are p, v, r, w, s, lambda, mu, length, "
           "angle, speed, spin, force, torque, energy");
    refuse(POINT MASS "simulate: {zebra: 1}\n", CRANK_EMODEL, 6, 12,
           "simulate: unknown key \"zebra\"; see docs/formats.md and crank options");
}

static void misspelt_names_get_a_suggestion_at_their_place(void **state)
{
    refuse(POINT MASS "holonomic: {length: x^2 + y^2 - Lenght^2}\n", CRANK_EMODEL, 6, 33,
           "holonomic \"length\": \"Lenght\" is not defined; did you mean \"Length\"?");
    refuse(POINT MASS "holonomic:\n  length: x^2 +\n    y^2 - Lenght^2\n", CRANK_EMODEL, 8, 11,
           "holonomic \"length\": \"Lenght\" is not defined; did you mean \"Length\"?");
    refuse(POINT MASS "outputs: {a: 'zzz'}\n", CRANK_EMODEL, 6, 15,
           "output \"a\": \"zzz\" is not defined");
    refuse(POINT MASS "forces: {vxx: 1}\n", CRANK_EMODEL, 6, 10,
           "forces: \"vxx\" is not a velocity; did you mean \"vx\"?");
}

static void syntax_errors_in_expressions_carry_object_and_place(void **state)
{
    crank_state *model = NULL;
    crank_error err = {0};
    const char *text = POINT MASS "holonomic: {length: x^2 + * y}\n";
    CHECK_STATUS(one_state_read_text("test", text, strlen(text), NULL, &model, &err),
                 CRANK_ESYNTAX);
    assert_int_equal(err.line, 6);
    assert_int_equal(err.column, 27);
    CHECK_CONTAINS(err.text, "holonomic \"length\": ");
}

static void wrong_shapes_are_counted(void **state)
{
    refuse(POINT MASS "forces: [0, 1, 2]\n", CRANK_EMODEL, 6, 9,
           "forces: 3 entries for 2 velocities");
    refuse(POINT MASS "forces: 3\n", CRANK_EMODEL, 6, 9,
           "forces: text where a list, or a mapping by velocity, is expected");
    refuse(POINT "mass: [[1, 0]]\n", CRANK_EMODEL, 5, 7, "mass: 1 row for 2 velocities");
    refuse(POINT "mass: [[1, 0], [0]]\n", CRANK_EMODEL, 5, 16,
           "mass, row 2: 1 entry for 2 velocities");
    refuse(POINT "mass: [1, 2]\n", CRANK_EMODEL, 5, 8,
           "mass, row 1: a number where a list is expected");
    refuse(POINT "mass: 7\n", CRANK_EMODEL, 5, 7, "mass: a number where a list is expected");
    refuse(POINT "mass: {diagonal: [1]}\n", CRANK_EMODEL, 5, 18,
           "mass, diagonal: 1 entry for 2 velocities");
    refuse(POINT "mass: {diagonal: [1, 1], entries: []}\n", CRANK_EMODEL, 5, 7,
           "mass: several forms, give one of rows, diagonal or entries");
    refuse(POINT "mass: {entries: [[vx, vx]]}\n", CRANK_EMODEL, 5, 18,
           "mass, entry 1: [velocity, velocity, expression] is expected");
    refuse(POINT "mass: {entries: [[vx, vx, 1], [vx, vx, 2]]}\n", CRANK_EMODEL, 5, 17,
           "mass: the entry (vx, vx) is given twice");
    refuse(POINT "mass: {entries: [[vx, x, 1]]}\n", CRANK_EMODEL, 5, 23,
           "mass, entry 1: \"x\" is not a velocity");
    refuse(POINT MASS "positions: [x]\n", CRANK_ESYNTAX, 6, 1,
           "\"positions\" is given twice, first in line 3");
    refuse("crank: equations\npositions: [x]\n", CRANK_EMODEL, 2, 12,
           "positions: a list where a mapping of names is expected");
    refuse(POINT MASS "holonomic: {a: [x]}\n", CRANK_EMODEL, 6, 16,
           "holonomic \"a\": a list where an expression is expected");
    refuse(POINT MASS "holonomic: {a: }\n", CRANK_EMODEL, 6, 16,
           "holonomic \"a\": an expression is missing");
}

static void missing_parts_are_named(void **state)
{
    refuse(POINT, CRANK_EMODEL, 4, 14, "mass: missing; 2 velocities need a mass matrix");
    refuse(POINT MASS "dynamic: {r: {start: 1}}\n", CRANK_EMODEL, 6, 11,
           "dynamic \"r\": \"rate\" is missing");
    refuse(POINT MASS "auxiliary: {w: 1}\n", CRANK_EMODEL, 6, 13,
           "auxiliary \"w\": \"equation\" is missing");
    refuse(
        "crank: equations\npositions: {x: 0, y: 0}\nvelocities: {vx: {of: x}}\nmass: [[1]]\n",
        CRANK_EMODEL, 2, 19, "position \"y\": no velocity is its rate");
    refuse("crank: equations\npositions: {x: 0}\nvelocities: {vx: 1}\nmass: [[1]]\n",
           CRANK_EMODEL, 3, 14,
           "velocity \"vx\": \"of\" is missing: the position whose rate it is (or give "
           "\"kinematics\")");
    refuse("crank: equations\npositions: {x: 0}\nvelocities: {a: {of: x}, b: {of: x}}\n",
           CRANK_EMODEL, 3, 34, "velocity \"b\": the rate of \"x\" is already \"a\"");
    refuse("crank: equations\npositions: {x: 0}\nvelocities: {a: {of: x}}\n"
           "kinematics: [[1]]\nmass: [[1]]\n",
           CRANK_EMODEL, 3, 22, "velocity \"a\": both \"of\" and \"kinematics\"");
    refuse("crank: equations\n", CRANK_EMODEL, 1, 1,
           "positions: neither positions nor dynamic variables are given");
}

static void cyclic_parameters_are_named(void **state)
{
    refuse("crank: equations\nparameters: {d: a, a: b + 1, b: 2*c, c: a}\npositions: {}\n",
           CRANK_EMODEL, 2, 20, "parameter \"a\": cyclic definition: a -> b -> c -> a");
    refuse("crank: equations\nparameters: {a: a}\n", CRANK_EMODEL, 2, 14,
           "parameter \"a\": cyclic definition: a -> a");
}

static void data_that_is_not_finite_is_refused(void **state)
{
    refuse("crank: equations\nparameters: {a: .nan}\n", CRANK_EMODEL, 2, 17,
           "parameter \"a\": the value is not finite");
    refuse("crank: equations\nparameters: {a: 1e999}\n", CRANK_EMODEL, 2, 17,
           "parameter \"a\": the value is not finite");
    refuse("crank: equations\nparameters: {a: 0, b: 1/a}\n", CRANK_EMODEL, 2, 23,
           "parameter \"b\": the value is not finite");
    refuse("crank: equations\nparameters: {a: -1}\npositions: {x: sqrt(a)}\n", CRANK_EMODEL, 3,
           16, "position \"x\": the value is not finite");
    refuse(POINT MASS "forces: [.inf, 0]\n", CRANK_EMODEL, 6, 10,
           "forces \"vx\": the value is not finite");
}

static void names_are_checked(void **state)
{
    refuse("crank: equations\nparameters: {sin: 1}\n", CRANK_EMODEL, 2, 14,
           "the name \"sin\" is reserved");
    refuse("crank: equations\nparameters: {t: 1}\n", CRANK_EMODEL, 2, 14,
           "the name \"t\" is reserved");
    refuse("crank: equations\nparameters: {mu.a: 1}\n", CRANK_EMODEL, 2, 14,
           "the name \"mu.a\" is reserved");
    refuse("crank: equations\nparameters: {2a: 1}\n", CRANK_EMODEL, 2, 14,
           "\"2a\" is not a name: a letter, then letters, digits and _");
    refuse("crank: equations\nparameters: {x: 1}\npositions: {x: 1}\n", CRANK_EMODEL, 3, 13,
           "the name \"x\" is already that of a parameter");
    refuse(POINT MASS "outputs: {vx: x}\n", CRANK_EMODEL, 6, 11,
           "the name \"vx\" is already that of a velocity");
}

static void names_are_refused_where_they_have_no_place(void **state)
{
    refuse(POINT MASS "holonomic: {a: x + vx}\n", CRANK_EMODEL, 6, 20,
           "holonomic \"a\": \"vx\" is a velocity and cannot be used here");
    refuse(POINT MASS "nonholonomic: {a: vx + lambda.b}\nholonomic: {b: x}\n", CRANK_EMODEL, 6,
           24, "nonholonomic \"a\": \"lambda.b\" is a multiplier and cannot be used here");
    refuse(POINT "mass: [[m*vx, 0], [0, m]]\n", CRANK_EMODEL, 5, 11,
           "mass (vx, vx): \"vx\" is a velocity and cannot be used here");
    refuse("crank: equations\nparameters: {a: x}\npositions: {x: 1}\n", CRANK_EMODEL, 2, 17,
           "parameter \"a\": \"x\" is a position and cannot be used here");
    refuse("crank: equations\ninputs: {u: x}\npositions: {x: 1}\n", CRANK_EMODEL, 2, 13,
           "input \"u\": \"x\" is a position and cannot be used here");
    refuse(POINT MASS "forces: [acceleration.vy, 0]\n", CRANK_EMODEL, 6, 10,
           "forces \"vx\": \"acceleration.vy\" is an acceleration and cannot be used here");
}

static void start_values_say_how_they_are_meant(void **state)
{
    refuse("crank: equations\npositions: {x: {fixed: 1}}\n", CRANK_EMODEL, 2, 24,
           "position \"x\": \"fixed\" is true or false; the value itself is \"start\"");
    refuse("crank: equations\npositions: {x: {fixed: true, free: true}}\n", CRANK_EMODEL, 2, 36,
           "position \"x\": both \"fixed\" and \"free\"");
}

static void constraints_of_the_wrong_kind_are_refused(void **state)
{
    refuse(POINT MASS "nonholonomic: {a: vx^2 + vy}\n", CRANK_EMODEL, 6, 19,
           "nonholonomic \"a\": not affine in the velocities, see \"vx\" and \"vx\"");
    refuse(POINT MASS "nonholonomic: {a: vx*vy}\n", CRANK_EMODEL, 6, 19,
           "nonholonomic \"a\": not affine in the velocities, see \"vx\" and \"vy\"");
    refuse(POINT MASS "invariants: {a: x^2 + y^2}\n", CRANK_EMODEL, 6, 17,
           "invariant \"a\": depends on no velocity and is not constant by itself; it is a "
           "constraint and belongs under \"holonomic\"");
    refuse(
        POINT MASS "contact: {s: {equation: x}}\n", CRANK_EMODEL, 6, 11,
        "contact \"s\": the contact equations do not determine the contact variables (c_s is "
        "singular at the start)");
    refuse(
        POINT "mass: [[1, 1], [1, 1]]\nsimulate: {accelerations: eliminate}\n", CRANK_EMODEL, 5,
        1,
        "mass: singular at the start values (row of \"vy\"); \"accelerations: carry\" does not "
        "invert it");
}

static void simulate_values_are_checked(void **state)
{
    refuse(POINT MASS "simulate: {points: 2.5}\n", CRANK_EMODEL, 6, 20,
           "simulate, points: 2.5, must be a positive whole number");
    refuse(POINT MASS "simulate: {every: 0}\n", CRANK_EMODEL, 6, 19,
           "simulate, every: 0, must be positive");
    refuse(POINT MASS "simulate: {every: 1, points: 2}\n", CRANK_EMODEL, 6, 11,
           "simulate: both \"every\" and \"points\"");
    refuse(POINT MASS "simulate: {t_end: [1]}\n", CRANK_EMODEL, 6, 19,
           "simulate, t_end: a list where a number is expected");
    refuse(POINT MASS "simulate: {singular: stopp}\n", CRANK_EMODEL, 6, 22,
           "simulate: option \"singular\": \"stopp\" is not one of stop|pass; did you mean "
           "\"stop\"?");
}

static void kinds_of_files_are_checked(void **state)
{
    refuse("", CRANK_ESYNTAX, 0, 0, "the file is empty");
    refuse("positions: {}\n", CRANK_EMODEL, 1, 1,
           "crank: missing; a model begins with \"crank: mechanism\", \"crank: equations\" or "
           "\"crank: dae\"");
    refuse("- a\n- b\n", CRANK_EMODEL, 1, 1,
           "crank: missing; a model begins with \"crank: mechanism\", \"crank: equations\" or "
           "\"crank: dae\"");
    refuse("crank: equation\n", CRANK_EMODEL, 1, 8,
           "crank: \"equation\" is not a known kind of model; did you mean \"equations\"?");
    refuse("crank: circuit\n", CRANK_EMODEL, 1, 8,
           "crank: \"circuit\" is not a known kind of model; known are \"equations\", "
           "\"mechanism\", \"dae\"");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misspelt_keys_get_a_suggestion),
        cmocka_unit_test(misspelt_names_get_a_suggestion_at_their_place),
        cmocka_unit_test(syntax_errors_in_expressions_carry_object_and_place),
        cmocka_unit_test(wrong_shapes_are_counted),
        cmocka_unit_test(missing_parts_are_named),
        cmocka_unit_test(cyclic_parameters_are_named),
        cmocka_unit_test(data_that_is_not_finite_is_refused),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(names_are_refused_where_they_have_no_place),
        cmocka_unit_test(start_values_say_how_they_are_meant),
        cmocka_unit_test(constraints_of_the_wrong_kind_are_refused),
        cmocka_unit_test(simulate_values_are_checked),
        cmocka_unit_test(kinds_of_files_are_checked),
    };
    return CHECK_RUN(argc, argv, tests);
}
