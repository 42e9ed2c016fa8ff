/* mechanism_index.c - texts to numbers by open addressing, in a store.
 *
 * Tables are at most half full and double; what they leave behind stays in the store, at most
 * as much again. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/hash.h"
#include "model/mechanism/mechanism_read.h"

#include <string.h>

struct crank_index_slot {
    const char *text; /* NULL: free */
    uint64_t hash;
    int number;
};

static uint64_t hash_of(const char *text)
{
    return crank_hash_spread(crank_hash_text(text));
}

/* the slot of a text, or the free one where it belongs */
static struct crank_index_slot *find_slot(const crank_index *index, const char *text,
                                          uint64_t hash)
{
    const uint64_t mask = (uint64_t)index->capacity - 1u;
    for (uint64_t i = hash & mask;; i = (i + 1u) & mask) {
        struct crank_index_slot *slot = &index->slot[i];
        if (slot->text == NULL || (slot->hash == hash && strcmp(slot->text, text) == 0)) {
            return slot;
        }
    }
}

int crank_index_find(const crank_index *index, const char *text)
{
    if (index->capacity == 0) {
        return -1;
    }
    const struct crank_index_slot *slot = find_slot(index, text, hash_of(text));
    return slot->text != NULL ? slot->number : -1;
}

static bool enlarge(crank_index *index, crank_store *store)
{
    crank_index larger = {.count = index->count,
                          .capacity = index->capacity == 0 ? 32 : 2 * index->capacity};
    larger.slot = crank_store_take(store, (size_t)larger.capacity, sizeof *larger.slot);
    if (larger.slot == NULL) {
        return false;
    }
    for (int i = 0; i < index->capacity; i++) {
        const struct crank_index_slot *slot = &index->slot[i];
        if (slot->text != NULL) {
            *find_slot(&larger, slot->text, slot->hash) = *slot;
        }
    }
    *index = larger;
    return true;
}

bool crank_index_add(crank_index *index, crank_store *store, const char *text, int number)
{
    if (2 * index->count >= index->capacity && !enlarge(index, store)) {
        return false;
    }
    const uint64_t hash = hash_of(text);
    *find_slot(index, text, hash) = (struct crank_index_slot){text, hash, number};
    index->count++;
    return true;
}
