/* frozen.c - the elimination of frozen.h as a list of places.
 *
 * One array W holds the inverse pivots (by unknown), then L by columns, then U by rows; of step k all of L's column and U's
 * row lie together, and target says where each product l_ik u_kj belongs. Symmetric: U is not stored, products of the lower
 * half alone are made. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/frozen_inside.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a pivot is lost if less than this is left of the sum that it is */
static const double lost = 1e-11;
/* products for each unknown, from which on dense blocks (KLU, lu.c) are better */
enum { MOST_PRODUCTS = 500 };

struct crank_frozen {
    crank_frozen_order order;
    bool symmetric;
    int load_count;  /* entries of A that are used and change: those on the diagonal first */
    int on_diagonal; /* as many */
    struct source {
        int entry, place; /* place: in W */
        int mirror;       /* symmetric: the entry across the diagonal, which must be equal */
    } * load;
    int *target;      /* products: into W */
    int done;         /* of these: in constant steps */
    int *l_of, *u_of; /* by entry of L and U: the unknown of its step */
    int *across;      /* of U, by entry of L: its place in W, -1: none */
    double *W;
    double *size;                       /* n: sum of the sizes of the terms of a pivot */
    double *W_constant, *size_constant; /* both after the constant steps */
    int slots;
};

/* ---- places ---- */

static int find(const int *list, int from, int to, int what)
{
    for (int e = from; e < to; e++) {
        if (list[e] == what) {
            return e;
        }
    }
    return -1;
}

/* of entry (i, j) in W; in the symmetric form also that of (j, i) */
static int place_of(const crank_frozen *f, int i, int j)
{
    const crank_frozen_order *o = &f->order;
    if (i == j) {
        return i;
    }
    const bool lower = o->step[i] > o->step[j];
    if (lower || f->symmetric) {
        const int k = lower ? o->step[j] : o->step[i];
        return o->n + find(o->l, o->l_start[k], o->l_start[k + 1], lower ? i : j);
    }
    const int k = o->step[i], offset = o->n + o->l_start[o->n];
    return offset + find(o->u, o->u_start[k], o->u_start[k + 1], j);
}

static void place_targets(crank_frozen *f)
{
    const crank_frozen_order *o = &f->order;
    long at = 0;
    for (int k = 0; k < o->n; k++) {
        for (int b = o->u_start[k]; b < o->u_start[k + 1]; b++) {
            f->u_of[b] = o->pivot[k];
        }
        for (int a = o->l_start[k]; a < o->l_start[k + 1]; a++) {
            f->l_of[a] = o->pivot[k];
            if (f->symmetric) {
                for (int b = a + 1; b < o->l_start[k + 1]; b++) {
                    f->target[at++] = place_of(f, o->l[a], o->l[b]);
                }
                continue;
            }
            const int same = find(o->u, o->u_start[k], o->u_start[k + 1], o->l[a]);
            f->across[a] = same < 0 ? -1 : o->n + o->l_start[o->n] + same;
            for (int b = o->u_start[k]; b < o->u_start[k + 1]; b++) {
                f->target[at++] = place_of(f, o->l[a], o->u[b]);
            }
        }
    }
}

/* Which entries go where. CRANK_RETRY: not symmetric. */
static crank_status place_entries(crank_frozen *f, int count, const int *row, const int *column,
                                  const double *values, const bool *constant)
{
    const crank_frozen_order *o = &f->order;
    int *upper = malloc(((size_t)f->slots + 1) *
                        sizeof *upper); /* by place: the entry above the diagonal */
    if (upper == NULL) {
        return CRANK_EMEM;
    }
    for (int e = 0; e < f->slots; e++) {
        upper[e] = -1;
    }
    for (int e = 0; e < count; e++) {
        const int i = row[e], j = column[e];
        if (i >= 0 && f->symmetric && o->step[i] < o->step[j]) {
            upper[place_of(f, i, j)] = e;
        } else if (i >= 0) {
            f->load[f->load_count++] = (struct source){e, place_of(f, i, j), e};
        }
    }
    bool fine = true;
    for (int e = 0; e < f->load_count && f->symmetric; e++) {
        struct source *from = &f->load[e];
        if (from->place >= o->n) {
            from->mirror = upper[from->place];
            fine = fine && from->mirror >= 0 && values[from->mirror] == values[from->entry];
        }
    }
    free(upper);
    int kept = 0;
    for (int e = 0; e < f->load_count; e++) {
        const struct source from = f->load[e];
        if (constant != NULL && constant[from.entry] && constant[from.mirror]) {
            f->W_constant[from.place] = values[from.entry];
            continue;
        }
        f->load[kept] = from;
        if (from.place < o->n) { /* changes places with the first behind the diagonal */
            f->load[kept] = f->load[f->on_diagonal];
            f->load[f->on_diagonal++] = from;
        }
        kept++;
    }
    f->load_count = kept;
    return fine ? CRANK_OK : CRANK_RETRY;
}

/* L and U have the same pattern, in the same order */
static bool is_symmetric(const crank_frozen_order *o)
{
    const size_t size = (size_t)o->n + 1, entries = (size_t)o->l_start[o->n];
    return memcmp(o->l_start, o->u_start, size * sizeof(int)) == 0 &&
           (entries == 0 || memcmp(o->l, o->u, entries * sizeof(int)) == 0);
}

static crank_status allocate(crank_frozen *f, int count, crank_error *err)
{
    const crank_frozen_order *o = &f->order;
    const size_t lower = (size_t)o->l_start[o->n], upper = (size_t)o->u_start[o->n];
    f->slots = o->n + (int)lower + (f->symmetric ? 0 : (int)upper);
    f->load = calloc((size_t)count + 1, sizeof *f->load);
    f->l_of = calloc(lower + 1, sizeof(int));
    f->u_of = calloc(upper + 1, sizeof(int));
    f->W_constant = calloc((size_t)f->slots + 1, sizeof(double));
    f->size_constant = calloc((size_t)o->n + 1, sizeof(double));
    f->target = calloc((size_t)o->operations + 1, sizeof(int));
    f->across = calloc(lower + 1, sizeof(int));
    f->W = calloc((size_t)f->slots + 1, sizeof(double));
    f->size = calloc((size_t)o->n + 1, sizeof(double));
    return f->load != NULL && f->l_of != NULL && f->u_of != NULL && f->W_constant != NULL &&
                   f->size_constant != NULL && f->target != NULL && f->across != NULL &&
                   f->W != NULL && f->size != NULL
               ? CRANK_OK
               : crank_fail(err, CRANK_EMEM, "elimination of %d unknowns", o->n);
}

/* ---- factors ---- */

static bool load(crank_frozen *f, const double *values)
{
    double *W = f->W;
    const struct source *from = f->load, *off = from + f->on_diagonal,
                        *end = from + f->load_count;
    bool equal = true;
    const int changing = f->order.n + f->order.l_start[f->order.constant]; /* places of L */
    memcpy(W, f->W_constant, (size_t)f->order.n * sizeof *W);
    memcpy(W + changing, f->W_constant + changing, (size_t)(f->slots - changing) * sizeof *W);
    memcpy(f->size, f->size_constant, (size_t)f->order.n * sizeof *f->size);
    for (; from < off; from++) {
        W[from->place] += values[from->entry];
        f->size[from->place] += fabs(values[from->entry]);
    }
    if (!f->symmetric) {
        for (; from < end; from++) {
            W[from->place] += values[from->entry];
        }
    }
    for (; from < end; from++) {
        const double value = values[from->entry];
        W[from->place] += value;
        equal &= value == values[from->mirror];
    }
    return equal;
}

/* the inverse of the pivot of unknown i into its place; 0: lost */
static inline double invert_pivot(crank_frozen *f, int i)
{
    const double pivot = f->W[i], left = fabs(pivot), size = f->size[i];
    if (!(left > lost * size) || !(left <= DBL_MAX)) {
        return 0.0;
    }
    return f->W[i] = 1.0 / pivot;
}

/* W[target[b]] -= factor other[b] */
static inline void subtract(double *W, int count, double factor, const double *other,
                            const int *target)
{
    for (int b = 0; b < count; b++) {
        W[target[b]] -= factor * other[b];
    }
}

/* steps from..to - 1, whose products begin at target; returns the end of these, NULL: a pivot is lost */
static const int *eliminate_symmetric(crank_frozen *f, int from, int to, const int *target)
{
    const crank_frozen_order *o = &f->order;
    double *W = f->W, *l = W + o->n + o->l_start[from], *size = f->size;
    const int *row = o->l + o->l_start[from];
    for (int k = from; k < to; k++) {
        const double inverse = invert_pivot(f, o->pivot[k]);
        if (inverse == 0.0) {
            return NULL;
        }
        for (int rest = o->l_start[k + 1] - o->l_start[k] - 1; rest >= 0; rest--) {
            const int i = *row++;
            const double value = *l, factor = value * inverse, change = factor * value;
            *l++ = factor;
            W[i] -= change;
            size[i] += fabs(change);
            subtract(W, rest, factor, l, target);
            target += rest;
        }
    }
    return target;
}

static const int *eliminate_general(crank_frozen *f, int from, int to, const int *target)
{
    const crank_frozen_order *o = &f->order;
    double *W = f->W, *l = W + o->n + o->l_start[from],
           *u = W + o->n + o->l_start[o->n] + o->u_start[from];
    const int *row = o->l + o->l_start[from], *across = f->across + o->l_start[from];
    for (int k = from; k < to; k++) {
        const double inverse = invert_pivot(f, o->pivot[k]);
        const int count = o->u_start[k + 1] - o->u_start[k];
        if (inverse == 0.0) {
            return NULL;
        }
        for (int left = o->l_start[k + 1] - o->l_start[k]; left > 0; left--) {
            const double factor = *l * inverse;
            *l++ = factor;
            if (*across >= 0) {
                f->size[*row] += fabs(factor * W[*across]);
            }
            subtract(W, count, factor, u, target);
            row++;
            across++;
            target += count;
        }
        for (int b = 0; b < count; b++) {
            *u++ *= inverse;
        }
    }
    return target;
}

static const int *eliminate(crank_frozen *f, int from, int to, const int *target)
{
    return f->symmetric ? eliminate_symmetric(f, from, to, target)
                        : eliminate_general(f, from, to, target);
}

bool crank_frozen_factor(crank_frozen *f, const double *values)
{
    const crank_frozen_order *o = &f->order;
    return load(f, values) && eliminate(f, o->constant, o->n, f->target + f->done) != NULL;
}

/* from W_constant = the constant entries to what is left after their steps */
static bool do_constant_steps(crank_frozen *f)
{
    const crank_frozen_order *o = &f->order;
    const size_t bytes = (size_t)f->slots * sizeof(double);
    memcpy(f->W, f->W_constant, bytes);
    for (int i = 0; i < o->n; i++) {
        f->size[i] = fabs(f->W[i]);
    }
    const int *end = eliminate(f, 0, o->constant, f->target);
    if (end == NULL) {
        return false;
    }
    f->done = (int)(end - f->target);
    memcpy(f->W_constant, f->W, bytes);
    memcpy(f->size_constant, f->size, (size_t)o->n * sizeof *f->size);
    return true;
}

const double *crank_frozen_inverse_pivots(const crank_frozen *f)
{
    return f->W;
}

/* ---- create ---- */

crank_status crank_frozen_create(int n, int count, const int *row, const int *column,
                                 const double *values, const bool *constant, bool symmetric,
                                 crank_frozen **out, crank_error *err)
{
    *out = NULL;
    crank_frozen *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return crank_fail(err, CRANK_EMEM, "elimination of %d unknowns", n);
    }
    f->symmetric = symmetric;
    crank_status status = crank_frozen_order_find(n, count, row, column, values, constant,
                                                  (long)MOST_PRODUCTS * n, &f->order);
    if (status == CRANK_OK && symmetric && !is_symmetric(&f->order)) {
        status = CRANK_RETRY;
    }
    if (status == CRANK_OK) {
        status = allocate(f, count, err);
    }
    if (status == CRANK_OK) {
        place_targets(f);
        status = place_entries(f, count, row, column, values, constant);
    }
    if (status == CRANK_OK && !do_constant_steps(f)) {
        status = CRANK_RETRY;
    }
    if (status == CRANK_OK && !crank_frozen_factor(f, values)) {
        status = CRANK_RETRY;
    }
    if (status != CRANK_OK) {
        crank_frozen_destroy(f);
        return status == CRANK_EMEM
                   ? crank_fail(err, CRANK_EMEM, "elimination of %d unknowns", n)
                   : status;
    }
    *out = f;
    return CRANK_OK;
}

void crank_frozen_destroy(crank_frozen *f)
{
    if (f == NULL) {
        return;
    }
    crank_frozen_order_destroy(&f->order);
    free(f->load);
    free(f->l_of);
    free(f->u_of);
    free(f->W_constant);
    free(f->size_constant);
    free(f->target);
    free(f->across);
    free(f->W);
    free(f->size);
    free(f);
}

/* ---- solutions ---- */

/* b[to[e]] -= l[e] b[from[e]], one after the other */
static inline void substitute(double *b, int count, const double *l, const int *to,
                              const int *from)
{
    int e = 0;
    for (; e + 2 <= count; e += 2) {
        b[to[e]] -= l[e] * b[from[e]];
        b[to[e + 1]] -= l[e + 1] * b[from[e + 1]];
    }
    if (e < count) {
        b[to[e]] -= l[e] * b[from[e]];
    }
}

/* b[i] := b[i] - sum u b of its row, from the last step to the first; sums stay in registers */
static inline void substitute_back(const crank_frozen *f, double *b, const double *u,
                                   const int *start, const int *column)
{
    const int *pivot = f->order.pivot;
    for (int k = f->order.n - 1; k >= 0; k--) {
        double sum = b[pivot[k]];
        for (int e = start[k]; e < start[k + 1]; e++) {
            sum -= u[e] * b[column[e]];
        }
        b[pivot[k]] = sum;
    }
}

void crank_frozen_solve(const crank_frozen *f, double *b)
{
    const crank_frozen_order *o = &f->order;
    const int lower = o->l_start[o->n];
    const double *l = f->W + o->n;
    substitute(b, lower, l, o->l, f->l_of);
    for (int i = 0; i < o->n; i++) {
        b[i] *= f->W[i];
    }
    if (f->symmetric) {
        substitute_back(f, b, l, o->l_start, o->l);
    } else {
        substitute_back(f, b, l + lower, o->u_start, o->u);
    }
}
