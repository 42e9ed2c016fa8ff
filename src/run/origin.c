/* origin.c - model files of any kind: reads the file, with those that it names, and finds its kind. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/origin.h"

#include "base/file.h"
#include "base/suggest.h"
#include "base/then.h"
#include "model/yaml.h"
#include "run/translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kinds of model files: a new kind is a line here. The last one is told by the file's ending,
 * the others by its first key. */
static const struct {
    const char *name;
    crank_model_make_fn *make;
} kinds[] = {
    {"equations", crank_equations_make},
    {"mechanism", crank_mechanism_make},
    {"dae", crank_dae_make},
    {"modelica", crank_modelica_make},
};
enum { MODELICA = sizeof kinds / sizeof kinds[0] - 1, KINDS = MODELICA };

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the model");
}

crank_import_options crank_origin_reading(const crank_model_options *options)
{
    crank_import_options how = crank_import_options_default();
    if (options != NULL) {
        how.log = options->log;
        how.library = options->library;
    }
    return how;
}

/* ---- the kind of a file ---- */

static void set_kind(struct crank_origin *origin, int kind)
{
    origin->kind = kinds[kind].name;
    origin->make = kinds[kind].make;
    origin->is_modelica = kind == MODELICA;
}

static crank_status unknown_kind(const crank_node *node, const char *text, crank_error *err)
{
    const char *names[KINDS];
    char list[80] = "";
    for (int i = 0; i < KINDS; i++) {
        const size_t used = strlen(list);
        names[i] = kinds[i].name;
        (void)snprintf(list + used, sizeof list - used, "%s\"%s\"", i > 0 ? ", " : "",
                       names[i]);
    }
    const char *near = crank_suggest(text, names, KINDS);
    if (near != NULL) {
        return crank_fail_at(
            err, CRANK_EMODEL, node->line, node->column,
            "crank: \"%.80s\" is not a known kind of model; did you mean \"%s\"?", text, near);
    }
    return crank_fail_at(err, CRANK_EMODEL, node->line, node->column,
                         "crank: \"%.80s\" is not a known kind of model; known are %s", text,
                         list);
}

static crank_status find_kind(struct crank_origin *origin, crank_error *err)
{
    const crank_node *root = origin->document.root;
    if (root == NULL || crank_node_is_empty(root)) {
        return crank_fail(err, CRANK_ESYNTAX, "the file is empty");
    }
    const crank_node *node =
        root->kind == CRANK_NODE_MAPPING ? crank_node_find(root, "crank") : NULL;
    if (node == NULL) {
        return crank_fail_at(err, CRANK_EMODEL, root->line, root->column,
                             "crank: missing; a model begins with \"crank: mechanism\", "
                             "\"crank: equations\" or \"crank: dae\"");
    }
    const char *text = node->kind == CRANK_NODE_SCALAR ? node->text : crank_node_describe(node);
    for (int i = 0; i < KINDS; i++) {
        if (node->kind == CRANK_NODE_SCALAR && strcmp(text, kinds[i].name) == 0) {
            set_kind(origin, i);
            return CRANK_OK;
        }
    }
    return unknown_kind(node, text, err);
}

/* ---- reading ---- */

/* URDF or MJCF: what cannot be used is told here, once. */
static crank_status import(struct crank_origin *origin, const char *text, size_t length,
                           const crank_import_options *how, crank_error *err)
{
    crank_import im = {.store = &origin->store,
                       .files = &origin->files,
                       .path = origin->path,
                       .loops = how->loops,
                       .err = err};
    origin->document = (crank_document){.text = text, .length = length};
    const crank_status status = crank_import_xml(&im, text, length, &origin->document.root);
    if (status == CRANK_OK && how->strict &&
        crank_robot_refuse_findings(&im, err) != CRANK_OK) {
        return CRANK_EMODEL;
    }
    if (status == CRANK_OK) {
        crank_import_tell(&im, origin->name, &how->log);
    }
    return status;
}

crank_status crank_origin_parse(const char *name, const char *path, const char *text,
                                size_t length, const crank_import_options *how,
                                struct crank_origin **out, crank_error *err)
{
    struct crank_origin *origin = calloc(1, sizeof *origin);
    *out = origin;
    if (origin == NULL) {
        return no_memory(err);
    }
    atomic_init(&origin->models, 1);
    if (length > CRANK_MODEL_FILE_MOST) {
        return crank_fail(err, CRANK_EFILE, "%.200s: larger than 64 MiB", name);
    }
    const char *kept = crank_store_copy(&origin->store, text, length);
    origin->name = crank_store_copy(&origin->store, name, strlen(name));
    origin->path = path != NULL ? crank_store_copy(&origin->store, path, strlen(path)) : NULL;
    if (origin->store.failed) {
        return no_memory(err);
    }
    if (crank_modelica_is_named(name)) {
        set_kind(origin, MODELICA);
        origin->document = (crank_document){.text = kept, .length = length};
        return crank_modelica_read(name, path, kept, length, how->library, &origin->store,
                                   &origin->modelica, err);
    }
    const crank_status status =
        crank_xml_is(kept, length)
            ? import(origin, kept, length, how, err)
            : crank_yaml_read(kept, length, &origin->store, &origin->document, err);
    return status == CRANK_OK ? find_kind(origin, err) : status;
}

crank_status crank_origin_load(const char *path, const crank_import_options *how,
                               struct crank_origin **out, crank_error *err)
{
    char *text = NULL;
    size_t length = 0;
    *out = NULL;
    crank_status status =
        crank_file_load(path, CRANK_FILE_ANY, CRANK_MODEL_FILE_MOST, &text, &length, err);
    CRANK_THEN(status, crank_origin_parse(path, path, text, length, how, out, err));
    free(text);
    return status;
}

crank_status crank_origin_of_tree(const char *name, crank_store *store, const crank_node *root,
                                  struct crank_origin **out, crank_error *err)
{
    struct crank_origin *origin = calloc(1, sizeof *origin);
    *out = origin;
    if (origin == NULL) {
        crank_store_free(store);
        return no_memory(err);
    }
    atomic_init(&origin->models, 1);
    origin->store = *store;
    origin->document = (crank_document){.text = "", .root = root};
    origin->name = crank_store_copy(&origin->store, name, strlen(name));
    return origin->name != NULL ? find_kind(origin, err) : no_memory(err);
}

void crank_origin_release(struct crank_origin *origin)
{
    if (origin != NULL && atomic_fetch_sub(&origin->models, 1) == 1) {
        crank_store_free(&origin->files.store);
        crank_store_free(&origin->store);
        free(origin);
    }
}

crank_model_source crank_origin_source(const struct crank_origin *origin, crank_files *files,
                                       const crank_model_options *options)
{
    return (crank_model_source){.kind = origin->kind,
                                .document = &origin->document,
                                .path = origin->path,
                                .modelica = origin->is_modelica ? &origin->modelica : NULL,
                                .files = files,
                                .options = options};
}
