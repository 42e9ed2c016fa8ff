/* watch.c - events of the caller's beside those of the model: the integrator has one list of
 * functions, those of the model first. See events of crank/run.h's options. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"

#include "base/then.h"
#include "model/events.h"

#include <string.h>

static crank_events own_events(const crank_run *run)
{
    return run->model_state != NULL ? crank_state_events(run->model_state) : (crank_events){0};
}

/* user: the run */
static crank_status evaluate_all(void *user, double t, const double *x, double *values,
                                 crank_error *err)
{
    const crank_run *run = user;
    const crank_events own = own_events(run);
    const crank_status status = own.evaluate(own.user, t, x, values, err);
    return status == CRANK_OK
               ? run->watched.evaluate(run->watched.user, t, x, values + own.count, err)
               : status;
}

/* of both lists at once, in the run's store */
static crank_status join(crank_run *run, const crank_events *own, crank_events *out,
                         crank_error *err)
{
    const crank_events *lists[] = {own, &run->watched};
    const size_t count = (size_t)own->count + (size_t)run->watched.count;
    const char **name = crank_store_take(&run->store, count, sizeof *name);
    signed char *direction = crank_store_take(&run->store, count, sizeof *direction);
    bool *barrier = crank_store_take(&run->store, count, sizeof *barrier);
    bool *of_time = crank_store_take(&run->store, count, sizeof *of_time);
    bool *of_states = crank_store_take(&run->store, count, sizeof *of_states);
    if (run->store.failed) {
        return crank_fail(err, CRANK_EMEM, "%zu events", count);
    }
    for (size_t i = 0; i < count; i++) {
        const crank_events *list = lists[i >= (size_t)own->count];
        const size_t j = i - (list == own ? 0 : (size_t)own->count);
        name[i] = list->name[j];
        direction[i] = (signed char)(list->direction != NULL ? list->direction[j] : 0);
        barrier[i] = list->barrier != NULL && list->barrier[j];
        of_time[i] = list->of_time != NULL && list->of_time[j];
        of_states[i] = list->of_states != NULL && list->of_states[j];
    }
    *out = (crank_events){.count = (int)count,
                          .evaluate = evaluate_all,
                          .name = name,
                          .direction = direction,
                          .barrier = barrier,
                          .user = run,
                          .of_time = of_time,
                          .of_states = of_states,
                          .apart = own->apart};
    return CRANK_OK;
}

crank_status crank_run_set_events(crank_run *run, crank_error *err)
{
    const crank_events own = own_events(run);
    crank_events all = own.count > 0 ? own : run->watched;
    crank_status status = CRANK_OK;
    if (own.count > 0 && run->watched.count > 0) {
        status = join(run, &own, &all, err);
    }
    return status == CRANK_OK && all.count > 0
               ? crank_integrator_set_events(run->integrator, &all, err)
               : status;
}

static bool any(const signed char *happened, int count)
{
    bool found = false;
    for (int i = 0; i < count; i++) {
        found = found || happened[i] != 0;
    }
    return found;
}

crank_status crank_run_change_at_events(crank_run *run, double t, crank_event_outcome *outcome,
                                        crank_error *err)
{
    const int own = own_events(run).count;
    const signed char *happened = crank_integrator_events(run->integrator);
    crank_status status = CRANK_OK;
    bool stop = false;
    if (any(happened, own)) {
        status = crank_state_change_at_events(run->model_state, happened, t, run->state,
                                              outcome, err);
    }
    if (run->asked.happen != NULL && any(happened + own, run->watched.count)) {
        CRANK_THEN(status, run->asked.happen(run->watched.user, happened + own, t, run->state,
                                             &stop, err));
    }
    outcome->stop = outcome->stop || stop;
    return status;
}
