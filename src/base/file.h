/* file.h - whole files in memory. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_FILE_H
#define CRANK_SRC_FILE_H

#include <crank/base.h>

typedef enum crank_file_kind {
    CRANK_FILE_REGULAR, /* a file on a disk only */
    CRANK_FILE_ANY,     /* also a pipe or a device */
    CRANK_FILE_INPUT /* likewise, and "-" is standard input; a text: ESYNTAX at a zero byte */
} crank_file_kind;

/* The whole file with a zero behind it; *text is the caller's to free(), NULL on failure. EFILE
 * with path and reason if it cannot be read, is of another kind or larger than limit bytes
 * (SIZE_MAX: none). */
crank_status crank_file_load(const char *path, crank_file_kind kind, size_t limit, char **text,
                             size_t *length, crank_error *err);

/* The part of a path behind its last slash; *length is that without the ending, if it has one
 * ("rod" of "a/rod.yaml"). */
const char *crank_path_name(const char *path, size_t *length);
/* The path with an ending added; the caller's to free(), NULL: out of memory. */
char *crank_path_extend(const char *path, const char *ending);
/* Does it end so, in small letters or capitals, with something before it? */
bool crank_path_ends_in(const char *path, const char *ending);

#endif
