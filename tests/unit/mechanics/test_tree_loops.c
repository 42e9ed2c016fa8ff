/* test_tree_loops.c - every type of tree joint inside a loop: two of the type, a ball between them,
 * and a joint that closes the chain, cut. Accelerations, multipliers, reactions and columns at
 * 100 random assembled states are those of absolute coordinates, with quaternions and with
 * Cardan angles; derivatives agree with differences. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/tree_states.h"

enum { STATES = 100, DERIVATIVES = 10 };

typedef struct loop {
    const char *type;  /* of both joints, with keys of its own */
    const char *drive; /* of the first one */
    const char *close; /* between the last body and the ground */
    int unknowns;      /* velocities of the tree */
} loop;

static const char ball[] =
    "{type: spherical, between: [b, ground], at: [1.6, 0.5, 0.4], tree: cut}";
static const char rod[] =
    "{type: distance, between: [b, ground], at: [[1.6, 0.5, 0.4], [2, 2, 1]]}";

static const loop loops[] = {
    {"type: revolute, axis: [0.2, 1, 0.3]", "", ball, 5},
    {"type: revolute, axis: [0.2, 1, 0.3]", ", drive: 0.3*sin(2*t)", ball, 5},
    {"type: prismatic, axis: [0.2, 1, 0.3]", "", ball, 5},
    {"type: prismatic, axis: [0.2, 1, 0.3]", ", drive: 0.2*t^2", ball, 5},
    {"type: screw, axis: [0.2, 1, 0.3], pitch: 0.7", "", ball, 5},
    {"type: cylindrical, axis: [0.2, 1, 0.3]", ", drive_angle: 0.4*t", ball, 7},
    {"type: universal, axes: [[1, 0.2, 0], [-0.2, 1, 0.5]]", "", ball, 7},
    {"type: planar, axis: [0.2, 1, 0.3]", "", ball, 9},
    {"type: spherical", "", ball, 9},
    {"type: fixed", "", rod, 3},
};
enum { LOOPS = sizeof loops / sizeof *loops };

/* a free body, and bodies on a frame that a track leads, in loops */
static const char *const others[] = {
    "crank: mechanism\n"
    "gravity: [0.3, -0.2, -9.81]\n"
    "bodies:\n"
    "  a: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [0.5, 0.2, 0.1]}\n"
    "  b: {mass: 0.9, inertia: [0.1, 0.3, 0.2], position: [1.2, 0.4, 0.3], center: [0.1, 0, "
    "0.1]}\n"
    "joints:\n"
    "  in: {type: spherical, between: [ground, a], at: [0.2, 0, 0], tree: cut}\n"
    "  mid: {type: universal, between: [b, a], at: [0.8, 0.3, 0.2],\n"
    "    axes: [[1, 0.2, 0], [-0.2, 1, 0.5]], tree: keep}\n"
    "  out: {type: point_in_plane, between: [ground, b], at: [1.6, 0.5, 0.4], axis: [0.3, 0, "
    "1]}\n",
    "crank: mechanism\n"
    "gravity: [0.3, -0.2, -9.81]\n"
    "bodies:\n"
    "  frame: {mass: 3, inertia: [0.3, 0.4, 0.5], center: [0.3, -0.2, 0.1]}\n"
    "  a: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [0.5, 0.2, 0.1]}\n"
    "  b: {mass: 0.9, inertia: [0.1, 0.3, 0.2], position: [1.2, 0.4, 0.3]}\n"
    "joints:\n"
    "  path: {type: track, body: frame, path: [s, 0.3*sin(s)], along: 0.5*t + 0.1*t^2}\n"
    "  in: {type: free, between: [frame, a], at: {first: [0.4, 0.1, 0], second: [0, 0, 0]},\n"
    "    hold_y: true}\n"
    "  mid: {type: spherical, between: [a, b], at: [0.8, 0.3, 0.2], tree: keep}\n"
    "  out: {type: distance, between: [b, frame], at: [[1.6, 0.5, 0.4], [0.3, 0.9, 0.2]]}\n"
    "  ground: {type: distance, between: [a, ground], at: [[0.5, 0.2, 0.2], [1, 2, 3]]}\n"};
enum { OTHERS = sizeof others / sizeof *others };

static const char *text_of(const loop *l, char text[2000])
{
    (void)snprintf(
        text, 2000,
        "crank: mechanism\n"
        "gravity: [0.3, -0.2, -9.81]\n"
        "bodies:\n"
        "  a: {mass: 1.3, inertia: [0.2, 0.3, 0.4], position: [0.5, 0.2, 0.1],\n"
        "    orientation: {axis: [1, 0.3, 0.2], angle: 0.3}}\n"
        "  c: {mass: 1.1, inertia: [0.3, 0.2, 0.4], position: [0.9, 0.1, 0.2], center: [0, "
        "0.1, "
        "0]}\n"
        "  b: {mass: 0.9, inertia: [0.1, 0.3, 0.2], position: [1.2, 0.4, 0.3]}\n"
        "joints:\n"
        "  in: {between: [ground, a], at: [0.2, 0, 0], %s, tree: keep%s}\n"
        "  mid: {type: spherical, between: [c, a], at: [0.7, 0.2, 0.1], tree: keep}\n"
        "  out: {between: [b, c], at: [1.1, -0.4, 0.7], %s, tree: keep}\n"
        "  close: %s\n"
        "forces:\n"
        "  s: {type: spring, between: [a, b], at: [[0.5, 0.3, 0.1], [1.2, 0.4, 0.5]], "
        "stiffness: "
        "40,\n    length: 0.6, damping: 0.8}\n",
        l->type, l->drive, l->type, l->close);
    return text;
}

static void begin(mechanism *m, const char *text, crank_coordinates_choice coordinates,
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

static void derivatives_agree(mechanism *m)
{
    double deviation = 1.0;
    char text[300] = "";
    CHECK_OK(
        crank_eom_check_derivatives(m->eom, m->t, m->x, &deviation, text, sizeof text, &m->err),
        m->err);
    if (!(deviation < 1e-6)) {
        fail_msg("deviation %g: %s", deviation, text);
    }
}

static void agree(const char *text, crank_orientation orientation)
{
    mechanism joint, absolute;
    random_source r = {5};
    double start[MECHANISM_MAX];
    begin(&joint, text, CRANK_COORDINATES_JOINT, orientation);
    begin(&absolute, text, CRANK_COORDINATES_ABSOLUTE, CRANK_ORIENTATION_AUTO);
    initialize(&joint);
    memcpy(start, joint.x, sizeof start);
    for (int i = 0; i < STATES; i++) {
        joint.t = 0.01 * i;
        random_state(&joint, &r, start, 0.2);
        carry_over(&joint, &absolute);
        compare_accelerations(&joint, &absolute);
        compare_columns(&joint, &absolute);
        if (i < DERIVATIVES) {
            derivatives_agree(&joint);
        }
    }
    mechanism_end(&joint);
    mechanism_end(&absolute);
}

static void all_types_agree(crank_orientation orientation)
{
    for (int k = 0; k < LOOPS; k++) {
        char text[2000];
        mechanism m;
        begin(&m, text_of(&loops[k], text), CRANK_COORDINATES_JOINT, orientation);
        assert_int_equal(m.eom->sizes.v, loops[k].unknowns);
        mechanism_end(&m);
        print_message("%s%s\n", loops[k].type, loops[k].drive);
        agree(text, orientation);
    }
    for (int k = 0; k < OTHERS; k++) {
        print_message("other %d\n", k);
        agree(others[k], orientation);
    }
}

static void every_type_of_tree_joint_agrees_inside_a_loop(void **state)
{
    (void)state;
    all_types_agree(CRANK_ORIENTATION_QUATERNION);
}

static void so_it_does_with_cardan_angles(void **state)
{
    (void)state;
    all_types_agree(CRANK_ORIENTATION_CARDAN);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_of_tree_joint_agrees_inside_a_loop),
        cmocka_unit_test(so_it_does_with_cardan_angles),
    };
    return CHECK_RUN(argc, argv, tests);
}
