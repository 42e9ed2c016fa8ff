/* equations_names.c - names of an equations file, and expressions of them.
 *
 * Every name is a symbol of the pool; a table by symbol says what it stands for. All names are
 * declared before any expression is read, so definitions may come in any order. Parameters are
 * constants of the run: their numbers take the place of their names, and so do the expressions
 * of inputs, intermediates and outputs; parameters that events set stay symbols. What an
 * intermediate contains decides where it may be used. Dependent definitions are resolved depth
 * first with a stack of their own (no recursion), on which a cycle shows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations/equations.h"

#include "base/blame.h"
#include "base/number.h"
#include "base/suggest.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_words[CRANK_NAME_KINDS] = {
    [CRANK_W] = "an auxiliary variable",
    [CRANK_LAMBDA] = "a multiplier",
    [CRANK_MU] = "a multiplier",
    [CRANK_R] = "a dynamic variable",
    [CRANK_V] = "a velocity",
    [CRANK_S] = "a contact variable",
    [CRANK_P] = "a position",
    [CRANK_NAME_TIME] = "the time",
    [CRANK_NAME_PARAMETER] = "a parameter",
    [CRANK_NAME_INPUT] = "an input",
    [CRANK_NAME_ACCELERATION] = "an acceleration",
    [CRANK_NAME_LET] = "an intermediate",
    [CRANK_NAME_OUTPUT] = "an output",
};

static const char *kind_word(const crank_equations *e, int kind)
{
    return !e->general                       ? kind_words[kind]
           : kind == CRANK_P                 ? "a variable"
           : kind == CRANK_NAME_ACCELERATION ? "a derivative"
                                             : kind_words[kind];
}

/* ---- declaring ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_part(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9');
}

/* letters, digits, _ and single dots between them, as the parser of expressions reads names */
static bool is_name(const char *text)
{
    if (!is_letter(text[0])) {
        return false;
    }
    for (const char *c = text + 1; *c != '\0'; c++) {
        if (*c == '.' ? !is_part(c[1]) : !is_part(*c)) {
            return false;
        }
    }
    return true;
}

static bool is_reserved(const crank_equations *e, const char *text)
{
    static const char *const words[] = {"t", "time", "der", "table"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    if (crank_ex_is_reserved(text) || e->general) {
        return crank_ex_is_reserved(text);
    }
    return strncmp(text, "lambda.", 7) == 0 || strncmp(text, "mu.", 3) == 0 ||
           strncmp(text, "acceleration.", 13) == 0;
}

crank_status crank_names_create(crank_equations *e, int capacity, crank_error *err)
{
    e->t = crank_ex_symbol(e->pool, "t");
    /* symbols are made one after the other from here on */
    e->name_count = crank_pool_size(e->pool) + capacity + 1;
    e->name = crank_store_take(e->store, (size_t)e->name_count, sizeof *e->name);
    if (e->name == NULL || crank_pool_status(e->pool) != CRANK_OK) {
        return crank_fail(err, CRANK_EMEM, "names of the model");
    }
    e->name[e->t] = (crank_name){true, true, CRANK_NAME_TIME, 0, "t"};
    return CRANK_OK;
}

crank_name *crank_names_find(const crank_equations *e, const char *text)
{
    const crank_ex symbol = crank_ex_find_symbol(e->pool, text);
    if (symbol < 0 || symbol >= e->name_count || !e->name[symbol].declared) {
        return NULL;
    }
    return &e->name[symbol];
}

crank_status crank_names_declare(crank_equations *e, const char *text, int kind, int index,
                                 const crank_node *key, crank_ex *symbol, crank_error *err)
{
    if (!is_name(key->text)) {
        return crank_fail_at(err, CRANK_EMODEL, key->line, key->column,
                             "\"%.80s\" is not a name: a letter, then letters, digits and _",
                             key->text);
    }
    if (text == key->text && is_reserved(e, text)) {
        return crank_fail_at(err, CRANK_EMODEL, key->line, key->column,
                             "the name \"%.80s\" is reserved", text);
    }
    const crank_name *other = crank_names_find(e, text);
    if (other != NULL) {
        return crank_fail_at(err, CRANK_EMODEL, key->line, key->column,
                             "the name \"%.80s\" is already that of %s", text,
                             kind_word(e, other->kind));
    }
    *symbol = crank_ex_symbol(e->pool, text);
    if (crank_pool_status(e->pool) != CRANK_OK) {
        return crank_fail(err, CRANK_EMEM, "names of the model");
    }
    if (*symbol >= e->name_count) {
        return crank_fail(err, CRANK_EINTERNAL, "more names than counted");
    }
    e->name[*symbol] = (crank_name){true, false, kind, index, text};
    return CRANK_OK;
}

const char *crank_names_suggest(const crank_equations *e, const char *text, int allowed)
{
    const char **candidates = malloc(((size_t)e->name_count + 1) * sizeof *candidates);
    if (candidates == NULL) {
        return NULL;
    }
    int count = 0;
    for (int i = 0; i < e->name_count; i++) {
        if (e->name[i].declared && (allowed >> e->name[i].kind & 1) != 0) {
            candidates[count++] = e->name[i].text;
        }
    }
    const char *near = crank_suggest(text, candidates, count);
    free(candidates);
    return near;
}

/* ---- expressions ---- */

typedef struct scope {
    crank_equations *e;
    int allowed;
    bool symbols; /* definitions that are not resolved yet stay symbols */
} scope;

static bool is_defined(int kind)
{
    return kind == CRANK_NAME_PARAMETER || kind == CRANK_NAME_INPUT || kind == CRANK_NAME_LET ||
           kind == CRANK_NAME_OUTPUT;
}

/* Definition d stands where not all may be used that it contains. */
static crank_status fail_uses(const crank_equations *e, const crank_definition *d, int allowed,
                              int line, int column, crank_error *err)
{
    for (crank_ex symbol = 0; symbol < e->name_count; symbol++) {
        const crank_name *name = &e->name[symbol];
        if (name->declared && (allowed >> name->kind & 1) == 0 &&
            crank_ex_depends(e->pool, d->value, symbol)) {
            return crank_fail_at(err, CRANK_EMODEL, line, column,
                                 "\"%.60s\" contains \"%.60s\", %s, and cannot be used here",
                                 d->name, name->text, kind_word(e, name->kind));
        }
    }
    return crank_fail_at(err, CRANK_EINTERNAL, line, column, "\"%.60s\"", d->name);
}

static crank_ex resolve(const char *text, int line, int column, void *user, crank_error *err)
{
    const scope *s = user;
    crank_name *name = crank_names_find(s->e, text);
    if (name == NULL) {
        const char *near = crank_names_suggest(s->e, text, s->allowed | 1 << CRANK_NAME_LET);
        crank_fail_at(err, CRANK_EMODEL, line, column, "\"%.80s\" is not defined%s%s%s", text,
                      near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                      near != NULL ? "\"?" : "");
        return -1;
    }
    if (name->kind != CRANK_NAME_LET && (s->allowed >> name->kind & 1) == 0) {
        crank_fail_at(err, CRANK_EMODEL, line, column,
                      "\"%.80s\" is %s and cannot be used here", text,
                      kind_word(s->e, name->kind));
        return -1;
    }
    name->used = true;
    const crank_definition *d = is_defined(name->kind) ? &s->e->definition[name->index] : NULL;
    if (d == NULL || (s->symbols && d->state != 2)) {
        return crank_ex_find_symbol(s->e->pool, text);
    }
    if ((d->uses & ~s->allowed) != 0) {
        (void)fail_uses(s->e, d, s->allowed, line, column, err);
        return -1;
    }
    return d->value;
}

/* puts the object before the message and the true place beside it */
static crank_status complain(const crank_equations *e, const crank_node *node,
                             const char *object, crank_status status, crank_error *err)
{
    char text[sizeof err->text];
    int line = 0, column = 0;
    if (node != NULL) {
        line = node->line;
        column = node->column;
        if (err->column > 0) { /* parsed as if it stood at 1:1 */
            crank_node_locate(e->document, node, err->column - 1, &line, &column);
        }
    }
    memcpy(text, err->text, sizeof text);
    return crank_fail_at(err, status, line, column, "%s: %s", object, text);
}

/* node: NULL if text comes from a setting */
static crank_status parse(const scope *s, const crank_node *node, const char *text,
                          const char *object, crank_ex *out, crank_error *err)
{
    if (node != NULL && node->kind != CRANK_NODE_SCALAR) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "%s: %s where an expression is expected", object,
                             crank_node_describe(node));
    }
    if (text == NULL || (node != NULL && crank_node_is_empty(node))) {
        return crank_fail_at(err, CRANK_EMODEL, node != NULL ? node->line : 0,
                             node != NULL ? node->column : 0, "%s: an expression is missing",
                             object);
    }
    const size_t length = strlen(text);
    char *line = malloc(length + 1);
    if (line == NULL) {
        return crank_fail(err, CRANK_EMEM, "%s", object);
    }
    for (size_t i = 0; i <= length; i++) {
        line[i] = (char)(text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
    }
    scope copy = *s;
    crank_status status =
        s->e->general ? crank_read_derivatives(node, object, line, err) : CRANK_OK;
    if (status != CRANK_OK) {
        free(line);
        return status;
    }
    err->line = err->column = 0;
    status = crank_ex_parse(s->e->pool, line, 1, 1, resolve, &copy, out, err);
    free(line);
    if (status != CRANK_OK) {
        return complain(s->e, node, object, status, err);
    }
    if (crank_pool_status(s->e->pool) != CRANK_OK) {
        return crank_fail(err, CRANK_EMEM, "%s", object);
    }
    return CRANK_OK;
}

static crank_status fail_not_finite(const crank_node *node, const char *object,
                                    crank_error *err)
{
    return crank_fail_at(err, CRANK_EMODEL, node != NULL ? node->line : 0,
                         node != NULL ? node->column : 0, "%s: the value is not finite",
                         object);
}

crank_status crank_read_expression(crank_equations *e, const crank_node *node, int allowed,
                                   const char *object, crank_ex *out, crank_error *err)
{
    double value = 0.0;
    const scope s = {e, allowed, false};
    if (node->kind == CRANK_NODE_SCALAR && crank_number_parse(node->text, &value)) {
        *out = crank_ex_number(e->pool, value);
    } else {
        const crank_status status = parse(&s, node, node->text, object, out, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    return crank_ex_is_undefined(e->pool, *out) ? fail_not_finite(node, object, err) : CRANK_OK;
}

void crank_definitions_bake(crank_equations *e, crank_ex ex)
{
    for (int i = 0; i < e->definition_count; i++) {
        crank_definition *d = &e->definition[i];
        d->baked = d->baked || (d->switched && crank_ex_depends(e->pool, ex, d->symbol));
    }
}

/* *ex: the expression, -1 if it is a number by itself */
static crank_status read_number(crank_equations *e, const crank_node *node, const char *setting,
                                const char *object, double *out, crank_ex *ex, crank_error *err)
{
    const scope s = {e, CRANK_USE_PARAMETERS, false};
    const char *text = node != NULL ? node->text : setting;
    *ex = -1;
    *out = 0.0;
    if (node != NULL && node->kind != CRANK_NODE_SCALAR) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "%s: %s where a number is expected", object,
                             crank_node_describe(node));
    }
    if (text == NULL || !crank_number_parse(text, out)) {
        const crank_status status = parse(&s, node, text, object, ex, err);
        if (status != CRANK_OK) {
            return status;
        }
        crank_definitions_bake(e, *ex);
        if (!crank_ex_is_number(e->pool, crank_equations_at_start(e, *ex), out)) {
            return fail_not_finite(node, object, err);
        }
    }
    return isfinite(*out) ? CRANK_OK : fail_not_finite(node, object, err);
}

crank_status crank_read_part(crank_equations *e, const crank_node *node, const char *text,
                             int allowed, const char *object, crank_ex *out, crank_error *err)
{
    const scope s = {e, allowed, false};
    const crank_status status = parse(&s, node, text, object, out, err);
    return status == CRANK_OK && crank_ex_is_undefined(e->pool, *out)
               ? fail_not_finite(node, object, err)
               : status;
}

crank_status crank_read_number(crank_equations *e, const crank_node *node, const char *setting,
                               const char *object, double *out, crank_error *err)
{
    crank_ex ex;
    return read_number(e, node, setting, object, out, &ex, err);
}

crank_status crank_read_constant(crank_equations *e, const crank_node *node, const char *object,
                                 double *out, crank_error *err)
{
    crank_ex ex;
    const crank_status status = read_number(e, node, NULL, object, out, &ex, err);
    for (int i = 0; i < e->definition_count && status == CRANK_OK && ex >= 0; i++) {
        const crank_definition *d = &e->definition[i];
        if (d->by_event && crank_ex_depends(e->pool, ex, d->symbol)) {
            return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                                 "%s: this number holds for the whole run, but an event sets "
                                 "parameter \"%.80s\"; use another parameter here",
                                 object, d->name);
        }
    }
    return status;
}

/* ---- definitions ---- */

const char *crank_definition_word(crank_name_kind kind)
{
    return kind == CRANK_NAME_PARAMETER ? "parameter"
           : kind == CRANK_NAME_INPUT   ? "input"
           : kind == CRANK_NAME_LET     ? "let"
                                        : "output";
}

/* what it may contain */
static int allowed_in(const crank_definition *d)
{
    return d->kind == CRANK_NAME_PARAMETER ? CRANK_USE_PARAMETERS
           : d->kind == CRANK_NAME_INPUT   ? CRANK_USE_GIVEN
           : d->kind == CRANK_NAME_LET     ? CRANK_USE_ALL | CRANK_USE_ACCELERATIONS
                                           : CRANK_USE_IN_OUTPUTS;
}

static const char *definition_object(const crank_definition *d, char *text, size_t size)
{
    snprintf(text, size, "%s \"%.80s\"",
             d->setting != NULL ? "setting" : crank_definition_word(d->kind), d->name);
    return text;
}

static crank_status fail_cycle(const crank_equations *e, const int *stack, int depth, int again,
                               crank_error *err)
{
    char text[300];
    size_t used = 0;
    int first = 0;
    while (stack[first] != again) {
        first++;
    }
    for (int i = first; i < depth && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%.40s -> ",
                                 e->definition[stack[i]].name);
    }
    const crank_definition *d = &e->definition[again];
    return crank_fail_at(err, CRANK_EMODEL, d->key->line, d->key->column,
                         "%s \"%.80s\": cyclic definition: %s%.40s",
                         crank_definition_word(d->kind), d->name, text, d->name);
}

/* puts the values of what definition i depends on into it; *missing: one without a value, or
 * -1 */
static crank_status substitute(crank_equations *e, int i, crank_ex *symbols, crank_ex *values,
                               int *missing, crank_error *err)
{
    crank_definition *d = &e->definition[i];
    const int count = crank_ex_symbols(e->pool, d->value, symbols, e->name_count);
    char object[128];
    *missing = -1;
    for (int k = 0; k < count; k++) {
        const crank_name *name = &e->name[symbols[k]];
        values[k] = symbols[k];
        if (is_defined(name->kind)) {
            const crank_definition *other = &e->definition[name->index];
            if (other->state != 2) {
                *missing = name->index;
                return CRANK_OK;
            }
            if ((other->uses & ~allowed_in(d)) != 0) {
                const crank_status status = fail_uses(e, other, allowed_in(d), 0, 0, err);
                return complain(e, d->node, definition_object(d, object, sizeof object), status,
                                err);
            }
            values[k] = other->value;
        }
    }
    d->value = crank_ex_substitute(e->pool, d->value, count, symbols, values);
    if (d->kind == CRANK_NAME_INPUT) {
        d->value = crank_model_nudge(e->options, e->pool, e->t, d->name, d->value);
    }
    d->state = 2;
    double value = 0.0;
    definition_object(d, object, sizeof object);
    const crank_ex start = crank_equations_at_start(e, d->value);
    if (crank_ex_is_undefined(e->pool, start) ||
        (d->kind == CRANK_NAME_PARAMETER && !crank_ex_is_number(e->pool, start, &value))) {
        return fail_not_finite(d->node, object, err);
    }
    if (d->switched) { /* it has a value of its own from now on */
        crank_definitions_bake(e, d->value);
        e->switched[e->switched_count] = d->symbol;
        e->switched_start[e->switched_count++] = start;
        d->value = d->symbol;
    }
    const int found = crank_ex_symbols(e->pool, d->value, symbols, e->name_count);
    for (int k = 0; k < found; k++) {
        d->uses |= 1 << e->name[symbols[k]].kind;
    }
    return CRANK_OK;
}

/* depth first from definition i, with the open ones on the stack */
static crank_status resolve_from(crank_equations *e, int i, int *stack, crank_ex *symbols,
                                 crank_ex *values, crank_error *err)
{
    int depth = 0;
    stack[depth++] = i;
    e->definition[i].state = 1;
    while (depth > 0) {
        int missing = -1;
        const crank_status status =
            substitute(e, stack[depth - 1], symbols, values, &missing, err);
        if (status != CRANK_OK) {
            return e->definition[stack[depth - 1]].setting != NULL
                       ? crank_blame_caller(err, status)
                       : status;
        }
        if (missing < 0) {
            depth--;
        } else if (e->definition[missing].state == 1) {
            return fail_cycle(e, stack, depth, missing, err);
        } else {
            e->definition[missing].state = 1;
            stack[depth++] = missing;
        }
    }
    return CRANK_OK;
}

crank_status crank_definitions_resolve(crank_equations *e, bool outputs, crank_error *err)
{
    const int first = outputs ? e->definition_count - e->output_count : 0;
    const int end = e->definition_count - (outputs ? 0 : e->output_count);
    const size_t names = (size_t)e->name_count;
    int *stack = crank_store_take(e->store, (size_t)e->definition_count, sizeof *stack);
    crank_ex *symbols = crank_store_take(e->store, names, sizeof *symbols);
    crank_ex *values = crank_store_take(e->store, names, sizeof *values);
    if (stack == NULL || symbols == NULL || values == NULL) {
        return crank_fail(err, CRANK_EMEM, "parameters");
    }
    for (int i = first; i < end; i++) {
        crank_definition *d = &e->definition[i];
        char object[128];
        const scope s = {e, allowed_in(d), true};
        const char *text = d->setting != NULL ? d->setting : d->node->text;
        double value = 0.0;
        definition_object(d, object, sizeof object);
        if (text != NULL && crank_number_parse(text, &value)) {
            d->value = crank_ex_number(e->pool, value);
            continue;
        }
        const crank_status status = parse(&s, d->node, text, object, &d->value, err);
        if (status != CRANK_OK) {
            return d->setting != NULL ? crank_blame_caller(err, status) : status;
        }
    }
    for (int i = first; i < end; i++) {
        if (e->definition[i].state == 0) {
            const crank_status status = resolve_from(e, i, stack, symbols, values, err);
            if (status != CRANK_OK) {
                return status;
            }
        }
    }
    for (int i = first; outputs && i < end; i++) {
        e->output[i - first].ex = e->definition[i].value;
    }
    return CRANK_OK;
}
