/* motion.h - a mechanism from a text, through the front door: made consistent and integrated;
 * values of its columns by name. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_MOTION_H
#define CRANK_TESTS_MOTION_H

#include "check.h"
#include "one_state.h"

#include <crank/run.h>

#include "eom/eom.h"

#include <math.h>
#include <string.h>

/* two rods that hang together, in the plane z = 0 */
#define DOUBLE_SPATIAL                                                                         \
    "crank: mechanism\n"                                                                       \
    "gravity: [0, -9.81, 0]\n"                                                                 \
    "bodies:\n"                                                                                \
    "  upper: {mass: 1, shape: {rod: 1}, position: [0.5, 0, 0],\n"                             \
    "    orientation: {axis: [0, 1, 0], angle: 90 deg}}\n"                                     \
    "  lower: {mass: 0.7, shape: {rod: 0.8}, position: [1, 0.4, 0],\n"                         \
    "    orientation: {axis: [1, 0, 0], angle: 90 deg}}\n"                                     \
    "joints:\n"                                                                                \
    "  hip: {type: revolute, between: [ground, upper], at: [0, 0, 0], axis: [0, 0, 1]}\n"      \
    "  knee: {type: revolute, between: [upper, lower], at: [1, 0, 0], axis: [0, 0, 1]}\n"

typedef struct motion {
    crank_model *read;
    crank_run *run;
    crank_state *model;
    crank_eom *eom;
    const double *x; /* the present state */
} motion;

static inline crank_state *read_text(const char *text)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("test", text, strlen(text), NULL, &model, &err), err);
    return model;
}

/* reads, makes consistent, begins; tolerance and end do not count if it does not go on */
static inline motion begin(const char *text, double tolerance, double t_end)
{
    motion m = {0};
    crank_error err = {0};
    crank_run_options options = crank_run_options_default();
    options.method = "psf-radau";
    options.t_end = t_end > 0.0 ? t_end : 1.0;
    CHECK_OK(crank_model_read_text("test", text, strlen(text), NULL, &m.read, &err), err);
    CHECK_OK(crank_run_open_model(m.read, &options, &m.run, &err), err);
    if (t_end > 0.0) {
        crank_run_settled(m.run)->rtol = crank_run_settled(m.run)->atol = tolerance;
        CHECK_OK(crank_run_start(m.run, &err), err);
    }
    CHECK_OK(crank_run_initialize(m.run, &err), err);
    m.model = crank_run_model_state(m.run);
    m.eom = crank_run_eom(m.run);
    m.x = crank_run_state(m.run);
    return m;
}

static inline void go(motion *m, double t)
{
    crank_error err = {0};
    CHECK_OK(crank_run_advance(m->run, t, &err), err);
}

static inline void end(motion *m)
{
    crank_run_close(m->run);
    crank_model_destroy(m->read);
}

static inline double column(const motion *m, const char *name)
{
    const double value = crank_run_value(m->run, name);
    if (isnan(value)) {
        fail_msg("no column %s", name);
    }
    return value;
}

static inline double energy(const motion *m)
{
    return column(m, "energy.kinetic") + column(m, "energy.potential");
}

#endif
