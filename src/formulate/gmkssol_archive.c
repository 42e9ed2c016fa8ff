/* gmkssol_archive.c - checkpoints of gmkssol: what one call leaves to the next. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/gmkssol.h"

#include "linalg/dense.h"

#include <limits.h>

static void archive_mass(crank_gmkssol *s, crank_archive *a)
{
    const size_t np = (size_t)s->np;
    crank_archive_doubles(a, s->mass, (size_t)s->eom->mass_pattern.start[np]);
    crank_archive_flag(a, &s->mass_known);
    crank_archive_flag(a, &s->mass_decomposed);
    crank_archive_flag(a, &s->mass_singular);
    if (s->mass_known && crank_eom_mass_diagonal(s->eom)) {
        crank_archive_doubles(a, s->mass_lu, np);
    } else if (s->mass_known) {
        crank_lu_archive(a, s->np, s->mass_lu, 1, s->mass_pivot);
    }
}

static void archive_decomposition(crank_gmkssol *s, crank_archive *a)
{
    const size_t n = (size_t)s->eom->n, nl = (size_t)s->nl, np = (size_t)s->np;
    crank_archive_doubles(a, s->acceleration, np);
    crank_archive_doubles(a, s->jacobian, (size_t)s->eom->jacobian_pattern.start[n]);
    crank_archive_doubles(a, s->J, n * n);
    crank_archive_flag(a, &s->decomposed);
    crank_archive_double(a, &s->decomposed_t);
    crank_archive_doubles(a, s->decomposed_x, n);
    crank_archive_doubles(a, s->row_scale, nl);
    crank_archive_doubles(a, s->sigma, nl < np ? nl : np);
    crank_archive_doubles(a, s->U, nl * nl);
    crank_archive_doubles(a, s->VT, np * np);
    crank_archive_doubles(a, s->algebraic_scale, (size_t)s->eom->m);
    if (s->decomposed) {
        crank_lu_archive(a, s->rank, s->K, 1, s->K_pivot);
    }
}

static void archive_selectors(crank_gmkssol *s, crank_archive *a)
{
    const size_t n = (size_t)s->eom->n, nl = (size_t)s->nl, np = (size_t)s->np;
    crank_archive_doubles(a, s->S_l, nl * nl);
    crank_archive_doubles(a, s->S_fix, nl * nl);
    crank_archive_doubles(a, s->S_p, np * np);
    crank_archive_flag(a, &s->selectors_due);
    crank_archive_flag(a, &s->selectors_fresh);
    crank_archive_flag(a, &s->warned);
    crank_archive_int(a, &s->steps_since, 0, INT_MAX / 2);
    crank_archive_double(a, &s->alignment);
    crank_archive_double(a, &s->accepted_t);
    crank_archive_doubles(a, s->accepted_x, n);
    crank_archive_double(a, &s->largest_move);
    crank_archive_double(a, &s->largest);
    crank_singular_archive(&s->singular, a);
    crank_singular_archive(&s->before, a);
}

void crank_gmkssol_archive(crank_problem *base, crank_archive *a)
{
    crank_gmkssol *s = (crank_gmkssol *)base;
    crank_archive_check_options(a, &s->options);
    crank_archive_check(a, "multipliers", s->nl);
    crank_archive_check(a, "rank of the constraints", s->rank);
    crank_archive_statistics(a, &s->statistics);
    archive_mass(s, a);
    archive_decomposition(s, a);
    archive_selectors(s, a);
    crank_archive_doubles(a, s->noise, (size_t)base->n);
    crank_solver_archive(s->solver, a);
    crank_eom_archive(s->eom, a);
}
