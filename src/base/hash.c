/* hash.c - see hash.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/hash.h"

#include <string.h>

uint64_t crank_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ byte[i]) * 1099511628211u;
    }
    return hash;
}

uint64_t crank_hash_text(const char *text)
{
    return crank_hash(CRANK_HASH_START, text, strlen(text));
}
