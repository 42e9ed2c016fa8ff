/* test_weights.c - unknowns that hardly move are poor pivots, and are found from their own
 * equations: how the weights follow the motion, what they do to pivots and to the dynamic
 * selector. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "formulate/psf.h"
#include "formulate/reduction_dense.h"
#include "formulate/reduction_sparse.h"
#include "unit/formulate/reduction_bench.h"

static const variant lu = {CRANK_ALGEBRAIC_LU, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_MASS};

/* 30 times slower than the fastest of its level weighs less, down to 0.03; the largest speed so
 * far counts; velocities and positions are compared among themselves */
static void weights_follow_the_largest_motion_so_far(void **state)
{
    static const struct {
        double vx, vy, x_rate, y_rate; /* prepare is told */
        double weight[4];
    } steps[] = {
        {1.0, 0.1, 2.0, 2.0, {1.0, 1.0, 1.0, 1.0}},
        {10.0, 0.1, 2.0, -3.0, {1.0, 0.3, 1.0, 1.0}},
        {1.0, 0.1, 300.0, 0.0, {1.0, 0.3, 1.0, 0.3}}, /* the fastest are remembered */
        {1e4, 0.0, 0.0, 0.0, {1.0, 0.03, 1.0, 0.3}},  /* no less than 0.03 */
        {-1e4, 1e3, 0.0, 1e4, {1.0, 1.0, 0.9, 1.0}},
    };
    double x[5], xdot[5] = {0.0};
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = crank_options_default();
    options.linear_algebra = CRANK_LINALG_DENSE;
    for (int published = 0; published < 2; published++) {
        crank_problem *problem = NULL;
        crank_error err = {0};
        options.selector_source =
            published == 1 ? CRANK_SELECTOR_NEWTON_MATRIX : CRANK_SELECTOR_MASS;
        test_pendulum_start(&data, 0.7, 0.0, x);
        CHECK_OK(crank_formulate("psf", eom, &options, 0.0, x, (crank_log){0}, &problem, &err),
                 err);
        const double *weight = ((const crank_psf *)problem)->weight;
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            x[1] = steps[i].vx;
            x[2] = steps[i].vy;
            xdot[3] = steps[i].x_rate;
            xdot[4] = steps[i].y_rate;
            CHECK_OK(problem->prepare(problem, 0.0, x, xdot, &err), err);
            for (int j = 0; j < 4; j++) { /* the published choice does not weight */
                CHECK_NEAR(weight[1 + j], published == 1 ? 1.0 : steps[i].weight[j], 1e-15);
            }
        }
        crank_problem_destroy(problem);
    }
    crank_eom_destroy(eom);
}

/* one constraint over two velocities and two positions, with entries 1 and 0.8 */
static void make_pair(bench *b)
{
    static const crank_row_group rows[] = {CRANK_ROW_GI, CRANK_ROW_G};
    static const crank_group columns[] = {CRANK_V, CRANK_P};
    const system_shape shape = {.sizes = {.p = 2, .v = 2, .lambda = 1}, .density = 1.0};
    random_source r = {71};
    random_system_make(&r, &shape, &b->system);
    for (int level = 0; level < 2; level++) {
        double *row = b->system.J[b->system.eom->row[rows[level]]];
        row[b->system.eom->column[columns[level]]] = 1.0;
        row[b->system.eom->column[columns[level]] + 1] = 0.8;
    }
    random_system_store(&b->system);
}

/* is column j left to the differential rows? */
static bool is_free(const bench *b, bool sparse, int j)
{
    if (sparse) {
        return !((const crank_sparse_reduction *)b->reduction)->dependent[j];
    }
    const crank_dense *d = (const crank_dense *)b->reduction;
    for (int i = 0; i < d->free_count; i++) {
        if (d->free_column[i] == j) {
            return true;
        }
    }
    return false;
}

static void pivots_avoid_unknowns_that_hardly_move(void **state)
{
    static bench b;
    make_pair(&b);
    for (int i = 0; i < 4; i++) {
        const bool sparse = i % 2 == 1, weighted = i >= 2;
        const int v = b.system.eom->column[CRANK_V], p = b.system.eom->column[CRANK_P];
        crank_error err = {0};
        const crank_reduction_setup s = setup(&b, CRANK_FORM_PSF, sparse ? NULL : &lu);
        CHECK_OK(sparse ? crank_reduction_sparse_create(&s, &b.reduction, &err)
                        : crank_reduction_dense_create(&s, &b.reduction, &err),
                 err);
        b.weight[v] = b.weight[p] = weighted ? 0.5 : 1.0;
        CHECK_OK(decompose(&b, true, &err), err);
        assert_true(is_free(&b, sparse, v) == weighted);
        assert_true(is_free(&b, sparse, p) == weighted);
        assert_true(is_free(&b, sparse, v + 1) != weighted);
        assert_true(is_free(&b, sparse, p + 1) != weighted);
        /* the monitor and the rank see the matrix itself */
        CHECK_NEAR(b.reduction->state.smallest[CRANK_WINDOW_POSITION], 1.0, 0.0);
        end(&b);
    }
    random_system_free(&b.system);
}

/* Three velocities, v3 = -(2 v1 + v2/2), v1 hardly moves. Unweighted, the row of v3 would be
 * taken for v1, in which it has the largest entry. */
static void slow_unknown_is_found_from_its_own_equation(void **state)
{
    static bench b;
    const system_shape shape = {
        .sizes = {.p = 3, .v = 3, .lambda = 1}, .unit_mass = true, .density = 1.0};
    random_source r = {72};
    crank_error err = {0};
    const double sigma = 50.0, none = 0.0;
    random_system_make(&r, &shape, &b.system);
    const int v = b.system.eom->column[CRANK_V];
    double *row = b.system.J[b.system.eom->row[CRANK_ROW_GI]];
    row[v] = 2.0;
    row[v + 1] = 0.5;
    row[v + 2] = 1.0;
    random_system_store(&b.system);
    const crank_reduction_setup s = setup(&b, CRANK_FORM_PSF, &lu);
    CHECK_OK(crank_reduction_dense_create(&s, &b.reduction, &err), err);
    b.weight[v] = 0.1;
    CHECK_OK(decompose(&b, true, &err), err);
    assert_true(is_free(&b, false, v) && is_free(&b, false, v + 1));
    CHECK_OK(b.reduction->factor(b.reduction, 1, &sigma, &none, &err), err);
    const int *selector = ((const crank_dense *)b.reduction)->selector;
    assert_int_equal(selector[0] + selector[1], 1); /* rows 0 and 1 */
    assert_int_not_equal(selector[0], selector[1]);
    end(&b);
    random_system_free(&b.system);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_follow_the_largest_motion_so_far),
        cmocka_unit_test(pivots_avoid_unknowns_that_hardly_move),
        cmocka_unit_test(slow_unknown_is_found_from_its_own_equation),
    };
    return CHECK_RUN(argc, argv, tests);
}
