/* simulation.h - a run of the command on its way: what run.c, saving.c and summary.c share. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_SIMULATION_H
#define CRANK_TOOLS_SIMULATION_H

#include "events.h"
#include "files.h"
#include "progress.h"
#include "run.h"

typedef struct simulation {
    const run_arguments *arguments;
    const checkpoint *resumed; /* what it continues; NULL: it begins */
    session session;
    rows rows;
    int freedom;              /* degrees of freedom at the start; -1: not known */
    crank_step_counts before; /* the step */
    bool counted;             /* they are those of now */
    bool ending;              /* the row where it stopped is written */
    bool unbounded;           /* it stopped at the dead centre of a drive */
    run_events events;
    progress progress;
    double began, seconds; /* clock; of the integration, also before it was resumed */
    const char *result;    /* path of the rows; NULL: standard output */
    temporary_result temporary;
    checkpoint saved; /* what is written to arguments->checkpoint */
    double save_due;  /* clock, s */
    bool save_failed; /* the last one could not be written, which was reported */
    bool resumable;   /* the checkpoint holds the place where it stopped */
} simulation;

/* Counters and residuals so far. */
crank_statistics simulation_statistics(const simulation *r);

/* ---- checkpoints (saving.c) ---- */

/* Notes how the run was called and what its model is made of, right after the model was read.
 * Without --checkpoint nothing. -1, or the exit code. */
int saving_prepare(simulation *r);
/* Writes rows to the disk, then the checkpoint. EFILE: the rows cannot be written, or the
 * checkpoint. */
crank_status saving_write(simulation *r, crank_error *err);
/* The same if it is due; a checkpoint that cannot be written is warned of, the one before
 * stays. */
crank_status saving_poll(simulation *r, crank_error *err);
/* Starts the integrator and puts it and the rows where the resumed run stood. */
crank_status saving_restore(simulation *r, crank_error *err);
/* After a complete run: the checkpoint is of no more use. */
void saving_remove(simulation *r);

#endif
