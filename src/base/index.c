/* index.c - see index.h. Tables are at most half full and double; what they leave behind in a
 * store stays there, at most as much again. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/index.h"

#include "base/hash.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct crank_index_slot {
    uint64_t hash;
    const char *text; /* NULL: another key */
    int after;        /* 1 + number; 0: free */
};

static uint64_t first_place(const crank_index *index, uint64_t hash)
{
    return crank_hash_spread(hash) & ((uint64_t)index->capacity - 1u);
}

static uint64_t next_place(const crank_index *index, uint64_t place)
{
    return (place + 1u) & ((uint64_t)index->capacity - 1u);
}

static void put(crank_index *index, struct crank_index_slot slot)
{
    uint64_t at = first_place(index, slot.hash);
    while (index->slot[at].after != 0) {
        at = next_place(index, at);
    }
    index->slot[at] = slot;
}

/* false: out of memory, and the index stays as it was */
static bool enlarge(crank_index *index, crank_store *store)
{
    if (index->capacity > INT_MAX / 2) {
        return false;
    }
    const crank_index old = *index;
    const size_t capacity = old.capacity == 0 ? 32 : 2 * (size_t)old.capacity;
    struct crank_index_slot *slot = store != NULL
                                        ? crank_store_take(store, capacity, sizeof *slot)
                                        : calloc(capacity, sizeof *slot);
    if (slot == NULL) {
        return false;
    }
    index->capacity = (int)capacity;
    index->slot = slot;
    for (int i = 0; i < old.capacity; i++) {
        if (old.slot[i].after != 0) {
            put(index, old.slot[i]);
        }
    }
    if (store == NULL) {
        free(old.slot);
    }
    return true;
}

static bool add(crank_index *index, crank_store *store, struct crank_index_slot slot)
{
    if (2 * (index->count + 1) > index->capacity && !enlarge(index, store)) {
        return false;
    }
    put(index, slot);
    index->count++;
    return true;
}

int crank_index_find_by(const crank_index *index, uint64_t hash, crank_index_equal_fn *equal,
                        const void *wanted, const void *user)
{
    if (index->capacity == 0) {
        return -1;
    }
    for (uint64_t at = first_place(index, hash); index->slot[at].after != 0;
         at = next_place(index, at)) {
        const struct crank_index_slot *slot = &index->slot[at];
        if (slot->hash == hash && equal(wanted, user, slot->after - 1)) {
            return slot->after - 1;
        }
    }
    return -1;
}

bool crank_index_add_by(crank_index *index, crank_store *store, uint64_t hash, int number)
{
    return add(index, store, (struct crank_index_slot){.hash = hash, .after = number + 1});
}

int crank_index_find_part(const crank_index *index, const char *text, size_t length)
{
    const uint64_t hash = crank_hash(CRANK_HASH_START, text, length);
    if (index->capacity == 0) {
        return -1;
    }
    for (uint64_t at = first_place(index, hash); index->slot[at].after != 0;
         at = next_place(index, at)) {
        const struct crank_index_slot *slot = &index->slot[at];
        if (slot->hash == hash && strncmp(slot->text, text, length) == 0 &&
            slot->text[length] == '\0') {
            return slot->after - 1;
        }
    }
    return -1;
}

int crank_index_find(const crank_index *index, const char *text)
{
    return crank_index_find_part(index, text, strlen(text));
}

bool crank_index_add(crank_index *index, crank_store *store, const char *text, int number)
{
    return add(index, store,
               (struct crank_index_slot){
                   .hash = crank_hash_text(text), .text = text, .after = number + 1});
}

void crank_index_free(crank_index *index)
{
    free(index->slot);
    *index = (crank_index){0};
}
