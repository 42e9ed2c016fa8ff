/* equations_simulate.c - `simulate:`: times, rows of the result, method, and options by name.
 *
 * Options are passed on as text for crank_options_set; numbers among them may be expressions of
 * parameters. They are tried here on a scratch record, so that a wrong value is reported with its
 * place. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations.h"
#include "model/keys.h"

#include "base/number.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OBJECT = 128, GROUPS_OF_ATOL = 7 };

typedef struct list {
    crank_setting *options;
    int *line;
    int count;
    crank_options scratch;
} list;

/* the value of an option as text: a number, an expression made a number, or a word as it stands */
static crank_status option_text(crank_equations *e, const crank_node *node, const char *object,
                                const char **text, crank_error *err)
{
    double value = 0.0;
    crank_error ignored = {0};
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "%s: %s where a number or a word is expected", object,
                             crank_node_describe(node));
    }
    *text = node->text;
    if (crank_number_parse(node->text, &value)) {
        return CRANK_OK;
    }
    const crank_status status = crank_read_number(e, node, NULL, object, &value, &ignored);
    char *number = status == CRANK_OK ? crank_store_take(e->store, CRANK_NUMBER_TEXT, 1) : NULL;
    if (status == CRANK_EMEM || e->store->failed) {
        return crank_fail(err, CRANK_EMEM, "%s", object);
    }
    if (number != NULL) {
        *text = crank_number_print(number, CRANK_NUMBER_TEXT, value, 17);
    }
    return CRANK_OK;
}

static crank_status read_option(crank_equations *e, list *l, const char *name,
                                const crank_node *node, crank_error *err)
{
    char object[OBJECT];
    const char *text = NULL;
    snprintf(object, sizeof object, "simulate, %.80s", name);
    crank_status status = option_text(e, node, object, &text, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = crank_options_set(&l->scratch, name, text, err);
    if (status != CRANK_OK) {
        char reason[sizeof err->text];
        memcpy(reason, err->text, sizeof reason);
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column, "simulate: %s",
                             reason);
    }
    l->options[l->count] = (crank_setting){name, text};
    l->line[l->count++] = node->line;
    return CRANK_OK;
}

/* atol: {p: 1e-6, lambda: 1e-3} */
static crank_status read_atol(crank_equations *e, list *l, const crank_node *node,
                              crank_error *err)
{
    crank_status status = crank_keys_check("atol", "simulate, atol", node, err);
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        const char *name = crank_store_print(e->store, "atol_%s", node->key[i]->text);
        if (name == NULL) {
            return crank_fail(err, CRANK_EMEM, "simulate, atol");
        }
        status = read_option(e, l, name, node->item[i], err);
    }
    return status;
}

static crank_status read_word(const crank_node *node, const char *object, const char **out,
                              crank_error *err)
{
    if (node->kind != CRANK_NODE_SCALAR || node->text[0] == '\0') {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "%s: %s where a word is expected", object,
                             crank_node_describe(node));
    }
    *out = node->text;
    return CRANK_OK;
}

static crank_status read_points(crank_equations *e, const crank_node *node, crank_error *err)
{
    double value = 0.0;
    const crank_status status =
        crank_read_number(e, node, NULL, "simulate, points", &value, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (!(value >= 1.0 && value <= INT_MAX) || value != floor(value)) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "simulate, points: %g, must be a positive whole number", value);
    }
    e->simulate.points = (int)value;
    return CRANK_OK;
}

static crank_status read_every(crank_equations *e, const crank_node *node, crank_error *err)
{
    const crank_status status =
        crank_read_number(e, node, NULL, "simulate, every", &e->simulate.every, err);
    if (status == CRANK_OK && !(e->simulate.every > 0.0)) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "simulate, every: %g, must be positive", e->simulate.every);
    }
    return status;
}

static crank_status read_key(crank_equations *e, list *l, const char *key,
                             const crank_node *node, crank_error *err)
{
    crank_simulate *s = &e->simulate;
    if (strcmp(key, "t_start") == 0) {
        return crank_read_number(e, node, NULL, "simulate, t_start", &s->t_start, err);
    }
    if (strcmp(key, "t_end") == 0) {
        s->has_t_end = true;
        return crank_read_number(e, node, NULL, "simulate, t_end", &s->t_end, err);
    }
    if (strcmp(key, "every") == 0) {
        return read_every(e, node, err);
    }
    if (strcmp(key, "points") == 0) {
        return read_points(e, node, err);
    }
    if (strcmp(key, "method") == 0) {
        s->method_line = node->line;
        s->method_column = node->column;
        return read_word(node, "simulate, method", &s->method, err);
    }
    if (strcmp(key, "atol") == 0 && node->kind == CRANK_NODE_MAPPING) {
        return read_atol(e, l, node, err);
    }
    return read_option(e, l, key, node, err);
}

crank_status crank_read_simulate(crank_equations *e, const crank_node *node, crank_error *err)
{
    e->simulate.t_end = 1.0;
    e->accelerations = e->options->accelerations;
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                             "simulate: %s where a mapping is expected",
                             crank_node_describe(node));
    }
    crank_status status = crank_keys_check("simulate", "simulate", node, err);
    const size_t capacity = (size_t)node->count + GROUPS_OF_ATOL;
    list l = {.scratch = crank_options_default()};
    l.options = crank_store_take(e->store, capacity, sizeof *l.options);
    l.line = crank_store_take(e->store, capacity, sizeof *l.line);
    if (l.options == NULL || l.line == NULL) {
        return crank_fail(err, CRANK_EMEM, "simulate");
    }
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        status = read_key(e, &l, node->key[i]->text, node->item[i], err);
    }
    if (status == CRANK_OK && e->simulate.every > 0.0 && e->simulate.points > 0) {
        status = crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                               "simulate: both \"every\" and \"points\"");
    }
    if (status == CRANK_OK && e->simulate.has_t_end &&
        e->simulate.t_end < e->simulate.t_start) {
        const crank_node *end = crank_node_find(node, "t_end");
        status = crank_fail_at(err, CRANK_ETIME, end->line, end->column,
                               "simulate: t_end = %g lies before t_start = %g",
                               e->simulate.t_end, e->simulate.t_start);
    }
    e->simulate.option_count = l.count;
    e->simulate.options = l.options;
    e->simulate.option_line = l.line;
    if (e->accelerations == CRANK_ACCELERATIONS_AUTO) {
        e->accelerations = l.scratch.accelerations;
    }
    return status;
}
