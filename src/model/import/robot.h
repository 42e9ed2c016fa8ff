/* robot.h - a robot as URDF and MJCF know it: links, joints between frames of links, and what
 * acts along joints. Importers fill it, robot_tree.c makes the tree of a mechanism file of it;
 * exporters fill it from a mechanism and write it.
 *
 * A joint has a frame F in the first link and one, G, in the second, which coincide where its
 * coordinate is zero; its axis has the same components in both. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_ROBOT_H
#define CRANK_SRC_ROBOT_H

#include "model/import/import.h"

enum { CRANK_ROBOT_GROUND = -1 };

typedef enum crank_robot_kind {
    CRANK_ROBOT_FIXED,
    CRANK_ROBOT_REVOLUTE,
    CRANK_ROBOT_PRISMATIC,
    CRANK_ROBOT_SPHERICAL,
    CRANK_ROBOT_PLANAR,
    CRANK_ROBOT_FREE, /* no constraint: where the second link starts */
    CRANK_ROBOT_CYLINDRICAL,
    CRANK_ROBOT_UNIVERSAL
} crank_robot_kind;

typedef struct crank_robot_shape {
    const char *kind; /* "box", "cylinder", "sphere", "capsule", "mesh" */
    int sizes;
    double size[3]; /* as `view` wants them; of a mesh its scale */
    const char *file;
    crank_frame at;
    const char *color; /* "#rrggbb", NULL: none */
    double opacity;    /* 1: nothing shines through */
    const crank_xml *e;
} crank_robot_shape;

typedef struct crank_robot_link {
    const char *name;
    const crank_xml *e;
    double mass;
    crank_frame inertial; /* centre of mass and axes of the tensor */
    double inertia[6];    /* xx, yy, zz, xy, xz, yz */
    int shape_count, shape_capacity;
    crank_robot_shape *shape;
    /* found by crank_robot_check */
    int by;              /* the joint that carries it; -1: none */
    crank_frame start;   /* in the world, all coordinates at their start */
    bool closes;         /* it, or what it carries, closes a loop */
    double mass_behind;  /* with all that it carries */
    double reach_behind; /* how far that is from its origin, at most */
} crank_robot_link;

typedef struct crank_robot_joint {
    const char *name;
    const crank_xml *e;
    crank_robot_kind kind;
    int first, second; /* links; CRANK_ROBOT_GROUND */
    crank_frame frame[2];
    double axis[3];  /* in the frames, a unit vector */
    double axis2[3]; /* of a universal joint, or if it is unaligned: that in G */
    bool unaligned;  /* F and G do not coincide: axis and axis2 do, by the shortest turn */
    bool loop;       /* closes a loop; else it carries its second link */
    double start, start_rate;
    bool started; /* start is given */
    bool limited;
    double lower, upper;
    double effort, velocity; /* limits; 0: not given */
    double stop_stiffness, stop_damping;
    double damping, friction, stiffness, rest;
    double zero;         /* what the file calls the coordinate where it is zero here */
    double rotor, ratio; /* inertia and turns per turn */
    bool motor;          /* a force along it is an input */
} crank_robot_joint;

/* sum factor_k coordinate_k = offset + sum higher_i coordinate_1^i, i = 2, 3, 4 */
typedef struct crank_robot_coupling {
    const char *name;
    const crank_xml *e;
    int count, joint[4];
    double factor[4], offset;
    bool curved;
    double higher[3];
} crank_robot_coupling;

typedef struct crank_robot_bushing {
    const char *name;
    const crank_xml *e;
    int link[2];
    crank_frame frame[2];
    double stiffness[6], damping[6];
} crank_robot_bushing;

/* A motor apart from its joint's: force = gear control, |control| <= limit. */
typedef struct crank_robot_motor {
    const char *name;
    const crank_xml *e;
    int joint;
    double gear, lower, upper; /* of the control */
    bool limited;
    double kp, kd; /* of a servo: force = kp (control/gear - q) - kd q'; 0: the control is it */
    bool rate;     /* that is kp (control/gear - q') */
    bool bounded;  /* the input itself lies between these */
    double range[2];
} crank_robot_motor;

typedef struct crank_robot_part {
    int joint;
    double factor;
} crank_robot_part;

/* A force along a sum of coordinates, L = sum factor_k q_k, on each joint factor_k times
 * f = gain u + bias[0] + bias[1] s + bias[2] L', s = L beyond rest[0] .. rest[1]; with a lag
 * not of u but of an activation a, lag a' = u - a. */
typedef struct crank_robot_pull {
    const char *name;
    const crank_xml *e;
    int count;
    const crank_robot_part *part;
    double gain, bias[3], rest[2]; /* gain 0: there is no input u */
    double lag;                    /* 0: none */
    bool bounded, limited;
    double range[2], limit[2]; /* of u, of f */
} crank_robot_pull;

/* sum over `one` = polynomial of the sum over `two` */
typedef struct crank_robot_tie {
    const char *name;
    const crank_xml *e;
    int count[2];
    const crank_robot_part *part[2];
    double polynomial[5];
} crank_robot_tie;

typedef struct crank_robot {
    crank_import *im;
    const char *name;
    double gravity[3];
    int link_count, link_capacity;
    crank_robot_link *link;
    crank_robot_link ground; /* shapes alone */
    int joint_count, joint_capacity;
    crank_robot_joint *joint;
    int coupling_count, coupling_capacity;
    crank_robot_coupling *coupling;
    int bushing_count, bushing_capacity;
    crank_robot_bushing *bushing;
    int motor_count, motor_capacity;
    crank_robot_motor *motor;
    int pull_count, pull_capacity;
    crank_robot_pull *pull;
    int tie_count, tie_capacity;
    crank_robot_tie *tie;
    crank_index link_names, joint_names, motor_names, bushing_names;
    /* names as the file has them */
    crank_index raw_links, raw_joints;
} crank_robot;

/* robot.c: a link or joint more, with these defaults; NULL: out of memory. raw: its name in the
 * file, refused if it is there twice. */
crank_robot_link *crank_robot_add_link(crank_robot *r, const crank_xml *e, const char *raw);
crank_robot_joint *crank_robot_add_joint(crank_robot *r, const crank_xml *e, const char *raw);
/* Stiffness and damping of the ends of a joint's range: as given, or by its effort and speed, or by
 * what it carries. */
void crank_robot_stop(const crank_robot *r, const crank_robot_joint *joint, double *stiffness,
                      double *damping);
crank_robot_coupling *crank_robot_add_coupling(crank_robot *r, const crank_xml *e);
crank_robot_bushing *crank_robot_add_bushing(crank_robot *r, const crank_xml *e,
                                             const char *raw);
crank_robot_motor *crank_robot_add_motor(crank_robot *r, const crank_xml *e, const char *raw);
crank_robot_pull *crank_robot_add_pull(crank_robot *r, const crank_xml *e, const char *raw);
crank_robot_tie *crank_robot_add_tie(crank_robot *r, const crank_xml *e, const char *raw);
crank_robot_shape *crank_robot_add_shape(crank_robot *r, crank_robot_link *link,
                                         const crank_xml *e, const char *kind);
/* The link or joint of a name in the file; EMODEL if there is none. */
crank_status crank_robot_find_link(crank_robot *r, const crank_xml *e, const char *raw,
                                   int *out);
crank_status crank_robot_find_joint(crank_robot *r, const crank_xml *e, const char *raw,
                                    int *out);
/* A unit vector; EMODEL if it is zero. What is not of length one is a finding. */
crank_status crank_robot_unit(crank_robot *r, const crank_xml *e, const char *attribute,
                              double axis[3]);
/* The file of a mesh, as the robot's file would name it; NULL: there is none, or no memory. */
const char *crank_robot_find_mesh(crank_robot *r, const char *name);
/* A mesh that is to be drawn: found as a file beside the robot's, or named in a finding.
 * package://NAME/... is looked for without the package, too. */
crank_status crank_robot_mesh(crank_robot *r, crank_robot_link *link, const crank_xml *e,
                              const char *name, crank_robot_shape **out);
/* Every link hangs on exactly one joint that is not a loop's, without circles; starts, and what
 * is carried. */
crank_status crank_robot_check(crank_robot *r);
/* robot_moved.c: motors, pulls and ties in a tree. */
void crank_robot_moved(crank_robot *r, crank_node *root, crank_node *forces);
/* robot_tree.c: the tree of a mechanism file. */
crank_status crank_robot_tree(crank_robot *r, const crank_node **root);

#endif
