/* direct_levels.c - are the constraint levels that a direct formulation does not contain off by more than its errors should be?
 *
 *     |k_i| > 100 sum_j |dk_i/dx_j| tol_j,   tol_j = atol_j + rtol |x_j|                              theory (2.15)
 *
 * An error of tol in every unknown of a row explains a residual of one such sum, whatever the units are. The acceleration
 * level is looked at where multipliers are tested as they are; elsewhere h or h^2 times their error is, by design, and the motion
 * does not suffer. Told once a run, after that no level is looked at. A row that is violated because it jumps at some time (a drive
 * does), and one that ggl follows by theta alone, ends the run. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include <math.h>
#include <string.h>

/* accepted steps between two looks, each of which is an evaluation of the constraints */
enum { LOOK_EVERY = 8 };
static const double most = 100.0;
/* a row jumps if so much of its change over a step is left in so many halvings of it */
enum { HALVINGS = 40 };
static const double still = 0.1;
/* part of the way of a step from which on theta is suspected of following a jump */
static const double large_part = 0.1;

void crank_direct_levels_layout(crank_direct *s, crank_arena *arena)
{
    crank_direct_levels *l = &s->levels;
    l->hidden = crank_arena_take(arena, (size_t)s->eom->m, sizeof(bool));
    l->limit = crank_arena_take(arena, (size_t)s->eom->m, sizeof(double));
    l->p = crank_arena_take(arena, (size_t)s->eom->sizes.p, sizeof(double));
    l->push = crank_arena_take(arena, (size_t)s->eom->sizes.p, sizeof(double));
}

/* rows are chosen */
void crank_direct_levels_create(crank_direct *s)
{
    static const crank_row_group groups[] = {CRANK_ROW_GII, CRANK_ROW_HI, CRANK_ROW_GI,
                                             CRANK_ROW_H,   CRANK_ROW_G,  CRANK_ROW_N};
    const crank_eom *eom = s->eom;
    const bool mixed = s->form->underlying || s->form->baumgarte;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        const bool there = s->form->accelerations || groups[g] > CRANK_ROW_HI;
        for (int i = eom->row[groups[g]]; i < eom->row[groups[g] + 1]; i++) {
            const bool kept = groups[g] == CRANK_ROW_N && !s->form->underlying;
            s->levels.hidden[i] = there && !kept && (mixed || s->target[i] < 0);
        }
    }
    crank_direct_levels_restart(s);
}

void crank_direct_levels_restart(crank_direct *s)
{
    s->levels.restarted = true;
    s->levels.since = 0;
}

static double absolute(const crank_options *o, int group)
{
    const double given[CRANK_GROUPS] = {
        [CRANK_W] = o->atol_w, [CRANK_LAMBDA] = o->atol_lambda, [CRANK_MU] = o->atol_mu,
        [CRANK_R] = o->atol_r, [CRANK_V] = o->atol_v,           [CRANK_S] = o->atol_s,
        [CRANK_P] = o->atol_p};
    return given[group] > 0.0 ? given[group] : o->atol;
}

/* theory (2.15), with the gradients of the point prepared last */
static void find_limits(crank_direct *s, const double *x)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    double *limit = s->levels.limit;
    memset(limit, 0, (size_t)eom->m * sizeof *limit);
    for (int j = 0; j < eom->n; j++) {
        const double tolerance =
            absolute(&s->options, s->group[j]) + s->options.rtol * fabs(x[j]);
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            limit[J->row[e]] += fabs(s->jacobian[e]) * tolerance;
        }
    }
}

static void tell(crank_direct *s, double t, int row, double times)
{
    char name[200];
    s->levels.told = true;
    crank_log_write(&s->log, CRANK_WARNING,
                    "t = %.6g: %s is violated by %.2g times what the tolerances allow; %s does "
                    "not contain this level, and the motion may be as far off: compare with "
                    "psf-radau or smaller tolerances",
                    t, crank_eom_row_name(s->eom, row, name, sizeof name), times,
                    s->form->name);
}

/* ---- constraints that jump ---- */

static bool evaluate(crank_direct *s, double t, const double *x)
{
    crank_eom *eom = s->eom;
    return eom->supplier.evaluate(eom->self, 1, &t, x, CRANK_ALGEBRAIC, s->rows, NULL) ==
           CRANK_OK;
}

/* Does a row jump between two times, with x held? *at: where. The larger half of a smooth change is halved again and again. */
static bool find_jump(crank_direct *s, int row, const double *x, double span[2])
{
    double value[2], whole = 0.0;
    for (int i = 0; i < 2; i++) {
        if (!evaluate(s, span[i], x)) {
            return false;
        }
        value[i] = s->rows[row];
    }
    whole = fabs(value[1] - value[0]);
    bool jumps = whole > most * s->levels.limit[row];
    for (int halving = 0; halving < HALVINGS && jumps; halving++) {
        const double middle = 0.5 * (span[0] + span[1]);
        if (!evaluate(s, middle, x)) {
            return false;
        }
        const double half = s->rows[row];
        const int moved = fabs(half - value[0]) > fabs(value[1] - half); /* which end is */
        span[moved] = middle;
        value[moved] = half;
        jumps = fabs(value[1] - value[0]) > still * whole;
    }
    return jumps;
}

/* span: from where on it may have happened, to where */
static crank_status fail_if_it_jumps(crank_direct *s, int row, const double *x, double from,
                                     double to, crank_error *err)
{
    double span[2] = {from, to};
    char name[200];
    if (s->eom->autonomous || !(from < to) || !find_jump(s, row, x, span)) {
        return CRANK_OK;
    }
    return crank_fail(err, CRANK_ESTOP_EQUATIONS,
                      "%s jumps at t = %.10g: a constraint (a drive?) is not continuous there",
                      crank_eom_row_name(s->eom, row, name, sizeof name), span[1]);
}

/* Is a large part of the last step made by theta, that is, not by the velocities? theory (2.12) */
static bool is_pushed(crank_direct *s, double h, const double *x)
{
    const crank_eom *eom = s->eom;
    const crank_gradient *g = &s->gradient;
    double *push = s->levels.push;
    const double *p = x + eom->column[CRANK_P];
    bool pushed = false;
    memset(push, 0, (size_t)eom->sizes.p * sizeof *push);
    for (int i = 0; i < s->base.extra; i++) {
        for (int e = g->start[i]; e < g->start[i + 1]; e++) {
            push[g->column[e]] += h * g->value[e] * x[eom->n + i];
        }
    }
    for (int j = 0; j < eom->sizes.p; j++) {
        const double tolerance =
            absolute(&s->options, CRANK_P) + s->options.rtol * fabs(p[j]);
        pushed = pushed || (fabs(push[j]) > most * tolerance &&
                            fabs(push[j]) > large_part * fabs(p[j] - s->levels.p[j]));
    }
    return pushed;
}

/* ggl keeps positions on a constraint that jumps, and velocities on its derivative, which does not */
static crank_status look_at_push(crank_direct *s, double t, const double *x, crank_error *err)
{
    const crank_eom *eom = s->eom;
    crank_direct_levels *l = &s->levels;
    crank_status status = CRANK_OK;
    if (!s->form->stabilised || eom->autonomous) {
        return CRANK_OK;
    }
    if (t > l->t_last && !l->restarted && is_pushed(s, t - l->t_last, x)) {
        find_limits(s, x);
        for (int i = eom->row[CRANK_ROW_G]; i < eom->row[CRANK_ROW_G + 1]; i++) {
            status = status == CRANK_OK ? fail_if_it_jumps(s, i, x, l->t_last, t, err) : status;
        }
    }
    memcpy(l->p, x + eom->column[CRANK_P], (size_t)eom->sizes.p * sizeof *l->p);
    return status;
}

/* ---- looks ---- */

/* the hidden row that is violated most, over its limit; -1: none too much */
static int find_worst(crank_direct *s, const double *x, double *times)
{
    const crank_direct_levels *l = &s->levels;
    int worst = -1;
    *times = most;
    find_limits(s, x);
    for (int i = 0; i < s->eom->row[CRANK_ROW_B]; i++) {
        const double size =
            l->hidden[i] && l->limit[i] > 0.0 ? fabs(s->rows[i]) / l->limit[i] : 0.0;
        worst = size > *times ? i : worst;
        *times = size > *times ? size : *times;
    }
    return worst;
}

crank_status crank_direct_levels_look(crank_direct *s, double t, const double *x, bool last,
                                      crank_error *err)
{
    crank_direct_levels *l = &s->levels;
    crank_status status = look_at_push(s, t, x, err);
    if (l->restarted) { /* by an event, or for another run */
        l->told = l->told && t >= l->t_last;
        l->restarted = false;
        l->t_look = t;
    }
    l->t_last = t;
    l->since++;
    if (status != CRANK_OK || l->told || (l->since < LOOK_EVERY && !last)) {
        return status;
    }
    l->since = 0;
    if (!evaluate(s, t, x)) {
        return CRANK_OK; /* the next step will say so */
    }
    double times = 0.0;
    const int worst = find_worst(s, x, &times);
    if (worst >= 0) {
        status = fail_if_it_jumps(s, worst, x, l->t_look, t, err);
    }
    if (worst >= 0 && status == CRANK_OK) {
        tell(s, t, worst, times);
    }
    l->t_look = t;
    return status;
}

void crank_direct_levels_archive(crank_direct *s, crank_archive *a)
{
    crank_archive_flag(a, &s->levels.told);
    crank_archive_int(a, &s->levels.since, 0, LOOK_EVERY);
    crank_archive_flag(a, &s->levels.restarted);
    crank_archive_double(a, &s->levels.t_last);
    crank_archive_double(a, &s->levels.t_look);
    crank_archive_doubles(a, s->levels.p, (size_t)s->eom->sizes.p);
}
