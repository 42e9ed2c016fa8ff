/* clock.h - wall-clock time for statistics. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_CLOCK_H
#define CRANK_SRC_CLOCK_H

/* Seconds since some fixed moment; never goes back. */
double crank_clock_seconds(void);

#endif
