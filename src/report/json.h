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
    CRANK_JSON_KEY,    /* of a member; text without quotes and escapes */
    CRANK_JSON_STRING, /* a value; text likewise */
    CRANK_JSON_PLAIN   /* a number, true, false or null as it stands */
} crank_json_event;

/* text is valid only during the call. */
typedef void crank_json_fn(void *user, crank_json_event event, const char *text);

/* Reads text as one JSON object (RFC 8259, nested 64 deep at most). ESYNTAX with the place
 * (bytes from 1) if it is none; also for strings with the character 0. visit may be NULL. */
crank_status crank_json_read(const char *text, crank_json_fn *visit, void *user,
                             crank_error *err);

/* A value of a text that was read whole. Members and elements are in their order. */
typedef struct crank_json_value {
    const char *key;                             /* of a member of an object; NULL in arrays */
    const char *text;                            /* of a string; NULL: none */
    double number;                               /* NaN: no number; true is 1, false 0 */
    int count;                                   /* of what is inside an object or array */
    const struct crank_json_value *first, *next; /* inside it; beside it */
} crank_json_value;

/* The text as a tree; free with crank_json_tree_free. */
typedef struct crank_json_tree {
    crank_json_value *values; /* the first is the outermost */
    int count;
    char *texts;
} crank_json_tree;

crank_status crank_json_tree_read(const char *text, crank_json_tree *out, crank_error *err);
void crank_json_tree_free(crank_json_tree *tree);
/* The member of an object; NULL: none (also if the object is NULL). */
const crank_json_value *crank_json_get(const crank_json_value *object, const char *key);
/* A member as a number, or the other one; as a text, or NULL; the count of a list, or 0. */
double crank_json_number(const crank_json_value *object, const char *key, double other);
const char *crank_json_text(const crank_json_value *object, const char *key);
int crank_json_count(const crank_json_value *object, const char *key);
/* The elements of a list of numbers into out, as far as there are any; what is missing
 * stays. */
void crank_json_vector(const crank_json_value *list, int count, double *out);

/* Pieces of base/json.h into a FILE. */
void crank_json_put_file(void *file, const char *piece);
/* Writes text as character data of HTML; controls and what is not UTF-8 become the replacement
 * character. */
void crank_html_text(FILE *file, const char *text);

#endif
