/* test_threads.c - one handle, one thread: several threads run models, their own or shared
 * ones, at the same time, and each gets bit for bit what a single thread gets. Worth most under
 * the thread sanitizer. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "integrate/create.h"
#include <crank/model.h>

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

static crank_status integrate(const job *j, crank_state *one, outcome *o)
{
    crank_eom *eom = crank_state_eom(one);
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    const char *formulation = NULL, *integrator = NULL;
    const crank_log log = {.write = count_message, .user = &o->messages};
    const int n = crank_eom_unknowns(eom);
    if (n > UNKNOWNS || crank_model_column_count(crank_state_model(one)) > COLUMNS) {
        return crank_fail(&o->err, CRANK_EINTERNAL, "%s is too large for this test", j->path);
    }
    crank_options options = crank_options_default();
    crank_initial_options initial = crank_initial_options_default();
    initial.fixing = crank_model_fixing(crank_state_model(one));
    memcpy(o->x, crank_state_start(one), (size_t)n * sizeof *o->x);
    crank_status status =
        crank_method_resolve(j->method, &formulation, &integrator, &options, &o->err);
    if (status == CRANK_OK) {
        status = crank_options_set(&options, j->option, j->value, &o->err);
    }
    if (status == CRANK_OK) {
        status = crank_eom_initialize(eom, 0.0, o->x, &initial, NULL, log, &o->err);
    }
    if (status == CRANK_OK) {
        status = crank_state_begin(one, 0.0, o->x, &o->err);
    }
    if (status == CRANK_OK) {
        status = crank_formulate(formulation, eom, &options, 0.0, o->x, log, &problem, &o->err);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_create(integrator, problem, &options, &it, &o->err);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_start(it, 0.0, o->x, j->t_end, &o->err);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_solve_to(it, j->t_end, &o->err);
        o->t = crank_integrator_time(it);
        o->statistics = crank_integrator_statistics(it);
        memcpy(o->x, crank_integrator_state(it), (size_t)n * sizeof *o->x);
        crank_error ignored;
        (void)crank_state_columns(one, o->t, o->x, o->columns, &ignored);
    }
    crank_integrator_destroy(it);
    crank_problem_destroy(problem);
    return status;
}

/* shared: the model that all threads run; NULL: each reads the file */
static void work(const job *j, const crank_model *shared, outcome *o)
{
    crank_model *model = NULL;
    crank_state *one = NULL;
    memset(o, 0, sizeof *o);
    o->status = shared == NULL ? crank_model_read(j->path, NULL, &model, &o->err) : CRANK_OK;
    if (o->status == CRANK_OK) {
        o->status = crank_state_create(shared != NULL ? shared : model, &one, &o->err);
    }
    if (o->status == CRANK_OK) {
        o->status = integrate(j, one, o);
    }
    o->statistics.seconds = 0.0;
    crank_state_destroy(one);
    crank_model_destroy(model);
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
