/* scene.h - a scene (docs/develop/page.md) as records, and where its bodies are at a time.
 *
 * Affine maps are 12 numbers: three columns of a matrix, then the place. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_PICTURE_SCENE_H
#define CRANK_SRC_PICTURE_SCENE_H

#include "base/store.h"

#include <crank/results.h>

typedef struct crank_picture_ref {
    int column; /* -1: the number */
    double number;
} crank_picture_ref;

typedef enum crank_picture_kind {
    CRANK_PICTURE_BOX,
    CRANK_PICTURE_CYLINDER,
    CRANK_PICTURE_CONE,
    CRANK_PICTURE_SPHERE,
    CRANK_PICTURE_RING,
    CRANK_PICTURE_CAPSULE,
    CRANK_PICTURE_TUBE,
    CRANK_PICTURE_MESH,
    CRANK_PICTURE_KINDS
} crank_picture_kind;

typedef struct crank_picture_shape {
    crank_picture_kind kind;
    double size[3];              /* of a box */
    double radius, length, wire; /* wire: radius of a ring's wire */
    double from[3], to[3];       /* of a tube */
    double at[3], orientation[4];
    double color[3], opacity;
    bool guessed;
    int vertex_count, triangle_count; /* of a mesh */
    double *vertices;
    int *triangles;
} crank_picture_shape;

typedef struct crank_picture_body {
    crank_picture_ref x[3], angle, q[4];
    bool turned; /* by the quaternion */
    bool moves;
    double center[3], color[3];
    int shape_count;
    crank_picture_shape *shapes;
} crank_picture_body;

/* A joint or a force: its places. */
typedef struct crank_picture_link {
    const char *type, *glyph;
    int body[2]; /* -1: ground */
    double point[2][3], axis[2][3];
    bool has_axis;
    double radius, pitch[2]; /* pitch: radii of gears, below 0: internal; 0: none */
    /* of forces: value along a direction, or components */
    crank_picture_ref value, component[3];
    bool has_components, has_direction, in_body;
    double direction[3];
} crank_picture_link;

typedef struct crank_picture_line {
    int count, body; /* -1: points in the world */
    crank_picture_ref (*points)[3];
    double color[3], width; /* 0: not given */
    bool spring, trace;
    bool around; /* not to be held by the camera */
} crank_picture_line;

typedef struct crank_picture_scene {
    const crank_table *table;
    bool planar;
    double up[3], size, scale, center[3];
    int body_count, joint_count, force_count, line_count, trace_count;
    crank_picture_body *bodies;
    crank_picture_link *joints, *forces;
    crank_picture_line *lines, *traces;
    const char *preset; /* NULL: none */
    bool has_camera;
    double from[3], to[3];
    int follow;           /* -1: none */
    double (*worlds)[12]; /* of bodies, set by crank_picture_move */
} crank_picture_scene;

/* Reads the scene of a result; texts and records live in the store. EARG if it is none. */
crank_status crank_picture_scene_read(const char *text, const crank_table *table,
                                      crank_store *store, crank_picture_scene *out,
                                      crank_error *err);
/* The value of a reference at a row, or part of the way to the next. */
double crank_picture_value(const crank_picture_scene *s, const crank_picture_ref *ref, int row,
                           double part);
/* Moves one body, or all, there. */
void crank_picture_move_body(const crank_picture_scene *s, int body, int row, double part);
void crank_picture_move(const crank_picture_scene *s, int row, double part);
/* A point, or a direction, of a body (-1: the ground) in the world. */
void crank_picture_point(const crank_picture_scene *s, int body, const double at[3],
                         double out[3]);
void crank_picture_direction(const crank_picture_scene *s, int body, const double a[3],
                             double out[3]);
/* A point of a line or trace in the world; the body of a trace must have been moved there. */
void crank_picture_line_point(const crank_picture_scene *s, const crank_picture_line *line,
                              int i, int row, double part, double out[3]);
/* The body that a camera follows if the scene names none: the largest one of a mechanism that
 * leaves its place altogether, every body by more than five times the mechanism's size, and
 * has no traces, which are seen from where the camera stands. -1: there is none. Leaves the
 * bodies elsewhere. */
int crank_picture_traveller(const crank_picture_scene *s);

#endif
