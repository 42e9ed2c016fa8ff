/* initial_shared.c - conditions that share dynamic variables with conditions of a later level.
 *
 * A condition is one of the highest level whose unknowns it reads; dynamic variables are of none, and
 * move at any level at which a condition asks for them. So what `calm: body.boom.ay` finds for a
 * pressure at the level of accelerations can spoil a condition on that pressure alone, which held
 * before. Such a condition joins the level that spoilt it, and the levels begin anew, theory 5. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/initial.h"

#include <math.h>

static bool reads_dynamic(const crank_initial *w, int condition)
{
    const crank_eom *eom = w->eom;
    bool reads = false;
    for (int j = eom->column[CRANK_R]; j < eom->column[CRANK_V]; j++) {
        reads = reads || w->touches[condition + j * w->conditions];
    }
    return reads;
}

bool crank_initial_share(crank_initial *w, int level)
{
    bool any = false;
    for (int i = 0; i < w->conditions; i++) {
        const int equation = w->algebraic + i;
        const double most = crank_initial_tolerance(w, equation) * w->scale[equation];
        if (w->level[equation] >= 0 && w->level[equation] < level && reads_dynamic(w, i) &&
            fabs(w->residual[equation]) > most) {
            w->level[equation] = level;
            any = true;
        }
    }
    return any;
}
