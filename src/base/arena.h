/* arena.h - one block of memory per object, laid out by one function that is run twice.
 *
 *     static void layout(radau_state *s, crank_arena *arena, int n)
 *     {
 *         s->z = crank_arena_take(arena, 3 * (size_t)n, sizeof *s->z);
 *     }
 *     crank_arena arena = {0};
 *     layout(s, &arena, n);                 (base is NULL: counts, every piece is NULL)
 *     if (!crank_arena_allocate(&arena)) {  (turns the measured arena into a real one)
 *         goto no_memory;
 *     }
 *     layout(s, &arena, n);
 *     ...
 *     crank_arena_free(&arena);
 *
 * Pieces start at multiples of 64 bytes; under the address sanitizer each is followed by a
 * poisoned gap. A size that does not fit in size_t is remembered and makes crank_arena_allocate
 * fail. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ARENA_H
#define CRANK_SRC_ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum { CRANK_ARENA_ALIGNMENT = 64 };

typedef struct crank_arena {
    void *base;    /* NULL: measuring */
    size_t size;   /* bytes at base */
    size_t used;   /* bytes handed out, or needed while measuring */
    bool overflow; /* a piece was larger than memory can be; sticky */
} crank_arena;

/* The next count * size bytes; NULL while measuring, or if the block is too small. A count of
 * zero gives a valid pointer to nothing. */
void *crank_arena_take(crank_arena *arena, size_t count, size_t size);

/* After the measuring pass: allocates the block, set to zero, and rewinds. false: out of memory
 * (the arena is then empty and may be freed). */
bool crank_arena_allocate(crank_arena *arena);

/* All pieces, size bytes, into a copy and back. */
void crank_arena_save(const crank_arena *arena, void *copy);
void crank_arena_load(crank_arena *arena, const void *copy);
/* All pieces of an arena that was laid out alike. */
void crank_arena_copy(crank_arena *to, const crank_arena *from);
/* Where a piece lies in a copy. */
static inline const void *crank_arena_copied(const crank_arena *arena, const void *copy,
                                             const void *piece)
{
    return (const char *)copy + ((const char *)piece - (const char *)arena->base);
}

/* Accepts empty and measuring arenas. */
void crank_arena_free(crank_arena *arena);

#endif
