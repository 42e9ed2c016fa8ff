/* test_run.c - the front door: values by name, advancing, tables, events, callbacks, whose
 * mistake a failure is. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"

#include <crank/run.h>

#include <stdlib.h>

static const char pendulum[] = "models/pendulum/pendulum.yaml";

static crank_run *open_run(const char *path, const char *method)
{
    crank_run_options options = crank_run_options_default();
    crank_run *run = NULL;
    crank_error err = {0};
    options.method = method;
    options.t_end = 10.0;
    CHECK_OK(crank_run_open(path, &options, &run, &err), err);
    return run;
}

static void values_are_had_by_name_at_any_time(void **state)
{
    crank_run *run = open_run(pendulum, NULL);
    crank_error err = {0};
    const double energy = crank_run_value(run, "energy"); /* before anything was asked for */
    assert_true(crank_run_time(run) == 0.0 && isfinite(energy));
    for (int i = 1; i <= 10; i++) {
        CHECK_OK(crank_run_advance(run, 0.1 * i, &err), err);
        CHECK_NEAR(crank_run_time(run), 0.1 * i, 0.0);
        const double x = crank_run_value(run, "x"), y = crank_run_value(run, "y");
        CHECK_NEAR(x * x + y * y, 1.0, 1e-13);
        CHECK_NEAR(crank_run_value(run, "energy"), energy, 1e-4);
    }
    assert_true(isnan(crank_run_value(run, "no such thing")));
    assert_int_equal(crank_run_find(run, "no such thing"), -1);
    CHECK_STATUS(crank_run_advance(run, 0.5, &err), CRANK_EARG);
    CHECK_CONTAINS(err.text, "cannot go back");
    crank_run_close(run);
}

/* by one step at a time, by small and by large strides: the same rows */
static void a_table_has_the_rows_that_advancing_gives(void **state)
{
    crank_run *run = open_run(pendulum, "ode-dopri8"),
              *other = open_run(pendulum, "ode-dopri8");
    crank_table *table = NULL;
    crank_error err = {0};
    CHECK_OK(crank_run_table(run, 20, &table, &err), err);
    assert_int_equal(table->rows, 21);
    assert_string_equal(table->names[0], "time");
    assert_true(crank_run_finished(run));
    for (int i = 0; i <= 20; i++) {
        const double t = table->values[i];
        CHECK_OK(crank_run_advance(other, t, &err), err);
        for (int j = 0; j < crank_run_column_count(other); j++) {
            const double *column = table->values + (long)(j + 1) * table->rows;
            assert_true(column[i] == crank_run_values(other, &err)[j]);
        }
    }
    crank_table_destroy(table);
    crank_run_close(run);
    crank_run_close(other);
}

static void what_cannot_be_looked_at_leaves_the_run_as_it_was(void **state)
{
    crank_run *run = open_run("models/bouncing-ball/bouncing-ball.yaml", "psf-radau");
    crank_event_outcome outcome;
    crank_error err = {0};
    CHECK_STATUS(crank_run_look(run, 0.5, &err), CRANK_EARG); /* not started */
    CHECK_STATUS(crank_run_happen(run, &outcome, &err), CRANK_EARG);
    CHECK_OK(crank_run_advance(run, 0.25, &err), err);
    CHECK_STATUS(crank_run_look(run, 1e9, &err), CRANK_EARG);
    CHECK_STATUS(crank_run_look(run, (double)NAN, &err), CRANK_EARG);
    CHECK_STATUS(crank_run_happen(run, &outcome, &err), CRANK_EARG);
    CHECK_NEAR(crank_run_time(run), 0.25, 0.0);
    CHECK_OK(crank_run_advance(run, 0.3, &err), err);
    crank_run_close(run);
}

/* parameters that were numbers belong to what is saved */
static void a_checkpoint_of_other_parameters_is_refused(void **state)
{
    for (int other = 0; other < 2; other++) {
        crank_run *run = open_run(pendulum, NULL), *next = open_run(pendulum, NULL);
        crank_error err = {0};
        void *data = NULL;
        size_t size = 0;
        CHECK_OK(crank_run_advance(run, 0.5, &err), err);
        CHECK_OK(crank_integrator_save(crank_run_integrator(run), &data, &size, &err), err);
        if (other == 1) {
            CHECK_OK(crank_run_set(next, "grav", 13.75, &err), err); /* as it was */
            CHECK_OK(crank_run_set(next, "m", 2.0, &err), err);
        }
        CHECK_STATUS(crank_run_load(next, data, size, &err),
                     other == 1 ? CRANK_EFILE : CRANK_OK);
        free(data);
        crank_run_close(run);
        crank_run_close(next);
    }
}

/* A ball that bounced too weakly for its relation to leave zero falls through the floor: the run
 * ends for it, also where it was saved and loaded in between. */
static void a_loaded_run_knows_what_relations_have_seen(void **state)
{
    static const char *const methods[] = {"psf-radau", "inline-bdf"};
    static const char ball[] = "models/modelica/ball.mo"; /* it rests at 3.8552 s */
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        crank_run *run = open_run(ball, methods[i]), *next = open_run(ball, methods[i]);
        crank_error err = {0};
        void *data = NULL, *last = NULL;
        size_t size = 0;
        crank_status status = CRANK_OK;
        for (double t = 3.85; status == CRANK_OK && t < 3.9; t += 1e-6) {
            status = crank_run_advance(run, t, &err);
            if (status == CRANK_OK) {
                free(last);
                CHECK_OK(crank_integrator_save(crank_run_integrator(run), &data, &size, &err),
                         err);
                last = data;
            }
        }
        CHECK_STATUS(status, CRANK_EEVENTS);
        CHECK_OK(crank_run_load(next, last, size, &err), err);
        CHECK_STATUS(crank_run_advance(next, 3.9, &err), CRANK_EEVENTS);
        free(last);
        crank_run_close(run);
        crank_run_close(next);
    }
}

/* it falls for half a second, and 4/5 of its speed of 5 m/s are left */
static void events_are_gone_through(void **state)
{
    crank_run *run = open_run("models/bouncing-ball/bouncing-ball.yaml", NULL);
    crank_error err = {0};
    CHECK_OK(crank_run_advance(run, 0.4, &err), err);
    CHECK_NEAR(crank_run_value(run, "v"), -4.0, 1e-7);
    CHECK_OK(crank_run_advance(run, 0.7, &err), err);
    CHECK_NEAR(crank_run_value(run, "v"), 4.0 - 10.0 * 0.2, 1e-7);
    CHECK_NEAR(crank_run_value(run, "y"), 0.1 + 4.0 * 0.2 - 5.0 * 0.04, 1e-7);
    crank_run_close(run);
}

static void equations_in_c_come_through_the_same_door(void **state)
{
    const crank_setting tight[] = {{"rtol", "1e-10"}, {"atol", "1e-10"}};
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_run_options options = crank_run_options_default();
    crank_run *run = NULL;
    crank_error err = {0};
    double x[5];
    test_pendulum_start(&data, 0.3, 1.0, x);
    CHECK_STATUS(crank_run_open_eom(eom, 0.0, x, &options, &run, &err), CRANK_EARG);
    assert_null(run);
    options.t_end = 2.0;
    options.method = "psf-radau";
    options.options = tight;
    options.option_count = 2;
    CHECK_OK(crank_run_open_eom(eom, 0.0, x, &options, &run, &err), err);
    CHECK_OK(crank_run_advance(run, 1.7, &err), err);
    const double *state_now = crank_run_state(run);
    CHECK_NEAR(state_now[3] * state_now[3] + state_now[4] * state_now[4], 1.0, 1e-13);
    assert_true(crank_run_values(run, &err) == state_now);
    crank_run_close(run);
    crank_eom_destroy(eom);
}

/* settings, options and methods are the caller's, the rest is the file's; texts are not
 * compared */
static void it_is_said_whose_mistake_a_failure_is(void **state)
{
    const crank_setting wrong[] = {{"no_such", "1"}}, good[] = {{"linear_algebra", "sparse"}};
    crank_run *run = NULL;
    crank_error err = {0};
    crank_run_options options = crank_run_options_default();
    options.settings = wrong;
    options.setting_count = 1;
    CHECK_STATUS(crank_run_open(pendulum, &options, &run, &err), CRANK_EMODEL);
    assert_true(err.given && run == NULL);
    options = crank_run_options_default();
    options.options = wrong;
    options.option_count = 1;
    CHECK_STATUS(crank_run_open(pendulum, &options, &run, &err), CRANK_EARG);
    assert_true(err.given);
    options = crank_run_options_default();
    options.method = "no such method";
    CHECK_STATUS(crank_run_open(pendulum, &options, &run, &err), CRANK_EARG);
    assert_true(err.given);
    CHECK_CONTAINS(err.text, "psf-radau");
    CHECK_STATUS(crank_run_open("models/README.md", NULL, &run, &err), CRANK_ESYNTAX);
    assert_true(!err.given && run == NULL);
    options = crank_run_options_default();
    options.method =
        "ggl-radau"; /* needs independent constraints, the file's own method does not */
    options.options = good;
    options.option_count = 1;
    CHECK_OK(crank_run_open("models/slider-crank/redundant.yaml", &options, &run, &err), err);
    CHECK_STATUS(crank_run_start(run, &err), CRANK_EREFUSED);
    assert_true(err.given);
    crank_run_close(run);
}

/* x = [lambda | v | p]: a mass on a slope that is held by a constraint without a force */
static crank_status without_multiplier(double t, const double *x, double *k, void *user)
{
    k[0] = -9.81; /* gII */
    k[1] = x[1];
    k[2] = x[2];
    k[3] = -9.81; /* and no lambda */
    k[4] = x[1];
    return CRANK_OK;
}

static crank_status unit_mass(double t, const double *x, double *values, void *user)
{
    values[0] = 1.0;
    return CRANK_OK;
}

static void forces_of_constraints_that_callbacks_forget_are_named(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_run_options options = crank_run_options_default();
    crank_eom *eom = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    const double x[3] = {0.0};
    d.sizes = (crank_eom_sizes){.p = 1, .v = 1, .lambda = 1};
    d.mass_kind = CRANK_MASS_DIAGONAL_CONSTANT;
    d.evaluate = without_multiplier;
    d.mass = unit_mass;
    options.t_end = 1.0;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    CHECK_OK(crank_run_open_eom(eom, 0.0, x, &options, &run, &err), err);
    CHECK_STATUS(crank_run_initialize(run, &err), CRANK_EINIT_CONTRADICTION);
    CHECK_CONTAINS(err.text, "G^T lambda, are missing in the dynamic equations");
    crank_run_close(run);
    crank_eom_destroy(eom);
}

static void a_time_that_is_none_is_refused(void **state)
{
    crank_run *run = open_run(pendulum, NULL);
    crank_error err = {0};
    double x[5];
    CHECK_OK(crank_run_formulate(run, &err), err);
    CHECK_STATUS(crank_integrator_interpolate(crank_run_integrator(run), 0.0, x, &err),
                 CRANK_EARG); /* not started */
    CHECK_OK(crank_run_start(run, &err), err);
    CHECK_STATUS(crank_run_advance(run, (double)NAN, &err), CRANK_EARG);
    crank_run_close(run);
}

static crank_model *read_text(const char *text, const char *vary)
{
    crank_model_options options = crank_model_options_default();
    crank_model *model = NULL;
    crank_error err = {0};
    options.vary = &vary;
    options.vary_count = vary != NULL ? 1 : 0;
    CHECK_OK(crank_model_read_text("model", text, strlen(text), &options, &model, &err), err);
    return model;
}

static const char falling[] = "crank: equations\n"
                              "parameters: {g: 10, k: 1/(g - 1)}\n"
                              "positions: {y: {start: 1}}\n"
                              "velocities: {v: {of: y, start: 0}}\n"
                              "mass: [[1]]\n"
                              "forces: [-g + 0*k]\n"
                              "events: {half: {when: y - 0.5, actions: {message: half way}}}\n"
                              "simulate: {t_end: 0.5, every: 0.2}\n";

/* one row: it ends where it begins */
static void a_run_without_duration_has_one_row(void **state)
{
    crank_model *model = read_text(falling, NULL);
    for (int i = 0; i < 2; i++) {
        crank_run_options options = crank_run_options_default();
        crank_run *run = NULL;
        crank_table *table = NULL;
        crank_error err = {0};
        options.t_end = -i;
        CHECK_OK(crank_run_open_model(model, &options, &run, &err), err);
        CHECK_STATUS(crank_run_table(run, 10, &table, &err), i == 0 ? CRANK_OK : CRANK_ETIME);
        if (i == 0) {
            assert_int_equal(table->rows, 1);
            CHECK_NEAR(table->values[1], 1.0, 0.0);
        } else {
            assert_true(err.given && table == NULL);
        }
        crank_table_destroy(table);
        crank_run_close(run);
    }
    crank_model_destroy(model);
}

/* the event at sqrt(0.1) says something and changes nothing; the rows are the file's */
static void an_event_that_only_says_something_is_passed_once(void **state)
{
    crank_model *model = read_text(falling, NULL);
    crank_run *run = NULL;
    crank_table *table = NULL;
    crank_error err = {0};
    CHECK_OK(crank_run_open_model(model, NULL, &run, &err), err);
    CHECK_OK(crank_run_advance(run, 0.45, &err), err);
    CHECK_NEAR(crank_run_value(run, "y"), 1.0 - 5.0 * 0.45 * 0.45, 1e-9);
    assert_false(crank_run_happened(run));
    crank_run_close(run);
    CHECK_OK(crank_run_open_model(model, NULL, &run, &err), err);
    CHECK_OK(crank_run_table(run, 0, &table, &err), err);
    assert_int_equal(table->rows, 4);
    for (int i = 0; i < 4; i++) {
        const double t = i < 3 ? 0.2 * i : 0.5;
        CHECK_NEAR(table->values[i], t, 0.0);
        CHECK_NEAR(table->values[4 + i], 1.0 - 5.0 * t * t, 1e-9);
    }
    crank_table_destroy(table);
    crank_run_close(run);
    crank_model_destroy(model);
}

typedef struct way {
    char order[64]; /* of the visits */
    int used;
    double last_row;
} way;

static crank_status note(way *w, char what)
{
    w->order[w->used] = what;
    w->used += w->used < 62 ? 1 : 0;
    return CRANK_OK;
}

static crank_status before(crank_run *run, void *user, crank_error *err)
{
    return note(user, '<');
}

static crank_status after(crank_run *run, void *user, crank_error *err)
{
    return note(user, '>');
}

static crank_status row(crank_run *run, void *user, crank_error *err)
{
    ((way *)user)->last_row = crank_run_time(run);
    return note(user, 'r');
}

static crank_status event(crank_run *run, void *user, crank_error *err)
{
    crank_event_outcome outcome;
    CHECK_CONTAINS((crank_run_happen(run, &outcome, err), outcome.text), "half way");
    return note(user, 'e');
}

static void a_visitor_sees_steps_rows_and_events_in_their_order(void **state)
{
    const crank_run_visitor visitor = {before, after, row, event, NULL};
    crank_model *model = read_text(falling, NULL);
    for (int steps = 0; steps < 2; steps++) {
        crank_run *run = NULL;
        crank_run_rows rows;
        crank_error err = {0};
        way w = {0};
        crank_run_visitor mine = visitor;
        mine.user = &w;
        CHECK_OK(crank_run_open_model(model, NULL, &run, &err), err);
        CHECK_OK(crank_run_divide(run, 0.0, 3, &rows, &err), err);
        rows.steps = steps == 1;
        CHECK_OK(crank_run_visit(run, &rows, &mine, &err), err);
        CHECK_NEAR(w.last_row, 0.5, 0.0);
        assert_true(strncmp(w.order, "r<>", 3) == 0 && strstr(w.order, "<<") == NULL &&
                    strstr(w.order, ">>") == NULL);
        assert_true(strchr(w.order, 'e') != NULL &&
                    strchr(w.order, 'e') == strrchr(w.order, 'e'));
        assert_true(steps == 0 ? rows.next == 4 : strstr(w.order, "><") == NULL);
        crank_run_close(run);
    }
    crank_model_destroy(model);
}

/* also if it is a variable of the equations, which the file's other parameters follow */
static void a_value_that_is_refused_is_the_callers(void **state)
{
    static const char mechanism[] =
        "crank: mechanism\ndimension: 2\nparameters: {g: 10, k: 1/(g - 1)}\n"
        "bodies: {b: {mass: 1, inertia: 1}}\n"
        "forces: {f: {type: force, body: b, force: [-k*body.b.x, -g]}}\n";
    for (int i = 0; i < 4; i++) {
        crank_model *model = read_text(i < 2 ? falling : mechanism, i % 2 == 0 ? NULL : "g");
        crank_run *run = NULL;
        crank_error err = {0};
        CHECK_OK(crank_run_open_model(model, NULL, &run, &err), err);
        CHECK_STATUS(crank_run_set(run, "g", 1.0, &err), CRANK_EMODEL);
        CHECK_CONTAINS(err.text, "\"g\" set to 1: parameter \"k\": the value is not finite");
        assert_true(err.given);
        CHECK_OK(crank_run_set(run, "g", 5.0, &err), err);
        CHECK_OK(crank_run_advance(run, 0.5, &err), err);
        CHECK_NEAR(crank_run_value(run, i < 2 ? "y" : "body.b.y"),
                   (i < 2 ? 1.0 : 0.0) - 2.5 * 0.25, 1e-6);
        crank_run_close(run);
        crank_model_destroy(model);
    }
}

static void count_notes(crank_level level, const char *text, void *user)
{
    *(int *)user += strstr(text, "is left out") != NULL ? 1 : 0;
}

/* what the file says for its own method does not hinder others; what the caller says does */
static void options_of_the_file_that_another_method_does_not_have_are_left_out(void **state)
{
    const crank_setting radaus[] = {{"tolerance_transform", "off"}};
    crank_run_options options = crank_run_options_default();
    crank_run *run = NULL;
    crank_error err = {0};
    int notes = 0;
    options.method = "psf-bdf";
    options.log = (crank_log){count_notes, &notes};
    CHECK_OK(crank_run_open("models/andrews/andrews.yaml", &options, &run, &err), err);
    CHECK_OK(crank_run_formulate(run, &err), err);
    assert_int_equal(notes, 1);
    crank_run_close(run);
    options.options = radaus;
    options.option_count = 1;
    CHECK_OK(crank_run_open(pendulum, &options, &run, &err), err);
    CHECK_STATUS(crank_run_formulate(run, &err), CRANK_EREFUSED);
    assert_true(err.given);
    crank_run_close(run);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_had_by_name_at_any_time),
        cmocka_unit_test(a_table_has_the_rows_that_advancing_gives),
        cmocka_unit_test(events_are_gone_through),
        cmocka_unit_test(what_cannot_be_looked_at_leaves_the_run_as_it_was),
        cmocka_unit_test(a_checkpoint_of_other_parameters_is_refused),
        cmocka_unit_test(a_loaded_run_knows_what_relations_have_seen),
        cmocka_unit_test(equations_in_c_come_through_the_same_door),
        cmocka_unit_test(it_is_said_whose_mistake_a_failure_is),
        cmocka_unit_test(forces_of_constraints_that_callbacks_forget_are_named),
        cmocka_unit_test(a_time_that_is_none_is_refused),
        cmocka_unit_test(a_run_without_duration_has_one_row),
        cmocka_unit_test(an_event_that_only_says_something_is_passed_once),
        cmocka_unit_test(a_visitor_sees_steps_rows_and_events_in_their_order),
        cmocka_unit_test(a_value_that_is_refused_is_the_callers),
        cmocka_unit_test(options_of_the_file_that_another_method_does_not_have_are_left_out),
    };
    return CHECK_RUN(argc, argv, tests);
}
