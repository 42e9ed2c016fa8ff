/* test_expressions.c - what names in expressions of mechanisms stand for: reactions, joint
 * accelerations, points of bodies, orientations, rates in body axes, multipliers. */
// SPDX-License-Identifier: BSD-3-Clause
#include "joint_examples.h"
#include "linalg/rotation.h"
#include "mechanism.h"

enum { TEXT = 8000, NAME = 64 };

/* ---- reactions ---- */

typedef struct listed {
    int count;
    char name[NAME][NAME];
} listed;

/* columns "joint.NAME.QUANTITY" whose quantity ends so, or is one of these */
static listed list_columns(const mechanism *m, bool (*wanted)(const char *quantity))
{
    listed list = {0};
    const crank_model *model = crank_state_model(m->model);
    for (int i = 0; i < crank_model_column_count(model); i++) {
        const char *name = crank_model_column_name(model, i);
        if (strncmp(name, "joint.", 6) == 0 && strstr(name, ".unique.") == NULL &&
            wanted(strrchr(name, '.') + 1)) {
            assert_true(list.count < NAME && strlen(name) < NAME);
            strcpy(list.name[list.count++], name);
        }
    }
    return list;
}

static bool is_reaction(const char *quantity)
{
    return strlen(quantity) == 2 && strchr("ft", quantity[0]) != NULL &&
           strchr("xyz", quantity[1]) != NULL;
}

/* the example with an output o0, o1, ... for every name, `more` behind each */
static const char *with_outputs(const example *e, const char *top, const listed *list,
                                const char *more)
{
    static char text[TEXT];
    int used = snprintf(text, TEXT, "%s%s%soutputs:\n", e->head, e->joints, top);
    for (int i = 0; i < list->count; i++) {
        used +=
            snprintf(text + used, TEXT - (size_t)used, "  o%d: %s%s\n", i, list->name[i], more);
    }
    assert_true(used < TEXT);
    return text;
}

static void compare_reactions(const example *e, const char *top, random_source *r)
{
    mechanism m;
    char text[TEXT];
    (void)snprintf(text, TEXT, "%s%s%s", e->head, e->joints, top);
    mechanism_begin(&m, text);
    const listed list = list_columns(&m, is_reaction);
    mechanism_end(&m);
    if (list.count == 0) {
        return;
    }
    mechanism_begin(&m, with_outputs(e, top, &list, ""));
    for (int times = 0; times < 3; times++) {
        double size = 1.0;
        mechanism_random(&m, r);
        for (int i = 0; i < list.count; i++) {
            size = fmax(size, fabs(mechanism_value(&m, list.name[i])));
        }
        for (int i = 0; i < list.count; i++) {
            char name[16];
            (void)snprintf(name, sizeof name, "o%d", i);
            const double found = mechanism_value(&m, name);
            if (!(fabs(found - mechanism_value(&m, list.name[i])) <= 1e-13 * size)) {
                print_error("%s, %s\n", e->name, list.name[i]);
            }
            CHECK_NEAR(found, mechanism_value(&m, list.name[i]), 1e-13 * size); /* rounding */
        }
    }
    mechanism_end(&m);
}

static void reactions_in_expressions_are_those_of_the_columns(void **state)
{
    random_source r = {UINT64_C(88172645463325252) + 1};
    (void)state;
    for (int i = 0; i < EXAMPLES; i++) {
        compare_reactions(&examples[i], "", &r);
        compare_reactions(&examples[i], "reactions: joint\n", &r);
    }
}

static void reactions_on_the_ground_and_on_points_are_those_of_the_columns(void **state)
{
    static const example more[] = {
        {"ground second", spatial,
         "  j: {type: revolute, between: [a, ground], at: [0.3, 0.1, 0.2], axis: [1, 2, 2]}\n"
         "  k: {type: distance, between: [b, ground], at: [[0.4, 0, 0.2], [0, 1, 2]]}\n",
         6, 0, 0, 6},
        {"point",
         "crank: mechanism\nbodies:\n  a: {type: point, mass: 1, position: [1, 0, 0]}\n"
         "  b: {mass: 1, inertia: [1, 1, 1]}\njoints:\n",
         "  j: {type: spherical, between: [b, a], at: [1, 0.2, 0.1]}\n", 3, 0, 0, 6},
        {"planar point",
         "crank: mechanism\ndimension: 2\nbodies:\n  a: {type: point, mass: 1, position: [1, "
         "0]}\n"
         "  b: {mass: 1, inertia: 1}\njoints:\n",
         "  j: {type: distance, between: [a, b], at: [[1, 0], [0.2, 0.3]]}\n", 1, 0, 0, 4},
    };
    random_source r = {UINT64_C(88172645463325252) + 2};
    (void)state;
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        compare_reactions(&more[i], "", &r);
        compare_reactions(&more[i], "reactions: joint\n", &r);
    }
}

/* a block on a rail that a turning force lifts and presses down */
#define SLIDER                                                                                 \
    "crank: mechanism\n"                                                                       \
    "dimension: 2\n"                                                                           \
    "gravity: [0, -10]\n"                                                                      \
    "bodies: {a: {mass: 2, inertia: 1, velocity: [3, 0]}}\n"                                   \
    "joints: {j: {type: prismatic, between: [ground, a], at: [0, 0], axis: [1, 0]}}\n"         \
    "forces:\n"                                                                                \
    "  pull: {type: force, body: a, force: [4*sin(3*t), 9*cos(3*t)]}\n"

static void friction_written_with_a_reaction_is_the_built_in_one(void **state)
{
    mechanism own, built_in;
    const double tolerance = 1e-9;
    (void)state;
    mechanism_begin(&own, SLIDER "  rub: {type: force, body: a, force: [\"-0.3*abs(joint.j.fy)*"
                                 "tanh(joint.j.length_rate/0.1)\", 0]}\n");
    mechanism_begin(&built_in,
                    SLIDER "  rub: {type: friction, joint: j, coefficient: 0.3, slip: 0.1}\n");
    mechanism_run(&own, 0.8, tolerance);
    mechanism_run(&built_in, 0.8, tolerance);
    CHECK_NEAR(mechanism_value(&own, "body.a.x"), mechanism_value(&built_in, "body.a.x"),
               100.0 * tolerance);
    CHECK_NEAR(mechanism_value(&own, "body.a.vx"), mechanism_value(&built_in, "body.a.vx"),
               100.0 * tolerance);
    CHECK_NEAR(mechanism_value(&own, "joint.j.fy"), 20.0 - 9.0 * cos(2.4), 1e-6);
    mechanism_end(&own);
    mechanism_end(&built_in);
}

/* ---- accelerations ---- */

static bool is_rate(const char *quantity)
{
    return strlen(quantity) > 5 && strcmp(quantity + strlen(quantity) - 5, "_rate") == 0;
}

/* x(t + h) of a motion with the velocities and accelerations of x */
static void move(mechanism *m, const double *from, double h)
{
    double k[MECHANISM_MAX];
    const crank_eom_sizes sizes = crank_eom_get_sizes(m->eom);
    const int p = crank_eom_column(m->eom, CRANK_P), v = crank_eom_column(m->eom, CRANK_V);
    const int a = crank_eom_column(m->eom, CRANK_W) + sizes.w - sizes.v; /* auxiliary first */
    CHECK_OK(crank_eom_evaluate(m->eom, 0.0, from, k, &m->err), m->err);
    memcpy(m->x, from, (size_t)m->n * sizeof *from);
    for (int i = 0; i < sizes.p; i++) {
        m->x[p + i] += h * k[crank_eom_row(m->eom, CRANK_ROW_KIN) + i];
    }
    for (int i = 0; i < sizes.v; i++) {
        m->x[v + i] += h * from[a + i];
    }
    m->t = h;
}

/* d/dt of a column by differences at the point of m, which is left as it is */
static double rate_of(mechanism *m, const char *name)
{
    const double h = 1e-5; /* h^2 and rounding/h below 1e-9 */
    double from[MECHANISM_MAX], value[2];
    memcpy(from, m->x, (size_t)m->n * sizeof *from);
    for (int i = 0; i < 2; i++) {
        move(m, from, i == 0 ? -h : h);
        value[i] = mechanism_value(m, name);
    }
    memcpy(m->x, from, (size_t)m->n * sizeof *from);
    m->t = 0.0;
    return (value[1] - value[0]) / (2.0 * h);
}

static void accelerations_of_joints_are_the_rates_of_their_rates(void **state)
{
    random_source r = {UINT64_C(88172645463325252) + 3};
    int compared = 0;
    (void)state;
    for (int e = 0; e < EXAMPLES; e++) {
        mechanism m;
        char text[TEXT];
        (void)snprintf(text, TEXT, "%s%s", examples[e].head, examples[e].joints);
        mechanism_begin(&m, text);
        listed list = list_columns(&m, is_rate);
        mechanism_end(&m);
        if (list.count == 0 || examples[e].contact > 0) {
            continue;
        }
        const listed rates = list;
        for (int i = 0; i < list.count; i++) {
            list.name[i][strlen(list.name[i]) - 5] = '\0';
        }
        mechanism_begin(&m, with_outputs(&examples[e], "", &list, "_acceleration"));
        for (int i = crank_eom_column(m.eom, CRANK_W); i < crank_eom_column(m.eom, CRANK_W + 1);
             i++) {
            m.x[i] = random_real(&r); /* any accelerations do */
        }
        for (int i = 0; i < list.count; i++) {
            char name[16];
            (void)snprintf(name, sizeof name, "o%d", i);
            const double expected = rate_of(&m, rates.name[i]);
            CHECK_NEAR(mechanism_value(&m, name), expected, 1e-6 * (1.0 + fabs(expected)));
            compared++;
        }
        mechanism_end(&m);
    }
    assert_true(compared > 20);
}

/* A point that runs along a circle of radius 1 with s' = 2 has s'' = 0 where nothing pulls. */
static void contact_variables_have_rates_and_accelerations(void **state)
{
    mechanism m;
    (void)state;
    mechanism_begin(&m,
                    "crank: mechanism\ndimension: 2\ngravity: [-5, 0]\n"
                    "bodies: {a: {type: point, mass: 1, position: [1, 0], velocity: [0, 2]}}\n"
                    "joints: {j: {type: curve, between: [ground, a], curve: [cos(s), sin(s)], "
                    "start: 0}}\n"
                    "outputs: {v: joint.j.s_rate, a: joint.j.s_acceleration}\n");
    CHECK_NEAR(mechanism_value(&m, "v"), 2.0, 1e-12);
    CHECK_NEAR(mechanism_value(&m, "a"), 0.0, 1e-12);
    mechanism_run(&m, 0.5, 1e-9); /* s'' = 5 sin s: gravity along the circle */
    CHECK_NEAR(mechanism_value(&m, "a"), 5.0 * sin(mechanism_value(&m, "joint.j.s")), 1e-6);
    mechanism_end(&m);
}

/* ---- bodies ---- */

static void orientation(mechanism *m, double R[9])
{
    double q[4];
    for (int i = 0; i < 4; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "body.b.q%d", i);
        q[i] = mechanism_value(m, name);
    }
    crank_quaternion_matrix(R, q);
}

static void vector_of(mechanism *m, const char *format, double out[3])
{
    for (int i = 0; i < 3; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, format, "xyz"[i]);
        out[i] = mechanism_value(m, name);
    }
}

#define TURNING                                                                                \
    "crank: mechanism\n"                                                                       \
    "bodies: {b: {mass: 1, inertia: [1, 2, 2.5], center: [0.1, 0.2, 0.3],\n"                   \
    "  points: {tip: [0.5, -0.4, 0.3], heel: [0, 0, 0]}}}\n"

static void points_of_bodies_move_with_them(void **state)
{
    mechanism m;
    random_source r = {UINT64_C(88172645463325252) + 4};
    const double u[3] = {0.5, -0.4, 0.3};
    double R[9], x[3], v[3], w[3], arm[3], slide[3], tip[3], tip_v[3];
    (void)state;
    mechanism_begin(&m,
                    TURNING "outputs: {tx: body.b.tip.x, ty: body.b.tip.y, tz: body.b.tip.z,\n"
                            "  tvx: body.b.tip.vx, tvy: body.b.tip.vy, tvz: body.b.tip.vz,\n"
                            "  tax: body.b.tip.ax, tay: body.b.tip.ay, taz: body.b.tip.az,\n"
                            "  heel: body.b.heel.y - body.b.y}\n");
    mechanism_random(&m, &r);
    orientation(&m, R);
    vector_of(&m, "body.b.%c", x);
    vector_of(&m, "body.b.v%c", v);
    vector_of(&m, "body.b.w%c", w);
    vector_of(&m, "t%c", tip);
    vector_of(&m, "tv%c", tip_v);
    crank_mat3_times(arm, R, u);
    crank_cross3(slide, w, arm);
    for (int i = 0; i < 3; i++) {
        char rate[8], acceleration[8];
        CHECK_NEAR(tip[i], x[i] + arm[i], 1e-14);
        CHECK_NEAR(tip_v[i], v[i] + slide[i], 1e-14);
        (void)snprintf(rate, sizeof rate, "tv%c", "xyz"[i]);
        (void)snprintf(acceleration, sizeof acceleration, "ta%c", "xyz"[i]);
        CHECK_NEAR(mechanism_value(&m, acceleration), rate_of(&m, rate), 1e-7);
    }
    CHECK_NEAR(mechanism_value(&m, "heel"), 0.0, 1e-15);
    mechanism_end(&m);
}

static void rates_in_body_axes_are_the_angular_velocity_turned_back(void **state)
{
    mechanism m;
    random_source r = {UINT64_C(88172645463325252) + 5};
    double R[9], w[3], omega[3], expected[3];
    (void)state;
    mechanism_begin(&m, TURNING
                    "outputs: {ox: body.b.omega_x, oy: body.b.omega_y, oz: body.b.omega_z,\n"
                    "  dx: body.b.domega_x, dy: body.b.domega_y, dz: body.b.domega_z}\n");
    mechanism_random(&m, &r);
    orientation(&m, R);
    vector_of(&m, "body.b.w%c", w);
    vector_of(&m, "o%c", omega);
    crank_mat3_transposed_times(expected, R, w);
    for (int i = 0; i < 3; i++) {
        char rate[8], acceleration[8];
        CHECK_NEAR(omega[i], expected[i], 1e-14);
        (void)snprintf(rate, sizeof rate, "o%c", "xyz"[i]);
        (void)snprintf(acceleration, sizeof acceleration, "d%c", "xyz"[i]);
        CHECK_NEAR(mechanism_value(&m, acceleration), rate_of(&m, rate), 1e-7);
    }
    mechanism_end(&m);
}

static void orientations_are_matrix_and_angles(void **state)
{
    mechanism m;
    random_source r = {UINT64_C(88172645463325252) + 6};
    double R[9];
    (void)state;
    mechanism_begin(&m, TURNING
                    "outputs: {r11: body.b.r11, r12: body.b.r12, r13: body.b.r13, r21: "
                    "body.b.r21, r22: body.b.r22,\n"
                    "  r23: body.b.r23, r31: body.b.r31, r32: body.b.r32, r33: body.b.r33,\n"
                    "  roll: body.b.roll, pitch: body.b.pitch, yaw: body.b.yaw}\n");
    for (int times = 0; times < 5; times++) {
        mechanism_random(&m, &r);
        orientation(&m, R);
        for (int i = 0; i < 9; i++) {
            char name[8];
            (void)snprintf(name, sizeof name, "r%d%d", i / 3 + 1, i % 3 + 1);
            CHECK_NEAR(mechanism_value(&m, name), R[i], 1e-15);
        }
        /* R = Rz(yaw) Ry(pitch) Rx(roll) */
        const double a = mechanism_value(&m, "roll"), b = mechanism_value(&m, "pitch"),
                     c = mechanism_value(&m, "yaw");
        const double product[9] = {cos(c) * cos(b),
                                   cos(c) * sin(b) * sin(a) - sin(c) * cos(a),
                                   cos(c) * sin(b) * cos(a) + sin(c) * sin(a),
                                   sin(c) * cos(b),
                                   sin(c) * sin(b) * sin(a) + cos(c) * cos(a),
                                   sin(c) * sin(b) * cos(a) - cos(c) * sin(a),
                                   -sin(b),
                                   cos(b) * sin(a),
                                   cos(b) * cos(a)};
        for (int i = 0; i < 9; i++) {
            CHECK_NEAR(product[i], R[i], 1e-14);
        }
    }
    mechanism_end(&m);
}

/* A constraint on the matrix holds a body upright: r33 = 1 has no gradient there, r31 and r32
 * have one. */
static void orientations_may_be_constrained(void **state)
{
    mechanism m;
    (void)state;
    mechanism_begin(
        &m, "crank: mechanism\n"
            "bodies: {b: {mass: 1, inertia: [1, 2, 2.5], angular_velocity: [0, 0, 2]}}\n"
            "holonomic: {flat: body.b.r31, level: body.b.r32, yaw: body.b.yaw - 2*t}\n"
            "forces: {push: {type: torque, body: b, torque: [3, 4, 0]}}\n");
    mechanism_run(&m, 4.0, 1e-9); /* more than a turn */
    CHECK_NEAR(mechanism_value(&m, "body.b.wz"), 2.0, 1e-9);
    CHECK_NEAR(mechanism_value(&m, "body.b.q0"), cos(4.0), 1e-7);
    CHECK_NEAR(mechanism_value(&m, "body.b.q1"), 0.0, 1e-12);
    mechanism_end(&m);
}

/* ---- multipliers ---- */

static void multipliers_of_constraints_may_be_read(void **state)
{
    mechanism m;
    (void)state;
    /* a force that is half of what holds b, stated before the constraint is built */
    mechanism_begin(&m,
                    "crank: mechanism\n"
                    "gravity: [0, 0, -10]\n"
                    "bodies: {a: {type: point, mass: 2}, b: {type: point, mass: 3}}\n"
                    "forces: {lift: {type: force, body: a, force: [0, 0, -lambda.hold/2]}}\n"
                    "holonomic: {hold: body.b.z}\n"
                    "nonholonomic: {slow: body.b.vx}\n"
                    "outputs: {l: 2*lambda.hold, m: mu.slow, az: body.a.az}\n");
    CHECK_NEAR(mechanism_value(&m, "lambda.hold"), -30.0, 1e-12);
    CHECK_NEAR(mechanism_value(&m, "l"), -60.0, 1e-12);
    CHECK_NEAR(mechanism_value(&m, "m"), 0.0, 1e-12);
    CHECK_NEAR(mechanism_value(&m, "az"), -10.0 + 15.0 / 2.0, 1e-12);
    mechanism_end(&m);
}

/* ---- refusals ---- */

static void refuse(const char *text, const char *message)
{
    mechanism m;
    const crank_status status = mechanism_try(&m, text);
    CHECK_STATUS(status, CRANK_EMODEL);
    if (strcmp(m.err.text, message) != 0) {
        print_error("expected %s\ngot      %s\n", message, m.err.text);
        fail();
    }
    assert_true(m.err.line > 0);
}

#define HINGE                                                                                  \
    "crank: mechanism\n"                                                                       \
    "bodies: {a: {mass: 1, inertia: [1, 1, 1], points: {tip: [1, 0, 0]}}}\n"                   \
    "joints:\n"                                                                                \
    "  j: {type: spherical, between: [ground, a], at: [0, 0, 0]}\n"

static void what_is_algebraic_is_refused_in_constraints_by_name(void **state)
{
    (void)state;
    refuse(HINGE "holonomic: {h: body.a.x - joint.j.fx}\n",
           "holonomic \"h\": the holonomic constraint contains \"joint.j.fx\", a constraint "
           "force; it may contain positions and t; constraints on velocities are nonholonomic");
    refuse(HINGE "let: {load: joint.j.fz}\nnonholonomic: {h: body.a.vx - load}\n",
           "nonholonomic \"h\": the nonholonomic constraint contains \"joint.j.fz\", a "
           "constraint force; it may contain positions, velocities and t");
    refuse(HINGE "  d: {type: driver, of: body.a.x + body.a.tip.ax, is: t}\n",
           "joint \"d\": the holonomic constraint contains \"body.a.tip.ax\", an acceleration; "
           "it may contain positions and t; constraints on velocities are nonholonomic");
    refuse(HINGE "holonomic: {h: body.a.x, g: body.a.y - lambda.h}\n",
           "holonomic \"g\": the holonomic constraint contains \"lambda.h\", a constraint "
           "force; it may contain positions and t; constraints on velocities are nonholonomic");
    refuse(HINGE "holonomic: {h: body.a.y - force.f.fx}\n"
                 "forces: {f: {type: force, body: a, force: [lambda.h, 0, 0]}}\n",
           "holonomic \"h\": force \"f\" has no quantity \"fx\": it is defined in a circle, it "
           "needs what asks for it");
    refuse(HINGE "holonomic: {h: body.a.x - lambda.g, g: body.a.y - lambda.h}\n",
           "holonomic \"h\": it is defined in a circle: what it refers to refers to its "
           "multiplier");
}

static void names_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    refuse(HINGE "outputs: {o: body.a.toe.x}\n",
           "output \"o\": body \"a\" has no quantity \"toe.x\": none of its `points` has this "
           "name");
    refuse(HINGE "outputs: {o: body.a.tip.wx}\n",
           "output \"o\": body \"a\" has no quantity \"tip.wx\"; did you mean \"x\"?");
    refuse(HINGE "outputs: {o: joint.j.angle_acceleration}\n",
           "output \"o\": joint \"j\" has no quantity \"angle_acceleration\"; it has fx, fy, "
           "fz, tx, "
           "ty, tz");
    refuse(
        "crank: mechanism\nbodies: {a: {type: point, mass: 1}}\n"
        "outputs: {o: body.a.radius}\n",
        "output \"o\": body \"a\" has no quantity \"radius\"; it has x, y, z, vx, vy, vz, ax, "
        "ay, az");
    refuse("crank: mechanism\nbodies: {a: {type: point, mass: 1}}\noutputs: {o: body.a.r11}\n",
           "output \"o\": body \"a\" has no quantity \"r11\": it is a point mass and does not "
           "turn");
    refuse(HINGE "outputs: {o: lambda.h}\n", "output \"o\": \"lambda.h\" is not defined");
    refuse("crank: mechanism\nbodies: {a: {type: point, mass: 1, points: {tip: [1, 0, 0]}}}\n",
           "body \"a\": \"points\" has no meaning for a point");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reactions_in_expressions_are_those_of_the_columns),
        cmocka_unit_test(reactions_on_the_ground_and_on_points_are_those_of_the_columns),
        cmocka_unit_test(friction_written_with_a_reaction_is_the_built_in_one),
        cmocka_unit_test(accelerations_of_joints_are_the_rates_of_their_rates),
        cmocka_unit_test(contact_variables_have_rates_and_accelerations),
        cmocka_unit_test(points_of_bodies_move_with_them),
        cmocka_unit_test(rates_in_body_axes_are_the_angular_velocity_turned_back),
        cmocka_unit_test(orientations_are_matrix_and_angles),
        cmocka_unit_test(orientations_may_be_constrained),
        cmocka_unit_test(multipliers_of_constraints_may_be_read),
        cmocka_unit_test(what_is_algebraic_is_refused_in_constraints_by_name),
        cmocka_unit_test(names_that_mean_nothing_are_refused),
    };
    CHECK_RUN(argc, argv, tests);
}
