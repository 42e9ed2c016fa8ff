/* test_equations_eom.c - rows, Jacobians and mass matrices of models against formulas and
 * differences. */
// SPDX-License-Identifier: BSD-3-Clause
#include "one_state.h"
#include "read_model.h"
#include "sample_models.h"

#include <float.h>

enum { LARGEST = 64 }; /* rows and columns of the sample models */

static crank_state *read_as(const char *text, crank_accelerations accelerations)
{
    crank_model_options options = crank_model_options_default();
    options.accelerations = accelerations;
    return read_with(text, &options);
}

/* a point that is not consistent, so that no term hides */
static void shaken_point(const crank_state *model, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = crank_state_start(model)[i] + 0.1 * sin(1.0 + 3.0 * i);
    }
}

static void evaluate_at(crank_eom *eom, double t, const double *x, double *k)
{
    crank_error err = {0};
    CHECK_OK(crank_eom_evaluate(eom, t, x, k, &err), err);
}

/* f~ - M v' on the dynamic rows, all other rows as they are */
static void evaluate_with_inertia(crank_eom *eom, double t, const double *x, const double *vdot,
                                  double *k)
{
    crank_error err = {0};
    double values[LARGEST];
    evaluate_at(eom, t, x, k);
    CHECK_OK(eom->supplier.mass(eom->self, t, x, values, &err), err);
    for (int j = 0; j < eom->sizes.v; j++) {
        for (int e = eom->mass_pattern.start[j]; e < eom->mass_pattern.start[j + 1]; e++) {
            k[eom->row[CRANK_ROW_DYN] + eom->mass_pattern.row[e]] -= values[e] * vdot[j];
        }
    }
}

static void compare_jacobian(crank_state *model)
{
    crank_eom *eom = crank_state_eom(model);
    const crank_pattern *pattern = &eom->jacobian_pattern;
    const double t = 0.3, h = 1e-5;
    double x[LARGEST], vdot[LARGEST], up[LARGEST], down[LARGEST], values[LARGEST * LARGEST];
    crank_error err = {0};
    assert_true(eom->n <= LARGEST && eom->m <= LARGEST);
    shaken_point(model, eom->n, x);
    for (int i = 0; i < eom->sizes.v; i++) {
        vdot[i] = 1.0 + i;
    }
    CHECK_OK(eom->supplier.jacobian(eom->self, t, x, vdot, values, &err), err);
    for (int j = 0; j < eom->n; j++) {
        const double xj = x[j];
        double column[LARGEST] = {0};
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            column[pattern->row[e]] = values[e];
        }
        x[j] = xj + h;
        evaluate_with_inertia(eom, t, x, vdot, up);
        x[j] = xj - h;
        evaluate_with_inertia(eom, t, x, vdot, down);
        x[j] = xj;
        for (int i = 0; i < eom->m; i++) {
            /* central differences: h^2 times third derivatives, and rounding of k divided by
             * h */
            const double size = 1.0 + fabs(up[i]) + fabs(column[i]);
            CHECK_NEAR((up[i] - down[i]) / (2 * h), column[i],
                       size * (1e3 * h * h + 1e-15 / h));
        }
    }
}

static void jacobians_agree_with_differences(void **state)
{
    for (int i = 0; i < SAMPLE_MODELS; i++) {
        crank_state *model = read_as(sample_models[i], CRANK_ACCELERATIONS_ELIMINATE);
        compare_jacobian(model);
        one_state_close(model);
        model = read_as(sample_models[i], CRANK_ACCELERATIONS_CARRY);
        compare_jacobian(model);
        one_state_close(model);
    }
}

static void hidden_constraints_agree_with_differences(void **state)
{
    for (int i = 0; i < SAMPLE_MODELS; i++) {
        crank_state *model = read_model(sample_models[i]);
        crank_eom *eom = crank_state_eom(model);
        double x[LARGEST], deviation = 1.0;
        char text[200];
        crank_error err = {0};
        shaken_point(model, eom->n, x);
        CHECK_OK(crank_eom_check_derivatives(eom, 0.3, x, &deviation, text, sizeof text, &err),
                 err);
        CHECK_NEAR(deviation, 0.0, 1e-5); /* one-sided differences: some sqrt(DBL_EPSILON) */
        one_state_close(model);
    }
}

static void pendulum_rows_agree_with_the_formulas(void **state)
{
    crank_state *model = read_model(pendulum_model);
    crank_eom *eom = crank_state_eom(model);
    double x[LARGEST], k[LARGEST];
    const double m = 1.5, grav = 13.75, p1 = 0.7, p2 = -0.4, v1 = 1.2, v2 = -0.3, l = 2.5;
    x[unknown(model, "x")] = p1;
    x[unknown(model, "y")] = p2;
    x[unknown(model, "vx")] = v1;
    x[unknown(model, "vy")] = v2;
    x[unknown(model, "lambda.length")] = l;
    evaluate_at(eom, 0.0, x, k);
    const double tolerance = 100 * DBL_EPSILON; /* rows are of size 10 to 40 */
    CHECK_NEAR(k[eom->row[CRANK_ROW_G]], p1 * p1 + p2 * p2 - 1, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_GI]], 2 * (p1 * v1 + p2 * v2), tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_GII]],
               2 * v1 * v1 + 2 * v2 * v2 - 2 * p2 * grav - 4 / m * (p1 * p1 + p2 * p2) * l,
               tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN]], -2 * p1 * l, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN] + 1], -m * grav - 2 * p2 * l, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_KIN]], v1, 0.0);
    assert_int_equal(eom->mass_kind, CRANK_MASS_DIAGONAL_CONSTANT);
    assert_int_equal(eom->sizes.w, 0);
    one_state_close(model);
}

static void slider_crank_rows_agree_with_the_formulas(void **state)
{
    crank_state *model = read_model(slider_crank_model);
    crank_eom *eom = crank_state_eom(model);
    const double m1 = 1, m2 = 1.8, l1 = 1, l2 = 3, grav = 9.81;
    const double p1 = 0.5, p2 = -0.2, v1 = 1.5, v2 = 0.4, l = -3;
    double x[LARGEST], k[LARGEST];
    x[unknown(model, "p1")] = p1;
    x[unknown(model, "p2")] = p2;
    x[unknown(model, "v1")] = v1;
    x[unknown(model, "v2")] = v2;
    x[unknown(model, "lambda.slider")] = l;
    evaluate_at(eom, 0.0, x, k);
    const double g1 = l1 * cos(p1), g2 = -l2 * cos(p2);
    const double m11 = (m1 + m2) * l1 * l1, m12 = -m2 * l1 * l2 * cos(p1 + p2),
                 m22 = m2 * l2 * l2;
    const double f1 =
        -(m1 + m2) * grav * l1 * cos(p1) - m2 * l1 * l2 * v2 * v2 * sin(p1 + p2) - g1 * l;
    const double f2 = m2 * grav * l2 * cos(p2) - m2 * l1 * l2 * v1 * v1 * sin(p1 + p2) - g2 * l;
    const double det = m11 * m22 - m12 * m12;
    const double a1 = (m22 * f1 - m12 * f2) / det, a2 = (m11 * f2 - m12 * f1) / det;
    const double tolerance = 1000 * DBL_EPSILON; /* rows are of size 60, det is not small */
    CHECK_NEAR(k[eom->row[CRANK_ROW_GI]], g1 * v1 + g2 * v2, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_GII]],
               g1 * a1 + g2 * a2 - l1 * sin(p1) * v1 * v1 + l2 * sin(p2) * v2 * v2, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN]], f1, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN] + 1], f2, tolerance);
    assert_int_equal(eom->mass_kind, CRANK_MASS_FULL);
    assert_true(eom->autonomous);
    one_state_close(model);
}

static void skate_rows_agree_with_the_formulas(void **state)
{
    crank_state *model = read_model(skate_model);
    crank_eom *eom = crank_state_eom(model);
    const double m = 2, phi = 0.7, vx = 1.1, vy = 0.2, omega = -0.5, mu = 3;
    double x[LARGEST], k[LARGEST];
    crank_error err = {0};
    memset(x, 0, sizeof x);
    x[unknown(model, "phi")] = phi;
    x[unknown(model, "vx")] = vx;
    x[unknown(model, "vy")] = vy;
    x[unknown(model, "omega")] = omega;
    x[unknown(model, "mu.blade")] = mu;
    CHECK_OK(crank_state_begin(model, 0.0, crank_state_start(model), &err), err);
    evaluate_at(eom, 0.0, x, k);
    const double fx = m * 9.81 * sin(0.2) - sin(phi) * mu, fy = cos(phi) * mu;
    const double tolerance = 100 * DBL_EPSILON;
    CHECK_NEAR(k[eom->row[CRANK_ROW_H]], vx * sin(phi) - vy * cos(phi), tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN]], fx, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_DYN] + 1], fy, tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_HI]],
               sin(phi) * fx / m - cos(phi) * fy / m + omega * (vx * cos(phi) + vy * sin(phi)),
               tolerance);
    CHECK_NEAR(k[eom->row[CRANK_ROW_E]], 0.3 * omega - 0.3 * 2,
               tolerance); /* kept at the start */
    one_state_close(model);
}

static void invariants_are_told_apart_and_kept_at_their_start_value(void **state)
{
    crank_state *model = read_model(rotor_model);
    crank_eom *eom = crank_state_eom(model);
    double x[LARGEST], k[LARGEST];
    char name[100];
    crank_error err = {0};
    assert_int_equal(eom->sizes.e, 1);
    assert_int_equal(eom->sizes.n, 1);
    assert_int_equal(eom->sizes.p, 4);
    assert_int_equal(eom->sizes.v, 3);
    CHECK_CONTAINS(crank_eom_row_name(eom, eom->row[CRANK_ROW_N], name, sizeof name),
                   "\"norm\"");
    CHECK_CONTAINS(crank_eom_row_name(eom, eom->row[CRANK_ROW_E], name, sizeof name),
                   "\"energy\"");
    memcpy(x, crank_state_start(model), (size_t)eom->n * sizeof *x);
    evaluate_at(eom, 0.0, x, k);
    CHECK_NEAR(k[eom->row[CRANK_ROW_N]], 0.0, 0.0);
    x[unknown(model, "q0")] = 1.0;
    evaluate_at(eom, 0.0, x, k);
    CHECK_NEAR(k[eom->row[CRANK_ROW_N]], 1.0 - 0.64, 10 * DBL_EPSILON);
    CHECK_OK(crank_state_begin(model, 0.0, x, &err), err);
    evaluate_at(eom, 0.0, x, k);
    CHECK_NEAR(k[eom->row[CRANK_ROW_N]], 0.0, 0.0);
    one_state_close(model);
}

/* M a = f~ by elimination without pivoting: the samples' M are positive definite */
static void solve_mass(crank_eom *eom, double t, const double *x, const double *k, double *a)
{
    double full[16] = {0}, values[16];
    const int nv = eom->sizes.v;
    crank_error err = {0};
    CHECK_OK(eom->supplier.mass(eom->self, t, x, values, &err), err);
    for (int j = 0; j < nv; j++) {
        a[j] = k[eom->row[CRANK_ROW_DYN] + j];
        for (int e = eom->mass_pattern.start[j]; e < eom->mass_pattern.start[j + 1]; e++) {
            full[eom->mass_pattern.row[e] + nv * j] = values[e];
        }
    }
    for (int c = 0; c < nv; c++) {
        for (int i = c + 1; i < nv; i++) {
            const double f = full[i + nv * c] / full[c + nv * c];
            for (int j = c; j < nv; j++) {
                full[i + nv * j] -= f * full[c + nv * j];
            }
            a[i] -= f * a[c];
        }
    }
    for (int i = nv - 1; i >= 0; i--) {
        for (int j = i + 1; j < nv; j++) {
            a[i] -= full[i + nv * j] * a[j];
        }
        a[i] /= full[i + nv * i];
    }
}

static void eliminated_and_carried_accelerations_agree(void **state)
{
    for (int s = 0; s < SAMPLE_MODELS; s++) {
        crank_state *one = read_as(sample_models[s], CRANK_ACCELERATIONS_ELIMINATE);
        crank_state *two = read_as(sample_models[s], CRANK_ACCELERATIONS_CARRY);
        crank_eom *a = crank_state_eom(one), *b = crank_state_eom(two);
        const int nv = a->sizes.v, own = a->sizes.w;
        double x[LARGEST], y[LARGEST], kx[LARGEST], ky[LARGEST];
        assert_int_equal(b->sizes.w, own + nv);
        assert_true(b->mass_is_identity);
        shaken_point(one, a->n, x);
        evaluate_at(a, 0.3, x, kx);
        memcpy(y, x, (size_t)own * sizeof *y);
        memcpy(y + own + nv, x + own, (size_t)(a->n - own) * sizeof *y);
        solve_mass(a, 0.3, x, kx, y + own);
        evaluate_at(b, 0.3, y, ky);
        for (int i = 0; i < nv; i++) {
            assert_true(b->carried[own + i]);
            CHECK_NEAR(ky[b->row[CRANK_ROW_D] + own + i], 0.0, 1e-12);
            CHECK_NEAR(ky[b->row[CRANK_ROW_DYN] + i], y[own + i], 0.0);
        }
        for (int i = 0; i < own; i++) {
            CHECK_NEAR(ky[i], kx[i], 1e-12);
        }
        for (int i = a->row[CRANK_ROW_GII]; i < a->row[CRANK_ROW_DYN]; i++) {
            CHECK_NEAR(ky[i + nv], kx[i], 1e-12 * (1 + fabs(kx[i])));
        }
        one_state_close(one);
        one_state_close(two);
    }
}

static void large_or_singular_mass_blocks_are_carried(void **state)
{
    crank_state *model =
        read_model("crank: equations\npositions: {x: 0, y: 0}\n"
                   "velocities: {u: {of: x}, v: {of: y}}\nmass: [[1, 1], [1, 1]]\n"
                   "holonomic: {a: x - y}\n");
    assert_int_equal(crank_state_eom(model)->sizes.w, 2);
    assert_string_equal(crank_eom_column_name(crank_state_eom(model), 0), "acceleration.u");
    assert_int_equal(crank_model_column_count(crank_state_model(model)),
                     5); /* carried ones are no columns */
    one_state_close(model);
    model = read_model("crank: equations\npositions: {a: 0, b: 0, c: 0, d: 0}\n"
                       "velocities: {u: {of: a}, v: {of: b}, w: {of: c}, z: {of: d}}\n"
                       "mass: {entries: [[u, u, 4], [v, v, 4], [w, w, 4], [z, z, 4],\n"
                       "                 [u, v, 1], [v, w, 1], [w, z, 1]]}\n");
    assert_int_equal(crank_state_eom(model)->sizes.w, 4);
    one_state_close(model);
}

static void only_the_rows_asked_for_are_filled(void **state)
{
    for (int s = 0; s < SAMPLE_MODELS; s++) {
        crank_state *model = read_model(sample_models[s]);
        crank_eom *eom = crank_state_eom(model);
        double x[6 * LARGEST], t[6], all[6 * LARGEST], part[6 * LARGEST];
        crank_error err = {0};
        for (int i = 0; i < 6; i++) { /* more points than are evaluated together */
            t[i] = 0.1 * i;
            shaken_point(model, eom->n, x + i * eom->n);
            x[i * eom->n] += 0.01 * i;
        }
        CHECK_OK(eom->supplier.evaluate(eom->self, 6, t, x, CRANK_ALL_ROWS, all, &err), err);
        memset(part, 0, sizeof part);
        CHECK_OK(eom->supplier.evaluate(eom->self, 6, t, x, CRANK_ALGEBRAIC, part, &err), err);
        CHECK_OK(eom->supplier.evaluate(eom->self, 6, t, x, CRANK_DIFFERENTIAL, part, &err),
                 err);
        for (int i = 0; i < 6 * eom->m; i++) {
            CHECK_NEAR(part[i], all[i], 0.0);
        }
        one_state_close(model);
    }
}

static void initial_conditions_are_evaluated(void **state)
{
    crank_state *model = read_model(driven_model);
    crank_eom *eom = crank_state_eom(model);
    double x[LARGEST], conditions[2];
    crank_error err = {0};
    memcpy(x, crank_state_start(model), (size_t)eom->n * sizeof *x);
    x[unknown(model, "x")] = 0.75;
    CHECK_OK(eom->supplier.initial(eom->self, 0.0, x, conditions, &err), err);
    CHECK_NEAR(conditions[0], 0.25, 0.0);
    CHECK_NEAR(conditions[1], 0.3, DBL_EPSILON);
    assert_string_equal(eom->initial_name[1], "second");
    one_state_close(model);
}

static void points_outside_the_domain_ask_for_a_shorter_step(void **state)
{
    crank_state *model = read_model("crank: equations\npositions: {x: 1}\n"
                                    "velocities: {v: {of: x}}\nmass: [[1]]\nforces: [sqrt(x)]\n"
                                    "outputs: {root: sqrt(x)}\n");
    double x[2] = {0.0, 0.0}, k[2], values[3];
    crank_error err = {0};
    x[unknown(model, "x")] = -1.0;
    CHECK_STATUS(crank_eom_evaluate(crank_state_eom(model), 0.0, x, k, &err), CRANK_RETRY);
    CHECK_CONTAINS(err.text, "dynamic equation of v (its force): not finite at t = 0");
    CHECK_OK(crank_state_columns(model, 0.0, x, values, &err), err);
    assert_true(isnan(values[2]));
    one_state_close(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobians_agree_with_differences),
        cmocka_unit_test(hidden_constraints_agree_with_differences),
        cmocka_unit_test(pendulum_rows_agree_with_the_formulas),
        cmocka_unit_test(slider_crank_rows_agree_with_the_formulas),
        cmocka_unit_test(skate_rows_agree_with_the_formulas),
        cmocka_unit_test(invariants_are_told_apart_and_kept_at_their_start_value),
        cmocka_unit_test(eliminated_and_carried_accelerations_agree),
        cmocka_unit_test(large_or_singular_mass_blocks_are_carried),
        cmocka_unit_test(only_the_rows_asked_for_are_filled),
        cmocka_unit_test(initial_conditions_are_evaluated),
        cmocka_unit_test(points_outside_the_domain_ask_for_a_shorter_step),
    };
    return CHECK_RUN(argc, argv, tests);
}
