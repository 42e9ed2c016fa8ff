/* switches_bends.c - see switches_bends.h.
 *
 * At a knot the second derivative of a table jumps, and rates x' of the motion with it, by J. No
 * formula of high order leads across that. One-step methods lose nothing where a step ends at
 * the knot; methods that remember steps start anew behind it, at order 1, and where knots are
 * dense that is most of what they do. There second derivatives come back between the knots:
 * rates that jump to and fro by J at a distance d leave the motion within d |J|/16 of a smooth
 * one. So for these methods a knot at which a step ends is quiet if, over the tolerance,
 *     d |J| <= 1/2                                                             theory 8.7
 * and after three quiet ones in a row steps lead across those at which tables jump by no more
 * than twice as much, until an attempt that contains one is rejected. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/switches_bends.h"

#include "base/archive.h"

#include <math.h>
#include <string.h>

enum { QUIET = 3 };
static const double little = 0.5, alike = 2.0;
/* behind a knot that is this many times as loud, so many are not listened to */
static const double loud = 20.0;
enum { DEAF = 7 };

static crank_problem *problem_of(const crank_integrator *it)
{
    const crank_alternatives *all = it->problem->alternatives;
    return all != NULL ? all->part[all->now] : it->problem;
}

static int most_rows(const crank_integrator *it)
{
    const crank_alternatives *all = it->problem->alternatives;
    int rows = it->problem->m;
    for (int i = 0; i < CRANK_PARTS && all != NULL; i++) {
        rows = all->part[i] != NULL && all->part[i]->m > rows ? all->part[i]->m : rows;
    }
    return rows;
}

size_t crank_bends_size(const crank_integrator *it, const crank_switches *given)
{
    const size_t bends = (size_t)given->bends, values = (size_t)given->count + bends;
    return bends == 0 ? 0 : bends + 2 * values + 3 * (size_t)it->n + (size_t)most_rows(it);
}

void crank_bends_layout(crank_bends *b, const crank_integrator *it, const crank_switches *given,
                        double *values)
{
    const size_t n = (size_t)it->n, all = (size_t)given->count + (size_t)given->bends;
    *b = (crank_bends){.first = given->count - given->bends, .count = given->bends};
    b->limit = values;
    b->before = b->limit + given->bends;
    b->behind = b->before + all;
    b->rate = b->behind + all;
    b->rate_behind = b->rate + n;
    b->x = b->rate_behind + n;
    b->k = b->x + n;
    crank_bends_start(b);
}

void crank_bends_start(crank_bends *b)
{
    b->quiet = b->deaf = 0;
    b->t_last = (double)NAN;
}

/* how much the second derivative of condition i jumps; zero where it is continuous */
static double jump_of(const crank_bends *b, int i)
{
    const int value = b->first + i, derivative = value + b->count;
    return b->before[value] != b->behind[value]
               ? fabs(b->behind[derivative] - b->before[derivative])
               : 0.0;
}

bool crank_bends_alone(crank_bends *b, const crank_switches *given, double t_before,
                       double t_behind)
{
    if (b->count == 0) {
        return false;
    }
    given->evaluate(given->user, t_before, b->before);
    given->evaluate(given->user, t_behind, b->behind);
    return memcmp(b->before, b->behind, (size_t)b->first * sizeof *b->before) == 0;
}

bool crank_bends_may_pass(crank_bends *b, const crank_switches *given, double t_before,
                          double t_behind)
{
    bool may = b->quiet >= QUIET && crank_bends_alone(b, given, t_before, t_behind);
    for (int i = 0; i < b->count && may; i++) {
        may = jump_of(b, i) <= alike * b->limit[i];
    }
    return may;
}

/* x' of the unknowns that have one; false: not known */
static bool find_rates(crank_integrator *it, crank_bends *b, double *rate)
{
    crank_problem *p = problem_of(it);
    memset(rate, 0, (size_t)it->n * sizeof *rate);
    memcpy(b->x, it->x, (size_t)it->n * sizeof *b->x);
    if (p->derivative != NULL) {
        return p->derivative(p, it->t, b->x, rate, NULL) == CRANK_OK;
    }
    return p->rates != NULL && p->evaluate(p, 1, &it->t, it->x, b->k, NULL) == CRANK_OK &&
           p->rates(p, it->t, it->x, b->k, rate, NULL) == CRANK_OK;
}

void crank_bends_arrive(crank_integrator *it, crank_bends *b)
{
    const bool deaf = b->deaf > 0;
    b->deaf -= deaf ? 1 : 0;
    b->known = !deaf && find_rates(it, b, b->rate);
}

void crank_bends_leave(crank_integrator *it, crank_bends *b)
{
    const double since = it->t - b->t_last;
    b->t_last = it->t;
    if (!b->known || !find_rates(it, b, b->rate_behind)) {
        b->quiet = 0;
        return;
    }
    for (int j = 0; j < it->n; j++) {
        b->rate[j] -= b->rate_behind[j];
    }
    const double noticed = crank_integrator_norm(it, 1, b->rate, 1.0) * since;
    const bool first = b->quiet == 0;
    b->quiet = !(noticed <= little) ? 0 : b->quiet < QUIET ? b->quiet + 1 : QUIET;
    b->deaf = noticed > loud * little ? DEAF : 0;
    for (int i = 0; i < b->count; i++) {
        b->limit[i] = fmax(first ? 0.0 : b->limit[i], jump_of(b, i));
    }
}

void crank_bends_archive(crank_bends *b, crank_archive *a)
{
    if (b->count > 0) {
        crank_archive_int(a, &b->quiet, 0, QUIET);
        crank_archive_int(a, &b->deaf, 0, DEAF);
        crank_archive_double(a, &b->t_last);
        crank_archive_doubles(a, b->limit, (size_t)b->count);
    }
}
