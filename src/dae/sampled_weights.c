/* sampled_weights.c - by which power of the step size norms count the unknowns of equations that
 * are known by values: how far they follow residuals,
 *     R(h) = (E/h - J)^-1,     |row j of R(h)| ~ h^-power,  h -> 0,          theory (10.16)
 * with J = d(k - E y')/dy. Rates of growth between steps of a row of lengths are near integers
 * where h is short against the motion and long against rounding; the lengths where all are
 * nearest, and the largest is the index less one, tell. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/sampled.h"

#include "base/then.h"
#include "linalg/dense.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 12 };
static const double shorter = 0.1; /* from step to step */
static const double near = 0.15;   /* to an integer */

typedef struct weights {
    crank_sampled *s;
    double *E, *J, *W, *column, *aside, *Ed; /* n x n each but for columns */
    double *growth[STEPS];                   /* n: log of the rows' sizes */
    double *equation;                        /* n: sizes of equations */
    int *exchange;
} weights;

/* k - E d at (t, y) */
static crank_status residual(weights *w, double t, const double *y, const double *d,
                             double *out, crank_error *err)
{
    crank_sampled *s = w->s;
    crank_status status = s->evaluate(s->self, t, y, out, err);
    CRANK_THEN(status, s->mass(s->self, t, y, w->W, err));
    for (int q = 0; q < s->n && status == CRANK_OK; q++) {
        for (int i = 0; i < s->n; i++) {
            out[i] -= w->W[i + q * s->n] * d[q];
        }
    }
    return status;
}

static crank_status differentiate(weights *w, double t, const double *y, const double *d,
                                  crank_error *err)
{
    crank_sampled *s = w->s;
    const int n = s->n;
    double *moved = w->column;
    crank_status status = s->mass(s->self, t, y, w->E, err);
    memcpy(moved, y, (size_t)n * sizeof *y);
    for (int q = 0; q < n && status == CRANK_OK; q++) {
        const double step = cbrt(DBL_EPSILON) * s->size[q];
        double *out = w->J + (long)q * n;
        moved[q] = y[q] + step;
        crank_status above = residual(w, t, moved, d, out, err);
        moved[q] = y[q] - step;
        crank_status below = residual(w, t, moved, d, w->aside, err);
        double width = 2.0 * step;
        moved[q] = y[q];
        if (above > CRANK_OK || below > CRANK_OK) {
            double *other = above > CRANK_OK ? out : w->aside;
            status = residual(w, t, moved, d, other, err);
            width = step;
            above = below = status;
        }
        status = above != CRANK_OK ? above : below;
        for (int i = 0; i < n; i++) {
            out[i] = (out[i] - w->aside[i]) / width;
        }
    }
    return status;
}

/* logarithms of the sizes of the rows of R(h); false: it is singular to working precision */
static bool measure(weights *w, double h, double *growth)
{
    const crank_sampled *s = w->s;
    const int n = s->n;
    for (int q = 0; q < n; q++) {
        for (int i = 0; i < n; i++) {
            w->W[i + q * n] = (w->E[i + q * n] / h - w->J[i + q * n]) * s->size[q];
        }
    }
    for (int i = 0; i < n; i++) {
        double most = 0.0;
        for (int q = 0; q < n; q++) {
            most = fmax(most, fabs(w->W[i + q * n]));
        }
        for (int q = 0; q < n && most > 0.0; q++) {
            w->W[i + q * n] /= most;
        }
        w->equation[i] = most;
    }
    if (!crank_lu_factor(n, w->W, n, w->exchange)) {
        return false;
    }
    for (int j = 0; j < n; j++) {
        growth[j] = 0.0;
    }
    for (int i = 0; i < n; i++) {
        double largest = 0.0;
        for (int q = 0; q < n; q++) { /* an equation's own size: of its terms in y */
            largest = fmax(largest, fabs(w->J[i + q * n]) * s->size[q]);
        }
        memset(w->column, 0, (size_t)n * sizeof(double));
        w->column[i] = (largest > 0.0 ? largest : w->equation[i] * h) / w->equation[i];
        crank_lu_solve(n, w->W, n, w->exchange, w->column);
        for (int j = 0; j < n; j++) {
            growth[j] = fmax(growth[j], fabs(w->column[j]));
        }
    }
    for (int j = 0; j < n; j++) {
        if (!(growth[j] > 0.0 && growth[j] < 1e13)) {
            return false;
        }
        growth[j] = log(growth[j]);
    }
    return true;
}

/* powers between two lengths; *off: how far they are from integers. false: not of this index */
static bool read_powers(const weights *w, const double *longer, const double *short_one,
                        unsigned char *power, double *off)
{
    int most = 0;
    *off = 0.0;
    for (int j = 0; j < w->s->n; j++) {
        const double rate = (short_one[j] - longer[j]) / -log(shorter);
        const double nearest = fmin(fmax(round(rate), 0.0), CRANK_SAMPLED_INDEX - 1);
        *off = fmax(*off, rate > 0.0 ? fabs(rate - nearest) : 0.0);
        power[j] = (unsigned char)nearest;
        most = power[j] > most ? power[j] : most;
    }
    return most == w->s->index - 1;
}

static crank_status choose(weights *w, unsigned char *power, unsigned char *trial,
                           crank_error *err)
{
    double best = near, h = w->s->span, off;
    bool known[STEPS];
    for (int k = 0; k < STEPS; k++, h *= shorter) {
        known[k] = measure(w, h, w->growth[k]);
        if (k > 0 && known[k] && known[k - 1] &&
            read_powers(w, w->growth[k - 1], w->growth[k], trial, &off) && off < best) {
            best = off;
            memcpy(power, trial, (size_t)w->s->n);
        }
    }
    return best < near ? CRANK_OK
                       : crank_fail(err, CRANK_EREFUSED,
                                    "the index is %d, but it is not clear which unknowns have "
                                    "it; give the index of each",
                                    w->s->index);
}

crank_status crank_sampled_weights(crank_sampled *s, double t, const double *y,
                                   unsigned char *power, crank_error *err)
{
    const size_t n = (size_t)s->n;
    weights w = {.s = s};
    memset(power, 0, n);
    if (s->index <= 1) {
        return CRANK_OK;
    }
    double *room = calloc(3 * n * n + (4 + STEPS) * n, sizeof *room);
    w.exchange = calloc(n + 1, sizeof *w.exchange);
    unsigned char *trial = calloc(n + 1, 1);
    crank_status status = room != NULL && w.exchange != NULL && trial != NULL
                              ? CRANK_OK
                              : crank_fail(err, CRANK_EMEM, "weights of %d unknowns", s->n);
    if (status == CRANK_OK) {
        w.E = room;
        w.J = w.E + n * n;
        w.W = w.J + n * n;
        w.column = w.W + n * n;
        w.aside = w.column + n;
        w.equation = w.aside + n;
        for (int k = 0; k < STEPS; k++) {
            w.growth[k] = w.equation + ((size_t)k + 1) * n;
        }
        status = differentiate(&w, t, y, s->level[s->index].d, err);
        CRANK_THEN(status, choose(&w, power, trial, err));
    }
    free(room);
    free(w.exchange);
    free(trial);
    return status > CRANK_OK
               ? crank_fail(err, CRANK_EREFUSED,
                            "the equations cannot be evaluated beside the initial "
                            "values")
               : status;
}
