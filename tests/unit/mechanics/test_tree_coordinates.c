/* test_tree_coordinates.c - mechanisms in joint coordinates move as in absolute ones: the same
 * accelerations, multipliers and reactions at random assembled states, the same motions; their
 * derivatives agree with differences. */
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/mechanics/joint_models.h"
#include "unit/mechanics/mechanism.h"

#include "eom/eom.h"
#include "mechanics/system.h"

#include <stdlib.h>

/* ---- models ---- */

static const char *const models[] = {tree, loops, planar, redundant, screws, led};
enum { MODELS = sizeof models / sizeof *models };

static void begin(mechanism *m, const char *text, crank_coordinates_choice coordinates)
{
    crank_model_options options = crank_model_options_default();
    options.coordinates = coordinates;
    *m = (mechanism){0};
    CHECK_OK(one_state_read_text("test", text, strlen(text), &options, &m->model, &m->err),
             m->err);
    m->eom = crank_state_eom(m->model);
    m->n = crank_eom_unknowns(m->eom);
    assert_true(m->n <= MECHANISM_MAX);
    memcpy(m->x, crank_state_start(m->model), (size_t)m->n * sizeof *m->x);
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

static void initialize(mechanism *m)
{
    crank_initial_options initial = crank_initial_options_default();
    crank_initial_report report;
    initial.fixing = crank_model_fixing(crank_state_model(m->model));
    initial.max_change = 0.0;
    initial.multipliers = true;
    CHECK_OK(
        crank_eom_initialize(m->eom, m->t, m->x, &initial, &report, (crank_log){0}, &m->err),
        m->err);
}

/* a random state near the start that joints allow, with its accelerations and multipliers */
static void random_state(mechanism *m, random_source *r, const double *start)
{
    const int p = crank_eom_column(m->eom, CRANK_P), v = crank_eom_column(m->eom, CRANK_V);
    double change[MECHANISM_MAX];
    random_fill(r, m->n, change);
    memcpy(m->x, start, (size_t)m->n * sizeof *m->x);
    for (int i = p; i < m->n; i++) {
        m->x[i] += 0.3 * change[i];
    }
    for (int i = v; i < v + m->eom->sizes.v; i++) {
        m->x[i] = change[i];
    }
    initialize(m);
}

/* the same state in absolute coordinates */
static void carry_over(const mechanism *from, mechanism *to)
{
    crank_system *s = from->eom->self;
    const crank_system *absolute = to->eom->self;
    crank_system_point(s, from->t, from->x);
    memset(to->x, 0, sizeof to->x);
    to->t = from->t;
    for (int i = 0; i < s->body_count; i++) {
        const crank_body_state *q = &s->state[i];
        const crank_absolute_body *b = &absolute->coordinates.absolute[i];
        const int translations = crank_body_translations(q->kind);
        memcpy(to->x + b->p, q->x, (size_t)translations * sizeof(double));
        memcpy(to->x + b->v, q->v, (size_t)translations * sizeof(double));
        if (q->kind == CRANK_BODY_SPATIAL) {
            memcpy(to->x + b->p + 3, q->q, sizeof q->q);
            memcpy(to->x + b->v + 3, q->omega, sizeof q->omega);
        } else if (q->kind == CRANK_BODY_PLANAR) {
            to->x[b->p + 2] = q->angle;
            to->x[b->v + 2] = q->omega[2];
        }
    }
    const int r = crank_eom_column(from->eom, CRANK_R);
    for (int i = 0; i < from->eom->sizes.r; i++) {
        to->x[crank_eom_column(to->eom, CRANK_R) + i] = from->x[r + i];
    }
    CHECK_OK(crank_eom_find_multipliers(to->eom, to->t, to->x, &to->err), to->err);
}

/* the column that tells whether one is unique, NULL: all are */
static const char *unique_of(const char *name, char text[200])
{
    const char *dot = strrchr(name, '.');
    (void)snprintf(text, 200, "%.*s.unique%s", (int)(dot != NULL ? dot - name : 0), name,
                   dot != NULL ? dot : "");
    return text;
}

static int find_column(const mechanism *m, const char *name)
{
    const crank_model *model = crank_state_model(m->model);
    for (int i = 0; i < crank_model_column_count(model); i++) {
        if (strcmp(crank_model_column_name(model, i), name) == 0) {
            return i;
        }
    }
    return -1;
}

/* all columns of results: joints' coordinates, reactions, energies, multipliers of equations */
static void compare_columns(mechanism *joint, mechanism *absolute)
{
    const crank_model *model = crank_state_model(joint->model);
    double one[MECHANISM_MAX], other[MECHANISM_MAX], size = 1.0;
    char text[200];
    CHECK_OK(crank_state_columns(joint->model, joint->t, joint->x, one, &joint->err),
             joint->err);
    CHECK_OK(
        crank_state_columns(absolute->model, absolute->t, absolute->x, other, &absolute->err),
        absolute->err);
    for (int i = 0; i < crank_model_column_count(model); i++) {
        size = fmax(size, fabs(other[i]));
    }
    for (int i = 0; i < crank_model_column_count(model); i++) {
        const char *name = crank_model_column_name(model, i);
        const int unique = find_column(joint, unique_of(name, text));
        assert_string_equal(name,
                            crank_model_column_name(crank_state_model(absolute->model), i));
        if ((unique < 0 || other[unique] == 1.0) && !(fabs(one[i] - other[i]) < 1e-10 * size)) {
            fail_msg("%s: %.15g, absolute %.15g", name, one[i], other[i]);
        }
    }
}

static void compare_accelerations(mechanism *joint, mechanism *absolute)
{
    crank_system *s = joint->eom->self, *a = absolute->eom->self;
    double size = 1.0;
    crank_system_point(s, joint->t, joint->x);
    crank_system_point(a, absolute->t, absolute->x);
    for (int i = 0; i < s->body_count; i++) {
        for (int k = 0; k < 3; k++) {
            size = fmax(size, fmax(fabs(a->state[i].a[k]), fabs(a->state[i].alpha[k])));
        }
    }
    for (int i = 0; i < s->body_count; i++) {
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(s->state[i].a[k], a->state[i].a[k], 1e-10 * size);
            CHECK_NEAR(s->state[i].alpha[k], a->state[i].alpha[k], 1e-10 * size);
        }
    }
}

static void agree(const char *text)
{
    mechanism joint, absolute;
    random_source r = {5};
    double start[MECHANISM_MAX];
    begin(&joint, text, CRANK_COORDINATES_JOINT);
    begin(&absolute, text, CRANK_COORDINATES_ABSOLUTE);
    assert_true(joint.n < absolute.n);
    initialize(&joint);
    memcpy(start, joint.x, sizeof start);
    for (int i = 0; i < 100; i++) {
        joint.t = 0.1 * i;
        random_state(&joint, &r, start);
        carry_over(&joint, &absolute);
        compare_accelerations(&joint, &absolute);
        compare_columns(&joint, &absolute);
    }
    mechanism_end(&joint);
    mechanism_end(&absolute);
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
        cmocka_unit_test(implicit_and_explicit_methods_move_as_in_absolute_coordinates),
        cmocka_unit_test(joints_whose_forces_are_read_stay_constraints),
        cmocka_unit_test(checkpoints_of_other_coordinates_are_refused_by_name),
        cmocka_unit_test(only_mechanisms_have_joint_coordinates),
        cmocka_unit_test(redundant_loops_have_the_unique_reactions_of_absolute_coordinates)};
    return CHECK_RUN(argc, argv, tests);
}
