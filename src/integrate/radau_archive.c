/* radau_archive.c - checkpoints of Radau IIA: what one step leaves to the next and to rows between steps. Stages,
 * increments and residuals (Y, Z, dZ, X, K, F, lead, error, xdot; of a jump tolerance, work, k, zero, regularity,
 * too_long) are filled anew before they are read. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

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

void crank_radau_archive(crank_integrator *it, crank_archive *a)
{
    crank_radau *s = it->state;
    const size_t n = (size_t)it->n;
    crank_archive_check(a, "step ends", CRANK_RADAU_NODES);
    crank_archive_doubles(a, s->polynomial, 3 * n);
    crank_archive_doubles(a, s->begin, n);
    crank_archive_doubles(a, s->before, n);
    crank_archive_doubles(a, s->earlier, n);
    crank_archive_doubles(a, s->estimate, n);
    crank_archive_double(a, &s->h_before);
    crank_archive_double(a, &s->h_earlier);
    crank_archive_int(a, &s->nodes, 0, CRANK_RADAU_NODES);
    crank_implicit_archive(it, &s->common, a);
    if (it->options.singular == CRANK_SINGULAR_PASS) {
        crank_archive_doubles(a, s->node_slope, CRANK_RADAU_NODES * n);
        archive_jump(it, &s->jump, a);
    }
}
