/* test_time_derivative.c - dk/dt of eoms and of problems, x held: by formulas, by differences,
 * and in a linearly implicit step, which needs it. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "one_state.h"

#include "eom/eom.h"
#include "problem/problem.h"

#include <float.h>

enum { LARGEST = 64 };

/* a point mass on a rod whose upper end moves, driven by a force; all unknowns and t enter */
static const char driven[] = "crank: equations\n"
                             "positions: {x: {start: 0.6}, y: {start: -0.8}}\n"
                             "velocities: {vx: {of: x, start: 0.8}, vy: {of: y, start: 0.6}}\n"
                             "mass: [[2, 0], [0, 2]]\n"
                             "forces: [sin(3*t)*y, -9.81*2 + exp(-t)*vx]\n"
                             "holonomic: {rod: (x - 0.2*sin(2*t))^2 + y^2 - 1}\n";
/* no constraints */
static const char forced[] = "crank: equations\n"
                             "positions: {x: {start: 1}}\n"
                             "velocities: {v: {of: x}}\n"
                             "mass: [[1]]\n"
                             "forces: [-x + 5*cos(3*t)]\n";
static const char free_pendulum[] = "crank: equations\n"
                                    "positions: {x: {start: 0.6}, y: {start: -0.8}}\n"
                                    "velocities: {vx: {of: x}, vy: {of: y}}\n"
                                    "mass: [[1, 0], [0, 1]]\n"
                                    "forces: [0, -9.81]\n"
                                    "holonomic: {rod: x^2 + y^2 - 1}\n";

static crank_state *read_text(const char *text)
{
    const crank_model_options options = crank_model_options_default();
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("test", text, strlen(text), &options, &model, &err), err);
    return model;
}

/* ---- eoms ---- */

static void of_equations_it_is_the_formula(void **state)
{
    const double t = 0.7;
    (void)state;
    crank_state *model = read_text(driven);
    crank_eom *eom = crank_state_eom(model);
    const double x[5] = {3.0, 0.5, -0.4, 0.3, -0.9}; /* lambda, vx, vy, x, y */
    const double a = 0.2 * sin(2.0 * t), a1 = 0.4 * cos(2.0 * t), a2 = -0.8 * sin(2.0 * t);
    double kt[LARGEST];
    crank_error err = {0};
    assert_non_null(eom->supplier.time_derivative);
    CHECK_OK(crank_eom_evaluate_time_derivative(eom, t, x, 1.0, kt, &err), err);
    CHECK_NEAR(kt[eom->row[CRANK_ROW_G]], -2.0 * (x[3] - a) * a1, 1e-15);
    /* gI = 2 (x - a) (vx - a') + 2 y vy */
    CHECK_NEAR(kt[eom->row[CRANK_ROW_GI]], -2.0 * a1 * (x[1] - a1) - 2.0 * (x[3] - a) * a2,
               1e-15);
    /* f - G^T lambda, G = (2 (x - a), 2 y) */
    const double *dynamic = kt + eom->row[CRANK_ROW_DYN];
    CHECK_NEAR(dynamic[0], 3.0 * cos(3.0 * t) * x[4] + 2.0 * a1 * x[0], 1e-14);
    CHECK_NEAR(dynamic[1], -exp(-t) * x[1], 1e-15);
    CHECK_NEAR(kt[eom->row[CRANK_ROW_KIN]], 0.0, 0.0);
    one_state_close(model);
}

/* Truncation (c h)^4/30 with rates c up to 6, and rounding of rows over h: h = 1e-4 of the
 * time, and where t is large a little more, for what rounding of t itself makes. */
static void differences_agree_with_formulas(void **state)
{
    static const double times[] = {0.7, 1e5};
    crank_state *model = read_text(driven);
    crank_eom *eom = crank_state_eom(model);
    const double x[5] = {3.0, 0.5, -0.4, 0.3, -0.9};
    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const double t = times[i], h = 1e-4 * pow(fmax(1.0, t), 0.2), size = 100.0;
        const double limit = pow(6.0 * h, 4.0) / 30.0 * size + 4.0 * DBL_EPSILON * size / h +
                             DBL_EPSILON * t / h * size;
        double exact[LARGEST], found[LARGEST];
        crank_error err = {0};
        CHECK_OK(crank_eom_evaluate_time_derivative(eom, t, x, 1.0, exact, &err), err);
        const crank_eom_supplier kept = eom->supplier;
        eom->supplier.time_derivative = NULL;
        CHECK_OK(crank_eom_evaluate_time_derivative(eom, t, x, 1.0, found, &err), err);
        eom->supplier = kept;
        for (int k = 0; k < eom->m; k++) {
            CHECK_NEAR(found[k], exact[k], limit);
        }
    }
    one_state_close(model);
}

/* the driver of a mechanism has no formulas here: g = x - 0.3 sin(2000 t) */
static void differences_are_scaled_with_the_time_of_the_motion(void **state)
{
    static const char text[] =
        "crank: mechanism\n"
        "bodies:\n  a: {mass: 2, inertia: [1, 2, 3]}\n"
        "joints:\n  d: {type: driver, of: body.a.x, is: 0.3*sin(2000*t)}\n";
    crank_state *model = read_text(text);
    crank_eom *eom = crank_state_eom(model);
    double kt[LARGEST];
    crank_error err = {0};
    const double t = 4e-4;
    (void)state;
    assert_null(eom->supplier.time_derivative);
    assert_true(eom->m <= LARGEST);
    CHECK_OK(
        crank_eom_evaluate_time_derivative(eom, t, crank_state_start(model), 1e-3, kt, &err),
        err);
    CHECK_NEAR(fabs(kt[eom->row[CRANK_ROW_G]]), 600.0 * cos(2000.0 * t), 600.0 * 1e-10);
    one_state_close(model);
}

static void it_is_zero_where_nothing_depends_on_time(void **state)
{
    crank_state *model = read_text(free_pendulum);
    crank_eom *eom = crank_state_eom(model);
    double kt[LARGEST];
    crank_error err = {0};
    (void)state;
    assert_true(eom->autonomous);
    for (int i = 0; i < eom->m; i++) {
        kt[i] = 1.0;
    }
    CHECK_OK(
        crank_eom_evaluate_time_derivative(eom, 0.3, crank_state_start(model), 1.0, kt, &err),
        err);
    for (int i = 0; i < eom->m; i++) {
        CHECK_NEAR(kt[i], 0.0, 0.0);
    }
    one_state_close(model);
}

/* ---- problems ---- */

static void problems_offer_that_of_their_own_rows(void **state)
{
    static const char *const forms[] = {"psf",    "peom1",  "overdetermined", "index3",
                                        "index2", "index1", "baumgarte",      "ggl"};
    crank_state *model = read_text(driven);
    crank_eom *eom = crank_state_eom(model);
    double start[LARGEST];
    crank_error err = {0};
    (void)state;
    memcpy(start, crank_state_start(model), (size_t)eom->n * sizeof *start);
    CHECK_OK(crank_eom_initialize(eom, 0.0, start, NULL, NULL, (crank_log){0}, &err), err);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const crank_options options = crank_options_default();
        const double h = 1e-5, t[2] = {0.4 - h, 0.4 + h};
        double x[2 * LARGEST], k[2 * LARGEST], kt[LARGEST];
        crank_problem *p = NULL;
        CHECK_OK(crank_formulate(forms[i], eom, &options, 0.0, start, (crank_log){0}, &p, &err),
                 err);
        CHECK_OK(p->prepare(p, 0.0, start, NULL, &err), err);
        for (int j = 0; j < p->n; j++) { /* theta, too */
            x[j] = x[p->n + j] = j < eom->n ? start[j] : 0.1;
        }
        CHECK_OK(p->evaluate(p, 2, t, x, k, &err), err);
        CHECK_OK(p->time_derivative(p, 0.4, x, kt, &err), err);
        for (int row = 0; row < p->m; row++) {
            const double difference = (k[p->m + row] - k[row]) / (2.0 * h);
            CHECK_NEAR(kt[row], difference, 1e-7 * (1.0 + fabs(difference)));
        }
        crank_problem_destroy(p);
    }
    one_state_close(model);
}

/* (2/h E - J) d = 2 k + h k_t,  x += d: the linearly implicit midpoint rule */
static double error_of_steps(crank_problem *p, int steps, bool by_time)
{
    const double h = 1.0 / steps, sigma = 2.0 / h, none = 0.0;
    double x[2] = {0.0, 1.0}, k[2], kt[2] = {0.0, 0.0}, d[2]; /* v, x */
    crank_error err = {0};
    for (int i = 0; i < steps; i++) {
        const double t = i * h;
        CHECK_OK(p->prepare(p, t, x, NULL, &err), err);
        CHECK_OK(p->factor(p, 1, &sigma, &none, &err), err);
        CHECK_OK(p->evaluate(p, 1, &t, x, k, &err), err);
        if (by_time) {
            CHECK_OK(p->time_derivative(p, t, x, kt, &err), err);
        }
        for (int row = 0; row < 2; row++) {
            k[row] = 2.0 * k[row] + h * kt[row];
        }
        CHECK_OK(p->solve(p, 0, k, NULL, d, NULL, &err), err);
        x[0] += d[0];
        x[1] += d[1];
    }
    /* x'' + x = 5 cos(3 t): x = 13/8 cos(t) - 5/8 cos(3 t) */
    return fabs(x[1] - (13.0 * cos(1.0) - 5.0 * cos(3.0)) / 8.0);
}

static void
a_linearly_implicit_step_is_of_order_two_with_it_and_of_order_one_without(void **state)
{
    crank_state *model = read_text(forced);
    crank_eom *eom = crank_state_eom(model);
    const crank_options options = crank_options_default();
    crank_problem *p = NULL;
    crank_error err = {0};
    (void)state;
    CHECK_OK(crank_formulate("psf", eom, &options, 0.0, crank_state_start(model),
                             (crank_log){0}, &p, &err),
             err);
    const double with = log2(error_of_steps(p, 100, true) / error_of_steps(p, 200, true));
    const double without = log2(error_of_steps(p, 100, false) / error_of_steps(p, 200, false));
    CHECK_NEAR(with, 2.0, 0.1);
    CHECK_NEAR(without, 1.0, 0.1);
    crank_problem_destroy(p);
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_equations_it_is_the_formula),
        cmocka_unit_test(differences_agree_with_formulas),
        cmocka_unit_test(differences_are_scaled_with_the_time_of_the_motion),
        cmocka_unit_test(it_is_zero_where_nothing_depends_on_time),
        cmocka_unit_test(problems_offer_that_of_their_own_rows),
        cmocka_unit_test(
            a_linearly_implicit_step_is_of_order_two_with_it_and_of_order_one_without),
    };
    return CHECK_RUN(argc, argv, tests);
}
