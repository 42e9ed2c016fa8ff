/* gmkssol.c - regularise first, then discretise: the equations of motion with selectors from a
 * singular value decomposition of G = dg/dp, frozen over one or more steps [Ste06, 5.2].
 *
 *     S_p p' = S_p v,  S_p v' = S_p a,  r' = b,  0 = S_l g, S_l gI, S_l gII      theory (2.6)
 *     a = M^-1 (f - G^T lambda),   S_p = V2^T,   S_l = U1^T D^-1,   D^-1 G = U Sigma V^T
 *
 * D holds the sizes of the rows of G. With redundant constraints (rank r < number of rows)
 * there are fewer equations than multipliers; U2^T D^-1 (lambda - lambda_n) = 0 makes the
 * system square: the part of lambda on which the motion does not depend is kept from the last
 * accepted point. The matrix sigma E - J is square and factored as a whole by LU.
 *
 * When the selectors change, the unknowns stay x and only the equations are combined anew, so
 * the singular vectors need not be continuous in time. Selectors change in accepted() alone:
 * within a step, and for all that an integrator remembers of it, the rows are the same.
 *
 * The manual's branches need no code of their own here: without constraints S_p = I and this is
 * an ODE; without degrees of freedom (forced systems) every row but those of r is algebraic,
 * Radau's stages are solutions of the constraints, and final_correction brings each row to
 * round-off. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/gmkssol.h"
#include "base/then.h"

#include "linalg/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double initial_tolerance = 1e-8;  /* of p, v, lambda at the start [INIPREC] */
static const double identity_tolerance = 1e-6; /* of Z, which may come from differences */
static const double disturbance = 1e-3;        /* of positions, against a singular start */

/* ---- between steps ---- */

static void newton_failed(crank_problem *base)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    s->selectors_due = s->options.selector_period >= 0; /* at the next accepted point */
}

static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    const int period = s->options.selector_period;
    crank_status status = crank_eom_accepted(s->eom, t, x, err);
    if (changed == NULL) {
        return status;
    }
    *changed = false;
    s->accepted_t = t;
    memcpy(s->accepted_x, x, (size_t)base->n * sizeof *x);
    s->steps_since++;
    const bool constant = period < 0 || s->nl == 0;
    if (status != CRANK_OK || constant || !(s->selectors_due || s->steps_since >= period)) {
        return status;
    }
    status = crank_gmkssol_decompose(s, t, x, crank_gmkssol_slack, err);
    CRANK_THEN(status, crank_gmkssol_check_rank(s, err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_gmkssol_select(s);
    *changed = true;
    return CRANK_OK;
}

static void restart(crank_problem *base)
{
    crank_singular_reset(&((crank_gmkssol *)base)->singular);
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_constraints constraints = {.correct = crank_gmkssol_correct,
                                                      .step_limit = crank_gmkssol_step_limit};
static const crank_problem_passage passage = {.ahead = crank_gmkssol_singular_ahead,
                                              .land = crank_gmkssol_land,
                                              .landed = crank_gmkssol_landed,
                                              .regularity = crank_gmkssol_regularity};

/* ---- create ---- */

static void destroy(crank_problem *base)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    if (s != NULL) {
        crank_arena_free(&s->arena);
        crank_solver_destroy(s->solver);
        free(s);
    }
}

static void layout(crank_gmkssol *s, crank_arena *arena)
{
    const crank_eom *eom = s->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m, nl = (size_t)s->nl, np = (size_t)s->np;
    const size_t real = sizeof(double);
    const int larger = s->nl > s->np ? s->nl : s->np;
    s->work_size = crank_svd_work_size(larger, larger);
    s->differential = crank_arena_take(arena, n, sizeof(bool));
    s->tested = crank_arena_take(arena, n, sizeof(bool));
    s->group = crank_arena_take(arena, n, 1);
    s->scaling = crank_arena_take(arena, n, 1);
    s->mass = crank_arena_take(arena, (size_t)eom->mass_pattern.start[np], real);
    s->mass_lu = crank_arena_take(arena, np * (crank_eom_mass_diagonal(eom) ? 1 : np), real);
    s->mass_pivot = crank_arena_take(arena, np, sizeof(int));
    s->rows = crank_arena_take(arena, CRANK_GMKSSOL_BATCH * m, real);
    s->acceleration = crank_arena_take(arena, np, real);
    s->jacobian = crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[n], real);
    s->J = crank_arena_take(arena, n * n, real);
    s->decomposed_x = crank_arena_take(arena, n, real);
    s->row_scale = crank_arena_take(arena, nl, real);
    s->block = crank_arena_take(arena, (size_t)larger * (size_t)larger, real);
    s->sigma = crank_arena_take(arena, (size_t)larger, real);
    s->U = crank_arena_take(arena, nl * nl, real);
    s->VT = crank_arena_take(arena, np * np, real);
    s->K = crank_arena_take(arena, nl * nl, real);
    s->K_pivot = crank_arena_take(arena, nl, sizeof(int));
    s->algebraic_scale = crank_arena_take(arena, m, real);
    s->work = crank_arena_take(arena, (size_t)s->work_size, real);
    s->S_l = crank_arena_take(arena, nl * nl, real);
    s->S_fix = crank_arena_take(arena, nl * nl, real);
    s->S_p = crank_arena_take(arena, np * np, real);
    s->accepted_x = crank_arena_take(arena, n, real);
    s->k = crank_arena_take(arena, m, real);
    s->point = crank_arena_take(arena, n, real);
    s->delta = crank_arena_take(arena, n, real);
    s->reduced = crank_arena_take(arena, n, real);
    s->nearby = crank_arena_take(arena, n, real);
    s->noise = crank_arena_take(arena, n, real);
}

/* once the rank is known */
static void describe_rows_and_columns(crank_gmkssol *s)
{
    const crank_eom *eom = s->eom;
    s->row_fix = s->rank;
    s->row_gI = s->nl;
    s->row_g = s->row_gI + s->rank;
    s->row_b = s->row_g + s->rank;
    s->row_a = s->row_b + s->nr;
    s->row_v = s->row_a + s->freedom;
    for (int i = 0; i < eom->n; i++) {
        s->differential[i] = i >= s->row_b;
        s->tested[i] = true;
        s->scaling[i] = 0;
    }
    for (int g = 0; g < CRANK_GROUPS; g++) {
        for (int j = eom->column[g]; j < eom->column[g + 1]; j++) {
            s->group[j] = (unsigned char)g;
        }
    }
    s->base = (crank_problem){.name = "gmkssol",
                              .eom = s->eom,
                              .n = eom->n,
                              .m = eom->n,
                              .differential = s->differential,
                              .tested = s->tested,
                              .group = s->group,
                              .scaling = s->scaling,
                              .noise = s->nl > 0 ? s->noise : NULL,
                              .statistics = &s->statistics,
                              .evaluate = crank_gmkssol_evaluate,
                              .lead = crank_gmkssol_lead,
                              .prepare = crank_gmkssol_prepare,
                              .factor = crank_gmkssol_factor,
                              .solve = crank_gmkssol_solve,
                              .destroy = destroy,
                              .course = &course,
                              .constraints = s->nl > 0 ? &constraints : NULL,
                              .passage = &passage,
                              .report = &crank_formulate_report,
                              .rates = crank_gmkssol_rates,
                              .complete = crank_gmkssol_complete,
                              .newton_failed = newton_failed,
                              .archive = crank_gmkssol_archive};
}

static bool carries_accelerations(const crank_eom *eom)
{
    bool carried = false;
    for (int j = 0; j < eom->n && eom->carried != NULL; j++) {
        carried = carried || eom->carried[j];
    }
    return carried;
}

/* what gmkssol was not made for */
static crank_status refuse(const crank_eom *eom, const crank_options *options, crank_error *err)
{
    const crank_eom_sizes *n = &eom->sizes;
    if (n->w > 0 && carries_accelerations(eom)) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "gmkssol has no auxiliary unknowns w, and the accelerations are carried as "
            "such; use accelerations=eliminate, or psf");
    }
    if (n->w > 0 || n->s > 0) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "gmkssol knows positions, velocities, r and lambda only, and this model has "
            "%d auxiliary and %d contact unknowns; use psf-radau",
            n->w, n->s);
    }
    if (n->mu > 0) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "gmkssol does not treat nonholonomic constraints, and this model has %d; "
            "use psf-radau",
            n->mu);
    }
    if (n->v != n->p) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "gmkssol needs p' = v, and this model has %d positions and %d velocities; "
            "use psf-radau",
            n->p, n->v);
    }
    if (n->n > 0 || (n->e > 0 && options->invariants)) {
        return crank_fail(err, CRANK_EREFUSED,
                          "gmkssol does not enforce invariants; use psf-radau%s",
                          n->n > 0 ? "" : ", or invariants=off");
    }
    if (n->lambda > 0 && !eom->has_acceleration_level) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "gmkssol needs the acceleration level gII of the constraints; use peom1");
    }
    return CRANK_OK;
}

/* p' = v: the kinematic rows have a one in their velocity's column and nothing else */
static crank_status check_kinematics(const crank_gmkssol *s, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const int kinematic = eom->row[CRANK_ROW_KIN], v = eom->column[CRANK_V];
    double *ones = s->delta; /* per kinematic row: its entry in its velocity's column */
    memset(ones, 0, (size_t)eom->n * sizeof *ones);
    for (int j = 0; j < eom->n; j++) {
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            const int i = pattern->row[k] - kinematic;
            if (i >= 0 && j == v + i) {
                ones[i] = s->jacobian[k];
            } else if (i >= 0 && !(fabs(s->jacobian[k]) <= identity_tolerance)) {
                return crank_fail(err, CRANK_EREFUSED,
                                  "gmkssol needs p' = v, and the derivative of %s depends on "
                                  "%s; use psf-radau",
                                  crank_eom_column_name(eom, eom->column[CRANK_P] + i),
                                  crank_eom_column_name(eom, j));
            }
        }
    }
    for (int i = 0; i < s->np; i++) {
        if (!(fabs(ones[i] - 1.0) <= identity_tolerance)) {
            return crank_fail(
                err, CRANK_EREFUSED,
                "gmkssol needs p' = v, and the derivative of %s is %g times %s; use psf-radau",
                crank_eom_column_name(eom, eom->column[CRANK_P] + i), ones[i],
                crank_eom_column_name(eom, v + i));
        }
    }
    return CRANK_OK;
}

static crank_status check_consistent(crank_gmkssol *s, double t, const double *x,
                                     crank_error *err)
{
    const crank_eom *eom = s->eom;
    const crank_status status =
        crank_eom_evaluate_rows(s->eom, 1, &t, x, CRANK_ALGEBRAIC, s->rows, err);
    if (status != CRANK_OK || !s->options.check_initial) {
        return status;
    }
    double worst = 0.0;
    int row = -1;
    for (int i = 0; i < eom->row[CRANK_ROW_B]; i++) {
        const double size = fabs(s->rows[i]) / s->algebraic_scale[i];
        const bool invariant = i >= eom->row[CRANK_ROW_E] && i < eom->row[CRANK_ROW_C];
        if (!invariant && !(size <= worst)) {
            worst = size;
            row = i;
        }
    }
    const double tolerance = fmax(initial_tolerance, 10.0 * eom->noise);
    if (row >= 0 && !(worst <= tolerance)) {
        char name[160];
        return crank_fail(err, CRANK_EINCONSISTENT,
                          "%s does not hold at the start: residual %.1e, %.0e is allowed; "
                          "crank_eom_initialize finds consistent values",
                          crank_eom_row_name(eom, row, name, sizeof name), worst, tolerance);
    }
    return CRANK_OK;
}

/* positions near those of x0, the same in every run */
static void disturb(const crank_eom *eom, const double *x0, double *x)
{
    const int p = eom->column[CRANK_P];
    double size = 1e-3;
    memcpy(x, x0, (size_t)eom->n * sizeof *x);
    for (int j = p; j < eom->n; j++) {
        size = fmax(size, fabs(x0[j]));
    }
    for (int j = p; j < eom->n; j++) {
        const double golden = (j + 1) * 0.6180339887498949; /* its fractions look random */
        x[j] += disturbance * size * (golden - floor(golden) - 0.5);
    }
}

/* Dependent rows are redundant if their rank is the same at all consistent points nearby;
 * otherwise the start is a singular position. So the positions are disturbed, corrected with
 * the rank found, and the rank there is compared. */
static crank_status check_uniform_rank(crank_gmkssol *s, double t0, const double *x0,
                                       crank_error *err)
{
    double *x = s->nearby;
    char rows[240];
    crank_gmkssol_explain(s, s->rank, rows, sizeof rows);
    disturb(s->eom, x0, x);
    crank_status status = crank_gmkssol_correct(&s->base, t0, x, err);
    CRANK_THEN(status, crank_gmkssol_decompose(s, t0, x, 0.0, err));
    CRANK_THEN(status, crank_gmkssol_check_rank(s, err));
    if (status == CRANK_RETRY || status == CRANK_ERANK_CHANGED) {
        return crank_fail(
            err, CRANK_ESINGULAR,
            "the start is a singular position: the constraints are dependent there but "
            "not nearby (%s); start elsewhere, or, if it is to stand there, leave that one out "
            "or let it yield (a spring)",
            rows);
    }
    if (status == CRANK_OK) {
        crank_log_write(
            &s->log, CRANK_INFO,
            "%d of %d constraints are redundant (%s): their multipliers are not unique, the "
            "motion is",
            s->nl - s->rank, s->nl, rows);
        status = crank_gmkssol_decompose(s, t0, x0, 0.0, err);
    }
    return status;
}

static crank_status begin(crank_gmkssol *s, double t0, const double *x0, crank_error *err)
{
    crank_status status = crank_gmkssol_mass(s, t0, x0, err);
    if (s->mass_singular) {
        return crank_fail(err, CRANK_EREFUSED,
                          "gmkssol needs a regular mass matrix, and it is singular at the "
                          "start; use psf-radau");
    }
    if (status == CRANK_OK) {
        /* the sizes of the rows of G nearby: at a singular start they may all be round-off */
        disturb(s->eom, x0, s->nearby);
        status = crank_gmkssol_decompose(s, t0, s->nearby, 0.0, err);
        status = status > 0 ? CRANK_OK : status;
    }
    CRANK_THEN(status, crank_gmkssol_decompose(s, t0, x0, 0.0, err));
    CRANK_THEN(status, check_kinematics(s, err));
    CRANK_THEN(status, check_consistent(s, t0, x0, err));
    if (status == CRANK_OK) {
        crank_gmkssol_find_rank(s);
        status = crank_gmkssol_multiplier_matrix(s, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    if (s->freedom == 0 && !s->options.final_correction) {
        return crank_fail(
            err, CRANK_EREFUSED,
            "no degree of freedom is left: gmkssol then solves the constraints at every "
            "output and integrates nothing, which is final_correction; leave it on");
    }
    describe_rows_and_columns(s);
    if (s->rank < s->nl) {
        status = check_uniform_rank(s, t0, x0, err);
    }
    crank_gmkssol_select(s);
    s->accepted_t = t0;
    memcpy(s->accepted_x, x0, (size_t)s->eom->n * sizeof *x0);
    return status;
}

crank_status crank_gmkssol_create(const char *name, crank_eom *eom,
                                  const crank_options *options, double t0, const double *x0,
                                  crank_log log, crank_problem **out, crank_error *err)
{
    (void)name;
    *out = NULL;
    crank_status status = refuse(eom, options, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_gmkssol *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
    }
    s->eom = eom;
    s->options = *options;
    s->log = log;
    s->nl = eom->sizes.lambda;
    s->nr = eom->sizes.r;
    s->np = eom->sizes.p;
    crank_singular_reset(&s->singular);
    s->alignment = 1.0;
    s->rank = -1;
    layout(s, &s->arena);
    if (!crank_arena_allocate(&s->arena)) {
        status = crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
        goto failed;
    }
    layout(s, &s->arena);
    status = crank_solver_create(&(crank_solver_setup){.wish = CRANK_LINALG_DENSE,
                                                       .n = eom->n,
                                                       .shifts = CRANK_MAX_SHIFTS},
                                 &s->solver, err);
    CRANK_THEN(status, begin(s, t0, x0, err));
    if (status != CRANK_OK) {
        goto failed;
    }
    s->statistics =
        (crank_statistics){.mass_evaluations = s->mass_known && crank_eom_mass_constant(eom),
                           .selector_updates = 1};
    *out = &s->base;
    return CRANK_OK;
failed:
    destroy(&s->base);
    return status;
}
