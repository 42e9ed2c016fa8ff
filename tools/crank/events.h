/* events.h - what a run does where events of the model happen, and how often they did. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_EVENTS_H
#define CRANK_TOOLS_EVENTS_H

#include "session.h"

typedef struct run_events {
    int count;         /* of the model's events */
    int64_t *happened; /* count: how often */
    int64_t told;      /* times that were told */
    int64_t rarest;    /* how often the rarest of those has happened that happened last */
} run_events;

/* Room for the events of a session's model. false: out of memory. */
bool run_events_prepare(run_events *e, const session *s);
void run_events_free(run_events *e);
/* Counts them, and does what the model says. */
crank_status run_events_apply(run_events *e, session *s, crank_event_outcome *outcome,
                              crank_error *err);
/* One line for each of the first few. */
void run_events_tell(run_events *e, messages *m, double t, const crank_event_outcome *outcome);
/* "floor 12, wall 3"; returns text. */
const char *run_events_text(const run_events *e, const session *s, char *text, size_t size);

#endif
