/* direct_levels.c - are the constraint levels that a direct formulation does not contain off by more than its errors should be?
 *
 *     |k_i| > 100 sum_j |dk_i/dx_j| tol_j,   tol_j = atol_j + rtol |x_j|                              theory (2.15)
 *
 * An error of tol in every unknown of a row explains a residual of one such sum, whatever the units are. The acceleration
 * level is looked at where multipliers are tested as they are; elsewhere h or h^2 times their error is, by design, and the motion
 * does not suffer. Told once a run, after that nothing is looked at. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include <math.h>
#include <string.h>

/* accepted steps between two looks, each of which is an evaluation of the constraints */
enum { LOOK_EVERY = 8 };
static const double most = 100.0;

void crank_direct_levels_layout(crank_direct *s, crank_arena *arena)
{
    crank_direct_levels *l = &s->levels;
    l->hidden = crank_arena_take(arena, (size_t)s->eom->m, sizeof(bool));
    l->limit = crank_arena_take(arena, (size_t)s->eom->m, sizeof(double));
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

void crank_direct_levels_look(crank_direct *s, double t, const double *x, bool last)
{
    crank_direct_levels *l = &s->levels;
    crank_eom *eom = s->eom;
    if (l->restarted) { /* by an event, or for another run */
        l->told = l->told && t >= l->t_last;
        l->restarted = false;
    }
    l->t_last = t;
    l->since++;
    if (l->told || (l->since < LOOK_EVERY && !last)) {
        return;
    }
    l->since = 0;
    double *k = s->rows;
    if (eom->supplier.evaluate(eom->self, 1, &t, x, CRANK_ALGEBRAIC, k, NULL) != CRANK_OK) {
        return; /* the next step will say so */
    }
    find_limits(s, x);
    int worst = -1;
    double largest = most;
    for (int i = 0; i < eom->row[CRANK_ROW_B]; i++) {
        const double times = l->hidden[i] && l->limit[i] > 0.0 ? fabs(k[i]) / l->limit[i] : 0.0;
        worst = times > largest ? i : worst;
        largest = times > largest ? times : largest;
    }
    if (worst >= 0) {
        tell(s, t, worst, largest);
    }
}

void crank_direct_levels_archive(crank_direct *s, crank_archive *a)
{
    crank_archive_flag(a, &s->levels.told);
    crank_archive_int(a, &s->levels.since, 0, LOOK_EVERY);
    crank_archive_flag(a, &s->levels.restarted);
    crank_archive_double(a, &s->levels.t_last);
}
