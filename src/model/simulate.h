/* simulate.h - `simulate:` of a model file of any kind. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SIMULATE_H
#define CRANK_SRC_SIMULATE_H

#include <crank/model.h>

#include "model/tree.h"

/* Who reads it: where texts are kept, and how a scalar becomes a number. */
typedef struct crank_simulate_reader {
    crank_store *store;
    crank_status (*number)(void *user, const crank_node *node, const char *object, double *out,
                           crank_error *err);
    void *user;
} crank_simulate_reader;

/* node: the mapping, NULL if the file has none. *accelerations: the caller's wish; if that is
 * auto, the file's. */
crank_status crank_simulate_read(const crank_simulate_reader *reader, const crank_node *node,
                                 crank_simulate *out, crank_accelerations *accelerations,
                                 crank_error *err);

#endif
