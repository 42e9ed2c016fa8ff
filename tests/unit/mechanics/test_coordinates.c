/* test_coordinates.c - joints, forces and laws do not know which unknowns say where the bodies
 * are: a mechanism with a body that is part of another one (welded.h, no unknowns of its own)
 * against the same one in absolute coordinates with a fixed joint. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/mechanism.h"
#include "unit/mechanics/welded.h"

#include "mechanics/law.h"
#include "mechanics/output.h"
#include "model/yaml.h"

/* crank, plate and rocker, hanging from one another; the rider on the plate holds the rocker, a
 * spring, a force and a torque, and is what both equations are about. Friction under load has
 * multipliers in its law. */
#define BODIES                                                                                 \
    "crank: mechanism\ndimension: 2\ngravity: [0, -9.81]\nenergy: true\n"                      \
    "bodies:\n"                                                                                \
    "  crank: {mass: 1, inertia: 0.2, position: [0.3, 0.4], angle: 0.9, rate: 2}\n"            \
    "  plate: {mass: 2, inertia: 0.3, position: [1.2, 1.0], angle: 0.3}\n"                     \
    "  rider: {mass: 0.7, inertia: 0.1, position: [1.8, 1.5], angle: -0.4}\n"                  \
    "  rocker: {mass: 1.5, inertia: 0.25, position: [2.2, 0.9], angle: 1.8}\n"                 \
    "dynamic: {heat: {start: 0, rate: body.rider.vx^2}}\n"                                     \
    "auxiliary: {pull: {equation: pull - 3*body.rider.vy - t}}\n"                              \
    "holonomic: {track: body.rider.y - 1.5 - sin(body.rider.x - 1.8)*body.rider.x/5}\n"        \
    "nonholonomic: {drag: body.rocker.vx*(1 + body.rider.x^2) - 0.3*body.rider.vy}\n"          \
    "joints:\n"                                                                                \
    "  a: {type: revolute, between: [ground, crank], at: [0, 0]}\n"                            \
    "  b: {type: revolute, between: [crank, plate], at: [0.6, 0.8]}\n"                         \
    "  c: {type: revolute, between: [rider, rocker], at: [2, 1.6]}\n"
#define FORCES                                                                                 \
    "forces:\n"                                                                                \
    "  s: {type: spring, between: [crank, rider], at: [[0.5, 0], [1.9, 1.2]], stiffness: "     \
    "40,\n"                                                                                    \
    "    length: 1, damping: 0.8}\n"                                                           \
    "  f: {type: force, body: rider, at: [1.7, 1.7], force: [2*pull, cos(t)], axes: body}\n"   \
    "  t: {type: torque, body: rider, torque: 1 + t}\n"                                        \
    "  r: {type: friction, joint: c, coefficient: 0.2, radius: 0.1, slip: 0.05}\n"
#define WELD "  weld: {type: fixed, between: [plate, rider], at: [1.5, 1.2]}\n"

typedef struct subject {
    crank_store store;
    crank_files files;
    crank_model_options options;
    crank_document document;
    crank_mechanism records;
    crank_builder b;
    crank_system *s;
    mechanism m;
} subject;

static void subject_begin(subject *k, const char *text, const crank_coordinates_kind *kind)
{
    const crank_record_type *const *joints, *const *forces;
    crank_error *err = &k->m.err;
    *k = (subject){.options = crank_model_options_default()};
    k->records = (crank_mechanism){.store = &k->store,
                                   .pool = crank_pool_create(),
                                   .files = &k->files,
                                   .options = &k->options};
    CHECK_OK(crank_yaml_read(text, strlen(text), &k->store, &k->document, err), *err);
    assert_true(crank_types_list(&k->store, &joints, &forces));
    CHECK_OK(crank_mechanism_read(&k->records, &k->document, NULL, joints, forces, err), *err);
    CHECK_OK(crank_builder_init(&k->b, &k->records, err), *err);
    k->b.coordinates = kind;
    CHECK_OK(crank_builder_run(&k->b, err), *err);
    crank_energy_work work;
    CHECK_OK(crank_energy_build(&k->b, &work, err), *err);
    CHECK_OK(crank_system_create(&k->b, &k->s, err), *err);
    k->m.eom = k->s->eom;
    k->m.n = k->s->eom->n;
}

static void subject_end(subject *k)
{
    crank_eom_destroy(k->s->eom);
    crank_builder_free(&k->b);
    crank_pool_destroy(k->records.pool);
    crank_store_free(&k->files.store);
    crank_store_free(&k->store);
}

static void initialize(subject *k, crank_fixing *fixing)
{
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    initial.fixing = fixing;
    initial.max_change = 0.0;
    initial.multipliers = true;
    CHECK_OK(crank_eom_initialize(k->s->eom, 0.0, k->m.x, &initial, &report, (crank_log){0},
                                  &k->m.err),
             k->m.err);
}

/* p, v and r of the first one, and of the rider what it says of it, become those of the
 * second */
static void carry_over(subject *from, subject *to)
{
    crank_system_point(from->s, 0.0, from->m.x);
    for (int j = 0; j < from->m.n; j++) {
        to->m.x[mechanism_column(&to->m, crank_eom_column_name(from->s->eom, j))] =
            from->m.x[j];
    }
    const crank_body_state *q = &from->s->state[2];
    const crank_absolute_body *b = &to->s->coordinates.absolute[2];
    const double p[3] = {q->x[0], q->x[1], q->angle}, v[3] = {q->v[0], q->v[1], q->omega[2]};
    memcpy(to->m.x + b->p, p, sizeof p);
    memcpy(to->m.x + b->v, v, sizeof v);
}

/* both at the same consistent point */
static void begin_both(subject *fewer, subject *all)
{
    crank_fixing fixing[MECHANISM_MAX];
    subject_begin(fewer, BODIES FORCES, &welded_coordinates);
    subject_begin(all, BODIES WELD FORCES, &crank_absolute_coordinates);
    assert_int_equal(fewer->s->eom->sizes.p, 9);
    assert_int_equal(all->s->eom->sizes.p, 12);
    crank_system_start(fewer->s, &fewer->b, fewer->m.x, fixing);
    initialize(fewer, fixing);
    crank_system_start(all->s, &all->b, all->m.x, fixing);
    carry_over(fewer, all);
    for (int j = 0; j < all->m.n; j++) {
        const bool given =
            (j >= all->s->eom->column[CRANK_R] && j < all->s->eom->column[CRANK_S]) ||
            j >= all->s->eom->column[CRANK_P];
        fixing[j] = given ? CRANK_FIXED : CRANK_FREE;
    }
    initialize(all, fixing);
}

static double largest_difference(subject *fewer, subject *all)
{
    double most = 0.0;
    for (int j = 0; j < fewer->m.n; j++) {
        const char *name = crank_eom_column_name(fewer->s->eom, j);
        const double other = all->m.x[mechanism_column(&all->m, name)];
        const double apart = fabs(fewer->m.x[j] - other) / (1.0 + fabs(other));
        if (!(apart <= most)) {
            most = apart;
        }
    }
    return most;
}

static void accelerations_and_multipliers_do_not_depend_on_the_coordinates(void **state)
{
    (void)state;
    subject fewer, all;
    begin_both(&fewer, &all);
    /* what Newton's iterations leave: some hundred roundings */
    CHECK_NEAR(largest_difference(&fewer, &all), 0.0, 1e-12);
    crank_system_point(fewer.s, 0.0, fewer.m.x);
    crank_system_point(all.s, 0.0, all.m.x);
    CHECK_NEAR(crank_energy_kinetic(fewer.s), crank_energy_kinetic(all.s), 1e-13);
    CHECK_NEAR(crank_energy_gravity(fewer.s), crank_energy_gravity(all.s), 1e-13);
    subject_end(&fewer);
    subject_end(&all);
}

static void motions_do_not_depend_on_the_coordinates(void **state)
{
    (void)state;
    subject fewer, all;
    double explicitly[MECHANISM_MAX];
    begin_both(&fewer, &all);
    const mechanism start = fewer.m;
    /* the explicit method's stages come from the whole Jacobian */
    mechanism_run_by(&fewer.m, "ode-dopri8", NULL, 0.7, 1e-10);
    memcpy(explicitly, fewer.m.x, sizeof explicitly);
    fewer.m = start;
    mechanism_run(&fewer.m, 0.7, 1e-10);
    mechanism_run(&all.m, 0.7, 1e-10);
    assert_true(fabs(fewer.m.x[mechanism_column(&fewer.m, "body.crank.angle")] - 0.9) > 0.1);
    for (int j = fewer.s->eom->column[CRANK_V]; j < fewer.m.n; j++) { /* v and p */
        const char *name = crank_eom_column_name(fewer.s->eom, j);
        CHECK_NEAR(fewer.m.x[j], all.m.x[mechanism_column(&all.m, name)], 1e-7);
        CHECK_NEAR(explicitly[j], fewer.m.x[j], 1e-7);
    }
    subject_end(&fewer);
    subject_end(&all);
}

static void derivatives_follow_the_chain_rule(void **state)
{
    (void)state;
    subject k;
    random_source r = {21};
    subject_begin(&k, BODIES FORCES, &welded_coordinates);
    for (int i = 0; i < 20; i++) {
        double deviation = 1.0;
        char text[300] = "";
        random_fill(&r, k.m.n, k.m.x);
        CHECK_OK(crank_eom_check_derivatives(k.s->eom, 0.1 * i, k.m.x, &deviation, text,
                                             sizeof text, &k.m.err),
                 k.m.err);
        if (!(deviation < 1e-6)) {
            fail_msg("deviation %g: %s", deviation, text);
        }
    }
    subject_end(&k);
}

static void systems_that_share_equations_have_values_of_their_own(void **state)
{
    (void)state;
    subject k;
    random_source r = {23};
    double k1[100], k2[100], x2[100];
    crank_eom *eom = NULL;
    crank_system *other = NULL;
    subject_begin(&k, BODIES FORCES, &welded_coordinates);
    assert_true(k.s->eom->n <= 100 && k.s->eom->m <= 100);
    CHECK_OK(crank_eom_share(k.s->eom, &eom, &k.m.err), k.m.err);
    CHECK_OK(crank_system_share(k.s, eom, &other, &k.m.err), k.m.err);
    random_fill(&r, k.m.n, k.m.x);
    random_fill(&r, k.m.n, x2);
    CHECK_OK(crank_eom_evaluate(k.s->eom, 0.3, k.m.x, k1, &k.m.err), k.m.err);
    CHECK_OK(crank_eom_evaluate(eom, 0.3, x2, k2, &k.m.err), k.m.err);
    CHECK_OK(crank_eom_evaluate(eom, 0.3, k.m.x, k2, &k.m.err), k.m.err);
    assert_memory_equal(k1, k2, (size_t)eom->m * sizeof *k1);
    assert_ptr_not_equal(k.s->coordinates.self, other->coordinates.self);
    crank_eom_destroy(eom);
    subject_end(&k);
}

static void rates_are_rows_times_velocities(void **state)
{
    (void)state;
    subject k;
    random_source r = {22};
    double row[20] = {0.0};
    subject_begin(&k, BODIES FORCES, &welded_coordinates);
    random_fill(&r, k.m.n, k.m.x);
    crank_system_point(k.s, 0.0, k.m.x);
    for (int i = 0; i < k.s->primitive_count; i++) {
        const crank_primitive *p = &k.s->primitive[i];
        double rate = 0.0;
        memset(row, 0, sizeof row);
        for (int b = 0; b < p->bodies; b++) {
            crank_coordinates_rate(&k.s->coordinates, p->body[b], 1.0,
                                   k.s->local[i].J + p->v0[b], row);
        }
        for (int j = 0; j < k.s->eom->sizes.v; j++) {
            rate += row[j] * k.m.x[k.s->eom->column[CRANK_V] + j];
        }
        CHECK_NEAR(rate, k.s->local[i].rate, 1e-13);
    }
    subject_end(&k);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accelerations_and_multipliers_do_not_depend_on_the_coordinates),
        cmocka_unit_test(motions_do_not_depend_on_the_coordinates),
        cmocka_unit_test(derivatives_follow_the_chain_rule),
        cmocka_unit_test(systems_that_share_equations_have_values_of_their_own),
        cmocka_unit_test(rates_are_rows_times_velocities)};
    return CHECK_RUN(argc, argv, tests);
}
