/* test_structure.c - ranks, redundancy and assumptions of small and large models. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"

#include "check.h"
#include "eoms.h"

#include <stdlib.h>

static const double rank_tolerance = 1e-8;
static const crank_log no_log = {0};

static void a_pendulum_has_one_freedom(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_structure_report r;
    crank_error err;
    double x[5];
    test_pendulum_start(&data, 0.4, 1.0, x);
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_int_equal(r.rank_g, 1);
    assert_int_equal(r.rank_h, 0);
    assert_int_equal(r.freedom_position, 1);
    assert_int_equal(r.freedom_velocity, 1);
    assert_true(r.mass_regular && r.auxiliary_regular && r.contact_regular &&
                r.bordered_regular);
    assert_false(r.contradictory);
    assert_int_equal(r.redundant_count, 0);
    assert_true(r.multiplier_unique[0]);
    CHECK_NEAR(r.condition_g, 1.0, 1e-12);
    crank_structure_report_free(&r);
    crank_eom_destroy(eom);
}

static void all_groups_are_counted(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    crank_structure_report r;
    crank_error err;
    double x[13];
    test_academic_exact(0.3, x);
    CHECK_OK(crank_eom_structure(eom, 0.3, x, rank_tolerance, &r, &err), err);
    assert_int_equal(r.rank_g, 2);
    assert_int_equal(r.freedom_position, 1);
    assert_int_equal(r.freedom_velocity, 1);
    assert_true(r.mass_regular && r.auxiliary_regular && r.contact_regular &&
                r.bordered_regular);
    crank_structure_report_free(&r);
    crank_eom_destroy(eom);
}

static void nonholonomic_constraints_cost_velocities_only(void **state)
{
    test_skate data = test_skate_default();
    crank_eom *eom = test_skate_create(&data);
    crank_structure_report r;
    crank_error err;
    double x[7];
    test_skate_exact(&data, 0.3, x);
    CHECK_OK(crank_eom_structure(eom, 0.3, x, rank_tolerance, &r, &err), err);
    assert_int_equal(r.rank_g, 0);
    assert_int_equal(r.rank_h, 1);
    assert_int_equal(r.freedom_position, 3);
    assert_int_equal(r.freedom_velocity, 2);
    assert_true(r.bordered_regular && r.multiplier_unique[0]);
    crank_structure_report_free(&r);
    crank_eom_destroy(eom);
}

static void the_later_of_two_dependent_rows_is_redundant(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.rows = 4;
    data.factor[1] = 0.0; /* vanishes */
    data.factor[2] = -2.0;
    data.factor[3] = 0.0;
    crank_eom *eom = test_slider_crank_create(&data);
    crank_structure_report r;
    crank_error err;
    double x[8];
    test_slider_crank_start(&data, x);
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_int_equal(r.rank_g, 1);
    assert_int_equal(r.freedom_position, 1);
    assert_int_equal(r.redundant_count, 3);
    const int redundant[] = {1, 2, 3}, depends_on[] = {-1, 0, -1};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(r.redundant[i], redundant[i]);
        assert_int_equal(r.depends_on[i], depends_on[i]);
    }
    for (int i = 0; i < 4; i++) {
        assert_false(r.multiplier_unique[i]);
    }
    assert_true(r.bordered_regular); /* the motion is determined all the same */
    assert_false(r.contradictory);
    crank_structure_report_free(&r);
    crank_eom_destroy(eom);
}

static void multipliers_of_independent_constraints_stay_unique(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.rows = 2;
    data.factor[1] = 0.0;
    crank_eom *eom = test_slider_crank_create(&data);
    crank_structure_report r;
    crank_error err;
    double x[6];
    test_slider_crank_start(&data, x);
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_true(r.multiplier_unique[0]);
    assert_false(r.multiplier_unique[1]);
    crank_structure_report_free(&r);
    crank_eom_destroy(eom);
}

static void contradictory_rows_are_seen(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.rows = 2;
    data.factor[1] = 1.0;
    data.offset[1] = 1e-3;
    crank_eom *eom = test_slider_crank_create(&data);
    crank_structure_report r;
    crank_error err;
    double x[6];
    test_slider_crank_start(&data, x);
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_true(r.contradictory);
    crank_structure_report_free(&r);
    crank_eom_destroy(eom);
}

/* l2 = l1: at p1 = p2 = -pi/2 both derivatives of the loop equation vanish. */
static void a_singular_position_is_degenerate_and_redundancy_is_not(void **state)
{
    const double right_angle = 0.5 * 3.14159265358979323846;
    test_slider_crank data = test_slider_crank_default();
    char text[200];
    bool degenerate;
    crank_error err;
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    const double x[5] = {0.0, 1.0, 1.0, -right_angle, -right_angle};
    CHECK_OK(crank_eom_degenerate(eom, 0.0, x, &degenerate, text, sizeof text, &err), err);
    assert_true(degenerate);
    CHECK_CONTAINS(text, "holonomic \"loop\"");
    crank_eom_destroy(eom);
    data.rows = 3;
    data.factor[1] = 0.0;
    data.factor[2] = 2.0;
    double y[7];
    eom = test_slider_crank_create(&data);
    test_slider_crank_start(&data, y);
    CHECK_OK(crank_eom_degenerate(eom, 0.0, y, &degenerate, text, sizeof text, &err), err);
    assert_false(degenerate);
    crank_eom_destroy(eom);
}

/* Four angles, four constraints of rank 3 on the manifold and 4 off it: g of the double
 * four-joint mechanism with L = 1, L4 = 2, unit masses. x = [lambda 4 | v 4 | p 4]. */
static crank_status four_joint(double t, const double *x, double *k, void *user)
{
    const double *l = x, *v = x + 4, *p = x + 8;
    const double G[4][4] = {{-sin(p[0]), sin(p[1]), 0.0, -sin(p[3])},
                            {cos(p[0]), -cos(p[1]), 0.0, cos(p[3])},
                            {-sin(p[0]), 0.0, sin(p[2]), -2.0 * sin(p[3])},
                            {cos(p[0]), 0.0, -cos(p[2]), 2.0 * cos(p[3])}};
    k[8] = cos(p[0]) + cos(p[3]) - cos(p[1]) - 1.0;
    k[9] = sin(p[0]) + sin(p[3]) - sin(p[1]);
    k[10] = cos(p[0]) + 2.0 * cos(p[3]) - cos(p[2]) - 2.0;
    k[11] = sin(p[0]) + 2.0 * sin(p[3]) - sin(p[2]);
    for (int i = 0; i < 4; i++) {
        k[4 + i] = 0.0;
        k[12 + i] = -cos(p[i]);
        for (int j = 0; j < 4; j++) {
            k[4 + i] += G[i][j] * v[j];
            k[12 + i] -= G[j][i] * l[j];
        }
        k[16 + i] = v[i];
    }
    return CRANK_OK;
}

static void rank_that_drops_on_the_manifold_only_is_redundancy(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 4, .v = 4, .lambda = 4};
    d.levels = CRANK_LEVELS_VELOCITY;
    d.evaluate = four_joint;
    crank_eom *eom;
    crank_structure_report r;
    crank_error err;
    bool degenerate;
    double x[12] = {0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.0, -1.0, -1.0, -1.0, 0.0};
    CHECK_OK(crank_eom_create(&d, no_log, &eom, &err), err);
    CHECK_OK(crank_eom_initialize(eom, 0.0, x, NULL, NULL, no_log, &err), err);
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_int_equal(r.rank_g, 3);
    assert_int_equal(r.freedom_position, 1);
    assert_int_equal(r.freedom_velocity, 1);
    assert_int_equal(r.redundant_count, 1);
    assert_int_equal(r.redundant[0], 3);
    for (int i = 0; i < 4; i++) { /* left null vector (-2 cot f, -2, cot f, 1) */
        assert_false(r.multiplier_unique[i]);
    }
    assert_true(r.bordered_regular);
    CHECK_OK(crank_eom_degenerate(eom, 0.0, x, &degenerate, NULL, 0, &err), err);
    assert_false(degenerate);
    crank_structure_report_free(&r);
    double singular[12] = {0.0}; /* f = 0: rank 2 */
    CHECK_OK(crank_eom_degenerate(eom, 0.0, singular, &degenerate, NULL, 0, &err), err);
    assert_true(degenerate);
    crank_eom_destroy(eom);
}

/* Two curves that touch at p = 0: p2 = 0 and p2 (1 + p1) + curvature p1^2/2 = 0. x = [lambda 2
 * | v 2 | p 2]. */
static crank_status touching(double t, const double *x, double *k, void *user)
{
    const double *l = x, *v = x + 2, *p = x + 4, curvature = *(const double *)user;
    const double G[2] = {p[1] + curvature * p[0], 1.0 + p[0]};
    k[2] = v[1];
    k[3] = G[0] * v[0] + G[1] * v[1];
    k[4] = p[1];
    k[5] = p[1] * (1.0 + p[0]) + 0.5 * curvature * p[0] * p[0];
    k[6] = -G[0] * l[1];
    k[7] = -l[0] - G[1] * l[1];
    k[8] = v[0];
    k[9] = v[1];
    return CRANK_OK;
}

/* at zero, with two positions, velocities and constraints each */
static bool is_degenerate(crank_eom_evaluate_fn *evaluate, double *user)
{
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 2};
    d.levels = CRANK_LEVELS_VELOCITY;
    d.evaluate = evaluate;
    d.user = user;
    const double x[6] = {0.0};
    bool degenerate;
    crank_eom *eom;
    crank_error err;
    CHECK_OK(crank_eom_create(&d, no_log, &eom, &err), err);
    CHECK_OK(crank_eom_degenerate(eom, 0.0, x, &degenerate, NULL, 0, &err), err);
    crank_eom_destroy(eom);
    return degenerate;
}

/* Rows become independent by curvature times the way, however little that is; where it is zero
 * the second repeats the first on the manifold. */
static void curves_that_touch_are_degenerate_however_little_they_bend(void **state)
{
    double curvature[3] = {1.0, 1e-4, 0.0};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(is_degenerate(touching, &curvature[i]), curvature[i] > 0.0);
    }
}

/* Two curves that touch to a higher order: p2 = 0 and p2 (1 + p1) + c p1^n/n = 0; user = {c, n}. */
static crank_status osculating(double t, const double *x, double *k, void *user)
{
    const double *l = x, *v = x + 2, *p = x + 4, *curve = user;
    const double G[2] = {p[1] + curve[0] * pow(p[0], curve[1] - 1.0), 1.0 + p[0]};
    k[2] = v[1];
    k[3] = G[0] * v[0] + G[1] * v[1];
    k[4] = p[1];
    k[5] = p[1] * (1.0 + p[0]) + curve[0] * pow(p[0], curve[1]) / curve[1];
    k[6] = -G[0] * l[1];
    k[7] = -l[0] - G[1] * l[1];
    k[8] = v[0];
    k[9] = v[1];
    return CRANK_OK;
}

/* Gradients are dependent in the point of contact alone, with derivatives that vanish: what
 * shows it is the second row, which is open where the first holds. */
static void curves_that_touch_to_any_order_are_degenerate_and_equal_ones_are_not(void **state)
{
    for (int order = 2; order <= 8; order++) {
        for (double c = 1.0; c >= 0.0; c -= 0.5) {
            double curve[2] = {c, order};
            crank_eom_definition d = crank_eom_definition_default();
            d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 2};
            d.levels = CRANK_LEVELS_VELOCITY;
            d.evaluate = osculating;
            d.user = curve;
            const double x[6] = {0.0};
            char text[200];
            bool degenerate;
            crank_eom *eom;
            crank_error err;
            CHECK_OK(crank_eom_create(&d, no_log, &eom, &err), err);
            CHECK_OK(crank_eom_degenerate(eom, 0.0, x, &degenerate, text, sizeof text, &err),
                     err);
            assert_int_equal(degenerate, c > 0.0);
            crank_eom_destroy(eom);
        }
    }
}

/* p1 = sin(rate t) and p1 p2 = 0: at t = 0 the second row vanishes wherever p2 is, and later it
 * asks for p2 = 0. x = [lambda 2 | v 2 | p 2]. */
static crank_status driven(double t, const double *x, double *k, void *user)
{
    const double *l = x, *v = x + 2, *p = x + 4, rate = *(const double *)user;
    k[2] = v[0] - rate * cos(rate * t);
    k[3] = p[1] * v[0] + p[0] * v[1];
    k[4] = p[0] - sin(rate * t);
    k[5] = p[0] * p[1];
    k[6] = -l[0] - p[1] * l[1];
    k[7] = -p[0] * l[1];
    k[8] = v[0];
    k[9] = v[1];
    return CRANK_OK;
}

static void a_drive_may_lead_out_of_a_singular_position_that_no_free_motion_leaves(void **state)
{
    double rate[4] = {1.0, 1e4, -1e-3, 0.0};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(is_degenerate(driven, &rate[i]), rate[i] != 0.0);
    }
}

/* x = [lambda | v1 v2 | p1 p2], M = diag(1, 0). */
static crank_status massless(double t, const double *x, double *k, void *user)
{
    const bool *held =
        user; /* the constraint holds the massless coordinate, or the other one */
    const int held_one = *held ? 1 : 0;
    k[0] = 0.0;
    k[1] = x[1 + held_one];
    k[2] = x[3 + held_one];
    k[3] = held_one == 0 ? -x[0] : 0.0;
    k[4] = held_one == 1 ? -x[0] : 0.0;
    k[5] = x[1];
    k[6] = x[2];
    return CRANK_OK;
}

static crank_status massless_mass(double t, const double *x, double *values, void *user)
{
    values[0] = 1.0;
    values[1] = 0.0;
    return CRANK_OK;
}

static void a_singular_mass_is_fine_if_the_constraints_make_up_for_it(void **state)
{
    bool held = true;
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 1};
    d.evaluate = massless;
    d.mass = massless_mass;
    d.mass_kind = CRANK_MASS_DIAGONAL_CONSTANT;
    d.user = &held;
    crank_eom *eom;
    crank_structure_report r;
    crank_error err;
    const double x[5] = {0.0};
    CHECK_OK(crank_eom_create(&d, no_log, &eom, &err), err);
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_false(r.mass_regular);
    assert_true(r.bordered_regular);
    crank_structure_report_free(&r);
    held = false;
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_false(r.mass_regular);
    assert_false(r.bordered_regular);
    crank_structure_report_free(&r);
    crank_eom_destroy(eom);
}

/* Pendulum with carried accelerations, masses m[0] and m[1] of the two directions:
 * x = [w 2 | lambda | v 2 | p 2], d: m_i w_i + 2 p_i lambda + (0, 1) = 0, v' = w. */
static crank_status carried(double t, const double *x, double *k, void *user)
{
    const double *m = user, *w = x, *v = x + 3, *p = x + 5;
    (void)t;
    k[0] = m[0] * w[0] + 2.0 * p[0] * x[2];
    k[1] = m[1] * w[1] + 2.0 * p[1] * x[2] + 1.0;
    k[2] = 2.0 * (v[0] * v[0] + v[1] * v[1] + p[0] * w[0] + p[1] * w[1]);
    k[3] = 2.0 * (p[0] * v[0] + p[1] * v[1]);
    k[4] = p[0] * p[0] + p[1] * p[1] - 1.0;
    memcpy(k + 5, w, 2 * sizeof *w);
    memcpy(k + 7, v, 2 * sizeof *v);
    return CRANK_OK;
}

static void carried_accelerations_bring_their_mass_matrix(void **state)
{
    static const char *const names[] = {"acceleration.vx", "acceleration.vy"};
    double m[2] = {1.0, 1.0};
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .w = 2, .lambda = 1};
    d.names[CRANK_W] = names;
    d.evaluate = carried;
    d.user = m;
    crank_eom *eom;
    crank_structure_report r;
    crank_error err;
    double x[7] = {0.0, 0.0, 0.0, 0.4, 0.3, 0.6, -0.8};
    CHECK_OK(crank_eom_create(&d, no_log, &eom, &err), err);
    eom->carried[0] = eom->carried[1] = true;
    CHECK_OK(crank_eom_initialize(eom, 0.0, x, NULL, NULL, no_log, &err), err);
    CHECK_NEAR(x[2], 0.5 * (0.25 + 0.8), 1e-14); /* 2 lambda = v^2 - p_y */
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_true(r.mass_regular && r.auxiliary_regular && r.bordered_regular);
    assert_int_equal(r.freedom_velocity, 1);
    crank_structure_report_free(&r);
    m[1] = 0.0; /* massless in y: the rod still tells where it goes */
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_false(r.mass_regular);
    assert_true(r.auxiliary_regular && r.bordered_regular);
    crank_structure_report_free(&r);
    m[0] = 0.0;
    CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
    assert_false(r.bordered_regular);
    crank_structure_report_free(&r);
    crank_eom_destroy(eom);
}

static void a_rank_tolerance_out_of_range_is_refused(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_structure_report r;
    crank_error err;
    const double x[5] = {0.0};
    CHECK_STATUS(crank_eom_structure(eom, 0.0, x, 0.0, &r, &err), CRANK_EARG);
    data.supply.fail = CRANK_RETRY;
    CHECK_STATUS(crank_eom_structure(eom, 0.0, x, 1e-8, &r, &err), CRANK_ENOTFINITE);
    crank_eom_destroy(eom);
}

/* The chain as its own supplier, with the constraint of link 0 stated once more as the last
 * row. */
static void a_long_chain_is_examined_by_sparse_elimination(void **state)
{
    const int sizes[] = {100, 400, 3000};
    for (int l = 0; l < 3; l++) {
        test_chain data = {.count = sizes[l], .m = 1.0, .L = 1.0, .g = 9.81, .copies = 2};
        crank_eom *eom = test_chain_create(&data);
        const int n = crank_eom_unknowns(eom), N = data.count;
        double *x = calloc((size_t)n, sizeof *x);
        crank_structure_report r;
        crank_error err;
        test_chain_start(&data, x);
        CHECK_OK(crank_eom_initialize(eom, 0.0, x, NULL, NULL, no_log, &err), err);
        CHECK_OK(crank_eom_structure(eom, 0.0, x, rank_tolerance, &r, &err), err);
        assert_int_equal(r.rank_g, N);
        assert_int_equal(r.freedom_position, N);
        assert_int_equal(r.freedom_velocity, N);
        assert_true(r.mass_regular && r.bordered_regular);
        assert_false(r.contradictory);
        assert_int_equal(r.redundant_count, 2);
        for (int i = 0; i < 2; i++) { /* links 0 and 1 are stated twice */
            assert_int_equal(r.redundant[i], N + i);
            assert_int_equal(r.depends_on[i], i);
        }
        for (int i = 0; i < N + 2; i++) {
            assert_int_equal(r.multiplier_unique[i], i >= 2 && i < N);
        }
        crank_structure_report_free(&r);
        free(x);
        crank_eom_destroy(eom);
        test_chain_free(&data);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_has_one_freedom),
        cmocka_unit_test(all_groups_are_counted),
        cmocka_unit_test(nonholonomic_constraints_cost_velocities_only),
        cmocka_unit_test(the_later_of_two_dependent_rows_is_redundant),
        cmocka_unit_test(multipliers_of_independent_constraints_stay_unique),
        cmocka_unit_test(contradictory_rows_are_seen),
        cmocka_unit_test(a_singular_position_is_degenerate_and_redundancy_is_not),
        cmocka_unit_test(rank_that_drops_on_the_manifold_only_is_redundancy),
        cmocka_unit_test(curves_that_touch_are_degenerate_however_little_they_bend),
        cmocka_unit_test(curves_that_touch_to_any_order_are_degenerate_and_equal_ones_are_not),
        cmocka_unit_test(
            a_drive_may_lead_out_of_a_singular_position_that_no_free_motion_leaves),
        cmocka_unit_test(a_singular_mass_is_fine_if_the_constraints_make_up_for_it),
        cmocka_unit_test(carried_accelerations_bring_their_mass_matrix),
        cmocka_unit_test(a_rank_tolerance_out_of_range_is_refused),
        cmocka_unit_test(a_long_chain_is_examined_by_sparse_elimination),
    };
    return CHECK_RUN(argc, argv, tests);
}
