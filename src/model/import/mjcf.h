/* mjcf.h - what the files of the MJCF importer share: mjcf.c (the file, includes),
 * mjcf_settings.c (what counts for all of it), mjcf_values.c (defaults, orientations), mjcf_bodies.c (bodies, joints), mjcf_geoms.c (shapes
 * and what they weigh), mjcf_meshes.c (meshes likewise), mjcf_tendons.c, mjcf_ties.c
 * (equalities), mjcf_actuators.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MJCF_H
#define CRANK_SRC_MJCF_H

#include "model/import/robot.h"

/* a frame of a body that equalities may name */
typedef struct crank_mjcf_site {
    crank_xml *e;
    int link; /* CRANK_ROBOT_GROUND: the world */
    crank_frame at;
} crank_mjcf_site;

/* a fixed one: a sum of coordinates, as they count here */
typedef struct crank_mjcf_tendon {
    const char *name;
    int count;
    crank_robot_part *part;
    double zero; /* what the file calls the sum where that is zero here */
} crank_mjcf_tendon;

typedef struct crank_mjcf {
    crank_robot *r;
    const crank_xml *root;
    double angle;   /* of the file's angles, in rad: 1 or pi/180 */
    bool global;    /* coordinates are those of the world */
    bool unlimited; /* autolimits="false": a range alone is no limit */
    int from_geoms; /* inertiafromgeom: -1 auto, 0 false, 1 true */
    char euler[4];
    const char *mesh_folder; /* NULL: none */
    bool exact_meshes;       /* exactmeshinertia */
    double groups[2];        /* of geoms that are weighed: inertiagrouprange */
    /* boundmass, boundinertia, settotalmass (not above zero: none), balanceinertia */
    double least_mass, least_inertia, total_mass;
    bool balance;
    struct {
        bool gravity, equality, limit, friction, spring, damper, actuation, control_limit;
    } off; /* <flag NAME="disable"> */
    int site_count, site_capacity;
    crank_mjcf_site *site;
    int tendon_count, tendon_capacity;
    crank_mjcf_tendon *tendon;
} crank_mjcf;

/* ---- mjcf_settings.c ---- */

crank_status crank_mjcf_compiler(crank_mjcf *m);
crank_status crank_mjcf_option(crank_mjcf *m);
/* a body's own mass and inertia, when known, and those of all when all are read */
void crank_mjcf_correct_weight(const crank_mjcf *m, crank_robot_link *link);
void crank_mjcf_total_mass(crank_mjcf *m);

/* ---- mjcf_values.c ---- */

/* Where elements stand: their body's class for defaults, and the frame that positions in the
 * file are seen from, in axes of the body. */
typedef struct crank_mjcf_place {
    const char *childclass; /* NULL: main */
} crank_mjcf_place;

/* The element that gives an attribute: e itself, or the default of its class; NULL: none. kind:
 * name of the element in defaults. */
const crank_xml *crank_mjcf_owner(const crank_mjcf *m, const crank_xml *e, const char *kind,
                                  const char *childclass, const char *attribute);
/* The attribute itself; NULL: not given. */
const char *crank_mjcf_get(const crank_mjcf *m, const crank_xml *e, const char *kind,
                           const char *childclass, const char *attribute);
/* As crank_xml_numbers, defaults included; *given (may be NULL) tells whether it is. */
crank_status crank_mjcf_numbers(const crank_mjcf *m, const crank_xml *e, const char *kind,
                                const char *childclass, const char *attribute, int count,
                                double *out, bool *given);
/* The same with at most so many. */
crank_status crank_mjcf_list(const crank_mjcf *m, const crank_xml *e, const char *kind,
                             const char *childclass, const char *attribute, int most,
                             double *out, int *found);
/* pos and one of quat, axisangle, euler, xyaxes, zaxis. */
crank_status crank_mjcf_frame(const crank_mjcf *m, const crank_xml *e, const char *kind,
                              const char *childclass, crank_frame *out);

/* ---- mjcf_bodies.c ---- */

crank_status crank_mjcf_bodies(crank_mjcf *m, const crank_xml *world);

/* ---- mjcf_geoms.c ---- */

/* The geoms of a body, drawn, and weighed if it has no inertial. at: the frame they are in, in
 * axes of the body. */
typedef struct crank_mjcf_weight {
    double mass, moment[3]; /* sum of m c */
    double inertia[6];      /* about the body's origin: xx, yy, zz, xy, xz, yz */
} crank_mjcf_weight;
crank_status crank_mjcf_geom(crank_mjcf *m, const crank_xml *e, const char *childclass,
                             const crank_frame *at, crank_robot_link *link,
                             crank_mjcf_weight *weight);
void crank_mjcf_weigh(const crank_mjcf_weight *weight, crank_robot_link *link);

/* What a geom of this volume has per volume: by its mass, or its density; not below zero. */
crank_status crank_mjcf_density(const crank_mjcf *m, const crank_xml *e, const char *childclass,
                                double volume, double *out);
/* "#rrggbb", and *opacity; NULL: not given */
const char *crank_mjcf_color(const crank_mjcf *m, const crank_xml *e, const char *childclass,
                             double *opacity);

/* ---- mjcf_meshes.c ---- */

/* A geom that is a mesh; at: its frame in axes of the body. Weighed unless weight is NULL. */
crank_status crank_mjcf_mesh(crank_mjcf *m, const crank_xml *e, const char *childclass,
                             const crank_frame *at, crank_robot_link *link,
                             crank_mjcf_weight *weight);

/* ---- mjcf_tendons.c ---- */

/* fixed tendons, with their springs and dampers */
crank_status crank_mjcf_tendons(crank_mjcf *m, const crank_xml *tendon);
/* by an attribute of e; those that are not fixed are not there */
crank_status crank_mjcf_find_tendon(const crank_mjcf *m, const crank_xml *e,
                                    const char *attribute, const crank_mjcf_tendon **out);

/* ---- mjcf_ties.c ---- */

crank_status crank_mjcf_equalities(crank_mjcf *m, const crank_xml *equality);

/* ---- mjcf_actuators.c ---- */

crank_status crank_mjcf_actuators(crank_mjcf *m, const crank_xml *actuator);

#endif
