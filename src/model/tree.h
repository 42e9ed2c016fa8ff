/* tree.h - what a model says, as a tree of keys and values, each with its place: what readers
 * of all kinds of models take their records from. Files become trees by yaml.h, models built in
 * C by run/draft.c.
 *
 * Scalars are text: what they mean is decided by who reads them. Mapping keys are scalars and
 * occur once. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_TREE_H
#define CRANK_SRC_TREE_H

#include <crank/base.h>

typedef enum crank_node_kind {
    CRANK_NODE_SCALAR,
    CRANK_NODE_SEQUENCE,
    CRANK_NODE_MAPPING
} crank_node_kind;

typedef struct crank_node crank_node;
struct crank_node {
    crank_node_kind kind;
    int line, column;        /* of the first character, from 1; 0: it stands in no text */
    bool quoted;             /* a scalar in quotes, or a block scalar */
    const char *file;        /* the included file it stands in; NULL: the model's own */
    const char *text;        /* scalar */
    int count;               /* items of a sequence, pairs of a mapping */
    const crank_node **key;  /* count, scalars; NULL for sequences */
    const crank_node **item; /* count: items, or values of the keys */
};

typedef struct crank_document {
    const char *text; /* what it was read from, which must outlive the document; "": nothing */
    size_t length;
    const crank_node *root; /* NULL: the text holds nothing */
} crank_document;

/* crank_fail_at at the place of a node (NULL: none), with the file it stands in. */
crank_status crank_fail_node(crank_error *err, crank_status status, const crank_node *node,
                             const char *format, ...) CRANK_PRINTF(4, 5);
/* Says in err that its place is in this file; NULL: in the model's own. */
void crank_error_set_file(crank_error *err, const char *file);
/* The value of a key, or NULL. */
const crank_node *crank_node_find(const crank_node *mapping, const char *key);
/* Nothing was written after "key:", or null, or ~. */
bool crank_node_is_empty(const crank_node *node);
/* "a list", "a mapping", "text": what the user wrote, for messages. */
const char *crank_node_describe(const crank_node *node);
/* Where a character of a scalar's text (offset counts characters from 0) stands in the
 * document, also in folded and block scalars. */
void crank_node_locate(const crank_document *document, const crank_node *scalar, int offset,
                       int *line, int *column);

#endif
