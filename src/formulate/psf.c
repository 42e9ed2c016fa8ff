/* psf.c - the projected strangeness-free form (psf, with invariants psf+I) and the partially
 * regularised form peom1 of the equations of motion, as problems for any integrator.
 *
 *     S_p p' = S_p Z v,  S_v M v' = S_v (f - ...),  r' = b,  0 = d, c, h, g, hI, gI, gII, e, n
 *            theory (2.4)
 *     peom1: S_p p' = S_p Z v,  M v' = f - ...,     r' = b,  0 = d, c, h, g, gI, e, n
 *            theory (2.5)
 *
 * All rows are handed to the integrator; the selectors S_p, S_v come out of the linear algebra
 * (reduction.h): discretise, then regularise [Ste06, 5.1]. This file holds what dense and
 * sparse have in common: evaluation, the mass matrix, creation; see psf.h for the rest. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/psf.h"
#include "base/then.h"

#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHECKED_CONTACTS = 200 }; /* beyond, the sparse elimination finds out by itself */

static crank_status evaluate(crank_problem *base, int count, const double *t, const double *x,
                             double *k, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    crank_eom *eom = s->setup.eom;
    s->statistics.evaluations += count;
    return eom->supplier.evaluate(eom->self, count, t, x, CRANK_ALL_ROWS, k, err);
}

static crank_status lead(crank_problem *base, double t, const double *x, const double *y,
                         double *out, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    const crank_eom *eom = s->setup.eom;
    const crank_status status = crank_mass_update(&s->mass, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    memset(out, 0, (size_t)eom->m * sizeof *out);
    memcpy(out + eom->row[CRANK_ROW_B], y + eom->column[CRANK_R],
           (size_t)eom->sizes.r * sizeof *out);
    memcpy(out + eom->row[CRANK_ROW_KIN], y + eom->column[CRANK_P],
           (size_t)eom->sizes.p * sizeof *out);
    crank_mass_multiply(&s->mass, y + eom->column[CRANK_V], out + eom->row[CRANK_ROW_DYN]);
    return CRANK_OK;
}

static crank_status residual(crank_problem *base, double t, const double *x, const double *xdot,
                             double *out, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    const int *row = s->setup.eom->row;
    crank_status status = evaluate(base, 1, &t, x, out, err);
    CRANK_THEN(status, crank_mass_update(&s->mass, t, x, err));
    if (status == CRANK_OK) {
        crank_formulate_subtract_rates(&s->mass, xdot, s->delta, out + row[CRANK_ROW_B],
                                       out + row[CRANK_ROW_DYN], out + row[CRANK_ROW_KIN]);
    }
    return status;
}

static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    crank_eom *eom = s->setup.eom;
    const bool state_mass = !crank_eom_mass_constant(eom) && !eom->mass_is_identity;
    const double *vdot = xdot != NULL && state_mass ? xdot + eom->column[CRANK_V] : NULL;
    crank_status status = crank_mass_update(&s->mass, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_psf_update_weights(s, x, xdot);
    s->statistics.jacobians++;
    status = crank_psf_jacobian(s, t, x, vdot, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (crank_first_not_finite(eom->jacobian_pattern.start[eom->n], s->jacobian) >= 0) {
        return crank_fail(err, CRANK_RETRY, "the Jacobian is not finite at t = %.10g", t);
    }
    s->statistics.predecompositions++;
    status = s->reduction->decompose(s->reduction, s->jacobian,
                                     eom->mass_is_identity ? NULL : s->mass.values, false, err);
    if (status == CRANK_OK) {
        /* rows between steps come without rates: they are not watched */
        crank_psf_update_monitor(s, t, xdot != NULL || isnan(s->singular.t));
        s->prepared_t = t;
        memcpy(s->prepared_x, x, (size_t)eom->n * sizeof *x);
    }
    if (status == CRANK_OK && s->base.noise != NULL) {
        crank_psf_update_noise(s, x);
    }
    return status;
}

static crank_status factor(crank_problem *base, int count, const double *sigma_real,
                           const double *sigma_imag, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    const crank_status status = crank_formulate_check_shifts(count, err);
    s->statistics.factorizations++;
    return status == CRANK_OK
               ? s->reduction->factor(s->reduction, count, sigma_real, sigma_imag, err)
               : status;
}

static crank_status solve(crank_problem *base, int i, const double *r_real,
                          const double *r_imag, double *delta_real, double *delta_imag,
                          crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    (void)err;
    s->reduction->solve(s->reduction, i, r_real, r_imag, delta_real, delta_imag);
    return CRANK_OK;
}

static crank_status time_derivative(crank_problem *base, double t, const double *x, double *kt,
                                    crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    return crank_eom_evaluate_time_derivative(s->setup.eom, t, x, s->time, kt, err);
}

static void newton_failed(crank_problem *base)
{
    crank_psf *s = (crank_psf *)base;
    s->reduction->selectors_due(s->reduction);
}

static crank_status rates(crank_problem *base, double t, const double *x, const double *k,
                          double *xdot, crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    const crank_eom *eom = s->setup.eom;
    const crank_status status = crank_mass_update(&s->mass, t, x, err);
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(xdot + eom->column[CRANK_R], k + eom->row[CRANK_ROW_B],
           (size_t)eom->sizes.r * sizeof *k);
    memcpy(xdot + eom->column[CRANK_P], k + eom->row[CRANK_ROW_KIN],
           (size_t)eom->sizes.p * sizeof *k);
    memcpy(xdot + eom->column[CRANK_V], k + eom->row[CRANK_ROW_DYN],
           (size_t)eom->sizes.v * sizeof *k);
    return crank_mass_solve(&s->mass, xdot + eom->column[CRANK_V], err);
}

static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    crank_psf *s = (crank_psf *)base;
    const crank_eom *eom = s->setup.eom;
    if (!s->started) {
        memcpy(s->first_multiplier, x + eom->column[CRANK_LAMBDA],
               (size_t)(eom->sizes.lambda + eom->sizes.mu) * sizeof *x);
        s->started = true;
    }
    if (changed != NULL) {
        *changed = false;
    }
    const crank_status status = crank_eom_accepted(s->setup.eom, t, x, err);
    return s->tries || status != CRANK_OK
               ? status
               : crank_psf_turn_accepted(s, t, x, changed == NULL, changed, err);
}

static void restart(crank_problem *base)
{
    crank_psf *s = (crank_psf *)base;
    s->prepared_t = s->passed_t = s->glance_t = (double)NAN;
    s->started = false;
    crank_rank_turn_restart(&s->turn);
    crank_singular_reset(&s->singular);
    memset(s->largest, 0, sizeof s->largest);
    crank_scale_forget(&s->scale);
    for (int j = 0; j < s->base.n; j++) {
        s->motion[j] = 0.0;
        s->weight[j] = 1.0;
    }
}

static void destroy(crank_problem *base)
{
    crank_psf *s = (crank_psf *)base;
    if (s == NULL) {
        return;
    }
    if (s->reduction != NULL) {
        s->reduction->destroy(s->reduction);
    }
    crank_rank_turn_destroy(&s->turn);
    crank_mass_destroy(&s->mass);
    crank_arena_free(&s->arena);
    free(s);
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_constraints constraints = {.correct = crank_psf_correct,
                                                      .step_limit = crank_psf_step_limit};
static const crank_problem_passage passage = {.ahead = crank_psf_singular_ahead,
                                              .land = crank_psf_land,
                                              .landed = crank_psf_landed,
                                              .regularity = crank_psf_regularity};

static void layout(crank_psf *s, crank_arena *arena)
{
    const crank_eom *eom = s->setup.eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m;
    crank_psf_jacobian_layout(s, arena);
    s->differential = crank_arena_take(arena, m, sizeof(bool));
    s->tested = crank_arena_take(arena, n, sizeof(bool));
    s->group = crank_arena_take(arena, n, 1);
    s->scaling = crank_arena_take(arena, n, 1);
    s->held = crank_arena_take(arena, n, sizeof(bool));
    crank_mass_layout(&s->mass, arena);
    crank_scale_layout(&s->scale, arena);
    s->k = crank_arena_take(arena, m, sizeof(double));
    s->delta = crank_arena_take(arena, n, sizeof(double));
    s->point = crank_arena_take(arena, n, sizeof(double));
    s->across = crank_arena_take(arena, n, sizeof(double));
    s->prepared_x = crank_arena_take(arena, n, sizeof(double));
    s->noise = crank_arena_take(arena, n, sizeof(double));
    s->row_size = crank_arena_take(arena, m, sizeof(double));
    s->motion = crank_arena_take(arena, n, sizeof(double));
    s->weight = crank_arena_take(arena, n, sizeof(double));
    s->first_multiplier = crank_arena_take(
        arena, (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu, sizeof(double));
}

static void describe_rows_and_columns(crank_psf *s)
{
    const crank_eom *eom = s->setup.eom;
    for (int i = 0; i < eom->m; i++) {
        s->differential[i] = i >= s->setup.algebraic_rows;
    }
    for (int g = 0; g < CRANK_GROUPS; g++) {
        const bool multiplier = g == CRANK_LAMBDA || g == CRANK_MU;
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            s->group[j] = (unsigned char)g;
            s->held[j] = multiplier;
            s->tested[j] = eom->carried == NULL || !eom->carried[j];
            s->scaling[j] = s->setup.form == CRANK_FORM_PEOM1 && multiplier;
        }
    }
    s->setup.column_weight = s->weight;
    s->setup.unit = s->scale.unit;
    static const char *const names[] = {"psf", "peom1", "overdetermined", "partition",
                                        "tangent-plane"};
    s->base = (crank_problem){.name = names[s->setup.form],
                              .eom = s->setup.eom,
                              .n = eom->n,
                              .m = eom->m,
                              .differential = s->differential,
                              .tested = s->tested,
                              .group = s->group,
                              .scaling = s->scaling,
                              .noise = s->noise,
                              .path_column = eom->column[CRANK_P],
                              .path_row = eom->row[CRANK_ROW_KIN],
                              .path_count = eom->sizes.p,
                              .statistics = &s->statistics,
                              .evaluate = evaluate,
                              .lead = lead,
                              .residual = residual,
                              .prepare = prepare,
                              .factor = factor,
                              .solve = solve,
                              .destroy = destroy,
                              .course = &course,
                              .constraints = &constraints,
                              .passage = &passage,
                              .report = &crank_formulate_report,
                              .time_derivative = time_derivative,
                              .rates = rates,
                              .complete = crank_psf_complete,
                              .newton_failed = newton_failed,
                              .archive = crank_psf_archive};
}

static bool is_redundancy(crank_status status)
{
    return status == CRANK_EREDUNDANT_ACCELERATION || status == CRANK_EREDUNDANT_VELOCITY ||
           status == CRANK_EREDUNDANT_POSITION;
}

/* assumption c_s nonsingular [Ste06, 4.2.1], at the start only: on the way a contact variable
 * may be exchanged for a position as pivot. Finds exact singularity, the case of a start at a
 * fold. */
static crank_status check_contact(const crank_psf *s, crank_error *err)
{
    const crank_eom *eom = s->setup.eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int ns = eom->sizes.s, row = eom->row[CRANK_ROW_C], column = eom->column[CRANK_S];
    if (ns == 0 || ns > MAX_CHECKED_CONTACTS) {
        return CRANK_OK;
    }
    double *A = calloc((size_t)ns * (size_t)ns, sizeof *A);
    int *pivot = calloc((size_t)ns, sizeof *pivot);
    bool regular = A != NULL && pivot != NULL;
    for (int j = 0; j < ns && regular; j++) {
        for (int e = J->start[column + j]; e < J->start[column + j + 1]; e++) {
            const int i = J->row[e] - row;
            if (i >= 0 && i < ns) {
                A[i + (long)j * ns] = s->jacobian[e];
            }
        }
    }
    crank_status status =
        regular ? CRANK_OK : crank_fail(err, CRANK_EMEM, "%d contact equations", ns);
    if (regular && !crank_lu_factor(ns, A, ns, pivot)) {
        status = crank_fail(
            err, CRANK_EREDUNDANT_POSITION,
            "the contact equations do not determine %s%s at the start (c_s is singular); "
            "start elsewhere",
            crank_eom_column_name(eom, column), ns > 1 ? " and the others" : "");
    }
    free(A);
    free(pivot);
    return status;
}

/* Units of the unknowns. If forces cannot be evaluated here the integrator will say so. */
static void measure(crank_psf *s, double t0, const double *x0)
{
    const crank_eom *eom = s->setup.eom;
    const bool wanted = eom->sizes.lambda + eom->sizes.mu > 0;
    const bool known =
        wanted && eom->supplier.evaluate(eom->self, 1, &t0, x0, CRANK_DIFFERENTIAL, s->k,
                                         NULL) == CRANK_OK;
    crank_scale_measure(&s->scale, s->jacobian, x0, known ? s->k : NULL);
}

/* a reduction with ranks found at the start, where jacobian and mass were evaluated */
static crank_status start_reduction(crank_psf *s, bool sparse, crank_error *err)
{
    const double *mass = s->setup.eom->mass_is_identity ? NULL : s->mass.values;
    crank_reduction *made = NULL;
    const crank_status status = sparse ? crank_reduction_sparse_create(&s->setup, &made, err)
                                       : crank_reduction_dense_create(&s->setup, &made, err);
    s->reduction = made;
    return status == CRANK_OK ? made->decompose(made, s->jacobian, mass, true, err) : status;
}

/* the reduction that the options ask for; SVD takes over if the constraints are dependent */
static crank_status create_reduction(crank_psf *s, crank_error *err)
{
    const int sparse = crank_formulate_wants_sparse(&s->setup, err);
    if (sparse < 0) {
        return CRANK_EREFUSED;
    }
    crank_status status = start_reduction(s, sparse > 0, err);
    if (s->reduction == NULL) {
        return status;
    }
    if (is_redundancy(status) && s->setup.form == CRANK_FORM_PEOM1) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "peom1 needs independent constraints; use psf-radau, or remove the redundant rows");
    }
    if (!sparse && is_redundancy(status) &&
        s->setup.options.algebraic == CRANK_ALGEBRAIC_AUTO) {
        crank_log_write(
            &s->setup.log, CRANK_INFO,
            "constraints are redundant (%s): the singular value decomposition takes over",
            err != NULL ? err->text : "dependent rows");
        s->reduction->destroy(s->reduction);
        s->reduction = NULL;
        s->setup.options.algebraic = CRANK_ALGEBRAIC_SVD;
        status = start_reduction(s, false, err);
    }
    if (status == CRANK_OK && s->reduction->state.redundant &&
        s->setup.options.newton_matrix != 0) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "redundant constraints have their rank only at consistent points: use "
            "newton_matrix=0");
    }
    return status;
}

static crank_status create(crank_form form, crank_eom *eom, const crank_options *options,
                           double t0, const double *x0, crank_log log, crank_problem **out,
                           crank_error *err)
{
    *out = NULL;
    crank_psf *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
    }
    s->setup = (crank_reduction_setup){.eom = eom,
                                       .form = form,
                                       .options = *options,
                                       .log = log,
                                       .statistics = &s->statistics};
    if (form == CRANK_FORM_OVERDETERMINED) {
        s->setup.options.differential = CRANK_DIFFERENTIAL_QR;
    }
    s->mass = (crank_mass){.eom = eom, .statistics = &s->statistics};
    s->bound = form == CRANK_FORM_PARTITIONED || form == CRANK_FORM_PLANE;
    s->scale.eom = eom;
    s->time = crank_scale_time(eom, x0);
    s->time = s->time > 0.0 ? s->time : 1.0;
    eom->acceleration_idle = form == CRANK_FORM_PEOM1;
    eom->recursion_wanted = eom->recursion_wanted ||
                            (eom->recursion != NULL && crank_recursion_may_pay(eom->recursion));
    crank_reduction_setup_windows(&s->setup);
    layout(s, &s->arena);
    crank_status status = CRANK_EMEM;
    if (!crank_arena_allocate(&s->arena)) {
        crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
        goto failed;
    }
    layout(s, &s->arena);
    describe_rows_and_columns(s);
    restart(&s->base);
    status = crank_mass_create(&s->mass, options->linear_algebra, err);
    CRANK_THEN(status, crank_mass_update(&s->mass, t0, x0, err));
    CRANK_THEN(status, crank_psf_jacobian_create(s, err));
    CRANK_THEN(status, crank_psf_jacobian(s, t0, x0, NULL, err));
    if (status == CRANK_OK) {
        measure(s, t0, x0);
        status = check_contact(s, err);
    }
    if (status == CRANK_OK) {
        /* dependent constraints are fine if they are redundant, but not if only the start makes
         * them so */
        status = crank_eom_refuse_degenerate(eom, t0, x0, err);
    }
    CRANK_THEN(status, create_reduction(s, err));
    CRANK_THEN(status, crank_psf_turn_create(s, err));
    if (status != CRANK_OK) {
        goto failed;
    }
    if (s->base.noise != NULL) {
        crank_psf_update_noise(s, x0);
    }
    s->base.explicit_in_free =
        (form == CRANK_FORM_PLANE || crank_formulate_wants_sparse(&s->setup, err) > 0) &&
        (eom->mass_is_identity || crank_eom_mass_constant(eom));
    s->base.inexact = s->differences.colours > 0 ? "derivatives by differences" : eom->inexact;
    if (s->reduction->state.redundant) {
        const bool *fixed = s->reduction->state.fixed;
        s->base.held = fixed != NULL ? fixed : s->held;
    }
    /* what create needed does not count, except for what is kept: a constant mass matrix, and
     * the sparse realisation's selectors and analyses */
    s->statistics = (crank_statistics){
        .mass_evaluations = crank_eom_mass_constant(eom) || eom->mass_is_identity,
        .selector_updates = s->statistics.selector_updates,
        .analyses = s->statistics.analyses,
        .pivot_searches = s->statistics.pivot_searches,
    };
    *out = &s->base;
    return CRANK_OK;
failed:
    destroy(&s->base);
    return status;
}

crank_status crank_psf_create(const char *name, crank_eom *eom, const crank_options *options,
                              double t0, const double *x0, crank_log log, crank_problem **out,
                              crank_error *err)
{
    const crank_form form = strcmp(name, "peom1") == 0            ? CRANK_FORM_PEOM1
                            : strcmp(name, "overdetermined") == 0 ? CRANK_FORM_OVERDETERMINED
                            : strcmp(name, "partition") == 0 || strcmp(name, "descriptor") == 0
                                ? CRANK_FORM_PARTITIONED
                            : strcmp(name, "tangent-plane") == 0 ? CRANK_FORM_PLANE
                                                                 : CRANK_FORM_PSF;
    if (form != CRANK_FORM_PEOM1 && !eom->has_acceleration_level) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "%s needs the acceleration level gII, hI of the constraints; use peom1", name);
    }
    return create(form, eom, options, t0, x0, log, out, err);
}
