/* eliminate.c - the constraints in E x' = k, by Gaussian elimination on expressions with pivots
 * chosen by their values at points:
 *
 *     k2 = k_B - E_BJ E_IJ^-1 k_I   I, J: pivot rows and columns, B: the others,  theory (10.2)
 *
 * Where a pivot could vanish elsewhere, rows are multiplied by it instead of divided: 0 = E_IJ
 * k_B - E_BJ k_I has the same solutions near the points and stays regular where the pivot
 * vanishes alone. Pivots are preferred that vanish nowhere (numbers, exponentials, 1 +
 * squares), then rows that are derivatives of constraints, so that what is redundant turns out
 * to be an equation of the input. Entries that are zero at all points of the set are zero on it
 * and dropped. Equal subexpressions are shared: k rows cost O(k^3) nodes. */
// SPDX-License-Identifier: BSD-3-Clause
#include "dae/procedure.h"

#include <math.h>
#include <string.h>

static const double number_zero = 1e-13;   /* beside the numbers that a number is the sum of */
static const double remainder_zero = 1e-6; /* of rows that must vanish, in row scales */
enum { NODE_LIMIT = 4000000, DEPTH = 6, COULD_VANISH = 3 };

/* one entry: at every point its value and the size of its terms */
typedef struct work {
    crank_dae_procedure *p;
    int reference;
    bool used[CRANK_DAE_POINTS];
    crank_ex *A, *b;                 /* m x n by rows, m */
    double *V[CRANK_DAE_POINTS];     /* m x n */
    double *size[CRANK_DAE_POINTS];  /* m x n */
    double *terms[CRANK_DAE_POINTS]; /* m: size of the terms in b */
    bool *taken;                     /* n: column has a pivot */
    bool *pivot;                     /* m */
    double *row_scale;               /* m: typical norms of the rows as they are now */
} work;

typedef struct candidate {
    int row, column, kind;
    bool derived;
    double value; /* in row scales */
} candidate;

static size_t place(const work *w, int row, int column)
{
    return (size_t)row * (size_t)w->p->n + (size_t)column;
}

static bool is_zero(const work *w, int row, int column)
{
    return crank_ex_is_value(w->p->input->pool, w->A[place(w, row, column)], 0.0);
}

/* Sets the entry to zero if it is at all points. */
static void drop_zero(work *w, int row, int column)
{
    const size_t e = place(w, row, column);
    const bool number = crank_ex_is_number(w->p->input->pool, w->A[e], NULL);
    const double tolerance = number ? number_zero : CRANK_DAE_ZERO_TOLERANCE;
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        if (w->used[q] && !(fabs(w->V[q][e]) <= tolerance * w->size[q][e])) {
            return;
        }
    }
    w->A[e] = crank_ex_number(w->p->input->pool, 0.0);
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        w->V[q][e] = 0.0;
    }
}

static void start(work *w)
{
    const crank_dae_procedure *p = w->p;
    const size_t entries = (size_t)p->m * (size_t)p->n;
    memcpy(w->row_scale, p->row_scale, (size_t)p->m * sizeof *w->row_scale);
    memcpy(w->A, p->E, entries * sizeof *w->A);
    memcpy(w->b, p->k, (size_t)p->m * sizeof *w->b);
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        w->used[q] = p->points.used[q] &&
                     crank_dae_functions_evaluate(
                         &w->p->leading, crank_dae_point(&p->points, q), p->points.t[q]);
        memcpy(w->V[q], p->leading.out, entries * sizeof *w->V[q]);
        w->used[q] = w->used[q] &&
                     crank_dae_functions_evaluate(&w->p->right, crank_dae_point(&p->points, q),
                                                  p->points.t[q]);
        memcpy(w->terms[q], p->right.out + p->m, (size_t)p->m * sizeof *w->terms[q]);
        for (int i = 0; i < p->m; i++) {
            for (int j = 0; j < p->n; j++) {
                const size_t e = place(w, i, j);
                const bool number = crank_ex_is_number(p->input->pool, w->A[e], NULL);
                w->size[q][e] = number && !p->derived[i]
                                    ? fabs(w->V[q][e])
                                    : fmax(fabs(w->V[q][e]), p->row_scale[i] / p->unit[j]);
            }
        }
    }
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->n; j++) {
            drop_zero(w, i, j);
        }
    }
}

static bool nonnegative(const crank_pool *pool, crank_ex e, int depth)
{
    const crank_ex a = crank_ex_get_operand(pool, e, 0), b = crank_ex_get_operand(pool, e, 1);
    double value;
    switch ((int)crank_ex_get_op(pool, e)) {
    case CRANK_EX_NUMBER:
        return crank_ex_is_number(pool, e, &value) && value >= 0.0;
    case CRANK_EX_EXP:
    case CRANK_EX_COSH:
    case CRANK_EX_ABS:
    case CRANK_EX_SQRT:
        return true;
    case CRANK_EX_POW:
        return crank_ex_is_number(pool, b, &value) && fmod(value, 2.0) == 0.0;
    case CRANK_EX_ADD:
    case CRANK_EX_MUL:
        return depth > 0 && nonnegative(pool, a, depth - 1) && nonnegative(pool, b, depth - 1);
    default:
        return false;
    }
}

/* Never zero, whatever the variables are (may answer false too often). */
static bool vanishes_nowhere(const crank_pool *pool, crank_ex e, int depth)
{
    const crank_ex a = crank_ex_get_operand(pool, e, 0), b = crank_ex_get_operand(pool, e, 1);
    double value;
    switch ((int)crank_ex_get_op(pool, e)) {
    case CRANK_EX_NUMBER:
        return crank_ex_is_number(pool, e, &value) && value != 0.0;
    case CRANK_EX_EXP:
    case CRANK_EX_COSH:
        return true;
    case CRANK_EX_NEG:
        return depth > 0 && vanishes_nowhere(pool, a, depth - 1);
    case CRANK_EX_MUL:
    case CRANK_EX_DIV:
        return depth > 0 && vanishes_nowhere(pool, a, depth - 1) &&
               vanishes_nowhere(pool, b, depth - 1);
    case CRANK_EX_ADD:
        return depth > 0 && nonnegative(pool, a, depth) && nonnegative(pool, b, depth) &&
               (vanishes_nowhere(pool, a, depth - 1) || vanishes_nowhere(pool, b, depth - 1));
    default:
        return false;
    }
}

/* 0 best: one, number, never zero, not zero at the points, zero at some */
static int kind_of(const work *w, int row, int column, double largest)
{
    const size_t e = place(w, row, column);
    const crank_pool *pool = w->p->input->pool;
    double value;
    if (crank_ex_is_number(pool, w->A[e], &value)) {
        return fabs(value) == 1.0 ? 0 : 1;
    }
    if (vanishes_nowhere(pool, w->A[e], DEPTH)) {
        return 2;
    }
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        const double size = fabs(w->V[q][e]) * w->p->unit[column] / w->row_scale[row];
        if (w->used[q] && !(size >= 1e-3 * largest)) {
            return 4;
        }
    }
    return 3;
}

static bool better(const candidate *a, const candidate *b)
{
    if (b->row < 0 || a->kind != b->kind) {
        return b->row < 0 || a->kind < b->kind;
    }
    if (a->derived != b->derived) {
        return a->derived;
    }
    return a->value > b->value * (1.0 + 1e-9);
}

static double scaled_value(const work *w, int row, int column)
{
    return fabs(w->V[w->reference][place(w, row, column)]) * w->p->unit[column] /
           w->row_scale[row];
}

static candidate choose(const work *w)
{
    const crank_dae_procedure *p = w->p;
    candidate best = {.row = -1};
    double largest = 0.0;
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->n && !w->pivot[i]; j++) {
            largest = w->taken[j] ? largest : fmax(largest, scaled_value(w, i, j));
        }
    }
    for (int i = 0; i < p->m && largest > CRANK_RANK_TOLERANCE; i++) {
        for (int j = 0; j < p->n; j++) {
            if (w->pivot[i] || w->taken[j] || is_zero(w, i, j)) {
                continue;
            }
            const bool number = crank_ex_is_number(p->input->pool, w->A[place(w, i, j)], NULL);
            const candidate c = {.row = i,
                                 .column = j,
                                 .kind = kind_of(w, i, j, largest),
                                 .derived = p->derived[i],
                                 .value = scaled_value(w, i, j)};
            if (c.value >= (number ? 1e-3 : 0.1) * largest && better(&c, &best)) {
                best = c;
            }
        }
    }
    return best;
}

static bool is_fraction(const crank_pool *pool, crank_ex e)
{
    const crank_ex_op op = crank_ex_get_op(pool, e);
    const crank_ex a = crank_ex_get_operand(pool, e, 0);
    if (op == CRANK_EX_NEG) {
        return is_fraction(pool, a);
    }
    if (op == CRANK_EX_MUL) {
        return is_fraction(pool, a) || is_fraction(pool, crank_ex_get_operand(pool, e, 1));
    }
    return op == CRANK_EX_DIV;
}

/* a := own a - multiple b */
static crank_ex combine(crank_pool *pool, crank_ex own, crank_ex a, crank_ex multiple,
                        crank_ex b)
{
    return crank_ex_sub(pool, crank_ex_mul(pool, own, a), crank_ex_mul(pool, multiple, b));
}

/* Makes A(row, column) zero: row := own row - multiple (pivot row), where own is one, or the
 * pivot if it could vanish somewhere. */
static void reduce(work *w, int row, const candidate *c)
{
    crank_pool *pool = w->p->input->pool;
    const size_t to = place(w, row, c->column), from = place(w, c->row, c->column);
    crank_ex own = crank_ex_number(pool, 1.0),
             multiple = crank_ex_div(pool, w->A[to], w->A[from]);
    const bool multiplied = c->kind >= COULD_VANISH && is_fraction(pool, multiple);
    if (multiplied) {
        own = w->A[from];
        multiple = w->A[to];
        w->row_scale[row] *= fabs(w->V[w->reference][from]);
    }
    double o[CRANK_DAE_POINTS] = {0}, f[CRANK_DAE_POINTS] = {0};
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        o[q] = w->used[q] && multiplied ? w->V[q][from] : 1.0;
        f[q] = w->used[q] ? o[q] * w->V[q][to] / w->V[q][from] : 0.0;
    }
    for (int j = 0; j < w->p->n; j++) {
        const size_t a = place(w, row, j), b = place(w, c->row, j);
        if (j == c->column || (is_zero(w, c->row, j) && !multiplied)) {
            continue;
        }
        w->A[a] = combine(pool, own, w->A[a], multiple, w->A[b]);
        for (int q = 0; q < CRANK_DAE_POINTS; q++) {
            w->V[q][a] = o[q] * w->V[q][a] - f[q] * w->V[q][b];
            w->size[q][a] = fabs(o[q]) * w->size[q][a] + fabs(f[q]) * w->size[q][b];
        }
        drop_zero(w, row, j);
    }
    w->A[to] = crank_ex_number(pool, 0.0);
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        w->V[q][to] = 0.0;
        w->terms[q][row] = fabs(o[q]) * w->terms[q][row] + fabs(f[q]) * w->terms[q][c->row];
    }
    w->b[row] = combine(pool, own, w->b[row], multiple, w->b[c->row]);
}

/* Points where the pivot vanishes say nothing about what follows. */
static void eliminate(work *w, const candidate *c)
{
    const size_t e = place(w, c->row, c->column);
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        const double size = fabs(w->V[q][e]) * w->p->unit[c->column] / w->row_scale[c->row];
        w->used[q] = w->used[q] && size > CRANK_RANK_TOLERANCE;
    }
    w->pivot[c->row] = true;
    w->taken[c->column] = true;
    for (int i = 0; i < w->p->m; i++) {
        if (!w->pivot[i] && !is_zero(w, i, c->column)) {
            reduce(w, i, c);
        }
    }
}

/* Do the rows without pivots vanish, as the rank says? */
static bool vanished(const work *w)
{
    for (int i = 0; i < w->p->m; i++) {
        for (int j = 0; j < w->p->n && !w->pivot[i]; j++) {
            for (int q = 0; q < CRANK_DAE_POINTS; q++) {
                const double value = fabs(w->V[q][place(w, i, j)]) * w->p->unit[j];
                if (w->used[q] && !is_zero(w, i, j) &&
                    !(value <= remainder_zero * w->row_scale[i])) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* -e, signs moved into sums */
static crank_ex negative(crank_pool *pool, crank_ex e, int depth)
{
    if (depth == 0 || crank_ex_get_op(pool, e) != CRANK_EX_ADD) {
        return crank_ex_neg(pool, e);
    }
    const crank_ex a = negative(pool, crank_ex_get_operand(pool, e, 0), depth - 1);
    return crank_ex_add(pool, a, negative(pool, crank_ex_get_operand(pool, e, 1), depth - 1));
}

/* A constraint without denominator: pivots do not vanish. */
static crank_ex numerator(crank_pool *pool, crank_ex e)
{
    const crank_ex a = crank_ex_get_operand(pool, e, 0), b = crank_ex_get_operand(pool, e, 1);
    switch ((int)crank_ex_get_op(pool, e)) {
    case CRANK_EX_NEG:
        return crank_ex_neg(pool, numerator(pool, a));
    case CRANK_EX_MUL:
        return crank_ex_is_number(pool, a, NULL) ? crank_ex_mul(pool, a, numerator(pool, b))
                                                 : e;
    case CRANK_EX_DIV:
        return crank_ex_is_number(pool, b, NULL) ? e : a;
    default:
        return e;
    }
}

static void finish(const work *w, const crank_dae_split *split)
{
    const crank_dae_procedure *p = w->p;
    for (int i = 0; i < p->m; i++) {
        /* the derivative of a constraint as it is, not its negative */
        const crank_ex e = p->derived[i] ? negative(p->input->pool, w->b[i], DEPTH) : w->b[i];
        split->k2[i] = w->b[i] == p->k[i] ? e : numerator(p->input->pool, e);
        split->terms[i] = 0.0;
        for (int q = 0; q < CRANK_DAE_POINTS && split->k2[i] == e; q++) {
            if (w->used[q]) {
                split->terms[i] = fmax(split->terms[i], w->terms[q][i]);
            }
        }
    }
}

crank_status crank_dae_eliminate(crank_dae_procedure *p, int rank, int reference,
                                 const crank_dae_split *split, bool *done, crank_error *err)
{
    const size_t entries = (size_t)p->m * (size_t)p->n;
    *done = rank == p->m;
    if (*done) { /* no row is left over */
        for (int i = 0; i < p->m; i++) {
            split->pivot[i] = true;
            split->k2[i] = p->k[i];
            split->terms[i] = 0.0;
        }
        return CRANK_OK;
    }
    crank_store store = {0};
    work w = {.p = p, .reference = reference, .pivot = split->pivot};
    w.A = crank_store_take(&store, entries, sizeof *w.A);
    w.b = crank_store_take(&store, (size_t)p->m, sizeof *w.b);
    w.taken = crank_store_take(&store, (size_t)p->n, sizeof *w.taken);
    w.row_scale = crank_store_take(&store, (size_t)p->m, sizeof *w.row_scale);
    for (int q = 0; q < CRANK_DAE_POINTS; q++) {
        w.V[q] = crank_store_take(&store, entries, sizeof *w.V[q]);
        w.size[q] = crank_store_take(&store, entries, sizeof *w.size[q]);
        w.terms[q] = crank_store_take(&store, (size_t)p->m, sizeof *w.terms[q]);
    }
    if (store.failed) {
        crank_store_free(&store);
        return crank_fail(err, CRANK_EMEM, "elimination in %d equations", p->m);
    }
    memset(w.pivot, 0, (size_t)p->m * sizeof *w.pivot);
    start(&w);
    *done = true;
    for (int k = 0; k < rank && *done; k++) {
        const candidate c = choose(&w);
        *done = c.row >= 0 && crank_pool_size(p->input->pool) < NODE_LIMIT;
        if (*done) {
            eliminate(&w, &c);
        }
    }
    *done = *done && vanished(&w);
    finish(&w, split);
    crank_store_free(&store);
    return crank_pool_status(p->input->pool) == CRANK_OK
               ? CRANK_OK
               : crank_fail(err, CRANK_EMEM, "elimination in %d equations", p->m);
}
