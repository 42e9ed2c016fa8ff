/* mechanism_index.c - texts to numbers by open addressing, and arrays that grow; both in a store.
 *
 * The hash is FNV-1a with a final mix. Tables are at most half full and double; what they leave behind stays in the store, at most
 * as much again. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include <string.h>

struct crank_index_slot {
    const char *text; /* NULL: free */
    uint32_t hash;
    int number;
};

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u;
    for (const char *c = text; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
    hash = (hash ^ (hash >> 16)) *
           0x85ebca6bu; /* numbered names differ in few bits: spread them */
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
    return hash ^ (hash >> 16);
}

/* the slot of a text, or the free one where it belongs */
static struct crank_index_slot *find_slot(const crank_index *index, const char *text,
                                          uint32_t hash)
{
    const uint32_t mask = (uint32_t)index->capacity - 1u;
    for (uint32_t i = hash & mask;; i = (i + 1u) & mask) {
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
    const uint32_t hash = hash_of(text);
    *find_slot(index, text, hash) = (struct crank_index_slot){text, hash, number};
    index->count++;
    return true;
}

void *crank_grow(crank_store *store, void *items, int count, int *capacity, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    const int larger = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = crank_store_take(store, (size_t)larger, size);
    if (grown != NULL) {
        if (count > 0) {
            memcpy(grown, items, (size_t)count * size);
        }
        *capacity = larger;
    }
    return grown;
}
