/* index.h - from keys to numbers, by open addressing. Keys are texts, or whatever has a hash
 * and a function that knows whether the item of a number has the key. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_INDEX_H
#define CRANK_SRC_INDEX_H

#include "base/store.h"

#include <stdint.h>

typedef struct crank_index {
    int count, capacity; /* capacity: a power of two, or 0 */
    struct crank_index_slot *slot;
} crank_index; /* {0} is empty */

/* ---- texts; memory comes from a store ---- */

/* The number of a text, or -1. */
int crank_index_find(const crank_index *index, const char *text);
/* The same of its first characters. */
int crank_index_find_part(const crank_index *index, const char *text, size_t length);
/* Adds a text (kept) that is not there yet. false: out of memory. */
bool crank_index_add(crank_index *index, crank_store *store, const char *text, int number);

/* ---- other keys; memory comes from a store, or from the heap if that is NULL ---- */

typedef bool crank_index_equal_fn(const void *wanted, const void *user, int number);

int crank_index_find_by(const crank_index *index, uint64_t hash, crank_index_equal_fn *equal,
                        const void *wanted, const void *user);
bool crank_index_add_by(crank_index *index, crank_store *store, uint64_t hash, int number);
/* Of one on the heap. */
void crank_index_free(crank_index *index);

#endif
