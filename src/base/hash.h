/* hash.h - the hash of Fowler, Noll and Vo, 64 bits, variant 1a. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_HASH_H
#define CRANK_SRC_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t CRANK_HASH_START = 14695981039346656037u;

/* Goes on with more bytes. */
uint64_t crank_hash(uint64_t hash, const void *data, size_t size);

#endif
