/* eoms_chain.c - a chain of point masses on rods in Cartesian coordinates, with sparse
 * patterns.
 *     g_i = |q_i - q_{i-1}|^2 - L^2,  q_0 = 0,
 *     m q_i'' = -m g e_y - 2 lambda_i u_i + 2 lambda_{i+1} u_{i+1},
 * u_i = q_i - q_{i-1}. Rows: gII (N) gI (N) g (N) dyn (2N) kin (2N). */
// SPDX-License-Identifier: BSD-3-Clause
#include "eoms.h"

#include "check.h"

#include <stdlib.h>

typedef struct place { /* where the parts of x and k begin, and their lengths */
    int l, v, p;
    int gII, gI, g, dyn, kin;
    int n, m;
} place;

static place places(const test_chain *c)
{
    const int N = c->count, nl = N + c->copies;
    return (place){.l = 0,
                   .v = nl,
                   .p = nl + 2 * N,
                   .gII = 0,
                   .gI = nl,
                   .g = 2 * nl,
                   .dyn = 3 * nl,
                   .kin = 3 * nl + 2 * N,
                   .n = nl + 4 * N,
                   .m = 3 * nl + 4 * N};
}

/* Both multipliers of a link that is stated twice. */
static double multiplier(const test_chain *c, const double *l, int i)
{
    return l[i] + (i < c->copies ? l[c->count + i] : 0.0);
}

/* q_i - q_{i-1} of coordinate d, of positions or velocities at z. */
static double step(const double *z, int i, int d)
{
    return z[2 * i + d] - (i > 0 ? z[2 * (i - 1) + d] : 0.0);
}

static crank_status evaluate(double t, const double *x, double *k, void *user)
{
    const test_chain *c = user;
    const int N = c->count;
    const place o = places(c);
    const double *l = x + o.l, *v = x + o.v, *p = x + o.p;
    double *dyn = k + o.dyn;
    (void)t;
    for (int i = 0; i < N; i++) {
        for (int d = 0; d < 2; d++) {
            dyn[2 * i + d] =
                (d == 1 ? -c->m * c->g : 0.0) - 2.0 * multiplier(c, l, i) * step(p, i, d);
            if (i + 1 < N) {
                dyn[2 * i + d] += 2.0 * multiplier(c, l, i + 1) * step(p, i + 1, d);
            }
            k[o.kin + 2 * i + d] = v[2 * i + d];
        }
    }
    for (int i = 0; i < N; i++) {
        double g = -c->L * c->L, gI = 0.0, gII = 0.0;
        for (int d = 0; d < 2; d++) {
            const double u = step(p, i, d), w = step(v, i, d), a = step(dyn, i, d) / c->m;
            g += u * u;
            gI += 2.0 * u * w;
            gII += 2.0 * (w * w + u * a);
        }
        for (int copy = i; copy < N + c->copies; copy += i < c->copies ? N : o.m) {
            k[o.g + copy] = g;
            k[o.gI + copy] = gI;
            k[o.gII + copy] = gII;
        }
    }
    return CRANK_OK;
}

/* One entry: adds to values if they are given, else counts or notes the pattern. */
typedef struct sink {
    const test_chain *chain;
    double *values;
    const int *start; /* pattern to find the entry in, rows sorted */
    const int *row;
    int *pair_row, *pair_column; /* or: list of entries */
    int pairs;
} sink;

static void put(sink *s, int i, int j, double value)
{
    if (s->values == NULL) {
        s->pair_row[s->pairs] = i;
        s->pair_column[s->pairs++] = j;
        return;
    }
    for (int q = s->start[j]; q < s->start[j + 1]; q++) {
        if (s->row[q] == i) {
            s->values[q] += value;
            return;
        }
    }
    fail_msg("entry (%d, %d) is not in the pattern", i, j);
}

/* The derivative by multiplier i, in both places if there are two. */
static void put_multiplier(sink *s, int row, int i, double value)
{
    put(s, row, i, value);
    if (i < s->chain->copies) {
        put(s, row, s->chain->count + i, value);
    }
}

/* Derivative entries of f_dyn of mass i, coordinate d, times factor, into row. */
static void put_force(sink *s, int row, int i, int d, double factor, const double *x)
{
    const test_chain *c = s->chain;
    const place o = places(c);
    const double *l = x + o.l, *p = x + o.p;
    if (i < 0) {
        return;
    }
    put_multiplier(s, row, i, -2.0 * factor * step(p, i, d));
    put(s, row, o.p + 2 * i + d, -2.0 * factor * multiplier(c, l, i));
    if (i > 0) {
        put(s, row, o.p + 2 * (i - 1) + d, 2.0 * factor * multiplier(c, l, i));
    }
    if (i + 1 < c->count) {
        put_multiplier(s, row, i + 1, 2.0 * factor * step(p, i + 1, d));
        put(s, row, o.p + 2 * (i + 1) + d, 2.0 * factor * multiplier(c, l, i + 1));
        put(s, row, o.p + 2 * i + d, -2.0 * factor * multiplier(c, l, i + 1));
    }
}

/* Entries of the three levels of link i, coordinate d, in the rows of its copy (or of
 * itself). */
static void put_link(sink *s, int i, int copy, int d, const double *x, const double *k)
{
    const test_chain *c = s->chain;
    const place o = places(c);
    const double u = step(x + o.p, i, d), w = step(x + o.v, i, d);
    const double a = k != NULL ? step(k + o.dyn, i, d) / c->m : 0.0;
    for (int e = 0; e < (i > 0 ? 2 : 1); e++) { /* ends of the rod: i, i - 1 */
        const double sign = e == 0 ? 2.0 : -2.0;
        const int q = 2 * (i - e) + d;
        put(s, o.g + copy, o.p + q, sign * u);
        put(s, o.gI + copy, o.p + q, sign * w);
        put(s, o.gI + copy, o.v + q, sign * u);
        put(s, o.gII + copy, o.v + q, 2.0 * sign * w);
        put(s, o.gII + copy, o.p + q, sign * a);
    }
    put_force(s, o.gII + copy, i, d, 2.0 * u / c->m, x);
    put_force(s, o.gII + copy, i - 1, d, -2.0 * u / c->m, x);
}

static void put_all(sink *s, const double *x, const double *k)
{
    const int N = s->chain->count;
    const place o = places(s->chain);
    for (int i = 0; i < N; i++) {
        for (int d = 0; d < 2; d++) {
            put_link(s, i, i, d, x, k);
            if (i < s->chain->copies) {
                put_link(s, i, N + i, d, x, k);
            }
            put_force(s, o.dyn + 2 * i + d, i, d, 1.0, x);
            put(s, o.kin + 2 * i + d, o.v + 2 * i + d, 1.0);
        }
    }
}

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Sorted, without doubles. start: n + 1, row: room for all. */
static void make_pattern(const test_chain *c, int **start, int **row)
{
    const int n = places(c).n, room = 160 * (c->count + c->copies);
    double *x = calloc((size_t)n, sizeof *x);
    int *pair = calloc((size_t)room * 4, sizeof *pair), *sorted = &pair[2 * room];
    sink s = {.chain = c, .pair_row = pair, .pair_column = pair + room};
    put_all(&s, x, NULL);
    assert_true(s.pairs <= room);
    for (int q = 0; q < s.pairs; q++) {
        sorted[2 * q] = s.pair_column[q];
        sorted[2 * q + 1] = s.pair_row[q];
    }
    qsort(sorted, (size_t)s.pairs, 2 * sizeof *sorted, compare);
    *start = calloc((size_t)n + 1, sizeof **start);
    *row = calloc((size_t)s.pairs + 1, sizeof **row);
    int count = 0;
    for (int q = 0; q < s.pairs; q++) {
        if (q == 0 || compare(&sorted[2 * q], &sorted[2 * (q - 1)]) != 0) {
            (*row)[count++] = sorted[2 * q + 1];
            (*start)[sorted[2 * q] + 1] = count;
        }
    }
    for (int j = 0; j < n; j++) {
        (*start)[j + 1] = (*start)[j + 1] > (*start)[j] ? (*start)[j + 1] : (*start)[j];
    }
    free(pair);
    free(x);
}

static crank_status jacobian(double t, const double *x, const double *vdot, double *values,
                             void *user)
{
    const test_chain *c = user;
    sink s = {.chain = c, .values = values, .start = c->start, .row = c->row};
    (void)vdot;
    for (int q = 0; q < c->start[places(c).n]; q++) {
        values[q] = 0.0;
    }
    (void)evaluate(t, x, c->k, user);
    put_all(&s, x, c->k);
    return CRANK_OK;
}

static crank_status mass(double t, const double *x, double *values, void *user)
{
    const test_chain *c = user;
    (void)t;
    (void)x;
    for (int i = 0; i < 2 * c->count; i++) {
        values[i] = c->m;
    }
    return CRANK_OK;
}

crank_eom *test_chain_create(test_chain *data)
{
    const int N = data->count;
    const place o = places(data);
    make_pattern(data, &data->start, &data->row);
    data->k = calloc((size_t)o.m, sizeof *data->k);
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2 * N, .v = 2 * N, .lambda = N + data->copies};
    d.mass_kind = CRANK_MASS_DIAGONAL_CONSTANT;
    d.autonomous = true;
    d.evaluate = evaluate;
    d.jacobian = jacobian;
    d.mass = mass;
    d.jacobian_pattern =
        (crank_pattern){.rows = o.m, .columns = o.n, .start = data->start, .row = data->row};
    d.user = data;
    crank_eom *eom = NULL;
    crank_error err = {0};
    const crank_status status = crank_eom_create(&d, data->log, &eom, &err);
    CHECK_OK(status, err);
    return eom;
}

void test_chain_free(test_chain *data)
{
    free(data->start);
    free(data->row);
    free(data->k);
    data->start = data->row = NULL;
    data->k = NULL;
}

void test_chain_start(const test_chain *data, double *x)
{
    const place o = places(data);
    for (int i = 0; i < o.n; i++) {
        x[i] = 0.0;
    }
    for (int i = 0; i < data->count; i++) {
        x[o.p + 2 * i] = data->L * (i + 1);
    }
}
