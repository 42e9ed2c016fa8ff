/* system.h - what neither C nor the file system has: the running program, other programs, code
 * that is loaded. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BASE_SYSTEM_H
#define CRANK_SRC_BASE_SYSTEM_H

#include <crank/base.h>

/* The user's home; false: there is none, or its path is longer. */
bool crank_system_home(char *path, size_t size);

/* Runs arguments[0] (ended by NULL), looked for as a shell does, without input, what it prints in
 * the file `log`; waits for its end. *code: that of its exit, -1: a signal ended it. 0, or why it
 * could not be run: errno. */
int crank_system_run(char *const *arguments, const char *log, int *code);

/* Code in a shared object: NULL and why not (for strings of this thread: until its next call). */
void *crank_system_load(const char *path, const char **reason);
/* A function of it; NULL: it has none of this name. */
typedef void crank_system_fn(void);
crank_system_fn *crank_system_find(void *code, const char *name);
void crank_system_unload(void *code);

#endif
