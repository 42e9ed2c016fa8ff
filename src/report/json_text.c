/* json_text.c - texts of JSON and HTML into files. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/utf8.h"
#include "report/json.h"

void crank_json_put_file(void *file, const char *piece)
{
    (void)fputs(piece, file);
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
