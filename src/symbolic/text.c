/* text.c - a text that grows by formatted pieces. */
// SPDX-License-Identifier: BSD-3-Clause
#include "symbolic/symbolic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool reserve(crank_text *text, size_t size)
{
    if (size <= text->capacity) {
        return true;
    }
    const size_t capacity = size > 2 * text->capacity ? size + 256 : 2 * text->capacity;
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void crank_text_append(crank_text *text, const char *format, ...)
{
    if (text->failed || !reserve(text, text->length + 1)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const size_t room = text->capacity - text->length;
    const int length = vsnprintf(text->data + text->length, room, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->failed = true;
    } else if ((size_t)length < room) {
        text->length += (size_t)length;
    } else if (reserve(text, text->length + (size_t)length + 1)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void crank_text_free(crank_text *text)
{
    free(text->data);
    *text = (crank_text){0};
}
