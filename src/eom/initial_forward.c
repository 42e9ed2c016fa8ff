/* initial_forward.c - initial accelerations of trees without constraints, by the supplier's own
 * recursion instead of a factorisation of M, which is full along a chain: N operations for N
 * bodies, not N^3. There M a = f has one solution if M is definite, and the smallest change of
 * what was there leads to no other. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"

#include <stdlib.h>
#include <string.h>

/* Are balances of forces all that the level consists of, carried accelerations all that they
 * determine, and none of these given? */
static bool applies(const crank_initial *w)
{
    const crank_eom *eom = w->eom;
    bool fits = eom->accelerates && eom->supplier.definite != NULL &&
                eom->has_acceleration_level && eom->sizes.w == eom->sizes.v &&
                eom->sizes.lambda == 0 && eom->sizes.mu == 0 && eom->sizes.v > 0;
    for (int j = eom->column[CRANK_W]; j < eom->column[CRANK_LAMBDA] && fits; j++) {
        fits = eom->carried[j] && w->fixing[j] == CRANK_FREE;
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

crank_status crank_initial_forward(crank_initial *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const size_t nv = (size_t)eom->sizes.v, n = (size_t)eom->n;
    int worst;
    if (!crank_initial_definite(w)) {
        return CRANK_OK;
    }
    crank_status status = crank_initial_evaluate(w, w->x, err);
    CRANK_THEN(status, crank_initial_linearise(w, err));
    if (status != CRANK_OK || crank_initial_excess(w, 2, &worst) <= 1.0) {
        return status; /* what holds stays, bit for bit */
    }
    bool *held = calloc(nv, sizeof *held);
    if (held == NULL) {
        return crank_fail(err, CRANK_EMEM, "accelerations of %d velocities", eom->sizes.v);
    }
    memcpy(w->trial, w->x, n * sizeof *w->x);
    memset(w->trial + eom->column[CRANK_W], 0, nv * sizeof *w->x);
    status = crank_initial_evaluate(w, w->trial, err);
    if (status == CRANK_OK &&
        eom->supplier.accelerate(eom->self, held, w->k, w->trial + eom->column[CRANK_W],
                                 NULL) == CRANK_OK) {
        memcpy(w->x, w->trial, n * sizeof *w->x);
    }
    free(held);
    return status;
}
