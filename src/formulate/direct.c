/* direct.c - the formulations index3, index2, index1, baumgarte, ggl and ude as problems for
 * implicit integrators, theory 2.6: right-hand sides are weighted sums of rows of the eom, and
 * theta moves positions along the gradients B of the point prepared last,
 *
 *     p' = Z v - B^T theta                                                theory (2.12)
 *
 * Along the solution theta = 0 whatever B is, as long as it determines theta; so it is kept
 * between matrices. In ude algebraic rows 0 = k become k_x x' = -k_t, theory (2.14). Nothing is
 * projected: constraints that a form does not contain drift, theory (2.13), which is watched
 * (direct_watch.h). */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include "base/then.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_rows(const crank_direct *s, const double *rows, double *k)
{
    const crank_eom *eom = s->eom;
    if (s->weighted) {
        memset(k, 0, (size_t)s->base.m * sizeof *k);
    }
    for (int i = 0; i < eom->m && s->weighted; i++) {
        if (s->target[i] >= 0) {
            k[s->target[i]] += s->weight[i] * rows[i];
        }
    }
    for (int i = 0; i < s->run_count; i++) {
        memcpy(k + s->run[i].to, rows + s->run[i].from, (size_t)s->run[i].count * sizeof *k);
    }
}

void crank_direct_combine(const crank_direct *s, const double *x, const double *rows, double *k)
{
    const crank_gradient *g = &s->gradient;
    take_rows(s, rows, k);
    for (int i = 0; i < s->extra; i++) {
        for (int e = g->start[i]; e < g->start[i + 1]; e++) {
            k[s->kinematic + g->column[e]] -= g->value[e] * x[s->eom->n + i];
        }
    }
}

/* -dk/dt of the algebraic rows at the i-th point in s->points */
static crank_status change_by_time(crank_direct *s, int i, double t, double *k,
                                   crank_error *err)
{
    crank_eom *eom = s->eom;
    double *kt = s->rows + (long)i * eom->m; /* no longer needed */
    const crank_status status = crank_eom_evaluate_time_derivative(
        eom, t, s->points + (long)i * eom->n, s->time, kt, err);
    for (int row = 0; row < eom->row[CRANK_ROW_B] && status == CRANK_OK; row++) {
        if (s->target[row] >= 0) {
            k[s->target[row]] = -kt[row];
        }
    }
    return status;
}

/* dk/dx y of the algebraic rows */
static crank_status change_by_motion(crank_direct *s, double t, const double *x,
                                     const double *y, double *out, crank_error *err)
{
    const crank_pattern *J = &s->eom->jacobian_pattern;
    const crank_status status = crank_eom_evaluate_jacobian(s->eom, t, x, NULL, s->moved, err);
    for (int j = 0; j < s->eom->n && status == CRANK_OK; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int row = s->target[J->row[e]];
            if (row >= 0 && row < s->force) {
                out[row] += s->moved[e] * y[j];
            }
        }
    }
    return status;
}

static crank_status evaluate(crank_problem *base, int count, const double *t, const double *x,
                             double *k, crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    crank_eom *eom = s->eom;
    crank_status status = CRANK_OK;
    s->statistics.evaluations += count;
    for (int first = 0; first < count && status == CRANK_OK; first += CRANK_DIRECT_CHUNK) {
        const int points =
            count - first < CRANK_DIRECT_CHUNK ? count - first : CRANK_DIRECT_CHUNK;
        const bool copied = (s->extra > 0 && points > 1) || s->form->underlying;
        for (int i = 0; i < points && copied; i++) {
            memcpy(s->points + (long)i * eom->n, x + (long)(first + i) * base->n,
                   (size_t)eom->n * sizeof *x);
        }
        status = eom->supplier.evaluate(eom->self, points, t + first,
                                        copied ? s->points : x + (long)first * base->n,
                                        CRANK_ALL_ROWS, s->rows, err);
        for (int i = 0; i < points && status == CRANK_OK; i++) {
            crank_direct_combine(s, x + (long)(first + i) * base->n, s->rows + (long)i * eom->m,
                                 k + (long)(first + i) * base->m);
            if (s->form->underlying) {
                status =
                    change_by_time(s, i, t[first + i], k + (long)(first + i) * base->m, err);
            }
        }
    }
    return status;
}

static crank_status lead(crank_problem *base, double t, const double *x, const double *y,
                         double *out, crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const crank_eom *eom = s->eom;
    const crank_status status = crank_mass_update(&s->mass, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    memset(out, 0, (size_t)s->force * sizeof *out); /* rates are behind algebraic rows */
    memcpy(out + s->force, y + eom->column[CRANK_R], (size_t)eom->sizes.r * sizeof *out);
    memcpy(out + s->kinematic, y + eom->column[CRANK_P], (size_t)eom->sizes.p * sizeof *out);
    crank_mass_multiply(&s->mass, y + eom->column[CRANK_V], out + s->dynamic);
    return s->form->underlying ? change_by_motion(s, t, x, y, out, err) : CRANK_OK;
}

static crank_status residual(crank_problem *base, double t, const double *x, const double *xdot,
                             double *out, crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    crank_status status = base->evaluate(base, 1, &t, x, out, err);
    CRANK_THEN(status, crank_mass_update(&s->mass, t, x, err));
    if (status == CRANK_OK) { /* rows are no longer needed */
        crank_formulate_subtract_rates(&s->mass, xdot, s->rows, out + s->force,
                                       out + s->dynamic, out + s->kinematic);
    }
    return status;
}

static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    crank_eom *eom = s->eom;
    const bool state_mass = !crank_eom_mass_constant(eom) && !eom->mass_is_identity;
    const double *vdot = xdot != NULL && state_mass ? xdot + eom->column[CRANK_V] : NULL;
    crank_status status = crank_mass_update(&s->mass, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    s->statistics.jacobians++;
    status = crank_eom_evaluate_jacobian(eom, t, x, vdot, s->jacobian, err);
    if (status == CRANK_OK && s->recursion != NULL) {
        crank_recursion_copy(eom->recursion, eom->supplier.recursion(eom->self), s->recursion);
    }
    if (status == CRANK_OK) {
        status = crank_direct_fill_gradient(s, err);
    }
    if (status == CRANK_OK) {
        crank_direct_assemble(s);
        crank_direct_noise_measure(s, x);
        s->prepared_t = t;
    }
    return status;
}

/* M there */
static crank_status refresh(crank_problem *base, double t, const double *x, crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const crank_status status = crank_mass_update(&s->mass, t, x, err);
    if (status == CRANK_OK) {
        crank_direct_assemble(s);
    }
    return status;
}

/* theta moves positions along gradients that are held */
static crank_status time_derivative(crank_problem *base, double t, const double *x, double *kt,
                                    crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const crank_status status =
        crank_eom_evaluate_time_derivative(s->eom, t, x, s->time, s->rows, err);
    if (status == CRANK_OK) {
        take_rows(s, s->rows, kt);
    }
    return status;
}

static crank_status rates(crank_problem *base, double t, const double *x, const double *k,
                          double *xdot, crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const crank_eom *eom = s->eom;
    const crank_status status = crank_mass_update(&s->mass, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(xdot + eom->column[CRANK_R], k + s->force, (size_t)eom->sizes.r * sizeof *k);
    memcpy(xdot + eom->column[CRANK_P], k + s->kinematic, (size_t)eom->sizes.p * sizeof *k);
    memcpy(xdot + eom->column[CRANK_V], k + s->dynamic, (size_t)eom->sizes.v * sizeof *k);
    return crank_mass_solve(&s->mass, xdot + eom->column[CRANK_V], err);
}

/* Behind a singular position or a jump a run ends. */
static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    crank_direct *s = (crank_direct *)base;
    const bool last = changed == NULL;
    if (!last) {
        *changed = false;
    }
    crank_status status = crank_eom_accepted(s->eom, t, x, err);
    status = status == CRANK_OK ? crank_direct_levels_look(s, t, x, last, err) : status;
    return status == CRANK_OK ? crank_direct_ranks_look(s, t, x, last, err) : status;
}

static void restart(crank_problem *base)
{
    crank_direct *s = (crank_direct *)base;
    s->prepared_t = (double)NAN;
    crank_direct_levels_restart(s);
    crank_direct_ranks_restart(s);
    crank_direct_noise_forget(s);
    crank_scale_forget(&s->scale);
}

static const char *unknown_name(const crank_problem *base, int j)
{
    const crank_direct *s = (const crank_direct *)base;
    return j < s->eom->n ? crank_eom_column_name(s->eom, j) : s->name[j - s->eom->n];
}

static void pattern(const crank_problem *base, crank_newton_pattern *out)
{
    const crank_direct *s = (const crank_direct *)base;
    out->pattern =
        (crank_pattern){.rows = base->m, .columns = base->n, .start = s->start, .row = s->row};
}

static void archive(crank_problem *base, crank_archive *a)
{
    crank_direct *s = (crank_direct *)base;
    const crank_eom *eom = s->eom;
    crank_archive_check_options(a, &s->options);
    crank_archive_statistics(a, &s->statistics);
    crank_archive_doubles(a, s->jacobian, (size_t)eom->jacobian_pattern.start[eom->n]);
    crank_mass_archive(&s->mass, a);
    crank_archive_doubles(a, s->gradient.value, (size_t)s->gradient.start[s->extra]);
    s->gradient.measured = false;
    crank_direct_archive_matrix(s, a);
    crank_direct_noise_archive(s, a);
    crank_archive_double(a, &s->prepared_t);
    if (s->keeper != NULL) {
        crank_archive_double(a, &s->end_t);
        crank_archive_doubles(a, s->end, (size_t)base->n);
        crank_archive_doubles(a, s->end_rows, (size_t)base->m);
        return; /* the keeper archives itself */
    }
    crank_direct_levels_archive(s, a);
    crank_direct_jumps_archive(s, a);
    crank_direct_ranks_archive(s, a);
    crank_direct_rows_archive(s, a);
    crank_eom_archive(s->eom, a);
}

static void destroy(crank_problem *base)
{
    crank_direct *s = (crank_direct *)base;
    if (s == NULL) {
        return;
    }
    crank_solver_destroy(s->solver);
    crank_mass_destroy(&s->mass);
    crank_direct_ranks_destroy(s);
    crank_algebraic_destroy(&s->algebraic);
    crank_arena_free(&s->arena);
    crank_arena_free(&s->matrix_arena);
    free(s);
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_report report = {.unknown_name = unknown_name,
                                            .residuals = crank_formulate_residuals,
                                            .singular = crank_direct_ranks_blame};

const crank_problem crank_direct_problem = {.evaluate = evaluate,
                                            .lead = lead,
                                            .residual = residual,
                                            .prepare = prepare,
                                            .factor = crank_direct_factor,
                                            .solve = crank_direct_solve,
                                            .destroy = destroy,
                                            .course = &course,
                                            .report = &report,
                                            .refresh = refresh,
                                            .time_derivative = time_derivative,
                                            .rates = rates,
                                            .pattern = pattern,
                                            .archive = archive};
