/* report.h - pictures of results: line plots as SVG or for gnuplot, legible on light and dark
 * pages, tables of comparisons; and the page that shows a result move, one HTML file without
 * references to others. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_REPORT_H
#define CRANK_REPORT_H

#include <crank/base.h>
#include <crank/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- plots ---- */

typedef enum crank_draw {
    CRANK_DRAW_AUTO,   /* a line, and its points where they are few */
    CRANK_DRAW_LINES,  /* a line */
    CRANK_DRAW_POINTS, /* points */
    CRANK_DRAW_BOTH,   /* a line and its points */
    CRANK_DRAW_GUIDE   /* a thin line that does not widen the ranges: not data */
} crank_draw;

typedef struct crank_curve {
    const char *label; /* NULL: not in the legend */
    int count;
    const double *x, *y; /* count; values that are not finite leave a gap */
    crank_draw draw;
    /* As the n-th curve has them, from 1; 0: as its own number in the panel says. The form is
     * the dashes of a line and the shape of its points. */
    int colour, form;
    const char *const *notes; /* count texts, beside the points if there is room; NULL: none */
} crank_curve;

/* One of the areas that stand above each other. */
typedef struct crank_panel {
    const char *y_label; /* UTF-8; NULL: none */
    int curve_count;
    const crank_curve *curves;
    bool log_y;           /* zeros get a strip below; negative values leave a gap */
    double y_low, y_high; /* ends of the axis; NaN: as the data ask for */
} crank_panel;

typedef struct crank_plot {
    size_t size;               /* set by crank_plot_default */
    const char *title;         /* above the plot; NULL: none */
    const char *summary;       /* for readers who do not see it; NULL: made of the labels */
    const char *x_label;       /* of the axis that all panels share; NULL: none */
    int panel_count;           /* at most CRANK_PLOT_PANELS */
    const crank_panel *panels; /* from above */
    bool log_x;                /* values that are not positive leave a gap */
    bool equal_axes;           /* one unit is as long on both axes: paths in the plane */
    double x_low, x_high;      /* ends of the axis; NaN: as the data ask for */
    int width, height;         /* pixels; 0: chosen */
} crank_plot;

enum { CRANK_PLOT_PANELS = 100 };

CRANK_API crank_panel crank_panel_default(void);
CRANK_API crank_plot crank_plot_default(void);
/* Writes the plot as one SVG file without references to others ("-": standard output). Curves
 * against time and phase plots (one column against another) are the same call. The same plot
 * gives the same bytes. EARG if there is nothing to draw or no room; EFILE with path and reason
 * if the file cannot be written. */
CRANK_API crank_status crank_plot_write_svg(const crank_plot *plot, const char *path,
                                            crank_error *err);
/* The same plot as a script for gnuplot 5, the data in it. FILE.gp run as it is writes
 * FILE.gnuplot.svg into the current directory. */
CRANK_API crank_status crank_plot_write_gnuplot(const crank_plot *plot, const char *path,
                                                crank_error *err);

/* ---- tables of comparisons ---- */

/* A CSV table with columns of text beside numbers: what methods cost and reach
 * (docs/formats.md). */
typedef struct crank_comparison {
    int columns, rows;
    const char **names; /* columns */
    const char **cells; /* rows x columns, row by row; "": empty */
    double *values;     /* of the cells; NaN where a cell is not a number */
    char *text;         /* what names and cells point into */
} crank_comparison;

/* "-": standard input. ESYNTAX with line and column. Free with crank_comparison_destroy; *out
 * is NULL on failure. */
CRANK_API crank_status crank_comparison_read(const char *path, crank_comparison **out,
                                             crank_error *err);
CRANK_API void crank_comparison_destroy(crank_comparison *table);
CRANK_API int crank_comparison_find(const crank_comparison *table,
                                    const char *name); /* -1: none */

/* ---- the page ---- */

typedef struct crank_page {
    size_t size;               /* set by crank_page_default */
    const char *title;         /* NULL: the table's title, or "result" */
    const char *scene;         /* JSON of crank_model_scene; NULL: the table's, or none */
    const char *template_path; /* NULL: looked for, see crank_page_find_template */
    int frames;                /* rows in the page at most, evenly thinned; 0: all */
    double megabytes;          /* limit, 60; what exceeds it is left out, poses last */
    const bool *wanted;        /* columns besides those that the scene names; NULL: all */
    int64_t version; /* > 0: the page reloads itself when there is another (--watch) */
    const crank_study_table *study; /* set by crank_page_write_study */
} crank_page;

typedef struct crank_page_report {
    int frames;            /* in the page */
    bool thinned;          /* fewer frames than asked for, for the limit */
    int columns, left_out; /* of the table; left out for size */
    int64_t bytes;
    int missing;            /* columns that the scene moves by, but the table has not */
    char first_missing[80]; /* one of them */
    int64_t
        courses_left_out; /* of a study: columns of single members that are not in the page */
} crank_page_report;

CRANK_API crank_page crank_page_default(void);
/* Where the page's template is: the environment's CRANK_PAGE, beside the build, or where crank
 * is installed. EFILE that says how to get it if there is none, or that the file found is no
 * template. path: at least 1024 characters. */
CRANK_API crank_status crank_page_find_template(char *path, size_t size, crank_error *err);
/* A scene for results without one, from columns body.NAME.x, .y, .z, .angle, .q0 ... .q3: a
 * ball and axes a body. *scene is the caller's to free(); NULL with CRANK_OK: there are no such
 * columns. */
CRANK_API crank_status crank_page_scene_from_names(const crank_table *table, char **scene,
                                                   crank_error *err);
/* Writes the page ("-": standard output); a file is replaced only once it is complete. With a
 * version, PAGE.version.svg is written beside it. report may be NULL. EARG if the scene is no
 * JSON object or the limit has no room for the motion, EFILE with path and reason if a file
 * cannot be read or written. */
CRANK_API crank_status crank_page_write(const crank_page *page, const crank_table *table,
                                        const char *path, crank_page_report *report,
                                        crank_error *err);
/* A page of a study: members as points and lines, their courses behind a click. Columns of the
 * page are those of its members, frames the members. */
CRANK_API crank_status crank_page_write_study(const crank_page *page,
                                              const crank_study_table *study, const char *path,
                                              crank_page_report *report, crank_error *err);

/* ---- pictures of the mechanism ---- */

typedef struct crank_picture_options {
    size_t size;       /* set by crank_picture_options_default */
    const char *title; /* NULL: the table's title, or "result" */
    const char *scene; /* JSON of crank_model_scene; NULL: the table's */
    int width, height; /* pixels, 1280 x 720 */
} crank_picture_options;

/* The mechanism of a result as the page shows it first: the same view, shapes and colours. */
typedef struct crank_picture crank_picture;

CRANK_API crank_picture_options crank_picture_options_default(void);
/* The table must outlive the picture. EARG if there is no scene, no row or no room. *out is
 * NULL on failure. */
CRANK_API crank_status crank_picture_create(const crank_table *table,
                                            const crank_picture_options *options,
                                            crank_picture **out, crank_error *err);
CRANK_API void crank_picture_destroy(crank_picture *picture);
/* The picture of a time (between rows bodies go straight), as a file ("-": standard output) or
 * as 3 bytes (red, green, blue) a pixel, row by row from above, valid until the next call. The
 * same result and time give the same bytes. */
CRANK_API crank_status crank_picture_write_svg(crank_picture *picture, double time,
                                               const char *path, crank_error *err);
CRANK_API crank_status crank_picture_write_png(crank_picture *picture, double time,
                                               const char *path, crank_error *err);
CRANK_API crank_status crank_picture_pixels(crank_picture *picture, double time,
                                            const unsigned char **pixels, crank_error *err);

#ifdef __cplusplus
}
#endif

#endif
