/* types_joints.c - the list of joints: a new one is a file in joints/ and two lines here. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build.h"

extern const crank_joint_type crank_joint_revolute, crank_joint_prismatic,
    crank_joint_cylindrical, crank_joint_spherical, crank_joint_universal, crank_joint_planar,
    crank_joint_fixed, crank_joint_screw, crank_joint_distance, crank_joint_revolute_spherical,
    crank_joint_point_on_line, crank_joint_point_in_plane, crank_joint_parallel_axes,
    crank_joint_gear, crank_joint_mesh, crank_joint_rack_and_pinion, crank_joint_coupler,
    crank_joint_driver, crank_joint_point_driver, crank_joint_rolling_disc,
    crank_joint_rolling_sphere, crank_joint_skate, crank_joint_curve, crank_joint_surface,
    crank_joint_profile, crank_joint_free, crank_joint_track, crank_joint_wheel_rail;

const crank_joint_type *const crank_joint_types[] = {
    &crank_joint_revolute,
    &crank_joint_prismatic,
    &crank_joint_cylindrical,
    &crank_joint_spherical,
    &crank_joint_universal,
    &crank_joint_planar,
    &crank_joint_fixed,
    &crank_joint_screw,
    &crank_joint_distance,
    &crank_joint_revolute_spherical,
    &crank_joint_point_on_line,
    &crank_joint_point_in_plane,
    &crank_joint_parallel_axes,
    &crank_joint_gear,
    &crank_joint_mesh,
    &crank_joint_rack_and_pinion,
    &crank_joint_coupler,
    &crank_joint_driver,
    &crank_joint_point_driver,
    &crank_joint_rolling_disc,
    &crank_joint_rolling_sphere,
    &crank_joint_skate,
    &crank_joint_curve,
    &crank_joint_surface,
    &crank_joint_profile,
    &crank_joint_free,
    &crank_joint_track,
    &crank_joint_wheel_rail,
    NULL,
};
