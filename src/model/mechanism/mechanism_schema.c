/* mechanism_schema.c - a JSON Schema (draft 7) of model files, for editors: every key with its
 * help, every type of joint and force by its own keys. It checks shapes; names, expressions and
 * numbers are checked by the reader. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/keys.h"
#include "model/mechanism/mechanism_read.h"
#include "model/schema.h"
#include "model/view/view.h"

#include <stdio.h>
#include <string.h>

/* What the shapes refer to, in the language of schema.h. */
static const char *const shapes[][2] = {
    {"number", ":number,string"},
    {"flag", ":boolean"},
    {"numbers", "number|[number]"},
    {"vector", "[number]2..3"},
    {"vectors", "[vector]2..2"},
    {"end", "vector|local_ends"},
    {"ends", "vectors|local_ends"},
    {"orientation", "number|[number]4..4|turn"},
    {"curves", "[[number]]"},
    {"name", ":string"},
    {"names", "[:string]"},
    {"two_names", "[:string]2..2"},
    {"table", ":string|[[number]2..2]2..|table_mapping"},
    {"tables", "?{table}"},
    {"inertia", "tensor|inertia_about"},
    {"rotor", "number|rotor_mapping"},
    {"tensor", "number|[number|vector]3..3"},
    {"expressions", "{number}"},
    {"outputs", "?{number|output}"},
    {"points", "{vector}"},
    {"repeats", "repeat|[repeat]"},
    {"parts", ":boolean|part|[part]"},
    {"part", "=position,orientation,velocity,angular_velocity,angle,rate"},
    {"bar", "vectors"},
    {"shapes", "[view_shape]"},
    {"panels", "[:string|names]"},
    {"camera", "=iso,front,top,side|camera_place"},
    {"actions", "=stop|action|[=stop|action]"},
    {"events", "?{event}"},
    {"files", ":string|names"},
};

static void put(void *to, const char *piece)
{
    crank_text_append(to, "%s", piece);
}

/* beside a description, which a reference alone would hide */
static void refer(crank_json *j, const char *name)
{
    crank_json_open(j, "allOf", '[');
    crank_schema_reference(j, NULL, name);
    crank_json_close(j);
}

/* The definition of a shape; "name" where there is none. */
static const char *definition_of(crank_shape shape)
{
    static const char *const of[] = {
        [CRANK_SHAPE_NUMBER] = "number",     [CRANK_SHAPE_WHOLE] = "number",
        [CRANK_SHAPE_EXPRESSION] = "number", [CRANK_SHAPE_FLAG] = "flag",
        [CRANK_SHAPE_NUMBERS] = "numbers",   [CRANK_SHAPE_EXPRESSIONS] = "numbers",
        [CRANK_SHAPE_VECTOR] = "vector",     [CRANK_SHAPE_MOTION] = "vector",
        [CRANK_SHAPE_POINT] = "vector",      [CRANK_SHAPE_DIRECTION] = "vector",
        [CRANK_SHAPE_DIRECTIONS] = "ends",   [CRANK_SHAPE_ORIENTATION] = "orientation",
        [CRANK_SHAPE_END] = "end",           [CRANK_SHAPE_AXIS] = "end",
        [CRANK_SHAPE_ENDS] = "ends",         [CRANK_SHAPE_PLANE] = "plane",
        [CRANK_SHAPE_CURVES] = "curves",     [CRANK_SHAPE_BODIES] = "two_names",
        [CRANK_SHAPE_JOINTS] = "names",      [CRANK_SHAPE_TABLE] = "table",
        [CRANK_SHAPE_INERTIA] = "inertia",   [CRANK_SHAPE_SOLID] = "solid",
        [CRANK_SHAPE_FILES] = "files",       [CRANK_SHAPE_BAR] = "bar",
        [CRANK_SHAPE_SHAPES] = "shapes",     [CRANK_SHAPE_PANELS] = "panels",
        [CRANK_SHAPE_CAMERA] = "camera",     [CRANK_SHAPE_ACTIONS] = "actions",
        [CRANK_SHAPE_POINTS] = "points",     [CRANK_SHAPE_ROTOR] = "rotor",
    };
    const size_t place = (size_t)shape;
    return place < sizeof of / sizeof of[0] && of[place] != NULL ? of[place] : "name";
}

/* "enum": ["world", "body"]; numbers also without quotes, as YAML reads 2 and 3 */
static void write_enum(crank_json *j, const char *words)
{
    crank_json_open(j, "enum", '[');
    (void)crank_schema_words(j, words, "|", false);
    if (words[0] >= '0' && words[0] <= '9') {
        (void)crank_schema_words(j, words, "|", true);
    }
    crank_json_close(j);
}

/* sections: what stands under a name in them */
static void write_section(crank_json *j, const char *name, bool view)
{
    static const char *const of_names[][2] = {
        {"bodies", "body"},         {"joints", "joint"},      {"forces", "force"},
        {"assemblies", "assembly"}, {"dynamic", "dynamic"},   {"auxiliary", "auxiliary"},
        {"lines", "view_line"},     {"traces", "view_trace"}, {"events", "event"},
    };
    static const char *const as_they_are[][2] = {{"repeat", "repeats"},
                                                 {"simulate", "simulate"},
                                                 {"view", "view"},
                                                 {"outputs", "outputs"},
                                                 {"tables", "tables"}};
    char shape[80];
    for (size_t i = 0; i < sizeof of_names / sizeof of_names[0]; i++) {
        if (strcmp(name, of_names[i][0]) == 0) {
            (void)snprintf(shape, sizeof shape, "?{%s}",
                           view && i == 0 ? "view_body" : of_names[i][1]);
            (void)crank_schema_members(j, shape);
            return;
        }
    }
    if (strcmp(name, "initial") == 0) {
        (void)crank_schema_members(j, "?{number}");
        crank_json_open(j, "properties", '{');
        crank_json_open(j, "joints", '{');
        crank_json_open(j, "type", '[');
        crank_json_string(j, NULL, "object");
        crank_json_string(j, NULL, "null");
        crank_json_close(j);
        crank_json_open(j, "additionalProperties", '{');
        (void)crank_schema_members(j, "{number}");
        crank_json_open(j, "properties", '{');
        crank_json_open(j, "free", '{');
        crank_json_string(j, "type", "boolean");
        for (int i = 0; i < 5; i++) {
            crank_json_close(j);
        }
        return;
    }
    const char *definition = "expressions";
    for (size_t i = 0; i < sizeof as_they_are / sizeof as_they_are[0]; i++) {
        definition = strcmp(name, as_they_are[i][0]) == 0 ? as_they_are[i][1] : definition;
    }
    refer(j, definition);
}

static void write_key(crank_json *j, const crank_key_spec *key, bool view)
{
    crank_json_open(j, key->name, '{');
    crank_json_string(j, "description", key->help != NULL ? key->help : "");
    if (key->shape == CRANK_SHAPE_WORD && key->words != NULL) {
        write_enum(j, key->words);
    } else if (key->shape == CRANK_SHAPE_PARTS) {
        refer(j, "parts");
    } else if (key->shape == CRANK_SHAPE_SECTION) {
        write_section(j, key->name, view);
    } else {
        refer(j, strcmp(key->name, "tensor") == 0 ? "tensor" : definition_of(key->shape));
    }
    crank_json_close(j);
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

static void write_required(crank_json *j, const char *type, const crank_key_spec *keys)
{
    bool any = type != NULL;
    for (const crank_key_spec *k = keys; k->name != NULL; k++) {
        any = any || k->required;
    }
    if (!any) {
        return;
    }
    crank_json_open(j, "required", '[');
    if (type != NULL) {
        crank_json_string(j, NULL, "type");
    }
    for (const crank_key_spec *k = keys; k->name != NULL; k++) {
        if (k->required) {
            crank_json_string(j, NULL, k->name);
        }
    }
    crank_json_close(j);
}

/* {"type": {"const": "spring"}} */
static void write_type_is(crank_json *j, const char *key, const char *type)
{
    crank_json_open(j, key, '{');
    crank_json_string(j, "const", type);
    crank_json_close(j);
}

/* a mapping by its table of keys; type: of a joint or force, or NULL; more: another table whose
 * further keys count, or NULL */
static void write_mapping(crank_json *j, const char *name, const char *help, const char *type,
                          const crank_key_spec *keys, const crank_key_spec *more)
{
    crank_json_open(j, name, '{');
    if (type == NULL && more != NULL) {
        crank_json_copy(j, "type", "[\"object\", \"null\"]");
    } else {
        crank_json_string(j, "type", "object");
    }
    crank_json_string(j, "description", help != NULL ? help : "");
    crank_json_bool(j, "additionalProperties", false);
    write_required(j, type, keys);
    crank_json_open(j, "properties", '{');
    if (type != NULL) {
        write_type_is(j, "type", type);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (const crank_key_spec *k = pass == 0 ? keys : more; k != NULL && k->name != NULL;
             k++) {
            if (pass == 0 || !is_among(keys, k->name)) {
                write_key(j, k, keys == crank_keys_view);
            }
        }
    }
    crank_json_close(j);
    crank_json_close(j);
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

static const char *type_name(char name[160], const char *word, const crank_record_type *type,
                             int i)
{
    (void)snprintf(name, 160, "%s_%.80s_%d", word, type->name, i);
    return name;
}

/* {"if": the type is this, "then": one of the mappings of the types that have this name} */
static void write_choice(crank_json *j, const char *word, const crank_record_type *const *types,
                         int i)
{
    char name[160];
    int same = 0;
    for (int k = i; types[k] != NULL; k++) {
        same += strcmp(types[k]->name, types[i]->name) == 0;
    }
    crank_json_open(j, NULL, '{');
    crank_json_open(j, "if", '{');
    crank_json_open(j, "properties", '{');
    write_type_is(j, "type", types[i]->name);
    crank_json_close(j);
    crank_json_close(j);
    if (same == 1) {
        crank_schema_reference(j, "then", type_name(name, word, types[i], i));
    } else {
        crank_json_open(j, "then", '{');
        crank_json_open(j, "anyOf", '[');
        for (int k = i; types[k] != NULL; k++) {
            if (strcmp(types[k]->name, types[i]->name) == 0) {
                crank_schema_reference(j, NULL, type_name(name, word, types[k], k));
            }
        }
        crank_json_close(j);
        crank_json_close(j);
    }
    crank_json_close(j);
}

/* a joint is one of its types: the word under `type` says by which keys */
static void write_types(crank_json *j, const char *word, const crank_record_type *const *types)
{
    char name[160];
    crank_json_open(j, word, '{');
    crank_json_string(j, "type", "object");
    crank_json_copy(j, "required", "[\"type\"]");
    crank_json_open(j, "properties", '{');
    crank_json_open(j, "type", '{');
    crank_json_open(j, "enum", '[');
    for (int i = 0; types[i] != NULL; i++) {
        if (is_first(types, i)) {
            crank_json_string(j, NULL, types[i]->name);
        }
    }
    crank_json_close(j);
    crank_json_close(j);
    crank_json_close(j);
    crank_json_open(j, "allOf", '[');
    for (int i = 0; types[i] != NULL; i++) {
        if (is_first(types, i)) {
            write_choice(j, word, types, i);
        }
    }
    crank_json_close(j);
    crank_json_close(j);
    for (int i = 0; types[i] != NULL; i++) {
        write_mapping(j, type_name(name, word, types[i], i), types[i]->help, types[i]->name,
                      types[i]->keys, NULL);
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

static void write_plain_key(crank_json *j, const char *name, const char *help,
                            const char *definition)
{
    crank_json_open(j, name, '{');
    crank_json_string(j, "description", help);
    if (definition != NULL) {
        refer(j, definition);
    }
    crank_json_close(j);
}

static void write_simulate(crank_json *j)
{
    const char *name = NULL, *help = NULL;
    char range[256];
    crank_json_open(j, "simulate", '{');
    crank_json_copy(j, "type", "[\"object\", \"null\"]");
    crank_json_bool(j, "additionalProperties", false);
    crank_json_open(j, "properties", '{');
    for (int i = 0; crank_key_get(i) != NULL; i++) {
        const crank_key *key = crank_key_get(i);
        if (strcmp(key->parent, "simulate") == 0) {
            write_plain_key(j, key->name, key->help, definition_of_text(key->shape));
        }
    }
    for (int i = 0; crank_options_describe(i, &name, range, sizeof range, &help); i++) {
        if (strcmp(name, "atol") != 0) {
            write_plain_key(j, name, help, NULL);
        }
    }
    crank_json_close(j);
    crank_json_close(j);
}

/* parent: "" equations, "dae" */
static void write_equations(crank_json *j, const char *name, const char *parent)
{
    static const char *const defined[][2] = {{"simulate", "simulate"}, {"view", "view"},
                                             {"events", "events"},     {"outputs", "outputs"},
                                             {"tables", "tables"},     {"title", "name"}};
    crank_json_open(j, name, '{');
    crank_json_string(j, "type", "object");
    crank_json_copy(j, "required", "[\"crank\"]");
    crank_json_bool(j, "additionalProperties", false);
    crank_json_open(j, "properties", '{');
    for (int i = 0; crank_key_get(i) != NULL; i++) {
        const crank_key *key = crank_key_get(i);
        const char *definition = NULL;
        for (size_t k = 0; k < sizeof defined / sizeof defined[0]; k++) {
            definition = strcmp(key->name, defined[k][0]) == 0 ? defined[k][1] : definition;
        }
        if (strcmp(key->parent, parent) == 0) {
            write_plain_key(j, key->name, key->help, definition);
        }
    }
    crank_json_close(j);
    crank_json_close(j);
}

/* "if": the file is of this kind, "then": its definition */
static void write_kind(crank_json *j, const char *kind)
{
    crank_json_open(j, "if", '{');
    crank_json_open(j, "properties", '{');
    write_type_is(j, "crank", kind);
    crank_json_close(j);
    crank_json_close(j);
    crank_schema_reference(j, "then", kind);
}

static void write_kinds(crank_json *j)
{
    crank_json_copy(j, "required", "[\"crank\"]");
    crank_json_open(j, "properties", '{');
    (void)crank_schema_shape(j, "crank", "=mechanism,equations,dae");
    crank_json_close(j);
    write_kind(j, "equations");
    crank_json_open(j, "else", '{');
    write_kind(j, "dae");
    crank_schema_reference(j, "else", "mechanism");
    crank_json_close(j);
}

void crank_mechanism_schema(crank_text *out, const crank_record_type *const *joints,
                            const crank_record_type *const *forces)
{
    static const struct {
        const char *name, *help;
        const crank_key_spec *keys, *more;
    } mappings[] = {
        {"mechanism", "mechanism file", crank_keys_top, NULL},
        {"body", "body", crank_keys_body, crank_keys_planar_body},
        {"inertia_about", "inertia", crank_keys_inertia, NULL},
        {"solid", "homogeneous solid", crank_keys_solid, NULL},
        {"table_mapping", "table", crank_keys_table, NULL},
        {"local_ends", "in body axes", crank_keys_ends, NULL},
        {"turn", "rotation", crank_keys_turn, NULL},
        {"plane", "plane", crank_keys_plane, NULL},
        {"rotor_mapping", "rotor", crank_keys_rotor, NULL},
        {"assembly", "assembly", crank_keys_assembly, NULL},
        {"repeat", "repeat", crank_keys_repeat, NULL},
        {"dynamic", "dynamic variable", crank_keys_dynamic, NULL},
        {"auxiliary", "auxiliary variable", crank_keys_auxiliary, NULL},
        {"output", "output", crank_keys_output, NULL},
        {"event", "event", crank_keys_event, NULL},
        {"action", "action", crank_keys_action, NULL},
        {"view", "how it looks", crank_keys_view, NULL},
        {"camera_place", "camera", crank_keys_camera, NULL},
        {"view_body", "how a body looks", crank_keys_view_body, NULL},
        {"view_shape", "shape", crank_keys_view_shape, NULL},
        {"view_line", "line", crank_keys_view_line, NULL},
        {"view_trace", "trace", crank_keys_view_trace, NULL},
    };
    crank_json j = {.put = put, .to = out, .lines = 4, .indent = 2};
    crank_json_open(&j, NULL, '{');
    crank_json_string(&j, "$schema", "http://json-schema.org/draft-07/schema#");
    crank_json_string(&j, "title", "Model files of crank");
    crank_json_string(&j, "type", "object");
    write_kinds(&j);
    crank_json_open(&j, "definitions", '{');
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        (void)crank_schema_shape(&j, shapes[i][0], shapes[i][1]);
    }
    for (size_t i = 0; i < sizeof mappings / sizeof mappings[0]; i++) {
        write_mapping(&j, mappings[i].name, mappings[i].help, NULL, mappings[i].keys,
                      mappings[i].more);
    }
    write_types(&j, "joint", joints);
    write_types(&j, "force", forces);
    write_simulate(&j);
    write_equations(&j, "equations", "");
    write_equations(&j, "dae", "dae");
    crank_json_close(&j);
    crank_json_close(&j);
    crank_text_append(out, "\n");
}
