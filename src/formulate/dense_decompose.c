/* dense_decompose.c - the part of the index-reducing decomposition that does not depend on the
 * step size: Gaussian elimination of [C; B; D] with the pivots of C, window by window.
 *
 * Each of the three diagonal blocks of C is decomposed on its own [Ste06, 5.1.4]:
 *     Q_i F_ii P_i = [R_i S_i; 0 0],   theory (3.3)
 * LU: complete pivoting on rows scaled by their largest size so far; QR: dgeqp3; SVD: dgesvd,
 * for redundant rows. Invariants come last and find their pivots among the velocities and
 * positions that are left: at a turning point the energy fixes a position, not a velocity. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_dense.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static const double invariant_tolerance =
    1e-6; /* scaled pivots below drop an invariant's row */

/* the largest entry of each row of E_D over unknowns of size one: r' and p' have ones */
static void scale_lead(crank_dense *d, const double *mass)
{
    const crank_eom *eom = d->base.setup.eom;
    const double *unit = d->base.setup.unit;
    const int r = eom->column[CRANK_R], v = eom->column[CRANK_V], p = eom->column[CRANK_P];
    double *scale = d->lead_scale, *dynamic = scale + eom->sizes.r,
           *kinematic = dynamic + eom->sizes.v;
    memcpy(scale, unit + r, (size_t)eom->sizes.r * sizeof *scale);
    memcpy(kinematic, unit + p, (size_t)eom->sizes.p * sizeof *scale);
    for (int i = 0; i < eom->sizes.v; i++) {
        dynamic[i] = mass != NULL ? 0.0 : unit[v + i];
    }
    for (int j = 0; j < eom->sizes.v && mass != NULL; j++) {
        for (int k = eom->mass_pattern.start[j]; k < eom->mass_pattern.start[j + 1]; k++) {
            double *largest = &dynamic[eom->mass_pattern.row[k]];
            const double size = fabs(mass[k]) * unit[v + j];
            *largest = size > *largest ? size : *largest;
        }
    }
}

/* A = [-k_C,x; -k_D,x; E_D] from the sparse values */
static void fill(crank_dense *d, const double *jacobian, const double *mass)
{
    const crank_eom *eom = d->base.setup.eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    memset(d->A, 0, (size_t)d->mS * (size_t)d->n * sizeof *d->A);
    for (int j = 0; j < d->n; j++) {
        double *column = d->A + (long)j * d->mS;
        for (int k = J->start[j]; k < J->start[j + 1]; k++) {
            column[J->row[k]] = -jacobian[k];
        }
    }
    double *D = d->A + d->mC + d->mD;
    const int b = 0, dynamic = eom->row[CRANK_ROW_DYN] - d->mC,
              kinematic = eom->row[CRANK_ROW_KIN] - d->mC;
    for (int i = 0; i < eom->sizes.r; i++) {
        D[b + i + (long)(eom->column[CRANK_R] + i) * d->mS] = 1.0;
    }
    for (int i = 0; i < eom->sizes.p; i++) {
        D[kinematic + i + (long)(eom->column[CRANK_P] + i) * d->mS] = 1.0;
    }
    for (int j = 0; j < eom->sizes.v; j++) {
        double *column = D + dynamic + (long)(eom->column[CRANK_V] + j) * d->mS;
        if (mass == NULL) {
            column[j] = 1.0;
            continue;
        }
        const crank_pattern *M = &eom->mass_pattern;
        for (int k = M->start[j]; k < M->start[j + 1]; k++) {
            column[M->row[k]] = mass[k];
        }
    }
    scale_lead(d, mass);
}

/* rows are measured by their largest entry in their window so far: a row that vanishes is seen;
 * contact equations by that of now, theory (3.16) */
static void scale_rows(crank_dense *d, const double *jacobian)
{
    const crank_eom *eom = d->base.setup.eom;
    memset(d->row_scale + eom->row[CRANK_ROW_C], 0,
           (size_t)eom->sizes.s * sizeof *d->row_scale);
    const crank_pattern *J = &eom->jacobian_pattern;
    const double *unit = d->base.setup.unit;
    for (int w = 0; w < CRANK_WINDOWS; w++) {
        const crank_window *window = &d->base.setup.window[w];
        for (int i = window->row; i < window->row_end; i++) {
            d->row_scale[i] =
                fmax(d->row_scale[i], crank_reduction_least_row(&d->base.setup, w, i));
        }
        for (int j = window->column; j < window->column_end; j++) {
            for (int e = J->start[j]; e < J->start[j + 1]; e++) {
                const int i = J->row[e];
                if (i >= window->row && i < window->row_end) {
                    d->row_scale[i] = fmax(d->row_scale[i], fabs(jacobian[e]) * unit[j]);
                }
            }
        }
    }
}

/* of an unknown as it stands: turned ones are over their units */
static double unit_of(const crank_dense *d, int j)
{
    for (int w = 0; w < CRANK_WINDOW_INVARIANT; w++) {
        const crank_window *window = &d->base.setup.window[w];
        if (j >= window->column && j < window->column_end) {
            return crank_dense_turned(d, w) ? 1.0 : d->base.setup.unit[j];
        }
    }
    return d->base.setup.unit[j];
}

static double scaled(const crank_dense *d, int i, int j, double unit)
{
    const double size = fabs(d->A[i + (long)j * d->mS]) * unit;
    return d->row_scale[i] > 0.0 ? size / d->row_scale[i] : 0.0;
}

/* Eliminates the pivot's column from the rows below it: the rest of its own window (LU only, in
 * QR and SVD they are zero already), the invariants, and B and D. Multipliers are stored. */
void crank_dense_eliminate(crank_dense *d, int w, int row, int column)
{
    const crank_window *own = &d->base.setup.window[w];
    const crank_window *invariant = &d->base.setup.window[CRANK_WINDOW_INVARIANT];
    const int k = d->rC++;
    const double *pivot_column = d->A + (long)column * d->mS;
    const double inverse = -1.0 / pivot_column[row];
    double *l = d->multiplier;
    d->pivot_row[k] = row;
    d->pivot_column[k] = column;
    d->pivot_window[k] = w;
    d->row_used[row] = true;
    d->column_used[column] = true;
    memset(l, 0, (size_t)d->mC * sizeof *l);
    for (int i = own->row; i < own->row_end; i++) {
        l[i] = d->row_used[i] ? 0.0 : pivot_column[i] * inverse;
    }
    for (int i = invariant->row; i < invariant->row_end; i++) {
        l[i] = d->row_used[i] ? 0.0 : pivot_column[i] * inverse;
    }
    for (int i = d->mC; i < d->mS; i++) {
        l[i] = pivot_column[i] * inverse;
    }
    memcpy(d->LC + (long)k * d->mC, l, (size_t)d->mC * sizeof *l);
    memcpy(d->LB + (long)k * d->mD, l + d->mC, (size_t)d->mD * sizeof *l);
    memcpy(d->LD + (long)k * d->mD, l + d->mC + d->mD, (size_t)d->mD * sizeof *l);
    int begin = d->mC, end = d->mS; /* of B and D, which have few entries in most columns */
    while (begin < end && l[begin] == 0.0) {
        begin++;
    }
    while (end > begin && l[end - 1] == 0.0) {
        end--;
    }
    for (int j = 0; j < d->n; j++) {
        double *target = d->A + (long)j * d->mS;
        const double factor = target[row];
        if (d->column_used[j] || factor == 0.0) {
            continue;
        }
        for (int i = own->row; i < own->row_end; i++) {
            target[i] += l[i] * factor;
        }
        if (w != CRANK_WINDOW_INVARIANT) {
            for (int i = invariant->row; i < invariant->row_end; i++) {
                target[i] += l[i] * factor;
            }
        }
        for (int i = begin; i < end; i++) {
            target[i] += l[i] * factor;
        }
    }
}

/* Complete pivoting in one window until the scaled remainder is below tolerance. Pivots are
 * weighted by the motion of their unknowns; rank and monitor look at the largest entry without
 * weights. */
static void decompose_lu(crank_dense *d, int w, double tolerance)
{
    const crank_window *window = &d->base.setup.window[w];
    const double *weight = d->base.setup.column_weight;
    crank_reduction_state *state = &d->base.state;
    for (int step = window->row; step < window->row_end; step++) {
        double best = 0.0, largest = 0.0;
        int row = -1, column = -1;
        for (int j = window->column; j < window->column_end; j++) {
            if (d->column_used[j]) {
                continue;
            }
            const double unit = unit_of(d, j);
            for (int i = window->row; i < window->row_end; i++) {
                const double size = d->row_used[i] ? 0.0 : scaled(d, i, j, unit);
                largest = size > largest ? size : largest;
                if (size * weight[j] > best) {
                    best = size * weight[j];
                    row = i;
                    column = j;
                }
            }
        }
        if (!(largest > tolerance) || row < 0) {
            return;
        }
        crank_dense_eliminate(d, w, row, column);
        state->rank[w]++;
        state->smallest[w] = largest;
    }
}

/* copies the window's own block with scaled rows and columns and scales the whole rows alike */
static void take_block(crank_dense *d, const crank_window *window, int rows, int columns)
{
    for (int j = 0; j < d->n; j++) {
        double *column = d->A + (long)j * d->mS;
        for (int i = window->row; i < window->row_end; i++) {
            column[i] = d->row_scale[i] > 0.0 ? column[i] / d->row_scale[i] : 0.0;
        }
    }
    for (int j = 0; j < columns; j++) {
        const double *column = d->A + window->row + (long)(window->column + j) * d->mS;
        const double unit = d->base.setup.unit[window->column + j];
        for (int i = 0; i < rows; i++) {
            d->block[i + (long)j * rows] = column[i] * unit;
        }
    }
}

/* rows of the window in all columns := Q^T rows */
static void transform_rows(crank_dense *d, const crank_window *window, const double *Q,
                           int rows)
{
    double *temporary = d->work;
    for (int j = 0; j < d->n; j++) {
        double *column = d->A + window->row + (long)j * d->mS;
        for (int i = 0; i < rows; i++) {
            double sum = 0.0;
            for (int k = 0; k < rows; k++) {
                sum += Q[k + (long)i * rows] * column[k];
            }
            temporary[i] = sum;
        }
        memcpy(column, temporary, (size_t)rows * sizeof *column);
    }
}

/* columns of the window in all rows := columns diag(unit) V; the unknowns are unit V z from now
 * on */
static void transform_columns(crank_dense *d, const crank_window *window, const double *VT,
                              int columns)
{
    const double *unit = d->base.setup.unit + window->column;
    double *temporary = d->work;
    for (int i = 0; i < d->mS; i++) {
        double *row = d->A + i + (long)window->column * d->mS;
        for (int j = 0; j < columns; j++) {
            double sum = 0.0;
            for (int k = 0; k < columns; k++) {
                sum += VT[j + (long)k * columns] * unit[k] * row[(long)k * d->mS];
            }
            temporary[j] = sum;
        }
        for (int j = 0; j < columns; j++) {
            row[(long)j * d->mS] = temporary[j];
        }
    }
}

static crank_status decompose_orthogonal(crank_dense *d, int w, double tolerance,
                                         int known_rank, crank_error *err)
{
    const crank_window *window = &d->base.setup.window[w];
    crank_reduction_state *state = &d->base.state;
    const int rows = window->row_end - window->row,
              columns = window->column_end - window->column;
    const int small = rows < columns ? rows : columns;
    const bool svd = d->method == CRANK_BY_SVD;
    take_block(d, window, rows, columns);
    if (svd ? !crank_svd(rows, columns, d->block, rows, d->sigma, d->Q[w], d->VT[w], d->work,
                         d->work_size)
            : !crank_qr(rows, columns, d->block, rows, d->order, d->Q[w], d->tau, d->work,
                        d->work_size)) {
        return crank_fail(err, CRANK_EDECOMPOSITION,
                          "%s of a constraint block failed to converge",
                          svd ? "the singular value decomposition" : "the QR decomposition");
    }
    transform_rows(d, window, d->Q[w], rows);
    if (svd) {
        transform_columns(d, window, d->VT[w], columns);
    }
    for (int k = 0; k < small; k++) {
        const double size = svd ? d->sigma[k] : fabs(d->block[k + (long)k * rows]);
        const double first = svd ? d->sigma[0] : fabs(d->block[0]);
        if (known_rank >= 0 ? k >= known_rank : !(size > tolerance * fmax(first, 1.0))) {
            break;
        }
        if (!(size > 0.0)) {
            break;
        }
        crank_dense_eliminate(d, w, window->row + k, window->column + (svd ? k : d->order[k]));
        state->rank[w]++;
        state->smallest[w] = size;
    }
    for (int i = window->row; i < window->row_end; i++) {
        d->row_used[i] = true; /* what is left are the redundant combinations */
    }
    return CRANK_OK;
}

/* invariants: at most one pivot a row; rows that find none are left out of this step and
 * counted */
static void decompose_invariants(crank_dense *d)
{
    const crank_window *window = &d->base.setup.window[CRANK_WINDOW_INVARIANT];
    decompose_lu(d, CRANK_WINDOW_INVARIANT, invariant_tolerance);
    d->dropped_invariant =
        d->base.state.rank[CRANK_WINDOW_INVARIANT] < window->row_end - window->row;
    if (d->dropped_invariant) {
        d->base.setup.statistics->invariants_dropped++;
    }
}

/* columns without a pivot are left to the differential rows, except multiplier directions that
 * nothing determines (psf with redundant constraints): their increments are zero */
static void collect_free_columns(crank_dense *d)
{
    const crank_window *first = &d->base.setup.window[CRANK_WINDOW_ACCELERATION];
    d->free_count = 0;
    for (int j = 0; j < d->n; j++) {
        const bool undetermined = d->base.setup.form != CRANK_FORM_PEOM1 &&
                                  j >= first->column && j < first->column_end;
        if (!d->column_used[j] && !undetermined) {
            d->free_column[d->free_count++] = j;
        }
    }
}

static void pack(crank_dense *d)
{
    for (int k = 0; k < d->rC; k++) {
        const double *row = d->A + d->pivot_row[k];
        for (int j = k; j < d->rC; j++) {
            d->RC[k + (long)j * d->mC] = row[(long)d->pivot_column[j] * d->mS];
        }
        for (int j = 0; j < d->free_count; j++) {
            d->RC[k + (long)(d->rC + j) * d->mC] = row[(long)d->free_column[j] * d->mS];
        }
    }
    for (int j = 0; j < d->free_count; j++) {
        const double *column = d->A + d->mC + (long)d->free_column[j] * d->mS;
        memcpy(d->VB + (long)j * d->mD, column, (size_t)d->mD * sizeof *column);
        memcpy(d->VD + (long)j * d->mD, column + d->mD, (size_t)d->mD * sizeof *column);
    }
}

/* a row without a pivot (LU), or the last of those with the largest share in a vanishing
 * combination */
static int dependent_row(const crank_dense *d, int w)
{
    const crank_window *window = &d->base.setup.window[w];
    const int rows = window->row_end - window->row, rank = d->base.state.rank[w];
    int row = window->row;
    if (d->method == CRANK_BY_LU || d->method == CRANK_BY_PLANE) {
        while (row < window->row_end - 1 && d->row_used[row]) {
            row++;
        }
        return row;
    }
    const double *null = d->Q[w] + (long)rank * rows;
    int best = 0;
    for (int i = 1; i < rows; i++) {
        best = fabs(null[i]) > 0.999 * fabs(null[best]) ? i : best;
    }
    return window->row + best;
}

static crank_status rank_error(crank_dense *d, int w, bool first, crank_error *err)
{
    static const crank_status codes[] = {CRANK_EREDUNDANT_ACCELERATION,
                                         CRANK_EREDUNDANT_VELOCITY, CRANK_EREDUNDANT_POSITION};
    char name[160];
    crank_eom_row_name(d->base.setup.eom, dependent_row(d, w), name, sizeof name);
    if (first) {
        const bool remedy = d->base.setup.options.algebraic != CRANK_ALGEBRAIC_AUTO;
        return crank_fail(err, codes[w], "%s depends on the other rows%s", name,
                          remedy ? "; use option algebraic=svd" : "");
    }
    return crank_fail(err, CRANK_ESINGULAR, "%s became dependent on the other constraints",
                      name);
}

/* at the first decomposition ranks are taken as they are (SVD) or must be full (LU, QR) */
static crank_status check_ranks(crank_dense *d, const int *old_rank, bool first,
                                crank_error *err)
{
    crank_reduction_state *state = &d->base.state;
    const crank_eom *eom = d->base.setup.eom;
    int deficiency[3];
    state->redundant = false;
    for (int w = 0; w < CRANK_WINDOW_INVARIANT; w++) {
        const crank_window *window = &d->base.setup.window[w];
        deficiency[w] = window->row_end - window->row - state->rank[w];
        state->redundant = state->redundant || deficiency[w] > 0;
        if (first ? (deficiency[w] > 0 && d->method != CRANK_BY_SVD &&
                     d->method != CRANK_BY_PLANE)
                  : state->rank[w] < old_rank[w]) {
            return rank_error(d, w, first, err);
        }
    }
    if (first && d->base.setup.form != CRANK_FORM_PEOM1 && eom->dae == NULL &&
        (deficiency[0] != deficiency[1] || deficiency[2] > deficiency[1])) {
        return crank_fail(
            err, CRANK_ERANK_MISMATCH,
            "dependent rows: %d on acceleration, %d on velocity, %d on position level; "
            "%s",
            deficiency[0], deficiency[1], deficiency[2],
            eom->sizes.w > 0 || eom->sizes.s > 0
                ? "d_w, c_s or the constraints are singular here"
                : "the mass matrix or the constraints are singular here");
    }
    if (state->redundant && d->base.setup.form == CRANK_FORM_PEOM1) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "peom1 needs independent constraints; use psf-radau, or remove the redundant rows");
    }
    return CRANK_OK;
}

static bool columns_changed(crank_dense *d)
{
    const bool changed = memcmp(d->previous_columns, d->column_used, (size_t)d->n) != 0;
    memcpy(d->previous_columns, d->column_used, (size_t)d->n);
    return changed;
}

crank_status crank_dense_decompose(crank_reduction *base, const double *jacobian,
                                   const double *mass, bool first, crank_error *err)
{
    crank_dense *d = (crank_dense *)base;
    int old_rank[CRANK_WINDOWS];
    memcpy(old_rank, base->state.rank, sizeof old_rank);
    fill(d, jacobian, mass);
    scale_rows(d, jacobian);
    memset(d->row_used, 0, (size_t)d->mC);
    memset(d->column_used, 0, (size_t)d->n);
    memset(base->state.rank, 0, sizeof base->state.rank);
    d->rC = 0;
    d->factored = false;
    if (d->method == CRANK_BY_PLANE) {
        const crank_status turned = crank_dense_turn(d, first ? NULL : old_rank, err);
        if (turned != CRANK_OK) {
            return turned;
        }
    }
    for (int w = 0; w < CRANK_WINDOW_INVARIANT; w++) {
        const crank_window *window = &base->setup.window[w];
        base->state.smallest[w] = (double)INFINITY;
        if (window->row == window->row_end) {
            continue;
        }
        if (d->method == CRANK_BY_PLANE && crank_dense_turned(d, w)) {
            crank_dense_eliminate_turned(d, w);
            continue;
        }
        if (d->method == CRANK_BY_LU || d->method == CRANK_BY_PLANE) {
            decompose_lu(d, w, base->setup.options.rank_tolerance);
            continue;
        }
        const crank_status status = decompose_orthogonal(
            d, w, base->setup.options.rank_tolerance, first ? -1 : old_rank[w], err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    const crank_status status = check_ranks(d, old_rank, first, err);
    if (status != CRANK_OK) {
        memcpy(base->state.rank, old_rank, sizeof old_rank);
        return status;
    }
    decompose_invariants(d);
    collect_free_columns(d);
    pack(d);
    /* free directions turn from step to step: there are no pivot columns to compare */
    if (columns_changed(d) || d->method == CRANK_BY_SVD || d->method == CRANK_BY_PLANE ||
        base->setup.options.selector_update == CRANK_SELECTOR_EVERY_STEP) {
        d->selector_due = true;
        d->selector_failures = 0;
    }
    return CRANK_OK;
}
