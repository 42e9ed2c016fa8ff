/* arena.c - see arena.h. A block comes from calloc, so that pages of a large one that nobody
 * writes take no memory; where it begins stands before its first piece. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONED_GAPS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POISONED_GAPS 1
#endif

#if defined(POISONED_GAPS)
#include <sanitizer/asan_interface.h>
static const size_t gap = CRANK_ARENA_ALIGNMENT;
#else
static const size_t gap = 0;
#endif

/* makes the padding behind a piece unusable */
static void poison(void *start, size_t bytes)
{
#if defined(POISONED_GAPS)
    ASAN_POISON_MEMORY_REGION(start, bytes);
#else
    (void)start;
    (void)bytes;
#endif
}

void *crank_arena_take(crank_arena *arena, size_t count, size_t size)
{
    const size_t alignment = CRANK_ARENA_ALIGNMENT;
    const size_t limit = (size_t)PTRDIFF_MAX - arena->used - alignment - gap;
    if (arena->overflow || (size != 0 && count > limit / size)) {
        arena->overflow = true;
        return NULL;
    }
    const size_t bytes = count * size;
    const size_t padded = (bytes + alignment - 1) / alignment * alignment + gap;
    if (arena->base == NULL) {
        arena->used += padded;
        return NULL;
    }
    assert(padded <= arena->size - arena->used);
    if (padded > arena->size - arena->used) {
        return NULL;
    }
    char *piece = (char *)arena->base + arena->used;
    arena->used += padded;
    poison(piece + bytes, padded - bytes);
    return piece;
}

/* the address of the block that a base is in */
static void *where(const crank_arena *arena)
{
    return (char *)arena->base - CRANK_ARENA_ALIGNMENT;
}

bool crank_arena_allocate(crank_arena *arena)
{
    const size_t alignment = CRANK_ARENA_ALIGNMENT;
    assert(arena->base == NULL);
    /* an empty layout still gets a block, so that "no piece" and "no memory" differ */
    const size_t bytes = arena->used > 0 ? arena->used : alignment;
    char *block = arena->overflow ? NULL : calloc(1, bytes + 2 * alignment);
    *arena = (crank_arena){0};
    if (block == NULL) {
        return false;
    }
    arena->size = bytes;
    arena->base = block + 2 * alignment - (uintptr_t)block % alignment;
    memcpy(where(arena), &block, sizeof block);
    return true;
}

#if defined(POISONED_GAPS)
__attribute__((no_sanitize_address)) static void copy_bytes(void *to, const void *from,
                                                            size_t bytes)
{
    volatile char *target = to; /* not memcpy, which looks at the gaps */
    for (size_t i = 0; i < bytes; i++) {
        target[i] = ((const char *)from)[i];
    }
}
#else
static void copy_bytes(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif

void crank_arena_save(const crank_arena *arena, void *copy)
{
    copy_bytes(copy, arena->base, arena->size);
}

void crank_arena_load(crank_arena *arena, const void *copy)
{
    copy_bytes(arena->base, copy, arena->size);
}

void crank_arena_copy(crank_arena *to, const crank_arena *from)
{
    assert(to->size == from->size);
    copy_bytes(to->base, from->base, from->size);
}

void crank_arena_free(crank_arena *arena)
{
    if (arena->base != NULL) {
        void *block;
        memcpy(&block, where(arena), sizeof block);
        free(block);
    }
    *arena = (crank_arena){0};
}
