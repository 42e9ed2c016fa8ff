/* legs.h - relays (relay.h) over model files. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_LEGS_H
#define CRANK_TESTS_LEGS_H

#include "one_state.h"
#include "relay.h"

typedef struct leg {
    const char *path, *method;
    const char *option[3]; /* name=value */
    double t_end;          /* 0: the file's */
    int steps;             /* at most */
    bool ends_in_failure;
} leg;

static inline void leg_set(crank_options *options, const char *text)
{
    char name[64] = "";
    crank_error err = {0};
    const size_t length = (size_t)(strchr(text, '=') - text);
    memcpy(name, text, length);
    CHECK_OK(crank_options_set(options, name, text + length + 1, &err), err);
}

static inline bool leg_compiled(const leg *l)
{
    return strcmp(l->method, "compiled") == 0;
}

/* the options that the file and the leg ask for */
static inline void leg_settle(const leg *l, const crank_state *model, relay *r)
{
    const crank_simulate *simulate = crank_model_simulate(crank_state_model(model));
    crank_error err = {0};
    r->options = crank_options_default();
    CHECK_OK(crank_method_resolve(leg_compiled(l) ? "psf-radau" : l->method, &r->formulation,
                                  &r->integrator, &r->options, &err),
             err);
    for (int i = 0; i < simulate->option_count; i++) {
        CHECK_OK(crank_options_set(&r->options, simulate->options[i].name,
                                   simulate->options[i].value, &err),
                 err);
    }
    for (int i = 0; i < 3 && l->option[i] != NULL; i++) {
        leg_set(&r->options, l->option[i]);
    }
    r->t_end = l->t_end > 0.0 ? l->t_end : simulate->t_end;
}

static inline crank_status leg_read(const leg *l, crank_accelerations accelerations,
                                    crank_state **model, crank_error *err)
{
    crank_model_options options = crank_model_options_default();
    options.accelerations = accelerations;
    options.compile = leg_compiled(l);
    return one_state_read(l->path, &options, model, err);
}

static inline crank_status leg_open(const relay *r, relay_equations *e, crank_error *err)
{
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    crank_status status = leg_read(r->data, r->options.accelerations, &e->model, err);
    if (status != CRANK_OK) {
        return status;
    }
    e->eom = crank_state_eom(e->model);
    e->t0 = crank_model_simulate(crank_state_model(e->model))->t_start;
    const size_t n = (size_t)crank_eom_unknowns(e->eom);
    e->x0 = calloc(n, sizeof *e->x0);
    assert_non_null(e->x0);
    memcpy(e->x0, crank_state_start(e->model), n * sizeof *e->x0);
    initial.fixing = crank_model_fixing(crank_state_model(e->model));
    status = crank_eom_initialize(e->eom, e->t0, e->x0, &initial, &report, (crank_log){0}, err);
    return status == CRANK_OK ? crank_state_begin(e->model, e->t0, e->x0, err) : status;
}

static inline void leg_close(const relay *r, relay_equations *e)
{
    (void)r;
    one_state_close(e->model);
    free(e->x0);
}

static inline relay leg_relay(const leg *l)
{
    relay r = {.open = leg_open,
               .close = leg_close,
               .data = l,
               .steps = l->steps,
               .ends_in_failure = l->ends_in_failure};
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(leg_read(l, CRANK_ACCELERATIONS_AUTO, &model, &err), err);
    leg_settle(l, model, &r);
    one_state_close(model);
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
