/* compare_interpolate.c - a reference between its points.
 *
 * At t with t_k <= t <= t_k+1 it is the cubic through the points k - 1 .. k + 2, at the ends
 * through the first or last four, as in [Neg98, 5.1]. The points of a reference that is made
 * are the ends of its own steps and equally many between them: where it moves fast they are
 * close to each other. What the cubic is off is f''''/24 prod (t - t_j): it is told from what
 * the cubic through the points k - 3, k - 1, k + 1, k + 3 is off at t_k, times the ratio of the
 * products in the middle of (t_k, t_k+1) and there (1/16 if points are equally far apart; in
 * the first and last interval, where the largest product counts, 1/9). Twice that is said, as
 * f is not the same everywhere. */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 4, PARTS = 16 }; /* of a step of the reference */

/* ---- the cubic ---- */

/* The last point at or before t; of the first and last intervals the nearest. */
static int find_interval(const run_plan *plan, double t)
{
    int low = 0, high = plan->point_count - 1;

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (plan->points[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Factors of Lagrange's form of the values at the points first, first + stride, ... */
static void weigh(const run_plan *plan, double t, int first, int stride, double weight[NODES])
{
    for (int i = 0; i < NODES; i++) {
        const double at = plan->points[first + i * stride];
        weight[i] = 1.0;
        for (int j = 0; j < NODES; j++) {
            const double other = plan->points[first + j * stride];
            weight[i] *= j != i ? (t - other) / (at - other) : 1.0;
        }
    }
}

/* prod (t - t_j) */
static double product(const run_plan *plan, double t, int first, int stride)
{
    double p = 1.0;

    for (int i = 0; i < NODES; i++) {
        p *= t - plan->points[first + i * stride];
    }
    return fabs(p);
}

static double value_of(const compare_reference *r, int columns, int column, int first,
                       int stride, const double weight[NODES])
{
    double sum = 0.0;

    for (int i = 0; i < NODES; i++) {
        const size_t row = (size_t)(first + i * stride);
        sum += weight[i] * r->values[row * (size_t)columns + (size_t)column];
    }
    return sum;
}

bool compare_reference_at(const compare_reference *r, const run_plan *plan, double t,
                          double *values)
{
    const int columns = plan->columns->count, last = plan->point_count - NODES;
    const int before = find_interval(plan, t) - 1;
    const int first = before < 0 ? 0 : before > last ? last : before;
    double weight[NODES];

    if (t < plan->points[0] || t > plan->points[plan->point_count - 1]) {
        return false;
    }
    weigh(plan, t, first, 1, weight);
    for (int i = 0; i < columns; i++) {
        values[i] = value_of(r, columns, i, first, 1, weight);
    }
    return true;
}

/* The largest product of the interval of t_k, and of the end of all points if k is the point
 * nearest to it that has a cubic through every second point. */
static double largest_product(const run_plan *plan, int k)
{
    static const double inner = 0.381966; /* (3 - sqrt(5))/2: with points at 0, 1, 2, 3 */
    const double *t = plan->points;
    const int last = plan->point_count - 1;
    double p = product(plan, 0.5 * (t[k] + t[k + 1]), k - 1, 1);

    if (k == 3) {
        p = fmax(p, product(plan, t[0] + inner * (t[1] - t[0]), 0, 1));
    }
    if (k + 3 == last) {
        p = fmax(p, product(plan, t[last] - inner * (t[last] - t[last - 1]), last - 3, 1));
    }
    return p;
}

void compare_reference_estimate(compare_reference *r, const run_plan *plan)
{
    const int columns = plan->columns->count;

    for (int k = 3; plan->at_steps && k + 3 < plan->point_count; k++) {
        const double t = plan->points[k];
        const double ratio = largest_product(plan, k) / product(plan, t, k - 3, 2);
        double weight[NODES];
        weigh(plan, t, k - 3, 2, weight);
        for (int i = 0; i < columns; i++) {
            const double exact = r->values[(size_t)k * (size_t)columns + (size_t)i];
            const double off = value_of(r, columns, i, k - 3, 2, weight) - exact;
            const double e = 2.0 * ratio * fabs(off) / (1.0 + fabs(exact));
            double *largest = &r->interpolation[plan->columns->item[i].group];
            *largest = e > *largest ? e : *largest;
        }
    }
}

/* ---- where a reference is made ---- */

bool step_list_add(step_list *list, double t)
{
    if (list->count == list->room) {
        const int room = list->room > 0 ? 2 * list->room : 1024;
        double *t_new = realloc(list->t, (size_t)room * sizeof *t_new);
        if (t_new == NULL) {
            return false;
        }
        list->t = t_new;
        list->room = room;
    }
    list->t[list->count++] = t;
    return true;
}

bool compare_reference_refine(run_plan *plan, const step_list *steps)
{
    const int count = 1 + PARTS * steps->count;
    double *points = calloc((size_t)count, sizeof *points);
    double before = plan->t_start;

    if (points == NULL) {
        return false;
    }
    points[0] = plan->t_start;
    for (int k = 0; k < steps->count; k++) {
        for (int i = 1; i <= PARTS; i++) {
            points[k * PARTS + i] =
                i < PARTS ? before + (steps->t[k] - before) * i / PARTS : steps->t[k];
        }
        before = steps->t[k];
    }
    free(plan->points);
    plan->points = points;
    plan->point_count = count;
    return true;
}
