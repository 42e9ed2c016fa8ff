/* newton.c - an attempt of an implicit one-step method: its stages by the simplified Newton
 * iteration, with the convergence tests of RADAU5 [HW96, IV.8], theory (4.5), (4.17), (4.6),
 * then its error. A method says where its stages are, what an increment and what the error is
 * (implicit.h). */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/implicit.h"

#include "base/then.h"

#include <float.h>
#include <math.h>

typedef struct history {
    double size, ratio;   /* of the last increment, to the one before */
    double first, second; /* sizes of the first and the second increment */
    double left;          /* after the first: the sum of the later ones */
    double tolerance;
    int base;  /* iterations before the one that later ones are compared with */
    int least; /* iterations: redundant constraints have their rank at consistent points only */
    bool edge; /* shorter steps do not help */
} history;

/* failures in a row, with the matrix of x_k, after which an edge of the equations is taken to be
 * between x_k and the stages; increments of cross_edge */
enum { EDGE_FAILURES = 3, CROSSING = 3 };
/* contraction at which the iteration is given up; at the second increment, whose ratio to the
 * first says little; what is believed there at most */
static const double diverging = 0.99, early_diverging = 2.0, early_most = 0.9;
/* eta of the last step to this power judges the first increment of the next [HW96, IV.8] */
static const double eta_power = 0.8;
/* first increments, over those that eta was found at, that it says something of */
static const double alike = 10.0;
/* the next step after slow convergence: its factor, bounds of the predicted error over the
 * tolerance; after divergence */
static const double slower = 0.8, least_excess = 1e-4, most_excess = 20.0, halved = 0.5;
/* increments, over eps |x|, that are rounding; part of a failed one that shorter steps should
 * have left */
static const double tiny = 1e3, not_reduced = 0.5;
/* the tolerance, over the noise of the unknowns, at least; but at most */
static const double above_noise = 3.0, loosest = 0.1;

static bool is_tiny(const crank_integrator *it, double size)
{
    return size <= tiny * DBL_EPSILON * crank_integrator_norm(it, 1, it->x, it->h);
}

/* contraction below which equations may be linear, and the part of the tolerance that such an
 * increment is at most */
static const double linear = 1e-6, negligible = 0.1;

/* Where equations are linear the second increment is nothing but rounding, which must not
 * decide how many steps do without it: it counts as zero, theory (4.6). */
static bool is_nothing(const crank_integrator *it, const crank_implicit *c, double size,
                       const history *h)
{
    return c->iterations > 1 && size <= linear * h->first &&
           size <= negligible * h->tolerance && is_tiny(it, size);
}

/* Increments that no longer fall are round-off if they are tiny beside x, or if they are
 * below what the error test sees and a shorter step did not make them smaller. */
static bool is_rounding(const crank_integrator *it, crank_implicit *c, double size)
{
    const bool rounding = is_tiny(it, size) || (size < 1.0 && it->failures > 0 &&
                                                size > not_reduced * c->failed_size);
    c->failed_size = size;
    return rounding;
}

/* a new matrix at the last stage as it is iterated */
static crank_status renew_matrix(crank_integrator *it, crank_implicit *c, crank_error *err)
{
    crank_problem *p = it->problem;
    const int last = c->kind->together - 1;
    double t[3];
    c->jacobian_fresh = false; /* it does not belong to x_k: prepared anew after a rejection */
    c->kind->place_stages(it, t);
    const crank_status status =
        p->prepare(p, t[last], c->stage + (long)last * it->n, c->kind->slope(it), err);
    return status == CRANK_OK ? c->kind->factor(it, err) : status;
}

/* convergence too slow with this matrix: a new one, if allowed */
static bool update_matrix(crank_integrator *it, crank_implicit *c, crank_error *err)
{
    return c->updates++ < it->options.newton_updates && renew_matrix(it, c, err) == CRANK_OK;
}

static crank_status increment(crank_integrator *it, crank_implicit *c, double *size,
                              crank_error *err)
{
    crank_problem *p = it->problem;
    double t[3];
    c->kind->place_stages(it, t);
    crank_status status = p->evaluate(p, c->kind->together, t, c->stage, c->k, err);
    CRANK_THEN(status, c->kind->increment(it, t, err));
    if (status != CRANK_OK) {
        return status;
    }
    it->statistics.solves++;
    it->statistics.newton_iterations++;
    c->iterations++;
    *size = crank_integrator_norm(it, c->kind->together, c->increment, it->h);
    return isfinite(*size) ? CRANK_OK : CRANK_RETRY;
}

/* Newton's own iteration, a matrix for each increment: where equations are linear on both sides
 * of an edge, the one that leads across it is the last but one. */
static crank_status cross_edge(crank_integrator *it, crank_implicit *c, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < CROSSING && status == CRANK_OK; i++) {
        double size = 0.0;
        status = renew_matrix(it, c, err);
        CRANK_THEN(status, increment(it, c, &size, err));
        if (status == CRANK_OK) {
            c->kind->add(it);
        }
    }
    c->iterations = 0;
    return status == CRANK_OK ? CRANK_OK : CRANK_RETRY;
}

/* From the second increment on: contraction theta, and the error predicted for the last
 * admissible iteration over the tolerance, theory (4.5). At least one: too slow; INFINITY:
 * diverging. */
static double predict_error(const crank_integrator *it, crank_implicit *c, double size,
                            history *h)
{
    const int limit = it->options.newton_max;
    const double ratio = size / h->size;
    const bool first = c->iterations == h->base + 2;
    c->theta = first ? ratio : sqrt(ratio * h->ratio);
    h->ratio = ratio;
    if (first && (c->theta < early_diverging || limit >= CRANK_ROW_ITERATIONS)) {
        /* multipliers lag one iteration behind: too early to judge, and for rows, which no
         * shorter step can replace, to give up */
        c->theta = fmin(c->theta, early_most);
        return 0.0;
    }
    return c->theta < diverging ? c->theta / (1.0 - c->theta) * size *
                                      pow(c->theta, limit - 1 - c->iterations) / h->tolerance
                                : (double)INFINITY;
}

static double shortening(const crank_integrator *it, const crank_implicit *c, double predicted)
{
    const double exponent = (double)c->kind->power + it->options.newton_max - 1 - c->iterations;
    return isfinite(predicted)
               ? slower * pow(fmax(least_excess, fmin(most_excess, predicted)), -1.0 / exponent)
               : halved;
}

/* After convergence: the step times this would be the longest that converges in time, theory
 * (4.17). The first increment says little, see predict_error, so two more are needed. */
static double find_reach(const crank_integrator *it, const crank_implicit *c, const history *h)
{
    const int limit = it->options.newton_max;
    if (c->iterations < h->base + 3) {
        return (double)INFINITY;
    }
    const double theta = pow(h->size / h->second, 1.0 / (c->iterations - h->base - 2));
    const double predicted =
        theta / (1.0 - theta) * h->second * pow(theta, limit - 2) / h->tolerance;
    return theta < 1.0 ? pow(predicted, -1.0 / (c->kind->power + 2.0 * (limit - 1))) : 0.0;
}

static history begin(const crank_integrator *it, crank_implicit *c)
{
    const double *noise = it->problem->noise;
    const double floor_size =
        noise != NULL ? above_noise * crank_integrator_norm(it, 1, noise, it->h) : 0.0;
    /* with the matrix of its own point a step may be exact where with that of an older one it
     * is not: the rate says nothing then */
    c->learnt = 0.0;
    c->eta = c->judged_fresh && !c->jacobian_fresh
                 ? 1.0
                 : pow(fmax(c->eta, it->options.rounding_unit), eta_power);
    c->judged_fresh = c->jacobian_fresh;
    c->theta = fabs(c->reuse);
    c->iterations = c->updates = 0;
    c->reach = (double)INFINITY;
    c->shorter = halved;
    c->h_tried = it->h;
    return (history){.tolerance = fmax(c->newton_tolerance, fmin(loosest, floor_size)),
                     .least = it->problem->held != NULL ? 2 : 1,
                     .edge = it->failures >= EDGE_FAILURES && c->jacobian_fresh};
}

/* Unknowns that are not extrapolated come by the first increment, however exact the matrix is:
 * it says nothing of those that follow. */
static bool has_held(const crank_integrator *it, const crank_implicit *c)
{
    const bool *held = it->problem->held;
    bool moved = false;
    for (int i = 0; i < c->kind->together && held != NULL; i++) {
        for (int j = 0; j < it->n && !moved; j++) {
            moved = held[j] && c->increment[(long)i * it->n + j] != 0.0;
        }
    }
    return moved;
}

/* Contraction that was found within one smooth part of the equations says nothing of
 * increments that lead across its edge, theory (4.6). */
static void doubt(crank_implicit *c, double size, const history *h)
{
    if (c->iterations == 1 && size > alike * fmax(c->known, h->tolerance)) {
        c->eta = 1.0;
    }
}

static void note_size(const crank_integrator *it, const crank_implicit *c, double size,
                      history *h)
{
    const bool later = c->iterations > h->base + 1;
    h->size = fmax(size, it->options.rounding_unit);
    h->first = later ? h->first : h->size;
    h->second = c->iterations == h->base + 2 ? h->size : h->second;
    h->left = later ? h->left + size : 0.0;
}

/* eta becomes what judges the first increment of the next step: where equations are linear
 * level by level the iteration ends after a few increments, and their mean contraction says
 * nothing of what the first one leaves, theory (4.6). */
crank_status crank_newton(crank_integrator *it, crank_implicit *c, crank_error *err)
{
    history h = begin(it, c);
    while (c->iterations < it->options.newton_max) {
        double size = 0.0;
        const crank_status status = increment(it, c, &size, err);
        if (status != CRANK_OK) {
            return status;
        }
        h.base = c->iterations == 1 && has_held(it, c) ? 1 : h.base;
        h.least += c->iterations == 1 ? h.base : 0;
        size = is_nothing(it, c, size, &h) ? 0.0 : size;
        const bool judged =
            c->iterations > h.base + 1 && c->iterations < it->options.newton_max;
        const double predicted = judged ? predict_error(it, c, size, &h) : 0.0;
        if (predicted >= 1.0 && is_rounding(it, c, size)) {
            c->kind->add(it);
            return CRANK_OK;
        }
        if (predicted >= 1.0 && update_matrix(it, c, err)) {
            c->iterations = 0; /* the slow increment is discarded */
            continue;
        }
        if (predicted >= 1.0 && h.edge && isinf(predicted)) {
            h.edge = false;
            if (cross_edge(it, c, err) != CRANK_OK) {
                return CRANK_RETRY;
            }
            continue;
        }
        if (predicted >= 1.0) {
            c->shorter = shortening(it, c, predicted);
            return CRANK_RETRY;
        }
        c->eta = judged ? c->theta / (1.0 - c->theta) : c->eta;
        doubt(c, size, &h);
        note_size(it, c, size, &h);
        c->kind->add(it);
        if (c->iterations >= h.least && c->eta * size <= h.tolerance) {
            c->reach = find_reach(it, c, &h);
            c->eta = fmax(c->eta, h.left / h.first);
            c->learnt = judged ? h.first : 0.0;
            return CRANK_OK;
        }
    }
    return CRANK_RETRY;
}

/* ---- an attempt ---- */

/* The problem iterates itself. */
static crank_status advance(crank_integrator *it, crank_implicit *c, crank_error *err)
{
    double t[3], h[9];
    const crank_stages stages = {.count = c->kind->together,
                                 .t = t,
                                 .h = h,
                                 .old = c->old,
                                 .x = c->stage,
                                 .xdot = c->rate,
                                 .scale = it->scale,
                                 .absolute = it->atol_used[0],
                                 .relative = it->rtol_used[0],
                                 .tolerance = c->newton_tolerance,
                                 .precise = it->t_stop < it->t_bound};
    c->kind->place_stages(it, t);
    c->kind->rule(it, h, c->old, c->rate);
    c->learnt = c->theta = 0.0;
    c->reach = (double)INFINITY;
    c->shorter = halved;
    c->iterations = 1;
    c->h_tried = it->h;
    const crank_status status = it->problem->advance(it->problem, &stages, err);
    if (status == CRANK_OK) {
        c->kind->take(it, c->rate);
    }
    return status;
}

/* What is judged by the iteration is judged by the worst system. */
crank_status crank_implicit_solve(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_implicit *c = it->state;
    double theta = 0.0, reach = (double)INFINITY, learnt = 0.0;
    int iterations = 0;
    crank_status status = CRANK_OK;
    for (int i = 0; i < c->kind->systems && status == CRANK_OK; i++) {
        if (c->kind->predict != NULL) {
            c->kind->predict(it, i);
        }
        status = it->problem->advance != NULL ? advance(it, c, err) : crank_newton(it, c, err);
        a->shorter = c->shorter;
        learnt = fmax(learnt, c->learnt);
        c->known = fmax(c->known, learnt);
        theta = fmax(theta, c->theta);
        reach = fmin(reach, c->reach);
        iterations = iterations > c->iterations ? iterations : c->iterations;
    }
    c->known = learnt > 0.0 ? learnt : c->known;
    c->theta = theta;
    c->reach = reach;
    c->iterations = iterations;
    return status;
}

/* The end of the step onto all levels, where the stages are not: what that moves is part of the
 * error, as in explicit methods (theory 9.1). */
static crank_status arrive(crank_integrator *it, crank_implicit *c, crank_attempt *a,
                           crank_error *err)
{
    crank_problem *p = it->problem;
    double *from = c->stage, *moved = c->increment; /* free after the iteration */
    it->method->end(it, from);
    for (int j = 0; j < it->n; j++) {
        moved[j] = (from[j] - it->x[j]) / it->h;
    }
    const crank_status status =
        p->arrive(p, crank_integrator_step_end(it), from, moved, c->end, err);
    for (int j = 0; j < it->n; j++) {
        moved[j] = crank_integrator_is_differential(it, j) ? c->end[j] - from[j] : 0.0;
    }
    if (status == CRANK_OK) {
        const double size = crank_integrator_norm(it, 1, moved, it->h);
        a->size = size <= a->size ? a->size : size; /* NaN stays */
    }
    return status;
}

crank_status crank_implicit_attempt(crank_integrator *it, crank_attempt *a, crank_error *err)
{
    crank_implicit *c = it->state;
    crank_status status = crank_implicit_solve(it, a, err);
    if (status != CRANK_OK) {
        return status;
    }
    status = c->kind->estimate(it, a, err);
    a->blunt = status > CRANK_OK || a->jumping >= 0;
    a->size = a->blunt ? (double)INFINITY : a->size;
    status = status > CRANK_OK ? CRANK_OK : status;
    return status == CRANK_OK && it->problem->arrive != NULL && a->size <= 1.0
               ? arrive(it, c, a, err)
               : status;
}
