/* corrector_analytic.c - F_y by the formulas of the eom's Jacobian K = dk/dx: entries of the
 * rows and columns that are left, and of the explicit formalism
 *
 *     d(-M^-1 f)/dy = M^-1 d_y,     rows that read a:  k_y - k_a M^-1 d_y         theory (2.26)
 * with d = M a - f the balances at a = M^-1 f. M^-1 couples all of a block, of which often little
 * is more than rounding (a chain that hangs): the matrix begins with the entries of its first
 * point that are, and has the whole pattern once others are felt, or an iteration fails without
 * them.
 *
 *     |F_ij| u_j > eps^(3/4) c_j s_i,   s_i = max_k |F_ik| u_k,   c_j = max_i |F_ij| u_j/s_i
 * with natural units u. theory 2.9 */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/corrector.h"

#include "base/then.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* eps^(3/4): between rounding and what an iteration feels */
static const double least = 1.8e-12;
/* part of a row that an iteration feels which is to end after one pass or two */
static const double felt = 1e-2;

/* ---- entries that are not rounding ---- */

static double unit_of(const crank_corrector *s, int j)
{
    const double unit = s->direct->scale.unit[s->column[j]];
    return unit > 0.0 ? unit : 1.0;
}

/* s_i of the whole pattern, in s->row_size */
static void measure_rows(crank_corrector *s)
{
    const crank_corrector_matrix *A = &s->matrix;
    memset(s->row_size, 0, (size_t)s->base.n * sizeof *s->row_size);
    for (int j = 0; j < s->base.n - s->extra; j++) {
        for (int e = A->own_start[j]; e < A->own_start[j + 1]; e++) {
            double *size = &s->row_size[A->own_row[e]];
            *size = fmax(*size, fabs(A->rest[A->own_slot[e]]) * unit_of(s, j));
        }
    }
}

/* of the whole pattern */
static void see(crank_corrector *s)
{
    const crank_corrector_matrix *A = &s->matrix;
    const size_t n = (size_t)s->base.n;
    measure_rows(s);
    memset(s->seen, 0, n * n);
    for (int j = 0; j < s->base.n - s->extra; j++) {
        unsigned char *seen = s->seen + (size_t)j * n;
        double most = 0.0;
        for (int pass = 0; pass < 2; pass++) {
            for (int e = A->own_start[j]; e < A->own_start[j + 1]; e++) {
                const int row = A->own_row[e];
                const double size = fabs(A->rest[A->own_slot[e]]) * unit_of(s, j);
                const double part = size > 0.0 ? size / s->row_size[row] : 0.0;
                most = pass == 0 ? fmax(most, part) : most;
                seen[row] = part > least * most;
            }
        }
        s->column_part[j] = most;
    }
}

static void put(crank_corrector *s, int row, int j, double value)
{
    const int slot = crank_corrector_slot(&s->matrix, row, j);
    if (slot >= 0) {
        s->matrix.rest[slot] = value;
    } else if (s->narrow) { /* other blocks of M have no slots in the whole pattern either */
        const double size = fabs(value) * unit_of(s, j),
                     most = s->column_part[j] * s->row_size[row];
        s->left_out = s->left_out || size > least * most;
        s->outgrown = s->outgrown || size > felt * most;
    }
}

/* ---- entries ---- */

/* rows with accelerations, of a column whose M^-1 d_y is in mass.a */
static void add_readers(crank_corrector *s, int j)
{
    const crank_corrector_mass *M = &s->mass;
    crank_corrector_matrix *A = &s->matrix;
    const crank_pattern *J = &s->eom->jacobian_pattern;
    for (int k = 0; k < s->eom->sizes.v; k++) {
        for (int e = J->start[M->column[k]]; M->free[k] >= 0 && e < J->start[M->column[k] + 1];
             e++) {
            const int row = J->row[e];
            const int slot = s->reads[row] ? crank_corrector_slot(A, s->target[row], j) : -1;
            if (slot >= 0) {
                A->rest[slot] += s->sign[row] * s->direct->jacobian[e] * M->a[M->free[k]];
            }
        }
    }
}

static void fill_column(crank_corrector *s, int j)
{
    crank_corrector_mass *M = &s->mass;
    const crank_pattern *J = &s->eom->jacobian_pattern;
    const double *values = s->direct->jacobian;
    const int column = s->column[j];
    bool forces = false;
    if (s->explicit) {
        memset(M->a, 0, (size_t)M->n * sizeof *M->a);
    }
    for (int e = J->start[column]; e < J->start[column + 1]; e++) {
        const int row = J->row[e];
        const int k = M->carried ? (row < s->eom->row[CRANK_ROW_GII] ? s->velocity_of[row] : -1)
                                 : row - s->eom->row[CRANK_ROW_DYN];
        const bool balance = k >= 0 && k < s->eom->sizes.v && M->free[k] >= 0;
        if (s->explicit && balance) {
            M->a[M->free[k]] = (M->carried ? 1.0 : -1.0) * values[e];
            forces = true;
        } else if (s->target[row] >= 0) {
            put(s, s->target[row], j, -s->sign[row] * values[e]);
        }
    }
    if (!forces) {
        return;
    }
    crank_corrector_mass_solve(s);
    for (int k = 0; k < s->eom->sizes.v; k++) {
        if (M->free[k] >= 0) {
            put(s, s->row_v[k], j, M->a[M->free[k]]);
        }
    }
    if (s->reads_any && M->carried) {
        add_readers(s, j);
    }
}

static void fill_columns(crank_corrector *s)
{
    crank_corrector_matrix *A = &s->matrix;
    memset(A->rest, 0, (size_t)A->start[s->base.n] * sizeof *A->rest);
    s->outgrown = s->left_out = false;
    for (int j = 0; j < s->base.n - s->extra; j++) {
        fill_column(s, j);
    }
}

/* With the pattern that the entries ask for. */
static crank_status fill(crank_corrector *s, crank_error *err)
{
    fill_columns(s);
    if (!(s->scan_due || s->outgrown || (s->widen && s->narrow))) {
        return CRANK_OK;
    }
    s->narrow = s->scan_due;
    if (s->narrow) {
        see(s);
    }
    s->scan_due = s->widen = false;
    s->statistics.pattern_updates++;
    const crank_status status = crank_corrector_make_matrix(s, err);
    if (status == CRANK_OK) {
        fill_columns(s);
    }
    return status;
}

crank_status crank_corrector_analytic(crank_corrector *s, double t, const double *x,
                                      crank_error *err)
{
    crank_eom *eom = s->eom;
    /* with v' = M^-1 f, where M varies; the factors of M stay */
    crank_status status = s->explicit
                              ? crank_corrector_residual(&s->base, t, x, s->rate, s->f0, err)
                              : crank_corrector_place(s, t, x, s->rate, err);
    double *vdot = NULL;
    if (status == CRANK_OK && !s->mass.carried && !eom->mass_is_identity &&
        !crank_eom_mass_constant(eom)) {
        vdot = s->vdot;
        for (int k = 0; k < eom->sizes.v; k++) {
            const int v = s->place[eom->column[CRANK_V] + k];
            vdot[k] = s->explicit && s->mass.free[k] >= 0 ? s->mass.a[s->mass.free[k]]
                      : v >= 0                            ? s->rate[v]
                                                          : 0.0;
        }
        for (int i = 0; i < s->channels.count; i++) {
            vdot[s->channels.item[i].velocity] = s->channels.u[i][2];
        }
    }
    CRANK_THEN(status,
               crank_eom_evaluate_jacobian(eom, t, s->full, vdot, s->direct->jacobian, err));
    if (status != CRANK_OK) {
        return status;
    }
    s->direct->prepared_t = t;
    if (s->explicit && s->mass.carried) { /* of this very Jacobian, whatever recursion gave a */
        memcpy(s->mass.values, s->direct->jacobian,
               (size_t)eom->jacobian_pattern.start[eom->n] * sizeof(double));
        status = crank_corrector_mass_factor(s, err);
    }
    return status == CRANK_OK ? fill(s, err) : status;
}
