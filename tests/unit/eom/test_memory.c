/* test_memory.c - nothing allocates after create, and lack of memory is survived. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"

#include "check.h"
#include "eoms.h"
#include "fault/allocation_counter.h"

#include <stdlib.h>

static const crank_log no_log = {0};

/* Everything that a run calls, twice. */
static void check_silent(crank_eom *eom, double t, const double *x)
{
    double k[40], values[40 * TEST_WIDTH], residual[3];
    const double vdot[4] = {1.0, 2.0, 3.0, 4.0};
    crank_error err;
    for (int pass = 0; pass < 2; pass++) {
        allocation_counter_arm();
        const crank_status status[] = {
            crank_eom_evaluate(eom, t, x, k, &err),
            crank_eom_evaluate_jacobian(eom, t, x, vdot, values, &err),
            crank_eom_evaluate_mass(eom, t, x, values, &err),
            crank_eom_residuals(eom, t, x, residual, &err),
        };
        const int64_t seen = allocation_counter_disarm();
        for (int i = 0; i < 4; i++) {
            CHECK_OK(status[i], err);
        }
        assert_true(pass == 0 || seen == 0);
    }
    crank_eom_destroy(eom);
}

static void nothing_allocates_after_create(void **state)
{
    for (int levels = CRANK_LEVELS_ALL; levels <= CRANK_LEVELS_POSITION; levels++) {
        for (int differences = 0; differences < 2; differences++) {
            const test_supply supply = {.levels = (crank_eom_levels)levels,
                                        .no_jacobian = differences == 1};
            test_slider_crank crank = test_slider_crank_default();
            test_academic academic = test_academic_default();
            double x[13];
            crank.supply = academic.supply = supply;
            test_slider_crank_start(&crank, x);
            check_silent(test_slider_crank_create(&crank), 0.0, x);
            test_academic_exact(0.3, x);
            check_silent(test_academic_create(&academic), 0.3, x);
        }
    }
}

static crank_status some_rows(double t, const double *x, double *k, void *user)
{
    k[0] = k[1] = k[2] = 0.0;
    k[3] = x[2] - x[1];
    k[4] = x[2] * x[2] - 1.0;
    k[5] = -2.0 * x[0] * x[2];
    k[6] = x[1];
    return t >= 0.0 && user == NULL ? CRANK_OK : CRANK_RETRY;
}

static void create_survives_lack_of_memory(void **state)
{
    crank_eom_definition d = crank_eom_definition_default();
    d.sizes = (crank_eom_sizes){.p = 1, .v = 1, .lambda = 1, .e = 1};
    d.levels = CRANK_LEVELS_POSITION;
    d.evaluate = some_rows;
    for (int64_t n = 0;; n++) {
        crank_eom *eom;
        crank_error err;
        allocation_counter_fail(n);
        const crank_status status = crank_eom_create(&d, no_log, &eom, &err);
        if (!allocation_counter_failed()) {
            CHECK_OK(status, err);
            crank_eom_destroy(eom);
            assert_true(n > 10);
            return;
        }
        CHECK_STATUS(status, CRANK_EMEM);
        assert_null(eom);
    }
}

/* Runs once with enough memory, then lets every allocation fail in turn. The sparse
 * libraries manage without some of theirs (when they only give memory back, say): then the
 * result must be right. */
static void check_starved(crank_eom *eom, const double *start, size_t size)
{
    double *x = malloc(size), *first = malloc(size);
    crank_error err;
    crank_structure_report report;
    memcpy(first, start, size);
    CHECK_OK(crank_eom_initialize(eom, 0.0, first, NULL, NULL, no_log, &err), err);
    CHECK_OK(crank_eom_structure(eom, 0.0, first, 1e-8, &report, &err), err);
    crank_structure_report_free(&report);
    for (int64_t n = 0, starved = 1; starved; n++) {
        memcpy(x, start, size);
        allocation_counter_fail(n);
        const crank_status status = crank_eom_initialize(eom, 0.0, x, NULL, NULL, no_log, &err);
        starved = allocation_counter_failed();
        CHECK_STATUS(status, starved && status != CRANK_OK ? CRANK_EMEM : CRANK_OK);
        assert_memory_equal(x, status != CRANK_OK ? start : first, size);
    }
    for (int64_t n = 0, starved = 1; starved; n++) {
        allocation_counter_fail(n);
        const crank_status status = crank_eom_structure(eom, 0.0, x, 1e-8, &report, &err);
        starved = allocation_counter_failed();
        CHECK_STATUS(status, starved && status != CRANK_OK ? CRANK_EMEM : CRANK_OK);
        crank_structure_report_free(&report);
    }
    free(x);
    free(first);
}

static void initial_values_and_report_survive_lack_of_memory(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.rows = 2;
    data.factor[1] = 2.0;
    crank_eom *eom = test_slider_crank_create(&data);
    const double x[6] = {0.0, 0.0, 1.0, 0.3, 0.2, 0.1};
    check_starved(eom, x, sizeof x);
    crank_eom_destroy(eom);
}

/* 220 links are beyond the dense path of both; two of them are redundant. */
static void sparse_paths_survive_lack_of_memory(void **state)
{
    test_chain data = {.count = 220, .copies = 2, .m = 1.0, .L = 1.0, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    const size_t n = (size_t)crank_eom_unknowns(eom);
    double *x = calloc(n, sizeof *x);
    test_chain_start(&data, x);
    x[n - 1] += 0.01;
    check_starved(eom, x, n * sizeof *x);
    free(x);
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_allocates_after_create),
        cmocka_unit_test(create_survives_lack_of_memory),
        cmocka_unit_test(initial_values_and_report_survive_lack_of_memory),
        cmocka_unit_test(sparse_paths_survive_lack_of_memory),
    };
    return CHECK_RUN(argc, argv, tests);
}
