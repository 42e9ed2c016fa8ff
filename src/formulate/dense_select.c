/* dense_select.c - which differential rows are used: the dynamic selector.
 *
 * By default from VD, which does not depend on the step size, block by block, with rows
 * measured by their own leading entries: badly scaled masses then do not let kinematic rows
 * crowd out dynamic ones. The published choice, row pivoting of E1 = sigma VD + VB, is an
 * option [Ste06, 5.1.4]: it belongs to one step size, and gives way to the other where it
 * fails again; with QR the selector is the orthogonal factor of E1. theory (3.7) */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_dense.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static const double weakest_pivot =
    1e-12; /* relative to the first; below, no choice is regular */

/* So often Newton's iteration may fail with rows chosen from E1 for the same pivot columns: the
 * first failure may be due to rows of an older step size, the second is due to those of this
 * one. */
static const int newton_matrix_failures = 2;

/* largest entry in columns k..last-1 of rows that are not chosen yet; its row, or -1 */
static int find_pivot(const double *W, int rows, int k, int last, const int *chosen,
                      int *column)
{
    double best = 0.0;
    int row = -1;
    for (int i = 0; i < rows; i++) {
        bool used = false;
        for (int c = 0; c < k; c++) {
            used = used || chosen[c] == i;
        }
        for (int j = k; j < last && !used; j++) {
            if (fabs(W[i + (long)j * rows]) > best) {
                best = fabs(W[i + (long)j * rows]);
                row = i;
                *column = j;
            }
        }
    }
    return row;
}

static void swap_columns(double *W, int rows, int a, int b)
{
    for (int i = 0; i < rows && a != b; i++) {
        const double keep = W[i + (long)a * rows];
        W[i + (long)a * rows] = W[i + (long)b * rows];
        W[i + (long)b * rows] = keep;
    }
}

/* Complete pivoting on W (rows x columns, destroyed), or row pivoting column by column: the
 * first count pivot rows go to chosen. false: no regular choice. */
static bool pivot_rows(double *W, int rows, int columns, int count, bool complete, int *chosen)
{
    double first = 0.0;
    for (int k = 0; k < count; k++) {
        int column = k;
        const int row = find_pivot(W, rows, k, complete ? columns : k + 1, chosen, &column);
        const double size = row >= 0 ? fabs(W[row + (long)column * rows]) : 0.0;
        first = fmax(first, size);
        if (!(size > weakest_pivot * first)) {
            return false;
        }
        chosen[k] = row;
        swap_columns(W, rows, k, column);
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

/* Rows first..first+rows-1 for the free columns in [column, column_end), from VD with
 * equilibrated rows; appended to the selector at *chosen. unknown is the column of the first
 * row's own unknown: rows and columns are weighted by how much their unknowns move, so that a
 * small deformation is found from its own equation and not from that of a large angle it
 * depends on. */
static bool select_block(crank_dense *d, int first, int rows, int unknown, int column,
                         int column_end, int *chosen)
{
    const double *weight = d->base.setup.column_weight, *unit = d->base.setup.unit;
    const bool weighted =
        d->method != CRANK_BY_SVD; /* its free directions are mixtures of unknowns over units */
    double *W = d->select_work;
    int columns = 0;
    for (int j = 0; j < d->free_count; j++) {
        if (d->free_column[j] < column || d->free_column[j] >= column_end) {
            continue;
        }
        for (int i = 0; i < rows; i++) {
            const double ratio = weighted ? weight[d->free_column[j]] *
                                                unit[d->free_column[j]] / weight[unknown + i]
                                          : 1.0;
            const double scale = d->lead_scale[first + i];
            W[i + (long)columns * rows] =
                scale > 0.0 ? d->VD[first + i + (long)j * d->mD] / scale * ratio : 0.0;
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

/* psf: rows of b for r, dynamic rows for the free velocities, kinematic rows for the free
 * positions. Taken together, dynamic rows would win free positions through their
 * velocity-dependent fill-in, which is regular but spoils Newton's convergence. */
static bool select_from_mass(crank_dense *d)
{
    const crank_eom *eom = d->base.setup.eom;
    const int nr = eom->sizes.r, nv = eom->sizes.v;
    int chosen = 0;
    const int r = eom->column[CRANK_R], v = eom->column[CRANK_V], s = eom->column[CRANK_S];
    return select_block(d, 0, nr, r, r, v, &chosen) &&
           select_block(d, nr, nv, v, v, s, &chosen) &&
           select_block(d, nr + nv, eom->sizes.p, eom->column[CRANK_P], s, d->n, &chosen) &&
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

/* peom1: dynamic rows for the free velocities, which they know through VD, and for the
 * multipliers, which they know through VB. Without invariants these are all of them. */
static bool select_dynamic(crank_dense *d, int *chosen)
{
    const crank_eom *eom = d->base.setup.eom;
    const int nr = eom->sizes.r, nv = eom->sizes.v;
    double *W = d->select_work;
    int columns = 0;
    for (int j = 0; j < d->free_count; j++) {
        const int column = d->free_column[j];
        const bool velocity = column >= eom->column[CRANK_V] && column < eom->column[CRANK_S];
        const bool multiplier =
            column >= eom->column[CRANK_LAMBDA] && column < eom->column[CRANK_R];
        if (!velocity && !multiplier) {
            continue;
        }
        const double *source = (velocity ? d->VD : d->VB) + nr + (long)j * d->mD;
        double largest = 0.0;
        for (int i = 0; i < nv; i++) {
            const double scale = d->lead_scale[nr + i];
            W[i + (long)columns * nv] = scale > 0.0 ? source[i] / scale : source[i];
            largest = fmax(largest, fabs(W[i + (long)columns * nv]));
        }
        for (int i = 0; i < nv && largest > 0.0; i++) {
            W[i + (long)columns * nv] /= largest;
        }
        columns++;
    }
    int *selector = d->selector + *chosen;
    if (columns > nv || !pivot_rows(W, nv, columns, columns, true, selector)) {
        return false;
    }
    for (int i = 0; i < columns; i++) {
        selector[i] += nr;
    }
    *chosen += columns;
    return true;
}

static bool select_peom1(crank_dense *d)
{
    const crank_eom *eom = d->base.setup.eom;
    const int nr = eom->sizes.r, first = nr + eom->sizes.v;
    int chosen = 0;
    return select_block(d, 0, nr, eom->column[CRANK_R], eom->column[CRANK_R],
                        eom->column[CRANK_V], &chosen) &&
           select_dynamic(d, &chosen) &&
           select_block(d, first, eom->sizes.p, eom->column[CRANK_P], eom->column[CRANK_S],
                        d->n, &chosen) &&
           chosen == d->free_count;
}

/* what a differential row counts in least squares: dynamic rows as accelerations, whatever the
 * masses are */
static double row_weight(const crank_dense *d, int i)
{
    const bool least = d->base.setup.form == CRANK_FORM_OVERDETERMINED;
    return least && d->lead_scale[i] > 0.0 ? 1.0 / d->lead_scale[i] : 1.0;
}

/* S = first free_count rows of Q^T, E1 = Q R: S E1 z = S y is the least-squares solution of E1
 * z = y, of weighted rows where that is the formulation */
static bool select_by_qr(crank_dense *d, double sigma)
{
    double *W = d->select_work;
    for (int j = 0; j < d->free_count; j++) {
        for (int i = 0; i < d->mD; i++) {
            const long at = i + (long)j * d->mD;
            W[at] = row_weight(d, i) * (sigma * d->VD[at] + d->VB[at]);
        }
    }
    double *Q = d->block;
    if (!crank_qr(d->mD, d->free_count, W, d->mD, NULL, Q, d->tau, d->work, d->work_size)) {
        return false;
    }
    for (int i = 0; i < d->free_count; i++) {
        for (int j = 0; j < d->mD; j++) {
            d->S[i + (long)j * d->free_count] = row_weight(d, j) * Q[j + (long)i * d->mD];
        }
    }
    return true;
}

crank_status crank_dense_select(crank_dense *d, double sigma, crank_error *err)
{
    const crank_options *options = &d->base.setup.options;
    bool fine = true;
    if (d->free_count > d->mD) {
        return crank_fail(
            err, CRANK_ERANK_MISMATCH,
            "%d unknowns are left for %d differential equations: the motion is not "
            "determined",
            d->free_count, d->mD);
    }
    if (d->method == CRANK_BY_PLANE) {
        crank_dense_select_plane(d);
    } else if (options->differential == CRANK_DIFFERENTIAL_QR) {
        fine = select_by_qr(d, sigma);
    } else if (d->base.setup.form == CRANK_FORM_PEOM1) {
        fine = select_peom1(d);
    } else if (options->selector_source == CRANK_SELECTOR_MASS ||
               d->selector_failures >= newton_matrix_failures) {
        fine = select_from_mass(d);
    } else {
        fine = select_from_newton_matrix(d, sigma);
    }
    if (!fine) {
        return crank_fail(err, CRANK_RETRY,
                          "no regular choice of differential equations exists here");
    }
    d->base.setup.statistics->selector_updates++;
    d->selector_due = false;
    return CRANK_OK;
}
