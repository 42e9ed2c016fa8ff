/* compare_errors.c - what the errors of a run come to.
 *
 * With the values x and the reference X at the points t_1 .. t_n, in a group of columns,
 *
 *     D_i = | x(t_i) - X(t_i) |,   D = max D_i, reached at t*,   D / | X(t*) |,
 *     avg = sqrt(sum D_i^2) / n,   rms = sqrt(sum D_i^2 / n),
 *
 * as Negrut's post-processor has them for one column [Neg98, (5.1)-(5.4)], avg being his. The
 * norm | . | over the columns of a group is the largest one, then X(t*) is of the column that
 * differs most, or the root mean square. The scaled error is the largest norm of
 * (x - X) / (1 + |X|). */
// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <math.h>

void compared_errors_clear(compared_error error[COMPARED_GROUPS])
{
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        error[group] = (compared_error){.scaled = (double)NAN,
                                        .largest = (double)NAN,
                                        .t = (double)NAN,
                                        .column = -1,
                                        .relative = (double)NAN,
                                        .mean = (double)NAN,
                                        .rms = (double)NAN};
    }
}

/* Of one group at one time. */
typedef struct differences {
    int count, worst; /* columns that are compared, that which differs most; -1: none */
    double largest, scaled, size;     /* |x - X|, |x - X|/(1 + |X|), |X| of the worst */
    double sum, sum_scaled, sum_size; /* of squares */
} differences;

static void differ(differences *d, int column, double x, double exact)
{
    const double e = isfinite(x) ? fabs(x - exact) : (double)INFINITY;
    const double scaled = e / (1.0 + fabs(exact));

    d->count++;
    d->scaled = scaled > d->scaled ? scaled : d->scaled;
    if (d->worst < 0 || e > d->largest) {
        d->worst = column;
        d->largest = e;
        d->size = fabs(exact);
    }
    d->sum += e * e;
    d->sum_scaled += scaled * scaled;
    d->sum_size += exact * exact;
}

/* The largest part becomes the root mean square. */
static void average(differences *d)
{
    d->worst = -1;
    d->largest = sqrt(d->sum / d->count);
    d->scaled = sqrt(d->sum_scaled / d->count);
    d->size = sqrt(d->sum_size / d->count);
}

static void take(compared_error *e, const differences *d, double t)
{
    e->count++;
    e->squares += d->largest * d->largest;
    e->mean = sqrt(e->squares) / (double)e->count;
    e->rms = sqrt(e->squares / (double)e->count);
    e->scaled = isnan(e->scaled) || d->scaled > e->scaled ? d->scaled : e->scaled;
    if (isnan(e->largest) || d->largest > e->largest) {
        e->largest = d->largest;
        e->t = t;
        e->column = d->worst;
        e->relative = d->size > 0.0 ? d->largest / d->size : (double)NAN;
    }
}

void compared_errors_add(const run_plan *plan, double t, const double *values,
                         const double *reference, compared_error error[COMPARED_GROUPS])
{
    const compared_columns *c = plan->columns;
    differences found[COMPARED_GROUPS];

    for (int group = 0; group < COMPARED_GROUPS; group++) {
        found[group] = (differences){.worst = -1};
    }
    for (int i = 0; i < c->count; i++) {
        if (!isnan(reference[i])) {
            differ(&found[c->item[i].group], i, values[i], reference[i]);
        }
    }
    for (int group = 0; group < COMPARED_GROUPS; group++) {
        if (found[group].count > 0) {
            if (plan->rms) {
                average(&found[group]);
            }
            take(&error[group], &found[group], t);
        }
    }
}

void compared_errors(const run_plan *plan, const double *values, const double *reference,
                     compared_error error[COMPARED_GROUPS])
{
    compared_errors_clear(error);
    for (int k = 0; k < plan->point_count; k++) {
        const size_t at = (size_t)k * (size_t)plan->columns->count;
        compared_errors_add(plan, plan->points[k], values + at, reference + at, error);
    }
}
