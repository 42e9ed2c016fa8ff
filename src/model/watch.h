/* watch.h - where tables end: after each step of a run their arguments are looked at. What the
 * file leaves to the rule (the value is held, or goes on straight) is reported once; where
 * nothing is outside, evaluations have no value there, steps shrink to nothing, and the reason
 * is reported. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_MODEL_WATCH_H
#define CRANK_SRC_MODEL_WATCH_H

#include "base/store.h"
#include "eom/eom.h"
#include "symbolic/symbolic.h"

/* a table whose argument is looked at */
typedef struct crank_watch {
    const char *label; /* 'force "tyre"', 'table "grip"' */
    crank_place place;
    crank_ex argument;
    double first, last;
    crank_outside outside;
} crank_watch;

/* Is there anything to look at? */
bool crank_watch_wants(const crank_table_data *table);

/* Values of the arguments: tells of those outside for the first time (told: as many, of those
 * that have been). */
void crank_watch_tell(int count, const crank_watch *watch, const double *value, double t,
                      bool *told, const crank_log *log);
/* No step succeeds: ESTOP_EQUATIONS with the table that says "outside: error" and ends here. */
crank_status crank_watch_find_end(int count, const crank_watch *watch, const double *value,
                                  double t, crank_error *err);

/* Named tables in expressions of the inputs, in a store of their own. */
typedef struct crank_watches {
    crank_store store;
    int count;
    crank_watch *item;
    crank_ex *argument; /* the same as in item, for a program */
} crank_watches;

/* Free the store of *out also on failure. */
crank_status crank_watches_collect(crank_pool *pool, int inputs, const crank_ex *input,
                                   crank_watches *out, crank_error *err);

#endif
