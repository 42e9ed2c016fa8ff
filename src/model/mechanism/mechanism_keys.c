/* mechanism_keys.c - every key of a mechanism file that is not of a type of joint or force.
 * These tables drive the reading, the reference in docs/formats.md and the JSON Schema; the
 * tables of the types are in mechanics/. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

// clang-format off
/* lines that stand in more than one table */
#define BODY_MASS                                                                              \
    {"type", CRANK_SHAPE_WORD, false, "rigid|point",                                           \
     "a point has no rotation; rigid if not given"},                                           \
    {"mass", CRANK_SHAPE_NUMBER, false, NULL, "0 if not given"}
#define BODY_SHAPE                                                                             \
    {"center", CRANK_SHAPE_VECTOR, false, NULL,                                                \
     "centre of mass from the body's origin, body axes; zero if not given"},                   \
    {"shape", CRANK_SHAPE_SOLID, false, NULL,                                                  \
     "homogeneous solid around the centre of mass, which gives the inertia"}
#define BODY_POSITION                                                                          \
    {"position", CRANK_SHAPE_POINT, false, NULL,                                               \
     "of the origin at the start; if not given a guess, zero and then where joints put it"}
#define BODY_VELOCITY                                                                          \
    {"velocity", CRANK_SHAPE_MOTION, false, NULL,                                              \
     "of the origin at the start, world axes; if not given a guess, zero"}
#define BODY_START(words)                                                                      \
    {"fixed", CRANK_SHAPE_PARTS, false, words,                                                 \
     "these start values are exact"},                                                          \
    {"preferred", CRANK_SHAPE_PARTS, false, words,                                             \
     "these start values are changed as little as possible (the rule for those that are "      \
     "given)"},                                                                                \
    {"free", CRANK_SHAPE_PARTS, false, words,                                                  \
     "these start values are guesses (the rule for those that are not given)"},                \
    {"points", CRANK_SHAPE_POINTS, false, NULL,                                                \
     "points fixed in the body: columns body.NAME.POINT.x, vx, and names in expressions, ax "  \
     "too"}
#define UNIT                                                                                   \
    {"unit", CRANK_SHAPE_TEXT, false, NULL, "unit of measurement, for results and plots"}
#define AS_AT_THE_TOP(name)                                                                    \
    {name, CRANK_SHAPE_SECTION, false, NULL, "as at the top"}

const crank_key_spec crank_keys_top[] = {
    {"crank", CRANK_SHAPE_WORD, true, "mechanism", "kind of the file"},
    {"title", CRANK_SHAPE_TEXT, false, NULL,
     "for pages and plots; the file's name if not given"},
    {"dimension", CRANK_SHAPE_WORD, false, "2|3", "2: planar, x and y; 3 if not given"},
    {"gravity", CRANK_SHAPE_VECTOR, false, NULL,
     "acceleration of free fall in world axes; zero if not given"},
    {"parameters", CRANK_SHAPE_SECTION, false, NULL,
     "constants of the run: {name: expression of parameters}, in any order"},
    {"inputs", CRANK_SHAPE_SECTION, false, NULL,
     "given functions of time: {name: expression of t}"},
    {"tables", CRANK_SHAPE_SECTION, false, NULL,
     "{name: table}: functions by points, called name(x); `monotone`, `hold` if not given"},
    {"let", CRANK_SHAPE_SECTION, false, NULL,
     "intermediate results: {name: expression}, for expressions of all sections, in any order"},
    {"include", CRANK_SHAPE_FILES, false, NULL,
     "files whose sections are added to those of this file"},
    {"assemblies", CRANK_SHAPE_SECTION, false, NULL, "mechanism files as parts of this one"},
    {"repeat", CRANK_SHAPE_SECTION, false, NULL,
     "sections that are repeated, a mapping or a list of them"},
    {"bodies", CRANK_SHAPE_SECTION, false, NULL, "bodies by name; `ground` is the world"},
    {"joints", CRANK_SHAPE_SECTION, false, NULL, "joints, contacts and drivers by name"},
    {"forces", CRANK_SHAPE_SECTION, false, NULL, "forces by name"},
    {"holonomic", CRANK_SHAPE_SECTION, false, NULL,
     "{name: expression of positions that is zero}"},
    {"nonholonomic", CRANK_SHAPE_SECTION, false, NULL,
     "{name: expression of positions and velocities that is zero}, affine in velocities"},
    {"dynamic", CRANK_SHAPE_SECTION, false, NULL, "variables with a rate"},
    {"auxiliary", CRANK_SHAPE_SECTION, false, NULL, "variables with an equation"},
    {"outputs", CRANK_SHAPE_SECTION, false, NULL,
     "{name: expression}, or {name: {value: , unit: }}: further columns of the result"},
    {"initial", CRANK_SHAPE_SECTION, false, NULL,
     "{joints: {name: {angle: number, angle_rate: number}}, name: expression that is zero}: what "
     "holds at the start only; {angle: number, free: true}: a guess"},
    {"events", CRANK_SHAPE_SECTION, false, NULL,
     "what happens where an expression passes zero"},
    {"energy", CRANK_SHAPE_FLAG, false, NULL,
     "true: dissipated and supplied work are integrated and are columns of the result"},
    {"reactions", CRANK_SHAPE_WORD, false, "world|joint",
     "axes in which reactions of joints are given; world if not given"},
    {"simulate", CRANK_SHAPE_SECTION, false, NULL, "time, tolerances, method and its options"},
    {"view", CRANK_SHAPE_SECTION, false, NULL,
     "how it looks, camera, first plots; that of an assembly's file is not used"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_body[] = {
    BODY_MASS,
    {"inertia", CRANK_SHAPE_INERTIA, false, NULL,
     "about the centre of mass in body axes, or about another point and axes"},
    BODY_SHAPE,
    {"density", CRANK_SHAPE_NUMBER, false, NULL,
     "with `shape`: gives the mass; of a rod mass per length"},
    BODY_POSITION,
    {"orientation", CRANK_SHAPE_ORIENTATION, false, NULL,
     "of the body axes at the start; if not given world axes, which count as given beside a "
     "position, else a guess, and then as joints say"},
    BODY_VELOCITY,
    {"angular_velocity", CRANK_SHAPE_MOTION, false, NULL,
     "at the start, world axes; if not given a guess, zero"},
    BODY_START("position|orientation|velocity|angular_velocity"),
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_planar_body[] = {
    BODY_MASS,
    {"inertia", CRANK_SHAPE_INERTIA, false, NULL,
     "about the centre of mass: one number, or about another point"},
    BODY_SHAPE,
    {"density", CRANK_SHAPE_NUMBER, false, NULL,
     "with `shape`: gives the mass; of a rod mass per length, of a box [a, b] mass per area"},
    BODY_POSITION,
    {"angle", CRANK_SHAPE_NUMBER, false, NULL,
     "of the body axes at the start; if not given 0, which counts as given beside a position, "
     "else a guess, and then as joints say"},
    BODY_VELOCITY,
    {"rate", CRANK_SHAPE_NUMBER, false, NULL,
     "of the angle at the start; if not given a guess, 0"},
    BODY_START("position|angle|velocity|rate"),
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_inertia[] = {
    {"about", CRANK_SHAPE_VECTOR, false, NULL,
     "point about which it is, from the origin in body axes; the centre of mass if not given"},
    {"axes", CRANK_SHAPE_ORIENTATION, false, NULL,
     "of the tensor in the body; body axes if not given (not in planar models)"},
    {"tensor", CRANK_SHAPE_NUMBERS, true, NULL, "three numbers or 3x3; planar: one number"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_table[] = {
    {"points", CRANK_SHAPE_CURVES, false, NULL, "[[x, y], ...], x rising, or `file`"},
    {"file", CRANK_SHAPE_FILE, false, NULL, "CSV file of two columns, the first one rising"},
    {"interpolation", CRANK_SHAPE_WORD, false, CRANK_TABLE_INTERPOLATIONS,
     "between its points; what is usual stands with the key if not given"},
    {"outside", CRANK_SHAPE_WORD, false, CRANK_TABLE_OUTSIDES,
     "beyond its ends: the run ends, the value of the end, from the other end, straight on"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_solid[] = {
    CRANK_KEYS_SOLIDS,
    {"cone", CRANK_SHAPE_NUMBERS, false, NULL,
     "[radius, height], axis z; its centre of mass is at 1/4 of the height"},
    {"rod", CRANK_SHAPE_NUMBER, false, NULL, "length of a thin rod along z; planar: along x"},
    {"along", CRANK_SHAPE_DIRECTION, false, NULL,
     "axis of a cylinder, capsule, cone or rod in body axes, if it is another one"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_assembly[] = {
    {"use", CRANK_SHAPE_FILE, true, NULL, "mechanism file, relative to this one"},
    {"at", CRANK_SHAPE_POINT, false, NULL, "where its origin is; zero if not given"},
    {"orientation", CRANK_SHAPE_ORIENTATION, false, NULL,
     "how it is turned; not at all if not given"},
    {"parameters", CRANK_SHAPE_SECTION, false, NULL,
     "{name: expression}: values in place of the file's own"},
    {"velocity", CRANK_SHAPE_MOTION, false, NULL,
     "with which it moves as a whole at the start, in world axes: of its origin; none if not "
     "given"},
    {"angular_velocity", CRANK_SHAPE_MOTION, false, NULL,
     "the same (not in planar models)"},
    {"rate", CRANK_SHAPE_NUMBER, false, NULL, "the same of planar models: rate of its angle"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_repeat[] = {
    {"count", CRANK_SHAPE_WHOLE, true, NULL, "how often"},
    {"index", CRANK_SHAPE_WORD, false, NULL,
     "name of the number that counts, usable in expressions and, in braces, in names; i if not "
     "given"},
    {"from", CRANK_SHAPE_WHOLE, false, NULL, "its first value; 1 if not given"},
    AS_AT_THE_TOP("bodies"),
    AS_AT_THE_TOP("joints"),
    AS_AT_THE_TOP("forces"),
    AS_AT_THE_TOP("holonomic"),
    AS_AT_THE_TOP("nonholonomic"),
    AS_AT_THE_TOP("dynamic"),
    AS_AT_THE_TOP("auxiliary"),
    AS_AT_THE_TOP("let"),
    AS_AT_THE_TOP("outputs"),
    AS_AT_THE_TOP("initial"),
    AS_AT_THE_TOP("events"),
    AS_AT_THE_TOP("assemblies"),
    {"repeat", CRANK_SHAPE_SECTION, false, NULL, "repeats inside, with another index"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_dynamic[] = {
    {"start", CRANK_SHAPE_NUMBER, false, NULL, "start value, 0 if not given"},
    {"rate", CRANK_SHAPE_EXPRESSION, true, NULL, "its rate"},
    {"fixed", CRANK_SHAPE_FLAG, false, NULL, "the start value is exact"},
    {"preferred", CRANK_SHAPE_FLAG, false, NULL,
     "the start value is changed as little as possible (the rule)"},
    {"free", CRANK_SHAPE_FLAG, false, NULL, "the start value is a guess"},
    UNIT,
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_auxiliary[] = {
    {"start", CRANK_SHAPE_NUMBER, false, NULL, "start value, 0 if not given"},
    {"equation", CRANK_SHAPE_EXPRESSION, true, NULL, "what is zero"},
    {"fixed", CRANK_SHAPE_FLAG, false, NULL, "the start value is exact"},
    {"preferred", CRANK_SHAPE_FLAG, false, NULL,
     "the start value is changed as little as possible"},
    {"free", CRANK_SHAPE_FLAG, false, NULL, "the start value is a guess (the rule)"},
    UNIT,
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_output[] = {
    {"value", CRANK_SHAPE_EXPRESSION, true, NULL, "what the column contains"},
    UNIT,
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_event[] = {
    {"when", CRANK_SHAPE_EXPRESSION, true, NULL, "the event is where it passes zero"},
    {"direction", CRANK_SHAPE_WORD, false, "falling|rising|both",
     "which passages count; both if not given"},
    {"actions", CRANK_SHAPE_ACTIONS, false, NULL,
     "done in this order; none: the time is noted"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_action[] = {
    {"impact", CRANK_SHAPE_EXPRESSION, false, NULL,
     "restitution e: the rate of `when` becomes -e times what it was"},
    {"reset", CRANK_SHAPE_SECTION, false, NULL,
     "{body.NAME.vx: expression}: new values of velocities, rates of joint coordinates and "
     "dynamic variables"},
    {"set", CRANK_SHAPE_SECTION, false, NULL,
     "{parameter: expression}: new values of parameters"},
    {"message", CRANK_SHAPE_TEXT, false, NULL, "told when it happens"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_ends[] = {
    {"first", CRANK_SHAPE_VECTOR, true, NULL,
     "in body axes of the first body, from its origin"},
    {"second", CRANK_SHAPE_VECTOR, true, NULL,
     "in body axes of the second body, from its origin"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_turn[] = {
    {"axis", CRANK_SHAPE_VECTOR, true, NULL, "about which it is turned"},
    {"angle", CRANK_SHAPE_NUMBER, true, NULL, "by how much, right-handed"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_plane[] = {
    {"at", CRANK_SHAPE_POINT, true, NULL, "a point of the plane at the start"},
    {"normal", CRANK_SHAPE_DIRECTION, true, NULL, "its normal at the start"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_rotor[] = {
    {"inertia", CRANK_SHAPE_NUMBER, true, NULL, "J, of the rotor about its own axis"},
    {"ratio", CRANK_SHAPE_NUMBER, false, NULL,
     "n, its turns per turn of the joint (of lengths: radians per length); 1 if not given"},
    CRANK_KEYS_END,
};
// clang-format on
