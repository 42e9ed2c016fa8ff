/* tree.c - see tree.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/tree.h"

#include "base/blame.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

void crank_error_set_file(crank_error *err, const char *file)
{
    if (err != NULL) {
        (void)snprintf(err->file, sizeof err->file, "%s", file != NULL ? file : "");
    }
}

crank_status crank_fail_node(crank_error *err, crank_status status, const crank_node *node,
                             const char *format, ...)
{
    const crank_node none = {0};
    const crank_node *at = node != NULL ? node : &none;
    va_list arguments;
    va_start(arguments, format);
    (void)crank_fail_in(err, status, at->file, at->line, at->column, format, arguments);
    va_end(arguments);
    return status;
}

const crank_node *crank_node_find(const crank_node *mapping, const char *key)
{
    for (int i = 0; i < mapping->count; i++) {
        if (strcmp(mapping->key[i]->text, key) == 0) {
            return mapping->item[i];
        }
    }
    return NULL;
}

bool crank_node_is_empty(const crank_node *node)
{
    return node->kind == CRANK_NODE_SCALAR && !node->quoted &&
           (node->text[0] == '\0' || strcmp(node->text, "~") == 0 ||
            strcmp(node->text, "null") == 0);
}

const char *crank_node_describe(const crank_node *node)
{
    switch (node->kind) {
    case CRANK_NODE_SEQUENCE:
        return "a list";
    case CRANK_NODE_MAPPING:
        return "a mapping";
    case CRANK_NODE_SCALAR:
        break;
    }
    double value;
    return crank_node_is_empty(node)                ? "nothing"
           : crank_number_parse(node->text, &value) ? "a number"
                                                    : "text";
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* a byte after the first of a character in UTF-8 */
static bool is_continued(char c)
{
    return ((unsigned char)c & 0xC0u) == 0x80u;
}

/* position in the document; columns count characters, not bytes */
typedef struct cursor {
    const char *at, *end;
    int line, column;
} cursor;

static void step(cursor *c)
{
    const char now = *c->at++;
    if (now == '\n' || (now == '\r' && (c->at == c->end || *c->at != '\n'))) {
        c->line++;
        c->column = 1;
    } else if (c->at == c->end || !is_continued(*c->at)) {
        c->column++;
    }
}

void crank_node_locate(const crank_document *document, const crank_node *scalar, int offset,
                       int *line, int *column)
{
    if (scalar->line == 0) { /* from no text */
        *line = *column = 0;
        return;
    }
    cursor c = {document->text, document->text + document->length, 1, 1};
    while (c.at < c.end &&
           (c.line < scalar->line || (c.line == scalar->line && c.column < scalar->column))) {
        step(&c);
    }
    if (scalar->quoted && c.at < c.end) { /* past the quote, or past the line of | or > */
        const bool block = *c.at == '|' || *c.at == '>';
        do {
            step(&c);
        } while (block && c.at < c.end && c.line == scalar->line);
    }
    /* folding changes blanks only: count the other characters in both texts */
    int before = 0;
    for (const char *at = scalar->text; offset > 0 && *at != '\0'; at++) {
        if (!is_continued(at[0])) {
            before += !is_blank(at[0]);
        }
        offset -= !is_continued(at[1]);
    }
    while (c.at < c.end && (before > 0 || is_blank(*c.at) || is_continued(*c.at))) {
        before -= !is_blank(*c.at) && !is_continued(*c.at);
        step(&c);
    }
    *line = c.line;
    *column = c.column;
}
