/* creep.c - how what friction holds creeps: velocities at which the forces of the model itself,
 * with all that depends on velocities, balance at a standing position. theory (12.5)
 *
 *     0 = f(p, v) - (G Z)^T lambda - (H Z)^T mu,      G Z v = 0,      H Z v = 0
 *
 * by steps of Newton's method of the smallest norm, over v, lambda, mu and w. Friction and
 * dampers have a dissipation potential, of which v is the minimum: a step is halved while the
 * slope along it has turned round. Treads hold by deflections, which do not depend on v: their
 * creeping is steady along motions that change no force, of which it is the one nearest to
 * their rates. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/structure.h"
#include "study/basis.h"
#include "study/hold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100, HALVINGS = 100 };
static const double balanced = 1e-9; /* of the forces of friction */
static const double rank_tolerance = 1e-13;
static const double steady = 1e-9; /* change of a force, over its size, that is none */
static const double turned = 0.5;  /* part of the slope along a step that may turn round */

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "the creeping of friction");
}

static void divide(crank_min_matrix *A, const double *norm, double *b)
{
    for (int e = 0; e < A->start[A->columns]; e++) {
        A->values[e] /= norm[A->row[e]];
    }
    for (int i = 0; i < A->rows; i++) {
        b[i] = norm[i] > 0.0 ? b[i] / norm[i] : 0.0;
    }
}

/* The rows of A norm one; b likewise. */
static void normalise(crank_min_matrix *A, double *norm, double *b)
{
    memset(norm, 0, (size_t)A->rows * sizeof *norm);
    for (int e = 0; e < A->start[A->columns]; e++) {
        norm[A->row[e]] = hypot(norm[A->row[e]], A->values[e]);
    }
    divide(A, norm, b);
}

/* Gradients of constraints, and D, over displacements in units. */
static void take_rows(const crank_statics *s, int count, const double *D, crank_min_matrix *W)
{
    const int first = s->balances + s->plain, own = s->rows - first - s->holds.count;
    int entries = 0;
    for (int j = 0; j < s->balances; j++) {
        W->start[j] = entries;
        for (int e = s->A.start[j]; e < s->A.start[j + 1]; e++) {
            const int row = s->A.row[e] - first;
            if (row >= 0 && row < own) {
                W->row[entries] = row;
                W->values[entries++] = s->A.values[e] * s->unit[j];
            }
        }
        for (int i = 0; i < count; i++) {
            if (D[(long)i * s->balances + j] != 0.0) {
                W->row[entries] = own + i;
                W->values[entries++] = D[(long)i * s->balances + j] * s->unit[j];
            }
        }
        W->start[j + 1] = entries;
    }
}

crank_status crank_creep_guess(crank_statics *s, int count, const double *D,
                               const double *rates, crank_error *err)
{
    const int own = s->rows - s->balances - s->plain - s->holds.count, rows = own + count;
    crank_status status = crank_statics_linearise(s, 0.0, false, err);
    crank_min_matrix W = {0};
    double *b = calloc(2 * (size_t)rows + (size_t)s->balances + 1, sizeof *b);
    if (status == CRANK_OK &&
        (b == NULL || !crank_min_allocate(&W, rows, s->balances,
                                          (size_t)s->A.start[s->balances] +
                                              (size_t)count * (size_t)s->balances + 1))) {
        status = no_memory(err);
    }
    if (status == CRANK_OK) {
        double *y = b + 2 * (size_t)rows;
        take_rows(s, count, D, &W);
        for (int i = 0; i < count; i++) {
            b[own + i] = -rates[i];
        }
        normalise(&W, b + rows, b);
        status = crank_minimum_norm(&W, b, 1e-11, 0.0, y, err);
        for (int j = 0; j < s->balances && status == CRANK_OK; j++) {
            s->x[s->eom->column[CRANK_V] + j] = y[j] * s->unit[j];
        }
    }
    crank_min_free(&W);
    free(b);
    return status;
}

/* ---- along motions that change no force ---- */

/* Rows of the linearised equations of rest over displacements that a steady creeping keeps: of
 * forces, of variables that follow none of the treads, of constraints. */
static int take_steady(const crank_statics *s, double *W, double *least)
{
    const int rows = s->rows - s->holds.count, first = s->balances + s->plain;
    for (int j = 0; j < s->balances; j++) {
        for (int e = s->A.start[j]; e < s->A.start[j + 1]; e++) {
            const int i = s->A.row[e];
            const bool follows = i >= s->balances && i < first && s->gradient[i] >= 0;
            if (i < rows && !follows) {
                W[i + (long)j * rows] = s->A.values[e];
            }
        }
    }
    for (int i = 0; i < rows; i++) {
        least[i] = i < first             ? s->scale[i]
                   : s->gradient[i] >= 0 ? crank_structure_cancelled(s->eom, s->gradient[i])
                                         : 0.0;
    }
    return rows;
}

/* Least squares of D N z = rates, the motions N z of s->basis. */
static crank_status fit(crank_statics *s, const crank_basis *basis, int count, const double *D,
                        const double *rates, crank_error *err)
{
    const int free_count = basis->free, v = s->balances;
    crank_min_matrix A = {0};
    double *b = calloc(2 * (size_t)count + (size_t)free_count + 1, sizeof *b);
    if (b == NULL ||
        !crank_min_allocate(&A, count, free_count, (size_t)count * (size_t)free_count + 1)) {
        free(b);
        return no_memory(err);
    }
    double *z = b + 2 * (size_t)count;
    for (int f = 0; f < free_count; f++) {
        for (int i = 0; i < count; i++) {
            double sum = 0.0;
            for (int j = 0; j < v; j++) {
                sum += D[(long)i * v + j] * basis->N[j + (long)f * v];
            }
            A.row[f * count + i] = i;
            A.values[f * count + i] = sum * s->unit[basis->independent[f]];
        }
        A.start[f + 1] = (f + 1) * count;
    }
    for (int i = 0; i < count; i++) { /* rows as large as they are over all motions */
        b[i] = -rates[i];
        for (int j = 0; j < v; j++) {
            b[count + i] = hypot(b[count + i], D[(long)i * v + j] * s->unit[j]);
        }
    }
    divide(&A, b + count, b);
    const crank_status status = crank_minimum_norm(&A, b, 1e-11, 0.0, z, err);
    for (int j = 0; j < v && status == CRANK_OK; j++) {
        double sum = 0.0;
        for (int f = 0; f < free_count; f++) {
            sum += basis->N[j + (long)f * v] * z[f] * s->unit[basis->independent[f]];
        }
        s->x[s->eom->column[CRANK_V] + j] = sum;
    }
    crank_min_free(&A);
    free(b);
    return status;
}

crank_status crank_creep_steady(crank_statics *s, int count, const double *D,
                                const double *rates, crank_error *err)
{
    crank_basis basis = {0};
    crank_status status = crank_statics_linearise(s, 0.0, true, err);
    const size_t rows = (size_t)(s->rows - s->holds.count), v = (size_t)s->balances;
    double *W = calloc(rows * (v + 1) + 1, sizeof *W);
    if (status == CRANK_OK && W == NULL) {
        status = no_memory(err);
    }
    if (status == CRANK_OK) {
        double *least = W + rows * v;
        const int own = take_steady(s, W, least);
        status = crank_basis_create(own, s->balances, W, s->unit, least, steady, &basis, err);
        CRANK_THEN(status, fit(s, &basis, count, D, rates, err));
    }
    crank_basis_destroy(&basis);
    free(W);
    return status;
}

/* ---- beside dampers ---- */

typedef struct creep {
    crank_statics *s;
    int rows, columns;
    int *place, *column;                        /* m: own row, or -1; own columns: of the eom */
    double *F, *scale, *norm, *y, *unit, *from; /* norm: twice */
    double worst;                               /* of |F|/scale */
} creep;

static void choose(creep *c)
{
    const crank_statics *s = c->s;
    const crank_eom *eom = s->eom;
    for (int i = 0; i < eom->m; i++) {
        const int own = s->place[i];
        const bool wanted =
            own >= 0 && (own < s->balances || own >= s->balances + s->plain ||
                         (i >= eom->row[CRANK_ROW_D] && i < eom->row[CRANK_ROW_D + 1]));
        c->place[i] = wanted ? c->rows++ : -1;
    }
    for (int j = 0; j < s->columns; j++) {
        const int column = s->column[j];
        const bool follows = column >= eom->column[CRANK_R] && column < eom->column[CRANK_W];
        const bool still = column >= eom->n || (j >= s->balances && follows);
        if (!still) {
            const bool moves = j < s->balances;
            c->unit[c->columns] = s->unit[j] / (moves ? s->time : 1.0);
            c->column[c->columns++] = column;
        }
    }
}

/* F at s->x, with the Jacobian's values there. */
static crank_status evaluate(creep *c, crank_error *err)
{
    crank_statics *s = c->s;
    crank_eom *eom = s->eom;
    crank_status status =
        crank_eom_evaluate_rows(eom, 1, &s->t, s->x, CRANK_ALL_ROWS, s->k, err);
    CRANK_THEN(status, crank_eom_evaluate_jacobian(eom, s->t, s->x, NULL, s->values, err));
    if (status != CRANK_OK) {
        return status;
    }
    memset(c->F, 0, (size_t)c->rows * sizeof *c->F);
    for (int i = 0; i < eom->m; i++) {
        const int own = s->place[i];
        if (c->place[i] >= 0 && own < s->balances + s->plain) {
            c->F[c->place[i]] = own < s->balances ? s->sign * s->k[i] : s->k[i];
        }
    }
    const crank_pattern *J = &eom->jacobian_pattern;
    for (int j = 0; j < eom->sizes.v; j++) { /* drives stand still */
        const int column = eom->column[CRANK_V] + j;
        for (int e = J->start[column]; e < J->start[column + 1]; e++) {
            const int own = c->place[J->row[e]];
            if (own >= 0 && s->place[J->row[e]] >= s->balances + s->plain) {
                c->F[own] += s->values[e] * s->x[column];
            }
        }
    }
    c->worst = 0.0;
    for (int i = 0; i < c->rows; i++) {
        c->worst =
            isfinite(c->F[i]) ? fmax(c->worst, fabs(c->F[i]) / c->scale[i]) : (double)INFINITY;
    }
    return CRANK_OK;
}

/* what residuals are compared with: forces of friction, and their rates */
static void measure(creep *c)
{
    const crank_statics *s = c->s;
    const int v = s->balances;
    for (int i = 0; i < s->eom->m; i++) {
        const int own = s->place[i];
        if (c->place[i] < 0) {
            continue;
        }
        double size = 0.0, rate = 0.0;
        for (int h = 0; h < s->holds.count; h++) {
            for (int j = 0; j < v; j++) {
                const double D = fabs(s->D[(long)h * v + j]);
                rate = fmax(rate, D * fabs(s->x[s->eom->column[CRANK_V] + j]));
                size += j == own ? D * fabs(s->x[s->eom->n + h]) : 0.0;
            }
        }
        size = own < v ? fmax(size, 1e-4 * s->scale[own]) : rate;
        c->scale[c->place[i]] = size > 0.0 ? size : 1.0;
    }
}

static crank_status step(creep *c, crank_error *err)
{
    const crank_statics *s = c->s;
    const crank_pattern *J = &s->eom->jacobian_pattern;
    crank_min_matrix A = {0};
    int count = 0;
    if (!crank_min_allocate(&A, c->rows, c->columns, (size_t)J->start[s->eom->n] + 1)) {
        return no_memory(err);
    }
    for (int k = 0; k < c->columns; k++) {
        const int column = c->column[k];
        A.start[k] = count;
        for (int e = J->start[column]; e < J->start[column + 1]; e++) {
            const int row = c->place[J->row[e]];
            if (row >= 0) {
                const double sign = s->place[J->row[e]] < s->balances ? s->sign : 1.0;
                A.row[count] = row;
                A.values[count++] = sign * s->values[e] * c->unit[k];
            }
        }
        A.start[k + 1] = count;
    }
    normalise(&A, c->norm, c->F);
    const crank_status status = crank_minimum_norm(&A, c->F, rank_tolerance, 0.0, c->y, err);
    crank_min_free(&A);
    return status;
}

/* Work of what is left over along the step: the slope of the dissipation potential, whose
 * minimum is sought. */
static double slope(const creep *c)
{
    const crank_statics *s = c->s;
    double sum = 0.0;
    for (int k = 0; k < c->columns; k++) {
        const int v = c->column[k] - s->eom->column[CRANK_V];
        if (v >= 0 && v < s->balances) {
            sum += c->F[c->place[s->row[v]]] * c->y[k] * c->unit[k];
        }
    }
    return sum;
}

/* A step, halved while the slope along it has turned round: beyond its knee friction hardly
 * grows, and steps from there are far too long. */
static crank_status advance(creep *c, crank_error *err)
{
    crank_statics *s = c->s;
    double *F = c->norm + c->rows;
    memcpy(c->from, s->x, (size_t)s->eom->n * sizeof *c->from);
    memcpy(F, c->F, (size_t)c->rows * sizeof *F);
    crank_status status = step(c, err);
    memcpy(c->F, F, (size_t)c->rows * sizeof *F);
    const double before = fabs(slope(c));
    double factor = 1.0;
    for (int i = 0; i < HALVINGS && status == CRANK_OK; i++, factor /= 2.0) {
        for (int k = 0; k < c->columns; k++) {
            s->x[c->column[k]] = c->from[c->column[k]] + factor * c->y[k] * c->unit[k];
        }
        status = evaluate(c, err);
        if (isfinite(c->worst) && slope(c) <= turned * before) {
            break;
        }
    }
    return status;
}

static crank_status iterate(creep *c, bool *found, crank_error *err)
{
    crank_status status = evaluate(c, err);
    *found = status == CRANK_OK && c->worst <= balanced;
    for (int i = 0; i < STEPS && status == CRANK_OK && !*found; i++) {
        status = advance(c, err);
        *found = status == CRANK_OK && c->worst <= balanced;
    }
    return status > CRANK_OK ? CRANK_OK : status;
}

crank_status crank_creep_find(crank_statics *s, bool *found, crank_error *err)
{
    const size_t m = (size_t)s->eom->m, n = (size_t)s->eom->n;
    crank_store store = {0};
    creep c = {.s = s,
               .place = crank_store_take(&store, m, sizeof *c.place),
               .column = crank_store_take(&store, n, sizeof *c.column),
               .F = crank_store_take(&store, m, sizeof *c.F),
               .scale = crank_store_take(&store, m, sizeof *c.scale),
               .norm = crank_store_take(&store, 2 * m, sizeof *c.norm),
               .y = crank_store_take(&store, n, sizeof *c.y),
               .unit = crank_store_take(&store, n, sizeof *c.unit),
               .from = crank_store_take(&store, n, sizeof *c.from)};
    crank_status status = store.failed ? no_memory(err) : CRANK_OK;
    *found = false;
    if (status == CRANK_OK) {
        choose(&c);
        measure(&c);
        status = iterate(&c, found, err);
    }
    crank_store_free(&store);
    return status;
}
