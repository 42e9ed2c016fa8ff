/* partition.c - coordinate partitioning: the equations of motion as an ordinary differential
 * equation of independent positions and velocities [Neg98, 2, 3], for any implicit integrator,
 * theory 2.10.
 *
 *     u = u(v_p, t) of g, n = 0,   u' of gI, h = 0,   w, lambda, mu of d, gII, hI = 0
 *     v_p' = (Z v)_I,   M_I v_v' = f_I,   r' = b            I: independent ones
 *
 * Unknowns of the problem are all of r, v, s, p, so that histories do not depend on the
 * choice: an integrator's formulas hold for the independent ones, whose rows the sparse
 * decomposition selects; the dependent ones follow the constraints, in Newton's iteration by
 * their rows, at ends of steps, rows and stages of Rosenbrock methods by recovery. partition:
 * accelerations and multipliers are eliminated at every evaluation; descriptor: they are
 * unknowns of Newton's iteration, too [Neg98, 3.2]. In both errors are of r, v, p alone.
 * tangent-plane: as partition, with v_p, v_v coordinates of the tangent plane [Neg98, app. B].
 *
 * Decompositions, singular positions, redundant rows: psf. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/partition.h"

#include "base/then.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static crank_partition *of(crank_problem *base)
{
    return (crank_partition *)base;
}

static crank_problem *inner(crank_problem *base)
{
    return &of(base)->psf->base;
}

/* ---- points ---- */

/* full := [guess, x], as it stands */
static void place(crank_partition *s, const double *x)
{
    memcpy(s->full, s->guess, (size_t)s->column * sizeof *x);
    memcpy(s->full + s->column, x, (size_t)s->base.n * sizeof *x);
}

/* w, lambda, mu from which those of other points are looked for */
static void set_guess(crank_partition *s, const double *full)
{
    memcpy(s->guess, full, (size_t)s->column * sizeof *full);
    s->last.known = false; /* rounding depends on it */
}

/* s->last: s is found by the way, but is an unknown of its own */
static crank_status expand_anew(crank_partition *s, double t, const double *x, crank_error *err)
{
    const crank_eom *eom = s->eom;
    crank_problem *psf = &s->psf->base;
    crank_expanded *last = &s->last;
    last->known = false;
    crank_status status = crank_algebraic_solve(&s->algebraic, t, s->full, err);
    memcpy(s->full + eom->column[CRANK_S], x + eom->column[CRANK_S] - s->column,
           (size_t)eom->sizes.s * sizeof *x);
    if (s->whole) {
        CRANK_THEN(status, psf->evaluate(psf, 1, &t, s->full, last->k, err));
    } else {
        memcpy(last->k, s->algebraic.k, (size_t)eom->m * sizeof *last->k);
    }
    memcpy(last->x, x, (size_t)s->base.n * sizeof *x);
    memcpy(last->full, s->full, (size_t)eom->n * sizeof *x);
    last->t = t;
    last->known = status == CRANK_OK;
    return status;
}

crank_status crank_partition_expand(crank_partition *s, double t, const double *x,
                                    crank_error *err)
{
    const crank_expanded *last = &s->last;
    place(s, x);
    if (!s->eliminates) {
        return CRANK_OK;
    }
    if (!last->known || t != last->t ||
        memcmp(x, last->x, (size_t)s->base.n * sizeof *x) != 0) {
        return expand_anew(s, t, x, err);
    }
    memcpy(s->full, last->full, (size_t)s->eom->n * sizeof *x);
    return CRANK_OK;
}

static crank_status expand(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    crank_partition *s = of(base);
    const crank_status status = crank_partition_expand(s, t, x, err);
    memcpy(out, s->full, (size_t)s->eom->n * sizeof *out);
    return status;
}

static crank_status reduce(crank_problem *base, double t, const double *x, double *out,
                           crank_error *err)
{
    crank_partition *s = of(base);
    (void)t;
    (void)err;
    set_guess(s, x);
    memcpy(out, x + s->column, (size_t)base->n * sizeof *x);
    return CRANK_OK;
}

/* ---- the problem ---- */

static crank_status evaluate_point(crank_partition *s, double t, const double *x, double *k,
                                   crank_error *err)
{
    const crank_status status = crank_partition_expand(s, t, x, err);
    if (status == CRANK_OK) {
        memcpy(k, s->last.k + s->row, (size_t)s->base.m * sizeof *k);
    }
    return status;
}

static crank_status evaluate(crank_problem *base, int count, const double *t, const double *x,
                             double *k, crank_error *err)
{
    crank_partition *s = of(base);
    if (!s->eliminates) {
        return inner(base)->evaluate(inner(base), count, t, x, k, err);
    }
    crank_status status = CRANK_OK;
    for (int i = 0; i < count && status == CRANK_OK; i++) {
        status = evaluate_point(s, t[i], x + (long)i * base->n, k + (long)i * base->m, err);
    }
    return status;
}

static crank_status lead(crank_problem *base, double t, const double *x, const double *y,
                         double *out, crank_error *err)
{
    crank_partition *s = of(base);
    place(s, x);
    memset(s->rates, 0, (size_t)s->column * sizeof *s->rates);
    memcpy(s->rates + s->column, y, (size_t)base->n * sizeof *y);
    const crank_status status =
        inner(base)->lead(inner(base), t, s->full, s->rates, s->k[0], err);
    memcpy(out, s->k[0] + s->row, (size_t)base->m * sizeof *out);
    return status;
}

static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    crank_partition *s = of(base);
    crank_status status = crank_partition_expand(s, t, x, err);
    if (xdot != NULL) {
        memset(s->rates, 0, (size_t)s->column * sizeof *s->rates);
        memcpy(s->rates + s->column, xdot, (size_t)base->n * sizeof *xdot);
    }
    crank_choice_recall(s, t, xdot == NULL);
    CRANK_THEN(status, inner(base)->prepare(inner(base), t, s->full,
                                            xdot != NULL ? s->rates : NULL, err));
    if (status == CRANK_OK) {
        set_guess(s, s->full);
        s->recovery.t = (double)NAN;
        /* rows between steps come without rates: steps do not depend on them */
        const bool looks = xdot != NULL || !s->choice.made;
        status = looks ? crank_choice_look(s, t, err) : CRANK_OK;
    }
    if (status == CRANK_OK && s->columns != NULL) {
        status = crank_columns_make(s->columns, err);
    }
    return status;
}

static crank_status factor(crank_problem *base, int count, const double *sigma_real,
                           const double *sigma_imag, crank_error *err)
{
    crank_partition *s = of(base);
    if (s->columns == NULL) {
        return inner(base)->factor(inner(base), count, sigma_real, sigma_imag, err);
    }
    s->psf->statistics.factorizations++;
    return crank_columns_factor(s->columns, count, sigma_real, sigma_imag, err);
}

/* r in the rows of the eom; d, gII, hI hold at every evaluation */
static double *place_rows(crank_partition *s, const double *r, double *rows)
{
    memset(rows, 0, (size_t)s->row * sizeof *rows);
    memcpy(rows + s->row, r, (size_t)s->base.m * sizeof *rows);
    return rows;
}

static crank_status solve(crank_problem *base, int i, const double *r_real,
                          const double *r_imag, double *delta_real, double *delta_imag,
                          crank_error *err)
{
    crank_partition *s = of(base);
    const size_t bytes = (size_t)base->n * sizeof *delta_real;
    const bool complex_values = r_imag != NULL;
    const double *imaginary = complex_values ? place_rows(s, r_imag, s->k[1]) : NULL;
    const double *real = place_rows(s, r_real, s->k[0]);
    crank_status status = CRANK_OK;
    if (s->columns != NULL) {
        crank_columns_solve(s->columns, i, real, imaginary, s->delta[0], s->delta[1]);
    } else {
        status = inner(base)->solve(inner(base), i, real, imaginary, s->delta[0],
                                    complex_values ? s->delta[1] : NULL, err);
    }
    memcpy(delta_real, s->delta[0] + s->column, bytes);
    if (complex_values) {
        memcpy(delta_imag, s->delta[1] + s->column, bytes);
    }
    return status;
}

/* Of the prepared point: with x held w, lambda, mu move, too, by -F_z^-1 F_t. */
static crank_status time_derivative(crank_problem *base, double t, const double *x, double *kt,
                                    crank_error *err)
{
    crank_partition *s = of(base);
    const crank_pattern *J = &s->eom->jacobian_pattern;
    double *all = s->k[0], *moved = s->delta[0];
    place(s, x);
    const crank_status status = inner(base)->time_derivative(inner(base), t, s->full, all, err);
    if (status != CRANK_OK) {
        return status;
    }
    memset(s->k[1], 0, (size_t)s->eom->m * sizeof *all);
    memcpy(s->k[1], all, (size_t)s->row * sizeof *all);
    s->psf->reduction->project(s->psf->reduction, s->k[1], moved);
    for (int j = 0; j < s->column; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            all[J->row[e]] += s->psf->jacobian[e] * moved[j];
        }
    }
    memcpy(kt, all + s->row, (size_t)base->m * sizeof *kt);
    return CRANK_OK;
}

static crank_status rates(crank_problem *base, double t, const double *x, const double *k,
                          double *xdot, crank_error *err)
{
    crank_partition *s = of(base);
    place(s, x);
    memset(s->rates, 0, (size_t)s->eom->n * sizeof *s->rates);
    const crank_status status =
        inner(base)->rates(inner(base), t, s->full, place_rows(s, k, s->k[0]), s->rates, err);
    for (int j = 0; j < base->n; j++) {
        const int g = base->group[j];
        xdot[j] =
            g == CRANK_R || g == CRANK_V || g == CRANK_P ? s->rates[s->column + j] : xdot[j];
    }
    return status;
}

static void newton_failed(crank_problem *base)
{
    of(base)->choice.due = true;
}

/* ---- along a motion ---- */

static void restart(crank_problem *base)
{
    crank_partition *s = of(base);
    inner(base)->course->restart(inner(base));
    s->last.known = false;
    crank_choice_restart(s);
    s->recovery.t = (double)NAN;
    s->recovery.reach = (double)INFINITY;
}

static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    crank_partition *s = of(base);
    crank_status status = crank_partition_expand(s, t, x, err);
    s->last.known = s->last.known && s->eom->supplier.accepted == NULL;
    CRANK_THEN(status, inner(base)->course->accepted(inner(base), t, s->full, changed, err));
    if (status == CRANK_OK && changed != NULL) {
        *changed = *changed || crank_choice_outgrown(s, t);
    }
    return status;
}

static crank_status step_limit(crank_problem *base, double t, double *h, crank_error *err)
{
    return crank_psf_step_limit(inner(base), t, h, err);
}

static const char *unknown_name(const crank_problem *base, int j)
{
    const crank_partition *s = (const crank_partition *)base;
    return crank_eom_column_name(s->eom, s->column + j);
}

static crank_status residuals(crank_problem *base, double t, const double *x,
                              double residual[3], crank_error *err)
{
    crank_partition *s = of(base);
    const crank_status status = crank_partition_expand(s, t, x, err);
    return status == CRANK_OK ? crank_eom_residuals(s->eom, t, s->full, residual, err) : status;
}

static void archive(crank_problem *base, crank_archive *a)
{
    crank_partition *s = of(base);
    crank_choice *c = &s->choice;
    crank_psf_archive(inner(base), a);
    crank_algebraic_archive(&s->algebraic, a);
    crank_archive_doubles(a, s->guess, (size_t)s->column);
    crank_archive_flag(a, &s->last.known); /* found once more it may differ by rounding */
    crank_archive_double(a, &s->last.t);
    crank_archive_doubles(a, s->last.x, (size_t)base->n);
    crank_archive_doubles(a, s->last.full, (size_t)s->eom->n);
    crank_archive_doubles(a, s->last.k, (size_t)s->eom->m);
    crank_archive_flags(a, c->dependent, (size_t)s->eom->n);
    crank_archive_flags(a, c->before, (size_t)s->eom->n);
    crank_archive_double(a, &c->changed_t);
    crank_archive_flag(a, &c->back);
    crank_archive_double(a, &c->condition);
    crank_archive_double(a, &c->condition_chosen);
    crank_archive_flag(a, &c->due);
    crank_archive_flag(a, &c->made);
    crank_archive_int(a, &c->told, 0, INT_MAX);
    crank_archive_double(a, &s->recovery.t);
    crank_archive_double(a, &s->recovery.reach);
    crank_archive_doubles(a, s->recovery.jacobian,
                          (size_t)s->eom->jacobian_pattern.start[s->eom->n]);
    s->recovery.reduction->archive(s->recovery.reduction, a);
}

static void destroy(crank_problem *base)
{
    crank_partition *s = of(base);
    crank_columns_destroy(s->columns); /* before the decomposition that it is made of */
    s->columns = NULL;
    if (s->recovery.reduction != NULL) {
        s->recovery.reduction->destroy(s->recovery.reduction);
    }
    if (s->psf != NULL) {
        s->psf->base.destroy(&s->psf->base);
    }
    crank_algebraic_destroy(&s->algebraic);
    crank_arena_free(&s->arena);
    free(s);
}

/* ---- create ---- */

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_constraints constraints = {.correct = crank_partition_recover,
                                                      .step_limit = step_limit};
static const crank_problem_report report = {.unknown_name = unknown_name,
                                            .residuals = residuals};

static void layout(crank_partition *s, crank_arena *arena)
{
    const size_t n = (size_t)s->eom->n, m = (size_t)s->eom->m;
    s->given = crank_arena_take(arena, n, sizeof(int));
    s->tested = crank_arena_take(arena, n, sizeof(bool));
    s->guess = crank_arena_take(arena, (size_t)s->column, sizeof(double));
    s->full = crank_arena_take(arena, n, sizeof(double));
    s->rates = crank_arena_take(arena, n, sizeof(double));
    s->last.x = crank_arena_take(arena, n, sizeof(double));
    s->last.full = crank_arena_take(arena, n, sizeof(double));
    s->last.k = crank_arena_take(arena, m, sizeof(double));
    for (int i = 0; i < 2; i++) {
        s->k[i] = crank_arena_take(arena, m, sizeof(double));
        s->delta[i] = crank_arena_take(arena, n, sizeof(double));
    }
    crank_choice_layout(s, arena);
    crank_recovery_layout(s, arena);
}

static void describe_unknowns(crank_partition *s)
{
    const crank_problem *psf = &s->psf->base;
    s->base.n = psf->n - s->column;
    s->base.m = psf->m - s->row;
    for (int j = 0; j < s->base.n; j++) {
        const int g = psf->group[s->column + j];
        s->given[j] = s->column + j;
        s->tested[j] = g == CRANK_R || g == CRANK_V || g == CRANK_P;
    }
    s->base.differential = psf->differential + s->row;
    s->base.tested = s->tested;
    s->base.group = psf->group + s->column;
    s->base.scaling = psf->scaling + s->column;
    s->base.noise = psf->noise != NULL ? psf->noise + s->column : NULL;
    s->base.held = psf->held != NULL ? psf->held + s->column : NULL; /* which of them changes */
    s->base.path_column = psf->path_column - s->column;
    s->base.path_row = psf->path_row - s->row;
    s->base.path_count = psf->path_count;
    s->base.explicit_in_free = psf->explicit_in_free;
    s->base.inexact = psf->inexact;
    s->base.log = &s->psf->setup.log;
    s->base.statistics = psf->statistics;
    s->unknowns = (crank_problem_unknowns){
        .count = s->eom->n, .column = s->given, .expand = expand, .reduce = reduce};
    s->base.unknowns = s->eliminates ? &s->unknowns : NULL;
}

static crank_status create_algebraic(crank_partition *s, const crank_options *options,
                                     double t0, const double *x0, crank_error *err)
{
    const crank_eom_sizes *sizes = &s->eom->sizes;
    s->algebraic.eom = s->eom;
    s->algebraic.scale = &s->psf->scale;
    s->algebraic.statistics = &s->psf->statistics;
    s->algebraic.left_out = &s->psf->reduction->state;
    s->algebraic.first_multiplier = s->psf->first_multiplier;
    /* stages of mechanisms have norms of quaternions, others have no invariants */
    s->whole = sizes->e > 0 || sizes->s > 0 || (sizes->n > 0 && s->eom->parts == NULL) ||
               (s->eom->stage_accelerations && !s->eom->mass_is_identity);
    return crank_algebraic_create(&s->algebraic, options->linear_algebra, t0, x0, err);
}

static crank_status fill(crank_partition *s, const crank_options *options, double t0,
                         const double *x0, crank_error *err)
{
    layout(s, &s->arena);
    if (!crank_arena_allocate(&s->arena)) {
        return crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", s->eom->n);
    }
    layout(s, &s->arena);
    describe_unknowns(s);
    memcpy(s->guess, x0, (size_t)s->column * sizeof *x0);
    crank_status status = create_algebraic(s, options, t0, x0, err);
    CRANK_THEN(status, crank_recovery_create(s, err));
    if (status == CRANK_OK && options->jacobian_threads > 0) {
        s->base.archive = NULL; /* factors of threads are not saved */
        status = crank_columns_create(s->psf->reduction, options->jacobian_threads, &s->columns,
                                      err);
    }
    if (status == CRANK_OK) {
        crank_choice_restart(s);
        s->recovery.t = (double)NAN;
        s->recovery.reach = (double)INFINITY;
    }
    return status;
}

/* Contact variables have no rates, and no part in the plane. */
static crank_status refuse(const char *name, const crank_eom *eom, const crank_options *options,
                           crank_error *err)
{
    if (options->derivatives == CRANK_DERIVATIVES_ESTIMATED) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "%s has no derivatives=estimated; use derivatives=grouped, or ggl-bdf", name);
    }
    if (options->jacobian_threads > 0 && options->invariants && eom->sizes.e > 0) {
        return crank_fail(err, CRANK_EREFUSED,
                          "jacobian_threads = %d: columns of independent coordinates are for "
                          "models without invariants (invariants=off)",
                          options->jacobian_threads);
    }
    return strcmp(name, "tangent-plane") == 0 && eom->sizes.s > 0
               ? crank_fail(err, CRANK_EREFUSED,
                            "tangent-plane has no contact variables, as %s; use partition",
                            crank_eom_column_name(eom, eom->column[CRANK_S]))
               : CRANK_OK;
}

crank_status crank_partition_create(const char *name, crank_eom *eom,
                                    const crank_options *options, double t0, const double *x0,
                                    crank_log log, crank_problem **out, crank_error *err)
{
    *out = NULL;
    crank_status status = refuse(name, eom, options, err);
    crank_partition *s = status == CRANK_OK ? calloc(1, sizeof *s) : NULL;
    if (status != CRANK_OK) {
        return status;
    }
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
    }
    s->eliminates = strcmp(name, "descriptor") != 0;
    s->plane = strcmp(name, "tangent-plane") == 0;
    s->eom = eom;
    s->column = s->eliminates ? eom->column[CRANK_R] : 0;
    s->row = s->eliminates ? eom->row[CRANK_ROW_GI] : 0;
    s->limit = options->partition_limit;
    s->base = (crank_problem){.name = s->plane        ? "tangent-plane"
                                      : s->eliminates ? "partition"
                                                      : "descriptor",
                              .eom = eom,
                              .evaluate = evaluate,
                              .lead = lead,
                              .prepare = prepare,
                              .factor = factor,
                              .solve = solve,
                              .destroy = destroy,
                              .course = &course,
                              .constraints = &constraints,
                              .report = &report,
                              .time_derivative = time_derivative,
                              .rates = rates,
                              .newton_failed = newton_failed,
                              .archive = archive};
    crank_problem *made = NULL;
    status = crank_psf_create(name, eom, options, t0, x0, log, &made, err);
    s->psf = (crank_psf *)made;
    CRANK_THEN(status, fill(s, options, t0, x0, err));
    if (status != CRANK_OK) {
        destroy(&s->base);
        return status > CRANK_OK ? crank_fail(err, CRANK_ERANK_MISMATCH,
                                              "the acceleration level does not determine w, "
                                              "lambda and mu (mass matrix or d_w singular?)")
                                 : status;
    }
    *out = &s->base;
    return CRANK_OK;
}
