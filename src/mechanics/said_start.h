/* said_start.h - of which bodies a file says how they stand. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SAID_START_H
#define CRANK_SRC_SAID_START_H

#include "mechanics/build.h"

#include <stdbool.h>

/* said: bodies. */
void crank_system_find_said(const crank_builder *b, bool *said);

#endif
