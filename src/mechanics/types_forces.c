/* types_forces.c - the types of forces: a new one is a file in forces/ and two lines here. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build.h"

extern const crank_force_type crank_force_type_force, crank_force_type_torque,
    crank_force_type_spring, crank_force_type_torsion, crank_force_type_bushing,
    crank_force_type_friction, crank_force_type_tyre, crank_force_type_actuator,
    crank_force_type_stop;

const crank_force_type *const crank_force_types[] = {
    &crank_force_type_force,   &crank_force_type_torque,
    &crank_force_type_spring,  &crank_force_type_torsion,
    &crank_force_type_bushing, &crank_force_type_friction,
    &crank_force_type_tyre,    &crank_force_type_actuator,
    &crank_force_type_stop,    NULL,
};
