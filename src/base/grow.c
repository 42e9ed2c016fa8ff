/* grow.c - see grow.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/grow.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 16 };

/* 0: it cannot be */
static int larger(int capacity, size_t size)
{
    const int wanted = capacity > INT_MAX / 2 ? 0 : capacity < FIRST ? FIRST : 2 * capacity;
    return (size_t)wanted > SIZE_MAX / 2 / size ? 0 : wanted;
}

void *crank_grow(void *items, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    const int wanted = larger(*capacity, size);
    void *grown = wanted > 0 ? realloc(items, (size_t)wanted * size) : NULL;
    *capacity = grown != NULL ? wanted : *capacity;
    return grown;
}

void *crank_store_grow(crank_store *store, void *items, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    const int wanted = larger(*capacity, size);
    void *grown = wanted > 0 ? crank_store_take(store, (size_t)wanted, size) : NULL;
    store->failed = store->failed || grown == NULL;
    if (grown != NULL) {
        if (count > 0) {
            memcpy(grown, items, (size_t)count * size);
        }
        *capacity = wanted;
    }
    return grown;
}
