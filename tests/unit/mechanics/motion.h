/* motion.h - a mechanism from a text, made consistent and integrated; values of its columns by
 * name. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_MOTION_H
#define CRANK_TESTS_MOTION_H

#include "check.h"
#include "one_state.h"

#include "integrate/create.h"
#include <crank/model.h>

#include "eom/eom.h"

#include <stdlib.h>

typedef struct motion {
    crank_state *model;
    crank_eom *eom;
    crank_problem *problem;
    crank_integrator *it;
    double *x, *values;
    double t;
} motion;

static inline crank_state *read_text(const char *text)
{
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("test", text, strlen(text), NULL, &model, &err), err);
    return model;
}

static inline void evaluate(motion *m)
{
    crank_error err = {0};
    CHECK_OK(crank_state_columns(m->model, m->t, m->x, m->values, &err), err);
}

/* reads, makes consistent, begins */
static inline motion begin(const char *text, double tolerance, double t_end)
{
    motion m = {.model = read_text(text)};
    crank_error err = {0};
    m.eom = crank_state_eom(m.model);
    const size_t n = (size_t)m.eom->n;
    m.x = calloc(n + 1, sizeof *m.x);
    m.values = calloc((size_t)crank_model_column_count(crank_state_model(m.model)) + 1,
                      sizeof *m.values);
    assert_true(m.x != NULL && m.values != NULL);
    memcpy(m.x, crank_state_start(m.model), n * sizeof *m.x);
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    initial.fixing = crank_model_fixing(crank_state_model(m.model));
    initial.multipliers = true;
    CHECK_OK(crank_eom_initialize(m.eom, 0.0, m.x, &initial, &report, (crank_log){0}, &err),
             err);
    CHECK_OK(crank_state_begin(m.model, 0.0, m.x, &err), err);
    if (t_end > 0.0) {
        crank_options options = crank_options_default();
        options.rtol = options.atol = tolerance;
        CHECK_OK(
            crank_formulate("psf", m.eom, &options, 0.0, m.x, (crank_log){0}, &m.problem, &err),
            err);
        CHECK_OK(crank_integrator_create("radau", m.problem, &options, &m.it, &err), err);
        CHECK_OK(crank_integrator_start(m.it, 0.0, m.x, t_end, &err), err);
    }
    evaluate(&m);
    return m;
}

static inline void go(motion *m, double t)
{
    crank_error err = {0};
    CHECK_OK(crank_integrator_solve_to(m->it, t, &err), err);
    CHECK_OK(crank_integrator_interpolate(m->it, t, m->x, &err), err);
    m->t = t;
    evaluate(m);
}

static inline void end(motion *m)
{
    crank_integrator_destroy(m->it);
    crank_problem_destroy(m->problem);
    one_state_close(m->model);
    free(m->x);
    free(m->values);
}

static inline int find(const motion *m, const char *name)
{
    for (int i = 0; i < crank_model_column_count(crank_state_model(m->model)); i++) {
        if (strcmp(crank_model_column_name(crank_state_model(m->model), i), name) == 0) {
            return i;
        }
    }
    return -1;
}

static inline double column(const motion *m, const char *name)
{
    const int i = find(m, name);
    if (i < 0) {
        print_error("no column %s\n", name);
        fail();
    }
    return m->values[i];
}

static inline double energy(const motion *m)
{
    return column(m, "energy.kinetic") + column(m, "energy.potential");
}

#endif
