/* dae_past.c - see dae_past.h:
 *
 *     z_d(t) = sum_i L_i z_i,     L_i = prod_{j != i} (t - t_j)/(t_i - t_j),     i, j = 0 .. d
 *     d:       least  missed_d sum_i |L_i|     with what z_d missed of the last points
 *
 * so that unknowns that jump or are noisy are not carried on by polynomials that magnify it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* of what was missed before, with each point */
static const double memory = 0.5;

typedef struct factors {
    int degrees; /* 0 to degrees - 1 */
    double L[CRANK_DAE_PAST][CRANK_DAE_PAST];
    double size[CRANK_DAE_PAST]; /* sum |L_i| */
} factors;

bool crank_dae_past_init(crank_dae_past *p, int n, const int *unknown)
{
    const size_t size = (size_t)CRANK_DAE_PAST * (size_t)n;
    *p = (crank_dae_past){.n = n, .unknown = unknown};
    p->z = calloc(2 * size + 1, sizeof *p->z);
    if (p->z == NULL) {
        return false;
    }
    p->missed = p->z + size;
    crank_dae_past_clear(p);
    return true;
}

void crank_dae_past_free(crank_dae_past *p)
{
    free(p->z);
}

void crank_dae_past_clear(crank_dae_past *p)
{
    p->count = 0;
    for (int k = 0; k < CRANK_DAE_PAST * p->n; k++) {
        p->missed[k] = -1.0;
    }
}

static factors factors_at(const crank_dae_past *p, double t)
{
    factors f = {.degrees = p->n > 0 ? p->count : 0};
    for (int d = 0; d < f.degrees; d++) {
        for (int i = 0; i <= d; i++) {
            f.L[d][i] = 1.0;
            for (int j = 0; j <= d; j++) {
                f.L[d][i] *= j != i ? (t - p->t[j]) / (p->t[i] - p->t[j]) : 1.0;
            }
            f.size[d] += fabs(f.L[d][i]);
        }
    }
    return f;
}

static double value_of(const crank_dae_past *p, const factors *f, int d, int k)
{
    double sum = 0.0;
    for (int i = 0; i <= d; i++) {
        sum += f->L[d][i] * p->z[i * p->n + k];
    }
    return sum;
}

/* what the polynomials miss of the point that comes */
static void judge(crank_dae_past *p, double t, const double *all)
{
    const factors f = factors_at(p, t);
    for (int k = 0; k < p->n; k++) {
        const double z = all[p->unknown[k]];
        for (int d = 0; d < f.degrees; d++) {
            double *missed = &p->missed[d * p->n + k];
            const double now = fabs(z - value_of(p, &f, d, k)) / f.size[d];
            *missed = *missed < 0.0 ? now : memory * *missed + (1.0 - memory) * now;
        }
    }
}

void crank_dae_past_add(crank_dae_past *p, double t, const double *all)
{
    int later = 0;
    while (later < p->count && p->t[later] >= t) {
        later++;
    }
    p->count -= later;
    memmove(p->t, p->t + later, (size_t)p->count * sizeof *p->t);
    memmove(p->z, p->z + (size_t)later * (size_t)p->n,
            (size_t)p->count * (size_t)p->n * sizeof *p->z);
    if (later == 0 && p->count > 0) {
        judge(p, t, all);
    }
    const int kept = p->count < CRANK_DAE_PAST - 1 ? p->count : CRANK_DAE_PAST - 1;
    memmove(p->t + 1, p->t, (size_t)kept * sizeof *p->t);
    memmove(p->z + p->n, p->z, (size_t)kept * (size_t)p->n * sizeof *p->z);
    p->t[0] = t;
    for (int k = 0; k < p->n; k++) {
        p->z[k] = all[p->unknown[k]];
    }
    p->count = kept + 1;
}

void crank_dae_past_guess(const crank_dae_past *p, double t, double *v)
{
    const factors f = factors_at(p, t);
    for (int k = 0; k < p->n; k++) {
        int best = 0;
        double least = (double)INFINITY;
        for (int d = 0; d < f.degrees; d++) {
            const double missed = p->missed[d * p->n + k] * f.size[d];
            if (missed >= 0.0 && missed < least) {
                best = d;
                least = missed;
            }
        }
        if (p->count > 0) {
            v[p->unknown[k]] = value_of(p, &f, best, k);
        }
    }
}

void crank_dae_past_archive(crank_dae_past *p, crank_archive *a)
{
    crank_archive_int(a, &p->count, 0, CRANK_DAE_PAST);
    crank_archive_doubles(a, p->t, CRANK_DAE_PAST);
    crank_archive_doubles(a, p->z, 2 * CRANK_DAE_PAST * (size_t)p->n);
}
