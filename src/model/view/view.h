/* view.h - the `view:` section of a model file of any kind, as records: what is drawn besides
 * or instead of the model's own bodies, colours, shapes, camera, first plots. Expressions that
 * are not constant become columns of results. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_VIEW_H
#define CRANK_SRC_VIEW_H

#include "model/mechanism/mechanism.h"

/* A number, or a column of results. */
typedef struct crank_view_value {
    const char *column; /* NULL: a number */
    double number;
} crank_view_value;

typedef enum crank_solid_kind {
    CRANK_SOLID_BOX,      /* size: edges */
    CRANK_SOLID_CYLINDER, /* size: radius, length; along z, as the next two */
    CRANK_SOLID_CONE,
    CRANK_SOLID_CAPSULE, /* length without its caps */
    CRANK_SOLID_SPHERE,  /* size: radius */
    CRANK_SOLID_TUBE,    /* between end[0] and end[1]; size: radius, 0: by the scene's size */
    CRANK_SOLID_MESH,
    CRANK_SOLID_RING /* size: radius, radius of its wire; about z */
} crank_solid_kind;

typedef struct crank_mesh crank_mesh;
typedef struct crank_scene_shape {
    crank_solid_kind kind;
    double size[3], end[2][3];
    double at[3], orientation[4]; /* of its middle, body axes */
    const char *color;            /* "#rrggbb"; NULL: the body's */
    double opacity;               /* 0: the body's */
    bool guessed;
    const crank_mesh *mesh;
} crank_scene_shape;

// clang-format off
enum { CRANK_POSE_X, CRANK_POSE_Y, CRANK_POSE_Z, CRANK_POSE_ANGLE, CRANK_POSE_Q0,
 CRANK_POSE_Q1, CRANK_POSE_Q2,
       CRANK_POSE_Q3, CRANK_POSES };
// clang-format on

typedef struct crank_scene_body {
    const char *name;
    const crank_node *key; /* of view: */
    bool placed[CRANK_POSES];
    crank_view_value pose[CRANK_POSES];
    double center[3];
    const char *color; /* NULL: the viewer's choice */
    double opacity;    /* 0: nothing shines through, as 1 */
    int part;          /* number of its colour, where the viewer chooses */
    bool hide, has_shapes;
    int shape_count;
    crank_scene_shape *shape;
    double x[3], R[9]; /* origin and axes at the start, for the size of the scene */
} crank_scene_body;

typedef struct crank_view_line {
    const char *name, *color;
    int count;
    crank_view_value (*point)[3];
    double width; /* 0: not given */
    int body;     /* in whose axes the points are; -1: the world's */
    bool spring;
    bool around; /* does not count for what the camera is to hold */
} crank_view_line;

typedef struct crank_view_trace {
    const char *name, *color;
    const crank_node *node; /* of the body's name, NULL: point in the world */
    const char *body_name;
    int body; /* set by crank_scene_apply */
    crank_view_value point[3];
} crank_view_trace;

/* columns in one plot, or the two of a phase portrait */
typedef struct crank_view_panel {
    int count;
    const char **name;
    const crank_node **node;
} crank_view_panel;

typedef struct crank_view_column {
    const char *name, *unit; /* "view.rod.x", "m" */
    crank_ex ex;
    const crank_node *node;
} crank_view_column;

typedef struct crank_view {
    const crank_node *node;
    bool spatial; /* something has a z or a quaternion */
    bool has_up, has_camera, has_plots, has_phase;
    double up[3], from[3], to[3];
    const char *preset; /* of the camera; NULL: not given */
    const crank_node *follow;
    int body_count, line_count, trace_count, plot_count, phase_count;
    crank_scene_body *body;
    crank_view_line *line;
    crank_view_trace *trace;
    crank_view_panel *plot, *phase;
    int column_count, column_capacity;
    crank_view_column *column;
} crank_view;

/* Who reads it: where records are kept, how scalars become numbers and expressions. */
typedef struct crank_view_reader {
    crank_store *store;
    crank_pool *pool;
    int dimension;      /* 2 or 3; 0: the view itself decides */
    const char *path;   /* of the file in which it stands; NULL: none */
    crank_files *files; /* meshes that are read are added */
    crank_status (*number)(void *user, const crank_node *node, const char *object, double *out,
                           crank_error *err);
    crank_status (*expression)(void *user, const crank_node *node, const char *object,
                               crank_ex *out, crank_error *err);
    /* the column that an expression is by itself; NULL: none */
    const char *(*column)(void *user, crank_ex ex);
    void *user;
} crank_view_reader;

/* `title`; *out stays as it is where there is none. */
crank_status crank_title_read(const crank_node *node, const char **out, crank_error *err);
/* node: the section. The record lives in the reader's store. */
crank_status crank_view_read(const crank_view_reader *reader, const crank_node *node,
                             crank_view **out, crank_error *err);

/* ---- view_values.c: pieces of it ---- */

typedef struct crank_view_work {
    const crank_view_reader *reader;
    crank_view *view;
    crank_error *err;
} crank_view_work;

crank_status crank_view_no_memory(const crank_view_work *w);
/* EMODEL at a node: 'view, body "rod", color: ...'; key NULL: of the object as a whole. */
crank_status crank_view_fail(const crank_view_work *w, const crank_node *node,
                             const char *object, const char *key, const char *format, ...)
    CRANK_PRINTF(5, 6);
/* It is a mapping whose keys the table has. */
crank_status crank_view_keys(const crank_view_work *w, const crank_node *node,
                             const char *object, const crank_key_spec *keys);
crank_status crank_view_list(const crank_view_work *w, const crank_node *node,
                             const char *object, const char *key, int least, int most);
crank_status crank_view_number(const crank_view_work *w, const crank_node *node,
                               const char *object, const char *key, double *out);
/* Two or three numbers; in models of dimension 3 three. */
crank_status crank_view_vector(const crank_view_work *w, const crank_node *node,
                               const char *object, const char *key, double out[3]);
crank_status crank_view_orientation(const crank_view_work *w, const crank_node *node,
                                    const char *object, const char *key, double out[4]);
/* "#rrggbb" from that or a name. */
crank_status crank_view_color(const crank_view_work *w, const crank_node *node,
                              const char *object, const char **out);
crank_status crank_view_flag(const crank_view_work *w, const crank_node *node,
                             const char *object, const char *key, bool *out);
/* An expression: its value, or a new column of this name. */
crank_status crank_view_expression(const crank_view_work *w, const crank_node *node,
                                   const char *object, const char *key, const char *column,
                                   const char *unit, crank_view_value *out);
/* More than 0, at most 1. */
crank_status crank_view_opacity(const crank_view_work *w, const crank_node *node,
                                const char *object, double *out);
/* A list of shapes (view_shapes.c). */
crank_status crank_view_shapes(const crank_view_work *w, const crank_node *node,
                               const char *object, crank_scene_body *body);

/* ---- view_keys.c ---- */

extern const crank_key_spec crank_keys_view[], crank_keys_camera[], crank_keys_view_body[],
    crank_keys_view_shape[], crank_keys_view_line[], crank_keys_view_trace[];

#endif
