/* model.c - models of what was read (origin.h): make one, once more with other settings. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/origin.h"

#include "base/blame.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/then.h"
#include "model/features.h"
#include "model/switches.h"
#include "run/translate.h"
#include "symbolic/symbolic.h"

#include <stdlib.h>
#include <string.h>

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
    crank_status status = crank_origin_parse(name, NULL, text, length, &how, &origin, err);
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
    struct crank_origin *origin;
    *out = NULL;
    crank_status status = crank_origin_of_tree(name, store, root, &origin, err);
    CRANK_THEN(status, check_options(options, err));
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
