/* pendulum.c - a pendulum in Cartesian coordinates in C: right-hand sides and mass matrix only,
 * as GEOMS asks for them; derivatives are made by differences.
 *
 *     x = [ lambda | vx vy | px py ]
 *     k = [ gII | gI | g | f_dyn | f_kin ]                          theory (1.11), (1.12) */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <stdio.h>

enum { LAMBDA, VX, VY, PX, PY, UNKNOWNS };
static const double m = 1.0, L = 1.0, grav = 13.75;

static crank_status evaluate(double t, const double *x, double *k, void *user)
{
    const double lambda = x[LAMBDA], vx = x[VX], vy = x[VY], px = x[PX], py = x[PY];
    const double fx = -2.0 * px * lambda, fy = -m * grav - 2.0 * py * lambda;
    (void)t;
    (void)user;
    k[0] = 2.0 * (vx * vx + vy * vy + (px * fx + py * fy) / m); /* gII */
    k[1] = 2.0 * (px * vx + py * vy);                           /* gI */
    k[2] = px * px + py * py - L * L;                           /* g */
    k[3] = fx;
    k[4] = fy;
    k[5] = vx;
    k[6] = vy;
    return CRANK_OK;
}

static crank_status mass(double t, const double *x, double *values, void *user)
{
    (void)t;
    (void)x;
    (void)user;
    values[0] = values[1] = m; /* the diagonal */
    return CRANK_OK;
}

static crank_status simulate(crank_eom *eom, crank_problem **problem, crank_integrator **it,
                             crank_error *err)
{
    const double t_end = 10.0;
    double x[UNKNOWNS] = {[VX] = 5.0, [PY] = -1.0}; /* lambda is found */
    double residual[3] = {0};
    crank_options options = crank_options_default();
    const crank_initial_options initial = crank_initial_options_default();
    crank_log silent = {0};

    options.rtol = options.atol = 1e-8;
    crank_status status = crank_eom_initialize(eom, 0.0, x, &initial, NULL, silent, err);
    if (status == CRANK_OK) {
        status = crank_formulate("psf", eom, &options, 0.0, x, silent, problem, err);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_create("radau", *problem, &options, it, err);
    }
    if (status == CRANK_OK) {
        status = crank_integrator_start(*it, 0.0, x, t_end, err);
    }
    for (int i = 0; status == CRANK_OK && i <= 5; i++) {
        const double t = 2.0 * i;
        status = crank_integrator_solve_to(*it, t, err);
        if (status == CRANK_OK) {
            status = crank_integrator_interpolate(*it, t, x, err);
        }
        if (status == CRANK_OK) {
            status = crank_eom_residuals(eom, t, x, residual, err);
        }
        const bool hold = residual[0] < 1e-13 && residual[1] < 1e-13 && residual[2] < 1e-13;
        (void)printf("t = %4.1f  p = (%9.6f, %9.6f)  lambda = %9.5f  constraints %s\n", t,
                     x[PX], x[PY], x[LAMBDA], hold ? "hold to round-off" : "do not hold");
    }
    return status;
}

int main(void)
{
    crank_eom_definition definition = crank_eom_definition_default();
    crank_eom *eom = NULL;
    crank_problem *problem = NULL;
    crank_integrator *it = NULL;
    crank_error err = {0};

    definition.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 1};
    definition.mass_kind = CRANK_MASS_DIAGONAL_CONSTANT;
    definition.evaluate = evaluate;
    definition.mass = mass;
    crank_status status = crank_eom_create(&definition, (crank_log){0}, &eom, &err);
    if (status == CRANK_OK) {
        status = simulate(eom, &problem, &it, &err);
    }
    if (status != CRANK_OK) {
        (void)fprintf(stderr, "%s: %s\n", crank_status_name(status), err.text);
    }
    crank_integrator_destroy(it);
    crank_problem_destroy(problem);
    crank_eom_destroy(eom);
    return status == CRANK_OK ? 0 : 1;
}
