/* one_step.c - implicit one-step methods: the cubic through the last four step ends, theory
 * (4.37).
 *
 * With theta = 0 where the last step of length h began, 1 at its end, the ends before at -r
 * and -r - q (r h, q h: the lengths of the steps before):
 *     x(theta) = x_1 + (theta - 1) [D + theta (B + (theta + r) C)],   D, B, C: differences
 * for all unknowns alike, differential or algebraic, whether constraints determine them or
 * not. The stages of a step would tell less: where constraints move a stage of low order,
 * its increment is not what the rates say. In a first step B is what the stages say, in a
 * second one C is zero. The end before these tells how far the cubic is off, theory (4.38). */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/one_step.h"

#include <math.h>
#include <string.h>

/* Part of a step below which it is not made again where points are not corrected onto the
 * constraints: what the beginning is off would be divided by its length. */
static const double too_short = 0.01;
/* the same for algebraic unknowns of higher-index parts: rounding, divided by the length, is at
 * most ten times what it is at the end of the step */
static const double noisy = 0.1;
/* Part of the tolerance by which a row may be off, so that it does not show beside errors of
 * steps: less where rows are not corrected onto the constraints, since forces of constraints
 * magnify it. */
static const double unseen[2] = {0.01, 0.1};
/* of the motion within the step, and of the tolerance: more than that is no error of the
 * method */
static const double of_motion = 0.2, of_tolerance = 100.0;

void crank_one_step_layout(crank_one_step *s, const crank_implicit_kind *kind,
                           crank_arena *arena, const crank_integrator *it)
{
    crank_ends *e = &s->ends;
    double **const vectors[] = {&e->begin, &e->before, &e->earlier,          &e->bend,
                                &e->twist, &e->change, &s->common.increment, &s->common.step,
                                &s->work};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = crank_arena_take(arena, (size_t)it->n, sizeof(double));
    }
    s->common.k = crank_arena_take(arena, (size_t)it->m, sizeof(double));
    s->residual = crank_arena_take(arena, (size_t)it->m, sizeof(double));
    crank_implicit_layout(&s->common, arena, it);
    s->common.kind = kind;
    e->end = it->x;
}

void crank_one_step_reset(crank_integrator *it)
{
    crank_one_step *s = it->state;
    crank_implicit_reset(it, &s->common);
    s->ends.t = it->t;
    s->ends.h = 1.0;
    s->ends.h_before = s->ends.h_earlier = s->ends.h_earliest = 0.0;
    s->part = 0.0;
}

crank_status crank_one_step_start(crank_integrator *it, crank_error *err)
{
    crank_one_step *s = it->state;
    return crank_implicit_start(it, &s->common, s->work, err);
}

/* ---- the end of a step ---- */

static void keep_begin(const crank_integrator *it, crank_ends *e, bool first)
{
    double *oldest = e->earlier;
    e->earlier = e->before;
    e->before = e->begin;
    e->begin = oldest;
    memcpy(e->begin, it->x, (size_t)it->n * sizeof *e->begin);
    e->h_earliest = first ? 0.0 : e->h_earlier;
    e->h_earlier = first ? 0.0 : e->h_before;
    e->h_before = first ? 0.0 : e->h;
    e->h = it->h;
}

/* differences of the first step, as far as they are known */
static void connect_first(const crank_integrator *it, crank_ends *e, const double *bend)
{
    for (int j = 0; j < it->n; j++) {
        e->bend[j] = crank_integrator_is_differential(it, j) ? bend[j] : 0.0;
        e->twist[j] = e->change[j] = 0.0;
    }
}

static void connect(const crank_integrator *it, crank_ends *e, const double *bend)
{
    const double r = e->h_before / e->h, q = e->h_earlier / e->h, s = e->h_earliest / e->h;
    const double scaled =
        r > 0.0 ? 1.0 / (r * r * r) : 0.0; /* differences of the step before */
    if (!(r > 0.0)) {
        connect_first(it, e, bend);
        return;
    }
    for (int j = 0; j < it->n; j++) {
        const double last = (e->begin[j] - e->before[j]) / r, twist_before = e->twist[j];
        e->bend[j] = (it->x[j] - e->begin[j] - last) / (1.0 + r);
        if (q > 0.0) {
            const double bend_before = (last - (e->before[j] - e->earlier[j]) / q) / (r + q);
            e->twist[j] = (e->bend[j] - bend_before) / (1.0 + r + q);
            e->change[j] = (e->twist[j] - scaled * twist_before) / (1.0 + r + q + s);
        } else {
            e->twist[j] = 0.0;
        }
    }
}

/* The correction moves the end by less than the cubic is off. */
void crank_one_step_accept(crank_integrator *it, crank_one_step *s, double size,
                           const double *bend)
{
    keep_begin(it, &s->ends, s->common.first);
    for (int j = 0; j < it->n; j++) {
        it->x[j] += s->common.step[j];
    }
    connect(it, &s->ends, bend);
    crank_implicit_lengthen(it, &s->common, size);
}

crank_status crank_one_step_settle(crank_integrator *it, const crank_attempt *a, bool last,
                                   crank_error *err)
{
    crank_one_step *s = it->state;
    (void)a;
    s->ends.t = it->t;
    crank_status status = crank_implicit_correct(it, &s->common, last, err);
    if (status == CRANK_OK) {
        status = crank_implicit_conclude(it, &s->common, last, false, err);
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

/* ---- the cubic ---- */

/* x(t) - end */
static double from_end(const crank_ends *e, int j, double t)
{
    const double at = (t - e->t) / e->h, theta = 1.0 + at, r = e->h_before / e->h;
    return at * (e->end[j] - e->begin[j] + theta * (e->bend[j] + (theta + r) * e->twist[j]));
}

const double *crank_one_step_slope(crank_integrator *it)
{
    crank_one_step *s = it->state;
    const crank_ends *e = &s->ends;
    const double reach = 1.0 + e->h_before / e->h;
    if (s->common.first) {
        return NULL;
    }
    for (int j = 0; j < it->n; j++) {
        s->work[j] = (e->end[j] - e->begin[j] + e->bend[j] + reach * e->twist[j]) / e->h;
    }
    return s->work;
}

void crank_one_step_predict(const crank_integrator *it, const crank_one_step *s, double t,
                            double *Z)
{
    const crank_ends *e = &s->ends;
    const bool *held = it->problem->held;
    const bool zero = s->common.first || it->options.newton_start == CRANK_START_ZERO;
    for (int j = 0; j < it->n; j++) {
        Z[j] =
            zero || (held != NULL && held[j]) ? 0.0 : e->end[j] - it->x[j] + from_end(e, j, t);
    }
}

/* Unknowns of higher-index parts (scaling) are of order 1 at step ends, off by more or less
 * with the length of steps. Where differences do not fall they tell of that, and two ends do,
 * theory 4.12. */
static bool is_straight(const crank_integrator *it, const crank_ends *e, int j)
{
    const double reach = 1.0 + e->h_before / e->h;
    return it->problem->scaling[j] > 0 && !(reach * fabs(e->twist[j]) <= fabs(e->bend[j]));
}

void crank_one_step_interpolate(const crank_integrator *it, double t, double *x)
{
    const crank_one_step *s = it->state;
    const crank_ends *e = &s->ends;
    const double at = (t - e->t) / e->h;
    for (int j = 0; j < it->n; j++) {
        x[j] = it->x[j] +
               (is_straight(it, e, j) ? at * (e->end[j] - e->begin[j]) : from_end(e, j, t));
    }
}

/* theory (4.38), over the part that may not show. Those of higher-index parts (scaling) are off
 * at step ends, and no step made again is better; as long as there are too few steps, nothing
 * is known of the others. */
void crank_one_step_row_error(const crank_integrator *it, double t, double *off)
{
    const crank_problem *p = it->problem;
    const crank_ends *e = &((const crank_one_step *)it->state)->ends;
    const double r = e->h_before / e->h, q = e->h_earlier / e->h,
                 theta = 1.0 + (t - e->t) / e->h;
    const double shape = theta * (1.0 - theta) * (theta + r) * (theta + r + q);
    for (int j = 0; j < it->n; j++) {
        off[j] = p->scaling[j] > 0     ? 0.0
                 : e->h_earliest > 0.0 ? shape * e->change[j] / unseen[p->constraints != NULL]
                                       : (double)INFINITY;
    }
}

/* ---- a step that ends at the row ---- */

/* Where velocities follow from positions a step divides by its length what these are off where
 * it begins, and what Newton's iteration leaves: the former fades over the whole step, the
 * latter is made smaller, theory (4.12). */
static crank_status spare_rates(crank_integrator *again, crank_one_step *s, crank_error *err)
{
    crank_problem *p = again->problem;
    const int power = p->constraints == NULL ? crank_integrator_power_of_rates(again) : 0;
    s->part = power > 0 ? again->h / s->ends.h : 0.0;
    if (power == 0) {
        return CRANK_OK;
    }
    s->common.newton_tolerance *= pow(s->part, power);
    const crank_status status = p->evaluate(p, 1, &again->t, again->x, s->residual, err);
    for (int i = 0; i < again->m; i++) {
        s->residual[i] = p->differential[i] ? 0.0 : s->residual[i];
    }
    return status;
}

/* With the matrix at hand, or one made where the step began. s->common is left as it was, but
 * for what is due in the next step. */
static crank_status solve_again(crank_integrator *again, crank_one_step *s, bool renew,
                                crank_error *err)
{
    crank_implicit *c = &s->common;
    const crank_implicit kept = *c;
    crank_problem *p = again->problem;
    crank_attempt a = {0};
    c->eta = 1.0;
    c->first = false;
    crank_status status = spare_rates(again, s, err);
    if (renew && status == CRANK_OK) {
        status = p->prepare(p, again->t, again->x, NULL, err);
    }
    status = status == CRANK_OK ? c->kind->factor(again, err) : status;
    status = status == CRANK_OK ? crank_implicit_solve(again, &a, err) : status;
    *c = kept;
    s->part = 0.0;
    c->need_factor = true;
    c->need_jacobian = c->need_jacobian || renew;
    return status;
}

/* Where points are not corrected, and in very short steps, algebraic unknowns of higher-index
 * parts (scaling) stay as interpolated: what the beginning is off would be divided by the
 * length of the step. */
crank_status crank_one_step_refine_row(crank_integrator *it, double t, double *x,
                                       crank_error *err)
{
    crank_one_step *s = it->state;
    crank_implicit *c = &s->common;
    const crank_ends *e = &s->ends;
    const double part = (t - it->t_old) / e->h;
    const bool corrected = it->problem->constraints != NULL;
    if (!(part > 0.0) || (part < too_short && !corrected)) {
        return CRANK_RETRY;
    }
    crank_integrator again = *it;
    again.x = e->begin;
    again.t = it->t_old;
    again.h = t - it->t_old;
    again.failures = 0;
    crank_status status = solve_again(&again, s, c->reselected, err);
    if (status > CRANK_OK) {
        again.options.newton_max = CRANK_ROW_ITERATIONS;
        status = solve_again(&again, s, true, err);
    }
    it->statistics = again.statistics;
    if (status != CRANK_OK) {
        return status;
    }
    double *row = c->increment; /* free between steps */
    for (int j = 0; j < it->n; j++) {
        const bool kept = it->problem->scaling[j] > 0 && (part < noisy || !corrected) &&
                          !crank_integrator_is_differential(it, j);
        row[j] = kept ? x[j] : e->begin[j] + c->step[j];
    }
    status = crank_integrator_finish_row(it, t, row, err);
    if (status == CRANK_OK) {
        memcpy(x, row, (size_t)it->n * sizeof *x);
    }
    return status;
}

/* ---- constraints that jump ---- */

/* They move unknowns with x' = k by more than their rates do, however short the step is, theory
 * (4.43). */
static int find_jump(const crank_integrator *it, const crank_one_step *s)
{
    const crank_problem *p = it->problem;
    for (int i = 0; i < p->path_count; i++) {
        const int j = p->path_column + i, row = p->path_row + i;
        const double moved = s->common.step[j];
        const double off = moved - 0.5 * it->h * (s->common.k0[row] + s->common.k[row]);
        if (fabs(off) > of_motion * fabs(moved) + of_tolerance * it->scale[j]) {
            return j;
        }
    }
    return -1;
}

crank_status crank_one_step_find_jump(crank_integrator *it, crank_one_step *s, int *column,
                                      crank_error *err)
{
    crank_problem *p = it->problem;
    const double t = it->t + it->h;
    *column = find_jump(it, s);
    if (*column < 0) {
        return CRANK_OK;
    }
    for (int j = 0; j < it->n; j++) { /* the last increment may not be in it */
        s->work[j] = it->x[j] + s->common.step[j];
    }
    const crank_status status = p->evaluate(p, 1, &t, s->work, s->common.k, err);
    *column = status == CRANK_OK ? find_jump(it, s) : -1;
    return status;
}

/* ---- checkpoints ---- */

void crank_one_step_archive(crank_integrator *it, crank_archive *a)
{
    crank_one_step *s = it->state;
    crank_ends *e = &s->ends;
    double *const vectors[] = {e->begin, e->before, e->earlier, e->bend, e->twist, e->change};
    double *const values[] = {&e->t, &e->h, &e->h_before, &e->h_earlier, &e->h_earliest};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        crank_archive_doubles(a, vectors[i], (size_t)it->n);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        crank_archive_double(a, values[i]);
    }
    crank_implicit_archive(it, &s->common, a);
}
