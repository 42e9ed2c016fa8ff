/* explicit_archive.c - checkpoints of explicit Runge-Kutta methods: what one step leaves to the next and to rows
 * between steps. K, X, end and work are filled anew before they are read. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/explicit.h"

void crank_explicit_archive(crank_integrator *it, crank_archive *a)
{
    crank_explicit *s = it->state;
    const size_t n = (size_t)it->n;
    crank_archive_check(a, "order", s->tableau->order);
    crank_archive_doubles(a, s->K_accepted, (size_t)s->tableau->width * n);
    crank_archive_doubles(a, s->begin, n);
    crank_archive_doubles(a, s->rate, n);
    crank_archive_flag(a, &s->extended);
    crank_archive_flag(a, &s->elsewhere);
    crank_archive_double(a, &s->error_accepted);
    crank_explicit_archive_stiffness(&s->stiffness, a);
}
