/* ode.c - the equations of motion as an ordinary differential equation for explicit
 * integrators.
 *
 *     y = (p, v, r):   y' = (Z v, M^-1 f, b)  with  w, lambda, mu, s  from  0 = d, gII, hI, c
 *                      theory (9.1)
 *
 * whose solutions stay on the constraints g, gI, h and the invariants e, n if they begin there;
 * discretised, they drift off, so that each accepted step ends with the projection of psf,
 * which also watches for singular positions and chooses independent rows where constraints are
 * redundant. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/ode.h"

#include "base/then.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A freedom that loses its inertia makes stable steps so short, where it is damped, that no
 * number of them leads there, theory 2.8: looked for ahead, beyond what the last of so many
 * have led over. */
enum { AHEAD_STEPS = 1000 };

/* Pivots serve corrections alone, whose errors they enlarge tenfold at most: they are kept as
 * LU with threshold pivoting keeps them [Dav06, 6.4]. Where constraints are redundant they also
 * say which rows accelerations come from (keep_redundant). */
static const double keep_pivot = 0.1;

/* ---- the mass matrix ---- */

crank_status crank_ode_update_mass(crank_ode *s, double t, const double *x, crank_error *err)
{
    crank_mass *mass = &s->psf->mass;
    const bool known = mass->known && crank_eom_mass_constant(s->eom);
    const crank_status status = crank_mass_update(mass, t, x, err);
    if (s->mass != NULL && status == CRANK_OK && !(known && s->mass_ready)) {
        s->mass_ready = crank_recorded_factor(s->mass, mass->values);
    }
    return status;
}

crank_status crank_ode_solve_mass(crank_ode *s, double *a, crank_error *err)
{
    if (s->mass == NULL || !s->mass_ready) {
        return crank_mass_solve(&s->psf->mass, a, err);
    }
    crank_recorded_solve(s->mass, a);
    return CRANK_OK;
}

/* ---- the problem ---- */

static crank_problem *inner(crank_problem *base)
{
    return &((crank_ode *)base)->psf->base;
}

static crank_status evaluate(crank_problem *base, int count, const double *t, const double *x,
                             double *k, crank_error *err)
{
    return inner(base)->evaluate(inner(base), count, t, x, k, err);
}

/* Stages ahead of the last look are watched; rows behind it are not, so that steps do not
 * depend on them. */
crank_status crank_ode_solve_stage(crank_ode *s, double t, double *x, crank_error *err)
{
    const crank_status status = crank_algebraic_solve(&s->algebraic, t, x, err);
    if (!(t <= s->quick.monitor.t)) {
        crank_ode_quick_see(s, t);
    }
    return status;
}

crank_status crank_ode_rates(crank_ode *s, double t, const double *x, double *xdot,
                             crank_error *err)
{
    const crank_eom *eom = s->eom;
    const int r = eom->column[CRANK_R], contact = eom->column[CRANK_S],
              p = eom->column[CRANK_P];
    const double *k = s->algebraic.k + eom->row[CRANK_ROW_B] - r; /* rows b, dyn, kin */
    memset(xdot, 0, (size_t)r * sizeof *xdot);
    if (contact == p) {
        memcpy(xdot + r, k + r, (size_t)(eom->n - r) * sizeof *xdot);
    } else {
        memcpy(xdot + r, k + r, (size_t)(contact - r) * sizeof *xdot);
        memset(xdot + contact, 0, (size_t)(p - contact) * sizeof *xdot);
        memcpy(xdot + p, k + contact, (size_t)(eom->n - p) * sizeof *xdot);
    }
    if (eom->mass_is_identity || eom->stage_accelerations) {
        return CRANK_OK;
    }
    const crank_status status = crank_ode_update_mass(s, t, x, err);
    return status == CRANK_OK ? crank_ode_solve_mass(s, xdot + eom->column[CRANK_V], err)
                              : status;
}

static crank_status derivative(crank_problem *base, double t, double *x, double *xdot,
                               crank_error *err)
{
    crank_ode *s = (crank_ode *)base;
    const bool known = s->quick.known && t == s->quick.known_t &&
                       memcmp(x, s->quick.known_x, (size_t)base->n * sizeof *x) == 0;
    const crank_status status = known ? CRANK_OK : crank_ode_solve_stage(s, t, x, err);
    s->quick.known = false;
    return status == CRANK_OK ? crank_ode_rates(s, t, x, xdot, err) : status;
}

/* the decomposition of psf, unless the factors of a stage do */
static crank_status prepare(crank_problem *base, double t, const double *x, const double *xdot,
                            crank_error *err)
{
    crank_ode *s = (crank_ode *)base;
    s->quick.known = false;
    if (s->quick.idle) { /* what has inertia may be lost all the same */
        s->quick.chosen = s->psf->turn.massless > 0 && xdot != NULL;
        return s->quick.chosen ? crank_psf_turn_glance(s->psf, t, x, err) : CRANK_OK;
    }
    s->quick.chosen = s->quick.possible && xdot != NULL && !crank_ode_quick_look(s, t);
    if (s->quick.chosen) {
        crank_psf_update_weights(s->psf, x, xdot);
        /* pivots of multipliers tell nothing of freedoms without mass */
        const bool glance = crank_rank_turn_may_loosen(&s->psf->turn, t, x) || s->quick.glance;
        const crank_status status =
            glance ? crank_psf_turn_glance(s->psf, t, x, err) : CRANK_OK;
        s->quick.look_due = status > CRANK_OK; /* on the shorter way psf's monitor sees more */
        return status;
    }
    const crank_status status = inner(base)->prepare(inner(base), t, x, xdot, err);
    return status == CRANK_OK && xdot != NULL ? crank_psf_turn_try(s->psf, t, x, err) : status;
}

static crank_status correct(crank_problem *base, double t, double *x, crank_error *err)
{
    crank_ode *s = (crank_ode *)base;
    if (s->quick.idle) {
        return CRANK_OK;
    }
    if (s->quick.chosen) {
        crank_status status = crank_ode_quick_correct(s, t, x, err);
        if (status <= CRANK_OK) {
            return status;
        }
        s->quick.chosen = false;
        status = inner(base)->prepare(inner(base), t, x, NULL, err);
        status = status == CRANK_OK ? crank_psf_turn_try(s->psf, t, x, err) : status;
        if (status != CRANK_OK) {
            return status;
        }
    }
    return crank_psf_correct(inner(base), t, x, err);
}

static crank_status look_ahead(crank_ode *s, double t, const double *x, crank_error *err)
{
    if (s->psf->turn.massless == 0) {
        return CRANK_OK;
    }
    if (isnan(s->looked)) {
        s->looked = t;
    } else if (++s->steps == AHEAD_STEPS) {
        const double way = t - s->looked;
        s->steps = 0;
        s->looked = t;
        return crank_psf_turn_ahead(s->psf, t, x, way, err);
    }
    return CRANK_OK;
}

static void restart(crank_problem *base)
{
    crank_ode *s = (crank_ode *)base;
    s->steps = 0;
    s->looked = (double)NAN;
    crank_ode_quick_restart(s);
    inner(base)->course->restart(inner(base));
}

static crank_status accepted(crank_problem *base, double t, const double *x, bool *changed,
                             crank_error *err)
{
    crank_ode *s = (crank_ode *)base;
    s->quick.known = s->quick.known && s->eom->supplier.accepted == NULL;
    crank_status status = inner(base)->course->accepted(inner(base), t, x, changed, err);
    CRANK_THEN(status,
               crank_psf_turn_go_on(s->psf, t, x, s->quick.chosen, changed == NULL, err));
    return status == CRANK_OK ? look_ahead(s, t, x, err) : status;
}

static crank_status step_limit(crank_problem *base, double t, double *h, crank_error *err)
{
    crank_ode *s = (crank_ode *)base;
    if (s->quick.idle) {
        return isnan(s->psf->passed_t) ? CRANK_OK : crank_psf_turn_fail(s->psf, err);
    }
    crank_ode_quick_limit(s, t, h);
    const crank_status status = crank_psf_step_limit(inner(base), t, h, err);
    s->quick.look_due = status > CRANK_OK;
    return status;
}

static const crank_problem_course course = {.restart = restart, .accepted = accepted};
static const crank_problem_constraints constraints = {.correct = correct,
                                                      .step_limit = step_limit};

static void archive(crank_problem *base, crank_archive *a)
{
    crank_ode *s = (crank_ode *)base;
    crank_ode_quick *quick = &s->quick;
    crank_psf_archive(inner(base), a);
    crank_archive_int(a, &s->steps, 0, AHEAD_STEPS);
    crank_archive_double(a, &s->looked);
    crank_archive_flag(a, &quick->chosen);
    crank_archive_flag(a, &quick->look_due);
    crank_archive_int(a, &quick->looks, 0, INT_MAX);
    crank_archive_int(a, &quick->blind, 0, INT_MAX);
    crank_archive_int(a, &quick->stages, 0, CRANK_ODE_STAGES);
    crank_archive_doubles(a, quick->stage, CRANK_ODE_STAGES);
    crank_archive_doubles(a, quick->least, CRANK_ODE_STAGES);
    crank_archive_int(a, &quick->dropped, 0, INT_MAX);
    crank_archive_double(a, &quick->lowest);
    crank_archive_doubles(a, quick->most, crank_ode_multipliers(s->eom));
    crank_archive_doubles(a, quick->most_at_look, crank_ode_multipliers(s->eom));
    crank_singular_archive(&quick->monitor, a);
    crank_singular_archive(&quick->before, a);
    quick->known = false;
    if (a->loading) {
        s->mass_ready = false;
    }
    crank_algebraic_archive(&s->algebraic, a);
}

static void destroy(crank_problem *base)
{
    crank_ode *s = (crank_ode *)base;
    if (s == NULL) {
        return;
    }
    if (s->psf != NULL) {
        s->psf->base.destroy(&s->psf->base);
    }
    crank_ode_reach_destroy(s);
    crank_algebraic_destroy(&s->algebraic);
    crank_recorded_destroy(s->mass);
    crank_arena_free(&s->arena);
    free(s);
}

/* ---- create ---- */

/* entries of the Jacobian in columns v and rows kin */
static int kinematic_entries(const crank_eom *eom)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    int count = 0;
    for (int e = J->start[eom->column[CRANK_V]]; e < J->start[eom->column[CRANK_V + 1]]; e++) {
        count += J->row[e] >= eom->row[CRANK_ROW_KIN];
    }
    return count;
}

static void layout(crank_ode *s, crank_arena *arena)
{
    const crank_eom *eom = s->eom;
    const size_t n = (size_t)eom->n;
    crank_ode_quick *quick = &s->quick;
    s->tested = crank_arena_take(arena, n, sizeof(bool));
    quick->term = crank_arena_take(arena, (size_t)kinematic_entries(eom), sizeof *quick->term);
    quick->most = crank_arena_take(arena, crank_ode_multipliers(eom), sizeof(double));
    quick->most_at_look = crank_arena_take(arena, crank_ode_multipliers(eom), sizeof(double));
    quick->point = crank_arena_take(arena, n, sizeof(double));
    quick->known_x = crank_arena_take(arena, n, sizeof(double));
    quick->step = crank_arena_take(arena, (size_t)eom->sizes.v, sizeof(double));
    quick->force = crank_arena_take(arena, (size_t)eom->sizes.p, sizeof(double));
    quick->jacobian =
        crank_arena_take(arena, (size_t)eom->jacobian_pattern.start[eom->n], sizeof(double));
}

/* pivots of a full mass matrix chosen once, where that is possible */
static crank_status create_mass(crank_ode *s, crank_error *err)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *M = &eom->mass_pattern;
    if (eom->mass_is_identity || eom->stage_accelerations || crank_eom_mass_diagonal(eom)) {
        return CRANK_OK;
    }
    int *column = calloc((size_t)M->start[eom->sizes.v] + 1, sizeof *column);
    if (column == NULL) {
        return crank_fail(err, CRANK_EMEM, "mass matrix of %d velocities", eom->sizes.v);
    }
    for (int j = 0; j < eom->sizes.v; j++) {
        for (int e = M->start[j]; e < M->start[j + 1]; e++) {
            column[e] = j;
        }
    }
    const crank_status status =
        crank_recorded_create(eom->sizes.v, M->start[eom->sizes.v], M->row, column,
                              s->psf->mass.values, NULL, CRANK_RECORDED_ANY, &s->mass, err);
    free(column);
    return status < CRANK_OK ? status : CRANK_OK;
}

static crank_status create_systems(crank_ode *s, const crank_options *options, double t0,
                                   const double *x0, crank_error *err)
{
    crank_psf *psf = s->psf;
    s->algebraic = (crank_algebraic){.eom = s->eom,
                                     .scale = &psf->scale,
                                     .statistics = &psf->statistics,
                                     .rtol = options->rtol,
                                     .left_out = &psf->reduction->state,
                                     .first_multiplier = psf->first_multiplier};
    crank_status status =
        crank_algebraic_create(&s->algebraic, options->linear_algebra, t0, x0, err);
    if (status == CRANK_OK && crank_algebraic_once(options->linear_algebra)) {
        status = create_mass(s, err);
    }
    CRANK_THEN(status, crank_ode_reach_create(s, err));
    crank_ode_quick_create(s);
    return status;
}

/* psf on the same eom. Redundant rows are left out one by one, which its sparse realisation
 * does; then it is made anew, and only that is reported. */
static crank_status create_psf(crank_ode *s, const crank_options *options, double t0,
                               const double *x0, crank_log log, crank_error *err)
{
    crank_problem *made = NULL;
    crank_error reason = {0};
    crank_status status =
        crank_psf_create("psf", s->eom, options, t0, x0, (crank_log){0}, &made, err);
    s->psf = (crank_psf *)made;
    if (status != CRANK_OK || !s->psf->reduction->state.redundant) {
        return status;
    }
    crank_options sparse = *options;
    sparse.linear_algebra = crank_solver_is_sparse(options->linear_algebra, 0)
                                ? options->linear_algebra
                                : CRANK_LINALG_SPARSE;
    made->destroy(made);
    status = options->linear_algebra == CRANK_LINALG_DENSE
                 ? CRANK_EREFUSED
                 : crank_psf_create("psf", s->eom, &sparse, t0, x0, log, &made, &reason);
    s->psf = status == CRANK_OK ? (crank_psf *)made : NULL;
    if (status == CRANK_EMEM) {
        return crank_fail(err, CRANK_EMEM, "%s", reason.text);
    }
    return status == CRANK_OK
               ? CRANK_OK
               : crank_fail(err, CRANK_EREFUSED,
                            "constraints are redundant, which ode can do with sparse linear "
                            "algebra only%s%s; or use psf-radau",
                            reason.text[0] != '\0' ? ": " : "", reason.text);
}

static void describe(crank_ode *s)
{
    const crank_eom *eom = s->eom;
    const crank_problem *psf = &s->psf->base;
    const bool reaches = eom->sizes.s == 0 && eom->dae == NULL;
    for (int j = 0; j < eom->n; j++) {
        s->tested[j] = j >= eom->column[CRANK_R] && crank_stage_unknown(eom, j) < 0;
    }
    s->base = (crank_problem){.name = "ode",
                              .eom = s->eom,
                              .n = psf->n,
                              .m = psf->m,
                              .differential = psf->differential,
                              .tested = s->tested,
                              .group = psf->group,
                              .scaling = psf->scaling,
                              .noise = psf->noise,
                              .path_column = psf->path_column,
                              .path_row = psf->path_row,
                              .path_count = psf->path_count,
                              .statistics = &s->psf->statistics,
                              .log = &s->psf->setup.log,
                              .evaluate = evaluate,
                              .prepare = prepare,
                              .destroy = destroy,
                              .course = &course,
                              .constraints = &constraints,
                              .report = &crank_formulate_report,
                              .derivative = derivative,
                              .reach = reaches ? crank_ode_reach_stage : NULL,
                              .archive = archive};
}

crank_status crank_ode_create(const char *name, crank_eom *eom, const crank_options *options,
                              double t0, const double *x0, crank_log log, crank_problem **out,
                              crank_error *err)
{
    (void)name;
    *out = NULL;
    if (!eom->has_acceleration_level) {
        return crank_fail(err, CRANK_EREFUSED,
                          "ode needs the acceleration level gII, hI of the constraints");
    }
    crank_ode *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
    }
    s->eom = eom;
    s->looked = (double)NAN;
    crank_status status = create_psf(s, options, t0, x0, log, err);
    layout(s, &s->arena);
    if (status == CRANK_OK && !crank_arena_allocate(&s->arena)) {
        status = crank_fail(err, CRANK_EMEM, "formulation of %d unknowns", eom->n);
    }
    if (status == CRANK_OK) {
        layout(s, &s->arena);
        status = create_systems(s, options, t0, x0, err);
    }
    if (status != CRANK_OK) {
        destroy(&s->base);
        return status > CRANK_OK ? crank_fail(err, CRANK_ERANK_MISMATCH,
                                              "the acceleration level does not determine w, "
                                              "lambda and mu (mass matrix or d_w singular?)")
                                 : status;
    }
    s->psf->reduction->setup.keep_pivot = keep_pivot;
    s->psf->setup.log = s->psf->reduction->setup.log = log;
    s->psf->tries = true;
    s->psf->glance = s->quick.jacobian;
    describe(s);
    *out = &s->base;
    return CRANK_OK;
}
