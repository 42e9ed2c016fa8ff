/* test_reduction_ranks.c - redundant constraints, ranks that are lost, levels that do not
 * fit, when selectors are chosen anew, scaling. Dense and sparse. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "formulate/reduction_dense.h"
#include "unit/formulate/reduction_bench.h"

static const variant lu = {CRANK_ALGEBRAIC_LU, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_MASS};
static const variant qr = {CRANK_ALGEBRAIC_QR, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_MASS};
static const variant svd = {CRANK_ALGEBRAIC_SVD, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_MASS};
static const variant svd_qr = {CRANK_ALGEBRAIC_SVD, CRANK_DIFFERENTIAL_QR, CRANK_SELECTOR_MASS};
static const variant svd_published = {CRANK_ALGEBRAIC_SVD, CRANK_DIFFERENTIAL_LU,
                                      CRANK_SELECTOR_NEWTON_MATRIX};

static const system_shape redundant[] = {
    {.sizes = {.p = 3, .v = 3, .lambda = 2}, .extra_lambda = 1, .density = 1.0},
    {.sizes = {.p = 6, .v = 6, .lambda = 4, .mu = 1},
     .extra_lambda = 2,
     .unit_mass = true,
     .density = 0.5},
    {.sizes = {.p = 5, .v = 5, .r = 1, .w = 1, .s = 1, .lambda = 1, .mu = 3},
     .extra_mu = 2,
     .density = 0.7},
    {.sizes = {.p = 6, .v = 5, .lambda = 3, .mu = 2, .e = 1, .n = 1},
     .extra_lambda = 1,
     .extra_mu = 1,
     .density = 0.8},
};
enum { REDUNDANT = sizeof redundant / sizeof *redundant };

/* what all columns of lambda and mu do to each row */
static void force(const random_system *s, const double *x, double *out)
{
    for (int i = 0; i < s->m; i++) {
        out[i] = 0.0;
        for (int j = s->eom->column[CRANK_LAMBDA]; j < s->eom->column[CRANK_R]; j++) {
            out[i] += s->J[i][j] * x[j];
        }
    }
}

static void check_redundant(bench *b, random_source *r)
{
    const random_system *s = &b->system;
    const double sigma = 30.0, none = 0.0;
    double x[SYSTEM_MAX], rhs[SYSTEM_MAX], delta[SYSTEM_MAX], wanted[SYSTEM_MAX],
        got[SYSTEM_MAX];
    crank_error err = {0};
    assert_true(b->reduction->state.redundant);
    CHECK_OK(b->reduction->factor(b->reduction, 1, &sigma, &none, &err), err);
    random_fill(r, s->n, x);
    random_system_apply(s, sigma, 0.0, x, NULL, rhs, NULL);
    b->reduction->solve(b->reduction, 0, rhs, NULL, delta, NULL);
    for (int j = 0; j < s->n; j++) {
        if (j < s->eom->column[CRANK_LAMBDA] || j >= s->eom->column[CRANK_R]) {
            CHECK_NEAR(delta[j], x[j], 1e-10);
        }
    }
    /* multipliers are not unique, the forces are */
    force(s, x, wanted);
    force(s, delta, got);
    for (int i = 0; i < s->m; i++) {
        CHECK_NEAR(got[i], wanted[i], 1e-9);
    }
    /* a consistent violation of the constraints is removed by one projection */
    double k[SYSTEM_MAX], residual[SYSTEM_MAX];
    random_system_apply(s, 0.0, 0.0, x, NULL, k, NULL);
    b->reduction->project(b->reduction, k, delta);
    random_system_apply(s, 0.0, 0.0, delta, NULL, residual, NULL);
    for (int i = 0; i < b->reduction->setup.algebraic_rows; i++) {
        CHECK_NEAR(residual[i], k[i], 1e-9);
    }
}

static void redundant_constraints_are_solved_by_svd(void **state)
{
    static bench b;
    const variant *const variants[] = {&svd, &svd_qr, &svd_published};
    random_source r = {41};
    for (int i = 0; i < 5 * REDUNDANT; i++) {
        random_system_make(&r, &redundant[i % REDUNDANT], &b.system);
        for (int v = 0; v < 3; v++) {
            begin(&b, CRANK_FORM_PSF, variants[v]);
            check_redundant(&b, &r);
            end(&b);
        }
        random_system_free(&b.system);
    }
}

static void redundant_constraints_are_solved_by_the_sparse_realisation(void **state)
{
    static bench b;
    random_source r = {42};
    for (int i = 0; i < 20 * REDUNDANT; i++) {
        random_system_make(&r, &redundant[i % REDUNDANT], &b.system);
        begin(&b, CRANK_FORM_PSF, NULL);
        CHECK_CONTAINS(b.log, "constraints are redundant");
        check_redundant(&b, &r);
        end(&b);
        random_system_free(&b.system);
    }
}

static void lu_and_qr_refuse_redundant_constraints_by_name(void **state)
{
    static bench b;
    random_source r = {43};
    for (int i = 0; i < 2 * REDUNDANT; i++) {
        crank_error err = {0};
        random_system_make(&r, &redundant[i % REDUNDANT], &b.system);
        CHECK_STATUS(try_begin(&b, CRANK_FORM_PSF, i < REDUNDANT ? &lu : &qr, &err),
                     CRANK_EREDUNDANT_ACCELERATION);
        CHECK_CONTAINS(err.text, "acceleration level");
        CHECK_CONTAINS(err.text, "algebraic=svd");
        end(&b);
        random_system_free(&b.system);
    }
}

static void peom1_refuses_redundant_constraints(void **state)
{
    static bench b;
    random_source r = {44};
    crank_error err = {0};
    random_system_make(&r, &redundant[0], &b.system);
    CHECK_STATUS(try_begin(&b, CRANK_FORM_PEOM1, &svd, &err), CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "peom1");
    end(&b);
    random_system_free(&b.system);
}

/* a duplicate on one level only: the statuses of the manuals' three codes */
static void dependent_row_of_one_level_is_reported_with_its_level(void **state)
{
    static const struct {
        crank_row_group group;
        crank_status status;
        const char *level;
    } cases[] = {
        {CRANK_ROW_GII, CRANK_EREDUNDANT_ACCELERATION, "acceleration"},
        {CRANK_ROW_GI, CRANK_EREDUNDANT_VELOCITY, "velocity"},
        {CRANK_ROW_G, CRANK_EREDUNDANT_POSITION, "position"},
    };
    static bench b;
    const system_shape shape = {.sizes = {.p = 4, .v = 4, .lambda = 2}, .density = 1.0};
    random_source r = {45};
    for (size_t i = 0; i < 3; i++) {
        crank_error err = {0};
        random_system_make(&r, &shape, &b.system);
        const int row = b.system.eom->row[cases[i].group];
        for (int j = 0; j < b.system.n; j++) {
            b.system.J[row + 1][j] = -0.5 * b.system.J[row][j];
        }
        random_system_store(&b.system);
        for (int v = 0; v < 2; v++) {
            CHECK_STATUS(try_begin(&b, CRANK_FORM_PSF, v == 0 ? &lu : &qr, &err),
                         cases[i].status);
            CHECK_CONTAINS(err.text, cases[i].level);
            end(&b);
        }
        CHECK_STATUS(try_begin(&b, CRANK_FORM_PSF, &svd, &err), CRANK_ERANK_MISMATCH);
        end(&b);
        random_system_free(&b.system);
    }
}

/* rows that differ by 1e-6: dependent or not is what rank_tolerance says */
static void rank_tolerance_decides_what_counts_as_dependent(void **state)
{
    static const crank_row_group levels[] = {CRANK_ROW_GII, CRANK_ROW_GI, CRANK_ROW_G};
    static bench b;
    const system_shape shape = {.sizes = {.p = 4, .v = 4, .lambda = 2}, .density = 1.0};
    random_source r = {52};
    random_system_make(&r, &shape, &b.system);
    for (int level = 0; level < 3; level++) {
        const int row = b.system.eom->row[levels[level]];
        for (int j = 0; j < b.system.n; j++) {
            b.system.J[row + 1][j] = b.system.J[row][j] + 1e-6 * b.system.J[row + 1][j];
        }
    }
    random_system_store(&b.system);
    for (int v = 0; v < 4; v++) {
        const variant *const variants[] = {&lu, &qr, &svd, NULL};
        for (int loose = 0; loose < 2; loose++) {
            crank_reduction_setup s = setup(&b, CRANK_FORM_PSF, variants[v]);
            crank_error err = {0};
            s.options.rank_tolerance = loose == 1 ? 1e-4 : 1e-8;
            CHECK_OK(v < 3 ? crank_reduction_dense_create(&s, &b.reduction, &err)
                           : crank_reduction_sparse_create(&s, &b.reduction, &err),
                     err);
            const crank_status status = decompose(&b, true, &err);
            if (loose == 1 && v < 2) {
                CHECK_STATUS(status, CRANK_EREDUNDANT_ACCELERATION);
            } else {
                CHECK_OK(status, err);
                assert_true(b.reduction->state.redundant == (loose == 1));
            }
            end(&b);
        }
    }
    random_system_free(&b.system);
}

/* ---- ranks that are lost on the way ---- */

/* rows gI and g of constraint 1 turn into those of constraint 0; factor 1: exactly */
static void approach(random_system *s, const random_system *from, double factor)
{
    static const crank_row_group levels[] = {CRANK_ROW_GI, CRANK_ROW_G};
    memcpy(s->J, from->J, sizeof s->J);
    for (int level = 0; level < 2; level++) {
        const int row = s->eom->row[levels[level]];
        for (int j = 0; j < s->n; j++) {
            s->J[row + 1][j] += factor * (from->J[row][j] - from->J[row + 1][j]);
        }
    }
    random_system_store(s);
}

static void lost_rank_is_singular_and_names_the_rows(void **state)
{
    static bench b;
    static random_system original;
    const system_shape shape = {.sizes = {.p = 4, .v = 4, .lambda = 3}, .density = 1.0};
    random_source r = {46};
    for (int v = 0; v < 2; v++) {
        crank_error err = {0};
        random_system_make(&r, &shape, &b.system);
        memcpy(&original, &b.system, sizeof original);
        begin(&b, CRANK_FORM_PSF, v == 0 ? &lu : NULL);
        const double before = b.reduction->state.smallest[CRANK_WINDOW_POSITION];
        approach(&b.system, &original, 1.0 - 1e-5);
        CHECK_OK(decompose(&b, false, &err), err);
        assert_true(b.reduction->state.smallest[CRANK_WINDOW_POSITION] < 1e-4 * before);
        char text[200];
        b.reduction->explain(b.reduction, CRANK_WINDOW_POSITION, text, sizeof text);
        CHECK_CONTAINS(text, "holonomic");
        CHECK_CONTAINS(text, "position level");
        approach(&b.system, &original, 1.0);
        CHECK_STATUS(decompose(&b, false, &err), CRANK_ESINGULAR);
        CHECK_CONTAINS(err.text, "became dependent");
        CHECK_CONTAINS(err.text, "velocity level");
        /* a shorter step ends elsewhere: the decomposition is usable again */
        approach(&b.system, &original, 0.0);
        CHECK_OK(decompose(&b, false, &err), err);
        CHECK_NEAR(b.reduction->state.smallest[CRANK_WINDOW_POSITION], before, 0.9 * before);
        end(&b);
        random_system_free(&b.system);
    }
}

static void orthogonal_decompositions_show_a_lost_rank_in_the_smallest_value(void **state)
{
    static bench b;
    static random_system original;
    const system_shape shape = {.sizes = {.p = 4, .v = 4, .lambda = 2}, .density = 1.0};
    random_source r = {47};
    for (int v = 0; v < 2; v++) {
        crank_error err = {0};
        char text[300];
        random_system_make(&r, &shape, &b.system);
        memcpy(&original, &b.system, sizeof original);
        begin(&b, CRANK_FORM_PSF, v == 0 ? &qr : &svd);
        approach(&b.system, &original, 1.0 - 1e-7);
        CHECK_OK(decompose(&b, false, &err), err);
        assert_true(b.reduction->state.smallest[CRANK_WINDOW_VELOCITY] < 1e-6);
        assert_true(b.reduction->state.smallest[CRANK_WINDOW_POSITION] < 1e-6);
        b.reduction->explain(b.reduction, CRANK_WINDOW_VELOCITY, text, sizeof text);
        CHECK_CONTAINS(text, "velocity level");
        CHECK_CONTAINS(text, " with "); /* both rows take part */
        end(&b);
        random_system_free(&b.system);
    }
}

/* ---- selectors ---- */

static int64_t updates_after(bench *b)
{
    const double sigma = 10.0, none = 0.0;
    crank_error err = {0};
    CHECK_OK(decompose(b, false, &err), err);
    CHECK_OK(b->reduction->factor(b->reduction, 1, &sigma, &none, &err), err);
    return b->statistics.selector_updates;
}

static void selectors_change_with_pivots_after_failures_or_on_request(void **state)
{
    static bench b;
    const system_shape shape = {.sizes = {.p = 3, .v = 3, .lambda = 1}, .density = 1.0};
    random_source r = {48};
    random_system_make(&r, &shape, &b.system);
    const int gI = b.system.eom->row[CRANK_ROW_GI], v = b.system.eom->column[CRANK_V];
    begin(&b, CRANK_FORM_PSF, &lu);
    assert_int_equal(updates_after(&b), 1);
    assert_int_equal(updates_after(&b), 1); /* nothing new */
    for (int i = 0; i < b.system.m; i++) {
        for (int j = 0; j < b.system.n; j++) {
            b.system.J[i][j] *= 1.0 + 1e-3 * random_real(&r);
        }
    }
    random_system_store(&b.system);
    assert_int_equal(updates_after(&b), 1); /* the same pivots */
    b.system.J[gI][v] = 0.01;               /* another column becomes the pivot */
    random_system_store(&b.system);
    assert_int_equal(updates_after(&b), 2);
    b.reduction->selectors_due(b.reduction);
    assert_int_equal(updates_after(&b), 3);
    end(&b);
    begin(&b, CRANK_FORM_PSF, &svd); /* directions turn: every time */
    assert_int_equal(updates_after(&b), 1);
    assert_int_equal(updates_after(&b), 2);
    end(&b);
    crank_reduction_setup every = setup(&b, CRANK_FORM_PSF, &lu);
    crank_error err = {0};
    every.options.selector_update = CRANK_SELECTOR_EVERY_STEP;
    b.statistics = (crank_statistics){0};
    CHECK_OK(crank_reduction_dense_create(&every, &b.reduction, &err), err);
    CHECK_OK(decompose(&b, true, &err), err);
    assert_int_equal(updates_after(&b), 1);
    assert_int_equal(updates_after(&b), 2);
    end(&b);
    random_system_free(&b.system);
}

static void sparse_analyses_only_when_pivots_change(void **state)
{
    static bench b;
    const system_shape shape = {.sizes = {.p = 6, .v = 6, .lambda = 2}, .density = 0.6};
    random_source r = {49};
    random_system_make(&r, &shape, &b.system);
    begin(&b, CRANK_FORM_PSF, NULL);
    const int gI = b.system.eom->row[CRANK_ROW_GI], v = b.system.eom->column[CRANK_V];
    const int64_t updates = updates_after(&b), analyses = b.statistics.analyses;
    assert_int_equal(updates_after(&b), updates);
    assert_int_equal(b.statistics.analyses, analyses);
    for (int j = 0; j < 6; j++) { /* the old pivot falls below 5 % of the best */
        b.system.J[gI][v + j] *= fabs(b.system.J[gI][v + j]) > 1.5 ? 1e-3 : 1.0;
    }
    random_system_store(&b.system);
    assert_int_equal(updates_after(&b), updates + 1);
    assert_true(b.statistics.analyses > analyses);
    b.reduction->selectors_due(b.reduction);
    assert_int_equal(updates_after(&b), updates + 2);
    end(&b);
    random_system_free(&b.system);
}

/* ---- scaling ---- */

/* masses over 16 orders of magnitude, constraints in other units: the solution does not
 * suffer */
static void masses_and_units_of_any_size_are_harmless(void **state)
{
    static bench b;
    const system_shape shape = {.sizes = {.p = 4, .v = 4, .lambda = 2}, .density = 1.0};
    const double sigma = 50.0, none = 0.0;
    random_source r = {50};
    for (int i = 0; i < 40; i++) {
        double x[SYSTEM_MAX], rhs[SYSTEM_MAX], delta[SYSTEM_MAX];
        crank_error err = {0};
        random_system_make(&r, &shape, &b.system);
        const crank_eom *eom = b.system.eom;
        for (int row = 0; row < b.system.m; row++) { /* whole rows: equations in other units */
            const double unit = pow(10.0, 8.0 * random_real(&r));
            const bool kinematic = row >= eom->row[CRANK_ROW_KIN];
            for (int j = 0; j < b.system.n && !kinematic; j++) {
                b.system.J[row][j] *= unit;
                b.system.E[row][j] *= unit;
            }
        }
        random_system_store(&b.system);
        begin(&b, CRANK_FORM_PSF, i % 3 == 0 ? &lu : i % 3 == 1 ? &svd : NULL);
        CHECK_OK(b.reduction->factor(b.reduction, 1, &sigma, &none, &err), err);
        random_fill(&r, b.system.n, x);
        random_system_apply(&b.system, sigma, 0.0, x, NULL, rhs, NULL);
        b.reduction->solve(b.reduction, 0, rhs, NULL, delta, NULL);
        for (int j = 0; j < b.system.n; j++) {
            CHECK_NEAR(delta[j], x[j], 1e-9);
        }
        end(&b);
        random_system_free(&b.system);
    }
}

/* invariants: whose gradients turn from step to step; the sparse border must follow */
static void two_invariants_keep_regular_pivots_while_gradients_turn(void **state)
{
    static bench b;
    const system_shape shape = {.sizes = {.p = 4, .v = 4, .lambda = 1, .e = 2}, .density = 1.0};
    random_source r = {51};
    for (int repeat = 0; repeat < 10; repeat++) {
        double rate[2][SYSTEM_MAX], phase[2][SYSTEM_MAX];
        random_system_make(&r, &shape, &b.system);
        const int e = b.system.eom->row[CRANK_ROW_E], v = b.system.eom->column[CRANK_V];
        random_fill(&r, 2 * SYSTEM_MAX, rate[0]);
        random_fill(&r, 2 * SYSTEM_MAX, phase[0]);
        begin(&b, CRANK_FORM_PSF, repeat % 2 == 0 ? NULL : &lu);
        for (int step = 0; step < 100; step++) {
            const double sigma = 10.0, none = 0.0;
            double x[SYSTEM_MAX], rhs[SYSTEM_MAX], delta[SYSTEM_MAX];
            crank_error err = {0};
            for (int i = 0; i < 2; i++) {
                for (int j = v; j < b.system.n; j++) {
                    b.system.J[e + i][j] = sin(0.1 * rate[i][j] * step + 6.0 * phase[i][j]);
                }
            }
            random_system_store(&b.system);
            CHECK_OK(decompose(&b, false, &err), err);
            CHECK_OK(b.reduction->factor(b.reduction, 1, &sigma, &none, &err), err);
            random_fill(&r, b.system.n, x);
            random_system_apply(&b.system, sigma, 0.0, x, NULL, rhs, NULL);
            b.reduction->solve(b.reduction, 0, rhs, NULL, delta, NULL);
            for (int j = 0; j < b.system.n; j++) {
                CHECK_NEAR(delta[j], x[j], 1e-8);
            }
            random_system_apply(&b.system, 0.0, 0.0, x, NULL, rhs, NULL);
            b.reduction->project(b.reduction, rhs, delta);
            random_system_apply(&b.system, 0.0, 0.0, delta, NULL, x, NULL);
            for (int i = 0; i < b.reduction->setup.algebraic_rows; i++) {
                CHECK_NEAR(x[i], rhs[i], 1e-8);
            }
        }
        assert_int_equal(b.statistics.invariants_dropped, 0);
        end(&b);
        random_system_free(&b.system);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redundant_constraints_are_solved_by_svd),
        cmocka_unit_test(redundant_constraints_are_solved_by_the_sparse_realisation),
        cmocka_unit_test(lu_and_qr_refuse_redundant_constraints_by_name),
        cmocka_unit_test(peom1_refuses_redundant_constraints),
        cmocka_unit_test(dependent_row_of_one_level_is_reported_with_its_level),
        cmocka_unit_test(rank_tolerance_decides_what_counts_as_dependent),
        cmocka_unit_test(lost_rank_is_singular_and_names_the_rows),
        cmocka_unit_test(orthogonal_decompositions_show_a_lost_rank_in_the_smallest_value),
        cmocka_unit_test(selectors_change_with_pivots_after_failures_or_on_request),
        cmocka_unit_test(sparse_analyses_only_when_pivots_change),
        cmocka_unit_test(masses_and_units_of_any_size_are_harmless),
        cmocka_unit_test(two_invariants_keep_regular_pivots_while_gradients_turn),
    };
    return CHECK_RUN(argc, argv, tests);
}
