/* test_herk.c - herk5 over model files: its order on mechanisms with loops, constraints that
 * hold on velocity level without projection, both ways of solving for multipliers, what is
 * refused. What it shares with dopri5 is tested with that. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "one_state.h"
#include "order/run.h"
#include "subject.h"

/* the end of a run into s->x */
static void integrate(subject *s, const char *method, const crank_options *options,
                      double t_end)
{
    run r;
    run_begin(&r, method, s->eom, options, s->t0, s->x0, t_end);
    CHECK_OK(crank_integrator_solve_to(r.it, t_end, &r.err), r.err);
    memcpy(s->x, crank_integrator_state(r.it), (size_t)s->n * sizeof *s->x);
    run_end(&r);
}

static crank_options fixed_steps(double h)
{
    crank_options options = run_tolerance(1.0);
    options.atol = 1e4;
    options.h_start = options.h_max = h;
    return options;
}

/* over two halvings; nearer to 5 than to 4 */
static void check_order(const char *path, crank_accelerations accelerations, double t_end,
                        double h)
{
    subject s = open_subject(path, accelerations);
    const crank_options fine = run_tolerance(1e-13);
    double *exact = malloc((size_t)s.n * sizeof *exact), error[2];
    assert_non_null(exact);
    integrate(&s, "ode-dopri8", &fine, t_end);
    memcpy(exact, s.x, (size_t)s.n * sizeof *exact);
    for (int i = 0; i < 2; i++) {
        const crank_options options = fixed_steps(i == 0 ? h : h / 4.0);
        integrate(&s, "ode-herk5", &options, t_end);
        error[i] = distance(&s, s.x, exact);
    }
    print_message("%s: observed order %.2f\n", path, 0.5 * log2(error[0] / error[1]));
    assert_true(0.5 * log2(error[0] / error[1]) > 4.5);
    free(exact);
    close_subject(&s);
}

static void order_five_on_mechanisms_with_loops(void **state)
{
    check_order(MODEL("slider-crank", "mechanism"), CRANK_ACCELERATIONS_AUTO, 1.0, 0.04);
    check_order(MODEL("andrews", "andrews"), CRANK_ACCELERATIONS_AUTO, 0.01, 1e-4);
    check_order(MODEL("bricard", "bricard"), CRANK_ACCELERATIONS_AUTO, 1.0, 0.05);
}

/* a fast rotor in a loop: quaternions */
static void order_five_on_a_spinning_loop(void **state)
{
    check_order(MODEL("gyroscope-loop", "gyroscope-loop"), CRANK_ACCELERATIONS_AUTO, 0.1,
                0.0025);
    check_order(MODEL("gyroscope-loop", "equations"), CRANK_ACCELERATIONS_AUTO, 0.5, 0.005);
}

static void order_five_with_nonholonomic_constraints(void **state)
{
    check_order(MODEL("rolling-disc", "rolling-disc"), CRANK_ACCELERATIONS_AUTO, 0.8, 0.05);
}

/* 100 steps whose ends are not projected: g is as far off as steps are, gI is rounding, which a
 * step adds to velocities of size five once */
static void velocities_hold_without_projection(void **state)
{
    subject s = open_subject(MODEL("pendulum", "pendulum"), CRANK_ACCELERATIONS_AUTO);
    crank_options options = fixed_steps(0.01);
    crank_error err = {0};
    double residual[3];
    options.final_correction = false;
    integrate(&s, "ode-herk5", &options, 1.0);
    CHECK_OK(crank_eom_residuals(s.eom, 1.0, s.x, residual, &err), err);
    assert_true(residual[0] > 1e-11);
    assert_true(residual[1] < 1e-14);
    integrate(&s, "ode-dopri5", &options, 1.0);
    CHECK_OK(crank_eom_residuals(s.eom, 1.0, s.x, residual, &err), err);
    assert_true(residual[1] > 1e-11);
    close_subject(&s);
}

/* Accelerations among the unknowns: the matrix is exact; else an iteration finds the same.
 * Steps of a hundredth divide rounding by 0.01, and 100 of them add it up. */
static void both_ways_give_the_same_multipliers(void **state)
{
    static const char *const paths[] = {MODEL("slider-crank", "slider-crank"),
                                        MODEL("lolly", "lolly"), MODEL("andrews", "andrews")};
    static const double t_end[] = {1.0, 1.0, 0.01};
    for (int i = 0; i < 3; i++) {
        subject carry = open_subject(paths[i], CRANK_ACCELERATIONS_CARRY),
                other = open_subject(paths[i], CRANK_ACCELERATIONS_ELIMINATE);
        crank_options options = fixed_steps(0.01 * t_end[i]);
        options.final_correction = false; /* which would depend on the unknowns */
        integrate(&carry, "ode-herk5", &options, t_end[i]);
        integrate(&other, "ode-herk5", &options, t_end[i]);
        const int first = crank_eom_column(carry.eom, CRANK_V),
                  own = crank_eom_column(other.eom, CRANK_V);
        for (int j = 0; first + j < carry.n; j++) {
            CHECK_NEAR(carry.x[first + j], other.x[own + j],
                       1e-10 * (1.0 + fabs(other.x[own + j])));
        }
        close_subject(&carry);
        close_subject(&other);
    }
}

static void contact_variables_are_refused(void **state)
{
    subject s = open_subject(MODEL("academic", "academic"), CRANK_ACCELERATIONS_AUTO);
    const crank_options options = run_tolerance(1e-6);
    run r;
    CHECK_STATUS(run_try(&r, "ode-herk5", s.eom, &options, s.t0, s.x0, 1.0), CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, "without contact variables");
    run_end(&r);
    close_subject(&s);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_five_on_mechanisms_with_loops),
        cmocka_unit_test(order_five_on_a_spinning_loop),
        cmocka_unit_test(order_five_with_nonholonomic_constraints),
        cmocka_unit_test(velocities_hold_without_projection),
        cmocka_unit_test(both_ways_give_the_same_multipliers),
        cmocka_unit_test(contact_variables_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
