/* svg_items.c - items as an SVG file: painted from far to near, each in one colour. Thin edges
 * of the same colour cover the seams between neighbours. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"
#include "report/svg.h"

static unsigned rgb(const float color[3])
{
    unsigned value = 0;

    for (int k = 0; k < 3; k++) {
        value = value << 8 | (unsigned)lroundf(255.0F * fminf(fmaxf(color[k], 0.0F), 1.0F));
    }
    return value;
}

static bool outside(const crank_canvas *c, const crank_item *item)
{
    double low[2] = {item->x[0], item->y[0]}, high[2] = {item->x[0], item->y[0]};

    for (int k = 1; k < item->corners; k++) {
        low[0] = fmin(low[0], item->x[k]);
        low[1] = fmin(low[1], item->y[k]);
        high[0] = fmax(high[0], item->x[k]);
        high[1] = fmax(high[1], item->y[k]);
    }
    return high[0] < 0.0 || high[1] < 0.0 || low[0] > c->width || low[1] > c->height;
}

typedef struct writer {
    const crank_canvas *canvas;
    crank_sink *sink;
} writer;

static void write_item(void *user, const crank_item *item)
{
    const writer *w = user;
    crank_sink *sink = w->sink;
    const unsigned color = rgb(item->color[0]);

    if (outside(w->canvas, item)) {
        return;
    }
    for (int k = 0; k < item->corners; k++) {
        crank_sink_print(sink, "%s%.2f %.2f", k == 0 ? "<path d=\"M" : "L", item->x[k],
                         item->y[k]);
    }
    if (item->corners == 2) {
        crank_sink_print(sink, "\" stroke=\"#%06x\" stroke-width=\"%.3g\"", color,
                         (double)item->width);
    } else {
        crank_sink_print(sink, "z\" fill=\"#%06x\"", color);
    }
    if (item->opacity < 1.0F) {
        crank_sink_print(sink, " opacity=\"%.2g\"", (double)item->opacity);
    } else if (item->corners > 2) {
        crank_sink_print(sink, " stroke=\"#%06x\"", color);
    }
    crank_sink_print(sink, "/>\n");
}

static void write_list(writer *w, const crank_item_list *list)
{
    for (int i = 0; i < list->count; i++) {
        write_item(w, &list->item[i]);
    }
}

/* Solids of a plane lie in layers; those of space hide each other as they may. */
static bool write_solids(writer *w, crank_canvas *c)
{
    bool done = true;

    for (int i = 0; i < c->clear.count && done; i++) {
        done = crank_item_append(&c->solid, &c->clear.item[i]);
    }
    if (!c->planar) {
        return done && crank_painter_run(&c->solid, write_item, w);
    }
    crank_items_sort(&c->solid);
    write_list(w, &c->solid);
    return done;
}

crank_status crank_canvas_write_svg(crank_canvas *c, const char *title, const char *path,
                                    crank_error *err)
{
    crank_sink sink = {.fd = -1};
    writer w = {.canvas = c, .sink = &sink};
    crank_c_locale locale;

    if (!crank_c_locale_enter(&locale)) {
        return crank_fail(err, CRANK_EMEM, "the picture %s", path);
    }
    crank_status status = crank_sink_open(&sink, path, CRANK_SINK_CAPACITY, err);
    if (status == CRANK_OK) {
        crank_sink_print(&sink,
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                         "viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
                         c->width, c->height, c->width, c->height);
        crank_svg_text(&sink, title);
        crank_sink_print(&sink,
                         "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n"
                         "<g stroke-width=\"0.9\" stroke-linejoin=\"round\">\n",
                         c->width, c->height, rgb(c->background));
        write_list(&w, &c->shadow);
        write_list(&w, &c->lines);
        if (!write_solids(&w, c)) {
            status = crank_fail(err, CRANK_EMEM, "the picture %s", path);
        }
        crank_sink_print(&sink, "</g>\n</svg>\n");
        status = status == CRANK_OK ? crank_sink_flush(&sink, err) : status;
    }
    const crank_status closed = crank_sink_close(&sink, status == CRANK_OK ? err : NULL);
    crank_c_locale_leave(&locale);
    return status != CRANK_OK ? status : closed;
}
