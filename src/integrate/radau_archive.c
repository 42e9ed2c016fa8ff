/* radau_archive.c - checkpoints of Radau IIA: what one step leaves to the next and to rows between steps. Stages,
 * increments and residuals (Y, Z, dZ, X, K, F, lead, error, xdot; of a jump tolerance, work, k, zero, regularity,
 * too_long) are filled anew before they are read. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include <limits.h>

static const int most = INT_MAX / 2; /* of what is counted on */

static void archive_jump(const crank_integrator *it, crank_jump *jump, crank_archive *a)
{
    const size_t n = (size_t)it->n;
    crank_archive_doubles(a, jump->X, CRANK_JUMP_STAGES * n);
    crank_archive_doubles(a, jump->rate, CRANK_JUMP_RATES * n);
    crank_archive_doubles(a, jump->start, n);
    crank_archive_doubles(a, jump->end, n);
    crank_archive_double(a, &jump->t);
    crank_archive_double(a, &jump->h);
    crank_archive_double(a, &jump->longest);
    crank_archive_double(a, &jump->failed_t);
}

static void archive_newton(const crank_integrator *it, crank_radau *s, crank_archive *a)
{
    bool *const flags[] = {&s->need_jacobian, &s->need_factor, &s->jacobian_fresh,
                           &s->need_k0,       &s->first,       &s->rejected};
    double *const values[] = {
        &s->newton_tolerance, &s->eta,     &s->theta,    &s->failed_size, &s->h_old,
        &s->h_accepted,       &s->h_tried, &s->h_failed, &s->h_limit,     &s->error_accepted};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        crank_archive_flag(a, flags[i]);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        crank_archive_double(a, values[i]);
    }
    crank_archive_int(a, &s->iterations, 0, most);
    crank_archive_int(a, &s->failures, 0, most);
    crank_archive_int(a, &s->reused, 0, most);
    crank_archive_int(a, &s->jumping, -1, it->n - 1);
}

void crank_radau_archive(crank_integrator *it, crank_archive *a)
{
    crank_radau *s = it->state;
    const size_t n = (size_t)it->n, m = (size_t)it->m;
    crank_archive_check(a, "step ends", CRANK_RADAU_NODES);
    crank_archive_doubles(a, s->k0, m);
    crank_archive_doubles(a, s->polynomial, 3 * n);
    crank_archive_doubles(a, s->begin, n);
    crank_archive_doubles(a, s->before, n);
    crank_archive_doubles(a, s->earlier, n);
    crank_archive_doubles(a, s->estimate, n);
    crank_archive_double(a, &s->h_before);
    crank_archive_double(a, &s->h_earlier);
    crank_archive_int(a, &s->nodes, 0, CRANK_RADAU_NODES);
    archive_newton(it, s, a);
    if (it->options.singular == CRANK_SINGULAR_PASS) {
        crank_archive_doubles(a, s->node_slope, CRANK_RADAU_NODES * n);
        archive_jump(it, &s->jump, a);
    }
}
