/* each.c - many runs of one model, in several threads. See crank/run.h.
 *
 * Threads take the next number as they get ready, so that long runs do not hold up short ones;
 * which thread takes which changes nothing, since runs share the constant model alone. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/then.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct errand {
    const crank_model *model;
    const crank_run_options *options;
    crank_run_each_fn *each;
    void *user;
    int count;
    atomic_int next;
} errand;

typedef struct worker {
    pthread_t thread;
    errand *shared;
    int failed; /* number of its first failure, which is */
    crank_status status;
    crank_error err;
} worker;

static int take(errand *shared)
{
    return atomic_fetch_add(&shared->next, 1);
}

static void *work(void *argument)
{
    worker *w = argument;
    errand *shared = w->shared;
    for (int i = take(shared); i < shared->count; i = take(shared)) {
        crank_run *run = NULL;
        crank_error err = {0};
        crank_status status = crank_run_open_model(shared->model, shared->options, &run, &err);
        CRANK_THEN(status, shared->each(run, i, shared->user, &err));
        crank_run_close(run);
        if (status == CRANK_EINTERRUPTED) {
            atomic_store(&shared->next, shared->count); /* nobody begins another one */
        }
        if (status != CRANK_OK && w->status == CRANK_OK) {
            w->failed = i;
            w->status = status;
            w->err = err;
        }
    }
    return NULL;
}

crank_status crank_run_each(const crank_model *model, const crank_run_options *options,
                            int count, int threads, crank_run_each_fn *each, void *user,
                            crank_error *err)
{
    if (count < 0 || threads < 1) {
        return crank_fail(err, CRANK_EARG, "%d runs in %d threads", count, threads);
    }
    const int most = threads < count ? threads : count;
    errand shared = {model, options, each, user, count, 0};
    worker *workers = calloc((size_t)most + 1, sizeof *workers);
    if (workers == NULL) {
        return crank_fail(err, CRANK_EMEM, "%d threads", threads);
    }
    int others = 0;
    workers[0].shared = &shared;
    while (others + 1 < most) {
        worker *w = &workers[others + 1];
        w->shared = &shared;
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            break; /* the system has no more: those that there are do all */
        }
        others++;
    }
    (void)work(&workers[0]);
    const worker *first = &workers[0];
    for (int k = 1; k <= others; k++) {
        const worker *w = &workers[k];
        (void)pthread_join(w->thread, NULL);
        if (w->status != CRANK_OK && (first->status == CRANK_OK || w->failed < first->failed)) {
            first = w;
        }
    }
    const crank_status status = first->status;
    if (status != CRANK_OK && err != NULL) {
        *err = first->err;
    }
    free(workers);
    return status;
}
