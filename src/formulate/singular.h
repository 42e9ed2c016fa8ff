/* singular.h - the monitor of singular positions, which psf and gmkssol share. theory, 3.8.
 *
 * q(t) is the smallest pivot or singular value of the constraints relative to its largest value
 * so far; it is known where a Newton matrix was prepared. Its line through the last two points
 * tells when it vanishes, or its parabola through the last three, which sees earlier that it
 * falls ever faster. A forecast shortens steps as long as looks on the way confirm it. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SINGULAR_H
#define CRANK_SRC_SINGULAR_H

#include <crank/options.h>

#include "base/archive.h"

/* where no step succeeds, q below this multiple of the threshold is to blame */
enum { CRANK_SINGULAR_BLAMED = 30 };

typedef struct crank_singular {
    double t, ratio;            /* last point and q there; NAN: none yet */
    double slope, slope_before; /* of the last two lines; NAN: unknown */
    double zero, zero_before;   /* where the last two lines vanish; NAN: they do not fall */
    double length;              /* of time between the last two points */
    double stop;                /* where line or parabola vanish, the earlier; NAN: not seen */
    double passed;              /* when a singular position was passed last; -INFINITY: never */
    /* Where a step was shortened last, q there and when it was expected to vanish; NAN: not
     * since the last look. The next look tells whether q falls as it must; if not, steps are
     * not shortened below `least`. */
    double aim_t, aim_ratio, aim_zero;
    double least;
    bool held; /* the last step that was shortened was held at it */
} crank_singular;

void crank_singular_reset(crank_singular *monitor);
void crank_singular_look(crank_singular *monitor, double t, double ratio);
/* Shortens a step *h from t. CRANK_RETRY: the monitor must look at t first. CRANK_ESINGULAR
 * (without a text):
 * reached, and not to be passed or not passable. *h = 0: no step from t succeeds; ESINGULAR if
 * a singular position is to blame. */
crank_status crank_singular_limit(crank_singular *monitor, const crank_options *options,
                                  double t, double *h);
/* Shortens *h to `length` on the way from t to the position expected at time zero, as far as
 * looks confirm it. */
void crank_singular_shorten(crank_singular *monitor, double t, double zero, double length,
                            double *h);
/* singular: pass. Is t so near before a singular position, foreseen at *zero, that it may be
 * passed? */
bool crank_singular_ahead(const crank_singular *monitor, const crank_options *options, double t,
                          double *zero);
/* Are the constraints at a point behind it as regular as they were before? */
bool crank_singular_behind(const crank_singular *now, const crank_singular *before);
/* The position foreseen by `before` was passed at time zero, at which the rank of the named
 * rows drops: said so; from now on q rises. */
void crank_singular_pass(crank_singular *monitor, const crank_singular *before, double zero,
                         const char *rows, const crank_log *log);
/* What ends the message of ESINGULAR: the number that decided (what: "pivot"), *h of the
 * question, and whether it was not to be passed. */
enum { CRANK_SINGULAR_TEXT = 240 };
const char *crank_singular_remark(const crank_singular *monitor, const crank_options *options,
                                  const char *what, double h, char *text);
/* Checkpoints. */
void crank_singular_archive(crank_singular *monitor, crank_archive *archive);

#endif
