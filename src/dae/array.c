/* array.c - the strangeness index: the hypothesis on the derivative array [Ste06, 3.2.7],
 * theory (10.7), (10.8).
 *
 *     FF_nu = (F, F', ..., F^(nu)) as functions of z = (x, x', ..., x^(nu+1)),   F = E x' - k
 *
 * by symbolic differentiation; ranks at a consistent z over the point and at neighbours on
 * FF_nu = 0, with
 *     r = rank FF_z,  a = r - rank FF_{x',x'',..},  v = corank FF_nu - corank FF_{nu-1},
 *         d = m - a - v
 *     d = rank F_x' T_2,  T_2: kernel of Z_2^T FF_x,  Z_2: left kernel of FF_{x',x'',..} */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/array.h"
#include "base/then.h"

#include "dae/rank.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROW_LIMIT = 500, NODE_LIMIT = 4000000, BALANCES = 4 };

static const double most_change = 1e12; /* of the unit of a derivative */

typedef struct numbers {
    int r, before, leading, a, d, v,
        projected; /* before: r of FF_{nu-1}; projected: rank F_x' T_2 */
} numbers;

typedef struct work {
    const crank_dae_procedure *p;
    crank_store store;
    int m, n, order; /* order: nu */
    crank_ex *jet;   /* n (last + 3): x, x', ... */
    crank_ex *F;     /* m (last + 2): F, F', ... */
    double *unit, *start;
    bool *fixed; /* x stays */
    crank_dae_system system;
    crank_dae_points points;
    double *A, *B, *C; /* room for matrices */
} work;

static crank_status begin(work *w, int last, crank_error *err)
{
    const crank_dae_input *input = w->p->input;
    crank_pool *pool = input->pool;
    const size_t m = (size_t)w->m, n = (size_t)w->n, orders = (size_t)last + 3;
    const size_t rows = m * orders, columns = n * orders;
    crank_store *store = &w->store;
    w->jet = crank_store_take(store, columns, sizeof *w->jet);
    w->F = crank_store_take(store, rows, sizeof *w->F);
    w->unit = crank_store_take(store, columns, sizeof *w->unit);
    w->start = crank_store_take(store, columns, sizeof *w->start);
    w->fixed = crank_store_take(store, columns, sizeof *w->fixed);
    w->A = crank_store_take(store, rows * columns, sizeof *w->A);
    w->B = crank_store_take(store, rows * columns + m * n, sizeof *w->B);
    w->C = crank_store_take(store, rows * columns + m * n, sizeof *w->C);
    unsigned state = 1;
    for (size_t q = 0; q < columns && !store->failed; q++) {
        const char *name = crank_ex_symbol_name(pool, input->variable[q % n]);
        const char *text = crank_store_print(store, "%s'%zu", name, q / n);
        w->jet[q] = q < n ? input->variable[q] : text != NULL ? crank_ex_symbol(pool, text) : 0;
        w->unit[q] = w->p->unit[q % n];
        w->fixed[q] = q < n;
        w->start[q] = q < n ? w->p->points.z[q] : w->unit[q] * crank_dae_shake(&state);
    }
    if (store->failed || crank_pool_status(pool) != CRANK_OK) {
        return crank_fail(err, CRANK_EMEM, "derivative array of %d equations", w->m);
    }
    for (size_t i = 0; i < m; i++) {
        crank_ex sum = crank_ex_neg(pool, input->k[i]);
        for (size_t j = 0; j < n; j++) {
            sum =
                crank_ex_add(pool, sum, crank_ex_mul(pool, input->E[i * n + j], w->jet[n + j]));
        }
        w->F[i] = sum;
    }
    return CRANK_OK;
}

/* F^(order + 1) from F^(order) */
static crank_status differentiate(work *w, crank_error *err)
{
    crank_pool *pool = w->p->input->pool;
    const size_t n = (size_t)w->n, m = (size_t)w->m, known = n * ((size_t)w->order + 2);
    crank_ex *symbol = crank_store_take(&w->store, known + 1, sizeof *symbol);
    crank_ex *direction = crank_store_take(&w->store, known + 1, sizeof *direction);
    if (w->store.failed) {
        return crank_fail(err, CRANK_EMEM, "derivative array of %d equations", w->m);
    }
    memcpy(symbol, w->jet, known * sizeof *symbol);
    memcpy(direction, w->jet + n, known * sizeof *direction);
    symbol[known] = w->p->input->t;
    direction[known] = crank_ex_number(pool, 1.0);
    crank_ex_directional_all(pool, w->m, w->F + m * (size_t)w->order, (int)known + 1, symbol,
                             direction, w->F + m * ((size_t)w->order + 1));
    return CRANK_OK;
}

/* Units of the derivatives from the array itself: fast systems have large ones. Entries of
 * columns and rows of the typical Jacobian become one at most; units of x are given. */
static void balance(work *w)
{
    crank_dae_system *s = &w->system;
    const size_t rows = (size_t)s->rows, columns = (size_t)s->columns;
    memset(w->A, 0, rows * columns * sizeof *w->A);
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        if (w->points.used[q] &&
            crank_dae_system_evaluate(s, crank_dae_cloud(&w->points, q), w->points.t[q])) {
            for (size_t e = 0; e < rows * columns; e++) {
                w->A[e] += fabs(s->J[e]);
            }
        }
    }
    for (int k = 0; k < BALANCES; k++) {
        for (size_t i = 0; i < rows; i++) {
            double largest = 0.0;
            for (size_t j = 0; j < columns; j++) {
                largest = fmax(largest, w->A[i + j * rows] * w->unit[j]);
            }
            w->B[i] = largest;
        }
        for (size_t j = (size_t)w->n; j < columns; j++) {
            double largest = 0.0;
            for (size_t i = 0; i < rows; i++) {
                largest = fmax(largest, w->B[i] > 0.0 ? w->A[i + j * rows] / w->B[i] : 0.0);
            }
            const double unit = w->p->unit[j % (size_t)w->n];
            w->unit[j] = largest > 0.0 ? fmin(fmax(1.0 / largest, unit), unit * most_change)
                                       : w->unit[j];
        }
    }
}

/* FF of an order as a system, and points around the start values. */
static crank_status set_up(work *w, int order, crank_error *err)
{
    const crank_dae_input *input = w->p->input;
    const int rows = w->m * (order + 1), columns = w->n * (order + 2);
    crank_dae_system_destroy(&w->system);
    crank_status status = crank_dae_system_create(input->pool, columns, w->jet, input->t,
                                                  w->unit, rows, w->F, &w->system, err);
    CRANK_THEN(status, crank_dae_points_create(&w->store, columns, w->start, w->p->points.t[0],
                                               w->unit, &w->system.functions, &w->points, err));
    if (status == CRANK_OK) {
        balance(w);
    }
    return status == CRANK_OK ? crank_dae_system_scale(&w->system, &w->points, err) : status;
}

/* Neighbours on FF_nu = 0: every other one over a neighbour of x that satisfies all
 * constraints, as the point does; the rest anywhere near the point, off the hidden constraints,
 * too. */
static crank_status find_neighbours(work *w, crank_error *err)
{
    const crank_dae_points *x = &w->p->points;
    crank_status status = CRANK_OK;
    for (int q = 1; q < CRANK_DAE_POINTS && status == CRANK_OK; q++) {
        const bool fixed = q % 2 == 1 && x->used[q];
        crank_dae_projection outcome;
        if (fixed) {
            memcpy(crank_dae_point(&w->points, q), crank_dae_point(x, q),
                   (size_t)w->n * sizeof *x->z);
            w->points.t[q] = x->t[q];
        }
        status = crank_dae_project(&w->system, crank_dae_point(&w->points, q), w->points.t[q],
                                   fixed ? w->fixed : NULL, -1, &outcome, err);
        w->points.used[q] = w->points.used[q] && outcome == CRANK_DAE_SOLVED;
    }
    return status;
}

/* A point on FF_nu = 0 over the consistent x, and neighbours. The derivatives at the point
 * belong to a solution: they satisfy FF_{nu+1} = 0, too. */
static crank_status find_points(work *w, crank_dae_projection *outcome, crank_error *err)
{
    crank_status status = set_up(w, w->order + 1, err);
    if (status == CRANK_OK) {
        double *z = crank_dae_point(&w->points, 0);
        status = crank_dae_project(&w->system, z, w->points.t[0], w->fixed, -1, outcome, err);
        memcpy(w->start, z, (size_t)w->system.columns * sizeof *z);
    }
    if (status != CRANK_OK || *outcome != CRANK_DAE_SOLVED) {
        return status;
    }
    status = set_up(w, w->order, err);
    return status == CRANK_OK ? find_neighbours(w, err) : status;
}

/* rows 0..rows-1, columns from..to-1 of the scaled Jacobian into A */
static void block(const work *w, int rows, int from, int to, double *A)
{
    const crank_dae_system *s = &w->system;
    for (int j = from; j < to; j++) {
        for (int i = 0; i < rows; i++) {
            A[(size_t)i + (size_t)(j - from) * (size_t)rows] =
                s->J[(size_t)i + (size_t)j * (size_t)s->rows] * s->unit[j] / s->scale[i];
        }
    }
}

/* F_x' = E into A, its columns in units of x as T_2 is, its rows scaled by themselves */
static void leading_block(const work *w, double *A)
{
    const crank_dae_system *s = &w->system;
    for (int j = 0; j < w->n; j++) {
        for (int i = 0; i < w->m; i++) {
            A[(size_t)i + (size_t)j * (size_t)w->m] =
                s->J[(size_t)i + (size_t)(w->n + j) * (size_t)s->rows] * s->unit[j] /
                w->p->first_scale[i];
        }
    }
}

/* C = rank of F_x' T_2: T_2 the last columns of V of Z_2^T FF_x */
static crank_status project_leading(work *w, const crank_singular *leading, int *rank,
                                    crank_error *err)
{
    const int rows = w->system.rows, n = w->n, m = w->m;
    const int left = rows - leading->rank; /* columns of Z_2 */
    crank_singular svd;
    block(w, rows, 0, n, w->A);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < left; i++) {
            double sum = 0.0;
            for (int q = 0; q < rows; q++) {
                sum += leading->U[(size_t)q + (size_t)(leading->rank + i) * (size_t)rows] *
                       w->A[(size_t)q + (size_t)j * (size_t)rows];
            }
            w->B[(size_t)i + (size_t)j * (size_t)left] = sum;
        }
    }
    crank_status status = crank_dae_singular(left, n, w->B, &svd, err);
    if (status == CRANK_OK) {
        const int free_columns = n - svd.rank;
        leading_block(w, w->A);
        for (int j = 0; j < free_columns; j++) {
            for (int i = 0; i < m; i++) {
                double sum = 0.0;
                for (int q = 0; q < n; q++) {
                    sum += w->A[(size_t)i + (size_t)q * (size_t)m] *
                           svd.VT[(size_t)(svd.rank + j) + (size_t)q * (size_t)n];
                }
                w->C[(size_t)i + (size_t)j * (size_t)m] = sum;
            }
        }
        status = crank_dae_rank_of(m, free_columns, w->C, rank, err);
    }
    crank_singular_destroy(&svd);
    return status;
}

static crank_status count(work *w, int q, numbers *c, crank_error *err)
{
    const int rows = w->system.rows, columns = w->system.columns, n = w->n, m = w->m;
    crank_singular leading = {0};
    (void)crank_dae_system_evaluate(&w->system, crank_dae_point(&w->points, q), w->points.t[q]);
    block(w, rows, 0, columns, w->A);
    crank_status status = crank_dae_rank_of(rows, columns, w->A, &c->r, err);
    if (status == CRANK_OK && w->order > 0) {
        block(w, rows - m, 0, columns, w->A);
        status = crank_dae_rank_of(rows - m, columns, w->A, &c->before, err);
    }
    if (status == CRANK_OK) {
        block(w, rows, n, columns, w->A);
        status = crank_dae_singular(rows, columns - n, w->A, &leading, err);
    }
    if (status == CRANK_OK) {
        c->leading = leading.rank;
        c->a = c->r - c->leading;
        c->v = (rows - c->r) - (rows - m - c->before);
        c->d = m - c->a - c->v;
        status = project_leading(w, &leading, &c->projected, err);
    }
    crank_singular_destroy(&leading);
    return status;
}

/* The hypothesis for one nu. */
static crank_status test(work *w, crank_dae_strangeness *s, crank_error *err)
{
    numbers first = {0};
    bool constant = true, manifold = true;
    int alike = 0, used = 0;
    crank_dae_projection outcome = CRANK_DAE_SOLVED;
    crank_status status = find_points(w, &outcome, err);
    if (status != CRANK_OK || outcome != CRANK_DAE_SOLVED) {
        (void)snprintf(
            s->reason, sizeof s->reason,
            "no derivatives were found that satisfy the derivative array of order %d",
            w->order);
        return status;
    }
    for (int q = 0; q < CRANK_DAE_POINTS && status == CRANK_OK; q++) {
        numbers c = {0};
        if (w->points.used[q]) {
            status = count(w, q, &c, err);
            first = q == 0 ? c : first;
            /* ranks can only fall at single points: they are constant around where they are
             * largest */
            constant = constant && c.r <= first.r && c.before <= first.before &&
                       c.leading <= first.leading;
            used++;
            alike += memcmp(&c, &first, sizeof c) == 0 ? 1 : 0;
        }
    }
    constant =
        constant &&
        2 * alike > used; /* the point is one of them: larger ranks only there are rounding */
    if (status == CRANK_OK && constant && first.projected == first.d) {
        status = crank_dae_is_manifold(&w->system, crank_dae_point(&w->points, 0),
                                       w->points.t[0], &manifold, err);
        s->found = status == CRANK_OK && manifold;
    }
    *s = (crank_dae_strangeness){.found = s->found,
                                 .index = w->order,
                                 .a = first.a,
                                 .d = first.d,
                                 .v = first.v,
                                 .u = w->n - first.a - first.d,
                                 .array_rank = first.r,
                                 .array_rank_leading = first.leading};
    if (!s->found) {
        (void)snprintf(s->reason, sizeof s->reason, "the hypothesis fails up to order %d: %s",
                       w->order,
                       !constant   ? "ranks of the derivative array are not constant"
                       : !manifold ? "the solutions of the derivative array are no manifold"
                                   : "the differential part has not the rank it should have");
    }
    return status;
}

crank_status crank_dae_hypothesis(const crank_dae_procedure *p, int last,
                                  crank_dae_strangeness *strangeness, crank_error *err)
{
    work w = {.p = p, .m = p->m, .n = p->n};
    *strangeness = (crank_dae_strangeness){0};
    crank_status status = begin(&w, last, err);
    for (w.order = 0; w.order <= last && status == CRANK_OK && !strangeness->found; w.order++) {
        if (w.m * (w.order + 2) > ROW_LIMIT || crank_pool_size(p->input->pool) > NODE_LIMIT) {
            (void)snprintf(strangeness->reason, sizeof strangeness->reason,
                           "the derivative array of order %d is too large to be examined",
                           w.order);
            break;
        }
        status = differentiate(&w, err);
        CRANK_THEN(status, test(&w, strangeness, err));
    }
    crank_dae_system_destroy(&w.system);
    crank_store_free(&w.store);
    return status;
}
