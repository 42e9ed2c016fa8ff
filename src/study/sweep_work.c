/* sweep_work.c - the members of a study that no log has yet, in threads. Which thread takes
 * which member changes nothing but the order of the log, which nobody reads. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/sweep.h"

#include "base/blame.h"
#include "base/clock.h"
#include "base/then.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct work {
    const crank_study *s;
    const crank_study_order *order;
    int64_t *todo; /* members */
    int fd;        /* of the log */
    double began;
    pthread_mutex_t lock; /* of what follows */
    crank_study_progress progress;
    crank_status status;
    crank_error err;
} work;

static bool goes_on(work *w)
{
    (void)pthread_mutex_lock(&w->lock);
    if (w->status == CRANK_OK && w->order->stop != NULL && w->order->stop(w->order->user)) {
        w->status = crank_fail(&w->err, CRANK_EINTERRUPTED, "interrupted");
    }
    const bool on = w->status == CRANK_OK;
    (void)pthread_mutex_unlock(&w->lock);
    return on;
}

/* The member is known: into the log, and told. */
static void note(work *w, const crank_member *m, crank_status status, const crank_error *err)
{
    (void)pthread_mutex_lock(&w->lock);
    if (status != CRANK_OK && w->status == CRANK_OK) {
        w->status = status;
        w->err = *err;
    }
    if (w->status == CRANK_OK) {
        w->status = crank_log_append(w->s, w->fd, m, &w->err);
    }
    if (w->status == CRANK_OK) {
        crank_study_progress *p = &w->progress;
        p->done++;
        p->failed += m->status == CRANK_MEMBER_FAILED ? 1 : 0;
        p->slow += m->status == CRANK_MEMBER_SLOW ? 1 : 0;
        p->seconds = crank_clock_seconds() - w->began;
        if (w->order->progress != NULL) {
            w->order->progress(p, w->order->user);
        }
    }
    (void)pthread_mutex_unlock(&w->lock);
}

static crank_status one(crank_run *run, int i, void *user, crank_error *err)
{
    work *w = user;
    crank_member m = {.index = w->todo[i]};
    if (!goes_on(w)) {
        return CRANK_OK;
    }
    m.values = malloc((crank_member_size(w->s) + 1) * sizeof *m.values);
    const crank_status status = m.values != NULL
                                    ? crank_member_run(w->s, run, w->order, &m, err)
                                    : crank_fail(err, CRANK_EMEM, "a member of a study");
    note(w, &m, status, err);
    free(m.values);
    return CRANK_OK;
}

/* Members of this shard that are in no log. */
static crank_status list(work *w, int *count, crank_error *err)
{
    const crank_study_order *o = w->order;
    crank_logs logs;
    crank_status status = crank_logs_open(w->s, o->out, &logs, err);
    *count = 0;
    w->todo = malloc((size_t)w->s->design.count * sizeof *w->todo);
    if (status == CRANK_OK && w->todo == NULL) {
        status = crank_fail(err, CRANK_EMEM, "a study");
    }
    for (int64_t i = o->shard - 1; i < w->s->design.count && status == CRANK_OK;
         i += o->shards) {
        w->progress.count++;
        if (logs.place[i].file < 0) {
            w->todo[(*count)++] = i;
        } else {
            w->progress.done++;
        }
    }
    w->progress.before = w->progress.done;
    w->progress.failed = o->shards == 1 ? logs.failed : 0;
    w->progress.slow = o->shards == 1 ? logs.slow : 0;
    crank_logs_close(&logs);
    return status;
}

static crank_status check(const crank_study *s, const crank_study_order *o, crank_error *err)
{
    if (o->size != sizeof *o || s->model == NULL || o->out == NULL) {
        return crank_fail(err, CRANK_EARG,
                          "the order of a study: made by its default function, with a result, "
                          "after open");
    }
    if (o->threads < 1) {
        return crank_fail(err, CRANK_EARG, "%d threads", o->threads);
    }
    return o->shard >= 1 && o->shard <= o->shards
               ? CRANK_OK
               : crank_fail(err, CRANK_EARG, "shard %d of %d: 1 <= shard <= shards", o->shard,
                            o->shards);
}

crank_status crank_study_work(const crank_study *s, const crank_study_order *order,
                              crank_study_progress *progress, crank_error *err)
{
    crank_error own = {0};
    work w = {.s = s, .order = order, .fd = -1, .began = crank_clock_seconds()};
    int count = 0;
    err = err != NULL ? err : &own;
    crank_status status = crank_blame_caller(err, check(s, order, err));
    if (status != CRANK_OK) {
        return status;
    }
    w.fd = crank_log_begin(s, order, err); /* first: nobody else does the same shard then */
    status = w.fd >= 0 ? list(&w, &count, err) : CRANK_EFILE;
    if (status == CRANK_OK && count > 0) {
        crank_run_options options = s->options;
        options.settings = NULL; /* they are in the model */
        options.setting_count = 0;
        options.log = (crank_log){0};
        (void)pthread_mutex_init(&w.lock, NULL);
        status = crank_run_each(s->model, &options, count, order->threads, one, &w, err);
        if (w.status != CRANK_OK) {
            status = w.status;
            *err = w.err;
        }
        (void)pthread_mutex_destroy(&w.lock);
    }
    if (w.fd >= 0) {
        (void)close(w.fd);
    }
    free(w.todo);
    if (progress != NULL) {
        *progress = w.progress;
    }
    return status;
}

crank_status crank_study_missing(const crank_study *s, const char *out, int64_t *missing,
                                 crank_error *err)
{
    crank_logs logs;
    const crank_status status = crank_logs_open(s, out, &logs, err);
    *missing = s->design.count - logs.found;
    crank_logs_close(&logs);
    return status;
}

crank_status crank_study_remove_logs(const crank_study *s, const char *out, crank_error *err)
{
    crank_logs logs;
    const crank_status status = crank_logs_open(s, out, &logs, err);
    for (int i = 0; i < logs.count && status == CRANK_OK; i++) {
        (void)unlink(logs.path[i]);
    }
    crank_logs_close(&logs);
    return status;
}
