/* events.h - events of a mechanism: from the records of the file to functions of the state. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MECHANICS_EVENTS_H
#define CRANK_SRC_MECHANICS_EVENTS_H

#include "mechanics/law.h"
#include "model/events.h"

typedef struct crank_mechanism_events crank_mechanism_events;

/* Their expressions in terms of primitives, rates of impacts; before the system is created. */
crank_status crank_mechanism_events_resolve(crank_builder *b, crank_error *err);
/* The model's events; the rest belongs to the system. */
crank_status crank_mechanism_events_create(crank_model *model, crank_builder *b,
                                           crank_system *s, crank_error *err);
/* The same for a system that shares its equations with the one of the events; belongs to it. */
crank_status crank_mechanism_events_share(const crank_mechanism_events *from, crank_system *s,
                                          crank_error *err);
void crank_mechanism_events_destroy(crank_mechanism_events *e); /* accepts NULL */

#endif
