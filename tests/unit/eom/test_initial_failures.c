/* test_initial_failures.c - where the search for initial values ends without any: too slow,
 * numbers that overflow, rows that should have been independent. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "linalg/minimum_norm.h"
#include "one_state.h"

#include <crank/model.h>

/* initial values of a model given as text, all of it as the command does it */
static crank_status initialize_model(const char *text, crank_error *err)
{
    crank_state *model = NULL;
    crank_initial_options options = crank_initial_options_default();
    double x[16];
    CHECK_OK(one_state_read_text("test", text, strlen(text), NULL, &model, err), *err);
    const int n = crank_eom_unknowns(crank_state_eom(model));
    assert_true(n <= 16);
    memcpy(x, crank_state_start(model), (size_t)n * sizeof *x);
    options.fixing = crank_model_fixing(crank_state_model(model));
    const crank_status status = crank_eom_initialize(crank_state_eom(model), 0.0, x, &options,
                                                     NULL, (crank_log){0}, err);
    /* a failure leaves the caller's values alone */
    assert_memory_equal(x, crank_state_start(model), (size_t)n * sizeof *x);
    one_state_close(model);
    return status;
}

/* Newton's step from x leads to -2 x, half of it to -x/2: the residual falls by 2^(1/3) a step,
 * so that 1e-12 takes 120 steps and 50 are allowed */
static void slow_convergence_ends_at_the_iteration_limit(void **state)
{
    crank_error err = {0};
    CHECK_STATUS(initialize_model("crank: equations\n"
                                  "positions: {x: {start: 0.5}, y: {start: 0}}\n"
                                  "velocities: {vx: {of: x}, vy: {of: y}}\n"
                                  "mass: {diagonal: [1, 1]}\n"
                                  "forces: [0, 0]\n"
                                  "holonomic: {a: cbrt(x)}\n",
                                  &err),
                 CRANK_EINIT_CONVERGENCE);
    CHECK_CONTAINS(err.text, "after 50 steps");
    CHECK_CONTAINS(err.text, "holonomic \"a\", position level");
}

/* 1e306 times a free variable's allowed move, 1000 (1 + |w|), is no finite number: the singular
 * values of such a matrix do not exist */
static void overflow_is_a_failed_decomposition(void **state)
{
    crank_error err = {0};
    CHECK_STATUS(initialize_model("crank: equations\n"
                                  "positions: {x: {start: 1}, y: {start: 2}}\n"
                                  "velocities: {vx: {of: x}, vy: {of: y}}\n"
                                  "mass: {diagonal: [1, 1]}\n"
                                  "forces: [0, 0]\n"
                                  "auxiliary:\n"
                                  "  w1: {start: 2, equation: 1e306*(w1 - x)}\n"
                                  "  w2: {start: 1, equation: w2 - w1 + y}\n"
                                  "  w3: {start: 1, equation: w2 - 2*w3 + x}\n"
                                  "  w4: {start: 1, equation: w3 - 3*w4 + w1}\n",
                                  &err),
                 CRANK_EDECOMPOSITION);
    CHECK_CONTAINS(err.text, "4 x 4");
}

static void combination_of_dependent_rows_is_refused(void **state)
{
    crank_min_matrix A;
    const double target[] = {1.0, 2.0};
    double c[2];
    crank_error err = {0};
    assert_true(crank_min_allocate(&A, 2, 2, 2)); /* rows (1, 0) twice */
    A.start[1] = A.start[2] = 2;
    A.row[1] = 1;
    A.values[0] = A.values[1] = 1.0;
    CHECK_STATUS(crank_row_combination(&A, target, c, &err), CRANK_EDECOMPOSITION);
    CHECK_CONTAINS(err.text, "not independent");
    crank_min_free(&A);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_convergence_ends_at_the_iteration_limit),
        cmocka_unit_test(overflow_is_a_failed_decomposition),
        cmocka_unit_test(combination_of_dependent_rows_is_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
