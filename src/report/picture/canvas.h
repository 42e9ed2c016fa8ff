/* canvas.h - a picture on its way from solids to pixels: unit shapes are placed, lit and
 * projected into lists of flat items; raster.c and painter.c draw these. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_PICTURE_CANVAS_H
#define CRANK_SRC_PICTURE_CANVAS_H

#include "base/sink.h"
#include "report/picture/vector.h"

typedef enum crank_unit_kind {
    CRANK_UNIT_BOX,      /* edges 1 */
    CRANK_UNIT_CYLINDER, /* radius 1, length 1 along z, as the next */
    CRANK_UNIT_CONE,
    CRANK_UNIT_SPHERE, /* radius 1 */
    CRANK_UNIT_GEAR,   /* radius 1, length 1 along z */
    /* from here on wires, whose thickness is given apart */
    CRANK_UNIT_RING, /* radius 1 about z */
    CRANK_UNIT_ARC,  /* three quarters of it */
    CRANK_UNIT_COIL, /* radius 1, from z = 0 to 1 */
    CRANK_UNITS
} crank_unit_kind;

enum { CRANK_FACE_MOST = 72, CRANK_ITEM_MOST = 24 }; /* corners; coarse faces have fewer */
enum { CRANK_FACE_ROOM = CRANK_FACE_MOST + 5 };

/* Corners with normals, and convex faces. Of a wire positions are its centre line. */
typedef struct crank_unit {
    int corners, faces;
    double (*position)[3], (*normal)[3];
    int *first; /* of a face's corners in index; one more than faces */
    int *index;
} crank_unit;

/* A face in the world, with its normals; room for the corners that clip.c adds. */
typedef struct crank_world_face {
    int count;
    double at[CRANK_FACE_ROOM][3], normal[CRANK_FACE_ROOM][3];
    bool both; /* seen from both sides */
} crank_world_face;

/* Makes all unit shapes in the store; fine: round ones of more corners. */
bool crank_units_make(crank_store *store, bool fine, crank_unit units[CRANK_UNITS]);

/* Looks along -forward; side and above span the picture. */
typedef struct crank_picture_camera {
    bool parallel;
    double eye[3], target[3];
    double side[3], above[3], forward[3];
    double half_height; /* of what a parallel camera sees; of a perspective one at distance 1 */
} crank_picture_camera;

/* A convex polygon, or a line of two corners with a width, on the picture in pixels. Those for
 * pixels are triangles. */
typedef struct crank_item {
    int corners, order; /* order: in which it was added */
    float width, opacity;
    double x[CRANK_ITEM_MOST], y[CRANK_ITEM_MOST];
    double depth[CRANK_ITEM_MOST]; /* grows away from the eye, linear across the picture */
    float color[3][3]; /* of a triangle's corners; of others the first, everywhere */
} crank_item;

typedef struct crank_item_list {
    int count, capacity;
    crank_item *item;
} crank_item_list;

typedef struct crank_canvas {
    int width, height;
    bool planar, painted;      /* painted: by painter.c, in whole faces of one colour */
    double size, up[3], floor; /* height of the plane of grid and shadows */
    crank_picture_camera camera;
    double key[3]; /* direction of the light */
    crank_unit units[CRANK_UNITS];
    float background[3], shade[3];
    bool shadows;                                /* what is put from now on throws one */
    crank_item_list lines, shadow, solid, clear; /* lines: of the grid */
    bool failed;                                 /* out of memory */
} crank_canvas;

/* How a solid looks. layer: the order in which planar solids lie above each other. */
typedef struct crank_paint {
    const double *color;
    double opacity;
    int layer;
} crank_paint;

/* Forgets all items, turns the light to the camera. */
void crank_canvas_begin(crank_canvas *c);
/* Puts a unit shape by its map to the world; wire: radius of a wire. */
void crank_canvas_put(crank_canvas *c, crank_unit_kind kind, const double map[12], double wire,
                      crank_paint paint);
/* Triangles of a mesh with flat faces. */
void crank_canvas_mesh(crank_canvas *c, const crank_picture_shape *mesh, const double map[12],
                       crank_paint paint);
/* A line of a width in pixels. */
void crank_canvas_line(crank_canvas *c, crank_item_list *list, const double from[3],
                       const double to[3], const double color[3], float width, float opacity);
void crank_canvas_free(crank_canvas *c);
bool crank_item_append(crank_item_list *list, const crank_item *item);
/* Sorts a list from far to near. */
void crank_items_sort(crank_item_list *list);

/* ---- clip.c ---- */

/* Distance in front of the eye at which a perspective picture begins. */
double crank_clip_nearest(const crank_canvas *c);
/* Of a face (or line of two corners) that reaches nearer than that, the part in sight. */
void crank_clip_face(const crank_canvas *c, crank_world_face *f);

/* ---- camera.c ---- */

/* The camera as the page shows the scene first; following: the body it goes with, or -1. Leaves
 * the bodies elsewhere. box: low and high corners of all that moves, over the whole time. */
bool crank_camera_make(const crank_picture_scene *s, int following, double aspect,
                       crank_picture_camera *camera, double box[2][3]);
/* Size of joint glyphs: a part of the mechanism, but small beside the shortest members. */
double crank_glyph_size(const crank_picture_scene *s, crank_store *store);

/* ---- what is put onto a canvas ---- */

void crank_put_bodies(crank_canvas *c, const crank_picture_scene *s);
void crank_put_lines(crank_canvas *c, const crank_picture_scene *s, int row, double part);
void crank_put_traces(crank_canvas *c, const crank_picture_scene *s, int row, double part);
void crank_put_grid(crank_canvas *c, const double box[2][3]);
void crank_put_joints(crank_canvas *c, const crank_picture_scene *s, double glyph);
void crank_put_forces(crank_canvas *c, const crank_picture_scene *s, double glyph, int row,
                      double part);
/* A spring between two points. */
void crank_put_coil(crank_canvas *c, const double from[3], const double to[3], double width,
                    crank_paint paint);

/* ---- drawing ---- */

/* 3 bytes a pixel, row by row from above; work: crank_raster_size bytes. */
size_t crank_raster_size(int width, int height);
void crank_raster_draw(crank_canvas *c, void *work, unsigned char *pixels);
/* A PNG file of such pixels. */
crank_status crank_png_write(const char *path, int width, int height,
                             const unsigned char *pixels, crank_error *err);
/* Calls back with all items from far to near, in pieces where they cut each other. */
typedef void crank_paint_fn(void *user, const crank_item *item);
bool crank_painter_run(const crank_item_list *items, crank_paint_fn *put, void *user);
crank_status crank_canvas_write_svg(crank_canvas *c, const char *title, const char *path,
                                    crank_error *err);

#endif
