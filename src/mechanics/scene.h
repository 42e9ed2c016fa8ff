/* scene.h - the scene of a mechanism: its bodies, joints and forces as docs/develop/page.md
 * tells. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MECHANICS_SCENE_H
#define CRANK_SRC_MECHANICS_SCENE_H

#include "mechanics/output.h"
#include "model/model.h"
#include "model/view/scene.h"

/* The scene as text into the model, whose columns are known. */
crank_status crank_mechanism_scene(crank_model *model, crank_builder *b,
                                   const crank_output_set *set, crank_error *err);

/* scene_road.c: roads of tyres become curves of the builder. */
crank_status crank_scene_roads(crank_builder *b, crank_error *err);

/* ---- scene_guess.c ---- */

/* A point of a body where something is attached to it. */
typedef struct crank_scene_point {
    double at[3]; /* body axes, from the origin */
    const char *glyph;
    bool has_axis, second, force;
    bool paired; /* what it is joined with is a body, too */
    double axis[3], radius;
    double pitch; /* radius of a gear, below 0: internal; 0: none */
} crank_scene_point;

/* Points of all bodies: those of body i from first[i] to first[i + 1] - 1. */
typedef struct crank_scene_points {
    int *first;
    crank_scene_point *point;
} crank_scene_points;

/* How far a body reaches: largest distance of its points from its centre of mass, or of its
 * shapes. */
double crank_scene_reach(const crank_body_record *record, const crank_scene_body *body,
                         const crank_scene_point *point, int count);
/* Shapes for a body to which the file gives none. false: out of memory. */
bool crank_scene_guess(const crank_scene *scene, const crank_body_record *record, bool planar,
                       const crank_scene_point *point, int count, crank_store *store,
                       crank_scene_body *body);

#endif
