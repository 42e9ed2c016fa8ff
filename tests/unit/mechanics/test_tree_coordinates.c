/* test_tree_coordinates.c - mechanisms in joint coordinates move as in absolute ones: the same
 * accelerations, multipliers and reactions at random assembled states, the same motions; their
 * derivatives agree with differences. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/joint_models.h"
#include "unit/mechanics/tree_states.h"

#include "eom/stage.h"

#include <stdlib.h>

/* ---- models ---- */

static const char *const models[] = {tree, loops, planar, redundant, screws, led};
enum { MODELS = sizeof models / sizeof *models };

static void begin_with(mechanism *m, const char *text, crank_coordinates_choice coordinates,
                       crank_orientation orientation)
{
    crank_model_options options = crank_model_options_default();
    options.coordinates = coordinates;
    options.orientation = orientation;
    *m = (mechanism){0};
    CHECK_OK(one_state_read_text("test", text, strlen(text), &options, &m->model, &m->err),
             m->err);
    m->eom = crank_state_eom(m->model);
    m->n = crank_eom_unknowns(m->eom);
    assert_true(m->n <= MECHANISM_MAX);
    memcpy(m->x, crank_state_start(m->model), (size_t)m->n * sizeof *m->x);
}

static void begin(mechanism *m, const char *text, crank_coordinates_choice coordinates)
{
    begin_with(m, text, coordinates, CRANK_ORIENTATION_AUTO);
}

/* ---- derivatives ---- */

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    random_source r = {21};
    for (int k = 0; k < MODELS; k++) {
        mechanism m;
        begin(&m, models[k], CRANK_COORDINATES_JOINT);
        for (int i = 0; i < 20; i++) {
            double deviation = 1.0;
            char text[300] = "";
            random_fill(&r, m.n, m.x);
            CHECK_OK(crank_eom_check_derivatives(m.eom, 0.1 * i, m.x, &deviation, text,
                                                 sizeof text, &m.err),
                     m.err);
            if (!(deviation < 1e-6)) {
                fail_msg("model %d, deviation %g: %s", k, deviation, text);
            }
        }
        mechanism_end(&m);
    }
}

/* ---- accelerations, multipliers, reactions ---- */

static void agree_with(const char *text, crank_orientation orientation)
{
    mechanism joint, absolute;
    random_source r = {5};
    double start[MECHANISM_MAX];
    begin_with(&joint, text, CRANK_COORDINATES_JOINT, orientation);
    begin(&absolute, text, CRANK_COORDINATES_ABSOLUTE);
    assert_true(joint.n < absolute.n);
    initialize(&joint);
    memcpy(start, joint.x, sizeof start);
    for (int i = 0; i < 100; i++) {
        joint.t = 0.1 * i;
        random_state(&joint, &r, start, 0.3);
        carry_over(&joint, &absolute);
        compare_accelerations(&joint, &absolute);
        compare_columns(&joint, &absolute);
    }
    mechanism_end(&joint);
    mechanism_end(&absolute);
}

static void agree(const char *text)
{
    agree_with(text, CRANK_ORIENTATION_QUATERNION);
}

static void trees_have_the_accelerations_and_reactions_of_absolute_coordinates(void **state)
{
    (void)state;
    agree(tree);
}

static void loops_have_the_accelerations_and_reactions_of_absolute_coordinates(void **state)
{
    (void)state;
    agree(loops);
}

static void planar_mechanisms_have_them_too(void **state)
{
    (void)state;
    agree(planar);
}

static void bodies_on_led_frames_have_them_too(void **state)
{
    (void)state;
    agree(led);
}

static void redundant_loops_have_the_unique_reactions_of_absolute_coordinates(void **state)
{
    (void)state;
    agree(redundant);
}

static void screws_and_points_on_bodies_have_them_too(void **state)
{
    (void)state;
    agree(screws);
}

static void cardan_angles_have_them_too(void **state)
{
    (void)state;
    mechanism m;
    agree_with(tree, CRANK_ORIENTATION_CARDAN);
    agree_with(loops, CRANK_ORIENTATION_CARDAN);
    begin_with(&m, tree, CRANK_COORDINATES_JOINT, CRANK_ORIENTATION_CARDAN);
    assert_int_equal(m.eom->sizes.n, 0); /* no norms */
    assert_int_equal(m.eom->sizes.p, m.eom->sizes.v);
    (void)mechanism_column(&m, "body.h.angle_x");
    mechanism_end(&m);
}

/* a body that tumbles about y reaches a right angle of its second angle */
static void singular_cardan_angles_are_named(void **state)
{
    (void)state;
    static const char text[] =
        "crank: mechanism\n"
        "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}\n";
    mechanism m;
    begin_with(&m, text, CRANK_COORDINATES_JOINT, CRANK_ORIENTATION_CARDAN);
    m.x[mechanism_column(&m, "body.b.angle_y")] = 1.5706;
    CHECK_OK(crank_eom_accepted(m.eom, 0.0, m.x, &m.err), m.err);
    m.x[mechanism_column(&m, "body.b.angle_y")] = 1.57079;
    CHECK_STATUS(crank_eom_accepted(m.eom, 0.5, m.x, &m.err), CRANK_ESTOP_EQUATIONS);
    CHECK_CONTAINS(m.err.text, "body \"b\": its Cardan angles are singular at t = 0.5");
    mechanism_end(&m);
    /* of a joint they are angles whatever the orientation of others is */
    begin(
        &m,
        "crank: mechanism\n"
        "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {j: {type: free, between: [ground, b], at: {first: [0, 0, 0], second: [0, 0, "
        "0]}}}\n",
        CRANK_COORDINATES_JOINT);
    m.x[crank_eom_column(m.eom, CRANK_P) + 4] = 1.57079;
    CHECK_STATUS(crank_eom_accepted(m.eom, 0.5, m.x, &m.err), CRANK_ESTOP_EQUATIONS);
    CHECK_CONTAINS(m.err.text, "body \"b\": the angles of its joint are singular at t = 0.5");
    CHECK_CONTAINS(m.err.text, "use tree: cut at that joint");
    mechanism_end(&m);
}

static void cardan_angles_are_refused_in_absolute_coordinates(void **state)
{
    (void)state;
    crank_model_options options = crank_model_options_default();
    crank_error err = {0};
    crank_model *model = NULL;
    options.orientation = CRANK_ORIENTATION_CARDAN;
    CHECK_STATUS(crank_model_read_text("test", tree, strlen(tree), &options, &model, &err),
                 CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "use coordinates=joint");
}

/* M^-1 d by articulated bodies, at accelerations of zero, against accelerations by M */
static void articulated_bodies_have_the_accelerations_of_the_mass_matrix(void **state)
{
    (void)state;
    mechanism m;
    random_source r = {8};
    begin(&m, branches, CRANK_COORDINATES_JOINT);
    const crank_stage_entries *entries = m.eom->stage_entries;
    const int a = m.eom->column[CRANK_W], d = m.eom->row[CRANK_ROW_D], nv = m.eom->sizes.v;
    assert_non_null(entries); /* the explicit form */
    double *values = calloc((size_t)entries->count + 1, sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < 20; i++) {
        double k[2 * MECHANISM_MAX], found[MECHANISM_MAX], size = 1.0;
        random_fill(&r, m.n, m.x);
        ((crank_system *)m.eom->self)->coordinates.kind->straighten(m.eom->self, m.x);
        CHECK_OK(crank_eom_find_multipliers(m.eom, 0.0, m.x, &m.err), m.err);
        memcpy(found, m.x + a, (size_t)nv * sizeof *found);
        memset(m.x + a, 0, (size_t)nv * sizeof *found);
        CHECK_OK(crank_eom_evaluate_stage(m.eom, entries, 0.0, m.x, k, values, NULL, &m.err),
                 m.err);
        for (int v = 0; v < nv; v++) {
            size = fmax(size, fabs(found[v]));
        }
        for (int v = 0; v < nv; v++) {
            CHECK_NEAR(-k[d + v], found[v], 1e-10 * size);
        }
    }
    free(values);
    mechanism_end(&m);
}

/* ---- the tree that the file says ---- */

static const char *four_bar(char text[900], const char *const mark[4])
{
    (void)snprintf(text, 900, marked, mark[0], mark[1], mark[2], mark[3]);
    return text;
}

static void files_say_which_joints_carry_coordinates(void **state)
{
    (void)state;
    static const char *const cut[4] = {", tree: cut", "", "", ""}, *const keep[4] = {
                                                                       ", tree: keep",
                                                                       ", tree: keep",
                                                                       ", tree: keep", ""};
    char text[900];
    mechanism m;
    begin(&m, four_bar(text, cut), CRANK_COORDINATES_JOINT);
    for (int i = 0; i < m.n; i++) {
        assert_null(strstr(crank_eom_column_name(m.eom, i), "joint.o."));
    }
    mechanism_end(&m);
    begin(&m, four_bar(text, keep), CRANK_COORDINATES_JOINT);
    (void)mechanism_column(&m, "joint.b.coordinate");
    assert_int_equal(m.eom->sizes.lambda, 2); /* c */
    mechanism_end(&m);
}

static void trees_that_cannot_be_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const all[4] = {", tree: keep", ", tree: keep", ", tree: keep",
                                       ", tree: keep"};
    crank_model_options options = crank_model_options_default();
    crank_error err = {0};
    crank_model *model = NULL;
    char text[900];
    (void)four_bar(text, all);
    options.coordinates = CRANK_COORDINATES_JOINT;
    CHECK_STATUS(crank_model_read_text("test", text, strlen(text), &options, &model, &err),
                 CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "tree: keep: joints to be kept close a loop with it");
    assert_true(err.line > 0);
}

/* a door in space, a long chain in the plane, bodies on frames that a track leads */
static void the_cheaper_coordinates_are_estimated(void **state)
{
    (void)state;
    static const char chain[] =
        "crank: mechanism\ndimension: 2\n"
        "joints: {h: {type: revolute, between: [ground, b1], at: [0, 0]}}\n"
        "repeat:\n"
        "  - {count: 50, bodies: {\"b{i}\": {mass: 1, inertia: 1, position: [i - 0.5, 0]}}}\n"
        "  - {count: 49, joints: {\"j{i}\": {type: revolute, between: [\"b{i}\", \"b{i+1}\"], "
        "at: [i, 0]}}}\n";
    const char *const text[] = {tree, chain, led};
    static const char *const chosen[] = {"joint", "absolute", "joint"};
    for (int k = 0; k < 3; k++) {
        crank_model_options options = crank_model_options_default();
        crank_error err = {0};
        crank_model *model = NULL;
        options.coordinates = CRANK_COORDINATES_AUTO;
        CHECK_OK(
            crank_model_read_text("test", text[k], strlen(text[k]), &options, &model, &err),
            err);
        assert_string_equal(crank_model_eom(model)->parts->coordinates, chosen[k]);
        crank_model_destroy(model);
    }
}

/* the thread is no equation there, and a point on a body has no coordinates of its own */
static void screws_and_points_leave_no_equations(void **state)
{
    (void)state;
    mechanism m;
    begin(&m, screws, CRANK_COORDINATES_JOINT);
    assert_int_equal(m.eom->sizes.lambda, 3); /* f */
    assert_int_equal(m.eom->sizes.v, 1 + 1 + 1 + 6);
    mechanism_end(&m);
}

/* ---- motions ---- */

static void compare_states(mechanism *joint, mechanism *other)
{
    crank_system *s = joint->eom->self, *a = other->eom->self;
    crank_system_point(s, joint->t, joint->x);
    crank_system_point(a, other->t, other->x);
    for (int i = 0; i < s->body_count; i++) {
        for (int k = 0; k < 3; k++) { /* global errors of some ten steps at 1e-9 */
            CHECK_NEAR(s->state[i].x[k], a->state[i].x[k], 1e-6);
            CHECK_NEAR(s->state[i].v[k], a->state[i].v[k], 1e-6);
            CHECK_NEAR(s->state[i].omega[k], a->state[i].omega[k], 1e-6);
        }
    }
}

static void implicit_and_explicit_methods_move_as_in_absolute_coordinates(void **state)
{
    (void)state;
    for (int k = 0; k < MODELS; k++) {
        mechanism joint, absolute;
        begin(&joint, models[k], CRANK_COORDINATES_JOINT);
        begin(&absolute, models[k], CRANK_COORDINATES_ABSOLUTE);
        initialize(&joint);
        carry_over(&joint, &absolute);
        const mechanism start = joint;
        mechanism_run(&absolute, 0.3, 1e-9);
        mechanism_run(&joint, 0.3, 1e-9);
        compare_states(&joint, &absolute);
        joint = start;
        mechanism_run_by(&joint, "ode-dopri8", NULL, 0.3, 1e-9);
        compare_states(&joint, &absolute);
        mechanism_end(&joint);
        mechanism_end(&absolute);
    }
}

/* beside the rods it has no inertia of its own across them: nothing to push against */
static void driven_bodies_without_mass_move_by_explicit_methods(void **state)
{
    (void)state;
    static const char text[] =
        "crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  rail: {mass: 0, inertia: 0, position: [2, 0]}\n"
        "  hook: {mass: 0, inertia: 0, position: [2, 0]}\n"
        "joints:\n"
        "  across: {type: prismatic, between: [ground, rail], at: [2, 0], axis: [1, 0], drive: "
        "0.3*t^2}\n"
        "  up: {type: prismatic, between: [rail, hook], at: [2, 0], axis: [0, 1], drive: "
        "0.2*t^2}\n"
        "  pin: {type: revolute, between: [hook, rod1], at: [2, 0]}\n"
        "repeat:\n"
        "  - {count: 17, bodies: {\"rod{i}\": {mass: 1, inertia: 0, position: [2, -i]}}}\n"
        "  - {count: 16, joints: {\"pin{i}\": {type: revolute, between: [\"rod{i}\", "
        "\"rod{i+1}\"], at: [2, -i]}}}\n";
    mechanism joint, absolute;
    begin(&joint, text, CRANK_COORDINATES_JOINT);
    begin(&absolute, text, CRANK_COORDINATES_ABSOLUTE);
    initialize(&joint);
    carry_over(&joint, &absolute);
    mechanism_run_by(&joint, "ode-dopri8", NULL, 0.3, 1e-9);
    mechanism_run(&absolute, 0.3, 1e-9);
    compare_states(&joint, &absolute);
    mechanism_end(&joint);
    mechanism_end(&absolute);
}

/* one that stays a constraint has its multipliers among the unknowns */
static void joints_whose_forces_are_read_stay_constraints(void **state)
{
    (void)state;
    mechanism m;
    begin(&m, planar, CRANK_COORDINATES_JOINT);
    assert_int_equal(m.eom->sizes.lambda, 4); /* d: 2, drive of b, distance e */
    assert_int_equal(m.eom->sizes.v, 2 + 3 + 3 + 2);
    mechanism_end(&m);
}

/* ---- checkpoints ---- */

static crank_run *open_in(const crank_model *model, const char *coordinates)
{
    const crank_setting option = {"coordinates", coordinates};
    crank_run_options options = crank_run_options_default();
    crank_error err = {0};
    crank_run *run = NULL;
    options.options = &option;
    options.option_count = 1;
    options.t_end = 0.2;
    CHECK_OK(crank_run_open_model(model, &options, &run, &err), err);
    return run;
}

static void checkpoints_of_other_coordinates_are_refused_by_name(void **state)
{
    (void)state;
    crank_error err = {0};
    crank_model *model = NULL;
    void *data = NULL;
    size_t size = 0;
    CHECK_OK(crank_model_read_text("test", redundant, strlen(redundant), NULL, &model, &err),
             err);
    crank_run *joint = open_in(model, "joint"), *same = open_in(model, "joint"),
              *absolute = open_in(model, "absolute");
    CHECK_OK(crank_run_advance(joint, 0.1, &err), err);
    CHECK_OK(crank_integrator_save(crank_run_integrator(joint), &data, &size, &err), err);
    CHECK_OK(crank_run_load(same, data, size, &err), err);
    CHECK_STATUS(crank_run_load(absolute, data, size, &err), CRANK_EFILE);
    CHECK_CONTAINS(err.text, "made with coordinates joint, this is absolute");
    free(data);
    crank_run_close(joint);
    crank_run_close(same);
    crank_run_close(absolute);
    crank_model_destroy(model);
}

/* Conditions of the start are no rows of these equations: their places once took those of the
 * first unknowns, and what lay behind them. */
static void initial_conditions_leave_places_of_unknowns_alone(void **state)
{
    (void)state;
    static const char text[] = "crank: mechanism\ndimension: 2\n"
                               "bodies: {rod: {mass: 1, inertia: 1}}\n"
                               "joints:\n  hinge: {type: revolute, between: [ground, rod],\n"
                               "    at: {first: [0, 0], second: [0, 0]}}\n"
                               "initial: {joints: {hinge: {angle: 1, angle_rate: 2}}}\n";
    mechanism plain, given;
    begin(&plain,
          "crank: mechanism\ndimension: 2\n"
          "bodies: {rod: {mass: 1, inertia: 1}}\n"
          "joints:\n  hinge: {type: revolute, between: [ground, rod],\n"
          "    at: {first: [0, 0], second: [0, 0]}}\n",
          CRANK_COORDINATES_JOINT);
    begin(&given, text, CRANK_COORDINATES_JOINT);
    assert_int_equal(given.n, plain.n);
    for (int i = 0; i < plain.n; i++) {
        assert_int_equal(crank_eom_column_place(given.eom, i).line,
                         crank_eom_column_place(plain.eom, i).line);
        assert_int_equal(crank_eom_column_place(given.eom, i).column,
                         crank_eom_column_place(plain.eom, i).column);
    }
    mechanism_end(&plain);
    mechanism_end(&given);
}

static void only_mechanisms_have_joint_coordinates(void **state)
{
    (void)state;
    static const char text[] = "crank: equations\npositions: {x: {start: 1}}\n"
                               "velocities: {v: {of: x, start: 0}}\nmass: [[1]]\nforces: [-x]\n"
                               "simulate: {coordinates: joint}\n";
    crank_error err = {0};
    crank_model *model = NULL;
    CHECK_STATUS(crank_model_read_text("test", text, strlen(text), NULL, &model, &err),
                 CRANK_EREFUSED);
    CHECK_CONTAINS(err.text, "only mechanisms have joints");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(trees_have_the_accelerations_and_reactions_of_absolute_coordinates),
        cmocka_unit_test(loops_have_the_accelerations_and_reactions_of_absolute_coordinates),
        cmocka_unit_test(planar_mechanisms_have_them_too),
        cmocka_unit_test(bodies_on_led_frames_have_them_too),
        cmocka_unit_test(screws_and_points_on_bodies_have_them_too),
        cmocka_unit_test(screws_and_points_leave_no_equations),
        cmocka_unit_test(cardan_angles_have_them_too),
        cmocka_unit_test(singular_cardan_angles_are_named),
        cmocka_unit_test(cardan_angles_are_refused_in_absolute_coordinates),
        cmocka_unit_test(articulated_bodies_have_the_accelerations_of_the_mass_matrix),
        cmocka_unit_test(files_say_which_joints_carry_coordinates),
        cmocka_unit_test(trees_that_cannot_be_are_refused_by_name),
        cmocka_unit_test(the_cheaper_coordinates_are_estimated),
        cmocka_unit_test(implicit_and_explicit_methods_move_as_in_absolute_coordinates),
        cmocka_unit_test(driven_bodies_without_mass_move_by_explicit_methods),
        cmocka_unit_test(joints_whose_forces_are_read_stay_constraints),
        cmocka_unit_test(checkpoints_of_other_coordinates_are_refused_by_name),
        cmocka_unit_test(initial_conditions_leave_places_of_unknowns_alone),
        cmocka_unit_test(only_mechanisms_have_joint_coordinates),
        cmocka_unit_test(redundant_loops_have_the_unique_reactions_of_absolute_coordinates)};
    return CHECK_RUN(argc, argv, tests);
}
