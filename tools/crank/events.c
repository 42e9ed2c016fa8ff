/* events.c - see events.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOLD = 10, LISTED = 8 };

bool run_events_prepare(run_events *e, const session *s)
{
    e->count = crank_state_events(s->state).count;
    e->happened = calloc((size_t)e->count + 1, sizeof *e->happened);
    return e->happened != NULL;
}

void run_events_free(run_events *e)
{
    free(e->happened);
    *e = (run_events){0};
}

crank_status run_events_apply(run_events *e, session *s, crank_event_outcome *outcome,
                              crank_error *err)
{
    const signed char *happened = crank_integrator_events(crank_run_integrator(s->run));

    e->rarest = INT64_MAX;
    for (int i = 0; i < e->count; i++) {
        e->happened[i] += happened[i] != 0 ? 1 : 0;
        e->rarest = happened[i] != 0 && e->happened[i] < e->rarest ? e->happened[i] : e->rarest;
    }
    return crank_run_happen(s->run, outcome, err);
}

void run_events_tell(run_events *e, messages *m, double t, const crank_event_outcome *outcome)
{
    if (e->rarest <= TOLD) {
        tell_note(m, "t = %.10g: %s", t, outcome->text);
    } else if (e->rarest == TOLD + 1) {
        tell_note(m, "t = %.10g: %s; further events are only counted", t, outcome->text);
    }
    e->told++;
}

const char *run_events_text(const run_events *e, const session *s, char *text, size_t size)
{
    const crank_events events = crank_state_events(s->state);
    size_t used = 0;
    int listed = 0, left = 0;

    text[0] = '\0';
    for (int i = 0; i < e->count; i++) {
        if (e->happened[i] == 0) {
            continue;
        }
        if (listed++ >= LISTED || used + 120 > size) {
            left++;
            continue;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%.60s %lld", used > 0 ? ", " : "",
                                 events.name[i], (long long)e->happened[i]);
    }
    if (left > 0) {
        (void)snprintf(text + used, size - used, ", %d others", left);
    }
    return used > 0 ? text : "none";
}
