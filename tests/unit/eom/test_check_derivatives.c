/* test_check_derivatives.c - the derivative checker finds what is wrong and nothing else. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"

#include "check.h"
#include "eoms.h"

#include <stdlib.h>

/* An eom whose rows or Jacobian are altered on the way out. */
typedef struct altered {
    crank_eom *inner;
    int row, entry; /* -1: none */
    double change;
} altered;

static crank_status altered_evaluate(void *self, int count, const double *t, const double *x,
                                     int rows, double *k, crank_error *err)
{
    const altered *a = self;
    const crank_status status =
        a->inner->supplier.evaluate(a->inner->self, count, t, x, rows, k, err);
    if (a->row >= 0) {
        k[a->row] += a->change;
    }
    return status;
}

static crank_status altered_jacobian(void *self, double t, const double *x, const double *vdot,
                                     double *values, crank_error *err)
{
    const altered *a = self;
    const crank_status status =
        a->inner->supplier.jacobian(a->inner->self, t, x, vdot, values, err);
    if (a->entry >= 0) {
        values[a->entry] += a->change;
    }
    return status;
}

static crank_status altered_mass(void *self, double t, const double *x, double *values,
                                 crank_error *err)
{
    const altered *a = self;
    return a->inner->supplier.mass(a->inner->self, t, x, values, err);
}

/* Checks inner with the alteration; returns the deviation. */
static double check_altered(const altered *a, const double *x, char *text, size_t size)
{
    crank_eom eom = *a->inner; /* a shallow copy with another supplier, never destroyed */
    altered copy = *a;
    double deviation;
    crank_error err;
    eom.self = &copy;
    eom.supplier = (crank_eom_supplier){
        .evaluate = altered_evaluate, .jacobian = altered_jacobian, .mass = altered_mass};
    CHECK_OK(crank_eom_check_derivatives(&eom, 0.3, x, &deviation, text, size, &err), err);
    return deviation;
}

/* differences are good to about 1e-10 of a row's size; entries are compared down to 1e-3 of
 * it */
static const double right = 1e-6;

static void right_derivatives_pass(void **state)
{
    double deviation, x[13];
    char text[300];
    crank_error err;
    test_academic academic = test_academic_default();
    crank_eom *eom = test_academic_create(&academic);
    test_academic_exact(0.3, x);
    CHECK_OK(crank_eom_check_derivatives(eom, 0.3, x, &deviation, text, sizeof text, &err),
             err);
    CHECK_NEAR(deviation, 0.0, right);
    crank_eom_destroy(eom);
    test_slider_crank crank = test_slider_crank_default();
    const double y[5] = {-3.0, 1.1, -0.6, 0.4, 0.9};
    eom = test_slider_crank_create(&crank);
    CHECK_OK(crank_eom_check_derivatives(eom, 0.0, y, &deviation, text, sizeof text, &err),
             err);
    CHECK_NEAR(deviation, 0.0, right);
    crank_eom_destroy(eom);
    test_chain chain = {.count = 5, .m = 2.0, .L = 0.5, .g = 9.81};
    double z[25];
    eom = test_chain_create(&chain);
    test_chain_start(&chain, z);
    for (int j = 0; j < 25; j++) {
        z[j] += 0.1 * sin(j);
    }
    CHECK_OK(crank_eom_check_derivatives(eom, 0.0, z, &deviation, text, sizeof text, &err),
             err);
    CHECK_NEAR(deviation, 0.0, right);
    crank_eom_destroy(eom);
    test_chain_free(&chain);
}

static void a_wrong_entry_is_named(void **state)
{
    test_slider_crank crank = test_slider_crank_default();
    crank_eom *eom = test_slider_crank_create(&crank);
    const double x[5] = {-3.0, 1.1, -0.6, 0.4, 0.9};
    char text[300];
    for (int entry = 0; entry < 5 * 7; entry++) {
        const altered a = {.inner = eom, .row = -1, .entry = entry, .change = 0.01};
        char name[100];
        const double deviation = check_altered(&a, x, text, sizeof text);
        assert_true(deviation > 1e-5);
        CHECK_CONTAINS(text, crank_eom_row_name(eom, entry % 7, name, sizeof name));
        CHECK_CONTAINS(text, crank_eom_column_name(eom, entry / 7));
    }
    crank_eom_destroy(eom);
}

static void a_wrong_hidden_level_is_named(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const double x[5] = {4.0, 1.5, 2.5, 0.6, -0.9};
    char text[300];
    for (int row = 0; row < 2; row++) {
        const altered a = {.inner = eom, .row = row, .entry = -1, .change = 0.1};
        const double deviation = check_altered(&a, x, text, sizeof text);
        assert_true(deviation > 1e-4);
        CHECK_CONTAINS(text, row == 0 ? "acceleration level" : "velocity level");
        CHECK_CONTAINS(text, "along the motion");
    }
    crank_eom_destroy(eom);
}

/* Columns are moved many at a time: what is wrong is found and named all the same. */
static void a_wrong_entry_of_a_large_model_is_named(void **state)
{
    test_chain data = {.count = 100, .m = 1.0, .L = 1.0, .g = 9.81};
    crank_eom *eom = test_chain_create(&data);
    const int n = crank_eom_unknowns(eom);
    double *x = calloc((size_t)n, sizeof *x);
    char text[300], name[100];
    assert_non_null(x);
    for (int j = 0; j < n; j++) {
        x[j] = 0.5 + 0.4 * sin(1.0 + 0.7 * j);
    }
    altered a = {.inner = eom, .row = -1, .entry = -1, .change = 0.01};
    CHECK_NEAR(check_altered(&a, x, text, sizeof text), 0.0, 1e-5);
    const crank_pattern *pattern = &eom->jacobian_pattern;
    for (int j = 0; j < n; j += 37) {
        a.entry = pattern->start[j];
        const double deviation = check_altered(&a, x, text, sizeof text);
        assert_true(deviation > 1e-5);
        CHECK_CONTAINS(text, crank_eom_row_name(eom, pattern->row[a.entry], name, sizeof name));
        CHECK_CONTAINS(text, crank_eom_column_name(eom, j));
    }
    free(x);
    crank_eom_destroy(eom);
    test_chain_free(&data);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_derivatives_pass),
        cmocka_unit_test(a_wrong_entry_is_named),
        cmocka_unit_test(a_wrong_hidden_level_is_named),
        cmocka_unit_test(a_wrong_entry_of_a_large_model_is_named),
    };
    return CHECK_RUN(argc, argv, tests);
}
