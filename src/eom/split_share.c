/* split_share.c - how redundant constraints share what they carry together: the multipliers
 * of least norm among all that exert the same forces.
 *
 * Null vectors are nu = N z with z = nu_D, theory (7.26). Multipliers are compared by the
 * forces that they exert, s_i = |W_i U|, U the natural units of velocities, so that a
 * constraint that is stated in other units, or three times, carries the same. Components of one
 * vector (w->group) have the same s_i, the root mean square of theirs: sum |W_i U|^2
 * is a trace, which does not change with the directions along which a joint is written.
 *     min over z of |S (lambda + N z)|                                        theory (7.27)
 * by conjugate gradients for A = S N S_D^-1 [HS52], which contains the unit matrix: its
 * singular values are 1 or larger, and as many steps suffice as there are different ones. Each
 * takes two solves with the factors that tell what is unique; there is nothing else to
 * factor. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/split.h"

#include "eom/scale.h"

#include <math.h>
#include <string.h>

typedef struct crank_split split;

static const double rounding = 1e-14; /* of what is left of the gradient: no step helps */
enum { MORE_STEPS = 20 };             /* than dependent rows, for rounding */

void crank_share_layout(crank_split *w)
{
    double **const array[] = {&w->size,      &w->lambda, &w->residual,
                              &w->direction, &w->image,  &w->gradient};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        *array[i] = crank_store_take(&w->store, (size_t)w->rows, sizeof(double));
    }
    w->shared = crank_store_take(&w->store, (size_t)w->unknowns, sizeof(double));
    w->members = crank_store_take(&w->store, (size_t)w->rows, sizeof(int));
}

static int first_of(const split *w, int row)
{
    return w->group != NULL ? w->group[row] : row;
}

static void measure(split *w)
{
    memset(w->members, 0, (size_t)w->rows * sizeof *w->members);
    for (int i = 0; i < w->rows; i++) {
        double sum = 0.0;
        for (int q = w->start[i]; q < w->start[i + 1]; q++) {
            sum = hypot(sum, w->values[q]);
        }
        const int first = first_of(w, i);
        w->size[i] = first == i ? sum : 0.0;
        w->size[first] = hypot(w->size[first], first == i ? 0.0 : sum);
        w->members[first]++;
    }
    for (int i = w->rows - 1; i >= 0; i--) { /* members before the first of them */
        const int first = first_of(w, i);
        const double mean = w->size[first] / sqrt((double)w->members[first]);
        w->size[i] = mean > 0.0 ? mean : 1.0; /* exerts nothing */
    }
}

/* image = A y, y at the dependent rows */
static void multiply(split *w, const double *y)
{
    for (int i = 0; i < w->rows; i++) {
        w->image[i] = w->pivot[i] < 0 ? y[i] / w->size[i] : 0.0;
    }
    crank_split_complete(w, w->image);
    for (int i = 0; i < w->rows; i++) {
        w->image[i] *= w->size[i];
    }
}

/* gradient = A^T residual, at the dependent rows: q_D - W_DP W_IP^-1 q_I with q = S residual,
 * over S_D; returns its norm */
static double gradient(split *w)
{
    double sum = 0.0;
    for (int k = 0; k < w->rank; k++) {
        w->side[k] = w->size[w->independent[k]] * w->residual[w->independent[k]];
    }
    if (w->rank > 0) {
        crank_solver_solve_transposed(w->square, 0, w->side);
    }
    for (int i = 0; i < w->rows; i++) {
        double value = 0.0;
        for (int q = w->start[i]; w->pivot[i] < 0 && q < w->start[i + 1]; q++) {
            const int k = w->place[w->column[q]];
            value -= k >= 0 ? w->values[q] * w->side[k] : 0.0;
        }
        w->gradient[i] = w->pivot[i] < 0 ? w->residual[i] + value / w->size[i] : 0.0;
        sum += w->gradient[i] * w->gradient[i];
    }
    return sqrt(sum);
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static double norm(int n, const double *x)
{
    return sqrt(dot(n, x, x));
}

/* residual = -S lambda - A y to least norm; y into w->lambda. Directions are the gradient and
 * what is orthogonal to it, so that residual.A d = |gradient|^2, and A makes nothing shorter:
 * |A d| >= |d| >= |gradient|. Where either does not hold the gradient is rounding, and a step
 * along what is left of d would lead anywhere. (The norm itself tells half as many digits: it
 * is at its minimum.) */
static void minimise(split *w)
{
    const size_t bytes = (size_t)w->rows * sizeof(double);
    const double enough = rounding * norm(w->rows, w->residual);
    double left = gradient(w);
    memset(w->lambda, 0, bytes);
    memcpy(w->direction, w->gradient, bytes);
    for (int step = 0; step < w->rows - w->rank + MORE_STEPS && left > enough; step++) {
        multiply(w, w->direction);
        const double image = norm(w->rows, w->image);
        const double descent = dot(w->rows, w->residual, w->image) / left;
        if (!(image >= 0.5 * left) || !(fabs(descent - left) <= 0.5 * left)) {
            break;
        }
        const double length = (left / image) * (left / image);
        for (int i = 0; i < w->rows; i++) {
            w->lambda[i] += length * w->direction[i];
            w->residual[i] -= length * w->image[i];
        }
        const double before = left;
        left = gradient(w);
        const double ratio = (left / before) * (left / before);
        for (int i = 0; i < w->rows; i++) {
            w->direction[i] = w->gradient[i] + ratio * w->direction[i];
        }
    }
}

const double *crank_split_share(crank_split *w, const crank_eom *eom, const double *x)
{
    if (!w->redundant) {
        return x;
    }
    const int first = eom->column[CRANK_LAMBDA];
    measure(w);
    for (int i = 0; i < w->rows; i++) {
        w->residual[i] = -w->size[i] * x[first + i];
    }
    minimise(w);
    multiply(w, w->lambda);
    memcpy(w->shared, x, (size_t)eom->n * sizeof *x);
    for (int i = 0; i < w->rows; i++) {
        w->shared[first + i] += w->image[i] / w->size[i];
    }
    return w->shared;
}
