/* mechanism_files.c - files that a mechanism file names: relative to the file that names them, each read once. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const size_t largest_file = (size_t)64 << 20;

/* where a file is that the scope's file calls by this name; NULL: no memory */
static const char *path_of(const crank_site *site, const char *name)
{
    const char *from = site->scope->source->path;
    const char *slash = from != NULL && name[0] != '/' ? strrchr(from, '/') : NULL;
    return slash != NULL ? crank_store_print(site->r->store, "%.*s%s", (int)(slash - from) + 1,
                                             from, name)
                         : name;
}

static crank_status find_path(const crank_site *site, const crank_node *node, const char **path)
{
    const char *name = NULL;
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node) || node->text[0] == '\0') {
        return crank_site_fail(site, node, "%s where the name of a file is expected",
                               crank_node_describe(node));
    }
    const crank_status status = crank_scope_text(site, node, &name);
    if (status != CRANK_OK) {
        return status;
    }
    *path = path_of(site, name);
    return *path != NULL ? CRANK_OK : crank_reading_no_memory(site->r);
}

/* the rest of a stream, in the store */
static crank_status read_stream(const crank_site *site, const crank_node *node, FILE *file,
                                const char *path, char **text, size_t *length)
{
    crank_status status = CRANK_OK;
    char *data = NULL;
    size_t capacity = 0;
    *length = 0;
    do {
        if (*length == capacity) {
            capacity = 2 * capacity + 16384;
            char *grown = realloc(data, capacity);
            if (grown == NULL) {
                status = crank_reading_no_memory(site->r);
                break;
            }
            data = grown;
        }
        errno = 0;
        *length += fread(data + *length, 1, capacity - *length, file);
        if (ferror(file)) {
            status = crank_site_fail(site, node, "%.200s: cannot be read: %s", path,
                                     strerror(errno));
        } else if (*length > largest_file) {
            status = crank_site_fail(site, node, "%.200s: larger than 64 MiB", path);
        }
    } while (status == CRANK_OK && !feof(file));
    if (status == CRANK_OK) {
        *text = crank_store_copy(site->r->store, data, *length);
        status = *text != NULL ? CRANK_OK : crank_reading_no_memory(site->r);
    }
    free(data);
    return status;
}

static crank_status read_path(const crank_site *site, const crank_node *node, const char *path,
                              char **text, size_t *length)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return crank_site_fail(site, node, "%.200s: cannot be opened: %s", path,
                               strerror(errno));
    }
    struct stat found;
    crank_status status = CRANK_OK;
    if (fstat(fileno(file), &found) == 0 && !S_ISREG(found.st_mode)) {
        status = crank_site_fail(site, node, "%.200s: not a regular file", path);
    } else {
        status = read_stream(site, node, file, path, text, length);
    }
    (void)fclose(file);
    crank_mechanism *m = site->r->m;
    struct crank_file_name *name = crank_store_take(site->r->store, 1, sizeof *name);
    if (name == NULL) {
        return crank_reading_no_memory(site->r);
    }
    *name = (struct crank_file_name){path, m->files};
    m->files = name;
    return status;
}

crank_status crank_file_read(const crank_site *site, const crank_node *node, const char **path,
                             char **text, size_t *length)
{
    const crank_status status = find_path(site, node, path);
    return status == CRANK_OK ? read_path(site, node, *path, text, length) : status;
}

crank_status crank_source_open(const crank_site *site, const crank_node *node,
                               const crank_source **out)
{
    crank_reading *r = site->r;
    const char *path = NULL;
    crank_status status = find_path(site, node, &path);
    if (status != CRANK_OK || path == NULL) {
        return status;
    }
    struct stat found;
    errno = 0;
    if (stat(path, &found) != 0) {
        return crank_site_fail(site, node, "%.200s: cannot be opened: %s", path,
                               strerror(errno));
    }
    for (const crank_source *s = r->sources; s != NULL; s = s->next) {
        if (s->path != NULL && s->device == found.st_dev && s->inode == found.st_ino) {
            *out = s;
            return CRANK_OK;
        }
    }
    char *text = NULL;
    size_t length = 0;
    status = read_path(site, node, path, &text, &length);
    crank_source *source = crank_store_take(r->store, 1, sizeof *source);
    if (source == NULL) {
        return crank_reading_no_memory(r);
    }
    if (status == CRANK_OK) {
        *source = (crank_source){.next = r->sources,
                                 .path = path,
                                 .file = path,
                                 .device = found.st_dev,
                                 .inode = found.st_ino};
        status = crank_yaml_read_file(text, length, path, r->store, &source->document, r->err);
    }
    if (status == CRANK_OK) {
        r->sources = source;
        *out = source;
    }
    return status;
}
