/* equations_sections.c - what sections of files with equations have in common: parameters,
 * inputs, intermediates and outputs, start values, settings of the command line, expressions by
 * name. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations/equations.h"

#include "base/blame.h"
#include "model/keys.h"

#include <stdio.h>
#include <string.h>

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the equations");
}

/* the mapping of a section; NULL: absent or empty */
crank_status crank_read_section(const crank_equations *e, const char *name,
                                const crank_node **out, crank_error *err)
{
    const crank_node *node = crank_node_find(e->document->root, name);
    *out = NULL;
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "%s: %s where a mapping of names is expected", name,
                             crank_node_describe(node));
    }
    *out = node;
    return CRANK_OK;
}

static const struct {
    const char *name;
    crank_name_kind kind;
} defining[] = {{"parameters", CRANK_NAME_PARAMETER},
                {"inputs", CRANK_NAME_INPUT},
                {"let", CRANK_NAME_LET},
                {"outputs", CRANK_NAME_OUTPUT}};
enum { GIVEN = 3, DEFINING = sizeof defining / sizeof defining[0] };

static crank_status declare(crank_equations *e, const crank_node *key, const crank_node *node,
                            crank_name_kind kind, crank_error *err)
{
    const int index = e->definition_count++;
    crank_definition *d = &e->definition[index];
    *d = (crank_definition){.name = key->text, .key = key, .node = node, .kind = kind};
    return crank_names_declare(e, d->name, (int)kind, index, d->key, &d->symbol, err);
}

static crank_status declare_definitions(crank_equations *e, const char *section,
                                        crank_name_kind kind, crank_error *err)
{
    const crank_node *node = NULL;
    crank_status status = crank_read_section(e, section, &node, err);
    for (int i = 0; status == CRANK_OK && node != NULL && i < node->count; i++) {
        status = declare(e, node->key[i], node->item[i], kind, err);
    }
    return status;
}

crank_status crank_declare_given(crank_equations *e, crank_error *err)
{
    const crank_node *root = e->document->root;
    int count = 0;
    for (int i = 0; i < DEFINING; i++) {
        const crank_node *node = crank_node_find(root, defining[i].name);
        count += node != NULL && node->kind == CRANK_NODE_MAPPING ? node->count : 0;
    }
    e->definition = crank_store_take(e->store, (size_t)count, sizeof *e->definition);
    if (e->definition == NULL) {
        return no_memory(err);
    }
    crank_status status = CRANK_OK;
    for (int i = 0; i < GIVEN && status == CRANK_OK; i++) {
        status = declare_definitions(e, defining[i].name, defining[i].kind, err);
    }
    return status;
}

/* an expression, or {value: expression, unit: text} */
static crank_status read_output(crank_named *x, crank_error *err)
{
    const crank_node *mapping = x->node;
    char object[CRANK_OBJECT_TEXT];
    if (mapping->kind != CRANK_NODE_MAPPING) {
        return CRANK_OK;
    }
    snprintf(object, sizeof object, "output \"%.80s\"", x->name);
    const crank_status status = crank_keys_check("output", object, mapping, err);
    const crank_node *unit = crank_node_find(mapping, "unit");
    if (status != CRANK_OK) {
        return status;
    }
    x->node = crank_node_find(mapping, "value");
    if (x->node == NULL) {
        return crank_fail_node(err, CRANK_EMODEL, x->key, "%s: \"value\" is missing", object);
    }
    if (unit != NULL && unit->kind != CRANK_NODE_SCALAR) {
        return crank_fail_node(err, CRANK_EMODEL, unit,
                               "%s: unit: a text such as \"m/s\", not %s", object,
                               crank_node_describe(unit));
    }
    x->unit = unit != NULL ? unit->text : NULL;
    return CRANK_OK;
}

crank_status crank_declare_outputs(crank_equations *e, crank_error *err)
{
    crank_status status = crank_list_named(e, "outputs", &e->output, &e->output_count, err);
    for (int i = 0; i < e->output_count && status == CRANK_OK; i++) {
        crank_named *x = &e->output[i];
        status = read_output(x, err);
        if (status == CRANK_OK) {
            status = declare(e, x->key, x->node, CRANK_NAME_OUTPUT, err);
        }
    }
    return status;
}

/* ---- expressions by name ---- */

crank_status crank_list_named(crank_equations *e, const char *section, crank_named **list,
                              int *count, crank_error *err)
{
    const crank_node *node = NULL;
    crank_status status = crank_read_section(e, section, &node, err);
    *count = status == CRANK_OK && node != NULL ? node->count : 0;
    *list = crank_store_take(e->store, (size_t)*count, sizeof **list);
    if (*list == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < *count && status == CRANK_OK; i++) {
        (*list)[i] = (crank_named){
            .name = node->key[i]->text, .key = node->key[i], .node = node->item[i]};
    }
    return status;
}

/* ---- settings: --set name=value ---- */

/* the name of a setting: a parameter, an input, a variable, or a variable with ".start" behind
 * it; NULL after filling err */
static const crank_name *find_setting(const crank_equations *e, const char *text,
                                      crank_error *err)
{
    const size_t length = strlen(text);
    char stem[256];
    const int variables = (1 << CRANK_GROUPS) - 1;
    int settable = variables | CRANK_USE_PARAMETERS | CRANK_USE_INPUTS;
    const crank_name *name = crank_names_find(e, text);
    if (name == NULL && length > 6 && length < sizeof stem &&
        strcmp(text + length - 6, ".start") == 0) {
        memcpy(stem, text, length - 6);
        stem[length - 6] = '\0';
        name = crank_names_find(e, stem);
        settable = variables;
    }
    if (name != NULL && (settable >> name->kind & 1) != 0) {
        return name;
    }
    const char *near = crank_names_suggest(e, text, settable);
    (void)crank_fail(err, CRANK_EMODEL,
                     "setting \"%.80s\": no parameter or variable has this name%s%s%s", text,
                     near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                     near != NULL ? "\"?" : "");
    (void)crank_blame_caller(err, CRANK_EMODEL);
    return NULL;
}

crank_status crank_set_definitions(crank_equations *e, crank_error *err)
{
    for (int i = 0; i < e->options->setting_count; i++) {
        const crank_setting *setting = &e->options->settings[i];
        const crank_name *name = find_setting(e, setting->name, err);
        if (name == NULL) {
            return CRANK_EMODEL;
        }
        if (name->kind >= (int)CRANK_GROUPS) {
            e->definition[name->index].node = NULL;
            e->definition[name->index].setting = setting->value;
        }
    }
    return CRANK_OK;
}

crank_status crank_set_starts(crank_equations *e, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < e->options->setting_count && status == CRANK_OK; i++) {
        const crank_setting *setting = &e->options->settings[i];
        const crank_name *name = find_setting(e, setting->name, err);
        if (name == NULL) {
            return CRANK_EMODEL;
        }
        if (name->kind < (int)CRANK_GROUPS) {
            char object[CRANK_OBJECT_TEXT];
            snprintf(object, sizeof object, "setting \"%.80s\"", setting->name);
            status = crank_blame_caller(
                err, crank_read_number(e, NULL, setting->value, object,
                                       &e->variable[name->kind][name->index].start, err));
        }
    }
    return status;
}

/* ---- start values ---- */

const char *crank_variable_object(const crank_equations *e, const crank_variable *x,
                                  crank_group group, char *object)
{
    snprintf(object, CRANK_OBJECT_TEXT, "%s \"%.80s\"",
             e->general ? "variable" : crank_group_word[group], x->label);
    return object;
}

static crank_status read_fixing(crank_variable *x, const char *object, crank_error *err)
{
    static const char *const words[] = {"preferred", "fixed", "free"};
    static const crank_fixing values[] = {CRANK_PREFERRED, CRANK_FIXED, CRANK_FREE};
    const char *chosen = NULL;
    for (int i = 0; i < 3; i++) {
        const crank_node *node = crank_node_find(x->node, words[i]);
        if (node == NULL) {
            continue;
        }
        const bool is_true = node->kind == CRANK_NODE_SCALAR && strcmp(node->text, "true") == 0;
        const bool is_false =
            node->kind == CRANK_NODE_SCALAR && strcmp(node->text, "false") == 0;
        if (!is_true && !is_false) {
            return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                                 "%s: \"%s\" is true or false; the value itself is \"start\"",
                                 object, words[i]);
        }
        if (is_true && chosen != NULL) {
            return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                                 "%s: both \"%s\" and \"%s\"", object, chosen, words[i]);
        }
        if (is_true) {
            chosen = words[i];
            x->fixing = values[i];
        }
    }
    return CRANK_OK;
}

/* the start value, alone or in a mapping */
crank_status crank_read_start(crank_equations *e, crank_group group, crank_variable *x,
                              crank_error *err)
{
    char object[CRANK_OBJECT_TEXT];
    crank_variable_object(e, x, group, object);
    if (crank_node_is_empty(x->node)) {
        return CRANK_OK;
    }
    if (x->node->kind != CRANK_NODE_MAPPING) {
        return crank_read_number(e, x->node, NULL, object, &x->start, err);
    }
    crank_status status = crank_keys_check(e->general ? "variable" : crank_group_word[group],
                                           object, x->node, err);
    const crank_node *start = crank_node_find(x->node, "start");
    if (status == CRANK_OK && start != NULL) {
        status = crank_read_number(e, start, NULL, object, &x->start, err);
    }
    return status == CRANK_OK ? read_fixing(x, object, err) : status;
}

crank_status crank_read_named(crank_equations *e, const char *word, crank_named *list,
                              int count, int allowed, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        char object[CRANK_OBJECT_TEXT];
        snprintf(object, sizeof object, "%s \"%.80s\"", word, list[i].name);
        status = crank_read_expression(e, list[i].node, allowed, object, &list[i].ex, err);
    }
    return status;
}
