/* rosenbrock.c - linearly implicit method of order 4 with four stages and three evaluations
 * [Neg98, 4.4], for E x' = k(x,t) with constant E, theory 4.14: no iteration, four solutions
 * with one real matrix.
 *
 *     (E/(gamma h) - J) U_i = k(X_i, t + a_i h) + E sum_{j<i} (c_ij/h) U_j + gamma_i h k_t
 *     X_i = x + sum_{j<i} w_ij U_j,    x_new = x + sum_i s_i U_i              theory (4.47)
 *
 * All points X_i, and x_new, are put on the constraints with the unknowns that these leave free
 * as they are, and algebraic rows have nothing but gamma_i h k_t on the right-hand side: what
 * is integrated is the ordinary differential equation of the free unknowns, for which the
 * coefficients have order 4. J is exact, made anew in every step. The error is that of an
 * embedded formula of order 3, theory (4.48). Rows: one_step.c. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/one_step.h"

#include "base/then.h"

#include <math.h>
#include <string.h>

enum { STAGES = 4 };

static const double inverse = 1.0 / 0.57281606; /* 1/gamma */
/* where stages are, and how much of k_t they have */
static const double at[STAGES] = {0.0, 1.14563212, 0.655214975973133829477748,
                                  0.655214975973133829477748};
static const double of_time[STAGES] = {0.57281606, -1.76917706711201394917052,
                                       0.759293964293209853670967, -0.104894621490955803206743};
/* the last stage is evaluated where the third is */
static const double w[STAGES][STAGES - 1] = {
    {0.0}, {2.0}, {1.86794814949823713234476, 0.234445568517238850023220}, {0.0}};
static const double c[STAGES][STAGES - 1] = {
    {0.0},
    {-7.13764994334997983036926},
    {2.58092366650965771448805, 0.651629887302032023387417},
    {-2.13711526650661911680637, -0.321469531339951070769241, -0.694966049282445225157329}};
static const double s_[STAGES] = {2.25556622860456524372884, 0.287055063194157607662630,
                                  0.435311963379983213402707, 1.09350765640324780321482};
static const double error_[STAGES] = {0.187167068076981509470170, 0.048373711126624809706137,
                                      0.071938617944591505140960, 0.726950528467092658905657};
/* the next attempt where a point is not found on the constraints */
static const double halved = 0.5;

typedef struct rosenbrock {
    crank_one_step base;
    double *U[STAGES]; /* n */
    double *X, *mixed; /* n: a stage, or the end; sums of U */
    double *k, *kt;    /* m: of the stage; dk/dt at the beginning */
    double *lead;      /* m: E times a vector, right-hand side */
} rosenbrock;

/* ---- stages ---- */

static crank_status factor(crank_integrator *it, crank_error *err)
{
    const double shift = inverse / it->h, none = 0.0;
    return it->problem->factor(it->problem, 1, &shift, &none, err);
}

/* X on the constraints at t */
static crank_status recover(crank_integrator *it, double t, double *X, crank_error *err)
{
    const crank_problem_constraints *of = it->problem->constraints;
    return of != NULL ? of->correct(it->problem, t, X, err) : CRANK_OK;
}

/* X_i and k there; the first is where the step begins */
static crank_status evaluate(crank_integrator *it, rosenbrock *r, int i, const double *k0,
                             crank_error *err)
{
    crank_problem *p = it->problem;
    const double t = it->t + at[i] * it->h;
    if (i == 0) {
        memcpy(r->k, k0, (size_t)it->m * sizeof *k0);
        return CRANK_OK;
    }
    if (i == STAGES - 1) {
        return CRANK_OK;
    }
    for (int j = 0; j < it->n; j++) {
        r->X[j] = it->x[j] + w[i][0] * r->U[0][j] + (i > 1 ? w[i][1] * r->U[1][j] : 0.0);
    }
    crank_status status = recover(it, t, r->X, err);
    CRANK_THEN(status, p->evaluate(p, 1, &t, r->X, r->k, err));
    return status;
}

static crank_status solve_stage(crank_integrator *it, rosenbrock *r, int i, crank_error *err)
{
    crank_problem *p = it->problem;
    memset(r->mixed, 0, (size_t)it->n * sizeof *r->mixed);
    for (int before = 0; before < i; before++) {
        const double part = c[i][before] / it->h;
        for (int j = 0; j < it->n; j++) {
            r->mixed[j] += part * r->U[before][j];
        }
    }
    crank_status status = p->lead(p, it->t, it->x, r->mixed, r->lead, err);
    for (int row = 0; row < it->m; row++) {
        r->lead[row] = (p->differential[row] ? r->k[row] + r->lead[row] : 0.0) +
                       of_time[i] * it->h * r->kt[row];
    }
    CRANK_THEN(status, p->solve(p, 0, r->lead, NULL, r->U[i], NULL, err));
    it->statistics.solves++;
    return status;
}

/* step = the whole step from it->x, whose end is on the constraints */
static crank_status make_step(crank_integrator *it, rosenbrock *r, const double *k0,
                              crank_error *err)
{
    crank_problem *p = it->problem;
    const double end = crank_integrator_step_end(it);
    crank_status status = p->time_derivative(p, it->t, it->x, r->kt, err);
    for (int i = 0; i < STAGES && status == CRANK_OK; i++) {
        status = evaluate(it, r, i, k0, err);
        CRANK_THEN(status, solve_stage(it, r, i, err));
    }
    for (int j = 0; j < it->n && status == CRANK_OK; j++) {
        r->X[j] = it->x[j];
        for (int i = 0; i < STAGES; i++) {
            r->X[j] += s_[i] * r->U[i][j];
        }
        status = isfinite(r->X[j]) ? CRANK_OK : CRANK_RETRY;
    }
    CRANK_THEN(status, recover(it, end, r->X, err));
    for (int j = 0; j < it->n; j++) {
        r->base.common.step[j] = r->X[j] - it->x[j];
    }
    return status;
}

/* base.work := S base.work, theory (4.39) */
static crank_status filter(crank_integrator *it, rosenbrock *r, crank_error *err)
{
    crank_problem *p = it->problem;
    const double shift = inverse / it->h;
    for (int j = 0; j < it->n; j++) {
        r->mixed[j] = shift * r->base.work[j];
    }
    crank_status status = p->lead(p, it->t, it->x, r->mixed, r->lead, err);
    CRANK_THEN(status,
               crank_implicit_filter(it, &r->base.common, r->lead, NULL, r->base.work, err));
    return status;
}

/* theory (4.48) */
static crank_status estimate(crank_integrator *it, rosenbrock *r, crank_attempt *a,
                             crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int j = 0; j < it->n; j++) {
        double sum = 0.0;
        for (int i = 0; i < STAGES; i++) {
            sum += error_[i] * r->U[i][j];
        }
        r->base.work[j] = sum;
    }
    if (it->options.error_filter) {
        status = filter(it, r, err);
    }
    for (int j = 0; j < it->n; j++) {
        r->base.work[j] = crank_integrator_is_differential(it, j) ? r->base.work[j] : 0.0;
    }
    a->size = status == CRANK_OK ? crank_integrator_norm(it, 1, r->base.work, it->h) : 0.0;
    a->size = isfinite(a->size) ? fmax(a->size, 1e-10) : (double)INFINITY;
    return status;
}

static crank_status attempt(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    rosenbrock *r = it->state;
    crank_implicit *common = &r->base.common;
    common->theta = 1.0; /* the matrix is of its own step alone */
    common->iterations = 1;
    common->reach = (double)INFINITY;
    common->h_tried = it->h;
    a->shorter = halved;
    a->jumping = -1;
    const crank_status status = make_step(it, r, common->k0, err);
    return status == CRANK_OK ? estimate(it, r, a, err) : status;
}

static const crank_implicit_kind kind = {
    .power = 4, .factor = factor, .slope = crank_one_step_slope};

static void layout(void *state, crank_arena *arena, const crank_integrator *it)
{
    rosenbrock *r = state;
    const size_t n = (size_t)it->n, m = (size_t)it->m;
    crank_one_step_layout(&r->base, &kind, arena, it);
    for (int i = 0; i < STAGES; i++) {
        r->U[i] = crank_arena_take(arena, n, sizeof(double));
    }
    r->X = crank_arena_take(arena, n, sizeof(double));
    r->mixed = crank_arena_take(arena, n, sizeof(double));
    r->k = crank_arena_take(arena, m, sizeof(double));
    r->kt = crank_arena_take(arena, m, sizeof(double));
    r->lead = crank_arena_take(arena, m, sizeof(double));
}

static void find_end(const crank_integrator *it, double *x)
{
    const rosenbrock *r = it->state;
    for (int j = 0; j < it->n; j++) {
        x[j] = it->x[j] + r->base.common.step[j];
    }
}

/* For a first step h^2 x''/2 from h x' at its beginning, up to h^3: theory (4.49)
 *     U_1 = gamma h x' + gamma^2 h^2 x'' + ...
 *     U_2 = gamma (1 + e) h x' + gamma^2 (1 + w_21 + 2 e) h^2 x'' + ...,    e = gamma c_21 */
static void accept(crank_integrator *it, const crank_attempt *a)
{
    rosenbrock *r = it->state;
    const double *step = r->base.common.step;
    const double e = c[1][0] / inverse, second = -inverse / (w[1][0] + e),
                 first = -second * (1.0 + w[1][0] + 2.0 * e);
    for (int j = 0; j < it->n; j++) {
        r->mixed[j] = step[j] - first * r->U[0][j] - second * r->U[1][j];
    }
    crank_one_step_accept(it, &r->base, a->size, r->mixed);
}

/* ---- rows ---- */

/* The end of a shorter step, with the matrix of where the last one began. */
static crank_status refine_row(crank_integrator *it, double t, double *x, crank_error *err)
{
    rosenbrock *r = it->state;
    crank_problem *p = it->problem;
    crank_integrator again = *it;
    again.x = r->base.ends.begin;
    again.t = it->t_old;
    again.h = t - it->t_old;
    if (!(again.h > 0.0)) {
        return CRANK_RETRY;
    }
    again.t_stop = t;
    crank_status status = p->prepare(p, again.t, again.x, NULL, err);
    crank_implicit_invalidate(it);
    CRANK_THEN(status, factor(&again, err));
    CRANK_THEN(status, p->evaluate(p, 1, &again.t, again.x, r->base.residual, err));
    CRANK_THEN(status, make_step(&again, r, r->base.residual, err));
    it->statistics = again.statistics;
    CRANK_THEN(status, crank_integrator_finish_row(it, t, r->X, err));
    if (status == CRANK_OK) {
        memcpy(x, r->X, (size_t)it->n * sizeof *x);
    }
    return status;
}

static const double nodes[2] = {0.655214975973133829477748, 0.655214975973133829477748};

const crank_method crank_method_rosenbrock = {
    .name = "rosenbrock",
    .one_step = true,
    .linearly_implicit = true,
    .nodes = nodes,
    .blind_end = true,
    .state_size = sizeof(rosenbrock),
    .layout = layout,
    .reset = crank_one_step_reset,
    .start = crank_one_step_start,
    .begin = crank_implicit_begin,
    .look = crank_implicit_look,
    .ready = crank_implicit_ready,
    .attempt = attempt,
    .undo = crank_implicit_undo,
    .shorter = crank_implicit_shorter,
    .end = find_end,
    .accept = accept,
    .settle = crank_one_step_settle,
    .interpolate = crank_one_step_interpolate,
    .row_error = crank_one_step_row_error,
    .refine_row = refine_row,
    .invalidate = crank_implicit_invalidate,
    .archive = crank_one_step_archive,
};
