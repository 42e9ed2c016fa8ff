/* dae_guess.c - guesses of unknowns that nobody gives, before the start of translated equations
 * is looked for as a whole.
 *
 * A row of F(u, t) = 0 with one unknown that is not known yet gives it, by Newton's iteration in
 * one variable; then it is known to other rows. What stays, loops of several unknowns, keeps the
 * guess of the file. Values that were asked for are not touched. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/dae/dae_translated.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 12 }; /* of rows that give an unknown each; affine ones take one */
/* changes below this, beside the value, are rounding */
static const double rounding = 16.0 * DBL_EPSILON;

typedef struct work {
    crank_dae_supplier *s;
    const struct crank_dae_translated *f;
    double t, *x;
    double *k;       /* rows: F */
    double *before;  /* rows: the guess, if it does not converge */
    int *open;       /* rows: unknowns that are not known */
    int *unknown;    /* rows: the one that it gives in this pass, -1: none */
    bool *known;     /* unknowns */
    bool *converged; /* rows */
} work;

static void mark(work *w, int j)
{
    w->known[j] = true;
    for (int q = w->f->start[j]; q < w->f->start[j + 1]; q++) {
        if (w->f->row[q] < w->f->rows) {
            w->open[w->f->row[q]]--;
        }
    }
}

/* Rows with one unknown each, every unknown once. */
static bool choose(work *w)
{
    const struct crank_dae_translated *f = w->f;
    bool any = false;
    memset(w->unknown, -1, (size_t)f->rows * sizeof *w->unknown);
    for (int j = 0; j < w->s->n; j++) {
        bool taken = w->known[j];
        for (int q = f->start[j]; q < f->start[j + 1] && !taken; q++) {
            const int i = f->row[q];
            if (i < f->rows && w->open[i] == 1) {
                w->unknown[i] = j;
                w->before[i] = w->x[j];
                w->converged[i] = false;
                taken = any = true;
            }
        }
    }
    return any;
}

/* one iteration of all rows that give an unknown; false: nothing changes any more */
static bool iterate(work *w)
{
    const struct crank_dae_translated *f = w->f;
    bool any = false;
    crank_dae_run(w->s, CRANK_DAE_TAPE_CONSTRAINTS, w->t, w->x, w->k);
    crank_dae_run(w->s, CRANK_DAE_TAPE_CHANGE, w->t, w->x, w->s->change);
    for (int j = 0; j < w->s->n; j++) {
        for (int q = f->start[j]; q < f->start[j + 1]; q++) {
            const int i = f->row[q];
            if (i >= f->rows || w->unknown[i] != j || w->converged[i]) {
                continue;
            }
            const double step = -w->k[i] / w->s->change[q];
            w->converged[i] = fabs(step) <= rounding * fabs(w->x[j]) || w->k[i] == 0.0;
            if (!w->converged[i] && isfinite(step)) {
                w->x[j] += step;
                any = true;
            }
        }
    }
    return any;
}

crank_status crank_dae_guess_rest(crank_dae_supplier *s, double t, double *x,
                                  const crank_fixing *fixing, crank_error *err)
{
    const struct crank_dae_translated *f = s->translated;
    const size_t rows = (size_t)f->rows + 1, n = (size_t)s->n;
    work w = {.s = s, .f = f, .t = t, .x = x};
    double *numbers = calloc(2 * rows, sizeof *numbers);
    int *whole = calloc(2 * rows, sizeof *whole);
    bool *flags = calloc(n + rows, sizeof *flags);
    if (numbers == NULL || whole == NULL || flags == NULL) {
        free(numbers), free(whole), free(flags);
        return crank_fail(err, CRANK_EMEM, "the start");
    }
    w.k = numbers, w.before = numbers + rows;
    w.open = whole, w.unknown = whole + rows;
    w.known = flags, w.converged = flags + n;
    for (int j = 0; j < s->n; j++) {
        for (int q = f->start[j]; q < f->start[j + 1]; q++) {
            if (f->row[q] < f->rows) {
                w.open[f->row[q]]++;
            }
        }
    }
    for (int j = 0; j < s->n; j++) {
        if (fixing == NULL || fixing[j] != CRANK_FREE) {
            mark(&w, j);
        }
    }
    while (choose(&w)) {
        for (int k = 0; k < ITERATIONS && iterate(&w); k++) {
        }
        for (int i = 0; i < f->rows; i++) {
            const int j = w.unknown[i];
            if (j >= 0) {
                x[j] = w.converged[i] ? x[j] : w.before[i];
                mark(&w, j);
            }
        }
    }
    free(numbers), free(whole), free(flags);
    return CRANK_OK;
}
