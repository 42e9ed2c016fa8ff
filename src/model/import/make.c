/* make.c - nodes of trees that importers make, see import.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/import.h"

#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static crank_node *make(crank_import *im, const crank_xml *at, crank_node_kind kind)
{
    crank_node *node = crank_store_take(im->store, 1, sizeof *node);
    if (node != NULL) {
        *node = (crank_node){.kind = kind, .file = im->named};
        if (at != NULL) {
            node->line = at->line;
            node->column = 1;
            node->file = at->file;
        }
    }
    return node;
}

crank_node *crank_make_map(crank_import *im, const crank_xml *at)
{
    return make(im, at, CRANK_NODE_MAPPING);
}

crank_node *crank_make_list(crank_import *im, const crank_xml *at)
{
    return make(im, at, CRANK_NODE_SEQUENCE);
}

/* room for one more in an array that has grown by doubling from one on */
static const crank_node **widen(crank_import *im, const crank_node **array, int count)
{
    if (count > 0 && (count & (count - 1)) != 0) {
        return array;
    }
    const size_t capacity = count > 0 ? 2 * (size_t)count : 1;
    const crank_node **wider = crank_store_take(im->store, capacity, sizeof(crank_node *));
    if (wider != NULL && count > 0) {
        memcpy(wider, array, (size_t)count * sizeof(crank_node *));
    }
    return wider;
}

void crank_make_add(crank_import *im, crank_node *list, crank_node *item)
{
    if (list == NULL || item == NULL) {
        return;
    }
    const crank_node **wider = widen(im, list->item, list->count);
    if (wider != NULL) {
        list->item = wider;
        list->item[list->count++] = item;
    }
}

crank_node *crank_make_put(crank_import *im, crank_node *map, const char *key,
                           crank_node *value)
{
    if (map == NULL || value == NULL) {
        return NULL;
    }
    crank_node *name = make(im, NULL, CRANK_NODE_SCALAR);
    const crank_node **keys = widen(im, map->key, map->count);
    const crank_node **items = widen(im, map->item, map->count);
    if (name == NULL || keys == NULL || items == NULL) {
        return NULL;
    }
    name->text = crank_store_copy(im->store, key, strlen(key));
    name->line = value->line;
    name->column = value->column;
    name->file = value->file;
    map->key = keys;
    map->item = items;
    map->key[map->count] = name;
    map->item[map->count++] = value;
    return value;
}

crank_node *crank_make_section(crank_import *im, crank_node *map, const char *key)
{
    for (int i = 0; map != NULL && i < map->count; i++) {
        if (strcmp(map->key[i]->text, key) == 0) {
            return (crank_node *)(uintptr_t)map->item[i]; /* made here, not constant yet */
        }
    }
    return crank_make_put(im, map, key, crank_make_map(im, NULL));
}

crank_node *crank_make_quoted(crank_import *im, const crank_xml *at, const char *text)
{
    crank_node *node = make(im, at, CRANK_NODE_SCALAR);
    if (node != NULL) {
        node->quoted = true;
        node->text = crank_store_copy(im->store, text, strlen(text));
    }
    return im->store->failed ? NULL : node;
}

crank_node *crank_make_text(crank_import *im, const crank_xml *at, const char *format, ...)
{
    va_list arguments, again;
    crank_node *node = make(im, at, CRANK_NODE_SCALAR);
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = crank_store_take(im->store, (size_t)(length > 0 ? length : 0) + 1, 1);
    if (text != NULL) {
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(arguments);
    if (node != NULL) {
        node->text = text;
    }
    return im->store->failed ? NULL : node;
}

crank_node *crank_make_number(crank_import *im, const crank_xml *at, double value)
{
    char text[CRANK_NUMBER_TEXT];
    return crank_make_text(
        im, at, "%s", crank_number_print(text, sizeof text, value == 0.0 ? 0.0 : value, 0));
}

crank_node *crank_make_numbers(crank_import *im, const crank_xml *at, int count,
                               const double *value)
{
    crank_node *list = crank_make_list(im, at);
    for (int i = 0; i < count; i++) {
        crank_make_add(im, list, crank_make_number(im, at, value[i]));
    }
    return list;
}

crank_node *crank_make_turn(crank_import *im, const crank_xml *at, const double q[4])
{
    int along = 0, parts = 0;
    for (int i = 1; i < 4; i++) {
        along = q[i] != 0.0 ? i : along;
        parts += q[i] != 0.0 ? 1 : 0;
    }
    if (parts != 1) {
        return crank_make_numbers(im, at, 4, q);
    }
    double axis[3] = {0.0, 0.0, 0.0};
    axis[along - 1] = 1.0;
    crank_node *map = crank_make_map(im, at);
    (void)crank_make_put(im, map, "axis", crank_make_numbers(im, at, 3, axis));
    (void)crank_make_put(im, map, "angle",
                         crank_make_number(im, at, 2.0 * atan2(q[along], q[0])));
    return map;
}
