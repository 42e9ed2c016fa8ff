/* equations_read.c - the sections of a `crank: equations` file as a record of named expressions.
 *
 * First every name is declared, then parameters and inputs get their values, then start values are
 * read, and last the equations, in which names may stand in any order. The format is described in
 * docs/formats.md, its keys in keys.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations.h"
#include "model/keys.h"

#include <stdio.h>
#include <string.h>

enum { OBJECT = 128 }; /* room for "position \"x\"" */

const char *const crank_group_word[CRANK_GROUPS] = {
    [CRANK_W] = "auxiliary", [CRANK_LAMBDA] = "holonomic", [CRANK_MU] = "nonholonomic",
    [CRANK_R] = "dynamic",   [CRANK_V] = "velocity",       [CRANK_S] = "contact",
    [CRANK_P] = "position",
};

const char *const crank_group_section[CRANK_GROUPS] = {
    [CRANK_W] = "auxiliary", [CRANK_LAMBDA] = "holonomic", [CRANK_MU] = "nonholonomic",
    [CRANK_R] = "dynamic",   [CRANK_V] = "velocities",     [CRANK_S] = "contact",
    [CRANK_P] = "positions",
};

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the equations");
}

/* the mapping of a section; NULL: absent or empty */
static crank_status find_section(const crank_equations *e, const char *name,
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

/* ---- declaring ---- */

static crank_status declare_definitions(crank_equations *e, const char *section, bool input,
                                        crank_error *err)
{
    const crank_node *node = NULL;
    crank_status status = find_section(e, section, &node, err);
    for (int i = 0; status == CRANK_OK && node != NULL && i < node->count; i++) {
        const int index = e->definition_count++;
        crank_definition *d = &e->definition[index];
        *d = (crank_definition){.name = node->key[i]->text,
                                .key = node->key[i],
                                .node = node->item[i],
                                .input = input};
        status =
            crank_names_declare(e, d->name, input ? CRANK_NAME_INPUT : CRANK_NAME_PARAMETER,
                                index, d->key, &d->symbol, err);
    }
    return status;
}

static crank_status declare_group(crank_equations *e, crank_group group, crank_error *err)
{
    const crank_node *node = NULL;
    crank_status status = find_section(e, crank_group_section[group], &node, err);
    const int count = status == CRANK_OK && node != NULL ? node->count : 0;
    e->variable[group] = crank_store_take(e->store, (size_t)count, sizeof *e->variable[group]);
    if (e->variable[group] == NULL) {
        return no_memory(err);
    }
    e->count[group] = count;
    for (int i = 0; status == CRANK_OK && i < count; i++) {
        crank_variable *x = &e->variable[group][i];
        x->key = node->key[i];
        x->node = node->item[i];
        x->label = x->name = x->key->text;
        x->equation = crank_ex_number(e->pool, 0.0);
        const bool differential = group == CRANK_P || group == CRANK_V || group == CRANK_R;
        x->fixing = differential ? CRANK_PREFERRED : CRANK_FREE;
        if (group == CRANK_LAMBDA || group == CRANK_MU) {
            x->name = crank_store_print(e->store, "%s.%s",
                                        group == CRANK_LAMBDA ? "lambda" : "mu", x->label);
        }
        if (x->name == NULL) {
            return no_memory(err);
        }
        status = crank_names_declare(e, x->name, (int)group, i, x->key, &x->symbol, err);
    }
    return status;
}

static crank_status declare_accelerations(crank_equations *e, crank_error *err)
{
    const int count = e->count[CRANK_V];
    e->acceleration = crank_store_take(e->store, (size_t)count, sizeof *e->acceleration);
    if (e->acceleration == NULL) {
        return no_memory(err);
    }
    crank_status status = CRANK_OK;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        const crank_variable *v = &e->variable[CRANK_V][i];
        const char *name = crank_store_print(e->store, "acceleration.%s", v->name);
        if (name == NULL) {
            return no_memory(err);
        }
        status = crank_names_declare(e, name, CRANK_NAME_ACCELERATION, i, v->key,
                                     &e->acceleration[i], err);
    }
    return status;
}

/* expressions by name that nobody refers to; only outputs share the names of variables, because both
 * are columns of the result */
static crank_status list_named(crank_equations *e, const char *section, bool declare,
                               crank_named **list, int *count, crank_error *err)
{
    const crank_node *node = NULL;
    crank_status status = find_section(e, section, &node, err);
    *count = status == CRANK_OK && node != NULL ? node->count : 0;
    *list = crank_store_take(e->store, (size_t)*count, sizeof **list);
    if (*list == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < *count && status == CRANK_OK; i++) {
        crank_ex symbol = 0;
        crank_named *x = &(*list)[i];
        *x = (crank_named){
            .name = node->key[i]->text, .key = node->key[i], .node = node->item[i]};
        if (declare) {
            status =
                crank_names_declare(e, x->name, CRANK_NAME_OUTPUT, i, x->key, &symbol, err);
        }
    }
    return status;
}

static crank_status declare_all(crank_equations *e, crank_error *err)
{
    const crank_node *root = e->document->root;
    int names = 0, definitions = 0;
    for (int i = 0; i < root->count; i++) {
        if (root->item[i]->kind == CRANK_NODE_MAPPING) {
            names += 2 * root->item[i]->count; /* velocities bring accelerations */
        }
    }
    const char *const sections[] = {"parameters", "inputs"};
    for (int i = 0; i < 2; i++) {
        const crank_node *node = crank_node_find(root, sections[i]);
        definitions += node != NULL && node->kind == CRANK_NODE_MAPPING ? node->count : 0;
    }
    e->definition = crank_store_take(e->store, (size_t)definitions, sizeof *e->definition);
    if (e->definition == NULL) {
        return no_memory(err);
    }
    /* equations of variables are zero until they are read */
    (void)crank_ex_number(e->pool, 0.0);
    crank_status status = crank_names_create(e, names, err);
    if (status == CRANK_OK) {
        status = declare_definitions(e, "parameters", false, err);
    }
    if (status == CRANK_OK) {
        status = declare_definitions(e, "inputs", true, err);
    }
    static const crank_group order[] = {CRANK_P, CRANK_V,      CRANK_R, CRANK_W,
                                        CRANK_S, CRANK_LAMBDA, CRANK_MU};
    for (size_t i = 0; i < sizeof order / sizeof order[0] && status == CRANK_OK; i++) {
        status = declare_group(e, order[i], err);
    }
    if (status == CRANK_OK) {
        status = declare_accelerations(e, err);
    }
    if (status == CRANK_OK) {
        status = list_named(e, "outputs", true, &e->output, &e->output_count, err);
    }
    if (status == CRANK_OK) {
        status = list_named(e, "invariants", false, &e->invariant, &e->invariant_count, err);
    }
    if (status == CRANK_OK) {
        status = list_named(e, "initial", false, &e->initial, &e->initial_count, err);
    }
    return status;
}

/* ---- settings: --set name=value ---- */

/* the name of a setting: a parameter, an input, a variable, or a variable with ".start" behind it; NULL
 * after filling err */
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
    return NULL;
}

static crank_status set_definitions(crank_equations *e, crank_error *err)
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

static crank_status set_starts(crank_equations *e, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < e->options->setting_count && status == CRANK_OK; i++) {
        const crank_setting *setting = &e->options->settings[i];
        const crank_name *name = find_setting(e, setting->name, err);
        if (name == NULL) {
            return CRANK_EMODEL;
        }
        if (name->kind < (int)CRANK_GROUPS) {
            char object[OBJECT];
            snprintf(object, sizeof object, "setting \"%.80s\"", setting->name);
            status = crank_read_number(e, NULL, setting->value, object,
                                       &e->variable[name->kind][name->index].start, err);
        }
    }
    return status;
}

/* ---- variables ---- */

static const char *variable_object(const crank_variable *x, crank_group group, char *object)
{
    snprintf(object, OBJECT, "%s \"%.80s\"", crank_group_word[group], x->label);
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
static crank_status read_start(crank_equations *e, crank_group group, crank_variable *x,
                               crank_error *err)
{
    char object[OBJECT];
    variable_object(x, group, object);
    if (crank_node_is_empty(x->node)) {
        return CRANK_OK;
    }
    if (x->node->kind != CRANK_NODE_MAPPING) {
        return crank_read_number(e, x->node, NULL, object, &x->start, err);
    }
    crank_status status = crank_keys_check(crank_group_word[group], object, x->node, err);
    const crank_node *start = crank_node_find(x->node, "start");
    if (status == CRANK_OK && start != NULL) {
        status = crank_read_number(e, start, NULL, object, &x->start, err);
    }
    return status == CRANK_OK ? read_fixing(x, object, err) : status;
}

/* the expression under a key that must be there */
static crank_status read_equation(crank_equations *e, crank_group group, const char *key,
                                  int allowed, crank_error *err)
{
    for (int i = 0; i < e->count[group]; i++) {
        crank_variable *x = &e->variable[group][i];
        char object[OBJECT];
        variable_object(x, group, object);
        const crank_node *node =
            x->node->kind == CRANK_NODE_MAPPING ? crank_node_find(x->node, key) : NULL;
        if (node == NULL) {
            return crank_fail_at(err, CRANK_EMODEL, x->key->line, x->key->column,
                                 "%s: \"%s\" is missing", object, key);
        }
        const crank_status status =
            crank_read_expression(e, node, allowed, object, &x->equation, err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

static crank_status read_constraints(crank_equations *e, crank_group group, int allowed,
                                     crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < e->count[group] && status == CRANK_OK; i++) {
        crank_variable *x = &e->variable[group][i];
        char object[OBJECT];
        variable_object(x, group, object);
        status = crank_read_expression(e, x->node, allowed, object, &x->equation, err);
        const crank_ex_op op =
            status == CRANK_OK ? crank_ex_get_op(e->pool, x->equation) : CRANK_EX_ADD;
        if (op >= CRANK_EX_LT && op <= CRANK_EX_NOT) {
            status = crank_fail_at(
                err, CRANK_EMODEL, x->node->line, x->node->column,
                "%s: a comparison is no constraint; write what is zero, left - right", object);
        }
    }
    return status;
}

static crank_status read_named(crank_equations *e, const char *word, crank_named *list,
                               int count, int allowed, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        char object[OBJECT];
        snprintf(object, sizeof object, "%s \"%.80s\"", word, list[i].name);
        status = crank_read_expression(e, list[i].node, allowed, object, &list[i].ex, err);
    }
    return status;
}

/* ---- forces ---- */

static crank_status read_force(crank_equations *e, int i, const crank_node *node,
                               crank_error *err)
{
    char object[OBJECT];
    crank_variable *v = &e->variable[CRANK_V][i];
    snprintf(object, sizeof object, "forces \"%.80s\"", v->name);
    return crank_read_expression(e, node, CRANK_USE_ALL, object, &v->equation, err);
}

static crank_status read_forces(crank_equations *e, const crank_node *node, crank_error *err)
{
    crank_status status = CRANK_OK;
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    if (node->kind == CRANK_NODE_SCALAR) {
        return crank_fail_at(
            err, CRANK_EMODEL, node->line, node->column,
            "forces: text where a list, or a mapping by velocity, is expected");
    }
    if (node->kind == CRANK_NODE_SEQUENCE && node->count != e->count[CRANK_V]) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "forces: %d entries for %d velocities", node->count,
                             e->count[CRANK_V]);
    }
    for (int k = 0; k < node->count && status == CRANK_OK; k++) {
        int i = k;
        if (node->kind == CRANK_NODE_MAPPING) {
            i = crank_read_variable(e, node->key[k], CRANK_V, "forces", err);
            if (i < 0) {
                return CRANK_EMODEL;
            }
        }
        status = read_force(e, i, node->item[k], err);
    }
    return status;
}

/* ---- the whole ---- */

static crank_status read_starts(crank_equations *e, crank_error *err)
{
    static const crank_group groups[] = {CRANK_P, CRANK_V, CRANK_R, CRANK_W, CRANK_S};
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        for (int i = 0; i < e->count[groups[g]]; i++) {
            const crank_status status =
                read_start(e, groups[g], &e->variable[groups[g]][i], err);
            if (status != CRANK_OK) {
                return status;
            }
        }
    }
    return set_starts(e, err);
}

static crank_status read_equations(crank_equations *e, crank_error *err)
{
    const crank_node *root = e->document->root;
    crank_status status = read_equation(e, CRANK_R, "rate", CRANK_USE_ALL, err);
    if (status == CRANK_OK) {
        status = read_equation(e, CRANK_W, "equation", CRANK_USE_ALL, err);
    }
    if (status == CRANK_OK) {
        status = read_equation(e, CRANK_S, "equation", CRANK_USE_POSITION_LEVEL, err);
    }
    if (status == CRANK_OK) {
        status = crank_read_kinematics(e, crank_node_find(root, "kinematics"), err);
    }
    if (status == CRANK_OK) {
        status = crank_read_mass(e, crank_node_find(root, "mass"), err);
    }
    if (status == CRANK_OK) {
        status = read_forces(e, crank_node_find(root, "forces"), err);
    }
    if (status == CRANK_OK) {
        status = read_constraints(e, CRANK_LAMBDA, CRANK_USE_POSITION_LEVEL, err);
    }
    if (status == CRANK_OK) {
        status = read_constraints(e, CRANK_MU, CRANK_USE_VELOCITY_LEVEL, err);
    }
    if (status == CRANK_OK) {
        status = read_named(e, "invariant", e->invariant, e->invariant_count,
                            CRANK_USE_VELOCITY_LEVEL, err);
    }
    if (status == CRANK_OK) {
        status = read_named(e, "initial", e->initial, e->initial_count, CRANK_USE_ALL, err);
    }
    if (status == CRANK_OK) {
        status = read_named(e, "output", e->output, e->output_count,
                            CRANK_USE_ALL | CRANK_USE_ACCELERATIONS, err);
    }
    return status;
}

crank_status crank_equations_read(crank_equations *e, crank_error *err)
{
    const crank_node *root = e->document->root;
    crank_status status = crank_keys_check("", NULL, root, err);
    if (status == CRANK_OK) {
        status = declare_all(e, err);
    }
    if (status == CRANK_OK) {
        status = set_definitions(e, err);
    }
    if (status == CRANK_OK) {
        status = crank_definitions_resolve(e, err);
    }
    if (status == CRANK_OK) {
        status = read_starts(e, err);
    }
    if (status == CRANK_OK) {
        status = read_equations(e, err);
    }
    if (status == CRANK_OK) {
        status = crank_read_simulate(e, crank_node_find(root, "simulate"), err);
    }
    if (status == CRANK_OK) {
        status = crank_equations_read_view(e, err);
    }
    if (status == CRANK_OK && e->count[CRANK_P] + e->count[CRANK_V] + e->count[CRANK_R] == 0) {
        status = crank_fail_at(err, CRANK_EMODEL, root->line, root->column,
                               "positions: neither positions nor dynamic variables are given");
    }
    return status;
}
