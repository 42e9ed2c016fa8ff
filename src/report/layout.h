/* layout.h - where everything of a plot stands: the panels above each other with their left
 * edges aligned, legends, labels. Shared by the files that draw it. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_LAYOUT_H
#define CRANK_SRC_LAYOUT_H

#include "report/svg.h"

enum { CRANK_PLOT_FONT = 13, CRANK_PLOT_LINE = 19, CRANK_PLOT_FORMS = 8 }; /* pixels; number */

typedef struct crank_layout {
    double width, height; /* of the picture, pixels */
    double bottom;        /* of the last panel */
    crank_frame frames[]; /* of the panels */
} crank_layout;

/* Ranges, ticks and places of everything. EARG if there is nothing to draw or no room. Free
 * with free. */
crank_status crank_layout_create(const crank_plot *plot, crank_layout **out, crank_error *err);

typedef void crank_plot_printer(crank_sink *sink, const crank_plot *plot,
                                const crank_layout *layout, const char *path);
/* Checks and lays out the plot, opens path and lets print write it, with a decimal point. */
crank_status crank_plot_write(const crank_plot *plot, const char *path,
                              crank_plot_printer *print, crank_error *err);

/* How a curve is drawn: what its place in the panel and the number of its points say. */
typedef struct crank_look {
    bool line, points, guide;
    bool dots;  /* points so many that they have no shape */
    int colour; /* below CRANK_PLOT_FORMS */
    int dash, shape;
} crank_look;

/* Of a light page, by crank_look.colour. */
extern const char *const crank_light_colour[CRANK_PLOT_FORMS];

crank_look crank_curve_look(const crank_panel *panel, int k);
/* Attributes of a line. */
void crank_look_stroke(crank_sink *sink, const crank_look *look);
/* Attributes of points, and the relative path of one. */
void crank_look_fill(crank_sink *sink, const crank_look *look);
const char *crank_look_shape(const crank_look *look);

/* Lines that the legend takes in the given width, the first of them indented; 0: no legend. */
int crank_legend_rows(const crank_panel *panel, double width, double indent);
/* Above the frame. */
void crank_legend_print(crank_sink *sink, const crank_panel *panel, const crank_frame *frame);
/* Room on the first line above the frame that the scale of the vertical axis takes. */
double crank_legend_indent(const crank_frame *frame);

/* Grid, ticks and their labels; the last panel has those of the horizontal axis. */
void crank_frame_print(crank_sink *sink, const crank_frame *frame, bool last);
/* The curves of a panel, points, notes. */
void crank_curves_print(crank_sink *sink, const crank_panel *panel, const crank_frame *frame);

#endif
