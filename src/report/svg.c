/* svg.c - see svg.h.
 *
 * Thinning, of curves with thousands of points: consecutive points that fall into the same
 * half-pixel column are replaced by the first, the lowest, the highest and the last of them, in
 * their order. The picture stays the same, its size is bounded by its width and the number of
 * times the curve crosses it, not by the number of rows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/svg.h"

#include <math.h>
#include <string.h>

enum { THINNED_FROM = 4000 }; /* points: below, the path is short enough as it is */

/* Bytes of the UTF-8 character at c that may stand in XML 1.0, 0 if there is none. */
static int character_length(const unsigned char *c)
{
    if (c[0] < 0x80) {
        return c[0] >= 0x20 && c[0] != 0x7f ? 1 : 0;
    }
    const int length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    const bool outside = (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90);
    const bool noncharacter = c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
    return overlong || outside || noncharacter ? 0 : length;
}

void crank_svg_text(crank_sink *sink, const char *text)
{
    while (*text != '\0') {
        const int length = character_length((const unsigned char *)text);
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
                crank_sink_print(sink, "\xef\xbf\xbd");
            } else {
                crank_sink_print(sink, "%.*s", length, text);
            }
            break;
        }
        text += length == 0 ? 1 : length;
    }
}

int crank_svg_text_length(const char *text)
{
    int count = 0;

    for (const char *c = text; *c != '\0'; c++) {
        count += ((unsigned char)*c & 0xc0) != 0x80 ? 1 : 0;
    }
    return count;
}

typedef struct point {
    double x, y; /* pixels */
} point;

/* Points of one half-pixel column, each with its number so that they come out in order. */
typedef struct column {
    int count;
    double index;
    int number[4]; /* first, lowest, highest, last */
    point at[4];
} column;

typedef struct pen {
    crank_sink *sink;
    int drawn; /* points since the last gap */
} pen;

static void draw(pen *p, point at)
{
    crank_sink_print(p->sink, "%s%.2f %.2f",
                     p->drawn == 0   ? "M"
                     : p->drawn == 1 ? "L"
                                     : " ",
                     at.x, at.y);
    p->drawn++;
    if (p->drawn % 16 == 0) {
        crank_sink_print(p->sink, "\n");
    }
}

static void draw_column(pen *p, column *c)
{
    int last = -1;

    while (c->count > 0) {
        int next = -1;
        for (int i = 0; i < 4; i++) {
            if (c->number[i] > last && (next < 0 || c->number[i] < c->number[next])) {
                next = i;
            }
        }
        if (next < 0) {
            break;
        }
        draw(p, c->at[next]);
        last = c->number[next];
    }
    c->count = 0;
}

static void add(column *c, point at, int number)
{
    const bool replace[4] = {
        c->count == 0,
        c->count == 0 || at.y > c->at[1].y,
        c->count == 0 || at.y < c->at[2].y,
        true,
    };

    for (int i = 0; i < 4; i++) {
        if (replace[i]) {
            c->at[i] = at;
            c->number[i] = number;
        }
    }
    c->count++;
}

static void end_segment(pen *p, column *c)
{
    draw_column(p, c);
    if (p->drawn == 1) {
        crank_sink_print(p->sink, "h0"); /* a lone point: a dot with round line ends */
    }
    p->drawn = 0;
}

void crank_svg_path(crank_sink *sink, const crank_frame *frame, const crank_curve *curve)
{
    pen p = {.sink = sink};
    column c = {0};

    for (int i = 0; i < curve->count; i++) {
        if (!crank_axis_admits(frame->x.log, curve->x[i]) ||
            !crank_axis_admits(frame->y.log, curve->y[i])) {
            end_segment(&p, &c);
            continue;
        }
        const point at = {
            frame->left + frame->width * crank_axis_place(&frame->x, curve->x[i]),
            frame->top + frame->height * (1.0 - crank_axis_place(&frame->y, curve->y[i])),
        };
        const double index = floor(2.0 * at.x);
        if (c.count > 0 && (index != c.index || curve->count < THINNED_FROM)) {
            draw_column(&p, &c);
        }
        c.index = index;
        add(&c, at, i);
    }
    end_segment(&p, &c);
}
