/* modelica.h - Modelica files at the front door: read, flattened, taken through the passes,
 * made into models. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RUN_MODELICA_H
#define CRANK_SRC_RUN_MODELICA_H

#include "model/model.h"
#include "modelica/modelica.h"

/* Does the name end in .mo or .bmo? */
bool crank_modelica_is_named(const char *name);
/* path: NULL: from no file; library: a folder of packages, NULL: none. */
crank_status crank_modelica_read(const char *name, const char *path, const char *text,
                                 size_t length, const char *library, crank_store *store,
                                 crank_mo_file *out, crank_error *err);
/* crank_model_dump of a file that is read. */
crank_status crank_modelica_dump(const crank_model_source *source, const char *pass,
                                 crank_text *text, crank_error *err);
/* crank_dae_check of a Modelica file, and what the passes have to say. */
crank_status crank_modelica_check(const crank_model_source *source, bool formulas,
                                  crank_text *text, bool *fine, crank_error *err);

#endif
