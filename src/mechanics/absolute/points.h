/* points.h - rows "component of a point, or of a difference of two, = constant", which
 * most joints consist of, at a stage of an explicit method: points.c, called by stage.c. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_POINTS_H
#define CRANK_SRC_POINTS_H

#include "mechanics/system.h"

/* a marker of a moving body, and where it is at the point at hand */
typedef struct crank_moving {
    crank_marker marker;
    crank_body_kind kind;
    double arm[3]; /* R u */
    double value[3], rate[3], acceleration[3];
} crank_moving;

/* the part of a row that one marker has: f . marker */
typedef struct crank_row_end {
    int moving;
    double f[3];
    int d;           /* row of the body's first component of the balance of forces */
    int turning;     /* components of J on its angular velocity: 3, 1 or 0 */
    int place[3][2]; /* of these: stage entries in gII and d */
} crank_row_end;

typedef struct crank_point_row {
    int lambda;
    double constant; /* added */
    int count;
    crank_row_end end[2];
} crank_point_row;

/* rows along x and y of the same points of planar bodies: the joint that turns */
typedef struct crank_pair_end {
    int moving;
    double sign;
    int d;
    int place[4]; /* of J on the rate of turning: x in gII and d, y in gII and d */
} crank_pair_end;

typedef struct crank_point_pair {
    int lambda[2];
    double constant[2];
    int count;
    crank_pair_end end[2];
} crank_point_pair;

typedef struct crank_points {
    int moving_count, row_count, pair_count;
    crank_moving *moving;
    crank_point_row *row;
    crank_point_pair *pair;
} crank_points;

/* The stage entry (row, column) of the Jacobian. */
typedef int crank_stage_find(const crank_system *s, int row, int column);

/* Takes the rows of this kind: taken (s->row_count) tells which. Constant parts of J are added
 * to constant; entries that evaluations fill are no longer fixed. CRANK_EMEM. */
crank_status crank_points_create(crank_system *s, crank_stage_find *find, double *constant,
                                 bool *fixed, bool *taken, crank_points *out, crank_error *err);
/* Rows g, gI, gII, their forces in d, and J, once the states of all bodies are there. */
void crank_points_evaluate(const crank_points *points, const crank_system *s, const double *x,
                           double *k, double *values);

#endif
