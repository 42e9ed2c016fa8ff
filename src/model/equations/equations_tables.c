/* equations_tables.c - `tables:` of files with equations: functions by points, called by their
 * names. They are read before parameters have their values: their points are numbers. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/equations/equations.h"

#include "base/number.h"
#include "model/table.h"

#include <math.h>
#include <string.h>

typedef struct reading {
    crank_equations *e;
    const char *name;
    crank_error *err;
} reading;

static crank_status fail(const void *self, const crank_node *node, const char *text)
{
    const reading *r = self;
    return crank_fail_node(r->err, CRANK_EMODEL, node, "table \"%.80s\": %s", r->name, text);
}

static crank_status number(const void *self, const crank_node *node, double *out)
{
    if (node->kind != CRANK_NODE_SCALAR || !crank_number_parse(node->text, out)) {
        return fail(self, node, "a number is expected: tables are read before parameters");
    }
    return isfinite(*out) ? CRANK_OK : fail(self, node, "the value is not finite");
}

static crank_status no_memory(const void *self)
{
    return crank_fail(((const reading *)self)->err, CRANK_EMEM, "reading the equations");
}

static crank_status load(const void *self, const crank_node *node, const char **path,
                         char **text, size_t *length)
{
    const reading *r = self;
    const crank_named_file *file = NULL;
    crank_error why = {0};
    if (node->kind != CRANK_NODE_SCALAR || crank_node_is_empty(node) || node->text[0] == '\0') {
        return fail(self, node, "the name of a file, or a list of pairs, is expected");
    }
    *path = crank_named_file_path(r->e->store, r->e->path, node->text);
    if (*path == NULL) {
        return no_memory(self);
    }
    crank_status status = crank_files_load(r->e->files, *path, &file, &why);
    if (status == CRANK_OK) {
        *text = crank_store_copy(r->e->store, file->text, file->length);
        *length = file->length;
        status = *text != NULL ? CRANK_OK : CRANK_EMEM;
    }
    return status == CRANK_OK     ? CRANK_OK
           : status == CRANK_EMEM ? no_memory(self)
                                  : fail(self, node, why.text);
}

static void warn(const void *self, const crank_node *node, const char *text)
{
    const reading *r = self;
    crank_log_write(&r->e->options->log, CRANK_WARNING, "table \"%.80s\", line %d: %s", r->name,
                    node->line, text);
}

static const crank_table_data *find(const char *name, void *user, crank_error *err)
{
    crank_equations *e = user;
    (void)err;
    for (int i = 0; i < e->table_count; i++) {
        if (strcmp(e->table[i].name, name) == 0) {
            e->table_used[i] = true;
            return &e->table[i];
        }
    }
    return NULL;
}

static crank_status check_name(const crank_equations *e, const crank_node *key,
                               crank_error *err)
{
    const crank_name *other = crank_names_find(e, key->text);
    if (crank_ex_is_reserved(key->text) || strcmp(key->text, "der") == 0 ||
        strcmp(key->text, "table") == 0 || other != NULL) {
        return crank_fail_node(err, CRANK_EMODEL, key,
                               other != NULL ? "tables: the name \"%.80s\" is already taken"
                                             : "tables: the name \"%.80s\" is reserved",
                               key->text);
    }
    return CRANK_OK;
}

crank_status crank_equations_read_tables(crank_equations *e, crank_error *err)
{
    const crank_node *section = NULL;
    crank_status status = crank_read_section(e, "tables", &section, err);
    if (status != CRANK_OK || section == NULL) {
        return status;
    }
    e->table = crank_store_take(e->store, (size_t)section->count, sizeof *e->table);
    e->table_used = crank_store_take(e->store, (size_t)section->count, sizeof *e->table_used);
    if (e->table == NULL || e->table_used == NULL) {
        return crank_fail(err, CRANK_EMEM, "reading the equations");
    }
    for (int i = 0; i < section->count && status == CRANK_OK; i++) {
        const reading r = {e, section->key[i]->text, err};
        const crank_table_reader reader = {.store = e->store,
                                           .number = number,
                                           .load = load,
                                           .fail = fail,
                                           .warn = warn,
                                           .no_memory = no_memory,
                                           .self = &r};
        status = check_name(e, section->key[i], err);
        if (status == CRANK_OK) {
            status = crank_model_table_read(
                &reader, section->item[i], crank_table_way_of(CRANK_TABLE_USUAL), &e->table[i]);
        }
        e->table[i].name = r.name;
        e->table_count = i + 1;
    }
    crank_pool_set_tables(e->pool, find, e);
    return status;
}
