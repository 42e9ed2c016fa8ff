/* build_walk.h - bodies that the file does not place, on their way along joints. theory
 * (5.7) */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BUILD_WALK_H
#define CRANK_SRC_BUILD_WALK_H

#include "mechanics/build_inside.h"

typedef struct crank_pose {
    double x[3], R[9], angle; /* of the centre of mass; angle: of planar bodies */
} crank_pose;

typedef struct crank_walk {
    const crank_builder *b;
    crank_pose *at; /* body_count */
    int *depth;     /* body_count: joints from where the walk began; -1: not reached */
    int *by;   /* body_count: the joint that placed it, or joint_count + the force; -1: none */
    int *rows; /* joint_count + force_count, and all below */
    bool *slides;     /* along its axis, and the file does not say how far */
    bool *strut;      /* slides between two bodies that other joints hold */
    bool *lengthened; /* closes a loop in which others slide */
    bool *oriented;   /* body_count: by joints that let nothing turn, as the file has others, or
                         by build_fit.c */
    bool *fitted;     /* body_count: by build_fit.c */
} crank_walk;

/* build_relations.c: coordinates that gears and their like tell by given ones */
void crank_build_relate(crank_builder *b);

/* build_pose.c: one body by one joint */
crank_pose crank_walk_pose(const crank_walk *w, int body); /* -1: the ground */
crank_pose crank_pose_of(const crank_body_state *state);
void crank_walk_place(crank_walk *w, int joint, int other); /* the joint's other body */
/* What is there already stays bit for bit; arm: from there to the joint. */
void crank_walk_put(crank_walk *w, int body, const crank_pose *next, const double arm[3]);
void crank_walk_about_z(double R[9], double angle);
/* its orientation alone */
void crank_walk_orient(crank_walk *w, int joint, int other);
/* the point of a joint in one of its bodies, and a direction */
void crank_walk_point(const crank_walk *w, const crank_marker *marker, double out[3]);
void crank_walk_direction(const crank_walk *w, const crank_marker *marker, double out[3]);
/* Turns a body about the point by which its joint holds it, by the rotation R. */
void crank_walk_turn(crank_walk *w, int body, const double R[9], double angle);
/* As the joint would orient it (if the file does not), held where its own joint holds it. */
void crank_walk_align(crank_walk *w, int joint, int other);

/* build_fit.c: bodies with a place, by their joints as these stand there, theory (5.8) */
void crank_walk_fit(crank_walk *w);

/* build_slide.c: the other body of the joint that placed a body */
int crank_walk_before(const crank_walk *w, int body);
/* Does the walk not go by the joint, though it has reached both its bodies? */
bool crank_walk_closes(const crank_walk *w, int joint);
/* which joints slide; how far they do where loops are open, true: the walk is to
 * be made again; struts are pointed at what they hold. */
void crank_walk_find_slides(crank_walk *w);
bool crank_walk_drop_struts(crank_walk *w); /* were there some that hold others? */
/* where a strut's two bodies hang: pivot, hinge, hinged of its place */
void crank_walk_hang(const crank_walk *w, crank_joint_place *strut);
bool crank_walk_is_open(const crank_walk *w, int joint); /* both its bodies are reached */
bool crank_walk_lengthen(crank_walk *w);
void crank_walk_aim(crank_walk *w);

#endif
