/* test_drift.c - drift laws, theory (2.13): what an error in the rows that a formulation
 * contains does to the constraints that it does not contain, exactly. A pendulum whose rows gI
 * and gII may be wrong by a constant, or which starts off its constraints; p'' of the residual
 * is known then whatever the motion is. Steps of 0.01 with Radau IIA, whose own errors are
 * below 2e-9 here. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "order/run.h"

#include <crank/eom.h>

static const double gravity = 13.75037163604;

/* x = [lambda | v v | p p]; k = [gII gI g | dynamic | kinematic] */
typedef struct wrong_pendulum {
    double velocity, acceleration; /* subtracted from gI, gII */
} wrong_pendulum;

static crank_status rows(double t, const double *x, double *k, void *user)
{
    const wrong_pendulum *data = user;
    const double lambda = x[0], *v = x + 1, *p = x + 3;
    (void)t;
    k[0] = 2.0 * (v[0] * v[0] + v[1] * v[1]) - 2.0 * p[1] * gravity -
           4.0 * (p[0] * p[0] + p[1] * p[1]) * lambda - data->acceleration;
    k[1] = 2.0 * (p[0] * v[0] + p[1] * v[1]) - data->velocity;
    k[2] = p[0] * p[0] + p[1] * p[1] - 1.0;
    k[3] = -2.0 * p[0] * lambda;
    k[4] = -gravity - 2.0 * p[1] * lambda;
    k[5] = v[0];
    k[6] = v[1];
    return CRANK_OK;
}

static crank_status jacobian(double t, const double *x, const double *vdot, double *J,
                             void *user)
{
    const double lambda = x[0], *v = x + 1, *p = x + 3;
    const double columns[5][7] = {
        {-4.0 * (p[0] * p[0] + p[1] * p[1]), 0, 0, -2.0 * p[0], -2.0 * p[1], 0, 0},
        {4.0 * v[0], 2.0 * p[0], 0, 0, 0, 1, 0},
        {4.0 * v[1], 2.0 * p[1], 0, 0, 0, 0, 1},
        {-8.0 * p[0] * lambda, 2.0 * v[0], 2.0 * p[0], -2.0 * lambda, 0, 0, 0},
        {-2.0 * gravity - 8.0 * p[1] * lambda, 2.0 * v[1], 2.0 * p[1], 0, -2.0 * lambda, 0, 0}};
    (void)t;
    (void)vdot;
    (void)user;
    memcpy(J, columns, sizeof columns);
    return CRANK_OK;
}

static crank_eom *create(wrong_pendulum *data)
{
    crank_eom_definition d = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_error err = {0};
    d.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 1};
    d.levels = CRANK_LEVELS_ALL;
    d.mass_kind = CRANK_MASS_DIAGONAL_CONSTANT;
    d.evaluate = rows;
    d.jacobian = jacobian;
    d.user = data;
    CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
    return eom;
}

/* released from the horizontal, moved by dp along the rod and with the speed dv along it */
typedef struct drift {
    double g, gI;
} drift;

typedef struct scene {
    const char *formulation;
    wrong_pendulum rows;
    double dp, dv;
} scene;

/* residuals of g and gI themselves, without what is wrong in the rows */
static drift drift_at(const scene *s, double h, double t)
{
    wrong_pendulum data = s->rows;
    crank_eom *eom = create(&data);
    crank_options options = run_fixed_step(h);
    double x[5] = {0.0, s->dv, 0.0, 1.0 + s->dp, 0.0}, k[7];
    crank_error err = {0};
    if (strcmp(s->formulation, "psf") != 0) {
        options.singular_threshold = crank_options_default().singular_threshold;
    }
    (void)run_whole(s->formulation, eom, &options, t, x);
    CHECK_OK(crank_eom_evaluate(eom, t, x, k, &err), err);
    crank_eom_destroy(eom);
    return (drift){.g = k[2], .gI = k[1] + s->rows.velocity};
}

static void error_on_acceleration_level_drifts_with_the_square_of_time(void **state)
{
    const scene s = {.formulation = "index1", .rows = {.acceleration = 1e-4}};
    for (double t = 1.0; t <= 4.0; t *= 2.0) {
        const drift d = drift_at(&s, 0.01, t);
        CHECK_NEAR(d.g, 5e-5 * t * t, 1e-8);
        CHECK_NEAR(d.gI, 1e-4 * t, 1e-8);
    }
}

static void error_on_velocity_level_drifts_with_time(void **state)
{
    const scene s = {.formulation = "index2", .rows = {.velocity = 1e-4}, .dv = 5e-5};
    for (double t = 1.0; t <= 4.0; t *= 2.0) {
        const drift d = drift_at(&s, 0.01, t);
        CHECK_NEAR(d.g, 1e-4 * t, 1e-8);
        CHECK_NEAR(d.gI, 1e-4, 1e-12);
    }
}

static void
inconsistent_start_grows_on_acceleration_level_and_stays_on_velocity_level(void **state)
{
    const scene speed = {.formulation = "index1", .dv = 1e-3};
    const scene place = {.formulation = "index2", .dp = 1e-3};
    for (double t = 1.0; t <= 4.0; t *= 2.0) {
        const drift growing = drift_at(&speed, 0.01, t), constant = drift_at(&place, 0.01, t);
        CHECK_NEAR(growing.g, 2e-3 * t, 2e-8);
        CHECK_NEAR(growing.gI, 2e-3, 1e-8);
        CHECK_NEAR(constant.g, 2.001e-3, 1e-8);
        CHECK_NEAR(constant.gI, 0.0, 1e-12);
    }
}

/* gII(0) = 1e-3 by a wrong multiplier: every level drifts by one power of t more than in
 * index1 */
static void wrong_multiplier_drifts_on_every_level_of_the_underlying_equations(void **state)
{
    wrong_pendulum data = {0};
    crank_eom *eom = create(&data);
    crank_options options = run_fixed_step(0.01);
    options.singular_threshold = crank_options_default().singular_threshold;
    for (double t = 1.0; t <= 4.0; t *= 2.0) {
        double x[5] = {-2.5e-4, 0.0, 0.0, 1.0, 0.0}, k[7];
        crank_error err = {0};
        (void)run_whole("ude", eom, &options, t, x);
        CHECK_OK(crank_eom_evaluate(eom, t, x, k, &err), err);
        CHECK_NEAR(k[2], 5e-4 * t * t, 1e-7);
        CHECK_NEAR(k[1], 1e-3 * t, 1e-7);
        CHECK_NEAR(k[0], 1e-3, 1e-7);
    }
    crank_eom_destroy(eom);
}

/* 0 = g'' + 20 g' + 100 g: (g0 + (g0' + 10 g0) t) exp(-10 t) */
static void baumgarte_decays_as_its_gains_say(void **state)
{
    const scene s = {.formulation = "baumgarte", .dv = 1e-3};
    for (double t = 0.1; t <= 0.5; t += 0.1) {
        const drift d = drift_at(&s, 0.01, t);
        CHECK_NEAR(d.g, 2e-3 * t * exp(-10.0 * t), 2e-9);
        CHECK_NEAR(d.gI, 2e-3 * (1.0 - 10.0 * t) * exp(-10.0 * t), 2e-8);
    }
    /* a constant error is divided by beta^2 */
    const scene wrong = {.formulation = "baumgarte", .rows = {.acceleration = 1e-4}};
    CHECK_NEAR(drift_at(&wrong, 0.01, 3.0).g, 1e-6, 1e-8);
}

static void gains_are_options(void **state)
{
    wrong_pendulum data = {0};
    crank_eom *eom = create(&data);
    crank_options options = run_fixed_step(0.01);
    double x[5] = {0.0, 1e-3, 0.0, 1.0, 0.0}, k[7];
    crank_error err = {0};
    options.singular_threshold = crank_options_default().singular_threshold;
    options.baumgarte_alpha = 3.0; /* roots -3 +- 4 i */
    options.baumgarte_beta = 5.0;
    (void)run_whole("baumgarte", eom, &options, 0.4, x);
    CHECK_OK(crank_eom_evaluate(eom, 0.4, x, k, &err), err);
    CHECK_NEAR(k[2], 2e-3 / 4.0 * sin(4.0 * 0.4) * exp(-3.0 * 0.4), 1e-8);
    options.baumgarte_alpha = 0.0; /* would not decay */
    run r;
    CHECK_STATUS(run_try(&r, "baumgarte", eom, &options, 0.0, x, 1.0), CRANK_EARG);
    CHECK_CONTAINS(r.err.text, "baumgarte_alpha");
    run_end(&r);
    crank_eom_destroy(eom);
}

/* Long run with coarse steps, the drift of the method's own errors: [T 4.4] at t = 80. */
static void only_rows_that_are_contained_stay(void **state)
{
    const scene one = {.formulation = "index1"}, two = {.formulation = "index2"},
                three = {.formulation = "index3"}, ggl = {.formulation = "ggl"},
                psf = {.formulation = "psf"};
    CHECK_NEAR(drift_at(&one, 0.05, 80.0).g, -3.0e-4, 1e-5);
    CHECK_NEAR(drift_at(&one, 0.05, 80.0).gI, -2.0e-7, 2e-7);
    CHECK_NEAR(drift_at(&two, 0.05, 80.0).g, -1.47e-4, 2e-6);
    CHECK_NEAR(drift_at(&two, 0.05, 40.0).g, -0.735e-4, 1e-6); /* half of it: linear in t */
    CHECK_NEAR(drift_at(&two, 0.05, 80.0).gI, 0.0, 1e-13);
    CHECK_NEAR(drift_at(&three, 0.05, 80.0).g, 0.0, 1e-13);
    assert_true(fabs(drift_at(&three, 0.05, 79.97).gI) > 1e-8);
    CHECK_NEAR(drift_at(&ggl, 0.05, 80.0).g, 0.0, 1e-13);
    CHECK_NEAR(drift_at(&ggl, 0.05, 80.0).gI, 0.0, 1e-13);
    CHECK_NEAR(drift_at(&psf, 0.05, 80.0).g, 0.0, 1e-14);
    CHECK_NEAR(drift_at(&psf, 0.05, 80.0).gI, 0.0, 1e-14);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_on_acceleration_level_drifts_with_the_square_of_time),
        cmocka_unit_test(error_on_velocity_level_drifts_with_time),
        cmocka_unit_test(
            inconsistent_start_grows_on_acceleration_level_and_stays_on_velocity_level),
        cmocka_unit_test(wrong_multiplier_drifts_on_every_level_of_the_underlying_equations),
        cmocka_unit_test(baumgarte_decays_as_its_gains_say),
        cmocka_unit_test(gains_are_options),
        cmocka_unit_test(only_rows_that_are_contained_stay),
    };
    return CHECK_RUN(argc, argv, tests);
}
