/* test_motion.c - equations of motion by functions for M, f, g and G; a step as a polynomial between
 * its rows. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <crank/motion.h>

#include <stdio.h>

static const double gravity = 9.81;

/* a pendulum of length 1: x, y */
static crank_status weight(double t, const double *p, const double *v, double *f, void *user)
{
    (void)t;
    (void)p;
    (void)v;
    (void)user;
    f[0] = 0.0;
    f[1] = -2.0 * gravity;
    return CRANK_OK;
}

static crank_status mass(double t, const double *p, const double *v, double *M, void *user)
{
    (void)t;
    (void)p;
    (void)v;
    (void)user;
    M[0] = M[3] = 2.0;
    M[1] = M[2] = 0.0;
    return CRANK_OK;
}

static crank_status circle(double t, const double *p, const double *v, double *g, void *user)
{
    (void)t;
    (void)v;
    (void)user;
    g[0] = p[0] * p[0] + p[1] * p[1] - 1.0;
    return CRANK_OK;
}

static crank_status gradient(double t, const double *p, const double *v, double *G, void *user)
{
    (void)t;
    (void)v;
    (void)user;
    G[0] = 2.0 * p[0];
    G[1] = 2.0 * p[1];
    return CRANK_OK;
}

typedef struct points {
    double begin, times[CRANK_STEP_POINTS], values[CRANK_STEP_POINTS][5], worst;
    int count;
} points;

static crank_status note(crank_run *run, void *user, crank_error *err)
{
    (void)err;
    ((points *)user)->begin = crank_run_reached(run);
    return CRANK_OK;
}

static crank_status take(crank_run *run, void *user, crank_error *err)
{
    points *s = user;
    (void)err;
    s->times[s->count] = crank_run_time(run);
    memcpy(s->values[s->count++], crank_run_state(run), sizeof s->values[0]);
    return CRANK_OK;
}

/* the polynomial of each step against the method's own rows between its points */
static crank_status compare(crank_run *run, void *user, crank_error *err)
{
    points *s = user;
    const double end = crank_run_reached(run);
    s->count = 0;
    crank_status status = crank_run_sample(run, s->begin, take, s, err);
    for (int i = 1; i < 10 && status == CRANK_OK; i++) {
        const double t = s->begin + 0.1 * i * (end - s->begin);
        double here[5];
        crank_between(5, s->times, s->values[0], t, here);
        status = crank_run_look(run, t, err);
        for (int j = 0; j < 5; j++) {
            const double there = crank_run_state(run)[j];
            s->worst = fmax(s->worst, fabs(here[j] - there) / (1.0 + fabs(there)));
        }
    }
    return status;
}

static double swing(const crank_motion_definition *d, const char *method, const double p[2],
                    double x[5])
{
    const double v[] = {0.0, 0.0};
    const crank_setting tolerances[] = {{"rtol", "1e-8"}, {"atol", "1e-8"}};
    crank_run_options o = crank_run_options_default();
    crank_motion *motion = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    points s = {0};
    const crank_run_visitor visitor = {.before = note, .after = compare, .user = &s};
    crank_run_rows rows = {.steps = true};
    o.t_end = 2.0;
    o.method = method;
    o.options = tolerances;
    o.option_count = 2;
    assert_int_equal(crank_motion_create(d, &motion, &err), CRANK_OK);
    assert_int_equal(crank_motion_open(motion, 0.0, p, v, &o, &run, &err), CRANK_OK);
    const crank_status status = crank_run_visit(run, &rows, &visitor, &err);
    if (status != CRANK_OK) {
        (void)fprintf(stderr, "%s: %s\n", method != NULL ? method : "auto", err.text);
    }
    assert_int_equal(status, CRANK_OK);
    const double *at_p, *at_v, *lambda;
    crank_motion_split(motion, crank_run_state(run), &at_p, &at_v, &lambda);
    memcpy(x, at_p, 2 * sizeof *x);
    memcpy(x + 2, at_v, 2 * sizeof *x);
    x[4] = lambda[0];
    crank_run_close(run);
    crank_motion_destroy(motion);
    return s.worst;
}

/* level, at rest: all terms of gII cancel, but differences of g do not */
static void a_pendulum_keeps_its_energy_and_its_multiplier(void **state)
{
    const double level[] = {1.0, 0.0};
    crank_motion_definition d = crank_motion_definition_default();
    const double matrix[] = {2.0, 0.0, 0.0, 2.0};
    d.n = 2;
    d.constraints = 1;
    d.force = weight;
    d.constraint = circle;
    for (int k = 0; k < 4; k++) {
        double x[5];
        d.mass = k < 2 ? mass : NULL;
        d.mass_matrix = k < 2 ? NULL : matrix;
        d.gradient = k % 2 == 0 ? gradient : NULL;
        const double worst = swing(&d, k == 3 ? "psf-radau" : NULL, level, x);
        const double speed = x[2] * x[2] + x[3] * x[3];
        CHECK_NEAR(x[0] * x[0] + x[1] * x[1], 1.0, 1e-12);
        CHECK_NEAR(x[0] * x[2] + x[1] * x[3], 0.0, 1e-9);
        CHECK_NEAR(0.5 * speed + gravity * x[1], 0.0, 1e-5);
        /* 2 m lambda = m (v^2 - g y) */
        CHECK_NEAR(2.0 * x[4], 2.0 * (speed - gravity * x[1]), 1e-5);
        CHECK_NEAR(worst, 0.0, 1e-7); /* ten tolerances */
    }
    (void)state;
}

/* but peom1, whose multipliers follow from no constraint */
static void steps_are_polynomials_by_all_methods(void **state)
{
    const char *const methods[] = {"psf-radau", "psf-sdirk416", "psf-bdf",   "ode-dopri8",
                                   "ode-adams", "index2-radau", "ggl-radau", "ggl-bdf"};
    const double aside[] = {0.6, -0.8};
    crank_motion_definition d = crank_motion_definition_default();
    d.n = 2;
    d.constraints = 1;
    d.force = weight;
    d.mass = mass;
    d.constraint = circle;
    d.gradient = gradient;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        double x[5];
        const double worst = swing(&d, methods[k], aside, x);
        (void)printf("%s: %.1e\n", methods[k], worst);
        CHECK_NEAR(worst, 0.0, 1e-7);
    }
    (void)state;
}

static void wrong_definitions_are_refused(void **state)
{
    crank_motion_definition d = crank_motion_definition_default();
    crank_motion *motion = NULL;
    crank_error err = {0};
    assert_int_equal(crank_motion_create(&d, &motion, &err), CRANK_EARG);
    d.n = 2;
    assert_int_equal(crank_motion_create(&d, &motion, &err), CRANK_EARG);
    assert_non_null(strstr(err.text, "force is missing"));
    d.force = weight;
    d.constraints = 1;
    assert_int_equal(crank_motion_create(&d, &motion, &err), CRANK_EARG);
    assert_non_null(strstr(err.text, "constraint is missing"));
    assert_null(motion);
    (void)state;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pendulum_keeps_its_energy_and_its_multiplier),
        cmocka_unit_test(steps_are_polynomials_by_all_methods),
        cmocka_unit_test(wrong_definitions_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
