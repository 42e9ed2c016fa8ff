/* test_initial.c - consistent initial values: smallest changes, fixings, conditions,
 * refusals. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"

#include "initial_check.h"

#include <stdlib.h>

static void consistent_data_stays_bit_for_bit(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    double x[13], kept[13];
    crank_initial_report report;
    crank_error err;
    test_academic_exact(0.3, x);
    memcpy(kept, x, sizeof x);
    CHECK_OK(initialize(eom, 0.3, x, NULL, &report, &err), err);
    assert_true(report.consistent);
    assert_int_equal(report.iterations, 0);
    assert_int_equal(report.largest_column, -1);
    assert_memory_equal(x, kept, sizeof x);
    crank_eom_destroy(eom);
}

static void corrected_data_is_left_alone_the_second_time(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5] = {0.0, 2.0, 0.3, 0.1, -0.9}, kept[5];
    crank_initial_report report;
    crank_error err;
    CHECK_OK(initialize(eom, 0.0, x, NULL, &report, &err), err);
    assert_false(report.consistent);
    assert_true(report.residual[0] > 1e-3 && report.corrected[0] < 1e-15);
    check_all_levels(eom, 0.0, x, 1e-15); /* polished to rounding */
    memcpy(kept, x, sizeof x);
    CHECK_OK(initialize(eom, 0.0, x, NULL, &report, &err), err);
    assert_true(report.consistent);
    assert_memory_equal(x, kept, sizeof x);
    crank_eom_destroy(eom);
}

static void only_multipliers_move_when_positions_and_velocities_hold(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5] = {0.0};
    crank_initial_report report;
    crank_error err;
    CHECK_OK(initialize(eom, 0.0, x, NULL, &report, &err), err);
    CHECK_NEAR(x[0], -17.658, 1e-13 * 17.658);
    for (int j = 1; j < 5; j++) {
        assert_true(x[j] == 0.0);
    }
    assert_int_equal(report.largest_column, 0);
    crank_eom_destroy(eom);
}

/* Equal weights: the nearest point of the circle lies on the ray through the start (to
 * second order in the distance, since weights 1 + |x_j| differ and steps are repeated). */
static void a_position_moves_by_about_the_shortest_way(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5] = {0.0, 0.0, 0.0, 0.71, -0.71};
    crank_error err;
    CHECK_OK(initialize(eom, 0.0, x, NULL, NULL, &err), err);
    CHECK_NEAR(x[3], sqrt(0.5), 1e-14);
    CHECK_NEAR(x[4], -sqrt(0.5), 1e-14);
    crank_eom_destroy(eom);
}

static void fixed_values_do_not_move(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5] = {0.0, 1.0, 0.0, 0.6, -0.7};
    crank_fixing fixing[5] = {CRANK_FREE, CRANK_FIXED, CRANK_PREFERRED, CRANK_FIXED,
                              CRANK_PREFERRED};
    crank_error err;
    CHECK_OK(initialize(eom, 0.0, x, fixing, NULL, &err), err);
    assert_true(x[1] == 1.0 && x[3] == 0.6);
    CHECK_NEAR(x[4], -0.8, 1e-15);
    CHECK_NEAR(x[2], 0.75, 1e-15);
    check_all_levels(eom, 0.0, x, 1e-15);
    crank_eom_destroy(eom);
}

static void inconsistent_fixed_values_are_named_with_the_remedy(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5] = {0.0, 1.0, 0.0, 0.6, -0.7}, kept[5];
    crank_fixing fixing[5] = {CRANK_FREE, CRANK_PREFERRED, CRANK_PREFERRED, CRANK_FIXED,
                              CRANK_FIXED};
    crank_error err;
    memcpy(kept, x, sizeof x);
    CHECK_STATUS(initialize(eom, 0.0, x, fixing, NULL, &err), CRANK_EINIT_CONTRADICTION);
    CHECK_CONTAINS(err.text, "fixed start values of");
    CHECK_CONTAINS(err.text, "x");
    CHECK_CONTAINS(err.text, "holonomic \"length\", position level");
    CHECK_CONTAINS(err.text, "preferred or free");
    assert_memory_equal(x, kept, sizeof x);
    fixing[3] = CRANK_PREFERRED; /* and on velocity level */
    fixing[1] = fixing[2] = CRANK_FIXED;
    x[1] = 1.0;
    x[2] = 1.0;
    CHECK_STATUS(initialize(eom, 0.0, x, fixing, NULL, &err), CRANK_EINIT_CONTRADICTION);
    CHECK_CONTAINS(err.text, "velocity level");
    CHECK_CONTAINS(err.text, "vy");
    crank_eom_destroy(eom);
}

static void a_free_value_moves_in_place_of_a_preferred_one(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5] = {0.0, 0.0, 0.0, 0.6, -0.7};
    crank_fixing fixing[5] = {CRANK_FREE, CRANK_PREFERRED, CRANK_PREFERRED, CRANK_PREFERRED,
                              CRANK_FREE};
    crank_error err;
    CHECK_OK(initialize(eom, 0.0, x, fixing, NULL, &err), err);
    CHECK_NEAR(x[3], 0.6, 1e-5); /* weights differ by 1000, changes by its square */
    CHECK_NEAR(x[4], -0.8, 1e-5);
    crank_eom_destroy(eom);
}

static void contradictory_constraints_are_named(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.rows = 2;
    data.factor[1] = 2.0;
    data.offset[1] = 0.3;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[6] = {0.0, 0.0, 0.0, 0.0, 0.1, 0.05};
    crank_error err;
    CHECK_STATUS(initialize(eom, 0.0, x, NULL, NULL, &err), CRANK_EINIT_CONTRADICTION);
    CHECK_CONTAINS(err.text, "holonomic \"loop\", position level");
    CHECK_CONTAINS(err.text, "holonomic \"loop2\", position level");
    CHECK_CONTAINS(err.text, "contradict each other");
    crank_eom_destroy(eom);
}

static void redundant_constraints_get_multipliers_of_smallest_change(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.rows = 3; /* a row of zeros and a duplicate */
    data.factor[1] = 0.0;
    data.factor[2] = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[7] = {0.0, 5.0, 0.0, 0.0, 0.0, 0.2, 0.1};
    crank_error err;
    CHECK_OK(initialize(eom, 0.0, x, NULL, NULL, &err), err);
    check_all_levels(eom, 0.0, x, 1e-14);
    assert_true(x[1] == 5.0);                   /* the zero row's multiplier has no say */
    CHECK_NEAR(x[0], x[2], 1e-10 * fabs(x[0])); /* the others share alike */
    crank_eom_destroy(eom);
}

static void nonholonomic_velocities_and_multipliers_are_corrected(void **state)
{
    test_skate data = test_skate_default();
    crank_eom *eom = test_skate_create(&data);
    double x[7], exact[7];
    crank_error err;
    test_skate_exact(&data, 0.4, exact);
    memcpy(x, exact, sizeof x);
    x[0] = 0.0;
    CHECK_OK(initialize(eom, 0.0, x, NULL, NULL, &err), err);
    CHECK_NEAR(x[0], exact[0], 1e-14 * (1.0 + fabs(exact[0])));
    x[1] += 0.2;
    CHECK_OK(initialize(eom, 0.0, x, NULL, NULL, &err), err);
    check_all_levels(eom, 0.0, x, 1e-15);
    crank_eom_destroy(eom);
}

static void contact_points_and_auxiliary_unknowns_follow(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    double x[13], exact[13];
    crank_error err;
    test_academic_exact(0.3, exact);
    memcpy(x, exact, sizeof x);
    x[0] = x[1] = x[2] = 0.0; /* w, lambda */
    x[8] += 0.05;             /* s */
    x[9] -= 0.02;
    CHECK_OK(initialize(eom, 0.3, x, NULL, NULL, &err), err);
    check_all_levels(eom, 0.3, x, 1e-14);
    for (int j = 10; j < 13; j++) {
        CHECK_NEAR(x[j], exact[j],
                   1e-6); /* s is free, p reluctant: weights 1000 apart, squared */
    }
    crank_eom_destroy(eom);
}

static void a_jump_to_another_branch_is_refused(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5] = {0.0, 0.0, 0.0, 0.01, -0.02}, kept[5];
    crank_error err;
    memcpy(kept, x, sizeof x);
    CHECK_STATUS(initialize(eom, 0.0, x, NULL, NULL, &err), CRANK_EINCONSISTENT);
    CHECK_CONTAINS(err.text, "would move from");
    CHECK_CONTAINS(err.text, "free");
    assert_memory_equal(x, kept, sizeof x);
    const crank_fixing fixing[5] = {CRANK_FREE, CRANK_FREE, CRANK_FREE, CRANK_FREE, CRANK_FREE};
    CHECK_OK(initialize(eom, 0.0, x, fixing, NULL, &err), err);
    check_all_levels(eom, 0.0, x, 1e-14);
    crank_eom_destroy(eom);
}

static void checking_only_changes_nothing(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5] = {0.0, 2.0, 0.3, 0.1, -0.9}, kept[5];
    crank_initial_options o = crank_initial_options_default();
    crank_initial_report report;
    crank_error err;
    o.check_only = true;
    memcpy(kept, x, sizeof x);
    CHECK_STATUS(crank_eom_initialize(eom, 0.0, x, &o, &report, no_log, &err),
                 CRANK_EINCONSISTENT);
    CHECK_CONTAINS(err.text, "holonomic \"length\"");
    assert_memory_equal(x, kept, sizeof x);
    assert_true(report.residual[1] > 1e-3);
    crank_eom_destroy(eom);
}

static void a_start_value_that_is_no_number_is_named(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5] = {0.0, 0.0, (double)NAN, 0.0, -1.0};
    crank_error err;
    CHECK_STATUS(initialize(eom, 0.0, x, NULL, NULL, &err), CRANK_ENOTFINITE);
    CHECK_CONTAINS(err.text, "vy");
    crank_eom_destroy(eom);
}

static void an_invariant_with_a_given_value_sets_the_speed(void **state)
{
    test_pendulum data = test_pendulum_default();
    data.invariant = true;
    data.energy = 10.0;
    crank_eom *eom = test_pendulum_create(&data);
    double x[5] = {0.0, 3.0, 0.0, 0.0, -1.0};
    crank_error err;
    CHECK_OK(initialize(eom, 0.0, x, NULL, NULL, &err), err);
    CHECK_NEAR(x[1], sqrt(2.0 * (10.0 + 13.75)), 1e-14 * 7.0);
    crank_eom_destroy(eom);
}

static void an_invariant_kept_at_its_start_value_is_left_out(void **state)
{
    test_pendulum data = test_pendulum_default();
    data.invariant = true;
    data.energy = 10.0;
    crank_eom *eom = test_pendulum_create(&data);
    eom->invariants_absolute = false; /* as model files do */
    double x[5];
    crank_initial_report report;
    crank_error err;
    test_pendulum_start(&data, 0.0, 3.0, x);
    CHECK_OK(initialize(eom, 0.0, x, NULL, &report, &err), err);
    assert_true(report.consistent);
    crank_eom_destroy(eom);
}

/* x = [v | s1 s2 | p]: two contact equations that say the same. */
static crank_status twice_the_same(double t, const double *x, double *k, void *user)
{
    k[0] = x[1] + x[2] - x[3];
    k[1] = 2.0 * k[0];
    k[2] = 0.0;
    k[3] = x[0];
    return CRANK_OK;
}

static void an_undetermined_contact_coordinate_is_named(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 1, .v = 1, .s = 2};
    d.evaluate = twice_the_same;
    crank_eom *eom;
    crank_error err;
    double x[4] = {0.0, 0.1, 0.2, 1.0};
    CHECK_OK(crank_eom_create(&d, no_log, &eom, &err), err);
    CHECK_STATUS(initialize(eom, 0.0, x, NULL, NULL, &err), CRANK_EINIT_UNDETERMINED);
    CHECK_CONTAINS(err.text, "contact equations do not determine s");
    crank_eom_destroy(eom);
}

static void hidden_levels_made_by_differences_are_good_enough(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.supply.levels = CRANK_LEVELS_POSITION;
    data.supply.no_jacobian = true;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5] = {0.0, 1.0, 0.0, 0.3, 0.2};
    crank_error err;
    CHECK_OK(initialize(eom, 0.0, x, NULL, NULL, &err), err);
    check_all_levels(eom, 0.0, x, 1e-9);
    crank_eom_destroy(eom);
}

/* ---- large and sparse ---- */

static void a_long_chain_is_corrected_by_sparse_steps(void **state)
{
    const int sizes[] = {60, 300, 4000}; /* 300, 1500, 20000 unknowns */
    for (int l = 0; l < 3; l++) {
        test_chain data = {.count = sizes[l], .m = 1.0, .L = 0.1, .g = 9.81};
        crank_eom *eom = test_chain_create(&data);
        const int N = data.count;
        double *x = calloc(5 * (size_t)N, sizeof *x);
        crank_initial_report report;
        crank_error err;
        test_chain_start(&data, x);
        CHECK_OK(initialize(eom, 0.0, x, NULL, &report, &err), err);
        for (int j = N; j < 5 * N; j++) {
            assert_true(x[j] == (j < 3 * N || j % 2 != (3 * N) % 2 ? 0.0 : x[j]));
        }
        check_all_levels(eom, 0.0, x, 1e-12);
        for (int i = 0; i < N; i++) { /* now with wrong positions and velocities */
            x[3 * N + 2 * i + 1] += 0.01 * sin(i);
            x[N + 2 * i] += 0.1 * cos(i);
        }
        CHECK_OK(initialize(eom, 0.0, x, NULL, &report, &err), err);
        assert_false(report.consistent);
        check_all_levels(eom, 0.0, x, 1e-12);
        free(x);
        crank_eom_destroy(eom);
        test_chain_free(&data);
    }
}

static void redundant_links_of_a_long_chain_share_their_force(void **state)
{
    test_chain data = {.count = 500, .copies = 3, .m = 1.0, .L = 0.1, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    const int n = crank_eom_unknowns(eom);
    double *x = calloc((size_t)n, sizeof *x);
    crank_error err;
    test_chain_start(&data, x);
    x[n - 1] = 0.01; /* the last mass is lifted: the rod must pull it back */
    CHECK_OK(initialize(eom, 0.0, x, NULL, NULL, &err), err);
    check_all_levels(eom, 0.0, x, 1e-12);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(x[i], x[500 + i], 1e-9 * (1.0 + fabs(x[i])));
    }
    free(x);
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

static void outside_the_domain_there_is_nothing_to_correct(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    crank_error err;
    test_pendulum_start(&data, 0.1, 0.0, x);
    data.supply.fail = CRANK_RETRY;
    CHECK_STATUS(initialize(eom, 0.0, x, NULL, NULL, &err), CRANK_ENOTFINITE);
    CHECK_CONTAINS(err.text, "domain");
    data.supply.fail = CRANK_EMODEL;
    CHECK_STATUS(initialize(eom, 0.0, x, NULL, NULL, &err), CRANK_ESTOP_EQUATIONS);
    crank_eom_destroy(eom);
}

static void options_out_of_range_are_refused(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_initial_options o = crank_initial_options_default();
    double x[5];
    crank_error err;
    test_pendulum_start(&data, 0.1, 0.0, x);
    o.tolerance = (double)NAN;
    CHECK_STATUS(crank_eom_initialize(eom, 0.0, x, &o, NULL, no_log, &err), CRANK_EARG);
    o = crank_initial_options_default();
    o.size = 1;
    CHECK_STATUS(crank_eom_initialize(eom, 0.0, x, &o, NULL, no_log, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "crank_initial_options_default");
    crank_eom_destroy(eom);
}

/* peom1 has no acceleration level: lambda stays as given, w still follows from d. */
static void multipliers_are_left_alone_on_request(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    crank_initial_options o = crank_initial_options_default();
    double x[13];
    crank_error err;
    o.multipliers = false;
    test_academic_exact(0.3, x);
    x[0] = x[1] = 0.0;
    CHECK_OK(crank_eom_initialize(eom, 0.3, x, &o, NULL, no_log, &err), err);
    CHECK_NEAR(x[0], -2.0 * cos(0.3), 1e-15);
    assert_true(x[1] == 0.0);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(consistent_data_stays_bit_for_bit),
        cmocka_unit_test(corrected_data_is_left_alone_the_second_time),
        cmocka_unit_test(only_multipliers_move_when_positions_and_velocities_hold),
        cmocka_unit_test(a_position_moves_by_about_the_shortest_way),
        cmocka_unit_test(fixed_values_do_not_move),
        cmocka_unit_test(inconsistent_fixed_values_are_named_with_the_remedy),
        cmocka_unit_test(a_free_value_moves_in_place_of_a_preferred_one),
        cmocka_unit_test(contradictory_constraints_are_named),
        cmocka_unit_test(redundant_constraints_get_multipliers_of_smallest_change),
        cmocka_unit_test(nonholonomic_velocities_and_multipliers_are_corrected),
        cmocka_unit_test(contact_points_and_auxiliary_unknowns_follow),
        cmocka_unit_test(a_jump_to_another_branch_is_refused),
        cmocka_unit_test(checking_only_changes_nothing),
        cmocka_unit_test(a_start_value_that_is_no_number_is_named),
        cmocka_unit_test(an_invariant_with_a_given_value_sets_the_speed),
        cmocka_unit_test(an_invariant_kept_at_its_start_value_is_left_out),
        cmocka_unit_test(an_undetermined_contact_coordinate_is_named),
        cmocka_unit_test(hidden_levels_made_by_differences_are_good_enough),
        cmocka_unit_test(a_long_chain_is_corrected_by_sparse_steps),
        cmocka_unit_test(redundant_links_of_a_long_chain_share_their_force),
        cmocka_unit_test(outside_the_domain_there_is_nothing_to_correct),
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(multipliers_are_left_alone_on_request),
    };
    return CHECK_RUN(argc, argv, tests);
}
