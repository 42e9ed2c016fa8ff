/* initial_forward.c - initial accelerations and multipliers of trees by the supplier's own
 * recursion instead of a factorisation with M, which is full along a chain: O(N) for N bodies
 * and each constraint, not N^3,
 *
 *     a = a_0 + sum_j a_j l_j,   M a_0 = f,   M a_j = -d_l_j,   (G a_j) l = -(gII, hI)(a_0)
 *
 * l = (lambda, mu). If M is definite and the rows of G are independent by far there is one
 * solution, and the smallest change of what was there leads to no other. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* pivots of G M^-1 G^T over its diagonal: squares of what rows have by themselves. Those with
 * less are for those who name dependent rows. */
static const double independent = 1e-8;

/* Are balances of forces and constraints all that the level consists of, carried accelerations
 * and multipliers all that they determine, none of these given, and no force reads them? */
static bool applies(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    const int multipliers = eom->sizes.lambda + eom->sizes.mu;
    bool fits = eom->accelerates && eom->supplier.definite != NULL &&
                eom->has_acceleration_level && eom->sizes.w == eom->sizes.v &&
                eom->sizes.v > 0 && eom->parts != NULL &&
                (multipliers == 0 || (w->options.multipliers && eom->parts->reader_count == 0));
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_R] && fits; j++) {
        const bool acceleration = j < eom->column[CRANK_LAMBDA];
        fits = (!acceleration || eom->carried[j]) && w->fixing[j] == CRANK_FREE;
    }
    for (int i = w->algebraic; i < w->equations && fits; i++) {
        fits = w->level[i] != 2;
    }
    return fits;
}

bool crank_initial_definite(const crank_initial *w)
{
    return applies(w) && w->eom->supplier.definite(w->eom->self, w->t, w->x);
}

typedef struct forward {
    bool *held;            /* v: none */
    int count, nv;         /* multipliers, velocities */
    double *k;             /* m */
    double *a;             /* v x count */
    double *S, *scale, *l; /* count x count: G M^-1 G^T; count */
    crank_arena arena;
} forward;

static void layout(forward *f, const crank_eom *eom, crank_arena *arena)
{
    const size_t n = (size_t)f->count, nv = (size_t)f->nv;
    f->held = crank_arena_take(arena, nv, sizeof *f->held);
    f->k = crank_arena_take(arena, (size_t)eom->m, sizeof *f->k);
    f->a = crank_arena_take(arena, nv * n, sizeof *f->a);
    f->S = crank_arena_take(arena, n * n, sizeof *f->S);
    f->scale = crank_arena_take(arena, n, sizeof *f->scale);
    f->l = crank_arena_take(arena, n, sizeof *f->l);
}

/* a_j, and -G a_j into column j of S */
static crank_status respond(const crank_initial *w, forward *f, int j)
{
    const crank_eom *eom = w->eom;
    const crank_pattern *J = &eom->jacobian_pattern;
    const int column = eom->column[CRANK_LAMBDA] + j, first = eom->row[CRANK_ROW_GII];
    double *a = f->a + (long)j * f->nv, *S = f->S + (long)j * f->count;
    memset(f->k, 0, (size_t)eom->m * sizeof *f->k);
    for (int e = J->start[column]; e < J->start[column + 1]; e++) {
        f->k[J->row[e]] = w->values[e];
    }
    const crank_status status = eom->supplier.accelerate(eom->self, f->held, f->k, a, NULL);
    for (int v = 0; v < f->nv && status == CRANK_OK; v++) {
        const int c = eom->column[CRANK_W] + v;
        for (int e = J->start[c]; e < J->start[c + 1]; e++) {
            const int i = J->row[e] - first;
            if (i >= 0 && i < f->count) {
                S[i] -= w->values[e] * a[v];
            }
        }
    }
    return status;
}

/* L^T L of S with a diagonal of ones, in place; false: rows depend on each other, or nearly */
static bool factor(forward *f)
{
    const int n = f->count;
    for (int i = 0; i < n; i++) {
        const double own = f->S[i + (long)i * n];
        if (!(own > 0.0)) {
            return false;
        }
        f->scale[i] = 1.0 / sqrt(own);
    }
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = f->S[i + (long)j * n] * f->scale[i] * f->scale[j];
            for (int k = 0; k < j; k++) {
                sum -= f->S[i + (long)k * n] * f->S[j + (long)k * n];
            }
            if (i == j && !(sum > independent)) {
                return false;
            }
            f->S[i + (long)j * n] = i == j ? sqrt(sum) : sum / f->S[j + (long)j * n];
        }
    }
    return true;
}

/* S l = r, into l */
static void solve(forward *f, const double *r)
{
    const int n = f->count;
    for (int i = 0; i < n; i++) {
        f->l[i] = r[i] * f->scale[i];
        for (int k = 0; k < i; k++) {
            f->l[i] -= f->S[i + (long)k * n] * f->l[k];
        }
        f->l[i] /= f->S[i + (long)i * n];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            f->l[i] -= f->S[k + (long)i * n] * f->l[k];
        }
        f->l[i] /= f->S[i + (long)i * n];
    }
    for (int i = 0; i < n; i++) {
        f->l[i] *= f->scale[i];
    }
}

/* w->trial: accelerations, then multipliers. RETRY: not so. */
static crank_status find(crank_initial *w, forward *f, crank_error *err)
{
    const crank_eom *eom = w->eom;
    double *a = w->trial + eom->column[CRANK_W], *l = w->trial + eom->column[CRANK_LAMBDA];
    crank_status status = crank_initial_evaluate(w, w->trial, err);
    CRANK_THEN(status, eom->supplier.accelerate(eom->self, f->held, w->k, a, NULL));
    if (status != CRANK_OK || f->count == 0) {
        return status;
    }
    for (int j = 0; j < f->count && status == CRANK_OK; j++) {
        status = respond(w, f, j);
    }
    CRANK_THEN(status, factor(f) ? CRANK_OK : CRANK_RETRY);
    CRANK_THEN(status, crank_initial_evaluate(w, w->trial, err));
    if (status == CRANK_OK) {
        solve(f, w->k + eom->row[CRANK_ROW_GII]);
        for (int j = 0; j < f->count; j++) {
            l[j] = f->l[j];
            for (int v = 0; v < f->nv; v++) {
                a[v] += f->a[v + (long)j * f->nv] * f->l[j];
            }
        }
    }
    return status;
}

crank_status crank_initial_forward(crank_initial *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    forward f = {.nv = eom->sizes.v, .count = eom->sizes.lambda + eom->sizes.mu};
    int worst;
    if (!crank_initial_definite(w)) {
        return CRANK_OK;
    }
    crank_status status = crank_initial_evaluate(w, w->x, err);
    CRANK_THEN(status, crank_initial_linearise(w, err));
    if (status != CRANK_OK || crank_initial_excess(w, 2, &worst) <= 1.0) {
        return status; /* what holds stays, bit for bit */
    }
    layout(&f, eom, &f.arena);
    if (!crank_arena_allocate(&f.arena)) {
        return crank_fail(err, CRANK_EMEM, "accelerations of %d velocities", eom->sizes.v);
    }
    layout(&f, eom, &f.arena);
    memcpy(w->trial, w->x, (size_t)eom->n * sizeof *w->x);
    memset(w->trial + eom->column[CRANK_W], 0, (size_t)(f.nv + f.count) * sizeof *w->x);
    status = find(w, &f, err);
    if (status == CRANK_OK) {
        memcpy(w->x, w->trial, (size_t)eom->n * sizeof *w->x);
    }
    crank_arena_free(&f.arena);
    return status == CRANK_RETRY ? CRANK_OK : status;
}
