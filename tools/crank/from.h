/* from.h - "--from RESULT[@T]" and "--positions-from RESULT[@T]". */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TOOLS_FROM_H
#define CRANK_TOOLS_FROM_H

#include "session.h"

/* The run of the session begins at the row of RESULT nearest to T, at its last one without T.
 * from NULL: as the file says. -1, or the exit code after telling the mistake. */
int session_begin_from(session *s, const char *from);
/* The same with its positions alone: "--positions-from RESULT[@T]". */
int session_begin_placed(session *s, const char *from);

#endif
