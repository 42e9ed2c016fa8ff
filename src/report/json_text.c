/* json_text.c - texts as JSON and HTML.
 *
 * Inside <script> a browser looks for nothing but "</script" and "<!--": without '<' in the data neither can occur. '>',
 * '&' and the line separators of JavaScript are escaped so that the data stay data wherever they are put. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/json.h"

static const char replacement[] = "\xef\xbf\xbd";

int crank_utf8_read(const char *text, uint32_t *code)
{
    const unsigned char *c = (const unsigned char *)text;

    *code = c[0];
    if (c[0] < 0x80) {
        return c[0] != 0 ? 1 : 0;
    }
    const int length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    static const uint32_t first_of_length[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (c[0] < 0xc2 || c[0] > 0xf4) {
        return 0;
    }
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

/* Writes the character at text and returns its bytes. escape: further characters written as \u. */
static int put(FILE *file, const char *text, bool escape_quotes)
{
    uint32_t code;
    const int length = crank_utf8_read(text, &code);

    if (length == 0) {
        (void)fputs(replacement, file);
        return 1;
    }
    if (escape_quotes && (code == '"' || code == '\\')) {
        (void)fprintf(file, "\\%c", (int)code);
    } else if (is_dangerous(code) || (escape_quotes && code < 0x20)) {
        (void)fprintf(file, "\\u%04x", (unsigned)code);
    } else {
        (void)fwrite(text, 1, (size_t)length, file);
    }
    return length;
}

void crank_json_text(FILE *file, const char *text)
{
    (void)fputc('"', file);
    while (*text != '\0') {
        text += put(file, text, true);
    }
    (void)fputc('"', file);
}

void crank_json_copy(FILE *file, const char *text)
{
    while (*text != '\0') {
        text += put(file, text, false);
    }
}

void crank_html_text(FILE *file, const char *text)
{
    while (*text != '\0') {
        uint32_t code;
        const int length = crank_utf8_read(text, &code);
        if (length == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0)) {
            (void)fputs(replacement, file);
        } else if (code == '<' || code == '>' || code == '&') {
            (void)fputs(code == '<' ? "&lt;" : code == '>' ? "&gt;" : "&amp;", file);
        } else {
            (void)fwrite(text, 1, (size_t)length, file);
        }
        text += length == 0 ? 1 : length;
    }
}
