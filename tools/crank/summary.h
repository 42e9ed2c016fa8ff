/* summary.h - what a run tells when it is over: a text for people, a record of statistics for
 * programs. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_SUMMARY_H
#define CRANK_TOOLS_SUMMARY_H

#include "simulation.h"

/* The record of --stats; without it nothing. message: why the run stopped, or NULL. -1, or the
 * exit code. */
int summary_write_statistics(simulation *r, crank_status status, int64_t row_count,
                             const char *message);
/* The text on standard error. row_count: rows in the result; page: --html was written. */
void summary_tell(simulation *r, crank_status status, int64_t row_count, bool page);

#endif
