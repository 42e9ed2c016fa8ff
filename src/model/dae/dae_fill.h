/* dae_fill.h - the records of a `crank: dae` file made of a flat DAE: dae_flat.c (variables,
 * equations), dae_flat_unknowns.c (those of translated equations), dae_flat_events.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_FILL_H
#define CRANK_SRC_DAE_FILL_H

#include "inline/inline.h"
#include "model/dae/dae.h"
#include "model/model.h"

typedef struct crank_dae_fill {
    crank_flat *flat;
    const crank_inline *in; /* unknowns are those of translated equations; NULL: variables */
    crank_dae_file *file;
    crank_store *store;
    const crank_equations *from; /* the file that flat is of; NULL: a Modelica file */
    int *number;                 /* flat variables: number among the file's, -1: an output */
    crank_error *err;
} crank_dae_fill;

/* dae_flat.c */
crank_dae_file crank_dae_fill_open(crank_store *store, const crank_model_source *source,
                                   const crank_flat *flat);
/* Booleans in conditions; then everything of the file. */
crank_status crank_dae_fill_begin(crank_dae_fill *w);
crank_status crank_dae_fill_all(crank_dae_fill *w);
/* Texts of columns and the title, once the model has its columns. */
crank_status crank_dae_fill_describe(crank_model *model, const crank_dae_fill *w);
crank_status crank_dae_fill_no_memory(const crank_dae_fill *w);
/* A text at a place, as messages want it. */
const crank_node *crank_dae_fill_node(const crank_dae_fill *w, crank_flat_place place,
                                      const char *text);
/* "line 12", "r1, line 12": what messages call an equation. */
const char *crank_dae_fill_name(const crank_dae_fill *w, const crank_flat_equation *q);
/* Room for count unknowns and all names of the pool. */
crank_status crank_dae_fill_room(crank_dae_fill *w, int count);
/* Unknown j is variable i. */
crank_status crank_dae_fill_variable(crank_dae_fill *w, int i, int j);
void crank_dae_fill_declare(crank_dae_fill *w, crank_ex symbol, int kind, int index,
                            const char *text);

/* dae_flat_unknowns.c: of w->in. */
crank_status crank_dae_fill_unknowns(crank_dae_fill *w);

/* dae_flat_events.c */
crank_status crank_dae_fill_events(crank_dae_fill *w);
crank_status crank_dae_fill_updates(crank_dae_fill *w);

#endif
