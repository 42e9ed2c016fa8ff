/* check_verdict.h - parts of "crank check": redundant constraints, and at its end whether a motion
 * follows from the model, and what of it may surprise. */
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

/* check_redundancy.c: prints what repeats what and which reactions are open, and finds what
 * becomes of it where drives lead. */
crank_status check_print_redundancy(const session *s, check_findings *found, crank_error *err);
/* Lists of a large model end here; the rest is counted. */
enum { CHECK_LINES = 40 };
/* A line a text, the first one with the label. */
void check_print_list(const char *label, int count, char *const *text);

/* The label of a line, or spaces (check.c). */
void check_print_item(const char *label);

#endif
