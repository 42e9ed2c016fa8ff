/* explicit.c - embedded explicit Runge-Kutta methods with projection: hooks of stepper.h.
 *
 *     stages (9.6), error estimate (9.7), then the end of the step is projected onto all levels
 *     and invariants; the rates there begin the next step, and end the continuous
 *     extension (9.9)
 * First step after [HNW93, II.4], the others by theory (9.13). A method is a tableau: dopri5,
 * dopri8; herk5, half-explicit. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/explicit.h"

#include "integrate/controller.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Part of the tolerance up to which what the projection moves says nothing about the next step:
 * it may be rounding, which does not fall with the step. */
static const double moved_by_rounding = 0.1;
/* of the step where an attempt fails; error of the step before that (9.13) believes at least */
static const double quarter = 0.25, least_error = 1e-4;
/* The first step comes from a guess, which stiffness makes wrong by orders of magnitude, and is
 * cut by more than growth_min: by its power of this. */
static const double cuts_of_first = 2.0;

static void layout(crank_explicit *s, crank_arena *arena, const crank_integrator *it)
{
    const size_t n = (size_t)it->n, width = (size_t)s->tableau->width;
    s->K = crank_arena_take(arena, width * n, sizeof(double));
    s->K_accepted = crank_arena_take(arena, width * n, sizeof(double));
    s->X = crank_arena_take(arena, n, sizeof(double));
    s->end = crank_arena_take(arena, n, sizeof(double));
    s->begin = crank_arena_take(arena, n, sizeof(double));
    s->rate = crank_arena_take(arena, n, sizeof(double));
    s->work = crank_arena_take(arena, n, sizeof(double));
    s->from = crank_arena_take(arena, s->tableau->ahead != NULL ? n : 0, sizeof(double));
    s->D = crank_arena_take(arena, (size_t)s->tableau->dense_rows * n, sizeof(double));
}

static void layout_dopri5(void *state, crank_arena *arena, const crank_integrator *it)
{
    ((crank_explicit *)state)->tableau = &crank_tableau_dopri5;
    layout(state, arena, it);
}

static void layout_dopri8(void *state, crank_arena *arena, const crank_integrator *it)
{
    ((crank_explicit *)state)->tableau = &crank_tableau_dopri8;
    layout(state, arena, it);
}

static void layout_herk5(void *state, crank_arena *arena, const crank_integrator *it)
{
    ((crank_explicit *)state)->tableau = &crank_tableau_herk5;
    layout(state, arena, it);
}

/* ---- a step ---- */

/* s->end onto the constraints, with a decomposition made there; *moved: by how much, over
 * the tolerance */
static crank_status project(crank_integrator *it, crank_explicit *s, double t, double *moved,
                            crank_error *err)
{
    const double *rate = s->K + (long)(s->tableau->stages - 1) * it->n;
    *moved = 0.0;
    const crank_status status = it->problem->prepare(it->problem, t, s->end, rate, err);
    return status != CRANK_OK ? status
                              : crank_explicit_project(it, t, s->end, s->work, moved, err);
}

/* after a failure the monitor of singular positions looks at the present again; what is
 * wrong there the attempt says */
static crank_status begin(crank_integrator *it, crank_error *err)
{
    crank_explicit *s = it->state;
    if (!s->elsewhere) {
        return CRANK_OK;
    }
    s->elsewhere = false;
    const crank_status status = it->problem->prepare(it->problem, it->t, it->x, s->rate, err);
    return status > CRANK_OK ? CRANK_OK : status;
}

static crank_status look(crank_integrator *it, crank_error *err)
{
    const crank_explicit *s = it->state;
    return it->problem->prepare(it->problem, it->t, it->x, s->rate, err);
}

static crank_status attempt(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_explicit *s = it->state;
    double moved = 0.0;
    a->shorter = quarter;
    crank_status status = crank_explicit_stages(it, s, err);
    if (status == CRANK_OK) {
        status = crank_explicit_estimate(it, s, &a->size, err);
    }
    a->blunt = !isfinite(a->size);
    if (status != CRANK_OK || !(a->size <= 1.0)) {
        return status;
    }
    status = project(it, s, crank_integrator_step_end(it), &moved, err);
    const bool shorter =
        crank_explicit_mends(status) || !(moved <= crank_explicit_largest_move);
    s->elsewhere = shorter || moved > 1.0;
    s->aim = moved > moved_by_rounding ? fmax(a->size, moved) : a->size;
    a->size = fmax(a->size, moved);
    return shorter ? CRANK_RETRY : status;
}

static void undo(crank_integrator *it)
{
    (void)it; /* an attempt leaves nothing but `elsewhere` */
}

/* Behind the bound of stability the end of a step grows with its error, and is no measure of it:
 * the beginning is. */
static double shorten_first(crank_integrator *it, crank_explicit *s)
{
    crank_options o = it->options;
    const double size = fmax(1.0, crank_explicit_error_at_start(it, s));
    o.growth_min = pow(o.growth_min, cuts_of_first);
    return crank_control_explicit(&o, s->tableau->order, size, 0.0, false);
}

static double shorter(crank_integrator *it, const crank_attempt *a)
{
    crank_explicit *s = it->state;
    const double factor =
        crank_control_explicit(&it->options, s->tableau->order, a->size, 0.0, false);
    const bool first = s->rough[0].fourth < 0.0; /* no step has been accepted yet */
    return it->h * (first ? fmin(factor, shorten_first(it, s)) : factor);
}

static void find_end(const crank_integrator *it, double *x)
{
    memcpy(x, ((const crank_explicit *)it->state)->end, (size_t)it->n * sizeof *x);
}

static void accept(crank_integrator *it, const crank_attempt *a)
{
    crank_explicit *s = it->state;
    const size_t bytes = (size_t)it->n * sizeof(double);
    (void)a;
    crank_explicit_remember(s, it->h);
    it->h *= crank_control_explicit(&it->options, s->tableau->order, s->aim, s->error_accepted,
                                    it->rejected);
    s->error_accepted = fmax(s->aim, least_error);
    memcpy(s->begin, it->x, bytes);
    memcpy(it->x, s->end, bytes);
    double *accepted = s->K;
    s->K = s->K_accepted;
    s->K_accepted = accepted;
    s->extended = s->tableau->width == s->tableau->stages + 1;
    s->D_known = false;
}

static crank_status settle(crank_integrator *it, const crank_attempt *a, bool last,
                           crank_error *err)
{
    crank_explicit *s = it->state;
    (void)a;
    const crank_status status = crank_explicit_settle(it, s->rate, last, err);
    if (status == CRANK_OK) {
        memcpy(s->K_accepted + (long)s->tableau->stages * it->n, s->rate,
               (size_t)it->n * sizeof *s->rate);
        s->size = crank_explicit_stiffness(it, s);
        const bool bounded = crank_explicit_stay_stable(it, s);
        if (!s->stiffness.told) {
            crank_explicit_note_stiffness(it, &s->stiffness,
                                          bounded || s->size > s->tableau->stable);
        }
    }
    return status;
}

/* ---- start ---- */

static void find_runs(crank_integrator *it, crank_explicit *s)
{
    s->run_count = 0;
    for (int j = 0; j < it->n; j++) {
        if (!crank_integrator_is_differential(it, j)) {
            continue;
        }
        if (s->run_count > 0 && s->last[s->run_count - 1] == j) {
            s->last[s->run_count - 1] = j + 1;
        } else if (s->run_count < CRANK_EXPLICIT_RUNS) {
            s->first[s->run_count] = j;
            s->last[s->run_count++] = j + 1;
        }
    }
}

static void reset(crank_integrator *it)
{
    crank_explicit *s = it->state;
    find_runs(it, s);
    crank_explicit_list_terms(s, it->n);
    s->extended = s->elsewhere = s->D_known = false;
    s->stiffness = (crank_stiffness){0};
    s->rate_seen = s->border_seen = 0.0;
    s->looked = s->wait = CRANK_EXPLICIT_WAIT;
    s->error_accepted = least_error;
    s->rough[0] = s->rough[1] = (crank_rough){.fourth = -1.0};
    memcpy(s->begin, it->x, (size_t)it->n * sizeof *s->begin);
}

static crank_status start(crank_integrator *it, crank_error *err)
{
    crank_explicit *s = it->state;
    const crank_status status = crank_explicit_start(it, s->X, s->rate, err);
    return status != CRANK_OK || it->options.h_start > 0.0
               ? status
               : crank_explicit_first_step(it, s->tableau->order, s->rate, s->X, s->work, err);
}

/* every step prepares anew */
static void invalidate(crank_integrator *it)
{
    (void)it;
}

/* what one step leaves to the next and to rows: K, X, end and work are filled anew before they
 * are read */
static void archive(crank_integrator *it, crank_archive *a)
{
    crank_explicit *s = it->state;
    const size_t n = (size_t)it->n;
    crank_archive_check(a, "order", s->tableau->order);
    crank_archive_doubles(a, s->K_accepted, (size_t)s->tableau->width * n);
    crank_archive_doubles(a, s->begin, n);
    crank_archive_doubles(a, s->rate, n);
    crank_archive_flag(a, &s->extended);
    s->D_known = s->D_known && !a->loading;
    crank_archive_flag(a, &s->elsewhere);
    crank_archive_double(a, &s->error_accepted);
    for (int i = 0; i < 2; i++) {
        crank_archive_double(a, &s->rough[i].fourth);
        crank_archive_double(a, &s->rough[i].sixth);
    }
    crank_archive_double(a, &s->rate_seen);
    crank_archive_double(a, &s->border_seen);
    crank_archive_int(a, &s->looked, 0, INT_MAX / 2);
    crank_archive_int(a, &s->wait, 0, INT_MAX / 2);
    crank_explicit_archive_stiffness(&s->stiffness, a);
}

/* two of the tableau's c, one in each half */
static const double nodes_dopri5[2] = {0.3, 0.8};
static const double nodes_herk5[2] = {0.3, 0.8};
static const double nodes_dopri8[2] = {0.28164965809277260327, 0.65128205128205128205};

#define EXPLICIT(word, half)                                                                   \
    {                                                                                          \
        .name = #word, .is_explicit = true, .one_step = true, .spreads_end = true,             \
        .half_explicit = (half), .state_size = sizeof(crank_explicit),                         \
        .layout = layout_##word, .reset = reset, .start = start, .begin = begin, .look = look, \
        .attempt = attempt, .undo = undo, .shorter = shorter, .end = find_end,                 \
        .nodes = nodes_##word, .accept = accept, .settle = settle,                             \
        .interpolate = crank_explicit_interpolate, .invalidate = invalidate,                   \
        .archive = archive,                                                                    \
    }

const crank_method crank_method_dopri5 = EXPLICIT(dopri5, false);
const crank_method crank_method_dopri8 = EXPLICIT(dopri8, false);
const crank_method crank_method_herk5 = EXPLICIT(herk5, true);
