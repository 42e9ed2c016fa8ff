/* psf_archive.c - checkpoints of psf and peom1: what one call leaves to the next. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/psf.h"

#include <limits.h>
#include <math.h>

static void archive_monitor(crank_psf *s, crank_archive *a)
{
    crank_archive_double(a, &s->prepared_t);
    crank_archive_doubles(a, s->prepared_x, (size_t)s->setup.eom->n);
    if (a->loading) {
        s->glance_t = (double)NAN; /* of the step before */
    }
    crank_scale_archive(&s->scale, a);
    crank_archive_doubles(a, s->largest, CRANK_WINDOWS);
    crank_archive_double(a, &s->ratio);
    crank_singular_archive(&s->singular, a);
    crank_singular_archive(&s->before, a);
    crank_rank_turn_archive(&s->turn, a);
    crank_archive_double(a, &s->passed_t);
    crank_archive_int(a, &s->passed_at, CRANK_TURN_LOOSE - s->setup.eom->sizes.v, INT_MAX);
}

void crank_psf_archive(crank_problem *base, crank_archive *a)
{
    crank_psf *s = (crank_psf *)base;
    const crank_eom *eom = s->setup.eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m;
    const size_t multipliers = (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu;
    crank_archive_check_options(a, &s->setup.options);
    crank_archive_statistics(a, &s->statistics);
    crank_archive_doubles(a, s->jacobian, (size_t)eom->jacobian_pattern.start[n]);
    if (s->setup.recursion != NULL) {
        crank_recursion_archive(eom->recursion, s->setup.recursion, a);
    }
    crank_mass_archive(&s->mass, a);
    crank_archive_doubles(a, s->noise, n);
    crank_archive_doubles(a, s->row_size, m);
    crank_archive_doubles(a, s->motion, n);
    crank_archive_doubles(a, s->weight, n);
    crank_archive_doubles(a, s->first_multiplier, multipliers);
    crank_archive_flag(a, &s->started);
    archive_monitor(s, a);
    s->reduction->archive(s->reduction, a);
    crank_eom_archive(s->setup.eom, a);
}
