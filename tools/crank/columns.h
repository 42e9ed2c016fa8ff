/* columns.h - columns chosen by name and pattern. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_COLUMNS_H
#define CRANK_TOOLS_COLUMNS_H

#include "arguments.h"
#include "command.h"

/* true if name is one of the pattern's: equal to it, or matched by * ? [...]. */
bool name_matches(const char *pattern, const char *name);
/* --only: marks the names that one of the patterns matches (without patterns all). -1, or the
 * exit code after telling that a pattern matches none. */
int columns_choose(messages *m, const text_list *patterns, int count, const char *const *names,
                   bool *chosen);
/* "FILE has no column NAME, did you mean ...": told; returns the exit code. */
int tell_no_column(messages *m, const char *path, const char *name, int count,
                   const char *const *names);

#endif
