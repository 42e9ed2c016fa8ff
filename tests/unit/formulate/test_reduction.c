/* test_reduction.c - the index-reducing decomposition on random systems of all groups,
 * theory (3.1)-(3.3), (3.5)-(3.11), (3.13): every variant, dense and sparse, returns the
 * solution if there is one; the algebraic rows and the selected differential ones hold for any
 * right-hand side; projections; redundant and lost ranks. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "formulate/reduction_dense.h"
#include "unit/formulate/reduction_bench.h"

static const double close_enough = 1e-10; /* random systems have condition numbers below 1e5 */

static const system_shape shapes[] = {
    {.sizes = {.p = 2, .v = 2, .lambda = 1}, .density = 1.0},
    {.sizes = {.p = 4, .v = 3, .r = 2, .w = 2, .s = 2, .lambda = 1, .mu = 1},
     .full_mass = true,
     .density = 1.0},
    {.sizes = {.p = 6, .v = 6, .lambda = 3, .mu = 1, .e = 1},
     .unit_mass = true,
     .density = 0.4},
    {.sizes = {.p = 5, .v = 4, .r = 1, .lambda = 2, .e = 1, .n = 1}, .density = 0.6},
    {.sizes = {.p = 4, .v = 4, .lambda = 1, .e = 2}, .density = 0.9},
    {.sizes = {.p = 3, .v = 3, .w = 3, .lambda = 1, .mu = 2},
     .unit_mass = true,
     .density = 0.5},
    {.sizes = {.p = 3, .v = 3, .r = 2}, .full_mass = true, .density = 0.7},
    {.sizes = {.r = 4}, .density = 0.7},
    {.sizes = {.r = 1, .w = 3}, .density = 0.7},
    {.sizes = {.p = 3, .v = 3, .lambda = 3},
     .density = 0.8}, /* forced motion: nothing is free */
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const variant variants[] = {
    {CRANK_ALGEBRAIC_LU, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_MASS},
    {CRANK_ALGEBRAIC_QR, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_MASS},
    {CRANK_ALGEBRAIC_SVD, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_MASS},
    {CRANK_ALGEBRAIC_LU, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_NEWTON_MATRIX},
    {CRANK_ALGEBRAIC_QR, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_NEWTON_MATRIX},
    {CRANK_ALGEBRAIC_SVD, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_NEWTON_MATRIX},
    {CRANK_ALGEBRAIC_LU, CRANK_DIFFERENTIAL_QR, CRANK_SELECTOR_MASS},
    {CRANK_ALGEBRAIC_QR, CRANK_DIFFERENTIAL_QR, CRANK_SELECTOR_MASS},
    {CRANK_ALGEBRAIC_SVD, CRANK_DIFFERENTIAL_QR, CRANK_SELECTOR_MASS},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static bool sparse_possible(const system_shape *shape)
{
    return !shape->full_mass;
}

static void check_equal(const random_system *s, const double *actual, const double *expected)
{
    double size = 0.0;
    for (int j = 0; j < s->n; j++) {
        size = fmax(size, fabs(expected[j]));
    }
    for (int j = 0; j < s->n; j++) {
        CHECK_NEAR(actual[j], expected[j], close_enough * size);
    }
}

/* (sigma E - J) delta with random delta is solved for delta, real and complex */
static void check_recovers(bench *b, random_source *r, double sigma)
{
    const random_system *s = &b->system;
    double re[SYSTEM_MAX], im[SYSTEM_MAX], r_re[SYSTEM_MAX], r_im[SYSTEM_MAX];
    double delta_re[SYSTEM_MAX], delta_im[SYSTEM_MAX];
    const double sigma_re[2] = {sigma, 0.7 * sigma}, sigma_im[2] = {0.0, 0.8 * sigma};
    crank_error err = {0};
    CHECK_OK(b->reduction->factor(b->reduction, 2, sigma_re, sigma_im, &err), err);
    random_fill(r, s->n, re);
    random_fill(r, s->n, im);
    random_system_apply(s, sigma_re[0], 0.0, re, NULL, r_re, NULL);
    b->reduction->solve(b->reduction, 0, r_re, NULL, delta_re, NULL);
    check_equal(s, delta_re, re);
    random_system_apply(s, sigma_re[1], sigma_im[1], re, im, r_re, r_im);
    b->reduction->solve(b->reduction, 1, r_re, r_im, delta_re, delta_im);
    check_equal(s, delta_re, re);
    check_equal(s, delta_im, im);
}

static void every_dense_variant_recovers_the_solution(void **state)
{
    static bench b;
    random_source r = {31};
    for (int i = 0; i < 5 * SHAPES; i++) {
        random_system_make(&r, &shapes[i % SHAPES], &b.system);
        for (int v = 0; v < VARIANTS; v++) {
            begin(&b, CRANK_FORM_PSF, &variants[v]);
            check_recovers(&b, &r, 10.0);
            check_recovers(&b, &r, 1e4);
            end(&b);
        }
        random_system_free(&b.system);
    }
}

static void every_peom1_variant_recovers_the_solution(void **state)
{
    static bench b;
    random_source r = {32};
    for (int i = 0; i < 5 * SHAPES; i++) {
        random_system_make(&r, &shapes[i % SHAPES], &b.system);
        for (int v = 0; v < VARIANTS; v++) {
            begin(&b, CRANK_FORM_PEOM1, &variants[v]);
            check_recovers(&b, &r, 10.0);
            end(&b);
        }
        random_system_free(&b.system);
    }
}

/* An invariant of velocities alone takes the place of a dynamic row, not of a kinematic one:
 * nothing else tells the positions. (Energy at the lowest point of a pendulum; a speed that
 * is kept.) */
static void peom1_with_invariants_stays_regular_for_short_steps(void **state)
{
    static bench b;
    random_source r = {39};
    const system_shape shape = {.sizes = {.p = 4, .v = 4, .lambda = 2, .e = 1}, .density = 1.0};
    const double sigma = 1e6, none = 0.0;
    double x[SYSTEM_MAX], rhs[SYSTEM_MAX], delta[SYSTEM_MAX];
    for (int i = 0; i < 20; i++) {
        crank_error err = {0};
        random_system_make(&r, &shape, &b.system);
        for (int row = b.system.eom->row[CRANK_ROW_GI]; row < b.system.eom->row[CRANK_ROW_C];
             row++) {
            for (int j = b.system.eom->column[CRANK_P]; j < b.system.n; j++) {
                b.system.J[row][j] = 0.0;
            }
        }
        random_system_store(&b.system);
        begin(&b, CRANK_FORM_PEOM1, &variants[0]);
        CHECK_OK(b.reduction->factor(b.reduction, 1, &sigma, &none, &err), err);
        random_fill(&r, b.system.n, x);
        random_system_apply(&b.system, sigma, 0.0, x, NULL, rhs, NULL);
        b.reduction->solve(b.reduction, 0, rhs, NULL, delta, NULL);
        for (int j = b.system.eom->column[CRANK_V]; j < b.system.n; j++) {
            CHECK_NEAR(delta[j], x[j], 1e-12);
        }
        end(&b);
        random_system_free(&b.system);
    }
}

static void sparse_recovers_the_solution(void **state)
{
    static bench b;
    random_source r = {33};
    for (int i = 0; i < 20 * SHAPES; i++) {
        const system_shape *shape = &shapes[i % SHAPES];
        if (!sparse_possible(shape)) {
            continue;
        }
        random_system_make(&r, shape, &b.system);
        begin(&b, CRANK_FORM_PSF, NULL);
        check_recovers(&b, &r, 10.0);
        check_recovers(&b, &r, 1e4);
        end(&b);
        random_system_free(&b.system);
    }
}

/* ---- right-hand sides that no delta satisfies in all rows ---- */

/* r - (sigma E - J) delta on the algebraic rows that take part */
static void check_algebraic_rows(const bench *b, const double *residual)
{
    const int e = b->system.eom->row[CRANK_ROW_E], c = b->system.eom->row[CRANK_ROW_C];
    const bool peom1 = b->reduction->setup.form == CRANK_FORM_PEOM1;
    for (int i = 0; i < b->reduction->setup.algebraic_rows; i++) {
        const bool left_out = peom1 && i >= b->system.eom->row[CRANK_ROW_GII] &&
                              i < b->system.eom->row[CRANK_ROW_GI];
        const bool invariant = i >= e && i < c;
        if (!left_out &&
            !(invariant && b->reduction->state.rank[CRANK_WINDOW_INVARIANT] < c - e)) {
            CHECK_NEAR(residual[i], 0.0, 1e-9);
        }
    }
}

static void check_selected_rows(const bench *b, const double *residual)
{
    const crank_dense *d = (const crank_dense *)b->reduction;
    for (int i = 0; i < d->free_count; i++) {
        double sum = 0.0;
        if (d->base.setup.options.differential == CRANK_DIFFERENTIAL_LU) {
            sum = residual[d->mC + d->selector[i]];
        }
        for (int k = 0;
             k < d->mD && d->base.setup.options.differential == CRANK_DIFFERENTIAL_QR; k++) {
            sum += d->S[i + (long)k * d->free_count] * residual[d->mC + k];
        }
        CHECK_NEAR(sum, 0.0, 1e-9);
    }
}

static void check_any_right_hand_side(bench *b, random_source *r, bool sparse)
{
    const random_system *s = &b->system;
    double rhs[SYSTEM_MAX], imaginary[SYSTEM_MAX], delta[SYSTEM_MAX], delta_im[SYSTEM_MAX];
    double residual[SYSTEM_MAX], residual_im[SYSTEM_MAX];
    const double sigma_re[2] = {20.0, 15.0}, sigma_im[2] = {0.0, 12.0};
    crank_error err = {0};
    CHECK_OK(b->reduction->factor(b->reduction, 2, sigma_re, sigma_im, &err), err);
    random_fill(r, s->m, rhs);
    random_fill(r, s->m, imaginary);
    for (int shift = 0; shift < 2; shift++) {
        const double *r_im = shift == 1 ? imaginary : NULL;
        b->reduction->solve(b->reduction, shift, rhs, r_im, delta,
                            shift == 1 ? delta_im : NULL);
        random_system_apply(s, sigma_re[shift], sigma_im[shift], delta,
                            shift == 1 ? delta_im : NULL, residual, residual_im);
        for (int i = 0; i < s->m; i++) {
            residual[i] -= rhs[i];
            residual_im[i] -= imaginary[i];
        }
        check_algebraic_rows(b, residual);
        if (!sparse) {
            check_selected_rows(b, residual);
        }
        if (shift == 1) {
            check_algebraic_rows(b, residual_im);
            if (!sparse) {
                check_selected_rows(b, residual_im);
            }
        }
    }
}

static void algebraic_and_selected_rows_hold_for_any_right_hand_side(void **state)
{
    static bench b;
    random_source r = {34};
    for (int i = 0; i < 5 * SHAPES; i++) {
        random_system_make(&r, &shapes[i % SHAPES], &b.system);
        for (int v = 0; v < VARIANTS; v++) {
            for (int form = 0; form < 2; form++) {
                begin(&b, form == 0 ? CRANK_FORM_PSF : CRANK_FORM_PEOM1, &variants[v]);
                check_any_right_hand_side(&b, &r, false);
                end(&b);
            }
        }
        if (sparse_possible(&shapes[i % SHAPES])) {
            begin(&b, CRANK_FORM_PSF, NULL);
            check_any_right_hand_side(&b, &r, true);
            end(&b);
        }
        random_system_free(&b.system);
    }
}

/* with QR the selected combinations are an orthonormal basis of the range of E1 */
static void selector_by_qr_spans_the_range_of_the_newton_matrix(void **state)
{
    static bench b;
    random_source r = {37};
    const double sigma = 12.0, none = 0.0;
    for (int i = 0; i < 3 * SHAPES; i++) {
        crank_error err = {0};
        random_system_make(&r, &shapes[i % SHAPES], &b.system);
        begin(&b, CRANK_FORM_PSF, &variants[6 + i % 3]);
        CHECK_OK(b.reduction->factor(b.reduction, 1, &sigma, &none, &err), err);
        const crank_dense *d = (const crank_dense *)b.reduction;
        const int rows = d->free_count, mD = d->mD;
        for (int j = 0; j < rows; j++) {
            double rest[SYSTEM_MAX];
            for (int k = 0; k < mD; k++) {
                rest[k] = sigma * d->VD[k + j * mD] + d->VB[k + j * mD];
            }
            for (int a = 0; a < rows; a++) { /* rest -= S^T S column */
                double share = 0.0;
                for (int k = 0; k < mD; k++) {
                    share +=
                        d->S[a + k * rows] * (sigma * d->VD[k + j * mD] + d->VB[k + j * mD]);
                }
                for (int k = 0; k < mD; k++) {
                    rest[k] -= d->S[a + k * rows] * share;
                }
            }
            for (int k = 0; k < mD; k++) {
                CHECK_NEAR(rest[k], 0.0, 1e-10);
            }
        }
        end(&b);
        random_system_free(&b.system);
    }
}

/* ---- projections ---- */

static void check_projection(bench *b, random_source *r, const bool *free_column)
{
    const random_system *s = &b->system;
    double k[SYSTEM_MAX] = {0.0}, delta[SYSTEM_MAX], residual[SYSTEM_MAX];
    random_fill(r, b->reduction->setup.algebraic_rows, k);
    b->reduction->project(b->reduction, k, delta);
    random_system_apply(s, 0.0, 0.0, delta, NULL, residual, NULL);
    for (int i = 0; i < b->reduction->setup.algebraic_rows; i++) {
        residual[i] -= k[i];
    }
    check_algebraic_rows(b, residual);
    for (int j = 0; j < s->n && free_column != NULL; j++) {
        if (free_column[j]) {
            CHECK_NEAR(delta[j], 0.0, 0.0);
        }
    }
}

static void projections_meet_all_constraints_and_leave_free_unknowns_alone(void **state)
{
    static bench b;
    random_source r = {35};
    for (int i = 0; i < 5 * SHAPES; i++) {
        random_system_make(&r, &shapes[i % SHAPES], &b.system);
        for (int v = 0; v < VARIANTS; v++) {
            begin(&b, v % 2 == 0 ? CRANK_FORM_PSF : CRANK_FORM_PEOM1, &variants[v]);
            const crank_dense *d = (const crank_dense *)b.reduction;
            bool free_column[SYSTEM_MAX] = {false};
            for (int j = 0; j < d->free_count; j++) {
                free_column[d->free_column[j]] = true;
            }
            check_projection(&b, &r, d->method == CRANK_BY_SVD ? NULL : free_column);
            end(&b);
        }
        if (sparse_possible(&shapes[i % SHAPES])) {
            begin(&b, CRANK_FORM_PSF, NULL);
            check_projection(&b, &r, NULL);
            end(&b);
        }
        random_system_free(&b.system);
    }
}

/* the rows of SVD are scaled: its projection is the smallest that meets the constraints of
 * one level */
static void projection_by_svd_is_the_smallest(void **state)
{
    static bench b;
    random_source r = {36};
    const system_shape shape = {.sizes = {.p = 3, .v = 3, .lambda = 1}, .density = 1.0};
    double k[SYSTEM_MAX] = {0.0}, delta[SYSTEM_MAX];
    random_system_make(&r, &shape, &b.system);
    begin(&b, CRANK_FORM_PSF, &variants[2]);
    const int g = b.system.eom->row[CRANK_ROW_G], p = b.system.eom->column[CRANK_P];
    k[g] = 1.0;
    b.reduction->project(b.reduction, k, delta);
    double square = 0.0;
    for (int j = 0; j < 3; j++) {
        square += b.system.J[g][p + j] * b.system.J[g][p + j];
    }
    for (int j = 0; j < 3; j++) { /* G^T (G G^T)^-1, with C = -J */
        CHECK_NEAR(delta[p + j], -b.system.J[g][p + j] / square, 1e-13);
    }
    end(&b);
    random_system_free(&b.system);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dense_variant_recovers_the_solution),
        cmocka_unit_test(every_peom1_variant_recovers_the_solution),
        cmocka_unit_test(peom1_with_invariants_stays_regular_for_short_steps),
        cmocka_unit_test(sparse_recovers_the_solution),
        cmocka_unit_test(algebraic_and_selected_rows_hold_for_any_right_hand_side),
        cmocka_unit_test(selector_by_qr_spans_the_range_of_the_newton_matrix),
        cmocka_unit_test(projections_meet_all_constraints_and_leave_free_unknowns_alone),
        cmocka_unit_test(projection_by_svd_is_the_smallest),
    };
    return CHECK_RUN(argc, argv, tests);
}
