/* blame.h - whose mistake a failure is, and where; none. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_BLAME_H
#define CRANK_SRC_BLAME_H

#include <crank/base.h>

#include <stdarg.h>

/* crank_fail_at with the arguments of the caller, and with the file that the place is in
 * (NULL: the model's own). */
crank_status crank_fail_in(crank_error *err, crank_status status, const char *file, int line,
                           int column, const char *format, va_list arguments);

/* No failure. The texts are ended, not filled: a step makes several of these. */
static inline void crank_error_clear(crank_error *err)
{
    err->status = CRANK_OK;
    err->line = err->column = 0;
    err->text[0] = err->file[0] = '\0';
    err->given = false;
}

/* What the caller gave is wrong, not the model: if status is a failure, err says so. */
static inline crank_status crank_blame_caller(crank_error *err, crank_status status)
{
    if (err != NULL && status != CRANK_OK) {
        err->given = true;
    }
    return status;
}

#endif
