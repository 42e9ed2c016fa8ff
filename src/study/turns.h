/* turns.h - points of a search and the turns in which angles are there.
 *
 * Angles count their turns along a motion, from where steps ended. A search that comes back to a
 * point has to come back to its turns: a rope on a drum would be whole turns too long. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_STUDY_TURNS_H
#define CRANK_SRC_STUDY_TURNS_H

#include "run/run.h"

/* What evaluations remember at the point at hand; memory: crank_archive_free, or zeros. */
void crank_turns_remember(crank_eom *eom, crank_archive *memory);
void crank_turns_recall(crank_eom *eom, const crank_archive *memory);
/* A run that begins at x begins in the turns that are remembered now. */
crank_status crank_turns_begin(crank_run *run, double t, const double *x, crank_error *err);

#endif
