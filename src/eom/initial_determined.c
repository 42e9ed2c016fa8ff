/* initial_determined.c - initial values that the equations leave open: accelerations that
 * neither mass nor constraints determine, contact unknowns s with singular c_s, auxiliary ones
 * w with singular d_w. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Are accelerations open since forces read multipliers that are? That is reported in its own
 * words (loads.c). */
static bool is_open_load(const crank_initial *w)
{
    char text[1000];
    return crank_eom_find_loads(w->eom, w->t, w->x, text, sizeof text, NULL) == CRANK_OK &&
           text[0] != '\0';
}

/* Open multipliers move the bodies where friction reads them, which is not to say that nothing
 * resists this motion: it is looked for again without constraint forces, where friction under
 * load vanishes. */
static crank_status find_without_loads(const crank_initial *w, int *open, double *direction,
                                       int *count, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const size_t n = (size_t)eom->n;
    const size_t multipliers = (size_t)(eom->sizes.lambda + eom->sizes.mu);
    double *x = malloc((n + (size_t)eom->jacobian_pattern.start[n] + 1) * sizeof *x);
    if (x == NULL) {
        return crank_fail(err, CRANK_EMEM, "motion of %d velocities", eom->sizes.v);
    }
    memcpy(x, w->x, n * sizeof *x);
    memset(x + eom->column[CRANK_LAMBDA], 0, multipliers * sizeof *x);
    crank_status status = crank_eom_evaluate_jacobian(w->eom, w->t, x, NULL, x + n, err);
    CRANK_THEN(status, crank_structure_motion(eom, x + n, 1, open, direction, count, err));
    free(x);
    return status;
}

crank_status crank_initial_motion(const crank_initial *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    int open, count;
    char what[300];
    if (crank_initial_definite(w)) {
        return CRANK_OK;
    }
    double *direction = malloc(((size_t)eom->sizes.v + 1) * sizeof *direction);
    if (direction == NULL) {
        return crank_fail(err, CRANK_EMEM, "motion of %d velocities", eom->sizes.v);
    }
    crank_status status =
        crank_structure_motion(eom, w->values, 1, &open, direction, &count, err);
    if (status == CRANK_OK && count > 0 && is_open_load(w)) {
        status = find_without_loads(w, &open, direction, &count, err);
    }
    if (status != CRANK_OK || count == 0) {
        free(direction);
        return status;
    }
    crank_structure_direction(eom, w->x, direction, what, sizeof what);
    free(direction);
    if (eom->parts != NULL) {
        const crank_place place = crank_eom_column_place(eom, open);
        return crank_fail_place(
            err, CRANK_EINIT_UNDETERMINED, place,
            "%s is not determined: neither mass nor joints resist it; give the "
            "body mass or inertia, or another joint",
            what);
    }
    int velocity = eom->column[CRANK_V];
    for (int j = eom->column[CRANK_W]; j < open; j++) { /* carried ones have the order of v */
        velocity += eom->carried[j] ? 1 : 0;
    }
    const char *name = crank_eom_column_name(eom, velocity);
    return crank_fail_at(err, CRANK_EINIT_UNDETERMINED, eom->mass_place.line,
                         eom->mass_place.column,
                         "mass: singular at the start (row %s), and the constraints do not "
                         "determine the acceleration of %s; give %s a mass or a constraint",
                         name, name, name);
}

/* The block of equations first .. first+rows-1 over unknowns column .. column+columns-1 in
 * their natural units, rows of norm one. */
static bool read_block(const crank_initial *w, int first, int rows, int column, int columns,
                       crank_min_matrix *B)
{
    const crank_pattern *pattern = &w->eom->jacobian_pattern;
    const int begin = pattern->start[column], end = pattern->start[column + columns];
    double *norm = calloc((size_t)rows + 1, sizeof *norm);
    if (norm == NULL || !crank_min_allocate(B, rows, columns, (size_t)(end - begin))) {
        free(norm);
        return false;
    }
    int count = 0;
    for (int j = 0; j < columns; j++) {
        const double unit = w->eom->parts != NULL ? w->units.unit[column + j] : 1.0;
        for (int q = pattern->start[column + j]; q < pattern->start[column + j + 1]; q++) {
            const int i = pattern->row[q] - first;
            if (i >= 0 && i < rows) {
                B->row[count] = i;
                B->values[count++] = unit * w->values[q];
                norm[i] = hypot(norm[i], unit * w->values[q]);
            }
        }
        B->start[j + 1] = count;
    }
    for (int q = 0; q < count; q++) {
        B->values[q] /= norm[B->row[q]] > 0.0 ? norm[B->row[q]] : 1.0;
    }
    free(norm);
    return true;
}

/* Names the unknown that takes the largest part in a null vector, if it is one of the first
 * own. */
static crank_status check_null(const crank_initial *w, const crank_min_matrix *B, int own,
                               int column, const char *what, crank_error *err)
{
    int rank, worst = 0;
    double *null = calloc((size_t)B->columns + 1, sizeof *null);
    if (null == NULL) {
        return crank_fail(err, CRANK_EMEM, "rank of %d equations", B->rows);
    }
    crank_status status = crank_dense_null(B, 1e-12, &rank, null, NULL, err);
    for (int j = 0; j < own; j++) {
        worst = null[j] > null[worst] ? j : worst;
    }
    if (status == CRANK_OK && null[worst] > 1e-6) {
        const crank_place place = crank_eom_column_place(w->eom, column + worst);
        status = crank_fail_place(err, CRANK_EINIT_UNDETERMINED, place,
                                  "the %s equations do not determine %s at the start", what,
                                  crank_eom_column_name(w->eom, column + worst));
    }
    free(null);
    return status;
}

crank_status crank_initial_determined(crank_initial *w, int level, crank_error *err)
{
    const crank_eom *eom = w->eom;
    const bool contact = level == 0;
    const int own = contact ? eom->sizes.s : eom->sizes.w;
    const int column = contact ? eom->column[CRANK_S] : eom->column[CRANK_W];
    const int first = contact ? eom->row[CRANK_ROW_C] : eom->row[CRANK_ROW_D];
    const bool whole = !contact && w->options.multipliers && eom->has_acceleration_level;
    const int count = whole ? eom->column[CRANK_R] : own; /* F11 is as wide as high */
    const char *what = contact ? "contact" : "auxiliary";
    crank_min_matrix B;
    if (own == 0) {
        return CRANK_OK;
    }
    if (!read_block(w, first, count, column, count, &B)) {
        return crank_fail(err, CRANK_EMEM, "rank of %d equations", count);
    }
    crank_status status = CRANK_OK;
    if (crank_min_is_dense(&B)) {
        status = check_null(w, &B, own, column, what, err);
        if (status == CRANK_EINIT_UNDETERMINED && whole && is_open_load(w)) {
            status = CRANK_OK;
        }
    } else if (contact) { /* large: singular c_s is reported without the name */
        bool regular;
        status = crank_sparse_regular(&B, &regular, err);
        if (status == CRANK_OK && !regular) {
            status = crank_fail(err, CRANK_EINIT_UNDETERMINED,
                                "the contact equations do not determine %s ... at the start",
                                crank_eom_column_name(eom, column));
        }
    }
    crank_min_free(&B);
    return status;
}
