/* still.h - mechanisms in which nothing can move, by mistake or not; told by run and check. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_STILL_H
#define CRANK_TOOLS_STILL_H

#include "session.h"

/* Are there velocities, none of them free, and nothing that drives them? freedom: of
 * velocities; -1: not known. */
bool session_stands_still(const session *s, int freedom);

/* What is so, and what it often comes from: dimensions of which a motion depends, rounded. */
extern const char still_text[], still_remedy[];

#endif
