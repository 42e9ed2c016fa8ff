/* test_properties.c - what must not change the result: multiplication from the left by regular
 * matrices that depend on x, permutations, units of variables and equations; and what the
 * regularised form must fulfil. */
// SPDX-License-Identifier: BSD-3-Clause
#include "../symbolic/sample_ex.h"
#include "dae_case.h"

#include "linalg/dense.h"

typedef struct problem {
    int n;
    const char *E, *k;
    double start[5];
} problem;

static const problem problems[] = {
    {3, "1|0|0; 0|0|x1; 0|0|0", "x1*x2; x2-1; x3-1", {2, 1, 1}},
    {5,
     "1|0|0|0|0; 0|1|0|0|0; 0|0|1|0|0; 0|0|0|1|0; 0|0|0|0|0",
     "x3; x4; -2*x1*x5; -9.81 - 2*x2*x5; x1^2 + x2^2 - 1",
     {0.6, -0.8, 0.4, 0.3, 1}},
    {3, "1|0|0; 0|1|0; 0|0|0", "x2; x1; x1", {0, 0, 0}},
    {2, "x2|-x1; 0|0", "1 + x1*x2; x1^2 + x2^2 - 1", {0.6, 0.8}},
    {3,
     "1|0|0; 0|1|0; 0|0|0",
     "x2 + x3; sin(x1)*x3 - x2; x1^2 + x2 - 1 - exp(-t)/2",
     {0.5, 1.25, -0.3}},
    {3, "1|1|0; 0|0|0", "x3; x1*x2 - x3", {1, 2, 2}},
};
enum { PROBLEMS = sizeof problems / sizeof problems[0] };

static void begin(dae_case *c, int i)
{
    dae_begin(c, problems[i].n, problems[i].E, problems[i].k, problems[i].start);
}

/* Both analysed: the same numbers on every level; ends them. */
static void check_same(dae_case *a, dae_case *b)
{
    dae_run(a);
    dae_run(b);
    dae_check_complete(a);
    dae_check_complete(b);
    assert_int_equal(a->report->nu, b->report->nu);
    for (int i = 0; i <= a->report->nu; i++) {
        assert_int_equal(a->report->level[i].m1, b->report->level[i].m1);
        assert_int_equal(a->report->level[i].r.most, b->report->level[i].r.most);
        assert_int_equal(a->report->level[i].a.most, b->report->level[i].a.most);
    }
    assert_int_equal(a->report->has_differentiation_index,
                     b->report->has_differentiation_index);
    assert_int_equal(a->report->differentiation_index, b->report->differentiation_index);
    assert_int_equal(a->report->strangeness.found, b->report->strangeness.found);
    assert_int_equal(a->report->strangeness.index, b->report->strangeness.index);
    assert_int_equal(a->report->strangeness.a, b->report->strangeness.a);
    assert_int_equal(a->report->strangeness.d, b->report->strangeness.d);
    assert_int_equal(a->report->strangeness.v, b->report->strangeness.v);
    dae_end(a);
    dae_end(b);
}

/* row i := sum_l Z_il row l, Z = unit triangular factors with entries of x, hence regular
 * everywhere */
static void multiply(dae_case *c, bool upper)
{
    const int m = c->input.equations, n = c->input.variables;
    for (int q = 0; q < m; q++) {
        const int i = upper ? q : m - 1 - q;
        for (int l = upper ? i + 1 : 0; l < (upper ? m : i); l++) {
            const crank_ex wave = crank_ex_call(
                c->pool, CRANK_EX_SIN,
                crank_ex_add(c->pool, c->variable[l % n], crank_ex_number(c->pool, 1 + i)), 0,
                0);
            const crank_ex factor = crank_ex_mul(c->pool, crank_ex_number(c->pool, 0.5), wave);
            for (int j = 0; j < n; j++) {
                c->E[i * n + j] = crank_ex_add(c->pool, c->E[i * n + j],
                                               crank_ex_mul(c->pool, factor, c->E[l * n + j]));
            }
            c->k[i] = crank_ex_add(c->pool, c->k[i], crank_ex_mul(c->pool, factor, c->k[l]));
        }
    }
}

static void regular_factors_from_the_left_change_nothing(void **state)
{
    for (int i = 0; i < PROBLEMS; i++) {
        dae_case a, b;
        begin(&a, i);
        begin(&b, i);
        multiply(&b, true);
        multiply(&b, false);
        check_same(&a, &b);
    }
}

static void permuted_rows_and_variables_change_nothing(void **state)
{
    for (int i = 0; i < PROBLEMS; i++) {
        dae_case a, b;
        begin(&a, i);
        begin(&b, i);
        const int m = a.input.equations, n = a.input.variables;
        for (int r = 0; r < m;
             r++) { /* rows in reverse, columns shifted by one; both pools are built alike */
            b.k[r] = a.k[m - 1 - r];
            for (int j = 0; j < n; j++) {
                b.E[r * n + j] = a.E[(m - 1 - r) * n + (j + 1) % n];
            }
        }
        for (int j = 0; j < n; j++) {
            b.variable[j] = a.variable[(j + 1) % n];
            b.start[j] = a.start[(j + 1) % n];
        }
        check_same(&a, &b);
    }
}

/* every equation in other units */
static void scaled_rows_change_nothing(void **state)
{
    static const double factors[] = {1e-6, 1e5, 3.0, 1e-3, 1e6};
    for (int i = 0; i < PROBLEMS; i++) {
        dae_case a, b;
        begin(&a, i);
        begin(&b, i);
        for (int r = 0; r < b.input.equations; r++) {
            const crank_ex factor = crank_ex_number(b.pool, factors[r]);
            b.k[r] = crank_ex_mul(b.pool, factor, b.k[r]);
            for (int j = 0; j < b.input.variables; j++) {
                crank_ex *e = &b.E[r * b.input.variables + j];
                *e = crank_ex_mul(b.pool, factor, *e);
            }
        }
        check_same(&a, &b);
    }
}

/* [S_D E_D; S_C k_C,x] has independent rows, and as many as there is determined */
static void the_selected_rows_are_independent(void **state)
{
    for (int i = 0; i < PROBLEMS; i++) {
        dae_case c;
        dae_begin(&c, problems[i].n, problems[i].E, problems[i].k, problems[i].start);
        dae_run(&c);
        CHECK_OK(c.status, c.err);
        const crank_dae_reduced *r = &c.report->reduced;
        const int n = problems[i].n;
        const int rows = r->selected_constraint_count + r->selected_differential_count;
        assert_int_equal(r->selected_constraint_count, c.report->algebraic);
        assert_int_equal(r->selected_differential_count, c.report->differential);
        double A[5 * 5], sigma[5], U[25], VT[25], work[1000];
        crank_ex row[5];
        crank_ex symbols[6];
        memcpy(symbols, c.variable, (size_t)n * sizeof *symbols);
        symbols[n] = c.input.t;
        for (int q = 0; q < rows; q++) {
            if (q < r->selected_differential_count) {
                const int equation = r->differential[r->selected_differential[q]];
                memcpy(row, c.E + equation * n, (size_t)n * sizeof *row);
            } else {
                const int chosen = r->selected_constraint[q - r->selected_differential_count];
                crank_ex_gradient(c.pool, r->constraint[chosen], n, c.variable, row);
            }
            for (int j = 0; j < n; j++) {
                double values[6] = {0};
                memcpy(values, c.report->point, (size_t)n * sizeof *values);
                A[q + j * rows] = sample_evaluate(c.pool, row[j], n + 1, symbols, values);
            }
        }
        assert_true(crank_svd_work_size(rows, n) <= 1000);
        assert_true(crank_svd(rows, n, A, rows, sigma, U, VT, work, 1000));
        assert_true(sigma[rows - 1] > 1e-2);
        dae_end(&c);
    }
}

/* the derivative of each level along the solution is the next one: constraints vanish along the
 * exact solution */
static void all_levels_hold_along_a_known_solution(void **state)
{
    dae_case c;
    dae_complete(&c, 3, "1|0|0; 0|1|0; 0|0|0", "x2 + t*x3; x1*x3; x1 - cos(t)",
                 START(1, 0.3, 0.2));
    assert_int_equal(c.report->constraint_level, 1);
    /* x1 = cos t; level 1: x2 + t x3 + sin t = 0 */
    const crank_ex symbols[] = {c.variable[0], c.variable[1], c.variable[2], c.input.t};
    for (double t = -2.0; t <= 2.0; t += 0.25) {
        const double x3 = 0.7 * t, x2 = -t * x3 - sin(t);
        const double values[] = {cos(t), x2, x3, t};
        for (int i = 0; i < 2; i++) {
            const crank_ex ex = c.report->level[i].constraint[0].ex;
            CHECK_NEAR(sample_evaluate(c.pool, ex, 4, symbols, values), 0.0, 1e-14);
        }
    }
    dae_end(&c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_factors_from_the_left_change_nothing),
        cmocka_unit_test(permuted_rows_and_variables_change_nothing),
        cmocka_unit_test(scaled_rows_change_nothing),
        cmocka_unit_test(the_selected_rows_are_independent),
        cmocka_unit_test(all_levels_hold_along_a_known_solution),
    };
    return CHECK_RUN(argc, argv, tests);
}
