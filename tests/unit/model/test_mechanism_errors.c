/* test_mechanism_errors.c - what is refused in a mechanism file, with place and message. */
// SPDX-License-Identifier: BSD-3-Clause
#include "read_mechanism.h"

/* complete up to here; tests append what is wrong, from line 4 on */
#define TWO                                                                                    \
    "crank: mechanism\n"                                                                       \
    "parameters: {Length: 2, m: 1}\n"                                                          \
    "bodies: {rod: {}, wheel: {}}\n"
#define JOINT   "joints:\n  knee: {type: revolute, between: [rod, wheel], at: [0, 0, 0]"
#define SPATIAL "crank: mechanism\nbodies:\n  a: "
#define PLANAR  "crank: mechanism\ndimension: 2\nbodies:\n  a: "

static void files_of_another_kind_are_refused(void **state)
{
    refuse("", 0, 0, "the file has no keys");
    refuse("crank: equations\n", 1, 8,
           "crank: a mechanism file begins with \"crank: mechanism\"");
    refuse("crank: mechanism\ndimension: 4\n", 2, 12, "dimension: must be 2 or 3");
    refuse("crank: mechanism\ngravity: [0, 0]\n", 2, 10,
           "gravity: 2 entries where 3 are expected");
    refuse("crank: mechanism\nreactions: local\n", 2, 12,
           "reactions: \"local\" is not known; known are world, joint");
    refuse("crank: mechanism\nenergy: yes\n", 2, 9, "energy: must be true or false");
}

static void misspelt_keys_get_a_suggestion(void **state)
{
    refuse(TWO "joint: {}\n", 4, 1, "unknown key \"joint\"; did you mean \"joints\"?");
    refuse(TWO JOINT ", axs: [1, 0, 0]}\n", 5, 64,
           "joint \"knee\": unknown key \"axs\"; did you mean \"axis\"?");
    refuse(SPATIAL "{mas: 1}\n", 3, 7,
           "body \"a\": unknown key \"mas\"; did you mean \"mass\"?");
    refuse(SPATIAL "{zzzz: 1}\n", 3, 7,
           "body \"a\": unknown key \"zzzz\"; known are type, mass, inertia, center, shape, "
           "density, position, orientation, velocity, angular_velocity, fixed, preferred, "
           "free, points");
    refuse(PLANAR "{orientation: 1}\n", 4, 7,
           "body \"a\": unknown key \"orientation\"; known are type, mass, inertia, center, "
           "shape, "
           "density, position, angle, velocity, rate, fixed, preferred, free, points");
    refuse(TWO "simulate: {t_nd: 1}\n", 4, 12,
           "simulate: unknown key \"t_nd\"; did you mean \"t_end\"?");
    refuse(TWO "dynamic: {r: {rat: 1}}\n", 4, 15,
           "dynamic \"r\": unknown key \"rat\"; did you mean \"rate\"?");
}

static void types_are_checked(void **state)
{
    refuse(TWO "joints: {k: {between: [rod, wheel]}}\n", 4, 10,
           "joint \"k\": \"type\" is missing");
    refuse(TWO "joints: {k: {type: revolut}}\n", 4, 20,
           "joint \"k\": type \"revolut\" is not known; did you mean \"revolute\"?");
    refuse("crank: mechanism\njoints: {k: {type: hinge}}\n", 2, 20,
           "joint \"k\": type \"hinge\" is not known; did you mean \"revolute\"?");
    refuse(TWO "forces: {k: {type: magnet}}\n", 4, 20,
           "force \"k\": type \"magnet\" is not known; known are spring, force");
    refuse("crank: mechanism\ndimension: 2\njoints: {k: {type: universal}}\n", 3, 20,
           "joint \"k\": type \"universal\" is for models of dimension 3 only; this one has "
           "dimension 2");
    refuse(TWO "joints: {k: 1}\n", 4, 13, "joint \"k\": a number where a mapping is expected");
}

static void missing_parts_are_named(void **state)
{
    refuse(TWO "joints: {k: {type: revolute, between: [rod, wheel]}}\n", 4, 10,
           "joint \"k\": \"at\" is missing");
    refuse(TWO "dynamic: {r: {start: 1}}\n", 4, 11, "dynamic \"r\": \"rate\" is missing");
    refuse(TWO "repeat: {bodies: {a: }}\n", 4, 9, "repeat: \"count\" is missing");
}

static void ends_are_checked(void **state)
{
    refuse(TWO "joints: {k: {type: revolute, between: [rod, weel], at: [0, 0, 0]}}\n", 4, 45,
           "joint \"k\", between: there is no body \"weel\"; did you mean \"wheel\"?");
    refuse(TWO "joints: {k: {type: revolute, between: [rod, rod], at: [0, 0, 0]}}\n", 4, 39,
           "joint \"k\", between: both ends are on body \"rod\"; name two different bodies");
    refuse(TWO "joints: {k: {type: revolute, between: [ground, ground], at: [0, 0, 0]}}\n", 4,
           39,
           "joint \"k\", between: both ends are on body \"ground\"; name two different bodies");
    refuse(TWO "joints: {k: {type: revolute, between: rod, at: [0, 0, 0]}}\n", 4, 39,
           "joint \"k\", between: text where a list of two names of bodies is expected");
    refuse(TWO "joints: {k: {type: gear, joints: [kk]}}\n", 4, 35,
           "joint \"k\", joints: there is no joint \"kk\"; did you mean \"k\"?");
}

static void values_of_the_wrong_shape_are_refused(void **state)
{
    refuse(TWO JOINT ", axis: [0, 0, 0]}\n", 5, 70,
           "joint \"knee\", axis: the direction is zero; give one of any other length");
    refuse(TWO JOINT ", axis: [0, 1]}\n", 5, 70,
           "joint \"knee\", axis: 2 entries where 3 are expected");
    refuse(TWO JOINT ", axis: {first: [0, 0, 1]}}\n", 5, 70,
           "joint \"knee\", axis: \"second\" is missing");
    refuse(TWO JOINT ", axis: {first: [0, 0, 1], second: [0, 0, 0]}}\n", 5, 97,
           "joint \"knee\", axis: the direction is zero; give one of any other length");
    refuse(TWO JOINT ", axis: x}\n", 5, 70,
           "joint \"knee\", axis: text where a list of numbers is expected");
    refuse(TWO JOINT ", drive: [1]}\n", 5, 71,
           "joint \"knee\", drive: a list where an expression is expected");
    refuse(TWO "forces: {f: {type: force, body: rod, order: 1.5}}\n", 4, 45,
           "force \"f\", order: 1.5, must be a whole number");
    refuse(TWO "forces: {f: {type: force, body: rod, lift: 1}}\n", 4, 44,
           "force \"f\", lift: must be true or false");
    refuse(TWO "forces: {f: {type: force, body: rod, axes: bdy}}\n", 4, 44,
           "force \"f\", axes: \"bdy\" is not known; did you mean \"body\"?");
    refuse(TWO "forces: {f: {type: spring, between: [rod, wheel], stiffness: 1/0}}\n", 4, 62,
           "force \"f\", stiffness: the value is not finite");
    refuse(TWO "forces: {f: {type: spring, between: [rod, wheel], stiffness: .inf}}\n", 4, 62,
           "force \"f\", stiffness: the value is not finite");
    refuse(TWO
           "forces: {f: {type: spring, between: [rod, wheel], orientation: [0, 0, 0, 0]}}\n",
           4, 64,
           "force \"f\", orientation: the quaternion is zero; give one of any other length");
    refuse(TWO
           "forces: {f: {type: spring, between: [rod, wheel], orientation: {axis: [0, 0, 0], "
           "angle: 1}}}\n",
           4, 71, "force \"f\", orientation: the axis is zero; give one of any other length");
    refuse(TWO "joints: {c: {type: rolling, between: [rod, wheel], profiles: [[1, 2], [1]]}}\n",
           4, 71, "joint \"c\", profiles: 1 entries where 2 are expected");
    refuse(TWO "joints: {c: {type: rolling, between: [rod, wheel], plane: {at: [0, 0, 0]}}}\n",
           4, 59, "joint \"c\", plane: \"normal\" is missing");
    refuse("crank: mechanism\nbodies: [a, b]\n", 2, 9,
           "bodies: a list where a mapping of names is expected");
}

static void one_point_in_place_of_two_ends_is_told(void **state)
{
    refuse(TWO "forces: {f: {type: spring, between: [rod, wheel], at: [0, 0, 0], stiffness: "
               "1}}\n",
           4, 55,
           "force \"f\", at: one point where two are expected, one on each body: [[x, ...], "
           "[x, ...]] or {first: , second: }");
}

static void tables_are_checked(void **state)
{
#define TABLE TWO "forces: {f: {type: spring, between: [rod, wheel], table: "
    refuse(TABLE "[[0, 1], [2, 1], [1, 1]]}}\n", 4, 75,
           "force \"f\", table: row 3: the first column must rise, and 1 follows 2");
    refuse(TABLE "[[0, 1], [0, 1]]}}\n", 4, 67,
           "force \"f\", table: row 2: the first column must rise, and 0 follows 0");
    refuse(TABLE "[[0, 1]]}}\n", 4, 58, "force \"f\", table: 1 rows, a table needs at least 2");
    refuse(TABLE "[[0, 1], [1]]}}\n", 4, 67,
           "force \"f\", table: 1 entries where 2 are expected");
    refuse(TABLE "nowhere.csv}}\n", 4, 58,
           "force \"f\", table: nowhere.csv: cannot open: No such file or directory");
    refuse(TABLE "{points: [[0, 1], [1, 2]], outside: repeat}}}\n", 4, 67,
           "force \"f\", table: row 2: a table that repeats must end with the value it begins "
           "with, 1, not 2");
    refuse(TABLE "{points: [[0, 1], [1, 2]], outside: repeated}}}\n", 4, 94,
           "force \"f\", table: outside: \"repeated\" is none of error, hold, repeat, "
           "extrapolate");
    refuse(TABLE "{points: [[0, 1], [1, 2]], interpolation: [linear]}}}\n", 4, 100,
           "force \"f\", table: interpolation: a list is none of spline, monotone, linear");
    refuse(TABLE "{points: [[0, 1], [1, 2]], outsid: hold}}}\n", 4, 85,
           "force \"f\", table: unknown key \"outsid\"; did you mean \"outside\"?");
    refuse(TABLE "{interpolation: linear}}}\n", 4, 58,
           "force \"f\", table: a table needs one of \"points\" and \"file\"");
    refuse(TABLE "{points: 3}}}\n", 4, 67,
           "force \"f\", table: a number where a list of pairs is expected");
}

static void names_in_expressions_are_checked(void **state)
{
    refuse(TWO "outputs: {o: 2*Lenght}\n", 4, 16,
           "output \"o\": \"Lenght\" is not defined; did you mean \"Length\"?");
    refuse(TWO "outputs: {o: body.rd.x}\n", 4, 14,
           "output \"o\": there is no body \"rd\"; did you mean \"rod\"?");
    refuse(TWO "outputs: {o: 1 + joint.x}\n", 4, 18,
           "output \"o\": \"joint.x\" names no quantity; write joint.NAME.QUANTITY");
    refuse(TWO "outputs: {o: zebra + 1}\n", 4, 14, "output \"o\": \"zebra\" is not defined");
    refuse(TWO "gravity: [0, t, 0]\n", 4, 14,
           "gravity: \"t\" changes with time and cannot be used here");
    refuse(TWO "gravity: [0, body.rod.x, 0]\n", 4, 14,
           "gravity: \"body.rod.x\" changes with time and cannot be used here");
    refuse(TWO "inputs: {u: t}\ngravity: [0, u, 0]\n", 5, 14,
           "gravity: \"u\" is an input and cannot be used here");
    refuse(TWO "outputs: {o: 1 +}\n", 4, 17,
           "output \"o\": expected a number, a name or \"(\" at the end of the expression");
    refuse(TWO "holonomic: {h: body.rod.x == 1}\n", 4, 16,
           "holonomic \"h\": a comparison is no constraint; write what is zero, left - right");
    refuse("crank: mechanism\nparameters: {a: b, b: c + 1, c: a}\n", 2, 14,
           "parameter \"a\": cyclic definition: a -> b -> c -> a");
    refuse("crank: mechanism\nparameters: {a: log(-1)}\n", 2, 17,
           "parameter \"a\": the value is not finite");
    refuse("crank: mechanism\nparameters: {a: [1]}\n", 2, 17,
           "parameter \"a\": a list where an expression is expected");
    /* 10 rad or 10 degrees? */
    refuse(
        TWO "outputs: {a: 10 + 30 deg}\n", 4, 14,
        "output \"a\": 10 stands in a sum with an angle in degrees, and deg holds for the term "
        "that it follows; write 10 deg, (... + ...) deg or, if radians are meant, (10)");
    refuse(TWO "outputs: {a: 30 deg deg}\n", 4, 21,
           "output \"a\": expected an operator before \"deg\"");
    refuse(TWO "outputs: {a: 30deg}\n", 4, 14,
           "output \"a\": \"30deg\" is no number; degrees are written 30 deg");
    refuse(
        TWO "outputs: {a: 2*energy.kinetic}\n", 4, 16,
        "output \"a\": \"energy.kinetic\" is not defined: energies are columns of the result "
        "only");
    refuse("crank: mechanism\nparameters: {L: 30 m}\n", 2, 20,
           "parameter \"L\": expected an operator before \"m\"; numbers have no units");
    refuse("crank: mechanism\nparameters: {a: 40°}\n", 2, 19,
           "parameter \"a\": unexpected character \"°\"; degrees are written 40 deg");
    /* nor is an angle in radians times a degree */
    refuse(TWO "outputs: {a: 2*body.rod.yaw deg}\n", 4, 29,
           "output \"a\": deg multiplies by pi/180, and body.rod.yaw "
           "is in radians; an angle in degrees is body.rod.yaw*180/pi; where the factor pi/180 "
           "is meant, write it");
    refuse(
        TWO "outputs: {a: cos(body.rod.yaw deg)}\n", 4, 31,
        "output \"a\": deg multiplies by pi/180, and body.rod.yaw is in radians; an angle in "
        "degrees is body.rod.yaw*180/pi; where the factor pi/180 is meant, write it");
    refuse(TWO "let: {b: body.rod.wx}\noutputs: {c: b, a: c deg}\n", 5, 22,
           "output \"a\": deg multiplies by pi/180, and body.rod.wx is in radians; "
           "an angle in degrees is body.rod.wx*180/pi; where the factor pi/180 is meant, write "
           "it");
}

static void names_are_checked(void **state)
{
    refuse("crank: mechanism\nbodies: {ground: {}}\n", 2, 10,
           "body \"ground\": ground is the world, which needs no body");
    refuse("crank: mechanism\nbodies: {2a: {}}\n", 2, 10,
           "body \"2a\": not a name: a letter, then letters, digits and _");
    refuse("crank: mechanism\nparameters: {t: 1}\n", 2, 14, "the name \"t\" is reserved");
    refuse("crank: mechanism\nparameters: {a.b: 1}\n", 2, 14,
           "parameter \"a.b\": not a name: a letter, then letters, digits and _");
    refuse("crank: mechanism\noutputs: {body: 1}\n", 2, 11,
           "output \"body\": the name is reserved");
    refuse(TWO "outputs: {m: 1}\n", 4, 11,
           "output \"m\": the name is given twice, first in line 2");
    refuse("crank: mechanism\nparameters: {a: 1}\ninputs: {a: 1}\n", 3, 10,
           "\"a\" is given twice, first as a parameter in line 2");
    refuse(TWO "dynamic: {r: {rate: 1}}\nauxiliary: {r: {equation: r}}\n", 5, 13,
           "auxiliary \"r\": the name is given twice, first in line 4");
}

static void masses_are_checked(void **state)
{
    refuse(SPATIAL "{mass: -1}\n", 3, 13, "body \"a\": mass: -1, must not be negative");
    refuse(SPATIAL "{mass: 1}\n", 3, 13,
           "body \"a\": a body with mass needs \"inertia\" or \"shape\", or is of \"type: "
           "point\"");
    refuse(SPATIAL "{density: 1}\n", 3, 16, "body \"a\": \"density\" needs \"shape\"");
    refuse(SPATIAL "{shape: {sphere: 1}}\n", 3, 14,
           "body \"a\": \"shape\" needs \"density\" or \"mass\"");
    refuse(SPATIAL "{shape: {sphere: 1}, density: 1, mass: 1}\n", 3, 36,
           "body \"a\": \"density\" and \"mass\": one of them is enough");
    refuse(SPATIAL "{shape: {sphere: 1}, mass: 1, inertia: [1, 1, 1]}\n", 3, 45,
           "body \"a\": \"inertia\" and \"shape\": one of them is enough");
    refuse(SPATIAL "{shape: {sphere: 0}, mass: 1}\n", 3, 23,
           "body \"a\", sphere: length 0, must be positive");
    refuse(SPATIAL "{shape: {box: [1, 2]}, mass: 1}\n", 3, 20,
           "body \"a\", box: 2 entries where 3 are expected");
    refuse(SPATIAL "{shape: {sphre: 1}, mass: 1}\n", 3, 15,
           "body \"a\", shape: unknown key \"sphre\"; did you mean \"sphere\"?");
    refuse(SPATIAL "{shape: {sphere: 1, rod: 1}, mass: 1}\n", 3, 14,
           "body \"a\", shape: 2 solids where one is expected");
    refuse(SPATIAL "{shape: {sphere: 1}, density: -1}\n", 3, 36,
           "body \"a\": density: -1, must not be negative");
    refuse(SPATIAL "{type: point, mass: 1, inertia: [1, 1, 1]}\n", 3, 38,
           "body \"a\": \"inertia\" has no meaning for a point");
    refuse(SPATIAL "{type: point, orientation: [1, 0, 0, 0]}\n", 3, 33,
           "body \"a\": \"orientation\" has no meaning for a point");
}

static void inertias_are_checked(void **state)
{
#define INERTIA SPATIAL "{mass: 2, inertia: "
    refuse(INERTIA "[[1, 0.5, 0], [0.2, 1, 0], [0, 0, 1]]}\n", 3, 25,
           "body \"a\", inertia: not symmetric: I_xy = 0.5 and I_yx = 0.2");
    refuse(INERTIA "[1, -1, 1]}\n", 3, 25,
           "body \"a\", inertia: about the centre of mass the principal moments are -1, 1, 1, "
           "must "
           "not be negative");
    refuse(INERTIA "[1, 4, 2]}\n", 3, 25,
           "body \"a\", inertia: the principal moments 1, 2, 4 violate the triangle "
           "inequality: 1 + "
           "2 < 4, which no body can have");
    refuse(INERTIA "{tensor: [1, 1, 1], about: [0, 0, 2]}}\n", 3, 25,
           "body \"a\", inertia: about the centre of mass the principal moments are -7, -7, 1, "
           "must "
           "not be negative");
    refuse(INERTIA "{about: [0, 0, 2]}}\n", 3, 25,
           "body \"a\", inertia: \"tensor\" is missing");
    refuse(INERTIA "{tensor: [1, 1, 1], abot: 1}}\n", 3, 45,
           "body \"a\", inertia: unknown key \"abot\"; did you mean \"about\"?");
    refuse(
        INERTIA "[1, 1]}\n", 3, 25,
        "body \"a\", inertia: a list of another length where [Ixx, Iyy, Izz] or three rows are "
        "expected");
    refuse(PLANAR "{mass: 1, inertia: -1}\n", 4, 25,
           "body \"a\", inertia: about the centre of mass it is -1, must not be negative");
    refuse(PLANAR "{mass: 1, inertia: {tensor: 1, axes: 1}}\n", 4, 43,
           "body \"a\", inertia: \"axes\" has no meaning in a planar model");
}

static void start_values_say_how_they_are_meant(void **state)
{
    refuse(SPATIAL "{fixed: [positon]}\n", 3, 15,
           "body \"a\", fixed: \"positon\" is not known; did you mean \"position\"?");
    refuse(SPATIAL "{fixed: true, free: [position]}\n", 3, 27,
           "body \"a\", free: at most one of \"fixed\", \"preferred\" and \"free\" holds");
    refuse(PLANAR "{fixed: [orientation]}\n", 4, 15,
           "body \"a\", fixed: \"orientation\" is not known; known are position, angle, "
           "velocity, rate");
    refuse(TWO "dynamic: {r: {rate: 1, fixed: true, free: true}}\n", 4, 43,
           "dynamic \"r\": at most one of \"fixed\", \"preferred\" and \"free\" holds");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_another_kind_are_refused),
        cmocka_unit_test(misspelt_keys_get_a_suggestion),
        cmocka_unit_test(types_are_checked),
        cmocka_unit_test(missing_parts_are_named),
        cmocka_unit_test(ends_are_checked),
        cmocka_unit_test(values_of_the_wrong_shape_are_refused),
        cmocka_unit_test(one_point_in_place_of_two_ends_is_told),
        cmocka_unit_test(tables_are_checked),
        cmocka_unit_test(names_in_expressions_are_checked),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(masses_are_checked),
        cmocka_unit_test(inertias_are_checked),
        cmocka_unit_test(start_values_say_how_they_are_meant),
    };
    return CHECK_RUN(argc, argv, tests);
}
