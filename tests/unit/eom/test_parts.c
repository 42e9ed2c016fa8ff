/* test_parts.c - what reports say of mechanisms: loops, redundant rows by joint and direction,
 * bodies without mass and what nothing determines; whatever the unit of length and however the
 * mechanism is turned. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"
#include "mechanisms.h"
#include "one_state.h"

static const double rank_tolerance = 1e-8;

/* The report at the model's consistent start. */
static crank_structure_report examine(crank_state *model)
{
    crank_structure_report r;
    crank_error err;
    double *x;
    CHECK_OK(mechanism_start(model, &x, &err), err);
    CHECK_OK(crank_eom_structure(crank_state_eom(model), 0.0, x, rank_tolerance, &r, &err),
             err);
    free(x);
    return r;
}

/* Four revolute joints in space: 20 rows of rank 17; the three of joint C that hold the plane
 * repeat the others. */
static void spatial_four_bar_names_its_three_redundant_rows(void **state)
{
    static const double scales[] = {1.0, 1e-3, 1e3, 1e-4, 1e4};
    uint64_t seed = 11;
    for (int round = 0; round < 20; round++) {
        four_bar b = four_bar_default();
        b.scale = scales[round % 5];
        if (round > 0) {
            random_turn(&seed, b.turn);
        }
        crank_state *model = four_bar_read(&b);
        crank_structure_report r = examine(model);
        assert_int_equal(r.rank_g, 17);
        assert_int_equal(r.freedom_position, 1);
        assert_int_equal(r.freedom_velocity, 1);
        assert_int_equal(r.loops, 1);
        assert_int_equal(r.redundant_count, 3);
        assert_true(r.mass_regular && r.bordered_regular);
        assert_false(r.contradictory);
        assert_int_equal(r.massless_count + r.open_count, 0);
        for (int i = 0; i < 3; i++) {
            assert_ptr_equal(strstr(r.redundant_text[i], "joint \"C\": "), r.redundant_text[i]);
            CHECK_CONTAINS(r.redundant_text[i], " repeats \"O\", \"A\" and \"B\"");
        }
        if (round == 0) {
            assert_string_equal(
                r.redundant_text[0],
                "joint \"C\": translation along z repeats \"O\", \"A\" and \"B\"");
        }
        crank_structure_report_free(&r);
        one_state_close(model);
    }
}

/* Redundant everywhere, singular nowhere near. */
static void redundant_loop_is_not_a_singular_position(void **state)
{
    uint64_t seed = 23;
    for (int round = 0; round < 10; round++) {
        four_bar b = four_bar_default();
        b.scale = round % 2 == 0 ? 1.0 : 1e3;
        b.rough = 0.1;
        b.seed = 100 + (uint64_t)round;
        random_turn(&seed, b.turn);
        crank_state *model = four_bar_read(&b);
        crank_error err;
        double *x;
        bool degenerate = true;
        CHECK_OK(mechanism_start(model, &x, &err), err);
        CHECK_OK(
            crank_eom_degenerate(crank_state_eom(model), 0.0, x, &degenerate, NULL, 0, &err),
            err);
        assert_false(degenerate);
        free(x);
        one_state_close(model);
    }
}

static const char door[] =
    "crank: mechanism\n"
    "bodies:\n"
    "  door: {mass: 20, shape: {box: [0.8, 0.04, 2]}, position: [0.4, 0, 1]}\n"
    "joints:\n"
    "  one: {type: revolute, between: [ground, door], at: [0, 0, 0.3], axis: [0, 0, "
    "1]}\n"
    "  two: {type: spherical, between: [ground, door], at: [0, 0, 1.7]}\n";

/* The second hinge of a door, as a ball: nothing of it is new. */
static void door_of_two_hinges_repeats_the_first(void **state)
{
    static const char *const text[] = {"joint \"two\": translation along x repeats \"one\"",
                                       "joint \"two\": translation along y repeats \"one\"",
                                       "joint \"two\": translation along z repeats \"one\""};
    crank_state *model = read_mechanism(door);
    crank_structure_report r = examine(model);
    crank_eom *eom = crank_state_eom(model);
    assert_int_equal(r.loops, 1);
    assert_int_equal(r.redundant_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(r.redundant_text[i], text[i]);
    }
    for (int i = 0; i < 8; i++) { /* all directions of both joints carry load together */
        const char *direction;
        const char *joint = crank_eom_constraint_joint(eom, i, &direction);
        assert_string_equal(joint, i < 5 ? "joint \"one\"" : "joint \"two\"");
        assert_non_null(direction);
        assert_false(r.multiplier_unique[i]);
    }
    assert_int_equal(crank_eom_bodies(eom), 1);
    assert_string_equal(crank_eom_body_text(eom, 0), "body \"door\"");
    crank_structure_report_free(&r);
    one_state_close(model);
}

/* A bob of mass 1 on a rod without mass; top: the rod's upper joint. */
static crank_state *massless_rod(const char *top, const char *turn)
{
    char text[800] = "crank: mechanism\ngravity: [0, 0, -9.81]\nbodies:\n";
    add_text(
        text, sizeof text,
        "  rod: {mass: 0, position: [0, 0, -0.5], orientation: {axis: [1, 0, 0], angle: %s}}\n"
        "  bob: {mass: 1, shape: {sphere: 0.1}, position: [0, 0, -1]}\n"
        "joints:\n  top: {type: %s}\n"
        "  end: {type: spherical, between: [rod, bob], at: [0, 0, -1]}\n",
        turn, top);
    return read_mechanism(text);
}

static void rod_without_mass_is_fine_where_joints_determine_its_motion(void **state)
{
    crank_state *model = massless_rod(
        "universal, between: [ground, rod], at: [0, 0, 0], axes: [[1, 0, 0], [0, 1, 0]]", "0");
    crank_structure_report r = examine(model);
    assert_false(r.mass_regular);
    assert_true(r.bordered_regular);
    assert_int_equal(r.massless_count, 1);
    assert_string_equal(r.massless_text[0], "body \"rod\" has no mass");
    assert_int_equal(r.open_count, 0);
    assert_int_equal(r.loops, 0);
    crank_structure_report_free(&r);
    one_state_close(model);
}

/* Between two balls it spins freely about its own axis. */
static void rod_without_mass_is_named_with_its_undetermined_direction(void **state)
{
    static const char *const turns[] = {"0", "30 deg", "90 deg"};
    for (int i = 0; i < 3; i++) { /* body axes do not matter: the line of centres is z */
        crank_state *model =
            massless_rod("spherical, between: [ground, rod], at: [0, 0, 0]", turns[i]);
        crank_eom *eom = crank_state_eom(model);
        crank_structure_report r;
        crank_error err;
        double *x;
        CHECK_STATUS(mechanism_start(model, &x, &err), CRANK_EINIT_UNDETERMINED);
        CHECK_CONTAINS(err.text, "body \"rod\": rotation about z is not determined");
        assert_int_equal(err.line, 4);
        CHECK_OK(
            crank_eom_structure(eom, 0.0, crank_state_start(model), rank_tolerance, &r, &err),
            err);
        assert_false(r.bordered_regular);
        assert_int_equal(r.open_count, 1);
        assert_string_equal(r.open_text[0], "body \"rod\": rotation about z");
        crank_structure_report_free(&r);
        free(x);
        one_state_close(model);
    }
}

static void body_without_inertia_about_one_axis_is_told(void **state)
{
    crank_state *model = read_mechanism(
        "crank: mechanism\nbodies:\n"
        "  rod: {mass: 1, inertia: [0, 1, 1], orientation: {axis: [0, 0, 1], angle: 20 deg}}\n"
        "joints:\n"
        "  hinge: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}\n");
    crank_structure_report r = examine(model);
    assert_true(r.bordered_regular);
    assert_int_equal(r.massless_count, 1);
    assert_string_equal(r.massless_text[0], "body \"rod\" has no inertia about x of its axes");
    crank_structure_report_free(&r);
    one_state_close(model);
}

/* A driver and a gear relate coordinates; they close no loop. */
static void only_joints_between_bodies_make_loops(void **state)
{
    crank_state *model = read_mechanism(
        "crank: mechanism\ndimension: 2\nbodies:\n"
        "  a: {mass: 1, inertia: 1}\n  b: {mass: 1, inertia: 1, position: [1, 0]}\n"
        "  c: {mass: 1, inertia: 1, position: [5, 0]}\n"
        "joints:\n"
        "  ja: {type: revolute, between: [ground, a], at: [0, 0]}\n"
        "  jb: {type: revolute, between: [ground, b], at: [1, 0]}\n"
        "  mesh: {type: gear, joints: [ja, jb], ratio: -1}\n"
        "  motor: {type: driver, of: joint.ja.angle, is: t^2}\n"
        "  rod: {type: distance, between: [a, c], at: [[0.5, 0], [5, 0]]}\n"
        "  rail: {type: prismatic, between: [ground, c], at: [5, 0], axis: [1, 0]}\n");
    crank_structure_report r = examine(model);
    assert_int_equal(r.loops, 1); /* ground - a - c - ground */
    assert_int_equal(r.freedom_position, 0);
    crank_structure_report_free(&r);
    one_state_close(model);
}

static void moves_of_bodies_are_measured(void **state)
{
    crank_state *model = read_mechanism(door);
    crank_eom *eom = crank_state_eom(model);
    const int n = crank_eom_unknowns(eom), p = crank_eom_column(eom, CRANK_P);
    double *x = malloc((size_t)n * sizeof *x);
    double distance, angle;
    assert_non_null(x);
    memcpy(x, crank_state_start(model), (size_t)n * sizeof *x);
    x[p] += 0.3;
    x[p + 2] -= 0.4;
    x[p + 3] = -cos(0.35); /* the other quaternion of a rotation by 0.7 about y */
    x[p + 5] = -sin(0.35);
    crank_eom_body_move(eom, 0, crank_state_start(model), x, &distance, &angle);
    CHECK_NEAR(distance, 0.5, 1e-15);
    CHECK_NEAR(angle, 0.7, 1e-14);
    free(x);
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spatial_four_bar_names_its_three_redundant_rows),
        cmocka_unit_test(redundant_loop_is_not_a_singular_position),
        cmocka_unit_test(door_of_two_hinges_repeats_the_first),
        cmocka_unit_test(rod_without_mass_is_fine_where_joints_determine_its_motion),
        cmocka_unit_test(rod_without_mass_is_named_with_its_undetermined_direction),
        cmocka_unit_test(body_without_inertia_about_one_axis_is_told),
        cmocka_unit_test(only_joints_between_bodies_make_loops),
        cmocka_unit_test(moves_of_bodies_are_measured),
    };
    return CHECK_RUN(argc, argv, tests);
}
