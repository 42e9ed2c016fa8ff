/* test_assemble.c - loops put together from roughly placed bodies: on the branch where they
 * were placed, by small moves, or with the joint that cannot be closed and how far it stays
 * open. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"
#include "mechanisms.h"
#include "one_state.h"

static void check_consistent(crank_state *model, const double *x, double scale)
{
    double residual[3];
    crank_error err;
    CHECK_OK(crank_eom_residuals(crank_state_eom(model), 0.0, x, residual, &err), err);
    CHECK_NEAR(residual[0], 0.0, 1e-15 * fmax(1.0, scale)); /* rounding of positions */
    CHECK_NEAR(residual[1], 0.0, 1e-14);
    CHECK_NEAR(residual[2], 0.0, 1e-11);
}

/* The plane of the four points O, A, B, C oriented by its joints' axis: +1 as placed, -1 if the
 * coupler has been thrown to the other side of the line from A to C. */
static double side_of(crank_state *model, const double *x, const four_bar *b)
{
    const int p = crank_eom_column(crank_state_eom(model), CRANK_P);
    double axis[3], C[3], along[3], across[3];
    turned(b->turn, 0.0, 0.0, 1.0, axis);
    turned(b->turn, b->length[3] * b->scale, 0.0, 0.0, C);
    const double *crank = x + p, *coupler = x + p + 7; /* centres: A is twice the first */
    for (int i = 0; i < 3; i++) {
        along[i] = C[i] - 2.0 * crank[i];
        across[i] = coupler[i] - 2.0 * crank[i];
    }
    double normal[3];
    crank_cross3(normal, along, across);
    return crank_dot3(normal, axis) > 0.0 ? 1.0 : -1.0;
}

static void roughly_placed_loop_closes_as_it_was_placed(void **state)
{
    uint64_t seed = 7;
    for (int round = 0; round < 40; round++) {
        four_bar b = four_bar_default();
        b.scale = round % 3 == 0 ? 1.0 : round % 3 == 1 ? 1e-3 : 1e3;
        b.rough = 0.05 * (1 + round % 5);
        b.seed = 1000 + (uint64_t)round;
        random_turn(&seed, b.turn);
        crank_state *model = four_bar_read(&b);
        crank_eom *eom = crank_state_eom(model);
        crank_error err;
        double *x, distance, angle;
        CHECK_OK(mechanism_start(model, &x, &err), err);
        check_consistent(model, x, b.scale);
        CHECK_NEAR(side_of(model, x, &b), 1.0, 0.0);
        for (int i = 0; i < 3; i++) { /* moves are of the size of the displacements */
            crank_eom_body_move(eom, i, crank_state_start(model), x, &distance, &angle);
            assert_true(distance < 5.0 * b.rough * b.scale && angle < 5.0 * b.rough);
        }
        free(x);
        one_state_close(model);
    }
}

static void consistent_mechanism_stays_bit_for_bit(void **state)
{
    four_bar b = four_bar_default();
    b.rough = 0.1;
    crank_state *model = four_bar_read(&b);
    crank_eom *eom = crank_state_eom(model);
    const size_t n = (size_t)crank_eom_unknowns(eom);
    crank_initial_report report;
    crank_error err;
    double *x, *again = malloc(n * sizeof *again);
    assert_non_null(again);
    CHECK_OK(mechanism_start(model, &x, &err), err);
    memcpy(again, x, n * sizeof *x);
    CHECK_OK(crank_eom_initialize(eom, 0.0, again, NULL, &report, (crank_log){0}, &err), err);
    assert_true(report.consistent);
    assert_memory_equal(x, again, n * sizeof *x);
    free(x);
    free(again);
    one_state_close(model);
}

/* 1 + 1 + 1.2 do not reach 3.5. */
static void links_too_short_say_by_how_much(void **state)
{
    static const double scales[] = {1.0, 1e-3, 1e3};
    uint64_t seed = 3;
    for (int i = 0; i < 3; i++) {
        four_bar b = four_bar_default();
        char gap[40];
        b.scale = scales[i];
        b.length[1] = 1.0;
        b.length[2] = 1.2;
        b.rough = 0.05;
        random_turn(&seed, b.turn);
        crank_state *model = four_bar_read(&b);
        crank_error err;
        double *x;
        CHECK_STATUS(mechanism_start(model, &x, &err), CRANK_EINIT_CONTRADICTION);
        CHECK_CONTAINS(err.text, "cannot be closed: it stays open by ");
        (void)snprintf(gap, sizeof gap, "open by %.3g while", 0.3 * b.scale);
        CHECK_CONTAINS(err.text, gap);
        assert_true(err.line >= 8 && err.line <= 11); /* the joint's line */
        free(x);
        one_state_close(model);
    }
}

/* A door whose third hinge is set off by 1 cm. */
static void hinge_out_of_line_is_named_with_its_offset(void **state)
{
    crank_state *model = read_mechanism(
        "crank: mechanism\nbodies:\n"
        "  door: {mass: 20, shape: {box: [0.8, 0.04, 2]}, position: [0.4, 0, 1]}\n"
        "joints:\n"
        "  one: {type: revolute, between: [ground, door], at: [0, 0, 0.3], axis: [0, 0, 1]}\n"
        "  two: {type: revolute, between: [ground, door], at: [0, 0, 1], axis: [0, 0, 1]}\n"
        "  three: {type: revolute, between: [ground, door], at: {first: [0.01, 0, 1.7], "
        "second: "
        "[-0.4, 0, 0.7]}, axis: [0, 0, 1]}\n");
    crank_structure_report r;
    crank_error err;
    double *x;
    CHECK_STATUS(mechanism_start(model, &x, &err), CRANK_EINIT_CONTRADICTION);
    CHECK_CONTAINS(err.text, "joint \"three\" cannot be closed: it stays open by 0.01 while");
    assert_int_equal(err.line, 7);
    CHECK_OK(crank_eom_structure(crank_state_eom(model), 0.0, crank_state_start(model), 1e-8,
                                 &r, &err),
             err);
    assert_true(r.contradictory);
    crank_structure_report_free(&r);
    free(x);
    one_state_close(model);
}

/* One axis leans by 0.1: that angle remains. */
static void leaning_axis_is_an_angle(void **state)
{
    four_bar b = four_bar_default();
    b.tilt = 0.1;
    crank_state *model = four_bar_read(&b);
    crank_error err;
    double *x;
    CHECK_STATUS(mechanism_start(model, &x, &err), CRANK_EINIT_CONTRADICTION);
    CHECK_CONTAINS(err.text, "an angle of 0.1 rad");
    free(x);
    one_state_close(model);
}

/* Planar four-bar, crank fixed at 60 deg; the coupler starts this far (deg) to one side of the
 * line from A to C. */
static crank_state *folded_four_bar(double off)
{
    const double pi = acos(-1.0), a = 1.0, c = 3.0, r = 2.5, g = 3.5;
    const double ax = a * cos(pi / 3.0), ay = a * sin(pi / 3.0);
    const double coupler = atan2(-ay, g - ax) + off * pi / 180.0;
    const double bx = ax + c * cos(coupler), by = ay + c * sin(coupler);
    const double rocker = atan2(by, bx - g);
    char text[2000] = "crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n";
    add_text(text, sizeof text,
             "  crank: {mass: 1, inertia: 0.1, position: [%.17g, %.17g], angle: 60 deg, "
             "fixed: [position, angle]}\n",
             0.5 * ax, 0.5 * ay);
    add_text(text, sizeof text,
             "  coupler: {mass: 1, inertia: 1, position: [%.17g, %.17g], angle: %.17g}\n"
             "  rocker: {mass: 1, inertia: 1, position: [%.17g, %.17g], angle: %.17g}\n",
             ax + 0.5 * c * cos(coupler), ay + 0.5 * c * sin(coupler), coupler,
             g + 0.5 * r * cos(rocker), 0.5 * r * sin(rocker), rocker);
    add_text(text, sizeof text,
             "joints:\n"
             "  O: {type: revolute, between: [ground, crank], at: [0, 0]}\n"
             "  A: {type: revolute, between: [crank, coupler], at: {first: [0.5, 0], second: "
             "[-1.5, 0]}}\n"
             "  B: {type: revolute, between: [coupler, rocker], at: {first: [1.5, 0], second: "
             "[1.25, "
             "0]}}\n"
             "  C: {type: revolute, between: [rocker, ground], at: {first: [-1.25, 0], second: "
             "[3.5, "
             "0]}}\n");
    return read_mechanism(text);
}

/* From almost stretched to closed, 48 deg away: a full Newton step would throw it to either
 * side. */
static void loop_stays_on_the_side_where_it_was_placed(void **state)
{
    static const double offs[] = {40.0, 25.0, 10.0, 3.0, -3.0, -10.0, -40.0};
    for (size_t i = 0; i < sizeof offs / sizeof *offs; i++) {
        crank_state *model = folded_four_bar(offs[i]);
        crank_eom *eom = crank_state_eom(model);
        crank_error err;
        double *x;
        CHECK_OK(mechanism_start(model, &x, &err), err);
        check_consistent(model, x, 10.0);
        const double *p = x + crank_eom_column(eom, CRANK_P);
        /* from atan2(-ay, g - ax) = -16.102 deg by acos((d^2 + c^2 - r^2)/(2 c d)) = 48.149
         * deg */
        const double expected = (offs[i] > 0.0 ? 32.04651140431577 : -64.25073890828781);
        CHECK_NEAR(p[5] * 180.0 / acos(-1.0), expected, 1e-9);
        CHECK_NEAR(p[2], acos(-1.0) / 3.0, 0.0); /* fixed */
        free(x);
        one_state_close(model);
    }
}

static void far_start_is_refused_with_the_body(void **state)
{
    crank_state *model =
        read_mechanism("crank: mechanism\ndimension: 2\nbodies:\n"
                       "  rod: {mass: 1, inertia: 1, position: [1, 0], angle: 1.7}\n"
                       "joints:\n"
                       "  pin: {type: revolute, between: [ground, rod], at: {first: [0, 0], "
                       "second: [-1, 0]}}\n"
                       "  end: {type: point_on_line, between: [ground, rod], at: {first: [0, "
                       "0], second: [1, 0]}, "
                       "axis: [1, 0]}\n");
    crank_error err;
    double *x;
    CHECK_STATUS(mechanism_start(model, &x, &err), CRANK_EINCONSISTENT);
    CHECK_CONTAINS(err.text, "body \"rod\" would move by");
    CHECK_CONTAINS(err.text, "closer start");
    assert_int_equal(err.line, 4);
    free(x);
    one_state_close(model);
}

static void axes_the_wrong_way_round_are_refused(void **state)
{
    static const char text[] =
        "crank: mechanism\nbodies:\n"
        "  rod: {mass: 1, inertia: [1, 1, 1], orientation: {axis: [1, 0, 0], angle: 120 deg}}\n"
        "joints:\n"
        "  pin: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: {first: [0, 0, "
        "1], "
        "second: [0, 0, 1]}}\n";
    crank_state *model;
    crank_error err;
    CHECK_STATUS(one_state_read_text("test", text, strlen(text), NULL, &model, &err),
                 CRANK_EMODEL);
    CHECK_CONTAINS(err.text, "joint \"pin\"");
    CHECK_CONTAINS(err.text, "120 deg apart");
    assert_int_equal(err.line, 5);
}

/* A four-bar of links 1, 3, 2 on a line of this length: no derivative tells how to close it. */
static crank_state *straight_four_bar(double scale, double ground, bool placed)
{
    char text[2000] = "crank: mechanism\ndimension: 2\nbodies:\n";
    static const double at[] = {0.0, 1.0, 4.0};
    for (int i = 0; i < 3; i++) {
        add_text(text, sizeof text, "  b%d: {mass: 1, inertia: %.17g", i, scale * scale);
        if (placed) {
            add_text(text, sizeof text, ", position: [%.17g, 0], angle: 0", at[i] * scale);
        }
        add_text(text, sizeof text, "}\n");
    }
    add_text(
        text, sizeof text,
        "joints:\n"
        "  O: {type: revolute, between: [ground, b0], at: {first: [0, 0], second: [0, 0]}}\n"
        "  A: {type: revolute, between: [b0, b1], at: {first: [%.17g, 0], second: [0, 0]}}\n"
        "  B: {type: revolute, between: [b1, b2], at: {first: [%.17g, 0], second: [0, 0]}}\n"
        "  C: {type: revolute, between: [b2, ground], at: {first: [%.17g, 0], second: "
        "[%.17g, 0]}}\n",
        scale, 3.0 * scale, 2.0 * scale, ground * scale);
    return read_mechanism(text);
}

/* Rounding decides to which side a stationary place is left, so that units may; runs may
 * not. */
static void stationary_guess_is_left_in_every_unit_and_the_same_way_in_every_run(void **state)
{
    static const double scales[] = {1.0, 1.0, 1e-3, 1e6};
    for (int placed = 0; placed < 2; placed++) {
        double angle[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 4; i++) {
            crank_state *model = straight_four_bar(scales[i], placed ? 5.8 : 5.0, placed);
            crank_error err;
            double *x;
            CHECK_OK(mechanism_start(model, &x, &err), err);
            check_consistent(model, x, scales[i]);
            const double *p = x + crank_eom_column(crank_state_eom(model), CRANK_P);
            for (int b = 0; b < 3; b++) {
                angle[b] = i == 1 ? angle[b] : p[3 * b + 2];
                CHECK_NEAR(p[3 * b + 2], angle[b], 0.0);
                assert_true(fabs(p[3 * b + 2]) < acos(-1.0));
            }
            free(x);
            one_state_close(model);
        }
    }
}

/* 1 + 3 + 2 do not reach 6.5, from wherever it is tried. */
static void true_contradiction_is_still_one(void **state)
{
    crank_state *model = straight_four_bar(1.0, 6.5, false);
    crank_error err;
    double *x;
    CHECK_STATUS(mechanism_start(model, &x, &err), CRANK_EINIT_CONTRADICTION);
    CHECK_CONTAINS(err.text, "cannot be closed: it stays open by 0.5 while");
    free(x);
    one_state_close(model);
}

/* Where a search that fails has come to: positions hold if only velocities do not. */
static void failed_search_tells_where_it_has_come_to(void **state)
{
    crank_state *model = read_mechanism(
        "crank: mechanism\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1, position: [0, 0]}}\n"
        "joints: {j: {type: revolute, between: [ground, a], at: {first: [0.1, 0], second: [0, "
        "0]}}}\n"
        "nonholonomic: {one: body.a.rate, two: body.a.rate - 1}\n");
    crank_eom *eom = crank_state_eom(model);
    const size_t n = (size_t)crank_eom_unknowns(eom);
    crank_initial_options options = crank_initial_options_default();
    crank_error err;
    double *x = calloc(2 * n, sizeof *x), residual[3];
    assert_non_null(x);
    memcpy(x, crank_state_start(model), n * sizeof *x);
    options.fixing = crank_model_fixing(crank_state_model(model));
    options.reached = x + n;
    CHECK_STATUS(crank_eom_initialize(eom, 0.0, x, &options, NULL, (crank_log){0}, &err),
                 CRANK_EINIT_CONTRADICTION);
    CHECK_OK(crank_eom_residuals(eom, 0.0, options.reached, residual, &err), err);
    CHECK_NEAR(residual[0], 0.0, 1e-15);
    assert_true(residual[1] > 0.1);
    assert_memory_equal(x, crank_state_start(model), n * sizeof *x);
    free(x);
    one_state_close(model);
}

/* A block on a mount, whichever comes first in the file: the arm alone closes the loop. */
static void the_heaviest_of_what_joints_do_not_tie_to_the_ground_stays(void **state)
{
    static const char block[] = "  block: {mass: 100, inertia: 4}\n";
    static const char arm[] = "  arm: {mass: 1, inertia: 0.1}\n";
    for (int i = 0; i < 2; i++) {
        char text[1000] = "crank: mechanism\ndimension: 2\nbodies:\n";
        crank_error err;
        double *x, distance[2], angle[2];
        add_text(text, sizeof text, "%s%s", i == 0 ? block : arm, i == 0 ? arm : block);
        add_text(text, sizeof text,
                 "joints:\n"
                 "  hinge: {type: revolute, between: [block, arm], at: {first: [0, 0], second: "
                 "[0, 0]}}\n"
                 "  bore: {type: point_on_line, between: [block, arm], at: {first: [0, 0.2], "
                 "second: [0.2, 0.1]}, axis: [1, 0]}\n"
                 "forces: {mount: {type: bushing, between: [ground, block], at: [0, 0], "
                 "stiffness: [1e5, 1e5, 1e3], damping: [100, 100, 1]}}\n");
        crank_state *model = read_mechanism(text);
        CHECK_OK(mechanism_start(model, &x, &err), err);
        check_consistent(model, x, 1.0);
        for (int b = 0; b < 2; b++) {
            crank_eom_body_move(crank_state_eom(model), b, crank_state_start(model), x,
                                &distance[b], &angle[b]);
        }
        CHECK_NEAR(angle[i], 0.0, 0.0);
        CHECK_NEAR(distance[i], 0.0, 0.0);
        /* 0.2 sin a + 0.1 cos a = 0.2 */
        CHECK_NEAR(angle[1 - i], 2.0 * atan2(1.0, 3.0), 1e-12);
        free(x);
        one_state_close(model);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roughly_placed_loop_closes_as_it_was_placed),
        cmocka_unit_test(consistent_mechanism_stays_bit_for_bit),
        cmocka_unit_test(links_too_short_say_by_how_much),
        cmocka_unit_test(hinge_out_of_line_is_named_with_its_offset),
        cmocka_unit_test(leaning_axis_is_an_angle),
        cmocka_unit_test(loop_stays_on_the_side_where_it_was_placed),
        cmocka_unit_test(far_start_is_refused_with_the_body),
        cmocka_unit_test(axes_the_wrong_way_round_are_refused),
        cmocka_unit_test(stationary_guess_is_left_in_every_unit_and_the_same_way_in_every_run),
        cmocka_unit_test(true_contradiction_is_still_one),
        cmocka_unit_test(failed_search_tells_where_it_has_come_to),
        cmocka_unit_test(the_heaviest_of_what_joints_do_not_tie_to_the_ground_stays),
    };
    return CHECK_RUN(argc, argv, tests);
}
