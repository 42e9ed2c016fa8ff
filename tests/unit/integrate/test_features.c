/* test_features.c - steps and what looks along them say (theory 8.8), with looks written down:
 * what they are given, how far a step is shortened, and that a run goes on from a checkpoint
 * with all of it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/create.h"
#include "integrate/integrator.h"
#include "subject.h"

enum { MOST = 40 };

typedef struct seen {
    double begin, end, before, since, part, error, size; /* before, error NAN: not known */
} seen;

typedef struct toy {
    int column;       /* of x: the argument */
    int looks, never; /* looks so far; the first ones that find something unseen */
    double answer;    /* of those */
    seen chord[MOST];
} toy;

static void fetch(void *user, double t, const double *x, double *inputs)
{
    (void)t;
    inputs[0] = x[((toy *)user)->column];
}

static double look(void *user, const crank_chord *c)
{
    toy *s = user;
    if (c->error == NULL && s->looks < s->never) {
        return s->answer; /* it is asked again, with errors */
    }
    assert_true(s->looks < MOST);
    c->size[0] += 1.0;
    s->chord[s->looks] = (seen){.begin = c->begin[0],
                                .end = c->end[0],
                                .before = c->before != NULL ? c->before[0] : (double)NAN,
                                .since = c->since,
                                .part = c->part,
                                .error = c->error != NULL ? c->error[0] : (double)NAN,
                                .size = c->size[0]};
    return s->looks++ < s->never ? s->answer : 1.0;
}

/* A pendulum that has been started, with these looks. */
static subject open_with(toy *looks, const char *method)
{
    crank_run_options options = crank_run_options_default();
    subject s = {0};
    crank_error err = {0};
    options.method = method;
    CHECK_OK(crank_run_open(MODEL("pendulum", "pendulum"), &options, &s.run, &err), err);
    CHECK_OK(crank_run_start(s.run, &err), err);
    s.eom = crank_run_eom(s.run);
    s.n = crank_eom_unknowns(s.eom);
    looks->column = crank_eom_column(s.eom, CRANK_P);
    const crank_features features = {
        .count = 1, .inputs = 1, .fetch = fetch, .look = look, .user = looks};
    CHECK_OK(crank_integrator_set_features(crank_run_integrator(s.run), &features, &err), err);
    return s;
}

static void step(subject *s, int count)
{
    crank_error err = {0};
    for (int i = 0; i < count; i++) {
        CHECK_OK(crank_run_step(s->run, &err), err);
    }
}

static const char *const methods[] = {"psf-radau", "psf-sdirk2", "psf-bdf", "ode-dopri8",
                                      "ode-adams"};

static void looks_get_the_ends_of_steps(void **state)
{
    for (int m = 0; m < 5; m++) {
        toy looks = {0};
        subject s = open_with(&looks, methods[m]);
        step(&s, 10);
        assert_int_equal(looks.looks, 10);
        assert_true(isnan(looks.chord[0].before));
        for (int i = 1; i < 10; i++) {
            const seen *now = &looks.chord[i], *last = &looks.chord[i - 1];
            assert_true(now->begin == last->end && now->before == last->begin);
            CHECK_NEAR(now->since * now->part, last->part, 1e-12);
            assert_true(isnan(now->error));
        }
        crank_run_close(s.run);
    }
}

/* of an argument that is an unknown at rest at 0: its tolerance, or half of it, if the others
 * are exact */
static void looks_get_errors_where_something_seems_unseen(void **state)
{
    for (int m = 0; m < 5; m++) {
        toy looks = {.never = 1, .answer = 0.5};
        subject s = open_with(&looks, methods[m]);
        const crank_integrator *it = crank_run_integrator(s.run);
        const double many = sqrt(it->tested);
        step(&s, 1);
        assert_int_equal(looks.looks, 2);
        const seen *first = &looks.chord[0];
        const double scale = it->options.atol + it->options.rtol * fabs(first->end);
        assert_true(first->error >= 0.49 * many * scale && first->error <= 1.01 * many * scale);
        assert_true(isnan(looks.chord[1].error));
        crank_run_close(s.run);
    }
}

/* however near to its beginning it has to end */
static void steps_are_shortened_by_no_more_than_the_error_test_does(void **state)
{
    for (int m = 0; m < 5; m++) {
        toy looks = {.never = 3, .answer = 1e-9};
        subject s = open_with(&looks, methods[m]);
        const double least = crank_run_integrator(s.run)->options.growth_min;
        step(&s, 1);
        assert_int_equal(looks.looks, 4);
        for (int i = 1; i < 4; i++) {
            CHECK_NEAR(looks.chord[i].part, least * looks.chord[i - 1].part,
                       1e-12 * looks.chord[0].part);
        }
        crank_run_close(s.run);
    }
}

static void a_step_ends_where_the_look_says(void **state)
{
    for (int m = 0; m < 5; m++) {
        toy looks = {.never = 1, .answer = 0.7};
        subject s = open_with(&looks, methods[m]);
        step(&s, 1);
        assert_int_equal(looks.looks, 2);
        CHECK_NEAR(looks.chord[1].part, 0.7 * looks.chord[0].part, 1e-12 * looks.chord[0].part);
        crank_run_close(s.run);
    }
}

static void what_stays_unseen_is_passed(void **state)
{
    toy looks = {.never = MOST, .answer = 0.9};
    subject s = open_with(&looks, "psf-radau");
    step(&s, 1);
    assert_int_equal(looks.looks, 12);
    crank_run_close(s.run);
}

static void checkpoints_know_the_step_before(void **state)
{
    for (int m = 0; m < 5; m++) {
        toy first = {0}, second = {0};
        subject a = open_with(&first, methods[m]), b = open_with(&second, methods[m]);
        crank_error err = {0};
        void *data = NULL;
        size_t size = 0;
        step(&a, 6);
        CHECK_OK(crank_integrator_save(crank_run_integrator(a.run), &data, &size, &err), err);
        CHECK_OK(crank_run_load(b.run, data, size, &err), err);
        step(&a, 2);
        step(&b, 2);
        assert_int_equal(second.looks, 2);
        assert_memory_equal(&first.chord[6], &second.chord[0], 2 * sizeof first.chord[0]);
        free(data);
        crank_run_close(a.run);
        crank_run_close(b.run);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_get_the_ends_of_steps),
        cmocka_unit_test(looks_get_errors_where_something_seems_unseen),
        cmocka_unit_test(steps_are_shortened_by_no_more_than_the_error_test_does),
        cmocka_unit_test(a_step_ends_where_the_look_says),
        cmocka_unit_test(what_stays_unseen_is_passed),
        cmocka_unit_test(checkpoints_know_the_step_before),
    };
    return CHECK_RUN(argc, argv, tests);
}
