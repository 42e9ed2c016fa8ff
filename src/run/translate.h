/* translate.h - files whose equations are expressions (Modelica, equations, dae) at the front
 * door: flattened, taken through the passes, made into models. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RUN_TRANSLATE_H
#define CRANK_SRC_RUN_TRANSLATE_H

#include "model/model.h"
#include "modelica/modelica.h"

/* Does the name end in .mo or .bmo? */
bool crank_modelica_is_named(const char *name);
/* path: NULL: from no file; library: a folder of packages, NULL: none. */
crank_status crank_modelica_read(const char *name, const char *path, const char *text,
                                 size_t length, const char *library, crank_store *store,
                                 crank_mo_file *out, crank_error *err);
/* Can files of this kind be flattened? */
bool crank_translate_takes(const char *kind);
/* A model for methods inline-...; where the equations cannot be translated, that of `plain`,
 * which then knows why. */
crank_status crank_translate_make(crank_model *model, const crank_model_source *source,
                                  crank_model_make_fn *plain, crank_error *err);
/* crank_model_dump of a file that is read. */
crank_status crank_translate_dump(const crank_model_source *source, const char *pass,
                                  crank_text *text, crank_error *err);
/* What methods inline-... make of it, in words; else why they cannot. */
crank_status crank_translate_describe(const crank_model_source *source, crank_text *text,
                                      crank_error *err);
/* crank_dae_check of a Modelica file, and what the passes have to say. */
crank_status crank_modelica_check(const crank_model_source *source, bool formulas,
                                  crank_text *text, bool *fine, crank_error *err);

#endif
