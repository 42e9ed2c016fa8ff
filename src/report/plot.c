/* plot.c - a plot as one SVG file: title, panels above each other with one horizontal axis,
 * legends.
 *
 * Colours are given for light pages and, by prefers-color-scheme, for dark ones; dashes and the
 * shapes of points tell curves apart where there is no colour. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double title_font = 16.0; /* pixels */

const char *const crank_light_colour[CRANK_PLOT_FORMS] = {
    "#1f5fbf", "#c8501e", "#1a8754", "#8e3fa8", "#a5791a", "#c02f5d", "#0f8a94", "#5f6670",
};
static const char *const dark_colour[CRANK_PLOT_FORMS] = {
    "#74a9ff", "#ff9a66", "#5fd39a", "#d596ee", "#e8c25a", "#ff85a8", "#56d4dd", "#b4bcc8",
};

crank_panel crank_panel_default(void)
{
    return (crank_panel){.y_low = (double)NAN, .y_high = (double)NAN};
}

crank_plot crank_plot_default(void)
{
    return (crank_plot){
        .size = sizeof(crank_plot), .x_low = (double)NAN, .x_high = (double)NAN};
}

static void print_colours(crank_sink *sink, const char *const colour[CRANK_PLOT_FORMS])
{
    for (int i = 0; i < CRANK_PLOT_FORMS; i++) {
        crank_sink_print(sink, ".c%d{color:%s}", i, colour[i]);
    }
}

static void print_style(crank_sink *sink)
{
    crank_sink_print(sink, "<style>\n.page{fill:#ffffff}.ink{fill:#1c2026}"
                           ".frame{stroke:#4a515c}.grid{stroke:#dbe0e6}.minor{stroke:#eef1f4}"
                           ".strip{fill:#5f6670;fill-opacity:0.12}.guide{stroke:#7d8590}\n");
    print_colours(sink, crank_light_colour);
    crank_sink_print(sink, "\n@media (prefers-color-scheme: dark){\n.page{fill:#14171c}"
                           ".ink{fill:#e6e9ee}.frame{stroke:#9aa3b0}.grid{stroke:#343a43}"
                           ".minor{stroke:#22262d}.guide{stroke:#8b94a1}\n");
    print_colours(sink, dark_colour);
    crank_sink_print(sink, "}\n</style>\n");
}

static void print_label(crank_sink *sink, const char *text, const char *kind, crank_point at,
                        double width)
{
    const bool title = strcmp(kind, "title") == 0, upright = strcmp(kind, "y-label") == 0;
    const double font = title ? title_font : CRANK_PLOT_FONT;

    if (text == NULL) {
        return;
    }
    crank_sink_print(sink,
                     "<text class=\"ink %s\" text-anchor=\"middle\" font-size=\"%.0f\" "
                     "transform=\"translate(%.2f %.2f)%s\">",
                     kind, font, at.x, at.y, upright ? " rotate(-90)" : "");
    crank_svg_text_within(sink, text, font, width);
    crank_sink_print(sink, "</text>\n");
}

/* Above the middle of the panels, or of the picture if it is long. */
static void print_title(crank_sink *sink, const char *title, const crank_layout *layout,
                        double middle)
{
    const double room = 2.0 * fmin(middle, layout->width - middle) - 12.0;
    const bool fits = title != NULL && crank_svg_text_width(title, title_font) <= room;

    print_label(sink, title, "title", (crank_point){fits ? middle : 0.5 * layout->width, 26.0},
                layout->width - 12.0);
}

/* "x, y" of a panel: its labels. */
static void print_names(crank_sink *sink, const crank_panel *panel)
{
    int count = 0;

    for (int k = 0; k < panel->curve_count; k++) {
        if (panel->curves[k].label != NULL) {
            crank_sink_print(sink, "%s", count++ > 0 ? ", " : "");
            crank_svg_text(sink, panel->curves[k].label);
        }
    }
    if (count == 0) {
        crank_svg_text(sink, panel->y_label != NULL ? panel->y_label : "curves");
    }
}

/* What readers hear who do not see the picture. */
static void print_description(crank_sink *sink, const crank_plot *plot,
                              const crank_layout *layout)
{
    crank_sink_print(sink, "<title>");
    if (plot->title != NULL) {
        crank_svg_text(sink, plot->title);
    } else if (plot->summary != NULL) {
        crank_svg_text(sink, plot->summary);
    } else {
        for (int p = 0; p < plot->panel_count; p++) {
            crank_sink_print(sink, "%s", p > 0 ? "; " : "");
            print_names(sink, &plot->panels[p]);
        }
    }
    crank_sink_print(sink, "</title>\n<desc>");
    for (int p = 0; p < plot->panel_count; p++) {
        const crank_axis *x = &layout->frames[p].x, *y = &layout->frames[p].y;
        crank_sink_print(sink, "%s", p > 0 ? " Below it: " : "");
        print_names(sink, &plot->panels[p]);
        crank_sink_print(sink, " between %.4g and %.4g", y->log ? pow(10.0, y->low) : y->low,
                         y->log ? pow(10.0, y->high) : y->high);
        crank_sink_print(sink, ", over ");
        crank_svg_text(sink, plot->x_label != NULL ? plot->x_label : "the horizontal axis");
        crank_sink_print(sink, " from %.4g to %.4g.", x->log ? pow(10.0, x->low) : x->low,
                         x->log ? pow(10.0, x->high) : x->high);
    }
    crank_sink_print(sink, "</desc>\n");
}

static void print_plot(crank_sink *sink, const crank_plot *plot, const crank_layout *layout,
                       const char *path)
{
    const crank_frame *first = &layout->frames[0];
    const double middle = first->left + 0.5 * first->width;
    char text[CRANK_AXIS_TEXT];
    const double scale =
        crank_svg_label_width(crank_axis_scale(&first->x, text), CRANK_PLOT_FONT);

    crank_sink_print(sink,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                     "viewBox=\"0 0 %.0f %.0f\" font-family=\"system-ui, sans-serif\" "
                     "font-size=\"%d\" role=\"img\">\n",
                     layout->width, layout->height, layout->width, layout->height,
                     CRANK_PLOT_FONT);
    print_description(sink, plot, layout);
    print_style(sink);
    crank_sink_print(sink, "<rect class=\"page\" width=\"%.0f\" height=\"%.0f\"/>\n",
                     layout->width, layout->height);
    print_title(sink, plot->title, layout, middle);
    for (int p = 0; p < plot->panel_count; p++) {
        const crank_panel *panel = &plot->panels[p];
        const crank_frame *frame = &layout->frames[p];
        crank_frame_print(sink, frame, p == plot->panel_count - 1);
        crank_curves_print(sink, panel, frame);
        crank_legend_print(sink, panel, frame);
        print_label(sink, panel->y_label, "y-label",
                    (crank_point){18.0, frame->top + 0.5 * frame->height}, frame->height);
    }
    print_label(sink, plot->x_label, "x-label", (crank_point){middle, layout->bottom + 40.0},
                first->width - 2.0 * scale);
    crank_sink_print(sink, "</svg>\n");
    (void)path;
}

static crank_status check(const crank_plot *plot, crank_error *err)
{
    bool log = plot->log_x;

    if (plot->panel_count < 1 || plot->panel_count > CRANK_PLOT_PANELS) {
        return crank_fail(err, CRANK_EARG, "a plot has 1 to %d panels, not %d",
                          CRANK_PLOT_PANELS, plot->panel_count);
    }
    if (plot->width < 0 || plot->height < 0 || plot->width > 20000 || plot->height > 20000) {
        return crank_fail(err, CRANK_EARG, "a plot of %d x %d pixels; at most 20000 x 20000",
                          plot->width, plot->height);
    }
    for (int p = 0; p < plot->panel_count; p++) {
        log = log || plot->panels[p].log_y;
    }
    if (log && plot->equal_axes) {
        return crank_fail(err, CRANK_EARG,
                          "equal units are for linear axes; leave out log or equal");
    }
    return CRANK_OK;
}

crank_status crank_plot_write(const crank_plot *plot, const char *path,
                              crank_plot_printer *print, crank_error *err)
{
    crank_layout *layout = NULL;
    crank_c_locale locale;
    crank_sink sink = {.fd = -1};
    crank_status status = check(plot, err);

    if (status != CRANK_OK) {
        return status;
    }
    if (!crank_c_locale_enter(&locale)) {
        return crank_fail(err, CRANK_EMEM, "number format");
    }
    status = crank_layout_create(plot, &layout, err);
    if (status == CRANK_OK) {
        status = crank_sink_open(&sink, path, CRANK_SINK_CAPACITY, err);
        if (status == CRANK_OK) {
            print(&sink, plot, layout, path);
        }
        const crank_status closed = crank_sink_close(&sink, status == CRANK_OK ? err : NULL);
        status = status != CRANK_OK ? status : closed;
    }
    free(layout);
    crank_c_locale_leave(&locale);
    return status;
}

crank_status crank_plot_write_svg(const crank_plot *plot, const char *path, crank_error *err)
{
    return crank_plot_write(plot, path, print_plot, err);
}
