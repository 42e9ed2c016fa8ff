/* json.h - JSON inside a page: texts that cannot end the element they stand in, and a strict reader for what comes
 * from elsewhere. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_JSON_H
#define CRANK_SRC_JSON_H

#include <crank/base.h>

#include <stdio.h>

typedef enum crank_json_event {
    CRANK_JSON_OPEN, /* of an object or array; no text */
    CRANK_JSON_CLOSE,
    CRANK_JSON_KEY,   /* of a member; text without quotes and escapes */
    CRANK_JSON_STRING /* a value; text likewise */
} crank_json_event;

/* text is valid only during the call. */
typedef void crank_json_fn(void *user, crank_json_event event, const char *text);

/* Reads text as one JSON object (RFC 8259, nested 64 deep at most). ESYNTAX with the place (bytes from 1) if it is
 * none; also for strings with the character 0. visit may be NULL. */
crank_status crank_json_read(const char *text, crank_json_fn *visit, void *user,
                             crank_error *err);
/* Writes text in quotes. Markup, controls and U+2028, U+2029 are written as \u....; what is not UTF-8 becomes the
 * replacement character. */
void crank_json_text(FILE *file, const char *text);
/* Writes what crank_json_read accepts, with the same characters in its strings escaped. */
void crank_json_copy(FILE *file, const char *text);
/* The same as character data of HTML. */
void crank_html_text(FILE *file, const char *text);
/* Bytes of the UTF-8 character at text, 0 if there is none; the character in *code. */
int crank_utf8_read(const char *text, uint32_t *code);
/* Writes the character as UTF-8 to at least 4 bytes; the number written. */
int crank_utf8_write(uint32_t code, char *out);

#endif
