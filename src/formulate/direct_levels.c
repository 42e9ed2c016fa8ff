/* direct_levels.c - are the constraint levels that a direct formulation does not contain off by
 * more than its errors should be?
 *
 *     |k_i| > 100 sum_j |dk_i/dx_j| tol_j,   tol_j = atol_j + rtol |x_j|          theory (2.16)
 *
 * over the unknowns of its level: an error of tol in each explains a residual of one such sum,
 * whatever the units are, where the levels below hold. The acceleration level is looked at
 * where multipliers are tested as they are; elsewhere h or h^2 times their error is, by design,
 * and the motion does not suffer. Told once a run. Positions that are off because a constraint
 * jumps end it (direct_jumps.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include <math.h>
#include <string.h>

/* accepted steps between two looks, each of which is an evaluation of the constraints */
enum { LOOK_EVERY = CRANK_DIRECT_POINTS - 1 };

void crank_direct_levels_layout(crank_direct *s, crank_arena *arena)
{
    crank_direct_levels *l = &s->levels;
    l->hidden = crank_arena_take(arena, (size_t)s->eom->m, sizeof(bool));
    l->limit = crank_arena_take(arena, (size_t)s->eom->m, sizeof(double));
    l->before = crank_arena_take(arena, (size_t)s->eom->m, sizeof(double));
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
            s->levels.any = s->levels.any || s->levels.hidden[i];
        }
    }
    crank_direct_levels_restart(s);
}

void crank_direct_levels_restart(crank_direct *s)
{
    s->levels.restarted = true;
    s->levels.since = 0;
}

double crank_direct_tolerance(const crank_direct *s, int column, const double *x)
{
    const crank_options *o = &s->options;
    const int group = s->group[column];
    const double given[CRANK_GROUPS] = {
        [CRANK_W] = o->atol_w, [CRANK_LAMBDA] = o->atol_lambda, [CRANK_MU] = o->atol_mu,
        [CRANK_R] = o->atol_r, [CRANK_V] = o->atol_v,           [CRANK_S] = o->atol_s,
        [CRANK_P] = o->atol_p};
    const double of_group = given[group] > 0.0 ? given[group] : o->atol;
    const double *of_kind = s->base.atol;
    const bool by_kind = of_kind != NULL && of_kind[column] > 0.0;
    return (by_kind ? of_kind[column] : of_group) + o->rtol * fabs(x[column]);
}

bool crank_direct_is_position(const crank_eom *eom, int row)
{
    return (row >= eom->row[CRANK_ROW_G] && row < eom->row[CRANK_ROW_G + 1]) ||
           (row >= eom->row[CRANK_ROW_N] && row < eom->row[CRANK_ROW_N + 1]);
}

/* 0: positions, 1: velocities, 2: accelerations and multipliers */
static int level_of_column(const crank_eom *eom, int j)
{
    return j < eom->column[CRANK_R] ? 2 : j < eom->column[CRANK_S] ? 1 : 0;
}

static int level_of_row(const crank_eom *eom, int i)
{
    return i < eom->row[CRANK_ROW_GI] ? 2 : crank_direct_is_position(eom, i) ? 0 : 1;
}

/* theory (2.16), with the gradients of the point prepared last */
static void find_limits(crank_direct *s, const double *x)
{
    const crank_eom *eom = s->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    double *limit = s->levels.limit;
    memset(limit, 0, (size_t)eom->m * sizeof *limit);
    for (int j = 0; j < eom->n; j++) {
        const double tolerance = crank_direct_tolerance(s, j, x);
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            const int i = J->row[e];
            if (i < eom->row[CRANK_ROW_B] && level_of_row(eom, i) == level_of_column(eom, j)) {
                limit[i] += fabs(s->jacobian[e]) * tolerance;
            }
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

/* ---- looks ---- */

/* the hidden row that is violated most, over its limit; -1: none too much */
static int find_worst(const crank_direct *s, double *times)
{
    const crank_direct_levels *l = &s->levels;
    int worst = -1;
    *times = CRANK_DIRECT_MOST;
    for (int i = 0; i < s->eom->row[CRANK_ROW_B]; i++) {
        const double size =
            l->hidden[i] && l->limit[i] > 0.0 ? fabs(s->rows[i]) / l->limit[i] : 0.0;
        worst = size > *times ? i : worst;
        *times = size > *times ? size : *times;
    }
    return worst;
}

/* Has a hidden position level changed by much since the last look? */
static bool has_moved(crank_direct *s)
{
    crank_direct_levels *l = &s->levels;
    bool moved = false;
    for (int i = 0; i < s->eom->row[CRANK_ROW_B]; i++) {
        moved = moved || (l->hidden[i] && crank_direct_is_position(s->eom, i) &&
                          fabs(s->rows[i] - l->before[i]) > CRANK_DIRECT_MOST * l->limit[i]);
    }
    memcpy(l->before, s->rows, (size_t)s->eom->row[CRANK_ROW_B] * sizeof *l->before);
    return moved;
}

static void restart_at(crank_direct *s, double t) /* by an event, or for another run */
{
    crank_direct_levels *l = &s->levels;
    l->told = l->told && t >= l->t_last;
    l->restarted = false;
    memset(l->before, 0, (size_t)s->eom->m * sizeof *l->before);
    crank_direct_jumps_restart(s);
}

crank_status crank_direct_levels_look(crank_direct *s, double t, const double *x, bool last,
                                      crank_error *err)
{
    crank_direct_levels *l = &s->levels;
    crank_eom *eom = s->eom;
    if (l->restarted) {
        restart_at(s, t);
    }
    crank_direct_jumps_add(s, t, x);
    l->t_last = t;
    l->since += l->since < LOOK_EVERY;
    const bool hinted = crank_direct_jumps_hinted(s, x);
    const bool due = l->any && (l->since == LOOK_EVERY || last);
    if (!due && !hinted) {
        return CRANK_OK;
    }
    find_limits(s, x);
    if (hinted) {
        const crank_status status = crank_direct_jumps_look(s, false, err);
        if (status != CRANK_OK || !due) {
            return status;
        }
    }
    l->since = 0;
    if (eom->supplier.evaluate(eom->self, 1, &t, x, CRANK_ALGEBRAIC, s->rows, NULL) !=
        CRANK_OK) {
        return CRANK_OK; /* the next step will say so */
    }
    double times = 0.0;
    const int worst = find_worst(s, &times);
    const crank_status status = has_moved(s) ? crank_direct_jumps_look(s, true, err) : CRANK_OK;
    if (worst >= 0 && !l->told && status == CRANK_OK) {
        tell(s, t, worst, times);
    }
    return status;
}

void crank_direct_levels_archive(crank_direct *s, crank_archive *a)
{
    crank_archive_flag(a, &s->levels.told);
    crank_archive_int(a, &s->levels.since, 0, LOOK_EVERY);
    crank_archive_flag(a, &s->levels.restarted);
    crank_archive_double(a, &s->levels.t_last);
    crank_archive_doubles(a, s->levels.before, (size_t)s->eom->m);
}
