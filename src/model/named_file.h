/* named_file.h - files that a model file names: where they are, what is in them, and the list of all that were read. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_NAMED_FILE_H
#define CRANK_SRC_NAMED_FILE_H

#include "base/store.h"

#include <crank/base.h>

static const size_t CRANK_MODEL_FILE_MOST = (size_t)64 << 20; /* bytes */

/* The newest first. */
typedef struct crank_named_file {
    const char *path;
    struct crank_named_file *next;
} crank_named_file;

/* Names are relative to the file `from` that names them (NULL: to the directory of the process). NULL: out of memory. */
const char *crank_named_file_path(crank_store *store, const char *from, const char *name);
/* The whole of a regular file with a zero behind it, the caller's to free(); it is added to the list even if it cannot be
 * read: it may be mended. EFILE tells path and reason. */
crank_status crank_named_file_load(crank_store *store, const char *path,
                                   crank_named_file **list, char **text, size_t *length,
                                   crank_error *err);

#endif
