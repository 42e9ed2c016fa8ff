/* test_threads.c - one handle, one thread: several threads run models, their own or shared
 * ones, at the same time, and each gets bit for bit what a single thread gets. Worth most under
 * the thread sanitizer. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/run.h>

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 8, UNKNOWNS = 64, COLUMNS = 64 };

typedef struct job {
    const char *path, *method, *option, *value;
    double t_end;
} job;

/* dense, sparse, redundant, singular value decompositions, invariants, a model that is wrong, a
 * run that stops */
static const job jobs[] = {
    {"models/slider-crank/slider-crank.yaml", "psf-radau", "rtol", "1e-6", 1.0},
    {"models/slider-crank/slider-crank.yaml", "geoms", "rtol", "1e-4", 1.0},
    {"models/slider-crank/redundant.yaml", "psf-radau", "rtol", "1e-6", 0.5},
    {"models/slider-crank/singular.yaml", "psf-radau", "rtol", "1e-6", 3.0},
    {"models/pendulum/pendulum.yaml", "gmkssol", "rtol", "1e-6", 1.0},
    {"models/pendulum/pendulum-energy.yaml", "psf-radau", "rtol", "1e-6", 1.0},
    {"models/inclined-skate/inclined-skate.yaml", "peom1-radau", "rtol", "1e-6", 1.0},
    {"models/chain/chain-10.yaml", "psf-radau", "linear_algebra", "sparse", 0.5},
    {"models/chain/chain-10.yaml", "psf-radau", "linear_algebra", "dense", 0.5},
    {"models/academic/academic.yaml", "psf-radau", "rtol", "1e-10", 1.4}, /* depends on time */
    {"models/chain/README.md", "psf-radau", "rtol", "1e-6", 1.0},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

typedef struct outcome {
    crank_status status;
    crank_error err;
    int messages; /* of the log */
    double t, x[UNKNOWNS], columns[COLUMNS];
    crank_statistics statistics;
} outcome;

static void count_message(crank_level level, const char *text, void *user)
{
    (void)level;
    (void)text;
    (*(int *)user)++;
}

/* shared: the model that all threads run; NULL: each reads the file */
static void work(const job *j, const crank_model *shared, outcome *o)
{
    const crank_setting option = {j->option, j->value};
    crank_run_options options = crank_run_options_default();
    crank_run *run = NULL;
    memset(o, 0, sizeof *o);
    options.method = j->method;
    options.options = &option;
    options.option_count = 1;
    options.t_end = j->t_end;
    options.log = (crank_log){.write = count_message, .user = &o->messages};
    o->status = shared == NULL ? crank_run_open(j->path, &options, &run, &o->err)
                               : crank_run_open_model(shared, &options, &run, &o->err);
    if (o->status == CRANK_OK) {
        const size_t n = (size_t)crank_eom_unknowns(crank_run_eom(run));
        const size_t columns = (size_t)crank_run_column_count(run);
        assert_true(n <= UNKNOWNS && columns <= COLUMNS);
        o->status = crank_run_advance(run, j->t_end, &o->err);
        (void)crank_run_look(run, crank_run_reached(run), NULL);
        o->t = crank_run_time(run);
        o->statistics = crank_integrator_statistics(crank_run_integrator(run));
        memcpy(o->x, crank_run_state(run), n * sizeof *o->x);
        memcpy(o->columns, crank_run_values(run, NULL), columns * sizeof *o->columns);
    }
    o->statistics.seconds = 0.0;
    crank_run_close(run);
}

typedef struct worker {
    pthread_t thread;
    int first; /* job to begin with */
    crank_model *const *shared;
    outcome done[JOBS];
} worker;

static void *work_all(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < JOBS; i++) {
        const int which = (w->first + i) % JOBS;
        work(&jobs[which], w->shared[which], &w->done[which]);
    }
    return NULL;
}

static void check_same(const outcome *a, const outcome *b)
{
    assert_int_equal(a->status, b->status);
    if (a->status != CRANK_OK) {
        assert_string_equal(a->err.text, b->err.text);
    }
    assert_int_equal(a->messages, b->messages);
    assert_memory_equal(&a->t, &b->t, sizeof a->t);
    assert_memory_equal(a->x, b->x, sizeof a->x);
    assert_memory_equal(a->columns, b->columns, sizeof a->columns);
    assert_memory_equal(&a->statistics, &b->statistics, sizeof a->statistics);
}

static void threads_get_what_a_single_thread_gets(void **state)
{
    static outcome alone[JOBS];
    static worker workers[THREADS];
    crank_model *none[JOBS] = {NULL}, *shared[JOBS] = {NULL};
    for (int i = 0; i < JOBS; i++) {
        crank_error err = {0};
        work(&jobs[i], NULL, &alone[i]);
        (void)crank_model_read(jobs[i].path, NULL, &shared[i], &err); /* NULL: it is wrong */
    }
    /* the jobs do what they are here for */
    for (int i = 0; i < JOBS; i++) {
        const bool stops = strstr(jobs[i].path, "singular") != NULL;
        const bool wrong = strstr(jobs[i].path, "README") != NULL;
        check_status(alone[i].status,
                     stops   ? CRANK_ESINGULAR
                     : wrong ? CRANK_ESYNTAX
                             : CRANK_OK,
                     &alone[i].err, jobs[i].path, __FILE__, __LINE__);
    }
    /* together from the same job on, and each from another one; with models of their own, and
     * with the same one */
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < THREADS; i++) {
            workers[i].shared = round / 2 % 2 == 0 ? shared : none;
            workers[i].first = round % 2 * i * JOBS / THREADS;
            assert_int_equal(pthread_create(&workers[i].thread, NULL, work_all, &workers[i]),
                             0);
        }
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            for (int k = 0; k < JOBS; k++) {
                check_same(&workers[i].done[k], &alone[k]);
            }
        }
    }
    for (int i = 0; i < JOBS; i++) {
        crank_model_destroy(shared[i]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_get_what_a_single_thread_gets),
    };
    return CHECK_RUN(argc, argv, tests);
}
