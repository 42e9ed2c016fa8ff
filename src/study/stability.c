/* stability.c - stable, unstable or indifferent by the linearised motion, theory (12.9): with
 * dampers, controllers and forces that follow the motion, which stiffness alone (stiffness.c)
 * does not see; also of equations without bodies.
 *
 * An eigenvalue counts as growing beyond what rounding makes of one that does not: a part of its
 * size, of two that are nearly one a part of the largest over their size, and of one that only what
 * cancels holds, a light rod that spins about its own axis, the power of what rounding leaves of
 * forces (linear_leader.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "run/run.h"
#include "study/linear.h"
#include "study/stiffness.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 400 };             /* unknowns: its matrices are dense */
static const double growing = 1e-9; /* of its size */
static const double rounding = 1e3; /* times epsilon, of entries of the matrix */

/* What stays where it is put, by the state that has the largest part in it: a freedom has two
 * modes, of its place and of its speed, and is named once. */
static void name_still(const char *leader, crank_equilibrium *out)
{
    bool known = leader[0] == '\0';
    for (int i = 0; i < out->free_count && i < CRANK_FREE_DIRECTIONS; i++) {
        known = known || strcmp(out->free_text[i], leader) == 0;
    }
    if (!known && out->free_count < CRANK_FREE_DIRECTIONS) {
        (void)snprintf(out->free_text[out->free_count++], CRANK_DIRECTION_TEXT, "%.80s",
                       leader);
    }
}

static void judge(const crank_linear *l, const crank_eom *eom, crank_equilibrium *out)
{
    const double time = eom->parts != NULL ? eom->parts->time : 0.0;
    double largest = 0.0, fastest = 0.0;
    int worst = -1, still = 0;
    for (int k = 0; k < l->states; k++) {
        largest = fmax(largest, hypot(l->real[k], l->imag[k]));
    }
    const double pace = time > 0.0 ? 1.0 / time : largest;
    const double noise = rounding * fmax(DBL_EPSILON, eom->noise) * largest * pace;
    const bool unknown = out->stability == CRANK_STABILITY_UNKNOWN;
    for (int k = 0; k < l->states; k++) {
        const double size = hypot(l->real[k], l->imag[k]);
        const double own = rounding * l->rounding[k];
        if (size * size <= noise || size <= own) {
            still++;
            if (unknown) {
                name_still(l->leader[k], out);
            }
        }
        if (l->real[k] > growing * size + fmax(noise / size, own) && l->real[k] > fastest) {
            worst = k;
            fastest = l->real[k];
        }
    }
    if (worst >= 0 && out->stability != CRANK_UNSTABLE) {
        out->stability = CRANK_UNSTABLE;
        (void)snprintf(out->direction, sizeof out->direction,
                       "a mode that grows by exp(%.3g t), mostly %.80s", fastest,
                       l->leader[worst]);
    } else if (worst < 0 && (unknown || out->stability == CRANK_UNSTABLE)) {
        const bool open = unknown ? still > 0 : out->free_count > 0;
        out->stability = open ? CRANK_INDIFFERENT : CRANK_STABLE;
        out->direction[0] = '\0';
    }
}

void crank_stability_examine(crank_run *run, crank_equilibrium *out)
{
    crank_linear linear;
    crank_error why = {0}; /* out->damped tells that there is none */
    out->damped = false;
    if (run->model == NULL || run->eom->n > LARGEST ||
        crank_run_linearize(run, NULL, &linear, &why) != CRANK_OK) {
        return;
    }
    out->damped = true;
    if (linear.states > 0) {
        judge(&linear, run->eom, out);
    }
    crank_linear_free(&linear);
}
