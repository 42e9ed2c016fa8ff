/* adams_archive.c - checkpoints of the Adams method: what one attempt at a step leaves to the next and to rows between
 * steps. Coefficients, predictions and the differences of an attempt are filled anew before they are read. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/adams.h"

#include <limits.h>

void crank_adams_archive(crank_integrator *it, crank_archive *a)
{
    crank_adams *s = it->state;
    const size_t n = (size_t)it->n;
    const int most = INT_MAX / 2; /* of what is counted on */
    bool *const flags[] = {&s->starting, &s->need_prepare, &s->elsewhere};
    crank_archive_doubles(a, s->phi, CRANK_ADAMS_DIFFERENCES * n);
    crank_archive_doubles(a, s->begin, n);
    crank_archive_doubles(a, s->rate, n);
    crank_archive_doubles(a, s->psi, CRANK_ADAMS_DIFFERENCES);
    crank_archive_int(a, &s->order, 1, CRANK_ADAMS_ORDER);
    crank_archive_int(a, &s->order_used, 0, CRANK_ADAMS_ORDER);
    crank_archive_int(a, &s->equal_steps, 0, CRANK_ADAMS_DIFFERENCES);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        crank_archive_flag(a, flags[i]);
    }
    crank_archive_double(a, &s->h_used);
    crank_archive_int(a, &s->reused, 0, most);
    crank_archive_int(a, &s->spent, -most, most);
    crank_archive_int(a, &s->error_failures, 0, most);
    crank_explicit_archive_stiffness(&s->stiffness, a);
    s->order_made = a->loading ? 0 : s->order_made;
}
