/* svg.h - pieces of SVG: text that is safe in XML, and curves thinned to what can be seen. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SVG_H
#define CRANK_SRC_SVG_H

#include "report/axis.h"
#include "results/sink.h"

#include <crank/report.h>

typedef struct crank_frame {
    crank_axis x, y;
    double left, top, width, height; /* of the area of the curves, pixels */
} crank_frame;

/* text as XML character data: markup escaped; what is not UTF-8, and control characters, become
 * the replacement character. */
void crank_svg_text(crank_sink *sink, const char *text);
/* Characters, not bytes. */
int crank_svg_text_length(const char *text);
/* The d attribute of a path along the curve. */
void crank_svg_path(crank_sink *sink, const crank_frame *frame, const crank_curve *curve);

#endif
