/* massless.c - turns without inertia: about the axis of a rod, or of a body without mass.
 *
 *     S^T C = 0  if  |(S^T C)_j| <= 16 eps (|S_w| max |C_wj| + |S_v| max |C_vj|)  for all j
 * theory (7.78), with the derivatives C of forces by accelerations about O of all behind a
 * link, in blocks by rotations w and by the velocity v of O. In absolute coordinates such
 * entries are zeros of the file; about O, in world axes, they are what is left of terms that
 * cancel, and impulses, which scale by inertias, would take it for one. Only bodies with a
 * singular inertia are looked at: M is a sum over bodies, none of which is negative. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joint/tree.h"

#include "linalg/rotation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* principal moments below this part of the others are zero, but for rounding in the file */
static const double singular = 1e-12, rounding = 16.0 * DBL_EPSILON;

bool crank_tree_is_thin(const crank_body *body)
{
    const double *J = body->inertia;
    if (body->kind != CRANK_BODY_SPATIAL) {
        return body->mass == 0.0 || (body->kind == CRANK_BODY_PLANAR && J[8] == 0.0);
    }
    double minor[3];
    const double mean = (J[0] + J[4] + J[8]) / 3.0;
    crank_cross3(minor, J + 3, J + 6);
    return body->mass == 0.0 || crank_dot3(J, minor) <= singular * mean * mean * mean;
}

/* largest entry of a block of three rows and columns of C_a */
static double largest(const crank_tree_block C, int row, int column)
{
    double most = 0.0;
    for (int i = row; i < row + 3; i++) {
        for (int j = column; j < column + 3; j++) {
            most = fmax(most, fabs(C[i][12 + j]));
        }
    }
    return most;
}

void crank_tree_clear_massless(const crank_tree_block C, const double S[6], double g[6])
{
    const double turn = crank_norm3(S), slide = crank_norm3(S + 3);
    for (int column = 0; column < 6; column += 3) {
        const double terms = turn * largest(C, 0, column) + slide * largest(C, 3, column);
        for (int j = column; j < column + 3; j++) {
            if (!(fabs(g[j]) <= rounding * terms)) {
                return;
            }
        }
    }
    memset(g, 0, 6 * sizeof *g);
}
