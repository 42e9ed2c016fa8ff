/* hull.h - the convex hull of points in space. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_HULL_H
#define CRANK_SRC_HULL_H

#include <crank/base.h>

/* Triangles around all points, counterclockwise seen from outside: *triangle is allocated, the
 * caller's to free. *count = 0: the points lie in a plane. false: out of memory. */
bool crank_hull(int points, const double (*p)[3], int (**triangle)[3], int *count);

#endif
