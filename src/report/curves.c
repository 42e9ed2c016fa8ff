/* curves.c - what a panel shows: lines, points, and notes beside points where there is room. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/layout.h"

#include <math.h>

enum { NOTES = 60, NOTE_FONT = 11 }; /* number at most; pixels */

typedef struct box {
    double left, top, right, bottom; /* pixels */
} box;

typedef struct notes {
    int count;
    box taken[NOTES];
} notes;

static bool overlap(const box *a, const box *b)
{
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool is_free(const notes *n, const crank_frame *frame, const box *b)
{
    bool room = b->left > frame->left && b->right < frame->left + frame->width &&
                b->top > frame->top && b->bottom < frame->top + frame->height;

    for (int i = 0; i < n->count && room; i++) {
        room = !overlap(&n->taken[i], b);
    }
    return room;
}

/* Does a curve run through the box? Looks at a point every two pixels. */
static bool is_crossed(const crank_panel *panel, const crank_frame *frame, const box *b)
{
    for (int k = 0; k < panel->curve_count; k++) {
        crank_point from = {0}, to = {0};
        bool drawn = false;
        for (int i = 0; i < panel->curves[k].count; i++, from = to) {
            const bool next = crank_svg_place(frame, &panel->curves[k], i, &to);
            const double length =
                drawn && next ? fmin(4000.0, hypot(to.x - from.x, to.y - from.y)) : 0.0;
            for (int step = 0; 2.0 * step < length; step++) {
                const double share = 2.0 * step / length;
                const double x = from.x + share * (to.x - from.x);
                const double y = from.y + share * (to.y - from.y);
                if (x > b->left && x < b->right && y > b->top && y < b->bottom) {
                    return true;
                }
            }
            drawn = next;
        }
    }
    return false;
}

/* Beside the point: right above, right below, left above, left below, or, where lines run
 * through all of these, the first that is not taken. */
static void print_note(crank_sink *sink, const crank_panel *panel, const crank_frame *frame,
                       notes *n, crank_point at, const char *text)
{
    const double width = crank_svg_text_width(text, NOTE_FONT);

    for (int side = 0; side < 8 && n->count < NOTES; side++) {
        const double left = side % 4 < 2 ? at.x + 6.0 : at.x - 6.0 - width;
        const double line = side % 2 == 0 ? at.y - 5.0 : at.y + 13.0;
        const box b = {left - 2.0, line - NOTE_FONT, left + width + 2.0, line + 3.0};
        if (is_free(n, frame, &b) && (side >= 4 || !is_crossed(panel, frame, &b))) {
            n->taken[n->count++] = b;
            crank_sink_print(sink,
                             "<text class=\"ink note\" x=\"%.2f\" y=\"%.2f\" font-size=\"%d\">",
                             left, line, NOTE_FONT);
            crank_svg_text(sink, text);
            crank_sink_print(sink, "</text>\n");
            return;
        }
    }
}

static void print_notes(crank_sink *sink, const crank_panel *panel, const crank_frame *frame)
{
    notes n = {0};

    for (int k = 0; k < panel->curve_count; k++) {
        const crank_curve *curve = &panel->curves[k];
        for (int i = 0; i < curve->count && curve->notes != NULL; i++) {
            crank_point at;
            if (curve->notes[i] != NULL && crank_svg_place(frame, curve, i, &at)) {
                print_note(sink, panel, frame, &n, at, curve->notes[i]);
            }
        }
    }
}

static void print_curve(crank_sink *sink, const crank_panel *panel, const crank_frame *frame,
                        int k)
{
    const crank_look look = crank_curve_look(panel, k);

    if (look.line) {
        crank_sink_print(sink, "<path ");
        crank_look_stroke(sink, &look);
        crank_sink_print(sink, " d=\"");
        crank_svg_path(sink, frame, &panel->curves[k]);
        crank_sink_print(sink, "\"/>\n");
    }
    if (look.points) {
        crank_sink_print(sink, "<path ");
        crank_look_fill(sink, &look);
        crank_sink_print(sink, " d=\"");
        crank_svg_points(sink, frame, &panel->curves[k], crank_look_shape(&look));
        crank_sink_print(sink, "\"/>\n");
    }
}

static bool is_empty(const crank_panel *panel, const crank_frame *frame)
{
    crank_point at;

    for (int k = 0; k < panel->curve_count; k++) {
        for (int i = 0; i < panel->curves[k].count; i++) {
            if (crank_svg_place(frame, &panel->curves[k], i, &at)) {
                return false;
            }
        }
    }
    return true;
}

void crank_curves_print(crank_sink *sink, const crank_panel *panel, const crank_frame *frame)
{
    const double left = frame->left - 1.0, top = frame->top - 1.0;
    const double width = frame->width + 2.0, height = frame->height + 2.0;

    /* an inner svg element clips without an id, which two pictures on a page could share */
    crank_sink_print(sink,
                     "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                     "viewBox=\"%.2f %.2f %.2f %.2f\">\n",
                     left, top, width, height, left, top, width, height);
    for (int k = 0; k < panel->curve_count; k++) {
        print_curve(sink, panel, frame, k);
    }
    crank_sink_print(sink, "</svg>\n");
    print_notes(sink, panel, frame);
    if (is_empty(panel, frame)) {
        crank_sink_print(sink,
                         "<text class=\"ink\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">no "
                         "values to draw</text>\n",
                         frame->left + 0.5 * frame->width, frame->top + 0.5 * frame->height);
    }
}
