/* watch.h - run --watch: the model is run again whenever one of its files changes. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_WATCH_H
#define CRANK_TOOLS_WATCH_H

#include "command.h"

/* The files that a model is made of, as they were when they were last read. */
typedef struct watched watched;

/* One run that writes the page with the version; returns the exit code. It tells its own
 * mistakes. Right after reading the model it calls watched_model (it read one) or watched_file
 * (a file that a message names) on files. */
typedef int watch_run_fn(void *user, int64_t version, watched *files);

/* Runs; waits until a file changes; runs again; until a signal comes (interruption_watch has
 * been called). Returns the exit code of the last run, and removes the page's version image.
 * model: the model file's path. */
int watch_loop(messages *m, const char *model, const char *page, watch_run_fn *run, void *user);
/* Watches all files of the model from now on. files may be NULL: nothing is watched. */
void watched_model(watched *files, const crank_model *model);
/* Watches one more file; NULL and "" are ignored. */
void watched_file(watched *files, const char *path);

#endif
