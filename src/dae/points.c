/* points.c - the start and its neighbours, moved onto sets of constraints.
 *
 * Ranks and zero tests mean something on the set only, theory (10.5); the neighbours tell
 * whether what is found at the point holds around it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/system.h"

#include <math.h>
#include <string.h>

enum { SHRINKS = 8, ATTEMPTS = 4 };

static const double radius = 0.2;        /* of the cloud, in units */
static const double close_radius = 1e-3; /* where that is too far */

static void copy_point(const crank_dae_points *points, const double *from, double *to)
{
    memcpy(to, from, (size_t)points->columns * sizeof *to);
}

crank_status crank_dae_points_create(crank_store *store, int columns, const double *start,
                                     double t, const double *unit,
                                     crank_dae_functions *functions, crank_dae_points *points,
                                     crank_error *err)
{
    const size_t size = CRANK_DAE_POINTS * (size_t)columns;
    *points = (crank_dae_points){.columns = columns};
    points->cloud = crank_store_take(store, size, sizeof *points->cloud);
    points->z = crank_store_take(store, size, sizeof *points->z);
    if (store->failed) {
        return crank_fail(err, CRANK_EMEM, "neighbours of %d values", columns);
    }
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        double *z = crank_dae_point(points, q);
        double reach = q == 0 ? 0.0 : radius;
        for (int k = 0; k <= SHRINKS && !points->used[q]; k++) {
            unsigned state = (unsigned)q;
            points->t[q] = t + reach * (1.0 + fabs(t)) * crank_dae_shake(&state);
            for (int j = 0; j < columns; j++) {
                z[j] = start[j] + reach * unit[j] * crank_dae_shake(&state);
            }
            points->used[q] =
                functions == NULL || crank_dae_functions_evaluate(functions, z, points->t[q]);
            reach *= 0.5;
        }
    }
    memcpy(points->cloud, points->z, size * sizeof *points->cloud);
    return CRANK_OK;
}

/* Point 0 did not get onto the set from where it is: tries from the neighbours' starts, at its
 * own time, and takes the nearest. trial: columns. */
static crank_status try_again(crank_dae_points *points, crank_dae_system *system, double *trial,
                              crank_dae_projection *outcome, crank_error *err)
{
    double nearest = (double)INFINITY;
    crank_status status = CRANK_OK;
    for (int q = 1, tried = 0; q < CRANK_DAE_POINTS && tried < ATTEMPTS; q++) {
        crank_dae_projection result;
        if (!points->used[q]) {
            continue;
        }
        tried++;
        copy_point(points, crank_dae_cloud(points, q), trial);
        status = crank_dae_project(system, trial, points->t[0], NULL, -1, &result, err);
        if (status != CRANK_OK) {
            return status;
        }
        double distance = 0.0;
        for (int j = 0; j < points->columns; j++) {
            distance = fmax(distance, fabs(trial[j] - points->cloud[j]) / system->unit[j]);
        }
        if (result == CRANK_DAE_SOLVED && distance < nearest) {
            nearest = distance;
            *outcome = result;
            copy_point(points, trial, crank_dae_point(points, 0));
        }
    }
    return status;
}

/* A neighbour that did not get onto the set at its own time: would it at that of the start? */
static crank_status blame_time(const crank_dae_points *points, crank_dae_system *system, int q,
                               double *trial, int *late, crank_error *err)
{
    crank_dae_projection result;
    copy_point(points, crank_dae_cloud(points, q), trial);
    const crank_status status =
        crank_dae_project(system, trial, points->t[0], NULL, -1, &result, err);
    *late += result == CRANK_DAE_SOLVED ? 1 : 0;
    return status;
}

/* First with the columns in keep held, then with all free; z is moved only if that succeeds. */
static crank_status project(crank_dae_system *system, const bool *keep, double t, double *z,
                            double *trial, crank_dae_projection *outcome, crank_error *err)
{
    const size_t size = (size_t)system->columns * sizeof *z;
    crank_status status = CRANK_OK;
    *outcome = CRANK_DAE_LOST;
    memcpy(trial, z, size);
    if (keep != NULL) {
        status = crank_dae_project(system, trial, t, keep, -1, outcome, err);
    }
    if (status == CRANK_OK && *outcome != CRANK_DAE_SOLVED) {
        memcpy(trial, z, size);
        status = crank_dae_project(system, trial, t, NULL, -1, outcome, err);
    }
    if (status == CRANK_OK && *outcome == CRANK_DAE_SOLVED) {
        memcpy(z, trial, size);
    }
    return status;
}

/* New neighbours, close to point 0 and at its time, where none of the others got onto the
 * set. */
static crank_status come_closer(crank_dae_points *points, crank_dae_system *system,
                                double *trial, int *kept, crank_error *err)
{
    crank_status status = CRANK_OK;
    unsigned state = 11;
    for (int q = 1; q < CRANK_DAE_POINTS && status == CRANK_OK; q++) {
        crank_dae_projection result;
        double *z = crank_dae_point(points, q);
        copy_point(points, points->z, z);
        for (int j = 0; j < points->columns; j++) {
            z[j] += close_radius * system->unit[j] * crank_dae_shake(&state);
        }
        points->t[q] = points->t[0];
        status = project(system, NULL, points->t[q], z, trial, &result, err);
        points->used[q] = result == CRANK_DAE_SOLVED;
        *kept += points->used[q] ? 1 : 0;
    }
    return status;
}

crank_status crank_dae_points_project(crank_dae_points *points, crank_dae_system *system,
                                      const bool *hold, const bool *keep,
                                      crank_dae_projection *outcome, crank_error *err)
{
    crank_store store = {0};
    int kept = 0, late = 0;
    double *trial = crank_store_take(&store, (size_t)points->columns, sizeof *trial);
    if (trial == NULL) {
        return crank_fail(err, CRANK_EMEM, "projection of %d values", points->columns);
    }
    crank_status status = CRANK_OK;
    *outcome = CRANK_DAE_LOST;
    if (hold != NULL) {
        copy_point(points, points->z, trial);
        status = crank_dae_project(system, trial, points->t[0], hold, -1, outcome, err);
    }
    if (status == CRANK_OK && *outcome == CRANK_DAE_SOLVED) {
        copy_point(points, trial, points->z);
    } else if (status == CRANK_OK) {
        status = project(system, keep, points->t[0], crank_dae_point(points, 0), trial, outcome,
                         err);
    }
    if (status == CRANK_OK && *outcome != CRANK_DAE_SOLVED) {
        status = try_again(points, system, trial, outcome, err);
    }
    if (status == CRANK_OK && *outcome != CRANK_DAE_SOLVED) { /* as near as it gets */
        status = crank_dae_project(system, crank_dae_point(points, 0), points->t[0], NULL, -1,
                                   outcome, err);
    }
    for (int q = 1; q < CRANK_DAE_POINTS && status == CRANK_OK; q++) {
        crank_dae_projection result;
        if (!points->used[q] || *outcome != CRANK_DAE_SOLVED) {
            continue;
        }
        status = project(system, keep, points->t[q], crank_dae_point(points, q), trial, &result,
                         err);
        points->used[q] = result == CRANK_DAE_SOLVED;
        kept += points->used[q] ? 1 : 0;
        if (status == CRANK_OK && result == CRANK_DAE_STATIONARY) {
            status = blame_time(points, system, q, trial, &late, err);
        }
    }
    if (status == CRANK_OK && *outcome == CRANK_DAE_SOLVED && kept == 0 && late == 0) {
        status = come_closer(points, system, trial, &kept, err);
    }
    if (*outcome == CRANK_DAE_SOLVED && kept == 0) {
        *outcome = late > 0 ? CRANK_DAE_STATIONARY : CRANK_DAE_LOST;
    }
    crank_store_free(&store);
    return status;
}
