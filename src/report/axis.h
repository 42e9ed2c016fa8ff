/* axis.h - one axis of a plot: its range, linear or logarithmic, and its ticks at round
 * numbers. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_AXIS_H
#define CRANK_SRC_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { CRANK_AXIS_TICKS = 24 };

typedef struct crank_axis {
    bool log;
    double low, high; /* ends; their decimal logarithms if log */
    int tick_count;
    double tick[CRANK_AXIS_TICKS]; /* values, rising */
    int digits;                    /* significant digits that tell the ticks apart */
} crank_axis;

/* true: the value has a place on the axis. */
bool crank_axis_admits(bool log, double value);
/* The range of the data, widened by the share padding on both ends; a single value gets a range
 * around it. Both ends must be admitted. */
void crank_axis_fit(crank_axis *axis, bool log, double low, double high, double padding);
/* Chooses at most about wanted ticks inside the range. */
void crank_axis_choose_ticks(crank_axis *axis, int wanted);
/* 0 at the low end, 1 at the high end. */
double crank_axis_place(const crank_axis *axis, double value);
const char *crank_axis_label(const crank_axis *axis, int i, char *text, size_t size);

#endif
