/* mechanism.h - a mechanism from a text, for tests: start values, columns by name, random
 * states, runs. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_MECHANISM_H
#define CRANK_TESTS_MECHANISM_H

#include "check.h"
#include "one_state.h"
#include "unit/linalg/random.h"

#include <crank/crank.h>

#include <stdio.h>

enum { MECHANISM_MAX = 800 };

typedef struct mechanism {
    crank_state *model;
    crank_eom *eom;
    int n;
    double t, x[MECHANISM_MAX];
    crank_error err;
} mechanism;

static inline crank_status mechanism_try(mechanism *m, const char *text)
{
    const crank_model_options options = crank_model_options_default();
    *m = (mechanism){0};
    return one_state_read_text("test", text, strlen(text), &options, &m->model, &m->err);
}

/* reads and finds consistent values */
static inline void mechanism_begin(mechanism *m, const char *text)
{
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    const crank_log silent = {0};
    CHECK_OK(mechanism_try(m, text), m->err);
    m->eom = crank_state_eom(m->model);
    m->n = crank_eom_unknowns(m->eom);
    assert_true(m->n <= MECHANISM_MAX &&
                crank_model_column_count(crank_state_model(m->model)) <= MECHANISM_MAX);
    memcpy(m->x, crank_state_start(m->model), (size_t)m->n * sizeof *m->x);
    initial.fixing = crank_model_fixing(crank_state_model(m->model));
    initial.max_change = 0.0; /* the tests say roughly where things are */
    CHECK_OK(crank_eom_initialize(m->eom, 0.0, m->x, &initial, &report, silent, &m->err),
             m->err);
    CHECK_OK(crank_state_begin(m->model, 0.0, m->x, &m->err), m->err);
}

static inline void mechanism_end(mechanism *m)
{
    one_state_close(m->model);
    m->model = NULL;
}

/* a column of the results at (m->t, m->x) */
static inline double mechanism_value(mechanism *m, const char *name)
{
    double values[MECHANISM_MAX];
    CHECK_OK(crank_state_columns(m->model, m->t, m->x, values, &m->err), m->err);
    for (int i = 0; i < crank_model_column_count(crank_state_model(m->model)); i++) {
        if (strcmp(crank_model_column_name(crank_state_model(m->model), i), name) == 0) {
            return values[i];
        }
    }
    fail_msg("there is no column %s", name);
    return 0.0;
}

static inline int mechanism_column(const mechanism *m, const char *name)
{
    for (int i = 0; i < m->n; i++) {
        if (strcmp(crank_eom_column_name(m->eom, i), name) == 0) {
            return i;
        }
    }
    fail_msg("there is no unknown %s", name);
    return -1;
}

/* all unknowns in [-1, 1), quaternions of unit length */
static inline void mechanism_random(mechanism *m, random_source *r)
{
    random_fill(r, m->n, m->x);
    for (int i = crank_eom_column(m->eom, CRANK_P); i < m->n; i++) {
        const char *name = crank_eom_column_name(m->eom, i);
        size_t length = strlen(name);
        if (length > 3 && strcmp(name + length - 3, ".q0") == 0) {
            double *q = m->x + i;
            double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (int k = 0; k < 4; k++) {
                q[k] /= size;
            }
        }
    }
}

/* integrates on to t by a method with an option of its own (NULL: none); m->x and m->t
 * follow */
static inline void mechanism_run_by(mechanism *m, const char *method,
                                    const crank_setting *option, double t, double tolerance)
{
    crank_run *run = NULL;
    crank_run_options options = crank_run_options_default();
    options.method = method;
    options.t_end = t;
    options.options = option;
    options.option_count = option != NULL ? 1 : 0;
    CHECK_OK(crank_run_open_eom(m->eom, m->t, m->x, &options, &run, &m->err), m->err);
    crank_options *o = crank_run_settled(run);
    o->rtol = o->atol = tolerance;
    o->check_initial = false;
    CHECK_OK(crank_run_advance(run, t, &m->err), m->err);
    memcpy(m->x, crank_run_state(run), (size_t)m->n * sizeof *m->x);
    m->t = t;
    crank_run_close(run);
}

static inline void mechanism_run(mechanism *m, double t, double tolerance)
{
    const crank_setting plain = {"tolerance_transform", "off"};
    mechanism_run_by(m, "psf-radau", &plain, t, tolerance);
}

#endif
