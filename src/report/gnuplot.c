/* gnuplot.c - a plot as a script for gnuplot 5 with its data: ranges and panels as in the SVG
 * file.
 *
 * Texts stand in single quotes, in which gnuplot replaces nothing, and without its markup.
 * Zeros on a logarithmic axis are put below the other values, at a tick "0". */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const dash[] = {"1", "(8,4)", "(2,3)", "(9,3,2,3)", "(16,4)"};
static const int shape[CRANK_PLOT_FORMS] = {7, 5, 9, 13, 11, 2, 1, 3};

static void print_quoted(crank_sink *sink, const char *text)
{
    crank_sink_print(sink, "'");
    for (const char *c = text != NULL ? text : ""; *c != '\0'; c++) {
        const bool control = (unsigned char)*c < 0x20 || *c == 0x7f;
        crank_sink_print(sink, "%s%c", *c == '\'' ? "'" : "", control ? ' ' : *c);
    }
    crank_sink_print(sink, "'");
}

static void print_number(crank_sink *sink, double value)
{
    if (isfinite(value)) {
        crank_sink_print(sink, "%.17g", value);
    } else {
        crank_sink_print(sink, "NaN");
    }
}

static void print_data(crank_sink *sink, const crank_plot *plot)
{
    for (int p = 0; p < plot->panel_count; p++) {
        for (int k = 0; k < plot->panels[p].curve_count; k++) {
            const crank_curve *curve = &plot->panels[p].curves[k];
            crank_sink_print(sink, "$panel%d_curve%d << EOD\n", p + 1, k + 1);
            for (int i = 0; i < curve->count; i++) {
                print_number(sink, curve->x[i]);
                crank_sink_print(sink, " ");
                print_number(sink, curve->y[i]);
                crank_sink_print(sink, "\n");
            }
            crank_sink_print(sink, "EOD\n");
        }
    }
}

static double end_value(const crank_axis *axis, double end)
{
    return axis->log ? pow(10.0, fmax(end, -307.0)) : end;
}

/* Where zeros of a logarithmic axis are drawn. */
static double floor_value(const crank_axis *axis)
{
    return end_value(axis, axis->low - 0.06 * (axis->high - axis->low));
}

static void print_ticks(crank_sink *sink, const char *name, const crank_axis *axis,
                        bool labelled)
{
    crank_sink_print(sink, "set %s (", name);
    for (int i = 0; i < axis->tick_count; i++) {
        crank_sink_print(sink, "%s'", i > 0 ? ", " : "");
        if (labelled) {
            crank_sink_print(sink, "%.10g", axis->tick[i]);
        }
        crank_sink_print(sink, "' %.17g", axis->tick[i]);
    }
    if (axis->zero_share > 0.0) {
        crank_sink_print(sink, ", '0' %.17g", floor_value(axis));
    }
    crank_sink_print(sink, ")\n");
}

/* Where the panel and its legend stand, in shares of the picture, as in the SVG file. */
static void print_place(crank_sink *sink, const crank_panel *panel, const crank_frame *frame,
                        const crank_layout *layout)
{
    const double left = frame->left / layout->width;
    const double top = 1.0 - frame->top / layout->height;

    crank_sink_print(sink,
                     "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                     "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
                     left, left + frame->width / layout->width, top,
                     top - frame->height / layout->height);
    if (crank_legend_rows(panel, frame->width, 0.0) > 0) {
        crank_sink_print(sink,
                         "set key at screen %.6f, screen %.6f left bottom horizontal Left "
                         "reverse samplen 2\n",
                         left, top);
    } else {
        crank_sink_print(sink, "unset key\n");
    }
}

static void print_notes(crank_sink *sink, const crank_panel *panel, const crank_frame *frame)
{
    for (int k = 0; k < panel->curve_count; k++) {
        const crank_curve *curve = &panel->curves[k];
        for (int i = 0; i < curve->count && curve->notes != NULL; i++) {
            crank_point at;
            if (curve->notes[i] != NULL && crank_svg_place(frame, curve, i, &at)) {
                crank_sink_print(sink, "set label ");
                print_quoted(sink, curve->notes[i]);
                crank_sink_print(sink, " at %.17g,%.17g offset 0.6,0.6\n", curve->x[i],
                                 curve->y[i]);
            }
        }
    }
}

static void print_axes(crank_sink *sink, const crank_frame *frame, bool last)
{
    const crank_axis *x = &frame->x, *y = &frame->y;
    const double strip = y->zero_share > 0.0 ? 0.12 * (y->high - y->low) : 0.0;

    crank_sink_print(sink, "%s logscale x\n%s logscale y\n", x->log ? "set" : "unset",
                     y->log ? "set" : "unset");
    crank_sink_print(sink, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n",
                     end_value(x, x->low), end_value(x, x->high), end_value(y, y->low - strip),
                     end_value(y, y->high));
    print_ticks(sink, "xtics", x, last);
    print_ticks(sink, "ytics", y, true);
}

/* A text at a point of the picture, in pixels. */
static void print_text(crank_sink *sink, const crank_layout *layout, const char *text,
                       crank_point at, const char *how)
{
    if (text != NULL) {
        crank_sink_print(sink, "set label ");
        print_quoted(sink, text);
        crank_sink_print(sink, " at screen %.6f, screen %.6f center %s\n", at.x / layout->width,
                         1.0 - at.y / layout->height, how);
    }
}

static void print_labels(crank_sink *sink, const crank_plot *plot, const crank_layout *layout,
                         int p)
{
    const crank_frame *frame = &layout->frames[p];
    const double middle = frame->left + 0.5 * frame->width;

    crank_sink_print(sink, "unset label\n");
    if (p == 0) {
        print_text(sink, layout, plot->title, (crank_point){middle, 21.0}, "font ',16'");
    }
    if (p == plot->panel_count - 1) {
        print_text(sink, layout, plot->x_label, (crank_point){middle, layout->bottom + 38.0},
                   "");
    }
    print_text(sink, layout, plot->panels[p].y_label,
               (crank_point){14.0, frame->top + 0.5 * frame->height}, "rotate by 90");
}

static void print_curve(crank_sink *sink, const crank_panel *panel, const crank_frame *frame,
                        int p, int k)
{
    const crank_look look = crank_curve_look(panel, k);
    const bool zeros = frame->y.zero_share > 0.0;

    crank_sink_print(sink, "%s$panel%d_curve%d using 1:%s", k > 0 ? ", \\\n    " : "plot ",
                     p + 1, k + 1, zeros ? "($2 > 0 ? $2 : NaN)" : "2");
    if (look.guide) {
        crank_sink_print(sink, " with lines lc rgb '#7d8590' lw 1 dt (5,4)");
    } else {
        crank_sink_print(sink, " with %s lc rgb '%s' lw 1.6 dt %s",
                         look.line && (look.points || zeros) ? "linespoints"
                         : look.points                       ? "points"
                                                             : "lines",
                         crank_light_colour[look.colour], dash[look.dash]);
    }
    if (look.points || zeros) { /* lines through a single point are not drawn */
        const bool small = look.dots || !look.points;
        crank_sink_print(sink, " pt %d ps %s", small ? 7 : shape[look.shape],
                         small ? "0.2" : "0.6");
    }
    if (panel->curves[k].label != NULL) {
        crank_sink_print(sink, " title ");
        print_quoted(sink, panel->curves[k].label);
    } else {
        crank_sink_print(sink, " notitle");
    }
    if (zeros) {
        crank_sink_print(
            sink,
            ", \\\n    $panel%d_curve%d using 1:($2 == 0 ? %.17g : NaN) with points "
            "lc rgb '%s' pt 7 ps 0.2 notitle",
            p + 1, k + 1, floor_value(&frame->y), crank_light_colour[look.colour]);
    }
}

/* The name of the script, with .gnuplot.svg for its ending. */
static void print_output(crank_sink *sink, const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : path != NULL ? path : "-";
    char text[1024];

    (void)snprintf(text, sizeof text - 16, "%s", strcmp(name, "-") == 0 ? "plot" : name);
    char *dot = strrchr(text, '.');
    if (dot != NULL && dot != text) {
        *dot = '\0';
    }
    memcpy(text + strlen(text), ".gnuplot.svg", sizeof ".gnuplot.svg");
    print_quoted(sink, text);
}

static void print_script(crank_sink *sink, const crank_plot *plot, const crank_layout *layout,
                         const char *path)
{
    crank_sink_print(sink,
                     "# A plot by crank for gnuplot 5, data and all. To draw it with another "
                     "terminal:\n# gnuplot -e \"set terminal pdfcairo; set output 'a.pdf'; "
                     "terminal_is_set = 1\" FILE\n");
    crank_sink_print(sink,
                     "if (!exists('terminal_is_set')) {\n    set terminal svg size %.0f,%.0f "
                     "dynamic font 'sans-serif,13'\n    set output ",
                     layout->width, layout->height);
    print_output(sink, path);
    crank_sink_print(sink, "\n}\nset termoption noenhanced\nset encoding utf8\n");
    print_data(sink, plot);
    crank_sink_print(sink, "set grid xtics ytics lt 1 lc rgb '#dbe0e6'\nset border lw 0.8 lc "
                           "rgb '#4a515c'\nset multiplot\n");
    for (int p = 0; p < plot->panel_count; p++) {
        const crank_panel *panel = &plot->panels[p];
        const crank_frame *frame = &layout->frames[p];
        print_labels(sink, plot, layout, p);
        print_place(sink, panel, frame, layout);
        print_axes(sink, frame, p == plot->panel_count - 1);
        print_notes(sink, panel, frame);
        for (int k = 0; k < panel->curve_count; k++) {
            print_curve(sink, panel, frame, p, k);
        }
        if (panel->curve_count == 0) {
            crank_sink_print(sink, "plot NaN notitle");
        }
        crank_sink_print(sink, "\n");
    }
    crank_sink_print(sink, "unset multiplot\nunset output\n");
}

crank_status crank_plot_write_gnuplot(const crank_plot *plot, const char *path,
                                      crank_error *err)
{
    return crank_plot_write(plot, path, print_script, err);
}
