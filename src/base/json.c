/* json.c - see json.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.h"

#include "base/number.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void flush(crank_json *j)
{
    j->piece[j->used] = '\0';
    if (j->used > 0) {
        j->put(j->to, j->piece);
    }
    j->used = 0;
}

/* length: less than a piece */
static void add(crank_json *j, const char *text, size_t length)
{
    if ((size_t)j->used + length >= sizeof j->piece) {
        flush(j);
    }
    memcpy(j->piece + j->used, text, length);
    j->used += (int)length;
}

static void add_text(crank_json *j, const char *text)
{
    add(j, text, strlen(text));
}

static void add_escaped(crank_json *j, const char *text, crank_json_place place)
{
    char piece[256];
    while (*text != '\0') {
        crank_json_escape(&text, place, piece, sizeof piece);
        add_text(j, piece);
    }
}

static void add_string(crank_json *j, const char *text)
{
    add(j, "\"", 1);
    add_escaped(j, text, CRANK_JSON_IN_STRING);
    add(j, "\"", 1);
}

static void new_line(crank_json *j)
{
    add(j, "\n", 1);
    for (int i = 0; i < j->indent * j->depth; i++) {
        add(j, " ", 1);
    }
}

/* after a value */
static void end(crank_json *j)
{
    if (j->depth == 0) {
        flush(j);
    }
}

/* comma, line and key before a value */
static void begin(crank_json *j, const char *key)
{
    const bool line = j->depth > 0 && j->depth <= j->lines;
    if (j->filled[j->depth]) {
        add_text(j, line || j->tight ? "," : ", ");
    }
    j->filled[j->depth] = true;
    if (line) {
        new_line(j);
    }
    if (key != NULL) {
        add_string(j, key);
        add_text(j, j->tight ? ":" : ": ");
    }
}

void crank_json_open(crank_json *j, const char *key, char bracket)
{
    assert(j->depth < CRANK_JSON_DEEPEST && (bracket == '{' || bracket == '['));
    begin(j, key);
    add_text(j, bracket == '{' ? "{" : "[");
    j->closing[j->depth++] = bracket == '{' ? '}' : ']';
    j->filled[j->depth] = false;
}

void crank_json_close(crank_json *j)
{
    assert(j->depth > 0);
    const bool line = j->depth <= j->lines && j->filled[j->depth];
    j->depth--;
    if (line) {
        new_line(j);
    }
    add_text(j, j->closing[j->depth] == '}' ? "}" : "]");
    end(j);
}

void crank_json_string(crank_json *j, const char *key, const char *text)
{
    begin(j, key);
    if (text == NULL) {
        add_text(j, "null");
    } else {
        add_string(j, text);
    }
    end(j);
}

void crank_json_real(crank_json *j, const char *key, double value)
{
    char text[CRANK_NUMBER_TEXT];
    begin(j, key);
    /* adding zero turns -0 into 0 */
    add_text(j, isfinite(value) ? crank_number_print(text, sizeof text, value + 0.0, j->digits)
                                : "null");
    end(j);
}

void crank_json_reals(crank_json *j, const char *key, int count, const double *values)
{
    crank_json_open(j, key, '[');
    for (int i = 0; i < count; i++) {
        crank_json_real(j, NULL, values[i]);
    }
    crank_json_close(j);
}

void crank_json_int(crank_json *j, const char *key, int64_t value)
{
    char text[CRANK_NUMBER_TEXT];
    begin(j, key);
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    add_text(j, text);
    end(j);
}

void crank_json_bool(crank_json *j, const char *key, bool value)
{
    begin(j, key);
    add_text(j, value ? "true" : "false");
    end(j);
}

void crank_json_null(crank_json *j, const char *key)
{
    begin(j, key);
    add_text(j, "null");
    end(j);
}

void crank_json_copy(crank_json *j, const char *key, const char *text)
{
    begin(j, key);
    add_escaped(j, text, CRANK_JSON_ANYWHERE);
    end(j);
}
