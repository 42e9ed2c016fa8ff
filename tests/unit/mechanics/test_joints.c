/* test_joints.c - every joint, between two moving bodies: rows and freedom, all derivatives at
 * 100 random states, constraints and energy balance of a short run; then what joints refuse.
 *
 * crank_eom_check_derivatives takes differences of order four and subtracts their estimated
 * error; what is left of a correct derivative is below 1e-6 of the row's size (a wrong one is
 * of the order of the row). */
// SPDX-License-Identifier: BSD-3-Clause
#include "joint_examples.h"
#include "mechanism.h"

enum { STATES = 100 };

static void begin(mechanism *m, const example *e)
{
    char text[4000];
    int length = snprintf(text, sizeof text, "%s%s", e->head, e->joints);
    assert_true(length > 0 && length < (int)sizeof text);
    mechanism_begin(m, text);
}

static void every_joint_has_its_rows_and_freedom(void **state)
{
    for (int i = 0; i < EXAMPLES; i++) {
        const example *e = &examples[i];
        mechanism m;
        crank_structure_report report;
        begin(&m, e);
        crank_eom_sizes sizes = crank_eom_get_sizes(m.eom);
        CHECK_OK(crank_eom_structure(m.eom, 0.0, m.x, 1e-9, &report, &m.err), m.err);
        if (sizes.lambda != e->holonomic || sizes.mu != e->nonholonomic ||
            sizes.s != e->contact || report.freedom_velocity != e->freedom ||
            report.redundant_count != 0) {
            fail_msg("%s: %d, %d rows, %d contact variables, freedom %d, %d redundant", e->name,
                     sizes.lambda, sizes.mu, sizes.s, report.freedom_velocity,
                     report.redundant_count);
        }
        crank_structure_report_free(&report);
        mechanism_end(&m);
    }
}

/* not near a state in which a contact is singular: there differences lose their digits */
static bool is_tame(mechanism *m)
{
    double k[MECHANISM_MAX];
    CHECK_OK(crank_eom_evaluate(m->eom, 0.4, m->x, k, &m->err), m->err);
    for (int i = 0; i < crank_eom_rows(m->eom); i++) {
        if (!(fabs(k[i]) < 100.0)) {
            return false;
        }
    }
    return true;
}

static void derivatives_of_every_joint_agree_with_differences_at_random_states(void **state)
{
    random_source r = {UINT64_C(3)};
    for (int i = 0; i < EXAMPLES; i++) {
        mechanism m;
        begin(&m, &examples[i]);
        for (int k = 0; k < STATES; k++) {
            char text[400];
            double deviation = 1.0;
            do {
                mechanism_random(&m, &r);
            } while (!is_tame(&m));
            CHECK_OK(crank_eom_check_derivatives(m.eom, 0.4, m.x, &deviation, text, sizeof text,
                                                 &m.err),
                     m.err);
            if (!(deviation <= 1e-6)) {
                fail_msg("%s, state %d: %g: %s", examples[i].name, k, deviation, text);
            }
        }
        mechanism_end(&m);
    }
}

static double balance(mechanism *m)
{
    return mechanism_value(m, "energy.kinetic") + mechanism_value(m, "energy.potential") +
           mechanism_value(m, "energy.dissipated") - mechanism_value(m, "energy.supplied");
}

/* joints do no work but what drives and moving curves supply, and constraints hold to
 * rounding */
static void derivatives_agree_where_a_table_begins_at_the_start(void **state)
{
    mechanism m;
    double deviation = 1.0;
    char text[300] = "";
    mechanism_begin(&m, "crank: mechanism\ndimension: 2\n"
                        "tables: {s: {points: [[0, 0], [1, 0.1], [2, 0.3]], "
                        "interpolation: spline, outside: hold}}\n"
                        "bodies: {a: {mass: 1, inertia: 1}}\n"
                        "joints: {j: {type: prismatic, between: [ground, a], at: [0, 0], "
                        "axis: [1, 0], drive: s(t)}}\n");
    CHECK_OK(
        crank_eom_check_derivatives(m.eom, 0.0, m.x, &deviation, text, sizeof text, &m.err),
        m.err);
    if (!(deviation < 1e-6)) {
        fail_msg("%g: %s", deviation, text);
    }
    mechanism_end(&m);
}

static void every_joint_keeps_the_energy_balance_and_its_constraints(void **state)
{
    const double tolerance = 1e-8, t_end = 0.5;
    for (int i = 0; i < EXAMPLES; i++) {
        mechanism m;
        double residual[3];
        begin(&m, &examples[i]);
        double before = balance(&m);
        mechanism_run(&m, t_end, tolerance);
        /* forces of some 50 N over a few metres */
        double drift = balance(&m) - before;
        CHECK_OK(crank_eom_residuals(m.eom, m.t, m.x, residual, &m.err), m.err);
        if (!(fabs(drift) <= 1000.0 * tolerance) || !(residual[0] < 1e-12) ||
            !(residual[1] < 1e-12)) {
            fail_msg("%s: energy drifts by %g, residuals %g and %g", examples[i].name, drift,
                     residual[0], residual[1]);
        }
        mechanism_end(&m);
    }
}

/* micrometres in kilometres: as long as points are apart by more than rounding */
static void rods_may_have_any_length(void **state)
{
    static const double lengths[] = {1e-12, 1.0, 1e9};
    for (int i = 0; i < 3; i++) {
        const double l = lengths[i];
        char text[500];
        mechanism m;
        (void)snprintf(
            text, sizeof text,
            "crank: mechanism\n"
            "bodies:\n"
            "  a: {type: point, mass: 1, position: [%.17g, 0, 0]}\n"
            "  b: {type: point, mass: 1, position: [%.17g, %.17g, 0]}\n"
            "joints:\n"
            "  j: {type: distance, between: [ground, a], at: [[0, 0, 0], [%.17g, 0, 0]]}\n"
            "  k: {type: revolute_spherical, between: [ground, b], at: [[0, 0, 0], "
            "[%.17g, %.17g, 0]], axis: [0, 0, 1]}\n",
            l, l, l, l, l, l);
        mechanism_begin(&m, text);
        CHECK_NEAR(
            hypot(m.x[mechanism_column(&m, "body.b.x")], m.x[mechanism_column(&m, "body.b.y")]),
            hypot(l, l), 1e-14 * l);
        mechanism_end(&m);
    }
}

typedef struct refusal {
    const char *head, *joints, *text;
} refusal;

static const char points[] = "crank: mechanism\n"
                             "gravity: [0, 0, -9.81]\n"
                             "bodies:\n"
                             "  ball: {type: point, mass: 1}\n"
                             "  rod: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                             "joints:\n";

static const refusal refusals[] = {
    {points, "  j: {type: revolute, between: [rod, ball], at: [0, 0, 0], axis: [0, 0, 1]}\n",
     "body \"ball\" is a point mass, which has no orientation that a revolute joint could "
     "hold; "
     "use spherical"},
    {points, "  j: {type: fixed, between: [ball, rod], at: [0, 0, 0]}\n", "point mass"},
    {points, "  j: {type: parallel_axes, between: [ball, rod], axis: [0, 0, 1]}\n",
     "point mass"},
    {points,
     "  j: {type: rolling_sphere, between: [ground, ball], radius: 1, plane: {at: [0, 0, -1], "
     "normal: [0, 0, 1]}}\n",
     "point mass"},
    {spatial, "  j: {type: revolute, between: [a, b], at: [0, 0, 0]}\n", "axis"},
    {planar, "  j: {type: revolute, between: [a, b], at: [0, 0], axis: [0, 1]}\n",
     "leave the axis out"},
    {spatial,
     "  j: {type: universal, between: [a, b], at: [0, 0, 0], axes: [[1, 0, 0], [1, 1, "
     "0]]}\n",
     "perpendicular"},
    {spatial, "  j: {type: distance, between: [a, b], at: [[0, 0, 0], [0, 0, 0]]}\n",
     "length is 0, it must be positive"},
    {spatial,
     "  j: {type: distance, between: [a, b], at: [[0, 0, 0], [0, 0, 1]], length: -1}\n",
     "length is -1, it must be positive"},
    {spatial, "  j: {type: distance, between: [a, b], at: [[0, 0, 0], [0, 0, 1]], length: t}\n",
     "length is 0, it must be positive"},
    {spatial,
     "  j: {type: distance, between: [a, b], at: [[0, 0, 0], [0, 0, 1]], length: 1 + "
     "body.a.vx}\n",
     "velocity"},
    {spatial,
     "  j: {type: revolute_spherical, between: [a, b], at: [[0, 0, 0], [0, 0, 1]], axis: [0, "
     "0, "
     "1]}\n",
     "lies along the hinge's axis"},
    {spatial,
     "  j: {type: spherical, between: [a, b], at: [0, 0, 0]}\n"
     "  k: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  g: {type: gear, joints: [k, j], ratio: 2}\n",
     "joint \"j\" (spherical) has no coordinate \"angle\""},
    {spatial,
     "  k: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  g: {type: gear, joints: [k, k], ratio: 2}\n",
     "two different joints"},
    {spatial,
     "  j: {type: revolute, between: [a, b], at: [0, 0, 0], axis: [0, 1, 1]}\n"
     "  k: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  g: {type: gear, joints: [k, j], ratio: 0}\n",
     "the ratio is 0, it must not be zero"},
    {spatial,
     "  j: {type: cylindrical, between: [a, b], at: [0, 0, 0], axis: [0, 1, 1]}\n"
     "  k: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  g: {type: coupler, joints: [k, j], factors: [1, 1]}\n",
     "joint \"j\" (cylindrical) has not exactly one coordinate"},
    {spatial,
     "  k: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  g: {type: coupler, joints: [k], factors: [1, 1]}\n",
     "1 joints and 2 factors"},
    {planar, "  j: {type: mesh, between: [a, b], radii: [0.3, 0.4]}\n",
     "the centres of \"a\" and \"b\" are 0.583095 apart at the start, the base circles need "
     "more than 0.657"},
    {planar, "  j: {type: mesh, between: [a, b], radii: [0.3, -0.2]}\n", "r2 < -r1"},
    {planar, "  j: {type: mesh, between: [a, b], radii: [0.2, 0.3], pressure_angle: 20}\n",
     "the pressure angle is 20 rad"},
    {spatial, "  d: {type: driver, of: body.a.x}\n", "one of `is` and `table`"},
    {spatial,
     "  d: {type: driver, of: body.a.x, table: {points: [[0, 0], [1, 1], [2, 3]], "
     "interpolation: linear}}\n",
     "the driven velocity would jump by 1 at t = 1"},
    {spatial,
     "  d: {type: driver, of: body.a.x, table: {points: [[0, 0], [1, 1], [2, 3]], "
     "interpolation: monotone, outside: hold}}\n",
     "the driven velocity would jump by 2.5 at t = 2"},
    {spatial,
     "  d: {type: driver, of: body.a.x, is: 2*s(t)}\n"
     "tables: {s: {points: [[0, 0], [1, 1], [2, 3]], interpolation: linear}}\n",
     "the slope of table \"s\" jumps by 2 at t = 2"},
    {spatial,
     "  d: {type: point_driver, body: a, path: [0, u, 0]}\n"
     "inputs: {u: s(2*t)}\n"
     "tables: {s: [[0, 0], [1, 1], [2, 3]]}\n",
     "jumps by 2.5 at its point 2"},
    {spatial,
     "  j: {type: prismatic, between: [ground, a], at: [0, 0, 0], axis: [1, 0, 0], "
     "drive: s(t)}\n"
     "tables: {s: {points: [[0, 0], [1, 1], [2, 3]], interpolation: linear}}\n",
     "the slope of table \"s\" jumps by 2 at t = 2"},
    {spatial,
     "  d: {type: distance, between: [a, b], at: [[0, 0, 0], [0, 0, 1]], length: 1 + s(t)}\n"
     "tables: {s: [[0, 0], [1, 1], [2, 3]]}\n",
     "the slope of table \"s\" jumps by 2.5 at t = 2"},
    {spatial, "  d: {type: driver, of: body.a.vx, is: t}\n", "velocity"},
    {spatial, "  d: {type: point_driver, body: a}\n", "one of `path` and `along`"},
    {spatial, "  d: {type: point_driver, body: a, along: [1, 0, 0]}\n",
     "one of `is` and `table`"},
    {spatial, "  d: {type: point_driver, body: a, path: [t, 0]}\n", "2 components where 3"},
    {spatial, "  d: {type: point_driver, body: ground, path: [t, 0, 0]}\n", "ground"},
    {spatial,
     "  j: {type: rolling_disc, between: [ground, a], radius: 1, axis: [0, 0, 1], plane: {at: "
     "[0, 0, -1], normal: [0, 0, 1]}}\n",
     "lies flat"},
    {spatial,
     "  j: {type: rolling_disc, between: [ground, a], radius: 1, axis: [0, 1, 0], plane: {at: "
     "[0, 0, -1], normal: [0, 0, -1]}}\n",
     "turn the normal around"},
    {spatial,
     "  j: {type: rolling_disc, between: [ground, a], radius: -1, axis: [0, 1, 0], plane: {at: "
     "[0, 0, -1], normal: [0, 0, 1]}}\n",
     "the radius is -1, it must be positive"},
    {spatial,
     "  j: {type: skate, between: [ground, a], axis: [0, 0, 1], plane: {at: [0, 0, -1], "
     "normal: "
     "[0, 0, 1]}}\n",
     "blade is normal to the plane"},
    {spatial, "  j: {type: skate, between: [ground, a], axis: [0, 0, 1]}\n", "plane"},
    {spatial, "  j: {type: curve, between: [ground, a], curve: [s, s], start: 0}\n",
     "2 components are given, 3 needed"},
    {spatial, "  j: {type: curve, between: [ground, a], curve: [s^2, 1, 0], start: 0}\n",
     "tangent vanishes at the start"},
    {spatial,
     "  j: {type: surface, between: [ground, a], surface: [s1, s1, s1], start: [0, 0]}\n",
     "normal vanishes at the start"},
    {spatial, "  j: {type: surface, between: [ground, a], surface: [s1, s2, 0], start: 0}\n",
     "1 numbers are given, 2 needed"},
    {planar,
     "  j: {type: profile, between: [a, b], profiles: [[s1, s2], [s2, 0]], start: [0, 0]}\n",
     "expression of s1"},
};

static void impossible_joints_are_refused_by_name_with_a_remedy(void **state)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        char text[4000];
        mechanism m;
        (void)snprintf(text, sizeof text, "%s%s", refusals[i].head, refusals[i].joints);
        crank_status status = mechanism_try(&m, text);
        if (status != CRANK_EMODEL || strstr(m.err.text, refusals[i].text) == NULL ||
            m.err.line <= 6) {
            fail_msg("%s gives %s, line %d: %s", refusals[i].joints, crank_status_name(status),
                     m.err.line, m.err.text);
        }
        mechanism_end(&m);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_has_its_rows_and_freedom),
        cmocka_unit_test(derivatives_of_every_joint_agree_with_differences_at_random_states),
        cmocka_unit_test(derivatives_agree_where_a_table_begins_at_the_start),
        cmocka_unit_test(every_joint_keeps_the_energy_balance_and_its_constraints),
        cmocka_unit_test(rods_may_have_any_length),
        cmocka_unit_test(impossible_joints_are_refused_by_name_with_a_remedy),
    };
    return CHECK_RUN(argc, argv, tests);
}
