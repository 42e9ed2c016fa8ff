/* legend.c - the legend of a panel: entries in lines above its frame, so that it never hides a
 * curve. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/layout.h"

#include <math.h>
#include <string.h>

static const double sample_width = 33.0; /* of the piece of line before the text, pixels */
static const double space_between = 18.0;

/* Goes through the entries and finds their places. */
typedef struct walk {
    const crank_panel *panel;
    double width; /* there is */
    int k;        /* next curve */
    double x;     /* behind the last entry */
    int row;
    /* the entry */
    int curve;
    double left, text_width;
} walk;

static bool next_entry(walk *w)
{
    while (w->k < w->panel->curve_count && w->panel->curves[w->k].label == NULL) {
        w->k++;
    }
    if (w->k >= w->panel->curve_count) {
        return false;
    }
    w->curve = w->k++;
    w->text_width =
        fmin(crank_svg_text_width(w->panel->curves[w->curve].label, CRANK_PLOT_FONT),
             w->width - sample_width);
    if (w->x > 0.0 && w->x + sample_width + w->text_width > w->width) {
        w->x = 0.0;
        w->row++;
    }
    w->left = w->x;
    w->x += sample_width + w->text_width + space_between;
    return true;
}

static bool needed(const crank_panel *panel)
{
    const char *y_label = panel->y_label != NULL ? panel->y_label : "";
    int labelled = 0;
    const char *only = NULL;

    for (int k = 0; k < panel->curve_count; k++) {
        if (panel->curves[k].label != NULL) {
            only = panel->curves[k].label;
            labelled++;
        }
    }
    return labelled > 1 || (labelled == 1 && strcmp(only, y_label) != 0);
}

int crank_legend_rows(const crank_panel *panel, double width, double indent)
{
    walk w = {.panel = panel, .width = width, .x = indent};

    if (!needed(panel)) {
        return 0;
    }
    while (next_entry(&w)) {
    }
    return w.row + 1;
}

double crank_legend_indent(const crank_frame *frame)
{
    char text[CRANK_AXIS_TEXT];

    crank_axis_scale(&frame->y, text);
    return text[0] == '\0' ? 0.0 : crank_svg_label_width(text, CRANK_PLOT_FONT) + space_between;
}

void crank_legend_print(crank_sink *sink, const crank_panel *panel, const crank_frame *frame)
{
    const double indent = crank_legend_indent(frame);
    const int rows = crank_legend_rows(panel, frame->width, indent);
    const double first =
        frame->top - 13.0 - CRANK_PLOT_LINE * (double)(rows > 1 ? rows - 1 : 0);
    walk w = {.panel = panel, .width = frame->width, .x = indent};
    char text[CRANK_AXIS_TEXT];

    if (indent > 0.0) {
        crank_sink_print(sink, "<text class=\"ink scale\" x=\"%.2f\" y=\"%.2f\">", frame->left,
                         first + 4.5);
        crank_svg_label(sink, crank_axis_scale(&frame->y, text));
        crank_sink_print(sink, "</text>\n");
    }
    while (rows > 0 && next_entry(&w)) {
        const crank_curve *curve = &panel->curves[w.curve];
        const crank_look look = crank_curve_look(panel, w.curve);
        const double x = frame->left + w.left, y = first + CRANK_PLOT_LINE * (double)w.row;
        if (look.line) {
            crank_sink_print(sink, "<path ");
            crank_look_stroke(sink, &look);
            crank_sink_print(sink, " d=\"M%.2f %.2fh27\"/>", x, y);
        }
        if (look.points) {
            crank_sink_print(sink, "<path ");
            crank_look_fill(sink, &look);
            crank_sink_print(sink, " d=\"M%.2f %.2f%s\"/>", x + 13.5, y,
                             crank_look_shape(&look));
        }
        crank_sink_print(sink, "<text class=\"ink legend\" x=\"%.2f\" y=\"%.2f\">",
                         x + sample_width, y + 4.5);
        crank_svg_text_within(sink, curve->label, CRANK_PLOT_FONT, w.text_width);
        crank_sink_print(sink, "</text>\n");
    }
}
