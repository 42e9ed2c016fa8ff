/* frame.c - the axes of a panel: grid, ticks, labels. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/layout.h"

#include <math.h>

static double at_x(const crank_frame *frame, double value)
{
    return frame->left + frame->width * crank_axis_place(&frame->x, value);
}

static double at_y(const crank_frame *frame, double value)
{
    return frame->top + frame->height * (1.0 - crank_axis_place(&frame->y, value));
}

/* Lines at 2 to 9 times powers of ten, or at powers of ten between labelled ones, where there
 * is room for them. Appends to a path: upright for the horizontal axis. */
static void print_minor(crank_sink *sink, const crank_frame *frame, bool upright)
{
    const crank_axis *axis = upright ? &frame->x : &frame->y;
    const double decades = axis->high - axis->low;
    const double room = (upright ? frame->width : frame->height) / decades;

    if (!axis->log || room < 7.0) {
        return;
    }
    for (int k = (int)floor(axis->low); k <= (int)ceil(axis->high); k++) {
        for (int m = 1; m <= (room < 30.0 ? 1 : 9); m++) {
            const double place = k + log10(m), value = pow(10.0, place);
            if (place < axis->low || place > axis->high) {
                continue;
            }
            if (upright) {
                crank_sink_print(sink, "M%.2f %.2fv%.2f", at_x(frame, value), frame->top,
                                 frame->height);
            } else {
                crank_sink_print(sink, "M%.2f %.2fh%.2f", frame->left, at_y(frame, value),
                                 frame->width);
            }
        }
    }
}

static void print_grid(crank_sink *sink, const crank_frame *frame)
{
    if (frame->x.log || frame->y.log) {
        crank_sink_print(sink, "<path class=\"minor\" d=\"M0 0");
        print_minor(sink, frame, true);
        print_minor(sink, frame, false);
        crank_sink_print(sink, "\"/>\n");
    }
    crank_sink_print(sink, "<path class=\"grid\" d=\"M0 0");
    for (int i = 0; i < frame->x.tick_count; i++) {
        crank_sink_print(sink, "M%.2f %.2fv%.2f", at_x(frame, frame->x.tick[i]), frame->top,
                         frame->height);
    }
    for (int i = 0; i < frame->y.tick_count; i++) {
        crank_sink_print(sink, "M%.2f %.2fh%.2f", frame->left, at_y(frame, frame->y.tick[i]),
                         frame->width);
    }
    crank_sink_print(sink, "\"/>\n");
}

static void print_tick(crank_sink *sink, double x, double y, const char *anchor,
                       const char *label)
{
    crank_sink_print(sink, "<text class=\"ink\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\">", x,
                     y, anchor);
    crank_svg_label(sink, label);
    crank_sink_print(sink, "</text>\n");
}

void crank_frame_print(crank_sink *sink, const crank_frame *frame, bool last)
{
    const double bottom = frame->top + frame->height;
    char text[CRANK_AXIS_TEXT];

    print_grid(sink, frame);
    for (int i = 0; i < frame->x.tick_count && last; i++) {
        print_tick(sink, at_x(frame, frame->x.tick[i]), bottom + 18.0, "middle",
                   crank_axis_label(&frame->x, i, text));
    }
    for (int i = 0; i < frame->y.tick_count; i++) {
        print_tick(sink, frame->left - 7.0, at_y(frame, frame->y.tick[i]) + 4.5, "end",
                   crank_axis_label(&frame->y, i, text));
    }
    if (frame->y.zero_share > 0.0) { /* a strip for zeros, apart from the logarithmic part */
        const double strip = frame->height * frame->y.zero_share;
        print_tick(sink, frame->left - 7.0, at_y(frame, 0.0) + 4.5, "end", "0");
        crank_sink_print(sink,
                         "<rect class=\"strip grid\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                         "height=\"%.2f\"/>\n",
                         frame->left, bottom - strip, frame->width, strip);
    }
    if (last && crank_axis_scale(&frame->x, text)[0] != '\0') {
        print_tick(sink, frame->left + frame->width, bottom + 40.0, "end", text);
    }
    crank_sink_print(sink,
                     "<rect class=\"frame\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                     "height=\"%.2f\" fill=\"none\"/>\n",
                     frame->left, frame->top, frame->width, frame->height);
}
