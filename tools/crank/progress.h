/* progress.h - a progress line on a terminal. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_PROGRESS_H
#define CRANK_TOOLS_PROGRESS_H

#include "command.h"

typedef struct progress {
    bool on;
    double t_start, t_end; /* simulated, s */
    double began, drawn;   /* clock, s */
} progress;

double clock_seconds(void);
/* Off unless standard error is a terminal, rows go elsewhere and nobody asked for quiet. */
void progress_begin(progress *p, const messages *m, bool rows_to_terminal, double t_start,
                    double t_end);
/* Redraws the line if the last time is a tenth of a second ago. */
void progress_update(progress *p, messages *m, double t, double h);
void progress_end(progress *p, messages *m);

#endif
