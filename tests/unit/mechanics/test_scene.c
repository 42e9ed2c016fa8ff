/* test_scene.c - the scene of mechanisms: every joint and force has its place, in axes of its
 * bodies; shapes; the view. */
// SPDX-License-Identifier: BSD-3-Clause
#include "joint_examples.h"
#include "linalg/rotation.h"
#include "mechanics/build.h"
#include "unit/mechanics/scene_text.h"

static double value_of(mechanism *m, const char *name)
{
    double values[MECHANISM_MAX];
    CHECK_OK(crank_state_columns(m->model, m->t, m->x, values, &m->err), m->err);
    for (int i = 0; i < crank_model_column_count(crank_state_model(m->model)); i++) {
        if (strcmp(crank_model_column_name(crank_state_model(m->model), i), name) == 0) {
            return values[i];
        }
    }
    print_error("no column %s\n", name);
    fail();
    return 0.0;
}

/* a reference: a column or a number; otherwise: what is missing */
static double reference(mechanism *m, const char *text, const char *path, double otherwise)
{
    const char *at = json_at(text, path);
    if (at == NULL) {
        return otherwise;
    }
    if (*at != '"') {
        return strtod(at, NULL);
    }
    char name[200];
    (void)snprintf(name, sizeof name, "%.*s", (int)(json_end(at) - at) - 2, at + 1);
    return value_of(m, name);
}

static void pose(mechanism *m, const char *scene, int body, double x[3], double R[9])
{
    double q[4] = {1.0, 0.0, 0.0, 0.0};
    static const double z[3] = {0.0, 0.0, 1.0};
    static const char *const names[] = {"x", "y", "z", "q0", "q1", "q2", "q3"};
    char path[64];
    memset(x, 0, 3 * sizeof *x);
    for (int i = 0; i < 7 && body >= 0; i++) {
        (void)snprintf(path, sizeof path, "bodies.%d.pose.%s", body, names[i]);
        *(i < 3 ? &x[i] : &q[i - 3]) = reference(m, scene, path, i == 3 ? 1.0 : 0.0);
    }
    (void)snprintf(path, sizeof path, "bodies.%d.pose.angle", body);
    if (body >= 0 && json_at(scene, path) != NULL) {
        crank_quaternion_of_axis(q, z, reference(m, scene, path, 0.0));
    }
    crank_quaternion_matrix(R, q);
}

/* point (from the origin) or axis of an end of joint or force i in the world */
static void in_world(mechanism *m, const char *scene, const char *item, const char *what, int k,
                     double out[3])
{
    char path[80];
    double x[3], R[9], own[3];
    (void)snprintf(path, sizeof path, "%.40s.bodies.%d", item, k);
    pose(m, scene, (int)json_number(scene, path), x, R);
    (void)snprintf(path, sizeof path, "%.40s.%.10s.%d", item, what, k);
    vector(scene, path, own);
    crank_mat3_times(out, R, own);
    if (strcmp(what, "points") == 0) {
        crank_add3(out, 1.0, x);
    }
}

static bool has_glyph(const char *scene, const char *item, const char *words)
{
    char path[60], word[40];
    (void)snprintf(path, sizeof path, "%.40s.glyph", item);
    const char *at = json_at(scene, path);
    assert_non_null(at);
    (void)snprintf(word, sizeof word, "|%.*s|", (int)(json_end(at) - at) - 2, at + 1);
    return strstr(words, word) != NULL;
}

/* what the glyph promises, at consistent positions */
static void check_joint(mechanism *m, const char *scene, const char *item)
{
    double point[2][3], axis[2][3], d[3], cross[3];
    char path[60];
    for (int k = 0; k < 2; k++) {
        in_world(m, scene, item, "points", k, point[k]);
    }
    for (int i = 0; i < 3; i++) {
        d[i] = point[1][i] - point[0][i];
    }
    if (has_glyph(scene, item, "|hinge|ball|universal|weld|")) {
        CHECK_NEAR(crank_norm3(d), 0.0, exact);
    }
    (void)snprintf(path, sizeof path, "%.40s.axes", item);
    if (json_is(scene, path, "null")) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        in_world(m, scene, item, "axes", k, axis[k]);
        CHECK_NEAR(crank_norm3(axis[k]), 1.0, exact);
    }
    crank_cross3(cross, axis[0], axis[1]);
    if (has_glyph(scene, item, "|hinge|slider|cylinder|screw|plane|")) {
        CHECK_NEAR(crank_norm3(cross), 0.0, exact);
    } else if (has_glyph(scene, item, "|universal|")) {
        CHECK_NEAR(crank_dot3(axis[0], axis[1]), 0.0, exact);
    }
    crank_cross3(cross, axis[0], d);
    if (has_glyph(scene, item, "|slider|cylinder|screw|")) {
        CHECK_NEAR(crank_norm3(cross), 0.0, exact);
    } else if (has_glyph(scene, item, "|plane|")) {
        CHECK_NEAR(crank_dot3(axis[0], d), 0.0, exact);
    }
}

static void every_joint_is_where_its_glyph_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        mechanism m;
        char text[4096];
        (void)snprintf(text, sizeof text, "%s%s", examples[i].head, examples[i].joints);
        mechanism_begin(&m, text);
        char *scene = scene_of(&m);
        const int count = json_count(scene, "joints");
        assert_true(count > 0);
        for (int k = 0; k < count; k++) {
            char item[40];
            (void)snprintf(item, sizeof item, "joints.%d", k);
            check_joint(&m, scene, item);
        }
        free(scene);
        mechanism_end(&m);
    }
}

static void every_type_has_a_glyph(void **state)
{
    (void)state;
    static const char known[] =
        "|hinge|slider|cylinder|ball|universal|weld|plane|point|screw|gear|wheel|link|none|"
        "spring|damper|actuator|arrow|torque|contact|bushing|";
    char word[40];
    for (int i = 0; crank_joint_types[i] != NULL; i++) {
        (void)snprintf(word, sizeof word, "|%s|", crank_joint_types[i]->glyph);
        assert_non_null(strstr(known, word));
    }
    for (int i = 0; crank_force_types[i] != NULL; i++) {
        (void)snprintf(word, sizeof word, "|%s|", crank_force_types[i]->glyph);
        assert_non_null(strstr(known, word));
    }
}

#define PENDULUM                                                                               \
    "crank: mechanism\n"                                                                       \
    "gravity: [0, 0, -9.81]\n"                                                                 \
    "bodies:\n"                                                                                \
    "  rod: {mass: 2, inertia: [0.3, 0.4, 0.5], center: [0.1, 0.2, -0.5], position: [1, 2, "   \
    "3],\n"                                                                                    \
    "        orientation: {axis: [1, 2, 3], angle: 0.4}, angular_velocity: [0.5, 1, 0.3]}\n"   \
    "joints:\n"                                                                                \
    "  pivot: {type: revolute, between: [ground, rod], at: [1.2, 2, 3.1], axis: [1, 2, 2]}\n"

static void reactions_in_joint_axes_are_those_of_the_world_turned_by_the_frame(void **state)
{
    (void)state;
    static const char *const names[] = {"joint.pivot.fx", "joint.pivot.fy", "joint.pivot.fz"};
    mechanism world, joint;
    mechanism_begin(&world, PENDULUM);
    mechanism_begin(&joint, PENDULUM "reactions: joint\n");
    for (int i = 0; i < joint.n; i++) {
        joint.x[i] = 0.7 + 0.1 * i; /* any state: the same of both */
        world.x[i] = joint.x[i];
    }
    char *scene = scene_of(&joint), *other = scene_of(&world);
    assert_true(json_is(scene, "joints.0.reaction.axes", "\"joint\""));
    assert_true(json_is(other, "joints.0.reaction.axes", "\"world\""));
    assert_true(json_is(scene, "joints.0.reaction.force.2", "\"joint.pivot.fz\""));
    assert_true(json_is(scene, "joints.0.reaction.torque.0", "\"joint.pivot.tx\""));
    double q[4], frame[9], x[3], R[9], f[3], body[3], turned[3];
    for (int i = 0; i < 4; i++) {
        char path[40];
        (void)snprintf(path, sizeof path, "joints.0.reaction.frame.%d", i);
        q[i] = json_number(scene, path);
    }
    crank_quaternion_matrix(frame, q);
    pose(&joint, scene, 0, x, R); /* not of unit length: R is scaled alike on both sides */
    for (int i = 0; i < 3; i++) {
        f[i] = value_of(&joint, names[i]);
    }
    crank_mat3_times(body, frame, f);
    crank_mat3_times(turned, R, body);
    double size = 0.0;
    for (int i = 0; i < 4; i++) {
        static const char *const parts[] = {"body.rod.q0", "body.rod.q1", "body.rod.q2",
                                            "body.rod.q3"};
        size += value_of(&joint, parts[i]) * value_of(&joint, parts[i]);
    }
    for (int i = 0; i < 3; i++) { /* components were taken with R, too */
        const double wanted = value_of(&world, names[i]);
        CHECK_NEAR(turned[i] / (size * size), wanted, 1e-7 * (1.0 + fabs(wanted)));
    }
    free(scene);
    free(other);
    mechanism_end(&world);
    mechanism_end(&joint);
}

static void forces_have_ends_and_columns(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(
        &m, "crank: mechanism\n"
            "gravity: [0, 0, -9.81]\n"
            "bodies:\n"
            "  a: {mass: 2, inertia: [1, 1, 1], center: [0, 0, 0.5], position: [1, 0, 2]}\n"
            "  b: {type: point, mass: 1, position: [3, 0, 2]}\n"
            "joints:\n"
            "  hinge: {type: revolute, between: [ground, a], at: [1, 0, 2], axis: [0, 1, 0]}\n"
            "forces:\n"
            "  s: {type: spring, between: [a, b], at: [[1, 0, 3], [3, 0, 2]], stiffness: 5}\n"
            "  d: {type: spring, between: [a, b], at: [[1, 0, 3], [3, 0, 2]], damping: 5}\n"
            "  p: {type: actuator, between: [a, b], at: [[1, 0, 3], [3, 0, 2]], command: 1}\n"
            "  f: {type: force, body: a, local: [0, 1, 0], force: [1, t, 0], axes: body}\n"
            "  w: {type: tyre, body: b, stiffness: 100, radius: 2}\n"
            "  k: {type: torsion, joint: hinge, stiffness: 3}\n"
            "  u: {type: torque, body: a, torque: [0, 0, 1]}\n"
            "  r: {type: friction, joint: hinge, level: 1, slip: 0.1}\n"
            "  g: {type: bushing, between: [ground, b], at: [3, 0, 2], stiffness: [1, 1, 1, 0, "
            "0, 0]}\n");
    char *s = scene_of(&m);
    assert_true(json_is(s, "forces.0.glyph", "\"spring\""));
    assert_true(json_is(s, "forces.0.bodies", "[0,1]"));
    assert_true(json_is(s, "forces.0.points", "[[0,0,1],[0,0,0]]"));
    assert_true(json_is(s, "forces.0.value", "\"force.s.force\""));
    assert_true(json_is(s, "forces.1.glyph", "\"damper\""));
    assert_true(json_is(s, "forces.2.glyph", "\"actuator\""));
    assert_true(json_is(s, "forces.3.glyph", "\"arrow\""));
    assert_true(json_is(s, "forces.3.bodies", "[-1,0]"));
    assert_true(json_is(s, "forces.3.points.1", "[0,1,0]"));
    assert_true(json_is(s, "forces.3.value", "null"));
    assert_true(
        json_is(s, "forces.3.components", "[\"force.f.fx\",\"force.f.fy\",\"force.f.fz\"]"));
    assert_true(json_is(s, "forces.3.direction_in", "\"body\""));
    assert_true(json_is(s, "forces.4.glyph", "\"contact\""));
    assert_true(json_is(s, "forces.4.direction", "[0,0,1]"));
    assert_true(json_is(s, "forces.4.radius", "2"));
    assert_true(json_is(s, "forces.5.value", "\"force.k.torque\""));
    assert_true(json_is(s, "forces.5.direction", "[0,1,0]"));
    assert_true(json_is(s, "forces.6.components.2", "\"force.u.tz\""));
    assert_true(json_is(s, "forces.7.glyph", "\"none\""));
    assert_true(json_is(s, "forces.8.glyph", "\"bushing\""));
    assert_true(json_is(s, "forces.8.points.0", "[3,0,2]"));
    assert_true(json_is(s, "joints.0.points.1", "[0,0,0]"));
    free(s);
    mechanism_end(&m);
}

static void solids_are_drawn_and_other_bodies_guessed(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(
        &m,
        "crank: mechanism\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  block: {density: 1, shape: {box: [1, 2, 3]}, center: [0, 0, 4]}\n"
        "  cone: {density: 1, shape: {cone: [1, 2]}, position: [9, 0, 0]}\n"
        "  bar: {mass: 1, inertia: [1, 1, 1], center: [1, 0, 0], position: [0, 0, 20]}\n"
        "  wheel: {mass: 1, inertia: [1, 1, 2], position: [0, 2, 30]}\n"
        "  ball: {type: point, mass: 1, position: [2, 0, 20]}\n"
        "joints:\n"
        "  left: {type: spherical, between: [ground, bar], at: [0, 0, 20]}\n"
        "  right: {type: spherical, between: [bar, ball], at: [2, 0, 20]}\n"
        "  roll: {type: rolling_disc, between: [ground, wheel], radius: 2, axis: [0, 0, 1],\n"
        "         plane: {at: [0, 0, 0], normal: [0, 1, 0]}}\n");
    char *s = scene_of(&m);
    assert_true(json_is(s, "up", "[0,1,0]"));
    assert_true(
        json_is(s, "bodies.0.shapes", "[{\"kind\":\"box\",\"size\":[1,2,3],\"at\":[0,0,4]}]"));
    assert_true(json_is(s, "bodies.0.center", "[0,0,4]"));
    assert_true(json_is(s, "bodies.0.pose.q2", "\"body.block.q2\""));
    assert_true(json_is(s, "bodies.1.shapes",
                        "[{\"kind\":\"cone\",\"radius\":1,\"length\":2,\"at\":[0,0,0.5]}]"));
    assert_int_equal(json_count(s, "bodies.2.shapes"), 1);
    assert_true(json_is(s, "bodies.2.shapes.0.kind", "\"tube\""));
    assert_true(json_is(s, "bodies.2.shapes.0.guessed", "true"));
    CHECK_NEAR(fabs(json_number(s, "bodies.2.shapes.0.from.0") -
                    json_number(s, "bodies.2.shapes.0.to.0")),
               2.0, exact);
    assert_true(json_is(s, "bodies.3.shapes.0.kind", "\"cylinder\""));
    assert_true(json_is(s, "bodies.3.shapes.0.radius", "2"));
    assert_null(json_at(s, "bodies.3.shapes.0.orientation")); /* its axis is z */
    assert_true(json_is(s, "joints.2.radius", "2"));
    assert_true(json_is(s, "bodies.4.shapes.0.kind", "\"sphere\""));
    assert_null(json_at(s, "bodies.4.pose.q0"));
    free(s);
    mechanism_end(&m);
}

static void the_view_dresses_bodies_and_adds_columns(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(
        &m,
        "crank: mechanism\n"
        "title: \"<b> \\\" \\u2028 & \\x01 \\xe9\"\n"
        "dimension: 2\n"
        "parameters: {r: 0.25}\n"
        "bodies:\n"
        "  link1: {mass: 1, inertia: 1, position: [1, 0]}\n"
        "  link2: {mass: 1, inertia: 1, position: [2, 0]}\n"
        "  box: {mass: 1, inertia: 1, position: [3, 1]}\n"
        "view:\n"
        "  camera: top\n"
        "  follow: mark\n"
        "  plots: [[body.box.x, view.mark.x], energy.kinetic]\n"
        "  phase: [[body.box.x, body.box.vx]]\n"
        "  bodies:\n"
        "    \"link*\": {color: red}\n"
        "    link2: {hide: true}\n"
        "    box: {shapes: [{sphere: r}, {box: [1, 2], at: [0, 1, 3], color: \"#123abc\"}]}\n"
        "    mark: {x: 2*body.box.x, y: 7, angle: t + body.box.angle}\n"
        "  lines: {string: {points: [[0, 0], [body.box.x, 2*r]], width: 0.1, spring: true}}\n"
        "  traces: {tip: {body: box, point: [r, 0]}, top: {point: [0, body.box.y^2]}}\n");
    char *s = scene_of(&m);
    assert_string_equal(crank_model_title(crank_state_model(m.model)),
                        "<b> \" \xe2\x80\xa8 & \x01 \xc3\xa9");
    assert_true(json_is(s, "bodies.0.color", "\"#ff0000\""));
    assert_true(json_is(s, "bodies.1.color", "\"#ff0000\""));
    assert_true(json_is(s, "bodies.1.shapes", "[]"));
    assert_true(json_is(s, "bodies.2.shapes.0", "{\"kind\":\"sphere\",\"radius\":0.25}"));
    assert_true(json_is(s, "bodies.2.shapes.1.size", "[1,2,0.25]"));
    assert_true(json_is(s, "bodies.2.shapes.1.color", "\"#123abc\""));
    assert_true(json_is(s, "bodies.3.pose",
                        "{\"x\":\"view.mark.x\",\"y\":7,\"angle\":\"view.mark.angle\"}"));
    assert_true(json_is(s, "follow", "3"));
    assert_true(json_is(s, "camera", "{\"preset\":\"top\"}"));
    assert_true(json_is(s, "plots", "[[\"body.box.x\",\"view.mark.x\"],[\"energy.kinetic\"]]"));
    assert_true(json_is(s, "phase", "[[\"body.box.x\",\"body.box.vx\"]]"));
    assert_true(json_is(s, "lines.0.points", "[[0,0,0],[\"view.string.x2\",0.5,0]]"));
    assert_true(json_is(s, "traces.0.body", "2"));
    assert_true(json_is(s, "traces.1.point", "[0,\"view.top.y\",0]"));
    m.t = 0.5;
    CHECK_NEAR(value_of(&m, "view.mark.x"), 6.0, 0.0);
    CHECK_NEAR(value_of(&m, "view.mark.angle"), 0.5, 0.0);
    CHECK_NEAR(value_of(&m, "view.string.x2"), 3.0, 0.0);
    CHECK_NEAR(value_of(&m, "view.top.y"), 1.0, 0.0);
    const int last = crank_model_column_count(crank_state_model(m.model)) - 1;
    assert_string_equal(crank_model_column_name(crank_state_model(m.model), last),
                        "view.top.y");
    assert_string_equal(crank_model_column_unit(crank_state_model(m.model), last), "m");
    assert_string_equal(crank_model_column_unit(crank_state_model(m.model), last - 2), "rad");
    free(s);
    mechanism_end(&m);
}

static void rings_and_opacities_are_in_the_scene(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\n"
                        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                        "view:\n"
                        "  bodies:\n"
                        "    a: {opacity: 0.5, shapes: [{ring: [2, 0.1]}, {sphere: 1, "
                        "opacity: 1}]}\n");
    char *s = scene_of(&m);
    assert_true(json_is(s, "bodies.0.opacity", "0.5"));
    assert_true(
        json_is(s, "bodies.0.shapes.0", "{\"kind\":\"ring\",\"radius\":2,\"wire\":0.1}"));
    assert_true(json_is(s, "bodies.0.shapes.1.opacity", "1"));
    free(s);
    mechanism_end(&m);
}

static void bodies_of_inertia_alone_are_small(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\n"
                        "bodies:\n"
                        "  a: {mass: 1, inertia: [9, 9, 9]}\n"
                        "  b: {mass: 1, inertia: [9, 9, 9], position: [1, 0, 0]}\n");
    char *s = scene_of(&m);
    assert_true(json_is(s, "bodies.0.shapes.0.kind", "\"box\""));
    for (int k = 0; k < 3; k++) {
        char path[64];
        (void)snprintf(path, sizeof path, "bodies.0.shapes.0.size.%d", k);
        CHECK_NEAR(json_number(s, path), 0.12 * json_number(s, "scale"), exact);
    }
    free(s);
    mechanism_end(&m);
}

static void gears_have_the_radii_of_their_meshes_and_internal_ones_are_rings(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\n"
                        "dimension: 2\n"
                        "bodies:\n"
                        "  sun: {mass: 1, inertia: 9}\n"
                        "  planet: {mass: 1, inertia: 9, position: [0.5, 0]}\n"
                        "  ring: {mass: 1, inertia: 9}\n"
                        "joints:\n"
                        "  a: {type: revolute, between: [ground, sun], at: [0, 0]}\n"
                        "  b: {type: revolute, between: [ground, planet], at: [0.5, 0]}\n"
                        "  c: {type: revolute, between: [ground, ring], at: [0, 0]}\n"
                        "  outer: {type: mesh, between: [sun, planet], radii: [0.3, 0.2]}\n"
                        "  inner: {type: mesh, between: [planet, ring], radii: [0.2, -0.7]}\n");
    char *s = scene_of(&m);
    assert_true(json_is(s, "bodies.0.shapes.0.kind", "\"cylinder\""));
    CHECK_NEAR(json_number(s, "bodies.0.shapes.0.radius"), 0.3, exact);
    CHECK_NEAR(json_number(s, "bodies.1.shapes.0.radius"), 0.2, exact);
    assert_true(json_is(s, "bodies.2.shapes.0.kind", "\"ring\""));
    assert_int_equal(json_count(s, "bodies.2.shapes"), 1);
    CHECK_NEAR(json_number(s, "bodies.2.shapes.0.radius") -
                   json_number(s, "bodies.2.shapes.0.wire"),
               0.7, exact);
    CHECK_NEAR(json_number(s, "joints.4.radii.1"), -0.7, exact);
    assert_null(json_at(s, "joints.0.radii"));
    free(s);
    mechanism_end(&m);
}

static void a_law_that_switches_is_a_rope_and_other_laws_are_springs(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m,
                    "crank: mechanism\n"
                    "bodies:\n"
                    "  a: {type: point, mass: 1, position: [3, 0, 2]}\n"
                    "forces:\n"
                    "  rope: {type: spring, between: [ground, a], at: [[0, 0, 3], [3, 0, 2]], "
                    "law: \"max(0, 9*(length - 3))\"}\n"
                    "  stop: {type: spring, between: [ground, a], at: [[0, 0, 3], [3, 0, 2]], "
                    "law: \"if(length < 1, 9*(length - 1), 0)\"}\n"
                    "  coil: {type: spring, between: [ground, a], at: [[0, 0, 3], [3, 0, 2]], "
                    "law: 9*(length - 3) + rate}\n");
    char *s = scene_of(&m);
    assert_true(json_is(s, "forces.0.glyph", "\"rope\""));
    assert_true(json_is(s, "forces.1.glyph", "\"rope\""));
    assert_true(json_is(s, "forces.2.glyph", "\"spring\""));
    free(s);
    mechanism_end(&m);
}

static void barrel_and_rod_of_a_cylinder_are_no_blocks(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(&m, "crank: mechanism\n"
                        "dimension: 2\n"
                        "bodies:\n"
                        "  barrel: {mass: 1, inertia: 1}\n"
                        "  rod: {mass: 1, inertia: 1, position: [1, 0]}\n"
                        "  block: {mass: 1, inertia: 1, position: [1, 1]}\n"
                        "joints:\n"
                        "  a: {type: revolute, between: [ground, barrel], at: [0, 0]}\n"
                        "  b: {type: prismatic, between: [barrel, rod], at: {first: [0, 0], "
                        "second: [0, 0]}, axis: {first: [1, 0], second: [1, 0]}}\n"
                        "  c: {type: revolute, between: [rod, ground], at: [1, 0]}\n"
                        "  d: {type: prismatic, between: [ground, block], at: [1, 1], "
                        "axis: [1, 0]}\n");
    char *s = scene_of(&m);
    assert_true(json_is(s, "bodies.0.shapes.0.kind", "\"sphere\""));
    assert_true(json_is(s, "bodies.1.shapes.0.kind", "\"sphere\""));
    assert_true(json_is(s, "bodies.2.shapes.0.kind", "\"box\""));
    free(s);
    mechanism_end(&m);
}

static void bars_lead_to_named_points_but_discs_stay_discs(void **state)
{
    (void)state;
    static const char text[] =
        "crank: mechanism\n"
        "dimension: 2\n"
        "bodies:\n"
        "  arm: {mass: 1, inertia: 1, center: [1, 0], points: {tip: [3, 0]}}\n"
        "  disc: {mass: 1, inertia: 1, position: [0, 5], points: {rim: [1, 0]}}\n"
        "joints:\n"
        "  a: {type: revolute, between: [ground, arm], at: [0, 0]}\n"
        "  b: {type: revolute, between: [ground, disc], at: [0, 5]}\n";
    mechanism m;
    mechanism_begin(&m, text);
    char *s = scene_of(&m);
    assert_true(json_is(s, "bodies.0.shapes.0.kind", "\"tube\""));
    const double x[2] = {json_number(s, "bodies.0.shapes.0.from.0"),
                         json_number(s, "bodies.0.shapes.0.to.0")};
    CHECK_NEAR(fmax(x[0], x[1]), 3.0, exact);
    assert_true(json_is(s, "bodies.1.shapes.0.kind", "\"cylinder\""));
    free(s);
    mechanism_end(&m);
}

static void points_of_bodies_are_columns_that_can_be_plotted(void **state)
{
    (void)state;
    static const char text[] = "crank: mechanism\n"
                               "dimension: 2\n"
                               "bodies: {b: {mass: 1, inertia: 1, points: {tip: [1, 0]}}}\n"
                               "view: {plots: [[body.b.tip.y]]}\n";
    mechanism m;
    mechanism_begin(&m, text);
    mechanism_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_is_where_its_glyph_says),
        cmocka_unit_test(every_type_has_a_glyph),
        cmocka_unit_test(reactions_in_joint_axes_are_those_of_the_world_turned_by_the_frame),
        cmocka_unit_test(forces_have_ends_and_columns),
        cmocka_unit_test(solids_are_drawn_and_other_bodies_guessed),
        cmocka_unit_test(the_view_dresses_bodies_and_adds_columns),
        cmocka_unit_test(rings_and_opacities_are_in_the_scene),
        cmocka_unit_test(bodies_of_inertia_alone_are_small),
        cmocka_unit_test(gears_have_the_radii_of_their_meshes_and_internal_ones_are_rings),
        cmocka_unit_test(a_law_that_switches_is_a_rope_and_other_laws_are_springs),
        cmocka_unit_test(barrel_and_rod_of_a_cylinder_are_no_blocks),
        cmocka_unit_test(bars_lead_to_named_points_but_discs_stay_discs),
        cmocka_unit_test(points_of_bodies_are_columns_that_can_be_plotted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
