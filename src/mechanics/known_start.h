/* known_start.h - consistent start values of a mechanism, searched once for a model and all
 * runs of it. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_KNOWN_START_H
#define CRANK_SRC_KNOWN_START_H

#include "mechanics/system.h"

typedef struct crank_known_start crank_known_start;

/* Searches from these values and keeps what comes of it, good or bad, for this system and those
 * that will share it; while a model is made. EMEM or CRANK_OK. */
crank_status crank_system_know_start(crank_system *s, double t, const double *x,
                                     const crank_fixing *fixing, crank_error *err);
/* crank_eom_initialize, by what is known if that was asked for. reached, report: may be
 * NULL. */
crank_status crank_system_find_start(crank_system *s, double t, double *x,
                                     const crank_fixing *fixing, double *reached,
                                     crank_initial_report *report, crank_log log,
                                     crank_error *err);
/* A point, or a direction, that is fixed in a body, in the world at x. */
void crank_system_start_point(const crank_system *s, double t, const double *x,
                              const crank_marker *m, bool direction, double out[3]);

#endif
