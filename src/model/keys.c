/* keys.c - the table of keys and the check of a mapping against it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/keys.h"

#include <crank/options.h>

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

// clang-format off
/* keys of all kinds of variables; which of the last two is the rule is said behind it */
#define START_KEY(kind) {kind, "start", "number", "start value, 0 if not given"}
#define UNIT_KEY(kind) {kind, "unit", "text", "unit of measurement, for results and plots"}
#define FIXING_KEYS(kind, preferred_rule, free_rule) \
    {kind, "fixed", "true or false", "the start value is exact"}, \
    {kind, "preferred", "true or false", \
     "the start value is changed as little as possible" preferred_rule}, \
    {kind, "free", "true or false", "the start value is a guess" free_rule}

static const crank_key keys[] = {
    {"", "crank", "equations", "kind of the file"},
    {"", "title", "text", "for pages and plots; the file's name if not given"},
    {"", "parameters", "{name: expression of parameters}",
     "constants of the run, in any order"},
    {"", "inputs", "{name: expression of t}", "given functions of time"},
    {"", "tables", "{name: table}", "functions by points, called name(x)"},
    {"", "let", "{name: expression}",
     "intermediate results, for expressions of all sections, in any order"},
    {"", "positions", "{name: number or mapping}", "p"},
    {"", "velocities", "{name: number or mapping}", "v"},
    {"", "kinematics", "matrix", "Z of p' = Z v: a row per position, a column per velocity"},
    {"", "mass", "matrix", "M of M v' = f - ..."},
    {"", "forces", "list, or {velocity: expression}", "f, by velocity"},
    {"", "holonomic", "{name: expression}", "g(p, s, t) = 0"},
    {"", "nonholonomic", "{name: expression}", "h(p, v, s, t) = 0, affine in v"},
    {"", "invariants", "{name: expression}", "kept at its start value"},
    {"", "dynamic", "{name: mapping}", "r' = b"},
    {"", "auxiliary", "{name: mapping}", "w, from 0 = d"},
    {"", "contact", "{name: mapping}", "s, from 0 = c(p, s, t)"},
    {"", "initial", "{name: expression}", "zero at the start"},
    {"", "outputs", "{name: expression or mapping}", "further columns of the result"},
    {"", "events", "{name: mapping}", "what happens where an expression passes zero"},
    {"", "simulate", "mapping", "time, tolerances, method and its options"},
    {"", "view", "mapping", "what is drawn, camera, first plots"},

    {"dae", "crank", "dae", "kind of the file"},
    {"dae", "title", "text", "for pages and plots; the file's name if not given"},
    {"dae", "parameters", "{name: expression of parameters}",
     "constants of the run, in any order"},
    {"dae", "inputs", "{name: expression of t}", "given functions of time"},
    {"dae", "tables", "{name: table}", "functions by points, called name(x)"},
    {"dae", "let", "{name: expression}",
     "intermediate results, for expressions of all sections, in any order"},
    {"dae", "variables", "{name: number or mapping}, or list of names",
     "the unknowns x, with start values"},
    {"dae", "equations", "list of texts, or {name: text}",
     "left = right, linear in derivatives x' or der(x)"},
    {"dae", "prescribe", "{variable: expression}",
     "what variables are that the equations leave open"},
    {"dae", "outputs", "{name: expression or mapping}", "further columns of the result"},
    {"dae", "events", "{name: mapping}", "what happens where an expression passes zero"},
    {"dae", "simulate", "mapping", "time, tolerances, method and its options"},
    {"dae", "view", "mapping", "what is drawn, camera, first plots"},

    START_KEY("variable"),
    UNIT_KEY("variable"),
    {"variable", "nominal", "number",
     "size that counts as one in the analysis, 1 + |start| if not given"},
    FIXING_KEYS("variable", " (the rule if the equations contain the derivative)",
                " (the rule if they do not)"),

    START_KEY("position"),
    UNIT_KEY("position"),
    FIXING_KEYS("position", " (the rule)", ""),

    {"velocity", "of", "name of a position", "whose rate it is; not with kinematics"},
    START_KEY("velocity"),
    UNIT_KEY("velocity"),
    FIXING_KEYS("velocity", " (the rule)", ""),

    START_KEY("dynamic"),
    {"dynamic", "rate", "expression", "b of r' = b"},
    UNIT_KEY("dynamic"),
    FIXING_KEYS("dynamic", " (the rule)", ""),

    START_KEY("auxiliary"),
    {"auxiliary", "equation", "expression", "d of 0 = d"},
    UNIT_KEY("auxiliary"),
    FIXING_KEYS("auxiliary", "", " (the rule)"),

    START_KEY("contact"),
    {"contact", "equation", "expression", "c of 0 = c"},
    UNIT_KEY("contact"),
    FIXING_KEYS("contact", "", " (the rule)"),

    {"output", "value", "expression", "what the column contains"},
    UNIT_KEY("output"),

    {"mass", "diagonal", "list of expressions", "one per velocity, all else is zero"},
    {"mass", "entries", "list of [velocity, velocity, expression]",
     "non-zero entries; the mirrored entry follows unless given"},
    {"kinematics", "entries", "list of [position, velocity, expression]", "non-zero entries"},

    {"event", "when", "expression", "the event is where it passes zero"},
    {"event", "direction", "falling, rising or both",
     "which passages count; both if not given"},
    {"event", "actions", "action, or list of actions",
     "done in this order; none: the time is noted"},

    {"action", "impact", "expression",
     "restitution e: the rate of `when` becomes -e times what it was"},
    {"action", "reset", "{velocity: expression}",
     "new values of velocities and dynamic variables"},
    {"action", "set", "{parameter: expression}", "new values of parameters"},
    {"action", "message", "text", "told when it happens"},
    {"action", "stop", "the word alone", "ends the run"},

    {"simulate", "t_start", "number", "0 if not given"},
    {"simulate", "t_end", "number", "1 if not given"},
    {"simulate", "every", "number", "distance of the rows of the result in time"},
    {"simulate", "points", "whole number", "number of equal intervals of the result"},
    {"simulate", "method", "word", "formulation and integrator, or a code's name"},
    {"simulate", "atol", "number, or {group: number}",
     "absolute tolerance, or one per group or kind"},

    {"atol", "p", "number", "of positions"},
    {"atol", "v", "number", "of velocities"},
    {"atol", "r", "number", "of dynamic variables"},
    {"atol", "w", "number", "of auxiliary variables"},
    {"atol", "s", "number", "of contact variables"},
    {"atol", "lambda", "number", "of multipliers of holonomic constraints"},
    {"atol", "mu", "number", "of multipliers of nonholonomic constraints"},
    {"atol", "length", "number", "mechanisms: of bodies' places"},
    {"atol", "angle", "number", "mechanisms: of angles and components of quaternions"},
    {"atol", "speed", "number", "mechanisms: of bodies' velocities"},
    {"atol", "spin", "number", "mechanisms: of bodies' angular velocities"},
    {"atol", "force", "number", "mechanisms: of forces that constraints exert"},
    {"atol", "torque", "number", "mechanisms: of torques, of constraints that only turn"},
    {"atol", "energy", "number", "mechanisms: of dissipated and supplied work"},
};
// clang-format on

enum { KEYS = sizeof keys / sizeof keys[0], CANDIDATES = 256 };

const crank_key *crank_key_get(int i)
{
    return i >= 0 && i < KEYS ? &keys[i] : NULL;
}

/* the names that may stand in a mapping; returns their number */
static int collect(const char *parent, const char **names)
{
    int count = 0;
    for (int i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].parent, parent) == 0) {
            names[count++] = keys[i].name;
        }
    }
    if (strcmp(parent, "simulate") == 0) {
        const char *name = NULL, *help = NULL;
        char range[256];
        for (int i = 0;
             count < CANDIDATES && crank_options_describe(i, &name, range, sizeof range, &help);
             i++) {
            names[count++] = name;
        }
    }
    return count;
}

static bool contains(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* "; known are p, v" where they fit, else where to find them */
static void list_known(const char *const *names, int count, char *text, size_t size)
{
    int used = snprintf(text, size, "; known are ");
    for (int i = 0; i < count && used >= 0 && (size_t)used < size; i++) {
        used += snprintf(text + used, size - (size_t)used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    if (used < 0 || (size_t)used >= size) {
        (void)snprintf(text, size, "; see docs/formats.md and crank options");
    }
}

crank_status crank_keys_check(const char *parent, const char *object, const crank_node *mapping,
                              crank_error *err)
{
    const char *names[CANDIDATES];
    const int count = collect(parent, names);
    for (int i = 0; i < mapping->count; i++) {
        const crank_node *key = mapping->key[i];
        if (contains(names, count, key->text)) {
            continue;
        }
        const char *near = crank_suggest(key->text, names, count);
        char known[240] = "";
        if (near == NULL) {
            list_known(names, count, known, sizeof known);
        }
        return crank_fail_node(err, CRANK_EMODEL, key, "%s%sunknown key \"%.80s\"%s%s%s%s",
                               object != NULL ? object : "", object != NULL ? ": " : "",
                               key->text, near != NULL ? "; did you mean \"" : "",
                               near != NULL ? near : "", near != NULL ? "\"?" : "", known);
    }
    return CRANK_OK;
}
