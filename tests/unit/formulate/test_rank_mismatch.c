/* test_rank_mismatch.c - models whose constraints are independent but determine neither
 * multipliers nor contact points: every formulation refuses them at the start and says what is
 * singular. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "formulate/reduction_dense.h"
#include "one_state.h"
#include "unit/formulate/reduction_bench.h"

#include "problem/problem.h"
#include <crank/model.h>

static crank_status formulate(const char *formulation, const char *text,
                              crank_linear_algebra linear_algebra, crank_error *err)
{
    crank_state *model = NULL;
    crank_problem *problem = NULL;
    crank_options options = crank_options_default();
    options.linear_algebra = linear_algebra;
    CHECK_OK(one_state_read_text("test", text, strlen(text), NULL, &model, err), *err);
    const crank_status status =
        crank_formulate(formulation, crank_state_eom(model), &options, 0.0,
                        crank_state_start(model), (crank_log){0}, &problem, err);
    assert_true((status == CRANK_OK) == (problem != NULL));
    crank_problem_destroy(problem);
    one_state_close(model);
    return status;
}

/* G = (1, 1), M = diag(1, -1): G M^-1 G^T = 0 */
static void multipliers_that_nothing_determines_are_refused(void **state)
{
    static const char *const text = "crank: equations\n"
                                    "positions: {x: {start: 0}, y: {start: 0}}\n"
                                    "velocities: {vx: {of: x}, vy: {of: y}}\n"
                                    "mass: {diagonal: [1, -1]}\n"
                                    "forces: [1, 1]\n"
                                    "holonomic: {a: x + y}\n";
    crank_error err = {0};
    CHECK_STATUS(formulate("psf", text, CRANK_LINALG_DENSE, &err), CRANK_ERANK_MISMATCH);
    CHECK_CONTAINS(err.text, "1 on acceleration, 0 on velocity, 0 on position level");
    CHECK_STATUS(formulate("psf", text, CRANK_LINALG_SPARSE, &err), CRANK_ERANK_MISMATCH);
    CHECK_CONTAINS(err.text, "mass matrix or d_w");
    CHECK_STATUS(formulate("gmkssol", text, CRANK_LINALG_AUTO, &err), CRANK_ERANK_MISMATCH);
    CHECK_CONTAINS(err.text, "G M^-1 G^T has a lower rank than G (1)");
}

/* c = x - s^2 at s = 0 */
static void contact_point_that_nothing_determines_is_named(void **state)
{
    static const char *const text = "crank: equations\n"
                                    "positions: {x: {start: 0}, y: {start: 0}}\n"
                                    "velocities: {vx: {of: x}, vy: {of: y}}\n"
                                    "mass: {diagonal: [1, 1]}\n"
                                    "forces: [1, 1]\n"
                                    "contact: {s: {start: 0, equation: x - s^2}}\n"
                                    "holonomic: {a: x + y}\n";
    crank_error err = {0};
    CHECK_STATUS(formulate("psf", text, CRANK_LINALG_SPARSE, &err), CRANK_EREDUNDANT_POSITION);
    CHECK_CONTAINS(err.text, "contact equations do not determine s");
}

/* Full ranks, which decompose asks for, leave at most as many free unknowns as there are
 * differential equations. The selector checks it all the same: it is asked directly. */
static void more_free_unknowns_than_differential_equations_are_refused(void **state)
{
    static bench b;
    const system_shape shape = {.sizes = {.p = 3, .v = 3, .lambda = 1}, .density = 1.0};
    const variant lu = {CRANK_ALGEBRAIC_LU, CRANK_DIFFERENTIAL_LU, CRANK_SELECTOR_MASS};
    random_source r = {61};
    crank_error err = {0};
    random_system_make(&r, &shape, &b.system);
    begin(&b, CRANK_FORM_PSF, &lu);
    crank_dense *d = (crank_dense *)b.reduction;
    const int count = d->free_count;
    assert_int_equal(count, d->mD - 2); /* a velocity and a position are dependent */
    d->free_count = d->mD + 1;
    CHECK_STATUS(crank_dense_select(d, 1.0, &err), CRANK_ERANK_MISMATCH);
    CHECK_CONTAINS(err.text, "7 unknowns are left for 6 differential equations");
    d->free_count = count;
    CHECK_OK(crank_dense_select(d, 1.0, &err), err);
    end(&b);
    random_system_free(&b.system);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multipliers_that_nothing_determines_are_refused),
        cmocka_unit_test(contact_point_that_nothing_determines_is_named),
        cmocka_unit_test(more_free_unknowns_than_differential_equations_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
