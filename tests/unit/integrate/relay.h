/* relay.h - is a run that is saved, loaded into new objects and continued the same as one that
 * is never stopped?
 *
 * Every step of a run becomes one number, made of all bits that a user can see of it: state,
 * time, step size, error estimate, rows between the steps, columns of results, counters. The
 * run is repeated as a relay, in which after every `every` steps everything is made anew and
 * loaded; its numbers must be the same. A member that is forgotten in an archive shows as the
 * first step at which they differ. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_RELAY_H
#define CRANK_TESTS_RELAY_H

#include "base/archive.h"
#include "check.h"

#include "integrate/create.h"
#include <crank/run.h>

#include <stdlib.h>

enum { RELAY_STEPS = 4000, RELAY_ROWS = 2 };

/* Equations and their start, made anew for every runner. */
typedef struct relay_equations {
    crank_run *run;     /* of a model file */
    crank_state *model; /* of it; NULL: equations in C */
    crank_eom *eom;
    double t0, *x0;
} relay_equations;

struct relay_runner;

typedef struct relay {
    const char *formulation;
    const char *integrator; /* NULL: radau */
    crank_options options;
    double t_end;
    int steps; /* at most */
    bool ends_in_failure;
    crank_status (*open)(const struct relay *relay, relay_equations *equations,
                         crank_error *err);
    void (*close)(const struct relay *relay, relay_equations *equations); /* x0 too */
    const void *data;
    const crank_events *events;                      /* or NULL */
    void (*met)(struct relay_runner *runner, int i); /* behind events, after step i */
    /* added to, at the end of the run that is not stopped; or NULL */
    crank_statistics *statistics;
} relay;

typedef struct relay_runner {
    relay_equations equations;
    crank_problem *problem;
    crank_integrator *it;
} relay_runner;

static inline void relay_silent(crank_level level, const char *text, void *user)
{
    (void)level;
    (void)text;
    (void)user;
}

static inline void relay_drop(const relay *r, relay_runner *runner)
{
    crank_integrator_destroy(runner->it);
    crank_problem_destroy(runner->problem);
    r->close(r, &runner->equations);
}

/* equations, problem and integrator, started; to be dropped in any case */
static inline crank_status relay_try(const relay *r, relay_runner *runner, crank_error *err)
{
    *runner = (relay_runner){0};
    relay_equations *e = &runner->equations;
    const crank_log log = {.write = relay_silent};
    crank_status status = r->open(r, e, err);
    if (status == CRANK_OK) {
        status = crank_formulate(r->formulation, e->eom, &r->options, e->t0, e->x0, log,
                                 &runner->problem, err);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_create(r->integrator != NULL ? r->integrator : "radau",
                                         runner->problem, &r->options, &runner->it, err);
    }
    if (status == CRANK_OK && r->events != NULL) {
        status = crank_integrator_set_events(runner->it, r->events, err);
    }
    return status == CRANK_OK ? crank_integrator_start(runner->it, e->t0, e->x0, r->t_end, err)
                              : status;
}

static inline void relay_make(const relay *r, relay_runner *runner)
{
    crank_error err = {0};
    CHECK_OK(relay_try(r, runner, &err), err);
}

static inline uint64_t relay_hash_statistics(uint64_t hash, const crank_integrator *it)
{
    crank_statistics statistics = crank_integrator_statistics(it);
    statistics.seconds = 0.0;
    return crank_hash(hash, &statistics, sizeof statistics);
}

/* rows of the last step as a user sees them; a row that cannot be made has its status
 * instead */
static inline uint64_t relay_rows(relay_runner *runner)
{
    const double end = crank_integrator_time(runner->it),
                 h = crank_integrator_last_step(runner->it);
    const size_t n = (size_t)crank_problem_given(runner->problem);
    crank_state *model = runner->equations.model;
    const size_t columns =
        model != NULL ? (size_t)crank_model_column_count(crank_state_model(model)) : 0;
    double *x = calloc(n, sizeof *x), *values = calloc(columns + 1, sizeof *values);
    uint64_t hash = CRANK_HASH_START;
    assert_true(x != NULL && values != NULL);
    for (int i = 1; i <= RELAY_ROWS; i++) {
        const double t = i == RELAY_ROWS ? end : end - h * (RELAY_ROWS - i) / RELAY_ROWS;
        int status = crank_integrator_interpolate(runner->it, t, x, NULL);
        if (status == CRANK_OK) {
            hash = crank_hash(hash, x, n * sizeof *x);
        }
        if (status == CRANK_OK && columns > 0) {
            status = crank_state_columns(model, t, x, values, NULL);
            hash = crank_hash(hash, values, columns * sizeof *values);
        }
        hash = crank_hash(hash, &status, sizeof status);
    }
    free(x);
    free(values);
    return relay_hash_statistics(hash, runner->it);
}

/* one step, or after the limit on steps (which then counts anew) a part of one; false: the run
 * is over */
static inline bool relay_step(const relay *r, relay_runner *runner, uint64_t *hash)
{
    crank_error err = {0};
    const crank_status status = crank_integrator_step(runner->it, &err);
    const double seen[] = {crank_integrator_time(runner->it),
                           crank_integrator_last_step(runner->it),
                           crank_integrator_last_error(runner->it), (double)status};
    *hash = crank_hash(CRANK_HASH_START, seen, sizeof seen);
    *hash = crank_hash(*hash, crank_integrator_state(runner->it),
                       (size_t)runner->problem->n * sizeof(double));
    *hash = crank_hash(*hash, err.text, status != CRANK_OK ? strlen(err.text) : 0);
    *hash = relay_hash_statistics(*hash, runner->it);
    const bool goes_on = status == CRANK_OK || status == CRANK_EMAX_STEPS;
    if (!r->ends_in_failure && !goes_on) {
        CHECK_OK(status, err);
    }
    return goes_on && !crank_integrator_finished(runner->it);
}

/* The runner's state goes over into a new one, which takes its place. A new one saves the same
 * bytes. */
static inline void relay_hand_over(const relay *r, relay_runner *runner)
{
    void *data = NULL, *again = NULL;
    size_t size = 0, size_again = 0;
    crank_error err = {0};
    CHECK_OK(crank_integrator_save(runner->it, &data, &size, &err), err);
    relay_drop(r, runner);
    relay_make(r, runner);
    CHECK_OK(crank_integrator_load(runner->it, data, size, &err), err);
    CHECK_OK(crank_integrator_save(runner->it, &again, &size_again, &err), err);
    assert_int_equal(size, size_again);
    assert_memory_equal(data, again, size);
    free(data);
    free(again);
}

/* numbers of one step: itself, its rows, its rows asked for once more */
enum { RELAY_PARTS = 3 };
typedef struct relay_numbers {
    uint64_t part[RELAY_PARTS];
} relay_numbers;

/* The run, with its numbers. every: 0 never stopped; otherwise handed over at the start and
 * after every so many steps, in turn before and between the rows of a step. */
static inline int relay_run(const relay *r, int every, relay_numbers *number)
{
    relay_runner runner;
    int steps = 0;
    bool more = true;
    relay_make(r, &runner);
    if (every > 0) {
        relay_hand_over(r, &runner);
    }
    while (more && steps < r->steps && steps < RELAY_STEPS) {
        uint64_t *part = number[steps].part;
        more = relay_step(r, &runner, &part[0]);
        const bool now = every > 0 && (steps + 1) % every == 0;
        const bool before_rows = (steps / (every > 0 ? every : 1)) % 2 == 0;
        if (now && before_rows) {
            relay_hand_over(r, &runner);
        }
        part[1] = relay_rows(&runner);
        if (now && !before_rows) {
            relay_hand_over(r, &runner);
        }
        part[2] = relay_rows(&runner);
        if (r->met != NULL && crank_integrator_events(runner.it) != NULL) {
            r->met(&runner, steps);
        }
        steps++;
    }
    if (r->statistics != NULL && every == 0) {
        const crank_statistics end = crank_integrator_statistics(runner.it);
        crank_statistics_add(r->statistics, &end);
    }
    relay_drop(r, &runner);
    return steps;
}

/* The relay with two distances is the same as the run; returns its steps. */
static inline int relay_check(const relay *r, const char *name)
{
    static const int distance[] = {1, 7};
    static const char *const words[RELAY_PARTS] = {"step", "row of step", "second row of step"};
    relay_numbers *whole = calloc(RELAY_STEPS, sizeof *whole),
                  *relayed = calloc(RELAY_STEPS, sizeof *relayed);
    assert_true(whole != NULL && relayed != NULL);
    const int steps = relay_run(r, 0, whole);
    for (int d = 0; d < 2; d++) {
        const int relay_steps = relay_run(r, distance[d], relayed);
        for (int i = 0; i < steps && i < relay_steps; i++) {
            for (int part = 0; part < RELAY_PARTS; part++) {
                if (whole[i].part[part] != relayed[i].part[part]) {
                    fail_msg("%s, %s: handed over every %d steps, %s %d of %d differs", name,
                             r->formulation, distance[d], words[part], i + 1, steps);
                }
            }
        }
        assert_int_equal(steps, relay_steps);
    }
    free(whole);
    free(relayed);
    return steps;
}

#endif
