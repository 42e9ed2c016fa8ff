/* test_orders.c - observed orders in positions, velocities and multipliers on the pendulum
 * with a fixed step: psf 5/5/5, peom1 5/5/3 [Ste06, 5.3], gmkssol 5/5/5; all decompositions;
 * a state-dependent mass matrix; all groups; nonholonomic constraints. Order = log2 of the
 * ratio of errors at h and h/2. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "integrate/create.h"
#include "order/run.h"

enum { TIMES = 5, WIDTH = 13 };

typedef struct errors {
    double p, v, lambda; /* lambda: with mu */
} errors;

/* a motion, known at TIMES equidistant times up to t_end; errors are the largest over these */
typedef struct motion {
    crank_eom *eom;
    double t_end, start[WIDTH], exact[TIMES][WIDTH];
} motion;

static void compare(const crank_problem *problem, const double *x, const double *exact,
                    errors *e)
{
    for (int j = 0; j < problem->n; j++) {
        const double d = fabs(x[j] - exact[j]);
        if (problem->group[j] == CRANK_P) {
            e->p = fmax(e->p, d);
        } else if (problem->group[j] == CRANK_V) {
            e->v = fmax(e->v, d);
        } else if (problem->group[j] == CRANK_LAMBDA || problem->group[j] == CRANK_MU) {
            e->lambda = fmax(e->lambda, d);
        }
    }
}

static errors errors_at(const char *formulation, const motion *m, const crank_options *base,
                        double h)
{
    crank_options options = *base;
    errors e = {0};
    run r;
    options.h_start = options.h_max = h;
    run_begin(&r, formulation, m->eom, &options, 0.0, m->start, m->t_end);
    for (int i = 0; i < TIMES; i++) {
        const double t = m->t_end * (i + 1) / TIMES;
        CHECK_OK(crank_integrator_solve_to(r.it, t - 0.5 * h, &r.err), r.err);
        CHECK_NEAR(crank_integrator_time(r.it), t, 1e-9);
        compare(r.problem, crank_integrator_state(r.it), m->exact[i], &e);
    }
    const crank_statistics s = crank_integrator_statistics(r.it);
    assert_int_equal(s.rejected_error, 0);
    assert_int_equal(s.rejected_convergence, 0);
    assert_int_equal(s.steps, (int64_t)(m->t_end / h + 0.5));
    run_end(&r);
    return e;
}

/* orders from steps m->t_end/(TIMES steps) and half of that; selectors that change at other
 * times leave some scatter, which does not reach the neighbouring orders */
static void check_orders(const char *formulation, const motion *m, const crank_options *options,
                         int steps, double p, double v, double lambda)
{
    const double h = m->t_end / TIMES / steps;
    const errors a = errors_at(formulation, m, options, h);
    const errors b = errors_at(formulation, m, options, 0.5 * h);
    CHECK_NEAR(log2(a.p / b.p), p, 0.6);
    CHECK_NEAR(log2(a.v / b.v), v, 0.6);
    CHECK_NEAR(log2(a.lambda / b.lambda), lambda, 0.6);
}

/* the motion with steps so short that their error is round-off */
static void fill_in(motion *m)
{
    const crank_options options = run_fixed_step(m->t_end / TIMES / 250.0);
    for (int i = 0; i < TIMES; i++) {
        double *x = m->exact[i];
        memcpy(x, i == 0 ? m->start : m->exact[i - 1], sizeof m->start);
        (void)run_whole("psf", m->eom, &options, m->t_end / TIMES, x);
    }
}

static test_pendulum pendulum;

static motion pendulum_motion(double angle, double speed)
{
    motion m = {.t_end = 1.0};
    pendulum = test_pendulum_default();
    m.eom = test_pendulum_create(&pendulum);
    test_pendulum_start(&pendulum, angle, speed, m.start);
    fill_in(&m);
    return m;
}

static void pendulum_orders_with(const char *formulation, const crank_options *options,
                                 double lambda)
{
    motion m = pendulum_motion(0.4, 3.0);
    check_orders(formulation, &m, options, 16, 5.0, 5.0, lambda);
    crank_eom_destroy(m.eom);
}

static void psf_has_order_five_in_everything(void **state)
{
    crank_options options = run_fixed_step(1.0);
    pendulum_orders_with("psf", &options, 5.0);
    options.final_correction = false;
    pendulum_orders_with("psf", &options, 5.0);
}

static void peom1_has_order_three_in_multipliers(void **state)
{
    crank_options options = run_fixed_step(1.0);
    pendulum_orders_with("peom1", &options, 3.0);
    options.final_correction = false;
    pendulum_orders_with("peom1", &options, 3.0);
}

static void gmkssol_has_order_five_in_everything(void **state)
{
    const crank_options options = run_fixed_step(1.0);
    pendulum_orders_with("gmkssol", &options, 5.0);
}

static void order_does_not_depend_on_the_decomposition(void **state)
{
    for (int v = 0; v < 6; v++) {
        crank_options options = run_fixed_step(1.0);
        options.algebraic = (crank_algebraic_decomposition)(CRANK_ALGEBRAIC_LU + v / 2);
        options.differential = v % 2 == 0 ? CRANK_DIFFERENTIAL_LU : CRANK_DIFFERENTIAL_QR;
        pendulum_orders_with("psf", &options, 5.0);
        pendulum_orders_with("peom1", &options, 3.0);
    }
}

/* At speeds above one the published choice takes both dynamic rows and none of the kinematic
 * ones, which is singular at turning points: its order shows where speeds stay small. */
static void published_selectors_have_order_five_at_small_speeds(void **state)
{
    crank_options options = run_fixed_step(1.0);
    options.selector_source = CRANK_SELECTOR_NEWTON_MATRIX;
    motion m = pendulum_motion(0.2, 0.1);
    check_orders("psf", &m, &options, 8, 5.0, 5.0, 5.0);
    crank_eom_destroy(m.eom);
}

static void starting_values_and_newton_matrix_do_not_change_the_order(void **state)
{
    crank_options options = run_fixed_step(1.0);
    for (int stage = 1; stage <= 3; stage++) {
        options.newton_matrix = stage;
        pendulum_orders_with("psf", &options, 5.0);
    }
    options.newton_matrix = 0;
    options.newton_start = CRANK_START_ZERO;
    pendulum_orders_with("psf", &options, 5.0);
}

/* M(p) in the stages, its derivative in the Newton matrix */
static void slider_crank_with_state_dependent_mass_has_order_five(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    motion m = {.eom = test_slider_crank_create(&data), .t_end = 1.0};
    const crank_options options = run_fixed_step(1.0);
    test_slider_crank_start(&data, m.start);
    fill_in(&m);
    check_orders("psf", &m, &options, 8, 5.0, 5.0, 5.0);
    check_orders("peom1", &m, &options, 8, 5.0, 5.0, 3.0);
    crank_eom_destroy(m.eom);
}

/* w, s, r, explicit time, exact solution */
static void academic_example_has_order_five_against_its_exact_solution(void **state)
{
    test_academic data = test_academic_default();
    motion m = {.eom = test_academic_create(&data), .t_end = 1.0};
    test_academic_exact(0.0, m.start);
    for (int i = 0; i < TIMES; i++) {
        test_academic_exact(m.t_end * (i + 1) / TIMES, m.exact[i]);
    }
    crank_options options = run_fixed_step(1.0);
    check_orders("psf", &m, &options, 4, 5.0, 5.0, 5.0);
    options.linear_algebra = CRANK_LINALG_SPARSE;
    check_orders("psf", &m, &options, 4, 5.0, 5.0, 5.0);
    crank_eom_destroy(m.eom);
}

static void skate_has_order_five_against_its_cycloid(void **state)
{
    test_skate data = test_skate_default();
    motion m = {.eom = test_skate_create(&data), .t_end = 1.5};
    test_skate_exact(&data, 0.0, m.start);
    for (int i = 0; i < TIMES; i++) {
        test_skate_exact(&data, m.t_end * (i + 1) / TIMES, m.exact[i]);
    }
    const crank_options options = run_fixed_step(1.0);
    check_orders("psf", &m, &options, 4, 5.0, 5.0, 5.0);
    crank_eom_destroy(m.eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(psf_has_order_five_in_everything),
        cmocka_unit_test(peom1_has_order_three_in_multipliers),
        cmocka_unit_test(gmkssol_has_order_five_in_everything),
        cmocka_unit_test(order_does_not_depend_on_the_decomposition),
        cmocka_unit_test(published_selectors_have_order_five_at_small_speeds),
        cmocka_unit_test(starting_values_and_newton_matrix_do_not_change_the_order),
        cmocka_unit_test(slider_crank_with_state_dependent_mass_has_order_five),
        cmocka_unit_test(academic_example_has_order_five_against_its_exact_solution),
        cmocka_unit_test(skate_has_order_five_against_its_cycloid),
    };
    return CHECK_RUN(argc, argv, tests);
}
