/* system_share.c - another system with the same equations: everything that is constant is the
 * first one's, everything that evaluations write is its own. So threads can run one model at
 * the same time. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/assembly.h"
#include "mechanics/events.h"
#include "mechanics/law_inside.h"
#include "mechanics/output.h"

#include <stdlib.h>
#include <string.h>

static double *copy(crank_store *store, const double *from, size_t count)
{
    double *to = crank_store_take(store, count, sizeof *to);
    if (to != NULL && count > 0) {
        memcpy(to, from, count * sizeof *to);
    }
    return to;
}

static bool take_values(crank_system *s, const crank_system *from)
{
    const crank_eom *eom = from->eom;
    const size_t bodies = (size_t)from->body_count, memory = (size_t)from->memory_count,
                 entries = (size_t)eom->jacobian_pattern.start[eom->n];
    s->state = crank_store_take(&s->store, bodies, sizeof *s->state);
    if (s->state != NULL && bodies > 0) {
        memcpy(s->state, from->state, bodies * sizeof *s->state);
    }
    s->memory = copy(&s->store, from->memory_start, memory);
    s->memory_start = copy(&s->store, from->memory_start, memory);
    s->filter_value =
        crank_store_take(&s->store, 2 * (size_t)from->filter_count, sizeof *s->filter_value);
    s->angle_value = crank_store_take(&s->store, 4 * (size_t)from->angle_count, sizeof(double));
    s->watch_value = crank_store_take(&s->store, (size_t)from->watch_count, sizeof(double));
    s->watch_told = crank_store_take(&s->store, (size_t)from->watch_count, sizeof(bool));
    s->pole_scale = copy(&s->store, from->pole_scale, (size_t)from->pole_count);
    s->values = crank_store_take(&s->store, entries + 1, sizeof *s->values);
    s->law_work = crank_law_work_create();
    return s->law_work != NULL && crank_law_work_reserve(s->law_work, from->law_work->size) &&
           crank_system_take_local(s) && s->coordinates.kind->share(s, from) &&
           !s->store.failed;
}

crank_status crank_system_share(const crank_system *from, crank_eom *eom, crank_system **out,
                                crank_error *err)
{
    crank_system *s = malloc(sizeof *s);
    *out = NULL;
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "a state of the mechanism");
    }
    *s = *from;
    s->shared = true;
    s->store = (crank_store){0};
    s->law_work = NULL;
    s->output = NULL;
    s->events = NULL;
    s->assembly = NULL;
    s->eom = eom;
    eom->self = s; /* which destroys it */
    if (!take_values(s, from)) {
        return crank_fail(err, CRANK_EMEM, "a state of the mechanism");
    }
    crank_status status =
        from->assembly != NULL ? crank_assembly_share(from->assembly, s, err) : CRANK_OK;
    if (status == CRANK_OK && from->output != NULL) {
        status = crank_output_share(from->output, s, err);
    }
    if (status == CRANK_OK && from->events != NULL) {
        status = crank_mechanism_events_share(from->events, s, err);
    }
    if (status == CRANK_OK) {
        *out = s;
    }
    return status;
}
