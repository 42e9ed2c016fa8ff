/* linear_corner.c - have the equations a derivative where they are linearised? Along each state,
 * with all that follows from it, rows are differentiated once more by differences to both sides
 * (slope.h): a law with a corner at the point (a stop that is just touched) has one derivative to
 * each side, and formulas know one of them. */
// SPDX-License-Identifier: BSD-3-Clause
#include "study/linear.h"

#include "base/then.h"
#include "eom/scale.h"

#include <math.h>
#include <stdlib.h>

static const double part = 1e-3;  /* of a size: what steps begin with */
static const double apart = 1e-3; /* of the larger: derivatives to both sides, at a corner */
static const double seen =
    1e-6; /* of the terms of a row's derivative: what counts beside them */

typedef struct rows_along {
    const crank_linear_work *w;
    const double *dx;
    double *x;
} rows_along;

static crank_status evaluate(void *user, double s, double *values, crank_error *err)
{
    const rows_along *at = user;
    crank_eom *eom = at->w->eom;
    for (int j = 0; j < eom->n; j++) {
        at->x[j] = at->w->x[j] + s * at->dx[j];
    }
    const crank_status status = crank_eom_evaluate(eom, at->w->t, at->x, values, err);
    if (status == CRANK_OK && eom->parts != NULL) { /* energies: nothing depends on them */
        const int b = eom->row[CRANK_ROW_B];
        for (int i = b + eom->parts->first_work; i < b + eom->sizes.r; i++) {
            values[i] = 0.0;
        }
    }
    return status;
}

/* How far a step 1 of the state moves the unknown that moves farthest, in natural sizes. */
static double reach_of(const crank_linear_work *w, const double *dx)
{
    double reach = 0.0;
    for (int j = 0; j < w->eom->n; j++) {
        reach = fmax(reach, fabs(dx[j]) / fmax(w->unit[j], fabs(w->x[j])));
    }
    return reach > 0.0 ? reach : 1.0;
}

/* least (m): a part of what J dx is the sum of, and of the terms of rows over the natural size of
 * the state, whose column is q */
static void measure(const crank_linear_work *w, const double *dx, int q, double *least)
{
    const crank_pattern *J = &w->eom->jacobian_pattern;
    const double size = fmax(w->unit[q], fabs(w->x[q]));
    for (int i = 0; i < w->eom->m; i++) {
        least[i] = seen * w->eom->work_scale[i] / size;
    }
    for (int j = 0; j < w->eom->n; j++) {
        for (int e = J->start[j]; e < J->start[j + 1]; e++) {
            least[J->row[e]] += seen * fabs(w->values[e] * dx[j]);
        }
    }
}

crank_status crank_linear_find_corner(crank_linear_work *w, char *text, size_t size,
                                      crank_error *err)
{
    crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n, m = (size_t)eom->m;
    double *dx = calloc(2 * n + 2 * m + (size_t)w->states + 1, sizeof *dx);
    if (dx == NULL) {
        return crank_fail(err, CRANK_EMEM, "derivatives to both sides");
    }
    double *slopes = dx + 2 * n, *least = slopes + m, *zeta = least + m;
    rows_along at = {w, dx, dx + n};
    crank_slope s = {
        .count = eom->m, .at = evaluate, .user = &at, .size = eom->work_scale, .least = least};
    crank_status status = CRANK_OK;
    text[0] = '\0';
    crank_eom_row_scale(eom, w->values, w->x, eom->work_scale);
    for (int j = 0; j < w->states && status != CRANK_EMEM && text[0] == '\0'; j++) {
        zeta[j] = 1.0;
        status = crank_linear_follow(w, zeta, NULL, dx, NULL, err);
        zeta[j] = 0.0;
        const int column = crank_linear_column(w, w->state[j]);
        s.h = part / reach_of(w, dx);
        measure(w, dx, column, least);
        CRANK_THEN(status, crank_slope_find(&s, slopes, err));
        if (status == CRANK_OK && s.rough >= 0 &&
            fabs(s.side[1] - s.side[0]) > apart * fmax(fabs(s.side[0]), fabs(s.side[1]))) {
            crank_linear_name_slope(&s, crank_linear_row_name(eom, s.rough),
                                    crank_eom_column_name(eom, column), text, size);
        }
    }
    free(dx);
    return status == CRANK_EMEM ? status : CRANK_OK; /* not there on one side: its own matter */
}
