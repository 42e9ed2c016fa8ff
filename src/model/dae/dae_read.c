/* dae_read.c - the sections of a `crank: dae` file.
 *
 * An equation is a text "left = right". x' and der(x) are derivatives of variables; both sides
 * may contain them. The sides are read one by one with the other blanked out, so that places in
 * messages are those of the file. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "model/dae/dae.h"
#include "model/keys.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 2000 }; /* equations or variables: the analysis works with dense matrices */

static const int allowed = CRANK_USE_GIVEN | CRANK_USE_P | CRANK_USE_ACCELERATIONS;

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the equations");
}

const char *crank_dae_object(const crank_dae_file *file, int equation, char *text)
{
    const crank_dae_equation *q = &file->equation[equation];
    if (q->prescribed >= 0) {
        (void)snprintf(text, CRANK_OBJECT_TEXT, "prescribe, \"%.80s\"",
                       file->e.variable[CRANK_P][q->prescribed].name);
    } else if (q->name != NULL) {
        (void)snprintf(text, CRANK_OBJECT_TEXT, "equation \"%.80s\"", q->name);
    } else {
        (void)snprintf(text, CRANK_OBJECT_TEXT, "equation %d", equation + 1);
    }
    return text;
}

/* ---- declaring ---- */

/* what is wrong with a section that has no items; kind: what text stands in the place of */
static const char *lacking(const crank_node *node, const char *kind)
{
    return node == NULL                                                    ? "missing"
           : node->kind == CRANK_NODE_SCALAR && !crank_node_is_empty(node) ? kind
                                                                           : "none are given";
}

/* a mapping of names with start values, or a list of names */
static crank_status declare_variables(crank_dae_file *file, crank_error *err)
{
    crank_equations *e = &file->e;
    const crank_node *root = e->document->root, *node = crank_node_find(root, "variables");
    if (node == NULL || node->kind == CRANK_NODE_SCALAR || node->count == 0) {
        const crank_node *at = node != NULL ? node : root;
        return crank_fail_node(err, CRANK_EMODEL, at,
                               "variables: %s; name the unknowns, with start values: "
                               "\"variables: {x: 1, y: 0}\"",
                               lacking(node, "text where names are expected"));
    }
    if (node->count > MOST) {
        return crank_fail_node(err, CRANK_EMODEL, node,
                               "variables: %d, and a dae file may have %d (the analysis works "
                               "with dense matrices)",
                               node->count, MOST);
    }
    const size_t n = (size_t)node->count;
    e->variable[CRANK_P] = crank_store_take(e->store, n, sizeof(crank_variable));
    e->acceleration = crank_store_take(e->store, n, sizeof *e->acceleration);
    if (e->store->failed) {
        return no_memory(err);
    }
    e->count[CRANK_P] = node->count;
    for (int i = 0; i < node->count; i++) {
        crank_variable *x = &e->variable[CRANK_P][i];
        x->key = node->key != NULL ? node->key[i] : node->item[i];
        x->node = node->key != NULL ? node->item[i] : NULL;
        if (x->key->kind != CRANK_NODE_SCALAR) {
            return crank_fail_node(err, CRANK_EMODEL, x->key,
                                   "variables: %s where a name is expected",
                                   crank_node_describe(x->key));
        }
        x->label = x->name = x->key->text;
        x->fixing = CRANK_PREFERRED;
        const char *rate = crank_store_print(e->store, "%s'", x->name);
        if (rate == NULL) {
            return no_memory(err);
        }
        crank_status status =
            crank_names_declare(e, x->name, CRANK_P, i, x->key, &x->symbol, err);
        CRANK_THEN(status, crank_names_declare(e, rate, CRANK_NAME_ACCELERATION, i, x->key,
                                               &e->acceleration[i], err));
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

/* "- x' = v", or "- length: x^2 + y^2 = 1" */
static void list_item(const crank_node *item, crank_dae_equation *q)
{
    const bool named = item->kind == CRANK_NODE_MAPPING && item->count == 1;
    q->name = named ? item->key[0]->text : NULL;
    q->node = named ? item->item[0] : item;
    q->place = item;
}

/* a mapping refuses that by itself, a list does not */
static crank_status check_name(const crank_dae_file *file, int i, crank_error *err)
{
    const crank_dae_equation *q = &file->equation[i];
    for (int k = 0; k < i && q->name != NULL; k++) {
        const char *other = file->equation[k].name;
        if (other != NULL && strcmp(other, q->name) == 0) {
            return crank_fail_node(err, CRANK_EMODEL, q->place,
                                   "the name \"%.80s\" is already that of equation %d", q->name,
                                   k + 1);
        }
    }
    return CRANK_OK;
}

static crank_status list_equations(crank_dae_file *file, crank_error *err)
{
    crank_equations *e = &file->e;
    const crank_node *root = e->document->root, *node = crank_node_find(root, "equations"),
                     *prescribe = NULL;
    if (node == NULL || node->kind == CRANK_NODE_SCALAR || node->count == 0) {
        return crank_fail_node(err, CRANK_EMODEL, node != NULL ? node : root,
                               "equations: %s; a list such as [\"x' = v\", \"x^2 + y^2 = 1\"], "
                               "or a mapping of names",
                               lacking(node, "text where several are expected"));
    }
    if (node->count > MOST) {
        return crank_fail_node(err, CRANK_EMODEL, node,
                               "equations: %d, and a dae file may have %d (the analysis works "
                               "with dense matrices)",
                               node->count, MOST);
    }
    crank_status status = crank_read_section(e, "prescribe", &prescribe, err);
    if (status != CRANK_OK) {
        return status;
    }
    const int more = prescribe != NULL ? prescribe->count : 0;
    file->equation_count = node->count + more;
    file->equation =
        crank_store_take(e->store, (size_t)file->equation_count, sizeof *file->equation);
    if (file->equation == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < file->equation_count && status == CRANK_OK; i++) {
        crank_dae_equation *q = &file->equation[i];
        const int k = i - node->count;
        q->prescribed = -1;
        if (k >= 0) {
            q->place = prescribe->key[k];
            q->node = prescribe->item[k];
            q->prescribed =
                crank_read_variable(e, prescribe->key[k], CRANK_P, "prescribe", err);
            if (q->prescribed < 0) {
                return CRANK_EMODEL;
            }
        } else if (node->key != NULL) {
            *q = (crank_dae_equation){node->key[i]->text, node->key[i], node->item[i], -1, 0};
        } else {
            list_item(node->item[i], q);
            status = check_name(file, i, err);
        }
    }
    return status;
}

static crank_status declare_all(crank_dae_file *file, crank_error *err)
{
    crank_equations *e = &file->e;
    const crank_node *root = e->document->root;
    int names = 0;
    for (int i = 0; i < root->count; i++) {
        names += 2 * root->item[i]->count; /* variables bring derivatives */
    }
    crank_status status = crank_names_create(e, names, err);
    CRANK_THEN(status, crank_declare_given(e, err));
    CRANK_THEN(status, declare_variables(file, err));
    CRANK_THEN(status, crank_declare_outputs(e, err));
    return status == CRANK_OK ? list_equations(file, err) : status;
}

/* ---- texts of equations ---- */

/* the one "=" that is no comparison; NULL after filling err */
static const char *find_equals(const crank_node *node, const char *object, const char *text,
                               crank_error *err)
{
    const char *found = NULL;
    for (const char *c = text; *c != '\0'; c++) {
        const bool comparison =
            c[0] != '=' || c[1] == '=' || (c > text && strchr("<>=!", c[-1]) != NULL);
        if (!comparison && found != NULL) {
            (void)crank_fail_node(err, CRANK_EMODEL, node, "%s: more than one \"=\"", object);
            return NULL;
        }
        found = comparison ? found : c;
    }
    if (found == NULL) {
        (void)crank_fail_node(err, CRANK_EMODEL, node,
                              "%s: no \"=\"; write left = right, such as x^2 + y^2 = 1",
                              object);
    }
    return found;
}

/* an expression made of text[from .. to) */
static crank_status read_side(crank_dae_file *file, const crank_node *node, const char *object,
                              const char *text, size_t from, size_t to, crank_ex *out,
                              crank_error *err)
{
    crank_equations *e = &file->e;
    char *side = crank_store_copy(e->store, text, strlen(text));
    if (side == NULL) {
        return no_memory(err);
    }
    bool blank = true;
    for (size_t i = 0; side[i] != '\0'; i++) {
        side[i] = (char)(i >= from && i < to ? side[i] : ' ');
        blank = blank && side[i] == ' ';
    }
    if (blank) {
        return crank_fail_node(err, CRANK_EMODEL, node, "%s: nothing stands %s of \"=\"",
                               object, from == 0 ? "left" : "right");
    }
    return crank_read_part(e, node, side, allowed, object, out, err);
}

static crank_status read_equation(crank_dae_file *file, int i, crank_error *err)
{
    crank_equations *e = &file->e;
    crank_dae_equation *q = &file->equation[i];
    char object[CRANK_OBJECT_TEXT];
    crank_ex left = 0, right = 0;
    (void)crank_dae_object(file, i, object);
    if (q->node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(q->node)) {
        return crank_fail_node(err, CRANK_EMODEL, q->node,
                               "%s: %s where a text \"left = right\" is expected", object,
                               crank_node_describe(q->node));
    }
    if (q->prescribed >= 0) {
        const crank_status status = crank_read_expression(
            e, q->node, allowed & ~CRANK_USE_ACCELERATIONS, object, &right, err);
        left = e->variable[CRANK_P][q->prescribed].symbol;
        q->ex = crank_ex_sub(e->pool, left, right);
        return status;
    }
    char *text = crank_store_copy(e->store, q->node->text, strlen(q->node->text));
    if (text == NULL) {
        return no_memory(err);
    }
    crank_status status = crank_read_derivatives(q->node, object, text, err);
    if (status == CRANK_OK && strstr(text, "''") != NULL) {
        status = crank_fail_node(
            err, CRANK_EMODEL, q->node,
            "%s: a second derivative; introduce a variable for the first, v = x'", object);
    }
    const char *equals = status == CRANK_OK ? find_equals(q->node, object, text, err) : NULL;
    if (equals == NULL) {
        return CRANK_EMODEL;
    }
    const size_t at = (size_t)(equals - text), length = strlen(text);
    status = read_side(file, q->node, object, text, 0, at, &left, err);
    CRANK_THEN(status, read_side(file, q->node, object, text, at + 1, length, &right, err));
    if (status == CRANK_OK) {
        q->ex = crank_ex_sub(e->pool, left, right);
    }
    return status;
}

/* ---- start values ---- */

static crank_status read_nominal(crank_dae_file *file, int j, crank_error *err)
{
    char object[CRANK_OBJECT_TEXT];
    const crank_variable *x = &file->e.variable[CRANK_P][j];
    const crank_node *node = x->node != NULL && x->node->kind == CRANK_NODE_MAPPING
                                 ? crank_node_find(x->node, "nominal")
                                 : NULL;
    file->nominal[j] = 1.0 + (x->start < 0.0 ? -x->start : x->start);
    if (node == NULL) {
        return CRANK_OK;
    }
    file->nominal_given[j] = true;
    (void)crank_variable_object(&file->e, x, CRANK_P, object);
    const crank_status status =
        crank_read_number(&file->e, node, NULL, object, &file->nominal[j], err);
    if (status == CRANK_OK && !(file->nominal[j] > 0.0)) {
        return crank_fail_node(err, CRANK_EMODEL, node, "%s: nominal is %g, must be positive",
                               object, file->nominal[j]);
    }
    return status;
}

static crank_status read_starts(crank_dae_file *file, crank_error *err)
{
    crank_equations *e = &file->e;
    const int n = e->count[CRANK_P];
    file->variable = crank_store_take(e->store, (size_t)n, sizeof *file->variable);
    file->start = crank_store_take(e->store, (size_t)n, sizeof *file->start);
    file->nominal = crank_store_take(e->store, (size_t)n, sizeof *file->nominal);
    file->nominal_given = crank_store_take(e->store, (size_t)n, sizeof *file->nominal_given);
    crank_status status = e->store->failed ? no_memory(err) : CRANK_OK;
    for (int j = 0; j < n && status == CRANK_OK; j++) {
        crank_variable *x = &e->variable[CRANK_P][j];
        if (x->node != NULL) {
            status = crank_read_start(e, CRANK_P, x, err);
        }
        file->fixing_given = file->fixing_given || x->fixing != CRANK_PREFERRED;
    }
    CRANK_THEN(status, crank_set_starts(e, err));
    for (int j = 0; j < n && status == CRANK_OK; j++) {
        file->variable[j] = e->variable[CRANK_P][j].symbol;
        file->start[j] = e->variable[CRANK_P][j].start;
        status = read_nominal(file, j, err);
    }
    return status;
}

/* ---- the whole ---- */

crank_status crank_dae_read(crank_dae_file *file, crank_error *err)
{
    crank_equations *e = &file->e;
    const crank_node *root = e->document->root;
    crank_status status = crank_keys_check("dae", NULL, root, err);
    CRANK_THEN(status, declare_all(file, err));
    CRANK_THEN(status, crank_equations_read_tables(e, err));
    CRANK_THEN(status, crank_set_definitions(e, err));
    CRANK_THEN(status, crank_definitions_resolve(e, false, err));
    CRANK_THEN(status, read_starts(file, err));
    for (int i = 0; i < file->equation_count && status == CRANK_OK; i++) {
        status = read_equation(file, i, err);
    }
    CRANK_THEN(status, crank_definitions_resolve(e, true, err));
    CRANK_THEN(status, crank_read_simulate(e, crank_node_find(root, "simulate"), err));
    CRANK_THEN(status, crank_dae_read_events(file, err));
    CRANK_THEN(status, crank_equations_read_view(e, err));
    return status == CRANK_OK ? crank_dae_split_equations(file, err) : status;
}
