/* run.h - "crank run": its arguments, and one complete run from them. resume continues a run,
 * watch repeats it. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_RUN_H
#define CRANK_TOOLS_RUN_H

#include "checkpoint.h"
#include "watch.h"

typedef struct run_arguments {
    model_arguments model;
    double t_end, every;
    int points;
    bool steps;
    text_list only;
    const char *from, *placed, *out, *stats, *html, *pattern, *checkpoint;
    double checkpoint_every; /* s */
    bool watch;
    int argc; /* where they come from, for the checkpoint */
    char **argv;
} run_arguments;

extern const usage run_usage;

/* Parses and checks; -1, or the exit code after telling the mistake. run_arguments_free in
 * either case. */
int run_arguments_read(run_arguments *a, int argc, char **argv);
void run_arguments_free(run_arguments *a);

typedef struct run_order {
    const run_arguments *arguments;
    const checkpoint *resumed; /* the run that is continued; NULL: it begins */
    int64_t page_version;      /* > 0: of the page, with --watch */
    watched *files;            /* told what the model is made of; may be NULL */
} run_order;

/* Reads the model, simulates, writes what was asked for, tells it all; returns the exit
 * code. */
int run_once(const run_order *order);

#endif
