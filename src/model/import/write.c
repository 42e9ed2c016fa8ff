/* write.c - a tree as the text of a mechanism file that people like to read: what fits stands
 * in one line in braces, the rest a key a line. Texts that YAML or expressions might take for
 * something else are quoted. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/import.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 140, INDENT = 2 };

/* Could a plain scalar be read as something else, also between braces? */
static bool needs_quotes(const crank_node *node)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_.+-*/()<>=^ ";
    const char *text = node->text;
    double number;
    if (crank_number_parse(text, &number)) {
        return node->quoted;
    }
    return text[0] == '\0' || strspn(text, safe) != strlen(text) ||
           strchr("*-<> ", text[0]) != NULL || text[strlen(text) - 1] == ' ' ||
           (node->quoted && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0 ||
                             strcmp(text, "null") == 0));
}

static void write_scalar(const crank_node *node, crank_text *out)
{
    if (!needs_quotes(node)) {
        crank_text_append(out, "%s", node->text);
        return;
    }
    crank_text_append(out, "\"");
    for (const char *c = node->text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            crank_text_append(out, "\\%c", *c);
        } else if ((unsigned char)*c < 0x20) {
            crank_text_append(out, "\\x%02x", (unsigned)(unsigned char)*c);
        } else {
            crank_text_append(out, "%c", *c);
        }
    }
    crank_text_append(out, "\"");
}

static void write_flow(const crank_node *node, crank_text *out)
{
    if (node->kind == CRANK_NODE_SCALAR) {
        write_scalar(node, out);
        return;
    }
    const bool mapping = node->kind == CRANK_NODE_MAPPING;
    crank_text_append(out, mapping ? "{" : "[");
    for (int i = 0; i < node->count; i++) {
        crank_text_append(out, "%s", i > 0 ? ", " : "");
        if (mapping) {
            write_scalar(node->key[i], out);
            crank_text_append(out, ": ");
        }
        write_flow(node->item[i], out);
    }
    crank_text_append(out, mapping ? "}" : "]");
}

/* in one line, if it fits behind so many characters; false: it does not, nothing is written */
static bool write_line(const crank_node *node, size_t before, crank_text *out)
{
    crank_text line = {0};
    write_flow(node, &line);
    const bool fits = line.data != NULL && before + strlen(line.data) <= WIDTH;
    if (fits || node->kind == CRANK_NODE_SCALAR || node->count == 0) {
        crank_text_append(out, " %s\n", line.data != NULL ? line.data : "");
    }
    crank_text_free(&line);
    return fits || node->kind == CRANK_NODE_SCALAR || node->count == 0;
}

/* begun: the first line has its indentation already, behind "- " */
static void write_block(const crank_node *node, int depth, int open, bool begun,
                        crank_text *out)
{
    const bool mapping = node->kind == CRANK_NODE_MAPPING;
    for (int i = 0; i < node->count; i++) {
        const crank_node *item = node->item[i];
        const size_t indent = (size_t)depth * INDENT;
        size_t before = indent + 2;
        if (i > 0 || !begun) {
            crank_text_append(out, "%*s", (int)indent, "");
        }
        if (mapping) {
            write_scalar(node->key[i], out);
            crank_text_append(out, ":");
            before += strlen(node->key[i]->text);
        } else {
            crank_text_append(out, "-");
        }
        const bool section = depth < open && mapping && item->kind == CRANK_NODE_MAPPING;
        if (!section && write_line(item, before, out)) {
            continue;
        }
        crank_text_append(out, mapping ? "\n" : " ");
        write_block(item, depth + 1, open, !mapping, out);
    }
}

void crank_tree_write(const crank_node *root, crank_text *out)
{
    write_block(root, 0, 1, false, out);
}
