/* schema.c - see schema.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void crank_schema_reference(crank_json *j, const char *key, const char *name)
{
    char text[200];
    (void)snprintf(text, sizeof text, "#/definitions/%s", name);
    crank_json_open(j, key, '{');
    crank_json_string(j, "$ref", text);
    crank_json_close(j);
}

/* words with separators between them, to the end or to what is none of a word */
const char *crank_schema_words(crank_json *j, const char *words, const char *separators,
                               bool numbers)
{
    char word[80];
    for (;;) {
        const size_t length = strcspn(words, ",|]}");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (numbers) {
            crank_json_copy(j, NULL, word);
        } else {
            crank_json_string(j, NULL, word);
        }
        words += length;
        if (*words == '\0' || strchr(separators, *words) == NULL) {
            return words;
        }
        words++;
    }
}

/* a whole number, if there is one; behind it */
static const char *write_limit(crank_json *j, const char *key, const char *text)
{
    char *end;
    const long limit = strtol(text, &end, 10);
    if (end != text) {
        crank_json_int(j, key, limit);
    }
    return end;
}

/* [x]2..3, behind its bracket */
static const char *write_list(crank_json *j, const char *text)
{
    crank_json_string(j, "type", "array");
    text = crank_schema_shape(j, "items", text) + 1;
    if (*text >= '0' && *text <= '9') {
        text = write_limit(j, "minItems", text) + strlen("..");
        text = write_limit(j, "maxItems", text);
    }
    return text;
}

/* one alternative, not a name; behind it */
const char *crank_schema_members(crank_json *j, const char *text)
{
    if (*text == ':') {
        const size_t length = strcspn(text, "|]}");
        const bool several = memchr(text, ',', length) != NULL;
        if (several) {
            crank_json_open(j, "type", '[');
            text = crank_schema_words(j, text + 1, ",", false);
            crank_json_close(j);
        } else {
            char word[40];
            (void)snprintf(word, sizeof word, "%.*s", (int)length - 1, text + 1);
            crank_json_string(j, "type", word);
            text += length;
        }
    } else if (*text == '=') {
        crank_json_open(j, "enum", '[');
        text = crank_schema_words(j, text + 1, ",", false);
        crank_json_close(j);
    } else if (*text == '[') {
        text = write_list(j, text + 1);
    } else { /* {x}, ?{x} */
        const bool empty = *text == '?';
        if (empty) {
            crank_json_open(j, "type", '[');
            crank_json_string(j, NULL, "object");
            crank_json_string(j, NULL, "null");
            crank_json_close(j);
        } else {
            crank_json_string(j, "type", "object");
        }
        text = crank_schema_shape(j, "additionalProperties", text + (empty ? 2 : 1)) + 1;
    }
    return text;
}

static const char *write_alternative(crank_json *j, const char *key, const char *text)
{
    if (strchr(":=[{?", *text) == NULL) {
        char name[80];
        const size_t length = strcspn(text, "|]}");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, text);
        crank_schema_reference(j, key, name);
        return text + length;
    }
    crank_json_open(j, key, '{');
    text = crank_schema_members(j, text);
    crank_json_close(j);
    return text;
}

/* Are there alternatives, outside of brackets? */
static bool has_alternatives(const char *text)
{
    int depth = 0;
    for (; *text != '\0' && depth >= 0; text++) {
        depth += *text == '[' || *text == '{' ? 1 : *text == ']' || *text == '}' ? -1 : 0;
        if (*text == '|' && depth == 0) {
            return true;
        }
    }
    return false;
}

/* Up to the bracket that closes it, or to the end; there. */
const char *crank_schema_shape(crank_json *j, const char *key, const char *text)
{
    if (!has_alternatives(text)) {
        return write_alternative(j, key, text);
    }
    crank_json_open(j, key, '{');
    crank_json_open(j, "anyOf", '[');
    text = write_alternative(j, NULL, text);
    while (*text == '|') {
        text = write_alternative(j, NULL, text + 1);
    }
    crank_json_close(j);
    crank_json_close(j);
    return text;
}
