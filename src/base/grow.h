/* grow.h - arrays that grow by doubling: room for one item more, on the heap or in a store.
 *
 *     list *more = crank_grow(l->item, l->count, &l->capacity, sizeof *l->item);
 *     if (more == NULL) { ... }           (out of memory: l->item is as it was)
 *     l->item = more;
 *     l->item[l->count++] = item; */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_GROW_H
#define CRANK_SRC_GROW_H

#include "base/store.h"

/* items with room for more than count, themselves if there is; NULL: out of memory, or more
 * than an int can count. */
void *crank_grow(void *items, int count, int *capacity, size_t size);
/* The same in a store, where the smaller array stays behind: at most as much again in all. */
void *crank_store_grow(crank_store *store, void *items, int count, int *capacity, size_t size);

#endif
