/* singular.c - how near a singular position is, and what that means for a step. theory (3.15),
 * (3.17), (3.23). */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/singular.h"

#include <math.h>
#include <stdio.h>

/* singular: pass. Parts of the way to a singular position, and from it, that one step may
 * cover: Newton's iteration works with one matrix, whose inverse changes as much as the
 * distance does. */
static const double approach = 0.2, leave = 0.3;
/* q from which a passage is tried, and by how much of the way the last two forecasts may
 * differ */
static const double near = 0.4, agreement = 0.15;
/* of the length before: looks that lie nearer to each other differ by rounding, and have no slope */
static const double no_step = 1e-9;
/* q behind the position over q before */
static const double regular = 0.5;

void crank_singular_reset(crank_singular *m)
{
    m->t = m->ratio = m->slope = m->slope_before = m->zero = m->zero_before = (double)NAN;
    m->length = m->stop = (double)NAN;
    m->aim_t = m->aim_ratio = m->aim_zero = (double)NAN;
    m->least = 0.0;
    m->held = false;
    m->passed = -(double)INFINITY;
}

/* Time from the last of three points until their parabola vanishes, if it bends down; NAN: it
 * does not, or the first is the last: steps that were taken back have been looked at, too. */
static double parabola_ahead(double ratio, double slope, double length, double slope_before,
                             double length_before)
{
    const double reach = length + length_before;
    const bool apart = fabs(reach) > no_step * fmax(fabs(length), fabs(length_before));
    const double bend = apart ? (slope - slope_before) / reach : 0.0;
    const double tangent = slope + bend * length;
    return bend < 0.0 ? -2.0 * ratio / (tangent - sqrt(tangent * tangent - 4.0 * bend * ratio))
                      : (double)NAN;
}

/* The way to a position is covered by steps that are shortened to parts of it: a bisection. On
 * it q must have fallen at least like the root of the way that is left, theory (3.23), else
 * there is no such position, or only behind: the next step may be as long, and after forecasts
 * that would have made it shorter twice as long. */
static void confirm(crank_singular *m, double t, double ratio)
{
    if (t > m->aim_t) {
        const double left = fmax(m->aim_zero - t, 0.0) / (m->aim_zero - m->aim_t);
        const bool falls = ratio <= m->aim_ratio * sqrt(left);
        m->least = falls ? 0.0 : (m->held ? 2.0 : 1.0) * (t - m->aim_t);
        m->aim_t = (double)NAN;
    }
}

void crank_singular_shorten(crank_singular *m, double t, double zero, double length, double *h)
{
    const double allowed = fmax(length, m->least);
    if (*h > allowed) {
        *h = allowed;
        m->held = allowed > length;
        m->aim_t = t;
        m->aim_ratio = m->ratio;
        m->aim_zero = zero;
    }
}

void crank_singular_look(crank_singular *m, double t, double ratio)
{
    if (t != m->t && !(fabs(t - m->t) <= no_step * fabs(m->length))) {
        confirm(m, t, ratio);
        const double length_before = m->length;
        m->slope_before = m->slope;
        m->length = t - m->t;
        m->slope = isfinite(m->ratio) ? (ratio - m->ratio) / m->length : (double)NAN;
        m->zero_before = m->zero;
        m->zero = m->slope < 0.0 ? t - ratio / m->slope : (double)NAN;
        /* fmin takes the other where one is NaN */
        m->stop = fmin(m->zero, t + parabola_ahead(ratio, m->slope, m->length, m->slope_before,
                                                   length_before));
    }
    m->t = t;
    m->ratio = ratio;
}

/* singular: stop. */
static crank_status limit_before_stop(crank_singular *m, double threshold, double t, double *h)
{
    if (m->ratio <=
        threshold) { /* unless that was at the end of a step that was not accepted */
        return m->t > t ? CRANK_RETRY : CRANK_ESINGULAR;
    }
    if (!(t + *h > m->stop)) {
        return CRANK_OK;
    }
    if (m->t < t) {
        return CRANK_RETRY;
    }
    const double ahead = fmax(m->stop - t, 0.0);
    const double slope = m->slope < 0.0 ? -m->slope : m->ratio / ahead;
    crank_singular_shorten(m, t, m->stop, 0.5 * ahead + 0.1 * threshold / slope, h);
    return CRANK_OK;
}

crank_status crank_singular_limit(crank_singular *m, const crank_options *options, double t,
                                  double *h)
{
    const double threshold = options->singular_threshold;
    if (!(threshold > 0.0)) {
        return CRANK_OK; /* not watched */
    }
    if (*h == 0.0) {
        return m->ratio <= CRANK_SINGULAR_BLAMED * threshold ? CRANK_ESINGULAR : CRANK_OK;
    }
    if (options->singular == CRANK_SINGULAR_STOP) {
        return limit_before_stop(m, threshold, t, h);
    }
    *h = fmin(*h, leave * (t - m->passed));
    if (!(m->slope < 0.0) || !(t + *h > m->t + approach * (m->zero - m->t))) {
        return CRANK_OK;
    }
    if (m->t < t) {
        return CRANK_RETRY;
    }
    crank_singular_shorten(m, t, m->zero, approach * (m->zero - t), h);
    return m->ratio <= threshold ? CRANK_ESINGULAR : CRANK_OK;
}

bool crank_singular_ahead(const crank_singular *m, const crank_options *options, double t,
                          double *zero)
{
    *zero = m->zero;
    return options->singular == CRANK_SINGULAR_PASS && options->singular_threshold > 0.0 &&
           m->t == t && m->slope < 0.0 && m->ratio < near &&
           fabs(m->zero - m->zero_before) <= agreement * (m->zero - t);
}

bool crank_singular_behind(const crank_singular *now, const crank_singular *before)
{
    return now->ratio >= regular * before->ratio;
}

void crank_singular_pass(crank_singular *m, const crank_singular *before, double zero,
                         const char *rows, const crank_log *log)
{
    crank_log_write(log, CRANK_INFO,
                    "t = %.6g: singular position passed on the smooth branch; the rank of the "
                    "constraints drops at %s",
                    zero, rows);
    m->slope = -before->slope;
    m->zero = m->zero_before = m->stop = m->length = m->aim_t = (double)NAN;
    m->least = 0.0;
    m->passed = zero;
}

const char *crank_singular_remark(const crank_singular *m, const crank_options *options,
                                  const char *what, double h, char *text)
{
    const double threshold = options->singular_threshold;
    char limit[80];
    if (h == 0.0) { /* no step succeeds */
        (void)snprintf(limit, sizeof limit,
                       "below %d times singular_threshold, and no step succeeds",
                       CRANK_SINGULAR_BLAMED);
    } else {
        (void)snprintf(limit, sizeof limit, "singular_threshold %g", threshold);
    }
    (void)snprintf(text, CRANK_SINGULAR_TEXT, " (smallest %s %.1e of its largest value, %s)%s",
                   what, m->ratio, limit,
                   options->singular == CRANK_SINGULAR_PASS
                       ? "; no smooth motion was found to pass it on"
                       : "");
    return text;
}

void crank_singular_archive(crank_singular *m, crank_archive *a)
{
    double *const values[] = {&m->t,           &m->ratio,     &m->slope,    &m->zero,
                              &m->zero_before, &m->length,    &m->stop,     &m->passed,
                              &m->aim_t,       &m->aim_ratio, &m->aim_zero, &m->least,
                              &m->slope_before};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        crank_archive_double(a, values[i]);
    }
    crank_archive_flag(a, &m->held);
}
