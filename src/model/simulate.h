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

/* Options that decide how a model is made. */
typedef struct crank_treatment {
    crank_accelerations accelerations;
    crank_coordinates_choice coordinates;
    crank_orientation orientation;
} crank_treatment;
static inline crank_treatment crank_treatment_asked(const crank_model_options *options)
{
    return (crank_treatment){options->accelerations, options->coordinates,
                             options->orientation};
}

/* node: the mapping, NULL if the file has none. *wish: the caller's; what is auto there, the
 * file's. */
crank_status crank_simulate_read(const crank_simulate_reader *reader, const crank_node *node,
                                 crank_simulate *out, crank_treatment *wish, crank_error *err);

#endif
