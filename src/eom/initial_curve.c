/* initial_curve.c - the curve on which one equation of a closed mechanism is released.
 *
 *     F_k(x(s)) = 0, k != i,  x(0) = solution,  x' = (I - A^+ A) x'_before,  |x'| = 1
 *         theory (5.14)
 * A without row i, with steps in the tangent closed again by the stage. Where F_i falls back to
 * zero, beyond a dead centre, the loop is closed on another side (initial_sides.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "base/tolerance.h"
#include "eom/initial_sides.h"

#include <math.h>
#include <string.h>

/* of the unknowns' moves: the longest step along a curve, 1/4 rad as those of a stage; the
 * shortest; as far as a side may be, a whole turn */
static const double longest_step = 0.25, shortest_step = 0.25 / 16, farthest = 6.3;

/* cosine of the angle between tangents that lead along one curve, within 2.5 degrees */
static const double parallel = 0.999;

/* Curves need not be followed to rounding, and Newton's steps that are many lead elsewhere. */
static const double followed = 1e-6;
enum { FEW_STEPS = 6, STEPS = 40 };

enum { ROWS = 120000 }; /* of all stages on the way: a second's work */

/* The curve of a released row. */
typedef struct curve {
    int row;
    double sign;  /* of the row on it */
    double rate;  /* of the row along the tangent, at its beginning */
    double value; /* of the row; zero: the first step */
    double step;
    int steps; /* that are left */
    bool ends;
} curve;

void crank_initial_rates(const crank_initial *w, const double *t, double *product)
{
    memset(product, 0, (size_t)w->equations * sizeof *product);
    for (int l = 0; l < w->columns; l++) {
        for (int q = w->A.start[l]; q < w->A.start[l + 1]; q++) {
            product[w->A.row[q]] += w->A.values[q] * t[w->column[l]];
        }
    }
}

crank_status crank_initial_direction(crank_initial *w, const double *right, crank_error *err)
{
    crank_min_solver solver = {0};
    crank_min_solver_create_sparse(&w->A, CRANK_STEP_TOLERANCE, &solver);
    const crank_status status = crank_min_solver_step(&solver, right, 0.0, w->y, err);
    crank_min_solver_destroy(&solver);
    return status;
}

/* The tangent, its longest move one in plain units; false: there is none. */
static bool normalise(const crank_initial *w, double *tangent)
{
    double longest = 0.0;
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        longest = fmax(longest, fabs(tangent[j]) * crank_initial_ease(w, j));
    }
    for (int l = 0; l < w->columns && longest > 0.0; l++) {
        tangent[w->column[l]] /= longest;
    }
    return longest > 0.0;
}

/* A step of the tangent from search->from, the released row left out: w->x; *ok: nearby. */
static crank_status step_along(crank_initial *w, const crank_side_search *search, double step,
                               bool *ok, crank_error *err)
{
    crank_stage_end end = CRANK_STAGE_SLOW;
    crank_error ignored = {0};
    bool moved;
    memcpy(w->x, search->from, (size_t)w->eom->n * sizeof *w->x);
    for (int l = 0; l < w->columns; l++) {
        const int j = w->column[l];
        w->x[j] += step * w->move[j] * search->tangent[j];
    }
    memcpy(w->stuck, w->x, (size_t)w->eom->n * sizeof *w->x);
    const crank_status status = crank_initial_solve(w, 0, &moved, &end, &ignored);
    *ok = status == CRANK_OK && end == CRANK_STAGE_SOLVED &&
          crank_initial_longest_move(w, w->stuck) <= 0.5 * step;
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

/* The tangent at w->x, the released row left out, nearest to the one before; *ok: there is one.
 */
static crank_status turn_tangent(crank_initial *w, crank_side_search *search, bool *ok,
                                 crank_error *err)
{
    crank_status status = crank_initial_look(w, 0, err);
    if (status != CRANK_OK) {
        *ok = false;
        return status;
    }
    crank_initial_rates(w, search->tangent, search->product);
    CRANK_THEN(status, crank_initial_direction(w, search->product, err));
    for (int l = 0; l < w->columns && status == CRANK_OK; l++) {
        search->tangent[w->column[l]] += w->y[l];
    }
    *ok = status == CRANK_OK && normalise(w, search->tangent);
    return status;
}

/* The tangent at search->origin along which F_i changes alone, by rate for a unit of it. */
static crank_status first_tangent(crank_initial *w, crank_side_search *search, int i,
                                  double sign, double *rate, crank_error *err)
{
    crank_status status = crank_initial_look(w, 0, err);
    const int place = w->place[i];
    memset(search->product, 0, (size_t)w->equations * sizeof *search->product);
    search->product[place] = -sign;
    CRANK_THEN(status, crank_initial_direction(w, search->product, err));
    memset(search->tangent, 0, (size_t)w->eom->n * sizeof *search->tangent);
    for (int l = 0; l < w->columns && status == CRANK_OK; l++) {
        search->tangent[w->column[l]] = w->y[l];
    }
    *rate = 0.0;
    if (status == CRANK_OK && normalise(w, search->tangent)) {
        crank_initial_rates(w, search->tangent, search->product);
        *rate = search->product[place] * w->norm[place];
    }
    return status;
}

/* Closes all rows, row i among them, from w->x, *ok: on another side than search->origin. */
static crank_status close_side(crank_initial *w, const crank_side_search *search, bool *ok,
                               crank_error *err)
{
    crank_stage_end end = CRANK_STAGE_SLOW;
    crank_error ignored = {0};
    bool moved;
    crank_status status = crank_initial_look(w, 0, &ignored);
    const double far = crank_initial_longest_move(w, search->origin);
    CRANK_THEN(status, crank_initial_solve(w, 0, &moved, &end, &ignored));
    *ok = status == CRANK_OK && end == CRANK_STAGE_SOLVED &&
          crank_initial_longest_move(w, search->origin) > 0.5 * far && !crank_initial_is_far(w);
    CRANK_THEN(status, *ok ? crank_initial_nearest(w, 0, &ignored) : CRANK_OK);
    CRANK_THEN(status, *ok ? crank_initial_turn_back(w, &ignored) : CRANK_OK);
    *ok = *ok && status == CRANK_OK;
    return status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
}

bool crank_initial_has_time(const crank_initial *w, const crank_side_search *search)
{
    return (int64_t)w->iterations * w->rows - search->rows_before < ROWS;
}

/* Where the parabola through zero with this slope and this value behind a step is zero again,
 * in steps. */
static double return_of(double slope, double value)
{
    return value != slope ? slope / (slope - value) : (double)INFINITY;
}

/* After the first step: may F_i return to zero where a side would count? Where that is near, a
 * parabola tells; else the curve is followed. */
static bool may_return(const crank_initial *w, const crank_side_search *search, const curve *c,
                       double now)
{
    const double reach =
        search->reach * search->least / crank_initial_cost(w, search->origin); /* in steps */
    const double back = return_of(c->rate * c->step, now);
    return reach * c->step > 1.0 || (back > 0.0 && back < reach);
}

/* One step from search->from: *back: F_i has fallen through zero within it, w->x is there. Row
 * i is left out meanwhile. */
static crank_status go_on(crank_initial *w, crank_side_search *search, curve *c, bool *back,
                          crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    bool near = false, tangent = true;
    crank_status status = crank_initial_look(w, 0, err);
    CRANK_THEN(status, step_along(w, search, c->step, &near, err));
    if (status != CRANK_OK || !near) {
        memcpy(w->x, search->from, size);
        c->step *= 0.5;
        c->ends = c->step < shortest_step;
        return status;
    }
    const double now = w->residual[c->row];
    *back = c->sign * now <= 0.0;
    if (*back) { /* straight from the value before, or by the parabola that begins at zero */
        const double part =
            c->value != 0.0 ? c->value / (c->value - now) : return_of(c->rate * c->step, now);
        for (int j = 0; j < w->eom->n; j++) {
            w->x[j] = search->from[j] + part * (w->x[j] - search->from[j]);
        }
        return status;
    }
    c->ends = crank_initial_longest_move(w, search->origin) > farthest || --c->steps == 0 ||
              (c->value == 0.0 && !may_return(w, search, c, now));
    c->value = now;
    memcpy(search->from, w->x, size);
    CRANK_THEN(status, turn_tangent(w, search, &tangent, err));
    c->ends = c->ends || !tangent;
    c->step = fmin(2.0 * c->step, longest_step);
    return status;
}

/* Has a tangent at the origin been followed already? If not it is kept. */
static bool is_known(const crank_initial *w, crank_side_search *search)
{
    const size_t n = (size_t)w->eom->n;
    bool known = false;
    for (int k = 0; k < search->tangents && !known; k++) {
        double product = 0.0, size[2] = {0.0, 0.0};
        for (int l = 0; l < w->columns; l++) {
            const int j = w->column[l];
            const double a =
                search->earlier[(size_t)k * n + (size_t)j] * crank_initial_ease(w, j);
            const double b = search->tangent[j] * crank_initial_ease(w, j);
            product += a * b;
            size[0] += a * a;
            size[1] += b * b;
        }
        known = product > parallel * sqrt(size[0] * size[1]);
    }
    if (!known && search->tangents < 2 * CRANK_SIDE_ROWS) {
        memcpy(search->earlier + (size_t)search->tangents++ * n, search->tangent,
               n * sizeof *search->tangent);
    }
    return known;
}

crank_status crank_initial_trace(crank_initial *w, crank_side_search *search, int i,
                                 double sign, bool *found, crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    const crank_initial_options options = w->options;
    curve c = {.row = i, .sign = sign, .step = longest_step, .steps = STEPS};
    bool back = false;
    *found = false;
    memcpy(w->x, search->origin, size);
    w->alike = true; /* what turns sharply for free unknowns does not for all of them alike */
    w->hold_preferred = search->holds;
    crank_status status = first_tangent(w, search, i, sign, &c.rate, err);
    c.ends = status != CRANK_OK || !(sign * c.rate > 0.0) || is_known(w, search);
    memcpy(search->from, search->origin, size);
    w->level[i] = -1;
    w->options.tolerance = followed;
    w->options.max_iterations = FEW_STEPS;
    while (!c.ends && status == CRANK_OK && !back && crank_initial_has_time(w, search)) {
        status = go_on(w, search, &c, &back, err);
    }
    w->options = options;
    w->alike = w->hold_preferred = false;
    w->level[i] = 0;
    return status == CRANK_OK && back ? close_side(w, search, found, err) : status;
}
