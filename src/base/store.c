/* store.c - pieces from a chain of blocks, in the order they are asked for.
 *
 * A piece larger than a block gets a block of its own, of which pages that nobody writes take no
 * memory. Pieces are aligned for any type. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/store.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 16384 };

struct crank_store_block {
    struct crank_store_block *previous;
    size_t size, used;
    alignas(max_align_t) unsigned char data[];
};

static struct crank_store_block *new_block(crank_store *store, size_t bytes)
{
    const size_t size = bytes > BLOCK ? bytes : (size_t)BLOCK;
    struct crank_store_block *block = calloc(1, sizeof *block + size);
    if (block == NULL) {
        store->failed = true;
        return NULL;
    }
    block->previous = store->last;
    block->size = size;
    block->used = 0;
    store->last = block;
    return block;
}

void *crank_store_take(crank_store *store, size_t count, size_t size)
{
    const size_t unit = alignof(max_align_t);
    if (size != 0 && count > (SIZE_MAX / 2 - sizeof(struct crank_store_block)) / size) {
        store->failed = true;
        return NULL;
    }
    const size_t wanted = count * size == 0 ? unit : count * size;
    const size_t bytes = (wanted + unit - 1) / unit * unit;
    struct crank_store_block *block = store->last;
    if (block == NULL || block->size - block->used < bytes) {
        block = new_block(store, bytes);
        if (block == NULL) {
            return NULL;
        }
    }
    void *piece = block->data + block->used;
    block->used += bytes;
    return piece;
}

char *crank_store_copy(crank_store *store, const char *text, size_t length)
{
    char *copy = crank_store_take(store, length + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *crank_store_print(crank_store *store, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return NULL;
    }
    char *text = crank_store_take(store, (size_t)length + 1, 1);
    if (text != NULL) {
        va_start(arguments, format);
        vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    return text;
}

void crank_store_free(crank_store *store)
{
    while (store->last != NULL) {
        struct crank_store_block *previous = store->last->previous;
        free(store->last);
        store->last = previous;
    }
}
