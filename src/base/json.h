/* json.h - writes JSON: escapes, numbers, commas and nesting in one place, into whatever takes
 * pieces of text. Texts are escaped so that they cannot end an element of HTML (utf8.h).
 *
 *     crank_json j = {.put = put, .to = file};
 *     crank_json_open(&j, NULL, '{');
 *     crank_json_string(&j, "title", title);
 *     crank_json_reals(&j, "center", 3, center);
 *     crank_json_close(&j);      {"title": "...", "center": [0, 0, 1]} */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BASE_JSON_H
#define CRANK_SRC_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

enum { CRANK_JSON_DEEPEST = 16 };

/* Takes a piece of text, in order; remembers failures by itself. The last piece comes when the
 * outermost value ends. */
typedef void crank_json_put_fn(void *to, const char *piece);

typedef struct crank_json {
    crank_json_put_fn *put;
    void *to;
    int digits; /* significant ones of reals; 0: as few as read back the same */
    bool tight; /* no blanks behind commas and colons */
    int lines;  /* what is nested up to this deep gets a line for each member */
    int indent; /* of these lines, blanks for each depth */
    int depth;
    char closing[CRANK_JSON_DEEPEST];
    bool filled[CRANK_JSON_DEEPEST + 1]; /* has a member */
    int used;
    char piece[512]; /* not handed on yet */
} crank_json;

/* key: of a member of an object, NULL in arrays and for the outermost value. */
void crank_json_open(crank_json *j, const char *key, char bracket); /* { or [ */
void crank_json_close(crank_json *j);
void crank_json_string(crank_json *j, const char *key, const char *text); /* NULL: null */
void crank_json_real(crank_json *j, const char *key, double value); /* null if not finite */
void crank_json_reals(crank_json *j, const char *key, int count, const double *values);
void crank_json_int(crank_json *j, const char *key, int64_t value);
void crank_json_bool(crank_json *j, const char *key, bool value);
void crank_json_null(crank_json *j, const char *key);
/* text that is JSON itself; its markup is escaped. */
void crank_json_copy(crank_json *j, const char *key, const char *text);

#endif
