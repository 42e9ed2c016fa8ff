/* slider_crank.c - a slider crank step by step: hidden constraints left to crank, tolerances
 * per unknown, values between steps, statistics.
 *
 *     x = [ lambda | v1 v2 | p1 p2 ],   g = l1 sin p1 - l2 sin p2
 * M depends on the angles and is full. gI and gII are made by differences along the motion. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { LAMBDA, V1, V2, P1, P2, UNKNOWNS };
static const double m1 = 1.0, m2 = 1.8, l1 = 1.0, l2 = 3.0, grav = 9.81;

static crank_status evaluate(double t, const double *x, double *k, void *user)
{
    const double c1 = cos(x[P1]), c2 = cos(x[P2]), s12 = sin(x[P1] + x[P2]);
    (void)t;
    (void)user; /* rows gII = k[0] and gI = k[1] are left to crank */
    k[2] = l1 * sin(x[P1]) - l2 * sin(x[P2]);
    k[3] =
        -(m1 + m2) * grav * l1 * c1 - m2 * l1 * l2 * x[V2] * x[V2] * s12 - l1 * c1 * x[LAMBDA];
    k[4] = m2 * grav * l2 * c2 - m2 * l1 * l2 * x[V1] * x[V1] * s12 + l2 * c2 * x[LAMBDA];
    k[5] = x[V1];
    k[6] = x[V2];
    return CRANK_OK;
}

static crank_status mass(double t, const double *x, double *M, void *user)
{
    (void)t;
    (void)user;
    M[0] = (m1 + m2) * l1 * l1;
    M[1] = M[2] = -m2 * l1 * l2 * cos(x[P1] + x[P2]);
    M[3] = m2 * l2 * l2;
    return CRANK_OK;
}

/* positions and velocities matter most here; of the force two digits less are enough */
static crank_status simulate(crank_run *run, crank_error *err)
{
    const double rtol[UNKNOWNS] = {1e-6, 1e-8, 1e-8, 1e-8, 1e-8};
    const double atol[UNKNOWNS] = {1e-5, 1e-8, 1e-8, 1e-8, 1e-8};
    int row = 0;
    crank_status status = crank_run_formulate(run, err);
    if (status == CRANK_OK) {
        status = crank_integrator_set_tolerances(crank_run_integrator(run), rtol, atol, err);
    }
    while (status == CRANK_OK && !crank_run_finished(run)) {
        status = crank_run_step(run, err);
        const double t = crank_integrator_time(crank_run_integrator(run));
        while (status == CRANK_OK && row <= 5 && 2.0 * row <= t) {
            status = crank_run_look(run, 2.0 * row, err);
            const double *x = crank_run_state(run);
            (void)printf("t = %4.1f  crank %9.6f  rod %9.6f  slider at %9.6f  force %9.4f\n",
                         2.0 * row, x[P1], x[P2], l1 * cos(x[P1]) + l2 * cos(x[P2]), x[LAMBDA]);
            row++;
        }
    }
    return status;
}

int main(void)
{
    crank_eom_definition definition = crank_eom_definition_default();
    crank_run_options options = crank_run_options_default();
    const double x[UNKNOWNS] = {0}; /* at rest, stretched out */
    crank_eom *eom = NULL;
    crank_run *run = NULL;
    crank_error err = {0};

    definition.sizes = (crank_eom_sizes){.p = 2, .v = 2, .lambda = 1};
    definition.levels = CRANK_LEVELS_POSITION;
    definition.evaluate = evaluate;
    definition.mass = mass;
    options.t_end = 10.0;
    crank_status status = crank_eom_create(&definition, options.log, &eom, &err);
    status = status ? status : crank_run_open_eom(eom, 0.0, x, &options, &run, &err);
    status = status ? status : simulate(run, &err);
    if (status == CRANK_OK) {
        const crank_statistics s = crank_integrator_statistics(crank_run_integrator(run));
        const int64_t rejected = s.rejected_error + s.rejected_convergence;
        (void)printf("%" PRId64 " steps, %" PRId64 " rejected, %" PRId64 " Newton iterations\n",
                     s.steps, rejected, s.newton_iterations);
    } else {
        (void)fprintf(stderr, "%s: %s\n", crank_status_name(status), err.text);
    }
    crank_run_close(run);
    crank_eom_destroy(eom);
    return status == CRANK_OK ? 0 : 1;
}
