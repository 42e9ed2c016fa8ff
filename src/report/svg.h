/* svg.h - pieces of SVG: text that is safe in XML and fits its place, and curves thinned to
 * what can be seen. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SVG_H
#define CRANK_SRC_SVG_H

#include "base/sink.h"
#include "report/axis.h"

#include <crank/report.h>

typedef struct crank_frame {
    crank_axis x, y;
    double left, top, width, height; /* of the area of the curves, pixels */
} crank_frame;

typedef struct crank_point {
    double x, y; /* pixels */
} crank_point;

/* text as XML character data: markup escaped; what is not UTF-8, and control characters, become
 * the replacement character. */
void crank_svg_text(crank_sink *sink, const char *text);
/* The same, with the middle left out so that it is at most about width pixels wide. */
void crank_svg_text_within(crank_sink *sink, const char *text, double font, double width);
/* The label of an axis: ^ raises the number behind it, - becomes a minus sign. */
void crank_svg_label(crank_sink *sink, const char *text);
/* About how wide a text is, in pixels, in a wide sans-serif of the given size. */
double crank_svg_text_width(const char *text, double font);
double crank_svg_label_width(const char *text, double font);

/* Where the curve's point i is; false: nowhere. */
bool crank_svg_place(const crank_frame *frame, const crank_curve *curve, int i,
                     crank_point *at);
/* The d attribute of a path along the curve. */
void crank_svg_path(crank_sink *sink, const crank_frame *frame, const crank_curve *curve);
/* The d attribute of the curve's points, each drawn as the given relative path. */
void crank_svg_points(crank_sink *sink, const crank_frame *frame, const crank_curve *curve,
                      const char *shape);

#endif
