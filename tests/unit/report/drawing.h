/* drawing.h - plots that are made and written for a test. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_DRAWING_H
#define CRANK_TESTS_DRAWING_H

#include "check.h"

#include "../results/scratch.h"

#include <crank/report.h>

typedef crank_status drawing_fn(const crank_plot *plot, const char *path, crank_error *err);

/* What is written to a file of this name; to free. */
static inline char *drawing_text(drawing_fn *write, const char *name, const crank_plot *plot)
{
    scratch s;
    crank_error err = {0};
    scratch_open(&s, name);
    CHECK_OK(write(plot, s.path, &err), err);
    char *text = scratch_read(&s);
    scratch_close(&s);
    return text;
}

static inline char *draw_svg(const crank_plot *plot)
{
    return drawing_text(crank_plot_write_svg, "a.svg", plot);
}

/* How often the part occurs. */
static inline int count(const char *text, const char *part)
{
    int found = 0;
    for (const char *c = strstr(text, part); c != NULL; c = strstr(c + 1, part)) {
        found++;
    }
    return found;
}

static inline crank_panel panel_of(int curve_count, const crank_curve *curves)
{
    crank_panel panel = crank_panel_default();
    panel.curve_count = curve_count;
    panel.curves = curves;
    return panel;
}

static inline crank_plot plot_of(int panel_count, const crank_panel *panels)
{
    crank_plot plot = crank_plot_default();
    plot.panel_count = panel_count;
    plot.panels = panels;
    return plot;
}

#endif
