/* system.h - functions f(z, t) with their Jacobian, and points of the set f = 0.
 *
 * z are the variables x, or x with its derivatives (the derivative array). Sizes are judged in
 * units:
 * unit (columns) is what counts as one in z_j; a row's scale is the typical norm of its scaled
 * gradient at points around the start, so that a gradient that vanishes at a point is seen to
 * vanish. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_DAE_SYSTEM_H
#define CRANK_SRC_DAE_SYSTEM_H

#include "base/store.h"
#include "base/tolerance.h"
#include "symbolic/symbolic.h"

enum { CRANK_DAE_POINTS = 9 }; /* number 0 is the start, the others are its neighbours */

/* What counts as zero beside the size of the terms it is a sum of. */
static const double CRANK_DAE_ZERO_TOLERANCE = 1e-9;

typedef struct crank_dae_points {
    int columns;
    double *cloud; /* columns x POINTS: where they started */
    double *z;     /* columns x POINTS: where they are */
    double t[CRANK_DAE_POINTS];
    bool used[CRANK_DAE_POINTS];
} crank_dae_points;

static inline double *crank_dae_point(const crank_dae_points *points, int q)
{
    return points->z + (size_t)q * (size_t)points->columns;
}

static inline const double *crank_dae_cloud(const crank_dae_points *points, int q)
{
    return points->cloud + (size_t)q * (size_t)points->columns;
}

/* Values of expressions at points. */
typedef struct crank_dae_functions {
    int columns, count;
    double *out;          /* count: those that are numbers keep their values */
    int varying, *target; /* the others: where they stand in out */
    bool constants_finite;
    crank_tape *tape;
    double *in, *values, *work;
} crank_dae_functions;

crank_status crank_dae_functions_create(crank_pool *pool, int columns, const crank_ex *z,
                                        crank_ex t, int count, const crank_ex *ex,
                                        crank_dae_functions *functions, crank_error *err);
void crank_dae_functions_destroy(crank_dae_functions *functions);
/* Into functions->out; false: not all of them are finite. */
bool crank_dae_functions_evaluate(crank_dae_functions *functions, const double *z, double t);

typedef struct crank_dae_system {
    int rows, columns;
    const double *unit;            /* columns, the caller's */
    crank_dae_functions functions; /* f, magnitudes, derivatives */
    int entry_count;
    int *row, *column; /* of the derivatives */
    bool linear;       /* the derivatives are numbers */
    double *f, *J;     /* rows; rows x columns: of the last evaluation */
    double *magnitude; /* rows: sum of the sizes of the terms in f */
    double *scale;     /* rows */
    crank_store store;
} crank_dae_system;

crank_status crank_dae_system_create(crank_pool *pool, int columns, const crank_ex *z,
                                     crank_ex t, const double *unit, int rows,
                                     const crank_ex *f, crank_dae_system *system,
                                     crank_error *err);
void crank_dae_system_destroy(crank_dae_system *system); /* accepts {0} */
bool crank_dae_system_evaluate(crank_dae_system *system, const double *z, double t);
/* Row scales from the points and their cloud. */
crank_status crank_dae_system_scale(crank_dae_system *system, const crank_dae_points *points,
                                    crank_error *err);
/* What is rounding in row i of the last evaluation is below ZERO_TOLERANCE times this. */
double crank_dae_system_size(const crank_dae_system *system, int i);

/* magnitude.c: expressions for the sum of the sizes of the terms of e. */
crank_status crank_dae_magnitude(crank_pool *pool, int count, const crank_ex *e,
                                 crank_ex *magnitude, crank_error *err);

typedef enum crank_dae_projection {
    CRANK_DAE_SOLVED,
    CRANK_DAE_STATIONARY, /* |f| has a minimum here that is not zero */
    CRANK_DAE_LOST        /* the iteration did not end, or left the domain */
} crank_dae_projection;

/* Moves z to the nearest zero of f, theory (10.5). fixed: columns that stay, NULL: none;
 * rank_limit: singular values used at most, -1: all. */
crank_status crank_dae_project(crank_dae_system *system, double *z, double t, const bool *fixed,
                               int rank_limit, crank_dae_projection *outcome, crank_error *err);
/* Is the set a manifold of the dimension that its Jacobian's rank at z says? */
crank_status crank_dae_is_manifold(crank_dae_system *system, const double *z, double t,
                                   bool *manifold, crank_error *err);

/* points.c: the start (columns) and neighbours at a fifth of a unit, times varied, too.
 * functions: all must be finite (a neighbour where they are not is moved closer, or left
 * out). */
crank_status crank_dae_points_create(crank_store *store, int columns, const double *start,
                                     double t, const double *unit,
                                     crank_dae_functions *functions, crank_dae_points *points,
                                     crank_error *err);
/* Moves all points onto the set, if possible without moving the columns in keep (those of
 * earlier levels: velocities move, positions stay), the start itself also without those in hold
 * (variables with derivatives: multipliers move, velocities stay). Neighbours that do not get
 * there are left out. *outcome is that of point 0, CRANK_DAE_STATIONARY also if there is a
 * solution at no other time. */
crank_status crank_dae_points_project(crank_dae_points *points, crank_dae_system *system,
                                      const bool *hold, const bool *keep,
                                      crank_dae_projection *outcome, crank_error *err);

/* Reproducible numbers of size 0.25 to 1, both signs. */
double crank_dae_shake(unsigned *state);
/* The middle one of those values that are finite and not zero (0: none); sorts. */
double crank_dae_typical(double *values, int count);

#endif
