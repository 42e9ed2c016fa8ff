/* scene.h - how a model looks: bodies with shapes, joints, forces, lines and traces, as
 * docs/develop/page.md tells. A kind of model fills a crank_scene, crank_scene_apply adds what
 * the file's `view:` says, crank_model_keep_scene makes JSON of it.
 *
 * Names of columns, texts and arrays belong to whoever fills the record and live until it is
 * written. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SCENE_H
#define CRANK_SRC_SCENE_H

#include "model/view/mesh.h"
#include "model/view/view.h"

typedef struct crank_scene_joint {
    const char *name, *type, *glyph;
    int body[2]; /* -1: ground */
    double point[2][3];
    bool has_axis;
    double axis[2][3];
    double radius;   /* 0: none */
    double pitch[2]; /* radii of the pitch circles of gears, below 0: internal; 0: none */
    bool has_reaction, joint_axes;
    double frame[4]; /* of the components in joint axes */
} crank_scene_joint;

typedef struct crank_scene_force {
    const char *name, *type, *glyph;
    int body[2];
    double point[2][3];
    const char *value;        /* column, NULL: none */
    const char *component[3]; /* columns, NULL: none */
    bool has_direction, in_body;
    double direction[3];
    double radius; /* 0: none */
} crank_scene_force;

typedef struct crank_scene {
    int dimension;
    double up[3], size, scale, center[3];
    int body_count;
    crank_scene_body *body;
    int joint_count, force_count, line_count, trace_count;
    const crank_scene_joint *joint;
    const crank_scene_force *force;
    const crank_view_line *line;
    const crank_view_trace *trace;
    int plot_count, phase_count;
    const crank_view_panel *plot, *phase;
    const char *preset; /* of the camera; NULL: none */
    bool has_camera;
    double from[3], to[3];
    int follow; /* -1: none */
} crank_scene;

/* The box around everything at the start. */
typedef struct crank_scene_box {
    bool any;
    double low[3], high[3];
} crank_scene_box;

/* Radii of tubes and balls that have none, in parts of the scale. */
static const double CRANK_SCENE_TUBE = 0.012, CRANK_SCENE_BALL = 0.022;

void crank_scene_extend(crank_scene_box *box, const double point[3]);
/* Where a point of a body is at the start, in the world. */
void crank_scene_place(const crank_scene_body *body, const double at[3], double out[3]);
/* By the shapes of a body where it is at the start. */
void crank_scene_extend_body(crank_scene_box *box, const crank_scene_body *body);
/* size, scale, center, and radii of tubes and balls that have none. reach: how far bodies reach
 * on average, 0: not known. */
void crank_scene_measure(crank_scene *scene, const crank_scene_box *box, double reach);

/* Columns of the model by name, and their values at the start (NULL: not known). */
typedef struct crank_scene_columns {
    int count;
    const char *const *name;
    const double *start;
} crank_scene_columns;

/* Adds what `view:` says to a scene whose bodies are those of the model; room for
 * view->body_count more must be there. EMODEL with the place where a name means nothing. */
crank_status crank_scene_apply(crank_scene *scene, const crank_view *view,
                               const crank_scene_columns *columns, crank_store *store,
                               crank_scene_box *box, crank_error *err);
/* The scene's text into the model. */
crank_status crank_model_keep_scene(crank_model *model, const crank_scene *scene,
                                    crank_error *err);

#endif
