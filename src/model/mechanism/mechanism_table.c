/* mechanism_table.c - tables of mechanism files: model/table.h with the scope's numbers, files
 * and messages; and `tables:`, which expressions call by their names. A table is read when it
 * is first called: parameters may call it, and its points may contain other parameters. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include <stdio.h>

static crank_status number(const void *self, const crank_node *node, double *out)
{
    return crank_scope_number(self, node, out);
}

static crank_status load(const void *self, const crank_node *node, const char **file,
                         char **text, size_t *length)
{
    return crank_file_read(self, node, file, text, length);
}

static crank_status fail(const void *self, const crank_node *node, const char *text)
{
    return crank_site_fail(self, node, "%s", text);
}

static void warn(const void *self, const crank_node *node, const char *text)
{
    const crank_site *site = self;
    crank_log_write(&site->r->m->options->log, CRANK_WARNING, "%s%s%s, line %d: %s",
                    site->object != NULL ? site->object : "", site->key != NULL ? ", " : "",
                    site->key != NULL ? site->key : "", node->line, text);
}

static crank_status no_memory(const void *self)
{
    return crank_reading_no_memory(((const crank_site *)self)->r);
}

crank_status crank_read_table(const crank_site *site, const crank_node *node, const char *usual,
                              crank_table_data *out)
{
    const crank_table_reader reader = {.store = site->r->store,
                                       .number = number,
                                       .load = load,
                                       .fail = fail,
                                       .warn = warn,
                                       .no_memory = no_memory,
                                       .self = site};
    return crank_model_table_read(&reader, node, crank_table_way_of(usual), out);
}

/* ---- tables: ---- */

static crank_status read_item(crank_reading *r, crank_item *item)
{
    char object[128];
    (void)snprintf(object, sizeof object, "table \"%.80s\"", item->name);
    const crank_site site = {r, item->scope, object, NULL};
    const crank_scope *before = r->parsing;
    crank_table_data *table = crank_store_take(r->store, 1, sizeof *table);
    if (table == NULL) {
        return crank_reading_no_memory(r);
    }
    if (item->reading) {
        return crank_site_fail(&site, item->key, "its points are defined by itself");
    }
    item->reading = true;
    const crank_status status = crank_read_table(&site, item->node, CRANK_TABLE_USUAL, table);
    item->reading = false;
    r->parsing = before;
    table->name = item->name;
    item->table = status == CRANK_OK ? table : NULL;
    return status;
}

static const crank_table_data *find(const char *name, void *user, crank_error *err)
{
    crank_reading *r = user;
    const int found = crank_scope_find(r, r->parsing, CRANK_SECTION_TABLES, name);
    if (found < 0) {
        return NULL;
    }
    crank_item *item = &r->items[CRANK_SECTION_TABLES].item[found];
    item->called = true;
    if (item->table == NULL && read_item(r, item) != CRANK_OK) {
        *err = *r->err;
        r->table_failed = true; /* the message is complete, with the table's place */
        return NULL;
    }
    return item->table;
}

void crank_tables_begin(crank_reading *r)
{
    crank_pool_set_tables(r->pool, find, r);
}

crank_status crank_read_tables(crank_reading *r)
{
    crank_items *items = &r->items[CRANK_SECTION_TABLES];
    crank_status status = CRANK_OK;
    for (int i = 0; i < items->count && status == CRANK_OK; i++) {
        status = items->item[i].table == NULL ? read_item(r, &items->item[i]) : CRANK_OK;
    }
    crank_pool_set_tables(r->pool, NULL, NULL);
    return status;
}
