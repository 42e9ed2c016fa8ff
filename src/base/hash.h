/* hash.h - the hash of Fowler, Noll and Vo, 64 bits, variant 1a, of bytes and texts; and one of
 * words, which takes eight bytes at a time. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_HASH_H
#define CRANK_SRC_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t CRANK_HASH_START = 14695981039346656037u;

/* Goes on with more bytes. */
uint64_t crank_hash(uint64_t hash, const void *data, size_t size);
uint64_t crank_hash_text(const char *text);

/* High bits into the low ones, which tables take: numbered names differ in few. */
static inline uint64_t crank_hash_spread(uint64_t hash)
{
    hash = (hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

/* Goes on with a word; one that differs in its upper half alone, such as the bits of a whole
 * number as a double, is taken twice: word, word >> 32. */
static inline uint64_t crank_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

#endif
