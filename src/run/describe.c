/* describe.c - what can be said of files of equations: their analysis, and the passes of their
 * translation. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/origin.h"

#include "base/then.h"
#include "run/translate.h"

#include <string.h>

crank_status crank_model_analyse(const char *path, const crank_model_options *options,
                                 bool formulas, char **text, bool *fine, crank_error *err)
{
    crank_error own = {0};
    struct crank_origin *origin;
    crank_text report = {0};
    err = err != NULL ? err : &own;
    *text = NULL;
    *fine = false;
    const crank_import_options how =
        crank_origin_reading(options); /* told when it is read as a model */
    crank_status status = crank_origin_load(path, &how, &origin, err);
    const bool modelica = status == CRANK_OK && origin->is_modelica;
    if (modelica || (status == CRANK_OK && strcmp(origin->kind, "dae") == 0)) {
        const crank_model_source source = crank_origin_source(origin, &origin->files, options);
        status = modelica ? crank_modelica_check(&source, formulas, &report, fine, err)
                          : crank_dae_check(&source, formulas, &report, fine, err);
        if (!modelica && *fine) {
            CRANK_THEN(status, crank_translate_describe(&source, &report, err));
        }
        if (status == CRANK_OK) {
            *text = report.data;
        } else {
            crank_text_free(&report);
        }
    }
    crank_origin_release(origin);
    return status;
}

crank_status crank_model_dump(const char *path, const crank_model_options *options,
                              const char *pass, char **text, crank_error *err)
{
    crank_error own = {0};
    struct crank_origin *origin;
    crank_text printed = {0};
    err = err != NULL ? err : &own;
    *text = NULL;
    const crank_import_options how = crank_origin_reading(options);
    crank_status status = crank_origin_load(path, &how, &origin, err);
    if (status == CRANK_OK && !crank_translate_takes(origin->kind)) {
        status = crank_fail(err, CRANK_EREFUSED,
                            "passes are for files of equations: Modelica, \"crank: equations\" "
                            "and \"crank: dae\"");
    }
    if (status == CRANK_OK) {
        const crank_model_source source = crank_origin_source(origin, &origin->files, options);
        status = crank_translate_dump(&source, pass, &printed, err);
    }
    if (status == CRANK_OK) {
        *text = printed.data;
    } else {
        crank_text_free(&printed);
    }
    crank_origin_release(origin);
    return status;
}
