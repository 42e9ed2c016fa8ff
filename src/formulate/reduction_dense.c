/* reduction_dense.c - factor and solve with the dense index-reducing decomposition.
 *
 *     E_i = S (sigma_i VD + VB)                       real or complex              theory (3.8)
 *     y = Q_C r_C;   E z2 = S (r_D + (sigma LD + LB) y);   RC z1 = y - VC z2       theory (3.9)
 * where S picks rows (LU) or combines them (QR). */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/reduction_dense.h"

#include "linalg/dense.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* the selected version (free_count rows) of V (mD rows) */
static void select_rows(const crank_dense *d, const double *V, double *out)
{
    const int rows = d->free_count;
    if (!d->combines) {
        for (int i = 0; i < rows; i++) {
            out[i] = V[d->selector[i]];
        }
        return;
    }
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int k = 0; k < d->mD; k++) {
            sum += d->S[i + (long)k * rows] * V[k];
        }
        out[i] = sum;
    }
}

static void combine(const crank_dense *d, const double *D, const double *B, int columns,
                    double re, double im, bool complex_shift, double *out)
{
    const int rows = d->free_count;
    double *lead = d->z_real, *rest = d->z_imag; /* free until solve */
    for (int j = 0; j < columns; j++) {
        double *column = out + (complex_shift ? 2 : 1) * (long)j * rows;
        select_rows(d, D + (long)j * d->mD, lead);
        select_rows(d, B + (long)j * d->mD, rest);
        for (int i = 0; i < rows && complex_shift; i++) {
            column[2 * i] = re * lead[i] + rest[i];
            column[2 * i + 1] = im * lead[i];
        }
        for (int i = 0; i < rows && !complex_shift; i++) {
            column[i] = re * lead[i] + rest[i];
        }
    }
}

static crank_status factor(crank_reduction *base, int count, const double *sigma_real,
                           const double *sigma_imag, crank_error *err)
{
    crank_dense *d = (crank_dense *)base;
    if (d->selector_due || base->setup.options.differential == CRANK_DIFFERENTIAL_QR) {
        const crank_status status = crank_dense_select(d, sigma_real[0], err);
        if (status != CRANK_OK) {
            return status;
        }
    }
    d->shift_count = count;
    d->factored = false;
    crank_solver_set_rows(d->solver, d->free_count);
    for (int s = 0; s < count; s++) {
        crank_dense_shift *shift = &d->shift[s];
        shift->complex_shift = sigma_imag[s] != 0.0;
        combine(d, d->LD, d->LB, d->rC, sigma_real[s], sigma_imag[s], shift->complex_shift,
                shift->L);
        combine(d, d->VD, d->VB, d->free_count, sigma_real[s], sigma_imag[s],
                shift->complex_shift, crank_solver_values(d->solver, s, shift->complex_shift));
        if (crank_solver_factor(d->solver, s, err) != CRANK_OK) {
            d->selector_due = true;
            return crank_fail(err, CRANK_RETRY,
                              "the selected differential equations are singular");
        }
    }
    d->factored = true;
    return CRANK_OK;
}

/* y (rC) = Q_C r_C: row transformations of the windows, then the multipliers of the
 * elimination */
static void forward(crank_dense *d, const double *r, double *b, double *y)
{
    const crank_reduction_setup *setup = &d->base.setup;
    memcpy(b, r, (size_t)d->mC * sizeof *b);
    for (int w = 0;
         w < CRANK_WINDOW_INVARIANT && (d->method == CRANK_BY_QR || d->method == CRANK_BY_SVD);
         w++) {
        const crank_window *window = &setup->window[w];
        const int rows = window->row_end - window->row;
        for (int i = window->row; i < window->row_end; i++) {
            b[i] = d->row_scale[i] > 0.0 ? b[i] / d->row_scale[i] : 0.0;
        }
        for (int i = 0; i < rows; i++) {
            double sum = 0.0;
            for (int k = 0; k < rows; k++) {
                sum += d->Q[w][k + (long)i * rows] * b[window->row + k];
            }
            d->work[i] = sum;
        }
        memcpy(b + window->row, d->work, (size_t)rows * sizeof *b);
    }
    const crank_window *invariant = &setup->window[CRANK_WINDOW_INVARIANT];
    for (int k = 0; k < d->rC; k++) {
        const crank_window *own = &setup->window[d->pivot_window[k]];
        const double *l = d->LC + (long)k * d->mC;
        const double value = b[d->pivot_row[k]];
        y[k] = value;
        if (value == 0.0) {
            continue;
        }
        for (int i = own->row; i < own->row_end; i++) {
            b[i] += l[i] * value;
        }
        for (int i = invariant->row; i < invariant->row_end && own != invariant; i++) {
            b[i] += l[i] * value;
        }
    }
}

/* delta from y - VC z2 by back substitution, free unknowns z2 (NULL: zero), columns put in
 * place */
static void backward(crank_dense *d, double *y, const double *z2, double *delta)
{
    for (int j = 0; j < d->free_count && z2 != NULL; j++) {
        const double *column = d->RC + (long)(d->rC + j) * d->mC;
        for (int k = 0; k < d->rC; k++) {
            y[k] -= column[k] * z2[j];
        }
    }
    memset(delta, 0, (size_t)d->n * sizeof *delta);
    for (int k = d->rC - 1; k >= 0; k--) {
        const double *column = d->RC + (long)k * d->mC;
        y[k] /= column[k];
        for (int i = 0; i < k; i++) {
            y[i] -= column[i] * y[k];
        }
        delta[d->pivot_column[k]] = y[k];
    }
    for (int j = 0; j < d->free_count && z2 != NULL; j++) {
        delta[d->free_column[j]] = z2[j];
    }
    for (int w = 0; w < CRANK_WINDOW_INVARIANT; w++) {
        const crank_window *window = &d->base.setup.window[w];
        const int columns = window->column_end - window->column;
        if (!crank_dense_turned(d, w)) {
            continue; /* the columns are as they were */
        }
        for (int i = 0; i < columns; i++) {
            double sum = 0.0;
            for (int k = 0; k < columns; k++) {
                sum += d->VT[w][k + (long)i * columns] * delta[window->column + k];
            }
            d->work[i] = sum * d->base.setup.unit[window->column + i];
        }
        memcpy(delta + window->column, d->work, (size_t)columns * sizeof *delta);
    }
}

static void solve_real(crank_dense *d, int s, const double *r, double *delta)
{
    const crank_dense_shift *shift = &d->shift[s];
    const int rows = d->free_count;
    double *z = d->z_real;
    forward(d, r, d->b_real, d->y_real);
    select_rows(d, r + d->mC, z);
    for (int k = 0; k < d->rC; k++) {
        const double *column = shift->L + (long)k * rows, factor_k = d->y_real[k];
        for (int i = 0; i < rows && factor_k != 0.0; i++) {
            z[i] += column[i] * factor_k;
        }
    }
    crank_solver_solve(d->solver, s, z, NULL, z, NULL);
    backward(d, d->y_real, z, delta);
}

static void solve_complex(crank_dense *d, int s, const double *r_real, const double *r_imag,
                          double *delta_real, double *delta_imag)
{
    const crank_dense_shift *shift = &d->shift[s];
    const int rows = d->free_count;
    double *z_real = d->z_real, *z_imag = d->z_imag;
    forward(d, r_real, d->b_real, d->y_real);
    forward(d, r_imag, d->b_imag, d->y_imag);
    select_rows(d, r_real + d->mC, z_real);
    select_rows(d, r_imag + d->mC, z_imag);
    for (int k = 0; k < d->rC; k++) {
        const double *column = shift->L + 2 * (long)k * rows;
        const double re = d->y_real[k], im = d->y_imag[k];
        for (int i = 0; i < rows; i++) {
            z_real[i] += column[2 * i] * re - column[2 * i + 1] * im;
            z_imag[i] += column[2 * i] * im + column[2 * i + 1] * re;
        }
    }
    crank_solver_solve(d->solver, s, z_real, z_imag, z_real, z_imag);
    backward(d, d->y_real, z_real, delta_real);
    backward(d, d->y_imag, z_imag, delta_imag);
}

static void solve(crank_reduction *base, int i, const double *r_real, const double *r_imag,
                  double *delta_real, double *delta_imag)
{
    crank_dense *d = (crank_dense *)base;
    if (d->shift[i].complex_shift) {
        solve_complex(d, i, r_real, r_imag, delta_real, delta_imag);
    } else {
        solve_real(d, i, r_real, delta_real);
    }
}

static void project(crank_reduction *base, const double *k_algebraic, double *delta)
{
    crank_dense *d = (crank_dense *)base;
    forward(d, k_algebraic, d->b_real, d->y_real);
    backward(d, d->y_real, NULL, delta);
}

static void selectors_due(crank_reduction *base)
{
    crank_dense *d = (crank_dense *)base;
    d->selector_due = true;
    d->selector_failures += d->selector_failures < INT_MAX ? 1 : 0;
}

static void destroy(crank_reduction *base)
{
    if (base != NULL) {
        crank_arena_free(&((crank_dense *)base)->arena);
        crank_solver_destroy(((crank_dense *)base)->solver);
        free(base);
    }
}

static void layout_windows(crank_dense *d, crank_arena *arena)
{
    int largest_rows = d->mD, largest_columns = d->n;
    for (int w = 0; w < CRANK_WINDOW_INVARIANT; w++) {
        const crank_window *window = &d->base.setup.window[w];
        const size_t rows = (size_t)(window->row_end - window->row);
        const size_t columns = (size_t)(window->column_end - window->column);
        d->Q[w] = crank_arena_take(arena, rows * rows, sizeof(double));
        d->VT[w] = crank_arena_take(arena, columns * columns, sizeof(double));
        largest_rows = (int)rows > largest_rows ? (int)rows : largest_rows;
    }
    const size_t side =
        (size_t)(largest_rows > largest_columns ? largest_rows : largest_columns);
    const int svd_work = crank_svd_work_size(largest_rows, largest_columns);
    const int largest = largest_rows > largest_columns ? largest_rows : largest_columns;
    const int qr_work = crank_qr_work_size(largest, largest);
    d->work_size = svd_work > qr_work ? svd_work : qr_work;
    d->block = crank_arena_take(arena, side * side, sizeof(double));
    d->sigma = crank_arena_take(arena, side, sizeof(double));
    d->tau = crank_arena_take(arena, side, sizeof(double));
    d->order = crank_arena_take(arena, side, sizeof(int));
    d->work = crank_arena_take(arena, (size_t)d->work_size, sizeof(double));
}

static void layout(crank_dense *d, crank_arena *arena)
{
    const size_t n = (size_t)d->n, mC = (size_t)d->mC, mD = (size_t)d->mD, mS = (size_t)d->mS;
    layout_windows(d, arena);
    d->A = crank_arena_take(arena, mS * n, sizeof(double));
    d->row_scale = crank_arena_take(arena, mC, sizeof(double));
    d->multiplier = crank_arena_take(arena, mS, sizeof(double));
    d->pivot_row = crank_arena_take(arena, mC, sizeof(int));
    d->pivot_column = crank_arena_take(arena, mC, sizeof(int));
    d->pivot_window = crank_arena_take(arena, mC, sizeof(int));
    d->row_used = crank_arena_take(arena, mC, sizeof(bool));
    d->column_used = crank_arena_take(arena, n, sizeof(bool));
    d->previous_columns = crank_arena_take(arena, n, sizeof(bool));
    d->free_column = crank_arena_take(arena, n, sizeof(int));
    const size_t plane = d->method == CRANK_BY_PLANE ? 1 : 0;
    d->turned = crank_arena_take(arena, plane * n * n, sizeof(double));
    d->left_out = crank_arena_take(arena, plane * mC, sizeof(bool));
    d->fixed = crank_arena_take(arena, plane * n, sizeof(bool));
    d->RC = crank_arena_take(arena, mC * n, sizeof(double));
    d->LC = crank_arena_take(arena, mC * mC, sizeof(double));
    d->LB = crank_arena_take(arena, mD * mC, sizeof(double));
    d->LD = crank_arena_take(arena, mD * mC, sizeof(double));
    d->VB = crank_arena_take(arena, mD * n, sizeof(double));
    d->VD = crank_arena_take(arena, mD * n, sizeof(double));
    d->selector = crank_arena_take(arena, n, sizeof(int));
    d->S = crank_arena_take(arena, n * mD, sizeof(double));
    d->select_work = crank_arena_take(arena, mD * n, sizeof(double));
    d->lead_scale = crank_arena_take(arena, mD, sizeof(double));
    for (int i = 0; i < CRANK_MAX_SHIFTS; i++) {
        d->shift[i].L = crank_arena_take(arena, 2 * mD * mC, sizeof(double));
    }
    d->y_real = crank_arena_take(arena, mC, sizeof(double));
    d->y_imag = crank_arena_take(arena, mC, sizeof(double));
    d->b_real = crank_arena_take(arena, mC, sizeof(double));
    d->b_imag = crank_arena_take(arena, mC, sizeof(double));
    d->z_real = crank_arena_take(arena, mD, sizeof(double));
    d->z_imag = crank_arena_take(arena, mD, sizeof(double));
}

crank_status crank_reduction_dense_create(const crank_reduction_setup *setup,
                                          crank_reduction **out, crank_error *err)
{
    *out = NULL;
    crank_dense *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return crank_fail(err, CRANK_EMEM, "dense decomposition of %d unknowns", setup->eom->n);
    }
    d->base = (crank_reduction){.setup = *setup,
                                .decompose = crank_dense_decompose,
                                .factor = factor,
                                .solve = solve,
                                .project = project,
                                .selectors_due = selectors_due,
                                .explain = crank_dense_explain,
                                .archive = crank_dense_archive,
                                .destroy = destroy};
    d->n = setup->eom->n;
    d->mC = setup->algebraic_rows;
    d->mD = setup->eom->m - d->mC;
    d->mS = d->mC + 2 * d->mD;
    d->method = setup->form == CRANK_FORM_PLANE                   ? CRANK_BY_PLANE
                : setup->options.algebraic == CRANK_ALGEBRAIC_SVD ? CRANK_BY_SVD
                : setup->options.algebraic == CRANK_ALGEBRAIC_QR  ? CRANK_BY_QR
                                                                  : CRANK_BY_LU;
    d->combines =
        d->method == CRANK_BY_PLANE || setup->options.differential == CRANK_DIFFERENTIAL_QR;
    d->selector_due = true;
    layout(d, &d->arena);
    if (!crank_arena_allocate(&d->arena)) {
        destroy(&d->base);
        return crank_fail(err, CRANK_EMEM, "dense decomposition of %d unknowns", setup->eom->n);
    }
    layout(d, &d->arena);
    d->base.state.fixed = d->method == CRANK_BY_PLANE ? d->fixed : NULL;
    const crank_status status = crank_solver_create(
        &(crank_solver_setup){
            .wish = CRANK_LINALG_DENSE, .n = d->mD, .shifts = CRANK_MAX_SHIFTS},
        &d->solver, err);
    if (status != CRANK_OK) {
        destroy(&d->base);
        return status;
    }
    *out = &d->base;
    return CRANK_OK;
}
