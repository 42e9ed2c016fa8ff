/* model.c - model files of any kind: read the file, find its kind, make the model; once more
 * with other settings. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/origin.h"

#include "base/blame.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/suggest.h"
#include "base/then.h"
#include "model/features.h"
#include "model/switches.h"
#include "model/yaml.h"
#include "run/translate.h"
#include "symbolic/symbolic.h"

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

crank_model_options crank_model_options_default(void)
{
    return (crank_model_options){.size = sizeof(crank_model_options),
                                 .accelerations = CRANK_ACCELERATIONS_AUTO,
                                 .coordinates = CRANK_COORDINATES_DEFAULT,
                                 .orientation = CRANK_ORIENTATION_AUTO};
}

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

static crank_status parse(const char *name, const char *path, const char *text, size_t length,
                          const crank_import_options *how, struct crank_origin **out,
                          crank_error *err)
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
    CRANK_THEN(status, parse(path, path, text, length, how, out, err));
    free(text);
    return status;
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

/* ---- making it ---- */

/* the file's name without directory and ending, if the file gives no title */
static bool set_title(crank_model *model, const char *name)
{
    if (model->title == NULL) {
        size_t length;
        const char *start = crank_path_name(name, &length);
        model->title = crank_store_copy(&model->store, start, length);
    }
    return model->title != NULL;
}

static bool keep_options(crank_model *model, const crank_model_options *options)
{
    const size_t count = (size_t)options->setting_count;
    crank_setting *settings = crank_store_take(&model->store, count, sizeof *settings);
    for (size_t i = 0; i < count && settings != NULL; i++) {
        settings[i].name = crank_model_keep_text(model, options->settings[i].name);
        settings[i].value = crank_model_keep_text(model, options->settings[i].value);
    }
    const size_t varied = (size_t)options->vary_count;
    const char **vary = crank_store_take(&model->store, varied, sizeof *vary);
    for (size_t i = 0; i < varied && vary != NULL; i++) {
        vary[i] = crank_model_keep_text(model, options->vary[i]);
    }
    model->options = *options;
    model->options.settings = settings;
    model->options.log = (crank_log){0}; /* the caller's may be gone */
    model->options.nudge = NULL;         /* so may this */
    model->options.vary = vary;
    model->options.cache = crank_model_keep_text(model, options->cache);
    model->options.model = crank_model_keep_text(model, options->model);
    model->options.library = crank_model_keep_text(model, options->library);
    return !model->store.failed;
}

static crank_status check_options(const crank_model_options *options, crank_error *err)
{
    return options == NULL || options->size == sizeof *options
               ? CRANK_OK
               : crank_fail(err, CRANK_EARG,
                            "model options: not made by their default function");
}

static crank_status check_varied(const crank_model *model, const crank_model_options *options,
                                 crank_error *err)
{
    for (int i = 0; i < options->vary_count; i++) {
        int found = 0;
        while (found < model->parameter_count &&
               strcmp(model->parameter[found].name, options->vary[i]) != 0) {
            found++;
        }
        if (found == model->parameter_count) {
            return crank_blame_caller(
                err, crank_fail(err, CRANK_EMODEL, "vary \"%.80s\": no parameter has this name",
                                options->vary[i]));
        }
    }
    return CRANK_OK;
}

/* Numbers that were made of parameters; those that vary are saved with the state. */
static uint64_t mark_of(const crank_model *model)
{
    uint64_t hash = CRANK_HASH_START;
    for (int i = 0; i < model->parameter_count; i++) {
        const crank_parameter *p = &model->parameter[i];
        if (!p->in_place) {
            hash = crank_hash(hash, &p->value, sizeof p->value);
        }
    }
    return hash;
}

crank_status crank_model_of_origin(struct crank_origin *origin, crank_files *files,
                                   const crank_model_options *options, crank_model **out,
                                   crank_error *err)
{
    const crank_model_options defaults = crank_model_options_default();
    options = options != NULL ? options : &defaults;
    *out = NULL;
    crank_model *model = calloc(1, sizeof *model);
    if (model == NULL) {
        return no_memory(err);
    }
    const crank_model_source source = crank_origin_source(origin, files, options);
    model->kind = origin->kind;
    model->origin = origin;
    atomic_fetch_add(&origin->models, 1);
    crank_status status = options->inlined && crank_translate_takes(model->kind)
                              ? crank_translate_make(model, &source, origin->make, err)
                              : origin->make(model, &source, err);
    CRANK_THEN(status, check_varied(model, options, err));
    if (status == CRANK_OK) {
        model->eom->mark = mark_of(model);
    }
    if (status == CRANK_OK &&
        !(set_title(model, origin->name) && keep_options(model, options))) {
        status = no_memory(err);
    }
    if (status != CRANK_OK) {
        crank_model_destroy(model);
        return status;
    }
    *out = model;
    return CRANK_OK;
}

crank_status crank_model_read_text(const char *name, const char *text, size_t length,
                                   const crank_model_options *options, crank_model **out,
                                   crank_error *err)
{
    crank_error own = {0};
    struct crank_origin *origin;
    err = err != NULL ? err : &own;
    *out = NULL;
    if (check_options(options, err) != CRANK_OK) {
        return CRANK_EARG;
    }
    const crank_import_options how = crank_origin_reading(options);
    crank_status status = parse(name, NULL, text, length, &how, &origin, err);
    CRANK_THEN(status, crank_model_of_origin(origin, &origin->files, options, out, err));
    crank_origin_release(origin);
    return status;
}

crank_status crank_model_read(const char *path, const crank_model_options *options,
                              crank_model **out, crank_error *err)
{
    crank_error own = {0};
    struct crank_origin *origin;
    err = err != NULL ? err : &own;
    *out = NULL;
    if (check_options(options, err) != CRANK_OK) {
        return CRANK_EARG;
    }
    const crank_import_options how = crank_origin_reading(options);
    crank_status status = crank_origin_load(path, &how, &origin, err);
    CRANK_THEN(status, crank_model_of_origin(origin, &origin->files, options, out, err));
    crank_origin_release(origin);
    return status;
}

crank_status crank_model_of_tree(const char *name, crank_store *store, const crank_node *root,
                                 const crank_model_options *options, crank_model **out,
                                 crank_error *err)
{
    struct crank_origin *origin = calloc(1, sizeof *origin);
    *out = NULL;
    if (origin == NULL) {
        crank_store_free(store);
        return no_memory(err);
    }
    atomic_init(&origin->models, 1);
    origin->store = *store;
    origin->document = (crank_document){.text = "", .root = root};
    origin->name = crank_store_copy(&origin->store, name, strlen(name));
    crank_status status = origin->name != NULL ? check_options(options, err) : no_memory(err);
    CRANK_THEN(status, find_kind(origin, err));
    CRANK_THEN(status, crank_model_of_origin(origin, &origin->files, options, out, err));
    crank_origin_release(origin);
    return status;
}

crank_status crank_model_remake(const crank_model *from, const crank_model_options *options,
                                crank_model **out, crank_error *err)
{
    crank_error own = {0};
    crank_files files = {.first = from->origin->files.first};
    err = err != NULL ? err : &own;
    *out = NULL;
    if (check_options(options, err) != CRANK_OK) {
        return CRANK_EARG;
    }
    const crank_status status = crank_model_of_origin(from->origin, &files, options, out, err);
    crank_store_free(&files.store);
    return status;
}

void crank_model_destroy(crank_model *model)
{
    if (model == NULL) {
        return;
    }
    crank_eom_destroy(model->eom);
    crank_model_free_switches(model);
    crank_model_free_features(model);
    crank_tape_destroy(model->following);
    crank_store_free(&model->store);
    crank_origin_release(model->origin);
    free(model);
}
