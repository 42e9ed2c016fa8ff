/* model.c - model files of any kind: read the file, find its kind, make the eom. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/model.h>

#include "base/suggest.h"
#include "model/equations.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t largest_file = (size_t)64 << 20;

static const char *const kinds[] = {"equations"};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct crank_model {
    crank_store
        store; /* everything below but the eom; what only the reading needs is freed after it */
    const char *kind;
    crank_eom *eom;
    crank_equations_supplier *supplier;
    crank_simulate simulate;
    double *start;
    crank_fixing *fixing;
    int variable_columns,
        column_count; /* columns that are unknowns, and all with the outputs */
    const char **column_name;
    int *column_source; /* index in x */
    int unused_count;
    const char **unused;
};

crank_model_options crank_model_options_default(void)
{
    return (crank_model_options){.size = sizeof(crank_model_options),
                                 .accelerations = CRANK_ACCELERATIONS_AUTO};
}

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the model");
}

/* ---- from the record to the model ---- */

static const char *keep_text(crank_model *model, const char *text)
{
    return text == NULL ? NULL : crank_store_copy(&model->store, text, strlen(text));
}

static void *keep(crank_model *model, const void *data, size_t count, size_t size)
{
    void *copy = crank_store_take(&model->store, count, size);
    if (copy != NULL && count > 0) {
        memcpy(copy, data, count * size);
    }
    return copy;
}

static crank_status keep_simulate(crank_model *model, const crank_simulate *from,
                                  crank_error *err)
{
    crank_simulate *s = &model->simulate;
    const size_t count = (size_t)from->option_count;
    crank_setting *options = crank_store_take(&model->store, count, sizeof *options);
    *s = *from;
    s->method = keep_text(model, from->method);
    s->option_line = keep(model, from->option_line, count, sizeof *s->option_line);
    s->options = options;
    for (size_t i = 0; options != NULL && i < count; i++) {
        options[i].name = keep_text(model, from->options[i].name);
        options[i].value = keep_text(model, from->options[i].value);
    }
    return model->store.failed ? no_memory(err) : CRANK_OK;
}

/* columns of a result: the user's order, multipliers, outputs; carried accelerations are left out */
static crank_status make_columns(crank_model *model, const crank_equations *e, crank_error *err)
{
    static const crank_group order[] = {CRANK_P, CRANK_V,      CRANK_R, CRANK_W,
                                        CRANK_S, CRANK_LAMBDA, CRANK_MU};
    const size_t count = (size_t)model->eom->n + (size_t)e->output_count;
    model->column_name = crank_store_take(&model->store, count, sizeof *model->column_name);
    model->column_source = crank_store_take(&model->store, count, sizeof *model->column_source);
    if (model->column_name == NULL || model->column_source == NULL) {
        return no_memory(err);
    }
    int k = 0;
    for (size_t g = 0; g < sizeof order / sizeof order[0]; g++) {
        for (int i = 0; i < e->count[order[g]]; i++, k++) {
            model->column_name[k] = keep_text(model, e->variable[order[g]][i].name);
            model->column_source[k] = model->eom->column[order[g]] + i;
        }
    }
    model->variable_columns = k;
    for (int i = 0; i < e->output_count; i++, k++) {
        model->column_name[k] = keep_text(model, e->output[i].name);
    }
    model->column_count = k;
    return model->store.failed ? no_memory(err) : CRANK_OK;
}

static crank_status list_unused(crank_model *model, const crank_equations *e, crank_error *err)
{
    model->unused =
        crank_store_take(&model->store, (size_t)e->definition_count, sizeof *model->unused);
    if (model->unused == NULL) {
        return no_memory(err);
    }
    for (int i = 0; i < e->definition_count; i++) {
        const crank_definition *d = &e->definition[i];
        if (e->name[d->symbol].used) {
            continue;
        }
        char *text = crank_store_print(&model->store, "%s \"%s\"",
                                       d->input ? "input" : "parameter", d->name);
        if (text == NULL) {
            return no_memory(err);
        }
        model->unused[model->unused_count++] = text;
    }
    return CRANK_OK;
}

static crank_status keep_places(crank_model *model, const crank_equations *e, crank_error *err)
{
    crank_eom *eom = model->eom;
    const size_t rows = (size_t)eom->m + (size_t)eom->sizes.initial;
    crank_place *row = crank_store_take(&model->store, rows, sizeof *row);
    crank_place *column = crank_store_take(&model->store, (size_t)eom->n, sizeof *column);
    if (row == NULL || column == NULL) {
        return no_memory(err);
    }
    crank_equations_places(e, eom, row, column);
    eom->row_place = row;
    eom->column_place = column;
    eom->mass_place = crank_equations_mass_place(e);
    return CRANK_OK;
}

static crank_status make_equations(crank_model *model, crank_equations *e, crank_error *err)
{
    crank_hidden hidden;
    crank_rows rows = {0};
    crank_status status = crank_equations_read(e, err);
    if (status == CRANK_OK) {
        status = crank_equations_derive(e, &hidden, err);
    }
    if (status == CRANK_OK) {
        status = crank_equations_rows(e, &hidden, &rows, err);
        model->eom = rows.eom;
    }
    if (status == CRANK_OK) {
        status = keep_places(model, e, err);
    }
    if (status == CRANK_OK) {
        status = crank_equations_supply(e, &rows, &model->supplier, err);
    }
    if (status == CRANK_OK) {
        const size_t n = (size_t)model->eom->n;
        model->start = keep(model, rows.start, n, sizeof *rows.start);
        model->fixing = keep(model, rows.fixing, n, sizeof *rows.fixing);
        status = keep_simulate(model, &e->simulate, err);
    }
    if (status == CRANK_OK) {
        status = make_columns(model, e, err);
    }
    return status == CRANK_OK ? list_unused(model, e, err) : status;
}

/* ---- the kind of a file ---- */

static crank_status find_kind(const crank_document *document, const char **out,
                              crank_error *err)
{
    const crank_node *root = document->root;
    if (root == NULL || crank_node_is_empty(root)) {
        return crank_fail(err, CRANK_ESYNTAX, "the file is empty");
    }
    const crank_node *node =
        root->kind == CRANK_NODE_MAPPING ? crank_node_find(root, "crank") : NULL;
    if (node == NULL) {
        return crank_fail_at(err, CRANK_EMODEL, root->line, root->column,
                             "crank: missing; a model begins with \"crank: equations\"");
    }
    const char *text = node->kind == CRANK_NODE_SCALAR ? node->text : crank_node_describe(node);
    for (int i = 0; i < KINDS; i++) {
        if (node->kind == CRANK_NODE_SCALAR && strcmp(text, kinds[i]) == 0) {
            *out = kinds[i];
            return CRANK_OK;
        }
    }
    const char *near = crank_suggest(text, kinds, KINDS);
    return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                         "crank: \"%.80s\" is not a known kind of model; %s\"%s\"%s", text,
                         near != NULL ? "did you mean " : "known is ",
                         near != NULL ? near : kinds[0], near != NULL ? "?" : "");
}

static crank_status make_model(crank_model *model, const char *text, size_t length,
                               const crank_model_options *options, crank_error *err)
{
    crank_store store = {0};
    crank_document document;
    crank_equations e = {.store = &store, .document = &document, .options = options};
    crank_status status = crank_yaml_read(text, length, &store, &document, err);
    if (status == CRANK_OK) {
        status = find_kind(&document, &model->kind, err);
    }
    if (status == CRANK_OK) {
        e.pool = crank_pool_create();
        status = e.pool != NULL ? make_equations(model, &e, err) : no_memory(err);
    }
    if (e.pool != NULL) {
        crank_pool_destroy(e.pool);
    }
    crank_store_free(&store);
    return status;
}

crank_status crank_model_read_text(const char *name, const char *text, size_t length,
                                   const crank_model_options *options, crank_model **out,
                                   crank_error *err)
{
    crank_error own = {0};
    const crank_model_options defaults = crank_model_options_default();
    err = err != NULL ? err : &own;
    options = options != NULL ? options : &defaults;
    *out = NULL;
    if (options->size != sizeof *options) {
        return crank_fail(err, CRANK_EARG, "model options: not made by their default function");
    }
    if (length > largest_file) {
        return crank_fail(err, CRANK_EFILE, "%.200s: larger than 64 MiB", name);
    }
    crank_model *model = calloc(1, sizeof *model);
    if (model == NULL) {
        return no_memory(err);
    }
    const crank_status status = make_model(model, text, length, options, err);
    if (status != CRANK_OK) {
        crank_model_destroy(model);
        return status;
    }
    *out = model;
    return CRANK_OK;
}

/* ---- files ---- */

/* the whole stream in one piece; *text is the caller's to free */
static crank_status read_stream(FILE *file, const char *path, char **text, size_t *length,
                                crank_error *err)
{
    size_t capacity = 0;
    *text = NULL;
    *length = 0;
    do {
        if (*length == capacity) {
            capacity = 2 * capacity + 65536;
            char *grown = realloc(*text, capacity);
            if (grown == NULL) {
                return no_memory(err);
            }
            *text = grown;
        }
        errno = 0;
        *length += fread(*text + *length, 1, capacity - *length, file);
        if (ferror(file)) {
            return crank_fail(err, CRANK_EFILE, "%.200s: cannot be read: %s", path,
                              strerror(errno));
        }
        if (*length > largest_file) {
            return crank_fail(err, CRANK_EFILE, "%.200s: larger than 64 MiB", path);
        }
    } while (!feof(file));
    return CRANK_OK;
}

crank_status crank_model_read(const char *path, const crank_model_options *options,
                              crank_model **out, crank_error *err)
{
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return crank_fail(err, CRANK_EFILE, "%.200s: cannot be opened: %s", path,
                          strerror(errno));
    }
    crank_status status = read_stream(file, path, &text, &length, err);
    (void)fclose(file);
    if (status == CRANK_OK) {
        status = crank_model_read_text(path, text, length, options, out, err);
    }
    free(text);
    return status;
}

void crank_model_destroy(crank_model *model)
{
    if (model == NULL) {
        return;
    }
    crank_eom_destroy(model->eom);
    crank_store_free(&model->store);
    free(model);
}

/* ---- asking ---- */

crank_eom *crank_model_eom(crank_model *model)
{
    return model->eom;
}

const crank_simulate *crank_model_simulate(const crank_model *model)
{
    return &model->simulate;
}

const char *crank_model_kind(const crank_model *model)
{
    return model->kind;
}

const double *crank_model_start(const crank_model *model)
{
    return model->start;
}

const crank_fixing *crank_model_fixing(const crank_model *model)
{
    return model->fixing;
}

int crank_model_column_count(const crank_model *model)
{
    return model->column_count;
}

const char *crank_model_column_name(const crank_model *model, int column)
{
    return column >= 0 && column < model->column_count ? model->column_name[column] : NULL;
}

crank_status crank_model_columns(crank_model *model, double t, const double *x, double *values,
                                 crank_error *err)
{
    for (int i = 0; i < model->variable_columns; i++) {
        values[i] = x[model->column_source[i]];
    }
    return crank_equations_outputs(model->supplier, t, x, values + model->variable_columns,
                                   err);
}

crank_status crank_model_set_invariants(crank_model *model, double t, const double *x,
                                        crank_error *err)
{
    return crank_equations_hold(model->supplier, t, x, err);
}

const char *crank_model_unused(const crank_model *model, int i)
{
    return i >= 0 && i < model->unused_count ? model->unused[i] : NULL;
}
