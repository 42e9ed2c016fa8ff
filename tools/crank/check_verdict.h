/* check_verdict.h - the end of "crank check": whether a motion follows from the model, and what
 * of it may surprise. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_CHECK_VERDICT_H
#define CRANK_TOOLS_CHECK_VERDICT_H

#include "session.h"

/* What was found on the way. */
typedef struct check_findings {
    const crank_structure_report *report;
    bool consistent;     /* initial values were found */
    bool derivatives;    /* agree with differences, or were not looked at */
    crank_drives drives; /* what becomes of redundant constraints */
} check_findings;

/* Prints it; the exit code. */
int check_print_verdict(const session *s, const check_findings *found);

/* The label of a line, or spaces (check.c). */
void check_print_item(const char *label);

#endif
