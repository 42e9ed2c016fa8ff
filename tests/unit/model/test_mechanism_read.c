/* test_mechanism_read.c - mechanism files as records: sections, names, values by shape. */
// SPDX-License-Identifier: BSD-3-Clause
#include "read_mechanism.h"

static const double pi = 3.14159265358979323846;
static const double exact = 1e-15; /* a few roundings of numbers near one */

static void a_pendulum_becomes_records(void **state)
{
    sample *s = read_mechanism("crank: mechanism\n"
                               "gravity: [0, 0, -g]\n"
                               "parameters: {L: 2*half, half: 0.5, g: 9.81, spare: 1}\n"
                               "inputs: {u: sin(w*t), w: 3}\n"
                               "bodies:\n"
                               "  rod: {mass: 2, inertia: [1, 1, 0.1], position: [L, 0, 0]}\n"
                               "  bob: {type: point, mass: 1, velocity: [0, 1, 0]}\n"
                               "joints:\n"
                               "  hinge:\n"
                               "    type: revolute\n"
                               "    between: [ground, rod]\n"
                               "    at: [0, 1, 0]\n"
                               "    axis: [0, 2, 0]\n"
                               "    drive: u + L*body.bob.vx\n"
                               "dynamic: {charge: {start: 2*L, rate: -charge, fixed: true}}\n"
                               "auxiliary: {drag: {equation: drag - body.rod.vx}}\n"
                               "holonomic: {same: body.rod.x - body.bob.x}\n"
                               "outputs: {a: joint.hinge.angle, b: 30 deg}\n"
                               "simulate: {t_end: 2*L, rtol: 1e-8, accelerations: carry}\n"
                               "energy: true\n"
                               "reactions: joint\n");
    const crank_mechanism *m = &s->m;
    assert_int_equal(m->dimension, 3);
    CHECK_NEAR(m->gravity[2], -9.81, 0.0);
    assert_int_equal(m->body_count, 2);
    assert_string_equal(m->body[0].name, "rod");
    CHECK_NEAR(m->body[0].position[0], 1.0, 0.0);
    CHECK_NEAR(m->body[0].inertia[8], 0.1, 0.0);
    CHECK_NEAR(m->body[0].orientation[0], 1.0, 0.0);
    assert_int_equal(m->body[0].position_fixing, CRANK_PREFERRED);
    assert_true(m->body[1].point);
    CHECK_NEAR(m->body[1].velocity[1], 1.0, 0.0);
    assert_int_equal(m->joint_count, 1);
    const crank_record *hinge = &m->joint[0];
    assert_ptr_equal(hinge->type, &revolute_type);
    assert_int_equal(crank_record_find(hinge, "between")->index[0], -1);
    assert_int_equal(crank_record_find(hinge, "between")->index[1], 0);
    CHECK_NEAR(crank_record_find(hinge, "at")->ends.second[1], 1.0, 0.0);
    CHECK_NEAR(crank_record_find(hinge, "axis")->ends.first[1], 1.0, 0.0);
    check_ex(s, crank_record_find(hinge, "drive")->ex[0], "sin(3*t) + body.bob.vx");
    assert_int_equal(m->dynamic_count, 1);
    CHECK_NEAR(m->dynamic[0].start, 2.0, 0.0);
    assert_int_equal(m->dynamic[0].fixing, CRANK_FIXED);
    check_ex(s, m->dynamic[0].ex, "-charge");
    check_ex(s, m->dynamic[0].symbol, "charge");
    assert_int_equal(m->auxiliary[0].fixing, CRANK_FREE);
    assert_int_equal(m->holonomic_count, 1);
    check_ex(s, m->output[0].ex, "joint.hinge.angle");
    double value = 0.0;
    assert_true(crank_ex_is_number(m->pool, m->output[1].ex, &value));
    CHECK_NEAR(value, pi / 6.0, exact);
    CHECK_NEAR(m->simulate.t_end, 2.0, 0.0);
    assert_int_equal(m->simulate.option_count, 2);
    assert_int_equal(m->treatment.accelerations, CRANK_ACCELERATIONS_CARRY);
    assert_true(m->energy);
    assert_true(m->reactions_in_joint_axes);
    assert_int_equal(m->unused_count, 1);
    assert_string_equal(m->unused[0], "parameter \"spare\"");
    release(s);
}

static const crank_field *field_of(const crank_record *records, int i, const char *key)
{
    const crank_field *field = crank_record_find(&records[i], key);
    assert_non_null(field);
    return field;
}

static void every_shape_is_read(void **state)
{
    sample *s = read_mechanism(
        "crank: mechanism\n"
        "parameters: {a: 2}\n"
        "bodies: {p: {}, q: }\n"
        "joints:\n"
        "  first: {type: revolute, between: [p, q], at: {first: [1, 2, 3], second: [4, a, "
        "6]},\n"
        "          axis: {first: [0, 0, a], second: [0, 3, 4]}}\n"
        "  cross: {type: universal, between: [p, ground], axes: [[a, 0, 0], [0, 0, -1]]}\n"
        "  roll:\n"
        "    type: rolling\n"
        "    between: [ground, p]\n"
        "    plane: {at: [0, 0, a], normal: [0, 0, 5]}\n"
        "    normal: [0, 3, 4]\n"
        "    curve: [a*s, s^2, 'max(s, t)']\n"
        "    profiles: [[s1, a], [s2, s2]]\n"
        "  gear: {type: gear, joints: [cross, first], factors: [1, -a], lead: roll}\n"
        "forces:\n"
        "  k: {type: spring, between: [q, p], at: [[1, 0, 0], [2, a, 0]], stiffness: 10*a,\n"
        "      law: a*length + rate + t, table: [[0, 1], [1, a], [3, -1]],\n"
        "      orientation: {axis: [0, 0, 2], angle: 90 deg}}\n"
        "  f: {type: force, body: ground, at: [1, 1, a], force: [1, force.k.length, "
        "'body.p.x'],\n"
        "      offset: [1, 2, 3], axes: body, lift: true, order: 2*a}\n");
    const crank_record *joint = s->m.joint, *force = s->m.force;
    const crank_ends *at = &field_of(joint, 0, "at")->ends;
    assert_true(at->local);
    CHECK_NEAR(at->first[2], 3.0, 0.0);
    CHECK_NEAR(at->second[1], 2.0, 0.0);
    const crank_ends *axis = &field_of(joint, 0, "axis")->ends;
    CHECK_NEAR(axis->first[2], 1.0, 0.0);
    CHECK_NEAR(axis->second[2], 0.8, exact);
    assert_null(crank_record_find(&joint[0], "drive"));
    assert_int_equal(field_of(joint, 1, "between")->index[1], -1);
    CHECK_NEAR(field_of(joint, 1, "axes")->number[5], -1.0, 0.0);
    CHECK_NEAR(field_of(joint, 2, "plane")->number[2], 2.0, 0.0);
    CHECK_NEAR(field_of(joint, 2, "plane")->number[5], 1.0, 0.0);
    CHECK_NEAR(field_of(joint, 2, "normal")->number[1], 0.6, exact);
    assert_int_equal(field_of(joint, 2, "curve")->count, 3);
    check_ex(s, field_of(joint, 2, "curve")->ex[0], "2*s");
    assert_int_equal(field_of(joint, 2, "profiles")->count, 4);
    assert_int_equal(field_of(joint, 2, "profiles")->width, 2);
    check_ex(s, field_of(joint, 2, "profiles")->ex[2], "s2");
    assert_int_equal(field_of(joint, 3, "joints")->index[0], 1);
    assert_int_equal(field_of(joint, 3, "joints")->index[1], 0);
    CHECK_NEAR(field_of(joint, 3, "factors")->number[1], -2.0, 0.0);
    assert_int_equal(field_of(joint, 3, "lead")->index[0], 2);
    assert_false(field_of(force, 0, "at")->ends.local);
    CHECK_NEAR(field_of(force, 0, "at")->ends.second[1], 2.0, 0.0);
    check_ex(s, field_of(force, 0, "law")->ex[0], "2*length + rate + t");
    assert_int_equal(field_of(force, 0, "table")->table.rows, 3);
    CHECK_NEAR(field_of(force, 0, "table")->table.y[1], 2.0, 0.0);
    CHECK_NEAR(field_of(force, 0, "orientation")->number[3], sqrt(0.5), exact);
    assert_int_equal(field_of(force, 1, "body")->index[0], -1);
    CHECK_NEAR(field_of(force, 1, "at")->number[2], 2.0, 0.0);
    check_ex(s, field_of(force, 1, "force")->ex[1], "force.k.length");
    assert_string_equal(field_of(force, 1, "axes")->word, "body");
    CHECK_NEAR(field_of(force, 1, "lift")->number[0], 1.0, 0.0);
    CHECK_NEAR(field_of(force, 1, "order")->number[0], 4.0, 0.0);
    release(s);
}

static void planar_models_have_two_components(void **state)
{
    sample *s =
        read_mechanism("crank: mechanism\n"
                       "dimension: 2\n"
                       "gravity: [0, -9.81]\n"
                       "bodies:\n"
                       "  a: {mass: 1, inertia: 2, position: [1, 2], angle: 30 deg, velocity: "
                       "[3, 4], rate: 5,\n"
                       "      fixed: [angle], free: rate}\n"
                       "  b: {type: point, mass: 1, position: [5, 6], fixed: true}\n"
                       "joints: {j: {type: revolute, between: [a, b], at: [7, 8]}}\n"
                       "forces: {s: {type: spring, between: [a, b], orientation: 60 deg}}\n");
    const crank_body_record *a = &s->m.body[0], *b = &s->m.body[1];
    assert_int_equal(s->m.dimension, 2);
    CHECK_NEAR(s->m.gravity[1], -9.81, 0.0);
    CHECK_NEAR(a->inertia[8], 2.0, 0.0);
    CHECK_NEAR(a->angle, pi / 6.0, exact);
    CHECK_NEAR(a->position[1], 2.0, 0.0);
    CHECK_NEAR(a->angular_velocity[2], 5.0, 0.0);
    assert_int_equal(a->orientation_fixing, CRANK_FIXED);
    assert_int_equal(a->angular_velocity_fixing, CRANK_FREE);
    assert_int_equal(a->position_fixing, CRANK_PREFERRED);
    assert_int_equal(b->velocity_fixing, CRANK_FIXED);
    CHECK_NEAR(crank_record_find(&s->m.joint[0], "at")->ends.first[1], 8.0, 0.0);
    CHECK_NEAR(crank_record_find(&s->m.force[0], "orientation")->number[3], sin(pi / 6.0),
               exact);
    release(s);
}

static void degrees_may_stand_behind_any_number(void **state)
{
    sample *s = read_mechanism("crank: mechanism\n"
                               "parameters: {a: 180 deg, b: 2*a + 45 deg}\n"
                               "gravity: [a, b, -(30) deg]\n");
    /* of 45 alone */
    CHECK_NEAR(s->m.gravity[0], pi, exact);
    CHECK_NEAR(s->m.gravity[1], 2.0 * pi + 0.25 * pi, exact);
    CHECK_NEAR(s->m.gravity[2], -pi / 6.0, exact);
    release(s);
    s = read_mechanism(
        "crank: mechanism\n"
        "parameters: {speed: 3}\n"
        "bodies: {a: {}}\n"
        "outputs: {p: (body.a.x - 30) deg, q: speed*t + 120 deg, r: body.a.yaw - 30 deg,\n"
        "  s: 20*sin(body.a.yaw) deg, u: cos(40 deg) + 1, v: 180 deg/2 - pi}\n");
    assert_int_equal(s->m.output_count, 6);
    check_ex(s, s->m.output[0].ex, "0.017453292519943295*(body.a.x - 30)");
    check_ex(s, s->m.output[1].ex, "2.0943951023931953 + 3*t");
    check_ex(s, s->m.output[2].ex, "body.a.yaw - 0.5235987755982988");
    check_ex(s, s->m.output[3].ex, "0.3490658503988659*sin(body.a.yaw)");
    check_ex(s, s->m.output[4].ex, "1.766044443118978");
    check_ex(s, s->m.output[5].ex, "-1.5707963267948966");
    release(s);
}

static void settings_replace_parameters_and_start_values(void **state)
{
    const crank_setting settings[] = {{"a", "7"},       {"a", "3"},       {"u", "2*a*t"},
                                      {"c", "a"},       {"d.start", "4"}, {"body.p.vy", "2*a"},
                                      {"body.p.z", "1"}};
    sample s;
    const char *text = "crank: mechanism\n"
                       "parameters: {a: 1, b: a}\n"
                       "inputs: {u: 0}\n"
                       "bodies: {p: {position: [b, 0, 0]}}\n"
                       "dynamic: {c: {start: 1, rate: u}, d: {rate: 1}}\n";
    const crank_status status = read_sample(&s, text, NULL, 7, settings);
    CHECK_OK(status, s.err);
    CHECK_NEAR(s.m.body[0].position[0], 3.0, 0.0);
    CHECK_NEAR(s.m.body[0].position[2], 1.0, 0.0);
    CHECK_NEAR(s.m.body[0].velocity[1], 6.0, 0.0);
    check_ex(&s, s.m.dynamic[0].ex, "6*t");
    CHECK_NEAR(s.m.dynamic[0].start, 3.0, 0.0);
    CHECK_NEAR(s.m.dynamic[1].start, 4.0, 0.0);
    free_sample(&s);

    const crank_setting wrong[] = {{"aa", "1"}};
    CHECK_STATUS(read_sample(&s, text, NULL, 1, wrong), CRANK_EMODEL);
    assert_string_equal(s.err.text,
                        "setting \"aa\": no parameter, variable or start value of a body has "
                        "this name; did you mean \"a\"?");
    free_sample(&s);
    const crank_setting broken[] = {{"a", "1 +"}};
    CHECK_STATUS(read_sample(&s, text, NULL, 1, broken), CRANK_ESYNTAX);
    CHECK_CONTAINS(s.err.text, "setting \"a\": ");
    free_sample(&s);
}

static void definitions_may_come_in_any_order(void **state)
{
    enum { LINKS = 3000 }; /* a chain of definitions, deeper than recursion should go */
    char *text = malloc(64 + (size_t)LINKS * 32);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "crank: mechanism\ngravity: [p0, 0, 0]\nparameters:\n");
    for (int i = 0; i < LINKS; i++) {
        used += (size_t)sprintf(text + used, "  p%d: p%d + 1\n", i, i + 1);
    }
    (void)sprintf(text + used, "  p%d: 1\n", LINKS);
    sample *s = read_mechanism(text);
    CHECK_NEAR(s->m.gravity[0], LINKS + 1.0, 0.0);
    assert_int_equal(s->m.unused_count, 0);
    release(s);
    free(text);
}

static void local_names_hide_variables(void **state)
{
    sample *s =
        read_mechanism("crank: mechanism\n"
                       "parameters: {length: 3}\n"
                       "bodies: {a: }\n"
                       "forces: {s: {type: spring, between: [ground, a], law: length}}\n"
                       "outputs: {o: length}\n");
    check_ex(s, crank_record_find(&s->m.force[0], "law")->ex[0], "length");
    check_ex(s, s->m.output[0].ex, "3");
    release(s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_becomes_records),
        cmocka_unit_test(every_shape_is_read),
        cmocka_unit_test(planar_models_have_two_components),
        cmocka_unit_test(degrees_may_stand_behind_any_number),
        cmocka_unit_test(settings_replace_parameters_and_start_values),
        cmocka_unit_test(definitions_may_come_in_any_order),
        cmocka_unit_test(local_names_hide_variables),
    };
    return CHECK_RUN(argc, argv, tests);
}
