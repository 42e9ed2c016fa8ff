/* nonholonomic_skate.c - a skate on an inclined plane: it slides along its edge only.
 *
 *     x = [ mu | v1 v2 omega | u1 u2 phi ],   h = -v1 sin phi + v2 cos phi
 * The constraint on velocities is given alone; its derivative is made by differences. The skate
 * turns at unit rate and moves across the slope:
 *     u1 = sin(alpha) sin^2(t)/2,   u2 = sin(alpha) (t - sin(2t)/2)/2 */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <math.h>
#include <stdio.h>

enum { MU, V1, V2, OMEGA, U1, U2, PHI, UNKNOWNS };
enum { ROW_HI, ROW_H, ROW_DYN, ROW_KIN = ROW_DYN + 3 };

static crank_status evaluate(double t, const double *x, double *k, void *user)
{
    const double *alpha = user;
    const double s = sin(x[PHI]), c = cos(x[PHI]);
    (void)t; /* row hI = k[ROW_HI] is left to crank */
    k[ROW_H] = -x[V1] * s + x[V2] * c;
    k[ROW_DYN] = sin(*alpha) + s * x[MU]; /* f - (h_v)^T mu, unit mass */
    k[ROW_DYN + 1] = -c * x[MU];
    k[ROW_DYN + 2] = 0.0;
    k[ROW_KIN] = x[V1];
    k[ROW_KIN + 1] = x[V2];
    k[ROW_KIN + 2] = x[OMEGA];
    return CRANK_OK;
}

static crank_status print_path(crank_run *run, double alpha, crank_error *err)
{
    double worst = 0.0;
    crank_status status = CRANK_OK;
    for (int i = 0; i <= 10 && status == CRANK_OK; i++) {
        const double t = i;
        status = crank_run_advance(run, t, err);
        if (status == CRANK_OK) {
            const double *x = crank_run_state(run);
            const double u1 = sin(alpha) * sin(t) * sin(t) / 2.0;
            const double u2 = sin(alpha) * (t - sin(2.0 * t) / 2.0) / 2.0;
            worst = fmax(worst, hypot(x[U1] - u1, x[U2] - u2));
            (void)printf("t = %4.1f  down %9.6f  across %9.6f  mu %9.6f\n", t, x[U1], x[U2],
                         x[MU]);
        }
    }
    (void)printf("error of the path: %s\n", worst < 1e-7 ? "below 1e-7" : "too large");
    return status;
}

int main(void)
{
    static const crank_setting tolerances[] = {{"rtol", "1e-9"}, {"atol", "1e-9"}};
    crank_eom_definition definition = crank_eom_definition_default();
    crank_run_options options = crank_run_options_default();
    const double x[UNKNOWNS] = {[OMEGA] = 1.0};
    double alpha = 0.8;
    crank_eom *eom = NULL;
    crank_run *run = NULL;
    crank_error err = {0};

    definition.sizes = (crank_eom_sizes){.p = 3, .v = 3, .mu = 1};
    definition.levels = CRANK_LEVELS_POSITION;
    definition.evaluate = evaluate; /* no mass: M = I */
    definition.user = &alpha;
    options.t_end = 10.0;
    options.options = tolerances;
    options.option_count = 2;
    crank_status status = crank_eom_create(&definition, options.log, &eom, &err);
    status = status ? status : crank_run_open_eom(eom, 0.0, x, &options, &run, &err);
    status = status ? status : print_path(run, alpha, &err);
    if (status != CRANK_OK) {
        (void)fprintf(stderr, "%s: %s\n", crank_status_name(status), err.text);
    }
    crank_run_close(run);
    crank_eom_destroy(eom);
    return status == CRANK_OK ? 0 : 1;
}
