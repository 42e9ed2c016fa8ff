/* gmkssol_system.c - the regularised system of gmkssol.c: its rows, its leading matrix, its
 * Jacobian, and sigma E - J as a whole. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/gmkssol.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* ---- mass matrix ---- */

crank_status crank_gmkssol_mass(crank_gmkssol *s, double t, const double *x, crank_error *err)
{
    crank_eom *eom = s->eom;
    const crank_pattern *M = &eom->mass_pattern;
    const int np = s->np;
    if (eom->mass_is_identity || (s->mass_known && crank_eom_mass_constant(eom))) {
        return CRANK_OK;
    }
    s->statistics.mass_evaluations++;
    s->mass_decomposed = false;
    const crank_status status = crank_eom_evaluate_mass(eom, t, x, s->mass, err);
    if (status != CRANK_OK) {
        return status;
    }
    const bool diagonal = crank_eom_mass_diagonal(eom);
    memset(s->mass_lu, 0, (size_t)np * (size_t)(diagonal ? 1 : np) * sizeof *s->mass_lu);
    for (int j = 0; j < np; j++) {
        for (int k = M->start[j]; k < M->start[j + 1]; k++) {
            s->mass_lu[M->row[k] + (diagonal ? 0 : (long)j * np)] += s->mass[k];
        }
    }
    bool regular = true;
    if (diagonal) {
        for (int j = 0; j < np; j++) {
            regular = regular && s->mass_lu[j] != 0.0;
            s->mass_lu[j] = 1.0 / s->mass_lu[j];
        }
    } else {
        regular = crank_lu_factor(np, s->mass_lu, np, s->mass_pivot);
    }
    s->mass_known = regular;
    s->mass_singular = !regular;
    if (!regular) {
        return crank_fail(err, CRANK_RETRY, "the mass matrix is singular at t = %g", t);
    }
    return CRANK_OK;
}

void crank_gmkssol_mass_solve(const crank_gmkssol *s, double *y)
{
    if (s->eom->mass_is_identity) {
        return;
    }
    if (!crank_eom_mass_diagonal(s->eom)) {
        crank_lu_solve(s->np, s->mass_lu, s->np, s->mass_pivot, y);
        return;
    }
    for (int j = 0; j < s->np; j++) {
        y[j] *= s->mass_lu[j];
    }
}

/* ---- the regularised rows ---- */

/* out (rows) = S (rows x columns) y */
static void apply(const double *S, int rows, int columns, const double *y, double *out)
{
    memset(out, 0, (size_t)rows * sizeof *out);
    for (int j = 0; j < columns; j++) {
        const double factor = y[j];
        if (factor == 0.0) {
            continue;
        }
        for (int i = 0; i < rows; i++) {
            out[i] += S[i + (long)j * rows] * factor;
        }
    }
}

/* all rows but U2^T D^-1 lambda from the rows of the eom and a = M^-1 f_dyn */
static void regularise(const crank_gmkssol *s, const double *rows, const double *a, double *out)
{
    const crank_eom *eom = s->eom;
    apply(s->S_l, s->rank, s->nl, rows + eom->row[CRANK_ROW_GII], out);
    apply(s->S_l, s->rank, s->nl, rows + eom->row[CRANK_ROW_GI], out + s->row_gI);
    apply(s->S_l, s->rank, s->nl, rows + eom->row[CRANK_ROW_G], out + s->row_g);
    memcpy(out + s->row_b, rows + eom->row[CRANK_ROW_B], (size_t)s->nr * sizeof *out);
    apply(s->S_p, s->freedom, s->np, a, out + s->row_a);
    apply(s->S_p, s->freedom, s->np, rows + eom->row[CRANK_ROW_KIN], out + s->row_v);
}

static crank_status evaluate_point(crank_gmkssol *s, double t, const double *x, double *rows,
                                   double *k, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const int lambda = eom->column[CRANK_LAMBDA];
    double *a = rows + eom->row[CRANK_ROW_DYN];
    const crank_status status = crank_gmkssol_mass(s, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_gmkssol_mass_solve(s, a);
    regularise(s, rows, a, k);
    for (int i = 0; i < s->nl; i++) {
        s->reduced[i] = x[lambda + i] - s->accepted_x[lambda + i];
    }
    apply(s->S_fix, s->nl - s->rank, s->nl, s->reduced, k + s->row_fix);
    return CRANK_OK;
}

crank_status crank_gmkssol_evaluate(crank_problem *base, int count, const double *t,
                                    const double *x, double *k, crank_error *err)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    const long n = base->n, m = s->eom->m;
    s->statistics.evaluations += count;
    for (int first = 0; first < count; first += CRANK_GMKSSOL_BATCH) {
        const int batch =
            count - first < CRANK_GMKSSOL_BATCH ? count - first : CRANK_GMKSSOL_BATCH;
        crank_status status = crank_eom_evaluate_rows(s->eom, batch, t + first, x + first * n,
                                                      CRANK_ALL_ROWS, s->rows, err);
        for (int i = 0; i < batch && status == CRANK_OK; i++) {
            status = evaluate_point(s, t[first + i], x + (first + i) * n, s->rows + i * m,
                                    k + (first + i) * n, err);
        }
        if (status != CRANK_OK) {
            return status;
        }
    }
    return CRANK_OK;
}

/* k holds projected rows only: p' and v' = M^-1 f_dyn are evaluated again */
crank_status crank_gmkssol_rates(crank_problem *base, double t, const double *x,
                                 const double *k, double *xdot, crank_error *err)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    const crank_eom *eom = s->eom;
    (void)k;
    s->statistics.evaluations++;
    crank_status status =
        crank_eom_evaluate_rows(s->eom, 1, &t, x, CRANK_DIFFERENTIAL, s->rows, err);
    if (status == CRANK_OK) {
        status = crank_gmkssol_mass(s, t, x, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    double *a = s->rows + eom->row[CRANK_ROW_DYN];
    crank_gmkssol_mass_solve(s, a);
    memcpy(xdot + eom->column[CRANK_R], s->rows + eom->row[CRANK_ROW_B],
           (size_t)s->nr * sizeof *xdot);
    memcpy(xdot + eom->column[CRANK_V], a, (size_t)s->np * sizeof *xdot);
    memcpy(xdot + eom->column[CRANK_P], s->rows + eom->row[CRANK_ROW_KIN],
           (size_t)s->np * sizeof *xdot);
    return CRANK_OK;
}

crank_status crank_gmkssol_lead(crank_problem *base, double t, const double *x, const double *y,
                                double *out, crank_error *err)
{
    const crank_gmkssol *s = (const crank_gmkssol *)base;
    const crank_eom *eom = s->eom;
    (void)t;
    (void)x;
    (void)err;
    memset(out, 0, (size_t)base->n * sizeof *out);
    memcpy(out + s->row_b, y + eom->column[CRANK_R], (size_t)s->nr * sizeof *out);
    apply(s->S_p, s->freedom, s->np, y + eom->column[CRANK_V], out + s->row_a);
    apply(s->S_p, s->freedom, s->np, y + eom->column[CRANK_P], out + s->row_v);
    return CRANK_OK;
}

/* ---- linear algebra ---- */

/* J from the eom's Jacobian, column by column. Its dynamic rows are d(f_dyn - M a)/dx, so that
 * M^-1 times them is da/dx. */
static void assemble(crank_gmkssol *s)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const int n = s->base.n, lambda = eom->column[CRANK_LAMBDA];
    double *a = s->rows + eom->row[CRANK_ROW_DYN];
    for (int j = 0; j < n; j++) {
        double *column = s->J + (long)j * n;
        memset(s->rows, 0, (size_t)eom->m * sizeof *s->rows);
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            s->rows[pattern->row[k]] = s->jacobian[k];
        }
        crank_gmkssol_mass_solve(s, a);
        regularise(s, s->rows, a, column);
        if (j >= lambda && j < lambda + s->nl) {
            const int fixed = s->nl - s->rank;
            memcpy(column + s->row_fix, s->S_fix + (long)(j - lambda) * fixed,
                   (size_t)fixed * sizeof *column);
        } else {
            memset(column + s->row_fix, 0, (size_t)(s->nl - s->rank) * sizeof *column);
        }
    }
}

crank_status crank_gmkssol_prepare(crank_problem *base, double t, const double *x,
                                   const double *xdot, crank_error *err)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    crank_status status = crank_gmkssol_decompose(s, t, x, crank_gmkssol_slack, err);
    if (status == CRANK_OK && !s->mass_decomposed) {
        status = crank_gmkssol_mass(s, t, x, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    assemble(s);
    if (s->base.noise != NULL && s->nl > 0) {
        crank_gmkssol_update_noise(s, x);
    }
    /* E is constant between selector updates: xdot only tells step ends from rows between
     * them */
    return xdot != NULL || isnan(s->singular.t) ? crank_gmkssol_monitor(s, t, err) : CRANK_OK;
}

/* A += sigma E; step is 2 for complex entries */
static void add_lead(const crank_gmkssol *s, double sigma, int step, double *A)
{
    const crank_eom *eom = s->eom;
    const long n = s->base.n;
    for (int i = 0; i < s->nr; i++) {
        A[step * (s->row_b + i + (eom->column[CRANK_R] + i) * n)] += sigma;
    }
    for (int j = 0; j < s->np; j++) {
        double *v = A + step * (s->row_a + (eom->column[CRANK_V] + j) * n);
        double *p = A + step * (s->row_v + (eom->column[CRANK_P] + j) * n);
        for (int i = 0; i < s->freedom; i++) {
            const double value = sigma * s->S_p[i + (long)j * s->freedom];
            v[step * i] += value;
            p[step * i] += value;
        }
    }
}

crank_status crank_gmkssol_factor(crank_problem *base, int count, const double *sigma_real,
                                  const double *sigma_imag, crank_error *err)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    const size_t entries = (size_t)base->n * (size_t)base->n;
    crank_status status = crank_formulate_check_shifts(count, err);
    s->statistics.factorizations++;
    for (int k = 0; k < count && status == CRANK_OK; k++) {
        const bool complex_shift = sigma_imag[k] != 0.0;
        const int step = complex_shift ? 2 : 1;
        double *A = crank_solver_values(s->solver, k, complex_shift);
        memset(A, 0, (size_t)step * entries * sizeof *A);
        for (size_t i = 0; i < entries; i++) {
            A[(size_t)step * i] = -s->J[i];
        }
        add_lead(s, sigma_real[k], step, A);
        if (complex_shift) {
            add_lead(s, sigma_imag[k], step, A + 1);
        }
        status = crank_solver_factor(s->solver, k, err);
    }
    return status == CRANK_RETRY
               ? crank_fail(err, CRANK_RETRY,
                            "the matrix of the regularised system is singular")
               : status;
}

crank_status crank_gmkssol_solve(crank_problem *base, int i, const double *r_real,
                                 const double *r_imag, double *delta_real, double *delta_imag,
                                 crank_error *err)
{
    (void)err;
    crank_solver_solve(((crank_gmkssol *)base)->solver, i, r_real, r_imag, delta_real,
                       delta_imag);
    return CRANK_OK;
}
