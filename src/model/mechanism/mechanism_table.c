/* mechanism_table.c - tables of mechanism files: model/table.h with the scope's numbers, files
 * and messages. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

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
