/* suggest.h - "did you mean": the known name that is nearest to a misspelt one; names that no
 * column has, but an output could. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SUGGEST_H
#define CRANK_SRC_SUGGEST_H

/* The nearest of count candidates (NULL entries are skipped; the first of equals), or NULL when
 * none is near. Does not allocate. */
const char *crank_suggest(const char *word, const char *const *candidates, int count);

#endif
