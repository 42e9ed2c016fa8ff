/* eom.c - the object behind crank/eom.h: sizes, offsets, patterns, evaluation, residuals.
 *
 *     x = [ w lambda mu | r | v | s p ]
 *     k = [ d gII hI | gI h e | c g n | b | f_dyn | f_kin ]          theory (1.1)-(1.9)
 *
 * Residuals are measured relative to the size of what a row adds up,
 *     |k_i| / (1 + sum_j |dk_i/dx_j| |x_j|),
 *     of mechanisms |k_i| / sum_j |dk_i/dx_j| max(|x_j|, unit_j),   theory (3.22)
 * so that units and cancellation do not decide what counts as consistent. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"
#include "base/then.h"
#include "eom/names.h"
#include "eom/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* accepted steps after which sizes of rows are measured anew: their derivatives hardly change
 * in fewer, by which Newton's iteration goes on with one matrix as long */
enum { NEAR_STEPS = 8 };

static bool sizes_valid(const crank_eom_sizes *s)
{
    return s->p >= 0 && s->v >= 0 && s->r >= 0 && s->w >= 0 && s->s >= 0 && s->lambda >= 0 &&
           s->mu >= 0 && s->e >= 0 && s->n >= 0 && s->initial >= 0;
}

static void set_offsets(crank_eom *eom)
{
    const crank_eom_sizes *s = &eom->sizes;
    const int columns[CRANK_GROUPS] = {s->w, s->lambda, s->mu, s->r, s->v, s->s, s->p};
    const int rows[CRANK_ROW_GROUPS] = {s->w, s->lambda, s->mu, s->lambda, s->mu, s->e,
                                        s->s, s->lambda, s->n,  s->r,      s->v,  s->p};
    for (int i = 0; i < CRANK_GROUPS; i++) {
        eom->column[i + 1] = eom->column[i] + columns[i];
    }
    for (int i = 0; i < CRANK_ROW_GROUPS; i++) {
        eom->row[i + 1] = eom->row[i] + rows[i];
    }
    eom->n = eom->column[CRANK_GROUPS];
    eom->m = eom->row[CRANK_ROW_GROUPS];
}

crank_status crank_eom_allocate(const crank_eom_sizes *sizes, const char *const *const *names,
                                const char *const *invariant_names,
                                const char *const *initial_names, crank_eom **out,
                                crank_error *err)
{
    *out = NULL;
    if (!sizes_valid(sizes)) {
        return crank_fail(err, CRANK_EARG,
                          "sizes of the equations of motion: none may be negative");
    }
    const double total = (double)sizes->p + sizes->v + sizes->r + sizes->w + sizes->s +
                         3.0 * sizes->lambda + 2.0 * sizes->mu + sizes->e + sizes->n;
    if (total > 1e9) {
        return crank_fail(err, CRANK_EARG, "the equations of motion have %.0f rows, too many",
                          total);
    }
    crank_eom *eom = calloc(1, sizeof *eom);
    if (eom == NULL) {
        return crank_fail(err, CRANK_EMEM, "equations of motion");
    }
    eom->sizes = *sizes;
    eom->has_acceleration_level = true;
    set_offsets(eom);
    eom->carried = calloc((size_t)eom->n + 1, sizeof *eom->carried);
    if (eom->carried == NULL ||
        !crank_eom_make_names(eom, names, invariant_names, initial_names)) {
        crank_eom_destroy(eom);
        return crank_fail(err, CRANK_EMEM, "names of %d unknowns", sizes->p + sizes->v);
    }
    *out = eom;
    return CRANK_OK;
}

/* Checks shape, order and range; where is a word for messages. */
static crank_status check_pattern(const crank_pattern *pattern, int rows, int columns,
                                  const char *where, crank_error *err)
{
    if (pattern->rows != rows || pattern->columns != columns) {
        return crank_fail(err, CRANK_EARG, "pattern of the %s is %d x %d, must be %d x %d",
                          where, pattern->rows, pattern->columns, rows, columns);
    }
    if (pattern->start == NULL || pattern->start[0] != 0) {
        return crank_fail(err, CRANK_EARG, "pattern of the %s: start[0] must be 0", where);
    }
    for (int j = 0; j < columns; j++) {
        if (pattern->start[j + 1] < pattern->start[j]) {
            return crank_fail(err, CRANK_EARG, "pattern of the %s: start falls at column %d",
                              where, j);
        }
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            const int i = pattern->row[k];
            if (i < 0 || i >= rows) {
                return crank_fail(err, CRANK_EARG,
                                  "pattern of the %s: row %d of column %d is out of range",
                                  where, i, j);
            }
            if (k > pattern->start[j] && i <= pattern->row[k - 1]) {
                return crank_fail(err, CRANK_EARG,
                                  "pattern of the %s: rows of column %d must rise", where, j);
            }
        }
    }
    return CRANK_OK;
}

/* owned[0], owned[1] hold the copy. */
static bool copy_pattern(crank_pattern *to, int *owned[2], const crank_pattern *from)
{
    const size_t columns = (size_t)from->columns;
    const size_t count = (size_t)from->start[columns];
    free(owned[0]);
    free(owned[1]);
    *to = (crank_pattern){0};
    owned[0] = malloc((columns + 1) * sizeof *owned[0]);
    owned[1] = malloc((count + 1) * sizeof *owned[1]);
    if (owned[0] == NULL || owned[1] == NULL) {
        return false;
    }
    memcpy(owned[0], from->start, (columns + 1) * sizeof *owned[0]);
    if (count > 0) {
        memcpy(owned[1], from->row, count * sizeof *owned[1]);
    }
    *to = (crank_pattern){
        .rows = from->rows, .columns = from->columns, .start = owned[0], .row = owned[1]};
    return true;
}

static void layout(crank_eom *eom, crank_arena *arena)
{
    const size_t count = (size_t)eom->jacobian_pattern.start[eom->n];
    eom->work_k = crank_arena_take(arena, (size_t)eom->m, sizeof *eom->work_k);
    eom->work_scale = crank_arena_take(arena, (size_t)eom->m, sizeof *eom->work_scale);
    eom->work_values = crank_arena_take(arena, count, sizeof *eom->work_values);
    eom->near_values = crank_arena_take(arena, count, sizeof *eom->near_values);
    eom->near_age = -1;
}

static crank_status take_work(crank_eom *eom, crank_error *err)
{
    eom->work = (crank_arena){0};
    layout(eom, &eom->work);
    if (!crank_arena_allocate(&eom->work)) {
        return crank_fail(err, CRANK_EMEM, "Jacobian of %d non-zeros",
                          eom->jacobian_pattern.start[eom->n]);
    }
    layout(eom, &eom->work);
    return CRANK_OK;
}

crank_status crank_eom_set_patterns(crank_eom *eom, const crank_pattern *jacobian,
                                    const crank_pattern *mass, crank_error *err)
{
    const int nv = eom->sizes.v;
    crank_status status = check_pattern(jacobian, eom->m, eom->n, "Jacobian", err);
    CRANK_THEN(status, check_pattern(mass, nv, nv, "mass matrix", err));
    if (status != CRANK_OK) {
        return status;
    }
    crank_arena_free(&eom->work);
    if (!copy_pattern(&eom->jacobian_pattern, eom->owned, jacobian) ||
        !copy_pattern(&eom->mass_pattern, eom->owned + 2, mass)) {
        return crank_fail(err, CRANK_EMEM, "patterns of %d non-zeros", jacobian->start[eom->n]);
    }
    return take_work(eom, err);
}

crank_status crank_eom_share(const crank_eom *from, crank_eom **out, crank_error *err)
{
    crank_eom *eom = malloc(sizeof *eom);
    *out = eom;
    if (eom == NULL) {
        return crank_fail(err, CRANK_EMEM, "equations of motion");
    }
    *eom = *from;
    eom->shared = true;
    eom->self = NULL;
    const crank_status status = take_work(eom, err);
    if (status != CRANK_OK) {
        crank_eom_destroy(eom);
        *out = NULL;
    }
    return status;
}

void crank_eom_destroy(crank_eom *eom)
{
    if (eom == NULL) {
        return;
    }
    if (eom->supplier.destroy != NULL && eom->self != NULL) {
        eom->supplier.destroy(eom->self);
    }
    crank_arena_free(&eom->work);
    if (!eom->shared) {
        crank_eom_free_names(eom);
        for (int i = 0; i < 4; i++) {
            free(eom->owned[i]);
        }
        free(eom->carried);
    }
    free(eom);
}

crank_eom_sizes crank_eom_get_sizes(const crank_eom *eom)
{
    return eom->sizes;
}

int crank_eom_unknowns(const crank_eom *eom)
{
    return eom->n;
}

int crank_eom_rows(const crank_eom *eom)
{
    return eom->m;
}

int crank_eom_column(const crank_eom *eom, crank_group group)
{
    return eom->column[group];
}

int crank_eom_row(const crank_eom *eom, crank_row_group group)
{
    return eom->row[group];
}

int crank_eom_row_level(const crank_eom *eom, int row)
{
    if (row >= eom->row[CRANK_ROW_B]) {
        return -1;
    }
    return row >= eom->row[CRANK_ROW_C] ? 0 : row >= eom->row[CRANK_ROW_GI] ? 1 : 2;
}

int crank_first_not_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return i;
        }
    }
    return -1;
}

crank_status crank_eom_evaluate_rows(crank_eom *eom, int count, const double *t,
                                     const double *x, int rows, double *k, crank_error *err)
{
    if (!eom->has_acceleration_level) {
        const int first = eom->row[CRANK_ROW_GII], last = eom->row[CRANK_ROW_GI];
        for (int i = 0; i < count; i++) {
            memset(k + (size_t)i * (size_t)eom->m + first, 0,
                   (size_t)(last - first) * sizeof *k);
        }
    }
    return eom->supplier.evaluate(eom->self, count, t, x, rows, k, err);
}

crank_status crank_eom_evaluate(crank_eom *eom, double t, const double *x, double *k,
                                crank_error *err)
{
    const crank_status status = crank_eom_evaluate_rows(eom, 1, &t, x, CRANK_ALL_ROWS, k, err);
    if (status != CRANK_OK) {
        return status;
    }
    const int row = crank_first_not_finite(eom->m, k);
    if (row >= 0) {
        char name[160];
        return crank_fail_place(err, CRANK_RETRY, crank_eom_row_place(eom, row),
                                "%s is not finite at t = %g",
                                crank_eom_row_name(eom, row, name, sizeof name), t);
    }
    return CRANK_OK;
}

crank_status crank_eom_evaluate_jacobian(crank_eom *eom, double t, const double *x,
                                         const double *vdot, double *values, crank_error *err)
{
    const crank_status status = eom->supplier.jacobian(eom->self, t, x, vdot, values, err);
    if (status != CRANK_OK) {
        return status;
    }
    const int *start = eom->jacobian_pattern.start;
    const int bad = crank_first_not_finite(start[eom->n], values);
    if (bad >= 0) {
        int column = 0;
        while (start[column + 1] <= bad) {
            column++;
        }
        char name[160];
        const int row = eom->jacobian_pattern.row[bad];
        crank_place place = crank_eom_row_place(eom, row);
        const char *whose = eom->supplier.culprit != NULL
                                ? eom->supplier.culprit(eom->self, t, x, &place)
                                : NULL;
        return crank_fail_place(
            err, CRANK_RETRY, place,
            "%.120s%sthe derivative of %s by %s is not finite at t = %g; roots, hypot and "
            "atan2 "
            "of zeros have none, sqrt(x^2 + e^2) and atan2(y, sqrt(x^2 + e^2)) have",
            whose != NULL ? whose : "", whose != NULL ? ": " : "",
            crank_eom_row_name(eom, row, name, sizeof name), crank_eom_column_name(eom, column),
            t);
    }
    return CRANK_OK;
}

crank_status crank_eom_evaluate_mass(crank_eom *eom, double t, const double *x, double *values,
                                     crank_error *err)
{
    const crank_pattern *pattern = &eom->mass_pattern;
    if (eom->mass_is_identity) {
        for (int j = 0; j < pattern->columns; j++) {
            for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
                values[k] = pattern->row[k] == j ? 1.0 : 0.0;
            }
        }
        return CRANK_OK;
    }
    const crank_status status = eom->supplier.mass(eom->self, t, x, values, err);
    if (status == CRANK_OK &&
        crank_first_not_finite(pattern->start[pattern->columns], values) >= 0) {
        return crank_fail(err, CRANK_RETRY, "the mass matrix is not finite at t = %g", t);
    }
    return status;
}

void crank_eom_subtract_mass(const crank_eom *eom, const double *mass, const double *vdot,
                             double *k)
{
    const crank_pattern *pattern = &eom->mass_pattern;
    double *dynamic = k + eom->row[CRANK_ROW_DYN];
    for (int j = 0; j < pattern->columns; j++) {
        for (int q = pattern->start[j]; q < pattern->start[j + 1]; q++) {
            dynamic[pattern->row[q]] -= mass[q] * vdot[j];
        }
    }
}

/* of a general DAE the level of the constraint, those above 2 with 2 */
static int residual_level(const crank_eom *eom, int row)
{
    if (eom->dae == NULL) {
        return crank_eom_row_level(eom, row);
    }
    const int level = eom->dae->level[row - eom->row[CRANK_ROW_N]];
    return level < 2 ? level : 2;
}

/* anew: the Jacobian, by which rows are measured, is filled first. */
static crank_status measure_residuals(crank_eom *eom, double t, const double *x, bool anew,
                                      double *jacobian, double residual[3], crank_error *err)
{
    crank_status status =
        crank_eom_evaluate_rows(eom, 1, &t, x, CRANK_ALGEBRAIC, eom->work_k, err);
    CRANK_THEN(status,
               anew ? crank_eom_evaluate_jacobian(eom, t, x, NULL, jacobian, err) : CRANK_OK);
    if (status != CRANK_OK) {
        return status;
    }
    crank_eom_row_scale(eom, jacobian, x, eom->work_scale);
    residual[0] = residual[1] = residual[2] = 0.0;
    for (int i = 0; i < eom->row[CRANK_ROW_B]; i++) {
        const double r = fabs(eom->work_k[i]) / eom->work_scale[i];
        double *level = &residual[residual_level(eom, i)];
        *level = r > *level || isnan(r) ? r : *level;
    }
    return CRANK_OK;
}

crank_status crank_eom_residuals(crank_eom *eom, double t, const double *x, double residual[3],
                                 crank_error *err)
{
    return measure_residuals(eom, t, x, true, eom->work_values, residual, err);
}

crank_status crank_eom_residuals_near(crank_eom *eom, double t, const double *x,
                                      double residual[3], crank_error *err)
{
    /* what inlined equations remember is archived without it */
    const bool known = eom->near_age >= 0 && eom->near_age < NEAR_STEPS && eom->inlined == NULL;
    const crank_status status =
        measure_residuals(eom, t, x, !known, eom->near_values, residual, err);
    if (!known) {
        eom->near_age = status == CRANK_OK ? 0 : -1;
    }
    return status;
}

static int64_t fingerprint(const crank_eom *eom)
{
    const crank_pattern *J = &eom->jacobian_pattern;
    uint64_t hash = crank_hash(CRANK_HASH_START, &eom->sizes, sizeof eom->sizes);
    for (int j = 0; j < eom->n; j++) {
        const char *name = crank_eom_column_name(eom, j);
        hash = crank_hash(hash, name, strlen(name) + 1);
    }
    hash = crank_hash(hash, J->start, ((size_t)eom->n + 1) * sizeof *J->start);
    hash = crank_hash(hash, J->row, (size_t)J->start[eom->n] * sizeof *J->row);
    return (int64_t)(hash >> 1); /* a number without sign */
}

crank_status crank_eom_look(crank_eom *eom, double t, const double *x, const crank_log *log,
                            crank_error *err)
{
    return eom->supplier.look != NULL ? eom->supplier.look(eom->self, t, x, log, err)
                                      : CRANK_OK;
}

bool crank_eom_looks_at_state(const crank_eom *eom)
{
    const crank_eom_supplier *s = &eom->supplier;
    return s->look != NULL && (s->looks_at_state == NULL || s->looks_at_state(eom->self));
}

crank_status crank_eom_find_pole(crank_eom *eom, double t, const double *x, crank_error *err)
{
    return eom->supplier.pole != NULL ? eom->supplier.pole(eom->self, t, x, err) : CRANK_OK;
}

crank_status crank_eom_accepted(crank_eom *eom, double t, const double *x, crank_error *err)
{
    eom->near_age += eom->near_age >= 0 && eom->near_age < NEAR_STEPS;
    return eom->supplier.accepted != NULL ? eom->supplier.accepted(eom->self, t, x, err)
                                          : CRANK_OK;
}

void crank_eom_stand(crank_eom *eom, bool stands)
{
    if (eom->supplier.stand != NULL) {
        eom->supplier.stand(eom->self, stands);
    }
}

void crank_eom_archive(crank_eom *eom, crank_archive *a)
{
    if (eom->parts != NULL) {
        crank_archive_check_text(a, "coordinates", eom->parts->coordinates);
    }
    crank_archive_check(a, "unknowns", eom->n);
    crank_archive_check(a, "rows", eom->m);
    crank_archive_check(a, "the mark of the names", fingerprint(eom));
    crank_archive_check(a, "the mark of the parameters", (int64_t)(eom->mark >> 1));
    crank_archive_int(a, &eom->near_age, -1, NEAR_STEPS);
    if (eom->near_age >= 0) {
        crank_archive_doubles(a, eom->near_values, (size_t)eom->jacobian_pattern.start[eom->n]);
    }
    if (eom->supplier.archive != NULL) {
        eom->supplier.archive(eom->self, a);
    } else if (eom->supplier.accepted != NULL) {
        crank_archive_fail(a, CRANK_EARG,
                           "the equations remember the motion and cannot be saved");
    }
}
