/* test_formulations.c - the formulations that take rows as they are (theory 2.6): orders with
 * Radau IIA and BDF, the same motion from all of them, which levels each keeps.
 *
 * Orders of positions, velocities, multipliers with three-stage Radau IIA, of stage order 3:
 * index 1 and ordinary equations have 5/5/5; in index 2 (index2, ggl, peom1) multipliers have
 * the stage order, 5/5/3 [HW96, VII.4]; in index 3 velocities have it and multipliers one less,
 * 5/3/2 [HW96, VII, (6.19)]. ggl's theta, a multiplier of index 2 whose exact value is zero,
 * falls with the third power. BDF of order k has order k in everything for all of them, with
 * steps of constant length. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/integrator.h"
#include "order/run.h"

enum { WIDTH = 13 };

typedef struct errors {
    double p, v, lambda, theta;
} errors;

/* steps of size h; no error test can fail */
static crank_options fixed_step(double h)
{
    crank_options options = run_fixed_step(h);
    options.singular_threshold = crank_options_default().singular_threshold;
    return options;
}

static errors compare(const crank_problem *problem, const double *x, const double *exact)
{
    errors e = {0};
    for (int j = 0; j < problem->n; j++) {
        if (j >= crank_problem_given(problem)) {
            e.theta = fmax(e.theta, fabs(x[j]));
            continue;
        }
        const double d = fabs(x[j] - exact[j]);
        if (problem->group[j] == CRANK_P) {
            e.p = fmax(e.p, d);
        } else if (problem->group[j] == CRANK_V) {
            e.v = fmax(e.v, d);
        } else if (problem->group[j] == CRANK_LAMBDA || problem->group[j] == CRANK_MU) {
            e.lambda = fmax(e.lambda, d);
        }
    }
    return e;
}

static errors errors_with(const char *method, crank_eom *eom, const crank_options *options,
                          double t_end, const double *start, const double *exact)
{
    run r;
    run_begin(&r, method, eom, options, 0.0, start, t_end);
    CHECK_OK(run_to_end(&r), r.err);
    const errors e = compare(r.problem, r.it->x, exact);
    run_end(&r);
    return e;
}

static double order(double coarse, double fine)
{
    return log2(coarse / fine);
}

typedef struct expected {
    const char *formulation;
    double p, v, lambda;
} expected;

static const expected table[] = {
    {"index1", 5, 5, 5}, {"baumgarte", 5, 5, 5}, {"index2", 5, 5, 3},         {"ggl", 5, 5, 3},
    {"index3", 5, 3, 2}, {"ude", 5, 5, 5},       {"overdetermined", 5, 5, 5},
};
enum { FORMS = sizeof table / sizeof *table };

/* The pendulum at t = 1, where index 3 shows its orders only at small steps: its multipliers
 * fall with 1.74 between 160 and 320 steps. */
static void radau_has_the_orders_of_the_index(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double start[5], exact[5];
    const crank_options fine = run_fixed_step(1.0 / 2000.0);
    test_pendulum_start(&data, 0.4, 3.0, start);
    memcpy(exact, start, sizeof exact);
    (void)run_whole("psf", eom, &fine, 1.0, exact);
    for (int i = 0; i < FORMS; i++) {
        const expected *f = &table[i];
        const bool high = strcmp(f->formulation, "index3") == 0;
        const int steps = high ? 160 : 40;
        const crank_options a = fixed_step(1.0 / steps), b = fixed_step(0.5 / steps);
        const errors coarse = errors_with(f->formulation, eom, &a, 1.0, start, exact);
        const errors half = errors_with(f->formulation, eom, &b, 1.0, start, exact);
        CHECK_NEAR(order(coarse.p, half.p), f->p, 0.45);
        CHECK_NEAR(order(coarse.v, half.v), f->v, 0.45);
        CHECK_NEAR(order(coarse.lambda, half.lambda), f->lambda, 0.45);
        if (strcmp(f->formulation, "ggl") == 0) {
            CHECK_NEAR(order(coarse.theta, half.theta), 3.4, 0.5);
            assert_true(coarse.theta > 1e-7);
        }
    }
    crank_eom_destroy(eom);
}

/* all groups of unknowns, explicit time, contact variables (which ggl eliminates from G) */
static void academic_example_has_the_same_orders(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    double start[WIDTH], exact[WIDTH];
    test_academic_exact(0.0, start);
    test_academic_exact(1.0, exact);
    for (int i = 0; i < FORMS; i++) {
        const expected *f = &table[i];
        for (int sparse = 0; sparse < 2; sparse++) {
            crank_options a = fixed_step(1.0 / 24.0), b = fixed_step(1.0 / 48.0);
            if (sparse == 1 && strcmp(f->formulation, "overdetermined") == 0) {
                continue; /* dense only */
            }
            a.linear_algebra = b.linear_algebra =
                sparse == 1 ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
            const errors coarse = errors_with(f->formulation, eom, &a, 1.0, start, exact);
            const errors half = errors_with(f->formulation, eom, &b, 1.0, start, exact);
            assert_true(order(coarse.p, half.p) > f->p - 0.6);
            assert_true(order(coarse.v, half.v) > f->v - 0.6);
            assert_true(order(coarse.lambda, half.lambda) > f->lambda - 0.6);
        }
    }
    crank_eom_destroy(eom);
}

/* The largest error over what error tests let pass: a step may be off by the tolerance in the
 * root mean square, so by sqrt(n) tol (1 + |x|) in one unknown, by h^-q times that where the
 * norm counts h^q x (theory 2.6). N steps add up, h = t/N in the mean, and over a second this
 * motion amplifies little; twice, for errors of an unknown and of its rate. */
static double error_over_what_passes(const char *method, crank_eom *eom, double tolerance,
                                     const double *start, const double *exact, errors *found)
{
    const crank_options options = run_tolerance(tolerance);
    double largest = 0.0;
    run r;
    run_begin(&r, method, eom, &options, 0.0, start, 1.0);
    CHECK_OK(run_to_end(&r), r.err);
    const double *x = r.it->x;
    const double steps = (double)crank_integrator_statistics(r.it).steps;
    for (int j = 0; j < crank_problem_given(r.problem); j++) {
        const double passes = sqrt(r.problem->n) * tolerance * (1.0 + fabs(exact[j])) *
                              pow(steps, r.problem->scaling[j]);
        largest = fmax(largest, fabs(x[j] - exact[j]) / (2.0 * steps * passes));
    }
    *found = compare(r.problem, x, exact);
    run_end(&r);
    return largest;
}

/* Each step is off by about the tolerance and N ~ tol^(-1/(k + 1)) steps add up: errors of
 * order k fall as tol^(k/(k + 1)), of index 3 those of velocities, 1/h times larger, as tol^((k
 * - 1)/(k + 1)). As tol^(1/2) at least, then: order 1, and 3 with index 3; such low orders
 *   throughout would be a fault. Error estimates a thousand times too small, or h times, give
 *   26 and 1.6. Positions and velocities together, since at one time either may be right by
 *   chance. */
static void bdf_converges_with_every_formulation(void **state)
{
    const double swing = 0.3; /* sqrt(l/g): a velocity times this is a length */
    static const char *const methods[] = {
        "psf-bdf",    "peom1-bdf", "gmkssol-bdf", "index1-bdf", "baumgarte-bdf",
        "index2-bdf", "ggl-bdf",   "index3-bdf",  "ude-bdf",    "overdetermined-bdf"};
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    double start[5], exact[5];
    const crank_options fine = run_fixed_step(1.0 / 2000.0);
    test_pendulum_start(&data, 0.4, 3.0, start);
    memcpy(exact, start, sizeof exact);
    (void)run_whole("psf", eom, &fine, 1.0, exact);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        double slope = 0.0; /* of the line through the logarithms */
        for (int exponent = 4; exponent <= 10; exponent += 2) {
            errors found = {0};
            const double over = error_over_what_passes(methods[i], eom, pow(10.0, -exponent),
                                                       start, exact, &found);
            print_message("%s at 1e-%d: %.2g\n", methods[i], exponent, over);
            assert_true(over < 1.0);
            const double off = hypot(found.p, swing * found.v);
            slope += (exponent - 7) * -log10(off) / 20.0; /* 20: sum of (exponent - 7)^2 */
        }
        print_message("%s falls as tol^%.2f\n", methods[i], slope);
        assert_true(slope > 0.5);
    }
    crank_eom_destroy(eom);
}

/* the same p and v from all formulations and integrators; nonholonomic constraints, a mass
 * matrix that depends on p */
static void all_formulations_describe_one_motion(void **state)
{
    static const char *const integrators[] = {"radau", "bdf"};
    test_slider_crank crank = test_slider_crank_default();
    test_skate skate = test_skate_default();
    crank_eom *eom[2] = {test_slider_crank_create(&crank), test_skate_create(&skate)};
    const double t_end[2] = {1.5, 1.0};
    double start[2][7], exact[2][7];
    const crank_options tight = run_tolerance(1e-12), options = run_tolerance(1e-10);
    test_slider_crank_start(&crank, start[0]);
    memcpy(exact[0], start[0], sizeof exact[0]);
    (void)run_whole("psf", eom[0], &tight, t_end[0], exact[0]);
    test_skate_exact(&skate, 0.0, start[1]);
    test_skate_exact(&skate, t_end[1], exact[1]);
    for (int i = 0; i < FORMS; i++) {
        for (int integrator = 0; integrator < 2; integrator++) {
            for (int model = 0; model < 2; model++) {
                char method[60];
                (void)snprintf(method, sizeof method, "%s-%s", table[i].formulation,
                               integrators[integrator]);
                const errors e = errors_with(method, eom[model], &options, t_end[model],
                                             start[model], exact[model]);
                const double worst = fmax(e.p, e.v);
                /* index 3 loses one order of h in velocities */
                if (!(worst < (strcmp(table[i].formulation, "index3") == 0 ? 3e-6 : 1e-7))) {
                    fail_msg("%s on model %d: %g", method, model, worst);
                }
            }
        }
    }
    for (int i = 0; i < 8; i++) {
        static const char *const methods[] = {"ode-dopri8", "ode-dopri5", "ode-adams",
                                              "ode-herk5"};
        const errors e = errors_with(methods[i / 2], eom[i % 2], &options, t_end[i % 2],
                                     start[i % 2], exact[i % 2]);
        if (!(fmax(e.p, e.v) < 1e-7)) {
            fail_msg("%s on model %d: %g", methods[i / 2], i % 2, fmax(e.p, e.v));
        }
    }
    crank_eom_destroy(eom[0]);
    crank_eom_destroy(eom[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radau_has_the_orders_of_the_index),
        cmocka_unit_test(academic_example_has_the_same_orders),
        cmocka_unit_test(bdf_converges_with_every_formulation),
        cmocka_unit_test(all_formulations_describe_one_motion),
    };
    return CHECK_RUN(argc, argv, tests);
}
