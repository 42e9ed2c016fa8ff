/* archive.h - the state of objects as bytes, for checkpoints: one object that either saves or
 * loads.
 *
 *     static void archive(thing *s, crank_archive *a)   (the same function for both directions)
 *     {
 *         crank_archive_check(a, "thing", s->n);            (loading: must be the same)
 *         crank_archive_doubles(a, s->x, (size_t)s->n);
 *         crank_archive_int(a, &s->count, 0, s->n);
 *     }
 *
 * Pointers are never stored, sizes are those of the object at hand and never taken from the
 * bytes, and numbers that are used as indices are given with their range: bytes of whatever
 * origin are refused or leave a valid object. The first failure stays; everything after it does
 * nothing. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ARCHIVE_H
#define CRANK_SRC_ARCHIVE_H

#include "base/hash.h"

#include <crank/options.h>
#include <crank/statistics.h>

typedef struct crank_archive {
    bool loading;
    unsigned char *made;        /* saving: the bytes so far, owned */
    const unsigned char *given; /* loading: the caller's */
    size_t used, size;          /* bytes made or read; room for them, or their number */
    crank_error error;          /* status CRANK_OK: no failure yet */
} crank_archive;

crank_archive crank_archive_saving(void);
crank_archive crank_archive_loading(const void *data, size_t size);
void crank_archive_free(crank_archive *a);

static inline bool crank_archive_fine(const crank_archive *a)
{
    return a->error.status == CRANK_OK;
}

/* Only the first failure counts. */
void crank_archive_fail(crank_archive *a, crank_status status, const char *format, ...)
    CRANK_PRINTF(3, 4);

void crank_archive_bytes(crank_archive *a, void *data, size_t size);
void crank_archive_doubles(crank_archive *a, double *values, size_t count);
void crank_archive_double(crank_archive *a, double *value);
/* Loading: values outside lowest .. highest are refused. */
void crank_archive_ints(crank_archive *a, int *values, size_t count, int lowest, int highest);
void crank_archive_int(crank_archive *a, int *value, int lowest, int highest);
void crank_archive_flags(crank_archive *a, bool *values, size_t count);
void crank_archive_flag(crank_archive *a, bool *value);
void crank_archive_count(crank_archive *a, int64_t *value);
void crank_archive_statistics(crank_archive *a, crank_statistics *statistics);
void crank_archive_error(crank_archive *a, crank_error *error);

/* What the object at hand has, under a name for messages: loading, the bytes must say the
 * same. */
void crank_archive_check(crank_archive *a, const char *name, int64_t value);
void crank_archive_check_text(crank_archive *a, const char *name, const char *text);
/* options.c: all options, one by one */
void crank_archive_check_options(crank_archive *a, const crank_options *options);

#endif
