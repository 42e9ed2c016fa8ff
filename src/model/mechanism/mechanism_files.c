/* mechanism_files.c - files that a mechanism file names: relative to the file that names them,
 * each read once. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/import.h"
#include "model/mechanism/mechanism_read.h"
#include "model/yaml.h"

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
    *path = crank_named_file_path(site->r->store, site->scope->source->path, name);
    return *path != NULL ? CRANK_OK : crank_reading_no_memory(site->r);
}

static crank_status read_path(const crank_site *site, const crank_node *node, const char *path,
                              char **text, size_t *length)
{
    crank_reading *r = site->r;
    crank_error why = {0};
    const crank_named_file *file = NULL;
    crank_status status = crank_files_load(r->m->files, path, &file, &why);
    if (status == CRANK_OK) {
        *text = crank_store_copy(r->store, file->text, file->length);
        *length = file->length;
        status = *text != NULL ? CRANK_OK : CRANK_EMEM;
    }
    if (status == CRANK_EMEM) {
        return crank_reading_no_memory(r);
    }
    return status == CRANK_OK ? CRANK_OK : crank_site_fail(site, node, "%.300s", why.text);
}

crank_status crank_file_read(const crank_site *site, const crank_node *node, const char **path,
                             char **text, size_t *length)
{
    const crank_status status = find_path(site, node, path);
    return status == CRANK_OK ? read_path(site, node, *path, text, length) : status;
}

/* An XML file is another program's. */
static crank_status read_document(crank_reading *r, const crank_named_file *file,
                                  const char *path, crank_document *out)
{
    if (!crank_xml_is(file->text, file->length)) {
        return crank_yaml_read_file(file->text, file->length, path, r->store, out, r->err);
    }
    crank_import im = {
        .store = r->store, .files = r->m->files, .path = path, .named = path, .err = r->err};
    *out = (crank_document){.text = file->text, .length = file->length};
    const crank_status status = crank_import_xml(&im, file->text, file->length, &out->root);
    if (status == CRANK_OK) {
        crank_import_tell(&im, path, &r->m->options->log);
    }
    return status;
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
    crank_error why = {0};
    const crank_named_file *file = NULL;
    status = crank_files_load(r->m->files, path, &file, &why);
    for (const crank_source *s = r->sources; s != NULL && file != NULL; s = s->next) {
        if (s->path != NULL && s->device == file->device && s->inode == file->inode) {
            *out = s;
            return CRANK_OK;
        }
    }
    crank_source *source = crank_store_take(r->store, 1, sizeof *source);
    if (source == NULL || status == CRANK_EMEM) {
        return crank_reading_no_memory(r);
    }
    if (status != CRANK_OK) {
        return crank_site_fail(site, node, "%.300s", why.text);
    }
    *source = (crank_source){.next = r->sources,
                             .path = path,
                             .file = path,
                             .device = file->device,
                             .inode = file->inode};
    status = read_document(r, file, path, &source->document);
    if (status == CRANK_OK) {
        r->sources = source;
        *out = source;
    }
    return status;
}
