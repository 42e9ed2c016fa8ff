/* axis.h - one axis of a plot: its range, linear or logarithmic, its ticks at round numbers and
 * their labels. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_AXIS_H
#define CRANK_SRC_AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { CRANK_AXIS_TICKS = 24, CRANK_AXIS_TEXT = 64 };

typedef struct crank_axis {
    bool log;
    double low, high; /* ends; their decimal logarithms if log */
    /* log: share of the length at the low end where zeros have their place */
    double zero_share;
    int tick_count;
    double tick[CRANK_AXIS_TICKS]; /* values, rising */
    bool powers;                   /* labels are powers of ten, or 2 and 5 times them */
    double offset;                 /* other labels: (tick - offset) / 10^exponent */
    int exponent;
    int decimals;
} crank_axis;

/* true: the value has a place on the axis: it is below 1e300 in size and, on a logarithmic
 * axis, at least 1e-300, or zero if zeros have a place. */
bool crank_axis_admits(const crank_axis *axis, double value);
/* The range of the data, widened by the share padding on both ends; a single value gets a range
 * around it. The axis admits both ends. Zeros have no place yet. */
void crank_axis_fit(crank_axis *axis, bool log, double low, double high, double padding);
/* Chooses at most about wanted ticks inside the range, and how they are labelled. */
void crank_axis_choose_ticks(crank_axis *axis, int wanted);
/* 0 at the low end, 1 at the high end. */
double crank_axis_place(const crank_axis *axis, double value);
/* Label of tick i; powers are written 10^-6. */
const char *crank_axis_label(const crank_axis *axis, int i, char text[CRANK_AXIS_TEXT]);
/* What all labels have in common: "", "x10^-6" (with a multiplication sign), "+ 1000", or
 * both. */
const char *crank_axis_scale(const crank_axis *axis, char text[CRANK_AXIS_TEXT]);

#endif
