/* json_text.c - texts as JSON and HTML. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/json.h"

static void put(FILE *file, const char *text, crank_json_place place)
{
    char piece[256];

    while (*text != '\0') {
        crank_json_escape(&text, place, piece, sizeof piece);
        (void)fputs(piece, file);
    }
}

void crank_json_text(FILE *file, const char *text)
{
    (void)fputc('"', file);
    put(file, text, CRANK_JSON_IN_STRING);
    (void)fputc('"', file);
}

void crank_json_copy(FILE *file, const char *text)
{
    put(file, text, CRANK_JSON_ANYWHERE);
}

void crank_html_text(FILE *file, const char *text)
{
    while (*text != '\0') {
        uint32_t code;
        const int length = crank_utf8_read(text, &code);
        if (length == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0)) {
            (void)fputs(CRANK_UTF8_REPLACEMENT, file);
        } else if (code == '<' || code == '>' || code == '&') {
            (void)fputs(code == '<' ? "&lt;" : code == '>' ? "&gt;" : "&amp;", file);
        } else {
            (void)fwrite(text, 1, (size_t)length, file);
        }
        text += length == 0 ? 1 : length;
    }
}
