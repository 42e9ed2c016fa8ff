/* bdf_history.c - a beginning at order k: differences of points that another method has made,
 *
 *     phi_i = nabla^i x,   x_n, x_n-1, ..., x_n-k   at equal distances h          theory (4.24)
 *
 * which is what k steps of length h would have left. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/bdf.h"

void crank_bdf_take_history(crank_integrator *it, crank_bdf *s, int order, double h)
{
    for (int level = 1; level <= order; level++) {
        for (int i = order; i >= level; i--) {
            double *at = crank_bdf_phi(it, i);
            const double *later = crank_bdf_phi(it, i - 1);
            for (int j = 0; j < it->n; j++) {
                at[j] = later[j] - at[j];
            }
        }
    }
    for (int i = 0; i <= order; i++) {
        s->psi[i] = (i + 1) * h;
    }
    s->order = s->order_used = order;
    s->equal_steps = 1;
    s->h_used = it->h = h;
    s->starting = false;
}
