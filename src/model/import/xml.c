/* xml.c - see xml.h. libexpat calls back for tags and texts; elements hang on the one that is
 * open. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/xml.h"

#include "base/blame.h"
#include "base/number.h"
#include "model/tree.h"

#include <expat.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 256, NUMBER_LENGTH = 64 };

/* texts of open elements come in pieces */
typedef struct reader {
    XML_Parser parser;
    crank_store *store;
    const char *file;
    crank_xml *root, *open;
    int depth;
    char *text; /* of the element that was opened last */
    size_t length, capacity;
    crank_status status;
    crank_error *err;
} reader;

static int line_of(const reader *r)
{
    const XML_Size line = XML_GetCurrentLineNumber(r->parser);
    return line > INT_MAX ? INT_MAX : (int)line;
}

static void stop(reader *r, crank_status status, const char *what)
{
    if (r->status == CRANK_OK) {
        r->status = status;
        (void)crank_fail_at(r->err, status, line_of(r), 0, "%s", what);
        (void)XML_StopParser(r->parser, XML_FALSE);
    }
}

static void no_memory(reader *r)
{
    stop(r, CRANK_EMEM, "reading the model file");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void take_text(reader *r)
{
    size_t begin = 0, end = r->length;
    while (begin < end && is_blank(r->text[begin])) {
        begin++;
    }
    while (end > begin && is_blank(r->text[end - 1])) {
        end--;
    }
    if (r->open != NULL && end > begin && r->open->text == NULL) {
        r->open->text = crank_store_copy(r->store, r->text + begin, end - begin);
    }
    r->length = 0;
    if (r->store->failed) {
        no_memory(r);
    }
}

static crank_xml_attribute *copy_attributes(reader *r, const char **pairs, int *count)
{
    *count = 0;
    while (pairs[2 * *count] != NULL) {
        ++*count;
    }
    crank_xml_attribute *out = crank_store_take(r->store, (size_t)*count, sizeof *out);
    for (int i = 0; i < *count && out != NULL; i++) {
        const char *name = pairs[(size_t)2 * (size_t)i];
        const char *value = pairs[(size_t)2 * (size_t)i + 1];
        out[i].name = crank_store_copy(r->store, name, strlen(name));
        out[i].value = crank_store_copy(r->store, value, strlen(value));
    }
    return out;
}

static void XMLCALL open_element(void *user, const char *name, const char **pairs)
{
    reader *r = user;
    take_text(r);
    if (++r->depth > DEPTH) {
        stop(r, CRANK_ESYNTAX, "elements are nested more than 256 levels deep");
        return;
    }
    crank_xml *e = crank_store_take(r->store, 1, sizeof *e);
    if (e == NULL) {
        no_memory(r);
        return;
    }
    *e = (crank_xml){.file = r->file, .line = line_of(r), .parent = r->open};
    e->name = crank_store_copy(r->store, name, strlen(name));
    e->attribute = copy_attributes(r, pairs, &e->attribute_count);
    if (r->store->failed) {
        no_memory(r);
        return;
    }
    if (r->open == NULL) {
        r->root = e;
    } else if (r->open->last == NULL) {
        r->open->first = r->open->last = e;
    } else {
        r->open->last = r->open->last->next = e;
    }
    r->open = e;
}

static void XMLCALL close_element(void *user, const char *name)
{
    reader *r = user;
    (void)name;
    take_text(r);
    r->depth--;
    if (r->open != NULL) {
        r->open = r->open->parent;
    }
}

static void XMLCALL add_text(void *user, const char *text, int length)
{
    reader *r = user;
    const size_t more = (size_t)length;
    if (r->length + more > r->capacity) {
        const size_t capacity = 2 * (r->length + more) + 64;
        char *grown = realloc(r->text, capacity);
        if (grown == NULL) {
            no_memory(r);
            return;
        }
        r->text = grown;
        r->capacity = capacity;
    }
    memcpy(r->text + r->length, text, more);
    r->length += more;
}

static void XMLCALL refuse_entity(void *user, const char *name, int parameter,
                                  const char *value, int length, const char *base,
                                  const char *system, const char *public, const char *notation)
{
    (void)name, (void)parameter, (void)value, (void)length;
    (void)base, (void)system, (void)public, (void)notation;
    stop(user, CRANK_ESYNTAX,
         "XML: the file defines entities, which are not read; write what they stand for");
}

bool crank_xml_is(const char *text, size_t length)
{
    size_t i = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < length && is_blank(text[i])) {
        i++;
    }
    return i < length && text[i] == '<';
}

static crank_status parse(reader *r, const char *text, size_t length)
{
    if (length > INT_MAX) {
        return crank_fail(r->err, CRANK_EFILE, "larger than 2 GiB");
    }
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, open_element, close_element);
    XML_SetCharacterDataHandler(r->parser, add_text);
    XML_SetEntityDeclHandler(r->parser, refuse_entity);
    if (XML_Parse(r->parser, text, (int)length, 1) == XML_STATUS_ERROR &&
        r->status == CRANK_OK) {
        const enum XML_Error code = XML_GetErrorCode(r->parser);
        r->status = code == XML_ERROR_NO_MEMORY
                        ? crank_fail(r->err, CRANK_EMEM, "reading the model file")
                        : crank_fail_at(r->err, CRANK_ESYNTAX, line_of(r),
                                        (int)XML_GetCurrentColumnNumber(r->parser) + 1,
                                        "XML: %s", XML_ErrorString(code));
    }
    return r->status;
}

crank_status crank_xml_read(const char *text, size_t length, const char *file,
                            crank_store *store, crank_xml **root, crank_error *err)
{
    reader r = {.parser = XML_ParserCreate(NULL), .store = store, .file = file, .err = err};
    *root = NULL;
    if (r.parser == NULL) {
        return crank_fail(err, CRANK_EMEM, "reading the model file");
    }
    const crank_status status = parse(&r, text, length);
    XML_ParserFree(r.parser);
    free(r.text);
    if (status != CRANK_OK) {
        crank_error_set_file(err, file);
        return status;
    }
    *root = r.root;
    return CRANK_OK;
}

/* ---- asking ---- */

const char *crank_xml_get(const crank_xml *e, const char *name)
{
    for (int i = 0; i < e->attribute_count; i++) {
        if (strcmp(e->attribute[i].name, name) == 0) {
            e->attribute[i].used = true;
            return e->attribute[i].value;
        }
    }
    return NULL;
}

static crank_xml *find_from(crank_xml *e, const char *name)
{
    while (e != NULL && name != NULL && strcmp(e->name, name) != 0) {
        e = e->next;
    }
    if (e != NULL && name != NULL) {
        e->used = true;
    }
    return e;
}

crank_xml *crank_xml_child(const crank_xml *e, const char *name)
{
    return find_from(e->first, name);
}

crank_xml *crank_xml_next(const crank_xml *child, const char *name)
{
    return find_from(child->next, name);
}

void crank_xml_use_all(crank_xml *e)
{
    e->used = true;
    for (int i = 0; i < e->attribute_count; i++) {
        e->attribute[i].used = true;
    }
    for (crank_xml *child = e->first; child != NULL; child = child->next) {
        crank_xml_use_all(child);
    }
}

crank_status crank_xml_fail(crank_error *err, const crank_xml *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)crank_fail_in(err, CRANK_EMODEL, e->file, e->line, 0, format, arguments);
    va_end(arguments);
    return CRANK_EMODEL;
}

/* ---- numbers ---- */

crank_status crank_xml_list(const crank_xml *e, const char *attribute, int most, double *out,
                            int *found, crank_error *err)
{
    const char *text = crank_xml_get(e, attribute);
    int count = 0;
    while (text != NULL) {
        char word[NUMBER_LENGTH];
        size_t length = 0;
        while (is_blank(*text)) {
            text++;
        }
        if (*text == '\0') {
            break;
        }
        while (text[length] != '\0' && !is_blank(text[length])) {
            length++;
        }
        const char *begin = *text == '+' ? text + 1 : text;
        const size_t size = length - (size_t)(begin - text);
        double value = NAN;
        if (size < sizeof word) {
            memcpy(word, begin, size);
            word[size] = '\0';
        }
        if (size >= sizeof word || !crank_number_parse(word, &value) || !isfinite(value)) {
            return crank_xml_fail(err, e, "<%.60s %.40s>: \"%.*s\" is not a finite number",
                                  e->name, attribute, length < 60 ? (int)length : 60, text);
        }
        if (count == most) {
            return crank_xml_fail(err, e, "<%.60s %.40s>: more than %d numbers", e->name,
                                  attribute, most);
        }
        out[count++] = value;
        text += length;
    }
    *found = count;
    return CRANK_OK;
}

crank_status crank_xml_numbers(const crank_xml *e, const char *attribute, int count,
                               double *out, crank_error *err)
{
    double value[16];
    int found = 0;
    const crank_status status = crank_xml_list(e, attribute, count, value, &found, err);
    if (status != CRANK_OK || crank_xml_get(e, attribute) == NULL) {
        return status;
    }
    if (found != count) {
        return crank_xml_fail(err, e, "<%.60s %.40s>: %d number%s where %d %s expected",
                              e->name, attribute, found, found == 1 ? "" : "s", count,
                              count == 1 ? "is" : "are");
    }
    memcpy(out, value, (size_t)count * sizeof *out);
    return CRANK_OK;
}
