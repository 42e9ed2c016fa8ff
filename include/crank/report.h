/* report.h - pictures of results: line plots as SVG, legible on light and dark pages. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_REPORT_H
#define CRANK_REPORT_H

#include <crank/base.h>

typedef struct crank_curve {
    const char *label; /* NULL: not in the legend */
    int count;
    const double *x, *y; /* count; values that are not finite leave a gap */
} crank_curve;

typedef struct crank_plot {
    size_t size;                           /* set by crank_plot_default */
    const char *title, *x_label, *y_label; /* UTF-8; NULL: none */
    int curve_count;
    const crank_curve *curves;
    bool log_x, log_y; /* values that are not positive leave a gap */
    bool equal_axes;   /* one unit is as long on both axes: paths in the plane */
    int width, height; /* pixels; 800, 450 */
} crank_plot;

CRANK_API crank_plot crank_plot_default(void);
/* Writes the plot as one SVG file without references to others ("-": standard output). Curves
 * against time and phase plots (one column against another) are the same call. EARG if there is
 * nothing to draw; EFILE with path and reason if the file cannot be written. */
CRANK_API crank_status crank_plot_write_svg(const crank_plot *plot, const char *path,
                                            crank_error *err);

#endif
