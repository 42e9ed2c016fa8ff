/* legs.h - relays (relay.h) over model files. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_LEGS_H
#define CRANK_TESTS_LEGS_H

#include "relay.h"

typedef struct leg {
    const char *path, *method;
    const char *option[3]; /* name=value */
    double t_end;          /* 0: the file's */
    int steps;             /* at most */
    bool ends_in_failure;
} leg;

static inline bool leg_compiled(const leg *l)
{
    return strcmp(l->method, "compiled") == 0;
}

static inline crank_status leg_run(const leg *l, crank_run **run, crank_error *err)
{
    crank_run_options options = crank_run_options_default();
    crank_setting option[3];
    char name[3][64] = {""};
    for (int i = 0; i < 3 && l->option[i] != NULL; i++) {
        const char *equals = strchr(l->option[i], '=');
        memcpy(name[i], l->option[i], (size_t)(equals - l->option[i]));
        option[options.option_count++] = (crank_setting){name[i], equals + 1};
    }
    options.options = option;
    options.method = leg_compiled(l) ? "psf-radau" : l->method;
    options.compile = leg_compiled(l);
    return crank_run_open(l->path, &options, run, err);
}

static inline crank_status leg_open(const relay *r, relay_equations *e, crank_error *err)
{
    crank_status status = leg_run(r->data, &e->run, err);
    if (status == CRANK_OK) {
        status = crank_run_initialize(e->run, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    const crank_run_beginning start = crank_run_get_beginning(e->run);
    e->model = crank_run_model_state(e->run);
    e->eom = crank_run_eom(e->run);
    e->t0 = start.t;
    const size_t n = (size_t)crank_eom_unknowns(e->eom);
    e->x0 = calloc(n, sizeof *e->x0);
    assert_non_null(e->x0);
    memcpy(e->x0, start.x, n * sizeof *e->x0);
    return crank_state_begin(e->model, e->t0, e->x0, err);
}

static inline void leg_close(const relay *r, relay_equations *e)
{
    (void)r;
    crank_run_close(e->run);
    free(e->x0);
}

static inline relay leg_relay(const leg *l)
{
    relay r = {.open = leg_open,
               .close = leg_close,
               .data = l,
               .steps = l->steps,
               .ends_in_failure = l->ends_in_failure};
    crank_run *run = NULL;
    crank_error err = {0};
    CHECK_OK(leg_run(l, &run, &err), err);
    const crank_run_method method = crank_run_get_method(run);
    r.options = *crank_run_settled(run);
    r.formulation = method.formulation;
    r.integrator = method.integrator;
    r.t_end = l->t_end > 0.0 ? l->t_end : crank_run_end(run);
    crank_run_close(run);
    return r;
}

/* Relays along all legs; what the runs met on their way. */
static inline crank_statistics legs_check(const leg *l, size_t count)
{
    crank_statistics statistics = {0};
    for (size_t i = 0; i < count; i++) {
        relay r = leg_relay(&l[i]);
        r.statistics = &statistics;
        (void)relay_check(&r, l[i].path);
    }
    return statistics;
}

#endif
