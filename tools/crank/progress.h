/* progress.h - a progress line on a terminal. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_PROGRESS_H
#define CRANK_TOOLS_PROGRESS_H

#include "command.h"

typedef struct progress {
    bool on;
    double t_start, t_end; /* simulated, s */
    double drawn;          /* clock, s */
    double share;          /* done when the line was last drawn */
    double speed;          /* share per second of late; 0: not known yet */
} progress;

double clock_seconds(void);
/* Off unless standard error is a terminal, rows go elsewhere and nobody asked for quiet. t:
 * where the run stands. */
void progress_begin(progress *p, const messages *m, bool rows_to_terminal, double t_start,
                    double t_end, double t);
/* Redraws the line if the last time is a tenth of a second ago. t, h: simulated time, step
 * size. */
void progress_update(progress *p, messages *m, double t, double h, int64_t rows);
void progress_end(progress *p, messages *m);

#endif
