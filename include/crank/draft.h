/* draft.h - a model built in C, without a file: mechanisms from definitions by value, and
 * whatever else a file can say.
 *
 *     crank_draft *draft = crank_draft_create("mechanism");
 *     crank_draft_set(draft, "dimension", "2");
 *     crank_draft_set(draft, "gravity", "[0, -9.81]");
 *     crank_add_body(draft, &(crank_body_def){.name = "rod", .mass = 1, .inertia = {0, 0, 0.1},
 *                                             .position = {0.5, 0}});
 *     crank_add_joint(draft, &(crank_joint_def){.name = "pin", .type = "revolute",
 *                                               .between = {"ground", "rod"}});
 *     status = crank_draft_model(draft, NULL, &model, &err);
 *
 * What is built is the tree that a file would have been read into, so that names, checks,
 * messages (without lines) and meanings are those of model files (docs/formats.md). Members
 * that are zero are not given, as in a file that does not mention them. Errors are kept:
 * crank_draft_model reports the first one. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_DRAFT_H
#define CRANK_DRAFT_H

#include <crank/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crank_draft crank_draft;

enum { CRANK_DEF_KEYS = 12 };

/* A key of the file's with its value as the file would say it: "2", "30 deg", "[0, 1]",
 * "-k*body.rod.x". */
typedef struct crank_key {
    const char *name, *value;
} crank_key;

/* Vectors have three components; planar models (`dimension` must be set before) use the first
 * two. */
typedef struct crank_body_def {
    const char *name;
    double mass;
    /* Ixx, Iyy, Izz about the centre of mass in body axes; planar models use the last */
    double inertia[3];
    double center[3];      /* of mass, from the body's origin, body axes */
    double position[3];    /* of the origin at the start */
    double orientation[4]; /* quaternion, w first */
    double angle;          /* instead, planar */
    double velocity[3],
        angular_velocity[3];        /* world axes; planar models use the last of the latter */
    crank_key keys[CRANK_DEF_KEYS]; /* further ones: type, shape, fixed, ... */
} crank_body_def;

typedef struct crank_joint_def {
    const char *name, *type; /* "revolute" */
    const char *between[2];  /* bodies; "ground" is the world */
    double at[3];            /* for types that have it, also if it is zero */
    double axis[3];
    crank_key keys[CRANK_DEF_KEYS]; /* further ones of the type */
} crank_joint_def;

typedef struct crank_force_def {
    const char *name, *type; /* "spring" */
    const char *between[2];
    crank_key keys[CRANK_DEF_KEYS];
} crank_force_def;

/* kind: "mechanism", "equations" or "dae". NULL: out of memory. */
CRANK_API crank_draft *crank_draft_create(const char *kind);
CRANK_API void crank_draft_destroy(crank_draft *draft);
/* A value at a place of the file, keys with dots between them: ("parameters.k", "4"),
 * ("simulate.t_end", "2"), ("joints.pin.drive", "sin(t)"). A later one for the same place
 * replaces it. */
CRANK_API void crank_draft_set(crank_draft *draft, const char *place, const char *value);
CRANK_API void crank_add_body(crank_draft *draft, const crank_body_def *body);
CRANK_API void crank_add_joint(crank_draft *draft, const crank_joint_def *joint);
CRANK_API void crank_add_force(crank_draft *draft, const crank_force_def *force);
/* The model as it is drawn up so far; the draft may be changed further, or destroyed. */
CRANK_API crank_status crank_draft_model(const crank_draft *draft,
                                         const crank_model_options *options, crank_model **out,
                                         crank_error *err);

#ifdef __cplusplus
}
#endif

#endif
