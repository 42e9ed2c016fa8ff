/* svg_path.c - curves as SVG paths.
 *
 * Points of a line are left out where a straight piece passes them within 0.03 pixels: from the
 * start of the piece each point allows the directions that pass it so near, and the piece goes
 * on as long as the next point lies in a direction that all points allow.
 *
 * Curves with thousands of points are thinned before. Of a line, consecutive points that fall
 * into the same half-pixel column are replaced by the first, the lowest, the highest and the
 * last of them, in their order, and a piece is left out where every pixel that it passes has
 * been drawn before, as in orbits passed again and again. Of points, one is drawn in each
 * square of 1.5 pixels. The picture stays the same; its size is bounded by its area, not by the
 * number of rows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THINNED_FROM = 4000 }; /* points: below, the path is short enough as it is */

static const double farthest = 1e6;  /* pixels: beyond, renderers lose their precision */
static const double nearness = 0.03; /* pixels between a point and the piece that passes it */

/* Points of one half-pixel column, each with its number so that they come out in order. */
typedef struct column {
    int count;
    double index;
    int number[4]; /* first, lowest, highest, last */
    crank_point at[4];
} column;

/* The cells of one or more pixels that have been drawn, a bit each. Outside of the frame
 * nothing is seen. */
typedef struct ink {
    unsigned char *bits; /* NULL: not kept */
    double left, top, cell;
    int width, height;
} ink;

typedef struct pen {
    crank_sink *sink;
    ink seen;
    int drawn;   /* points since the last gap */
    bool lifted; /* the piece up to last is not drawn */
    crank_point last;
    /* the straight piece from start to end that is not drawn yet */
    bool started, open, bounded; /* there is a start; an end; points that bound its direction */
    crank_point start, end;
    double direction, low, high; /* angle of the first such point; bounds relative to it */
    double reach;                /* distance of end */
} pen;

static void ink_open(ink *seen, const crank_frame *frame, double cell)
{
    *seen = (ink){.left = frame->left, .top = frame->top, .cell = cell};
    seen->width = (int)(frame->width / cell) + 1;
    seen->height = (int)(frame->height / cell) + 1;
    seen->bits = calloc(((size_t)seen->width * (size_t)seen->height + 7) / 8, 1);
}

/* Marks the cell; true: there was something to mark. */
static bool ink_mark(ink *seen, crank_point at)
{
    const double across = floor((at.x - seen->left) / seen->cell);
    const double down = floor((at.y - seen->top) / seen->cell);

    if (!(across >= 0.0 && across < seen->width && down >= 0.0 && down < seen->height)) {
        return false;
    }
    const size_t cell = (size_t)down * (size_t)seen->width + (size_t)across;
    const unsigned char bit = (unsigned char)(1u << (cell % 8));
    const bool fresh = (seen->bits[cell / 8] & bit) == 0;
    seen->bits[cell / 8] |= bit;
    return fresh;
}

/* Marks the pixels of a piece; true: something of it has not been drawn before. */
static bool ink_line(ink *seen, crank_point from, crank_point to)
{
    const double length = fmax(fabs(to.x - from.x), fabs(to.y - from.y));
    bool fresh = length > 4000.0; /* not worth to look */

    for (int i = 0; i <= 2.0 * length && length <= 4000.0; i++) {
        const double share = length > 0.0 ? 0.5 * i / length : 0.0;
        const crank_point at = {from.x + share * (to.x - from.x),
                                from.y + share * (to.y - from.y)};
        fresh = ink_mark(seen, at) || fresh;
    }
    return fresh;
}

static void put(pen *p, crank_point at)
{
    const int decimals = p->seen.bits != NULL ? 1 : 2;

    crank_sink_print(p->sink, "%s%.*f %.*f",
                     p->drawn == 0   ? "M"
                     : p->drawn == 1 ? "L"
                                     : " ",
                     decimals, at.x, decimals, at.y);
    p->drawn++;
    if (p->drawn % 16 == 0) {
        crank_sink_print(p->sink, "\n");
    }
}

static void stroke(pen *p, crank_point at)
{
    if (p->seen.bits != NULL && p->drawn > 0 && !ink_line(&p->seen, p->last, at)) {
        p->lifted = true;
    } else {
        if (p->lifted) {
            p->drawn = 0;
            put(p, p->last);
        }
        p->lifted = false;
        put(p, at);
    }
    p->last = at;
}

static void end_piece(pen *p)
{
    if (p->open) {
        stroke(p, p->end);
        p->start = p->end;
    }
    p->open = false;
    p->bounded = false;
    p->reach = 0.0;
}

static void draw(pen *p, crank_point at)
{
    const double full_turn = 6.283185307179586;

    if (!p->started) {
        stroke(p, at);
        p->start = at;
        p->started = true;
        return;
    }
    double distance = hypot(at.x - p->start.x, at.y - p->start.y);
    double angle =
        remainder(atan2(at.y - p->start.y, at.x - p->start.x) - p->direction, full_turn);
    if (distance < p->reach || (p->bounded && !(angle >= p->low && angle <= p->high))) {
        end_piece(p);
        distance = hypot(at.x - p->start.x, at.y - p->start.y);
    }
    if (distance > nearness) {
        const double half = asin(nearness / distance);
        if (!p->bounded) {
            p->direction = atan2(at.y - p->start.y, at.x - p->start.x);
            angle = 0.0;
        }
        p->low = p->bounded ? fmax(p->low, angle - half) : -half;
        p->high = p->bounded ? fmin(p->high, angle + half) : half;
        p->bounded = true;
    }
    p->reach = distance;
    p->end = at;
    p->open = true;
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

static void add(column *c, crank_point at, int number)
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
    end_piece(p);
    p->started = false;
    if (p->drawn == 1) {
        crank_sink_print(p->sink,
                         "h0.01"); /* a lone point: a dot with round line ends, dashed or not */
    }
    p->drawn = 0;
    p->lifted = false;
}

static double bounded(double x)
{
    return x < -farthest ? -farthest : x > farthest ? farthest : x;
}

bool crank_svg_place(const crank_frame *frame, const crank_curve *curve, int i, crank_point *at)
{
    if (!crank_axis_admits(&frame->x, curve->x[i]) ||
        !crank_axis_admits(&frame->y, curve->y[i])) {
        return false;
    }
    at->x = bounded(frame->left + frame->width * crank_axis_place(&frame->x, curve->x[i]));
    at->y =
        bounded(frame->top + frame->height * (1.0 - crank_axis_place(&frame->y, curve->y[i])));
    return true;
}

void crank_svg_path(crank_sink *sink, const crank_frame *frame, const crank_curve *curve)
{
    pen p = {.sink = sink};
    column c = {0};
    const bool thinned = curve->count >= THINNED_FROM;

    if (thinned) {
        ink_open(&p.seen, frame, 1.0);
    }
    for (int i = 0; i < curve->count; i++) {
        crank_point at;
        if (!crank_svg_place(frame, curve, i, &at)) {
            end_segment(&p, &c);
            continue;
        }
        if (frame->y.log &&
            curve->y[i] == 0.0) { /* a dot in the strip of zeros, not a fall to it */
            end_segment(&p, &c);
            if (!thinned || p.seen.bits == NULL || ink_mark(&p.seen, at)) {
                put(&p, at);
                end_segment(&p, &c);
            }
            continue;
        }
        const double index = floor(2.0 * at.x);
        if (c.count > 0 && (index != c.index || !thinned)) {
            draw_column(&p, &c);
        }
        c.index = index;
        add(&c, at, i);
    }
    end_segment(&p, &c);
    free(p.seen.bits);
}

void crank_svg_points(crank_sink *sink, const crank_frame *frame, const crank_curve *curve,
                      const char *shape)
{
    ink seen = {0};
    int drawn = 0;
    const int decimals = curve->count >= THINNED_FROM ? 1 : 2;

    if (curve->count >= THINNED_FROM) {
        ink_open(&seen, frame, 1.5);
    }
    for (int i = 0; i < curve->count; i++) {
        crank_point at;
        if (!crank_svg_place(frame, curve, i, &at) ||
            (seen.bits != NULL && !ink_mark(&seen, at))) {
            continue;
        }
        crank_sink_print(sink, "M%.*f %.*f%s%s", decimals, at.x, decimals, at.y, shape,
                         ++drawn % 8 == 0 ? "\n" : "");
    }
    free(seen.bits);
}
