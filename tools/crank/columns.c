/* columns.c - see columns.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "columns.h"

#include <fnmatch.h>
#include <string.h>

bool name_matches(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

int columns_choose(messages *m, const text_list *patterns, int count, const char *const *names,
                   bool *chosen)
{
    for (int j = 0; j < count; j++) {
        chosen[j] = patterns->count == 0;
    }
    for (int i = 0; i < patterns->count; i++) {
        const char *pattern = patterns->item[i];
        bool any = false;
        for (int j = 0; j < count; j++) {
            const bool match = name_matches(pattern, names[j]);
            chosen[j] = chosen[j] || match;
            any = any || match;
        }
        if (!any) {
            const char *near = crank_nearest_name(pattern, names, count);
            tell_error(m, "--only %s matches no column%s%s", pattern,
                       near != NULL ? ", did you mean " : "", near != NULL ? near : "");
            return CODE_USAGE;
        }
    }
    return -1;
}

int tell_no_column(messages *m, const char *path, const char *name, int count,
                   const char *const *names)
{
    const char *near = crank_nearest_name(name, names, count);

    if (near != NULL) {
        tell_error(m, "%s has no column %s, did you mean %s", path, name, near);
    } else {
        tell_error(m, "%s has no column %s; it has %d, from %s to %s", path, name, count,
                   names[0], names[count - 1]);
    }
    return CODE_USAGE;
}
