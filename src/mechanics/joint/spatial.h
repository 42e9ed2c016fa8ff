/* spatial.h - motions and forces of rigid bodies as six numbers about a point O at rest:
 * (omega, velocity of what passes through O) and (moment about O, force), in world axes. A
 * virtual displacement is a motion, too. v x m is the rate of a motion m that moves along with
 * v; v x* f that of a force, (v x m) . f = -m . (v x* f). Featherstone: Rigid Body Dynamics
 * Algorithms, 2008, chapter 2. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SPATIAL_H
#define CRANK_SRC_SPATIAL_H

#include "linalg/rotation.h"

static inline double crank_dot6(const double a[6], const double b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/* y += f x */
static inline void crank_add6(double y[6], double f, const double x[6])
{
    for (int i = 0; i < 6; i++) {
        y[i] += f * x[i];
    }
}

/* out = v x m; another array than both. */
static inline void crank_cross_motion(double out[6], const double v[6], const double m[6])
{
    double c[3];
    crank_cross3(out, v, m);
    crank_cross3(out + 3, v, m + 3);
    crank_cross3(c, v + 3, m);
    crank_add3(out + 3, 1.0, c);
}

/* out += v x* f; another array than both. */
static inline void crank_add_cross_force(double out[6], const double v[6], const double f[6])
{
    double c[3];
    crank_cross3(c, v, f);
    crank_add3(out, 1.0, c);
    crank_cross3(c, v + 3, f + 3);
    crank_add3(out, 1.0, c);
    crank_cross3(c, v, f + 3);
    crank_add3(out + 3, 1.0, c);
}

#endif
