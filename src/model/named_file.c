/* named_file.c - see named_file.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/named_file.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *crank_named_file_path(crank_store *store, const char *from, const char *name)
{
    const char *slash = from != NULL && name[0] != '/' ? strrchr(from, '/') : NULL;
    return slash != NULL
               ? crank_store_print(store, "%.*s%s", (int)(slash - from) + 1, from, name)
               : name;
}

static crank_status read_file(crank_files *files, crank_named_file *file, crank_error *err)
{
    char *text = NULL;
    struct stat found;
    const crank_status status = crank_file_load(
        file->path, CRANK_FILE_REGULAR, CRANK_MODEL_FILE_MOST, &text, &file->length, err);
    if (status == CRANK_OK) {
        file->text = crank_store_copy(&files->store, text, file->length);
    }
    if (stat(file->path, &found) == 0) {
        file->device = found.st_dev;
        file->inode = found.st_ino;
    }
    free(text);
    return status == CRANK_OK && file->text == NULL
               ? crank_fail(err, CRANK_EMEM, "%.200s", file->path)
               : status;
}

crank_status crank_files_load(crank_files *files, const char *path,
                              const crank_named_file **out, crank_error *err)
{
    *out = NULL;
    for (const crank_named_file *f = files->first; f != NULL; f = f->next) {
        if (f->text != NULL && strcmp(f->path, path) == 0) {
            *out = f;
            return CRANK_OK;
        }
    }
    crank_named_file *file = crank_store_take(&files->store, 1, sizeof *file);
    const char *kept = crank_store_copy(&files->store, path, strlen(path));
    if (file == NULL || kept == NULL) {
        return crank_fail(err, CRANK_EMEM, "%.200s", path);
    }
    *file = (crank_named_file){.path = kept, .next = files->first};
    files->first = file;
    *out = file;
    return read_file(files, file, err);
}
