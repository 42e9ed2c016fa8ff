/* sampled.c - levels of constraints at a point by differences, theory (10.14)-(10.16); the method is
 * told in sampled.h.
 *
 * Derivatives in one direction are of fourth order,
 *     c' ~ (8 (c(+1) - c(-1)) - (c(+2) - c(-2))) / (12 delta);
 * where a side lies outside the domain, of second or first order with what there is. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/sampled.h"

#include "base/then.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static const double side_at[CRANK_SAMPLED_SIDES] = {1.0, -1.0, 2.0, -2.0};

static void layout(crank_sampled *s, crank_arena *arena)
{
    const size_t n = (size_t)s->n, nn = n * n;
    crank_sampled_complete_layout(s, arena);
    for (int i = 0; i <= CRANK_SAMPLED_INDEX; i++) {
        crank_sampled_level *l = &s->level[i];
        l->row = crank_arena_take(arena, n, sizeof(int));
        l->column = crank_arena_take(arena, n, sizeof(int));
        l->exchange = crank_arena_take(arena, n, sizeof(int));
        double **vector[] = {&l->size, &l->g, &l->part,     &l->d,
                             &l->c,    &l->y, &l->before_d, &l->before_c};
        double **matrix[] = {&l->B, &l->pivots, &l->N, &l->before_N};
        for (size_t k = 0; k < sizeof vector / sizeof *vector; k++) {
            *vector[k] = crank_arena_take(arena, n, sizeof(double));
        }
        for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++) {
            *matrix[k] = crank_arena_take(arena, nn, sizeof(double));
        }
        for (int k = 0; k < CRANK_SAMPLED_SIDES; k++) {
            l->side[k] = crank_arena_take(arena, n, sizeof(double));
        }
    }
}

crank_status crank_sampled_create(crank_sampled *s, crank_error *err)
{
    s->index = -1;
    s->level[0].open = s->n;
    layout(s, &s->arena);
    if (!crank_arena_allocate(&s->arena)) {
        return crank_fail(err, CRANK_EMEM, "analysis of %d equations", s->n);
    }
    layout(s, &s->arena);
    return CRANK_OK;
}

void crank_sampled_destroy(crank_sampled *s)
{
    crank_arena_free(&s->arena);
}

double crank_sampled_extent(const crank_sampled *s, const double *v)
{
    double most = 0.0;
    for (int j = 0; j < s->n; j++) {
        most = fmax(most, fabs(v[j]) / s->size[j]);
    }
    return most;
}

/* ---- derivatives ---- */

/* constraints of level i at y + at v, t + at rate, into the next level's side k */
static crank_status look_aside(crank_sampled *s, int i, double t, const double *y,
                               const double *v, double rate, double at, int k, crank_error *err)
{
    crank_sampled_level *next = &s->level[i + 1];
    for (int j = 0; j < s->n; j++) {
        next->y[j] = y[j] + at * v[j];
    }
    const crank_status status = crank_sampled_evaluate(s, i, t + at * rate, next->y, err);
    if (status == CRANK_OK) {
        memcpy(next->side[k], s->level[i].c,
               (size_t)crank_sampled_constraints(s, i) * sizeof(double));
    }
    return status;
}

/* with the sides there are; middle: constraints at the point */
static bool combine(const crank_sampled_level *l, const bool *there, const double *middle,
                    int count, double delta, double *out, double *low)
{
    double *const *c = l->side;
    const bool both = there[0] && there[1], all = both && there[2] && there[3];
    for (int q = 0; q < count; q++) {
        const double second = both       ? (c[0][q] - c[1][q]) / (2.0 * delta)
                              : there[0] ? (c[0][q] - middle[q]) / delta
                              : there[1] ? (middle[q] - c[1][q]) / delta
                                         : 0.0;
        out[q] =
            all ? (8.0 * (c[0][q] - c[1][q]) - (c[2][q] - c[3][q])) / (12.0 * delta) : second;
        if (low != NULL) {
            low[q] = second;
        }
    }
    return there[0] || there[1];
}

crank_status crank_sampled_derivative(crank_sampled *s, int i, double t, const double *y,
                                      const double *v, double rate, double length, double *out,
                                      double *low, crank_error *err)
{
    const double extent = fmax(crank_sampled_extent(s, v), fabs(rate) / s->span);
    const int count = crank_sampled_constraints(s, i);
    bool there[CRANK_SAMPLED_SIDES];
    if (!(extent > 0.0)) {
        memset(out, 0, (size_t)count * sizeof *out);
        if (low != NULL) {
            memset(low, 0, (size_t)count * sizeof *low);
        }
        return CRANK_OK;
    }
    const double delta = length / extent;
    for (int k = 0; k < CRANK_SAMPLED_SIDES; k++) {
        const crank_status status = look_aside(s, i, t, y, v, rate, side_at[k] * delta, k, err);
        if (status < CRANK_OK) {
            return status;
        }
        there[k] = status == CRANK_OK;
    }
    return combine(&s->level[i + 1], there, s->level[i + 1].before_c, count, delta, out, low)
               ? CRANK_OK
               : crank_fail(err, CRANK_RETRY, "the equations cannot be evaluated beside t = %g",
                            t);
}

/* ---- levels ---- */

static crank_status first_rows(crank_sampled *s, double t, const double *y, crank_error *err)
{
    crank_sampled_level *l = &s->level[0];
    crank_status status = s->mass(s->self, t, y, l->B, err);
    CRANK_THEN(status, s->evaluate(s->self, t, y, l->g, err));
    for (int j = 0; j < s->n; j++) {
        l->g[j] = -l->g[j];
    }
    return status;
}

crank_status crank_sampled_rows(crank_sampled *s, int i, double t, const double *y,
                                crank_error *err)
{
    if (i == 0) {
        return first_rows(s, t, y, err);
    }
    const crank_sampled_level *before = &s->level[i - 1];
    crank_sampled_level *l = &s->level[i];
    const size_t n = (size_t)s->n, open = (size_t)l->open;
    crank_status status = crank_sampled_evaluate(s, i - 1, t, y, err);
    if (status != CRANK_OK) {
        return status;
    }
    memcpy(l->before_d, before->d, n * sizeof(double));
    memcpy(l->before_N, before->N, n * open * sizeof(double));
    memcpy(l->before_c, before->c, open * sizeof(double));
    for (size_t q = 0; q < open && status == CRANK_OK; q++) {
        status = crank_sampled_derivative(s, i - 1, t, y, l->before_N + q * n, 0.0,
                                          before->across, l->B + q * open, NULL, err);
    }
    CRANK_THEN(status, crank_sampled_derivative(s, i - 1, t, y, l->before_d, 1.0, before->along,
                                                l->g, NULL, err));
    return status;
}

/* y' = d + N u of this level from z and the level before: d += N z, or a column of N */
static void move(const crank_sampled *s, int i, const double *part, int free_one, double *out)
{
    const crank_sampled_level *l = &s->level[i];
    for (int k = 0; k < l->rank; k++) {
        const int q = l->column[k];
        for (int j = 0; j < s->n; j++) {
            out[j] += part[k] * (i > 0 ? l->before_N[j + q * s->n] : (double)(j == q));
        }
    }
    for (int j = 0; j < s->n && free_one >= 0; j++) {
        out[j] += i > 0 ? l->before_N[j + free_one * s->n] : (double)(j == free_one);
    }
}

/* c, d and N with the level's pivots */
static crank_status eliminate(crank_sampled *s, int i, double t, crank_error *err)
{
    crank_sampled_level *l = &s->level[i];
    const int r = l->rank, open = l->open, n = s->n;
    for (int k = 0; k < r * r; k++) {
        l->pivots[k] = l->B[l->row[k % r] + l->column[k / r] * open];
    }
    if (r > 0 && !crank_lu_factor(r, l->pivots, r, l->exchange)) {
        return crank_fail(err, CRANK_RETRY, "the equations change their structure at t = %g",
                          t);
    }
    for (int free_one = -1; free_one < open - r; free_one++) {
        const int column = free_one >= 0 ? l->column[r + free_one] : -1;
        double *out = free_one >= 0 ? l->N + (long)free_one * n : l->d;
        for (int k = 0; k < r; k++) {
            l->part[k] = column >= 0 ? -l->B[l->row[k] + column * open] : -l->g[l->row[k]];
        }
        if (r > 0) {
            crank_lu_solve(r, l->pivots, r, l->exchange, l->part);
        }
        for (int j = 0; j < n; j++) {
            out[j] = column < 0 && i > 0 ? l->before_d[j] : 0.0;
        }
        move(s, i, l->part, column, out);
        for (int k = 0; k < open - r && column < 0; k++) {
            const int row = l->row[r + k];
            l->c[k] = l->g[row];
            for (int q = 0; q < r; q++) {
                l->c[k] += l->B[row + l->column[q] * open] * l->part[q];
            }
        }
    }
    return CRANK_OK;
}

crank_status crank_sampled_evaluate(crank_sampled *s, int i, double t, const double *y,
                                    crank_error *err)
{
    const crank_status status = crank_sampled_rows(s, i, t, y, err);
    return status == CRANK_OK ? eliminate(s, i, t, err) : status;
}
