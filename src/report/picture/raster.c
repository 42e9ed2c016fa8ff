/* raster.c - items as pixels: a depth buffer of 3 x 3 points for each pixel, averaged at the
 * end, so that edges are smooth. Everything is added up in one fixed order: the same items give
 * the same pixels. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

enum { FINE = 3 }; /* points of a pixel along each side */

typedef struct raster {
    int width, height; /* in points */
    float *depth;
    unsigned char *color; /* 3 bytes a point */
} raster;

typedef enum mode { LAID, SOLID, CLEAR } mode; /* depth: not looked at; kept; looked at */

size_t crank_raster_size(int width, int height)
{
    return (size_t)width * (size_t)height * FINE * FINE * (sizeof(float) + 3);
}

static raster begin(const crank_canvas *c, void *work)
{
    raster r = {.width = FINE * c->width, .height = FINE * c->height, .depth = work};
    const size_t count = (size_t)r.width * (size_t)r.height;
    unsigned char back[3];

    r.color = (unsigned char *)(r.depth + count);
    for (int k = 0; k < 3; k++) {
        back[k] = (unsigned char)lroundf(255.0F * c->background[k]);
    }
    for (size_t i = 0; i < count; i++) {
        r.depth[i] = (float)INFINITY;
        r.color[3 * i] = back[0];
        r.color[3 * i + 1] = back[1];
        r.color[3 * i + 2] = back[2];
    }
    return r;
}

static void mix(unsigned char *to, const float color[3], float opacity)
{
    for (int k = 0; k < 3; k++) {
        const float new = 255.0F * color[k];
        to[k] = (unsigned char)lroundf((float)to[k] + opacity * (new - (float)to[k]));
    }
}

/* From least to most of three numbers, within 0 and size. */
static void span(const double v[3], int size, int range[2])
{
    const double low = fmin(v[0], fmin(v[1], v[2])), high = fmax(v[0], fmax(v[1], v[2]));

    range[0] = low > 0.0 ? (low < size ? (int)low : size) : 0;
    range[1] = high < size - 1.0 ? (high > 0.0 ? (int)high : -1) : size - 1;
}

/* Where a row of points, at y = py, may be inside of a triangle: between its edges, and one
 * point to both sides for rounding. Long thin triangles, which lines are, have few such points
 * in the rectangle around them. */
static void row_span(const double x[3], const double y[3], double py, int size, int range[2])
{
    double low = (double)INFINITY, high = -(double)INFINITY;

    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3;
        if (fmin(y[k], y[l]) > py || fmax(y[k], y[l]) < py) {
            continue;
        }
        const double rise = y[l] - y[k];
        const double a = rise != 0.0 ? x[k] + (x[l] - x[k]) * ((py - y[k]) / rise) : x[k];
        const double b = rise != 0.0 ? a : x[l];
        low = fmin(low, fmin(a, b));
        high = fmax(high, fmax(a, b));
    }
    span((double[3]){low - 1.5, high + 0.5, high + 0.5}, size, range);
}

static void fill(const raster *r, const crank_item *item, mode how)
{
    double x[3], y[3];
    int columns[2], rows[2];

    for (int k = 0; k < 3; k++) {
        x[k] = FINE * item->x[k];
        y[k] = FINE * item->y[k];
    }
    const double area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
    if (!(fabs(area) > 0.0)) {
        return;
    }
    span(y, r->height, rows);
    for (int j = rows[0]; j <= rows[1]; j++) {
        const double py = j + 0.5;
        row_span(x, y, py, r->width, columns);
        for (int i = columns[0]; i <= columns[1]; i++) {
            const double px = i + 0.5;
            const double a = ((x[1] - px) * (y[2] - py) - (y[1] - py) * (x[2] - px)) / area;
            const double b = ((x[2] - px) * (y[0] - py) - (y[2] - py) * (x[0] - px)) / area;
            const double c = 1.0 - a - b;
            if (a < 0.0 || b < 0.0 || c < 0.0) {
                continue;
            }
            const size_t at = (size_t)j * (size_t)r->width + (size_t)i;
            const float depth =
                (float)(a * item->depth[0] + b * item->depth[1] + c * item->depth[2]);
            if (how != LAID && depth > r->depth[at]) {
                continue;
            }
            float color[3];
            for (int k = 0; k < 3; k++) {
                color[k] = (float)a * item->color[0][k] + (float)b * item->color[1][k] +
                           (float)c * item->color[2][k];
            }
            mix(r->color + 3 * at, color, item->opacity);
            r->depth[at] = how == SOLID ? depth : r->depth[at];
        }
    }
}

/* A line as two triangles that reach half its width to both sides. */
static void fill_line(const raster *r, const crank_item *line, mode how)
{
    const double dx = line->x[1] - line->x[0], dy = line->y[1] - line->y[0];
    const double length = hypot(dx, dy), half = 0.5 * (double)line->width;
    static const int ends[4] = {0, 0, 1, 1}, sides[4] = {-1, 1, 1, -1};

    if (!(length > 0.0)) {
        return;
    }
    for (int t = 0; t < 2; t++) {
        crank_item item = *line;
        for (int k = 0; k < 3; k++) {
            const int corner = k == 0 ? 0 : k + t, end = ends[corner];
            item.x[k] = line->x[end] - sides[corner] * half * dy / length;
            item.y[k] = line->y[end] + sides[corner] * half * dx / length;
            item.depth[k] = line->depth[end];
        }
        fill(r, &item, how);
    }
}

static void draw(const raster *r, const crank_item_list *list, mode how)
{
    for (int i = 0; i < list->count; i++) {
        if (list->item[i].corners == 2) {
            fill_line(r, &list->item[i], how);
        } else {
            fill(r, &list->item[i], how);
        }
    }
}

static void average(const raster *r, int width, int height, unsigned char *pixels)
{
    for (int j = 0; j < height; j++) {
        for (int i = 0; i < 3 * width; i++) {
            int sum = 0;
            for (int n = 0; n < FINE * FINE; n++) {
                const size_t row = (size_t)(FINE * j + n / FINE);
                const size_t column = (size_t)(FINE * (i / 3) + n % FINE);
                sum += r->color[3 * (row * (size_t)r->width + column) + (size_t)(i % 3)];
            }
            pixels[(size_t)j * 3 * (size_t)width + (size_t)i] =
                (unsigned char)((sum + FINE * FINE / 2) / (FINE * FINE));
        }
    }
}

void crank_raster_draw(crank_canvas *c, void *work, unsigned char *pixels)
{
    const raster r = begin(c, work);

    draw(&r, &c->shadow, LAID);
    draw(&r, &c->lines, LAID);
    draw(&r, &c->solid, SOLID);
    crank_items_sort(&c->clear);
    draw(&r, &c->clear, CLEAR);
    average(&r, c->width, c->height, pixels);
}
