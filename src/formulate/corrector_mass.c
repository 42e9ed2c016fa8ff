/* corrector_mass.c - M of the velocities that are not prescribed: for F_y' of the residual
 * formalism, and v' = M^-1 f of the explicit one where the supplier has no recursion for that.
 *
 * Of carried accelerations M stands among the derivatives of the rows d. Its blocks, bodies
 * that no inertia ties together, are what M^-1 couples. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/corrector.h"

#include <stdlib.h>
#include <string.h>

/* ---- pattern ---- */

static const crank_pattern *source(const crank_corrector *s)
{
    return s->mass.carried ? &s->eom->jacobian_pattern : &s->eom->mass_pattern;
}

/* The free velocity whose balance is a row of the source, -1: none. */
static int balance_of(const crank_corrector *s, const int *by_row, int row)
{
    return s->mass.carried ? by_row[row] : s->mass.free[row];
}

/* Entries in the columns of free velocities; returns their number. */
static int list(crank_corrector *s, const int *by_row, bool fill)
{
    crank_corrector_mass *M = &s->mass;
    const crank_pattern *pattern = source(s);
    int used = 0;
    for (int k = 0; k < s->eom->sizes.v; k++) {
        if (M->free[k] < 0) {
            continue;
        }
        const int j = M->carried ? M->column[k] : k;
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            const int row = balance_of(s, by_row, pattern->row[e]);
            if (row >= 0) {
                if (fill) {
                    M->row[used] = row;
                    M->entry[used] = e;
                }
                used++;
            }
        }
        if (fill) {
            M->start[M->free[k] + 1] = used;
        }
    }
    return used;
}

static int root(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void find_components(crank_corrector_mass *M)
{
    for (int i = 0; i < M->n; i++) {
        M->component[i] = i;
    }
    for (int j = 0; j < M->n; j++) {
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            M->component[root(M->component, M->row[e])] = root(M->component, j);
        }
    }
    for (int i = 0; i < M->n; i++) {
        M->component[i] = root(M->component, i);
    }
}

static crank_status take(crank_corrector *s, const int *by_row, crank_error *err)
{
    crank_corrector_mass *M = &s->mass;
    const size_t n = (size_t)M->n + 1, entries = (size_t)list(s, by_row, false) + 1;
    const crank_pattern *pattern = source(s);
    M->start = calloc(n, sizeof *M->start);
    M->row = calloc(entries, sizeof *M->row);
    M->entry = calloc(entries, sizeof *M->entry);
    M->component = calloc(n, sizeof *M->component);
    M->a = calloc(n, sizeof *M->a);
    M->values = calloc((size_t)pattern->start[pattern->columns] + 1, sizeof *M->values);
    if (M->start == NULL || M->row == NULL || M->entry == NULL || M->component == NULL ||
        M->a == NULL || M->values == NULL) {
        return crank_fail(err, CRANK_EMEM, "mass matrix of %d velocities", M->n);
    }
    (void)list(s, by_row, true);
    find_components(M);
    return CRANK_OK;
}

static crank_status refuse_explicit(const crank_corrector *s, const char *why, crank_error *err)
{
    return s->extended ? crank_fail(err, CRANK_EREFUSED,
                                    "jacobian=extended needs formalism=explicit, which has no "
                                    "accelerations here: %s; use jacobian=partitioned",
                                    why)
                       : crank_fail(err, CRANK_EREFUSED,
                                    "formalism=explicit has no accelerations here: %s; use "
                                    "formalism=residual",
                                    why);
}

crank_status crank_corrector_mass_create(crank_corrector *s, crank_error *err)
{
    crank_corrector_mass *M = &s->mass;
    int *by_row = calloc((size_t)s->eom->m + 1, sizeof *by_row);
    crank_status status = by_row != NULL ? CRANK_OK : crank_fail(err, CRANK_EMEM, "rows");
    for (int i = 0; i < s->eom->m && by_row != NULL; i++) {
        by_row[i] = -1;
    }
    for (int k = 0; k < s->eom->sizes.v && by_row != NULL; k++) {
        by_row[M->balance[k]] = M->free[k];
    }
    status = status == CRANK_OK ? take(s, by_row, err) : status;
    free(by_row);
    if (status == CRANK_OK && s->explicit && M->n > 0) {
        status = crank_solver_create(&(crank_solver_setup){.wish = s->options.linear_algebra,
                                                           .n = M->n,
                                                           .start = M->start,
                                                           .row = M->row,
                                                           .shifts = 1,
                                                           .real = true,
                                                           .reserve = true},
                                     &M->solver, err);
    }
    return status > CRANK_OK ? refuse_explicit(s, "a row of it has no entry", err) : status;
}

void crank_corrector_mass_destroy(crank_corrector *s)
{
    crank_corrector_mass *M = &s->mass;
    crank_solver_destroy(M->solver);
    free(M->start);
    free(M->row);
    free(M->entry);
    free(M->component);
    free(M->a);
    free(M->values);
}

/* ---- values ---- */

crank_status crank_corrector_mass_evaluate(crank_corrector *s, double t, crank_error *err)
{
    crank_eom *eom = s->eom;
    s->statistics.mass_evaluations++;
    if (!s->mass.carried) {
        return crank_eom_evaluate_mass(eom, t, s->full, s->mass.values, err);
    }
    return eom->supplier.inertia != NULL
               ? eom->supplier.inertia(eom->self, t, s->full, s->mass.values, err)
               : crank_eom_evaluate_jacobian(eom, t, s->full, NULL, s->mass.values, err);
}

crank_status crank_corrector_mass_factor(crank_corrector *s, crank_error *err)
{
    crank_corrector_mass *M = &s->mass;
    if (M->n == 0) {
        return CRANK_OK;
    }
    double *values = crank_solver_values(M->solver, 0, false);
    for (int e = 0; e < M->start[M->n]; e++) {
        values[e] = M->values[M->entry[e]];
    }
    const crank_status status = crank_solver_factor(M->solver, 0, err);
    return status > CRANK_OK ? crank_fail(err, status, "the mass matrix is singular") : status;
}

void crank_corrector_mass_solve(crank_corrector *s)
{
    if (s->mass.n > 0) {
        crank_solver_solve(s->mass.solver, 0, s->mass.a, NULL, s->mass.a, NULL);
    }
}

/* M_fr u'' of prescribed velocities, where M is the eom's */
static void add_prescribed(crank_corrector *s)
{
    const crank_corrector_mass *M = &s->mass;
    const crank_pattern *pattern = &s->eom->mass_pattern;
    for (int i = 0; i < s->channels.count; i++) {
        const int k = s->channels.item[i].velocity;
        for (int e = pattern->start[k]; e < pattern->start[k + 1]; e++) {
            if (M->free[pattern->row[e]] >= 0) {
                M->a[M->free[pattern->row[e]]] -= M->values[e] * s->channels.u[i][2];
            }
        }
    }
}

crank_status crank_corrector_accelerate(crank_corrector *s, double t, crank_error *err)
{
    crank_corrector_mass *M = &s->mass;
    crank_eom *eom = s->eom;
    const int nv = eom->sizes.v;
    crank_status status = CRANK_OK;
    if (M->carried && eom->accelerates) { /* they are the last of w */
        return eom->supplier.accelerate(eom->self, M->held, s->rows, s->full + M->column[0],
                                        err);
    }
    for (int k = 0; k < nv; k++) {
        if (M->free[k] >= 0) {
            M->a[M->free[k]] = (M->carried ? -1.0 : 1.0) * s->rows[M->balance[k]];
        }
    }
    status = crank_corrector_mass_evaluate(s, t, err);
    if (status == CRANK_OK && !M->carried) {
        add_prescribed(s);
    }
    status = status == CRANK_OK ? crank_corrector_mass_factor(s, err) : status;
    if (status == CRANK_OK) {
        crank_corrector_mass_solve(s);
    }
    for (int k = 0; k < nv && M->carried && status == CRANK_OK; k++) {
        if (M->free[k] >= 0) {
            s->full[M->column[k]] = M->a[M->free[k]];
        }
    }
    return status;
}

crank_status crank_corrector_mass_check(crank_corrector *s, double t, crank_error *err)
{
    crank_eom *eom = s->eom;
    crank_error found = {0};
    if (!s->explicit || s->mass.n == 0) {
        return CRANK_OK;
    }
    for (int k = 0; k < eom->sizes.v && s->mass.carried; k++) {
        if (s->mass.free[k] >= 0) {
            s->full[s->mass.column[k]] = 0.0;
        }
    }
    crank_status status =
        eom->supplier.evaluate(eom->self, 1, &t, s->full, CRANK_ALL_ROWS, s->rows, err);
    if (status != CRANK_OK) {
        return status < CRANK_OK ? status : CRANK_OK; /* the first step says so */
    }
    status = crank_corrector_accelerate(s, t, &found);
    if (status > CRANK_OK) {
        return refuse_explicit(s, found.text, err);
    }
    /* pivots made of rounding do not vanish */
    const bool known = eom->supplier.definite != NULL && s->channels.count == 0;
    if (status < CRANK_OK) {
        *err = found;
    }
    return status == CRANK_OK && known && !eom->supplier.definite(eom->self, t, s->full)
               ? refuse_explicit(s, "a body that only holds others has no inertia", err)
               : status;
}
