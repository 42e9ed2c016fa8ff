/* test_accepted.c - a supplier of equations hears of the start and of the end of every accepted
 * step, and of nothing else, whatever the formulation. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eom/eom.h"
#include "eoms.h"
#include "order/run.h"

typedef struct listener {
    void *self; /* of the supplier underneath */
    crank_eom_supplier supplier;
    int count;
    double t, x[5];
} listener;

static crank_status evaluate(void *self, int count, const double *t, const double *x, int rows,
                             double *k, crank_error *err)
{
    listener *l = self;
    return l->supplier.evaluate(l->self, count, t, x, rows, k, err);
}

static crank_status jacobian(void *self, double t, const double *x, const double *vdot,
                             double *values, crank_error *err)
{
    listener *l = self;
    return l->supplier.jacobian(l->self, t, x, vdot, values, err);
}

static crank_status mass(void *self, double t, const double *x, double *values,
                         crank_error *err)
{
    listener *l = self;
    return l->supplier.mass(l->self, t, x, values, err);
}

static crank_status accepted(void *self, double t, const double *x, crank_error *err)
{
    (void)err;
    listener *l = self;
    l->count++;
    l->t = t;
    memcpy(l->x, x, sizeof l->x);
    return CRANK_OK;
}

static void supplier_hears_of_every_accepted_point(void **state)
{
    static const char *const formulations[] = {"psf", "peom1", "gmkssol"};
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    listener l = {.self = eom->self, .supplier = eom->supplier};
    eom->self = &l;
    eom->supplier.evaluate = evaluate;
    eom->supplier.jacobian = jacobian;
    eom->supplier.mass = mass;
    eom->supplier.accepted = accepted;
    for (int f = 0; f < 3; f++) {
        for (int corrected = 0; corrected < 2; corrected++) {
            crank_options options = run_tolerance(1e-6);
            double x[5];
            run r;
            options.final_correction = corrected == 1;
            test_pendulum_start(&data, 1.0, 0.5, x);
            l.count = 0;
            run_begin(&r, formulations[f], eom, &options, 0.0, x, 1.0);
            assert_int_equal(l.count, 1);
            CHECK_NEAR(l.t, 0.0, 0.0);
            while (!crank_integrator_finished(r.it)) {
                CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
                CHECK_NEAR(l.t, crank_integrator_time(r.it), 0.0);
                assert_memory_equal(l.x, crank_integrator_state(r.it), sizeof l.x);
                assert_int_equal(l.count, crank_integrator_statistics(r.it).steps + 1);
            }
            CHECK_NEAR(l.t, 1.0, 0.0);
            run_end(&r);
        }
    }
    eom->self = l.self;
    eom->supplier = l.supplier;
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(supplier_hears_of_every_accepted_point),
    };
    return CHECK_RUN(argc, argv, tests);
}
