/* time_derivative.c - dk/dt of all rows at a point, x held: for equations whose algebraic rows
 * are differentiated, theory (2.14), and for methods that are linearly implicit.
 *
 * From the supplier where it knows formulas, else by central differences of order 4,
 *     dk/dt = (k(t-2h) - 8 k(t-h) + 8 k(t+h) - k(t+2h)) / (12 h)
 * with a step that is a part of the time of the motion; longer where t is large and rounded:
 * the error of order 4 of the one and the rounding of the other, eps |t|/h, are in balance if
 * it grows like the fifth root. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"

#include <math.h>
#include <string.h>

/* step over the time of the motion */
static const double part_of_time = 1e-4;

static crank_status differences(crank_eom *eom, double t, const double *x, double h, double *kt,
                                crank_error *err)
{
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0};
    static const double weight[4] = {1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0};
    double *k = eom->work_k;
    memset(kt, 0, (size_t)eom->m * sizeof *kt);
    for (int side = 0; side < 4; side++) {
        const double at = t + place[side] * h;
        const crank_status status =
            crank_eom_evaluate_rows(eom, 1, &at, x, CRANK_ALL_ROWS, k, err);
        if (status != CRANK_OK) {
            return status;
        }
        for (int i = 0; i < eom->m; i++) {
            kt[i] += weight[side] * k[i] / h;
        }
    }
    return CRANK_OK;
}

crank_status crank_eom_evaluate_time_derivative(crank_eom *eom, double t, const double *x,
                                                double time, double *kt, crank_error *err)
{
    if (eom->autonomous) {
        memset(kt, 0, (size_t)eom->m * sizeof *kt);
        return CRANK_OK;
    }
    if (eom->supplier.time_derivative != NULL) {
        return eom->supplier.time_derivative(eom->self, t, x, kt, err);
    }
    const double h = part_of_time * time * pow(fmax(1.0, fabs(t) / time), 0.2);
    return differences(eom, t, x, h, kt, err);
}
