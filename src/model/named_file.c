/* named_file.c - see named_file.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/named_file.h"

#include "base/file.h"

#include <string.h>

const char *crank_named_file_path(crank_store *store, const char *from, const char *name)
{
    const char *slash = from != NULL && name[0] != '/' ? strrchr(from, '/') : NULL;
    return slash != NULL
               ? crank_store_print(store, "%.*s%s", (int)(slash - from) + 1, from, name)
               : name;
}

crank_status crank_named_file_load(crank_store *store, const char *path,
                                   crank_named_file **list, char **text, size_t *length,
                                   crank_error *err)
{
    crank_named_file *file = crank_store_take(store, 1, sizeof *file);
    *text = NULL;
    if (file == NULL) {
        return crank_fail(err, CRANK_EMEM, "%.200s", path);
    }
    *file = (crank_named_file){path, *list};
    *list = file;
    return crank_file_load(path, CRANK_FILE_REGULAR, CRANK_MODEL_FILE_MOST, text, length, err);
}
