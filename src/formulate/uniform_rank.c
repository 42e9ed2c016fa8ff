/* uniform_rank.c - are dependent constraints redundant, or is the start a singular position?
 *
 * Redundant constraints have the same rank at every consistent point nearby, a singular position does
 * not. So the positions are disturbed by a small pseudo-random vector, pulled back onto the constraints
 * with the decomposition at the start, and the ranks there are compared. If the point cannot be pulled
 * back, the missing rows matter: the start is singular, too. */
// SPDX-License-Identifier: BSD-3-Clause
#include "formulate/formulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITERATIONS = 20 };
static const double disturbance = 1e-3; /* relative to the size of the positions */

/* a fixed sequence in [-1, 1]: multiples of the golden ratio */
static double pseudo_random(int i)
{
    const double product = (i + 1) * 0.6180339887498949;
    return 2.0 * (product - floor(product)) - 1.0;
}

void crank_formulate_disturb(const crank_eom *eom, double *x)
{
    double size = 0.0;
    for (int j = eom->column[CRANK_P]; j < eom->n; j++) {
        size = fmax(size, fabs(x[j]));
    }
    for (int j = eom->column[CRANK_P]; j < eom->n; j++) {
        x[j] += disturbance * fmax(size, 1e-3) * pseudo_random(j);
    }
}

static double largest(const double *x, int n)
{
    double size = 0.0;
    for (int j = 0; j < n; j++) {
        size = fmax(size, fabs(x[j]));
    }
    return size;
}

/* false: does not converge, or all position rows still do not hold */
static bool pull_back(crank_reduction *reduction, double t, double *x, double *k, double *delta)
{
    crank_eom *eom = reduction->setup.eom;
    const int first = eom->row[CRANK_ROW_C], count = eom->row[CRANK_ROW_B] - first;
    double before = 0.0;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        if (eom->supplier.evaluate(eom->self, 1, &t, x, CRANK_ALGEBRAIC, k, NULL) != CRANK_OK) {
            return false;
        }
        if (i == 0) {
            before = largest(k + first, count);
        }
        reduction->project(reduction, k, delta);
        if (!isfinite(largest(delta, eom->n))) {
            return false;
        }
        for (int j = eom->column[CRANK_S]; j < eom->n; j++) {
            x[j] += delta[j];
        }
    }
    return largest(k + first, count) <= 1e-3 * before;
}

crank_status crank_formulate_check_uniform_rank(crank_reduction *reduction, crank_reduction *second,
                                                double t, const double *x0, crank_error *err)
{
    crank_eom *eom = reduction->setup.eom;
    const size_t n = (size_t)eom->n;
    double *x = malloc(n * sizeof *x), *k = malloc((size_t)eom->m * sizeof *k);
    double *delta = malloc(n * sizeof *delta);
    double *jacobian = malloc(((size_t)eom->jacobian_pattern.start[n] + 1) * sizeof *jacobian);
    double *mass = malloc((eom->mass_is_identity ? 1 : (size_t)eom->mass_pattern.start[eom->sizes.v] + 1) * sizeof *mass);
    crank_status status = CRANK_OK;
    if (x == NULL || k == NULL || delta == NULL || jacobian == NULL || mass == NULL) {
        status = crank_fail(err, CRANK_EMEM, "rank check of %d unknowns", eom->n);
        goto done;
    }
    memcpy(x, x0, n * sizeof *x);
    crank_formulate_disturb(eom, x);
    status = eom->supplier.jacobian(eom->self, t, x, NULL, jacobian, err);
    if (status != CRANK_OK) {
        goto done;
    }
    second->observe(second, jacobian);
    bool uniform = pull_back(reduction, t, x, k, delta);
    if (uniform) {
        status = eom->supplier.jacobian(eom->self, t, x, NULL, jacobian, err);
        if (status == CRANK_OK && !eom->mass_is_identity) {
            status = eom->supplier.mass(eom->self, t, x, mass, err);
        }
        if (status != CRANK_OK) {
            goto done;
        }
        const crank_status other = second->decompose(second, jacobian, eom->mass_is_identity ? NULL : mass, true, NULL);
        for (int w = CRANK_WINDOW_VELOCITY; w <= CRANK_WINDOW_POSITION; w++) {
            uniform = uniform && other == CRANK_OK && second->state.rank[w] == reduction->state.rank[w];
        }
    }
    if (!uniform) {
        char rows[200];
        reduction->explain(reduction, CRANK_WINDOW_POSITION, rows, sizeof rows);
        status = crank_fail(err, CRANK_ESINGULAR,
                            "the start is a singular position: the constraints are dependent there but not "
                            "nearby (%s); start elsewhere",
                            rows);
    }
done:
    free(x);
    free(k);
    free(delta);
    free(jacobian);
    free(mass);
    return status;
}
