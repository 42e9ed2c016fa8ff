/* radau_jump.c - Radau IIA before and behind a singular position: when to jump (jump.c), where
 * to, and how to go on. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "integrate/stepper.h"
#include "integrate/tableau_radau.h"

#include <math.h>
#include <string.h>

/* part of the way to the position: a run that ends within need not approach it, but ends in a
 * jump */
static const double end_zone = 0.5;

/* first guess of the stages: the cubic through the last two step ends */
static void guess(const crank_integrator *it, crank_radau *s)
{
    crank_jump *jump = &s->jump;
    const double *slope = s->node_slope + (CRANK_RADAU_NODES - 1) * (long)it->n;
    for (int i = 0; i < CRANK_JUMP_STAGES; i++) {
        double *x = jump->X + (long)i * it->n, *rate = jump->rate + (i + 1) * (long)it->n;
        const double way = crank_jump_c[i] * jump->h;
        memcpy(x, it->x, (size_t)it->n * sizeof *x);
        memset(rate, 0, (size_t)it->n * sizeof *rate);
        for (int j = 0; j < it->n; j++) {
            if (it->problem->group[j] == CRANK_S) {
                x[j] += way * slope[j];
            }
        }
        crank_radau_hermite(it, s, jump->t + way, x, rate);
    }
}

/* The jump as the last step: what extrapolates it into the next one is made of its polynomial
 * at the places of the stages. Multipliers, which may have a pole, are not extrapolated. */
static void store_polynomial(const crank_integrator *it, crank_radau *s)
{
    const int n = it->n;
    for (int i = 0; i < 3; i++) {
        double *y = s->Y + (long)i * n;
        memcpy(y, s->jump.start, (size_t)n * sizeof *y);
        crank_jump_value(it, &s->jump, s->jump.t + crank_radau_c[i] * s->jump.h, y);
        for (int j = 0; j < n; j++) {
            y[j] -= s->jump.start[j];
        }
    }
    crank_radau_store_polynomial(it, s);
}

/* the jump as a step; if the run ends within, its part up to there */
static void commit(crank_integrator *it, crank_radau *s, crank_error *err)
{
    const crank_jump *jump = &s->jump;
    const int n = it->n;
    const double end = jump->t + jump->h;
    it->statistics.attempts++;
    it->attempts++;
    store_polynomial(it, s);
    crank_radau_keep_begin(it, s);
    memcpy(it->x, jump->end, (size_t)n * sizeof *it->x);
    const bool cut = end > it->t_stop;
    if (cut) {
        crank_jump_value(it, jump, it->t_stop, it->x);
        crank_integrator_correct_near_singular(it, it->t_stop, it->x, err);
    }
    /* jumps have no error estimate of this kind */
    crank_stepper_advance(it, end >= it->t_stop ? it->t_stop : end, (double)NAN);
    it->jumped = true;
    s->common.h_old = jump->h;
    s->common.first = false;
    it->stopped = crank_radau_conclude(it, s, crank_integrator_finished(it), &it->stop_reason);
    /* the node's slope is known, better than from the polynomial of a step as long as this */
    const double *rate = jump->rate + (CRANK_JUMP_RATES - 1) * (long)n;
    for (int j = 0; j < n && s->nodes > 0; j++) {
        if (crank_integrator_is_differential(it, j)) {
            s->node_slope[(CRANK_RADAU_NODES - 1) * (long)n + j] = rate[j];
        }
    }
    if (cut) { /* polynomial and slope are those of the whole jump and do not go on from here */
        s->common.first = true;
        s->nodes = 0;
    }
}

crank_status crank_radau_jump(crank_integrator *it, crank_radau *s, bool *jumped,
                              crank_error *err)
{
    crank_problem *p = it->problem;
    crank_jump *jump = &s->jump;
    *jumped = false;
    if (it->options.singular != CRANK_SINGULAR_PASS || p->passage == NULL || p->rates == NULL ||
        it->t == jump->failed_t || s->nodes < CRANK_RADAU_NODES ||
        !p->passage->ahead(p, it->t, &jump->zero)) {
        return CRANK_OK;
    }
    jump->t = it->t;
    jump->h = 2.0 * (jump->zero - it->t);
    if (it->t_stop < jump->zero - end_zone * (jump->zero - it->t)) {
        return CRANK_OK; /* the run ends before */
    }
    const double limit = it->options.h_max > 0.0 ? it->options.h_max : jump->h;
    if (jump->h > fmin(jump->longest, limit)) {
        return CRANK_OK;
    }
    guess(it, s);
    const crank_status status = crank_jump_solve(it, jump, err);
    s->common.need_jacobian = s->common.need_factor = true;
    s->common.jacobian_fresh = false;
    if (status == CRANK_OK) {
        commit(it, s, err);
        *jumped = true;
        jump->longest = (double)INFINITY;
    } else {
        jump->failed_t = it->t;
        if (jump->too_long > 0.0) { /* the defect falls with this power of the length */
            jump->longest = jump->h * pow(jump->too_long, -1.0 / (CRANK_JUMP_STAGES + 1));
        }
    }
    return CRANK_OK;
}
