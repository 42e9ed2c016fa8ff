/* store.h - memory of one reading: many pieces, freed together.
 *
 * A front end makes thousands of small records whose number is not known beforehand; the store
 * hands them out from growing blocks and frees them whole. Running out of memory is sticky. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STORE_H
#define CRANK_SRC_STORE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct crank_store {
    struct crank_store_block *last;
    bool failed;
} crank_store; /* {0} is an empty store */

/* count * size bytes, set to zero; NULL: out of memory. A count of zero gives a valid
 * pointer. */
void *crank_store_take(crank_store *store, size_t count, size_t size);
/* A copy of length characters with a terminating zero; NULL: out of memory. */
char *crank_store_copy(crank_store *store, const char *text, size_t length);
/* Formatted text; NULL: out of memory. */
char *crank_store_print(crank_store *store, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void crank_store_free(crank_store *store);

#endif
