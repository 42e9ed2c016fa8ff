/* tread.h - treads of tyres that hold what rests, and how fast it creeps there. theory
 * (12.2)
 *
 * Treads give way at the speed `slow`, theory (7.50): at a true rest they exert nothing. Held
 * they are springs, which follow the way from the start, delta u = -v_s delta: that is a rest
 * if none exerts more than friction times its load. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_TREAD_H
#define CRANK_SRC_STUDY_TREAD_H

#include "study/statics.h"

#include <crank/study.h>

typedef struct crank_tread {
    crank_run *run;
    int all, count; /* treads; those that hold */
    const crank_eom_tread *tread;
    int *dynamic, *force; /* 2 a tread: of r; columns; -1: none */
    int *load;            /* column */
    bool *holds;          /* treads */
    bool *held;           /* sizes.r: what statics.h is to hold */
    crank_store store;
} crank_tread;

/* All treads of the run's model, of which none holds. Destroy also on failure. */
crank_status crank_tread_create(crank_run *run, crank_tread *t, crank_error *err);
void crank_tread_destroy(crank_tread *t);
/* Number i holds, or no longer; i = -1: all. */
void crank_tread_set(crank_tread *t, int i, bool holds);
/* Those that hold are not deflected at x, and nothing moves. */
void crank_tread_relax(const crank_tread *t, double *x);
/* What tread i exerts in those columns, and can. */
double crank_tread_force(const crank_tread *t, int i, const double *values);
double crank_tread_peak(const crank_tread *t, int i, const double *values);
/* Which is loaded most, of those that are by more than `worst` of what they can; -1: none. */
int crank_tread_judge(const crank_tread *t, const double *values, double *worst,
                      char text[CRANK_DIRECTION_TEXT]);
/* Rows of D, from linearised equations of rest, and rates D v of those that hold: at most two
 * of each tread; how many. */
int crank_tread_rates(const crank_tread *t, const crank_statics *s, const double *values,
                      double *D, double *rates);
/* How fast tread i slides over the road, with these rows D and the velocities v. */
double crank_tread_speed(const crank_tread *t, int i, const double *D, const double *v);

#endif
