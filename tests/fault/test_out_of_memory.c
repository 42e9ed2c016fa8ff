/* test_out_of_memory.c - whichever allocation fails while a problem or an integrator is
 * made, the status is EMEM, nothing is returned and nothing leaks (the address sanitizer
 * sees leaks); on the sparse path also in steps, and in checkpoints. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eoms.h"
#include "fault/allocation_counter.h"
#include "integrate/create.h"
#include "order/run.h"

#include <stdlib.h>

static void create_survives(const char *formulation, crank_eom *eom,
                            const crank_options *options, double t, const double *x,
                            int64_t at_least)
{
    int recovered = 0;
    for (int64_t n = 0;; n++) {
        crank_problem *problem = NULL;
        crank_integrator *it = NULL;
        crank_error err = {0};
        allocation_counter_fail(n);
        crank_status status =
            crank_formulate(formulation, eom, options, t, x, (crank_log){0}, &problem, &err);
        if (status == CRANK_OK) {
            status = crank_integrator_create(problem->derivative != NULL ? "dopri8" : "radau",
                                             problem, options, &it, &err);
        } else {
            assert_null(problem);
        }
        const bool failed = allocation_counter_failed();
        if (failed && status == CRANK_OK) {
            recovered++; /* KLU gives memory back by reallocation, and can do without */
        } else if (failed) {
            if (status != CRANK_EMEM) {
                fail_msg("%s: allocation %d fails, the status is %s (%s)", formulation, (int)n,
                         crank_status_name(status), err.text);
            }
            assert_null(it);
            assert_true(err.text[0] != '\0');
        }
        crank_integrator_destroy(it);
        crank_problem_destroy(problem);
        if (!failed) {
            CHECK_OK(status, err);
            assert_true(n >= at_least);
            assert_true(recovered == 0 ||
                        (options->linear_algebra == CRANK_LINALG_SPARSE && recovered < 4));
            return;
        }
    }
}

static void dense_create_survives_lack_of_memory(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = run_tolerance(1e-6);
    double x[5];
    test_pendulum_start(&data, 0.3, 1.0, x);
    create_survives("psf", eom, &options, 0.0, x, 5);
    create_survives("peom1", eom, &options, 0.0, x, 5);
    create_survives("gmkssol", eom, &options, 0.0, x, 3);
    create_survives("overdetermined", eom, &options, 0.0, x, 5);
    create_survives("ggl", eom, &options, 0.0, x, 5);
    create_survives("ude", eom, &options, 0.0, x, 5);
    create_survives("ode", eom, &options, 0.0, x, 10);
    crank_eom_destroy(eom);
}

static void switch_to_svd_survives_lack_of_memory(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    const crank_options options = run_tolerance(1e-6);
    double x[6];
    data.rows = 2;
    data.factor[1] = 2.0;
    crank_eom *eom = test_slider_crank_create(&data);
    test_slider_crank_start(&data, x);
    create_survives("psf", eom, &options, 0.0, x, 7);
    crank_eom_destroy(eom);
}

static void sparse_create_survives_lack_of_memory(void **state)
{
    test_chain data = {.count = 5, .m = 1.0, .L = 0.5, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    crank_options options = run_tolerance(1e-6);
    double x[25];
    options.linear_algebra = CRANK_LINALG_SPARSE;
    test_chain_start(&data, x);
    create_survives("psf", eom, &options, 0.0, x, 50);
    create_survives("ggl", eom, &options, 0.0, x, 15);
    create_survives("ode", eom, &options, 0.0, x, 60);
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

/* the n-th allocation of the run fails, wherever that is: EMEM, and further calls do no harm */
static void sparse_steps_survive_lack_of_memory(void **state)
{
    test_chain data = {.count = 4, .m = 1.0, .L = 0.5, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    crank_options options = run_tolerance(1e-4);
    double x[20];
    options.linear_algebra = CRANK_LINALG_SPARSE;
    test_chain_start(&data, x);
    bool reached = true;
    for (int64_t n = 0; reached && n < 400; n += 1 + n / 8) {
        run r;
        run_begin(&r, "psf", eom, &options, 0.0, x, 0.6);
        allocation_counter_fail(n);
        crank_status status = crank_integrator_solve_to(r.it, 0.6, &r.err);
        reached = allocation_counter_failed();
        if (reached && status != CRANK_OK) {
            if (status != CRANK_EMEM) {
                fail_msg("allocation %d fails at t = %g, the status is %s (%s)", (int)n,
                         crank_integrator_time(r.it), crank_status_name(status), r.err.text);
            }
            /* with memory again the run goes on, or says why not */
            status = crank_integrator_solve_to(r.it, 0.6, &r.err);
            assert_true(status == CRANK_OK || status == CRANK_EMEM);
        } else {
            CHECK_OK(status, r.err);
        }
        run_end(&r);
    }
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

/* the n-th allocation while a run is saved, or loaded, fails: EMEM; the saved run goes on, the
 * other one can be destroyed */
static void checkpoints_survive_lack_of_memory(void **state)
{
    test_chain data = {.count = 4, .m = 1.0, .L = 0.5, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    crank_options options = run_tolerance(1e-4);
    double x[20];
    options.linear_algebra = CRANK_LINALG_SPARSE;
    test_chain_start(&data, x);
    int refused[2] = {0};
    bool reached[2] = {true, true};
    for (int64_t n = 0; reached[0] || reached[1]; n++) {
        run r, other;
        void *bytes = NULL;
        size_t size = 0;
        run_begin(&r, "psf", eom, &options, 0.0, x, 0.6);
        run_begin(&other, "psf", eom, &options, 0.0, x, 0.6);
        CHECK_OK(crank_integrator_solve_to(r.it, 0.3, &r.err), r.err);
        allocation_counter_fail(n);
        r.status = crank_integrator_save(r.it, &bytes, &size, &r.err);
        reached[0] = allocation_counter_failed();
        if (r.status != CRANK_OK) {
            CHECK_STATUS(r.status, CRANK_EMEM);
            assert_true(reached[0] && bytes == NULL && size == 0);
            refused[0]++;
            CHECK_OK(crank_integrator_save(r.it, &bytes, &size, &r.err), r.err);
        }
        allocation_counter_fail(n);
        other.status = crank_integrator_load(other.it, bytes, size, &other.err);
        reached[1] = allocation_counter_failed();
        if (other.status != CRANK_OK) {
            CHECK_STATUS(other.status, CRANK_EMEM);
            assert_true(reached[1] && other.err.text[0] != '\0');
            refused[1]++;
        }
        CHECK_OK(crank_integrator_solve_to(r.it, 0.6, &r.err), r.err);
        free(bytes);
        run_end(&r);
        run_end(&other);
        assert_true(n < 1000);
    }
    assert_true(refused[0] > 0 && refused[1] > 10);
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_create_survives_lack_of_memory),
        cmocka_unit_test(switch_to_svd_survives_lack_of_memory),
        cmocka_unit_test(sparse_create_survives_lack_of_memory),
        cmocka_unit_test(sparse_steps_survive_lack_of_memory),
        cmocka_unit_test(checkpoints_survive_lack_of_memory),
    };
    return CHECK_RUN(argc, argv, tests);
}
