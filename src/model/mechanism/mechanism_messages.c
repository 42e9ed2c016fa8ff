/* mechanism_messages.c - what is said about a mechanism file: the object, its key, what is
 * wrong and what may be meant. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "base/suggest.h"

#include <stdarg.h>
#include <stdio.h>

crank_status crank_reading_no_memory(crank_reading *r)
{
    return crank_fail(r->err, CRANK_EMEM, "reading the mechanism");
}

crank_status crank_site_fail(const crank_site *site, const crank_node *node, const char *format,
                             ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0) {
        text[0] = '\0';
    }
    va_end(arguments);
    const bool object = site->object != NULL && site->object[0] != '\0';
    return crank_fail_node(site->r->err, CRANK_EMODEL, node, "%s%s%s%s%s",
                           object ? site->object : "", object && site->key != NULL ? ", " : "",
                           site->key != NULL ? site->key : "",
                           object || site->key != NULL ? ": " : "", text);
}

const char *crank_reading_line(char *text, size_t size, const crank_node *first,
                               const crank_node *second)
{
    const char *file = first->file != NULL    ? first->file
                       : second->file != NULL ? "the model file"
                                              : NULL;
    (void)snprintf(text, size, "line %d%s%.120s", first->line, file != NULL ? " of " : "",
                   file != NULL ? file : "");
    return text;
}

const char *crank_reading_near(char *text, size_t size, const char *near)
{
    text[0] = '\0';
    if (near != NULL) {
        (void)snprintf(text, size, "; did you mean \"%.80s\"?", near);
    }
    return text;
}

const char *crank_reading_hint(char *text, size_t size, const char *word,
                               const char *const *names, int count)
{
    const char *near = crank_suggest(word, names, count);
    if (near != NULL) {
        return crank_reading_near(text, size, near);
    }
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i > 0 ? ", " : "; known are ", names[i]);
    }
    if (used >= size) {
        (void)snprintf(text, size, "; see docs/formats.md");
    }
    return text;
}
