/* plot.c - a line plot as one SVG file: title, axes with ticks and grid, curves, legend.
 *
 * Colours are given for light pages and, by prefers-color-scheme, for dark ones. Curves beyond
 * the eighth repeat the colours with dashes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/svg.h"

#include <math.h>
#include <string.h>

enum { COLOURS = 8, FONT = 13, LINE = 18 }; /* pixels */

static const double character_width = 0.6 * FONT; /* on average, sans-serif */

static const char *const light_colour[COLOURS] = {
    "#1f5fbf", "#c8501e", "#1a8754", "#8e3fa8", "#a5791a", "#c02f5d", "#0f8a94", "#5f6670",
};
static const char *const dark_colour[COLOURS] = {
    "#74a9ff", "#ff9a66", "#5fd39a", "#d596ee", "#e8c25a", "#ff85a8", "#56d4dd", "#b4bcc8",
};
static const char *const dashes[] = {"", "7 4", "2 4", "10 4 2 4"};

crank_plot crank_plot_default(void)
{
    return (crank_plot){.size = sizeof(crank_plot), .width = 800, .height = 450};
}

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

/* Range over all points that both axes admit; false if there is none. */
static bool find_range(const crank_plot *plot, double low[2], double high[2])
{
    bool any = false;

    for (int k = 0; k < plot->curve_count; k++) {
        const crank_curve *curve = &plot->curves[k];
        for (int i = 0; i < curve->count; i++) {
            const double value[2] = {curve->x[i], curve->y[i]};
            if (!crank_axis_admits(plot->log_x, value[0]) ||
                !crank_axis_admits(plot->log_y, value[1])) {
                continue;
            }
            for (int d = 0; d < 2; d++) {
                low[d] = any ? fmin(low[d], value[d]) : value[d];
                high[d] = any ? fmax(high[d], value[d]) : value[d];
            }
            any = true;
        }
    }
    return any;
}

static bool has_legend(const crank_plot *plot)
{
    const char *only = plot->curve_count == 1 ? plot->curves[0].label : NULL;
    bool labelled = false;

    for (int k = 0; k < plot->curve_count; k++) {
        labelled = labelled || plot->curves[k].label != NULL;
    }
    return labelled && !(only != NULL && strcmp(only, text_or_empty(plot->y_label)) == 0);
}

static double legend_width(const crank_plot *plot)
{
    int longest = 0;

    for (int k = 0; k < plot->curve_count; k++) {
        const int length = crank_svg_text_length(text_or_empty(plot->curves[k].label));
        longest = length > longest ? length : longest;
    }
    return 46.0 + character_width * longest;
}

/* Widens the axis whose unit is longer on paper. */
static void equalize(crank_frame *frame)
{
    crank_axis *x = &frame->x, *y = &frame->y;
    const double per_pixel_x = (x->high - x->low) / frame->width;
    const double per_pixel_y = (y->high - y->low) / frame->height;
    const double more_x = 0.5 * (per_pixel_y - per_pixel_x) * frame->width;
    const double more_y = 0.5 * (per_pixel_x - per_pixel_y) * frame->height;

    x->low -= fmax(more_x, 0.0);
    x->high += fmax(more_x, 0.0);
    y->low -= fmax(more_y, 0.0);
    y->high += fmax(more_y, 0.0);
}

static void lay_out(const crank_plot *plot, const double low[2], const double high[2],
                    crank_frame *frame)
{
    char text[64];
    int widest = 1;

    crank_axis_fit(&frame->x, plot->log_x, low[0], high[0], plot->equal_axes ? 0.04 : 0.0);
    crank_axis_fit(&frame->y, plot->log_y, low[1], high[1], 0.04);
    frame->top = plot->title != NULL ? 40.0 : 16.0;
    frame->height = plot->height - frame->top - (plot->x_label != NULL ? 48.0 : 28.0);
    frame->left = 70.0;
    frame->width = plot->width - frame->left - 24.0;
    if (plot->equal_axes && !plot->log_x && !plot->log_y) {
        equalize(frame);
    }
    crank_axis_choose_ticks(&frame->y, (int)(frame->height / 50.0));
    for (int i = 0; i < frame->y.tick_count; i++) {
        const int length = (int)strlen(crank_axis_label(&frame->y, i, text, sizeof text));
        widest = length > widest ? length : widest;
    }
    const double left = (plot->y_label != NULL ? 34.0 : 14.0) + character_width * widest;
    frame->width += plot->equal_axes ? 0.0 : frame->left - left;
    frame->left = left;
    crank_axis_choose_ticks(&frame->x, (int)(frame->width / 90.0));
}

static void print_style(crank_sink *sink)
{
    crank_sink_print(sink,
                     "<style>\n.page{fill:#ffffff}.ink{fill:#1c2026}.frame{stroke:#1c2026}"
                     ".grid{stroke:#dfe3e8}\n");
    for (int i = 0; i < COLOURS; i++) {
        crank_sink_print(sink, ".c%d{stroke:%s}", i, light_colour[i]);
    }
    crank_sink_print(sink, "\n@media (prefers-color-scheme: dark){\n.page{fill:#14171c}"
                           ".ink{fill:#e6e9ee}.frame{stroke:#e6e9ee}.grid{stroke:#343a43}\n");
    for (int i = 0; i < COLOURS; i++) {
        crank_sink_print(sink, ".c%d{stroke:%s}", i, dark_colour[i]);
    }
    crank_sink_print(sink, "}\n</style>\n");
}

static void print_axes(crank_sink *sink, const crank_frame *frame)
{
    const double bottom = frame->top + frame->height;
    char text[64];

    for (int i = 0; i < frame->x.tick_count; i++) {
        const double x =
            frame->left + frame->width * crank_axis_place(&frame->x, frame->x.tick[i]);
        crank_sink_print(sink, "<path class=\"grid\" d=\"M%.2f %.2fV%.2f\"/>", x, frame->top,
                         bottom);
        crank_sink_print(sink,
                         "<text class=\"ink\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">", x,
                         bottom + 18.0);
        crank_sink_print(sink, "%s</text>\n",
                         crank_axis_label(&frame->x, i, text, sizeof text));
    }
    for (int i = 0; i < frame->y.tick_count; i++) {
        const double share = 1.0 - crank_axis_place(&frame->y, frame->y.tick[i]);
        const double y = frame->top + frame->height * share;
        crank_sink_print(sink, "<path class=\"grid\" d=\"M%.2f %.2fH%.2f\"/>", frame->left, y,
                         frame->left + frame->width);
        crank_sink_print(sink, "<text class=\"ink\" x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">",
                         frame->left - 7.0, y + 4.5);
        crank_sink_print(sink, "%s</text>\n",
                         crank_axis_label(&frame->y, i, text, sizeof text));
    }
    crank_sink_print(sink,
                     "<rect class=\"frame\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                     "height=\"%.2f\" fill=\"none\"/>\n",
                     frame->left, frame->top, frame->width, frame->height);
}

static void print_label(crank_sink *sink, const char *text, const char *attributes, double x,
                        double y)
{
    if (text == NULL) {
        return;
    }
    crank_sink_print(sink, "<text class=\"ink\" text-anchor=\"middle\" %s ", attributes);
    crank_sink_print(sink, "transform=\"translate(%.2f %.2f)%s\">", x, y,
                     strcmp(attributes, "id=\"y-label\"") == 0 ? " rotate(-90)" : "");
    crank_svg_text(sink, text);
    crank_sink_print(sink, "</text>\n");
}

static void print_stroke(crank_sink *sink, int k)
{
    const char *dash = dashes[(k / COLOURS) % (int)(sizeof dashes / sizeof dashes[0])];

    crank_sink_print(sink,
                     "class=\"c%d\" fill=\"none\" stroke-width=\"1.6\" "
                     "stroke-linejoin=\"round\" stroke-linecap=\"round\"",
                     k % COLOURS);
    if (dash[0] != '\0') {
        crank_sink_print(sink, " stroke-dasharray=\"%s\"", dash);
    }
}

static void print_curves(crank_sink *sink, const crank_plot *plot, const crank_frame *frame)
{
    crank_sink_print(sink,
                     "<clipPath id=\"area\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                     "height=\"%.2f\"/></clipPath>\n<g clip-path=\"url(#area)\">\n",
                     frame->left - 1.0, frame->top - 1.0, frame->width + 2.0,
                     frame->height + 2.0);
    for (int k = 0; k < plot->curve_count; k++) {
        crank_sink_print(sink, "<path ");
        print_stroke(sink, k);
        crank_sink_print(sink, " d=\"");
        crank_svg_path(sink, frame, &plot->curves[k]);
        crank_sink_print(sink, "\"/>\n");
    }
    crank_sink_print(sink, "</g>\n");
}

static void print_legend(crank_sink *sink, const crank_plot *plot, const crank_frame *frame)
{
    const double x = frame->left + frame->width + 14.0;
    double y = frame->top + 10.0;

    for (int k = 0; k < plot->curve_count; k++) {
        if (plot->curves[k].label == NULL) {
            continue;
        }
        crank_sink_print(sink, "<path ");
        print_stroke(sink, k);
        crank_sink_print(sink,
                         " d=\"M%.2f %.2fh22\"/><text class=\"ink\" x=\"%.2f\" y=\"%.2f\">", x,
                         y, x + 28.0, y + 4.5);
        crank_svg_text(sink, plot->curves[k].label);
        crank_sink_print(sink, "</text>\n");
        y += LINE;
    }
}

static void print_plot(crank_sink *sink, const crank_plot *plot, const crank_frame *frame)
{
    const bool legend = has_legend(plot);
    const double width = plot->width + (legend ? legend_width(plot) : 0.0);
    const double wanted = frame->top + 20.0 + (legend ? LINE * (double)plot->curve_count : 0.0);
    const double height = fmax(plot->height, wanted);
    const double middle = frame->left + 0.5 * frame->width;

    crank_sink_print(sink,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                     "viewBox=\"0 0 %.0f %.0f\" font-family=\"system-ui, sans-serif\" "
                     "font-size=\"%d\" role=\"img\">\n<title>",
                     width, height, width, height, FONT);
    crank_svg_text(sink, text_or_empty(plot->title));
    crank_sink_print(sink, "</title>\n");
    print_style(sink);
    crank_sink_print(sink, "<rect class=\"page\" width=\"%.0f\" height=\"%.0f\"/>\n", width,
                     height);
    print_axes(sink, frame);
    print_label(sink, plot->title, "font-size=\"16\"", middle, 26.0);
    print_label(sink, plot->x_label, "id=\"x-label\"", middle, plot->height - 10.0);
    print_label(sink, plot->y_label, "id=\"y-label\"", 18.0, frame->top + 0.5 * frame->height);
    print_curves(sink, plot, frame);
    if (legend) {
        print_legend(sink, plot, frame);
    }
    crank_sink_print(sink, "</svg>\n");
}

crank_status crank_plot_write_svg(const crank_plot *plot, const char *path, crank_error *err)
{
    double low[2] = {0.0, 0.0}, high[2] = {0.0, 0.0};
    crank_frame frame = {0};
    crank_sink sink = {.fd = -1};
    crank_c_locale locale;

    if (plot->size != sizeof *plot) {
        return crank_fail(err, CRANK_EARG, "plot not made by crank_plot_default");
    }
    if (plot->width < 200 || plot->height < 120) {
        return crank_fail(err, CRANK_EARG,
                          "a plot of %d by %d pixels, must be 200 by 120 at least", plot->width,
                          plot->height);
    }
    if (!find_range(plot, low, high)) {
        return crank_fail(err, CRANK_EARG, "nothing to draw: no point has finite%s coordinates",
                          plot->log_x || plot->log_y ? " and, on a logarithmic axis, positive"
                                                     : "");
    }
    if (!crank_c_locale_enter(&locale)) {
        return crank_fail(err, CRANK_EMEM, "number format");
    }
    lay_out(plot, low, high, &frame);
    crank_status status = crank_sink_open(&sink, path, CRANK_SINK_CAPACITY, err);
    if (status == CRANK_OK) {
        print_plot(&sink, plot, &frame);
    }
    const crank_status closed = crank_sink_close(&sink, status == CRANK_OK ? err : NULL);
    crank_c_locale_leave(&locale);
    return status != CRANK_OK ? status : closed;
}
