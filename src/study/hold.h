/* hold.h - dry friction that holds what rests, and how fast it creeps there. theory (12.4),
 * (12.5)
 *
 * Friction as it is written in models, theory (7.42), is zero at rest and as large as it can be
 * at rates of a few `slip`: what it holds creeps. At a rest its rate D v is held like a
 * constraint, D delta = 0, and its force Q is an unknown; that is a rest if Q is below the peak
 * of the law, at the load that the joint then has. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_HOLD_H
#define CRANK_SRC_STUDY_HOLD_H

#include "study/tread.h"

#include <crank/study.h>

typedef struct crank_hold {
    crank_run *run;
    int all, count;                      /* those that hold come first */
    const crank_eom_friction **friction; /* all */
    int *rate, *load, *scale;            /* all: columns; load, scale -1: none */
    double *unit;                        /* all: forces of their size */
    double *D, *speed;                   /* rows of all and of treads; their rates */
    crank_tread treads;                  /* hold where there is no rest without them */
    double *x, *values;                  /* n; columns: work */
    crank_store store;
} crank_hold;

/* All frictions of the run's model, and treads, of which none holds; none for other eoms. Destroy
 * also on failure. */
crank_status crank_hold_create(crank_run *run, crank_hold *hold, crank_error *err);
void crank_hold_destroy(crank_hold *hold);
/* What the equations of rest are to know of it. */
crank_statics_holds crank_hold_rows(crank_hold *hold);
/* Number i no longer holds; i = -1: no friction does; numbers from `all` on are treads. */
void crank_hold_release(crank_hold *hold, int i);
/* All hold, treads too. */
void crank_hold_all(crank_hold *hold);
/* Of the rest that was found, what holds more than it can, the worst of all, with a sentence. */
typedef struct crank_overload {
    int which;   /* number of a friction, `all` + number of a tread; -1: none */
    double load; /* over what it can */
    bool idle;   /* none is needed */
    char text[CRANK_DIRECTION_TEXT];
} crank_overload;
crank_status crank_hold_judge(crank_hold *hold, const crank_statics *s, crank_overload *over,
                              crank_error *err);
/* Velocities of s->x become those of the creeping; sentences are put into out. */
crank_status crank_hold_creep(crank_hold *hold, crank_statics *s, crank_equilibrium *out,
                              crank_error *err);

/* creep.c: velocities of s->x for which D v (count rows) = rates, along constraints; those at
 * which forces of the model balance, near them. */
crank_status crank_creep_guess(crank_statics *s, int count, const double *D,
                               const double *rates, crank_error *err);
/* The same with treads, that hold at s->x: along motions that change no force, nearest to those
 * rates. */
crank_status crank_creep_steady(crank_statics *s, int count, const double *D,
                                const double *rates, crank_error *err);
crank_status crank_creep_find(crank_statics *s, bool *found, crank_error *err);

/* Largest force of the law at that load, and the rate at which it exerts a smaller force. */
double crank_hold_peak(const crank_eom_friction *f, double load);
double crank_hold_rate(const crank_eom_friction *f, double load, double force);

#endif
