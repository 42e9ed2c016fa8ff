/* dense_tangent.c - the tangent plane of the constraints as parameters [Neg98, app. B], for the
 * dense decomposition, theory (2.35)-(2.37). With unknowns over their units and rows over their
 * sizes, on velocity and on position level,
 *
 *     A^T P = [Q1 Q2] [R; 0],   A Q1 = P R^T,   A Q2 = 0
 *     z = Q^T x = (u, v):   u by the constraints,  v' = Q2^T x'
 *
 * Columns of A are turned by Q, after which those of u are pivots and those of v free; the
 * selector is Q2^T. Rows that R shows to be redundant are left out, with their multipliers.
 *
 * A decomposition that follows another one has its Q and the rows that it keeps, and a Jacobian
 * of its own: corrections by it leave v as it is. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_dense.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static const int levels[] = {CRANK_WINDOW_VELOCITY, CRANK_WINDOW_POSITION};
enum { LEVELS = sizeof levels / sizeof *levels };

static int rows_of(const crank_window *w)
{
    return w->row_end - w->row;
}

static int columns_of(const crank_window *w)
{
    return w->column_end - w->column;
}

/* d->block := A^T of a window, rows over their sizes, unknowns over their units */
static void take_transposed(crank_dense *d, const crank_window *window)
{
    const int columns = columns_of(window);
    for (int i = 0; i < rows_of(window); i++) {
        const int row = window->row + i;
        const double inverse = d->row_scale[row] > 0.0 ? 1.0 / d->row_scale[row] : 0.0;
        for (int j = 0; j < columns; j++) {
            const int column = window->column + j;
            d->block[j + (long)i * columns] =
                d->A[row + (long)column * d->mS] * inverse * d->base.setup.unit[column];
        }
    }
}

/* VT := Q^T, and the rows that count: the others are left out; rank < 0: it is found */
static crank_status turn(crank_dense *d, int w, int rank, crank_error *err)
{
    const crank_window *window = &d->base.setup.window[w];
    const int rows = rows_of(window), columns = columns_of(window);
    const int small = rows < columns ? rows : columns;
    const double tolerance = d->base.setup.options.rank_tolerance;
    double *Q = d->turned;
    take_transposed(d, window);
    if (!crank_qr(columns, rows, d->block, columns, d->order, Q, d->tau, d->work,
                  d->work_size)) {
        return crank_fail(err, CRANK_EDECOMPOSITION,
                          "the QR decomposition of a constraint block failed to converge");
    }
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < columns; i++) {
            d->VT[w][j + (long)i * columns] = Q[i + (long)j * columns];
        }
    }
    int found = 0;
    while (found < small && (rank < 0 || found < rank) &&
           fabs(d->block[found + (long)found * columns]) >
               (rank < 0 ? tolerance * fmax(fabs(d->block[0]), 1.0) : 0.0)) {
        found++;
    }
    for (int k = 0; k < rows; k++) {
        d->left_out[window->row + d->order[k]] = k >= found;
    }
    d->turned_rank[w] = found;
    return CRANK_OK;
}

/* columns of the level's own window := columns diag(unit) Q, in all rows */
static void turn_columns(crank_dense *d, int w)
{
    const crank_window *window = &d->base.setup.window[w];
    const int columns = columns_of(window);
    const double *unit = d->base.setup.unit + window->column, *VT = d->VT[w];
    double *turned = d->work;
    for (int i = 0; i < d->mS; i++) {
        double *row = d->A + i + (long)window->column * d->mS;
        memset(turned, 0, (size_t)columns * sizeof *turned);
        for (int k = 0; k < columns; k++) {
            const double entry = unit[k] * row[(long)k * d->mS];
            for (int j = 0; j < columns && entry != 0.0; j++) {
                turned[j] += VT[j + (long)k * columns] * entry;
            }
        }
        for (int j = 0; j < columns; j++) {
            row[(long)j * d->mS] = turned[j];
        }
    }
}

/* rows left out on velocity level are so on acceleration level, with their multipliers */
static void leave_out(crank_dense *d)
{
    const crank_eom *eom = d->base.setup.eom;
    const int multipliers = eom->sizes.lambda + eom->sizes.mu;
    for (int i = 0; i < d->mC; i++) {
        d->row_used[i] = d->left_out[i];
    }
    for (int i = 0; i < multipliers; i++) { /* gI, h rows are in the order of lambda, mu */
        const bool out = d->left_out[eom->row[CRANK_ROW_GI] + i];
        d->fixed[eom->column[CRANK_LAMBDA] + i] = out;
        d->row_used[eom->row[CRANK_ROW_GII] + i] = out;
        d->column_used[eom->column[CRANK_LAMBDA] + i] = out;
    }
}

crank_status crank_dense_turn(crank_dense *d, const int *known_rank, crank_error *err)
{
    const crank_dense *of = d->follows;
    for (int l = 0; l < LEVELS; l++) {
        const int w = levels[l];
        const crank_window *window = &d->base.setup.window[w];
        const size_t columns = (size_t)columns_of(window);
        d->turned_rank[w] = 0;
        if (rows_of(window) == 0) {
            continue;
        }
        if (of != NULL) {
            memcpy(d->VT[w], of->VT[w], columns * columns * sizeof *d->VT[w]);
            memcpy(d->left_out + window->row, of->left_out + window->row,
                   (size_t)rows_of(window) * sizeof *d->left_out);
            d->turned_rank[w] = of->turned_rank[w];
        } else {
            const crank_status status =
                turn(d, w, known_rank != NULL ? known_rank[w] : -1, err);
            if (status != CRANK_OK) {
                return status;
            }
        }
        turn_columns(d, w);
    }
    leave_out(d);
    return CRANK_OK;
}

/* of the rows that are left the one with the largest part in this column, over its size */
static int pivot_row(const crank_dense *d, const crank_window *window, int column, double *size)
{
    const double *entries = d->A + (long)column * d->mS;
    int best = -1;
    *size = 0.0;
    for (int i = window->row; i < window->row_end; i++) {
        const double part = d->row_used[i] || !(d->row_scale[i] > 0.0)
                                ? 0.0
                                : fabs(entries[i]) / d->row_scale[i];
        if (part > *size) {
            *size = part;
            best = i;
        }
    }
    return best;
}

void crank_dense_eliminate_turned(crank_dense *d, int w)
{
    const crank_window *window = &d->base.setup.window[w];
    crank_reduction_state *state = &d->base.state;
    for (int k = 0; k < d->turned_rank[w]; k++) {
        double size;
        const int row = pivot_row(d, window, window->column + k, &size);
        if (row < 0) {
            return;
        }
        crank_dense_eliminate(d, w, row, window->column + k);
        state->rank[w]++;
        state->smallest[w] = fmin(state->smallest[w], size);
    }
}

/* what a free column is the derivative of: a row of Q2^T over units, or an unknown itself */
static void fill_selector(crank_dense *d, int i, int w, int first)
{
    const crank_window *window = &d->base.setup.window[w];
    const int columns = columns_of(window), own = d->free_column[i] - window->column;
    for (int k = 0; k < columns; k++) {
        const double part = rows_of(window) > 0 ? d->VT[w][own + (long)k * columns]
                            : k == own          ? 1.0
                                                : 0.0;
        d->S[i + (long)(first + k) * d->free_count] = part / d->lead_scale[first + k];
    }
}

void crank_dense_select_plane(crank_dense *d)
{
    const crank_eom *eom = d->base.setup.eom;
    const int nr = eom->sizes.r, nv = eom->sizes.v;
    memset(d->S, 0, (size_t)d->free_count * (size_t)d->mD * sizeof *d->S);
    for (int i = 0; i < d->free_count; i++) {
        const int column = d->free_column[i];
        if (column < eom->column[CRANK_V]) {
            d->S[i + (long)(column - eom->column[CRANK_R]) * d->free_count] = 1.0;
        } else if (column < eom->column[CRANK_S]) {
            fill_selector(d, i, CRANK_WINDOW_VELOCITY, nr);
        } else {
            fill_selector(d, i, CRANK_WINDOW_POSITION, nr + nv);
        }
    }
}

void crank_reduction_dense_follow(crank_reduction *self, const crank_reduction *of)
{
    ((crank_dense *)self)->follows = (const crank_dense *)of;
}
