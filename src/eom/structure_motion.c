/* structure_motion.c - are carried accelerations determined?
 *
 * With a = v' carried among w, the acceleration level reads
 *     F y = b,   rows (d, gII, hI) over y = (w, lambda, mu),
 * a square matrix, in which M stands beside the transposed constraint matrix. Redundant
 * constraints make it singular, but then only multipliers take part in its null vectors. The
 * acceleration a_j is open iff some null vector contains it: iff, among the columns in the order
 * lambda, mu, user's w, a, one of the last depends on those before it. A regular F, by far the
 * most frequent case, is recognised by one sparse LU decomposition. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/structure.h"

#include <stdlib.h>

static const double tolerance = 1e-10; /* of the equilibrated matrix */

/* Columns of F in the order of elimination; returns their number. */
static int order_columns(const crank_eom *eom, int *order)
{
    const int w = eom->column[CRANK_W], last = eom->column[CRANK_R];
    int count = 0;
    for (int j = eom->column[CRANK_LAMBDA]; j < last; j++) {
        order[count++] = j;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int j = w; j < w + eom->sizes.w; j++) {
            if (eom->carried[j] == (pass == 1)) {
                order[count++] = j;
            }
        }
    }
    return count;
}

/* F with its columns in that order, equilibrated: units of mass do not matter, however small. */
static crank_status make_block(const crank_eom *eom, const double *values, const int *order,
                               int size, crank_min_matrix *F, crank_error *err)
{
    const crank_pattern *pattern = &eom->jacobian_pattern;
    double *scale = malloc((2 * (size_t)size + 1) * sizeof *scale);
    int count = 0;
    if (scale == NULL ||
        !crank_min_allocate(F, size, size, (size_t)pattern->start[eom->column[CRANK_R]])) {
        free(scale);
        return crank_fail(err, CRANK_EMEM, "rank of %d equations", size);
    }
    for (int l = 0; l < size; l++) {
        for (int q = pattern->start[order[l]]; q < pattern->start[order[l] + 1]; q++) {
            if (pattern->row[q] < size && values[q] != 0.0) { /* d, gII, hI come first */
                F->row[count] = pattern->row[q];
                F->values[count++] = values[q];
            }
        }
        F->start[l + 1] = count;
    }
    crank_structure_equilibrate(F, scale, scale + size);
    free(scale);
    return CRANK_OK;
}

/* The first carried column that depends on those before it. */
static crank_status find_open(const crank_eom *eom, const crank_min_matrix *F, const int *order,
                              int *column, crank_error *err)
{
    crank_min_matrix T;
    int rank;
    bool *kept = calloc((size_t)F->columns + 1, sizeof *kept);
    int *reason = calloc((size_t)F->columns + 1, sizeof *reason);
    crank_status status = CRANK_EMEM;
    if (kept != NULL && reason != NULL && crank_min_transpose(F, &T)) {
        status = eom->n <= CRANK_STRUCTURE_DENSE
                     ? crank_independent_rows_dense(&T, tolerance, kept, reason, &rank, err)
                     : crank_independent_rows_sparse(&T, tolerance, 0, kept, reason, &rank,
                                                     NULL, err);
        crank_min_free(&T);
    } else {
        status = crank_fail(err, CRANK_EMEM, "rank of %d equations", F->columns);
    }
    for (int l = F->columns - 1; l >= 0 && status == CRANK_OK && kept != NULL; l--) {
        if (!kept[l] && eom->carried[order[l]]) {
            *column = order[l];
        }
    }
    free(kept);
    free(reason);
    return status;
}

crank_status crank_structure_motion(const crank_eom *eom, const double *values, int *column,
                                    crank_error *err)
{
    crank_min_matrix F = {0};
    bool carried = false, regular = false;
    *column = -1;
    for (int j = 0; j < eom->sizes.w; j++) {
        carried = carried || eom->carried[eom->column[CRANK_W] + j];
    }
    if (!carried || !eom->has_acceleration_level) {
        return CRANK_OK;
    }
    int *order = malloc(((size_t)eom->column[CRANK_R] + 1) * sizeof *order);
    if (order == NULL) {
        return crank_fail(err, CRANK_EMEM, "rank of %d equations", eom->column[CRANK_R]);
    }
    const int size = order_columns(eom, order);
    crank_status status = make_block(eom, values, order, size, &F, err);
    if (status == CRANK_OK) {
        status = crank_sparse_regular(&F, &regular, err);
    }
    if (status == CRANK_OK && !regular) {
        status = find_open(eom, &F, order, column, err);
    }
    crank_min_free(&F);
    free(order);
    return status;
}
