/* plot.h - what the files of "crank plot" share: its arguments, and the figure that they
 * fill. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_PLOT_H
#define CRANK_TOOLS_PLOT_H

#include "columns.h"

typedef struct plot_arguments {
    text_list positional; /* the file, then names */
    text_list with;
    const char *out, *gnuplot, *x, *title, *draw;
    double from, to, y_from, y_to; /* NaN: not given */
    int width, height;
    bool log_x, log_y, equal, history, residuals, work_precision, scaling, list, pattern;
} plot_arguments;

/* A plot with everything that it points to. Starts as zeros with plot =
 * crank_plot_default(). */
typedef struct figure {
    crank_plot plot;
    crank_panel panels[CRANK_PLOT_PANELS];
    crank_curve *curves[CRANK_PLOT_PANELS]; /* of the panels */
    crank_draw draw;                        /* of curves */
    void **kept;
    int kept_count;
    bool failed; /* out of memory, or too many panels: told once, at the end */
} figure;

/* Zeroed memory that lives as long as the figure; NULL if there is none. */
void *figure_keep(figure *f, size_t count, size_t size);
/* A text that lives as long; "" if there is no memory. */
const char *figure_text(figure *f, const char *format, ...) CRANK_PRINTF(2, 3);
/* Adds a panel with room for curves; NULL on failure. */
crank_panel *figure_panel(figure *f, int room);
/* Adds a curve to the last panel, which has room for it. */
crank_curve *figure_curve(figure *f);
/* The look of the n-th of many curves, from 1: colours come again with other forms. */
void figure_look(crank_curve *curve, int n);
/* Curve k of the last panel. */
crank_curve *figure_last_curve(figure *f, int k);
void figure_free(figure *f);

/* Writes the files that are asked for; the exit code. */
int figure_write(messages *m, const plot_arguments *a, figure *f);

/* Fill the figure and write it; the exit code. */
int plot_result(messages *m, const plot_arguments *a, figure *f);
int plot_comparison(messages *m, const plot_arguments *a, figure *f);
int plot_pattern(messages *m, const plot_arguments *a, figure *f);
/* --from, --to: keeps the rows whose first column is within (NaN: no limit); -1, or the exit
 * code after telling that there are none. */
int plot_keep_window(messages *m, const char *path, crank_table *table, double from, double to);
/* --list: prints the columns; the exit code. */
int plot_list(messages *m, const plot_arguments *a);

#endif
