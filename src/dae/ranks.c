/* ranks.c - ranks of the procedure at the point and its neighbours.
 *
 *     r^l = rank [E; k2^0_x; ..; k2^l_x],   a^l = rank [k2^0_x; ..; k2^l_x]       theory (10.6)
 *
 * Rows are divided by their typical norm, columns are in units. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/procedure.h"
#include "dae/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Typical norms of the rows of a matrix (by rows) that the functions evaluate. */
static void scale_rows(const crank_dae_procedure *p, crank_dae_functions *functions,
                       double *scale)
{
    for (int i = 0; i < p->m; i++) {
        double size[2 * CRANK_DAE_POINTS] = {0};
        for (int q = 0; q < 2 * CRANK_DAE_POINTS; q++) {
            const int point = q / 2;
            const double *z = q % 2 == 0 ? crank_dae_cloud(&p->points, point)
                                         : crank_dae_point(&p->points, point);
            if (!p->points.used[point] ||
                !crank_dae_functions_evaluate(functions, z, p->points.t[point])) {
                continue;
            }
            for (int j = 0; j < p->n; j++) {
                const double entry = functions->out[(size_t)i * (size_t)p->n + (size_t)j];
                size[q] += entry * p->unit[j] * entry * p->unit[j];
            }
            size[q] = sqrt(size[q]);
        }
        scale[i] = crank_dae_typical(size, 2 * CRANK_DAE_POINTS);
        scale[i] = scale[i] > 0.0 ? scale[i] : 1.0;
    }
}

/* The matrix in functions->out, scaled, into the first m of `rows` rows of A. */
static void copy_scaled(const crank_dae_procedure *p, const crank_dae_functions *functions,
                        const double *scale, int rows, double *A)
{
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->n; j++) {
            A[(size_t)i + (size_t)j * (size_t)rows] =
                functions->out[(size_t)i * (size_t)p->n + (size_t)j] * p->unit[j] / scale[i];
        }
    }
}

static void note(crank_dae_rank *rank, int q, int value)
{
    if (q == 0) {
        *rank = (crank_dae_rank){.point = value, .most = value, .constant = true};
    }
    rank->constant = rank->constant && value == rank->point;
    rank->most = value > rank->most ? value : rank->most;
}

crank_status crank_dae_leading_rank(crank_dae_procedure *p, crank_dae_rank *rank,
                                    int *reference, crank_error *err)
{
    crank_status status = CRANK_OK;
    double *A = calloc((size_t)p->m * (size_t)p->n, sizeof *A);
    if (A == NULL) {
        return crank_fail(err, CRANK_EMEM, "ranks of %d rows", p->m);
    }
    scale_rows(p, &p->leading, p->row_scale);
    *rank = (crank_dae_rank){0};
    *reference = 0;
    int value = 0;
    bool known = false;
    for (int q = 0; q < CRANK_DAE_POINTS && status == CRANK_OK; q++) {
        if (!p->points.used[q]) {
            continue;
        }
        if (!crank_dae_functions_evaluate(&p->leading, crank_dae_point(&p->points, q),
                                          p->points.t[q])) {
            p->points.used[q] = q == 0; /* a pole: the point itself is told by rank 0 */
            if (q == 0) {
                note(rank, q, 0);
            }
            continue;
        }
        if (!known) {
            copy_scaled(p, &p->leading, p->row_scale, p->m, A);
            status = crank_dae_rank_of(p->m, p->n, A, &value, err);
        }
        known = p->leading.varying == 0; /* the same everywhere */
        *reference = q > 0 && value > rank->most ? q : *reference;
        note(rank, q, value);
    }
    free(A);
    return status;
}

void crank_dae_stack(crank_dae_procedure *p, int q, double *stack)
{
    const int rows = p->m + p->constraint_count;
    const double *z = crank_dae_point(&p->points, q);
    (void)crank_dae_functions_evaluate(&p->first, z, p->points.t[q]);
    copy_scaled(p, &p->first, p->first_scale, rows, stack);
    if (p->constraint_count > 0) {
        (void)crank_dae_system_evaluate(&p->set, z, p->points.t[q]);
    }
    for (int j = 0; j < p->n; j++) {
        for (int i = 0; i < p->constraint_count; i++) {
            stack[(size_t)(p->m + i) + (size_t)j * (size_t)rows] =
                p->set.J[(size_t)i + (size_t)j * (size_t)p->constraint_count] * p->unit[j] /
                p->set.scale[i];
        }
    }
}

crank_status crank_dae_level_ranks(crank_dae_procedure *p, crank_dae_level *level,
                                   crank_error *err)
{
    const int rows = p->m + p->constraint_count;
    const size_t size = (size_t)rows * (size_t)p->n;
    crank_status status = CRANK_OK;
    double *A = calloc(2 * size, sizeof *A);
    if (A == NULL) {
        return crank_fail(err, CRANK_EMEM, "ranks of %d rows", rows);
    }
    scale_rows(p, &p->first, p->first_scale);
    const bool same =
        p->first.varying == 0 && (p->constraint_count == 0 || p->set.linear); /* everywhere */
    bool known = false;
    int r = 0, a = 0;
    for (int q = 0; q < CRANK_DAE_POINTS && status == CRANK_OK; q++) {
        double gap = p->rank_gap;
        if (!p->points.used[q]) {
            continue;
        }
        if (!known) {
            crank_dae_stack(p, q, A);
            for (int j = 0; j < p->n; j++) {
                memcpy(A + size + (size_t)j * (size_t)p->constraint_count,
                       A + (size_t)j * (size_t)rows + p->m,
                       (size_t)p->constraint_count * sizeof *A);
            }
            status = crank_dae_rank_of(p->constraint_count, p->n, A + size, &a, err);
        }
        if (!known && status == CRANK_OK) {
            status = crank_dae_rank_gap(rows, p->n, A, &r, &gap, err);
        }
        known = same;
        note(&level->r, q, r);
        note(&level->a, q, a);
        p->rank_gap = q == 0 ? gap : p->rank_gap;
    }
    level->d = level->r.most - level->a.most;
    level->d_point = level->r.point - level->a.point;
    free(A);
    return status;
}
