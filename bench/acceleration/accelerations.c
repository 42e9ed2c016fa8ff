/* accelerations.c - accelerations and multipliers of the test models of [Neg98]: time and
 * operations of a factorisation with its solution, by dense Gauss, KLU, the recorded
 * elimination and the reduced system along the joint graph; the vehicle in joint coordinates.
 *
 *     build/bench/acceleration/accelerations [SECONDS for each figure, default 0.2]
 * Values are random, patterns those of the mechanisms. docs/performance.md has the table. */
// SPDX-License-Identifier: BSD-3-Clause
#include "composite.h"
#include "saddle.h"

#include "linalg/dense.h"
#include "linalg/recorded.h"
#include "linalg/solver.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 600, ENTRIES = 20000 };

typedef struct matrix {
    int n, count;
    int row[ENTRIES], column[ENTRIES], body[MOST];
    double values[ENTRIES];
    bool constant[ENTRIES];
} matrix;

static double seconds = 0.2;

static double random_real(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static void put(matrix *m, int i, int j, double value, bool constant)
{
    if (m->count == ENTRIES) {
        abort();
    }
    m->row[m->count] = i;
    m->column[m->count] = j;
    m->values[m->count] = value;
    m->constant[m->count++] = constant;
}

/* ---- models ---- */

static void add_bodies(matrix *m, int bodies, int nb, uint64_t *r)
{
    for (int b = 0; b < bodies; b++) {
        const int first = nb * b, turns = nb == 6 ? 3 : 1;
        for (int i = 0; i < nb; i++) {
            m->body[first + i] = b;
        }
        for (int i = 0; i < nb - turns; i++) {
            put(m, first + i, first + i, 1.0 + 0.1 * (b % 5), true);
        }
        for (int i = nb - turns; i < nb; i++) {
            for (int j = nb - turns; j < nb; j++) {
                const double off = 0.01 * (i + j);
                put(m, first + i, first + j, i == j ? 1.0 + 0.3 * random_real(r) : off, true);
            }
        }
    }
    m->n = nb * bodies;
}

/* A joint: points together (each row one translation and the rotations), and in space rows of
 * axes that stay perpendicular (rotations alone). */
static void add_joint(matrix *m, int a, int b, int nb, int rows, uint64_t *r)
{
    const int points = nb == 6 ? 3 : 2, turns = nb - points;
    for (int k = 0; k < rows; k++, m->n++) {
        m->body[m->n] = -1;
        for (int end = 0; end < 2; end++) {
            const int first = nb * (end == 0 ? a : b);
            for (int c = -1; c < turns && first >= 0; c++) {
                if (c < 0 && k >= points) {
                    continue;
                }
                const int column = first + (c < 0 ? k : points + c);
                const double value = c < 0 ? (end == 0 ? 1.0 : -1.0) : random_real(r);
                put(m, m->n, column, value, c < 0);
                put(m, column, m->n, value, c < 0);
            }
        }
    }
}

/* Joints numbered along the model, or badly. In space nine of the ten joints of the seven
 * bodies have a row less than hinges, so that 41 rows are independent. */
static void make(matrix *m, bool chain, int nb, bool bad)
{
    static const int seven[10][2] = {{-1, 0}, {0, 1}, {1, 2},  {-1, 2}, {2, 3},
                                     {2, 5},  {3, 4}, {-1, 4}, {5, 6},  {-1, 6}};
    static const int worst[10] = {5, 6, 0, 9, 1, 7, 2, 3, 8, 4};
    uint64_t r = 12345;
    *m = (matrix){0};
    add_bodies(m, chain ? 50 : 7, nb, &r);
    for (int k = 0; k < (chain ? 50 : 10); k++) {
        if (chain) {
            const int at = !bad ? k : k < 25 ? 2 * k : 99 - 2 * k;
            add_joint(m, at, at - 1, nb, nb == 6 ? 5 : 2, &r);
        } else {
            const int j = bad ? worst[k] : k;
            add_joint(m, seven[j][0], seven[j][1], nb, nb == 3 ? 2 : j == 0 ? 5 : 4, &r);
        }
    }
}

/* ---- solvers ---- */

typedef struct work {
    const matrix *m;
    int start[MOST + 1], map[ENTRIES], row[ENTRIES], pivot[MOST];
    double *full, b[MOST], x[MOST];
    crank_solver *klu;
    crank_recorded *recorded;
    crank_saddle *saddle[2];
} work;

typedef void solve_fn(work *w);

static void by_gauss(work *w)
{
    const matrix *m = w->m;
    memset(w->full, 0, sizeof(double) * (size_t)m->n * (size_t)m->n);
    for (int e = 0; e < m->count; e++) {
        w->full[m->row[e] + (long)m->column[e] * m->n] = m->values[e];
    }
    (void)crank_lu_factor(m->n, w->full, m->n, w->pivot);
    crank_lu_solve(m->n, w->full, m->n, w->pivot, w->x);
}

static void by_klu(work *w)
{
    double *values = crank_solver_values(w->klu, 0, false);
    for (int e = 0; e < w->m->count; e++) {
        values[w->map[e]] = w->m->values[e];
    }
    (void)crank_solver_factor(w->klu, 0, NULL);
    crank_solver_solve(w->klu, 0, w->x, NULL, w->x, NULL);
}

static void by_record(work *w)
{
    (void)crank_recorded_factor(w->recorded, w->m->values);
    crank_recorded_solve(w->recorded, w->x);
}

static void by_saddle(work *w)
{
    (void)crank_saddle_factor(w->saddle[0], w->m->values);
    crank_saddle_solve(w->saddle[0], w->x);
}

static void by_given_order(work *w)
{
    (void)crank_saddle_factor(w->saddle[1], w->m->values);
    crank_saddle_solve(w->saddle[1], w->x);
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* microseconds of the best of ten parts */
static double time_of(work *w, solve_fn *solve)
{
    double best = INFINITY;
    for (int part = 0; part < 10; part++) {
        const double begin = now();
        double took = 0.0;
        long count = 0;
        for (; took < seconds / 10.0; took = now() - begin) {
            for (int k = 0; k < 8; k++, count++) {
                memcpy(w->x, w->b, (size_t)w->m->n * sizeof *w->x);
                solve(w);
            }
        }
        best = fmin(best, took / (double)count);
    }
    return 1e6 * best;
}

static void sort_columns(work *w)
{
    const matrix *m = w->m;
    int count = 0;
    for (int j = 0; j < m->n; j++) {
        for (int e = 0; e < m->count; e++) {
            if (m->column[e] == j) {
                w->row[count] = m->row[e];
                w->map[e] = count++;
            }
        }
        w->start[j + 1] = count;
    }
}

static void prepare(work *w, const matrix *m)
{
    crank_error err = {0};
    *w = (work){.m = m, .full = calloc((size_t)m->n * (size_t)m->n, sizeof(double))};
    sort_columns(w);
    for (int i = 0; i < m->n; i++) {
        w->b[i] = sin(1.0 + i);
    }
    (void)crank_solver_create(&(crank_solver_setup){.wish = CRANK_LINALG_KLU,
                                                    .n = m->n,
                                                    .start = w->start,
                                                    .row = w->row,
                                                    .shifts = 1,
                                                    .real = true},
                              &w->klu, &err);
    (void)crank_recorded_create(m->n, m->count, m->row, m->column, m->values, m->constant,
                                CRANK_RECORDED_SYMMETRIC, &w->recorded, &err);
    for (int given = 0; given < 2; given++) {
        (void)crank_saddle_create(&(crank_saddle_setup){m->n, m->count, m->row, m->column,
                                                        m->values, m->constant, m->body,
                                                        given == 1},
                                  &w->saddle[given], &err);
    }
}

static void finish(work *w)
{
    crank_solver_destroy(w->klu);
    crank_recorded_destroy(w->recorded);
    crank_saddle_destroy(w->saddle[0]);
    crank_saddle_destroy(w->saddle[1]);
    free(w->full);
}

static double largest_difference(work *w, solve_fn *solve, const double *x)
{
    double largest = 0.0;
    memcpy(w->x, w->b, (size_t)w->m->n * sizeof *w->x);
    solve(w);
    for (int i = 0; i < w->m->n; i++) {
        largest = fmax(largest, fabs(w->x[i] - x[i]) / (1.0 + fabs(x[i])));
    }
    return largest;
}

static void compare(const char *name, const matrix *m)
{
    static work w;
    static double exact[MOST];
    static const struct {
        const char *name;
        solve_fn *solve;
    } solvers[] = {{"gauss", by_gauss},
                   {"klu", by_klu},
                   {"recorded", by_record},
                   {"reduced", by_saddle},
                   {"reduced, given order", by_given_order}};
    prepare(&w, m);
    const crank_saddle_counts good = crank_saddle_get_counts(w.saddle[0]),
                              given = crank_saddle_get_counts(w.saddle[1]);
    printf("%s: %d unknowns, %d multipliers, %d joints; envelope %ld (work %ld), as given %ld "
           "(work %ld); products %ld and %ld\n",
           name, m->n, good.multipliers, good.joints, good.envelope.profile, good.envelope.work,
           given.envelope.profile, given.envelope.work, good.products, given.products);
    memcpy(w.x, w.b, sizeof w.x);
    by_gauss(&w);
    memcpy(exact, w.x, sizeof exact);
    const double klu = time_of(&w, by_klu);
    for (int k = 0; k < 5; k++) {
        const double took = time_of(&w, solvers[k].solve);
        printf("    %-22s %9.2f us   klu / this %6.2f   off %.0e\n", solvers[k].name, took,
               klu / took, largest_difference(&w, solvers[k].solve, exact));
    }
    finish(&w);
}

/* ---- the vehicle in joint coordinates ---- */

static composite vehicle, without_zeros;

static void by_composite(work *w)
{
    (void)composite_solve(&vehicle, w->x);
}

static void by_dense_composite(work *w)
{
    (void)composite_solve(&without_zeros, w->x);
}

static void make_vehicle(matrix *m)
{
    composite_vehicle(&vehicle);
    *m = (matrix){.n = vehicle.n + vehicle.m};
    for (int i = 0; i < vehicle.n; i++) {
        for (int j = 0; j < vehicle.n; j++) {
            if (vehicle.M[i][j] != 0.0) {
                put(m, i, j, vehicle.M[i][j], false);
            }
        }
        for (int l = 0; l < vehicle.m; l++) {
            if (vehicle.P[l][i] != 0.0) {
                put(m, vehicle.n + l, i, vehicle.P[l][i], false);
                put(m, i, vehicle.n + l, vehicle.P[l][i], false);
            }
        }
    }
}

static void compare_vehicle(matrix *m)
{
    static work w;
    static double exact[MOST];
    static const struct {
        const char *name;
        solve_fn *solve;
    } solvers[] = {{"gauss", by_gauss},
                   {"klu", by_klu},
                   {"recorded", by_record},
                   {"composite, no fill-in", by_composite},
                   {"composite, dense", by_dense_composite}};
    make_vehicle(m);
    without_zeros = vehicle;
    composite_densify(&without_zeros);
    prepare(&w, m);
    const composite_counts c = composite_count(&vehicle), d = composite_count(&without_zeros);
    const int n = m->n;
    printf(
        "vehicle in joint coordinates: %d coordinates, %d constraints, %d freedoms; L %d, T "
        "%d entries (published 27, 16, 11; 165, 174)\n"
        "    products: gauss %d, composite %d + %d + %d + %d + %d (published 25585; 975 with "
        "the chassis in full: 660 + 315, 165, 804, 1135, 680), dense %d + %d + %d + %d + %d "
        "(3276, 351, 5616, 3672, 2280)\n",
        vehicle.n, vehicle.m, vehicle.n - vehicle.m, c.L, c.T, (n - 1) * n * (2 * n - 1) / 6,
        c.factor, c.forward, c.loops, c.products, c.dense, d.factor, d.forward, d.loops,
        d.products, d.dense);
    memcpy(w.x, w.b, sizeof w.x);
    by_gauss(&w);
    memcpy(exact, w.x, sizeof exact);
    const double gauss = time_of(&w, by_gauss);
    for (int k = 0; k < 5; k++) {
        const double took = time_of(&w, solvers[k].solve);
        printf("    %-22s %9.2f us   gauss / this %6.2f   off %.0e\n", solvers[k].name, took,
               gauss / took, largest_difference(&w, solvers[k].solve, exact));
    }
    finish(&w);
}

int main(int argc, char **argv)
{
    static matrix m;
    seconds = argc > 1 ? atof(argv[1]) : seconds;
    for (int k = 0; k < 8; k++) {
        char name[80];
        const bool chain = k % 4 >= 2, bad = k % 2 == 1, spatial = k >= 4;
        (void)snprintf(name, sizeof name, "%s %s, %s numbering", spatial ? "spatial" : "planar",
                       chain ? "chain of 50" : "seven bodies", bad ? "bad" : "good");
        make(&m, chain, spatial ? 6 : 3, bad);
        compare(name, &m);
    }
    compare_vehicle(&m);
    return 0;
}
