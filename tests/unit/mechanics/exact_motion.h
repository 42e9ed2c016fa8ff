/* exact_motion.h - mechanisms that move as an exact solution says, for tests of joints.
 *
 * Runs have the tolerance 1e-10; over about a second their global error stays below 1e-8 of
 * values of size one to ten. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_EXACT_MOTION_H
#define CRANK_TESTS_EXACT_MOTION_H

#include "mechanism.h"

static const double tolerance = 1e-10, global = 1e-8, g = 9.81;

typedef struct expected {
    const char *column;
    double value;
} expected;

/* runs to t and compares columns; the list ends with NULL */
static inline void check_run(const char *text, double t, const expected *list)
{
    mechanism m;
    double residual[3];
    mechanism_begin(&m, text);
    mechanism_run(&m, t, tolerance);
    for (; list->column != NULL; list++) {
        double value = mechanism_value(&m, list->column);
        if (!(fabs(value - list->value) <= global * (1.0 + fabs(list->value)))) {
            fail_msg("%s is %.12g instead of %.12g in\n%s", list->column, value, list->value,
                     text);
        }
    }
    CHECK_OK(crank_eom_residuals(m.eom, m.t, m.x, residual, &m.err), m.err);
    CHECK_NEAR(residual[0], 0.0, 1e-13);
    CHECK_NEAR(residual[1], 0.0, 1e-13);
    mechanism_end(&m);
}
#define CHECK_MOTION(text, t, ...)                                                             \
    do {                                                                                       \
        const expected list[] = {__VA_ARGS__, {NULL, 0.0}};                                    \
        check_run(text, t, list);                                                              \
    } while (0)

#define HEAD      "crank: mechanism\n"
#define GRAVITY   "gravity: [0, 0, -9.81]\n"
#define GRAVITY_2 "dimension: 2\ngravity: [0, -9.81]\n"

#endif
