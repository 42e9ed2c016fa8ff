/* events_archive.c - checkpoints of events: what one step leaves to the next. Copies and looks
 * at the last step are made anew. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/events.h"

#include <limits.h>

static void archive_signs(crank_archive *a, signed char *signs, int count)
{
    for (int i = 0; i < count; i++) {
        int sign = crank_event_sign(signs[i]);
        crank_archive_int(a, &sign, -1, 1);
        signs[i] = (signed char)sign;
    }
}

static void archive_times(crank_archive *a, crank_event_times *times)
{
    crank_archive_double(a, &times->last);
    crank_archive_double(a, &times->interval);
    crank_archive_double(a, &times->since);
    crank_archive_double(a, &times->first);
    crank_archive_int(a, &times->shrunk, 0, INT_MAX / 2);
    crank_archive_int(a, &times->tiny, 0, INT_MAX / 2);
}

void crank_events_archive(crank_integrator *it, crank_archive *a)
{
    crank_event_state *e = it->events;
    const int count = e != NULL ? e->events.count : 0;
    crank_archive_check(a, "events", count);
    if (count == 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        crank_archive_check_text(a, "event", e->events.name[i]);
        crank_archive_check(a, "direction of the event", e->direction[i]);
        archive_times(a, &e->times[i]);
    }
    archive_signs(a, e->happened, count);
    archive_signs(a, e->side, count);
    archive_signs(a, e->came, count);
    crank_archive_doubles(a, e->value, (size_t)count);
    crank_archive_doubles(a, e->before, (size_t)count);
    crank_archive_doubles(a, e->rest, (size_t)count);
    crank_archive_doubles(a, e->size, (size_t)count);
    crank_archive_doubles(a, e->past, (size_t)it->n);
    crank_archive_flags(a, e->leaving, (size_t)count);
    crank_archive_flags(a, e->guarded, (size_t)count);
    crank_archive_flags(a, e->resting, (size_t)count);
    crank_archive_flag(a, &e->any);
    crank_archive_flag(a, &e->awaits);
    crank_archive_flag(a, &e->fresh);
    double *const values[] = {&e->t_start, &e->t_event, &e->interval, &e->h_whole,
                              &e->h_before};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        crank_archive_double(a, values[i]);
    }
}
