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

static crank_status simulate(crank_run *run, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; status == CRANK_OK && i <= 5; i++) {
        double residual[3] = {0};
        status = crank_run_advance(run, 2.0 * i, err);
        const double t = crank_run_time(run), *x = crank_run_state(run);
        if (status == CRANK_OK) {
            status = crank_eom_residuals(crank_run_eom(run), t, x, residual, err);
        }
        const bool hold = residual[0] < 1e-13 && residual[1] < 1e-13 && residual[2] < 1e-13;
        (void)printf("t = %4.1f  p = (%9.6f, %9.6f)  lambda = %9.5f  constraints %s\n", t,
                     x[PX], x[PY], x[LAMBDA], hold ? "hold to round-off" : "do not hold");
    }
    return status;
}

int main(void)
{
    const double start[UNKNOWNS] = {[VX] = 5.0, [PY] = -1.0}; /* lambda is found */
    const crank_setting tolerances[] = {{"rtol", "1e-8"}, {"atol", "1e-8"}};
    crank_eom_definition definition = crank_eom_definition_default();
    crank_run_options options = crank_run_options_default();
    crank_eom *eom = NULL;
    crank_run *run = NULL;
    crank_error err = {0};

    definition.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 1};
    definition.mass_kind = CRANK_MASS_DIAGONAL_CONSTANT;
    definition.evaluate = evaluate;
    definition.mass = mass;
    options.options = tolerances;
    options.option_count = 2;
    options.t_end = 10.0;
    crank_status status = crank_eom_create(&definition, (crank_log){0}, &eom, &err);
    status = status ? status : crank_run_open_eom(eom, 0.0, start, &options, &run, &err);
    status = status ? status : simulate(run, &err);
    if (status != CRANK_OK) {
        (void)fprintf(stderr, "%s: %s\n", crank_status_name(status), err.text);
    }
    crank_run_close(run);
    crank_eom_destroy(eom);
    return status == CRANK_OK ? 0 : 1;
}
