/* axis.c - ranges and ticks. Linear ticks are multiples of 1, 2 or 5 times a power of ten;
 * logarithmic ones are powers of ten, or 1, 2, 5 times them where these are few. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/axis.h"

#include <math.h>
#include <stdio.h>

static const double largest = 1e300; /* differences of two such values do not overflow */

bool crank_axis_admits(bool log, double value)
{
    return fabs(value) <= largest && (!log || value > 0.0); /* false for NaN */
}

void crank_axis_fit(crank_axis *axis, bool log, double low, double high, double padding)
{
    axis->log = log;
    axis->low = log ? log10(low) : low;
    axis->high = log ? log10(high) : high;
    const double size = fmax(fabs(axis->low), fabs(axis->high));
    const double span = axis->high - axis->low;
    if (span > 1e-13 * size) { /* less is rounding, and ticks could not be told apart */
        axis->low -= padding * span;
        axis->high += padding * span;
        return;
    }
    const double half = log ? 0.5 : (size > 0.0 ? 0.05 * size : 1.0);
    axis->low -= half;
    axis->high += half;
}

static void add_tick(crank_axis *axis, double value)
{
    const double slack = 1e-9 * (axis->high - axis->low);
    const double place = axis->log ? log10(value) : value;

    if (axis->tick_count < CRANK_AXIS_TICKS && place >= axis->low - slack &&
        place <= axis->high + slack) {
        axis->tick[axis->tick_count++] = value;
    }
}

/* 1, 2 or 5 times a power of ten, not smaller than x > 0. */
static double round_up(double x)
{
    const double power = pow(10.0, floor(log10(x)));
    const double mantissa = x / power;
    const double slack = 1.0 + 1e-9;

    return power * (mantissa <= slack         ? 1.0
                    : mantissa <= 2.0 * slack ? 2.0
                    : mantissa <= 5.0 * slack ? 5.0
                                              : 10.0);
}

static void linear_ticks(crank_axis *axis, double low, double high, int wanted)
{
    const double step = round_up((high - low) / wanted);
    const double first = ceil(low / step - 1e-9);

    for (int i = 0; i <= CRANK_AXIS_TICKS && (first + i - 1) * step <= high; i++) {
        const double value = (first + i) * step;
        add_tick(axis, fabs(value) < 1e-9 * step ? 0.0 : value);
    }
    const double size = fmax(fabs(low), fabs(high));
    const int needed = (int)(floor(log10(size)) - floor(log10(step) + 1e-9)) + 1;
    axis->digits = needed < 6 ? 6 : needed > 17 ? 17 : needed;
}

static void log_ticks(crank_axis *axis, int wanted)
{
    const int low = (int)floor(axis->low), high = (int)ceil(axis->high);
    const double decades = axis->high - axis->low;
    const int stride = (int)fmax(1.0, ceil(decades / wanted));
    static const double mantissa[] = {1.0, 2.0, 5.0};

    axis->digits = 6;
    for (int k = low; k <= high; k++) {
        const double power = pow(10.0, k);
        if (decades * 3.0 <= wanted) {
            for (int i = 0; i < 3; i++) {
                add_tick(axis, mantissa[i] * power);
            }
        } else if (k % stride == 0) {
            add_tick(axis, power);
        }
    }
}

void crank_axis_choose_ticks(crank_axis *axis, int wanted)
{
    wanted = wanted < 2 ? 2 : wanted > CRANK_AXIS_TICKS / 2 ? CRANK_AXIS_TICKS / 2 : wanted;
    axis->tick_count = 0;
    if (!axis->log) {
        linear_ticks(axis, axis->low, axis->high, wanted);
        return;
    }
    log_ticks(axis, wanted);
    if (axis->tick_count < 2) { /* less than a decade: nearly linear */
        axis->tick_count = 0;
        linear_ticks(axis, pow(10.0, axis->low), pow(10.0, axis->high), wanted);
    }
}

double crank_axis_place(const crank_axis *axis, double value)
{
    const double place = axis->log ? log10(value) : value;

    return (place - axis->low) / (axis->high - axis->low);
}

const char *crank_axis_label(const crank_axis *axis, int i, char *text, size_t size)
{
    (void)snprintf(text, size, "%.*g", axis->digits, axis->tick[i]);
    return text;
}
