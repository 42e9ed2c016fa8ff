/* radau_defect.c - constraints that jump, theory (4.14).
 *
 * Constraints hold at every stage, whatever they prescribe; the rates of the unknowns that they
 * determine are in no selected equation. A drive that jumps would so be followed without a
 * word. But the collocation polynomial then misses the rates: its defect at the end of the
 * step,
 *     h | y'(h) - k |  for unknowns with x' = k,
 * is of the size of the jump however short the step is, while it is small against the motion
 * |Y| of a smooth solution and falls with h at a kink. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/radau.h"

#include "integrate/tableau_radau.h"

#include <math.h>

/* of the motion within the step, and of the tolerance: larger defects are no errors of the
 * method */
static const double of_motion = 0.2, of_tolerance = 100.0;

static double motion(const crank_integrator *it, const crank_radau *s, int j)
{
    const int n = it->n;
    return fmax(fabs(s->Y[j]), fmax(fabs(s->Y[n + j]), fabs(s->Y[2 * n + j])));
}

/* What the last increment changed in h y'(h): the residuals at hand are those before it, and
 * where Newton's iteration needs a single increment (linear equations) all of a jump is in
 * it. */
static double last_change(const crank_integrator *it, const crank_radau *s, int j)
{
    const double *w = crank_radau_inverse[2];
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int m = 0; m < 3; m++) {
            sum += w[i] * crank_radau_T[i][m] * s->dZ[m * it->n + j];
        }
    }
    return sum;
}

/* The first unknown with too large a defect, -1: none. K: k at the last stage; if !exact, k -
 * y' there before the last increment. */
static int find(const crank_integrator *it, const crank_radau *s, const double *K, bool exact)
{
    const crank_problem *p = it->problem;
    const double *w = crank_radau_inverse[2];
    const int n = it->n;
    for (int i = 0; i < p->path_count; i++) {
        const int j = p->path_column + i;
        double defect = K[p->path_row + i] * it->h;
        defect -= exact ? w[0] * s->Y[j] + w[1] * s->Y[n + j] + w[2] * s->Y[2 * n + j]
                        : last_change(it, s, j);
        if (fabs(defect) > of_motion * motion(it, s, j) + of_tolerance * it->scale[j]) {
            return j;
        }
    }
    return -1;
}

/* The residuals of the last iteration are at hand; k at the final stage is evaluated only if
 * they look bad. */
crank_status crank_radau_find_defect(crank_integrator *it, crank_radau *s, int *column,
                                     crank_error *err)
{
    crank_problem *p = it->problem;
    const double t = it->t + it->h;
    *column = -1;
    if (it->options.control_rules != CRANK_RULES_RADAU5 ||
        find(it, s, s->K + 2 * (long)it->m, false) < 0) {
        return CRANK_OK;
    }
    for (int j = 0; j < it->n; j++) {
        s->X[j] = it->x[j] + s->Y[2 * it->n + j];
    }
    const crank_status status = p->evaluate(p, 1, &t, s->X, s->K, err);
    if (status == CRANK_OK) {
        *column = find(it, s, s->K, true);
    }
    return status;
}
