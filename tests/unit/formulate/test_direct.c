/* test_direct.c - the formulations index3, index2, index1, baumgarte, ggl, ude as problems:
 * their linear systems against differences of their equations, unknowns of their own,
 * quaternions, what they refuse. Orders and drift: tests/order. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "eom/eom.h"
#include "eoms.h"
#include "integrate/create.h"
#include "one_state.h"
#include "order/run.h"

#include <crank/model.h>

static const char *const forms[] = {"index3", "index2", "index1", "baumgarte", "ggl", "ude"};
enum { FORMS = 6, WITHOUT_UDE = 5, MOST = 20 };

static crank_problem *formulate(const char *name, crank_eom *eom, const crank_options *options,
                                const double *x)
{
    crank_problem *problem = NULL;
    crank_error err = {0};
    CHECK_OK(crank_formulate(name, eom, options, 0.0, x, (crank_log){0}, &problem, &err), err);
    return problem;
}

/* k(x + h delta) by central differences: J delta */
static void along(crank_problem *p, const double *x, const double *delta, double *J_delta)
{
    const double h = 1e-6, t = 0.0;
    double at[MOST], up[MOST], down[MOST];
    crank_error err = {0};
    for (int side = 0; side < 2; side++) {
        for (int j = 0; j < p->n; j++) {
            at[j] = x[j] + (side == 0 ? h : -h) * delta[j];
        }
        CHECK_OK(p->evaluate(p, 1, &t, at, side == 0 ? up : down, &err), err);
    }
    for (int i = 0; i < p->m; i++) {
        J_delta[i] = (up[i] - down[i]) / (2.0 * h);
    }
}

/* (sigma E - J) delta = r with a real and a complex shift, at a point with x' = 0 and theta =
 * 0 */
static void check_solves(crank_problem *p, const double *start)
{
    const double sigma[2] = {30.0, 20.0}, imaginary[2] = {0.0, 25.0};
    double x[MOST] = {0.0}, r[2][MOST], d[2][MOST], E[2][MOST], J[2][MOST], real[MOST];
    crank_error err = {0};
    memcpy(x, start, (size_t)crank_problem_given(p) * sizeof *x);
    for (int i = 0; i < p->m; i++) {
        r[0][i] = sin(1.0 + i);
        r[1][i] = cos(3.0 * i);
    }
    CHECK_OK(p->prepare(p, 0.0, x, NULL, &err), err);
    CHECK_OK(p->factor(p, 2, sigma, imaginary, &err), err);
    CHECK_OK(p->solve(p, 0, r[0], NULL, real, NULL, &err), err);
    CHECK_OK(p->solve(p, 1, r[0], r[1], d[0], d[1], &err), err);
    CHECK_OK(p->lead(p, 0.0, x, real, E[0], &err), err);
    along(p, x, real, J[0]);
    for (int i = 0; i < p->m; i++) {
        CHECK_NEAR(sigma[0] * E[0][i] - J[0][i], r[0][i], 1e-5);
        assert_true(p->differential[i] || E[0][i] == 0.0);
    }
    for (int part = 0; part < 2; part++) {
        CHECK_OK(p->lead(p, 0.0, x, d[part], E[part], &err), err);
        along(p, x, d[part], J[part]);
    }
    for (int i = 0; i < p->m; i++) {
        CHECK_NEAR(sigma[1] * E[0][i] - imaginary[1] * E[1][i] - J[0][i], r[0][i], 1e-5);
        CHECK_NEAR(sigma[1] * E[1][i] + imaginary[1] * E[0][i] - J[1][i], r[1][i], 1e-5);
    }
}

static void systems_are_those_of_the_equations(void **state)
{
    test_academic academic = test_academic_default();
    test_slider_crank crank = test_slider_crank_default();
    test_skate skate = test_skate_default();
    crank_eom *eom[3] = {test_academic_create(&academic), test_slider_crank_create(&crank),
                         test_skate_create(&skate)};
    double x[3][13];
    test_academic_exact(0.3, x[0]);
    test_slider_crank_start(&crank, x[1]);
    test_skate_exact(&skate, 0.2, x[2]);
    for (int model = 0; model < 3; model++) {
        for (int i = 0; i < 2 * WITHOUT_UDE; i++) {
            crank_options options = crank_options_default();
            options.linear_algebra = i % 2 == 0 ? CRANK_LINALG_DENSE : CRANK_LINALG_SPARSE;
            crank_problem *p = formulate(forms[i / 2], eom[model], &options, x[model]);
            check_solves(p, x[model]);
            crank_problem_destroy(p);
        }
        crank_eom_destroy(eom[model]);
    }
}

static void ggl_has_a_multiplier_of_its_own_for_each_constraint(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data);
    const crank_options options = crank_options_default();
    double x[13];
    test_academic_exact(0.0, x);
    crank_problem *p = formulate("ggl", eom, &options, x);
    assert_int_equal(p->n, 15);
    assert_int_equal(p->m, 15);
    assert_int_equal(p->n - crank_problem_given(p), 2);
    CHECK_CONTAINS(p->report->unknown_name(p, 13), "theta.");
    assert_string_equal(p->report->unknown_name(p, 0), crank_eom_column_name(eom, 0));
    assert_false(p->tested[13]);
    crank_problem_destroy(p);
    p = formulate("index2", eom, &options, x);
    assert_int_equal(p->n - crank_problem_given(p), 0);
    assert_int_equal(p->n, 13);
    crank_problem_destroy(p);
    crank_eom_destroy(eom);
}

/* powers of h in norms: those of the index of each unknown */
static void norms_are_scaled_by_the_index(void **state)
{
    static const int expected[FORMS][2] = {{1, 2}, {0, 1}, {0, 0}, {0, 0}, {0, 1}, {0, 0}};
    test_pendulum pendulum = test_pendulum_default();
    test_skate skate = test_skate_default();
    crank_eom *eom[2] = {test_pendulum_create(&pendulum), test_skate_create(&skate)};
    const crank_options options = crank_options_default();
    double x[2][7];
    test_pendulum_start(&pendulum, 0.4, 1.0, x[0]);
    test_skate_exact(&skate, 0.0, x[1]);
    for (int i = 0; i < FORMS; i++) {
        crank_problem *p = formulate(forms[i], eom[0], &options, x[0]);
        assert_int_equal(p->scaling[1], expected[i][0]);
        assert_int_equal(p->scaling[0], expected[i][1]);
        assert_int_equal(p->scaling[4], 0);
        crank_problem_destroy(p);
        /* nonholonomic constraints are on velocity level from the start: at most index 2 */
        p = formulate(forms[i], eom[1], &options, x[1]);
        assert_int_equal(p->scaling[1], 0);
        assert_int_equal(p->scaling[0], expected[i][1] > 0);
        crank_problem_destroy(p);
    }
    crank_eom_destroy(eom[0]);
    crank_eom_destroy(eom[1]);
}

/* r' = b with a multiplier in b is off by h times what that is off by: like a velocity. */
static void works_of_constraint_forces_are_scaled_like_velocities(void **state)
{
    static const char text[] = "crank: equations\n"
                               "positions: {x: 1, y: 0}\n"
                               "mass: {diagonal: [1, 1]}\n"
                               "velocities: {vx: {of: x}, vy: {of: y}}\n"
                               "dynamic: {force_work: {rate: 2*x*lambda.length}, "
                               "path: {rate: vx}}\n"
                               "forces: [0, -9.81]\n"
                               "holonomic: {length: x^2 + y^2 - 1}\n";
    static const unsigned char work[FORMS] = {1, 0, 0, 0, 0, 0};
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("m", text, strlen(text), NULL, &model, &err), err);
    crank_eom *eom = crank_state_eom(model);
    const crank_options options = crank_options_default();
    for (int i = 0; i < FORMS; i++) {
        crank_problem *p = formulate(forms[i], eom, &options, crank_state_start(model));
        assert_int_equal(p->group[1], CRANK_R);
        assert_int_equal(p->scaling[1], work[i]);
        assert_int_equal(p->scaling[2], 0);
        crank_problem_destroy(p);
    }
    one_state_close(model);
}

/* a spinning body on a ball joint: each form keeps the norm of the quaternion, by a theta */
static void norms_of_quaternions_are_kept(void **state)
{
    static const char text[] =
        "crank: mechanism\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {top: {mass: 1, shape: {cylinder: [0.3, 0.1]}, position: [0.2, 0, 0], "
        "angular_velocity: [9, 1, 2]}}\n"
        "joints: {b: {type: spherical, between: [ground, top], at: [0, 0, 0]}}\n";
    crank_state *model = NULL;
    crank_error err = {0};
    CHECK_OK(one_state_read_text("m", text, strlen(text), NULL, &model, &err), err);
    crank_eom *eom = crank_state_eom(model);
    double start[60];
    const int n = crank_eom_unknowns(eom), norm = crank_eom_row(eom, CRANK_ROW_N);
    assert_true(n <= 60 && crank_eom_get_sizes(eom).n == 1);
    memcpy(start, crank_state_start(model), (size_t)n * sizeof *start);
    crank_initial_options initial = crank_initial_options_default();
    initial.fixing = crank_model_fixing(crank_state_model(model));
    CHECK_OK(crank_eom_initialize(eom, 0.0, start, &initial, NULL, (crank_log){0}, &err), err);
    for (int i = 0; i < WITHOUT_UDE; i++) {
        const crank_options options = run_tolerance(1e-6);
        double x[60], k[120];
        run r;
        run_begin(&r, forms[i], eom, &options, 0.0, start, 2.0);
        assert_int_equal(r.problem->n - crank_problem_given(r.problem),
                         strcmp(forms[i], "ggl") == 0 ? 4 : 1);
        CHECK_OK(run_to_end(&r), r.err);
        memcpy(x, crank_integrator_state(r.it), (size_t)n * sizeof *x);
        CHECK_OK(crank_eom_evaluate(eom, 2.0, x, k, &err), err);
        CHECK_NEAR(k[norm], 0.0, 1e-6); /* Newton's tolerance */
        run_end(&r);
    }
    one_state_close(model);
}

/* ---- refusals ---- */

static void dependent_constraints_are_refused_by_name(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    data.rows = 2;
    data.factor[1] = 2.0;
    crank_eom *eom = test_slider_crank_create(&data);
    const crank_options options = crank_options_default();
    double x[6];
    test_slider_crank_start(&data, x);
    for (int i = 0; i < FORMS; i++) {
        run r;
        CHECK_STATUS(run_try(&r, forms[i], eom, &options, 0.0, x, 1.0), CRANK_EREFUSED);
        CHECK_CONTAINS(r.err.text, forms[i]);
        CHECK_CONTAINS(r.err.text, "holonomic \"");
        CHECK_CONTAINS(r.err.text, "use psf");
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

static void singular_starts_are_refused(void **state)
{
    test_slider_crank data = test_slider_crank_default();
    const crank_options options = crank_options_default();
    data.l2 = 1.0;
    crank_eom *eom = test_slider_crank_create(&data);
    double x[5] = {0.0, 1.0, 1.0, -1.5707963267948966, -1.5707963267948966};
    run r;
    CHECK_STATUS(run_try(&r, "ggl", eom, &options, 0.0, x, 1.0), CRANK_ESINGULAR);
    CHECK_CONTAINS(r.err.text, "start elsewhere");
    run_end(&r);
    crank_eom_destroy(eom);
}

static void invariants_and_options_without_effect_are_refused(void **state)
{
    static const char *const options[][2] = {{"selector_period", "2"},
                                             {"selector_update", "every_step"},
                                             {"algebraic", "svd"},
                                             {"differential", "qr"},
                                             {"selector_source", "newton_matrix"}};
    test_pendulum data = test_pendulum_default();
    data.invariant = true;
    data.energy = 0.5 - 13.75 * cos(0.4);
    crank_eom *eom = test_pendulum_create(&data);
    double x[5];
    test_pendulum_start(&data, 0.4, 1.0, x);
    for (int i = 0; i < FORMS; i++) {
        crank_options o = crank_options_default();
        run r;
        CHECK_STATUS(run_try(&r, forms[i], eom, &o, 0.0, x, 1.0), CRANK_EREFUSED);
        CHECK_CONTAINS(r.err.text, "invariants=off");
        run_end(&r);
        o.invariants = false;
        CHECK_OK(run_try(&r, forms[i], eom, &o, 0.0, x, 0.1), r.err);
        run_end(&r);
        for (size_t j = 0; j < sizeof options / sizeof *options; j++) {
            o = crank_options_default();
            o.invariants = false;
            CHECK_OK(crank_options_set(&o, options[j][0], options[j][1], &r.err), r.err);
            CHECK_STATUS(run_try(&r, forms[i], eom, &o, 0.0, x, 1.0), CRANK_EREFUSED);
            CHECK_CONTAINS(r.err.text, options[j][0]);
            run_end(&r);
        }
        o = crank_options_default();
        o.invariants = false;
        o.singular = CRANK_SINGULAR_PASS;
        CHECK_STATUS(run_try(&r, forms[i], eom, &o, 0.0, x, 1.0), CRANK_EREFUSED);
        run_end(&r);
    }
    crank_eom_destroy(eom);
}

static void overdetermined_refuses_sparse_and_selectors(void **state)
{
    test_academic data = test_academic_default();
    crank_eom *eom = test_academic_create(&data); /* M = I: sparse would do */
    crank_options options = crank_options_default();
    double x[13];
    run r;
    test_academic_exact(0.0, x);
    options.linear_algebra = CRANK_LINALG_SPARSE;
    CHECK_STATUS(run_try(&r, "overdetermined", eom, &options, 0.0, x, 1.0), CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, "overdetermined is dense only");
    run_end(&r);
    options = crank_options_default();
    options.selector_source = CRANK_SELECTOR_NEWTON_MATRIX;
    CHECK_STATUS(run_try(&r, "overdetermined", eom, &options, 0.0, x, 1.0), CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, "selector_source");
    run_end(&r);
    crank_eom_destroy(eom);
}

/* (2.15): a mass matrix times any factor, the same for all its rows or not, moves the pendulum
 * alike: rows count by their accelerations. Rows that are not weighted would not do that. */
static void overdetermined_does_not_depend_on_the_size_of_masses(void **state)
{
    double end[2][5];
    for (int i = 0; i < 2; i++) {
        test_pendulum data = test_pendulum_default();
        const crank_options options = run_fixed_step(0.1); /* errors of the method show */
        data.m = i == 0 ? 1.0 : 1024.0;
        crank_eom *eom = test_pendulum_create(&data);
        test_pendulum_start(&data, 0.4, 3.0, end[i]);
        (void)run_whole("overdetermined", eom, &options, 0.5, end[i]);
        crank_eom_destroy(eom);
    }
    for (int j = 1; j < 5; j++) {
        CHECK_NEAR(end[1][j], end[0][j], 1e-11);
    }
    CHECK_NEAR(end[1][0] / 1024.0, end[0][0], 1e-10);
}

static void gains_belong_to_baumgarte(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    crank_options options = crank_options_default();
    double x[5];
    run r;
    options.baumgarte_delta = 3.0;
    test_pendulum_start(&data, 0.4, 1.0, x);
    CHECK_STATUS(run_try(&r, "psf", eom, &options, 0.0, x, 1.0), CRANK_EREFUSED);
    CHECK_CONTAINS(r.err.text, "baumgarte_delta");
    run_end(&r);
    CHECK_OK(run_try(&r, "baumgarte", eom, &options, 0.0, x, 1.0), r.err);
    run_end(&r);
    crank_eom_destroy(eom);
}

/* The acceleration level holds in rows, at step ends and between, whatever was discretised;
 * without the final correction they are as they were. */
static void rows_have_the_multipliers_of_the_motion(void **state)
{
    test_pendulum data = test_pendulum_default();
    for (int i = 0; i < FORMS; i++) {
        for (int sparse = 0; sparse < 2; sparse++) {
            crank_eom *eom = test_pendulum_create(&data);
            crank_options options = run_tolerance(1e-6);
            double x[MOST] = {0.0}, residual[3], discretised = 0.0, of_rows = 0.0;
            run r;
            options.linear_algebra = sparse ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
            test_pendulum_start(&data, 0.0, 2.8, x);
            run_begin(&r, forms[i], eom, &options, 0.0, x, 2.0);
            while (!crank_integrator_finished(r.it)) {
                CHECK_OK(crank_integrator_step(r.it, &r.err), r.err);
                const double t = crank_integrator_time(r.it);
                const double inside = t - 0.3 * crank_integrator_last_step(r.it);
                CHECK_OK(
                    crank_eom_residuals(eom, t, crank_integrator_state(r.it), residual, &r.err),
                    r.err);
                discretised = fmax(discretised, residual[2]);
                for (int end = 0; end < 2; end++) {
                    const double at = end == 1 ? t : inside;
                    CHECK_OK(crank_integrator_interpolate(r.it, at, x, &r.err), r.err);
                    CHECK_OK(crank_eom_residuals(eom, at, x, residual, &r.err), r.err);
                    of_rows = fmax(of_rows, residual[2]);
                }
            }
            CHECK_NEAR(of_rows, 0.0, 1e-13);
            assert_true(forms[i][0] != 'i' || forms[i][5] == '1' || discretised > 1e-9);
            run_end(&r);
            crank_eom_destroy(eom);
        }
    }
}

static crank_status decay(double t, const double *x, double *k, void *user)
{
    (void)t;
    (void)user;
    k[0] = -x[0];
    return CRANK_OK;
}

/* there is nothing to find, by dense or by sparse algebra */
static void models_without_algebraic_unknowns_are_taken(void **state)
{
    for (int i = 0; i < FORMS; i++) {
        for (int sparse = 0; sparse < 2; sparse++) {
            crank_eom_definition d = crank_eom_definition_default();
            crank_options options = run_tolerance(1e-6);
            crank_eom *eom = NULL;
            crank_error err = {0};
            double x[1] = {1.0};
            run r;
            d.sizes = (crank_eom_sizes){.r = 1};
            d.evaluate = decay;
            CHECK_OK(crank_eom_create(&d, (crank_log){0}, &eom, &err), err);
            options.linear_algebra = sparse ? CRANK_LINALG_SPARSE : CRANK_LINALG_DENSE;
            run_begin(&r, forms[i], eom, &options, 0.0, x, 1.0);
            CHECK_OK(run_to_end(&r), r.err);
            CHECK_OK(crank_integrator_interpolate(r.it, 1.0, x, &r.err), r.err);
            CHECK_NEAR(x[0], exp(-1.0), 1e-6);
            run_end(&r);
            crank_eom_destroy(eom);
        }
    }
}

/* out = k - E x' bit for bit as by evaluate and lead, theta and rates being anything */
static void check_residual(const char *name, crank_eom *eom, const double *start)
{
    const crank_options options = crank_options_default();
    double x[MOST] = {0.0}, xdot[MOST], k[MOST], lead[MOST], out[MOST];
    const double t = 0.1;
    crank_error err = {0};
    crank_problem *p = formulate(name, eom, &options, start);
    memcpy(x, start, (size_t)crank_problem_given(p) * sizeof *x);
    for (int j = 0; j < p->n; j++) {
        x[j] += 0.01 * sin(2.0 + j);
        xdot[j] = cos(5.0 * j);
    }
    CHECK_OK(p->prepare(p, 0.0, x, NULL, &err), err);
    CHECK_OK(p->evaluate(p, 1, &t, x, k, &err), err);
    CHECK_OK(p->lead(p, t, x, xdot, lead, &err), err);
    const int64_t evaluations = p->statistics->evaluations;
    CHECK_OK(p->residual(p, t, x, xdot, out, &err), err);
    assert_int_equal(p->statistics->evaluations, evaluations + 1);
    for (int i = 0; i < p->m; i++) {
        assert_true(out[i] == k[i] - lead[i]);
    }
    crank_problem_destroy(p);
}

static void residuals_in_one_pass_are_rows_less_their_lead(void **state)
{
    static const char *const names[] = {"index3",    "index2", "index1",
                                        "baumgarte", "ggl",    "psf"};
    test_academic academic = test_academic_default();
    test_slider_crank crank = test_slider_crank_default();
    test_skate skate = test_skate_default();
    crank_eom *eom[3] = {test_academic_create(&academic), test_slider_crank_create(&crank),
                         test_skate_create(&skate)};
    double x[3][13];
    (void)state;
    test_academic_exact(0.3, x[0]);
    test_slider_crank_start(&crank, x[1]);
    test_skate_exact(&skate, 0.2, x[2]);
    for (int model = 0; model < 3; model++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            check_residual(names[i], eom[model], x[model]);
        }
        crank_eom_destroy(eom[model]);
    }
}

/* The largest component of h B^T theta, by the rows that theta is in. */
static double push_of(crank_problem *p, double h, const double *x)
{
    double without[MOST], k[2][MOST], largest = 0.0;
    const double t = 0.0;
    crank_error err = {0};
    memcpy(without, x, (size_t)p->n * sizeof *x);
    for (int j = crank_problem_given(p); j < p->n; j++) {
        without[j] = 0.0;
    }
    CHECK_OK(p->evaluate(p, 1, &t, x, k[0], &err), err);
    CHECK_OK(p->evaluate(p, 1, &t, without, k[1], &err), err);
    for (int i = 0; i < p->m; i++) {
        largest = fmax(largest, h * fabs(k[0][i] - k[1][i]));
    }
    return largest;
}

/* Most steps cannot have it and are not asked. With one constraint the bound is the push itself;
 * its gradient, (x, y) of a pendulum, grows on the way, theta has all sizes and signs. */
static void the_largest_push_is_that_of_all_steps(void **state)
{
    test_pendulum data = test_pendulum_default();
    crank_eom *eom = test_pendulum_create(&data);
    const crank_options options = crank_options_default();
    double x[MOST] = {0.0}, t = 0.0, largest = 0.0;
    int grown = 0;
    crank_error err = {0};
    (void)state;
    test_pendulum_start(&data, 0.0, 2.8, x);
    crank_problem *p = formulate("ggl", eom, &options, x);
    const int given = crank_problem_given(p);
    CHECK_OK(p->course->accepted(p, t, x, &(bool){false}, &err), err);
    for (int step = 0; step < 400; step++) {
        const double h = 0.01 * (1.0 + 0.5 * sin(7.0 * step));
        if (step % 10 == 0) {
            x[eom->column[CRANK_P]] *= 1.03;
            x[eom->column[CRANK_P] + 1] *= 1.03;
            CHECK_OK(p->prepare(p, t, x, NULL, &err), err);
        }
        for (int j = given; j < p->n; j++) {
            x[j] = 1e-9 * (1.0 + 0.01 * step) * sin(1.0 + 3.0 * j + 0.7 * step);
        }
        t += h;
        CHECK_OK(p->course->accepted(p, t, x, &(bool){false}, &err), err);
        const double push = push_of(p, h, x);
        grown += push > largest;
        largest = fmax(largest, push);
        assert_true(fabs(p->statistics->max_push - largest) <= 1e-6 * largest);
    }
    assert_true(grown > 5 && grown < 200);
    crank_problem_destroy(p);
    crank_eom_destroy(eom);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_are_those_of_the_equations),
        cmocka_unit_test(ggl_has_a_multiplier_of_its_own_for_each_constraint),
        cmocka_unit_test(norms_are_scaled_by_the_index),
        cmocka_unit_test(works_of_constraint_forces_are_scaled_like_velocities),
        cmocka_unit_test(norms_of_quaternions_are_kept),
        cmocka_unit_test(dependent_constraints_are_refused_by_name),
        cmocka_unit_test(singular_starts_are_refused),
        cmocka_unit_test(invariants_and_options_without_effect_are_refused),
        cmocka_unit_test(overdetermined_refuses_sparse_and_selectors),
        cmocka_unit_test(overdetermined_does_not_depend_on_the_size_of_masses),
        cmocka_unit_test(gains_belong_to_baumgarte),
        cmocka_unit_test(rows_have_the_multipliers_of_the_motion),
        cmocka_unit_test(models_without_algebraic_unknowns_are_taken),
        cmocka_unit_test(residuals_in_one_pass_are_rows_less_their_lead),
        cmocka_unit_test(the_largest_push_is_that_of_all_steps),
    };
    return CHECK_RUN(argc, argv, tests);
}
