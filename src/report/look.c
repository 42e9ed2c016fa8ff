/* look.c - how curves are told apart: by colour, and in grey by dashes or by the shape of
 * points. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/layout.h"

enum { FEW_POINTS = 30, MANY_POINTS = 1000, DASHES = 5 };

/* Round ends make each dash 1.6 pixels longer. */
static const char *const dash_text[DASHES] = {"", "7 5", "0.5 3.4", "8 4 0.5 4", "15 5.5"};

/* Relative to the point, about seven pixels wide; those from SHAPES_FILLED on are lines. */
static const char *const shape_text[CRANK_PLOT_FORMS] = {
    "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z",
    "m-2.9-2.9h5.8v5.8h-5.8z",
    "m0-3.9l3.7 6.4h-7.4z",
    "m0-4.2l4.2 4.2-4.2 4.2-4.2-4.2z",
    "m0 3.9l-3.7-6.4h7.4z",
    "m-3.2-3.2l6.4 6.4m0-6.4l-6.4 6.4",
    "m-4 0h8m-4-4v8",
    "m-4 0h8m-6-3.4l4 6.8m0-6.8l-4 6.8",
};
enum { SHAPES_FILLED = 5 };

static int finite_points(const crank_curve *curve, int enough)
{
    int count = 0;

    for (int i = 0; i < curve->count && count < enough; i++) {
        const double sum = curve->x[i] + curve->y[i];
        count += sum - sum == 0.0 ? 1 : 0;
    }
    return count;
}

crank_look crank_curve_look(const crank_panel *panel, int k)
{
    const crank_curve *curve = &panel->curves[k];
    const int colour = curve->colour > 0 ? curve->colour - 1 : k;
    const int form = curve->form > 0 ? curve->form - 1 : k;
    const crank_draw draw = curve->draw;
    crank_look look = {
        .guide = draw == CRANK_DRAW_GUIDE,
        .line = draw != CRANK_DRAW_POINTS,
        .points = draw == CRANK_DRAW_POINTS || draw == CRANK_DRAW_BOTH,
        .colour = colour % CRANK_PLOT_FORMS,
        .shape = form % CRANK_PLOT_FORMS,
        .dots = curve->count > MANY_POINTS,
    };

    if (draw == CRANK_DRAW_AUTO) {
        look.points = finite_points(curve, FEW_POINTS + 1) <= FEW_POINTS;
    }
    look.dash = look.points ? 0 : form % DASHES; /* points tell lines apart as well */
    return look;
}

void crank_look_stroke(crank_sink *sink, const crank_look *look)
{
    if (look->guide) {
        crank_sink_print(sink, "class=\"guide\" fill=\"none\" stroke-dasharray=\"5 4\"");
        return;
    }
    crank_sink_print(sink,
                     "class=\"c%d\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\" "
                     "stroke-linejoin=\"round\" stroke-linecap=\"round\"",
                     look->colour);
    if (look->dash > 0) {
        crank_sink_print(sink, " stroke-dasharray=\"%s\"", dash_text[look->dash]);
    }
}

void crank_look_fill(crank_sink *sink, const crank_look *look)
{
    const bool filled = look->shape < SHAPES_FILLED;

    if (look->dots) {
        crank_sink_print(sink,
                         "class=\"c%d\" fill=\"none\" stroke=\"currentColor\" "
                         "stroke-width=\"2.6\" stroke-linecap=\"round\"",
                         look->colour);
        return;
    }
    crank_sink_print(sink,
                     "class=\"c%d\" fill=\"%s\" stroke=\"currentColor\" stroke-width=\"%s\"",
                     look->colour, filled ? "currentColor" : "none", filled ? "0.5" : "1.6");
}

const char *crank_look_shape(const crank_look *look)
{
    return look->dots ? "h0" : shape_text[look->shape];
}
