/* recorded_diagonal.c - in which order the unknowns of recorded.h are eliminated: least degree
 * first [Dav06, 7.1], of those whose pivot is acceptable with the values at hand, which are
 * eliminated along. An unknown without acceptable pivot (a multiplier) waits until an
 * elimination gives it one. Unknowns of low degree with constant entries alone come first. */
// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/recorded_inside.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a pivot is acceptable if no less than this is left of the sum that it is */
static const double acceptable = 1e-3;
/* The same in a definite matrix, which is stable in any order [GVL13, 4.2]: half of the digits
 * must be left. Of a chain of n links, the last pivot is one nth of its terms. The pivots of
 * [M J^T; J 0] are those of such matrices, M and -J M^-1 J^T or parts of them, in any order in
 * which they have their signs: positive with an entry of their own, else negative. */
static const double acceptable_definite = 1.5e-8;
/* products for each unknown, from which on dense blocks (KLU, lu.c) are better */
enum { MOST_PRODUCTS = 500 };
/* constant unknowns of higher degree would fill too much if they came first */
enum { MOST_CONSTANT = 8 };

/* entries of one row; the pattern is symmetric, entries that A does not have are not there */
typedef struct entry {
    int other;
    bool there;
    double value;
} entry;
typedef struct node {
    int count, capacity;
    entry *item;
    double diagonal, size;
    int before, after; /* in its bucket; before: -1 for the first */
    bool waiting, constant, done;
    bool own; /* A has an entry on the diagonal */
} node;

typedef struct work {
    int n;
    node *nodes;
    int *bucket, *last; /* n: first and last node of each degree, -1 */
    int *mark;          /* n: 1 + place in the row at hand, 0 */
    entry *l, *u;       /* the pivot's column and row */
    bool definite;
    bool balance; /* symmetric, and all pivots so far have the signs of [M J^T; J 0] */
    bool early;   /* only constant unknowns */
    bool failed;  /* out of memory */
} work;

static entry *append(work *w, node *at, int other)
{
    entry *item = crank_grow(at->item, at->count, &at->capacity, sizeof *item);
    if (item == NULL) {
        w->failed = true;
        return NULL;
    }
    at->item = item;
    at->item[at->count] = (entry){.other = other};
    return &at->item[at->count++];
}

/* ---- buckets ---- */

static void leave_bucket(work *w, int i)
{
    const node *at = &w->nodes[i];
    if (at->waiting) {
        return;
    }
    if (at->before >= 0) {
        w->nodes[at->before].after = at->after;
    } else {
        w->bucket[at->count] = at->after;
    }
    if (at->after >= 0) {
        w->nodes[at->after].before = at->before;
    } else {
        w->last[at->count] = at->before;
    }
}

static bool has_sign(const node *at)
{
    return at->own ? at->diagonal > 0.0 : at->diagonal < 0.0;
}

/* part of its sum that an acceptable pivot is */
static double least_part(const work *w, const node *at)
{
    return w->definite || (w->balance && has_sign(at)) ? acceptable_definite : acceptable;
}

/* A pivot without an entry of its own is a sum of squares, which may be those of rounding (the
 * lever of an axis about itself), though nothing cancels in it: would a neighbour that can be
 * eliminated now leave much more, a_ij^2 / a_jj? theory 9.1 */
static bool is_early(const work *w, const node *at)
{
    for (int e = 0; e < at->count && !at->own; e++) {
        const node *other = &w->nodes[at->item[e].other];
        const double value = at->item[e].value, size = fabs(other->diagonal);
        if (size > least_part(w, other) * other->size &&
            value * value * acceptable_definite > fabs(at->diagonal) * size) {
            return true;
        }
    }
    return false;
}

/* Into the bucket of its degree if its pivot is acceptable; leave_bucket comes before any
 * change. At its end: neighbours of what was eliminated last wait, so that chains of
 * eliminations that wait for each other are short. */
static void enter_bucket(work *w, int i)
{
    node *at = &w->nodes[i];
    at->waiting = !(fabs(at->diagonal) > least_part(w, at) * at->size) || is_early(w, at) ||
                  (w->early && !(at->constant && at->count <= MOST_CONSTANT));
    if (at->waiting) {
        return;
    }
    at->before = w->last[at->count];
    at->after = -1;
    if (at->before >= 0) {
        w->nodes[at->before].after = i;
    } else {
        w->bucket[at->count] = i;
    }
    w->last[at->count] = i;
}

/* ---- elimination ---- */

/* removes the entry of column k from row i and returns it */
static entry take_entry(node *at, int k)
{
    int e = 0;
    while (at->item[e].other != k) {
        e++;
    }
    const entry found = at->item[e];
    at->item[e] = at->item[--at->count];
    return found;
}

/* row w->l[a].other of the rest, with all entries of the pivot's row */
static void update_row(work *w, int count, int a, double pivot)
{
    const entry *l = &w->l[a];
    node *at = &w->nodes[l->other];
    const double factor = l->value / pivot;
    for (int e = 0; e < at->count; e++) {
        w->mark[at->item[e].other] = e + 1;
    }
    for (int b = 0; b < count && !w->failed; b++) {
        const entry *u = &w->u[b];
        const bool there = l->there && u->there;
        if (b == a) {
            const double change = there ? factor * u->value : 0.0;
            at->diagonal -= change;
            at->size += fabs(change);
            continue;
        }
        const int place = w->mark[u->other];
        entry *to = NULL;
        if (place > 0) {
            to = &at->item[place - 1];
        } else if (there || (w->l[b].there && w->u[a].there)) {
            to = append(w, at, u->other);
        }
        if (to != NULL && there) {
            to->value -= factor * u->value;
            to->there = true;
        }
    }
    for (int e = 0; e < at->count; e++) {
        w->mark[at->item[e].other] = 0;
    }
}

static bool grow(int **array, int *capacity, int needed)
{
    if (needed <= *capacity) {
        return true;
    }
    const int wanted = needed > 2 * *capacity ? needed : 2 * *capacity;
    int *larger = realloc(*array, (size_t)wanted * sizeof *larger);
    if (larger != NULL) {
        *array = larger;
        *capacity = wanted;
    }
    return larger != NULL;
}

static void eliminate(work *w, crank_recorded_order *o, int step, int k)
{
    node *pivot = &w->nodes[k];
    const int count = pivot->count;
    int nl = o->l_start[step], nu = o->u_start[step];
    if (!grow(&o->l, &o->l_capacity, nl + count) || !grow(&o->u, &o->u_capacity, nu + count)) {
        w->failed = true;
        return;
    }
    for (int a = 0; a < count; a++) {
        const int i = pivot->item[a].other;
        leave_bucket(w, i);
        w->u[a] = pivot->item[a];
        w->l[a] = take_entry(&w->nodes[i], k);
        w->l[a].other = i;
        if (w->l[a].there) {
            o->l[nl++] = i;
        }
        if (w->u[a].there) {
            o->u[nu++] = i;
        }
    }
    for (int a = 0; a < count && !w->failed; a++) {
        update_row(w, count, a, pivot->diagonal);
    }
    for (int a = 0; a < count; a++) {
        enter_bucket(w, w->u[a].other);
    }
    o->operations += (long)(nl - o->l_start[step]) * (nu - o->u_start[step]);
    o->l_start[step + 1] = nl;
    o->u_start[step + 1] = nu;
    o->pivot[step] = k;
    o->step[k] = step;
    pivot->done = true;
    w->balance = w->balance && has_sign(pivot);
}

/* ---- the whole ---- */

static entry *find_or_append(work *w, int i, int j)
{
    node *at = &w->nodes[i];
    for (int e = 0; e < at->count; e++) {
        if (at->item[e].other == j) {
            return &at->item[e];
        }
    }
    return append(w, at, j);
}

static void load(work *w, int count, const int *row, const int *column, const double *values,
                 const bool *constant)
{
    for (int i = 0; i < w->n; i++) {
        w->nodes[i].constant = true;
    }
    for (int e = 0; e < count && !w->failed; e++) {
        const int i = row[e], j = column[e];
        if (i < 0) {
            continue;
        }
        if (constant == NULL || !constant[e]) {
            w->nodes[i].constant = w->nodes[j].constant = false;
        }
        if (i == j) {
            w->nodes[i].diagonal = values[e];
            w->nodes[i].size = fabs(values[e]);
            w->nodes[i].own = values[e] != 0.0;
            continue;
        }
        entry *to = find_or_append(w, i, j);
        if (to != NULL) {
            *to = (entry){j, true, values[e]};
            (void)find_or_append(w, j, i);
        }
    }
}

static void fill_buckets(work *w)
{
    for (int i = 0; i < w->n; i++) {
        w->bucket[i] = w->last[i] = -1;
    }
    for (int i = 0; i < w->n; i++) {
        if (!w->nodes[i].done) {
            enter_bucket(w, i);
        }
    }
}

/* the acceptable unknown of least degree; -1: none */
static int choose(const work *w)
{
    int degree = 0;
    while (degree < w->n && w->bucket[degree] < 0) {
        degree++;
    }
    return degree < w->n ? w->bucket[degree] : -1;
}

static crank_status run(work *w, crank_recorded_order *out)
{
    const long most = (long)MOST_PRODUCTS * w->n;
    w->early = true;
    fill_buckets(w);
    for (int step = 0; step < w->n; step++) {
        int k = choose(w);
        if (k < 0 && w->early) {
            w->early = false;
            out->constant = step;
            fill_buckets(w);
            k = choose(w);
        }
        if (k < 0 || out->operations > most) {
            return CRANK_RETRY;
        }
        leave_bucket(w, k);
        eliminate(w, out, step, k);
        if (w->failed) {
            return CRANK_EMEM;
        }
    }
    out->constant = w->early ? w->n : out->constant;
    return CRANK_OK;
}

crank_status crank_recorded_order_find(int n, int count, const int *row, const int *column,
                                       const double *values, const bool *constant,
                                       crank_recorded_form form, crank_recorded_order *out)
{
    const size_t size = (size_t)n + 1;
    work w = {.n = n,
              .definite = form == CRANK_RECORDED_DEFINITE,
              .balance = form == CRANK_RECORDED_SYMMETRIC};
    *out = (crank_recorded_order){.n = n};
    w.nodes = calloc(size, sizeof *w.nodes);
    w.bucket = calloc(size, sizeof *w.bucket);
    w.last = calloc(size, sizeof *w.last);
    w.mark = calloc(size, sizeof *w.mark);
    w.l = calloc(size, sizeof *w.l);
    w.u = calloc(size, sizeof *w.u);
    out->pivot = calloc(size, sizeof(int));
    out->step = calloc(size, sizeof(int));
    out->l_start = calloc(size, sizeof(int));
    out->u_start = calloc(size, sizeof(int));
    crank_status status = CRANK_EMEM;
    if (w.nodes != NULL && w.bucket != NULL && w.last != NULL && w.mark != NULL &&
        w.l != NULL && w.u != NULL && out->pivot != NULL && out->step != NULL &&
        out->l_start != NULL && out->u_start != NULL) {
        load(&w, count, row, column, values, constant);
        status = w.failed ? CRANK_EMEM : run(&w, out);
    }
    for (int i = 0; i < n && w.nodes != NULL; i++) {
        free(w.nodes[i].item);
    }
    free(w.nodes);
    free(w.bucket);
    free(w.last);
    free(w.mark);
    free(w.l);
    free(w.u);
    return status;
}

void crank_recorded_order_destroy(crank_recorded_order *o)
{
    free(o->pivot);
    free(o->step);
    free(o->l_start);
    free(o->u_start);
    free(o->l);
    free(o->u);
    *o = (crank_recorded_order){0};
}
