/* mechanism_reference.c - every key of a mechanism file as tables in Markdown. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/keys.h"
#include "model/mechanism/mechanism_read.h"
#include "model/view/view.h"

#include <string.h>

/* "`world`, `body`" from "world|body" */
static void write_words(crank_text *out, const char *words)
{
    for (const char *c = words; *c != '\0'; c++) {
        if (c == words) {
            crank_text_append(out, "`");
        }
        if (*c == '|') {
            crank_text_append(out, "`, `");
        } else {
            crank_text_append(out, "%c", *c);
        }
    }
    crank_text_append(out, "`");
}

static const char *shape_text(crank_shape shape)
{
    switch (shape) {
    case CRANK_SHAPE_NUMBER:
        return "number";
    case CRANK_SHAPE_WHOLE:
        return "whole number";
    case CRANK_SHAPE_FLAG:
        return "true or false";
    case CRANK_SHAPE_WORD:
        return "word";
    case CRANK_SHAPE_NUMBERS:
        return "list of numbers";
    case CRANK_SHAPE_VECTOR:
    case CRANK_SHAPE_MOTION:
        return "vector";
    case CRANK_SHAPE_POINT:
        return "point";
    case CRANK_SHAPE_DIRECTION:
        return "direction";
    case CRANK_SHAPE_DIRECTIONS:
        return "two directions, or {first: , second: }";
    case CRANK_SHAPE_ORIENTATION:
        return "orientation";
    case CRANK_SHAPE_END:
        return "point, or {first: , second: }";
    case CRANK_SHAPE_ENDS:
        return "two points, or {first: , second: }";
    case CRANK_SHAPE_AXIS:
        return "direction, or {first: , second: }";
    case CRANK_SHAPE_PLANE:
        return "{at: point, normal: direction}";
    case CRANK_SHAPE_ROTOR:
        return "number, or {inertia: , ratio: }";
    case CRANK_SHAPE_EXPRESSION:
        return "expression";
    case CRANK_SHAPE_EXPRESSIONS:
        return "list of expressions";
    case CRANK_SHAPE_CURVES:
        return "list of lists of expressions";
    case CRANK_SHAPE_BODY:
        return "body";
    case CRANK_SHAPE_BODIES:
        return "two bodies";
    case CRANK_SHAPE_JOINT:
        return "joint";
    case CRANK_SHAPE_JOINTS:
        return "list of joints";
    case CRANK_SHAPE_TABLE:
        return "table";
    case CRANK_SHAPE_INERTIA:
        return "inertia";
    case CRANK_SHAPE_SOLID:
        return "solid";
    case CRANK_SHAPE_PARTS:
        return "true, or list of";
    case CRANK_SHAPE_FILE:
        return "file";
    case CRANK_SHAPE_FILES:
        return "list of files";
    case CRANK_SHAPE_TEXT:
        return "text";
    case CRANK_SHAPE_COLOR:
        return "colour";
    case CRANK_SHAPE_BAR:
        return "two vectors";
    case CRANK_SHAPE_SHAPES:
        return "list of shapes";
    case CRANK_SHAPE_PANELS:
        return "list of lists of columns";
    case CRANK_SHAPE_CAMERA:
        return "word, or {from: , to: }";
    case CRANK_SHAPE_ACTIONS:
        return "action, or list of actions; `stop` ends the run";
    case CRANK_SHAPE_POINTS:
        return "{name: vector}";
    case CRANK_SHAPE_SECTION:
        return "mapping";
    }
    return "";
}

/* a bar would end the cell of the table */
static void write_cell(crank_text *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        crank_text_append(out, *c == '|' ? "\\%c" : "%c", *c);
    }
}

static void write_shape(crank_text *out, const crank_key_spec *key)
{
    const bool words = key->words != NULL;
    if (key->shape == CRANK_SHAPE_WORD && words) {
        write_words(out, key->words);
        return;
    }
    write_cell(out, shape_text(key->shape));
    if (words) {
        crank_text_append(out, key->shape == CRANK_SHAPE_PARTS    ? " "
                               : key->shape == CRANK_SHAPE_CAMERA ? ": "
                               : key->shape == CRANK_SHAPE_TABLE  ? ", "
                                                                  : " of ");
        write_words(out, key->words);
    }
}

static void write_table(crank_text *out, const crank_key_spec *keys)
{
    crank_text_append(out, "\n| key | value | meaning |\n|---|---|---|\n");
    for (; keys->name != NULL; keys++) {
        crank_text_append(out, "| `%s`%s | ", keys->name, keys->required ? " (required)" : "");
        write_shape(out, keys);
        crank_text_append(out, " | ");
        write_cell(out, keys->help != NULL ? keys->help : "");
        crank_text_append(out, " |\n");
    }
}

static void write_types(crank_text *out, const char *title,
                        const crank_record_type *const *types)
{
    crank_text_append(out, "\n## %s\n", title);
    for (int i = 0; types[i] != NULL; i++) {
        const int dimensions = types[i]->dimensions;
        crank_text_append(out, "\n### %s\n\n", types[i]->name);
        write_cell(out, types[i]->help != NULL ? types[i]->help : "");
        crank_text_append(out, "%s\n",
                          dimensions == 2   ? " (planar models only)"
                          : dimensions == 3 ? " (spatial models only)"
                                            : "");
        write_table(out, types[i]->keys);
    }
}

/* what the words in the column "value" mean */
static void write_values(crank_text *out)
{
    crank_text_append(
        out,
        "\n## Values\n\n| value | looks like |\n|---|---|\n"
        "| number | `2`, `2*pi*r`, `30 deg`: an expression of parameters; ` deg` behind a "
        "number or product: in degrees |\n"
        "| expression | the same with t, inputs, variables and quantities such as `body.rod.x` "
        "|\n"
        "| vector | `[x, y, z]`; in planar models `[x, y]`, as all of the next ones |\n"
        "| point, direction | a vector in world axes, at the start; inside an assembly it "
        "moves "
        "with the assembly. A direction must not be zero; its length has no meaning |\n"
        "| {first: , second: } | the same for each body in its own axes, points from its "
        "origin |\n"
        "| orientation | `[w, x, y, z]` or `{axis: [x, y, z], angle: a}`; in planar models an "
        "angle |\n"
        "| inertia | `[Ixx, Iyy, Izz]`, three rows, or a mapping; in planar models a number, "
        "or a "
        "mapping |\n"
        "| solid | one of the solids with its lengths: `{box: [1, 2, 3]}` |\n"
        "| table | `FILE.csv` with two columns, or `[[x, y], ...]`; the first column rises; or "
        "a [mapping](#tables). Behind it: how it goes between its points and beyond its ends "
        "if it does not say |\n"
        "| body, joint | its name; `ground` is the world; `left.rod` is rod of assembly left "
        "|\n"
        "| colour | `\"#rrggbb\"` in quotes, or a name: black, gray, white, red, orange, "
        "yellow, "
        "green, blue, purple and others |\n"
        "| file | its name, relative to the file that names it |\n");
}

static void write_simulate(crank_text *out)
{
    const char *name = NULL, *help = NULL;
    char range[256];
    crank_text_append(out, "\n## Simulate\n\n| key | value | meaning |\n|---|---|---|\n");
    for (int i = 0; crank_key_get(i) != NULL; i++) {
        const crank_key *key = crank_key_get(i);
        if (strcmp(key->parent, "simulate") == 0) {
            crank_text_append(out, "| `%s` | %s | %s |\n", key->name, key->shape, key->help);
        }
    }
    for (int i = 0; crank_options_describe(i, &name, range, sizeof range, &help); i++) {
        if (strcmp(name, "atol") == 0) {
            continue; /* stands among the keys */
        }
        crank_text_append(out, "| `%s` | ", name);
        write_cell(out, range);
        crank_text_append(out, " | ");
        write_cell(out, help);
        crank_text_append(out, " |\n");
    }
}

void crank_mechanism_reference(crank_text *out, const crank_record_type *const *joints,
                               const crank_record_type *const *forces)
{
    const struct {
        const char *title;
        const crank_key_spec *keys;
    } tables[] = {
        {"Top of the file", crank_keys_top},
        {"Bodies", crank_keys_body},
        {"Bodies of planar models", crank_keys_planar_body},
        {"Inertia", crank_keys_inertia},
        {"Solids: `shape`", crank_keys_solid},
        {"Tables", crank_keys_table},
        {"Rotors", crank_keys_rotor},
    };
    const struct {
        const char *title;
        const crank_key_spec *keys;
    } last[] = {
        {"Dynamic variables", crank_keys_dynamic},
        {"Auxiliary variables", crank_keys_auxiliary},
        {"Outputs", crank_keys_output},
        {"Events", crank_keys_event},
        {"Events: actions", crank_keys_action},
        {"Assemblies", crank_keys_assembly},
        {"Repeats", crank_keys_repeat},
        {"View", crank_keys_view},
        {"View: camera", crank_keys_camera},
        {"View: bodies", crank_keys_view_body},
        {"View: shapes", crank_keys_view_shape},
        {"View: lines", crank_keys_view_line},
        {"View: traces", crank_keys_view_trace},
    };
    crank_text_append(out, "# Keys of mechanism files\n\n"
                           "Written by crank from the tables that its reader uses. "
                           "[Model files](formats.md) explains them.\n");
    write_values(out);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        crank_text_append(out, "\n## %s\n", tables[i].title);
        write_table(out, tables[i].keys);
    }
    write_types(out, "Joints", joints);
    write_types(out, "Forces", forces);
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++) {
        crank_text_append(out, "\n## %s\n", last[i].title);
        write_table(out, last[i].keys);
    }
    write_simulate(out);
}
