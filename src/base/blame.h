/* blame.h - whose mistake a failure is. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BLAME_H
#define CRANK_SRC_BLAME_H

#include <crank/base.h>

/* What the caller gave is wrong, not the model: if status is a failure, err says so. */
static inline crank_status crank_blame_caller(crank_error *err, crank_status status)
{
    if (err != NULL && status != CRANK_OK) {
        err->given = true;
    }
    return status;
}

#endif
