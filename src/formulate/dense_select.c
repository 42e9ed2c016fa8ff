/* dense_select.c - which differential rows are used: the dynamic selector.
 *
 * By default from VD, which does not depend on the step size, block by block, with rows measured by their
 * own leading entries: badly scaled masses then do not let kinematic rows crowd out dynamic ones. The
 * published choice, row pivoting of E1 = sigma VD + VB, is an option [Ste06, 5.1.4]; with QR the
 * selector is the orthogonal factor of E1. peom1 keeps every dynamic row and selects among the
 * kinematic ones only. theory (3.6) */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_dense.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static const double weakest_pivot = 1e-12; /* relative to the first; below, no choice is regular */

/* complete pivoting on W (rows x columns, destroyed): the first count pivot rows go to chosen */
static bool pivot_rows(double *W, int rows, int columns, int count, bool complete, int *chosen)
{
    double first = 0.0;
    for (int k = 0; k < count; k++) {
        double best = -1.0;
        int row = -1, column = k;
        for (int j = k; j < (complete ? columns : k + 1); j++) {
            for (int i = 0; i < rows; i++) {
                bool used = false;
                for (int c = 0; c < k; c++) {
                    used = used || chosen[c] == i;
                }
                if (!used && fabs(W[i + (long)j * rows]) > best) {
                    best = fabs(W[i + (long)j * rows]);
                    row = i;
                    column = j;
                }
            }
        }
        first = fmax(first, best);
        if (row < 0 || !(best > weakest_pivot * first)) {
            return false;
        }
        chosen[k] = row;
        for (int i = 0; i < rows && column != k; i++) {
            const double keep = W[i + (long)k * rows];
            W[i + (long)k * rows] = W[i + (long)column * rows];
            W[i + (long)column * rows] = keep;
        }
        const double *pivot_column = W + (long)k * rows;
        for (int j = k + 1; j < columns; j++) {
            double *target = W + (long)j * rows;
            const double factor = target[row] / pivot_column[row];
            for (int i = 0; i < rows && factor != 0.0; i++) {
                target[i] -= i == row ? 0.0 : factor * pivot_column[i];
            }
        }
    }
    return true;
}

/* count of the rows first..first+rows-1 for the free columns in [column, column_end), from VD with
 * equilibrated rows; appended to the selector at *chosen */
static bool select_block(crank_dense *d, int first, int rows, int column, int column_end, int *chosen)
{
    double *W = d->select_work;
    int columns = 0;
    for (int j = 0; j < d->free_count; j++) {
        if (d->free_column[j] < column || d->free_column[j] >= column_end) {
            continue;
        }
        for (int i = 0; i < rows; i++) {
            const double scale = d->lead_scale[first + i];
            W[i + (long)columns * rows] = scale > 0.0 ? d->VD[first + i + (long)j * d->mD] / scale : 0.0;
        }
        columns++;
    }
    int *selector = d->selector + *chosen;
    if (columns > rows || !pivot_rows(W, rows, columns, columns, true, selector)) {
        return false;
    }
    for (int i = 0; i < columns; i++) {
        selector[i] += first;
    }
    *chosen += columns;
    return true;
}

/* psf: rows of b for r, dynamic rows for the free velocities, kinematic rows for the free positions.
 * Taken together, dynamic rows would win free positions through their velocity-dependent fill-in, which
 * is regular but spoils Newton's convergence. */
static bool select_from_mass(crank_dense *d)
{
    const crank_eom *eom = d->base.setup.eom;
    const int nr = eom->sizes.r, nv = eom->sizes.v;
    int chosen = 0;
    return select_block(d, 0, nr, eom->column[CRANK_R], eom->column[CRANK_V], &chosen) &&
           select_block(d, nr, nv, eom->column[CRANK_V], eom->column[CRANK_S], &chosen) &&
           select_block(d, nr + nv, eom->sizes.p, eom->column[CRANK_S], d->n, &chosen) &&
           chosen == d->free_count;
}

static bool select_from_newton_matrix(crank_dense *d, double sigma)
{
    double *W = d->select_work;
    for (long i = 0; i < (long)d->mD * d->free_count; i++) {
        W[i] = sigma * d->VD[i] + d->VB[i];
    }
    return pivot_rows(W, d->mD, d->free_count, d->free_count, false, d->selector);
}

/* peom1: rows of b and of the dynamic equations, then the best kinematic rows */
static bool select_kinematic(crank_dense *d)
{
    const crank_eom *eom = d->base.setup.eom;
    const int kept = eom->sizes.r + eom->sizes.v, count = d->free_count - kept, np = eom->sizes.p;
    double *W = d->select_work;
    if (count < 0 || count > np) {
        return false;
    }
    for (int i = 0; i < kept; i++) {
        d->selector[i] = i;
    }
    int columns = 0;
    for (int j = 0; j < d->free_count; j++) {
        if (d->free_column[j] >= eom->column[CRANK_S]) {
            memcpy(W + (long)columns++ * np, d->VD + kept + (long)j * d->mD, (size_t)np * sizeof *W);
        }
    }
    if (count > columns || !pivot_rows(W, np, columns, count, true, d->selector + kept)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        d->selector[kept + i] += kept;
    }
    return true;
}

/* S = first free_count rows of Q^T, E1 = Q R */
static bool select_by_qr(crank_dense *d, double sigma)
{
    double *W = d->select_work;
    for (long i = 0; i < (long)d->mD * d->free_count; i++) {
        W[i] = sigma * d->VD[i] + d->VB[i];
    }
    double *Q = d->block;
    if (!crank_qr(d->mD, d->free_count, W, d->mD, NULL, Q, d->tau, d->work, d->work_size)) {
        return false;
    }
    for (int i = 0; i < d->free_count; i++) {
        for (int j = 0; j < d->mD; j++) {
            d->S[i + (long)j * d->free_count] = Q[j + (long)i * d->mD];
        }
    }
    return true;
}

crank_status crank_dense_select(crank_dense *d, double sigma, crank_error *err)
{
    const crank_options *options = &d->base.setup.options;
    bool fine = true;
    if (d->free_count > d->mD) {
        return crank_fail(err, CRANK_ERANK_MISMATCH,
                          "%d unknowns are left for %d differential equations: the motion is not "
                          "determined",
                          d->free_count, d->mD);
    }
    if (options->differential == CRANK_DIFFERENTIAL_QR) {
        fine = select_by_qr(d, sigma);
    } else if (d->base.setup.form == CRANK_FORM_PEOM1) {
        fine = select_kinematic(d);
    } else if (options->selector_source == CRANK_SELECTOR_MASS) {
        fine = select_from_mass(d);
    } else {
        fine = select_from_newton_matrix(d, sigma);
    }
    if (!fine) {
        return crank_fail(err, CRANK_RETRY, "no regular choice of differential equations exists here");
    }
    d->base.setup.statistics->selector_updates++;
    d->selector_due = false;
    return CRANK_OK;
}
