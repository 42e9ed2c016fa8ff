/* bdf_archive.c - checkpoints of BDF: what one attempt at a step leaves to the next and to rows between steps.
 * Predictions, iterates and residuals are filled anew before they are read, but for the slope, by which a look at
 * singular positions prepares. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/bdf.h"

#include <limits.h>

static const int most = INT_MAX / 2; /* of what is counted on */

static void archive_coefficients(crank_bdf *s, crank_archive *a)
{
    double *const tables[] = {s->psi, s->alpha, s->beta, s->sigma, s->gamma};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        crank_archive_doubles(a, tables[i], CRANK_BDF_DIFFERENCES);
    }
    crank_archive_double(a, &s->cj);
    crank_archive_double(a, &s->ck);
    crank_archive_int(a, &s->order, 1, CRANK_BDF_ORDER);
    crank_archive_int(a, &s->order_used, 0, CRANK_BDF_ORDER);
    crank_archive_int(a, &s->equal_steps, 0, CRANK_BDF_ORDER + 2);
}

void crank_bdf_archive(crank_integrator *it, crank_archive *a)
{
    crank_bdf *s = it->state;
    const size_t n = (size_t)it->n;
    bool *const flags[] = {&s->starting, &s->cautious, &s->need_jacobian, &s->need_factor,
                           &s->jacobian_fresh};
    double *const values[] = {&s->h_used, &s->cj_factored, &s->rate, &s->newton_tolerance};
    crank_archive_doubles(a, s->phi, CRANK_BDF_DIFFERENCES * n);
    crank_archive_doubles(a, s->slope, n);
    archive_coefficients(s, a);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        crank_archive_flag(a, flags[i]);
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        crank_archive_double(a, values[i]);
    }
    crank_archive_int(a, &s->reused, 0, most);
    crank_archive_int(a, &s->error_failures, 0, most);
}
