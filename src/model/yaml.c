/* yaml.c - libyaml's events as a tree of nodes with places.
 *
 * Nodes are built by recursion over the events, at most DEPTH levels deep. An alias must name
 * an anchor whose node is complete, so the graph has no cycles. In flow collections a comma
 * ends a plain scalar: "[min(a, b)]" is two items for YAML; unbalanced parentheses tell, and
 * the user is asked for quotes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/yaml.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEPTH = 64 };

typedef struct anchor {
    struct anchor *previous;
    const char *name;
    const crank_node *node; /* NULL while it is being read */
} anchor;

/* a child while its collection is being read */
typedef struct child {
    struct child *next;
    const crank_node *key, *item;
} child;

typedef struct reader {
    yaml_parser_t parser;
    crank_store *store;
    const char *file;
    anchor *anchors;
    int depth, flow; /* open collections, open flow collections */
    crank_error *err;
} reader;

static crank_status no_memory(reader *r)
{
    return crank_fail(r->err, CRANK_EMEM, "reading the model file");
}

static int place(size_t zero_based)
{
    return zero_based >= INT_MAX ? INT_MAX : (int)zero_based + 1;
}

static crank_status syntax_error(reader *r)
{
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR) {
        return no_memory(r);
    }
    const char *problem = p->problem != NULL ? p->problem : "not well formed";
    if (p->error == YAML_READER_ERROR) {
        return crank_fail_at(r->err, CRANK_ESYNTAX, place(p->mark.line), 0,
                             "not a text file in UTF-8: %s", problem);
    }
    const bool flow = strncmp(problem, "did not find expected ','", 25) == 0;
    return crank_fail_at(r->err, CRANK_ESYNTAX, place(p->problem_mark.line),
                         place(p->problem_mark.column), "YAML: %s%s%s%s", problem,
                         p->context != NULL ? " " : "", p->context != NULL ? p->context : "",
                         flow ? "; there a text with braces, brackets or a comma needs quotes"
                              : "");
}

static crank_status next_event(reader *r, yaml_event_t *event)
{
    if (!yaml_parser_parse(&r->parser, event)) {
        return syntax_error(r);
    }
    return CRANK_OK;
}

/* NULL: out of memory */
static crank_node *new_node(reader *r, const yaml_event_t *event, crank_node_kind kind,
                            const yaml_char_t *anchor_name)
{
    crank_node *node = crank_store_take(r->store, 1, sizeof *node);
    if (node == NULL) {
        return NULL;
    }
    node->kind = kind;
    node->file = r->file;
    node->line = place(event->start_mark.line);
    node->column = place(event->start_mark.column);
    if (anchor_name != NULL) {
        const char *name = (const char *)anchor_name;
        anchor *a = crank_store_take(r->store, 1, sizeof *a);
        if (a == NULL || (a->name = crank_store_copy(r->store, name, strlen(name))) == NULL) {
            return NULL;
        }
        a->previous = r->anchors;
        r->anchors = a;
    }
    return node;
}

static crank_status read_alias(reader *r, const yaml_event_t *event, const crank_node **out)
{
    const char *name = (const char *)event->data.alias.anchor;
    const int line = place(event->start_mark.line), column = place(event->start_mark.column);
    for (const anchor *a = r->anchors; a != NULL; a = a->previous) {
        if (strcmp(a->name, name) == 0) {
            if (a->node == NULL) {
                return crank_fail_at(r->err, CRANK_ESYNTAX, line, column,
                                     "alias \"*%s\" contains itself", name);
            }
            *out = a->node;
            return CRANK_OK;
        }
    }
    return crank_fail_at(r->err, CRANK_ESYNTAX, line, column, "alias \"*%s\" has no anchor",
                         name);
}

static bool balanced(const char *text)
{
    int open = 0;
    for (; *text != '\0' && open >= 0; text++) {
        open += (*text == '(') - (*text == ')');
    }
    return open == 0;
}

static crank_status read_scalar(reader *r, const yaml_event_t *event, const crank_node **out)
{
    crank_node *node = new_node(r, event, CRANK_NODE_SCALAR, event->data.scalar.anchor);
    if (node == NULL) {
        return no_memory(r);
    }
    const char *value = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (memchr(value, '\0', length) != NULL) {
        return crank_fail_at(r->err, CRANK_ESYNTAX, node->line, node->column,
                             "text with a zero character");
    }
    node->text = crank_store_copy(r->store, value, length);
    if (node->text == NULL) {
        return no_memory(r);
    }
    if (r->flow > 0 && !node->quoted && !balanced(node->text)) {
        return crank_fail_at(r->err, CRANK_ESYNTAX, node->line, node->column,
                             "\"%.60s\": the parentheses do not match; between { } or [ ] an "
                             "expression with a comma or with braces needs quotes",
                             node->text);
    }
    if (event->data.scalar.anchor != NULL) {
        r->anchors->node = node;
    }
    *out = node;
    return CRANK_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const crank_node *const *x = a, *const *y = b;
    const int order = strcmp((*x)->text, (*y)->text);
    if (order != 0) {
        return order;
    }
    return (*x)->line != (*y)->line ? (*x)->line - (*y)->line : (*x)->column - (*y)->column;
}

static crank_status check_keys(reader *r, const crank_node *mapping)
{
    const size_t count = (size_t)mapping->count;
    const crank_node **sorted = malloc((count + 1) * sizeof *sorted);
    if (sorted == NULL) {
        return no_memory(r);
    }
    crank_status status = CRANK_OK;
    if (count > 0) {
        memcpy(sorted, mapping->key, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_keys);
    }
    for (size_t i = 1; i < count && status == CRANK_OK; i++) {
        if (strcmp(sorted[i - 1]->text, sorted[i]->text) == 0) {
            status = crank_fail_at(r->err, CRANK_ESYNTAX, sorted[i]->line, sorted[i]->column,
                                   "\"%.80s\" is given twice, first in line %d",
                                   sorted[i]->text, sorted[i - 1]->line);
        }
    }
    free(sorted);
    return status;
}

static crank_status read_node(reader *r, yaml_event_t *event, const crank_node **out);

/* The next child; *end tells that the collection is complete. */
static crank_status read_child(reader *r, bool mapping, child *c, bool *end)
{
    for (int part = mapping ? 0 : 1; part < 2; part++) {
        yaml_event_t event;
        crank_status status = next_event(r, &event);
        if (status != CRANK_OK) {
            return status;
        }
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            *end = true;
            return CRANK_OK;
        }
        status = read_node(r, &event, part == 0 ? &c->key : &c->item);
        yaml_event_delete(&event);
        if (status != CRANK_OK) {
            return status;
        }
        if (part == 0 && c->key->kind != CRANK_NODE_SCALAR) {
            return crank_fail_at(r->err, CRANK_ESYNTAX, c->key->line, c->key->column,
                                 "%s as the key of a mapping", crank_node_describe(c->key));
        }
    }
    return CRANK_OK;
}

static crank_status read_children(reader *r, crank_node *node)
{
    const bool mapping = node->kind == CRANK_NODE_MAPPING;
    child head = {0}, *last = &head;
    for (bool end = false; !end;) {
        child *c = crank_store_take(r->store, 1, sizeof *c);
        if (c == NULL) {
            return no_memory(r);
        }
        const crank_status status = read_child(r, mapping, c, &end);
        if (status != CRANK_OK) {
            return status;
        }
        if (!end) {
            last->next = c;
            last = c;
            node->count++;
        }
    }
    const size_t count = (size_t)node->count;
    node->item = crank_store_take(r->store, count, sizeof *node->item);
    node->key = mapping ? crank_store_take(r->store, count, sizeof *node->key) : NULL;
    if (node->item == NULL || (mapping && node->key == NULL)) {
        return no_memory(r);
    }
    int i = 0;
    for (const child *c = head.next; c != NULL; c = c->next, i++) {
        node->item[i] = c->item;
        if (mapping) {
            node->key[i] = c->key;
        }
    }
    return mapping ? check_keys(r, node) : CRANK_OK;
}

static crank_status read_collection(reader *r, const yaml_event_t *event,
                                    const crank_node **out)
{
    const bool mapping = event->type == YAML_MAPPING_START_EVENT;
    const bool flow = mapping ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                              : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    const yaml_char_t *name =
        mapping ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    crank_node *node =
        new_node(r, event, mapping ? CRANK_NODE_MAPPING : CRANK_NODE_SEQUENCE, name);
    if (node == NULL) {
        return no_memory(r);
    }
    if (r->depth >= DEPTH) {
        return crank_fail_at(r->err, CRANK_ESYNTAX, node->line, node->column,
                             "collections are nested more than %d levels deep", DEPTH);
    }
    anchor *own = name != NULL ? r->anchors : NULL;
    r->depth++;
    r->flow += flow;
    const crank_status status = read_children(r, node);
    r->flow -= flow;
    r->depth--;
    if (own != NULL) {
        own->node = node;
    }
    *out = node;
    return status;
}

static crank_status read_node(reader *r, yaml_event_t *event, const crank_node **out)
{
    if (event->type == YAML_SCALAR_EVENT) {
        return read_scalar(r, event, out);
    }
    if (event->type == YAML_ALIAS_EVENT) {
        return read_alias(r, event, out);
    }
    return read_collection(r, event, out);
}

/* stream start, one document, stream end */
static crank_status read_stream(reader *r, crank_document *out)
{
    for (;;) {
        yaml_event_t event;
        crank_status status = next_event(r, &event);
        if (status != CRANK_OK) {
            return status;
        }
        const yaml_event_type_t type = event.type;
        if (type == YAML_DOCUMENT_START_EVENT && out->root != NULL) {
            status = crank_fail_at(r->err, CRANK_ESYNTAX, place(event.start_mark.line),
                                   place(event.start_mark.column),
                                   "a second document in the file; one is allowed");
        } else if (type == YAML_SCALAR_EVENT || type == YAML_ALIAS_EVENT ||
                   type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT) {
            status = read_node(r, &event, &out->root);
        }
        yaml_event_delete(&event);
        if (status != CRANK_OK || type == YAML_STREAM_END_EVENT) {
            return status;
        }
    }
}

crank_status crank_yaml_read_file(const char *text, size_t length, const char *file,
                                  crank_store *store, crank_document *out, crank_error *err)
{
    *out = (crank_document){.text = text, .length = length};
    if (length > 0 && memchr(text, '\0', length) != NULL) {
        (void)crank_fail(err, CRANK_ESYNTAX, "not a text file in UTF-8: it holds zero bytes");
        crank_error_set_file(err, file);
        return CRANK_ESYNTAX;
    }
    reader r = {.store = store, .file = file, .err = err};
    if (!yaml_parser_initialize(&r.parser)) {
        return no_memory(&r);
    }
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, length);
    const crank_status status = read_stream(&r, out);
    yaml_parser_delete(&r.parser);
    if (status != CRANK_OK) {
        crank_error_set_file(err, file);
    }
    return status;
}

crank_status crank_yaml_read(const char *text, size_t length, crank_store *store,
                             crank_document *out, crank_error *err)
{
    return crank_yaml_read_file(text, length, NULL, store, out, err);
}
