/* sweep_member.c - one run of a study, to its end or until it fails, is stopped or takes too
 * long: all of these are results. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/sweep.h"

#include "base/clock.h"
#include "base/then.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const crank_study *s;
    const crank_study_order *order;
    crank_member *member;
    double began, t; /* clock; time of the last row */
    double *last;    /* scalars: values at the last row */
    bool slow, stop;
} work;

static void take_scalar(work *w, int i, double value, double step)
{
    double *to = &w->member->values[i];
    const bool first = w->member->rows == 0;
    switch (w->s->kept[i].kind) {
    case CRANK_KEPT_MINIMUM:
        *to = first || value < *to ? value : *to;
        break;
    case CRANK_KEPT_MAXIMUM:
        *to = first || value > *to ? value : *to;
        break;
    case CRANK_KEPT_INTEGRAL:
        *to = first ? 0.0 : *to + step * (w->last[i] + value) / 2.0;
        break;
    case CRANK_KEPT_FINAL:
    case CRANK_KEPT_COLUMNS:
        *to = value;
        break;
    }
    w->last[i] = value;
}

static crank_status take_row(crank_run *run, void *user, crank_error *err)
{
    work *w = user;
    const crank_study *s = w->s;
    crank_member *m = w->member;
    const double *values = crank_run_values(run, err);
    const double t = crank_run_time(run);
    if (values == NULL || m->rows >= s->rows) {
        return values == NULL ? CRANK_ENOTFINITE : CRANK_OK;
    }
    for (int i = 0; i < s->scalars; i++) {
        take_scalar(w, i, values[s->kept[i].column], t - w->t);
    }
    double *row = m->values + s->scalars + (size_t)m->rows * (size_t)s->columns;
    for (int i = 0; i < s->columns; i++) {
        row[i] = values[s->kept[s->scalars + i].column];
    }
    w->t = t;
    m->rows++;
    return CRANK_OK;
}

static crank_status before_step(crank_run *run, void *user, crank_error *err)
{
    work *w = user;
    (void)run;
    w->stop = w->order->stop != NULL && w->order->stop(w->order->user);
    w->slow = w->s->limit > 0.0 && crank_clock_seconds() - w->began > w->s->limit;
    return w->stop || w->slow ? crank_fail(err, CRANK_EINTERRUPTED, "stopped") : CRANK_OK;
}

/* What is kept of the end of a run that an event stopped between rows. */
static void take_end(work *w, crank_run *run)
{
    const crank_study *s = w->s;
    const double *values = crank_run_values(run, NULL);
    for (int i = 0; i < s->scalars && values != NULL; i++) {
        if (crank_run_time(run) > w->t || s->kept[i].kind == CRANK_KEPT_FINAL) {
            take_scalar(w, i, values[s->kept[i].column], crank_run_time(run) - w->t);
        }
    }
}

static crank_status go(work *w, crank_run *run, crank_error *err)
{
    const crank_study *s = w->s;
    crank_run_rows rows;
    const crank_run_visitor visitor = {.before = before_step, .row = take_row, .user = w};
    double *point = calloc((size_t)s->design.factor_count + 1, sizeof *point);
    crank_status status = point != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "a member");
    if (status == CRANK_OK) {
        crank_design_point(&s->design, w->member->index, point);
    }
    for (int i = 0; i < s->design.factor_count && status == CRANK_OK; i++) {
        status = crank_run_set(run, s->design.factor[i].name, point[i], err);
    }
    free(point);
    CRANK_THEN(status, crank_run_divide(run, 0.0, s->intervals, &rows, err));
    CRANK_THEN(status, crank_run_visit(run, &rows, &visitor, err));
    return status;
}

crank_status crank_member_run(const crank_study *s, crank_run *run,
                              const crank_study_order *order, crank_member *m, crank_error *err)
{
    work w = {.s = s, .order = order, .member = m, .began = crank_clock_seconds()};
    crank_error why = {0};
    w.last = calloc((size_t)s->scalars + 1, sizeof *w.last);
    if (w.last == NULL) {
        return crank_fail(err, CRANK_EMEM, "a member of a study");
    }
    m->rows = 0;
    m->reason[0] = '\0';
    m->status = CRANK_MEMBER_DONE;
    for (size_t i = 0; i < crank_member_size(s); i++) {
        m->values[i] = (double)NAN;
    }
    const crank_status status = go(&w, run, &why);
    if (status == CRANK_OK && crank_run_stopped(run)) {
        m->status = CRANK_MEMBER_STOPPED;
        (void)snprintf(m->reason, sizeof m->reason, "stopped by an event at t = %.10g",
                       crank_run_time(run));
        take_end(&w, run);
    } else if (w.slow) {
        m->status = CRANK_MEMBER_SLOW;
        (void)snprintf(m->reason, sizeof m->reason, "more than %g s, at t = %.10g", s->limit,
                       crank_run_reached(run));
    } else if (status != CRANK_OK) {
        m->status = CRANK_MEMBER_FAILED;
        (void)snprintf(m->reason, sizeof m->reason, "%.240s",
                       why.text[0] != '\0' ? why.text : crank_status_text(status));
    }
    for (int i = 0; i < s->scalars && m->status >= CRANK_MEMBER_FAILED; i++) {
        m->values[i] = (double)NAN; /* of a part of the way they would say nothing */
    }
    free(w.last);
    return w.stop && !w.slow ? crank_fail(err, CRANK_EINTERRUPTED, "interrupted") : CRANK_OK;
}
