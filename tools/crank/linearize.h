/* linearize.h - modes as motions (linearize_motion.c). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_LINEARIZE_H
#define CRANK_TOOLS_LINEARIZE_H

#include "session.h"

#include <crank/study.h>

/* A result in which each mode swings about the point; l has all columns of the model as outputs. */
crank_status write_modes(session *s, const crank_linear *l, const char *path, crank_error *err);

#endif
