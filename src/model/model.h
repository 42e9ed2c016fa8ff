/* model.h - the inside of a crank_model: what every kind of model file must provide. front/ reads the file and
 * finds the kind; each kind fills this record. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODEL_H
#define CRANK_SRC_MODEL_H

#include <crank/model.h>

#include "eom/eom.h"
#include "model/named_file.h"
#include "model/yaml.h"
#include "symbolic/symbolic.h"

struct crank_model {
    crank_store store; /* everything below but the eom */
    const char *kind;
    crank_eom *eom;
    crank_simulate simulate;
    double *start;
    crank_fixing *fixing;
    int column_count;
    const char **column_name, **column_unit, **column_description;
    int unused_count;
    const char **unused;
    int file_count;
    const char **file;              /* read besides the model file */
    const char *title;              /* NULL: the file gives none */
    const char *scene;              /* JSON, docs/develop/page.md; NULL: nothing to draw */
    struct crank_event_set *events; /* events.h; NULL: none */
    void *self;                     /* the kind's own; destroyed with the eom's supplier */
    crank_status (*columns)(crank_model *model, double t, const double *x, double *values,
                            crank_error *err);
    crank_status (*set_invariants)(crank_model *model, double t, const double *x,
                                   crank_error *err); /* may be NULL */
};

/* Copies that live in the model's store; NULL: out of memory (sticky in the store). */
const char *crank_model_keep_text(crank_model *model, const char *text);
void *crank_model_keep(crank_model *model, const void *data, size_t count, size_t size);
crank_status crank_model_keep_simulate(crank_model *model, const crank_simulate *from,
                                       crank_error *err);

/* Keeps files that were read, the newest first. */
crank_status crank_model_keep_files(crank_model *model, const crank_named_file *files,
                                    crank_error *err);

/* path: of the file, or NULL. Fills everything but store and kind. */
typedef crank_status crank_model_make_fn(crank_model *model, const crank_document *document,
                                         const char *path, const crank_model_options *options,
                                         crank_error *err);
crank_model_make_fn crank_equations_make; /* model/equations_model.c */
crank_model_make_fn crank_dae_make;       /* model/dae_model.c */
crank_model_make_fn crank_mechanism_make; /* mechanics/mechanism_model.c */

/* The analysis in words, a finding a line; *fine: a motion follows. */

crank_status crank_dae_check(const crank_document *document, const char *path,
                             const crank_model_options *options, crank_text *text, bool *fine,
                             crank_error *err);

#endif
