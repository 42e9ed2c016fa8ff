/* dae_discrete.h - discrete variables of a flat DAE: relations that are frozen between events,
 * pre(x), what when-equations set (inline/flat.h). They are variables with x' = 0 of the DAE;
 * dae_iterate.c gives them their values at events and at the start. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_DISCRETE_H
#define CRANK_SRC_DAE_DISCRETE_H

#include "eom/eom.h"
#include "symbolic/symbolic.h"

typedef struct crank_dae_relation {
    int column;    /* of x: 0 or 1 */
    bool or_equal; /* true where its function is >= 0, else > 0 */
    bool clock;    /* of sample() */
    bool at_end;   /* of terminal(): its function is t less the end of the run */
    /* what its function changes by if its variables change by their size, and if those change by
     * one whose size is not given */
    double by_size, by_one, by_most; /* by_most: by the larger of size and start value */
    crank_place place;
} crank_dae_relation;

typedef struct crank_dae_message {
    const char *text;
    crank_place place;
    bool failure, goes_on;
} crank_dae_message;

typedef struct crank_dae_discrete {
    int relation_count;
    crank_dae_relation *relation;
    int event_count;
    int *event_relation; /* events: the relation, -1: none */
    /* outputs of CRANK_DAE_TAPE_UPDATES, in this order */
    int update_count;
    int *update_column;
    int reinit_count; /* their conditions, then their values */
    int *reinit_column;
    crank_place *reinit_place;
    int message_count; /* conditions */
    crank_dae_message *message;
    int before_count;
    int *before_column;
    bool *before_made; /* of a variable that the model does not name */
    int at_start;      /* the column of initial(); -1: none */
    bool *discrete;    /* n */
    bool *algebraic;   /* n: it follows from the others at an event */
    /* of the reading alone */
    crank_ex *function, *update; /* relations; outputs as above */
} crank_dae_discrete;

/* Outputs of CRANK_DAE_TAPE_UPDATES. */
static inline int crank_dae_update_size(const crank_dae_discrete *d)
{
    return d->update_count + 2 * d->reinit_count + d->message_count + d->before_count;
}

#endif
