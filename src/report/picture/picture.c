/* picture.c - the mechanism of a result at a time, as the page shows it first: SVG, PNG or
 * pixels, without a browser. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/picture/canvas.h"

#include <crank/report.h>

#include <stdlib.h>
#include <string.h>

enum { LEAST = 16, MOST = 8192, MANY = 400 }; /* pixels; solids of which each is coarse */

struct crank_picture {
    const crank_table *table;
    crank_store store;
    crank_picture_scene scene;
    crank_canvas canvas;
    crank_picture_camera first; /* the camera at the start, or that counts from the body */
    int following;              /* -1: none */
    double start[3];            /* where the followed body is when the camera is first */
    double box[2][3], glyph;
    bool fine; /* the unit shapes are for pixels */
    char *title;
    void *work;
    unsigned char *pixels;
};

crank_picture_options crank_picture_options_default(void)
{
    return (crank_picture_options){
        .size = sizeof(crank_picture_options), .width = 1280, .height = 720};
}

/* The row at or before a time, and the part of the way to the next. */
static void find_row(const crank_table *table, double time, int *row, double *part)
{
    const double *t = table->values;
    int low = 0, high = table->rows - 1;

    while (high - low > 1) { /* t[low] <= time < t[high] */
        const int middle = low + (high - low) / 2;
        *(t[middle] <= time ? &low : &high) = middle;
    }
    if (high > low && time >= t[high]) {
        low = high;
    }
    const double step = low < high ? t[high] - t[low] : 0.0;
    *row = low;
    *part = step > 0.0 ? fmax((time - t[low]) / step, 0.0) : 0.0;
}

static void set_look(crank_picture *p)
{
    static const float background[3] = {0.957F, 0.965F, 0.976F},
                       shade[3] = {0.84F, 0.86F, 0.885F};
    crank_canvas *c = &p->canvas;

    c->planar = p->scene.planar;
    c->size = p->scene.size;
    memcpy(c->up, p->scene.up, sizeof c->up);
    crank_picture_unit(c->up);
    memcpy(c->background, background, sizeof background);
    memcpy(c->shade, shade, sizeof shade);
}

/* The first view; a camera that stands follows from where the body starts. */
static bool set_camera(crank_picture *p)
{
    const crank_canvas *c = &p->canvas;

    p->following = p->scene.follow >= 0 ? p->scene.follow : crank_picture_traveller(&p->scene);
    if (!crank_camera_make(&p->scene, p->following, (double)c->width / c->height, &p->first,
                           p->box)) {
        return false;
    }
    if (p->following >= 0 && p->scene.has_camera) {
        crank_picture_move_body(&p->scene, p->following, 0, 0.0);
        crank_picture_point(&p->scene, p->following, p->scene.bodies[p->following].center,
                            p->start);
    }
    return true;
}

static crank_status check(const crank_table *table, const crank_picture_options *o,
                          crank_error *err)
{
    if (o->size != sizeof *o) {
        return crank_fail(err, CRANK_EARG, "options not made by crank_picture_options_default");
    }
    if (o->width < LEAST || o->height < LEAST || o->width > MOST || o->height > MOST) {
        return crank_fail(err, CRANK_EARG, "a picture of %d x %d pixels; %d to %d are possible",
                          o->width, o->height, LEAST, MOST);
    }
    if (o->scene == NULL && table->scene == NULL) {
        return crank_fail(err, CRANK_EARG, "the result has no scene to draw");
    }
    if (table->rows < 1) {
        return crank_fail(err, CRANK_EARG, "the result has no rows");
    }
    return CRANK_OK;
}

crank_status crank_picture_create(const crank_table *table, const crank_picture_options *o,
                                  crank_picture **out, crank_error *err)
{
    crank_status status = check(table, o, err);

    *out = NULL;
    if (status != CRANK_OK) {
        return status;
    }
    crank_picture *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return crank_fail(err, CRANK_EMEM, "the picture");
    }
    p->table = table;
    p->canvas.width = o->width;
    p->canvas.height = o->height;
    status = crank_picture_scene_read(o->scene != NULL ? o->scene : table->scene, table,
                                      &p->store, &p->scene, err);
    if (status == CRANK_OK) {
        const char *title = o->title != NULL ? o->title : table->title;
        set_look(p);
        p->title = strdup(title != NULL ? title : "result");
        p->glyph = crank_glyph_size(&p->scene, &p->store);
        if (!set_camera(p) || p->store.failed || p->title == NULL) {
            status = crank_fail(err, CRANK_EMEM, "the picture");
        }
    }
    if (status != CRANK_OK) {
        crank_picture_destroy(p);
        p = NULL;
    }
    *out = p;
    return status;
}

void crank_picture_destroy(crank_picture *p)
{
    if (p == NULL) {
        return;
    }
    crank_canvas_free(&p->canvas);
    crank_store_free(&p->store);
    free(p->title);
    free(p->work);
    free(p->pixels);
    free(p);
}

static void place_camera(crank_picture *p)
{
    crank_picture_camera *camera = &p->canvas.camera;
    double now[3];

    *camera = p->first;
    if (p->following >= 0) {
        crank_picture_point(&p->scene, p->following, p->scene.bodies[p->following].center, now);
        crank_picture_plus(now, -1.0, p->start, now);
        crank_picture_plus(camera->eye, 1.0, now, camera->eye);
        crank_picture_plus(camera->target, 1.0, now, camera->target);
    }
}

/* All items of a time; painted: for painter.c. */
static crank_status compose(crank_picture *p, double time, bool painted, crank_error *err)
{
    crank_canvas *c = &p->canvas;
    const bool fine = !painted && p->scene.body_count + p->scene.joint_count <= MANY;
    int row;
    double part;

    if (c->units[0].position == NULL || fine != p->fine) {
        memset(c->units, 0, sizeof c->units);
        p->fine = fine;
        if (!crank_units_make(&p->store, fine, c->units)) {
            return crank_fail(err, CRANK_EMEM, "the picture");
        }
    }
    find_row(p->table, time, &row, &part);
    crank_picture_move(&p->scene, row, part);
    place_camera(p);
    c->painted = painted;
    crank_canvas_begin(c);
    crank_put_grid(c, (const double(*)[3])p->box);
    crank_put_traces(c, &p->scene, row, part);
    c->shadows = true;
    crank_put_bodies(c, &p->scene);
    crank_put_lines(c, &p->scene, row, part);
    crank_put_joints(c, &p->scene, p->glyph);
    c->shadows = false;
    crank_put_forces(c, &p->scene, p->glyph, row, part);
    return c->failed ? crank_fail(err, CRANK_EMEM, "the picture") : CRANK_OK;
}

crank_status crank_picture_pixels(crank_picture *p, double time, const unsigned char **pixels,
                                  crank_error *err)
{
    const int width = p->canvas.width, height = p->canvas.height;

    if (p->pixels == NULL) {
        p->work = malloc(crank_raster_size(width, height));
        p->pixels = malloc(3 * (size_t)width * (size_t)height);
    }
    if (p->work == NULL || p->pixels == NULL) {
        return crank_fail(err, CRANK_EMEM, "a picture of %d x %d pixels", width, height);
    }
    const crank_status status = compose(p, time, false, err);
    if (status == CRANK_OK) {
        crank_raster_draw(&p->canvas, p->work, p->pixels);
        *pixels = p->pixels;
    }
    return status;
}

crank_status crank_picture_write_png(crank_picture *p, double time, const char *path,
                                     crank_error *err)
{
    const unsigned char *pixels;
    const crank_status status = crank_picture_pixels(p, time, &pixels, err);

    return status == CRANK_OK
               ? crank_png_write(path, p->canvas.width, p->canvas.height, pixels, err)
               : status;
}

crank_status crank_picture_write_svg(crank_picture *p, double time, const char *path,
                                     crank_error *err)
{
    const crank_status status = compose(p, time, true, err);

    return status == CRANK_OK ? crank_canvas_write_svg(&p->canvas, p->title, path, err)
                              : status;
}
