/* sweep.c - where a pendulum is after half a second, over gravity: one model, read once and
 * shared by two threads, a run for each value. sweep */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <stdio.h>

enum { RUNS = 8, THREADS = 2 };

static crank_status swing(crank_run *run, int i, void *y, crank_error *err)
{
    crank_status status = crank_run_set(run, "grav", 2.0 * i, err);
    status = status ? status : crank_run_advance(run, 0.5, err);
    ((double *)y)[i] = crank_run_value(run, "y");
    return status;
}

int main(void)
{
    crank_model *model = NULL;
    crank_error err = {0};
    double y[RUNS];
    crank_model_options options = crank_model_options_default();
    options.vary = (const char *const[]){"grav"};
    options.vary_count = 1;
    crank_status status =
        crank_model_read("models/pendulum/pendulum.yaml", &options, &model, &err);
    status = status ? status : crank_run_each(model, NULL, RUNS, THREADS, swing, y, &err);
    for (int i = 0; i < RUNS && !status; i++) {
        (void)printf("grav = %4.1f: y = %.6f\n", 2.0 * i, y[i]);
    }
    crank_model_destroy(model);
    return status ? fprintf(stderr, "%s\n", err.text), 1 : 0;
}
