/* test_import_memory.c - reading robots when memory runs out: an error at every allocation, and
 * no leak. */
// SPDX-License-Identifier: BSD-3-Clause
#include "read_without_memory.h"

static const char *const samples[] = {
    "<robot name='r'>\n<link name='base'/><link name='a-1'><inertial><mass value='1'/>"
    "<inertia ixx='1' iyy='1' izz='1' ixy='0.1' ixz='0' iyz='0'/></inertial><visual><geometry>"
    "<box size='1 1 1'/></geometry><material name='m'><color rgba='1 0 0 1'/></material>"
    "</visual></link><link name='b'><inertial><origin rpy='1 2 3'/><mass value='1'/><inertia "
    "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    "<joint name='j' type='revolute'><parent link='base'/><child link='a-1'/><limit lower='-1' "
    "upper='1' effort='3'/><dynamics damping='1' friction='1'/></joint>"
    "<joint name='k' type='prismatic'><parent link='a-1'/><child link='b'/><mimic joint='j'/>"
    "</joint><transmission><joint name='j'/><actuator name='m'><mechanicalReduction>2"
    "</mechanicalReduction></actuator></transmission><gazebo/></robot>\n",
    "<mujoco><default><joint damping='1'/></default><worldbody><body name='a'><joint name='j' "
    "axis='0 1 0'/><joint name='k' type='slide'/><geom size='0.1' rgba='1 0 0 1'/><body "
    "name='b' pos='0 0 1'><joint name='l'/><geom type='box' size='1 2 3'/></body></body>"
    "</worldbody><equality><joint joint1='l' joint2='j'/></equality><actuator><motor "
    "joint='j'/></actuator></mujoco>\n",
};

static void every_allocation_may_fail(void **state)
{
    check_reading_without_memory(samples, (int)(sizeof samples / sizeof *samples));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return CHECK_RUN(argc, argv, tests);
}
