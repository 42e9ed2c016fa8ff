/* utf8.h - characters of UTF-8, and texts inside JSON. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_UTF8_H
#define CRANK_SRC_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CRANK_UTF8_REPLACEMENT "\xef\xbf\xbd"

/* Bytes of the character at text, 0 if there is none; the character in *code. */
int crank_utf8_read(const char *text, uint32_t *code);
/* Writes the character to at least 4 bytes; the number written. */
int crank_utf8_write(uint32_t code, char *out);

/* What may stand where: inside the quotes of a string, or anywhere in JSON. */
typedef enum crank_json_place { CRANK_JSON_IN_STRING, CRANK_JSON_ANYWHERE } crank_json_place;

/* A piece of *text for JSON inside HTML: fills out (size bytes, at least 8) as far as it goes,
 * ends it by a zero and moves *text behind what was taken. Markup, controls, U+2028 and U+2029
 * become \u...., quotes and backslashes of a string are escaped; what is not UTF-8 becomes the
 * replacement character. */
void crank_json_escape(const char **text, crank_json_place place, char *out, size_t size);

#endif
