/* json.h - JSON inside a page: a strict reader for what comes from elsewhere, and what writing
 * into files needs (base/json.h writes). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_REPORT_JSON_H
#define CRANK_SRC_REPORT_JSON_H

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

/* Reads text as one JSON object (RFC 8259, nested 64 deep at most). ESYNTAX with the place
 * (bytes from 1) if it is none; also for strings with the character 0. visit may be NULL. */
crank_status crank_json_read(const char *text, crank_json_fn *visit, void *user,
                             crank_error *err);
/* Pieces of base/json.h into a FILE. */
void crank_json_put_file(void *file, const char *piece);
/* Writes text as character data of HTML; controls and what is not UTF-8 become the replacement
 * character. */
void crank_html_text(FILE *file, const char *text);

#endif
