/* named_file.h - files that a model file names: where they are, and what is in them. Each is
 * read once, and kept, so that the model can be made again with other settings without reading
 * anything. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_NAMED_FILE_H
#define CRANK_SRC_NAMED_FILE_H

#include "base/store.h"

#include <crank/base.h>

#include <sys/types.h>

static const size_t CRANK_MODEL_FILE_MOST = (size_t)64 << 20; /* bytes */

typedef struct crank_named_file {
    const char *path;
    const char *text; /* with a zero behind it; NULL: it cannot be read */
    size_t length;
    dev_t device; /* which file it is, whatever its path */
    ino_t inode;
    const struct crank_named_file *next;
} crank_named_file;

typedef struct crank_files {
    crank_store store;             /* of what was read here */
    const crank_named_file *first; /* the newest */
} crank_files;

/* Names are relative to the file `from` that names them (NULL: to the directory of the
 * process). NULL: out of memory. */
const char *crank_named_file_path(crank_store *store, const char *from, const char *name);
/* A regular file, read unless it was already; it is listed even if it cannot be read: it may be
 * mended. EFILE tells path and reason. */
crank_status crank_files_load(crank_files *files, const char *path,
                              const crank_named_file **out, crank_error *err);

#endif
