/* test_import_memory.c - reading robots when memory runs out: an error at every allocation, and
 * no leak. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "fault/allocation_counter.h"
#include "model/import/import.h"

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
    "</worldbody><tendon><fixed name='t' stiffness='1' springlength='0 1'><joint joint='j' "
    "coef='2'/><joint joint='l' coef='1'/></fixed></tendon><equality><joint joint1='l' "
    "joint2='j'/><tendon tendon1='t'/></equality><actuator><motor joint='j'/><position "
    "tendon='t' ctrlrange='0 1' forcerange='-1 1'/></actuator></mujoco>\n",
};

static void every_allocation_may_fail(void **state)
{
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        bool failed = true;
        int64_t n = 0;
        for (; failed && n < 2000; n++) {
            crank_store store = {0};
            crank_files files = {0};
            crank_error err = {0};
            const crank_node *root = NULL;
            crank_import im = {.store = &store, .files = &files, .err = &err};
            allocation_counter_fail(n);
            const crank_status status =
                crank_import_xml(&im, samples[s], strlen(samples[s]), &root);
            failed = allocation_counter_failed();
            CHECK_STATUS(status, failed ? CRANK_EMEM : CRANK_OK);
            crank_store_free(&files.store);
            crank_store_free(&store);
        }
        assert_false(failed);
        assert_true(n > 10); /* expat's, and blocks of the store */
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return CHECK_RUN(argc, argv, tests);
}
