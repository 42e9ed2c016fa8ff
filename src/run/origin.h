/* origin.h - models from trees of nodes that come from no file: draft.c makes them, model.c
 * makes models of them. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ORIGIN_H
#define CRANK_SRC_ORIGIN_H

#include "model/model.h"

/* Takes over the store, in which root lives, also after a failure. */
crank_status crank_model_of_tree(const char *name, crank_store *store, const crank_node *root,
                                 const crank_model_options *options, crank_model **out,
                                 crank_error *err);

#endif
