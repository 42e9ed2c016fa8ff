/* keys.h - every key of the model formats in one table: it drives the checks, the suggestions
 * and the reference in docs/formats.md. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_KEYS_H
#define CRANK_SRC_KEYS_H

#include "model/tree.h"

typedef struct crank_key {
    /* "" at the top of an equations file, else which mapping the key is in */
    const char *parent;
    const char *name;
    const char *shape; /* what its value looks like */
    const char *help;
} crank_key;

/* The i-th key; NULL past the end. */
const crank_key *crank_key_get(int i);

/* Every key of the mapping must be a key of the table with this parent (of "simulate": or an
 * option's name). object begins the message, NULL: none. */
crank_status crank_keys_check(const char *parent, const char *object, const crank_node *mapping,
                              crank_error *err);

#endif
