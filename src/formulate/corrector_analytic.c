/* corrector_analytic.c - F_y by the formulas of the eom's Jacobian K = dk/dx: entries of the
 * rows and columns that are left, and of the explicit formalism
 *
 *     d(-M^-1 f)/dy = M^-1 d_y,     rows that read a:  k_y - k_a M^-1 d_y         theory (2.26)
 * with d = M a - f the balances at a = M^-1 f. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/corrector.h"

#include "base/then.h"

#include <string.h>

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
    crank_corrector_matrix *A = &s->matrix;
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
            A->rest[crank_corrector_slot(A, s->target[row], j)] = -s->sign[row] * values[e];
        }
    }
    if (!forces) {
        return;
    }
    crank_corrector_mass_solve(s);
    for (int k = 0; k < s->eom->sizes.v; k++) {
        const int slot = M->free[k] >= 0 ? crank_corrector_slot(A, s->row_v[k], j) : -1;
        if (slot >= 0) {
            A->rest[slot] = M->a[M->free[k]];
        }
    }
    if (s->reads_any && M->carried) {
        add_readers(s, j);
    }
}

crank_status crank_corrector_analytic(crank_corrector *s, double t, const double *x,
                                      crank_error *err)
{
    crank_corrector_matrix *A = &s->matrix;
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
    for (int i = 0; i < A->start[s->base.n]; i++) {
        A->rest[i] = 0.0;
    }
    if (s->explicit && s->mass.carried) { /* of this very Jacobian, whatever recursion gave a */
        memcpy(s->mass.values, s->direct->jacobian,
               (size_t)eom->jacobian_pattern.start[eom->n] * sizeof(double));
        status = crank_corrector_mass_factor(s, err);
    }
    for (int j = 0; j < s->base.n - s->extra && status == CRANK_OK; j++) {
        fill_column(s, j);
    }
    return status;
}
