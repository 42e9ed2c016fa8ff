/* equations_simulate.c - `simulate:`: times, rows of the result, method, and options by name.
 *
 * Options are passed on as text for crank_options_set; numbers among them may be expressions of
 * parameters. They are tried here on a scratch record, so that a wrong value is reported with
 * its place. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations/equations.h"
#include "model/keys.h"
#include "model/simulate.h"

#include "base/number.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OBJECT = 128, GROUPS_OF_ATOL = 7 };

typedef struct list {
    const crank_simulate_reader *reader;
    crank_simulate *simulate;
    crank_setting *options;
    int *line;
    int count;
    crank_options scratch;
} list;

static crank_status read_number(const list *l, const crank_node *node, const char *object,
                                double *out, crank_error *err)
{
    return l->reader->number(l->reader->user, node, object, out, err);
}

/* the value of an option as text: a number, an expression made a number, or a word as it
 * stands */
static crank_status option_text(const list *l, const crank_node *node, const char *object,
                                const char **text, crank_error *err)
{
    double value = 0.0;
    crank_error ignored = {0};
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node)) {
        return crank_fail_node(err, CRANK_EMODEL, node,
                               "%s: %s where a number or a word is expected", object,
                               crank_node_describe(node));
    }
    *text = node->text;
    if (crank_number_parse(node->text, &value)) {
        return CRANK_OK;
    }
    const crank_status status = read_number(l, node, object, &value, &ignored);
    char *number =
        status == CRANK_OK ? crank_store_take(l->reader->store, CRANK_NUMBER_TEXT, 1) : NULL;
    if (status == CRANK_EMEM || l->reader->store->failed) {
        return crank_fail(err, CRANK_EMEM, "%s", object);
    }
    if (number != NULL) {
        *text = crank_number_print(number, CRANK_NUMBER_TEXT, value, 17);
    }
    return CRANK_OK;
}

static crank_status read_option(list *l, const char *name, const crank_node *node,
                                crank_error *err)
{
    char object[OBJECT];
    const char *text = NULL;
    snprintf(object, sizeof object, "simulate, %.80s", name);
    crank_status status = option_text(l, node, object, &text, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = crank_options_set(&l->scratch, name, text, err);
    if (status != CRANK_OK) {
        char reason[sizeof err->text];
        memcpy(reason, err->text, sizeof reason);
        return crank_fail_node(err, CRANK_EMODEL, node, "simulate: %s", reason);
    }
    l->options[l->count] = (crank_setting){name, text};
    l->line[l->count++] = node->line;
    return CRANK_OK;
}

/* atol: {p: 1e-6, lambda: 1e-3} */
static crank_status read_atol(list *l, const crank_node *node, crank_error *err)
{
    crank_status status = crank_keys_check("atol", "simulate, atol", node, err);
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        const char *name = crank_store_print(l->reader->store, "atol_%s", node->key[i]->text);
        if (name == NULL) {
            return crank_fail(err, CRANK_EMEM, "simulate, atol");
        }
        status = read_option(l, name, node->item[i], err);
    }
    return status;
}

static crank_status read_word(const crank_node *node, const char *object, const char **out,
                              crank_error *err)
{
    if (node->kind != CRANK_NODE_SCALAR || node->text[0] == '\0') {
        return crank_fail_node(err, CRANK_EMODEL, node, "%s: %s where a word is expected",
                               object, crank_node_describe(node));
    }
    *out = node->text;
    return CRANK_OK;
}

static crank_status read_points(const list *l, const crank_node *node, crank_error *err)
{
    double value = 0.0;
    const crank_status status = read_number(l, node, "simulate, points", &value, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (!(value >= 1.0 && value <= INT_MAX) || value != floor(value)) {
        return crank_fail_node(err, CRANK_EMODEL, node,
                               "simulate, points: %g, must be a positive whole number", value);
    }
    l->simulate->points = (int)value;
    return CRANK_OK;
}

static crank_status read_every(const list *l, const crank_node *node, crank_error *err)
{
    const crank_status status =
        read_number(l, node, "simulate, every", &l->simulate->every, err);
    if (status == CRANK_OK && !(l->simulate->every > 0.0)) {
        return crank_fail_node(err, CRANK_EMODEL, node, "simulate, every: %g, must be positive",
                               l->simulate->every);
    }
    return status;
}

static crank_status read_key(list *l, const char *key, const crank_node *node, crank_error *err)
{
    crank_simulate *s = l->simulate;
    if (strcmp(key, "t_start") == 0) {
        return read_number(l, node, "simulate, t_start", &s->t_start, err);
    }
    if (strcmp(key, "t_end") == 0) {
        s->has_t_end = true;
        return read_number(l, node, "simulate, t_end", &s->t_end, err);
    }
    if (strcmp(key, "every") == 0) {
        return read_every(l, node, err);
    }
    if (strcmp(key, "points") == 0) {
        return read_points(l, node, err);
    }
    if (strcmp(key, "method") == 0) {
        s->method_line = node->line;
        s->method_column = node->column;
        return read_word(node, "simulate, method", &s->method, err);
    }
    if (strcmp(key, "atol") == 0 && node->kind == CRANK_NODE_MAPPING) {
        return read_atol(l, node, err);
    }
    return read_option(l, key, node, err);
}

crank_status crank_simulate_read(const crank_simulate_reader *reader, const crank_node *node,
                                 crank_simulate *out, crank_treatment *wish, crank_error *err)
{
    *out = (crank_simulate){.t_end = 1.0};
    if (node == NULL || crank_node_is_empty(node)) {
        return CRANK_OK;
    }
    if (node->kind != CRANK_NODE_MAPPING) {
        return crank_fail_node(err, CRANK_EMODEL, node,
                               "simulate: %s where a mapping is expected",
                               crank_node_describe(node));
    }
    crank_status status = crank_keys_check("simulate", "simulate", node, err);
    const size_t capacity = (size_t)node->count + GROUPS_OF_ATOL;
    list l = {.reader = reader, .simulate = out, .scratch = crank_options_default()};
    l.options = crank_store_take(reader->store, capacity, sizeof *l.options);
    l.line = crank_store_take(reader->store, capacity, sizeof *l.line);
    if (l.options == NULL || l.line == NULL) {
        return crank_fail(err, CRANK_EMEM, "simulate");
    }
    for (int i = 0; i < node->count && status == CRANK_OK; i++) {
        status = read_key(&l, node->key[i]->text, node->item[i], err);
    }
    if (status == CRANK_OK && out->every > 0.0 && out->points > 0) {
        status =
            crank_fail_node(err, CRANK_EMODEL, node, "simulate: both \"every\" and \"points\"");
    }
    if (status == CRANK_OK && out->has_t_end && out->t_end < out->t_start) {
        status = crank_fail_node(err, CRANK_ETIME, crank_node_find(node, "t_end"),
                                 "simulate: t_end = %g lies before t_start = %g", out->t_end,
                                 out->t_start);
    }
    out->option_count = l.count;
    out->options = l.options;
    out->option_line = l.line;
    if (wish->accelerations == CRANK_ACCELERATIONS_AUTO) {
        wish->accelerations = l.scratch.accelerations;
    }
    if (wish->coordinates == CRANK_COORDINATES_DEFAULT) {
        wish->coordinates = l.scratch.coordinates;
    }
    if (wish->orientation == CRANK_ORIENTATION_AUTO) {
        wish->orientation = l.scratch.orientation;
    }
    return status;
}

/* ---- of an equations file ---- */

static crank_status read_equations_number(void *user, const crank_node *node,
                                          const char *object, double *out, crank_error *err)
{
    return crank_read_number(user, node, NULL, object, out, err);
}

crank_status crank_read_simulate(crank_equations *e, const crank_node *node, crank_error *err)
{
    const crank_simulate_reader reader = {
        .store = e->store, .number = read_equations_number, .user = e};
    crank_treatment wish = crank_treatment_asked(e->options);
    const crank_status status = crank_simulate_read(&reader, node, &e->simulate, &wish, err);
    e->accelerations = wish.accelerations;
    if (status == CRANK_OK && wish.orientation == CRANK_ORIENTATION_CARDAN) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "orientation=cardan: only mechanisms have bodies that turn; leave the "
            "option orientation out");
    }
    return status == CRANK_OK && wish.coordinates == CRANK_COORDINATES_JOINT
               ? crank_fail(err, CRANK_EREFUSED,
                            "coordinates=joint: only mechanisms have joints; leave the option "
                            "coordinates out")
               : status;
}
