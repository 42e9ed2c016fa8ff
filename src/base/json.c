/* json.c - see json.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.h"

#include "base/number.h"
#include "base/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void put_escaped(crank_json *j, const char *text, crank_json_place place)
{
    char piece[256];
    while (*text != '\0') {
        crank_json_escape(&text, place, piece, sizeof piece);
        j->put(j->to, piece);
    }
}

static void put_string(crank_json *j, const char *text)
{
    j->put(j->to, "\"");
    put_escaped(j, text, CRANK_JSON_IN_STRING);
    j->put(j->to, "\"");
}

static void new_line(crank_json *j)
{
    j->put(j->to, "\n");
    for (int i = 0; i < j->indent * j->depth; i++) {
        j->put(j->to, " ");
    }
}

/* comma, line and key before a value */
static void begin(crank_json *j, const char *key)
{
    const bool line = j->depth > 0 && j->depth <= j->lines;
    if (j->filled[j->depth]) {
        j->put(j->to, line || j->tight ? "," : ", ");
    }
    j->filled[j->depth] = true;
    if (line) {
        new_line(j);
    }
    if (key != NULL) {
        put_string(j, key);
        j->put(j->to, j->tight ? ":" : ": ");
    }
}

void crank_json_open(crank_json *j, const char *key, char bracket)
{
    assert(j->depth < CRANK_JSON_DEEPEST && (bracket == '{' || bracket == '['));
    begin(j, key);
    j->put(j->to, bracket == '{' ? "{" : "[");
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
    j->put(j->to, j->closing[j->depth] == '}' ? "}" : "]");
}

void crank_json_string(crank_json *j, const char *key, const char *text)
{
    begin(j, key);
    if (text == NULL) {
        j->put(j->to, "null");
    } else {
        put_string(j, text);
    }
}

void crank_json_real(crank_json *j, const char *key, double value)
{
    char text[CRANK_NUMBER_TEXT];
    begin(j, key);
    /* adding zero turns -0 into 0 */
    j->put(j->to, isfinite(value)
                      ? crank_number_print(text, sizeof text, value + 0.0, j->digits)
                      : "null");
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
    j->put(j->to, text);
}

void crank_json_bool(crank_json *j, const char *key, bool value)
{
    begin(j, key);
    j->put(j->to, value ? "true" : "false");
}

void crank_json_null(crank_json *j, const char *key)
{
    begin(j, key);
    j->put(j->to, "null");
}

void crank_json_copy(crank_json *j, const char *key, const char *text)
{
    begin(j, key);
    put_escaped(j, text, CRANK_JSON_ANYWHERE);
}
