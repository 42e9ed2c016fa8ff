/* robot.c - robots of other programs as trees of mechanism files, and back. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/origin.h"

#include "base/then.h"
#include "mechanics/export.h"

#include <string.h>

crank_import_options crank_import_options_default(void)
{
    return (crank_import_options){.size = sizeof(crank_import_options)};
}

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "reading the model");
}

crank_status crank_robot_refuse_findings(const crank_import *im, crank_error *err)
{
    for (int i = 0; i < im->finding_count; i++) {
        if (!im->finding[i].note) {
            (void)crank_fail_at(err, CRANK_EMODEL, im->finding[i].line, 0, "%s",
                                im->finding[i].text);
            crank_error_set_file(err, im->finding[i].file);
            return CRANK_EMODEL;
        }
    }
    return CRANK_OK;
}

crank_status crank_model_import(const char *path, const crank_import_options *options,
                                char **text, crank_error *err)
{
    crank_error own = {0};
    struct crank_origin *origin;
    crank_text out = {0};
    crank_model *model = NULL;
    const crank_import_options defaults = crank_import_options_default();
    err = err != NULL ? err : &own;
    *text = NULL;
    options = options != NULL ? options : &defaults;
    if (options->size != sizeof *options) {
        return crank_fail(err, CRANK_EARG,
                          "import options: not made by their default function");
    }
    crank_status status = crank_origin_load(path, options, &origin, err);
    CRANK_THEN(status, crank_model_of_origin(origin, &origin->files, NULL, &model,
                                             err)); /* it is a model */
    if (status == CRANK_OK) {
        crank_tree_write(origin->document.root, &out);
        *text = out.data;
        status = out.failed ? no_memory(err) : CRANK_OK;
    }
    if (status != CRANK_OK) {
        crank_text_free(&out);
        *text = NULL;
    }
    crank_model_destroy(model);
    crank_origin_release(origin);
    return status;
}

crank_status crank_model_export(const char *path, bool mjcf,
                                const crank_import_options *options, char **text,
                                crank_error *err)
{
    crank_error own = {0};
    struct crank_origin *origin;
    crank_text out = {0};
    crank_store store = {0};
    const crank_import_options defaults = crank_import_options_default();
    const crank_model_options reading = crank_model_options_default();
    err = err != NULL ? err : &own;
    *text = NULL;
    options = options != NULL ? options : &defaults;
    if (options->size != sizeof *options) {
        return crank_fail(err, CRANK_EARG,
                          "export options: not made by their default function");
    }
    crank_status status = crank_origin_load(path, &defaults, &origin, err);
    if (status == CRANK_OK && strcmp(origin->kind, "mechanism") != 0) {
        status =
            crank_fail(err, CRANK_EREFUSED, "a robot is a mechanism, not %s", origin->kind);
    }
    if (status == CRANK_OK) {
        crank_import im = {.store = &store, .files = &origin->files, .path = path, .err = err};
        const crank_model_source source = {.document = &origin->document,
                                           .path = origin->path,
                                           .files = &origin->files,
                                           .options = &reading};
        status = crank_mechanism_export(&source, mjcf, &im, &out);
        if (status == CRANK_OK && options->strict) {
            status = crank_robot_refuse_findings(&im, err);
        }
        if (status == CRANK_OK) {
            crank_import_tell(&im, path, &options->log);
            *text = out.data;
        }
    }
    if (status != CRANK_OK) {
        crank_text_free(&out);
    }
    crank_store_free(&store);
    crank_origin_release(origin);
    return status;
}
