/* direct_noise.c - what rounding does to the unknowns of the direct formulations: the terms of
 * algebraic rows, eps |J| |x| in each, through the matrix that Newton's iteration has,
 *
 *     nu = | (sigma E - J)^-1 (eps |J| |x| in algebraic rows) |                  theory (4.7)
 *
 * No tolerance can be met below that: a torque that is zero by symmetry is the difference of
 * large ones, whatever the unit it is told in. Of forms of index 1, and of ggl, whose rows hold
 * positions and velocities: there only once Newton's iteration has failed, since it takes short
 * steps near a singular position for rounding to tell. Of other forms of higher index rounding
 * grows with sigma, as do errors that their norms count h times (theory 2.6). */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/direct.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool crank_direct_has_noise(const crank_direct *s)
{
    return s->form->stabilised || (s->form->accelerations && !s->form->underlying);
}

void crank_direct_noise_layout(crank_direct *s, crank_arena *arena)
{
    const size_t n = (size_t)s->base.n;
    s->noise.of = crank_arena_take(arena, n, sizeof(double));
    s->noise.rounding = crank_arena_take(arena, n, sizeof(double));
    s->noise.rows = crank_arena_take(arena, n, sizeof(double));
    s->noise.delta = crank_arena_take(arena, n, sizeof(double));
    s->noise.size = crank_arena_take(arena, (size_t)s->eom->m, sizeof(double));
}

void crank_direct_noise_measure(crank_direct *s, const double *x)
{
    const crank_eom *eom = s->eom;
    if (!crank_direct_has_noise(s) || (s->form->stabilised && !s->noise.wanted)) {
        return;
    }
    crank_scale_terms(&s->scale, s->jacobian, x, s->noise.size);
    memset(s->noise.rounding, 0, (size_t)s->base.n * sizeof(double));
    for (int i = 0; i < eom->row[CRANK_ROW_B]; i++) {
        const bool hidden = i >= eom->row[CRANK_ROW_GII] && i < eom->row[CRANK_ROW_H];
        const double part = hidden ? fmax(DBL_EPSILON, eom->noise) : DBL_EPSILON;
        if (s->target[i] >= 0 && !s->differential[s->target[i]]) {
            s->noise.rounding[s->target[i]] += part * fabs(s->weight[i]) * s->noise.size[i];
        }
    }
    s->noise.due = true;
}

void crank_direct_noise_update(crank_direct *s)
{
    crank_direct_noise *noise = &s->noise;
    for (int signs = 0; signs < 2 && noise->due; signs++) { /* all alike they may cancel */
        for (int i = 0; i < s->base.n; i++) {
            const double golden = (i + 1) * 0.6180339887498949; /* its fractions look random */
            const double sign = signs == 1 && golden - floor(golden) < 0.5 ? -1.0 : 1.0;
            noise->rows[i] = sign * noise->rounding[i];
        }
        crank_solver_solve(s->solver, 0, noise->rows, NULL, noise->delta, NULL);
        for (int j = 0; j < s->base.n; j++) {
            noise->of[j] = fmax(signs == 0 ? 0.0 : noise->of[j], fabs(noise->delta[j]));
        }
    }
    noise->due = false;
}

void crank_direct_noise_forget(crank_direct *s)
{
    memset(s->noise.of, 0, (size_t)s->base.n * sizeof(double));
    s->noise.wanted = false;
}

void crank_direct_noise_want(crank_problem *base)
{
    ((crank_direct *)base)->noise.wanted = true;
}

void crank_direct_noise_archive(crank_direct *s, crank_archive *archive)
{
    const size_t n = (size_t)s->base.n;
    crank_archive_doubles(archive, s->noise.of, n);
    crank_archive_doubles(archive, s->noise.rounding, n);
    crank_archive_flag(archive, &s->noise.due);
    crank_archive_flag(archive, &s->noise.wanted);
}
