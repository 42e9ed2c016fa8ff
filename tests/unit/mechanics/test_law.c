/* test_law.c - the builder and the laws that it makes: hand-made builders for what no file can
 * say, and the user's own equations through files. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/mechanism.h"

#include "mechanics/law.h"

#include <math.h>

/* ---- hand-made builders ---- */

/* a rigid body and a point */
typedef struct bench {
    crank_store store;
    crank_mechanism m;
    crank_body_record body[2];
    crank_builder b;
    crank_system *system;
    crank_error err;
} bench;

static void bench_begin(bench *k)
{
    *k = (bench){0};
    k->body[0] = (crank_body_record){.name = "a",
                                     .mass = 2.0,
                                     .center = {0.1, -0.2, 0.3},
                                     .inertia = {1.0, 0, 0, 0, 1.2, 0, 0, 0, 1.5},
                                     .position = {1.0, 2.0, 3.0},
                                     .orientation = {0.8, 0.0, 0.6, 0.0},
                                     .velocity = {0.1, 0.2, 0.3},
                                     .angular_velocity = {0.0, 0.0, 2.0}};
    k->body[1] = (crank_body_record){.name = "c",
                                     .point = true,
                                     .mass = 1.0,
                                     .position = {0.5, 0.4, 0.3},
                                     .orientation = {1.0, 0.0, 0.0, 0.0}};
    k->m = (crank_mechanism){.store = &k->store,
                             .pool = crank_pool_create(),
                             .dimension = 3,
                             .body_count = 2,
                             .body = k->body};
    assert_non_null(k->m.pool);
    k->m.t = crank_ex_symbol(k->m.pool, "t");
    CHECK_OK(crank_builder_init(&k->b, &k->m, &k->err), k->err);
    k->b.equation_count = 1;
}

static void bench_run(bench *k)
{
    CHECK_OK(crank_system_create(&k->b, &k->system, &k->err), k->err);
}

static void bench_end(bench *k)
{
    if (k->system != NULL) {
        crank_eom_destroy(k->system->eom);
    }
    crank_builder_free(&k->b);
    crank_pool_destroy(k->m.pool);
    crank_store_free(&k->store);
}

static const crank_owner somebody = {CRANK_OWNER_EQUATION, 0};

/* coordinate `axis` of a point of a body in the world */
static int coordinate(crank_builder *b, int body, int axis)
{
    static const double at[3] = {0.2, 0.1, -0.4};
    crank_marker e = {.body = -1};
    e.u[axis] = 1.0;
    return crank_build_product(b, crank_vector_of(e),
                               crank_vector_of(crank_build_local_point(b, body, at)));
}

static void random_point(const bench *k, random_source *r, double *x)
{
    random_fill(r, k->system->eom->n, x);
    k->system->coordinates.kind->straighten(k->system, x);
}

static void check_derivatives(crank_eom *eom, double t, const double *x)
{
    double deviation = 1.0;
    char text[300] = "";
    crank_error err = {0};
    CHECK_OK(crank_eom_check_derivatives(eom, t, x, &deviation, text, sizeof text, &err), err);
    if (!(deviation < 1e-6)) {
        print_error("deviation %g: %s\n", deviation, text);
        fail();
    }
}

static void bodies_start_at_their_centres_of_mass(void **state)
{
    (void)state;
    bench k;
    bench_begin(&k);
    const crank_body_state *a = crank_build_body(&k.b, 0);
    /* R turns by 2 atan(0.6/0.8) about y: cos 0.28, sin 0.96 */
    const double arm[3] = {0.28 * 0.1 + 0.96 * 0.3, -0.2, -0.96 * 0.1 + 0.28 * 0.3};
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(a->x[i], k.body[0].position[i] + arm[i], 1e-15);
    }
    CHECK_NEAR(a->v[0], 0.1 - 2.0 * arm[1], 1e-15);
    CHECK_NEAR(a->v[1], 0.2 + 2.0 * arm[0], 1e-15);
    CHECK_NEAR(a->v[2], 0.3, 1e-15);
    CHECK_NEAR(a->omega[0], -0.96 * 2.0, 1e-15);
    CHECK_NEAR(a->omega[2], 0.28 * 2.0, 1e-15);
    /* a point given in the world and one given in the body are the same */
    const crank_marker in_world = crank_build_point(&k.b, 0, k.body[0].position);
    const double origin[3] = {0.0, 0.0, 0.0};
    const crank_marker in_body = crank_build_local_point(&k.b, 0, origin);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(in_world.u[i], in_body.u[i], 1e-15);
    }
    bench_end(&k);
}

static void perpendicular_directions_are_world_axes_where_they_fit(void **state)
{
    (void)state;
    const double axis[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.36, 0.48, 0.8}};
    for (int k = 0; k < 4; k++) {
        double u[3];
        double w[3];
        crank_build_perpendicular(axis[k], u, w);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3;
            const int l = (i + 2) % 3;
            if (k < 3) {
                CHECK_NEAR(u[i], i == (k + 1) % 3 ? 1.0 : 0.0, 0.0);
                CHECK_NEAR(w[i], i == (k + 2) % 3 ? 1.0 : 0.0, 0.0);
            }
            CHECK_NEAR(u[j] * w[l] - u[l] * w[j], axis[k][i], 1e-15);
        }
    }
    char text[80];
    const double minus_y[3] = {0.0, -1.0, 0.0};
    const double oblique[3] = {sqrt(0.5), sqrt(0.5), 0.0};
    crank_build_direction_name(minus_y, text, sizeof text);
    assert_string_equal(text, "-y");
    crank_build_direction_name(oblique, text, sizeof text);
    assert_string_equal(text, "(0.71, 0.71, 0)");
}

static void equal_primitives_are_made_once(void **state)
{
    (void)state;
    bench k;
    bench_begin(&k);
    const int x = coordinate(&k.b, 0, 0);
    const int y = coordinate(&k.b, 0, 1);
    assert_int_not_equal(x, y);
    assert_int_equal(coordinate(&k.b, 0, 0), x);
    assert_int_not_equal(coordinate(&k.b, 1, 0), x);
    assert_int_equal(crank_build_value(&k.b, x), crank_build_value(&k.b, x));
    assert_int_not_equal(crank_build_value(&k.b, x), crank_build_rate(&k.b, x));
    const crank_marker zero = {.body = -1, .u = {0.0, 0.0, 1.0}};
    const crank_marker minus_zero = {.body = -1, .u = {-0.0, 0.0, 1.0}};
    assert_int_equal(crank_build_turn(&k.b, crank_vector_of(zero), -1, 0),
                     crank_build_turn(&k.b, crank_vector_of(minus_zero), -1, 0));
    bench_end(&k);
}

static void contacts_of_one_to_four_variables_are_eliminated(void **state)
{
    (void)state;
    random_source r = {3};
    for (int n = 1; n <= 4; n++) {
        bench k;
        bench_begin(&k);
        crank_pool *pool = crank_build_pool(&k.b);
        crank_ex s[4];
        crank_ex g = crank_ex_mul(pool, k.m.t, k.m.t);
        for (int i = 0; i < n; i++) {
            s[i] = crank_build_contact(&k.b, somebody, "s", 0.0);
        }
        for (int i = 0; i < n; i++) { /* c_i = y_i + t - s_i + 0.1 s_i s_(i+1)^2 */
            const crank_ex y = crank_build_value(&k.b, coordinate(&k.b, i % 2, i / 2));
            const crank_ex next = s[(i + 1) % n];
            const crank_ex bend =
                crank_ex_mul(pool, crank_ex_number(pool, 0.1),
                             crank_ex_mul(pool, s[i], crank_ex_mul(pool, next, next)));
            const crank_ex c = crank_ex_add(
                pool, crank_ex_sub(pool, crank_ex_add(pool, y, k.m.t), s[i]), bend);
            CHECK_OK(crank_build_contact_row(&k.b, somebody, c, &k.err), k.err);
            g = crank_ex_add(pool, g, crank_ex_call(pool, CRANK_EX_SIN, s[i], 0, 0));
        }
        g = crank_ex_add(pool, g, crank_build_value(&k.b, coordinate(&k.b, 1, 2)));
        CHECK_OK(crank_build_holonomic(&k.b, somebody, g, "row", NULL, &k.err), k.err);
        bench_run(&k);
        for (int i = 0; i < 100; i++) {
            double x[100];
            random_point(&k, &r, x);
            check_derivatives(k.system->eom, 0.01 * i, x);
        }
        bench_end(&k);
    }
}

static void reactions_are_the_forces_of_multipliers_alone(void **state)
{
    (void)state;
    bench k;
    random_source r = {5};
    double x[100], with[100], without[100], force[2][CRANK_BODY_MAX_V] = {{0.0}};
    bench_begin(&k);
    crank_pool *pool = crank_build_pool(&k.b);
    const int y[2] = {coordinate(&k.b, 0, 0), coordinate(&k.b, 1, 1)};
    const crank_ex g = crank_ex_mul(pool, crank_build_value(&k.b, y[0]),
                                    crank_ex_add(pool, k.m.t, crank_build_value(&k.b, y[1])));
    const crank_ex h = crank_ex_sub(
        pool, crank_build_rate(&k.b, y[0]),
        crank_ex_mul(pool, crank_build_value(&k.b, y[1]), crank_build_rate(&k.b, y[1])));
    CHECK_OK(crank_build_holonomic(&k.b, somebody, g, "g", NULL, &k.err), k.err);
    CHECK_OK(crank_build_nonholonomic(&k.b, somebody, h, "h", NULL, &k.err), k.err);
    CHECK_OK(crank_build_effort(&k.b, somebody, y[0], crank_ex_number(pool, 17.0), &k.err),
             k.err);
    bench_run(&k);
    const crank_eom *eom = k.system->eom;
    random_point(&k, &r, x);
    CHECK_OK(crank_eom_evaluate(k.system->eom, 0.3, x, with, &k.err), k.err);
    assert_int_equal(k.system->law_count, 1);
    crank_law_reaction(k.system->law[0], k.system, 0.3, x, force);
    x[eom->column[CRANK_LAMBDA]] = x[eom->column[CRANK_MU]] = 0.0;
    CHECK_OK(crank_eom_evaluate(k.system->eom, 0.3, x, without, &k.err), k.err);
    for (int i = 0; i < 9; i++) { /* rows d: M v' - forces */
        CHECK_NEAR(i < 6 ? force[0][i] : force[1][i - 6],
                   without[eom->row[CRANK_ROW_D] + i] - with[eom->row[CRANK_ROW_D] + i],
                   1e-14 * 20.0);
    }
    bench_end(&k);
}

static void sets_of_expressions_are_evaluated_together(void **state)
{
    (void)state;
    bench k;
    random_source r = {9};
    double x[100], value[2];
    crank_expressions *set = NULL;
    bench_begin(&k);
    crank_pool *pool = crank_build_pool(&k.b);
    const int y = coordinate(&k.b, 1, 0);
    const crank_ex ex[2] = {
        crank_ex_mul(pool, k.m.t, crank_build_rate(&k.b, y)),
        crank_ex_add(pool, crank_build_value(&k.b, y), crank_build_acceleration(&k.b, y))};
    bench_run(&k);
    CHECK_OK(crank_expressions_create(&k.b, 2, ex, &set, &k.err), k.err);
    random_point(&k, &r, x);
    crank_system_point(k.system, 2.0, x);
    crank_expressions_evaluate(set, k.system, 2.0, x, value);
    const crank_absolute_body *c = &k.system->coordinates.absolute[1];
    CHECK_NEAR(value[0], 2.0 * x[c->v], 1e-15);
    CHECK_NEAR(value[1], x[c->p] + 0.2 + x[c->a], 1e-15);
    crank_expressions_destroy(set);
    bench_end(&k);
}

/* ---- equations of files ---- */

#define FILE_BODIES                                                                            \
    "crank: mechanism\ngravity: [0, 0, -9.81]\nenergy: true\n"                                 \
    "bodies:\n"                                                                                \
    "  a: {mass: 2, inertia: [0.3, 0.4, 0.5], center: [0.1, 0, 0.2], position: [0.5, 0, 0]}\n" \
    "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 1, 0], velocity: [0.1, 0, 0]}\n"

static void a_file_may_state_its_own_equations(void **state)
{
    (void)state;
    mechanism m;
    random_source r = {13};
    mechanism_begin(
        &m, FILE_BODIES
        "joints:\n"
        "  j: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}\n"
        "dynamic: {heat: {start: 1, rate: 'body.b.vx^2 - heat + power'}}\n"
        "auxiliary: {power: {start: 0, equation: 'power - 2*joint.j.angle_rate*body.b.az'}}\n"
        "holonomic: {swing: 'body.b.z - 0.2*sin(t)*joint.j.angle - heat0*t'}\n"
        "nonholonomic: {drag: 'body.b.vy - body.a.wy*body.b.x - 0.1'}\n"
        "parameters: {heat0: 0.3}\n"
        "outputs: {twice: 2*heat}\n");
    CHECK_NEAR(mechanism_value(&m, "twice"), 2.0, 1e-12);
    double before = 0.0;
    for (int i = 0; i < 2; i++) {
        const double balance =
            mechanism_value(&m, "energy.kinetic") + mechanism_value(&m, "energy.potential") +
            mechanism_value(&m, "energy.dissipated") - mechanism_value(&m, "energy.supplied");
        if (i == 0) {
            before = balance;
            mechanism_run(&m, 1.0, 1e-9);
        } else {
            CHECK_NEAR(balance, before, 1e-7); /* moving constraints do work */
        }
    }
    for (int i = 0; i < 100; i++) {
        mechanism_random(&m, &r);
        check_derivatives(m.eom, 0.1 * i, m.x);
    }
    mechanism_end(&m);
}

static void laws_of_many_inputs_are_differentiated_backwards(void **state)
{
    (void)state;
    mechanism m;
    random_source r = {17};
    char text[4000] = "crank: mechanism\nbodies:\n";
    for (int i = 0; i < 12; i++) {
        const size_t at = strlen(text);
        (void)snprintf(text + at, sizeof text - at,
                       "  c%d: {type: point, mass: 1, position: [%d, 0, 0]}\n", i, i);
    }
    strcat(text, "dynamic: {sum: {start: 0, rate: '0");
    for (int i = 0; i < 12; i++) {
        const size_t at = strlen(text);
        (void)snprintf(text + at, sizeof text - at,
                       " + body.c%d.x*body.c%d.vy + body.c%d.y*body.c%d.vz*body.c%d.z"
                       " + body.c%d.vx",
                       i, i, i, i, i, i);
    }
    strcat(text, "'}}\n");
    mechanism_begin(&m, text);
    for (int i = 0; i < 10; i++) {
        mechanism_random(&m, &r);
        check_derivatives(m.eom, 0.0, m.x);
    }
    mechanism_end(&m);
}

static void definitions_may_stand_in_any_order(void **state)
{
    (void)state;
    mechanism m;
    mechanism_begin(
        &m, "crank: mechanism\ndimension: 2\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, "
            "inertia: 1}}\n"
            "joints:\n"
            "  mesh: {type: gear, joints: [first, second], ratio: -2}\n"
            "  first: {type: revolute, between: [ground, a], at: [0, 0]}\n"
            "  second: {type: revolute, between: [ground, b], at: [0, 0]}\n"
            "forces:\n"
            "  f: {type: force, body: a, force: [force.g.length, 0]}\n"
            "  g: {type: spring, between: [ground, b], at: [[0, 2], [0, 1]], stiffness: 1}\n");
    CHECK_NEAR(mechanism_value(&m, "force.f.fx"), 1.0, 1e-14);
    mechanism_end(&m);
}

static void refuse(const char *text, const char *message)
{
    mechanism m;
    const crank_status status = mechanism_try(&m, text);
    if (status == CRANK_OK) {
        print_error("accepted:\n%s", text);
    }
    CHECK_STATUS(status, CRANK_EMODEL);
    if (strcmp(m.err.text, message) != 0) {
        print_error("expected %s\ngot      %s\n", message, m.err.text);
        fail();
    }
    assert_true(m.err.line > 0);
}

static void equations_that_cannot_be_are_refused(void **state)
{
    (void)state;
    refuse(FILE_BODIES "holonomic: {h: body.a.vx}\n",
           "holonomic \"h\": the holonomic constraint contains \"body.a.vx\", a velocity; it "
           "may contain "
           "positions and t; constraints on velocities are nonholonomic");
    refuse(
        FILE_BODIES "holonomic: {h: t - 1}\n",
        "holonomic \"h\": the holonomic constraint contains no position, so that no motion can "
        "satisfy it");
    refuse(FILE_BODIES "dynamic: {r: {start: 0, rate: 1}}\nholonomic: {h: body.a.x - r}\n",
           "holonomic \"h\": the holonomic constraint contains variable \"r\"; it may contain "
           "positions and t; constraints on velocities are nonholonomic");
    refuse(FILE_BODIES "nonholonomic: {h: body.a.vx^2 - 1}\n",
           "nonholonomic \"h\": the nonholonomic constraint is not affine in the velocities; "
           "products, squares and functions of velocities cannot be constrained");
    refuse(FILE_BODIES "nonholonomic: {h: body.a.ax}\n",
           "nonholonomic \"h\": the nonholonomic constraint contains \"body.a.ax\", an "
           "acceleration; "
           "it may contain positions, velocities and t");
    refuse(FILE_BODIES "dynamic: {h: {start: 0, rate: body.a.q0}}\n",
           "dynamic \"h\": the equation contains \"body.a.q0\", a component of a quaternion, "
           "which is for "
           "outputs only; this name has no meaning here");
    refuse(FILE_BODIES
           "forces: {f: {type: force, body: a, force: [force.g.fx, 0, 0]}, g: {type: "
           "force, body: a, force: [force.f.fx, 0, 0]}}\n",
           "force \"g\": force \"f\" has no quantity \"fx\": it is defined in a circle, it "
           "needs what asks for it");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_start_at_their_centres_of_mass),
        cmocka_unit_test(perpendicular_directions_are_world_axes_where_they_fit),
        cmocka_unit_test(equal_primitives_are_made_once),
        cmocka_unit_test(contacts_of_one_to_four_variables_are_eliminated),
        cmocka_unit_test(reactions_are_the_forces_of_multipliers_alone),
        cmocka_unit_test(sets_of_expressions_are_evaluated_together),
        cmocka_unit_test(a_file_may_state_its_own_equations),
        cmocka_unit_test(laws_of_many_inputs_are_differentiated_backwards),
        cmocka_unit_test(definitions_may_stand_in_any_order),
        cmocka_unit_test(equations_that_cannot_be_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
