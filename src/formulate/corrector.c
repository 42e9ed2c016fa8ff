/* corrector.c - the problem of corrector.h: F in one pass, its matrix, and what is left to the
 * direct formulation behind it.
 *
 *     residual  k - E y' = -( p' - Z v + B eta,  M v' - f + G^T lambda,  -gI,  -g )
 *         theory (2.20)
 *     explicit  k - E y' = -( p' - Z v + B eta,  v' - M^-1 (f - G^T lambda), -gI, -g )
 *         theory (2.21)
 *
 * with d, c, b, h, n as in the other direct formulations. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/corrector.h"

#include "base/then.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static crank_corrector *of(crank_problem *base)
{
    return (crank_corrector *)base;
}

/* ---- F ---- */

crank_status crank_corrector_place(crank_corrector *s, double t, const double *x,
                                   const double *xdot, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const crank_status status = crank_channels_at(&s->channels, t, err);
    for (int j = 0; j < s->base.n; j++) {
        if (s->column[j] >= 0) {
            s->full[s->column[j]] = x[j];
        }
    }
    for (int k = 0; k < eom->sizes.v && s->mass.carried; k++) {
        const int v = s->place[eom->column[CRANK_V] + k];
        s->full[s->mass.column[k]] = v >= 0 ? xdot[v] : 0.0;
    }
    for (int i = 0; i < s->channels.count; i++) {
        const crank_channel *c = &s->channels.item[i];
        s->full[c->p] = s->channels.u[i][0];
        s->full[c->v] = s->channels.u[i][1];
        if (c->a >= 0) {
            s->full[c->a] = s->channels.u[i][2];
        }
        if (!c->read) {
            s->full[eom->column[CRANK_LAMBDA] + c->constraint] = 0.0;
        }
    }
    return status;
}

static crank_status evaluate_rows(crank_corrector *s, double t, crank_error *err)
{
    crank_eom *eom = s->eom;
    return eom->supplier.evaluate(eom->self, 1, &t, s->full, CRANK_ALL_ROWS, s->rows, err);
}

/* rows with v' solved for: free accelerations are zero first */
static crank_status evaluate_explicit(crank_corrector *s, double t, crank_error *err)
{
    const crank_corrector_mass *M = &s->mass;
    for (int k = 0; k < s->eom->sizes.v && M->carried; k++) {
        if (M->free[k] >= 0) {
            s->full[M->column[k]] = 0.0;
        }
    }
    crank_status status = evaluate_rows(s, t, err);
    CRANK_THEN(status, crank_corrector_accelerate(s, t, err));
    if (status == CRANK_OK && s->reads_any) {
        status = evaluate_rows(s, t, err);
    }
    return status;
}

/* M v' of a matrix that is the eom's */
static void subtract_mass(crank_corrector *s, const double *xdot, double *out)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *pattern = &eom->mass_pattern;
    for (int k = 0; k < eom->sizes.v; k++) {
        const int v = s->place[eom->column[CRANK_V] + k];
        double rate = v >= 0 ? xdot[v] : 0.0;
        for (int i = 0; i < s->channels.count && v < 0; i++) {
            rate = s->channels.item[i].velocity == k ? s->channels.u[i][2] : rate;
        }
        for (int e = pattern->start[k]; e < pattern->start[k + 1]; e++) {
            if (s->row_v[pattern->row[e]] >= 0) {
                out[s->row_v[pattern->row[e]]] -= s->mass.values[e] * rate;
            }
        }
    }
}

/* what y' and eta add to the rows of p', v', r' */
static void subtract_rates(crank_corrector *s, const double *x, const double *xdot, double *out)
{
    const crank_eom *eom = s->eom;
    const crank_corrector_mass *M = &s->mass;
    for (int i = 0; i < eom->sizes.p; i++) {
        if (s->row_p[i] >= 0) {
            out[s->row_p[i]] -= xdot[s->place[eom->column[CRANK_P] + i]];
        }
    }
    for (int i = 0; i < eom->sizes.r; i++) {
        out[s->row_r[i]] -= xdot[s->place[eom->column[CRANK_R] + i]];
    }
    for (int i = 0; i < s->matrix.push_count; i++) {
        const crank_corrector_push *push = &s->matrix.push[i];
        out[push->row] -= push->value * x[push->eta];
    }
    for (int k = 0; k < eom->sizes.v && s->explicit; k++) {
        if (M->free[k] >= 0) {
            out[s->row_v[k]] = (M->carried ? s->full[M->column[k]] : M->a[M->free[k]]) -
                               xdot[s->place[eom->column[CRANK_V] + k]];
        }
    }
    if (!s->explicit && !M->carried) {
        subtract_mass(s, xdot, out);
    }
}

crank_status crank_corrector_residual(crank_problem *base, double t, const double *x,
                                      const double *xdot, double *out, crank_error *err)
{
    crank_corrector *s = of(base);
    crank_status status = crank_corrector_place(s, t, x, xdot, err);
    s->statistics.evaluations++;
    CRANK_THEN(status, s->explicit ? evaluate_explicit(s, t, err) : evaluate_rows(s, t, err));
    if (status == CRANK_OK && !s->explicit && !s->mass.carried) {
        status = crank_corrector_mass_evaluate(s, t, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    memset(out, 0, (size_t)base->m * sizeof *out);
    for (int i = 0; i < s->eom->m; i++) {
        if (s->target[i] >= 0) {
            out[s->target[i]] = s->sign[i] * s->rows[i];
        }
    }
    subtract_rates(s, x, xdot, out);
    if (xdot != s->rate) {
        memcpy(s->rate, xdot, (size_t)base->n * sizeof *xdot);
    }
    s->rate_t = t;
    return CRANK_OK;
}

/* k = -F(y, 0). The rate that rows and matrices fall back on stays. */
static crank_status evaluate(crank_problem *base, int count, const double *t, const double *x,
                             double *k, crank_error *err)
{
    crank_corrector *s = of(base);
    crank_status status = CRANK_OK;
    const double rate_t = s->rate_t;
    memcpy(s->f1, s->rate, (size_t)base->n * sizeof *s->f1);
    memset(s->f0, 0, (size_t)base->n * sizeof *s->f0);
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        status = crank_corrector_residual(base, t[i], x + (long)i * base->n, s->f0,
                                          k + (long)i * base->m, err);
    }
    memcpy(s->rate, s->f1, (size_t)base->n * sizeof *s->f1);
    s->rate_t = rate_t;
    return status;
}

/* E of the matrix at hand: for estimates, since the iteration has the residual. */
static crank_status lead(crank_problem *base, double t, const double *x, const double *y,
                         double *out, crank_error *err)
{
    const crank_corrector_matrix *A = &of(base)->matrix;
    (void)t, (void)x, (void)err;
    memset(out, 0, (size_t)base->m * sizeof *out);
    for (int j = 0; j < base->n; j++) {
        for (int e = A->start[j]; e < A->start[j + 1]; e++) {
            out[A->row[e]] += A->lead[e] * y[j];
        }
    }
    return CRANK_OK;
}

/* ---- its matrix ---- */

static crank_status derive(crank_corrector *s, double t, const double *x, crank_error *err)
{
    crank_status status = CRANK_OK;
    bool grown = false;
    if (s->derivatives == CRANK_DERIVATIVES_ANALYTIC) {
        return crank_corrector_analytic(s, t, x, err);
    }
    if (s->scan_due) {
        status = crank_corrector_scan(s, t, x, &grown, err);
        s->scan_due = status != CRANK_OK;
        if (grown && status == CRANK_OK) {
            status = crank_corrector_make_matrix(s, err);
        }
    }
    s->scanned = grown;
    return status == CRANK_OK ? crank_corrector_difference(s, t, x, err) : status;
}

static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    crank_corrector *s = of(base);
    s->statistics.jacobians++;
    if (xdot != NULL) {
        memcpy(s->rate, xdot, (size_t)base->n * sizeof *xdot);
    }
    crank_status status = derive(s, t, x, err);
    if (status == CRANK_OK && s->extended) {
        status = s->second_due ? crank_corrector_second(s, t, x, err) : CRANK_OK;
        crank_corrector_take_inputs(s, s->u_jacobian);
        memcpy(s->matrix.at_jacobian, s->matrix.rest,
               (size_t)s->matrix.start[base->n] * sizeof *s->matrix.rest);
    }
    if (status == CRANK_OK && !s->explicit) {
        status = crank_corrector_place(s, t, x, s->rate, err);
        CRANK_THEN(status, crank_corrector_mass_evaluate(s, t, err));
    }
    CRANK_THEN(status, crank_corrector_set_push(s, err));
    if (status == CRANK_OK) {
        crank_corrector_set_lead(s);
    }
    return status;
}

static crank_status factor(crank_problem *base, int count, const double *sigma_real,
                           const double *sigma_imag, crank_error *err)
{
    crank_corrector *s = of(base);
    const crank_corrector_matrix *A = &s->matrix;
    if (count != 1 || sigma_imag[0] != 0.0) {
        return crank_fail(err, CRANK_EINTERNAL, "one real shift, not %d", count);
    }
    double *values = crank_solver_values(A->solver, 0, false);
    for (int e = 0; e < A->start[base->n]; e++) {
        values[e] = sigma_real[0] * A->lead[e] + A->rest[e];
    }
    s->statistics.factorizations++;
    const crank_status status = crank_solver_factor(A->solver, 0, err);
    s->statistics.pivot_searches = crank_solver_pivot_searches(A->solver);
    return status == CRANK_RETRY
               ? crank_fail(err, status, "the Newton matrix of %s is singular", base->name)
               : status;
}

static crank_status solve(crank_problem *base, int i, const double *r_real,
                          const double *r_imag, double *delta_real, double *delta_imag,
                          crank_error *err)
{
    (void)err;
    crank_solver_solve(of(base)->matrix.solver, i, r_real, r_imag, delta_real, delta_imag);
    return CRANK_OK;
}

static bool doubts(crank_problem *base)
{
    crank_corrector *s = of(base);
    if (s->narrow && s->left_out) {
        s->widen = true;
        return true;
    }
    if (s->derivatives != CRANK_DERIVATIVES_ESTIMATED || s->scanned) {
        return false;
    }
    s->scan_due = true;
    return true;
}

/* ---- unknowns of the eom ---- */

/* y' at t: that of the step's end whatever was looked at since, or of a residual there */
static const double *rate_at(const crank_corrector *s, double t)
{
    return t != s->accepted_t && t == s->rate_t ? s->rate : s->accepted_rate;
}

/* As they stand: accelerations are rates; multipliers of drives are not known. */
static crank_status spread(crank_corrector *s, double t, const double *x, crank_error *err)
{
    return crank_corrector_place(s, t, x, rate_at(s, t), err);
}

static void keep_shown(crank_corrector *s, double t, const double *x)
{
    memcpy(s->shown_x, x, (size_t)s->base.n * sizeof *x);
    memcpy(s->shown, s->full, (size_t)s->eom->n * sizeof *x);
    s->shown_t = t;
}

static crank_status complete(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_corrector *s = of(base);
    crank_problem *direct = &s->direct->base;
    crank_status status = spread(s, t, x, err);
    CRANK_THEN(status, direct->complete(direct, t, s->full, err));
    if (status != CRANK_OK) {
        return status;
    }
    for (int j = 0; j < base->n; j++) {
        x[j] = s->column[j] >= 0 ? s->full[s->column[j]] : x[j];
    }
    keep_shown(s, t, x);
    return CRANK_OK;
}

/* Drives have multipliers that are no unknowns. */
static bool hides_multipliers(const crank_corrector *s)
{
    bool hides = false;
    for (int i = 0; i < s->channels.count; i++) {
        hides = hides || !s->channels.item[i].read;
    }
    return hides;
}

/* A point that was completed is known; the end of a step is told from its residual, but for
 * multipliers of drives. */
static crank_status expand(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    crank_corrector *s = of(base);
    const size_t bytes = (size_t)s->eom->n * sizeof *out;
    if (t == s->shown_t && memcmp(x, s->shown_x, (size_t)base->n * sizeof *x) == 0) {
        memcpy(out, s->shown, bytes);
        return CRANK_OK;
    }
    crank_status status = spread(s, t, x, err);
    const bool known = t == s->accepted_t ? s->accepted_told : t == s->rate_t;
    const bool told = known && !hides_multipliers(s);
    if (status == CRANK_OK && !told && s->direct->base.complete != NULL) {
        status = s->direct->base.complete(&s->direct->base, t, s->full, err);
        if (status == CRANK_OK) {
            keep_shown(s, t, x);
        }
        status = status > CRANK_OK ? CRANK_OK : status; /* as discretised */
    }
    memcpy(out, s->full, bytes);
    return status;
}

static crank_status reduce(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    crank_corrector *s = of(base);
    const crank_eom *eom = s->eom;
    (void)err;
    for (int j = 0; j < base->n; j++) {
        out[j] = s->column[j] >= 0 ? x[s->column[j]] : 0.0;
    }
    memset(s->rate, 0, (size_t)base->n * sizeof *s->rate);
    for (int k = 0; k < eom->sizes.v && s->mass.carried; k++) {
        const int v = s->place[eom->column[CRANK_V] + k];
        if (v >= 0) {
            s->rate[v] = x[s->mass.column[k]];
        }
    }
    memcpy(s->accepted_rate, s->rate, (size_t)base->n * sizeof *s->rate);
    memcpy(s->shown_x, out, (size_t)base->n * sizeof *out);
    memcpy(s->shown, x, (size_t)eom->n * sizeof *x);
    s->shown_t = t;
    return CRANK_OK;
}

/* ---- course ---- */

static void restart(crank_problem *base)
{
    crank_corrector *s = of(base);
    s->direct->base.course->restart(&s->direct->base);
    s->accepted_t = (double)NAN;
    crank_channels_restart(&s->channels); /* an event may have changed them */
    s->second_due = s->extended;
}

/* max |eta|, and h |B eta| of the step that ended at (t, x) */
static void note_eta(crank_corrector *s, double t, const double *x)
{
    const crank_corrector_matrix *A = &s->matrix;
    const double h = t > s->accepted_t ? t - s->accepted_t : 0.0; /* not so: at the start */
    crank_statistics *found = &s->statistics;
    memset(s->noise, 0, (size_t)s->base.n * sizeof *s->noise);
    for (int i = 0; i < A->push_count; i++) {
        s->noise[A->push[i].row] += h * A->push[i].value * x[A->push[i].eta];
    }
    for (int j = 0; j < s->base.n; j++) {
        found->max_push = fmax(found->max_push, fabs(s->noise[j]));
        found->max_eta = s->column[j] < 0 ? fmax(found->max_eta, fabs(x[j])) : found->max_eta;
    }
    s->accepted_t = t;
}

/* The direct formulation is told a point with all its eta. It looks at positions and velocities
 * alone: multipliers of drives are not solved for. */
static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    crank_corrector *s = of(base);
    crank_direct *d = s->direct;
    double *all = s->direct_x;
    memcpy(s->accepted_rate, s->rate, (size_t)base->n * sizeof *s->rate);
    s->accepted_told = t == s->rate_t;
    const crank_status status = crank_corrector_place(s, t, x, s->rate, err);
    crank_channels_accept(&s->channels);
    memcpy(all, s->full, (size_t)s->eom->n * sizeof *all);
    memset(all + s->eom->n, 0, (size_t)d->extra * sizeof *all);
    for (int i = 0; i < s->extra; i++) {
        all[s->eom->n + s->eta[i]] = x[base->n - s->extra + i];
    }
    note_eta(s, t, x);
    return status == CRANK_OK ? d->base.course->accepted(&d->base, t, all, changed, err)
                              : status;
}

/* ---- report ---- */

static const char *unknown_name(const crank_problem *base, int j)
{
    const crank_corrector *s = (const crank_corrector *)base;
    return s->column[j] >= 0 ? crank_eom_column_name(s->eom, s->column[j])
                             : s->direct->name[s->eta[j - (base->n - s->extra)]];
}

static crank_status residuals(crank_problem *base, double t, const double *x,
                              double residual[3], crank_error *err)
{
    crank_corrector *s = of(base);
    const crank_status status = expand(base, t, x, s->direct_x, err);
    return status == CRANK_OK ? crank_eom_residuals(s->eom, t, s->direct_x, residual, err)
                              : status;
}

static crank_status singular(crank_problem *base, double t, const double *x, crank_error *err)
{
    crank_corrector *s = of(base);
    const crank_status status = expand(base, t, x, s->direct_x, err);
    return status == CRANK_OK
               ? s->direct->base.report->singular(&s->direct->base, t, s->direct_x, err)
               : CRANK_OK;
}

static void pattern(const crank_problem *base, crank_newton_pattern *out)
{
    const crank_corrector *s = (const crank_corrector *)base;
    const crank_corrector_matrix *A = &s->matrix;
    const bool differenced = s->derivatives != CRANK_DERIVATIVES_ANALYTIC;
    out->pattern =
        (crank_pattern){.rows = base->n, .columns = base->n, .start = A->start, .row = A->row};
    out->groups = differenced ? A->group_count : 0;
    out->group_start = A->group_start;
    out->group_column = A->group_column;
}

/* ---- the rest ---- */

static void archive_matrix(crank_corrector *s, crank_archive *a)
{
    crank_corrector_matrix *A = &s->matrix;
    const size_t entries = (size_t)A->start[s->base.n];
    crank_archive_doubles(a, A->rest, entries);
    crank_archive_doubles(a, A->lead, entries);
    if (s->extended) {
        crank_archive_doubles(a, A->at_jacobian, entries);
        crank_archive_doubles(a, A->second, 3 * (size_t)s->channels.count * entries);
        crank_archive_doubles(a, s->u_jacobian, 3 * (size_t)s->channels.count);
    }
    for (int i = 0; i < A->push_count; i++) {
        crank_archive_double(a, &A->push[i].value);
    }
    crank_solver_archive(A->solver, a);
}

static void archive(crank_problem *base, crank_archive *a)
{
    crank_corrector *s = of(base);
    const size_t n = (size_t)base->n;
    s->direct->base.archive(&s->direct->base, a);
    crank_archive_check(a, "unknowns of the corrector", base->n);
    crank_archive_statistics(a, &s->statistics);
    crank_archive_doubles(a, s->rate, n);
    crank_archive_double(a, &s->rate_t);
    crank_archive_doubles(a, s->shown_x, n);
    crank_archive_doubles(a, s->shown, (size_t)s->eom->n);
    crank_archive_double(a, &s->shown_t);
    crank_archive_doubles(a, s->accepted_rate, n);
    crank_archive_double(a, &s->accepted_t);
    crank_archive_flag(a, &s->accepted_told);
    crank_channels_archive(&s->channels, a);
    crank_archive_flag(a, &s->scan_due);
    crank_archive_flag(a, &s->scanned);
    crank_archive_flag(a, &s->second_due);
    crank_archive_flag(a, &s->narrow);
    crank_archive_flag(a, &s->left_out);
    crank_archive_flag(a, &s->widen);
    if (s->seen != NULL) {
        crank_archive_bytes(a, s->seen, n * n);
        crank_archive_doubles(a, s->row_size, n);
        crank_archive_doubles(a, s->column_part, n);
        if (a->loading && crank_archive_fine(a)) {
            crank_error err = {0};
            const int64_t analyses = s->statistics.analyses;
            if (crank_corrector_make_matrix(s, &err) != CRANK_OK) {
                crank_archive_fail(a, CRANK_EFILE, "the checkpoint is damaged: %s", err.text);
                return;
            }
            s->statistics.analyses = analyses;
        }
    }
    archive_matrix(s, a);
}

static void destroy(crank_problem *base)
{
    crank_corrector *s = of(base);
    if (s == NULL) {
        return;
    }
    if (s->direct != NULL) {
        s->direct->base.destroy(&s->direct->base);
    }
    crank_channels_destroy(&s->channels);
    crank_corrector_mass_destroy(s);
    crank_corrector_free_matrix(&s->matrix);
    crank_arena_free(&s->arena);
    free(s);
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_report report = {
    .unknown_name = unknown_name, .residuals = residuals, .singular = singular};

const crank_problem_unknowns crank_corrector_unknowns = {
    .later = true, .expand = expand, .reduce = reduce};

const crank_problem crank_corrector_problem = {.evaluate = evaluate,
                                               .lead = lead,
                                               .residual = crank_corrector_residual,
                                               .holds_lead = true,
                                               .prepare = prepare,
                                               .factor = factor,
                                               .solve = solve,
                                               .destroy = destroy,
                                               .course = &course,
                                               .report = &report,
                                               .refresh = crank_corrector_refresh,
                                               .complete = complete,
                                               .doubts = doubts,
                                               .pattern = pattern,
                                               .archive = archive};
