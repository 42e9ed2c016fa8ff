/* test_scale.c - what is small in a mechanism: its length and time, units of unknowns, sizes of
 * rows, tolerances by kinds. theory (3.19)-(3.22), (4.19). */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/scale.h"
#include "integrate/create.h"
#include "mechanism.h"

#include <float.h>

/* a planar pendulum: mass, inertia, arm from its centre of mass to the hinge, gravity */
typedef struct pendulum {
    double m, I, a, g;
} pendulum;

static void begin(mechanism *m, const pendulum *p)
{
    char text[600];
    (void)snprintf(text, sizeof text,
                   "crank: mechanism\ndimension: 2\ngravity: [0, %.17g]\nbodies:\n"
                   "  b: {mass: %.17g, inertia: %.17g, position: [%.17g, 0]}\n"
                   "joints: {j: {type: revolute, between: [ground, b], at: [0, 0]}}\n",
                   -p->g, p->m, p->I, p->a);
    mechanism_begin(m, text);
}

/* units of all unknowns; the caller frees *memory */
static const double *measure(mechanism *m, crank_scale *scale, crank_arena *memory,
                             double *values)
{
    *scale = (crank_scale){.eom = m->eom};
    *memory = (crank_arena){0};
    crank_scale_layout(scale, memory);
    assert_true(crank_arena_allocate(memory));
    crank_scale_layout(scale, memory);
    CHECK_OK(crank_eom_evaluate_jacobian(m->eom, 0.0, m->x, NULL, values, &m->err), m->err);
    crank_scale_measure(scale, values, m->x, NULL);
    return scale->unit;
}

static void length_and_time_are_those_of_bodies_and_gravity(void **state)
{
    const pendulum p = {.m = 2.0, .I = 0.18, .a = 0.4, .g = 9.81};
    mechanism m;
    begin(&m, &p);
    const double L =
        2.0 * sqrt((p.I / p.m + p.a * p.a) / 2.0); /* the arm counts once: equal squares */
    const crank_eom_parts *parts = m.eom->parts;
    const double most = 2.0 * fmax(sqrt(p.I / p.m), p.a),
                 least = 2.0 * fmin(sqrt(p.I / p.m), p.a);
    assert_true(parts->length >= least && parts->length <= most);
    CHECK_NEAR(parts->length, L, 0.2 * L); /* each primitive of the hinge counts its arm */
    CHECK_NEAR(parts->time, sqrt(parts->length / p.g), 4.0 * DBL_EPSILON * parts->time);
    mechanism_end(&m);
}

static void what_is_written_of_a_mechanism_does_not_change_its_length(void **state)
{
    static const char *const text =
        "crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\n"
        "bodies: {b: {mass: 2, inertia: 0.18, position: [0.4, 0], center: [0.3, 0.1]}}\n"
        "joints: {j: {type: revolute, between: [ground, b], at: [0, 0]}}\n";
    static const char *const outputs = "outputs: {a: body.b.ax, b: body.b.ay}\n"
                                       "events: {e: {when: body.b.x - 9, actions: stop}}\n";
    char both[600];
    mechanism plain, written;
    (void)snprintf(both, sizeof both, "%s%s", text, outputs);
    mechanism_begin(&plain, text);
    mechanism_begin(&written, both);
    CHECK_NEAR(written.eom->parts->length, plain.eom->parts->length, 0.0);
    CHECK_NEAR(written.eom->parts->time, plain.eom->parts->time, 0.0);
    mechanism_end(&plain);
    mechanism_end(&written);
}

static void multipliers_have_the_unit_that_balances_inertia(void **state)
{
    const pendulum p = {.m = 2.0, .I = 0.18, .a = 0.4, .g = 9.81};
    mechanism m;
    crank_scale scale;
    crank_arena memory;
    double values[200];
    begin(&m, &p);
    const double *unit = measure(&m, &scale, &memory, values);
    const double L = m.eom->parts->length, T = m.eom->parts->time;
    const int lambda = m.eom->column[CRANK_LAMBDA];
    /* the hinge lies on the body's x axis: its x row has no arm, its y row turns with a */
    CHECK_NEAR(unit[lambda], p.m * L / (T * T), 1e-14 * p.m * p.g);
    CHECK_NEAR(unit[lambda + 1], fmin(p.m * L, p.I / p.a) / (T * T), 1e-14 * p.m * p.g);
    assert_true(scale.known[lambda]);
    crank_arena_free(&memory);
    mechanism_end(&m);
}

/* L, M, T times others: units of all kinds follow, and so do sizes of rows */
static void units_follow_the_units_of_the_file(void **state)
{
    static const double length = 1e6, mass = 1e-3, time = 1.0 / 3600.0;
    const pendulum p = {.m = 2.0, .I = 0.18, .a = 0.4, .g = 9.81};
    const pendulum q = {.m = p.m * mass,
                        .I = p.I * mass * length * length,
                        .a = p.a * length,
                        .g = p.g * length / (time * time)};
    const double speed = length / time, force = mass * speed / time;
    mechanism one, two;
    crank_scale s[2];
    crank_arena memory[2];
    double values[2][200];
    begin(&one, &p);
    begin(&two, &q);
    const double *a = measure(&one, &s[0], &memory[0], values[0]);
    const double *b = measure(&two, &s[1], &memory[1], values[1]);
    const crank_eom *eom = one.eom;
    const int x = eom->column[CRANK_P], v = eom->column[CRANK_V], w = eom->column[CRANK_W];
    const double factors[][2] = {
        {b[x] / a[x], length},
        {b[x + 2] / a[x + 2], 1.0},
        {b[v] / a[v], speed},
        {b[v + 2] / a[v + 2], 1.0 / time},
        {b[w] / a[w], speed / time},
        {b[w + 2] / a[w + 2], 1.0 / (time * time)},
        {b[eom->column[CRANK_LAMBDA]] / a[eom->column[CRANK_LAMBDA]], force}};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        CHECK_NEAR(factors[i][0], factors[i][1], 1e-13 * factors[i][1]);
    }
    double rows[2][60];
    crank_scale_rows(&s[0], values[0], one.x, 0.0, rows[0]);
    crank_scale_rows(&s[1], values[1], two.x, 0.0, rows[1]);
    const int g = eom->row[CRANK_ROW_G], gI = eom->row[CRANK_ROW_GI];
    CHECK_NEAR(rows[1][g] / rows[0][g], length, 1e-13 * length);
    CHECK_NEAR(rows[1][gI] / rows[0][gI], speed, 1e-13 * speed);
    crank_arena_free(&memory[0]);
    crank_arena_free(&memory[1]);
    mechanism_end(&one);
    mechanism_end(&two);
}

static void sizes_grow_with_what_is_seen_and_are_never_below_units(void **state)
{
    const pendulum p = {.m = 2.0, .I = 0.18, .a = 0.4, .g = 9.81};
    mechanism m;
    crank_scale scale;
    crank_arena memory;
    double values[200];
    begin(&m, &p);
    const double *unit = measure(&m, &scale, &memory, values);
    const int x = m.eom->column[CRANK_P], angle = x + 2;
    CHECK_NEAR(crank_scale_size(&scale, CRANK_P, x), unit[x], 0.0);
    m.x[angle] = 7.0; /* turns: the level of all positions */
    crank_scale_see(&scale, m.x);
    CHECK_NEAR(crank_scale_size(&scale, CRANK_P, x), 7.0 * unit[x],
               8.0 * DBL_EPSILON * unit[x]);
    crank_scale_forget(&scale);
    CHECK_NEAR(crank_scale_size(&scale, CRANK_P, x), unit[x], 0.0);
    crank_arena_free(&memory);
    mechanism_end(&m);
}

static void tolerances_by_kinds_reach_the_unknowns(void **state)
{
    const pendulum p = {.m = 2.0, .I = 0.18, .a = 0.4, .g = 9.81};
    mechanism m;
    crank_options o = crank_options_default();
    crank_problem *problem = NULL;
    begin(&m, &p);
    o.atol_length = 1e-3;
    o.atol_speed = 1e-5;
    o.atol_spin = 1e-4;
    o.atol_force = 1e-2;
    CHECK_OK(crank_formulate("psf", m.eom, &o, 0.0, m.x, (crank_log){0}, &problem, &m.err),
             m.err);
    CHECK_NEAR(problem->atol[m.eom->column[CRANK_P]], 1e-3, 0.0);
    CHECK_NEAR(problem->atol[m.eom->column[CRANK_P] + 2], 0.0, 0.0); /* by its group */
    CHECK_NEAR(problem->atol[m.eom->column[CRANK_V] + 2], 1e-4, 0.0);
    CHECK_NEAR(problem->atol[m.eom->column[CRANK_W]], 1e-7, 1e-22); /* 1e-5^2/1e-3 */
    CHECK_NEAR(problem->atol[m.eom->column[CRANK_W] + 2], 0.0, 0.0);
    CHECK_NEAR(problem->atol[m.eom->column[CRANK_LAMBDA]], 1e-2, 1e-16); /* unit normals */
    crank_problem_destroy(problem);
    mechanism_end(&m);
}

/* Its balance takes what the others have: mL/T^2 times a length, however small masses are
 * beside the 1 of v' = a. */
static void a_body_without_inertia_counts_by_its_mass(void **state)
{
    static const double masses[] = {2.0, 2e-9};
    for (int i = 0; i < 2; i++) {
        const pendulum p = {.m = masses[i], .I = 0.0, .a = 0.4, .g = 9.81};
        mechanism m;
        crank_scale scale;
        crank_arena memory;
        double values[200];
        begin(&m, &p);
        const double *unit = measure(&m, &scale, &memory, values);
        const double L = m.eom->parts->length, T = m.eom->parts->time;
        const double force = p.m * L / (T * T);
        CHECK_NEAR(unit[m.eom->column[CRANK_LAMBDA] + 1], force * fmin(1.0, L / p.a),
                   1e-14 * force);
        crank_arena_free(&memory);
        mechanism_end(&m);
    }
}

/* no gravity, at rest, two times the unit of time: a spring pulls with k d, so that 1/T^2 = k
 * d/(m L) */
static void a_mechanism_at_rest_has_the_time_of_its_first_accelerations(void **state)
{
    static const double stiffnesses[] = {8.0, 8e-6};
    for (int i = 0; i < 2; i++) {
        char text[400];
        mechanism m;
        (void)snprintf(text, sizeof text,
                       "crank: mechanism\ndimension: 2\n"
                       "bodies: {a: {type: point, mass: 2, position: [3, 0]}}\n"
                       "forces: {s: {type: spring, between: [ground, a], at: [[0, 0], [3, 0]], "
                       "stiffness: %.17g, length: 1}}\n",
                       stiffnesses[i]);
        mechanism_begin(&m, text);
        CHECK_NEAR(m.eom->parts->time, 0.0, 0.0);
        const double T = sqrt(2.0 * m.eom->parts->length / (stiffnesses[i] * 2.0));
        CHECK_NEAR(crank_scale_time(m.eom, m.x), T, 1e-12 * T);
        mechanism_end(&m);
    }
}

static void work_has_a_tolerance_of_its_own(void **state)
{
    mechanism m;
    crank_options o = crank_options_default();
    crank_problem *problem = NULL;
    mechanism_begin(&m, "crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nenergy: true\n"
                        "bodies: {b: {mass: 1, inertia: 1, position: [1, 0]}}\n"
                        "joints: {j: {type: revolute, between: [ground, b], at: [0, 0]}}\n"
                        "forces: {d: {type: torsion, joint: j, damping: 1}}\n"
                        "dynamic: {own: {rate: 1}}\n");
    o.atol_energy = 1e-3;
    CHECK_OK(crank_formulate("psf", m.eom, &o, 0.0, m.x, (crank_log){0}, &problem, &m.err),
             m.err);
    const int r = m.eom->column[CRANK_R];
    assert_int_equal(m.eom->sizes.r, 2);
    CHECK_NEAR(problem->atol[r], 0.0, 0.0); /* the model's own: by its group */
    CHECK_NEAR(problem->atol[r + 1], 1e-3, 0.0);
    crank_problem_destroy(problem);
    mechanism_end(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(length_and_time_are_those_of_bodies_and_gravity),
        cmocka_unit_test(what_is_written_of_a_mechanism_does_not_change_its_length),
        cmocka_unit_test(multipliers_have_the_unit_that_balances_inertia),
        cmocka_unit_test(units_follow_the_units_of_the_file),
        cmocka_unit_test(sizes_grow_with_what_is_seen_and_are_never_below_units),
        cmocka_unit_test(tolerances_by_kinds_reach_the_unknowns),
        cmocka_unit_test(a_body_without_inertia_counts_by_its_mass),
        cmocka_unit_test(a_mechanism_at_rest_has_the_time_of_its_first_accelerations),
        cmocka_unit_test(work_has_a_tolerance_of_its_own),
    };
    return CHECK_RUN(argc, argv, tests);
}
