/* then.h - steps of which each needs the one before: the first failure stays, and the rest is
 * left out.
 *
 *     crank_status status = read_names(e, err);
 *     CRANK_THEN(status, read_values(e, err));
 *     CRANK_THEN(status, check(e, err));
 *     return status; */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_THEN_H
#define CRANK_SRC_THEN_H

#define CRANK_THEN(status, ...)                                                                \
    ((void)((status) = (status) == CRANK_OK ? (__VA_ARGS__) : (status)))

#endif
