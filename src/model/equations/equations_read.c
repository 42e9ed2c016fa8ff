/* equations_read.c - the sections of a `crank: equations` file as a record of named
 * expressions.
 *
 * First every name is declared, then parameters and inputs get their values, then start values
 * are read, and last the equations, in which names may stand in any order. The format is
 * described in docs/formats.md, its keys in keys.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/equations/equations.h"
#include "model/keys.h"

#include <stdio.h>
#include <string.h>

const char *const crank_group_word[CRANK_GROUPS] = {
    [CRANK_W] = "auxiliary", [CRANK_LAMBDA] = "holonomic", [CRANK_MU] = "nonholonomic",
    [CRANK_R] = "dynamic",   [CRANK_V] = "velocity",       [CRANK_S] = "contact",
    [CRANK_P] = "position",
};

static const char *const sections[CRANK_GROUPS] = {
    [CRANK_W] = "auxiliary", [CRANK_LAMBDA] = "holonomic", [CRANK_MU] = "nonholonomic",
    [CRANK_R] = "dynamic",   [CRANK_V] = "velocities",     [CRANK_S] = "contact",
    [CRANK_P] = "positions",
};

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the equations");
}

/* ---- declaring ---- */

static crank_status declare_group(crank_equations *e, crank_group group, crank_error *err)
{
    const crank_node *node = NULL;
    crank_status status = crank_read_section(e, sections[group], &node, err);
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

static crank_status declare_all(crank_equations *e, crank_error *err)
{
    const crank_node *root = e->document->root;
    int names = 0;
    for (int i = 0; i < root->count; i++) {
        if (root->item[i]->kind == CRANK_NODE_MAPPING) {
            names += 2 * root->item[i]->count; /* velocities bring accelerations */
        }
    }
    /* equations of variables are zero until they are read */
    (void)crank_ex_number(e->pool, 0.0);
    crank_status status = crank_names_create(e, names, err);
    CRANK_THEN(status, crank_declare_given(e, err));
    static const crank_group order[] = {CRANK_P, CRANK_V,      CRANK_R, CRANK_W,
                                        CRANK_S, CRANK_LAMBDA, CRANK_MU};
    for (size_t i = 0; i < sizeof order / sizeof order[0] && status == CRANK_OK; i++) {
        status = declare_group(e, order[i], err);
    }
    CRANK_THEN(status, declare_accelerations(e, err));
    CRANK_THEN(status, crank_declare_outputs(e, err));
    CRANK_THEN(status,
               crank_list_named(e, "invariants", &e->invariant, &e->invariant_count, err));
    CRANK_THEN(status, crank_list_named(e, "initial", &e->initial, &e->initial_count, err));
    return status;
}

/* ---- variables ---- */

/* the expression under a key that must be there */
static crank_status read_equation(crank_equations *e, crank_group group, const char *key,
                                  int allowed, crank_error *err)
{
    for (int i = 0; i < e->count[group]; i++) {
        crank_variable *x = &e->variable[group][i];
        char object[CRANK_OBJECT_TEXT];
        crank_variable_object(e, x, group, object);
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
        char object[CRANK_OBJECT_TEXT];
        crank_variable_object(e, x, group, object);
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

/* ---- forces ---- */

static crank_status read_force(crank_equations *e, int i, const crank_node *node,
                               crank_error *err)
{
    char object[CRANK_OBJECT_TEXT];
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
                crank_read_start(e, groups[g], &e->variable[groups[g]][i], err);
            if (status != CRANK_OK) {
                return status;
            }
        }
    }
    return crank_set_starts(e, err);
}

static crank_status read_equations(crank_equations *e, crank_error *err)
{
    const crank_node *root = e->document->root;
    crank_status status = read_equation(e, CRANK_R, "rate", CRANK_USE_ALL, err);
    CRANK_THEN(status, read_equation(e, CRANK_W, "equation", CRANK_USE_ALL, err));
    CRANK_THEN(status, read_equation(e, CRANK_S, "equation", CRANK_USE_POSITION_LEVEL, err));
    CRANK_THEN(status, crank_read_kinematics(e, crank_node_find(root, "kinematics"), err));
    CRANK_THEN(status, crank_read_mass(e, crank_node_find(root, "mass"), err));
    CRANK_THEN(status, read_forces(e, crank_node_find(root, "forces"), err));
    CRANK_THEN(status, read_constraints(e, CRANK_LAMBDA, CRANK_USE_POSITION_LEVEL, err));
    CRANK_THEN(status, read_constraints(e, CRANK_MU, CRANK_USE_VELOCITY_LEVEL, err));
    CRANK_THEN(status, crank_read_named(e, "invariant", e->invariant, e->invariant_count,
                                        CRANK_USE_VELOCITY_LEVEL, err));
    if (status == CRANK_OK) {
        status = crank_read_named(e, "initial", e->initial, e->initial_count,
                                  CRANK_USE_ALL | CRANK_USE_ACCELERATIONS, err);
    }
    return status;
}

crank_status crank_equations_read(crank_equations *e, crank_error *err)
{
    const crank_node *root = e->document->root;
    crank_status status = crank_keys_check("", NULL, root, err);
    CRANK_THEN(status, declare_all(e, err));
    CRANK_THEN(status, crank_equations_read_tables(e, err));
    CRANK_THEN(status, crank_set_definitions(e, err));
    CRANK_THEN(status, crank_equations_find_switched(e, err));
    CRANK_THEN(status, crank_definitions_resolve(e, false, err));
    CRANK_THEN(status, read_starts(e, err));
    CRANK_THEN(status, read_equations(e, err));
    CRANK_THEN(status, crank_definitions_resolve(e, true, err));
    CRANK_THEN(status, crank_equations_read_events(e, err));
    CRANK_THEN(status, crank_read_simulate(e, crank_node_find(root, "simulate"), err));
    CRANK_THEN(status, crank_equations_read_view(e, err));
    if (status == CRANK_OK && e->count[CRANK_P] + e->count[CRANK_V] + e->count[CRANK_R] == 0) {
        status = crank_fail_at(err, CRANK_EMODEL, root->line, root->column,
                               "positions: neither positions nor dynamic variables are given");
    }
    return status;
}
