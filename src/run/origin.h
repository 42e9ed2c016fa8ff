/* origin.h - what a model is made of: a model file of any kind with the files that it names, or a
 * tree of nodes that comes from no file (draft.c). Read once, constant once the first model is
 * made of it, and shared by all of them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_RUN_ORIGIN_H
#define CRANK_SRC_RUN_ORIGIN_H

#include "model/import/import.h"
#include "model/model.h"
#include "modelica/modelica.h"

#include <stdatomic.h>

struct crank_origin {
    atomic_int models;
    crank_store store; /* text and nodes */
    crank_files files;
    crank_document document;
    crank_mo_file modelica;
    const char *name, *path; /* path: NULL if the text is from no file */
    const char *kind;
    crank_model_make_fn *make;
    bool is_modelica;
};

/* To be released, also after a failure; *out may be NULL. */
crank_status crank_origin_load(const char *path, const crank_import_options *how,
                               struct crank_origin **out, crank_error *err);
void crank_origin_release(struct crank_origin *origin);

/* how files are read for models with these options, NULL: the default ones */
crank_import_options crank_origin_reading(const crank_model_options *options);
crank_model_source crank_origin_source(const struct crank_origin *origin, crank_files *files,
                                       const crank_model_options *options);

/* files: those of the origin, or a list of one's own that goes on with them */
crank_status crank_model_of_origin(struct crank_origin *origin, crank_files *files,
                                   const crank_model_options *options, crank_model **out,
                                   crank_error *err);
/* Takes over the store, in which root lives, also after a failure. */
crank_status crank_model_of_tree(const char *name, crank_store *store, const crank_node *root,
                                 const crank_model_options *options, crank_model **out,
                                 crank_error *err);

/* strict imports and exports: what is lost is an error (robot.c) */
crank_status crank_robot_refuse_findings(const crank_import *im, crank_error *err);

#endif
