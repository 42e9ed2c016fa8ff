/* mechanism_schema.c - a JSON Schema (draft 7) of model files, for editors: every key with its
 * help, every type of joint and force by its own keys. It checks shapes; names, expressions and
 * numbers are checked by the reader. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/keys.h"
#include "model/mechanism/mechanism_read.h"
#include "model/view/view.h"

#include <stdio.h>
#include <string.h>

/* what the shapes refer to */
static void write_shapes(crank_text *out)
{
    crank_text_append(
        out,
        "    \"number\": {\"type\": [\"number\", \"string\"]},\n"
        "    \"flag\": {\"type\": \"boolean\"},\n"
        "    \"numbers\": {\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, {\"type\": "
        "\"array\", \"items\": {\"$ref\": \"#/definitions/number\"}}]},\n"
        "    \"vector\": {\"type\": \"array\", \"items\": {\"$ref\": "
        "\"#/definitions/number\"}, "
        "\"minItems\": 2, \"maxItems\": 3},\n"
        "    \"vectors\": {\"type\": \"array\", \"items\": {\"$ref\": "
        "\"#/definitions/vector\"}, \"minItems\": 2, \"maxItems\": 2},\n"
        "    \"end\": {\"anyOf\": [{\"$ref\": \"#/definitions/vector\"}, {\"$ref\": "
        "\"#/definitions/local_ends\"}]},\n"
        "    \"ends\": {\"anyOf\": [{\"$ref\": \"#/definitions/vectors\"}, {\"$ref\": "
        "\"#/definitions/local_ends\"}]},\n"
        "    \"orientation\": {\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, {\"type\": "
        "\"array\", \"items\": {\"$ref\": \"#/definitions/number\"}, \"minItems\": 4, "
        "\"maxItems\": 4}, {\"$ref\": \"#/definitions/turn\"}]},\n"
        "    \"curves\": {\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": "
        "{\"$ref\": \"#/definitions/number\"}}},\n"
        "    \"name\": {\"type\": \"string\"},\n"
        "    \"names\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}},\n"
        "    \"two_names\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, "
        "\"minItems\": 2, \"maxItems\": 2},\n"
        "    \"table\": {\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": "
        "{\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/number\"}, \"minItems\": "
        "2, "
        "\"maxItems\": 2}, \"minItems\": 2}]},\n"
        "    \"inertia\": {\"anyOf\": [{\"$ref\": \"#/definitions/tensor\"}, {\"$ref\": "
        "\"#/definitions/inertia_about\"}]},\n"
        "    \"tensor\": {\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, {\"type\": "
        "\"array\", \"items\": {\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, {\"$ref\": "
        "\"#/definitions/vector\"}]}, \"minItems\": 3, \"maxItems\": 3}]},\n"
        "    \"expressions\": {\"type\": \"object\", \"additionalProperties\": {\"$ref\": "
        "\"#/definitions/number\"}},\n"
        "    \"outputs\": {\"type\": [\"object\", \"null\"], \"additionalProperties\": "
        "{\"anyOf\": [{\"$ref\": \"#/definitions/number\"}, {\"$ref\": "
        "\"#/definitions/output\"}]}},\n"
        "    \"points\": {\"type\": \"object\", \"additionalProperties\": {\"$ref\": "
        "\"#/definitions/vector\"}},\n"
        "    \"repeats\": {\"anyOf\": [{\"$ref\": \"#/definitions/repeat\"}, {\"type\": "
        "\"array\", \"items\": {\"$ref\": \"#/definitions/repeat\"}}]},\n"
        "    \"parts\": {\"anyOf\": [{\"type\": \"boolean\"}, {\"$ref\": "
        "\"#/definitions/part\"}, {\"type\": \"array\", \"items\": {\"$ref\": "
        "\"#/definitions/part\"}}]},\n"
        "    \"part\": {\"enum\": [\"position\", \"orientation\", \"velocity\", "
        "\"angular_velocity\", \"angle\", \"rate\"]},\n"
        "    \"bar\": {\"$ref\": \"#/definitions/vectors\"},\n"
        "    \"shapes\": {\"type\": \"array\", \"items\": {\"$ref\": "
        "\"#/definitions/view_shape\"}},\n"
        "    \"panels\": {\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": "
        "\"string\"}, {\"$ref\": \"#/definitions/names\"}]}},\n"
        "    \"camera\": {\"anyOf\": [{\"enum\": [\"iso\", \"front\", \"top\", \"side\"]}, "
        "{\"$ref\": \"#/definitions/camera_place\"}]},\n"
        "    \"actions\": {\"anyOf\": [{\"const\": \"stop\"}, {\"$ref\": "
        "\"#/definitions/action\"}, {\"type\": \"array\", \"items\": {\"anyOf\": "
        "[{\"const\": \"stop\"}, {\"$ref\": \"#/definitions/action\"}]}}]},\n"
        "    \"events\": {\"type\": [\"object\", \"null\"], \"additionalProperties\": "
        "{\"$ref\": \"#/definitions/event\"}},\n"
        "    \"files\": {\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": "
        "\"#/definitions/names\"}]},\n");
}

static const char *definition_of(crank_shape shape)
{
    switch (shape) {
    case CRANK_SHAPE_NUMBER:
    case CRANK_SHAPE_WHOLE:
    case CRANK_SHAPE_EXPRESSION:
        return "number";
    case CRANK_SHAPE_FLAG:
        return "flag";
    case CRANK_SHAPE_NUMBERS:
    case CRANK_SHAPE_EXPRESSIONS:
        return "numbers";
    case CRANK_SHAPE_VECTOR:
    case CRANK_SHAPE_MOTION:
    case CRANK_SHAPE_POINT:
    case CRANK_SHAPE_DIRECTION:
        return "vector";
    case CRANK_SHAPE_DIRECTIONS:
        return "vectors";
    case CRANK_SHAPE_ORIENTATION:
        return "orientation";
    case CRANK_SHAPE_END:
    case CRANK_SHAPE_AXIS:
        return "end";
    case CRANK_SHAPE_ENDS:
        return "ends";
    case CRANK_SHAPE_PLANE:
        return "plane";
    case CRANK_SHAPE_CURVES:
        return "curves";
    case CRANK_SHAPE_BODIES:
        return "two_names";
    case CRANK_SHAPE_JOINTS:
        return "names";
    case CRANK_SHAPE_TABLE:
        return "table";
    case CRANK_SHAPE_INERTIA:
        return "inertia";
    case CRANK_SHAPE_SOLID:
        return "solid";
    case CRANK_SHAPE_FILES:
        return "files";
    case CRANK_SHAPE_BAR:
        return "bar";
    case CRANK_SHAPE_SHAPES:
        return "shapes";
    case CRANK_SHAPE_PANELS:
        return "panels";
    case CRANK_SHAPE_CAMERA:
        return "camera";
    case CRANK_SHAPE_ACTIONS:
        return "actions";
    case CRANK_SHAPE_POINTS:
        return "points";
    case CRANK_SHAPE_TEXT:
    case CRANK_SHAPE_COLOR:
    case CRANK_SHAPE_WORD:
    case CRANK_SHAPE_BODY:
    case CRANK_SHAPE_JOINT:
    case CRANK_SHAPE_PARTS:
    case CRANK_SHAPE_FILE:
    case CRANK_SHAPE_SECTION:
        break;
    }
    return "name";
}

/* "enum": ["world", "body"]; numbers also without quotes, as YAML reads 2 and 3 */
static void write_enum(crank_text *out, const char *words)
{
    crank_text_append(out, "\"enum\": [\"");
    for (const char *c = words; *c != '\0'; c++) {
        if (*c == '|') {
            crank_text_append(out, "\", \"");
        } else {
            crank_text_append(out, "%c", *c);
        }
    }
    crank_text_append(out, "\"");
    if (words[0] >= '0' && words[0] <= '9') {
        crank_text_append(out, ", ");
        for (const char *c = words; *c != '\0'; c++) {
            crank_text_append(out, *c == '|' ? ", " : "%c", *c);
        }
    }
    crank_text_append(out, "]");
}

/* sections: what stands under a name in them */
static void write_section(crank_text *out, const char *name, bool view)
{
    static const char *const of_names[][2] = {
        {"bodies", "body"},         {"joints", "joint"},      {"forces", "force"},
        {"assemblies", "assembly"}, {"dynamic", "dynamic"},   {"auxiliary", "auxiliary"},
        {"lines", "view_line"},     {"traces", "view_trace"}, {"events", "event"},
    };
    for (size_t i = 0; i < sizeof of_names / sizeof of_names[0]; i++) {
        if (strcmp(name, of_names[i][0]) == 0) {
            crank_text_append(out,
                              "\"type\": [\"object\", \"null\"], \"additionalProperties\": "
                              "{\"$ref\": \"#/definitions/%s\"}",
                              view && i == 0 ? "view_body" : of_names[i][1]);
            return;
        }
    }
    if (strcmp(name, "repeat") == 0 || strcmp(name, "simulate") == 0 ||
        strcmp(name, "view") == 0 || strcmp(name, "outputs") == 0) {
        crank_text_append(out, "\"allOf\": [{\"$ref\": \"#/definitions/%s\"}]",
                          name[0] == 'r' ? "repeats" : name);
        return;
    }
    crank_text_append(out, "\"allOf\": [{\"$ref\": \"#/definitions/expressions\"}]");
}

static void write_key(crank_text *out, const crank_key_spec *key, bool view)
{
    crank_text_append(out, "        ");
    crank_text_append_json(out, key->name);
    crank_text_append(out, ": {\"description\": ");
    crank_text_append_json(out, key->help != NULL ? key->help : "");
    crank_text_append(out, ", ");
    if (key->shape == CRANK_SHAPE_WORD && key->words != NULL) {
        write_enum(out, key->words);
    } else if (key->shape == CRANK_SHAPE_PARTS) {
        crank_text_append(out, "\"allOf\": [{\"$ref\": \"#/definitions/parts\"}]");
    } else if (key->shape == CRANK_SHAPE_SECTION) {
        write_section(out, key->name, view);
    } else {
        const char *definition =
            strcmp(key->name, "tensor") == 0 ? "tensor" : definition_of(key->shape);
        crank_text_append(out, "\"allOf\": [{\"$ref\": \"#/definitions/%s\"}]", definition);
    }
    crank_text_append(out, "}");
}

static bool is_among(const crank_key_spec *keys, const char *name)
{
    for (; keys != NULL && keys->name != NULL; keys++) {
        if (strcmp(keys->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* a mapping by its table of keys; type: of a joint or force, or NULL; more: another table whose
 * further keys count, or NULL */
static void write_mapping(crank_text *out, const char *name, const char *help, const char *type,
                          const crank_key_spec *keys, const crank_key_spec *more)
{
    crank_text_append(out, "    ");
    crank_text_append_json(out, name);
    crank_text_append(out, ": {\n      \"type\": %s, \"description\": ",
                      type == NULL && more != NULL ? "[\"object\", \"null\"]" : "\"object\"");
    crank_text_append_json(out, help != NULL ? help : "");
    crank_text_append(out, ", \"additionalProperties\": false");
    const char *separator = ", \"required\": [";
    if (type != NULL) {
        crank_text_append(out, "%s\"type\"", separator);
        separator = ", ";
    }
    for (const crank_key_spec *k = keys; k->name != NULL; k++) {
        if (k->required) {
            crank_text_append(out, "%s", separator);
            crank_text_append_json(out, k->name);
            separator = ", ";
        }
    }
    crank_text_append(out, "%s,\n      \"properties\": {\n", separator[2] == '\0' ? "]" : "");
    bool first = true;
    if (type != NULL) {
        crank_text_append(out, "        \"type\": {\"const\": \"%s\"}", type);
        first = false;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (const crank_key_spec *k = pass == 0 ? keys : more; k != NULL && k->name != NULL;
             k++) {
            if (pass == 0 || !is_among(keys, k->name)) {
                crank_text_append(out, "%s", first ? "" : ",\n");
                write_key(out, k, keys == crank_keys_view);
                first = false;
            }
        }
    }
    crank_text_append(out, "\n      }\n    },\n");
}

/* first of its name in the list */
static bool is_first(const crank_record_type *const *types, int i)
{
    for (int k = 0; k < i; k++) {
        if (strcmp(types[k]->name, types[i]->name) == 0) {
            return false;
        }
    }
    return true;
}

/* a joint is one of its types: the word under `type` says by which keys */
static void write_types(crank_text *out, const char *word,
                        const crank_record_type *const *types)
{
    char name[160];
    crank_text_append(out,
                      "    \"%s\": {\n      \"type\": \"object\", \"required\": [\"type\"], "
                      "\"properties\": {\"type\": {\"enum\": [",
                      word);
    for (int i = 0; types[i] != NULL; i++) {
        if (is_first(types, i)) {
            crank_text_append(out, "%s\"%s\"", i > 0 ? ", " : "", types[i]->name);
        }
    }
    crank_text_append(out, "]}},\n      \"allOf\": [");
    for (int i = 0; types[i] != NULL; i++) {
        if (!is_first(types, i)) {
            continue;
        }
        int same = 0;
        for (int k = i; types[k] != NULL; k++) {
            same += strcmp(types[k]->name, types[i]->name) == 0;
        }
        crank_text_append(out,
                          "%s\n        {\"if\": {\"properties\": {\"type\": {\"const\": "
                          "\"%s\"}}}, \"then\": %s",
                          i > 0 ? "," : "", types[i]->name, same > 1 ? "{\"anyOf\": [" : "");
        for (int k = i; types[k] != NULL; k++) {
            if (strcmp(types[k]->name, types[i]->name) == 0) {
                crank_text_append(out, "%s{\"$ref\": \"#/definitions/%s_%s_%d\"}",
                                  k > i ? ", " : "", word, types[k]->name, k);
            }
        }
        crank_text_append(out, "%s}", same > 1 ? "]}" : "");
    }
    crank_text_append(out, "\n      ]\n    },\n");
    for (int i = 0; types[i] != NULL; i++) {
        (void)snprintf(name, sizeof name, "%s_%.80s_%d", word, types[i]->name, i);
        write_mapping(out, name, types[i]->help, types[i]->name, types[i]->keys, NULL);
    }
}

/* ---- keys that are in the table of keys.c: simulate, equations files ---- */

static const char *definition_of_text(const char *shape)
{
    return strcmp(shape, "true or false") == 0 ? "flag"
           : strcmp(shape, "number") == 0 || strcmp(shape, "expression") == 0 ||
                   strcmp(shape, "whole number") == 0
               ? "number"
               : NULL;
}

static void write_plain_key(crank_text *out, bool first, const char *name, const char *help,
                            const char *definition)
{
    crank_text_append(out, "%s        ", first ? "" : ",\n");
    crank_text_append_json(out, name);
    crank_text_append(out, ": {\"description\": ");
    crank_text_append_json(out, help);
    if (definition != NULL) {
        crank_text_append(out, ", \"allOf\": [{\"$ref\": \"#/definitions/%s\"}]", definition);
    }
    crank_text_append(out, "}");
}

static void write_simulate(crank_text *out)
{
    const char *name = NULL, *help = NULL;
    char range[256];
    bool first = true;
    crank_text_append(out, "    \"simulate\": {\n      \"type\": [\"object\", \"null\"], "
                           "\"additionalProperties\": false,\n      \"properties\": {\n");
    for (int i = 0; crank_key_get(i) != NULL; i++) {
        const crank_key *key = crank_key_get(i);
        if (strcmp(key->parent, "simulate") == 0) {
            write_plain_key(out, first, key->name, key->help, definition_of_text(key->shape));
            first = false;
        }
    }
    for (int i = 0; crank_options_describe(i, &name, range, sizeof range, &help); i++) {
        if (strcmp(name, "atol") != 0) {
            write_plain_key(out, first, name, help, NULL);
        }
    }
    crank_text_append(out, "\n      }\n    },\n");
}

/* parent: "" equations, "dae" */
static void write_equations(crank_text *out, const char *name, const char *parent)
{
    bool first = true;
    crank_text_append(out,
                      "    \"%s\": {\n      \"type\": \"object\", \"required\": "
                      "[\"crank\"], \"additionalProperties\": false,\n"
                      "      \"properties\": {\n",
                      name);
    for (int i = 0; crank_key_get(i) != NULL; i++) {
        const crank_key *key = crank_key_get(i);
        if (strcmp(key->parent, parent) == 0) {
            write_plain_key(
                out, first, key->name, key->help,
                strcmp(key->name, "simulate") == 0 || strcmp(key->name, "view") == 0 ||
                        strcmp(key->name, "events") == 0 || strcmp(key->name, "outputs") == 0
                    ? key->name
                : strcmp(key->name, "title") == 0 ? "name"
                                                  : NULL);
            first = false;
        }
    }
    crank_text_append(out, "\n      }\n    }%s\n", parent[0] == '\0' ? "," : "");
}

void crank_mechanism_schema(crank_text *out, const crank_record_type *const *joints,
                            const crank_record_type *const *forces)
{
    crank_text_append(out,
                      "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                      "  \"title\": \"Model files of crank\",\n"
                      "  \"type\": \"object\", \"required\": [\"crank\"],\n"
                      "  \"properties\": {\"crank\": {\"enum\": [\"mechanism\", "
                      "\"equations\", \"dae\"]}},\n"
                      "  \"if\": {\"properties\": {\"crank\": {\"const\": \"equations\"}}},\n"
                      "  \"then\": {\"$ref\": \"#/definitions/equations\"},\n"
                      "  \"else\": {\n"
                      "    \"if\": {\"properties\": {\"crank\": {\"const\": \"dae\"}}},\n"
                      "    \"then\": {\"$ref\": \"#/definitions/dae\"},\n"
                      "    \"else\": {\"$ref\": \"#/definitions/mechanism\"}\n  },\n"
                      "  \"definitions\": {\n");
    write_shapes(out);
    write_mapping(out, "mechanism", "mechanism file", NULL, crank_keys_top, NULL);
    write_mapping(out, "body", "body", NULL, crank_keys_body, crank_keys_planar_body);
    write_mapping(out, "inertia_about", "inertia", NULL, crank_keys_inertia, NULL);
    write_mapping(out, "solid", "homogeneous solid", NULL, crank_keys_solid, NULL);
    write_mapping(out, "local_ends", "in body axes", NULL, crank_keys_ends, NULL);
    write_mapping(out, "turn", "rotation", NULL, crank_keys_turn, NULL);
    write_mapping(out, "plane", "plane", NULL, crank_keys_plane, NULL);
    write_mapping(out, "assembly", "assembly", NULL, crank_keys_assembly, NULL);
    write_mapping(out, "repeat", "repeat", NULL, crank_keys_repeat, NULL);
    write_mapping(out, "dynamic", "dynamic variable", NULL, crank_keys_dynamic, NULL);
    write_mapping(out, "auxiliary", "auxiliary variable", NULL, crank_keys_auxiliary, NULL);
    write_mapping(out, "output", "output", NULL, crank_keys_output, NULL);
    write_mapping(out, "event", "event", NULL, crank_keys_event, NULL);
    write_mapping(out, "action", "action", NULL, crank_keys_action, NULL);
    write_mapping(out, "view", "how it looks", NULL, crank_keys_view, NULL);
    write_mapping(out, "camera_place", "camera", NULL, crank_keys_camera, NULL);
    write_mapping(out, "view_body", "how a body looks", NULL, crank_keys_view_body, NULL);
    write_mapping(out, "view_shape", "shape", NULL, crank_keys_view_shape, NULL);
    write_mapping(out, "view_line", "line", NULL, crank_keys_view_line, NULL);
    write_mapping(out, "view_trace", "trace", NULL, crank_keys_view_trace, NULL);
    write_types(out, "joint", joints);
    write_types(out, "force", forces);
    write_simulate(out);
    write_equations(out, "equations", "");
    write_equations(out, "dae", "dae");
    crank_text_append(out, "  }\n}\n");
}
