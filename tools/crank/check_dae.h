/* check_dae.h - "crank check" of `crank: dae` files. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_CHECK_DAE_H
#define CRANK_TOOLS_CHECK_DAE_H

#include "session.h"

/* The exit code; -1: another kind of file, or one that cannot be read. */
int check_dae(const model_arguments *a, bool formulas);
/* Parts of the report that kinds of files share (check.c). */
void check_print_unused(const session *s);
void check_print_events(session *s);
/* Do they agree, or are they not known? */
bool check_print_derivatives(session *s);

#endif
