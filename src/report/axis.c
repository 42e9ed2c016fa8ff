/* axis.c - ranges, ticks, labels.
 *
 * Linear ticks are multiples of 1, 2 or 5 times a power of ten; logarithmic ones are powers of
 * ten, or 1, 2, 5 times them where these are few. Labels stay short: from 1e5 on and below 1e-3
 * they are counted in a power of ten whose exponent is a multiple of three, and where more than
 * five digits would be needed to tell them apart, from an offset. */
// SPDX-License-Identifier: BSD-3-Clause
#include "report/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Differences of such values do not overflow; smaller ones are zero to a linear axis, and have
 * no place on a logarithmic one. */
static const double largest = 1e300, smallest = 1e-300;

bool crank_axis_admits(const crank_axis *axis, double value)
{
    if (axis->log && value == 0.0) {
        return axis->zero_share > 0.0;
    }
    return fabs(value) <= largest && (!axis->log || value >= smallest); /* false for NaN */
}

static void widen(crank_axis *axis, double padding)
{
    const double size = fmax(fabs(axis->low), fabs(axis->high));
    const double span = axis->high - axis->low;
    if (span > fmax(1e-13 * size,
                    smallest)) { /* less is rounding, and ticks could not be told apart */
        axis->low -= padding * span;
        axis->high += padding * span;
        return;
    }
    const double half = axis->log ? 0.5 : (size > 1e3 * smallest ? 0.05 * size : 1.0);
    axis->low -= half;
    axis->high += half;
}

/* Keeps the ends of a logarithmic axis where they are numbers. */
static void keep_finite(crank_axis *axis)
{
    axis->low = axis->log ? fmax(axis->low, -307.0) : axis->low;
    axis->high = axis->log ? fmin(axis->high, 307.0) : axis->high;
}

void crank_axis_fit(crank_axis *axis, bool log, double low, double high, double padding)
{
    *axis = (crank_axis){
        .log = log, .low = log ? log10(low) : low, .high = log ? log10(high) : high};
    widen(axis, padding);
    keep_finite(axis);
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

/* 1, 2 or 5 times a power of ten, not much smaller than x > 0. */
static double round_up(double x)
{
    const double power = pow(10.0, floor(log10(x)));
    const double mantissa = x / power;
    const double slack = 1.15; /* a tick more than wanted does no harm */

    return power * (mantissa <= slack         ? 1.0
                    : mantissa <= 2.0 * slack ? 2.0
                    : mantissa <= 5.0 * slack ? 5.0
                                              : 10.0);
}

/* Offset, exponent and decimals of the labels of ticks between low and high. */
static void choose_labels(crank_axis *axis, double low, double high, double step)
{
    double size = fmax(fabs(low), fabs(high));
    const double place = floor(log10(step) + 1e-9);

    axis->powers = false;
    axis->offset = 0.0;
    axis->exponent = 0;
    if (floor(log10(size)) - place + 1.0 > 5.0) {
        const double unit = pow(10.0, floor(log10(high - low)) + 1.0);
        axis->offset = round((0.5 * low + 0.5 * high) / unit) * unit;
        size = fmax(fabs(low - axis->offset), fabs(high - axis->offset));
    }
    if (!(size >= (axis->offset != 0.0 ? 0.1 : 1e-3) && size < 1e5)) {
        axis->exponent = (int)fmax(-300.0, 3.0 * floor(log10(size) / 3.0));
    }
    const double decimals = axis->exponent - place;
    axis->decimals = decimals <= 0.0 ? 0 : decimals > 17.0 ? 17 : (int)decimals;
}

static void linear_ticks(crank_axis *axis, double low, double high, int wanted)
{
    const double step = round_up((high - low) / wanted);
    const double first = ceil(low / step - 1e-9);

    for (int i = 0; i <= CRANK_AXIS_TICKS && (first + i - 1) * step <= high; i++) {
        const double value = (first + i) * step;
        add_tick(axis, fabs(value) < 1e-9 * step ? 0.0 : value);
    }
    choose_labels(axis, low, high, step);
}

/* Powers of ten, thinned to what is wanted, or with 2 and 5 times them. */
static void log_ticks(crank_axis *axis, int wanted, bool between)
{
    const int low = (int)floor(axis->low), high = (int)ceil(axis->high);
    const int stride = (int)fmax(1.0, ceil((axis->high - axis->low) / wanted));
    static const double mantissa[] = {1.0, 2.0, 5.0};

    axis->powers = true;
    axis->tick_count = 0;
    for (int k = low; k <= high; k++) {
        const double power = pow(10.0, k);
        if (between) {
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
    log_ticks(axis, wanted, (axis->high - axis->low) * 3.0 <= wanted);
    if (axis->tick_count < 2) {
        log_ticks(axis, wanted, true);
    }
    if (axis->tick_count < 2) { /* far less than a decade: nearly linear */
        axis->tick_count = 0;
        linear_ticks(axis, pow(10.0, axis->low), pow(10.0, axis->high), wanted);
    }
}

double crank_axis_place(const crank_axis *axis, double value)
{
    if (axis->log && value == 0.0) {
        return 0.5 * axis->zero_share;
    }
    const double place = axis->log ? log10(value) : value;
    const double share = (place - axis->low) / (axis->high - axis->low);
    return axis->zero_share + (1.0 - axis->zero_share) * share;
}

/* Are all ticks as plain numbers short enough? */
static bool plain(const crank_axis *axis)
{
    return axis->tick_count == 0 ||
           (axis->tick[0] > 0.9e-3 && axis->tick[axis->tick_count - 1] < 1.1e4);
}

const char *crank_axis_label(const crank_axis *axis, int i, char text[CRANK_AXIS_TEXT])
{
    const double value = axis->tick[i];

    if (!axis->powers) {
        double number = (value - axis->offset) / pow(10.0, axis->exponent);
        number = fabs(number) < 0.5 * pow(10.0, -axis->decimals) ? 0.0 : number; /* no "-0" */
        (void)snprintf(text, CRANK_AXIS_TEXT, "%.*f", axis->decimals, number);
    } else if (plain(axis)) {
        (void)snprintf(text, CRANK_AXIS_TEXT, "%g", value);
    } else {
        const int power = (int)floor(log10(value) + 1e-9);
        const double mantissa = value / pow(10.0, power);
        if (mantissa < 1.5) {
            (void)snprintf(text, CRANK_AXIS_TEXT, "10^%d", power);
        } else {
            (void)snprintf(text, CRANK_AXIS_TEXT,
                           "%.0f\xc2\xb7"
                           "10^%d",
                           mantissa, power);
        }
    }
    return text;
}

const char *crank_axis_scale(const crank_axis *axis, char text[CRANK_AXIS_TEXT])
{
    text[0] = '\0';
    if (axis->powers) {
        return text;
    }
    if (axis->exponent != 0) {
        (void)snprintf(text, CRANK_AXIS_TEXT,
                       "\xc3\x97"
                       "10^%d",
                       axis->exponent);
    }
    if (axis->offset != 0.0) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, CRANK_AXIS_TEXT - used, "%s%c %.15g", used > 0 ? " " : "",
                       axis->offset < 0.0 ? '-' : '+', fabs(axis->offset));
    }
    return text;
}
