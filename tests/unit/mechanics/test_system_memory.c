/* test_system_memory.c - making a mechanism survives lack of memory, evaluating needs none. */
// SPDX-License-Identifier: BSD-3-Clause
#include "motion.h"

#include "fault/allocation_counter.h"

#include <stdio.h>
#include <stdlib.h>

/* joints with and without laws, a loop with redundant rows, work, outputs */
static const char *const texts[] = {
    "crank: mechanism\n"
    "gravity: [0, 0, -10]\n"
    "energy: true\n"
    "parameters: {a: 2, load: 1}\n"
    "bodies: {door: {mass: 30, inertia: [10, 12, 3], position: [0.5, 0, 1], points: {edge: [1, "
    "0, 0]}}}\n"
    "joints:\n"
    "  low: {type: revolute, between: [ground, door], at: [0, 0, 0], axis: [0, 0, 1], drive: "
    "sin(t)}\n"
    "  high: {type: revolute, between: [ground, door], at: [0, 0, a], axis: [0, 0, 1]}\n"
    "forces: {closer: {type: torsion, joint: high, stiffness: 5, damping: 1}}\n"
    "outputs: {far: body.door.x^2 + joint.low.angle, pull: {value: joint.low.tx + lift, unit: "
    "N}, lift: joint.high.fz,\n"
    "  corner: body.door.edge.ax, lean: body.door.roll + body.door.r12, fast: "
    "joint.high.angle_acceleration}\n"
    "events: {open: {when: joint.high.angle - 1, actions: [set: {load: 2*load}, reset: "
    "{joint.high.angle_rate: load}, impact: 0.5, message: open]}}\n"
    "title: door\n"
    "view: {bodies: {door: {color: red}, mark: {x: 2*body.door.x, z: t}}, follow: mark,\n"
    "  lines: {l: {points: [[0, 0, 0], [body.door.x, 0, a]]}}, traces: {tip: {body: door}}}\n",
    "crank: mechanism\n"
    "dimension: 2\n"
    "gravity: [0, -10]\n"
    "repeat: {count: 3, index: i, bodies: {\"b{i}\": {mass: 1, shape: {rod: 1}, position: [i, "
    "0]}},\n"
    "  forces: {\"f{i}\": {type: force, body: \"b{i}\", force: [sin(t), body.b1.y]}}}\n"
    "dynamic: {r: {start: 1, rate: -r}}\n"
    "auxiliary: {w: {start: 0, equation: w - r^2}}\n"
    "nonholonomic: {roll: body.b1.vx - 0.5*body.b2.rate}\n"
    "holonomic: {rail: body.b3.y}\n"
    "forces: {rub: {type: force, body: b3, force: [-lambda.rail*mu.roll, 0]}}\n",
};
enum { TEXTS = 2 * sizeof texts / sizeof texts[0] };

/* the texts in absolute coordinates, then in joint coordinates */
static const char *text_of(int s, char out[3000])
{
    const int count = TEXTS / 2;
    (void)snprintf(out, 3000, "%ssimulate: {coordinates: %s}\n", texts[s % count],
                   s < count ? "absolute" : "joint");
    return out;
}

/* A failure to shrink a block harms nobody: KLU goes on, and the model must be whole. */
static void reading_survives_the_failure_of_every_allocation(void **state)
{
    for (int s = 0; s < TEXTS; s++) {
        char room[3000];
        const char *text = text_of(s, room);
        crank_state *whole = read_text(text);
        for (int64_t n = 0;; n++) {
            crank_state *model = NULL;
            crank_error err = {0};
            allocation_counter_fail(n);
            const crank_status status =
                one_state_read_text("test", text, strlen(text), NULL, &model, &err);
            const bool failed = allocation_counter_failed();
            if (status == CRANK_OK) {
                assert_int_equal(crank_model_column_count(crank_state_model(model)),
                                 crank_model_column_count(crank_state_model(whole)));
            } else {
                CHECK_STATUS(status, CRANK_EMEM);
            }
            one_state_close(model);
            if (!failed) {
                CHECK_OK(status, err);
                break;
            }
        }
        one_state_close(whole);
    }
}

static void evaluating_does_not_allocate(void **state)
{
    for (int s = 0; s < TEXTS; s++) {
        char room[3000];
        motion m = begin(text_of(s, room), 0.0, 0.0);
        const size_t entries = (size_t)m.eom->jacobian_pattern.start[m.eom->n];
        double *k = calloc((size_t)m.eom->m, sizeof *k);
        double *values = calloc(entries, sizeof *values);
        double *columns = calloc((size_t)crank_run_column_count(m.run), sizeof *columns);
        crank_error err = {0};
        assert_true(k != NULL && values != NULL && columns != NULL);
        allocation_counter_arm();
        crank_status status = crank_eom_evaluate(m.eom, 0.1, m.x, k, &err);
        if (status == CRANK_OK) {
            status = m.eom->supplier.jacobian(m.eom->self, 0.1, m.x, NULL, values, &err);
        }
        if (status == CRANK_OK) {
            (void)m.eom->supplier.accepted(m.eom->self, 0.1, m.x, NULL);
            status = crank_state_columns(m.model, 0.1, m.x, columns, &err);
        }
        const crank_events events = crank_state_events(m.model);
        if (status == CRANK_OK && events.count > 0) {
            status = events.evaluate(events.user, 0.1, m.x, k, &err);
        }
        const int64_t count = allocation_counter_disarm();
        CHECK_OK(status, err);
        assert_int_equal(count, 0);
        free(k);
        free(values);
        free(columns);
        end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_survives_the_failure_of_every_allocation),
        cmocka_unit_test(evaluating_does_not_allocate),
    };
    return CHECK_RUN(argc, argv, tests);
}
