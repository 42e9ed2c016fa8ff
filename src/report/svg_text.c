/* svg_text.c - text in SVG: escaped, measured, shortened. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/svg.h"

#include "base/utf8.h"

#include <string.h>

/* Bytes of the UTF-8 character at text that may stand in XML 1.0, 0 if there is none. */
static int character_length(const char *text)
{
    uint32_t code;
    const int length = crank_utf8_read(text, &code);
    return code < 0x20 || code == 0x7f || code == 0xfffe || code == 0xffff ? 0 : length;
}

static void print_text(crank_sink *sink, const char *text, size_t size)
{
    const char *end = text + size;

    while (text < end) {
        const int length = character_length(text);
        switch (*text) {
        case '&':
            crank_sink_print(sink, "&amp;");
            break;
        case '<':
            crank_sink_print(sink, "&lt;");
            break;
        case '>':
            crank_sink_print(sink, "&gt;");
            break;
        default:
            if (length == 0) {
                crank_sink_print(sink, CRANK_UTF8_REPLACEMENT);
            } else {
                crank_sink_print(sink, "%.*s", length, text);
            }
            break;
        }
        text += length == 0 ? 1 : length;
    }
}

void crank_svg_text(crank_sink *sink, const char *text)
{
    print_text(sink, text, strlen(text));
}

void crank_svg_label(crank_sink *sink, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '^') {
            const size_t length = 1 + strspn(c + 2, "0123456789"); /* a sign or a digit first */
            crank_sink_print(sink, "<tspan dy=\"-0.45em\" font-size=\"0.72em\">%s%.*s</tspan>",
                             c[1] == '-' ? "\xe2\x88\x92" : "",
                             (int)(c[1] == '-' ? length - 1 : length),
                             c + (c[1] == '-' ? 2 : 1));
            c += length;
            if (c[1] != '\0') { /* back to the line */
                crank_sink_print(sink, "<tspan dy=\"0.324em\"> </tspan>");
            }
        } else if (*c == '-') {
            crank_sink_print(sink, "\xe2\x88\x92");
        } else {
            crank_sink_print(sink, "%c", *c);
        }
    }
}

/* Width of a character in units of the font's size; bytes inside a UTF-8 character have
 * none. */
static double character_width(unsigned char c)
{
    if ((c & 0xc0) == 0x80) {
        return 0.0;
    }
    if (strchr("iljtfrI.,:;'|!()[]/ -", c) != NULL && c != '\0') {
        return 0.38;
    }
    if (strchr("mwMW@%", c) != NULL && c != '\0') {
        return 0.95;
    }
    return c >= 'A' && c <= 'Z' ? 0.71 : c >= 0xe0 ? 1.0 : 0.63;
}

double crank_svg_label_width(const char *text, double font)
{
    double width = crank_svg_text_width(text, font);

    for (const char *c = strchr(text, '-'); c != NULL; c = strchr(c + 1, '-')) {
        width += 0.46 * font; /* a minus sign is wider */
    }
    return width;
}

double crank_svg_text_width(const char *text, double font)
{
    double width = 0.0;

    for (const char *c = text; *c != '\0'; c++) {
        width += character_width((unsigned char)*c);
    }
    return font * width;
}

void crank_svg_text_within(crank_sink *sink, const char *text, double font, double width)
{
    const size_t length = strlen(text);
    size_t head = 0, tail = length;

    if (crank_svg_text_width(text, font) <= width) {
        print_text(sink, text, length);
        return;
    }
    const double half = 0.5 * (width / font - 1.0); /* the ellipsis is one wide */
    double used = 0.0;
    while (head < length && used + character_width((unsigned char)text[head]) <= half) {
        used += character_width((unsigned char)text[head++]);
    }
    while (head > 0 && ((unsigned char)text[head] & 0xc0) == 0x80) {
        head--;
    }
    used = 0.0;
    while (tail > head && used + character_width((unsigned char)text[tail - 1]) <= half) {
        used += character_width((unsigned char)text[--tail]);
    }
    while (tail < length && ((unsigned char)text[tail] & 0xc0) == 0x80) {
        tail++;
    }
    print_text(sink, text, head);
    crank_sink_print(sink, "\xe2\x80\xa6");
    print_text(sink, text + tail, length - tail);
}
