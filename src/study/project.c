/* project.c - see project.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/project.h"

#include "base/then.h"
#include "linalg/minimum_norm.h"

#include <math.h>
#include <stdlib.h>

enum { ITERATIONS = 10 };
static const double holds = 1e-14;

static void move_plainly(const crank_eom *eom, const double *values, const double *step,
                         double *x)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    const int kin = eom->row[CRANK_ROW_KIN];
    for (int j = 0; j < eom->sizes.v; j++) {
        const int column = eom->column[CRANK_V] + j;
        for (int e = J->start[column]; e < J->start[column + 1]; e++) {
            if (J->row[e] >= kin) {
                x[eom->column[CRANK_P] + J->row[e] - kin] += values[e] * step[j];
            }
        }
    }
}

/* n over p at x, from the values of the Jacobian */
static bool take_gradients(const crank_eom *eom, const double *values, crank_min_matrix *N)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    const int first = eom->row[CRANK_ROW_N], p = eom->column[CRANK_P];
    int count = 0;
    if (!crank_min_allocate(N, eom->sizes.n, eom->sizes.p,
                            (size_t)(J->start[eom->n] - J->start[p]) + 1)) {
        return false;
    }
    for (int j = 0; j < eom->sizes.p; j++) {
        N->start[j] = count;
        for (int e = J->start[p + j]; e < J->start[p + j + 1]; e++) {
            const int i = J->row[e] - first;
            if (i >= 0 && i < eom->sizes.n) {
                N->row[count] = i;
                N->values[count++] = values[e];
            }
        }
        N->start[j + 1] = count;
    }
    return true;
}

/* One step of Gauss and Newton; *size: of n before it. */
static crank_status step_onto(crank_eom *eom, double t, double *work, double *x, double *size,
                              crank_error *err)
{
    const size_t m = (size_t)eom->m;
    double *k = work, *y = work + m, *values = y + eom->sizes.p;
    crank_min_matrix N = {0};
    crank_status status = crank_eom_evaluate_rows(eom, 1, &t, x, CRANK_ALL_ROWS, k, err);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, t, x, NULL, values, err));
    *size = 0.0;
    for (int i = 0; i < eom->sizes.n; i++) {
        *size = fmax(*size, fabs(k[eom->row[CRANK_ROW_N] + i]));
    }
    if (status == CRANK_OK && *size > holds) {
        status = take_gradients(eom, values, &N)
                     ? crank_minimum_norm(&N, k + eom->row[CRANK_ROW_N], 1e-12, 0.0, y, err)
                     : crank_fail(err, CRANK_EMEM, "%d invariants", eom->sizes.n);
    }
    for (int j = 0; j < eom->sizes.p && status == CRANK_OK && *size > holds; j++) {
        x[eom->column[CRANK_P] + j] += y[j];
    }
    crank_min_free(&N);
    return status;
}

crank_status crank_project_move(crank_eom *eom, double t, const double *values,
                                const double *step, double *x, crank_error *err)
{
    if (eom->supplier.move != NULL) {
        eom->supplier.move(eom->self, x, step);
        return CRANK_OK;
    }
    move_plainly(eom, values, step, x);
    if (eom->sizes.n == 0 || !eom->invariants_absolute) {
        return CRANK_OK;
    }
    const size_t entries = (size_t)eom->jacobian_pattern.start[eom->n];
    double *work = calloc((size_t)eom->m + (size_t)eom->sizes.p + entries + 1, sizeof *work);
    if (work == NULL) {
        return crank_fail(err, CRANK_EMEM, "%d invariants", eom->sizes.n);
    }
    double size = 1.0;
    crank_status status = CRANK_OK;
    for (int i = 0; i < ITERATIONS && status == CRANK_OK && size > holds; i++) {
        status = step_onto(eom, t, work, x, &size, err);
    }
    free(work);
    return status;
}
