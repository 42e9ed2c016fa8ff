/* layout.c - ranges of the axes and places of the panels.
 *
 * The left edge follows from the widest label of a vertical axis, which depends on the ticks,
 * hence on the height of the panels, hence on the lines that the legends take, hence on the
 * left edge: the places are found from a guess and once more from what came out. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/layout.h"
#include "base/then.h"

#include <math.h>
#include <stdlib.h>

typedef struct range {
    bool any, zero;   /* a value; a zero on a logarithmic axis */
    double low, high; /* of the values, without such zeros */
} range;

/* pixels */
static const double smallest_area = 40.0, zero_strip = 22.0, gap = 14.0, equal_ticks = 60.0;

static void widen(range *r, double value)
{
    r->low = r->any ? fmin(r->low, value) : value;
    r->high = r->any ? fmax(r->high, value) : value;
    r->any = true;
}

/* Widens the ranges by a curve: by its points that both axes admit. */
static void widen_by(const crank_plot *plot, const crank_panel *panel, const crank_curve *curve,
                     range *x, range *y)
{
    const crank_axis across = {.log = plot->log_x};
    const crank_axis up = {.log = panel->log_y, .zero_share = panel->log_y ? 0.1 : 0.0};

    for (int i = 0; i < curve->count && curve->draw != CRANK_DRAW_GUIDE; i++) {
        if (!crank_axis_admits(&across, curve->x[i]) || !crank_axis_admits(&up, curve->y[i]) ||
            curve->x[i] < plot->x_low || curve->x[i] > plot->x_high) {
            continue;
        }
        widen(x, curve->x[i]);
        if (panel->log_y && curve->y[i] == 0.0) {
            y->zero = true;
        } else {
            widen(y, curve->y[i]);
        }
    }
}

/* An axis over the range, or between the given ends where these are not NaN. */
static crank_status fit(crank_axis *axis, const char *name, bool log, const range *r,
                        const double ends[2], double padding, crank_error *err)
{
    const bool given[2] = {!isnan(ends[0]), !isnan(ends[1])};
    double low = r->any ? r->low : log ? 0.1 : 0.0, high = r->any ? r->high : 1.0;

    for (int i = 0; i < 2; i++) {
        if (given[i] && !(fabs(ends[i]) <= 1e300 && (!log || ends[i] >= 1e-300))) {
            return crank_fail(err, CRANK_EARG, "the %s axis cannot end at %g%s", name, ends[i],
                              log ? ", it is logarithmic" : "");
        }
    }
    low = given[0] ? ends[0] : given[1] ? fmin(low, ends[1]) : low;
    high = given[1] ? ends[1] : given[0] ? fmax(high, ends[0]) : high;
    if (!(low <= high) || (given[0] && given[1] && !(low < high))) {
        return crank_fail(err, CRANK_EARG, "the %s axis cannot go from %g to %g", name, low,
                          high);
    }
    crank_axis_fit(axis, log, low, high, padding);
    if (given[0] && low < high) {
        axis->low = log ? log10(low) : low;
    }
    if (given[1] && low < high) {
        axis->high = log ? log10(high) : high;
    }
    return CRANK_OK;
}

/* Room at the ends of the horizontal axis: points and notes are not to be cut off. */
static double padding_of(const crank_plot *plot)
{
    double padding = plot->equal_axes ? 0.04 : 0.0;

    for (int p = 0; p < plot->panel_count; p++) {
        for (int k = 0; k < plot->panels[p].curve_count; k++) {
            const crank_look look = crank_curve_look(&plot->panels[p], k);
            const bool noted = plot->panels[p].curves[k].notes != NULL && !look.guide;
            padding = fmax(padding, noted ? 0.05 : look.points ? 0.02 : 0.0);
        }
    }
    return padding;
}

static crank_status fit_axes(const crank_plot *plot, crank_layout *layout, crank_error *err)
{
    range x = {0};
    range *y = calloc((size_t)plot->panel_count, sizeof *y);
    crank_status status = CRANK_OK;

    if (y == NULL) {
        return crank_fail(err, CRANK_EMEM, "ranges of %d panels", plot->panel_count);
    }
    bool log_y = false;
    for (int p = 0; p < plot->panel_count; p++) {
        const crank_panel *panel = &plot->panels[p];
        log_y = log_y || panel->log_y;
        for (int k = 0; k < panel->curve_count; k++) {
            widen_by(plot, panel, &panel->curves[k], &x, &y[p]);
        }
    }
    if (!x.any) {
        status = crank_fail(
            err, CRANK_EARG, "nothing to draw: no point has finite%s coordinates%s",
            plot->log_x || log_y ? " and, on a logarithmic axis, positive" : "",
            isnan(plot->x_low) && isnan(plot->x_high) ? "" : " in the range asked for");
    }
    const double x_padding = padding_of(plot),
                 y_padding = plot->equal_axes ? x_padding : fmax(0.05, 2.0 * x_padding);
    for (int p = 0; p < plot->panel_count && status == CRANK_OK; p++) {
        const crank_panel *panel = &plot->panels[p];
        crank_frame *frame = &layout->frames[p];
        const double x_ends[2] = {plot->x_low, plot->x_high};
        const double y_ends[2] = {panel->y_low, panel->y_high};
        status = fit(&frame->x, "horizontal", plot->log_x, &x, x_ends, x_padding, err);
        if (status == CRANK_OK) {
            status = fit(&frame->y, "vertical", panel->log_y, &y[p], y_ends, y_padding, err);
            frame->y.zero_share =
                y[p].zero ? 0.1 : 0.0; /* more exactly once the height is known */
        }
    }
    free(y);
    return status;
}

static double span(const crank_axis *axis)
{
    return axis->high - axis->low;
}

/* Widens the axes whose unit is longer on paper. */
static void equalize(const crank_plot *plot, crank_layout *layout)
{
    double unit = span(&layout->frames[0].x) / layout->frames[0].width; /* per pixel */

    for (int p = 0; p < plot->panel_count; p++) {
        unit = fmax(unit, span(&layout->frames[p].y) / layout->frames[p].height);
    }
    for (int p = 0; p < plot->panel_count; p++) {
        crank_frame *frame = &layout->frames[p];
        const double more_x = 0.5 * (unit * frame->width - span(&frame->x));
        const double more_y = 0.5 * (unit * frame->height - span(&frame->y));
        frame->x.low -= more_x;
        frame->x.high += more_x;
        frame->y.low -= more_y;
        frame->y.high += more_y;
    }
}

/* Height above a panel: its legend, or the scale of its axis. */
static double header(const crank_panel *panel, const crank_frame *frame)
{
    const double indent = crank_legend_indent(frame);
    const int rows = crank_legend_rows(panel, frame->width, indent);

    return rows > 0 ? CRANK_PLOT_LINE * (double)rows + 6.0 : indent > 0.0 ? 25.0 : 0.0;
}

/* Height of the area of a panel if it is not asked for; with equal axes, as the data ask
 * for. */
static double usual_area(const crank_plot *plot, const crank_layout *layout)
{
    const double usual = plot->panel_count == 1   ? 370.0
                         : plot->panel_count == 2 ? 210.0
                                                  : 150.0;
    double tallest = 0.0;

    if (!plot->equal_axes) {
        return usual;
    }
    for (int p = 0; p < plot->panel_count; p++) {
        tallest = fmax(tallest, span(&layout->frames[p].y));
    }
    const double wanted = layout->frames[0].width * tallest / span(&layout->frames[0].x);
    return fmin(fmax(wanted, 0.4 * usual), 1.6 * usual);
}

static crank_status place_panels(const crank_plot *plot, crank_layout *layout, crank_error *err)
{
    const double above = plot->title != NULL ? 42.0 : 12.0;
    const double below = 26.0 + (plot->x_label != NULL ? 24.0 : 4.0);
    double others = above + below + gap * (plot->panel_count - 1);

    for (int p = 0; p < plot->panel_count; p++) {
        others += header(&plot->panels[p], &layout->frames[p]);
    }
    const double area = plot->height == 0 ? usual_area(plot, layout)
                                          : (plot->height - others) / plot->panel_count;
    layout->height = plot->height == 0 ? ceil(others + area * plot->panel_count) : plot->height;
    if (!(area >= smallest_area)) {
        return crank_fail(err, CRANK_EARG,
                          "a plot %d pixels high has no room for its panels; at least %.0f",
                          plot->height, ceil(others + smallest_area * plot->panel_count));
    }
    double top = above;
    for (int p = 0; p < plot->panel_count; p++) {
        crank_frame *frame = &layout->frames[p];
        top += header(&plot->panels[p], frame);
        frame->top = top;
        frame->height = area;
        if (frame->y.zero_share > 0.0) {
            frame->y.zero_share = fmin(0.4, zero_strip / area);
        }
        top += area + gap;
    }
    layout->bottom = top - gap;
    return CRANK_OK;
}

static double widest_label(const crank_axis *axis)
{
    char text[CRANK_AXIS_TEXT];
    double widest = 0.0;

    for (int i = 0; i < axis->tick_count; i++) {
        const char *label = crank_axis_label(axis, i, text);
        widest = fmax(widest, crank_svg_label_width(label, CRANK_PLOT_FONT));
    }
    return widest;
}

/* Ticks of the horizontal axis at about this distance, or as many as their labels have room
 * for. */
static void choose_x_ticks(crank_axis *axis, double width, double distance)
{
    int wanted = (int)(width / distance);

    do {
        crank_axis_choose_ticks(axis, wanted--);
    } while (wanted >= 2 && (widest_label(axis) + 14.0) * (axis->tick_count - 1) > width);
}

static crank_status place(const crank_plot *plot, crank_layout *layout, crank_error *err)
{
    double left = 70.0, right = 24.0;
    const bool may_narrow = plot->equal_axes && plot->width == 0;

    layout->width = plot->width > 0 ? plot->width : 800.0;
    for (int pass = 0; pass < 3; pass++) {
        for (int p = 0; p < plot->panel_count; p++) {
            layout->frames[p].left = left;
            layout->frames[p].width = layout->width - left - right;
        }
        if (!(layout->frames[0].width >= 2.0 * smallest_area)) {
            return crank_fail(err, CRANK_EARG,
                              "a plot %d pixels wide has no room for its panels; at least %.0f",
                              plot->width, ceil(left + right + 2.0 * smallest_area));
        }
        const crank_status status = place_panels(plot, layout, err);
        if (status != CRANK_OK) {
            return status;
        }
        const crank_frame *first = &layout->frames[0];
        const double wanted = span(&first->x) * first->height / span(&first->y);
        if (plot->equal_axes && pass > 0) {
            equalize(plot, layout);
        }
        double widest = 20.0, label = 0.0;
        for (int p = 0; p < plot->panel_count; p++) {
            crank_frame *frame = &layout->frames[p];
            choose_x_ticks(&frame->x, frame->width, plot->equal_axes ? equal_ticks : 80.0);
            crank_axis_choose_ticks(&frame->y, plot->equal_axes
                                                   ? (int)(frame->height / equal_ticks)
                                                   : 2 + (int)(frame->height / 55.0));
            widest = fmax(widest, widest_label(&frame->y));
            label = plot->panels[p].y_label != NULL ? 24.0 : label;
        }
        if (pass < 2) {
            left = ceil(12.0 + label + widest);
            right = ceil(fmax(16.0, 8.0 + 0.5 * widest_label(&first->x)));
        }
        if (may_narrow && pass == 0 && wanted < first->width) {
            layout->width = ceil(fmax(wanted, 200.0) + left + right);
        }
    }
    return CRANK_OK;
}

crank_status crank_layout_create(const crank_plot *plot, crank_layout **out, crank_error *err)
{
    crank_layout *layout =
        calloc(1, sizeof *layout + (size_t)plot->panel_count * sizeof layout->frames[0]);

    *out = NULL;
    if (layout == NULL) {
        return crank_fail(err, CRANK_EMEM, "a plot of %d panels", plot->panel_count);
    }
    crank_status status = fit_axes(plot, layout, err);
    CRANK_THEN(status, place(plot, layout, err));
    if (status != CRANK_OK) {
        free(layout);
        return status;
    }
    *out = layout;
    return CRANK_OK;
}
