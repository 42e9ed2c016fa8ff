/* test_saddle.c - accelerations and multipliers by the reduced system (linalg/saddle.h) against
 * dense LU: random mechanisms, planar and spatial, with loops; work linear along chains; what
 * it refuses. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/dense.h"
#include "saddle.h"
#include "unit/linalg/random.h"

#include <float.h>

enum { BODIES = 60, MOST = 11 * BODIES + 40, ENTRIES = 8000 };

typedef struct matrix {
    int n, count, bodies;
    int row[ENTRIES], column[ENTRIES];
    double values[ENTRIES];
    bool constant[ENTRIES];
    int body[MOST]; /* of unknowns */
} matrix;

static matrix m;

static void put(int i, int j, double value, bool constant)
{
    assert_true(m.count < ENTRIES);
    m.row[m.count] = i;
    m.column[m.count] = j;
    m.values[m.count] = value;
    m.constant[m.count++] = constant;
}

/* translations and a definite inertia */
static void add_body(random_source *r, int nb)
{
    const int first = m.n, turns = nb == 6 ? 3 : 1;
    const double mass = 1.0 + 0.5 * random_real(r);
    m.n += nb;
    for (int i = 0; i < nb; i++) {
        m.body[first + i] = m.bodies;
    }
    for (int i = 0; i < nb - turns; i++) {
        put(first + i, first + i, mass, true);
    }
    for (int i = nb - turns; i < nb; i++) {
        for (int j = nb - turns; j < nb; j++) {
            put(first + i, first + j, i == j ? 1.0 + 0.5 * random_real(r) : 0.1 * (i + j - 8),
                true);
        }
    }
    m.bodies++;
}

/* rows of a joint between bodies a and b (-1: ground), each of nb unknowns from nb a on */
static void add_joint(random_source *r, int a, int b, int nb, int rows)
{
    for (int k = 0; k < rows; k++, m.n++) {
        for (int end = 0; end < 2; end++) {
            const int body = end == 0 ? a : b;
            for (int c = 0; c < nb && body >= 0; c++) {
                const double value = random_real(r);
                put(m.n, nb * body + c, value, false);
                put(nb * body + c, m.n, value, false);
            }
        }
    }
}

static crank_saddle *create(bool given_order)
{
    crank_saddle *s = NULL;
    crank_error err = {0};
    const crank_saddle_setup setup = {m.n,      m.count,    m.row,  m.column,
                                      m.values, m.constant, m.body, given_order};
    CHECK_OK(crank_saddle_create(&setup, &s, &err), err);
    return s;
}

static double full[(long)MOST * MOST];

static void solve_dense(double *b)
{
    static int pivot[MOST];
    memset(full, 0, sizeof full);
    for (int e = 0; e < m.count; e++) {
        full[m.row[e] + (long)m.column[e] * m.n] = m.values[e];
    }
    assert_true(crank_lu_factor(m.n, full, m.n, pivot));
    crank_lu_solve(m.n, full, m.n, pivot, b);
}

/* Rows of G are random: their smallest singular value is some hundredth, and B has its
 * square. */
static void check_solution(random_source *r, crank_saddle *s)
{
    static double b[MOST], x[MOST];
    for (int i = 0; i < m.n; i++) {
        b[i] = x[i] = random_real(r);
    }
    assert_true(crank_saddle_factor(s, m.values));
    crank_saddle_solve(s, x);
    solve_dense(b);
    for (int i = 0; i < m.n; i++) {
        CHECK_NEAR(x[i], b[i], 1e-9 * (1.0 + fabs(b[i])));
    }
    for (int i = 0; i < m.n; i++) {
        const double pivot = crank_saddle_inverse_pivots(s)[i];
        assert_true(pivot >= 0.0 && pivot < 1e6);
    }
}

/* a tree with some loops; fewer rows than freedoms */
static void random_mechanisms_are_solved_as_by_dense_lu(void **state)
{
    random_source r = {1};
    for (int trial = 0; trial < 20; trial++) {
        const int nb = trial % 2 == 0 ? 3 : 6, bodies = 4 + trial;
        m = (matrix){0};
        for (int i = 0; i < bodies; i++) {
            add_body(&r, nb);
        }
        for (int i = 0; i < bodies; i++) {
            add_joint(&r, i, random_int(&r, i + 1) - 1, nb, nb == 3 ? 2 : 3 + (i % 3 == 0));
        }
        for (int k = 0; k < bodies / 3; k++) {
            add_joint(&r, k, bodies - 1 - k, nb, 1);
        }
        for (int given = 0; given < 2; given++) {
            crank_saddle *s = create(given == 1);
            const crank_saddle_counts counts = crank_saddle_get_counts(s);
            assert_int_equal(counts.bodies, bodies);
            for (int again = 0; again < 2; again++) {
                check_solution(&r, s);
                for (int e = 0; e < m.count; e++) { /* values come in pairs */
                    if (!m.constant[e]) {
                        m.values[e] = m.values[e + 1] = random_real(&r);
                        e++;
                    }
                }
            }
            crank_saddle_destroy(s);
        }
    }
}

static long chain_products(int bodies)
{
    random_source r = {7};
    m = (matrix){0};
    for (int i = 0; i < bodies; i++) {
        add_body(&r, 6);
    }
    for (int i = 0; i < bodies; i++) { /* a bad order */
        const int body = i % 2 == 0 ? i / 2 : bodies - 1 - i / 2;
        add_joint(&r, body, body - 1, 6, 3);
    }
    crank_saddle *s = create(false);
    check_solution(&r, s);
    const crank_saddle_counts counts = crank_saddle_get_counts(s);
    assert_int_equal(counts.envelope.bandwidth, 1);
    crank_saddle_destroy(s);
    return counts.products + counts.solve_products;
}

static void work_is_linear_along_chains(void **state)
{
    const long ten = chain_products(10), twenty = chain_products(20),
               forty = chain_products(40);
    assert_int_equal(forty - twenty, 2 * (twenty - ten));
}

static void refuse(const char *what)
{
    crank_saddle *s = NULL;
    const crank_saddle_setup setup = {m.n,      m.count,    m.row,  m.column,
                                      m.values, m.constant, m.body, false};
    print_message("%s\n", what);
    CHECK_STATUS(crank_saddle_create(&setup, &s, NULL), CRANK_RETRY);
    assert_null(s);
}

static void other_matrices_are_refused(void **state)
{
    random_source r = {3};
    m = (matrix){0};
    add_body(&r, 6);
    refuse("no multipliers");
    add_joint(&r, 0, -1, 6, 2);
    crank_saddle_destroy(create(false));
    put(6, 7, 0.5, false);
    refuse("multipliers that are coupled");
    m.count--;
    put(0, 0 + 5, 0.1, true);
    refuse("an entry without one across");
    m = (matrix){0};
    add_body(&r, 6);
    add_joint(&r, 0, -1, 6, 2);
    m.values[0] = 0.0;
    refuse("a body without mass");
}

/* The second row is the first one: nothing but rounding is left of its pivot. A matrix that is
 * not symmetric in the last bit is none of this kind. */
static void dependent_rows_and_asymmetry_are_told(void **state)
{
    random_source r = {5};
    m = (matrix){0};
    add_body(&r, 6);
    add_joint(&r, 0, -1, 6, 2);
    crank_saddle *s = create(false);
    assert_true(crank_saddle_factor(s, m.values));
    const int first = m.count - 24;
    for (int k = 0; k < 12; k++) {
        m.values[first + 12 + k] = m.values[first + k];
    }
    assert_false(crank_saddle_factor(s, m.values));
    m.values[first + 12] = m.values[first + 13] = 0.7;
    assert_true(crank_saddle_factor(s, m.values));
    m.values[first + 13] *= 1.0 + DBL_EPSILON;
    assert_false(crank_saddle_factor(s, m.values));
    crank_saddle_destroy(s);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_mechanisms_are_solved_as_by_dense_lu),
        cmocka_unit_test(work_is_linear_along_chains),
        cmocka_unit_test(other_matrices_are_refused),
        cmocka_unit_test(dependent_rows_and_asymmetry_are_told),
    };
    return CHECK_RUN(argc, argv, tests);
}
