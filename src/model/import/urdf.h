/* urdf.h - what the files of the URDF importer share: urdf.c (links, joints, transmissions),
 * urdf_loops.c (ways in which loops are closed), urdf_side.c (a file that closes them),
 * urdf_shapes.c (what is drawn). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_URDF_H
#define CRANK_SRC_URDF_H

#include "model/import/robot.h"

/* xyz and rpy of an element (NULL: none) */
crank_status crank_urdf_origin(crank_robot *r, const crank_xml *e, crank_frame *out);
/* type, limit, dynamics of a joint or of what closes a loop; the axis is read by the caller. */
crank_status crank_urdf_joint_type(crank_robot *r, const crank_xml *e,
                                   crank_robot_joint *joint);
crank_status crank_urdf_joint_details(crank_robot *r, const crank_xml *e,
                                      crank_robot_joint *joint);

crank_status crank_urdf_loops(crank_robot *r, crank_xml *robot);
/* urdf_side.c: what a file beside the robot's closes, moves and says of joints. */
crank_status crank_urdf_side_file(crank_robot *r, const crank_xml *robot);

crank_status crank_urdf_visuals(crank_robot *r, const crank_xml *robot, crank_robot_link *link);

#endif
