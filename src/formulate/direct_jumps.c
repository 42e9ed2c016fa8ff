/* direct_jumps.c - has a direct formulation led across a jump of a constraint (a drive that is
 * not continuous)?
 *
 *     kappa(u) = k_i(t_a + u (t_b - t_a), x_a + u (x_b - x_a)),   0 <= u <= 1     theory (2.19)
 *
 * for the positions' rows k_i = g, n along the chord of an accepted step. In parts of it the
 * deviation of kappa from a straight line, |kappa(middle) - mean of kappa at both ends|, falls
 * with the square of their length, at a kink with the length; in the part with a jump it is
 * half of that, however short it is. Looked for where something hints at it: a position level
 * that a form does not contain has changed by 100 times its tolerance; theta moves positions
 * (theory 2.12) as much as velocities do; the step is far shorter than those before. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include <math.h>
#include <string.h>

/* a row jumps if it deviates as much after so many halvings of a step: kinks are below rounding
 * then */
enum { HALVINGS = 40 };
/* part of the way of a step from which on theta is suspected, and length of one after longer
 * ones */
static const double large_part = 0.1, short_part = 0.01;
/* a bound of sums and products is above them, however they were rounded */
static const double beyond_rounding = 1.0 + 1e-6;

void crank_direct_jumps_layout(crank_direct *s, crank_arena *arena)
{
    crank_direct_jumps *j = &s->jumps;
    const size_t n = (size_t)s->eom->n, m = (size_t)s->eom->m;
    j->x = crank_arena_take(arena, 2 * CRANK_DIRECT_POINTS * n, sizeof(double));
    j->point = crank_arena_take(arena, n, sizeof(double));
    j->push = crank_arena_take(arena, (size_t)s->eom->sizes.p, sizeof(double));
    j->low = crank_arena_take(arena, m, sizeof(double));
    j->middle = crank_arena_take(arena, m, sizeof(double));
    j->high = crank_arena_take(arena, m, sizeof(double));
}

void crank_direct_jumps_restart(crank_direct *s)
{
    s->jumps.points = s->jumps.first = 0;
}

static double time_of(const crank_direct *s, int i)
{
    return s->jumps.t[s->jumps.first + i];
}

static double *point_of(const crank_direct *s, int i)
{
    return s->jumps.x + (size_t)(s->jumps.first + i) * (size_t)s->eom->n;
}

/* the first place is theirs again */
static void move_back(crank_direct *s)
{
    crank_direct_jumps *j = &s->jumps;
    const size_t n = (size_t)s->eom->n, points = (size_t)j->points;
    memmove(j->t, j->t + j->first, points * sizeof *j->t);
    memmove(j->x, point_of(s, 0), points * n * sizeof *j->x);
    j->first = 0;
}

/* The largest sum of |B_ij| of a position, of the gradients as they are: no component of B^T theta
 * is larger than it times the largest theta. */
static double reach(crank_direct *s)
{
    crank_gradient *g = &s->gradient;
    double *sum = s->jumps.push; /* work here */
    if (g->measured) {
        return g->reach;
    }
    memset(sum, 0, (size_t)s->eom->sizes.p * sizeof *sum);
    g->reach = 0.0;
    for (int e = 0; e < g->start[s->extra]; e++) {
        const double part = sum[g->column[e]] += fabs(g->value[e]);
        g->reach = part <= g->reach ? g->reach : part;
    }
    g->measured = true;
    return g->reach;
}

/* the smallest tolerance that a position may have, wherever it is */
static double least_tolerance(crank_direct *s)
{
    const crank_eom *eom = s->eom;
    crank_direct_jumps *j = &s->jumps;
    double *nowhere = j->point; /* work here */
    if (j->least > 0.0) {
        return j->least;
    }
    memset(nowhere, 0, (size_t)eom->n * sizeof *nowhere);
    j->least = (double)INFINITY;
    for (int p = 0; p < eom->sizes.p; p++) {
        j->least = fmin(j->least, crank_direct_tolerance(s, eom->column[CRANK_P] + p, nowhere));
    }
    return j->least;
}

/* h B^T theta of the last step, its largest component and that of theta. It is made where it may
 * be the largest of the run or more than the positions' tolerances explain. */
static void note_push(crank_direct *s, const double *x)
{
    const crank_gradient *g = &s->gradient;
    crank_direct_jumps *j = &s->jumps;
    const int last = j->points - 1;
    const double h = last > 0 ? time_of(s, last) - time_of(s, last - 1) : 0.0;
    double *push = j->push, largest = s->statistics.max_push, eta = 0.0;
    for (int i = 0; i < s->extra; i++) {
        const double size = fabs(x[s->eom->n + i]);
        eta = size <= eta ? eta : size; /* NaN stays */
    }
    s->statistics.max_eta = eta > s->statistics.max_eta ? eta : s->statistics.max_eta;
    const double most = beyond_rounding * h * eta * reach(s);
    j->pushed = !(most <= largest && most <= CRANK_DIRECT_MOST * least_tolerance(s));
    if (!j->pushed) {
        return;
    }
    memset(push, 0, (size_t)s->eom->sizes.p * sizeof *push);
    for (int i = 0; i < s->extra; i++) {
        const double theta = x[s->eom->n + i];
        for (int e = g->start[i]; e < g->start[i + 1]; e++) {
            push[g->column[e]] += h * g->value[e] * theta;
        }
    }
    for (int p = 0; p < s->eom->sizes.p; p++) {
        const double size = fabs(push[p]);
        largest = size > largest ? size : largest;
    }
    s->statistics.max_push = largest;
}

void crank_direct_jumps_add(crank_direct *s, double t, const double *x)
{
    crank_direct_jumps *j = &s->jumps;
    while (j->points > 0 && time_of(s, j->points - 1) >= t) { /* steps were taken back */
        j->points--;
    }
    if (j->points == CRANK_DIRECT_POINTS) {
        j->points--;
        j->first++;
    }
    if (j->first + j->points == 2 * CRANK_DIRECT_POINTS) {
        move_back(s);
    }
    j->t[j->first + j->points] = t;
    memcpy(point_of(s, j->points), x, (size_t)s->eom->n * sizeof *x);
    j->points++;
    if (s->extra > 0) {
        note_push(s, x);
    }
}

/* ---- hints ---- */

/* Is a large part of the last step made by theta, that is, not by the velocities? */
static bool is_pushed(const crank_direct *s, const double *before, const double *x)
{
    const crank_eom *eom = s->eom;
    const double *push = s->jumps.push;
    bool pushed = false;
    for (int j = 0; j < eom->sizes.p && s->jumps.pushed; j++) {
        const int column = eom->column[CRANK_P] + j;
        const double moved = fabs(x[column] - before[column]);
        pushed = pushed ||
                 (fabs(push[j]) > large_part * moved &&
                  fabs(push[j]) > CRANK_DIRECT_MOST * crank_direct_tolerance(s, column, x));
    }
    return pushed;
}

bool crank_direct_jumps_hinted(crank_direct *s, const double *x)
{
    const crank_direct_jumps *j = &s->jumps;
    double longest = 0.0;
    if (j->points < 2) {
        return false;
    }
    const double *t = j->t + j->first;
    const double h = t[j->points - 1] - t[j->points - 2];
    const bool may_be_short = h < short_part * (t[j->points - 1] - t[0]);
    for (int i = 1; i < j->points && may_be_short; i++) {
        const double length = t[i] - t[i - 1];
        longest = length > longest ? length : longest;
    }
    return h < short_part * longest ||
           (s->extra > 0 && is_pushed(s, point_of(s, j->points - 2), x));
}

/* ---- where ---- */

/* all algebraic rows at part u of the step from point i on */
static bool evaluate(crank_direct *s, int i, double u, double *rows)
{
    crank_direct_jumps *j = &s->jumps;
    crank_eom *eom = s->eom;
    const double *a = point_of(s, i), *b = a + eom->n;
    const double from = time_of(s, i), to = time_of(s, i + 1);
    const double t = u < 1.0 ? from + u * (to - from) : to;
    for (int c = 0; c < eom->n; c++) {
        j->point[c] = u < 1.0 ? a[c] + u * (b[c] - a[c]) : b[c];
    }
    return eom->supplier.evaluate(eom->self, 1, &t, j->point, CRANK_ALGEBRAIC, rows, NULL) ==
           CRANK_OK;
}

/* Parts of the step are halved from left to right as long as they deviate from straight lines,
 * theory (2.19). *t: where the jump is. */
static bool is_jump(crank_direct *s, int i, int row, double *t)
{
    const crank_direct_jumps *j = &s->jumps;
    const double most = 0.5 * CRANK_DIRECT_MOST * s->levels.limit[row];
    double u = 0.0,
           value = j->low[row]; /* beginning of the part, and ends of it and those around it */
    double end[HALVINGS + 1] = {1.0}, end_value[HALVINGS + 1] = {j->high[row]};
    int depth = 0;
    while (depth >= 0 && most > 0.0) {
        const double half = 0.5 * (u + end[depth]);
        const bool first = u == 0.0 && depth == 0;
        if (!first && !evaluate(s, i, half, s->rows)) {
            return false; /* the next step will say so */
        }
        const double middle = first ? j->middle[row] : s->rows[row];
        if (!(fabs(middle - 0.5 * (value + end_value[depth])) > most)) {
            u = end[depth];
            value = end_value[depth--];
        } else if (end[depth] - u <= ldexp(1.0, -HALVINGS)) {
            *t = time_of(s, i) + end[depth] * (time_of(s, i + 1) - time_of(s, i));
            return true;
        } else {
            end[++depth] = half;
            end_value[depth] = middle;
        }
    }
    return false;
}

/* a row that jumps in the step from point i on; -1: none */
static int find_row(crank_direct *s, int i, double *t)
{
    const crank_eom *eom = s->eom;
    const crank_direct_jumps *j = &s->jumps;
    if (evaluate(s, i, 0.0, j->low) && evaluate(s, i, 0.5, j->middle) &&
        evaluate(s, i, 1.0, j->high)) {
        for (int row = 0; row < eom->row[CRANK_ROW_B]; row++) {
            if (crank_direct_is_position(eom, row) && is_jump(s, i, row, t)) {
                return row;
            }
        }
    }
    return -1;
}

/* what equations remember (turns of joints) is as it was at point i */
static void remember(crank_direct *s, int i)
{
    (void)crank_eom_accepted(s->eom, time_of(s, i), point_of(s, i), NULL);
}

crank_status crank_direct_jumps_look(crank_direct *s, bool all, crank_error *err)
{
    const crank_direct_jumps *j = &s->jumps;
    const int last = j->points - 1;
    double t = 0.0;
    char name[200];
    int row = -1, i = last;
    while (i > 0 && row < 0 && (all || i == last)) {
        row = find_row(s, --i, &t);
        remember(s, i);
    }
    while (i < last) {
        remember(s, ++i);
    }
    return row < 0 ? CRANK_OK
                   : crank_fail(err, CRANK_ESTOP_EQUATIONS,
                                "%s jumps at t = %.10g: a constraint (a drive?) is not "
                                "continuous there",
                                crank_eom_row_name(s->eom, row, name, sizeof name), t);
}

void crank_direct_jumps_archive(crank_direct *s, crank_archive *a)
{
    crank_direct_jumps *j = &s->jumps;
    move_back(s);
    crank_archive_int(a, &j->points, 0, CRANK_DIRECT_POINTS);
    crank_archive_doubles(a, j->t, CRANK_DIRECT_POINTS);
    crank_archive_doubles(a, j->x, CRANK_DIRECT_POINTS * (size_t)s->eom->n);
}
