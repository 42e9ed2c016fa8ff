/* eoms.h - small equations of motion, written in C, for the tests. Link eoms.c.
 *
 *     test_pendulum data = test_pendulum_default();
 *     data.m = 1e-4;
 *     crank_eom *eom = test_pendulum_create(&data);      (data must outlive eom)
 *     double x[5];
 *     test_pendulum_start(&data, 0.0, 2.8, x);
 *     ...
 *     crank_eom_destroy(eom);
 *
 * Create functions fail the running test if the eom cannot be made. Equations: specification
 * of the same examples in [Ste06, 5.3]; all hidden constraints and Jacobians are analytic
 * (the latter by dual numbers) unless supply says otherwise. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_EOMS_H
#define CRANK_TESTS_EOMS_H

#include <crank/eom.h>

/* A value with its derivatives by all unknowns. */
enum { TEST_WIDTH = 16 };
typedef struct test_dual {
    double v, d[TEST_WIDTH];
} test_dual;

typedef void test_rows_fn(const void *data, double t, const test_dual *x, test_dual *k);
typedef void test_mass_fn(const void *data, double t, const test_dual *x, test_dual *M);
typedef void test_initial_fn(const void *data, double t, const double *x, double *conditions);

/* What of the derivatives is handed over; first member of every model's data. */
typedef struct test_supply {
    crank_eom_levels levels;
    bool no_jacobian; /* leave it to differences */
    int initial;      /* extra conditions, computed by conditions */
    test_initial_fn *conditions;
    crank_status fail; /* if not CRANK_OK, evaluate returns it */
    crank_log log;     /* handed to crank_eom_create */
    /* set by create */
    int n, m, nv, dynamic;
    test_rows_fn *rows;
    test_mass_fn *mass;
} test_supply;

/* Point mass on a rod: x = [lambda | vx vy | x y], unknowns 5. With invariant, row e keeps
 * the energy at the value energy. */
typedef struct test_pendulum {
    test_supply supply;
    double m, L, g;
    bool invariant;
    double energy;
} test_pendulum;
test_pendulum test_pendulum_default(void); /* 1, 1, 13.75 */
crank_eom *test_pendulum_create(test_pendulum *data);
/* Angle from the lowest point, speed along the circle; consistent, with lambda. */
void test_pendulum_start(const test_pendulum *data, double angle, double speed, double *x);

/* Slider crank, M depends on p: x = [lambda.. | v1 v2 | p1 p2]. The loop equation g is
 * stated rows times as factor[i] * g + offset[i]: factors (1, 0, 0) and rows 3 are the
 * redundant variant of the literature, (1, 2) a duplicate, offsets make it contradictory. */
typedef struct test_slider_crank {
    test_supply supply;
    double m1, m2, l1, l2, g;
    int rows;
    double factor[4], offset[4];
} test_slider_crank;
test_slider_crank test_slider_crank_default(void); /* 1, 1.8, 1, 3, 9.81; one row */
crank_eom *test_slider_crank_create(test_slider_crank *data);
/* p = v = 0, lambda(1) = -17.658 for the default data; others 0. n = rows + 4. */
void test_slider_crank_start(const test_slider_crank *data, double *x);

/* Skate on a slope: x = [mu | vx vy omega | x y phi], blade h = -sin(phi) vx + cos(phi) vy.
 * Its centre runs on a cycloid for the start below: exact solution in test_skate_exact. */
typedef struct test_skate {
    test_supply supply;
    double m, J, g, slope; /* g sin(slope) along x */
    double omega;          /* turning rate of the exact solution */
} test_skate;
test_skate test_skate_default(void); /* 1, 0.2, 9.81, 0.3; omega 1.5 */
crank_eom *test_skate_create(test_skate *data);
void test_skate_exact(const test_skate *data, double t, double *x); /* n = 7, with mu */

/* The academic example: all groups, explicit time, exact solution on [0, 1.5]:
 * x = [w | l1 l2 | r1 r2 | v1 v2 v3 | s1 s2 | p1 p2 p3], n = 13. */
typedef struct test_academic {
    test_supply supply;
} test_academic;
test_academic test_academic_default(void);
crank_eom *test_academic_create(test_academic *data);
void test_academic_exact(double t, double *x);

/* Chain of count point masses on rods, hanging from the origin, sparse patterns and
 * Jacobian: x = [lambda (count + copies) | vx1 vy1 vx2 ... | x1 y1 x2 ...], n = 5 count +
 * copies. The first copies links are stated a second time (redundant). Not made with dual
 * numbers. */
typedef struct test_chain {
    int count, copies;
    double m, L, g;
    crank_log log;
    /* set by create, freed by test_chain_free */
    int *start, *row;
    double *k;
} test_chain;
crank_eom *test_chain_create(test_chain *data);
void test_chain_free(test_chain *data); /* after the eom */
/* Stretched horizontally at rest; lambda = 0 is not consistent. */
void test_chain_start(const test_chain *data, double *x);

#endif
