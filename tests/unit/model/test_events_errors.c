/* test_events_errors.c - mistakes in the section `events:`, each refused with place, object and
 * remedy; in equations and in mechanisms. */
// SPDX-License-Identifier: BSD-3-Clause
#include "read_model.h"

#include <stdio.h>

/* the section stands in line 9, what follows in it at its column */
static void refuse_events(const char *events, int column, const char *message)
{
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "crank: equations\n"
                   "parameters: {k: 5, n: 1}\n"
                   "inputs: {u: 2*t}\n"
                   "positions: {x: 0, y: 0}\n"
                   "velocities: {vx: {of: x}, vy: {of: y}}\n"
                   "mass: {diagonal: [1, 1]}\n"
                   "dynamic: {r: {rate: k}}\n"
                   "auxiliary: {w: {equation: w - u}}\n"
                   "events: %s\n",
                   events);
    refuse(text, CRANK_EMODEL, 9, column, message);
}

static void test_the_shape_of_the_section_is_checked(void **state)
{
    (void)state;
    refuse_events("[1]", 9, "events: a list where a mapping of names is expected");
    refuse_events("{a b: {when: x}}", 10,
                  "event \"a b\": not a name: a letter, then letters, digits and _");
    refuse_events("{'': {when: x}}", 10,
                  "event \"\": not a name: a letter, then letters, digits and _");
    refuse_events("{a: 3}", 13,
                  "event \"a\": a number where {when: , direction: , actions: } is expected");
    refuse_events("{a: }", 10,
                  "event \"a\": nothing where {when: , direction: , actions: } is expected");
    refuse_events("{a: {}}", 10,
                  "event \"a\": \"when\" is missing, the expression that passes "
                  "zero");
    refuse_events("{a: {whn: x}}", 14,
                  "event \"a\": unknown key \"whn\"; did you mean \"when\"?");
    refuse_events("{a: {when: x, direction: up}}", 34,
                  "event \"a\", direction: \"up\" where falling, rising or both is expected");
    refuse_events("{a: {when: x, direction: []}}", 34,
                  "event \"a\", direction: a list where falling, rising or both is expected");
}

static void test_when_must_be_able_to_pass_zero(void **state)
{
    (void)state;
    refuse_events("{a: {when: 2*n}}", 20,
                  "event \"a\", when: it is constant and never passes zero; let it depend on t "
                  "or on variables");
    refuse_events("{a: {when: k, actions: {set: {k: 2}}}}", 20,
                  "event \"a\", when: it is constant between events and never passes zero; let "
                  "it depend on t or on variables");
    refuse_events("{a: {when: x < 0}}", 20,
                  "event \"a\", when: a comparison does not pass zero; write left - right, and "
                  "the direction");
    static const char *const steps[] = {"sign(x)", "floor(t) - 3", "'if(x < 1, 1, -1)'",
                                        "(x < 1) - 0.5"};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        char text[80];
        (void)snprintf(text, sizeof text, "{a: {when: %s}}", steps[i]);
        refuse_events(text, 20,
                      "event \"a\", when: it jumps between constant values and does not pass "
                      "zero; write what its sign depends on");
    }
    refuse_events("{a: {when: x - z}}", 24, "event \"a\", when: \"z\" is not defined");
    refuse_events("{a: {when: [x]}}", 20,
                  "event \"a\", when: a list where an expression is expected");
    refuse_events("{a: {when: }}", 20, "event \"a\", when: an expression is missing");
}

static void test_actions_must_be_known(void **state)
{
    (void)state;
    refuse_events(
        "{a: {when: x, actions: halt}}", 32,
        "event \"a\", actions: text halt where an action is expected: stop, impact: , "
        "reset: {}, set: {} or message: ");
    refuse_events("{a: {when: x, actions: [[stop]]}}", 33,
                  "event \"a\", actions: a list where an action is expected: stop, impact: , "
                  "reset: {}, set: {} or message: ");
    refuse_events("{a: {when: x, actions: [bounce: 1]}}", 33,
                  "event \"a\", actions: unknown key \"bounce\"; known are impact, reset, set, "
                  "message, stop");
    refuse_events("{a: {when: x, actions: [stop: 1]}}", 33,
                  "event \"a\", actions: stop has no value; write the word alone, - stop");
    refuse_events("{a: {when: x, actions: [stop, stop]}}", 39,
                  "event \"a\": \"stop\" is given twice, first in line 9");
    refuse_events("{a: {when: x, actions: {message: [1]}}}", 42,
                  "event \"a\", message: a list where a text is expected");
    refuse_events("{a: {when: x, actions: {message: \"\"}}}", 42,
                  "event \"a\", message: nothing where a text is expected");
}

static void test_impacts_are_along_a_distance(void **state)
{
    (void)state;
    refuse_events("{a: {when: x, actions: {impact: -0.1}}}", 41,
                  "event \"a\", impact: the restitution is -0.1; 0 (nothing springs back) to 1 "
                  "(nothing is lost) is usual, negative values go through the wall");
    refuse_events("{a: {when: x, actions: {impact: 1/0}}}", 41,
                  "event \"a\", impact: the value is not finite");
    refuse_events("{a: {when: t - 1, actions: {impact: 1}}}", 37,
                  "event \"a\", impact: `when` must be a distance, of positions; reset gives "
                  "velocities new values");
    refuse_events(
        "{a: {when: x - vx, actions: {impact: 1}}}", 38,
        "event \"a\", impact: `when` must be a distance, of positions and t only; reset "
        "gives velocities new values");
}

static void test_only_velocities_and_dynamic_variables_are_reset(void **state)
{
    (void)state;
    refuse_events("{a: {when: x, actions: {reset: 2}}}", 40,
                  "event \"a\", reset: a number where {velocity: value} is expected");
    refuse_events("{a: {when: x, actions: {reset: {}}}}", 40,
                  "event \"a\", reset: nothing where {velocity: value} is expected");
    refuse_events("{a: {when: x, actions: {reset: {x: 2}}}}", 41,
                  "event \"a\", reset \"x\": a position cannot jump; velocities and dynamic "
                  "variables can be reset");
    refuse_events("{a: {when: x, actions: {reset: {n: 2}}}}", 41,
                  "event \"a\", reset \"n\": it is a parameter; use set");
    refuse_events(
        "{a: {when: x, actions: {reset: {w: 2}}}}", 41,
        "event \"a\", reset \"w\": it is no velocity; velocities and dynamic variables "
        "can be reset");
    refuse_events("{a: {when: x, actions: {reset: {vx*vy: 2}}}}", 41,
                  "event \"a\", reset \"vx*vy\": it is not linear in the velocities");
    refuse_events("{a: {when: x, actions: {reset: {vx + r: 2}}}}", 41,
                  "event \"a\", reset \"vx + r\": an expression that is reset contains "
                  "velocities, positions and t only");
    refuse_events("{a: {when: x, actions: {reset: {vz: 2}}}}", 41,
                  "event \"a\", reset: \"vz\" is not defined; did you mean \"vx\"?");
    refuse_events("{a: {when: x, actions: [reset: {vx: 2}, reset: {vx: 3}]}}", 57,
                  "event \"a\": reset of \"vx\" is given twice, first in line 9");
}

static void test_only_parameters_are_set(void **state)
{
    (void)state;
    refuse_events("{a: {when: x, actions: {set: [k]}}}", 38,
                  "event \"a\", set: a list where {parameter: value} is expected");
    refuse_events("{a: {when: x, actions: {set: {vx: 1}}}}", 39,
                  "event \"a\", set: \"vx\" is no parameter; write reset: {vx: }");
    refuse_events("{a: {when: x, actions: {set: {x: 1}}}}", 39,
                  "event \"a\", set: \"x\" is no parameter: only parameters can be set");
    refuse_events("{a: {when: x, actions: {set: {u: 1}}}}", 39,
                  "event \"a\", set: \"u\" is no parameter: only parameters can be set");
    refuse_events("{a: {when: x, actions: {set: {kk: 1}}}}", 39,
                  "event \"a\", set: \"kk\" is no parameter; did you mean \"k\"?");
    refuse_events("{a: {when: x, actions: {set: {k: q}}}}", 42,
                  "event \"a\", set: \"q\" is not defined");
}

/* ---- numbers that hold for the whole run ---- */

static void test_a_view_cannot_change_its_size(void **state)
{
    (void)state;
    refuse("crank: equations\n"
           "parameters: {k: 5}\n"
           "positions: {x: k}\n"
           "velocities: {v: {of: x, start: k}}\n"
           "mass: [[1]]\n"
           "events: {a: {when: t - k, actions: {set: {k: 2}}}}\n"
           "simulate: {t_end: 2*k}\n"
           "view: {bodies: {b: {x: x, shapes: [{sphere: k}]}}}\n",
           CRANK_EMODEL, 8, 45,
           "view, body \"b\", shape 1, sphere: this number holds for the whole run, but an "
           "event sets parameter "
           "\"k\"; use another parameter here");
}

static void refuse_mechanism(const char *rest, int line, int column, const char *message)
{
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "crank: mechanism\n"
        "dimension: 2\n"
        "parameters: {k: 5, two_k: 2*k}\n"
        "inputs: {u: 2*t}\n"
        "joints: {rail: {type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0]}}\n"
        "%s\n",
        rest);
    refuse(text, CRANK_EMODEL, line, column, message);
}

static void test_numbers_of_mechanisms_hold_for_the_whole_run(void **state)
{
    (void)state;
    refuse_mechanism(
        "bodies: {a: {mass: 2*k, inertia: 1}}\n"
        "events: {e: {when: t - 1, actions: {set: {k: 2}}}}\n",
        6, 20,
        "body \"a\", mass: this number holds for the whole run, but an event sets "
        "parameter \"k\"; use another parameter here, or state it where expressions "
        "may stand (`law` of a force, its `scale`, `holonomic`)");
    refuse_mechanism(
        "bodies: {a: {mass: 1, inertia: 1, position: [k, 0]}}\n"
        "events: {e: {when: t - 1, actions: {set: {k: 2}}}}\n"
        "forces: {s: {type: spring, between: [ground, a], at: [[0, 0], [1, 0]], "
        "stiffness: two_k}}\n",
        8, 83,
        "force \"s\", stiffness: this number holds for the whole run, but an event "
        "sets parameter \"k\"; use another parameter here, or state it where "
        "expressions may stand (`law` of a force, its `scale`, `holonomic`)");
    refuse_mechanism(
        "bodies: {a: {mass: 1, inertia: 1}}\n"
        "repeat: {count: k, outputs: {}}\n"
        "events: {e: {when: t - 1, actions: {set: {k: 2}}}}\n",
        7, 17,
        "repeat, count: this number holds for the whole run, but an event sets "
        "parameter \"k\"; use another parameter here, or state it where expressions "
        "may stand (`law` of a force, its `scale`, `holonomic`)");
}

static void test_mistakes_in_events_of_mechanisms(void **state)
{
    (void)state;
    refuse_mechanism("bodies: {a: {mass: 1, inertia: 1}}\n"
                     "events: {e: {when: body.b.x}}\n",
                     7, 20, "event \"e\", when: there is no body \"b\"; known are a");
    refuse_mechanism("bodies: {a: {mass: 1, inertia: 1}}\n"
                     "events: {e: {when: body.a.wx}}\n",
                     7, 20,
                     "event \"e\": body \"a\" has no quantity \"wx\"; did you mean \"x\"?");
    refuse_mechanism("bodies: {a: {mass: 1, inertia: 1}}\n"
                     "events: {e: {when: body.a.vx, actions: {impact: 1}}}\n",
                     7, 41,
                     "event \"e\", impact: `when` must be a distance, of positions and t only; "
                     "reset gives velocities new values");
    refuse_mechanism("bodies: {a: {mass: 1, inertia: 1}}\n"
                     "events: {e: {when: body.a.x, actions: {reset: {body.a.y: 1}}}}\n",
                     7, 48,
                     "event \"e\", reset \"body.a.y\": a position cannot jump; velocities and "
                     "dynamic variables can be reset");
    refuse_mechanism("bodies: {a: {mass: 1, inertia: 1}}\n"
                     "events: {e: {when: body.a.x, actions: {reset: {k: 1}}}}\n",
                     7, 48,
                     "event \"e\", reset \"k\": it is no velocity; velocities and dynamic "
                     "variables can be reset, parameters set");
    refuse_mechanism(
        "bodies: {a: {mass: 1, inertia: 1}}\n"
        "events: {e: {when: body.a.x, actions: {set: {u: 1}}}}\n",
        7, 46,
        "event \"e\", set: \"u\" is no parameter of this file: it is an input; let it "
        "depend on a parameter");
    refuse_mechanism(
        "bodies: {a: {mass: 1, inertia: 1}}\n"
        "events: {e: {when: body.a.x, actions: {set: {body.a.vx: 1}}}}\n",
        7, 46,
        "event \"e\", set: \"body.a.vx\" is no parameter of this file; reset gives "
        "velocities and variables new values");
    refuse_mechanism(
        "bodies: {a: {mass: 1, inertia: 1}}\n"
        "events: {e: {when: k, actions: {set: {k: 1}}}}\n",
        7, 20,
        "event \"e\", when: it is constant between events and never passes zero; let "
        "it depend on t or on the motion");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_shape_of_the_section_is_checked),
        cmocka_unit_test(test_when_must_be_able_to_pass_zero),
        cmocka_unit_test(test_actions_must_be_known),
        cmocka_unit_test(test_impacts_are_along_a_distance),
        cmocka_unit_test(test_only_velocities_and_dynamic_variables_are_reset),
        cmocka_unit_test(test_only_parameters_are_set),
        cmocka_unit_test(test_a_view_cannot_change_its_size),
        cmocka_unit_test(test_numbers_of_mechanisms_hold_for_the_whole_run),
        cmocka_unit_test(test_mistakes_in_events_of_mechanisms),
    };
    return CHECK_RUN(argc, argv, tests);
}
