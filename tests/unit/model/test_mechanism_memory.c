/* test_mechanism_memory.c - reading a mechanism when memory runs out: an error at every
 * allocation, and no leak. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/yaml.h"
#include "read_mechanism.h"

#include "fault/allocation_counter.h"

static const char *const text =
    "crank: mechanism\n"
    "gravity: [0, 0, -g]\n"
    "parameters: {L: 2*half, half: 0.5, g: 9.81, load: L}\n"
    "inputs: {u: sin(3*t)}\n"
    "let: {heavy: 2*L, turned: 'body.rod.wx + joint.hinge.angle*{half*2}', push: "
    "turned*charge}\n"
    "bodies: {rod: {mass: heavy, inertia: [1, 1, 0.1], position: [L, 0, 0], points: {tip: [1, "
    "0, 0]}}, bob: {type: point}}\n"
    "joints: {hinge: {type: revolute, between: [ground, rod], at: [0, 1, 0], drive: u}}\n"
    "forces: {s: {type: spring, between: [rod, bob], law: length*load, table: [[0, 1], [2, "
    "3]]}}\n"
    "dynamic: {charge: {start: 2*L, rate: -charge}}\n"
    "events: {full: {when: charge - 1, direction: rising, actions: [set: {load: 2*load}, "
    "reset: "
    "{charge: 0}, message: full, stop]}}\n"
    "outputs: {a: {value: push + b, unit: rad}, b: 30 deg}\n"
    "repeat: {count: 300, bodies: {'link{i}': {mass: i, shape: {rod: L}}}}\n"
    "simulate: {t_end: 2*L, rtol: 1e-8}\n";

static void every_allocation_may_fail(void **state)
{
    bool failed = true;
    int64_t n = 0;
    for (; failed && n < 2000; n++) {
        crank_store store = {0};
        crank_model_options options = {.size = sizeof options};
        crank_error err = {0};
        crank_document document;
        crank_files files = {0};
        crank_mechanism m = {.store = &store, .files = &files, .options = &options};
        CHECK_OK(crank_yaml_read(text, strlen(text), &store, &document, &err), err);
        m.pool = crank_pool_create();
        assert_non_null(m.pool);
        allocation_counter_fail(n);
        const crank_status status =
            crank_mechanism_read(&m, &document, NULL, sample_joints, sample_forces, &err);
        failed = allocation_counter_failed();
        CHECK_STATUS(status, failed ? CRANK_EMEM : CRANK_OK);
        crank_pool_destroy(m.pool);
        crank_store_free(&files.store);
        crank_store_free(&store);
    }
    assert_true(n > 20); /* blocks of the store, nodes of the pool, texts of expressions */
    assert_false(failed);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return CHECK_RUN(argc, argv, tests);
}
