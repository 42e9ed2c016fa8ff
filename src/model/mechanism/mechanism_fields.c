/* mechanism_fields.c - mappings by their table of keys; texts as numbers and expressions of the
 * names that are seen from their place.
 *
 * A name in an expression is, in this order: a local name of the key (length of a spring's
 * law), t, the index of a repeat around it; what the innermost assembly has under this name: a
 * parameter or an input, an intermediate or an output, a dynamic or auxiliary variable; a
 * multiplier (lambda.NAME), a quantity of an object (body.rod.x). Parameters are numbers: they
 * take the place of their names, and so do the expressions of inputs, intermediates and
 * outputs; parameters that events set stay symbols. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "base/grow.h"
#include "base/number.h"
#include "base/then.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 64, MOST_BRACES = 64 };

/* ---- names in expressions ---- */

typedef struct search {
    const crank_site *site;
    crank_use use;
    const char *locals;
    int missing; /* a definition that has no value yet, or -1 */
} search;

static crank_ex resolve_given(search *s, int i, const char *text, int line, int column,
                              crank_error *err)
{
    crank_given *given = &s->site->r->given[i];
    if ((given->kind == CRANK_GIVEN_INPUT && s->use == CRANK_USE_CONSTANTS) ||
        (given->kind == CRANK_GIVEN_OUTPUT && s->use != CRANK_USE_RESULTS)) {
        crank_fail_at(err, CRANK_EMODEL, line, column,
                      "\"%.80s\" is an %s and cannot be used here", text,
                      crank_given_word(given->kind));
        return -1;
    }
    given->used = true;
    if (given->state != 2) {
        s->missing = i;
        crank_fail_at(err, CRANK_EMODEL, line, column, "\"%.80s\" has no value yet", text);
        return -1;
    }
    const int wrong = given->kind == CRANK_GIVEN_LET && s->use < CRANK_USE_ANYTHING
                          ? crank_scope_exceeds(s->site->r, given->value, s->use)
                          : 0;
    if (wrong != 0) {
        crank_fail_at(err, wrong < 0 ? CRANK_EMEM : CRANK_EMODEL, line, column,
                      "\"%.80s\" changes with time and cannot be used here", text);
        return -1;
    }
    return given->value;
}

/* The definition that a name means, -1: none. found: a symbol of this name, or negative. Full
 * names are a prefix and the name, longer further inside. */
static int find_given(const crank_site *site, const char *text, crank_ex found)
{
    const crank_reading *r = site->r;
    const int value = crank_given_see(r, site->scope, text);
    const int derived = crank_scope_find_derived(site, text);
    const bool inner = derived >= 0 && (value < 0 || strlen(r->given[derived].name) >
                                                         strlen(r->given[value].name));
    const int given = inner ? derived : value;
    return given >= 0 && found >= 0 &&
                   strlen(crank_ex_symbol_name(r->pool, found)) > strlen(r->given[given].name)
               ? -1
               : given;
}

/* Quantities of intermediates are looked at where they are used; messages name where they
 * stand. */
static bool note_written(crank_reading *r, crank_ex symbol)
{
    crank_mechanism *m = r->m;
    if (r->defining == NULL) {
        return true;
    }
    m->written = crank_store_grow(r->store, m->written, m->written_count, &m->written_capacity,
                                  sizeof *m->written);
    if (m->written != NULL) {
        m->written[m->written_count++] =
            (crank_written){symbol, r->defining->name, r->defining->node};
    }
    return m->written != NULL;
}

static crank_ex resolve(const char *text, int line, int column, void *user, crank_error *err)
{
    search *s = user;
    const crank_site *site = s->site;
    crank_reading *r = site->r;
    if (crank_words_contain(s->locals, text)) {
        return crank_ex_symbol(r->pool, text);
    }
    const bool time = strcmp(text, "t") == 0;
    if (time && s->use != CRANK_USE_CONSTANTS) {
        return r->m->t;
    }
    for (const crank_scope *o = site->scope; o->index != NULL; o = o->outer) {
        if (strcmp(o->index, text) == 0) {
            return crank_ex_number(r->pool, o->value);
        }
    }
    char wrong[CRANK_SCOPE_NAME] = "";
    const crank_ex found = crank_scope_find_symbol(site, text, wrong);
    const int given = find_given(site, text, found);
    if (given >= 0) {
        return resolve_given(s, given, text, line, column, err);
    }
    if (time || (found >= 0 && s->use < CRANK_USE_ANYTHING)) {
        crank_fail_at(err, CRANK_EMODEL, line, column,
                      "\"%.80s\" changes with time and cannot be used here", text);
        return -1;
    }
    if (found >= 0) {
        return note_written(r, found) ? found : -1;
    }
    if (found == -2) {
        crank_fail_at(err, CRANK_EMODEL, line, column, "%s", wrong);
        return -1;
    }
    if (strncmp(text, "energy.", strlen("energy.")) == 0) {
        crank_fail_at(err, CRANK_EMODEL, line, column,
                      "\"%.80s\" is not defined: energies are columns of the result only",
                      text);
        return -1;
    }
    char near[160];
    crank_scope_suggest(r, site->scope, s->use, s->locals, text, near, sizeof near);
    crank_fail_at(err, CRANK_EMODEL, line, column, "\"%.80s\" is not defined%s", text, near);
    return -1;
}

/* ---- expressions ---- */

/* puts the object before the message and the true place beside it */
static crank_status complain(const crank_site *site, const crank_node *node, const char *text,
                             crank_status status)
{
    crank_error *err = site->r->err;
    const int offset = err->column - 1; /* parsed as if it stood at 1:1 */
    char message[sizeof err->text];
    memcpy(message, err->text, sizeof message);
    (void)crank_site_fail(site, node, "%s", message);
    err->status = status;
    if (node != NULL && offset >= 0 && text == node->text) {
        crank_node_locate(&site->scope->source->document, node, offset, &err->line,
                          &err->column);
    }
    return status;
}

/* line breaks become blanks; malloc'ed, NULL: no memory */
static char *one_line(const char *text)
{
    const size_t length = strlen(text);
    char *line = malloc(length + 1);
    for (size_t i = 0; i <= length && line != NULL; i++) {
        line[i] = (char)(text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
    }
    return line;
}

crank_status crank_scope_try(const crank_site *site, const crank_node *node, const char *text,
                             crank_use use, const char *locals, crank_ex *out, int *missing)
{
    crank_reading *r = site->r;
    search s = {site, use, locals, -1};
    char *line = one_line(text);
    if (line == NULL) {
        return crank_reading_no_memory(r);
    }
    r->err->line = r->err->column = 0;
    r->parsing = site->scope;
    crank_status status = CRANK_OK;
    double value = 0.0;
    if (crank_number_parse(line, &value)) {
        *out = crank_ex_number(r->pool, value);
    } else {
        status = crank_ex_parse(r->pool, line, 1, 1, resolve, &s, out, r->err);
    }
    free(line);
    *missing = s.missing;
    if (status != CRANK_OK) {
        return s.missing >= 0    ? CRANK_OK
               : r->table_failed ? status
                                 : complain(site, node, text, status);
    }
    if (crank_pool_status(r->pool) != CRANK_OK) {
        return crank_reading_no_memory(r);
    }
    return CRANK_OK;
}

/* a text as an expression; node: for places, NULL for settings */
static crank_status parse_text(const crank_site *site, const crank_node *node, const char *text,
                               crank_use use, const char *locals, crank_ex *out)
{
    for (;;) {
        int missing = -1;
        crank_status status = crank_scope_try(site, node, text, use, locals, out, &missing);
        if (status != CRANK_OK || missing < 0) {
            return status;
        }
        status = crank_given_evaluate(site->r, missing);
        if (status != CRANK_OK) {
            return status;
        }
    }
}

/* a scalar with something in it */
static crank_status check_scalar(const crank_site *site, const crank_node *node,
                                 const char *wanted)
{
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_site_fail(site, node, "%s where %s is expected", crank_node_describe(node),
                               wanted);
    }
    return CRANK_OK;
}

crank_status crank_scope_setting(const crank_site *site, const char *text, double *out)
{
    crank_ex ex = 0;
    const crank_status status = parse_text(site, NULL, text, CRANK_USE_CONSTANTS, NULL, &ex);
    return status == CRANK_OK ? crank_scope_constant(site, NULL, ex, out) : status;
}

crank_status crank_scope_number(const crank_site *site, const crank_node *node, double *out)
{
    const char *text = NULL;
    crank_status status = check_scalar(site, node, "a number");
    *out = 0.0;
    if (status == CRANK_OK && crank_number_parse(node->text, out)) {
        return isfinite(*out) ? CRANK_OK
                              : crank_site_fail(site, node, "the value is not finite");
    }
    CRANK_THEN(status, crank_scope_text(site, node, &text));
    crank_ex ex = 0;
    CRANK_THEN(status, parse_text(site, node, text, CRANK_USE_CONSTANTS, NULL, &ex));
    return status == CRANK_OK ? crank_scope_constant(site, node, ex, out) : status;
}

static crank_status read_expression(const crank_site *site, const crank_node *node,
                                    crank_use use, const char *locals, crank_ex *out)
{
    const char *text = NULL;
    *out = 0;
    crank_status status = check_scalar(site, node, "an expression");
    CRANK_THEN(status, crank_scope_text(site, node, &text));
    CRANK_THEN(status, parse_text(site, node, text, use, locals, out));
    return status == CRANK_OK && crank_ex_is_undefined(site->r->pool, *out)
               ? crank_site_fail(site, node, "the value is not finite")
               : status;
}

crank_status crank_scope_expression(const crank_site *site, const crank_node *node,
                                    const char *locals, crank_ex *out)
{
    return read_expression(site, node, CRANK_USE_ANYTHING, locals, out);
}

crank_status crank_scope_result(const crank_site *site, const crank_node *node, crank_ex *out)
{
    return read_expression(site, node, CRANK_USE_RESULTS, NULL, out);
}

/* the whole number of the expression between braces, open and close */
static crank_status read_braces(const crank_site *site, const crank_node *node,
                                const char *open, const char *close, int *out)
{
    crank_ex ex = 0;
    double value = 0.0;
    char *text = crank_store_copy(site->r->store, open + 1, (size_t)(close - open - 1));
    if (text == NULL) {
        return crank_reading_no_memory(site->r);
    }
    crank_status status = parse_text(site, node, text, CRANK_USE_CONSTANTS, NULL, &ex);
    if (status == CRANK_OK && !crank_ex_is_number(site->r->pool, ex, &value)) {
        status = crank_ex_symbols(site->r->pool, ex, NULL, 0) > 0
                     ? crank_scope_constant(site, node, ex, &value)
                     : crank_site_fail(site, node, "\"%.80s\": {%.40s} is not finite",
                                       node->text, text);
    }
    if (status != CRANK_OK) {
        return status;
    }
    if (value != floor(value) || fabs(value) > 1e9) {
        return crank_site_fail(site, node, "\"%.80s\": {%.40s} is %g, no whole number",
                               node->text, text, value);
    }
    *out = (int)value;
    return CRANK_OK;
}

crank_status crank_scope_text(const crank_site *site, const crank_node *node, const char **out)
{
    const char *text = node->text;
    int count = 0;
    *out = text;
    for (const char *open = strchr(text, '{'); open != NULL; open = strchr(text, '{')) {
        const char *close = strchr(open, '}');
        if (close == NULL) {
            return crank_site_fail(site, node, "\"%.80s\": \"{\" without \"}\"", node->text);
        }
        if (++count > MOST_BRACES) {
            return crank_site_fail(site, node, "more than %d pairs of braces", MOST_BRACES);
        }
        int value = 0;
        const crank_status status = read_braces(site, node, open, close, &value);
        if (status != CRANK_OK) {
            return status;
        }
        text = crank_store_print(site->r->store, "%.*s%d%s", (int)(open - text), text, value,
                                 close + 1);
        if (text == NULL) {
            return crank_reading_no_memory(site->r);
        }
    }
    *out = text;
    return CRANK_OK;
}

/* ---- by shape ---- */

static crank_status read_field(const crank_site *site, const crank_node *node,
                               const crank_key_spec *key, crank_field *field)
{
    bool flag = false;
    crank_status status = CRANK_OK;
    field->node = node;
    switch (key->shape) {
    case CRANK_SHAPE_NUMBER:
    case CRANK_SHAPE_WHOLE:
    case CRANK_SHAPE_FLAG:
        if (crank_field_numbers(site, 1, field) == NULL) {
            return crank_reading_no_memory(site->r);
        }
        if (key->shape == CRANK_SHAPE_FLAG) {
            status = crank_read_flag(site, node, &flag);
            field->number[0] = flag ? 1.0 : 0.0;
            return status;
        }
        return key->shape == CRANK_SHAPE_WHOLE ? crank_read_whole(site, node, field->number)
                                               : crank_scope_number(site, node, field->number);
    case CRANK_SHAPE_WORD:
        return crank_read_word(site, node, key->words, &field->word);
    case CRANK_SHAPE_NUMBERS:
        return crank_read_number_list(site, node, field);
    case CRANK_SHAPE_VECTOR:
    case CRANK_SHAPE_POINT:
    case CRANK_SHAPE_DIRECTION:
    case CRANK_SHAPE_DIRECTIONS:
    case CRANK_SHAPE_ORIENTATION:
    case CRANK_SHAPE_PLANE:
    case CRANK_SHAPE_MOTION:
        return crank_read_geometry(site, node, key->shape, field);
    case CRANK_SHAPE_ROTOR:
        return crank_read_rotor(site, node, field);
    case CRANK_SHAPE_END:
    case CRANK_SHAPE_ENDS:
    case CRANK_SHAPE_AXIS:
        return crank_read_ends(site, node, key->shape, &field->ends);
    case CRANK_SHAPE_EXPRESSION:
    case CRANK_SHAPE_EXPRESSIONS:
        return crank_read_expressions(site, node, key, field);
    case CRANK_SHAPE_CURVES:
        return crank_read_curves(site, node, key, field);
    case CRANK_SHAPE_BODY:
    case CRANK_SHAPE_BODIES:
    case CRANK_SHAPE_JOINT:
    case CRANK_SHAPE_JOINTS:
        return crank_read_references(site, node, key, field);
    case CRANK_SHAPE_TABLE:
        return crank_read_table(site, node, key->words, &field->table);
    case CRANK_SHAPE_INERTIA:
    case CRANK_SHAPE_SOLID:
    case CRANK_SHAPE_PARTS:
    case CRANK_SHAPE_FILE:
    case CRANK_SHAPE_FILES:
    case CRANK_SHAPE_TEXT:
    case CRANK_SHAPE_COLOR:
    case CRANK_SHAPE_BAR:
    case CRANK_SHAPE_SHAPES:
    case CRANK_SHAPE_PANELS:
    case CRANK_SHAPE_CAMERA:
    case CRANK_SHAPE_ACTIONS:
    case CRANK_SHAPE_POINTS:
    case CRANK_SHAPE_SECTION:
        break; /* read by who asks for them */
    }
    return CRANK_OK;
}

/* ---- mappings ---- */

int crank_keys_count(const crank_key_spec *keys)
{
    int count = 0;
    while (keys[count].name != NULL) {
        count++;
    }
    return count;
}

static const crank_key_spec *find_key(const crank_key_spec *keys, const char *name)
{
    for (; keys->name != NULL; keys++) {
        if (strcmp(keys->name, name) == 0) {
            return keys;
        }
    }
    return NULL;
}

crank_status crank_fields_check(const crank_site *site, const crank_node *mapping,
                                const crank_key_spec *keys, const char *skip)
{
    for (int i = 0; i < mapping->count; i++) {
        const crank_node *key = mapping->key[i];
        if ((skip != NULL && strcmp(skip, key->text) == 0) ||
            find_key(keys, key->text) != NULL) {
            continue;
        }
        const char *names[MOST_KEYS] = {NULL};
        int count = 0;
        for (; count < MOST_KEYS && keys[count].name != NULL; count++) {
            names[count] = keys[count].name;
        }
        char hint[240];
        crank_reading_hint(hint, sizeof hint, key->text, names, count);
        return crank_site_fail(site, key, "unknown key \"%.80s\"%s", key->text, hint);
    }
    return CRANK_OK;
}

crank_status crank_fields_read(const crank_site *site, const crank_node *key,
                               const crank_node *mapping, const crank_key_spec *keys,
                               const char *skip, crank_field *field)
{
    const bool empty = crank_node_is_empty(mapping);
    if (!empty && mapping->kind != CRANK_NODE_MAPPING) {
        return crank_site_fail(site, mapping, "%s where a mapping is expected",
                               crank_node_describe(mapping));
    }
    crank_status status = empty ? CRANK_OK : crank_fields_check(site, mapping, keys, skip);
    const int count = crank_keys_count(keys);
    for (int k = 0; k < count && status == CRANK_OK; k++) {
        const crank_node *node = empty ? NULL : crank_node_find(mapping, keys[k].name);
        field[k] = (crank_field){0};
        if (node == NULL && keys[k].required) {
            return crank_site_fail(site, key, "\"%s\" is missing", keys[k].name);
        }
        char path[128];
        (void)snprintf(path, sizeof path, "%s%s%s", site->key != NULL ? site->key : "",
                       site->key != NULL ? ", " : "", keys[k].name);
        const crank_site own = {site->r, site->scope, site->object, path};
        status = node != NULL ? read_field(&own, node, &keys[k], &field[k]) : CRANK_OK;
    }
    if (status == CRANK_OK) {
        crank_move_ground(site->scope->instance, keys, count, field);
    }
    return status;
}
