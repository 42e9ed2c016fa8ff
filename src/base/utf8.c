/* utf8.c - see utf8.h.
 *
 * Inside <script> a browser looks for nothing but "</script" and "<!--": without '<' in the
 * data neither can occur. '>', '&' and the line separators of JavaScript are escaped so that
 * the data stay data wherever they are put. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 7 }; /* \u.... and a zero */

int crank_utf8_read(const char *text, uint32_t *code)
{
    static const uint32_t first_of_length[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;

    *code = c[0];
    if (c[0] < 0x80) {
        return c[0] != 0 ? 1 : 0;
    }
    if (c[0] < 0xc2 || c[0] > 0xf4) {
        return 0;
    }
    const int length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    *code = c[0] & (0xffu >> (length + 1));
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (c[i] & 0x3fu);
    }
    const bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < first_of_length[length] || *code > 0x10ffff || surrogate ? 0 : length;
}

int crank_utf8_write(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    const int length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)((0xf00 >> length & 0xff) | code);
    return length;
}

static bool is_dangerous(uint32_t code)
{
    return code == '<' || code == '>' || code == '&' || code == 0x2028 || code == 0x2029 ||
           code == 0x7f;
}

void crank_json_escape(const char **text, crank_json_place place, char *out, size_t size)
{
    const bool string = place == CRANK_JSON_IN_STRING;
    size_t used = 0;

    while (**text != '\0' && size - used >= LONGEST) {
        uint32_t code;
        const int length = crank_utf8_read(*text, &code);
        int written = length;
        if (length == 0) {
            written = snprintf(out + used, LONGEST, CRANK_UTF8_REPLACEMENT);
        } else if (string && (code == '"' || code == '\\')) {
            written = snprintf(out + used, LONGEST, "\\%c", (int)code);
        } else if (is_dangerous(code) || (string && code < 0x20)) {
            written = snprintf(out + used, LONGEST, "\\u%04x", (unsigned)code);
        } else {
            memcpy(out + used, *text, (size_t)length);
        }
        used += (size_t)written;
        *text += length == 0 ? 1 : length;
    }
    out[used] = '\0';
}
