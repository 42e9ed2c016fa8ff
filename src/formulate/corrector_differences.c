/* corrector_differences.c - F_y by differences, y' and u held, column by column or by groups of
 * columns that share no row:
 *
 *     dF_i/dy_r = (F_i(y + sum of delta_q e_q) - F_i(y)) / delta_r,   q in the group of r
 *     delta_r = max(|y_r|, eps^(1/4) unit_r) eps^(1/2)                   theory (2.24)
 *
 * Columns of eta are known and not differenced. An estimated pattern is what differences of all
 * columns have shown so far, but for noise: a change of F_i counts if it is larger than the
 * rounding of the row's largest, and than what the fourth differences of F along a line of tiny
 * steps say of its rounding,
 *
 *     sigma_i^2 = mean of (fourth differences of F_i)^2 / 70                   theory (2.25) */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/corrector.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LINE = CRANK_CORRECTOR_LINE, ORDER = 4 };
/* (4!)^2 / 8!: of independent roundings of size one the mean square of a fourth difference is
 * 70 [Hamming: Numerical Methods for Scientists and Engineers, 1962, chapter 10] */
static const double fourth = 70.0;
/* a change that many times sigma is no noise: the difference of two values has sqrt(2) sigma,
 * which in 1e5 entries does not become five times as large */
static const double certain = 8.0;

static void set_steps(crank_corrector *s, const double *x)
{
    const double least = sqrt(sqrt(DBL_EPSILON));
    for (int j = 0; j < s->base.n - s->extra; j++) {
        const double unit = s->direct->scale.unit[s->column[j]];
        const double step =
            fmax(fabs(x[j]), least * (unit > 0.0 ? unit : 1.0)) * sqrt(DBL_EPSILON);
        const volatile double there = x[j] + step;
        s->step[j] = there - x[j];
    }
}

/* F beside the point, with the columns of a group moved one way, or the other where F is not
 * defined there */
static crank_status move_group(crank_corrector *s, double t, const double *x, const int *column,
                               int count, crank_error *err)
{
    crank_status status = CRANK_RETRY;
    for (int side = 0; side < 2 && status == CRANK_RETRY; side++) {
        for (int l = 0; l < count; l++) {
            s->step[column[l]] *= side == 0 ? 1.0 : -1.0;
            s->y[column[l]] = x[column[l]] + s->step[column[l]];
        }
        status = crank_corrector_residual(&s->base, t, s->y, s->rate, s->f1, err);
    }
    for (int l = 0; l < count; l++) {
        s->y[column[l]] = x[column[l]];
    }
    return status;
}

static crank_status begin(crank_corrector *s, double t, const double *x, crank_error *err)
{
    set_steps(s, x);
    memcpy(s->y, x, (size_t)s->base.n * sizeof *x);
    return crank_corrector_residual(&s->base, t, x, s->rate, s->f0, err);
}

/* Evaluations since then were for differences. */
static void count(crank_corrector *s, int64_t before)
{
    s->statistics.difference_evaluations += s->statistics.evaluations - before;
    s->statistics.evaluations = before;
}

crank_status crank_corrector_difference(crank_corrector *s, double t, const double *x,
                                        crank_error *err)
{
    crank_corrector_matrix *A = &s->matrix;
    const int64_t before = s->statistics.evaluations;
    crank_status status = begin(s, t, x, err);
    for (int g = 0; g < A->group_count && status == CRANK_OK; g++) {
        const int *column = A->group_column + A->group_start[g];
        const int columns = A->group_start[g + 1] - A->group_start[g];
        status = move_group(s, t, x, column, columns, err);
        for (int l = 0; l < columns && status == CRANK_OK; l++) {
            const int j = column[l];
            for (int e = A->own_start[j]; e < A->own_start[j + 1]; e++) {
                const int row = A->own_row[e];
                A->rest[A->own_slot[e]] = -(s->f1[row] - s->f0[row]) / s->step[j];
            }
        }
    }
    count(s, before);
    return status;
}

/* ---- estimated patterns ---- */

/* s->noise: rounding of each row */
static crank_status measure_noise(crank_corrector *s, double t, const double *x,
                                  crank_error *err)
{
    static const double binomial[ORDER + 1] = {1.0, -4.0, 6.0, -4.0, 1.0};
    const int n = s->base.n;
    double *line = s->line; /* LINE x n */
    crank_status status = CRANK_OK;
    for (int i = 0; i < LINE && status == CRANK_OK; i++) {
        for (int j = 0; j < n - s->extra; j++) { /* by different parts: nothing cancels */
            const double golden = (j + 1) * 0.6180339887498949;
            s->y[j] = x[j] + i * (0.5 + golden - floor(golden)) * s->step[j];
        }
        status = crank_corrector_residual(&s->base, t, s->y, s->rate, line + (long)i * n, err);
    }
    memcpy(s->y, x, (size_t)n * sizeof *x);
    for (int row = 0; row < n; row++) {
        double sum = 0.0;
        for (int i = 0; i + ORDER < LINE; i++) {
            double difference = 0.0;
            for (int k = 0; k <= ORDER; k++) {
                difference += binomial[k] * line[(long)(i + k) * n + row];
            }
            sum += difference * difference;
        }
        s->noise[row] = fmax(certain * sqrt(sum / ((LINE - ORDER) * fourth)),
                             2.0 * DBL_EPSILON * fabs(s->f0[row]));
    }
    return status;
}

/* Rows of s->change, absolute changes by columns: what is more than rounding. */
static bool see(crank_corrector *s)
{
    const size_t n = (size_t)s->base.n, known = n - (size_t)s->extra;
    bool grown = false;
    for (size_t i = 0; i < n; i++) {
        double most = 0.0;
        for (size_t j = 0; j < known; j++) {
            most = fmax(most, s->change[j * n + i]);
        }
        const double least = fmax(s->noise[i], certain * DBL_EPSILON * most);
        for (size_t j = 0; j < known; j++) {
            const bool found = !s->seen[j * n + i] && s->change[j * n + i] > least;
            s->seen[j * n + i] |= found;
            grown = grown || found;
        }
    }
    return grown;
}

crank_status crank_corrector_scan(crank_corrector *s, double t, const double *x, bool *grown,
                                  crank_error *err)
{
    const int n = s->base.n;
    const int64_t before = s->statistics.evaluations;
    crank_status status = begin(s, t, x, err);
    status = status == CRANK_OK ? measure_noise(s, t, x, err) : status;
    for (int j = 0; j < n - s->extra && status == CRANK_OK; j++) {
        status = move_group(s, t, x, &j, 1, err);
        for (int i = 0; i < n && status == CRANK_OK; i++) {
            s->change[(size_t)j * (size_t)n + (size_t)i] = fabs(s->f1[i] - s->f0[i]);
        }
    }
    *grown = status == CRANK_OK && see(s);
    s->statistics.pattern_updates += *grown;
    count(s, before);
    return status;
}
