/* between.c - a step as a polynomial: values at the extrema of a Chebyshev polynomial,
 *     t_i = begin + (end - begin) (1 - cos(pi i/n))/2,   i = 0 .. n,
 * and between them the polynomial of degree n through them in its barycentric form,
 *     y(t) = sum_i w_i y_i/(t - t_i)  /  sum_i w_i/(t - t_i),   w_i = (-1)^i, halved at the ends
 * [BT04]. Interpolations of the methods are polynomials of at most that degree but
 * for Adams methods of orders above it, and what is corrected onto constraints at rows.
 *
 * Forces of constraints have a pole where the rank drops (theory 3.8), which no polynomial has: a
 * step that leads across such a position is cut into pieces, so that they are off in one alone. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/integrator.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

enum { LAST = CRANK_STEP_POINTS - 1 };
enum { PIECES = 64 }; /* of a passage, of which one has the pole */

crank_status crank_run_sample(crank_run *run, double begin, crank_run_visit_fn *row, void *user,
                              crank_error *err)
{
    const double end = crank_run_reached(run), pi = acos(-1.0);
    const int pieces = run->integrator->jumped ? PIECES : 1;
    crank_status status = CRANK_OK;
    for (int k = 0; k < pieces; k++) {
        const double first = k == 0 ? begin : begin + (end - begin) * k / pieces;
        const double last = k == pieces - 1 ? end : begin + (end - begin) * (k + 1) / pieces;
        for (int i = 0; i <= LAST && status == CRANK_OK; i++) {
            const double at = 0.5 - 0.5 * cos(pi * i / LAST);
            status = crank_run_look(run, i == LAST ? last : first + at * (last - first), err);
            status = status == CRANK_OK ? row(run, user, err) : status;
        }
    }
    return status;
}

void crank_between(int n, const double *times, const double *values, double t, double *out)
{
    double sum = 0.0;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i <= LAST; i++) {
        const double *value = values + (size_t)i * (size_t)n;
        if (t == times[i]) {
            memcpy(out, value, (size_t)n * sizeof *out);
            return;
        }
        const double half = i == 0 || i == LAST ? 0.5 : 1.0;
        const double weight = (i % 2 == 0 ? half : -half) / (t - times[i]);
        sum += weight;
        for (int j = 0; j < n; j++) {
            out[j] += weight * value[j];
        }
    }
    for (int j = 0; j < n; j++) {
        out[j] /= sum;
    }
}
